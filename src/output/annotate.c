/* annotate.c: see annotate.h. */
#include "annotate.h"

#include <inttypes.h>
#include <math.h>

static void add_number(struct buf *out, const char *name, size_t n)
{
    buf_add_format(out, n > 0 ? "\"%s\":%zu" : "\"%s\":null", name, n);
}

/* The score in force, as a number as it is written, where JSON has one. */
static void add_score(struct buf *out, const struct chunk *chunk)
{
    bool is_number = chunk->scored && isfinite(chunk->value);
    buf_add_string(out, "\"score\":");
    buf_add_slice(out, is_number ? chunk_score(chunk) : slice_of("null"));
}

/* The rank in each list of --fuse, null where it is not in it. */
static void add_lists(struct buf *out, const struct chunks *chunks, const struct chunk *chunk)
{
    buf_add_string(out, ",\"lists\":[");
    for (size_t i = 0; i < chunks->file_count; i++) {
        uint32_t rank = details_of(chunk)->list_ranks[i];
        buf_add_format(out, rank > 0 ? "%s%u" : "%snull", i > 0 ? "," : "", (unsigned)rank);
    }
    buf_add_byte(out, ']');
}

static void add_fate(struct buf *out, const struct chunks *chunks, const struct chunk *chunk)
{
    struct buf why = {0};
    struct buf repaired = {0};
    fate_describe(&why, chunks, chunk);
    utf8_add_repaired(&repaired, buf_slice(&why));
    buf_add_format(out, ",\"fate\":\"%s\",\"why\":", fate_name(chunk->fate));
    value_add_quoted(out, buf_slice(&repaired));
    buf_free(&why);
    buf_free(&repaired);
}

static bool can_take(const struct chunk *chunk, struct slice key)
{
    struct path path = {.keys = &key, .depth = 1};
    return chunk->is_object && value_kind_of(chunk_member(chunk, &path)) == VALUE_ABSENT;
}

void annotate_add(struct buf *out, const struct chunks *chunks, const struct chunk *chunk,
                  const struct output_options *options)
{
    const struct chunk_details *details = details_of(chunk);
    struct slice key = slice_of(options->annotate);
    struct buf scratch = {0};
    struct slice line = chunk_line(chunk, &scratch);
    if (!can_take(chunk, key)) {
        buf_add_slice(out, line);
        buf_add_byte(out, '\n');
        buf_free(&scratch);
        return;
    }
    size_t brace = line.len - 1;
    while (line.at[brace] != '}') {
        brace--;
    }
    struct slice inside = slice_trim((struct slice){line.at, brace});
    buf_add(out, line.at, brace);
    buf_add_string(out, inside.at[inside.len - 1] == '{' ? "" : ",");
    value_add_quoted(out, key);
    buf_add_string(out, ":{");
    add_number(out, "rank", chunk->rank);
    buf_add_byte(out, ',');
    add_number(out, "position", chunk->position);
    buf_add_format(out, chunk->rank > 0 ? ",\"tokens\":%zu," : ",\"tokens\":null,", chunk->tokens);
    add_score(out, chunk);
    if (details->list_ranks != NULL) {
        add_lists(out, chunks, chunk);
    }
    if (options->stitched && chunk->fate == FATE_KEPT) {
        buf_add_format(out, ",\"passage\":%zu,\"overlap\":%" PRIu32, chunk->position,
                       details->overlap_points);
    }
    if (chunk->fate != FATE_KEPT) {
        add_fate(out, chunks, chunk);
    }
    buf_add_byte(out, '}');
    buf_add(out, line.at + brace, line.len - brace);
    buf_add_byte(out, '\n');
    buf_free(&scratch);
}
