/* tokens.c: see tokens.h. */
#include "tokens.h"

#include <stdbool.h>
#include <stdint.h>

#include <utf8proc.h>

#include "utf8.h"

/* The estimate's unit is a quarter of a token: what one ASCII byte costs. */
#define UNITS_PER_TOKEN 4

/* The bytes of the White_Space character at `at`, or 0 if there is another. */
static size_t white_space(const unsigned char *at, size_t left)
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
    bool is_space = three == 0xe19a80                             /* U+1680 */
                    || (three >= 0xe28080 && three <= 0xe2808a)   /* U+2000 to 200A */
                    || (three >= 0xe280a8 && three <= 0xe280a9)   /* U+2028, 2029 */
                    || three == 0xe280af || three == 0xe2819f     /* U+202F, 205F */
                    || three == 0xe38080;                         /* U+3000 */
    return is_space ? 3 : 0;
}

static size_t count_words(struct slice text)
{
    const unsigned char *at = (const unsigned char *)text.at;
    size_t words = 0;
    bool in_word = false;
    for (size_t i = 0; i < text.len;) {
        size_t space = white_space(at + i, text.len - i);
        words += space == 0 && !in_word;
        in_word = space == 0;
        i += space > 0 ? space : 1;
    }
    return words;
}

/* What a code point beyond ASCII costs; the East Asian scripts cost a token each. */
static size_t units_beyond_ascii(utf8proc_int32_t c)
{
    bool east_asian = (c >= 0x1100 && c <= 0x11ff) || (c >= 0x2e80 && c <= 0xd7ff) ||
                      (c >= 0xf900 && c <= 0xfaff) || (c >= 0xff00 && c <= 0xffef) ||
                      c >= 0x1f000;
    return east_asian ? UNITS_PER_TOKEN : UNITS_PER_TOKEN / 2;
}

static size_t count_estimate(struct slice text)
{
    size_t tokens = 0;
    size_t units = 0;
    for (size_t i = 0; i < text.len;) {
        unsigned char byte = (unsigned char)text.at[i];
        if (byte < 0x80) {
            i++;
            units++;
            if (byte == '\n') {
                tokens += (units + UNITS_PER_TOKEN - 1) / UNITS_PER_TOKEN;
                units = 0;
            }
            continue;
        }
        utf8proc_int32_t code_point;
        utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text.at + i,
                                              (utf8proc_ssize_t)(text.len - i), &code_point);
        units += units_beyond_ascii(code_point);
        i += n > 0 ? (size_t)n : 1;
    }
    return tokens + (units + UNITS_PER_TOKEN - 1) / UNITS_PER_TOKEN;
}

size_t tokens_count(enum counter counter, struct slice text)
{
    switch (counter) {
    case COUNTER_WORDS:
        return count_words(text);
    case COUNTER_CHARS:
        return utf8_length(text);
    case COUNTER_BYTES:
        return text.len;
    case COUNTER_ESTIMATE:
        break;
    }
    return count_estimate(text);
}
