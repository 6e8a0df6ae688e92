/* vocab_read.c: see vocab_read.h. */
#include "vocab_read.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "vocab_json.h"
#include "vocab_pattern.h"

static const char too_slow[] = "its tokens are such that a table of them would be slow";

/* The value of a base64 digit, -1 for other bytes. */
static int digit_value(uint8_t c)
{
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decodes base64 from *at on into out; returns the number of bytes. */
static size_t decode_base64(const uint8_t **at, const uint8_t *end, uint8_t *out)
{
    const uint8_t *p = *at;
    uint32_t bits = 0;
    unsigned count = 0;
    size_t length = 0;

    for (int value; p < end && (value = digit_value(*p)) >= 0; p++) {
        bits = bits << 6 | (uint32_t)value;
        count += 6;
        if (count >= 8) {
            count -= 8;
            out[length++] = (uint8_t)(bits >> count);
        }
    }
    while (p < end && *p == '=') {
        p++;
    }
    *at = p;
    return length;
}

static const uint8_t *skip_byte(const uint8_t *p, const uint8_t *end, uint8_t byte)
{
    while (p < end && *p == byte) {
        p++;
    }
    return p;
}

/* Reads a decimal rank; false if there is none, or one too high. */
static bool read_rank(const uint8_t **at, const uint8_t *end, uint32_t *rank)
{
    const uint8_t *start = skip_byte(*at, end, ' ');
    const uint8_t *p = start;
    uint32_t number = 0;

    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        number = number * 10 + (uint32_t)(*p - '0');
        if (number >= VOCAB_MOST_RANKS) {
            return false;
        }
    }
    *at = p;
    *rank = number;
    return p > start;
}

static size_t count_byte(struct slice text, char byte)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        n += text.at[i] == byte;
    }
    return n;
}

/* One line of a .tiktoken file from *at on, its end included. */
static const char *read_line(struct vocab *vocab, const uint8_t **at, const uint8_t *end,
                             uint8_t *token)
{
    uint32_t rank;
    size_t length = decode_base64(at, end, token);
    if (length == 0 || *at == end || **at != ' ' || !read_rank(at, end, &rank)) {
        return "a line is not base64, a space and a rank";
    }
    if (*at < end && **at == '\r') {
        ++*at;
    }
    if (*at < end && **at != '\n') {
        return "a line has more than base64, a space and a rank";
    }
    *at += *at < end;
    if (!vocab_add(vocab, token, length, rank)) {
        return vocab_is_sound(vocab) ? "a token occurs twice" : too_slow;
    }
    return NULL;
}

static const char *read_tiktoken(struct vocab *vocab, struct slice content, uint8_t *token)
{
    const uint8_t *at = (const uint8_t *)content.at;
    const uint8_t *end = at + content.len;
    const char *wrong = content.len == 0 ? "the file is empty" : NULL;
    while (wrong == NULL && at < end) {
        wrong = read_line(vocab, &at, end, token);
    }
    if (wrong != NULL) {
        return wrong;
    }
    const struct split_rules *rules = pattern_of_fingerprint(vocab_fingerprint(vocab));
    if (rules == NULL) {
        return "its tokens are none of r50k_base, p50k_base, cl100k_base and o200k_base, so it is "
               "not known how text is to be split; a tokenizer.json says that";
    }
    vocab_finish(vocab, rules, false, true);
    return NULL;
}

/*
 * The npm package's ranks: lines of "!", the first rank and tokens in base64,
 * each with the next rank.
 */
static const char *read_rank_list(struct vocab *vocab, struct slice list, uint8_t *token)
{
    const uint8_t *at = (const uint8_t *)list.at;
    const uint8_t *end = at + list.len;
    while (at < end) {
        uint32_t rank;
        at = skip_byte(skip_byte(at, end, '\n'), end, '!');
        if (!read_rank(&at, end, &rank)) {
            return "a line of bpe_ranks does not begin with ! and a rank";
        }
        while (at < end && *at != '\n') {
            const uint8_t *after = skip_byte(at, end, ' ');
            if (after == at) {
                return "bpe_ranks has tokens without a space between";
            }
            at = after;
            size_t length = decode_base64(&at, end, token);
            if (length == 0 || rank >= VOCAB_MOST_RANKS || !vocab_add(vocab, token, length, rank)) {
                return !vocab_is_sound(vocab)
                           ? too_slow
                           : "bpe_ranks has something else than base64, or a token twice";
            }
            rank++;
        }
    }
    return NULL;
}

/* The vocabulary if nothing is wrong with what it was read from; else NULL and the reason. */
static struct vocab *unless(const char *wrong, struct vocab *vocab, char reason[VOCAB_REASON])
{
    if (wrong == NULL) {
        return vocab;
    }
    snprintf(reason, VOCAB_REASON, "%s", wrong);
    vocab_free(vocab);
    return NULL;
}

static struct vocab *read_npm(json_t *root, char reason[VOCAB_REASON])
{
    const char *pattern = json_string_value(json_object_get(root, "pat_str"));
    json_t *ranks = json_object_get(root, "bpe_ranks");
    const struct split_rules *rules = pattern != NULL ? pattern_rules(pattern) : NULL;
    if (rules == NULL || !json_is_string(ranks)) {
        snprintf(reason, VOCAB_REASON, "its pat_str is none that is known here");
        return NULL;
    }
    struct slice list = {json_string_value(ranks), json_string_length(ranks)};
    struct vocab *vocab = vocab_new(count_byte(list, ' '), list.len);
    uint8_t *token = mem_alloc(list.len + 1);
    const char *wrong = read_rank_list(vocab, list, token);
    free(token);
    vocab_finish(vocab, rules, false, true);
    return unless(wrong, vocab, reason);
}

static struct vocab *read_json(struct slice content, char reason[VOCAB_REASON])
{
    json_error_t error;
    json_t *root = json_loadb(content.at, content.len, JSON_ALLOW_NUL, &error);
    struct vocab *vocab = NULL;
    if (root == NULL) {
        snprintf(reason, VOCAB_REASON, "line %d: %.150s", error.line, error.text);
    } else if (json_object_get(root, "bpe_ranks") != NULL) {
        vocab = read_npm(root, reason);
    } else if (json_object_get(root, "model") != NULL) {
        vocab = vocabjson_read(root, reason);
    } else {
        snprintf(reason, VOCAB_REASON, "it is JSON, but not a vocabulary");
    }
    json_decref(root);
    return vocab;
}

static struct vocab *read_any(struct slice content, char reason[VOCAB_REASON])
{
    json_set_alloc_funcs(mem_alloc, free);
    const char *first = content.at;
    const char *end = content.at + content.len;
    while (first < end && strchr(" \t\r\n", *first) != NULL && *first != '\0') {
        first++;
    }
    if (first < end && *first == '{') {
        return read_json(content, reason);
    }
    struct vocab *vocab = vocab_new(count_byte(content, '\n') + 1, content.len);
    uint8_t *token = mem_alloc(content.len + 1);
    const char *wrong = read_tiktoken(vocab, content, token);
    free(token);
    return unless(wrong, vocab, reason);
}

struct vocab *vocab_read(struct slice content, char reason[VOCAB_REASON])
{
    struct vocab *vocab = read_any(content, reason);
    if (vocab == NULL || vocab_is_sound(vocab)) {
        return vocab;
    }
    vocab_free(vocab);
    snprintf(reason, VOCAB_REASON, "%s", too_slow);
    return NULL;
}
