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

/* A window of code points slides over the piece; the boundary in question is
 * between left and right.  The last two only say how much of the piece is left. */
struct window {
    uint32_t far_left, left, right, far_right, third, fourth;
    unsigned left_class, right_class;
    size_t before;             /* code points before the boundary */
    const uint8_t *next, *end; /* what follows the window in the piece */
};

static unsigned class_of(uint32_t c)
{
    if (c >= ESTIMATE_CLASS_POINTS) {
        return ESTIMATE_CLASSES - 1;
    }
    return estimate_class_blocks[estimate_class_index[c >> ESTIMATE_CLASS_SHIFT]]
                                [c & ((1u << ESTIMATE_CLASS_SHIFT) - 1)];
}

/* Return the stored value of a context, -1 if the table does not have it. */
static int look_up(uint32_t far_left, uint32_t left, uint32_t right, uint32_t far_right)
{
    const unsigned tag_bits = 16 - ESTIMATE_VALUE_BITS;
    uint64_t hash = ((uint64_t)far_left << 21 | left) * 0x9E3779B97F4A7C15u ^
                    ((uint64_t)right << 21 | far_right) * 0xC2B2AE3D27D4EB4Fu;
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
    unsigned tag =
        (unsigned)(hash >> (64 - ESTIMATE_SLOT_BITS - tag_bits)) & ((1u << tag_bits) - 1);
    uint64_t slot = hash >> (64 - ESTIMATE_SLOT_BITS);

    if (tag == 0) {
        tag = 1;
    }
    for (;;) {
        unsigned entry = estimate_contexts[slot];
        if (entry == 0) {
            return -1;
        }
        if (entry >> ESTIMATE_VALUE_BITS == tag) {
            return (int)(entry & ((1u << ESTIMATE_VALUE_BITS) - 1));
        }
        slot = (slot + 1) & ((1u << ESTIMATE_SLOT_BITS) - 1);
    }
}

/* Return how many code points follow the boundary, counted up to 4. */
static unsigned count_after(const struct window *w)
{
    return 1u + (w->far_right != ESTIMATE_END) + (w->third != ESTIMATE_END) +
           (w->fourth != ESTIMATE_END);
}

/* Return the cost of the boundary in the window; set *known if the table has
 * the widest context. */
static int boundary_cost(const struct window *w, bool *known)
{
    int value = look_up(w->far_left, w->left, w->right, w->far_right);

    *known = value >= 0;
    if (value < 0) {
        value = look_up(ESTIMATE_ANY, w->left, w->right, ESTIMATE_ANY);
    }
    if (value >= 0) {
        return ESTIMATE_CONTEXT_STEP * value - ESTIMATE_OFFSET;
    }
    unsigned pair = w->left_class * ESTIMATE_CLASSES + w->right_class;
    unsigned before = w->before < 4 ? (unsigned)w->before : 4;
    unsigned cell = (before - 1) * 4 + count_after(w) - 1;
    return ESTIMATE_CELL_STEP * estimate_rows[estimate_pairs[pair]][cell] - ESTIMATE_OFFSET;
}

/* Return I: the tokens that start inside the bytes of a character. */
static unsigned inner_cost(uint32_t c, unsigned class)
{
    if (c < 0x80) {
        return 0;
    }
    uint32_t slot = (c * 0x9E3779B1u) >> (32 - ESTIMATE_POINT_SLOT_BITS);
    while (estimate_points[slot]) {
        if (estimate_points[slot] >> 11 == c) {
            return (estimate_points[slot] & 2047) * 2;
        }
        slot = (slot + 1) & ((1u << ESTIMATE_POINT_SLOT_BITS) - 1);
    }
    return estimate_inner[class];
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

/* Return the cost of a piece after its first token, below 0 for a piece that
 * is one token for sure. */
static int64_t extra_cost(const uint8_t *piece, size_t length)
{
    struct window w = {.next = piece, .end = piece + length};
    struct sight sight = {1, 1, 0, 0};

    w.left = ESTIMATE_START;
    w.right = next_point(&w);
    w.far_right = next_point(&w);
    w.third = next_point(&w);
    w.fourth = next_point(&w);
    w.right_class = class_of(w.right);
    int64_t cost = (int64_t)inner_cost(w.right, w.right_class);
    for (w.before = 1; w.far_right != ESTIMATE_END; w.before++) {
        w.far_left = w.left;
        w.left = w.right;
        w.left_class = w.right_class;
        w.right = w.far_right;
        w.right_class = class_of(w.right);
        w.far_right = w.third;
        w.third = w.fourth;
        w.fourth = next_point(&w);
        cost += step_cost(&w, &sight);
    }
    int64_t random = (int64_t)sight.letters * RANDOM_LETTER;
    bool is_random = sight.letters > LONG_WORD && sight.known_letters * 4 < sight.letters;
    return is_random && cost < random ? random : cost;
}

/* Up to 8 bytes as a number that is the same on every machine. */
static uint64_t low_first(const uint8_t *p, size_t length)
{
    uint64_t number = 0;

    while (length > 0) {
        number = number << 8 | p[--length];
    }
    return number;
}

/* Return the tokens after the first of a listed word, -1 for other pieces. */
static int listed_word(const uint8_t *piece, size_t length)
{
    const unsigned tag_bits = 16 - ESTIMATE_WORD_VALUE_BITS;
    uint64_t head, tail = length;

    if (length > ESTIMATE_WORD_BYTES) {
        return -1;
    }
    if (length > 8) {
        tail += low_first(piece + 8, length - 8);
    }
    head = low_first(piece, length < 8 ? length : 8);
    uint64_t hash = head * 0x9E3779B97F4A7C15u ^ tail * 0xC2B2AE3D27D4EB4Fu;
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
    unsigned tag =
        (unsigned)(hash >> (64 - ESTIMATE_WORD_SLOT_BITS - tag_bits)) & ((1u << tag_bits) - 1);
    uint64_t slot = hash >> (64 - ESTIMATE_WORD_SLOT_BITS);

    if (tag == 0) {
        tag = 1;
    }
    for (;;) {
        unsigned entry = estimate_words[slot];
        if (entry == 0) {
            return -1;
        }
        if (entry >> ESTIMATE_WORD_VALUE_BITS == tag) {
            return (int)(entry & ((1u << ESTIMATE_WORD_VALUE_BITS) - 1));
        }
        slot = (slot + 1) & ((1u << ESTIMATE_WORD_SLOT_BITS) - 1);
    }
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

/* Like estimate_piece(), for a piece of 1 to CACHED_BYTES bytes. */
static uint64_t cached_piece(struct estimate_cache *cache, const uint8_t *piece, size_t length)
{
    uint64_t head = load_bytes(piece, length), tail = (uint64_t)length << LENGTH_SHIFT;

    if (length > 8) {
        tail |= load_bytes(piece + 8, length - 8);
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
        if (size == 1 && *piece < 0x80) {
            cost += ESTIMATE_UNIT;
        } else if (size <= CACHED_BYTES) {
            cost += cached_piece(cache, piece, size);
        } else {
            cost += estimate_piece(piece, size);
        }
    }
    return cost;
}
