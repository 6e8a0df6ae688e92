/*
 * place.c: see place.h.
 *
 * What a layout places are units: a chunk, a passage of several (stitch.h), or what is of
 * one group.  A unit ranks as its best chunk does; in it nothing is folded.
 */
#include "place.h"

#include <stdlib.h>

#include "ids.h"
#include "layout.h"
#include "order.h"

bool place_sweeps(const struct place_options *options)
{
    return options->sweep != NULL || options->sweep_if.depth > 0;
}

struct chunk *place_swept(const struct chunks *chunks, const struct place_options *options)
{
    if (options->sweep != NULL) {
        struct ids ids;
        ids_open(&ids, chunks, 1);
        struct chunk *swept = ids_find(&ids, options->sweep, false);
        ids_free(&ids);
        return swept;
    }
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct slice value = chunk_member(chunks->ranked[i], &options->sweep_if);
        if (value_kind_of(value) == VALUE_TRUE) {
            return chunks->ranked[i];
        }
    }
    return NULL;
}

/* A passage or single chunk: `count` chunks from `first` on. */
struct document {
    struct chunk **first;
    size_t count;
    uint32_t unit; /* equal in the documents of one unit */
    struct order_key key;
};

/* The documents of a unit. */
struct unit {
    struct document *first;
    size_t count;
    size_t rank;               /* of its best chunk */
    const struct chunk *chunk; /* the first of the input */
};

/* Chunks on their way to their places. */
struct placing {
    const struct place_options *options;
    struct chunk **chunks; /* those that the layout places, best first, then by documents */
    size_t count;
    struct document *documents;
    size_t document_count;
    struct unit *units;
    size_t unit_count;
    struct arena arena;    /* what keys say */
    struct arena *details; /* where the chunks' are made */
    struct chunk *swept;   /* or NULL */
    int status;
};

/* Chunks stand in input order in one array, and so do their files. */
static int by_input(const struct chunk *a, const struct chunk *b)
{
    return a < b ? -1 : a > b;
}

/* By group, those without one apart, and by rank in each. */
static int by_group(const void *left, const void *right)
{
    const struct chunk *a = *(struct chunk *const *)left;
    const struct chunk *b = *(struct chunk *const *)right;
    if (a->group != b->group) {
        return a->group < b->group ? -1 : 1;
    }
    return a->rank < b->rank ? -1 : 1;
}

/* Whether two chunks that stand side by side by group may be of one unit. */
static bool of_one_group(const struct placing *placing, const struct chunk *a,
                         const struct chunk *b)
{
    return !placing->options->grouped || (a->group == b->group && a->group > 0);
}

/* Has chunks stand passage by passage, each among those of its group alone. */
static void stitch_groups(struct placing *placing, struct stretch *stretches)
{
    struct chunk **chunks = placing->chunks;
    for (size_t start = 0; start < placing->count;) {
        size_t end = start + 1;
        while (end < placing->count && of_one_group(placing, chunks[start], chunks[end])) {
            end++;
        }
        if (end - start > 1 || stretches != NULL) {
            stitch(chunks + start, end - start, placing->options->stitch, placing->details,
                   stretches != NULL ? stretches + start : NULL);
        }
        start = end;
    }
}

/* What of a chunk is set anew each time. */
static void forget(struct chunk *chunk)
{
    chunk->position = 0;
    chunk_unjoin(chunk);
}

static bool is_plain(const struct place_options *options)
{
    return !options->grouped && options->order.depth == 0 && options->stitch == 0;
}

/*
 * The chunks that the layout places: kept and not pinned.  What is swept is a unit of its
 * own, and left out here.
 */
static void collect(struct placing *placing, struct chunks *chunks)
{
    bool plain = is_plain(placing->options);
    placing->chunks = mem_zeroed(chunks->ranked_count, sizeof(struct chunk *));
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        forget(chunk);
        if (chunk->fate == FATE_KEPT && chunk->pin == 0 && (chunk != placing->swept || plain)) {
            placing->chunks[placing->count++] = chunk;
        }
    }
    if (placing->options->grouped) {
        qsort(placing->chunks, placing->count, sizeof(struct chunk *), by_group);
    }
}

/* --order without groups and passages: all that is kept is one unit. */
static bool is_one_unit(const struct place_options *options)
{
    return options->order.depth > 0 && !options->grouped && options->stitch == 0;
}

static bool begins_unit(const struct placing *placing, size_t i)
{
    if (i == 0) {
        return true;
    }
    if (is_one_unit(placing->options)) {
        return false;
    }
    return !placing->options->grouped ||
           !of_one_group(placing, placing->chunks[i - 1], placing->chunks[i]);
}

