/* difference.c: where a text has words that another has not. */
#include <stdlib.h>

#include <utf8proc.h>

#include "base/base.h"
#include "dedup.h"
#include "termset.h"
#include "words.h"

/* One comparison: the words of both texts, those of the other marked. */
struct comparison {
    struct words words;
    struct marks other;
    struct slice text;
    struct text_spans *spans;
    size_t joined_to; /* between the last span and here there is no word */
};

static void mark_words(struct comparison *c, struct slice other)
{
    struct word_list *list = words_find(&c->words, other);
    marks_clear(&c->other, c->words.vocabulary.count);
    for (size_t i = 0; i < list->count; i++) {
        marks_set(&c->other, list->ids[i]);
    }
}

static bool other_has(const struct comparison *c, uint32_t id)
{
    return id < c->other.cleared && marks_has(&c->other, id);
}

enum finding { NO_WORD, SHARED, LACKING };

/* What there is in some bytes that are whole words. */
static enum finding find(struct comparison *c, size_t from, size_t to)
{
    struct slice piece = {c->text.at + from, to - from};
    struct word_list *list = words_find(&c->words, piece);
    enum finding finding = list->count > 0 ? SHARED : NO_WORD;
    for (size_t i = 0; i < list->count; i++) {
        finding = other_has(c, list->ids[i]) ? finding : LACKING;
    }
    return finding;
}

/* What the other lacks makes a span, or one longer that has no other word since. */
static void take(struct comparison *c, size_t from, size_t to, enum finding finding)
{
    struct text_spans *spans = c->spans;
    if (finding == LACKING && spans->count > 0 && spans->at[spans->count - 1].to >= c->joined_to) {
        spans->at[spans->count - 1].to = to;
    } else if (finding == LACKING) {
        spans->at = mem_grow(spans->at, &spans->capacity, spans->count + 1, sizeof *spans->at);
        spans->at[spans->count++] = (struct text_span){from, to};
    }
    c->joined_to = finding != NO_WORD ? to : c->joined_to;
}

/* How long the character is, where it can be of a word: no space and no punctuation. */
static unsigned in_word(const uint8_t *at, const uint8_t *end)
{
    if (*at < 0x80) {
        unsigned char letter = (unsigned char)(*at | 0x20);
        return (*at >= '0' && *at <= '9') || (letter >= 'a' && letter <= 'z');
    }
    unsigned length;
    utf8proc_category_t category =
        utf8proc_category((utf8proc_int32_t)utf8_decode(at, end, &length));
    bool separates = (category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO) ||
                     (category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP);
    return separates ? 0 : length;
}

/* Whether a run has characters whose words are pairs of neighbours. */
static bool has_pairs(struct slice run)
{
    const uint8_t *at = (const uint8_t *)run.at;
    const uint8_t *end = at + run.len;
    while (at < end) {
        unsigned length;
        if (utf8_is_unspaced(utf8_decode(at, end, &length))) {
            return true;
        }
        at += length;
    }
    return false;
}

/* Of characters without spaces one is lacking where the other has it beside neither neighbour. */
static void look_at_pairs(struct comparison *c, size_t from, size_t to)
{
    const uint8_t *start = (const uint8_t *)c->text.at;
    enum finding before = NO_WORD;
    while (from < to) {
        unsigned first;
        unsigned second = 0;
        utf8_decode(start + from, start + to, &first);
        if (from + first < to) {
            utf8_decode(start + from + first, start + to, &second);
        }
        enum finding pair = find(c, from, from + first + second);
        bool is_known = before == SHARED || (second > 0 && pair == SHARED);
        bool is_alone = second == 0 && before == NO_WORD;
        enum finding finding = is_alone ? pair : is_known ? SHARED : LACKING;
        take(c, from, from + first, pair == NO_WORD && before == NO_WORD ? NO_WORD : finding);
        before = pair;
        from += first;
    }
}

static size_t count_distinct(struct comparison *c, size_t *shared)
{
    struct word_list *list = words_find(&c->words, c->text);
    struct marks own = {0};
    marks_clear(&own, c->words.vocabulary.count);
    size_t distinct = 0;
    *shared = 0;
    for (size_t i = 0; i < list->count; i++) {
        uint32_t id = list->ids[i];
        bool is_new = !marks_has(&own, id);
        marks_set(&own, id);
        distinct += is_new;
        *shared += is_new && other_has(c, id);
    }
    marks_free(&own);
    return distinct;
}

size_t dedup_difference(struct slice text, struct slice other, struct text_spans *spans,
                        size_t *shared)
{
    struct comparison c = {.text = text, .spans = spans};
    mark_words(&c, other);
    size_t distinct = count_distinct(&c, shared);
    const uint8_t *start = (const uint8_t *)text.at;
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        unsigned length;
        while (end < text.len && (length = in_word(start + end, start + text.len)) > 0) {
            end += length;
        }
        if (end > at && has_pairs((struct slice){text.at + at, end - at})) {
            look_at_pairs(&c, at, end);
        } else if (end > at) {
            take(&c, at, end, find(&c, at, end));
        }
        length = 0;
        if (end < text.len) { /* past what is between words, all of its bytes */
            utf8_decode(start + end, start + text.len, &length);
        }
        at = end + length;
    }
    words_free(&c.words);
    marks_free(&c.other);
    return distinct;
}

struct own_words {
    struct words words;
    size_t count;   /* its words' ids are below */
    size_t *met_in; /* by id: the last text that had it, from 1 on */
    size_t text;    /* which one that is now */
    size_t met;
};

struct own_words *own_words_of(struct slice text)
{
    struct own_words *own = mem_zeroed(1, sizeof *own);
    words_find(&own->words, text);
    own->count = own->words.vocabulary.count;
    own->met_in = mem_zeroed(own->count, sizeof *own->met_in);
    return own;
}

void own_words_free(struct own_words *own)
{
    words_free(&own->words);
    free(own->met_in);
    free(own);
}

size_t own_words_count(const struct own_words *own)
{
    return own->count;
}

size_t own_words_in(struct own_words *own, struct slice other)
{
    const struct word_list *list = words_find(&own->words, other);
    size_t shared = 0;
    own->text++;
    for (size_t i = 0; i < list->count; i++) {
        uint32_t id = list->ids[i];
        if (id < own->count && own->met_in[id] < own->text) {
            own->met += own->met_in[id] == 0;
            own->met_in[id] = own->text;
            shared++;
        }
    }
    return shared;
}

size_t own_words_met(const struct own_words *own)
{
    return own->met;
}
