/* lines.h: a file's lines as they come, without the whole file in memory. */
#ifndef EDGEFOLD_LINES_H
#define EDGEFOLD_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "mem.h"
#include "progress.h"
#include "slice.h"

/* All zero is closed. */
struct lines {
    const char *name; /* for messages */
    bool is_open;
    int fd;
    struct buf bytes; /* what was read and is not taken yet, from `start` on */
    size_t start;
    size_t searched; /* up to there no line ends */
    bool at_end;
    bool any_taken;
    size_t number; /* of the last line taken, from 1 */
};

/*
 * Opens the named file, or standard input for "-".  STATUS_OK, or STATUS_SYSTEM after a
 * message.
 */
int lines_open(struct lines *lines, const char *operand, struct progress *progress);

/*
 * Finds the next line: with its line end, if it has one, and with a NUL or more of the file
 * after it; good until the next call.  *found is false at the end.  Waits until it is there.
 */
int lines_next(struct lines *lines, struct progress *progress, struct slice *line, bool *found);

/* Takes the line that was found last: the next one is another. */
void lines_take(struct lines *lines, struct slice line);

/* Closes the file; it can be opened again. */
void lines_close(struct lines *lines);

/* Frees what it holds. */
void lines_free(struct lines *lines);

#endif
