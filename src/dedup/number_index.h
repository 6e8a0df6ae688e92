/*
 * number_index.h: where the join looks for kept sets by the numbers in them.
 *
 * Where numbers are kept apart, of two similar sets one has all numbers of the other.  So
 * what is similar to x has the number of x that is rarest, or else its own rarest is one of
 * x's, or it has none: of texts that are alike but for a number, hardly any.
 */
#ifndef EDGEFOLD_NUMBER_INDEX_H
#define EDGEFOLD_NUMBER_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collection.h"

/* How many entries of a scan (see index.h) a set costs that is looked at for its numbers. */
#define NUMBERS_COST 4

/* By number, lists of sets: made for all, and filled with those that are added. */
struct number_lists {
    size_t *starts; /* one more than there are numbers */
    size_t *ends;
    uint32_t *sets;
};

/* All zero is one of a collection that keeps no numbers. */
struct number_index {
    const struct collection *collection;
    struct number_lists with;   /* the sets that have a number */
    struct number_lists rarest; /* and those of which it is the rarest; the last: without any */
};

/* An empty one; to be given to number_index_free(). */
void number_index_new(struct number_index *index, const struct collection *collection);

/* Adds a set of the collection. */
void number_index_add(struct number_index *index, uint32_t set);

/*
 * How many sets, of those that have been added, a look-up by the set's numbers goes through;
 * SIZE_MAX where it has none, and anything goes.
 */
size_t number_index_count(const struct number_index *index, uint32_t set);

/* The same, when all sets have been added. */
size_t number_index_most(const struct number_index *index, uint32_t set);

/* Sets in the order in which they were added. */
struct number_list {
    const uint32_t *sets;
    size_t count;
};

/*
 * The lists that such a look-up goes through, one for each place from 0 on; false: there are
 * no more.  A set may stand in two of them.
 */
bool number_index_list(const struct number_index *index, uint32_t set, size_t place,
                       struct number_list *list);

void number_index_free(struct number_index *index);

#endif
