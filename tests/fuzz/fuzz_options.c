/*
 * fuzz_options.c: command lines.
 *
 * An input is the arguments, each ended by a line feed or NUL.  Beyond not crashing,
 * this holds: they are taken or refused, and the same way twice, with the same
 * options shown; and what is taken can be run, on three chunks in the place of all
 * files that are named.
 *
 * Parsing writes nothing, but reads the files of a prompt.  So no argument has a slash
 * where one of those options may be among them, and what is run has no files to write.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"

static const char chunks_read[] =
    "{\"id\":\"a\",\"text\":\"one and two\",\"score\":0.9,\"metadata\":{\"title\":\"A\"},\"n\":3}\n"
    "{\"id\":\"b\",\"text\":\"two and "
    "three\",\"score\":0.5,\"metadata\":{\"title\":\"B\"},\"n\":4}\n"
    "{\"id\":7,\"text\":\"four\",\"score\":\"0.7\",\"distance\":1}\n";

/* What - reads: a question, instructions or a template. */
static const char standard_input[] = "{{context}}\n{{instructions}}\n{{question}}\n";

enum { FILES = 4 };

static struct unnamed input_file;
static struct unnamed stdin_file;
static const char *files[FILES];

/* No vocabulary is found but by its file's name. */
static void prepare(void)
{
    static const char *const variables[] = {"EDGEFOLD_VOCAB",     "XDG_DATA_HOME", "HOME",
                                            "TIKTOKEN_CACHE_DIR", "HF_HUB_CACHE",  "HF_HOME"};
    if (!input_file.is_open) {
        for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
            unsetenv(variables[i]);
        }
        unnamed_fill(&input_file, slice_of(chunks_read));
        for (size_t i = 0; i < FILES; i++) {
            files[i] = input_file.path;
        }
        unnamed_fill(&stdin_file, slice_of(standard_input));
        check(dup2(stdin_file.fd, STDIN_FILENO) >= 0, "standard input can be replaced");
    }
}

/* The bytes as strings, one after the other; to be freed. */
static struct buf make_strings(const uint8_t *data, size_t size)
{
    struct buf strings = {0};
    struct slice input = {(const char *)data, size};
    bool reads = holds(input, "template") || holds(input, "file") || holds(input, "@");
    buf_add(&strings, data, size);
    buf_add_byte(&strings, '\0');
    for (size_t i = 0; i < strings.len; i++) {
        char c = strings.at[i];
        strings.at[i] = (char)(c == '\n' ? '\0' : c == '/' && reads ? '.' : c);
    }
    return strings;
}

/* getopt_long puts them in another order, so each time from the strings. */
static int parse(struct options *options, struct command *command, const struct buf *strings)
{
    struct slice rest = buf_slice(strings);
    *command = (struct command){{"edgefold"}, 1};
    while (rest.len > 0) {
        struct slice argument = cut(&rest, '\0');
        command_add(command, command->argc < 60, argument.at);
    }
    check(lseek(STDIN_FILENO, 0, SEEK_SET) == 0, "standard input is at its start");
    return command_parse(command, options);
}

/* Whether the method is one of those without a vocabulary, or names no file. */
static bool counts_without_file(const char *method)
{
    static const char *const names[] = {"estimate", "words", "chars", "bytes"};
    size_t length = strcspn(method, "/");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (length == strlen(names[i]) && strncmp(method, names[i], length) == 0) {
            return true;
        }
    }
    return method[length] == '\0' && access(method, F_OK) != 0;
}

static bool can_run(const struct options *options)
{
    return options->action == ACTION_RUN && options->rank.rescore == NULL &&
           options->read.file_count <= FILES && counts_without_file(options->budget.count);
}

/* The options as the report has them; to be freed. */
static char *shown(const struct options *options)
{
    json_t *settings = options_show(options);
    char *text = json_dumps(settings, 0);
    json_decref(settings);
    check(text != NULL, "the options can be shown");
    return text;
}

static void check_run(struct options *options, struct options *again)
{
    struct chunks chunks = {0};
    int status;
    options->read.files = files;
    options->output.report = again->output.report = NULL;
    options->output.dropped = again->output.dropped = NULL;
    char *first = shown(options);
    char *second = shown(again);
    check(strcmp(first, second) == 0, "the same command line gives the same options");
    struct buf out = run(options, &chunks, &status);
    check(status < STATUS_USAGE || out.len == 0, "an error writes nothing");
    buf_free(&out);
    chunks_free(&chunks);
    free(first);
    free(second);
}

static void count_and_run(struct options *options, struct options *again)
{
    struct counter counter;
    int status = counter_open(&counter, options->budget.count);
    options->budget.counter = again->budget.counter = &counter;
    check(status == STATUS_OK || status == STATUS_USAGE, "a method is taken or refused");
    if (status == STATUS_OK) {
        check_run(options, again);
    }
    counter_close(&counter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct command first;
    static struct command second;
    struct options options;
    struct options again;
    prepare();
    struct buf strings = make_strings(data, size);
    int status = parse(&options, &first, &strings);
    check(status == parse(&again, &second, &strings), "the same command line ends the same way");
    check(status == STATUS_OK || status == STATUS_USAGE || status == STATUS_SYSTEM,
          "a command line is taken or refused");
    if (status == STATUS_OK && can_run(&options)) {
        count_and_run(&options, &again);
    }
    options_free(&options);
    options_free(&again);
    buf_free(&strings);
    return 0;
}
