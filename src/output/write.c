/* write.c: the kept chunks as the lines they came as, byte for byte, or as a prompt. */
#include "annotate.h"
#include "output.h"

static int write_lines(const struct chunks *chunks)
{
    struct out out = {.count = 0};
    int status = STATUS_OK;
    for (size_t i = 0; i < chunks->placed_count && status == STATUS_OK; i++) {
        struct slice line = chunk_line(chunks->placed[i]);
        if (line.at[line.len] == '\n') {
            line.len++; /* its own line feed, where nothing stands between */
            status = out_add(&out, line);
        } else {
            status = out_add(&out, line);
            status = status == STATUS_OK ? out_add(&out, slice_of("\n")) : status;
        }
    }
    return status == STATUS_OK ? out_flush(&out) : status;
}

static int write_annotated(const struct chunks *chunks, const struct output_options *options)
{
    struct buf text = {0};
    int status = STATUS_OK;
    for (size_t i = 0; i < chunks->placed_count; i++) {
        annotate_add(&text, chunks, chunks->placed[i], options);
        if (text.len >= OUT_ENOUGH || i + 1 == chunks->placed_count) {
            status = out_write(&text);
        }
        if (status != STATUS_OK) {
            break;
        }
    }
    buf_free(&text);
    return status;
}

int write_chunks(struct chunks *chunks, const struct output_options *options)
{
    return options->annotate != NULL ? write_annotated(chunks, options) : write_lines(chunks);
}

int write_prompt(struct chunks *chunks, const struct prompt_options *prompt)
{
    if (chunks->placed_count == 0) {
        return STATUS_OK; /* a prompt without a chunk only invites invention */
    }
    struct renderer *renderer = renderer_new(chunks, prompt);
    struct buf text = {0};
    int status = render_all(renderer, &text, chunks, out_write);
    chunks->neutralised = renderer_escapes(renderer);
    buf_free(&text);
    renderer_free(renderer);
    return status;
}
