/* quote.h: text as a JSON string. */
#ifndef EDGEFOLD_QUOTE_H
#define EDGEFOLD_QUOTE_H

#include "base/mem.h"
#include "base/slice.h"

/* Adds a text of UTF-8 as a JSON string, quotes included (RFC 8259, section 7). */
void json_add_string(struct buf *out, struct slice text);

#endif
