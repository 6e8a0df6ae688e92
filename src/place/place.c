/* place.c: see place.h. */
#include "place.h"

#include <stdlib.h>

#include "layout.h"

int place(struct chunks *chunks, const struct place_options *options)
{
    struct chunk **kept = mem_zeroed(chunks->ranked_count, sizeof(struct chunk *));
    size_t n = 0;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        chunks->ranked[i]->position = 0;
        if (chunks->ranked[i]->fate == FATE_KEPT) {
            kept[n++] = chunks->ranked[i];
        }
    }
    free(chunks->placed);
    chunks->placed = mem_zeroed(n, sizeof(struct chunk *));
    chunks->placed_count = n;
    layout_order(chunks->placed, kept, n, options);
    for (size_t i = 0; i < n; i++) {
        chunks->placed[i]->position = i + 1;
    }
    free(kept);
    return STATUS_OK;
}

void place_planted(struct chunks *chunks, const struct place_options *options,
                   struct chunk *planted, size_t position)
{
    place(chunks, options);
    size_t target = position - 1;
    size_t from = planted->position - 1;
    struct chunk **placed = chunks->placed;
    for (; from < target; from++) {
        placed[from] = placed[from + 1];
    }
    for (; from > target; from--) {
        placed[from] = placed[from - 1];
    }
    placed[target] = planted;
    for (size_t i = 0; i < chunks->placed_count; i++) {
        placed[i]->position = i + 1;
    }
}
