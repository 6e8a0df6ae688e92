/* chunk.c: see chunk.h. */
#include "chunk.h"

#include <stdlib.h>

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

bool chunks_has_placed(const struct chunks *chunks, const struct chunk *chunk, bool at_edge)
{
    bool edge = chunk->position == 1 || chunk->position == chunks->placed_count;
    return chunk->fate == FATE_KEPT && (!at_edge || edge);
}

struct chunk *chunks_find(const struct chunks *chunks, const char *id, bool at_edge)
{
    struct buf scratch = {0};
    struct chunk *found = NULL;
    for (size_t i = 0; i < chunks->count; i++) {
        struct chunk *chunk = &chunks->all[i];
        if (chunk->id.len == 0 || !slice_equal(chunk_id_text(chunk, &scratch), slice_of(id))) {
            continue;
        }
        bool is_there = chunks_has_placed(chunks, chunk, at_edge);
        bool was_there = found != NULL && chunks_has_placed(chunks, found, at_edge);
        bool ranks_better =
            found == NULL || (chunk->rank > 0 && (found->rank == 0 || chunk->rank < found->rank));
        found = is_there > was_there || (is_there == was_there && ranks_better) ? chunk : found;
    }
    buf_free(&scratch);
    return found;
}

const struct chunk **chunks_by_rank(const struct chunks *chunks)
{
    const struct chunk **order = mem_zeroed(chunks->count, sizeof(struct chunk *));
    size_t n = 0;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        order[n++] = chunks->ranked[i];
    }
    for (size_t i = 0; i < chunks->count; i++) {
        if (chunks->all[i].rank == 0) {
            order[n++] = &chunks->all[i];
        }
    }
    return order;
}

struct cutoff chunks_cutoff(const struct chunks *chunks)
{
    struct cutoff cutoff = {0};
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        const struct chunk *chunk = chunks->ranked[i];
        if (chunk->scored && chunk->fate == FATE_KEPT) {
            cutoff.worst_kept = chunk;
        } else if (chunk->scored && cutoff.best_dropped == NULL && chunk->fate != FATE_DUPLICATE) {
            cutoff.best_dropped = chunk;
        }
    }
    return cutoff;
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
    arena_free(&chunks->arena);
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

struct slice chunk_id_text(const struct chunk *chunk, struct buf *scratch)
{
    return chunk->id.len > 0 ? value_decode(chunk->id, scratch) : slice_of("");
}
