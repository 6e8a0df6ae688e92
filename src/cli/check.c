/* check.c: see check.h. */
#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the ranking comes from, and that it can only be one of them. */
static int check_scoring(const struct options *options)
{
    if (options->rank.as_they_come && !options->rank.fuse) {
        return diag_usage("--as-they-come is for the lists of --fuse");
    }
    if (options->rank.rescore_rest != REST_DROP && options->rank.rescore == NULL) {
        return diag_usage("--rescore-rest is for --rescore");
    }
    if (options->rank.weight_count > 0 && !options->rank.fuse) {
        return diag_usage("--weights are those of --fuse");
    }
    if (options->rank.weight_count > 0 && options->rank.weight_count != options->read.file_count) {
        return diag_usage("--weights has %zu numbers for %zu files", options->rank.weight_count,
                          options->read.file_count);
    }
    return STATUS_OK;
}

/* A file that a run reads beside operands and vocabularies, and what is in it. */
struct input_file {
    const char *name; /* or NULL, or "-" */
    const char *what;
};
enum { INPUT_FILES = 6 };

static void list_inputs(const struct options *options, struct input_file inputs[INPUT_FILES])
{
    const struct prompt_options *prompt = &options->prompt;
    const struct input_file all[INPUT_FILES] = {
        {options->rank.rescore, "the reranker's answer"},
        {prompt->question_file, "the question"},
        {prompt->instructions_file, "the instructions"},
        {prompt->template_file, "the prompt's template"},
        {prompt->chunk_template_file, "the template of a chunk"},
        {options->output.compare, "the report to compare with"},
    };
    memcpy(inputs, all, sizeof all);
}

/* STATUS_OK where the two are not one file, else another one after a message. */
static int must_differ(enum sameness sameness, const char *output, const char *format,
                       const char *name)
{
    switch (sameness) {
    case SAME:
        return diag_usage(format, name);
    case SAME_UNKNOWN:
        return diag_error(STATUS_SYSTEM, "%s: cannot look at the file: %s", output,
                          strerror(errno));
    case NOT_SAME:
        break;
    }
    return STATUS_OK;
}

/* That an output is no input. */
static int check_unread(const char *output, const char *input)
{
    if (input == NULL) {
        return STATUS_OK;
    }
    enum sameness sameness =
        strcmp(input, "-") == 0 ? outfile_is_open(output, STDIN_FILENO) : outfile_is(output, input);
    return must_differ(sameness, output, "'%s' is read, so it is not written", output);
}

/* The same for the file that a vocabulary's name stands for, if it is one. */
static int check_vocabulary(const char *output, const char *name, vocabulary_file *file_of)
{
    struct buf path = {0};
    int status = check_unread(output, name != NULL ? file_of(&path, name) : NULL);
    buf_free(&path);
    return status;
}

/* That an output does not write over what a stream writes, nor the stream over it. */
static int check_streams(const char *option, const char *output)
{
    int status = must_differ(outfile_overwrites_open(output, STDOUT_FILENO), output,
                             "--%s is the file that standard output goes to", option);
    return status != STATUS_OK
               ? status
               : must_differ(outfile_overwrites_open(output, STDERR_FILENO), output,
                             "--%s is the file that standard error goes to", option);
}

static int check_output(const struct options *options, const char *option, const char *output)
{
    struct input_file inputs[INPUT_FILES];
    list_inputs(options, inputs);
    if (output == NULL) {
        return STATUS_OK;
    }
    if (strcmp(output, "-") == 0) {
        return diag_usage("--%s needs a file; standard output is /dev/stdout", option);
    }
    int status = STATUS_OK;
    for (size_t i = 0; i < options->read.file_count && status == STATUS_OK; i++) {
        status = check_unread(output, options->read.files[i]);
    }
    for (size_t i = 0; i < INPUT_FILES && status == STATUS_OK; i++) {
        status = check_unread(output, inputs[i].name);
    }
    if (status == STATUS_OK) {
        status = check_vocabulary(output, options->budget.count, counter_file);
    }
    return status == STATUS_OK ? check_streams(option, output) : status;
}

/* What asks for words on standard error, or NULL. */
static const char *asker(const struct output_options *output)
{
    return output->explain > 0       ? "-v"
           : output->stats           ? "--stats"
           : output->why_count > 0   ? "--why"
           : output->compare != NULL ? "--compare"
                                     : NULL;
}

