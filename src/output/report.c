/* report.c: --report: what became of every chunk, as one JSON document. */
#include <math.h>
#include <stdlib.h>

#include "ids.h"
#include "output.h"

/* The score as a number, where there is one that JSON has. */
static json_t *score_of(const struct chunk *chunk)
{
    if (!chunk->scored || !isfinite(chunk->value)) {
        return json_null();
    }
    struct slice written = chunk_score(chunk);
    double whole = chunk->value;
    bool integer = written.len < 16 && memchr(written.at, '.', written.len) == NULL &&
                   memchr(written.at, 'e', written.len) == NULL &&
                   memchr(written.at, 'E', written.len) == NULL;
    return integer ? json_integer((json_int_t)whole) : json_real(whole);
}

static json_t *id_of(const struct chunk *chunk, struct buf *scratch)
{
    return chunk->id_length > 0 ? tree_text(chunk_id_text(chunk, scratch)) : json_null();
}

/* Another chunk: who a duplicate has lost to, or whose text a text goes on from. */
static json_t *place_of(const struct chunks *chunks, const struct chunk *chunk, struct buf *scratch)
{
    json_t *object = json_object();
    tree_set(object, "file", tree_text(slice_of(chunks->files[chunk->file].input.name)));
    tree_set(object, "line", tree_number(chunk->line_number));
    tree_set(object, "id", id_of(chunk, scratch));
    return object;
}

static json_t *chunk_of(const struct chunks *chunks, const struct chunk *chunk, bool stitched,
                        struct buf *scratch)
{
    const struct chunk_details *details = details_of(chunk);
    json_t *object = json_object();
    tree_set(object, "file", tree_text(slice_of(chunks->files[chunk->file].input.name)));
    tree_set(object, "line", tree_number(chunk->line_number));
    tree_set(object, "id", id_of(chunk, scratch));
    tree_set(object, "score", score_of(chunk));
    tree_set(object, "written", chunk->scored ? tree_text(chunk_score(chunk)) : json_null());
    tree_set(object, "rank", tree_limit(chunk->rank));
    tree_set(object, "position", tree_limit(chunk->position));
    tree_set(object, "tokens", chunk->rank > 0 ? tree_number(chunk->tokens) : json_null());
    tree_set(object, "fate", json_string(fate_name(chunk->fate)));
    scratch->len = 0;
    struct buf why = {0};
    fate_describe(&why, chunks, chunk);
    tree_set(object, "why", tree_text(buf_slice(&why)));
    buf_free(&why);
    unsigned evidence = fate_evidence(chunk->fate);
    if ((evidence & EVIDENCE_SURVIVOR) != 0) {
        tree_set(object, "of", place_of(chunks, details->survivor, scratch));
    }
    if ((evidence & EVIDENCE_SIMILARITY) != 0) {
        tree_set(object, "shared", tree_number(details->shared));
        tree_set(object, "united", tree_number(details->united));
    }
    if ((evidence & EVIDENCE_COST) != 0) {
        tree_set(object, "needed", tree_limit(details->needed));
        tree_set(object, "left", tree_number(details->tokens_left));
    }
    if (stitched && chunk->fate == FATE_KEPT) {
        tree_set(object, "overlap", tree_number(details->overlap_points));
        tree_set(object, "joins",
                 details->joined != NULL ? place_of(chunks, details->joined, scratch)
                                         : json_null());
    }
    if (details->truncated > 0) {
        tree_set(object, "cut", tree_number(details->truncated));
    }
    return object;
}

static json_t *totals_of(const struct chunks *chunks, bool stitched)
{
    json_t *dropped = json_object();
    for (int fate = FATE_KEPT + 1; fate < FATES; fate++) {
        tree_set(dropped, fate_name((enum fate)fate),
                 tree_number(chunks_with_fate(chunks, (enum fate)fate)));
    }
    struct cutoff cutoff = chunks_cutoff(chunks);
    json_t *object = json_object();
    tree_set(object, "read", tree_number(chunks->count));
    tree_set(object, "kept", tree_number(chunks->placed_count));
    tree_set(object, "dropped", dropped);
    tree_set(object, "tokens", tree_number(chunks->placed_count > 0 ? chunks->tokens : 0));
    if (stitched) {
        tree_set(object, "documents", tree_number(chunks->document_count));
    }
    tree_set(object, "neutralised", tree_number(chunks->neutralised));
    tree_set(object, "worst_kept_score",
             cutoff.worst_kept != NULL ? score_of(cutoff.worst_kept) : json_null());
    tree_set(object, "best_dropped_score",
             cutoff.best_dropped != NULL ? score_of(cutoff.best_dropped) : json_null());
    return object;
}

/* Where text, score and id are; an object a file where lists have fields of their own. */
static json_t *fields_of(const struct chunks *chunks)
{
    json_t *list = json_array();
    for (size_t i = 0; i < chunks->file_count; i++) {
        const struct file *file = &chunks->files[i];
        json_t *object = json_object();
        tree_set(object, "file", tree_string(file->input.name));
        tree_set(object, "text", tree_string(file->fields.text));
        tree_set(object, "score", tree_string(file->fields.score));
        tree_set(object, "id", tree_string(file->fields.id));
        tree_set(object, "lower_is_better", json_boolean(file->lower_is_better));
        json_array_append_new(list, object);
    }
    return list;
}

