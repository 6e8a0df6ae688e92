/* tags.h: the prompt's own tags, which a chunk can neither open nor close. */
#ifndef EDGEFOLD_TAGS_H
#define EDGEFOLD_TAGS_H

#include "mem.h"
#include "slice.h"

/*
 * Adds text to out.  A "<" that begins one of the prompt's own tags, opening or
 * closing, becomes "&lt;"; nothing else changes, so that code and markup read as
 * before.  A model reads loosely, so letters of any case and of any compatibility
 * form count (full-width, mathematical, long s), and white space, controls and
 * invisible characters anywhere in the tag do not.
 */
void tags_add_defused(struct buf *out, struct slice text);

#endif
