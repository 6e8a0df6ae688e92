/* known.c: see known.h. */
#include "known.h"

#include <stdlib.h>

static void list_candidates(struct known *known, const struct chunks *chunks)
{
    known->candidates = mem_zeroed(chunks->ranked_count, sizeof(struct chunk *));
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < chunks->ranked_count; i++) {
            struct chunk *one = chunks->ranked[i];
            if (one->fate == FATE_KEPT && (one->pin > 0) == (pass == 0)) {
                known->candidates[known->count++] = one;
                known->pinned += pass == 0;
            }
        }
    }
}

static size_t *all_unknown(size_t count)
{
    size_t *values = mem_zeroed(count, sizeof *values);
    for (size_t i = 0; i < count; i++) {
        values[i] = NOT_KNOWN;
    }
    return values;
}

/* What each number adds beyond a 1; that it does so whatever the chunk is seen then. */
static void count_numbers(struct known *known, struct coster *coster)
{
    struct chunk *one = known->candidates[0];
    size_t first = cost_block(coster, one, 1, (struct slice){"", 0});
    known->numbers = mem_zeroed(known->count + 2, sizeof *known->numbers);
    for (size_t n = 1; n <= known->count + 1; n++) { /* the last is of what does not fit */
        known->numbers[n] = cost_block(coster, one, n, (struct slice){"", 0}) - first;
    }
}

/* Counts each chunk as number 1; false where the last number would not add the same to all. */
static bool count_chunks(struct known *known, struct coster *coster)
{
    size_t last = known->count + 1;
    bool same = true;
    for (size_t i = 0; i < known->count && same; i++) {
        struct chunk *one = known->candidates[i];
        size_t *cost = &known->costs[one - known->first];
        *cost = cost_chunk(coster, one, 1);
        same = coster->renderer == NULL ||
               cost_chunk(coster, one, last) == *cost + known->numbers[last];
        same &= *cost < NOT_KNOWN / 2; /* else what the user has counted cannot be added */
    }
    return same;
}

size_t known_cost(const struct known *known, size_t candidate, size_t number)
{
    size_t cost = known->costs[known->candidates[candidate] - known->first];
    return cost + (known->numbers != NULL ? known->numbers[number] : 0);
}

static void sum_up(struct known *known, struct coster *coster)
{
    known->sums = mem_zeroed(known->count - known->pinned + 1, sizeof *known->sums);
    size_t sum = cost_frame(coster);
    for (size_t i = 0; i < known->count; i++) {
        if (i >= known->pinned) {
            known->sums[i - known->pinned] = sum;
        }
        sum = cost_sum(sum, known_cost(known, i, i + 1));
    }
    known->sums[known->count - known->pinned] = sum;
}

/* Whether the output with the so many best costs that sum. */
static bool is_sum(struct known *known, struct chunks *chunks, struct allowance *allowance,
                   size_t best)
{
    for (size_t i = known->pinned; i < known->count; i++) {
        bool keeps = i < known->pinned + best;
        known->candidates[i]->fate = keeps ? FATE_KEPT : FATE_OVER_BUDGET;
    }
    return allowance_finished(allowance, chunks) == known->sums[best];
}

/*
 * Pieces are counted so that their sum is the whole (cost_is_additive()), whichever is the
 * last.  All the same three of the wholes are looked at.
 */
static bool adds_up(struct known *known, struct chunks *chunks, struct allowance *allowance)
{
    size_t most = known->count - known->pinned;
    if (allowance->options->counts_given || !cost_is_additive(allowance->coster) ||
        !cost_of_tail_is_same(allowance->coster, known->candidates, known->count)) {
        return false;
    }
    bool adds = is_sum(known, chunks, allowance, most / 2) &&
                is_sum(known, chunks, allowance, most < 1 ? 0 : 1);
    return is_sum(known, chunks, allowance, most) && adds; /* leaves all of them kept */
}

/* What is known where chunks do not depend on one another. */
static void know_parts(struct known *known, struct chunks *chunks, struct allowance *allowance)
{
    struct coster *coster = allowance->coster;
    known->costs = all_unknown(chunks->count);
    if (allowance->is_prompt) {
        count_numbers(known, coster);
    }
    if (count_chunks(known, coster)) {
        sum_up(known, coster);
        known->adds_up = allowance->is_prompt && adds_up(known, chunks, allowance);
        return;
    }
    free(known->costs);
    free(known->numbers);
    known->costs = NULL;
    known->numbers = NULL;
}

void known_open(struct known *known, struct chunks *chunks, struct allowance *allowance)
{
    *known = (struct known){.first = chunks->all};
    list_candidates(known, chunks);
    if (known->count > 0 && allowance->coverage == NULL) {
        know_parts(known, chunks, allowance);
    }
    /* Down to the first that does not fit, each has the same before it under every budget. */
    if (allowance->options->fit != FIT_SKIP) {
        known->costs = known->costs != NULL ? known->costs : all_unknown(chunks->count);
        known->wholes = all_unknown(known->count + 2);
    }
}

void known_close(struct known *known)
{
    free(known->candidates);
    free(known->costs);
    free(known->numbers);
    free(known->wholes);
    free(known->sums);
    *known = (struct known){0};
}
