/* dedup.c: marks what repeats a better-ranked kept chunk. */
#include "dedup.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "join.h"
#include "termset.h"

/* Which chunk is kept of those that have a set, and how similar its own is. */
struct answer {
    const struct chunk *survivor;
    uint32_t shared;
    uint32_t united;
};

/* Texts that were looked at lately, by a few of their bytes: most repeats are whole ones. */
#define RECENT_TEXTS 256

struct recent_text {
    struct slice escaped; /* a null slice: none yet */
    uint32_t scope;
    uint32_t set;
};

struct deduper {
    const struct dedup_options *options;
    struct interner scopes;
    struct finder finder; /* of --dedup-field */
    struct buf scope;
    struct term_extractor terms;
    struct buf text;
    struct collection collection;
    struct chunks *chunks;
    struct recent_text recent[RECENT_TEXTS];
    uint32_t *sets; /* by place in the ranking: the chunk's set, or SET_NONE */
    struct join *join;
    struct answer *answers; /* by set, good for what has been compared */
    size_t answered;
    /* Texts without a word are equal or not: their ids in order of first appearance. */
    struct interner wordless;
    struct buf wordless_key;
    struct chunk **wordless_first;
    size_t wordless_capacity;
};

/* What is pinned is a duplicate of nothing. */
static void mark(struct deduper *deduper, struct chunk *chunk, const struct answer *answer)
{
    if (chunk->pin > 0) {
        return;
    }
    chunk->fate = FATE_DUPLICATE;
    struct chunk_details *details = details_for(&deduper->chunks->arena, chunk);
    details->survivor = answer->survivor;
    details->shared = answer->shared;
    details->united = answer->united;
}

/* A text without a word has no set to compare; only an equal text is its duplicate. */
static void compare_wordless(struct deduper *deduper, struct chunk *chunk, uint32_t scope)
{
    struct buf *key = &deduper->wordless_key;
    key->len = 0;
    buf_add(key, &scope, sizeof scope);
    chunk_add_text_key(key, chunk);
    uint32_t known = (uint32_t)deduper->wordless.count;
    uint32_t id = intern_bytes(&deduper->wordless, buf_slice(key));
    if (id < known) {
        mark(deduper, chunk, &(struct answer){.survivor = deduper->wordless_first[id]});
        return;
    }
    deduper->wordless_first = mem_grow(deduper->wordless_first, &deduper->wordless_capacity,
                                       (size_t)id + 1, sizeof *deduper->wordless_first);
    deduper->wordless_first[id] = chunk;
}

/*
 * Numbers the values of --dedup-field together, equal ones alike; a missing field is
 * a value of its own.
 */
static uint32_t scope_of(struct deduper *deduper, const struct chunk *chunk)
{
    struct buf *scope = &deduper->scope;
    scope->len = 0;
    const struct path *paths = deduper->options->fields.paths;
    bool is_repaired = chunk_object(chunk).at != chunk->line;
    size_t count = deduper->finder.count;
    const struct slice *values =
        count > 0 ? finder_find(&deduper->finder, chunk_object(chunk)) : NULL;
    buf_add(scope, "f", count > 0); /* where nothing is there too */
    for (size_t i = 0; i < count; i++) {
        enum value_kind kind = value_kind_of(values[i]);
        if (kind != VALUE_ABSENT && kind != VALUE_NULL) {
            buf_add(scope, &i, sizeof i);
            value_add_canonical(scope, is_repaired ? chunk_member_as_it_came(chunk, &paths[i])
                                                   : values[i]);
        }
    }
    return scope->len > 0 ? intern_bytes(&deduper->scopes, buf_slice(scope)) : 0;
}

/* Where a text is among the recent ones: its length, and what stands at its ends and between. */
static struct recent_text *recent_place(struct deduper *deduper, struct slice escaped)
{
    uint64_t hash = escaped.len;
    size_t places[] = {0, escaped.len / 2, escaped.len - sizeof hash};
    for (size_t i = 0; escaped.len >= sizeof hash && i < sizeof places / sizeof places[0]; i++) {
        uint64_t eight;
        size_t at = places[i] < places[2] ? places[i] : places[2];
        memcpy(&eight, escaped.at + at, sizeof eight);
        hash = (hash ^ eight) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 32;
    }
    return &deduper->recent[hash % RECENT_TEXTS];
}

