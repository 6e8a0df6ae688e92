/*
 * differ.h: the words of a text that another one lacks, to be marked where they stand.
 *
 * A word is what near-duplicates are compared by: a run of letters, marks and numbers,
 * normalised and without case; in scripts without spaces a character, which is lacking
 * where the other has it beside neither of its neighbours.
 */
#ifndef EDGEFOLD_DIFFER_H
#define EDGEFOLD_DIFFER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "markup.h"

/* What is needed from text to text.  All zero to begin with. */
struct differ {
    struct interner vocabulary;
    size_t *seen; /* by the word's id, in which comparison the other text had it */
    size_t seen_capacity;
    size_t comparison;
    struct code_points points;
    struct buf word;
    struct stretch_of_text *marks; /* the answer */
    size_t mark_count;
    size_t mark_capacity;
    bool goes_on; /* the word before was marked */
};

/* Sets the marks to the words of the text, of UTF-8, that the other lacks. */
void differ_find(struct differ *differ, struct slice text, struct slice other);

void differ_free(struct differ *differ);

#endif
