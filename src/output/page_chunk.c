/* page_chunk.c: what became of each chunk, with its text. */
#include <stdlib.h>

#include "page.h"

/* Bytes of a text that a closed chunk shows, and duplicates that it names, at most. */
#define START_BYTES 240
#define BEATEN_MOST 20

/* A fate of so many chunks is closed at first; so many of the kept are there at once. */
#define OPEN_MOST 50

/* Chunks of a list that the script takes in at a time; page.css knows how high they are. */
#define BATCH_CHUNKS 200

size_t page_index(const struct page *page, const struct chunk *chunk)
{
    return (size_t)(chunk - page->chunks->all);
}

bool page_tells_of_kept(const struct page *page, size_t place)
{
    return page->told[page_index(page, page->chunks->placed[place])];
}

/* The first dropped chunks of each fate, and the duplicates among them by what they lost to. */
static void choose_dropped(struct page *page)
{
    const struct chunks *chunks = page->chunks;
    size_t told[FATES] = {0};
    for (size_t i = chunks->count; i-- > 0;) {
        told[page->order[i]->fate]++;
    }
    for (size_t i = chunks->count; i-- > 0;) { /* so that lists have the best first */
        const struct chunk *chunk = page->order[i];
        if (chunk->fate == FATE_KEPT || told[chunk->fate]-- > PAGE_DROPPED_MOST) {
            continue;
        }
        size_t index = page_index(page, chunk);
        page->told[index] = true;
        if ((fate_evidence(chunk->fate) & EVIDENCE_SURVIVOR) != 0) {
            size_t *first = &page->beaten[page_index(page, details_of(chunk)->survivor)];
            page->beaten_next[index] = *first;
            *first = index + 1;
        }
    }
}

void page_choose(struct page *page)
{
    const struct chunks *chunks = page->chunks;
    page->told = mem_zeroed(chunks->count, sizeof *page->told);
    page->beaten = mem_zeroed(chunks->count, sizeof *page->beaten);
    page->beaten_next = mem_zeroed(chunks->count, sizeof *page->beaten_next);
    for (size_t i = 0; i < chunks->placed_count; i++) {
        size_t from_end = chunks->placed_count - i;
        page->told[page_index(page, chunks->placed[i])] =
            i < PAGE_KEPT_MOST / 2 || from_end <= PAGE_KEPT_MOST / 2;
    }
    choose_dropped(page);
}

/* Where the text is: an unusable line's is the line itself. */
static struct slice text_of(const struct chunk *chunk, struct buf *scratch)
{
    return chunk->fate == FATE_INVALID ? chunk_line(chunk, scratch) : chunk_text(chunk, scratch);
}

static void add(struct page *page, const char *markup)
{
    buf_add_string(&page->out, markup);
}

/* The start of the text on one line, up to a whole character. */
static void add_start(struct page *page, struct slice text)
{
    size_t length = text.len < START_BYTES ? text.len : START_BYTES;
    while (length < text.len && length > 0 && ((unsigned char)text.at[length] & 0xc0) == 0x80) {
        length--;
    }
    for (size_t i = 0; i < length; i++) {
        char c = text.at[i];
        buf_add_byte(&page->raw, c == '\n' || c == '\r' || c == '\t' ? ' ' : c);
    }
    page_add_raw(page, &page->out);
}

/* What is seen of a closed chunk: number, id, score, tokens, and why or how it begins. */
static void add_summary(struct page *page, const struct chunk *chunk)
{
    bool kept = chunk->fate == FATE_KEPT;
    size_t number = kept ? chunk->position : chunk->rank;
    add(page, "<summary><span class=\"n\">");
    if (number > 0) {
        buf_add_format(&page->out, "<span class=\"vh\">%s </span>%zu", kept ? "position" : "rank",
                       number);
    } else {
        add(page, "-");
    }
    buf_add_format(&page->out, "</span><i class=\"d d%u\"></i><bdi class=\"id\">",
                   kept ? page_shade(page, chunk) : 0);
    page_add_name(page, &page->out, chunk);
    add(page, "</bdi><span class=\"score\">");
    if (chunk->scored) {
        add(page, "<span class=\"vh\">score </span>");
        markup_add(&page->out, chunk_score(chunk));
    }
    add(page, "</span><span class=\"tokens\">");
    if (chunk->rank > 0) {
        buf_add_format(&page->out, "%zu tokens", chunk->tokens);
    }
    add(page, "</span><span class=\"start\" dir=\"auto\">");
    if (!kept) {
        fate_describe(&page->raw, page->chunks, chunk);
        page_add_raw(page, &page->out);
    } else {
        add_start(page, text_of(chunk, &page->scratch));
    }
    add(page, "</span></summary>\n");
}

