/* utf8.h: the little of UTF-8 that utf8proc does not do. */
#ifndef EDGEFOLD_UTF8_H
#define EDGEFOLD_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem.h"
#include "slice.h"

/* U+FFFD: what stands for what is not UTF-8, as text and as a code point. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"
#define UTF8_REPLACEMENT_POINT 0xfffdU

/* Whether U+FFFD stands in the text: then it may not say all that was written. */
bool utf8_has_replacement(struct slice text);

/* The bytes of the byte-order mark that the text starts with: 3 or 0. */
size_t utf8_byte_order_mark(struct slice text);

/* Code points; a byte that is not UTF-8 counts as none if it looks like a continuation. */
size_t utf8_length(struct slice text);

/* The text's start, of whole characters and at most so many bytes. */
struct slice utf8_start(struct slice text, size_t most);

/* Adds text to out with what is not UTF-8 as U+FFFD, one for each byte. */
void utf8_add_repaired(struct buf *out, struct slice text);

bool utf8_is_valid(struct slice text);

/* As utf8_decode(), for a code point of whatever length. */
uint32_t utf8_decode_any(const uint8_t *p, const uint8_t *end, unsigned *length);

/*
 * Decodes the code point at p, which must be before end, and sets *length to its
 * bytes.  A byte that is no part of valid UTF-8 decodes to U+FFFD alone.  Those from
 * U+1000 to U+CFFF, which most are where text is not of one or two bytes, at once.
 */
static inline uint32_t utf8_decode(const uint8_t *p, const uint8_t *end, unsigned *length)
{
    if (p[0] > 0xe0 && p[0] < 0xed && end - p >= 3 && (p[1] & 0xc0) == 0x80 &&
        (p[2] & 0xc0) == 0x80) {
        *length = 3;
        return (p[0] & 15u) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u);
    }
    return utf8_decode_any(p, end, length);
}

/* The bytes of the White_Space character at `at`, of `left` bytes; 0: there is another. */
size_t utf8_white_space(const unsigned char *at, size_t left);

/* Maximal runs of characters without Unicode's White_Space property. */
size_t utf8_words(struct slice text);

/* Whether there is none. */
bool utf8_is_blank(struct slice text);

/* Whether c is Default_Ignorable_Code_Point (Unicode 16, DerivedCoreProperties.txt). */
bool utf8_is_ignorable(uint32_t c);

/* Whether c is a character that is a letter or symbol, or none at all, and shows nothing. */
bool utf8_is_shapeless(uint32_t c);

/*
 * Whether c reorders or hides the text around it, or cannot be seen itself; C0 and C1
 * controls are not asked about.
 */
bool utf8_misleads(uint32_t c);

/*
 * The text without blank lines at its start and without white space and controls at
 * its end; the first line keeps its indentation.
 */
struct slice utf8_trim_lines(struct slice text);

/*
 * Whether c is in a block of a script that is written without spaces: Han, kana,
 * Thai, Lao, Myanmar, Khmer.
 */
bool utf8_is_unspaced(uint32_t c);

#endif
