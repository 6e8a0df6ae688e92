/* options.c: see options.h. */
#include "options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "getopts.h"
#include "prompt/settle.h"
#include "setters.h"

#define VERSION "0.1.0"

static const char *const default_files[] = {"-"};

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

    {"Ranking", "fuse", 0, "rrf[:K]",
     "rank by all of the FILEs, each a ranked list:\nreciprocal rank fusion (default K: 60)",
     OPTION_OTHER, 0, set_fuse},
    {NULL, "weights", 0, "W,W...", "of the lists, in the FILEs' order (default: all 1)",
     OPTION_OTHER, 0, set_weights},
    {NULL, "rescore", 0, "FILE", "rank by a reranker's answer (- is standard input)", OPTION_STRING,
     offsetof(struct options, rescore), NULL},
    {NULL, "lower-is-better", 0, NULL,
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
     "prefix (default): stop at the first chunk that does\nnot fit; skip: pass over it; "
     "truncate: cut it (in a\nprompt)",
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
     "ndjson (default without a question): the lines as\nthey came; or a prompt, without a "
     "question its\ncontext alone: xml (default with one), numbered,\nmarkdown, pipe, plain",
     OPTION_OTHER, 0, set_format},

    {"In a prompt", "header", 0, "NAME=PATH[,NAME=PATH]...",
     "before each text, what a chunk has at these paths:\n[NAME: value | NAME: value]",
     OPTION_OTHER, 0, set_header},
    {NULL, "preamble", 0, "PATH", "put the text at PATH before each chunk's own", OPTION_PATH,
     offsetof(struct options, preamble), NULL},
    {NULL, "bookend", 0, NULL, "state the question before the context as well", OPTION_FLAG,
     offsetof(struct options, bookend), NULL},
    {NULL, "instructions", 0, "TEXT|@FILE", "what to tell the model, instead of the default",
     OPTION_OTHER, 0, set_instructions},
    {NULL, "no-instructions", 0, NULL, "tell it nothing", OPTION_OTHER, 0, set_no_instructions},
    {NULL, "cite", 0, NULL, "ask for citations by number, like [2]", OPTION_FLAG,
     offsetof(struct options, cite), NULL},
    {NULL, "refusal", 0, "[TEXT]", "the exact words for when there is no answer", OPTION_OTHER, 0,
     set_refusal},
    {NULL, "template", 0, "FILE",
     "write the prompt by this: {{context}}, {{question}}\nand {{instructions}}", OPTION_STRING,
     offsetof(struct options, template_file), NULL},
    {NULL, "chunk-template", 0, "FILE",
     "write each chunk by this: {{n}}, {{text}}, {{rank}},\n{{score}}, {{id}}, {{header}}, "
     "{{preamble}}, {{a.b}}",
     OPTION_STRING, offsetof(struct options, chunk_template_file), NULL},
    {NULL, "strict-template", 0, NULL, "a member that a chunk lacks there is an error", OPTION_FLAG,
     offsetof(struct options, strict_template), NULL},
    {NULL, "escape", 0, "WHAT",
     "own (default): what would open or close the prompt's\nown tags; all: every & < > in xml",
     OPTION_OTHER, 0, set_escape},
    {NULL, "tag-suffix", 0, NULL, "give xml's tags names that stand in no chunk", OPTION_FLAG,
     offsetof(struct options, tag_suffix), NULL},

    {"Explaining", "explain", 'v', NULL, "say on standard error what became of each chunk",
     OPTION_FLAG, offsetof(struct options, explain), NULL},
    {NULL, "report", 0, "FILE", "write that to FILE as JSON", OPTION_STRING,
     offsetof(struct options, report), NULL},
    {NULL, "dropped", 0, "FILE", "write the dropped lines to FILE", OPTION_STRING,
     offsetof(struct options, dropped), NULL},
    {NULL, "annotate", 0, "[KEY]",
     "give each line a member with its rank, position and\ntokens (default KEY: edgefold)",
     OPTION_OTHER, 0, set_annotate},
    {NULL, "require", 0, "ID", "exit with 1 when the chunk ID is not in the output;\nrepeatable",
     OPTION_OTHER, 0, set_require},
    {NULL, "require-edge", 0, "ID", "exit with 1 when it is neither first nor last", OPTION_OTHER,
     0, set_require_edge},
    {NULL, "min-chunks", 0, "N", "exit with 1 when fewer are kept", OPTION_COUNT,
     offsetof(struct options, min_chunks), NULL},
    {NULL, "sweep", 0, "ID",
     "write a prompt for each position that the chunk ID\ncan have, one JSON object a line",
     OPTION_STRING, offsetof(struct options, sweep), NULL},
    {NULL, "stats", 0, NULL, "print one line of totals on standard error", OPTION_FLAG,
     offsetof(struct options, stats), NULL},
    {NULL, "no-progress", 0, NULL, "show no progress on a terminal", OPTION_FLAG,
     offsetof(struct options, no_progress), NULL},

    {"Other", "count-only", 0, NULL, "print the tokens of the raw input and exit", OPTION_OTHER, 0,
     set_count_only},
    {NULL, "compile-vocab", 0, "FILE",
     "write a vocabulary as a table that loads at once,\nfor --count, and exit", OPTION_OTHER, 0,
     set_compile_vocab},
    {NULL, "help", 'h', NULL, "print this and exit", OPTION_OTHER, 0, set_help},
    {NULL, "version", 'V', NULL, "print the version and exit", OPTION_OTHER, 0, set_version},
};

