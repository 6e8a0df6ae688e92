/* charclass.h: the classes of characters by which pretokenize.c cuts text; for it alone. */
#ifndef EDGEFOLD_CHARCLASS_H
#define EDGEFOLD_CHARCLASS_H

#include <stdint.h>

#include "base/base.h"
#include "tables/unicode_classes.h"

/* A set of character classes is a bit mask over enum unicode_class. */
#define IS(name) (1u << UNICODE_##name)
#define LETTERS (IS(UPPER) | IS(TITLE) | IS(LOWER) | IS(MODIFIER) | IS(OTHER_LETTER))
#define NUMBERS IS(NUMBER)
#define MARKS IS(MARK)
#define SPACES (IS(SPACE) | IS(NEWLINE))
#define NEWLINES IS(NEWLINE)
#define SYMBOLS (IS(PUNCTUATION) | IS(SYMBOL))
#define EVERYTHING 0xfffu
#define REST (EVERYTHING & ~(SPACES | LETTERS | NUMBERS))
/* In o200k a word is UPPERS* LOWERS+ or UPPERS+ LOWERS*, and the letters
 * without case and the marks belong to both sides. */
#define UPPERS (IS(UPPER) | IS(TITLE) | IS(MODIFIER) | IS(OTHER_LETTER) | MARKS)
#define LOWERS (IS(LOWER) | IS(MODIFIER) | IS(OTHER_LETTER) | MARKS)

/* The first block of the class table must be ASCII, see class_at(). */
_Static_assert(UNICODE_SHIFT >= 7, "ASCII must fit in one block");

static inline unsigned class_of(uint32_t c)
{
    return unicode_blocks[unicode_index[c >> UNICODE_SHIFT]][c & ((1u << UNICODE_SHIFT) - 1)];
}

/* Return the class of the character at p as a set of one. */
static inline unsigned class_at(const uint8_t *p, const uint8_t *end, unsigned *length)
{
    if (*p < 0x80) {
        *length = 1;
        return 1u << unicode_blocks[0][*p];
    }
    return 1u << class_of(utf8_decode(p, end, length));
}

/* Return the class after the end of the text as an empty set. */
static inline unsigned class_or_none(const uint8_t *p, const uint8_t *end, unsigned *length)
{
    *length = 0;
    return p < end ? class_at(p, end, length) : 0;
}

static inline const uint8_t *skip(const uint8_t *p, const uint8_t *end, unsigned set)
{
    unsigned length;

    while (p < end && (class_at(p, end, &length) & set)) {
        p += length;
    }
    return p;
}

#endif
