/* render.c: prompts piece by piece, see prompt.h. */
#include <stdlib.h>
#include <string.h>

#include "controls.h"
#include "format.h"
#include "prompt.h"
#include "renderer.h"

static void add_instructions(struct renderer *renderer, struct buf *out)
{
    struct slice text = renderer->options->instructions;
    if (format_of(renderer->options)->tags && renderer->options->escape == ESCAPE_ALL) {
        tags_add_escaped_all(out, text, 0, &renderer->options->own_tags);
    } else {
        buf_add_slice(out, text);
    }
}

static void add_question(struct renderer *renderer, struct buf *out)
{
    bool xml = format_of(renderer->options)->tags;
    if (xml) {
        format_add_tag(renderer, out, "<", "question");
        buf_add_string(out, ">\n");
    }
    buf_add_string(out, format_of(renderer->options)->question);
    escape_add_text(&renderer->escaper, out, renderer->options->question, false);
    buf_add_byte(out, '\n');
    if (xml) {
        format_add_tag(renderer, out, "</", "question");
        buf_add_string(out, ">\n");
    }
}

static bool in_xml_context(const struct renderer *renderer)
{
    return format_of(renderer->options)->tags && renderer->options->chunk_template.count == 0;
}

static void context_start(struct renderer *renderer, struct buf *out)
{
    if (in_xml_context(renderer)) {
        format_add_tag(renderer, out, "<", "context");
        buf_add_string(out, ">\n");
    }
}

static void context_end(struct renderer *renderer, struct buf *out)
{
    if (in_xml_context(renderer)) {
        format_add_tag(renderer, out, "</", "context");
        buf_add_string(out, ">\n");
    } else if (renderer->options->chunk_template.count == 0) {
        buf_add_string(out, format_of(renderer->options)->context_end);
    }
    if (renderer->options->template.count == 0) {
        return;
    }
    /* What follows the context is the template's own, blank lines too. */
    while (out->len > 0 && out->at[out->len - 1] == '\n') {
        out->len--;
    }
}

/* A value in a chunk's template: within an attribute's quotes it is held there. */
static void add_value(struct renderer *renderer, struct buf *out, struct slice value, char quote)
{
    size_t start = out->len;
    if (quote != 0) {
        escape_add_line(&renderer->escaper, out, value, quote);
    } else {
        escape_add_value(&renderer->escaper, out, value);
    }
    filled_note(&renderer->filled, out, start);
}

static void add_value_line(struct renderer *renderer, struct buf *out, struct slice value,
                           char quote)
{
    renderer->line.len = 0;
    controls_add_line(&renderer->line, value);
    add_value(renderer, out, buf_slice(&renderer->line), quote);
}

/* A value in the prompt's template, which is the user's own. */
static void add_own_value(struct renderer *renderer, struct buf *out, struct slice value,
                          char quote)
{
    if (quote != 0) {
        escape_add_line(&renderer->escaper, out, value, quote);
    } else {
        escape_add_text(&renderer->escaper, out, value, true);
    }
}

static void add_part_of_block(struct renderer *renderer, struct buf *out,
                              const struct template_part *part, const struct chunk *chunk,
                              size_t number, struct slice text)
{
    struct buf *value = &renderer->value;
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
        add_value(renderer, out, text, part->quote);
        break;
    case SLOT_SCORE:
        buf_add_slice(out, chunk_score(chunk));
        break;
    case SLOT_ID:
        utf8_add_repaired(value, chunk_id_text(chunk, &renderer->id));
        add_value_line(renderer, out, buf_slice(value), part->quote);
        break;
    case SLOT_HEADER:
        /* The brackets are ours, and nothing in a header can end it early. */
        header_add(value, &renderer->options->header, chunk);
        escape_add_line(&renderer->escaper, out, buf_slice(value), part->quote);
        break;
    case SLOT_PREAMBLE:
        add_value(renderer, out, format_preamble(renderer, chunk), part->quote);
        break;
    case SLOT_MEMBER:
        value_add_text(value, chunk_member(chunk, &part->member));
        add_value(renderer, out, buf_slice(value), part->quote);
        break;
    case SLOT_CONTEXT:
    case SLOT_INSTRUCTIONS:
    case SLOT_QUESTION:
        break; /* of a prompt's template */
    }
}

