/*
 * escape.h: texts and values made harmless for the format that they go into.
 *
 * What comes from a chunk can neither close nor open nor imitate what the prompt
 * is made of; all else in it stays as it is.
 */
#ifndef EDGEFOLD_ESCAPE_H
#define EDGEFOLD_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "cli/options.h"

/* All zero but for the options to begin with. */
struct escaper {
    const struct options *options;
    size_t changed; /* tags, lines and characters so far */
    struct buf clean;
    struct buf quoted;
    struct buf bars;
};

/* Adds a text, lines and all.  With goes_on, the next may end what this one begins. */
void escape_add_text(struct escaper *neutral, struct buf *out, struct slice text, bool goes_on);

/* Adds a text that a fence of backticks holds: only controls are replaced. */
void escape_add_fenced(struct escaper *neutral, struct buf *out, struct slice text, bool goes_on);

/*
 * Adds a value on one line; for an attribute's, quote is the quotation mark that
 * it stands in, else 0.
 */
void escape_add_line(struct escaper *neutral, struct buf *out, struct slice value, char quote);

void escaper_free(struct escaper *neutral);

#endif
