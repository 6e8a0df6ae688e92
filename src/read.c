/* read.c: input to chunks; the only file that judges a chunk line's JSON. */
#include <jansson.h>

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "fields.h"
#include "input.h"
#include "mem.h"
#include "number.h"
#include "pipeline.h"
#include "rawjson.h"
#include "utf8.h"
#include "value.h"
#include "vocabulary.h"

/* Where the reader stands, and what it has noticed on the way. */
struct reader {
    struct chunks *chunks;
    const struct options *options;
    struct fields fields;
    struct vocabulary scopes;
    struct buf scope;
    struct buf scratch;
    const char *file;
    uint32_t file_index;
    size_t line_number;
    size_t empty_texts;
    size_t unscored;
};

static bool mentions(const char *error, const char *what)
{
    return strstr(error, what) != NULL;
}

/* Whether the line has the word; what stands after the line does not matter. */
static bool contains(struct slice line, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= line.len; i++) {
        if (memcmp(line.at + i, word, length) == 0) {
            return true;
        }
    }
    return false;
}

/* What the person who made the line may want to know, by the line or by jansson's error. */
static const char *hint_for(struct slice line, const char *error)
{
    const char *at = line.at;
    const char *end = line.at + line.len;
    while (at < end && (*at == ' ' || *at == '\t')) {
        at++;
    }
    bool cut_short = mentions(error, "end of file") && !mentions(error, "end of file expected");
    if (at < end && *at == '[') {
        return "; a JSON array becomes NDJSON by: jq -c '.[]'";
    }
    if (at < end && *at == '{' && cut_short) {
        return "; a pretty-printed document becomes NDJSON by: jq -c .";
    }
    if (end - at >= 5 && memcmp(at, "data:", 5) == 0) {
        return "; server-sent events become NDJSON by: sed -n 's/^data: *//p'";
    }
    if (mentions(error, "near 'NaN'") || mentions(error, "near 'Infinity'") ||
        (mentions(error, "near '-'") && contains(line, "-Infinity"))) {
        return "; JSON has no NaN or Infinity, null is a missing score";
    }
    if (mentions(error, "unable to decode")) {
        return "; the line is not UTF-8, iconv converts it";
    }
    if (mentions(error, "near ','") && mentions(error, "end of file")) {
        return "; one object a line, without commas between them";
    }
    return "";
}

/* jansson's column is where the offending token ends; tokens are quoted in short messages. */
static size_t column_of(const json_error_t *error)
{
    size_t column = error->column > 0 ? (size_t)error->column : 1;
    const char *quote = strstr(error->text, "near '");
    if (quote != NULL) {
        const char *token = quote + strlen("near '");
        const char *last = strrchr(token, '\'');
        size_t length =
            last != NULL ? utf8_length((struct slice){token, (size_t)(last - token)}) : 0;
        column = length > 0 && length <= column ? column - length + 1 : column;
    }
    return column;
}

static int report(struct reader *reader, size_t column, const char *message, const char *hint)
{
    return diag_input(reader->file, reader->line_number, column, "%s%s", message, hint);
}

static int report_json(struct reader *reader, struct slice line, const json_error_t *error)
{
    char message[JSON_ERROR_TEXT_LENGTH + 16];
    snprintf(message, sizeof message, "%s", error->text);
    /* jansson was given a line and calls it a file. */
    char *end = strstr(message, "end of file");
    if (end != NULL) {
        memcpy(end, "end of line", strlen("end of line"));
    }
    return report(reader, column_of(error), message, hint_for(line, error->text));
}

/* Whether jansson takes the line, and it is an object; else reports why not. */
static int judge(struct reader *reader, struct slice line)
{
    if (line.len > INT_MAX) {
        return report(reader, 0, "the line is longer than 2147483647 bytes", "");
    }
    const char *nul = memchr(line.at, '\0', line.len);
    if (nul != NULL) {
        /* jansson would take one after a number for white space. */
        struct slice before = {line.at, (size_t)(nul - line.at)};
        return report(reader, utf8_length(before) + 1, "NUL byte",
                      "; if this is UTF-16, iconv converts it to UTF-8");
    }
    json_error_t error;
    /* Integers as reals, or jansson refuses those beyond 64 bits; none is read from its tree. */
    json_t *tree = json_loadb(line.at, line.len, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &error);
    if (tree == NULL) {
        return report_json(reader, line, &error);
    }
    bool is_object = json_is_object(tree);
    json_decref(tree);
    if (!is_object) {
        return report(reader, 1, "this is an array, not an object", hint_for(line, ""));
    }
    return STATUS_OK;
}

