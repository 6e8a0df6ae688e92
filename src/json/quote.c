/* quote.c: see quote.h. */
#include "quote.h"

#include <stddef.h>

static const char *short_escape(char c)
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return NULL;
    }
}

void value_add_quoted(struct buf *out, struct slice text)
{
    buf_add_byte(out, '"');
    const char *end = text.at + text.len;
    const char *copied = text.at;
    for (const char *at = text.at; at < end; at++) {
        const char *escape = short_escape(*at);
        if (escape == NULL && (unsigned char)*at >= 0x20) {
            continue;
        }
        buf_add(out, copied, (size_t)(at - copied));
        if (escape != NULL) {
            buf_add_string(out, escape);
        } else {
            buf_add_format(out, "\\u%04x", (unsigned)(unsigned char)*at);
        }
        copied = at + 1;
    }
    buf_add(out, copied, (size_t)(end - copied));
    buf_add_byte(out, '"');
}
