/* quote.h: text as a JSON string. */
#ifndef EDGEFOLD_QUOTE_H
#define EDGEFOLD_QUOTE_H

#include "base/base.h"

/* Adds a text of UTF-8 as a JSON string, quotes included (RFC 8259, section 7). */
void value_add_quoted(struct buf *out, struct slice text);

#endif
