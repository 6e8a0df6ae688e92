/* arena.c: see arena.h. */
#include "arena.h"

#include <stdint.h>
#include <stdlib.h>

#include "diag.h"
#include "mem.h"

#define LEAST_BLOCK ((size_t)4096)
#define LARGEST_BLOCK ((size_t)1 << 20)

struct arena_block {
    struct arena_block *older;
    size_t size;
};

static size_t aligned(size_t size)
{
    size_t unit = sizeof(uint64_t);
    return (size + unit - 1) / unit * unit;
}

/* Blocks double up to a megabyte: a small run pays little, a large one rarely. */
static void add_block(struct arena *arena, size_t size)
{
    size_t usual = arena->blocks != NULL ? 2 * arena->blocks->size : LEAST_BLOCK;
    usual = usual > LARGEST_BLOCK ? LARGEST_BLOCK : usual;
    size_t room = size > usual ? size : usual;
    struct arena_block *block = mem_alloc(sizeof *block + room);
    block->older = arena->blocks;
    block->size = room;
    arena->blocks = block;
    arena->next = (char *)(block + 1);
    arena->left = room;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2) {
        diag_out_of_memory(size);
    }
    size = aligned(size);
    if (size > arena->left) {
        add_block(arena, size);
    }
    void *memory = arena->next;
    arena->next += size;
    arena->left -= size;
    return memory;
}

void arena_free(struct arena *arena)
{
    while (arena->blocks != NULL) {
        struct arena_block *older = arena->blocks->older;
        free(arena->blocks);
        arena->blocks = older;
    }
    *arena = (struct arena){0};
}
