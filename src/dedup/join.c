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
/* How many postings cost as much as an entry of a scan. */
#define SCAN_COST 4
/* With fewer sets than this a scan beats looking at an index, which is not made. */
#ifndef FEW_SETS
#define FEW_SETS 128
#endif
/* Sets in the first index; each next one has twice as many.  A build for tests has few in both. */
#ifndef FIRST_INDEXED
#define FIRST_INDEXED 1024
#endif

/* Sums of two sizes for which the least overlap is remembered. */
#define LEAST_KNOWN 2048

/*
 * How many common terms a pair must show before it is looked at.  The prefix filter
 * asks for one; with prefixes longer by m - 1 terms, similar sets have m in them
 * (Wang, Li and Feng 2012).  Where prefixes are long anyway, more of them pay.
 */
#define MOST_MATCHES 3
static size_t matches_for(struct fraction threshold)
{
    return 10 * (uint64_t)threshold.num < 7 * (uint64_t)threshold.den ? MOST_MATCHES : 2;
}

/* In a byte: so many look-ups can be told apart before all is cleared. */
#define MATCHES_RANGE (MOST_MATCHES + 2)
#define MOST_LOOKUPS (UINT8_MAX / MATCHES_RANGE - 1)

struct join {
    struct similarity similarity;
    size_t matches_wanted;
    struct collection *collection;
    struct signature *signatures; /* by set */
    bool *kept;                   /* by set: it has been added */
    struct postings postings;
    struct posting_list *lists; /* of the set that is looked up, of possible sizes */
    size_t list_capacity;
    uint32_t indexed;                   /* sets from here on are not in the postings */
    uint8_t *matches;                   /* by set: how many of its terms a look-up has met */
    uint8_t lookup;                     /* numbers the look-ups since matches was cleared */
    struct size_classes sizes;          /* of the kept sets */
    uint32_t scanned;                   /* sets below have been made ready for a scan */
    struct marks marks;                 /* the terms of the set that is looked up */
    struct marks number_marks;          /* and its numbers */
    uint16_t least_by_sum[LEAST_KNOWN]; /* by the sum of two sizes; 0: not known yet */
};

/* Of a set's terms that others have too, those that are looked up, or posted for Jaccard. */
static size_t prefix_of(const struct join *join, const struct stored_set *set)
{
    size_t alone = set->count - set->shared; /* the rarest of all: nobody meets them */
    size_t prefix =
        similarity_probe_prefix(&join->similarity, set->count) + join->matches_wanted - 1;
    prefix = prefix < set->count ? prefix : set->count;
    return prefix > alone ? prefix - alone : 0;
}

/* Of its terms, those that are posted: for containment all. */
static size_t posted_of(const struct join *join, const struct stored_set *set)
{
    return join->similarity.kind == SIMILARITY_JACCARD ? prefix_of(join, set) : set->shared;
}

/* The most that a pair can have in common whose m-th common term is the one at `place`. */
static size_t most_overlap(const struct join *join, size_t count, size_t place)
{
    size_t most = count - place + join->matches_wanted - 1;
    return most < count ? most : count;
}

static void post(struct join *join, uint32_t number)
{
    const struct similarity *similarity = &join->similarity;
    const struct stored_set *set = &join->collection->sets[number];
    const uint32_t *terms = collection_terms(join->collection, set);
    size_t y = set->count;
    size_t alone = y - set->shared;
    size_t posted = posted_of(join, set);
    for (size_t i = 0; i < posted; i++) {
        bool by_place = similarity->kind == SIMILARITY_JACCARD;
        size_t most = by_place ? most_overlap(join, y, alone + i) : y;
        size_t longest = similarity_largest_probe(similarity, y, most);
        struct posting posting = {
            .set = number,
            .size = (uint16_t)(y < UINT16_MAX ? y : UINT16_MAX),
            .longest = (uint16_t)(longest < UINT16_MAX ? longest : UINT16_MAX),
        };
        postings_add(&join->postings, terms[i], posting);
    }
}

/* Of sets from `indexed` on it is not known yet. */
static bool may_be_kept(const struct join *join, size_t set)
{
    return set >= join->indexed || join->kept[set];
}

static size_t posted_size(const struct join *join, size_t set)
{
    size_t size = join->collection->sets[set].count;
    return size < UINT16_MAX ? size : UINT16_MAX;
}

