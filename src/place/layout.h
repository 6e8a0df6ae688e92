/* layout.h: the orders of ranks that --layout names. */
#ifndef EDGEFOLD_LAYOUT_H
#define EDGEFOLD_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "place.h"

/*
 * Which of n units, which stand best first, has the place by the layout; both count from 0.
 * They are to be put in the order of the input before, where the layout is that.
 */
size_t layout_unit_at(size_t place, size_t n, const struct place_options *options);
bool layout_is_input(const struct place_options *options);

#endif
