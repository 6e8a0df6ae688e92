/*
 * block.h: a chunk's block in each of the formats, for render.c.
 *
 * All of them add to out and take the chunk's number in the prompt and the text
 * that is to stand in the block.
 */
#ifndef EDGEFOLD_BLOCK_H
#define EDGEFOLD_BLOCK_H

#include <stddef.h>

#include "base/base.h"
#include "chunk.h"
#include "render.h"

typedef void block_function(struct render *render, struct buf *out, const struct chunk *chunk,
                            size_t number, struct slice text);

block_function block_xml;
block_function block_numbered;
block_function block_markdown;
block_function block_pipe;
block_function block_plain;

/* Adds an opening ("<") or closing ("</") tag of ours, up to where attributes go. */
void block_add_tag(struct render *render, struct buf *out, const char *bracket, const char *name);

/* The chunk's preamble, as it is there, or nothing; good until the next value is made. */
struct slice block_preamble(struct render *render, const struct chunk *chunk);

#endif
