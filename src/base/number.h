/* number.h: the only parsers of numbers, for options and for scores. */
#ifndef EDGEFOLD_NUMBER_H
#define EDGEFOLD_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem.h"
#include "slice.h"

/* A decimal as written, in lowest terms: 0.85 is 17/20. */
struct fraction {
    uint32_t num;
    uint32_t den;
};

/* Digits only, at least 1: no sign, no blank, no unit.  False leaves *value alone. */
bool number_positive(const char *string, size_t *value);

/* 0 < value <= 1 as digits with at most nine decimals ("0.85", ".5", "1"). */
bool number_threshold(const char *string, struct fraction *value);

/*
 * A decimal above 0 below 100000 with at most four digits after its point, as
 * num / den in lowest terms.
 */
bool number_decimal(const char *string, size_t *num, size_t *den);

/* Digits only, 0 to most. */
bool number_up_to(struct slice digits, size_t most, size_t *value);

/*
 * A finite number in JSON's grammar (RFC 8259, section 6), the whole slice and
 * nothing else.  The byte after the slice must be readable and must not belong
 * to the number, which holds for every value inside a line.  Independent of the
 * locale as long as nobody calls setlocale.
 */
bool number_json(struct slice text, double *value);

/* Whether it is one, without its value: for sure; of large ones and long ones it is not said. */
bool number_is_moderate(struct slice text);

/*
 * The same without an end: what is beyond a double becomes the largest one of its
 * sign, and the words Infinity and -Infinity are infinite.
 */
bool number_clamped(struct slice text, double *value);

/*
 * The same as people write it on a command line, as sort and awk take it: ".5", "5."
 * and "+5" too.  written is the whole string.
 */
bool number_option(const char *written, double *value);

/* A number in JSON's grammar that is a whole one from 0 to most, as 2, 2.0 and 2e0 are. */
bool number_whole(struct slice number, size_t most, size_t *value);

/*
 * Adds a number in JSON's grammar in a form that is the same for all spellings of it:
 * 2, 2.0 and 0.2e1 are "2".
 */
void number_add_canonical(struct buf *out, struct slice number);

/*
 * Compares two numbers that number_clamped() has taken, digit by digit, for those
 * that are the same double: negative, 0 or positive as a is less than, equal to
 * or greater than b.
 */
int number_compare(struct slice a, struct slice b);

#endif
