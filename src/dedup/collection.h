/*
 * collection.h: the term sets of all texts, before any is compared.
 *
 * To see all of them first pays three times: equal sets are one, terms that stand in
 * one set alone need not be looked for anywhere, and the others can be ordered by
 * how rare they are in the whole input, which is what makes a prefix filter quick.
 */
#ifndef EDGEFOLD_COLLECTION_H
#define EDGEFOLD_COLLECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "index.h"
#include "similarity.h"
#include "termset.h"

/* A set as it is kept: see collection_terms(). */
struct stored_set {
    size_t first;    /* of its terms in the collection's: those that another set has too */
    uint32_t shared; /* how many these are */
    uint32_t count;  /* all distinct terms of the text */
};

/* The ids of a set's words with a digit, where they are kept: behind its terms. */
struct set_numbers {
    const uint32_t *ids;
    size_t count;
};

/* All zero is an empty one, but for what is to be set. */
struct collection {
    struct stored_set *sets;
    size_t count;
    size_t capacity;
    uint32_t *terms; /* of all sets, one behind the other */
    size_t terms_used;
    size_t terms_capacity;
    size_t term_count;     /* every term is below */
    bool keeps_numbers;    /* to be set before the first set is added */
    size_t number_ids;     /* every number is below */
    uint32_t *frequencies; /* by term: how many sets have it */
    size_t frequency_capacity;
    struct set_table equals;
};

/* The terms of a set that others have too, in no order: of one that was just added, all. */
static inline uint32_t *collection_terms(const struct collection *collection,
                                         const struct stored_set *set)
{
    return collection->terms + set->first;
}

/*
 * Of a set's first `prefix` terms, rarest first, those that other sets have too: what it
 * has alone comes before them, and nobody meets it there.
 */
static inline size_t shared_prefix(const struct stored_set *set, size_t prefix)
{
    size_t alone = set->count - set->shared;
    return prefix > alone ? prefix - alone : 0;
}

/*
 * Adds a copy of the set, unless an equal one is there; returns the number of
 * whichever stands for it, counted from 0 in the order in which they came.
 */
uint32_t collection_add(struct collection *collection, const struct term_set *set);

struct set_numbers collection_numbers(const struct collection *collection,
                                      const struct stored_set *set);

/*
 * Gives the terms new numbers, the most frequent 0, and takes from each set those that
 * no other has.  Nothing can be added any more.
 */
void collection_order(struct collection *collection);

/*
 * Brings the `count` rarest terms of a set to the front of its terms, rarest first: of
 * those that others have too, in the order of collection_order().
 */
void collection_rarest_first(struct collection *collection, const struct stored_set *set,
                             size_t count);

/*
 * The size of the longest set that one is similar to, when the last term of those that both
 * must show is that at `place`, from 0, of those that others have too.
 */
size_t collection_longest(const struct similarity *similarity, const struct stored_set *set,
                          size_t place);

/* Sorts set numbers by ascending size, as far as a posting can say it; equals stay in order. */
void collection_sort_by_size(const struct collection *collection, uint32_t *sets, size_t count);

void collection_free(struct collection *collection);

#endif