static void open_fact(struct page *page, const char *name)
{
    buf_add_format(&page->out, "<div><dt>%s</dt><dd>", name);
}

static void close_fact(struct page *page)
{
    add(page, "</dd></div>\n");
}

/* A fact of what is in page->raw, or none. */
static void add_fact(struct page *page, const char *name)
{
    if (page->raw.len > 0) {
        open_fact(page, name);
        page_add_raw(page, &page->out);
        close_fact(page);
    }
}

static void add_number(struct page *page, const char *name, size_t number)
{
    if (number > 0) {
        buf_add_format(&page->raw, "%zu", number);
        add_fact(page, name);
    }
}

/* Another chunk: a link where the page tells of it. */
static void add_reference(struct page *page, const struct chunk *chunk)
{
    bool told = page->told[page_index(page, chunk)];
    if (told) {
        buf_add_format(&page->out, "<a href=\"#c%zu\">", page_index(page, chunk));
    }
    add(page, "<bdi>");
    page_add_name(page, &page->out, chunk);
    add(page, told ? "</bdi></a>" : "</bdi>");
}

/* The near-duplicates that were dropped for it. */
static void add_beaten(struct page *page, const struct chunk *chunk)
{
    size_t count = 0;
    for (size_t at = page->beaten[page_index(page, chunk)]; at > 0; count++) {
        if (count == 0) {
            open_fact(page, "Stands for");
        }
        if (count == BEATEN_MOST) {
            add(page, " and more");
            break;
        }
        add(page, count > 0 ? ", " : "");
        add_reference(page, &page->chunks->all[at - 1]);
        at = page->beaten_next[at - 1];
    }
    if (count > 0) {
        close_fact(page);
    }
}

/* What the summary does not say. */
static void add_facts(struct page *page, const struct chunk *chunk)
{
    const struct chunk_details *details = details_of(chunk);
    add(page, "<dl class=\"facts\">\n");
    fate_add_place(&page->raw, page->chunks, chunk);
    add_fact(page, "Line");
    if (chunk->fate == FATE_KEPT) {
        add_number(page, "Rank", chunk->rank);
        fate_describe(&page->raw, page->chunks, chunk);
        page->raw.len = slice_equal(buf_slice(&page->raw), slice_of("kept")) ? 0 : page->raw.len;
        add_fact(page, "Fate");
    }
    header_add(&page->raw, &page->prompt->header, chunk);
    add_fact(page, "Header");
    if (page->prompt->preamble.depth > 0) {
        value_add_text(&page->raw, chunk_member(chunk, &page->prompt->preamble));
        add_fact(page, "Preamble");
    }
    if ((fate_evidence(chunk->fate) & EVIDENCE_SURVIVOR) != 0) {
        open_fact(page, "Lost to");
        add_reference(page, details->survivor);
        close_fact(page);
    }
    if (details->joined != NULL) {
        open_fact(page, "Goes on from");
        add_reference(page, details->joined);
        close_fact(page);
    }
    add_number(page, "Said before", chunk->fate == FATE_KEPT ? details->overlap_points : 0);
    add_beaten(page, chunk);
    add(page, "</dl>\n");
}

/* A kept text, with what was said before and what is cut off told apart. */
static void add_kept_text(struct page *page, const struct chunk *chunk)
{
    const struct chunk_details *details = details_of(chunk);
    struct slice text = chunk_text(chunk, &page->scratch);
    size_t end =
        details->truncated > 0 && details->truncated < text.len ? details->truncated : text.len;
    size_t said = page->output->stitched && details->overlap < end ? details->overlap : 0;
    said = page->output->stitched && details->overlap >= end ? end : said;
    if (said > 0) {
        add(page, "<p class=\"note\">What is dotted was said before and is not printed "
                  "again.</p>\n");
    }
    if (end < text.len) {
        add(page, "<p class=\"note\">What is struck out was cut to fit.</p>\n");
    }
    add(page, "<div class=\"text\" dir=\"auto\">");
    if (said > 0) {
        add(page, "<span class=\"said\">");
        markup_add(&page->out, (struct slice){text.at, said});
        add(page, "</span>");
    }
    markup_add(&page->out, (struct slice){text.at + said, end - said});
    if (end < text.len) {
        add(page, "<del>");
        markup_add(&page->out, slice_from(text, end));
        add(page, "</del>");
    }
    add(page, "</div>\n");
}

