/* advice.c: see advice.h. */
#include "advice.h"

#include <string.h>

#include "response.h"

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

/* Adds the keys from one on; begins: nothing of the filter stands before them. */
static void add_keys(struct buf *out, struct slice value, const struct path *path, size_t from,
                     bool begins)
{
    for (size_t i = from; i < path->depth; i++) {
        size_t index;
        struct path before = {.keys = path->keys, .depth = i};
        bool is_index = path_index(path->keys[i], &index) &&
                        value_kind_of(value_find(value, &before)) != VALUE_OBJECT;
        if (is_index) {
            buf_add_format(out, begins && i == from ? ".[%zu]" : "[%zu]", index);
        } else {
            add_key(out, path->keys[i], begins && i == from);
        }
    }
}

void advice_add_filter(struct buf *out, struct slice value, const struct path *path)
{
    add_keys(out, value, path, 0, true);
    if (path->depth == 0) {
        buf_add_byte(out, '.');
    }
}

/* The filter's elements: .hits.hits[]. */
static void add_elements(struct buf *out, struct slice value, const struct path *path)
{
    advice_add_filter(out, value, path);
    buf_add_string(out, "[]");
}

/* The path as it was written, up to a key; "." for none. */
static struct slice written_to(const struct path *path, size_t depth)
{
    const char *at = path->written;
    if (depth == 0) {
        return slice_of(".");
    }
    bool pointer = at[0] == '/';
    for (size_t i = 0; i < depth; i++) {
        at += i > 0 || pointer;
        at += strcspn(at, pointer ? "/" : ".");
    }
    return (struct slice){path->written, (size_t)(at - path->written)};
}

/* Adds the path with a key put between: written to one depth, and going on from another. */
static void add_path_with(struct buf *out, const struct path *path, size_t to, struct slice key,
                          size_t from)
{
    bool pointer = path->depth > 0 && path->written[0] == '/';
    if (to > 0) {
        buf_add_slice(out, written_to(path, to));
    }
    if (to > 0 || pointer) {
        buf_add_byte(out, pointer ? '/' : '.');
    }
    buf_add_slice(out, key);
    struct slice rest = slice_of("");
    if (from < path->depth) {
        size_t start = from > 0 ? written_to(path, from).len : 0;
        rest = slice_from(slice_of(path->written), start);
    }
    if (from == 0 && rest.len > 0 && !pointer) {
        buf_add_byte(out, '.');
    }
    buf_add_slice(out, rest);
}

