/* estimate.h: token counts without a vocabulary file.
 *
 * The estimate is a sum over the pieces of the o200k split, in fixed point and
 * with integers only.  So it is the same on every machine, and where a text is
 * cut at a piece boundary the estimates of the parts add up to the estimate of
 * the whole, exactly. */
#ifndef EDGEFOLD_ESTIMATE_H
#define EDGEFOLD_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

#define ESTIMATE_UNIT 1024 /* one token */

/* Return the estimate of one piece in 1/1024 token. */
uint64_t estimate_piece(const uint8_t *piece, size_t length);

/* Estimates of short pieces seen lately: most pieces of a text are repeats.
 * Start with all bytes zero.  The results do not depend on it. */
#define ESTIMATE_CACHE_BITS 14
struct estimate_cache {
    struct {
        uint64_t head; /* the first 8 bytes of the piece, or fewer */
        uint64_t tail; /* up to 5 more bytes, its length and its estimate */
    } slots[1 << ESTIMATE_CACHE_BITS];
};

/* Return the estimate of a text in 1/1024 token. */
uint64_t estimate_text(struct estimate_cache *cache, const void *text, size_t length);

/* Return the number of tokens: round up, so that some text is never 0. */
static inline uint64_t estimate_tokens(uint64_t units)
{
    return (units + ESTIMATE_UNIT - 1) / ESTIMATE_UNIT;
}

#endif
