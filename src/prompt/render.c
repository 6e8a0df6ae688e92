/* render.c: see render.h. */
#include "render.h"

#include "base/base.h"
#include "block.h"
#include "header.h"
#include "tags.h"
#include "json/text.h"
#include "json/value.h"

/*
 * A format: a block, what stands around all of them, and how the parts after them
 * are introduced and ended.  A new one is a row here, a name in options.c, and
 * what its lines begin with in escape.c.  For xml the brackets of the tags are
 * here and the names are added.
 */
static const struct {
    block_function *block;
    const char *seam;
    const char *context_end; /* after the last block */
    const char *part_start;  /* before instructions and question */
    const char *instructions;
    const char *question;
} formats[] = {
    [FORMAT_NUMBERED] = {block_numbered, "[", "", "", "Instructions: ", "Question: "},
    [FORMAT_MARKDOWN] = {block_markdown, "#", "", "", "## Instructions\n\n", "## Question\n\n"},
    [FORMAT_PIPE] = {block_pipe, "I", "", "\n", "Instructions: ", "Question: "},
    [FORMAT_PLAIN] = {block_plain, "*", "***\n", "\n", "Instructions: ", "Question: "},
    [FORMAT_XML] = {block_xml, "<", "", "\n", "", ""},
};

static void add_instructions(struct render *render, struct buf *out)
{
    struct slice text = render->options->instructions;
    if (render->options->format == FORMAT_XML && render->options->escape == ESCAPE_ALL) {
        tags_add_escaped_all(out, text, 0, &render->options->own_tags);
    } else {
        buf_add_slice(out, text);
    }
}

static void add_question(struct render *render, struct buf *out)
{
    bool xml = render->options->format == FORMAT_XML;
    if (xml) {
        block_add_tag(render, out, "<", "question");
        buf_add_string(out, ">\n");
    }
    buf_add_string(out, formats[render->options->format].question);
    escape_add_text(&render->neutral, out, render->options->question, false);
    buf_add_byte(out, '\n');
    if (xml) {
        block_add_tag(render, out, "</", "question");
        buf_add_string(out, ">\n");
    }
}

static bool in_xml_context(const struct render *render)
{
    return render->options->format == FORMAT_XML && render->options->chunk_template.count == 0;
}

static void context_start(struct render *render, struct buf *out)
{
    if (in_xml_context(render)) {
        block_add_tag(render, out, "<", "context");
        buf_add_string(out, ">\n");
    }
}

static void context_end(struct render *render, struct buf *out)
{
    if (in_xml_context(render)) {
        block_add_tag(render, out, "</", "context");
        buf_add_string(out, ">\n");
    } else if (render->options->chunk_template.count == 0) {
        buf_add_string(out, formats[render->options->format].context_end);
    }
    if (render->options->template.count == 0) {
        return;
    }
    /* What follows the context is the template's own, blank lines too. */
    while (out->len > 0 && out->at[out->len - 1] == '\n') {
        out->len--;
    }
}

/* A value in a chunk's template: within an attribute's quotes it is held there. */
static void add_value(struct render *render, struct buf *out, struct slice value, char quote)
{
    if (quote != 0) {
        escape_add_line(&render->neutral, out, value, quote);
    } else {
        escape_add_text(&render->neutral, out, value, true);
    }
}

static void add_part_of_block(struct render *render, struct buf *out,
                              const struct template_part *part, const struct chunk *chunk,
                              size_t number, struct slice text)
{
    struct buf *value = &render->value;
    value->len = 0;
    switch (part->slot) {
    case SLOT_NONE:
        buf_add_slice(out, part->text);
        break;
    case SLOT_N:
        buf_add_format(out, "%zu", number);
        break;
    case SLOT_RANK:
        buf_add_format(out, "%zu", chunk->rank);
        break;
    case SLOT_TEXT:
        add_value(render, out, text, part->quote);
        break;
    case SLOT_SCORE:
        buf_add_slice(out, chunk_score(chunk));
        break;
    case SLOT_ID:
        utf8_add_repaired(value, chunk_id_text(chunk, &render->cut));
        escape_add_line(&render->neutral, out, buf_slice(value), part->quote);
        break;
    case SLOT_HEADER:
        header_add(value, &render->options->header, chunk);
        escape_add_line(&render->neutral, out, buf_slice(value), part->quote);
        break;
    case SLOT_PREAMBLE:
        add_value(render, out, block_preamble(render, chunk), part->quote);
        break;
    case SLOT_MEMBER:
        value_add_text(value, chunk_member(chunk, &part->member));
        add_value(render, out, buf_slice(value), part->quote);
        break;
    case SLOT_CONTEXT:
    case SLOT_INSTRUCTIONS:
    case SLOT_QUESTION:
        break; /* of a prompt's template */
    }
}

static void add_part_of_prompt(struct render *render, struct buf *out,
                               const struct template_part *part)
{
    if (part->slot == SLOT_QUESTION) {
        add_value(render, out, render->options->question, part->quote);
    } else if (part->slot == SLOT_INSTRUCTIONS && part->quote != 0) {
        add_value(render, out, render->options->instructions, part->quote);
    } else if (part->slot == SLOT_INSTRUCTIONS) {
        add_instructions(render, out);
    }
}

