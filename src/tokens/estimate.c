/* estimate.c: see estimate.h. */
#include "estimate.h"

#include <stdbool.h>
#include <string.h>

#include "base/base.h"
#include "pretokenize.h"
#include "tables/estimate_table.h"

/* A run of one character costs what its contexts say up to this length; after
 * that, the cost of a long run, for the contexts were fitted on short ones. */
#define RUN_FREE 16

/* A piece of more letters than this is a word only if the table knows enough
 * of its contexts.  Else it is random, and costs this much per letter. */
#define LONG_WORD 24
#define RANDOM_LETTER 563 /* 0.55 token */

#define ESTIMATE_POINT_VALUE_BITS 11

/* Where the table is asked about a boundary. */
struct contexts {
    uint64_t wide;   /* the hash of the two code points on each side */
    uint64_t narrow; /* and of one */
};

/* A window of code points slides over the piece; the boundary in question is
 * between left and right.  The last two only say how much of the piece is left. */
struct window {
    uint32_t far_left, left, right, far_right, third, fourth;
    unsigned left_class, right_class;
    struct contexts contexts[3]; /* of the boundary and of the next two */
    size_t before;               /* code points before the boundary */
    const uint8_t *next, *end;   /* what follows the window in the piece */
};

static unsigned class_of(uint32_t c)
{
    if (c >= ESTIMATE_CLASS_POINTS) {
        return ESTIMATE_CLASSES - 1;
    }
    return estimate_class_blocks[estimate_class_index[c >> ESTIMATE_CLASS_SHIFT]]
                                [c & ((1u << ESTIMATE_CLASS_SHIFT) - 1)];
}

/* Eight entries of a table of words or contexts, or four of points: a bit for each
 * byte of those that end a search, because they match or are free.  None: walk on. */
#if SIMD

static unsigned ends_of_eight(const uint16_t *entries, unsigned value_bits, unsigned tag)
{
    simd eight = simd_load(entries);
    simd found = simd_equal_16(simd_right_16(eight, value_bits), simd_all_16((uint16_t)tag));
    return simd_bits(simd_or(found, simd_equal_16(eight, simd_all_16(0))));
}

static unsigned ends_of_four(const uint32_t *entries, unsigned value_bits, uint32_t point)
{
    simd four = simd_load(entries);
    simd found = simd_equal_32(simd_right_32(four, value_bits), simd_all_32(point));
    return simd_bits(simd_or(found, simd_equal_32(four, simd_all_32(0))));
}

#endif

/* Return the entry that a search ends with, 0 if it is a free one. */
static unsigned walk(const uint16_t *entries, unsigned slot_bits, unsigned value_bits, size_t slot,
                     unsigned tag)
{
    while (entries[slot] != 0 && (unsigned)entries[slot] >> value_bits != tag) {
        slot = (slot + 1) & ((1u << slot_bits) - 1);
    }
    return entries[slot];
}

/* Return the value that a table has for a hash, -1 if it has none.  Whether it has
 * one nobody can guess, so that the branches that ask cost more than the rest. */
static inline int find(const uint16_t *entries, unsigned slot_bits, unsigned value_bits,
                       uint64_t hash)
{
    const unsigned tag_bits = 16 - value_bits;
    unsigned tag = (unsigned)(hash >> (64 - slot_bits - tag_bits)) & ((1u << tag_bits) - 1);
    size_t slot = (size_t)(hash >> (64 - slot_bits));
    unsigned entry;

    tag += tag == 0;
#if SIMD
    unsigned ends =
        slot + 8 <= 1u << slot_bits ? ends_of_eight(entries + slot, value_bits, tag) : 0;
    if (ends != 0) {
        entry = entries[slot + simd_first(ends) / 2];
    } else
#endif
    {
        entry = walk(entries, slot_bits, value_bits, slot, tag);
    }
    return (int)(entry & ((1u << value_bits) - 1)) | -(int)(entry == 0);
}

/* Return the hash of a context; what it leads to is fetched, as it is read a little later. */
static inline uint64_t context_hash(uint32_t far_left, uint32_t left, uint32_t right,
                                    uint32_t far_right)
{
    uint64_t hash = ((uint64_t)far_left << 21 | left) * 0x9E3779B97F4A7C15u ^
                    ((uint64_t)right << 21 | far_right) * 0xC2B2AE3D27D4EB4Fu;

    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
    PREFETCH(&estimate_contexts[hash >> (64 - ESTIMATE_SLOT_BITS)]);
    return hash;
}

static inline struct contexts contexts_of(uint32_t far_left, uint32_t left, uint32_t right,
                                          uint32_t far_right)
{
    return (struct contexts){context_hash(far_left, left, right, far_right),
                             context_hash(ESTIMATE_ANY, left, right, ESTIMATE_ANY)};
}

/* Return the stored value of a context, -1 if the table does not have it. */
static inline int look_up(uint64_t hash)
{
    return find(estimate_contexts, ESTIMATE_SLOT_BITS, ESTIMATE_VALUE_BITS, hash);
}

