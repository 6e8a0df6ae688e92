/* stream.c: --each: group after group, as soon as it is there. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advice.h"
#include "reader.h"

/* Where a group had its last line, or element. */
struct ended {
    uint32_t file;
    size_t line; /* from 1, as those of its chunks; 0: the group has not begun */
};

/* Bytes of a group's name that a message shows. */
enum { STREAM_SHOWN = 60 };

struct stream {
    const struct read_options *options;
    struct reader reader;
    struct chunks *chunks; /* the group that is being read */
    struct file *files;    /* what is said of each */
    size_t known_fields;   /* how much of that: nothing, all but the id, all */
    size_t file_at;        /* index of the operand that is being read */
    struct lines lines;
    struct document document; /* with --items, in place of lines */
    struct input input;       /* its bytes; null where none is open */
    struct buf key;           /* of the group, as ids are told apart */
    struct buf name;          /* and as it is written */
    struct buf question;
    bool has_question;
    bool may_ask_again;    /* the question is that of an unusable line */
    const char *last_file; /* the group's last line, for messages */
    size_t last_line;
    bool has_chunk;   /* a line of the group is no unusable one */
    struct buf other; /* a line's key */
    struct buf scratch;
    struct interner seen; /* keys of groups */
    uint32_t number;      /* of the group that is being read, among these */
    struct ended *ended;  /* by their number */
    size_t ended_capacity;
};

struct stream *stream_new(const struct read_options *options)
{
    struct stream *stream = mem_zeroed(1, sizeof *stream);
    stream->options = options;
    reader_open(&stream->reader, NULL, options);
    stream->reader.one_query = false;
    /* A line on the terminal would run into what is printed there. */
    progress_open(&stream->reader.progress, !options->no_progress && !isatty(STDOUT_FILENO));
    reader_greet(options);
    return stream;
}

void stream_free(struct stream *stream)
{
    progress_close(&stream->reader.progress);
    lines_free(&stream->lines);
    free(stream->input.bytes);
    reader_close(&stream->reader);
    buf_free(&stream->key);
    buf_free(&stream->name);
    buf_free(&stream->question);
    buf_free(&stream->other);
    buf_free(&stream->scratch);
    interner_free(&stream->seen);
    free(stream->ended);
    free(stream->files);
    free(stream);
}

/* The file as one document, which is there until it is closed. */
static int open_document(struct stream *stream, const char *operand)
{
    struct reader *reader = &stream->reader;
    int status = input_load(&stream->input, operand, true, &reader->progress);
    return status == STATUS_OK ? document_open(&stream->document, &reader->checker, &stream->input,
                                               &stream->options->items)
                               : status;
}

static int open_file(struct stream *stream)
{
    struct reader *reader = &stream->reader;
    const char *operand = stream->options->files[stream->file_at];
    bool is_document = stream->options->has_items;
    int status = is_document ? open_document(stream, operand)
                             : lines_open(&stream->lines, operand, &reader->progress);
    reader->file = is_document ? stream->input.name : stream->lines.name;
    reader->file_index = (uint32_t)stream->file_at;
    return status;
}

static bool is_open(const struct stream *stream)
{
    return stream->lines.is_open || stream->input.bytes != NULL;
}

static void close_file(struct stream *stream)
{
    lines_close(&stream->lines);
    free(stream->input.bytes);
    stream->input.bytes = NULL;
}

/* The line without its line end, in the group's memory, with a line feed after it. */
static struct slice keep_line(struct stream *stream, struct slice line)
{
    bool ends = line.len > 0 && line.at[line.len - 1] == '\n';
    line.len -= ends;
    if (ends && line.len > 0 && line.at[line.len - 1] == '\r') {
        line.len--;
    }
    if (!stream->lines.any_taken) {
        line = slice_from(line, utf8_byte_order_mark(line));
    }
    char *copy = arena_alloc(&stream->chunks->arena, line.len + 1);
    memcpy(copy, line.at, line.len);
    copy[line.len] = '\n';
    stream->reader.cut_short = !ends;
    return (struct slice){copy, line.len};
}

