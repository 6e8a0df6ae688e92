/* repair.c: see repair.h. */
#include "repair.h"

#include <stdint.h>

#include "base/base.h"
#include "unit.h"

#define RECORD_SEPARATOR '\x1e'

const char *const repair_names[REPAIRS] = {
    [REPAIR_NAN] = "NaN or Infinity, which JSON has not",
    [REPAIR_SURROGATE] = "half of a surrogate pair, read as U+FFFD",
    [REPAIR_UTF8] = "bytes that are not UTF-8, read as U+FFFD",
    [REPAIR_NUL] = NULL, /* it is JSON, whatever jansson says */
    [REPAIR_OVERFLOW] = "a number beyond a double, taken for the largest",
    [REPAIR_SEPARATOR] = "a record separator before the object",
    [REPAIR_MARK] = "a byte-order mark inside the input, left out",
};

static const char *const words[] = {"NaN", "Infinity", "-Infinity"};

/* One pass over a line. */
struct pass {
    struct buf *out;
    const char *at;
    const char *end;
    unsigned needed;
};

static void take(struct pass *pass, size_t length)
{
    buf_add(pass->out, pass->at, length);
    pass->at += length;
}

/* Writes `instead` for the next `length` bytes. */
static void replace(struct pass *pass, enum repair repair, size_t length, const char *instead)
{
    buf_add_string(pass->out, instead);
    pass->at += length;
    pass->needed |= 1u << repair;
}

/* Writes a number that is as long as what stood there, which is three bytes or more: 0.000. */
static void replace_number(struct pass *pass, enum repair repair, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        buf_add_byte(pass->out, i == 1 ? '.' : '0');
    }
    pass->at += length;
    pass->needed |= 1u << repair;
}

static struct slice rest_of(const struct pass *pass)
{
    return (struct slice){pass->at, (size_t)(pass->end - pass->at)};
}

static bool is_word_byte(char c)
{
    char folded = (char)(c | 0x20);
    return (c >= '0' && c <= '9') || (folded >= 'a' && folded <= 'z') || c == '_' || c == '.' ||
           c == '+' || c == '-';
}

/* The bare word or number at `at`, in bytes. */
static size_t token_length(const struct pass *pass)
{
    const char *at = pass->at;
    while (at < pass->end && is_word_byte(*at)) {
        at++;
    }
    return (size_t)(at - pass->at);
}

static bool is_word(struct slice token)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (slice_equal(token, slice_of(words[i]))) {
            return true;
        }
    }
    return false;
}

static bool is_beyond_double(struct slice token)
{
    double value;
    return !number_json(token, &value) && number_clamped(token, &value);
}

static void check_token(struct pass *pass)
{
    struct slice token = {pass->at, token_length(pass)};
    if (is_word(token)) {
        replace_number(pass, REPAIR_NAN, token.len);
    } else if (is_beyond_double(token)) {
        replace_number(pass, REPAIR_OVERFLOW, token.len);
    } else {
        take(pass, token.len > 0 ? token.len : 1);
    }
}

static void check_escape(struct pass *pass)
{
    int unit = unit_at(pass->at, pass->end);
    int next = unit >= 0 ? unit_at(pass->at + UNIT_LENGTH, pass->end) : -1;
    bool high = unit_is_high(unit);
    if (high && unit_is_low(next)) {
        take(pass, (size_t)2 * UNIT_LENGTH);
    } else if (high || unit_is_low(unit)) {
        replace(pass, REPAIR_SURROGATE, UNIT_LENGTH, "\\ufffd");
    } else if (unit == 0) {
        replace(pass, REPAIR_NUL, UNIT_LENGTH, "\\ufffd");
    } else {
        take(pass, pass->end - pass->at >= 2 ? 2 : 1);
    }
}

/* A character of more than one byte, or what is none. */
static void check_character(struct pass *pass)
{
    unsigned length;
    const uint8_t *at = (const uint8_t *)pass->at;
    uint32_t c = utf8_decode(at, (const uint8_t *)pass->end, &length);
    if (c == 0xfffd && length == 1) {
        replace(pass, REPAIR_UTF8, 1, UTF8_REPLACEMENT);
    } else {
        take(pass, length);
    }
}

static void check_string(struct pass *pass)
{
    take(pass, 1);
    while (pass->at < pass->end && *pass->at != '"') {
        if (*pass->at == '\\') {
            check_escape(pass);
        } else if ((unsigned char)*pass->at >= 0x80) {
            check_character(pass);
        } else {
            take(pass, 1);
        }
    }
    if (pass->at < pass->end) {
        take(pass, 1);
    }
}

/* A mark and separators before the object; spaces take their place. */
static void check_start(struct pass *pass)
{
    if (utf8_byte_order_mark(rest_of(pass)) > 0) {
        replace(pass, REPAIR_MARK, 3, " ");
    }
    while (pass->at < pass->end && *pass->at == RECORD_SEPARATOR) {
        replace(pass, REPAIR_SEPARATOR, 1, " ");
    }
}

unsigned repair_for_checking(struct buf *out, struct slice line)
{
    struct pass pass = {.out = out, .at = line.at, .end = line.at + line.len};
    out->len = 0;
    check_start(&pass);
    while (pass.at < pass.end) {
        if (*pass.at == '"') {
            check_string(&pass);
        } else {
            check_token(&pass);
        }
    }
    return pass.needed;
}

struct slice repair_object(struct slice line)
{
    size_t start = utf8_byte_order_mark(line);
    while (start < line.len && line.at[start] == RECORD_SEPARATOR) {
        start++;
    }
    return (struct slice){line.at + start, line.len - start};
}

void repair_for_reading(struct buf *out, struct slice line)
{
    out->len = 0;
    utf8_add_repaired(out, repair_object(line));
}

/* A whole string, whatever is in it. */
static void take_string(struct pass *pass)
{
    const char *at = pass->at + 1;
    while (at < pass->end && *at != '"') {
        at += *at == '\\' && pass->end - at >= 2 ? 2 : 1;
    }
    at += at < pass->end;
    take(pass, (size_t)(at - pass->at));
}

void repair_for_output(struct buf *out, struct slice line)
{
    struct pass pass = {.out = out, .at = line.at, .end = line.at + line.len};
    pass.at += utf8_byte_order_mark(line);
    while (pass.at < pass.end) {
        struct slice token = {pass.at, token_length(&pass)};
        if (*pass.at == '"') {
            take_string(&pass);
        } else if (is_word(token)) {
            buf_add_string(out, "null");
            pass.at += token.len;
        } else {
            take(&pass, token.len > 0 ? token.len : 1);
        }
    }
}
