/*
 * finder.h: many paths in one object after the other.
 *
 * Each path looked for by itself would go through all members of an object.  Sorted by
 * their keys, all are found in one pass.
 */
#ifndef EDGEFOLD_FINDER_H
#define EDGEFOLD_FINDER_H

#include <stddef.h>

#include "base/base.h"
#include "path.h"

struct sorted_path {
    const struct path *path;
    size_t number; /* by which it was added */
};

/* All zero has no path yet. */
struct finder {
    struct sorted_path *paths;
    size_t count;
    size_t capacity;
    struct slice *values;   /* by number */
    struct slice *elements; /* of arrays that are gone through, one in the other */
    size_t element_count;
    size_t element_capacity;
    struct buf key;
};

/* Adds a path, which must outlive it, before anything is looked for; its number counts from 0. */
void finder_add(struct finder *finder, const struct path *path);
void finder_free(struct finder *finder);

/* The value at each path, by number, as value_find() finds it; good until the next call. */
const struct slice *finder_find(struct finder *finder, struct slice line);

#endif
