/* setters.c: see setters.h. */
#include "setters.h"

#include <string.h>

#include "base/base.h"
#include "options.h"
#include "prompt/header.h"

/* The place of argument among names, which end in NULL; -1 when it is not there. */
static int choose(const char *argument, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(argument, names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

const char *set_higher(void *target, const char *argument)
{
    struct options *options = target;
    (void)argument;
    options->direction = DIRECTION_HIGHER;
    return NULL;
}

const char *set_lower(void *target, const char *argument)
{
    struct options *options = target;
    (void)argument;
    options->direction = DIRECTION_LOWER;
    return NULL;
}

const char *set_fuse(void *target, const char *argument)
{
    struct options *options = target;
    static const char with_k[] = "rrf:";
    options->fuse = true;
    options->fuse_k = 60;
    if (strcmp(argument, "rrf") == 0) {
        return NULL;
    }
    bool k_given = strncmp(argument, with_k, sizeof with_k - 1) == 0;
    struct slice k = slice_of(argument + (k_given ? sizeof with_k - 1 : 0));
    return k_given && number_up_to(k, 1000000000, &options->fuse_k)
               ? NULL
               : "needs rrf, or rrf:K with a whole number up to 1000000000";
}

const char *set_weights(void *target, const char *argument)
{
    struct options *options = target;
    options->weight_count = 0;
    for (;;) {
        size_t length = strcspn(argument, ",");
        double weight;
        if (!number_json((struct slice){argument, length}, &weight) || weight < 0) {
            return "needs numbers from 0 up with commas between, one for each file";
        }
        options->weights = mem_grow(options->weights, &options->weight_capacity,
                                    options->weight_count + 1, sizeof *options->weights);
        options->weights[options->weight_count++] = weight;
        if (argument[length] == '\0') {
            return NULL;
        }
        argument += length + 1;
    }
}

const char *set_min_score(void *target, const char *argument)
{
    struct options *options = target;
    if (!number_json(slice_of(argument), &options->min_score)) {
        return "needs a number such as 0.3 or -4";
    }
    options->has_min_score = true;
    options->min_score_written = argument;
    return NULL;
}

const char *set_dedup(void *target, const char *argument)
{
    struct options *options = target;
    options->dedup = true;
    return number_threshold(argument, &options->threshold)
               ? NULL
               : "needs a decimal above 0 and at most 1, with at most nine decimals";
}

const char *set_no_dedup(void *target, const char *argument)
{
    struct options *options = target;
    (void)argument;
    options->dedup = false;
    return NULL;
}

const char *set_similarity(void *target, const char *argument)
{
    struct options *options = target;
    static const char *const names[] = {"jaccard", "containment", NULL};
    int choice = choose(argument, names);
    if (choice < 0) {
        return "needs one of jaccard, containment";
    }
    options->similarity = (enum similarity_kind)choice;
    return NULL;
}

const char *set_dedup_field(void *target, const char *argument)
{
    struct options *options = target;
    options->dedup_fields = mem_grow(options->dedup_fields, &options->dedup_field_capacity,
                                     options->dedup_field_count + 1, sizeof *options->dedup_fields);
    struct path *path = &options->dedup_fields[options->dedup_field_count];
    const char *wrong = path_parse(path, argument);
    options->dedup_field_count += wrong == NULL;
    return wrong;
}

const char *set_margin(void *target, const char *argument)
{
    struct options *options = target;
    return number_up_to(slice_of(argument), 99, &options->margin)
               ? NULL
               : "needs a whole number of percent from 0 to 99";
}

const char *set_count_only(void *target, const char *argument)
{
    struct options *options = target;
    (void)argument;
    options->action = ACTION_COUNT;
    return NULL;
}

const char *set_compile_vocab(void *target, const char *argument)
{
    struct options *options = target;
    options->action = ACTION_COMPILE;
    options->compiled_vocab = argument;
    return NULL;
}

const char *set_fit(void *target, const char *argument)
{
    struct options *options = target;
    static const char *const names[] = {"prefix", "skip", "truncate", NULL};
    int choice = choose(argument, names);
    if (choice < 0) {
        return "needs one of prefix, skip, truncate";
    }
    options->fit = (enum fit)choice;
    return NULL;
}

const char *set_layout(void *target, const char *argument)
{
    struct options *options = target;
    static const char *const names[] = {"fold",  "fold-last", "rank", "reverse",
                                        "input", "langchain", NULL};
    static const char edges[] = "edges:";
    if (strncmp(argument, edges, sizeof edges - 1) == 0) {
        options->layout = LAYOUT_EDGES;
        return number_positive(argument + sizeof edges - 1, &options->edges)
                   ? NULL
                   : "needs a whole number from 1 up after edges:";
    }
    int choice = choose(argument, names);
    if (choice < 0) {
        return "needs one of fold, fold-last, edges:K, rank, reverse, input, langchain";
    }
    options->layout = (enum layout)choice;
    return NULL;
}

const char *set_question(void *target, const char *argument)
{
    struct options *options = target;
    options->has_question = true;
    options->question = slice_of(argument);
    options->question_file = NULL;
    return NULL;
}

const char *set_question_file(void *target, const char *argument)
{
    struct options *options = target;
    options->has_question = true;
    options->question_file = argument;
    return NULL;
}

const char *set_format(void *target, const char *argument)
{
    struct options *options = target;
    static const char *const names[] = {"ndjson", "xml",   "numbered", "markdown",
                                        "pipe",   "plain", NULL};
    int choice = choose(argument, names);
    if (choice < 0) {
        return "needs one of ndjson, xml, numbered, markdown, pipe, plain";
    }
    options->format = (enum format)choice;
    options->format_given = true;
    return NULL;
}

const char *set_header(void *target, const char *argument)
{
    struct options *options = target;
    header_free(&options->header);
    return header_parse(&options->header, argument);
}

const char *set_instructions(void *target, const char *argument)
{
    struct options *options = target;
    bool in_file = argument[0] == '@';
    options->instructions_file = in_file ? argument + 1 : NULL;
    options->instructions_given = in_file ? NULL : argument;
    options->no_instructions = false;
    return strcmp(argument, "@") != 0 ? NULL : "needs a file after the @";
}

const char *set_no_instructions(void *target, const char *argument)
{
    struct options *options = target;
    (void)argument;
    options->instructions_file = NULL;
    options->instructions_given = NULL;
    options->no_instructions = true;
    return NULL;
}

const char *set_refusal(void *target, const char *argument)
{
    struct options *options = target;
    options->refuses = true;
    options->refusal = argument;
    return argument == NULL || argument[0] != '\0' ? NULL : "needs words";
}

const char *set_escape(void *target, const char *argument)
{
    struct options *options = target;
    static const char *const names[] = {"own", "all", NULL};
    int choice = choose(argument, names);
    if (choice < 0) {
        return "needs one of own, all";
    }
    options->escape = (enum escape)choice;
    return NULL;
}

const char *set_annotate(void *target, const char *argument)
{
    struct options *options = target;
    options->annotate = argument != NULL ? argument : "edgefold";
    return utf8_is_valid(slice_of(options->annotate)) && options->annotate[0] != '\0'
               ? NULL
               : "needs a key of UTF-8";
}

static const char *add_requirement(struct options *options, const char *id, bool edge)
{
    options->requirements = mem_grow(options->requirements, &options->requirement_capacity,
                                     options->requirement_count + 1, sizeof *options->requirements);
    options->requirements[options->requirement_count++] = (struct requirement){id, edge};
    return id[0] != '\0' ? NULL : "needs an id";
}

const char *set_require(void *target, const char *argument)
{
    return add_requirement(target, argument, false);
}

const char *set_require_edge(void *target, const char *argument)
{
    return add_requirement(target, argument, true);
}

const char *set_help(void *target, const char *argument)
{
    struct options *options = target;
    (void)argument;
    options->action = ACTION_HELP;
    return NULL;
}

const char *set_version(void *target, const char *argument)
{
    struct options *options = target;
    (void)argument;
    options->action = ACTION_VERSION;
    return NULL;
}
