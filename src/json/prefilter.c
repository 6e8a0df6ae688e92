/* prefilter.c: see prefilter.h. */
#include "prefilter.h"

#include <stdint.h>

#include "base/base.h"
#include "unit.h"

#if SIMD

/* Sixteen bytes at a time: a bit for each that is a control, a quote, a backslash or not ASCII. */
static unsigned need_a_look(const uint8_t *at)
{
    simd bytes = simd_load(at);
    simd controls = simd_up_to(bytes, 0x1f);
    simd quotes = simd_equal(bytes, simd_all('"'));
    simd backslashes = simd_equal(bytes, simd_all('\\'));
    return simd_bits(simd_or(controls, simd_or(quotes, backslashes))) |
           simd_bits_beyond_ascii(bytes);
}

static const uint8_t *skip_many(const uint8_t *at, const uint8_t *end)
{
    while (end - at >= 16) {
        unsigned special = need_a_look(at);
        if (special != 0) {
            return at + simd_first(special);
        }
        at += 16;
    }
    return at;
}

#else

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* A high bit for each byte that is less than n, which is at most 128 (Hacker's Delight, 6-1). */
static uint64_t bytes_below(uint64_t bytes, unsigned n)
{
    return (bytes - EACH_BYTE(n)) & ~bytes & EACH_BYTE(0x80);
}

/* Whether any of the eight bytes needs a look: a control, a quote, a backslash, not ASCII. */
static bool needs_a_look(uint64_t bytes)
{
    uint64_t controls = bytes_below(bytes, 0x20);
    uint64_t quotes = bytes_below(bytes ^ EACH_BYTE('"'), 1);
    uint64_t backslashes = bytes_below(bytes ^ EACH_BYTE('\\'), 1);
    return (controls | quotes | backslashes | (bytes & EACH_BYTE(0x80))) != 0;
}

static const uint8_t *skip_many(const uint8_t *at, const uint8_t *end)
{
    while (end - at >= 8 && !needs_a_look(load_bytes(at, 8))) {
        at += 8;
    }
    return at;
}

#endif

static const uint8_t *skip_plain(const uint8_t *at, const uint8_t *end)
{
    at = skip_many(at, end);
    while (at < end && *at >= 0x20 && *at < 0x80 && *at != '"' && *at != '\\') {
        at++;
    }
    return at;
}

/* What may follow a backslash, but for u. */
static const bool is_escaped[256] = {
    ['"'] = true, ['\\'] = true, ['/'] = true, ['b'] = true,
    ['f'] = true, ['n'] = true,  ['r'] = true, ['t'] = true,
};

/* at stands on a backslash; returns what follows the escape, or NULL in doubt. */
static const uint8_t *skip_escape(const uint8_t *at, const uint8_t *end)
{
    if (end - at < 2) {
        return NULL;
    }
    if (at[1] != 'u') {
        return is_escaped[at[1]] ? at + 2 : NULL;
    }
    int unit = unit_at((const char *)at, (const char *)end);
    if (unit <= 0 || unit_is_low(unit)) {
        return NULL; /* NUL and lone surrogates are jansson's business */
    }
    at += UNIT_LENGTH;
    if (!unit_is_high(unit)) {
        return at;
    }
    int low = unit_at((const char *)at, (const char *)end);
    return unit_is_low(low) ? at + UNIT_LENGTH : NULL;
}

/* at stands after the opening quote; returns the closing one, or NULL in doubt. */
static const uint8_t *find_end(const uint8_t *at, const uint8_t *end)
{
    for (;;) {
        at = skip_plain(at, end);
        if (at == end || *at < 0x20) {
            return NULL;
        }
        if (*at == '"') {
            return at;
        }
        if (*at == '\\') {
            at = skip_escape(at, end);
            if (at == NULL) {
                return NULL;
            }
            continue;
        }
        unsigned length;
        if (utf8_decode(at, end, &length) == 0xfffd && length == 1) {
            return NULL;
        }
        at += length;
    }
}

/* What a number or a literal is made of, and what makes one of it that is neither. */
static bool is_scalar_byte(uint8_t byte)
{
    return (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z') ||
           byte == '-' || byte == '+' || byte == '.';
}

/* at stands on a scalar; returns what follows it, having written it, or 0 for any number. */
static const uint8_t *strip_scalar(const uint8_t *at, const uint8_t *end, char **out)
{
    const uint8_t *start = at;
    while (at < end && is_scalar_byte(*at)) {
        at++;
    }
    struct slice scalar = {(const char *)start, (size_t)(at - start)};
    if (number_is_moderate(scalar)) {
        *(*out)++ = '0';
    } else {
        memcpy(*out, start, scalar.len);
        *out += scalar.len;
    }
    return at;
}

bool prefilter_line(struct buf *stripped, struct slice line)
{
    const uint8_t *at = (const uint8_t *)line.at;
    const uint8_t *end = at + line.len;
    stripped->len = 0;
    char *start = buf_room(stripped, line.len);
    char *out = start;
    while (at < end) {
        if (*at == '"') {
            at = find_end(at + 1, end);
            if (at == NULL) {
                return false;
            }
            *out++ = '"';
            *out++ = '"';
            at++;
        } else if (is_scalar_byte(*at)) {
            at = strip_scalar(at, end, &out);
        } else {
            *out++ = (char)*at++;
        }
    }
    stripped->len = (size_t)(out - start);
    return stripped->len < line.len;
}

bool prefilter_accepts(struct slice string)
{
    const uint8_t *start = (const uint8_t *)string.at;
    const uint8_t *end = start + string.len;
    return string.len >= 2 && find_end(start + 1, end) == end - 1;
}

bool prefilter_has_bad_escape(struct slice string)
{
    if (string.len == 0 || string.at[0] != '"') {
        return false;
    }
    const uint8_t *at = (const uint8_t *)string.at + 1;
    const uint8_t *end = at + string.len - 1;
    while (at < end && *at >= 0x20) {
        if (*at == '\\' && at + 1 < end && at[1] != 'u' && !is_escaped[at[1]]) {
            return true;
        }
        if (*at == '\\' && at + 1 < end && at[1] == 'u' &&
            unit_at((const char *)at, (const char *)end) < 0) {
            return true;
        }
        at += *at == '\\' ? 2 : 1;
    }
    return false;
}
