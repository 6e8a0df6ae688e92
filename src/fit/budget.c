/* budget.c: the longest start of the ranking that fits, see fit.h. */
#include <stdint.h>
#include <stdlib.h>

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

/* One pass down the ranking.  Costs are in the counter's parts of a token. */
struct allowance {
    const struct budget_options *options;
    const struct place_options *placing;
    bool is_prompt;
    struct coster coster;
    struct coverage *coverage; /* of passages, with --stitch; else NULL */
    size_t room;               /* for all of the output; SIZE_MAX without a budget */
    size_t frame;
    size_t left;
    struct arena *arena; /* the chunks' */
    size_t spent;        /* on chunks */
    size_t taken;        /* chunks, but for the pinned ones */
    size_t pinned;       /* chunks that are taken first */
    bool pins_over;      /* and do not fit alone */
    size_t looks;        /* at the whole output, see fits_after_all() */
    size_t lack;         /* with less room more than this, each decision would be the same */
    size_t best_cost;    /* of the best chunk, for a message */
    bool best_is_passed_over;
    bool near_miss; /* the first that did not fit was too much by next to nothing */
};

/* Where a piece meets another than the one it was counted before, so much may change. */
#define NEAR_TOKENS 2

/* cost: what the chunk would have added; 0 where that does not matter. */
static void refuse(struct allowance *allowance, struct chunk *chunk, size_t cost)
{
    struct chunk_details *details = details_for(allowance->arena, chunk);
    chunk->fate = FATE_OVER_BUDGET;
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

/* What the chunk would add to what is taken: of a passage what is new. */
static size_t cost_of(struct allowance *allowance, struct chunk *chunk)
{
    struct coster *coster = &allowance->coster;
    size_t number = allowance->pinned + allowance->taken + 1;
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

/* What the finished output costs as things stand. */
static size_t finished(struct allowance *allowance, struct chunks *chunks)
{
    place(chunks, allowance->placing);
    return allowance->is_prompt ? cost_prompt(&allowance->coster, chunks)
                                : cost_lines(&allowance->coster, chunks);
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
    size_t whole = finished(allowance, chunks);
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
    size_t whole = finished_up_to(allowance, chunks, rank);
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
    if (allowance->coverage != NULL) {
        coverage_take(allowance->coverage, chunk);
    }
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
    bool exact = allowance->coverage == NULL && render_is_additive(allowance->coster.renderer) &&
                 !allowance->near_miss;
    if (allowance->pinned > 0) {
        keep_best(candidates, 0);
        whole = finished(allowance, chunks);
        allowance->pins_over |= whole > allowance->room;
    }
    for (size_t step = 1; too_many - fitting > 1; step *= 2) {
        keep_best(candidates, n);
        size_t cost = finished(allowance, chunks);
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

/* Gives back the weakest while the finished prompt is too much; returns its cost. */
static size_t settle_skip(struct allowance *allowance, struct chunks *chunks)
{
    size_t whole = finished(allowance, chunks);
    while (!is_within_room(allowance, whole) && allowance->taken > 0) {
        struct chunk *chunk = weakest(chunks, NULL);
        refuse(allowance, chunk, cost_chunk(&allowance->coster, chunk, allowance->taken));
        allowance->taken--;
        whole = finished(allowance, chunks);
    }
    allowance->pins_over |= allowance->pinned > 0 && whole > allowance->room;
    return whole;
}

/* What was left for the first that did not fit; those after it were not counted. */
static void note_misfits(struct allowance *allowance, struct chunks *chunks)
{
    struct chunk *first = first_misfit(chunks);
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate == FATE_OVER_BUDGET) {
            bool is_counted = chunk == first;
            refuse(allowance, chunk, is_counted ? cost_of(allowance, chunk) : 0);
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
    if (allowance->options->fit != FIT_SKIP) {
        note_misfits(allowance, chunks);
    }
}

/* Whether the first `length` bytes of the text, marked as cut, fit in what is left. */
static bool fits(struct allowance *allowance, const struct chunk *chunk, struct slice text,
                 const struct addition *addition, size_t length)
{
    struct coster *coster = &allowance->coster;
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
        size_t whole = finished(allowance, chunks);
        if (whole <= allowance->room) {
            allowance->spent = whole > allowance->frame ? whole - allowance->frame : 0;
            allowance->taken++;
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
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate == FATE_KEPT && chunk->pin == 0) {
            refuse(allowance, chunk, 0);
        }
    }
    size_t needed = allowance->frame;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
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

static int report_misfit(const struct allowance *allowance)
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
        size_t best = counter_tokens(counter, allowance->best_cost);
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
        size_t cost = cost_prompt(&allowance->coster, chunks);
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
    size_t whole;
    while (!is_within_room(allowance, whole = cost_of_sweep(allowance, chunks, planted)) &&
           allowance->taken > 1) {
        struct chunk *chunk = weakest(chunks, planted);
        chunk->fate = FATE_OVER_BUDGET;
        allowance->taken--;
    }
    if (whole > allowance->room) { /* with what is around the chunk where it stands alone */
        refuse(allowance, planted, 0);
        allowance->taken--;
        whole = finished(allowance, chunks);
    }
    allowance->spent = whole > allowance->frame ? whole - allowance->frame : 0;
}

static void spend_budget(struct allowance *allowance, struct chunks *chunks)
{
    spend(allowance, chunks);
    bool counts_whole =
        allowance->is_prompt ? !allowance->options->counts_given : allowance->coverage != NULL;
    if (allowance->frame > allowance->room || !counts_whole) {
        return;
    }
    allowance->pins_over = false;
    settle(allowance, chunks);
    if (allowance->options->fit == FIT_TRUNCATE) {
        truncate_misfit(allowance, chunks);
    }
    if (place_sweeps(allowance->placing)) {
        settle_sweep(allowance, chunks);
    }
}

/* All that budget() decides, without a word. */
static void decide(struct allowance *allowance, struct chunks *chunks)
{
    const struct budget_options *options = allowance->options;
    allowance->room =
        options->budget > 0 ? counter_limit(options->counter, budget_room(options)) : SIZE_MAX;
    allowance->frame = cost_frame(&allowance->coster);
    allowance->left = allowance->frame < allowance->room ? allowance->room - allowance->frame : 0;
    allowance->lack = SIZE_MAX;
    chunks->frame_over = !is_within_room(allowance, allowance->frame);
    if (allowance->placing->stitch > 0) {
        allowance->coverage = coverage_new(chunks, allowance->placing);
    }
    spend_budget(allowance, chunks);
}

static void close_allowance(struct allowance *allowance)
{
    coster_close(&allowance->coster);
    coverage_free(allowance->coverage);
}

int budget(struct chunks *chunks, const struct budget_options *options,
           const struct place_options *placing, const struct prompt_options *prompt)
{
    if (options->budget == 0 && !options->shows_total) {
        return STATUS_OK;
    }
    struct allowance allowance = {.arena = &chunks->arena,
                                  .options = options,
                                  .placing = placing,
                                  .is_prompt = prompt_is_wanted(prompt)};
    coster_open(&allowance.coster, chunks, options, prompt);
    size_t candidates = chunks_with_fate(chunks, FATE_KEPT);
    decide(&allowance, chunks);
    int status = allowance.pins_over ? report_pins(&allowance, chunks) : STATUS_OK;
    chunks->tokens = counter_tokens(options->counter, allowance.frame + allowance.spent);
    warn_of_best(&allowance, chunks);
    if (options->shows_each) {
        note_unused(&allowance, chunks);
        cost_texts(&allowance.coster, chunks);
    }
    bool misfit = allowance.frame > allowance.room ||
                  (candidates > 0 && allowance.taken == 0 && allowance.pinned == 0);
    status = status == STATUS_OK && misfit ? report_misfit(&allowance) : status;
    close_allowance(&allowance);
    return status;
}

/* A trial of another budget: what it says of the chunk in question. */
struct trial {
    bool holds;
    size_t more; /* tokens up to the next room that may change a decision, under --fit=skip */
};

/* Decides anew for all that the budget decides on. */
static struct trial try_budget(struct chunks *chunks, const struct budget_options *options,
                               const struct place_options *placing,
                               const struct prompt_options *prompt, const struct chunk *chunk)
{
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *one = chunks->ranked[i];
        one->fate = one->fate == FATE_OVER_BUDGET ? FATE_KEPT : one->fate;
        if (one->details != NULL) {
            one->details->truncated = 0;
        }
    }
    struct allowance allowance = {.arena = &chunks->arena,
                                  .options = options,
                                  .placing = placing,
                                  .is_prompt = prompt_is_wanted(prompt)};
    coster_open(&allowance.coster, chunks, options, prompt);
    decide(&allowance, chunks);
    struct trial trial = {.holds = chunk->fate == FATE_KEPT && details_of(chunk)->truncated == 0};
    trial.holds &= !allowance.pins_over && allowance.frame <= allowance.room;
    size_t next = counter_tokens(options->counter, cost_sum(allowance.room, allowance.lack));
    trial.more = next - budget_room(options);
    close_allowance(&allowance);
    return trial;
}

/* The least budget that leaves so much room. */
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

/* No budget that somebody gives is larger. */
#define LARGEST_BUDGET ((size_t)1 << (sizeof(size_t) * 8 - 12))

/* What the chunks that the budget decides on cost, each alone, the pinned first; for free(). */
static size_t *list_costs(struct chunks *chunks, struct allowance *allowance,
                          const struct chunk *chunk, size_t *count, size_t *of_pinned)
{
    size_t *costs = mem_zeroed(chunks->ranked_count, sizeof *costs);
    *count = 0;
    *of_pinned = 0;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        struct chunk *one = chunks->ranked[i];
        bool decided = one->fate == FATE_KEPT || one->fate == FATE_OVER_BUDGET;
        if (decided && one->pin > 0) {
            *of_pinned += cost_chunk(&allowance->coster, one, 1);
        } else if (decided && one->rank <= chunk->rank) {
            costs[*count] = cost_chunk(&allowance->coster, one, *count + 1);
            ++*count;
        }
    }
    return costs;
}

/*
 * The least room from `room` up in which the last of them has a place when what does not
 * fit is passed over; 0 where that takes too long to find.  A larger room may take a
 * better chunk instead, so all of them are tried at which a decision changes.
 */
static size_t room_for_last(const size_t *costs, size_t count, size_t room)
{
    enum { MOST_STEPS = 50000000 };
    for (size_t steps = 0; steps < MOST_STEPS; steps += count + 1) {
        size_t left = room;
        size_t more = SIZE_MAX;
        bool taken = false;
        for (size_t i = 0; i < count; i++) {
            taken = costs[i] <= left;
            size_t lacks = costs[i] - left;
            left -= taken ? costs[i] : 0;
            more = !taken && lacks < more ? lacks : more;
        }
        if (taken) {
            return room;
        }
        room += more;
    }
    return 0;
}

/* --fit=skip: where to look, by what each chunk costs alone. */
static size_t guess_budget(struct chunks *chunks, struct budget_options options,
                           const struct prompt_options *prompt, const struct chunk *chunk)
{
    struct allowance allowance = {
        .arena = &chunks->arena, .options = &options, .is_prompt = prompt_is_wanted(prompt)};
    coster_open(&allowance.coster, chunks, &options, prompt);
    size_t count;
    size_t pinned;
    size_t *costs = list_costs(chunks, &allowance, chunk, &count, &pinned);
    size_t fixed = cost_sum(cost_frame(&allowance.coster), pinned);
    size_t room = counter_limit(options.counter, budget_room(&options));
    size_t found = room_for_last(costs, count, room > fixed ? room - fixed : 0);
    free(costs);
    coster_close(&allowance.coster);
    size_t tokens = counter_tokens(options.counter, cost_sum(found, fixed));
    return found > 0 ? budget_with_room(options, tokens) : options.budget;
}

/*
 * From a guess to where the chunk is held and by one token less is not; 0 where that is
 * farther away than a few looks.
 */
static size_t search_near(struct chunks *chunks, struct budget_options options,
                          const struct place_options *placing, const struct prompt_options *prompt,
                          const struct chunk *chunk)
{
    enum { MOST_TRIALS = 48 };
    const size_t in_force = options.budget;
    options.budget = guess_budget(chunks, options, prompt, chunk);
    size_t trials = 0;
    struct trial trial = {0};
    while (trials++ < MOST_TRIALS && options.budget < LARGEST_BUDGET && !trial.holds) {
        trial = try_budget(chunks, &options, placing, prompt, chunk);
        if (!trial.holds) {
            options.budget = budget_with_room(options, budget_room(&options) + trial.more);
        }
    }
    size_t held = trial.holds ? options.budget : 0;
    while (held > 0 && held - 1 > in_force) {
        options.budget = held - 1;
        if (trials++ >= MOST_TRIALS) {
            return 0;
        }
        if (!try_budget(chunks, &options, placing, prompt, chunk).holds) {
            break;
        }
        held--;
    }
    return held;
}

/*
 * The first budget that holds the chunk of all at which a decision changes, from the one in
 * force up: there is no smaller one.  0 where that takes too long.
 */
static size_t search_by_steps(struct chunks *chunks, struct budget_options options,
                              const struct place_options *placing,
                              const struct prompt_options *prompt, const struct chunk *chunk)
{
    enum { MOST_TOKENS = 12000000 };
    size_t tokens = 1;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        tokens = cost_sum(tokens, chunks->ranked[i]->tokens);
    }
    for (size_t counted = 0; counted < MOST_TOKENS; counted = cost_sum(counted, tokens)) {
        struct trial trial = try_budget(chunks, &options, placing, prompt, chunk);
        if (trial.holds) {
            return options.budget;
        }
        if (trial.more >= LARGEST_BUDGET) {
            return 0;
        }
        options.budget = budget_with_room(options, budget_room(&options) + trial.more);
    }
    return 0;
}

