/*
 * fit.h: what fits the budget.
 *
 * The budget is a promise: what is written, counted as --count says (tokens.h),
 * never exceeds it.  In NDJSON it covers the sum of the texts, in a prompt every
 * byte of it, counted as it is written (cost.h).  Going down the ranking, what does
 * not fit ends the output, is passed over, or is truncated (truncate.h).
 */
#ifndef EDGEFOLD_FIT_H
#define EDGEFOLD_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "chunk.h"
#include "place/place.h"
#include "prompt/prompt.h"
#include "tokens/tokens.h"

enum fit {
    FIT_PREFIX,  /* stop at the first chunk that does not fit */
    FIT_SKIP,    /* pass over it */
    FIT_TRUNCATE /* stop there and cut it, in a prompt */
};

extern const struct choices fit_choices;

/* An estimate needs a margin, a count does not. */
#define MARGIN_BY_COUNTER SIZE_MAX

struct budget_options {
    size_t budget;           /* tokens; 0: no limit */
    size_t reserve;          /* tokens of it that are for something else */
    size_t margin;           /* percent of the rest that are left free, or MARGIN_BY_COUNTER */
    size_t fit;              /* enum fit */
    const char *count;       /* how tokens are counted */
    struct counter *counter; /* the same, made by whoever runs the pipeline; not owned */
    bool counts_given;       /* chunks come with their own counts */
    bool shows_total;        /* somebody wants to see the tokens, budget or not */
    bool shows_each;         /* and those of each chunk */
};

/*
 * Marks what does not fit; sets the tokens where it counted.  Chunks are placed as
 * the finished prompt has them, and with placing->sweep at each position that the
 * swept chunk can have.  STATUS_NO after a message when nothing fits.
 */
int budget(struct chunks *chunks, const struct budget_options *options,
           const struct place_options *placing, const struct prompt_options *prompt);

/* A chunk that is over the budget, and a --budget that holds it. */
struct held_chunk {
    const struct chunk *chunk;
    size_t budget; /* 0: none was found */
    bool is_least; /* no smaller one from that in force up does */
};

/*
 * Finds for each of so many chunks a --budget, from the one in force up, that holds it, all
 * of its text.  It is the least, unless --fit=skip makes that too long a search.  Leaves all
 * chunks as they were.  Costs are counted once for all of them; where a prompt's tokens are
 * not the sum of its parts', each takes some finished prompts more.
 */
void budgets_that_hold(struct chunks *chunks, const struct budget_options *options,
                       const struct place_options *placing, const struct prompt_options *prompt,
                       struct held_chunk *wanted, size_t count);

/* Adds tokens and budget, as "129 tokens of 150 (reserve 0, margin 5 percent), counted by words".
 */
void budget_describe(struct buf *out, const struct budget_options *options, size_t tokens);

/* The margin in force, in percent. */
size_t budget_margin(const struct budget_options *options);

/* Tokens that are left of the budget after reserve and margin. */
size_t budget_room(const struct budget_options *options);

#endif
