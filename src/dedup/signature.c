/* signature.c: see signature.h. */
#include "signature.h"

struct signature signature_of(const uint32_t *ids, size_t count)
{
    struct signature signature = {{0}};
    for (size_t i = 0; i < count; i++) {
        uint32_t id = ids[i];
        signature.bits[id / 64 % SIGNATURE_WORDS] ^= (uint64_t)1 << id % 64;
    }
    return signature;
}

/* In plain C: a compiler's own needs an instruction that not every machine has. */
static unsigned count_bits(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555U;
    x = (x & 0x3333333333333333U) + (x >> 2 & 0x3333333333333333U);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fU;
    return (unsigned)(x * 0x0101010101010101U >> 56);
}

unsigned signature_distance(const struct signature *a, const struct signature *b)
{
    unsigned distance = 0;
    for (size_t i = 0; i < SIGNATURE_WORDS; i++) {
        distance += count_bits(a->bits[i] ^ b->bits[i]);
    }
    return distance;
}

uint64_t signature_fold(const struct signature *signature)
{
    uint64_t fold = 0;
    for (size_t i = 0; i < SIGNATURE_WORDS; i++) {
        fold ^= signature->bits[i];
    }
    return fold;
}

unsigned fold_distance(uint64_t a, uint64_t b)
{
    return count_bits(a ^ b);
}
