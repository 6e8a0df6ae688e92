/* utf8.c: see utf8.h. */
#include "utf8.h"

#include <stdbool.h>

#include <utf8proc.h>

#define REPLACEMENT 0xfffdU

size_t utf8_length(struct slice text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        n += ((unsigned char)text.at[i] & 0xc0) != 0x80;
    }
    return n;
}

void utf8_add_repaired(struct buf *out, struct slice text)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text.at;
    const utf8proc_uint8_t *end = at + text.len;
    while (at < end) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate(at, end - at, &c);
        if (n > 0) {
            buf_add(out, at, (size_t)n);
        } else {
            buf_add_string(out, "\xef\xbf\xbd");
        }
        at += n > 0 ? n : 1;
    }
}

bool utf8_is_valid(struct slice text)
{
    const uint8_t *at = (const uint8_t *)text.at;
    const uint8_t *end = at + text.len;
    while (at < end) {
        unsigned length;
        if (utf8_decode(at, end, &length) == REPLACEMENT && length == 1) {
            return false;
        }
        at += length;
    }
    return true;
}

static bool is_tail(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

static uint32_t decode_three(const uint8_t *p, unsigned *length)
{
    uint32_t c = (p[0] & 15u) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u);

    if (!is_tail(p[1]) || !is_tail(p[2]) || c < 0x800 || (c >= 0xD800 && c < 0xE000)) {
        return REPLACEMENT;
    }
    *length = 3;
    return c;
}

static uint32_t decode_four(const uint8_t *p, unsigned *length)
{
    uint32_t c = (p[0] & 7u) << 18 | (p[1] & 63u) << 12 | (p[2] & 63u) << 6 | (p[3] & 63u);

    if (!is_tail(p[1]) || !is_tail(p[2]) || !is_tail(p[3]) || c < 0x10000 || c > 0x10FFFF) {
        return REPLACEMENT;
    }
    *length = 4;
    return c;
}

uint32_t utf8_decode(const uint8_t *p, const uint8_t *end, unsigned *length)
{
    size_t left = (size_t)(end - p);

    *length = 1;
    if (p[0] < 0x80) {
        return p[0];
    }
    if (p[0] >= 0xC2 && p[0] < 0xE0 && left >= 2 && is_tail(p[1])) {
        *length = 2;
        return (p[0] & 31u) << 6 | (p[1] & 63u);
    }
    if (p[0] >= 0xE0 && p[0] < 0xF0 && left >= 3) {
        return decode_three(p, length);
    }
    if (p[0] >= 0xF0 && p[0] < 0xF5 && left >= 4) {
        return decode_four(p, length);
    }
    return REPLACEMENT;
}
