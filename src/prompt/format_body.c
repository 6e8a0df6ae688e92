/* format_body.c: the bodies of requests, see body.h. */
#include "format.h"

static const char *const no_markers[] = {NULL};

const struct format format_messages = {
    .choice = {"messages", NULL, "the body of a chat request: messages, in one line of JSON"},
    .body = BODY_MESSAGES,
    .seam = "",
    .context_end = "",
    .part_start = "",
    .instructions = "",
    .question = "",
    .markers = no_markers,
};

const struct format format_anthropic = {
    .choice = {"anthropic", NULL, "the same with a search_result block for each"},
    .body = BODY_ANTHROPIC,
    .seam = "",
    .context_end = "",
    .part_start = "",
    .instructions = "",
    .question = "",
    .markers = no_markers,
};

const struct format format_cohere = {
    .choice = {"cohere", NULL, "the same with a document for each"},
    .body = BODY_COHERE,
    .header_names = HEADER_MEMBERS,
    .seam = "",
    .context_end = "",
    .part_start = "",
    .instructions = "",
    .question = "",
    .markers = no_markers,
};
