/*
 * overlaps.h: which texts stand in others, and whose ends are whose starts.
 *
 * Starts of a fixed length are looked up by a hash at each place of each text, after a
 * filter (Bloom 1970), and compared among the sorted texts then.  So the work goes with
 * the bytes of text and hardly with their number, however many begin alike.
 */
#ifndef EDGEFOLD_OVERLAPS_H
#define EDGEFOLD_OVERLAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "squeeze.h"

#define NO_TEXT UINT32_MAX

struct overlaps;

/*
 * Of n squeezed texts, the better first, which must outlive it; at least so many code
 * points are an overlap, of which two may be spaces that squeezing took from the edges.
 * To be given to overlaps_free().
 */
struct overlaps *overlaps_new(const struct squeezed *texts, size_t n, size_t least);
void overlaps_free(struct overlaps *overlaps);

/*
 * That a text stands wholly in another one.  White space at its edges must be there too,
 * unless that other one has lost it at its own.
 */
struct containment {
    uint32_t text; /* the other, which stands in none itself; NO_TEXT: there is none */
    size_t at;     /* where, in bytes */
};

/*
 * What the text stands in: of several the best, or what that stands in; equal texts stand
 * in the best of them.
 */
struct containment overlaps_container(const struct overlaps *overlaps, uint32_t text);

/* That the end of one text, from `at` on, is the start of others. */
struct overlap {
    size_t at;      /* bytes */
    size_t points;  /* code points of that end, without white space at the texts' edges */
    uint32_t first; /* the others, in the order of overlaps_sorted() */
    uint32_t count;
};

/*
 * Finds the longest overlap that begins at or behind `from`, with any texts but those
 * that stand in others; the text itself may be among them.  An end that a great many
 * begin with is none.  False: there is no overlap.
 */
bool overlaps_find(const struct overlaps *overlaps, uint32_t text, size_t from,
                   struct overlap *overlap);

/* The text that is at a place in the order of their bytes. */
uint32_t overlaps_sorted(const struct overlaps *overlaps, uint32_t place);

#endif
