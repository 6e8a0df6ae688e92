/* mem.c: see mem.h. */
#include "mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "diag.h"

void mem_open(void)
{
#ifdef __GLIBC__
    enum { LARGE = 1 << 20 };
    mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

void *mem_alloc(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        diag_out_of_memory(bytes);
    }
    return memory;
}

void *mem_realloc(void *old, size_t bytes)
{
    void *memory = realloc(old, bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        diag_out_of_memory(bytes);
    }
    return memory;
}

void *mem_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        diag_out_of_memory(count > SIZE_MAX / size ? SIZE_MAX : count * size);
    }
    return memory;
}

void *mem_grow(void *array, size_t *capacity, size_t needed, size_t element_size)
{
    if (needed <= *capacity) {
        return array;
    }
    size_t limit = SIZE_MAX / element_size;
    size_t next = *capacity + *capacity / 2 + 16;
    if (next < needed) {
        next = needed;
    }
    if (next > limit || next < *capacity) {
        diag_out_of_memory(SIZE_MAX);
    }
    *capacity = next;
    return mem_realloc(array, next * element_size);
}

char *buf_room(struct buf *buf, size_t length)
{
    if (length > SIZE_MAX - buf->len) {
        diag_out_of_memory(SIZE_MAX);
    }
    buf->at = mem_grow(buf->at, &buf->capacity, buf->len + length, 1);
    return buf->at + buf->len;
}

void buf_add(struct buf *buf, const void *bytes, size_t length)
{
    if (length > 0) {
        memcpy(buf_room(buf, length), bytes, length);
        buf->len += length;
    }
}

void buf_add_slice(struct buf *buf, struct slice slice)
{
    buf_add(buf, slice.at, slice.len);
}

void buf_add_string(struct buf *buf, const char *string)
{
    buf_add(buf, string, strlen(string));
}

void buf_add_format(struct buf *buf, const char *format, ...)
{
    enum { LIKELY = 64 };
    va_list args;
    va_list again;
    va_start(args, format);
    va_copy(again, args);
    char *room = buf_room(buf, LIKELY);
    int length = vsnprintf(room, buf->capacity - buf->len, format, args);
    va_end(args);
    if (length > 0 && (size_t)length >= buf->capacity - buf->len) {
        room = buf_room(buf, (size_t)length + 1);
        vsnprintf(room, (size_t)length + 1, format, again);
    }
    buf->len += length > 0 ? (size_t)length : 0;
    va_end(again);
}

void buf_add_byte(struct buf *buf, char byte)
{
    *buf_room(buf, 1) = byte;
    buf->len++;
}

struct slice buf_slice(const struct buf *buf)
{
    return (struct slice){buf->at != NULL ? buf->at : "", buf->len};
}

void buf_free(struct buf *buf)
{
    free(buf->at);
    *buf = (struct buf){0};
}
