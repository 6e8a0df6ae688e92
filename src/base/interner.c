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

#define LEAST_SLOTS ((size_t)4096)
#define NO_ID UINT32_MAX

/* No probe grows so long by chance. */
#define LONG_PROBE 512

/* Look-ups that are under way together. */
#define BATCH 64

/* Up to so many words are near at hand without being fetched. */
#define CACHED_WORDS 16384

/* Where a word is looked for: a part of its hash, and which word it is; free: all ones. */
struct word_slot {
    uint32_t tag; /* never that of a free slot */
    uint32_t id;  /* NO_ID: free */
};

/* Marks a long word: no other's last byte is this one. */
#define LONG_MARK 0xff

/* A word by its id: its bytes, or those of a long one elsewhere. */
union interned_word {
    union short_word word;
    struct {
        const char *bytes; /* in the arena */
        uint32_t length;
        unsigned char mark[WORD_SHORT - sizeof(char *) - sizeof(uint32_t)];
    } apart;
};

static uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0x9e3779b97f4a7c15U;
    x ^= x >> 29;
    return x;
}

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 uint128;

/*
 * Both halves of the product of both: a multiplication by what is not known spreads each
 * (Wang Yi, wyhash).  Of no word is the second factor 0, as none ends in 0xff.
 */
static uint64_t mix_halves(uint64_t seed, uint64_t low, uint64_t high)
{
    uint128 product = (uint128)(low ^ seed) * (high ^ (0xff58476d1ce4e5b9U + seed));
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#else

static uint64_t mix_halves(uint64_t seed, uint64_t low, uint64_t high)
{
    uint64_t hash = (low ^ seed) * 0x9e3779b97f4a7c15U + high * 0xbf58476d1ce4e5b9U;
    hash ^= hash >> 32;
    return hash * 0x94d049bb133111ebU;
}

#endif

/* Two words that nobody has chosen share one hardly ever; see reseed() for the others. */
static uint64_t hash_short(uint64_t seed, uint64_t low, uint64_t high)
{
    return mix_halves(seed, low, high) & INTERNER_HASH_MASK;
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

static bool is_long(const union interned_word *word)
{
    return word->word.bytes[WORD_SHORT - 1] == LONG_MARK;
}

static uint64_t hash_of(uint64_t seed, const union interned_word *word)
{
    return is_long(word) ? hash_long(seed, (struct slice){word->apart.bytes, word->apart.length})
                         : hash_short(seed, word->word.halves[0], word->word.halves[1]);
}

static uint32_t tag_of(uint64_t hash)
{
    return (uint32_t)hash & (UINT32_MAX >> 1);
}

/* Where a word with that hash is looked for first: the product's highest bits are its best. */
static size_t home_of(const struct interner *interner, uint64_t hash)
{
    return (size_t)(hash >> interner->shift);
}

/* Puts all words into a table of so many slots, by the hashes of the seed in force. */
static void rebuild(struct interner *interner, size_t slot_count)
{
    free(interner->slots); /* first: the words are all that is needed */
    interner->slots = mem_alloc(slot_count * sizeof *interner->slots);
    memset(interner->slots, UINT8_MAX, slot_count * sizeof *interner->slots);
    interner->slot_count = slot_count;
    interner->shift = 64;
    for (size_t n = slot_count; n > 1; n /= 2) {
        interner->shift--;
    }
    for (size_t id = 0; id < interner->count; id++) {
        uint64_t hash = hash_of(interner->seed, &interner->words[id]);
        size_t i = home_of(interner, hash);
        while (interner->slots[i].id != NO_ID) {
            i = (i + 1) & (slot_count - 1);
        }
        interner->slots[i] = (struct word_slot){tag_of(hash), (uint32_t)id};
    }
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
static size_t words_of_slots(size_t slot_count)
{
    return slot_count / 8 * 5;
}

static void reserve(struct interner *interner, size_t more)
{
    size_t needed = interner->count + more;
    if (needed > words_of_slots(interner->slot_count)) {
        size_t slots = interner->slot_count > 0 ? interner->slot_count : LEAST_SLOTS;
        while (needed > words_of_slots(slots)) {
            slots *= 2;
        }
        rebuild(interner, slots);
        interner->words =
            mem_realloc(interner->words, words_of_slots(slots) * sizeof *interner->words);
    }
    if (interner->crowded && interner->count / 2 >= interner->reseeded_at) {
        reseed(interner);
    }
}

static uint32_t add(struct interner *interner, struct word_slot *slot, union interned_word word,
                    uint64_t hash)
{
    size_t home = home_of(interner, hash);
    size_t probes = ((size_t)(slot - interner->slots) - home) & (interner->slot_count - 1);
    interner->crowded |= probes > LONG_PROBE;
    if (interner->count == NO_ID) {
        diag_out_of_memory(SIZE_MAX); /* four thousand million distinct words */
    }
    uint32_t id = (uint32_t)interner->count++;
    interner->words[id] = word;
    *slot = (struct word_slot){tag_of(hash), id};
    return id;
}

/* Room must have been reserved. */
static uint32_t find_short(struct interner *interner, union short_word word, uint64_t hash)
{
    uint32_t tag = tag_of(hash);
    size_t mask = interner->slot_count - 1;
    for (size_t i = home_of(interner, hash);; i = (i + 1) & mask) {
        struct word_slot *slot = &interner->slots[i];
        if (slot->id == NO_ID) {
            return add(interner, slot, (union interned_word){.word = word}, hash);
        }
        if (slot->tag == tag) {
            const union short_word *known = &interner->words[slot->id].word;
            if (known->halves[0] == word.halves[0] && known->halves[1] == word.halves[1]) {
                return slot->id;
            }
        }
    }
}

static uint64_t hash_of_short(const struct interner *interner, union short_word word)
{
    return hash_short(interner->seed, word.halves[0], word.halves[1]);
}

/* Most words are known, and where they are looked for first. */
static inline uint32_t find_likely(struct interner *interner, const union short_word *word,
                                   uint64_t hash)
{
    struct word_slot slot = interner->slots[home_of(interner, hash)];
    if (slot.tag == tag_of(hash)) {
        const union short_word *known = &interner->words[slot.id].word;
        if (known->halves[0] == word->halves[0] && known->halves[1] == word->halves[1]) {
            return slot.id;
        }
    }
    return find_short(interner, *word, hash);
}

/* Room must have been reserved. */
static void find_near(struct interner *interner, const union short_word *words, size_t count,
                      uint32_t *ids)
{
    for (size_t i = 0; i < count; i++) {
        ids[i] = find_likely(interner, &words[i], hash_of_short(interner, words[i]));
    }
}

/*
 * The same of at most BATCH words, when the slots and then the words at which the look-ups
 * will most likely end have been fetched.
 */
static void find_far(struct interner *interner, const union short_word *words, size_t count,
                     uint32_t *ids)
{
    uint64_t hashes[BATCH];
    for (size_t i = 0; i < count; i++) {
        hashes[i] = hash_of_short(interner, words[i]);
        PREFETCH(&interner->slots[home_of(interner, hashes[i])]);
    }
    for (size_t i = 0; i < count; i++) {
        struct word_slot slot = interner->slots[home_of(interner, hashes[i])];
        if (slot.tag == tag_of(hashes[i])) {
            PREFETCH(&interner->words[slot.id]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        ids[i] = find_likely(interner, &words[i], hashes[i]);
    }
}

void intern_short_words(struct interner *interner, const union short_word *words, size_t count,
                        uint32_t *ids)
{
    for (size_t start = 0; start < count; start += BATCH) {
        size_t n = count - start < BATCH ? count - start : BATCH;
        reserve(interner, n);
        if (interner->count > CACHED_WORDS) {
            find_far(interner, words + start, n, ids + start);
        } else {
            find_near(interner, words + start, n, ids + start);
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
    uint32_t tag = tag_of(hash);
    size_t mask = interner->slot_count - 1;
    for (size_t i = home_of(interner, hash);; i = (i + 1) & mask) {
        struct word_slot *slot = &interner->slots[i];
        if (slot->id == NO_ID) {
            char *copy = arena_alloc(&interner->long_words, bytes.len);
            memcpy(copy, bytes.at, bytes.len);
            union interned_word word = {.apart = {.bytes = copy, .length = (uint32_t)bytes.len}};
            word.word.bytes[WORD_SHORT - 1] = LONG_MARK;
            return add(interner, slot, word, hash);
        }
        const union interned_word *known = &interner->words[slot->id];
        if (slot->tag == tag && is_long(known) && known->apart.length == bytes.len &&
            memcmp(known->apart.bytes, bytes.at, bytes.len) == 0) {
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
    return find_short(interner, padded, hash_of_short(interner, padded));
}

void interner_free(struct interner *interner)
{
    free(interner->slots);
    free(interner->words);
    arena_free(&interner->long_words);
    *interner = (struct interner){0};
}
