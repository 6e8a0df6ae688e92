/*
 * index.h: where the join looks for kept sets.
 *
 * By the terms of their prefixes (postings); by their sizes, where no term is rare;
 * and by a hash of the whole set, where an equal one may be there.
 */
#ifndef EDGEFOLD_INDEX_H
#define EDGEFOLD_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* A size as postings hold it. */
static inline uint16_t posted_size(size_t size)
{
    return (uint16_t)(size < UINT16_MAX ? size : UINT16_MAX);
}

/*
 * The postings of one term.  Each says that a set has it in its prefix: the set's number in
 * the lower bits, and in those above the size of the longest set that it is similar to, by
 * size and position.  What does not fit there is the largest that does, which is safe: it
 * only lets more pairs through to the comparison.
 */
struct posting_list {
    const uint32_t *postings;
    size_t count;
};

/* By which postings are looked at: those that are at least that much, for their numbers. */
struct posting_filter {
    uint32_t least;
    uint32_t numbers; /* their bits */
};

/*
 * All postings of a term side by side.  To be made in two rounds of the same postings:
 * postings_clear(), postings_count() for each, postings_allot(), postings_add() for each;
 * and again like that, where what is posted has changed.  All zero is an empty one.
 */
struct postings {
    size_t *ends; /* by term; while they are counted, one further */
    uint32_t *all;
    size_t capacity; /* of all */
    uint16_t *sizes; /* of every POSTINGS_STEP-th of all */
    unsigned number_bits;
};

#define POSTINGS_STEP 16

/* For sets that are numbered below set_count. */
void postings_clear(struct postings *postings, size_t terms, size_t set_count);
void postings_count(struct postings *postings, uint32_t term);
void postings_allot(struct postings *postings, size_t terms);

/*
 * Of a set of that size, and the longest that it is similar to.  Those of a term stand in the
 * order in which they were added, which is by size.
 */
void postings_add(struct postings *postings, uint32_t term, uint32_t set, size_t size,
                  size_t longest);

/* Lets those through that may be similar to a set of that size. */
struct posting_filter postings_filter(const struct postings *postings, size_t size);

/*
 * The term's postings for sets of at least one size and at most another, and a few more at
 * either end: they are looked for among sizes that stand close together.
 */
struct posting_list postings_between(const struct postings *postings, uint32_t term,
                                     size_t smallest, size_t largest);

/* Has what postings_between() reads first of a term fetched; where it begins, before that. */
static inline void postings_fetch_range(const struct postings *postings, uint32_t term)
{
    PREFETCH(&postings->ends[term]);
}

static inline void postings_fetch_sizes(const struct postings *postings, uint32_t term)
{
    PREFETCH(&postings->sizes[postings->ends[term] / POSTINGS_STEP]);
}

void postings_free(struct postings *postings);

/* Has so many cache lines of a list fetched: from there on the processor does it. */
static inline void list_fetch(const uint32_t *list, size_t count, size_t lines)
{
    enum { LINE = 16 }; /* numbers in one */
    for (size_t i = 0; i < count && i < lines * LINE; i += LINE) {
        PREFETCH(&list[i]);
    }
}

/* The sets of one term that a look-up meets. */
struct set_list {
    const uint32_t *sets;
    size_t count;
};

/*
 * The sets of each term, which are looked at while they are added, by ascending size, for
 * look-ups that ask for ever larger sets.  To be made as struct postings is, but that all
 * are counted before the first is added.  Most that is looked at is a set's number, which
 * is all that a look-up is shown.
 */
struct rising_range {
    size_t first; /* that may still be asked for */
    size_t end;   /* while they are counted, their number */
};

struct rising_postings {
    struct rising_range *ranges; /* by term */
    uint32_t *sets;
    uint16_t *sizes; /* of them */
};

void rising_new(struct rising_postings *postings, size_t terms);
void rising_count(struct rising_postings *postings, uint32_t term);
void rising_allot(struct rising_postings *postings, size_t terms);
void rising_add(struct rising_postings *postings, uint32_t term, uint32_t set, uint16_t size);

/*
 * The term's sets of at least one size and, as far as it pays to look, at most another;
 * those smaller than the first are not asked for again.
 */
struct set_list rising_between(struct rising_postings *postings, uint32_t term, size_t smallest,
                               size_t largest);

void rising_free(struct rising_postings *postings);

/* How many postings cost as much to look at as an entry of a scan. */
#define SCAN_COST 4

struct scan_entry {
    uint64_t fold; /* of the set's signature: its words by exclusive or, still a parity map */
    uint32_t set;  /* its number, in rank order */
};

struct size_class {
    size_t size;
    size_t set_count;
    struct scan_entry *entries; /* in the order of their sets; see size_classes_add() */
    size_t count;
    size_t capacity;
};

/* All zero is an empty one. */
struct size_classes {
    struct size_class *classes; /* only those that have a set, by ascending size */
    size_t count;
    size_t capacity;
};

/* Counts a set of that size. */
void size_classes_count(struct size_classes *sizes, size_t size);

/* Adds what a scan needs of a set that has been counted: many inputs are never scanned. */
void size_classes_add(struct size_classes *sizes, size_t size, struct scan_entry entry);

/* The first class of at least that size: an index, sizes->count when there is none. */
size_t size_classes_from(const struct size_classes *sizes, size_t size);

void size_classes_free(struct size_classes *sizes);

/* Sets by the hash of the whole set: a table with open addressing. */
struct set_slot {
    uint32_t hash;
    uint32_t set; /* SET_NONE: free */
};

#define SET_NONE UINT32_MAX

/* All zero is an empty one. */
struct set_table {
    struct set_slot *slots;
    size_t slot_count; /* a power of two, or 0 */
    size_t count;
    uint64_t seed; /* of the hashes */
};

/*
 * The hash of a set of distinct ids, in whatever order: equal sets have equal hashes, and
 * unequal ones may.  It differs from run to run: nobody can make sets that share one.
 */
uint32_t set_table_hash(struct set_table *table, const uint32_t *ids, size_t count);

void set_table_add(struct set_table *table, uint32_t hash, uint32_t set);

/*
 * Goes through the sets with that hash, which may be unequal all the same.
 * *place is 0 to begin with.  SET_NONE: no more.
 */
uint32_t set_table_next(const struct set_table *table, uint32_t hash, size_t *place);

void set_table_free(struct set_table *table);

#endif