/* The text as UTF-8, which comparing needs. */
static struct slice repaired(struct buf *out, struct slice text)
{
    out->len = 0;
    utf8_add_repaired(out, text);
    return buf_slice(out);
}

static void add_marked(struct page *page, const char *name, struct slice text, struct slice other)
{
    size_t shared;
    page->lacking.count = 0;
    dedup_difference(text, other, &page->lacking, &shared);
    buf_add_format(&page->out, "<div class=\"%s\" dir=\"auto\">", name);
    markup_add_marked(&page->out, text, page->lacking.at, page->lacking.count);
    add(page, "</div></section>\n");
}

/* A near-duplicate beside what it lost to. */
static void add_pair(struct page *page, const struct chunk *chunk)
{
    const struct chunk_details *details = details_of(chunk);
    struct slice mine = repaired(&page->repaired[0], chunk_text(chunk, &page->scratch));
    struct slice other = repaired(&page->repaired[1], chunk_text(details->survivor, &page->other));
    add(page, "<p class=\"note\">Words that only one of the two has are marked.</p>\n"
              "<div class=\"pair\"><section><h4>This one, dropped</h4>");
    add_marked(page, "text", mine, other);
    add(page, "<section><h4>What it lost to: ");
    add_reference(page, details->survivor);
    add(page, "</h4>");
    add_marked(page, "other", other, mine);
    add(page, "</div>\n");
}

/* The text of a dropped chunk, as long as there is room for it. */
static void add_dropped_text(struct page *page, const struct chunk *chunk)
{
    struct slice text = text_of(chunk, &page->scratch);
    bool is_pair = (fate_evidence(chunk->fate) & EVIDENCE_SIMILARITY) != 0;
    size_t bytes = text.len;
    if (is_pair) {
        bytes += chunk_text(details_of(chunk)->survivor, &page->other).len;
    }
    if (bytes > page->room) {
        add(page, "<p class=\"note\">Its text is left out: the page would become too large. "
                  "<code>--dropped=FILE</code> writes its line.</p>\n");
        return;
    }
    page->room -= bytes;
    if (is_pair) {
        add_pair(page, chunk);
        return;
    }
    add(page, "<div class=\"text\" dir=\"auto\">");
    markup_add(&page->out, text);
    add(page, "</div>\n");
}

static void add_chunk(struct page *page, const struct chunk *chunk)
{
    add(page, "<li><details class=\"chunk\">");
    add_summary(page, chunk);
    buf_add_format(&page->out, "<div class=\"open\" id=\"c%zu\">\n", page_index(page, chunk));
    add_facts(page, chunk);
    if (chunk->fate == FATE_KEPT) {
        add_kept_text(page, chunk);
    } else {
        add_dropped_text(page, chunk);
    }
    add(page, "</div></details></li>\n");
    outfile_take(page->file, &page->out);
}

static void add_question(struct page *page)
{
    if (page->prompt->has_question) {
        add(page, "<li id=\"question\" class=\"question\"><h3>Question</h3>"
                  "<div class=\"asked\" dir=\"auto\">");
        markup_add(&page->out, page->prompt->question);
        add(page, "</div></li>\n");
    }
}

/* A list of chunks being written, in pieces: see begin_item(). */
struct listing {
    size_t most;    /* chunks of the piece that is open */
    size_t written; /* chunks of it so far */
    bool deferred;  /* it stands in a noscript element */
};

static void open_list(struct page *page, struct listing *listing, size_t left)
{
    listing->written = 0;
    if (listing->deferred) {
        listing->most = BATCH_CHUNKS;
        buf_add_format(&page->out,
                       "<p class=\"rest\">A script shows %zu chunks here.</p>\n<noscript>",
                       left < BATCH_CHUNKS ? left : BATCH_CHUNKS);
    }
    add(page, listing->deferred && left >= BATCH_CHUNKS ? "<ol class=\"full\">\n" : "<ol>\n");
}

static void close_list(struct page *page, const struct listing *listing)
{
    add(page, listing->deferred ? "</ol></noscript>\n" : "</ol>\n");
}

