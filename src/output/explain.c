/*
 * explain.c: -v: what is kept, as it is laid out, what was dropped and why, totals; -vv:
 * every chunk by rank; --stats.
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

/* On a screen of fewer columns ids and fates have the room of bars and places. */
#define NARROW 60

#define DIM "\x1b[2m"
#define STRONG "\x1b[1m"
#define PLAIN "\x1b[0m"

/* With more chunks than this, each reason shows its best ones and how many there are more. */
#define FEW_CHUNKS 24
#define SHOWN_OF_A_REASON 10

/* Columns of a table, from the left. */
struct columns {
    enum column at[COLUMNS];
    size_t count;
    size_t bars; /* bars stand before score and tokens */
};

static const struct columns every_column = {{COLUMN_RANK, COLUMN_SCORE, COLUMN_PLACE, COLUMN_ID,
                                             COLUMN_TOKENS, COLUMN_POSITION, COLUMN_FATE},
                                            7,
                                            0};
static const struct columns picture_columns = {
    {COLUMN_POSITION, COLUMN_RANK, COLUMN_SCORE, COLUMN_TOKENS}, 4, 2};
static const struct columns kept_columns = {{COLUMN_POSITION, COLUMN_RANK, COLUMN_SCORE,
                                             COLUMN_TOKENS, COLUMN_ID, COLUMN_PLACE, COLUMN_FATE},
                                            7,
                                            2};
static const struct columns dropped_columns = {
    {COLUMN_RANK, COLUMN_SCORE, COLUMN_TOKENS, COLUMN_ID, COLUMN_PLACE, COLUMN_FATE}, 6, 0};

/* What gives way on a narrow screen, in this order, and down to which width. */
struct shrinking {
    enum column column;
    size_t least;
};

/* One explanation being written. */
struct explanation {
    const struct chunks *chunks;
    const struct budget_options *budget;
    struct terminal terminal;
    const struct chunk **order; /* by rank, then those without, as they came */
    bool by_reason;             /* chunks without an id are called by their place */
    struct columns columns;     /* of the table that is being written */
    size_t widths[COLUMNS];
    size_t bar_width;
    struct buf cell;
    struct buf raw;
    struct buf line;
    struct buf out;
};

/* What a fate says once its name stands above: "line 12, 0.91 (61/67 words)". */
static struct slice without_name(struct slice why)
{
    static const char *const names[] = {"duplicate of ", "over budget: "};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct slice name = slice_of(names[i]);
        if (why.len > name.len && memcmp(why.at, name.at, name.len) == 0) {
            return (struct slice){why.at + name.len, why.len - name.len};
        }
    }
    return why;
}

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
        buf_add_slice(raw, chunk->scored ? chunk_score(chunk) : slice_of("-"));
        break;
    case COLUMN_PLACE:
        fate_add_place(raw, e->chunks, chunk);
        break;
    case COLUMN_ID:
        if (chunk->id_length > 0) {
            buf_add_slice(raw, chunk_id_text(chunk, &e->cell));
        } else if (e->by_reason) {
            fate_add_place(raw, e->chunks, chunk);
        } else {
            buf_add_string(raw, "-");
        }
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
    bool named = column == COLUMN_FATE && e->by_reason;
    return named ? without_name(buf_slice(&e->cell)) : buf_slice(&e->cell);
}

static bool is_number(enum column column)
{
    return column != COLUMN_PLACE && column != COLUMN_ID && column != COLUMN_FATE;
}

static void trim_line(struct explanation *e)
{
    while (e->line.len > 0 && e->line.at[e->line.len - 1] == ' ') {
        e->line.len--;
    }
}

/* Ends the line, not wider than the screen; style is for a terminal with colour. */
static void end_line(struct explanation *e, const char *style)
{
    trim_line(e);
    struct slice line = buf_slice(&e->line);
    bool cut = terminal_fit(line, e->terminal.width) < line.len;
    line.len = cut ? terminal_fit(line, e->terminal.width - 1) : line.len;
    bool styled = e->terminal.colour && style != NULL;
    buf_add_string(&e->out, styled ? style : "");
    buf_add_slice(&e->out, line);
    buf_add_string(&e->out, cut ? "~" : "");
    buf_add_string(&e->out, styled ? PLAIN "\n" : "\n");
    e->line.len = 0;
}

/* The same for words: on a terminal what is longer goes on below. */
static void end_words(struct explanation *e)
{
    terminal_add_wrapped(&e->out, buf_slice(&e->line), e->terminal.width, 2);
    e->line.len = 0;
}

