/* tags.c: see tags.h. */
#include "tags.h"

#include <stdbool.h>
#include <stddef.h>

#include <utf8proc.h>

static const char *const own_names[] = {"context", "document", "instructions", "question"};

/*
 * Reads a text as a loose reader would: code points folded to compatibility
 * forms and lower case, unseen ones left out.  One may fold to several.
 */
struct cursor {
    const utf8proc_uint8_t *at;
    const utf8proc_uint8_t *end;
    utf8proc_int32_t folded[8];
    size_t count;
    size_t next;
};

/* Longer expansions than that are of no letter that a tag has. */
#define MOST_FOLDED ((utf8proc_ssize_t)8)

static bool is_unseen(utf8proc_int32_t c)
{
    const utf8proc_property_t *property = utf8proc_get_property(c);
    utf8proc_propval_t category = property->category;
    return property->ignorable || category == UTF8PROC_CATEGORY_CF ||
           category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_ZS ||
           category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP ||
           (c >= 0xe0000 && c <= 0xe0fff) || (c >= 0xfff0 && c <= 0xfff8) || c == 0x2065;
}

/* The next folded code point that can be seen; 0 at the end. */
static utf8proc_int32_t next(struct cursor *cursor)
{
    while (cursor->next == cursor->count) {
        if (cursor->at == cursor->end) {
            return 0;
        }
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate(cursor->at, cursor->end - cursor->at, &c);
        cursor->at += n > 0 ? n : 1;
        if (n <= 0 || is_unseen(c)) {
            continue;
        }
        int last_boundary = UTF8PROC_BOUNDCLASS_START;
        n = utf8proc_decompose_char(c, cursor->folded, MOST_FOLDED,
                                    UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD,
                                    &last_boundary);
        cursor->next = 0;
        cursor->count = n > 0 && n <= MOST_FOLDED ? (size_t)n : 0;
    }
    return cursor->folded[cursor->next++];
}

/* Whether c goes on with a name: <documents> and <document-list> are not ours. */
static bool is_name_character(utf8proc_int32_t c)
{
    utf8proc_category_t category = utf8proc_category(c);
    return c == '_' || c == '-' || c == '.' || c == ':' ||
           (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO);
}

/* Whether c, which is next, stands right at the cursor and so belongs to the name. */
static bool goes_on(struct cursor cursor)
{
    if (cursor.next == cursor.count && cursor.at < cursor.end) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate(cursor.at, cursor.end - cursor.at, &c);
        utf8proc_category_t category = n > 0 ? utf8proc_category(c) : UTF8PROC_CATEGORY_CC;
        if (category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_CC) {
            return false; /* white space ends a name */
        }
    }
    return is_name_character(next(&cursor));
}

/* Whether the name stands at the cursor and ends there. */
static bool stands_here(struct cursor cursor, const char *name)
{
    for (; *name != '\0'; name++) {
        if (next(&cursor) != *name) {
            return false;
        }
    }
    return !goes_on(cursor);
}

/* Whether a tag of ours begins after the bracket that the cursor has just passed. */
static bool begins_own_tag(struct cursor cursor)
{
    struct cursor ahead = cursor;
    if (next(&ahead) == '/') {
        cursor = ahead;
    }
    for (size_t i = 0; i < sizeof own_names / sizeof own_names[0]; i++) {
        if (stands_here(cursor, own_names[i])) {
            return true;
        }
    }
    return false;
}

void tags_add_defused(struct buf *out, struct slice text)
{
    const utf8proc_uint8_t *end = (const utf8proc_uint8_t *)text.at + text.len;
    const utf8proc_uint8_t *copied = (const utf8proc_uint8_t *)text.at;
    for (const utf8proc_uint8_t *at = copied; at < end; at++) {
        /* 0xef leads the UTF-8 of the full-width and the small bracket. */
        if (*at != '<' && *at != 0xef) {
            continue;
        }
        struct cursor cursor = {.at = at, .end = end};
        if (next(&cursor) == '<' && begins_own_tag(cursor)) {
            buf_add(out, copied, (size_t)(at - copied));
            buf_add_string(out, "&lt;");
            copied = cursor.at;
            at = cursor.at - 1;
        }
    }
    buf_add(out, copied, (size_t)(end - copied));
}
