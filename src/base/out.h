/* out.h: standard output, checked to the last byte. */
#ifndef EDGEFOLD_OUT_H
#define EDGEFOLD_OUT_H

#include <sys/uio.h>

#include "mem.h"
#include "slice.h"

#define OUT_SLICES 1024

/*
 * Gathers slices and writes them with writev: no byte is copied.  All zero is
 * an empty one.  Slices must stay as they are until out_flush() has returned.
 */
struct out {
    struct iovec slices[OUT_SLICES];
    int count;
};

/* Both return STATUS_OK, or STATUS_SYSTEM after a message. */
int out_add(struct out *out, struct slice slice);
int out_flush(struct out *out);

/* Writes all that text holds, and empties it; STATUS_OK, or STATUS_SYSTEM after a message. */
int out_write(struct buf *text);

/* So many bytes are worth a write. */
#define OUT_ENOUGH ((size_t)1 << 20)

/* Closes standard output: some systems report a full disk only here. */
int out_close(void);

#endif
