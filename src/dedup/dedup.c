/* dedup.c: marks what repeats a better-ranked kept chunk. */
#include <stdlib.h>

#include "base/base.h"
#include "join.h"
#include "pipeline.h"
#include "termset.h"

struct deduper {
    struct term_extractor term_extractor;
    struct buf text;
    struct join *join;
    /* Texts without a word are equal or not: their ids in order of first appearance. */
    struct interner wordless;
    struct buf wordless_key;
    struct chunk **wordless_first;
    size_t wordless_capacity;
};

static void mark(struct chunk *chunk, const struct chunk *survivor, size_t shared, size_t united)
{
    chunk->fate = FATE_DUPLICATE;
    chunk->survivor = survivor;
    chunk->shared = shared;
    chunk->united = united;
}

/* A text without a word has no set to compare; only an equal text is its duplicate. */
static void compare_wordless(struct deduper *deduper, struct chunk *chunk, struct slice text)
{
    struct buf *key = &deduper->wordless_key;
    key->len = 0;
    buf_add(key, &chunk->scope, sizeof chunk->scope);
    buf_add_slice(key, text);
    uint32_t known = (uint32_t)deduper->wordless.count;
    uint32_t id = intern_bytes(&deduper->wordless, buf_slice(key));
    if (id < known) {
        mark(chunk, deduper->wordless_first[id], 0, 0);
        return;
    }
    deduper->wordless_first = mem_grow(deduper->wordless_first, &deduper->wordless_capacity,
                                       (size_t)id + 1, sizeof *deduper->wordless_first);
    deduper->wordless_first[id] = chunk;
}

static void compare(struct deduper *deduper, struct chunk *chunk)
{
    struct slice text = chunk_text(chunk, &deduper->text);
    struct term_set *set = terms_extract(&deduper->term_extractor, text, chunk->scope);
    if (set->count == 0) {
        compare_wordless(deduper, chunk, text);
        return;
    }
    struct join_hit hit = join_find(deduper->join, set);
    if (hit.owner != NULL) {
        mark(chunk, hit.owner, hit.shared, hit.united);
    } else {
        join_add(deduper->join, set, chunk);
    }
}

static void free_deduper(struct deduper *deduper)
{
    join_free(deduper->join);
    term_extractor_free(&deduper->term_extractor);
    buf_free(&deduper->text);
    interner_free(&deduper->wordless);
    buf_free(&deduper->wordless_key);
    free(deduper->wordless_first);
}

int dedup(struct chunks *chunks, const struct options *options)
{
    if (!options->dedup) {
        return STATUS_OK;
    }
    struct deduper deduper = {
        .term_extractor = {.shingle = options->shingle,
                           .keep_numbers = options->keep_numbers,
                           .has_scopes = options->dedup_field_count > 0},
    };
    struct similarity similarity = {options->similarity, options->threshold};
    deduper.join = join_new(similarity, options->keep_numbers);
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        if (chunks->ranked[i]->fate == FATE_KEPT) {
            compare(&deduper, chunks->ranked[i]);
        }
    }
    free_deduper(&deduper);
    return STATUS_OK;
}
