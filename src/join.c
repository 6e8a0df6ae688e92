/* join.c: see join.h. */
#include "join.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "mem.h"
#include "postings.h"
#include "sizes.h"

/* Below this many postings a probe is cheap whatever the scan would cost. */
#define CHEAP_PROBE 128
/* With fewer kept sets than this a scan beats looking at the index. */
#define FEW_KEPT 128

#define NO_RECORD UINT32_MAX

/* A kept set. */
struct record {
    const uint32_t *ids; /* the posted prefix first, rarest first */
    uint32_t count;
    uint32_t tested; /* the last look-up that compared with this one */
    struct signature signature;
    const uint32_t *numbers;
    size_t number_count;
    void *owner;
};

struct twin_slot {
    uint64_t hash;
    uint32_t record; /* NO_RECORD: free */
};

struct join {
    struct similarity similarity;
    bool keep_numbers;
    struct record *records; /* in rank order */
    size_t count;
    size_t capacity;
    struct arena arena; /* their ids and numbers */
    struct postings postings;
    struct size_classes sizes;
    struct twin_slot *twins; /* by hash of the whole set; a power of two of them */
    size_t twin_slots;
    uint32_t lookup; /* numbers the look-ups, for record.tested */
};

struct join *join_new(struct similarity similarity, bool keep_numbers)
{
    struct join *join = mem_zeroed(1, sizeof *join);
    join->similarity = similarity;
    join->keep_numbers = keep_numbers;
    return join;
}

/* One look-up on its way: the set, what follows from its size, and the best so far. */
struct query {
    struct join *join;
    struct token_set *set;
    size_t smallest; /* sizes of sets that can be similar */
    size_t largest;
    size_t prefix;   /* tokens to look up */
    uint64_t fold;
    uint32_t best; /* NO_RECORD: none yet */
    size_t shared;
};

static unsigned popcount(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555U;
    x = (x & 0x3333333333333333U) + (x >> 2 & 0x3333333333333333U);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fU;
    return (unsigned)(x * 0x0101010101010101U >> 56);
}

static uint64_t fold_signature(const struct signature *signature)
{
    return signature->bits[0] ^ signature->bits[1] ^ signature->bits[2] ^ signature->bits[3];
}

static unsigned signature_distance(const struct signature *a, const struct signature *b)
{
    unsigned distance = 0;
    for (size_t i = 0; i < SIGNATURE_WORDS; i++) {
        distance += popcount(a->bits[i] ^ b->bits[i]);
    }
    return distance;
}

/* The comparison itself, given up as soon as too many tokens are not common. */
static bool overlaps(const struct token_set *set, const struct record *record, size_t least,
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
static bool numbers_differ(const struct token_set *set, const struct record *record)
{
    size_t common = 0;
    for (size_t i = 0; i < record->number_count; i++) {
        common += marks_has(&set->number_marks, record->numbers[i]);
    }
    return common < record->number_count && common < set->number_count;
}

/*
 * Compares with one kept set, the cheap tests first; sets best when it is similar.
 * Sets that differ in their overlap by the least allowed differ in at most
 * x + y - 2 * overlap tokens, and so in at most so many bits of their signatures.
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
    size_t least = similarity_least_overlap(&join->similarity, x, y);
    if (least > x || least > y ||
        signature_distance(&query->set->signature, &record->signature) > x + y - 2 * least) {
        return;
    }
    size_t shared;
    if (!overlaps(query->set, record, least, &shared)) {
        return;
    }
    if (join->keep_numbers && numbers_differ(query->set, record)) {
        return;
    }
    query->best = index;
    query->shared = shared;
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
        for (size_t i = 0; i < class->count; i++) {
            const struct scan_entry *entry = &class->entries[i];
            if (entry->record >= query->best) {
                break; /* a class is in rank order: nothing better follows */
            }
            if (popcount(entry->fold ^ query->fold) <= distance) {
                test(query, entry->record);
            }
        }
    }
}

static size_t probe_length(const struct query *query)
{
    size_t n = 0;
    for (size_t j = 0; j < query->prefix; j++) {
        n += postings_of(&query->join->postings, query->set->ids[j])->count;
    }
    return n;
}

/* Looks up the tokens of the prefix in the index. */
static void probe(struct query *query)
{
    struct join *join = query->join;
    size_t x = query->set->count;
    uint16_t x16 = (uint16_t)(x < UINT16_MAX ? x : UINT16_MAX);
    for (size_t j = 0; j < query->prefix; j++) {
        const struct posting_list *list = postings_of(&join->postings, query->set->ids[j]);
        size_t largest = similarity_largest(&join->similarity, x, x - j);
        largest = largest < query->largest ? largest : query->largest;
        for (uint32_t i = 0; i < list->count; i++) {
            struct posting posting = list->postings[i];
            if (posting.record >= query->best) {
                break; /* a list is in rank order too */
            }
            if (posting.size <= largest && posting.longest >= x16) {
                test(query, posting.record);
            }
        }
    }
}