static struct span span_of(struct slice value, struct slice line)
{
    return (struct span){(uint32_t)(value.at - line.at), (uint32_t)value.len};
}

static int take_text(struct reader *reader, struct slice line, struct chunk *chunk)
{
    struct slice value = rawjson_find(line, &reader->fields.text);
    enum raw_kind kind = rawjson_kind(value);
    const char *written = reader->fields.text.written;
    if (kind == RAW_ABSENT || kind == RAW_NULL) {
        return diag_input(reader->file, reader->line_number, 0, "no text at '%s'%s", written,
                          reader->options->text.depth > 0 ? "" : "; --text names another field");
    }
    if (kind != RAW_STRING) {
        return diag_input(reader->file, reader->line_number, 0,
                          "the text at '%s' is not a string; --text names another field", written);
    }
    chunk->text = span_of(rawjson_inside(value), line);
    return STATUS_OK;
}

static int take_score(struct reader *reader, struct slice line, struct chunk *chunk)
{
    struct slice value = rawjson_find(line, &reader->fields.score);
    enum raw_kind kind = rawjson_kind(value);
    if (reader->fields.score.depth == 0 || kind == RAW_ABSENT || kind == RAW_NULL) {
        return STATUS_OK; /* missing, which is not zero */
    }
    bool is_string = kind == RAW_STRING;
    struct slice number = is_string ? rawjson_inside(value) : value;
    if ((kind != RAW_NUMBER && !is_string) || !number_json(number, &chunk->value)) {
        enum { SHOWN = 40 };
        bool all = value.len <= SHOWN;
        return diag_input(reader->file, reader->line_number, 0,
                          "the score at '%s' is %.*s%s, not a finite number; --score names another "
                          "field",
                          reader->fields.score.written, all ? (int)value.len : SHOWN, value.at,
                          all ? "" : "...");
    }
    chunk->score = span_of(number, line);
    chunk->scored = true;
    return STATUS_OK;
}

static void take_id(struct reader *reader, struct slice line, struct chunk *chunk)
{
    if (reader->fields.id.depth == 0) {
        return;
    }
    struct slice value = rawjson_find(line, &reader->fields.id);
    enum raw_kind kind = rawjson_kind(value);
    if (kind == RAW_STRING) {
        chunk->id = span_of(rawjson_inside(value), line);
    } else if (kind == RAW_NUMBER) {
        chunk->id = span_of(value, line);
    }
}

/* --tokens: a chunk's own count; there is none to fall back to. */
static int take_tokens(struct reader *reader, struct slice line, struct chunk *chunk)
{
    const struct path *path = &reader->options->tokens;
    if (path->depth == 0) {
        return STATUS_OK;
    }
    struct slice value = rawjson_find(line, path);
    if (rawjson_kind(value) != RAW_NUMBER || !number_up_to(value, SIZE_MAX, &chunk->tokens)) {
        return diag_input(reader->file, reader->line_number, 0,
                          "no number of tokens at '%s': a whole number from 0 up is needed",
                          path->written);
    }
    return STATUS_OK;
}

/* --strict-template: what the chunk's template names must be there. */
static int check_members(struct reader *reader, struct slice line)
{
    const struct template *template = &reader->options->chunk_template;
    for (size_t i = 0; i < template->count && reader->options->strict_template; i++) {
        const struct template_part *part = &template->parts[i];
        if (part->slot == SLOT_MEMBER && !value_is_there(rawjson_find(line, &part->member))) {
            return diag_input(reader->file, reader->line_number, 0,
                              "nothing at '%s', which the template names", part->member.written);
        }
    }
    return STATUS_OK;
}

/*
 * Numbers the values of --dedup-field together.  Strings count as what they
 * say, all else as it is written; a missing field is a value of its own.
 */
static void take_scope(struct reader *reader, struct slice line, struct chunk *chunk)
{
    const struct options *options = reader->options;
    struct buf *scope = &reader->scope;
    scope->len = 0;
    for (size_t i = 0; i < options->dedup_field_count; i++) {
        struct slice value = rawjson_find(line, &options->dedup_fields[i]);
        enum raw_kind kind = rawjson_kind(value);
        if (kind == RAW_STRING) {
            value = rawjson_decode(rawjson_inside(value), &reader->scratch);
        }
        buf_add(scope, &kind, sizeof kind);
        buf_add(scope, &value.len, sizeof value.len);
        buf_add_slice(scope, value);
    }
    if (scope->len > 0) {
        chunk->scope = vocabulary_bytes_id(&reader->scopes, buf_slice(scope));
    }
}

