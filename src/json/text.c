/* text.c: see text.h. */
#include "text.h"

#include "value.h"

/* A value that is no array. */
static bool add_scalar(struct buf *out, struct slice value)
{
    enum raw_kind kind = rawjson_kind(value);
    if (kind == RAW_STRING) {
        struct buf scratch = {0};
        struct slice text = rawjson_decode(rawjson_inside(value), &scratch);
        buf_add_slice(out, text);
        bool added = text.len > 0;
        buf_free(&scratch);
        return added;
    }
    if (kind == RAW_NUMBER || kind == RAW_TRUE || kind == RAW_FALSE) {
        buf_add_slice(out, value);
        return true;
    }
    return false;
}

bool value_add(struct buf *out, struct slice value)
{
    if (rawjson_kind(value) != RAW_ARRAY) {
        return add_scalar(out, value);
    }
    bool added = false;
    struct slice element = {0};
    while (rawjson_next_element(value, &element)) {
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

bool value_is_there(struct slice value)
{
    enum raw_kind kind = rawjson_kind(value);
    return kind != RAW_ABSENT && kind != RAW_NULL;
}