/*
 * The sets below `end` that may be kept, by ascending size as far as a posting can say
 * it; for free().
 */
static uint32_t *by_size(const struct join *join, size_t end, size_t *count)
{
    size_t *next = mem_zeroed((size_t)UINT16_MAX + 2, sizeof *next);
    for (size_t s = 0; s < end; s++) {
        next[posted_size(join, s) + 1] += may_be_kept(join, s);
    }
    for (size_t size = 1; size <= (size_t)UINT16_MAX + 1; size++) {
        next[size] += next[size - 1];
    }
    *count = next[(size_t)UINT16_MAX + 1];
    uint32_t *sorted = mem_zeroed(*count, sizeof *sorted);
    for (uint32_t s = 0; s < end; s++) {
        if (may_be_kept(join, s)) {
            sorted[next[posted_size(join, s)]++] = s;
        }
    }
    free(next);
    return sorted;
}

/*
 * Posts the sets that are kept and as many again of those to come: an index of all
 * from the beginning would show each look-up twice as many sets as are kept by then.
 */
static void make_index(struct join *join)
{
    const struct collection *collection = join->collection;
    size_t end = join->indexed > 0 ? 2 * (size_t)join->indexed : FIRST_INDEXED;
    end = end < collection->count ? end : collection->count;
    size_t count;
    uint32_t *sorted = by_size(join, end, &count);
    postings_free(&join->postings);
    postings_new(&join->postings, collection->term_count);
    for (size_t i = 0; i < count; i++) {
        const struct stored_set *set = &collection->sets[sorted[i]];
        const uint32_t *terms = collection_terms(collection, set);
        size_t posted = posted_of(join, set);
        for (size_t t = 0; t < posted; t++) {
            postings_count(&join->postings, terms[t]);
        }
    }
    postings_allot(&join->postings, collection->term_count);
    for (size_t i = 0; i < count; i++) {
        post(join, sorted[i]);
    }
    free(sorted);
    join->indexed = (uint32_t)end;
}

struct join *join_new(struct similarity similarity, struct collection *collection)
{
    struct join *join = mem_zeroed(1, sizeof *join);
    join->similarity = similarity;
    join->matches_wanted = matches_for(similarity.threshold);
    join->collection = collection;
    bool has_index = collection->count > FEW_SETS;
    if (has_index) {
        collection_order(collection);
        join->matches = mem_zeroed(collection->count, sizeof *join->matches);
    }
    join->kept = mem_zeroed(collection->count, sizeof *join->kept);
    join->signatures = mem_alloc(collection->count * sizeof *join->signatures);
    for (size_t s = 0; s < collection->count; s++) {
        const struct stored_set *set = &collection->sets[s];
        join->signatures[s] = signature_of(collection_terms(collection, set), set->shared);
        if (has_index) {
            collection_rarest_first(collection, set, prefix_of(join, set));
        }
    }
    return join;
}

/* One look-up on its way: the set, what follows from its size, and the best so far. */
struct query {
    struct join *join;
    const struct stored_set *set;
    const struct signature *signature;
    bool marked;
    size_t smallest; /* sizes of sets that can be similar */
    size_t largest;
    size_t prefix; /* terms to look up, of those that other sets have too */
    uint8_t start; /* of what join->matches holds for this look-up */
    uint8_t matches_needed;
    uint32_t best; /* SET_NONE: none yet */
    size_t shared;
};

/* Most sets are like no other, so a set's terms are marked when the first test needs it. */
static void mark_terms(struct query *query)
{
    struct join *join = query->join;
    const struct stored_set *set = query->set;
    marks_clear(&join->marks, join->collection->term_count);
    const uint32_t *terms = collection_terms(join->collection, set);
    for (size_t i = 0; i < set->shared; i++) {
        marks_set(&join->marks, terms[i]);
    }
    marks_clear(&join->number_marks, join->collection->number_ids);
    struct set_numbers numbers = collection_numbers(join->collection, set);
    for (size_t i = 0; i < numbers.count; i++) {
        marks_set(&join->number_marks, numbers.ids[i]);
    }
    query->marked = true;
}

