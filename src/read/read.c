/* read.c: see read.h. */
#include "read.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advice.h"
#include "base/base.h"
#include "fields.h"
#include "reader.h"
#include "response.h"
#include "json/json.h"

/* The names under which a line says which query it is for. */
static const char *const query_names[QUERY_NAMES] = {"qid", "query_id", "question_id", "query",
                                                     "question"};

static struct location place_of(const struct reader *reader)
{
    return (struct location){reader->file, reader->line_number, reader->cut_short,
                             reader->options->skip_invalid};
}

/* What the input's chunks are in a message. */
static const char *lines_of(const struct reader *reader)
{
    return reader->options->has_items ? "elements" : "lines";
}

static struct span span_of(struct slice value, struct slice line)
{
    return (struct span){(uint32_t)(value.at - line.at), (uint32_t)value.len};
}

static int take_text(struct reader *reader, struct slice line, struct chunk *chunk)
{
    struct slice value = value_find(line, &reader->fields.text);
    enum value_kind kind = value_kind_of(value);
    const char *written = reader->fields.text.written;
    if (kind == VALUE_NULL) {
        return STATUS_OK; /* as an empty one: there is a place for it */
    }
    if (kind == VALUE_ABSENT) {
        return diag_input(reader->file, reader->line_number, 0, "no text at '%s'%s", written,
                          reader->options->text.depth > 0 ? "" : "; --text names another field");
    }
    if (kind != VALUE_STRING) {
        return diag_input(reader->file, reader->line_number, 0,
                          "the text at '%s' is not a string; --text names another field", written);
    }
    chunk->text = span_of(value_inside(value), line);
    return STATUS_OK;
}

static int take_score(struct reader *reader, struct slice line, struct chunk *chunk)
{
    struct slice value = value_find(line, &reader->fields.score);
    if (reader->options->scores_replaced || reader->fields.score.depth == 0) {
        return STATUS_OK;
    }
    if (!chunk_set_score(chunk, value)) {
        enum { SHOWN = 40 };
        bool all = value.len <= SHOWN;
        return diag_input(reader->file, reader->line_number, 0,
                          "the score at '%s' is %.*s%s, not a finite number; --score names another "
                          "field",
                          reader->fields.score.written, all ? (int)value.len : SHOWN, value.at,
                          all ? "" : "...");
    }
    bool is_word = value_kind_of(value) == VALUE_STRING && (!chunk->scored || isinf(chunk->value));
    if (is_word) {
        checker_note(&reader->checker, REPAIR_NAN, place_of(reader));
    }
    return STATUS_OK;
}

/* Ids that differ in bytes that are not UTF-8 differ: they are of the line as it came. */
static void take_id(struct reader *reader, struct slice line, struct chunk *chunk)
{
    if (reader->fields.id.depth == 0) {
        return;
    }
    struct slice value = value_find(line, &reader->fields.id);
    enum value_kind kind = value_kind_of(value);
    if (kind == VALUE_ABSENT && reader->options->ids_matter && reader->options->id.depth == 0) {
        value = fields_find_id(line);
        kind = value_kind_of(value);
    }
    if (kind == VALUE_STRING) {
        value = value_inside(value);
    }
    if (kind == VALUE_STRING || kind == VALUE_NUMBER) {
        chunk->id_at = (uint32_t)(value.at - chunk_line_as_it_came(chunk).at);
        chunk->id_length = (uint32_t)value.len;
    }
}

/* --tokens: a chunk's own count; there is none to fall back to. */
static int take_tokens(struct reader *reader, struct slice line, struct chunk *chunk)
{
    const struct path *path = &reader->options->tokens;
    if (path->depth == 0) {
        return STATUS_OK;
    }
    struct slice value = value_find(line, path);
    if (value_kind_of(value) != VALUE_NUMBER || !number_up_to(value, SIZE_MAX, &chunk->tokens)) {
        return diag_input(reader->file, reader->line_number, 0,
                          "no number of tokens at '%s': a whole number from 0 up is needed",
                          path->written);
    }
    return STATUS_OK;
}

