/* termset.c: see termset.h. */
#include "termset.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

void marks_clear(struct marks *marks, size_t ids)
{
    marks->stamps = mem_grow(marks->stamps, &marks->capacity, ids, sizeof *marks->stamps);
    if (ids > marks->cleared) { /* not what is there to spare: it need not be in memory */
        memset(marks->stamps + marks->cleared, 0, (ids - marks->cleared) * sizeof *marks->stamps);
        marks->cleared = ids;
    }
    if (++marks->stamp == 0) {
        memset(marks->stamps, 0, marks->cleared * sizeof *marks->stamps);
        marks->stamp = 1;
    }
}

void marks_free(struct marks *marks)
{
    free(marks->stamps);
    *marks = (struct marks){0};
}

/* Moves an id to place n and marks it; returns 1 if it was not, 0 if it was. */
static inline size_t take(uint32_t *stamps, uint32_t stamp, uint32_t *ids, size_t n, uint32_t id)
{
    ids[n] = id;
    bool is_new = stamps[id] < stamp; /* the highest so far */
    stamps[id] = stamp;
    return is_new; /* no branch: it could not be foretold */
}

/* Moves the distinct ones of ids to the front, marks them, and returns how many there are. */
static size_t distinct(struct marks *marks, uint32_t *ids, size_t count)
{
    uint32_t *stamps = marks->stamps;
    uint32_t stamp = marks->stamp;
    size_t n = 0;
    size_t i = 0;
    for (; i + 1 < count; i += 2) { /* half as often is it asked whether there are more */
        n += take(stamps, stamp, ids, n, ids[i]);
        n += take(stamps, stamp, ids, n, ids[i + 1]);
    }
    return i < count ? n + take(stamps, stamp, ids, n, ids[i]) : n;
}

/* Keys that are made together. */
#define KEYS 64

/* Three numbers as a word, whose first byte is never NUL. */
static union short_word key_of(uint32_t kind, uint32_t a, uint32_t b)
{
    union short_word key = {.bytes = {1}};
    memcpy(key.bytes + 1, &kind, sizeof kind);
    memcpy(key.bytes + 5, &a, sizeof a);
    memcpy(key.bytes + 9, &b, sizeof b);
    return key;
}

/*
 * Replaces each of `count` ids by that of it and the one `distance` further on, in place,
 * of a kind.  What is written stands before all that is read afterwards.
 */
static void join_pairs(struct interner *vocabulary, uint32_t kind, uint32_t *ids, size_t count,
                       size_t distance)
{
    union short_word keys[KEYS];
    for (size_t start = 0; start < count; start += KEYS) {
        size_t n = count - start < KEYS ? count - start : KEYS;
        for (size_t i = 0; i < n; i++) {
            keys[i] = key_of(kind, ids[start + i], ids[start + i + distance]);
        }
        intern_short_words(vocabulary, keys, n, ids + start);
    }
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
    if (length == 1) {
        join_pairs(&term_extractor->shingles, 1, ids, count, 0);
    }
    for (size_t half = 1; half < length;) {
        size_t next = 2 * half < length ? 2 * half : length;
        count -= next - half;
        join_pairs(&term_extractor->shingles, (uint32_t)next, ids, count, next - half);
        half = next;
    }
    return count;
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
        /* Ids of their own for the terms of each scope, so that its sets meet no others. */
        join_pairs(&term_extractor->scoped, scope, list->ids, list->count, 0);
        ids = term_extractor->scoped.count;
    }
    marks_clear(&set->marks, ids);
    set->known = ids;
    set->ids = list->ids;
    set->count = distinct(&set->marks, list->ids, list->count);
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
