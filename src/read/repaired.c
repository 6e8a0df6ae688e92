/* repaired.c: see repaired.h. */
#include "repaired.h"

#include <string.h>

#include "base/base.h"
#include "json/repair.h"

/* A copy that lives as long as the chunks, with a line feed after it. */
static struct slice keep(struct chunks *chunks, struct slice text)
{
    char *copy = arena_alloc(&chunks->mended, text.len + 1);
    memcpy(copy, text.at, text.len);
    copy[text.len] = '\n';
    return (struct slice){copy, text.len};
}

void store_repaired(struct chunks *chunks, struct chunk *chunk, unsigned repairs,
                    struct buf *scratch)
{
    const unsigned read = 1u << REPAIR_UTF8 | 1u << REPAIR_SEPARATOR | 1u << REPAIR_MARK;
    const unsigned written = 1u << REPAIR_NAN | 1u << REPAIR_MARK;
    struct slice line = chunk_line(chunk);
    if ((repairs & read) != 0) {
        repair_for_reading(scratch, line);
        struct slice object = keep(chunks, buf_slice(scratch));
        chunk->object = object.at;
        chunk->object_length = (uint32_t)object.len;
    }
    if ((repairs & written) != 0) {
        repair_for_output(scratch, line);
        line = keep(chunks, buf_slice(scratch));
        chunk->line = line.at;
        chunk->length = (uint32_t)line.len;
    }
}
