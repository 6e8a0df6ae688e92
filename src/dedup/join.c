/* join.c: see join.h. */
#include "join.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "index.h"
#include "signature.h"

/* Below this many postings a probe is cheap whatever the scan would cost. */
#define CHEAP_PROBE 128
/* With fewer kept sets than this a scan beats looking at the index. */
#define FEW_KEPT 128

/* Sums of two sizes for which the least overlap is remembered. */
#define LEAST_KNOWN 512

/* So much work a stored term makes it worth while to order all terms anew. */
#define FIRST_PATIENCE 2

#define NO_RECORD SET_NONE

/* A kept set. */
struct record {
    const uint32_t *ids;
    uint32_t count;
    uint32_t tested; /* the last look-up that compared with this one */
    struct signature signature;
    const uint32_t *numbers;
    size_t number_count;
    void *owner;
};

struct join {
    struct similarity similarity;
    bool keep_numbers;
    struct record *records; /* in rank order */
    size_t count;
    size_t capacity;
    struct arena arena; /* their ids and numbers */
    struct term_order order;
    struct postings postings;
    struct size_classes sizes;
    struct set_table equals;
    uint32_t lookup;                    /* numbers the look-ups, for record.tested */
    const uint32_t *prefix;             /* of the set looked up last, for join_add() */
    uint16_t least_by_sum[LEAST_KNOWN]; /* by the sum of two sizes; 0: not known yet */
    size_t terms;                       /* in all records */
    size_t work;     /* postings and entries looked at since the last reordering */
    size_t patience; /* how much of it a term is worth before the next */
};

struct join *join_new(struct similarity similarity, bool keep_numbers)
{
    struct join *join = mem_zeroed(1, sizeof *join);
    join->similarity = similarity;
    join->keep_numbers = keep_numbers;
    join->patience = FIRST_PATIENCE;
    return join;
}

/* One look-up on its way: the set, what follows from its size, and the best so far. */
struct query {
    struct join *join;
    const struct term_set *set;
    size_t smallest; /* sizes of sets that can be similar */
    size_t largest;
    size_t prefix; /* terms to look up */
    uint64_t fold;
    uint32_t best; /* NO_RECORD: none yet */
    size_t shared;
};

/* Given up early; no further filter before it pays (Mann, Augsten and Bouros 2016). */
static bool overlaps(const struct term_set *set, const struct record *record, size_t least,
                     size_t *shared)
{
    size_t allowed = record->count - least;
    size_t missed = 0;
    for (size_t i = 0; i < record->count; i++) {
        missed += !marks_has(&set->marks, record->ids[i]);
        if (missed > allowed) {
            return false;
        }
    }
    *shared = record->count - missed;
    return true;
}

/* Whether each of the two has a number that the other lacks. */
static bool numbers_differ(const struct term_set *set, const struct record *record)
{
    size_t common = 0;
    for (size_t i = 0; i < record->number_count; i++) {
        common += marks_has(&set->number_marks, record->numbers[i]);
    }
    return common < record->number_count && common < set->number_count;
}

/* As similarity_least_overlap(), whose division costs more than the rest of a test. */
static size_t least_overlap(struct join *join, size_t x, size_t y)
{
    size_t sum = x + y;
    if (sum >= LEAST_KNOWN || join->similarity.kind != SIMILARITY_JACCARD) {
        return similarity_least_overlap(&join->similarity, x, y);
    }
    if (join->least_by_sum[sum] == 0) {
        join->least_by_sum[sum] = (uint16_t)similarity_least_overlap(&join->similarity, x, y);
    }
    return join->least_by_sum[sum];
}

/*
 * Compares with one kept set, the cheap tests first; sets best when it is similar.
 * Sets that differ in their overlap by the least allowed differ in at most
 * x + y - 2 * overlap terms, and so in at most so many bits of their signatures.
 */
static void test(struct query *query, uint32_t index)
{
    struct join *join = query->join;
    struct record *record = &join->records[index];
    size_t x = query->set->count;
    size_t y = record->count;
    if (record->tested == join->lookup || y < query->smallest || y > query->largest) {
        return;
    }
    record->tested = join->lookup;
    size_t least = least_overlap(join, x, y);
    if (least > x || least > y ||
        signature_distance(&query->set->signature, &record->signature) > x + y - 2 * least) {
        return;
    }
    size_t shared;
    if (overlaps(query->set, record, least, &shared) &&
        !(join->keep_numbers && numbers_differ(query->set, record))) {
        query->best = index;
        query->shared = shared;
    }
}

