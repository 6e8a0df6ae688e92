/*
 * rescore.c: a reranker's answer in the place of the chunks' own scores.
 *
 * Rerankers answer with an index or id and a score for each text, in a document
 * whose shape differs little from one to the next.  It is checked by jansson; its
 * values are taken from the bytes, so that scores compare to the last digit and
 * ids of any size are what they are.
 *
 * An index that lands on another chunk than the one that was meant cannot be seen
 * in the output, so whatever shows that places have shifted is an error.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rank.h"
#include "ranking.h"
#include "json/json.h"

static const char *const list_paths[] = {"results", "data",    "rankings",
                                         "rerank",  "ranking", "output.results",
                                         "records", "items",   "documentRanks"};
static const char *const index_paths[] = {"index", "corpus_id", "originalIndex"};
static const char *const id_paths[] = {"id", "document.doc_id"};
static const char *const score_paths[] = {"relevance_score", "relevanceScore", "score", "logit"};
/* Where an answer repeats the text that it was asked about. */
static const char *const text_paths[] = {
    "document.text",        "text", "input", "document", "content", "passage", "document.content",
    "document.page_content"};

/* Bytes of a value that a message shows. */
#define SHOWN 40

static const struct choice rests[] = {
    [REST_DROP] = {"drop", NULL, "what the answer leaves out is dropped"},
    [REST_KEEP] = {"keep", NULL, "it follows behind, by the chunks' own scores"},
};

static const struct choice *rest_of(size_t rest)
{
    return &rests[rest];
}

const struct choices rescore_rest_choices = {rest_of, COUNT(rests)};

/* One pass over an answer. */
struct answer {
    struct chunks *chunks;
    const char *file;
    struct json_checker *checker;
    struct slice document;
    struct slice list;   /* the array of results; a null slice: each line is one */
    bool is_result;      /* the document is the only one */
    bool is_repaired;    /* something in it was, which is not noted yet */
    const char *line_at; /* up to where lines were counted, and which one that is */
    size_t line_number;
    size_t count;           /* results that were taken */
    size_t missing;         /* those without a score */
    const char *index_path; /* of the first element; NULL: it has an id instead */
    const char *id_path;
    const char *score_path;
    struct chunk **by_index; /* what was asked about, as far as is known */
    size_t index_count;
    bool *scored;        /* by chunk: whether the answer has named it */
    struct interner ids; /* of the chunks, and what is looked up */
    size_t id_count;     /* those of the chunks */
    struct chunk **by_id;
    bool *ambiguous; /* by id: several chunks have it */
    struct buf scratch;
    struct buf key;
};

/* The first of the paths at which the object has something, or NULL. */
static const char *first_found(struct slice object, const char *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (value_kind_of(value_find_written(object, paths[i])) != VALUE_ABSENT) {
            return paths[i];
        }
    }
    return NULL;
}

/* Counted on from where the last element was, since they are asked about in their order. */
static size_t line_of(struct answer *answer, struct slice element)
{
    if (answer->line_at == NULL || element.at < answer->line_at) {
        answer->line_at = answer->chunks->answer.bytes;
        answer->line_number = 1;
    }
    const char *feed;
    while ((feed = memchr(answer->line_at, '\n', (size_t)(element.at - answer->line_at))) != NULL) {
        answer->line_number++;
        answer->line_at = feed + 1;
    }
    return answer->line_number;
}

/* Nobody need advise to pass over its lines, which nothing does. */
static struct location place_of(struct answer *answer, struct slice element)
{
    return (struct location){.file = answer->file, .line = line_of(answer, element), .skips = true};
}

/* Adds names that are known, as "a, b or c". */
static void add_names(struct buf *out, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        buf_add_string(out, i == 0 ? "" : i + 1 < count ? ", " : " or ");
        buf_add_string(out, names[i]);
    }
}

static int shown(struct slice value)
{
    return value.len < SHOWN ? (int)value.len : SHOWN;
}

