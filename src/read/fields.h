/* fields.h: which members of a chunk's object are its text, its score and its id. */
#ifndef EDGEFOLD_FIELDS_H
#define EDGEFOLD_FIELDS_H

#include <stdbool.h>

#include "base/base.h"
#include "read.h"
#include "json/json.h"

/* All zero until settled.  A depth of 0 means that there is no such field. */
struct fields {
    struct path text;
    struct path score;
    struct path id;
    bool settled;
};

/*
 * The first chunk decides for the whole run: a field is what its option names,
 * or else the first known name that the object has.  Mixing one chunk's
 * similarity with another's distance would ruin the order, so later chunks are
 * not searched again.  False when no text is found; the next chunk is then asked.
 */
bool fields_settle(struct fields *fields, struct slice object, const struct read_options *options);

/* Looks for the id in a later chunk, where none has had one so far. */
void fields_settle_id(struct fields *fields, struct slice object,
                      const struct read_options *options);

/*
 * An unusable line decides nothing: takes back what it has settled of what was not settled,
 * or of the id not known, before it.
 */
void fields_unsettle(struct fields *fields, bool settled, bool id_settled);

/* What an object has as an id under the first known name; a null slice for nothing. */
struct slice fields_find_id(struct slice object);

/* The direction that the options ask for, or that the score's name gives away. */
bool fields_lower_is_better(const struct fields *fields, const struct read_options *options);

void fields_free(struct fields *fields);

#endif
