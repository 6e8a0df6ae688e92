/* getopts.h: a command line taken apart by a table of options. */
#ifndef EDGEFOLD_GETOPTS_H
#define EDGEFOLD_GETOPTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "cli.h"

/* What an option's argument is, and what it is stored as. */
enum option_kind {
    OPTION_FLAG,   /* takes none; bool, set to true */
    OPTION_TIMES,  /* takes none; size_t, how often it is given */
    OPTION_COUNT,  /* a whole number from 1 up; size_t, 0 where it is not given */
    OPTION_NUMBER, /* a whole number from 0 up; size_t */
    OPTION_STRING, /* const char *, not copied */
    OPTION_FILE,   /* the same, which is not empty */
    OPTION_ID,
    OPTION_PATH,   /* struct path */
    OPTION_PATHS,  /* struct path_list; repeatable */
    OPTION_CHOICE, /* one of some names; size_t, the index of a row of choices */
    OPTION_OTHER   /* by functions of its own */
};

/*
 * One option, declared once: parsing, --help, what the report shows and what is to
 * be freed are all made from this.
 */
struct option_row {
    const char *heading;  /* NULL, or the group that this row opens in --help */
    const char *name;     /* long, without the dashes */
    char letter;          /* 0: none */
    const char *argument; /* its name in --help, in brackets if it can be left
                           * out; NULL: the option takes none */
    const char *help;     /* one paragraph; a choice's names come after it */
    enum option_kind kind;
    size_t at; /* of the member of struct options that it is stored in */
    const struct choices *choices;
    size_t number_at; /* of a choice's number; 0: there is none */
    bool repeats;     /* it counts each time that it is given; paths do so as it is */
    /*
     * Other: takes the argument (or NULL); returns NULL, or what it should have been.
     * The value for the report, a new reference (NULL: it is not shown).  What frees it.
     */
    const char *(*set)(struct options *options, const char *argument);
    json_t *(*show)(const struct options *options);
    void (*free)(struct options *options);
};

/*
 * Goes through argv with getopt_long and stores what it finds, in order.  A long
 * option must be written in full.  Returns STATUS_OK with *operands the index of
 * the first operand in argv (which is permuted), or STATUS_USAGE after a message.
 */
int getopts_parse(const struct option_row *rows, size_t count, struct options *options, int argc,
                  char **argv, int *operands);

/* Adds the table as --help has it. */
void getopts_add_help(struct buf *out, const struct option_row *rows, size_t count);

/* The options by their names, "_" for "-"; a new reference. */
json_t *getopts_show(const struct option_row *rows, size_t count, const struct options *options);

/* Frees what the options hold. */
void getopts_free(const struct option_row *rows, size_t count, struct options *options);

#endif
