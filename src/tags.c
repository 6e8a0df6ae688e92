/* tags.c: see tags.h. */
#include "tags.h"

#include <stdbool.h>
#include <stddef.h>

#include <utf8proc.h>

static const char *const own_names[] = {"context", "document", "instructions", "question"};

/* Reads code points; 0 stands for the end, since a NUL in a text ends no tag either. */
struct cursor {
    const utf8proc_uint8_t *at;
    const utf8proc_uint8_t *end;
};

/* The next code point, full-width and small forms of ASCII folded onto ASCII. */
static utf8proc_int32_t next(struct cursor *cursor)
{
    if (cursor->at == cursor->end) {
        return 0;
    }
    utf8proc_int32_t c;
    utf8proc_ssize_t n = utf8proc_iterate(cursor->at, cursor->end - cursor->at, &c);
    cursor->at += n > 0 ? n : 1;
    if (c >= 0xff01 && c <= 0xff5e) {
        return c - 0xfee0;
    }
    return c == 0xfe64 ? '<' : c == 0xfe65 ? '>' : c;
}

static bool is_white_space(utf8proc_int32_t c)
{
    utf8proc_category_t category = utf8proc_category(c);
    return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_ZS ||
           category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

/* Characters that are not seen: formats, variation selectors, fillers, joiners. */
static bool is_invisible(utf8proc_int32_t c)
{
    return utf8proc_category(c) == UTF8PROC_CATEGORY_CF || c == 0x034f || c == 0x115f ||
           c == 0x1160 || c == 0x3164 || c == 0xffa0 || c == 0x17b4 || c == 0x17b5 ||
           (c >= 0x180b && c <= 0x180f) || (c >= 0xfe00 && c <= 0xfe0f) ||
           (c >= 0xe0100 && c <= 0xe01ef);
}

static void skip_unseen(struct cursor *cursor, bool white_space_too)
{
    while (cursor->at < cursor->end) {
        struct cursor ahead = *cursor;
        utf8proc_int32_t c = next(&ahead);
        if (!is_invisible(c) && !(white_space_too && is_white_space(c))) {
            return;
        }
        *cursor = ahead;
    }
}

/* Whether c goes on with a name: <documents> and <document-list> are not ours. */
static bool is_name_character(utf8proc_int32_t c)
{
    utf8proc_category_t category = utf8proc_category(c);
    return c == '_' || c == '-' || c == '.' || c == ':' ||
           (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO);
}

/* Whether the name stands at the cursor, in any case, and ends there. */
static bool stands_here(struct cursor cursor, const char *name)
{
    for (; *name != '\0'; name++) {
        utf8proc_int32_t c = next(&cursor);
        if (c != *name && c != *name - 'a' + 'A') {
            return false;
        }
        skip_unseen(&cursor, false);
    }
    return cursor.at == cursor.end || !is_name_character(next(&cursor));
}

/* Whether a tag of ours begins after the bracket that the cursor has just passed. */
static bool begins_own_tag(struct cursor cursor)
{
    skip_unseen(&cursor, true);
    struct cursor ahead = cursor;
    if (next(&ahead) == '/') {
        cursor = ahead;
        skip_unseen(&cursor, true);
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
        struct cursor cursor = {at, end};
        if (next(&cursor) == '<' && begins_own_tag(cursor)) {
            buf_add(out, copied, (size_t)(at - copied));
            buf_add_string(out, "&lt;");
            copied = cursor.at;
            at = cursor.at - 1;
        }
    }
    buf_add(out, copied, (size_t)(end - copied));
}
