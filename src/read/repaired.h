/* repaired.h: chunks whose lines are nearly JSON. */
#ifndef EDGEFOLD_REPAIRED_H
#define EDGEFOLD_REPAIRED_H

#include "base/base.h"
#include "chunk.h"

/*
 * Gives the chunk an object of its own to be read, and a line of its own to be
 * written, where what was mended (bits of enum repair) asks for that.  Both live as
 * long as the chunks; what is in scratch is lost.
 */
void store_repaired(struct chunks *chunks, struct chunk *chunk, unsigned repairs,
                    struct buf *scratch);

#endif
