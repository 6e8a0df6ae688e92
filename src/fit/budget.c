/* budget.c: the longest start of the ranking that fits, see fit.h. */
#include <stdint.h>
#include <stdlib.h>

#include "allowance.h"
#include "cost.h"
#include "coverage.h"
#include "fit.h"
#include "truncate.h"

/* By enum fit. */
static const struct choice fits_by_kind[] = {
    [FIT_PREFIX] = {"prefix", NULL, "stop at the first chunk that does not fit"},
    [FIT_SKIP] = {"skip", NULL, "pass over it"},
    [FIT_TRUNCATE] = {"truncate", NULL, "cut it (in a prompt)"},
};

static const struct choice *choice_of(size_t fit)
{
    return &fits_by_kind[fit];
}

const struct choices fit_choices = {choice_of, sizeof fits_by_kind / sizeof fits_by_kind[0]};

size_t budget_margin(const struct budget_options *options)
{
    if (options->margin != MARGIN_BY_COUNTER) {
        return options->margin;
    }
    bool estimated = options->counter->kind == COUNTER_ESTIMATE && !options->counts_given;
    return estimated ? 5 : 0;
}

void budget_describe(struct buf *out, const struct budget_options *options, size_t tokens)
{
    buf_add_format(out, "%zu tokens", tokens);
    if (options->budget > 0) {
        buf_add_format(out, " of %zu (reserve %zu, margin %zu percent)", options->budget,
                       options->reserve, budget_margin(options));
    }
    buf_add_format(out, ", counted by %s", options->counter->method);
}

size_t budget_room(const struct budget_options *options)
{
    size_t budget = options->budget - options->reserve;
    size_t percent = 100 - budget_margin(options);
    return budget / 100 * percent + budget % 100 * percent / 100;
}

/* Where a piece meets another than the one it was counted before, so much may change. */
#define NEAR_TOKENS 2

/* cost: what the chunk would have added; 0 where that does not matter. */
static void refuse(struct allowance *allowance, struct chunk *chunk, size_t cost)
{
    chunk->fate = FATE_OVER_BUDGET;
    if (allowance->holds_alone) {
        return;
    }
    struct chunk_details *details = details_for(allowance->arena, chunk);
    details->needed = cost > 0 ? counter_tokens(allowance->options->counter, cost) : 0;
    details->tokens_left = allowance->left / allowance->options->counter->unit;
    if (cost > 0 && details->needed <= details->tokens_left) {
        details->needed = details->tokens_left + 1; /* the finished prompt said so */
    }
}

/* Something was decided as it was because so much room was lacking. */
static void note_lack(struct allowance *allowance, size_t lack)
{
    allowance->lack = lack < allowance->lack ? lack : allowance->lack;
}

/* Whether the finished output fits. */
static bool is_within_room(struct allowance *allowance, size_t whole)
{
    if (whole > allowance->room) {
        note_lack(allowance, whole - allowance->room);
    }
    return whole <= allowance->room;
}

static size_t count_cost(struct allowance *allowance, struct chunk *chunk, size_t number)
{
    struct coster *coster = allowance->coster;
    if (allowance->coverage == NULL || chunk->pin > 0) {
        return cost_chunk(coster, chunk, number);
    }
    struct slice text = chunk_text(chunk, &coster->text);
    struct addition addition = coverage_of(allowance->coverage, chunk, text);
    if (!addition.joins) {
        return cost_chunk(coster, chunk, number);
    }
    size_t cost = cost_part(coster, chunk, text, addition.from, addition.to);
    size_t spared = 0;
    if (addition.bridges && coster->renderer != NULL) {
        spared = cost_block(coster, chunk, number, (struct slice){"", 0});
    }
    return cost > spared ? cost - spared : 0;
}

/* What the chunk would add to what is taken: of a passage what is new. */
static size_t cost_of(struct allowance *allowance, struct chunk *chunk)
{
    size_t number = allowance->pinned + allowance->taken + 1;
    const struct known *known = allowance->known;
    if (known == NULL || known->costs == NULL) {
        return count_cost(allowance, chunk, number);
    }
    size_t *cost = &known->costs[chunk - known->first];
    if (*cost == NOT_KNOWN) {
        *cost = count_cost(allowance, chunk, known->numbers != NULL ? 1 : number);
    }
    return *cost + (known->numbers != NULL ? known->numbers[number] : 0);
}

