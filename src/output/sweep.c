/*
 * sweep.c: --sweep: the experiment of Liu et al. 2023, "Lost in the Middle".
 *
 * One chunk is put at each position in turn among the other kept ones, and each
 * order makes a prompt: whether a model finds the chunk there is then measured.
 */
#include "output.h"

/* One experiment. */
struct trial {
    struct chunks *chunks;
    const struct place_options *placing;
    struct renderer *renderer;
    struct chunk *planted;
    struct buf prompt;
    struct buf lines;
};

static void add_line(struct trial *trial, size_t position)
{
    struct buf *lines = &trial->lines;
    struct buf id = {0};
    struct buf scratch = {0};
    utf8_add_repaired(&id, trial->placing->sweep != NULL ? slice_of(trial->placing->sweep)
                                                         : chunk_id_text(trial->planted, &scratch));
    buf_add_string(lines, "{");
    if (trial->chunks->group.at != NULL) {
        buf_add_string(lines, "\"group\":");
        value_add_quoted(lines, trial->chunks->group);
        buf_add_byte(lines, ',');
    }
    buf_add_string(lines, "\"id\":");
    value_add_quoted(lines, buf_slice(&id));
    buf_add_format(lines, ",\"position\":%zu,\"of\":%zu,\"prompt\":", position,
                   trial->chunks->document_count);
    value_add_quoted(lines, buf_slice(&trial->prompt));
    buf_add_string(lines, "}\n");
    buf_free(&id);
    buf_free(&scratch);
}

static int write_all(struct trial *trial)
{
    struct chunks *chunks = trial->chunks;
    int status = STATUS_OK;
    struct positions range = place_range(chunks, trial->placing, trial->planted);
    for (size_t at = range.first; at <= range.last && status == STATUS_OK; at++) {
        place_planted(chunks, trial->placing, trial->planted, at);
        trial->prompt.len = 0;
        size_t before = renderer_escapes(trial->renderer);
        render_all(trial->renderer, &trial->prompt, chunks, NULL);
        chunks->neutralised = renderer_escapes(trial->renderer) - before; /* in each the same */
        add_line(trial, at);
        if (trial->lines.len >= OUT_ENOUGH) {
            status = out_write(&trial->lines);
        }
    }
    place(chunks, trial->placing); /* as the report is to see it */
    return status == STATUS_OK ? out_write(&trial->lines) : status;
}

static int report_missing(const struct chunks *chunks, const struct chunk *chunk,
                          const struct place_options *placing)
{
    struct buf why = {0};
    if (chunk != NULL) {
        fate_describe(&why, chunks, chunk);
    } else if (placing->sweep == NULL) {
        buf_add_string(&why, "no chunk has true there");
    } else {
        buf_add_string(&why, chunks_no_such_id(chunks));
    }
    bool named = placing->sweep != NULL;
    diag_error(STATUS_NO, "the chunk '%s' that --sweep%s names is not kept: %.*s",
               named ? placing->sweep : placing->sweep_if.written, named ? "" : "-if", (int)why.len,
               why.at);
    buf_free(&why);
    return STATUS_NO;
}

int write_sweep(struct chunks *chunks, const struct place_options *placing,
                const struct prompt_options *prompt)
{
    struct chunk *planted = place_swept(chunks, placing);
    if (chunks->placed_count == 0) {
        return STATUS_OK;
    }
    if (planted != NULL && planted->pin > 0) {
        return diag_error(STATUS_NO, "the chunk that --sweep names is pinned");
    }
    if (planted == NULL || planted->fate != FATE_KEPT) {
        return report_missing(chunks, planted, placing);
    }
    struct trial trial = {.chunks = chunks,
                          .placing = placing,
                          .planted = planted,
                          .renderer = renderer_new(chunks, prompt)};
    int status = write_all(&trial);
    renderer_free(trial.renderer);
    buf_free(&trial.prompt);
    buf_free(&trial.lines);
    return status;
}
