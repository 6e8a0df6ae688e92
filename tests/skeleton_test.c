/*
 * skeleton_test.c: skeletons against plain jansson.
 *
 *     skeleton_test LINES [FILE]...
 *
 * Lines of JSON, most of them mutated, are judged by jansson as they are and,
 * where there is one, by their skeleton: both must take them or refuse them.  Of
 * those taken, each string member as value.h finds and decodes it must be what
 * jansson says.  Each FILE is such a line, too, and the value of a member in one.
 */
#include <jansson.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "json/path.h"
#include "json/value.h"
#include "json/prefilter.h"

#define FLAGS (JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL)

/* What is counted. */
static struct {
    size_t lines;
    size_t skeletons;
    size_t taken;
    size_t differ;
} counts;

static uint64_t state = 20261130;

/* Xorshift (Marsaglia 2003): the same lines each time. */
static size_t random_below(size_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % n);
}

static void differ(const char *what, struct slice line)
{
    if (counts.differ++ < 10) {
        printf("%s: %.*s\n", what, (int)line.len, line.at);
    }
}

/* Each string member must come out of the raw line as out of jansson's tree. */
static void check_values(struct slice line, json_t *object)
{
    const char *key;
    json_t *value;
    struct buf scratch = {0};
    json_object_foreach(object, key, value) {
        struct slice name = slice_of(key);
        struct path path = {.keys = &name, .depth = 1};
        struct slice found = value_find(line, &path);
        if (!json_is_string(value)) {
            if (found.at == NULL) {
                differ("member not found", line);
            }
            continue;
        }
        struct slice expected = {json_string_value(value), json_string_length(value)};
        if (value_kind_of(found) != VALUE_STRING ||
            !slice_equal(value_decode(value_inside(found), &scratch), expected)) {
            differ("another value", line);
        }
    }
    buf_free(&scratch);
}

static void check(struct slice line)
{
    static struct buf skeleton;
    json_error_t error;
    json_t *plain = json_loadb(line.at, line.len, FLAGS, &error);
    counts.lines++;
    counts.taken += plain != NULL;
    if (prefilter_line(&skeleton, line)) {
        json_t *quick = json_loadb(skeleton.at, skeleton.len, FLAGS, &error);
        counts.skeletons++;
        if ((quick != NULL) != (plain != NULL) ||
            (quick != NULL && json_typeof(quick) != json_typeof(plain))) {
            differ("another verdict", line);
        }
        json_decref(quick);
    }
    if (json_is_object(plain)) {
        check_values(line, plain);
    }
    json_decref(plain);
}

/* What lines are made of: whole tokens, good and bad. */
static const char *const pieces[] = {
    "{", "}", "[", "]", ",", ":", "\"", "\\", " ", "\t", "\r", "true", "null", "-1.5e3", "01",
    "\"text\":\"", "\",\"score\":", "\"k\" : ", "\\u0041", "\\ud83d\\ude00", "\\ud83d", "\\ude00",
    "\\u0000", "\\u00", "\\n", "\\/", "\\x", "\\\"", "\\\\", "\xc3\xa9", "\xe6\x9d\xb1",
    "\xf0\x9f\x98\x80", "\xc3", "\xed\xa0\xbd", "\xc0\x80", "\xff", "\xef\xbf\xbd", "\xf4\x90\x80\x80",
    "\xe0\x80\x80", "\x01", "\x1f", "\x7f",
    ("a long run of plain words that goes on and on, until "
     "the end of the piece is reached"),
    "x", "0123456789012345678901234567890123456789012345678901234",
    "-", "--1", "+1", "-0", "00", "0.", ".5", "1.", "1e", "1e+", "1E+5", "1e-400", "1e99", "1e100", "1e309",
    "-1e309", "1.5.2", "1e5e5", "0x1", "NaN", "Infinity", "nul1", "1_0", "1e0000000000000000000099999",
    "9", "e", ".",
};

static void add_text(struct buf *line)
{
    size_t n = random_below(random_below(2) == 0 ? 4 : 30);
    for (size_t i = 0; i < n; i++) {
        static const char *const good[] = {"words and ", "\\n", "\xc3\xa9", "\\u00e9", "\\\"", "\\\\",
                                           "\\ud83d\\ude00", "\xe6\x9d\xb1\xe4\xba\xac", "0123456789abcdef"};
        buf_add_string(line, good[random_below(sizeof good / sizeof good[0])]);
    }
}

static void make_line(struct buf *line)
{
    static const char *const scalars[] = {"0.25", "[1,{\"a\":\"b\"}]", "-12.5e-3", "[0.5, -1,2E7]", "null"};
    static const char *const keys[] = {"text", "id", "score", "k", "\\u0074ext", "a b"};
    line->len = 0;
    buf_add_string(line, "{");
    size_t members = 1 + random_below(4);
    for (size_t i = 0; i < members; i++) {
        buf_add_format(line, "%s\"%s\"%s:", i > 0 ? "," : "", keys[random_below(6)],
                       random_below(8) == 0 ? " " : "");
        if (random_below(4) == 0) {
            buf_add_string(line, scalars[random_below(sizeof scalars / sizeof scalars[0])]);
            continue;
        }
        buf_add_string(line, "\"");
        add_text(line);
        buf_add_string(line, "\"");
    }
    buf_add_string(line, "}");
}

/* Puts a piece in, takes bytes out or changes one, one to three times. */
static void mutate(struct buf *line)
{
    static struct buf changed;
    size_t times = random_below(4);
    while (times-- > 0) {
        size_t at = random_below(line->len + 1);
        size_t gone = random_below(3) == 0 ? random_below(line->len - at + 1) % 8 : 0;
        changed.len = 0;
        buf_add(&changed, line->at, at);
        if (random_below(4) != 0) {
            buf_add_string(&changed, pieces[random_below(sizeof pieces / sizeof pieces[0])]);
        }
        buf_add(&changed, line->at + at + gone, line->len - at - gone);
        line->len = 0;
        buf_add_slice(line, buf_slice(&changed));
    }
}

static void check_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    char bytes[1 << 18];
    if (file == NULL) {
        perror(name);
        exit(2);
    }
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    check((struct slice){bytes, length});
    struct buf line = {0};
    buf_add_string(&line, "{\"text\":\"a text that is long enough to be left out of a skeleton, "
                          "as most are\",\"v\":");
    buf_add(&line, bytes, length);
    buf_add_string(&line, "}");
    check(buf_slice(&line));
    buf_free(&line);
}

int main(int argc, char **argv)
{
    struct buf line = {0};
    size_t lines = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 0;
    for (size_t i = 0; i < lines; i++) {
        make_line(&line);
        mutate(&line);
        if (line.len > 0 && memchr(line.at, '\0', line.len) == NULL) {
            check(buf_slice(&line));
        }
    }
    for (int i = 2; i < argc; i++) {
        check_file(argv[i]);
    }
    buf_free(&line);
    printf("%zu lines, %zu by their skeleton, %zu taken, %zu differ\n", counts.lines,
           counts.skeletons, counts.taken, counts.differ);
    return counts.differ > 0 || counts.lines == 0;
}