size_t allowance_finished(struct allowance *allowance, struct chunks *chunks)
{
    allowance->finished++;
    place(chunks, allowance->placing);
    return allowance->is_prompt ? cost_prompt(allowance->coster, chunks)
                                : cost_lines(allowance->coster, chunks);
}

/* Where it is known what the output costs with the so many best alone and what is pinned. */
static size_t *known_whole(struct allowance *allowance, size_t best)
{
    const struct known *known = allowance->known;
    if (known != NULL && known->wholes != NULL) {
        return &known->wholes[best];
    }
    allowance->whole = NOT_KNOWN;
    return &allowance->whole;
}

/* The same without the chunks, but for the pinned ones, that are ranked after one. */
static size_t finished_up_to(struct allowance *allowance, struct chunks *chunks, size_t last)
{
    size_t n = chunks->ranked_count;
    bool *later = mem_zeroed(n, sizeof *later);
    for (size_t i = last + 1; i < n; i++) {
        later[i] = chunks->ranked[i]->fate == FATE_KEPT && chunks->ranked[i]->pin == 0;
        chunks->ranked[i]->fate = later[i] ? FATE_OVER_BUDGET : chunks->ranked[i]->fate;
    }
    size_t whole = allowance_finished(allowance, chunks);
    for (size_t i = last + 1; i < n; i++) {
        chunks->ranked[i]->fate = later[i] ? FATE_KEPT : chunks->ranked[i]->fate;
    }
    free(later);
    return whole;
}

/*
 * Where a part meets what is there, it may cost a little less than alone.  So what is too
 * much by little is counted with all of the output; that takes long, so only so often.
 */
static bool fits_after_all(struct allowance *allowance, struct chunks *chunks, size_t rank,
                           size_t cost)
{
    enum { MOST_LOOKS = 32, NEAR_PART = 8 };
    size_t near = counter_limit(allowance->options->counter, NEAR_PART) + cost / 16;
    bool counts = allowance->coverage != NULL && !allowance->options->counts_given;
    size_t lack = cost - allowance->left;
    bool is_near = counts && lack <= near;
    note_lack(allowance, counts && !is_near ? lack - near : lack);
    if (!is_near || allowance->looks == MOST_LOOKS) {
        return false;
    }
    allowance->looks++;
    size_t *known = known_whole(allowance, allowance->taken + 1);
    size_t whole = *known != NOT_KNOWN ? *known : finished_up_to(allowance, chunks, rank);
    *known = whole;
    if (!is_within_room(allowance, whole)) {
        return false;
    }
    allowance->left = allowance->room - whole + cost; /* of which the caller takes the cost */
    return true;
}

static void take(struct allowance *allowance, struct chunk *chunk, size_t cost)
{
    allowance->left -= allowance->options->budget > 0 ? cost : 0;
    allowance->spent = cost_sum(allowance->spent, cost);
    if (allowance->sums != NULL) {
        allowance->sums[chunk - allowance->known->first] =
            cost_sum(allowance->frame, allowance->spent);
    }
    if (allowance->coverage != NULL) {
        coverage_take(allowance->coverage, chunk);
    }
}

/* Whether the finished output is counted, not its parts alone. */
static bool counts_whole(const struct allowance *allowance)
{
    return allowance->is_prompt ? !allowance->options->counts_given : allowance->coverage != NULL;
}

/* What is pinned comes first, all of it or nothing at all. */
static void spend_on_pinned(struct allowance *allowance, struct chunks *chunks)
{
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate == FATE_KEPT && chunk->pin > 0) {
            size_t cost = cost_of(allowance, chunk);
            allowance->pins_over |= cost > allowance->left || allowance->frame > allowance->room;
            note_lack(allowance, cost > allowance->left ? cost - allowance->left : SIZE_MAX);
            take(allowance, chunk, cost < allowance->left ? cost : allowance->left);
            allowance->pinned++;
        }
    }
}

