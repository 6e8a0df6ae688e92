/* response.h: objects that are no chunk, but the answer of an API that holds chunks. */
#ifndef EDGEFOLD_RESPONSE_H
#define EDGEFOLD_RESPONSE_H

#include "base/base.h"

/* What to do about an object without a text, to be put after a message. */
const char *response_hint(struct slice object);

#endif
