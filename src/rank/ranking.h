/* ranking.h: chunks in a total order, best first. */
#ifndef EDGEFOLD_RANKING_H
#define EDGEFOLD_RANKING_H

#include <stdbool.h>
#include <stddef.h>

#include "chunk.h"

/*
 * Sorts chunks of one array by score, best first; those without a score come last.
 * Equal scores go by chunk->tie_break, and then as they stand in their array.
 */
void ranking_sort(struct chunk **chunks, size_t count, bool lower_is_better);

#endif
