/* overlaps.c: see overlaps.h. */
#include "overlaps.h"

#include <stdlib.h>
#include <string.h>

/* An overlap may begin and end with spaces that are not in squeezed texts. */
#define EDGE_SPACES 2

/* So many bytes at a text's start are looked up, or all of the least overlap if that is less. */
#define MOST_START ((size_t)40)

/*
 * Bytes that are compared for one byte of a text before only so many more are compared at
 * each place: only texts that repeat themselves over and over need that.
 */
#define PATIENCE 64
#define IMPATIENT ((size_t)128)

/* What more texts than that begin with is boilerplate: which of them goes on is not known. */
#define MOST_ALIKE 64

#define GRAM ((size_t)24)
#define STEP ((size_t)8)

/* The filter is as large as a cache, so what is needed soon is fetched. */
#define AHEAD (16 * STEP)

/* Texts of one start: from `first` to before `end` in the order of their bytes. */
struct start {
    uint64_t hash;
    uint32_t first;
    uint32_t end; /* 0: free */
};

/*
 * Starts of one length, by their hashes; open addressing.  Before that a filter is asked,
 * at each STEP-th place of a text: it knows the first STEP runs of GRAM bytes of each
 * start, one of which is at such a place wherever the start is.  Starts that are too short
 * for that are asked for at each place.
 */
struct starts {
    size_t length;
    size_t gram; /* bytes that the filter looks at */
    size_t step; /* places that it passes over */
    struct start *table;
    size_t mask;
    unsigned slot_shift; /* of a hash, for its slot: its highest bits depend on all bytes */
    uint64_t *filter;
    unsigned shift; /* of a hash, for its word in the filter */
};

struct overlaps {
    const struct squeezed *texts;
    uint32_t count;
    size_t least;
    uint64_t seed;                  /* of the hashes: known to nobody who makes the input */
    uint32_t *sorted;               /* by bytes; of equal texts the worse first */
    size_t *common;                 /* bytes that a sorted text shares with the one before it */
    struct containment *containers; /* by text */
    size_t *first_at;               /* by text: where its first overlap may begin */
    struct starts starts;
};

/* Bytes that two texts begin with alike, of which `known` are; no more than `most`. */
static size_t common_up_to(struct slice a, struct slice b, size_t known, size_t most)
{
    most = a.len < most ? a.len : most;
    most = b.len < most ? b.len : most;
    size_t n = known < most ? known : most;
    while (n + 8 <= most && memcmp(a.at + n, b.at + n, 8) == 0) {
        n += 8;
    }
    while (n < most && a.at[n] == b.at[n]) {
        n++;
    }
    return n;
}

static size_t common_bytes(struct slice a, struct slice b, size_t known)
{
    return common_up_to(a, b, known, SIZE_MAX);
}

static struct slice sorted_text(const struct overlaps *overlaps, size_t place)
{
    return overlaps->texts[overlaps->sorted[place]].text;
}

struct entry {
    struct slice text;
    uint32_t index;
};

static int by_bytes(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;
    int order = slice_compare(a->text, b->text);
    return order != 0 ? order : a->index > b->index ? -1 : 1;
}

static void sort(struct overlaps *overlaps)
{
    struct entry *entries = mem_zeroed(overlaps->count, sizeof *entries);
    for (uint32_t i = 0; i < overlaps->count; i++) {
        entries[i] = (struct entry){overlaps->texts[i].text, i};
    }
    qsort(entries, overlaps->count, sizeof *entries, by_bytes);
    for (uint32_t k = 0; k < overlaps->count; k++) {
        overlaps->sorted[k] = entries[k].index;
        overlaps->common[k] = k > 0 ? common_bytes(entries[k - 1].text, entries[k].text, 0) : 0;
    }
    free(entries);
}

/* Whether a text that stands in another one has white space around it where it ought to. */
static bool has_its_space(const struct squeezed *text, struct slice container, size_t at)
{
    size_t end = at + text->text.len;
    return (!text->space_before || at == 0 || container.at[at - 1] == ' ') &&
           (!text->space_after || end == container.len || container.at[end] == ' ');
}

/* The best container counts; a text that is empty stands nowhere. */
static void note_container(struct overlaps *overlaps, uint32_t text, uint32_t container, size_t at)
{
    struct containment *known = &overlaps->containers[text];
    if (container < known->text && overlaps->texts[text].text.len > 0 &&
        has_its_space(&overlaps->texts[text], overlaps->texts[container].text, at)) {
        *known = (struct containment){container, at};
    }
}

