/* text.h: a member of a chunk's object as a person would write it. */
#ifndef EDGEFOLD_TEXT_H
#define EDGEFOLD_TEXT_H

#include <stdbool.h>

#include "base/base.h"

/*
 * Adds a raw JSON value to out: a string as what it says, a number and a boolean
 * as written, an array of those joined with ", ".  Null, an object, an absent
 * value and an empty string are nothing.  False when nothing was added.
 */
bool value_add_text(struct buf *out, struct slice value);

/* Whether there is something at all, though it may be nothing to print (an object). */
bool value_is_present(struct slice value);

#endif
