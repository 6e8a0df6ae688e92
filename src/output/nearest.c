/* nearest.c: see nearest.h. */
#include "nearest.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/base.h"

/* What differs is compared letter by letter up to so many bytes; else it is all different. */
#define LONGEST_DIFFERENCE 32

struct known_id {
    const struct chunk *chunk;
    struct slice text;
    uint64_t letters; /* see letters_of() */
};

struct nearest {
    struct known_id *ids; /* by rank, then as they came */
    size_t count;
    struct arena arena;   /* of ids that are written with escapes */
    uint64_t places[256]; /* see slips(); all zero in between */
};

/* A bit for each byte that is there; some share one. */
static uint64_t letters_of(struct slice text)
{
    uint64_t letters = 0;
    for (size_t i = 0; i < text.len; i++) {
        letters |= (uint64_t)1 << ((unsigned char)text.at[i] & 63);
    }
    return letters;
}

static unsigned count_bits(uint64_t bits)
{
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Slips that there are at least: a letter that one of the two has not is one. */
static size_t least_slips(const struct known_id *a, const struct known_id *b)
{
    size_t longer = larger(a->text.len, b->text.len);
    size_t shorter = a->text.len + b->text.len - longer;
    size_t lost =
        larger(count_bits(a->letters & ~b->letters), count_bits(b->letters & ~a->letters));
    return larger(longer - shorter, lost);
}

/*
 * Letters that are put in, left out, changed, or two that have changed places, from one text
 * of at most 64 bytes to another: a column of the table of distances in one word, as
 * differences from row to row (Hyyrö 2003, "A bit-vector algorithm for computing Levenshtein
 * and Damerau edit distances").
 */
static size_t slips(uint64_t places[256], struct slice a, struct slice b)
{
    if (a.len == 0) {
        return b.len;
    }
    for (size_t i = 0; i < a.len; i++) {
        places[(unsigned char)a.at[i]] |= (uint64_t)1 << i;
    }
    uint64_t more = UINT64_MAX; /* rows that are one more than the row above */
    uint64_t less = 0;
    uint64_t same = 0; /* rows that are what is up to the left of them */
    uint64_t before = 0;
    uint64_t last = (uint64_t)1 << (a.len - 1);
    size_t distance = a.len;
    for (size_t i = 0; i < b.len; i++) {
        uint64_t here = places[(unsigned char)b.at[i]];
        uint64_t turned = ((~same & here) << 1) & before;
        same = (((here & more) + more) ^ more) | here | less | turned;
        uint64_t right_more = less | ~(same | more);
        uint64_t right_less = same & more;
        distance += (right_more & last) != 0;
        distance -= (right_less & last) != 0;
        right_more = right_more << 1 | 1;
        more = right_less << 1 | ~(same | right_more);
        less = right_more & same;
        before = here;
    }
    for (size_t i = 0; i < a.len; i++) {
        places[(unsigned char)a.at[i]] = 0;
    }
    return distance;
}

/* How far two ids are from one another: slips, after what they have in common at both ends. */
static size_t id_distance(struct nearest *nearest, struct slice a, struct slice b)
{
    while (a.len > 0 && b.len > 0 && a.at[0] == b.at[0]) {
        a = slice_from(a, 1);
        b = slice_from(b, 1);
    }
    while (a.len > 0 && b.len > 0 && a.at[a.len - 1] == b.at[b.len - 1]) {
        a.len--;
        b.len--;
    }
    size_t longer = larger(a.len, b.len);
    return longer > LONGEST_DIFFERENCE ? longer : slips(nearest->places, a, b);
}

struct nearest *nearest_new(const struct chunks *chunks)
{
    struct nearest *nearest = mem_zeroed(1, sizeof *nearest);
    nearest->ids = mem_zeroed(chunks->count, sizeof *nearest->ids);
    const struct chunk **order = chunks_by_rank(chunks);
    struct buf scratch = {0};
    for (size_t i = 0; i < chunks->count; i++) {
        if (order[i]->id_length > 0) {
            struct slice text = chunk_id_text(order[i], &scratch);
            if (text.at == scratch.at && text.len > 0) {
                char *copy = arena_alloc(&nearest->arena, text.len);
                memcpy(copy, text.at, text.len);
                text.at = copy;
            }
            nearest->ids[nearest->count++] = (struct known_id){order[i], text, letters_of(text)};
        }
    }
    buf_free(&scratch);
    free(order);
    return nearest;
}

void nearest_free(struct nearest *nearest)
{
    if (nearest != NULL) {
        arena_free(&nearest->arena);
        free(nearest->ids);
        free(nearest);
    }
}

size_t nearest_find(struct nearest *nearest, const char *id, const struct chunk *found[NEAREST])
{
    struct known_id asked = {.text = slice_of(id), .letters = letters_of(slice_of(id))};
    size_t distances[NEAREST];
    size_t count = 0;
    for (size_t i = 0; i < nearest->count; i++) {
        const struct known_id *known = &nearest->ids[i];
        size_t farthest = count < NEAREST ? SIZE_MAX : distances[NEAREST - 1];
        if (least_slips(&asked, known) >= farthest) {
            continue;
        }
        size_t distance = id_distance(nearest, asked.text, known->text);
        size_t place = count;
        for (; place > 0 && distance < distances[place - 1]; place--) {
            if (place < NEAREST) {
                distances[place] = distances[place - 1];
                found[place] = found[place - 1];
            }
        }
        if (place < NEAREST) {
            distances[place] = distance;
            found[place] = known->chunk;
            count += count < NEAREST;
        }
    }
    return count;
}