/* Goes down the ranking by the sum of the pieces. */
static void spend(struct allowance *allowance, struct chunks *chunks)
{
    bool full = allowance->frame > allowance->room;
    spend_on_pinned(allowance, chunks);
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate != FATE_KEPT || chunk->pin > 0) {
            continue;
        }
        /* Under --fit=prefix nothing after the first misfit counts any more. */
        size_t cost = full ? 0 : cost_of(allowance, chunk);
        allowance->best_cost = allowance->best_cost == 0 ? cost : allowance->best_cost;
        bool too_much = cost > allowance->left && !fits_after_all(allowance, chunks, i, cost);
        if (full || too_much) {
            allowance->best_is_passed_over |= allowance->taken == 0 && chunk->rank == 1;
            size_t near = counter_limit(allowance->options->counter, NEAR_TOKENS);
            allowance->near_miss |= !full && cost - allowance->left <= near;
            refuse(allowance, chunk, cost);
            full |= allowance->options->fit != FIT_SKIP;
            continue;
        }
        take(allowance, chunk, cost);
        allowance->taken++;
        full |= chunk == allowance->asked; /* what comes after it takes nothing from it */
    }
}

/* The worst-ranked chunk that is kept, but not `spared` or pinned; there must be one. */
static struct chunk *weakest(struct chunks *chunks, const struct chunk *spared)
{
    size_t i = chunks->ranked_count - 1;
    while (chunks->ranked[i]->fate != FATE_KEPT || chunks->ranked[i] == spared ||
           chunks->ranked[i]->pin > 0) {
        i--;
    }
    return chunks->ranked[i];
}

/* The best-ranked chunk that did not fit, or NULL. */
static struct chunk *first_misfit(struct chunks *chunks)
{
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        if (chunks->ranked[i]->fate == FATE_OVER_BUDGET) {
            return chunks->ranked[i];
        }
    }
    return NULL;
}

/* Chunks that the budget decides on, best first. */
struct candidates {
    struct chunk **chunks;
    size_t count;
};

static struct candidates find_candidates(const struct chunks *chunks)
{
    struct candidates candidates = {mem_zeroed(chunks->ranked_count, sizeof(struct chunk *)), 0};
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        enum fate fate = chunks->ranked[i]->fate;
        bool decided = chunks->ranked[i]->pin > 0;
        if (!decided && (fate == FATE_KEPT || fate == FATE_OVER_BUDGET)) {
            candidates.chunks[candidates.count++] = chunks->ranked[i];
        }
    }
    return candidates;
}

static void keep_best(struct candidates candidates, size_t n)
{
    for (size_t i = 0; i < candidates.count; i++) {
        candidates.chunks[i]->fate = i < n ? FATE_KEPT : FATE_OVER_BUDGET;
    }
}

/* What the finished output costs with the n best of them and what is pinned. */
static size_t finished_best(struct allowance *allowance, struct chunks *chunks,
                            struct candidates candidates, size_t n)
{
    size_t *whole = known_whole(allowance, n);
    if (*whole == NOT_KNOWN) {
        keep_best(candidates, n);
        *whole = allowance_finished(allowance, chunks);
    }
    return *whole;
}

/*
 * Finds the longest prefix whose finished prompt fits, from that of the sums
 * outwards in growing steps, then between the last two by halves.  Returns its cost.
 */
static size_t settle_prefix(struct allowance *allowance, struct chunks *chunks)
{
    struct candidates candidates = find_candidates(chunks);
    size_t fitting = 0;
    size_t whole = allowance->frame;
    size_t too_many = candidates.count + 1;
    size_t n = allowance->taken;
    bool exact =
        allowance->coverage == NULL && cost_is_additive(allowance->coster) && !allowance->near_miss;
    if (allowance->pinned > 0) {
        whole = finished_best(allowance, chunks, candidates, 0);
        allowance->pins_over |= whole > allowance->room;
    }
    for (size_t step = 1; too_many - fitting > 1; step *= 2) {
        size_t cost = finished_best(allowance, chunks, candidates, n);
        if (cost <= allowance->room) {
            fitting = n;
            whole = cost;
            if (exact && n == allowance->taken) {
                break; /* one more is known not to fit */
            }
            n = n + step < too_many ? n + step : fitting + (too_many - fitting) / 2;
        } else {
            too_many = n;
            n = n > fitting + step ? n - step : fitting + (too_many - fitting) / 2;
        }
    }
    allowance->taken = fitting;
    keep_best(candidates, fitting);
    free(candidates.chunks);
    return whole;
}