/*
 * That these words and standard output do not write over each other, as after >f 2>f.
 * Without them that is no reason to refuse: mostly nothing is said.
 */
static int check_said(const struct options *options)
{
    const char *option = asker(&options->output);
    if (options->action != ACTION_RUN || option == NULL) {
        return STATUS_OK;
    }
    return must_differ(outfile_streams_overwrite(STDERR_FILENO, STDOUT_FILENO), "<stderr>",
                       "what %s says and standard output would write over each other in one "
                       "file; 2>&1 keeps both in order",
                       option);
}

/* No file is written twice, and none that is read. */
static int check_outputs(const struct options *options)
{
    const char *report = options->output.report;
    const char *dropped = options->output.dropped;
    int status = check_output(options, "report", report);
    if (status == STATUS_OK) {
        status = check_output(options, "dropped", dropped);
    }
    if (status == STATUS_OK && report != NULL && dropped != NULL) {
        status = must_differ(outfile_overwrites(report, dropped), dropped,
                             "--report and --%s are one file", "dropped");
    }
    return status;
}

static int check_table(const struct options *options)
{
    const char *table = options->table_file;
    if (table == NULL) {
        return STATUS_OK;
    }
    if (options->action != ACTION_COMPILE) {
        return diag_usage("--table is that of --compile-vocab");
    }
    int status = check_vocabulary(table, options->compiled_vocab, tokens_file);
    return status == STATUS_OK ? check_output(options, "table", table) : status;
}

static int report_takers(const char *one, const char *other)
{
    return diag_usage("%s and %s cannot both come from standard input", one, other);
}

/* Standard input can be only one thing. */
static int check_standard_input(const struct options *options)
{
    struct input_file inputs[INPUT_FILES];
    const char *taker = NULL;
    list_inputs(options, inputs);
    for (size_t i = 0; i < INPUT_FILES; i++) {
        if (inputs[i].name == NULL || strcmp(inputs[i].name, "-") != 0) {
            continue;
        }
        if (taker != NULL) {
            return report_takers(taker, inputs[i].what);
        }
        taker = inputs[i].what;
    }
    for (size_t i = 0; i < options->read.file_count && taker != NULL; i++) {
        if (strcmp(options->read.files[i], "-") == 0) {
            return report_takers(taker, "the chunks");
        }
    }
    return STATUS_OK;
}

/* Whether two ids as they are written are one: 2 and 2.0 are. */
static bool is_same_id(const char *a, const char *b)
{
    double unused;
    bool numbers = number_json(slice_of(a), &unused) && number_json(slice_of(b), &unused);
    return strcmp(a, b) == 0 || (numbers && number_compare(slice_of(a), slice_of(b)) == 0);
}

/* That no chunk is pinned at both edges: the first that says so ends it. */
static int check_pins(const struct rank_options *rank)
{
    struct interner ids = {0};
    bool *last = mem_zeroed(rank->pin_count, sizeof *last); /* by id */
    struct buf key = {0};
    int status = STATUS_OK;
    for (size_t i = 0; i < rank->pin_count && status == STATUS_OK; i++) {
        double unused;
        struct slice id = slice_of(rank->pins[i].id);
        bool is_number = number_json(id, &unused);
        key.len = 0;
        buf_add_byte(&key, is_number ? 'n' : 's');
        if (is_number) {
            number_add_canonical(&key, id);
        } else {
            buf_add_slice(&key, id);
        }
        size_t known = ids.count;
        size_t number = intern_bytes(&ids, buf_slice(&key));
        if (number < known && last[number] != rank->pins[i].last) {
            status = diag_usage("the chunk '%s' cannot be pinned at both edges", rank->pins[i].id);
        }
        last[number] = rank->pins[i].last;
    }
    interner_free(&ids);
    buf_free(&key);
    free(last);
    return status;
}

/* Where chunks stand together, and where they are held. */
static int check_places(const struct options *options)
{
    const struct place_options *place = &options->place;
    const struct rank_options *rank = &options->rank;
    if (rank->per_group > 0 && !place->grouped) {
        return diag_usage("--per-group needs the --group that it counts");
    }
    if (place->order.depth > 0 && !place->grouped && place->stitch == 0 && place->layout_given) {
        return diag_usage("--order without --group is the order of all chunks, so it does not go "
                          "with --layout");
    }
    for (size_t i = 0; i < rank->pin_count; i++) {
        const char *id = rank->pins[i].id;
        if (place->sweep != NULL && is_same_id(id, place->sweep)) {
            return diag_usage("--sweep does not move the chunk '%s', which is pinned", id);
        }
    }
    return check_pins(rank);
}

