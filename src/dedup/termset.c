/* termset.c: see termset.h. */
#include "termset.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* A build for tests keeps only a few bits, to force collisions. */
#ifndef TERMSET_HASH_MASK
#define TERMSET_HASH_MASK UINT64_MAX
#endif

void marks_clear(struct marks *marks, size_t ids)
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

void marks_free(struct marks *marks)
{
    free(marks->stamps);
    *marks = (struct marks){0};
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
    return hash & TERMSET_HASH_MASK;
}

/*
 * The id of three numbers together.  They are stored plus one, so that the padding
 * of a short word makes no two of them the same.
 */
static uint32_t id_of(struct interner *vocabulary, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t key[3] = {a + 1, b + 1, c + 1};
    return intern_word(vocabulary, (struct slice){(const char *)key, sizeof key});
}

/*
 * Replaces each id by that of the run of `length` that begins there, in place; ids
 * stand for runs of `half`, of which two make one run, overlapping or not.  A run
 * is written only after what it is made of has been read.
 */
static size_t join_runs(struct interner *shingles, uint32_t *ids, size_t count, size_t half,
                        size_t length)
{
    size_t runs = count - (length - half);
    for (size_t i = 0; i < runs; i++) {
        ids[i] = id_of(shingles, (uint32_t)length, ids[i], ids[i + length - half]);
    }
    return runs;
}

/*
 * Replaces word ids by the ids of their shingles.  Runs of two, four, eight words
 * and so on are made of two halves, the last of two that overlap: time and memory
 * go with the logarithm of the length.  The length is part of what is numbered, so
 * that a shorter run, of a text with too few words, is no other run.
 */
static size_t make_shingles(struct term_extractor *term_extractor, uint32_t *ids, size_t count)
{
    size_t length = term_extractor->shingle < count ? term_extractor->shingle : count;
    for (size_t i = 0; length == 1 && i < count; i++) {
        ids[i] = id_of(&term_extractor->shingles, 1, ids[i], 0);
    }
    for (size_t half = 1; half < length;) {
        size_t next = 2 * half < length ? 2 * half : length;
        count = join_runs(&term_extractor->shingles, ids, count, half, next);
        half = next;
    }
    return count;
}

/* Gives the terms of each scope ids of their own, so that its sets meet no others. */
static void make_scoped(struct term_extractor *term_extractor, uint32_t scope, uint32_t *ids,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ids[i] = id_of(&term_extractor->scoped, scope, ids[i], 0);
    }
}

static void collect_numbers(struct term_extractor *term_extractor, const struct word_list *list)
{
    struct term_set *set = &term_extractor->set;
    marks_clear(&set->number_marks, term_extractor->words.vocabulary.count);
    set->numbers =
        mem_grow(set->numbers, &term_extractor->number_capacity, list->count, sizeof *set->numbers);
    size_t n = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->numbers[i]) {
            set->numbers[n++] = list->ids[i];
        }
    }
    set->number_count = distinct(&set->number_marks, set->numbers, n);
}

struct term_set *terms_extract(struct term_extractor *term_extractor, struct slice text,
                               uint32_t scope)
{
    struct term_set *set = &term_extractor->set;
    term_extractor->words.find_numbers = term_extractor->keep_numbers;
    struct word_list *list = words_find(&term_extractor->words, text);
    if (term_extractor->keep_numbers) {
        collect_numbers(term_extractor, list);
    }
    size_t ids = term_extractor->words.vocabulary.count;
    if (term_extractor->shingle > 1) {
        list->count = make_shingles(term_extractor, list->ids, list->count);
        ids = term_extractor->shingles.count;
    }
    if (term_extractor->has_scopes) {
        make_scoped(term_extractor, scope, list->ids, list->count);
        ids = term_extractor->scoped.count;
    }
    marks_clear(&set->marks, ids);
    set->known = ids;
    set->ids = list->ids;
    set->count = distinct(&set->marks, list->ids, list->count);
    set->hash = hash_of(set->ids, set->count);
    return set;
}

void term_extractor_free(struct term_extractor *term_extractor)
{
    words_free(&term_extractor->words);
    interner_free(&term_extractor->shingles);
    interner_free(&term_extractor->scoped);
    free(term_extractor->set.numbers);
    marks_free(&term_extractor->set.marks);
    marks_free(&term_extractor->set.number_marks);
    *term_extractor = (struct term_extractor){0};
}
