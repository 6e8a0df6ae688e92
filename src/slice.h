/* slice.h: a run of bytes that somebody else owns. */
#ifndef EDGEFOLD_SLICE_H
#define EDGEFOLD_SLICE_H

#include <stdbool.h>
#include <stddef.h>
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

static inline bool slice_equal(struct slice a, struct slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

#endif
