/* ascii_block.c: see ascii_block.h. */
#include "ascii_block.h"

#if SIMD

/* The bytes of a block that are of a kind, the first one's bit the lowest. */
struct kinds {
    uint64_t upper, lower, digits;
    uint64_t spaces; /* of any kind */
    uint64_t blanks; /* U+0020 */
    uint64_t newlines;
    uint64_t apostrophes, slashes;
    uint64_t beyond; /* ASCII */
};

static void find_kinds(const uint8_t *at, struct kinds *kinds)
{
    *kinds = (struct kinds){0};
    for (unsigned i = 0; i < ASCII_BLOCK; i += 16) {
        simd bytes = simd_load(at + i);
        simd blanks = simd_equal(bytes, simd_all(' '));
        simd newlines =
            simd_or(simd_equal(bytes, simd_all('\n')), simd_equal(bytes, simd_all('\r')));
        kinds->upper |= (uint64_t)simd_bits(simd_between(bytes, 'A', 'Z')) << i;
        kinds->lower |= (uint64_t)simd_bits(simd_between(bytes, 'a', 'z')) << i;
        kinds->digits |= (uint64_t)simd_bits(simd_between(bytes, '0', '9')) << i;
        kinds->spaces |= (uint64_t)simd_bits(simd_or(blanks, simd_between(bytes, '\t', '\r'))) << i;
        kinds->blanks |= (uint64_t)simd_bits(blanks) << i;
        kinds->newlines |= (uint64_t)simd_bits(newlines) << i;
        kinds->apostrophes |= (uint64_t)simd_bits(simd_equal(bytes, simd_all('\''))) << i;
        kinds->slashes |= (uint64_t)simd_bits(simd_equal(bytes, simd_all('/'))) << i;
        kinds->beyond |= (uint64_t)simd_bits_beyond_ascii(bytes) << i;
    }
}

static uint64_t letters_of(const struct kinds *kinds)
{
    return kinds->upper | kinds->lower;
}

/* \p{N}, \s and \p{L} are all other ASCII. */
static uint64_t rest_of(const struct kinds *kinds)
{
    return ~(letters_of(kinds) | kinds->digits | kinds->spaces | kinds->beyond);
}

/* The first byte of each run. */
static uint64_t first_of(uint64_t runs)
{
    return runs & ~(runs << 1);
}

/* The bytes behind the runs that begin with some of their first bytes: adding carries there. */
static uint64_t behind(uint64_t runs, uint64_t firsts)
{
    return (runs + firsts) & ~runs;
}

/* Besides those that are found, the bytes of `through` from which only such lead to them. */
static uint64_t leading_to(uint64_t found, uint64_t through)
{
    for (unsigned step = 1; step < ASCII_BLOCK; step *= 2) {
        found |= through & found >> step;
        through &= through >> step;
    }
    return found;
}

/*
 * A word starts with its first letter, unless a space stands before, or one character of the
 * rest that itself has no blank before; it does not take the rest's or a line's last one.
 */
static uint64_t word_starts(const struct kinds *kinds, bool cased)
{
    uint64_t rest = rest_of(kinds);
    uint64_t inner_spaces = kinds->spaces & ~kinds->newlines;
    uint64_t behind_one = rest << 1 & ~(rest << 2) & ~(kinds->blanks << 2);
    uint64_t starts = first_of(letters_of(kinds)) & ~(inner_spaces << 1) & ~behind_one;
    return cased ? starts | (kinds->upper & kinds->lower << 1) : starts;
}

/* At each run's first digit, and at every so many digits from there on; 0: at no more. */
static uint64_t number_starts(uint64_t digits, unsigned most)
{
    uint64_t starts = first_of(digits);
    if (most == 0 || most >= ASCII_BLOCK) {
        return starts;
    }
    uint64_t inside = digits; /* at least so many digits from a run's first */
    for (unsigned i = 0; i < most; i++) {
        inside &= inside << 1;
    }
    for (uint64_t more = starts; (more = more << most & inside) != 0;) {
        starts |= more;
    }
    return starts;
}

/*
 * White space is cut behind its last line end, and before its last character if something
 * else follows.  Line ends right behind the rest belong to that.
 */
static uint64_t space_starts(const struct kinds *kinds)
{
    uint64_t inner = kinds->spaces & ~kinds->newlines;
    uint64_t of_rest = kinds->newlines & rest_of(kinds) << 1;
    uint64_t before_line_end = leading_to(kinds->newlines, inner);
    return (first_of(kinds->spaces) & ~of_rest) | behind(kinds->newlines, of_rest) |
           (kinds->newlines << 1 & ~before_line_end) | (inner & ~(kinds->spaces >> 1));
}

/* What could make a piece another than is thought here: all from there on is left. */
static uint64_t unsure_of(const struct kinds *kinds, const struct split_rules *rules)
{
    uint64_t letters = letters_of(kinds);
    uint64_t unsure = kinds->beyond;
    if (rules->family == SPLIT_O200K) {
        unsure |= kinds->slashes & kinds->newlines << 1;
        unsure |= rules->contractions ? kinds->apostrophes & letters << 1 : 0;
    } else {
        unsure |= rules->contractions ? letters & kinds->apostrophes << 1 : 0;
    }
    return unsure;
}

/* The bytes at which it is known whether a piece starts. */
static uint64_t sure_of(const struct kinds *kinds, uint64_t unsure)
{
    uint64_t sure = unsure != 0 ? (unsure & (~unsure + 1)) - 1 : UINT64_MAX;
    uint64_t others = sure & ~kinds->spaces;
    /* White space that ends where nothing is known: where it is cut is not known, either. */
    unsigned space = others != 0 ? simd_last(others) + 1 : 0;
    return space < ASCII_BLOCK ? sure & ((UINT64_C(2) << space) - 1) : sure;
}

uint64_t ascii_block_starts(const uint8_t *at, const struct split_rules *rules)
{
    struct kinds kinds;
    find_kinds(at, &kinds);
    uint64_t rest_starts = first_of(rest_of(&kinds)) & ~(kinds.blanks << 1);
    uint64_t starts = word_starts(&kinds, rules->family == SPLIT_O200K) | rest_starts |
                      number_starts(kinds.digits, rules->digits) | space_starts(&kinds);
    return starts & sure_of(&kinds, unsure_of(&kinds, rules)) & ~UINT64_C(1);
}

#endif