#define ROWS (sizeof rows / sizeof rows[0])

/* Where the ranking comes from, and that it can only be one of them. */
static int check_scoring(const struct options *options)
{
    if (options->fuse && options->rescore != NULL) {
        return diag_usage("--fuse and --rescore do not go together: rescore what was fused");
    }
    if (options->weight_count > 0 && !options->fuse) {
        return diag_usage("--weights are those of --fuse");
    }
    if (options->weight_count > 0 && options->weight_count != options->file_count) {
        return diag_usage("--weights has %zu numbers for %zu files", options->weight_count,
                          options->file_count);
    }
    return STATUS_OK;
}

/* No file is written twice, and none that is read. */
static int check_outputs(const struct options *options)
{
    const char *const outputs[] = {options->report, options->dropped};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        const char *output = outputs[i];
        if (output != NULL && strcmp(output, "-") == 0) {
            return diag_usage("--%s needs a file; standard output is /dev/stdout",
                              i == 0 ? "report" : "dropped");
        }
        for (size_t k = 0; output != NULL && k < options->file_count; k++) {
            if (strcmp(options->files[k], "-") != 0 && outfile_is(output, options->files[k])) {
                return diag_usage("'%s' is read, so it is not written", output);
            }
        }
    }
    if (options->report != NULL && options->dropped != NULL &&
        outfile_is(options->report, options->dropped)) {
        return diag_usage("--report and --dropped are one file");
    }
    return STATUS_OK;
}

int options_parse(struct options *options, int argc, char **argv)
{
    *options = (struct options){.dedup = true,
                                .threshold = {17, 20} /* 0.85 */,
                                .shingle = 1,
                                .margin = MARGIN_BY_COUNTER,
                                .count = "estimate"};
    int operands;
    int status = getopts_parse(rows, ROWS, options, argc, argv, &operands);
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
    int settled = check_scoring(options);
    settled = settled == STATUS_OK ? check_outputs(options) : settled;
    return settled == STATUS_OK ? prompt_settle(options) : settled;
}

bool options_shows_tokens(const struct options *options)
{
    return options->explain || options->report != NULL || options->annotate != NULL;
}

bool options_counts(const struct options *options)
{
    return options->stats || options_shows_tokens(options);
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
    free(options->weights);
    free(options->requirements);
    path_free(&options->preamble);
    header_free(&options->header);
    template_free(&options->template);
    template_free(&options->chunk_template);
    tags_free(&options->own_tags);
    buf_free(&options->question_text);
    buf_free(&options->instructions_text);
    *options = (struct options){0};
}

void options_print_help(void)
{
    printf("Usage: edgefold [OPTION]... [FILE]...\n"
           "\n"
           "Reads chunks as newline-delimited JSON from the FILEs, or standard input, each\n"
           "with a text and a score.  Drops near-duplicates and what does not fit, and\n"
           "writes the rest with the best at the two edges: the same lines, or a prompt.\n");
    getopts_print_help(rows, ROWS);
    printf("\nThe manual, edgefold(1), has the rest.\n");
}

void options_print_version(void)
{
    printf("edgefold %s\n", VERSION);
}
