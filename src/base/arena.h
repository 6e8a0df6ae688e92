/* arena.h: memory that is given out piece by piece and freed all at once. */
#ifndef EDGEFOLD_ARENA_H
#define EDGEFOLD_ARENA_H

#include <stddef.h>

/* All zero is an empty arena. */
struct arena {
    struct arena_block *blocks; /* the newest first */
    char *next;
    size_t left; /* bytes in the newest block */
};

/* size bytes, aligned for any object, that live until arena_free(); never NULL. */
void *arena_alloc(struct arena *arena, size_t size);

void arena_free(struct arena *arena);

#endif
