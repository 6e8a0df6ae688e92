/*
 * fuzz_vocab.c: vocabularies for --count.
 *
 * The first byte says what is made of the rest, the second how long the text is that
 * is counted, which follows.  Then comes
 *
 *  - a file as it is: lines of base64 and ranks, or JSON;
 *  - tokens, each after a byte with its length, of which such lines are made, and one
 *    more by which the whole is taken for an encoding that is known;
 *  - a compiled table with changes to it, each a part of the table, a place in it and
 *    four bytes.
 *
 * Beyond not crashing, this holds: a text is counted the same twice, and by the table
 * that is compiled of a vocabulary the same; the pieces that it is split into are
 * together the text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "tokens/bpe.h"
#include "tokens/pretokenize.h"
#include "tokens/tokens.h"
#include "tokens/vocab_find.h"

static struct unnamed ranks_file;
static struct unnamed table_file;

/* What open_vocab() has mapped. */
static struct table_file *opened_table;

/* The vocabulary in the file, to be given to close_vocab(); NULL where it is refused. */
static struct vocab *open_vocab(const struct unnamed *file)
{
    struct vocab *vocab;
    int status = vocab_open(&vocab, &opened_table, file->path);
    check(status == (vocab != NULL ? STATUS_OK : STATUS_SYSTEM), "a vocabulary is used or refused");
    check(vocab != NULL || opened_table == NULL, "what is refused is not mapped");
    return vocab;
}

static void close_vocab(struct vocab *vocab)
{
    check(table_check(opened_table) == STATUS_OK, "a table that nobody has touched is the same");
    vocab_free(vocab);
    table_close(opened_table);
    opened_table = NULL;
}

static uint64_t count(const struct vocab *vocab, struct slice text)
{
    struct bpe *bpe = bpe_new(vocab);
    uint64_t tokens = bpe_count(bpe, text.at, text.len);
    check(bpe_count(bpe, text.at, text.len) == tokens, "a text is counted the same twice");
    bpe_free(bpe);
    return tokens;
}

static void check_count(struct slice text)
{
    struct vocab *vocab = open_vocab(&ranks_file);
    struct buf table = {0};
    if (vocab == NULL) {
        return;
    }
    uint64_t tokens = count(vocab, text);
    vocab_add_table(&table, vocab);
    close_vocab(vocab);
    unnamed_fill(&table_file, buf_slice(&table));
    vocab = open_vocab(&table_file);
    check(vocab != NULL, "a table can be used");
    check(count(vocab, text) == tokens, "a table counts as what it was compiled from");
    close_vocab(vocab);
    buf_free(&table);
}

/* A table that somebody has made up may count anything, but not for ever. */
static void count_by_table(struct slice text)
{
    struct vocab *vocab = open_vocab(&ranks_file);
    if (vocab != NULL) {
        count(vocab, text);
    }
    close_vocab(vocab);
}

static void check_pieces(struct slice text)
{
    for (uint32_t i = 0; split_rules_numbered(i) != NULL; i++) {
        struct splitter splitter;
        const uint8_t *piece;
        const uint8_t *expected = (const uint8_t *)text.at;
        size_t length;
        splitter_start(&splitter, split_rules_numbered(i), text.at, text.len);
        while ((length = splitter_next(&splitter, &piece)) > 0) {
            check(piece == expected, "a piece begins where the last one ends");
            expected += length;
        }
        check(expected == (const uint8_t *)text.at + text.len, "the pieces are the text");
    }
}

/* The odd number that times `odd` is 1. */
static uint64_t inverse(uint64_t odd)
{
    uint64_t result = odd; /* right in the lowest three bits, and twice as many each time */
    for (int i = 0; i < 5; i++) {
        result *= 2 - odd * result;
    }
    return result;
}

/* The number that vocab_mix() makes `mixed` of, with b. */
static uint64_t unmix(uint64_t mixed, uint64_t b)
{
    uint64_t product = mixed * inverse(0xD6E8FEB86659FD93U);
    product ^= product >> 32;
    return product * inverse(0x9E3779B97F4A7C15U) ^ b * 0xC2B2AE3D27D4EB4FU;
}

static void add_line(struct buf *out, const uint8_t *bytes, size_t length, uint32_t rank)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        size_t n = length - i < 3 ? length - i : 3;
        uint32_t three =
            bytes[i] * 65536U + (n > 1 ? bytes[i + 1] * 256U : 0) + (n > 2 ? bytes[i + 2] : 0U);
        for (size_t k = 0; k < 4; k++) {
            buf_add_byte(out, k <= n ? digits[three >> (18 - 6 * k) & 63] : '=');
        }
    }
    buf_add_format(out, " %u\n", (unsigned)rank);
}

