/* normalise.c: see normalise.h. */
#include "normalise.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "utf8.h"

/* Room for what one code point can become; the longest in Unicode is 18. */
#define MOST_FROM_ONE 32

void code_points_reserve(struct code_points *points, size_t capacity)
{
    points->at = mem_grow(points->at, &points->capacity, capacity, sizeof *points->at);
}

void code_points_free(struct code_points *points)
{
    free(points->at);
    free(points->scratch);
    *points = (struct code_points){0};
}

static uint8_t class_of(int32_t c)
{
    return (uint8_t)utf8proc_get_property(c)->combining_class;
}

/* Sorts a run of marks by their classes, equal ones staying in order (Unicode 3.11 D109). */
static void sort_marks(struct code_points *points, int32_t *marks, size_t count)
{
    size_t starts[257] = {0};
    points->scratch =
        mem_grow(points->scratch, &points->scratch_capacity, count, sizeof *points->scratch);
    for (size_t i = 0; i < count; i++) {
        starts[class_of(marks[i]) + 1]++;
    }
    for (size_t class = 1; class < 257; class ++) {
        starts[class] += starts[class - 1];
    }
    for (size_t i = 0; i < count; i++) {
        points->scratch[starts[class_of(marks[i])]++] = marks[i];
    }
    memcpy(marks, points->scratch, count * sizeof *marks);
}

static void order_marks(struct code_points *points)
{
    for (size_t i = 0; i < points->count;) {
        size_t end = i;
        while (end < points->count && class_of(points->at[end]) != 0) {
            end++;
        }
        if (end > i + 1) {
            sort_marks(points, points->at + i, end - i);
        }
        i = end + 1;
    }
}

static void decompose(struct code_points *points, struct slice text, utf8proc_option_t how)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text.at;
    const utf8proc_uint8_t *end = at + text.len;
    int boundary = UTF8PROC_BOUNDCLASS_START;
    points->count = 0;
    while (at < end) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate(at, end - at, &c);
        at += n > 0 ? n : 1;
        if (n > 0 && (how & UTF8PROC_IGNORE) != 0 && utf8_is_ignorable((uint32_t)c)) {
            continue;
        }
        code_points_reserve(points, points->count + MOST_FROM_ONE);
        n = utf8proc_decompose_char(n > 0 ? c : 0xfffd, points->at + points->count, MOST_FROM_ONE,
                                    how, &boundary);
        points->count += n > 0 ? (size_t)n : 0;
    }
}

void code_points_map(struct code_points *points, struct slice text, utf8proc_option_t how)
{
    decompose(points, text, how);
    order_marks(points);
    utf8proc_ssize_t n = utf8proc_normalize_utf32(points->at, (utf8proc_ssize_t)points->count, how);
    points->count = n > 0 ? (size_t)n : 0;
}