static void add_part_of_prompt(struct renderer *renderer, struct buf *out,
                               const struct template_part *part)
{
    if (part->slot == SLOT_QUESTION) {
        add_own_value(renderer, out, renderer->options->question, part->quote);
    } else if (part->slot == SLOT_INSTRUCTIONS && part->quote != 0) {
        add_own_value(renderer, out, renderer->options->instructions, part->quote);
    } else if (part->slot == SLOT_INSTRUCTIONS) {
        add_instructions(renderer, out);
    }
}

/* The parts of the prompt's template before the context, or those after it. */
static void add_template(struct renderer *renderer, struct buf *out, bool after)
{
    const struct template *template = &renderer->options->template;
    bool passed = false;
    for (size_t i = 0; i < template->count; i++) {
        const struct template_part *part = &template->parts[i];
        if (part->slot == SLOT_CONTEXT) {
            passed = true;
        } else if (passed == after && part->slot == SLOT_NONE) {
            buf_add_slice(out, part->text);
        } else if (passed == after) {
            add_part_of_prompt(renderer, out, part);
        }
    }
}

/* A chunk's template, filled in. */
static void template_block(struct renderer *renderer, struct buf *out, const struct chunk *chunk,
                           size_t number, struct slice text)
{
    const struct template *template = &renderer->options->chunk_template;
    for (size_t i = 0; i < template->count; i++) {
        add_part_of_block(renderer, out, &template->parts[i], chunk, number, text);
    }
}

static bool has_chunk_template(const struct renderer *renderer)
{
    return renderer->options->chunk_template.count > 0;
}

static void add_block(struct renderer *renderer, struct buf *out, const struct chunk *chunk,
                      size_t number, struct slice text)
{
    text = utf8_trim_lines(text);
    if (has_chunk_template(renderer)) {
        template_block(renderer, out, chunk, number, text);
    } else {
        format_of(renderer->options)->add_block(renderer, out, chunk, number, text);
    }
}

/* Quotes what imitates in what templates made since filled_begin(). */
static void settle_lines(struct renderer *renderer, struct buf *out, bool at_end)
{
    if (has_chunk_template(renderer)) {
        struct markers markers = escape_markers(renderer->options);
        renderer->escaper.escapes += filled_settle(&renderer->filled, out, &markers, at_end);
    }
}

void render_block(struct renderer *renderer, struct buf *out, const struct chunk *chunk,
                  size_t number, struct slice text)
{
    filled_begin(&renderer->filled, out);
    add_block(renderer, out, chunk, number, text);
    settle_lines(renderer, out, true);
}

void render_head(struct renderer *renderer, struct buf *out)
{
    const struct prompt_options *options = renderer->options;
    add_template(renderer, out, false);
    if (options->template.count == 0 && options->has_question && options->bookend) {
        add_question(renderer, out);
        buf_add_byte(out, '\n');
    }
    context_start(renderer, out);
}

/* Instructions and question, each after a blank line. */
static void add_parts(struct renderer *renderer, struct buf *out)
{
    const struct prompt_options *options = renderer->options;
    bool own_blocks = options->chunk_template.count > 0; /* which end as their author likes */
    if (own_blocks && out->len > 0 && out->at[out->len - 1] != '\n') {
        buf_add_byte(out, '\n');
    }
    buf_add_string(out, own_blocks ? "\n" : format_of(options)->part_start);
    if (options->instructions.len > 0 && body_of(options) == BODY_NONE) {
        bool xml = format_of(options)->tags;
        if (xml) {
            format_add_tag(renderer, out, "<", "instructions");
            buf_add_byte(out, '>');
        }
        buf_add_string(out, format_of(options)->instructions);
        add_instructions(renderer, out);
        if (xml) {
            format_add_tag(renderer, out, "</", "instructions");
            buf_add_byte(out, '>');
        }
        buf_add_string(out, "\n\n");
    }
    add_question(renderer, out);
}

void render_tail(struct renderer *renderer, struct buf *out)
{
    context_end(renderer, out);
    if (renderer->options->template.count > 0) {
        add_template(renderer, out, true);
    } else if (renderer->options->has_question) {
        add_parts(renderer, out);
    }
}

/* Of each chunk what those before it have not said. */
struct slice render_document_text(struct renderer *renderer, const struct chunks *chunks,
                                  size_t first)
{
    size_t count = chunks_in_document(chunks, first);
    if (count == 1) {
        return render_text(renderer, chunks->placed[first]);
    }
    renderer->passage.len = 0;
    for (size_t i = first; i < first + count; i++) {
        const struct chunk *chunk = chunks->placed[i];
        struct slice text = render_text(renderer, chunk);
        size_t length = details_of(chunk)->truncated > 0 ? details_of(chunk)->truncated : text.len;
        if (details_of(chunk)->overlap < length) {
            buf_add_slice(&renderer->passage, slice_from(text, details_of(chunk)->overlap));
        }
    }
    return buf_slice(&renderer->passage);
}

