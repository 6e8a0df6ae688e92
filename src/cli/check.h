/* check.h: options that do not go together. */
#ifndef EDGEFOLD_CLI_CHECK_H
#define EDGEFOLD_CLI_CHECK_H

#include "cli.h"

/* Settles what one option says for another; STATUS_OK, or STATUS_USAGE after a message. */
int options_check(struct options *options);

#endif
