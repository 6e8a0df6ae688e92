/*
 * filled.h: the lines of filled-in templates that imitate the prompt's own.
 *
 * Values of several places, or of two chunks, can stand on one line, so what a line
 * says is known when it is whole.  It is quoted where what makes it look like the
 * prompt's own begins in a value; what a template's author wrote is left alone.  A line
 * that is drawn, as an underline of dashes or a fence, is quoted where a value has a part
 * in it, were it only by being blank, as the dash of a list's item underlines what is above,
 * or by a line feed at its end, behind which the author's dashes begin a line.
 */
#ifndef EDGEFOLD_FILLED_H
#define EDGEFOLD_FILLED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "imitation.h"

/* Offsets in bytes. */
struct filled_value {
    size_t from;
    size_t to;
};

/* All zero to begin with. */
struct filled {
    struct filled_value *values; /* in lines that are still to be looked at, in order */
    size_t count;
    size_t capacity;
    size_t settled;    /* where the first such line starts */
    size_t scanned;    /* up to here no line of them ends */
    size_t text_below; /* of the line before: from which column on a paragraph may go on */
    struct buf scratch;
};

/* Begins anew with the line that out ends in. */
void filled_begin(struct filled *filled, const struct buf *out);

/* Notes that out has a value, which may be empty, from there to its end. */
void filled_note(struct filled *filled, const struct buf *out, size_t from);

/*
 * Quotes in out what imitates, in all lines that are whole or, at the end, in all.
 * Returns how many there were.
 */
size_t filled_settle(struct filled *filled, struct buf *out, const struct markers *markers,
                     bool at_end);

/* Takes the bytes that stand before the settled place out of the reckoning. */
void filled_cut(struct filled *filled);

void filled_free(struct filled *filled);

#endif
