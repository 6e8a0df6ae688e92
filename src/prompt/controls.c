/* controls.c: see controls.h. */
#include "controls.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

/* The bytes of the tag character at `at`, or 0; U+E0000 to U+E007F lead with F3 A0 80 or 81. */
static size_t tag_character(const char *at, const char *end)
{
    bool leads = end - at >= 4 && memcmp(at, "\xf3\xa0", 2) == 0;
    return leads && (at[2] == '\x80' || at[2] == '\x81') ? 4 : 0;
}

/* Whether the tag characters of these letters stand there, and the cancel tag behind them. */
static bool has_tags_of(const char *letters, const char *at, const char *end)
{
    size_t n = strlen(letters);
    if ((size_t)(end - at) < 4 * (n + 1)) {
        return false;
    }
    for (size_t i = 0; i <= n; i++) {
        char last = letters[i] != '\0' ? (char)(letters[i] + 0x40) : '\xbf';
        if (memcmp(at + 4 * i, "\xf3\xa0\x81", 3) != 0 || at[4 * i + 3] != last) {
            return false;
        }
    }
    return true;
}

/*
 * The bytes of the tags of a flag that stand after a black flag; 0 for anything else.  Of
 * the flags that are made so only these are for general interchange (Unicode Technical
 * Standard #51, ED-28); of others nobody sees the tags.
 */
static size_t flag_tags(const char *start, const char *at, const char *end)
{
    static const char black_flag[] = "\xf0\x9f\x8f\xb4";
    static const char *const flags[] = {"gbeng", "gbsct", "gbwls"};
    if (at - start < 4 || memcmp(at - 4, black_flag, 4) != 0) {
        return 0;
    }
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (has_tags_of(flags[i], at, end)) {
            return 4 * (strlen(flags[i]) + 1);
        }
    }
    return 0;
}

struct slice controls_strip_tags(struct slice text, struct buf *scratch, size_t *count)
{
    const char *end = text.at + text.len;
    const char *copied = text.at;
    const char *at = text.at;
    bool changed = false;
    while (end - at >= 4 && (at = memchr(at, 0xf3, (size_t)(end - at))) != NULL) {
        size_t length = tag_character(at, end);
        size_t flag = length > 0 ? flag_tags(text.at, at, end) : 0;
        if (length == 0 || flag > 0) {
            at += flag > 0 ? flag : 1;
            continue;
        }
        if (!changed) {
            scratch->len = 0;
            changed = true;
        }
        buf_add(scratch, copied, (size_t)(at - copied));
        at += length;
        copied = at;
        ++*count;
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
