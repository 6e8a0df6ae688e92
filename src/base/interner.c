/* interner.c: see interner.h. */
#include "interner.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "mem.h"

/* A build for tests keeps only a few bits, to force collisions. */
#ifndef INTERNER_HASH_MASK
#define INTERNER_HASH_MASK UINT64_MAX
#endif

#define LEAST_SLOTS ((size_t)512)
#define NO_ID UINT32_MAX

/* Look-ups that are under way together. */
#define BATCH 32

/*
 * A short word is its own bytes in the two halves, and length is 0.  A long one
 * has its hash in the first, and its bytes stand in the arena.
 */
struct word_slot {
    uint64_t low;
    union {
        uint64_t high;
        const char *bytes;
    } rest;
    uint32_t length;
    uint32_t id; /* NO_ID: free */
};

static uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0x9e3779b97f4a7c15U;
    x ^= x >> 29;
    return x;
}

static uint64_t hash_short(uint64_t low, uint64_t high)
{
    return mix(mix(low) + 0xbf58476d1ce4e5b9U * high) & INTERNER_HASH_MASK;
}

static uint64_t hash_long(struct slice word)
{
    uint64_t hash = word.len;
    for (size_t i = 0; i < word.len; i += sizeof(uint64_t)) {
        uint64_t piece = 0;
        size_t n = word.len - i < sizeof piece ? word.len - i : sizeof piece;
        memcpy(&piece, word.at + i, n);
        hash = mix(hash ^ piece);
    }
    return hash & INTERNER_HASH_MASK;
}

static uint64_t hash_of(const struct word_slot *slot)
{
    return slot->length > 0 ? slot->low : hash_short(slot->low, slot->rest.high);
}

static void insert(struct interner *vocabulary, uint64_t hash, struct word_slot word)
{
    size_t mask = vocabulary->slot_count - 1;
    size_t i = (size_t)hash & mask;
    while (vocabulary->slots[i].id != NO_ID) {
        i = (i + 1) & mask;
    }
    vocabulary->slots[i] = word;
}

static void enlarge(struct interner *vocabulary)
{
    struct word_slot *old = vocabulary->slots;
    size_t old_count = vocabulary->slot_count;
    vocabulary->slot_count = old_count > 0 ? 2 * old_count : LEAST_SLOTS;
    vocabulary->slots = mem_zeroed(vocabulary->slot_count, sizeof *vocabulary->slots);
    for (size_t i = 0; i < vocabulary->slot_count; i++) {
        vocabulary->slots[i].id = NO_ID;
    }
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].id != NO_ID) {
            insert(vocabulary, hash_of(&old[i]), old[i]);
        }
    }
    free(old);
}

/* At most five eighths of the slots are in use, so that probes stay short. */
static void reserve(struct interner *vocabulary, size_t more)
{
    while (vocabulary->count + more > vocabulary->slot_count / 8 * 5) {
        enlarge(vocabulary);
    }
}

static uint32_t add(struct interner *vocabulary, struct word_slot *slot, struct word_slot word)
{
    if (vocabulary->count == NO_ID) {
        diag_out_of_memory(SIZE_MAX); /* four thousand million distinct words */
    }
    word.id = (uint32_t)vocabulary->count++;
    *slot = word;
    return word.id;
}

/* Room must have been reserved. */
static uint32_t find_short(struct interner *vocabulary, union short_word word, uint64_t hash)
{
    uint64_t low = word.halves[0];
    uint64_t high = word.halves[1];
    size_t mask = vocabulary->slot_count - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        struct word_slot *slot = &vocabulary->slots[i];
        if (slot->id == NO_ID) {
            return add(vocabulary, slot, (struct word_slot){low, {high}, 0, NO_ID});
        }
        if (slot->low == low && slot->rest.high == high && slot->length == 0) {
            return slot->id;
        }
    }
}

void intern_short_words(struct interner *vocabulary, const union short_word *words, size_t count,
                        uint32_t *ids)
{
    uint64_t hashes[BATCH];
    for (size_t start = 0; start < count; start += BATCH) {
        size_t n = count - start < BATCH ? count - start : BATCH;
        reserve(vocabulary, n);
        for (size_t i = 0; i < n; i++) {
            const union short_word *word = &words[start + i];
            hashes[i] = hash_short(word->halves[0], word->halves[1]);
            PREFETCH(&vocabulary->slots[hashes[i] & (vocabulary->slot_count - 1)]);
        }
        for (size_t i = 0; i < n; i++) {
            if (words[start + i].bytes[0] != '\0') {
                ids[start + i] = find_short(vocabulary, words[start + i], hashes[i]);
            }
        }
    }
}

uint32_t intern_bytes(struct interner *vocabulary, struct slice bytes)
{
    if (bytes.len > UINT32_MAX) {
        diag_out_of_memory(bytes.len); /* longer than any line */
    }
    reserve(vocabulary, 1);
    uint64_t hash = hash_long(bytes);
    size_t mask = vocabulary->slot_count - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        struct word_slot *slot = &vocabulary->slots[i];
        if (slot->id == NO_ID) {
            char *copy = arena_alloc(&vocabulary->long_words, bytes.len);
            memcpy(copy, bytes.at, bytes.len);
            struct word_slot word = {hash, {.bytes = copy}, (uint32_t)bytes.len, NO_ID};
            return add(vocabulary, slot, word);
        }
        if (slot->low == hash && slot->length == bytes.len &&
            memcmp(slot->rest.bytes, bytes.at, bytes.len) == 0) {
            return slot->id;
        }
    }
}

uint32_t intern_word(struct interner *vocabulary, struct slice word)
{
    if (word.len > WORD_SHORT) {
        return intern_bytes(vocabulary, word);
    }
    union short_word padded = {{0}};
    memcpy(padded.bytes, word.at, word.len);
    reserve(vocabulary, 1);
    return find_short(vocabulary, padded, hash_short(padded.halves[0], padded.halves[1]));
}

void interner_free(struct interner *vocabulary)
{
    free(vocabulary->slots);
    arena_free(&vocabulary->long_words);
    *vocabulary = (struct interner){0};
}