/* --strict-template: what the chunk's template names must be there. */
static int check_required(struct reader *reader, struct slice object, struct chunk *chunk)
{
    const struct read_options *options = reader->options;
    (void)chunk;
    for (size_t i = 0; i < options->required_count; i++) {
        if (!value_is_present(value_find(object, options->required[i]))) {
            return diag_input(reader->file, reader->line_number, 0,
                              "nothing at '%s', which the template names",
                              options->required[i]->written);
        }
    }
    return STATUS_OK;
}

/* --annotate: a second member of that name would hide the first, or be hidden by it. */
static int check_absent(struct reader *reader, struct slice object, struct chunk *chunk)
{
    const char *absent = reader->options->absent;
    struct slice key = slice_of(absent != NULL ? absent : "");
    struct path path = {.keys = &key, .depth = 1};
    (void)chunk;
    if (absent == NULL || value_kind_of(value_find(object, &path)) == VALUE_ABSENT) {
        return STATUS_OK;
    }
    return diag_input(reader->file, reader->line_number, 0,
                      "there is a member '%s' already; --annotate=KEY names another", absent);
}

typedef int take_function(struct reader *reader, struct slice object, struct chunk *chunk);

/* What makes a chunk, and why it is none where that is missing. */
static const struct {
    take_function *take;
    const char *reason;
} steps[] = {
    {take_text, "no text"},
    {take_score, "the score is no number"},
    {take_tokens, "no number of tokens"},
    {check_required, "lacks a member of the template"},
    {check_absent, "has the member that --annotate adds"},
};

/*
 * Gives the chunk an object of its own to be read, where what was repaired asks for that.
 * What is to be written is made of the line when it is written: there may be millions.
 */
static void store_repaired(struct chunks *chunks, struct chunk *chunk, unsigned repairs,
                           struct buf *scratch)
{
    const unsigned read = 1u << REPAIR_UTF8 | 1u << REPAIR_SEPARATOR | 1u << REPAIR_MARK;
    const unsigned written = 1u << REPAIR_NAN | 1u << REPAIR_MARK;
    chunk->is_rewritten = (repairs & written) != 0;
    if ((repairs & read) != 0) {
        repair_for_reading(scratch, chunk_line_as_it_came(chunk));
        chunk_set_object(&chunks->arena, chunk, buf_slice(scratch));
    }
}

/* An element that is no object is JSON all the same, and has other remedies than a line. */
static int check_element(struct reader *reader, struct slice element)
{
    if (reader->document == NULL || value_kind_of(element) == VALUE_OBJECT) {
        return STATUS_OK;
    }
    struct buf words = {0};
    advice_add_no_object(&words, reader->document, element, !reader->options->skip_invalid);
    int status = diag_input(reader->file, reader->line_number, 0, "%.*s", (int)words.len, words.at);
    buf_free(&words);
    return status;
}

static int refuse_without_text(struct reader *reader, struct slice object)
{
    struct buf hint = {0};
    if (reader->document != NULL) {
        advice_add_no_text(&hint, reader->document, object);
    } else {
        response_add_hint(&hint, object);
    }
    int status = diag_input(reader->file, reader->line_number, 0, "no text field found%.*s",
                            (int)hint.len, hint.at);
    buf_free(&hint);
    return status;
}

