/* reader.h: lines made chunks, one at a time, and what is noticed on the way. */
#ifndef EDGEFOLD_READER_H
#define EDGEFOLD_READER_H

#include "base/base.h"
#include "document.h"
#include "fields.h"
#include "read.h"
#include "json/json.h"

/* The names under which a line says which query it is for. */
#define QUERY_NAMES 5

/* One stream is one query: what its first chunk says, and who says something else. */
struct query {
    struct slice values[QUERY_NAMES];
    bool settled;
    struct location first;
    size_t others;
    const char *other_name;
    struct location other;
};

/* Unusable lines of one kind, where they are passed over. */
struct complaints {
    const char *reason;
    size_t count;
    struct location first;
};
enum { MOST_REASONS = 8 };

/* Where the reader stands, and what it has noticed on the way. */
struct reader {
    struct chunks *chunks;
    const struct read_options *options;
    struct progress progress; /* of the file that is being read */
    struct json_checker checker;
    struct fields fields;
    struct buf scratch;
    struct arena names; /* of elements of documents, which messages at the end may have */
    const struct document *document; /* whose element is read; NULL: it is a line */
    const char *file;
    uint32_t file_index;
    size_t line_number;
    bool cut_short; /* the line has no line feed */
    bool one_query; /* all lines are for one, or that is worth a warning */
    size_t usable;
    size_t empty_texts;
    size_t unscored;
    struct query query;
    struct complaints complaints[MOST_REASONS];
};

/* A reader that adds to chunks, as options say, both of which must outlast it. */
void reader_open(struct reader *reader, struct chunks *chunks, const struct read_options *options);

/* Frees what the reader has made, names of elements included; not the chunks. */
void reader_close(struct reader *reader);

/*
 * Adds a chunk for the line, which must last as long as the chunks; none for a blank one.
 * STATUS_OK, or STATUS_INPUT after a message.
 */
int reader_take(struct reader *reader, struct slice line);

/*
 * The same for the element that document_next() has found: the chunk's line number is the
 * element's place in the array, from 1, and messages have its line in the document.
 */
int reader_take_element(struct reader *reader, const struct document *document,
                        struct slice element);

/*
 * Makes the chunk an unusable one, for a reason of static lifetime; why was said since
 * diag_hold() has returned held.  STATUS_INPUT and the message is printed, or where such
 * lines are passed over STATUS_OK, and it is printed if it is the first of its kind.
 */
int reader_pass_over(struct reader *reader, struct chunk *chunk, const char *reason, size_t held);

/* What is counted of lines and known by them, so that one can be taken out of it. */
struct tally {
    size_t usable;
    size_t empty_texts;
    size_t unscored;
    size_t repairs[REPAIRS];
    size_t complaints[MOST_REASONS];
    bool settled; /* where the fields are, and among them the id */
    bool id_settled;
};
struct tally reader_tally(const struct reader *reader);

/* Takes the last line's chunk away, which is to be taken again: nothing is counted of it. */
void reader_untake(struct reader *reader, const struct tally *before);

/* The line stays, as one that is no chunk: nothing is counted of it as one or known by it. */
void reader_uncount(struct reader *reader, const struct tally *before);

/* What the user should know of an input that is good but not quite what was expected. */
void reader_warn(const struct reader *reader);

/* Says what is awaited, where the chunks are to be typed and nobody asked for that. */
void reader_greet(const struct read_options *options);

#endif
