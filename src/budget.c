/* budget.c: what fits.  The budget is a promise: what is written never exceeds it. */
#include <stdint.h>

#include "diag.h"
#include "mem.h"
#include "pipeline.h"
#include "render.h"
#include "tokens.h"

/* One pass down the ranking.  Costs are in the counter's parts of a token. */
struct purse {
    const struct options *options;
    struct counter *counter;
    size_t left;
    size_t spent;
    size_t taken;   /* chunks */
    struct buf out; /* a rendered piece, to be counted */
    struct buf scratch;
};

static size_t cost_of_out(struct purse *purse)
{
    size_t cost = counter_cost(purse->counter, buf_slice(&purse->out));
    purse->out.len = 0;
    return cost;
}

/* What a prompt costs before any chunk is in it. */
static size_t frame_cost(struct purse *purse)
{
    render_head(&purse->out, purse->options);
    size_t cost = cost_of_out(purse);
    render_tail(&purse->out, purse->options);
    return cost + cost_of_out(purse);
}

/* What a document's number costs more than the 1 that its block was counted with. */
static size_t number_cost(struct purse *purse, size_t number)
{
    render_number(&purse->out, number);
    size_t cost = cost_of_out(purse);
    render_number(&purse->out, 1);
    size_t one = cost_of_out(purse);
    return cost > one ? cost - one : 0;
}

static size_t add_costs(size_t a, size_t b)
{
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

/*
 * A block whose text has a figure of its own.  The tags are counted apart from the
 * text; where they meet, a tokenizer may take another turn, for which two tokens
 * are allowed.  A "<" that becomes "&lt;" is not in the figure, so what that adds
 * is counted.
 */
static size_t block_with_figure(struct purse *purse, struct slice text, size_t figure)
{
    render_document_body(&purse->out, (struct slice){"", 0});
    size_t tail_length = purse->out.len;
    size_t cost = cost_of_out(purse);
    render_document_head(&purse->out, 1);
    cost += cost_of_out(purse);
    if (purse->counter->kind == COUNTER_ESTIMATE || purse->counter->kind == COUNTER_EXACT) {
        cost += counter_limit(purse->counter, 2);
    }
    render_document_body(&purse->out, text);
    bool changed = purse->out.len != text.len + tail_length;
    size_t as_written = changed ? cost_of_out(purse) : 0;
    purse->out.len = 0;
    if (changed) {
        size_t as_given = counter_cost(purse->counter, text);
        cost += as_written > as_given ? as_written - as_given : 0;
    }
    return add_costs(cost, counter_limit(purse->counter, figure));
}

/*
 * What the chunk adds to the output if it is taken next.  In NDJSON that is its
 * text, in whole tokens, since each text goes its own way from here.  In a prompt
 * it is the whole block.  The number on it is the count of chunks so far, whatever
 * place the layout gives this one, because all numbers up to the last are used
 * once; a number is a piece of its own to every tokenizer.
 */
static size_t chunk_cost(struct purse *purse, struct chunk *chunk)
{
    struct slice text = chunk_text(chunk, &purse->scratch);
    bool has_figure = purse->options->tokens.depth > 0;
    if (purse->options->format == FORMAT_NDJSON) {
        if (!has_figure) {
            chunk->tokens = counter_tokens(purse->counter, counter_cost(purse->counter, text));
        }
        return counter_limit(purse->counter, chunk->tokens);
    }
    size_t number = number_cost(purse, purse->taken + 1);
    if (has_figure) {
        return add_costs(block_with_figure(purse, text, chunk->tokens), number);
    }
    render_document_head(&purse->out, 1);
    render_document_body(&purse->out, text);
    return cost_of_out(purse) + number;
}

/* Goes down the ranking; returns the cost of the best chunk, for a message. */
static size_t spend(struct purse *purse, struct chunks *chunks)
{
    size_t best_cost = 0;
    bool full = false;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate != FATE_KEPT) {
            continue;
        }
        /* Under --fit=prefix nothing after the first misfit counts any more. */
        size_t cost = full ? 0 : chunk_cost(purse, chunk);
        best_cost = best_cost == 0 ? cost : best_cost;
        bool limited = purse->options->budget > 0;
        if (limited && (full || cost > purse->left)) {
            chunk->fate = FATE_OVER_BUDGET;
            chunk->tokens_left = purse->left / purse->counter->unit;
            full = purse->options->fit == FIT_PREFIX;
            continue;
        }
        purse->left -= limited ? cost : 0;
        purse->spent = add_costs(purse->spent, cost);
        purse->taken++;
    }
    return best_cost;
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

static int report_misfit(const struct options *options, size_t frame, size_t best_cost)
{
    struct counter *counter = options->counter;
    size_t room = options_room(options);
    struct buf budget = {0};
    describe(&budget, options);
    size_t frame_tokens = counter_tokens(counter, frame);
    if (frame > counter_limit(counter, room)) {
        diag_error(STATUS_NO, "the prompt takes %zu tokens without any chunk, there are %zu: %s",
                   frame_tokens, room, budget.at);
    } else {
        diag_error(STATUS_NO, "no chunk fits: the best takes %zu tokens, %zu are left of %s",
                   counter_tokens(counter, best_cost), room - frame_tokens, budget.at);
    }
    buf_free(&budget);
    return STATUS_NO;
}

int budget(struct chunks *chunks, const struct options *options)
{
    if (options->budget == 0 && !options->stats) {
        return STATUS_OK;
    }
    struct purse purse = {.options = options, .counter = options->counter};
    size_t room =
        options->budget > 0 ? counter_limit(purse.counter, options_room(options)) : SIZE_MAX;
    size_t frame = options->format == FORMAT_NDJSON ? 0 : frame_cost(&purse);
    size_t candidates = chunks_with_fate(chunks, FATE_KEPT);
    purse.left = frame < room ? room - frame : 0;
    size_t best_cost = spend(&purse, chunks);
    chunks->tokens = counter_tokens(purse.counter, frame + purse.spent);
    buf_free(&purse.out);
    buf_free(&purse.scratch);
    bool misfit = frame > room || (candidates > 0 && purse.taken == 0);
    return misfit ? report_misfit(options, frame, best_cost) : STATUS_OK;
}
