/* format_plain.c: chunks with a line of stars between. */
#include "format.h"

static void add_block(struct renderer *renderer, struct buf *out, const struct chunk *chunk,
                      size_t number, struct slice text)
{
    (void)number;
    buf_add_string(out, "***\n");
    format_add_header(renderer, out, "", chunk, "\n");
    format_add_body(renderer, out, chunk, text, escape_add_text);
}

static const char *const markers[] = {"***+$", "[%:", "instructions:", "question:", NULL};

const struct format format_plain = {
    .choice = {"plain", NULL, "*** before each"},
    .add_block = add_block,
    .seam = "*",
    .context_end = "***\n",
    .part_start = "\n",
    .instructions = "Instructions: ",
    .question = "Question: ",
    .unnumbered = true,
    .header_names = HEADER_NAMES,
    .markers = markers,
};
