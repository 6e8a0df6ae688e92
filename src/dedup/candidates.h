/*
 * candidates.h: the sets that a look-up meets in as many terms as similar ones share.
 *
 * They are gathered so that what is known of them can be fetched together.  Of many, most
 * are met once: a first count, by a part of their numbers and thus never too low, goes
 * to the nearest cache, and what it leaves is counted set by set.
 */
#ifndef EDGEFOLD_CANDIDATES_H
#define EDGEFOLD_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "index.h"

#ifndef CANDIDATES_ROOM
#define CANDIDATES_ROOM 8192
#endif

struct candidates {
    uint8_t *matches; /* by set: how many terms the look-up has met, counted from start */
    size_t set_count;
    uint16_t *meetings; /* by the lowest bits of a set's number, for the first count */
    bool counted;       /* some of this look-up: a first count of the others would miss those */
    uint8_t lookup;     /* numbers the look-ups since matches was cleared */
    uint8_t start;
    uint8_t needed;
    uint32_t *sets; /* room for CANDIDATES_ROOM */
    size_t count;   /* of sets; to be emptied by whoever reads them */
};

/* For sets with numbers below set_count; to be given to candidates_free(). */
void candidates_new(struct candidates *candidates, size_t set_count);

/* Begins a look-up of a set that must meet another one in so many terms. */
void candidates_start(struct candidates *candidates, size_t needed);

/*
 * Takes from the list those that the filter lets through, until there is no more room;
 * returns what is left of the list.
 */
struct posting_list candidates_gather(struct candidates *candidates, struct posting_list list,
                                      struct posting_filter filter);

/* The same of all in a list. */
struct set_list candidates_gather_all(struct candidates *candidates, struct set_list list);

/*
 * All lists of a look-up that has just been started at once, of which candidates_matched()
 * then leaves what it would.  False: they are too few, or too many, to be taken so.
 */
bool candidates_gather_likely(struct candidates *candidates, const struct set_list *lists,
                              size_t count);

/*
 * Leaves of what was gathered those that have now been met in as many terms as needed.  To
 * be called when there is no more room, and at the end of the look-up.
 */
void candidates_matched(struct candidates *candidates);

void candidates_free(struct candidates *candidates);

#endif
