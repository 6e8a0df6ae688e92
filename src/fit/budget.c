/* budget.c: what fits.  The budget is a promise: what is written never exceeds it. */
#include <stdint.h>
#include <stdlib.h>

#include "base/base.h"
#include "cost.h"
#include "pipeline.h"
#include "place/layout.h"
#include "tokens/tokens.h"
#include "truncate.h"

/* One pass down the ranking.  Costs are in the counter's parts of a token. */
struct allowance {
    const struct options *options;
    struct coster coster;
    size_t room; /* for all of the output; SIZE_MAX without a budget */
    size_t frame;
    size_t left;
    size_t spent;     /* on chunks */
    size_t taken;     /* chunks */
    size_t best_cost; /* of the best chunk, for a message */
    bool near_miss;   /* the first that did not fit was too much by next to nothing */
};

/* Where a piece meets another than the one it was counted before, so much may change. */
#define NEAR_TOKENS 2

/* cost: what the chunk would have added; 0 where that does not matter. */
static void refuse(struct allowance *purse, struct chunk *chunk, size_t cost)
{
    chunk->fate = FATE_OVER_BUDGET;
    chunk->needed = cost > 0 ? counter_tokens(purse->options->counter, cost) : 0;
    chunk->tokens_left = purse->left / purse->options->counter->unit;
    if (cost > 0 && chunk->needed <= chunk->tokens_left) {
        chunk->needed = chunk->tokens_left + 1; /* the finished prompt said so */
    }
}

/* Goes down the ranking by the sum of the pieces. */
static void spend(struct allowance *purse, struct chunks *chunks)
{
    bool full = purse->frame > purse->room;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate != FATE_KEPT) {
            continue;
        }
        /* Under --fit=prefix nothing after the first misfit counts any more. */
        size_t cost = full ? 0 : cost_chunk(&purse->coster, chunk, purse->taken + 1);
        purse->best_cost = purse->best_cost == 0 ? cost : purse->best_cost;
        if (full || cost > purse->left) {
            size_t near = counter_limit(purse->options->counter, NEAR_TOKENS);
            purse->near_miss |= !full && cost - purse->left <= near;
            refuse(purse, chunk, cost);
            full = purse->options->fit != FIT_SKIP;
            continue;
        }
        purse->left -= purse->options->budget > 0 ? cost : 0;
        purse->spent = cost_sum(purse->spent, cost);
        purse->taken++;
    }
}

/* The worst-ranked chunk that is kept; there must be one. */
static struct chunk *weakest(struct chunks *chunks)
{
    size_t i = chunks->ranked_count - 1;
    while (chunks->ranked[i]->fate != FATE_KEPT) {
        i--;
    }
    return chunks->ranked[i];
}

/* The best-ranked chunk that did not fit, or NULL. */
static struct chunk *first_misfit(struct chunks *chunks)
{
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        if (chunks->ranked[i]->fate == FATE_OVER_BUDGET) {
            return chunks->ranked[i];
        }
    }
    return NULL;
}

/* What the finished prompt costs as things stand. */
static size_t finished(struct allowance *purse, struct chunks *chunks)
{
    place_chunks(chunks, purse->options);
    return cost_prompt(&purse->coster, chunks);
}

/* Chunks that the budget decides on, best first. */
struct candidates {
    struct chunk **chunks;
    size_t count;
};

static struct candidates find_candidates(const struct chunks *chunks)
{
    struct candidates candidates = {mem_zeroed(chunks->ranked_count, sizeof(struct chunk *)), 0};
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        enum fate fate = chunks->ranked[i]->fate;
        if (fate == FATE_KEPT || fate == FATE_OVER_BUDGET) {
            candidates.chunks[candidates.count++] = chunks->ranked[i];
        }
    }
    return candidates;
}

static void keep_best(struct candidates candidates, size_t n)
{
    for (size_t i = 0; i < candidates.count; i++) {
        candidates.chunks[i]->fate = i < n ? FATE_KEPT : FATE_OVER_BUDGET;
    }
}

/*
 * Finds the longest prefix whose finished prompt fits, from that of the sums
 * outwards in growing steps, then between the last two by halves.  Returns its cost.
 */
static size_t settle_prefix(struct allowance *purse, struct chunks *chunks)
{
    struct candidates candidates = find_candidates(chunks);
    size_t fitting = 0;
    size_t whole = purse->frame;
    size_t too_many = candidates.count + 1;
    size_t n = purse->taken;
    bool exact = render_is_additive(&purse->coster.render) && !purse->near_miss;
    for (size_t step = 1; too_many - fitting > 1; step *= 2) {
        keep_best(candidates, n);
        size_t cost = finished(purse, chunks);
        if (cost <= purse->room) {
            fitting = n;
            whole = cost;
            if (exact && n == purse->taken) {
                break; /* one more is known not to fit */
            }
            n = n + step < too_many ? n + step : fitting + (too_many - fitting) / 2;
        } else {
            too_many = n;
            n = n > fitting + step ? n - step : fitting + (too_many - fitting) / 2;
        }
    }
    purse->taken = fitting;
    keep_best(candidates, fitting);
    free(candidates.chunks);
    return whole;
}

/* Gives back the weakest while the finished prompt is too much; returns its cost. */
static size_t settle_skip(struct allowance *purse, struct chunks *chunks)
{
    size_t whole = finished(purse, chunks);
    while (purse->taken > 0 && whole > purse->room) {
        struct chunk *chunk = weakest(chunks);
        refuse(purse, chunk, cost_chunk(&purse->coster, chunk, purse->taken));
        purse->taken--;
        whole = finished(purse, chunks);
    }
    return whole;
}

