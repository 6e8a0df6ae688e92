/* counter.c: see tokens.h. */
#include "tokens.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "bpe.h"
#include "estimate.h"
#include "vocab.h"
#include "vocab_find.h"

/* "chars/3.5": what follows the slash, as a fraction of whole numbers. */
static bool set_divisor(struct counter *counter, const char *divisor)
{
    size_t num;
    size_t den;
    if (!number_decimal(divisor, &num, &den)) {
        return false;
    }
    counter->scale = den;
    counter->unit = num;
    return true;
}

static const struct {
    const char *name;
    enum counter_kind kind;
    const char *help;
    const char *divided; /* NULL: it takes no divisor */
} methods[] = {
    {"estimate", COUNTER_ESTIMATE, "an estimate of o200k_base, without its vocabulary", NULL},
    {"words", COUNTER_WORDS, "what white space separates", NULL},
    {"chars", COUNTER_CHARS, "code points", "chars/"},
    {"bytes", COUNTER_BYTES, "bytes of UTF-8", "bytes/"},
};

/* Whether the method is called so, with what is divided apart. */
static bool is_called(const char *method, const char *name)
{
    size_t length = strcspn(method, "/");
    return strncmp(method, name, length) == 0 && name[length] == '\0';
}

int counter_open(struct counter *counter, const char *method)
{
    *counter = (struct counter){.method = method, .unit = 1, .scale = 1};
    size_t length = strcspn(method, "/");
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        bool divided = method[length] == '/';
        if (!is_called(method, methods[i].name)) {
            continue;
        }
        if (divided && methods[i].divided == NULL) {
            return diag_usage("--count '%s': %s takes no divisor", method, methods[i].name);
        }
        counter->kind = methods[i].kind;
        if (divided && !set_divisor(counter, method + length + 1)) {
            return diag_usage(
                "--count '%s' needs a number from 0.0001 to 99999 after the slash, with at most "
                "four decimals",
                method);
        }
        if (counter->kind == COUNTER_ESTIMATE) {
            counter->unit = ESTIMATE_UNIT;
        }
        return STATUS_OK;
    }
    counter->kind = COUNTER_EXACT;
    int status = vocab_open(&counter->vocab, &counter->table, method);
    if (status == STATUS_OK) {
        counter->bpe = bpe_new(counter->vocab);
    }
    return status;
}

void counter_close(struct counter *counter)
{
    free(counter->estimates);
    bpe_free(counter->bpe);
    vocab_free(counter->vocab);
    table_close(counter->table);
    *counter = (struct counter){0};
}

int counter_check(const struct counter *counter)
{
    return table_check(counter->table);
}

size_t counter_cost(struct counter *counter, struct slice text)
{
    switch (counter->kind) {
    case COUNTER_WORDS:
        return utf8_words(text);
    case COUNTER_CHARS:
        return counter->scale * utf8_length(text);
    case COUNTER_BYTES:
        return counter->scale * text.len;
    case COUNTER_EXACT:
        return (size_t)bpe_count(counter->bpe, text.at, text.len);
    case COUNTER_ESTIMATE:
        break;
    }
    if (counter->estimates == NULL) { /* most runs count nothing */
        counter->estimates = mem_zeroed(1, sizeof *counter->estimates);
    }
    return (size_t)estimate_text(counter->estimates, text.at, text.len);
}

bool counter_looks_around(const struct counter *counter)
{
    return counter->kind == COUNTER_ESTIMATE || counter->kind == COUNTER_EXACT;
}

size_t counter_tokens(const struct counter *counter, size_t cost)
{
    return cost / counter->unit + (cost % counter->unit != 0);
}

size_t counter_limit(const struct counter *counter, size_t tokens)
{
    return tokens > SIZE_MAX / counter->unit ? SIZE_MAX : tokens * counter->unit;
}

void tokens_list_vocabularies(tokens_name *take, void *context)
{
    vocab_list(take, context);
}

void counter_list(tokens_name *take, void *context)
{
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        take(context, methods[i].name, methods[i].help);
        if (methods[i].divided != NULL) {
            take(context, methods[i].divided, "the same, divided by a number");
        }
    }
    vocab_list(take, context);
}

int tokens_compile(struct buf *out, const char *name)
{
    struct vocab *vocab;
    struct table_file *table;
    int status = vocab_open(&vocab, &table, name);
    if (status == STATUS_OK) {
        vocab_add_table(out, vocab);
    }
    status = status == STATUS_OK ? table_check(table) : status;
    vocab_free(vocab);
    table_close(table);
    return status;
}

const char *tokens_file(struct buf *path, const char *name)
{
    return vocab_file(path, name);
}

const char *counter_file(struct buf *path, const char *name)
{
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        if (is_called(name, methods[i].name)) {
            return NULL;
        }
    }
    return vocab_file(path, name);
}