/* Fills the chunk from its line; a status other than STATUS_OK means an unusable line, and why. */
static int take_fields(struct reader *reader, struct slice line, struct chunk *chunk,
                       const char **reason)
{
    unsigned repairs;
    *reason = "not a JSON object";
    int status = check_element(reader, line);
    if (status == STATUS_OK) {
        status = check_line(&reader->checker, line, place_of(reader), &repairs);
    }
    if (status != STATUS_OK) {
        return status;
    }
    chunk->is_object = true;
    struct slice as_it_came = line;
    if (repairs != 0) {
        as_it_came = repair_object(line);
        store_repaired(reader->chunks, chunk, repairs, &reader->scratch);
        line = chunk_object(chunk);
    }
    bool settled_before = reader->fields.settled;
    bool id_before = reader->fields.id.depth > 0;
    if (!fields_settle(&reader->fields, line, reader->options)) {
        *reason = "no text";
        return refuse_without_text(reader, line);
    }
    if (reader->options->ids_matter) {
        fields_settle_id(&reader->fields, line, reader->options);
    }
    take_id(reader, as_it_came, chunk);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && status == STATUS_OK; i++) {
        *reason = steps[i].reason;
        status = steps[i].take(reader, line, chunk);
    }
    if (status != STATUS_OK) {
        fields_unsettle(&reader->fields, settled_before, id_before);
    }
    return status;
}

/* Whether what is complained of is the first of its kind. */
static bool note_complaint(struct reader *reader, const char *reason)
{
    size_t i = 0;
    while (i + 1 < MOST_REASONS && reader->complaints[i].count > 0 &&
           reader->complaints[i].reason != reason) {
        i++;
    }
    struct complaints *complaints = &reader->complaints[i];
    complaints->reason = reason;
    complaints->first = complaints->count == 0 ? place_of(reader) : complaints->first;
    return complaints->count++ == 0;
}

/* What a value says, numbers in one spelling: 7 and "7" are one query. */
static void add_words(struct buf *out, struct slice value)
{
    struct buf scratch = {0};
    if (value_kind_of(value) == VALUE_NUMBER) {
        number_add_canonical(out, value);
    } else {
        buf_add_slice(out, value_decode(value_inside(value), &scratch));
    }
    buf_free(&scratch);
}

static bool is_same_query(struct slice a, struct slice b)
{
    struct buf first = {0};
    struct buf second = {0};
    bool same = slice_equal(a, b);
    if (!same) {
        add_words(&first, a);
        add_words(&second, b);
        same = slice_equal(buf_slice(&first), buf_slice(&second));
        buf_free(&first);
        buf_free(&second);
    }
    return same;
}

/* Compares what the line says of its query with what the first one said. */
static void note_query(struct reader *reader, struct slice object)
{
    struct query *query = &reader->query;
    for (size_t i = 0; i < QUERY_NAMES; i++) {
        struct slice key = slice_of(query_names[i]);
        struct path path = {.keys = &key, .depth = 1};
        if (query->settled && query->values[i].at == NULL) {
            continue;
        }
        struct slice value = value_find(object, &path);
        enum value_kind kind = value_kind_of(value);
        if (kind != VALUE_STRING && kind != VALUE_NUMBER) {
            continue;
        }
        if (!query->settled) {
            query->values[i] = value;
        } else if (!is_same_query(value, query->values[i]) && query->others++ == 0) {
            query->other = place_of(reader);
            query->other_name = query_names[i];
        }
    }
    query->first = query->settled ? query->first : place_of(reader);
    query->settled = true;
}

static bool is_blank(struct slice line)
{
    line = repair_object(line);
    for (size_t i = 0; i < line.len; i++) {
        if (line.at[i] != ' ' && line.at[i] != '\t' && line.at[i] != '\r') {
            return false;
        }
    }
    return true;
}

/* What stands there is no chunk, for that reason. */
static void set_invalid(struct reader *reader, struct chunk *chunk, const char *reason)
{
    chunk->fate = FATE_INVALID;
    details_for(&reader->chunks->arena, chunk)->reason = reason;
}

int reader_pass_over(struct reader *reader, struct chunk *chunk, const char *reason, size_t held)
{
    set_invalid(reader, chunk, reason);
    chunk->is_empty = false;
    if (!reader->options->skip_invalid) {
        diag_release(held, true);
        return STATUS_INPUT;
    }
    diag_release(held, note_complaint(reader, reason) && !diag_is_quiet());
    return STATUS_OK;
}

