/* index.c: see index.h. */
#include "index.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* A build for tests keeps only a few bits, to force collisions. */
#ifndef SET_HASH_MASK
#define SET_HASH_MASK UINT32_MAX
#endif

/* A build for tests keeps few, so that bounds do not fit. */
#ifndef POSTING_BITS
#define POSTING_BITS 32
#endif

void postings_clear(struct postings *postings, size_t terms, size_t set_count)
{
    postings->number_bits = 0;
    while (postings->number_bits < POSTING_BITS && set_count >> postings->number_bits > 0) {
        postings->number_bits++;
    }
    if (postings->ends == NULL) {
        postings->ends = mem_zeroed(terms + 2, sizeof *postings->ends);
    } else {
        memset(postings->ends, 0, (terms + 2) * sizeof *postings->ends);
    }
}

void postings_count(struct postings *postings, uint32_t term)
{
    postings->ends[(size_t)term + 2]++;
}

/* Twice as much as is needed: what is never written takes no memory. */
void postings_allot(struct postings *postings, size_t terms)
{
    for (size_t t = 1; t < terms + 2; t++) {
        postings->ends[t] += postings->ends[t - 1];
    }
    size_t needed = postings->ends[terms + 1];
    if (needed > postings->capacity) {
        free(postings->all);
        free(postings->sizes);
        postings->capacity = 2 * needed;
        postings->all = mem_alloc(postings->capacity * sizeof *postings->all);
        postings->sizes =
            mem_alloc((postings->capacity / POSTINGS_STEP + 1) * sizeof *postings->sizes);
    }
}

/* A size in the bits above a number. */
static uint32_t as_bound(const struct postings *postings, size_t size)
{
    unsigned bits = POSTING_BITS - postings->number_bits;
    uint64_t most = ((uint64_t)1 << bits) - 1;
    return (uint32_t)((size < most ? size : most) << postings->number_bits);
}

/* ends[t + 1] is where the next one of term t goes: once all are there, where they end. */
void postings_add(struct postings *postings, uint32_t term, uint32_t set, size_t size,
                  size_t longest)
{
    size_t place = postings->ends[(size_t)term + 1]++;
    postings->all[place] = as_bound(postings, longest) | set;
    if (place % POSTINGS_STEP == 0) {
        postings->sizes[place / POSTINGS_STEP] = posted_size(size);
    }
}

struct posting_filter postings_filter(const struct postings *postings, size_t size)
{
    uint64_t numbers = ((uint64_t)1 << postings->number_bits) - 1;
    return (struct posting_filter){as_bound(postings, size), (uint32_t)numbers};
}

/* How many of so many ascending sizes are below that one. */
static size_t sizes_below(const uint16_t *sizes, size_t count, size_t size)
{
    size_t low = 0;
    while (count > 0) {
        size_t half = count / 2;
        bool below = sizes[low + half] < size;
        low = below ? low + half + 1 : low;
        count = below ? count - half - 1 : half;
    }
    return low;
}

struct posting_list postings_between(const struct postings *postings, uint32_t term,
                                     size_t smallest, size_t largest)
{
    size_t first = postings->ends[term];
    size_t end = postings->ends[term + 1];
    if (end - first > 2 * POSTINGS_STEP) {
        size_t known = first / POSTINGS_STEP + 1; /* the first of them that is of this term */
        const uint16_t *sizes = postings->sizes + known;
        size_t count = (end - 1) / POSTINGS_STEP + 1 - known;
        size_t smaller = sizes_below(sizes, count, posted_size(smallest));
        first = smaller > 0 ? (known + smaller - 1) * POSTINGS_STEP + 1 : first;
        size_t possible = largest < UINT16_MAX
                              ? smaller + sizes_below(sizes + smaller, count - smaller, largest + 1)
                              : count;
        end = possible < count ? (known + possible) * POSTINGS_STEP : end;
    }
    return (struct posting_list){&postings->all[first], end > first ? end - first : 0};
}

void postings_free(struct postings *postings)
{
    free(postings->ends);
    free(postings->all);
    free(postings->sizes);
    *postings = (struct postings){0};
}

void rising_new(struct rising_postings *postings, size_t terms)
{
    postings->ranges = mem_zeroed(terms, sizeof *postings->ranges);
}

void rising_count(struct rising_postings *postings, uint32_t term)
{
    postings->ranges[term].end++;
}

void rising_allot(struct rising_postings *postings, size_t terms)
{
    size_t used = 0;
    for (size_t t = 0; t < terms; t++) {
        size_t count = postings->ranges[t].end;
        postings->ranges[t] = (struct rising_range){used, used};
        used += count;
    }
    postings->sets = mem_alloc(used * sizeof *postings->sets);
    postings->sizes = mem_alloc(used * sizeof *postings->sizes);
}

