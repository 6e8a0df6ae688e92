/* prefilter.c: see prefilter.h. */
#include "prefilter.h"

#include <stdint.h>

#include "base/base.h"
#include "unit.h"

#if defined(__SSE2__) && !defined(PLAIN_BYTES)

#include <emmintrin.h>

/* Sixteen bytes at a time: a bit for each that is a control, a quote, a backslash or not ASCII. */
static unsigned need_a_look(const uint8_t *at)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
    __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    __m128i backslashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    __m128i special =
        _mm_or_si128(_mm_or_si128(controls, quotes), _mm_or_si128(backslashes, bytes));
    return (unsigned)_mm_movemask_epi8(special); /* the highest bits, which is what ASCII lacks */
}

static const uint8_t *skip_many(const uint8_t *at, const uint8_t *end)
{
    while (end - at >= 16) {
        unsigned special = need_a_look(at);
        if (special != 0) {
            return at + __builtin_ctz(special);
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

/* at stands on a backslash; returns what follows the escape, or NULL in doubt. */
static const uint8_t *skip_escape(const uint8_t *at, const uint8_t *end)
{
    if (end - at < 2) {
        return NULL;
    }
    if (at[1] != 'u') {
        return at[1] != '\0' && strchr("\"\\/bfnrt", at[1]) != NULL ? at + 2 : NULL;
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

bool prefilter_line(struct buf *out, struct slice line)
{
    const uint8_t *at = (const uint8_t *)line.at;
    const uint8_t *end = at + line.len;
    const uint8_t *copied = at;
    const uint8_t *quote;
    out->len = 0;
    while ((quote = memchr(at, '"', (size_t)(end - at))) != NULL) {
        const uint8_t *close = find_end(quote + 1, end);
        if (close == NULL) {
            return false;
        }
        at = close + 1;
        buf_add(out, copied, (size_t)(quote + 1 - copied));
        copied = close;
    }
    buf_add(out, copied, (size_t)(end - copied));
    return out->len < line.len;
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
        if (*at == '\\' && at + 1 < end && at[1] != 'u' && strchr("\"\\/bfnrt", at[1]) == NULL) {
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
