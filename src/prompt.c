/* prompt.c: the kept chunks as a prompt, the question last. */
#include "diag.h"
#include "mem.h"
#include "out.h"
#include "pipeline.h"
#include "render.h"

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
    struct render render;
    render_open(&render, chunks, options);
    struct buf text = {0};
    int status = render_all(&render, &text, chunks, flush);
    chunks->neutralised = render.neutral.changed;
    buf_free(&text);
    render_close(&render);
    return status;
}
