/* order.h: what --order compares: numbers by what they are worth, or strings by bytes. */
#ifndef EDGEFOLD_ORDER_H
#define EDGEFOLD_ORDER_H

#include <stddef.h>

#include "base/base.h"
#include "chunk.h"

enum order_kind { ORDER_NUMBER, ORDER_TEXT, ORDER_MISSING };

/* A chunk's place in the order. */
struct order_key {
    enum order_kind kind;
    double value;      /* of a number */
    struct slice text; /* the number as written, or what the string says */
};

/* The key of a chunk; what a string says is in the arena where it is not in the line. */
struct order_key order_key_of(const struct chunk *chunk, const struct path *path,
                              struct arena *arena);

/* Numbers before strings before what is missing; 0 for equal ones. */
int order_compare(const struct order_key *a, const struct order_key *b);

#endif