/* The places of the chunks that a program has counted which sent them to be reranked. */
static void note_places(struct answer *answer)
{
    struct chunks *chunks = answer->chunks;
    bool fused = false;
    answer->by_index = mem_zeroed(chunks->count, sizeof(struct chunk *));
    for (size_t i = 0; i < chunks->count; i++) {
        struct chunk *chunk = &chunks->all[i];
        if (chunk->is_object && chunk->fate != FATE_FUSED) {
            answer->by_index[answer->index_count++] = chunk;
        }
        fused |= details_of(chunk)->list_ranks != NULL;
    }
    if (fused) { /* then those that are left, as the fused ranking has them */
        size_t kept = 0;
        for (size_t i = 0; i < answer->index_count; i++) {
            if (answer->by_index[i]->fate == FATE_KEPT) {
                answer->by_index[kept++] = answer->by_index[i];
            }
        }
        answer->index_count = kept;
        ranking_sort(answer->by_index, kept, chunks->lower_is_better);
    }
    for (size_t i = 0; i < answer->index_count; i++) {
        details_for(&chunks->arena, answer->by_index[i])->tie_break =
            (uint32_t)i + 1; /* equal scores stand as they were sent */
    }
}

/* A chunk that was taken from another list answers for the ids of its copies. */
static void note_ids(struct answer *answer)
{
    struct chunks *chunks = answer->chunks;
    answer->by_id = mem_zeroed(chunks->count + 1, sizeof(struct chunk *));
    answer->ambiguous = mem_zeroed(chunks->count + 1, sizeof(bool));
    for (size_t i = 0; i < chunks->count; i++) {
        struct chunk *chunk = &chunks->all[i];
        answer->key.len = 0;
        if (chunk->is_object) {
            chunk_add_id_key(&answer->key, chunk);
        }
        if (answer->key.len > 0) {
            uint32_t key = intern_bytes(&answer->ids, buf_slice(&answer->key));
            bool fused = chunk->fate == FATE_FUSED;
            chunk = fused ? &chunks->all[details_of(chunk)->survivor - chunks->all] : chunk;
            answer->ambiguous[key] |= answer->by_id[key] != NULL && answer->by_id[key] != chunk;
            answer->by_id[key] = chunk;
        }
    }
    answer->id_count = answer->ids.count;
}

/* The number of an id in the answer; id_count or more when no chunk has it. */
static size_t number_of_id(struct answer *answer, struct slice value)
{
    answer->key.len = 0;
    return value_add_key(&answer->key, value) ? intern_bytes(&answer->ids, buf_slice(&answer->key))
                                              : SIZE_MAX;
}

static int find_by_index(struct answer *answer, struct slice element, struct chunk **chunk)
{
    struct slice index = value_find_written(element, answer->index_path);
    size_t i;
    if (value_kind_of(index) != VALUE_NUMBER) {
        return diag_input(answer->file, line_of(answer, element), 0, "no whole number at '%s'",
                          answer->index_path);
    }
    double value;
    if (number_json(index, &value) && value >= 0 && value < 1e15 &&
        !number_whole(index, SIZE_MAX, &i)) {
        return diag_input(answer->file, line_of(answer, element), 0,
                          "the %s %.*s is no whole number", answer->index_path, shown(index),
                          index.at);
    }
    if (!number_whole(index, SIZE_MAX, &i) || i >= answer->index_count) {
        return diag_input(answer->file, line_of(answer, element), 0,
                          "the %s %.*s is out of range: there are %zu chunks, counted from 0",
                          answer->index_path, shown(index), index.at, answer->index_count);
    }
    *chunk = answer->by_index[i];
    return STATUS_OK;
}

