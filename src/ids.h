/* ids.h: which chunks have the ids that options name. */
#ifndef EDGEFOLD_IDS_H
#define EDGEFOLD_IDS_H

#include "chunk.h"

/*
 * Finds chunks by their ids.  Where many are asked for, an index is made, so that each
 * chunk's id is looked at once and not once for each.
 */
struct ids {
    const struct chunks *chunks;
    struct interner keys; /* of the ids, and of what was looked for */
    uint32_t *first;      /* by key: the first chunk that has it, from 1 on */
    uint32_t *next;       /* by chunk: the next one that has its key, from 1 on; 0: none */
    size_t key_count;     /* of those that chunks have */
    struct interner places;
    uint32_t *first_at; /* by place: the first chunk that is called by it, from 1 on; or NULL */
    size_t place_count;
};

/*
 * Gets ready for so many look-ups; to be given to ids_free().  The chunks must outlive it,
 * and none may be added meanwhile; their fates and ranks may change.
 */
void ids_open(struct ids *ids, const struct chunks *chunks, size_t lookups);
void ids_free(struct ids *ids);

/* Goes through the chunks that have an id. */
struct id_search {
    const char *id;
    size_t at[2]; /* of either key that it may have, or of all chunks: the next, from 1 on */
    struct buf scratch;
};

struct id_search ids_search(struct ids *ids, const char *id);

/* The next one in the order of the input; NULL, and the search is over, when there is none. */
struct chunk *ids_next(const struct ids *ids, struct id_search *search);

/*
 * The chunk with the id that is where it should be, if any is: kept (with at_edge:
 * first or last), else the best-ranked of those with the id.  NULL: none has it.
 */
struct chunk *ids_find(struct ids *ids, const char *id, bool at_edge);

/* Which of two chunks with one id that is; found is the one so far, or NULL. */
struct chunk *ids_answer(const struct chunks *chunks, struct chunk *found, struct chunk *chunk,
                         bool at_edge);

/* The first chunk whose place is called so, see fate_add_place(); NULL: there is none. */
struct chunk *ids_at_place(struct ids *ids, const char *place);

/*
 * The other way round, for many names and one group of chunks after the other: which names
 * mean a chunk.  What it costs goes with the chunks.
 */
struct id_names {
    struct id_name *sorted; /* by key; a name that may be a number has two */
    size_t count;
    size_t capacity;
    struct arena arena; /* of the keys */
    struct buf key;
    struct buf scratch;
};

/* Adds a name with a number of the caller's; all zero has none yet. */
void id_names_add(struct id_names *names, const char *name, size_t number);
void id_names_free(struct id_names *names);

/* To be called between the last id_names_add() and the first id_names_find(). */
void id_names_sort(struct id_names *names);

/*
 * Goes through the numbers of the names that mean a chunk, from the least up: `place` is 0 to
 * begin with.  False after the last.
 */
bool id_names_find(struct id_names *names, const struct chunk *chunk, size_t *place,
                   size_t *number);

#endif
