/* tags.h: the prompt's own tags, which a chunk can neither open nor close. */
#ifndef EDGEFOLD_TAGS_H
#define EDGEFOLD_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* The name of a tag, or, where a value follows it in a template, how one begins. */
struct tag_name {
    int32_t *visible; /* its characters, normalised for comparison */
    size_t length;
    bool is_start;
};

/* Names of tags beside those of the xml format; all zero to begin with. */
struct tag_names {
    struct tag_name *names; /* sorted */
    size_t count;
    size_t capacity;
};

/* Adds the names of the tags that a template opens or closes: <a>, </a>, <|a|>. */
void tags_collect(struct tag_names *more, struct slice markup);
void tags_free(struct tag_names *more);

/*
 * Adds text to out.  A "<" that begins one of the prompt's own tags, opening or
 * closing, becomes "&lt;"; nothing else changes, so that code and markup read as
 * before.  Texts are normalised for comparison (see visible.h).  With goes_on,
 * something follows the text that could end a tag that it begins, so the start of
 * one at its end counts, too.  Returns how many there were.
 */
size_t tags_add_escaped_own(struct buf *out, struct slice text, const struct tag_names *more,
                            bool goes_on);

/*
 * Adds text to out with every "&", "<" and ">" as an XML reference, and with the
 * quotation mark `quote` too, between two of which it goes (0: none).  So is a
 * full-width or small bracket that begins a tag of ours.  What XML 1.0 has no place
 * for at all becomes U+FFFD.  Returns how many there were.
 */
size_t tags_add_escaped_all(struct buf *out, struct slice text, char quote,
                            const struct tag_names *more);

#endif