/* What --each asks for, and what it does not go with. */
static int check_groups(const struct options *options)
{
    bool each = options->read.each.depth > 0;
    if (options->read.question.depth > 0 && !each) {
        return diag_usage("--question-field is for --each");
    }
    if (options->read.question.depth > 0 && options->prompt.asks_once) {
        return diag_usage("--question-field and a question for all exclude each other");
    }
    if (each && options->rank.fuse) {
        return diag_usage("--fuse does not go with --each");
    }
    if (each && options->rank.rescore != NULL) {
        return diag_usage("--rescore does not go with --each");
    }
    if (each && options->action == ACTION_COUNT) {
        return diag_usage("--count-only does not go with --each");
    }
    if (each && options->output.compare != NULL) {
        return diag_usage("--compare does not go with --each: --report=FILE has a line for each "
                          "group, and diff compares those of two runs");
    }
    if (each && report_is_page(options->output.report)) {
        return diag_usage("a page is of one selection: with --each the report is JSON, in a file "
                          "whose name does not end in .html");
    }
    if (options->place.sweep != NULL && options->place.sweep_if.depth > 0) {
        return diag_usage("--sweep and --sweep-if exclude each other");
    }
    return STATUS_OK;
}

/* What NDJSON has and a prompt has not, and the other way round. */
static int check_format(const struct options *options)
{
    bool is_prompt = prompt_is_wanted(&options->prompt);
    if (options->output.annotate != NULL && is_prompt) {
        return diag_usage("--annotate is for NDJSON; a prompt numbers its chunks itself");
    }
    if (options->place.stitch > 0 && options->output.annotate == NULL && !is_prompt) {
        return diag_usage(
            "--stitch writes passages in prompts; for the lines of NDJSON, which stay "
            "whole, it needs --annotate");
    }
    bool sweeps = place_sweeps(&options->place);
    if (sweeps && !options->prompt.has_question) {
        return diag_usage("--sweep needs a question");
    }
    if (sweeps && body_of(&options->prompt) != BODY_NONE) {
        return diag_usage("--sweep writes prompts, not bodies of requests");
    }
    if (options->output.if_empty != NULL && !is_prompt) {
        return diag_usage("--if-empty is for prompts");
    }
    if (options->output.if_empty != NULL && options->read.each.depth > 0) {
        return diag_usage("--if-empty does not go with --each, which has a line for each group");
    }
    if (sweeps && !is_prompt) {
        return diag_usage("--sweep is for prompts");
    }
    int status = prompt_check(&options->prompt);
    if (status != STATUS_OK || options->budget.fit != FIT_TRUNCATE) {
        return status;
    }
    if (!is_prompt) {
        return diag_usage("--fit=truncate is for prompts: the lines of NDJSON stay whole");
    }
    if (options->budget.counts_given) {
        return diag_usage("--fit=truncate must count, so it does not go with --tokens");
    }
    return STATUS_OK;
}

/* Whether the id was given before to the same option, of which there is a letter. */
static bool is_repeat(struct interner *given, char option, const char *id)
{
    struct buf key = {0};
    size_t known = given->count;
    buf_add_byte(&key, option);
    buf_add_string(&key, id);
    bool repeat = intern_bytes(given, buf_slice(&key)) < known;
    buf_free(&key);
    return repeat;
}

/* What is asked for twice is said once. */
static void drop_repeats(struct rank_options *rank, struct output_options *output)
{
    struct interner given = {0};
    size_t count = 0;
    for (size_t i = 0; i < rank->pin_count; i++) {
        if (!is_repeat(&given, rank->pins[i].last ? 'l' : 'f', rank->pins[i].id)) {
            rank->pins[count++] = rank->pins[i];
        }
    }
    rank->pin_count = count;
    count = 0;
    for (size_t i = 0; i < output->why_count; i++) {
        if (!is_repeat(&given, 'w', output->why[i])) {
            output->why[count++] = output->why[i];
        }
    }
    output->why_count = count;
    count = 0;
    for (size_t i = 0; i < output->requirement_count; i++) {
        const struct requirement *required = &output->requirements[i];
        if (!is_repeat(&given, required->edge ? 'e' : 'r', required->id)) {
            output->requirements[count++] = *required;
        }
    }
    output->requirement_count = count;
    for (size_t i = 0; i < count; i++) {
        struct requirement *required = &output->requirements[i];
        required->implied = !required->edge && is_repeat(&given, 'e', required->id);
    }
    interner_free(&given);
}

