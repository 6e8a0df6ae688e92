/* Print the lengths of the pieces of each document on standard input.
 *
 * usage: pieces RULES <documents >lengths
 *
 * The documents are separated by NUL bytes.  The output is one 32-bit number
 * in native byte order per piece and a 0 after each document.  The generators
 * and the checks use it, so that they see what the estimator sees. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slurp.h"
#include "tokens/pretokenize.h"

static void print_number(uint32_t number)
{
    if (fwrite(&number, sizeof number, 1, stdout) != 1) {
        perror("pieces: standard output");
        exit(1);
    }
}

static void print_pieces(const struct split_rules *rules, const char *text, size_t length)
{
    struct splitter splitter;
    const uint8_t *piece;
    size_t size;

    splitter_start(&splitter, rules, text, length);
    while ((size = splitter_next(&splitter, &piece)) > 0) {
        print_number((uint32_t)size);
    }
    print_number(0);
}

int main(int argc, char **argv)
{
    const struct split_rules *rules = argc == 2 ? split_rules_named(argv[1]) : NULL;
    size_t length;

    if (!rules) {
        fputs("usage: pieces RULES <documents >lengths\n", stderr);
        return 2;
    }
    char *text = slurp(stdin, &length);
    for (char *p = text, *end = text + length; p < end;) {
        char *stop = memchr(p, 0, (size_t)(end - p));
        if (!stop) {
            stop = end;
        }
        print_pieces(rules, p, (size_t)(stop - p));
        p = stop + 1;
    }
    free(text);
    return fflush(stdout) == 0 ? 0 : 1;
}
