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
    buf_add_slice(&coster->out, render_seam(coster->renderer));
    size_t cost = cost_of_out(coster);
    return cost > coster->seam ? cost - coster->seam : 0;
}

void coster_open(struct coster *coster, const struct chunks *chunks,
                 const struct budget_options *options, const struct prompt_options *prompt)
{
    *coster = (struct coster){.counter = options->counter, .counts_given = options->counts_given};
    if (prompt_is_wanted(prompt)) {
        coster->renderer = renderer_new(chunks, prompt);
        buf_add_slice(&coster->out, render_seam(coster->renderer));
        coster->seam = cost_of_out(coster);
        coster->body = body_has_blocks(prompt) ? prompt : NULL;
        bool is_body = body_of(prompt) != BODY_NONE;
        coster->is_message = body_of(prompt) == BODY_MESSAGES;
        coster->overhead = is_body ? counter_limit(options->counter, prompt->overhead) : 0;
    }
}

/* Strings of a body, each counted apart. */
struct string_sum {
    struct coster *coster;
    size_t cost;
};

static void add_string(void *context, struct slice string)
{
    struct string_sum *sum = context;
    sum->cost = cost_sum(sum->cost, counter_cost(sum->coster->counter, string));
}

/* What a body has beside its chunks. */
static size_t cost_of_body_frame(struct coster *coster)
{
    struct string_sum sum = {coster, 0};
    size_t parts = body_frame_strings(coster->renderer, add_string, &sum);
    for (; parts > 0; parts--) {
        sum.cost = cost_sum(sum.cost, coster->overhead);
    }
    return sum.cost;
}

/* At most, whatever other blocks there are: see body_block_strings(). */
static size_t cost_of_body_block(struct coster *coster, const struct chunk *chunk,
                                 struct slice text)
{
    struct string_sum sum = {coster, coster->overhead};
    body_block_strings(coster->renderer, chunk, text, add_string, &sum);
    return sum.cost;
}

void coster_close(struct coster *coster)
{
    renderer_free(coster->renderer);
    buf_free(&coster->out);
    buf_free(&coster->text);
}

bool cost_is_additive(const struct coster *coster)
{
    return render_is_additive(coster->renderer) && !body_changes_ids(coster->renderer);
}

