/* tree.h: jansson's values made of ours, for documents that are written. */
#ifndef EDGEFOLD_TREE_H
#define EDGEFOLD_TREE_H

#include <jansson.h>
#include <stddef.h>

#include "base/base.h"

/* All return a new reference. */

/* A string; what is not UTF-8, in a file's name or an id, becomes U+FFFD. */
json_t *tree_text(struct slice text);

/* The same of a string that may be NULL, for null. */
json_t *tree_string(const char *string);

/* A whole number; what is beyond 64 bits with a sign is the largest of these. */
json_t *tree_number(size_t n);

/* A limit that is not in force, 0, is null. */
json_t *tree_limit(size_t n);

/* The document in a text, an object; NULL: it is none, and where that is seen is in error. */
json_t *tree_read(struct slice text, json_error_t *error);

/* Sets a member of an object, and takes over the reference. */
void tree_set(json_t *object, const char *key, json_t *value);

#endif