struct tally reader_tally(const struct reader *reader)
{
    struct tally tally = {.usable = reader->usable,
                          .empty_texts = reader->empty_texts,
                          .unscored = reader->unscored,
                          .settled = reader->fields.settled,
                          .id_settled = reader->fields.id.depth > 0};
    for (size_t i = 0; i < REPAIRS; i++) {
        tally.repairs[i] = reader->checker.repairs[i].count;
    }
    for (size_t i = 0; i < MOST_REASONS; i++) {
        tally.complaints[i] = reader->complaints[i].count;
    }
    return tally;
}

void reader_uncount(struct reader *reader, const struct tally *before)
{
    reader->usable = before->usable;
    reader->empty_texts = before->empty_texts;
    reader->unscored = before->unscored;
    fields_unsettle(&reader->fields, before->settled, before->id_settled);
}

void reader_untake(struct reader *reader, const struct tally *before)
{
    reader->chunks->count--;
    reader_uncount(reader, before);
    for (size_t i = 0; i < REPAIRS; i++) {
        reader->checker.repairs[i].count = before->repairs[i];
    }
    for (size_t i = 0; i < MOST_REASONS; i++) {
        reader->complaints[i].count = before->complaints[i];
    }
}

int reader_take(struct reader *reader, struct slice line)
{
    if (is_blank(line)) {
        return STATUS_OK;
    }
    struct chunk *chunk = chunks_add(reader->chunks);
    chunk->line = line.at;
    chunk->length = (uint32_t)line.len;
    chunk->file = reader->file_index;
    chunk->line_number = reader->line_number;
    const char *reason;
    size_t held = diag_hold();
    if (take_fields(reader, line, chunk, &reason) != STATUS_OK) {
        return reader_pass_over(reader, chunk, reason, held);
    }
    diag_release(held, true);
    if (reader->one_query) {
        note_query(reader, chunk_object(chunk));
    }
    if (chunk->text.len == 0) {
        set_invalid(reader, chunk, "empty text");
        chunk->is_empty = true;
        reader->empty_texts++;
        return STATUS_OK;
    }
    reader->usable++;
    reader->unscored += !chunk->scored;
    return STATUS_OK;
}

int reader_take_element(struct reader *reader, const struct document *document,
                        struct slice element)
{
    size_t count = reader->chunks->count;
    reader->file =
        document_element_name(&reader->names, document->file, document->path, document->taken);
    reader->line_number = document->line;
    reader->document = document;
    int status = reader_take(reader, document_line(&reader->chunks->arena, element));
    reader->document = NULL;
    if (reader->chunks->count > count) {
        reader->chunks->all[count].line_number = document->taken + 1;
    }
    return status;
}

/*
 * Retrievers print best first.  Scores that get better from line to line, with three
 * distinct ones at least, are the free sign of a direction taken the wrong way round.
 */
static bool comes_reversed(const struct chunks *chunks, size_t start, bool lower_is_better)
{
    const struct chunk *before = NULL;
    size_t distinct = 0;
    for (size_t i = start; i < chunks->count; i++) {
        const struct chunk *chunk = &chunks->all[i];
        if (chunk->fate != FATE_KEPT || !chunk->scored) {
            continue;
        }
        int order = before == NULL ? 1
                    : chunk->value != before->value
                        ? (chunk->value > before->value) - (chunk->value < before->value)
                        : number_compare(chunk_score(chunk), chunk_score(before));
        if (before != NULL && (lower_is_better ? order > 0 : order < 0)) {
            return false;
        }
        distinct += order != 0;
        before = chunk;
    }
    return distinct >= 3;
}

static void warn_of_reversal(const struct reader *reader, size_t start, const char *where,
                             bool lower)
{
    if (reader->options->direction == DIRECTION_BY_FIELD &&
        comes_reversed(reader->chunks, start, lower)) {
        const char *other = lower ? "higher-is-better" : "lower-is-better";
        diag_warn("the scores%s %s from line to line, so the list seems to be best first and %s to "
                  "be better: --%s ranks it so, --%s-is-better says that it is right",
                  where, lower ? "fall" : "rise", lower ? "higher" : "lower",
                  reader->options->separate_lists ? "as-they-come" : other,
                  lower ? "lower" : "higher");
    }
}

