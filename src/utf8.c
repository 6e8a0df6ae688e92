/* utf8.c: see utf8.h. */
#include "utf8.h"

#include <utf8proc.h>

size_t utf8_length(struct slice text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        n += ((unsigned char)text.at[i] & 0xc0) != 0x80;
    }
    return n;
}

void utf8_add_repaired(struct buf *out, struct slice text)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text.at;
    const utf8proc_uint8_t *end = at + text.len;
    while (at < end) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate(at, end - at, &c);
        if (n > 0 && c != 0) {
            buf_add(out, at, (size_t)n);
        } else {
            buf_add_string(out, "\xef\xbf\xbd");
        }
        at += n > 0 ? n : 1;
    }
}
