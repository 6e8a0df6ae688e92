/* tag_suffix.c: see tag_suffix.h. */
#include "tag_suffix.h"

#include "base/base.h"
#include "json/json.h"

/* FNV-1a, 64 bits (Fowler, Noll and Vo). */
static uint64_t hash(uint64_t state, struct slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        state = (state ^ (unsigned char)bytes.at[i]) * UINT64_C(0x100000001b3);
    }
    return state;
}

static void spell(char suffix[TAG_SUFFIX_LENGTH + 1], uint64_t state)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuv";
    for (int i = 0; i < TAG_SUFFIX_LENGTH; i++) {
        suffix[i] = digits[state >> (64 - 5 * (i + 1)) & 31];
    }
    suffix[TAG_SUFFIX_LENGTH] = '\0';
}

static bool holds(struct slice text, const char *word)
{
    const char *at = text.at;
    const char *end = at + text.len;
    while ((size_t)(end - at) >= TAG_SUFFIX_LENGTH &&
           (at = memchr(at, word[0], (size_t)(end - at) - TAG_SUFFIX_LENGTH + 1)) != NULL) {
        if (memcmp(at, word, TAG_SUFFIX_LENGTH) == 0) {
            return true;
        }
        at++;
    }
    return false;
}

static bool occurs(const char *word, const struct chunks *chunks, struct slice more)
{
    struct buf scratch = {0};
    struct buf line = {0};
    bool found = holds(more, word);
    for (size_t i = 0; i < chunks->count && !found; i++) {
        /* Escapes stand only in strings, so a line can be decoded as if it were one. */
        if (chunks->all[i].fate != FATE_INVALID) {
            found = holds(value_decode(chunk_line(&chunks->all[i], &line), &scratch), word);
        }
    }
    buf_free(&scratch);
    buf_free(&line);
    return found;
}

void tag_suffix_derive(char suffix[TAG_SUFFIX_LENGTH + 1], const struct chunks *chunks,
                       struct slice more)
{
    struct buf line = {0};
    uint64_t state = hash(UINT64_C(0xcbf29ce484222325), more);
    for (size_t i = 0; i < chunks->count; i++) {
        state = hash(state, chunk_line(&chunks->all[i], &line));
        state = hash(state, slice_of("\n"));
    }
    buf_free(&line);
    do {
        state = hash(state, slice_of("another"));
        spell(suffix, state);
    } while (occurs(suffix, chunks, more));
}
