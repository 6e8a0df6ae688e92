/* advice.h: what to do about a document whose chunks are not where --items looks. */
#ifndef EDGEFOLD_ADVICE_H
#define EDGEFOLD_ADVICE_H

#include "base/base.h"
#include "json/json.h"

/*
 * Adds the path as a filter of jq, to stand between single quotes in a shell: .hits.hits.
 * A key that is a number is an index, unless it meets an object in the value.
 */
void advice_add_filter(struct buf *out, struct slice value, const struct path *path);

#endif
