/* layout.c: see layout.h. */
#include "layout.h"

#include <stdlib.h>

#include "base/base.h"

/*
 * A layout is a function from the place, counted from 0, to the rank among the
 * n kept chunks, counted from 0.  A new one is a function here, a row in
 * layouts, and a name in options.c.
 */
typedef size_t layout_function(size_t place, size_t n, const struct options *options);

/* 1 3 5 6 4 2: odd ranks from the front, even ranks from the back. */
static size_t place_fold(size_t place, size_t n, const struct options *options)
{
    (void)options;
    size_t front = (n + 1) / 2;
    return place < front ? 2 * place : 2 * (n - 1 - place) + 1;
}

static size_t place_fold_last(size_t place, size_t n, const struct options *options)
{
    return place_fold(n - 1 - place, n, options);
}

static size_t place_rank(size_t place, size_t n, const struct options *options)
{
    (void)n;
    (void)options;
    return place;
}

static size_t place_reverse(size_t place, size_t n, const struct options *options)
{
    (void)options;
    return n - 1 - place;
}

/* LangChain and LlamaIndex deal out from the worst: the best is last when n is even. */
static size_t place_langchain(size_t place, size_t n, const struct options *options)
{
    return n % 2 == 1 ? place_fold(place, n, options) : place_fold_last(place, n, options);
}

/* The K best, the rest, the next K; each in rank order. */
static size_t place_edges(size_t place, size_t n, const struct options *options)
{
    size_t first = options->edges < n ? options->edges : n;
    size_t last = options->edges < n - first ? options->edges : n - first;
    if (place < first) {
        return place;
    }
    size_t rest = n - first - last;
    return place < first + rest ? place + last : place - rest;
}

/* By enum layout; LAYOUT_INPUT has none, since it does not go by rank. */
static layout_function *const layouts[] = {
    [LAYOUT_FOLD] = place_fold,
    [LAYOUT_FOLD_LAST] = place_fold_last,
    [LAYOUT_RANK] = place_rank,
    [LAYOUT_REVERSE] = place_reverse,
    [LAYOUT_LANGCHAIN] = place_langchain,
    [LAYOUT_EDGES] = place_edges,
    [LAYOUT_INPUT] = NULL,
};

static void place_as_they_came(struct chunks *chunks)
{
    size_t n = 0;
    for (size_t i = 0; i < chunks->count; i++) {
        if (chunks->all[i].fate == FATE_KEPT) {
            chunks->placed[n++] = &chunks->all[i];
        }
    }
}

void place_chunks(struct chunks *chunks, const struct options *options)
{
    free(chunks->placed);
    struct chunk **kept = mem_zeroed(chunks->ranked_count, sizeof(struct chunk *));
    size_t n = 0;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        chunks->ranked[i]->position = 0;
        if (chunks->ranked[i]->fate == FATE_KEPT) {
            kept[n++] = chunks->ranked[i];
        }
    }
    chunks->placed = mem_zeroed(n, sizeof(struct chunk *));
    chunks->placed_count = n;
    layout_function *layout = layouts[options->layout];
    if (layout == NULL) {
        place_as_they_came(chunks);
    }
    for (size_t place = 0; place < n; place++) {
        if (layout != NULL) {
            chunks->placed[place] = kept[layout(place, n, options)];
        }
        chunks->placed[place]->position = place + 1;
    }
    free(kept);
}
