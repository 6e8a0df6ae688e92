/* advice.c: see advice.h. */
#include "advice.h"

#include <stdbool.h>
#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Whether jq takes the key after a dot: a name, and no word of its language before 1.7. */
static bool is_name(struct slice key)
{
    static const char *const words[] = {"__loc__", "and", "as",      "catch", "def",    "elif",
                                        "else",    "end", "foreach", "if",    "import", "include",
                                        "label",   "or",  "reduce",  "then",  "try"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (slice_equal(key, slice_of(words[i]))) {
            return false;
        }
    }
    for (size_t i = 0; i < key.len; i++) {
        bool digit = key.at[i] >= '0' && key.at[i] <= '9';
        if (!is_letter(key.at[i]) && !(digit && i > 0)) {
            return false;
        }
    }
    return key.len > 0;
}

/* Adds what stands between single quotes in a shell. */
static void add_in_quotes(struct buf *out, struct slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '\'') {
            buf_add_string(out, "'\\''");
        } else {
            buf_add_byte(out, text.at[i]);
        }
    }
}

static void add_key(struct buf *out, struct slice key, bool first)
{
    if (is_name(key)) {
        buf_add_byte(out, '.');
        buf_add_slice(out, key);
        return;
    }
    struct buf quoted = {0};
    value_add_quoted(&quoted, key);
    buf_add_string(out, first ? ".[" : "[");
    add_in_quotes(out, buf_slice(&quoted));
    buf_add_byte(out, ']');
    buf_free(&quoted);
}

void advice_add_filter(struct buf *out, struct slice value, const struct path *path)
{
    for (size_t i = 0; i < path->depth; i++) {
        size_t index;
        struct path before = {.keys = path->keys, .depth = i};
        bool is_index = path_index(path->keys[i], &index) &&
                        value_kind_of(value_find(value, &before)) != VALUE_OBJECT;
        if (is_index) {
            buf_add_format(out, i == 0 ? ".[%zu]" : "[%zu]", index);
        } else {
            add_key(out, path->keys[i], i == 0);
        }
    }
    if (path->depth == 0) {
        buf_add_byte(out, '.');
    }
}