/* What templates made is flushed by whole lines: the last may go on in the next block. */
static int flush_blocks(struct renderer *renderer, struct buf *out, int (*flush)(struct buf *out))
{
    if (!has_chunk_template(renderer)) {
        return flush(out);
    }
    settle_lines(renderer, out, false);
    size_t settled = renderer->filled.settled;
    if (settled == 0) {
        return STATUS_OK;
    }
    struct buf *unfinished = &renderer->unfinished;
    unfinished->len = 0;
    buf_add_slice(unfinished, slice_from(buf_slice(out), settled));
    out->len = settled;
    int status = flush(out);
    filled_cut(&renderer->filled);
    buf_add_slice(out, buf_slice(unfinished));
    return status;
}

int render_all(struct renderer *renderer, struct buf *out, const struct chunks *chunks,
               int (*flush)(struct buf *out))
{
    int status = STATUS_OK;
    render_head(renderer, out);
    filled_begin(&renderer->filled, out);
    size_t count;
    for (size_t i = 0; i < chunks->placed_count && status == STATUS_OK; i += count) {
        const struct chunk *chunk = chunks->placed[i];
        count = chunks_in_document(chunks, i);
        /* Before the block: the tail may take line feeds back from the last one. */
        if (flush != NULL && out->len >= OUT_ENOUGH) {
            status = flush_blocks(renderer, out, flush);
        }
        add_block(renderer, out, chunk, chunk->position, render_document_text(renderer, chunks, i));
    }
    settle_lines(renderer, out, true);
    render_tail(renderer, out);
    return status == STATUS_OK && flush != NULL ? flush(out) : status;
}

struct slice render_text(struct renderer *renderer, const struct chunk *chunk)
{
    struct slice text = chunk_text(chunk, &renderer->text);
    return details_of(chunk)->truncated > 0
               ? render_truncated(renderer, text, details_of(chunk)->truncated)
               : text;
}

struct slice render_truncated(struct renderer *renderer, struct slice text, size_t length)
{
    struct buf *truncated = &renderer->truncated;
    truncated->len = 0;
    buf_add(truncated, text.at, length);
    buf_add_string(truncated, RENDER_TRUNCATED_MARK);
    return buf_slice(truncated);
}

struct slice render_seam(const struct renderer *renderer)
{
    bool plain = render_is_additive(renderer);
    return slice_of(plain ? format_of(renderer->options)->seam : "");
}

bool render_is_additive(const struct renderer *renderer)
{
    return renderer->options->template.count == 0 && renderer->options->chunk_template.count == 0;
}

size_t render_text_uses(const struct renderer *renderer)
{
    const struct template *template = &renderer->options->chunk_template;
    return template->count > 0 ? template_uses(template, SLOT_TEXT) : 1;
}

size_t renderer_escapes(const struct renderer *renderer)
{
    return renderer->escaper.escapes;
}

struct renderer *renderer_new(const struct chunks *chunks, const struct prompt_options *options)
{
    struct renderer *renderer = mem_zeroed(1, sizeof *renderer);
    renderer->options = options;
    renderer->chunks = chunks;
    renderer->escaper.options = options;
    if (options->tag_suffix) {
        struct buf more = {0};
        buf_add_slice(&more, options->question);
        buf_add_byte(&more, '\n');
        buf_add_slice(&more, options->instructions);
        renderer->suffix[0] = '-';
        tag_suffix_derive(renderer->suffix + 1, chunks, buf_slice(&more));
        buf_free(&more);
    }
    return renderer;
}

void renderer_free(struct renderer *renderer)
{
    if (renderer == NULL) {
        return;
    }
    escaper_free(&renderer->escaper);
    buf_free(&renderer->text);
    buf_free(&renderer->truncated);
    buf_free(&renderer->value);
    buf_free(&renderer->block);
    buf_free(&renderer->source);
    buf_free(&renderer->title);
    interner_free(&renderer->ids);
    interner_free(&renderer->names);
    free(renderer->chunks_named);
    buf_free(&renderer->line);
    buf_free(&renderer->passage);
    buf_free(&renderer->id);
    filled_free(&renderer->filled);
    buf_free(&renderer->unfinished);
    free(renderer);
}
