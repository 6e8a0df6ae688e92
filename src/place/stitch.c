/* stitch.c: see stitch.h. */
#include "stitch.h"

#include <stdlib.h>

#include "overlaps.h"
#include "squeeze.h"

/*
 * Of a text's overlaps so many are looked at, the longest first; only a text that repeats
 * itself over and over has more.
 */
#define MOST_TRIES 64

/* That a text goes on in another one. */
struct seam {
    uint32_t text;
    uint32_t next;
    unsigned tries; /* overlaps that were looked at */
    size_t points;  /* code points of the overlap, white space at its edges included */
    struct overlap overlap;
};

/* Texts by their numbers, which are their chunks' places by rank. */
struct stitcher {
    struct chunk *const *chunks;
    uint32_t count;
    struct arena arena;
    struct arena *details; /* where the chunks' are made */
    struct squeezed *texts;
    size_t least; /* code points of an overlap */
    struct overlaps *overlaps;
    uint32_t *before; /* the text that each goes on from, or NO_TEXT */
    uint32_t *after;
    size_t *shared;        /* bytes of squeezed text that it shares with the one before, */
    size_t *shared_points; /* and code points */
    uint32_t *far;         /* of a chain's first text its last, and the other way round */
    struct seam *heap;     /* of each text its best seam that is left; the best on top */
    size_t heap_count;
    struct buf scratch;
};

static bool stands_in_another(const struct stitcher *stitcher, uint32_t text)
{
    return overlaps_container(stitcher->overlaps, text).text != NO_TEXT;
}

/* Whether `next` can come after the text: it does so for no other, and closes no circle. */
static bool can_follow(const struct stitcher *stitcher, uint32_t text, uint32_t next)
{
    return stitcher->before[next] == NO_TEXT && next != text && stitcher->far[text] != next &&
           !stands_in_another(stitcher, next);
}

/*
 * The code points of an overlap with one text: at its edges with a space where both have
 * one.  0: only one has, so it is none.
 */
static size_t points_with(const struct stitcher *stitcher, uint32_t text, uint32_t next,
                          const struct overlap *overlap)
{
    const struct squeezed *before = &stitcher->texts[text];
    const struct squeezed *after = &stitcher->texts[next];
    bool space_left = before->text.at[overlap->at - 1] == ' ';
    bool space_right = after->text.at[before->text.len - overlap->at] == ' ';
    if ((after->space_before && !space_left) || (before->space_after && !space_right)) {
        return 0;
    }
    return overlap->points + after->space_before + before->space_after;
}

/* Sets the seam to the best text of its overlap that can follow; false: there is none. */
static bool choose_next(const struct stitcher *stitcher, struct seam *seam)
{
    seam->next = NO_TEXT;
    seam->points = 0;
    for (uint32_t i = 0; i < seam->overlap.count; i++) {
        uint32_t next = overlaps_sorted(stitcher->overlaps, seam->overlap.first + i);
        if (!can_follow(stitcher, seam->text, next)) {
            continue;
        }
        size_t points = points_with(stitcher, seam->text, next, &seam->overlap);
        bool longer = points > seam->points || (points == seam->points && next < seam->next);
        if (points >= stitcher->least && longer) {
            seam->next = next;
            seam->points = points;
        }
    }
    return seam->next != NO_TEXT;
}

