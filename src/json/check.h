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

#include "base/mem.h"
#include "base/slice.h"
#include "repair.h"

/* Where a line comes from, for messages. */
struct place {
    const char *file;
    size_t line;    /* from 1 */
    bool cut_short; /* the file ends in this line without a line feed */
};

/* What judging needs from line to line. */
struct judge {
    struct buf skeleton;
    struct buf mended;
    struct {
        size_t count; /* lines */
        struct place first;
    } repairs[REPAIRS];
};

/* To be given to judge_free(). */
void judge_open(struct judge *judge);

/*
 * Judges a line.  STATUS_OK if it is one JSON object, *repairs having a bit for
 * each enum repair that it needed; else STATUS_INPUT after a message.  The byte
 * after the line must be readable.
 */
int judge_line(struct judge *judge, struct slice line, struct place place, unsigned *repairs);

/*
 * Judges a document of any number of lines, of any kind of value; the place's line
 * does not count.
 */
int judge_document(struct judge *judge, struct slice document, struct place place);

/* Warns of what was mended: each kind once. */
void judge_warn(const struct judge *judge);

void judge_free(struct judge *judge);

#endif
