/*
 * format.h: the shapes that a prompt can have.
 *
 * A format is a file of its own, format_NAME.c, with a function for a chunk's block
 * and what stands around all of them.  A new one is such a file and a row in
 * format.c; its markers are all that keeps a chunk from imitating it, so that a
 * format cannot be had without them.
 */
#ifndef EDGEFOLD_FORMAT_H
#define EDGEFOLD_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "body.h"
#include "prompt.h"
#include "renderer.h"

/* Adds a chunk's block, with its number in the prompt and the text that is to stand in it. */
typedef void block_function(struct renderer *renderer, struct buf *out, const struct chunk *chunk,
                            size_t number, struct slice text);

struct format {
    struct choice choice;
    block_function *add_block; /* NULL: a body, or the lines as they came */
    enum body body;            /* of what request it is the body */
    const char *seam;          /* what each block and the tail begin with */
    const char *context_end;   /* after the last block */
    const char *part_start;    /* before instructions and question */
    const char *instructions;  /* what introduces them */
    const char *question;
    bool tags; /* context, instructions and question stand in tags of ours */
    bool unnumbered;
    bool containers; /* quotes and list items can hold what its lines begin with */
    enum header_names header_names;
    /*
     * How the lines begin that hold it together, as imitation.h has them, ending in
     * NULL; and what follows a bar inside of a line.
     */
    const char *const *markers;
    const char *const *bar_markers;
};

extern const struct format format_ndjson;
extern const struct format format_xml;
extern const struct format format_numbered;
extern const struct format format_markdown;
extern const struct format format_pipe;
extern const struct format format_plain;
extern const struct format format_messages;
extern const struct format format_anthropic;
extern const struct format format_cohere;

/* The format that the options ask for; of messages, that of the context in them. */
const struct format *format_of(const struct prompt_options *options);

/* The format that the options name. */
const struct format *format_named(const struct prompt_options *options);

/* Adds an opening ("<") or closing ("</") tag of ours, up to where attributes go. */
void format_add_tag(struct renderer *renderer, struct buf *out, const char *bracket,
                    const char *name);

/* Adds the header with what is before and after it, or nothing. */
void format_add_header(struct renderer *renderer, struct buf *out, const char *before,
                       const struct chunk *chunk, const char *after);

/* Adds preamble and text, escaped by one of the functions of escape.h, and a line feed. */
void format_add_body(struct renderer *renderer, struct buf *out, const struct chunk *chunk,
                     struct slice text, escape_function *escape);

/* The chunk's preamble, as it is there, or nothing; good until the next value is made. */
struct slice format_preamble(struct renderer *renderer, const struct chunk *chunk);

#endif
