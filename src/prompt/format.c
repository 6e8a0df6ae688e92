/* format.c: see format.h. */
#include "format.h"

#include "controls.h"

static const char *const no_markers[] = {NULL};

const struct format format_ndjson = {
    .choice = {"ndjson", NULL, "the lines as they came (default without a question)"},
    .markers = no_markers,
};

/* By their index; the first two are FORMAT_NDJSON and FORMAT_XML. */
static const struct format *const formats[] = {
    &format_ndjson, &format_xml,      &format_numbered,  &format_markdown, &format_pipe,
    &format_plain,  &format_messages, &format_anthropic, &format_cohere,
};

static const struct choice *choice_of(size_t format)
{
    return &formats[format]->choice;
}

const struct choices format_choices = {choice_of, sizeof formats / sizeof formats[0]};

/* What a context of messages can be: texts, of which xml is the first. */
static const struct choice *context_of(size_t context)
{
    return &formats[FORMAT_XML + context]->choice;
}

const struct choices context_choices = {context_of, 5};

const struct format *format_named(const struct prompt_options *options)
{
    return formats[options->format];
}

const struct format *format_of(const struct prompt_options *options)
{
    const struct format *named = format_named(options);
    return named->body == BODY_MESSAGES ? formats[FORMAT_XML + options->context] : named;
}

bool prompt_is_wanted(const struct prompt_options *options)
{
    return format_of(options)->add_block != NULL || body_of(options) != BODY_NONE;
}

void format_add_tag(struct renderer *renderer, struct buf *out, const char *bracket,
                    const char *name)
{
    buf_add_string(out, bracket);
    buf_add_string(out, name);
    buf_add_string(out, renderer->suffix);
}

void format_add_header(struct renderer *renderer, struct buf *out, const char *before,
                       const struct chunk *chunk, const char *after)
{
    struct buf *value = &renderer->value;
    value->len = 0;
    if (header_add(value, &renderer->options->header, chunk)) {
        buf_add_string(out, before);
        escape_add_line(&renderer->escaper, out, buf_slice(value), 0);
        buf_add_string(out, after);
    }
}

struct slice format_preamble(struct renderer *renderer, const struct chunk *chunk)
{
    struct buf *value = &renderer->value;
    value->len = 0;
    if (renderer->options->preamble.depth > 0) {
        value_add_text(value, chunk_member(chunk, &renderer->options->preamble));
    }
    return buf_slice(value);
}

/* As one text, so that no tag is made of the end of one and the start of the other. */
void format_add_body(struct renderer *renderer, struct buf *out, const struct chunk *chunk,
                     struct slice text, escape_function *escape)
{
    struct buf body = {0};
    struct buf clean = {0};
    struct slice preamble =
        controls_replace(utf8_trim_lines(format_preamble(renderer, chunk)), &clean);
    if (preamble.len > 0) {
        buf_add_slice(&body, preamble);
        buf_add_byte(&body, '\n');
        buf_add_slice(&body, text);
        text = buf_slice(&body);
    }
    escape(&renderer->escaper, out, text, false);
    buf_add_byte(out, '\n');
    buf_free(&body);
    buf_free(&clean);
}
