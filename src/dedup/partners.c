/* partners.c: see partners.h. */
#include "partners.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "index.h"

/* Of more pairs than that it is only noted which sets have any.  A test has both in few sets. */
#ifndef MOST_PAIRS
#define MOST_PAIRS(sets) (8 * (sets))
#endif
/* Where fewer than one in so many sets have been swept, nothing is said of the rest. */
#define SAMPLE 16
/* A sweep that looks at fewer postings than that never costs too much. */
#ifndef CHEAP_SWEEP
#define CHEAP_SWEEP 65536
#endif

struct sweep {
    struct verifier *verifier;
    const struct collection *collection;
    struct candidates *candidates;
    struct rising_postings postings; /* of the sets swept so far */
    struct set_list *lists;          /* of the set that is looked up */
    size_t list_capacity;
    struct partners *partners;
    const struct number_index *numbers;
    size_t partnered; /* sets that have one */
    size_t looked_at; /* postings */
    size_t scanned;   /* what a scan in rank order would look at, of all look-ups together */
};

/* What is posted of a set.  Sizes that a posting cannot tell apart may come in any order. */
static size_t posted_of(const struct sweep *sweep, const struct stored_set *set)
{
    const struct similarity *similarity = &sweep->verifier->similarity;
    size_t prefix = set->count < UINT16_MAX ? similarity_smaller_prefix(similarity, set->count)
                                            : similarity_posted_prefix(similarity, set->count);
    return shared_prefix(set, prefix);
}

/* Too much of it is in no other, where this is false. */
static bool can_have_partner(const struct sweep *sweep, const struct stored_set *set)
{
    return set->shared >= similarity_smallest(&sweep->verifier->similarity, set->count);
}

static void make_room(struct sweep *sweep)
{
    const struct collection *collection = sweep->collection;
    rising_new(&sweep->postings, collection->term_count);
    for (size_t s = 0; s < collection->count; s++) {
        const struct stored_set *set = &collection->sets[s];
        const uint32_t *terms = collection_terms(collection, set);
        size_t posted = can_have_partner(sweep, set) ? posted_of(sweep, set) : 0;
        for (size_t i = 0; i < posted; i++) {
            rising_count(&sweep->postings, terms[i]);
        }
    }
    rising_allot(&sweep->postings, collection->term_count);
}

static void post(struct sweep *sweep, uint32_t number)
{
    const struct stored_set *set = &sweep->collection->sets[number];
    const uint32_t *terms = collection_terms(sweep->collection, set);
    size_t posted = posted_of(sweep, set);
    for (size_t i = 0; i < posted; i++) {
        rising_add(&sweep->postings, terms[i], number, posted_size(set->count));
    }
}

static void forget_pairs(struct partners *partners)
{
    free(partners->first);
    free(partners->all);
    partners->first = NULL;
    partners->all = NULL;
    partners->count = 0;
}

static void add_pair(struct sweep *sweep, uint32_t worse, uint32_t better, size_t overlap)
{
    struct partners *partners = sweep->partners;
    if (partners->count == MOST_PAIRS(sweep->collection->count)) {
        partners->known = PARTNERS_WHETHER;
        forget_pairs(partners);
        return;
    }
    partners->all =
        mem_grow(partners->all, &partners->capacity, partners->count + 1, sizeof *partners->all);
    partners->all[partners->count] =
        (struct partner){better, (uint32_t)overlap, partners->first[worse]};
    partners->first[worse] = (uint32_t)partners->count++;
}

static void note_partner(struct sweep *sweep, uint32_t set)
{
    sweep->partnered += !sweep->partners->has_partner[set];
    sweep->partners->has_partner[set] = true;
}

/* Whether the pair being similar would tell anything that is not known. */
static bool is_open(const struct sweep *sweep, uint32_t x, uint32_t y)
{
    const struct partners *partners = sweep->partners;
    return partners->known == PARTNERS_ALL ||
           !(partners->has_partner[x] && partners->has_partner[y]);
}

static void verify_all(struct sweep *sweep, uint32_t x)
{
    struct candidates *candidates = sweep->candidates;
    candidates_matched(candidates);
    for (size_t i = 0; i < candidates->count; i++) {
        verifier_fetch(sweep->verifier, candidates->sets[i]);
    }
    for (size_t i = 0; i < candidates->count; i++) {
        uint32_t y = candidates->sets[i];
        size_t overlap;
        if (is_open(sweep, x, y) && verify(sweep->verifier, x, y, &overlap)) {
            note_partner(sweep, x);
            note_partner(sweep, y);
            if (sweep->partners->known == PARTNERS_ALL) {
                add_pair(sweep, x > y ? x : y, x > y ? y : x, overlap);
            }
        }
    }
    candidates->count = 0;
}

/* Of each list; more do not pay. */
#define FETCHED_LINES 8

/*
 * Finds the lists of a set's prefix, and has what will be read first of each fetched: first
 * where it is, then the sizes that it begins with, then the sets.
 */
