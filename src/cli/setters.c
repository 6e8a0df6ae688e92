/* setters.c: see setters.h. */
#include "setters.h"

#include <stdlib.h>
#include <string.h>

#include "completion.h"

const char *set_higher(struct options *options, const char *argument)
{
    (void)argument;
    options->read.direction = DIRECTION_HIGHER;
    return NULL;
}

const char *set_lower(struct options *options, const char *argument)
{
    (void)argument;
    options->read.direction = DIRECTION_LOWER;
    return NULL;
}

const char *set_fuse(struct options *options, const char *argument)
{
    static const char with_k[] = "rrf:";
    options->rank.fuse = true;
    options->rank.fuse_k = 60;
    if (strcmp(argument, "rrf") == 0) {
        return NULL;
    }
    bool k_given = strncmp(argument, with_k, sizeof with_k - 1) == 0;
    struct slice k = slice_of(argument + (k_given ? sizeof with_k - 1 : 0));
    return k_given && number_up_to(k, 1000000000, &options->rank.fuse_k)
               ? NULL
               : "needs rrf, or rrf:K with a whole number up to 1000000000";
}

static bool take_weight(const char *argument, size_t length, double *weight)
{
    struct buf number = {0};
    buf_add(&number, argument, length);
    buf_add_byte(&number, '\0');
    const double most = 1e9; /* so that no sum is infinite */
    bool taken = number_option(number.at, weight) && *weight >= 0 && *weight <= most;
    buf_free(&number);
    return taken;
}

const char *set_weights(struct options *options, const char *argument)
{
    options->rank.weight_count = 0;
    for (;;) {
        size_t length = strcspn(argument, ",");
        double weight;
        if (!take_weight(argument, length, &weight)) {
            return "needs numbers from 0 to 1000000000 with commas between, one for each file";
        }
        options->rank.weights =
            mem_grow(options->rank.weights, &options->rank.weight_capacity,
                     options->rank.weight_count + 1, sizeof *options->rank.weights);
        options->rank.weights[options->rank.weight_count++] = weight;
        if (argument[length] == '\0') {
            return NULL;
        }
        argument += length + 1;
    }
}

const char *set_min_score(struct options *options, const char *argument)
{
    if (!number_option(argument, &options->rank.min_score)) {
        return "needs a number such as 0.3 or -4";
    }
    options->rank.has_min_score = true;
    options->rank.min_score_written = argument;
    return NULL;
}

const char *set_dedup(struct options *options, const char *argument)
{
    options->dedup.off = false;
    return number_threshold(argument, &options->dedup.threshold)
               ? NULL
               : "needs a decimal above 0 and at most 1, with at most nine decimals";
}

const char *set_no_dedup(struct options *options, const char *argument)
{
    (void)argument;
    options->dedup.off = true;
    return NULL;
}

const char *set_margin(struct options *options, const char *argument)
{
    return number_up_to(slice_of(argument), 99, &options->budget.margin)
               ? NULL
               : "needs a whole number of percent from 0 to 99";
}

const char *set_count_only(struct options *options, const char *argument)
{
    (void)argument;
    options->action = ACTION_COUNT;
    return NULL;
}

const char *set_compile_vocab(struct options *options, const char *argument)
{
    options->action = ACTION_COMPILE;
    options->compiled_vocab = argument;
    return NULL;
}

const char *set_completion(struct options *options, const char *argument)
{
    options->action = ACTION_COMPLETION;
    options->completion = argument;
    return completion_knows(argument) ? NULL : "needs bash, zsh or fish";
}

const char *set_table(struct options *options, const char *argument)
{
    options->table_file = argument;
    return argument[0] != '\0' ? NULL : "needs a file";
}

const char *set_question(struct options *options, const char *argument)
{
    options->prompt.has_question = true;
    options->prompt.question = slice_of(argument);
    options->prompt.question_file = NULL;
    return NULL;
}

const char *set_question_file(struct options *options, const char *argument)
{
    options->prompt.has_question = true;
    options->prompt.question_file = argument;
    return argument[0] != '\0' ? NULL : "needs a file";
}

const char *set_header(struct options *options, const char *argument)
{
    header_free(&options->prompt.header);
    return header_parse(&options->prompt.header, argument);
}

const char *set_instructions(struct options *options, const char *argument)
{
    bool in_file = argument[0] == '@';
    options->prompt.instructions_file = in_file ? argument + 1 : NULL;
    options->prompt.own_instructions = in_file ? NULL : argument;
    options->prompt.no_instructions = false;
    return strcmp(argument, "@") != 0 ? NULL : "needs a file after the @";
}

const char *set_no_instructions(struct options *options, const char *argument)
{
    (void)argument;
    options->prompt.instructions_file = NULL;
    options->prompt.own_instructions = NULL;
    options->prompt.no_instructions = true;
    return NULL;
}

const char *set_refusal(struct options *options, const char *argument)
{
    options->prompt.refuses = true;
    options->prompt.refusal = argument;
    return argument == NULL || argument[0] != '\0' ? NULL : "needs words";
}

const char *set_annotate(struct options *options, const char *argument)
{
    options->output.annotate = argument != NULL ? argument : "edgefold";
    return utf8_is_valid(slice_of(options->output.annotate)) && options->output.annotate[0] != '\0'
               ? NULL
               : "needs a key of UTF-8";
}

const char *set_why(struct options *options, const char *argument)
{
    struct output_options *output = &options->output;
    if (*argument == '\0') {
        return "needs the id of a chunk";
    }
    output->why =
        mem_grow(output->why, &output->why_capacity, output->why_count + 1, sizeof *output->why);
    output->why[output->why_count++] = argument;
    return NULL;
}

