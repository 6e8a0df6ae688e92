/* tag_suffix.h: what --tag-suffix adds to the prompt's tags. */
#ifndef EDGEFOLD_TAG_SUFFIX_H
#define EDGEFOLD_TAG_SUFFIX_H

#include "base/base.h"
#include "chunk.h"

#define TAG_SUFFIX_LENGTH 8

/*
 * Writes a word of TAG_SUFFIX_LENGTH lower-case letters and digits and a NUL that
 * stands in no chunk and not in `more` either, and that the same input gives
 * again.  It is no secret to somebody who knows all of the input; it need not be,
 * since nothing that is in the input holds it.
 */
void tag_suffix_derive(char suffix[TAG_SUFFIX_LENGTH + 1], const struct chunks *chunks,
                       struct slice more);

#endif
