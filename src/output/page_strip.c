/* page_strip.c: the context as a strip of cells, wide as tokens and dark as scores. */
#include <stdlib.h>

#include "page.h"

/* Cells of a row at most, and of all rows: where chunks are more, neighbours share one. */
#define ROW_CELLS 60
#define CELLS_MOST 3000

/* So many rows are low ones. */
#define MANY_ROWS 4

/* Cells in a row for there to be numbers in them. */
#define NUMBERED_CELLS 20

/* Neighbours in the output. */
struct cell {
    size_t first;
    size_t count;
    size_t tokens;
};

/* The strip being made. */
struct strip {
    struct cell *cells;
    size_t count;
    size_t tokens;   /* of all cells */
    size_t row_most; /* of the widest row */
    size_t *rows;    /* where each begins; one more ends the last */
    size_t row_count;
    size_t frame; /* tokens around the chunks */
    bool has_frame;
};

static void note_width(struct page *page, size_t width)
{
    page->widths =
        mem_grow(page->widths, &page->width_capacity, page->width_count + 1, sizeof *page->widths);
    page->widths[page->width_count++] = width;
}

/* Adds the name of the class that is so wide beside its neighbours. */
static void add_width(struct page *page, size_t width)
{
    note_width(page, width);
    buf_add_format(&page->strip, "w%zu", width);
}

static void make_cells(const struct page *page, struct strip *strip)
{
    const struct chunks *chunks = page->chunks;
    size_t share = (chunks->placed_count + CELLS_MOST - 1) / CELLS_MOST;
    strip->cells = mem_zeroed(chunks->placed_count, sizeof *strip->cells);
    for (size_t i = 0; i < chunks->placed_count; i += share) {
        size_t left = chunks->placed_count - i;
        struct cell cell = {i, left < share ? left : share, 0};
        for (size_t k = 0; k < cell.count; k++) {
            cell.tokens += chunks->placed[i + k]->tokens;
        }
        strip->tokens += cell.tokens;
        strip->cells[strip->count++] = cell;
    }
}

/* What stands around the chunks is the rest of the whole, where their sum is less than that. */
static void make_frame(const struct page *page, struct strip *strip)
{
    size_t total = page->chunks->tokens;
    strip->has_frame = prompt_is_wanted(page->prompt);
    bool is_sum = strip->has_frame && !page->output->stitched; /* else texts stand there in part */
    strip->frame = is_sum && total > strip->tokens ? total - strip->tokens : 0;
}

/* Rows of about as many tokens each. */
static void make_rows(struct strip *strip)
{
    size_t wanted = (strip->count + ROW_CELLS - 1) / ROW_CELLS;
    size_t share = strip->tokens / (wanted > 0 ? wanted : 1);
    strip->rows = mem_zeroed(2 * wanted + strip->count / ROW_CELLS + 3, sizeof *strip->rows);
    size_t tokens = 0;
    for (size_t i = 0; i < strip->count; i++) {
        size_t cells = i - (strip->row_count > 0 ? strip->rows[strip->row_count - 1] : 0);
        bool full = tokens + strip->cells[i].tokens / 2 >= share || cells >= 2 * ROW_CELLS;
        if (i == 0 || (wanted > 1 && full && tokens > 0)) {
            strip->rows[strip->row_count++] = i;
            tokens = 0;
        }
        tokens += strip->cells[i].tokens;
        strip->row_most = tokens > strip->row_most ? tokens : strip->row_most;
    }
    if (strip->row_count == 1) {
        strip->row_most += strip->frame;
    }
    strip->rows[strip->row_count] = strip->count;
}

/* "2: doc-3, score 0.74, 15 tokens", for who hears the page. */
static void add_label(struct page *page, const struct cell *cell)
{
    const struct chunks *chunks = page->chunks;
    const struct chunk *chunk = chunks->placed[cell->first];
    struct buf *raw = &page->raw;
    raw->len = 0;
    if (cell->count > 1) {
        buf_add_format(raw, "%zu to %zu: %zu chunks, %zu tokens", chunk->position,
                       chunks->placed[cell->first + cell->count - 1]->position, cell->count,
                       cell->tokens);
    } else {
        buf_add_format(raw, "%zu: ", chunk->position);
        if (chunk->id_length > 0) {
            buf_add_slice(raw, chunk_id_text(chunk, &page->scratch));
        } else {
            fate_add_place(raw, chunks, chunk);
        }
        buf_add_string(raw, chunk->scored ? ", score " : ", no score");
        buf_add_slice(raw, chunk_score(chunk));
        buf_add_format(raw, ", %zu tokens", chunk->tokens);
    }
    markup_add_quoted(&page->strip, buf_slice(raw));
    raw->len = 0;
}

/* The share of a cell whose text was said before. */
static void add_said(struct page *page, const struct chunk *chunk)
{
    const struct chunk_details *details = details_of(chunk);
    size_t points = utf8_length(chunk_text(chunk, &page->scratch));
    if (details->overlap_points == 0 || points == 0) {
        return;
    }
    size_t said = details->overlap_points < points ? details->overlap_points : points;
    buf_add_string(&page->strip, "<i class=\"said ");
    add_width(page, said * 100 / points);
    buf_add_string(&page->strip, "\"></i><i class=\"");
    add_width(page, 100 - said * 100 / points);
    buf_add_string(&page->strip, "\"></i>");
}

