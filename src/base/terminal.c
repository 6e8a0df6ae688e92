/* terminal.c: see terminal.h. */
#include "terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <utf8proc.h>

#include "utf8.h"

/* What the locale's variables say of the encoding: the first that is set counts (POSIX). */
static bool locale_is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0') {
            return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL ||
                   strstr(value, "UTF8") != NULL || strstr(value, "utf-8") != NULL;
        }
    }
    return false;
}

static const struct choice colours[] = {
    {"auto", NULL, "where standard error is a terminal, and NO_COLOR is not set"},
    {"always", NULL, "to a file and a pipe as well"},
    {"never", NULL, "not on a terminal either"},
};

static const struct choice *colour_row(size_t index)
{
    return &colours[index];
}

const struct choices colour_choices = {colour_row, sizeof colours / sizeof colours[0]};

/* Set by terminal_colour_by(): the options'. */
static const size_t *colour_when;

void terminal_colour_by(const size_t *when)
{
    colour_when = when;
}

static bool is_dumb(void)
{
    const char *term = getenv("TERM");
    return term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0;
}

bool terminal_has_colour(int fd)
{
    const char *no_colour = getenv("NO_COLOR");
    switch (colour_when != NULL ? (enum colour) * colour_when : COLOUR_AUTO) {
    case COLOUR_ALWAYS:
        return true;
    case COLOUR_NEVER:
        return false;
    case COLOUR_AUTO:
        break;
    }
    return isatty(fd) == 1 && !is_dumb() && (no_colour == NULL || no_colour[0] == '\0');
}

struct terminal terminal_open(void)
{
    enum { USUAL_WIDTH = 80 };
    struct terminal screen = {.terminal = isatty(STDERR_FILENO) == 1,
                              .colour = terminal_has_colour(STDERR_FILENO),
                              .width = SIZE_MAX};
    if (!screen.terminal) {
        return screen;
    }
    screen.erases = !is_dumb();
    screen.utf8 = locale_is_utf8();
    struct winsize size = {0};
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    screen.width = known ? size.ws_col : USUAL_WIDTH;
    return screen;
}

/* One grapheme cluster (Unicode Standard Annex #29) at the start of a text. */
struct cluster {
    size_t length; /* in bytes */
    size_t width;  /* in columns */
};

static struct cluster first_cluster(struct slice text)
{
    const uint8_t *start = (const uint8_t *)text.at;
    const uint8_t *end = start + text.len;
    const uint8_t *at = start;
    utf8proc_int32_t state = 0;
    utf8proc_int32_t before = 0;
    size_t width = 0;
    size_t code_points = 0;
    bool emoji = false; /* made of several code points that take the place of one */
    while (at < end) {
        unsigned length;
        utf8proc_int32_t c = (utf8proc_int32_t)utf8_decode(at, end, &length);
        if (code_points > 0 && utf8proc_grapheme_break_stateful(before, c, &state)) {
            break;
        }
        bool spacing_mark = utf8proc_category(c) == UTF8PROC_CATEGORY_MC;
        width += spacing_mark ? 1 : (size_t)utf8proc_charwidth(c);
        emoji |= c == 0xfe0f || c == 0x200d || (c >= 0x1f3fb && c <= 0x1f3ff) ||
                 (code_points > 0 && c >= 0x1f1e6 && c <= 0x1f1ff);
        before = c;
        code_points++;
        at += length;
    }
    return (struct cluster){(size_t)(at - start), emoji ? 2 : width};
}

size_t terminal_fit(struct slice text, size_t columns)
{
    size_t fitting = 0;
    while (fitting < text.len) {
        struct cluster cluster =
            first_cluster((struct slice){text.at + fitting, text.len - fitting});
        if (cluster.width > columns) {
            break;
        }
        columns -= cluster.width;
        fitting += cluster.length;
    }
    return fitting;
}

size_t terminal_columns(struct slice text)
{
    size_t width = 0;
    for (size_t i = 0; i < text.len;) {
        struct cluster cluster = first_cluster((struct slice){text.at + i, text.len - i});
        width += cluster.width;
        i += cluster.length;
    }
    return width;
}

void terminal_add_padded(struct buf *out, struct slice text, size_t columns, bool right)
{
    size_t width = terminal_columns(text);
    size_t spaces = columns > width ? columns - width : 0;
    if (!right) {
        buf_add_slice(out, text);
    }
    while (spaces-- > 0) {
        buf_add_byte(out, ' ');
    }
    if (right) {
        buf_add_slice(out, text);
    }
}

/* The text without the spaces that it begins with. */
static struct slice skip_spaces(struct slice text)
{
    while (text.len > 0 && text.at[0] == ' ') {
        text = slice_from(text, 1);
    }
    return text;
}

/* The text's first word has room in so many columns. */
static bool first_word_fits(struct slice text, size_t columns)
{
    size_t fitting = terminal_fit(text, columns);
    return fitting == text.len || memchr(text.at, ' ', fitting + 1) != NULL;
}

/*
 * Where a line of so many columns ends that begins with this text: at its last space, unless
 * what comes after that has no room on a line of `next` columns either.
 */
static size_t line_end(struct slice text, size_t columns, size_t next)
{
    size_t fitting = terminal_fit(text, columns);
    if (fitting == 0) {
        return first_cluster(text).length; /* wider than any line */
    }
    if (fitting == text.len || text.at[fitting] == ' ') {
        return fitting;
    }
    size_t start = text.len - skip_spaces(text).len;
    size_t word = fitting;
    while (word > start && text.at[word - 1] != ' ') {
        word--;
    }
    return word > start && first_word_fits(slice_from(text, word), next) ? word : fitting;
}

void terminal_add_wrapped(struct buf *out, struct slice text, size_t columns, size_t indent)
{
    indent = indent <= columns / 4 ? indent : 0;
    size_t room = columns;
    while (columns < SIZE_MAX && terminal_fit(text, room) < text.len) {
        size_t end = line_end(text, room, columns - indent);
        struct slice line = {text.at, end};
        while (line.len > 0 && line.at[line.len - 1] == ' ') {
            line.len--;
        }
        buf_add_slice(out, line);
        buf_add_byte(out, '\n');
        text = skip_spaces(slice_from(text, end));
        room = columns - indent;
        terminal_add_padded(out, slice_of(""), text.len > 0 ? indent : 0, false);
    }
    buf_add_slice(out, text);
    buf_add_byte(out, '\n');
}
