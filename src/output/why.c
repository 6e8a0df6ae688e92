/* why.c: --why: the story of one chunk, in sentences. */
#include <inttypes.h>
#include <stdlib.h>

#include "findings.h"
#include "ids.h"
#include "nearest.h"
#include "output.h"

/* Words that only one of two texts has: so many places, and so much around each, in bytes. */
#define MOST_PLACES 8
#define AROUND 24

/* Chunks of one id that are told of: each costs a look at all the others. */
#define MOST_STORIES 24

/* One story being told. */
struct story {
    const struct chunks *chunks;
    const struct why_options *options;
    const struct findings *findings;
    const struct chunk *chunk;
    struct terminal terminal;
    struct buf line; /* not yet escaped */
    struct buf scratch;
    struct buf out;
};

/* Ends the line; on a terminal what is longer goes on below, two columns further in. */
static void end_line(struct story *story)
{
    enum { INDENT_MOST = 4 };
    const struct buf *line = &story->line;
    size_t indent = 0;
    while (indent < INDENT_MOST && indent < line->len && line->at[indent] == ' ') {
        indent++;
    }
    story->scratch.len = 0;
    diag_escape(&story->scratch, buf_slice(line));
    terminal_add_wrapped(&story->out, buf_slice(&story->scratch), story->terminal.width,
                         indent + 2);
    story->line.len = 0;
}

/* "doc-9 (chunks.ndjson:4)", or the place alone. */
static void add_name(struct story *story, const struct chunk *chunk)
{
    if (chunk->id_length > 0) {
        buf_add_slice(&story->line, chunk_id_text(chunk, &story->scratch));
        buf_add_string(&story->line, " (");
    }
    fate_add_place(&story->line, story->chunks, chunk);
    buf_add_string(&story->line, chunk->id_length > 0 ? ")" : "");
}

