/* options.c: see options.h. */
#include "options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "diag.h"
#include "mem.h"
#include "question.h"

#define VERSION "0.1.0"

static const char *const default_files[] = {"-"};

/*
 * Setters, for what is more than one value of a common kind: each takes an
 * option's argument (NULL for an option without one) and returns NULL, or what
 * the argument should have been.
 */

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

static const char *set_higher(void *target, const char *argument)
{
    struct options *options = target;
    (void)argument;
    options->direction = DIRECTION_HIGHER;
    return NULL;
}

static const char *set_lower(void *target, const char *argument)
{
    struct options *options = target;
    (void)argument;
    options->direction = DIRECTION_LOWER;
    return NULL;
}

static const char *set_min_score(void *target, const char *argument)
{
    struct options *options = target;
    if (!number_json(slice_of(argument), &options->min_score)) {
        return "needs a number such as 0.3 or -4";
    }
    options->has_min_score = true;
    options->min_score_written = argument;
    return NULL;
}

static const char *set_dedup(void *target, const char *argument)
{
    struct options *options = target;
    options->dedup = true;
    return number_threshold(argument, &options->threshold)
               ? NULL
               : "needs a decimal above 0 and at most 1, with at most nine decimals";
}

static const char *set_no_dedup(void *target, const char *argument)
{
    struct options *options = target;
    (void)argument;
    options->dedup = false;
    return NULL;
}

static const char *set_similarity(void *target, const char *argument)
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

static const char *set_dedup_field(void *target, const char *argument)
{
    struct options *options = target;
    options->dedup_fields = mem_grow(options->dedup_fields, &options->dedup_field_capacity,
                                     options->dedup_field_count + 1, sizeof *options->dedup_fields);
    struct path *path = &options->dedup_fields[options->dedup_field_count];
    const char *wrong = path_parse(path, argument);
    options->dedup_field_count += wrong == NULL;
    return wrong;
}

static const char *set_margin(void *target, const char *argument)
{
    struct options *options = target;
    return number_up_to(slice_of(argument), 99, &options->margin)
               ? NULL
               : "needs a whole number of percent from 0 to 99";
}

static const char *set_count_only(void *target, const char *argument)
{
    struct options *options = target;
    (void)argument;
    options->action = ACTION_COUNT;
    return NULL;
}

static const char *set_compile_vocab(void *target, const char *argument)
{
    struct options *options = target;
    options->action = ACTION_COMPILE;
    options->compiled_vocab = argument;
    return NULL;
}

static const char *set_fit(void *target, const char *argument)
{
    struct options *options = target;
    static const char *const names[] = {"prefix", "skip", NULL};
    int choice = choose(argument, names);
    if (choice < 0) {
        return "needs one of prefix, skip";
    }
    options->fit = (enum fit)choice;
    return NULL;
}

static const char *set_layout(void *target, const char *argument)
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

static const char *set_question(void *target, const char *argument)
{
    struct options *options = target;
    options->has_question = true;
    options->question = slice_of(argument);
    options->question_file = NULL;
    return NULL;
}

static const char *set_question_file(void *target, const char *argument)
{
    struct options *options = target;
    options->has_question = true;
    options->question_file = argument;
    return NULL;
}

static const char *set_format(void *target, const char *argument)
{
    struct options *options = target;
    static const char *const names[] = {"ndjson", "xml", NULL};
    int choice = choose(argument, names);
    if (choice < 0) {
        return "needs one of ndjson, xml";
    }
    options->format = (enum format)choice;
    options->format_given = true;
    return NULL;
}

static const char *set_help(void *target, const char *argument)
{
    struct options *options = target;
    (void)argument;
    options->action = ACTION_HELP;
    return NULL;
}

static const char *set_version(void *target, const char *argument)
{
    struct options *options = target;
    (void)argument;
    options->action = ACTION_VERSION;
    return NULL;
}

/*
 * Every option, once: getopt_long's tables and --help are made from this, and
 * the tests hold the man page to it.  A row with a heading opens a group.
 */
