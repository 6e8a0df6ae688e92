/* number_index.c: see number_index.h. */
#include "number_index.h"

#include <stdlib.h>

#include "base/base.h"

static struct set_numbers numbers_of(const struct number_index *index, uint32_t set)
{
    return collection_numbers(index->collection, &index->collection->sets[set]);
}

static void lists_new(struct number_lists *lists, size_t numbers)
{
    lists->starts = mem_zeroed(numbers + 1, sizeof *lists->starts);
    lists->ends = mem_alloc(numbers * sizeof *lists->ends);
}

/* Turns what has been counted, one place further on, into where the lists start. */
static void lists_allot(struct number_lists *lists, size_t numbers)
{
    for (size_t n = 0; n < numbers; n++) {
        lists->starts[n + 1] += lists->starts[n];
        lists->ends[n] = lists->starts[n];
    }
    lists->sets = mem_alloc(lists->starts[numbers] * sizeof *lists->sets);
}

static void lists_add(struct number_lists *lists, size_t number, uint32_t set)
{
    lists->sets[lists->ends[number]++] = set;
}

static size_t most_of(const struct number_lists *lists, size_t number)
{
    return lists->starts[number + 1] - lists->starts[number];
}

static struct number_list list_of(const struct number_lists *lists, size_t number)
{
    size_t start = lists->starts[number];
    return (struct number_list){lists->sets + start, lists->ends[number] - start};
}

static void lists_free(struct number_lists *lists)
{
    free(lists->starts);
    free(lists->ends);
    free(lists->sets);
}

/* Where the sets without numbers are. */
static size_t no_number(const struct number_index *index)
{
    return index->collection->number_ids;
}

/* Of a set's numbers the one that the fewest sets have, of such the first. */
static size_t rarest_of(const struct number_index *index, struct set_numbers numbers)
{
    size_t rarest = numbers.count > 0 ? numbers.ids[0] : no_number(index);
    for (size_t i = 1; i < numbers.count; i++) {
        if (most_of(&index->with, numbers.ids[i]) < most_of(&index->with, rarest)) {
            rarest = numbers.ids[i];
        }
    }
    return rarest;
}

void number_index_new(struct number_index *index, const struct collection *collection)
{
    *index = (struct number_index){0};
    if (!collection->keeps_numbers) {
        return;
    }
    index->collection = collection;
    size_t numbers = collection->number_ids;
    lists_new(&index->with, numbers);
    for (uint32_t s = 0; s < collection->count; s++) {
        struct set_numbers has = numbers_of(index, s);
        for (size_t i = 0; i < has.count; i++) {
            index->with.starts[has.ids[i] + (size_t)1]++;
        }
    }
    lists_allot(&index->with, numbers);
    lists_new(&index->rarest, numbers + 1);
    for (uint32_t s = 0; s < collection->count; s++) {
        index->rarest.starts[rarest_of(index, numbers_of(index, s)) + 1]++;
    }
    lists_allot(&index->rarest, numbers + 1);
}

void number_index_add(struct number_index *index, uint32_t set)
{
    if (index->collection == NULL) {
        return;
    }
    struct set_numbers numbers = numbers_of(index, set);
    for (size_t i = 0; i < numbers.count; i++) {
        lists_add(&index->with, numbers.ids[i], set);
    }
    lists_add(&index->rarest, rarest_of(index, numbers), set);
}

bool number_index_list(const struct number_index *index, uint32_t set, size_t place,
                       struct number_list *list)
{
    struct set_numbers numbers = numbers_of(index, set);
    if (place < numbers.count) {
        *list = list_of(&index->rarest, numbers.ids[place]);
    } else if (place == numbers.count) {
        *list = list_of(&index->with, rarest_of(index, numbers));
    } else {
        *list = list_of(&index->rarest, no_number(index));
    }
    return place <= numbers.count + 1;
}

size_t number_index_count(const struct number_index *index, uint32_t set)
{
    if (index->collection == NULL || numbers_of(index, set).count == 0) {
        return SIZE_MAX;
    }
    size_t count = 0;
    struct number_list list;
    for (size_t place = 0; number_index_list(index, set, place, &list); place++) {
        count += list.count;
    }
    return count;
}

size_t number_index_most(const struct number_index *index, uint32_t set)
{
    if (index->collection == NULL || numbers_of(index, set).count == 0) {
        return SIZE_MAX;
    }
    struct set_numbers numbers = numbers_of(index, set);
    size_t most = most_of(&index->with, rarest_of(index, numbers)) +
                  most_of(&index->rarest, no_number(index));
    for (size_t i = 0; i < numbers.count; i++) {
        most += most_of(&index->rarest, numbers.ids[i]);
    }
    return most;
}

void number_index_free(struct number_index *index)
{
    lists_free(&index->with);
    lists_free(&index->rarest);
    *index = (struct number_index){0};
}
