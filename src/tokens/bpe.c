/* bpe.c: see bpe.h. */
#include "bpe.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Up to this many bytes, scanning an array for the best pair is faster than a
 * heap. */
#define SCAN_BYTES 32

/* Counts of short pieces seen lately: most pieces of a text are repeats. */
#define CACHE_BITS 13
#define CACHED_BYTES 14
#define LENGTH_SHIFT 48
#define PART_BIT ((uint64_t)1 << 55)
#define COUNT_SHIFT 56

struct cache_slot {
    uint64_t head; /* the first 8 bytes of the piece, or fewer */
    uint64_t tail; /* up to 6 more bytes, its length, whether it is a part, its count */
};

/* A part of the piece that is being merged; parts are named by their first
 * byte and make a list. */
struct part {
    uint32_t next, previous;
    uint32_t rank; /* of this part joined with the next, or VOCAB_NONE */
};

struct bpe {
    const struct vocab *vocab;
    struct part *parts;
    uint64_t *heap; /* rank << 32 | part, smallest first */
    size_t heap_size, room;
    struct buf repaired;
    struct code_points points; /* for NFC */
    struct buf normalised;
    struct cache_slot cache[1 << CACHE_BITS];
};

struct bpe *bpe_new(const struct vocab *vocab)
{
    struct bpe *bpe = mem_zeroed(1, sizeof *bpe);
    bpe->vocab = vocab;
    return bpe;
}

void bpe_free(struct bpe *bpe)
{
    if (!bpe) {
        return;
    }
    free(bpe->parts);
    free(bpe->heap);
    buf_free(&bpe->repaired);
    buf_free(&bpe->normalised);
    code_points_free(&bpe->points);
    free(bpe);
}

/* Merge by scanning: start[] are the first bytes of the parts, rank[i] is that
 * of part i joined with the next. */
static uint32_t merge_by_scan(const struct vocab *vocab, const uint8_t *piece, uint32_t length)
{
    uint32_t start[SCAN_BYTES + 1], rank[SCAN_BYTES + 1], count = length;

    if (length == 0) {
        return 0;
    }
    for (uint32_t i = 0; i < length; i++) {
        start[i] = i;
        rank[i] = i + 1 < length ? vocab_pair_rank(vocab, piece + i) : VOCAB_NONE;
    }
    start[length] = length;
    for (;;) {
        uint32_t best = 0;
        for (uint32_t i = 1; i + 1 < count; i++) {
            if (rank[i] < rank[best]) {
                best = i;
            }
        }
        if (count < 2 || rank[best] == VOCAB_NONE) {
            return count;
        }
        count--;
        memmove(start + best + 1, start + best + 2, (count - best) * sizeof *start);
        memmove(rank + best + 1, rank + best + 2, (count - best - 1) * sizeof *rank);
        rank[best] = best + 1 < count
                         ? vocab_rank(vocab, piece + start[best], start[best + 2] - start[best])
                         : VOCAB_NONE;
        if (best > 0) {
            rank[best - 1] =
                vocab_rank(vocab, piece + start[best - 1], start[best + 1] - start[best - 1]);
        }
    }
}

