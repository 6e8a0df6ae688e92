/* body.c: see body.h. */
#include "body.h"

#include "controls.h"
#include "format.h"
#include "prompt.h"
#include "renderer.h"

enum body body_of(const struct prompt_options *options)
{
    return format_named(options)->body;
}

bool body_has_blocks(const struct prompt_options *options)
{
    return body_of(options) == BODY_ANTHROPIC || body_of(options) == BODY_COHERE;
}

int body_check(const struct prompt_options *options)
{
    const char *name = format_named(options)->choice.name;
    bool blocks = body_has_blocks(options);
    if (body_of(options) != BODY_MESSAGES && options->context_given) {
        return diag_usage("--context is for the format messages");
    }
    if (body_of(options) != BODY_ANTHROPIC &&
        (options->source.depth > 0 || options->title.depth > 0)) {
        return diag_usage("--source and --title are for the format anthropic");
    }
    if (body_of(options) == BODY_NONE) {
        return options->overhead_given ? diag_usage("--overhead is for bodies of requests")
                                       : STATUS_OK;
    }
    if (!options->has_question) {
        return diag_usage("the format %s needs a question", name);
    }
    if (options->template_file != NULL || (blocks && options->chunk_template_file != NULL)) {
        return diag_usage("the format %s has parts of its own, so it takes no template", name);
    }
    if (blocks && options->bookend) {
        return diag_usage("--bookend does not go with the format %s: its chunks stand apart from "
                          "what is said",
                          name);
    }
    return STATUS_OK;
}

/* A text as a prompt has it, but for what is escaped in those: nothing is. */
static struct slice mended(struct renderer *renderer, struct slice text, struct buf *out)
{
    struct escaper *escaper = &renderer->escaper;
    text = controls_strip_tags(text, &escaper->seen, &escaper->escapes);
    text = controls_replace(text, &escaper->clean);
    out->len = 0;
    buf_add_slice(out, text);
    return buf_slice(out);
}

/* The text of a block: header and preamble, where there are any, and the chunk's own. */
static struct slice block_text(struct renderer *renderer, const struct chunk *chunk,
                               struct slice text, struct buf *out)
{
    struct buf body = {0};
    const struct prompt_options *options = renderer->options;
    if (body_of(options) == BODY_ANTHROPIC && header_add(&body, &options->header, chunk)) {
        buf_add_byte(&body, '\n');
    }
    struct slice preamble = utf8_trim_lines(format_preamble(renderer, chunk));
    if (preamble.len > 0) {
        buf_add_slice(&body, preamble);
        buf_add_byte(&body, '\n');
    }
    text = utf8_trim_lines(text);
    buf_add_slice(&body, text.len > 0 ? text : slice_of("(no text)")); /* APIs want some */
    text = mended(renderer, buf_slice(&body), out);
    buf_free(&body);
    return text;
}

/* Leaves out what nobody sees but the model. */
static void strip(struct renderer *renderer, struct buf *value)
{
    struct escaper *escaper = &renderer->escaper;
    struct slice seen = controls_strip_tags(buf_slice(value), &escaper->seen, &escaper->escapes);
    if (seen.len < value->len) {
        value->len = 0;
        buf_add_slice(value, seen);
    }
}

/* What a chunk has at a path, on one line; false: nothing. */
static bool value_at(struct renderer *renderer, const struct chunk *chunk, const struct path *path,
                     struct buf *out)
{
    struct buf value = {0};
    out->len = 0;
    if (path->depth > 0 && value_add_text(&value, chunk_member(chunk, path))) {
        strip(renderer, &value);
        controls_add_line(out, buf_slice(&value));
    }
    buf_free(&value);
    return out->len > 0;
}

/* The chunk's id, or where it stands. */
static void add_name(struct renderer *renderer, const struct chunk *chunk, struct buf *out)
{
    struct buf id = {0};
    out->len = 0;
    utf8_add_repaired(&id, chunk_id_text(chunk, &renderer->id));
    strip(renderer, &id);
    controls_add_line(out, buf_slice(&id));
    if (out->len == 0) {
        struct buf place = {0};
        fate_add_place(&place, renderer->chunks, chunk);
        utf8_add_repaired(out, buf_slice(&place));
        buf_free(&place);
    }
    buf_free(&id);
}

/* The same of a header's field, as it is a member of a document. */
static bool header_value(struct renderer *renderer, struct buf *out, struct slice member)
{
    header_add_value(out, member);
    strip(renderer, out);
    return out->len > 0;
}

/* The strings of a block; good until the next one. */
struct block {
    struct slice text;
    struct slice source; /* or id */
    struct slice title;
};

