/*
 * verify.h: whether two sets of a collection are similar.
 *
 * What the filters before it let through is compared here, the cheap tests first.
 */
#ifndef EDGEFOLD_VERIFY_H
#define EDGEFOLD_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collection.h"
#include "signature.h"
#include "similarity.h"
#include "termset.h"

/* Sums of two sizes for which the least overlap is remembered. */
#define LEAST_KNOWN 2048

struct verifier {
    struct similarity similarity;
    const struct collection *collection;
    struct signature *signatures;       /* by set */
    uint64_t *number_bits;              /* by set: bit (id mod 64) for each; NULL: none are kept */
    uint32_t marked;                    /* the set whose terms are marked; SET_NONE: none */
    struct marks marks;                 /* its terms */
    struct marks number_marks;          /* and its numbers */
    uint16_t least_by_sum[LEAST_KNOWN]; /* by the sum of two sizes; 0: not known yet */
};

/*
 * For a collection that stays as it is, but for the order of a set's terms; to be given to
 * verifier_free().
 */
void verifier_new(struct verifier *verifier, struct similarity similarity,
                  const struct collection *collection);

/* As similarity_least_overlap(), whose division costs more than the rest of a test. */
size_t verifier_least_overlap(struct verifier *verifier, size_t x, size_t y);

/*
 * Whether the set x, which is looked up, is similar to y, whose size is possible; *overlap
 * becomes how many terms they have in common.  Quickest for the same x again.
 */
bool verify(struct verifier *verifier, uint32_t x, uint32_t y, size_t *overlap);

/* Has what verify() looks at first of a set fetched. */
static inline void verifier_fetch(const struct verifier *verifier, uint32_t set)
{
    PREFETCH(&verifier->collection->sets[set]);
    PREFETCH(&verifier->signatures[set]);
}

void verifier_free(struct verifier *verifier);

#endif
