/* twins.c: see twins.h. */
#include "twins.h"

#include <stdlib.h>

#include "base/base.h"

static void insert(struct set_table *twins, struct set_slot twin)
{
    size_t mask = twins->slot_count - 1;
    size_t i = (size_t)twin.hash & mask;
    while (twins->slots[i].record != SET_NONE) {
        i = (i + 1) & mask;
    }
    twins->slots[i] = twin;
}

static void enlarge(struct set_table *twins)
{
    struct set_slot *old = twins->slots;
    size_t old_count = twins->slot_count;
    twins->slot_count = old_count > 0 ? 2 * old_count : 64;
    twins->slots = mem_zeroed(twins->slot_count, sizeof *twins->slots);
    for (size_t i = 0; i < twins->slot_count; i++) {
        twins->slots[i].record = SET_NONE;
    }
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].record != SET_NONE) {
            insert(twins, old[i]);
        }
    }
    free(old);
}

void set_table_add(struct set_table *twins, uint64_t hash, uint32_t record)
{
    if (2 * ++twins->count > twins->slot_count) {
        enlarge(twins);
    }
    insert(twins, (struct set_slot){hash, record});
}

uint32_t set_table_next(const struct set_table *twins, uint64_t hash, size_t *place)
{
    if (twins->slot_count == 0) {
        return SET_NONE;
    }
    size_t mask = twins->slot_count - 1;
    for (;;) {
        struct set_slot slot = twins->slots[((size_t)hash + *place) & mask];
        ++*place;
        if (slot.record == SET_NONE || slot.hash == hash) {
            return slot.record;
        }
    }
}

void set_table_free(struct set_table *twins)
{
    free(twins->slots);
    *twins = (struct set_table){0};
}
