/* postings.c: see postings.h. */
#include "postings.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Most tokens are posted once or twice, so a list begins with room for one. */
static void grow(struct postings *postings, struct posting_list *list)
{
    uint32_t capacity = list->capacity > 0 ? 2 * list->capacity : 1;
    struct posting *larger = arena_alloc(&postings->arena, capacity * sizeof *larger);
    if (list->count > 0) {
        memcpy(larger, list->postings, list->count * sizeof *larger);
    }
    list->postings = larger;
    list->capacity = capacity;
}

void postings_add(struct postings *postings, uint32_t id, struct posting posting)
{
    if (id >= postings->count) {
        postings->lists =
            mem_grow(postings->lists, &postings->capacity, (size_t)id + 1, sizeof *postings->lists);
        memset(&postings->lists[postings->count], 0,
               (postings->capacity - postings->count) * sizeof *postings->lists);
        postings->count = postings->capacity;
    }
    struct posting_list *list = &postings->lists[id];
    if (list->count == list->capacity) {
        grow(postings, list);
    }
    list->postings[list->count++] = posting;
}

const struct posting_list *postings_of(const struct postings *postings, uint32_t id)
{
    static const struct posting_list none;
    return id < postings->count ? &postings->lists[id] : &none;
}

void postings_free(struct postings *postings)
{
    free(postings->lists);
    arena_free(&postings->arena);
    *postings = (struct postings){0};
}
