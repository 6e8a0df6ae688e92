/* normalise.h: Unicode normalisation that no text can make slow. */
#ifndef EDGEFOLD_NORMALISE_H
#define EDGEFOLD_NORMALISE_H

#include <stddef.h>
#include <stdint.h>

#include <utf8proc.h>

#include "slice.h"

/* A growing array of code points.  All zero is an empty one. */
struct code_points {
    int32_t *at;
    size_t count;
    size_t capacity;
    int32_t *scratch;
    size_t scratch_capacity;
};

/* Makes room for so many code points in all. */
void code_points_reserve(struct code_points *points, size_t capacity);

void code_points_free(struct code_points *points);

/*
 * Replaces points by the text as utf8proc_map() would map it with these options,
 * which must include UTF8PROC_COMPOSE.  utf8proc puts marks in their canonical
 * order by exchanging neighbours, in a time that grows with the square of their
 * number; here they are sorted by counting.  What is not UTF-8 becomes U+FFFD.  With
 * UTF8PROC_IGNORE every Default_Ignorable code point is left out, assigned or not.
 */
void code_points_map(struct code_points *points, struct slice text, utf8proc_option_t how);

#endif
