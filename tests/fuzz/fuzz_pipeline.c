/*
 * fuzz_pipeline.c: the whole pipeline under libFuzzer.
 *
 * The first five bytes of an input choose options, the rest is what is read.
 * Beyond not crashing, this holds: the same input gives the same output twice;
 * every line of NDJSON output is a line of the input, unless NaN or a byte-order
 * mark was in it; a prompt is within its budget, and in xml closes as many
 * documents as it opens; after an input error nothing was written.
 */
#include <fcntl.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Files without a name: what the pipeline reads, and its standard output. */
static int input_fd = -1;
static int output_fd = -1;
static char input_path[32];

static int open_unnamed(void)
{
    char name[] = "/tmp/edgefold-fuzz-XXXXXX";
    int fd = mkstemp(name);
    if (fd < 0 || unlink(name) != 0) {
        perror("fuzz_pipeline");
        abort();
    }
    return fd;
}

static void check(bool holds, const char *property)
{
    if (!holds) {
        fprintf(stderr, "property violated: %s\n", property);
        abort();
    }
}

static void prepare(void)
{
    if (input_fd >= 0) {
        return;
    }
    input_fd = open_unnamed();
    output_fd = open_unnamed();
    snprintf(input_path, sizeof input_path, "/dev/fd/%d", input_fd);
    check(dup2(output_fd, STDOUT_FILENO) >= 0, "standard output can be replaced");
}

/* Fills the options as the command line that five bytes stand for would. */
static int choose(struct options *options, const uint8_t choice[5])
{
    static const char *const thresholds[] = {"-d.85", "-d.5", "-d.01", "-d1"};
    static const char *const layouts[] = {"-lfold",    "-lfold-last", "-ledges:2",   "-lrank",
                                          "-lreverse", "-linput",     "-llangchain", "-ledges:1"};
    static const char *const formats[] = {"-fndjson",   "-fxml",  "-fnumbered",
                                          "-fmarkdown", "-fpipe", "-fplain"};
    bool prompt = choice[4] % 6 != 0;
    bool xml = choice[4] % 6 == 1;
    bool asks = (choice[2] & 8) != 0;
    static const char *argv[32] = {"edgefold", "--header=Id=id,Title=metadata.title", "--margin=0"};
    int argc = 3;
    static char budget[16];
    static char top[16];
    static char shingle[] = "--shingle=1";
    snprintf(budget, sizeof budget, "-b%d", choice[3] * 8);
    snprintf(top, sizeof top, "-n%d", 1 + choice[2] / 16);
    shingle[sizeof shingle - 2] = (char)('1' + (choice[0] >> 6));
    const struct {
        bool given;
        const char *option;
    } given[] = {
        {true, thresholds[choice[0] >> 4 & 3]},
        {true, layouts[choice[1] % 8]},
        {true, formats[choice[4] % 6]},
        {true, shingle},
        {choice[0] & 1, "--skip-invalid"},
        {choice[0] & 2, "--no-dedup"},
        {choice[0] & 4, "--keep-numbers"},
        {choice[0] & 8, "--similarity=containment"},
        {choice[2] & 1, top},
        {choice[2] & 2, "--fit=skip"},
        {(choice[2] & 4) != 0 && prompt, "--fit=truncate"},
        {choice[2] & 16, "--fuse=rrf"},
        {choice[2] & 32, "--preamble=title"},
        {asks, "-qwhy?"},
        {choice[1] & 64, "--instructions=Be brief."},
        {choice[1] & 128, "--bookend"},
        {(choice[4] & 64) != 0 && xml, "--escape=all"},
        {(choice[4] & 128) != 0 && xml, "--tag-suffix"},
        {choice[3] & 1, budget},
        {choice[3] & 2, "--stats"},
        {true, input_path},
    };
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        if (given[i].given) {
            argv[argc++] = given[i].option;
        }
    }
    optind = 0; /* getopt_long starts anew */
    return options_parse(options, argc, (char **)(void *)argv);
}