/* Of the few sorted texts after it that begin with a text, those where its space is. */
static void note_spaced_beginnings(struct overlaps *overlaps, uint32_t place)
{
    enum { FEW = 1000 };
    size_t length = sorted_text(overlaps, place).len;
    for (uint32_t k = place + 1; k < overlaps->count && k - place < FEW; k++) {
        if (overlaps->common[k] < length) {
            break;
        }
        note_container(overlaps, overlaps->sorted[place], overlaps->sorted[k], 0);
    }
}

/*
 * Texts that others begin with stand before them in the order, and nested.  Going down
 * from the last, each hands the best of its own and of what begins with it on.
 */
static void note_beginnings(struct overlaps *overlaps)
{
    uint32_t *parents = mem_zeroed(overlaps->count, sizeof *parents);
    uint32_t *best = mem_zeroed(overlaps->count, sizeof *best);
    uint32_t open = NO_TEXT;
    for (uint32_t k = 0; k < overlaps->count; k++) {
        while (open != NO_TEXT && sorted_text(overlaps, open).len > overlaps->common[k]) {
            open = parents[open];
        }
        parents[k] = open;
        best[k] = NO_TEXT;
        open = k;
    }
    for (uint32_t k = overlaps->count; k-- > 0;) {
        uint32_t text = overlaps->sorted[k];
        if (best[k] != NO_TEXT) {
            note_container(overlaps, text, best[k], 0);
        }
        if (best[k] != NO_TEXT && overlaps->texts[text].space_after) {
            note_spaced_beginnings(overlaps, k);
        }
        uint32_t own = text < best[k] ? text : best[k];
        if (parents[k] != NO_TEXT && own < best[parents[k]]) {
            best[parents[k]] = own;
        }
    }
    free(parents);
    free(best);
}

/* Eight bytes as a number, in whatever order the machine has them. */
static uint64_t eight_at(const char *at)
{
    uint64_t eight;
    memcpy(&eight, at, sizeof eight);
    return eight;
}

static uint64_t spread(uint64_t x)
{
    x = (x ^ x >> 32) * 0x9e3779b97f4a7c15U;
    return x ^ x >> 29;
}

/* A hash of all bytes of a start; the last eight may be looked at twice. */
static uint64_t hash_of(const struct overlaps *overlaps, const char *at, size_t length)
{
    uint64_t hash = overlaps->seed + length;
    if (length < sizeof hash) {
        return spread(hash ^ spread(load_bytes((const uint8_t *)at, length) + length));
    }
    for (size_t i = 0; i + sizeof hash < length; i += sizeof hash) {
        hash = spread(hash ^ eight_at(at + i));
    }
    return spread(hash ^ eight_at(at + length - sizeof hash));
}

/*
 * A run of bytes has three bits in one word of the filter: the word by the highest bits of
 * its hash, the three by others.
 */
static inline uint64_t hash_of_gram(const char *at)
{
    uint64_t hash = eight_at(at) * 0x9e3779b97f4a7c15U ^ eight_at(at + 8);
    return (hash * 0xff51afd7ed558ccdU ^ eight_at(at + 16)) * 0xbf58476d1ce4e5b9U;
}

static uint64_t hash_of_short_gram(const char *at, size_t length)
{
    uint64_t hash = load_bytes((const uint8_t *)at, length < 8 ? length : 8);
    hash *= 0x9e3779b97f4a7c15U;
    return (hash ^ hash >> 32) * 0xbf58476d1ce4e5b9U;
}

static inline uint64_t filter_mask(uint64_t hash)
{
    return (uint64_t)1 << (hash >> 20 & 63) | (uint64_t)1 << (hash >> 26 & 63) |
           (uint64_t)1 << (hash >> 32 & 63);
}

static void add_to_filter(struct starts *starts, const char *at)
{
    for (size_t i = 0; i < starts->step; i++) {
        uint64_t hash =
            starts->gram == GRAM ? hash_of_gram(at + i) : hash_of_short_gram(at + i, starts->gram);
        starts->filter[hash >> starts->shift] |= filter_mask(hash);
    }
}

static void add_start(struct overlaps *overlaps, struct starts *starts, uint32_t first,
                      uint32_t end)
{
    const char *at = sorted_text(overlaps, first).at;
    uint64_t hash = hash_of(overlaps, at, starts->length);
    add_to_filter(starts, at);
    size_t i = (size_t)(hash >> starts->slot_shift);
    while (starts->table[i].end > 0) {
        i = (i + 1) & starts->mask;
    }
    starts->table[i] = (struct start){hash, first, end};
}

