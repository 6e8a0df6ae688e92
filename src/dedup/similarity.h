/*
 * similarity.h: when two sets of terms are similar enough, and what follows.
 *
 * The threshold T is the fraction num/den.  All of this is arithmetic of
 * integers: T times a size as a double is wrong by one for some T (0.55 of 100
 * is 55.00000000000001), and then a pair at exactly the threshold is lost.
 *
 * Sizes are numbers of distinct terms, below 2^32; num and den are at most 10^9,
 * so that every product fits 64 bits.
 */
#ifndef EDGEFOLD_SIMILARITY_H
#define EDGEFOLD_SIMILARITY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "dedup.h"

struct similarity {
    enum similarity_kind kind;
    struct fraction threshold;
};

/*
 * In what follows x is the size of the set that is looked up, y that of a kept
 * one.  Each bound is a necessary condition: a pair that fails it is not similar.
 */

/*
 * The least overlap that makes the two similar; the pair is similar just when
 * its overlap is at least this.
 *
 *   Jaccard      o / (x + y - o) >= num/den, so o >= num * (x + y) / (num + den)
 *   containment  o / x >= num/den, so o >= num * x / den
 */
size_t similarity_least_overlap(const struct similarity *similarity, size_t x, size_t y);

/*
 * The smallest y: the overlap is at most y, and for both kinds it must be at
 * least num * x / den (for Jaccard because the union is at least x).  This is
 * the size filter of Bayardo, Ma and Srikant 2007.
 */
size_t similarity_smallest(const struct similarity *similarity, size_t x);

/*
 * The largest y when the overlap can be at most `overlap`; SIZE_MAX: no bound.
 * With overlap = x this is the other side of the size filter.  With overlap =
 * x - j it is what a common term at position j of x leaves possible, when no
 * term before it is common: the position filter (Xiao et al. 2008, 2011) put
 * as a bound on the size (Mann and Augsten 2014).
 *
 *   Jaccard      num * (x + y) <= (num + den) * overlap
 */
size_t similarity_largest(const struct similarity *similarity, size_t x, size_t overlap);

/*
 * The largest x for which a kept set of size y is similar when the overlap can
 * be at most `overlap`: the same bound, seen from the kept set.
 */
size_t similarity_largest_probe(const struct similarity *similarity, size_t y, size_t overlap);

/* Whether a large part of a set belongs to the prefix that is looked up. */
bool similarity_is_low(const struct similarity *similarity);

/*
 * How many common terms a pair must show before it is looked at.  The prefix filter
 * asks for one; with prefixes longer by m - 1 terms, similar sets have m in them
 * (Wang, Li and Feng 2012), or all of the least overlap where that is less.  Where
 * prefixes are long anyway, more of them pay.
 */
#define SIMILARITY_MOST_MATCHES 3
size_t similarity_matches(const struct similarity *similarity, size_t least_overlap);

/*
 * How many of a set's first terms, in one order for all sets, must be looked up
 * or posted so that similar sets meet in as many of them as similarity_matches() says:
 * the prefix filter (Bayardo et al. 2007).  With an overlap of at least o, the first
 * x - o + m terms of x hold m common ones, and so do the first y - o + m of y; o is
 * bounded from below by smallest(x), and for Jaccard by smallest(y).  Containment has no
 * bound by y, so there all of a kept set is posted.  Where for Jaccard only larger sets or
 * as large ones look for y, o is at least what two sets of its size must have in common:
 * about half of the prefix is enough (Xiao et al. 2008).
 */
size_t similarity_probe_prefix(const struct similarity *similarity, size_t x);
size_t similarity_posted_prefix(const struct similarity *similarity, size_t y);
size_t similarity_smaller_prefix(const struct similarity *similarity, size_t y);

/* The most that a pair can have in common whose m-th common term is at `place` of one, from 0. */
size_t similarity_most_overlap(const struct similarity *similarity, size_t size, size_t place);

#endif
