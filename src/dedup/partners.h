/*
 * partners.h: which sets of a collection are similar to which.
 *
 * A similarity self-join in the order of sizes (Bayardo, Ma and Srikant 2007): each pair
 * is looked for once, from the larger of the two, in lists that need no search.  In rank
 * order, where larger and smaller sets come mixed, a look-up costs several times as much;
 * but there what is similar to a kept set goes, while here all pairs are found, which may
 * be as many as there are sets times sets.  Then only whether a set has a partner is.
 */
#ifndef EDGEFOLD_PARTNERS_H
#define EDGEFOLD_PARTNERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "candidates.h"
#include "number_index.h"
#include "verify.h"

enum partners_known {
    PARTNERS_UNKNOWN, /* to find out did not pay */
    PARTNERS_WHETHER, /* only whether a set has any */
    PARTNERS_ALL,
};

/* One that a set is similar to and that has a lower number: it is better ranked. */
struct partner {
    uint32_t set;
    uint32_t overlap; /* terms that both have */
    uint32_t next;    /* of the same set, in struct partners; PARTNER_END: no more */
};

#define PARTNER_END UINT32_MAX

struct partners {
    enum partners_known known;
    bool *has_partner; /* by set; NULL where it is not known */
    uint32_t *first;   /* by set: its first partner, PARTNER_END: none; NULL unless all are known */
    struct partner *all;
    size_t count; /* of all */
    size_t capacity;
};

/*
 * For the verifier's collection, whose sets have their rarest terms in front, and for
 * Jaccard only; *partners is to be given to partners_free().  By numbers nothing is looked
 * for here: they only tell what it would cost.
 */
void partners_find(struct partners *partners, struct verifier *verifier,
                   struct candidates *candidates, const struct number_index *numbers);

void partners_free(struct partners *partners);

#endif
