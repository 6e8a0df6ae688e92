/*
 * read.h: from files and standard input to chunks.
 *
 * Each line that is a JSON object becomes a chunk.  Where its text, score and id
 * are, the first chunk decides for all (fields.h).  Lines that cannot be used are
 * errors, or passed over with a message for the first of each kind and a warning that
 * counts them; what is usable but not quite what was expected is warned of, each kind
 * once.
 */
#ifndef EDGEFOLD_READ_H
#define EDGEFOLD_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "chunk.h"
#include "json/json.h"

enum direction {
    DIRECTION_BY_FIELD, /* lower is better when the score's name says distance */
    DIRECTION_HIGHER,
    DIRECTION_LOWER
};

struct read_options {
    const char *const *files; /* the operands; never none, "-" standing for no operand */
    size_t file_count;
    bool awaits_terminal; /* no operand was given: say what is awaited on a terminal */
    bool skip_invalid;
    bool no_progress;
    bool ids_matter;  /* an id is looked for in every chunk until one has one */
    struct path text; /* depth 0: found by the first chunk */
    struct path score;
    struct path id;
    struct path tokens; /* of a chunk's own number of tokens; depth 0: none */
    enum direction direction;
    bool separate_lists;  /* each file is a ranked list, with fields of its own */
    bool scores_replaced; /* those of the lines are not looked at */
    bool scores_unasked;  /* they may be there or not */
    const char *absent;   /* a member that no line may have, or NULL */
    bool has_items;       /* each file is one document, with the chunks in an array */
    struct path items;    /* where; depth 0: the document itself */
    struct path each;     /* lines with one value there are one group; depth 0: all are */
    struct path question; /* of a group, in its lines; depth 0: not there */
    /* Members that each line must have; those of a template. */
    const struct path **required;
    size_t required_count;
};

/* The groups of --each, read one after the other. */
struct stream;

/* One for options, which must outlast it; to be given to stream_free().  Opens no file. */
struct stream *stream_new(const struct read_options *options);

/*
 * Reads the next group into chunks, which are empty, as read_chunks() does for all; with
 * what the group is called, and its question where that is in the lines; not there, if none
 * of its lines was usable.  A null name: there is no more; chunks are unusable lines then, of
 * an input without a group.  STATUS_OK, or another one after a message: the name is that of
 * the group which was being read then.  In either case chunks must be freed before the stream
 * is.
 */
int stream_next(struct stream *stream, struct chunks *chunks);

/* Closes what is open, and ends what the last group's chunks refer to. */
void stream_free(struct stream *stream);

/*
 * Sets files, all, lower_is_better and each chunk's line, spans and value;
 * marks unusable lines invalid.
 */
int read_chunks(struct chunks *chunks, const struct read_options *options);

#endif
