/* sizes.h: the kept sets by their size, to be gone through when tokens are no help. */
#ifndef EDGEFOLD_SIZES_H
#define EDGEFOLD_SIZES_H

#include <stddef.h>
#include <stdint.h>

struct scan_entry {
    uint64_t fold;   /* of the set's signature: its words by exclusive or, still a parity map */
    uint32_t record; /* the set's number, in rank order */
};

struct size_class {
    size_t size;
    struct scan_entry *entries; /* in the order of their records */
    size_t count;
    size_t capacity;
};

/* All zero is an empty one. */
struct size_classes {
    struct size_class *classes; /* only those that have a set, by ascending size */
    size_t count;
    size_t capacity;
};

void size_classes_add(struct size_classes *sizes, size_t size, struct scan_entry entry);

/* The first class of at least that size: an index, sizes->count when there is none. */
size_t size_classes_from(const struct size_classes *sizes, size_t size);

void size_classes_free(struct size_classes *sizes);

#endif
