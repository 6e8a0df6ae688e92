/*
 * allpairs.c: near-duplicates by sorted-merge all-pairs, the method to beat.
 *
 *     allpairs NUMERATOR DENOMINATOR FILE
 *
 * One text a line, best first, split at white space.  A text becomes a sorted
 * array of word numbers and is merged with every kept one whose size allows the
 * threshold, giving up as soon as too many words have missed.  It does what a
 * careful programmer does without an index.  Prints how many texts are kept.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct set {
    uint32_t *words;
    size_t size;
};

/* Words and their numbers; open addressing, a power of two of slots. */
struct table {
    char **words;
    uint32_t *numbers;
    size_t slots, used;
};

static void *checked(void *memory)
{
    if (memory == NULL) {
        fputs("allpairs: out of memory\n", stderr);
        exit(4);
    }
    return memory;
}

static uint64_t hash(const char *word)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    while (*word != '\0') {
        h = (h ^ (unsigned char)*word++) * 1099511628211u;
    }
    return h;
}

static size_t slot_of(const struct table *table, const char *word)
{
    size_t slot = hash(word) & (table->slots - 1);
    while (table->words[slot] != NULL && strcmp(table->words[slot], word) != 0) {
        slot = (slot + 1) & (table->slots - 1);
    }
    return slot;
}

static void grow(struct table *table)
{
    struct table old = *table;
    table->slots = old.slots == 0 ? 1024 : 2 * old.slots;
    table->words = checked(calloc(table->slots, sizeof *table->words));
    table->numbers = checked(calloc(table->slots, sizeof *table->numbers));
    for (size_t i = 0; i < old.slots; i++) {
        if (old.words[i] != NULL) {
            size_t slot = slot_of(table, old.words[i]);
            table->words[slot] = old.words[i];
            table->numbers[slot] = old.numbers[i];
        }
    }
    free(old.words);
    free(old.numbers);
}

static uint32_t number_of(struct table *table, const char *word)
{
    if (2 * table->used >= table->slots) {
        grow(table);
    }
    size_t slot = slot_of(table, word);
    if (table->words[slot] == NULL) {
        table->words[slot] = checked(strdup(word));
        table->numbers[slot] = (uint32_t)table->used++;
    }
    return table->numbers[slot];
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Splits the line in place; the set's array is the caller's to free. */
static struct set set_of(char *line, struct table *table)
{
    struct set set = {checked(malloc((strlen(line) / 2 + 1) * sizeof *set.words)), 0};
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t\n\v\f\r", &rest); word != NULL;
         word = strtok_r(NULL, " \t\n\v\f\r", &rest)) {
        set.words[set.size++] = number_of(table, word);
    }
    qsort(set.words, set.size, sizeof *set.words, compare);
    size_t distinct = 0;
    for (size_t i = 0; i < set.size; i++) {
        if (i == 0 || set.words[i] != set.words[i - 1]) {
            set.words[distinct++] = set.words[i];
        }
    }
    set.size = distinct;
    return set;
}

/* Whether a and b share at least `least` words. */
static int shares(struct set a, struct set b, size_t least)
{
    size_t both = 0, i = 0, j = 0;
    while (both < least) {
        size_t left_a = a.size - i, left_b = b.size - j;
        if (both + (left_a < left_b ? left_a : left_b) < least) {
            return 0;
        }
        uint32_t x = a.words[i], y = b.words[j];
        both += x == y;
        i += x <= y;
        j += y <= x;
    }
    return 1;
}

/* J(a, b) >= num/den, in whole numbers: |a and b| * (num + den) >= num * (|a| + |b|). */
static int similar(struct set a, struct set b, size_t num, size_t den)
{
    if (den * a.size < num * b.size || den * b.size < num * a.size) {
        return 0;
    }
    size_t least = (num * (a.size + b.size) + num + den - 1) / (num + den);
    return shares(a, b, least);
}

int main(int argc, char **argv)
{
    FILE *texts = argc == 4 ? fopen(argv[3], "r") : NULL;
    if (texts == NULL) {
        fputs("usage: allpairs NUMERATOR DENOMINATOR FILE\n", stderr);
        return 2;
    }
    size_t num = strtoul(argv[1], NULL, 10), den = strtoul(argv[2], NULL, 10);
    struct table table = {0};
    struct set *kept = NULL;
    size_t count = 0, room = 0, k, space = 0;
    char *line = NULL;
    while (getline(&line, &space, texts) >= 0) {
        struct set set = set_of(line, &table);
        for (k = 0; k < count && !similar(set, kept[k], num, den); k++) {
        }
        if (k < count) {
            free(set.words);
            continue;
        }
        if (count == room) {
            room = 2 * room + 64;
            kept = checked(realloc(kept, room * sizeof *kept));
        }
        kept[count++] = set;
    }
    printf("%zu\n", count);
    return 0;
}
