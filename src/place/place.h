/*
 * place.h: where the kept chunks stand.
 *
 * A model reads the two ends of a long context best (Liu et al. 2023, "Lost in the
 * Middle"), so the best chunks go there.  Placing comes after all dropping: a filter
 * that trims what it has folded cuts off its second-best chunk.  Only the budget, which
 * counts the finished prompt, places before that.  The layouts are in layout.c.
 */
#ifndef EDGEFOLD_PLACE_H
#define EDGEFOLD_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "chunk.h"
#include "squeeze.h"
#include "stitch.h"
#include "json/json.h"

/* The layout until it is settled: the first one, unless another is given. */
#define LAYOUT_UNSET SIZE_MAX

/* Overlaps are at least so many code points, unless --stitch says otherwise. */
#define STITCH_DEFAULT 40

struct place_options {
    size_t layout; /* a row of layout_choices */
    size_t edges;  /* the K of edges:K */
    bool layout_given;
    bool grouped;         /* chunks of one group stand together */
    struct path order;    /* within a group; depth 0: as they came */
    size_t stitch;        /* code points that make an overlap; 0: nothing is joined */
    const char *sweep;    /* the id of a chunk that is to stand at each position in turn, or NULL */
    struct path sweep_if; /* or where it has true; depth 0: nowhere */
};

/* Whether a chunk is to stand at each position in turn. */
bool place_sweeps(const struct place_options *options);

/* That chunk, kept or not; NULL: there is none. */
struct chunk *place_swept(const struct chunks *chunks, const struct place_options *options);

extern const struct choices layout_choices;

/*
 * Sets chunks->placed to the kept chunks in the order of the layout, and their
 * positions; the chunks of a passage stand together and have one.  Places anew when
 * something was dropped since the last call.  STATUS_OK, or STATUS_INPUT after a message
 * where --order compares numbers with words.
 */
int place(struct chunks *chunks, const struct place_options *options);

/* Positions from one to another. */
struct positions {
    size_t first;
    size_t last;
};

/* Those that the planted chunk can have: not outside of what is pinned. */
struct positions place_range(struct chunks *chunks, const struct place_options *options,
                             struct chunk *planted);

/*
 * As place() does, but with one chunk, which must be kept, at a position of its own in that
 * range, in no group and no passage; the others stay in the layout's order.
 */
void place_planted(struct chunks *chunks, const struct place_options *options,
                   struct chunk *planted, size_t position);

/*
 * Finds in which passages the chunks would stand that are not dropped yet: as many
 * stretches, passage by passage; to be given to free().  Only with options->stitch.
 */
struct stretch *place_stretches(struct chunks *chunks, const struct place_options *options,
                                size_t *count);

/*
 * Sets how much of the placed text was said before in it, where nothing is stitched.
 */
void place_measure_repeats(struct chunks *chunks);

#endif
