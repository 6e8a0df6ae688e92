/* escape.c: see escape.h. */
#include "escape.h"

#include "controls.h"
#include "imitation.h"
#include "tags.h"

/* How the formats without tags begin their lines, by enum format. */
static const unsigned guards[] = {
    [FORMAT_NDJSON] = 0,
    [FORMAT_XML] = 0,
    [FORMAT_NUMBERED] = GUARD_NUMBER | GUARD_PART,
    [FORMAT_MARKDOWN] = GUARD_HEADING,
    [FORMAT_PIPE] = GUARD_ID | GUARD_PART,
    [FORMAT_PLAIN] = GUARD_SEPARATOR | GUARD_PART,
};

static unsigned guards_in_force(const struct options *options)
{
    bool bracketed = options->format == FORMAT_NUMBERED || options->format == FORMAT_PLAIN;
    bool header = bracketed && options->header.count > 0;
    /*
     * A fence that the first of two questions leaves open would swallow the chunks,
     * and one in a text would close a template's.
     */
    bool open = options->bookend || options->chunk_template.count > 0;
    bool fence = options->format == FORMAT_MARKDOWN && open;
    return guards[options->format] | (header ? GUARD_HEADER : 0) | (fence ? GUARD_FENCE : 0);
}

/* Tags are ours in xml, and in any format that a template brings some to. */
static void add_without_tags(struct escaper *neutral, struct buf *out, struct slice text,
                             bool goes_on)
{
    const struct options *options = neutral->options;
    if (options->format == FORMAT_XML && options->escape == ESCAPE_ALL) {
        neutral->changed += tags_add_escaped_all(out, text, 0, &options->own_tags);
    } else if (options->format == FORMAT_XML || options->own_tags.count > 0) {
        neutral->changed += tags_add_escaped_own(out, text, &options->own_tags, goes_on);
    } else {
        buf_add_slice(out, text);
    }
}

void escape_add_text(struct escaper *neutral, struct buf *out, struct slice text, bool goes_on)
{
    text = controls_replace(text, &neutral->clean);
    if (neutral->options->format == FORMAT_PIPE) {
        neutral->bars.len = 0;
        neutral->changed += imitation_add_bars(&neutral->bars, text, &neutral->options->header);
        text = buf_slice(&neutral->bars);
    }
    unsigned in_force = guards_in_force(neutral->options);
    if (in_force != 0) {
        neutral->quoted.len = 0;
        neutral->changed +=
            imitation_add_quoted(&neutral->quoted, text, in_force, &neutral->options->header);
        text = buf_slice(&neutral->quoted);
    }
    add_without_tags(neutral, out, text, goes_on);
}

void escape_add_fenced(struct escaper *neutral, struct buf *out, struct slice text, bool goes_on)
{
    add_without_tags(neutral, out, controls_replace(text, &neutral->clean), goes_on);
}

void escape_add_line(struct escaper *neutral, struct buf *out, struct slice value, char quote)
{
    struct buf *line = &neutral->clean;
    line->len = 0;
    controls_add_line(line, value);
    if (quote != 0) {
        tags_add_escaped_all(out, buf_slice(line), quote, &neutral->options->own_tags);
    } else {
        add_without_tags(neutral, out, buf_slice(line), true);
    }
}

void escaper_free(struct escaper *neutral)
{
    buf_free(&neutral->clean);
    buf_free(&neutral->quoted);
    buf_free(&neutral->bars);
}
