/* signature.h: a set of terms as 256 bits, to tell unlike sets apart at a look. */
#ifndef EDGEFOLD_SIGNATURE_H
#define EDGEFOLD_SIGNATURE_H

#include <stddef.h>
#include <stdint.h>

#define SIGNATURE_WORDS 4

/*
 * Bit (id mod 256) is flipped for each term.  A term that only one of two sets
 * has changes one bit, so sets that differ in d terms differ in at most d bits:
 * the bitmap filter of Sandes, Teodoro and Melo 2020, with exclusive or.
 */
struct signature {
    uint64_t bits[SIGNATURE_WORDS];
};

/* The signature of distinct ids. */
struct signature signature_of(const uint32_t *ids, size_t count);

/* The number of bits in which two signatures differ. */
unsigned signature_distance(const struct signature *a, const struct signature *b);

/*
 * The signature in 64 bits: its words by exclusive or, which is the same map
 * with (id mod 64).  fold_distance() is to it what signature_distance() is above.
 */
uint64_t signature_fold(const struct signature *signature);
unsigned fold_distance(uint64_t a, uint64_t b);

#endif