size_t cost_sum(size_t a, size_t b)
{
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

/* How a block of any format may end. */
static const char block_end[] = "x\n";

size_t cost_frame(struct coster *coster)
{
    if (coster->renderer == NULL) {
        return 0;
    }
    if (coster->body != NULL) {
        return cost_of_body_frame(coster);
    }
    render_head(coster->renderer, &coster->out);
    size_t cost = cost_before_seam(coster);
    /* Where the tail begins with a line feed, that joins the one of the block before it. */
    buf_add_string(&coster->out, block_end);
    size_t end = counter_cost(coster->counter, slice_of(block_end));
    render_tail(coster->renderer, &coster->out);
    size_t tail = cost_of_out(coster);
    cost += tail > end ? tail - end : 0;
    return coster->is_message ? cost + cost_of_body_frame(coster) : cost;
}

/* What a line feed adds to what stands in out, with another piece behind it; empties out. */
static size_t cost_of_blank_line(struct coster *coster)
{
    struct slice seam = render_seam(coster->renderer);
    size_t end = coster->out.len;
    buf_add_slice(&coster->out, seam);
    size_t without = counter_cost(coster->counter, buf_slice(&coster->out));
    coster->out.len = end;
    buf_add_byte(&coster->out, '\n');
    buf_add_slice(&coster->out, seam);
    return cost_of_out(coster) - without;
}

bool cost_of_tail_is_same(struct coster *coster, struct chunk *const *chunks, size_t count)
{
    render_tail(coster->renderer, &coster->out);
    bool joins = coster->body == NULL && coster->out.len > 0 && coster->out.at[0] == '\n';
    coster->out.len = 0;
    if (!joins) {
        return true;
    }
    buf_add_string(&coster->out, block_end);
    size_t usual = cost_of_blank_line(coster);
    bool same = true;
    for (size_t i = 0; i < count && same; i++) {
        struct slice text = chunk_text(chunks[i], &coster->text);
        render_block(coster->renderer, &coster->out, chunks[i], i + 1, text);
        same = cost_of_blank_line(coster) == usual;
    }
    return same;
}

size_t cost_block(struct coster *coster, const struct chunk *chunk, size_t number,
                  struct slice text)
{
    if (coster->body != NULL) {
        return cost_of_body_block(coster, chunk, text);
    }
    render_block(coster->renderer, &coster->out, chunk, number, text);
    return cost_before_seam(coster);
}

/*
 * What the block costs beyond what is around the text and the text as it came: what was
 * escaped in it, indented, or fenced longer for it.
 */
static size_t growth(struct coster *coster, const struct chunk *chunk, size_t number,
                     struct slice text, size_t around)
{
    size_t whole = cost_block(coster, chunk, number, text);
    size_t times = render_text_uses(coster->renderer);
    size_t plain = around + times * counter_cost(coster->counter, text);
    return whole > plain ? whole - plain : 0;
}

/*
 * A block whose text comes with its own count.  What is around the text is counted
 * apart from it; where they meet, a tokenizer may take another turn, for which two
 * tokens are allowed.
 */
static size_t block_with_count(struct coster *coster, const struct chunk *chunk, size_t number,
                               struct slice text)
{
    size_t times = render_text_uses(coster->renderer);
    size_t each = counter_limit(coster->counter, chunk->tokens);
    if (counter_looks_around(coster->counter)) {
        each = cost_sum(each, counter_limit(coster->counter, 2));
    }
    size_t around = cost_block(coster, chunk, number, (struct slice){"", 0});
    size_t cost = cost_sum(around, growth(coster, chunk, number, text, around));
    while (times-- > 0) {
        cost = cost_sum(cost, each);
    }
    return cost;
}

size_t cost_chunk(struct coster *coster, struct chunk *chunk, size_t number)
{
    struct slice text = chunk_text(chunk, &coster->text);
    if (coster->renderer == NULL) {
        if (!coster->counts_given) {
            chunk->tokens = counter_tokens(coster->counter, counter_cost(coster->counter, text));
        }
        return counter_limit(coster->counter, chunk->tokens);
    }
    return coster->counts_given ? block_with_count(coster, chunk, number, text)
                                : cost_block(coster, chunk, number, text);
}

size_t cost_part(struct coster *coster, const struct chunk *chunk, struct slice text, size_t from,
                 size_t to)
{
    struct slice part = {text.at + from, to - from};
    if (coster->counts_given) { /* in proportion, rounded up */
        size_t all = text.len > 0 ? text.len : 1;
        size_t tokens =
            chunk->tokens / all * part.len + (chunk->tokens % all * part.len + all - 1) / all;
        return counter_limit(coster->counter, tokens);
    }
    if (coster->renderer == NULL) {
        size_t tokens = counter_tokens(coster->counter, counter_cost(coster->counter, part));
        return counter_limit(coster->counter, tokens);
    }
    /* In a block, since parts of it may be escaped. */
    size_t around = cost_block(coster, chunk, 1, (struct slice){"", 0});
    size_t whole = cost_block(coster, chunk, 1, part);
    return whole > around ? whole - around : 0;
}

size_t cost_lines(struct coster *coster, const struct chunks *chunks)
{
    size_t sum = 0;
    for (size_t i = 0; i < chunks->placed_count; i++) {
        const struct chunk *chunk = chunks->placed[i];
        struct slice text = chunk_text(chunk, &coster->text);
        sum = cost_sum(sum, cost_part(coster, chunk, text, details_of(chunk)->overlap, text.len));
    }
    return sum;
}

void cost_texts(struct coster *coster, struct chunks *chunks)
{
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->tokens == 0 && !coster->counts_given) {
            struct slice text = chunk_text(chunk, &coster->text);
            chunk->tokens = counter_tokens(coster->counter, counter_cost(coster->counter, text));
        }
    }
}

size_t cost_prompt(struct coster *coster, const struct chunks *chunks)
{
    if (coster->body != NULL) {
        struct string_sum sum = {coster, cost_of_body_frame(coster)};
        size_t blocks = body_blocks_strings(coster->renderer, chunks, add_string, &sum);
        for (; blocks > 0; blocks--) {
            sum.cost = cost_sum(sum.cost, coster->overhead);
        }
        return sum.cost;
    }
    render_all(coster->renderer, &coster->out, chunks, NULL);
    size_t cost = cost_of_out(coster);
    return coster->is_message ? cost + cost_of_body_frame(coster) : cost;
}