/* The value at --each in the form in which ids are told apart, in stream->other. */
static bool find_key(struct stream *stream, const struct chunk *chunk)
{
    stream->other.len = 0;
    return value_add_key(&stream->other, chunk_member_as_it_came(chunk, &stream->options->each));
}

/* The number of the key in stream->other, among those of all groups. */
static uint32_t number_of_key(struct stream *stream)
{
    size_t known = stream->seen.count;
    uint32_t number = intern_bytes(&stream->seen, buf_slice(&stream->other));
    if (number == known) {
        stream->ended =
            mem_grow(stream->ended, &stream->ended_capacity, known + 1, sizeof *stream->ended);
        stream->ended[number] = (struct ended){0};
    }
    return number;
}

/* What messages call the group that is being read. */
static struct slice shown_name(const struct stream *stream)
{
    return utf8_start(buf_slice(&stream->name), STREAM_SHOWN);
}

/* That a group has begun before, and where it was left. */
static int report_return(struct stream *stream, const struct chunk *chunk)
{
    const struct read_options *options = stream->options;
    const struct ended *ended = &stream->ended[stream->number];
    const char *file = options->files[ended->file];
    struct buf place = {0};
    struct buf sorts = {0};
    file = strcmp(file, "-") == 0 ? "<stdin>" : file;
    if (options->has_items) {
        struct arena *names = &stream->reader.names;
        buf_add_string(&place,
                       document_element_name(names, file, &options->items, ended->line - 1));
        buf_add_string(&sorts, ", as jq '");
        if (options->items.depth > 0) {
            advice_add_filter(&sorts, stream->document.whole, &options->items);
            buf_add_string(&sorts, " |= ");
        }
        buf_add_string(&sorts, "sort_by(");
        advice_add_filter(&sorts, chunk_object(chunk), &options->each);
        buf_add_string(&sorts, ")' does");
    } else {
        buf_add_format(&place, "%s:%zu", file, ended->line);
    }
    struct slice name = shown_name(stream);
    int status =
        diag_input(stream->reader.file, stream->reader.line_number, 0,
                   "'%.*s' at '%s' comes back, but was left behind at %.*s: sort by it first%.*s",
                   (int)name.len, name.at, options->each.written, (int)place.len, place.at,
                   (int)sorts.len, sorts.len > 0 ? sorts.at : "");
    buf_free(&place);
    buf_free(&sorts);
    return status;
}

static int begin_group(struct stream *stream, const struct chunk *chunk)
{
    struct slice value = chunk_member_as_it_came(chunk, &stream->options->each);
    stream->key.len = 0;
    buf_add_slice(&stream->key, buf_slice(&stream->other));
    stream->name.len = 0;
    if (value_kind_of(value) == VALUE_STRING) {
        value = value_decode(value_inside(value), &stream->scratch);
    }
    buf_add_slice(&stream->name, value);
    stream->number = number_of_key(stream);
    return stream->ended[stream->number].line > 0 ? report_return(stream, chunk) : STATUS_OK;
}

/* Whether nothing of the line counts, but that it was there. */
static bool is_passed_over(const struct chunk *chunk)
{
    return chunk->fate == FATE_INVALID && !chunk->is_empty;
}

static int report_question(struct stream *stream)
{
    struct slice name = shown_name(stream);
    return diag_input(stream->reader.file, stream->reader.line_number, 0,
                      "another question at '%s' than before in the group '%.*s'",
                      stream->options->question.written, (int)name.len, name.at);
}

/*
 * The question is that of the group's first line which has one; another is an error.
 * That of an unusable line is better than none.
 */
