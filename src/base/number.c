/* number.c: see number.h. */
#include "number.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With nine decimals, a threshold's terms times two set sizes still fit 64 bits. */
#define MOST_DECIMALS 9

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool number_up_to(struct slice digits, size_t most, size_t *value)
{
    size_t n = 0;
    for (size_t i = 0; i < digits.len; i++) {
        size_t digit = (size_t)(digits.at[i] - '0');
        if (!is_digit(digits.at[i]) || n > (SIZE_MAX - digit) / 10) {
            return false;
        }
        n = n * 10 + digit;
    }
    if (digits.len == 0 || n > most) {
        return false;
    }
    *value = n;
    return true;
}

bool number_positive(const char *string, size_t *value)
{
    size_t n;
    if (!number_up_to(slice_of(string), SIZE_MAX, &n) || n == 0) {
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
    if (digits == 0 || num == 0) {
        return false;
    }
    uint32_t common = greatest_common_divisor((uint32_t)num, (uint32_t)den);
    *value = (struct fraction){(uint32_t)num / common, (uint32_t)den / common};
    return true;
}

bool number_decimal(const char *string, size_t *num, size_t *den)
{
    size_t whole = 0;
    size_t part = 0;
    struct slice digits = {string, strcspn(string, ".")};
    struct slice decimals = slice_of(string + digits.len + (string[digits.len] == '.'));
    *den = 1;
    if (digits.len + decimals.len == 0 ||
        (digits.len > 0 && !number_up_to(digits, 99999, &whole))) {
        return false;
    }
    if (decimals.len > 0) {
        if (decimals.len > 4 || !number_up_to(decimals, 9999, &part)) {
            return false;
        }
        for (size_t i = 0; i < decimals.len; i++) {
            *den *= 10;
        }
    }
    *num = whole * *den + part;
    if (*num == 0) {
        return false;
    }
    uint32_t common = greatest_common_divisor((uint32_t)*num, (uint32_t)*den);
    *num /= common;
    *den /= common;
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

/* Exponents beyond this are all the same: no double is told apart by them. */
#define EXPONENT_LIMIT 100000000000LL

static long long parse_exponent(struct slice text)
{
    bool negative = text.len > 0 && text.at[0] == '-';
    long long n = 0;
    for (size_t i = text.len > 0 && !is_digit(text.at[0]); i < text.len; i++) {
        n = n < EXPONENT_LIMIT ? n * 10 + (text.at[i] - '0') : n;
    }
    return negative ? -n : n;
}

bool number_is_moderate(struct slice text)
{
    enum { MOST_BYTES = 200, LARGE_EXPONENT = 100 }; /* 1e308 is a double */
    if (text.len > MOST_BYTES || !in_json_grammar(text)) {
        return false;
    }
    const char *e = text.at;
    const char *end = text.at + text.len;
    while (e < end && *e != 'e' && *e != 'E') {
        e++;
    }
    return e == end || parse_exponent(slice_from(text, (size_t)(e + 1 - text.at))) < LARGE_EXPONENT;
}

bool number_option(const char *written, double *value)
{
    const char *digits = written + (*written == '+' || *written == '-');
    size_t whole = strspn(digits, "0123456789");
    const char *point = digits + whole;
    size_t decimals = *point == '.' ? strspn(point + 1, "0123456789") : 0;
    const char *exponent = *point == '.' ? point + 1 + decimals : point;
    if (whole + decimals == 0) {
        return false;
    }
    if (*exponent == 'e' || *exponent == 'E') {
        exponent += 1 + (exponent[1] == '+' || exponent[1] == '-');
        size_t length = strspn(exponent, "0123456789");
        exponent = length > 0 ? exponent + length : "x";
    }
    double parsed = *exponent == '\0' ? strtod(written, NULL) : HUGE_VAL;
    if (!isfinite(parsed)) {
        return false;
    }
    *value = parsed;
    return true;
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

bool number_clamped(struct slice text, double *value)
{
    static const struct {
        const char *word;
        double value;
    } infinite[] = {{"Infinity", HUGE_VAL}, {"-Infinity", -HUGE_VAL}};
    for (size_t i = 0; i < sizeof infinite / sizeof infinite[0]; i++) {
        if (slice_equal(text, slice_of(infinite[i].word))) {
            *value = infinite[i].value;
            return true;
        }
    }
    if (!in_json_grammar(text)) {
        return false;
    }
    double parsed = strtod(text.at, NULL);
    *value = isfinite(parsed) ? parsed : parsed < 0 ? -DBL_MAX : DBL_MAX;
    return true;
}

/* A number as digits d1 d2 d3 ... times ten to the power: 0.d1d2d3 * 10^exponent, d1 not 0. */
struct decimal {
    bool negative;
    struct slice mantissa; /* with its point, from the first digit that is not 0 */
    long long exponent;
};

static struct decimal parse_decimal(struct slice text)
{
    struct decimal decimal = {.negative = text.len > 0 && text.at[0] == '-'};
    size_t start = text.len > 0 && (text.at[0] == '-' || text.at[0] == '+');
    size_t e = start;
    while (e < text.len && text.at[e] != 'e' && text.at[e] != 'E') {
        e++;
    }
    size_t point = start;
    while (point < e && text.at[point] != '.') {
        point++;
    }
    size_t first = start;
    while (first < e && (text.at[first] == '0' || text.at[first] == '.')) {
        first++;
    }
    decimal.mantissa = (struct slice){text.at + first, e - first};
    if (first == e) {
        return (struct decimal){.mantissa = decimal.mantissa}; /* zero, of either sign */
    }
    long long whole = first < point ? (long long)(point - first) : -(long long)(first - point - 1);
    struct slice exponent = {text.at + e + 1, e < text.len ? text.len - e - 1 : 0};
    decimal.exponent = whole + parse_exponent(exponent);
    return decimal;
}

/* The next digit of a mantissa; 0 beyond its end. */
static char next_digit(struct slice mantissa, size_t *i)
{
    if (*i < mantissa.len && mantissa.at[*i] == '.') {
        ++*i;
    }
    return *i < mantissa.len ? mantissa.at[(*i)++] : '0';
}

static int compare_magnitude(const struct decimal *a, const struct decimal *b)
{
    if (a->mantissa.len == 0 || b->mantissa.len == 0) {
        return (a->mantissa.len > 0) - (b->mantissa.len > 0);
    }
    if (a->exponent != b->exponent) {
        return a->exponent < b->exponent ? -1 : 1;
    }
    for (size_t i = 0, j = 0; i < a->mantissa.len || j < b->mantissa.len;) {
        int difference = next_digit(a->mantissa, &i) - next_digit(b->mantissa, &j);
        if (difference != 0) {
            return difference;
        }
    }
    return 0;
}

int number_compare(struct slice a, struct slice b)
{
    struct decimal x = parse_decimal(a);
    struct decimal y = parse_decimal(b);
    if (x.negative != y.negative) {
        return x.negative ? -1 : 1;
    }
    int magnitude = compare_magnitude(&x, &y);
    return x.negative ? -magnitude : magnitude;
}

void number_add_canonical(struct buf *out, struct slice number)
{
    enum { MOST_ZEROS = 40 };
    struct decimal decimal = parse_decimal(number);
    size_t start = out->len;
    size_t zeros = 0; /* that end the digits so far, and may not count */
    long long power = decimal.exponent;
    if (decimal.negative) {
        buf_add_byte(out, '-');
    }
    for (size_t i = 0; i < decimal.mantissa.len; i++) {
        char digit = decimal.mantissa.at[i];
        if (is_digit(digit)) {
            buf_add_byte(out, digit);
            zeros = digit == '0' ? zeros + 1 : 0;
            power--;
        }
    }
    if (decimal.mantissa.len == 0) {
        out->len = start;
        buf_add_byte(out, '0');
        return;
    }
    out->len -= zeros;
    power += (long long)zeros;
    if (power > MOST_ZEROS || power < 0) {
        buf_add_format(out, "e%lld", power);
    }
    for (; power <= MOST_ZEROS && power > 0; power--) {
        buf_add_byte(out, '0');
    }
}

bool number_whole(struct slice number, size_t most, size_t *value)
{
    struct buf digits = {0};
    number_add_canonical(&digits, number);
    bool whole = number_up_to(buf_slice(&digits), most, value);
    buf_free(&digits);
    return whole;
}
