/*
 * fuzz_templates.c: prompts by templates and formats from hostile chunks.
 *
 * Three bytes choose options.  Then come, each ended by a NUL, the template, the
 * chunk's template (none where they are empty), and for each chunk its id, its title
 * and its text, all of them as they are: the lines of JSON are made here.
 *
 * Beyond not crashing, this holds: the same input gives the same output twice; a
 * prompt is within its budget; and where the templates are those of this file or
 * there are none, what the prompt is made of is there as often as chunks are kept,
 * whatever they hold.  (A template that somebody has made up may well leave a marker
 * half written, for a text to go on with.)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common.h"

enum { CHUNKS = 8 };

static const char own_template[] =
    "<docs>\n{{context}}\n</docs>\n\n{{instructions}}\n<ask>{{question}}</ask>\n";
static const char own_chunk_template[] =
    "<doc n=\"{{n}}\" id='{{id}}' "
    "title=\"{{m.title}}\">\n{{header}}{{preamble}}\n{{text}}\n</doc>\n";

static struct unnamed input_file;
static struct unnamed template_file;
static struct unnamed chunk_template_file;

/* Which templates there are, and whether they are those of this file. */
struct design {
    bool template;
    bool chunk_template;
    bool is_own;
};

/* Where something that a prompt is made of can stand. */
enum place { ANYWHERE, LINE_START };

/* How often it does, for each chunk and beside them. */
struct expectation {
    enum place place;
    const char *marker; /* its case does not matter; "0" is one digit or more, "$" the end */
    size_t each;
    size_t once;
};

static void add_member(struct buf *line, const char *name, struct slice value)
{
    buf_add_string(line, name);
    value_add_quoted(line, value);
}

/* A line that is JSON but for what in the pieces is not UTF-8. */
static void add_chunk(struct buf *lines, struct slice *pieces, size_t number)
{
    add_member(lines, "{\"id\":", cut(pieces, '\0'));
    add_member(lines, ",\"m\":{\"title\":", cut(pieces, '\0'));
    add_member(lines, "},\"text\":", cut(pieces, '\0'));
    buf_add_format(lines, ",\"score\":%zu}\n", number * 7 % 11);
}

static void fill_files(struct slice rest, struct design *design)
{
    struct slice template = cut(&rest, '\0');
    struct slice chunk_template = cut(&rest, '\0');
    struct buf lines = {0};
    for (size_t i = 0; i < CHUNKS && rest.len > 0; i++) {
        add_chunk(&lines, &rest, i);
    }
    if (design->is_own) {
        template = slice_of(design->template ? own_template : "");
        chunk_template = slice_of(design->chunk_template ? own_chunk_template : "");
    }
    design->template = template.len > 0;
    design->chunk_template = chunk_template.len > 0;
    unnamed_fill(&template_file, template);
    unnamed_fill(&chunk_template_file, chunk_template);
    unnamed_fill(&input_file, buf_slice(&lines));
    buf_free(&lines);
}

static int choose(struct options *options, const uint8_t choice[3], const struct design *design)
{
    static const char *const formats[] = {"-fxml",  "-fnumbered", "-fmarkdown",
                                          "-fpipe", "-fplain",    "-fxml"};
    static const char *const counts[] = {"--count=estimate", "--count=words", "--count=chars/3",
                                         "--count=bytes"};
    static char template[48];
    static char chunk_template[64];
    static char budget[16];
    static struct command command; /* the options point into it */
    size_t format = choice[0] % 6;
    bool more = (choice[1] & 1) != 0;
    snprintf(template, sizeof template, "--template=%s", template_file.path);
    snprintf(chunk_template, sizeof chunk_template, "--chunk-template=%s",
             chunk_template_file.path);
    snprintf(budget, sizeof budget, "-b%d", 1 + choice[2] * 4);
    command = (struct command){{"edgefold", "--no-dedup", "-iid", "-ttext", "--margin=0"}, 5};
    command_add(&command, true, formats[format]);
    command_add(&command, true, counts[choice[1] >> 6]);
    command_add(&command, !design->template || design->is_own || (choice[1] & 32) != 0, "-qwhy?");
    command_add(&command, more, "--header=Source=id,Title=m.title");
    command_add(&command, choice[1] & 2, "--preamble=m.title");
    command_add(&command, (choice[1] & 4) != 0 && format == 5, "--escape=all");
    command_add(&command, choice[1] & 8, "--fit=truncate");
    command_add(&command, choice[1] & 16, budget);
    command_add(&command, (choice[0] & 128) != 0 && design->chunk_template, "--strict-template");
    command_add(&command, design->template, template);
    command_add(&command, design->chunk_template, chunk_template);
    command_add(&command, true, input_file.path);
    return command_parse(&command, options);
}

static size_t digits(struct slice text)
{
    size_t n = 0;
    while (n < text.len && text.at[n] >= '0' && text.at[n] <= '9') {
        n++;
    }
    return n;
}

/* Whether the marker stands at the start of the text. */
static bool begins_with(struct slice text, const char *marker)
{
    for (; *marker != '\0'; marker++) {
        if (*marker == '$') {
            return text.len == 0;
        }
        bool same = text.len > 0 && strncasecmp(text.at, marker, 1) == 0;
        size_t length = *marker == '0' ? digits(text) : same ? 1 : 0;
        if (length == 0) {
            return false;
        }
        text = slice_from(text, length);
    }
    return true;
}

