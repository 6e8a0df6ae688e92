/* value.c: see value.h. */
#include "value.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "unit.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *skip_blank(const char *at, const char *end)
{
    while (at < end && is_blank(*at)) {
        at++;
    }
    return at;
}

/* at stands on the opening quote; returns the byte after the closing one. */
static const char *skip_string(const char *at, const char *end)
{
    const char *from = at + 1;
    for (;;) {
        const char *quote = memchr(from, '"', (size_t)(end - from));
        if (quote == NULL) {
            return end;
        }
        const char *run = quote;
        while (run > at + 1 && run[-1] == '\\') {
            run--;
        }
        from = quote + 1;
        if ((quote - run) % 2 == 0) {
            return from;
        }
    }
}

/* at stands on a bracket or brace; iterative, since depth is the input's to choose. */
static const char *skip_nested(const char *at, const char *end)
{
    size_t depth = 0;
    while (at < end) {
        char c = *at;
        if (c == '"') {
            at = skip_string(at, end);
            continue;
        }
        at++;
        if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            break;
        }
    }
    return at;
}

static const char *skip_value(const char *at, const char *end)
{
    if (at == end) {
        return end;
    }
    if (*at == '"') {
        return skip_string(at, end);
    }
    if (*at == '{' || *at == '[') {
        return skip_nested(at, end);
    }
    while (at < end && *at != ',' && *at != '}' && *at != ']' && !is_blank(*at)) {
        at++;
    }
    return at;
}

struct slice value_first(struct slice text)
{
    const char *end = text.at + text.len;
    const char *start = skip_blank(text.at, end);
    return (struct slice){start, (size_t)(skip_value(start, end) - start)};
}

enum value_kind value_kind_of(struct slice value)
{
    if (value.at == NULL || value.len == 0) {
        return VALUE_ABSENT;
    }
    switch (value.at[0]) {
    case 'n':
    case 'N': /* NaN, in a line that was repaired */
        return VALUE_NULL;
    case 'f':
        return VALUE_FALSE;
    case 't':
        return VALUE_TRUE;
    case '"':
        return VALUE_STRING;
    case '[':
        return VALUE_ARRAY;
    case '{':
        return VALUE_OBJECT;
    default:
        return VALUE_NUMBER;
    }
}

struct slice value_inside(struct slice string)
{
    return (struct slice){string.at + 1, string.len - 2};
}

static bool key_equals(struct slice inside, struct slice key)
{
    if (memchr(inside.at, '\\', inside.len) == NULL) {
        return slice_equal(inside, key);
    }
    struct buf scratch = {0};
    bool equal = slice_equal(value_decode(inside, &scratch), key);
    buf_free(&scratch);
    return equal;
}

bool value_next_member(struct slice object, struct member *member)
{
    const char *end = object.at + object.len;
    const char *at = object.at + 1;
    if (member->value.at != NULL) {
        at = skip_blank(member->value.at + member->value.len, end);
        at += at < end && *at == ',';
    }
    at = skip_blank(at, end);
    if (at >= end || *at != '"') {
        return false;
    }
    const char *key_end = skip_string(at, end);
    member->key = value_inside((struct slice){at, (size_t)(key_end - at)});
    at = skip_blank(key_end, end);
    at = skip_blank(at + 1, end); /* past the colon */
    member->value = (struct slice){at, (size_t)(skip_value(at, end) - at)};
    return true;
}

/* The last value of key in the object, or a null slice. */
static struct slice find_member(struct slice object, struct slice key)
{
    struct slice found = {0};
    struct member member = {0};
    while (value_next_member(object, &member)) {
        if (key_equals(member.key, key)) {
            found = member.value;
        }
    }
    return found;
}

bool value_next_element(struct slice array, struct slice *element)
{
    const char *end = array.at + array.len;
    const char *at = array.at + 1;
    if (element->at != NULL) {
        at = skip_blank(element->at + element->len, end);
        at += at < end && *at == ',';
    }
    at = skip_blank(at, end);
    if (at >= end || *at == ']') {
        return false;
    }
    *element = (struct slice){at, (size_t)(skip_value(at, end) - at)};
    return true;
}

bool value_add_key(struct buf *out, struct slice value)
{
    enum value_kind kind = value_kind_of(value);
    if (kind == VALUE_NUMBER) {
        buf_add_byte(out, '=');
        number_add_canonical(out, value);
    } else if (kind == VALUE_STRING) {
        struct buf scratch = {0};
        struct slice says = value_decode(value_inside(value), &scratch);
        bool certain = !utf8_has_replacement(says);
        buf_add_string(out, certain ? "=" : ""); /* what is written begins with a quote */
        buf_add_slice(out, certain ? says : value);
        buf_free(&scratch);
    }
    return kind == VALUE_NUMBER || kind == VALUE_STRING;
}

