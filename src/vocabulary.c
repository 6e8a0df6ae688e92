/* vocabulary.c: see vocabulary.h. */
#include "vocabulary.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "mem.h"

/* A build for tests keeps only a few bits, to force collisions. */
#ifndef VOCABULARY_HASH_MASK
#define VOCABULARY_HASH_MASK UINT64_MAX
#endif

#define LEAST_SLOTS ((size_t)1024)
#define NO_ID UINT32_MAX

struct word_slot {
    uint32_t tag; /* the upper half of the hash: most misses end here */
    uint32_t id;  /* NO_ID: free */
};

/*
 * A short word is its own bytes, padded; length is 0.  A long one has its hash
 * in the first half, and its bytes stand in the arena.
 */
struct word_entry {
    uint64_t low;
    union {
        uint64_t high;
        const char *bytes;
    } rest;
    size_t length;
};

static uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0x9e3779b97f4a7c15U;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9U;
    x ^= x >> 32;
    return x;
}

static uint64_t hash_pair(uint64_t low, uint64_t high)
{
    return mix(low ^ mix(high + 0x2545f4914f6cdd1dU)) & VOCABULARY_HASH_MASK;
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
    return hash & VOCABULARY_HASH_MASK;
}

static uint64_t hash_entry(const struct word_entry *entry)
{
    return entry->length > 0 ? entry->low : hash_pair(entry->low, entry->rest.high);
}

static void insert(struct vocabulary *vocabulary, uint64_t hash, uint32_t id)
{
    size_t mask = vocabulary->slot_count - 1;
    size_t i = (size_t)hash & mask;
    while (vocabulary->slots[i].id != NO_ID) {
        i = (i + 1) & mask;
    }
    vocabulary->slots[i] = (struct word_slot){(uint32_t)(hash >> 32), id};
}

/* At most half of the slots are in use, so that probes stay short. */
static void grow(struct vocabulary *vocabulary)
{
    size_t count = vocabulary->slot_count > 0 ? 2 * vocabulary->slot_count : LEAST_SLOTS;
    free(vocabulary->slots);
    vocabulary->slots = mem_zeroed(count, sizeof *vocabulary->slots);
    vocabulary->slot_count = count;
    memset(vocabulary->slots, 0xff, count * sizeof *vocabulary->slots);
    for (size_t id = 0; id < vocabulary->count; id++) {
        insert(vocabulary, hash_entry(&vocabulary->words[id]), (uint32_t)id);
    }
}

static uint32_t add(struct vocabulary *vocabulary, uint64_t hash, struct word_entry entry)
{
    if (vocabulary->count == NO_ID) {
        diag_out_of_memory(SIZE_MAX); /* four thousand million distinct words */
    }
    vocabulary->words = mem_grow(vocabulary->words, &vocabulary->capacity,
                                 vocabulary->count + 1, sizeof *vocabulary->words);
    uint32_t id = (uint32_t)vocabulary->count++;
    vocabulary->words[id] = entry;
    insert(vocabulary, hash, id);
    return id;
}

uint32_t vocabulary_short(struct vocabulary *vocabulary, const unsigned char padded[WORD_SHORT])
{
    uint64_t low;
    uint64_t high;
    memcpy(&low, padded, sizeof low);
    memcpy(&high, padded + sizeof low, sizeof high);
    if (2 * vocabulary->count >= vocabulary->slot_count) {
        grow(vocabulary);
    }
    uint64_t hash = hash_pair(low, high);
    uint32_t tag = (uint32_t)(hash >> 32);
    size_t mask = vocabulary->slot_count - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        struct word_slot slot = vocabulary->slots[i];
        if (slot.id == NO_ID) {
            return add(vocabulary, hash, (struct word_entry){low, {high}, 0});
        }
        const struct word_entry *entry = &vocabulary->words[slot.id];
        if (slot.tag == tag && entry->low == low && entry->rest.high == high &&
            entry->length == 0) {
            return slot.id;
        }
    }
}

uint32_t vocabulary_bytes_id(struct vocabulary *vocabulary, struct slice word)
{
    if (2 * vocabulary->count >= vocabulary->slot_count) {
        grow(vocabulary);
    }
    uint64_t hash = hash_long(word);
    uint32_t tag = (uint32_t)(hash >> 32);
    size_t mask = vocabulary->slot_count - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        struct word_slot slot = vocabulary->slots[i];
        if (slot.id == NO_ID) {
            char *bytes = arena_alloc(&vocabulary->long_words, word.len);
            memcpy(bytes, word.at, word.len);
            return add(vocabulary, hash,
                       (struct word_entry){hash, {.bytes = bytes}, word.len});
        }
        const struct word_entry *entry = &vocabulary->words[slot.id];
        if (slot.tag == tag && entry->length == word.len &&
            memcmp(entry->rest.bytes, word.at, word.len) == 0) {
            return slot.id;
        }
    }
}

uint32_t vocabulary_id(struct vocabulary *vocabulary, struct slice word)
{
    if (word.len > WORD_SHORT) {
        return vocabulary_bytes_id(vocabulary, word);
    }
    unsigned char padded[WORD_SHORT] = {0};
    memcpy(padded, word.at, word.len);
    return vocabulary_short(vocabulary, padded);
}

struct slice vocabulary_word(const struct vocabulary *vocabulary, uint32_t id)
{
    const struct word_entry *entry = &vocabulary->words[id];
    if (entry->length > 0) {
        return (struct slice){entry->rest.bytes, entry->length};
    }
    const char *bytes = (const char *)entry;
    const char *padding = memchr(bytes, '\0', WORD_SHORT);
    return (struct slice){bytes, padding != NULL ? (size_t)(padding - bytes) : WORD_SHORT};
}

void vocabulary_free(struct vocabulary *vocabulary)
{
    free(vocabulary->slots);
    free(vocabulary->words);
    arena_free(&vocabulary->long_words);
    *vocabulary = (struct vocabulary){0};
}
