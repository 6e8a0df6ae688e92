/* require.c: --require and its like: whether what matters is in the output, and where. */
#include "base/base.h"
#include "fate.h"
#include "pipeline.h"

/* Whether a chunk satisfies a requirement, its id apart. */
static bool satisfies(const struct chunks *chunks, const struct chunk *chunk, bool edge)
{
    bool at_edge = chunk->position == 1 || chunk->position == chunks->placed_count;
    return chunk->fate == FATE_KEPT && (!edge || at_edge);
}

static void report_missing(const struct chunks *chunks, const struct chunk *chunk, const char *id,
                           const struct options *options)
{
    struct buf why = {0};
    if (chunk == NULL) {
        buf_add_string(&why, "no chunk has this id");
    } else if (chunk->fate == FATE_KEPT) {
        buf_add_format(&why, "at position %zu of %zu, which is no edge", chunk->position,
                       chunks->placed_count);
    } else {
        fate_add_place(&why, chunks, chunk);
        buf_add_string(&why, ": ");
        fate_describe(&why, chunks, chunk, options);
    }
    buf_add_byte(&why, '\0');
    diag_error(STATUS_NO, "required chunk '%s' is not %s: %s", id,
               chunk != NULL && chunk->fate == FATE_KEPT ? "first or last" : "in the output",
               why.at);
    buf_free(&why);
}

/* Of several chunks with the id the best-ranked answers, if none is where it is to be. */
static bool check_id(const struct chunks *chunks, const struct requirement *required,
                     const struct options *options)
{
    struct buf scratch = {0};
    const struct chunk *found = NULL;
    bool satisfied = false;
    for (size_t i = 0; i < chunks->count && !satisfied; i++) {
        const struct chunk *chunk = &chunks->all[i];
        if (chunk->id.len == 0 ||
            !slice_equal(chunk_id_text(chunk, &scratch), slice_of(required->id))) {
            continue;
        }
        satisfied = satisfies(chunks, chunk, required->edge);
        bool better =
            found == NULL || (chunk->rank > 0 && (found->rank == 0 || chunk->rank < found->rank));
        found = better || satisfied ? chunk : found;
    }
    buf_free(&scratch);
    if (!satisfied) {
        report_missing(chunks, found, required->id, options);
    }
    return satisfied;
}

int require(struct chunks *chunks, const struct options *options)
{
    int status = STATUS_OK;
    for (size_t i = 0; i < options->requirement_count; i++) {
        if (!check_id(chunks, &options->requirements[i], options)) {
            status = STATUS_NO;
        }
    }
    if (chunks->placed_count < options->min_chunks) {
        status = diag_error(STATUS_NO, "chunks kept: %zu, --min-chunks asks for %zu",
                            chunks->placed_count, options->min_chunks);
    }
    return status;
}
