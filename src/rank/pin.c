/* pin.c: the chunks that are in whatever their rank. */
#include "rank.h"

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

int pin(struct chunks *chunks, const struct rank_options *options)
{
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
