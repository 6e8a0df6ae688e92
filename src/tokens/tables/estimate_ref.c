/* Print the estimated number of tokens of standard input.
 *
 * usage: estimate_ref [-0] <text
 *
 * With -0 the input is documents separated by NUL bytes, and the output is one
 * line per document: its estimate in 1/1024 token. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokens/estimate.h"
#include "slurp.h"

static struct estimate_cache cache;

static void print_units(const char *text, size_t length)
{
    for (const char *p = text, *end = text + length; p < end;) {
        const char *stop = memchr(p, 0, (size_t)(end - p));
        if (!stop) {
            stop = end;
        }
        printf("%" PRIu64 "\n", estimate_text(&cache, p, (size_t)(stop - p)));
        p = stop + 1;
    }
}

int main(int argc, char **argv)
{
    size_t length;
    int separate = argc == 2 && strcmp(argv[1], "-0") == 0;

    if (argc > 1 && !separate) {
        fputs("usage: estimate_ref [-0] <text\n", stderr);
        return 2;
    }
    char *text = slurp(stdin, &length);
    if (separate) {
        print_units(text, length);
    } else {
        printf("%" PRIu64 "\n", estimate_tokens(estimate_text(&cache, text, length)));
    }
    free(text);
    return fflush(stdout) == 0 ? 0 : 1;
}