static int find_by_id(struct answer *answer, struct slice element, struct chunk **chunk)
{
    struct slice value =
        value_find_written(element, answer->id_path != NULL ? answer->id_path : "id");
    enum value_kind kind = value_kind_of(value);
    if (kind != VALUE_STRING && kind != VALUE_NUMBER) {
        return diag_input(answer->file, line_of(answer, element), 0, "neither an index nor an id");
    }
    struct slice id = kind == VALUE_STRING ? value_inside(value) : value;
    size_t number = number_of_id(answer, value);
    if (number >= answer->id_count) {
        return diag_input(
            answer->file, line_of(answer, element), 0, "no chunk has the id '%.*s'%s", (int)id.len,
            id.at, answer->id_count == 0 ? "; the chunks have none: --id names the field" : "");
    }
    if (answer->ambiguous[number]) {
        return diag_input(answer->file, line_of(answer, element), 0,
                          "several chunks have the id '%.*s'", (int)id.len, id.at);
    }
    *chunk = answer->by_id[number];
    return STATUS_OK;
}

/* An unusable chunk cannot have been asked about, or only by who counted otherwise. */
static int check_usable(struct answer *answer, struct slice element, const struct chunk *chunk)
{
    if (chunk->fate != FATE_INVALID) {
        return STATUS_OK;
    }
    struct buf place = {0};
    fate_add_place(&place, answer->chunks, chunk);
    buf_add_byte(&place, '\0');
    int status =
        chunk->is_empty
            ? diag_input(answer->file, line_of(answer, element), 0,
                         "a score for %s, whose text is empty: if empty texts were left out of the "
                         "request, all places have shifted",
                         place.at)
            : diag_input(answer->file, line_of(answer, element), 0,
                         "a score for %s, which cannot be used: %s", place.at,
                         details_of(chunk)->reason);
    buf_free(&place);
    return status;
}

/* Where two texts differ, at the start of a character; 0 when that is within what is shown. */
static size_t first_difference(struct slice a, struct slice b)
{
    size_t i = 0;
    while (i < a.len && i < b.len && a.at[i] == b.at[i]) {
        i++;
    }
    while (i > 0 && ((i < a.len && ((unsigned char)a.at[i] & 0xc0) == 0x80) ||
                     (i < b.len && ((unsigned char)b.at[i] & 0xc0) == 0x80))) {
        i--;
    }
    return i < SHOWN / 2 ? 0 : i;
}

/* Where the answer repeats the text, it must be the chunk's. */
static int check_text(struct answer *answer, struct slice element, const struct chunk *chunk)
{
    for (size_t i = 0; i < COUNT(text_paths); i++) {
        struct slice value = value_find_written(element, text_paths[i]);
        if (value_kind_of(value) != VALUE_STRING) {
            continue;
        }
        struct buf scratch = {0};
        struct slice theirs = value_decode(value_inside(value), &answer->scratch);
        struct slice ours = chunk_text(chunk, &scratch);
        int status = STATUS_OK;
        theirs = slice_trim(theirs);
        ours = slice_trim(ours);
        if (!slice_equal(theirs, ours)) {
            struct buf place = {0};
            size_t start = first_difference(theirs, ours);
            theirs = slice_from(theirs, start);
            ours = slice_from(ours, start);
            fate_add_place(&place, answer->chunks, chunk);
            status =
                diag_input(answer->file, line_of(answer, element), 0,
                           "the text at '%s' %s '%.*s', that of %.*s with '%.*s': the answer is "
                           "about other chunks, or these in another order",
                           text_paths[i], start > 0 ? "goes on with" : "begins with", shown(theirs),
                           theirs.at, (int)place.len, place.at, shown(ours), ours.at);
            buf_free(&place);
        }
        buf_free(&scratch);
        return status;
    }
    return STATUS_OK;
}

