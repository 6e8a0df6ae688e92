/* text.c: see text.h. */
#include "text.h"

#include "value.h"

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
