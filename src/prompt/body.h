/*
 * body.h: a prompt as the body of a request: one JSON object, without model and limits.
 *
 * In `messages` the chunks are in the text of a message, in whatever shape a context has.
 * In the others each is a block of its own, which the model's provider keeps apart, so
 * that nothing in its text is escaped: Anthropic's search_result blocks and Cohere's
 * documents, by which these APIs cite.
 */
#ifndef EDGEFOLD_BODY_H
#define EDGEFOLD_BODY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "chunk.h"

struct prompt_options;
struct renderer;

enum body { BODY_NONE, BODY_MESSAGES, BODY_ANTHROPIC, BODY_COHERE };

/* Which one the options ask for. */
enum body body_of(const struct prompt_options *options);

/* Whether each chunk is a block of its own, of which strings are counted one by one. */
bool body_has_blocks(const struct prompt_options *options);

/* STATUS_OK, or STATUS_USAGE after a message for options that a body does not have. */
int body_check(const struct prompt_options *options);

/* Takes the strings that a provider shows to its model, one after the other. */
typedef void body_function(void *context, struct slice string);

/*
 * Those of a chunk's block, with a text that is to stand in it.  Where another chunk has
 * the same id, which must be unique in a body, the longest that it may become is taken.
 */
void body_block_strings(struct renderer *renderer, const struct chunk *chunk, struct slice text,
                        body_function *take, void *context);

/* Whether there are such ids among the ranked chunks. */
bool body_changes_ids(struct renderer *renderer);

/* Those of all blocks, with the chunks as they are placed; returns how many blocks. */
size_t body_blocks_strings(struct renderer *renderer, const struct chunks *chunks,
                           body_function *take, void *context);

/* Those of the rest; returns how many messages and blocks it has. */
size_t body_frame_strings(const struct renderer *renderer, body_function *take, void *context);

/* Adds the body, with the chunks as they are placed, without a line feed. */
void body_add(struct renderer *renderer, struct buf *out, const struct chunks *chunks);

#endif