bool value_next_string(struct slice line, struct slice *inside)
{
    const char *end = line.at + line.len;
    const char *at = inside->at != NULL ? inside->at + inside->len + 1 : line.at;
    at = memchr(at, '"', (size_t)(end - at));
    if (at == NULL) {
        return false;
    }
    const char *string_end = skip_string(at, end);
    *inside = value_inside((struct slice){at, (size_t)(string_end - at)});
    return true;
}

static struct slice find_element(struct slice array, size_t index)
{
    struct slice element = {0};
    while (value_next_element(array, &element)) {
        if (index-- == 0) {
            return element;
        }
    }
    return (struct slice){0};
}

struct slice value_find(struct slice line, const struct path *path)
{
    const char *end = line.at + line.len;
    const char *start = skip_blank(line.at, end);
    struct slice value = {start, (size_t)(end - start)};
    for (size_t i = 0; i < path->depth; i++) {
        size_t index;
        enum value_kind kind = value_kind_of(value);
        if (kind == VALUE_OBJECT) {
            value = find_member(value, path->keys[i]);
        } else if (kind == VALUE_ARRAY && path_index(path->keys[i], &index)) {
            value = find_element(value, index);
        } else {
            return (struct slice){0};
        }
    }
    return value;
}

struct slice value_find_written(struct slice line, const char *written)
{
    struct path path;
    if (path_parse(&path, written) != NULL) {
        return (struct slice){0};
    }
    struct slice value = value_find(line, &path);
    path_free(&path);
    return value;
}

/* Decodes the \u escape at `at` and, where it is one half of a pair, its other half. */
static const char *decode_unicode(const char *at, const char *end, uint32_t *code_point)
{
    int unit = unit_at(at, end);
    at += UNIT_LENGTH;
    bool high = unit_is_high(unit);
    int low = high ? unit_at(at, end) : -1;
    if (unit_is_low(low)) {
        *code_point = unit_pair(unit, low);
        return at + UNIT_LENGTH;
    }
    *code_point = high || unit_is_low(unit) ? UTF8_REPLACEMENT_POINT : (uint32_t)unit;
    return at;
}

static char *encode_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xc0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *out++ = (char)(0xe0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    } else {
        *out++ = (char)(0xf0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3f));
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    }
    return out;
}

static char decode_short_escape(char letter)
{
    switch (letter) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return letter; /* one of " \ and / */
    }
}

/* Copies what stands before the next escape, or all; returns where that is. */
static const char *copy_plain(char **to, const char *at, const char *end)
{
    char *out = *to;
#if SIMD
    ptrdiff_t left = end - at;
    for (ptrdiff_t i = 0; i <= left - 16; i += 16) { /* what is too much is written over */
        simd bytes = simd_load(at + i);
        unsigned escapes = simd_bits(simd_equal(bytes, simd_all('\\')));
        simd_store(out + i, bytes);
        if (escapes != 0) {
            i += simd_first(escapes);
            *to = out + i;
            return at + i;
        }
    }
    ptrdiff_t done = left & ~(ptrdiff_t)15;
    at += done;
    out += done;
#endif
    while (at < end && *at != '\\') {
        *out++ = *at++;
    }
    *to = out;
    return at;
}

struct slice value_decode(struct slice inside, struct buf *scratch)
{
    const char *at = inside.at;
    const char *end = at + inside.len;
    if (memchr(at, '\\', inside.len) == NULL) {
        return inside;
    }
    scratch->len = 0;
    char *out = buf_room(scratch, inside.len); /* decoding never makes it longer */
    while ((at = copy_plain(&out, at, end)) < end) {
        if (at[1] == 'u') {
            uint32_t code_point;
            at = decode_unicode(at, end, &code_point);
            out = encode_utf8(out, code_point);
        } else {
            *out++ = decode_short_escape(at[1]);
            at += 2;
        }
    }
    scratch->len = (size_t)(out - scratch->at);
    return buf_slice(scratch);
}

