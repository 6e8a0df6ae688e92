/* vocab_read.h: vocabularies from the files that they come in. */
#ifndef EDGEFOLD_VOCAB_READ_H
#define EDGEFOLD_VOCAB_READ_H

#include "base/base.h"
#include "vocab.h"

#define VOCAB_REASON 200

/*
 * Makes a vocabulary from the content of a file, whose kind is told by what is
 * in it:
 *
 *  - lines of base64(token), a space and a rank: tiktoken's own files;
 *  - JSON with "pat_str" and "bpe_ranks": the encoders of tiktoken's npm package;
 *  - JSON with "model" and "pre_tokenizer": tokenizer.json of Hugging Face's
 *    tokenizers, where that is byte-level BPE with a pattern that is known here.
 *
 * The result is to be given to vocab_free().  NULL, and why not in reason, when
 * the content is none of these.
 */
struct vocab *vocab_read(struct slice content, char reason[VOCAB_REASON]);

#endif
