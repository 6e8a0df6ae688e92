/* chunk.c: see chunk.h. */
#include "chunk.h"

#include <stdlib.h>

struct chunk *chunks_add(struct chunks *chunks)
{
    chunks->all = mem_grow(chunks->all, &chunks->capacity, chunks->count + 1, sizeof *chunks->all);
    struct chunk *chunk = &chunks->all[chunks->count++];
    *chunk = (struct chunk){0};
    return chunk;
}

static bool names_equal(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool fields_equal(const struct field_names *a, const struct field_names *b)
{
    return names_equal(a->text, b->text) && names_equal(a->score, b->score) &&
           names_equal(a->id, b->id);
}

void fields_describe(struct buf *out, const struct file *file, const struct chunks *chunks)
{
    const struct field_names *fields = &file->fields;
    bool answered = chunks->answer.name != NULL;
    buf_add_format(out, "text at %s", fields->text);
    if (answered) {
        buf_add_string(out, ", score by the reranker");
    } else if (fields->score != NULL) {
        buf_add_format(out, ", score at %s (%s is better)", fields->score,
                       file->lower_is_better ? "lower" : "higher");
    } else {
        buf_add_string(out, ", no score");
    }
    buf_add_format(out, fields->id != NULL ? ", id at %s" : ", no id", fields->id);
}

size_t chunks_with_fate(const struct chunks *chunks, enum fate fate)
{
    size_t n = 0;
    for (size_t i = 0; i < chunks->count; i++) {
        n += chunks->all[i].fate == fate;
    }
    return n;
}

bool chunks_has_placed(const struct chunks *chunks, const struct chunk *chunk, bool at_edge)
{
    bool edge = chunk->position == 1 || chunk->position == chunks->document_count;
    return chunk->fate == FATE_KEPT && (!at_edge || edge);
}

const char *chunks_no_such_id(const struct chunks *chunks)
{
    for (size_t i = 0; i < chunks->count; i++) {
        if (chunks->all[i].id_length > 0) {
            return "no chunk has this id";
        }
    }
    return "no chunk has an id; --id names the field";
}

size_t chunks_in_document(const struct chunks *chunks, size_t first)
{
    size_t end = first + 1;
    while (end < chunks->placed_count &&
           chunks->placed[end]->position == chunks->placed[first]->position) {
        end++;
    }
    return end - first;
}

const struct chunk **chunks_by_rank(const struct chunks *chunks)
{
    const struct chunk **order = mem_zeroed(chunks->count, sizeof(struct chunk *));
    size_t n = 0;
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        order[n++] = chunks->ranked[i];
    }
    for (size_t i = 0; i < chunks->count; i++) {
        if (chunks->all[i].rank == 0) {
            order[n++] = &chunks->all[i];
        }
    }
    return order;
}

struct cutoff chunks_cutoff(const struct chunks *chunks)
{
    struct cutoff cutoff = {0};
    for (size_t i = 0; i < chunks->ranked_count; i++) {
        const struct chunk *chunk = chunks->ranked[i];
        if (chunk->scored && chunk->fate == FATE_KEPT) {
            cutoff.worst_kept = chunk;
        } else if (chunk->scored && cutoff.best_dropped == NULL && chunk->fate != FATE_DUPLICATE) {
            cutoff.best_dropped = chunk;
        }
    }
    return cutoff;
}

double chunks_goodness(const struct chunks *chunks, const struct chunk *chunk)
{
    const double most = 1e300;
    double value = chunk->value > most ? most : chunk->value < -most ? -most : chunk->value;
    return chunks->lower_is_better ? -value : value;
}

struct score_range chunks_score_range(const struct chunks *chunks)
{
    struct score_range range = {0};
    for (size_t i = 0; i < chunks->placed_count; i++) {
        if (chunks->placed[i]->scored) {
            double good = chunks_goodness(chunks, chunks->placed[i]);
            range.worst = !range.any || good < range.worst ? good : range.worst;
            range.best = !range.any || good > range.best ? good : range.best;
            range.any = true;
        }
    }
    return range;
}

