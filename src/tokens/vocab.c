/* vocab.c: see vocab.h. */
#include "vocab.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/base.h"

/* Nine of ten tokens fit into their slot, so that a look-up costs one cache
 * line.  The longer ones are in a second table that points to their bytes. */
#define INLINE_BYTES 12
#define EMPTY UINT32_MAX
#define RANK_MASK VOCAB_MOST_RANKS
#define PAIRS ((size_t)1 << 16)

struct short_slot {
    uint64_t head;  /* the first 8 bytes, or fewer */
    uint32_t tail;  /* up to 4 more bytes */
    uint32_t entry; /* rank | length << 24, or EMPTY */
};

struct long_slot {
    uint32_t hash;
    uint32_t rank;          /* or EMPTY */
    uint32_t start, length; /* in bytes[] */
};

/*
 * What stands side by side in some token: neighbouring characters of three bytes, by
 * hash, and a byte with the first one of a character of three where the token has only
 * a part of either character.
 */
#define NEIGHBOUR_BITS 18
struct neighbours {
    uint64_t characters[(1 << NEIGHBOUR_BITS) / 64];
    uint64_t bytes[(1 << 16) / 64];
};

/* The head of a table; pairs, neighbours, short slots, long slots and bytes follow. */
struct table_head {
    char magic[8];
    uint32_t byte_order;
    uint32_t version;
    uint32_t rules; /* see split_rules_number() */
    uint32_t flags;
    uint32_t longest; /* token, in bytes */
    uint32_t tokens;
    uint64_t short_slots; /* powers of two */
    uint64_t long_slots;
    uint64_t bytes;
    uint64_t unused;
};

static const char table_magic[8] = {'e', 'd', 'g', 'e', 'f', 'v', 'o', 'c'};
#define BYTE_ORDER_MARK 0x01020304U
#define TABLE_VERSION 2U
#define FLAG_NFC 1U
#define FLAG_WHOLE_PIECES 2U
#define MOST_SLOTS ((uint64_t)1 << 26)

/* A table that was built here has a free slot within some hundreds; one that
 * somebody has made up must not cost a walk through all of it at each look-up. */
#define MOST_PROBES ((uint64_t)1 << 14)

struct vocab {
    struct table_head head;
    uint32_t *pairs;
    struct neighbours *neighbours;
    struct short_slot *short_slots;
    struct long_slot *long_slots;
    uint8_t *bytes; /* of the long tokens */
    size_t bytes_room;
    bool overfull; /* a token had no place */
    void *mapped;  /* NULL: the five above are this vocabulary's own */
    size_t mapped_length;
};

static uint32_t tail_of(const uint8_t *bytes, size_t length)
{
    return length > 8 ? (uint32_t)load_bytes(bytes + 8, length - 8) : 0;
}

static uint64_t long_hash(const uint8_t *bytes, size_t length)
{
    uint64_t hash = length;

    for (; length > 8; bytes += 8, length -= 8) {
        hash = vocab_mix(hash, load_bytes(bytes, 8));
    }
    return vocab_mix(hash, load_bytes(bytes, length));
}

static uint64_t probes(uint64_t slots)
{
    return slots < MOST_PROBES ? slots : MOST_PROBES;
}

/* The token's slot, or the free one for it; NULL when there is none of either,
 * which only a table that somebody has made up can bring about. */
static struct short_slot *find_short(const struct vocab *vocab, const uint8_t *bytes, size_t length)
{
    uint64_t head = load_bytes(bytes, length);
    uint32_t tail = tail_of(bytes, length);
    uint64_t at = vocab_mix(head, (uint64_t)length << 32 | tail) >> 20;

    for (uint64_t n = probes(vocab->head.short_slots); n > 0; n--, at++) {
        struct short_slot *slot = &vocab->short_slots[at & (vocab->head.short_slots - 1)];
        if (slot->entry == EMPTY ||
            (slot->head == head && slot->tail == tail && slot->entry >> 24 == length)) {
            return slot;
        }
    }
    return NULL;
}

/* A table that is mapped may have changed since it was looked over. */
static struct long_slot *find_long(const struct vocab *vocab, const uint8_t *bytes, size_t length)
{
    uint64_t hash = long_hash(bytes, length), at = hash >> 32;