static const struct option_row rows[] = {
    {"Reading", "text", 't', "PATH", "where a chunk's text is (default: looked for)", OPTION_PATH,
     offsetof(struct options, text), NULL},
    {NULL, "score", 's', "PATH", "where its score is (default: looked for)", OPTION_PATH,
     offsetof(struct options, score), NULL},
    {NULL, "id", 'i', "PATH", "where its id is (default: looked for)", OPTION_PATH,
     offsetof(struct options, id), NULL},
    {NULL, "skip-invalid", 0, NULL, "report unusable lines and go on without them", OPTION_FLAG,
     offsetof(struct options, skip_invalid), NULL},

    {"Ranking", "lower-is-better", 0, NULL,
     "the score is a distance (default for a score\nfound under distance and the like)",
     OPTION_OTHER, 0, set_lower},
    {NULL, "higher-is-better", 0, NULL, "the score is a similarity (default)", OPTION_OTHER, 0,
     set_higher},
    {NULL, "min-score", 0, "X", "drop chunks with a worse score or none", OPTION_OTHER, 0,
     set_min_score},

    {"Dropping", "dedup", 'd', "T",
     "drop a chunk whose set of words has a Jaccard\nsimilarity of at least T with a better "
     "chunk's\n(default: 0.85)",
     OPTION_OTHER, 0, set_dedup},
    {NULL, "no-dedup", 0, NULL, "keep near-duplicates", OPTION_OTHER, 0, set_no_dedup},
    {NULL, "similarity", 0, "KIND",
     "jaccard (default), or containment: the share of the\nworse chunk's words that the "
     "better one has",
     OPTION_OTHER, 0, set_similarity},
    {NULL, "shingle", 0, "N", "compare runs of N words instead of words", OPTION_COUNT,
     offsetof(struct options, shingle), NULL},
    {NULL, "keep-numbers", 0, NULL, "keep chunks of which each has a number that the\nother lacks",
     OPTION_FLAG, offsetof(struct options, keep_numbers), NULL},
    {NULL, "dedup-field", 0, "PATH", "compare only chunks with the same value there;\nrepeatable",
     OPTION_OTHER, 0, set_dedup_field},
    {NULL, "top", 'n', "N", "keep the N best", OPTION_COUNT, offsetof(struct options, top), NULL},
    {NULL, "budget", 'b', "N", "keep what fits in N tokens, a prompt's frame\nincluded",
     OPTION_COUNT, offsetof(struct options, budget), NULL},
    {NULL, "count", 0, "METHOD",
     "how tokens are counted: estimate (default), words,\nchars, bytes, chars/N, bytes/N, or "
     "by the vocabulary\nin a file or of an encoding or model (o200k_base,\ngpt-4o)",
     OPTION_STRING, offsetof(struct options, count), NULL},
    {NULL, "tokens", 0, "PATH", "take a chunk's own count from there", OPTION_PATH,
     offsetof(struct options, tokens), NULL},
    {NULL, "margin", 0, "P",
     "leave P percent of the budget free (default: 5\nfor estimate, 0 otherwise)", OPTION_OTHER, 0,
     set_margin},
    {NULL, "reserve", 0, "N", "take N tokens off the budget first", OPTION_NUMBER,
     offsetof(struct options, reserve), NULL},
    {NULL, "fit", 0, "RULE",
     "prefix (default): stop at the first chunk that does\nnot fit; skip: pass over it",
     OPTION_OTHER, 0, set_fit},

    {"Writing", "layout", 'l', "NAME",
     "fold (default): best first, second-best last,\nweakest in the middle; fold-last: its "
     "mirror;\nedges:K: the K best first, the next K last;\nrank: best first; reverse: best "
     "last; input: as\nthey came; langchain: as LongContextReorder",
     OPTION_OTHER, 0, set_layout},
    {NULL, "question", 'q', "TEXT", "write a prompt that ends in this question", OPTION_OTHER, 0,
     set_question},
    {NULL, "question-file", 0, "FILE", "the same, with the question from FILE (- is stdin)",
     OPTION_OTHER, 0, set_question_file},
    {NULL, "format", 'f', "NAME",
     "ndjson (default without a question): the lines as\nthey came; xml (default with one): a "
     "prompt, or its\ncontext alone without a question",
     OPTION_OTHER, 0, set_format},

    {"Other", "stats", 0, NULL, "print one line of totals on standard error", OPTION_FLAG,
     offsetof(struct options, stats), NULL},
    {NULL, "count-only", 0, NULL, "print the tokens of the raw input and exit", OPTION_OTHER, 0,
     set_count_only},
    {NULL, "compile-vocab", 0, "FILE",
     "write a vocabulary as a table that loads at once,\nfor --count, and exit", OPTION_OTHER, 0,
     set_compile_vocab},
    {NULL, "help", 'h', NULL, "print this and exit", OPTION_OTHER, 0, set_help},
    {NULL, "version", 'V', NULL, "print the version and exit", OPTION_OTHER, 0, set_version},
};

#define ROWS (sizeof rows / sizeof rows[0])

int options_parse(struct options *options, int argc, char **argv)
{
    *options = (struct options){.dedup = true,
                                .threshold = {17, 20} /* 0.85 */,
                                .shingle = 1,
                                .margin = MARGIN_BY_COUNTER,
                                .count = "estimate"};
    int operands;
    int status = arguments_parse(rows, ROWS, options, argc, argv, &operands);
    if (status != STATUS_OK || options->action == ACTION_HELP ||
        options->action == ACTION_VERSION) {
        return status;
    }
    options->files = (const char *const *)(argv + operands);
    options->file_count = (size_t)(argc - operands);
    if (options->file_count == 0) {
        options->files = default_files;
        options->file_count = 1;
        options->reads_terminal = true;
    }
    if (options->budget > 0 && options->reserve >= options->budget) {
        return diag_usage("--reserve %zu leaves nothing of --budget %zu", options->reserve,
                          options->budget);
    }
    return question_settle(options);
}

size_t options_margin(const struct options *options)
{
    if (options->margin != MARGIN_BY_COUNTER) {
        return options->margin;
    }
    bool estimated = options->counter->kind == COUNTER_ESTIMATE && options->tokens.depth == 0;
    return estimated ? 5 : 0;
}

size_t options_room(const struct options *options)
{
    size_t budget = options->budget - options->reserve;
    size_t percent = 100 - options_margin(options);
    return budget / 100 * percent + budget % 100 * percent / 100;
}

void options_free(struct options *options)
{
    path_free(&options->text);
    path_free(&options->score);
    path_free(&options->id);
    path_free(&options->tokens);
    for (size_t i = 0; i < options->dedup_field_count; i++) {
        path_free(&options->dedup_fields[i]);
    }
    free(options->dedup_fields);
    buf_free(&options->question_text);
    *options = (struct options){0};
}

void options_print_help(void)
{
    printf("Usage: edgefold [OPTION]... [FILE]...\n"
           "\n"
           "Reads chunks as newline-delimited JSON from the FILEs, or standard input, each\n"
           "with a text and a score.  Drops near-duplicates and what does not fit, and\n"
           "writes the rest with the best at the two edges: the same lines, or a prompt.\n");
    arguments_print_help(rows, ROWS);
    printf("\nThe manual, edgefold(1), has the rest.\n");
}

void options_print_version(void)
{
    printf("edgefold %s\n", VERSION);
}
