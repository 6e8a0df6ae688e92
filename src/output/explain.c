/*
 * explain.c: -v: every chunk and its fate, the layout as a picture, totals; --stats.
 *
 * On a terminal it keeps to its width and may use colour; to a file it is plain
 * and the same each time.
 */
#include <stdlib.h>

#include "output.h"

enum column {
    COLUMN_RANK,
    COLUMN_SCORE,
    COLUMN_PLACE,
    COLUMN_ID,
    COLUMN_TOKENS,
    COLUMN_POSITION,
    COLUMN_FATE,
    COLUMNS
};

static const char *const headings[COLUMNS] = {"rank",   "score", "line", "id",
                                              "tokens", "pos",   "fate"};

/* "duplicate of line 12, 0.91 (61/67 words)" */
#define FATE_ENOUGH 40

/* No column is wider, on a terminal or off it, but for the last. */
#define COLUMN_MOST 60

/* Bars at their longest and shortest. */
#define BAR_MOST 20
#define BAR_LEAST 5

#define DIM "\x1b[2m"
#define STRONG "\x1b[1m"
#define PLAIN "\x1b[0m"

/* One explanation being written. */
struct explanation {
    const struct chunks *chunks;
    const struct budget_options *budget;
    struct terminal terminal;
    const struct chunk **order; /* by rank, then those without, as they came */
    size_t widths[COLUMNS];
    size_t bar_width;
    struct buf cell;
    struct buf raw;
    struct buf line;
    struct buf out;
};

/* What stands in a cell, with control bytes escaped. */
static struct slice cell(struct explanation *e, const struct chunk *chunk, enum column column)
{
    struct buf *raw = &e->raw;
    raw->len = 0;
    switch (column) {
    case COLUMN_RANK:
        buf_add_format(raw, chunk->rank > 0 ? "%zu" : "-", chunk->rank);
        break;
    case COLUMN_SCORE:
        buf_add_slice(raw, chunk->scored ? chunk->score : slice_of("-"));
        break;
    case COLUMN_PLACE:
        fate_add_place(raw, e->chunks, chunk);
        break;
    case COLUMN_ID:
        buf_add_slice(raw, chunk->id.len > 0 ? chunk_id_text(chunk, &e->cell) : slice_of("-"));
        break;
    case COLUMN_TOKENS:
        buf_add_format(raw, chunk->rank > 0 ? "%zu" : "-", chunk->tokens);
        break;
    case COLUMN_POSITION:
        buf_add_format(raw, chunk->position > 0 ? "%zu" : "-", chunk->position);
        break;
    case COLUMN_FATE:
    case COLUMNS:
        fate_describe(raw, e->chunks, chunk);
        break;
    }
    e->cell.len = 0;
    diag_escape(&e->cell, buf_slice(raw));
    return buf_slice(&e->cell);
}

static bool is_number(enum column column)
{
    return column != COLUMN_PLACE && column != COLUMN_ID && column != COLUMN_FATE;
}

/* Ends the line, not wider than the screen; style is for a terminal with colour. */
static void end_line(struct explanation *e, const char *style)
{
    struct slice line = buf_slice(&e->line);
    while (line.len > 0 && line.at[line.len - 1] == ' ') {
        line.len--;
    }
    line.len = terminal_fit(line, e->terminal.width);
    bool styled = e->terminal.colour && style != NULL;
    buf_add_string(&e->out, styled ? style : "");
    buf_add_slice(&e->out, line);
    buf_add_string(&e->out, styled ? PLAIN "\n" : "\n");
    e->line.len = 0;
}

/* What all cells of a row take with the gaps between them. */
static size_t row_width(const struct explanation *e)
{
    size_t width = 2 * (COLUMNS - 1);
    for (int column = 0; column < COLUMNS; column++) {
        width += e->widths[column];
    }
    return width;
}

