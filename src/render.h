/*
 * render.h: what a prompt looks like.
 *
 * A prompt is frame and documents.  Every piece that these functions add begins
 * with a tag and ends with a line feed, so that the tokens of the whole are the
 * sum of the pieces' (see tokens.h): the budget stage counts the pieces, the
 * prompt stage puts the same pieces together.
 */
#ifndef EDGEFOLD_RENDER_H
#define EDGEFOLD_RENDER_H

#include <stddef.h>

#include "mem.h"
#include "options.h"
#include "slice.h"

/* What stands before the first document, and after the last (question included). */
void render_head(struct buf *out, const struct options *options);
void render_tail(struct buf *out, const struct options *options);

/*
 * A document's opening line, numbered from 1, and all the rest of it: together
 * they are one piece.  The number as it stands there, alone, is no piece but
 * something to be counted.
 */
void render_number(struct buf *out, size_t number);
void render_document_head(struct buf *out, size_t number);
void render_document_body(struct buf *out, struct slice text);

#endif
