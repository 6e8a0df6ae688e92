/* candidates.c: see candidates.h. */
#include "candidates.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "similarity.h"

/* In a byte: so many look-ups can be told apart before all is cleared. */
#define MATCHES_RANGE (SIMILARITY_MOST_MATCHES + 2)
#define MOST_LOOKUPS (UINT8_MAX / MATCHES_RANGE - 1)

/*
 * As many as the nearest cache has room for.  Each can count all that are gathered, so that
 * none need stop.  A test has few of all of these.
 */
#ifndef MEETINGS
#define MEETINGS 16384
#endif

/* Fewer are counted set by set at once, and so are those of a collection near at hand. */
#ifndef MANY_CANDIDATES
#define MANY_CANDIDATES 512
#define MANY_SETS (8 * MEETINGS)
#endif

_Static_assert(CANDIDATES_ROOM <= UINT16_MAX, "a meeting counts all that are gathered");

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
                                      struct posting_filter filter)
{
    size_t room = CANDIDATES_ROOM - candidates->count;
    size_t n = list.count < room ? list.count : room;
    uint32_t *sets = candidates->sets;
    size_t count = candidates->count;
    for (size_t i = 0; i < n; i++) {
        uint32_t posting = list.postings[i];
        sets[count] = posting & filter.numbers;
        count += posting >= filter.least;
    }
    candidates->count = count;
    return (struct posting_list){list.postings + n, list.count - n};
}

struct set_list candidates_gather_all(struct candidates *candidates, struct set_list list)
{
    size_t room = CANDIDATES_ROOM - candidates->count;
    size_t n = list.count < room ? list.count : room;
    memcpy(candidates->sets + candidates->count, list.sets, n * sizeof *list.sets);
    candidates->count += n;
    return (struct set_list){list.sets + n, list.count - n};
}

/* Whether a first count of so many pays. */
static bool are_many(const struct candidates *candidates, size_t count)
{
    return count >= MANY_CANDIDATES && count < CANDIDATES_ROOM &&
           candidates->set_count >= MANY_SETS && candidates->needed > 1;
}

static void clear_meetings(struct candidates *candidates)
{
    memset(candidates->meetings, 0, MEETINGS * sizeof *candidates->meetings);
}

/* Without a branch, too, as what follows. */
static void count_meetings(struct candidates *candidates, struct set_list list)
{
    uint16_t *meetings = candidates->meetings;
    for (size_t i = 0; i < list.count; i++) {
        meetings[list.sets[i] % MEETINGS]++;
    }
}

/* Those of a list whose numbers end as those of enough that were met; `to` may be the list. */
static size_t take_likely(const struct candidates *candidates, struct set_list list, uint32_t *to)
{
    const uint16_t *meetings = candidates->meetings;
    unsigned needed = candidates->needed;
    size_t taken = 0;
    for (size_t i = 0; i < list.count; i++) {
        uint32_t set = list.sets[i];
        to[taken] = set;
        taken += meetings[set % MEETINGS] >= needed;
    }
    return taken;
}

bool candidates_gather_likely(struct candidates *candidates, const struct set_list *lists,
                              size_t count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        total += lists[i].count;
    }
    if (!are_many(candidates, total)) {
        return false;
    }
    clear_meetings(candidates);
    for (size_t i = 0; i < count; i++) {
        count_meetings(candidates, lists[i]);
    }
    for (size_t i = 0; i < count; i++) {
        candidates->count +=
            take_likely(candidates, lists[i], candidates->sets + candidates->count);
    }
    candidates->counted = true;
    return true;
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
    if (!candidates->counted && are_many(candidates, candidates->count)) {
        struct set_list all = {candidates->sets, candidates->count};
        clear_meetings(candidates);
        count_meetings(candidates, all);
        candidates->count = take_likely(candidates, all, candidates->sets);
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
