/* join.c: see join.h. */
#include "join.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/base.h"
#include "candidates.h"
#include "index.h"
#include "number_index.h"
#include "partners.h"
#include "signature.h"
#include "verify.h"

/* Below this many postings a probe is cheap whatever the scan would cost. */
#define CHEAP_PROBE 128
/* With fewer sets than this a scan beats looking at an index, which is not made. */
#ifndef FEW_SETS
#define FEW_SETS 128
#endif
/*
 * Sets to come that the first index has; each next one has one for every GROWTH that have been
 * looked up, too.  A build for tests has few.
 */
#ifndef FIRST_INDEXED
#define FIRST_INDEXED 1024
#endif
#define GROWTH 5
/* Up to so many sets a look-up by numbers is cheap whatever others would cost. */
#ifndef CHEAP_BY_NUMBERS
#define CHEAP_BY_NUMBERS 32
#endif

/* Of each list; more do not pay. */
#define FETCHED_LINES 4

struct join {
    struct verifier verifier;
    struct collection *collection;
    bool has_index;
    struct partners partners;
    bool *kept; /* by set: it has been added */
    struct candidates candidates;
    struct postings postings;
    struct posting_list *lists; /* of the set that is looked up, of possible sizes */
    size_t list_capacity;
    uint32_t indexed;  /* sets from here on are not in the postings */
    uint32_t *by_size; /* sets that are kept or to come, by ascending size */
    size_t by_size_count;
    uint32_t *posted; /* of them, those in the postings, which name them by their place here */
    size_t posted_count;
    struct number_index numbers;
    struct size_classes sizes; /* of the kept sets that may be similar to others */
    uint32_t scanned;          /* sets below have been made ready for a scan */
};

/* Of a set's terms that others have too, those that are looked up. */
static size_t prefix_of(const struct join *join, const struct stored_set *set)
{
    return shared_prefix(set, similarity_probe_prefix(&join->verifier.similarity, set->count));
}

/* Of its terms, those that are posted: for containment all. */
static size_t posted_of(const struct join *join, const struct stored_set *set)
{
    return shared_prefix(set, similarity_posted_prefix(&join->verifier.similarity, set->count));
}

static void post(struct join *join, uint32_t place)
{
    const struct similarity *similarity = &join->verifier.similarity;
    const struct stored_set *set = &join->collection->sets[join->posted[place]];
    const uint32_t *terms = collection_terms(join->collection, set);
    size_t posted = posted_of(join, set);
    for (size_t i = 0; i < posted; i++) {
        size_t longest = collection_longest(similarity, set, i);
        postings_add(&join->postings, terms[i], place, set->count, longest);
    }
}

static bool is_alone(const struct join *join, uint32_t set)
{
    return join->partners.known != PARTNERS_UNKNOWN && !join->partners.has_partner[set];
}

/*
 * Chooses what is posted: the kept sets, and those to come below `end`; sets from
 * `number` on are to come.  What has been dropped is not gone through again.
 */
static void choose_posted(struct join *join, uint32_t number, size_t end)
{
    size_t left = 0;
    join->posted_count = 0;
    for (size_t i = 0; i < join->by_size_count; i++) {
        uint32_t set = join->by_size[i];
        if (set >= number || join->kept[set]) {
            join->by_size[left++] = set;
            join->posted[join->posted_count] = set;
            join->posted_count += set < end;
        }
    }
    join->by_size_count = left;
}

/*
 * Posts the kept sets and some of those to come: to post each as it is kept would cost more,
 * and an index of all from the beginning would show each look-up several times as many sets
 * as are kept by then.
 */
static void make_index(struct join *join, uint32_t number)
{
    const struct collection *collection = join->collection;
    size_t end = number + number / GROWTH + FIRST_INDEXED;
    end = end < collection->count ? end : collection->count;
    choose_posted(join, number, end);
    postings_clear(&join->postings, collection->term_count, join->posted_count);
    for (size_t i = 0; i < join->posted_count; i++) {
        const struct stored_set *set = &collection->sets[join->posted[i]];
        const uint32_t *terms = collection_terms(collection, set);
        size_t posted = posted_of(join, set);
        for (size_t t = 0; t < posted; t++) {
            postings_count(&join->postings, terms[t]);
        }
    }
    postings_allot(&join->postings, collection->term_count);
    for (uint32_t i = 0; i < join->posted_count; i++) {
        post(join, i);
    }
    join->indexed = (uint32_t)end;
}

/* The sets that others may be similar to, by ascending size. */
static void sort_by_size(struct join *join)
{
    size_t count = join->collection->count;
    join->by_size = mem_alloc(count * sizeof *join->by_size);
    join->posted = mem_alloc(count * sizeof *join->posted);
    for (uint32_t s = 0; s < count; s++) {
        join->by_size[join->by_size_count] = s;
        join->by_size_count += !is_alone(join, s);
    }
    collection_sort_by_size(join->collection, join->by_size, join->by_size_count);
}