static void make_documents(struct placing *placing)
{
    const struct path *order = &placing->options->order;
    placing->documents = mem_zeroed(placing->count + 1, sizeof *placing->documents);
    uint32_t units = 0;
    for (size_t i = 0; i < placing->count; i++) {
        struct chunk *chunk = placing->chunks[i];
        if (details_of(chunk)->joined != NULL) {
            placing->documents[placing->document_count - 1].count++;
            continue;
        }
        units += begins_unit(placing, i);
        struct document *document = &placing->documents[placing->document_count++];
        *document = (struct document){.first = &placing->chunks[i], .count = 1, .unit = units};
        document->key.kind = ORDER_MISSING;
        if (order->depth > 0) {
            document->key = order_key_of(chunk, order, &placing->arena);
        }
    }
    if (placing->swept != NULL && placing->swept->fate == FATE_KEPT && placing->swept->pin == 0) {
        placing->documents[placing->document_count++] =
            (struct document){.first = &placing->swept,
                              .count = 1,
                              .unit = units + 1,
                              .key = {.kind = ORDER_MISSING}};
    }
}

static int by_order(const void *left, const void *right)
{
    const struct document *a = left;
    const struct document *b = right;
    int order = order_compare(&a->key, &b->key);
    return order != 0 ? order : by_input(*a->first, *b->first);
}

static const struct chunk *find_kind(const struct unit *unit, enum order_kind kind)
{
    for (size_t i = 0; i < unit->count; i++) {
        if (unit->first[i].key.kind == kind) {
            return *unit->first[i].first;
        }
    }
    return NULL;
}

/* Numbers and words have no order together. */
static int check_order(const struct unit *unit, const struct chunks *chunks,
                       const struct path *order)
{
    const struct chunk *number = find_kind(unit, ORDER_NUMBER);
    const struct chunk *text = find_kind(unit, ORDER_TEXT);
    if (number == NULL || text == NULL) {
        return STATUS_OK;
    }
    struct buf place = {0};
    struct buf other = {0};
    fate_add_place(&place, chunks, text);
    fate_add_place(&other, chunks, number);
    diag_error(
        STATUS_INPUT,
        "%.*s: --order %s: a word here, but a number at %.*s, and they have no order together",
        (int)place.len, place.at, order->written, (int)other.len, other.at);
    buf_free(&place);
    buf_free(&other);
    return STATUS_INPUT;
}

/* Puts documents of one unit in its order, and finds the unit's best and first chunk. */
static struct unit make_unit(struct document *first, size_t count)
{
    struct unit unit = {first, count, SIZE_MAX, NULL};
    qsort(first, count, sizeof *first, by_order);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < first[i].count; k++) {
            const struct chunk *chunk = first[i].first[k];
            unit.rank = chunk->rank < unit.rank ? chunk->rank : unit.rank;
            unit.chunk = unit.chunk == NULL || by_input(chunk, unit.chunk) < 0 ? chunk : unit.chunk;
        }
    }
    return unit;
}

static int unit_by_rank(const void *left, const void *right)
{
    const struct unit *a = left;
    const struct unit *b = right;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static int unit_by_input(const void *left, const void *right)
{
    return by_input(((const struct unit *)left)->chunk, ((const struct unit *)right)->chunk);
}

static void make_units(struct placing *placing, const struct chunks *chunks)
{
    placing->units = mem_zeroed(placing->document_count, sizeof *placing->units);
    for (size_t i = 0; i < placing->document_count;) {
        size_t count = 1;
        while (i + count < placing->document_count &&
               placing->documents[i + count].unit == placing->documents[i].unit) {
            count++;
        }
        struct unit *unit = &placing->units[placing->unit_count++];
        *unit = make_unit(&placing->documents[i], count);
        if (placing->status == STATUS_OK) {
            placing->status = check_order(unit, chunks, &placing->options->order);
        }
        i += count;
    }
    qsort(placing->units, placing->unit_count, sizeof *placing->units, unit_by_rank);
}

static void place_document(struct chunks *chunks, struct chunk *const *first, size_t count)
{
    chunks->document_count++;
    for (size_t i = 0; i < count; i++) {
        first[i]->position = chunks->document_count;
        chunks->placed[chunks->placed_count++] = first[i];
    }
}

static int from_start(const void *left, const void *right)
{
    const struct chunk *a = *(struct chunk *const *)left;
    const struct chunk *b = *(struct chunk *const *)right;
    return a->pin != b->pin ? (a->pin < b->pin ? -1 : 1) : by_input(a, b);
}

/* Of one id, which several chunks can have, they stand as they came. */
static int from_end(const void *left, const void *right)
{
    const struct chunk *a = *(struct chunk *const *)left;
    const struct chunk *b = *(struct chunk *const *)right;
    return a->pin != b->pin ? (a->pin > b->pin ? -1 : 1) : by_input(a, b);
}

/* What is pinned at one edge; the first that was named is the outermost. */
static void place_pinned(struct chunks *chunks, bool last)
{
    struct chunk **pinned = NULL;
    size_t n = 0;
    size_t capacity = 0;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->pin > 0 && chunk->fate == FATE_KEPT && chunk->pinned_last == last) {
            pinned = mem_grow(pinned, &capacity, n + 1, sizeof(struct chunk *));
            pinned[n++] = chunk;
        }
    }
    if (n > 0) {
        qsort(pinned, n, sizeof(struct chunk *), last ? from_end : from_start);
    }
    for (size_t i = 0; i < n; i++) {
        place_document(chunks, &pinned[i], 1);
    }
    free(pinned);
}

