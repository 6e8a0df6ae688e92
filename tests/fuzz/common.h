/*
 * common.h: what the fuzz targets share.
 *
 * Files are without a name, so that a crash leaves none behind and no target can
 * write to any other; the program is told of them as /dev/fd/N.
 */
#ifndef EDGEFOLD_FUZZ_COMMON_H
#define EDGEFOLD_FUZZ_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/cli.h"
#include "pipeline.h"

/* libFuzzer's entry, which each target defines. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* All zero to begin with; then kept open for all inputs. */
struct unnamed {
    bool is_open;
    int fd;
    char path[32];
};

/* Makes that the file's content, with its offset at the start; opens it at first. */
void unnamed_fill(struct unnamed *file, struct slice content);

/* What the file holds; to be freed. */
struct buf unnamed_content(const struct unnamed *file);

/* Aborts where a property does not hold. */
void check(bool holds, const char *property);

/* A command line that is put together from what is given; options that it makes point into it. */
struct command {
    const char *argv[64]; /* ends in NULL */
    int argc;
};
void command_add(struct command *command, bool given, const char *argument);

/* The options of a command line, as main() has them; not yet their counter. */
int command_parse(const struct command *command, struct options *options);

/* What a run writes to standard output, to be freed; chunks as they are afterwards. */
struct buf run(const struct options *options, struct chunks *chunks, int *status);

/* Cuts off what stands before the next such byte, or all that is left. */
struct slice cut(struct slice *rest, char end);

bool holds(struct slice text, const char *what);
size_t occurrences(struct slice text, const char *what);

/* Whether lines may leave in another form than they came in, or cannot be read by others. */
bool is_repaired(struct slice input);

#endif
