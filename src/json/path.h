/* path.h: the PATH of an option: which member of a chunk's object is meant. */
#ifndef EDGEFOLD_PATH_H
#define EDGEFOLD_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/*
 * Dot-separated keys ("payload.text"), or a JSON Pointer (RFC 6901) when it
 * starts with "/".  A key that is a number indexes an array, and names a member
 * where it meets an object.
 */
struct path {
    const char *written; /* as the user wrote it; not owned */
    struct slice *keys;  /* decoded */
    size_t depth;        /* how many keys; 0 means that no path was given */
};

/*
 * Parses `written`, which must outlive the path.  Returns NULL, or what is
 * wrong with it, for a message.  On success the path is to be given to path_free().
 */
const char *path_parse(struct path *path, const char *written);

void path_free(struct path *path);

/* Several of them; all zero is none. */
struct path_list {
    struct path *paths;
    size_t count;
    size_t capacity;
};

/* Parses and adds one; returns NULL, or what is wrong with it. */
const char *path_list_add(struct path_list *list, const char *written);

void path_list_free(struct path_list *list);

/* Whether key is an array index in RFC 6901's form: no sign, no leading zero. */
bool path_index(struct slice key, size_t *index);

#endif
