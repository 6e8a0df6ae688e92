/* order.c: see order.h. */
#include "order.h"

static struct order_key key_of_string(struct slice string, struct arena *arena)
{
    struct buf scratch = {0};
    struct order_key key = {.kind = ORDER_TEXT, .text = value_inside(string)};
    if (number_clamped(key.text, &key.value)) {
        key.kind = ORDER_NUMBER;
    } else {
        struct slice says = value_decode(key.text, &scratch);
        if (says.at != key.text.at && says.len > 0) {
            char *copy = arena_alloc(arena, says.len);
            memcpy(copy, says.at, says.len);
            says.at = copy;
        }
        key.text = says;
    }
    buf_free(&scratch);
    return key;
}

struct order_key order_key_of(const struct chunk *chunk, const struct path *path,
                              struct arena *arena)
{
    struct slice value = chunk_member(chunk, path);
    struct order_key key = {.kind = ORDER_MISSING};
    switch (value_kind_of(value)) {
    case VALUE_STRING:
        return key_of_string(value, arena);
    case VALUE_NUMBER:
        if (number_clamped(value, &key.value)) {
            key.kind = ORDER_NUMBER;
            key.text = value;
        }
        break;
    case VALUE_ABSENT:
    case VALUE_NULL:
    case VALUE_FALSE:
    case VALUE_TRUE:
    case VALUE_ARRAY:
    case VALUE_OBJECT:
        break;
    }
    return key;
}

int order_compare(const struct order_key *a, const struct order_key *b)
{
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    if (a->kind == ORDER_NUMBER) {
        return a->value != b->value ? (a->value < b->value ? -1 : 1)
                                    : number_compare(a->text, b->text);
    }
    return a->kind == ORDER_TEXT ? slice_compare(a->text, b->text) : 0;
}
