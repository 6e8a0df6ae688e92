/*
 * markup.h: text as HTML, which it can never become by itself.
 *
 * What HTML would read is written as references.  What cannot be seen or reorders the
 * text around it is shown by its number, as messages on a terminal do.
 */
#ifndef EDGEFOLD_MARKUP_H
#define EDGEFOLD_MARKUP_H

#include <stddef.h>

#include "base/base.h"
#include "dedup/dedup.h"

/*
 * Adds the text, for an element or between double quotes.  In an element such a number
 * stands in one of its own, to be told from a text that has the same characters.
 */
void markup_add(struct buf *out, struct slice text);
void markup_add_quoted(struct buf *out, struct slice text);

/* Adds the text with each of the places, which stand in order, in a mark element. */
void markup_add_marked(struct buf *out, struct slice text, const struct text_span *marks,
                       size_t count);

/*
 * Adds what a Content-Security-Policy calls a style or script by: 'sha256-...' (FIPS 180-4,
 * RFC 4648) of its bytes.
 */
void markup_add_digest(struct buf *out, struct slice bytes);

#endif
