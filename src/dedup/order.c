/* order.c: see order.h. */
#include "order.h"

#include <stdlib.h>

#include "base/base.h"

/* Up to so many, insertion is quicker than qsort's calls. */
#define FEW 64

static int higher_first(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a < b) - (a > b);
}

static void sort_highest_first(uint64_t *keyed, size_t count)
{
    if (count > FEW) {
        qsort(keyed, count, sizeof *keyed, higher_first);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        uint64_t one = keyed[i];
        size_t j = i;
        for (; j > 0 && keyed[j - 1] < one; j--) {
            keyed[j] = keyed[j - 1];
        }
        keyed[j] = one;
    }
}

/*
 * Brings the `count` highest to the front, in no order; returns how many were
 * brought, which may be a few more.  A histogram of the leading bits says from
 * where on they are among them.
 */
static size_t bring_highest(uint64_t *keyed, size_t total, size_t count, uint64_t highest)
{
    enum { BINS = 64 };
    unsigned shift = 0;
    while (highest >> shift >= BINS) {
        shift++;
    }
    size_t histogram[BINS] = {0};
    for (size_t i = 0; i < total; i++) {
        histogram[keyed[i] >> shift]++;
    }
    size_t bin = BINS;
    size_t chosen = 0;
    while (chosen < count) {
        chosen += histogram[--bin];
    }
    size_t front = 0;
    for (size_t i = 0; front < chosen; i++) {
        uint64_t one = keyed[i];
        if (one >> shift >= bin) {
            keyed[i] = keyed[front];
            keyed[front++] = one;
        }
    }
    return chosen;
}

const uint32_t *order_rarest(struct term_order *order, const uint32_t *ids, size_t total,
                             size_t count)
{
    order->keyed = mem_grow(order->keyed, &order->keyed_capacity, total, sizeof *order->keyed);
    order->rarest = mem_grow(order->rarest, &order->rarest_capacity, count, sizeof *order->rarest);
    uint64_t *keyed = order->keyed;
    uint64_t highest = 0;
    for (size_t i = 0; i < total; i++) {
        uint32_t id = ids[i];
        uint64_t key = id < order->known ? order->keys[id] : id;
        keyed[i] = key << 32 | id;
        highest = keyed[i] > highest ? keyed[i] : highest;
    }
    sort_highest_first(keyed, bring_highest(keyed, total, count, highest));
    for (size_t i = 0; i < count; i++) {
        order->rarest[i] = (uint32_t)keyed[i];
    }
    return order->rarest;
}

/* A counting sort: the most frequent token gets key 0, and of equals the first seen. */
void order_by_frequency(struct term_order *order, const uint32_t *frequencies, size_t tokens)
{
    size_t highest = 0;
    for (size_t id = 0; id < tokens; id++) {
        highest = frequencies[id] > highest ? frequencies[id] : highest;
    }
    /* next[f]: the key of the next token with frequency f */
    uint32_t *next = mem_zeroed(highest + 2, sizeof *next);
    for (size_t id = 0; id < tokens; id++) {
        next[frequencies[id]]++;
    }
    uint32_t key = 0;
    for (size_t f = highest + 1; f-- > 0;) {
        uint32_t with_f = next[f];
        next[f] = key;
        key += with_f;
    }
    free(order->keys);
    order->keys = mem_zeroed(tokens, sizeof *order->keys);
    order->known = tokens;
    for (size_t id = 0; id < tokens; id++) {
        order->keys[id] = next[frequencies[id]]++;
    }
    free(next);
}

void order_free(struct term_order *order)
{
    free(order->keys);
    free(order->keyed);
    free(order->rarest);
    *order = (struct term_order){0};
}