/* A chunk that was taken is not: what it cost of so much, and what is left without it. */
static void give_back(struct allowance *allowance, struct chunk *chunk, size_t with, size_t without)
{
    allowance->taken--;
    allowance->left = without < allowance->room ? allowance->room - without : 0;
    refuse(allowance, chunk, with > without ? with - without : 0);
}

/*
 * Where the parts do not add up, what was passed over may fit what is there by now: of a
 * passage most, say, was taken after it.  As often as a look at all of the output is worth
 * it.  Returns what the output costs then.
 */
static size_t take_after_all(struct allowance *allowance, struct chunks *chunks, size_t whole)
{
    enum { MOST_LOOKS = 8 };
    size_t looks = 0;
    for (size_t i = 0; i < chunks->ranked_count && looks < MOST_LOOKS; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate != FATE_OVER_BUDGET || chunk->pin > 0) {
            continue;
        }
        looks++;
        chunk->fate = FATE_KEPT;
        size_t with = allowance_finished(allowance, chunks);
        if (is_within_room(allowance, with)) {
            whole = with;
            allowance->taken++;
        } else {
            allowance->left = allowance->room - whole;
            refuse(allowance, chunk, with > whole ? with - whole : 0);
        }
    }
    return whole;
}

/* Gives back the weakest while the finished prompt is too much; returns its cost. */
static size_t settle_skip(struct allowance *allowance, struct chunks *chunks)
{
    size_t sum = cost_sum(allowance->frame, allowance->spent);
    size_t whole = allowance->adds_up ? sum : allowance_finished(allowance, chunks);
    bool exact = allowance->coverage == NULL && cost_is_additive(allowance->coster) && whole == sum;
    while (!is_within_room(allowance, whole) && allowance->taken > 0) {
        struct chunk *chunk = weakest(chunks, NULL);
        chunk->fate = FATE_OVER_BUDGET;
        size_t without = allowance_finished(allowance, chunks);
        give_back(allowance, chunk, whole, without);
        whole = without;
    }
    allowance->pins_over |= allowance->pinned > 0 && whole > allowance->room;
    bool answered = allowance->asked != NULL && allowance->asked->fate == FATE_KEPT;
    return exact || answered || whole > allowance->room ? whole
                                                        : take_after_all(allowance, chunks, whole);
}

/* What a chunk would add to an output of that cost, where its parts may not add up. */
static size_t cost_beside(struct allowance *allowance, struct chunks *chunks, struct chunk *chunk,
                          size_t whole)
{
    if (allowance->coverage == NULL && cost_is_additive(allowance->coster)) {
        return cost_of(allowance, chunk);
    }
    enum fate fate = chunk->fate;
    chunk->fate = FATE_KEPT;
    size_t with = allowance_finished(allowance, chunks);
    chunk->fate = fate;
    return with > whole ? with - whole : 0;
}

/* What was left for the first that did not fit; those after it were not counted. */
static void note_misfits(struct allowance *allowance, struct chunks *chunks, size_t whole)
{
    struct chunk *first = first_misfit(chunks);
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate == FATE_OVER_BUDGET) {
            bool is_counted = chunk == first;
            refuse(allowance, chunk, is_counted ? cost_beside(allowance, chunks, chunk, whole) : 0);
        }
    }
}

/*
 * --fit=prefix stops at the first chunk that does not fit.  When that leaves more than
 * a fifth of the budget, -v says what going on would have used.
 */
