/*
 * split_test.c: the pieces of random text, and what they cost.
 *
 *     split_test TEXTS
 *
 * Prints a line for each set of rules: how many pieces there are in so many texts and a
 * hash of where they end; then the same of the estimate.  The texts are always the same,
 * so that two builds, one of which looks at one byte at a time, must print the same.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "tokens/estimate.h"
#include "tokens/pretokenize.h"

enum { LONGEST = 400 /* bytes, and a part more */ };

static uint64_t state;

/* Xorshift (Marsaglia 2003). */
static size_t random_below(size_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % n);
}

/* What texts are made of; the last six are beyond ASCII, and the last is no UTF-8. */
static const char *const parts[] = {
    "a",       "b",    "word",     "A",        "CD",           "Word",     "1",
    "2345678", " ",    " ",        "  ",       "\t",           "\v\f",     "\n",
    "\r",      "\r\n", "\n\n",     "'",        "'s",           "'LL",      "/",
    "//",      "/\n",  "(",        ")",        ");\n",         "{\n\t\t",  "...",
    "\x1c",    "\x7f", "\xc3\xa9", "\xcc\x81", "\xe4\xb8\xad", "\xc2\xa0", "\xd9\xa3",
    "\xff",
};
enum { PARTS = COUNT(parts), ASCII_PARTS = PARTS - 6 };

/* Mostly of a few parts, so that runs are frequent, and every second one of ASCII alone. */
static void make_text(struct buf *text)
{
    size_t length = random_below(LONGEST);
    size_t among = random_below(2) > 0 ? (size_t)ASCII_PARTS : (size_t)PARTS;
    size_t few[4];
    for (size_t i = 0; i < COUNT(few); i++) {
        few[i] = random_below(among);
    }
    text->len = 0;
    while (text->len < length) {
        size_t part = random_below(8) > 0 ? few[random_below(COUNT(few))] : random_below(among);
        buf_add_string(text, parts[part]);
    }
}

static uint64_t mix(uint64_t hash, uint64_t number)
{
    return (hash ^ number) * UINT64_C(0x100000001b3); /* FNV-1a, of numbers */
}

static void split(const struct split_rules *rules, struct slice text, size_t *pieces,
                  uint64_t *hash)
{
    struct splitter splitter;
    const uint8_t *piece;
    size_t length;
    size_t total = 0;
    splitter_start(&splitter, rules, text.at, text.len);
    while ((length = splitter_next(&splitter, &piece)) > 0) {
        ++*pieces;
        total += length;
        *hash = mix(*hash, length);
    }
    if (total != text.len) {
        printf("%zu bytes of %zu\n", total, text.len);
    }
    *hash = mix(*hash, 0);
}

static void print_pieces(uint32_t number, size_t texts)
{
    struct buf text = {0};
    size_t pieces = 0;
    uint64_t hash = 0;
    state = 20261201;
    for (size_t i = 0; i < texts; i++) {
        make_text(&text);
        split(split_rules_numbered(number), buf_slice(&text), &pieces, &hash);
    }
    printf("rules %" PRIu32 ": %zu pieces, %016" PRIx64 "\n", number, pieces, hash);
    buf_free(&text);
}

static void print_estimates(size_t texts)
{
    struct buf text = {0};
    struct estimate_cache *cache = mem_zeroed(1, sizeof *cache);
    uint64_t hash = 0;
    state = 20261201;
    for (size_t i = 0; i < texts; i++) {
        make_text(&text);
        hash = mix(hash, estimate_text(cache, buf_slice(&text).at, text.len));
    }
    printf("estimates: %016" PRIx64 "\n", hash);
    free(cache);
    buf_free(&text);
}

int main(int argc, char **argv)
{
    size_t texts = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 20000;
    for (uint32_t number = 0; split_rules_numbered(number) != NULL; number++) {
        print_pieces(number, texts);
    }
    print_estimates(texts);
    return 0;
}
