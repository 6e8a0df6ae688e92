/* response.h: objects that are no chunk, but the answer of an API, or lack what is looked for. */
#ifndef EDGEFOLD_RESPONSE_H
#define EDGEFOLD_RESPONSE_H

#include "base/base.h"
#include "json/json.h"

/* Adds what to do about an object without a text, to be put after a message. */
void response_add_hint(struct buf *out, struct slice object);

/*
 * Adds the paths of the object's members of a kind, a few of them, with commas between;
 * returns whether there are any.
 */
bool response_add_paths(struct buf *out, struct slice object, enum value_kind kind);

/*
 * Adds the paths of arrays of objects below the value at path, likewise; of an array those
 * in its first element.  Returns how many it has found.
 */
size_t response_add_lists(struct buf *out, struct slice value, const struct path *path);

/* Where a response has its chunks in an array, by its name; NULL: it is none that is known. */
const char *response_list(struct slice object);

/* Adds what an API's answer says of its failure, likewise; false: it is none. */
bool response_add_error(struct buf *out, struct slice object);

#endif
