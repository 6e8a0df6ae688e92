/*
 * template.h: a text with {{names}} to be filled in.
 *
 * Nothing but substitution, in one pass over the template: what is filled in is
 * never looked at again, so that braces in a chunk or a question are just that.
 */
#ifndef EDGEFOLD_TEMPLATE_H
#define EDGEFOLD_TEMPLATE_H

#include <stddef.h>

#include "base/base.h"
#include "tags.h"
#include "json/json.h"

enum slot {
    SLOT_NONE, /* the template's own text */
    /* of a prompt */
    SLOT_CONTEXT,
    SLOT_INSTRUCTIONS,
    SLOT_QUESTION,
    /* of a chunk */
    SLOT_N,
    SLOT_TEXT,
    SLOT_RANK,
    SLOT_SCORE,
    SLOT_ID,
    SLOT_HEADER,
    SLOT_PREAMBLE,
    SLOT_MEMBER /* the member at a path */
};

struct template_part {
    enum slot slot;
    struct slice text;  /* SLOT_NONE: in the file's bytes */
    struct path member; /* SLOT_MEMBER */
    char quote;         /* around the attribute's value that the slot stands in; 0: none */
};

/* All zero is no template. */
struct template
{
    struct template_part *parts;
    size_t count;
    size_t capacity;
    struct buf bytes;
};

/* Which names a template may have. */
enum template_kind { TEMPLATE_PROMPT, TEMPLATE_CHUNK };

/*
 * Reads and takes apart the named file; the tags in it are added to own_tags.
 * Returns STATUS_OK, or after a message STATUS_SYSTEM, or STATUS_USAGE for what
 * is wrong in it, with file, line and column.  To be given to template_free() in
 * either case.
 */
int template_load(struct template *template, const char *file, enum template_kind kind,
                  struct tag_names *own_tags);
void template_free(struct template *template);

/* How often a slot stands in it. */
size_t template_uses(const struct template *template, enum slot slot);

#endif