/* The other rules keep what a smaller budget keeps. */
static size_t search_by_halves(struct chunks *chunks, struct budget_options options,
                               const struct place_options *placing,
                               const struct prompt_options *prompt, const struct chunk *chunk)
{
    size_t low = options.budget;
    size_t high = low;
    do {
        low = high;
        high *= 2;
        options.budget = high;
    } while (high < LARGEST_BUDGET && !try_budget(chunks, &options, placing, prompt, chunk).holds);
    if (high >= LARGEST_BUDGET) {
        return 0;
    }
    while (high - low > 1) {
        options.budget = low + (high - low) / 2;
        if (try_budget(chunks, &options, placing, prompt, chunk).holds) {
            high = options.budget;
        } else {
            low = options.budget;
        }
    }
    return high;
}

size_t budget_that_holds(struct chunks *chunks, const struct budget_options *options,
                         const struct place_options *placing, const struct prompt_options *prompt,
                         const struct chunk *chunk, bool *is_least)
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
    bool passes_over = options->fit == FIT_SKIP && chunk->pin == 0;
    bool can_guess = passes_over && placing->stitch == 0; /* what a part costs depends on others */
    size_t found = can_guess ? search_near(chunks, *options, placing, prompt, chunk) : 0;
    if (passes_over && found == 0) {
        found = search_by_steps(chunks, *options, placing, prompt, chunk);
    }
    *is_least = !passes_over || found > 0;
    if (found == 0) {
        found = search_by_halves(chunks, *options, placing, prompt, chunk);
    }
    free(chunks->placed);
    before.placed = placed;
    memcpy(chunks->all, all, chunks->count * sizeof *all);
    free(all);
    arena_free(&chunks->arena);
    *chunks = before;
    return found;
}