static void add_rank(struct story *story)
{
    const struct chunk *chunk = story->chunk;
    struct buf *line = &story->line;
    if (chunk->rank == 0) {
        buf_add_string(line, chunk->scored ? "  Its score is " : "  It has no score");
        buf_add_slice(line, chunk->scored ? chunk_score(chunk) : slice_of(""));
        buf_add_string(line, "; it was dropped before the ranking.");
        end_line(story);
        return;
    }
    buf_add_format(line, "  It is ranked %zu of %zu, ", chunk->rank, story->chunks->ranked_count);
    buf_add_string(line, chunk->scored ? "with score " : "without a score");
    buf_add_slice(line, chunk->scored ? chunk_score(chunk) : slice_of(""));
    if (chunk->rank == 1) {
        buf_add_string(line, "; none is better.");
    } else {
        buf_add_format(line, "; %zu %s better.", chunk->rank - 1, chunk->rank == 2 ? "is" : "are");
    }
    end_line(story);
}

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static bool is_inside(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Some bytes before the span, from a word's start where one is near. */
static size_t start_before(struct slice text, size_t from)
{
    size_t start = from > AROUND ? from - AROUND : 0;
    while (start > 0 && start < from && is_inside(text.at[start])) {
        start++;
    }
    for (size_t i = start; start > 0 && i < from; i++) {
        if (is_space(text.at[i - 1])) {
            return i;
        }
    }
    return start;
}

/* Some bytes after it, up to a word's end where one is near. */
static size_t end_after(struct slice text, size_t to)
{
    size_t end = text.len - to > AROUND ? to + AROUND : text.len;
    while (end < text.len && end > to && is_inside(text.at[end])) {
        end--;
    }
    for (size_t i = end; end < text.len && i > to; i--) {
        if (is_space(text.at[i])) {
            return i;
        }
    }
    return end;
}

/* The span with what stands around it, in brackets. */
static void add_span(struct story *story, struct slice text, struct text_span span)
{
    struct buf *line = &story->line;
    size_t from = start_before(text, span.from);
    size_t to = end_after(text, span.to);
    size_t shown = span.to - span.from < 4 * AROUND ? span.to : span.from + 4 * AROUND;
    while (shown < span.to && is_inside(text.at[shown])) {
        shown++;
    }
    buf_add_string(line, from > 0 ? "    ... " : "    ");
    buf_add(line, text.at + from, span.from - from);
    buf_add_byte(line, '[');
    buf_add(line, text.at + span.from, shown - span.from);
    buf_add_string(line, shown < span.to ? " ...]" : "]");
    buf_add(line, text.at + span.to, to - span.to);
    buf_add_string(line, to < text.len ? " ..." : "");
    for (size_t i = 0; i < line->len; i++) {
        line->at[i] = is_space(line->at[i]) ? ' ' : line->at[i]; /* of a line end that is enough */
    }
    end_line(story);
}

/* Where one of two texts has words that the other has not. */
static void add_own_words(struct story *story, const struct chunk *chunk, struct slice text,
                          struct slice other)
{
    struct text_spans spans = {0};
    size_t shared;
    dedup_difference(text, other, &spans, &shared);
    buf_add_string(&story->line, "  Words that only ");
    if (chunk->id_length > 0) {
        buf_add_slice(&story->line, chunk_id_text(chunk, &story->scratch));
    } else {
        fate_add_place(&story->line, story->chunks, chunk);
    }
    buf_add_string(&story->line, spans.count > 0 ? " has:" : " has: none.");
    end_line(story);
    for (size_t i = 0; i < spans.count && i < MOST_PLACES; i++) {
        add_span(story, text, spans.at[i]);
    }
    if (spans.count > MOST_PLACES) {
        buf_add_format(&story->line, "    and at %zu places more", spans.count - MOST_PLACES);
        end_line(story);
    }
    free(spans.at);
}

static void add_survivor(struct story *story)
{
    const struct chunk *survivor = details_of(story->chunk)->survivor;
    struct buf *line = &story->line;
    if (survivor->fate == FATE_KEPT) {
        buf_add_format(line, ", which is at position %zu", survivor->position);
    } else {
        buf_add_string(line, ", which is not in the output either: ");
        fate_describe(line, story->chunks, survivor);
    }
}

static void add_duplicate(struct story *story)
{
    const struct chunk *chunk = story->chunk;
    const struct chunk_details *details = details_of(chunk);
    const struct fraction *threshold = &story->options->dedup->threshold;
    struct buf *line = &story->line;
    buf_add_string(line, "  It repeats ");
    add_name(story, details->survivor);
    buf_add_format(line, ", rank %zu", details->survivor->rank);
    add_survivor(story);
    buf_add_byte(line, '.');
    end_line(story);
    if (details->united == 0) {
        buf_add_string(line, "  Neither has a word; they are the same text.");
        end_line(story);
        return;
    }
    bool contained = story->options->dedup->similarity == SIMILARITY_CONTAINMENT;
    const char *terms = story->chunks->limits.shingles ? "runs of words" : "words";
    buf_add_format(line,
                   "  Of the %" PRIu32 " %s that %s, %" PRIu32
                   " are in both: %.4g, and --dedup drops from ",
                   details->united, terms, contained ? "it has" : "either has", details->shared,
                   (double)details->shared / (double)details->united);
    buf_add_format(line, "%.9g on.", (double)threshold->num / (double)threshold->den);
    end_line(story);
    struct buf other = {0};
    struct buf own = {0};
    struct slice text = chunk_text(chunk, &own);
    struct slice kept = chunk_text(details->survivor, &other);
    add_own_words(story, chunk, text, kept);
    add_own_words(story, details->survivor, kept, text);
    buf_free(&own);
    buf_free(&other);
}

static void add_budget(struct story *story)
{
    const struct why_options *options = story->options;
    const struct findings *findings = story->findings;
    const struct chunk *chunk = story->chunk;
    const struct chunk_details *details = details_of(chunk);
    struct buf *line = &story->line;
    if (story->chunks->frame_over) {
        buf_add_string(line, "  The prompt is over the budget without any chunk.");
    } else if (story->chunks->pins_over) {
        buf_add_string(line, "  What is pinned does not fit, and so nothing does.");
    } else if (details->needed > 0) {
        buf_add_format(line, "  It would add %zu tokens; %zu %s left of --budget %zu.",
                       details->needed, details->tokens_left,
                       details->tokens_left == 1 ? "was" : "were", options->budget->budget);
    } else {
        buf_add_format(line, "  Its text takes %zu tokens; %zu %s left of --budget %zu, and ",
                       chunk->tokens, details->tokens_left,
                       details->tokens_left == 1 ? "was" : "were", options->budget->budget);
        buf_add_format(line, "--fit=%s stops at the first that does not fit: ",
                       choice_name(&fit_choices, options->budget->fit));
        add_name(story, findings->first_misfit);
        bool was_cut = details_of(findings->first_misfit)->truncated > 0;
        buf_add_format(line, ", rank %zu%s.", findings->first_misfit->rank,
                       was_cut ? ", which was cut to fit" : "");
    }
    end_line(story);
    const struct held_chunk *held = &findings_of(findings, chunk)->held;
    if (held->budget > 0) {
        buf_add_format(line, "  %s budget that holds it: --budget=%zu.",
                       held->is_least ? "The least" : "A", held->budget);
    } else {
        buf_add_string(line, "  No larger budget was found that holds it.");
    }
    end_line(story);
}

/* What would let it in, as far as this reason goes. */
static void add_remedy(struct story *story)
{
    struct buf *line = &story->line;
    const struct chunk *chunk = story->chunk;
    switch (chunk->fate) {
    case FATE_BEYOND_TOP:
        buf_add_format(line, "  --top=%zu would let it in",
                       findings_place_in_line(story->findings, chunk, false));
        break;
    case FATE_BEYOND_PER_GROUP:
        buf_add_format(line, "  --per-group=%zu would let it in",
                       findings_place_in_line(story->findings, chunk, true));
        break;
    case FATE_BELOW_MIN_SCORE:
        buf_add_string(line, chunk->scored ? "  --min-score=" : "  Without --min-score it would");
        buf_add_slice(line, chunk->scored ? chunk_score(chunk) : slice_of(""));
        buf_add_string(line, chunk->scored ? " would let it in" : " be let in");
        break;
    case FATE_NOT_RERANKED:
        buf_add_string(line, "  --rescore-rest=keep would let it in");
        break;
    default:
        return;
    }
    buf_add_string(line, ", as far as what comes after that does.");
    end_line(story);
}

/* What share of its text other kept chunks say. */
static void add_repeats(struct story *story)
{
    const struct finding *finding = findings_of(story->findings, story->chunk);
    const struct own_share *share = &finding->share;
    struct buf *line = &story->line;
    if (share->distinct == 0) {
        return;
    }
    buf_add_format(line, "  Of its %zu words, %zu percent stand in other kept chunks",
                   share->distinct, share->met * 100 / share->distinct);
    if (finding->nearest != NULL) {
        buf_add_format(line, ", %zu percent in ", share->shared * 100 / share->distinct);
        add_name(story, finding->nearest);
    }
    buf_add_byte(line, '.');
    end_line(story);
}

static void add_kept(struct story *story)
{
    const struct chunks *chunks = story->chunks;
    const struct chunk *chunk = story->chunk;
    struct buf *line = &story->line;
    size_t at = story->findings->placed_at[chunk - chunks->all];
    buf_add_format(line, "  It takes %zu tokens", chunk->tokens);
    if (at > 0) {
        buf_add_string(line, "; before it stands ");
        add_name(story, chunks->placed[at - 1]);
    }
    if (at + 1 < chunks->placed_count) {
        buf_add_string(line, "; after it stands ");
        add_name(story, chunks->placed[at + 1]);
    }
    buf_add_byte(line, '.');
    end_line(story);
    add_repeats(story);
}

static void tell(struct story *story)
{
    const struct chunks *chunks = story->chunks;
    const struct chunk *chunk = story->chunk;
    struct buf *line = &story->line;
    add_name(story, chunk);
    if (chunk->fate == FATE_KEPT) {
        buf_add_format(line, " is in the output, at position %zu of %zu", chunk->position,
                       chunks->document_count);
    } else {
        buf_add_string(line, " is not in the output");
    }
    if (chunk->fate != FATE_KEPT || fate_has_more(chunk)) {
        buf_add_string(line, ": ");
        fate_describe(line, chunks, chunk);
    }
    buf_add_byte(line, '.');
    end_line(story);
    add_rank(story);
    if (chunk->fate == FATE_KEPT) {
        add_kept(story);
    } else if (chunk->fate == FATE_DUPLICATE) {
        add_duplicate(story);
    } else if (chunk->fate == FATE_OVER_BUDGET) {
        add_budget(story);
    } else {
        add_remedy(story);
    }
}

/* Says of an id that no chunk has what may have been meant. */
static void suggest(struct story *story, struct nearest *nearest, const char *id)
{
    const struct chunk *found[NEAREST];
    size_t count = nearest_find(nearest, id, found);
    struct buf *line = &story->line;
    buf_add_format(line, "%s: %s", id, chunks_no_such_id(story->chunks));
    for (size_t i = 0; i < count; i++) {
        buf_add_string(line, i == 0 ? "; the nearest: " : ", ");
        buf_add_slice(line, chunk_id_text(found[i], &story->scratch));
    }
    if (count == 0 && story->chunks->count > 0) {
        buf_add_string(line, "; without, a chunk is called by its place, like ");
        fate_add_place(line, story->chunks, &story->chunks->all[0]);
    }
    end_line(story);
}

static int by_rank(const void *left, const void *right)
{
    const struct chunk *a = *(const struct chunk *const *)left;
    const struct chunk *b = *(const struct chunk *const *)right;
    if (a->rank != b->rank) {
        return b->rank == 0 || (a->rank > 0 && a->rank < b->rank) ? -1 : 1;
    }
    return a < b ? -1 : 1;
}

/* Chunks that are called by one name, the best of them first, and how many there are. */
struct named {
    const struct chunk **chunks; /* those whose stories are told */
    size_t count;
    size_t capacity;
};

static void add_named(struct named *named, const struct chunk *chunk)
{
    named->chunks =
        mem_grow(named->chunks, &named->capacity, named->count + 1, sizeof *named->chunks);
    named->chunks[named->count++] = chunk;
}

static size_t told_of(const struct named *named)
{
    return named->count < MOST_STORIES ? named->count : MOST_STORIES;
}

/*
 * Those that have it as their id; else the one that -v calls so, for want of an id.  By
 * rank, then those without one as they came.
 */
static struct named find_named(struct ids *ids, const char *name)
{
    struct named named = {0};
    const struct chunk *chunk;
    struct id_search search = ids_search(ids, name);
    while ((chunk = ids_next(ids, &search)) != NULL) {
        add_named(&named, chunk);
    }
    chunk = named.count == 0 ? ids_at_place(ids, name) : NULL;
    if (chunk != NULL) {
        add_named(&named, chunk);
    }
    if (named.count > 0) {
        qsort(named.chunks, named.count, sizeof *named.chunks, by_rank);
        named.chunks = mem_realloc(named.chunks, told_of(&named) * sizeof *named.chunks);
    }
    return named;
}

/* Finds who is called by each name, and what their stories need. */
static struct named *find_all(struct findings *findings, const struct why_options *options)
{
    size_t count = options->output->why_count;
    struct named *all = mem_zeroed(count, sizeof *all);
    struct ids ids;
    ids_open(&ids, findings->chunks, count);
    for (size_t i = 0; i < count; i++) {
        all[i] = find_named(&ids, options->output->why[i]);
        for (size_t k = 0; k < told_of(&all[i]); k++) {
            findings_name(findings, all[i].chunks[k]);
        }
    }
    ids_free(&ids);
    findings_find(findings, options);
    return all;
}

/* Tells of all chunks called so, each group of --each under its name. */
static void tell_all(struct story *story, const struct named *named, const char *name)
{
    if (named->count > 0 && story->chunks->group.at != NULL && story->out.len == 0) {
        buf_add_string(&story->line, "group ");
        buf_add_slice(&story->line, story->chunks->group);
        end_line(story);
    }
    for (size_t i = 0; i < told_of(named); i++) {
        story->chunk = named->chunks[i];
        tell(story);
    }
    if (named->count > MOST_STORIES) {
        buf_add_format(&story->line, "%s: %zu chunks more have this id", name,
                       named->count - MOST_STORIES);
        end_line(story);
    }
}

static int end_stories(struct story *story)
{
    int status = story->out.len > 0 ? diag_write(buf_slice(&story->out)) : STATUS_OK;
    buf_free(&story->line);
    buf_free(&story->scratch);
    buf_free(&story->out);
    return status;
}

int why(struct chunks *chunks, const struct why_options *options, bool *told)
{
    struct findings findings;
    findings_open(&findings, chunks);
    struct named *all = find_all(&findings, options);
    struct story story = {
        .chunks = chunks, .options = options, .findings = &findings, .terminal = terminal_open()};
    struct nearest *nearest = NULL;
    for (size_t i = 0; i < options->output->why_count; i++) {
        const char *name = options->output->why[i];
        tell_all(&story, &all[i], name);
        if (told != NULL) {
            told[i] |= all[i].count > 0;
        } else if (all[i].count == 0) {
            nearest = nearest != NULL ? nearest : nearest_new(chunks);
            suggest(&story, nearest, name);
        }
        free(all[i].chunks);
    }
    nearest_free(nearest);
    free(all);
    findings_free(&findings);
    return end_stories(&story);
}

int why_untold(const struct output_options *options, const bool *told, size_t groups)
{
    struct story story = {.terminal = terminal_open()};
    for (size_t i = 0; i < options->why_count; i++) {
        if (!told[i]) {
            buf_add_format(&story.line, "%s: no chunk of the %zu groups has this id",
                           options->why[i], groups);
            end_line(&story);
        }
    }
    return end_stories(&story);
}
