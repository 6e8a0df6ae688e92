/* candidates.c: see candidates.h. */
#include "candidates.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "similarity.h"

/* In a byte: so many look-ups can be told apart before all is cleared. */
#define MATCHES_RANGE (SIMILARITY_MOST_MATCHES + 2)
#define MOST_LOOKUPS (UINT8_MAX / MATCHES_RANGE - 1)

/* In a byte each, half of what the nearest cache holds.  A test has few of all of these. */
#ifndef MEETINGS
#define MEETINGS 16384
#endif

/* Fewer are counted set by set at once, and so are those of a collection near at hand. */
#ifndef MANY_CANDIDATES
#define MANY_CANDIDATES 512
#define MANY_SETS (8 * MEETINGS)
#endif

void candidates_new(struct candidates *candidates, size_t set_count)
{
    candidates->matches = mem_zeroed(set_count, sizeof *candidates->matches);
    candidates->meetings = mem_alloc(MEETINGS * sizeof *candidates->meetings);
    candidates->sets = mem_alloc(CANDIDATES_ROOM * sizeof *candidates->sets);
    candidates->set_count = set_count;
    candidates->lookup = 0;
    candidates->count = 0;
}

void candidates_start(struct candidates *candidates, size_t needed)
{
    if (candidates->lookup == MOST_LOOKUPS) {
        memset(candidates->matches, 0, candidates->set_count);
        candidates->lookup = 0;
    }
    candidates->start = (uint8_t)(++candidates->lookup * MATCHES_RANGE);
    candidates->needed = (uint8_t)needed;
    candidates->counted = false;
}

/* Without a branch, since none could be foretold. */
struct posting_list candidates_gather(struct candidates *candidates, struct posting_list list,
                                      size_t x)
{
    size_t room = CANDIDATES_ROOM - candidates->count;
    size_t n = list.count < room ? list.count : room;
    uint32_t *sets = candidates->sets;
    size_t count = candidates->count;
    for (size_t i = 0; i < n; i++) {
        sets[count] = list.postings[i].set;
        count += list.postings[i].longest >= x;
    }
    candidates->count = count;
    return (struct posting_list){list.postings + n, list.count - n};
}

/* Leaves those whose numbers end as those of enough that were met; without a branch, too. */
static size_t leave_likely(uint8_t *meetings, unsigned needed, uint32_t *sets, size_t count)
{
    memset(meetings, 0, MEETINGS * sizeof *meetings);
    for (size_t i = 0; i < count; i++) {
        uint8_t *met = &meetings[sets[i] % MEETINGS];
        *met = (uint8_t)(*met + (*met < needed));
    }
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t set = sets[i];
        sets[left] = set;
        left += meetings[set % MEETINGS] == needed;
    }
    return left;
}

static size_t leave_matched(const struct candidates *candidates, uint32_t *sets, size_t count)
{
    uint8_t *matches = candidates->matches;
    unsigned start = candidates->start;
    unsigned needed = candidates->needed;
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t set = sets[i];
        unsigned met = matches[set];
        met = met < start ? start : met;
        met += met - start <= needed; /* stops at one more than needed */
        matches[set] = (uint8_t)met;
        sets[left] = set;
        left += met - start == needed;
    }
    return left;
}

void candidates_matched(struct candidates *candidates)
{
    bool many = candidates->count >= MANY_CANDIDATES && candidates->set_count >= MANY_SETS;
    bool all = !candidates->counted && candidates->count < CANDIDATES_ROOM; /* of this look-up */
    if (many && all && candidates->needed > 1) {
        candidates->count = leave_likely(candidates->meetings, candidates->needed, candidates->sets,
                                         candidates->count);
    }
    candidates->counted = true;
    candidates->count = leave_matched(candidates, candidates->sets, candidates->count);
}

void candidates_free(struct candidates *candidates)
{
    free(candidates->matches);
    free(candidates->meetings);
    free(candidates->sets);
    candidates->matches = NULL;
    candidates->meetings = NULL;
    candidates->sets = NULL;
}
