/* instead.c: what --count-only and --compile-vocab write, without looking for chunks. */
#include <stdlib.h>

#include "output.h"

/* Adds what the file holds; of a single one it stays where it has been read. */
static int add_file(struct buf *text, struct input *input, const char *file, bool single)
{
    free(input->bytes);
    *input = (struct input){0};
    int status = input_load(input, file, false, NULL);
    if (!single) {
        buf_add(text, input->bytes, input->length);
    }
    return status;
}

int write_count(const char *const *files, size_t count, struct counter *counter)
{
    struct buf text = {0};
    struct input input = {0};
    bool single = count == 1;
    int status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = add_file(&text, &input, files[i], single);
    }
    if (status == STATUS_OK) {
        struct slice all = single ? (struct slice){input.bytes, input.length} : buf_slice(&text);
        size_t tokens = counter_tokens(counter, counter_cost(counter, all));
        status = counter_check(counter);
        text.len = 0;
        buf_add_format(&text, "%zu\n", tokens);
        status = status == STATUS_OK ? out_write(&text) : status;
    }
    free(input.bytes);
    buf_free(&text);
    return status;
}

int write_compiled_vocab(const char *name, const char *file)
{
    struct buf table = {0};
    int status = tokens_compile(&table, name);
    if (status == STATUS_OK) {
        status = file != NULL ? outfile_write(file, buf_slice(&table)) : out_write(&table);
    }
    buf_free(&table);
    return status;
}
