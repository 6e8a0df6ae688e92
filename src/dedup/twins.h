/* twins.h: kept sets by the hash of the whole set, to find an equal one. */
#ifndef EDGEFOLD_TWINS_H
#define EDGEFOLD_TWINS_H

#include <stddef.h>
#include <stdint.h>

struct twin_slot {
    uint64_t hash;
    uint32_t record; /* TWIN_NONE: free */
};

#define TWIN_NONE UINT32_MAX

/* A hash table with open addressing; all zero is an empty one. */
struct twins {
    struct twin_slot *slots;
    size_t slot_count; /* a power of two, or 0 */
    size_t count;
};

void twins_add(struct twins *twins, uint64_t hash, uint32_t record);

/*
 * Goes through the sets with that hash, which may be unequal all the same.
 * *place is 0 to begin with.  TWIN_NONE: no more.
 */
uint32_t twins_next(const struct twins *twins, uint64_t hash, size_t *place);

void twins_free(struct twins *twins);

#endif