/* Gives the chunk the element's score; null and NaN are missing ones. */
static int take_score(struct answer *answer, struct slice element, struct chunk *chunk)
{
    struct slice value = value_find_written(element, answer->score_path);
    if (value_kind_of(value) == VALUE_ABSENT || !chunk_set_score(chunk, value)) {
        return diag_input(answer->file, line_of(answer, element), 0, "no number at '%s'",
                          answer->score_path);
    }
    bool is_word = value_kind_of(value) == VALUE_STRING && (!chunk->scored || isinf(chunk->value));
    if (is_word) {
        checker_note(answer->checker, REPAIR_NAN, place_of(answer, element));
    }
    answer->count++;
    answer->missing += !chunk->scored;
    return STATUS_OK;
}

/* Notes what was repaired in an element of the document. */
static void note_repairs(struct answer *answer, struct slice element)
{
    unsigned repairs = repair_for_checking(&answer->scratch, element);
    for (unsigned i = 0; i < REPAIRS; i++) {
        if ((repairs & 1u << i) != 0) {
            checker_note(answer->checker, (enum repair)i, place_of(answer, element));
        }
    }
}

static int take_element(struct answer *answer, struct slice element)
{
    struct chunk *chunk = NULL;
    const char *path = answer->index_path != NULL ? answer->index_path : answer->id_path;
    int status = answer->index_path != NULL ? find_by_index(answer, element, &chunk)
                                            : find_by_id(answer, element, &chunk);
    if (status == STATUS_OK) {
        status = check_usable(answer, element, chunk);
    }
    if (status != STATUS_OK) {
        return status;
    }
    size_t place = (size_t)(chunk - answer->chunks->all);
    if (answer->scored[place]) {
        struct slice name = value_find_written(element, path != NULL ? path : "id");
        return diag_input(answer->file, line_of(answer, element), 0, "the %s %.*s is there twice",
                          path != NULL ? path : "id", (int)name.len, name.at);
    }
    answer->scored[place] = true;
    status = check_text(answer, element, chunk);
    return status == STATUS_OK ? take_score(answer, element, chunk) : status;
}

/* A line that cannot be read may have held chunks that were sent and counted. */
static int check_places(const struct answer *answer)
{
    for (size_t i = 0; i < answer->chunks->count; i++) {
        const struct chunk *chunk = &answer->chunks->all[i];
        struct slice line = slice_trim(chunk_line_as_it_came(chunk));
        if (!chunk->is_object && line.len > 0 && line.at[0] == '{') {
            return diag_input(answer->chunks->files[chunk->file].input.name, chunk->line_number, 0,
                              "this line was passed over, but may have been sent: then the places "
                              "in %s are others",
                              answer->file);
        }
    }
    return STATUS_OK;
}

/*
 * The first element decides for all which members they have.  A doc_id that no chunk
 * has as its id is the place that the rerankers library gives by default.
 */
static int settle_members(struct answer *answer, struct slice first)
{
    answer->index_path = first_found(first, index_paths, COUNT(index_paths));
    answer->id_path = first_found(first, id_paths, COUNT(id_paths));
    answer->score_path = first_found(first, score_paths, COUNT(score_paths));
    struct buf error = {0};
    if (answer->score_path == NULL && hint_add_api_error(&error, first)) {
        int status = diag_input(answer->file, line_of(answer, first), 0,
                                "the reranker reports an error: '%.*s'", (int)error.len, error.at);
        buf_free(&error);
        return status;
    }
    if (answer->score_path == NULL) {
        struct buf names = {0};
        add_names(&names, score_paths, COUNT(score_paths));
        int status = diag_input(answer->file, line_of(answer, first), 0,
                                "no %.*s in the first result", (int)names.len, names.at);
        buf_free(&names);
        return status;
    }
    if (answer->index_path != NULL) {
        return check_places(answer);
    }
    note_ids(answer);
    bool by_default = answer->id_path == id_paths[1];
    struct slice id = by_default ? value_find_written(first, answer->id_path) : (struct slice){0};
    if (value_kind_of(id) == VALUE_NUMBER && number_of_id(answer, id) >= answer->id_count) {
        answer->index_path = answer->id_path;
    }
    return STATUS_OK;
}

