/*
 * stitch.h: windows that overlap, put together to the passages that they were cut from.
 *
 * The longest end of one text that is a start of another joins the two, and so do chains
 * of them; a text that stands wholly in another one joins it.
 */
#ifndef EDGEFOLD_STITCH_H
#define EDGEFOLD_STITCH_H

#include <stddef.h>
#include <stdint.h>

#include "chunk.h"

/* Where a chunk's text is in its passage, in bytes of squeezed text (squeeze.h). */
struct stretch {
    struct chunk *chunk;
    struct chunk *inside; /* the chunk whose text it stands in, or NULL */
    size_t from;
    size_t to;
    bool begins; /* the first of its passage */
};

/*
 * Puts n chunks, which stand best first, in the order of their passages, those first that
 * have the best chunks; sets what each joins and its overlap, in details that the arena
 * has.  `least` code points are an overlap.  Where the texts are is put into stretches, in
 * the new order, unless that is NULL.
 */
void stitch(struct chunk **chunks, size_t n, size_t least, struct arena *arena,
            struct stretch *stretches);

#endif
