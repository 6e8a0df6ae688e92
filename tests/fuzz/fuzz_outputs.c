/*
 * fuzz_outputs.c: what is written beside the prompt, and what ranking is made of.
 *
 * Four bytes choose options.  Then come, each but the last ended by a NUL, a list of
 * chunks, another one for --fuse, and a reranker's answer.
 *
 * Beyond not crashing, this holds: the report is JSON and tells of every chunk, and so
 * does the page, which has no element of a text's; the
 * dropped lines are as many as the chunks that are not kept; each annotated line is
 * JSON with the member that it was given; a sweep has a line for each position.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

static struct unnamed list_files[2];
static struct unnamed answer_file;
static struct unnamed report_file;
static struct unnamed dropped_file;
static struct unnamed page_file;

/* What the bytes have chosen. */
struct choice_of_outputs {
    bool sweeps;
    bool annotates;
    bool reports;
    bool drops;
    bool fuses;
    bool rescores;
    bool pages;
};

static struct choice_of_outputs chosen(const uint8_t choice[4])
{
    bool sweeps = (choice[0] & 1) != 0;
    return (struct choice_of_outputs){.sweeps = sweeps,
                                      .annotates = (choice[0] & 2) != 0 && !sweeps,
                                      .reports = (choice[0] & 4) != 0,
                                      .drops = (choice[0] & 8) != 0,
                                      .fuses = (choice[0] & 16) != 0,
                                      .rescores = (choice[0] & 32) != 0,
                                      .pages = (choice[0] & 64) != 0};
}

static void add_path(struct command *command, bool given, char argument[64], const char *option,
                     const struct unnamed *file)
{
    snprintf(argument, 64, "--%s=%s", option, file->path);
    command_add(command, given, argument);
}

static void add_outputs(struct command *command, const struct choice_of_outputs *what)
{
    static char report[64];
    static char dropped[64];
    static char answer[64];
    add_path(command, what->reports, report, "report", &report_file);
    add_path(command, what->drops, dropped, "dropped", &dropped_file);
    add_path(command, what->rescores, answer, "rescore", &answer_file);
    command_add(command, what->sweeps, "--sweep=a");
    command_add(command, what->sweeps, "-qwhy?");
    command_add(command, what->annotates, "--annotate");
    command_add(command, what->fuses, "--fuse=rrf");
}

static int choose(struct options *options, const uint8_t choice[4],
                  const struct choice_of_outputs *what)
{
    static const char *const layouts[] = {"-lfold", "-lrank", "-ledges:1", "-linput"};
    static const char *const formats[] = {"-fxml", "-fnumbered", "-fmarkdown", "-fpipe"};
    static char budget[16];
    static struct command command; /* the options point into it */
    snprintf(budget, sizeof budget, "-b%d", 1 + choice[2]);
    command = (struct command){{"edgefold", "--margin=0", "--count=words"}, 3};
    add_outputs(&command, what);
    command_add(&command, true, layouts[choice[1] & 3]);
    command_add(&command, what->sweeps, formats[choice[1] >> 2 & 3]);
    command_add(&command, choice[1] & 16, budget);
    command_add(&command, (choice[1] & 32) != 0 && what->sweeps, "--fit=truncate");
    command_add(&command, choice[1] & 64, "--skip-invalid");
    command_add(&command, choice[1] & 128, "--min-score=0.4");
    command_add(&command, choice[3] & 1, "--no-dedup");
    command_add(&command, choice[3] & 2, "--explain");
    command_add(&command, choice[3] & 4, "--stats");
    command_add(&command, choice[3] & 8, "--require=b");
    command_add(&command, choice[3] & 16, "--require-edge=a");
    command_add(&command, (choice[3] & 32) != 0 && what->rescores, "--rescore-rest=keep");
    command_add(&command, (choice[3] & 64) != 0 && what->fuses, "--as-they-come");
    command_add(&command, (choice[3] & 128) != 0 && what->fuses, "--weights=2,0.5");
    command_add(&command, choice[0] & 64, "--lower-is-better");
    command_add(&command, choice[0] & 128, "--top=2");
    command_add(&command, true, list_files[0].path);
    command_add(&command, what->fuses, list_files[1].path);
    return command_parse(&command, options);
}

static size_t lines_of(struct slice text)
{
    check(text.len == 0 || text.at[text.len - 1] == '\n', "the last line ends");
    return occurrences(text, "\n");
}

static size_t number_at(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    check(json_is_integer(value), "a number is one");
    return (size_t)json_integer_value(value);
}

/* What a report says of a run that came to its end. */
static void check_totals(json_t *document, const struct chunks *chunks)
{
    json_t *totals = json_object_get(document, "totals");
    const char *fate;
    json_t *count;
    size_t sum = number_at(totals, "kept");
    json_object_foreach(json_object_get(totals, "dropped"), fate, count)
    {
        sum += (size_t)json_integer_value(count);
    }
    check(number_at(totals, "read") == chunks->count && sum == chunks->count,
          "every chunk has a fate");
    check(number_at(totals, "kept") == chunks->placed_count, "what is kept is placed");
    check(json_array_size(json_object_get(document, "chunks")) == chunks->count,
          "the report tells of every chunk");
}

