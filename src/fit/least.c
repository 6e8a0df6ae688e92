/* least.c: by which budgets chunks would be held, see budgets_that_hold() in fit.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "allowance.h"
#include "base/base.h"
#include "fit.h"
#include "known.h"
#include "room.h"

/* No budget that somebody gives is larger. */
#define LARGEST_BUDGET ((size_t)1 << (sizeof(size_t) * 8 - 12))

#define NO_STEP SIZE_MAX

/* The budgets, from the one in force up, at which decisions change under --fit=skip. */
struct walk {
    size_t *budgets;
    size_t count;
    size_t capacity;
    size_t next;        /* the budget after the last one */
    size_t *first_held; /* by wanted chunk: the first of them that holds it, or NO_STEP */
};

/* What all trials have in common. */
struct search {
    struct chunks *chunks;
    struct budget_options options; /* with the budget that is tried */
    size_t in_force;
    struct allowance allowance; /* as each trial begins */
    struct coster coster;
    struct known known;
    struct held_chunk *wanted;
    size_t count;
    size_t *places; /* by wanted chunk: which of the known candidates it is */
    bool by_sums;   /* these alone decide */
    bool *kept;     /* by candidate: what the last trial by sums kept */
    struct walk walk;
    size_t looks; /* at whole outputs that the stories may still take */
};

/* What a trial says of all chunks. */
struct trial {
    bool holds;   /* what it kept; else it holds nothing */
    bool by_sums; /* and that is in search.kept */
    size_t more;  /* tokens up to the next room that may change a decision, under --fit=skip */
};

/* All that the budget decides on is to be decided anew. */
static void keep_all(struct chunks *chunks)
{
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *one = chunks->ranked[i];
        one->fate = one->fate == FATE_OVER_BUDGET ? FATE_KEPT : one->fate;
        if (one->details != NULL) {
            one->details->truncated = 0;
        }
    }
}

static struct trial make_trial(const struct search *search, size_t room, size_t lack)
{
    size_t next = counter_tokens(search->options.counter, cost_sum(room, lack));
    return (struct trial){.more = next - budget_room(&search->options)};
}

/* --fit=skip where sums decide: what allowance_decide() does, and no more. */
static struct trial try_sums(struct search *search, size_t room)
{
    const struct known *known = &search->known;
    size_t left = room - known->sums[0];
    size_t lack = SIZE_MAX;
    size_t number = known->pinned + 1;
    for (size_t i = 0; i < known->pinned; i++) {
        search->kept[i] = true;
    }
    for (size_t i = known->pinned; i < known->count; i++) {
        size_t cost = known_cost(known, i, number);
        bool fits = cost <= left;
        search->kept[i] = fits;
        number += fits;
        lack = !fits && cost - left < lack ? cost - left : lack;
        left -= fits ? cost : 0;
    }
    struct trial trial = make_trial(search, room, lack);
    trial.holds = true;
    trial.by_sums = true;
    return trial;
}

static void take_looks(struct search *search, size_t looks)
{
    search->looks -= looks < search->looks ? looks : search->looks;
}

/* Whether there is time for another trial; those by sums are quick. */
static bool may_look(const struct search *search)
{
    return search->by_sums || search->looks > 0;
}

static struct trial try_budget(struct search *search, size_t budget)
{
    search->options.budget = budget;
    size_t room = counter_limit(search->options.counter, budget_room(&search->options));
    if (search->by_sums && search->known.sums[0] <= room) {
        return try_sums(search, room);
    }
    struct allowance allowance = search->allowance;
    keep_all(search->chunks);
    allowance_decide(&allowance, search->chunks);
    take_looks(search, allowance.finished);
    struct trial trial = make_trial(search, allowance.room, allowance.lack);
    trial.holds = !allowance.pins_over && allowance.frame <= allowance.room;
    return trial;
}

static bool is_held(const struct search *search, const struct trial *trial, size_t wanted)
{
    const struct chunk *chunk = search->wanted[wanted].chunk;
    if (trial->by_sums) {
        return search->kept[search->places[wanted]];
    }
    return trial->holds && chunk->fate == FATE_KEPT && details_of(chunk)->truncated == 0;
}

/* The least budget that leaves so much room, if that is more than the given one does. */
static size_t budget_with_room(struct budget_options options, size_t room)
{
    size_t low = options.budget;
    size_t high = low;
    while (options.budget = high, budget_room(&options) < room) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        options.budget = low + (high - low) / 2;
        if (budget_room(&options) < room) {
            low = options.budget;
        } else {
            high = options.budget;
        }
    }
    return high;
}

