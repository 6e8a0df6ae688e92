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

/* No probe grows so long by chance. */
#define LONG_PROBE 512

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

static uint64_t hash_short(uint64_t seed, uint64_t low, uint64_t high)
{
    return mix(mix(low ^ seed) + 0xbf58476d1ce4e5b9U * high) & INTERNER_HASH_MASK;
}

static uint64_t hash_long(uint64_t seed, struct slice word)
{
    uint64_t hash = word.len ^ seed;
    for (size_t i = 0; i < word.len; i += sizeof(uint64_t)) {
        uint64_t piece = 0;
        size_t n = word.len - i < sizeof piece ? word.len - i : sizeof piece;
        memcpy(&piece, word.at + i, n);
        hash = mix(hash ^ piece);
    }
    return hash & INTERNER_HASH_MASK;
}

static uint64_t hash_of(uint64_t seed, const struct word_slot *slot)
{
    return slot->length > 0 ? hash_long(seed, (struct slice){slot->rest.bytes, slot->length})
                            : hash_short(seed, slot->low, slot->rest.high);
}

static void insert(struct interner *interner, uint64_t hash, struct word_slot word)
{
    size_t mask = interner->slot_count - 1;
    size_t i = (size_t)hash & mask;
    while (interner->slots[i].id != NO_ID) {
        i = (i + 1) & mask;
    }
    interner->slots[i] = word;
}

/* Puts all words into a table of so many slots, by the hashes of the seed in force. */
static void rebuild(struct interner *interner, size_t slot_count)
{
    struct word_slot *old = interner->slots;
    size_t old_count = interner->slot_count;
    interner->slot_count = slot_count;
    interner->slots = mem_zeroed(slot_count, sizeof *interner->slots);
    for (size_t i = 0; i < slot_count; i++) {
        interner->slots[i].id = NO_ID;
    }
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].id != NO_ID) {
            uint64_t hash = hash_of(interner->seed, &old[i]);
            if (old[i].length > 0) {
                old[i].low = hash;
            }
            insert(interner, hash, old[i]);
        }
    }
    free(old);
}

/*
 * Words whose probes are long have been chosen for it: with another seed, which nobody
 * can know who has made the input, they are like any others.  Ids do not depend on it.
 */
static void reseed(struct interner *interner)
{
    uint64_t unknown = (uint64_t)(uintptr_t)interner->slots ^ (uint64_t)(uintptr_t)&unknown << 32;
    interner->seed = mix(interner->seed + mix(unknown));
    interner->crowded = false;
    interner->reseeded_at = interner->count;
    rebuild(interner, interner->slot_count);
}

/* At most five eighths of the slots are in use, so that probes stay short. */
static void reserve(struct interner *interner, size_t more)
{
    while (interner->count + more > interner->slot_count / 8 * 5) {
        rebuild(interner, interner->slot_count > 0 ? 2 * interner->slot_count : LEAST_SLOTS);
    }
    if (interner->crowded && interner->count / 2 >= interner->reseeded_at) {
        reseed(interner);
    }
}

static uint32_t add(struct interner *interner, struct word_slot *slot, struct word_slot word,
                    uint64_t hash)
{
    size_t probes = ((size_t)(slot - interner->slots) - (size_t)hash) & (interner->slot_count - 1);
    interner->crowded |= probes > LONG_PROBE;
    if (interner->count == NO_ID) {
        diag_out_of_memory(SIZE_MAX); /* four thousand million distinct words */
    }
    word.id = (uint32_t)interner->count++;
    *slot = word;
    return word.id;
}

/* Room must have been reserved. */
static uint32_t find_short(struct interner *interner, union short_word word, uint64_t hash)
{
    uint64_t low = word.halves[0];
    uint64_t high = word.halves[1];
    size_t mask = interner->slot_count - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        struct word_slot *slot = &interner->slots[i];
        if (slot->id == NO_ID) {
            return add(interner, slot, (struct word_slot){low, {high}, 0, NO_ID}, hash);
        }
        if (slot->low == low && slot->rest.high == high && slot->length == 0) {
            return slot->id;
        }
    }
}

void intern_short_words(struct interner *interner, const union short_word *words, size_t count,
                        uint32_t *ids)
{
    uint64_t hashes[BATCH];
    for (size_t start = 0; start < count; start += BATCH) {
        size_t n = count - start < BATCH ? count - start : BATCH;
        reserve(interner, n);
        for (size_t i = 0; i < n; i++) {
            const union short_word *word = &words[start + i];
            hashes[i] = hash_short(interner->seed, word->halves[0], word->halves[1]);
            PREFETCH(&interner->slots[hashes[i] & (interner->slot_count - 1)]);
        }
        for (size_t i = 0; i < n; i++) {
            if (words[start + i].bytes[0] != '\0') {
                ids[start + i] = find_short(interner, words[start + i], hashes[i]);
            }
        }
    }
}

uint32_t intern_bytes(struct interner *interner, struct slice bytes)
{
    if (bytes.len > UINT32_MAX) {
        diag_out_of_memory(bytes.len); /* longer than any line */
    }
    reserve(interner, 1);
    uint64_t hash = hash_long(interner->seed, bytes);
    size_t mask = interner->slot_count - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        struct word_slot *slot = &interner->slots[i];
        if (slot->id == NO_ID) {
            char *copy = arena_alloc(&interner->long_words, bytes.len);
            memcpy(copy, bytes.at, bytes.len);
            struct word_slot word = {hash, {.bytes = copy}, (uint32_t)bytes.len, NO_ID};
            return add(interner, slot, word, hash);
        }
        if (slot->low == hash && slot->length == bytes.len &&
            memcmp(slot->rest.bytes, bytes.at, bytes.len) == 0) {
            return slot->id;
        }
    }
}

uint32_t intern_word(struct interner *interner, struct slice word)
{
    if (word.len > WORD_SHORT) {
        return intern_bytes(interner, word);
    }
    union short_word padded = {{0}};
    memcpy(padded.bytes, word.at, word.len);
    reserve(interner, 1);
    return find_short(interner, padded,
                      hash_short(interner->seed, padded.halves[0], padded.halves[1]));
}

void interner_free(struct interner *interner)
{
    free(interner->slots);
    arena_free(&interner->long_words);
    *interner = (struct interner){0};
}
