/*
 * choice.h: options whose argument is one of some names.
 *
 * A concern keeps one table a kind of choice, with all that belongs to a value in
 * its row.  What the command line, --help and the report need of a row is in the
 * struct choice that it begins with.
 */
#ifndef EDGEFOLD_CHOICE_H
#define EDGEFOLD_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "mem.h"
#include "slice.h"

struct choice {
    const char *name;
    const char *number; /* what to call the number after a colon, as in edges:K; or NULL */
    const char *help;   /* for --help */
};

/* A table: its rows by their index, which is what is stored; the first is the default. */
struct choices {
    const struct choice *(*row)(size_t index);
    size_t count;
};

/*
 * Finds the row that an argument names, and the number that it gives, from 1 up,
 * where the row takes one.  Returns NULL, or what the argument should have been, in
 * words that wrong holds.
 */
const char *choice_find(const struct choices *choices, const char *argument, size_t *index,
                        size_t *number, struct buf *wrong);

/*
 * How many bytes must be inserted, deleted or replaced, or neighbours exchanged, to make
 * one word of the other (Damerau 1964); SIZE_MAX for long words.
 */
size_t choice_distance(const char *a, const char *b);

/* How many such slips a word can have and still be meant: more in a longer one. */
size_t choice_most_slips(const char *word);

/* The name of a row. */
const char *choice_name(const struct choices *choices, size_t index);

/* Adds the names as "fold, edges:K, rank". */
void choice_add_names(struct buf *out, const struct choices *choices);

#endif
