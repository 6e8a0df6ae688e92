/* cost.c: see cost.h. */
#include "cost.h"

#include <stdint.h>

static size_t cost_of_out(struct coster *coster)
{
    size_t cost = counter_cost(coster->counter, buf_slice(&coster->out));
    coster->out.len = 0;
    return cost;
}

/* What a piece costs where the next one follows. */
static size_t cost_before_seam(struct coster *coster)
{
    buf_add_slice(&coster->out, render_seam(&coster->render));
    size_t cost = cost_of_out(coster);
    return cost > coster->seam ? cost - coster->seam : 0;
}

void coster_open(struct coster *coster, const struct chunks *chunks, const struct options *options)
{
    *coster = (struct coster){.options = options, .counter = options->counter};
    render_open(&coster->render, chunks, options);
    if (options->format != FORMAT_NDJSON) {
        buf_add_slice(&coster->out, render_seam(&coster->render));
        coster->seam = cost_of_out(coster);
    }
}

void coster_close(struct coster *coster)
{
    render_close(&coster->render);
    buf_free(&coster->out);
    buf_free(&coster->text);
}

size_t cost_sum(size_t a, size_t b)
{
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

/* How a block of any format may end. */
static const char block_end[] = "x\n";

size_t cost_frame(struct coster *coster)
{
    if (coster->options->format == FORMAT_NDJSON) {
        return 0;
    }
    render_head(&coster->render, &coster->out);
    size_t cost = cost_before_seam(coster);
    /* Where the tail begins with a line feed, that joins the one of the block before it. */
    buf_add_string(&coster->out, block_end);
    size_t end = counter_cost(coster->counter, slice_of(block_end));
    render_tail(&coster->render, &coster->out);
    size_t tail = cost_of_out(coster);
    return cost + (tail > end ? tail - end : 0);
}

size_t cost_block(struct coster *coster, const struct chunk *chunk, size_t number,
                  struct slice text)
{
    render_block(&coster->render, &coster->out, chunk, number, text);
    return cost_before_seam(coster);
}

/* What is written of a text costs more than its figure where something was made harmless. */
static size_t growth(struct coster *coster, struct slice text)
{
    struct escaper *neutral = &coster->render.neutral;
    size_t before = neutral->changed;
    escape_add_text(neutral, &coster->out, text, false);
    if (neutral->changed == before) {
        coster->out.len = 0;
        return 0;
    }
    size_t as_written = cost_of_out(coster);
    size_t as_given = counter_cost(coster->counter, text);
    return as_written > as_given ? as_written - as_given : 0;
}

/*
 * A block whose text has a figure of its own.  What is around the text is counted
 * apart from it; where they meet, a term_extractor may take another turn, for which two
 * tokens are allowed.
 */
static size_t block_with_figure(struct coster *coster, const struct chunk *chunk, size_t number,
                                struct slice text)
{
    const struct template *template = &coster->options->chunk_template;
    size_t times = template->count > 0 ? template_uses(template, SLOT_TEXT) : 1;
    size_t each = cost_sum(counter_limit(coster->counter, chunk->tokens), growth(coster, text));
    if (coster->counter->kind == COUNTER_ESTIMATE || coster->counter->kind == COUNTER_EXACT) {
        each = cost_sum(each, counter_limit(coster->counter, 2));
    }
    size_t cost = cost_block(coster, chunk, number, (struct slice){"", 0});
    while (times-- > 0) {
        cost = cost_sum(cost, each);
    }
    return cost;
}

size_t cost_chunk(struct coster *coster, struct chunk *chunk, size_t number)
{
    struct slice text = chunk_text(chunk, &coster->text);
    bool has_figure = coster->options->tokens.depth > 0;
    if (coster->options->format == FORMAT_NDJSON) {
        if (!has_figure) {
            chunk->tokens = counter_tokens(coster->counter, counter_cost(coster->counter, text));
        }
        return counter_limit(coster->counter, chunk->tokens);
    }
    return has_figure ? block_with_figure(coster, chunk, number, text)
                      : cost_block(coster, chunk, number, text);
}

void cost_texts(struct coster *coster, struct chunks *chunks)
{
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->tokens == 0 && coster->options->tokens.depth == 0) {
            struct slice text = chunk_text(chunk, &coster->text);
            chunk->tokens = counter_tokens(coster->counter, counter_cost(coster->counter, text));
        }
    }
}

size_t cost_prompt(struct coster *coster, const struct chunks *chunks)
{
    render_all(&coster->render, &coster->out, chunks, NULL);
    return cost_of_out(coster);
}
