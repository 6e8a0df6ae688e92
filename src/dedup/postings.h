/* postings.h: which kept sets have a token in their prefix. */
#ifndef EDGEFOLD_POSTINGS_H
#define EDGEFOLD_POSTINGS_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/*
 * That a kept set has a token in its prefix, with bounds that spare a look at
 * the set.  A bound that does not fit 16 bits is left out, which is safe: it
 * only lets more pairs through to the comparison.
 */
struct posting {
    uint32_t record;  /* the set's number, in rank order */
    uint16_t size;    /* of the set; 0: too large to say */
    uint16_t longest; /* set that it is similar to, by size and position; UINT16_MAX: any */
};

struct posting_list {
    struct posting *postings; /* in the order of their records */
    uint32_t count;
    uint32_t capacity;
};

/* All zero is an empty index. */
struct postings {
    struct posting_list *lists; /* by token id */
    size_t count;
    size_t capacity;
    struct arena arena;
};

void postings_add(struct postings *postings, uint32_t id, struct posting posting);

/* The token's list, empty where nothing was posted; good until the next postings_add(). */
const struct posting_list *postings_of(const struct postings *postings, uint32_t id);

void postings_free(struct postings *postings);

#endif
