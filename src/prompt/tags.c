/* tags.c: see tags.h. */
#include "tags.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "visible.h"

static const char *const own_names[] = {"context", "document", "instructions", "question"};

/* Of any alphabet, and with the bars of chat templates. */
static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80 || strchr("_-.:|", c) != NULL;
}

static void collect(struct tag_names *more, struct slice name, bool is_start)
{
    more->names = mem_grow(more->names, &more->capacity, more->count + 1, sizeof *more->names);
    struct tag_name *new = &more->names[more->count++];
    *new = (struct tag_name){.is_start = is_start};
    size_t capacity = 0;
    struct visible reader = visible_open(name);
    int32_t c;
    while ((c = visible_next(&reader)) != 0) {
        new->visible = mem_grow(new->visible, &capacity, new->length + 1, sizeof *new->visible);
        new->visible[new->length++] = c;
    }
}

/* By their characters, a name before those that go on from it. */
static int by_name(const void *left, const void *right)
{
    const struct tag_name *a = left;
    const struct tag_name *b = right;
    for (size_t i = 0; i < a->length && i < b->length; i++) {
        if (a->visible[i] != b->visible[i]) {
            return a->visible[i] < b->visible[i] ? -1 : 1;
        }
    }
    return (a->length > b->length) - (a->length < b->length);
}

void tags_collect(struct tag_names *more, struct slice markup)
{
    const char *end = markup.at + markup.len;
    for (const char *at = markup.at; at < end; at++) {
        if (*at != '<') {
            continue;
        }
        const char *name = at + 1 + (at + 1 < end && at[1] == '/');
        const char *after = name;
        while (after < end && *after != '\0' && is_name_byte(*after)) {
            after++;
        }
        if (after > name) {
            collect(more, (struct slice){name, (size_t)(after - name)},
                    end - after >= 2 && after[0] == '{' && after[1] == '{');
        }
    }
    if (more->count > 0) {
        qsort(more->names, more->count, sizeof *more->names, by_name);
    }
}

void tags_free(struct tag_names *more)
{
    for (size_t i = 0; i < more->count; i++) {
        free(more->names[i].visible);
    }
    free(more->names);
    *more = (struct tag_names){0};
}

/* Whether c goes on with a name: <documents> and <document-list> are not ours. */
static bool is_name_character(utf8proc_int32_t c)
{
    utf8proc_category_t category = utf8proc_category(c);
    bool mark = category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
    return c == '_' || c == '-' || c == '.' || c == ':' ||
           (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO && !mark);
}

/* Whether the name goes on right at the reader. */
static bool goes_on(struct visible reader)
{
    if (reader.next == reader.count && reader.at < reader.end) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate(reader.at, reader.end - reader.at, &c);
        utf8proc_category_t category = n > 0 ? utf8proc_category(c) : UTF8PROC_CATEGORY_CC;
        if (category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_CC) {
            return false; /* white space ends a name */
        }
    }
    return is_name_character(visible_next(&reader));
}

/* Whether one of the names of the xml format stands at the reader, or may when something follows.
 */
static bool is_format_name(struct visible reader, bool followed)
{
    for (size_t i = 0; i < sizeof own_names / sizeof own_names[0]; i++) {
        struct slice name = slice_of(own_names[i]);
        struct visible ahead = reader;
        if ((visible_skip_text(&ahead, name) && !goes_on(ahead)) ||
            (followed && visible_ends_within(reader, name))) {
            return true;
        }
    }
    return false;
}

