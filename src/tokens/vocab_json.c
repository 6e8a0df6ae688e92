/* vocab_json.c: see vocab_json.h. */
#include "vocab_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/base.h"
#include "bpe.h"
#include "vocab_pattern.h"

/* A rule of this file: what is wrong goes to reason, and the result is NULL or false. */
#define REFUSE(...) snprintf(reason, VOCAB_REASON, __VA_ARGS__)

static const char *string_at(json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* Null, missing and the empty string are all "not used". */
static bool is_unused(json_t *model, const char *key)
{
    json_t *value = json_object_get(model, key);
    return value == NULL || json_is_null(value) ||
           (json_is_string(value) && json_string_length(value) == 0);
}

static bool check_model(json_t *model, char reason[VOCAB_REASON])
{
    static const char *const unused[] = {"dropout", "unk_token", "continuing_subword_prefix",
                                         "end_of_word_suffix"};
    const char *type = string_at(model, "type");
    if (type == NULL || strcmp(type, "BPE") != 0) {
        REFUSE("its model is %.40s, not byte-level BPE", type != NULL ? type : "of no type");
        return false;
    }
    if (json_is_true(json_object_get(model, "byte_fallback"))) {
        REFUSE("it is SentencePiece's BPE with byte_fallback, not byte-level BPE");
        return false;
    }
    for (size_t i = 0; i < sizeof unused / sizeof unused[0]; i++) {
        if (!is_unused(model, unused[i])) {
            REFUSE("its BPE uses %s, which is not known here", unused[i]);
            return false;
        }
    }
    if (!json_is_array(json_object_get(model, "merges")) ||
        !json_is_object(json_object_get(model, "vocab"))) {
        REFUSE("its model has no vocab and merges");
        return false;
    }
    return true;
}

/* NFC or none; an empty Sequence is none. */
static bool check_normalizer(json_t *normalizer, bool *nfc, char reason[VOCAB_REASON])
{
    const char *type = string_at(normalizer, "type");
    bool is_none = normalizer == NULL || json_is_null(normalizer) ||
                   (type != NULL && strcmp(type, "Sequence") == 0 &&
                    json_array_size(json_object_get(normalizer, "normalizers")) == 0);
    *nfc = type != NULL && strcmp(type, "NFC") == 0;
    if (!is_none && !*nfc) {
        REFUSE("its normalizer %.40s is not known here", type != NULL ? type : "of no type");
    }
    return is_none || *nfc;
}

/* The expression of a Split step that keeps matches and gaps alike; else NULL. */
static const char *split_expression(json_t *step)
{
    const char *type = string_at(step, "type");
    const char *behavior = string_at(step, "behavior");
    bool fits = type != NULL && strcmp(type, "Split") == 0 && behavior != NULL &&
                strcmp(behavior, "Isolated") == 0 && !json_is_true(json_object_get(step, "invert"));
    return fits ? string_at(json_object_get(step, "pattern"), "Regex") : NULL;
}

/* Whether the step maps bytes to letters; *splits: and splits as GPT-2 does. */
static bool is_byte_level(json_t *step, bool *splits)
{
    const char *type = string_at(step, "type");
    *splits = !json_is_false(json_object_get(step, "use_regex"));
    return type != NULL && strcmp(type, "ByteLevel") == 0 &&
           !json_is_true(json_object_get(step, "add_prefix_space"));
}

static const struct split_rules *rules_of_steps(json_t *steps)
{
    bool splits;
    size_t count = json_array_size(steps);
    const char *expressions[3];
    if (count == 0 || count > 4 || !is_byte_level(json_array_get(steps, count - 1), &splits) ||
        splits) {
        return NULL;
    }
    for (size_t i = 0; i + 1 < count; i++) {
        expressions[i] = split_expression(json_array_get(steps, i));
        if (expressions[i] == NULL) {
            return NULL;
        }
    }
    if (count == 2) {
        return pattern_rules(expressions[0]);
    }
    return count == 4 ? pattern_rules_of_three(expressions[0], expressions[1], expressions[2])
                      : NULL;
}

static const struct split_rules *rules_of(json_t *pre_tokenizer, char reason[VOCAB_REASON])
{
    bool splits;
    const struct split_rules *rules = NULL;
    const char *type = string_at(pre_tokenizer, "type");
    if (is_byte_level(pre_tokenizer, &splits) && splits) {
        rules = &split_r50k;
    } else if (type != NULL && strcmp(type, "Sequence") == 0) {
        rules = rules_of_steps(json_object_get(pre_tokenizer, "pretokenizers"));
    }
    if (rules == NULL) {
        REFUSE("it splits text (%.40s) in a way that is not known here",
               type != NULL ? type : "no pre_tokenizer");
    }
    return rules;
}

/*
 * GPT-2's alphabet: printable bytes stand for themselves as code points, the
 * other 68, in order, for U+0100 and on.  By code point; -1: not in it.
 */
static void make_alphabet(int alphabet[0x144])
{
    int other = 0x100;
    for (int i = 0; i < 0x144; i++) {
        alphabet[i] = -1;
    }
    for (int byte = 0; byte < 256; byte++) {
        bool itself = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
        alphabet[itself ? byte : other++] = byte;
    }
}

/* The bytes that a token's text stands for; 0 if it has other characters. */
static size_t decode_token(const int alphabet[0x144], struct slice text, uint8_t *bytes)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text.at;
    const utf8proc_uint8_t *end = at + text.len;
    size_t length = 0;
    while (at < end) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate(at, end - at, &c);
        if (n <= 0 || c >= 0x144 || alphabet[c] < 0) {
            return 0;
        }
        bytes[length++] = (uint8_t)alphabet[c];
        at += n;
    }
    return length;
}