/* An empty table for so many starts. */
static struct starts starts_of_length(size_t length, size_t count)
{
    bool steps = length >= GRAM + STEP - 1;
    struct starts starts = {
        .length = length, .gram = steps ? GRAM : length, .step = steps ? STEP : 1, .shift = 64 - 4};
    size_t slots = 8;
    starts.slot_shift = 64 - 3;
    while (slots < 2 * count) {
        slots *= 2;
        starts.slot_shift--;
    }
    while ((uint64_t)1 << (64 - starts.shift) < count && starts.shift > 64 - 24) {
        starts.shift--;
    }
    starts.mask = slots - 1;
    starts.table = mem_zeroed(slots, sizeof *starts.table);
    starts.filter = mem_zeroed((size_t)1 << (64 - starts.shift), sizeof *starts.filter);
    return starts;
}

static void free_starts(struct starts *starts)
{
    free(starts->table);
    free(starts->filter);
}

/* All texts that are long enough to overlap with others. */
static void fill_starts(struct overlaps *overlaps)
{
    struct starts *starts = &overlaps->starts;
    for (uint32_t first = 0; first < overlaps->count;) {
        uint32_t end = first + 1;
        while (end < overlaps->count && overlaps->common[end] >= starts->length) {
            end++;
        }
        if (sorted_text(overlaps, first).len >= starts->length) {
            add_start(overlaps, starts, first, end);
        }
        first = end;
    }
}

/* Goes through the places of a text at which a start stands. */
struct search {
    const struct overlaps *overlaps;
    const struct starts *starts;
    struct slice text;
    size_t at;
    size_t until; /* places before that may have one, as the filter says */
    size_t left;  /* bytes that may still be compared */
};

static struct search search_from(const struct overlaps *overlaps, const struct starts *starts,
                                 struct slice text, size_t at)
{
    return (struct search){overlaps, starts, text, at, at, PATIENCE * (text.len + 1024)};
}

/* The next of every so many places that the filter lets through; `end` or more: there is none. */
static size_t filter_next(const struct starts *starts, const char *text, size_t at, size_t end)
{
    const uint64_t *filter = starts->filter;
    unsigned shift = starts->shift;
    bool steps = starts->step == STEP;
    for (; at < end && steps; at += STEP) {
        if (end - at > AHEAD) {
            PREFETCH(&filter[hash_of_gram(text + at + AHEAD) >> shift]);
        }
        uint64_t hash = hash_of_gram(text + at);
        uint64_t mask = filter_mask(hash);
        if ((filter[hash >> shift] & mask) == mask) {
            return at;
        }
    }
    for (; at < end; at++) {
        uint64_t hash = hash_of_short_gram(text + at, starts->gram);
        uint64_t mask = filter_mask(hash);
        if ((filter[hash >> shift] & mask) == mask) {
            return at;
        }
    }
    return at;
}

/* Whether the filter knows what begins there, which of a start it does. */
static bool may_start(const struct starts *starts, const char *at)
{
    uint64_t hash = hash_of_gram(at);
    uint64_t mask = filter_mask(hash);
    return (starts->filter[hash >> starts->shift] & mask) == mask;
}

/* The start that stands there; NULL: none. */
static const struct start *start_at(const struct search *search)
{
    const struct starts *starts = search->starts;
    const char *at = search->text.at + search->at;
    if (starts->step == STEP && !may_start(starts, at)) {
        return NULL;
    }
    uint64_t hash = hash_of(search->overlaps, at, starts->length);
    for (size_t i = (size_t)(hash >> starts->slot_shift); starts->table[i].end > 0;
         i = (i + 1) & starts->mask) {
        const struct start *start = &starts->table[i];
        if (start->hash == hash &&
            memcmp(sorted_text(search->overlaps, start->first).at, at, starts->length) == 0) {
            return start;
        }
    }
    return NULL;
}

/* Moves to the places before the next one that the filter lets through, and that one. */
static void find_places(struct search *search, size_t end)
{
    const struct starts *starts = search->starts;
    size_t step = starts->step;
    size_t from = (search->at + step - 1) / step * step;
    size_t last = search->text.len - starts->gram + 1; /* where a run of bytes can begin */
    size_t found = filter_next(starts, search->text.at, from, last);
    if (found >= last) {
        search->at = end;
        return;
    }
    size_t first = found > step - 1 ? found - (step - 1) : 0;
    search->at = first > search->at ? first : search->at;
    search->until = found + 1 < end ? found + 1 : end;
}

/* The next place from where the search is on, which it stays at; NULL: none. */
static const struct start *search_next(struct search *search)
{
    size_t length = search->starts->length;
    if (search->text.len < length) {
        return NULL;
    }
    size_t end = search->text.len - length + 1;
    while (search->at < end) {
        if (search->at >= search->until) {
            find_places(search, end);
            continue;
        }
        const struct start *start = start_at(search);
        if (start != NULL) {
            return start;
        }
        search->at++;
    }
    return NULL;
}