static void warn_of_direction(const struct reader *reader, const char *where, bool lower)
{
    if (lower && reader->options->direction == DIRECTION_BY_FIELD) {
        diag_warn("the score%s is '%s', so lower is better; --higher-is-better says otherwise",
                  where, reader->fields.score.written);
    }
}

/* Names the numbers that are there. */
static void warn_of_no_score(const char *of, const char *list, const struct chunk *chunk,
                             const char *what)
{
    struct buf numbers = {0};
    bool any = chunk != NULL && response_add_paths(&numbers, chunk_object(chunk), VALUE_NUMBER);
    diag_warn(
        "the first chunk%s%s has no score that is known by its name, so %s; --score names the "
        "field%s%.*s",
        of, list, what, any ? ": numbers are at " : "", any ? (int)numbers.len : 0,
        any ? numbers.at : "");
    buf_free(&numbers);
}

static const struct chunk *first_usable(const struct chunks *chunks, size_t start)
{
    size_t i = start;
    while (i < chunks->count && chunks->all[i].fate != FATE_KEPT) {
        i++;
    }
    return i < chunks->count ? &chunks->all[i] : NULL;
}

/* A list of --fuse without scores is ranked, but not by what the user may think. */
static void warn_of_list(const struct reader *reader, const struct file *file)
{
    const struct chunks *chunks = reader->chunks;
    size_t usable = 0;
    size_t scored = 0;
    for (size_t i = file->first_chunk; i < chunks->count; i++) {
        usable += chunks->all[i].fate == FATE_KEPT;
        scored += chunks->all[i].fate == FATE_KEPT && chunks->all[i].scored;
    }
    if (usable > 0 && scored == 0 && reader->fields.score.depth > 0) {
        diag_warn("no chunk of %s has a score at '%s', so its lines' order is its ranking",
                  file->input.name, reader->fields.score.written);
    } else if (usable > 0 && scored == 0) {
        warn_of_no_score(" of ", file->input.name, first_usable(chunks, file->first_chunk),
                         "its lines' order is its ranking");
    }
}

void reader_open(struct reader *reader, struct chunks *chunks, const struct read_options *options)
{
    *reader = (struct reader){.chunks = chunks, .options = options, .one_query = true};
    checker_open(&reader->checker);
}

void reader_close(struct reader *reader)
{
    fields_free(&reader->fields);
    checker_free(&reader->checker);
    buf_free(&reader->scratch);
    arena_free(&reader->names);
}

/* --items: each element of an array in the document is a chunk. */
static int read_document(struct reader *reader, struct input *input)
{
    const struct path *path = &reader->options->items;
    const char *file = input->name;
    struct document document;
    int status = document_open(&document, &reader->checker, input, path);
    if (status != STATUS_OK) {
        return status;
    }
    input->name = document_name(&reader->chunks->arena, file, path);
    struct slice element;
    while (status == STATUS_OK && document_next(&document, &element)) {
        status = reader_take_element(reader, &document, element);
        document_take(&document, element);
    }
    return status;
}

static int read_lines(struct reader *reader, const struct input *input)
{
    int status = STATUS_OK;
    struct line_reader lines = {.input = input};
    struct slice line;
    while (status == STATUS_OK && input_next_line(&lines, &line)) {
        reader->line_number = lines.number;
        reader->cut_short = line.at + line.len == input->bytes + input->length;
        status = reader_take(reader, line);
    }
    return status;
}