/* Numbers the chunk's set of terms; what has none is compared at once. */
static void collect(struct deduper *deduper, size_t place)
{
    struct chunk *chunk = deduper->chunks->ranked[place];
    uint32_t scope = scope_of(deduper, chunk);
    struct slice escaped = chunk_escaped_text(chunk);
    struct recent_text *recent = recent_place(deduper, escaped);
    if (recent->scope == scope && slice_equal(recent->escaped, escaped)) {
        deduper->sets[place] = recent->set;
        return;
    }
    struct slice text = chunk_text(chunk, &deduper->text);
    struct term_set *set = terms_extract(&deduper->terms, text, scope);
    if (set->count > 0) {
        deduper->sets[place] = collection_add(&deduper->collection, set);
        *recent = (struct recent_text){escaped, scope, deduper->sets[place]};
    } else {
        deduper->sets[place] = SET_NONE;
        compare_wordless(deduper, chunk, scope);
    }
}

/* A kept chunk answers for what has an equal set, and so does what a dropped one has lost to. */
static void compare(struct deduper *deduper, size_t place)
{
    struct chunk *chunk = deduper->chunks->ranked[place];
    uint32_t set = deduper->sets[place];
    if (set == SET_NONE) {
        return;
    }
    struct answer *answer = &deduper->answers[set];
    if (set < deduper->answered) {
        mark(deduper, chunk, answer);
        return;
    }
    deduper->answered++;
    struct join_hit hit = join_find(deduper->join, set);
    if (hit.set != SET_NONE) {
        *answer = (struct answer){deduper->answers[hit.set].survivor, hit.shared, hit.united};
        mark(deduper, chunk, answer);
    } else {
        uint32_t terms = deduper->collection.sets[set].count;
        join_add(deduper->join, set);
        *answer = (struct answer){chunk, terms, terms};
    }
}

/* What is pinned comes first: what repeats it is dropped, however good. */
static void go_through(struct deduper *deduper, void (*step)(struct deduper *, size_t place))
{
    const struct chunks *chunks = deduper->chunks;
    for (int pinned = 1; pinned >= 0; pinned--) {
        for (size_t i = 0; i < chunks->ranked_count; i++) {
            const struct chunk *chunk = chunks->ranked[i];
            if (chunk->fate == FATE_KEPT && (chunk->pin > 0) == (pinned == 1)) {
                step(deduper, i);
            }
        }
    }
}

static void free_deduper(struct deduper *deduper)
{
    join_free(deduper->join);
    collection_free(&deduper->collection);
    free(deduper->sets);
    free(deduper->answers);
    interner_free(&deduper->scopes);
    buf_free(&deduper->scope);
    term_extractor_free(&deduper->terms);
    buf_free(&deduper->text);
    interner_free(&deduper->wordless);
    buf_free(&deduper->wordless_key);
    finder_free(&deduper->finder);
    free(deduper->wordless_first);
}

int dedup(struct chunks *chunks, const struct dedup_options *options)
{
    struct deduper deduper = {
        .options = options,
        .chunks = chunks,
        .terms = {.shingle = options->shingle,
                  .keep_numbers = options->keep_numbers,
                  .has_scopes = options->fields.count > 0},
        .collection = {.keeps_numbers = options->keep_numbers},
    };
    struct similarity similarity = {(enum similarity_kind)options->similarity, options->threshold};
    chunks->limits.shingles = options->shingle > 1;
    for (size_t i = 0; i < options->fields.count; i++) {
        finder_add(&deduper.finder, &options->fields.paths[i]);
    }
    deduper.sets = mem_zeroed(chunks->ranked_count, sizeof *deduper.sets);
    go_through(&deduper, collect);
    term_extractor_free(&deduper.terms);
    deduper.answers = mem_zeroed(deduper.collection.count, sizeof *deduper.answers);
    deduper.join = join_new(similarity, &deduper.collection);
    go_through(&deduper, compare);
    free_deduper(&deduper);
    return STATUS_OK;
}