/*
 * A browser takes long over thousands of chunks.  Where scripts run, a noscript element is
 * but text for it, and page.js takes one after the other in once the page is there; where
 * they do not, it is read as all the rest.  Before a chunk of a list this begins the next
 * piece where one is due; `left` are the chunks of the list from this one on.
 */
static void begin_item(struct page *page, struct listing *listing, size_t left)
{
    if (listing->written == listing->most) {
        close_list(page, listing);
        listing->deferred = true;
        open_list(page, listing, left);
    }
    listing->written++;
}

void page_add_kept(struct page *page)
{
    const struct chunks *chunks = page->chunks;
    bool is_prompt = prompt_is_wanted(page->prompt);
    buf_add_format(&page->out,
                   "<section class=\"kept\" aria-labelledby=\"h-kept\"><h2 id=\"h-kept\">In the "
                   "%s <span class=\"count\">%zu</span></h2>\n",
                   is_prompt ? "prompt" : "output", chunks->placed_count);
    struct listing listing = {.most = OPEN_MOST};
    size_t left = chunks->placed_count < PAGE_KEPT_MOST ? chunks->placed_count : PAGE_KEPT_MOST;
    bool gap = false;
    open_list(page, &listing, left);
    for (size_t i = 0; i < chunks->placed_count; i++) {
        if (page_tells_of_kept(page, i)) {
            begin_item(page, &listing, left--);
            add_chunk(page, chunks->placed[i]);
        } else if (!gap) {
            gap = true;
            buf_add_format(&page->out,
                           "<li id=\"gap0\" class=\"gap\">%zu chunks in the middle are left out "
                           "here. <code>--report=FILE.json</code> tells of each.</li>\n",
                           chunks->placed_count - PAGE_KEPT_MOST);
        }
    }
    add_question(page);
    close_list(page, &listing);
    add(page, "</section>\n");
}

static void add_fate(struct page *page, enum fate fate, size_t count)
{
    static const char *const meanings[FATES] = {
        [FATE_BELOW_MIN_SCORE] = "worse than --min-score, or without a score",
        [FATE_DUPLICATE] = "too similar to a better one",
        [FATE_BEYOND_PER_GROUP] = "after the best --per-group of its group",
        [FATE_BEYOND_TOP] = "after the best --top",
        [FATE_OVER_BUDGET] = "did not fit",
        [FATE_NOT_RERANKED] = "left out by the reranker's answer",
        [FATE_FUSED] = "its copy in another list was taken",
        [FATE_INVALID] = "unusable: its line is shown as it came",
    };
    page->room = PAGE_DROPPED_TEXT;
    buf_add_format(&page->out,
                   "<details class=\"fate\"%s><summary><h3>%s <span class=\"count\">"
                   "%zu</span></h3><span class=\"note\">%s</span></summary>\n",
                   count <= OPEN_MOST ? " open" : "", fate_name(fate), count,
                   meanings[fate] != NULL ? meanings[fate] : "");
    struct listing listing = {.most = OPEN_MOST, .deferred = count > OPEN_MOST};
    size_t left = count < PAGE_DROPPED_MOST ? count : PAGE_DROPPED_MOST;
    open_list(page, &listing, left);
    for (size_t i = 0; i < page->chunks->count; i++) {
        const struct chunk *chunk = page->order[i];
        if (chunk->fate == fate && page->told[page_index(page, chunk)]) {
            begin_item(page, &listing, left--);
            add_chunk(page, chunk);
        }
    }
    if (count > PAGE_DROPPED_MOST) {
        buf_add_format(&page->out,
                       "<li class=\"gap\">%zu more, after these, are left out here. "
                       "<code>--report=FILE.json</code> tells of each, "
                       "<code>--dropped=FILE</code> writes the lines.</li>\n",
                       count - PAGE_DROPPED_MOST);
    }
    close_list(page, &listing);
    add(page, "</details>\n");
}

void page_add_dropped(struct page *page)
{
    const struct chunks *chunks = page->chunks;
    buf_add_format(&page->out,
                   "<section class=\"dropped\" aria-labelledby=\"h-dropped\">"
                   "<h2 id=\"h-dropped\">Dropped <span class=\"count\">%zu</span></h2>\n",
                   chunks->count - chunks->placed_count);
    for (int fate = FATE_KEPT + 1; fate < FATES; fate++) {
        size_t count = chunks_with_fate(chunks, (enum fate)fate);
        if (count > 0) {
            add_fate(page, (enum fate)fate, count);
        }
    }
    add(page, "</section>\n");
}
