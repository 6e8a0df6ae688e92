/*
 * prompt.h: the kept chunks as a text for a language model, the question last.
 *
 * A prompt is a head, a block for each chunk, and a tail, in one of the formats
 * (format.h) or by templates (template.h).  Whoever counts it and whoever writes it
 * takes these pieces from the same renderer.  Nothing that comes from a chunk can
 * close, open or imitate what a prompt is made of (escape.h).
 */
#ifndef EDGEFOLD_PROMPT_H
#define EDGEFOLD_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "body.h"
#include "chunk.h"
#include "header.h"
#include "tags.h"
#include "template.h"
#include "json/json.h"

/* The rows of format_choices that are defaults: without a question, and with one. */
enum { FORMAT_NDJSON, FORMAT_XML };
#define FORMAT_BY_QUESTION SIZE_MAX

enum escape {
    ESCAPE_OWN, /* what would open or close a tag of ours */
    ESCAPE_ALL, /* what XML asks for */
    ESCAPES
};

extern const struct choices format_choices;
extern const struct choices context_choices;

/* What a block costs a provider beyond its strings, in tokens, unless it is said. */
#define OVERHEAD_DEFAULT 10
#define CONTEXT_UNSET SIZE_MAX
extern const struct choices escape_choices;

struct prompt_options {
    size_t format;  /* a row of format_choices; FORMAT_BY_QUESTION until it is settled */
    size_t context; /* of messages: a row of context_choices; CONTEXT_UNSET until settled */
    bool context_given;
    size_t overhead; /* of a block or message in a body, in tokens */
    bool overhead_given;
    struct path source; /* of a search result; depth 0: its id */
    struct path title;
    bool has_question;
    bool asks_once;            /* it is the same for all; else each group of --each has its own */
    struct slice question;     /* as it is printed, once settled */
    const char *question_file; /* where it is still to be read from, or NULL */
    struct buf question_text;  /* what the slice points into */
    bool bookend;

    const char *own_instructions; /* TEXT of --instructions, or NULL */
    const char *instructions_file;
    bool no_instructions;
    bool cite;
    bool refuses;
    const char *refusal;       /* NULL: our words */
    struct slice instructions; /* as they are printed, once settled; empty for none */
    struct buf instructions_text;

    struct header header;
    struct path preamble; /* depth 0: none */
    const char *template_file;
    const char *chunk_template_file;
    struct template template;       /* no parts: none */
    struct template chunk_template; /* likewise */
    struct tag_names own_tags;      /* those that stand in the templates */
    bool strict_template;
    size_t escape; /* enum escape */
    bool tag_suffix;
};

/* Whether chunks leave as a prompt, and not as the lines they came as. */
bool prompt_is_wanted(const struct prompt_options *options);

/*
 * Returns STATUS_OK, or STATUS_USAGE after a message for options that the format in
 * force does not have.
 */
int prompt_check(const struct prompt_options *options);

/*
 * Reads what comes from files, and puts question and instructions in the form in
 * which they are printed.  Returns STATUS_OK, or after a message STATUS_USAGE for
 * parts that do not go together, or STATUS_SYSTEM.
 */
int prompt_settle(struct prompt_options *options);

/* Sets the question to another one, in the form in which it is printed. */
void prompt_ask(struct prompt_options *options, struct slice question);

void prompt_options_free(struct prompt_options *options);

/* Renders prompts piece by piece. */
struct renderer;

/* A renderer for these chunks; to be given to renderer_free(). */
struct renderer *renderer_new(const struct chunks *chunks, const struct prompt_options *options);
void renderer_free(struct renderer *renderer);

/* What stands before the first block, and after the last (question included). */
void render_head(struct renderer *renderer, struct buf *out);
void render_tail(struct renderer *renderer, struct buf *out);

/*
 * A chunk's block, with its number in the prompt.  The text is the chunk's, as
 * render_text() gives it, or what is to stand in its place.
 */
void render_block(struct renderer *renderer, struct buf *out, const struct chunk *chunk,
                  size_t number, struct slice text);

/*
 * The text as it goes into its block: decoded, and where the budget truncates it,
 * truncated and marked.  Good until the next call.
 */
struct slice render_text(struct renderer *renderer, const struct chunk *chunk);

/* The same of a passage, whose first chunk is the one that is placed there; good until the next. */
struct slice render_document_text(struct renderer *renderer, const struct chunks *chunks,
                                  size_t first);

/* The first `length` bytes of a text and the mark of a cut; good until the next call. */
#define RENDER_TRUNCATED_MARK " [...]"
struct slice render_truncated(struct renderer *renderer, struct slice text, size_t length);

/*
 * Adds the whole to out, with the chunks as they are placed.  With flush, out is
 * given to it when it has grown large and at the end: it is to write and empty it
 * and to return a status, which is returned.
 */
int render_all(struct renderer *renderer, struct buf *out, const struct chunks *chunks,
               int (*flush)(struct buf *out));

/*
 * What every block and the tail begin with, as far as a tokenizer looks back from
 * there: a piece costs what it adds before this.  Only without templates is that so
 * (see render_is_additive()).
 */
struct slice render_seam(const struct renderer *renderer);

/* Whether the tokens of the whole are the sum of the pieces', each counted before the seam. */
bool render_is_additive(const struct renderer *renderer);

/* How often a block has the chunk's text. */
size_t render_text_uses(const struct renderer *renderer);

/* How many tags, lines and characters were escaped so far. */
size_t renderer_escapes(const struct renderer *renderer);

#endif
