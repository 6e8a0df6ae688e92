/*
 * controls.h: what of a text is not printed as it is, in any format.
 *
 * A prompt goes through terminals, files and APIs, of which some choke on
 * controls and some obey them.
 */
#ifndef EDGEFOLD_CONTROLS_H
#define EDGEFOLD_CONTROLS_H

#include "base/base.h"

/*
 * A text of UTF-8 with CR LF as LF, NUL as U+FFFD, and every other C0 control but
 * tab and line feed, and DEL, as a space.  A text that has none of these is
 * returned as it is, else what is returned is in scratch, whose former content is
 * lost.
 */
struct slice controls_replace(struct slice text, struct buf *scratch);

/*
 * Adds a value to out as one line: every control (C0, DEL, C1) and line or
 * paragraph separator as a space, NUL as U+FFFD, without spaces at its ends.
 */
void controls_add_line(struct buf *out, struct slice value);

/*
 * The text without tag characters (U+E0000 to U+E007F) outside the flags of regions,
 * which are the only thing that they still stand for: nobody sees them but a model.
 * Adds to *count how many were left out.  What is returned is the text itself, or is in
 * scratch, whose former content is lost.
 */
struct slice controls_strip_tags(struct slice text, struct buf *scratch, size_t *count);

/* Spaces, tabs, line feeds and carriage returns at the end of a text left out. */
struct slice controls_trim_end(struct slice text);

#endif