static int take_question(struct stream *stream, const struct chunk *chunk)
{
    const struct path *path = &stream->options->question;
    if (path->depth == 0) {
        return STATUS_OK;
    }
    struct slice value = chunk_member(chunk, path);
    enum value_kind kind = value_kind_of(value);
    bool counts = !is_passed_over(chunk);
    if (kind == VALUE_ABSENT || kind == VALUE_NULL ||
        (!counts && (kind != VALUE_STRING || stream->has_question))) {
        return STATUS_OK;
    }
    if (kind != VALUE_STRING) {
        return diag_input(stream->reader.file, stream->reader.line_number, 0,
                          "the question at '%s' is not a string", path->written);
    }
    struct slice says = value_decode(value_inside(value), &stream->scratch);
    if (utf8_is_blank(says)) {
        return STATUS_OK;
    }
    if (!stream->has_question || stream->may_ask_again) {
        stream->question.len = 0;
        buf_add_slice(&stream->question, says);
        stream->has_question = true;
        stream->may_ask_again = !counts;
        return STATUS_OK;
    }
    return slice_equal(says, buf_slice(&stream->question)) ? STATUS_OK : report_question(stream);
}

/*
 * Whether the line is the first of the next group: one that is passed over is too, so that
 * no group is lost, but where its group has ended it stays here, for it cannot come back.
 */
static bool is_of_next(struct stream *stream, const struct chunk *chunk)
{
    if (stream->key.len == 0 || !chunk->is_object || !find_key(stream, chunk) ||
        slice_equal(buf_slice(&stream->key), buf_slice(&stream->other))) {
        return false;
    }
    return !stream->options->skip_invalid || !is_passed_over(chunk) ||
           stream->ended[number_of_key(stream)].line == 0;
}

static int refuse_without_key(struct stream *stream, struct chunk *chunk,
                              const struct tally *before)
{
    struct reader *reader = &stream->reader;
    size_t held = diag_hold();
    diag_input(reader->file, reader->line_number, 0,
               "no string or number at '%s', which --each names", stream->options->each.written);
    reader_uncount(reader, before);
    return reader_pass_over(reader, chunk, "no value that --each names", held);
}

/*
 * Puts the chunk of a line into the group, which it begins where there is none yet; before
 * is what was counted of the lines before it.
 */
static int put_in_group(struct stream *stream, struct chunk *chunk, const struct tally *before)
{
    bool has_key = chunk->is_object && find_key(stream, chunk);
    if (!has_key) {
        return is_passed_over(chunk) ? STATUS_OK : refuse_without_key(stream, chunk, before);
    }
    int status = stream->key.len == 0 ? begin_group(stream, chunk) : STATUS_OK;
    stream->has_chunk |= !is_passed_over(chunk);
    return status == STATUS_OK ? take_question(stream, chunk) : status;
}

/* A line, or an element of a document, that was found and is not taken yet. */
struct found {
    bool any;
    struct slice bytes;
};

static int take_found(struct stream *stream, const struct found *found)
{
    return stream->options->has_items
               ? reader_take_element(&stream->reader, &stream->document, found->bytes)
               : reader_take(&stream->reader, keep_line(stream, found->bytes));
}

/*
 * Takes the chunk of what was found.  What is wrong with the first line of the next
 * group is said when that is read, so that this one stands; *done is set then.
 */
static int take_chunk(struct stream *stream, const struct found *found, bool *done)
{
    struct reader *reader = &stream->reader;
    size_t count = stream->chunks->count;
    struct tally before = reader_tally(reader);
    size_t held = diag_hold();
    int status = take_found(stream, found);
    struct chunk *chunk = stream->chunks->count > count ? &stream->chunks->all[count] : NULL;
    *done = chunk != NULL && is_of_next(stream, chunk);
    if (chunk != NULL && !*done) {
        stream->last_file = reader->file;
        stream->last_line = reader->line_number;
    }
    diag_release(held, !*done);
    if (*done) {
        reader_untake(reader, &before);
        return STATUS_OK;
    }
    return status == STATUS_OK && chunk != NULL ? put_in_group(stream, chunk, &before) : status;
}

static int find_next(struct stream *stream, struct found *found)
{
    struct reader *reader = &stream->reader;
    if (stream->options->has_items) {
        found->any = document_next(&stream->document, &found->bytes);
        return STATUS_OK;
    }
    int status = lines_next(&stream->lines, &reader->progress, &found->bytes, &found->any);
    reader->line_number = stream->lines.number + 1;
    return status;
}

/* What was found is behind the reader: its number, from 1. */
static size_t pass(struct stream *stream, const struct found *found)
{
    if (stream->options->has_items) {
        document_take(&stream->document, found->bytes);
        return stream->document.taken;
    }
    lines_take(&stream->lines, found->bytes);
    return stream->lines.number;
}

