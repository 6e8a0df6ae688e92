/* rank.c: a total order, best first: by score, then as they came. */
#include <stdlib.h>

#include "diag.h"
#include "mem.h"
#include "number.h"
#include "pipeline.h"

/* What one comparison needs, kept together: a sort jumps about in memory. */
struct key {
    double goodness; /* higher is better, whatever the direction */
    bool scored;
    bool lower_is_better;
    struct chunk *chunk;
};

/* Doubles first; integers beyond 2^53, and long decimals, may differ all the same. */
static int compare_scores(const struct key *a, const struct key *b)
{
    if (a->goodness != b->goodness) {
        return a->goodness > b->goodness ? -1 : 1;
    }
    int order = number_compare(chunk_score(a->chunk), chunk_score(b->chunk));
    return a->lower_is_better ? order : -order;
}

static int better_first(const void *left, const void *right)
{
    const struct key *a = left;
    const struct key *b = right;
    if (a->scored != b->scored) {
        return a->scored ? -1 : 1;
    }
    int order = a->scored ? compare_scores(a, b) : 0;
    if (order != 0) {
        return order;
    }
    /* Chunks stand in input order in one array; no two are the same. */
    return a->chunk < b->chunk ? -1 : 1;
}

static struct key key_of(struct chunk *chunk, bool lower_is_better)
{
    double goodness = lower_is_better ? -chunk->value : chunk->value;
    return (struct key){goodness, chunk->scored, lower_is_better, chunk};
}

/* At least as good as --min-score, in the direction in force; a missing score never is. */
static bool good_enough(const struct chunk *chunk, const struct options *options,
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

int rank(struct chunks *chunks, const struct options *options)
{
    struct key *keys = mem_zeroed(chunks->count, sizeof *keys);
    size_t n = 0;
    for (size_t i = 0; i < chunks->count; i++) {
        if (chunks->all[i].fate != FATE_INVALID) {
            keys[n++] = key_of(&chunks->all[i], chunks->lower_is_better);
        }
    }
    qsort(keys, n, sizeof *keys, better_first);
    chunks->ranked = mem_zeroed(n, sizeof(struct chunk *));
    chunks->ranked_count = n;
    for (size_t i = 0; i < n; i++) {
        struct chunk *chunk = keys[i].chunk;
        chunks->ranked[i] = chunk;
        chunk->rank = i + 1;
        if (options->has_min_score && !good_enough(chunk, options, chunks->lower_is_better)) {
            chunk->fate = FATE_BELOW_MIN_SCORE;
        }
    }
    free(keys);
    return STATUS_OK;
}