/* The parts of the prompt's template before the context, or those after it. */
static void add_template(struct render *render, struct buf *out, bool after)
{
    const struct template *template = &render->options->template;
    bool passed = false;
    for (size_t i = 0; i < template->count; i++) {
        const struct template_part *part = &template->parts[i];
        if (part->slot == SLOT_CONTEXT) {
            passed = true;
        } else if (passed == after && part->slot == SLOT_NONE) {
            buf_add_slice(out, part->text);
        } else if (passed == after) {
            add_part_of_prompt(render, out, part);
        }
    }
}

/* A chunk's template, filled in. */
static void template_block(struct render *render, struct buf *out, const struct chunk *chunk,
                           size_t number, struct slice text)
{
    const struct template *template = &render->options->chunk_template;
    for (size_t i = 0; i < template->count; i++) {
        add_part_of_block(render, out, &template->parts[i], chunk, number, text);
    }
}

void render_block(struct render *render, struct buf *out, const struct chunk *chunk, size_t number,
                  struct slice text)
{
    if (render->options->chunk_template.count > 0) {
        template_block(render, out, chunk, number, text);
    } else {
        formats[render->options->format].block(render, out, chunk, number, text);
    }
}

void render_head(struct render *render, struct buf *out)
{
    const struct options *options = render->options;
    add_template(render, out, false);
    if (options->template.count == 0 && options->has_question && options->bookend) {
        add_question(render, out);
        buf_add_byte(out, '\n');
    }
    context_start(render, out);
}

/* Instructions and question, each after a blank line. */
static void add_parts(struct render *render, struct buf *out)
{
    const struct options *options = render->options;
    bool own_blocks = options->chunk_template.count > 0; /* which end as their author likes */
    if (own_blocks && out->len > 0 && out->at[out->len - 1] != '\n') {
        buf_add_byte(out, '\n');
    }
    buf_add_string(out, own_blocks ? "\n" : formats[options->format].part_start);
    if (options->instructions.len > 0) {
        bool xml = options->format == FORMAT_XML;
        if (xml) {
            block_add_tag(render, out, "<", "instructions");
            buf_add_byte(out, '>');
        }
        buf_add_string(out, formats[options->format].instructions);
        add_instructions(render, out);
        if (xml) {
            block_add_tag(render, out, "</", "instructions");
            buf_add_byte(out, '>');
        }
        buf_add_string(out, "\n\n");
    }
    add_question(render, out);
}

void render_tail(struct render *render, struct buf *out)
{
    context_end(render, out);
    if (render->options->template.count > 0) {
        add_template(render, out, true);
    } else if (render->options->has_question) {
        add_parts(render, out);
    }
}

int render_all(struct render *render, struct buf *out, const struct chunks *chunks,
               int (*flush)(struct buf *out))
{
    int status = STATUS_OK;
    render_head(render, out);
    for (size_t i = 0; i < chunks->placed_count && status == STATUS_OK; i++) {
        const struct chunk *chunk = chunks->placed[i];
        /* Before the block: the tail may take line feeds back from the last one. */
        if (flush != NULL && out->len >= OUT_ENOUGH) {
            status = flush(out);
        }
        render_block(render, out, chunk, chunk->position, render_text(render, chunk));
    }
    render_tail(render, out);
    return status == STATUS_OK && flush != NULL ? flush(out) : status;
}

struct slice render_text(struct render *render, const struct chunk *chunk)
{
    struct slice text = chunk_text(chunk, &render->text);
    return chunk->cut > 0 ? render_truncated(render, text, chunk->cut) : text;
}

struct slice render_truncated(struct render *render, struct slice text, size_t length)
{
    struct buf *cut = &render->cut;
    cut->len = 0;
    buf_add(cut, text.at, length);
    buf_add_string(cut, RENDER_TRUNCATED_MARK);
    return buf_slice(cut);
}

struct slice render_seam(const struct render *render)
{
    bool plain = render_is_additive(render);
    return slice_of(plain ? formats[render->options->format].seam : "");
}

bool render_is_additive(const struct render *render)
{
    return render->options->template.count == 0 && render->options->chunk_template.count == 0;
}

void render_open(struct render *render, const struct chunks *chunks, const struct options *options)
{
    *render = (struct render){.options = options, .neutral = {.options = options}};
    if (options->tag_suffix) {
        struct buf more = {0};
        buf_add_slice(&more, options->question);
        buf_add_byte(&more, '\n');
        buf_add_slice(&more, options->instructions);
        render->suffix[0] = '-';
        tag_suffix_derive(render->suffix + 1, chunks, buf_slice(&more));
        buf_free(&more);
    }
}

void render_close(struct render *render)
{
    escaper_free(&render->neutral);
    buf_free(&render->text);
    buf_free(&render->cut);
    buf_free(&render->value);
}
