/* order.h: the one order of tokens, rarest first, by which prefixes are taken. */
#ifndef EDGEFOLD_ORDER_H
#define EDGEFOLD_ORDER_H

#include <stddef.h>
#include <stdint.h>

/*
 * The prefix filter is right under any order that is the same for all sets, and
 * quick under one that puts rare tokens first.  At first a later id counts as
 * rarer, since ids go by first appearance; that costs nothing.  From time to time
 * the true frequencies take over for the tokens known by then.
 *
 * All zero is the first order.
 */
struct term_order {
    uint32_t *keys; /* by id, for ids below `known`; any other id is its own key */
    size_t known;
    uint64_t *keyed; /* scratch: key and id of a set's tokens */
    size_t keyed_capacity;
    uint32_t *rarest; /* what order_rarest() returned last */
    size_t rarest_capacity;
};

/*
 * The `count` rarest of the `total` distinct ids, rarest first.  They stay as
 * they are until the next call; ids is not changed.
 */
const uint32_t *order_rarest(struct term_order *order, const uint32_t *ids, size_t total,
                             size_t count);

/*
 * From here on tokens are ordered by frequency: how many kept sets have each of
 * the first `tokens` ids.  Prefixes taken before do not go with those after.
 */
void order_by_frequency(struct term_order *order, const uint32_t *frequencies, size_t tokens);

void order_free(struct term_order *order);

#endif
