/* format_markdown.c: each chunk below a heading, in a fence that it cannot close. */
#include <string.h>

#include "format.h"

static size_t longest_run(const struct buf *out)
{
    size_t longest = 0;
    size_t run = 0;
    for (size_t i = 0; i < out->len; i++) {
        run = out->at[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void add_fence(struct buf *out, size_t length)
{
    memset(buf_room(out, length), '`', length);
    out->len += length;
    buf_add_byte(out, '\n');
}

static void add_block(struct renderer *renderer, struct buf *out, const struct chunk *chunk,
                      size_t number, struct slice text)
{
    buf_add_format(out, "## [%zu]", number);
    format_add_header(renderer, out, " ", chunk, "");
    buf_add_string(out, "\n\n");
    struct buf body = {0};
    format_add_body(renderer, &body, chunk, text, escape_add_fenced);
    size_t run = longest_run(&body);
    size_t fence = run < 3 ? 3 : run + 1;
    add_fence(out, fence);
    buf_add_slice(out, buf_slice(&body));
    add_fence(out, fence);
    buf_add_byte(out, '\n');
    buf_free(&body);
}

/*
 * Of what stands outside of a fence: headings of both kinds, whatever they say, since
 * Markdown has many spellings of it; what would open a block of HTML, which may not end
 * before the chunks do; and fences.
 */
static const char *const markers[] = {"#", "=+$", "-+$", "<", "```", "~~~", NULL};

const struct format format_markdown = {
    .choice = {"markdown", NULL, "a heading before each, the text fenced"},
    .add_block = add_block,
    .seam = "#",
    .context_end = "",
    .part_start = "",
    .instructions = "## Instructions\n\n",
    .question = "## Question\n\n",
    .header_names = HEADER_NAMES,
    .markers = markers,
    .containers = true,
};