static void note_unused(struct allowance *allowance, struct chunks *chunks)
{
    size_t left = allowance->left;
    if (allowance->options->fit != FIT_PREFIX || allowance->options->budget == 0 ||
        allowance->coverage != NULL || /* which makes what one adds depend on the others */
        left <= allowance->room / 5 || chunks_with_fate(chunks, FATE_OVER_BUDGET) == 0) {
        return;
    }
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate == FATE_OVER_BUDGET) {
            size_t cost = cost_of(allowance, chunk);
            left -= cost <= left ? cost : 0;
        }
    }
    chunks->unused = allowance->left / allowance->options->counter->unit;
    chunks->truncate_could = allowance->is_prompt;
    chunks->skip_would = (allowance->left - left) / allowance->options->counter->unit;
}

/* --fit=skip may leave out what the user wants most. */
static void warn_of_best(const struct allowance *allowance, const struct chunks *chunks)
{
    const struct chunk *best = chunks->ranked_count > 0 ? chunks->ranked[0] : NULL;
    if (allowance->best_is_passed_over && allowance->options->fit == FIT_SKIP &&
        allowance->taken > 0 && best->fate == FATE_OVER_BUDGET) {
        diag_warn("the best chunk does not fit and is passed over: it takes %zu tokens, %zu are "
                  "left",
                  details_of(best)->needed, details_of(best)->tokens_left);
    }
}

/* Counts the finished prompt as one text, and keeps what fits by that count. */
static void settle(struct allowance *allowance, struct chunks *chunks)
{
    size_t whole = allowance->options->fit == FIT_SKIP ? settle_skip(allowance, chunks)
                                                       : settle_prefix(allowance, chunks);
    allowance->left = whole < allowance->room ? allowance->room - whole : 0;
    allowance->spent = whole > allowance->frame ? whole - allowance->frame : 0;
    if (allowance->options->fit != FIT_SKIP && !allowance->holds_alone) {
        note_misfits(allowance, chunks, whole);
    }
}

/* Whether the first `length` bytes of the text, marked as cut, fit in what is left. */
static bool fits(struct allowance *allowance, const struct chunk *chunk, struct slice text,
                 const struct addition *addition, size_t length)
{
    struct coster *coster = allowance->coster;
    struct slice cut = render_truncated(coster->renderer, text, length);
    size_t number = allowance->pinned + allowance->taken + 1;
    size_t from = addition->from < length ? addition->from : length;
    size_t cost = addition->joins ? cost_part(coster, chunk, cut, from, cut.len)
                                  : cost_block(coster, chunk, number, cut);
    return cost <= allowance->left;
}

/* The longest start of the text that fits, in bytes, at a grapheme's end. */
static size_t longest_start(struct allowance *allowance, const struct chunk *chunk,
                            struct slice text, const struct addition *addition)
{
    /* Doubling first: a budget says more of the length than a long text does. */
    size_t too_long = 64;
    size_t fitting = 0;
    while (too_long < text.len &&
           fits(allowance, chunk, text, addition, truncate_at_grapheme(text, too_long))) {
        fitting = too_long;
        too_long = too_long > text.len / 2 ? text.len : 2 * too_long;
    }
    too_long = too_long < text.len ? too_long : text.len;
    /* White space between the two is cut off in either case. */
    while (too_long - fitting > 1 &&
           !utf8_is_blank((struct slice){text.at + fitting, too_long - fitting})) {
        size_t middle = fitting + (too_long - fitting) / 2;
        if (fits(allowance, chunk, text, addition, truncate_at_grapheme(text, middle))) {
            fitting = middle;
        } else {
            too_long = middle;
        }
    }
    return truncate_at_grapheme(text, fitting);
}

/* After the chunk that was cut not much is left. */
static void note_truncated(struct allowance *allowance, struct chunks *chunks, size_t whole)
{
    allowance->spent = whole > allowance->frame ? whole - allowance->frame : 0;
    allowance->left = allowance->room - whole;
    allowance->taken++;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        if (chunks->ranked[i]->fate == FATE_OVER_BUDGET) {
            refuse(allowance, chunks->ranked[i], 0);
        }
    }
}

