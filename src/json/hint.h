/* hint.h: what to do about a line that is not JSON. */
#ifndef EDGEFOLD_HINT_H
#define EDGEFOLD_HINT_H

#include <jansson.h>
#include <stdbool.h>

#include "base/base.h"

/*
 * What the person who made the line may want to know, to be put after a message:
 * by the line, by jansson's error code and by the line's token that it stumbled
 * over (empty: none).  first: it is the first line of its file.  cut_short: the input
 * ends in the line.  skips: such lines are passed over as it is.
 */
const char *hint_for(struct slice line, enum json_error_code code, struct slice token, bool first,
                     bool cut_short, bool skips);

/* The same for a document of any number of lines; before is what ends in the token. */
const char *hint_for_document(struct slice document, struct slice before, enum json_error_code code,
                              struct slice token);

/* The same for bytes that are no text: what file begins so, or NULL. */
const char *hint_for_binary(struct slice bytes);

/*
 * Adds what an API's answer says of its failure (error.message, message, detail and the
 * like) to out, as one line; false when it says nothing of the kind.
 */
bool hint_add_api_error(struct buf *out, struct slice object);

#endif
