/* check.c: see check.h. */
#include "check.h"

#include <jansson.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "hint.h"
#include "prefilter.h"
#include "value.h"

/* Integers as reals, or jansson refuses those beyond 64 bits; none is read from its tree. */
#define FLAGS (JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL)

/* What is there, or that something is wrong. */
enum kind { KIND_WRONG, KIND_OBJECT, KIND_OTHER };

static enum kind ask(struct slice text, size_t flags, json_error_t *error)
{
    json_t *tree = json_loadb(text.at, text.len, flags, error);
    if (tree == NULL) {
        return KIND_WRONG;
    }
    enum kind kind = json_is_object(tree) ? KIND_OBJECT : KIND_OTHER;
    json_decref(tree);
    return kind;
}

#ifndef PLAIN_JANSSON
/* Lines of one producer are alike: jansson need not be asked of a form that it has taken. */
static enum kind ask_of_form(struct json_checker *checker, struct slice stripped)
{
    struct buf *known = &checker->forms[stripped.len % FORMS_KNOWN];
    if (slice_equal(buf_slice(known), stripped)) {
        return KIND_OBJECT;
    }
    json_error_t unused;
    enum kind kind = ask(stripped, FLAGS, &unused);
    if (kind == KIND_OBJECT && stripped.len <= FORM_BYTES) {
        known->len = 0;
        buf_add_slice(known, stripped);
    }
    return kind;
}
#endif

/*
 * By the line without its strings and numbers, whose verdict counts when it is good; errors
 * come from the whole line.
 */
static enum kind ask_quickly(struct json_checker *checker, struct slice line)
{
#ifndef PLAIN_JANSSON
    if (prefilter_line(&checker->stripped, line)) {
        return ask_of_form(checker, buf_slice(&checker->stripped));
    }
#else
    (void)checker;
    (void)line;
#endif
    return KIND_WRONG;
}

static bool is_token_byte(char c)
{
    return strchr(" \t\r\n{}[],:\"", c) == NULL;
}

/* The end of the token at `at`: a string, a bare word, or a mark of punctuation. */
static const char *token_end(const char *at, const char *end)
{
    if (*at == '"') {
        for (at++; at < end && *at != '"'; at++) {
            at += *at == '\\' && at + 1 < end;
        }
        return at < end ? at + 1 : end;
    }
    const char *start = at;
    while (at < end && *at != '\0' && is_token_byte(*at)) {
        at++;
    }
    return at > start ? at : start + 1;
}

/* In code points; a byte that is not UTF-8 is one, as in a repaired line. */
static size_t length_of(struct slice token)
{
    size_t n = 0;
    const uint8_t *end = (const uint8_t *)token.at + token.len;
    for (const uint8_t *at = (const uint8_t *)token.at; at < end; n++) {
        unsigned length;
        utf8_decode(at, end, &length);
        at += length;
    }
    return n;
}

/* The token that holds or ends at a column, in code points from 1; *column is its start. */
static struct slice token_at(struct slice line, size_t *column)
{
    const char *end = line.at + line.len;
    size_t start = 1;
    for (const char *at = line.at; at < end;) {
        const char *next = token_end(at, end);
        struct slice token = {at, (size_t)(next - at)};
        size_t length = length_of(token);
        if (start + length > *column) {
            *column = start;
            return token;
        }
        start += length;
        at = next;
    }
    return (struct slice){0};
}

/* jansson's words: what it read, in quotes, or that the text ends, comes after " near ". */
struct words {
    struct slice what;
    const char *quoted; /* NULL: it quotes nothing */
    bool at_end;
};

static struct words words_of(const json_error_t *error)
{
    static const char near[] = " near ";
    const char *after = strstr(error->text, near);
    bool quotes = after != NULL && after[sizeof near - 1] == '\'';
    size_t length = after != NULL ? (size_t)(after - error->text) : strlen(error->text);
    return (struct words){{error->text, length}, quotes ? after : NULL, after != NULL && !quotes};
}

