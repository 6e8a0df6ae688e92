/* imitation.c: see imitation.h. */
#include "imitation.h"

#include <stdbool.h>
#include <string.h>

#include "visible.h"

static bool skip_digits(struct visible *reader)
{
    struct visible ahead = *reader;
    bool any = false;
    while (utf8proc_category(visible_next(&ahead)) == UTF8PROC_CATEGORY_ND) {
        *reader = ahead;
        any = true;
    }
    return any;
}

static bool begins_with_number(struct visible reader)
{
    return visible_skip(&reader, '[') && skip_digits(&reader) && visible_skip(&reader, ']');
}

static bool begins_with_id(struct visible reader)
{
    return visible_skip_word(&reader, "id") && visible_skip(&reader, ':') && skip_digits(&reader);
}

static bool is_separator(struct visible reader)
{
    size_t stars = 0;
    while (visible_skip(&reader, '*')) {
        stars++;
    }
    return stars >= 3 && visible_next(&reader) == 0;
}

static bool begins_part(struct visible reader)
{
    return (visible_skip_word(&reader, "instructions") || visible_skip_word(&reader, "question")) &&
           visible_skip(&reader, ':');
}

static bool is_heading(struct visible reader)
{
    if (!visible_skip(&reader, '#')) {
        return false;
    }
    while (visible_skip(&reader, '#')) {
    }
    bool part =
        visible_skip_word(&reader, "instructions") || visible_skip_word(&reader, "question");
    return part ? visible_next(&reader) == 0 : begins_with_number(reader);
}

static bool is_fence(struct visible reader)
{
    return visible_skip_word(&reader, "```") || visible_skip_word(&reader, "~~~");
}

/* Whether one of the header's names and a colon stand at the reader. */
static bool names_field(struct visible reader, const struct header *header)
{
    for (size_t i = 0; i < header->count; i++) {
        struct visible ahead = reader;
        if (visible_skip_text(&ahead, slice_of(header->fields[i].name)) &&
            visible_skip(&ahead, ':')) {
            return true;
        }
    }
    return false;
}

static bool begins_header(struct visible reader, const struct header *header)
{
    return visible_skip(&reader, '[') && names_field(reader, header);
}

static bool imitates(struct slice line, unsigned guards, const struct header *header)
{
    struct visible reader = visible_open(line);
    return ((guards & GUARD_NUMBER) && begins_with_number(reader)) ||
           ((guards & GUARD_ID) && begins_with_id(reader)) ||
           ((guards & GUARD_SEPARATOR) && is_separator(reader)) ||
           ((guards & GUARD_PART) && begins_part(reader)) ||
           ((guards & GUARD_HEADING) && is_heading(reader)) ||
           ((guards & GUARD_FENCE) && is_fence(reader)) ||
           ((guards & GUARD_HEADER) && begins_header(reader, header));
}

static bool begins_field(struct visible reader, const struct header *header)
{
    static const char *const own[] = {"id", "content"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        struct visible ahead = reader;
        if (visible_skip_word(&ahead, own[i]) && visible_skip(&ahead, ':')) {
            return true;
        }
    }
    return names_field(reader, header);
}

size_t imitation_add_bars(struct buf *out, struct slice text, const struct header *header)
{
    static const char *const bars[] = {"|", "\xef\xbd\x9c" /* full-width */};
    size_t replaced = 0;
    const char *end = text.at + text.len;
    const char *copied = text.at;
    for (const char *at = copied; at < end; at++) {
        for (size_t i = 0; i < sizeof bars / sizeof bars[0]; i++) {
            size_t length = strlen(bars[i]);
            if (*at != bars[i][0] || (size_t)(end - at) < length ||
                memcmp(at, bars[i], length) != 0) {
                continue;
            }
            struct slice after = {at + length, (size_t)(end - at) - length};
            if (begins_field(visible_open(after), header)) {
                buf_add(out, copied, (size_t)(at - copied));
                buf_add_byte(out, '/');
                copied = after.at;
                replaced++;
            }
        }
    }
    buf_add(out, copied, (size_t)(end - copied));
    return replaced;
}

/* Whether the line could: nearly all begin with an ASCII letter that no structure has. */
static bool is_suspect(struct slice line)
{
    static const char first[] = "[*#`~iIqQ";
    for (size_t i = 0; i < line.len; i++) {
        char c = line.at[i];
        if (c != ' ' && c != '\t') {
            return (unsigned char)c >= 0x80 || c < ' ' || strchr(first, c) != NULL;
        }
    }
    return false;
}

/* The bytes of the line end at `at`, as a reader may see one; 0 when there is none. */
static size_t line_end(const char *at, const char *end)
{
    size_t left = (size_t)(end - at);
    if (*at == '\n') {
        return 1;
    }
    if (left >= 2 && memcmp(at, "\xc2\x85", 2) == 0) { /* next line */
        return 2;
    }
    if (left >= 3 && memcmp(at, "\xe2\x80", 2) == 0 && (at[2] == '\xa8' || at[2] == '\xa9')) {
        return 3; /* line and paragraph separator */
    }
    return 0;
}

size_t imitation_add_quoted(struct buf *out, struct slice text, unsigned guards,
                            const struct header *header)
{
    size_t quoted = 0;
    const char *end = text.at + text.len;
    const char *line = text.at;
    while (line < end) {
        size_t ending = 0;
        const char *at = line;
        while (at < end && (ending = line_end(at, end)) == 0) {
            at++;
        }
        struct slice content = {line, (size_t)(at - line)};
        if (is_suspect(content) && imitates(content, guards, header)) {
            buf_add_string(out, "> ");
            quoted++;
        }
        buf_add(out, line, content.len + ending);
        line = at + ending;
    }
    return quoted;
}
