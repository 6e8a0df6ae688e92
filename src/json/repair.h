/*
 * repair.h: lines that are nearly JSON.
 *
 * Real producers write what RFC 8259 has not: Python's json module bare NaN and
 * Infinity and halves of surrogate pairs, others numbers beyond a double or bytes
 * that are not UTF-8.  What is meant is plain, so such a line is checked in the form
 * of a copy in which that is repaired.
 */
#ifndef EDGEFOLD_REPAIR_H
#define EDGEFOLD_REPAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* What there is to repair. */
enum repair {
    REPAIR_NAN,       /* NaN, Infinity and -Infinity as values */
    REPAIR_SURROGATE, /* \ud800 to \udfff that is no half of a pair */
    REPAIR_UTF8,      /* bytes in a string that are not UTF-8 */
    REPAIR_NUL,       /* \u0000 in a key, which jansson refuses */
    REPAIR_OVERFLOW,  /* numbers beyond a double */
    REPAIR_SEPARATOR, /* a record separator before the object (RFC 7464) */
    REPAIR_MARK,      /* a byte-order mark that is not at the file's start */
    REPAIRS
};

/* How a message calls it; NULL where there is nothing to say. */
extern const char *const repair_names[REPAIRS];

/*
 * Writes to out what jansson is to check in the line's place, of as many code
 * points as the line, so that columns stay what they are.  Returns a bit for each
 * enum repair that was needed; 0 when there was nothing to repair.
 */
unsigned repair_for_checking(struct buf *out, struct slice line);

/* The line without what repair_for_reading() leaves out before the object. */
struct slice repair_object(struct slice line);

/*
 * Writes the line to out as its values are to be read: U+FFFD for each byte that
 * is not UTF-8, no record separator or byte-order mark before it; the rest as it
 * is, for value.h copes with that.
 */
void repair_for_reading(struct buf *out, struct slice line);

/*
 * Adds the line to out as it is to leave the program: null for bare NaN, Infinity and
 * -Infinity, no byte-order mark before it, all else byte for byte.  Needs no memory but
 * for out, which grows by less than twice the line.
 */
void repair_for_output(struct buf *out, struct slice line);

#endif
