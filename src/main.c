/* main.c: arguments in, status out. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "chunk.h"
#include "cli/options.h"
#include "pipeline.h"
#include "tokens/tokens.h"
#include "tokens/vocab_find.h"

/* With standard output closed, the first file opened would take its place. */
static bool output_is_open(void)
{
    return fcntl(STDOUT_FILENO, F_GETFD) != -1;
}

static int flush(void)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        return diag_error(STATUS_SYSTEM, "cannot write to standard output: %s", strerror(errno));
    }
    return STATUS_OK;
}

static int print(void (*print_text)(void))
{
    print_text();
    int status = flush();
    return status == STATUS_OK ? out_close() : status;
}

/* --count-only: the tokens of the files as they are, one after the other. */
static int count_input(const struct options *options)
{
    struct buf text = {0};
    int status = STATUS_OK;
    for (size_t i = 0; i < options->file_count && status == STATUS_OK; i++) {
        struct input input = {0};
        status = input_load(&input, options->files[i], false, NULL);
        buf_add(&text, input.bytes, input.length);
        free(input.bytes);
    }
    if (status == STATUS_OK) {
        size_t cost = counter_cost(options->counter, buf_slice(&text));
        printf("%zu\n", counter_tokens(options->counter, cost));
        status = flush();
    }
    buf_free(&text);
    return status;
}

static int compile_vocab(const struct options *options)
{
    struct vocab *vocab;
    int status = vocab_open(&vocab, options->compiled_vocab);
    if (status == STATUS_OK) {
        status = vocab_write(vocab);
    }
    vocab_free(vocab);
    int closed = out_close();
    return closed > status ? closed : status;
}

static int run(struct options *options)
{
    struct chunks chunks = {0};
    options->counter = mem_zeroed(1, sizeof *options->counter);
    int status = counter_open(options->counter, options->count);
    if (status == STATUS_OK) {
        status =
            options->action == ACTION_COUNT ? count_input(options) : pipeline(&chunks, options);
    }
    chunks_free(&chunks);
    counter_close(options->counter);
    free(options->counter);
    int closed = out_close();
    return closed > status ? closed : status;
}

static int act(struct options *options)
{
    switch (options->action) {
    case ACTION_HELP:
        return print(options_print_help);
    case ACTION_VERSION:
        return print(options_print_version);
    case ACTION_COMPILE:
        return compile_vocab(options);
    case ACTION_RUN:
    case ACTION_COUNT:
        break;
    }
    return run(options);
}

int main(int argc, char **argv)
{
    if (!output_is_open()) {
        return diag_error(STATUS_SYSTEM, "standard output is closed");
    }
    struct options options;
    int status = options_parse(&options, argc, argv);
    if (status == STATUS_OK) {
        status = act(&options);
    }
    options_free(&options);
    return status;
}
