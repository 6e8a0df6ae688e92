/* renderer.h: what rendering needs from piece to piece. */
#ifndef EDGEFOLD_RENDERER_H
#define EDGEFOLD_RENDERER_H

#include "base/base.h"
#include "escape.h"
#include "filled.h"
#include "prompt.h"
#include "tag_suffix.h"

struct renderer {
    const struct prompt_options *options;
    const struct chunks *chunks;
    struct escaper escaper;
    char suffix[TAG_SUFFIX_LENGTH + 2]; /* of tags, with its dash; or empty */
    struct buf text;                    /* a chunk's, decoded */
    struct buf truncated;               /* the same, truncated and marked */
    struct buf passage;                 /* of several chunks */
    struct buf value;
    struct buf block; /* the strings of a body's block */
    struct buf source;
    struct buf title;
    struct interner ids;    /* of the blocks so far, which are unique */
    struct interner names;  /* of all chunks, for a body whose ids must be unique */
    uint32_t *chunks_named; /* by name: how many chunks have it; NULL: not counted yet */
    bool names_repeat;      /* some more than one */
    struct buf line;        /* a value on one line */
    struct buf id;
    struct filled filled;  /* chunk templates */
    struct buf unfinished; /* what stands behind the last line end of what was flushed */
};

#endif