void rising_add(struct rising_postings *postings, uint32_t term, uint32_t set, uint16_t size)
{
    size_t place = postings->ranges[term].end++;
    postings->sets[place] = set;
    postings->sizes[place] = size;
}

/* Up to so many, to look at each is quicker than to search. */
#define SHORT_LIST 128

struct set_list rising_between(struct rising_postings *postings, uint32_t term, size_t smallest,
                               size_t largest)
{
    struct rising_range *range = &postings->ranges[term];
    const uint16_t *sizes = postings->sizes;
    while (range->first < range->end && sizes[range->first] < posted_size(smallest)) {
        range->first++;
    }
    size_t count = range->end - range->first;
    if (count > SHORT_LIST && largest < UINT16_MAX) {
        count = sizes_below(sizes + range->first, count, largest + 1);
    }
    return (struct set_list){postings->sets + range->first, count};
}

void rising_free(struct rising_postings *postings)
{
    free(postings->ranges);
    free(postings->sets);
    free(postings->sizes);
    *postings = (struct rising_postings){0};
}

size_t size_classes_from(const struct size_classes *sizes, size_t size)
{
    size_t low = 0;
    size_t high = sizes->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sizes->classes[middle].size < size) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct size_class *class_of(struct size_classes *sizes, size_t size)
{
    size_t c = size_classes_from(sizes, size);
    if (c == sizes->count || sizes->classes[c].size != size) {
        sizes->classes =
            mem_grow(sizes->classes, &sizes->capacity, sizes->count + 1, sizeof *sizes->classes);
        memmove(&sizes->classes[c + 1], &sizes->classes[c],
                (sizes->count - c) * sizeof *sizes->classes);
        sizes->count++;
        sizes->classes[c] = (struct size_class){.size = size};
    }
    return &sizes->classes[c];
}

void size_classes_count(struct size_classes *sizes, size_t size)
{
    class_of(sizes, size)->set_count++;
}

void size_classes_add(struct size_classes *sizes, size_t size, struct scan_entry entry)
{
    struct size_class *class = class_of(sizes, size);
    class->entries =
        mem_grow(class->entries, &class->capacity, class->count + 1, sizeof *class->entries);
    class->entries[class->count++] = entry;
}

void size_classes_free(struct size_classes *sizes)
{
    for (size_t i = 0; i < sizes->count; i++) {
        free(sizes->classes[i].entries);
    }
    free(sizes->classes);
    *sizes = (struct size_classes){0};
}

uint32_t set_table_hash(struct set_table *table, const uint32_t *ids, size_t count)
{
    if (table->seed == 0) {
        table->seed = (uint64_t)(uintptr_t)table ^ (uint64_t)(uintptr_t)ids << 32;
        table->seed |= 1;
    }
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++) { /* a sum has no order */
        uint64_t mixed = (ids[i] ^ table->seed) * 0x9e3779b97f4a7c15U;
        hash += (mixed ^ mixed >> 31) * 0xbf58476d1ce4e5b9U;
    }
    return (uint32_t)(hash >> 32) & SET_HASH_MASK;
}

static void insert(struct set_table *table, struct set_slot set)
{
    size_t mask = table->slot_count - 1;
    size_t i = set.hash & mask;
    while (table->slots[i].set != SET_NONE) {
        i = (i + 1) & mask;
    }
    table->slots[i] = set;
}

static void enlarge(struct set_table *table)
{
    struct set_slot *old = table->slots;
    size_t old_count = table->slot_count;
    table->slot_count = old_count > 0 ? 2 * old_count : 64;
    table->slots = mem_alloc(table->slot_count * sizeof *table->slots);
    memset(table->slots, UINT8_MAX, table->slot_count * sizeof *table->slots);
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].set != SET_NONE) {
            insert(table, old[i]);
        }
    }
    free(old);
}

void set_table_add(struct set_table *table, uint32_t hash, uint32_t set)
{
    if (++table->count > table->slot_count / 8 * 5) {
        enlarge(table);
    }
    insert(table, (struct set_slot){hash, set});
}

uint32_t set_table_next(const struct set_table *table, uint32_t hash, size_t *place)
{
    if (table->slot_count == 0) {
        return SET_NONE;
    }
    size_t mask = table->slot_count - 1;
    for (;;) {
        struct set_slot slot = table->slots[((size_t)hash + *place) & mask];
        ++*place;
        if (slot.set == SET_NONE || slot.hash == hash) {
            return slot.set;
        }
    }
}

void set_table_free(struct set_table *table)
{
    free(table->slots);
    *table = (struct set_table){0};
}