/* What was left for the first that did not fit; those after it were not weighed. */
static void note_misfits(struct allowance *purse, struct chunks *chunks)
{
    struct chunk *first = first_misfit(chunks);
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate == FATE_OVER_BUDGET) {
            bool weighed = chunk == first;
            refuse(purse, chunk, weighed ? cost_chunk(&purse->coster, chunk, purse->taken + 1) : 0);
        }
    }
}

/* Counts the finished prompt as one text, and keeps what fits by that count. */
static void settle(struct allowance *purse, struct chunks *chunks)
{
    size_t whole =
        purse->options->fit == FIT_SKIP ? settle_skip(purse, chunks) : settle_prefix(purse, chunks);
    purse->left = whole < purse->room ? purse->room - whole : 0;
    purse->spent = whole > purse->frame ? whole - purse->frame : 0;
    if (purse->options->fit != FIT_SKIP) {
        note_misfits(purse, chunks);
    }
}

/* Whether the first `length` bytes of the text, marked as cut, fit in what is left. */
static bool fits(struct allowance *purse, const struct chunk *chunk, struct slice text,
                 size_t length)
{
    struct slice cut = render_truncated(&purse->coster.render, text, length);
    return cost_block(&purse->coster, chunk, purse->taken + 1, cut) <= purse->left;
}

/* The longest start of the text that fits, in bytes, at a grapheme's end. */
static size_t longest_start(struct allowance *purse, const struct chunk *chunk, struct slice text)
{
    /* Doubling first: a budget says more of the length than a long text does. */
    size_t too_long = 64;
    size_t fitting = 0;
    while (too_long < text.len && fits(purse, chunk, text, truncate_at_grapheme(text, too_long))) {
        fitting = too_long;
        too_long = too_long > text.len / 2 ? text.len : 2 * too_long;
    }
    too_long = too_long < text.len ? too_long : text.len;
    while (too_long - fitting > 1) {
        size_t middle = fitting + (too_long - fitting) / 2;
        if (fits(purse, chunk, text, truncate_at_grapheme(text, middle))) {
            fitting = middle;
        } else {
            too_long = middle;
        }
    }
    return truncate_at_grapheme(text, fitting);
}

/* --fit=truncate: as much of the first chunk that did not fit as does. */
static void truncate_misfit(struct allowance *purse, struct chunks *chunks)
{
    struct chunk *chunk = first_misfit(chunks);
    if (chunk == NULL) {
        return;
    }
    struct buf scratch = {0};
    struct slice text = chunk_text(chunk, &scratch);
    size_t most = longest_start(purse, chunk, text);
    while ((chunk->cut = truncate_at_end(text, most)) > 0) {
        chunk->fate = FATE_KEPT;
        size_t whole = finished(purse, chunks);
        if (whole <= purse->room) {
            purse->spent = whole > purse->frame ? whole - purse->frame : 0;
            purse->taken++;
            break;
        }
        chunk->fate = FATE_OVER_BUDGET;
        most = chunk->cut - 1;
    }
    buf_free(&scratch);
}

/* How the budget came to what there was to spend: "--budget 100, less 5 percent". */
static void describe(struct buf *out, const struct options *options)
{
    buf_add_format(out, "--budget %zu", options->budget);
    if (options->reserve > 0) {
        buf_add_format(out, ", less --reserve %zu", options->reserve);
    }
    if (options_margin(options) > 0) {
        buf_add_format(out, ", less %zu percent of margin", options_margin(options));
    }
    buf_add_byte(out, '\0');
}

static int report_misfit(const struct allowance *purse)
{
    const struct options *options = purse->options;
    struct counter *counter = options->counter;
    size_t room = options_room(options);
    struct buf budget = {0};
    describe(&budget, options);
    size_t frame_tokens = counter_tokens(counter, purse->frame);
    if (purse->frame > purse->room) {
        diag_error(STATUS_NO, "the prompt takes %zu tokens without any chunk, there are %zu: %s",
                   frame_tokens, room, budget.at);
    } else {
        size_t left = room - frame_tokens;
        size_t best = counter_tokens(counter, purse->best_cost);
        /* It did not fit, if only because of what is around it. */
        diag_error(STATUS_NO, "no chunk fits: the best takes %zu tokens, %zu are left of %s",
                   best > left ? best : left + 1, left, budget.at);
    }
    buf_free(&budget);
    return STATUS_NO;
}

static void spend_budget(struct allowance *purse, struct chunks *chunks)
{
    spend(purse, chunks);
    bool counts_whole =
        purse->options->format != FORMAT_NDJSON && purse->options->tokens.depth == 0;
    if (purse->frame > purse->room || !counts_whole) {
        return;
    }
    settle(purse, chunks);
    if (purse->options->fit == FIT_TRUNCATE) {
        truncate_misfit(purse, chunks);
    }
}

int budget(struct chunks *chunks, const struct options *options)
{
    if (options->budget == 0 && !options_counts(options)) {
        return STATUS_OK;
    }
    struct allowance purse = {.options = options};
    coster_open(&purse.coster, chunks, options);
    purse.room =
        options->budget > 0 ? counter_limit(options->counter, options_room(options)) : SIZE_MAX;
    purse.frame = cost_frame(&purse.coster);
    purse.left = purse.frame < purse.room ? purse.room - purse.frame : 0;
    chunks->frame_over = purse.frame > purse.room;
    size_t candidates = chunks_with_fate(chunks, FATE_KEPT);
    spend_budget(&purse, chunks);
    chunks->tokens = counter_tokens(options->counter, purse.frame + purse.spent);
    if (options_shows_tokens(options)) {
        cost_texts(&purse.coster, chunks);
    }
    coster_close(&purse.coster);
    bool misfit = purse.frame > purse.room || (candidates > 0 && purse.taken == 0);
    return misfit ? report_misfit(&purse) : STATUS_OK;
}
