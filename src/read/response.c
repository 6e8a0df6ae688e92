/* response.c: see response.h. */
#include "response.h"

#include <string.h>

/* How many paths are named, and of how many keys at most. */
enum { MOST_PATHS = 6, MOST_KEYS = 4 };

static enum value_kind kind_at(struct slice object, const char *written)
{
    return value_kind_of(value_find_written(object, written));
}

/* Where responses have their chunks, and what to do about it. */
static const struct {
    const char *path;
    const char *hint;
} lists[] = {
    {"hits.hits", "; this is a whole response: --items=hits.hits or jq -c '.hits.hits[]' takes "
                  "the chunks out"},
    {"hits", "; this is a whole response: --items=hits or jq -c '.hits[]' takes the chunks out"},
    {"result.points", "; this is a whole response: --items=result.points or jq -c "
                      "'.result.points[]' takes them out"},
    {"result",
     "; this is a whole response: --items=result or jq -c '.result[]' takes the chunks out"},
    {"results", "; this is a whole response: --items=results or jq -c '.results[]' takes the "
                "chunks out; a "
                "reranker's goes to --rescore"},
    {"matches",
     "; this is a whole response: --items=matches or jq -c '.matches[]' takes the chunks out"},
    {"data", "; this is a whole response: --items=data or jq -c '.data[]' takes the chunks "
             "out; a reranker's "
             "goes to --rescore"},
    {"documents", "; this is a whole response, see edgefold-recipes(7)"},
    {"ctxs", "; this line is a question with its chunks: of a file of one such line, jq -c "
             "'{question} + .ctxs[]' takes them out"},
    {"contexts", "; this line is a question with its chunks: of a file of one such line, jq -c "
                 "'.contexts[]' takes them out"},
    {"passages", "; this line is a question with its chunks: of a file of one such line, jq -c "
                 "'.passages[]' takes them out"},
    {"candidates", "; this line is a question with its chunks: of a file of one such line, "
                   "jq -c '.candidates[]' takes them out"},
    {"docs", "; this is a whole response: --items=docs or jq -c '.docs[]' takes the chunks out"},
    {"value", "; this is a whole response: --items=value or jq -c '.value[]' takes the chunks out"},
};

/* The one that the object has its chunks in, by its index; the number of all for none. */
static size_t find_list(struct slice object)
{
    size_t i = 0;
    while (i < sizeof lists / sizeof lists[0] && kind_at(object, lists[i].path) != VALUE_ARRAY) {
        i++;
    }
    return i;
}

const char *response_list(struct slice object)
{
    size_t i = find_list(object);
    return i < sizeof lists / sizeof lists[0] ? lists[i].path : NULL;
}

/* Whether a key can be written with dots alone. */
static bool is_plain_key(struct slice key)
{
    return key.len > 0 && memchr(key.at, '.', key.len) == NULL && key.at[0] != '/';
}

/* Adds keys, each after a NUL, as a PATH that leads there: with dots, or as a JSON Pointer. */
static void add_path(struct buf *out, struct slice keys)
{
    bool plain = true;
    for (size_t i = 0; i < keys.len; i += 1 + strlen(keys.at + i + 1)) {
        plain = plain && is_plain_key(slice_of(keys.at + i + 1));
    }
    for (size_t i = 0; i < keys.len; i++) {
        char c = keys.at[i];
        if (c == '\0' && (i > 0 || !plain)) {
            buf_add_byte(out, plain ? '.' : '/');
        } else if (!plain && (c == '~' || c == '/')) {
            buf_add_string(out, c == '~' ? "~0" : "~1");
        } else if (c != '\0') {
            buf_add_byte(out, c);
        }
    }
}

/* A search for members of a kind. */
struct search {
    struct buf *out;
    enum value_kind kind;
    size_t found;
};

/* Whether a value is looked for: of arrays only those of objects are. */
static bool is_wanted(const struct search *search, struct slice value)
{
    struct slice element = {0};
    return value_kind_of(value) == search->kind &&
           (search->kind != VALUE_ARRAY ||
            (value_next_element(value, &element) && value_kind_of(element) == VALUE_OBJECT));
}

