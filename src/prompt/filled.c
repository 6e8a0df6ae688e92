/* filled.c: see filled.h. */
#include "filled.h"

#include <stdlib.h>
#include <string.h>

#include "visible.h"

/* The line without blanks before it. */
static struct slice without_indent(struct slice line)
{
    while (line.len > 0 && (line.at[0] == ' ' || line.at[0] == '\t')) {
        line = slice_from(line, 1);
    }
    return line;
}

/* The line without the mark of a heading that it begins with; itself without one. */
static struct slice without_heading(struct slice line)
{
    struct slice rest = line;
    while (rest.len > 0 && rest.at[0] == '#') {
        rest = slice_from(rest, 1);
    }
    return rest.len == 0 || rest.at[0] == ' ' || rest.at[0] == '\t' ? rest : line;
}

/* The columns of the blanks before a line. */
static size_t indent_of(struct slice line)
{
    enum { TAB = 4 };
    size_t column = 0;
    for (size_t i = 0; i < line.len && (line.at[i] == ' ' || line.at[i] == '\t'); i++) {
        column = line.at[i] == '\t' ? column + TAB - column % TAB : column + 1;
    }
    return column;
}

/*
 * From which column on a line below this one may go on with a paragraph, which an underline
 * makes a heading: SIZE_MAX below a blank line, a heading or a quote, and below a list's item
 * only inside of it; before is the same of this line.
 */
static size_t text_below(struct slice line, size_t before)
{
    enum { MOST_INDENT = 3 };
    struct slice rest = without_indent(line);
    size_t indent = indent_of(line);
    if (rest.len == 0 || indent > MOST_INDENT) {
        return rest.len == 0 ? SIZE_MAX : 0;
    }
    struct slice after = slice_from(rest, 1);
    struct slice item = without_indent(after);
    if (strchr("-+*", rest.at[0]) != NULL && (after.len == 0 || item.len < after.len)) {
        return item.len > 0 ? indent + 1 : indent < before ? SIZE_MAX : before;
    }
    return rest.at[0] == '>' || without_heading(rest).len < rest.len ? SIZE_MAX : 0;
}

/* Where the line begins that ends at `end` or holds the byte before it. */
static size_t line_start(const struct buf *out, size_t end)
{
    while (end > 0 && out->at[end - 1] != '\n') {
        end--;
    }
    return end;
}

void filled_begin(struct filled *filled, const struct buf *out)
{
    filled->count = 0;
    filled->settled = line_start(out, out->len);
    filled->scanned = out->len;
    filled->text_below = SIZE_MAX;
    if (filled->settled > 0) {
        size_t start = line_start(out, filled->settled - 1);
        struct slice before = {out->at + start, filled->settled - 1 - start};
        filled->text_below = text_below(before, 0);
    }
}

void filled_note(struct filled *filled, const struct buf *out, size_t from)
{
    filled->values =
        mem_grow(filled->values, &filled->capacity, filled->count + 1, sizeof *filled->values);
    filled->values[filled->count++] = (struct filled_value){from, out->len};
}

/* After the last line end that has come since the last call, or where it was. */
static size_t whole_lines(struct filled *filled, const struct buf *out)
{
    const char *end = out->at + out->len;
    size_t from = filled->scanned;
    filled->scanned = out->len;
    for (const char *at = end; at > out->at + from; at--) {
        size_t ending = imitation_line_end(at - 1, end);
        if (ending > 0) {
            return (size_t)(at - 1 - out->at) + ending;
        }
    }
    return filled->settled;
}

/*
 * Where the values begin that stand, with nothing of a template's between, at the byte
 * at `offset`; SIZE_MAX: it is of no value.  Looks at those from `first` on.
 */
static size_t values_start(const struct filled *filled, size_t first, size_t offset)
{
    size_t start = SIZE_MAX;
    size_t end = SIZE_MAX;
    for (size_t i = first; i < filled->count && filled->values[i].from <= offset; i++) {
        start = filled->values[i].from == end ? start : filled->values[i].from;
        end = filled->values[i].to;
    }
    return end != SIZE_MAX && offset < end ? start : SIZE_MAX;
}

