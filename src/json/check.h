/*
 * check.h: whether a line is JSON, and if not, what a person can do about it.
 *
 * jansson decides; what it refuses only because of a known habit of producers is
 * repaired (see repair.h) and checked again.
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
    bool skips;     /* unusable lines are passed over, which nobody need advise */
};

/* How many forms of lines are remembered, of at most so many bytes. */
#define FORMS_KNOWN 8
#define FORM_BYTES 16384

/* What checking needs from line to line. */
struct json_checker {
    struct buf stripped;
    struct buf forms[FORMS_KNOWN]; /* of stripped lines that are objects, by their length */
    struct buf repaired;
    struct {
        size_t count; /* lines */
        struct location first;
    } repairs[REPAIRS];
};

/* To be given to checker_free(). */
void checker_open(struct json_checker *checker);

/*
 * Checks a line.  STATUS_OK if it is one JSON object, *repairs having a bit for
 * each enum repair that it needed; else STATUS_INPUT after a message.  The byte
 * after the line must be readable.
 */
int check_line(struct json_checker *checker, struct slice line, struct location where,
               unsigned *repairs);

/* Whether a document of any number of lines is JSON; says nothing. */
bool check_is_json(struct json_checker *checker, struct slice document);

/*
 * Whether several documents stand one after the other, each an object or an array; first
 * is the first of them then.  Says nothing.
 */
bool check_is_several(struct json_checker *checker, struct slice text, struct slice *first);

/*
 * Checks a document of any number of lines, of any kind of value; the location's line
 * is that of its first.
 */
int check_document(struct json_checker *checker, struct slice document, struct location where);

/* Counts a repair that was made elsewhere, as one of that line. */
void checker_note(struct json_checker *checker, enum repair repair, struct location where);

/*
 * Warns of what was repaired, each kind once.  lines is what was checked: lines, elements
 * or results; are_written: they may be in the output.
 */
void checker_warn(const struct json_checker *checker, const char *lines, bool are_written);

void checker_free(struct json_checker *checker);

#endif
