/*
 * tokens.h: how many tokens a text costs.
 *
 * By an estimate that needs no vocabulary (estimate.h), exactly by the vocabulary of
 * a byte-pair tokenizer (bpe.h, pretokenize.h; vocab.h and what finds and reads it),
 * or as words, characters or bytes.  What a text costs is asked through a counter.
 */
#ifndef EDGEFOLD_TOKENS_H
#define EDGEFOLD_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum counter_kind {
    COUNTER_ESTIMATE, /* as o200k_base would count, by a table and no vocabulary */
    COUNTER_WORDS,    /* maximal runs of characters without Unicode's White_Space property */
    COUNTER_CHARS,    /* code points, or code points divided by a number */
    COUNTER_BYTES,    /* bytes of UTF-8, or bytes divided by a number */
    COUNTER_EXACT     /* by a vocabulary */
};

/*
 * A counter adds up costs, in parts of a token, and rounds up once, at the end.
 * So all counters are additive: where one text ends in a line feed after
 * something else than white space, and another begins with neither white space
 * nor "/", the cost of the two together is the sum of their costs.  The budget is
 * kept by that.
 */
struct counter {
    enum counter_kind kind;
    const char *method; /* as the user wrote it; not owned */
    size_t unit;        /* the cost of one token */
    size_t scale;       /* the cost of one code point or byte */
    struct estimate_cache *estimates;
    struct vocab *vocab;
    struct table_file *table; /* of a compiled one */
    struct bpe *bpe;
};

/*
 * Makes the counter that --count=method names, with its vocabulary loaded.
 * Returns STATUS_OK, or another status after a message.  In either case it is to
 * be given to counter_close(), and method must outlive it.
 */
int counter_open(struct counter *counter, const char *method);
void counter_close(struct counter *counter);

/*
 * To be called before what was counted is relied on: a vocabulary that is mapped may have
 * been written over meanwhile.  STATUS_OK, or STATUS_SYSTEM after a message.
 */
int counter_check(const struct counter *counter);

/* The cost of a text of UTF-8.  Remembers what it has seen, but gives the same again. */
size_t counter_cost(struct counter *counter, struct slice text);

/* A cost in whole tokens, rounded up. */
size_t counter_tokens(const struct counter *counter, size_t cost);

/* The cost of so many tokens; SIZE_MAX when that is too large to say. */
size_t counter_limit(const struct counter *counter, size_t tokens);

/* Whether what a text costs depends on what is before and after it. */
bool counter_looks_around(const struct counter *counter);

/*
 * Makes the table that --compile-vocab writes, of the vocabulary that name stands
 * for, and adds it to out.  Returns STATUS_OK, or another status after a message.
 */
int tokens_compile(struct buf *out, const char *name);

/*
 * The file that a vocabulary's name stands for: the name itself, or in path, which is to
 * be freed; NULL where there is none.
 */
typedef const char *vocabulary_file(struct buf *path, const char *name);

/* As --compile-vocab looks for it, and as --count=name does, which may need none. */
vocabulary_file tokens_file;
vocabulary_file counter_file;

/* Takes a name, and what it stands for; both are its own for the call alone. */
typedef void tokens_name(void *context, const char *name, const char *help);

/* Calls take with each vocabulary that is found on this machine by a name. */
void tokens_list_vocabularies(tokens_name *take, void *context);

/* The same for all that --count can be given here, without files and divisors. */
void counter_list(tokens_name *take, void *context);

#endif
