/*
 * squeeze.h: a text with each run of white space as one space, and none at its ends.
 *
 * Texts that were cut from one document are compared so: who cuts them trims their
 * ends, and folds line ends.  Who cuts by tokens may cut a character, too, of which U+FFFD
 * is left: at the ends it is passed over like white space.
 */
#ifndef EDGEFOLD_SQUEEZE_H
#define EDGEFOLD_SQUEEZE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

struct squeezed {
    struct slice text;
    bool unchanged;    /* the text was squeezed as it came */
    bool space_before; /* which was taken off */
    bool space_after;
};

/*
 * The text squeezed: itself where that changes nothing and it is to last, else in the
 * arena.
 */
struct squeezed squeeze(struct arena *arena, struct slice text, bool lasts);

/* Bytes of the text before the byte that stands there, counted from 0, in the squeezed one. */
size_t squeeze_offset(struct slice text, size_t squeezed);

/* The white space that the text begins or ends with. */
struct slice space_before(struct slice text);
struct slice space_after(struct slice text);

#endif