static size_t count_anywhere(struct slice text, const char *marker)
{
    size_t n = 0;
    for (; text.len > 0; text = slice_from(text, 1)) {
        n += begins_with(text, marker);
    }
    return n;
}

/* How many backticks the line is; 0 where they are too few, or not all of it.  For 0, three do. */
static size_t fence_of(struct slice line, size_t least)
{
    size_t n = 0;
    while (n < line.len && line.at[n] == '`') {
        n++;
    }
    return n == line.len && n >= (least > 0 ? least : 3) ? n : 0;
}

/* In Markdown, what stands in a fence is no start of a line of the prompt's. */
static size_t count_lines(struct slice text, const char *marker, bool fences)
{
    size_t n = 0;
    size_t fence = 0;
    while (text.len > 0) {
        struct slice line = cut(&text, '\n');
        size_t length = fences ? fence_of(line, fence) : 0;
        fence = fence > 0 ? (length > 0 ? 0 : fence) : length;
        if (fence == 0 && length == 0) {
            n += begins_with(slice_trim(line), marker);
        }
    }
    return n;
}

static void check_markers(struct slice out, const struct expectation *expected, size_t placed,
                          bool fences)
{
    for (; expected->marker != NULL; expected++) {
        size_t n = expected->place == ANYWHERE ? count_anywhere(out, expected->marker)
                                               : count_lines(out, expected->marker, fences);
        check(n == expected->each * placed + expected->once,
              "a prompt's own marker stands where the prompt has put it alone");
    }
}

/* What the format itself puts there: blocks of its own, and parts of its own. */
static void check_format(struct slice out, size_t format, const struct design *design,
                         size_t placed)
{
    size_t block = design->chunk_template ? 0 : 1;
    size_t context = block;
    size_t part = design->template ? 0 : 1;
    enum place bar = block > 0 ? ANYWHERE : LINE_START; /* a template's blocks have none */
    const struct expectation by_format[][6] = {
        {{ANYWHERE, "<document index=\"0\"", block, 0},
         {ANYWHERE, "</document>", block, 0},
         {ANYWHERE, "</context>", 0, context},
         {ANYWHERE, "<question>", 0, part},
         {ANYWHERE, "</question>", 0, part}},
        {{LINE_START, "[0]", block, 0},
         {LINE_START, "question:", 0, part},
         {LINE_START, "instructions:", 0, part}},
        {{LINE_START, "## [0]", block, 0},
         {LINE_START, "## question", 0, part},
         {LINE_START, "## instructions", 0, part}},
        {{LINE_START, "id: 0", block, 0},
         {bar, "| content:", block, 0},
         {LINE_START, "question:", 0, part},
         {LINE_START, "instructions:", 0, part}},
        {{LINE_START, "***$", block, context},
         {LINE_START, "question:", 0, part},
         {LINE_START, "instructions:", 0, part}},
    };
    check_markers(out, by_format[format % 5], placed, format == 2);
}

static void check_templates(struct slice out, const struct design *design, size_t placed)
{
    size_t block = design->chunk_template ? 1 : 0;
    size_t whole = design->template ? 1 : 0;
    const struct expectation tags[] = {
        {ANYWHERE, "<doc n=", block, 0}, {ANYWHERE, "</doc>", block, 0},
        {ANYWHERE, "<docs>", 0, whole},  {ANYWHERE, "</docs>", 0, whole},
        {ANYWHERE, "<ask>", 0, whole},   {ANYWHERE, "</ask>", 0, whole},
        {ANYWHERE, NULL, 0, 0},
    };
    const struct expectation blocks[] = {
        {ANYWHERE, "<doc n=", block, 0}, {ANYWHERE, "</doc>", block, 0}, {ANYWHERE, NULL, 0, 0}};
    /* The tags of a template that is not there are nobody's. */
    if (design->template && design->chunk_template) {
        check_markers(out, tags, placed, false);
    } else if (design->chunk_template) {
        check_markers(out, blocks, placed, false);
    } else if (design->template) {
        check_markers(out, tags + 2, placed, false);
    }
}

static void check_run(struct options *options, size_t format, const struct design *design)
{
    int status;
    int again;
    struct chunks chunks = {0};
    struct chunks anew = {0};
    struct buf out = run(options, &chunks, &status);
    struct buf twice = run(options, &anew, &again);
    check(status == again && slice_equal(buf_slice(&out), buf_slice(&twice)),
          "the same input gives the same output");
    if (options->budget.budget > 0) {
        size_t cost = counter_cost(options->budget.counter, buf_slice(&out));
        check(counter_tokens(options->budget.counter, cost) <= options->budget.budget,
              "a prompt is within its budget");
    }
    if (design->is_own && out.len > 0) {
        check_format(buf_slice(&out), format, design, chunks.placed_count);
        check_templates(buf_slice(&out), design, chunks.placed_count);
    }
    buf_free(&out);
    buf_free(&twice);
    chunks_free(&chunks);
    chunks_free(&anew);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3) {
        return 0;
    }
    size_t kind = data[0] / 6 % 5;
    struct design design = {kind & 1, kind & 2, kind < 4};
    struct counter counter;
    struct options options;
    fill_files((struct slice){(const char *)data + 3, size - 3}, &design);
    int status = choose(&options, data, &design);
    counter_open(&counter, options.budget.count);
    options.budget.counter = &counter;
    if (status == STATUS_OK) {
        check_run(&options, data[0] % 6, &design);
    }
    counter_close(&counter);
    options_free(&options);
    return 0;
}
