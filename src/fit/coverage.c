/* coverage.c: see coverage.h. */
#include "coverage.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/base.h"

#define NOT_THERE SIZE_MAX

/* Stretches by their order in the passages; what stands in another one is none of a row. */
struct coverage {
    const struct chunk *first; /* of all chunks, by which the places are found */
    struct stretch *stretches;
    size_t count;
    size_t *places;   /* by chunk: its stretch, or NOT_THERE */
    size_t *passages; /* by stretch: the first one of its passage */
    uint64_t *taken;  /* a bit for each stretch */
    size_t least;     /* code points of an overlap */
};

struct coverage *coverage_new(struct chunks *chunks, const struct place_options *placing)
{
    struct coverage *coverage = mem_zeroed(1, sizeof *coverage);
    coverage->first = chunks->all;
    coverage->least = placing->stitch;
    coverage->stretches = place_stretches(chunks, placing, &coverage->count);
    coverage->places = mem_zeroed(chunks->count, sizeof *coverage->places);
    coverage->passages = mem_zeroed(coverage->count, sizeof *coverage->passages);
    coverage->taken = mem_zeroed(coverage->count / 64 + 1, sizeof *coverage->taken);
    for (size_t i = 0; i < chunks->count; i++) {
        coverage->places[i] = NOT_THERE;
    }
    for (size_t i = 0; i < coverage->count; i++) {
        const struct stretch *stretch = &coverage->stretches[i];
        coverage->places[stretch->chunk - coverage->first] = i;
        coverage->passages[i] = stretch->begins ? i : coverage->passages[i - 1];
    }
    return coverage;
}

void coverage_free(struct coverage *coverage)
{
    if (coverage != NULL) {
        free(coverage->stretches);
        free(coverage->places);
        free(coverage->passages);
        free(coverage->taken);
        free(coverage);
    }
}

static bool is_taken(const struct coverage *coverage, size_t place)
{
    return (coverage->taken[place / 64] >> place % 64 & 1) != 0;
}

static bool in_row(const struct coverage *coverage, size_t place)
{
    return is_taken(coverage, place) && coverage->stretches[place].inside == NULL;
}

/* The nearest one before that is taken, in the same passage; NOT_THERE: none. */
static size_t taken_before(const struct coverage *coverage, size_t place)
{
    size_t first = coverage->passages[place];
    while (place > first) {
        if (place % 64 == 0 && place - first >= 64 && coverage->taken[place / 64 - 1] == 0) {
            place -= 64;
        } else if (in_row(coverage, --place)) {
            return place;
        }
    }
    return NOT_THERE;
}

static size_t taken_after(const struct coverage *coverage, size_t place)
{
    size_t first = coverage->passages[place];
    for (place++; place < coverage->count && coverage->passages[place] == first; place++) {
        while (place % 64 == 0 && place + 64 <= coverage->count &&
               coverage->taken[place / 64] == 0) {
            place += 64;
        }
        if (place >= coverage->count || coverage->passages[place] != first) {
            break;
        }
        if (in_row(coverage, place)) {
            return place;
        }
    }
    return NOT_THERE;
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
    size_t before = taken_before(coverage, place);
    size_t after = taken_after(coverage, place);
    size_t end_before = before != NOT_THERE ? coverage->stretches[before].to : 0;
    size_t start_after = after != NOT_THERE ? coverage->stretches[after].from : SIZE_MAX;
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
    if (place != NOT_THERE) {
        coverage->taken[place / 64] |= (uint64_t)1 << place % 64;
    }
}
