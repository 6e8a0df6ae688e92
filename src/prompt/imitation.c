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

static bool matches(struct visible reader, const char *marker, const struct header *header);

/* Whether one of the header's names stands at the reader, and the rest of the marker after it. */
static bool matches_name(struct visible reader, const char *rest, const struct header *header)
{
    for (size_t i = 0; i < header->count; i++) {
        struct visible ahead = reader;
        if (visible_skip_text(&ahead, slice_of(header->fields[i].name)) &&
            matches(ahead, rest, header)) {
            return true;
        }
    }
    return false;
}

static bool matches(struct visible reader, const char *marker, const struct header *header)
{
    for (; *marker != '\0'; marker++) {
        if (*marker == '%') {
            return matches_name(reader, marker + 1, header);
        }
        if (*marker == '$') {
            return visible_next(&reader) == 0;
        }
        if (*marker == '0' ? !skip_digits(&reader) : !visible_skip(&reader, *marker)) {
            return false;
        }
        if (marker[1] == '+') {
            while (visible_skip(&reader, *marker)) {
            }
            marker++;
        }
    }
    return true;
}

static bool matches_any(struct slice text, const char *const *list, const struct header *header)
{
    for (; list != NULL && *list != NULL; list++) {
        if (matches(visible_open(text), *list, header)) {
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
            return (unsigned char)c >= 0x80 || c < ' ' || may_begin(c, markers->lines);
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

static bool imitates(struct slice line, const struct markers *markers)
{
    enum { MOST_CONTAINERS = 16 };
    if (markers->lines == NULL) {
        return true;
    }
    for (int i = 0; i < MOST_CONTAINERS; i++) {
        if (is_suspect(line, markers) && matches_any(line, markers->lines, markers->header)) {
            return true;
        }
        struct slice inside = markers->containers ? inside_container(line) : line;
        if (inside.len == line.len) {
            return false;
        }
        line = inside;
    }
    return true; /* so deep, nobody means it */
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

size_t imitation_add_quoted(struct buf *out, struct slice text, const struct markers *markers)
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
        if (imitates(content, markers)) {
            buf_add_string(out, "> ");
            quoted++;
        }
        buf_add(out, line, content.len + ending);
        line = at + ending;
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
            if (matches_any(after, markers->bars, markers->header)) {
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
