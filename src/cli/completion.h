/*
 * completion.h: what a shell completes.
 *
 * Each shell has a small script that is the same whatever the options are
 * (completion_scripts.h).  It hands the words of the line to the program and is told
 * what can stand at the cursor, so that what can be completed is read off the option
 * table and off this machine when the key is pressed.
 */
#ifndef EDGEFOLD_COMPLETION_H
#define EDGEFOLD_COMPLETION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "getopts.h"

/* What --completion takes: a shell, or "words", with which the scripts ask. */
bool completion_knows(const char *name);

/*
 * Adds the script of the shell.  For "words": what can stand at the last of the words of
 * a command line, the program's name left out, which is not finished and may be empty.
 * The first line of that is what is looked for (words, files, both or none), a tab, and
 * how much of the word stands before it; each line that follows is a word, a tab, and
 * what it is.
 */
void completion_add(struct buf *out, const char *name, const struct option_row *rows,
                    size_t row_count, const char *const *words, size_t word_count);

#endif