/* What the concerns must know of each other's options. */
static void settle(struct options *options)
{
    struct prompt_options *prompt = &options->prompt;
    drop_repeats(&options->rank, &options->output);
    prompt->asks_once = prompt->has_question;
    prompt->has_question |= options->read.question.depth > 0;
    bool wants_prompt = prompt->has_question || prompt->template_file != NULL ||
                        prompt->chunk_template_file != NULL;
    if (prompt->format == FORMAT_BY_QUESTION) {
        prompt->format = wants_prompt ? FORMAT_XML : FORMAT_NDJSON;
    }
    struct place_options *place = &options->place;
    place->layout_given = place->layout != LAYOUT_UNSET;
    place->layout = place->layout_given ? place->layout : 0;
    place->grouped = options->rank.group.depth > 0;
    prompt->context_given = prompt->context != CONTEXT_UNSET;
    prompt->context = prompt->context_given ? prompt->context : 0;
    options->read.separate_lists = options->rank.fuse;
    bool rescored = options->rank.rescore != NULL;
    bool own_scores_count = options->rank.fuse || options->rank.rescore_rest == REST_KEEP;
    options->read.scores_replaced = options->rank.as_they_come || (rescored && !own_scores_count);
    options->read.scores_unasked = options->rank.as_they_come || (rescored && !options->rank.fuse);
    options->read.ids_matter = options->output.requirement_count > 0 || place_sweeps(place) ||
                               rescored || options->rank.fuse || options->rank.pin_count > 0 ||
                               options->output.why_count > 0;
    options->read.absent = options->output.annotate;
    options->budget.counts_given = options->read.tokens.depth > 0;
    options->budget.shows_each = options->output.explain > 0 || options->output.compare != NULL ||
                                 options->output.why_count > 0 || options->output.report != NULL ||
                                 options->output.annotate != NULL;
    options->output.stitched = place->stitch > 0;
    options->output.shows_repeats = options->output.stats || options->output.explain > 0 ||
                                    report_is_page(options->output.report);
    bool tells_tokens = options->read.each.depth > 0 && prompt_is_wanted(prompt);
    options->budget.shows_total =
        tells_tokens || options->output.stats || options->budget.shows_each;
}

/* Whether an operand looks like what somebody asks, and not like a file's name. */
static bool is_question(const char *operand)
{
    static const char *const ends[] = {"?", "\xef\xbc\x9f" /* fullwidth */};
    size_t length = strlen(operand);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t end = strlen(ends[i]);
        if (length > end && strcmp(operand + length - end, ends[i]) == 0) {
            return true;
        }
    }
    return strpbrk(operand, " \t\n") != NULL;
}

/* A question without -q is taken for a file, which is not there. */
static int check_operands(const struct options *options)
{
    const char *first = options->read.files[0];
    if (options->action != ACTION_RUN || options->prompt.has_question || !is_question(first) ||
        access(first, F_OK) == 0 || (errno != ENOENT && errno != ENAMETOOLONG)) {
        return STATUS_OK;
    }
    return diag_error(STATUS_SYSTEM,
                      "%s: cannot open: %s; if this is the question, put -q before it", first,
                      strerror(errno));
}

int options_check(struct options *options)
{
    settle(options);
    if (options->budget.budget > 0 && options->budget.reserve >= options->budget.budget) {
        return diag_usage("--reserve %zu leaves nothing of --budget %zu", options->budget.reserve,
                          options->budget.budget);
    }
    int (*const checks[])(const struct options *) = {
        check_scoring, check_outputs, check_said,           check_table,   check_places,
        check_groups,  check_format,  check_standard_input, check_operands};
    int status = STATUS_OK;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && status == STATUS_OK; i++) {
        status = checks[i](options);
    }
    return status;
}
