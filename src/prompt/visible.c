/* visible.c: see visible.h. */
#include "visible.h"

/* Longer expansions than that are of no character that our structure has. */
#define MOST_FOLDED ((utf8proc_ssize_t)8)

struct visible visible_open(struct slice text)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text.at;
    return (struct visible){.at = at, .end = at + text.len};
}

static bool is_unseen(utf8proc_int32_t c)
{
    const utf8proc_property_t *property = utf8proc_get_property(c);
    utf8proc_propval_t category = property->category;
    return property->ignorable || utf8_is_ignorable((uint32_t)c) ||
           category == UTF8PROC_CATEGORY_CF || category == UTF8PROC_CATEGORY_CC ||
           category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
           category == UTF8PROC_CATEGORY_ZP || utf8_is_shapeless((uint32_t)c) || c == 0xfffc ||
           category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME ||
           property->combining_class != 0 || /* what is put on a letter changes no name */
           c == 0xfffd;                      /* what a control became */
}

int32_t visible_next(struct visible *reader)
{
    while (reader->next == reader->count) {
        if (reader->at == reader->end) {
            return 0;
        }
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate(reader->at, reader->end - reader->at, &c);
        reader->at += n > 0 ? n : 1;
        if (n <= 0 || is_unseen(c)) {
            continue;
        }
        int last_boundary = UTF8PROC_BOUNDCLASS_START;
        n = utf8proc_decompose_char(c, reader->folded, MOST_FOLDED,
                                    UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD,
                                    &last_boundary);
        reader->next = 0;
        reader->count = n > 0 && n <= MOST_FOLDED ? (size_t)n : 0;
    }
    return reader->folded[reader->next++];
}

bool visible_skip(struct visible *reader, int32_t c)
{
    struct visible ahead = *reader;
    if (visible_next(&ahead) != c) {
        return false;
    }
    *reader = ahead;
    return true;
}

size_t visible_start(struct slice text)
{
    struct visible reader = visible_open(text);
    if (visible_next(&reader) == 0) {
        return text.len;
    }
    const utf8proc_uint8_t *start = (const utf8proc_uint8_t *)text.at;
    const utf8proc_uint8_t *at = reader.at - 1;
    while (at > start && (*at & 0xc0) == 0x80) {
        at--;
    }
    return (size_t)(at - start);
}

bool visible_ends_within(struct visible reader, struct slice other)
{
    struct visible pattern = visible_open(other);
    int32_t c;
    while ((c = visible_next(&reader)) != 0) {
        if (visible_next(&pattern) != c) {
            return false;
        }
    }
    return true;
}

bool visible_skip_text(struct visible *reader, struct slice text)
{
    struct visible ahead = *reader;
    struct visible pattern = visible_open(text);
    int32_t c;
    while ((c = visible_next(&pattern)) != 0) {
        if (visible_next(&ahead) != c) {
            return false;
        }
    }
    *reader = ahead;
    return true;
}