/* --fit=truncate: as much of the first chunk that did not fit as does. */
static void truncate_misfit(struct allowance *allowance, struct chunks *chunks)
{
    struct chunk *chunk = first_misfit(chunks);
    if (chunk == NULL) {
        return;
    }
    struct buf scratch = {0};
    struct slice text = chunk_text(chunk, &scratch);
    struct addition addition = {.to = text.len, .at_end = true};
    if (allowance->coverage != NULL) {
        addition = coverage_of(allowance->coverage, chunk, text);
    }
    /* What would come in the middle of a passage cannot be cut. */
    size_t most = addition.at_end ? longest_start(allowance, chunk, text, &addition) : 0;
    size_t step = 1;
    struct chunk_details *details = details_for(&chunks->arena, chunk);
    while ((details->truncated = (uint32_t)truncate_at_end(text, most)) > addition.from) {
        chunk->fate = FATE_KEPT;
        size_t whole = allowance_finished(allowance, chunks);
        if (whole <= allowance->room) {
            note_truncated(allowance, chunks, whole);
            break;
        }
        chunk->fate = FATE_OVER_BUDGET;
        most = details->truncated - (step < details->truncated ? step : details->truncated);
        step *= 2; /* each look counts all of the prompt */
    }
    if (chunk->fate == FATE_OVER_BUDGET) {
        details->truncated = 0;
    }
    buf_free(&scratch);
}

/* How the budget came to what there was to spend: "--budget 100, less 5 percent". */
static void describe(struct buf *out, const struct budget_options *options)
{
    buf_add_format(out, "--budget %zu", options->budget);
    if (options->reserve > 0) {
        buf_add_format(out, ", less --reserve %zu", options->reserve);
    }
    if (budget_margin(options) > 0) {
        buf_add_format(out, ", less %zu percent of margin", budget_margin(options));
    }
    buf_add_byte(out, '\0');
}

static int report_pins(struct allowance *allowance, struct chunks *chunks)
{
    struct buf budget = {0};
    struct counter *counter = allowance->options->counter;
    chunks->pins_over = true;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate == FATE_KEPT && chunk->pin == 0) {
            refuse(allowance, chunk, 0);
        }
    }
    size_t needed = allowance->frame;
    if (counts_whole(allowance)) {
        needed = allowance_finished(allowance, chunks);
    }
    for (size_t i = 0; i < chunks->ranked_count && !counts_whole(allowance); i++) {
        struct chunk *chunk = chunks->ranked[i];
        bool counts = chunk->fate == FATE_KEPT;
        needed = counts ? cost_sum(needed, cost_of(allowance, chunk)) : needed;
    }
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate == FATE_KEPT) {
            refuse(allowance, chunk, 0);
        }
    }
    describe(&budget, allowance->options);
    diag_error(STATUS_NO,
               "the pinned chunks do not fit: with them the output takes %zu tokens, "
               "there are %zu: %s",
               counter_tokens(counter, needed), budget_room(allowance->options), budget.at);
    buf_free(&budget);
    return STATUS_NO;
}

static int report_misfit(struct allowance *allowance, struct chunks *chunks)
{
    const struct budget_options *options = allowance->options;
    struct counter *counter = options->counter;
    size_t room = budget_room(options);
    struct buf budget = {0};
    describe(&budget, options);
    size_t frame_tokens = counter_tokens(counter, allowance->frame);
    if (allowance->frame > allowance->room) {
        diag_error(STATUS_NO, "the prompt takes %zu tokens without any chunk, there are %zu: %s",
                   frame_tokens, room, budget.at);
    } else {
        size_t left = room - frame_tokens;
        struct chunk *first = first_misfit(chunks);
        size_t cost = first != NULL && counts_whole(allowance)
                          ? cost_beside(allowance, chunks, first, allowance->frame)
                          : allowance->best_cost;
        size_t best = counter_tokens(counter, cost);
        /* It did not fit, if only because of what is around it. */
        diag_error(STATUS_NO, "no chunk fits: the best takes %zu tokens, %zu are left of %s",
                   best > left ? best : left + 1, left, budget.at);
    }
    buf_free(&budget);
    return STATUS_NO;
}

/* The cost of the most expensive of the prompts that --sweep writes. */
static size_t cost_of_sweep(struct allowance *allowance, struct chunks *chunks,
                            struct chunk *planted)
{
    size_t most = 0;
    struct positions range = place_range(chunks, allowance->placing, planted);
    for (size_t position = range.first; position <= range.last; position++) {
        place_planted(chunks, allowance->placing, planted, position);
        size_t cost = cost_prompt(allowance->coster, chunks);
        allowance->finished++;
        most = cost > most ? cost : most;
    }
    return most;
}

