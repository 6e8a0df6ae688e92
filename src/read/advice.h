/* advice.h: what to do about a document whose chunks are not where --items looks. */
#ifndef EDGEFOLD_ADVICE_H
#define EDGEFOLD_ADVICE_H

#include <stdbool.h>

#include "base/base.h"
#include "document.h"
#include "json/json.h"

/*
 * Adds the path as a filter of jq, to stand between single quotes in a shell: .hits.hits.
 * A key that is a number is an index, unless it meets an object in the value.
 */
void advice_add_filter(struct buf *out, struct slice value, const struct path *path);

/* Adds what a document has at the path, or on the way there, in place of an array. */
void advice_add_no_array(struct buf *out, struct json_checker *checker, struct slice document,
                         const struct path *path);

/* Adds what to do about several documents one after the other, of which this is the first. */
void advice_add_several(struct buf *out, struct slice first, const struct path *path);

/* Adds what to do about an element that is no object; advises_skip: also to pass over it. */
void advice_add_no_object(struct buf *out, const struct document *document, struct slice element,
                          bool advises_skip);

/* Adds what to do about an element without a text. */
void advice_add_no_text(struct buf *out, const struct document *document, struct slice element);

#endif
