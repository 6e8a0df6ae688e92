/* terminal.h: what standard error is, and how wide text is on it. */
#ifndef EDGEFOLD_TERMINAL_H
#define EDGEFOLD_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "choice.h"
#include "mem.h"
#include "slice.h"

struct terminal {
    bool terminal;
    bool erases;  /* a terminal that can erase a line */
    bool colour;  /* as terminal_has_colour() says */
    bool utf8;    /* a terminal in a locale of UTF-8 */
    size_t width; /* in columns; SIZE_MAX where it is no terminal */
};

enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

extern const struct choices colour_choices;

/*
 * From here on *when, a row of these, decides about colour (NULL: COLOUR_AUTO).  It is
 * looked at each time, so that it may still be set, and must live until the program ends
 * or another takes its place.
 */
void terminal_colour_by(const size_t *when);

/*
 * Whether what is written to the descriptor may be coloured: by COLOUR_AUTO a terminal,
 * where neither NO_COLOR nor TERM says otherwise.
 */
bool terminal_has_colour(int fd);

/* Looks at standard error and the environment; the locale is not set. */
struct terminal terminal_open(void);

/*
 * Columns that a text takes: 2 for a wide grapheme cluster (East Asian, emoji), 0
 * for what combines or cannot be seen, else 1.
 */
size_t terminal_columns(struct slice text);

/* The longest start of the text, in bytes, that takes at most so many columns. */
size_t terminal_fit(struct slice text, size_t columns);

/* Adds the text and spaces up to so many columns; with right, the spaces first. */
void terminal_add_padded(struct buf *out, struct slice text, size_t columns, bool right);

/*
 * Adds the text in lines of at most so many columns (SIZE_MAX: as one), each ended by a line
 * feed.  It is broken at spaces, which go, or within what is longer than a line; lines but
 * the first begin with `indent` spaces, where columns are enough for that.
 */
void terminal_add_wrapped(struct buf *out, struct slice text, size_t columns, size_t indent);

#endif
