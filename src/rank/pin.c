/* pin.c: the chunks that are in whatever their rank. */
#include "rank.h"

#include <stdlib.h>

#include "ids.h"

static int refuse(const struct chunks *chunks, const struct chunk *chunk, const char *id)
{
    struct buf why = {0};
    if (chunk == NULL) {
        buf_add_string(&why, chunks_no_such_id(chunks));
    } else {
        fate_add_place(&why, chunks, chunk);
        buf_add_string(&why, ": ");
        fate_describe(&why, chunks, chunk);
    }
    diag_error(STATUS_NO, "the chunk '%s' cannot be pinned: %.*s", id, (int)why.len, why.at);
    buf_free(&why);
    return STATUS_NO;
}

/* Marks one, where it is usable and not marked already. */
static void mark(struct chunk *chunk, const struct pin *pin, uint32_t number)
{
    if (chunk->fate == FATE_NOT_RERANKED) {
        chunk->fate = FATE_KEPT; /* without a score, it comes last in the ranking */
        chunk->scored = false;
        chunk->score_length = 0;
    }
    if (chunk->fate == FATE_KEPT && chunk->pin == 0) {
        chunk->pin = number;
        chunk->pinned_last = pin->last;
    }
}

static int pin_id(struct chunks *chunks, struct ids *ids, const struct pin *pin, uint32_t number)
{
    struct id_search search = ids_search(ids, pin->id);
    struct chunk *found = NULL;
    struct chunk *chunk;
    bool marked = false;
    while ((chunk = ids_next(ids, &search)) != NULL) {
        if (chunk->fate == FATE_FUSED) { /* what was taken in its place answers for it */
            chunk = &chunks->all[details_of(chunk)->survivor - chunks->all];
        }
        mark(chunk, pin, number);
        found = chunk;
        marked |= chunk->pin > 0;
    }
    return marked ? STATUS_OK : refuse(chunks, found, pin->id);
}

/* What is known of a pin, in the group at hand and over all of them. */
struct pin_state {
    const struct chunk *found; /* the last one in the group that has the id, or NULL */
    bool marked;
    bool ever_found;
};

struct pin_table {
    struct id_names names;
    struct pin_state *states; /* by pin */
    size_t *touched;          /* the pins that the group has */
};

struct pin_table *pin_table_new(const struct rank_options *options)
{
    struct pin_table *table = mem_zeroed(1, sizeof *table);
    table->states = mem_zeroed(options->pin_count, sizeof *table->states);
    table->touched = mem_zeroed(options->pin_count, sizeof *table->touched);
    for (size_t i = 0; i < options->pin_count; i++) {
        id_names_add(&table->names, options->pins[i].id, i);
    }
    id_names_sort(&table->names);
    return table;
}

void pin_table_free(struct pin_table *table)
{
    id_names_free(&table->names);
    free(table->states);
    free(table->touched);
    free(table);
}

static int by_number(const void *left, const void *right)
{
    size_t a = *(const size_t *)left;
    size_t b = *(const size_t *)right;
    return (a > b) - (a < b);
}

/* Marks what the pins name, chunk by chunk; returns how many of them the group has. */
static size_t mark_group(struct chunks *chunks, const struct rank_options *options)
{
    struct pin_table *table = options->pin_table;
    size_t touched = 0;
    for (size_t i = 0; i < chunks->count; i++) {
        struct chunk *chunk = &chunks->all[i];
        size_t place = 0;
        size_t number;
        while (id_names_find(&table->names, chunk, &place, &number)) {
            struct pin_state *state = &table->states[number];
            mark(chunk, &options->pins[number], (uint32_t)number + 1);
            if (state->found == NULL) {
                table->touched[touched++] = number;
            }
            state->found = chunk;
            state->marked |= chunk->pin > 0;
        }
    }
    return touched;
}

static int pin_group(struct chunks *chunks, const struct rank_options *options)
{
    struct pin_table *table = options->pin_table;
    int status = STATUS_OK;
    size_t touched = mark_group(chunks, options);
    if (touched > 0) {
        qsort(table->touched, touched, sizeof *table->touched, by_number);
    }
    for (size_t i = 0; i < touched; i++) {
        size_t number = table->touched[i];
        const struct pin_state *state = &table->states[number];
        if (!state->marked) {
            status = refuse(chunks, state->found, options->pins[number].id);
        }
        table->states[number] = (struct pin_state){.ever_found = true};
    }
    return status;
}

int pin_unfound(const struct rank_options *options, size_t groups)
{
    int status = STATUS_OK;
    for (size_t i = 0; i < options->pin_count && groups > 0; i++) {
        if (!options->pin_table->states[i].ever_found) {
            status = diag_error(
                STATUS_NO,
                "the chunk '%s' cannot be pinned: no chunk of the %zu groups has this id",
                options->pins[i].id, groups);
        }
    }
    return status;
}

int pin(struct chunks *chunks, const struct rank_options *options)
{
    if (options->pin_table != NULL) {
        return pin_group(chunks, options);
    }
    int status = STATUS_OK;
    struct ids ids;
    ids_open(&ids, chunks, options->pin_count);
    for (size_t i = 0; i < options->pin_count; i++) {
        if (pin_id(chunks, &ids, &options->pins[i], (uint32_t)i + 1) != STATUS_OK) {
            status = STATUS_NO;
        }
    }
    ids_free(&ids);
    return status;
}