/* On a narrow screen what is longest and matters least gives way, so that fates are seen. */
static void shrink(struct explanation *e)
{
    static const struct {
        enum column column;
        size_t least;
    } shrinkable[] = {
        {COLUMN_PLACE, 12}, {COLUMN_SCORE, 8}, {COLUMN_PLACE, 5}, {COLUMN_ID, 12}, {COLUMN_ID, 6}};
    for (size_t i = 0; i < sizeof shrinkable / sizeof shrinkable[0]; i++) {
        size_t *width = &e->widths[shrinkable[i].column];
        size_t now = row_width(e);
        size_t over = now > e->terminal.width ? now - e->terminal.width : 0;
        size_t spare = *width > shrinkable[i].least ? *width - shrinkable[i].least : 0;
        *width -= over < spare ? over : spare;
    }
    size_t fixed = e->widths[COLUMN_POSITION] + e->widths[COLUMN_RANK] + e->widths[COLUMN_SCORE] +
                   e->widths[COLUMN_TOKENS] + 10;
    size_t room = e->terminal.width > fixed ? (e->terminal.width - fixed) / 2 : 0;
    e->bar_width = room < BAR_LEAST ? BAR_LEAST : room > BAR_MOST ? BAR_MOST : room;
}

static void measure(struct explanation *e)
{
    for (int column = 0; column < COLUMNS; column++) {
        e->widths[column] = terminal_columns(slice_of(headings[column]));
        for (size_t i = 0; i < e->chunks->count; i++) {
            size_t width = terminal_columns(cell(e, e->order[i], (enum column)column));
            width = width < COLUMN_MOST ? width : COLUMN_MOST; /* the report has the whole */
            e->widths[column] = width > e->widths[column] ? width : e->widths[column];
        }
    }
    /* Longer ones are cut before all else gives way. */
    e->widths[COLUMN_FATE] =
        e->widths[COLUMN_FATE] < FATE_ENOUGH ? e->widths[COLUMN_FATE] : FATE_ENOUGH;
    shrink(e);
}

/* Adds what of a cell fits its column: of a place the end, else the start; "~" marks a cut. */
static void add_cut(struct explanation *e, struct slice text, enum column column)
{
    size_t columns = e->widths[column] - 1;
    if (column != COLUMN_PLACE) {
        text.len = terminal_fit(text, columns);
        buf_add_slice(&e->line, text);
        buf_add_string(&e->line, "~");
        return;
    }
    while (text.len > 0 && terminal_columns(text) > columns) {
        size_t first = terminal_fit(text, 1);
        first = first > 0 ? first : terminal_fit(text, 2);
        text.at += first;
        text.len -= first;
    }
    buf_add_string(&e->line, "~");
    buf_add_slice(&e->line, text);
}

static void add_cell(struct explanation *e, enum column column, struct slice text)
{
    if (e->line.len > 0) {
        buf_add_string(&e->line, "  ");
    }
    if (column != COLUMN_FATE && terminal_columns(text) > e->widths[column]) {
        add_cut(e, text, column);
    } else {
        terminal_add_padded(&e->line, text, e->widths[column], is_number(column));
    }
}

static void add_table(struct explanation *e)
{
    for (int column = 0; column < COLUMNS; column++) {
        add_cell(e, (enum column)column, slice_of(headings[column]));
    }
    end_line(e, STRONG);
    for (size_t i = 0; i < e->chunks->count; i++) {
        for (int column = 0; column < COLUMNS; column++) {
            add_cell(e, (enum column)column, cell(e, e->order[i], (enum column)column));
        }
        end_line(e, e->order[i]->fate == FATE_KEPT ? NULL : DIM);
    }
}

/* A bar whose length is the share of `part` in `whole`; at least a mark for what is there. */
static void add_bar(struct explanation *e, double part, double whole)
{
    size_t length = whole > 0 ? (size_t)(part / whole * (double)e->bar_width + 0.5) : 0;
    length = length == 0 ? 1 : length > e->bar_width ? e->bar_width : length;
    struct buf bar = {0};
    for (size_t i = 0; i < length; i++) {
        buf_add_string(&bar, e->terminal.utf8 ? "█" : "#");
    }
    terminal_add_padded(&e->line, buf_slice(&bar), e->bar_width, false);
    buf_free(&bar);
}

/* How good the kept scores are: their ends, higher being better whatever the direction. */
struct range {
    double worst;
    double best;
    size_t most_tokens;
    bool any;
};

