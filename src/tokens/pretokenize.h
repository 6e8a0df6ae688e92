/* pretokenize.h: text cut into the pieces that byte-pair tokenizers encode one by one.
 *
 * The tokenizers define their pieces by regular expressions.  Here they are
 * written out by hand: the same boundaries, in linear time, without a regular
 * expression library. */
#ifndef EDGEFOLD_PRETOKENIZE_H
#define EDGEFOLD_PRETOKENIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum split_family {
    SPLIT_GPT2,     /* r50k, p50k, gpt2: a word takes one space before it */
    SPLIT_CL100K,   /* cl100k, Llama 3, Qwen: a word takes one character */
    SPLIT_O200K,    /* o200k, tekken: words end where the case changes */
    SPLIT_DEEPSEEK, /* digits, then Chinese and Japanese, then the rest */
};

struct split_rules {
    enum split_family family;
    unsigned digits;     /* longest digit piece; 0 = no limit */
    bool contractions;   /* 's, 't, 're, ... are cut off or kept with a word */
    bool marks_in_words; /* combining marks count as letters (cl100k only) */
};

extern const struct split_rules split_r50k;
extern const struct split_rules split_cl100k;
extern const struct split_rules split_qwen2;
extern const struct split_rules split_qwen35;
extern const struct split_rules split_o200k;
extern const struct split_rules split_tekken;
extern const struct split_rules split_deepseek;

struct splitter {
    const struct split_rules *rules;
    const uint8_t *at;       /* where the next piece starts */
    const uint8_t *end;      /* end of the text */
    const uint8_t *part_end; /* SPLIT_DEEPSEEK: end of the current part */
    const uint8_t *block;    /* of which it is known where pieces start, */
    uint64_t starts;         /* a bit for each byte that is still to come */
};

/* The rules of that name or number, NULL if there are none. */
const struct split_rules *split_rules_named(const char *name);
const struct split_rules *split_rules_numbered(uint32_t number);

/* The number that stands for these rules in a file. */
uint32_t split_rules_number(const struct split_rules *rules);

/* Start at the first byte of a text.  The text must outlive the splitter. */
void splitter_start(struct splitter *splitter, const struct split_rules *rules, const void *text,
                    size_t length);

/* As splitter_next(), where no more pieces are known. */
size_t splitter_find(struct splitter *splitter, const uint8_t **piece);

/* Find the next piece: set *piece and return its length in bytes, 0 at the end
 * of the text.  The pieces together are the text. */
static inline size_t splitter_next(struct splitter *splitter, const uint8_t **piece)
{
#if SIMD
    if (splitter->starts != 0) {
        *piece = splitter->at;
        splitter->at = splitter->block + simd_first(splitter->starts);
        splitter->starts &= splitter->starts - 1;
        return (size_t)(splitter->at - *piece);
    }
#endif
    return splitter_find(splitter, piece);
}

#endif