/* The next budget after a trial, which its room makes; from LARGEST_BUDGET on: there is none. */
static size_t next_budget(const struct search *search, const struct trial *trial)
{
    return trial->more >= LARGEST_BUDGET
               ? LARGEST_BUDGET
               : budget_with_room(search->options, budget_room(&search->options) + trial->more);
}

/* Goes on to a step of the walk; false: it ends before that. */
static bool walk_to(struct search *search, size_t step)
{
    struct walk *walk = &search->walk;
    if (walk->first_held == NULL) {
        walk->first_held = mem_zeroed(search->count, sizeof *walk->first_held);
        memset(walk->first_held, 0xff, search->count * sizeof *walk->first_held); /* NO_STEP */
        walk->next = search->in_force;
    }
    while (walk->count <= step && walk->next < LARGEST_BUDGET && may_look(search)) {
        struct trial trial = try_budget(search, walk->next);
        for (size_t i = 0; i < search->count; i++) {
            bool is_new = walk->first_held[i] == NO_STEP;
            if (is_new && is_held(search, &trial, i)) {
                walk->first_held[i] = walk->count;
            }
        }
        walk->budgets =
            mem_grow(walk->budgets, &walk->capacity, walk->count + 1, sizeof *walk->budgets);
        walk->budgets[walk->count++] = walk->next;
        walk->next = next_budget(search, &trial);
    }
    return step < walk->count;
}

/* The first of so many steps that holds the wanted chunk, or NO_STEP. */
static size_t walk_until_held(struct search *search, size_t wanted, size_t most)
{
    for (size_t step = 0; step < most && walk_to(search, step); step++) {
        if (search->walk.first_held[wanted] <= step) {
            return search->walk.first_held[wanted];
        }
    }
    return NO_STEP;
}

/* From a guess on: the first budget that holds the chunk, or 0; counts the trials. */
static size_t climb(struct search *search, size_t guess, size_t wanted, size_t *trials, size_t most)
{
    if (guess == search->in_force) { /* as for all of which there is no guess */
        size_t step = walk_until_held(search, wanted, most);
        *trials = step + 1;
        return step != NO_STEP ? search->walk.budgets[step] : 0;
    }
    size_t budget = guess;
    for (*trials = 1; *trials <= most && budget < LARGEST_BUDGET && may_look(search); ++*trials) {
        struct trial trial = try_budget(search, budget);
        if (is_held(search, &trial, wanted)) {
            return budget;
        }
        budget = next_budget(search, &trial);
    }
    return 0;
}

/*
 * From a guess to where the chunk is held and by one token less is not; 0 where that is
 * farther away than a few looks.
 */
static size_t search_near(struct search *search, size_t guess, size_t wanted)
{
    enum { MOST_TRIALS = 48 };
    size_t trials;
    size_t held = climb(search, guess, wanted, &trials, MOST_TRIALS);
    while (held > 0 && held - 1 > search->in_force) {
        if (++trials >= MOST_TRIALS || !may_look(search)) {
            return 0;
        }
        struct trial trial = try_budget(search, held - 1);
        if (!is_held(search, &trial, wanted)) {
            break;
        }
        held--;
    }
    return held;
}

/*
 * So many looks at whole outputs as take so many tokens together, rounded up.  With passages
 * a look takes longer, since these are put together first.
 */
static size_t looks_of_tokens(const struct search *search, size_t most)
{
    size_t tokens = 1;
    for (size_t i = 0; i < search->chunks->ranked_count; i++) {
        tokens = cost_sum(tokens, search->chunks->ranked[i]->tokens);
    }
    most /= search->allowance.coverage != NULL ? 4 : 1;
    return most / tokens + (most % tokens != 0);
}

/*
 * The first budget that holds the chunk of all at which a decision changes, from the one in
 * force up: there is no smaller one.  0 where that takes too long.
 */
static size_t search_by_steps(struct search *search, size_t wanted)
{
    enum { MOST_TOKENS = 12000000 }; /* that steps by sums add up; others take looks */
    size_t most = search->by_sums ? looks_of_tokens(search, MOST_TOKENS) : SIZE_MAX;
    size_t step = walk_until_held(search, wanted, most);
    return step != NO_STEP ? search->walk.budgets[step] : 0;
}

/* Budgets from above one to another, of which the larger holds some chunks. */
struct range {
    size_t low;
    size_t high;
    size_t *wanted;
    size_t count;
};

