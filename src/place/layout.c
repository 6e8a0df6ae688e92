/* layout.c: see layout.h. */
#include "layout.h"

/*
 * A layout is a function from the place, counted from 0, to the rank among the n
 * units, counted from 0.  A new one is a function here and a row in layouts.
 */
typedef size_t layout_function(size_t place, size_t n, const struct place_options *options);

/* 1 3 5 6 4 2: odd ranks from the front, even ranks from the back. */
static size_t place_fold(size_t place, size_t n, const struct place_options *options)
{
    (void)options;
    size_t front = (n + 1) / 2;
    return place < front ? 2 * place : 2 * (n - 1 - place) + 1;
}

static size_t place_fold_last(size_t place, size_t n, const struct place_options *options)
{
    return place_fold(n - 1 - place, n, options);
}

static size_t place_rank(size_t place, size_t n, const struct place_options *options)
{
    (void)n;
    (void)options;
    return place;
}

static size_t place_reverse(size_t place, size_t n, const struct place_options *options)
{
    (void)options;
    return n - 1 - place;
}

/* LangChain and LlamaIndex deal out from the worst: the best is last when n is even. */
static size_t place_langchain(size_t place, size_t n, const struct place_options *options)
{
    return n % 2 == 1 ? place_fold(place, n, options) : place_fold_last(place, n, options);
}

/* By rank, to be put in the order of the input then. */
static size_t place_input(size_t place, size_t n, const struct place_options *options)
{
    return place_rank(place, n, options);
}

/* The K best, the rest, the next K; each in rank order. */
static size_t place_edges(size_t place, size_t n, const struct place_options *options)
{
    size_t first = options->edges < n ? options->edges : n;
    size_t last = options->edges < n - first ? options->edges : n - first;
    if (place < first) {
        return place;
    }
    size_t rest = n - first - last;
    return place < first + rest ? place + last : place - rest;
}

/* The first is the default. */
static const struct {
    struct choice choice;
    layout_function *rank_at;
} layouts[] = {
    {{"fold", NULL, "1 3 5 6 4 2: best first, second-best last"}, place_fold},
    {{"fold-last", NULL, "2 4 6 5 3 1: its mirror, best last"}, place_fold_last},
    {{"edges", "K", "1 2 5 6 3 4 for K = 2: the K best first, the next K last"}, place_edges},
    {{"rank", NULL, "1 2 3 4 5 6: best first"}, place_rank},
    {{"reverse", NULL, "6 5 4 3 2 1: best last"}, place_reverse},
    {{"input", NULL, "as they came"}, place_input},
    {{"langchain", NULL, "2 4 6 5 3 1, for five 1 3 5 4 2: as LongContextReorder"},
     place_langchain},
};

static const struct choice *choice_of(size_t layout)
{
    return &layouts[layout].choice;
}

const struct choices layout_choices = {choice_of, sizeof layouts / sizeof layouts[0]};

size_t layout_unit_at(size_t place, size_t n, const struct place_options *options)
{
    return layouts[options->layout].rank_at(place, n, options);
}

bool layout_is_input(const struct place_options *options)
{
    return layouts[options->layout].rank_at == place_input;
}
