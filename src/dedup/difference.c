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

/* One of the asked texts. */
struct asked_text {
    size_t first; /* of its words, in own_words.words_of */
    size_t count;
    size_t shared; /* with the nearest so far */
    size_t nearest;
    uint32_t common; /* with the text that is looked at */
    bool was_there;  /* among the others */
};

struct own_words {
    struct words words;
    struct marks marks;   /* the words of the text that is asked for */
    size_t count;         /* words that asked texts have: their ids are below */
    uint32_t *seen_in;    /* by id: the last text that had it, from 1 on */
    unsigned char *holds; /* by id: others that have it, up to two of them */
    struct asked_text *asked;
    size_t asked_count;
    size_t asked_capacity;
    uint32_t *words_of; /* distinct words, one asked text after the other */
    size_t words_count;
    size_t words_capacity;
    size_t *first_with; /* by id: where in `with` the asked texts that have it begin */
    uint32_t *with;
    uint32_t *touched; /* asked texts that have a word of the one that is looked at */
    size_t others;
};

struct own_words *own_words_new(void)
{
    return mem_zeroed(1, sizeof(struct own_words));
}

void own_words_free(struct own_words *own)
{
    words_free(&own->words);
    marks_free(&own->marks);
    free(own->seen_in);
    free(own->holds);
    free(own->asked);
    free(own->words_of);
    free(own->first_with);
    free(own->with);
    free(own->touched);
    free(own);
}

size_t own_words_ask(struct own_words *own, struct slice text)
{
    const struct word_list *list = words_find(&own->words, text);
    marks_clear(&own->marks, own->words.vocabulary.count);
    struct asked_text asked = {.first = own->words_count};
    own->words_of = mem_grow(own->words_of, &own->words_capacity, own->words_count + list->count,
                             sizeof *own->words_of);
    for (size_t i = 0; i < list->count; i++) {
        if (!marks_has(&own->marks, list->ids[i])) {
            marks_set(&own->marks, list->ids[i]);
            own->words_of[own->words_count++] = list->ids[i];
        }
    }
    asked.count = own->words_count - asked.first;
    own->asked =
        mem_grow(own->asked, &own->asked_capacity, own->asked_count + 1, sizeof *own->asked);
    own->asked[own->asked_count] = asked;
    return own->asked_count++;
}

/* Lists by word which of the asked texts have it. */
static void list_by_word(struct own_words *own)
{
    own->count = own->words.vocabulary.count;
    own->seen_in = mem_zeroed(own->count, sizeof *own->seen_in);
    own->holds = mem_zeroed(own->count, sizeof *own->holds);
    own->touched = mem_zeroed(own->asked_count, sizeof *own->touched);
    own->with = mem_zeroed(own->words_count, sizeof *own->with);
    own->first_with = mem_zeroed(own->count + 2, sizeof *own->first_with);
    size_t *next = own->first_with + 1; /* becomes first_with when all are in */
    for (size_t i = 0; i < own->words_count; i++) {
        next[own->words_of[i] + 1]++;
    }
    for (size_t id = 0; id < own->count; id++) {
        next[id + 1] += next[id];
    }
    for (size_t a = 0; a < own->asked_count; a++) {
        const struct asked_text *asked = &own->asked[a];
        for (size_t i = asked->first; i < asked->first + asked->count; i++) {
            own->with[next[own->words_of[i]]++] = (uint32_t)a;
        }
    }
}

/* Adds a word of the text that is looked at to what is common; returns how many are touched. */
static size_t count_common(struct own_words *own, uint32_t id, size_t touched)
{
    own->holds[id] = own->holds[id] < 2 ? own->holds[id] + 1 : 2;
    for (size_t i = own->first_with[id]; i < own->first_with[id + 1]; i++) {
        uint32_t a = own->with[i];
        if (own->asked[a].common++ == 0) {
            own->touched[touched++] = a;
        }
    }
    return touched;
}

void own_words_hold_against(struct own_words *own, struct slice other, size_t itself)
{
    if (own->first_with == NULL) {
        list_by_word(own);
    }
    const struct word_list *list = words_find(&own->words, other);
    size_t number = own->others++;
    size_t touched = 0;
    for (size_t i = 0; i < list->count; i++) {
        uint32_t id = list->ids[i];
        if (id < own->count && own->seen_in[id] < number + 1) {
            own->seen_in[id] = (uint32_t)number + 1;
            touched = count_common(own, id, touched);
        }
    }
    for (size_t i = 0; i < touched; i++) {
        struct asked_text *asked = &own->asked[own->touched[i]];
        if (asked->common > asked->shared && own->touched[i] != itself) {
            asked->shared = asked->common;
            asked->nearest = number;
        }
        asked->common = 0;
    }
    if (itself < own->asked_count) {
        own->asked[itself].was_there = true;
    }
}

struct own_share own_words_share(const struct own_words *own, size_t number)
{
    const struct asked_text *asked = &own->asked[number];
    struct own_share share = {
        .distinct = asked->count, .shared = asked->shared, .nearest = asked->nearest};
    for (size_t i = asked->first; i < asked->first + asked->count && own->holds != NULL; i++) {
        share.met += own->holds[own->words_of[i]] > (asked->was_there ? 1 : 0);
    }
    return share;
}