/* jansson was given a line and calls it a file. */
static void add_message(struct buf *out, const struct words *words, enum json_error_code code,
                        struct slice token)
{
    bool more = code == json_error_end_of_input_expected;
    buf_add_slice(out, more ? slice_of("end of line expected") : words->what);
    if (words->at_end) {
        buf_add_string(out, " near end of line");
    } else if (token.len > 0) {
        enum { SHOWN = 40 };
        bool all = token.len <= SHOWN;
        buf_add_format(out, " near '%.*s%s'", all ? (int)token.len : SHOWN, token.at,
                       all ? "" : "...");
    } else if (words->quoted != NULL) {
        buf_add_string(out, words->quoted);
    }
    buf_add_byte(out, '\0');
}

static bool is_about_token(enum json_error_code code)
{
    return code == json_error_invalid_syntax || code == json_error_premature_end_of_input ||
           code == json_error_end_of_input_expected;
}

static int report(struct slice line, struct location where, const json_error_t *error)
{
    struct words words = words_of(error);
    enum json_error_code code = json_error_code(error);
    size_t column = error->column > 0 ? (size_t)error->column : 1;
    size_t start = column;
    struct slice token = {0};
    if (is_about_token(code) && !words.at_end) {
        token = token_at(line, &start);
    }
    const char *hint = hint_for(line, code, token, where.line == 1, where.cut_short, where.skips);
    bool is_string = token.len > 0 && token.at[0] == '"';
    if (is_string && code == json_error_invalid_syntax && !prefilter_accepts(token)) {
        token = (struct slice){0}; /* the fault is inside, where jansson's column is */
    } else if (token.len > 0) {
        column = start;
    }
    struct buf message = {0};
    add_message(&message, &words, code, token);
    diag_input(where.file, where.line, column, "%s%s", message.at, hint);
    buf_free(&message);
    return STATUS_INPUT;
}

/* What jansson would take for an end or for white space. */
static int check_bytes(struct slice text, struct location where)
{
    const char *nul = memchr(text.at, '\0', text.len);
    if (nul != NULL) {
        struct slice before = {text.at, (size_t)(nul - text.at)};
        const char *hint = hint_for_binary(text);
        return diag_input(where.file, where.line, utf8_length(before) + 1, "NUL byte%s",
                          hint != NULL ? hint : "; if this is UTF-16, iconv converts it to UTF-8");
    }
    if (text.len > INT_MAX) {
        return diag_input(where.file, where.line, 0, "longer than 2147483647 bytes");
    }
    return STATUS_OK;
}

static void note_repairs(struct json_checker *checker, struct location where, unsigned repairs)
{
    for (unsigned i = 0; i < REPAIRS; i++) {
        if ((repairs & 1u << i) != 0 && checker->repairs[i].count++ == 0) {
            checker->repairs[i].first = where;
        }
    }
}

/* What jansson says of the line, repaired if it must be; the error is of the last try. */
static enum kind ask_patiently(struct json_checker *checker, struct slice line, unsigned *repairs,
                               json_error_t *error)
{
    enum kind kind = ask(line, FLAGS, error);
    if (kind != KIND_WRONG) {
        return kind;
    }
    unsigned needed = repair_for_checking(&checker->repaired, line);
    if (needed == 0) {
        return KIND_WRONG;
    }
    kind = ask(buf_slice(&checker->repaired), FLAGS, error);
    *repairs = kind == KIND_OBJECT ? needed : 0;
    return kind;
}

int check_line(struct json_checker *checker, struct slice line, struct location where,
               unsigned *repairs)
{
    *repairs = 0;
    int status = check_bytes(line, where);
    if (status != STATUS_OK) {
        return status;
    }
    json_error_t error;
    enum kind kind = ask_quickly(checker, line);
    if (kind == KIND_WRONG) {
        kind = ask_patiently(checker, line, repairs, &error);
    }
    if (kind == KIND_WRONG) {
        return report(line, where, &error);
    }
    if (kind == KIND_OTHER) {
        return diag_input(
            where.file, where.line, 1, "this is an array, not an object%s",
            hint_for(line, json_error_unknown, (struct slice){0}, false, false, where.skips));
    }
    note_repairs(checker, where, *repairs);
    return STATUS_OK;
}

