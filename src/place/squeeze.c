/* squeeze.c: see squeeze.h. */
#include "squeeze.h"

static size_t space_at(struct slice text, size_t i)
{
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

static size_t run_of_others(struct slice text, size_t i)
{
    size_t start = i;
    while (i < text.len && space_at(text, i) == 0) {
        i++;
    }
    return i - start;
}

struct squeezed squeeze(struct arena *arena, struct slice text)
{
    char *squeezed = arena_alloc(arena, text.len);
    size_t n = 0;
    for (size_t i = run_of_space(text, 0); i < text.len;) {
        size_t others = run_of_others(text, i);
        memcpy(squeezed + n, text.at + i, others);
        n += others;
        i += others;
        size_t space = run_of_space(text, i);
        i += space;
        if (i < text.len) {
            squeezed[n++] = ' ';
        }
    }
    return (struct squeezed){{squeezed, n}, space_before(text).len > 0, space_after(text).len > 0};
}

size_t squeeze_offset(struct slice text, size_t squeezed)
{
    size_t i = run_of_space(text, 0);
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
