/* chunk.h: what the stages hand on: every chunk that was read, and its fate. */
#ifndef EDGEFOLD_CHUNK_H
#define EDGEFOLD_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "json/path.h"

enum fate {
    FATE_KEPT,            /* in the output */
    FATE_BELOW_MIN_SCORE, /* worse than --min-score */
    FATE_DUPLICATE,       /* too similar to a better-ranked kept chunk */
    FATE_BEYOND_TOP,      /* after --top */
    FATE_OVER_BUDGET,     /* did not fit */
    FATE_NOT_RERANKED,    /* left out by the reranker's answer */
    FATE_FUSED,           /* a copy in another list was taken in its place */
    FATE_INVALID,         /* unusable: an empty text, or passed over by --skip-invalid */
    FATES
};

/* A value inside a chunk's object: where it starts and its length, in bytes. */
struct span {
    uint32_t at;
    uint32_t len;
};

struct chunk {
    const char *line;   /* to be written, without its line end; owned by its input or mended */
    const char *object; /* to be read: nearly always the line itself */
    uint32_t length;    /* of the line, in bytes */
    uint32_t object_length;
    uint32_t file;      /* index into chunks.files */
    uint32_t scope;     /* equal where all of --dedup-field are */
    size_t line_number; /* in its file, from 1 */
    struct span text;   /* between the quotes, still escaped */
    struct slice id;    /* as written, a string's quotes apart; empty when missing */
    struct slice score; /* likewise */
    double value;       /* of the score */
    bool scored;        /* a missing score is not zero */
    const char *reason; /* of an invalid chunk */
    enum fate fate;
    size_t turn;        /* settles equal scores, where it is set */
    size_t rank;        /* 1 is the best; 0 for a chunk that was dropped before ranking */
    size_t position;    /* 1 is the first in the output; 0 when dropped */
    size_t tokens;      /* of the text alone: --tokens, or as counted for NDJSON; else 0 */
    size_t cut;         /* bytes of the decoded text that are kept by --fit=truncate; 0: all */
    size_t needed;      /* over budget: tokens that it would have added; 0: not weighed */
    size_t tokens_left; /* over budget: how much of the budget was left for it */
    /* What a duplicate or fused chunk has lost to, and the similarity: shared words out of all
     * words. */
    const struct chunk *survivor;
    size_t shared;
    size_t united;
};

/* One file of input. */
struct file {
    struct input input;
    size_t first_chunk;   /* of its chunks, in chunks.all */
    bool lower_is_better; /* by the name of its score, or as an option says */
};

struct chunks {
    struct file *files;
    size_t file_count;
    struct chunk *all; /* in input order */
    size_t count;
    size_t capacity;
    struct chunk **ranked; /* all but the invalid, best first */
    size_t ranked_count;
    struct chunk **placed; /* the kept, in layout order */
    size_t placed_count;
    size_t tokens;        /* of the output, where the budget stage counted */
    bool frame_over;      /* a prompt without any chunk is over the budget */
    size_t neutralised;   /* tags, lines and characters in a prompt that were made harmless */
    bool lower_is_better; /* the direction in force */
    struct input answer;  /* a reranker's, where --rescore names one */
    struct arena mended;  /* bytes made here: mended lines, new scores */
    bool scored;          /* whether any chunk has a score */
};

/* Adds a zeroed chunk at the end and returns it; good until the next call. */
struct chunk *chunks_add(struct chunks *chunks);

size_t chunks_with_fate(const struct chunks *chunks, enum fate fate);

void chunks_free(struct chunks *chunks);

/* The text as UTF-8: a slice of the line or of scratch, good until scratch is used again. */
struct slice chunk_text(const struct chunk *chunk, struct buf *scratch);

/* The member at path as it is written in the chunk's object; a null slice without one. */
struct slice chunk_member(const struct chunk *chunk, const struct path *path);

/* What the chunk's spans and members are in. */
struct slice chunk_object(const struct chunk *chunk);

struct slice chunk_line(const struct chunk *chunk);

/* Score and id as written, empty when they are missing; a string id is still escaped. */
struct slice chunk_score(const struct chunk *chunk);
struct slice chunk_id(const struct chunk *chunk);

/*
 * What the id says, byte for byte, which need not be UTF-8: a slice of the input or of
 * scratch, good until scratch is used again.
 */
struct slice chunk_id_text(const struct chunk *chunk, struct buf *scratch);

#endif
