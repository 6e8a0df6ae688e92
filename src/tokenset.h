/* tokenset.h: a text as the set of its tokens, by which chunks are compared. */
#ifndef EDGEFOLD_TOKENSET_H
#define EDGEFOLD_TOKENSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slice.h"
#include "words.h"

#define SIGNATURE_WORDS 4

/*
 * A bitmap of 256 bits: bit (id mod 256) is flipped for each token.  Two sets
 * that differ in d tokens differ in at most d bits (Sandes, Teodoro and Melo
 * 2020, with exclusive or).
 */
struct signature {
    uint64_t bits[SIGNATURE_WORDS];
};

/* Marks of the ids in one set: whether an id is in it is one look. */
struct marks {
    uint32_t *stamps; /* by id; equal to stamp: in the set */
    size_t capacity;
    uint32_t stamp;
};

/*
 * The set of the text that was looked at last.  Ids are given by first
 * appearance, so a higher id is a rarer token, as far as is known.
 */
struct token_set {
    uint32_t *ids;   /* distinct, in no order */
    size_t count;
    uint64_t hash;   /* equal sets have equal hashes; unequal ones may */
    struct signature signature;
    uint32_t *numbers; /* ids of the distinct words with a digit, if they are asked for */
    size_t number_count;
    struct marks marks;
    struct marks number_marks;
};

/* Makes sets out of texts.  All zero but for the first two to begin with. */
struct tokenizer {
    size_t shingle;    /* a token is a run of so many words; 1 and 0: a word */
    bool keep_numbers; /* fill in the numbers */
    struct words words;
    struct word_list list;
    struct vocabulary shingles;
    struct token_set set;
    size_t number_capacity;
    unsigned char *has_digit; /* by word id; 0: not looked at yet */
    size_t has_digit_capacity;
};

/*
 * The set of a text's tokens; it belongs to the tokenizer and lasts until the
 * next call.  A text with fewer words than a shingle has makes one token of them.
 */
struct token_set *tokenizer_read(struct tokenizer *tokenizer, struct slice text);

/* Brings the `count` highest ids of the set to the front, highest first. */
void token_set_rarest_first(struct token_set *set, size_t count);

static inline bool marks_has(const struct marks *marks, uint32_t id)
{
    return marks->stamps[id] == marks->stamp;
}

void tokenizer_free(struct tokenizer *tokenizer);

#endif
