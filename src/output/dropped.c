/* dropped.c: --dropped: the lines that are not in the output, for whoever misses one. */
#include <stdlib.h>

#include "output.h"

int dropped(struct chunks *chunks, const char *file)
{
    struct buf lines = {0};
    const struct chunk **order = chunks_by_rank(chunks);
    for (size_t i = 0; i < chunks->count; i++) {
        if (order[i]->fate != FATE_KEPT) {
            buf_add_slice(&lines, chunk_line(order[i]));
            buf_add_byte(&lines, '\n');
        }
    }
    int status = outfile_write(file, buf_slice(&lines));
    free(order);
    buf_free(&lines);
    return status;
}
