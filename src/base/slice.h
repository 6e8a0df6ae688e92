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

/* Up to 8 bytes as a number, without reading beyond them: a key for a table. */
static inline uint64_t load_bytes(const uint8_t *p, size_t length)
{
    uint64_t number = 0;
    uint32_t low, high;

    if (length >= 8) {
        memcpy(&number, p, 8);
    } else if (length >= 4) {
        memcpy(&low, p, 4);
        memcpy(&high, p + length - 4, 4);
        number = low | (uint64_t)high << 8 * (length - 4);
    } else if (length > 0) {
        number = p[0] | (uint64_t)p[length / 2] << 8 * (length / 2) |
                 (uint64_t)p[length - 1] << 8 * (length - 1);
    }
    return number;
}

#endif
