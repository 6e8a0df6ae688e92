/*
 * join_test.c: the join against the double loop.
 *
 *     join_test COUNT [SEED]
 *
 * Makes COUNT random inputs of many kinds, asks the join for each chunk's
 * survivor, overlap and union, and compares with sets of integers that are
 * compared pair by pair.  Prints the first cases that differ and a closing line.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "dedup/join.h"
#include "dedup/termset.h"

#define MOST_CHUNKS 600
#define MOST_WORDS 400

static uint64_t state;

static uint32_t below(uint32_t limit)
{
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)((state >> 33) % limit);
}

/* A chunk as the test knows it: its words are numbers, its tokens runs of them. */
struct plain {
    uint32_t words[MOST_WORDS];
    size_t word_count;
    uint32_t tokens[MOST_WORDS][4];
    size_t token_count;
    bool kept;
};

struct setting {
    struct similarity similarity;
    size_t shingle;
    bool keep_numbers;
};

/* Odd words have a digit, even ones have not; some are longer than sixteen bytes. */
static void spell(struct buf *text, uint32_t word)
{
    static const char longer[] = "averyveryverylongprefix";
    char digits[16];
    int n = snprintf(digits, sizeof digits, "%u", word / 2);
    if (word % 11 == 0) {
        buf_add_string(text, longer);
    }
    for (int i = 0; i < n; i++) {
        buf_add_byte(text, word % 2 == 1 ? digits[i] : (char)('a' + digits[i] - '0'));
    }
    buf_add_byte(text, ' ');
}

static bool same_run(const uint32_t *a, const uint32_t *b)
{
    return memcmp(a, b, 4 * sizeof *a) == 0;
}

static void make_tokens(struct plain *plain, size_t shingle)
{
    size_t n = shingle < plain->word_count ? shingle : plain->word_count;
    plain->token_count = 0;
    for (size_t i = 0; n > 0 && i + n <= plain->word_count; i++) {
        uint32_t run[4] = {0};
        for (size_t j = 0; j < n; j++) {
            run[j] = plain->words[i + j] + 1;
        }
        bool seen = false;
        for (size_t t = 0; t < plain->token_count; t++) {
            seen |= same_run(plain->tokens[t], run);
        }
        if (!seen) {
            memcpy(plain->tokens[plain->token_count++], run, sizeof run);
        }
    }
}

static size_t overlap(const struct plain *a, const struct plain *b)
{
    size_t shared = 0;
    for (size_t i = 0; i < a->token_count; i++) {
        for (size_t j = 0; j < b->token_count; j++) {
            shared += same_run(a->tokens[i], b->tokens[j]);
        }
    }
    return shared;
}

static bool has_number_that_lacks(const struct plain *a, const struct plain *b)
{
    for (size_t i = 0; i < a->word_count; i++) {
        bool found = a->words[i] % 2 == 0;
        for (size_t j = 0; j < b->word_count && !found; j++) {
            found = a->words[i] == b->words[j];
        }
        if (!found) {
            return true;
        }
    }
    return false;
}

/* The double loop's answer for chunk x: the first kept chunk that is similar. */
static size_t first_similar(const struct plain *chunks, size_t x, const struct setting *setting,
                            size_t *shared, size_t *united)
{
    const struct plain *a = &chunks[x];
    for (size_t k = 0; k < x; k++) {
        const struct plain *b = &chunks[k];
        if (!b->kept || b->token_count == 0) {
            continue;
        }
        size_t common = overlap(a, b);
        size_t all = setting->similarity.kind == SIMILARITY_CONTAINMENT
                         ? a->token_count
                         : a->token_count + b->token_count - common;
        bool similar = (uint64_t)common * setting->similarity.threshold.den >=
                       (uint64_t)setting->similarity.threshold.num * all;
        if (similar && setting->keep_numbers && has_number_that_lacks(a, b) &&
            has_number_that_lacks(b, a)) {
            similar = false;
        }
        if (similar) {
            *shared = common;
            *united = all;
            return k;
        }
    }
    return x;
}

