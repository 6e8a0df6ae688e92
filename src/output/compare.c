/* compare.c: --compare: what became of the chunks, against the report of another run. */
#include <stdlib.h>

#include "output.h"

/* With more chunks than this, each kind of change shows so many. */
#define FEW_CHUNKS 24
#define SHOWN 10

enum change { CAME, WENT, MOVED, OTHER_REASON, CHANGES };

static const char *const headings[CHANGES] = {
    [CAME] = "came",
    [WENT] = "went",
    [MOVED] = "moved",
    [OTHER_REASON] = "left out for another reason",
};

struct comparison {
    const struct chunks *chunks;
    json_t *earlier; /* the chunks of the other run by key, as they are not yet found again */
    json_t *counts;  /* how often a key has come */
    struct buf scratch;
    struct buf sections[CHANGES];
    size_t changed[CHANGES];
    size_t same;
    size_t new_and_left_out;
    size_t gone_and_left_out;
    bool folds;
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/*
 * What a chunk is known by in both runs: its id, else its file and line; where several
 * have it, the first, the second and so on.  To be given to free().
 */
static char *key_of(json_t *counts, const json_t *id, const char *file, json_int_t line)
{
    struct buf key = {0};
    if (json_is_string(id)) {
        char *written = json_dumps(id, JSON_ENCODE_ANY); /* a NUL is none there */
        buf_add_format(&key, "id %s", written != NULL ? written : "");
        free(written);
    } else {
        buf_add_format(&key, "at %s:%lld", file, (long long)line);
    }
    buf_add_byte(&key, '\0');
    json_int_t n = 1 + json_integer_value(json_object_get(counts, key.at));
    tree_set(counts, key.at, json_integer(n));
    key.len--;
    buf_add_format(&key, " %lld", (long long)n);
    buf_add_byte(&key, '\0');
    return key.at;
}

static void index_earlier(struct comparison *c, const json_t *report)
{
    json_t *list = json_object_get(report, "chunks");
    size_t i;
    json_t *chunk;
    json_array_foreach(list, i, chunk)
    {
        json_int_t line = json_integer_value(json_object_get(chunk, "line"));
        char *key = key_of(c->counts, json_object_get(chunk, "id"), text_of(chunk, "file"), line);
        json_object_set(c->earlier, key, chunk);
        free(key);
    }
    json_object_clear(c->counts);
}

static bool was_kept(const json_t *earlier)
{
    return strcmp(text_of(earlier, "fate"), fate_name(FATE_KEPT)) == 0;
}

static size_t old_position(const json_t *earlier)
{
    json_int_t position = json_integer_value(json_object_get(earlier, "position"));
    return position > 0 ? (size_t)position : 0; /* a report that somebody has edited */
}

/* A line of a section, where it is still to be shown. */
static void add_line(struct comparison *c, enum change change, const struct buf *line)
{
    if (c->changed[change]++ < SHOWN || !c->folds) {
        buf_add_string(&c->sections[change], "  ");
        diag_escape(&c->sections[change], buf_slice(line));
        buf_add_byte(&c->sections[change], '\n');
    }
}

static void add_name(struct comparison *c, struct buf *line, const struct chunk *chunk)
{
    if (chunk->id_length > 0) {
        buf_add_slice(line, chunk_id_text(chunk, &c->scratch));
    } else {
        fate_add_place(line, c->chunks, chunk);
    }
}

/* Kept now: it came, it moved, or all is as it was. */
static void look_at_kept(struct comparison *c, const struct chunk *chunk, const json_t *earlier)
{
    struct buf line = {0};
    add_name(c, &line, chunk);
    if (earlier == NULL) {
        buf_add_format(&line, ": at position %zu; was not in the input", chunk->position);
        add_line(c, CAME, &line);
    } else if (!was_kept(earlier)) {
        buf_add_format(&line, ": at position %zu; was left out: %s", chunk->position,
                       text_of(earlier, "why"));
        add_line(c, CAME, &line);
    } else if (old_position(earlier) != chunk->position) {
        buf_add_format(&line, ": from position %zu to %zu", old_position(earlier), chunk->position);
        add_line(c, MOVED, &line);
    } else {
        c->same++;
    }
    buf_free(&line);
}

/* Left out now: it went, it has another reason, or all is as it was. */
static void look_at_dropped(struct comparison *c, const struct chunk *chunk, const json_t *earlier)
{
    struct buf line = {0};
    add_name(c, &line, chunk);
    buf_add_string(&line, ": ");
    fate_describe(&line, c->chunks, chunk);
    if (earlier == NULL) {
        c->new_and_left_out++;
    } else if (was_kept(earlier)) {
        buf_add_format(&line, "; was at position %zu", old_position(earlier));
        add_line(c, WENT, &line);
    } else if (strcmp(text_of(earlier, "fate"), fate_name(chunk->fate)) != 0) {
        buf_add_format(&line, "; was: %s", text_of(earlier, "why"));
        add_line(c, OTHER_REASON, &line);
    } else {
        c->same++;
    }
    buf_free(&line);
}

static void look_at(struct comparison *c, const struct chunk *chunk)
{
    const char *name = c->chunks->files[chunk->file].input.name;
    json_t *file = tree_text(slice_of(name));
    json_t *id = chunk->id_length > 0 ? tree_text(chunk_id_text(chunk, &c->scratch)) : json_null();
    char *key = key_of(c->counts, id, json_string_value(file), (json_int_t)chunk->line_number);
    const json_t *earlier = json_object_get(c->earlier, key);
    if (chunk->fate == FATE_KEPT) {
        look_at_kept(c, chunk, earlier);
    } else {
        look_at_dropped(c, chunk, earlier);
    }
    json_object_del(c->earlier, key);
    free(key);
    json_decref(id);
    json_decref(file);
}

/* What is left of the other run is not in the input any more. */
static void look_at_gone(struct comparison *c)
{
    const char *key;
    json_t *earlier;
    json_object_foreach(c->earlier, key, earlier)
    {
        if (!was_kept(earlier)) {
            c->gone_and_left_out++;
            continue;
        }
        struct buf line = {0};
        if (json_is_string(json_object_get(earlier, "id"))) {
            buf_add_string(&line, text_of(earlier, "id"));
        } else {
            json_int_t number = json_integer_value(json_object_get(earlier, "line"));
            buf_add_format(&line, "%s:%lld", text_of(earlier, "file"), (long long)number);
        }
        buf_add_format(&line, ": is not in the input; was at position %zu", old_position(earlier));
        add_line(c, WENT, &line);
        buf_free(&line);
    }
}

/* They say what is written of a run, and nothing of what is kept. */
static bool only_explains(const char *key)
{
    static const char *const names[] = {"report", "dropped", "explain", "why", "compare", "stats"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(key, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* A fraction, as the report has thresholds, is a number to those who read. */
static void add_value(struct buf *line, const json_t *value)
{
    const json_t *den = json_array_get(value, 1);
    if (json_array_size(value) == 2 && json_is_integer(den) && json_integer_value(den) > 0) {
        double num = (double)json_integer_value(json_array_get(value, 0));
        buf_add_format(line, "%.9g", num / (double)json_integer_value(den));
        return;
    }
    char *written = value != NULL ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    buf_add_string(line, written != NULL ? written : "null");
    free(written);
}

static void add_option(struct buf *out, const char *key, const json_t *now, const json_t *then)
{
    const json_t *none = json_null();
    if (only_explains(key) || json_equal(now != NULL ? now : none, then != NULL ? then : none)) {
        return;
    }
    struct buf line = {0};
    buf_add_string(&line, key);
    for (size_t i = 0; i < line.len; i++) {
        line.at[i] = line.at[i] == '_' ? '-' : line.at[i];
    }
    buf_add_string(&line, ": ");
    add_value(&line, now);
    buf_add_string(&line, "; was ");
    add_value(&line, then);
    buf_add_string(out, "  ");
    diag_escape(out, buf_slice(&line));
    buf_add_byte(out, '\n');
    buf_free(&line);
}

static void add_options(struct buf *out, json_t *now, json_t *then)
{
    struct buf lines = {0};
    const char *key;
    json_t *value;
    json_object_foreach(now, key, value)
    {
        add_option(&lines, key, value, json_object_get(then, key));
    }
    json_object_foreach(then, key, value)
    {
        if (json_object_get(now, key) == NULL) {
            add_option(&lines, key, NULL, value);
        }
    }
    buf_add_string(out, lines.len > 0 ? "other options:\n" : "the same options\n");
    buf_add_slice(out, buf_slice(&lines));
    buf_free(&lines);
}

static void add_sections(struct buf *out, const struct comparison *c)
{
    for (int change = 0; change < CHANGES; change++) {
        size_t n = c->changed[change];
        if (n == 0) {
            continue;
        }
        buf_add_format(out, "%s: %zu\n", headings[change], n);
        buf_add_slice(out, buf_slice(&c->sections[change]));
        if (c->folds && n > SHOWN) {
            buf_add_format(out, "  ... and %zu more\n", n - SHOWN);
        }
    }
    buf_add_format(out, "as it was: %zu", c->same);
    if (c->new_and_left_out > 0) {
        buf_add_format(out, "; new in the input and left out: %zu", c->new_and_left_out);
    }
    if (c->gone_and_left_out > 0) {
        buf_add_format(out, "; gone from the input, left out before: %zu", c->gone_and_left_out);
    }
    buf_add_byte(out, '\n');
}

int compare_load(const char *file, json_t **report)
{
    struct input input;
    int status = input_load(&input, file, false, NULL);
    if (status != STATUS_OK) {
        return status;
    }
    json_error_t error;
    *report = tree_read((struct slice){input.bytes, input.length}, &error);
    free(input.bytes);
    if (*report == NULL) {
        return diag_error(STATUS_INPUT, "%s:%d:%d: not the report of a run: %s", file, error.line,
                          error.column, error.text);
    }
    if (!json_is_array(json_object_get(*report, "chunks"))) {
        const char *failed = text_of(*report, "error");
        return diag_error(STATUS_INPUT, "%s: not a report that has chunks%s%s", file,
                          *failed != '\0' ? ": the run failed: " : "", failed);
    }
    return STATUS_OK;
}

int compare(const struct chunks *chunks, const struct output_options *options, json_t *settings)
{
    struct comparison c = {.chunks = chunks,
                           .earlier = json_object(),
                           .counts = json_object(),
                           .folds = chunks->count > FEW_CHUNKS};
    index_earlier(&c, options->earlier);
    for (size_t i = 0; i < chunks->count; i++) {
        look_at(&c, &chunks->all[i]);
    }
    look_at_gone(&c);
    struct buf out = {0};
    buf_add_string(&out, "against ");
    diag_escape(&out, slice_of(options->compare));
    buf_add_string(&out, ": ");
    tree_set(settings, "lower_is_better", json_boolean(chunks->lower_is_better));
    add_options(&out, settings, json_object_get(options->earlier, "options"));
    add_sections(&out, &c);
    int status = diag_write(buf_slice(&out));
    for (int change = 0; change < CHANGES; change++) {
        buf_free(&c.sections[change]);
    }
    buf_free(&c.scratch);
    buf_free(&out);
    json_decref(c.earlier);
    json_decref(c.counts);
    json_decref(settings);
    return status;
}
