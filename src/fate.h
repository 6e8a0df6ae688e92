/* fate.h: what became of a chunk, and the evidence for it. */
#ifndef EDGEFOLD_FATE_H
#define EDGEFOLD_FATE_H

#include "base/base.h"

struct chunk;
struct chunks;

/* All but the first have a row in fate.c, which is all that the output knows of them. */
enum fate {
    FATE_KEPT,            /* in the output */
    FATE_BELOW_MIN_SCORE, /* worse than --min-score */
    FATE_DUPLICATE,       /* too similar to a better-ranked kept chunk */
    FATE_BEYOND_TOP,      /* after --top */
    FATE_OVER_BUDGET,     /* did not fit */
    FATE_NOT_RERANKED,    /* left out by the reranker's answer */
    FATE_FUSED,           /* a copy in another list was taken in its place */
    FATE_INVALID,         /* unusable: an empty text, or passed over by --skip-invalid */
    FATES
};

/* What a fate rests on, to be combined: members of the report. */
enum evidence {
    EVIDENCE_SURVIVOR = 1,   /* chunk.survivor */
    EVIDENCE_SIMILARITY = 2, /* chunk.shared and chunk.united */
    EVIDENCE_COST = 4        /* chunk.needed and chunk.tokens_left */
};

/* The name of a fate: "duplicate", "over-budget". */
const char *fate_name(enum fate fate);

/* Bits of enum evidence. */
unsigned fate_evidence(enum fate fate);

/*
 * Adds the chunk's fate with the evidence for it, as in "duplicate of line 3,
 * 0.91 (61/67 words)" or "score 0.12 is below 0.3".
 */
void fate_describe(struct buf *out, const struct chunks *chunks, const struct chunk *chunk);

/* Adds how many chunks have each fate but kept, as "before" and "2 duplicate, 1 invalid". */
void fate_add_counts(struct buf *out, const char *before, const struct chunks *chunks);

/* Adds the chunk's file and line as FILE:LINE. */
void fate_add_place(struct buf *out, const struct chunks *chunks, const struct chunk *chunk);

#endif
