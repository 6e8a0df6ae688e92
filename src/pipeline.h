/*
 * pipeline.h: the stages, in the order in which a chunk meets them.
 *
 *     read -> fuse | rescore -> rank -> dedup -> top -> budget -> fold
 *          -> write | prompt | sweep -> stats, explain, report, dropped, require
 *
 * A stage marks chunks with a fate and puts them in order; it never removes one,
 * so that there is always an answer to why a chunk is not in the output.  Stages
 * know nothing of each other.  Each returns STATUS_OK, or another status after a
 * message: from STATUS_USAGE on the run ends there, STATUS_NO is remembered.
 */
#ifndef EDGEFOLD_PIPELINE_H
#define EDGEFOLD_PIPELINE_H

#include "chunk.h"
#include "cli/options.h"

/* Runs all stages; returns the exit status. */
int pipeline(struct chunks *chunks, const struct options *options);

/*
 * Sets files, all, lower_is_better, scored and each chunk's line, spans and
 * value; marks unusable lines invalid.
 */
int read_chunks(struct chunks *chunks, const struct options *options);

/* --fuse: gives each chunk the score of all lists; marks copies in other lists. */
int fuse(struct chunks *chunks, const struct options *options);

/* --rescore: gives chunks a reranker's scores; marks those that it left out. */
int rescore(struct chunks *chunks, const struct options *options);

/* Sets ranked and each chunk's rank; marks what is below --min-score. */
int rank(struct chunks *chunks, const struct options *options);

/* Marks duplicates of better-ranked kept chunks, with survivor and similarity. */
int dedup(struct chunks *chunks, const struct options *options);

/* Marks what is beyond --top. */
int top(struct chunks *chunks, const struct options *options);

/* Marks what does not fit --budget; sets the tokens where it counted. */
int budget(struct chunks *chunks, const struct options *options);

/* Sets placed, the kept chunks in layout order, and their positions. */
int fold(struct chunks *chunks, const struct options *options);

/*
 * Write the placed chunks to standard output: as the lines they came as, as a
 * prompt, or as a prompt for each position that --sweep's chunk can have.
 */
int write_chunks(struct chunks *chunks, const struct options *options);
int prompt(struct chunks *chunks, const struct options *options);
int sweep(struct chunks *chunks, const struct options *options);

/* Print on standard error: one line of totals; every chunk, the layout and totals. */
int stats(struct chunks *chunks, const struct options *options);
int explain(struct chunks *chunks, const struct options *options);

/* Write files: what became of every chunk, as JSON; the lines that were dropped. */
int report(struct chunks *chunks, const struct options *options);
int dropped(struct chunks *chunks, const struct options *options);

/* STATUS_NO after a message where --require or its like is not met. */
int require(struct chunks *chunks, const struct options *options);

#endif