/* Where what is left of the text at the search's place belongs among those with the start. */
struct spot {
    bool unknown;   /* too much would have to be compared */
    uint32_t place; /* the first that is not before it */
    size_t below;   /* bytes that it shares with the one before that, where there is one */
    size_t above;   /* and with the one at the place */
};

static struct spot find_spot(struct search *search, const struct start *start)
{
    const struct overlaps *overlaps = search->overlaps;
    struct slice rest = slice_from(search->text, search->at);
    struct spot spot = {false, start->first, 0, 0};
    uint32_t end = start->end;
    size_t most = search->left > 0 ? SIZE_MAX : search->starts->length + IMPATIENT;
    while (spot.place < end) {
        uint32_t middle = spot.place + (end - spot.place) / 2;
        struct slice text = sorted_text(overlaps, middle);
        size_t common = common_up_to(text, rest, search->starts->length, most);
        if (common == most) {
            spot.unknown = true;
            return spot;
        }
        search->left -= common < search->left ? common : search->left;
        bool before = common < text.len && common < rest.len
                          ? (unsigned char)text.at[common] < (unsigned char)rest.at[common]
                          : text.len < rest.len;
        if (before) {
            spot.place = middle + 1;
            spot.below = common;
        } else {
            end = middle;
            spot.above = common;
        }
    }
    return spot;
}

/* Notes the longest text that begins at the search's place and ends before the text does. */
static void note_contained(struct overlaps *overlaps, const struct search *search,
                           const struct start *start, struct spot spot, uint32_t text)
{
    size_t rest = search->text.len - search->at;
    if (spot.place < start->end && spot.above == rest &&
        sorted_text(overlaps, spot.place).len == rest) {
        note_container(overlaps, overlaps->sorted[spot.place], text, search->at);
        return;
    }
    /* Those before it share ever less with it. */
    size_t common = spot.below;
    uint32_t last = spot.place - start->first > MOST_ALIKE ? spot.place - MOST_ALIKE : start->first;
    for (uint32_t k = spot.place; k > last && common >= search->starts->length; k--) {
        if (sorted_text(overlaps, k - 1).len <= common) {
            note_container(overlaps, overlaps->sorted[k - 1], text, search->at);
            return;
        }
        common = overlaps->common[k - 1] < common ? overlaps->common[k - 1] : common;
    }
}

/* The overlap at the search's place, if there is one. */
static bool overlap_at(const struct search *search, const struct start *start, struct spot spot,
                       struct overlap *overlap)
{
    const struct overlaps *overlaps = search->overlaps;
    struct slice rest = slice_from(search->text, search->at);
    uint32_t first = spot.place;
    size_t common = spot.above;
    while (first < start->end && first - spot.place <= MOST_ALIKE && common >= rest.len &&
           sorted_text(overlaps, first).len == rest.len) {
        first++; /* it stands in this text */
        common = first < start->end ? overlaps->common[first] : 0;
    }
    if (first == start->end || common < rest.len) {
        return false;
    }
    size_t points = utf8_length(rest);
    if (points + EDGE_SPACES < overlaps->least) {
        return false;
    }
    uint32_t end = first + 1;
    while (end < start->end && overlaps->common[end] >= rest.len && end - first <= MOST_ALIKE) {
        end++;
    }
    if (end - first > MOST_ALIKE) {
        return false;
    }
    *overlap = (struct overlap){search->at, points, first, end - first};
    return true;
}

/* Notes what stands in a text, and where its first overlap is. */
static void look_into(struct overlaps *overlaps, uint32_t index)
{
    struct search search = search_from(overlaps, &overlaps->starts, overlaps->texts[index].text, 1);
    const struct start *start;
    overlaps->first_at[index] = SIZE_MAX;
    for (; (start = search_next(&search)) != NULL; search.at++) {
        struct spot spot = find_spot(&search, start);
        struct overlap overlap;
        if (spot.unknown) {
            continue;
        }
        note_contained(overlaps, &search, start, spot, index);
        if (overlaps->first_at[index] == SIZE_MAX && overlap_at(&search, start, spot, &overlap)) {
            overlaps->first_at[index] = search.at;
        }
    }
}

