/*
 * value.h: values in the raw bytes of a line.
 *
 * jansson checks whether a line is JSON; what leaves the program is the line
 * itself, and what is compared (an id beyond 64 bits, say) is what it says, not
 * what a double makes of it.  So values are found as slices of the line.  All of
 * this takes JSON that has been checked valid and checks nothing again.
 */
#ifndef EDGEFOLD_VALUE_H
#define EDGEFOLD_VALUE_H

#include <stdbool.h>

#include "base/base.h"
#include "path.h"

enum value_kind {
    VALUE_ABSENT,
    VALUE_NULL,
    VALUE_FALSE,
    VALUE_TRUE,
    VALUE_NUMBER,
    VALUE_STRING,
    VALUE_ARRAY,
    VALUE_OBJECT
};

/*
 * The value at path below the value that line holds, as written, without the
 * white space around it; a slice with a null pointer when there is none.  Of
 * repeated keys the last counts, as in jansson, jq and Python.
 */
struct slice value_find(struct slice line, const struct path *path);

/* The same at a path as it is written; a null slice too where that is none. */
struct slice value_find_written(struct slice line, const char *written);

/* The value that the text begins with, after white space, whatever follows it. */
struct slice value_first(struct slice text);

/* By the first byte, which decides in valid JSON. */
enum value_kind value_kind_of(struct slice value);

/*
 * Moves from one element of an array to the next: a null slice to begin with,
 * false after the last.
 */
bool value_next_element(struct slice array, struct slice *element);

/*
 * The same for the members of an object, as pairs of a key (between its quotes, still
 * escaped) and a value; repeated keys come as they are.
 */
struct member {
    struct slice key;
    struct slice value;
};
bool value_next_member(struct slice object, struct member *member);

/*
 * Adds a form of a value that is the same just for equal values: numbers by what they
 * are worth, strings by what they say, objects by their members in any order (of
 * repeated keys the last), null as an absent value.
 */
void value_add_canonical(struct buf *out, struct slice value);

/*
 * Adds what tells a string or a number from any other, where 7 is "7": numbers by what they
 * are worth, strings by what they say, or as they are written where that is not all that was
 * written.  False, and nothing added, for another kind.
 */
bool value_add_key(struct buf *out, struct slice value);

/*
 * Moves from one string of a line, key or value, to the next: what stands between its
 * quotes; a null slice to begin with, false after the last.
 */
bool value_next_string(struct slice line, struct slice *inside);

/* What stands between the quotes of a string value, still escaped. */
struct slice value_inside(struct slice string);

/*
 * Decodes what stands between a string's quotes to UTF-8 (RFC 8259, section 7).
 * Without a backslash that is the slice itself, and nothing is copied; else it
 * is written to scratch, whose former content is lost.  Half a surrogate pair
 * becomes U+FFFD.
 */
struct slice value_decode(struct slice inside, struct buf *scratch);

/*
 * Adds a raw JSON value to out: a string as what it says, a number and a boolean
 * as written, an array of those joined with ", ".  Null, an object, an absent
 * value and an empty string are nothing.  False when nothing was added.
 */
bool value_add_text(struct buf *out, struct slice value);

/* Whether there is something at all, though it may be nothing to print (an object). */
bool value_is_present(struct slice value);

/* Adds a text of UTF-8 as a JSON string, quotes included (RFC 8259, section 7). */
void value_add_quoted(struct buf *out, struct slice text);

#endif
