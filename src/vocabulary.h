/* vocabulary.h: words as small integers. */
#ifndef EDGEFOLD_VOCABULARY_H
#define EDGEFOLD_VOCABULARY_H

#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "slice.h"

/*
 * Gives each distinct word an id: 0, 1, 2 and so on by first appearance.  Words
 * are compared byte for byte; a hash only says where to look, so that two words
 * can never share an id.  All zero is an empty vocabulary.
 */
struct vocabulary {
    struct word_slot *slots; /* open addressing, linear probing */
    size_t slot_count;       /* a power of two, or 0 */
    struct word_entry *words;
    size_t count;
    size_t capacity;
    struct arena long_words;
};

/* Words up to this many bytes are kept in two 64-bit integers: nearly all are. */
#define WORD_SHORT 16

/*
 * The id of a word of at most WORD_SHORT bytes, padded with NUL bytes.  No two
 * words may become the same by that: words without a NUL never do.
 */
uint32_t vocabulary_short(struct vocabulary *vocabulary, const unsigned char padded[WORD_SHORT]);

/* The same for a word of any length; the bytes are copied where they are needed. */
uint32_t vocabulary_id(struct vocabulary *vocabulary, struct slice word);

/* The id of any bytes but none at all; not to be mixed with the others in one vocabulary. */
uint32_t vocabulary_bytes_id(struct vocabulary *vocabulary, struct slice bytes);

/* The word with that id; good until the next word is added. */
struct slice vocabulary_word(const struct vocabulary *vocabulary, uint32_t id);

void vocabulary_free(struct vocabulary *vocabulary);

#endif
