/* outfile.h: files beside standard output. */
#ifndef EDGEFOLD_OUTFILE_H
#define EDGEFOLD_OUTFILE_H

#include <stdbool.h>

#include "slice.h"

/*
 * Writes the bytes to the named file: whole or not at all.  A regular file is
 * written beside its place and then moved there, with the permissions of the one
 * that it replaces.  /dev/stderr and the like are the descriptors of that name;
 * anything else (a terminal, a pipe) is written to.  Returns STATUS_OK, or
 * STATUS_SYSTEM after a message.
 */
int outfile_write(const char *name, struct slice bytes);

/* Whether two names are those of one file, which can be written only once. */
bool outfile_is(const char *name, const char *other);

#endif