struct join *join_new(struct similarity similarity, struct collection *collection)
{
    struct join *join = mem_zeroed(1, sizeof *join);
    join->collection = collection;
    join->has_index = collection->count > FEW_SETS;
    join->kept = mem_zeroed(collection->count, sizeof *join->kept);
    if (join->has_index) {
        collection_order(collection);
    }
    verifier_new(&join->verifier, similarity, collection);
    if (!join->has_index) {
        return join;
    }
    for (size_t s = 0; s < collection->count; s++) {
        const struct stored_set *set = &collection->sets[s];
        collection_rarest_first(collection, set, prefix_of(join, set));
    }
    candidates_new(&join->candidates, collection->count);
    number_index_new(&join->numbers, collection);
    /* With low thresholds so much is dropped that it pays more to look among what is kept. */
    if (similarity.kind == SIMILARITY_JACCARD && !similarity_is_low(&similarity)) {
        partners_find(&join->partners, &join->verifier, &join->candidates, &join->numbers);
    }
    if (join->partners.known != PARTNERS_ALL) {
        sort_by_size(join);
    }
    return join;
}

/* One look-up on its way: the set, what follows from its size, and the best so far. */
struct query {
    struct join *join;
    uint32_t number;
    const struct stored_set *set;
    size_t smallest; /* sizes of sets that can be similar */
    size_t largest;
    size_t prefix; /* terms to look up, of those that other sets have too */
    uint32_t best; /* SET_NONE: none yet */
    size_t shared;
};

/* Compares with one kept set; sets best when it is similar. */
static void test(struct query *query, uint32_t number)
{
    size_t shared;
    if (verify(&query->join->verifier, query->number, number, &shared)) {
        query->best = number;
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
        n += join->sizes.classes[c].set_count;
    }
    return n;
}

/* Makes the kept sets below `end` ready for a scan. */
static void prepare_scan(struct join *join, uint32_t end)
{
    for (; join->scanned < end; join->scanned++) {
        uint32_t set = join->scanned;
        if (join->kept[set] && !is_alone(join, set)) {
            uint64_t fold = signature_fold(&join->verifier.signatures[set]);
            size_classes_add(&join->sizes, join->collection->sets[set].count,
                             (struct scan_entry){fold, set});
        }
    }
}

/* Goes through all kept sets of a possible size by their folded signatures. */
static void scan(struct query *query)
{
    struct join *join = query->join;
    prepare_scan(join, query->number);
    uint64_t fold = signature_fold(&join->verifier.signatures[query->number]);
    size_t x = query->set->shared;
    for (size_t c = size_classes_from(&join->sizes, query->smallest);
         c < join->sizes.count && join->sizes.classes[c].size <= query->largest; c++) {
        const struct size_class *class = &join->sizes.classes[c];
        size_t least = verifier_least_overlap(&join->verifier, query->set->count, class->size);
        if (least > x || least > class->size) {
            continue;
        }
        size_t distance = x + class->size - 2 * least;
        for (size_t i = 0; i < class->count; i++) {
            const struct scan_entry *entry = &class->entries[i];
            if (entry->set >= query->best) {
                break; /* a class is in rank order: nothing better follows */
            }
            if (fold_distance(entry->fold, fold) <= distance) {
                test(query, entry->set);
            }
        }
    }
}

/* Goes through the kept sets that have the numbers that a similar one can have. */
static void look_by_numbers(struct query *query)
{
    struct number_list list;
    for (size_t place = 0; number_index_list(&query->join->numbers, query->number, place, &list);
         place++) {
        for (size_t i = 0; i < list.count && list.sets[i] < query->best; i++) {
            test(query, list.sets[i]);
        }
    }
}

/*
 * Finds the postings that a probe would look at and returns how many they are; on the
 * way what will be read first is fetched.
 */
static size_t find_lists(struct query *query)
{
    struct join *join = query->join;
    const struct similarity *similarity = &join->verifier.similarity;
    const struct stored_set *set = query->set;
    const uint32_t *terms = collection_terms(join->collection, set);
    size_t alone = set->count - set->shared;
    size_t n = 0;
    join->lists = mem_grow(join->lists, &join->list_capacity, query->prefix, sizeof *join->lists);
    for (size_t j = 0; j < query->prefix; j++) {
        postings_fetch_range(&join->postings, terms[j]);
    }
    for (size_t j = 0; j < query->prefix; j++) {
        postings_fetch_sizes(&join->postings, terms[j]);
    }
    for (size_t j = 0; j < query->prefix; j++) {
        size_t most = similarity_most_overlap(similarity, set->count, alone + j);
        size_t largest = similarity_largest(similarity, set->count, most);
        join->lists[j] = postings_between(&join->postings, terms[j], query->smallest, largest);
        list_fetch(join->lists[j].postings, join->lists[j].count, FETCHED_LINES);
        n += join->lists[j].count;
    }
    return n;
}

