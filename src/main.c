/* main.c: arguments in, status out. */
#include <fcntl.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "chunk.h"
#include "diag.h"
#include "options.h"
#include "out.h"
#include "pipeline.h"

/* With standard output closed, the first file opened would take its place. */
static bool output_is_open(void)
{
    return fcntl(STDOUT_FILENO, F_GETFD) != -1;
}

static int print(void (*print_text)(void))
{
    print_text();
    if (fflush(stdout) != 0 || ferror(stdout)) {
        return diag_error(STATUS_SYSTEM, "cannot write to standard output: %s",
                          strerror(errno));
    }
    return out_close();
}

static int run(const struct options *options)
{
    struct chunks chunks = {0};
    int status = pipeline(&chunks, options);
    chunks_free(&chunks);
    int closed = out_close();
    return closed > status ? closed : status;
}

static int act(const struct options *options)
{
    switch (options->action) {
    case ACTION_HELP:
        return print(options_print_help);
    case ACTION_VERSION:
        return print(options_print_version);
    case ACTION_RUN:
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
