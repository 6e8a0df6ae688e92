/* options.c: see cli.h. */
#include <stddef.h>
#include <stdlib.h>

#include "check.h"
#include "cli.h"
#include "completion.h"
#include "getopts.h"
#include "setters.h"

static const char *const default_files[] = {"-"};

#define AT(member) offsetof(struct options, member)

/*
 * Every option, once: getopt_long's tables, --help, the report's list and what is
 * freed are made from this, and the tests hold the man page's OPTIONS to it.  A row with a
 * heading opens a group.
 */
static const struct option_row rows[] = {
    {.heading = "Reading",
     .name = "text",
     .letter = 't',
     .argument = "PATH",
     .help = "where a chunk's text is (default: looked for)",
     .kind = OPTION_PATH,
     .at = AT(read.text)},
    {.name = "score",
     .letter = 's',
     .argument = "PATH",
     .help = "where its score is (default: looked for)",
     .kind = OPTION_PATH,
     .at = AT(read.score)},
    {.name = "id",
     .letter = 'i',
     .argument = "PATH",
     .help = "where its id is (default: looked for)",
     .kind = OPTION_PATH,
     .at = AT(read.id)},
    {.name = "items",
     .argument = "PATH",
     .help = "each FILE is one JSON document, with the chunks in the array there (. is itself)",
     .kind = OPTION_OTHER,
     .set = set_items,
     .show = show_items,
     .free = free_items},
    {.name = "each",
     .argument = "PATH",
     .help = "lines with the same value there are a selection of their own, one after the other",
     .kind = OPTION_PATH,
     .at = AT(read.each)},
    {.name = "question-field",
     .argument = "PATH",
     .help = "with --each, where the question of each is",
     .kind = OPTION_PATH,
     .at = AT(read.question)},
    {.name = "skip-invalid",
     .help = "report unusable lines and go on without them",
     .kind = OPTION_FLAG,
     .at = AT(read.skip_invalid)},

    {.heading = "Ranking",
     .name = "fuse",
     .argument = "rrf[:K]",
     .help = "rank by all of the FILEs, each a ranked list: reciprocal rank fusion (default K: 60)",
     .kind = OPTION_OTHER,
     .set = set_fuse,
     .show = show_fuse},
    {.name = "as-they-come",
     .help = "the lists are best first as their lines stand, whatever their scores",
     .kind = OPTION_FLAG,
     .at = AT(rank.as_they_come)},
    {.name = "weights",
     .argument = "W,W...",
     .help = "of the lists, in the FILEs' order (default: all 1)",
     .kind = OPTION_OTHER,
     .set = set_weights,
     .show = show_weights,
     .free = free_weights},
    {.name = "rescore",
     .argument = "FILE",
     .help = "rank by a reranker's answer (- is standard input)",
     .kind = OPTION_FILE,
     .at = AT(rank.rescore)},
    {.name = "rescore-rest",
     .argument = "RULE",
     .help = "what becomes of chunks that the answer leaves out",
     .kind = OPTION_CHOICE,
     .at = AT(rank.rescore_rest),
     .choices = &rescore_rest_choices},
    {.name = "lower-is-better",
     .help = "the score is a distance (default for a score found under distance and the like)",
     .kind = OPTION_OTHER,
     .set = set_lower},
    {.name = "higher-is-better",
     .help = "the score is a similarity (default)",
     .kind = OPTION_OTHER,
     .set = set_higher},
    {.name = "min-score",
     .argument = "X",
     .help = "drop chunks with a worse score or none",
     .kind = OPTION_OTHER,
     .set = set_min_score,
     .show = show_min_score},

    {.heading = "Dropping",
     .name = "dedup",
     .letter = 'd',
     .argument = "T",
     .help = "drop a chunk whose set of words has a Jaccard similarity of at least T with a "
             "better chunk's (default: 0.85)",
     .kind = OPTION_OTHER,
     .set = set_dedup,
     .show = show_dedup},
    {.name = "no-dedup", .help = "keep near-duplicates", .kind = OPTION_OTHER, .set = set_no_dedup},
    {.name = "similarity",
     .argument = "KIND",
     .help = "what must be at least T",
     .kind = OPTION_CHOICE,
     .at = AT(dedup.similarity),
     .choices = &similarity_choices},
    {.name = "shingle",
     .argument = "N",
     .help = "compare runs of N words instead of words",
     .kind = OPTION_COUNT,
     .at = AT(dedup.shingle)},
    {.name = "keep-numbers",
     .help = "keep chunks of which each has a number that the other lacks",
     .kind = OPTION_FLAG,
     .at = AT(dedup.keep_numbers)},
    {.name = "dedup-field",
     .argument = "PATH",
     .help = "compare only chunks with the same value there; repeatable",
     .kind = OPTION_PATHS,
     .at = AT(dedup.fields)},
    {.name = "group",
     .argument = "PATH",
     .help = "chunks with the same value there stand together, by the best of them",
     .kind = OPTION_PATH,
     .at = AT(rank.group)},
    {.name = "per-group",
     .argument = "N",
     .help = "keep the N best of each group",
     .kind = OPTION_COUNT,
     .at = AT(rank.per_group)},
    {.name = "top",
     .letter = 'n',
     .argument = "N",
     .help = "keep the N best",
     .kind = OPTION_COUNT,
     .at = AT(rank.top)},
    {.name = "budget",
     .letter = 'b',
     .argument = "N",
     .help = "keep what fits in N tokens, a prompt's frame included",
     .kind = OPTION_COUNT,
     .at = AT(budget.budget)},
    {.name = "count",
     .argument = "METHOD",
     .help = "how tokens are counted: estimate (default), words, chars, bytes, chars/N, bytes/N, "
             "or by the vocabulary in a file or of an encoding or model (o200k_base, gpt-4o)",
     .kind = OPTION_STRING,
     .at = AT(budget.count)},
    {.name = "tokens",
     .argument = "PATH",
     .help = "take a chunk's own count from there",
     .kind = OPTION_PATH,
     .at = AT(read.tokens)},
    {.name = "margin",
     .argument = "P",
     .help = "leave P percent of the budget free (default: 5 for estimate, 0 otherwise)",
     .kind = OPTION_OTHER,
     .set = set_margin,
     .show = show_margin},
    {.name = "reserve",
     .argument = "N",
     .help = "take N tokens off the budget first",
     .kind = OPTION_NUMBER,
     .at = AT(budget.reserve)},
    {.name = "fit",
     .argument = "RULE",
     .help = "what becomes of a chunk that is too much",
     .kind = OPTION_CHOICE,
     .at = AT(budget.fit),
     .choices = &fit_choices},

    {.heading = "Writing",
     .name = "layout",
     .letter = 'l',
     .argument = "NAME",
     .help = "the order of what is kept, by rank; of six:",
     .kind = OPTION_CHOICE,
     .at = AT(place.layout),
     .choices = &layout_choices,
     .number_at = AT(place.edges)},
    {.name = "order",
     .argument = "PATH",
     .help = "within a group, or without --group in all, stand in ascending order of the value "
             "there (default: as they came)",
     .kind = OPTION_PATH,
     .at = AT(place.order)},
    {.name = "stitch",
     .argument = "[N]",
     .help = "print texts that overlap by N code points or more as the one passage that they "
             "were cut from (default N: 40)",
     .kind = OPTION_OTHER,
     .set = set_stitch,
     .show = show_stitch},
    {.name = "pin-first",
     .argument = "ID",
     .help = "the chunk ID is in, and first; repeatable, from the edge inwards",
     .kind = OPTION_OTHER,
     .repeats = true,
     .set = set_pin_first,
     .show = show_pin_first,
     .free = free_pins},
    {.name = "pin-last",
     .argument = "ID",
     .help = "the same, and last",
     .kind = OPTION_OTHER,
     .repeats = true,
     .set = set_pin_last,
     .show = show_pin_last},
    {.name = "question",
     .letter = 'q',
     .argument = "TEXT",
     .help = "write a prompt that ends in this question",
     .kind = OPTION_OTHER,
     .set = set_question,
     .show = show_question},
    {.name = "question-file",
     .argument = "FILE",
     .help = "the same, with the question from FILE (- is stdin)",
     .kind = OPTION_OTHER,
     .set = set_question_file},
    {.name = "format",
     .letter = 'f',
     .argument = "NAME",
     .help = "what is written; a prompt without a question is its context alone",
     .kind = OPTION_CHOICE,
     .at = AT(prompt.format),
     .choices = &format_choices},
    {.name = "context",
     .argument = "NAME",
     .help = "in messages, the shape of the context (default: xml)",
     .kind = OPTION_CHOICE,
     .at = AT(prompt.context),
     .choices = &context_choices},
    {.name = "source",
     .argument = "PATH",
     .help = "in anthropic, where a chunk's source is (default: its id)",
     .kind = OPTION_PATH,
     .at = AT(prompt.source)},
    {.name = "title",
     .argument = "PATH",
     .help = "in anthropic, where its title is (default: its source)",
     .kind = OPTION_PATH,
     .at = AT(prompt.title)},
    {.name = "overhead",
     .argument = "N",
     .help = "in a body, tokens that each block costs beyond its strings (default: 10)",
     .kind = OPTION_OTHER,
     .set = set_overhead,
     .show = show_overhead},
    {.name = "if-empty",
     .argument = "TEXT",
     .help = "print this where no chunk is left for a prompt",
     .kind = OPTION_STRING,
     .at = AT(output.if_empty)},

    {.heading = "In a prompt",
     .name = "header",
     .argument = "NAME=PATH[,NAME=PATH]...",
     .help = "before each text, what a chunk has at these paths: [NAME: value | NAME: value]",
     .kind = OPTION_OTHER,
     .set = set_header,
     .show = show_header,
     .free = free_prompt},
    {.name = "preamble",
     .argument = "PATH",
     .help = "put the text at PATH before each chunk's own",
     .kind = OPTION_PATH,
     .at = AT(prompt.preamble)},
    {.name = "bookend",
     .help = "state the question before the context as well",
     .kind = OPTION_FLAG,
     .at = AT(prompt.bookend)},
    {.name = "instructions",
     .argument = "TEXT|@FILE",
     .help = "what to tell the model, instead of the default",
     .kind = OPTION_OTHER,
     .set = set_instructions,
     .show = show_instructions},
    {.name = "no-instructions",
     .help = "tell it nothing",
     .kind = OPTION_OTHER,
     .set = set_no_instructions},
    {.name = "cite",
     .help = "ask for citations by number, like [2]",
     .kind = OPTION_FLAG,
     .at = AT(prompt.cite)},
    {.name = "refusal",
     .argument = "[TEXT]",
     .help = "the exact words for when there is no answer",
     .kind = OPTION_OTHER,
     .set = set_refusal},
    {.name = "template",
     .argument = "FILE",
     .help = "write the prompt by this: {{context}}, {{question}} and {{instructions}}",
     .kind = OPTION_FILE,
     .at = AT(prompt.template_file)},
    {.name = "chunk-template",
     .argument = "FILE",
     .help = "write each chunk by this: {{n}}, {{text}}, {{rank}}, {{score}}, {{id}}, "
             "{{header}}, {{preamble}}, {{a.b}}",
     .kind = OPTION_FILE,
     .at = AT(prompt.chunk_template_file)},
    {.name = "strict-template",
     .help = "a member that a chunk lacks there is an error",
     .kind = OPTION_FLAG,
     .at = AT(prompt.strict_template)},
    {.name = "escape",
     .argument = "WHAT",
     .help = "what is escaped in a text",
     .kind = OPTION_CHOICE,
     .at = AT(prompt.escape),
     .choices = &escape_choices},
    {.name = "tag-suffix",
     .help = "give xml's tags names that stand in no chunk",
     .kind = OPTION_FLAG,
     .at = AT(prompt.tag_suffix)},

    {.heading = "Explaining",
     .name = "explain",
     .letter = 'v',
     .help = "say on standard error what is kept, what was dropped and why; given twice, of "
             "each chunk",
     .kind = OPTION_TIMES,
     .at = AT(output.explain)},
    {.name = "why",
     .argument = "ID",
     .help = "say why the chunk with that id, or at that FILE:LINE, is in or out: what it lost "
             "to, what would let it in (repeatable)",
     .kind = OPTION_OTHER,
     .set = set_why,
     .show = show_why,
     .free = free_why},
    {.name = "compare",
     .argument = "REPORT",
     .help = "say what is not as it was in the run that wrote REPORT",
     .kind = OPTION_FILE,
     .at = AT(output.compare)},
    {.name = "report",
     .argument = "FILE",
     .help = "write that to FILE as JSON, or where its name ends in .html as a page",
     .kind = OPTION_FILE,
     .at = AT(output.report)},
    {.name = "dropped",
     .argument = "FILE",
     .help = "write the dropped lines to FILE",
     .kind = OPTION_FILE,
     .at = AT(output.dropped)},
    {.name = "annotate",
     .argument = "[KEY]",
     .help = "give each line a member with its rank, position and tokens (default KEY: edgefold)",
     .kind = OPTION_OTHER,
     .set = set_annotate,
     .show = show_annotate},
    {.name = "require",
     .argument = "ID",
     .help = "exit with 1 when the chunk ID is not in the output; repeatable",
     .kind = OPTION_OTHER,
     .repeats = true,
     .set = set_require,
     .show = show_require,
     .free = free_requirements},
    {.name = "require-edge",
     .argument = "ID",
     .help = "exit with 1 when it is neither first nor last",
     .kind = OPTION_OTHER,
     .repeats = true,
     .set = set_require_edge},
    {.name = "min-chunks",
     .argument = "N",
     .help = "exit with 1 when fewer are kept",
     .kind = OPTION_COUNT,
     .at = AT(output.min_chunks)},
    {.name = "sweep",
     .argument = "ID",
     .help = "write a prompt for each position that the chunk ID can have, one JSON object a line",
     .kind = OPTION_ID,
     .at = AT(place.sweep)},
    {.name = "sweep-if",
     .argument = "PATH",
     .help = "the same for the chunk that has true there, with --each in each",
     .kind = OPTION_PATH,
     .at = AT(place.sweep_if)},
    {.name = "stats",
     .help = "print one line of totals on standard error",
     .kind = OPTION_FLAG,
     .at = AT(output.stats)},
    {.name = "quiet",
     .help = "print no warnings and no progress, only errors and what is asked for",
     .kind = OPTION_FLAG,
     .at = AT(quiet)},
    {.name = "color",
     .argument = "WHEN",
     .help = "colour what is printed on standard error",
     .kind = OPTION_CHOICE,
     .at = AT(colour),
     .choices = &colour_choices},
    {.name = "no-progress",
     .help = "show no progress on a terminal",
     .kind = OPTION_FLAG,
     .at = AT(read.no_progress)},

    {.heading = "Other",
     .name = "count-only",
     .help = "print the tokens of the raw input and exit",
     .kind = OPTION_OTHER,
     .set = set_count_only},
    {.name = "compile-vocab",
     .argument = "VOCAB",
     .help = "write the vocabulary in that file, or of that name, to standard output as a table "
             "for --count that loads at once, and exit",
     .kind = OPTION_OTHER,
     .set = set_compile_vocab},
    {.name = "table",
     .argument = "FILE",
     .help = "write the table of --compile-vocab there, whole or not at all",
     .kind = OPTION_OTHER,
     .set = set_table},
    {.name = "completion",
     .argument = "SHELL",
     .help = "print what completes these options in bash, zsh or fish and exit",
     .kind = OPTION_OTHER,
     .set = set_completion},
    {.name = "help",
     .letter = 'h',
     .help = "print this and exit",
     .kind = OPTION_OTHER,
     .set = set_help},
    {.name = "version",
     .letter = 'V',
     .help = "print the version and exit",
     .kind = OPTION_OTHER,
     .set = set_version},
};

