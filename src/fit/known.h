/* known.h: what of an allowance is the same under every budget. */
#ifndef EDGEFOLD_KNOWN_H
#define EDGEFOLD_KNOWN_H

#include "allowance.h"

/*
 * Finds it, with all chunks that the budget decides on kept, as which it leaves them.  The
 * allowance is one that allowance_decide() could be given; what the two have in common must
 * outlive what is known, which is to be given to known_close().
 */
void known_open(struct known *known, struct chunks *chunks, struct allowance *allowance);
void known_close(struct known *known);

/* What a candidate adds as number so and so; only where sums are known. */
size_t known_cost(const struct known *known, size_t candidate, size_t number);

#endif
