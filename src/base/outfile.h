/* outfile.h: files beside standard output. */
#ifndef EDGEFOLD_OUTFILE_H
#define EDGEFOLD_OUTFILE_H

#include <stdbool.h>

#include "slice.h"

/*
 * Writes the bytes to the named file.  A regular file is written beside its place and
 * then moved there, whole or not at all, with the permissions of the one that it
 * replaces; where its folder does not allow that (it cannot be written, the name is too
 * long, a file is mounted there), it is written in its place.  /dev/stderr and the like
 * are the descriptors of that name; anything else (a terminal, a pipe) is written to.
 * Returns STATUS_OK, or STATUS_SYSTEM after a message.
 */
int outfile_write(const char *name, struct slice bytes);

/* Unknown is what the system does not tell; errno then says why. */
enum sameness { NOT_SAME, SAME, SAME_UNKNOWN };

/*
 * Whether two names are, or would be, those of one regular file: links are followed,
 * also where there is no file yet, and a descriptor is the file that is open there.
 */
enum sameness outfile_is(const char *name, const char *other);

/* Whether the name is that of the regular file that is open there. */
enum sameness outfile_is_open(const char *name, int fd);

/*
 * The same of two that are written.  Descriptors of one file that share its offset, or
 * that both append, are told apart: what is written to them stays in order.
 */
enum sameness outfile_overwrites(const char *name, const char *other);
enum sameness outfile_overwrites_open(const char *name, int fd);

#endif