/* Adds the paths below a value, which `path` leads to. */
static void add_paths(struct search *search, struct slice value, const struct buf *path,
                      size_t depth)
{
    struct member member = {0};
    while (search->found < MOST_PATHS && value_next_member(value, &member)) {
        struct buf longer = {0};
        struct buf scratch = {0};
        buf_add_slice(&longer, buf_slice(path));
        buf_add_byte(&longer, '\0');
        struct slice key = value_decode(member.key, &scratch);
        bool can_be_given = memchr(key.at, '\0', key.len) == NULL;
        buf_add_slice(&longer, key);
        buf_free(&scratch);
        enum value_kind kind = value_kind_of(member.value);
        if (can_be_given && is_wanted(search, member.value) && search->found++ < MOST_PATHS) {
            buf_add_string(search->out, search->found > 1 ? ", " : "");
            size_t length = longer.len;
            buf_add_byte(&longer, '\0'); /* for the last key to end in */
            add_path(search->out, (struct slice){longer.at, length});
            longer.len--;
        }
        if (can_be_given && kind == VALUE_OBJECT && depth + 1 < MOST_KEYS) {
            add_paths(search, member.value, &longer, depth + 1);
        }
        buf_free(&longer);
    }
}

bool response_add_paths(struct buf *out, struct slice object, enum value_kind kind)
{
    struct search search = {.out = out, .kind = kind};
    struct buf none = {0};
    object = slice_trim(object);
    if (value_kind_of(object) == VALUE_OBJECT) {
        add_paths(&search, object, &none, 0);
    }
    return search.found > 0;
}

size_t response_add_lists(struct buf *out, struct slice value, const struct path *path)
{
    struct search search = {.out = out, .kind = VALUE_ARRAY};
    struct buf start = {0};
    struct slice first = {0};
    value = slice_trim(path->depth > 0 ? value_find(value, path) : value);
    for (size_t i = 0; i < path->depth; i++) {
        buf_add_byte(&start, '\0');
        buf_add_slice(&start, path->keys[i]);
    }
    if (value_kind_of(value) == VALUE_ARRAY && value_next_element(value, &first)) {
        buf_add(&start, "\0000", 2);
        value = first;
    }
    if (value_kind_of(value) == VALUE_OBJECT) {
        add_paths(&search, value, &start, 0);
    }
    buf_free(&start);
    return search.found;
}

static size_t count_members(struct slice object)
{
    struct member member = {0};
    size_t n = 0;
    object = slice_trim(object);
    while (value_kind_of(object) == VALUE_OBJECT && value_next_member(object, &member)) {
        n++;
    }
    return n;
}

bool response_add_error(struct buf *out, struct slice object)
{
    struct buf words = {0};
    bool is_short = count_members(object) <= 3; /* a record has more to say */
    bool is_error = kind_at(object, "error") != VALUE_ABSENT ||
                    kind_at(object, "errors") != VALUE_ABSENT ||
                    kind_at(object, "status.error") != VALUE_ABSENT ||
                    (is_short && (kind_at(object, "detail") != VALUE_ABSENT ||
                                  kind_at(object, "msg") == VALUE_STRING ||
                                  kind_at(object, "message") == VALUE_STRING));
    is_error = is_error && hint_add_api_error(&words, object);
    if (is_error) {
        buf_add_format(out, "; this is an API's error: '%.*s'", (int)words.len, words.at);
    }
    buf_free(&words);
    return is_error;
}

void response_add_hint(struct buf *out, struct slice object)
{
    size_t list = find_list(object);
    if (list < sizeof lists / sizeof lists[0]) {
        buf_add_string(out, lists[list].hint);
        return;
    }
    struct buf words = {0};
    if (response_add_error(out, object)) {
        return;
    }
    if (response_add_paths(&words, object, VALUE_STRING)) {
        buf_add_format(out, "; strings are at %.*s, and --text=PATH names one", (int)words.len,
                       words.at);
    } else {
        buf_add_string(out, "; --text=PATH names it");
    }
    buf_free(&words);
}
