/*
 * interner_test.c: words that were chosen to fall on one slot of an interner's table.
 *
 * All words are looked for at the same place under the seed that an interner begins
 * with.  They must get their ids by first appearance
 * as any words do, and not in the square of their number: the table must have taken
 * another seed.  Prints "N words, M wrong, reseeded" or "... not reseeded".
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#ifdef __SIZEOF_INT128__

/* With a second factor of 2^56 the highest bits of the hash are those of the word's first byte. */
static void make_word(uint64_t i, uint64_t word[2])
{
    word[0] = (i + 1) << 8;
    word[1] = 0xff58476d1ce4e5b9U ^ (uint64_t)1 << 56;
}

#else

#define FIRST_FACTOR 0x9e3779b97f4a7c15U
#define SECOND_FACTOR 0xbf58476d1ce4e5b9U

/* Newton's iteration for the inverse of an odd number modulo 2^64. */
static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd;
    for (int i = 0; i < 6; i++) {
        x *= 2 - odd * x;
    }
    return x;
}

/* The first product makes up for the second. */
static void make_word(uint64_t i, uint64_t word[2])
{
    word[1] = (i + 1) << 8;
    word[0] = (42 - SECOND_FACTOR * word[1]) * inverse(FIRST_FACTOR);
}

#endif

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 50000;
    struct interner interner = {0};
    size_t wrong = 0;
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < count; i++) {
            uint64_t word[2]; /* no byte at the end is 0xff */
            make_word(i, word);
            char bytes[sizeof word];
            memcpy(bytes, word, sizeof word);
            wrong += intern_word(&interner, (struct slice){bytes, sizeof bytes}) != i;
        }
    }
    printf("%zu words, %zu wrong, %s\n", count, wrong,
           interner.reseeded_at > 0 ? "reseeded" : "not reseeded");
    interner_free(&interner);
    return wrong > 0;
}