/* Sets the seam of the text to the longest that is left, from its own on; false: none is. */
static bool find_seam(const struct stitcher *stitcher, struct seam *seam)
{
    while (!choose_next(stitcher, seam)) {
        if (seam->tries++ == MOST_TRIES ||
            !overlaps_find(stitcher->overlaps, seam->text, seam->overlap.at + 1, &seam->overlap)) {
            return false;
        }
    }
    return true;
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The longer, then that of the best chunk, then that of the better other one. */
static bool is_better(const struct seam *a, const struct seam *b)
{
    if (a->points != b->points) {
        return a->points > b->points;
    }
    uint32_t best_a = lesser(a->text, a->next);
    uint32_t best_b = lesser(b->text, b->next);
    return best_a != best_b ? best_a < best_b : a->text + a->next < b->text + b->next;
}

static void sift_down(struct stitcher *stitcher, size_t i)
{
    struct seam *heap = stitcher->heap;
    struct seam seam = heap[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child + 1 < stitcher->heap_count && is_better(&heap[child + 1], &heap[child])) {
            child++;
        }
        if (child >= stitcher->heap_count || !is_better(&heap[child], &seam)) {
            break;
        }
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = seam;
}

static void join(struct stitcher *stitcher, const struct seam *seam)
{
    uint32_t first = stitcher->far[seam->text];
    uint32_t last = stitcher->far[seam->next];
    stitcher->after[seam->text] = seam->next;
    stitcher->before[seam->next] = seam->text;
    stitcher->shared[seam->next] = stitcher->texts[seam->text].text.len - seam->overlap.at;
    stitcher->shared_points[seam->next] = seam->overlap.points;
    stitcher->far[first] = last;
    stitcher->far[last] = first;
}

/* What is truncated ends there, so nothing can follow. */
static bool can_go_on(const struct stitcher *stitcher, uint32_t text)
{
    return details_of(stitcher->chunks[text])->truncated == 0 && !stands_in_another(stitcher, text);
}

/* Joins texts, the best seams first. */
static void join_all(struct stitcher *stitcher)
{
    for (uint32_t i = 0; i < stitcher->count; i++) {
        struct seam seam = {.text = i};
        if (can_go_on(stitcher, i) && find_seam(stitcher, &seam)) {
            stitcher->heap[stitcher->heap_count++] = seam;
        }
    }
    for (size_t i = stitcher->heap_count / 2; i-- > 0;) {
        sift_down(stitcher, i);
    }
    while (stitcher->heap_count > 0) {
        struct seam *top = &stitcher->heap[0];
        if (can_follow(stitcher, top->text, top->next)) {
            join(stitcher, top);
            *top = stitcher->heap[--stitcher->heap_count];
        } else if (!find_seam(stitcher, top)) {
            *top = stitcher->heap[--stitcher->heap_count];
        }
        if (stitcher->heap_count > 0) {
            sift_down(stitcher, 0);
        }
    }
}

/*
 * Bytes of a text that the one before it ends with, of which so many squeezed ones are
 * shared: with the white space behind, as far as the other has the same there.
 */
static size_t overlap_bytes(struct slice before, struct slice text, size_t shared)
{
    size_t bytes = squeeze_offset(text, shared);
    struct slice left = space_after(before);
    struct slice right = space_before(slice_from(text, bytes));
    size_t same = 0;
    while (same < left.len && same < right.len && left.at[same] == right.at[same]) {
        same++;
    }
    while (same > 0 && bytes + same < text.len &&
           ((unsigned char)text.at[bytes + same] & 0xc0) == 0x80) {
        same--; /* no half of a character */
    }
    return bytes + same;
}

/* That a text stands in the one that it joins. */
static void set_inside(struct stitcher *stitcher, uint32_t text, const struct chunk *joined)
{
    struct chunk *chunk = stitcher->chunks[text];
    struct slice whole = chunk_text(chunk, &stitcher->scratch);
    struct chunk_details *details = details_for(stitcher->details, chunk);
    details->joined = joined;
    details->overlap = (uint32_t)whole.len;
    details->overlap_points = (uint32_t)utf8_length(whole);
}

/* That a text goes on from the one before it. */
static void set_overlap(struct stitcher *stitcher, uint32_t text)
{
    uint32_t before = stitcher->before[text];
    struct chunk *chunk = stitcher->chunks[text];
    struct buf other = {0};
    struct chunk_details *details = details_for(stitcher->details, chunk);
    details->joined = stitcher->chunks[before];
    if (stitcher->texts[before].unchanged && stitcher->texts[text].unchanged) {
        details->overlap = (uint32_t)stitcher->shared[text];
        details->overlap_points = (uint32_t)stitcher->shared_points[text];
        return;
    }
    struct slice whole = chunk_text(chunk, &stitcher->scratch);
    details->overlap =
        (uint32_t)overlap_bytes(chunk_text(details->joined, &other), whole, stitcher->shared[text]);
    details->overlap_points = (uint32_t)utf8_length((struct slice){whole.at, details->overlap});
    buf_free(&other);
}

/* Chunks in the order of their passages, being put together. */
struct sequence {
    struct chunk **chunks;
    struct stretch *stretches; /* or NULL */
    size_t count;
};

static void add_to(struct sequence *sequence, struct stretch stretch)
{
    sequence->chunks[sequence->count] = stretch.chunk;
    if (sequence->stretches != NULL) {
        sequence->stretches[sequence->count] = stretch;
    }
    sequence->count++;
}

/* Texts by what they stand in: first[] and next[] are lists, the best of each first. */
struct insides {
    uint32_t *first;
    uint32_t *next;
};

/* A text and what stands in it; returns where the next may begin in the passage. */
static void add_text(struct stitcher *stitcher, struct sequence *sequence,
                     const struct insides *insides, uint32_t text, size_t from)
{
    struct chunk *chunk = stitcher->chunks[text];
    add_to(sequence, (struct stretch){chunk, NULL, from, from + stitcher->texts[text].text.len,
                                      stitcher->before[text] == NO_TEXT});
    for (uint32_t i = insides->first[text]; i != NO_TEXT; i = insides->next[i]) {
        size_t at = from + overlaps_container(stitcher->overlaps, i).at;
        set_inside(stitcher, i, chunk);
        add_to(sequence, (struct stretch){stitcher->chunks[i], chunk, at,
                                          at + stitcher->texts[i].text.len, false});
    }
}

static void add_passage(struct stitcher *stitcher, struct sequence *sequence,
                        const struct insides *insides, uint32_t first)
{
    size_t from = 0;
    for (uint32_t text = first; text != NO_TEXT; text = stitcher->after[text]) {
        uint32_t before = stitcher->before[text];
        if (before != NO_TEXT) {
            from += stitcher->texts[before].text.len - stitcher->shared[text];
            set_overlap(stitcher, text);
        }
        add_text(stitcher, sequence, insides, text, from);
    }
}

static struct insides find_insides(const struct stitcher *stitcher)
{
    struct insides insides = {mem_zeroed(stitcher->count, sizeof *insides.first),
                              mem_zeroed(stitcher->count, sizeof *insides.next)};
    for (uint32_t i = 0; i < stitcher->count; i++) {
        insides.first[i] = NO_TEXT;
    }
    for (uint32_t i = stitcher->count; i-- > 0;) {
        uint32_t container = overlaps_container(stitcher->overlaps, i).text;
        if (container != NO_TEXT) {
            insides.next[i] = insides.first[container];
            insides.first[container] = i;
        }
    }
    return insides;
}

static void put_in_order(struct stitcher *stitcher, struct chunk **chunks,
                         struct stretch *stretches)
{
    struct sequence sequence = {mem_zeroed(stitcher->count, sizeof(struct chunk *)), stretches, 0};
    struct insides insides = find_insides(stitcher);
    bool *done = mem_zeroed(stitcher->count, sizeof *done);
    for (uint32_t i = 0; i < stitcher->count; i++) {
        uint32_t text = i;
        if (stands_in_another(stitcher, i)) {
            text = overlaps_container(stitcher->overlaps, i).text;
        }
        while (!done[text] && stitcher->before[text] != NO_TEXT) {
            done[text] = true;
            text = stitcher->before[text];
        }
        if (!done[text]) {
            done[text] = true;
            add_passage(stitcher, &sequence, &insides, text);
        }
    }
    for (uint32_t i = 0; i < stitcher->count; i++) {
        chunks[i] = sequence.chunks[i];
    }
    free(sequence.chunks);
    free(insides.first);
    free(insides.next);
    free(done);
}

static void open_stitcher(struct stitcher *stitcher, size_t least)
{
    size_t n = stitcher->count;
    stitcher->texts = mem_zeroed(n, sizeof *stitcher->texts);
    stitcher->least = least;
    stitcher->before = mem_zeroed(n, sizeof *stitcher->before);
    stitcher->after = mem_zeroed(n, sizeof *stitcher->after);
    stitcher->far = mem_zeroed(n, sizeof *stitcher->far);
    stitcher->shared = mem_zeroed(n, sizeof *stitcher->shared);
    stitcher->shared_points = mem_zeroed(n, sizeof *stitcher->shared_points);
    stitcher->heap = mem_zeroed(n, sizeof *stitcher->heap);
    for (uint32_t i = 0; i < n; i++) {
        struct chunk *chunk = stitcher->chunks[i];
        chunk_unjoin(chunk);
        struct slice text = chunk_text(chunk, &stitcher->scratch);
        size_t truncated = details_of(chunk)->truncated;
        text.len = truncated > 0 ? truncated : text.len;
        bool lasts = text.at != stitcher->scratch.at; /* it is in the line itself */
        stitcher->texts[i] = squeeze(&stitcher->arena, text, lasts);
        stitcher->before[i] = NO_TEXT;
        stitcher->after[i] = NO_TEXT;
        stitcher->far[i] = i;
    }
    stitcher->overlaps = overlaps_new(stitcher->texts, n, least);
}

void stitch(struct chunk **chunks, size_t n, size_t least, struct arena *arena,
            struct stretch *stretches)
{
    struct stitcher stitcher = {.chunks = chunks, .count = (uint32_t)n, .details = arena};
    open_stitcher(&stitcher, least);
    join_all(&stitcher);
    put_in_order(&stitcher, chunks, stretches);
    overlaps_free(stitcher.overlaps);
    arena_free(&stitcher.arena);
    free(stitcher.texts);
    free(stitcher.before);
    free(stitcher.after);
    free(stitcher.far);
    free(stitcher.shared);
    free(stitcher.shared_points);
    free(stitcher.heap);
    buf_free(&stitcher.scratch);
}