/* Given up early; no further filter before it pays (Mann, Augsten and Bouros 2016). */
static bool overlaps(const struct join *join, const struct stored_set *kept, size_t least,
                     size_t *shared)
{
    const uint32_t *terms = collection_terms(join->collection, kept);
    size_t allowed = kept->shared - least;
    size_t missed = 0;
    for (size_t i = 0; i < kept->shared; i++) {
        missed += !marks_has(&join->marks, terms[i]);
        if (missed > allowed) {
            return false;
        }
    }
    *shared = kept->shared - missed;
    return true;
}

/* Whether each of the two has a number that the other lacks. */
static bool numbers_differ(const struct query *query, const struct stored_set *kept)
{
    const struct collection *collection = query->join->collection;
    struct set_numbers numbers = collection_numbers(collection, kept);
    size_t common = 0;
    for (size_t i = 0; i < numbers.count; i++) {
        common += marks_has(&query->join->number_marks, numbers.ids[i]);
    }
    return common < numbers.count && common < collection_numbers(collection, query->set).count;
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
 * Of the terms that other sets have too, sets that differ in their overlap by the least
 * allowed differ in at most x + y - 2 * overlap, and so in at most so many bits of
 * their signatures.
 */
static void test(struct query *query, uint32_t number)
{
    struct join *join = query->join;
    const struct stored_set *kept = &join->collection->sets[number];
    size_t x = query->set->shared;
    size_t y = kept->shared;
    if (kept->count < query->smallest || kept->count > query->largest) {
        return;
    }
    size_t least = least_overlap(join, query->set->count, kept->count);
    if (least > x || least > y ||
        signature_distance(query->signature, &join->signatures[number]) > x + y - 2 * least) {
        return;
    }
    if (!query->marked) {
        mark_terms(query);
    }
    size_t shared;
    if (overlaps(join, kept, least, &shared) &&
        !(join->collection->keeps_numbers && numbers_differ(query, kept))) {
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
        if (join->kept[join->scanned]) {
            size_classes_add(&join->sizes, join->collection->sets[join->scanned].count,
                             (struct scan_entry){signature_fold(&join->signatures[join->scanned]),
                                                 join->scanned});
        }
    }
}

/* Goes through all kept sets of a possible size by their folded signatures. */
static void scan(struct query *query)
{
    struct join *join = query->join;
    prepare_scan(join, (uint32_t)(query->set - join->collection->sets));
    uint64_t fold = signature_fold(query->signature);
    size_t x = query->set->shared;
    for (size_t c = size_classes_from(&join->sizes, query->smallest);
         c < join->sizes.count && join->sizes.classes[c].size <= query->largest; c++) {
        const struct size_class *class = &join->sizes.classes[c];
        size_t least = least_overlap(join, query->set->count, class->size);
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

/*
 * Finds the postings that a probe would look at and returns how many they are; on the
 * way what will be read first is fetched.
 */
static size_t find_lists(struct query *query)
{
    struct join *join = query->join;
    const struct stored_set *set = query->set;
    const uint32_t *terms = collection_terms(join->collection, set);
    size_t alone = set->count - set->shared;
    size_t n = 0;
    join->lists = mem_grow(join->lists, &join->list_capacity, query->prefix, sizeof *join->lists);
    for (size_t j = 0; j < query->prefix; j++) {
        PREFETCH(&join->postings.ends[terms[j]]);
    }
    for (size_t j = 0; j < query->prefix; j++) {
        join->lists[j] = postings_of(&join->postings, terms[j]);
        PREFETCH(join->lists[j].postings + join->lists[j].count / 2);
    }
    for (size_t j = 0; j < query->prefix; j++) {
        size_t most = most_overlap(join, set->count, alone + j);
        size_t largest = similarity_largest(&join->similarity, set->count, most);
        join->lists[j] = postings_of_sizes(join->lists[j], query->smallest, largest);
        PREFETCH(join->lists[j].postings);
        n += join->lists[j].count;
    }
    return n;
}

/* Sets of which a term has been met, gathered so that what is known of them is fetched together. */
struct candidates {
    uint32_t sets[256];
    size_t count;
};

/* Leaves those that have now been met in as many terms as needed; without a branch. */
static void count_matches(const struct query *query, struct candidates *candidates)
{
    uint8_t *matches = query->join->matches;
    unsigned start = query->start;
    unsigned needed = query->matches_needed;
    size_t left = 0;
    for (size_t i = 0; i < candidates->count; i++) {
        uint32_t set = candidates->sets[i];
        unsigned met = matches[set];
        met = met < start ? start : met;
        met += met - start <= needed; /* stops at one more than needed */
        matches[set] = (uint8_t)met;
        candidates->sets[left] = set;
        left += met - start == needed;
    }
    candidates->count = left;
}

static void test_all(struct query *query, struct candidates *candidates)
{
    count_matches(query, candidates);
    for (size_t i = 0; i < candidates->count; i++) {
        PREFETCH(&query->join->collection->sets[candidates->sets[i]]);
        PREFETCH(&query->join->signatures[candidates->sets[i]]);
    }
    for (size_t i = 0; i < candidates->count; i++) {
        uint32_t set = candidates->sets[i];
        if (set < query->best && query->join->kept[set]) {
            test(query, set);
        }
    }
    candidates->count = 0;
}

/*
 * Takes from the postings those that can be similar to a set of size x.  Without a
 * branch, since none could be foretold.
 */
static void gather(struct candidates *candidates, const struct posting *postings, size_t count,
                   size_t x)
{
    for (size_t i = 0; i < count; i++) {
        candidates->sets[candidates->count] = postings[i].set;
        candidates->count += postings[i].longest >= x;
    }
}

/* Looks up the terms of the prefix in the index. */
static void probe(struct query *query)
{
    size_t x = query->set->count < UINT16_MAX ? query->set->count : UINT16_MAX;
    struct candidates candidates = {.count = 0};
    size_t room = sizeof candidates.sets / sizeof candidates.sets[0];
    for (size_t j = 0; j < query->prefix; j++) {
        struct posting_list list = query->join->lists[j];
        for (size_t i = 0; i < list.count;) {
            if (candidates.count == room) {
                test_all(query, &candidates);
            }
            size_t n = list.count - i;
            size_t left = room - candidates.count;
            n = n < left ? n : left;
            gather(&candidates, list.postings + i, n, x);
            i += n;
        }
    }
    test_all(query, &candidates);
}

static void start_matching(struct join *join, struct query *query)
{
    if (join->lookup == MOST_LOOKUPS) {
        memset(join->matches, 0, join->collection->count);
        join->lookup = 0;
    }
    query->start = (uint8_t)(++join->lookup * MATCHES_RANGE);
    size_t wanted = join->matches_wanted;
    query->matches_needed = (uint8_t)(query->smallest < wanted ? query->smallest : wanted);
}

struct join_hit join_find(struct join *join, uint32_t number)
{
    if (join->matches != NULL && number >= join->indexed) {
        make_index(join);
    }
    const struct stored_set *set = &join->collection->sets[number];
    struct query query = {
        .join = join,
        .set = set,
        .smallest = similarity_smallest(&join->similarity, set->count),
        .largest = similarity_largest(&join->similarity, set->count, set->count),
        .best = SET_NONE,
    };
    if (set->shared < query.smallest) {
        return (struct join_hit){.set = SET_NONE}; /* too much of it is in no other */
    }
    query.signature = &join->signatures[number];
    size_t postings = SIZE_MAX;
    if (join->matches != NULL) {
        query.prefix = prefix_of(join, set);
        start_matching(join, &query);
        postings = find_lists(&query);
    }
    if (postings > CHEAP_PROBE && postings / SCAN_COST > scan_length(&query)) {
        scan(&query); /* the terms are not rare: the index is no help */
    } else {
        probe(&query);
    }
    if (query.best == SET_NONE) {
        return (struct join_hit){.set = SET_NONE};
    }
    size_t united =
        join->similarity.kind == SIMILARITY_CONTAINMENT
            ? set->count
            : (size_t)set->count + join->collection->sets[query.best].count - query.shared;
    return (struct join_hit){query.best, (uint32_t)query.shared, (uint32_t)united};
}

void join_add(struct join *join, uint32_t number)
{
    join->kept[number] = true;
    size_classes_count(&join->sizes, join->collection->sets[number].count);
}

void join_free(struct join *join)
{
    if (join == NULL) {
        return;
    }
    postings_free(&join->postings);
    size_classes_free(&join->sizes);
    free(join->lists);
    free(join->signatures);
    free(join->kept);
    free(join->matches);
    marks_free(&join->marks);
    marks_free(&join->number_marks);
    free(join);
}
