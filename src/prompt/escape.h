/*
 * escape.h: texts and values escaped for the format that they go into.
 *
 * What comes from a chunk can neither close nor open nor imitate what the prompt
 * is made of; all else in it stays as it is.
 */
#ifndef EDGEFOLD_ESCAPE_H
#define EDGEFOLD_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "imitation.h"
#include "prompt.h"

/* All zero but for the options to begin with. */
struct escaper {
    const struct prompt_options *options;
    size_t escapes; /* tags, lines and characters so far */
    struct buf seen;
    struct buf clean;
    struct buf quoted;
    struct buf bars;
};

/* Adds a text, lines and all.  With goes_on, the next may end what this one begins. */
typedef void escape_function(struct escaper *escaper, struct buf *out, struct slice text,
                             bool goes_on);
escape_function escape_add_text;

/* The same for a text that a fence of backticks holds: only tags and controls are replaced. */
escape_function escape_add_fenced;

/*
 * Adds a value of a chunk's template, lines and all.  Which of these imitate is to be
 * seen where they are whole (filled.h).
 */
void escape_add_value(struct escaper *escaper, struct buf *out, struct slice value);

/* What lines and bars of the prompt's own look like in the format in force. */
struct markers escape_markers(const struct prompt_options *options);

/*
 * Adds a value on one line; for an attribute's, quote is the quotation mark that
 * it stands in, else 0.
 */
void escape_add_line(struct escaper *escaper, struct buf *out, struct slice value, char quote);

void escaper_free(struct escaper *escaper);

#endif