static struct block make_block(struct renderer *renderer, const struct chunk *chunk,
                               struct slice text)
{
    const struct prompt_options *options = renderer->options;
    struct block block = {.text = block_text(renderer, chunk, text, &renderer->block)};
    if (!value_at(renderer, chunk, &options->source, &renderer->source)) {
        add_name(renderer, chunk, &renderer->source);
    }
    bool titled = value_at(renderer, chunk, &options->title, &renderer->title);
    block.source = buf_slice(&renderer->source);
    block.title = titled ? buf_slice(&renderer->title) : block.source;
    return block;
}

static bool has_unique_ids(const struct renderer *renderer)
{
    return body_of(renderer->options) == BODY_COHERE;
}

/* Makes the block's id one that no block before it has: a second one has its number behind it. */
static void make_unique(struct renderer *renderer, struct block *block, size_t number)
{
    size_t known = renderer->ids.count;
    while (intern_bytes(&renderer->ids, buf_slice(&renderer->source)) < known) {
        buf_add_format(&renderer->source, "#%zu", number);
        known = renderer->ids.count;
    }
    block->source = buf_slice(&renderer->source);
}

static void count_names(struct renderer *renderer)
{
    const struct chunks *chunks = renderer->chunks;
    if (renderer->chunks_named != NULL) {
        return;
    }
    struct buf name = {0};
    size_t known = 0;
    renderer->chunks_named = mem_zeroed(chunks->ranked_count, sizeof *renderer->chunks_named);
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        add_name(renderer, chunks->ranked[i], &name);
        renderer->chunks_named[intern_bytes(&renderer->names, buf_slice(&name))]++;
        renderer->names_repeat |= renderer->names.count == known;
        known = renderer->names.count;
    }
    buf_free(&name);
}

/* Of a ranked chunk, before it is known which blocks there will be: the longest id it may get. */
static void make_longest(struct renderer *renderer, struct block *block)
{
    count_names(renderer);
    if (renderer->chunks_named[intern_bytes(&renderer->names, block->source)] > 1) {
        buf_add_format(&renderer->source, "#%zu", renderer->chunks->count);
        block->source = buf_slice(&renderer->source);
    }
}

bool body_changes_ids(struct renderer *renderer)
{
    if (has_unique_ids(renderer)) {
        count_names(renderer);
    }
    return renderer->names_repeat;
}

static void take_strings(struct renderer *renderer, const struct block *block,
                         const struct chunk *chunk, body_function *take, void *context)
{
    take(context, block->text);
    take(context, block->source);
    if (body_of(renderer->options) == BODY_ANTHROPIC) {
        take(context, block->title);
        return;
    }
    const struct header *header = &renderer->options->header;
    const struct slice *values = header_find(header, chunk);
    for (size_t i = 0; i < header->count; i++) {
        struct buf *value = &renderer->value;
        value->len = 0;
        if (header_value(renderer, value, values[i])) {
            take(context, slice_of(header->fields[i].name));
            take(context, buf_slice(value));
        }
    }
}

void body_block_strings(struct renderer *renderer, const struct chunk *chunk, struct slice text,
                        body_function *take, void *context)
{
    struct block block = make_block(renderer, chunk, text);
    if (has_unique_ids(renderer)) {
        make_longest(renderer, &block);
    }
    take_strings(renderer, &block, chunk, take, context);
}

/* The block of the document that begins at a place. */
static struct block block_at(struct renderer *renderer, const struct chunks *chunks, size_t place)
{
    struct slice text = render_document_text(renderer, chunks, place);
    struct block block = make_block(renderer, chunks->placed[place], text);
    if (has_unique_ids(renderer)) {
        make_unique(renderer, &block, chunks->placed[place]->position);
    }
    return block;
}

/* None of the ids has been given to a block. */
static void restart_ids(struct renderer *renderer)
{
    interner_free(&renderer->ids);
    renderer->ids = (struct interner){0};
}

size_t body_blocks_strings(struct renderer *renderer, const struct chunks *chunks,
                           body_function *take, void *context)
{
    size_t blocks = 0;
    restart_ids(renderer);
    for (size_t i = 0; i < chunks->placed_count; i += chunks_in_document(chunks, i)) {
        struct block block = block_at(renderer, chunks, i);
        take_strings(renderer, &block, chunks->placed[i], take, context);
        blocks++;
    }
    return blocks;
}

/* The question as it stands in a body; in `seen`, or as it is. */
static struct slice question_of(const struct prompt_options *options, struct buf *seen,
                                size_t *count)
{
    return controls_strip_tags(options->question, seen, count);
}