    for (uint64_t n = probes(vocab->head.long_slots); n > 0; n--, at++) {
        struct long_slot *slot = &vocab->long_slots[at & (vocab->head.long_slots - 1)];
        if (slot->rank == EMPTY || (slot->hash == (uint32_t)hash && slot->length == length &&
                                    (uint64_t)slot->start + length <= vocab->head.bytes &&
                                    memcmp(vocab->bytes + slot->start, bytes, length) == 0)) {
            return slot;
        }
    }
    return NULL;
}

/* As it is stored: VOCAB_MOST_RANKS for whole pieces, VOCAB_NONE if it is not there. */
static uint32_t stored_rank(const struct vocab *vocab, const uint8_t *bytes, size_t length)
{
    if (length > vocab->head.longest) {
        return VOCAB_NONE;
    }
    if (length > INLINE_BYTES) {
        const struct long_slot *slot = find_long(vocab, bytes, length);
        return slot != NULL ? slot->rank : VOCAB_NONE;
    }
    const struct short_slot *slot = find_short(vocab, bytes, length);
    return slot == NULL || slot->entry == EMPTY ? VOCAB_NONE : slot->entry & RANK_MASK;
}

uint32_t vocab_rank(const struct vocab *vocab, const uint8_t *bytes, size_t length)
{
    uint32_t rank = stored_rank(vocab, bytes, length);
    return rank == VOCAB_MOST_RANKS ? VOCAB_NONE : rank;
}

uint32_t vocab_pair_rank(const struct vocab *vocab, const uint8_t *bytes)
{
    return vocab->pairs[bytes[0] | bytes[1] << 8];
}

bool vocab_has_piece(const struct vocab *vocab, const uint8_t *bytes, size_t length)
{
    return (vocab->head.flags & FLAG_WHOLE_PIECES) != 0 &&
           stored_rank(vocab, bytes, length) != VOCAB_NONE;
}

const struct split_rules *vocab_rules(const struct vocab *vocab)
{
    return split_rules_numbered(vocab->head.rules);
}

bool vocab_wants_nfc(const struct vocab *vocab)
{
    return (vocab->head.flags & FLAG_NFC) != 0;
}

/* A power of two of slots of which at most four fifths are used. */
static size_t slots_for(size_t tokens)
{
    size_t slots = 1024;

    while (slots / 5 * 4 < tokens) {
        slots *= 2;
    }
    return slots;
}

struct vocab *vocab_new(size_t tokens, size_t bytes)
{
    struct vocab *vocab = mem_zeroed(1, sizeof *vocab);
    size_t slots = slots_for(tokens);
    if (slots > MOST_SLOTS || bytes > UINT32_MAX) {
        diag_out_of_memory(bytes);
    }
    memcpy(vocab->head.magic, table_magic, sizeof table_magic);
    vocab->head.byte_order = BYTE_ORDER_MARK;
    vocab->head.version = TABLE_VERSION;
    vocab->head.short_slots = slots;
    vocab->head.long_slots = slots;
    vocab->pairs = mem_zeroed(PAIRS, sizeof *vocab->pairs);
    vocab->neighbours = mem_zeroed(1, sizeof *vocab->neighbours);
    vocab->short_slots = mem_zeroed(slots, sizeof *vocab->short_slots);
    vocab->long_slots = mem_zeroed(slots, sizeof *vocab->long_slots);
    vocab->bytes = mem_alloc(bytes);
    vocab->bytes_room = bytes;
    for (size_t i = 0; i < slots; i++) {
        vocab->short_slots[i].entry = EMPTY;
        vocab->long_slots[i].rank = EMPTY;
    }
    return vocab;
}

/* Both return false when there is no place: within the probes, or for the bytes. */
static bool add_long(struct vocab *vocab, const uint8_t *bytes, size_t length, uint32_t rank)
{
    struct long_slot *slot = find_long(vocab, bytes, length);
    if (slot == NULL || length > vocab->bytes_room - vocab->head.bytes) {
        return false;
    }
    *slot = (struct long_slot){
        .hash = (uint32_t)long_hash(bytes, length),
        .rank = rank,
        .start = (uint32_t)vocab->head.bytes,
        .length = (uint32_t)length,
    };
    memcpy(vocab->bytes + vocab->head.bytes, bytes, length);
    vocab->head.bytes += length;
    return true;
}

static bool add_short(struct vocab *vocab, const uint8_t *bytes, size_t length, uint32_t rank)
{
    struct short_slot *slot = find_short(vocab, bytes, length);
    if (slot == NULL) {
        return false;
    }
    *slot = (struct short_slot){
        .head = load_bytes(bytes, length),
        .tail = tail_of(bytes, length),
        .entry = rank | (uint32_t)length << 24,
    };
    return true;
}

