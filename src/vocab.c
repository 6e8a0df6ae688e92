#include "vocab.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Nine of ten tokens fit into their slot, so that a look-up costs one cache
 * line.  The longer ones are in a second table that points to their bytes. */
#define INLINE_BYTES 12
#define EMPTY UINT32_MAX
#define MOST_RANKS (1u << 24)

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

struct vocab {
    struct short_slot *short_slots;
    struct long_slot *long_slots;
    uint64_t short_mask, long_mask;
    uint8_t *bytes; /* of the long tokens */
    size_t bytes_used;
    size_t longest;
    uint32_t size;
    uint32_t pairs[1 << 16];
};

uint64_t vocab_load(const uint8_t *p, size_t length)
{
    uint64_t number = 0;
    uint32_t low, high;

    if (length >= 8) {
        memcpy(&number, p, 8);
    } else if (length >= 4) {
        memcpy(&low, p, 4);
        memcpy(&high, p + length - 4, 4);
        number = low | (uint64_t)high << 8 * (length - 4);
    } else if (length > 0) {
        number = p[0] | (uint64_t)p[length / 2] << 8 * (length / 2) |
                 (uint64_t)p[length - 1] << 8 * (length - 1);
    }
    return number;
}

static uint32_t tail_of(const uint8_t *bytes, size_t length)
{
    return length > 8 ? (uint32_t)vocab_load(bytes + 8, length - 8) : 0;
}

static uint64_t long_hash(const uint8_t *bytes, size_t length)
{
    uint64_t hash = length;

    for (; length > 8; bytes += 8, length -= 8) {
        hash = vocab_mix(hash, vocab_load(bytes, 8));
    }
    return vocab_mix(hash, vocab_load(bytes, length));
}

static struct short_slot *find_short(const struct vocab *vocab, const uint8_t *bytes, size_t length)
{
    uint64_t head = vocab_load(bytes, length);
    uint32_t tail = tail_of(bytes, length);
    uint64_t at = vocab_mix(head, (uint64_t)length << 32 | tail) >> 20;

    for (;; at++) {
        struct short_slot *slot = &vocab->short_slots[at & vocab->short_mask];
        if (slot->entry == EMPTY ||
            (slot->head == head && slot->tail == tail && slot->entry >> 24 == length)) {
            return slot;
        }
    }
}

static struct long_slot *find_long(const struct vocab *vocab, const uint8_t *bytes, size_t length)
{
    uint64_t hash = long_hash(bytes, length), at = hash >> 32;

    for (;; at++) {
        struct long_slot *slot = &vocab->long_slots[at & vocab->long_mask];
        if (slot->rank == EMPTY || (slot->hash == (uint32_t)hash && slot->length == length &&
                                    memcmp(vocab->bytes + slot->start, bytes, length) == 0)) {
            return slot;
        }
    }
}

uint32_t vocab_rank(const struct vocab *vocab, const uint8_t *bytes, size_t length)
{
    if (length > vocab->longest) {
        return VOCAB_NONE;
    }
    if (length > INLINE_BYTES) {
        return find_long(vocab, bytes, length)->rank;
    }
    uint32_t entry = find_short(vocab, bytes, length)->entry;
    return entry == EMPTY ? VOCAB_NONE : entry & (MOST_RANKS - 1);
}

uint32_t vocab_pair_rank(const struct vocab *vocab, const uint8_t *bytes)
{
    return vocab->pairs[bytes[0] | bytes[1] << 8];
}

uint32_t vocab_size(const struct vocab *vocab)
{
    return vocab->size;
}

static void insert(struct vocab *vocab, const uint8_t *bytes, size_t length, uint32_t rank)
{
    if (length <= INLINE_BYTES) {
        struct short_slot *slot = find_short(vocab, bytes, length);
        slot->head = vocab_load(bytes, length);
        slot->tail = tail_of(bytes, length);
        slot->entry = rank | (uint32_t)length << 24;
    } else {
        struct long_slot *slot = find_long(vocab, bytes, length);
        slot->hash = (uint32_t)long_hash(bytes, length);
        slot->rank = rank;
        slot->start = (uint32_t)vocab->bytes_used;
        slot->length = (uint32_t)length;
        memcpy(vocab->bytes + vocab->bytes_used, bytes, length);
        vocab->bytes_used += length;
    }
    if (length > vocab->longest) {
        vocab->longest = length;
    }
    vocab->size++;
}

