/* layout.h: the orders of ranks that --layout names. */
#ifndef EDGEFOLD_LAYOUT_H
#define EDGEFOLD_LAYOUT_H

#include <stddef.h>

#include "chunk.h"
#include "place.h"

/*
 * Puts n chunks, which stand best first, into the layout's order.  What comes out
 * has room for n.
 */
void layout_order(struct chunk **out, struct chunk *const *ranked, size_t n,
                  const struct place_options *options);

#endif
