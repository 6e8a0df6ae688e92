/* stream.c: --each: group after group, as soon as it is there. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reader.h"

/* Where a group had its last line. */
struct ended {
    uint32_t file;
    size_t line;
};

struct stream {
    const struct read_options *options;
    struct reader reader;
    struct chunks *chunks; /* the group that is being read */
    size_t file_at;        /* index of the operand that is being read */
    struct lines lines;
    struct buf key;  /* of the group, as ids are told apart */
    struct buf name; /* and as it is written */
    struct buf question;
    bool has_question;
    struct buf other; /* a line's key */
    struct buf scratch;
    struct interner seen; /* keys of the groups that have begun */
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
    reader_close(&stream->reader);
    buf_free(&stream->key);
    buf_free(&stream->name);
    buf_free(&stream->question);
    buf_free(&stream->other);
    buf_free(&stream->scratch);
    interner_free(&stream->seen);
    free(stream->ended);
    free(stream);
}

static int open_file(struct stream *stream)
{
    struct reader *reader = &stream->reader;
    const char *operand = stream->options->files[stream->file_at];
    int status = lines_open(&stream->lines, operand, &reader->progress);
    reader->file = stream->lines.name;
    reader->file_index = (uint32_t)stream->file_at;
    return status;
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
    struct slice value = chunk_member(chunk, &stream->options->each);
    enum value_kind kind = value_kind_of(value);
    stream->other.len = 0;
    buf_add_byte(&stream->other, '=');
    if (kind == VALUE_NUMBER) {
        number_add_canonical(&stream->other, value);
    } else if (kind == VALUE_STRING) {
        struct slice says = value_decode(value_inside(value), &stream->scratch);
        buf_add_slice(&stream->other, utf8_has_replacement(says) ? value : says);
    }
    return kind == VALUE_NUMBER || kind == VALUE_STRING;
}

static int begin_group(struct stream *stream, const struct chunk *chunk)
{
    struct slice value = chunk_member(chunk, &stream->options->each);
    stream->key.len = 0;
    buf_add_slice(&stream->key, buf_slice(&stream->other));
    stream->name.len = 0;
    if (value_kind_of(value) == VALUE_STRING) {
        value = value_decode(value_inside(value), &stream->scratch);
    }
    buf_add_slice(&stream->name, value);
    size_t known = stream->seen.count;
    uint32_t number = intern_bytes(&stream->seen, buf_slice(&stream->key));
    if (number < known) {
        const struct ended *ended = &stream->ended[number];
        const char *name = stream->options->files[ended->file];
        return diag_input(stream->reader.file, stream->reader.line_number, 0,
                          "'%.*s' at '%s' comes back, but was left behind at %s:%zu: sort by it "
                          "first",
                          (int)(stream->name.len < 60 ? stream->name.len : 60), stream->name.at,
                          stream->options->each.written, strcmp(name, "-") == 0 ? "<stdin>" : name,
                          ended->line);
    }
    stream->number = number;
    stream->ended =
        mem_grow(stream->ended, &stream->ended_capacity, known + 1, sizeof *stream->ended);
    return STATUS_OK;
}

/* The question is that of the group's first line which has one; another is an error. */
static int take_question(struct stream *stream, const struct chunk *chunk)
{
    const struct path *path = &stream->options->question;
    if (path->depth == 0) {
        return STATUS_OK;
    }
    struct slice value = chunk_member(chunk, path);
    enum value_kind kind = value_kind_of(value);
    if (kind == VALUE_ABSENT || kind == VALUE_NULL) {
        return STATUS_OK;
    }
    if (kind != VALUE_STRING) {
        return diag_input(stream->reader.file, stream->reader.line_number, 0,
                          "the question at '%s' is not a string", path->written);
    }
    struct slice says = value_decode(value_inside(value), &stream->scratch);
    if (!stream->has_question) {
        stream->question.len = 0;
        buf_add_slice(&stream->question, says);
        stream->has_question = true;
        return STATUS_OK;
    }
    return slice_equal(says, buf_slice(&stream->question))
               ? STATUS_OK
               : diag_input(stream->reader.file, stream->reader.line_number, 0,
                            "another question at '%s' than before in the group '%.*s'",
                            path->written, (int)(stream->name.len < 60 ? stream->name.len : 60),
                            stream->name.at);
}

/* Whether the line, usable or not, is the first of the next group. */
static bool is_of_next(struct stream *stream, const struct chunk *chunk)
{
    return stream->key.len > 0 && chunk->is_object && find_key(stream, chunk) &&
           !slice_equal(buf_slice(&stream->key), buf_slice(&stream->other));
}

