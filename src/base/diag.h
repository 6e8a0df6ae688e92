/* diag.h: messages on standard error, and what the exit status means. */
#ifndef EDGEFOLD_DIAG_H
#define EDGEFOLD_DIAG_H

#include <stdbool.h>
#include <stddef.h>

#include "slice.h"

struct buf;

enum status {
    STATUS_OK = 0,    /* done */
    STATUS_NO = 1,    /* done, and the answer is no: nothing is left to print */
    STATUS_USAGE = 2, /* wrong usage; nothing was read */
    STATUS_INPUT = 3, /* bad input; nothing was written */
    STATUS_SYSTEM = 4 /* open, read, write or memory failed */
};

#ifdef __GNUC__
#define DIAG_PRINTF(at, first) __attribute__((format(printf, at, first)))
#define DIAG_NORETURN __attribute__((noreturn))
#else
#define DIAG_PRINTF(at, first)
#define DIAG_NORETURN
#endif

/*
 * All of these print one message and leave the rest to the caller.  A message
 * goes out in a single write, prefixed with "edgefold: ".  Control bytes (C0,
 * C1, DEL), bytes that are not UTF-8 and characters that reorder text are shown as \xNN, since a
 * message may quote the input and a terminal would obey them.  Where standard error may
 * be coloured, the word "warning" is, and before an error the program's name.
 */

/* Prints a message; returns the status it was given. */
int diag_error(enum status status, const char *format, ...) DIAG_PRINTF(2, 3);

/* Prints a message about the command line and where to get help; returns STATUS_USAGE. */
int diag_usage(const char *format, ...) DIAG_PRINTF(1, 2);

/* Prints what was asked for. */
void diag_note(const char *format, ...) DIAG_PRINTF(1, 2);

/*
 * Prints something that the user should know but that stops nothing, unless the log is
 * quiet.
 */
void diag_warn(const char *format, ...) DIAG_PRINTF(1, 2);

/*
 * Prints FILE:LINE: or, when column is not 0, FILE:LINE:COLUMN: and a message.
 * Line and column (in code points) count from 1.  Returns STATUS_INPUT.
 */
int diag_input(const char *file, size_t line, size_t column, const char *format, ...)
    DIAG_PRINTF(4, 5);

/* The same, where what is wrong is not the input: returns the status it was given. */
int diag_place(enum status status, const char *file, size_t line, size_t column, const char *format,
               ...) DIAG_PRINTF(5, 6);

/*
 * What is kept of messages while a program runs; main owns it.  All zero to begin with,
 * to be given to diag_close().
 */
struct diag_log {
    struct buf *last;     /* the last message, without its prefix and line end */
    struct buf *held;     /* messages that are not printed yet */
    struct buf *warnings; /* those that nobody has taken, each with a NUL at its end */
    unsigned holds;       /* diag_hold() calls that wait for their diag_release() */
    bool quiet;
    const char *scope; /* what messages without a place begin with, or NULL */
};

/* Messages go through the log from here on. */
void diag_open(struct diag_log *log);
void diag_close(struct diag_log *log);

/* What messages without a place begin with from here on; NULL: nothing.  Not copied. */
void diag_scope(const char *scope);

/* Warnings are kept and not printed from here on. */
void diag_quieten(void);
bool diag_is_quiet(void);

/* Moves the warnings so far to out, without their prefix, each with a NUL at its end. */
void diag_take_warnings(struct buf *out);

/* The last message; empty when there was none. */
struct slice diag_last(void);

/*
 * Holds messages back until they are released: forgotten, or printed, which is as soon as
 * nothing else holds them.  held is what diag_hold() has returned; the last hold is the
 * first to be released.  Without a log messages are printed at once.
 */
size_t diag_hold(void);
void diag_release(size_t held, bool print);

/* Adds text to out with such bytes shown so. */
void diag_escape(struct buf *out, struct slice text);

/* Writes bytes to standard error as they are; STATUS_OK, or STATUS_SYSTEM. */
int diag_write(struct slice bytes);

/* Writes the message and ends the program at once; to be called in a signal handler. */
void diag_end(const char *message) DIAG_NORETURN;

/* Reports that so many bytes could not be had, and ends the program. */
void diag_out_of_memory(size_t bytes) DIAG_NORETURN;

#endif