/* The next result: an element of the list, the whole document, or a line. */
static bool next_element(const struct answer *answer, struct slice *element)
{
    if (answer->list.at != NULL) {
        return value_next_element(answer->list, element);
    }
    if (answer->is_result) {
        bool first = element->at == NULL;
        *element = answer->document;
        return first;
    }
    const char *end = answer->document.at + answer->document.len;
    const char *at = element->at != NULL ? element->at + element->len : answer->document.at;
    while (at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        const char *line_end = feed != NULL ? feed : end;
        *element = slice_trim((struct slice){at, (size_t)(line_end - at)});
        *element = slice_trim(repair_object(*element)); /* of a record separator */
        if (element->len > 0) {
            return true;
        }
        at = line_end + (feed != NULL);
    }
    return false;
}

static int take_elements(struct answer *answer)
{
    struct slice element = {0};
    bool settled = false;
    int status = STATUS_OK;
    while (status == STATUS_OK && next_element(answer, &element)) {
        if (!settled) {
            status = settle_members(answer, element);
            settled = true;
        }
        if (status == STATUS_OK) {
            status = take_element(answer, element);
        }
        if (answer->is_repaired) {
            note_repairs(answer, element);
        }
    }
    return status;
}

/* Of an answer that could be used, but was hardly meant so. */
static void warn(const struct answer *answer)
{
    checker_warn(answer->checker, "results", false);
    if (answer->count > 0 && answer->missing == answer->count) {
        diag_warn("no result in %s has a score, so the order in which the chunks were sent is the "
                  "ranking",
                  answer->file);
    } else if (answer->missing > 0) {
        diag_warn("results without a score, which rank after the others: %zu of %zu",
                  answer->missing, answer->count);
    }
}

/* Chunks that the answer leaves out are dropped, or follow in the order of their own scores. */
static void settle_rest(struct answer *answer, bool keep)
{
    struct chunks *chunks = answer->chunks;
    struct chunk **rest = mem_zeroed(chunks->count, sizeof(struct chunk *));
    size_t count = 0;
    for (size_t i = 0; i < chunks->count; i++) {
        struct chunk *chunk = &chunks->all[i];
        if (chunk->fate == FATE_KEPT && !answer->scored[i]) {
            rest[count++] = chunk;
        }
    }
    ranking_sort(rest, count, chunks->lower_is_better);
    for (size_t i = 0; i < count; i++) {
        rest[i]->fate = keep ? FATE_KEPT : FATE_NOT_RERANKED;
        details_for(&chunks->arena, rest[i])->tie_break = (uint32_t)(chunks->count + i + 1);
        rest[i]->scored = keep ? false : rest[i]->scored;
    }
    free(rest);
}

/* A list in a Markdown fence, as language models write one, without what is around it. */
static struct slice without_fence(struct slice text)
{
    static const char *const fences[] = {"```", "~~~"};
    for (size_t i = 0; i < sizeof fences / sizeof fences[0] && text.len > 0; i++) {
        const char *end = text.at + text.len;
        const char *at = text.at;
        while (at < end && memcmp(at, fences[i], (size_t)(end - at) < 3 ? 1 : 3) != 0) {
            const char *feed = memchr(at, '\n', (size_t)(end - at));
            at = feed != NULL ? feed + 1 : end;
        }
        const char *feed = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        if (feed == NULL || strchr("[{", text.at[0]) != NULL) {
            continue;
        }
        const char *close = feed + 1;
        while (end - close >= 3 && memcmp(close, fences[i], 3) != 0) {
            const char *next = memchr(close, '\n', (size_t)(end - close));
            close = next != NULL ? next + 1 : end;
        }
        close = end - close >= 3 ? close : end;
        return slice_trim((struct slice){feed + 1, (size_t)(close - feed - 1)});
    }
    return text;
}

