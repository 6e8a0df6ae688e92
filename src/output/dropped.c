/* dropped.c: --dropped: the lines that are not in the output, for whoever misses one. */
#include "base/base.h"
#include "pipeline.h"

static void add_line(struct buf *out, const struct chunk *chunk)
{
    buf_add_slice(out, chunk_line(chunk));
    buf_add_byte(out, '\n');
}

/* Those with a rank by it, then those that never got one, as they came. */
int dropped(struct chunks *chunks, const struct options *options)
{
    if (options->dropped == NULL) {
        return STATUS_OK;
    }
    struct buf lines = {0};
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        if (chunks->ranked[i]->fate != FATE_KEPT) {
            add_line(&lines, chunks->ranked[i]);
        }
    }
    for (size_t i = 0; i < chunks->count; i++) {
        if (chunks->all[i].rank == 0) {
            add_line(&lines, &chunks->all[i]);
        }
    }
    int status = outfile_write(options->dropped, buf_slice(&lines));
    buf_free(&lines);
    return status;
}
