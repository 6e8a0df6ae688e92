/* fate.c: see fate.h. */
#include "fate.h"

static const char *const names[FATES] = {
    [FATE_KEPT] = "kept",
    [FATE_BELOW_MIN_SCORE] = "below-min-score",
    [FATE_DUPLICATE] = "duplicate",
    [FATE_BEYOND_TOP] = "beyond-top",
    [FATE_OVER_BUDGET] = "over-budget",
    [FATE_NOT_RERANKED] = "not-reranked",
    [FATE_FUSED] = "fused",
    [FATE_INVALID] = "invalid",
};

const char *fate_name(enum fate fate)
{
    return names[fate];
}

void fate_add_place(struct buf *out, const struct chunks *chunks, const struct chunk *chunk)
{
    buf_add_format(out, "%s:%zu", chunks->files[chunk->file].input.name, chunk->line_number);
}

/* Where another chunk stands: by its line alone in the same file. */
static void add_other(struct buf *out, const struct chunks *chunks, const struct chunk *chunk)
{
    const struct chunk *other = chunk->survivor;
    if (other->file == chunk->file) {
        buf_add_format(out, "line %zu", other->line_number);
    } else {
        fate_add_place(out, chunks, other);
    }
}

/* The similarity as hundredths, rounded down: 0.85 is never shown for less. */
static void add_similarity(struct buf *out, const struct chunk *chunk,
                           const struct options *options)
{
    if (chunk->united == 0) {
        buf_add_string(out, ", the same text without a word");
        return;
    }
    size_t hundredths = chunk->shared * 100 / chunk->united;
    buf_add_format(out, ", %zu.%02zu (%zu/%zu %s)", hundredths / 100, hundredths % 100,
                   chunk->shared, chunk->united, options->shingle > 1 ? "runs" : "words");
}

static void add_budget(struct buf *out, const struct chunks *chunks, const struct chunk *chunk)
{
    if (chunks->frame_over) {
        buf_add_string(out, "over budget: the prompt is, without any chunk");
    } else if (chunk->needed > 0) {
        buf_add_format(out, "over budget: %zu tokens, %zu left", chunk->needed, chunk->tokens_left);
    } else {
        buf_add_string(out, "over budget: after one that did not fit");
    }
}

void fate_describe(struct buf *out, const struct chunks *chunks, const struct chunk *chunk,
                   const struct options *options)
{
    switch (chunk->fate) {
    case FATE_KEPT:
        buf_add_string(out, chunk->cut > 0 ? "kept, cut to fit" : "kept");
        break;
    case FATE_BELOW_MIN_SCORE:
        if (!chunk->scored) {
            buf_add_string(out, "no score");
            break;
        }
        buf_add_string(out, "score ");
        buf_add_slice(out, chunk_score(chunk));
        buf_add_format(out, " is %s %s", chunks->lower_is_better ? "above" : "below",
                       options->min_score_written);
        break;
    case FATE_DUPLICATE:
        buf_add_string(out, "duplicate of ");
        add_other(out, chunks, chunk);
        add_similarity(out, chunk, options);
        break;
    case FATE_BEYOND_TOP:
        buf_add_format(out, "beyond --top %zu", options->top);
        break;
    case FATE_OVER_BUDGET:
        add_budget(out, chunks, chunk);
        break;
    case FATE_NOT_RERANKED:
        buf_add_string(out, "left out by the reranker");
        break;
    case FATE_FUSED:
        buf_add_string(out, "taken from ");
        add_other(out, chunks, chunk);
        break;
    case FATE_INVALID:
    case FATES:
        buf_add_string(out, chunk->reason != NULL ? chunk->reason : "unusable");
        break;
    }
}