/* Texts that are too short for a start are looked for whole, one length after the other. */
static void look_for_short(struct overlaps *overlaps, size_t length)
{
    struct starts starts = starts_of_length(length, overlaps->count);
    uint32_t open = 0; /* that were not met yet: the first that has one is the best */
    for (uint32_t k = 0; k < overlaps->count; k++) {
        bool last = k + 1 == overlaps->count || overlaps->common[k + 1] < length ||
                    sorted_text(overlaps, k + 1).len > length;
        if (sorted_text(overlaps, k).len == length && last) {
            add_start(overlaps, &starts, k, k + 1);
            open++;
        }
    }
    bool *met = mem_zeroed(overlaps->count, sizeof *met);
    for (uint32_t i = 0; open > 0 && i < overlaps->count; i++) {
        struct search search = search_from(overlaps, &starts, overlaps->texts[i].text, 1);
        const struct start *start;
        for (; open > 0 && (start = search_next(&search)) != NULL; search.at++) {
            uint32_t text = overlaps->sorted[start->first];
            note_container(overlaps, text, i, search.at);
            open -= !met[text] && overlaps->containers[text].text <= i;
            met[text] |= overlaps->containers[text].text <= i;
        }
    }
    free(met);
    free_starts(&starts);
}

/*
 * Has each name what its container stands in, and that what stands in nothing: first
 * from the text outwards, each step noted in `via`, then back along the steps.
 */
static void settle_containers(struct overlaps *overlaps)
{
    struct containment *containers = overlaps->containers;
    uint32_t *via = mem_zeroed(overlaps->count, sizeof *via);
    for (uint32_t i = 0; i < overlaps->count; i++) {
        uint32_t text = i;
        uint32_t from = NO_TEXT;
        while (containers[text].text != NO_TEXT) {
            via[text] = from;
            from = text;
            text = containers[text].text;
        }
        uint32_t outermost = text;
        size_t at = 0;
        while (from != NO_TEXT) {
            at += containers[from].at;
            containers[from] = (struct containment){outermost, at};
            from = via[from];
        }
    }
    free(via);
}

struct overlaps *overlaps_new(const struct squeezed *texts, size_t n, size_t least)
{
    struct overlaps *overlaps = mem_zeroed(1, sizeof *overlaps);
    overlaps->texts = texts;
    overlaps->count = (uint32_t)n;
    overlaps->least = least;
    overlaps->seed = spread((uintptr_t)overlaps ^ (uint64_t)(uintptr_t)&texts << 32);
    overlaps->sorted = mem_zeroed(n, sizeof *overlaps->sorted);
    overlaps->common = mem_zeroed(n, sizeof *overlaps->common);
    overlaps->containers = mem_zeroed(n, sizeof *overlaps->containers);
    overlaps->first_at = mem_zeroed(n, sizeof *overlaps->first_at);
    sort(overlaps);
    size_t length = least > EDGE_SPACES ? least - EDGE_SPACES : 1;
    length = length < MOST_START ? length : MOST_START;
    bool lengths[MOST_START] = {false}; /* that texts have which are shorter */
    for (size_t i = 0; i < n; i++) {
        overlaps->containers[i].text = NO_TEXT;
        if (texts[i].text.len < length) {
            lengths[texts[i].text.len] = true;
        }
    }
    note_beginnings(overlaps);
    overlaps->starts = starts_of_length(length, n);
    fill_starts(overlaps);
    for (uint32_t i = 0; i < n; i++) {
        look_into(overlaps, i);
    }
    for (size_t shorter = 1; shorter < length; shorter++) {
        if (lengths[shorter]) {
            look_for_short(overlaps, shorter);
        }
    }
    settle_containers(overlaps);
    return overlaps;
}

void overlaps_free(struct overlaps *overlaps)
{
    free_starts(&overlaps->starts);
    free(overlaps->sorted);
    free(overlaps->common);
    free(overlaps->containers);
    free(overlaps->first_at);
    free(overlaps);
}

struct containment overlaps_container(const struct overlaps *overlaps, uint32_t text)
{
    return overlaps->containers[text];
}

bool overlaps_find(const struct overlaps *overlaps, uint32_t text, size_t from,
                   struct overlap *overlap)
{
    size_t first = overlaps->first_at[text];
    if (first == SIZE_MAX) {
        return false;
    }
    struct search search = search_from(overlaps, &overlaps->starts, overlaps->texts[text].text,
                                       from > first ? from : first);
    const struct start *start;
    for (; (start = search_next(&search)) != NULL; search.at++) {
        struct spot spot = find_spot(&search, start);
        if (!spot.unknown && overlap_at(&search, start, spot, overlap)) {
            return true;
        }
    }
    return false;
}

uint32_t overlaps_sorted(const struct overlaps *overlaps, uint32_t place)
{
    return overlaps->sorted[place];
}
