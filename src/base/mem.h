/* mem.h: memory that is there or ends the program. */
#ifndef EDGEFOLD_MEM_H
#define EDGEFOLD_MEM_H

#include <stddef.h>

#include "slice.h"

/* How many elements an array has. */
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/*
 * A hint that the address will be read soon; what it points to need not exist.  To be
 * given where something is also written: gcc leaves out calls of a function that only
 * gives hints, as having no effect.
 */
#ifdef __GNUC__
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

/*
 * To be called first.  Has large blocks each in pages of their own, where the C library
 * can be told so: glibc, left alone, takes them from its heap after a while, where an
 * array that grows leaves holes of its old sizes.
 */
void mem_open(void);

/*
 * A filter that has run out of memory can do nothing useful, so none of these
 * returns NULL: they report the failure and end the program with STATUS_SYSTEM.
 * What they return is the caller's, to be given to free().
 */

void *mem_alloc(size_t bytes);
void *mem_realloc(void *old, size_t bytes);

/* count * size zeroed bytes, with the product checked for overflow. */
void *mem_zeroed(size_t count, size_t size);

/*
 * Makes room for at least `needed` elements in a growing array: returns the
 * array, moved or not, and sets *capacity (in elements).  Growth is geometric,
 * and overflow of the size in bytes ends the program.
 */
void *mem_grow(void *array, size_t *capacity, size_t needed, size_t element_size);

/* A growing run of bytes.  All zero is an empty one; buf_free() empties it again. */
struct buf {
    char *at;
    size_t len;
    size_t capacity;
};

void buf_add(struct buf *buf, const void *bytes, size_t length);
void buf_add_slice(struct buf *buf, struct slice slice);
void buf_add_string(struct buf *buf, const char *string);
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
void buf_add_format(struct buf *buf, const char *format, ...);
void buf_add_byte(struct buf *buf, char byte);
/* Makes room for `length` more bytes and returns where they go; the caller adds to len. */
char *buf_room(struct buf *buf, size_t length);
/* What it holds; never a null pointer. */
struct slice buf_slice(const struct buf *buf);
void buf_free(struct buf *buf);

#endif
