/* progress.h: how far reading is, for whoever waits at a terminal. */
#ifndef EDGEFOLD_PROGRESS_H
#define EDGEFOLD_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slice.h"

/* All zero shows nothing. */
struct progress {
    bool active;
    bool shown;
    uint64_t start; /* in milliseconds of some clock */
    uint64_t last;  /* when the line was last drawn */
    uint64_t came;  /* when something was last read; both since the start */
    size_t bytes;
    size_t total; /* 0: not known */
    size_t lines;
    size_t queries; /* that are done */
};

/* Nothing is ever shown unless it is wanted and standard error is a terminal. */
void progress_open(struct progress *progress, bool wanted);

/* How many bytes more there will be, where that is known. */
void progress_expect(struct progress *progress, size_t bytes);

/*
 * Notes what was read.  After a second of reading one line on standard error says
 * how much it was, and is drawn anew at most ten times a second.
 */
void progress_note(struct progress *progress, struct slice block);

/*
 * Waits until something can be read from the descriptor, and meanwhile draws the line
 * anew each second, which then says for how long nothing has come.  At once where nothing
 * is shown; whoever types on a terminal is shown nothing from here on.
 */
void progress_wait(struct progress *progress, int fd);

/* Notes that one more query is done. */
void progress_note_query(struct progress *progress);

/* Erases the line, until it is drawn again. */
void progress_erase(struct progress *progress);

/* Erases the line. */
void progress_close(struct progress *progress);

#endif
