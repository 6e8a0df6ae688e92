/* format_pipe.c: each chunk as fields with bars between, its text last. */
#include "format.h"

static void add_block(struct renderer *renderer, struct buf *out, const struct chunk *chunk,
                      size_t number, struct slice text)
{
    struct buf *value = &renderer->value;
    value->len = 0;
    header_add_bars(value, &renderer->options->header, chunk);
    buf_add_format(out, "ID: %zu", number);
    if (value->len > 0) {
        buf_add_byte(out, ' ');
        escape_add_line(&renderer->escaper, out, buf_slice(value), 0);
    }
    buf_add_string(out, " | CONTENT: ");
    format_add_body(renderer, out, chunk, text, escape_add_text);
}

static const char *const markers[] = {"id:0", "instructions:", "question:", NULL};
static const char *const bar_markers[] = {"id:", "content:", "%:", NULL};

const struct format format_pipe = {
    .choice = {"pipe", NULL, "ID: 1 | CONTENT: and the text"},
    .add_block = add_block,
    .seam = "I",
    .context_end = "",
    .part_start = "\n",
    .instructions = "Instructions: ",
    .question = "Question: ",
    .header_names = HEADER_SHOUTED,
    .markers = markers,
    .bar_markers = bar_markers,
};