/* How many kept sets a scan would look at. */
static size_t scan_length(const struct query *query)
{
    const struct join *join = query->join;
    size_t n = 0;
    for (size_t c = size_classes_from(&join->sizes, query->smallest);
         c < join->sizes.count && join->sizes.classes[c].size <= query->largest; c++) {
        n += join->sizes.classes[c].count;
    }
    return n;
}

/* Goes through all kept sets of a possible size by their folded signatures. */
static void scan(struct query *query)
{
    struct join *join = query->join;
    size_t x = query->set->count;
    for (size_t c = size_classes_from(&join->sizes, query->smallest);
         c < join->sizes.count && join->sizes.classes[c].size <= query->largest; c++) {
        const struct size_class *class = &join->sizes.classes[c];
        size_t least = similarity_least_overlap(&join->similarity, x, class->size);
        if (least > x || least > class->size) {
            continue;
        }
        size_t distance = x + class->size - 2 * least;
        join->work += class->count;
        for (size_t i = 0; i < class->count; i++) {
            const struct scan_entry *entry = &class->entries[i];
            if (entry->record >= query->best) {
                break; /* a class is in rank order: nothing better follows */
            }
            if (fold_distance(entry->fold, query->fold) <= distance) {
                test(query, entry->record);
            }
        }
    }
}

/* How many postings a probe would look at; on the way their first ones are fetched. */
static size_t probe_length(const struct query *query)
{
    const struct join *join = query->join;
    size_t n = 0;
    for (size_t j = 0; j < query->prefix; j++) {
        PREFETCH(postings_of(&join->postings, join->prefix[j]));
    }
    for (size_t j = 0; j < query->prefix; j++) {
        const struct posting_list *list = postings_of(&join->postings, join->prefix[j]);
        PREFETCH(list->postings);
        n += list->count;
    }
    return n;
}

/* Kept sets to be compared with, gathered so that their records are fetched together. */
struct candidates {
    uint32_t records[256];
    size_t count;
};

static void test_all(struct query *query, struct candidates *candidates)
{
    for (size_t i = 0; i < candidates->count; i++) {
        PREFETCH(&query->join->records[candidates->records[i]].signature);
    }
    for (size_t i = 0; i < candidates->count; i++) {
        if (candidates->records[i] < query->best) {
            test(query, candidates->records[i]);
        }
    }
    candidates->count = 0;
}

/*
 * Takes from the postings those that can be similar: sizes of at most `largest`,
 * good for a set of size x.  Without a branch, since none could be foretold.
 */
static void gather(struct candidates *candidates, const struct posting *postings, size_t count,
                   size_t largest, size_t x)
{
    for (size_t i = 0; i < count; i++) {
        candidates->records[candidates->count] = postings[i].record;
        candidates->count += (postings[i].size <= largest) & (postings[i].longest >= x);
    }
}

/* Looks up the terms of the prefix in the index. */
static void probe(struct query *query)
{
    struct join *join = query->join;
    size_t x = query->set->count;
    size_t x16 = x < UINT16_MAX ? x : UINT16_MAX;
    struct candidates candidates = {.count = 0};
    size_t room = sizeof candidates.records / sizeof candidates.records[0];
    for (size_t j = 0; j < query->prefix; j++) {
        const struct posting_list *list = postings_of(&join->postings, join->prefix[j]);
        size_t largest = similarity_largest(&join->similarity, x, x - j);
        largest = largest < query->largest ? largest : query->largest;
        join->work += list->count;
        for (size_t i = 0; i < list->count && list->postings[i].record < query->best;) {
            if (candidates.count == room) {
                test_all(query, &candidates);
            }
            size_t n = list->count - i;
            size_t left = room - candidates.count;
            n = n < left ? n : left;
            gather(&candidates, list->postings + i, n, largest, x16);
            i += n;
        }
    }
    test_all(query, &candidates);
}

/*
 * A kept set with the same terms.  It is the answer: had a better one been
 * similar, the equal would not have been kept.
 */
static uint32_t find_equal(const struct join *join, const struct term_set *set)
{
    size_t place = 0;
    uint32_t equal;
    while ((equal = set_table_next(&join->equals, set->hash, &place)) != NO_RECORD) {
        const struct record *record = &join->records[equal];
        size_t shared;
        if (record->count == set->count && overlaps(set, record, set->count, &shared)) {
            return equal;
        }
    }
    return NO_RECORD;
}

