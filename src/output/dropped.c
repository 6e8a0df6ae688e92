/* dropped.c: --dropped: the lines that are not in the output, for whoever misses one. */
#include <stdlib.h>

#include "annotate.h"
#include "output.h"

void dropped_add(struct outfile *file, const struct chunks *chunks,
                 const struct output_options *options)
{
    struct buf line = {0};
    const struct chunk **order = chunks_by_rank(chunks);
    for (size_t i = 0; i < chunks->count; i++) {
        if (order[i]->fate == FATE_KEPT) {
            continue;
        }
        if (options->annotate != NULL) {
            annotate_add(&line, chunks, order[i], options);
            outfile_take(file, &line);
        } else {
            outfile_add(file, chunk_line(order[i], &line));
            outfile_add(file, slice_of("\n"));
        }
    }
    free(order);
    buf_free(&line);
}

int dropped(struct chunks *chunks, const struct output_options *options)
{
    struct outfile *file = outfile_open(options->dropped, OUTFILE_AT_ONCE);
    dropped_add(file, chunks, options);
    return outfile_commit(file);
}