/* Return how many code points follow the boundary, counted up to 4. */
static unsigned count_after(const struct window *w)
{
    return 1u + (w->far_right != ESTIMATE_END) + (w->third != ESTIMATE_END) +
           (w->fourth != ESTIMATE_END);
}

/* Return the cost of the boundary in the window; set *known if the table has
 * the widest context.  All three answers are looked up, without a branch. */
static int boundary_cost(const struct window *w, bool *known)
{
    int wide = look_up(w->contexts[0].wide);
    int narrow = look_up(w->contexts[0].narrow);
    unsigned pair = w->left_class * ESTIMATE_CLASSES + w->right_class;
    unsigned before = w->before < 4 ? (unsigned)w->before : 4;
    unsigned cell = (before - 1) * 4 + count_after(w) - 1;
    int by_class = ESTIMATE_CELL_STEP * estimate_rows[estimate_pairs[pair]][cell];

    *known = wide >= 0;
    int value = wide >= 0 ? wide : narrow;
    int none = -(int)(value < 0); /* all bits, or no bit */
    return ((by_class & none) | (ESTIMATE_CONTEXT_STEP * value & ~none)) - ESTIMATE_OFFSET;
}

/* Return the entry of a code point, 0 if it is not listed. */
static unsigned find_point(uint32_t c)
{
    uint32_t slot = (c * 0x9E3779B1u) >> (32 - ESTIMATE_POINT_SLOT_BITS);

#if SIMD
    unsigned ends = slot + 4 <= 1u << ESTIMATE_POINT_SLOT_BITS
                        ? ends_of_four(estimate_points + slot, ESTIMATE_POINT_VALUE_BITS, c)
                        : 0;
    if (ends != 0) {
        return estimate_points[slot + simd_first(ends) / 4];
    }
#endif
    while (estimate_points[slot] != 0 && estimate_points[slot] >> ESTIMATE_POINT_VALUE_BITS != c) {
        slot = (slot + 1) & ((1u << ESTIMATE_POINT_SLOT_BITS) - 1);
    }
    return estimate_points[slot];
}

/* Return I: the tokens that start inside the bytes of a character. */
static inline unsigned inner_cost(uint32_t c, unsigned class)
{
    if (c < 0x80) {
        return 0;
    }
    unsigned entry = find_point(c);
    unsigned listed = (entry & ((1u << ESTIMATE_POINT_VALUE_BITS) - 1)) * 2;
    unsigned none = 0u - (entry == 0);
    return (estimate_inner[class] & none) | (listed & ~none);
}

/* Return the cost of one more character of a long run. */
static unsigned run_cost(uint32_t c, unsigned class)
{
    unsigned low = 0, high = ESTIMATE_OTHER_RUNS;

    if (c < 0x80) {
        return estimate_low_runs[c];
    }
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (estimate_other_runs[middle][0] < c) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < ESTIMATE_OTHER_RUNS && estimate_other_runs[low][0] == c) {
        return estimate_other_runs[low][1];
    }
    return ESTIMATE_UNIT + inner_cost(c, class);
}

/* Read the code point after the window, ESTIMATE_END at the end of the piece. */
static uint32_t next_point(struct window *w)
{
    unsigned length;

    if (w->next == w->end) {
        return ESTIMATE_END;
    }
    if (*w->next < 0x80) {
        return *w->next++;
    }
    uint32_t c = utf8_decode(w->next, w->end, &length);
    w->next += length;
    return c;
}