static double goodness(const struct chunks *chunks, const struct chunk *chunk)
{
    const double most = 1e300; /* differences of these are still numbers */
    double value = chunk->value > most ? most : chunk->value < -most ? -most : chunk->value;
    return chunks->lower_is_better ? -value : value;
}

static struct range range_of(const struct chunks *chunks)
{
    struct range range = {0};
    for (size_t i = 0; i < chunks->placed_count; i++) {
        const struct chunk *chunk = chunks->placed[i];
        range.most_tokens = chunk->tokens > range.most_tokens ? chunk->tokens : range.most_tokens;
        if (chunk->scored) {
            double good = goodness(chunks, chunk);
            range.worst = !range.any || good < range.worst ? good : range.worst;
            range.best = !range.any || good > range.best ? good : range.best;
            range.any = true;
        }
    }
    return range;
}

static void add_row(struct explanation *e, const struct chunk *chunk, const struct range *range)
{
    add_cell(e, COLUMN_POSITION, cell(e, chunk, COLUMN_POSITION));
    add_cell(e, COLUMN_RANK, cell(e, chunk, COLUMN_RANK));
    buf_add_string(&e->line, "  ");
    if (chunk->scored) {
        /* Scores have no zero to measure from: the worst kept has a tenth. */
        double spread = range->best - range->worst;
        double above = goodness(e->chunks, chunk) - range->worst;
        add_bar(e, spread > 0 ? 0.1 + 0.9 * above / spread : 1, 1);
    } else {
        terminal_add_padded(&e->line, slice_of(""), e->bar_width, false);
    }
    add_cell(e, COLUMN_SCORE, cell(e, chunk, COLUMN_SCORE));
    buf_add_string(&e->line, "  ");
    add_bar(e, (double)chunk->tokens, (double)range->most_tokens);
    add_cell(e, COLUMN_TOKENS, cell(e, chunk, COLUMN_TOKENS));
    end_line(e, NULL);
}

static void add_picture(struct explanation *e)
{
    const struct chunks *chunks = e->chunks;
    if (chunks->placed_count == 0) {
        return;
    }
    struct range range = range_of(chunks);
    end_line(e, NULL);
    add_cell(e, COLUMN_POSITION, slice_of(headings[COLUMN_POSITION]));
    add_cell(e, COLUMN_RANK, slice_of(headings[COLUMN_RANK]));
    buf_add_string(&e->line, "  ");
    terminal_add_padded(&e->line, slice_of("score"), e->bar_width + 2 + e->widths[COLUMN_SCORE],
                        false);
    buf_add_string(&e->line, "  tokens");
    end_line(e, STRONG);
    for (size_t i = 0; i < chunks->placed_count; i++) {
        add_row(e, chunks->placed[i], &range);
    }
}

static void add_cutoff(struct explanation *e)
{
    struct cutoff cutoff = chunks_cutoff(e->chunks);
    struct buf *line = &e->line;
    if (cutoff.worst_kept != NULL) {
        buf_add_string(line, "worst kept score ");
        buf_add_slice(line, cell(e, cutoff.worst_kept, COLUMN_SCORE));
    }
    if (cutoff.best_dropped != NULL) {
        buf_add_string(line, line->len > 0 ? ", best dropped " : "best dropped score ");
        buf_add_slice(line, cell(e, cutoff.best_dropped, COLUMN_SCORE));
        buf_add_string(line, " (duplicates apart)");
    }
    if (line->len > 0) {
        end_line(e, NULL);
    }
}

/* Where the fields are: of all files, or of each list. */
static void add_fields(struct explanation *e)
{
    const struct chunks *chunks = e->chunks;
    for (size_t i = 0; i < chunks->file_count; i++) {
        const struct file *file = &chunks->files[i];
        bool same = i > 0 && fields_equal(&file->fields, &chunks->files[i - 1].fields);
        if (file->fields.text == NULL || same) {
            continue;
        }
        struct buf raw = {0};
        fields_describe(&raw, file, chunks);
        diag_escape(&e->line, buf_slice(&raw));
        buf_free(&raw);
        end_line(e, NULL);
    }
}