static void add_cell(struct page *page, const struct cell *cell, bool numbered)
{
    const struct chunk *chunk = page->chunks->placed[cell->first];
    buf_add_format(&page->strip, "<a href=\"#%s%zu\" class=\"s d%u ",
                   page_tells_of_kept(page, cell->first) ? "c" : "gap",
                   page_tells_of_kept(page, cell->first) ? page_index(page, chunk) : 0,
                   page_shade(page, chunk));
    add_width(page, cell->tokens);
    buf_add_string(&page->strip, "\" aria-label=\"");
    add_label(page, cell);
    buf_add_string(&page->strip, "\" title=\"");
    add_label(page, cell);
    buf_add_string(&page->strip, "\">");
    if (cell->count == 1 && page->output->stitched) {
        add_said(page, chunk);
    }
    if (numbered) {
        buf_add_format(&page->strip, "<span>%zu</span>", chunk->position);
    }
    buf_add_string(&page->strip, "</a>");
}

/* The last cell, of all that is no chunk, not wider than its row. */
static void add_frame(struct page *page, const struct strip *strip, size_t width)
{
    const char *what = page->prompt->has_question ? "Question" : "Around the chunks";
    buf_add_format(&page->strip, "<a href=\"#%s\" class=\"s q ",
                   page->prompt->has_question ? "question" : "h-kept");
    add_width(page, width);
    buf_add_format(&page->strip, "\" aria-label=\"%s", what);
    if (strip->frame > 0) {
        buf_add_format(&page->strip, " and all that is around the chunks: %zu tokens",
                       strip->frame);
    }
    buf_add_format(&page->strip, "\"><span>%s</span></a>",
                   page->prompt->has_question ? "question" : "");
}

static void add_row(struct page *page, const struct strip *strip, size_t row)
{
    bool last = row + 1 == strip->row_count;
    size_t tokens = 0;
    bool numbered = strip->count <= NUMBERED_CELLS;
    buf_add_string(&page->strip, numbered ? "<div class=\"row few\">" : "<div class=\"row\">");
    for (size_t i = strip->rows[row]; i < strip->rows[row + 1]; i++) {
        add_cell(page, &strip->cells[i], numbered);
        tokens += strip->cells[i].tokens;
    }
    if (last && strip->has_frame) {
        size_t left = strip->row_most > tokens ? strip->row_most - tokens : 0;
        size_t width = strip->frame < left ? strip->frame : left;
        add_frame(page, strip, width);
        tokens += width;
    }
    if (strip->row_most > tokens) {
        buf_add_string(&page->strip, "<i class=\"");
        add_width(page, strip->row_most - tokens);
        buf_add_string(&page->strip, "\"></i>");
    }
    buf_add_string(&page->strip, "</div>\n");
}

void page_make_strip(struct page *page)
{
    struct strip strip = {0};
    if (page->chunks->placed_count == 0) {
        buf_add_string(&page->strip, "<p>No chunk is left.</p>\n");
        return;
    }
    make_cells(page, &strip);
    make_frame(page, &strip);
    make_rows(&strip);
    buf_add_format(&page->strip,
                   "<nav class=\"strip%s\" aria-label=\"The context, in the order of "
                   "the output\">\n",
                   strip.row_count > MANY_ROWS ? " many" : "");
    for (size_t i = 0; i < strip.row_count; i++) {
        add_row(page, &strip, i);
    }
    buf_add_string(&page->strip, "</nav>\n<p class=\"note\">A cell is as wide as its tokens and as "
                                 "strong as its score among the kept.");
    if (strip.frame > 0) {
        buf_add_format(&page->strip, " The outlined one is %s: %zu tokens.",
                       page->prompt->has_question
                           ? "the question with all that is around the chunks"
                           : "what is around the chunks",
                       strip.frame);
    }
    if (page->output->stitched) {
        buf_add_string(&page->strip, " What is hatched was said before.");
    }
    if (strip.count < page->chunks->placed_count) {
        buf_add_format(&page->strip, " Each stands for %zu chunks, with the score of the first.",
                       strip.cells[0].count);
    }
    buf_add_string(&page->strip, "</p>\n");
    free(strip.cells);
    free(strip.rows);
}

static void add_part(struct page *page, const char *name, size_t tokens)
{
    if (tokens > 0) {
        buf_add_format(&page->strip, "<i class=\"%s ", name);
        add_width(page, tokens);
        buf_add_string(&page->strip, "\"></i>");
    }
}

static void add_figure(struct page *page, const char *name, const char *words, size_t tokens)
{
    if (tokens > 0) {
        buf_add_format(&page->strip, "<li><i class=\"%s\"></i>%zu %s</li>", name, tokens, words);
    }
}

void page_make_budget(struct page *page)
{
    const struct budget_options *budget = page->budget;
    size_t used = page->chunks->placed_count > 0 ? page->chunks->tokens : 0;
    buf_add_string(&page->strip, "<p id=\"budget\">");
    budget_describe(&page->raw, budget, used);
    page_add_raw(page, &page->strip);
    buf_add_string(&page->strip, "</p>\n");
    if (budget->budget == 0) {
        return;
    }
    size_t room = budget_room(budget);
    size_t margin = budget->budget - budget->reserve - room;
    size_t unused = room > used ? room - used : 0;
    buf_add_string(&page->strip, "<div class=\"budget\" role=\"img\" aria-labelledby=\"budget\">");
    add_part(page, "used", used);
    add_part(page, "free", unused);
    add_part(page, "margin", margin);
    add_part(page, "reserve", budget->reserve);
    buf_add_string(&page->strip, "</div>\n<ul class=\"key\">");
    add_figure(page, "used", "used", used);
    add_figure(page, "free", "free", unused);
    add_figure(page, "margin", "margin", margin);
    add_figure(page, "reserve", "reserve", budget->reserve);
    buf_add_string(&page->strip, "</ul>\n");
}