static void find_lists(struct sweep *sweep, const struct stored_set *set, size_t prefix,
                       size_t smallest)
{
    const struct similarity *similarity = &sweep->verifier->similarity;
    const uint32_t *terms = collection_terms(sweep->collection, set);
    size_t alone = set->count - set->shared;
    sweep->lists = mem_grow(sweep->lists, &sweep->list_capacity, prefix, sizeof *sweep->lists);
    for (size_t j = 0; j < prefix; j++) {
        PREFETCH(&sweep->postings.ranges[terms[j]]);
    }
    for (size_t j = 0; j < prefix; j++) {
        PREFETCH(&sweep->postings.sizes[sweep->postings.ranges[terms[j]].first]);
    }
    for (size_t j = 0; j < prefix; j++) {
        size_t most = similarity_most_overlap(similarity, set->count, alone + j);
        size_t largest = similarity_largest(similarity, set->count, most);
        sweep->lists[j] = rising_between(&sweep->postings, terms[j], smallest, largest);
        sweep->looked_at += sweep->lists[j].count;
        list_fetch(sweep->lists[j].sets, sweep->lists[j].count, FETCHED_LINES);
    }
}

/* Looks among the sets that are no larger for those that are similar. */
static void look_up(struct sweep *sweep, uint32_t number, size_t smallest)
{
    const struct similarity *similarity = &sweep->verifier->similarity;
    const struct stored_set *set = &sweep->collection->sets[number];
    size_t prefix = shared_prefix(set, similarity_probe_prefix(similarity, set->count));
    candidates_start(sweep->candidates, similarity_matches(similarity, smallest));
    find_lists(sweep, set, prefix, smallest);
    if (!candidates_gather_likely(sweep->candidates, sweep->lists, prefix)) {
        for (size_t j = 0; j < prefix; j++) {
            struct set_list list = sweep->lists[j];
            while (list.count > 0) {
                if (sweep->candidates->count == CANDIDATES_ROOM) {
                    verify_all(sweep, number);
                }
                list = candidates_gather_all(sweep->candidates, list);
            }
        }
    }
    verify_all(sweep, number);
}

/*
 * Whether it has been seen that a look-up in rank order does not cost more: the terms are
 * frequent ones, or nearly all sets have partners, and which is not known.
 */
static bool is_vain(const struct sweep *sweep, size_t swept)
{
    return (sweep->looked_at > CHEAP_SWEEP && sweep->looked_at / SCAN_COST > sweep->scanned) ||
           (sweep->partners->known == PARTNERS_WHETHER &&
            swept >= sweep->collection->count / SAMPLE && 2 * sweep->partnered > swept);
}

/*
 * What a scan in rank order would look at: of the sets of a possible size those that have
 * been kept, say half, or those of them that can be similar by their numbers.
 */
static size_t scan_length(const struct sweep *sweep, uint32_t number, size_t in_range)
{
    size_t most = number_index_most(sweep->numbers, number);
    size_t by_numbers = most < SIZE_MAX / NUMBERS_COST ? NUMBERS_COST * most / 2 : SIZE_MAX;
    return by_numbers < in_range ? by_numbers : in_range;
}

/* Returns whether all have been swept. */
static bool sweep_all(struct sweep *sweep, const uint32_t *sorted)
{
    const struct collection *collection = sweep->collection;
    size_t first_in_range = 0;
    for (size_t i = 0; i < collection->count; i++) {
        const struct stored_set *set = &collection->sets[sorted[i]];
        size_t smallest = similarity_smallest(&sweep->verifier->similarity, set->count);
        while (collection->sets[sorted[first_in_range]].count < smallest) {
            first_in_range++;
        }
        sweep->scanned += scan_length(sweep, sorted[i], i - first_in_range);
        if (can_have_partner(sweep, set)) {
            look_up(sweep, sorted[i], smallest);
            post(sweep, sorted[i]);
        }
        if (is_vain(sweep, i + 1)) {
            return false;
        }
    }
    return true;
}

/* The numbers of all sets by ascending size; to be freed. */
static uint32_t *all_by_size(const struct collection *collection)
{
    uint32_t *sorted = mem_zeroed(collection->count, sizeof *sorted);
    for (uint32_t s = 0; s < collection->count; s++) {
        sorted[s] = s;
    }
    collection_sort_by_size(collection, sorted, collection->count);
    return sorted;
}

void partners_find(struct partners *partners, struct verifier *verifier,
                   struct candidates *candidates, const struct number_index *numbers)
{
    const struct collection *collection = verifier->collection;
    struct sweep sweep = {
        .verifier = verifier,
        .collection = collection,
        .candidates = candidates,
        .partners = partners,
        .numbers = numbers,
    };
    *partners = (struct partners){.known = PARTNERS_ALL};
    partners->has_partner = mem_zeroed(collection->count, sizeof *partners->has_partner);
    partners->first = mem_alloc(collection->count * sizeof *partners->first);
    memset(partners->first, UINT8_MAX, collection->count * sizeof *partners->first);
    uint32_t *sorted = all_by_size(collection);
    make_room(&sweep);
    if (!sweep_all(&sweep, sorted)) {
        partners_free(partners);
    }
    rising_free(&sweep.postings);
    free(sweep.lists);
    free(sorted);
}

void partners_free(struct partners *partners)
{
    forget_pairs(partners);
    free(partners->has_partner);
    *partners = (struct partners){.known = PARTNERS_UNKNOWN};
}
