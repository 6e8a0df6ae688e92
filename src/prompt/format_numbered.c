/* format_numbered.c: each chunk after a line with its number, as citations have it. */
#include "format.h"

static void add_block(struct renderer *renderer, struct buf *out, const struct chunk *chunk,
                      size_t number, struct slice text)
{
    buf_add_format(out, "[%zu]", number);
    format_add_header(renderer, out, " ", chunk, "");
    buf_add_byte(out, '\n');
    format_add_body(renderer, out, chunk, text, escape_add_text);
    buf_add_byte(out, '\n');
}

static const char *const markers[] = {"[0]", "[%:", "instructions:", "question:", NULL};

const struct format format_numbered = {
    .choice = {"numbered", NULL, "[1] before each"},
    .add_block = add_block,
    .seam = "[",
    .context_end = "",
    .part_start = "",
    .instructions = "Instructions: ",
    .question = "Question: ",
    .header_names = HEADER_NAMES,
    .markers = markers,
};