static bool is_ascii_letter(uint32_t c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static bool is_digits(const uint8_t *piece, size_t length)
{
    while (length > 0 && piece[length - 1] >= '0' && piece[length - 1] <= '9') {
        length--;
    }
    return length == 0;
}

/* What has been seen of a piece, to tell words from runs and from noise. */
struct sight {
    size_t run;     /* the same character so often up to here */
    size_t by_turn; /* CR and LF by turns so often up to here */
    size_t letters;
    size_t known_letters; /* with a context in the table */
};

/* Return the cost of the boundary in the window and of the character after. */
static int step_cost(const struct window *w, struct sight *sight)
{
    bool known;

    sight->run = w->right == w->left ? sight->run + 1 : 1;
    sight->by_turn = w->right + w->left == '\r' + '\n' && w->right != w->left &&
                             (w->right == '\r' || w->right == '\n')
                         ? sight->by_turn + 1
                         : 1;
    if (sight->by_turn > RUN_FREE) {
        return ESTIMATE_CRLF_RUN;
    }
    if (sight->run > RUN_FREE) {
        return (int)run_cost(w->right, w->right_class);
    }
    int cost = boundary_cost(w, &known);
    if (is_ascii_letter(w->right)) {
        sight->letters++;
        sight->known_letters += known;
    }
    return cost + (int)inner_cost(w->right, w->right_class);
}

/* Put the window on the piece's start, before its first boundary. */
static void window_open(struct window *w, const uint8_t *piece, size_t length)
{
    w->next = piece;
    w->end = piece + length;
    w->left = ESTIMATE_START;
    w->right = next_point(w);
    w->far_right = next_point(w);
    w->third = next_point(w);
    w->fourth = next_point(w);
    w->right_class = class_of(w->right);
    w->before = 0;
    w->contexts[1] = contexts_of(w->left, w->right, w->far_right, w->third);
    w->contexts[2] = contexts_of(w->right, w->far_right, w->third, w->fourth);
}

/* Move the window to the next boundary; return whether there is one. */
static bool window_move(struct window *w)
{
    if (w->far_right == ESTIMATE_END) {
        return false;
    }
    w->far_left = w->left;
    w->left = w->right;
    w->left_class = w->right_class;
    w->right = w->far_right;
    w->right_class = class_of(w->right);
    w->far_right = w->third;
    w->third = w->fourth;
    w->fourth = next_point(w);
    w->contexts[0] = w->contexts[1];
    w->contexts[1] = w->contexts[2];
    w->contexts[2] = contexts_of(w->right, w->far_right, w->third, w->fourth);
    w->before++;
    return true;
}

/* Return the cost of a piece after its first token, below 0 for a piece that
 * is one token for sure. */
static int64_t extra_cost(const uint8_t *piece, size_t length)
{
    struct window w;
    struct sight sight = {1, 1, 0, 0};

    window_open(&w, piece, length);
    int64_t cost = (int64_t)inner_cost(w.right, w.right_class);
    while (window_move(&w)) {
        cost += step_cost(&w, &sight);
    }
    int64_t random = (int64_t)sight.letters * RANDOM_LETTER;
    bool is_random = sight.letters > LONG_WORD && sight.known_letters * 4 < sight.letters;
    return is_random && cost < random ? random : cost;
}

/* Return the tokens after the first of a listed word, -1 for other pieces. */
static int listed_word(const uint8_t *piece, size_t length)
{
    uint64_t head, tail = length;

    if (length > ESTIMATE_WORD_BYTES) {
        return -1;
    }
    if (length > 8) {
        tail += load_bytes(piece + 8, length - 8);
    }
    head = load_bytes(piece, length < 8 ? length : 8);
    uint64_t hash = head * 0x9E3779B97F4A7C15u ^ tail * 0xC2B2AE3D27D4EB4Fu;
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
    return find(estimate_words, ESTIMATE_WORD_SLOT_BITS, ESTIMATE_WORD_VALUE_BITS, hash);
}

uint64_t estimate_piece(const uint8_t *piece, size_t length)
{
    if (is_digits(piece, length)) {
        return ESTIMATE_UNIT;
    }
    int listed = listed_word(piece, length);
    if (listed >= 0) {
        return ESTIMATE_UNIT * (uint64_t)(1 + listed);
    }
    int64_t extra = extra_cost(piece, length);
    return ESTIMATE_UNIT + (extra > 0 ? (uint64_t)extra : 0);
}

/* The longest piece for the cache, and how its slots pack the rest. */
#define CACHED_BYTES 13
#define LENGTH_SHIFT 40
#define COST_SHIFT 48

/* Return the first bytes of eight, the first in the lowest bits. */
static uint64_t first_bytes(uint64_t eight, size_t length)
{
    return length < 8 ? eight & (((uint64_t)1 << 8 * length) - 1) : eight;
}

/* Like estimate_piece(), for a piece of 1 to CACHED_BYTES bytes; left are those from it on. */
static uint64_t cached_piece(struct estimate_cache *cache, const uint8_t *piece, size_t length,
                             size_t left)
{
    uint64_t head, tail = (uint64_t)length << LENGTH_SHIFT;

    if (left >= 16) { /* without a branch for each length */
        head = first_bytes(load_bytes(piece, 8), length);
        tail |= first_bytes(load_bytes(piece + 8, 8), length < 8 ? 0 : length - 8);
    } else {
        head = load_bytes(piece, length);
        tail |= length > 8 ? load_bytes(piece + 8, length - 8) : 0;
    }
    uint64_t hash = (head ^ tail * 0xC2B2AE3D27D4EB4Fu) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
    size_t slot = (size_t)(hash * 0xD6E8FEB86659FD93u >> (64 - ESTIMATE_CACHE_BITS));
    uint64_t known = cache->slots[slot].tail;
    if (cache->slots[slot].head == head && (known & (((uint64_t)1 << COST_SHIFT) - 1)) == tail) {
        return known >> COST_SHIFT;
    }
    uint64_t cost = estimate_piece(piece, length);
    if (cost >> (64 - COST_SHIFT) == 0) {
        cache->slots[slot].head = head;
        cache->slots[slot].tail = tail | cost << COST_SHIFT;
    }
    return cost;
}

uint64_t estimate_text(struct estimate_cache *cache, const void *text, size_t length)
{
    struct splitter splitter;
    const uint8_t *piece;
    uint64_t cost = 0;
    size_t size;

    splitter_start(&splitter, &split_o200k, text, length);
    while ((size = splitter_next(&splitter, &piece)) > 0) {
        size_t left = (size_t)(splitter.end - piece);
        if (size == 1 && *piece < 0x80) {
            cost += ESTIMATE_UNIT;
        } else if (size <= CACHED_BYTES) {
            cost += cached_piece(cache, piece, size, left);
        } else {
            cost += estimate_piece(piece, size);
        }
    }
    return cost;
}
