/* twins.h: kept sets by the hash of the whole set, to find an equal one. */
#ifndef EDGEFOLD_TWINS_H
#define EDGEFOLD_TWINS_H

#include <stddef.h>
#include <stdint.h>

struct set_slot {
    uint64_t hash;
    uint32_t record; /* SET_NONE: free */
};

#define SET_NONE UINT32_MAX

/* A hash table with open addressing; all zero is an empty one. */
struct set_table {
    struct set_slot *slots;
    size_t slot_count; /* a power of two, or 0 */
    size_t count;
};

void set_table_add(struct set_table *twins, uint64_t hash, uint32_t record);

/*
 * Goes through the sets with that hash, which may be unequal all the same.
 * *place is 0 to begin with.  SET_NONE: no more.
 */
uint32_t set_table_next(const struct set_table *twins, uint64_t hash, size_t *place);

void set_table_free(struct set_table *twins);

#endif