static void collect(struct collection *collection, uint32_t *sets, struct plain *chunks,
                    size_t count, const struct setting *setting)
{
    struct term_extractor extractor = {.shingle = setting->shingle,
                                       .keep_numbers = setting->keep_numbers};
    struct buf text = {0};
    for (size_t x = 0; x < count; x++) {
        struct plain *plain = &chunks[x];
        make_tokens(plain, setting->shingle);
        text.len = 0;
        for (size_t i = 0; i < plain->word_count; i++) {
            spell(&text, plain->words[i]);
        }
        struct term_set *set = terms_extract(&extractor, buf_slice(&text), 0);
        sets[x] = set->count > 0 ? collection_add(collection, set) : SET_NONE;
    }
    term_extractor_free(&extractor);
    buf_free(&text);
}

/* An equal set has the number of the first; had that been kept, it would be the survivor. */
static size_t compare(struct plain *chunks, size_t count, const struct setting *setting)
{
    struct collection collection = {.keeps_numbers = setting->keep_numbers};
    uint32_t sets[MOST_CHUNKS];
    collect(&collection, sets, chunks, count, setting);
    struct join *join = join_new(setting->similarity, &collection);
    size_t different = 0;
    uint32_t known = 0;
    for (size_t x = 0; x < count; x++) {
        struct plain *plain = &chunks[x];
        plain->kept = true;
        if (sets[x] == SET_NONE) {
            different += plain->token_count != 0;
            continue;
        }
        size_t shared = 0;
        size_t united = 0;
        size_t expected = first_similar(chunks, x, setting, &shared, &united);
        plain->kept = expected == x;
        different += collection.sets[sets[x]].count != plain->token_count;
        if (sets[x] < known) {
            different += plain->kept;
            continue;
        }
        known++;
        struct join_hit hit = join_find(join, sets[x]);
        bool same = plain->kept ? hit.set == SET_NONE
                                : hit.set == sets[expected] && hit.shared == shared &&
                                      hit.united == united;
        different += !same;
        if (hit.set == SET_NONE) {
            join_add(join, sets[x]);
        }
    }
    join_free(join);
    collection_free(&collection);
    return different;
}

static struct setting random_setting(void)
{
    static const char *const thresholds[] = {
        "0.01", "0.07", "0.1", "0.29", "0.333333333", "0.5",  "0.55", "0.58",  "0.6667", "0.6666",
        "0.7",  "0.75", "0.8", "0.85", "0.9",         "0.95", "0.99", "0.999", "1",
    };
    struct setting setting = {{SIMILARITY_JACCARD, {1, 1}}, 1, false};
    number_threshold(thresholds[below(sizeof thresholds / sizeof thresholds[0])],
                     &setting.similarity.threshold);
    setting.similarity.kind = below(4) == 0 ? SIMILARITY_CONTAINMENT : SIMILARITY_JACCARD;
    setting.shingle = below(4) == 0 ? 1 + below(4) : 1;
    setting.keep_numbers = below(4) == 0;
    return setting;
}

static void fill(struct plain *plain, size_t words, uint32_t vocabulary)
{
    plain->word_count = words;
    for (size_t i = 0; i < words; i++) {
        plain->words[i] = below(vocabulary);
    }
}

/* A copy with a few words replaced, dropped or added. */
static void mutate(struct plain *plain, const struct plain *from, uint32_t vocabulary)
{
    plain->word_count = from->word_count;
    memcpy(plain->words, from->words, sizeof plain->words);
    for (uint32_t changes = below(6); changes > 0; changes--) {
        uint32_t kind = below(3);
        if (kind == 0 && plain->word_count > 0) {
            plain->words[below((uint32_t)plain->word_count)] = below(vocabulary);
        } else if (kind == 1 && plain->word_count > 0) {
            plain->word_count--;
        } else if (plain->word_count < MOST_WORDS) {
            plain->words[plain->word_count++] = below(vocabulary);
        }
    }
}

