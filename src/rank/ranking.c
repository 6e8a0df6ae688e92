/* ranking.c: see ranking.h. */
#include "ranking.h"

#include <stdlib.h>

#include "base/base.h"

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
    size_t place_of_a = details_of(a->chunk)->tie_break;
    size_t place_of_b = details_of(b->chunk)->tie_break;
    if (place_of_a != place_of_b) {
        return place_of_a < place_of_b ? -1 : 1;
    }
    /* Chunks stand in input order in one array; no two are the same. */
    return a->chunk < b->chunk ? -1 : 1;
}

static struct key key_of(struct chunk *chunk, bool lower_is_better)
{
    double goodness = lower_is_better ? -chunk->value : chunk->value;
    return (struct key){goodness, chunk->scored, lower_is_better, chunk};
}

void ranking_sort(struct chunk **chunks, size_t count, bool lower_is_better)
{
    struct key *keys = mem_zeroed(count, sizeof *keys);
    for (size_t i = 0; i < count; i++) {
        keys[i] = key_of(chunks[i], lower_is_better);
    }
    qsort(keys, count, sizeof *keys, better_first);
    for (size_t i = 0; i < count; i++) {
        chunks[i] = keys[i].chunk;
    }
    free(keys);
}
