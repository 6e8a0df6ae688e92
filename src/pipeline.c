/* pipeline.c: see pipeline.h. */
#include "pipeline.h"

#include <stdio.h>

#include "base/base.h"
#include "fate.h"

/* Says why there is no output, where no stage has. */
static int report_nothing_left(const struct chunks *chunks)
{
    if (chunks->count == 0) {
        return diag_error(STATUS_NO, "no chunk came in, so there is no prompt");
    }
    struct buf reasons = {0};
    for (int fate = FATE_KEPT + 1; fate < FATES; fate++) {
        size_t n = chunks_with_fate(chunks, (enum fate)fate);
        if (n > 0) {
            char reason[64];
            int length = snprintf(reason, sizeof reason, "%s%zu %s", reasons.len > 0 ? ", " : "", n,
                                  fate_name((enum fate)fate));
            buf_add(&reasons, reason, (size_t)length);
        }
    }
    diag_error(STATUS_NO, "no chunk is left of %zu: %.*s", chunks->count, (int)reasons.len,
               reasons.at);
    buf_free(&reasons);
    return STATUS_NO;
}

typedef int stage(struct chunks *chunks, const struct options *options);

/* What is made of the placed chunks. */
static stage *writer_of(const struct options *options)
{
    if (options->sweep != NULL) {
        return sweep;
    }
    return options->format == FORMAT_NDJSON ? write_chunks : prompt;
}

int pipeline(struct chunks *chunks, const struct options *options)
{
    stage *const stages[] = {
        read_chunks,        fuse,  rescore, rank,   dedup,   top,     budget, fold,
        writer_of(options), stats, explain, report, dropped, require,
    };
    int status = STATUS_OK;
    for (size_t i = 0; i < sizeof stages / sizeof stages[0] && status < STATUS_USAGE; i++) {
        int result = stages[i](chunks, options);
        status = result > status ? result : status;
    }
    bool empty_is_fine = chunks->count == 0 && options->format == FORMAT_NDJSON;
    if (status == STATUS_OK && chunks->placed_count == 0 && !empty_is_fine) {
        return report_nothing_left(chunks);
    }
    return status;
}
