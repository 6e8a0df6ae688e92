/* layout.h: the orders of ranks that --layout names. */
#ifndef EDGEFOLD_LAYOUT_H
#define EDGEFOLD_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "place.h"

/*
 * Sets order to the places that n units, which stand best first, have by the layout:
 * order[0] is the rank, from 0, of the unit that comes first.  False: they are to stand
 * as they came.
 */
bool layout_order(size_t *order, size_t n, const struct place_options *options);

#endif
