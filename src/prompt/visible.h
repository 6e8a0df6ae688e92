/*
 * visible.h: a text normalised for comparison with the prompt's own parts.
 *
 * Who imitates a prompt's structure need not spell it as we do.  So code points
 * are folded to compatibility forms (UAX #15) and lower case, and what cannot be
 * seen is passed over: white space, controls, format and other ignorable
 * characters.
 */
#ifndef EDGEFOLD_VISIBLE_H
#define EDGEFOLD_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <utf8proc.h>

#include "base/base.h"

/* Where a reader stands.  It can be copied, to look ahead. */
struct visible {
    const utf8proc_uint8_t *at; /* after the code point that was last looked at */
    const utf8proc_uint8_t *end;
    utf8proc_int32_t folded[8]; /* of that code point, which may fold to several */
    size_t count;
    size_t next;
};

/* A reader at the start of a text of UTF-8, which must outlive it. */
struct visible visible_open(struct slice text);

/* The next folded code point that can be seen; 0 at the end. */
int32_t visible_next(struct visible *reader);

/* Moves past c if that is next. */
bool visible_skip(struct visible *reader, int32_t c);

/* Bytes of the text before the first character that can be seen; all, without one. */
size_t visible_start(struct slice text);

/* Whether the text ends while it still agrees with another, itself normalised. */
bool visible_ends_within(struct visible reader, struct slice other);

/* Moves past text, itself normalised, if it is next. */
bool visible_skip_text(struct visible *reader, struct slice text);

#endif
