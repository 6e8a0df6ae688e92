/*
 * page.h: the report as one HTML page, piece by piece.
 *
 * The context as a strip (page_strip.c), every chunk that is told of (page_chunk.c), and
 * around them head, totals, options and messages (page.c).  page.css and page.js are put
 * into the program by the Makefile.  Kept texts are whole; what is too much to be looked
 * through is left out by number, so that the page stays small: see the limits below.
 */
#ifndef EDGEFOLD_PAGE_H
#define EDGEFOLD_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "markup.h"
#include "output.h"

/* Kept chunks that are told of, half of them from each end, and dropped ones of a fate. */
#define PAGE_KEPT_MOST ((size_t)5000)
#define PAGE_DROPPED_MOST ((size_t)2000)

/* Bytes of text that dropped chunks of one fate have together, with what they are beside. */
#define PAGE_DROPPED_TEXT ((size_t)2 << 20)

/* A page being written. */
struct page {
    const struct chunks *chunks;
    const struct output_options *output;
    const struct budget_options *budget;
    const struct prompt_options *prompt;
    json_t *settings;           /* options by their names; not owned */
    const struct chunk **order; /* by rank, then those without */
    bool *told;                 /* by place in the input: the page tells of the chunk */
    size_t *beaten;             /* by place, from 1: a duplicate of it that is told of, or 0 */
    size_t *beaten_next;        /* and the next duplicate of the same */
    struct score_range range;
    size_t room;    /* bytes that dropped texts may still take */
    size_t *widths; /* those that the strip has, each a rule of the style */
    size_t width_count;
    size_t width_capacity;
    struct text_spans lacking; /* words of one text that another has not */
    struct buf raw;            /* words before they are escaped */
    struct buf scratch;        /* texts and ids that are decoded */
    struct buf other;          /* the text beside */
    struct buf repaired[2];
    struct buf strip; /* made first, since the style's rules come of it */
    struct buf out;   /* what goes to the file next */
    struct outfile *file;
};

/* The index of a chunk among all, which its element's id has. */
size_t page_index(const struct page *page, const struct chunk *chunk);

/* From 1 to 10, how dark the chunk's score is among the kept; 0: it has none. */
unsigned page_shade(const struct page *page, const struct chunk *chunk);

/* The kept chunk at a place in the output is one that the page tells of. */
bool page_tells_of_kept(const struct page *page, size_t place);

/* Adds what words before the last call have put into page->raw, as text, and empties it. */
void page_add_raw(struct page *page, struct buf *out);

/* Adds the chunk's id, or FILE:LINE where it has none, as text. */
void page_add_name(struct page *page, struct buf *out, const struct chunk *chunk);

/* Fills page->strip with the context, and notes the widths that it has. */
void page_make_strip(struct page *page);

/* The line of the budget. */
void page_make_budget(struct page *page);

/* The kept chunks in the order of the output, with the question; the dropped by fate. */
void page_add_kept(struct page *page);
void page_add_dropped(struct page *page);

/* Chooses which chunks are told of: to be called before all of these. */
void page_choose(struct page *page);

#endif
