/* instead.c: what --count-only and --compile-vocab write, without looking for chunks. */
#include <stdlib.h>

#include "output.h"

int write_count(const char *const *files, size_t count, struct counter *counter)
{
    struct buf text = {0};
    int status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct input input = {0};
        status = input_load(&input, files[i], false, NULL);
        buf_add(&text, input.bytes, input.length);
        free(input.bytes);
    }
    if (status == STATUS_OK) {
        size_t tokens = counter_tokens(counter, counter_cost(counter, buf_slice(&text)));
        status = counter_check(counter);
        text.len = 0;
        buf_add_format(&text, "%zu\n", tokens);
        status = status == STATUS_OK ? out_write(&text) : status;
    }
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
