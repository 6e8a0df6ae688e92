/*
 * cli.h: what the user asked for.
 *
 * Each folder declares the options that it obeys; here they are put together, and
 * filled from the command line by one table (options.c), from which --help, the
 * report's list of options and what is to be freed are made too.
 */
#ifndef EDGEFOLD_CLI_H
#define EDGEFOLD_CLI_H

#include <jansson.h>

#include "base/base.h"
#include "dedup/dedup.h"
#include "fit/fit.h"
#include "output/output.h"
#include "place/place.h"
#include "prompt/prompt.h"
#include "rank/rank.h"
#include "read/read.h"

enum action {
    ACTION_RUN,
    ACTION_COUNT,
    ACTION_COMPILE,
    ACTION_COMPLETION,
    ACTION_HELP,
    ACTION_VERSION
};

struct options {
    enum action action;
    const char *compiled_vocab; /* what --compile-vocab is to compile */
    const char *table_file;     /* and where to; NULL: standard output */
    const char *completion;     /* what --completion is to print */
    size_t colour;              /* when messages are coloured */
    bool quiet;                 /* no warnings */
    struct read_options read;
    struct rank_options rank;
    struct dedup_options dedup;
    struct budget_options budget;
    struct place_options place;
    struct prompt_options prompt;
    struct output_options output;
};

/*
 * Fills options from the command line, with the defaults for what it leaves open,
 * and reads the files of the prompt.  Returns STATUS_OK, or another status after a
 * message.  In either case the options are to be given to options_free().  Strings
 * are not copied: argv must outlive the options.
 */
int options_parse(struct options *options, int argc, char **argv);

void options_free(struct options *options);

/* The options by their names, for the report; a new reference. */
json_t *options_show(const struct options *options);

/* Write to standard output; STATUS_OK, or STATUS_SYSTEM after a message. */
int options_write_help(void);
int options_write_version(void);
int options_write_completion(const struct options *options);

#endif
