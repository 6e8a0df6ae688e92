/*
 * rescore.c: a reranker's answer in the place of the chunks' own scores.
 *
 * Rerankers answer with an index or id and a score for each text, in a document
 * whose shape differs little from one to the next.  It is checked by jansson; its
 * values are taken from the bytes, so that scores compare to the last digit and
 * ids of any size are what they are.
 */
#include <stdlib.h>

#include "base/base.h"
#include "rank.h"
#include "json/json.h"

static const char *const list_names[] = {"results", "data", "rankings", "rerank", "ranking"};
static const char *const index_names[] = {"index", "corpus_id", "originalIndex"};
static const char *const score_names[] = {"relevance_score", "relevanceScore", "score", "logit"};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* One pass over an answer. */
struct answer {
    struct chunks *chunks;
    const char *file;
    struct slice document;
    const char *index; /* the members that the first element has; NULL: it has an id instead */
    const char *score;
    bool *scored;        /* by chunk: whether the answer has named it */
    struct interner ids; /* of the chunks */
    struct chunk **by_id;
    bool *ambiguous; /* by id: several chunks have it */
    struct buf scratch;
};

static struct slice member(struct slice object, const char *name)
{
    struct slice key = slice_of(name);
    struct path path = {.written = name, .keys = &key, .depth = 1};
    return value_kind_of(object) == VALUE_OBJECT ? value_find(object, &path) : (struct slice){0};
}

/* The first of the names that the object has, or NULL. */
static const char *first_member(struct slice object, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (value_kind_of(member(object, names[i])) != VALUE_ABSENT) {
            return names[i];
        }
    }
    return NULL;
}

/* For messages alone: it looks through the document. */
static size_t line_of(const struct answer *answer, struct slice element)
{
    size_t line = 1;
    const char *at = answer->document.at;
    while ((at = memchr(at, '\n', (size_t)(element.at - at))) != NULL) {
        line++;
        at++;
    }
    return line;
}

/* The array of results: the document itself or a member of it; a null slice without one. */
static struct slice find_list(struct slice document)
{
    struct path whole = {0};
    struct slice value = value_find(document, &whole); /* blanks before it left out */
    if (value_kind_of(value) == VALUE_ARRAY) {
        return value;
    }
    for (size_t i = 0; i < COUNT(list_names); i++) {
        struct slice list = member(value, list_names[i]);
        if (value_kind_of(list) == VALUE_ARRAY) {
            return list;
        }
    }
    return (struct slice){0};
}

static void note_ids(struct answer *answer)
{
    struct chunks *chunks = answer->chunks;
    answer->by_id = mem_zeroed(chunks->count + 1, sizeof(struct chunk *));
    answer->ambiguous = mem_zeroed(chunks->count + 1, sizeof(bool));
    for (size_t i = 0; i < chunks->count; i++) {
        struct chunk *chunk = &chunks->all[i];
        struct slice id = chunk_id_text(chunk, &answer->scratch);
        if (chunk->fate == FATE_KEPT && id.len > 0) {
            uint32_t key = intern_bytes(&answer->ids, id);
            answer->ambiguous[key] = answer->by_id[key] != NULL;
            answer->by_id[key] = chunk;
        }
    }
}

static int find_by_index(struct answer *answer, struct slice element, struct chunk **chunk)
{
    struct slice index = member(element, answer->index);
    enum value_kind kind = value_kind_of(index);
    size_t i;
    if (kind != VALUE_NUMBER) {
        return diag_input(answer->file, line_of(answer, element), 0, "no whole number at '%s'",
                          answer->index);
    }
    if (!number_up_to(index, SIZE_MAX, &i) || i >= answer->chunks->count) {
        enum { SHOWN = 40 };
        return diag_input(answer->file, line_of(answer, element), 0,
                          "the %s %.*s is out of range: there are %zu chunks, counted from 0",
                          answer->index, index.len < SHOWN ? (int)index.len : SHOWN, index.at,
                          answer->chunks->count);
    }
    *chunk = &answer->chunks->all[i];
    return STATUS_OK;
}

static int find_by_id(struct answer *answer, struct slice element, struct chunk **chunk)
{
    struct slice value = member(element, "id");
    enum value_kind kind = value_kind_of(value);
    if (kind != VALUE_STRING && kind != VALUE_NUMBER) {
        return diag_input(answer->file, line_of(answer, element), 0, "neither an index nor an id");
    }
    struct slice id =
        kind == VALUE_STRING ? value_decode(value_inside(value), &answer->scratch) : value;
    size_t known = answer->ids.count;
    uint32_t key = id.len > 0 ? intern_bytes(&answer->ids, id) : 0;
    if (id.len == 0 || key >= known) {
        return diag_input(answer->file, line_of(answer, element), 0, "no chunk has the id '%.*s'%s",
                          (int)id.len, id.at,
                          known == 0 ? "; the chunks have none: --id names the field" : "");
    }
    if (answer->ambiguous[key]) {
        return diag_input(answer->file, line_of(answer, element), 0,
                          "several chunks have the id '%.*s'", (int)id.len, id.at);
    }
    *chunk = answer->by_id[key];
    return STATUS_OK;
}

