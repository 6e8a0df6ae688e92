/*
 * check.h: whether a line is JSON, and if not, what a person can do about it.
 *
 * jansson judges; what it refuses only because of a known habit of producers is
 * mended (see repair.h) and judged again.
 */
#ifndef EDGEFOLD_CHECK_H
#define EDGEFOLD_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "repair.h"

/* Where a line comes from, for messages. */
struct location {
    const char *file;
    size_t line;    /* from 1 */
    bool cut_short; /* the file ends in this line without a line feed */
};

/* What judging needs from line to line. */
struct json_checker {
    struct buf skeleton;
    struct buf mended;
    struct {
        size_t count; /* lines */
        struct location first;
    } repairs[REPAIRS];
};

/* To be given to checker_free(). */
void checker_open(struct json_checker *judge);

/*
 * Judges a line.  STATUS_OK if it is one JSON object, *repairs having a bit for
 * each enum repair that it needed; else STATUS_INPUT after a message.  The byte
 * after the line must be readable.
 */
int check_line(struct json_checker *judge, struct slice line, struct location place,
               unsigned *repairs);

/*
 * Judges a document of any number of lines, of any kind of value; the place's line
 * does not count.
 */
int check_document(struct json_checker *judge, struct slice document, struct location place);

/* Warns of what was mended: each kind once. */
void checker_warn(const struct json_checker *judge);

void checker_free(struct json_checker *judge);

#endif
