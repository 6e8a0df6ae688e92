/* path.c: see path.h. */
#include "path.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/base.h"

/* Replaces ~1 by / and ~0 by ~ in place; false on any other ~. */
static bool unescape_pointer(char *key, size_t *len)
{
    size_t n = 0;
    for (size_t i = 0; i < *len; i++) {
        char c = key[i];
        if (c == '~') {
            i++;
            if (i == *len || (key[i] != '0' && key[i] != '1')) {
                return false;
            }
            c = key[i] == '0' ? '~' : '/';
        }
        key[n++] = c;
    }
    *len = n;
    return true;
}

const char *path_parse(struct path *path, const char *written)
{
    bool pointer = written[0] == '/';
    char separator = pointer ? '/' : '.';
    const char *start = pointer ? written + 1 : written;
    size_t depth = 1;
    for (const char *c = start; *c != '\0'; c++) {
        depth += *c == separator;
    }
    /* One block for both: the keys, then a copy of the bytes for them to point into. */
    size_t length = strlen(start);
    struct slice *keys = mem_alloc(depth * sizeof *keys + length + 1);
    char *bytes = (char *)(keys + depth);
    memcpy(bytes, start, length + 1);
    for (size_t i = 0; i < depth; i++) {
        size_t len = strcspn(bytes, pointer ? "/" : ".");
        char *next = bytes + len + 1;
        if (!pointer && len == 0) {
            free(keys);
            return "has an empty key";
        }
        if (pointer && !unescape_pointer(bytes, &len)) {
            free(keys);
            return "has a ~ that is neither ~0 nor ~1";
        }
        keys[i] = (struct slice){bytes, len};
        bytes = next;
    }
    *path = (struct path){written, keys, depth};
    return NULL;
}

void path_free(struct path *path)
{
    free(path->keys);
    *path = (struct path){0};
}

const char *path_list_add(struct path_list *list, const char *written)
{
    list->paths = mem_grow(list->paths, &list->capacity, list->count + 1, sizeof *list->paths);
    const char *wrong = path_parse(&list->paths[list->count], written);
    list->count += wrong == NULL;
    return wrong;
}

void path_list_free(struct path_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        path_free(&list->paths[i]);
    }
    free(list->paths);
    *list = (struct path_list){0};
}

bool path_index(struct slice key, size_t *index)
{
    if (key.len == 0 || (key.at[0] == '0' && key.len > 1)) {
        return false;
    }
    size_t n = 0;
    for (size_t i = 0; i < key.len; i++) {
        char c = key.at[i];
        if (c < '0' || c > '9' || n > (SIZE_MAX - 9) / 10) {
            return false;
        }
        n = n * 10 + (size_t)(c - '0');
    }
    *index = n;
    return true;
}