/* Gives the chunk the element's score; null and NaN are missing ones. */
static int take_score(struct answer *answer, struct slice element, struct chunk *chunk)
{
    struct slice value = member(element, answer->score);
    enum value_kind kind = value_kind_of(value);
    chunk->scored = false;
    chunk->score = (struct slice){0};
    chunk->value = 0;
    if (kind == VALUE_NULL) {
        return STATUS_OK;
    }
    struct slice number = kind == VALUE_STRING ? value_inside(value) : value;
    if ((kind != VALUE_NUMBER && kind != VALUE_STRING) ||
        !number_score(number, kind == VALUE_STRING, &chunk->value)) {
        return diag_input(answer->file, line_of(answer, element), 0, "no number at '%s'",
                          answer->score);
    }
    chunk->score = number;
    chunk->scored = true;
    answer->chunks->scored = true;
    return STATUS_OK;
}

static int take_element(struct answer *answer, struct slice element)
{
    struct chunk *chunk = NULL;
    int status = answer->index != NULL ? find_by_index(answer, element, &chunk)
                                       : find_by_id(answer, element, &chunk);
    if (status != STATUS_OK) {
        return status;
    }
    size_t place = (size_t)(chunk - answer->chunks->all);
    if (answer->scored[place]) {
        struct slice name = member(element, answer->index != NULL ? answer->index : "id");
        return diag_input(answer->file, line_of(answer, element), 0, "the %s %.*s is there twice",
                          answer->index != NULL ? answer->index : "id", (int)name.len, name.at);
    }
    answer->scored[place] = true;
    return take_score(answer, element, chunk);
}

/* The first element decides for all which members they have. */
static int settle_members(struct answer *answer, struct slice first)
{
    answer->index = first_member(first, index_names, COUNT(index_names));
    answer->score = first_member(first, score_names, COUNT(score_names));
    if (answer->score == NULL) {
        return diag_input(answer->file, line_of(answer, first), 0,
                          "no relevance_score, score or logit in the first result");
    }
    if (answer->index == NULL) {
        note_ids(answer);
    }
    return STATUS_OK;
}

static int take_list(struct answer *answer, struct slice list)
{
    struct slice element = {0};
    bool settled = false;
    int status = STATUS_OK;
    answer->chunks->scored = false;
    while (status == STATUS_OK && value_next_element(list, &element)) {
        if (!settled) {
            status = settle_members(answer, element);
            settled = true;
        }
        if (status == STATUS_OK) {
            status = take_element(answer, element);
        }
    }
    return status;
}

static void drop_the_others(struct answer *answer)
{
    for (size_t i = 0; i < answer->chunks->count; i++) {
        struct chunk *chunk = &answer->chunks->all[i];
        if (chunk->fate == FATE_KEPT && !answer->scored[i]) {
            chunk->fate = FATE_NOT_RERANKED;
        }
    }
}

static int take_answer(struct answer *answer)
{
    struct json_checker check;
    checker_open(&check);
    struct location place = {.file = answer->file, .line = 1};
    int status = check_document(&check, answer->document, place);
    if (status == STATUS_OK) {
        struct slice list = find_list(answer->document);
        status = list.at != NULL
                     ? take_list(answer, list)
                     : diag_input(answer->file, 1, 0,
                                  "no list of results: neither an array nor an object with one as "
                                  "results, data, rankings, rerank or ranking");
    }
    checker_free(&check);
    return status;
}

int rescore(struct chunks *chunks, const struct rank_options *options)
{
    int status = input_load(&chunks->answer, options->rescore, false, NULL);
    if (status != STATUS_OK) {
        return status;
    }
    struct answer answer = {
        .chunks = chunks,
        .file = chunks->answer.name,
        .document = repair_object((struct slice){chunks->answer.bytes, chunks->answer.length}),
        .scored = mem_zeroed(chunks->count, sizeof(bool))};
    status = take_answer(&answer);
    if (status == STATUS_OK) {
        drop_the_others(&answer);
    }
    chunks->lower_is_better = options->reversed;
    interner_free(&answer.ids);
    buf_free(&answer.scratch);
    free(answer.by_id);
    free(answer.ambiguous);
    free(answer.scored);
    return status;
}
