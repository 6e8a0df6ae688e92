/* header.c: see header.h. */
#include "header.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/base.h"
#include "controls.h"
#include "json/json.h"

static char *copy(struct slice text)
{
    char *string = mem_alloc(text.len + 1);
    memcpy(string, text.at, text.len);
    string[text.len] = '\0';
    return string;
}

/* Whether c can stand in an XML name (XML 1.0, section 2.3, without the colon). */
static bool is_name_character(uint32_t c, bool first)
{
    static const struct {
        uint32_t from;
        uint32_t to;
        bool first;
    } ranges[] = {
        {'A', 'Z', true},       {'_', '_', true},        {'a', 'z', true},
        {0xc0, 0xd6, true},     {0xd8, 0xf6, true},      {0xf8, 0x2ff, true},
        {0x370, 0x37d, true},   {0x37f, 0x1fff, true},   {0x200c, 0x200d, true},
        {0x2070, 0x218f, true}, {0x2c00, 0x2fef, true},  {0x3001, 0xd7ff, true},
        {0xf900, 0xfdcf, true}, {0xfdf0, 0xfffc, true},  {0x10000, 0xeffff, true},
        {'-', '.', false},      {'0', '9', false},       {0xb7, 0xb7, false},
        {0x300, 0x36f, false},  {0x203f, 0x2040, false},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (c >= ranges[i].from && c <= ranges[i].to) {
            return ranges[i].first || !first;
        }
    }
    return false;
}

/* The name with "_" for what cannot stand in an XML name. */
static char *attribute_of(struct slice name)
{
    struct buf out = {0};
    const uint8_t *at = (const uint8_t *)name.at;
    const uint8_t *end = at + name.len;
    while (at < end) {
        unsigned length;
        uint32_t c = utf8_decode(at, end, &length);
        if (out.len == 0 && !is_name_character(c, true) && is_name_character(c, false)) {
            buf_add_byte(&out, '_');
        }
        if (is_name_character(c, false)) {
            buf_add(&out, at, length);
        } else {
            buf_add_byte(&out, '_');
        }
        at += length;
    }
    buf_add_byte(&out, '\0');
    return out.at;
}

static char *shouted_of(struct slice name)
{
    char *string = copy(name);
    for (char *c = string; *c != '\0'; c++) {
        if (*c >= 'a' && *c <= 'z') {
            *c = (char)(*c - 'a' + 'A');
        }
    }
    return string;
}

static struct slice trimmed(struct slice text)
{
    while (text.len > 0 && text.at[0] == ' ') {
        text.at++;
        text.len--;
    }
    return controls_trim_end(text);
}

static const char *add_field(struct header *header, struct slice item)
{
    const char *equals = memchr(item.at, '=', item.len);
    if (equals == NULL) {
        return "needs NAME=PATH, or several with commas between";
    }
    struct slice name = trimmed((struct slice){item.at, (size_t)(equals - item.at)});
    struct slice path =
        trimmed((struct slice){equals + 1, item.len - 1 - (size_t)(equals - item.at)});
    if (name.len == 0) {
        return "has an empty name";
    }
    if (!utf8_is_valid(name)) {
        return "has a name that is not UTF-8";
    }
    for (size_t i = 0; i < name.len; i++) {
        if (strchr("[]|:<>&\"", name.at[i]) != NULL || iscntrl((unsigned char)name.at[i])) {
            return "has a name with one of []|:<>&\" or a control character";
        }
    }
    struct header_field field = {.name = copy(name),
                                 .attribute = attribute_of(name),
                                 .shouted = shouted_of(name),
                                 .written = copy(path)};
    const char *wrong = path_parse(&field.path, field.written);
    header->fields =
        mem_grow(header->fields, &header->capacity, header->count + 1, sizeof *header->fields);
    header->fields[header->count++] = field; /* to be freed, wrong or not */
    header->finder =
        header->finder != NULL ? header->finder : mem_zeroed(1, sizeof *header->finder);
    return wrong;
}

static const char *name_of(const struct header_field *field, enum header_names kind)
{
    return kind == HEADER_ATTRIBUTES ? field->attribute
           : kind == HEADER_SHOUTED  ? field->shouted
                                     : field->name;
}

const char *header_parse(struct header *header, const char *written)
{
    for (;;) {
        size_t length = strcspn(written, ",");
        const char *wrong = add_field(header, (struct slice){written, length});
        if (wrong != NULL || written[length] == '\0') {
            return wrong;
        }
        written += length + 1;
    }
}

