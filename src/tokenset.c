/* tokenset.c: see tokenset.h. */
#include "tokenset.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "mem.h"

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

static void summarise(struct token_set *set)
{
    struct signature signature = {{0}};
    uint64_t hash = set->count;
    for (size_t i = 0; i < set->count; i++) {
        uint64_t id = set->ids[i];
        signature.bits[id / 64 % SIGNATURE_WORDS] ^= (uint64_t)1 << id % 64;
        /* A sum, since a set has no order. */
        uint64_t mixed = (id + 1) * 0x9e3779b97f4a7c15U;
        hash += (mixed ^ mixed >> 31) * 0xbf58476d1ce4e5b9U;
    }
    set->signature = signature;
    set->hash = hash;
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

static bool contains_digit(struct slice word)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)word.at;
    const utf8proc_uint8_t *end = at + word.len;
    while (at < end) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate(at, end - at, &c);
        if (n > 0 && utf8proc_category(c) == UTF8PROC_CATEGORY_ND) {
            return true;
        }
        at += n > 0 ? n : 1;
    }
    return false;
}

static bool is_number(struct tokenizer *tokenizer, uint32_t id)
{
    enum { UNKNOWN = 0, NO, YES };
    if (id >= tokenizer->has_digit_capacity) {
        size_t before = tokenizer->has_digit_capacity;
        tokenizer->has_digit =
            mem_grow(tokenizer->has_digit, &tokenizer->has_digit_capacity, (size_t)id + 1, 1);
        memset(tokenizer->has_digit + before, UNKNOWN, tokenizer->has_digit_capacity - before);
    }
    if (tokenizer->has_digit[id] == UNKNOWN) {
        struct slice word = vocabulary_word(&tokenizer->words.vocabulary, id);
        tokenizer->has_digit[id] = contains_digit(word) ? YES : NO;
    }
    return tokenizer->has_digit[id] == YES;
}

static void collect_numbers(struct tokenizer *tokenizer)
{
    struct token_set *set = &tokenizer->set;
    const struct word_list *list = &tokenizer->list;
    clear(&set->number_marks, tokenizer->words.vocabulary.count);
    set->numbers = mem_grow(set->numbers, &tokenizer->number_capacity, list->count,
                            sizeof *set->numbers);
    size_t n = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (is_number(tokenizer, list->ids[i])) {
            set->numbers[n++] = list->ids[i];
        }
    }
    set->number_count = distinct(&set->number_marks, set->numbers, n);
}

struct token_set *tokenizer_read(struct tokenizer *tokenizer, struct slice text)
{
    struct token_set *set = &tokenizer->set;
    struct word_list *list = &tokenizer->list;
    words_find(&tokenizer->words, text, list);
    if (tokenizer->keep_numbers) {
        collect_numbers(tokenizer);
    }
    size_t ids = tokenizer->words.vocabulary.count;
    if (tokenizer->shingle > 1) {
        list->count = make_shingles(tokenizer, list->ids, list->count);
        ids = tokenizer->shingles.count;
    }
    clear(&set->marks, ids);
    set->ids = list->ids;
    set->count = distinct(&set->marks, list->ids, list->count);
    summarise(set);
    return set;
}

static int rarer_first(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left;
    uint32_t b = *(const uint32_t *)right;
    return (a < b) - (a > b);
}

static void sort_rarest_first(uint32_t *ids, size_t count)
{
    if (count > 64) {
        qsort(ids, count, sizeof *ids, rarer_first);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        uint32_t id = ids[i];
        size_t j = i;
        for (; j > 0 && ids[j - 1] < id; j--) {
            ids[j] = ids[j - 1];
        }
        ids[j] = id;
    }
}

/* A histogram of the leading bits says which ids can be among them: only those are sorted. */
void token_set_rarest_first(struct token_set *set, size_t count)
{
    enum { BINS = 64 };
    uint32_t *ids = set->ids;
    size_t total = set->count;
    uint32_t highest = 0;
    for (size_t i = 0; i < total; i++) {
        highest = ids[i] > highest ? ids[i] : highest;
    }
    unsigned shift = 0;
    while (highest >> shift >= BINS) {
        shift++;
    }
    size_t histogram[BINS] = {0};
    for (size_t i = 0; i < total; i++) {
        histogram[ids[i] >> shift]++;
    }
    uint32_t bin = BINS;
    size_t chosen = 0;
    while (chosen < count) {
        chosen += histogram[--bin];
    }
    size_t front = 0;
    for (size_t i = 0; front < chosen; i++) {
        uint32_t id = ids[i];
        if (id >> shift >= bin) {
            ids[i] = ids[front];
            ids[front++] = id;
        }
    }
    sort_rarest_first(ids, chosen);
}

void tokenizer_free(struct tokenizer *tokenizer)
{
    words_free(&tokenizer->words);
    vocabulary_free(&tokenizer->shingles);
    free(tokenizer->list.ids);
    free(tokenizer->set.numbers);
    free(tokenizer->set.marks.stamps);
    free(tokenizer->set.number_marks.stamps);
    free(tokenizer->has_digit);
    *tokenizer = (struct tokenizer){0};
}
