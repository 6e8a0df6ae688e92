/* header.c: see header.h. */
#include "header.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "value.h"

static char *copy(struct slice text)
{
    char *string = mem_alloc(text.len + 1);
    memcpy(string, text.at, text.len);
    string[text.len] = '\0';
    return string;
}

/* ASCII alone: an attribute's name must be one that every parser takes. */
static bool is_ascii_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The name with "_" for what cannot stand in an XML name. */
static char *attribute_of(struct slice name)
{
    struct buf out = {0};
    if (!is_ascii_letter(name.at[0]) && name.at[0] != '_') {
        buf_add_byte(&out, '_');
    }
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];
        bool fits = is_ascii_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
        if (((unsigned char)c & 0xc0) != 0x80) { /* one for each code point */
            buf_add_byte(&out, fits ? c : '_');
        }
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
    return clean_trimmed(text);
}

/* Names must tell the fields apart. */
static const char *check_name(const struct header *header, const struct header_field *field)
{
    for (size_t i = 0; i < header->count; i++) {
        if (strcmp(field->attribute, header->fields[i].attribute) == 0) {
            return "has the same name twice";
        }
    }
    return NULL;
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
    for (size_t i = 0; i < name.len; i++) {
        if (strchr("[]|:<>&\"", name.at[i]) != NULL || iscntrl((unsigned char)name.at[i])) {
            return "has a name with one of []|:<>&\" or a control character";
        }
    }
    struct header_field field = {.name = copy(name),
                                 .attribute = attribute_of(name),
                                 .shouted = shouted_of(name),
                                 .written = copy(path)};
    const char *wrong = check_name(header, &field);
    if (wrong == NULL) {
        wrong = path_parse(&field.path, field.written);
    }
    header->fields =
        mem_grow(header->fields, &header->capacity, header->count + 1, sizeof *header->fields);
    header->fields[header->count++] = field; /* to be freed, wrong or not */
    return wrong;
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
    *header = (struct header){0};
}

bool header_has(const struct header *header, const char *shouted)
{
    for (size_t i = 0; i < header->count; i++) {
        if (strcmp(header->fields[i].shouted, shouted) == 0) {
            return true;
        }
    }
    return false;
}

bool header_add_value(struct buf *out, const struct header_field *field, const struct chunk *chunk)
{
    struct buf value = {0};
    size_t before = out->len;
    value_add(&value, chunk_member(chunk, &field->path));
    clean_add_line(out, buf_slice(&value));
    buf_free(&value);
    return out->len > before;
}

/* Replaces in place what would end a value early: ASCII and full-width brackets and bars. */
static void round_off(struct buf *out, size_t from)
{
    static const struct {
        const char *what;
        char instead;
    } edges[] = {{"[", '('}, {"]", ')'}, {"|", '/'}, {"［", '('}, {"］", ')'}, {"｜", '/'}};
    size_t n = from;
    for (size_t i = from; i < out->len;) {
        size_t length = 1;
        char c = out->at[i];
        for (size_t k = 0; k < sizeof edges / sizeof edges[0]; k++) {
            size_t needed = strlen(edges[k].what);
            if (needed <= out->len - i && memcmp(out->at + i, edges[k].what, needed) == 0) {
                length = needed;
                c = edges[k].instead;
            }
        }
        out->at[n++] = c;
        i += length;
    }
    out->len = n;
}

/* Adds "before NAME: value", or nothing. */
static bool add_named(struct buf *out, const char *before, const char *name,
                      const struct header_field *field, const struct chunk *chunk)
{
    size_t start = out->len;
    buf_add_string(out, before);
    buf_add_string(out, name);
    buf_add_string(out, ": ");
    size_t value = out->len;
    if (!header_add_value(out, field, chunk)) {
        out->len = start;
        return false;
    }
    round_off(out, value);
    return true;
}

bool header_add(struct buf *out, const struct header *header, const struct chunk *chunk)
{
    bool any = false;
    for (size_t i = 0; i < header->count; i++) {
        const struct header_field *field = &header->fields[i];
        any |= add_named(out, any ? " | " : "[", field->name, field, chunk);
    }
    if (any) {
        buf_add_byte(out, ']');
    }
    return any;
}

void header_add_bars(struct buf *out, const struct header *header, const struct chunk *chunk)
{
    for (size_t i = 0; i < header->count; i++) {
        const struct header_field *field = &header->fields[i];
        add_named(out, " | ", field->shouted, field, chunk);
    }
}
