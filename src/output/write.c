/* write.c: the kept chunks as the lines they came as, byte for byte, or as a prompt. */
#include "annotate.h"
#include "output.h"

/*
 * Makes room for the lines that are rewritten: for any of them, and for many if they are
 * short.  There must be no want of memory once something is written.
 */
static void make_room(struct buf *made, const struct chunks *chunks)
{
    const size_t many = (size_t)1 << 16;
    size_t longest = 0;
    for (size_t i = 0; i < chunks->placed_count; i++) {
        const struct chunk *chunk = chunks->placed[i];
        if (chunk->is_rewritten && chunk->length > longest) {
            longest = chunk->length;
        }
    }
    if (longest > 0) {
        buf_room(made, 2 * longest > many ? 2 * longest : many);
    }
}

/* The line is in made, as long as it is not written. */
static int write_rewritten(struct out *out, struct buf *made, const struct chunk *chunk)
{
    int status = STATUS_OK;
    if (made->capacity - made->len < 2 * (size_t)chunk->length) {
        status = out_flush(out);
        made->len = 0;
    }
    size_t start = made->len;
    chunk_add_rewritten(made, chunk);
    buf_add_byte(made, '\n');
    return status == STATUS_OK ? out_add(out, slice_from(buf_slice(made), start)) : status;
}

static int write_as_it_came(struct out *out, const struct chunk *chunk)
{
    struct slice line = chunk_line_as_it_came(chunk);
    if (line.at[line.len] == '\n') {
        line.len++; /* its own line feed, where nothing stands between */
        return out_add(out, line);
    }
    int status = out_add(out, line);
    return status == STATUS_OK ? out_add(out, slice_of("\n")) : status;
}

static int write_lines(const struct chunks *chunks)
{
    struct out out = {.count = 0};
    struct buf made = {0};
    int status = STATUS_OK;
    make_room(&made, chunks);
    for (size_t i = 0; i < chunks->placed_count && status == STATUS_OK; i++) {
        const struct chunk *chunk = chunks->placed[i];
        status = chunk->is_rewritten ? write_rewritten(&out, &made, chunk)
                                     : write_as_it_came(&out, chunk);
    }
    status = status == STATUS_OK ? out_flush(&out) : status;
    buf_free(&made);
    return status;
}

static int write_annotated(const struct chunks *chunks, const struct output_options *options)
{
    struct buf text = {0};
    int status = STATUS_OK;
    for (size_t i = 0; i < chunks->placed_count; i++) {
        annotate_add(&text, chunks, chunks->placed[i], options);
        if (text.len >= OUT_ENOUGH || i + 1 == chunks->placed_count) {
            status = out_write(&text);
        }
        if (status != STATUS_OK) {
            break;
        }
    }
    buf_free(&text);
    return status;
}

int write_chunks(struct chunks *chunks, const struct output_options *options)
{
    return options->annotate != NULL ? write_annotated(chunks, options) : write_lines(chunks);
}

/* A prompt without a chunk only invites invention. */
static int write_instead(const char *words)
{
    struct buf text = {0};
    if (words == NULL) {
        return STATUS_OK;
    }
    buf_add_string(&text, words);
    buf_add_byte(&text, '\n');
    int status = out_write(&text);
    buf_free(&text);
    return status;
}

int write_prompt(struct chunks *chunks, const struct prompt_options *prompt,
                 const struct output_options *options)
{
    if (chunks->placed_count == 0) {
        return write_instead(options->if_empty);
    }
    struct renderer *renderer = renderer_new(chunks, prompt);
    struct buf text = {0};
    int status;
    if (body_of(prompt) != BODY_NONE) {
        body_add(renderer, &text, chunks);
        buf_add_byte(&text, '\n');
        status = out_write(&text);
    } else {
        status = render_all(renderer, &text, chunks, out_write);
    }
    chunks->neutralised = renderer_escapes(renderer);
    buf_free(&text);
    renderer_free(renderer);
    return status;
}

static void add_ids(struct buf *out, const struct chunks *chunks)
{
    struct buf scratch = {0};
    struct buf id = {0};
    buf_add_byte(out, '[');
    for (size_t i = 0; i < chunks->placed_count; i++) {
        const struct chunk *chunk = chunks->placed[i];
        buf_add_string(out, i > 0 ? "," : "");
        if (chunk->id_length == 0) {
            buf_add_string(out, "null");
            continue;
        }
        id.len = 0;
        utf8_add_repaired(&id, chunk_id_text(chunk, &scratch));
        value_add_quoted(out, buf_slice(&id));
    }
    buf_add_byte(out, ']');
    buf_free(&scratch);
    buf_free(&id);
}

/* Why no chunk is left: how many have each fate, and what became of the best. */
static void add_why(struct buf *out, const struct chunks *chunks)
{
    struct buf why = {0};
    struct buf repaired = {0};
    fate_add_counts(&why, "", chunks);
    if (chunks->ranked_count > 0) {
        buf_add_string(&why, "; the best: ");
        fate_describe(&why, chunks, chunks->ranked[0]);
    }
    utf8_add_repaired(&repaired, buf_slice(&why));
    buf_add_string(out, "null,\"why\":");
    value_add_quoted(out, buf_slice(&repaired));
    buf_free(&why);
    buf_free(&repaired);
}

int write_group_prompt(struct chunks *chunks, const struct prompt_options *prompt)
{
    struct buf text = {0};
    struct buf line = {0};
    struct buf name = {0};
    utf8_add_repaired(&name, chunks->group);
    buf_add_string(&line, "{\"group\":");
    value_add_quoted(&line, buf_slice(&name));
    buf_add_string(&line, ",\"question\":");
    if (prompt->has_question) {
        value_add_quoted(&line, prompt->question);
    } else {
        buf_add_string(&line, "null");
    }
    buf_add_string(&line, ",\"ids\":");
    add_ids(&line, chunks);
    bool is_body = body_of(prompt) != BODY_NONE;
    buf_add_format(&line, ",\"tokens\":%zu,\"%s\":", chunks->placed_count > 0 ? chunks->tokens : 0,
                   is_body ? "body" : "prompt");
    if (chunks->placed_count == 0) {
        add_why(&line, chunks);
    } else {
        struct renderer *renderer = renderer_new(chunks, prompt);
        if (is_body) {
            body_add(renderer, &line, chunks);
        } else {
            render_all(renderer, &text, chunks, NULL);
            value_add_quoted(&line, buf_slice(&text));
        }
        chunks->neutralised = renderer_escapes(renderer);
        renderer_free(renderer);
    }
    buf_add_string(&line, "}\n");
    int status = out_write(&line);
    buf_free(&text);
    buf_free(&line);
    buf_free(&name);
    return status;
}