/* Adds --items with the path, in quotes where a shell would take it apart. */
static void add_option(struct buf *out, struct slice path)
{
    static const char safe[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-@";
    bool plain = true;
    for (size_t i = 0; i < path.len; i++) {
        plain = plain && path.at[i] != '\0' && strchr(safe, path.at[i]) != NULL;
    }
    buf_add_string(out, plain ? "--items=" : "--items='");
    add_in_quotes(out, path);
    buf_add_string(out, plain ? "" : "'");
}

/* Adds where arrays of objects are below the value at the path; false: nowhere. */
static bool add_lists(struct buf *out, struct slice document, const struct path *path)
{
    struct buf lists = {0};
    size_t count = response_add_lists(&lists, document, path);
    buf_add_string(out, count > 0 ? "; " : "");
    if (count == 1) {
        add_option(out, buf_slice(&lists));
        buf_add_string(out, " names an array of objects");
    } else if (count > 1) {
        buf_add_format(out, "arrays of objects are at %.*s, and --items=PATH names one",
                       (int)lists.len, lists.at);
    }
    buf_free(&lists);
    return count > 0;
}

static bool is_array_at(struct slice document, const char *written)
{
    return value_kind_of(value_find_written(document, written)) == VALUE_ARRAY;
}

static const char *name_kind(enum value_kind kind)
{
    switch (kind) {
    case VALUE_NULL:
        return "null";
    case VALUE_FALSE:
        return "false";
    case VALUE_TRUE:
        return "true";
    case VALUE_NUMBER:
        return "a number";
    case VALUE_STRING:
        return "a string";
    case VALUE_ARRAY:
        return "an array";
    case VALUE_OBJECT:
        return "an object";
    case VALUE_ABSENT:
        break;
    }
    return "nothing";
}

/* The members that are looked at, and those of them that are named. */
enum { MOST_MEMBERS = 1000, MOST_NAMED = 6 };

/* How far a member's key is from another one, and which of them it is. */
struct nearness {
    size_t distance;
    size_t index;
};

static bool is_before(struct nearness a, struct nearness b)
{
    return a.distance != b.distance ? a.distance < b.distance : a.index < b.index;
}

/* Finds the member whose key is nearest of those that are farther than `after`, if not NULL. */
static bool find_nearest(struct slice object, struct slice key, const struct nearness *after,
                         struct nearness *nearest, struct buf *name)
{
    struct member member = {0};
    struct buf scratch = {0};
    struct buf wanted = {0};
    struct buf there = {0};
    bool found = false;
    buf_add_slice(&wanted, key);
    buf_add_byte(&wanted, '\0');
    for (size_t i = 0; i < MOST_MEMBERS && value_next_member(object, &member); i++) {
        there.len = 0;
        buf_add_slice(&there, value_decode(member.key, &scratch));
        buf_add_byte(&there, '\0');
        struct nearness this = {choice_distance(there.at, wanted.at), i};
        if ((after == NULL || is_before(*after, this)) && (!found || is_before(this, *nearest))) {
            found = true;
            *nearest = this;
            name->len = 0;
            buf_add_string(name, there.at); /* no message goes on beyond a NUL */
        }
    }
    buf_free(&scratch);
    buf_free(&wanted);
    buf_free(&there);
    return found;
}

/* Adds the keys of an object, those that are nearest to one first. */
static void add_nearest(struct buf *out, struct slice object, struct slice key)
{
    struct buf name = {0};
    struct nearness last;
    struct nearness next;
    size_t n = 0;
    while (find_nearest(object, key, n > 0 ? &last : NULL, &next, &name)) {
        buf_add_string(out, n == 0 ? " has " : ", ");
        if (n == MOST_NAMED) {
            buf_add_string(out, "...");
            break;
        }
        enum { SHOWN = 40 };
        buf_add_slice(out, (struct slice){name.at, name.len < SHOWN ? name.len : SHOWN});
        last = next;
        n++;
    }
    if (n == 0) {
        buf_add_string(out, " is empty");
    }
    buf_free(&name);
}

static size_t count_elements(struct slice array)
{
    struct slice element = {0};
    size_t n = 0;
    while (value_next_element(array, &element)) {
        n++;
    }
    return n;
}

/* How much of the path leads somewhere. */
static size_t depth_there(struct slice document, const struct path *path)
{
    size_t depth = path->depth;
    while (depth > 0) {
        struct path part = {.keys = path->keys, .depth = depth};
        if (value_kind_of(value_find(document, &part)) != VALUE_ABSENT) {
            break;
        }
        depth--;
    }
    return depth;
}

/* Adds what is on the way, where the path leads nowhere. */
static void add_what_is_there(struct buf *out, struct slice value, const struct path *path,
                              size_t depth)
{
    struct slice place = written_to(path, depth);
    enum value_kind kind = value_kind_of(value);
    if (depth == 0) {
        buf_add_string(out, ": the document");
    } else {
        buf_add_format(out, ": '%.*s'", (int)place.len, place.at);
    }
    if (kind == VALUE_OBJECT) {
        add_nearest(out, value, path->keys[depth]);
    } else if (kind == VALUE_ARRAY) {
        buf_add_format(out, " is an array of %zu", count_elements(value));
    } else {
        buf_add_format(out, " is %s", name_kind(kind));
    }
}

/* Whether a value is an object with a string, as a chunk is and a list of lists is not. */
static bool has_string(struct slice value)
{
    struct member member = {0};
    bool has = false;
    while (value_kind_of(value) == VALUE_OBJECT && !has && value_next_member(value, &member)) {
        has = value_kind_of(member.value) == VALUE_STRING;
    }
    return has;
}

/* Of a path that goes on into an array of what seem to be chunks, the part that names it. */
static bool add_shorter_path(struct buf *out, const struct path *path, size_t depth,
                             struct slice value)
{
    struct slice first = {0};
    bool is_array = value_kind_of(value) == VALUE_ARRAY;
    if (!is_array || !value_next_element(value, &first) || !has_string(first)) {
        return false;
    }
    buf_add_string(out, "; ");
    add_option(out, written_to(path, depth));
    buf_add_string(out, " names it");
    return true;
}

/* A path with a key too few, or one with a slip in it. */
static bool add_other_path(struct buf *out, struct slice document, const struct path *path,
                           size_t depth)
{
    struct path part = {.keys = path->keys, .depth = depth};
    struct slice value = slice_trim(value_find(document, &part));
    struct buf other = {0};
    struct buf name = {0};
    struct nearness nearest;
    bool is_array = value_kind_of(value) == VALUE_ARRAY;
    if (is_array) {
        add_path_with(&other, path, depth, slice_of("0"), depth);
    } else if (value_kind_of(value) == VALUE_OBJECT &&
               find_nearest(value, path->keys[depth], NULL, &nearest, &name)) {
        add_path_with(&other, path, depth, buf_slice(&name), depth + 1);
    }
    buf_add_byte(&other, '\0');
    bool found =
        other.len > 1 && is_array_at(document, other.at) && (is_array || nearest.distance <= 2);
    if (found) {
        buf_add_string(out, "; ");
        add_option(out, slice_of(other.at));
        buf_add_string(out, is_array ? " names that of the first, and jq -c '" : " names an array");
    }
    if (found && is_array) {
        add_elements(out, document, &part);
        add_keys(out, document, path, depth, false);
        buf_add_string(out, "[]' makes lines of all");
    }
    buf_free(&other);
    buf_free(&name);
    return found;
}

/* Whether the members of an object are objects themselves that have a string. */
static bool is_table(struct slice object)
{
    struct member member = {0};
    size_t n = 0;
    for (; n < MOST_MEMBERS && value_next_member(object, &member); n++) {
        if (!has_string(member.value)) {
            return false;
        }
    }
    return n > 1;
}

/* What jq makes of a string: of JSON what it says, of other text a chunk. */
static void add_for_string(struct buf *out, struct json_checker *checker, struct slice document,
                           const struct path *path, struct slice string)
{
    struct buf scratch = {0};
    struct slice says = slice_trim(value_decode(value_inside(string), &scratch));
    bool is_array = says.len > 0 && says.at[0] == '[' && check_is_json(checker, says);
    buf_add_string(out, "; jq -c '");
    advice_add_filter(out, document, path);
    buf_add_string(out, is_array ? " | fromjson[]' makes lines of the JSON in it"
                                 : " | {text: .}' makes a chunk of it");
    buf_free(&scratch);
}

/* What to do about an object; false where nobody knows. */
static bool add_for_object(struct buf *out, struct slice document, const struct path *path,
                           struct slice object)
{
    struct buf strings = {0};
    bool known = true;
    if (is_table(object)) {
        buf_add_string(out, "; jq -c '");
        add_elements(out, document, path);
        buf_add_string(out, "' makes lines of its members");
    } else if (add_lists(out, document, path)) {
        known = true;
    } else if (response_add_paths(&strings, object, VALUE_STRING)) {
        buf_add_string(out, "; if it is a chunk, jq -c '");
        advice_add_filter(out, document, path);
        buf_add_string(out, "' makes a line of it, to be read without --items");
    } else {
        known = false;
    }
    buf_free(&strings);
    return known;
}

/* What to do where something else than an array is at the path. */
static bool add_for_value(struct buf *out, struct json_checker *checker, struct slice document,
                          const struct path *path, struct slice value)
{
    enum value_kind kind = value_kind_of(value);
    buf_add_format(out, ": there is %s", name_kind(kind));
    if (kind == VALUE_STRING) {
        add_for_string(out, checker, document, path, value);
    } else if (kind == VALUE_NULL) {
        buf_add_string(out, "; jq -c '");
        add_elements(out, document, path);
        buf_add_string(out, "?' makes no line of it");
    } else {
        return kind == VALUE_OBJECT && add_for_object(out, document, path, value);
    }
    return true;
}

void advice_add_no_array(struct buf *out, struct json_checker *checker, struct slice document,
                         const struct path *path)
{
    size_t depth = depth_there(document, path);
    struct path part = {.keys = path->keys, .depth = depth};
    struct slice value = slice_trim(value_find(document, &part));
    const struct path all = {0};
    document = slice_trim(document);
    bool known = false;
    if (depth == path->depth) {
        known =
            response_add_error(out, value) || add_for_value(out, checker, document, path, value);
    } else {
        add_what_is_there(out, value, path, depth);
        known = add_other_path(out, document, path, depth) ||
                add_shorter_path(out, path, depth, value) || response_add_error(out, document);
    }
    if (!known && !add_lists(out, document, &all)) {
        buf_add_string(out, "; edgefold-recipes(7) has commands for many responses");
    }
}

void advice_add_several(struct buf *out, struct slice first, const struct path *path)
{
    struct slice value = path->depth > 0 ? value_find(first, path) : first;
    if (value_kind_of(value) == VALUE_ARRAY) {
        buf_add_string(out, "; jq -c '");
        add_elements(out, first, path);
        buf_add_string(out, "' makes lines of the elements of all, to be read without --items");
    } else if (memchr(first.at, '\n', first.len) == NULL) {
        buf_add_string(out, "; if each is a chunk, leave out --items");
    } else {
        buf_add_string(
            out, "; if each is a chunk, jq -c . makes a line of it, to be read without --items");
    }
}

/* What follows .PATH[] in a filter that makes chunks of such elements; NULL: nobody knows. */
static const char *filter_for(struct slice element)
{
    struct slice inner = {0};
    if (value_kind_of(element) == VALUE_STRING) {
        return " | {text: .}' makes a chunk of each";
    }
    if (value_kind_of(element) != VALUE_ARRAY || !value_next_element(element, &inner)) {
        return NULL;
    }
    if (value_kind_of(inner) == VALUE_OBJECT) {
        return "[]' makes lines of the elements of all";
    }
    bool is_text = value_kind_of(inner) == VALUE_STRING;
    if (value_next_element(element, &inner) && value_kind_of(inner) == VALUE_STRING) {
        return " | {id: .[0], text: .[1]}' makes chunks of such rows";
    }
    return is_text ? " | {text: .[0]}' makes chunks of such rows" : NULL;
}

void advice_add_no_object(struct buf *out, const struct document *document, struct slice element,
                          bool advises_skip)
{
    const struct path *path = document->path;
    const char *filter = document->taken == 0 ? filter_for(element) : NULL;
    buf_add_format(out, "a chunk is an object, and this is %s", name_kind(value_kind_of(element)));
    if (filter != NULL && filter[0] == '[') {
        struct buf first = {0};
        add_path_with(&first, path, path->depth, slice_of("0"), path->depth);
        buf_add_string(out, "; ");
        add_option(out, buf_slice(&first));
        buf_free(&first);
        buf_add_string(out, " names it, and jq -c '");
    } else if (filter != NULL) {
        buf_add_string(out, "; jq -c '");
    } else if (advises_skip) {
        buf_add_string(out, "; --skip-invalid passes over it");
    }
    if (filter != NULL) {
        add_elements(out, document->whole, path);
        buf_add_string(out, filter);
    }
}

void advice_add_no_text(struct buf *out, const struct document *document, struct slice element)
{
    const char *list = response_list(element);
    struct path path;
    if (list == NULL || path_parse(&path, list) != NULL) {
        response_add_hint(out, element);
        return;
    }
    bool pointer = document->path->depth > 0 && document->path->written[0] == '/';
    char separator = pointer ? '/' : '.';
    struct buf key = {0};
    struct buf there = {0};
    buf_add_format(&key, "%zu%c", document->taken, separator);
    for (const char *c = list; *c != '\0'; c++) {
        buf_add_byte(&key, *c == '.' ? separator : *c);
    }
    add_path_with(&there, document->path, document->path->depth, buf_slice(&key),
                  document->path->depth);
    buf_add_format(out, "; there is an array at '%s': ", list);
    add_option(out, buf_slice(&there));
    buf_free(&there);
    buf_add_string(out, " names it, and jq -c '");
    add_elements(out, document->whole, document->path);
    add_keys(out, element, &path, 0, false);
    buf_add_string(out, "[]' makes lines of those of all");
    buf_free(&key);
    path_free(&path);
}
