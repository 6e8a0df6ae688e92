/* nearest.h: ids that may have been meant by one that no chunk has. */
#ifndef EDGEFOLD_NEAREST_H
#define EDGEFOLD_NEAREST_H

#include <stddef.h>

#include "chunk.h"

/* So many are named. */
#define NEAREST 3

/* The ids of all chunks, to be asked for many of those that are not there. */
struct nearest;

/* To be given to nearest_free(); the chunks must outlive it. */
struct nearest *nearest_new(const struct chunks *chunks);
void nearest_free(struct nearest *nearest);

/*
 * Sets which chunks have the ids that are the fewest slips away, of equals the better-ranked
 * first; returns how many there are.
 */
size_t nearest_find(struct nearest *nearest, const char *id, const struct chunk *found[NEAREST]);

#endif
