/*
 * rank.h: which chunk is better.
 *
 * By the scores that the chunks came with, by a reranker's answer in their place
 * (rescore.c), or by several ranked lists (fuse.c); a total order, in which equal
 * scores stand as they came.  What is worse than --min-score, beyond --per-group or
 * beyond --top is marked, but for what is pinned; nothing is scaled or normalised.
 */
#ifndef EDGEFOLD_RANK_H
#define EDGEFOLD_RANK_H

#include <stdbool.h>
#include <stddef.h>

#include "chunk.h"

/* What becomes of chunks that a reranker's answer leaves out. */
enum rescore_rest { REST_DROP, REST_KEEP };

extern const struct choices rescore_rest_choices;

/* One --pin-first or --pin-last. */
struct pin {
    const char *id;
    bool last;
};

struct rank_options {
    const char *rescore; /* the file with a reranker's answer, or NULL */
    size_t rescore_rest; /* enum rescore_rest */
    bool fuse;
    size_t fuse_k;   /* the constant of reciprocal rank fusion */
    double *weights; /* of the lists, in the files' order; none: all 1 */
    size_t weight_count;
    size_t weight_capacity;
    bool as_they_come; /* the lists are best first, whatever their scores */
    bool has_min_score;
    double min_score;
    const char *min_score_written;
    struct pin *pins; /* as they were given */
    size_t pin_count;
    size_t pin_capacity;
    struct pin_table *pin_table; /* of --each, see pin_table_new(); else NULL */
    struct path group;           /* depth 0: there are no groups */
    size_t per_group;            /* 0: no limit */
    size_t top;                  /* 0: no limit */
};

/*
 * Marks the chunks that --pin-first and --pin-last name; STATUS_NO after a message without
 * one.  With a pin_table nothing is said of what the chunks, which are a group, do not have.
 */
int pin(struct chunks *chunks, const struct rank_options *options);

/* The pins of many groups, to be given to pin_table_free(). */
struct pin_table *pin_table_new(const struct rank_options *options);
void pin_table_free(struct pin_table *table);

/* After so many groups: STATUS_NO after a message for each pin that none of them had. */
int pin_unfound(const struct rank_options *options, size_t groups);

/* --fuse: gives each chunk the score of all lists; marks copies in other lists. */
int fuse(struct chunks *chunks, const struct rank_options *options);

/* --rescore: gives chunks a reranker's scores; marks those that it left out. */
int rescore(struct chunks *chunks, const struct rank_options *options);

/* Sets ranked and each chunk's rank; marks what is below --min-score. */
int rank(struct chunks *chunks, const struct rank_options *options);

/* Gives chunks of one group the same number; marks what is beyond --per-group. */
int group(struct chunks *chunks, const struct rank_options *options);

/* Marks what is beyond --top. */
int top(struct chunks *chunks, const struct rank_options *options);

#endif
