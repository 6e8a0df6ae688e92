/* pretokenize.c: see pretokenize.h. */
#include "pretokenize.h"

#include <string.h>

#include "ascii_block.h"
#include "base/base.h"
#include "charclass.h"

const struct split_rules split_r50k = {SPLIT_GPT2, 0, true, false};
const struct split_rules split_cl100k = {SPLIT_CL100K, 3, true, false};
const struct split_rules split_qwen2 = {SPLIT_CL100K, 1, true, false};
const struct split_rules split_qwen35 = {SPLIT_CL100K, 1, true, true};
const struct split_rules split_o200k = {SPLIT_O200K, 3, true, false};
const struct split_rules split_tekken = {SPLIT_O200K, 1, false, false};
const struct split_rules split_deepseek = {SPLIT_DEEPSEEK, 3, false, false};

/* In the order of their numbers, which compiled vocabularies hold: add at the end only. */
static const struct {
    const char *name;
    const struct split_rules *rules;
} named_rules[] = {
    {"r50k", &split_r50k},         {"cl100k", &split_cl100k}, {"qwen2", &split_qwen2},
    {"qwen3.5", &split_qwen35},    {"o200k", &split_o200k},   {"tekken", &split_tekken},
    {"deepseek", &split_deepseek},
};

#define NAMED_RULES (sizeof named_rules / sizeof named_rules[0])

const struct split_rules *split_rules_named(const char *name)
{
    for (size_t i = 0; i < NAMED_RULES; i++) {
        if (strcmp(named_rules[i].name, name) == 0) {
            return named_rules[i].rules;
        }
    }
    return NULL;
}

const struct split_rules *split_rules_numbered(uint32_t number)
{
    return number < NAMED_RULES ? named_rules[number].rules : NULL;
}

uint32_t split_rules_number(const struct split_rules *rules)
{
    uint32_t number = 0;
    while (number < NAMED_RULES && named_rules[number].rules != rules) {
        number++;
    }
    return number;
}

/* \p{N}{1,most}, the first of them before p. */
static const uint8_t *skip_digits(const uint8_t *p, const uint8_t *end, unsigned most)
{
    unsigned length;

    for (unsigned n = 1; p < end && (most == 0 || n < most); n++) {
        if (!(class_at(p, end, &length) & NUMBERS)) {
            break;
        }
        p += length;
    }
    return p;
}

static const uint8_t *skip_newlines(const uint8_t *p, const uint8_t *end, bool slashes)
{
    while (p < end && (*p == '\r' || *p == '\n' || (slashes && *p == '/'))) {
        p++;
    }
    return p;
}

/* White space from p on: \s*[\r\n]+ if by_lines, else or failing that
 * \s+(?!\S), else \s+.  The second leaves the last character to the word. */
static const uint8_t *skip_space(const uint8_t *p, const uint8_t *end, bool by_lines)
{
    const uint8_t *start = p, *last = p, *after_newline = NULL;
    unsigned length;

    while (p < end) {
        unsigned class = class_at(p, end, &length);
        if (!(class & SPACES)) {
            break;
        }
        last = p;
        p += length;
        if (class & NEWLINES) {
            after_newline = p;
        }
    }
    if (by_lines && after_newline) {
        return after_newline;
    }
    return p == end || last == start ? p : last;
}

/* The length of 's 't 'm 'd 're 've 'll at the apostrophe p, else 0. */
static unsigned contraction(const uint8_t *p, const uint8_t *end, bool any_case)
{
    size_t left = (size_t)(end - p);
    uint8_t fold = any_case ? 0x20 : 0;

    if (left < 2 || *p != '\'') {
        return 0;
    }
    /* U+017F is an s to patterns that ignore case. */
    if (any_case && left >= 3 && p[1] == 0xC5 && p[2] == 0xBF) {
        return 3;
    }
    switch (p[1] | fold) {
    case 's':
    case 't':
    case 'm':
    case 'd':
        return 2;
    case 'r':
    case 'v':
        return left >= 3 && (p[2] | fold) == 'e' ? 3 : 0;
    case 'l':
        return left >= 3 && (p[2] | fold) == 'l' ? 3 : 0;
    default:
        return 0;
    }
}

static const uint8_t *next_gpt2(const uint8_t *p, const uint8_t *end,
                                const struct split_rules *rules)
{
    unsigned length, after_length;
    unsigned cut = rules->contractions ? contraction(p, end, false) : 0;

    if (cut) {
        return p + cut;
    }
    unsigned class = class_at(p, end, &length);
    const uint8_t *q = p + length;
    if (*p == ' ') {
        unsigned after = class_or_none(q, end, &after_length);
        if (after & ~SPACES) {
            class = after;
            q += after_length;
        }
    }
    if (class & SPACES) {
        return skip_space(p, end, false);
    }
    if (class & LETTERS) {
        return skip(q, end, LETTERS);
    }
    if (class & NUMBERS) {
        return skip_digits(q, end, rules->digits);
    }
    return skip(q, end, REST);
}

