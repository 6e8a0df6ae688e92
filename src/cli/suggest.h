/* suggest.h: which option may have been meant by one that there is not. */
#ifndef EDGEFOLD_SUGGEST_H
#define EDGEFOLD_SUGGEST_H

#include <stddef.h>

#include "base/base.h"
#include "getopts.h"

/*
 * Adds the options that the word, without its dashes, may have meant, as "--min-chunks or
 * --min-score"; nothing where none is near.
 */
void suggest_options(struct buf *out, const struct option_row *rows, size_t count,
                     const char *word);

#endif
