/* budget.c: what fits.  The budget is a promise: what is written never exceeds it. */
#include "diag.h"
#include "mem.h"
#include "pipeline.h"
#include "render.h"
#include "tokens.h"

/* Running totals of one pass down the ranking. */
struct purse {
    const struct options *options;
    size_t left;    /* tokens */
    size_t taken;   /* chunks */
    struct buf out; /* a rendered piece, to be counted */
    struct buf scratch;
};

static size_t count_out(struct purse *purse)
{
    size_t tokens = tokens_count(purse->options->counter, buf_slice(&purse->out));
    purse->out.len = 0;
    return tokens;
}

/* What a prompt costs before any chunk is in it. */
static size_t frame_cost(struct purse *purse)
{
    render_head(&purse->out, purse->options);
    size_t tokens = count_out(purse);
    render_tail(&purse->out, purse->options);
    return tokens + count_out(purse);
}

/*
 * What the chunk adds to the output if it is taken next.  In a prompt that
 * includes its tags; their number is the count of chunks so far, whatever place
 * the layout gives this one, because all numbers up to the last are used once.
 */
static size_t chunk_cost(struct purse *purse, struct chunk *chunk)
{
    struct slice text = chunk_text(chunk, &purse->scratch);
    chunk->tokens = tokens_count(purse->options->counter, text);
    if (purse->options->format == FORMAT_NDJSON) {
        return chunk->tokens;
    }
    render_document_head(&purse->out, purse->taken + 1);
    size_t tokens = count_out(purse);
    render_document_body(&purse->out, text);
    return tokens + count_out(purse);
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
        if (full || cost > purse->left) {
            chunk->fate = FATE_OVER_BUDGET;
            chunk->tokens_left = purse->left;
            full = purse->options->fit == FIT_PREFIX;
            continue;
        }
        purse->left -= cost;
        purse->taken++;
    }
    return best_cost;
}

int budget(struct chunks *chunks, const struct options *options)
{
    if (options->budget == 0) {
        return STATUS_OK;
    }
    struct purse purse = {.options = options};
    size_t frame = options->format == FORMAT_NDJSON ? 0 : frame_cost(&purse);
    size_t candidates = chunks_with_fate(chunks, FATE_KEPT);
    purse.left = frame < options->budget ? options->budget - frame : 0;
    size_t room = purse.left;
    size_t best_cost = spend(&purse, chunks);
    buf_free(&purse.out);
    buf_free(&purse.scratch);
    if (frame > options->budget) {
        return diag_error(STATUS_NO,
                          "the prompt takes %zu tokens without any chunk, --budget is %zu", frame,
                          options->budget);
    }
    if (candidates > 0 && purse.taken == 0) {
        return diag_error(STATUS_NO,
                          "no chunk fits: the best takes %zu tokens, %zu are left of --budget %zu",
                          best_cost, room, options->budget);
    }
    return STATUS_OK;
}
