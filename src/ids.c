/* ids.c: see ids.h. */
#include "ids.h"

#include <stdlib.h>
#include <string.h>

/* For fewer look-ups than that an index is not worth its making. */
#define FEW_LOOKUPS 4

/* The key of an id that is no number, or of what is written like one and may be a string. */
static void add_text_key(struct buf *key, struct slice says)
{
    key->len = 0;
    buf_add_byte(key, 's');
    buf_add_slice(key, says);
}

/* That of a number, which is the same however it is written; false: it is none. */
static bool add_number_key(struct buf *key, struct slice written)
{
    double unused;
    key->len = 0;
    buf_add_byte(key, 'n');
    bool is_number = number_json(written, &unused);
    if (is_number) {
        number_add_canonical(key, written);
    }
    return is_number;
}

/* That of a chunk, which has an id. */
static void add_key_of(struct buf *key, const struct chunk *chunk, struct buf *scratch)
{
    if (!chunk_has_number_id(chunk) || !add_number_key(key, chunk_id(chunk))) {
        add_text_key(key, chunk_id_text(chunk, scratch));
    }
}

/* From the last chunk to the first, so that each key's come in the order of the input. */
static void index_chunks(struct ids *ids)
{
    struct buf key = {0};
    struct buf scratch = {0};
    size_t count = ids->chunks->count;
    ids->next = mem_zeroed(count, sizeof *ids->next);
    ids->first = mem_zeroed(count, sizeof *ids->first); /* no more keys than chunks */
    for (size_t i = count; i-- > 0;) {
        if (ids->chunks->all[i].id_length > 0) {
            add_key_of(&key, &ids->chunks->all[i], &scratch);
            uint32_t k = intern_bytes(&ids->keys, buf_slice(&key));
            ids->next[i] = ids->first[k];
            ids->first[k] = (uint32_t)i + 1;
        }
    }
    ids->key_count = ids->keys.count;
    buf_free(&key);
    buf_free(&scratch);
}

void ids_open(struct ids *ids, const struct chunks *chunks, size_t lookups)
{
    *ids = (struct ids){.chunks = chunks};
    if (lookups > FEW_LOOKUPS && chunks->count > 0 && chunks->count < UINT32_MAX) {
        index_chunks(ids);
    }
}

void ids_free(struct ids *ids)
{
    interner_free(&ids->keys);
    interner_free(&ids->places);
    free(ids->first_at);
    free(ids->first);
    free(ids->next);
    *ids = (struct ids){0};
}

static size_t first_with(struct ids *ids, const struct buf *key)
{
    uint32_t k = intern_bytes(&ids->keys, buf_slice(key));
    return k < ids->key_count ? ids->first[k] : 0;
}

struct id_search ids_search(struct ids *ids, const char *id)
{
    struct id_search search = {.id = id};
    if (ids->next == NULL) {
        search.at[0] = 1;
        return search;
    }
    add_text_key(&search.scratch, slice_of(id));
    search.at[0] = first_with(ids, &search.scratch);
    if (add_number_key(&search.scratch, slice_of(id))) {
        search.at[1] = first_with(ids, &search.scratch);
    }
    return search;
}

/* Among all chunks, where there is no index. */
static struct chunk *next_of_all(const struct ids *ids, struct id_search *search)
{
    while (search->at[0] <= ids->chunks->count) {
        struct chunk *chunk = &ids->chunks->all[search->at[0]++ - 1];
        if (chunk_has_id(chunk, slice_of(search->id), &search->scratch)) {
            return chunk;
        }
    }
    return NULL;
}

struct chunk *ids_next(const struct ids *ids, struct id_search *search)
{
    struct chunk *chunk = NULL;
    if (ids->next == NULL) {
        chunk = next_of_all(ids, search);
    } else if (search->at[0] > 0 || search->at[1] > 0) {
        bool second = search->at[0] == 0 || (search->at[1] > 0 && search->at[1] < search->at[0]);
        size_t *at = &search->at[second];
        chunk = &ids->chunks->all[*at - 1];
        *at = ids->next[*at - 1];
    }
    if (chunk == NULL) {
        buf_free(&search->scratch);
    }
    return chunk;
}

