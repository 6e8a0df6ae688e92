/* vocab_json.h: tokenizer.json of Hugging Face's tokenizers. */
#ifndef EDGEFOLD_VOCAB_JSON_H
#define EDGEFOLD_VOCAB_JSON_H

#include <jansson.h>

#include "vocab.h"
#include "vocab_read.h"

/*
 * The vocabulary in a tokenizer.json, which must be byte-level BPE and must split
 * text as one of the known patterns does.  NULL, and why not in reason, for any
 * other: a count that is nearly right is worse than none.
 */
struct vocab *vocabjson_read(json_t *root, char reason[VOCAB_REASON]);

#endif
