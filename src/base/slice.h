/* slice.h: a run of bytes that somebody else owns. */
#ifndef EDGEFOLD_SLICE_H
#define EDGEFOLD_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Length in bytes; the bytes may hold NUL and need not end in one. */
struct slice {
    const char *at;
    size_t len;
};

static inline struct slice slice_of(const char *string)
{
    return (struct slice){string, strlen(string)};
}

/* The slice without its first `start` bytes, which it must have. */
static inline struct slice slice_from(struct slice slice, size_t start)
{
    return (struct slice){slice.at + start, slice.len - start};
}

/* The slice without spaces, tabs, line feeds and carriage returns at its ends. */
static inline struct slice slice_trim(struct slice slice)
{
    while (slice.len > 0 && strchr(" \t\n\r", slice.at[0]) != NULL && slice.at[0] != '\0') {
        slice = slice_from(slice, 1);
    }
    while (slice.len > 0 && strchr(" \t\n\r", slice.at[slice.len - 1]) != NULL &&
           slice.at[slice.len - 1] != '\0') {
        slice.len--;
    }
    return slice;
}

static inline bool slice_equal(struct slice a, struct slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

/* Below, equal to or above 0: the order of bytes, and of two that begin alike the shorter first. */
static inline int slice_compare(struct slice a, struct slice b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter > 0 ? memcmp(a.at, b.at, shorter) : 0;
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/* Four bytes as a number, the first the lowest on every machine. */
static inline uint32_t load_four(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/*
 * Up to 8 bytes as a number, without reading beyond them: a key for a table, the same
 * on every machine.
 */
static inline uint64_t load_bytes(const uint8_t *p, size_t length)
{
    uint64_t number = 0;

    if (length >= 8) {
        number = load_four(p) | (uint64_t)load_four(p + 4) << 32;
    } else if (length >= 4) {
        number = load_four(p) | (uint64_t)load_four(p + length - 4) << 8 * (length - 4);
    } else if (length > 0) {
        number = p[0] | (uint64_t)p[length / 2] << 8 * (length / 2) |
                 (uint64_t)p[length - 1] << 8 * (length - 1);
    }
    return number;
}

#endif
