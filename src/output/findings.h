/*
 * findings.h: what the stories of --why are told from.
 *
 * Much of it takes a look at every chunk.  So all chunks that have a story are named first,
 * and what they need is found for all of them together.
 */
#ifndef EDGEFOLD_FINDINGS_H
#define EDGEFOLD_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output.h"

/* A chunk that has a story. */
struct finding {
    const struct chunk *chunk;
    size_t text;                 /* kept: which of the asked texts its own is */
    struct own_share share;      /* and what others say of it, */
    const struct chunk *nearest; /* most of it this one; NULL: none has a word of it */
    struct held_chunk held;      /* over budget: by which it would not be */
};

struct findings {
    struct chunks *chunks;
    struct finding *all;
    size_t count;
    size_t capacity;
    uint32_t *numbers; /* by chunk: its finding, from 1 on; 0: it has no story */
    size_t *placed_at; /* by chunk: where in the order of the layout, if it is kept */
    size_t *in_line;   /* by place in the ranking, see findings_place_in_line() */
    size_t *in_group;  /* likewise */
    const struct chunk *first_misfit; /* the best that did not fit, at least not whole */
};

/* Of these chunks, which must outlive it; to be given to findings_free(). */
void findings_open(struct findings *findings, struct chunks *chunks);
void findings_free(struct findings *findings);

/* Names a chunk that has a story; once is enough. */
void findings_name(struct findings *findings, const struct chunk *chunk);

/* Finds what the stories need, after all were named. */
void findings_find(struct findings *findings, const struct why_options *options);

/* What was found for a chunk that was named. */
const struct finding *findings_of(const struct findings *findings, const struct chunk *chunk);

/*
 * How many that are as good or better came as far as the chunk did, which is beyond --top or
 * --per-group: in its group, or of all.
 */
size_t findings_place_in_line(const struct findings *findings, const struct chunk *chunk,
                              bool in_group);

#endif
