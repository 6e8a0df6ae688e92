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

#endif
