/*
 * render.h: what a prompt looks like.
 *
 * A prompt is a head, a block for each chunk, and a tail.  The budget stage counts
 * these pieces and the whole, the prompt stage prints the whole, and both come
 * from here.
 */
#ifndef EDGEFOLD_RENDER_H
#define EDGEFOLD_RENDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "chunk.h"
#include "cli/options.h"
#include "escape.h"
#include "tag_suffix.h"

/* What rendering needs from piece to piece. */
struct render {
    const struct options *options;
    struct escaper neutral;
    char suffix[TAG_SUFFIX_LENGTH + 2]; /* of tags, with its dash; or empty */
    struct buf text;                    /* a chunk's, decoded */
    struct buf cut;                     /* the same, cut and marked */
    struct buf value;
};

/* Readies a renderer for these chunks; to be given to render_close(). */
void render_open(struct render *render, const struct chunks *chunks, const struct options *options);
void render_close(struct render *render);

/* What stands before the first block, and after the last (question included). */
void render_head(struct render *render, struct buf *out);
void render_tail(struct render *render, struct buf *out);

/*
 * A chunk's block, with its number in the prompt.  The text is the chunk's, as
 * render_text() gives it, or what is to stand in its place.
 */
void render_block(struct render *render, struct buf *out, const struct chunk *chunk, size_t number,
                  struct slice text);

/*
 * The text as it goes into its block: decoded, and where the budget cuts it, cut
 * and marked.  Good until the next call.
 */
struct slice render_text(struct render *render, const struct chunk *chunk);

/* The first `length` bytes of a text and the mark of a cut; good until the next call. */
#define RENDER_TRUNCATED_MARK " [...]"
struct slice render_truncated(struct render *render, struct slice text, size_t length);

/*
 * Adds the whole to out, with the chunks as they are placed.  With flush, out is
 * given to it when it has grown large and at the end: it is to write and empty it
 * and to return a status, which is returned.
 */
int render_all(struct render *render, struct buf *out, const struct chunks *chunks,
               int (*flush)(struct buf *out));

/*
 * What every block and the tail begin with, as far as a term_extractor looks back from
 * there: a piece costs what it adds before this.  Only without templates is that so
 * (see render_is_additive()).
 */
struct slice render_seam(const struct render *render);

/* Whether the tokens of the whole are the sum of the pieces', each counted before the seam. */
bool render_is_additive(const struct render *render);

#endif
