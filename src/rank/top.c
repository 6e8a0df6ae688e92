/* top.c: the N best of what is left; after dedup, so that a repeat takes no place. */
#include "base/base.h"
#include "pipeline.h"

int top(struct chunks *chunks, const struct options *options)
{
    size_t taken = 0;
    for (size_t i = 0; options->top > 0 && i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate == FATE_KEPT && ++taken > options->top) {
            chunk->fate = FATE_BEYOND_TOP;
        }
    }
    return STATUS_OK;
}