bool vocab_is_sound(const struct vocab *vocab)
{
    return !vocab->overfull;
}

bool vocab_add(struct vocab *vocab, const uint8_t *bytes, size_t length, uint32_t rank)
{
    if (stored_rank(vocab, bytes, length) != VOCAB_NONE) {
        return false;
    }
    bool added = length > INLINE_BYTES ? add_long(vocab, bytes, length, rank)
                                       : add_short(vocab, bytes, length, rank);
    if (!added) {
        vocab->overfull = true;
        return false;
    }
    if (length > vocab->head.longest) {
        vocab->head.longest = (uint32_t)length;
    }
    vocab->head.tokens++;
    return true;
}

/* Both characters have three bytes: sixteen bits each. */
static uint32_t hash_characters(const uint8_t *left)
{
    const uint8_t *right = left + 3;
    uint32_t a = (left[0] & 15U) << 12 | (left[1] & 63U) << 6 | (left[2] & 63U);
    uint32_t b = (right[0] & 15U) << 12 | (right[1] & 63U) << 6 | (right[2] & 63U);
    return (a * 0x9E3779B1U ^ b * 0x85EBCA77U) >> (32 - NEIGHBOUR_BITS);
}

static void set_bit(uint64_t *bits, uint32_t bit)
{
    bits[bit / 64] |= (uint64_t)1 << bit % 64;
}

static bool has_bit(const uint64_t *bits, uint32_t bit)
{
    return (bits[bit / 64] >> bit % 64 & 1) != 0;
}

/* Whether a character of three bytes begins there, valid or not. */
static bool leads_three(uint8_t byte)
{
    return (byte & 0xf0) == 0xe0;
}

static void mark_neighbours(struct neighbours *neighbours, const uint8_t *token, size_t length)
{
    for (size_t i = 1; i < length; i++) {
        if (!leads_three(token[i])) {
            continue;
        }
        if (i >= 3 && i + 3 <= length && leads_three(token[i - 3])) {
            set_bit(neighbours->characters, hash_characters(token + i - 3));
        } else {
            set_bit(neighbours->bytes, token[i - 1] | (uint32_t)token[i] << 8);
        }
    }
}

static void mark_all_neighbours(struct vocab *vocab)
{
    for (size_t i = 0; i < vocab->head.short_slots; i++) {
        const struct short_slot *slot = &vocab->short_slots[i];
        bool is_ascii = ((slot->head | slot->tail) & 0x8080808080808080U) == 0;
        if (slot->entry != EMPTY && !is_ascii) {
            uint8_t bytes[INLINE_BYTES];
            size_t length = slot->entry >> 24;
            for (size_t b = 0; b < length; b++) {
                bytes[b] = (uint8_t)(b < 8 ? slot->head >> 8 * b : slot->tail >> 8 * (b - 8));
            }
            mark_neighbours(vocab->neighbours, bytes, length);
        }
    }
    for (size_t i = 0; i < vocab->head.long_slots; i++) {
        const struct long_slot *slot = &vocab->long_slots[i];
        if (slot->rank != EMPTY) {
            mark_neighbours(vocab->neighbours, vocab->bytes + slot->start, slot->length);
        }
    }
}

bool vocab_joins(const struct vocab *vocab, const uint8_t *right)
{
    const struct neighbours *neighbours = vocab->neighbours;
    return has_bit(neighbours->bytes, right[-1] | (uint32_t)right[0] << 8) ||
           has_bit(neighbours->characters, hash_characters(right - 3));
}

void vocab_finish(struct vocab *vocab, const struct split_rules *rules, bool nfc, bool whole_pieces)
{
    vocab->head.rules = split_rules_number(rules);
    vocab->head.flags = (nfc ? FLAG_NFC : 0) | (whole_pieces ? FLAG_WHOLE_PIECES : 0);
    for (size_t pair = 0; pair < PAIRS; pair++) {
        uint8_t bytes[2] = {(uint8_t)(pair & 255), (uint8_t)(pair >> 8)};
        vocab->pairs[pair] = vocab_rank(vocab, bytes, 2);
    }
    mark_all_neighbours(vocab);
}