struct join_hit join_find(struct join *join, const struct term_set *set)
{
    struct query query = {
        .join = join,
        .set = set,
        .smallest = similarity_smallest(&join->similarity, set->count),
        .largest = similarity_largest(&join->similarity, set->count, set->count),
        .prefix = similarity_probe_prefix(&join->similarity, set->count),
        .fold = signature_fold(&set->signature),
        .best = find_equal(join, set),
        .shared = set->count,
    };
    if (query.best == NO_RECORD) {
        join->lookup++;
        join->prefix = order_rarest(&join->order, set->ids, set->count, query.prefix);
        size_t postings = join->count > FEW_KEPT ? probe_length(&query) : SIZE_MAX;
        if (postings > CHEAP_PROBE && postings > scan_length(&query)) {
            scan(&query); /* the terms are not rare: the index is no help */
        } else {
            probe(&query);
        }
    }
    if (query.best == NO_RECORD) {
        return (struct join_hit){0};
    }
    const struct record *record = &join->records[query.best];
    size_t united = join->similarity.kind == SIMILARITY_CONTAINMENT
                        ? set->count
                        : set->count + record->count - query.shared;
    return (struct join_hit){record->owner, query.shared, united};
}

static const uint32_t *copy_ids(struct join *join, const uint32_t *ids, size_t count)
{
    uint32_t *copy = arena_alloc(&join->arena, count * sizeof *copy);
    if (count > 0) {
        memcpy(copy, ids, count * sizeof *copy);
    }
    return copy;
}

/* For Jaccard, prefix is what was looked up; containment posts the whole set. */
static void post(struct join *join, const struct record *record, uint32_t index,
                 const uint32_t *prefix)
{
    const struct similarity *similarity = &join->similarity;
    size_t y = record->count;
    bool by_position = similarity->kind == SIMILARITY_JACCARD;
    const uint32_t *terms = by_position ? prefix : record->ids;
    size_t posted = similarity_posted_prefix(similarity, y);
    for (size_t i = 0; i < posted; i++) {
        size_t longest = similarity_largest_probe(similarity, y, by_position ? y - i : y);
        struct posting posting = {
            .record = index,
            .size = (uint16_t)(y < UINT16_MAX ? y : 0),
            .longest = (uint16_t)(longest < UINT16_MAX ? longest : UINT16_MAX),
        };
        postings_add(&join->postings, terms[i], posting);
    }
}

/*
 * Orders the terms by how many kept sets have them, and posts all sets anew.
 * Where terms are just not rare that does not help, so the patience doubles.
 */
static void reorder(struct join *join, size_t known)
{
    uint32_t *frequencies = mem_zeroed(known, sizeof *frequencies);
    for (size_t r = 0; r < join->count; r++) {
        for (size_t i = 0; i < join->records[r].count; i++) {
            frequencies[join->records[r].ids[i]]++;
        }
    }
    order_by_frequency(&join->order, frequencies, known);
    free(frequencies);
    postings_free(&join->postings);
    for (size_t r = 0; r < join->count; r++) {
        const struct record *record = &join->records[r];
        size_t prefix = similarity_probe_prefix(&join->similarity, record->count);
        post(join, record, (uint32_t)r,
             order_rarest(&join->order, record->ids, record->count, prefix));
    }
    join->work = 0;
    join->patience *= 2;
}

void join_add(struct join *join, const struct term_set *set, void *owner)
{
    join->records =
        mem_grow(join->records, &join->capacity, join->count + 1, sizeof *join->records);
    uint32_t index = (uint32_t)join->count++;
    struct record *record = &join->records[index];
    *record = (struct record){
        .ids = copy_ids(join, set->ids, set->count),
        .count = (uint32_t)set->count,
        .signature = set->signature,
        .numbers = copy_ids(join, set->numbers, set->number_count),
        .number_count = set->number_count,
        .owner = owner,
    };
    join->terms += set->count;
    post(join, record, index, join->prefix);
    size_classes_add(&join->sizes, set->count,
                     (struct scan_entry){signature_fold(&set->signature), index});
    set_table_add(&join->equals, set->hash, index);
    if (join->work / join->patience > join->terms) {
        reorder(join, set->known);
    }
}

void join_free(struct join *join)
{
    if (join == NULL) {
        return;
    }
    order_free(&join->order);
    postings_free(&join->postings);
    size_classes_free(&join->sizes);
    free(join->records);
    set_table_free(&join->equals);
    arena_free(&join->arena);
    free(join);
}