/* A value that is no array. */
static bool add_scalar(struct buf *out, struct slice value)
{
    enum value_kind kind = value_kind_of(value);
    if (kind == VALUE_STRING) {
        struct buf scratch = {0};
        struct slice text = value_decode(value_inside(value), &scratch);
        buf_add_slice(out, text);
        bool added = text.len > 0;
        buf_free(&scratch);
        return added;
    }
    if (kind == VALUE_NUMBER || kind == VALUE_TRUE || kind == VALUE_FALSE) {
        buf_add_slice(out, value);
        return true;
    }
    return false;
}

bool value_add_text(struct buf *out, struct slice value)
{
    if (value_kind_of(value) != VALUE_ARRAY) {
        return add_scalar(out, value);
    }
    bool added = false;
    struct slice element = {0};
    while (value_next_element(value, &element)) {
        size_t before = out->len;
        if (added) {
            buf_add_string(out, ", ");
        }
        if (add_scalar(out, element)) {
            added = true;
        } else {
            out->len = before;
        }
    }
    return added;
}

bool value_is_present(struct slice value)
{
    enum value_kind kind = value_kind_of(value);
    return kind != VALUE_ABSENT && kind != VALUE_NULL;
}

static const char *short_escape(char c)
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return NULL;
    }
}

void value_add_quoted(struct buf *out, struct slice text)
{
    buf_add_byte(out, '"');
    const char *end = text.at + text.len;
    const char *copied = text.at;
    for (const char *at = text.at; at < end; at++) {
        const char *escape = short_escape(*at);
        if (escape == NULL && (unsigned char)*at >= 0x20) {
            continue;
        }
        buf_add(out, copied, (size_t)(at - copied));
        if (escape != NULL) {
            buf_add_string(out, escape);
        } else {
            buf_add_format(out, "\\u%04x", (unsigned)(unsigned char)*at);
        }
        copied = at + 1;
    }
    buf_add(out, copied, (size_t)(end - copied));
    buf_add_byte(out, '"');
}

/* A string as what it says, with its length before it; where that is not certain, as written. */
static void add_canonical_string(struct buf *out, struct slice inside)
{
    struct buf scratch = {0};
    struct slice says = value_decode(inside, &scratch);
    bool certain = !utf8_has_replacement(says);
    struct slice text = certain ? says : inside;
    buf_add_format(out, "%c%zu:", certain ? 's' : 'w', text.len);
    buf_add_slice(out, text);
    buf_free(&scratch);
}

/* A key in its canonical form and its value, to be sorted. */
struct canonical_member {
    struct slice key;
    struct slice value;
    size_t order;
};

static int by_key(const void *left, const void *right)
{
    const struct canonical_member *a = left;
    const struct canonical_member *b = right;
    int order = slice_compare(a->key, b->key);
    return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

static void add_canonical_object(struct buf *out, struct slice object)
{
    struct canonical_member *members = NULL;
    size_t count = 0;
    size_t capacity = 0;
    struct member member = {0};
    while (value_next_member(object, &member)) {
        struct buf key = {0};
        add_canonical_string(&key, member.key);
        members = mem_grow(members, &capacity, count + 1, sizeof *members);
        members[count] = (struct canonical_member){buf_slice(&key), member.value, count};
        count++;
    }
    if (count > 0) { /* qsort() takes no null pointer, for nothing either */
        qsort(members, count, sizeof *members, by_key);
    }
    buf_add_byte(out, '{');
    for (size_t i = 0; i < count; i++) {
        if (i + 1 == count || !slice_equal(members[i].key, members[i + 1].key)) {
            buf_add_slice(out, members[i].key);
            value_add_canonical(out, members[i].value);
        }
    }
    buf_add_byte(out, '}');
    for (size_t i = 0; i < count; i++) {
        free((char *)members[i].key.at);
    }
    free(members);
}

void value_add_canonical(struct buf *out, struct slice value)
{
    struct slice element = {0};
    switch (value_kind_of(value)) {
    case VALUE_ABSENT:
    case VALUE_NULL:
        buf_add_byte(out, 'n');
        break;
    case VALUE_FALSE:
    case VALUE_TRUE:
        buf_add_byte(out, value.at[0]);
        break;
    case VALUE_NUMBER:
        buf_add_byte(out, '#');
        number_add_canonical(out, value);
        buf_add_byte(out, ';');
        break;
    case VALUE_STRING:
        add_canonical_string(out, value_inside(value));
        break;
    case VALUE_ARRAY:
        buf_add_byte(out, '[');
        while (value_next_element(value, &element)) {
            value_add_canonical(out, element);
        }
        buf_add_byte(out, ']');
        break;
    case VALUE_OBJECT:
        add_canonical_object(out, value);
        break;
    }
}
