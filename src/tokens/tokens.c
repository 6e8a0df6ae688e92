/* tokens.c: see tokens.h. */
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

/* The bytes of the White_Space character at `at`, or 0 if there is another. */
static size_t white_space(const unsigned char *at, size_t left)
{
    if (*at < 0x80) {
        return *at == ' ' || (*at >= '\t' && *at <= '\r');
    }
    if (left >= 2 && at[0] == 0xc2) {
        return at[1] == 0x85 || at[1] == 0xa0 ? 2 : 0;
    }
    if (left < 3) {
        return 0;
    }
    uint32_t three = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
    bool is_space = three == 0xe19a80                           /* U+1680 */
                    || (three >= 0xe28080 && three <= 0xe2808a) /* U+2000 to 200A */
                    || (three >= 0xe280a8 && three <= 0xe280a9) /* U+2028, 2029 */
                    || three == 0xe280af || three == 0xe2819f   /* U+202F, 205F */
                    || three == 0xe38080;                       /* U+3000 */
    return is_space ? 3 : 0;
}

size_t tokens_words(struct slice text)
{
    const unsigned char *at = (const unsigned char *)text.at;
    size_t words = 0;
    bool in_word = false;
    for (size_t i = 0; i < text.len;) {
        size_t space = white_space(at + i, text.len - i);
        words += space == 0 && !in_word;
        in_word = space == 0;
        i += space > 0 ? space : 1;
    }
    return words;
}

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
    bool divisible;
} methods[] = {
    {"estimate", COUNTER_ESTIMATE, false},
    {"words", COUNTER_WORDS, false},
    {"chars", COUNTER_CHARS, true},
    {"bytes", COUNTER_BYTES, true},
};

int counter_open(struct counter *counter, const char *method)
{
    *counter = (struct counter){.method = method, .unit = 1, .scale = 1};
    size_t length = strcspn(method, "/");
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        bool divided = method[length] == '/';
        if (strncmp(method, methods[i].name, length) != 0 || methods[i].name[length] != '\0') {
            continue;
        }
        if (divided && !methods[i].divisible) {
            return diag_usage("--count '%s': %s takes no divisor", method, methods[i].name);
        }
        counter->kind = methods[i].kind;
        if (divided && !set_divisor(counter, method + length + 1)) {
            return diag_usage("--count '%s' needs a number above 0 after the slash", method);
        }
        if (counter->kind == COUNTER_ESTIMATE) {
            counter->unit = ESTIMATE_UNIT;
        }
        return STATUS_OK;
    }
    counter->kind = COUNTER_EXACT;
    int status = vocab_open(&counter->vocab, method);
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
    *counter = (struct counter){0};
}

size_t counter_cost(struct counter *counter, struct slice text)
{
    switch (counter->kind) {
    case COUNTER_WORDS:
        return tokens_words(text);
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

size_t counter_tokens(const struct counter *counter, size_t cost)
{
    return cost / counter->unit + (cost % counter->unit != 0);
}

size_t counter_limit(const struct counter *counter, size_t tokens)
{
    return tokens > SIZE_MAX / counter->unit ? SIZE_MAX : tokens * counter->unit;
}