static void place_units(struct placing *placing, struct chunks *chunks)
{
    size_t n = placing->unit_count;
    if (layout_is_input(placing->options)) {
        qsort(placing->units, n, sizeof *placing->units, unit_by_input);
    }
    for (size_t i = 0; i < n; i++) {
        const struct unit *unit = &placing->units[layout_unit_at(i, n, placing->options)];
        for (size_t k = 0; k < unit->count; k++) {
            place_document(chunks, unit->first[k].first, unit->first[k].count);
        }
    }
}

static int chunk_by_input(const void *left, const void *right)
{
    return by_input(*(struct chunk *const *)left, *(struct chunk *const *)right);
}

/* Where each chunk is a unit, which is nearly always. */
static void place_chunks(struct placing *placing, struct chunks *chunks)
{
    size_t n = placing->count;
    if (layout_is_input(placing->options)) {
        qsort(placing->chunks, n, sizeof(struct chunk *), chunk_by_input);
    }
    for (size_t i = 0; i < n; i++) {
        place_document(chunks, &placing->chunks[layout_unit_at(i, n, placing->options)], 1);
    }
}

static void place_middle(struct placing *placing, struct chunks *chunks)
{
    const struct place_options *options = placing->options;
    if (is_plain(options)) {
        place_chunks(placing, chunks);
        return;
    }
    if (options->stitch > 0) {
        stitch_groups(placing, NULL);
    }
    make_documents(placing);
    make_units(placing, chunks);
    place_units(placing, chunks);
}

static int place_all(struct chunks *chunks, const struct place_options *options,
                     struct chunk *swept)
{
    struct placing placing = {.options = options, .swept = swept, .details = &chunks->arena};
    collect(&placing, chunks);
    free(chunks->placed);
    chunks->placed = mem_zeroed(chunks->ranked_count, sizeof(struct chunk *));
    chunks->placed_count = 0;
    chunks->document_count = 0;
    place_pinned(chunks, false);
    place_middle(&placing, chunks);
    place_pinned(chunks, true);
    free(placing.chunks);
    free(placing.documents);
    free(placing.units);
    arena_free(&placing.arena);
    return placing.status;
}

int place(struct chunks *chunks, const struct place_options *options)
{
    return place_all(chunks, options, place_sweeps(options) ? place_swept(chunks, options) : NULL);
}

static bool is_pinned(const struct chunk *chunk, bool last)
{
    return chunk->pin > 0 && chunk->pinned_last == last;
}

struct positions place_range(struct chunks *chunks, const struct place_options *options,
                             struct chunk *planted)
{
    place_all(chunks, options, planted);
    size_t first = 0;
    size_t end = chunks->placed_count;
    while (first < end && is_pinned(chunks->placed[first], false)) {
        first++;
    }
    size_t last = 0;
    while (end > first && is_pinned(chunks->placed[end - 1], true)) {
        end--;
        last++;
    }
    return (struct positions){first + 1, chunks->document_count - last};
}

void place_planted(struct chunks *chunks, const struct place_options *options,
                   struct chunk *planted, size_t position)
{
    place_all(chunks, options, planted);
    struct chunk **placed = chunks->placed;
    size_t at = 0;
    while (placed[at] != planted) {
        at++;
    }
    for (; at + 1 < chunks->placed_count && placed[at + 1]->position <= position; at++) {
        placed[at] = placed[at + 1];
        placed[at]->position--;
    }
    for (; at > 0 && placed[at - 1]->position >= position; at--) {
        placed[at] = placed[at - 1];
        placed[at]->position++;
    }
    placed[at] = planted;
    planted->position = position;
}

struct stretch *place_stretches(struct chunks *chunks, const struct place_options *options,
                                size_t *count)
{
    struct placing placing = {.options = options, .details = &chunks->arena};
    placing.swept = place_sweeps(options) ? place_swept(chunks, options) : NULL;
    collect(&placing, chunks);
    struct stretch *stretches = mem_zeroed(placing.count, sizeof *stretches);
    stitch_groups(&placing, stretches);
    *count = placing.count;
    free(placing.chunks);
    return stretches;
}

void place_measure_repeats(struct chunks *chunks)
{
    size_t n = chunks->placed_count;
    struct chunk **copy = mem_zeroed(n, sizeof(struct chunk *));
    struct buf scratch = {0};
    size_t repeated = 0;
    size_t all = 0;
    for (size_t i = 0; i < n; i++) {
        copy[i] = chunks->placed[i];
    }
    stitch(copy, n, STITCH_DEFAULT, &chunks->arena, NULL);
    for (size_t i = 0; i < n; i++) {
        all += chunk_text(copy[i], &scratch).len;
        repeated += details_of(copy[i])->overlap;
        chunk_unjoin(copy[i]);
    }
    chunks->repeated = all > 0 ? repeated * 100 / all : 0;
    buf_free(&scratch);
    free(copy);
}
