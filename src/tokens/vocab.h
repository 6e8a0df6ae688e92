/* vocab.h: the ranks of a byte-pair tokenizer: which byte strings are tokens. */
#ifndef EDGEFOLD_VOCAB_H
#define EDGEFOLD_VOCAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "pretokenize.h"

#define VOCAB_NONE UINT32_MAX /* not a token */

/* The highest rank that can be told; one beyond says "whole pieces only". */
#define VOCAB_MOST_RANKS ((1U << 24) - 1)

struct vocab;

/*
 * An empty vocabulary with room for so many tokens of so many bytes in all; to
 * be given to vocab_free().
 */
struct vocab *vocab_new(size_t tokens, size_t bytes);

/*
 * Adds a token; false when it is there already, or when there is no place for it (see
 * vocab_is_sound()).  Two adjacent parts of a piece
 * merge when together they are a token, the lowest rank first.  With the rank
 * VOCAB_MOST_RANKS a token is no result of merging: it only stands for a whole
 * piece.
 */
bool vocab_add(struct vocab *vocab, const uint8_t *bytes, size_t length, uint32_t rank);

/*
 * Whether there was a place for every token.  There is, unless somebody has chosen the
 * tokens so that they all fall on one.
 */
bool vocab_is_sound(const struct vocab *vocab);

/*
 * Says what else belongs to counting, once all tokens are there: how text is
 * split; whether it is normalised to NFC first; and whether a piece that is a
 * token counts as one without merging (else merging decides).
 */
void vocab_finish(struct vocab *vocab, const struct split_rules *rules, bool nfc,
                  bool whole_pieces);

void vocab_free(struct vocab *vocab);

/* The rank of a byte string, VOCAB_NONE if merging does not lead to it. */
uint32_t vocab_rank(const struct vocab *vocab, const uint8_t *bytes, size_t length);

/* The same for two bytes, at the price of one memory access. */
uint32_t vocab_pair_rank(const struct vocab *vocab, const uint8_t *bytes);

/* Whether a piece counts as one token without any merging. */
bool vocab_has_piece(const struct vocab *vocab, const uint8_t *bytes, size_t length);

/*
 * Whether some token may have in it the end of the character before `right` and the
 * beginning of that at `right`, both of three bytes.  Where none has, no merging goes
 * across, and the counts of what is left and right of there add up.
 */
bool vocab_joins(const struct vocab *vocab, const uint8_t *right);

const struct split_rules *vocab_rules(const struct vocab *vocab);
bool vocab_wants_nfc(const struct vocab *vocab);

/* A number that depends on all tokens and their ranks, to know an encoding by. */
uint64_t vocab_fingerprint(const struct vocab *vocab);

/* Adds the vocabulary to out as a table that vocab_map() uses as it stands. */
void vocab_add_table(struct buf *out, const struct vocab *vocab);

/* Whether a file that begins with these bytes is such a table. */
bool vocab_is_table(struct slice start);

/*
 * The vocabulary in a table of which `length` bytes are mapped at `table`; it is
 * unmapped by vocab_free().  NULL and a reason when the table is not whole, of
 * another version or machine, or says what cannot be; then it stays mapped.
 */
struct vocab *vocab_map(void *table, size_t length, const char **reason);

/* Two numbers mixed into a hash. */
static inline uint64_t vocab_mix(uint64_t a, uint64_t b)
{
    uint64_t hash = (a ^ b * 0xC2B2AE3D27D4EB4FU) * 0x9E3779B97F4A7C15U;

    return (hash ^ hash >> 32) * 0xD6E8FEB86659FD93U;
}

#endif