void chunks_free(struct chunks *chunks)
{
    for (size_t i = 0; i < chunks->file_count && !chunks->files_are_lent; i++) {
        free(chunks->files[i].input.bytes);
    }
    free(chunks->files_are_lent ? NULL : chunks->files);
    free(chunks->all);
    free(chunks->ranked);
    free(chunks->placed);
    arena_free(&chunks->arena);
    free(chunks->answer.bytes);
    *chunks = (struct chunks){0};
}

const struct chunk_details *details_of(const struct chunk *chunk)
{
    static const struct chunk_details none = {0};
    return chunk->details != NULL ? chunk->details : &none;
}

struct chunk_details *details_for(struct arena *arena, struct chunk *chunk)
{
    if (chunk->details == NULL) {
        chunk->details = arena_alloc(arena, sizeof *chunk->details);
        *chunk->details = (struct chunk_details){0};
    }
    return chunk->details;
}

void chunk_copy_details(struct arena *arena, struct chunk *chunk)
{
    const struct chunk_details *old = chunk->details;
    if (old != NULL) {
        chunk->details = NULL;
        *details_for(arena, chunk) = *old;
    }
}

void chunk_unjoin(struct chunk *chunk)
{
    if (chunk->details != NULL) {
        chunk->details->joined = NULL;
        chunk->details->overlap = 0;
        chunk->details->overlap_points = 0;
    }
}

/* The string in MongoDB's wrapper of a number, as {"$numberDouble": "0.5"}; else the value. */
static struct slice unwrap_number(struct slice value)
{
    static const char *const keys[] = {"$numberDouble", "$numberInt", "$numberLong",
                                       "$numberDecimal"};
    struct member member = {0};
    struct member another;
    if (value_kind_of(value) != VALUE_OBJECT || !value_next_member(value, &member)) {
        return value;
    }
    another = member;
    bool is_wrapper =
        value_kind_of(member.value) == VALUE_STRING && !value_next_member(value, &another);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && is_wrapper; i++) {
        if (slice_equal(member.key, slice_of(keys[i]))) {
            return member.value;
        }
    }
    return value;
}

bool chunk_set_score(struct chunk *chunk, struct slice value)
{
    value = unwrap_number(value);
    enum value_kind kind = value_kind_of(value);
    chunk->scored = false;
    chunk->score_length = 0;
    chunk->value = 0;
    if (kind == VALUE_ABSENT || kind == VALUE_NULL) {
        return true;
    }
    struct slice number = kind == VALUE_STRING ? value_inside(value) : value;
    if (kind == VALUE_STRING && slice_equal(number, slice_of("NaN"))) {
        return true; /* as Spark and protobuf write it */
    }
    if ((kind != VALUE_NUMBER && kind != VALUE_STRING) || !number_clamped(number, &chunk->value)) {
        return false;
    }
    chunk->score = number.at;
    chunk->score_length = (uint32_t)number.len;
    chunk->scored = true;
    return true;
}

struct slice chunk_text(const struct chunk *chunk, struct buf *scratch)
{
    return value_decode(chunk_escaped_text(chunk), scratch);
}

struct slice chunk_escaped_text(const struct chunk *chunk)
{
    return (struct slice){chunk_object(chunk).at + chunk->text.at, chunk->text.len};
}

struct slice chunk_member(const struct chunk *chunk, const struct path *path)
{
    return value_find(chunk_object(chunk), path);
}

struct slice chunk_member_as_it_came(const struct chunk *chunk, const struct path *path)
{
    struct slice value = chunk_member(chunk, path);
    if (value.at == NULL || !chunk->is_repaired) {
        return value;
    }
    struct slice came = value_find(repair_object(chunk_line_as_it_came(chunk)), path);
    return value_kind_of(came) == value_kind_of(value) ? came : value;
}

