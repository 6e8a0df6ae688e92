/* chunk.c: see chunk.h. */
#include "chunk.h"

#include <stdlib.h>

#include "json/value.h"

struct chunk *chunks_add(struct chunks *chunks)
{
    chunks->all = mem_grow(chunks->all, &chunks->capacity, chunks->count + 1, sizeof *chunks->all);
    struct chunk *chunk = &chunks->all[chunks->count++];
    *chunk = (struct chunk){0};
    return chunk;
}

size_t chunks_with_fate(const struct chunks *chunks, enum fate fate)
{
    size_t n = 0;
    for (size_t i = 0; i < chunks->count; i++) {
        n += chunks->all[i].fate == fate;
    }
    return n;
}

void chunks_free(struct chunks *chunks)
{
    for (size_t i = 0; i < chunks->file_count; i++) {
        free(chunks->files[i].input.bytes);
    }
    free(chunks->files);
    free(chunks->all);
    free(chunks->ranked);
    free(chunks->placed);
    arena_free(&chunks->mended);
    free(chunks->answer.bytes);
    *chunks = (struct chunks){0};
}

struct slice chunk_text(const struct chunk *chunk, struct buf *scratch)
{
    struct slice inside = {chunk->object + chunk->text.at, chunk->text.len};
    return value_decode(inside, scratch);
}

struct slice chunk_member(const struct chunk *chunk, const struct path *path)
{
    return value_find(chunk_object(chunk), path);
}

struct slice chunk_object(const struct chunk *chunk)
{
    return (struct slice){chunk->object, chunk->object_length};
}

struct slice chunk_line(const struct chunk *chunk)
{
    return (struct slice){chunk->line, chunk->length};
}

struct slice chunk_score(const struct chunk *chunk)
{
    return chunk->score;
}

struct slice chunk_id(const struct chunk *chunk)
{
    return chunk->id;
}

struct slice chunk_id_text(const struct chunk *chunk, struct buf *scratch)
{
    return chunk->id.len > 0 ? value_decode(chunk_id(chunk), scratch) : slice_of("");
}
