/* finder.c: see finder.h. */
#include "finder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "value.h"

/* Paths that are next to one another and have the same keys down to a depth. */
struct same_start {
    size_t from;
    size_t to;
    size_t depth;
};

void finder_add(struct finder *finder, const struct path *path)
{
    finder->paths =
        mem_grow(finder->paths, &finder->capacity, finder->count + 1, sizeof *finder->paths);
    finder->paths[finder->count] = (struct sorted_path){path, finder->count};
    finder->count++;
    free(finder->values);
    finder->values = NULL;
}

void finder_free(struct finder *finder)
{
    free(finder->paths);
    free(finder->values);
    free(finder->elements);
    buf_free(&finder->key);
    *finder = (struct finder){0};
}

static int compare_paths(const void *left, const void *right)
{
    const struct path *a = ((const struct sorted_path *)left)->path;
    const struct path *b = ((const struct sorted_path *)right)->path;
    for (size_t i = 0; i < a->depth && i < b->depth; i++) {
        int order = slice_compare(a->keys[i], b->keys[i]);
        if (order != 0) {
            return order;
        }
    }
    return (a->depth > b->depth) - (a->depth < b->depth);
}

static struct slice key_at(const struct finder *finder, size_t place, size_t depth)
{
    return finder->paths[place].path->keys[depth];
}

/* Where in the range the paths with that key begin; its end where there are none. */
static size_t find_key(const struct finder *finder, struct same_start range, struct slice key)
{
    size_t low = range.from;
    size_t high = range.to;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (slice_compare(key_at(finder, middle, range.depth), key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < range.to && slice_equal(key_at(finder, low, range.depth), key);
    return found ? low : range.to;
}

/* Where the paths with the key of that at `from` end. */
static size_t end_of_key(const struct finder *finder, struct same_start range, size_t from)
{
    size_t to = from + 1;
    struct slice key = key_at(finder, from, range.depth);
    while (to < range.to && slice_equal(key_at(finder, to, range.depth), key)) {
        to++;
    }
    return to;
}

/* The first path with each key gets the member's value: of repeated keys the last. */
static void look_at_members(struct finder *finder, struct slice object, struct same_start range)
{
    struct member member = {0};
    while (value_next_member(object, &member)) {
        bool is_plain = memchr(member.key.at, '\\', member.key.len) == NULL;
        struct slice key = is_plain ? member.key : value_decode(member.key, &finder->key);
        size_t place = find_key(finder, range, key);
        if (place < range.to) {
            finder->values[finder->paths[place].number] = member.value;
        }
    }
}

/* The same with an array's elements, which keys number. */
static void look_at_elements(struct finder *finder, struct slice array, struct same_start range)
{
    size_t first = finder->element_count;
    struct slice element = {0};
    while (value_next_element(array, &element)) {
        finder->elements = mem_grow(finder->elements, &finder->element_capacity,
                                    finder->element_count + 1, sizeof *finder->elements);
        finder->elements[finder->element_count++] = element;
    }
    for (size_t i = range.from; i < range.to; i = end_of_key(finder, range, i)) {
        size_t index;
        bool is_index = path_index(key_at(finder, i, range.depth), &index);
        if (is_index && index < finder->element_count - first) {
            finder->values[finder->paths[i].number] = finder->elements[first + index];
        }
    }
    finder->element_count = first;
}

/* Takes what was found for the first path of a key; the deeper ones have it no longer. */
static struct slice take_value(struct finder *finder, size_t place)
{
    struct slice *value = &finder->values[finder->paths[place].number];
    struct slice taken = *value;
    *value = (struct slice){0};
    return taken;
}

/*
 * Finds what the paths of a range have below a value.  It calls itself where they part, and
 * not for each key: how long a path is and how deep the input is not ours to choose.
 */
static void look_into(struct finder *finder, struct slice value, struct same_start range)
{
    while (value.at != NULL) {
        while (range.from < range.to && finder->paths[range.from].path->depth == range.depth) {
            finder->values[finder->paths[range.from++].number] = value;
        }
        if (value_kind_of(value) == VALUE_OBJECT && range.from < range.to) {
            look_at_members(finder, value, range);
        } else if (value_kind_of(value) == VALUE_ARRAY && range.from < range.to) {
            look_at_elements(finder, value, range);
        }
        struct same_start last = {range.to, range.to, range.depth + 1};
        value = (struct slice){0};
        for (size_t i = range.from; i < range.to; i = last.to) {
            look_into(finder, value, last);
            last.from = i;
            last.to = end_of_key(finder, range, i);
            value = take_value(finder, i);
        }
        range = last;
    }
}

const struct slice *finder_find(struct finder *finder, struct slice line)
{
    if (finder->values == NULL) {
        qsort(finder->paths, finder->count, sizeof *finder->paths, compare_paths);
        finder->values = mem_zeroed(finder->count + 1, sizeof *finder->values);
    }
    for (size_t i = 0; i < finder->count; i++) {
        finder->values[i] = (struct slice){0};
    }
    if (finder->count > 0) {
        look_into(finder, value_first(line), (struct same_start){0, finder->count, 0});
    }
    return finder->values;
}
