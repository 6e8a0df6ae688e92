/* Print the number of tokens of each document on standard input.
 *
 * usage: count_ref RULES RANKS.tiktoken <documents
 *
 * The documents are separated by NUL bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpe.h"
#include "slurp.h"

static struct vocab *read_vocab(const char *path)
{
    const char *error;
    size_t length;
    FILE *file = fopen(path, "rb");

    if (!file) {
        perror(path);
        exit(1);
    }
    char *data = slurp(file, &length);
    fclose(file);
    struct vocab *vocab = vocab_parse_tiktoken(data, length, &error);
    free(data);
    if (!vocab) {
        fprintf(stderr, "%s: %s\n", path, error);
        exit(1);
    }
    return vocab;
}

static void print_counts(struct bpe *bpe, const char *text, size_t length)
{
    for (const char *p = text, *end = text + length; p < end;) {
        const char *stop = memchr(p, 0, (size_t)(end - p));
        if (!stop) {
            stop = end;
        }
        printf("%" PRIu64 "\n", bpe_count(bpe, p, (size_t)(stop - p)));
        p = stop + 1;
    }
}

int main(int argc, char **argv)
{
    const struct split_rules *rules = argc == 3 ? split_rules_named(argv[1]) : NULL;
    size_t length;

    if (!rules) {
        fputs("usage: count_ref RULES RANKS.tiktoken <documents\n", stderr);
        return 2;
    }
    struct vocab *vocab = read_vocab(argv[2]);
    struct bpe *bpe = bpe_new(vocab, rules);
    char *text = slurp(stdin, &length);
    if (!bpe) {
        return 1;
    }
    print_counts(bpe, text, length);
    free(text);
    bpe_free(bpe);
    vocab_free(vocab);
    return fflush(stdout) == 0 ? 0 : 1;
}