static void add_unused(struct explanation *e)
{
    const struct chunks *chunks = e->chunks;
    if (chunks->unused > 0) {
        buf_add_format(&e->line,
                       "%zu tokens of the budget are free: --fit=skip would use %zu of them%s",
                       chunks->unused, chunks->skip_would,
                       chunks->truncate_could ? ", --fit=truncate nearly all" : "");
        end_line(e, NULL);
    }
}

/* What stitching would spare, where it is worth a word. */
static bool add_repeats(struct buf *line, const char *before, const struct chunks *chunks)
{
    enum { WORTH_A_WORD = 10 };
    if (chunks->repeated < WORTH_A_WORD) {
        return false;
    }
    buf_add_format(line, "%s%zu percent of the text is said twice (--stitch says it once)", before,
                   chunks->repeated);
    return true;
}

static void add_totals(struct explanation *e)
{
    const struct chunks *chunks = e->chunks;
    struct buf *line = &e->line;
    end_line(e, NULL);
    buf_add_format(line, "%zu chunks read, %zu kept, %zu dropped", chunks->count,
                   chunks->placed_count, chunks->count - chunks->placed_count);
    fate_add_counts(line, ": ", chunks);
    end_line(e, NULL);
    budget_describe(line, e->budget, chunks->placed_count > 0 ? chunks->tokens : 0);
    end_line(e, NULL);
    add_unused(e);
    if (add_repeats(line, "", chunks)) {
        end_line(e, NULL);
    }
    add_cutoff(e);
    add_fields(e);
}

int explain(struct chunks *chunks, const struct budget_options *budget)
{
    struct explanation e = {.chunks = chunks,
                            .budget = budget,
                            .terminal = terminal_open(),
                            .order = chunks_by_rank(chunks)};
    if (chunks->group.at != NULL) {
        buf_add_string(&e.line, "group ");
        diag_escape(&e.line, chunks->group);
        end_line(&e, STRONG);
    }
    measure(&e);
    add_table(&e);
    add_picture(&e);
    add_totals(&e);
    int status = diag_write(buf_slice(&e.out));
    free(e.order);
    buf_free(&e.cell);
    buf_free(&e.raw);
    buf_free(&e.line);
    buf_free(&e.out);
    return status;
}

int stats(struct chunks *chunks, const struct budget_options *budget)
{
    size_t tokens = chunks->placed_count > 0 ? chunks->tokens : 0;
    struct buf line = {0};
    buf_add_format(&line, "%zu chunks in, %zu kept, ", chunks->count, chunks->placed_count);
    budget_describe(&line, budget, tokens);
    if (chunks->neutralised > 0) {
        buf_add_format(&line, ", %zu neutralised", chunks->neutralised);
    }
    add_repeats(&line, ", ", chunks);
    const struct file *first = chunks->files;
    if (chunks->file_count > 0 && first->fields.text != NULL) {
        buf_add_string(&line, ", ");
        fields_describe(&line, first, chunks);
    }
    struct buf message = {0};
    buf_add_string(&message, "edgefold: ");
    diag_escape(&message, buf_slice(&line));
    buf_add_byte(&message, '\n');
    int status = diag_write(buf_slice(&message));
    buf_free(&message);
    buf_free(&line);
    return status;
}

void totals_add(struct totals *totals, const struct chunks *chunks)
{
    totals->read += chunks->count;
    totals->kept += chunks->placed_count;
    totals->tokens += chunks->placed_count > 0 ? chunks->tokens : 0;
    totals->neutralised += chunks->neutralised;
}

int stats_total(const struct totals *totals, size_t groups, const struct budget_options *budget)
{
    struct buf line = {0};
    buf_add_format(&line, "edgefold: %zu chunks in %zu groups, %zu kept, %zu tokens", totals->read,
                   groups, totals->kept, totals->tokens);
    if (budget->budget > 0) {
        buf_add_format(&line, ", at most %zu in each", budget->budget);
    }
    buf_add_format(&line, ", counted by %s", budget->counter->method);
    if (totals->neutralised > 0) {
        buf_add_format(&line, ", %zu neutralised", totals->neutralised);
    }
    buf_add_byte(&line, '\n');
    int status = diag_write(buf_slice(&line));
    buf_free(&line);
    return status;
}
