/* input.h: a file, whole in memory, and its lines. */
#ifndef EDGEFOLD_INPUT_H
#define EDGEFOLD_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "progress.h"
#include "slice.h"

struct input {
    const char *name;
    char *bytes; /* ends in a NUL beyond its length */
    size_t length;
};

/*
 * Reads all of the named file, or standard input for "-".  With stop_at_nul it
 * ends after the first block that holds a NUL, which no line of JSON does: then
 * /dev/zero is an error at once instead of a full memory.  Returns STATUS_OK,
 * input->bytes being the caller's to free, or STATUS_SYSTEM after a message.
 * progress, which may be NULL, is told what comes in.
 */
int input_load(struct input *input, const char *operand, bool stop_at_nul,
               struct progress *progress);

/* Goes through the lines of an input; all zero but for `input` to begin with. */
struct line_reader {
    const struct input *input;
    size_t offset; /* of the next line, in bytes */
    size_t number; /* of the last line given, from 1 */
};

/*
 * The next line without its line end (LF or CR LF), the byte-order mark at the
 * file's start left out.  False at the end.
 */
bool input_next_line(struct line_reader *reader, struct slice *line);

#endif
