/* header.h: the line about a chunk that stands before its text. */
#ifndef EDGEFOLD_HEADER_H
#define EDGEFOLD_HEADER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "chunk.h"
#include "json/json.h"

/* One NAME=PATH of --header. */
struct header_field {
    char *name;
    char *attribute; /* the name as XML takes it */
    char *shouted;   /* the name in upper case */
    char *written;   /* the path, for it to point into */
    struct path path;
};

/* All zero is no header. */
struct header {
    struct header_field *fields;
    size_t count;
    size_t capacity;
    struct finder *finder; /* of their paths, for header_find() */
};

/* Parses NAME=PATH[,NAME=PATH]...; returns NULL, or what is wrong with it. */
const char *header_parse(struct header *header, const char *written);
void header_free(struct header *header);

/* In which form a format prints the names. */
enum header_names { HEADER_NAMES, HEADER_ATTRIBUTES, HEADER_SHOUTED, HEADER_MEMBERS };

/* Whether in that form two fields have the same name, or one that the format has itself. */
bool header_names_clash(const struct header *header, enum header_names kind);

/* What the chunk has at each field's path, by field; good until the next call. */
const struct slice *header_find(const struct header *header, const struct chunk *chunk);

/*
 * Adds such a value to out, on one line.  False, and nothing, when there is nothing that can
 * be printed.
 */
bool header_add_value(struct buf *out, struct slice member);

/*
 * Adds the values that the chunk has as "[Source: a | Section: b]", or nothing.
 * Brackets and bars in a value become round and slanted, so that none can end the
 * header early.  Returns whether there was one.
 */
bool header_add(struct buf *out, const struct header *header, const struct chunk *chunk);

/* The same as " | SOURCE: a | SECTION: b". */
void header_add_bars(struct buf *out, const struct header *header, const struct chunk *chunk);

#endif
