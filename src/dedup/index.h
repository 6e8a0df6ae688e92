/*
 * index.h: where the join looks for kept sets.
 *
 * By the terms of their prefixes (postings), in the one order of terms by which
 * prefixes are taken (term_order); by their sizes, where no term is rare; and by a
 * hash of the whole set, where an equal one may be there.
 */
#ifndef EDGEFOLD_INDEX_H
#define EDGEFOLD_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/*
 * That a kept set has a term in its prefix, with bounds that spare a look at
 * the set.  A bound that does not fit 16 bits is left out, which is safe: it
 * only lets more pairs through to the comparison.
 */
struct posting {
    uint32_t record;  /* the set's number, in rank order */
    uint16_t size;    /* of the set; 0: too large to say */
    uint16_t longest; /* set that it is similar to, by size and position; UINT16_MAX: any */
};

struct posting_list {
    struct posting *postings; /* in the order of their records */
    uint32_t count;
    uint32_t capacity;
};

/* All zero is an empty index. */
struct postings {
    struct posting_list *lists; /* by term id */
    size_t count;
    size_t capacity;
    struct arena arena;
};

void postings_add(struct postings *postings, uint32_t id, struct posting posting);

/* The term's list, empty where nothing was posted; good until the next postings_add(). */
const struct posting_list *postings_of(const struct postings *postings, uint32_t id);

void postings_free(struct postings *postings);

struct scan_entry {
    uint64_t fold;   /* of the set's signature: its words by exclusive or, still a parity map */
    uint32_t record; /* the set's number, in rank order */
};

struct size_class {
    size_t size;
    struct scan_entry *entries; /* in the order of their records */
    size_t count;
    size_t capacity;
};

/* All zero is an empty one. */
struct size_classes {
    struct size_class *classes; /* only those that have a set, by ascending size */
    size_t count;
    size_t capacity;
};

void size_classes_add(struct size_classes *sizes, size_t size, struct scan_entry entry);

/* The first class of at least that size: an index, sizes->count when there is none. */
size_t size_classes_from(const struct size_classes *sizes, size_t size);

void size_classes_free(struct size_classes *sizes);

/* Kept sets by the hash of the whole set: a table with open addressing. */
struct set_slot {
    uint64_t hash;
    uint32_t record; /* SET_NONE: free */
};

#define SET_NONE UINT32_MAX

/* All zero is an empty one. */
struct set_table {
    struct set_slot *slots;
    size_t slot_count; /* a power of two, or 0 */
    size_t count;
};

void set_table_add(struct set_table *table, uint64_t hash, uint32_t record);

/*
 * Goes through the sets with that hash, which may be unequal all the same.
 * *place is 0 to begin with.  SET_NONE: no more.
 */
uint32_t set_table_next(const struct set_table *table, uint64_t hash, size_t *place);

void set_table_free(struct set_table *table);

/*
 * The prefix filter is right under any order that is the same for all sets, and
 * quick under one that puts rare terms first.  At first a later id counts as
 * rarer, since ids go by first appearance; that costs nothing.  From time to time
 * the true frequencies take over for the terms known by then.
 *
 * All zero is the first order.
 */
struct term_order {
    uint32_t *keys; /* by id, for ids below `known`; any other id is its own key */
    size_t known;
    uint64_t *keyed; /* scratch: key and id of a set's terms */
    size_t keyed_capacity;
    uint32_t *rarest; /* what order_rarest() returned last */
    size_t rarest_capacity;
};

/*
 * The `count` rarest of the `total` distinct ids, rarest first.  They stay as
 * they are until the next call; ids is not changed.
 */
const uint32_t *order_rarest(struct term_order *order, const uint32_t *ids, size_t total,
                             size_t count);

/*
 * From here on terms are ordered by frequency: how many kept sets have each of
 * the first `terms` ids.  Prefixes taken before do not go with those after.
 */
void order_by_frequency(struct term_order *order, const uint32_t *frequencies, size_t terms);

void order_free(struct term_order *order);

#endif
