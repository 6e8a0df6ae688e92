/* each.h: --each: the way of a chunk, for one group of lines after the other. */
#ifndef EDGEFOLD_EACH_H
#define EDGEFOLD_EACH_H

#include "cli/cli.h"

/* Runs all stages for each group as soon as it is complete; returns the exit status. */
int each(struct options *options);

#endif
