/* vocab_find.h: where a vocabulary is. */
#ifndef EDGEFOLD_VOCAB_FIND_H
#define EDGEFOLD_VOCAB_FIND_H

#include "tokens.h"
#include "vocab.h"

/* The file of a compiled table that is mapped. */
struct table_file;

/*
 * Loads the vocabulary that name stands for: a file, or else an encoding, a model
 * that uses one, or a repository of the Hugging Face hub, looked for in the
 * places that the manual names.  There is no falling back to another.  Returns
 * STATUS_OK with *vocab to be given to vocab_free(), and *table, which is NULL where
 * nothing is mapped, to table_close(); STATUS_USAGE after a message when it is not found,
 * STATUS_SYSTEM after one when it cannot be used, and both are NULL.
 */
int vocab_open(struct vocab **vocab, struct table_file **table, const char *name);

/*
 * Whether the compiled table that is mapped is still the one that was opened, for all that
 * its file says of itself: STATUS_OK, also for NULL, or STATUS_SYSTEM after a message.
 */
int table_check(const struct table_file *table);
void table_close(struct table_file *table);

/* The file that the name stands for, by the same rules: the name or in path; NULL: none. */
const char *vocab_file(struct buf *path, const char *name);

/*
 * Calls take with each name that would be found: encodings and models, and what is in
 * the folders and caches that are looked through.  Nothing is opened or said.
 */
void vocab_list(tokens_name *take, void *context);

#endif
