/* block.c: see block.h. */
#include "block.h"

#include <string.h>

#include "controls.h"
#include "header.h"
#include "json/text.h"

/* Adds an opening or closing tag of ours, up to where attributes go. */
void block_add_tag(struct render *render, struct buf *out, const char *bracket, const char *name)
{
    buf_add_string(out, bracket);
    buf_add_string(out, name);
    buf_add_string(out, render->suffix);
}

/* The chunk's preamble, or nothing. */
struct slice block_preamble(struct render *render, const struct chunk *chunk)
{
    struct buf *value = &render->value;
    value->len = 0;
    if (render->options->preamble.depth > 0) {
        value_add_text(value, chunk_member(chunk, &render->options->preamble));
    }
    return buf_slice(value);
}

typedef void add_text(struct escaper *neutral, struct buf *out, struct slice text, bool goes_on);

/* Preamble and text as one, so that no tag is made of the end of one and the start of the other. */
static void add_body(struct render *render, struct buf *out, const struct chunk *chunk,
                     struct slice text, add_text *add)
{
    struct buf body = {0};
    struct buf clean = {0};
    struct slice preamble = controls_replace(block_preamble(render, chunk), &clean);
    if (preamble.len > 0) {
        buf_add_slice(&body, preamble);
        buf_add_byte(&body, '\n');
        buf_add_slice(&body, text);
        text = buf_slice(&body);
    }
    add(&render->neutral, out, text, false);
    buf_add_byte(out, '\n');
    buf_free(&body);
    buf_free(&clean);
}

void block_xml(struct render *render, struct buf *out, const struct chunk *chunk, size_t number,
               struct slice text)
{
    const struct header *header = &render->options->header;
    block_add_tag(render, out, "<", "document");
    buf_add_format(out, " index=\"%zu\"", number);
    for (size_t i = 0; i < header->count; i++) {
        struct buf *value = &render->value;
        value->len = 0;
        if (header_add_value(value, &header->fields[i], chunk)) {
            buf_add_format(out, " %s=\"", header->fields[i].attribute);
            escape_add_line(&render->neutral, out, buf_slice(value), '"');
            buf_add_byte(out, '"');
        }
    }
    buf_add_string(out, ">\n");
    add_body(render, out, chunk, text, escape_add_text);
    block_add_tag(render, out, "</", "document");
    buf_add_string(out, ">\n");
}

/* Adds the header with what is before and after it, or nothing. */
static void add_header(struct render *render, struct buf *out, const char *before,
                       const struct chunk *chunk, const char *after)
{
    struct buf *value = &render->value;
    value->len = 0;
    if (header_add(value, &render->options->header, chunk)) {
        buf_add_string(out, before);
        escape_add_line(&render->neutral, out, buf_slice(value), 0);
        buf_add_string(out, after);
    }
}

void block_numbered(struct render *render, struct buf *out, const struct chunk *chunk,
                    size_t number, struct slice text)
{
    buf_add_format(out, "[%zu]", number);
    add_header(render, out, " ", chunk, "");
    buf_add_byte(out, '\n');
    add_body(render, out, chunk, text, escape_add_text);
    buf_add_byte(out, '\n');
}

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

void block_markdown(struct render *render, struct buf *out, const struct chunk *chunk,
                    size_t number, struct slice text)
{
    buf_add_format(out, "## [%zu]", number);
    add_header(render, out, " ", chunk, "");
    buf_add_string(out, "\n\n");
    struct buf body = {0};
    add_body(render, &body, chunk, text, escape_add_fenced);
    size_t run = longest_run(&body);
    size_t fence = run < 3 ? 3 : run + 1;
    add_fence(out, fence);
    buf_add_slice(out, buf_slice(&body));
    add_fence(out, fence);
    buf_add_byte(out, '\n');
    buf_free(&body);
}

void block_pipe(struct render *render, struct buf *out, const struct chunk *chunk, size_t number,
                struct slice text)
{
    struct buf *value = &render->value;
    value->len = 0;
    header_add_bars(value, &render->options->header, chunk);
    buf_add_format(out, "ID: %zu", number);
    if (value->len > 0) {
        buf_add_byte(out, ' ');
        escape_add_line(&render->neutral, out, buf_slice(value), 0);
    }
    buf_add_string(out, " | CONTENT: ");
    add_body(render, out, chunk, text, escape_add_text);
}

void block_plain(struct render *render, struct buf *out, const struct chunk *chunk, size_t number,
                 struct slice text)
{
    (void)number;
    buf_add_string(out, "***\n");
    add_header(render, out, "", chunk, "\n");
    add_body(render, out, chunk, text, escape_add_text);
}