/* The first of the sorted names from `low` on whose character at `depth` is not less than c. */
static size_t first_with(const struct tag_names *names, size_t low, size_t high, size_t depth,
                         int32_t c)
{
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (names->names[middle].visible[depth] < c) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/*
 * The same for the names of templates.  Character by character, the sorted names that
 * agree so far become fewer, so that their number hardly matters.
 */
static bool is_collected_name(struct visible reader, const struct tag_names *names, bool followed)
{
    size_t low = 0;
    size_t high = names->count;
    for (size_t depth = 0; low < high; depth++) {
        while (low < high && names->names[low].length == depth) {
            if (names->names[low++].is_start || !goes_on(reader)) {
                return true;
            }
        }
        int32_t c = visible_next(&reader);
        if (c == 0) {
            return followed && low < high;
        }
        low = first_with(names, low, high, depth, c);
        high = first_with(names, low, high, depth, c + 1);
    }
    return false;
}

/* Whether the name of one of our tags stands at the reader. */
static bool is_own(struct visible reader, const struct tag_names *more, bool followed)
{
    return is_format_name(reader, followed) || is_collected_name(reader, more, followed);
}

/*
 * The bytes of the bracket at `at` that stands for "<" when normalised for comparison, if it begins
 * a tag of ours; else 0.  0xef leads the UTF-8 of the full-width and the small one.
 */
static size_t own_bracket(const char *at, const char *end, const struct tag_names *more,
                          bool followed)
{
    static const char *const brackets[] = {"<", "\xef\xbc\x9c", "\xef\xb9\xa4"};
    for (size_t i = 0; i < sizeof brackets / sizeof brackets[0]; i++) {
        size_t length = strlen(brackets[i]);
        if ((size_t)(end - at) >= length && memcmp(at, brackets[i], length) == 0) {
            const char *after = at + length;
            struct visible reader = visible_open((struct slice){after, (size_t)(end - after)});
            while (visible_skip(&reader, '/') || visible_skip(&reader, '\\')) {
            }
            return is_own(reader, more, followed) ? length : 0;
        }
    }
    return 0;
}

size_t tags_add_escaped_own(struct buf *out, struct slice text, const struct tag_names *more,
                            bool goes_on_after)
{
    size_t escaped = 0;
    const char *end = text.at + text.len;
    const char *copied = text.at;
    for (const char *at = copied; at < end; at++) {
        size_t length = *at == '<' || *at == '\xef' ? own_bracket(at, end, more, goes_on_after) : 0;
        if (length > 0) {
            buf_add(out, copied, (size_t)(at - copied));
            buf_add_string(out, "&lt;");
            copied = at + length;
            at = copied - 1;
            escaped++;
        }
    }
    buf_add(out, copied, (size_t)(end - copied));
    return escaped;
}

/* What stands for the character at `at`, and sets *length to its bytes; NULL: itself. */
static const char *reference(const char *at, const char *end, char quote,
                             const struct tag_names *more, size_t *length)
{
    *length = 1;
    switch (*at) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return quote == '"' ? "&quot;" : NULL;
    case '\'':
        return quote == '\'' ? "&#39;" : NULL;
    case '\xef':
        if (end - at >= 3 && at[1] == '\xbf' && (at[2] == '\xbe' || at[2] == '\xbf')) {
            *length = 3;
            return "\xef\xbf\xbd"; /* U+FFFE and U+FFFF are no characters */
        }
        /* To a parser another bracket is text, to a model it may be one. */
        if (own_bracket(at, end, more, true) > 0) {
            *length = 3;
            return at[1] == '\xbc' ? "&#xff1c;" : "&#xfe64;";
        }
        return NULL;
    default:
        return NULL;
    }
}

size_t tags_add_escaped_all(struct buf *out, struct slice text, char quote,
                            const struct tag_names *more)
{
    size_t escaped = 0;
    const char *end = text.at + text.len;
    const char *copied = text.at;
    for (const char *at = copied; at < end; at++) {
        size_t length;
        const char *instead = reference(at, end, quote, more, &length);
        if (instead != NULL) {
            buf_add(out, copied, (size_t)(at - copied));
            buf_add_string(out, instead);
            copied = at + length;
            at = copied - 1;
            escaped++;
        }
    }
    buf_add(out, copied, (size_t)(end - copied));
    return escaped;
}
