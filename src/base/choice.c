/* choice.c: see choice.h. */
#include "choice.h"

#include "number.h"

enum { LONGEST_WORD = 32 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t choice_distance(const char *a, const char *b)
{
    size_t rows[3][LONGEST_WORD + 1];
    size_t la = strlen(a);
    size_t lb = strlen(b);
    if (la > LONGEST_WORD || lb > LONGEST_WORD) {
        return SIZE_MAX;
    }
    for (size_t j = 0; j <= lb; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= la; i++) {
        size_t *row = rows[i % 3];
        const size_t *last = rows[(i + 2) % 3];
        const size_t *before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
    }
    return rows[la % 3][lb];
}

size_t choice_most_slips(const char *word)
{
    size_t length = strlen(word);
    return length < 3 ? length / 2 : length < 6 ? 1 : 2;
}

/* What may have been meant, or NULL. */
static const struct choice *nearest(const struct choices *choices, struct slice written)
{
    struct buf word = {0};
    buf_add_slice(&word, written);
    buf_add_byte(&word, '\0');
    const struct choice *found = NULL;
    size_t best = choice_most_slips(word.at) + 1;
    for (size_t i = 0; i < choices->count; i++) {
        size_t distance = choice_distance(word.at, choices->row(i)->name);
        if (distance < best) {
            best = distance;
            found = choices->row(i);
        }
    }
    buf_free(&word);
    return found;
}

const char *choice_name(const struct choices *choices, size_t index)
{
    return choices->row(index)->name;
}

/* Adds what the argument looks like. */
static void add_form(struct buf *out, const struct choice *choice)
{
    buf_add_string(out, choice->name);
    if (choice->number != NULL) {
        buf_add_format(out, ":%s", choice->number);
    }
}

void choice_add_names(struct buf *out, const struct choices *choices)
{
    for (size_t i = 0; i < choices->count; i++) {
        buf_add_string(out, i > 0 ? ", " : "");
        add_form(out, choices->row(i));
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
    const struct choice *meant = nearest(choices, name);
    if (meant != NULL) {
        buf_add_string(wrong, " (did you mean ");
        add_form(wrong, meant);
        buf_add_string(wrong, "?)");
    }
    buf_add_byte(wrong, '\0');
    return wrong->at;
}
