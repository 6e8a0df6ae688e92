/* collection.c: see collection.h. */
#include "collection.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_equal(const struct collection *collection, const struct stored_set *stored,
                     const struct term_set *set)
{
    if (stored->count != set->count) {
        return false;
    }
    const uint32_t *terms = collection_terms(collection, stored);
    for (size_t i = 0; i < stored->count; i++) {
        if (!marks_has(&set->marks, terms[i])) {
            return false;
        }
    }
    return true;
}

/* SET_NONE: there is no equal set. */
static uint32_t find_equal(const struct collection *collection, const struct term_set *set,
                           uint32_t hash)
{
    size_t place = 0;
    uint32_t equal;
    do {
        equal = set_table_next(&collection->equals, hash, &place);
    } while (equal != SET_NONE && !is_equal(collection, &collection->sets[equal], set));
    return equal;
}

static void add_terms(struct collection *collection, const uint32_t *ids, size_t count)
{
    if (count > 0) {
        memcpy(collection->terms + collection->terms_used, ids, count * sizeof *ids);
        collection->terms_used += count;
    }
}

/*
 * The terms, and where they are kept the numbers behind them: how many, and which.
 * Returns where they are.
 */
static size_t copy(struct collection *collection, const struct term_set *set)
{
    size_t first = collection->terms_used;
    uint32_t numbers = (uint32_t)set->number_count;
    collection->terms = mem_grow(collection->terms, &collection->terms_capacity,
                                 first + set->count + 1 + numbers, sizeof *collection->terms);
    add_terms(collection, set->ids, set->count);
    if (collection->keeps_numbers) {
        add_terms(collection, &numbers, 1);
        add_terms(collection, set->numbers, numbers);
    }
    return first;
}

struct set_numbers collection_numbers(const struct collection *collection,
                                      const struct stored_set *set)
{
    if (!collection->keeps_numbers) {
        return (struct set_numbers){0};
    }
    const uint32_t *numbers = collection_terms(collection, set) + set->shared;
    return (struct set_numbers){numbers + 1, numbers[0]};
}

static void count_terms(struct collection *collection, const struct term_set *set)
{
    size_t before = collection->term_count;
    if (set->known > before) {
        collection->frequencies = mem_grow(collection->frequencies, &collection->frequency_capacity,
                                           set->known, sizeof *collection->frequencies);
        memset(collection->frequencies + before, 0,
               (set->known - before) * sizeof *collection->frequencies);
    }
    for (size_t i = 0; i < set->count; i++) {
        collection->frequencies[set->ids[i]]++;
    }
    collection->term_count = set->known;
}

uint32_t collection_add(struct collection *collection, const struct term_set *set)
{
    uint32_t hash = set_table_hash(&collection->equals, set->ids, set->count);
    uint32_t equal = find_equal(collection, set, hash);
    if (equal != SET_NONE) {
        return equal;
    }
    collection->sets = mem_grow(collection->sets, &collection->capacity, collection->count + 1,
                                sizeof *collection->sets);
    uint32_t number = (uint32_t)collection->count++;
    collection->sets[number] = (struct stored_set){
        .first = copy(collection, set),
        .shared = (uint32_t)set->count,
        .count = (uint32_t)set->count,
    };
    for (size_t i = 0; i < set->number_count; i++) {
        if (set->numbers[i] >= collection->number_ids) {
            collection->number_ids = (size_t)set->numbers[i] + 1;
        }
    }
    count_terms(collection, set);
    set_table_add(&collection->equals, hash, number);
    return number;
}

/*
 * Turns the frequencies into new numbers by a counting sort: the most frequent term
 * gets 0, and of equals the first seen.  Returns how many terms two sets have.
 */
static uint32_t number_by_frequency(uint32_t *frequencies, size_t terms)
{
    size_t highest = 1;
    for (size_t id = 0; id < terms; id++) {
        highest = frequencies[id] > highest ? frequencies[id] : highest;
    }
    uint32_t *next = mem_zeroed(highest + 1, sizeof *next); /* by frequency */
    for (size_t id = 0; id < terms; id++) {
        next[frequencies[id]]++;
    }
    uint32_t number = 0;
    for (size_t f = highest + 1; f-- > 0;) {
        uint32_t with_f = next[f];
        next[f] = number;
        number += with_f;
    }
    uint32_t singles_from = next[1];
    for (size_t id = 0; id < terms; id++) {
        frequencies[id] = next[frequencies[id]]++;
    }
    free(next);
    return singles_from;
}

/*
 * Renames the terms of a set, drops those that no other has, and has what is left, with
 * its numbers, stand from `to` on, which is not behind where it stood.  Returns where it
 * ends.
 */
