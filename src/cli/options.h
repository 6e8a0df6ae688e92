/* options.h: what the user asked for. */
#ifndef EDGEFOLD_OPTIONS_H
#define EDGEFOLD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "dedup/similarity.h"
#include "prompt/header.h"
#include "prompt/tags.h"
#include "prompt/template.h"
#include "tokens/tokens.h"
#include "json/path.h"

enum direction {
    DIRECTION_BY_FIELD, /* lower is better when the score's name says distance */
    DIRECTION_HIGHER,
    DIRECTION_LOWER
};

enum fit { FIT_PREFIX, FIT_SKIP, FIT_TRUNCATE };

enum layout {
    LAYOUT_FOLD,
    LAYOUT_FOLD_LAST,
    LAYOUT_RANK,
    LAYOUT_REVERSE,
    LAYOUT_INPUT,
    LAYOUT_LANGCHAIN,
    LAYOUT_EDGES
};

enum format {
    FORMAT_NDJSON,
    FORMAT_XML,
    FORMAT_NUMBERED,
    FORMAT_MARKDOWN,
    FORMAT_PIPE,
    FORMAT_PLAIN
};

enum escape {
    ESCAPE_OWN, /* what would open or close a tag of ours */
    ESCAPE_ALL  /* what XML asks for */
};

enum action { ACTION_RUN, ACTION_COUNT, ACTION_COMPILE, ACTION_HELP, ACTION_VERSION };

/* One --require or --require-edge. */
struct requirement {
    const char *id;
    bool edge; /* first or last */
};

/* An estimate needs a margin, a count does not. */
#define MARGIN_BY_COUNTER SIZE_MAX

struct options {
    enum action action;

    const char *const *files; /* the operands; never none, "-" standing for no operand */
    size_t file_count;
    bool reads_terminal; /* no operand was given: say what is awaited on a terminal */
    bool skip_invalid;
    struct path text; /* depth 0: found by the first chunk */
    struct path score;
    struct path id;

    const char *rescore; /* the file with a reranker's answer, or NULL */
    bool fuse;
    size_t fuse_k;   /* the constant of reciprocal rank fusion */
    double *weights; /* of the lists, in the files' order; none: all 1 */
    size_t weight_count;
    size_t weight_capacity;

    enum direction direction;
    bool has_min_score;
    double min_score;
    const char *min_score_written;

    bool dedup;
    struct fraction threshold;
    enum similarity_kind similarity;
    size_t shingle; /* words in a token */
    bool keep_numbers;
    struct path *dedup_fields;
    size_t dedup_field_count;
    size_t dedup_field_capacity;

    size_t top;                 /* 0: no limit */
    size_t budget;              /* tokens; 0: no limit */
    size_t reserve;             /* tokens of it that are for something else */
    size_t margin;              /* percent of the rest that are left free, or MARGIN_BY_COUNTER */
    const char *count;          /* how tokens are counted */
    struct counter *counter;    /* the same, made by main; not owned */
    struct path tokens;         /* depth 0: counted */
    const char *compiled_vocab; /* what --compile-vocab is to compile */
    bool stats;
    bool explain;
    bool no_progress;
    const char *report; /* files, or NULL */
    const char *dropped;
    const char *annotate; /* the member that a line gets, or NULL */
    const char *sweep;    /* the id of the chunk that is planted, or NULL */
    struct requirement *requirements;
    size_t requirement_count;
    size_t requirement_capacity;
    size_t min_chunks;
    enum fit fit;

    enum layout layout;
    size_t edges; /* the K of edges:K */

    enum format format;
    bool format_given;
    bool has_question;
    struct slice question;
    const char *question_file; /* where the question is still to be read from */
    struct buf question_text;  /* what the slice points into */
    bool bookend;

    const char *instructions_given; /* TEXT of --instructions, or NULL */
    const char *instructions_file;
    bool no_instructions;
    bool cite;
    bool refuses;
    const char *refusal;       /* NULL: our words */
    struct slice instructions; /* as they are printed; empty for none */
    struct buf instructions_text;

    struct header header;
    struct path preamble; /* depth 0: none */
    const char *template_file;
    const char *chunk_template_file;
    struct template template;       /* no parts: none */
    struct template chunk_template; /* likewise */
    struct tag_names own_tags;      /* those that stand in the templates */
    bool strict_template;
    enum escape escape;
    bool tag_suffix;
};

/*
 * Fills options from the command line, with the defaults for what it leaves
 * open, and reads the question's file.  Returns STATUS_OK, or another status
 * after a message.  In either case the options are to be given to options_free().
 * Strings are not copied: argv must outlive the options.
 */
int options_parse(struct options *options, int argc, char **argv);

/* Tokens that are left of the budget after reserve and margin. */
size_t options_room(const struct options *options);

/* Whether tokens are shown of each chunk; or of it all, though nothing depends on them. */
bool options_shows_tokens(const struct options *options);
bool options_counts(const struct options *options);

/* The margin in force, in percent. */
size_t options_margin(const struct options *options);

void options_free(struct options *options);

/* Print to standard output by stdio; the caller checks the stream. */
void options_print_help(void);
void options_print_version(void);

#endif