/* What one run wrote; to be freed. */
static struct buf run(const struct options *options, int *status)
{
    struct chunks chunks = {0};
    check(ftruncate(output_fd, 0) == 0 && lseek(output_fd, 0, SEEK_SET) == 0, "output is empty");
    check(lseek(input_fd, 0, SEEK_SET) == 0, "input is at its start");
    *status = pipeline(&chunks, options);
    chunks_free(&chunks);
    struct stat file;
    check(fstat(output_fd, &file) == 0, "output has a size");
    struct buf out = {0};
    size_t length = (size_t)file.st_size;
    check(pread(output_fd, buf_room(&out, length + 1), length, 0) == (ssize_t)length,
          "output can be read");
    out.len = length;
    return out;
}

static bool is_line_of(struct slice input, struct slice line)
{
    const char *at = input.at;
    const char *end = at + input.len;
    while (at < end) {
        const char *found = memmem(at, (size_t)(end - at), line.at, line.len);
        if (found == NULL) {
            return false;
        }
        const char *after = found + line.len;
        if (after == end || *after == '\n' || *after == '\r') {
            return true;
        }
        at = found + 1;
    }
    return false;
}

static bool holds(struct slice text, const char *what)
{
    return memmem(text.at, text.len, what, strlen(what)) != NULL;
}

static bool is_repaired(struct slice input)
{
    return holds(input, "NaN") || holds(input, "Infinity") || holds(input, "\xef\xbb\xbf");
}

static size_t occurrences(struct slice text, const char *what)
{
    size_t n = 0;
    const char *end = text.at + text.len;
    for (const char *at = text.at;
         (at = memmem(at, (size_t)(end - at), what, strlen(what))) != NULL; at++) {
        n++;
    }
    return n;
}

static void check_lines(struct slice input, struct slice output)
{
    while (output.len > 0) {
        const char *feed = memchr(output.at, '\n', output.len);
        check(feed != NULL, "every line ends");
        struct slice line = {output.at, (size_t)(feed - output.at)};
        check(is_repaired(input) || is_line_of(input, line), "an output line is an input line");
        output.at += line.len + 1;
        output.len -= line.len + 1;
    }
}

static void check_run(struct options *options, struct slice input)
{
    int status;
    int again;
    struct buf out = run(options, &status);
    struct buf twice = run(options, &again);
    check(status == again && slice_equal(buf_slice(&out), buf_slice(&twice)),
          "the same input gives the same output");
    check(status < STATUS_USAGE || out.len == 0, "an error writes nothing");
    if (options->prompt.format == FORMAT_NDJSON) {
        check_lines(input, buf_slice(&out));
    } else if (options->budget.budget > 0) {
        size_t cost = counter_cost(options->budget.counter, buf_slice(&out));
        check(counter_tokens(options->budget.counter, cost) <= options->budget.budget,
              "a prompt is within its budget");
    }
    if (options->prompt.format == FORMAT_XML && !options->prompt.tag_suffix) {
        check(occurrences(buf_slice(&out), "</document>") ==
                  occurrences(buf_slice(&out), "<document index="),
              "documents close as often as they open");
    }
    buf_free(&out);
    buf_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const methods[] = {"estimate", "words", "chars", "bytes/3.5"};
    if (size < 5) {
        return 0;
    }
    prepare();
    check(ftruncate(input_fd, 0) == 0 &&
              pwrite(input_fd, data + 5, size - 5, 0) == (ssize_t)(size - 5),
          "input can be written");
    struct counter counter;
    struct options options;
    int status = choose(&options, data);
    counter_open(&counter, methods[data[3] >> 2 & 3]);
    options.budget.counter = &counter;
    if (status == STATUS_OK) {
        check_run(&options, (struct slice){(const char *)data + 5, size - 5});
    }
    counter_close(&counter);
    options_free(&options);
    return 0;
}
