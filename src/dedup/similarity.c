/* similarity.c: see similarity.h. */
#include "similarity.h"

#include <stdint.h>

/* By enum similarity_kind. */
static const struct choice kinds[] = {
    [SIMILARITY_JACCARD] = {"jaccard", NULL, "of all words that either has, those that both have"},
    [SIMILARITY_CONTAINMENT] = {"containment", NULL,
                                "of the worse chunk's words, those that the better one has"},
};

static const struct choice *kind_of(size_t kind)
{
    return &kinds[kind];
}

const struct choices similarity_choices = {kind_of, sizeof kinds / sizeof kinds[0]};

static size_t divide_up(uint64_t a, uint64_t b)
{
    return (size_t)((a + b - 1) / b);
}

size_t similarity_least_overlap(const struct similarity *similarity, size_t x, size_t y)
{
    uint64_t num = similarity->threshold.num;
    uint64_t den = similarity->threshold.den;
    if (similarity->kind == SIMILARITY_CONTAINMENT) {
        return divide_up(num * x, den);
    }
    return divide_up(num * (x + y), num + den);
}

size_t similarity_smallest(const struct similarity *similarity, size_t x)
{
    return divide_up((uint64_t)similarity->threshold.num * x, similarity->threshold.den);
}

/* The largest b with num * (a + b) <= (num + den) * overlap; 0 when there is none. */
static size_t largest_other(const struct similarity *similarity, size_t a, size_t overlap)
{
    uint64_t num = similarity->threshold.num;
    uint64_t both = (num + similarity->threshold.den) * overlap / num;
    return both > a ? (size_t)(both - a) : 0;
}

size_t similarity_largest(const struct similarity *similarity, size_t x, size_t overlap)
{
    if (similarity->kind == SIMILARITY_CONTAINMENT) {
        return SIZE_MAX;
    }
    return largest_other(similarity, x, overlap);
}

size_t similarity_largest_probe(const struct similarity *similarity, size_t y, size_t overlap)
{
    if (similarity->kind == SIMILARITY_CONTAINMENT) {
        return (size_t)((uint64_t)similarity->threshold.den * overlap / similarity->threshold.num);
    }
    return largest_other(similarity, y, overlap);
}

size_t similarity_probe_prefix(const struct similarity *similarity, size_t x)
{
    return x - similarity_smallest(similarity, x) + 1;
}

size_t similarity_posted_prefix(const struct similarity *similarity, size_t y)
{
    if (similarity->kind == SIMILARITY_CONTAINMENT) {
        return y;
    }
    return y - similarity_smallest(similarity, y) + 1;
}