/* A merge is "a b" or ["a", "b"]: both parts, decoded, one after the other. */
static size_t decode_merge(const int alphabet[0x144], json_t *merge, struct buf *bytes)
{
    struct slice left = {0};
    struct slice right = {0};
    if (json_is_string(merge)) {
        left = (struct slice){json_string_value(merge), json_string_length(merge)};
        const char *space = memchr(left.at, ' ', left.len);
        if (space == NULL) {
            return 0;
        }
        right = (struct slice){space + 1, left.len - (size_t)(space - left.at) - 1};
        left.len = (size_t)(space - left.at);
    } else if (json_array_size(merge) == 2 && json_is_string(json_array_get(merge, 0)) &&
               json_is_string(json_array_get(merge, 1))) {
        json_t *part = json_array_get(merge, 0);
        left = (struct slice){json_string_value(part), json_string_length(part)};
        part = json_array_get(merge, 1);
        right = (struct slice){json_string_value(part), json_string_length(part)};
    } else {
        return 0;
    }
    bytes->len = 0;
    uint8_t *out = (uint8_t *)buf_room(bytes, left.len + right.len + 1);
    size_t n = decode_token(alphabet, left, out);
    size_t m = decode_token(alphabet, right, out + n);
    return n > 0 && m > 0 ? n + m : 0;
}

/* Ranks by merges: the first one that leads to a token gives it the next rank. */
static bool add_merges(struct vocab *vocab, json_t *merges, const int alphabet[0x144],
                       struct buf *bytes)
{
    uint32_t rank = 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        uint8_t single = (uint8_t)byte;
        vocab_add(vocab, &single, 1, rank++);
    }
    size_t i;
    json_t *merge;
    json_array_foreach(merges, i, merge)
    {
        size_t length = decode_merge(alphabet, merge, bytes);
        if (length == 0 || rank >= VOCAB_MOST_RANKS) {
            return false;
        }
        rank += vocab_add(vocab, (const uint8_t *)bytes->at, length, rank);
    }
    return true;
}

/* With ignore_merges, a piece that is in the vocabulary is a token, merges or not. */
static void add_whole_pieces(struct vocab *vocab, json_t *tokens, const int alphabet[0x144],
                             struct buf *bytes)
{
    const char *text;
    json_t *id;
    json_object_foreach(tokens, text, id)
    {
        struct slice token = slice_of(text);
        bytes->len = 0;
        uint8_t *out = (uint8_t *)buf_room(bytes, token.len + 1);
        size_t length = decode_token(alphabet, token, out);
        if (length > 0) {
            vocab_add(vocab, out, length, VOCAB_MOST_RANKS);
        }
    }
}

/* Without it, the short cut for whole pieces holds only if all tokens merge to themselves. */
static bool all_reached(const struct vocab *vocab, json_t *merges, const int alphabet[0x144],
                        struct buf *bytes)
{
    struct bpe *bpe = bpe_new(vocab);
    bool reached = true;
    size_t i;
    json_t *merge;
    json_array_foreach(merges, i, merge)
    {
        size_t length = decode_merge(alphabet, merge, bytes);
        if (!bpe_reaches(bpe, (const uint8_t *)bytes->at, length)) {
            reached = false;
            break;
        }
    }
    bpe_free(bpe);
    return reached;
}

/* Upper bounds for vocab_new(): merges, tokens, and the bytes of both. */
static size_t bytes_of(json_t *merges, json_t *tokens)
{
    size_t bytes = 0;
    size_t i;
    json_t *merge;
    json_array_foreach(merges, i, merge)
    {
        bytes += json_is_string(merge) ? json_string_length(merge)
                                       : json_string_length(json_array_get(merge, 0)) +
                                             json_string_length(json_array_get(merge, 1));
    }
    const char *text;
    json_t *id;
    json_object_foreach(tokens, text, id)
    {
        bytes += strlen(text);
    }
    return bytes;
}

struct vocab *vocabjson_read(json_t *root, char reason[VOCAB_REASON])
{
    json_t *model = json_object_get(root, "model");
    bool nfc;
    if (!check_model(model, reason) ||
        !check_normalizer(json_object_get(root, "normalizer"), &nfc, reason)) {
        return NULL;
    }
    const struct split_rules *rules = rules_of(json_object_get(root, "pre_tokenizer"), reason);
    if (rules == NULL) {
        return NULL;
    }
    json_t *merges = json_object_get(model, "merges");
    json_t *tokens = json_object_get(model, "vocab");
    int alphabet[0x144];
    struct buf bytes = {0};
    make_alphabet(alphabet);
    struct vocab *vocab = vocab_new(256 + json_array_size(merges) + json_object_size(tokens),
                                    bytes_of(merges, tokens));
    if (!add_merges(vocab, merges, alphabet, &bytes)) {
        REFUSE("a merge is not two tokens of the byte-level alphabet");
        vocab_free(vocab);
        buf_free(&bytes);
        return NULL;
    }
    vocab_finish(vocab, rules, nfc, true);
    if (json_is_true(json_object_get(model, "ignore_merges"))) {
        add_whole_pieces(vocab, tokens, alphabet, &bytes);
    } else if (!all_reached(vocab, merges, alphabet, &bytes)) {
        vocab_finish(vocab, rules, nfc, false);
    }
    buf_free(&bytes);
    return vocab;
}
