/* ascii_block.h: where pieces start in 64 bytes of ASCII, all at once; for pretokenize.c alone.
 *
 * A bit for each byte; whole words of bits are shifted, added and masked where the
 * patterns of pretokenize.c look at one character after another, as simdjson does for JSON
 * (Langdale and Lemire, Parsing Gigabytes of JSON per Second, 2019). */
#ifndef EDGEFOLD_ASCII_BLOCK_H
#define EDGEFOLD_ASCII_BLOCK_H

#include <stdint.h>

#include "base/base.h"
#include "pretokenize.h"

#define ASCII_BLOCK 64 /* bytes */

#if SIMD

/* Whether these rules are known here: those of the o200k and cl100k families. */
static inline bool ascii_block_knows(const struct split_rules *rules)
{
    return rules->family == SPLIT_O200K || rules->family == SPLIT_CL100K;
}

/*
 * The bytes at which pieces start in the 64 bytes from `at` on, where one starts at the
 * first, which is left out.  Only those that no byte behind the block, none beyond ASCII
 * and no contraction could move; there may be none.
 */
uint64_t ascii_block_starts(const uint8_t *at, const struct split_rules *rules);

#endif

#endif
