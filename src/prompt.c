/* prompt.c: the kept chunks as a prompt, the question last. */
#include "diag.h"
#include "mem.h"
#include "out.h"
#include "pipeline.h"
#include "render.h"

/* Enough that writes are few, little beside the chunks. */
#define FLUSH_AT ((size_t)1 << 20)

static int flush(struct buf *text)
{
    struct out out = {.count = 0};
    int status = out_add(&out, buf_slice(text));
    text->len = 0;
    return status == STATUS_OK ? out_flush(&out) : status;
}

int prompt(struct chunks *chunks, const struct options *options)
{
    if (chunks->placed_count == 0) {
        return STATUS_OK; /* a prompt without a chunk only invites invention */
    }
    struct buf text = {0};
    struct buf scratch = {0};
    int status = STATUS_OK;
    render_head(&text, options);
    for (size_t i = 0; i < chunks->placed_count && status == STATUS_OK; i++) {
        const struct chunk *chunk = chunks->placed[i];
        render_document_head(&text, chunk->position);
        render_document_body(&text, chunk_text(chunk, &scratch));
        if (text.len >= FLUSH_AT) {
            status = flush(&text);
        }
    }
    render_tail(&text, options);
    if (status == STATUS_OK) {
        status = flush(&text);
    }
    buf_free(&text);
    buf_free(&scratch);
    return status;
}
