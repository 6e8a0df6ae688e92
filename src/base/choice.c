/* choice.c: see choice.h. */
#include "choice.h"

#include "number.h"

const char *choice_name(const struct choices *choices, size_t index)
{
    return choices->row(index)->name;
}

void choice_add_names(struct buf *out, const struct choices *choices)
{
    for (size_t i = 0; i < choices->count; i++) {
        const struct choice *choice = choices->row(i);
        buf_add_format(out, "%s%s", i > 0 ? ", " : "", choice->name);
        if (choice->number != NULL) {
            buf_add_format(out, ":%s", choice->number);
        }
    }
}

static const char *say(struct buf *wrong, const char *start, const char *name)
{
    buf_add_string(wrong, start);
    buf_add_string(wrong, name);
    buf_add_byte(wrong, '\0');
    return wrong->at;
}

const char *choice_find(const struct choices *choices, const char *argument, size_t *index,
                        size_t *number, struct buf *wrong)
{
    struct slice name = {argument, strcspn(argument, ":")};
    bool has_number = argument[name.len] == ':';
    wrong->len = 0;
    for (size_t i = 0; i < choices->count; i++) {
        const struct choice *choice = choices->row(i);
        if (has_number != (choice->number != NULL) || !slice_equal(name, slice_of(choice->name))) {
            continue;
        }
        *index = i;
        if (has_number && !number_positive(argument + name.len + 1, number)) {
            buf_add_string(wrong, "needs a whole number from 1 up after ");
            return say(wrong, choice->name, ":");
        }
        return NULL;
    }
    buf_add_string(wrong, "needs one of ");
    choice_add_names(wrong, choices);
    buf_add_byte(wrong, '\0');
    return wrong->at;
}
