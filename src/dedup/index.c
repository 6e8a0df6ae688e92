/* index.c: see index.h. */
#include "index.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* A build for tests keeps only a few bits, to force collisions. */
#ifndef SET_HASH_MASK
#define SET_HASH_MASK UINT32_MAX
#endif

void postings_new(struct postings *postings, size_t terms)
{
    postings->ends = mem_zeroed(terms + 2, sizeof *postings->ends);
}

void postings_count(struct postings *postings, uint32_t term)
{
    postings->ends[(size_t)term + 2]++;
}

void postings_allot(struct postings *postings, size_t terms)
{
    for (size_t t = 1; t < terms + 2; t++) {
        postings->ends[t] += postings->ends[t - 1];
    }
    postings->all = mem_zeroed(postings->ends[terms + 1], sizeof *postings->all);
}

/* ends[t + 1] is where the next one of term t goes: once all are there, where they end. */
void postings_add(struct postings *postings, uint32_t term, struct posting posting)
{
    postings->all[postings->ends[(size_t)term + 1]++] = posting;
}

struct posting_list postings_of(const struct postings *postings, uint32_t term)
{
    const size_t *ends = &postings->ends[term];
    return (struct posting_list){&postings->all[ends[0]], ends[1] - ends[0]};
}

/* Up to so many, to look at each is quicker than to search. */
#define SHORT_LIST 128

/* The first posting of at least that size: an index, the count when there is none. */
static size_t first_of_size(struct posting_list list, size_t size)
{
    size_t low = 0;
    size_t high = list.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list.postings[middle].size < size) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct posting_list postings_from_size(struct posting_list list, size_t smallest)
{
    if (list.count <= SHORT_LIST) {
        return list;
    }
    size_t first = first_of_size(list, posted_size(smallest));
    return (struct posting_list){list.postings + first, list.count - first};
}

struct posting_list postings_to_size(struct posting_list list, size_t largest)
{
    if (list.count > SHORT_LIST && largest < UINT16_MAX) {
        list.count = first_of_size(list, largest + 1);
    }
    return list;
}

void postings_free(struct postings *postings)
{
    free(postings->ends);
    free(postings->all);
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
    postings->all = mem_alloc(used * sizeof *postings->all);
}

void rising_add(struct rising_postings *postings, uint32_t term, struct posting posting)
{
    postings->all[postings->ranges[term].end++] = posting;
}

struct posting_list rising_of(struct rising_postings *postings, uint32_t term, size_t smallest)
{
    struct rising_range *range = &postings->ranges[term];
    while (range->first < range->end && postings->all[range->first].size < posted_size(smallest)) {
        range->first++;
    }
    return (struct posting_list){&postings->all[range->first], range->end - range->first};
}

void rising_free(struct rising_postings *postings)
{
    free(postings->ranges);
    free(postings->all);
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
