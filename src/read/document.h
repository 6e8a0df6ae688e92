/* document.h: --items: a file that is one document, and the elements of an array in it. */
#ifndef EDGEFOLD_DOCUMENT_H
#define EDGEFOLD_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "json/json.h"

/* All zero to begin with; nothing of it is its own. */
struct document {
    const char *file; /* for messages */
    const struct path *path;
    struct slice whole;
    struct slice array;
    struct slice element; /* the last that was taken; a null slice: none */
    size_t taken;
    const char *counted; /* so far lines are counted */
    size_t line;         /* and this is the number of the one there, from 1 */
};

/*
 * Checks the document and finds the array at the path; of nothing but white space there is
 * an empty one.  STATUS_OK, or STATUS_INPUT after a message.
 */
int document_open(struct document *document, struct json_checker *checker,
                  const struct input *input, const struct path *path);

/* Finds the element after the last that was taken, and its line; false after the last. */
bool document_next(struct document *document, struct slice *element);

/* Takes the element that was found last: the next one is another. */
void document_take(struct document *document, struct slice element);

/*
 * An element as one line, without the white space that stands outside of strings: in the
 * arena, with a line feed after it.
 */
struct slice document_line(struct arena *arena, struct slice element);

/* What messages call the file, FILE:PATH: in the arena. */
const char *document_name(struct arena *arena, const char *file, const struct path *path);

/* What they call the element with that index, FILE:PATH[INDEX]: in the arena. */
const char *document_element_name(struct arena *arena, const char *file, const struct path *path,
                                  size_t index);

#endif