/* As it is, or repaired; the error is of the last try. */
static bool is_json(struct json_checker *checker, struct slice document, json_error_t *error)
{
    if (ask(document, FLAGS | JSON_DECODE_ANY, error) != KIND_WRONG) {
        return true;
    }
    return repair_for_checking(&checker->repaired, document) != 0 &&
           ask(buf_slice(&checker->repaired), FLAGS | JSON_DECODE_ANY, error) != KIND_WRONG;
}

bool check_is_json(struct json_checker *checker, struct slice document)
{
    json_error_t error;
    return memchr(document.at, '\0', document.len) == NULL && document.len <= INT_MAX &&
           is_json(checker, document, &error);
}

bool check_is_several(struct json_checker *checker, struct slice text, struct slice *first)
{
    const size_t flags = FLAGS | JSON_DISABLE_EOF_CHECK;
    json_error_t error;
    bool begins = memchr(text.at, '\0', text.len) == NULL && text.len <= INT_MAX &&
                  (ask(text, flags, &error) != KIND_WRONG ||
                   (repair_for_checking(&checker->repaired, text) != 0 &&
                    ask(buf_slice(&checker->repaired), flags, &error) != KIND_WRONG));
    if (!begins) {
        return false;
    }
    text = repair_object(text);
    *first = value_first(text);
    struct slice rest = slice_trim(slice_from(text, (size_t)(first->at + first->len - text.at)));
    return repair_object(rest).len > 0 && strchr("{[", repair_object(rest).at[0]) != NULL;
}

/* The line with that number, from 1, without its line feed. */
static struct slice line_at(struct slice document, size_t number)
{
    for (const char *feed; number > 1; number--) {
        feed = memchr(document.at, '\n', document.len);
        if (feed == NULL) {
            break;
        }
        document = slice_from(document, (size_t)(feed + 1 - document.at));
    }
    const char *end = memchr(document.at, '\n', document.len);
    return (struct slice){document.at, end != NULL ? (size_t)(end - document.at) : document.len};
}

int check_document(struct json_checker *checker, struct slice document, struct location where)
{
    json_error_t error;
    int status = check_bytes(document, where);
    if (status != STATUS_OK || is_json(checker, document, &error)) {
        return status;
    }
    enum json_error_code code = json_error_code(&error);
    size_t line = error.line > 0 ? (size_t)error.line : 1;
    size_t column = error.column > 0 ? (size_t)error.column : 1;
    size_t start = column;
    size_t position = error.position > 0 ? (size_t)error.position : 0;
    struct slice before = {document.at, position < document.len ? position : document.len};
    struct slice token = {0};
    if (is_about_token(code)) {
        token = token_at(line_at(document, line), &start);
    }
    return diag_input(where.file, where.line + line - 1, column, "%s%s", error.text,
                      hint_for_document(document, before, code, token));
}

void checker_open(struct json_checker *checker)
{
    *checker = (struct json_checker){0};
    /* jansson goes on with a wrong parse when an allocation fails: none may return NULL. */
    json_set_alloc_funcs(mem_alloc, free);
}

void checker_note(struct json_checker *checker, enum repair repair, struct location where)
{
    note_repairs(checker, where, 1u << repair);
}

void checker_warn(const struct json_checker *checker, const char *lines, bool are_written)
{
    for (unsigned i = 0; i < REPAIRS; i++) {
        const struct location *first = &checker->repairs[i].first;
        if (checker->repairs[i].count > 0 && repair_names[i] != NULL) {
            const char *then =
                are_written && i == REPAIR_NAN ? " (bare, it is null in NDJSON output)" : "";
            diag_warn("%s with %s%s: %zu, the first at %s:%zu", lines, repair_names[i], then,
                      checker->repairs[i].count, first->file, first->line);
        }
    }
}

void checker_free(struct json_checker *checker)
{
    buf_free(&checker->stripped);
    for (size_t i = 0; i < FORMS_KNOWN; i++) {
        buf_free(&checker->forms[i]);
    }
    buf_free(&checker->repaired);
}