/* Two sets whose similarity is exactly the threshold, or one word off it. */
static void make_exact_pair(struct plain *a, struct plain *b, struct fraction t)
{
    uint32_t scale = 1 + below(3);
    uint32_t all = t.den * scale;
    if (t.den > MOST_WORDS / 4) {
        fill(a, below(20), 50);
        fill(b, below(20), 50);
        return;
    }
    uint32_t common = t.num * scale - (below(3) == 0 ? 1 : 0);
    uint32_t base = below(1000) * 1000;
    a->word_count = 0;
    b->word_count = 0;
    for (uint32_t i = 0; i < all; i++) {
        bool in_both = i < common;
        bool in_a = in_both || below(2) == 0;
        if (in_a && a->word_count < MOST_WORDS) {
            a->words[a->word_count++] = base + i;
        }
        if ((in_both || !in_a) && b->word_count < MOST_WORDS) {
            b->words[b->word_count++] = base + i;
        }
    }
}

enum shape { RANDOM, COPIES, EXACT, IDENTICAL, DISJOINT, ONE_WORD, LATE_WORDS, DENSE, SHAPES };

static void make_chunk(struct plain *chunks, size_t x, enum shape shape, size_t words,
                       uint32_t vocabulary, struct fraction threshold)
{
    struct plain *plain = &chunks[x];
    fill(plain, below((uint32_t)words + 1), vocabulary);
    switch (shape) {
    case COPIES:
        if (x > 0 && below(3) > 0) {
            mutate(plain, &chunks[below((uint32_t)x)], vocabulary);
        }
        break;
    case EXACT:
        if (x % 2 == 1) {
            make_exact_pair(&chunks[x - 1], plain, threshold);
        }
        break;
    case IDENTICAL:
        if (x > 0) {
            *plain = chunks[0];
        }
        break;
    case DISJOINT:
        for (size_t i = 0; i < plain->word_count; i++) {
            plain->words[i] = (uint32_t)(x * MOST_WORDS + i);
        }
        break;
    case ONE_WORD:
        fill(plain, below(2) + 1, vocabulary);
        break;
    case LATE_WORDS: /* what first appears last is in every chunk from then on */
        for (size_t i = 0; i < plain->word_count && i < 8 && x > 5; i++) {
            plain->words[i] = 900000 + (uint32_t)i;
        }
        break;
    case DENSE:
        fill(plain, words, 1 + vocabulary / 40);
        break;
    case RANDOM:
    case SHAPES:
        break;
    }
}

static bool run_case(struct plain *chunks, uint64_t seed)
{
    static const uint32_t vocabularies[] = {1, 2, 10, 60, 200, 2000, 100000};
    state = seed * 0x9e3779b97f4a7c15U + 1;
    struct setting setting = random_setting();
    enum shape shape = (enum shape)below(SHAPES);
    uint32_t vocabulary = vocabularies[below(7)];
    bool many = below(20) == 0; /* enough for the index */
    size_t count = many ? 150 + below(MOST_CHUNKS - 150) : 1 + below(40);
    size_t words = many ? 1 + below(40) : 1 + below(120);
    for (size_t x = 0; x < count; x++) {
        make_chunk(chunks, x, shape, words, vocabulary, setting.similarity.threshold);
    }
    size_t different = compare(chunks, count, &setting);
    if (different > 0) {
        printf("seed %llu: %zu of %zu chunks differ (shape %d, T %u/%u, kind %d, shingle %zu, "
               "numbers %d)\n",
               (unsigned long long)seed, different, count, (int)shape,
               setting.similarity.threshold.num, setting.similarity.threshold.den,
               (int)setting.similarity.kind, setting.shingle, setting.keep_numbers);
    }
    return different == 0;
}

int main(int argc, char **argv)
{
    size_t count = 1000;
    size_t seed = 1;
    if ((argc > 1 && !number_positive(argv[1], &count)) ||
        (argc > 2 && !number_positive(argv[2], &seed))) {
        fputs("usage: join_test COUNT [SEED]\n", stderr);
        return 2;
    }
    struct plain *chunks = mem_zeroed(MOST_CHUNKS, sizeof *chunks);
    size_t bad = 0;
    for (size_t i = 0; i < count && bad < 10; i++) {
        bad += !run_case(chunks, seed + i);
    }
    free(chunks);
    printf("%zu cases, %zu different\n", count, bad);
    return bad > 0;
}
