/* dedup.c: drops what repeats a better-ranked chunk. */
#include <stdlib.h>

#include "diag.h"
#include "mem.h"
#include "pipeline.h"
#include "words.h"

struct kept {
    uint32_t *ids;
    size_t count;
    struct chunk *chunk;
};

struct state {
    struct words words;
    struct word_list list;
    uint32_t *stamps;
    size_t stamp_capacity;
    uint32_t stamp;
    struct kept *kept;
    size_t kept_count;
    size_t kept_capacity;
    struct buf a, b;
};

static void distinct(struct state *s)
{
    size_t before = s->stamp_capacity;
    s->stamps = mem_grow(s->stamps, &s->stamp_capacity, s->words.vocabulary.count, 4);
    memset(s->stamps + before, 0, 4 * (s->stamp_capacity - before));
    s->stamp++;
    size_t n = 0;
    for (size_t i = 0; i < s->list.count; i++) {
        uint32_t id = s->list.ids[i];
        if (s->stamps[id] != s->stamp) {
            s->stamps[id] = s->stamp;
            s->list.ids[n++] = id;
        }
    }
    s->list.count = n;
}

int dedup(struct chunks *chunks, const struct options *options)
{
    if (!options->dedup) {
        return STATUS_OK;
    }
    struct state s = {0};
    uint64_t num = options->threshold.num, den = options->threshold.den;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate != FATE_KEPT) {
            continue;
        }
        struct slice text = chunk_text(chunk, &s.a);
        words_find(&s.words, text, &s.list);
        distinct(&s);
        for (size_t k = 0; k < s.kept_count && chunk->fate == FATE_KEPT; k++) {
            struct kept *other = &s.kept[k];
            if (s.list.count == 0 && other->count == 0) {
                if (slice_equal(text, chunk_text(other->chunk, &s.b))) {
                    chunk->fate = FATE_DUPLICATE;
                    chunk->survivor = other->chunk;
                }
                continue;
            }
            size_t shared = 0;
            for (size_t j = 0; j < other->count; j++) {
                shared += s.stamps[other->ids[j]] == s.stamp;
            }
            size_t united = s.list.count + other->count - shared;
            if (shared * den >= num * united) {
                chunk->fate = FATE_DUPLICATE;
                chunk->survivor = other->chunk;
                chunk->shared = shared;
                chunk->united = united;
            }
        }
        if (chunk->fate == FATE_KEPT) {
            s.kept = mem_grow(s.kept, &s.kept_capacity, s.kept_count + 1, sizeof *s.kept);
            uint32_t *ids = mem_alloc(4 * s.list.count);
            memcpy(ids, s.list.ids, 4 * s.list.count);
            s.kept[s.kept_count++] = (struct kept){ids, s.list.count, chunk};
        }
    }
    for (size_t k = 0; k < s.kept_count; k++) {
        free(s.kept[k].ids);
    }
    free(s.kept);
    free(s.stamps);
    free(s.list.ids);
    words_free(&s.words);
    buf_free(&s.a);
    buf_free(&s.b);
    return STATUS_OK;
}
