/* coverage.c: see coverage.h. */
#include "coverage.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#define NOT_THERE SIZE_MAX

/*
 * Stretches by their order in the passages.  Those that stand in no other are a row, of
 * which the taken ones are known; what stands in one goes by its place there.
 */
struct coverage {
    const struct chunk *first; /* of all chunks, by which the places are found */
    struct stretch *stretches;
    size_t count;
    size_t *places;   /* by chunk: its stretch, or NOT_THERE */
    size_t *rows;     /* by stretch: its place in the row, or that of what it stands in */
    size_t *row;      /* the stretches of the row */
    size_t *passages; /* by place in the row: the first one of the passage */
    size_t row_count;
    uint64_t *taken; /* a bit for each of the row */
    size_t least;    /* code points of an overlap */
};

static void fill_row(struct coverage *coverage)
{
    size_t passage = 0;
    for (size_t i = 0; i < coverage->count; i++) {
        const struct stretch *stretch = &coverage->stretches[i];
        coverage->places[stretch->chunk - coverage->first] = i;
        if (stretch->inside == NULL) {
            passage = stretch->begins ? coverage->row_count : passage;
            coverage->passages[coverage->row_count] = passage;
            coverage->row[coverage->row_count++] = i;
        }
        coverage->rows[i] = coverage->row_count - 1; /* what it stands in comes right before */
    }
}

struct coverage *coverage_new(struct chunks *chunks, const struct place_options *placing)
{
    struct coverage *coverage = mem_zeroed(1, sizeof *coverage);
    coverage->first = chunks->all;
    coverage->least = placing->stitch;
    coverage->stretches = place_stretches(chunks, placing, &coverage->count);
    coverage->places = mem_zeroed(chunks->count, sizeof *coverage->places);
    coverage->rows = mem_zeroed(coverage->count, sizeof *coverage->rows);
    coverage->row = mem_zeroed(coverage->count, sizeof *coverage->row);
    coverage->passages = mem_zeroed(coverage->count, sizeof *coverage->passages);
    coverage->taken = mem_zeroed(coverage->count / 64 + 1, sizeof *coverage->taken);
    for (size_t i = 0; i < chunks->count; i++) {
        coverage->places[i] = NOT_THERE;
    }
    fill_row(coverage);
    return coverage;
}

void coverage_free(struct coverage *coverage)
{
    if (coverage != NULL) {
        free(coverage->stretches);
        free(coverage->places);
        free(coverage->rows);
        free(coverage->row);
        free(coverage->passages);
        free(coverage->taken);
        free(coverage);
    }
}

static bool is_taken(const struct coverage *coverage, size_t at)
{
    return (coverage->taken[at / 64] >> at % 64 & 1) != 0;
}

/* The nearest one of the row before `at` that is taken, in the same passage, or NULL. */
static const struct stretch *taken_before(const struct coverage *coverage, size_t at)
{
    size_t first = coverage->passages[at];
    while (at > first) {
        if (at % 64 == 0 && at - first >= 64 && coverage->taken[at / 64 - 1] == 0) {
            at -= 64;
        } else if (is_taken(coverage, --at)) {
            return &coverage->stretches[coverage->row[at]];
        }
    }
    return NULL;
}

static const struct stretch *taken_after(const struct coverage *coverage, size_t at)
{
    size_t first = coverage->passages[at];
    for (at++; at < coverage->row_count && coverage->passages[at] == first; at++) {
        while (at % 64 == 0 && at + 64 <= coverage->row_count && coverage->taken[at / 64] == 0) {
            at += 64;
        }
        if (at >= coverage->row_count || coverage->passages[at] != first) {
            break;
        }
        if (is_taken(coverage, at)) {
            return &coverage->stretches[coverage->row[at]];
        }
    }
    return NULL;
}

/* Whether so many bytes at the start of a text, or else at its end, are an overlap. */
static bool is_overlap(const struct coverage *coverage, struct slice text, size_t bytes)
{
    text.len = bytes < text.len ? bytes : text.len;
    return utf8_length(text) >= coverage->least;
}

struct addition coverage_of(const struct coverage *coverage, const struct chunk *chunk,
                            struct slice text)
{
    struct addition all = {.to = text.len, .at_end = true};
    size_t place = coverage->places[chunk - coverage->first];
    if (place == NOT_THERE) {
        return all;
    }
    const struct stretch *stretch = &coverage->stretches[place];
    size_t length = stretch->to - stretch->from;
    size_t at = coverage->rows[place];
    const struct stretch *before = taken_before(coverage, at);
    const struct stretch *after = taken_after(coverage, at);
    if (stretch->inside != NULL && is_taken(coverage, at)) {
        before = &coverage->stretches[coverage->row[at]]; /* what it stands in */
    }
    size_t end_before = before != NULL ? before->to : 0;
    size_t start_after = after != NULL ? after->from : SIZE_MAX;
    if (end_before >= stretch->to || start_after <= stretch->from) {
        return (struct addition){.from = text.len, .to = text.len, .joins = true};
    }
    struct addition addition = all;
    size_t said_before = end_before > stretch->from ? end_before - stretch->from : 0;
    size_t said_after = start_after < stretch->to ? stretch->to - start_after : 0;
    if (said_before > 0 && is_overlap(coverage, text, said_before)) {
        addition.from = squeeze_offset(text, said_before);
        addition.joins = true;
    }
    if (said_after > 0) {
        size_t start = squeeze_offset(text, length - said_after);
        if (is_overlap(coverage, slice_from(text, start), text.len - start)) {
            addition.to = start > addition.from ? start : addition.from;
            addition.bridges = addition.joins && start_after >= end_before;
            addition.joins = true;
            addition.at_end = false;
        }
    }
    return addition;
}

void coverage_take(struct coverage *coverage, const struct chunk *chunk)
{
    size_t place = coverage->places[chunk - coverage->first];
    if (place != NOT_THERE && coverage->stretches[place].inside == NULL) {
        size_t at = coverage->rows[place];
        coverage->taken[at / 64] |= (uint64_t)1 << at % 64;
    }
}

void coverage_clear(struct coverage *coverage)
{
    memset(coverage->taken, 0, (coverage->count / 64 + 1) * sizeof *coverage->taken);
}
