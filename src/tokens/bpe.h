/* bpe.h: tokens counted exactly: split into pieces, merge byte pairs by rank. */
#ifndef EDGEFOLD_BPE_H
#define EDGEFOLD_BPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vocab.h"

struct bpe;

/* Makes a counter.  The vocabulary must outlive it. */
struct bpe *bpe_new(const struct vocab *vocab);

void bpe_free(struct bpe *bpe);

/* Return the number of tokens of a text, special tokens as plain text.  Each
 * byte that is not valid UTF-8 counts as U+FFFD. */
uint64_t bpe_count(struct bpe *bpe, const void *text, size_t length);

/* Whether merging the bytes of a token leads to the token. */
bool bpe_reaches(struct bpe *bpe, const uint8_t *token, size_t length);

#endif
