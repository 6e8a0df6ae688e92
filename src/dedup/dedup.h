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
#include <stdint.h>

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
 * Some texts' distinct words, to be held against many others: what it costs is the sum of
 * the lengths of all, and of what they have in common, and not each text with each.
 */
struct own_words;
struct own_words *own_words_new(void); /* to be given to own_words_free() */
void own_words_free(struct own_words *own);

/* Asks for one text's, before any is held against them; returns its number, from 0 on. */
size_t own_words_ask(struct own_words *own, struct slice text);

/* No text that is asked for. */
#define NOT_ASKED SIZE_MAX

/* Holds another text against all of them; `itself` is which of them it is, or NOT_ASKED. */
void own_words_hold_against(struct own_words *own, struct slice other, size_t itself);

/* How many distinct words a text has, and where else they stand. */
struct own_share {
    size_t distinct;
    size_t met;     /* those that any other text has */
    size_t shared;  /* those that the nearest has: the one with the most of them */
    size_t nearest; /* which of the others that is, from 0 on, where any word is shared */
};
struct own_share own_words_share(const struct own_words *own, size_t number);

#endif
