/* document.c: see document.h. */
#include "document.h"

/* As it was written, or a dot for the document itself. */
static const char *written(const struct path *path)
{
    return path->depth > 0 ? path->written : ".";
}

int document_open(struct document *document, struct json_checker *checker,
                  const struct input *input, const struct path *path)
{
    struct slice whole = repair_object((struct slice){input->bytes, input->length});
    *document = (struct document){
        .file = input->name, .path = path, .whole = whole, .counted = whole.at, .line = 1};
    if (slice_trim(whole).len == 0) {
        return STATUS_OK;
    }
    int status = check_document(checker, whole, (struct location){.file = input->name, .line = 1});
    if (status != STATUS_OK) {
        return status;
    }
    struct slice array = path->depth > 0 ? value_find(whole, path) : slice_trim(whole);
    if (value_kind_of(array) != VALUE_ARRAY) {
        return diag_input(input->name, 1, 0, "no array at '%s', which --items names",
                          written(path));
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
