/* controls.c: see controls.h. */
#include "controls.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

static bool is_control(char c)
{
    unsigned char byte = (unsigned char)c;
    return (byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7f;
}

/* Adds what stands for the control at `at`. */
static void add_instead(struct buf *out, const char *at, const char *end)
{
    bool ends_line = *at == '\r' && at + 1 < end && at[1] == '\n';
    if (*at == '\0') {
        buf_add_string(out, UTF8_REPLACEMENT);
    } else if (!ends_line) {
        buf_add_byte(out, ' ');
    }
}

struct slice controls_replace(struct slice text, struct buf *scratch)
{
    const char *end = text.at + text.len;
    const char *copied = text.at;
    bool changed = false;
    for (const char *at = text.at; at < end; at++) {
        if (!is_control(*at)) {
            continue;
        }
        if (!changed) {
            scratch->len = 0;
            changed = true;
        }
        buf_add(scratch, copied, (size_t)(at - copied));
        add_instead(scratch, at, end);
        copied = at + 1;
    }
    if (!changed) {
        return text;
    }
    buf_add(scratch, copied, (size_t)(end - copied));
    return buf_slice(scratch);
}

void controls_add_line(struct buf *out, struct slice value)
{
    size_t start = out->len;
    const uint8_t *end = (const uint8_t *)value.at + value.len;
    for (const uint8_t *at = (const uint8_t *)value.at; at < end;) {
        unsigned length;
        uint32_t c = utf8_decode(at, end, &length);
        bool control = c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
        if (c == 0) {
            buf_add_string(out, UTF8_REPLACEMENT);
        } else if (!control && c != ' ') {
            buf_add(out, at, length);
        } else if (out->len > start) {
            buf_add_byte(out, ' ');
        }
        at += length;
    }
    while (out->len > start && out->at[out->len - 1] == ' ') {
        out->len--;
    }
}

struct slice controls_trim_end(struct slice text)
{
    while (text.len > 0) {
        char c = text.at[text.len - 1];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
            break;
        }
        text.len--;
    }
    return text;
}