/* Brings what a trial holds to the front; returns how many that are. */
static size_t bring_held(const struct search *search, const struct trial *trial,
                         struct range *range)
{
    size_t held = 0;
    for (size_t i = 0; i < range->count; i++) {
        size_t one = range->wanted[i];
        if (is_held(search, trial, one)) {
            range->wanted[i] = range->wanted[held];
            range->wanted[held++] = one;
        }
    }
    return held;
}

/* Under --fit=skip no search by halves finds the least, so it ends with the looks. */
static bool may_halve(const struct search *search)
{
    return search->options.fit != FIT_SKIP || may_look(search);
}

/* The least budget of a range for each, by halves. */
static void halve(struct search *search, struct range range)
{
    while (range.count > 0 && range.high - range.low > 1 && may_halve(search)) {
        size_t middle = range.low + (range.high - range.low) / 2;
        struct trial trial = try_budget(search, middle);
        size_t held = bring_held(search, &trial, &range);
        halve(search, (struct range){range.low, middle, range.wanted, held});
        range.low = middle;
        range.wanted += held;
        range.count -= held;
    }
    for (size_t i = 0; i < range.count; i++) {
        search->wanted[range.wanted[i]].budget = range.high;
    }
}

/* The other rules keep what a smaller budget keeps.  What no budget holds has 0. */
static void search_by_halves(struct search *search, size_t *wanted, size_t count)
{
    struct range range = {search->in_force, search->in_force, wanted, count};
    while (range.count > 0) {
        range.low = range.high;
        range.high *= 2;
        if (range.high >= LARGEST_BUDGET) {
            return;
        }
        struct trial trial = try_budget(search, range.high);
        size_t held = bring_held(search, &trial, &range);
        halve(search, (struct range){range.low, range.high, range.wanted, held});
        range.wanted += held;
        range.count -= held;
    }
}

/* What a candidate costs alone, under --fit=skip. */
static size_t cost_alone(struct search *search, size_t candidate, size_t number)
{
    const struct known *known = &search->known;
    return known->sums != NULL ? known_cost(known, candidate, number)
                               : cost_chunk(&search->coster, known->candidates[candidate], number);
}

/* --fit=skip: where to look for each, by what each chunk costs alone; to be given to free(). */
static size_t *guess_budgets(struct search *search)
{
    const struct known *known = &search->known;
    size_t fixed = cost_frame(&search->coster);
    for (size_t i = 0; i < known->pinned; i++) {
        fixed = cost_sum(fixed, cost_alone(search, i, 1));
    }
    size_t count = known->count - known->pinned;
    size_t *costs = mem_zeroed(count, sizeof *costs);
    bool *wanted = mem_zeroed(count, sizeof *wanted);
    for (size_t i = 0; i < count; i++) {
        costs[i] = cost_alone(search, known->pinned + i, i + 1);
    }
    for (size_t i = 0; i < search->count; i++) {
        if (search->wanted[i].chunk->pin == 0) {
            wanted[search->places[i] - known->pinned] = true;
        }
    }
    struct budget_options options = search->options;
    options.budget = search->in_force;
    size_t room = counter_limit(options.counter, budget_room(&options));
    size_t *rooms = rooms_for(costs, count, wanted, room > fixed ? room - fixed : 0);
    size_t *guesses = mem_zeroed(search->count, sizeof *guesses);
    for (size_t i = 0; i < search->count; i++) {
        bool looked = search->wanted[i].chunk->pin == 0;
        size_t found = looked ? rooms[search->places[i] - known->pinned] : 0;
        size_t tokens = counter_tokens(options.counter, cost_sum(found, fixed));
        guesses[i] = found > 0 ? budget_with_room(options, tokens) : options.budget;
    }
    free(rooms);
    free(costs);
    free(wanted);
    return guesses;
}

/* Where a larger budget may leave out what a smaller one holds. */
static void search_upwards(struct search *search)
{
    enum { NEAR_TOKENS = 24000000, STEP_TOKENS = 96000000 };
    search->looks = looks_of_tokens(search, NEAR_TOKENS);
    if (search->allowance.coverage == NULL) { /* where what a part costs depends on no other */
        size_t *guesses = guess_budgets(search);
        for (size_t i = 0; i < search->count; i++) {
            if (search->wanted[i].chunk->pin == 0) {
                search->wanted[i].budget = search_near(search, guesses[i], i);
            }
        }
        free(guesses);
    }
    search->looks = looks_of_tokens(search, STEP_TOKENS);
    for (size_t i = 0; i < search->count; i++) {
        if (search->wanted[i].chunk->pin == 0 && search->wanted[i].budget == 0) {
            search->wanted[i].budget = search_by_steps(search, i);
        }
    }
}

