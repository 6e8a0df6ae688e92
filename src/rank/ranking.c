/* ranking.c: see ranking.h. */
#include "ranking.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"

/* What one comparison needs, kept together and small: a sort jumps about in memory. */
struct key {
    double goodness; /* higher is better, whatever the direction; NaN: it has no score */
    struct chunk *chunk;
};

/* Doubles first; integers beyond 2^53, and long decimals, may differ all the same. */
static int compare_scores(const struct key *a, const struct key *b, bool lower_is_better)
{
    if (a->goodness != b->goodness) {
        return a->goodness > b->goodness ? -1 : 1;
    }
    int order = number_compare(chunk_score(a->chunk), chunk_score(b->chunk));
    return lower_is_better ? order : -order;
}

static int compare(const struct key *a, const struct key *b, bool lower_is_better)
{
    bool a_is_scored = !isnan(a->goodness);
    bool b_is_scored = !isnan(b->goodness);
    if (a_is_scored != b_is_scored) {
        return a_is_scored ? -1 : 1;
    }
    int order = a_is_scored ? compare_scores(a, b, lower_is_better) : 0;
    if (order != 0) {
        return order;
    }
    uint32_t place_of_a = details_of(a->chunk)->tie_break;
    uint32_t place_of_b = details_of(b->chunk)->tie_break;
    if (place_of_a != place_of_b) {
        return place_of_a < place_of_b ? -1 : 1;
    }
    /* Chunks stand in input order in one array; no two are the same. */
    return a->chunk < b->chunk ? -1 : 1;
}

static int highest_first(const void *left, const void *right)
{
    return compare(left, right, false);
}

static int lowest_first(const void *left, const void *right)
{
    return compare(left, right, true);
}

static struct key key_of(struct chunk *chunk, bool lower_is_better)
{
    double goodness = lower_is_better ? -chunk->value : chunk->value;
    return (struct key){chunk->scored ? goodness : (double)NAN, chunk};
}

/* As retrievers print their lists, and as what has no scores stands. */
static bool is_sorted(struct chunk **chunks, size_t count, bool lower_is_better)
{
    for (size_t i = 1; i < count; i++) {
        struct key before = key_of(chunks[i - 1], lower_is_better);
        struct key key = key_of(chunks[i], lower_is_better);
        if (compare(&before, &key, lower_is_better) > 0) {
            return false;
        }
    }
    return true;
}

void ranking_sort(struct chunk **chunks, size_t count, bool lower_is_better)
{
    if (is_sorted(chunks, count, lower_is_better)) {
        return; /* without the memory that sorting needs */
    }
    struct key *keys = mem_zeroed(count, sizeof *keys);
    for (size_t i = 0; i < count; i++) {
        keys[i] = key_of(chunks[i], lower_is_better);
    }
    qsort(keys, count, sizeof *keys, lower_is_better ? lowest_first : highest_first);
    for (size_t i = 0; i < count; i++) {
        chunks[i] = keys[i].chunk;
    }
    free(keys);
}
