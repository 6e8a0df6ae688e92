/*
 * dedup.h: near-duplicates, of which the best-ranked is kept.
 *
 * A text is a set of terms: its words, normalised (words.h), or runs of them
 * (termset.h).  Going down the ranking, a chunk whose set is similar enough to that
 * of a kept one (similarity.h) is its duplicate.  The answer is that of comparing
 * every pair; the join (join.h) and its index (index.h) spare nearly all of that.
 */
#ifndef EDGEFOLD_DEDUP_H
#define EDGEFOLD_DEDUP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "chunk.h"

enum similarity_kind {
    SIMILARITY_JACCARD,    /* |A and B| / |A or B| */
    SIMILARITY_CONTAINMENT /* |A and B| / |A|, A being the worse-ranked */
};

extern const struct choices similarity_choices;

struct dedup_options {
    bool off;
    struct fraction threshold;
    size_t similarity; /* enum similarity_kind */
    size_t shingle;    /* words in a term */
    bool keep_numbers;
    struct path_list fields; /* only chunks with the same values there are compared */
};

/* Marks duplicates of better-ranked kept chunks, with survivor and similarity. */
int dedup(struct chunks *chunks, const struct dedup_options *options);

/* Places in a text, in bytes; all zero is none. */
struct text_spans {
    struct text_span {
        size_t from;
        size_t to;
    } *at;
    size_t count;
    size_t capacity;
};

/*
 * Adds to spans where in `text` words stand that `other` has not, in order, and sets how
 * many of the distinct words of `text` both have; returns how many it has.  Words are
 * what deduplication compares (words.h), whatever a term is.
 */
size_t dedup_difference(struct slice text, struct slice other, struct text_spans *spans,
                        size_t *shared);

/*
 * One text's distinct words, to be held against many others: what it costs is the sum of
 * their lengths, and not the text's with each.
 */
struct own_words;
struct own_words *own_words_of(struct slice text); /* to be given to own_words_free() */
void own_words_free(struct own_words *own);

size_t own_words_count(const struct own_words *own);

/* How many of them another text has too. */
size_t own_words_in(struct own_words *own, struct slice other);

/* How many of them any of the texts so far has. */
size_t own_words_met(const struct own_words *own);

#endif
