/* response.c: see response.h. */
#include "response.h"

/* How many paths are named, and of how many keys at most. */
enum { MOST_PATHS = 6, MOST_KEYS = 4 };

static enum value_kind kind_at(struct slice object, const char *written)
{
    struct path path;
    path_parse(&path, written);
    enum value_kind kind = value_kind_of(value_find(object, &path));
    path_free(&path);
    return kind;
}

/* The hint for a response that has its chunks in a list, or NULL. */
static const char *hint_for_list(struct slice object)
{
    static const struct {
        const char *path;
        const char *hint;
    } lists[] = {
        {"hits.hits", "; this is a whole response: jq -c '.hits.hits[]' takes the chunks out"},
        {"hits", "; this is a whole response: jq -c '.hits[]' takes the chunks out"},
        {"result.points", "; this is a whole response: jq -c '.result.points[]' takes them out"},
        {"result", "; this is a whole response: jq -c '.result[]' takes the chunks out"},
        {"results", "; this is a whole response: jq -c '.results[]' takes the chunks out; a "
                    "reranker's goes to --rescore"},
        {"matches", "; this is a whole response: jq -c '.matches[]' takes the chunks out"},
        {"data", "; this is a whole response: jq -c '.data[]' takes the chunks out; a reranker's "
                 "goes to --rescore"},
        {"documents", "; this is a whole response, see edgefold-recipes(7)"},
        {"ctxs", "; this line is a question with its chunks: of a file of one such line, jq -c "
                 "'{question} + .ctxs[]' takes them out"},
        {"value", "; this is a whole response: jq -c '.value[]' takes the chunks out"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (kind_at(object, lists[i].path) == VALUE_ARRAY) {
            return lists[i].hint;
        }
    }
    return NULL;
}

/* A search for members of a kind. */
struct search {
    struct buf *out;
    enum value_kind kind;
    size_t found;
};

/* Adds the paths below a value, which `path` leads to. */
static void add_paths(struct search *search, struct slice value, const struct buf *path,
                      size_t keys)
{
    struct member member = {0};
    while (search->found < MOST_PATHS && value_next_member(value, &member)) {
        struct buf longer = {0};
        buf_add_slice(&longer, buf_slice(path));
        if (longer.len > 0) {
            buf_add_byte(&longer, '.');
        }
        buf_add_slice(&longer, member.key);
        enum value_kind kind = value_kind_of(member.value);
        if (kind == search->kind && search->found++ < MOST_PATHS) {
            buf_add_string(search->out, search->found > 1 ? ", " : "");
            buf_add_slice(search->out, buf_slice(&longer));
        }
        if (kind == VALUE_OBJECT && keys + 1 < MOST_KEYS) {
            add_paths(search, member.value, &longer, keys + 1);
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

void response_add_hint(struct buf *out, struct slice object)
{
    const char *list = hint_for_list(object);
    if (list != NULL) {
        buf_add_string(out, list);
        return;
    }
    struct buf words = {0};
    bool is_error =
        kind_at(object, "error") != VALUE_ABSENT || kind_at(object, "errors") != VALUE_ABSENT ||
        kind_at(object, "detail") != VALUE_ABSENT || kind_at(object, "message") == VALUE_STRING;
    if (is_error && hint_add_api_error(&words, object)) {
        buf_add_format(out, "; this is an API's error: '%.*s'", (int)words.len, words.at);
    } else if (response_add_paths(&words, object, VALUE_STRING)) {
        buf_add_format(out, "; strings are at %.*s, and --text=PATH names one", (int)words.len,
                       words.at);
    } else {
        buf_add_string(out, "; --text=PATH names it");
    }
    buf_free(&words);
}
