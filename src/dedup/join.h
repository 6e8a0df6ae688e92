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

#include "similarity.h"
#include "termset.h"

struct join;

/*
 * An empty join; to be given to join_free().  With keep_numbers two sets of
 * which each has a number that the other lacks are not similar.
 */
struct join *join_new(struct similarity similarity, bool keep_numbers);

struct join_hit {
    void *owner;   /* of the first set added that is similar; NULL: there is none */
    size_t shared; /* terms in both */
    size_t united; /* terms in either, or for containment in the set looked up */
};

/*
 * Looks up a set that is not empty.  Must come right before join_add() of the
 * same set.
 */
struct join_hit join_find(struct join *join, const struct term_set *set);

/* Adds a copy of the set; owner is what join_find() returns for it. */
void join_add(struct join *join, const struct term_set *set, void *owner);

void join_free(struct join *join);

#endif
