/*
 * output.h: what leaves the program, and what it says of it.
 *
 * The placed chunks as the lines they came as (write.c), as a prompt, or as a prompt
 * for each position of one chunk (sweep.c); what became of every chunk, for people
 * (explain.c, with one line of totals), of one (why.c), against another run
 * (compare.c), as JSON (report.c) and as a page (page.c); the lines that were dropped
 * (dropped.c); whether what was required is there (require.c).  No stage
 * before this one prints, and none of these changes what is kept.
 */
#ifndef EDGEFOLD_OUTPUT_H
#define EDGEFOLD_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "chunk.h"
#include "dedup/dedup.h"
#include "fit/fit.h"
#include "place/place.h"
#include "prompt/prompt.h"

/* One --require or --require-edge. */
struct requirement {
    const char *id;
    bool edge;    /* first or last */
    bool implied; /* an edge is required of the same id, and then says what lacks */
};

#define OUTPUT_VERSION "0.2.0"

struct output_options {
    const char *if_empty; /* what is printed in place of a prompt without chunks, or NULL */
    const char *annotate; /* the member that a line gets, or NULL */
    bool stats;
    size_t explain;     /* how much: 0: nothing; 2: every chunk */
    bool shows_repeats; /* the share of the text that is said twice matters */
    bool stitched;      /* lines say what of them was said before */
    const char **why;   /* ids of chunks whose stories are told; not copied */
    size_t why_count;
    size_t why_capacity;
    const char *compare; /* a report's file, or NULL */
    json_t *earlier;     /* and what it holds */
    const char *report;  /* files, or NULL */
    const char *dropped;
    struct requirement *requirements;
    size_t requirement_count;
    size_t requirement_capacity;
    struct require_table *require_table; /* of --each, see require_table_new(); else NULL */
    size_t min_chunks;
};

/* Write the placed chunks to standard output. */
int write_chunks(struct chunks *chunks, const struct output_options *options);
int write_prompt(struct chunks *chunks, const struct prompt_options *prompt,
                 const struct output_options *options);

/*
 * Writes the prompt of a group of --each as one line of JSON, with what it is for and made
 * of; where no chunk is left, null and why that is.
 */
int write_group_prompt(struct chunks *chunks, const struct prompt_options *prompt);

/*
 * Writes a line of JSON with the prompt for each position that the swept chunk can have;
 * STATUS_NO after a message where that chunk is not kept.
 */
int write_sweep(struct chunks *chunks, const struct place_options *placing,
                const struct prompt_options *prompt);

/*
 * Print on standard error: one line of totals; what is kept and the best of what was
 * dropped, by reason, or every chunk and the layout, and totals.
 */
int stats(struct chunks *chunks, const struct budget_options *budget);
int explain(struct chunks *chunks, const struct budget_options *budget, bool everything);

/* What a story needs to know of the other stages. */
struct why_options {
    const struct output_options *output;
    const struct dedup_options *dedup;
    const struct budget_options *budget;
    const struct place_options *place;
    const struct prompt_options *prompt;
};

/*
 * Tells on standard error the story of each chunk that has one of the ids: what became of
 * it, what it lost to, and what would let it in; of an id that no chunk has, the nearest.
 * Of a group of --each, told has a place for each id, which becomes true where a chunk has
 * it, and of the others nothing is said; else it is NULL.
 */
int why(struct chunks *chunks, const struct why_options *options, bool *told);

/* After all groups: names the ids that none of them has told of. */
int why_untold(const struct output_options *options, const bool *told, size_t groups);

/* Reads the report of an earlier run; STATUS_INPUT or STATUS_SYSTEM after a message. */
int compare_load(const char *file, json_t **report);

/*
 * Says on standard error which chunks came, went, moved or have another reason since the
 * run of options->earlier, and which options differ.  settings are as for report().
 */
int compare(const struct chunks *chunks, const struct output_options *options, json_t *settings);

/* Sums over the groups of --each. */
struct totals {
    size_t read;
    size_t kept;
    size_t tokens;
    size_t neutralised;
};

/* Adds a group that is through the pipeline. */
void totals_add(struct totals *totals, const struct chunks *chunks);

/* The line of --stats for all groups, on standard error. */
int stats_total(const struct totals *totals, size_t groups, const struct budget_options *budget);

/*
 * Writes what became of every chunk to a file, as JSON; or, after an error, that.
 * settings are the options by their names, and become part of it; it takes over the
 * reference.  status is that of the run so far.
 */
int report(struct chunks *chunks, const struct output_options *options, json_t *settings,
           int status);

/* Whether that file is to be a page: its name ends so.  NULL is no file. */
bool report_is_page(const char *name);

/* Writes the same as one HTML page (page.h). */
int report_page(struct chunks *chunks, const struct output_options *output,
                const struct budget_options *budget, const struct prompt_options *prompt,
                json_t *settings, int status);

/* Adds to the file what report() writes, as one line: that of a group of --each. */
void report_add_line(struct outfile *file, const struct chunks *chunks,
                     const struct output_options *options, json_t *settings, int status);

/* Writes the lines that were dropped to a file; or adds them to one. */
int dropped(struct chunks *chunks, const struct output_options *options);
void dropped_add(struct outfile *file, const struct chunks *chunks,
                 const struct output_options *options);

/*
 * STATUS_NO after a message where --require or its like is not met.  With a require_table
 * nothing is said of the ids that the chunks, which are a group, do not have.
 */
int require(struct chunks *chunks, const struct output_options *options);

/* What is required of many groups, to be given to require_table_free(). */
struct require_table *require_table_new(const struct output_options *options);
void require_table_free(struct require_table *table);

/* After all groups: says of each id that some or all of them did not have that it is so. */
void require_unfound(const struct output_options *options);

/*
 * Instead of all that: the tokens of the files as they are, one after the other; the
 * table of a vocabulary, to standard output where no file is named.
 */
int write_count(const char *const *files, size_t count, struct counter *counter);
int write_compiled_vocab(const char *name, const char *file);

#endif
