/* report.c: --report: what became of every chunk, as one JSON document. */
#include <jansson.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "fate.h"
#include "pipeline.h"
#include "tokens/tokens.h"

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

/* A string; what is not UTF-8, in a file's name or an id, becomes U+FFFD. */
static json_t *text(struct slice slice)
{
    struct buf repaired = {0};
    utf8_add_repaired(&repaired, slice);
    json_t *string = json_stringn(repaired.at != NULL ? repaired.at : "", repaired.len);
    buf_free(&repaired);
    return string;
}

static json_t *number(size_t n)
{
    return json_integer(n <= INT64_MAX ? (json_int_t)n : INT64_MAX);
}

/* A limit that is not in force is null. */
static json_t *limit(size_t n)
{
    return n > 0 ? number(n) : json_null();
}

static json_t *path(const struct path *path)
{
    return path->depth > 0 ? text(slice_of(path->written)) : json_null();
}

static json_t *name(const char *string)
{
    return string != NULL ? text(slice_of(string)) : json_null();
}

static json_t *options_of(const struct chunks *chunks, const struct options *options)
{
    static const char *const fits[] = {"prefix", "skip", "truncate"};
    static const char *const formats[] = {"ndjson", "xml", "numbered", "markdown", "pipe", "plain"};
    static const char *const layouts[] = {"fold",  "fold-last", "rank", "reverse",
                                          "input", "langchain", "edges"};
    static const char *const similarities[] = {"jaccard", "containment"};
    json_t *object = json_object();
    set(object, "format", json_string(formats[options->format]));
    set(object, "layout", json_string(layouts[options->layout]));
    set(object, "edges", limit(options->layout == LAYOUT_EDGES ? options->edges : 0));
    set(object, "lower_is_better", json_boolean(chunks->lower_is_better));
    set(object, "min_score", options->has_min_score ? json_real(options->min_score) : json_null());
    set(object, "dedup",
        options->dedup ? json_pack("[ii]", (int)options->threshold.num, (int)options->threshold.den)
                       : json_null());
    set(object, "similarity", json_string(similarities[options->similarity]));
    set(object, "shingle", number(options->shingle));
    set(object, "keep_numbers", json_boolean(options->keep_numbers));
    set(object, "top", limit(options->top));
    set(object, "budget", limit(options->budget));
    set(object, "reserve", number(options->reserve));
    set(object, "margin", number(options_margin(options)));
    set(object, "fit", json_string(fits[options->fit]));
    set(object, "count", text(slice_of(options->counter->method)));
    set(object, "tokens", path(&options->tokens));
    set(object, "fuse", options->fuse ? number(options->fuse_k) : json_null());
    set(object, "rescore", name(options->rescore));
    set(object, "sweep", name(options->sweep));
    set(object, "min_chunks", limit(options->min_chunks));
    json_t *required = json_array();
    for (size_t i = 0; i < options->requirement_count; i++) {
        json_array_append_new(required, name(options->requirements[i].id));
    }
    set(object, "require", required);
    return object;
}

/* The score as a number, where there is one that JSON has. */
static json_t *score_of(const struct chunk *chunk)
{
    if (!chunk->scored || !isfinite(chunk->value)) {
        return json_null();
    }
    struct slice written = chunk_score(chunk);
    double whole = chunk->value;
    bool integer = written.len < 16 && memchr(written.at, '.', written.len) == NULL &&
                   memchr(written.at, 'e', written.len) == NULL &&
                   memchr(written.at, 'E', written.len) == NULL;
    return integer ? json_integer((json_int_t)whole) : json_real(whole);
}

static json_t *id_of(const struct chunk *chunk, struct buf *scratch)
{
    return chunk->id.len > 0 ? text(chunk_id_text(chunk, scratch)) : json_null();
}