static size_t reduce(struct collection *collection, struct stored_set *set, const uint32_t *renamed,
                     uint32_t singles_from, size_t to)
{
    const uint32_t *terms = collection_terms(collection, set);
    struct set_numbers numbers = collection_numbers(collection, set);
    uint32_t *out = collection->terms + to;
    uint32_t shared = 0;
    for (size_t i = 0; i < set->count; i++) {
        uint32_t term = renamed[terms[i]];
        out[shared] = term;
        shared += term < singles_from;
    }
    set->first = to;
    set->shared = shared;
    if (!collection->keeps_numbers) {
        return to + shared;
    }
    out[shared] = (uint32_t)numbers.count;
    memmove(out + shared + 1, numbers.ids, numbers.count * sizeof *out);
    return to + shared + 1 + numbers.count;
}

void collection_order(struct collection *collection)
{
    uint32_t *renamed = collection->frequencies;
    uint32_t singles_from = number_by_frequency(renamed, collection->term_count);
    size_t used = 0;
    for (size_t s = 0; s < collection->count; s++) {
        used = reduce(collection, &collection->sets[s], renamed, singles_from, used);
    }
    collection->terms = mem_realloc(collection->terms, used * sizeof *collection->terms);
    collection->terms_capacity = used;
    collection->terms_used = used;
    collection->term_count = singles_from;
    free(renamed);
    collection->frequencies = NULL;
    set_table_free(&collection->equals);
}

static int higher_first(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left;
    uint32_t b = *(const uint32_t *)right;
    return (a < b) - (a > b);
}

/* By Shell's method with gaps of Ciura 2001; for more than these suit, by qsort. */
static void sort_highest_first(uint32_t *terms, size_t count)
{
    static const unsigned short gaps[] = {132, 57, 23, 10, 4, 1};
    if (count > (size_t)4 * gaps[0]) {
        qsort(terms, count, sizeof *terms, higher_first);
        return;
    }
    for (size_t g = 0; g < COUNT(gaps); g++) {
        size_t gap = gaps[g];
        for (size_t i = gap; i < count; i++) {
            uint32_t one = terms[i];
            size_t j = i;
            for (; j >= gap && terms[j - gap] < one; j -= gap) {
                terms[j] = terms[j - gap];
            }
            terms[j] = one;
        }
    }
}

/*
 * Brings the `count` highest to the front, in no order; returns how many were
 * brought, which may be a few more.  A histogram of the leading bits says from
 * where on they are among them.
 */
static size_t bring_highest(uint32_t *terms, size_t total, size_t count)
{
    enum { BINS = 64 };
    uint32_t highest = 0;
    for (size_t i = 0; i < total; i++) {
        highest = terms[i] > highest ? terms[i] : highest;
    }
    unsigned shift = 0;
    while (highest >> shift >= BINS) {
        shift++;
    }
    size_t histogram[BINS] = {0};
    for (size_t i = 0; i < total; i++) {
        histogram[terms[i] >> shift]++;
    }
    size_t bin = BINS;
    size_t chosen = 0;
    while (chosen < count) {
        chosen += histogram[--bin];
    }
    size_t front = 0;
    for (size_t i = 0; front < chosen; i++) {
        uint32_t one = terms[i];
        if (one >> shift >= bin) {
            terms[i] = terms[front];
            terms[front++] = one;
        }
    }
    return chosen;
}

void collection_rarest_first(struct collection *collection, const struct stored_set *set,
                             size_t count)
{
    uint32_t *terms = collection_terms(collection, set);
    sort_highest_first(terms, bring_highest(terms, set->shared, count));
}

size_t collection_longest(const struct similarity *similarity, const struct stored_set *set,
                          size_t place)
{
    size_t alone = set->count - set->shared;
    bool by_place = similarity->kind == SIMILARITY_JACCARD;
    size_t most =
        by_place ? similarity_most_overlap(similarity, set->count, alone + place) : set->count;
    return similarity_largest_probe(similarity, set->count, most);
}

void collection_sort_by_size(const struct collection *collection, uint32_t *sets, size_t count)
{
    size_t *next = mem_zeroed((size_t)UINT16_MAX + 2, sizeof *next); /* by size */
    uint32_t *sorted = mem_zeroed(count, sizeof *sorted);
    for (size_t i = 0; i < count; i++) {
        next[posted_size(collection->sets[sets[i]].count) + 1]++;
    }
    for (size_t size = 1; size <= (size_t)UINT16_MAX + 1; size++) {
        next[size] += next[size - 1];
    }
    for (size_t i = 0; i < count; i++) {
        sorted[next[posted_size(collection->sets[sets[i]].count)]++] = sets[i];
    }
    if (count > 0) {
        memcpy(sets, sorted, count * sizeof *sets);
    }
    free(sorted);
    free(next);
}

void collection_free(struct collection *collection)
{
    free(collection->sets);
    free(collection->frequencies);
    set_table_free(&collection->equals);
    free(collection->terms);
    *collection = (struct collection){0};
}