/* What all cells of a row take with the gaps between them. */
static size_t row_width(const struct explanation *e)
{
    size_t width = e->columns.bars * (e->bar_width + 2);
    for (size_t i = 0; i < e->columns.count; i++) {
        width += e->widths[e->columns.at[i]] + (i > 0 ? 2 : 0);
    }
    return width;
}

static size_t too_wide(const struct explanation *e)
{
    size_t width = row_width(e);
    return width > e->terminal.width ? width - e->terminal.width : 0;
}

static void shrink(struct explanation *e, const struct shrinking *shrinking, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t *width = &e->widths[shrinking[i].column];
        size_t over = too_wide(e);
        size_t spare = *width > shrinking[i].least ? *width - shrinking[i].least : 0;
        *width -= over < spare ? over : spare;
    }
}

static void remove_column(struct explanation *e, enum column column)
{
    struct columns *columns = &e->columns;
    size_t left = 0;
    for (size_t i = 0; i < columns->count; i++) {
        columns->at[left] = columns->at[i];
        left += columns->at[i] != column;
    }
    columns->count = left;
}

/* Begins a table of these columns, wide enough for all of these chunks, as far as a screen is. */
static void measure(struct explanation *e, const struct columns *columns,
                    const struct chunk *const *rows, size_t count)
{
    e->columns = *columns;
    e->bar_width = columns->bars > 0 ? BAR_MOST : 0;
    bool any_id = !e->by_reason;
    for (size_t row = 0; row < count && !any_id; row++) {
        any_id = rows[row]->id_length > 0;
    }
    if (!any_id) {
        remove_column(e, COLUMN_PLACE); /* they are called by it */
    }
    for (size_t i = 0; i < columns->count; i++) {
        enum column column = columns->at[i];
        size_t widest = terminal_columns(slice_of(headings[column]));
        for (size_t row = 0; row < count; row++) {
            size_t width = terminal_columns(cell(e, rows[row], column));
            width = width < COLUMN_MOST ? width : COLUMN_MOST; /* the report has the whole */
            widest = width > widest ? width : widest;
        }
        e->widths[column] = widest;
    }
    /* Longer ones are cut before all else gives way. */
    size_t *fate = &e->widths[COLUMN_FATE];
    *fate = *fate < FATE_ENOUGH ? *fate : FATE_ENOUGH;
}

/* With every chunk and every column: what is longest and matters least, so that fates are seen. */
static void shrink_all(struct explanation *e)
{
    static const struct shrinking shrinking[] = {{COLUMN_PLACE, 12}, {COLUMN_SCORE, 8},
                                                 {COLUMN_PLACE, 5},  {COLUMN_ID, 12},
                                                 {COLUMN_ID, 6},     {COLUMN_SCORE, 5}};
    if (e->terminal.width < NARROW) {
        remove_column(e, COLUMN_PLACE);
    }
    shrink(e, shrinking, sizeof shrinking / sizeof shrinking[0]);
}

static void shrink_bars(struct explanation *e)
{
    size_t each = (too_wide(e) + e->columns.bars - 1) / e->columns.bars;
    e->bar_width = e->bar_width > each + BAR_LEAST ? e->bar_width - each : BAR_LEAST;
}

/* By reason: ids are what people look for, and say where a chunk is from better than lines do. */
static void shrink_by_reason(struct explanation *e)
{
    static const struct shrinking shrinking[] = {
        {COLUMN_SCORE, 8}, {COLUMN_FATE, 18}, {COLUMN_ID, 20}, {COLUMN_FATE, 9}, {COLUMN_ID, 6}};
    if (too_wide(e) > 0) {
        remove_column(e, COLUMN_PLACE);
    }
    if (e->terminal.width < NARROW) {
        e->columns.bars = 0;
    }
    if (e->columns.bars > 0 && too_wide(e) > 0) {
        shrink_bars(e);
    }
    shrink(e, shrinking, sizeof shrinking / sizeof shrinking[0]);
}

/*
 * Adds what of a cell fits its column: of a place the end, of an id both ends, else the
 * start; "~" marks a cut.
 */