struct chunk *ids_answer(const struct chunks *chunks, struct chunk *found, struct chunk *chunk,
                         bool at_edge)
{
    bool is_there = chunks_has_placed(chunks, chunk, at_edge);
    bool was_there = found != NULL && chunks_has_placed(chunks, found, at_edge);
    bool ranks_better =
        found == NULL || (chunk->rank > 0 && (found->rank == 0 || chunk->rank < found->rank));
    return is_there > was_there || (is_there == was_there && ranks_better) ? chunk : found;
}

struct chunk *ids_find(struct ids *ids, const char *id, bool at_edge)
{
    const struct chunks *chunks = ids->chunks;
    struct id_search search = ids_search(ids, id);
    struct chunk *found = NULL;
    struct chunk *chunk;
    while ((chunk = ids_next(ids, &search)) != NULL) {
        if (chunk->fate == FATE_FUSED) { /* what was taken in its place answers for it */
            chunk = &chunks->all[details_of(chunk)->survivor - chunks->all];
        }
        found = ids_answer(chunks, found, chunk, at_edge);
    }
    return found;
}

static void index_places(struct ids *ids)
{
    struct buf place = {0};
    ids->first_at = mem_zeroed(ids->chunks->count + 1, sizeof *ids->first_at);
    for (size_t i = 0; i < ids->chunks->count; i++) {
        place.len = 0;
        fate_add_place(&place, ids->chunks, &ids->chunks->all[i]);
        uint32_t k = intern_bytes(&ids->places, buf_slice(&place));
        ids->first_at[k] = ids->first_at[k] > 0 ? ids->first_at[k] : (uint32_t)i + 1;
    }
    ids->place_count = ids->places.count;
    buf_free(&place);
}

struct chunk *ids_at_place(struct ids *ids, const char *place)
{
    if (ids->first_at == NULL) {
        index_places(ids);
    }
    uint32_t k = intern_bytes(&ids->places, slice_of(place));
    return k < ids->place_count ? &ids->chunks->all[ids->first_at[k] - 1] : NULL;
}

struct id_name {
    struct slice key;
    size_t number;
};

static void add_name_key(struct id_names *names, size_t number)
{
    char *copy = arena_alloc(&names->arena, names->key.len);
    memcpy(copy, names->key.at, names->key.len);
    names->sorted =
        mem_grow(names->sorted, &names->capacity, names->count + 1, sizeof *names->sorted);
    names->sorted[names->count++] = (struct id_name){{copy, names->key.len}, number};
}

void id_names_add(struct id_names *names, const char *name, size_t number)
{
    add_text_key(&names->key, slice_of(name));
    add_name_key(names, number);
    if (add_number_key(&names->key, slice_of(name))) {
        add_name_key(names, number);
    }
}

void id_names_free(struct id_names *names)
{
    free(names->sorted);
    arena_free(&names->arena);
    buf_free(&names->key);
    buf_free(&names->scratch);
    *names = (struct id_names){0};
}

static int by_key(const void *left, const void *right)
{
    const struct id_name *a = left;
    const struct id_name *b = right;
    int order = slice_compare(a->key, b->key);
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

void id_names_sort(struct id_names *names)
{
    if (names->count > 0) {
        qsort(names->sorted, names->count, sizeof *names->sorted, by_key);
    }
}

/* The first one with a key that is not before the one that is looked for, from 1 on. */
static size_t first_name(const struct id_names *names)
{
    size_t low = 0;
    size_t high = names->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (slice_compare(names->sorted[middle].key, buf_slice(&names->key)) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low + 1;
}

bool id_names_find(struct id_names *names, const struct chunk *chunk, size_t *place, size_t *number)
{
    if (*place == 0) {
        if (chunk->id_length == 0) {
            return false;
        }
        add_key_of(&names->key, chunk, &names->scratch);
        *place = first_name(names);
    }
    if (*place > names->count ||
        !slice_equal(names->sorted[*place - 1].key, buf_slice(&names->key))) {
        return false;
    }
    *number = names->sorted[*place - 1].number;
    ++*place;
    return true;
}
