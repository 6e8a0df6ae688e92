/*
 * allowance.h: one pass down the ranking under one budget.
 *
 * Costs are in the counter's parts of a token.  Of one run several passes can be made, with
 * other budgets: what they have in common is found once (least.c).
 */
#ifndef EDGEFOLD_ALLOWANCE_H
#define EDGEFOLD_ALLOWANCE_H

#include <stdbool.h>
#include <stddef.h>

#include "cost.h"
#include "coverage.h"
#include "fit.h"

/* In place of a cost. */
#define NOT_KNOWN SIZE_MAX

/* What is the same under every budget. */
struct known {
    const struct chunk *first; /* of all chunks */
    struct chunk **candidates; /* what the budget decides on, best first, the pinned before */
    size_t count;
    size_t pinned;
    size_t *costs;   /* by chunk: what it adds, or NOT_KNOWN; NULL: that differs */
    size_t *numbers; /* by its number: what that adds beyond a 1, modulo 2^n; NULL: see costs */
    size_t *wholes;  /* by how many of the best are kept: the output, or NOT_KNOWN; or NULL */
    size_t *sums;    /* likewise: the sum of its parts; NULL: these are not known */
    bool adds_up;    /* the finished output costs just that sum */
};

struct allowance {
    const struct budget_options *options;
    const struct place_options *placing;
    bool is_prompt;
    struct coster *coster;
    struct coverage *coverage; /* of passages, with --stitch; else NULL */
    const struct known *known; /* of a trial; else NULL */
    bool holds_alone;          /* it is only to say which chunks it holds whole */
    const struct chunk *asked; /* or whether it holds this one; else NULL */
    size_t *sums;              /* is given, by chunk, what was spent down to it; or NULL */
    bool adds_up;              /* what is spent is what the finished output costs */
    size_t whole;              /* see known_whole() */
    size_t room;               /* for all of the output; SIZE_MAX without a budget */
    size_t frame;
    size_t left;
    struct arena *arena; /* the chunks' */
    size_t spent;        /* on chunks */
    size_t taken;        /* chunks, but for the pinned ones */
    size_t pinned;       /* chunks that are taken first */
    bool pins_over;      /* and do not fit alone */
    size_t looks;        /* at the whole output, see fits_after_all() */
    size_t finished;     /* whole outputs that were counted in all */
    size_t lack;         /* with less room more than this, each decision would be the same */
    size_t best_cost;    /* of the best chunk, for a message */
    bool best_is_passed_over;
    bool near_miss; /* the first that did not fit was too much by next to nothing */
};

/*
 * Decides all that budget() does, without a word.  Of the allowance what stands before
 * `room`, and the arena, are set, and the rest is zero.
 */
void allowance_decide(struct allowance *allowance, struct chunks *chunks);

/* Places what is kept as things stand; returns what the finished output costs then. */
size_t allowance_finished(struct allowance *allowance, struct chunks *chunks);

#endif