/* Who a duplicate or fused chunk has lost to. */
static json_t *survivor_of(const struct chunks *chunks, const struct chunk *chunk,
                           struct buf *scratch)
{
    const struct chunk *survivor = chunk->survivor;
    json_t *object = json_object();
    set(object, "file", text(slice_of(chunks->files[survivor->file].input.name)));
    set(object, "line", number(survivor->line_number));
    set(object, "id", id_of(survivor, scratch));
    return object;
}

static json_t *chunk_of(const struct chunks *chunks, const struct chunk *chunk,
                        const struct options *options, struct buf *scratch)
{
    json_t *object = json_object();
    set(object, "file", text(slice_of(chunks->files[chunk->file].input.name)));
    set(object, "line", number(chunk->line_number));
    set(object, "id", id_of(chunk, scratch));
    set(object, "score", score_of(chunk));
    set(object, "written", chunk->scored ? text(chunk_score(chunk)) : json_null());
    set(object, "rank", limit(chunk->rank));
    set(object, "position", limit(chunk->position));
    set(object, "tokens", chunk->rank > 0 ? number(chunk->tokens) : json_null());
    set(object, "fate", json_string(fate_name(chunk->fate)));
    scratch->len = 0;
    struct buf why = {0};
    fate_describe(&why, chunks, chunk, options);
    set(object, "why", text(buf_slice(&why)));
    buf_free(&why);
    if (chunk->survivor != NULL) {
        set(object, "of", survivor_of(chunks, chunk, scratch));
    }
    if (chunk->fate == FATE_DUPLICATE) {
        set(object, "shared", number(chunk->shared));
        set(object, "united", number(chunk->united));
    }
    if (chunk->fate == FATE_OVER_BUDGET) {
        set(object, "needed", limit(chunk->needed));
        set(object, "left", number(chunk->tokens_left));
    }
    if (chunk->cut > 0) {
        set(object, "cut", number(chunk->cut));
    }
    return object;
}

static json_t *totals_of(const struct chunks *chunks)
{
    json_t *dropped = json_object();
    for (int fate = FATE_KEPT + 1; fate < FATES; fate++) {
        set(dropped, fate_name((enum fate)fate), number(chunks_with_fate(chunks, (enum fate)fate)));
    }
    json_t *lowest = NULL;
    json_t *highest = NULL;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        const struct chunk *chunk = chunks->ranked[i];
        if (chunk->scored && chunk->fate == FATE_KEPT) {
            json_decref(lowest);
            lowest = score_of(chunk);
        } else if (chunk->scored && highest == NULL && chunk->fate != FATE_DUPLICATE) {
            highest = score_of(chunk);
        }
    }
    json_t *object = json_object();
    set(object, "read", number(chunks->count));
    set(object, "kept", number(chunks->placed_count));
    set(object, "dropped", dropped);
    set(object, "tokens", number(chunks->placed_count > 0 ? chunks->tokens : 0));
    set(object, "neutralised", number(chunks->neutralised));
    set(object, "worst_kept_score", lowest != NULL ? lowest : json_null());
    set(object, "best_dropped_score", highest != NULL ? highest : json_null());
    return object;
}

int report(struct chunks *chunks, const struct options *options)
{
    if (options->report == NULL) {
        return STATUS_OK;
    }
    struct buf scratch = {0};
    json_t *list = json_array();
    for (size_t i = 0; i < chunks->count; i++) {
        json_array_append_new(list, chunk_of(chunks, &chunks->all[i], options, &scratch));
    }
    json_t *document = json_object();
    set(document, "options", options_of(chunks, options));
    set(document, "totals", totals_of(chunks));
    set(document, "chunks", list);
    char *bytes = json_dumps(document, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    struct buf out = {0};
    buf_add_string(&out, bytes);
    buf_add_byte(&out, '\n');
    int status = outfile_write(options->report, buf_slice(&out));
    free(bytes);
    json_decref(document);
    buf_free(&out);
    buf_free(&scratch);
    return status;
}
