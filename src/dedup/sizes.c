/* sizes.c: see sizes.h. */
#include "sizes.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

size_t size_classes_from(const struct size_classes *sizes, size_t size)
{
    size_t low = 0;
    size_t high = sizes->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sizes->classes[middle].size < size) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct size_class *class_of(struct size_classes *sizes, size_t size)
{
    size_t c = size_classes_from(sizes, size);
    if (c == sizes->count || sizes->classes[c].size != size) {
        sizes->classes =
            mem_grow(sizes->classes, &sizes->capacity, sizes->count + 1, sizeof *sizes->classes);
        memmove(&sizes->classes[c + 1], &sizes->classes[c],
                (sizes->count - c) * sizeof *sizes->classes);
        sizes->count++;
        sizes->classes[c] = (struct size_class){.size = size};
    }
    return &sizes->classes[c];
}

void size_classes_add(struct size_classes *sizes, size_t size, struct scan_entry entry)
{
    struct size_class *class = class_of(sizes, size);
    class->entries =
        mem_grow(class->entries, &class->capacity, class->count + 1, sizeof *class->entries);
    class->entries[class->count++] = entry;
}

void size_classes_free(struct size_classes *sizes)
{
    for (size_t i = 0; i < sizes->count; i++) {
        free(sizes->classes[i].entries);
    }
    free(sizes->classes);
    *sizes = (struct size_classes){0};
}