static const char *add_requirement(struct options *options, const char *id, bool edge)
{
    options->output.requirements =
        mem_grow(options->output.requirements, &options->output.requirement_capacity,
                 options->output.requirement_count + 1, sizeof *options->output.requirements);
    options->output.requirements[options->output.requirement_count++] =
        (struct requirement){.id = id, .edge = edge};
    return id[0] != '\0' ? NULL : "needs an id";
}

const char *set_require(struct options *options, const char *argument)
{
    return add_requirement(options, argument, false);
}

const char *set_require_edge(struct options *options, const char *argument)
{
    return add_requirement(options, argument, true);
}

const char *set_items(struct options *options, const char *argument)
{
    struct read_options *read = &options->read;
    path_free(&read->items);
    read->items = (struct path){0};
    read->has_items = true;
    return strcmp(argument, ".") == 0 ? NULL : path_parse(&read->items, argument);
}

const char *set_overhead(struct options *options, const char *argument)
{
    options->prompt.overhead_given = true;
    return number_up_to(slice_of(argument), 1000000, &options->prompt.overhead)
               ? NULL
               : "needs a whole number of tokens up to 1000000";
}

const char *set_stitch(struct options *options, const char *argument)
{
    options->place.stitch = STITCH_DEFAULT;
    return argument == NULL || number_positive(argument, &options->place.stitch)
               ? NULL
               : "needs a whole number of code points from 1 up";
}

static const char *add_pin(struct options *options, const char *id, bool last)
{
    struct rank_options *rank = &options->rank;
    rank->pins = mem_grow(rank->pins, &rank->pin_capacity, rank->pin_count + 1, sizeof *rank->pins);
    rank->pins[rank->pin_count++] = (struct pin){id, last};
    return id[0] != '\0' ? NULL : "needs an id";
}

const char *set_pin_first(struct options *options, const char *argument)
{
    return add_pin(options, argument, false);
}

const char *set_pin_last(struct options *options, const char *argument)
{
    return add_pin(options, argument, true);
}

const char *set_help(struct options *options, const char *argument)
{
    (void)argument;
    options->action = ACTION_HELP;
    return NULL;
}

const char *set_version(struct options *options, const char *argument)
{
    (void)argument;
    options->action = ACTION_VERSION;
    return NULL;
}

void free_weights(struct options *options)
{
    free(options->rank.weights);
}

void free_why(struct options *options)
{
    free(options->output.why);
}

void free_requirements(struct options *options)
{
    free(options->output.requirements);
}

void free_items(struct options *options)
{
    path_free(&options->read.items);
}

void free_pins(struct options *options)
{
    free(options->rank.pins);
}

void free_prompt(struct options *options)
{
    prompt_options_free(&options->prompt);
}

json_t *show_fuse(const struct options *options)
{
    return options->rank.fuse ? tree_number(options->rank.fuse_k) : json_null();
}

json_t *show_weights(const struct options *options)
{
    json_t *array = json_array();
    for (size_t i = 0; i < options->rank.weight_count; i++) {
        json_array_append_new(array, json_real(options->rank.weights[i]));
    }
    return array;
}

json_t *show_min_score(const struct options *options)
{
    return options->rank.has_min_score ? json_real(options->rank.min_score) : json_null();
}

json_t *show_dedup(const struct options *options)
{
    const struct fraction *threshold = &options->dedup.threshold;
    return options->dedup.off ? json_null()
                              : json_pack("[ii]", (int)threshold->num, (int)threshold->den);
}

json_t *show_margin(const struct options *options)
{
    return tree_number(budget_margin(&options->budget));
}

json_t *show_question(const struct options *options)
{
    const struct prompt_options *prompt = &options->prompt;
    return prompt->has_question ? tree_text(prompt->question) : json_null();
}

json_t *show_annotate(const struct options *options)
{
    return tree_string(options->output.annotate);
}

json_t *show_items(const struct options *options)
{
    const struct read_options *read = &options->read;
    return !read->has_items ? json_null()
                            : tree_string(read->items.depth > 0 ? read->items.written : ".");
}

json_t *show_overhead(const struct options *options)
{
    return tree_number(options->prompt.overhead);
}

json_t *show_stitch(const struct options *options)
{
    return tree_limit(options->place.stitch);
}

static json_t *show_pins(const struct options *options, bool last)
{
    json_t *array = json_array();
    for (size_t i = 0; i < options->rank.pin_count; i++) {
        if (options->rank.pins[i].last == last) {
            json_array_append_new(array, tree_string(options->rank.pins[i].id));
        }
    }
    return array;
}

json_t *show_pin_first(const struct options *options)
{
    return show_pins(options, false);
}

json_t *show_pin_last(const struct options *options)
{
    return show_pins(options, true);
}

json_t *show_header(const struct options *options)
{
    const struct header *header = &options->prompt.header;
    json_t *array = json_array();
    for (size_t i = 0; i < header->count; i++) {
        struct buf field = {0};
        buf_add_format(&field, "%s=%s", header->fields[i].name, header->fields[i].written);
        json_array_append_new(array, tree_text(buf_slice(&field)));
        buf_free(&field);
    }
    return array;
}

/* As they are printed, with what --refusal and --cite make of them. */
json_t *show_instructions(const struct options *options)
{
    struct slice instructions = options->prompt.instructions;
    return instructions.len > 0 ? tree_text(instructions) : json_null();
}

json_t *show_why(const struct options *options)
{
    json_t *array = json_array();
    for (size_t i = 0; i < options->output.why_count; i++) {
        json_array_append_new(array, tree_string(options->output.why[i]));
    }
    return array;
}

json_t *show_require(const struct options *options)
{
    json_t *array = json_array();
    for (size_t i = 0; i < options->output.requirement_count; i++) {
        json_array_append_new(array, tree_string(options->output.requirements[i].id));
    }
    return array;
}
