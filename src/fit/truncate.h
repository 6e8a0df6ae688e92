/* truncate.h: where a text that is too long can end. */
#ifndef EDGEFOLD_TRUNCATE_H
#define EDGEFOLD_TRUNCATE_H

#include <stddef.h>

#include "base/base.h"

/*
 * The longest start of the text, in bytes, that is at most `most` bytes long and
 * ends between two grapheme clusters (Unicode Standard Annex #29).
 */
size_t truncate_at_grapheme(struct slice text, size_t most);

/*
 * The same at a place where a reader expects an end: after a sentence if one ends
 * in the last third of `most` bytes, else after the last line or word that does,
 * else between two graphemes.  White space at the end is left out; 0 when there
 * is nothing but that.
 */
size_t truncate_at_end(struct slice text, size_t most);

#endif