uint64_t vocab_fingerprint(const struct vocab *vocab)
{
    uint64_t sum = vocab->head.tokens;
    for (size_t i = 0; i < vocab->head.short_slots; i++) {
        const struct short_slot *slot = &vocab->short_slots[i];
        if (slot->entry != EMPTY) {
            sum += vocab_mix(slot->head, vocab_mix(slot->tail, slot->entry));
        }
    }
    for (size_t i = 0; i < vocab->head.long_slots; i++) {
        const struct long_slot *slot = &vocab->long_slots[i];
        if (slot->rank != EMPTY) {
            sum += vocab_mix(long_hash(vocab->bytes + slot->start, slot->length), slot->rank);
        }
    }
    return sum;
}

void vocab_free(struct vocab *vocab)
{
    if (vocab == NULL) {
        return;
    }
    if (vocab->mapped != NULL) {
        cleanup_mapped(NULL, 0, NULL);
        munmap(vocab->mapped, vocab->mapped_length);
    } else {
        free(vocab->pairs);
        free(vocab->neighbours);
        free(vocab->short_slots);
        free(vocab->long_slots);
        free(vocab->bytes);
    }
    free(vocab);
}

void vocab_add_table(struct buf *out, const struct vocab *vocab)
{
    const struct table_head *head = &vocab->head;
    buf_add(out, head, sizeof *head);
    buf_add(out, vocab->pairs, PAIRS * sizeof *vocab->pairs);
    buf_add(out, vocab->neighbours, sizeof *vocab->neighbours);
    buf_add(out, vocab->short_slots, (size_t)head->short_slots * sizeof *vocab->short_slots);
    buf_add(out, vocab->long_slots, (size_t)head->long_slots * sizeof *vocab->long_slots);
    buf_add(out, vocab->bytes, (size_t)head->bytes);
}

bool vocab_is_table(struct slice start)
{
    return start.len >= sizeof table_magic &&
           memcmp(start.at, table_magic, sizeof table_magic) == 0;
}

static bool is_slot_count(uint64_t count)
{
    return count > 0 && count <= MOST_SLOTS && (count & (count - 1)) == 0;
}

/* What is wrong with the head of a table of that length; NULL when nothing is. */
static const char *check_head(const struct table_head *head, size_t length)
{
    if (head->byte_order != BYTE_ORDER_MARK) {
        return "the table was compiled on another kind of machine";
    }
    if (head->version != TABLE_VERSION) {
        return "the table is of another version; compile it again";
    }
    if (!is_slot_count(head->short_slots) || !is_slot_count(head->long_slots) ||
        head->bytes > UINT32_MAX || split_rules_numbered(head->rules) == NULL) {
        return "the table is broken";
    }
    uint64_t expected = sizeof *head + PAIRS * sizeof(uint32_t) + sizeof(struct neighbours) +
                        head->short_slots * sizeof(struct short_slot) +
                        head->long_slots * sizeof(struct long_slot) + head->bytes;
    return length == expected ? NULL : "the table is not whole";
}

/* Whether all bytes of long tokens are inside of the table. */
static bool check_long_slots(const struct vocab *vocab)
{
    for (size_t i = 0; i < vocab->head.long_slots; i++) {
        const struct long_slot *slot = &vocab->long_slots[i];
        if (slot->rank != EMPTY && (uint64_t)slot->start + slot->length > vocab->head.bytes) {
            return false;
        }
    }
    return true;
}

struct vocab *vocab_map(void *table, size_t length, const char **reason)
{
    struct table_head head;
    if (length < sizeof head) {
        *reason = "the table is not whole";
        return NULL;
    }
    memcpy(&head, table, sizeof head);
    *reason = check_head(&head, length);
    if (*reason != NULL) {
        return NULL;
    }
    struct vocab *vocab = mem_zeroed(1, sizeof *vocab);
    char *at = (char *)table + sizeof head;
    vocab->head = head;
    vocab->pairs = (void *)at;
    vocab->neighbours = (void *)(at + PAIRS * sizeof *vocab->pairs);
    vocab->short_slots = (void *)(vocab->neighbours + 1);
    vocab->long_slots = (void *)(vocab->short_slots + head.short_slots);
    vocab->bytes = (void *)(vocab->long_slots + head.long_slots);
    if (!check_long_slots(vocab)) {
        *reason = "the table is broken";
        free(vocab);
        return NULL;
    }
    vocab->mapped = table;
    vocab->mapped_length = length;
    return vocab;
}
