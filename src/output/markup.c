/* markup.c: see markup.h. */
#include "markup.h"

/* The reference for what HTML would read, or NULL. */
static const char *reference_of(uint32_t c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* Whether the character says only how the one before it is drawn: as text or in colour. */
static bool is_style_of(uint32_t c, uint32_t before)
{
    bool keycap = (before >= '0' && before <= '9') || before == '#' || before == '*';
    return (c == 0xfe0e || c == 0xfe0f) && (keycap || (before >= 0xa0 && !utf8_misleads(before)));
}

static bool is_shown(uint32_t c, uint32_t before)
{
    if (c < 0xa0) {
        return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t';
    }
    return !utf8_misleads(c) || is_style_of(c, before);
}

/* Adds what stands for a character that cannot be seen, or for a byte that is not UTF-8. */
static void add_number(struct buf *out, const uint8_t *at, uint32_t c, bool is_byte, bool element)
{
    buf_add_string(out, element ? "<b class=\"u\">" : "");
    if (is_byte) {
        buf_add_format(out, "\\x%02x", (unsigned)*at);
    } else {
        buf_add_format(out, "\\u{%x}", (unsigned)c);
    }
    buf_add_string(out, element ? "</b>" : "");
}

static void add(struct buf *out, struct slice text, bool element)
{
    const uint8_t *at = (const uint8_t *)text.at;
    const uint8_t *end = at + text.len;
    uint32_t before = 0;
    while (at < end) {
        unsigned length;
        uint32_t c = utf8_decode(at, end, &length);
        const char *reference = reference_of(c);
        bool is_byte = c == UTF8_REPLACEMENT_POINT && length == 1;
        if (reference != NULL) {
            buf_add_string(out, reference);
        } else if (c == '\r' && end - at > 1 && at[1] == '\n') {
            buf_add_string(out, "&#13;"); /* a parser would take the line end for one alone */
        } else if (!is_byte && is_shown(c, before)) {
            buf_add(out, at, length);
        } else {
            add_number(out, at, c, is_byte, element);
        }
        before = c;
        at += length;
    }
}

void markup_add(struct buf *out, struct slice text)
{
    add(out, text, true);
}

void markup_add_quoted(struct buf *out, struct slice text)
{
    add(out, text, false);
}

void markup_add_marked(struct buf *out, struct slice text, const struct text_span *marks,
                       size_t count)
{
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        markup_add(out, (struct slice){text.at + at, marks[i].from - at});
        buf_add_string(out, "<mark>");
        markup_add(out, (struct slice){text.at + marks[i].from, marks[i].to - marks[i].from});
        buf_add_string(out, "</mark>");
        at = marks[i].to;
    }
    markup_add(out, slice_from(text, at));
}

#define SHA256_BLOCK 64

static const uint32_t sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t word, unsigned by)
{
    return word >> by | word << (32 - by);
}

static void sha256_add(uint32_t state[8], const uint8_t block[SHA256_BLOCK])
{
    uint32_t w[64];
    for (size_t i = 0; i < 16; i++) {
        const uint8_t *p = block + 4 * i;
        w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    }
    for (size_t i = 16; i < 64; i++) {
        uint32_t early = rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t late = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + early + w[i - 7] + late;
    }
    uint32_t s[8];
    memcpy(s, state, sizeof s);
    for (size_t i = 0; i < 64; i++) {
        uint32_t mixed = rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25);
        uint32_t chosen = (s[4] & s[5]) ^ (~s[4] & s[6]);
        uint32_t one = s[7] + mixed + chosen + sha256_constants[i] + w[i];
        uint32_t turned = rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22);
        uint32_t two = turned + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (size_t i = 0; i < 8; i++) {
        state[i] += s[i];
    }
}

static void sha256(uint8_t digest[32], struct slice bytes)
{
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    size_t whole = bytes.len / SHA256_BLOCK * SHA256_BLOCK;
    for (size_t i = 0; i < whole; i += SHA256_BLOCK) {
        sha256_add(state, (const uint8_t *)bytes.at + i);
    }
    uint8_t last[2 * SHA256_BLOCK] = {0};
    size_t left = bytes.len - whole;
    memcpy(last, bytes.at + whole, left);
    last[left] = 0x80;
    size_t length = left + 9 > SHA256_BLOCK ? sizeof last : SHA256_BLOCK;
    uint64_t bits = (uint64_t)bytes.len * 8;
    for (size_t i = 0; i < 8; i++) {
        last[length - 1 - i] = (uint8_t)(bits >> 8 * i);
    }
    for (size_t i = 0; i < length; i += SHA256_BLOCK) {
        sha256_add(state, last + i);
    }
    for (size_t i = 0; i < 32; i++) {
        digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
    }
}

void markup_add_digest(struct buf *out, struct slice bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t digest[33] = {0}; /* three bytes are four digits; one is there for the last three */
    sha256(digest, bytes);
    buf_add_string(out, "'sha256-");
    for (size_t i = 0; i < sizeof digest; i += 3) {
        uint32_t three = (uint32_t)digest[i] << 16 | (uint32_t)digest[i + 1] << 8 | digest[i + 2];
        for (unsigned k = 0; k < 4; k++) {
            buf_add_byte(out, digits[three >> (18 - 6 * k) & 63]);
        }
    }
    out->at[out->len - 1] = '=';
    buf_add_byte(out, '\'');
}
