/*
 * fuse.c: one ranking out of several.
 *
 * Reciprocal rank fusion (Cormack, Clarke and Buettcher 2009): a chunk's score is
 * the sum of weight / (K + rank) over the lists that have it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    struct entry *entries;
    size_t count;
    size_t lists;      /* that have a chunk */
    size_t repeated;   /* chunks that their own list has already */
    size_t shared;     /* chunks that are in more than one list */
    uint64_t *counted; /* by list: the key that it was last counted for, plus 1 */
};

/*
 * Chunks are the same when their texts are, byte for byte: ids may be those of their
 * documents, and those of another collection another's.
 */
static uint32_t key_of(struct fusion *fusion, const struct chunk *chunk)
{
    fusion->key.len = 0;
    chunk_add_text_key(&fusion->key, chunk);
    return intern_bytes(&fusion->keys, buf_slice(&fusion->key));
}

/* The ranks of one list: by score, or as the lines come where none has one or it is asked for. */
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
    if (!fusion->options->as_they_come) {
        ranking_sort(ranked, n, chunks->files[list].lower_is_better);
    }
    double weight = fusion->options->weight_count > 0 ? fusion->options->weights[list] : 1;
    for (size_t i = 0; i < n; i++) {
        double term = weight / ((double)fusion->options->fuse_k + (double)(i + 1));
        fusion->entries[fusion->count++] =
            (struct entry){key_of(fusion, ranked[i]), i + 1, term, ranked[i]};
    }
    fusion->lists += n > 0;
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
static int by_tie_break(const void *left, const void *right)
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
    chunk->score = written;
    chunk->score_length = (uint32_t)length;
    chunk->value = strtod(written, NULL);
    chunk->scored = true;
}

/* The chunk's rank in each list, 0 where it is not in it; room for all lists. */
static uint32_t *note_ranks(struct fusion *fusion, const struct entry *group, size_t count)
{
    struct chunks *chunks = fusion->chunks;
    uint32_t *ranks = arena_alloc(&chunks->arena, chunks->file_count * sizeof *ranks);
    memset(ranks, 0, chunks->file_count * sizeof *ranks);
    for (size_t i = count; i-- > 0;) {
        ranks[group[i].chunk->file] = (uint32_t)group[i].rank; /* the best comes first */
    }
    return ranks;
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
    size_t lists = 0;
    const struct chunk *first = survivor;
    for (size_t i = 0; i < count; i++) {
        struct chunk *chunk = group[i].chunk;
        /* Repeated in its list, a chunk counts with its best rank there. */
        bool repeated = fusion->counted[chunk->file] == group[0].key + (uint64_t)1;
        fusion->counted[chunk->file] = group[0].key + (uint64_t)1;
        score += repeated ? 0 : group[i].term;
        lists += !repeated;
        fusion->repeated += repeated;
        first = chunk < first ? chunk : first;
        if (i > 0) {
            chunk->fate = FATE_FUSED;
            details_for(&chunks->arena, chunk)->survivor = survivor;
        }
    }
    fusion->shared += lists > 1;
    details_for(&chunks->arena, survivor)->list_ranks = note_ranks(fusion, group, count);
    set_score(chunks, survivor, score);
    return (struct entry){(uint32_t)(first - chunks->all), group[0].rank, score, survivor};
}

/* Puts what is the same chunk together; returns how many chunks that makes. */
static size_t fuse_groups(struct fusion *fusion)
{
    size_t survivors = 0;
    qsort(fusion->entries, fusion->count, sizeof *fusion->entries, by_key);
    for (size_t start = 0, end; start < fusion->count; start = end) {
        end = start + 1;
        while (end < fusion->count && fusion->entries[end].key == fusion->entries[start].key) {
            end++;
        }
        fusion->entries[survivors++] = fuse_group(fusion, fusion->entries + start, end - start);
    }
    return survivors;
}

/* What is known of an id: the first chunk that has it, and one with another text. */
struct id_use {
    const struct entry *first;
    const struct entry *other;
    bool lists; /* several have it */
};

/* Notes that an entry has its id; returns whether that shows two texts in several lists. */
static bool note_id(struct id_use *use, const struct entry *entry)
{
    bool before = use->other != NULL && use->lists;
    if (use->first == NULL) {
        use->first = entry;
    }
    use->lists |= entry->chunk->file != use->first->chunk->file;
    if (use->other == NULL && entry->key != use->first->key) {
        use->other = entry;
    }
    return !before && use->other != NULL && use->lists;
}

/* Ids with more than one text, which are those of documents, or of two collections. */
static void warn_of_ids(struct fusion *fusion)
{
    struct interner ids = {0};
    struct id_use *uses = mem_zeroed(fusion->count, sizeof *uses);
    const struct id_use *found = NULL;
    size_t count = 0;
    for (size_t i = 0; i < fusion->count; i++) {
        fusion->key.len = 0;
        chunk_add_id_key(&fusion->key, fusion->entries[i].chunk);
        if (fusion->key.len > 0) {
            uint32_t id = intern_bytes(&ids, buf_slice(&fusion->key));
            bool shows = note_id(&uses[id], &fusion->entries[i]);
            count += shows;
            found = shows && found == NULL ? &uses[id] : found;
        }
    }
    if (found != NULL) {
        struct buf places = {0};
        fate_add_place(&places, fusion->chunks, found->first->chunk);
        buf_add_string(&places, " and ");
        fate_add_place(&places, fusion->chunks, found->other->chunk);
        buf_add_byte(&places, '\0');
        diag_warn("ids with more than one text, whose chunks are kept apart: %zu, the first at %s",
                  count, places.at);
        buf_free(&places);
    }
    interner_free(&ids);
    free(uses);
}

static void warn(const struct fusion *fusion)
{
    if (fusion->repeated > 0) {
        diag_warn("chunks left out because their list has them already: %zu", fusion->repeated);
    }
    if (fusion->lists > 1 && fusion->shared == 0) {
        diag_warn("no chunk is in more than one list, so that fusing only mixes them; chunks are "
                  "the same when their texts are");
    }
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
    warn_of_ids(&fusion);
    size_t survivors = fuse_groups(&fusion);
    qsort(fusion.entries, survivors, sizeof *fusion.entries, by_tie_break);
    for (size_t i = 0; i < survivors; i++) {
        details_for(&chunks->arena, fusion.entries[i].chunk)->tie_break = (uint32_t)i + 1;
    }
    warn(&fusion);
    chunks->lower_is_better = false;
    interner_free(&fusion.keys);
    buf_free(&fusion.key);
    free(fusion.entries);
    free(fusion.counted);
    return STATUS_OK;
}