struct slice chunk_object(const struct chunk *chunk)
{
    return chunk->is_repaired
               ? (struct slice){chunk->repaired->object, chunk->repaired->object_length}
               : chunk_line_as_it_came(chunk);
}

void chunk_set_object(struct arena *arena, struct chunk *chunk, struct slice object)
{
    const char *line = chunk_line_as_it_came(chunk).at;
    struct repaired *repaired =
        arena_alloc(arena, offsetof(struct repaired, object) + object.len + 1);
    repaired->line = line;
    repaired->object_length = (uint32_t)object.len;
    memcpy(repaired->object, object.at, object.len);
    repaired->object[object.len] = '\n';
    chunk->repaired = repaired;
    chunk->is_repaired = true;
}

struct slice chunk_line_as_it_came(const struct chunk *chunk)
{
    const char *line = chunk->is_repaired ? chunk->repaired->line : chunk->line;
    return (struct slice){line, chunk->length};
}

struct slice chunk_line(const struct chunk *chunk, struct buf *scratch)
{
    if (!chunk->is_rewritten) {
        return chunk_line_as_it_came(chunk);
    }
    scratch->len = 0;
    chunk_add_rewritten(scratch, chunk);
    return buf_slice(scratch);
}

void chunk_add_rewritten(struct buf *out, const struct chunk *chunk)
{
    repair_for_output(out, chunk_line_as_it_came(chunk));
}

struct slice chunk_id(const struct chunk *chunk)
{
    const char *id = chunk->id_length > 0 ? chunk_line_as_it_came(chunk).at + chunk->id_at : NULL;
    return (struct slice){id, chunk->id_length};
}

struct slice chunk_score(const struct chunk *chunk)
{
    return (struct slice){chunk->score, chunk->score_length};
}

struct slice chunk_id_text(const struct chunk *chunk, struct buf *scratch)
{
    return chunk->id_length > 0 ? value_decode(chunk_id(chunk), scratch) : slice_of("");
}

bool chunk_has_number_id(const struct chunk *chunk)
{
    return chunk->id_length > 0 && chunk_id(chunk).at[-1] != '"';
}

bool chunk_has_id(const struct chunk *chunk, struct slice id, struct buf *scratch)
{
    double unused;
    if (chunk->id_length == 0 || slice_equal(chunk_id_text(chunk, scratch), id)) {
        return chunk->id_length > 0;
    }
    return chunk_has_number_id(chunk) && number_json(id, &unused) &&
           number_compare(chunk_id(chunk), id) == 0;
}

void chunk_add_id_key(struct buf *key, const struct chunk *chunk)
{
    struct slice id = chunk_id(chunk);
    if (id.len > 0) {
        bool is_number = chunk_has_number_id(chunk);
        value_add_key(key, is_number ? id : (struct slice){id.at - 1, id.len + 2});
    }
}

/*
 * The text as it stands in the line.  An object that was repaired has a line of other
 * bytes, but the same strings: the text is found again by counting them.
 */
static struct slice written_text(const struct chunk *chunk)
{
    struct slice object = chunk_object(chunk);
    struct slice text = chunk_escaped_text(chunk);
    if (!chunk->is_repaired) {
        return text;
    }
    struct slice line = chunk_line_as_it_came(chunk);
    struct slice string = {0};
    struct slice written = {0};
    do {
        if (!value_next_string(object, &string) || !value_next_string(line, &written)) {
            return text;
        }
    } while (string.at != text.at);
    return written;
}

void chunk_add_text_key(struct buf *key, const struct chunk *chunk)
{
    struct buf scratch = {0};
    struct slice says = chunk_text(chunk, &scratch);
    bool certain = !utf8_has_replacement(says);
    buf_add_byte(key, certain ? 's' : 'w');
    buf_add_slice(key, certain ? says : written_text(chunk));
    buf_free(&scratch);
}
