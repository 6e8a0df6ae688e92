/* vocab_pattern.h: which splitting rules a vocabulary's own regular expression stands for. */
#ifndef EDGEFOLD_VOCAB_PATTERN_H
#define EDGEFOLD_VOCAB_PATTERN_H

#include <stdint.h>

#include "pretokenize.h"

/* The rules that do what the expression says, or NULL when it is not a known one. */
const struct split_rules *pattern_rules(const char *expression);

/* The same for DeepSeek's three expressions, each splitting what the one before has left. */
const struct split_rules *pattern_rules_of_three(const char *first, const char *second,
                                                 const char *third);

/* The rules of a known encoding, by its vocabulary's fingerprint; or NULL. */
const struct split_rules *pattern_of_fingerprint(uint64_t fingerprint);

#endif