static void heap_push(struct bpe *bpe, uint64_t entry)
{
    size_t at = bpe->heap_size++;

    while (at > 0 && entry < bpe->heap[(at - 1) / 2]) {
        bpe->heap[at] = bpe->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    bpe->heap[at] = entry;
}

static uint64_t heap_pop(struct bpe *bpe)
{
    uint64_t *heap = bpe->heap, top = heap[0];
    size_t size = --bpe->heap_size, at = 0, child;
    uint64_t last = heap[size];

    while ((child = 2 * at + 1) < size) {
        if (child + 1 < size && heap[child + 1] < heap[child]) {
            child++;
        }
        if (heap[child] >= last) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

/* Makes room for a piece: the heap gets an entry per pair of bytes and at most
 * two more for each merge. */
static void make_room(struct bpe *bpe, size_t length)
{
    if (length > bpe->room) {
        bpe->parts = mem_grow(bpe->parts, &bpe->room, length, sizeof *bpe->parts);
        free(bpe->heap);
        bpe->heap = mem_zeroed(bpe->room, 3 * sizeof *bpe->heap);
    }
}

/* Set the rank of a part joined with the next and queue the pair. */
static void set_rank(struct bpe *bpe, const uint8_t *piece, uint32_t part, uint32_t length)
{
    struct part *parts = bpe->parts;
    uint32_t next = parts[part].next, rank = VOCAB_NONE;

    if (next < length) {
        rank = vocab_rank(bpe->vocab, piece + part, parts[next].next - part);
    }
    parts[part].rank = rank;
    if (rank != VOCAB_NONE) {
        heap_push(bpe, (uint64_t)rank << 32 | part);
    }
}

/* Merge with a heap.  Entries of pairs that are gone stay in it; they no longer
 * have the rank of their part. */
static uint32_t merge_by_heap(struct bpe *bpe, const uint8_t *piece, uint32_t length)
{
    struct part *parts = bpe->parts;
    uint32_t count = length;

    bpe->heap_size = 0;
    for (uint32_t i = 0; i < length; i++) {
        parts[i].next = i + 1;
        parts[i].previous = i - 1;
    }
    for (uint32_t i = 0; i < length; i++) {
        set_rank(bpe, piece, i, length);
    }
    while (bpe->heap_size > 0) {
        uint64_t entry = heap_pop(bpe);
        uint32_t part = (uint32_t)entry;
        if (parts[part].rank != entry >> 32) {
            continue;
        }
        uint32_t gone = parts[part].next;
        parts[part].next = parts[gone].next;
        parts[gone].rank = VOCAB_NONE;
        if (parts[part].next < length) {
            parts[parts[part].next].previous = part;
        }
        count--;
        set_rank(bpe, piece, part, length);
        if (part > 0) {
            set_rank(bpe, piece, parts[part].previous, length);
        }
    }
    return count;
}

static bool is_valid(const uint8_t *p, const uint8_t *end)
{
    while (p < end) {
        unsigned length;
        if (*p >= 0x80) {
            utf8_decode(p, end, &length);
            if (length == 1) {
                return false;
            }
            p += length;
        } else {
            p++;
        }
    }
    return true;
}

static uint64_t merge(struct bpe *bpe, const uint8_t *piece, size_t length)
{
    if (length <= SCAN_BYTES) {
        return merge_by_scan(bpe->vocab, piece, (uint32_t)length);
    }
    if (length > UINT32_MAX / 2) {
        diag_out_of_memory(length); /* longer than any line */
    }
    make_room(bpe, length);
    return merge_by_heap(bpe, piece, (uint32_t)length);
}

bool bpe_reaches(struct bpe *bpe, const uint8_t *token, size_t length)
{
    return merge(bpe, token, length) == 1;
}

/*
 * Count the tokens of a piece without the cache, or of a part of one: that a part is a
 * token says nothing, merging decides.
 */
static uint64_t count_piece(struct bpe *bpe, const uint8_t *piece, size_t length, bool is_part)
{
    if (!is_valid(piece, piece + length)) {
        bpe->repaired.len = 0;
        utf8_add_repaired(&bpe->repaired, (struct slice){(const char *)piece, length});
        piece = (const uint8_t *)bpe->repaired.at;
        length = bpe->repaired.len;
    }
    if (!is_part && vocab_has_piece(bpe->vocab, piece, length)) {
        return 1;
    }
    return merge(bpe, piece, length);
}

/* Count the tokens of a piece, or of a part of one, of 1 to CACHED_BYTES bytes. */
static uint64_t cached_piece(struct bpe *bpe, const uint8_t *piece, size_t length, bool is_part)
{
    uint64_t head = load_bytes(piece, length);
    uint64_t tail = (uint64_t)length << LENGTH_SHIFT | (is_part ? PART_BIT : 0);

    if (length > 8) {
        tail |= load_bytes(piece + 8, length - 8);
    }
    struct cache_slot *slot = &bpe->cache[vocab_mix(head, tail) >> (64 - CACHE_BITS)];
    if (slot->head == head && (slot->tail & (((uint64_t)1 << COUNT_SHIFT) - 1)) == tail) {
        return slot->tail >> COUNT_SHIFT;
    }
    uint64_t count = count_piece(bpe, piece, length, is_part);
    slot->head = head;
    slot->tail = tail | count << COUNT_SHIFT;
    return count;
}

static uint64_t count_part(struct bpe *bpe, const uint8_t *part, size_t length)
{
    return length <= CACHED_BYTES ? cached_piece(bpe, part, length, true)
                                  : count_piece(bpe, part, length, true);
}

static bool is_three_bytes(uint8_t first)
{
    return (first & 0xf0) == 0xe0;
}

/*
 * Counts a long piece part by part: scripts without spaces make pieces of a whole
 * sentence, which few tokens span, so that parts are short and seen before.
 */
static uint64_t count_parts(struct bpe *bpe, const uint8_t *piece, size_t length)
{
    if (!is_valid(piece, piece + length) || vocab_has_piece(bpe->vocab, piece, length)) {
        return count_piece(bpe, piece, length, false);
    }
    const uint8_t *end = piece + length;
    const uint8_t *part = piece;
    uint64_t total = 0;
    for (const uint8_t *at = piece + 3; at + 3 <= end; at++) {
        if (is_three_bytes(at[0]) && is_three_bytes(at[-3]) && !vocab_joins(bpe->vocab, at)) {
            total += count_part(bpe, part, (size_t)(at - part));
            part = at;
            at += 2; /* no cut is inside of a character */
        }
    }
    return total + count_part(bpe, part, (size_t)(end - part));
}

/* NFC changes nothing in text whose code points are all below U+0300. */
static bool is_nfc_for_sure(const uint8_t *p, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (p[i] >= 0xcc) {
            return false;
        }
    }
    return true;
}

/* The text in NFC, in a buffer of the counter's. */
static struct slice to_nfc(struct bpe *bpe, const void *text, size_t length)
{
    struct code_points *points = &bpe->points;
    code_points_map(points, (struct slice){text, length}, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    bpe->normalised.len = 0;
    uint8_t *out = (uint8_t *)buf_room(&bpe->normalised, 4 * points->count);
    for (size_t i = 0; i < points->count; i++) {
        bpe->normalised.len +=
            (size_t)utf8proc_encode_char(points->at[i], out + bpe->normalised.len);
    }
    return buf_slice(&bpe->normalised);
}

uint64_t bpe_count(struct bpe *bpe, const void *text, size_t length)
{
    if (vocab_wants_nfc(bpe->vocab) && !is_nfc_for_sure(text, length)) {
        struct slice normalised = to_nfc(bpe, text, length);
        text = normalised.at;
        length = normalised.len;
    }
    struct splitter splitter;
    const uint8_t *piece;
    uint64_t total = 0;
    size_t size;

    splitter_start(&splitter, vocab_rules(bpe->vocab), text, length);
    while ((size = splitter_next(&splitter, &piece)) > 0) {
        uint64_t count = 1;
        if (size > CACHED_BYTES) {
            bool may_be_cut = is_three_bytes(piece[0]) || is_three_bytes(piece[size - 3]);
            count =
                may_be_cut ? count_parts(bpe, piece, size) : count_piece(bpe, piece, size, false);
        } else if (size > 1 || *piece >= 0x80) {
            count = cached_piece(bpe, piece, size, false);
        }
        total += count;
    }
    return total;
}
