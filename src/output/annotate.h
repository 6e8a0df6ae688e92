/* annotate.h: --annotate: what became of a chunk, as a member of its line. */
#ifndef EDGEFOLD_ANNOTATE_H
#define EDGEFOLD_ANNOTATE_H

#include "chunk.h"
#include "output.h"

/*
 * Adds the chunk's line with the member of --annotate put in before the brace that ends the
 * object: rank, position, tokens and score, what fusing and stitching made of it, and for
 * a chunk that was dropped its fate and why.  A line that is no object, or that has such a
 * member, is added as it is.  Either way a line feed ends it.
 */
void annotate_add(struct buf *out, const struct chunks *chunks, const struct chunk *chunk,
                  const struct output_options *options);

#endif
