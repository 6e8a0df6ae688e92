/* dropped.c: --dropped: the lines that are not in the output, for whoever misses one. */
#include <stdlib.h>

#include "annotate.h"
#include "output.h"

static void add_line(struct buf *lines, const struct chunks *chunks, const struct chunk *chunk,
                     const struct output_options *options)
{
    if (options->annotate != NULL) {
        annotate_add(lines, chunks, chunk, options);
        return;
    }
    buf_add_slice(lines, chunk_line(chunk));
    buf_add_byte(lines, '\n');
}

void dropped_add(struct buf *out, const struct chunks *chunks, const struct output_options *options)
{
    const struct chunk **order = chunks_by_rank(chunks);
    for (size_t i = 0; i < chunks->count; i++) {
        if (order[i]->fate != FATE_KEPT) {
            add_line(out, chunks, order[i], options);
        }
    }
    free(order);
}

int dropped(struct chunks *chunks, const struct output_options *options)
{
    struct buf lines = {0};
    dropped_add(&lines, chunks, options);
    int status = outfile_write(options->dropped, buf_slice(&lines));
    buf_free(&lines);
    return status;
}