/* Return the value of a base64 digit, -1 for other bytes. */
static int digit_value(uint8_t c)
{
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decode base64 from *at on into out; return the number of bytes. */
static size_t decode_base64(const uint8_t **at, const uint8_t *end, uint8_t *out)
{
    const uint8_t *p = *at;
    uint32_t bits = 0;
    unsigned count = 0;
    size_t length = 0;

    for (int value; p < end && (value = digit_value(*p)) >= 0; p++) {
        bits = bits << 6 | (uint32_t)value;
        count += 6;
        if (count >= 8) {
            count -= 8;
            out[length++] = (uint8_t)(bits >> count);
        }
    }
    while (p < end && *p == '=') {
        p++;
    }
    *at = p;
    return length;
}

/* Read a decimal number and the end of the line; false if there is none. */
static bool read_rank(const uint8_t **at, const uint8_t *end, uint32_t *rank)
{
    const uint8_t *p = *at, *start;
    uint32_t number = 0;

    while (p < end && *p == ' ') {
        p++;
    }
    for (start = p; p < end && *p >= '0' && *p <= '9'; p++) {
        if ((number = number * 10 + (*p - '0')) >= MOST_RANKS) {
            return false;
        }
    }
    if (p == start || (p < end && *p != '\n' && *p != '\r')) {
        return false;
    }
    while (p < end && (*p == '\n' || *p == '\r')) {
        p++;
    }
    *at = p;
    *rank = number;
    return true;
}

static const char *parse_lines(struct vocab *vocab, const uint8_t *p, const uint8_t *end,
                               uint8_t *token)
{
    while (p < end) {
        uint32_t rank;
        size_t length = decode_base64(&p, end, token);
        if (length == 0 || length > UINT16_MAX) {
            return "a line does not start with a base64 token";
        }
        if (!read_rank(&p, end, &rank)) {
            return "a line does not end with a rank";
        }
        if (vocab_rank(vocab, token, length) != VOCAB_NONE) {
            return "a token occurs twice";
        }
        insert(vocab, token, length, rank);
    }
    return vocab->size ? NULL : "the file is empty";
}

/* Return the number of slots for so many tokens: a power of two, at most four
 * fifths full. */
static size_t slots_for(size_t tokens)
{
    size_t slots = 1024;

    while (slots / 5 * 4 < tokens) {
        slots *= 2;
    }
    return slots;
}

static bool allocate(struct vocab *vocab, size_t lines, size_t length)
{
    size_t slots = slots_for(lines);

    vocab->short_slots = malloc(slots * sizeof *vocab->short_slots);
    vocab->long_slots = malloc(slots * sizeof *vocab->long_slots);
    vocab->bytes = malloc(length + 1);
    if (!vocab->short_slots || !vocab->long_slots || !vocab->bytes) {
        return false;
    }
    for (size_t i = 0; i < slots; i++) {
        vocab->short_slots[i].entry = EMPTY;
        vocab->long_slots[i].rank = EMPTY;
    }
    vocab->short_mask = vocab->long_mask = slots - 1;
    return true;
}

static void fill_pairs(struct vocab *vocab)
{
    for (unsigned pair = 0; pair < 1u << 16; pair++) {
        uint8_t bytes[2] = {(uint8_t)(pair & 255), (uint8_t)(pair >> 8)};
        vocab->pairs[pair] = vocab_rank(vocab, bytes, 2);
    }
}

struct vocab *vocab_parse_tiktoken(const void *data, size_t length, const char **error)
{
    const uint8_t *start = data, *end = start + length;
    size_t lines = 1;
    struct vocab *vocab = calloc(1, sizeof *vocab);
    uint8_t *token = malloc(length + 1);

    *error = "out of memory";
    for (const uint8_t *p = start; p < end; p++) {
        lines += *p == '\n';
    }
    if (vocab && token && length < UINT32_MAX && allocate(vocab, lines, length)) {
        *error = parse_lines(vocab, start, end, token);
        if (!*error) {
            fill_pairs(vocab);
        }
    }
    free(token);
    if (*error) {
        vocab_free(vocab);
        vocab = NULL;
    }
    return vocab;
}

void vocab_free(struct vocab *vocab)
{
    if (!vocab) {
        return;
    }
    free(vocab->short_slots);
    free(vocab->long_slots);
    free(vocab->bytes);
    free(vocab);
}
