/* write.c: the kept chunks as the lines they came as, byte for byte. */
#include "diag.h"
#include "out.h"
#include "pipeline.h"

int write_chunks(struct chunks *chunks, const struct options *options)
{
    (void)options;
    struct out out = {.count = 0};
    int status = STATUS_OK;
    for (size_t i = 0; i < chunks->placed_count && status == STATUS_OK; i++) {
        struct slice line = chunk_line(chunks->placed[i]);
        if (line.at[line.len] == '\n') {
            line.len++; /* its own line feed, where nothing stands between */
            status = out_add(&out, line);
        } else {
            status = out_add(&out, line);
            status = status == STATUS_OK ? out_add(&out, slice_of("\n")) : status;
        }
    }
    return status == STATUS_OK ? out_flush(&out) : status;
}
