/* findings.c: see findings.h. */
#include "findings.h"

#include <stdlib.h>

void findings_open(struct findings *findings, struct chunks *chunks)
{
    *findings = (struct findings){.chunks = chunks};
}

void findings_free(struct findings *findings)
{
    free(findings->all);
    free(findings->numbers);
    free(findings->placed_at);
    free(findings->in_line);
    free(findings->in_group);
    *findings = (struct findings){0};
}

static size_t number_of(const struct findings *findings, const struct chunk *chunk)
{
    return (size_t)(chunk - findings->chunks->all);
}

void findings_name(struct findings *findings, const struct chunk *chunk)
{
    if (findings->numbers == NULL) {
        findings->numbers = mem_zeroed(findings->chunks->count, sizeof *findings->numbers);
    }
    uint32_t *number = &findings->numbers[number_of(findings, chunk)];
    if (*number == 0) {
        findings->all = mem_grow(findings->all, &findings->capacity, findings->count + 1,
                                 sizeof *findings->all);
        findings->all[findings->count++] = (struct finding){.chunk = chunk};
        *number = (uint32_t)findings->count;
    }
}

const struct finding *findings_of(const struct findings *findings, const struct chunk *chunk)
{
    return &findings->all[findings->numbers[number_of(findings, chunk)] - 1];
}

/* The finding that a chunk is, or NULL. */
static const struct finding *find_finding(const struct findings *findings,
                                          const struct chunk *chunk)
{
    uint32_t number = findings->numbers[number_of(findings, chunk)];
    return number > 0 ? &findings->all[number - 1] : NULL;
}

/* What the kept among them say, held against all that is kept. */
static void find_shares(struct findings *findings)
{
    const struct chunks *chunks = findings->chunks;
    struct own_words *own = own_words_new();
    struct buf text = {0};
    for (size_t i = 0; i < findings->count; i++) {
        struct finding *finding = &findings->all[i];
        if (finding->chunk->fate == FATE_KEPT) {
            finding->text = own_words_ask(own, chunk_text(finding->chunk, &text));
        }
    }
    findings->placed_at = mem_zeroed(chunks->count, sizeof *findings->placed_at);
    for (size_t i = 0; i < chunks->placed_count; i++) {
        const struct chunk *other = chunks->placed[i];
        const struct finding *itself = find_finding(findings, other);
        own_words_hold_against(own, chunk_text(other, &text),
                               itself != NULL ? itself->text : NOT_ASKED);
        findings->placed_at[number_of(findings, other)] = i;
    }
    for (size_t i = 0; i < findings->count; i++) {
        struct finding *finding = &findings->all[i];
        if (finding->chunk->fate == FATE_KEPT) {
            finding->share = own_words_share(own, finding->text);
            bool any = finding->share.shared > 0;
            finding->nearest = any ? chunks->placed[finding->share.nearest] : NULL;
        }
    }
    buf_free(&text);
    own_words_free(own);
}

/* It ends the output, unless what does not fit is passed over. */
static const struct chunk *first_misfit(const struct chunks *chunks)
{
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        const struct chunk *chunk = chunks->ranked[i];
        if (chunk->fate == FATE_OVER_BUDGET || details_of(chunk)->truncated > 0) {
            return chunk;
        }
    }
    return NULL;
}

static void find_budgets(struct findings *findings, const struct why_options *options)
{
    struct held_chunk *wanted = mem_zeroed(findings->count, sizeof *wanted);
    size_t count = 0;
    findings->first_misfit = first_misfit(findings->chunks);
    for (size_t i = 0; i < findings->count; i++) {
        if (findings->all[i].chunk->fate == FATE_OVER_BUDGET) {
            wanted[count++].chunk = findings->all[i].chunk;
        }
    }
    budgets_that_hold(findings->chunks, options->budget, options->place, options->prompt, wanted,
                      count);
    for (size_t i = 0; i < count; i++) {
        size_t number = findings->numbers[number_of(findings, wanted[i].chunk)];
        findings->all[number - 1].held = wanted[i];
    }
    free(wanted);
}

/* Counts down the ranking who came so far: of all, and of each group. */
static void find_lines(struct findings *findings)
{
    const struct chunks *chunks = findings->chunks;
    uint32_t groups = 0;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        groups = chunks->ranked[i]->group > groups ? chunks->ranked[i]->group : groups;
    }
    size_t *of_group = mem_zeroed((size_t)groups + 1, sizeof *of_group);
    findings->in_line = mem_zeroed(chunks->ranked_count, sizeof *findings->in_line);
    findings->in_group = mem_zeroed(chunks->ranked_count, sizeof *findings->in_group);
    size_t of_all = 0;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        const struct chunk *one = chunks->ranked[i];
        bool passed =
            one->fate == FATE_KEPT || one->fate == FATE_OVER_BUDGET || one->fate == FATE_BEYOND_TOP;
        of_all += passed && one->pin == 0;
        of_group[one->group] += (passed || one->fate == FATE_BEYOND_PER_GROUP) && one->pin == 0;
        findings->in_line[i] = of_all;
        findings->in_group[i] = of_group[one->group];
    }
    free(of_group);
}

size_t findings_place_in_line(const struct findings *findings, const struct chunk *chunk,
                              bool in_group)
{
    return (in_group ? findings->in_group : findings->in_line)[chunk->rank - 1];
}

void findings_find(struct findings *findings, const struct why_options *options)
{
    bool any[FATES] = {false};
    for (size_t i = 0; i < findings->count; i++) {
        any[findings->all[i].chunk->fate] = true;
    }
    if (any[FATE_KEPT]) {
        find_shares(findings);
    }
    if (any[FATE_OVER_BUDGET]) {
        find_budgets(findings, options);
    }
    if (any[FATE_BEYOND_TOP] || any[FATE_BEYOND_PER_GROUP]) {
        find_lines(findings);
    }
}
