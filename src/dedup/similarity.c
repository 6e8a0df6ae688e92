/* similarity.c: see similarity.h. */
#include "similarity.h"

#include <stdbool.h>
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

bool similarity_is_low(const struct similarity *similarity)
{
    return 10 * (uint64_t)similarity->threshold.num < 7 * (uint64_t)similarity->threshold.den;
}

static size_t matches_wanted(const struct similarity *similarity)
{
    return similarity_is_low(similarity) ? SIMILARITY_MOST_MATCHES : 2;
}

size_t similarity_matches(const struct similarity *similarity, size_t least_overlap)
{
    size_t wanted = matches_wanted(similarity);
    return least_overlap < wanted ? least_overlap : wanted;
}

/* The first terms of a set that hold so many of any `overlap` of them. */
static size_t prefix_with_matches(const struct similarity *similarity, size_t size, size_t overlap)
{
    size_t prefix = size - overlap + matches_wanted(similarity);
    return prefix < size ? prefix : size;
}

size_t similarity_probe_prefix(const struct similarity *similarity, size_t x)
{
    return prefix_with_matches(similarity, x, similarity_smallest(similarity, x));
}

size_t similarity_posted_prefix(const struct similarity *similarity, size_t y)
{
    bool by_place = similarity->kind == SIMILARITY_JACCARD;
    return by_place ? similarity_probe_prefix(similarity, y) : y;
}

size_t similarity_smaller_prefix(const struct similarity *similarity, size_t y)
{
    return prefix_with_matches(similarity, y, similarity_least_overlap(similarity, y, y));
}

size_t similarity_most_overlap(const struct similarity *similarity, size_t size, size_t place)
{
    size_t most = size - place + matches_wanted(similarity) - 1;
    return most < size ? most : size;
}
