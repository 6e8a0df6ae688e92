/*
 * rank.h: which chunk is better.
 *
 * By the scores that the chunks came with, by a reranker's answer in their place
 * (rescore.c), or by several ranked lists (fuse.c); a total order, in which equal
 * scores stand as they came.  What is worse than --min-score or beyond --top is
 * marked; nothing is scaled or normalised.
 */
#ifndef EDGEFOLD_RANK_H
#define EDGEFOLD_RANK_H

#include <stdbool.h>
#include <stddef.h>

#include "chunk.h"

/* What becomes of chunks that a reranker's answer leaves out. */
enum rescore_rest { REST_DROP, REST_KEEP };

extern const struct choices rescore_rest_choices;

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
    size_t top; /* 0: no limit */
};

/* --fuse: gives each chunk the score of all lists; marks copies in other lists. */
int fuse(struct chunks *chunks, const struct rank_options *options);

/* --rescore: gives chunks a reranker's scores; marks those that it left out. */
int rescore(struct chunks *chunks, const struct rank_options *options);

/* Sets ranked and each chunk's rank; marks what is below --min-score. */
int rank(struct chunks *chunks, const struct rank_options *options);

/* Marks what is beyond --top. */
int top(struct chunks *chunks, const struct rank_options *options);

#endif
