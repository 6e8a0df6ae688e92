/*
 * prefilter.h: a line of JSON without what is in its strings and numbers.
 *
 * jansson looks at each byte of a string several times, and strings are most of a
 * line.  So they are checked here, quickly, and numbers too, and jansson checks what is
 * left: the structure, which many lines have in common.
 */
#ifndef EDGEFOLD_PREFILTER_H
#define EDGEFOLD_PREFILTER_H

#include <stdbool.h>

#include "base/base.h"

/*
 * Writes line to stripped with each of its strings as "", and each number of a moderate
 * size as 0.  True only when each string was found to be what RFC 8259 and jansson take:
 * UTF-8 without controls, right escapes, whole surrogate pairs and no \u0000.  Then jansson
 * takes stripped if and only if it takes line, since it takes repeated keys.  False when
 * there was any doubt, or nothing to leave out.
 */
bool prefilter_line(struct buf *stripped, struct slice line);

/* Whether a string, quotes included, is whole and found to be so. */
bool prefilter_accepts(struct slice string);

/* Whether a string has a backslash before what it does not escape; for messages. */
bool prefilter_has_bad_escape(struct slice string);

#endif
