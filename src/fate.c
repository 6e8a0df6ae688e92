/* fate.c: see fate.h. */
#include "fate.h"

#include <inttypes.h>

#include "chunk.h"

void fate_add_place(struct buf *out, const struct chunks *chunks, const struct chunk *chunk)
{
    const struct file *file = &chunks->files[chunk->file];
    if (file->is_document) {
        buf_add_format(out, "%s[%zu]", file->input.name, chunk->line_number - 1);
    } else {
        buf_add_format(out, "%s:%zu", file->input.name, chunk->line_number);
    }
}

/* Where another chunk stands: by its line alone in the same file. */
static void add_place_of(struct buf *out, const struct chunks *chunks, const struct chunk *chunk,
                         const struct chunk *other)
{
    if (other->file == chunk->file && chunks->files[chunk->file].is_document) {
        buf_add_format(out, "element %zu", other->line_number - 1);
    } else if (other->file == chunk->file) {
        buf_add_format(out, "line %zu", other->line_number);
    } else {
        fate_add_place(out, chunks, other);
    }
}

static void describe_kept(struct buf *out, const struct chunks *chunks, const struct chunk *chunk)
{
    buf_add_string(out, details_of(chunk)->truncated > 0 ? "kept, cut to fit" : "kept");
    if (chunk->pin > 0) {
        buf_add_string(out, chunk->pinned_last ? ", pinned last" : ", pinned first");
    }
    const struct chunk_details *details = details_of(chunk);
    if (details->joined != NULL) {
        buf_add_string(out, ", joins ");
        add_place_of(out, chunks, chunk, details->joined);
        buf_add_format(out, ", which says %" PRIu32 " characters of it", details->overlap_points);
    }
}

static void describe_min_score(struct buf *out, const struct chunks *chunks,
                               const struct chunk *chunk)
{
    if (!chunk->scored) {
        buf_add_string(out, "no score");
        return;
    }
    buf_add_string(out, "score ");
    buf_add_slice(out, chunk_score(chunk));
    buf_add_format(out, " is %s %s", chunks->lower_is_better ? "above" : "below",
                   chunks->limits.min_score);
}

/* The similarity is shown as hundredths, rounded down: 0.85 is never shown for less. */
static void describe_duplicate(struct buf *out, const struct chunks *chunks,
                               const struct chunk *chunk)
{
    const struct chunk_details *details = details_of(chunk);
    buf_add_string(out, "duplicate of ");
    add_place_of(out, chunks, chunk, details->survivor);
    if (details->united == 0) {
        buf_add_string(out, ", the same text without a word");
        return;
    }
    uint64_t hundredths = (uint64_t)details->shared * 100 / details->united;
    buf_add_format(out, ", %" PRIu64 ".%02" PRIu64 " (%" PRIu32 "/%" PRIu32 " %s)",
                   hundredths / 100, hundredths % 100, details->shared, details->united,
                   chunks->limits.shingles ? "runs" : "words");
}

static void describe_top(struct buf *out, const struct chunks *chunks, const struct chunk *chunk)
{
    (void)chunk;
    buf_add_format(out, "beyond --top %zu", chunks->limits.top);
}

static void describe_per_group(struct buf *out, const struct chunks *chunks,
                               const struct chunk *chunk)
{
    (void)chunk;
    buf_add_format(out, "beyond --per-group %zu", chunks->limits.per_group);
}

static void describe_budget(struct buf *out, const struct chunks *chunks, const struct chunk *chunk)
{
    const struct chunk_details *details = details_of(chunk);
    if (chunks->frame_over) {
        buf_add_string(out, "over budget: the prompt is, without any chunk");
    } else if (chunks->pins_over) {
        buf_add_string(out, "over budget: what is pinned does not fit");
    } else if (details->needed > 0) {
        buf_add_format(out, "over budget: %zu tokens, %zu left", details->needed,
                       details->tokens_left);
    } else {
        buf_add_string(out, "over budget: after one that did not fit");
    }
}

static void describe_not_reranked(struct buf *out, const struct chunks *chunks,
                                  const struct chunk *chunk)
{
    (void)chunks;
    (void)chunk;
    buf_add_string(out, "left out by the reranker");
}

static void describe_fused(struct buf *out, const struct chunks *chunks, const struct chunk *chunk)
{
    buf_add_string(out, "taken from ");
    add_place_of(out, chunks, chunk, details_of(chunk)->survivor);
}

static void describe_invalid(struct buf *out, const struct chunks *chunks,
                             const struct chunk *chunk)
{
    (void)chunks;
    const struct chunk_details *details = details_of(chunk);
    buf_add_string(out, details->reason != NULL ? details->reason : "unusable");
}

#define FATE_ROW(value, name, describe, evidence) {name, describe_##describe, evidence},
static const struct {
    const char *name;
    void (*describe)(struct buf *out, const struct chunks *chunks, const struct chunk *chunk);
    unsigned evidence;
} fates[] = {EACH_FATE(FATE_ROW)};

const char *fate_name(enum fate fate)
{
    return fates[fate].name;
}

unsigned fate_evidence(enum fate fate)
{
    return fates[fate].evidence;
}

void fate_describe(struct buf *out, const struct chunks *chunks, const struct chunk *chunk)
{
    fates[chunk->fate].describe(out, chunks, chunk);
}

bool fate_has_more(const struct chunk *chunk)
{
    const struct chunk_details *details = details_of(chunk);
    return chunk->pin > 0 || details->truncated > 0 || details->joined != NULL;
}

void fate_add_counts(struct buf *out, const char *before, const struct chunks *chunks)
{
    for (int fate = FATE_KEPT + 1; fate < FATES; fate++) {
        size_t n = chunks_with_fate(chunks, (enum fate)fate);
        if (n > 0) {
            buf_add_format(out, "%s%zu %s", before, n, fate_name((enum fate)fate));
            before = ", ";
        }
    }
}
