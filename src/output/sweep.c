/*
 * sweep.c: --sweep: the experiment of Liu et al. 2023, "Lost in the Middle".
 *
 * One chunk is put at each position in turn among the other kept ones, and each
 * order makes a prompt: whether a model finds the chunk there is then measured.
 */
#include <stdlib.h>

#include "base/base.h"
#include "fate.h"
#include "pipeline.h"
#include "place/layout.h"
#include "prompt/render.h"
#include "tokens/tokens.h"
#include "json/quote.h"

/* One experiment. */
struct trial {
    struct chunks *chunks;
    const struct options *options;
    struct render render;
    struct chunk *planted;
    struct chunk **others; /* in layout order */
    size_t other_count;
    struct buf prompt;
    struct buf lines;
};

/* Places the planted chunk at a position, counted from 1, and renders the prompt. */
static void plant(struct trial *trial, size_t position)
{
    struct chunks *chunks = trial->chunks;
    size_t next = 0;
    for (size_t i = 0; i < trial->other_count + 1; i++) {
        chunks->placed[i] = i + 1 == position ? trial->planted : trial->others[next++];
        chunks->placed[i]->position = i + 1;
    }
    trial->prompt.len = 0;
    render_all(&trial->render, &trial->prompt, chunks, NULL);
}

static bool fits(const struct trial *trial)
{
    const struct options *options = trial->options;
    if (options->budget == 0 || options->tokens.depth > 0) {
        return true; /* figures of the chunks' own do not depend on the order */
    }
    size_t cost = counter_cost(options->counter, buf_slice(&trial->prompt));
    return cost <= counter_limit(options->counter, options_room(options));
}

static void add_line(struct trial *trial, struct slice id, size_t position)
{
    struct buf *lines = &trial->lines;
    buf_add_string(lines, "{\"id\":");
    struct buf repaired = {0};
    utf8_add_repaired(&repaired, id);
    value_add_quoted(lines, buf_slice(&repaired));
    buf_free(&repaired);
    buf_add_format(lines, ",\"position\":%zu,\"of\":%zu,\"prompt\":", position,
                   trial->other_count + 1);
    value_add_quoted(lines, buf_slice(&trial->prompt));
    buf_add_string(lines, "}\n");
}

static void list_others(struct trial *trial)
{
    trial->other_count = 0;
    for (size_t i = 0; i < trial->chunks->placed_count; i++) {
        if (trial->chunks->placed[i] != trial->planted) {
            trial->others[trial->other_count++] = trial->chunks->placed[i];
        }
    }
}

/* Gives back the weakest of the others, which must be one. */
static void drop_weakest(struct trial *trial)
{
    struct chunks *chunks = trial->chunks;
    size_t i = chunks->ranked_count - 1;
    while (chunks->ranked[i]->fate != FATE_KEPT || chunks->ranked[i] == trial->planted) {
        i--;
    }
    chunks->ranked[i]->fate = FATE_OVER_BUDGET;
    place_chunks(chunks, trial->options);
    list_others(trial);
}

/* All prompts have the same chunks: when one is over the budget, all are tried anew. */
static void settle(struct trial *trial)
{
    for (size_t position = 1; position <= trial->other_count + 1; position++) {
        plant(trial, position);
        if (!fits(trial) && trial->other_count > 0) {
            drop_weakest(trial);
            position = 0;
        }
    }
}

static int write_all(struct trial *trial)
{
    struct slice id = slice_of(trial->options->sweep);
    int status = STATUS_OK;
    for (size_t position = 1; position <= trial->other_count + 1 && status == STATUS_OK;
         position++) {
        plant(trial, position);
        add_line(trial, id, position);
        if (trial->lines.len >= OUT_ENOUGH) {
            status = out_write(&trial->lines);
        }
    }
    return status == STATUS_OK ? out_write(&trial->lines) : status;
}

/* Of several chunks with the id the best-ranked that is kept, else any. */
static struct chunk *find(const struct chunks *chunks, const char *id)
{
    struct buf scratch = {0};
    struct chunk *found = NULL;
    for (size_t i = 0; i < chunks->count; i++) {
        struct chunk *chunk = &chunks->all[i];
        if (chunk->id.len == 0 || !slice_equal(chunk_id_text(chunk, &scratch), slice_of(id))) {
            continue;
        }
        bool kept = chunk->fate == FATE_KEPT;
        bool better = found == NULL || (kept && found->fate != FATE_KEPT) ||
                      (kept && chunk->rank < found->rank);
        found = better ? chunk : found;
    }
    buf_free(&scratch);
    return found;
}

static int report_missing(const struct chunks *chunks, const struct chunk *chunk,
                          const struct options *options)
{
    struct buf why = {0};
    if (chunk == NULL) {
        buf_add_string(&why, "no chunk has this id");
    } else {
        fate_describe(&why, chunks, chunk, options);
    }
    buf_add_byte(&why, '\0');
    diag_error(STATUS_NO, "the chunk '%s' that --sweep names is not kept: %s", options->sweep,
               why.at);
    buf_free(&why);
    return STATUS_NO;
}

int sweep(struct chunks *chunks, const struct options *options)
{
    struct trial trial = {.chunks = chunks,
                          .options = options,
                          .planted = find(chunks, options->sweep),
                          .others = mem_zeroed(chunks->placed_count, sizeof(struct chunk *))};
    int status = STATUS_OK;
    if (trial.planted == NULL || trial.planted->fate != FATE_KEPT) {
        status =
            chunks->placed_count > 0 ? report_missing(chunks, trial.planted, options) : STATUS_OK;
    } else {
        render_open(&trial.render, chunks, options);
        list_others(&trial);
        if (options->budget > 0) {
            settle(&trial);
        }
        status = write_all(&trial);
        place_chunks(chunks, options); /* as the report is to see it */
        render_close(&trial.render);
    }
    buf_free(&trial.prompt);
    buf_free(&trial.lines);
    free(trial.others);
    return status;
}