static const uint8_t *next_cl100k(const uint8_t *p, const uint8_t *end,
                                  const struct split_rules *rules)
{
    unsigned marks = rules->marks_in_words ? MARKS : 0;
    unsigned words = LETTERS | marks, rest = REST & ~marks;
    unsigned length, after_length;
    unsigned cut = rules->contractions ? contraction(p, end, true) : 0;

    if (cut) {
        return p + cut;
    }
    unsigned class = class_at(p, end, &length);
    const uint8_t *q = p + length;
    if (class & words) {
        return skip(q, end, words);
    }
    if (class & NUMBERS) {
        return skip_digits(q, end, rules->digits);
    }
    unsigned after = class_or_none(q, end, &after_length);
    if (!(class & NEWLINES) && (after & words)) {
        return skip(q + after_length, end, words);
    }
    if ((class & SPACES) && !(*p == ' ' && (after & rest))) {
        return skip_space(p, end, true);
    }
    return skip_newlines(skip(q, end, rest), end, false);
}

/* UPPERS* LOWERS+, NULL if there is no such word at p.  When no lower letter
 * follows the run of UPPERS, the last character of the run that is in LOWERS
 * too ends the word. */
static const uint8_t *skip_cased_word(const uint8_t *p, const uint8_t *end)
{
    const uint8_t *last_lower = NULL;
    unsigned length, class = 0;

    while (p < end) {
        class = class_at(p, end, &length);
        if (!(class & UPPERS)) {
            break;
        }
        p += length;
        if (class & LOWERS) {
            last_lower = p;
        }
    }
    if (p < end && (class & LOWERS)) {
        return skip(p, end, LOWERS);
    }
    return last_lower;
}

/* UPPERS+ LOWERS* where the first alternative has failed, so that no
 * character of LOWERS follows.  NULL if there is none. */
static const uint8_t *skip_upper_word(const uint8_t *p, const uint8_t *end)
{
    const uint8_t *q = skip(p, end, UPPERS);

    return q > p ? q : NULL;
}

/* A word of o200k with the character before it; NULL if there is none. */
static const uint8_t *skip_o200k_word(const uint8_t *p, const uint8_t *end)
{
    unsigned length;
    unsigned class = class_at(p, end, &length);
    const uint8_t *word = NULL;

    if (class & LETTERS) {
        word = skip_cased_word(p, end);
        return word ? word : skip_upper_word(p, end);
    }
    if (class & (NUMBERS | NEWLINES)) {
        return NULL;
    }
    word = skip_cased_word(p + length, end);
    if (!word && (class & MARKS)) {
        word = skip_cased_word(p, end);
    }
    return word ? word : skip_upper_word(p + length, end);
}

static const uint8_t *next_o200k(const uint8_t *p, const uint8_t *end,
                                 const struct split_rules *rules)
{
    unsigned length, after_length;
    const uint8_t *word = skip_o200k_word(p, end);

    if (word) {
        return word + (rules->contractions ? contraction(word, end, true) : 0);
    }
    unsigned class = class_at(p, end, &length);
    const uint8_t *q = p + length;
    if (class & NUMBERS) {
        return skip_digits(q, end, rules->digits);
    }
    unsigned after = class_or_none(q, end, &after_length);
    if ((class & SPACES) && !(*p == ' ' && (after & REST))) {
        return skip_space(p, end, true);
    }
    return skip_newlines(skip(q, end, REST), end, true);
}

/* The Chinese and Japanese characters that DeepSeek cuts out first. */
static bool is_cjk(uint32_t c)
{
    return (c >= 0x4E00 && c <= 0x9FA5) || (c >= 0x3040 && c <= 0x30FF);
}

/* Skip characters while is_cjk() says what cjk says, and, outside of CJK, up
 * to the next number. */
static const uint8_t *skip_part(const uint8_t *p, const uint8_t *end, bool cjk)
{
    while (p < end) {
        unsigned length;
        uint32_t c = utf8_decode(p, end, &length);
        if (is_cjk(c) != cjk || (!cjk && class_of(c) == UNICODE_NUMBER)) {
            break;
        }
        p += length;
    }
    return p;
}

static bool is_ascii_letter(uint8_t byte)
{
    return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
}

/* Characters that no alternative matches: they end where a match starts, and
 * the last one before a letter belongs to the word. */
static const uint8_t *skip_unmatched(const uint8_t *p, const uint8_t *end)
{
    unsigned length, after_length;

    while (p < end && (class_at(p, end, &length) & IS(OTHER))) {
        unsigned after = class_or_none(p + length, end, &after_length);
        if (after & (LETTERS | MARKS)) {
            break;
        }
        p += length;
    }
    return p;
}