size_t body_frame_strings(const struct renderer *renderer, body_function *take, void *context)
{
    const struct prompt_options *options = renderer->options;
    bool instructed = options->instructions.len > 0;
    if (instructed) {
        take(context, options->instructions);
    }
    if (body_has_blocks(options)) {
        struct buf seen = {0};
        size_t count = 0;
        take(context, question_of(options, &seen, &count));
        buf_free(&seen);
    }
    /* Instructions are a message, but for Anthropic, whose question is a block of one. */
    return instructed || body_of(options) == BODY_ANTHROPIC ? 2 : 1;
}

static void add_member(struct buf *out, const char *before, struct slice text)
{
    buf_add_string(out, before);
    value_add_quoted(out, text);
}

static void add_search_result(struct renderer *renderer, struct buf *out, const struct block *block)
{
    add_member(out, "{\"type\":\"search_result\",\"source\":", block->source);
    add_member(out, ",\"title\":", block->title);
    add_member(out, ",\"content\":[{\"type\":\"text\",\"text\":", block->text);
    buf_add_string(out, "}]");
    if (renderer->options->cite) {
        buf_add_string(out, ",\"citations\":{\"enabled\":true}");
    }
    buf_add_string(out, "},");
}

static void add_document(struct renderer *renderer, struct buf *out, const struct chunk *chunk,
                         const struct block *block)
{
    const struct header *header = &renderer->options->header;
    add_member(out, "{\"id\":", block->source);
    add_member(out, ",\"data\":{\"text\":", block->text);
    const struct slice *values = header_find(header, chunk);
    for (size_t i = 0; i < header->count; i++) {
        struct buf *value = &renderer->value;
        value->len = 0;
        if (header_value(renderer, value, values[i])) {
            add_member(out, ",", slice_of(header->fields[i].name));
            add_member(out, ":", buf_slice(value));
        }
    }
    buf_add_string(out, "}},");
}

/* All chunks, each block with a comma behind it. */
static void add_blocks(struct renderer *renderer, struct buf *out, const struct chunks *chunks)
{
    restart_ids(renderer);
    for (size_t i = 0; i < chunks->placed_count; i += chunks_in_document(chunks, i)) {
        struct block block = block_at(renderer, chunks, i);
        if (body_of(renderer->options) == BODY_ANTHROPIC) {
            add_search_result(renderer, out, &block);
        } else {
            add_document(renderer, out, chunks->placed[i], &block);
        }
    }
}

static void add_system_message(const struct prompt_options *options, struct buf *out)
{
    if (options->instructions.len > 0) {
        add_member(out, "{\"role\":\"system\",\"content\":", options->instructions);
        buf_add_string(out, "},");
    }
}

static void add_messages(struct renderer *renderer, struct buf *out, const struct chunks *chunks)
{
    struct buf prompt = {0};
    render_all(renderer, &prompt, chunks, NULL);
    buf_add_string(out, "{\"messages\":[");
    add_system_message(renderer->options, out);
    add_member(out, "{\"role\":\"user\",\"content\":", buf_slice(&prompt));
    buf_add_string(out, "}]}");
    buf_free(&prompt);
}

static void add_anthropic(struct renderer *renderer, struct buf *out, const struct chunks *chunks)
{
    const struct prompt_options *options = renderer->options;
    buf_add_byte(out, '{');
    if (options->instructions.len > 0) {
        add_member(out, "\"system\":", options->instructions);
        buf_add_byte(out, ',');
    }
    buf_add_string(out, "\"messages\":[{\"role\":\"user\",\"content\":[");
    add_blocks(renderer, out, chunks);
    struct escaper *escaper = &renderer->escaper;
    add_member(out, "{\"type\":\"text\",\"text\":",
               question_of(options, &escaper->seen, &escaper->escapes));
    buf_add_string(out, "}]}]}");
}

static void add_cohere(struct renderer *renderer, struct buf *out, const struct chunks *chunks)
{
    const struct prompt_options *options = renderer->options;
    buf_add_string(out, "{\"documents\":[");
    add_blocks(renderer, out, chunks);
    out->len -= chunks->placed_count > 0; /* the last comma */
    buf_add_string(out, "],\"messages\":[");
    add_system_message(options, out);
    struct escaper *escaper = &renderer->escaper;
    add_member(out, "{\"role\":\"user\",\"content\":",
               question_of(options, &escaper->seen, &escaper->escapes));
    buf_add_string(out, "}]");
    buf_add_string(out, options->cite ? ",\"citation_options\":{\"mode\":\"ACCURATE\"}}" : "}");
}

void body_add(struct renderer *renderer, struct buf *out, const struct chunks *chunks)
{
    switch (body_of(renderer->options)) {
    case BODY_ANTHROPIC:
        add_anthropic(renderer, out, chunks);
        break;
    case BODY_COHERE:
        add_cohere(renderer, out, chunks);
        break;
    case BODY_MESSAGES:
        add_messages(renderer, out, chunks);
        break;
    case BODY_NONE:
        break;
    }
}
