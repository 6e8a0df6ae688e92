/* question.h: the question that a prompt ends in, from the command line or a file. */
#ifndef EDGEFOLD_QUESTION_H
#define EDGEFOLD_QUESTION_H

#include "options.h"

/*
 * Reads the question's file, if it comes from one, and puts the question in the
 * form in which it will be printed.  Does nothing without a question.  Returns
 * STATUS_OK, or another status after a message.
 */
int question_settle(struct options *options);

#endif
