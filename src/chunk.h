/* chunk.h: what the stages hand on: every chunk that was read, and its fate. */
#ifndef EDGEFOLD_CHUNK_H
#define EDGEFOLD_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "fate.h"
#include "json/json.h"

/* A value inside a chunk's object: where it starts and its length, in bytes. */
struct span {
    uint32_t at;
    uint32_t len;
};

/* What most chunks have nothing of, apart: there may be millions of chunks. */
struct chunk_details {
    const uint32_t *list_ranks; /* fused: by file, its rank there or 0; in the arena */
    /* In a passage, the chunk whose text this one's goes on from or stands in; else NULL. */
    const struct chunk *joined;
    uint32_t overlap; /* bytes of the decoded text that were said there */
    uint32_t overlap_points;
    uint32_t tie_break;     /* settles equal scores, where it is set */
    uint32_t truncated;     /* bytes of the decoded text that --fit=truncate keeps; 0: all */
    union {                 /* what tells of its fate: see fate_evidence() */
        const char *reason; /* invalid */
        struct {
            /* What a duplicate or fused chunk has lost to; shared terms out of all. */
            const struct chunk *survivor;
            uint32_t shared;
            uint32_t united;
        };
        struct {
            size_t needed;      /* over budget: tokens that it would have added; 0: not counted */
            size_t tokens_left; /* how much of the budget was left for it */
        };
    };
};

/* What is read of a line in its place, which came before: bytes that are UTF-8. */
struct repaired {
    const char *line;
    uint32_t object_length;
    char object[];
};

/* There may be millions of them: what is small stands together, and the whole has no gaps. */
struct chunk {
    union {
        const char *line; /* as it came, without its line end; its file's, or in the arena */
        const struct repaired *repaired; /* where is_repaired; in the arena */
    };
    const char *score;             /* as written, a string's quotes apart */
    struct chunk_details *details; /* see details_of() */
    double value;                  /* of the score */
    size_t line_number;            /* in its file, from 1 */
    size_t rank;        /* 1 is the best; 0 for a chunk that was dropped before ranking */
    size_t position;    /* 1 is the first in the output; 0 when dropped; of a passage one */
    size_t tokens;      /* of the text alone: its own figure, or as counted for NDJSON; else 0 */
    uint32_t file;      /* index into chunks.files */
    uint32_t length;    /* of the line as it came, in bytes */
    struct span text;   /* in what is read, between the quotes, still escaped */
    uint32_t id_at;     /* in the line as it came, as written, a string's quotes apart */
    uint32_t id_length; /* 0: it has none */
    uint32_t score_length;
    uint32_t group; /* equal in the chunks of one group; 0: the chunk is alone */
    uint32_t pin;   /* counts from the edge inwards, from 1; 0: it is not pinned */
    enum fate fate : 8;
    bool pinned_last : 1;
    bool scored : 1;       /* a missing score is not zero */
    bool is_object : 1;    /* its line is JSON, usable or not */
    bool is_empty : 1;     /* its text is empty or null, and so it is invalid */
    bool is_repaired : 1;  /* it is not the line itself that is read */
    bool is_rewritten : 1; /* the line is not written as it came: see chunk_line() */
};

/* Where text, score and id are, as paths; NULL: nowhere. */
struct field_names {
    const char *text;
    const char *score;
    const char *id;
};

/* One file of input. */
struct file {
    struct input input;
    bool is_document;     /* its chunks are elements of one; their line numbers count these */
    size_t first_chunk;   /* of its chunks, in chunks.all */
    bool lower_is_better; /* by the name of its score, or as an option says */
    struct field_names fields;
};

/* Whether two files have all three at the same paths, or none there. */
bool fields_equal(const struct field_names *a, const struct field_names *b);

/* What the stages held chunks against, for the words about their fates. */
struct limits {
    const char *min_score; /* as written */
    size_t top;
    size_t per_group;
    bool shingles; /* terms are runs of words */
};

struct chunks {
    struct slice group;    /* of --each: what it is called; a null slice: all is one */
    struct slice question; /* of the group, where it is in its lines */
    struct file *files;
    size_t file_count;
    bool files_are_lent; /* they are another's, who frees them */
    struct chunk *all;   /* in input order */
    size_t count;
    size_t capacity;
    struct chunk **ranked; /* those that were left to be ranked, best first */
    size_t ranked_count;
    struct chunk **placed; /* the kept, in layout order */
    size_t placed_count;
    size_t document_count; /* positions that they have: a passage has one */
    size_t tokens;         /* of the output, where the budget stage counted */
    bool frame_over;       /* a prompt without any chunk is over the budget */
    bool pins_over;        /* it is with the pinned chunks alone */
    size_t unused;         /* tokens of the budget that --fit=prefix leaves, if that is a lot */
    bool truncate_could;   /* and whether --fit=truncate could, which is for prompts */
    size_t skip_would;     /* how many of those --fit=skip would use; 0 where nobody asked */
    size_t repeated;       /* percent of the kept text that was said before; see --stitch */
    size_t neutralised;    /* tags, lines and characters in a prompt that were escaped */
    bool lower_is_better;  /* the direction in force */
    struct limits limits;
    struct input answer; /* a reranker's, where --rescore names one */
    struct arena arena;  /* bytes made here: repaired objects, new scores */
};

