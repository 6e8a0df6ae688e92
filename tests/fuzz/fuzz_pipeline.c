/*
 * fuzz_pipeline.c: the whole pipeline under libFuzzer.
 *
 * The first five bytes of an input choose options, the rest is what is read.
 * Beyond not crashing, this holds: the same input gives the same output twice;
 * every line of NDJSON output is a line of the input, unless NaN or a byte-order
 * mark was in it; a prompt is within its budget, and in xml closes as many
 * documents as it opens; after an input error nothing was written.
 */
#include <stdio.h>
#include <string.h>

#include "common.h"

/* What the pipeline reads. */
static struct unnamed input_file;

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
    static struct command command; /* the options point into it */
    command =
        (struct command){{"edgefold", "--header=Id=id,Title=metadata.title", "--margin=0"}, 3};
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
        {true, input_file.path},
    };
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        command_add(&command, given[i].given, given[i].option);
    }
    return command_parse(&command, options);
}

static struct buf run_alone(const struct options *options, int *status)
{
    struct chunks chunks = {0};
    struct buf out = run(options, &chunks, status);
    chunks_free(&chunks);
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
    struct buf out = run_alone(options, &status);
    struct buf twice = run_alone(options, &again);
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
    struct slice input = {(const char *)data + 5, size - 5};
    unnamed_fill(&input_file, input);
    struct counter counter;
    struct options options;
    int status = choose(&options, data);
    counter_open(&counter, methods[data[3] >> 2 & 3]);
    options.budget.counter = &counter;
    if (status == STATUS_OK) {
        check_run(&options, input);
    }
    counter_close(&counter);
    options_free(&options);
    return 0;
}
