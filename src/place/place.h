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

#include <stddef.h>

#include "base/base.h"
#include "chunk.h"

struct place_options {
    size_t layout;     /* a row of layout_choices */
    size_t edges;      /* the K of edges:K */
    const char *sweep; /* the id of a chunk that is to stand at each position in turn, or NULL */
};

extern const struct choices layout_choices;

/*
 * Sets chunks->placed to the kept chunks in the order of the layout, and their
 * positions.  Places anew when something was dropped since the last call.
 */
int place(struct chunks *chunks, const struct place_options *options);

/*
 * The same with one of them, which must be kept, at a position of its own, from 1;
 * the others stay in the layout's order.
 */
void place_planted(struct chunks *chunks, const struct place_options *options,
                   struct chunk *planted, size_t position);

#endif