/* What was warned of since the last document, whether or not it was printed. */
static json_t *warnings_of(void)
{
    struct buf warnings = {0};
    diag_take_warnings(&warnings);
    json_t *list = json_array();
    for (size_t at = 0; at < warnings.len; at += strlen(warnings.at + at) + 1) {
        json_array_append_new(list, tree_text(slice_of(warnings.at + at)));
    }
    buf_free(&warnings);
    return list;
}

static json_t *required_of(const struct chunks *chunks, const struct output_options *options)
{
    json_t *list = json_array();
    struct ids ids;
    ids_open(&ids, chunks, options->requirement_count);
    for (size_t i = 0; i < options->requirement_count; i++) {
        const struct requirement *required = &options->requirements[i];
        const struct chunk *found = ids_find(&ids, required->id, required->edge);
        bool met = found != NULL && chunks_has_placed(chunks, found, required->edge);
        json_t *object = json_object();
        tree_set(object, "id", tree_string(required->id));
        tree_set(object, "edge", json_boolean(required->edge));
        tree_set(object, "met", json_boolean(met));
        json_array_append_new(list, object);
    }
    ids_free(&ids);
    return list;
}

/* All but the chunks, which come last. */
static json_t *document_of(const struct chunks *chunks, const struct output_options *options,
                           json_t *settings, bool failed)
{
    json_t *document = json_object();
    tree_set(document, "version", tree_string(OUTPUT_VERSION));
    if (chunks->group.at != NULL) {
        tree_set(document, "group", tree_text(chunks->group));
    }
    if (failed) {
        tree_set(document, "error", tree_text(diag_last()));
    }
    tree_set(settings, "lower_is_better", json_boolean(chunks->lower_is_better));
    tree_set(document, "options", settings);
    tree_set(document, "fields", fields_of(chunks));
    tree_set(document, "warnings", warnings_of());
    if (!failed) {
        tree_set(document, "required", required_of(chunks, options));
        tree_set(document, "totals", totals_of(chunks, options->stitched));
    }
    return document;
}

/* How the document is written: on one line, or with one for each value. */
struct style {
    size_t flags;
    const char *chunk; /* before a chunk, and before each of its other lines */
    const char *start; /* of the chunks */
    const char *end;
    const char *close; /* of the document */
};

static const struct style compact = {JSON_COMPACT, "", ",\"chunks\":[", "]", "}"};
static const struct style indented = {JSON_INDENT(1), "\n  ", ",\n \"chunks\": [", "\n ]", "\n}"};

/* Adds the value and gives back its reference; what is on further lines gets `line` before it. */
static void add_json(struct buf *out, json_t *value, size_t flags, const char *line)
{
    char *bytes = json_dumps(value, flags | JSON_REAL_PRECISION(17));
    const char *at = bytes;
    const char *end;
    for (; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        buf_add(out, at, (size_t)(end - at));
        buf_add_string(out, line);
    }
    buf_add_string(out, at);
    free(bytes);
    json_decref(value);
}

/* Each chunk by itself: the trees of all of them would take many times their room. */
static void add_chunks(struct outfile *file, const struct chunks *chunks, bool stitched,
                       const struct style *style)
{
    struct buf scratch = {0};
    struct buf out = {0};
    outfile_add(file, slice_of(style->start));
    for (size_t i = 0; i < chunks->count; i++) {
        buf_add_string(&out, i > 0 ? "," : "");
        buf_add_string(&out, style->chunk);
        add_json(&out, chunk_of(chunks, &chunks->all[i], stitched, &scratch), style->flags,
                 style->chunk);
        outfile_take(file, &out);
    }
    outfile_add(file, slice_of(chunks->count > 0 ? style->end : "]"));
    buf_free(&scratch);
    buf_free(&out);
}

static void add_document(struct outfile *file, const struct chunks *chunks,
                         const struct output_options *options, json_t *settings, bool failed,
                         const struct style *style)
{
    struct buf out = {0};
    add_json(&out, document_of(chunks, options, settings, failed), style->flags, "\n");
    if (!failed) {
        out.len -= strlen(style->close);
        outfile_take(file, &out);
        add_chunks(file, chunks, options->stitched, style);
        buf_add_string(&out, style->close);
    }
    buf_add_byte(&out, '\n');
    outfile_take(file, &out);
    buf_free(&out);
}

void report_add_line(struct outfile *file, const struct chunks *chunks,
                     const struct output_options *options, json_t *settings, int status)
{
    add_document(file, chunks, options, settings, status >= STATUS_USAGE, &compact);
}

int report(struct chunks *chunks, const struct output_options *options, json_t *settings,
           int status)
{
    struct outfile *file = outfile_open(options->report, OUTFILE_AT_ONCE);
    add_document(file, chunks, options, settings, status >= STATUS_USAGE, &indented);
    return outfile_commit(file);
}