/* The array of results: the document itself or a member of it; a null slice without one. */
static struct slice find_list(struct slice document)
{
    if (value_kind_of(document) == VALUE_ARRAY) {
        return document;
    }
    for (size_t i = 0; i < COUNT(list_paths); i++) {
        struct slice list = value_find_written(document, list_paths[i]);
        if (value_kind_of(list) == VALUE_ARRAY) {
            return list;
        }
    }
    return (struct slice){0};
}

static bool is_result(struct slice object)
{
    return first_found(object, score_paths, COUNT(score_paths)) != NULL &&
           (first_found(object, index_paths, COUNT(index_paths)) != NULL ||
            first_found(object, id_paths, COUNT(id_paths)) != NULL);
}

static int report_no_list(struct answer *answer)
{
    struct buf error = {0};
    struct buf names = {0};
    add_names(&names, list_paths, COUNT(list_paths));
    int status =
        hint_add_api_error(&error, answer->document)
            ? diag_input(answer->file, line_of(answer, answer->document), 0,
                         "the reranker reports an error: '%.*s'", (int)error.len, error.at)
            : diag_input(answer->file, line_of(answer, answer->document), 0,
                         "no list of results: neither an array nor an object with one as %.*s",
                         (int)names.len, names.at);
    buf_free(&error);
    buf_free(&names);
    return status;
}

/* Finds the results in what is JSON, whole or line by line. */
static int find_results(struct answer *answer)
{
    struct json_checker *checker = answer->checker;
    if (check_is_json(checker, answer->document)) {
        answer->list = find_list(answer->document);
        answer->is_result = answer->list.at == NULL && is_result(answer->document);
        answer->is_repaired = repair_for_checking(&answer->scratch, answer->document) != 0;
        return answer->list.at != NULL || answer->is_result ? STATUS_OK : report_no_list(answer);
    }
    struct slice line = {0};
    bool lines = next_element(answer, &line) && line.len < answer->document.len &&
                 line.at[0] == '{' && check_is_json(checker, line);
    if (!lines) {
        return check_document(checker, answer->document, place_of(answer, answer->document));
    }
    int status = STATUS_OK;
    bool more = true;
    while (status == STATUS_OK && more) {
        unsigned repairs;
        status = check_line(checker, line, place_of(answer, line), &repairs);
        more = next_element(answer, &line);
    }
    return status;
}

static int take_answer(struct answer *answer, bool keep_rest)
{
    struct slice whole = {answer->chunks->answer.bytes, answer->chunks->answer.length};
    answer->document = without_fence(slice_trim(repair_object(whole)));
    if (answer->document.len == 0) {
        return diag_input(answer->file, 1, 0, "the reranker's answer is empty");
    }
    if (answer->document.at[0] == '<') {
        return diag_input(answer->file, 1, 0,
                          "this is a page of HTML or XML, and no reranker's answer");
    }
    int status = find_results(answer);
    if (status == STATUS_OK) {
        note_places(answer);
        status = take_elements(answer);
    }
    if (status == STATUS_OK) {
        settle_rest(answer, keep_rest);
        warn(answer);
    }
    return status;
}

int rescore(struct chunks *chunks, const struct rank_options *options)
{
    int status = input_load(&chunks->answer, options->rescore, false, NULL);
    if (status != STATUS_OK) {
        return status;
    }
    struct json_checker checker;
    checker_open(&checker);
    struct answer answer = {.chunks = chunks,
                            .file = chunks->answer.name,
                            .checker = &checker,
                            .scored = mem_zeroed(chunks->count, sizeof(bool))};
    status = take_answer(&answer, options->rescore_rest == REST_KEEP);
    chunks->lower_is_better = false; /* a reranker's higher score is the better one */
    checker_free(&checker);
    interner_free(&answer.ids);
    buf_free(&answer.scratch);
    buf_free(&answer.key);
    free(answer.by_index);
    free(answer.by_id);
    free(answer.ambiguous);
    free(answer.scored);
    return status;
}
