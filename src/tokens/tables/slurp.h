/* Read a whole stream into memory; for the small tools of this folder. */
#ifndef SLURP_H
#define SLURP_H

#include <stdio.h>
#include <stdlib.h>

static inline char *slurp(FILE *stream, size_t *length)
{
    size_t size = 1 << 16, used = 0, got;
    char *text = malloc(size);

    while (text && (got = fread(text + used, 1, size - used, stream)) > 0) {
        used += got;
        if (used == size) {
            char *larger = realloc(text, size *= 2);
            if (!larger) {
                free(text);
            }
            text = larger;
        }
    }
    if (!text || ferror(stream)) {
        perror("standard input");
        exit(1);
    }
    *length = used;
    return text;
}

#endif
