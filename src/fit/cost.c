/* cost.c: see cost.h. */
#include "cost.h"

#include <stdint.h>

static size_t cost_of_out(struct weigher *weigher)
{
    size_t cost = counter_cost(weigher->counter, buf_slice(&weigher->out));
    weigher->out.len = 0;
    return cost;
}

/* What a piece costs where the next one follows. */
static size_t cost_before_seam(struct weigher *weigher)
{
    buf_add_slice(&weigher->out, render_seam(&weigher->render));
    size_t cost = cost_of_out(weigher);
    return cost > weigher->seam ? cost - weigher->seam : 0;
}

void weigh_open(struct weigher *weigher, const struct chunks *chunks, const struct options *options)
{
    *weigher = (struct weigher){.options = options, .counter = options->counter};
    render_open(&weigher->render, chunks, options);
    if (options->format != FORMAT_NDJSON) {
        buf_add_slice(&weigher->out, render_seam(&weigher->render));
        weigher->seam = cost_of_out(weigher);
    }
}

void weigh_close(struct weigher *weigher)
{
    render_close(&weigher->render);
    buf_free(&weigher->out);
    buf_free(&weigher->text);
}

size_t weigh_add(size_t a, size_t b)
{
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

/* How a block of any format may end. */
static const char block_end[] = "x\n";

size_t weigh_frame(struct weigher *weigher)
{
    if (weigher->options->format == FORMAT_NDJSON) {
        return 0;
    }
    render_head(&weigher->render, &weigher->out);
    size_t cost = cost_before_seam(weigher);
    /* Where the tail begins with a line feed, that joins the one of the block before it. */
    buf_add_string(&weigher->out, block_end);
    size_t end = counter_cost(weigher->counter, slice_of(block_end));
    render_tail(&weigher->render, &weigher->out);
    size_t tail = cost_of_out(weigher);
    return cost + (tail > end ? tail - end : 0);
}

size_t weigh_block(struct weigher *weigher, const struct chunk *chunk, size_t number,
                   struct slice text)
{
    render_block(&weigher->render, &weigher->out, chunk, number, text);
    return cost_before_seam(weigher);
}

/* What is written of a text costs more than its figure where something was made harmless. */
static size_t growth(struct weigher *weigher, struct slice text)
{
    struct neutral *neutral = &weigher->render.neutral;
    size_t before = neutral->changed;
    neutral_add_text(neutral, &weigher->out, text, false);
    if (neutral->changed == before) {
        weigher->out.len = 0;
        return 0;
    }
    size_t as_written = cost_of_out(weigher);
    size_t as_given = counter_cost(weigher->counter, text);
    return as_written > as_given ? as_written - as_given : 0;
}

/*
 * A block whose text has a figure of its own.  What is around the text is counted
 * apart from it; where they meet, a tokenizer may take another turn, for which two
 * tokens are allowed.
 */
static size_t block_with_figure(struct weigher *weigher, const struct chunk *chunk, size_t number,
                                struct slice text)
{
    const struct template *template = &weigher->options->chunk_template;
    size_t times = template->count > 0 ? template_uses(template, SLOT_TEXT) : 1;
    size_t each = weigh_add(counter_limit(weigher->counter, chunk->tokens), growth(weigher, text));
    if (weigher->counter->kind == COUNTER_ESTIMATE || weigher->counter->kind == COUNTER_EXACT) {
        each = weigh_add(each, counter_limit(weigher->counter, 2));
    }
    size_t cost = weigh_block(weigher, chunk, number, (struct slice){"", 0});
    while (times-- > 0) {
        cost = weigh_add(cost, each);
    }
    return cost;
}

size_t weigh_chunk(struct weigher *weigher, struct chunk *chunk, size_t number)
{
    struct slice text = chunk_text(chunk, &weigher->text);
    bool has_figure = weigher->options->tokens.depth > 0;
    if (weigher->options->format == FORMAT_NDJSON) {
        if (!has_figure) {
            chunk->tokens = counter_tokens(weigher->counter, counter_cost(weigher->counter, text));
        }
        return counter_limit(weigher->counter, chunk->tokens);
    }
    return has_figure ? block_with_figure(weigher, chunk, number, text)
                      : weigh_block(weigher, chunk, number, text);
}

void weigh_texts(struct weigher *weigher, struct chunks *chunks)
{
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->tokens == 0 && weigher->options->tokens.depth == 0) {
            struct slice text = chunk_text(chunk, &weigher->text);
            chunk->tokens = counter_tokens(weigher->counter, counter_cost(weigher->counter, text));
        }
    }
}

size_t weigh_prompt(struct weigher *weigher, const struct chunks *chunks)
{
    render_all(&weigher->render, &weigher->out, chunks, NULL);
    return cost_of_out(weigher);
}
