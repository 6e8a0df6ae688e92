/* template.c: see template.h. */
#include "template.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

static const struct {
    const char *name;
    enum slot slot;
} names[] = {
    {"context", SLOT_CONTEXT},   {"instructions", SLOT_INSTRUCTIONS},
    {"question", SLOT_QUESTION}, {"n", SLOT_N},
    {"text", SLOT_TEXT},         {"rank", SLOT_RANK},
    {"score", SLOT_SCORE},       {"id", SLOT_ID},
    {"header", SLOT_HEADER},     {"preamble", SLOT_PREAMBLE},
};

/* Whether the markup read so far ends inside a tag, where there, and inside which quotes. */
struct markup {
    bool in_tag;
    bool at_name; /* right behind "<" or "</" */
    char quote;
};

/* One pass over a template. */
struct parser {
    struct template *template;
    const char *file;
    enum template_kind kind;
    const char *start;
    const char *end;
    struct markup markup;
};

static int complain(const struct parser *parser, const char *at, const char *message,
                    struct slice name)
{
    size_t line = 1;
    const char *line_start = parser->start;
    for (const char *c = parser->start; c < at; c++) {
        if (*c == '\n') {
            line++;
            line_start = c + 1;
        }
    }
    size_t column = utf8_length((struct slice){line_start, (size_t)(at - line_start)}) + 1;
    return diag_place(STATUS_USAGE, parser->file, line, column, message, (int)name.len, name.at);
}

static struct template_part *add_part(struct template *template, enum slot slot)
{
    template->parts = mem_grow(template->parts, &template->capacity, template->count + 1,
                               sizeof *template->parts);
    struct template_part *part = &template->parts[template->count++];
    *part = (struct template_part){.slot = slot};
    return part;
}

static void add_text(struct template *template, struct slice text)
{
    if (text.len > 0) {
        add_part(template, SLOT_NONE)->text = text;
    }
}

/* Whether c after a "<" makes it a tag: no comment, no comparison. */
static bool starts_tag(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80 ||
           c == '_' || c == '/';
}

static bool ends_with(struct slice text, const char *end)
{
    size_t length = strlen(end);
    return text.len >= length && memcmp(text.at + text.len - length, end, length) == 0;
}

static void follow_markup(struct markup *markup, struct slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        if (!markup->in_tag) {
            markup->in_tag = c == '<' && i + 1 < text.len && starts_tag(text.at[i + 1]);
        } else if (markup->quote != 0) {
            markup->quote = c == markup->quote ? 0 : markup->quote;
        } else if (c == '"' || c == '\'') {
            markup->quote = c;
        } else if (c == '>') {
            markup->in_tag = false;
        }
    }
    if (text.len == 0) {
        return; /* a value right behind another one, or behind words in quotation marks */
    }
    markup->at_name = markup->quote == 0 && (ends_with(text, "<") || ends_with(text, "</"));
}

static enum slot slot_named(struct slice name, enum template_kind kind)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        bool of_prompt = names[i].slot <= SLOT_QUESTION;
        if (of_prompt == (kind == TEMPLATE_PROMPT) && slice_equal(name, slice_of(names[i].name))) {
            return names[i].slot;
        }
    }
    return SLOT_NONE;
}

/* A member is named by a path that cannot be taken for a misspelt name. */
static bool is_path(struct slice name)
{
    return memchr(name.at, '.', name.len) != NULL || memchr(name.at, '/', name.len) != NULL;
}

static int add_member(struct parser *parser, struct slice name)
{
    char *written = mem_alloc(name.len + 1);
    memcpy(written, name.at, name.len);
    written[name.len] = '\0';
    struct path path;
    const char *wrong = path_parse(&path, written);
    if (wrong != NULL) {
        free(written);
        return complain(parser, name.at,
                        "the path '%.*s' is none: it has an empty key, or a ~ "
                        "that is neither ~0 nor ~1",
                        name);
    }
    add_part(parser->template, SLOT_MEMBER)->member = path;
    return STATUS_OK;
}