/* Puts the chunk of a line into the group, which it begins where there is none yet. */
static int put_in_group(struct stream *stream, struct chunk *chunk)
{
    if (chunk->fate == FATE_INVALID && !chunk->is_empty) {
        return STATUS_OK; /* passed over */
    }
    if (!find_key(stream, chunk)) {
        diag_hold();
        diag_input(stream->reader.file, stream->reader.line_number, 0,
                   "no string or number at '%s', which --each names",
                   stream->options->each.written);
        diag_release(!stream->options->skip_invalid || !diag_is_quiet());
        return reader_pass_over(&stream->reader, chunk, "no value that --each names");
    }
    int status = stream->key.len == 0 ? begin_group(stream, chunk) : STATUS_OK;
    return status == STATUS_OK ? take_question(stream, chunk) : status;
}

/*
 * Takes the chunk of a line that is there.  What is wrong with the first line of the next
 * group is said when that is read, so that this one stands; *done is set then.
 */
static int take_chunk(struct stream *stream, struct slice line, bool *done)
{
    struct reader *reader = &stream->reader;
    size_t count = stream->chunks->count;
    struct tally before = reader_tally(reader);
    bool holds = !stream->options->skip_invalid; /* else the reader does */
    if (holds) {
        diag_hold();
    }
    int status = reader_take(reader, line);
    struct chunk *chunk = stream->chunks->count > count ? &stream->chunks->all[count] : NULL;
    *done = chunk != NULL && is_of_next(stream, chunk);
    if (holds) {
        diag_release(!*done);
    }
    if (*done) {
        reader_untake(reader, &before);
        return STATUS_OK;
    }
    return status == STATUS_OK && chunk != NULL ? put_in_group(stream, chunk) : status;
}

/* Takes the next line into the group; sets *done where the group has ended before it. */
static int take_line(struct stream *stream, bool *done)
{
    struct slice line;
    bool found;
    struct reader *reader = &stream->reader;
    int status = lines_next(&stream->lines, &reader->progress, &line, &found);
    if (status != STATUS_OK || !found) {
        stream->file_at += status == STATUS_OK;
        lines_close(&stream->lines);
        return status;
    }
    reader->line_number = stream->lines.number + 1;
    status = take_chunk(stream, keep_line(stream, line), done);
    if (status == STATUS_OK && !*done) {
        lines_take(&stream->lines, line);
        if (stream->key.len > 0) {
            stream->ended[stream->number] = (struct ended){reader->file_index, reader->line_number};
        }
    }
    return status;
}

/* What the chunks of a group say of the files that they come from. */
static void name_files(struct stream *stream)
{
    struct chunks *chunks = stream->chunks;
    const struct read_options *options = stream->options;
    const struct fields *fields = &stream->reader.fields;
    chunks->files = mem_zeroed(options->file_count, sizeof *chunks->files);
    chunks->file_count = options->file_count;
    for (size_t i = 0; i < options->file_count; i++) {
        bool standard = strcmp(options->files[i], "-") == 0;
        struct file *file = &chunks->files[i];
        file->input.name = standard ? "<stdin>" : options->files[i];
        file->lower_is_better = fields_lower_is_better(fields, options);
        file->fields =
            (struct field_names){fields->text.written, fields->score.written, fields->id.written};
    }
    chunks->lower_is_better = fields_lower_is_better(fields, options);
    chunks->group = buf_slice(&stream->name);
    chunks->question = stream->has_question ? buf_slice(&stream->question) : (struct slice){0};
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
    while (status == STATUS_OK && !done && stream->file_at < stream->options->file_count) {
        status = stream->lines.is_open ? STATUS_OK : open_file(stream);
        if (status == STATUS_OK) {
            status = take_line(stream, &done);
        }
    }
    if (status != STATUS_OK) {
        return status;
    }
    name_files(stream);
    progress_note_query(&stream->reader.progress);
    progress_erase(&stream->reader.progress); /* what is said of the group comes next */
    if (stream->key.len == 0) {               /* of lines that were passed over, if of any */
        chunks->count = 0;
        progress_close(&stream->reader.progress);
        reader_warn(&stream->reader);
        return STATUS_OK;
    }
    if (stream->options->question.depth > 0 && !stream->has_question) {
        return diag_input(stream->reader.file, stream->reader.line_number, 0,
                          "no question at '%s' in the group '%.*s'",
                          stream->options->question.written,
                          (int)(stream->name.len < 60 ? stream->name.len : 60), stream->name.at);
    }
    return STATUS_OK;
}
