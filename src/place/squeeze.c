/* squeeze.c: see squeeze.h. */
#include "squeeze.h"

/* By the byte that it begins with, which spares most of them a closer look. */
static bool may_be_space(char byte)
{
    unsigned char c = (unsigned char)byte;
    return c <= ' ' || c == 0xc2 || (c >= 0xe1 && c <= 0xe3);
}

static size_t space_at(struct slice text, size_t i)
{
    if (!may_be_space(text.at[i])) {
        return 0;
    }
    return utf8_white_space((const unsigned char *)text.at + i, text.len - i);
}

/* The bytes of the white space from i on. */
static size_t run_of_space(struct slice text, size_t i)
{
    size_t start = i;
    size_t space;
    while (i < text.len && (space = space_at(text, i)) > 0) {
        i += space;
    }
    return i - start;
}

/* The bytes of white space and halves of characters that the text begins with. */
static size_t edge_before(struct slice text)
{
    size_t i = run_of_space(text, 0);
    while (text.len - i >= 3 && memcmp(text.at + i, UTF8_REPLACEMENT, 3) == 0) {
        i += 3;
        i += run_of_space(text, i);
    }
    return i;
}

/* The same of the text's end. */
static size_t edge_after(struct slice text)
{
    struct slice left = text;
    left.len -= space_after(left).len;
    while (left.len >= 3 && memcmp(left.at + left.len - 3, UTF8_REPLACEMENT, 3) == 0) {
        left.len -= 3;
        left.len -= space_after(left).len;
    }
    return text.len - left.len;
}

static size_t run_of_others(struct slice text, size_t i)
{
    size_t start = i;
    while (i < text.len && space_at(text, i) == 0) {
        i++;
    }
    return i - start;
}

/* Whether it has no white space but single spaces, and none at its ends. */
static bool is_squeezed(struct slice text)
{
    bool after_space = true;
    for (size_t i = 0; i < text.len; i++) {
        bool space = text.at[i] == ' ';
        if ((space && after_space) ||
            (!space && may_be_space(text.at[i]) && space_at(text, i) > 0)) {
            return false;
        }
        after_space = space;
    }
    return !after_space;
}

struct squeezed squeeze(struct arena *arena, struct slice text, bool lasts)
{
    bool unchanged = is_squeezed(text) && edge_before(text) == 0 && edge_after(text) == 0;
    if (unchanged && lasts) {
        return (struct squeezed){.text = text, .unchanged = true};
    }
    char *squeezed = arena_alloc(arena, text.len);
    size_t n = 0;
    size_t before = edge_before(text);
    size_t after = before < text.len ? edge_after(text) : 0;
    bool spaced_before = before > 0 && before == space_before(text).len;
    bool spaced_after = after > 0 && after == space_after(text).len;
    text.len -= after;
    for (size_t i = before; i < text.len;) {
        size_t others = run_of_others(text, i);
        memcpy(squeezed + n, text.at + i, others);
        n += others;
        i += others;
        i += run_of_space(text, i);
        if (i < text.len) {
            squeezed[n++] = ' ';
        }
    }
    return (struct squeezed){{squeezed, n}, unchanged, spaced_before, spaced_after};
}

size_t squeeze_offset(struct slice text, size_t squeezed)
{
    size_t i = edge_before(text);
    while (i < text.len) {
        size_t others = run_of_others(text, i);
        if (squeezed <= others) {
            return i + squeezed;
        }
        squeezed -= others + 1;
        i += others;
        i += run_of_space(text, i);
    }
    return text.len;
}

struct slice space_before(struct slice text)
{
    return (struct slice){text.at, run_of_space(text, 0)};
}

struct slice space_after(struct slice text)
{
    size_t start = text.len;
    while (start > 0) {
        size_t last = start - 1;
        while (last > 0 && ((unsigned char)text.at[last] & 0xc0) == 0x80) {
            last--;
        }
        if (space_at(text, last) != start - last) {
            break;
        }
        start = last;
    }
    return slice_from(text, start);
}
