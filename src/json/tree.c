/* tree.c: see tree.h. */
#include "tree.h"

#include <stdlib.h>

json_t *tree_text(struct slice text)
{
    struct buf repaired = {0};
    utf8_add_repaired(&repaired, text);
    json_t *string = json_stringn(buf_slice(&repaired).at, repaired.len);
    buf_free(&repaired);
    return string;
}

json_t *tree_string(const char *string)
{
    return string != NULL ? tree_text(slice_of(string)) : json_null();
}

json_t *tree_number(size_t n)
{
    uint64_t wide = n;
    return json_integer(wide <= INT64_MAX ? (json_int_t)wide : INT64_MAX);
}

json_t *tree_limit(size_t n)
{
    return n > 0 ? tree_number(n) : json_null();
}

void tree_set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

json_t *tree_read(struct slice text, json_error_t *error)
{
    json_set_alloc_funcs(mem_alloc, free); /* or a lack of memory passes for bad JSON */
    json_t *tree = json_loadb(text.at, text.len, JSON_ALLOW_NUL, error);
    if (tree != NULL && !json_is_object(tree)) {
        json_decref(tree);
        *error = (json_error_t){.line = 1, .column = 1, .text = "it is no object"};
        return NULL;
    }
    return tree;
}
