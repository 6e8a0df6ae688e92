/* layout.h: the order of what is kept. */
#ifndef EDGEFOLD_LAYOUT_H
#define EDGEFOLD_LAYOUT_H

#include "chunk.h"
#include "cli/options.h"

/*
 * Sets chunks->placed to the kept chunks in the order that --layout asks for, and
 * their positions.  Places anew when something was dropped since the last call.
 */
void place_chunks(struct chunks *chunks, const struct options *options);

#endif
