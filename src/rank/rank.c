/* rank.c: a total order, best first, and what is cut off at its lower end. */
#include "rank.h"

#include "ranking.h"

/* At least as good as --min-score, in the direction in force; a missing score never is. */
static bool good_enough(const struct chunk *chunk, const struct rank_options *options,
                        bool lower_is_better)
{
    if (!chunk->scored) {
        return false;
    }
    int order = chunk->value < options->min_score ? -1 : chunk->value > options->min_score;
    if (order == 0) {
        order = number_compare(chunk_score(chunk), slice_of(options->min_score_written));
    }
    return lower_is_better ? order <= 0 : order >= 0;
}

int rank(struct chunks *chunks, const struct rank_options *options)
{
    chunks->ranked = mem_zeroed(chunks->count, sizeof(struct chunk *));
    for (size_t i = 0; i < chunks->count; i++) {
        if (chunks->all[i].fate == FATE_KEPT) {
            chunks->ranked[chunks->ranked_count++] = &chunks->all[i];
        }
    }
    ranking_sort(chunks->ranked, chunks->ranked_count, chunks->lower_is_better);
    chunks->limits.min_score = options->min_score_written;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        chunk->rank = i + 1;
        if (options->has_min_score && chunk->pin == 0 &&
            !good_enough(chunk, options, chunks->lower_is_better)) {
            chunk->fate = FATE_BELOW_MIN_SCORE;
        }
    }
    return STATUS_OK;
}

/* After dedup, so that a repeat takes no place. */
int top(struct chunks *chunks, const struct rank_options *options)
{
    size_t taken = 0;
    chunks->limits.top = options->top;
    for (size_t i = 0; options->top > 0 && i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate == FATE_KEPT && chunk->pin == 0 && ++taken > options->top) {
            chunk->fate = FATE_BEYOND_TOP;
        }
    }
    return STATUS_OK;
}