/*
 * --sweep: the same chunks are to fit in every order.  While one order is too much,
 * the weakest chunk beside the planted one is dropped.
 */
static void settle_sweep(struct allowance *allowance, struct chunks *chunks)
{
    struct chunk *planted = place_swept(chunks, allowance->placing);
    if (planted == NULL || planted->fate != FATE_KEPT || planted->pin > 0) {
        return;
    }
    size_t whole = cost_of_sweep(allowance, chunks, planted);
    while (!is_within_room(allowance, whole) && allowance->taken > 1) {
        struct chunk *chunk = weakest(chunks, planted);
        chunk->fate = FATE_OVER_BUDGET;
        size_t without = cost_of_sweep(allowance, chunks, planted);
        give_back(allowance, chunk, whole, without);
        whole = without;
    }
    if (whole > allowance->room) { /* with what is around the chunk where it stands alone */
        refuse(allowance, planted, 0);
        allowance->taken--;
        whole = allowance_finished(allowance, chunks);
    }
    allowance->left = whole < allowance->room ? allowance->room - whole : 0;
    allowance->spent = whole > allowance->frame ? whole - allowance->frame : 0;
}

static void spend_budget(struct allowance *allowance, struct chunks *chunks)
{
    spend(allowance, chunks);
    if (allowance->frame > allowance->room || !counts_whole(allowance)) {
        return;
    }
    allowance->adds_up = allowance->known != NULL && allowance->known->adds_up &&
                         !allowance->pins_over; /* of pins that are over, not all is spent */
    allowance->pins_over = false;
    settle(allowance, chunks);
    if (allowance->options->fit == FIT_TRUNCATE && !allowance->holds_alone) {
        truncate_misfit(allowance, chunks);
    }
    if (place_sweeps(allowance->placing)) {
        settle_sweep(allowance, chunks);
    }
}

void allowance_decide(struct allowance *allowance, struct chunks *chunks)
{
    const struct budget_options *options = allowance->options;
    allowance->room =
        options->budget > 0 ? counter_limit(options->counter, budget_room(options)) : SIZE_MAX;
    allowance->frame = cost_frame(allowance->coster);
    allowance->left = allowance->frame < allowance->room ? allowance->room - allowance->frame : 0;
    allowance->lack = SIZE_MAX;
    chunks->frame_over = !is_within_room(allowance, allowance->frame);
    if (allowance->coverage != NULL) {
        coverage_clear(allowance->coverage);
    }
    spend_budget(allowance, chunks);
}

int budget(struct chunks *chunks, const struct budget_options *options,
           const struct place_options *placing, const struct prompt_options *prompt)
{
    chunks->pins_over = false;
    if (options->budget == 0 && !options->shows_total) {
        return STATUS_OK;
    }
    struct coster coster;
    coster_open(&coster, chunks, options, prompt);
    bool stitches = placing->stitch > 0;
    struct allowance allowance = {.arena = &chunks->arena,
                                  .options = options,
                                  .placing = placing,
                                  .is_prompt = prompt_is_wanted(prompt),
                                  .coster = &coster,
                                  .coverage = stitches ? coverage_new(chunks, placing) : NULL};
    size_t candidates = chunks_with_fate(chunks, FATE_KEPT);
    allowance_decide(&allowance, chunks);
    int status = allowance.pins_over ? report_pins(&allowance, chunks) : STATUS_OK;
    chunks->tokens = counter_tokens(options->counter, allowance.frame + allowance.spent);
    warn_of_best(&allowance, chunks);
    if (options->shows_each) {
        note_unused(&allowance, chunks);
        cost_texts(&coster, chunks);
    }
    bool misfit = allowance.frame > allowance.room ||
                  (candidates > 0 && allowance.taken == 0 && allowance.pinned == 0);
    status = status == STATUS_OK && misfit ? report_misfit(&allowance, chunks) : status;
    coverage_free(allowance.coverage);
    coster_close(&coster);
    return status;
}
