/*
 * cost.h: what the output costs, in the counter's parts of a token.
 *
 * In NDJSON that is the sum of the texts, each in whole tokens, since each goes its
 * own way from there.  In a prompt it is all that is written.
 */
#ifndef EDGEFOLD_COST_H
#define EDGEFOLD_COST_H

#include <stddef.h>

#include "chunk.h"
#include "fit.h"
#include "prompt/prompt.h"
#include "tokens/tokens.h"

/* What counting needs from piece to piece. */
struct coster {
    struct counter *counter;
    bool counts_given;
    struct renderer *renderer; /* of a prompt; NULL for NDJSON */
    struct buf out;            /* a rendered piece, to be counted */
    struct buf text;
    size_t seam;                       /* the cost of the seam alone */
    const struct prompt_options *body; /* where chunks are blocks of a request's body; else NULL */
    bool is_message;                   /* the prompt is the text of one of two messages */
    size_t overhead;                   /* of a block or message in a body */
};

/*
 * Makes a coster for the chunks, which like the options must stay until coster_close();
 * for lines where the options ask for no prompt.
 */
void coster_open(struct coster *coster, const struct chunks *chunks,
                 const struct budget_options *options, const struct prompt_options *prompt);
void coster_close(struct coster *coster);

/*
 * Whether a prompt costs what its pieces do, whichever chunks are in it: there is no
 * template, and no id that depends on the others.
 */
bool cost_is_additive(const struct coster *coster);

/*
 * Whether what follows the last block costs the same behind each of the chunks: where it
 * begins with a line feed, that can be of one token with the block's own, or not.
 */
bool cost_of_tail_is_same(struct coster *coster, struct chunk *const *chunks, size_t count);

/* A sum that stops at SIZE_MAX. */
size_t cost_sum(size_t a, size_t b);

/* What the output costs before any chunk is in it. */
size_t cost_frame(struct coster *coster);

/*
 * What the chunk adds to the output as the number-th of those taken.  Which number
 * the layout then gives it does not matter: all numbers up to the last are used
 * once, and each is a piece of its own to a tokenizer.  For NDJSON it sets the
 * chunk's tokens, unless they came with it.
 */
size_t cost_chunk(struct coster *coster, struct chunk *chunk, size_t number);

/* The same with another text in the chunk's place, in a prompt. */
size_t cost_block(struct coster *coster, const struct chunk *chunk, size_t number,
                  struct slice text);

/*
 * What a part of a chunk's text adds to a passage that is there: the bytes from `from` to
 * before `to`.
 */
size_t cost_part(struct coster *coster, const struct chunk *chunk, struct slice text, size_t from,
                 size_t to);

/* The lines of NDJSON, of each text what was not said before. */
size_t cost_lines(struct coster *coster, const struct chunks *chunks);

/* Sets the tokens of each ranked chunk's text, where they are not known yet. */
void cost_texts(struct coster *coster, struct chunks *chunks);

/* The finished prompt, with the chunks as they are placed, counted as one text. */
size_t cost_prompt(struct coster *coster, const struct chunks *chunks);

#endif
