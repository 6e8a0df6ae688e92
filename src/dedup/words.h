/*
 * words.h: the words of a text, by which chunks are compared.
 *
 * A text is normalised to NFKC, case-folded and normalised again (UAX #15,
 * Unicode 3.13 D145), so that differences of case, width and composition do not
 * count.  A word is then a maximal run of letters, marks and numbers (general
 * categories L, M, N).  Scripts written without spaces (Han, kana, Thai, Lao,
 * Myanmar, Khmer) make runs of their own, which give their pairs of neighbouring
 * characters; a run of one gives that character.
 */
#ifndef EDGEFOLD_WORDS_H
#define EDGEFOLD_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* Words in the order in which they stand in the text, repeats included. */
struct word_list {
    uint32_t *ids;
    bool *numbers; /* whether the word has a digit (general category Nd), if that is asked for */
    size_t count;
    size_t capacity;
};

/* What finding words needs from text to text.  All zero to begin with. */
struct words {
    bool find_numbers;
    struct interner vocabulary;
    struct word_list list;
    union short_word *pending; /* by place in the list: words whose ids are still to be found */
    size_t *long_words;        /* the places of those that are not pending, in order */
    size_t long_count;
    size_t long_capacity;
    struct buf word;
    struct code_points points;
};

/* The words of a text of UTF-8; good, and the caller's to change, until the next call. */
struct word_list *words_find(struct words *words, struct slice text);

void words_free(struct words *words);

#endif
