/* document.c: see document.h. */
#include "document.h"

#include "advice.h"

/* As it was written, or a dot for the document itself. */
static const char *written(const struct path *path)
{
    return path->depth > 0 ? path->written : ".";
}

/* Where the text's first value ends and another document begins: the number of its line. */
static size_t line_after(struct slice text, struct slice first)
{
    const char *at = first.at + first.len;
    const char *end = text.at + text.len;
    size_t line = 1;
    while (at < end && strchr(" \t\r\n", *at) != NULL) {
        at++;
    }
    for (const char *c = text.at; c < at; c++) {
        line += *c == '\n';
    }
    return line;
}

static int refuse_several(const struct document *document, struct slice first)
{
    struct buf advice = {0};
    advice_add_several(&advice, first, document->path);
    int status = diag_input(document->file, line_after(document->whole, first), 0,
                            "--items needs one document, and another begins here%.*s",
                            (int)advice.len, advice.at);
    buf_free(&advice);
    return status;
}

static int refuse_no_array(const struct document *document, struct json_checker *checker)
{
    struct buf advice = {0};
    advice_add_no_array(&advice, checker, document->whole, document->path);
    int status = diag_input(document->file, 1, 0, "no array at '%s', which --items names%.*s",
                            written(document->path), (int)advice.len, advice.at);
    buf_free(&advice);
    return status;
}

int document_open(struct document *document, struct json_checker *checker,
                  const struct input *input, const struct path *path)
{
    struct slice whole = repair_object((struct slice){input->bytes, input->length});
    struct slice first;
    *document = (struct document){
        .file = input->name, .path = path, .whole = whole, .counted = whole.at, .line = 1};
    if (slice_trim(whole).len == 0) {
        return STATUS_OK;
    }
    if (!check_is_json(checker, whole)) {
        return check_is_several(checker, whole, &first)
                   ? refuse_several(document, first)
                   : check_document(checker, whole,
                                    (struct location){.file = input->name, .line = 1});
    }
    struct slice array = path->depth > 0 ? value_find(whole, path) : slice_trim(whole);
    if (value_kind_of(array) != VALUE_ARRAY) {
        return refuse_no_array(document, checker);
    }
    document->array = array;
    return STATUS_OK;
}

bool document_next(struct document *document, struct slice *element)
{
    *element = document->element;
    if (document->array.at == NULL || !value_next_element(document->array, element)) {
        return false;
    }
    for (; document->counted < element->at; document->counted++) {
        document->line += *document->counted == '\n';
    }
    return true;
}

void document_take(struct document *document, struct slice element)
{
    document->element = element;
    document->taken++;
}

struct slice document_line(struct arena *arena, struct slice element)
{
    char *line = arena_alloc(arena, element.len + 1);
    size_t n = 0;
    bool in_string = false;
    for (size_t i = 0; i < element.len; i++) {
        char c = element.at[i];
        bool escapes = in_string && c == '\\' && i + 1 < element.len;
        in_string ^= c == '"';
        if (in_string || strchr(" \t\r\n", c) == NULL || c == '\0') {
            line[n++] = c;
        }
        if (escapes) {
            line[n++] = element.at[++i];
        }
    }
    line[n] = '\n';
    return (struct slice){line, n};
}

static const char *keep_string(struct arena *arena, struct buf *text)
{
    char *copy = arena_alloc(arena, text->len + 1);
    memcpy(copy, text->at, text->len);
    copy[text->len] = '\0';
    buf_free(text);
    return copy;
}

const char *document_name(struct arena *arena, const char *file, const struct path *path)
{
    struct buf name = {0};
    buf_add_format(&name, "%s:%s", file, written(path));
    return keep_string(arena, &name);
}

const char *document_element_name(struct arena *arena, const char *file, const struct path *path,
                                  size_t index)
{
    struct buf name = {0};
    buf_add_format(&name, "%s:%s[%zu]", file, written(path), index);
    return keep_string(arena, &name);
}
