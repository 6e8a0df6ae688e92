/* main.c: arguments in, status out. */
#include <fcntl.h>
#include <unistd.h>

#include "chunk.h"
#include "cli/cli.h"
#include "each.h"
#include "pipeline.h"

/* What the user asked for, with a counter of tokens that is there for so long. */
static int run(struct options *options)
{
    struct counter counter;
    struct chunks chunks = {0};
    int status = counter_open(&counter, options->budget.count);
    options->budget.counter = &counter;
    if (status == STATUS_OK && options->action == ACTION_COUNT) {
        status = write_count(options->read.files, options->read.file_count, &counter);
    } else if (status == STATUS_OK) {
        status = options->read.each.depth > 0 ? each(options) : pipeline(&chunks, options);
    }
    chunks_free(&chunks);
    counter_close(&counter);
    return status;
}

static int act(struct options *options)
{
    switch (options->action) {
    case ACTION_HELP:
        return options_write_help();
    case ACTION_VERSION:
        return options_write_version();
    case ACTION_COMPLETION:
        return options_write_completion(options);
    case ACTION_COMPILE:
        return write_compiled_vocab(options->compiled_vocab, options->table_file);
    case ACTION_RUN:
    case ACTION_COUNT:
        break;
    }
    return run(options);
}

int main(int argc, char **argv)
{
    /* With standard output closed, the first file opened would take its place. */
    if (fcntl(STDOUT_FILENO, F_GETFD) == -1) {
        return diag_error(STATUS_SYSTEM, "standard output is closed");
    }
    mem_open();
    struct options options;
    struct diag_log log;
    diag_open(&log);
    int status = options_parse(&options, argc, argv);
    if (status == STATUS_OK) {
        status = act(&options);
        int closed = out_close();
        status = closed > status ? closed : status;
    }
    options_free(&options);
    diag_close(&log);
    return status;
}
