/* number.c: see number.h. */
#include "number.h"

#include <math.h>
#include <stdlib.h>

/* With nine decimals, a threshold's terms times two set sizes still fit 64 bits. */
#define MOST_DECIMALS 9

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool number_positive(const char *string, size_t *value)
{
    size_t n = 0;
    if (*string == '\0') {
        return false;
    }
    for (; *string != '\0'; string++) {
        size_t digit = (size_t)(*string - '0');
        if (!is_digit(*string) || n > (SIZE_MAX - digit) / 10) {
            return false;
        }
        n = n * 10 + digit;
    }
    if (n == 0) {
        return false;
    }
    *value = n;
    return true;
}

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool number_threshold(const char *string, struct fraction *value)
{
    uint64_t num = 0;
    uint64_t den = 1;
    size_t decimals = 0;
    size_t digits = 0;
    bool after_point = false;
    for (const char *c = string; *c != '\0'; c++) {
        if (*c == '.' && !after_point) {
            after_point = true;
            continue;
        }
        if (!is_digit(*c)) {
            return false;
        }
        digits++;
        if (after_point && ++decimals > MOST_DECIMALS) {
            if (*c != '0') {
                return false;
            }
            continue;
        }
        num = num * 10 + (uint64_t)(*c - '0');
        den *= after_point ? 10 : 1;
        if (num > den) {
            return false;
        }
    }
    if (digits == 0 || num == 0 || string[strlen(string) - 1] == '.') {
        return false;
    }
    uint32_t common = greatest_common_divisor((uint32_t)num, (uint32_t)den);
    *value = (struct fraction){(uint32_t)num / common, (uint32_t)den / common};
    return true;
}

static size_t skip_digits(struct slice text, size_t i)
{
    while (i < text.len && is_digit(text.at[i])) {
        i++;
    }
    return i;
}

/* Whether text is `[-] int [frac] [exp]` and nothing else. */
static bool in_json_grammar(struct slice text)
{
    size_t i = text.len > 0 && text.at[0] == '-' ? 1 : 0;
    size_t end = skip_digits(text, i);
    if (end == i || (text.at[i] == '0' && end > i + 1)) {
        return false;
    }
    i = end;
    if (i < text.len && text.at[i] == '.') {
        end = skip_digits(text, i + 1);
        if (end == i + 1) {
            return false;
        }
        i = end;
    }
    if (i < text.len && (text.at[i] == 'e' || text.at[i] == 'E')) {
        i++;
        if (i < text.len && (text.at[i] == '+' || text.at[i] == '-')) {
            i++;
        }
        end = skip_digits(text, i);
        if (end == i) {
            return false;
        }
        i = end;
    }
    return i == text.len;
}

bool number_json(struct slice text, double *value)
{
    if (!in_json_grammar(text)) {
        return false;
    }
    double parsed = strtod(text.at, NULL);
    if (!isfinite(parsed)) {
        return false;
    }
    *value = parsed;
    return true;
}
