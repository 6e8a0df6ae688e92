/* termset.h: a text as the set of its terms, by which chunks are compared. */
#ifndef EDGEFOLD_TERMSET_H
#define EDGEFOLD_TERMSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "words.h"

/* Marks of the ids in one set: whether an id is in it is one look. */
struct marks {
    uint32_t *stamps; /* by id; equal to stamp: in the set */
    size_t capacity;
    size_t cleared; /* so many have a meaning */
    uint32_t stamp;
};

/* Starts an empty set in which ids below `ids` can be marked. */
void marks_clear(struct marks *marks, size_t ids);

static inline void marks_set(struct marks *marks, uint32_t id)
{
    marks->stamps[id] = marks->stamp;
}

static inline bool marks_has(const struct marks *marks, uint32_t id)
{
    return marks->stamps[id] == marks->stamp;
}

void marks_free(struct marks *marks);

/*
 * The set of the text that was looked at last.  Ids are given by first appearance.
 */
struct term_set {
    uint32_t *ids; /* distinct, in no order */
    size_t count;
    size_t known;      /* terms so far, in all sets: every id is below */
    uint32_t *numbers; /* ids of the distinct words with a digit, if they are asked for */
    size_t number_count;
    struct marks marks;
    struct marks number_marks;
};

/* Makes sets out of texts.  All zero but for the first three to begin with. */
struct term_extractor {
    size_t shingle;    /* a term is a run of so many words; 1 and 0: a word */
    bool keep_numbers; /* fill in the numbers */
    bool has_scopes;   /* sets of different scopes have no term in common */
    struct words words;
    struct interner shingles;
    struct interner scoped;
    struct term_set set;
    size_t number_capacity;
};

/*
 * The set of a text's terms, in a scope (0 where there is but one); it belongs to the
 * term_extractor and lasts until the next call.  A text with fewer words than a shingle has makes
 * one term of them.
 */
struct term_set *terms_extract(struct term_extractor *term_extractor, struct slice text,
                               uint32_t scope);

void term_extractor_free(struct term_extractor *term_extractor);

#endif
