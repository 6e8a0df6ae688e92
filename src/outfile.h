/* outfile.h: files beside standard output. */
#ifndef EDGEFOLD_OUTFILE_H
#define EDGEFOLD_OUTFILE_H

#include "slice.h"

/*
 * Writes the bytes to the named file: whole or not at all.  A regular file is
 * written beside its place and then moved there, with the permissions of the one
 * that it replaces; anything else (a terminal, a pipe, /dev/stderr) is written to.
 * Returns STATUS_OK, or STATUS_SYSTEM after a message.
 */
int outfile_write(const char *name, struct slice bytes);

#endif
