/* tokenset.c: see tokenset.h. */
#include "tokenset.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

/* A build for tests keeps only a few bits, to force collisions. */
#ifndef TOKENSET_HASH_MASK
#define TOKENSET_HASH_MASK UINT64_MAX
#endif

/* Starts an empty set in which ids below `ids` can be marked. */
static void clear(struct marks *marks, size_t ids)
{
    if (ids > marks->capacity) {
        size_t before = marks->capacity;
        marks->stamps = mem_grow(marks->stamps, &marks->capacity, ids, sizeof *marks->stamps);
        memset(marks->stamps + before, 0, (marks->capacity - before) * sizeof *marks->stamps);
    }
    if (++marks->stamp == 0) {
        memset(marks->stamps, 0, marks->capacity * sizeof *marks->stamps);
        marks->stamp = 1;
    }
}

/* Moves the distinct ones of ids to the front, marks them, and returns how many there are. */
static size_t distinct(struct marks *marks, uint32_t *ids, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t id = ids[i];
        ids[n] = id;
        n += marks->stamps[id] != marks->stamp; /* no branch: it could not be foretold */
        marks->stamps[id] = marks->stamp;
    }
    return n;
}

/* The same for equal sets, whatever the order of their ids: a sum has none. */
static uint64_t hash_of(const uint32_t *ids, size_t count)
{
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++) {
        uint64_t mixed = (ids[i] + (uint64_t)1) * 0x9e3779b97f4a7c15U;
        hash += (mixed ^ mixed >> 31) * 0xbf58476d1ce4e5b9U;
    }
    return hash & TOKENSET_HASH_MASK;
}

/*
 * Replaces word ids by the ids of their shingles, in place: a shingle is never
 * written before its words have been read.  Ids are stored plus one, so that a
 * shorter run padded with zeros is no other run.
 */
static size_t make_shingles(struct tokenizer *tokenizer, uint32_t *ids, size_t count)
{
    size_t n = tokenizer->shingle < count ? tokenizer->shingle : count;
    size_t shingles = count > 0 ? count - n + 1 : 0;
    for (size_t i = 0; i < count; i++) {
        ids[i]++;
    }
    for (size_t i = 0; i < shingles; i++) {
        struct slice run = {(const char *)(ids + i), n * sizeof *ids};
        ids[i] = vocabulary_id(&tokenizer->shingles, run);
    }
    return shingles;
}

static void collect_numbers(struct tokenizer *tokenizer, const struct word_list *list)
{
    struct token_set *set = &tokenizer->set;
    clear(&set->number_marks, tokenizer->words.vocabulary.count);
    set->numbers =
        mem_grow(set->numbers, &tokenizer->number_capacity, list->count, sizeof *set->numbers);
    size_t n = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->numbers[i]) {
            set->numbers[n++] = list->ids[i];
        }
    }
    set->number_count = distinct(&set->number_marks, set->numbers, n);
}

struct token_set *tokenizer_read(struct tokenizer *tokenizer, struct slice text)
{
    struct token_set *set = &tokenizer->set;
    tokenizer->words.find_numbers = tokenizer->keep_numbers;
    struct word_list *list = words_find(&tokenizer->words, text);
    if (tokenizer->keep_numbers) {
        collect_numbers(tokenizer, list);
    }
    size_t ids = tokenizer->words.vocabulary.count;
    if (tokenizer->shingle > 1) {
        list->count = make_shingles(tokenizer, list->ids, list->count);
        ids = tokenizer->shingles.count;
    }
    clear(&set->marks, ids);
    set->known = ids;
    set->ids = list->ids;
    set->count = distinct(&set->marks, list->ids, list->count);
    set->signature = signature_of(set->ids, set->count);
    set->hash = hash_of(set->ids, set->count);
    return set;
}

void tokenizer_free(struct tokenizer *tokenizer)
{
    words_free(&tokenizer->words);
    vocabulary_free(&tokenizer->shingles);
    free(tokenizer->set.numbers);
    free(tokenizer->set.marks.stamps);
    free(tokenizer->set.number_marks.stamps);
    *tokenizer = (struct tokenizer){0};
}
