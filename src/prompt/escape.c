/* escape.c: see escape.h. */
#include "escape.h"

#include "controls.h"
#include "format.h"
#include "imitation.h"
#include "tags.h"

/* By enum escape. */
static const struct choice escapes[] = {
    [ESCAPE_OWN] = {"own", NULL, "what would open or close the prompt's own tags"},
    [ESCAPE_ALL] = {"all", NULL, "every & < > in xml"},
};
_Static_assert(sizeof escapes / sizeof escapes[0] == ESCAPES, "each kind has its row");

static const struct choice *choice_of(size_t escape)
{
    return &escapes[escape];
}

const struct choices escape_choices = {choice_of, ESCAPES};

struct markers escape_markers(const struct prompt_options *options)
{
    static const char *const header_lines[] = {"[%:", NULL};
    const struct format *format = format_of(options);
    bool has_header = template_uses(&options->chunk_template, SLOT_HEADER) > 0;
    return (struct markers){.lines = format->markers,
                            .more = has_header ? header_lines : NULL,
                            .bars = format->bar_markers,
                            .header = &options->header,
                            .containers = format->containers};
}

/* Tags are ours in xml, and in any format that a template brings some to. */
static void add_without_tags(struct escaper *escaper, struct buf *out, struct slice text,
                             bool goes_on)
{
    const struct prompt_options *options = escaper->options;
    bool tags = format_of(options)->tags;
    if (tags && options->escape == ESCAPE_ALL) {
        escaper->escapes += tags_add_escaped_all(out, text, 0, &options->own_tags);
    } else if (tags || options->own_tags.count > 0) {
        escaper->escapes += tags_add_escaped_own(out, text, &options->own_tags, goes_on);
    } else {
        buf_add_slice(out, text);
    }
}

static struct slice without_bars(struct escaper *escaper, struct slice text,
                                 const struct markers *markers)
{
    if (markers->bars == NULL) {
        return text;
    }
    escaper->bars.len = 0;
    escaper->escapes += imitation_add_bars(&escaper->bars, text, markers);
    return buf_slice(&escaper->bars);
}

void escape_add_value(struct escaper *escaper, struct buf *out, struct slice value)
{
    struct markers markers = escape_markers(escaper->options);
    markers.goes_on = true;
    value = controls_strip_tags(value, &escaper->seen, &escaper->escapes);
    value = controls_replace(value, &escaper->clean);
    add_without_tags(escaper, out, without_bars(escaper, value, &markers), true);
}

void escape_add_text(struct escaper *escaper, struct buf *out, struct slice text, bool goes_on)
{
    struct markers markers = escape_markers(escaper->options);
    text = controls_strip_tags(text, &escaper->seen, &escaper->escapes);
    text = without_bars(escaper, controls_replace(text, &escaper->clean), &markers);
    if (markers.lines == NULL || markers.lines[0] != NULL) {
        escaper->quoted.len = 0;
        escaper->escapes += imitation_add_quoted(&escaper->quoted, text, &markers);
        text = buf_slice(&escaper->quoted);
    }
    add_without_tags(escaper, out, text, goes_on);
}

void escape_add_fenced(struct escaper *escaper, struct buf *out, struct slice text, bool goes_on)
{
    text = controls_strip_tags(text, &escaper->seen, &escaper->escapes);
    add_without_tags(escaper, out, controls_replace(text, &escaper->clean), goes_on);
}

void escape_add_line(struct escaper *escaper, struct buf *out, struct slice value, char quote)
{
    struct buf *line = &escaper->clean;
    line->len = 0;
    controls_add_line(line, controls_strip_tags(value, &escaper->seen, &escaper->escapes));
    if (quote != 0) {
        tags_add_escaped_all(out, buf_slice(line), quote, &escaper->options->own_tags);
    } else {
        add_without_tags(escaper, out, buf_slice(line), true);
    }
}

void escaper_free(struct escaper *escaper)
{
    buf_free(&escaper->seen);
    buf_free(&escaper->clean);
    buf_free(&escaper->quoted);
    buf_free(&escaper->bars);
}