static void add_cut(struct explanation *e, struct slice text, enum column column)
{
    size_t columns = e->widths[column] - 1;
    size_t before = column == COLUMN_PLACE ? 0 : column == COLUMN_ID ? (columns + 1) / 2 : columns;
    size_t start = terminal_fit(text, before);
    buf_add(&e->line, text.at, start);
    buf_add_string(&e->line, "~");
    size_t after = columns - before;
    text.at += start;
    text.len -= start;
    size_t left = terminal_columns(text);
    while (text.len > 0 && left > after) {
        size_t first = terminal_fit(text, 1);
        first = first > 0 ? first : terminal_fit(text, 2);
        left -= terminal_columns((struct slice){text.at, first});
        text.at += first;
        text.len -= first;
    }
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

/* What the bars are measured by. */
struct range {
    struct score_range scores;
    size_t most_tokens;
};

static struct range range_of(const struct chunks *chunks)
{
    struct range range = {.scores = chunks_score_range(chunks)};
    for (size_t i = 0; i < chunks->placed_count; i++) {
        size_t tokens = chunks->placed[i]->tokens;
        range.most_tokens = tokens > range.most_tokens ? tokens : range.most_tokens;
    }
    return range;
}

static void add_score_bar(struct explanation *e, const struct chunk *chunk,
                          const struct range *range)
{
    if (!chunk->scored) {
        terminal_add_padded(&e->line, slice_of(""), e->bar_width, false);
        return;
    }
    /* Scores have no zero to measure from: the worst kept has a tenth. */
    double spread = range->scores.best - range->scores.worst;
    double above = chunks_goodness(e->chunks, chunk) - range->scores.worst;
    add_bar(e, spread > 0 ? 0.1 + 0.9 * above / spread : 1, 1);
}

/* A range only where the columns have bars. */
static void add_row(struct explanation *e, const struct chunk *chunk, const struct range *range)
{
    for (size_t i = 0; i < e->columns.count; i++) {
        enum column column = e->columns.at[i];
        if (e->columns.bars > 0 && (column == COLUMN_SCORE || column == COLUMN_TOKENS)) {
            buf_add_string(&e->line, "  ");
            if (column == COLUMN_SCORE) {
                add_score_bar(e, chunk, range);
            } else {
                add_bar(e, (double)chunk->tokens, (double)range->most_tokens);
            }
        }
        bool silent = column == COLUMN_FATE && e->by_reason && chunk->fate == FATE_KEPT &&
                      !fate_has_more(chunk);
        add_cell(e, column, silent ? slice_of("") : cell(e, chunk, column));
    }
    bool dim = chunk->fate != FATE_KEPT && !e->by_reason;
    end_line(e, dim ? DIM : NULL);
}

/* Where bars stand before a column, its heading stands above them. */
static void add_headings(struct explanation *e)
{
    for (size_t i = 0; i < e->columns.count; i++) {
        enum column column = e->columns.at[i];
        struct slice heading = slice_of(headings[column]);
        bool has_bar = e->columns.bars > 0 && (column == COLUMN_SCORE || column == COLUMN_TOKENS);
        if (has_bar) {
            buf_add_string(&e->line, "  ");
            terminal_add_padded(&e->line, heading, e->bar_width + 2 + e->widths[column], false);
        } else {
            bool silent = column == COLUMN_FATE && e->by_reason;
            add_cell(e, column, silent ? slice_of("") : heading);
        }
    }
    end_line(e, STRONG);
}

/* Every chunk by rank; then those that are kept, as a picture. */
static void add_everything(struct explanation *e)
{
    const struct chunks *chunks = e->chunks;
    measure(e, &every_column, e->order, chunks->count);
    shrink_all(e);
    add_headings(e);
    for (size_t i = 0; i < chunks->count; i++) {
        add_row(e, e->order[i], NULL);
    }
    if (chunks->placed_count == 0) {
        return;
    }
    struct range range = range_of(chunks);
    const struct chunk *const *placed = (const struct chunk *const *)chunks->placed;
    measure(e, &picture_columns, placed, chunks->placed_count);
    shrink_all(e);
    shrink_bars(e);
    end_line(e, NULL);
    add_headings(e);
    for (size_t i = 0; i < chunks->placed_count; i++) {
        add_row(e, chunks->placed[i], &range);
    }
}

static void add_kept(struct explanation *e)
{
    const struct chunks *chunks = e->chunks;
    if (chunks->placed_count == 0) {
        return;
    }
    struct range range = range_of(chunks);
    const struct chunk *const *placed = (const struct chunk *const *)chunks->placed;
    measure(e, &kept_columns, placed, chunks->placed_count);
    bool any = false;
    for (size_t i = 0; i < chunks->placed_count; i++) {
        any |= fate_has_more(placed[i]);
    }
    if (!any) {
        remove_column(e, COLUMN_FATE);
    }
    shrink_by_reason(e);
    add_headings(e);
    for (size_t i = 0; i < chunks->placed_count; i++) {
        add_row(e, placed[i], &range);
    }
    end_line(e, NULL);
}

/* The dropped chunks to be shown, by reason and rank, and after each reason how many are not. */
struct dropped_rows {
    const struct chunk **rows;
    size_t count;
    size_t hidden[FATES];
    const struct chunk *first_hidden[FATES];
    const struct chunk *last_hidden[FATES];
};

static void choose_rows(const struct explanation *e, struct dropped_rows *dropped)
{
    const struct chunks *chunks = e->chunks;
    size_t most = chunks->count > FEW_CHUNKS ? SHOWN_OF_A_REASON : FEW_CHUNKS;
    dropped->rows = mem_zeroed(chunks->count, sizeof *dropped->rows);
    for (int fate = FATE_KEPT + 1; fate < FATES; fate++) {
        size_t shown = 0;
        for (size_t i = 0; i < chunks->count; i++) {
            const struct chunk *chunk = e->order[i];
            if ((int)chunk->fate != fate) {
                continue;
            }
            if (shown++ < most) {
                dropped->rows[dropped->count++] = chunk;
                continue;
            }
            dropped->hidden[fate]++;
            dropped->last_hidden[fate] = chunk;
            if (dropped->first_hidden[fate] == NULL) {
                dropped->first_hidden[fate] = chunk;
            }
        }
    }
}

/* "... and 181 more, ranks 20 to 200" */
static void add_hidden(struct explanation *e, const struct dropped_rows *dropped, enum fate fate)
{
    if (dropped->hidden[fate] == 0) {
        return;
    }
    const struct chunk *first = dropped->first_hidden[fate];
    const struct chunk *last = dropped->last_hidden[fate];
    bool one = first == last;
    terminal_add_padded(&e->line, slice_of("..."), e->widths[COLUMN_RANK], true);
    buf_add_format(&e->line, " and %zu more", dropped->hidden[fate]);
    if (first->rank > 0 && one) {
        buf_add_format(&e->line, ", rank %zu", first->rank);
    } else if (first->rank > 0) {
        buf_add_format(&e->line, ", ranks %zu to %zu", first->rank, last->rank);
    }
    end_line(e, DIM);
}

static void add_dropped(struct explanation *e)
{
    struct dropped_rows dropped = {0};
    choose_rows(e, &dropped);
    if (dropped.count > 0) {
        measure(e, &dropped_columns, dropped.rows, dropped.count);
        shrink_by_reason(e);
        add_headings(e);
        for (size_t i = 0; i < dropped.count; i++) {
            enum fate fate = dropped.rows[i]->fate;
            if (i == 0 || dropped.rows[i - 1]->fate != fate) {
                buf_add_format(&e->line, "%s: %zu", fate_name(fate),
                               chunks_with_fate(e->chunks, fate));
                end_line(e, STRONG);
            }
            add_row(e, dropped.rows[i], NULL);
            if (i + 1 == dropped.count || dropped.rows[i + 1]->fate != fate) {
                add_hidden(e, &dropped, fate);
            }
        }
        end_line(e, NULL);
    }
    free(dropped.rows);
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
        end_words(e);
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
        end_words(e);
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
        end_words(e);
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
    buf_add_format(line, "%zu chunks read, %zu kept, %zu dropped", chunks->count,
                   chunks->placed_count, chunks->count - chunks->placed_count);
    fate_add_counts(line, ": ", chunks);
    end_words(e);
    budget_describe(line, e->budget, chunks->placed_count > 0 ? chunks->tokens : 0);
    end_words(e);
    add_unused(e);
    if (add_repeats(line, "", chunks)) {
        end_words(e);
    }
    add_cutoff(e);
    add_fields(e);
}

int explain(struct chunks *chunks, const struct budget_options *budget, bool everything)
{
    struct explanation e = {.chunks = chunks,
                            .budget = budget,
                            .terminal = terminal_open(),
                            .order = chunks_by_rank(chunks),
                            .by_reason = !everything};
    if (chunks->group.at != NULL) {
        buf_add_string(&e.line, "group ");
        diag_escape(&e.line, chunks->group);
        end_line(&e, STRONG);
    }
    if (everything) {
        add_everything(&e);
        end_line(&e, NULL);
    } else {
        add_kept(&e);
        add_dropped(&e);
    }
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
