/*
 * join.h: the kept sets, and which of them a new set is similar to.
 *
 * An exact set-similarity join, one set at a time in rank order.  The answer is
 * that of comparing with every kept set; most are never looked at.
 */
#ifndef EDGEFOLD_JOIN_H
#define EDGEFOLD_JOIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collection.h"
#include "similarity.h"

struct join;

/*
 * An empty join of sets of the collection, which must have all of them and is ordered
 * by it; to be given to join_free().  Where it keeps numbers two sets of which each has a
 * number that the other lacks are not similar.
 */
struct join *join_new(struct similarity similarity, struct collection *collection);

struct join_hit {
    uint32_t set;    /* the first one added that is similar; SET_NONE: there is none */
    uint32_t shared; /* terms in both */
    uint32_t united; /* terms in either, or for containment in the set looked up */
};

/* Looks up a set that is not empty, by its number in the collection. */
struct join_hit join_find(struct join *join, uint32_t set);

/* Adds the set, which must have been looked up right before. */
void join_add(struct join *join, uint32_t set);

void join_free(struct join *join);

#endif
