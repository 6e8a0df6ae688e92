/*
 * imitation.h: lines that look like the prompt's own.
 *
 * Formats without tags are held together by how their lines begin.  A line of a
 * chunk that begins so, read loosely (see visible.h), is quoted: "> " is put before
 * it.  All other lines stay as they are.
 */
#ifndef EDGEFOLD_IMITATION_H
#define EDGEFOLD_IMITATION_H

#include <stddef.h>

#include "base/base.h"
#include "header.h"

/* What lines can imitate, to be combined. */
enum guard {
    GUARD_NUMBER = 1,    /* [1] */
    GUARD_ID = 2,        /* ID: 1 */
    GUARD_SEPARATOR = 4, /* *** */
    GUARD_PART = 8,      /* Instructions: and Question: */
    GUARD_HEADING = 16,  /* # [1], # Instructions and # Question */
    GUARD_FENCE = 64,    /* ``` */
    GUARD_HEADER = 32    /* [Source: for the header's names */
};

/* Adds text to out with such lines quoted; returns how many there were. */
size_t imitation_add_quoted(struct buf *out, struct slice text, unsigned guards,
                            const struct header *header);

/*
 * Adds text to out with "/" for a bar that a field of the pipe format would follow,
 * as in "| SOURCE:" or "| CONTENT:"; returns how many there were.
 */
size_t imitation_add_bars(struct buf *out, struct slice text, const struct header *header);

#endif
