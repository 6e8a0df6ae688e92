/* index.c: see index.h. */
#include "index.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Most terms are posted once or twice, so a list begins with room for one. */
static void grow_list(struct postings *postings, struct posting_list *list)
{
    uint32_t capacity = list->capacity > 0 ? 2 * list->capacity : 1;
    struct posting *larger = arena_alloc(&postings->arena, capacity * sizeof *larger);
    if (list->count > 0) {
        memcpy(larger, list->postings, list->count * sizeof *larger);
    }
    list->postings = larger;
    list->capacity = capacity;
}

void postings_add(struct postings *postings, uint32_t id, struct posting posting)
{
    if (id >= postings->count) {
        postings->lists =
            mem_grow(postings->lists, &postings->capacity, (size_t)id + 1, sizeof *postings->lists);
        memset(&postings->lists[postings->count], 0,
               (postings->capacity - postings->count) * sizeof *postings->lists);
        postings->count = postings->capacity;
    }
    struct posting_list *list = &postings->lists[id];
    if (list->count == list->capacity) {
        grow_list(postings, list);
    }
    list->postings[list->count++] = posting;
}

const struct posting_list *postings_of(const struct postings *postings, uint32_t id)
{
    static const struct posting_list none;
    return id < postings->count ? &postings->lists[id] : &none;
}

void postings_free(struct postings *postings)
{
    free(postings->lists);
    arena_free(&postings->arena);
    *postings = (struct postings){0};
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

static void insert(struct set_table *table, struct set_slot set)
{
    size_t mask = table->slot_count - 1;
    size_t i = (size_t)set.hash & mask;
    while (table->slots[i].record != SET_NONE) {
        i = (i + 1) & mask;
    }
    table->slots[i] = set;
}

static void enlarge(struct set_table *table)
{
    struct set_slot *old = table->slots;
    size_t old_count = table->slot_count;
    table->slot_count = old_count > 0 ? 2 * old_count : 64;
    table->slots = mem_zeroed(table->slot_count, sizeof *table->slots);
    for (size_t i = 0; i < table->slot_count; i++) {
        table->slots[i].record = SET_NONE;
    }
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].record != SET_NONE) {
            insert(table, old[i]);
        }
    }
    free(old);
}

void set_table_add(struct set_table *table, uint64_t hash, uint32_t record)
{
    if (2 * ++table->count > table->slot_count) {
        enlarge(table);
    }
    insert(table, (struct set_slot){hash, record});
}

uint32_t set_table_next(const struct set_table *table, uint64_t hash, size_t *place)
{
    if (table->slot_count == 0) {
        return SET_NONE;
    }
    size_t mask = table->slot_count - 1;
    for (;;) {
        struct set_slot slot = table->slots[((size_t)hash + *place) & mask];
        ++*place;
        if (slot.record == SET_NONE || slot.hash == hash) {
            return slot.record;
        }
    }
}

void set_table_free(struct set_table *table)
{
    free(table->slots);
    *table = (struct set_table){0};
}

/* Up to so many, insertion is quicker than qsort's calls. */
#define FEW 64

static int higher_first(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a < b) - (a > b);
}

static void sort_highest_first(uint64_t *keyed, size_t count)
{
    if (count > FEW) {
        qsort(keyed, count, sizeof *keyed, higher_first);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        uint64_t one = keyed[i];
        size_t j = i;
        for (; j > 0 && keyed[j - 1] < one; j--) {
            keyed[j] = keyed[j - 1];
        }
        keyed[j] = one;
    }
}

/*
 * Brings the `count` highest to the front, in no order; returns how many were
 * brought, which may be a few more.  A histogram of the leading bits says from
 * where on they are among them.
 */
static size_t bring_highest(uint64_t *keyed, size_t total, size_t count, uint64_t highest)
{
    enum { BINS = 64 };
    unsigned shift = 0;
    while (highest >> shift >= BINS) {
        shift++;
    }
    size_t histogram[BINS] = {0};
    for (size_t i = 0; i < total; i++) {
        histogram[keyed[i] >> shift]++;
    }
    size_t bin = BINS;
    size_t chosen = 0;
    while (chosen < count) {
        chosen += histogram[--bin];
    }
    size_t front = 0;
    for (size_t i = 0; front < chosen; i++) {
        uint64_t one = keyed[i];
        if (one >> shift >= bin) {
            keyed[i] = keyed[front];
            keyed[front++] = one;
        }
    }
    return chosen;
}

const uint32_t *order_rarest(struct term_order *order, const uint32_t *ids, size_t total,
                             size_t count)
{
    order->keyed = mem_grow(order->keyed, &order->keyed_capacity, total, sizeof *order->keyed);
    order->rarest = mem_grow(order->rarest, &order->rarest_capacity, count, sizeof *order->rarest);
    uint64_t *keyed = order->keyed;
    uint64_t highest = 0;
    for (size_t i = 0; i < total; i++) {
        uint32_t id = ids[i];
        uint64_t key = id < order->known ? order->keys[id] : id;
        keyed[i] = key << 32 | id;
        highest = keyed[i] > highest ? keyed[i] : highest;
    }
    sort_highest_first(keyed, bring_highest(keyed, total, count, highest));
    for (size_t i = 0; i < count; i++) {
        order->rarest[i] = (uint32_t)keyed[i];
    }
    return order->rarest;
}

/* A counting sort: the most frequent term gets key 0, and of equals the first seen. */
void order_by_frequency(struct term_order *order, const uint32_t *frequencies, size_t terms)
{
    size_t highest = 0;
    for (size_t id = 0; id < terms; id++) {
        highest = frequencies[id] > highest ? frequencies[id] : highest;
    }
    /* next[f]: the key of the next term with frequency f */
    uint32_t *next = mem_zeroed(highest + 2, sizeof *next);
    for (size_t id = 0; id < terms; id++) {
        next[frequencies[id]]++;
    }
    uint32_t key = 0;
    for (size_t f = highest + 1; f-- > 0;) {
        uint32_t with_f = next[f];
        next[f] = key;
        key += with_f;
    }
    free(order->keys);
    order->keys = mem_zeroed(terms, sizeof *order->keys);
    order->known = terms;
    for (size_t id = 0; id < terms; id++) {
        order->keys[id] = next[frequencies[id]]++;
    }
    free(next);
}

void order_free(struct term_order *order)
{
    free(order->keys);
    free(order->keyed);
    free(order->rarest);
    *order = (struct term_order){0};
}