/*
 * A kept set with the same tokens.  It is the answer: had a better one been
 * similar, the twin would not have been kept.
 */
static uint32_t find_twin(const struct join *join, const struct token_set *set)
{
    if (join->twin_slots == 0) {
        return NO_RECORD;
    }
    size_t mask = join->twin_slots - 1;
    for (size_t i = (size_t)set->hash & mask; join->twins[i].record != NO_RECORD;
         i = (i + 1) & mask) {
        const struct record *record = &join->records[join->twins[i].record];
        size_t shared;
        if (join->twins[i].hash == set->hash && record->count == set->count &&
            overlaps(set, record, set->count, &shared)) {
            return join->twins[i].record;
        }
    }
    return NO_RECORD;
}

struct join_hit join_find(struct join *join, struct token_set *set)
{
    struct query query = {
        .join = join,
        .set = set,
        .smallest = similarity_smallest(&join->similarity, set->count),
        .largest = similarity_largest(&join->similarity, set->count, set->count),
        .prefix = similarity_probe_prefix(&join->similarity, set->count),
        .fold = fold_signature(&set->signature),
        .best = find_twin(join, set),
        .shared = set->count,
    };
    if (query.best == NO_RECORD) {
        join->lookup++;
        token_set_rarest_first(set, query.prefix);
        size_t postings = join->count > FEW_KEPT ? probe_length(&query) : SIZE_MAX;
        if (postings > CHEAP_PROBE && postings > scan_length(&query)) {
            scan(&query); /* the tokens are not rare: the index is no help */
        } else {
            probe(&query);
        }
    }
    if (query.best == NO_RECORD) {
        return (struct join_hit){NULL, 0, 0};
    }
    const struct record *record = &join->records[query.best];
    size_t united = join->similarity.kind == SIMILARITY_CONTAINMENT
                        ? set->count
                        : set->count + record->count - query.shared;
    return (struct join_hit){record->owner, query.shared, united};
}

static void insert_twin(struct join *join, uint64_t hash, uint32_t record)
{
    size_t mask = join->twin_slots - 1;
    size_t i = (size_t)hash & mask;
    while (join->twins[i].record != NO_RECORD) {
        i = (i + 1) & mask;
    }
    join->twins[i] = (struct twin_slot){hash, record};
}

static void add_twin(struct join *join, uint64_t hash, uint32_t record)
{
    if (2 * join->count >= join->twin_slots) {
        size_t old_slots = join->twin_slots;
        struct twin_slot *old = join->twins;
        join->twin_slots = old_slots > 0 ? 2 * old_slots : 64;
        join->twins = mem_zeroed(join->twin_slots, sizeof *join->twins);
        for (size_t i = 0; i < join->twin_slots; i++) {
            join->twins[i].record = NO_RECORD;
        }
        for (size_t i = 0; i < old_slots; i++) {
            if (old[i].record != NO_RECORD) {
                insert_twin(join, old[i].hash, old[i].record);
            }
        }
        free(old);
    }
    insert_twin(join, hash, record);
}

static const uint32_t *copy_ids(struct join *join, const uint32_t *ids, size_t count)
{
    uint32_t *copy = arena_alloc(&join->arena, count * sizeof *copy);
    if (count > 0) {
        memcpy(copy, ids, count * sizeof *copy);
    }
    return copy;
}

static void post(struct join *join, const struct record *record, uint32_t index)
{
    const struct similarity *similarity = &join->similarity;
    size_t y = record->count;
    size_t prefix = similarity_posted_prefix(similarity, y);
    bool by_position = similarity->kind == SIMILARITY_JACCARD;
    for (size_t i = 0; i < prefix; i++) {
        size_t longest = similarity_largest_probe(similarity, y, by_position ? y - i : y);
        struct posting posting = {
            .record = index,
            .size = (uint16_t)(y < UINT16_MAX ? y : 0),
            .longest = (uint16_t)(longest < UINT16_MAX ? longest : UINT16_MAX),
        };
        postings_add(&join->postings, record->ids[i], posting);
    }
}

void join_add(struct join *join, struct token_set *set, void *owner)
{
    join->records = mem_grow(join->records, &join->capacity, join->count + 1,
                             sizeof *join->records);
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
    post(join, record, index);
    size_classes_add(&join->sizes, set->count,
                     (struct scan_entry){fold_signature(&set->signature), index});
    add_twin(join, set->hash, index);
}

void join_free(struct join *join)
{
    if (join == NULL) {
        return;
    }
    postings_free(&join->postings);
    size_classes_free(&join->sizes);
    free(join->records);
    free(join->twins);
    arena_free(&join->arena);
    free(join);
}
