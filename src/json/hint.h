/* hint.h: what to do about a line that is not JSON. */
#ifndef EDGEFOLD_HINT_H
#define EDGEFOLD_HINT_H

#include <stdbool.h>

#include "base/base.h"

/*
 * What the person who made the line may want to know, to be put after a message;
 * by the line and by jansson's error text.  cut_short: the input ends in the line.
 */
const char *hint_for(struct slice line, const char *error, bool cut_short);

/* The same for an object without a text: it may be a response that holds the chunks. */
const char *hint_for_object(struct slice object);

#endif
