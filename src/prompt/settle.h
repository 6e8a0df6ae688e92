/* settle.h: what a prompt has beside its chunks: question, instructions, templates. */
#ifndef EDGEFOLD_SETTLE_H
#define EDGEFOLD_SETTLE_H

#include "cli/options.h"

/*
 * Reads what comes from files and puts all of it in the form in which it is
 * printed; settles the format, which a question decides where no option does.
 * Returns STATUS_OK, or after a message STATUS_USAGE for parts that do not go
 * together, or STATUS_SYSTEM.
 */
int prompt_settle(struct options *options);

#endif
