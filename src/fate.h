/* fate.h: what became of a chunk, in words. */
#ifndef EDGEFOLD_FATE_H
#define EDGEFOLD_FATE_H

#include "base/base.h"
#include "chunk.h"
#include "cli/options.h"

/* The name of a fate: "duplicate", "over-budget". */
const char *fate_name(enum fate fate);

/* Adds the chunk's file and line as FILE:LINE. */
void fate_add_place(struct buf *out, const struct chunks *chunks, const struct chunk *chunk);

/*
 * Adds the chunk's fate with the evidence for it, as in "duplicate of line 3,
 * 0.91 (61/67 words)" or "score 0.12 is below 0.3".
 */
void fate_describe(struct buf *out, const struct chunks *chunks, const struct chunk *chunk,
                   const struct options *options);

#endif
