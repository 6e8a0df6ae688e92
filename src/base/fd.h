/* fd.h: descriptors that are written to the last byte. */
#ifndef EDGEFOLD_FD_H
#define EDGEFOLD_FD_H

#include <stdbool.h>

#include "slice.h"

/*
 * Writes all of the bytes; where somebody has made the descriptor non-blocking, it waits.
 * False with errno set.
 */
bool fd_write(int fd, struct slice bytes);

/* After a failed call on fd: whether to try again, having waited for it where that is due. */
bool fd_retry(int fd, short events);

/*
 * The descriptor, moved away from where standard input, output and error belong: where one
 * of them is closed a file takes its place, and would get what is meant for that one.
 * -1 with errno set, and fd closed, where it cannot be moved.
 */
int fd_clear_of_streams(int fd);

#endif
