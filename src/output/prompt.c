/* prompt.c: the kept chunks as a prompt, the question last. */
#include "base/base.h"
#include "pipeline.h"
#include "prompt/render.h"

int prompt(struct chunks *chunks, const struct options *options)
{
    if (chunks->placed_count == 0) {
        return STATUS_OK; /* a prompt without a chunk only invites invention */
    }
    struct render render;
    render_open(&render, chunks, options);
    struct buf text = {0};
    int status = render_all(&render, &text, chunks, out_write);
    chunks->neutralised = render.neutral.changed;
    buf_free(&text);
    render_close(&render);
    return status;
}
