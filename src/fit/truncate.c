/* truncate.c: see truncate.h. */
#include "truncate.h"

#include <stdbool.h>

#include <utf8proc.h>

#include "base/base.h"

static bool is_space(uint32_t c)
{
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)c);
    return (c >= 0x09 && c <= 0x0d) || c == 0x85 ||
           (category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP);
}

/* Marks that end a sentence where white space follows. */
static bool ends_sentence(uint32_t c)
{
    switch (c) {
    case '.':
    case '!':
    case '?':
    case 0x2026: /* horizontal ellipsis */
    case 0x061f: /* Arabic question mark */
    case 0x06d4: /* Arabic full stop */
    case 0x0964: /* danda */
    case 0x0965:
        return true;
    default:
        return false;
    }
}

/* Marks that end a sentence whatever follows. */
static bool ends_sentence_alone(uint32_t c)
{
    return c == 0x3002 || c == 0xff01 || c == 0xff1f || c == 0xff61;
}

/* Closing quotation marks and brackets belong to the sentence before them. */
static bool closes(uint32_t c)
{
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)c);
    return c == '"' || c == '\'' || category == UTF8PROC_CATEGORY_PE ||
           category == UTF8PROC_CATEGORY_PF;
}

size_t truncate_at_grapheme(struct slice text, size_t most)
{
    const utf8proc_uint8_t *start = (const utf8proc_uint8_t *)text.at;
    const utf8proc_uint8_t *end = start + text.len;
    const utf8proc_uint8_t *at = start;
    const utf8proc_uint8_t *boundary = start;
    utf8proc_int32_t state = 0;
    uint32_t before = 0;
    if (most >= text.len) {
        return text.len;
    }
    while (at < end && (size_t)(at - start) <= most) {
        unsigned length;
        uint32_t c = utf8_decode(at, end, &length);
        if (at == start || utf8proc_grapheme_break_stateful((utf8proc_int32_t)before,
                                                            (utf8proc_int32_t)c, &state)) {
            boundary = at;
        }
        before = c;
        at += length;
    }
    return (size_t)(boundary - start);
}

/* Ends found in a start of a text, in bytes; 0 is none. */
struct ends {
    size_t sentence;
    size_t word; /* or line */
};

/* Which kind of sentence's end the text read so far is at. */
enum end { END_NONE, END_BEFORE_SPACE, END_ANYWHERE };

/* What the code point c, whose bytes end at `end` and which `next` follows, ends. */
static void note_end(struct ends *ends, enum end *state, uint32_t c, uint32_t next, size_t end)
{
    if (ends_sentence_alone(c)) {
        *state = END_ANYWHERE;
    } else if (ends_sentence(c)) {
        *state = END_BEFORE_SPACE;
    } else if (!closes(c)) {
        *state = END_NONE;
    }
    if (*state == END_ANYWHERE || (*state == END_BEFORE_SPACE && is_space(next))) {
        ends->sentence = end;
    }
    bool between_unspaced = utf8_is_unspaced(c) && utf8_is_unspaced(next);
    if (!is_space(c) && (is_space(next) || between_unspaced)) {
        ends->word = end;
    }
}

static struct ends find_ends(struct slice text, size_t most)
{
    const uint8_t *start = (const uint8_t *)text.at;
    const uint8_t *end = start + text.len;
    const uint8_t *at = start;
    struct ends ends = {0};
    enum end state = END_NONE;
    unsigned length;
    uint32_t c = at < end ? utf8_decode(at, end, &length) : 0;
    while (at < end && (size_t)(at - start) + length <= most) {
        at += length;
        uint32_t next = at < end ? utf8_decode(at, end, &length) : ' ';
        note_end(&ends, &state, c, next, (size_t)(at - start));
        c = next;
    }
    return ends;
}

static size_t without_space(struct slice text, size_t length)
{
    while (length > 0) {
        size_t last = length - 1;
        while (last > 0 && ((unsigned char)text.at[last] & 0xc0) == 0x80) {
            last--;
        }
        unsigned bytes;
        const uint8_t *at = (const uint8_t *)text.at + last;
        if (!is_space(utf8_decode(at, (const uint8_t *)text.at + length, &bytes))) {
            break;
        }
        length = last;
    }
    return length;
}

size_t truncate_at_end(struct slice text, size_t most)
{
    size_t fits = truncate_at_grapheme(text, most);
    struct ends ends = find_ends(text, fits);
    size_t third = fits - fits / 3;
    if (ends.sentence >= third && ends.sentence > 0) {
        return truncate_at_grapheme(text, ends.sentence);
    }
    if (ends.word > 0) {
        return truncate_at_grapheme(text, ends.word);
    }
    return without_space(text, fits);
}