#define ROWS (sizeof rows / sizeof rows[0])

/* Each line must have what the chunk's template names, where that is asked for. */
static void require_members(struct options *options)
{
    const struct template *template = &options->prompt.chunk_template;
    struct read_options *read = &options->read;
    read->required = mem_zeroed(template->count, sizeof(struct path *));
    for (size_t i = 0; i < template->count && options->prompt.strict_template; i++) {
        if (template->parts[i].slot == SLOT_MEMBER) {
            read->required[read->required_count++] = &template->parts[i].member;
        }
    }
}

int options_parse(struct options *options, int argc, char **argv)
{
    *options = (struct options){
        .dedup = {.threshold = {17, 20} /* 0.85 */, .shingle = 1},
        .budget = {.margin = MARGIN_BY_COUNTER, .count = "estimate"},
        .place = {.layout = LAYOUT_UNSET},
        .prompt = {.format = FORMAT_BY_QUESTION,
                   .context = CONTEXT_UNSET,
                   .overhead = OVERHEAD_DEFAULT},
    };
    terminal_colour_by(&options->colour);
    int operands;
    int status = getopts_parse(rows, ROWS, options, argc, argv, &operands);
    if (options->quiet) {
        options->read.no_progress = true;
        diag_quieten();
    }
    options->read.files = (const char *const *)(argv + operands);
    options->read.file_count = (size_t)(argc - operands);
    if (status != STATUS_OK || options->action == ACTION_HELP ||
        options->action == ACTION_VERSION || options->action == ACTION_COMPLETION) {
        return status;
    }
    if (options->read.file_count == 0) {
        options->read.files = default_files;
        options->read.file_count = 1;
        options->read.awaits_terminal = true;
    }
    status = options_check(options);
    if (status == STATUS_OK) {
        status = prompt_settle(&options->prompt);
    }
    require_members(options);
    if (status == STATUS_OK && options->output.compare != NULL) {
        status = compare_load(options->output.compare, &options->output.earlier);
    }
    return status;
}

