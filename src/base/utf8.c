/* utf8.c: see utf8.h. */
#include "utf8.h"

#include <stdbool.h>

#include <utf8proc.h>

bool utf8_has_replacement(struct slice text)
{
    const char *end = text.at + text.len;
    const char *at = text.at;
    while ((size_t)(end - at) >= 3 && (at = memchr(at, 0xef, (size_t)(end - at) - 2)) != NULL) {
        if (memcmp(at, UTF8_REPLACEMENT, 3) == 0) {
            return true;
        }
        at++;
    }
    return false;
}

size_t utf8_byte_order_mark(struct slice text)
{
    return text.len >= 3 && memcmp(text.at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Eight bytes at a time: those that continue a code point have their highest bits as 10. */
size_t utf8_length(struct slice text)
{
    size_t n = 0;
    size_t i = 0;
    for (uint64_t eight; text.len - i >= sizeof eight; i += sizeof eight) {
        memcpy(&eight, text.at + i, sizeof eight);
        uint64_t tails = eight >> 7 & ~(eight >> 6) & 0x0101010101010101U;
        n += sizeof eight - (size_t)(tails * 0x0101010101010101U >> 56);
    }
    for (; i < text.len; i++) {
        n += ((unsigned char)text.at[i] & 0xc0) != 0x80;
    }
    return n;
}

struct slice utf8_start(struct slice text, size_t most)
{
    size_t length = text.len < most ? text.len : most;
    const uint8_t *at = (const uint8_t *)text.at;
    size_t start = length;
    unsigned size;
    if (length == text.len) {
        return text;
    }
    while (start > 0 && length - start < 3 && (at[start] & 0xc0) == 0x80) {
        start--;
    }
    utf8_decode(at + start, at + text.len, &size);
    return (struct slice){text.at, start + size > length ? start : length};
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
            buf_add_string(out, UTF8_REPLACEMENT);
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
        if (utf8_decode(at, end, &length) == UTF8_REPLACEMENT_POINT && length == 1) {
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
        return UTF8_REPLACEMENT_POINT;
    }
    *length = 3;
    return c;
}

static uint32_t decode_four(const uint8_t *p, unsigned *length)
{
    uint32_t c = (p[0] & 7u) << 18 | (p[1] & 63u) << 12 | (p[2] & 63u) << 6 | (p[3] & 63u);

    if (!is_tail(p[1]) || !is_tail(p[2]) || !is_tail(p[3]) || c < 0x10000 || c > 0x10FFFF) {
        return UTF8_REPLACEMENT_POINT;
    }
    *length = 4;
    return c;
}

uint32_t utf8_decode_any(const uint8_t *p, const uint8_t *end, unsigned *length)
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
    return UTF8_REPLACEMENT_POINT;
}

size_t utf8_white_space(const unsigned char *at, size_t left)
{
    if (*at < 0x80) {
        return *at == ' ' || (*at >= '\t' && *at <= '\r');
    }
    if (left >= 2 && at[0] == 0xc2) {
        return at[1] == 0x85 || at[1] == 0xa0 ? 2 : 0;
    }
    if (left < 3) {
        return 0;
    }
    uint32_t three = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
    bool is_space = three == 0xe19a80                           /* U+1680 */
                    || (three >= 0xe28080 && three <= 0xe2808a) /* U+2000 to 200A */
                    || (three >= 0xe280a8 && three <= 0xe280a9) /* U+2028, 2029 */
                    || three == 0xe280af || three == 0xe2819f   /* U+202F, 205F */
                    || three == 0xe38080;                       /* U+3000 */
    return is_space ? 3 : 0;
}

size_t utf8_words(struct slice text)
{
    const unsigned char *at = (const unsigned char *)text.at;
    size_t words = 0;
    bool in_word = false;
    for (size_t i = 0; i < text.len;) {
        size_t space = utf8_white_space(at + i, text.len - i);
        words += space == 0 && !in_word;
        in_word = space == 0;
        i += space > 0 ? space : 1;
    }
    return words;
}

bool utf8_is_blank(struct slice text)
{
    return utf8_words(text) == 0;
}

bool utf8_is_ignorable(uint32_t c)
{
    static const struct {
        uint32_t from;
        uint32_t to;
    } ranges[] = {
        {0xad, 0xad},       {0x34f, 0x34f},   {0x61c, 0x61c},     {0x115f, 0x1160},
        {0x17b4, 0x17b5},   {0x180b, 0x180f}, {0x200b, 0x200f},   {0x202a, 0x202e},
        {0x2060, 0x206f},   {0x3164, 0x3164}, {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
        {0xffa0, 0xffa0},   {0xfff0, 0xfff8}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
        {0xe0000, 0xe0fff},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0] && c >= ranges[i].from; i++) {
        if (c <= ranges[i].to) {
            return true;
        }
    }
    return false;
}

bool utf8_is_shapeless(uint32_t c)
{
    return c == 0x2800 || c == 0x13441 || c == 0x13442 || /* blanks in braille, hieroglyphs */
           c == 0x1d159 ||                                /* a note without a head */
           (c >= 0xfdd0 && c <= 0xfdef) || (c & 0xfffe) == 0xfffe;
}

bool utf8_misleads(uint32_t c)
{
    bool joiner = c == 0x200c || c == 0x200d; /* emoji and Persian are made with them */
    return (!joiner && utf8_is_ignorable(c)) || c == 0x2028 || c == 0x2029 ||
           (c >= 0xfff9 && c <= 0xfffc) || utf8_is_shapeless(c) ||
           (!joiner && utf8proc_category((utf8proc_int32_t)c) == UTF8PROC_CATEGORY_CF);
}

/* The bytes of the white space or control at `at`, or 0 if there is something to see. */
static size_t blank_at(const unsigned char *at, size_t left)
{
    return *at == 0x7f || (*at < 0x20 && *at > 0) ? 1 : utf8_white_space(at, left);
}

struct slice utf8_trim_lines(struct slice text)
{
    const unsigned char *at = (const unsigned char *)text.at;
    size_t start = 0;
    size_t blank;
    for (size_t i = 0; i < text.len && (blank = blank_at(at + i, text.len - i)) > 0; i += blank) {
        bool ends_line =
            at[i] == '\n' || (blank == 2 && at[i + 1] == 0x85) ||
            (blank == 3 && at[i + 1] == 0x80 && at[i + 2] >= 0xa8 && at[i + 2] <= 0xa9);
        start = ends_line ? i + blank : start;
    }
    size_t end = start;
    for (size_t i = text.len; i > start && end == start;) {
        size_t last = i - 1;
        while (last > start && (at[last] & 0xc0) == 0x80) {
            last--;
        }
        end = blank_at(at + last, i - last) == i - last ? end : i;
        i = last;
    }
    return (struct slice){text.at + start, end - start};
}

bool utf8_is_unspaced(uint32_t c)
{
    return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3040 && c <= 0x30ff) ||
           (c >= 0x0e00 && c <= 0x0eff) || (c >= 0x3400 && c <= 0x4dbf) ||
           (c >= 0x1000 && c <= 0x109f) || (c >= 0x1780 && c <= 0x17ff) ||
           (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x323af);
}