static void check_report(const struct chunks *chunks, int status)
{
    struct buf text = unnamed_content(&report_file);
    json_error_t error;
    json_t *document = json_loadb(text.at, text.len, JSON_ALLOW_NUL, &error);
    check(document != NULL || status == STATUS_SYSTEM || status == STATUS_USAGE,
          "the report is JSON");
    if (status < STATUS_USAGE) {
        check_totals(document, chunks);
    } else if (document != NULL) {
        check(json_object_get(document, "error") != NULL, "an error is in the report");
    }
    json_decref(document);
    buf_free(&text);
}

/* As many elements as the page has of its own, whatever the texts are. */
static void check_page(struct chunks *chunks, const struct options *options)
{
    struct output_options output = options->output;
    unnamed_fill(&page_file, slice_of(""));
    output.report = page_file.path;
    report_page(chunks, &output, &options->budget, &options->prompt, options_show(options),
                STATUS_OK);
    struct buf page = unnamed_content(&page_file);
    struct slice text = buf_slice(&page);
    check(occurrences(text, "<script") == 1 && occurrences(text, "</script") == 1, "one script");
    check(occurrences(text, "<details class=\"chunk\">") == chunks->count,
          "the page tells of every chunk");
    check(occurrences(text, "<details") == occurrences(text, "</details>"), "what opens closes");
    check(occurrences(text, "<mark>") == occurrences(text, "</mark>"), "so do marks");
    check(occurrences(text, "<!") == 1 && occurrences(text, "<?") == 0, "it has no other markup");
    check(memchr(text.at, '\0', text.len) == NULL && utf8_is_valid(text), "it is text");
    buf_free(&page);
}

static void check_dropped(const struct chunks *chunks)
{
    struct buf lines = unnamed_content(&dropped_file);
    check(lines_of(buf_slice(&lines)) == chunks->count - chunks_with_fate(chunks, FATE_KEPT),
          "what is not kept is in the other file");
    buf_free(&lines);
}

/* One object a line that has the member; what they are otherwise was not made here. */
static void check_lines(struct slice out, const char *member)
{
    while (out.len > 0) {
        struct slice line = cut(&out, '\n');
        json_error_t error;
        json_t *object = json_loadb(line.at, line.len, JSON_ALLOW_NUL, &error);
        check(object != NULL, "a line is JSON");
        check(json_object_get(object, member) != NULL, "a line has the member");
        json_decref(object);
    }
}

/* Whether others can read the lines as they came. */
static bool is_plain(struct slice input)
{
    bool plain = !is_repaired(input);
    while (plain && input.len > 0) {
        struct slice line = slice_trim(cut(&input, '\n'));
        json_error_t error;
        json_t *object = json_loadb(line.at, line.len, JSON_ALLOW_NUL, &error);
        plain = line.len == 0 || object != NULL;
        json_decref(object);
    }
    return plain;
}

static void check_output(struct slice out, const struct choice_of_outputs *what, bool plain,
                         const struct chunks *chunks)
{
    if (what->sweeps) {
        check(out.len == 0 || lines_of(out) == chunks->placed_count,
              "a sweep has a line for each position");
        check_lines(out, "prompt");
    } else {
        check(lines_of(out) == chunks->placed_count, "a line for each chunk that is kept");
    }
    if (what->annotates && plain) {
        check_lines(out, "edgefold");
    }
}

static void check_run(struct options *options, const struct choice_of_outputs *what, bool plain)
{
    int status;
    struct chunks chunks = {0};
    struct diag_log log;
    unnamed_fill(&report_file, slice_of(""));
    unnamed_fill(&dropped_file, slice_of(""));
    diag_open(&log);
    struct buf out = run(options, &chunks, &status);
    if (what->reports) {
        check_report(&chunks, status);
    }
    if (status < STATUS_USAGE) {
        check_output(buf_slice(&out), what, plain, &chunks);
    } else {
        check(out.len == 0, "an error writes nothing");
    }
    if (status < STATUS_USAGE && what->drops) {
        check_dropped(&chunks);
    }
    if (status < STATUS_USAGE && what->pages) {
        check_page(&chunks, options);
    }
    diag_close(&log);
    buf_free(&out);
    chunks_free(&chunks);
}

static bool fill_files(struct slice input)
{
    struct slice first = cut(&input, '\0');
    struct slice second = cut(&input, '\0');
    unnamed_fill(&list_files[0], first);
    unnamed_fill(&list_files[1], second);
    unnamed_fill(&answer_file, input);
    unnamed_fill(&report_file, slice_of(""));
    unnamed_fill(&dropped_file, slice_of(""));
    return is_plain(first) && is_plain(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4) {
        return 0;
    }
    struct choice_of_outputs what = chosen(data);
    struct counter counter;
    struct options options;
    bool plain = fill_files((struct slice){(const char *)data + 4, size - 4});
    int status = choose(&options, data, &what);
    counter_open(&counter, options.budget.count);
    options.budget.counter = &counter;
    check(status == STATUS_OK, "the options go together");
    check_run(&options, &what, plain);
    counter_close(&counter);
    options_free(&options);
    return 0;
}
