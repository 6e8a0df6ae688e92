/* getopts.h: a command line taken apart by a table of options. */
#ifndef EDGEFOLD_GETOPTS_H
#define EDGEFOLD_GETOPTS_H

#include <stddef.h>

/* What an option's argument is, and what it is stored as. */
enum option_kind {
    OPTION_FLAG,   /* takes none; bool, set to true */
    OPTION_COUNT,  /* a whole number from 1 up; size_t */
    OPTION_NUMBER, /* a whole number from 0 up; size_t */
    OPTION_STRING, /* const char *, not copied */
    OPTION_PATH,   /* struct path; to be given to path_free() */
    OPTION_OTHER   /* by a function of its own */
};

/* One option, declared once: parsing and --help are made from it. */
struct option_row {
    const char *heading;  /* NULL, or the group that this row opens in --help */
    const char *name;     /* long, without the dashes */
    char letter;          /* 0: none */
    const char *argument; /* its name in --help, in brackets if it can be left
                           * out; NULL: the option takes none */
    const char *help;     /* lines separated by \n */
    enum option_kind kind;
    size_t offset; /* of the member in `target` that it is stored in */
    /* Other: takes the argument (or NULL); returns NULL, or what it should have been. */
    const char *(*set)(void *target, const char *argument);
};

/*
 * Goes through argv with getopt_long and stores what it finds, in order.  A long
 * option must be written in full.  Returns STATUS_OK with *operands the index of
 * the first operand in argv (which is permuted), or STATUS_USAGE after a message.
 */
int getopts_parse(const struct option_row *rows, size_t count, void *target, int argc, char **argv,
                  int *operands);

/* Prints the table to standard output. */
void getopts_print_help(const struct option_row *rows, size_t count);

#endif
