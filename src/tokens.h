/* tokens.h: how many tokens a text costs. */
#ifndef EDGEFOLD_TOKENS_H
#define EDGEFOLD_TOKENS_H

#include <stddef.h>

#include "slice.h"

enum counter { COUNTER_ESTIMATE, COUNTER_WORDS, COUNTER_CHARS, COUNTER_BYTES };

/*
 * Tokens in a text of UTF-8.
 *
 *  estimate  a rule by script: four ASCII bytes a token, one token a character
 *            for Han, kana and Hangul, two characters a token for other scripts,
 *            rounded up at each line's end
 *  words     maximal runs of characters without Unicode's White_Space property
 *  chars     code points
 *  bytes     bytes of UTF-8
 *
 * All four are additive: where one text ends in a line feed, the count of it and
 * another together is the sum of the two.  The budget is kept by that.
 */
size_t tokens_count(enum counter counter, struct slice text);

#endif
