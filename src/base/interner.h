/* interner.h: words as small integers. */
#ifndef EDGEFOLD_INTERNER_H
#define EDGEFOLD_INTERNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "slice.h"

/*
 * Gives each distinct word an id: 0, 1, 2 and so on by first appearance.  Words
 * are compared byte for byte; a hash only says where to look, so that two words
 * can never share an id.  All zero is an empty interner.
 */
struct interner {
    struct word_slot *slots;    /* open addressing, linear probing */
    size_t slot_count;          /* a power of two, or 0 */
    unsigned shift;             /* of a hash, to be the number of a slot */
    union interned_word *words; /* by id, with room for as many as the slots take */
    size_t count;       /* distinct words so far */
    uint64_t seed;      /* of the hashes; another one when probes grow long */
    bool crowded;       /* they have */
    size_t reseeded_at; /* the count at that time */
    struct arena long_words;
};

/* Words up to this many bytes are kept in two 64-bit integers: nearly all are. */
#define WORD_SHORT 16

/*
 * A word of at most WORD_SHORT bytes, padded with NUL bytes.  No two words may
 * become the same by that: words without a NUL never do.  The last byte is never 0xff:
 * in UTF-8 none is.
 */
union short_word {
    unsigned char bytes[WORD_SHORT];
    uint64_t halves[2];
};

/*
 * The ids of many short words at once, none of them empty: a large table does not fit a
 * cache, and so their look-ups overlap.
 */
void intern_short_words(struct interner *interner, const union short_word *words, size_t count,
                        uint32_t *ids);

/* The id of a word of any length; the bytes are copied where they are needed. */
uint32_t intern_word(struct interner *interner, struct slice word);

/* The id of any bytes but none at all; not to be mixed with the others in one interner. */
uint32_t intern_bytes(struct interner *interner, struct slice bytes);

void interner_free(struct interner *interner);

#endif