/* Whether what the values from `first` on have between the two places shows nothing. */
static bool are_blank(const struct filled *filled, size_t first, const struct buf *out,
                      size_t start, size_t end)
{
    for (size_t i = first; i < filled->count && filled->values[i].from <= end; i++) {
        struct filled_value value = filled->values[i];
        size_t from = value.from > start ? value.from : start;
        size_t to = value.to < end ? value.to : end;
        if (from < to && visible_start((struct slice){out->at + from, to - from}) < to - from) {
            return false;
        }
    }
    return true;
}

/*
 * Where to quote a line with a marker that a template's author began to draw, if a value has a
 * part in it: inside of it, or before it on the line, or by the line's being one at all.
 * SIZE_MAX: none has.
 */
static size_t part_of_drawn(const struct filled *filled, size_t first, const struct buf *out,
                            struct slice line, struct slice marker)
{
    size_t start = (size_t)(line.at - out->at);
    size_t from = (size_t)(marker.at - out->at);
    size_t drawn = imitation_drawn(marker);
    bool whole = drawn == marker.len;
    if (drawn == 0 || first == filled->count ||
        filled->values[first].from >= from + drawn + whole) {
        return SIZE_MAX;
    }
    char c = *marker.at;
    bool inside = visible_start(line) < (size_t)(marker.at - line.at);
    bool harmless =
        c == '*' || ((c == '-' || c == '=') && !inside && indent_of(line) < filled->text_below);
    if (harmless && are_blank(filled, first, out, start, from + marker.len)) {
        return SIZE_MAX;
    }
    return filled->values[first].from > start ? filled->values[first].from : start;
}

/* Where in out the line is to be quoted; SIZE_MAX: it is not. */
static size_t quote_at(const struct filled *filled, size_t first, const struct buf *out,
                       struct slice line, const struct markers *markers)
{
    struct slice marker;
    if (!imitation_find(line, markers, &marker)) {
        return SIZE_MAX;
    }
    size_t values = values_start(filled, first, (size_t)(marker.at - out->at));
    size_t start = (size_t)(line.at - out->at);
    if (values == SIZE_MAX) {
        return part_of_drawn(filled, first, out, line, marker);
    }
    return values > start ? values : start;
}

/* Forgets the values before `end`, and moves the others. */
static void move_values(struct filled *filled, size_t end, size_t added)
{
    size_t kept = 0;
    for (size_t i = 0; i < filled->count; i++) {
        struct filled_value value = filled->values[i];
        if (value.to > end || value.from == end) {
            value.from = (value.from > end ? value.from : end) + added;
            value.to += added;
            filled->values[kept++] = value;
        }
    }
    filled->count = kept;
}

size_t filled_settle(struct filled *filled, struct buf *out, const struct markers *markers,
                     bool at_end)
{
    static const char quote[] = "> ";
    struct buf *scratch = &filled->scratch;
    size_t end = at_end ? out->len : whole_lines(filled, out);
    size_t quoted = 0;
    size_t copied = filled->settled;
    size_t first = 0;
    if (end == filled->settled) {
        return 0;
    }
    scratch->len = 0;
    for (size_t at = filled->settled; at < end;) {
        struct slice rest = {out->at + at, end - at};
        struct slice line = imitation_next_line(&rest);
        /* One that ends where the line begins has made it a line. */
        while (first < filled->count && filled->values[first].to < at) {
            first++;
        }
        size_t place = quote_at(filled, first, out, line, markers);
        if (place != SIZE_MAX) {
            buf_add(scratch, out->at + copied, place - copied);
            buf_add_string(scratch, quote);
            copied = place;
            quoted++;
        }
        filled->text_below = text_below(line, filled->text_below);
        at = end - rest.len;
    }
    size_t added = quoted * (sizeof quote - 1);
    if (quoted > 0) {
        buf_add(scratch, out->at + copied, out->len - copied);
        out->len = filled->settled;
        buf_add_slice(out, buf_slice(scratch));
    }
    move_values(filled, end, added);
    filled->settled = end + added;
    filled->scanned = out->len;
    return quoted;
}

void filled_cut(struct filled *filled)
{
    for (size_t i = 0; i < filled->count; i++) {
        filled->values[i].from -= filled->settled;
        filled->values[i].to -= filled->settled;
    }
    filled->scanned -= filled->settled;
    filled->settled = 0;
}

void filled_free(struct filled *filled)
{
    free(filled->values);
    buf_free(&filled->scratch);
}
