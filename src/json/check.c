/* check.c: see check.h. */
#include "check.h"

#include <jansson.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "hint.h"
#include "prefilter.h"

/* Integers as reals, or jansson refuses those beyond 64 bits; none is read from its tree. */
#define FLAGS (JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL)

/* A verdict: what is there, or what is wrong. */
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

/* By the skeleton, whose verdict counts when it is good; errors come from the whole line. */
static enum kind ask_quickly(struct json_checker *judge, struct slice line)
{
#ifndef PLAIN_JANSSON
    json_error_t unused;
    if (prefilter_line(&judge->skeleton, line)) {
        return ask(buf_slice(&judge->skeleton), FLAGS, &unused);
    }
#else
    (void)judge;
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

/* The token that holds or ends at a column, in code points from 1; *column is its start. */
static struct slice token_at(struct slice line, size_t *column)
{
    const char *end = line.at + line.len;
    size_t start = 1;
    for (const char *at = line.at; at < end;) {
        const char *next = token_end(at, end);
        struct slice token = {at, (size_t)(next - at)};
        size_t length = utf8_length(token);
        if (start + length > *column) {
            *column = start;
            return token;
        }
        start += length;
        at = next;
    }
    return (struct slice){0};
}

/* Adds jansson's words with the line's own token, where it quotes one or has left it out. */
static void add_message(struct buf *out, struct slice line, const json_error_t *error,
                        size_t *column)
{
    static const char file[] = "end of file";
    const char *near = strstr(error->text, " near '");
    bool about_token = strstr(error->text, "expected") != NULL ||
                       strstr(error->text, "invalid token") != NULL ||
                       strstr(error->text, "premature end") != NULL;
    const char *text_end = near != NULL ? near : error->text + strlen(error->text);
    size_t start = *column;
    struct slice token = {0};
    if (about_token && strstr(error->text, "near end of file") == NULL) {
        token = token_at(line, &start);
    }
    /* jansson was given a line and calls it a file. */
    const char *as_file = strstr(error->text, file);
    if (as_file != NULL && as_file < text_end) {
        buf_add(out, error->text, (size_t)(as_file - error->text));
        buf_add_string(out, "end of line");
        as_file += sizeof file - 1;
        buf_add(out, as_file, (size_t)(text_end - as_file));
    } else {
        buf_add(out, error->text, (size_t)(text_end - error->text));
    }
    if (token.len > 0) {
        enum { SHOWN = 40 };
        bool all = token.len <= SHOWN;
        *column = start;
        buf_add_format(out, " near '%.*s%s'", all ? (int)token.len : SHOWN, token.at,
                       all ? "" : "...");
    } else if (near != NULL) {
        buf_add_string(out, near);
    }
}

static int report(struct slice line, struct location place, const json_error_t *error)
{
    struct buf message = {0};
    size_t column = error->column > 0 ? (size_t)error->column : 1;
    add_message(&message, line, error, &column);
    buf_add_byte(&message, '\0');
    diag_input(place.file, place.line, column, "%s%s", message.at,
               hint_for(line, error->text, place.cut_short));
    buf_free(&message);
    return STATUS_INPUT;
}

/* What jansson would take for an end or for white space. */
static int check_bytes(struct slice text, struct location place)
{
    const char *nul = memchr(text.at, '\0', text.len);
    if (nul != NULL) {
        struct slice before = {text.at, (size_t)(nul - text.at)};
        return diag_input(place.file, place.line, utf8_length(before) + 1, "NUL byte%s",
                          "; if this is UTF-16, iconv converts it to UTF-8");
    }
    if (text.len > INT_MAX) {
        return diag_input(place.file, place.line, 0, "longer than 2147483647 bytes");
    }
    return STATUS_OK;
}

static void note_repairs(struct json_checker *judge, struct location place, unsigned repairs)
{
    for (unsigned i = 0; i < REPAIRS; i++) {
        if ((repairs & 1u << i) != 0 && judge->repairs[i].count++ == 0) {
            judge->repairs[i].first = place;
        }
    }
}

/* What jansson says of the line, mended if it must be; the error is of the last try. */
static enum kind ask_patiently(struct json_checker *judge, struct slice line, unsigned *repairs,
                               json_error_t *error)
{
    enum kind kind = ask(line, FLAGS, error);
    if (kind != KIND_WRONG) {
        return kind;
    }
    unsigned needed = repair_for_checking(&judge->mended, line);
    if (needed == 0) {
        return KIND_WRONG;
    }
    kind = ask(buf_slice(&judge->mended), FLAGS, error);
    *repairs = kind == KIND_OBJECT ? needed : 0;
    return kind;
}

int check_line(struct json_checker *judge, struct slice line, struct location place,
               unsigned *repairs)
{
    *repairs = 0;
    int status = check_bytes(line, place);
    if (status != STATUS_OK) {
        return status;
    }
    json_error_t error;
    enum kind kind = ask_quickly(judge, line);
    if (kind == KIND_WRONG) {
        kind = ask_patiently(judge, line, repairs, &error);
    }
    if (kind == KIND_WRONG) {
        return report(line, place, &error);
    }
    if (kind == KIND_OTHER) {
        return diag_input(place.file, place.line, 1, "this is an array, not an object%s",
                          hint_for(line, "", false));
    }
    note_repairs(judge, place, *repairs);
    return STATUS_OK;
}

int check_document(struct json_checker *judge, struct slice document, struct location place)
{
    json_error_t error;
    int status = check_bytes(document, place);
    if (status != STATUS_OK) {
        return status;
    }
    if (ask(document, FLAGS | JSON_DECODE_ANY, &error) != KIND_WRONG) {
        return STATUS_OK;
    }
    unsigned repairs = repair_for_checking(&judge->mended, document);
    if (repairs != 0 &&
        ask(buf_slice(&judge->mended), FLAGS | JSON_DECODE_ANY, &error) != KIND_WRONG) {
        return STATUS_OK;
    }
    size_t line = error.line > 0 ? (size_t)error.line : 1;
    return diag_input(place.file, line, error.column > 0 ? (size_t)error.column : 1, "%s",
                      error.text);
}

void checker_open(struct json_checker *judge)
{
    *judge = (struct json_checker){0};
    /* jansson goes on with a wrong parse when an allocation fails: none may return NULL. */
    json_set_alloc_funcs(mem_alloc, free);
}

void checker_warn(const struct json_checker *judge)
{
    for (unsigned i = 0; i < REPAIRS; i++) {
        const struct location *first = &judge->repairs[i].first;
        if (judge->repairs[i].count > 0 && repair_names[i] != NULL) {
            diag_warn("lines with %s: %zu, the first at %s:%zu", repair_names[i],
                      judge->repairs[i].count, first->file, first->line);
        }
    }
}

void checker_free(struct json_checker *judge)
{
    buf_free(&judge->skeleton);
    buf_free(&judge->mended);
}
