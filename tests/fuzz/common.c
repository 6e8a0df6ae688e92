/* common.c: see common.h. */
#include "common.h"

#include <getopt.h>
#include <sanitizer/common_interface_defs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void check(bool holds, const char *property)
{
    char message[128];
    if (!holds) {
        /* Where the sanitizers report, since standard error may be closed. */
        snprintf(message, sizeof message, "property violated: %s", property);
        __sanitizer_report_error_summary(message);
        abort();
    }
}

static void open_unnamed(struct unnamed *file)
{
    file->fd = memfd_create("edgefold-fuzz", 0);
    check(file->fd >= 0, "a file can be made");
    snprintf(file->path, sizeof file->path, "/dev/fd/%d", file->fd);
    file->is_open = true;
}

void unnamed_fill(struct unnamed *file, struct slice content)
{
    if (!file->is_open) {
        open_unnamed(file);
    }
    check(ftruncate(file->fd, 0) == 0 && lseek(file->fd, 0, SEEK_SET) == 0 &&
              pwrite(file->fd, content.at, content.len, 0) == (ssize_t)content.len,
          "a file can be filled");
}

struct buf unnamed_content(const struct unnamed *file)
{
    struct stat status;
    struct buf content = {0};
    check(fstat(file->fd, &status) == 0, "a file has a size");
    content.len = (size_t)status.st_size;
    content.at = mem_alloc(content.len + 1);
    content.capacity = content.len + 1;
    check(pread(file->fd, content.at, content.len, 0) == status.st_size, "a file can be read");
    return content;
}

void command_add(struct command *command, bool given, const char *argument)
{
    if (given) {
        check((size_t)command->argc + 1 < sizeof command->argv / sizeof command->argv[0],
              "a command line has room");
        command->argv[command->argc++] = argument;
    }
}

int command_parse(const struct command *command, struct options *options)
{
    optind = 0; /* getopt_long starts anew */
    return options_parse(options, command->argc, (char **)(void *)command->argv);
}

struct buf run(const struct options *options, struct chunks *chunks, int *status)
{
    static struct unnamed output;
    bool is_first = !output.is_open;
    unnamed_fill(&output, slice_of(""));
    check(!is_first || dup2(output.fd, STDOUT_FILENO) >= 0, "standard output can be replaced");
    *status = pipeline(chunks, options);
    return unnamed_content(&output);
}

struct slice cut(struct slice *rest, char end)
{
    const char *at = rest->len > 0 ? memchr(rest->at, end, rest->len) : NULL;
    struct slice piece = {rest->at, at != NULL ? (size_t)(at - rest->at) : rest->len};
    *rest = slice_from(*rest, piece.len + (at != NULL));
    return piece;
}

bool holds(struct slice text, const char *what)
{
    return memmem(text.at, text.len, what, strlen(what)) != NULL;
}

size_t occurrences(struct slice text, const char *what)
{
    size_t n = 0;
    const char *end = text.at + text.len;
    for (const char *at = text.at;
         (at = memmem(at, (size_t)(end - at), what, strlen(what))) != NULL; at++) {
        n++;
    }
    return n;
}

bool is_repaired(struct slice input)
{
    return holds(input, "NaN") || holds(input, "Infinity") || holds(input, "\xef\xbb\xbf");
}
