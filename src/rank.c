/* rank.c: a total order, best first: by score, then as they came. */
#include <stdlib.h>

#include "diag.h"
#include "mem.h"
#include "pipeline.h"

/* What one comparison needs, kept together: a sort jumps about in memory. */
struct key {
    double goodness; /* higher is better, whatever the direction */
    bool scored;
    struct chunk *chunk;
};

static int better_first(const void *left, const void *right)
{
    const struct key *a = left;
    const struct key *b = right;
    if (a->scored != b->scored) {
        return a->scored ? -1 : 1;
    }
    if (a->scored && a->goodness != b->goodness) {
        return a->goodness > b->goodness ? -1 : 1;
    }
    /* Chunks stand in input order in one array; no two are the same. */
    return a->chunk < b->chunk ? -1 : 1;
}

static struct key key_of(struct chunk *chunk, bool lower_is_better)
{
    double goodness = lower_is_better ? -chunk->value : chunk->value;
    return (struct key){goodness, chunk->scored, chunk};
}

/* At least as good as the limit, in the direction in force; a missing score never is. */
static bool good_enough(const struct chunk *chunk, double limit, bool lower_is_better)
{
    if (!chunk->scored) {
        return false;
    }
    return lower_is_better ? chunk->value <= limit : chunk->value >= limit;
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
        if (options->has_min_score &&
            !good_enough(chunk, options->min_score, chunks->lower_is_better)) {
            chunk->fate = FATE_BELOW_MIN_SCORE;
        }
    }
    free(keys);
    return STATUS_OK;
}
