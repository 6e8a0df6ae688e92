/* imitation.c: see imitation.h. */
#include "imitation.h"

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

static bool matches(struct visible reader, const char *marker, const struct markers *markers);

/* Whether one of the header's names stands at the reader, and the rest of the marker after it. */
static bool matches_name(struct visible reader, const char *rest, const struct markers *markers)
{
    for (size_t i = 0; i < markers->header->count; i++) {
        struct slice name = slice_of(markers->header->fields[i].name);
        struct visible ahead = reader;
        if (visible_skip_text(&ahead, name) && matches(ahead, rest, markers)) {
            return true;
        }
        if (markers->goes_on && visible_ends_within(reader, name)) {
            return true;
        }
    }
    return false;
}

static bool matches(struct visible reader, const char *marker, const struct markers *markers)
{
    for (; *marker != '\0'; marker++) {
        if (*marker == '%') {
            return matches_name(reader, marker + 1, markers);
        }
        if (*marker == '$') {
            return visible_next(&reader) == 0;
        }
        if (*marker == '0' ? !skip_digits(&reader) : !visible_skip(&reader, *marker)) {
            return markers->goes_on && visible_next(&reader) == 0;
        }
        if (marker[1] == '+') {
            while (visible_skip(&reader, *marker)) {
            }
            marker++;
        }
    }
    return true;
}

static bool matches_any(struct slice text, const char *const *list, const struct markers *markers)
{
    for (; list != NULL && *list != NULL; list++) {
        if (matches(visible_open(text), *list, markers)) {
            return true;
        }
    }
    return false;
}

/* Whether a marker may begin with c, which is ASCII and can be seen. */
static bool may_begin(char c, const char *const *list)
{
    char lower = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    for (; list != NULL && *list != NULL; list++) {
        if (**list == lower || strchr("0%$", **list) != NULL) {
            return true;
        }
    }
    return false;
}

/* Whether the line could: nearly all begin with an ASCII letter that no marker has. */
static bool is_suspect(struct slice line, const struct markers *markers)
{
    for (size_t i = 0; i < line.len; i++) {
        char c = line.at[i];
        if (c != ' ' && c != '\t') {
            return (unsigned char)c >= 0x80 || c < ' ' || may_begin(c, markers->lines) ||
                   may_begin(c, markers->more);
        }
    }
    return false;
}

/* The line without the mark of a quote or list item that it begins with; itself without one. */
static struct slice inside_container(struct slice line)
{
    size_t i = 0;
    while (i < line.len && (line.at[i] == ' ' || line.at[i] == '\t')) {
        i++;
    }
    if (i < line.len && ((unsigned char)line.at[i] >= 0x80 || line.at[i] < ' ')) {
        i = visible_start(line);
    }
    size_t digits = i;
    while (digits < line.len && line.at[digits] >= '0' && line.at[digits] <= '9') {
        digits++;
    }
    bool ordered = digits > i && digits < line.len && strchr(".)", line.at[digits]) != NULL;
    if (ordered || (i < line.len && strchr(">-+*", line.at[i]) != NULL)) {
        return slice_from(line, (ordered ? digits : i) + 1);
    }
    return line;
}

bool imitation_find(struct slice line, const struct markers *markers, struct slice *marker)
{
    enum { MOST_CONTAINERS = 16 };
    *marker = line;
    if (markers->lines == NULL) {
        return true;
    }
    for (int i = 0; i < MOST_CONTAINERS; i++) {
        if (is_suspect(line, markers) && (matches_any(line, markers->lines, markers) ||
                                          matches_any(line, markers->more, markers))) {
            *marker = slice_from(line, visible_start(line));
            return true;
        }
        struct slice inside = markers->containers ? inside_container(line) : line;
        if (inside.len == line.len) {
            return false;
        }
        line = inside;
    }
    *marker = slice_from(line, visible_start(line));
    return true; /* so deep, nobody means it */
}

size_t imitation_drawn(struct slice marker)
{
    enum { FENCE = 3 };
    struct visible reader = visible_open(marker);
    int32_t c = visible_next(&reader);
    if (c == '=' || c == '-' || c == '*') {
        return marker.len;
    }
    if (c != '`' && c != '~') {
        return 0;
    }
    for (int i = 1; i < FENCE; i++) {
        visible_next(&reader);
    }
    return (size_t)(reader.at - (const unsigned char *)marker.at);
}

size_t imitation_line_end(const char *at, const char *end)
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

struct slice imitation_next_line(struct slice *text)
{
    const char *end = text->at + text->len;
    const char *at = text->at;
    size_t ending = 0;
    while (at < end && (ending = imitation_line_end(at, end)) == 0) {
        at++;
    }
    struct slice line = {text->at, (size_t)(at - text->at)};
    *text = slice_from(*text, line.len + ending);
    return line;
}

size_t imitation_add_quoted(struct buf *out, struct slice text, const struct markers *markers)
{
    size_t quoted = 0;
    while (text.len > 0) {
        const char *start = text.at;
        struct slice marker;
        if (imitation_find(imitation_next_line(&text), markers, &marker)) {
            buf_add_string(out, "> ");
            quoted++;
        }
        buf_add(out, start, (size_t)(text.at - start));
    }
    return quoted;
}

size_t imitation_add_bars(struct buf *out, struct slice text, const struct markers *markers)
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
            if (matches_any(after, markers->bars, markers)) {
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
