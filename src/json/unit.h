/* unit.h: the \uXXXX in a JSON string, a unit of UTF-16. */
#ifndef EDGEFOLD_UNIT_H
#define EDGEFOLD_UNIT_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of one that is written so. */
enum { UNIT_LENGTH = 6 };

/* The unit that is written at `at`, which may be the end; -1: there is none. */
static inline int unit_at(const char *at, const char *end)
{
    if (end - at < UNIT_LENGTH || at[0] != '\\' || at[1] != 'u') {
        return -1;
    }
    int unit = 0;
    for (int i = 2; i < UNIT_LENGTH; i++) {
        char small = (char)(at[i] | 0x20);
        bool is_digit = at[i] >= '0' && at[i] <= '9';
        if (!is_digit && (small < 'a' || small > 'f')) {
            return -1;
        }
        unit = unit << 4 | (is_digit ? at[i] - '0' : small - 'a' + 10);
    }
    return unit;
}

/* Whether the unit is the first half of a surrogate pair; and whether it is the second. */
static inline bool unit_is_high(int unit)
{
    return unit >= 0xd800 && unit <= 0xdbff;
}
static inline bool unit_is_low(int unit)
{
    return unit >= 0xdc00 && unit <= 0xdfff;
}

/* The code point that a pair is. */
static inline uint32_t unit_pair(int high, int low)
{
    return 0x10000 + ((uint32_t)(high - 0xd800) << 10) + (uint32_t)(low - 0xdc00);
}

#endif
