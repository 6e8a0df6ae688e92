/*
 * simd.h: sixteen bytes at a time, where the processor can: SSE2 on x86-64, NEON on arm64.
 *
 * Elsewhere SIMD is 0, nothing else is declared, and the code that uses it has a plain
 * twin, which NO_SIMD chooses, too, so that tests can hold one against the other.
 *
 * What compares gives lanes of which all bits are set or none; simd_bits() makes a bit of
 * each byte, the first byte's the lowest.
 */
#ifndef EDGEFOLD_SIMD_H
#define EDGEFOLD_SIMD_H

#include <stdint.h>

#if defined(__GNUC__) && defined(__SSE2__) && !defined(NO_SIMD)

#define SIMD 1

#include <emmintrin.h>

typedef __m128i simd;

static inline simd simd_load(const void *at)
{
    return _mm_loadu_si128((const __m128i *)at);
}

static inline void simd_store(void *at, simd bytes)
{
    _mm_storeu_si128((__m128i *)at, bytes);
}

/* The same byte, or the same two or four bytes, in all lanes. */
static inline simd simd_all(uint8_t byte)
{
    return _mm_set1_epi8((char)byte);
}

static inline simd simd_all_16(uint16_t number)
{
    return _mm_set1_epi16((short)number);
}

static inline simd simd_all_32(uint32_t number)
{
    return _mm_set1_epi32((int)number);
}

static inline simd simd_and(simd a, simd b)
{
    return _mm_and_si128(a, b);
}

static inline simd simd_or(simd a, simd b)
{
    return _mm_or_si128(a, b);
}

static inline simd simd_equal(simd a, simd b)
{
    return _mm_cmpeq_epi8(a, b);
}

static inline simd simd_equal_16(simd a, simd b)
{
    return _mm_cmpeq_epi16(a, b);
}

static inline simd simd_equal_32(simd a, simd b)
{
    return _mm_cmpeq_epi32(a, b);
}

/* Shifts numbers of two or four bytes to the right. */
static inline simd simd_right_16(simd numbers, unsigned bits)
{
    return _mm_srli_epi16(numbers, (int)bits);
}

static inline simd simd_right_32(simd numbers, unsigned bits)
{
    return _mm_srli_epi32(numbers, (int)bits);
}

/* The bytes from first to last, both of ASCII. */
static inline simd simd_between(simd bytes, uint8_t first, uint8_t last)
{
    /* Adding moves them to the highest values that a signed byte has: one comparison does. */
    return _mm_cmpgt_epi8(_mm_add_epi8(bytes, simd_all((uint8_t)(INT8_MAX - last))),
                          simd_all((uint8_t)(INT8_MAX - 1 - (last - first))));
}

/* The bytes up to last. */
static inline simd simd_up_to(simd bytes, uint8_t last)
{
    return _mm_cmpeq_epi8(_mm_min_epu8(bytes, simd_all(last)), bytes);
}

static inline unsigned simd_bits(simd found)
{
    return (unsigned)_mm_movemask_epi8(found);
}

/* A bit for each byte that is not ASCII. */
static inline unsigned simd_bits_beyond_ascii(simd bytes)
{
    return (unsigned)_mm_movemask_epi8(bytes);
}

#elif defined(__GNUC__) && defined(__aarch64__) && defined(__ARM_NEON) && !defined(NO_SIMD) &&     \
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

#define SIMD 1

#include <arm_neon.h>

typedef uint8x16_t simd;

static inline simd simd_load(const void *at)
{
    return vld1q_u8(at);
}

static inline void simd_store(void *at, simd bytes)
{
    vst1q_u8(at, bytes);
}

static inline simd simd_all(uint8_t byte)
{
    return vdupq_n_u8(byte);
}

static inline simd simd_all_16(uint16_t number)
{
    return vreinterpretq_u8_u16(vdupq_n_u16(number));
}

static inline simd simd_all_32(uint32_t number)
{
    return vreinterpretq_u8_u32(vdupq_n_u32(number));
}

static inline simd simd_and(simd a, simd b)
{
    return vandq_u8(a, b);
}

static inline simd simd_or(simd a, simd b)
{
    return vorrq_u8(a, b);
}

static inline simd simd_equal(simd a, simd b)
{
    return vceqq_u8(a, b);
}

static inline simd simd_equal_16(simd a, simd b)
{
    return vreinterpretq_u8_u16(vceqq_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
}

static inline simd simd_equal_32(simd a, simd b)
{
    return vreinterpretq_u8_u32(vceqq_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
}

static inline simd simd_right_16(simd numbers, unsigned bits)
{
    return vreinterpretq_u8_u16(
        vshlq_u16(vreinterpretq_u16_u8(numbers), vdupq_n_s16((int16_t)-(int)bits)));
}

static inline simd simd_right_32(simd numbers, unsigned bits)
{
    return vreinterpretq_u8_u32(vshlq_u32(vreinterpretq_u32_u8(numbers), vdupq_n_s32(-(int)bits)));
}

static inline simd simd_between(simd bytes, uint8_t first, uint8_t last)
{
    return vandq_u8(vcgeq_u8(bytes, simd_all(first)), vcleq_u8(bytes, simd_all(last)));
}

static inline simd simd_up_to(simd bytes, uint8_t last)
{
    return vcleq_u8(bytes, simd_all(last));
}

/* Each byte's own bit, and then the sum of each half's. */
static inline unsigned simd_bits(simd found)
{
    static const uint8_t own[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t each = vandq_u8(found, vld1q_u8(own));
    return vaddv_u8(vget_low_u8(each)) | (unsigned)vaddv_u8(vget_high_u8(each)) << 8;
}

static inline unsigned simd_bits_beyond_ascii(simd bytes)
{
    return simd_bits(vcgeq_u8(bytes, simd_all(0x80)));
}

#else

#define SIMD 0

#endif

#if SIMD

/* The place of the lowest bit that is set, or of the highest; there is one. */
static inline unsigned simd_first(uint64_t bits)
{
    return (unsigned)__builtin_ctzll(bits);
}

static inline unsigned simd_last(uint64_t bits)
{
    return 63 - (unsigned)__builtin_clzll(bits);
}

#endif

#endif