/* Fills the chunk from its line; a status other than STATUS_OK means an unusable line. */
static int take_fields(struct reader *reader, struct slice line, struct chunk *chunk)
{
    int status = judge(reader, line);
    if (status != STATUS_OK) {
        return status;
    }
    bool settled_before = reader->fields.settled;
    if (!fields_settle(&reader->fields, line, reader->options)) {
        return report(reader, 0, "no text field found", "; --text=PATH names it");
    }
    status = take_text(reader, line, chunk);
    if (status == STATUS_OK) {
        status = take_score(reader, line, chunk);
    }
    if (status == STATUS_OK) {
        status = take_tokens(reader, line, chunk);
    }
    if (status == STATUS_OK) {
        status = check_members(reader, line);
    }
    if (status == STATUS_OK) {
        take_id(reader, line, chunk);
        take_scope(reader, line, chunk);
    } else if (!settled_before) {
        fields_free(&reader->fields); /* an unusable line decides nothing */
    }
    return status;
}

static bool is_blank(struct slice line)
{
    for (size_t i = 0; i < line.len; i++) {
        if (line.at[i] != ' ' && line.at[i] != '\t' && line.at[i] != '\r') {
            return false;
        }
    }
    return true;
}

static int read_line(struct reader *reader, struct slice line)
{
    if (is_blank(line)) {
        return STATUS_OK;
    }
    struct chunk *chunk = chunks_add(reader->chunks);
    chunk->line = line.at;
    chunk->length = (uint32_t)line.len;
    chunk->file = reader->file_index;
    chunk->line_number = reader->line_number;
    int status = take_fields(reader, line, chunk);
    if (status != STATUS_OK) {
        chunk->fate = FATE_INVALID;
        return reader->options->skip_invalid ? STATUS_OK : status;
    }
    if (chunk->text.len == 0) {
        chunk->fate = FATE_INVALID;
        reader->empty_texts++;
        return STATUS_OK;
    }
    reader->unscored += !chunk->scored;
    reader->chunks->scored |= chunk->scored;
    return STATUS_OK;
}

static int read_file(struct reader *reader, const char *operand)
{
    struct chunks *chunks = reader->chunks;
    struct input *input = &chunks->files[chunks->file_count];
    int status = input_load(input, operand, !reader->options->skip_invalid);
    if (status != STATUS_OK) {
        return status;
    }
    reader->file = input->name;
    reader->file_index = (uint32_t)chunks->file_count++;
    struct line_reader lines = {.input = input};
    struct slice line;
    while (status == STATUS_OK && input_next_line(&lines, &line)) {
        reader->line_number = lines.number;
        status = read_line(reader, line);
    }
    return status;
}

/* What the user should know of an input that is good but not quite what was expected. */
static void warn(const struct reader *reader)
{
    const struct chunks *chunks = reader->chunks;
    size_t usable = chunks->count - chunks_with_fate(chunks, FATE_INVALID);
    if (reader->empty_texts > 0) {
        diag_warn("chunks left out because their text is empty: %zu", reader->empty_texts);
    }
    const char *score = reader->fields.score.written;
    if (usable > 0 && score == NULL) {
        diag_warn("the first chunk has no score that is known by its name, so the input's order is "
                  "the ranking; --score names the field");
    } else if (usable > 0 && reader->unscored == usable) {
        diag_warn("no chunk has a score at '%s', so the input's order is the ranking", score);
    } else if (reader->unscored > 0) {
        diag_warn("chunks without a score, which rank last: %zu of %zu", reader->unscored, usable);
    }
    if (chunks->lower_is_better && reader->options->direction == DIRECTION_BY_FIELD) {
        diag_warn("the score is '%s', so lower is better; --higher-is-better says otherwise",
                  score);
    }
}

int read_chunks(struct chunks *chunks, const struct options *options)
{
    /* jansson goes on with a wrong parse when an allocation fails: none may return NULL. */
    json_set_alloc_funcs(mem_alloc, free);
    if (options->reads_terminal && isatty(STDIN_FILENO)) {
        diag_warn("reading chunks from the terminal: one JSON object a line, end with Ctrl-D");
    }
    struct reader reader = {.chunks = chunks, .options = options};
    chunks->files = mem_zeroed(options->file_count, sizeof *chunks->files);
    int status = STATUS_OK;
    for (size_t i = 0; i < options->file_count && status == STATUS_OK; i++) {
        status = read_file(&reader, options->files[i]);
    }
    chunks->lower_is_better = fields_lower_is_better(&reader.fields, options);
    if (status == STATUS_OK) {
        warn(&reader);
    }
    fields_free(&reader.fields);
    vocabulary_free(&reader.scopes);
    buf_free(&reader.scope);
    buf_free(&reader.scratch);
    return status;
}
