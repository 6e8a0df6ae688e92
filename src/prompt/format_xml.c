/* format_xml.c: each chunk in a tag of its own. */
#include "format.h"

static void add_block(struct renderer *renderer, struct buf *out, const struct chunk *chunk,
                      size_t number, struct slice text)
{
    const struct header *header = &renderer->options->header;
    format_add_tag(renderer, out, "<", "document");
    buf_add_format(out, " index=\"%zu\"", number);
    const struct slice *values = header_find(header, chunk);
    for (size_t i = 0; i < header->count; i++) {
        struct buf *value = &renderer->value;
        value->len = 0;
        if (header_add_value(value, values[i])) {
            buf_add_format(out, " %s=\"", header->fields[i].attribute);
            escape_add_line(&renderer->escaper, out, buf_slice(value), '"');
            buf_add_byte(out, '"');
        }
    }
    buf_add_string(out, ">\n");
    format_add_body(renderer, out, chunk, text, escape_add_text);
    format_add_tag(renderer, out, "</", "document");
    buf_add_string(out, ">\n");
}

/* What holds it together are its tags, see tags.h. */
static const char *const markers[] = {NULL};

const struct format format_xml = {
    .choice = {"xml", NULL, "a prompt with a tag around each text (default with a question)"},
    .add_block = add_block,
    .seam = "<",
    .context_end = "",
    .part_start = "\n",
    .instructions = "",
    .question = "",
    .tags = true,
    .header_names = HEADER_ATTRIBUTES,
    .markers = markers,
};