void options_free(struct options *options)
{
    getopts_free(rows, ROWS, options);
    free(options->read.required);
    json_decref(options->output.earlier);
    *options = (struct options){0};
}

json_t *options_show(const struct options *options)
{
    return getopts_show(rows, ROWS, options);
}

int options_write_help(void)
{
    struct buf text = {0};
    buf_add_string(
        &text, "Usage: edgefold [OPTION]... [FILE]...\n"
               "       retriever | edgefold -q 'How long does delivery take?' -b 3000 | llm\n"
               "\n"
               "Reads chunks as newline-delimited JSON from the FILEs, or standard input, each\n"
               "with a text and a score.  Drops near-duplicates and what does not fit, and\n"
               "writes the rest with the best at the two edges: the same lines, or a prompt.\n"
               "Why is a chunk left out?  -v tells of all of them, --why=ID of one.\n");
    getopts_add_help(&text, rows, ROWS);
    buf_add_string(
        &text, "\nThe manual has the rest: man edgefold, and for retrievers, rerankers and models\n"
               "man edgefold-recipes.\n");
    int status = out_write(&text);
    buf_free(&text);
    return status;
}

int options_write_completion(const struct options *options)
{
    struct buf text = {0};
    completion_add(&text, options->completion, rows, ROWS, options->read.files,
                   options->read.file_count);
    int status = out_write(&text);
    buf_free(&text);
    return status;
}