/* What stands between the braces, without white space around it. */
static int add_slot(struct parser *parser, struct slice name)
{
    if (name.len >= 2 && name.at[0] == '"' && name.at[name.len - 1] == '"') {
        struct slice text = {name.at + 1, name.len - 2};
        add_text(parser->template, text);
        follow_markup(&parser->markup, text);
        return STATUS_OK;
    }
    int status = STATUS_OK;
    enum slot slot = slot_named(name, parser->kind);
    if (parser->markup.at_name) {
        return complain(parser, name.at,
                        "{{%.*s}} would be a tag's name, which a text could imitate; put a letter "
                        "before it, or a space where it is no tag",
                        name);
    }
    bool numeric = slot == SLOT_N || slot == SLOT_RANK || slot == SLOT_SCORE;
    if (parser->markup.in_tag && parser->markup.quote == 0 && !numeric) {
        return complain(parser, name.at,
                        "{{%.*s}} stands inside a tag: without quotation marks around it, it "
                        "could leave the tag",
                        name);
    }
    if (slot != SLOT_NONE) {
        add_part(parser->template, slot);
    } else if (parser->kind == TEMPLATE_CHUNK && is_path(name)) {
        status = add_member(parser, name);
    } else {
        status = complain(parser, name.at,
                          parser->kind == TEMPLATE_PROMPT
                              ? "unknown name '%.*s': there are context, instructions and question"
                              : "unknown name '%.*s': there are n, text, rank, score, id, header, "
                                "preamble, and members by path, with a dot or as in /title",
                          name);
    }
    if (status == STATUS_OK) {
        parser->template->parts[parser->template->count - 1].quote = parser->markup.quote;
    }
    return status;
}

static const char *find_pair(const char *at, const char *end, char c)
{
    for (; end - at >= 2; at++) {
        if (at[0] == c && at[1] == c) {
            return at;
        }
    }
    return NULL;
}

static struct slice without_blanks(const char *from, const char *to)
{
    while (from < to && (*from == ' ' || *from == '\t')) {
        from++;
    }
    while (to > from && (to[-1] == ' ' || to[-1] == '\t')) {
        to--;
    }
    return (struct slice){from, (size_t)(to - from)};
}

static int parse(struct parser *parser)
{
    const char *at = parser->start;
    int status = STATUS_OK;
    while (status == STATUS_OK) {
        const char *open = find_pair(at, parser->end, '{');
        const char *text_end = open != NULL ? open : parser->end;
        struct slice text = {at, (size_t)(text_end - at)};
        add_text(parser->template, text);
        follow_markup(&parser->markup, text);
        if (open == NULL) {
            return STATUS_OK;
        }
        /* A }} that closes nothing is text as it is. */
        const char *close = find_pair(open + 2, parser->end, '}');
        if (close == NULL) {
            return complain(parser, open, "%.*s is not closed; a {{ that is text is {{\"{{\"}}",
                            (struct slice){open, 2});
        }
        status = add_slot(parser, without_blanks(open + 2, close));
        at = close + 2;
    }
    return status;
}

int template_load(struct template *template, const char *file, enum template_kind kind,
                  struct tag_names *own_tags)
{
    struct input input = {0};
    int status = input_load(&input, file, false, NULL);
    if (status != STATUS_OK) {
        return status;
    }
    struct slice all = {input.bytes, input.length};
    all = slice_from(all, utf8_byte_order_mark(all));
    utf8_add_repaired(&template->bytes, all);
    free(input.bytes);
    all = buf_slice(&template->bytes);
    tags_collect(own_tags, all);
    struct parser parser = {.template = template,
                            .file = input.name,
                            .kind = kind,
                            .start = all.at,
                            .end = all.at + all.len};
    return parse(&parser);
}

void template_free(struct template *template)
{
    for (size_t i = 0; i < template->count; i++) {
        if (template->parts[i].slot == SLOT_MEMBER) {
            free((char *)template->parts[i].member.written);
            path_free(&template->parts[i].member);
        }
    }
    free(template->parts);
    buf_free(&template->bytes);
    *template = (struct template){0};
}

size_t template_uses(const struct template *template, enum slot slot)
{
    size_t n = 0;
    for (size_t i = 0; i < template->count; i++) {
        n += template->parts[i].slot == slot;
    }
    return n;
}
