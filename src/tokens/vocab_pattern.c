/* vocab_pattern.c: see vocab_pattern.h. */
#include "vocab_pattern.h"

#include <stddef.h>
#include <string.h>

/* As the files have them, letter for letter; some encodings have two spellings. */
static const struct {
    const char *expression;
    const struct split_rules *rules;
} patterns[] = {
    {"'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|"
     "\\s+",
     &split_r50k},
    {"'(?:[sdmt]|ll|ve|re)| ?\\p{L}++| ?\\p{N}++| ?[^\\s\\p{L}\\p{N}]++|\\s++$|\\s+("
     "?!\\S)|\\s",
     &split_r50k},
    {"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s"
     "\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
     &split_cl100k},
    {"'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++|\\p{N}{1,3}+| ?[^\\s\\p{"
     "L}\\p{N}]++[\\r\\n]*+|\\s++$|\\s*[\\r\\n]|\\s+(?!\\S)|\\s",
     &split_cl100k},
    {"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L"
     "}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
     &split_qwen2},
    {"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^"
     "\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
     &split_qwen35},
    {"[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{"
     "Lo}\\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}"
     "\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'"
     "d)?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
     &split_o200k},
    {"[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{"
     "Lo}\\p{M}]+|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll"
     "}\\p{Lm}\\p{Lo}\\p{M}]*|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|"
     "\\s+(?!\\S)|\\s+",
     &split_tekken},
};

/* The three that DeepSeek splits by, one after the other. */
static const char deepseek_first[] = "\\p{N}{1,3}";
static const char deepseek_second[] = "[\xe4\xb8\x80"
                                      "-\xe9\xbe\xa5\xe3\x81\x80"
                                      "-\xe3\x82\x9f\xe3\x82\xa0"
                                      "-"
                                      "\xe3\x83\xbf"
                                      "]+";
static const char deepseek_third[] =
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}"
    "]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+";

static const struct {
    uint64_t fingerprint;
    const struct split_rules *rules;
} encodings[] = {
    {0x490640e51f287042U, &split_r50k},   /* r50k_base */
    {0x2b250c0a846bb18fU, &split_r50k},   /* p50k_base */
    {0x877b3266573cd861U, &split_cl100k}, /* cl100k_base */
    {0x984ee7eb8862380eU, &split_o200k},  /* o200k_base */
};

const struct split_rules *pattern_rules(const char *expression)
{
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        if (strcmp(patterns[i].expression, expression) == 0) {
            return patterns[i].rules;
        }
    }
    return NULL;
}

const struct split_rules *pattern_rules_of_three(const char *first, const char *second,
                                                 const char *third)
{
    bool same = strcmp(first, deepseek_first) == 0 && strcmp(second, deepseek_second) == 0 &&
                strcmp(third, deepseek_third) == 0;
    return same ? &split_deepseek : NULL;
}

const struct split_rules *pattern_of_fingerprint(uint64_t fingerprint)
{
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        if (encodings[i].fingerprint == fingerprint) {
            return encodings[i].rules;
        }
    }
    return NULL;
}
