/* filled.c: see filled.h. */
#include "filled.h"

#include <stdlib.h>

void filled_begin(struct filled *filled, const struct buf *out)
{
    filled->count = 0;
    filled->settled = out->len;
    while (filled->settled > 0 && out->at[filled->settled - 1] != '\n') {
        filled->settled--;
    }
    filled->scanned = out->len;
}

void filled_note(struct filled *filled, const struct buf *out, size_t from)
{
    if (out->len > from) {
        filled->values =
            mem_grow(filled->values, &filled->capacity, filled->count + 1, sizeof *filled->values);
        filled->values[filled->count++] = (struct filled_value){from, out->len};
    }
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
    return values > start ? values : start;
}

/* Forgets the values before `end`, and moves those after it. */
static void move_values(struct filled *filled, size_t end, size_t added)
{
    size_t kept = 0;
    for (size_t i = 0; i < filled->count; i++) {
        struct filled_value value = filled->values[i];
        if (value.to > end) {
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
        while (first < filled->count && filled->values[first].to <= at) {
            first++;
        }
        size_t place = quote_at(filled, first, out, line, markers);
        if (place != SIZE_MAX) {
            buf_add(scratch, out->at + copied, place - copied);
            buf_add_string(scratch, quote);
            copied = place;
            quoted++;
        }
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