/* Adds where text, score and id of a file are, as "text at passage, score at score, no id". */
void fields_describe(struct buf *out, const struct file *file, const struct chunks *chunks);

/* Adds a zeroed chunk at the end and returns it; good until the next call. */
struct chunk *chunks_add(struct chunks *chunks);

/* How many chunks have met this fate. */
size_t chunks_with_fate(const struct chunks *chunks, enum fate fate);

/* What to say where no chunk has an id. */
const char *chunks_no_such_id(const struct chunks *chunks);

/* Whether a chunk is kept, and with at_edge first or last. */
bool chunks_has_placed(const struct chunks *chunks, const struct chunk *chunk, bool at_edge);

/* How many of the placed chunks, from one on, make one document: more than one are a passage. */
size_t chunks_in_document(const struct chunks *chunks, size_t first);

/* All chunks by rank, then those without one as they came; to be given to free(). */
const struct chunk **chunks_by_rank(const struct chunks *chunks);

/* Between which scores the line was drawn, duplicates apart; NULL: there is no such chunk. */
struct cutoff {
    const struct chunk *worst_kept;
    const struct chunk *best_dropped;
};
struct cutoff chunks_cutoff(const struct chunks *chunks);

/* How good the placed scores are: their ends, higher being better whatever the direction. */
struct score_range {
    double worst;
    double best;
    bool any;
};
struct score_range chunks_score_range(const struct chunks *chunks);

/* A chunk's score by the same measure; of infinite ones differences are still numbers. */
double chunks_goodness(const struct chunks *chunks, const struct chunk *chunk);

/* Frees the chunks and all that was made for them, with their files' bytes; none are left. */
void chunks_free(struct chunks *chunks);

/* The chunk's details, all zero where it has none. */
const struct chunk_details *details_of(const struct chunk *chunk);

/* The same to be changed, made where it has none: in the chunks' arena. */
struct chunk_details *details_for(struct arena *arena, struct chunk *chunk);

/* Gives the chunk details of its own, where it has any: those that it had are left as they are. */
void chunk_copy_details(struct arena *arena, struct chunk *chunk);

/* Takes from the chunk what it shares with others in a passage. */
void chunk_unjoin(struct chunk *chunk);

/*
 * Gives the chunk the score that a value says: a number, a string that is wholly one, or
 * such a string as MongoDB wraps it.  Null, NaN and an absent value are a missing score.
 * False for anything else.
 */
bool chunk_set_score(struct chunk *chunk, struct slice value);

/* The text as UTF-8: a slice of the line or of scratch, good until scratch is used again. */
struct slice chunk_text(const struct chunk *chunk, struct buf *scratch);

/* The text between its quotes in what is read, still escaped. */
struct slice chunk_escaped_text(const struct chunk *chunk);

/* The member at path as it is written in the chunk's object; a null slice without one. */
struct slice chunk_member(const struct chunk *chunk, const struct path *path);

/* The same for telling values apart: with its bytes that are not UTF-8, as ids have them. */
struct slice chunk_member_as_it_came(const struct chunk *chunk, const struct path *path);

/* What the chunk's spans and members are in. */
struct slice chunk_object(const struct chunk *chunk);

/* Sets what is read in the line's place, by a copy of its own; the byte after it can be read. */
void chunk_set_object(struct arena *arena, struct chunk *chunk, struct slice object);

/* The line as it came, without its line end; the byte after it can be read. */
struct slice chunk_line_as_it_came(const struct chunk *chunk);

/*
 * What is written of the chunk where it is kept: the line as it came, or made of it in
 * scratch, good until that is used again, as bare NaN cannot be written.
 */
struct slice chunk_line(const struct chunk *chunk, struct buf *scratch);

/* Adds the same to out, where the chunk is rewritten; it is shorter than two such lines. */
void chunk_add_rewritten(struct buf *out, const struct chunk *chunk);

/* Id and score as they are written; empty when missing. */
struct slice chunk_id(const struct chunk *chunk);
struct slice chunk_score(const struct chunk *chunk);

/*
 * Adds what tells the chunk's text from any other: what it says, or, where that is not
 * all that was written (bytes that are not UTF-8, halves of surrogate pairs), what was.
 */
void chunk_add_text_key(struct buf *key, const struct chunk *chunk);

/*
 * Adds what tells the chunk's id from any other; numbers are the same however they are
 * written.  Nothing is added where the chunk has none.
 */
void chunk_add_id_key(struct buf *key, const struct chunk *chunk);

/* Whether the id is a number in its line, and not a string. */
bool chunk_has_number_id(const struct chunk *chunk);

/* Whether the chunk has the id that somebody has written: as text, or as a number's worth. */
bool chunk_has_id(const struct chunk *chunk, struct slice id, struct buf *scratch);

/*
 * What the id says, byte for byte, which need not be UTF-8: a slice of the input or of
 * scratch, good until scratch is used again.
 */
struct slice chunk_id_text(const struct chunk *chunk, struct buf *scratch);

#endif