/* The token that with all others makes the fingerprint of an encoding that is known. */
static void add_key(struct buf *lines, const struct vocab *vocab, uint32_t rank, size_t encoding)
{
    static const uint64_t fingerprints[] = {0x490640e51f287042U, 0x2b250c0a846bb18fU,
                                            0x877b3266573cd861U, 0x984ee7eb8862380eU};
    uint64_t missing = fingerprints[encoding & 3] - vocab_fingerprint(vocab) - 1;
    uint64_t head = unmix(missing, vocab_mix(0, rank | 8U << 24));
    uint8_t key[8];
    for (int i = 0; i < 8; i++) {
        key[i] = (uint8_t)(head >> 8 * i);
    }
    add_line(lines, key, sizeof key, rank);
}

/* Lines of all single bytes and of the tokens, so that nearly all of them are loaded. */
static struct buf make_ranks(struct slice tokens, size_t encoding)
{
    struct buf lines = {0};
    struct vocab *vocab = vocab_new(256 + tokens.len, 256 + tokens.len);
    uint32_t rank = 0;
    for (int i = 0; i < 256; i++) {
        uint8_t byte = (uint8_t)i;
        vocab_add(vocab, &byte, 1, rank);
        add_line(&lines, &byte, 1, rank++);
    }
    while (tokens.len > 1) {
        size_t length = 1 + (size_t)(unsigned char)tokens.at[0] % 40;
        tokens = slice_from(tokens, 1);
        length = length < tokens.len ? length : tokens.len;
        const uint8_t *token = (const uint8_t *)tokens.at;
        if (vocab_add(vocab, token, length, rank)) {
            add_line(&lines, token, length, rank++);
        }
        tokens = slice_from(tokens, length);
    }
    add_key(&lines, vocab, rank, encoding);
    vocab_free(vocab);
    return lines;
}

/* The parts of a table that tokens_compile() makes of few tokens; see vocab.c. */
enum { HEAD = 64, PAIRS = 4 * 65536, SLOTS = 16 * 1024 };

/* Where the changes begin that a part of the table gets, and how far they reach. */
static size_t place_in(uint8_t part, size_t place, size_t length)
{
    static const size_t starts[] = {0, HEAD, HEAD + PAIRS, HEAD + PAIRS + SLOTS,
                                    HEAD + PAIRS + 2 * SLOTS};
    size_t start = starts[part % 5];
    size_t end = part % 5 < 4 ? starts[part % 5 + 1] : length;
    return end >= start + 4 ? start + place % (end - start - 3) : 0;
}

/* A change of a part beyond the last cuts the table, or makes it longer. */
static void change(struct buf *table, const uint8_t changed[7])
{
    size_t place = changed[1] | (size_t)changed[2] << 8;
    if (changed[0] >= 250) {
        size_t length = changed[0] == 250 ? table->len + place % 64 : place;
        memset(buf_room(table, 64), 0, 64);
        table->len = length < table->len + 64 ? length : table->len;
    } else if (table->len > HEAD + PAIRS + 2 * SLOTS) {
        memcpy(table->at + place_in(changed[0], place, table->len), changed + 3, 4);
    }
}

static void fill_with_table(struct slice changes)
{
    static const char tokens[] = "\x01he\x01in\x01th\x02the\x01er\x02ing\x04"
                                 " they"
                                 "\x0f"
                                 "international "
                                 "x"
                                 "\x12"
                                 "aaaaaaaaaaaaaaaaaaa";
    static struct buf original;
    struct buf table = {0};
    if (original.len == 0) {
        struct buf lines = make_ranks((struct slice){tokens, sizeof tokens - 1}, 2);
        unnamed_fill(&ranks_file, buf_slice(&lines));
        check(tokens_compile(&original, ranks_file.path) == STATUS_OK, "a table can be compiled");
        buf_free(&lines);
    }
    buf_add_slice(&table, buf_slice(&original));
    for (; changes.len >= 7; changes = slice_from(changes, 7)) {
        change(&table, (const uint8_t *)changes.at);
    }
    unnamed_fill(&ranks_file, buf_slice(&table));
    buf_free(&table);
}

static void fill_with_ranks(struct slice tokens, size_t encoding)
{
    struct buf lines = make_ranks(tokens, encoding);
    unnamed_fill(&ranks_file, buf_slice(&lines));
    buf_free(&lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { AS_IT_IS, RANKS, TABLE };
    if (size < 2 || size - 2 < data[1]) {
        return 0;
    }
    struct slice text = {(const char *)data + 2, data[1]};
    struct slice rest = {text.at + text.len, size - 2 - text.len};
    switch (data[0] % 3) {
    case AS_IT_IS:
        unnamed_fill(&ranks_file, rest);
        check_count(text);
        check_pieces(text);
        break;
    case RANKS:
        fill_with_ranks(rest, data[0] / 3);
        check_count(text);
        break;
    case TABLE:
        fill_with_table(rest);
        count_by_table(text);
        break;
    }
    return 0;
}
