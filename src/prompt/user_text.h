/* user_text.h: a text that the user gives, on the command line or in a file. */
#ifndef EDGEFOLD_USER_TEXT_H
#define EDGEFOLD_USER_TEXT_H

#include "base/base.h"

/*
 * Adds the text to out in the form in which it is printed: UTF-8, U+FFFD for what
 * is not, without a byte-order mark, controls (see controls.h), or line ends at its
 * end.
 */
void user_text_add(struct buf *out, struct slice text);

/* The same with the text from a file ("-" is standard input); STATUS_OK, or a message. */
int user_text_add_file(struct buf *out, const char *file);

#endif
