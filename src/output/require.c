/* require.c: --require and its like: whether what matters is in the output, and where. */
#include <stdlib.h>
#include <string.h>

#include "ids.h"
#include "output.h"

static void report_missing(const struct chunks *chunks, const struct chunk *chunk,
                           const struct requirement *required)
{
    const char *id = required->id;
    struct buf why = {0};
    if (required->implied) {
        return;
    }
    if (chunk == NULL) {
        buf_add_string(&why, chunks_no_such_id(chunks));
    } else if (chunk->fate == FATE_KEPT) {
        buf_add_format(&why, "at position %zu of %zu, which is no edge", chunk->position,
                       chunks->document_count);
    } else {
        fate_add_place(&why, chunks, chunk);
        buf_add_string(&why, ": ");
        fate_describe(&why, chunks, chunk);
    }
    buf_add_byte(&why, '\0');
    diag_error(STATUS_NO, "required chunk '%s' is not %s: %s", id,
               chunk != NULL && chunk->fate == FATE_KEPT ? "first or last" : "in the output",
               why.at);
    buf_free(&why);
}

static bool check_id(const struct chunks *chunks, struct ids *ids,
                     const struct requirement *required)
{
    const struct chunk *found = ids_find(ids, required->id, required->edge);
    if (found != NULL && chunks_has_placed(chunks, found, required->edge)) {
        return true;
    }
    report_missing(chunks, found, required);
    return false;
}

/* What is known of a requirement, in the group at hand and over all of them. */
struct require_state {
    struct chunk *found;      /* in the group, or NULL */
    size_t groups;            /* that have had the id */
    struct slice first_group; /* without it; null where none has been */
};

struct require_table {
    struct id_names names;
    struct require_state *states; /* by requirement */
    size_t *touched;              /* the requirements whose ids the group has */
    size_t touched_count;
    size_t *complete; /* those whose ids all groups have had */
    size_t complete_count;
    size_t groups;
    bool any_id; /* some chunk has one */
    struct arena arena;
};

struct require_table *require_table_new(const struct output_options *options)
{
    size_t count = options->requirement_count;
    struct require_table *table = mem_zeroed(1, sizeof *table);
    table->states = mem_zeroed(count, sizeof *table->states);
    table->touched = mem_zeroed(count, sizeof *table->touched);
    table->complete = mem_zeroed(count, sizeof *table->complete);
    table->complete_count = count;
    for (size_t i = 0; i < count; i++) {
        id_names_add(&table->names, options->requirements[i].id, i);
        table->complete[i] = i;
    }
    id_names_sort(&table->names);
    return table;
}

void require_table_free(struct require_table *table)
{
    id_names_free(&table->names);
    arena_free(&table->arena);
    free(table->states);
    free(table->touched);
    free(table->complete);
    free(table);
}

/* Finds what is required, chunk by chunk. */
static void find_required(struct chunks *chunks, const struct output_options *options)
{
    struct require_table *table = options->require_table;
    table->touched_count = 0;
    for (size_t i = 0; i < chunks->count; i++) {
        struct chunk *chunk = &chunks->all[i];
        size_t place = 0;
        size_t number;
        table->any_id |= chunk->id_length > 0;
        while (id_names_find(&table->names, chunk, &place, &number)) {
            struct require_state *state = &table->states[number];
            if (state->found == NULL) {
                table->touched[table->touched_count++] = number;
            }
            state->found =
                ids_answer(chunks, state->found, chunk, options->requirements[number].edge);
        }
    }
}

/* Notes which ids the group is the first to lack; what that costs goes with those it has. */
static void note_lacking(struct require_table *table, struct slice group)
{
    size_t complete = 0;
    struct slice name = {0};
    for (size_t i = 0; i < table->complete_count; i++) {
        size_t number = table->complete[i];
        if (table->states[number].found != NULL) {
            table->complete[complete++] = number;
            continue;
        }
        if (name.at == NULL) {
            char *copy = arena_alloc(&table->arena, group.len);
            memcpy(copy, group.at, group.len);
            name = (struct slice){copy, group.len};
        }
        table->states[number].first_group = name;
    }
    table->complete_count = complete;
}

static int by_number(const void *left, const void *right)
{
    size_t a = *(const size_t *)left;
    size_t b = *(const size_t *)right;
    return (a > b) - (a < b);
}

static int require_of_group(struct chunks *chunks, const struct output_options *options)
{
    struct require_table *table = options->require_table;
    find_required(chunks, options);
    note_lacking(table, chunks->group);
    int status = table->touched_count < options->requirement_count ? STATUS_NO : STATUS_OK;
    if (table->touched_count > 0) {
        qsort(table->touched, table->touched_count, sizeof *table->touched, by_number);
    }
    for (size_t i = 0; i < table->touched_count; i++) {
        const struct requirement *required = &options->requirements[table->touched[i]];
        struct require_state *state = &table->states[table->touched[i]];
        if (!chunks_has_placed(chunks, state->found, required->edge)) {
            report_missing(chunks, state->found, required);
            status = STATUS_NO;
        }
        state->found = NULL;
        state->groups++;
    }
    table->groups++;
    return status;
}

static void report_unfound(const struct require_table *table, const struct require_state *state,
                           const char *id)
{
    if (!table->any_id) {
        diag_error(STATUS_NO,
                   "required chunk '%s' is not in the output: no chunk of the %zu groups has an "
                   "id; --id names the field",
                   id, table->groups);
    } else if (state->groups == 0) {
        diag_error(STATUS_NO,
                   "required chunk '%s' is not in the output: no chunk of the %zu groups has this "
                   "id",
                   id, table->groups);
    } else {
        enum { SHOWN = 60 }; /* bytes */
        struct slice name = utf8_start(state->first_group, SHOWN);
        diag_error(STATUS_NO,
                   "required chunk '%s' is not in the output of %zu of the %zu groups, the first "
                   "'%.*s': no chunk there has this id",
                   id, table->groups - state->groups, table->groups, (int)name.len, name.at);
    }
}

void require_unfound(const struct output_options *options)
{
    const struct require_table *table = options->require_table;
    for (size_t i = 0; i < options->requirement_count; i++) {
        const struct requirement *required = &options->requirements[i];
        if (table->states[i].groups < table->groups && !required->implied) {
            report_unfound(table, &table->states[i], required->id);
        }
    }
}

static int require_ids(struct chunks *chunks, const struct output_options *options)
{
    int status = STATUS_OK;
    struct ids ids;
    ids_open(&ids, chunks, options->requirement_count);
    for (size_t i = 0; i < options->requirement_count; i++) {
        if (!check_id(chunks, &ids, &options->requirements[i])) {
            status = STATUS_NO;
        }
    }
    ids_free(&ids);
    return status;
}

int require(struct chunks *chunks, const struct output_options *options)
{
    int status = options->require_table != NULL ? require_of_group(chunks, options)
                                                : require_ids(chunks, options);
    if (chunks->placed_count < options->min_chunks) {
        status = diag_error(STATUS_NO, "chunks kept: %zu, --min-chunks asks for %zu",
                            chunks->placed_count, options->min_chunks);
    }
    return status;
}
