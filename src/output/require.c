/* require.c: --require and its like: whether what matters is in the output, and where. */
#include "ids.h"
#include "output.h"

static void report_missing(const struct chunks *chunks, const struct chunk *chunk, const char *id)
{
    struct buf why = {0};
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
    report_missing(chunks, found, required->id);
    return false;
}

int require(struct chunks *chunks, const struct output_options *options)
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
    if (chunks->placed_count < options->min_chunks) {
        status = diag_error(STATUS_NO, "chunks kept: %zu, --min-chunks asks for %zu",
                            chunks->placed_count, options->min_chunks);
    }
    return status;
}