/* The least budget that has room for a cost, from above the one in force; 0: there is none. */
static size_t budget_for(const struct search *search, size_t cost)
{
    size_t tokens = counter_tokens(search->options.counter, cost);
    struct budget_options options = search->options;
    options.budget = search->in_force;
    return tokens < LARGEST_BUDGET / 1024 && tokens > budget_room(&options)
               ? budget_with_room(options, tokens)
               : 0;
}

/*
 * Without passing over: the least budget with room for all that is as good.  Nothing where
 * that is larger than search_by_halves() looks.
 */
static void search_sums(struct search *search)
{
    const struct known *known = &search->known;
    for (size_t i = 0; i < search->count; i++) {
        size_t place = search->places[i];
        size_t best = place < known->pinned ? 0 : place - known->pinned + 1;
        search->wanted[i].budget = budget_for(search, known->sums[best]);
    }
}

/* What the finished output costs with all the best down to a place, and what is pinned. */
static size_t whole_of_best(struct search *search, size_t place)
{
    const struct known *known = &search->known;
    size_t best = place + 1 - known->pinned;
    size_t whole = known->wholes != NULL ? known->wholes[best] : NOT_KNOWN;
    if (whole == NOT_KNOWN) {
        struct allowance allowance = search->allowance;
        keep_all(search->chunks);
        for (size_t i = place + 1; i < known->count; i++) {
            known->candidates[i]->fate = FATE_OVER_BUDGET;
        }
        whole = allowance_finished(&allowance, search->chunks);
        take_looks(search, 1);
    }
    if (known->wholes != NULL) {
        known->wholes[best] = whole;
    }
    return whole;
}

/* The budget that all the best down to a chunk take, if that holds it and more is needed; or 0. */
static size_t budget_of_best(struct search *search, size_t wanted)
{
    size_t place = search->places[wanted];
    size_t budget = 0;
    if (place >= search->known.pinned) {
        budget = budget_for(search, whole_of_best(search, place));
    }
    if (budget == 0) {
        return 0;
    }
    struct trial trial = try_budget(search, budget);
    return is_held(search, &trial, wanted) ? budget : 0;
}

/*
 * Without passing over, where sums do not decide: the same, if it holds the chunk and one
 * token less does not.  That is three looks at all chunks, and by halves they are many.
 */
static void search_wholes(struct search *search)
{
    for (size_t i = 0; i < search->count; i++) {
        size_t budget = budget_of_best(search, i);
        if (budget > 0) {
            struct trial trial = try_budget(search, budget - 1);
            search->wanted[i].budget = is_held(search, &trial, i) ? 0 : budget;
        }
    }
}

struct placed {
    size_t place;
    size_t wanted;
};

static int by_place(const void *left, const void *right)
{
    const struct placed *a = left;
    const struct placed *b = right;
    return a->place != b->place ? (a->place < b->place ? -1 : 1) : 0;
}

/* The wanted chunks, best first; to be given to free(). */
static struct placed *wanted_by_place(const struct search *search)
{
    struct placed *order = mem_zeroed(search->count, sizeof *order);
    for (size_t i = 0; i < search->count; i++) {
        order[i] = (struct placed){search->places[i], i};
    }
    qsort(order, search->count, sizeof *order, by_place);
    return order;
}

/* What is spent on all the best down to each chunk, by chunk; to be given to free(). */
static size_t *sums_of_parts(struct search *search)
{
    size_t *sums = mem_zeroed(search->chunks->count, sizeof *sums);
    search->allowance.sums = sums;
    try_budget(search, LARGEST_BUDGET);
    search->allowance.sums = NULL;
    return sums;
}

/* What a trial holds of those for which nothing is found has its budget. */
static void note_held(struct search *search, const struct trial *trial)
{
    for (size_t i = 0; i < search->count; i++) {
        if (search->wanted[i].budget == 0 && is_held(search, trial, i)) {
            search->wanted[i].budget = search->options.budget;
        }
    }
}

/* With room for the sum of all parts down to the chunk, or else for all of the output. */
static void search_with_best(struct search *search, size_t wanted, size_t sum)
{
    struct held_chunk *held = &search->wanted[wanted];
    search->allowance.asked = held->chunk;
    size_t budget = budget_for(search, sum);
    if (budget > 0) {
        struct trial trial = try_budget(search, budget);
        note_held(search, &trial);
    }
    if (held->budget == 0) {
        held->budget = budget_of_best(search, wanted);
    }
    search->allowance.asked = NULL;
}

