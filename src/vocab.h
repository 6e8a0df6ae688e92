/* The ranks of a byte-pair tokenizer: which byte strings are tokens. */
#ifndef VOCAB_H
#define VOCAB_H

#include <stddef.h>
#include <stdint.h>

#define VOCAB_NONE UINT32_MAX /* not a token */

struct vocab;

/* Parse a .tiktoken file: lines of base64(token), a space and the rank.  Ranks
 * may have gaps and start above 0.  On failure return NULL and set *error to a
 * message.  The data are not needed afterwards. */
struct vocab *vocab_parse_tiktoken(const void *data, size_t length, const char **error);

void vocab_free(struct vocab *vocab);

/* Return the rank of a byte string, VOCAB_NONE if it is not a token. */
uint32_t vocab_rank(const struct vocab *vocab, const uint8_t *bytes, size_t length);

/* The same for two bytes, at the price of one memory access. */
uint32_t vocab_pair_rank(const struct vocab *vocab, const uint8_t *bytes);

/* Return the number of tokens. */
uint32_t vocab_size(const struct vocab *vocab);

/* Return up to 8 bytes as a number, without reading beyond them. */
uint64_t vocab_load(const uint8_t *bytes, size_t length);

/* Mix two numbers into a hash. */
static inline uint64_t vocab_mix(uint64_t a, uint64_t b)
{
    uint64_t hash = (a ^ b * 0xC2B2AE3D27D4EB4Fu) * 0x9E3779B97F4A7C15u;

    return (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
}

#endif