/* Of what has been met often enough leaves what would be a better answer, by its number. */
static void leave_kept(const struct query *query, struct candidates *candidates)
{
    const struct join *join = query->join;
    size_t left = 0;
    for (size_t i = 0; i < candidates->count; i++) {
        uint32_t set = join->posted[candidates->sets[i]];
        candidates->sets[left] = set;
        left += set < query->best && join->kept[set];
    }
    candidates->count = left;
}

static void test_all(struct query *query)
{
    struct candidates *candidates = &query->join->candidates;
    candidates_matched(candidates);
    leave_kept(query, candidates);
    for (size_t i = 0; i < candidates->count; i++) {
        verifier_fetch(&query->join->verifier, candidates->sets[i]);
    }
    for (size_t i = 0; i < candidates->count; i++) {
        if (candidates->sets[i] < query->best) {
            test(query, candidates->sets[i]);
        }
    }
    candidates->count = 0;
}

/* Looks up the terms of the prefix in the index. */
static void probe(struct query *query)
{
    struct candidates *candidates = &query->join->candidates;
    candidates_start(candidates,
                     similarity_matches(&query->join->verifier.similarity, query->smallest));
    struct posting_filter filter = postings_filter(&query->join->postings, query->set->count);
    for (size_t j = 0; j < query->prefix; j++) {
        struct posting_list list = query->join->lists[j];
        while (list.count > 0) {
            if (candidates->count == CANDIDATES_ROOM) {
                test_all(query);
            }
            list = candidates_gather(candidates, list, filter);
        }
    }
    test_all(query);
}

/* Where all partners are known nothing need be looked up. */
static void find_partner(struct query *query)
{
    const struct partners *partners = &query->join->partners;
    for (uint32_t i = partners->first[query->number]; i != PARTNER_END; i = partners->all[i].next) {
        const struct partner *partner = &partners->all[i];
        if (partner->set < query->best && query->join->kept[partner->set]) {
            query->best = partner->set;
            query->shared = partner->overlap;
        }
    }
}

/* By the index or by a scan; unless what has the numbers costs less than either. */
static void find_by_terms(struct query *query, size_t by_numbers)
{
    struct join *join = query->join;
    size_t postings = SIZE_MAX;
    if (join->has_index) {
        if (query->number >= join->indexed) {
            make_index(join, query->number);
        }
        query->prefix = prefix_of(join, query->set);
        postings = find_lists(query);
    }
    size_t scanned = postings > CHEAP_PROBE ? scan_length(query) : SIZE_MAX;
    if (by_numbers < postings / SCAN_COST && by_numbers < scanned) {
        look_by_numbers(query);
    } else if (postings / SCAN_COST > scanned) {
        scan(query); /* the terms are not rare: the index is no help */
    } else {
        probe(query);
    }
}

/* Among all that is kept. */
static void find(struct query *query)
{
    size_t by_numbers = number_index_count(&query->join->numbers, query->number);
    if (by_numbers <= CHEAP_BY_NUMBERS) {
        look_by_numbers(query);
    } else {
        find_by_terms(query, by_numbers == SIZE_MAX ? by_numbers : NUMBERS_COST * by_numbers);
    }
}

struct join_hit join_find(struct join *join, uint32_t number)
{
    const struct similarity *similarity = &join->verifier.similarity;
    const struct stored_set *set = &join->collection->sets[number];
    struct query query = {
        .join = join,
        .number = number,
        .set = set,
        .smallest = similarity_smallest(similarity, set->count),
        .largest = similarity_largest(similarity, set->count, set->count),
        .best = SET_NONE,
    };
    if (join->partners.known == PARTNERS_ALL) {
        find_partner(&query);
    } else if (!is_alone(join, number) && set->shared >= query.smallest) {
        find(&query); /* else too much of it is in no other */
    }
    if (query.best == SET_NONE) {
        return (struct join_hit){.set = SET_NONE};
    }
    size_t united =
        similarity->kind == SIMILARITY_CONTAINMENT
            ? set->count
            : (size_t)set->count + join->collection->sets[query.best].count - query.shared;
    return (struct join_hit){query.best, (uint32_t)query.shared, (uint32_t)united};
}

void join_add(struct join *join, uint32_t number)
{
    join->kept[number] = true;
    if (join->partners.known != PARTNERS_ALL && !is_alone(join, number)) {
        number_index_add(&join->numbers, number);
        size_classes_count(&join->sizes, join->collection->sets[number].count);
    }
}

void join_free(struct join *join)
{
    if (join == NULL) {
        return;
    }
    postings_free(&join->postings);
    size_classes_free(&join->sizes);
    free(join->lists);
    free(join->by_size);
    free(join->posted);
    free(join->kept);
    partners_free(&join->partners);
    candidates_free(&join->candidates);
    number_index_free(&join->numbers);
    verifier_free(&join->verifier);
    free(join);
}
