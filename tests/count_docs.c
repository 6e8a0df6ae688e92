/*
 * count_docs.c: the tokens of many documents, for tests.
 *
 *     count_docs METHOD <documents
 *
 * METHOD is what --count takes.  The documents are separated by NUL bytes; the
 * output is one line for each: its number of tokens.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/base.h"
#include "tokens/tokens.h"

int main(int argc, char **argv)
{
    struct counter counter;
    struct input input = {0};
    if (argc != 2) {
        fputs("usage: count_docs METHOD <documents\n", stderr);
        return STATUS_USAGE;
    }
    int status = counter_open(&counter, argv[1]);
    if (status == STATUS_OK) {
        status = input_load(&input, "-", false, NULL);
    }
    const char *end = input.bytes + input.length;
    for (const char *at = input.bytes; status == STATUS_OK && at < end;) {
        const char *stop = memchr(at, '\0', (size_t)(end - at));
        size_t length = (size_t)((stop != NULL ? stop : end) - at);
        size_t cost = counter_cost(&counter, (struct slice){at, length});
        printf("%zu\n", counter_tokens(&counter, cost));
        at += length + 1;
    }
    free(input.bytes);
    counter_close(&counter);
    return status == STATUS_OK && fflush(stdout) != 0 ? STATUS_SYSTEM : status;
}