static int read_file(struct reader *reader, const char *operand)
{
    struct chunks *chunks = reader->chunks;
    struct file *file = &chunks->files[chunks->file_count];
    struct input *input = &file->input;
    progress_open(&reader->progress, !reader->options->no_progress);
    bool stop_at_nul = !reader->options->skip_invalid || reader->options->has_items;
    int status = input_load(input, operand, stop_at_nul, &reader->progress);
    progress_close(&reader->progress);
    if (status != STATUS_OK) {
        return status;
    }
    reader->file = input->name;
    reader->file_index = (uint32_t)chunks->file_count++;
    file->first_chunk = chunks->count;
    if (reader->options->separate_lists) {
        fields_free(&reader->fields); /* each list has its own */
    }
    file->is_document = reader->options->has_items;
    status = file->is_document ? read_document(reader, input) : read_lines(reader, input);
    file->lower_is_better = fields_lower_is_better(&reader->fields, reader->options);
    file->fields = (struct field_names){reader->fields.text.written, reader->fields.score.written,
                                        reader->fields.id.written};
    if (status == STATUS_OK && reader->options->separate_lists &&
        !reader->options->scores_unasked) {
        struct buf where = {0};
        buf_add_format(&where, " of %s", input->name);
        buf_add_byte(&where, '\0');
        warn_of_direction(reader, where.at, file->lower_is_better);
        warn_of_reversal(reader, file->first_chunk, where.at, file->lower_is_better);
        buf_free(&where);
        warn_of_list(reader, file);
    }
    return status;
}

static void warn_of_scores(const struct reader *reader, size_t usable)
{
    const char *score = reader->fields.score.written;
    if (usable > 0 && score == NULL) {
        warn_of_no_score("", "", first_usable(reader->chunks, 0),
                         "the input's order is the ranking");
    } else if (usable > 0 && reader->unscored == usable) {
        diag_warn("no chunk has a score at '%s', so the input's order is the ranking", score);
    } else if (reader->unscored > 0) {
        diag_warn("chunks without a score, which rank last: %zu of %zu", reader->unscored, usable);
    }
    warn_of_direction(reader, "", reader->chunks->lower_is_better);
    warn_of_reversal(reader, 0, "", reader->chunks->lower_is_better);
}

static void warn_of_query(const struct reader *reader)
{
    const struct query *query = &reader->query;
    if (query->others > 0) {
        diag_warn("the %s are for several queries, but are ranked as one: '%s' at %s:%zu is "
                  "another than at %s:%zu",
                  lines_of(reader), query->other_name, query->other.file, query->other.line,
                  query->first.file, query->first.line);
    }
}

static void warn_of_complaints(const struct reader *reader)
{
    for (size_t i = 0; i < MOST_REASONS; i++) {
        const struct complaints *complaints = &reader->complaints[i];
        if (complaints->count > 1) {
            diag_warn("%s passed over, %s: %zu, the first at %s:%zu", lines_of(reader),
                      complaints->reason, complaints->count, complaints->first.file,
                      complaints->first.line);
        }
    }
}

void reader_warn(const struct reader *reader)
{
    if (reader->empty_texts > 0) {
        diag_warn("chunks left out because their text is empty or null: %zu", reader->empty_texts);
    }
    checker_warn(&reader->checker, lines_of(reader), true);
    warn_of_complaints(reader);
    warn_of_query(reader);
    if (!reader->options->scores_unasked && !reader->options->separate_lists) {
        warn_of_scores(reader, reader->usable);
    }
}

void reader_greet(const struct read_options *options)
{
    if (options->awaits_terminal && isatty(STDIN_FILENO) == 1) {
        diag_warn("reading chunks from the terminal: one JSON object a line, such as "
                  "{\"text\": \"...\", \"score\": 0.9}, then Ctrl-D; edgefold --help says "
                  "more");
    }
}

int read_chunks(struct chunks *chunks, const struct read_options *options)
{
    reader_greet(options);
    struct reader reader;
    reader_open(&reader, chunks, options);
    chunks->files = mem_zeroed(options->file_count, sizeof *chunks->files);
    int status = STATUS_OK;
    for (size_t i = 0; i < options->file_count && status == STATUS_OK; i++) {
        status = read_file(&reader, options->files[i]);
    }
    chunks->lower_is_better = fields_lower_is_better(&reader.fields, options);
    if (status == STATUS_OK) {
        reader_warn(&reader);
    }
    reader_close(&reader);
    return status;
}
