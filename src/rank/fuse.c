/*
 * fuse.c: one ranking out of several.
 *
 * Reciprocal rank fusion (Cormack, Clarke and Buettcher 2009): a chunk's score is
 * the sum of weight / (K + rank) over the lists that have it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "rank.h"
#include "ranking.h"

/* A chunk at its rank in one list. */
struct entry {
    uint32_t key; /* equal for the same chunk in another list */
    size_t rank;  /* from 1 */
    double term;
    struct chunk *chunk;
};

struct fusion {
    struct chunks *chunks;
    const struct rank_options *options;
    struct interner keys;
    struct buf key;
    struct buf text;
    struct entry *entries;
    size_t count;
    size_t repeated; /* chunks that their own list has already */
    size_t without_id;
    uint64_t *counted; /* by list: the key that it was last counted for, plus 1 */
};

/* Chunks are the same by their ids, or by their texts where there are no ids. */
static uint32_t key_of(struct fusion *fusion, const struct chunk *chunk)
{
    bool by_id = chunk->id.len > 0;
    fusion->without_id += !by_id;
    fusion->key.len = 0;
    struct slice says =
        by_id ? chunk_id_text(chunk, &fusion->text) : chunk_text(chunk, &fusion->text);
    /* What an escape could not say is U+FFFD; then what is written tells ids apart. */
    if (by_id && memchr(says.at, 0xef, says.len) != NULL) {
        says = chunk->id;
    }
    buf_add_byte(&fusion->key, by_id ? 'i' : 't');
    buf_add_slice(&fusion->key, says);
    return intern_bytes(&fusion->keys, buf_slice(&fusion->key));
}

/* The ranks of one list: by score, or as the lines come where none has one. */
static void add_list(struct fusion *fusion, size_t list)
{
    struct chunks *chunks = fusion->chunks;
    size_t start = chunks->files[list].first_chunk;
    size_t end =
        list + 1 < chunks->file_count ? chunks->files[list + 1].first_chunk : chunks->count;
    struct chunk **ranked = mem_zeroed(end - start, sizeof(struct chunk *));
    size_t n = 0;
    for (size_t i = start; i < end; i++) {
        if (chunks->all[i].fate == FATE_KEPT) {
            ranked[n++] = &chunks->all[i];
        }
    }
    ranking_sort(ranked, n, chunks->files[list].lower_is_better);
    double weight = fusion->options->weight_count > 0 ? fusion->options->weights[list] : 1;
    for (size_t i = 0; i < n; i++) {
        double term = weight / ((double)fusion->options->fuse_k + (double)(i + 1));
        fusion->entries[fusion->count++] =
            (struct entry){key_of(fusion, ranked[i]), i + 1, term, ranked[i]};
    }
    free(ranked);
}

/* Together what is the same chunk, its best rank first. */
static int by_key(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    return a->chunk < b->chunk ? -1 : 1;
}

/* By best rank, then by first appearance, which entries of survivors hold as their key. */
static int by_turn(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;
    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    return a->key < b->key ? -1 : a->key > b->key;
}

/*
 * Fourteen digits of a sum are certain.  More would make sums that are the same
 * differ by how they were rounded: 1/63 + 1/140 is 1/84 + 1/90.
 */
static void set_score(struct chunks *chunks, struct chunk *chunk, double score)
{
    enum { LONGEST = 32 };
    char *written = arena_alloc(&chunks->arena, LONGEST);
    int length = snprintf(written, LONGEST, "%.14g", score);
    chunk->score = (struct slice){written, (size_t)length};
    chunk->value = strtod(written, NULL);
    chunk->scored = true;
}

/*
 * Fuses the entries of one chunk, of which the first is kept.  Terms are summed by
 * rank, so that the same ranks in other lists give the same score to the last bit.
 */
static struct entry fuse_group(struct fusion *fusion, const struct entry *group, size_t count)
{
    struct chunks *chunks = fusion->chunks;
    struct chunk *survivor = group[0].chunk;
    double score = 0;
    const struct chunk *first = survivor;
    for (size_t i = 0; i < count; i++) {
        struct chunk *chunk = group[i].chunk;
        /* Repeated in its list, a chunk counts with its best rank there. */
        bool repeated = fusion->counted[chunk->file] == group[0].key + (uint64_t)1;
        fusion->counted[chunk->file] = group[0].key + (uint64_t)1;
        score += repeated ? 0 : group[i].term;
        fusion->repeated += repeated;
        first = chunk < first ? chunk : first;
        if (i > 0) {
            chunk->fate = FATE_FUSED;
            chunk->survivor = survivor;
        }
    }
    set_score(chunks, survivor, score);
    return (struct entry){(uint32_t)(first - chunks->all), group[0].rank, score, survivor};
}

int fuse(struct chunks *chunks, const struct rank_options *options)
{
    struct fusion fusion = {.chunks = chunks,
                            .options = options,
                            .entries = mem_zeroed(chunks->count, sizeof(struct entry)),
                            .counted = mem_zeroed(chunks->file_count, sizeof(uint64_t))};
    for (size_t list = 0; list < chunks->file_count; list++) {
        add_list(&fusion, list);
    }
    qsort(fusion.entries, fusion.count, sizeof *fusion.entries, by_key);
    size_t survivors = 0;
    for (size_t start = 0, end; start < fusion.count; start = end) {
        end = start + 1;
        while (end < fusion.count && fusion.entries[end].key == fusion.entries[start].key) {
            end++;
        }
        fusion.entries[survivors++] = fuse_group(&fusion, fusion.entries + start, end - start);
    }
    qsort(fusion.entries, survivors, sizeof *fusion.entries, by_turn);
    for (size_t i = 0; i < survivors; i++) {
        fusion.entries[i].chunk->tie_break = i + 1;
    }
    if (fusion.without_id > 0 && fusion.without_id < fusion.count) {
        diag_warn("chunks without an id, which are joined by their texts: %zu of %zu",
                  fusion.without_id, fusion.count);
    }
    if (fusion.repeated > 0) {
        diag_warn("chunks left out because their list has them already, by id or text: %zu",
                  fusion.repeated);
    }
    chunks->lower_is_better = false;
    chunks->scored = survivors > 0;
    interner_free(&fusion.keys);
    buf_free(&fusion.key);
    buf_free(&fusion.text);
    free(fusion.entries);
    free(fusion.counted);
    return STATUS_OK;
}
