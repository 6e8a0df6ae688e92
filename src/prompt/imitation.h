/*
 * imitation.h: lines of a chunk that look like the prompt's own.
 *
 * Formats without tags are held together by how their lines begin.  A line of a
 * chunk that begins so, normalised for comparison (see visible.h), is quoted: "> "
 * is put before it.  All other lines stay as they are.
 *
 * A marker is a line's start as a format has it, in lower case and without blanks:
 *
 *     0    one decimal digit or more
 *     %    one of the header's names
 *     $    the end of the line
 *     x+   the character x once or more
 */
#ifndef EDGEFOLD_IMITATION_H
#define EDGEFOLD_IMITATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "header.h"

/* Lists of markers that end in NULL; without any list, every line counts as an imitation. */
struct markers {
    const char *const *lines;
    const char *const *bars; /* what follows a bar inside of a line, or NULL */
    const char *const *more; /* of lines, what a template brings, or NULL */
    const struct header *header;
    bool containers; /* a line may begin so inside of quotes and list items as well */
    bool goes_on;    /* what follows the text may end what it begins */
};

/*
 * Whether a line looks like the prompt's own; sets *marker to what is left of it from
 * the character on that makes it look so.
 */
bool imitation_find(struct slice line, const struct markers *markers, struct slice *marker);

/*
 * Of a marker that is drawn with one character, a rule, an underline or a fence, how many
 * bytes from its start make it one; 0: it is none.
 */
size_t imitation_drawn(struct slice marker);

/* The bytes of the line end at `at`, as a reader may see one; 0: there is none. */
size_t imitation_line_end(const char *at, const char *end);

/* Takes the first line off a text and returns it, without its end. */
struct slice imitation_next_line(struct slice *text);

/* Adds text to out with such lines quoted; returns how many there were. */
size_t imitation_add_quoted(struct buf *out, struct slice text, const struct markers *markers);

/*
 * Adds text to out with "/" for a bar that a marker follows, as in "| SOURCE:" or
 * "| CONTENT:"; returns how many there were.
 */
size_t imitation_add_bars(struct buf *out, struct slice text, const struct markers *markers);

#endif
