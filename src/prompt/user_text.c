/* user_text.c: see user_text.h. */
#include "user_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "controls.h"

void user_text_add(struct buf *out, struct slice text)
{
    text = slice_from(text, utf8_byte_order_mark(text));
    while (text.len > 0 && (text.at[text.len - 1] == '\n' || text.at[text.len - 1] == '\r')) {
        text.len--;
    }
    struct buf repaired = {0};
    struct buf scratch = {0};
    utf8_add_repaired(&repaired, text);
    buf_add_slice(out, controls_replace(buf_slice(&repaired), &scratch));
    buf_free(&repaired);
    buf_free(&scratch);
}

int user_text_add_file(struct buf *out, const char *file)
{
    struct input input = {0};
    int status = input_load(&input, file, false, NULL);
    if (status == STATUS_OK) {
        user_text_add(out, (struct slice){input.bytes, input.length});
    }
    free(input.bytes);
    return status;
}
