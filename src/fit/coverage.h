/*
 * coverage.h: what of a text is not in the passages that are taken already.
 *
 * Where texts would stand in their passages is known from stitching all that may be
 * kept.  Down the ranking, each chunk then costs what it adds to what is taken; the
 * finished output is counted all the same.
 */
#ifndef EDGEFOLD_COVERAGE_H
#define EDGEFOLD_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "chunk.h"
#include "place/place.h"

struct coverage;

/* To be given to coverage_free(). */
struct coverage *coverage_new(struct chunks *chunks, const struct place_options *placing);
void coverage_free(struct coverage *coverage);

/* What a chunk adds. */
struct addition {
    size_t from; /* bytes of its decoded text that are new: from there to before `to` */
    size_t to;
    bool joins;   /* it goes into a passage that is there */
    bool bridges; /* and makes one of two */
    bool at_end;  /* nothing of its passage would come after it */
};

/* What the chunk, whose decoded text this is, adds to what is taken. */
struct addition coverage_of(const struct coverage *coverage, const struct chunk *chunk,
                            struct slice text);

/* Takes the chunk; or gives back all that were taken. */
void coverage_take(struct coverage *coverage, const struct chunk *chunk);
void coverage_clear(struct coverage *coverage);

#endif
