/* verify.c: see verify.h. */
#include "verify.h"

#include <stdlib.h>

#include "base/base.h"

static void find_number_bits(struct verifier *verifier)
{
    const struct collection *collection = verifier->collection;
    verifier->number_bits = mem_zeroed(collection->count, sizeof *verifier->number_bits);
    for (size_t s = 0; s < collection->count; s++) {
        struct set_numbers numbers = collection_numbers(collection, &collection->sets[s]);
        for (size_t i = 0; i < numbers.count; i++) {
            verifier->number_bits[s] |= (uint64_t)1 << numbers.ids[i] % 64;
        }
    }
}

void verifier_new(struct verifier *verifier, struct similarity similarity,
                  const struct collection *collection)
{
    *verifier =
        (struct verifier){.similarity = similarity, .collection = collection, .marked = SET_NONE};
    verifier->signatures = mem_alloc(collection->count * sizeof *verifier->signatures);
    for (size_t s = 0; s < collection->count; s++) {
        const struct stored_set *set = &collection->sets[s];
        verifier->signatures[s] = signature_of(collection_terms(collection, set), set->shared);
    }
    if (collection->keeps_numbers) {
        find_number_bits(verifier);
    }
}

size_t verifier_least_overlap(struct verifier *verifier, size_t x, size_t y)
{
    size_t sum = x + y;
    if (sum >= LEAST_KNOWN || verifier->similarity.kind != SIMILARITY_JACCARD) {
        return similarity_least_overlap(&verifier->similarity, x, y);
    }
    if (verifier->least_by_sum[sum] == 0) {
        verifier->least_by_sum[sum] =
            (uint16_t)similarity_least_overlap(&verifier->similarity, x, y);
    }
    return verifier->least_by_sum[sum];
}

/* Most sets are like no other, so a set's terms are marked when the first test needs it. */
static void mark_terms(struct verifier *verifier, uint32_t number)
{
    const struct collection *collection = verifier->collection;
    const struct stored_set *set = &collection->sets[number];
    marks_clear(&verifier->marks, collection->term_count);
    const uint32_t *terms = collection_terms(collection, set);
    for (size_t i = 0; i < set->shared; i++) {
        marks_set(&verifier->marks, terms[i]);
    }
    marks_clear(&verifier->number_marks, collection->number_ids);
    struct set_numbers numbers = collection_numbers(collection, set);
    for (size_t i = 0; i < numbers.count; i++) {
        marks_set(&verifier->number_marks, numbers.ids[i]);
    }
    verifier->marked = number;
}

/* Given up early; no further filter before it pays (Mann, Augsten and Bouros 2016). */
static bool overlaps(const struct verifier *verifier, const struct stored_set *y, size_t least,
                     size_t *overlap)
{
    const uint32_t *terms = collection_terms(verifier->collection, y);
    size_t allowed = y->shared - least;
    size_t missed = 0;
    for (size_t i = 0; i < y->shared; i++) {
        missed += !marks_has(&verifier->marks, terms[i]);
        if (missed > allowed) {
            return false;
        }
    }
    *overlap = y->shared - missed;
    return true;
}

/* Whether each of the two has a number that the other lacks. */
static bool numbers_differ(const struct verifier *verifier, const struct stored_set *x,
                           const struct stored_set *y)
{
    const struct collection *collection = verifier->collection;
    struct set_numbers numbers = collection_numbers(collection, y);
    size_t common = 0;
    for (size_t i = 0; i < numbers.count; i++) {
        common += marks_has(&verifier->number_marks, numbers.ids[i]);
    }
    return common < numbers.count && common < collection_numbers(collection, x).count;
}

/* The same, as far as bits tell it: where texts differ in numbers alone, nearly always. */
static bool number_bits_differ(const struct verifier *verifier, uint32_t x, uint32_t y)
{
    uint64_t a = verifier->number_bits[x];
    uint64_t b = verifier->number_bits[y];
    return (a & ~b) != 0 && (b & ~a) != 0;
}

/*
 * Of the terms that other sets have too, sets that differ in their overlap by the least
 * allowed differ in at most x + y - 2 * overlap, and so in at most so many bits of
 * their signatures.
 */
bool verify(struct verifier *verifier, uint32_t x, uint32_t y, size_t *overlap)
{
    if (verifier->number_bits != NULL && number_bits_differ(verifier, x, y)) {
        return false;
    }
    const struct stored_set *one = &verifier->collection->sets[x];
    const struct stored_set *other = &verifier->collection->sets[y];
    size_t least = verifier_least_overlap(verifier, one->count, other->count);
    if (least > one->shared || least > other->shared ||
        signature_distance(&verifier->signatures[x], &verifier->signatures[y]) >
            (size_t)one->shared + other->shared - 2 * least) {
        return false;
    }
    if (verifier->marked != x) {
        mark_terms(verifier, x);
    }
    return overlaps(verifier, other, least, overlap) &&
           !(verifier->collection->keeps_numbers && numbers_differ(verifier, one, other));
}

void verifier_free(struct verifier *verifier)
{
    free(verifier->signatures);
    free(verifier->number_bits);
    marks_free(&verifier->marks);
    marks_free(&verifier->number_marks);
    verifier->signatures = NULL;
    verifier->number_bits = NULL;
}
