/* outfile.h: files beside standard output. */
#ifndef EDGEFOLD_OUTFILE_H
#define EDGEFOLD_OUTFILE_H

#include <stdbool.h>

#include "mem.h"
#include "slice.h"

/*
 * A file that is written piece by piece, without being held whole.  A regular file is
 * written beside its place and then moved there, whole or not at all, with the
 * permissions of the one that it replaces; where its folder does not allow that (it
 * cannot be written, the name is too long, a file is mounted there), it is written in its
 * place.  /dev/stderr and the like are the descriptors of that name; anything else (a
 * terminal, a pipe) is written to.
 */
struct outfile;

/*
 * When something may be there that can no longer be taken back, as in a pipe or a file
 * that is written in its place: from the first bytes on, or only at the end, until when
 * such a file is held in memory.
 */
enum outfile_time { OUTFILE_AT_ONCE, OUTFILE_AT_END };

/*
 * Gets ready to write the named file, which is not touched before there are bytes enough
 * to be worth it.  The name must live as long.  To be given to outfile_commit() or
 * outfile_abandon(), which free it.
 */
struct outfile *outfile_open(const char *name, enum outfile_time time);

/* Adds bytes.  What fails is told by outfile_commit(), and what comes after it is left out. */
void outfile_add(struct outfile *file, struct slice bytes);

/* Adds all that the buffer holds, and empties it. */
void outfile_take(struct outfile *file, struct buf *bytes);

/* Puts what was added in its place; STATUS_OK, or STATUS_SYSTEM after a message. */
int outfile_commit(struct outfile *file);

/* Leaves the file as it is, as far as it can be.  NULL is none. */
void outfile_abandon(struct outfile *file);

/* All of that for bytes that are there already: as outfile_commit(). */
int outfile_write(const char *name, struct slice bytes);

/* Unknown is what the system does not tell; errno then says why. */
enum sameness { NOT_SAME, SAME, SAME_UNKNOWN };

/*
 * Whether two names are, or would be, those of one file that keeps what is written to it:
 * a regular one or a block device.  Links are followed, also where there is no file yet,
 * and a descriptor is the file that is open there.  Two names of a pipe are the same, too.
 */
enum sameness outfile_is(const char *name, const char *other);

/* Whether the name is that of the file of that kind that is open there. */
enum sameness outfile_is_open(const char *name, int fd);

/*
 * The same of two that are written.  Descriptors of one file that share its offset, or
 * that both append, are told apart: what is written to them stays in order.
 */
enum sameness outfile_overwrites(const char *name, const char *other);
enum sameness outfile_overwrites_open(const char *name, int fd);
enum sameness outfile_streams_overwrite(int fd, int other);

#endif