/* Where the least is not found in time: one that is large enough, from the best on. */
static void search_roughly(struct search *search)
{
    enum { MOST_TOKENS = 96000000 };
    search->looks = looks_of_tokens(search, MOST_TOKENS);
    size_t *sums = sums_of_parts(search);
    struct placed *order = wanted_by_place(search);
    for (size_t i = 0; i < search->count && may_look(search); i++) {
        size_t wanted = order[i].wanted;
        const struct chunk *chunk = search->wanted[wanted].chunk;
        if (search->wanted[wanted].budget == 0 && chunk->pin == 0) {
            search_with_best(search, wanted, sums[chunk - search->known.first]);
        }
    }
    free(order);
    free(sums);
}

static void search_all(struct search *search)
{
    bool passes_over = search->options.fit == FIT_SKIP;
    size_t *rest = mem_zeroed(search->count, sizeof *rest);
    size_t count = 0;
    if (passes_over) {
        search_upwards(search);
    } else if (search->by_sums) {
        search_sums(search);
    } else {
        search_wholes(search);
    }
    for (size_t i = 0; i < search->count; i++) {
        struct held_chunk *wanted = &search->wanted[i];
        wanted->is_least = !passes_over || wanted->chunk->pin > 0 || wanted->budget > 0;
    }
    if (passes_over && !search->by_sums) {
        search_roughly(search);
    }
    for (size_t i = 0; i < search->count; i++) {
        if (search->wanted[i].budget == 0) {
            rest[count++] = i;
        }
    }
    search_by_halves(search, rest, count);
    free(rest);
}

/* Which of the candidates the wanted chunks are. */
static void find_places(struct search *search)
{
    const struct known *known = &search->known;
    size_t *places = mem_zeroed(search->chunks->count, sizeof *places);
    for (size_t i = 0; i < known->count; i++) {
        places[known->candidates[i] - known->first] = i;
    }
    search->places = mem_zeroed(search->count, sizeof *search->places);
    for (size_t i = 0; i < search->count; i++) {
        search->places[i] = places[search->wanted[i].chunk - known->first];
    }
    free(places);
}

static void open_search(struct search *search, const struct place_options *placing,
                        const struct prompt_options *prompt)
{
    struct chunks *chunks = search->chunks;
    keep_all(chunks);
    coster_open(&search->coster, chunks, &search->options, prompt);
    search->allowance =
        (struct allowance){.options = &search->options,
                           .placing = placing,
                           .is_prompt = prompt_is_wanted(prompt),
                           .coster = &search->coster,
                           .coverage = placing->stitch > 0 ? coverage_new(chunks, placing) : NULL,
                           .holds_alone = !place_sweeps(placing),
                           .arena = &chunks->arena};
    known_open(&search->known, chunks, &search->allowance);
    search->allowance.known = &search->known;
    bool counts_whole = search->allowance.is_prompt && !search->options.counts_given;
    search->by_sums = search->known.sums != NULL && !place_sweeps(placing) &&
                      (search->known.adds_up || !counts_whole);
    search->kept = mem_zeroed(search->known.count, sizeof *search->kept);
    find_places(search);
}

static void close_search(struct search *search)
{
    known_close(&search->known);
    coverage_free(search->allowance.coverage);
    coster_close(&search->coster);
    free(search->places);
    free(search->kept);
    free(search->walk.budgets);
    free(search->walk.first_held);
}

void budgets_that_hold(struct chunks *chunks, const struct budget_options *options,
                       const struct place_options *placing, const struct prompt_options *prompt,
                       struct held_chunk *wanted, size_t count)
{
    struct chunks before = *chunks;
    struct chunk *all = mem_alloc(chunks->count * sizeof *all);
    memcpy(all, chunks->all, chunks->count * sizeof *all);
    struct chunk **placed = mem_zeroed(chunks->count, sizeof(struct chunk *));
    for (size_t i = 0; i < chunks->placed_count; i++) {
        placed[i] = chunks->placed[i];
    }
    chunks->arena = (struct arena){0}; /* of the trials, whose details go with it */
    for (size_t i = 0; i < chunks->count; i++) {
        chunk_copy_details(&chunks->arena, &chunks->all[i]);
    }
    struct search search = {.chunks = chunks,
                            .options = *options,
                            .in_force = options->budget,
                            .wanted = wanted,
                            .count = count};
    open_search(&search, placing, prompt);
    search_all(&search);
    close_search(&search);
    free(chunks->placed);
    before.placed = placed;
    memcpy(chunks->all, all, chunks->count * sizeof *all);
    free(all);
    arena_free(&chunks->arena);
    *chunks = before;
}
