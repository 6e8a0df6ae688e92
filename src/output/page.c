/* page.c: --report=FILE.html: the report as one page that asks for nothing else. */
#include "page.h"

#include <stdlib.h>
#include <strings.h>

#include "ids.h"

/* page.css and page.js as the initialisers of arrays, made by the Makefile. */
static const unsigned char page_css[] = {
#include "output/page.css.inc"
};
static const unsigned char page_js[] = {
#include "output/page.js.inc"
};

bool report_is_page(const char *name)
{
    static const char *const endings[] = {".html", ".htm"};
    size_t length = name != NULL ? strlen(name) : 0;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t ending = strlen(endings[i]);
        if (length >= ending && strcasecmp(name + length - ending, endings[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void add(struct page *page, const char *markup)
{
    buf_add_string(&page->out, markup);
}

void page_add_raw(struct page *page, struct buf *out)
{
    markup_add(out, buf_slice(&page->raw));
    page->raw.len = 0;
}

void page_add_name(struct page *page, struct buf *out, const struct chunk *chunk)
{
    if (chunk->id_length > 0) {
        markup_add(out, chunk_id_text(chunk, &page->scratch));
    } else {
        fate_add_place(&page->raw, page->chunks, chunk);
        page_add_raw(page, out);
    }
}

unsigned page_shade(const struct page *page, const struct chunk *chunk)
{
    enum { SHADES = 10 };
    if (!chunk->scored || !page->range.any) {
        return 0;
    }
    double spread = page->range.best - page->range.worst;
    double above = chunks_goodness(page->chunks, chunk) - page->range.worst;
    double share = spread > 0 ? above / spread : 1;
    return 1 + (unsigned)(share * (SHADES - 1) + 0.5);
}

static int by_size(const void *a, const void *b)
{
    size_t x = *(const size_t *)a;
    size_t y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

/* Characters of the longest id that the page tells of. */
static size_t longest_id(struct page *page)
{
    size_t longest = 0;
    for (size_t i = 0; page->told != NULL && i < page->chunks->count; i++) {
        if (page->told[i]) {
            page_add_name(page, &page->other, &page->chunks->all[i]);
            size_t length = utf8_length(buf_slice(&page->other));
            longest = length > longest ? length : longest;
            page->other.len = 0;
        }
    }
    return longest;
}

/* Ids of more characters have a line of their own in a narrow window. */
#define LONG_ID 12

/* The style, with a rule for the column of ids and one for each width of the strip. */
static void make_style(struct page *page, struct buf *style)
{
    buf_add(style, page_css, sizeof page_css);
    buf_add_format(style, ":root{--id:%zu}\n", longest_id(page));
    if (page->width_count > 0) {
        qsort(page->widths, page->width_count, sizeof *page->widths, by_size);
    }
    for (size_t i = 0; i < page->width_count; i++) {
        if (i == 0 || page->widths[i] != page->widths[i - 1]) {
            buf_add_format(style, ".w%zu{flex-grow:%zu}\n", page->widths[i], page->widths[i]);
        }
    }
}

static void add_head(struct page *page)
{
    struct buf style = {0};
    make_style(page, &style);
    add(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
              "style-src ");
    markup_add_digest(&page->out, buf_slice(&style));
    add(page, "; script-src ");
    markup_add_digest(&page->out, (struct slice){(const char *)page_js, sizeof page_js});
    add(page, "; base-uri 'none'; form-action 'none'\">\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta name=\"color-scheme\" content=\"light dark\">\n"
              "<meta name=\"referrer\" content=\"no-referrer\">\n<title>edgefold report</title>\n"
              "<style>");
    buf_add_slice(&page->out, buf_slice(&style));
    add(page,
        "</style>\n</head>\n<body>\n<header>\n<p class=\"name\">edgefold " OUTPUT_VERSION "</p>\n");
    buf_free(&style);
}

/* What of all that was read is kept, and the question that it is for. */
static void add_title(struct page *page)
{
    const struct chunks *chunks = page->chunks;
    buf_add_format(&page->out, "<h1>%zu of %zu chunks kept</h1>\n", chunks->placed_count,
                   chunks->count);
    if (page->prompt->has_question) {
        add(page, "<p class=\"lead\"><span class=\"vh\">Question: </span><bdi>");
        markup_add(&page->out, page->prompt->question);
        add(page, "</bdi></p>\n");
    }
    buf_add_format(&page->out, "</header>\n<main%s>\n",
                   longest_id(page) > LONG_ID ? " class=\"long\"" : "");
}

static void open_section(struct page *page, const char *id, const char *title)
{
    buf_add_format(&page->out, "<section aria-labelledby=\"h-%s\"><h2 id=\"h-%s\">%s</h2>\n", id,
                   id, title);
}

static void add_why_unmet(struct page *page, const struct chunk *found)
{
    if (found == NULL) {
        buf_add_string(&page->raw, chunks_no_such_id(page->chunks));
    } else {
        fate_describe(&page->raw, page->chunks, found);
    }
    page_add_raw(page, &page->out);
}

static void add_required(struct page *page)
{
    const struct output_options *options = page->output;
    if (options->requirement_count == 0) {
        return;
    }
    open_section(page, "required", "Required");
    add(page, "<ul class=\"required\">\n");
    struct ids ids;
    ids_open(&ids, page->chunks, options->requirement_count);
    for (size_t i = 0; i < options->requirement_count; i++) {
        const struct requirement *required = &options->requirements[i];
        const struct chunk *found = ids_find(&ids, required->id, required->edge);
        bool met = found != NULL && chunks_has_placed(page->chunks, found, required->edge);
        buf_add_format(&page->out, "<li class=\"%s\"><b>%s</b> <bdi>", met ? "met" : "unmet",
                       met ? "met" : "not met");
        markup_add(&page->out, slice_of(required->id));
        add(page, required->edge ? "</bdi>, at an edge" : "</bdi>");
        if (!met) {
            add(page, ": ");
            add_why_unmet(page, found);
        }
        add(page, "</li>\n");
    }
    ids_free(&ids);
    add(page, "</ul></section>\n");
}

static void add_row(struct page *page, const char *name, struct slice value)
{
    add(page, "<tr><th scope=\"row\">");
    markup_add(&page->out, slice_of(name));
    add(page, "</th><td>");
    markup_add(&page->out, value);
    add(page, "</td></tr>\n");
}

static void add_count(struct page *page, const char *name, size_t count)
{
    struct buf number = {0};
    buf_add_format(&number, "%zu", count);
    add_row(page, name, buf_slice(&number));
    buf_free(&number);
}

static void add_totals(struct page *page)
{
    const struct chunks *chunks = page->chunks;
    struct cutoff cutoff = chunks_cutoff(chunks);
    open_section(page, "totals", "Totals");
    add(page, "<table class=\"totals\">\n");
    add_count(page, "read", chunks->count);
    add_count(page, "kept", chunks->placed_count);
    for (int fate = FATE_KEPT + 1; fate < FATES; fate++) {
        add_count(page, fate_name((enum fate)fate), chunks_with_fate(chunks, (enum fate)fate));
    }
    add_count(page, "tokens", chunks->placed_count > 0 ? chunks->tokens : 0);
    if (page->output->stitched) {
        add_count(page, "documents", chunks->document_count);
    }
    add_count(page, "neutralised", chunks->neutralised);
    struct slice none = slice_of("none");
    add_row(page, "worst kept score", cutoff.worst_kept ? chunk_score(cutoff.worst_kept) : none);
    add_row(page, "best dropped score",
            cutoff.best_dropped ? chunk_score(cutoff.best_dropped) : none);
    add(page, "</table>\n");
    if (chunks->unused > 0) {
        buf_add_format(&page->out,
                       "<p>%zu tokens of the budget are free: <code>--fit=skip</code> would use "
                       "%zu of them.</p>\n",
                       chunks->unused, chunks->skip_would);
    }
    if (chunks->repeated > 0) {
        buf_add_format(&page->out,
                       "<p>%zu percent of the kept text is said twice "
                       "(<code>--stitch</code> says it once).</p>\n",
                       chunks->repeated);
    }
    add(page, "</section>\n");
}

/* What is not in force is null, false or an empty list. */
static bool in_force(const json_t *value)
{
    return !json_is_null(value) && !json_is_false(value) &&
           !(json_is_array(value) && json_array_size(value) == 0);
}

static void add_options(struct page *page)
{
    const char *name;
    json_t *value;
    open_section(page, "options", "Options in force");
    add(page, "<table class=\"options\">\n");
    json_object_foreach(page->settings, name, value)
    {
        if (json_is_string(value)) {
            struct slice text = {json_string_value(value), json_string_length(value)};
            add_row(page, name, text);
        } else if (in_force(value)) {
            char *bytes = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
            add_row(page, name, slice_of(bytes != NULL ? bytes : ""));
            free(bytes);
        }
    }
    add(page, "</table></section>\n");
}

static void add_fields(struct page *page)
{
    const struct chunks *chunks = page->chunks;
    open_section(page, "fields", "Files");
    add(page, "<table class=\"files\">\n");
    for (size_t i = 0; i < chunks->file_count; i++) {
        if (chunks->files[i].fields.text != NULL) {
            fields_describe(&page->raw, &chunks->files[i], chunks);
        } else {
            buf_add_string(&page->raw, "no chunk");
        }
        add_row(page, chunks->files[i].input.name, buf_slice(&page->raw));
        page->raw.len = 0;
    }
    add(page, "</table></section>\n");
}

/* What was warned of, printed or not. */
static void add_warnings(struct page *page)
{
    struct buf warnings = {0};
    diag_take_warnings(&warnings);
    struct slice left = buf_slice(&warnings);
    if (left.len > 0) {
        open_section(page, "messages", "Warnings");
        add(page, "<ul class=\"messages\">\n");
        while (left.len > 0) {
            size_t length = strlen(left.at); /* each has a NUL at its end */
            add(page, "<li>");
            markup_add(&page->out, (struct slice){left.at, length});
            add(page, "</li>\n");
            left = slice_from(left, length + 1);
        }
        add(page, "</ul></section>\n");
    }
    buf_free(&warnings);
}

static void add_end(struct page *page)
{
    add(page, "</main>\n<script>");
    buf_add(&page->out, page_js, sizeof page_js);
    add(page, "</script>\n</body>\n</html>\n");
}

static void add_error(struct page *page)
{
    add_head(page);
    add(page,
        "<h1>Nothing was written</h1>\n</header>\n<main>\n<p class=\"error\" role=\"alert\">");
    markup_add(&page->out, diag_last());
    add(page, "</p>\n");
    add_warnings(page);
    add_options(page);
    add_end(page);
}

static void add_all(struct page *page)
{
    page_choose(page);
    page_make_strip(page);
    page_make_budget(page);
    add_head(page);
    add_title(page);
    open_section(page, "context", "Context");
    outfile_take(page->file, &page->out);
    outfile_take(page->file, &page->strip);
    add(page, "</section>\n");
    add_required(page);
    page_add_kept(page);
    page_add_dropped(page);
    add(page, "<div class=\"end\">\n");
    add_totals(page);
    add_warnings(page);
    add_options(page);
    add_fields(page);
    add(page, "</div>\n");
    add_end(page);
}

static void free_page(struct page *page)
{
    free(page->order);
    free(page->told);
    free(page->beaten);
    free(page->beaten_next);
    free(page->widths);
    free(page->lacking.at);
    buf_free(&page->raw);
    buf_free(&page->scratch);
    buf_free(&page->other);
    buf_free(&page->repaired[0]);
    buf_free(&page->repaired[1]);
    buf_free(&page->strip);
    buf_free(&page->out);
    json_decref(page->settings);
}

int report_page(struct chunks *chunks, const struct output_options *output,
                const struct budget_options *budget, const struct prompt_options *prompt,
                json_t *settings, int status)
{
    struct page page = {.chunks = chunks,
                        .output = output,
                        .budget = budget,
                        .prompt = prompt,
                        .settings = settings,
                        .file = outfile_open(output->report, OUTFILE_AT_ONCE)};
    tree_set(settings, "lower_is_better", json_boolean(chunks->lower_is_better));
    if (status >= STATUS_USAGE) {
        add_error(&page);
    } else {
        page.order = chunks_by_rank(chunks);
        page.range = chunks_score_range(chunks);
        add_all(&page);
    }
    outfile_take(page.file, &page.out);
    free_page(&page);
    return outfile_commit(page.file);
}