void header_free(struct header *header)
{
    for (size_t i = 0; i < header->count; i++) {
        struct header_field *field = &header->fields[i];
        free(field->name);
        free(field->attribute);
        free(field->shouted);
        free(field->written);
        path_free(&field->path);
    }
    free(header->fields);
    if (header->finder != NULL) {
        finder_free(header->finder);
        free(header->finder);
    }
    *header = (struct header){0};
}

bool header_names_clash(const struct header *header, enum header_names kind)
{
    static const char *const own[][2] = {[HEADER_NAMES] = {NULL},
                                         [HEADER_ATTRIBUTES] = {"index"},
                                         [HEADER_SHOUTED] = {"ID", "CONTENT"},
                                         [HEADER_MEMBERS] = {"text"}};
    for (size_t i = 0; i < header->count; i++) {
        const char *name = name_of(&header->fields[i], kind);
        for (size_t k = 0; k < 2; k++) {
            if (own[kind][k] != NULL && strcmp(name, own[kind][k]) == 0) {
                return true;
            }
        }
        for (size_t k = 0; k < i; k++) {
            if (strcmp(name, name_of(&header->fields[k], kind)) == 0) {
                return true;
            }
        }
        if (kind == HEADER_ATTRIBUTES && strncmp(name, "xml", 3) == 0) {
            return true; /* XML's own */
        }
    }
    return false;
}

const struct slice *header_find(const struct header *header, const struct chunk *chunk)
{
    struct finder *finder = header->finder;
    if (header->count == 0) {
        return NULL;
    }
    for (size_t i = finder->count; i < header->count; i++) { /* these stay where they are now */
        finder_add(finder, &header->fields[i].path);
    }
    return finder_find(finder, chunk_object(chunk));
}

bool header_add_value(struct buf *out, struct slice member)
{
    struct buf value = {0};
    size_t before = out->len;
    value_add_text(&value, member);
    controls_add_line(out, buf_slice(&value));
    buf_free(&value);
    return out->len > before;
}

/* What takes the place of a bracket or bar, in any of its compatibility forms; 0: nothing. */
static char rounded(utf8proc_int32_t c)
{
    utf8proc_int32_t form[8];
    int boundary = UTF8PROC_BOUNDCLASS_START;
    utf8proc_ssize_t n =
        utf8proc_decompose_char(c, form, 8, UTF8PROC_COMPAT | UTF8PROC_COMPOSE, &boundary);
    if (n != 1) {
        return 0;
    }
    return form[0] == '[' ? '(' : form[0] == ']' ? ')' : form[0] == '|' ? '/' : '\0';
}

/* Replaces in place what would end a value early: brackets and bars of any width. */
static void round_off(struct buf *out, size_t from)
{
    const uint8_t *end = (const uint8_t *)out->at + out->len;
    size_t n = from;
    for (size_t i = from; i < out->len;) {
        unsigned length;
        uint32_t c = utf8_decode((const uint8_t *)out->at + i, end, &length);
        char instead = rounded((utf8proc_int32_t)c);
        if (instead != 0) {
            out->at[n++] = instead;
        } else {
            memmove(out->at + n, out->at + i, length);
            n += length;
        }
        i += length;
    }
    out->len = n;
}

/* Adds "before NAME: value", or nothing. */
static bool add_named(struct buf *out, const char *before, const char *name, struct slice member)
{
    size_t start = out->len;
    if (member.at == NULL) {
        return false;
    }
    buf_add_string(out, before);
    buf_add_string(out, name);
    buf_add_string(out, ": ");
    size_t value = out->len;
    if (!header_add_value(out, member)) {
        out->len = start;
        return false;
    }
    round_off(out, value);
    return true;
}

bool header_add(struct buf *out, const struct header *header, const struct chunk *chunk)
{
    bool any = false;
    const struct slice *values = header_find(header, chunk);
    for (size_t i = 0; i < header->count; i++) {
        any |= add_named(out, any ? " | " : "[", header->fields[i].name, values[i]);
    }
    if (any) {
        buf_add_byte(out, ']');
    }
    return any;
}

void header_add_bars(struct buf *out, const struct header *header, const struct chunk *chunk)
{
    const struct slice *values = header_find(header, chunk);
    for (size_t i = 0; i < header->count; i++) {
        add_named(out, " | ", header->fields[i].shouted, values[i]);
    }
}
