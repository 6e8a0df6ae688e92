/*
 * interner_test.c: words that were chosen to fall on one slot of an interner's table.
 *
 * Runs the hash of a short word backwards, so that all words have the same one under
 * the seed that an interner begins with.  They must get their ids by first appearance
 * as any words do, and not in the square of their number: the table must have taken
 * another seed.  Prints "N words, M wrong, reseeded" or "... not reseeded".
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

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

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 50000;
    struct interner interner = {0};
    size_t wrong = 0;
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < count; i++) {
            uint64_t high = (uint64_t)(i + 1) << 8; /* no byte at either end is 0xff */
            uint64_t low = (42 - SECOND_FACTOR * high) * inverse(FIRST_FACTOR);
            char word[16];
            memcpy(word, &low, sizeof low);
            memcpy(word + 8, &high, sizeof high);
            wrong += intern_word(&interner, (struct slice){word, sizeof word}) != i;
        }
    }
    printf("%zu words, %zu wrong, %s\n", count, wrong,
           interner.reseeded_at > 0 ? "reseeded" : "not reseeded");
    interner_free(&interner);
    return wrong > 0;
}
