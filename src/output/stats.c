/* stats.c: one line of totals, for --stats. */
#include "base/base.h"
#include "pipeline.h"
#include "tokens/tokens.h"

int stats(struct chunks *chunks, const struct options *options)
{
    if (!options->stats) {
        return STATUS_OK;
    }
    size_t tokens = chunks->placed_count > 0 ? chunks->tokens : 0;
    struct buf line = {0};
    buf_add_format(&line, "%zu chunks in, %zu kept, %zu tokens", chunks->count,
                   chunks->placed_count, tokens);
    if (options->budget > 0) {
        buf_add_format(&line, " of %zu", options->budget);
        if (options->reserve > 0) {
            buf_add_format(&line, ", reserve %zu", options->reserve);
        }
        buf_add_format(&line, ", margin %zu percent", options_margin(options));
    }
    buf_add_format(&line, ", counted by %s", options->counter->method);
    if (chunks->neutralised > 0) {
        buf_add_format(&line, ", %zu neutralised", chunks->neutralised);
    }
    buf_add_byte(&line, '\0');
    diag_note("%s", line.at);
    buf_free(&line);
    return STATUS_OK;
}