/* Takes the next line into the group; sets *done where the group has ended before it. */
static int take_line(struct stream *stream, bool *done)
{
    struct found found;
    int status = find_next(stream, &found);
    if (status != STATUS_OK || !found.any) {
        stream->file_at += status == STATUS_OK;
        close_file(stream);
        return status;
    }
    status = take_chunk(stream, &found, done);
    if (status == STATUS_OK && !*done) {
        size_t number = pass(stream, &found);
        if (stream->key.len > 0) {
            stream->ended[stream->number] = (struct ended){stream->reader.file_index, number};
        }
    }
    return status;
}

static void open_names(struct stream *stream)
{
    const struct read_options *options = stream->options;
    stream->files = mem_zeroed(options->file_count, sizeof *stream->files);
    for (size_t i = 0; i < options->file_count; i++) {
        bool standard = strcmp(options->files[i], "-") == 0;
        const char *name = standard ? "<stdin>" : options->files[i];
        stream->files[i].is_document = options->has_items;
        stream->files[i].input.name =
            options->has_items ? document_name(&stream->reader.names, name, &options->items) : name;
    }
}

/* Where the fields are is known for all files at once. */
static void name_fields(struct stream *stream)
{
    const struct fields *fields = &stream->reader.fields;
    for (size_t i = 0; i < stream->options->file_count; i++) {
        struct file *file = &stream->files[i];
        file->lower_is_better = fields_lower_is_better(fields, stream->options);
        file->fields =
            (struct field_names){fields->text.written, fields->score.written, fields->id.written};
    }
}

/* What the chunks of a group say of the group, and of the files that they come from. */
static void name_files(struct stream *stream)
{
    struct chunks *chunks = stream->chunks;
    const struct fields *fields = &stream->reader.fields;
    size_t known = (size_t)fields->settled + (fields->id.depth > 0);
    bool is_first = stream->files == NULL;
    if (is_first) {
        open_names(stream);
    }
    if (is_first || known != stream->known_fields) { /* which is seldom; files may be many */
        name_fields(stream);
        stream->known_fields = known;
    }
    chunks->files = stream->files;
    chunks->file_count = stream->options->file_count;
    chunks->files_are_lent = true;
    chunks->lower_is_better = fields_lower_is_better(fields, stream->options);
    chunks->group = stream->key.len > 0 ? buf_slice(&stream->name) : (struct slice){0};
    chunks->question = stream->has_question ? buf_slice(&stream->question) : (struct slice){0};
}

/* That the group which has been read has a question, where its lines are to say it. */
static int check_question(const struct stream *stream)
{
    const struct path *path = &stream->options->question;
    struct slice name = shown_name(stream);
    return path->depth == 0 || stream->has_question
               ? STATUS_OK
               : diag_input(stream->last_file, stream->last_line, 0,
                            "no question at '%s' in the group '%.*s'", path->written, (int)name.len,
                            name.at);
}

int stream_next(struct stream *stream, struct chunks *chunks)
{
    int status = STATUS_OK;
    bool done = false;
    stream->chunks = chunks;
    stream->reader.chunks = chunks;
    stream->key.len = 0;
    stream->name.len = 0;
    stream->has_question = false;
    stream->may_ask_again = false;
    stream->has_chunk = false;
    while (status == STATUS_OK && !done && stream->file_at < stream->options->file_count) {
        status = is_open(stream) ? STATUS_OK : open_file(stream);
        if (status == STATUS_OK) {
            status = take_line(stream, &done);
        }
    }
    name_files(stream);
    if (status != STATUS_OK) {
        return status;
    }
    progress_note_query(&stream->reader.progress);
    progress_erase(&stream->reader.progress); /* what is said of the group comes next */
    if (stream->key.len == 0) {               /* of lines that were passed over, if of any */
        progress_close(&stream->reader.progress);
        reader_warn(&stream->reader);
        return STATUS_OK;
    }
    return stream->has_chunk ? check_question(stream) : STATUS_OK;
}
