/* differ.c: see differ.h. */
#include "differ.h"

#include <stdlib.h>

#include <utf8proc.h>

#define FOLD                                                                                       \
    (UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_IGNORE | UTF8PROC_CASEFOLD)

enum letter { NO_LETTER, LETTER, UNSPACED_LETTER };

static enum letter letter_of(int32_t c)
{
    utf8proc_category_t category = utf8proc_category(c);
    if (category < UTF8PROC_CATEGORY_LU || category > UTF8PROC_CATEGORY_NO) {
        return NO_LETTER;
    }
    return utf8_is_unspaced((uint32_t)c) ? UNSPACED_LETTER : LETTER;
}

/* The same of a character that is still to be normalised: one that becomes letters is one. */
static enum letter raw_letter_of(uint32_t c)
{
    enum { MOST = 32 };
    utf8proc_int32_t forms[MOST];
    int boundary = UTF8PROC_BOUNDCLASS_START;
    if (c < 0x80) {
        bool letter = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
        return letter ? LETTER : NO_LETTER;
    }
    utf8proc_ssize_t n = utf8proc_decompose_char((utf8proc_int32_t)c, forms, MOST,
                                                 UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE, &boundary);
    enum letter letter = NO_LETTER;
    for (utf8proc_ssize_t i = 0; i < n && i < MOST && letter == NO_LETTER; i++) {
        letter = letter_of(forms[i]);
    }
    return letter;
}

/* Notes that the other text has the word, or says whether it does. */
static bool look(struct differ *differ, struct slice word, bool note)
{
    size_t id = intern_bytes(&differ->vocabulary, word);
    if (id >= differ->seen_capacity) {
        size_t before = differ->seen_capacity;
        differ->seen = mem_grow(differ->seen, &differ->seen_capacity, id + 1, sizeof *differ->seen);
        memset(differ->seen + before, 0, (differ->seen_capacity - before) * sizeof *differ->seen);
    }
    if (note) {
        differ->seen[id] = differ->comparison;
    }
    return differ->seen[id] == differ->comparison;
}

static void fold(struct differ *differ, struct slice run)
{
    code_points_map(&differ->points, run, FOLD);
}

static void add_point(struct buf *out, int32_t c)
{
    char *room = buf_room(out, 4);
    out->len += (size_t)utf8proc_encode_char(c, (utf8proc_uint8_t *)room);
}

/* The words that a run of letters becomes, nearly always one; false: one of them is lacking. */
static bool look_at_run(struct differ *differ, struct slice run, bool note)
{
    bool all = true;
    fold(differ, run);
    differ->word.len = 0;
    for (size_t i = 0; i <= differ->points.count; i++) {
        bool letter = i < differ->points.count && letter_of(differ->points.at[i]) != NO_LETTER;
        if (letter) {
            add_point(&differ->word, differ->points.at[i]);
        } else if (differ->word.len > 0) {
            all &= look(differ, buf_slice(&differ->word), note);
            differ->word.len = 0;
        }
    }
    return all;
}

/* Two neighbours, folded: a word that no run is, since it has a separator. */
static bool look_at_pair(struct differ *differ, struct slice a, struct slice b, bool note)
{
    struct slice both[2] = {a, b};
    differ->word.len = 0;
    for (size_t i = 0; i < 2; i++) {
        fold(differ, both[i]);
        for (size_t k = 0; k < differ->points.count; k++) {
            add_point(&differ->word, differ->points.at[k]);
        }
        buf_add_byte(&differ->word, ' ');
    }
    return look(differ, buf_slice(&differ->word), note);
}

/* Words with hardly anything between them are one mark. */
#define MOST_BETWEEN 4

static void add_mark(struct differ *differ, size_t from, size_t to)
{
    if (differ->goes_on && from - differ->marks[differ->mark_count - 1].to <= MOST_BETWEEN) {
        differ->marks[differ->mark_count - 1].to = to;
        return;
    }
    differ->goes_on = true;
    differ->marks = mem_grow(differ->marks, &differ->mark_capacity, differ->mark_count + 1,
                             sizeof *differ->marks);
    differ->marks[differ->mark_count++] = (struct stretch_of_text){from, to};
}

/* Marks the word unless the other text has it. */
static void take(struct differ *differ, size_t from, size_t to, bool is_there)
{
    if (is_there) {
        differ->goes_on = false;
    } else {
        add_mark(differ, from, to);
    }
}

static size_t length_at(struct slice text, size_t at)
{
    unsigned length;
    const uint8_t *bytes = (const uint8_t *)text.at;
    utf8_decode(bytes + at, bytes + text.len, &length);
    return length;
}

/* A run of a script without spaces, in pairs. */
static void read_unspaced(struct differ *differ, struct slice text, size_t from, size_t to,
                          bool note)
{
    size_t length = length_at(text, from);
    bool before = false;
    if (from + length >= to) {
        struct slice alone = {text.at + from, length};
        take(differ, from, to, look_at_run(differ, alone, note) || note);
        return;
    }
    for (size_t at = from; at < to; at += length) {
        length = length_at(text, at);
        size_t next = at + length;
        bool after = false;
        if (next < to) {
            struct slice second = {text.at + next, length_at(text, next)};
            after = look_at_pair(differ, (struct slice){text.at + at, length}, second, note);
        }
        take(differ, at, next, note || before || after);
        before = after;
    }
}

/* Where the run ends that begins at a letter; characters that cannot be seen are part of it. */
static size_t end_of_run(struct slice text, size_t at, enum letter kind)
{
    const uint8_t *bytes = (const uint8_t *)text.at;
    while (at < text.len) {
        unsigned length;
        uint32_t c = utf8_decode(bytes + at, bytes + text.len, &length);
        bool goes_on =
            raw_letter_of(c) == kind || (kind == LETTER && c >= 0x80 && utf8_is_ignorable(c));
        if (!goes_on) {
            break;
        }
        at += length;
    }
    return at;
}

/* Goes through the words of a text: notes them, or marks those that were not noted. */
static void read_words(struct differ *differ, struct slice text, bool note)
{
    const uint8_t *bytes = (const uint8_t *)text.at;
    for (size_t at = 0; at < text.len;) {
        unsigned length;
        enum letter kind = raw_letter_of(utf8_decode(bytes + at, bytes + text.len, &length));
        if (kind == NO_LETTER) {
            at += length;
            continue;
        }
        size_t end = end_of_run(text, at, kind);
        if (kind == UNSPACED_LETTER) {
            read_unspaced(differ, text, at, end, note);
        } else {
            struct slice run = {text.at + at, end - at};
            take(differ, at, end, look_at_run(differ, run, note) || note);
        }
        at = end;
    }
}

void differ_find(struct differ *differ, struct slice text, struct slice other)
{
    differ->comparison++;
    differ->mark_count = 0;
    differ->goes_on = false;
    read_words(differ, other, true);
    read_words(differ, text, false);
}

void differ_free(struct differ *differ)
{
    interner_free(&differ->vocabulary);
    code_points_free(&differ->points);
    buf_free(&differ->word);
    free(differ->seen);
    free(differ->marks);
    *differ = (struct differ){0};
}
