/* fate.h: what became of a chunk, and the evidence for it. */
#ifndef EDGEFOLD_FATE_H
#define EDGEFOLD_FATE_H

#include <stdbool.h>

#include "base/base.h"

struct chunk;
struct chunks;

/*
 * Every fate, once: its value, its name, what describes it and bits of enum evidence.
 * Whoever adds one adds a row here, describe_NAME() in fate.c, and the stage that gives
 * it to a chunk.
 */
#define EACH_FATE(ROW)                                                                             \
    /* in the output */                                                                            \
    ROW(KEPT, "kept", kept, 0)                                                                     \
    /* worse than --min-score */                                                                   \
    ROW(BELOW_MIN_SCORE, "below-min-score", min_score, 0)                                          \
    /* too similar to a better-ranked kept chunk */                                                \
    ROW(DUPLICATE, "duplicate", duplicate, EVIDENCE_SURVIVOR | EVIDENCE_SIMILARITY)                \
    /* after --per-group */                                                                        \
    ROW(BEYOND_PER_GROUP, "beyond-per-group", per_group, 0)                                        \
    /* after --top */                                                                              \
    ROW(BEYOND_TOP, "beyond-top", top, 0)                                                          \
    /* did not fit */                                                                              \
    ROW(OVER_BUDGET, "over-budget", budget, EVIDENCE_COST)                                         \
    /* left out by the reranker's answer */                                                        \
    ROW(NOT_RERANKED, "not-reranked", not_reranked, 0)                                             \
    /* a copy in another list was taken in its place */                                            \
    ROW(FUSED, "fused", fused, EVIDENCE_SURVIVOR)                                                  \
    /* unusable: an empty text, or passed over by --skip-invalid */                                \
    ROW(INVALID, "invalid", invalid, 0)

#define FATE_VALUE(value, name, describe, evidence) FATE_##value,
enum fate { EACH_FATE(FATE_VALUE) FATES };

/* What a fate rests on, to be combined: members of its chunk_details, and of the report. */
enum evidence {
    EVIDENCE_SURVIVOR = 1,   /* survivor */
    EVIDENCE_SIMILARITY = 2, /* shared and united */
    EVIDENCE_COST = 4        /* needed and tokens_left */
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

/* Whether of a kept chunk there is more to say than that it is kept. */
bool fate_has_more(const struct chunk *chunk);

/* Adds how many chunks have each fate but kept, as "before" and "2 duplicate, 1 invalid". */
void fate_add_counts(struct buf *out, const char *before, const struct chunks *chunks);

/* Adds the chunk's file and line as FILE:LINE. */
void fate_add_place(struct buf *out, const struct chunks *chunks, const struct chunk *chunk);

#endif