/* A piece inside a part without numbers, all CJK or without CJK. */
static const uint8_t *next_in_part(const uint8_t *p, const uint8_t *end)
{
    unsigned length, after_length;
    unsigned class = class_at(p, end, &length);
    const uint8_t *q = p + length;

    if (*p < 0x80 && (class & SYMBOLS) && q < end && is_ascii_letter(*q)) {
        while (q < end && is_ascii_letter(*q)) {
            q++;
        }
        return q;
    }
    if (class & (LETTERS | MARKS)) {
        return skip(q, end, LETTERS | MARKS);
    }
    unsigned after = class_or_none(q, end, &after_length);
    if (!(class & (NEWLINES | SYMBOLS)) && (after & (LETTERS | MARKS))) {
        return skip(q, end, LETTERS | MARKS);
    }
    if ((class & SYMBOLS) || (*p == ' ' && (after & SYMBOLS))) {
        return skip_newlines(skip(q, end, SYMBOLS), end, false);
    }
    if (class & SPACES) {
        return skip_space(p, end, true);
    }
    return skip_unmatched(q, end);
}

static const uint8_t *next_deepseek(struct splitter *splitter)
{
    const uint8_t *p = splitter->at, *end = splitter->end;

    if (p == splitter->part_end) {
        unsigned length;
        uint32_t c = utf8_decode(p, end, &length);
        if (class_of(c) == UNICODE_NUMBER) {
            splitter->part_end = skip_digits(p + length, end, splitter->rules->digits);
        } else {
            splitter->part_end = skip_part(p, end, is_cjk(c));
        }
        if (class_of(c) == UNICODE_NUMBER) {
            return splitter->part_end;
        }
    }
    return next_in_part(p, splitter->part_end);
}

static bool is_ascii_digit(uint8_t byte)
{
    return (uint8_t)(byte - '0') < 10;
}

/* Capitals and then small letters of ASCII. */
static const uint8_t *skip_ascii_word(const uint8_t *p, const uint8_t *end)
{
    while (p < end && (uint8_t)(*p - 'A') < 26) {
        p++;
    }
    while (p < end && (uint8_t)(*p - 'a') < 26) {
        p++;
    }
    return p;
}

/*
 * The pieces that most are, told by ASCII alone, under the rules of all families but
 * DeepSeek's: some digits, or a word with what may stand before it, where nothing follows
 * that could belong to it.  NULL: it is none of these.
 */
static const uint8_t *skip_plain(const uint8_t *p, const uint8_t *end,
                                 const struct split_rules *rules)
{
    bool takes_any = rules->family != SPLIT_GPT2; /* before a word, and not a space alone */
    if (is_ascii_digit(*p) && takes_any) {
        const uint8_t *most =
            rules->digits > 0 && end - p > rules->digits ? p + rules->digits : end;
        while (p < most && is_ascii_digit(*p)) {
            p++;
        }
        return p == most || *p < 0x80 ? p : NULL;
    }
    bool is_before = *p == ' ' || (takes_any && *p < 0x80 && *p != '\'' && *p != '\n' &&
                                   *p != '\r' && !is_ascii_letter(*p));
    const uint8_t *word = p + is_before;
    const uint8_t *after = skip_ascii_word(word, end);
    bool ends = after == end || (*after < 0x80 && *after != '\'' && !is_ascii_letter(*after));
    return ends && after > word ? after : NULL;
}

void splitter_start(struct splitter *splitter, const struct split_rules *rules, const void *text,
                    size_t length)
{
    splitter->rules = rules;
    splitter->at = text;
    splitter->end = splitter->at + length;
    splitter->part_end = splitter->at;
    splitter->block = splitter->at;
    splitter->starts = 0;
}

#if SIMD

static bool starts_in_ascii(const uint8_t *p)
{
    return (load_bytes(p, 8) & UINT64_C(0x8080808080808080)) == 0;
}

/* Finds pieces that end in the block that starts with the next one; false: there are none. */
static bool find_block(struct splitter *splitter)
{
    const uint8_t *p = splitter->at;
    if (splitter->end - p >= ASCII_BLOCK && ascii_block_knows(splitter->rules) &&
        starts_in_ascii(p)) {
        splitter->block = p;
        splitter->starts = ascii_block_starts(p, splitter->rules);
    }
    return splitter->starts != 0;
}

#else

static bool find_block(struct splitter *splitter)
{
    (void)splitter;
    return false;
}

#endif

size_t splitter_find(struct splitter *splitter, const uint8_t **piece)
{
    const uint8_t *p = splitter->at, *next = p;

    if (find_block(splitter)) {
        return splitter_next(splitter, piece);
    }
    if (p == splitter->end) {
        return 0;
    }
    *piece = p;
    bool may_be_plain = splitter->rules->family != SPLIT_DEEPSEEK;
    if (may_be_plain && (next = skip_plain(p, splitter->end, splitter->rules)) != NULL) {
        splitter->at = next;
        return (size_t)(next - p);
    }
    switch (splitter->rules->family) {
    case SPLIT_GPT2:
        next = next_gpt2(p, splitter->end, splitter->rules);
        break;
    case SPLIT_CL100K:
        next = next_cl100k(p, splitter->end, splitter->rules);
        break;
    case SPLIT_O200K:
        next = next_o200k(p, splitter->end, splitter->rules);
        break;
    case SPLIT_DEEPSEEK:
        next = next_deepseek(splitter);
        break;
    }
    splitter->at = next;
    return (size_t)(next - p);
}
