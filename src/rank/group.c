/* group.c: which chunks are of one group, and how many of each are too many. */
#include <stdlib.h>

#include "rank.h"

/* Adds what tells a value from any other, as ids are told; nothing where it makes no group. */
static void add_key(struct buf *key, struct slice value)
{
    enum value_kind kind = value_kind_of(value);
    if (!value_add_key(key, value) && (kind == VALUE_TRUE || kind == VALUE_FALSE)) {
        buf_add_byte(key, '=');
        buf_add_slice(key, value);
    }
}

/* Numbers the groups of ranked chunks from 1; returns how many chunks have none. */
static size_t number_groups(struct chunks *chunks, const struct path *path, size_t *groups)
{
    struct interner keys = {0};
    struct buf key = {0};
    size_t alone = 0;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        key.len = 0;
        add_key(&key, chunk_member_as_it_came(chunk, path));
        chunk->group = key.len > 0 ? 1 + intern_bytes(&keys, buf_slice(&key)) : 0;
        alone += key.len == 0;
    }
    *groups = keys.count;
    interner_free(&keys);
    buf_free(&key);
    return alone;
}

static void keep_best(struct chunks *chunks, size_t most, size_t groups)
{
    size_t *taken = mem_zeroed(groups + 1, sizeof *taken);
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate == FATE_KEPT && chunk->pin == 0 && chunk->group > 0 &&
            ++taken[chunk->group] > most) {
            chunk->fate = FATE_BEYOND_PER_GROUP;
        }
    }
    free(taken);
}

int group(struct chunks *chunks, const struct rank_options *options)
{
    size_t groups;
    size_t alone = number_groups(chunks, &options->group, &groups);
    if (alone > 0) {
        diag_warn("%zu of %zu chunks have no string, number or boolean at --group %s: each is a "
                  "group of its own",
                  alone, chunks->ranked_count, options->group.written);
    }
    chunks->limits.per_group = options->per_group;
    if (options->per_group > 0) {
        keep_best(chunks, options->per_group, groups);
    }
    return STATUS_OK;
}
