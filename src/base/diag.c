/* diag.c: see diag.h. */
#include "diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <utf8proc.h>

#include "cleanup.h"
#include "fd.h"
#include "mem.h"
#include "terminal.h"
#include "utf8.h"

/* Set by diag_open(): main's. */
static struct diag_log *log_in_use;

/* Messages are not worth failing for: what cannot be written is dropped. */
static void write_all(const char *bytes, size_t length)
{
    fd_write(STDERR_FILENO, (struct slice){bytes, length});
}

/* How many bytes a terminal can be given as they are; 0 if the first must be escaped. */
static size_t printable(const char *bytes, size_t length)
{
    unsigned char first = (unsigned char)bytes[0];
    if (first < 0x80) {
        return first >= 0x20 && first != 0x7f ? 1 : 0;
    }
    utf8proc_int32_t code_point;
    utf8proc_ssize_t n =
        utf8proc_iterate((const utf8proc_uint8_t *)bytes, (utf8proc_ssize_t)length, &code_point);
    return n > 0 && code_point >= 0xa0 && !utf8_misleads((uint32_t)code_point) ? (size_t)n : 0;
}

/* Writes the message with its control bytes escaped; out holds 4 bytes for each of in's. */
static size_t escape(char *out, const char *in, size_t length)
{
    static const char hex[] = "0123456789abcdef";
    size_t n = 0;
    for (size_t i = 0; i < length;) {
        size_t plain = printable(in + i, length - i);
        if (plain == 0) {
            unsigned char byte = (unsigned char)in[i++];
            out[n++] = '\\';
            out[n++] = 'x';
            out[n++] = hex[byte >> 4];
            out[n++] = hex[byte & 15];
        }
        while (plain-- > 0) {
            out[n++] = in[i++];
        }
    }
    return n;
}

/* Prints a finished message, or keeps it while messages are held back. */
static void put(const char *message, size_t length)
{
    if (log_in_use != NULL && log_in_use->holds > 0) {
        buf_add(log_in_use->held, message, length);
    } else {
        write_all(message, length);
    }
}

enum kind { ERROR, NOTE, WARNING };

static const char prefix[] = "edgefold: ";
static const char warning[] = "warning: ";

/* Prints a finished message; the first word that says what it is is coloured. */
static void put_kind(enum kind kind, const char *message, size_t length)
{
    static const char *const colours[] = {"\x1b[31m", "", "\x1b[33m"}; /* red, none, yellow */
    static const char plain[] = "\x1b[0m";
    if (kind == WARNING && diag_is_quiet()) {
        return;
    }
    if (kind == NOTE || !terminal_has_colour(STDERR_FILENO)) {
        put(message, length);
        return;
    }
    size_t start = kind == WARNING ? sizeof prefix - 1 : 0;
    size_t end = start + (kind == WARNING ? sizeof warning : sizeof prefix) - 2; /* after its : */
    struct buf coloured = {0};
    buf_add(&coloured, message, start);
    buf_add_string(&coloured, colours[kind]);
    buf_add(&coloured, message + start, end - start);
    buf_add_string(&coloured, plain);
    buf_add(&coloured, message + end, length - end);
    put(coloured.at, coloured.len);
    buf_free(&coloured);
}

/* where is a ready-made "FILE:LINE: " or "warning: ", or nothing. */
static void emit(enum kind kind, const char *where, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int text_length = vsnprintf(NULL, 0, format, args);
    size_t head_length = sizeof prefix - 1 + strlen(where);
    size_t length = head_length + (text_length > 0 ? (size_t)text_length : 0);
    /* The plain text, then what escaping makes of it: at most four bytes for one. */
    char *plain = malloc(5 * length + 2);
    if (plain == NULL) {
        diag_out_of_memory(5 * length + 2);
    }
    snprintf(plain, head_length + 1, "%s%s", prefix, where);
    vsnprintf(plain + head_length, length - head_length + 1, format, again);
    va_end(again);
    char *escaped = plain + length;
    size_t n = escape(escaped, plain, length);
    escaped[n++] = '\n';
    put_kind(kind, escaped, n);
    if (log_in_use != NULL) {
        log_in_use->last->len = 0;
        buf_add(log_in_use->last, escaped + sizeof prefix - 1, n - sizeof prefix);
    }
    free(plain);
}

void diag_open(struct diag_log *log)
{
    *log = (struct diag_log){.last = mem_zeroed(1, sizeof(struct buf)),
                             .held = mem_zeroed(1, sizeof(struct buf)),
                             .warnings = mem_zeroed(1, sizeof(struct buf))};
    log_in_use = log;
}

void diag_close(struct diag_log *log)
{
    log_in_use = NULL;
    buf_free(log->last);
    buf_free(log->held);
    buf_free(log->warnings);
    free(log->last);
    free(log->held);
    free(log->warnings);
}

void diag_scope(const char *scope)
{
    if (log_in_use != NULL) {
        log_in_use->scope = scope;
    }
}

void diag_quieten(void)
{
    if (log_in_use != NULL) {
        log_in_use->quiet = true;
    }
}

bool diag_is_quiet(void)
{
    return log_in_use != NULL && log_in_use->quiet;
}

void diag_take_warnings(struct buf *out)
{
    if (log_in_use != NULL) {
        buf_add_slice(out, buf_slice(log_in_use->warnings));
        log_in_use->warnings->len = 0;
    }
}

struct slice diag_last(void)
{
    return log_in_use != NULL ? buf_slice(log_in_use->last) : slice_of("");
}

size_t diag_hold(void)
{
    if (log_in_use == NULL) {
        return 0;
    }
    log_in_use->holds++;
    return log_in_use->held->len;
}

void diag_release(size_t held, bool print)
{
    if (log_in_use == NULL) {
        return;
    }
    log_in_use->held->len = print ? log_in_use->held->len : held;
    if (--log_in_use->holds == 0 && log_in_use->held->len > 0) {
        write_all(log_in_use->held->at, log_in_use->held->len);
        log_in_use->held->len = 0;
    }
}

void diag_escape(struct buf *out, struct slice text)
{
    out->len += escape(buf_room(out, 4 * text.len), text.at, text.len);
}

int diag_write(struct slice bytes)
{
    if (fd_write(STDERR_FILENO, bytes)) {
        return STATUS_OK;
    }
    return diag_error(STATUS_SYSTEM, "cannot write to standard error: %s", strerror(errno));
}

int diag_error(enum status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    emit(ERROR, log_in_use != NULL && log_in_use->scope != NULL ? log_in_use->scope : "", format,
         args);
    va_end(args);
    return (int)status;
}

int diag_usage(const char *format, ...)
{
    static const char hint[] = "Try 'edgefold --help' for more information.\n";
    va_list args;
    va_start(args, format);
    emit(ERROR, "", format, args);
    va_end(args);
    write_all(hint, sizeof hint - 1);
    return STATUS_USAGE;
}

void diag_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    emit(NOTE, "", format, args);
    va_end(args);
}

void diag_warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    emit(WARNING, warning, format, args);
    va_end(args);
    if (log_in_use != NULL) {
        buf_add_slice(log_in_use->warnings,
                      slice_from(buf_slice(log_in_use->last), sizeof warning - 1));
        buf_add_byte(log_in_use->warnings, '\0');
    }
}

static void emit_at(const char *file, size_t line, size_t column, const char *format, va_list args)
{
    size_t room = strlen(file) + 64;
    char *where = malloc(room);
    if (where == NULL) {
        diag_out_of_memory(room);
    }
    if (column > 0) {
        snprintf(where, room, "%s:%zu:%zu: ", file, line, column);
    } else {
        snprintf(where, room, "%s:%zu: ", file, line);
    }
    emit(ERROR, where, format, args);
    free(where);
}

int diag_input(const char *file, size_t line, size_t column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    emit_at(file, line, column, format, args);
    va_end(args);
    return STATUS_INPUT;
}

int diag_place(enum status status, const char *file, size_t line, size_t column, const char *format,
               ...)
{
    va_list args;
    va_start(args, format);
    emit_at(file, line, column, format, args);
    va_end(args);
    return (int)status;
}

void diag_end(const char *message)
{
    ssize_t written = write(STDERR_FILENO, message, strlen(message));
    (void)written; /* there is nobody else to tell */
    _exit(STATUS_SYSTEM);
}

void diag_out_of_memory(size_t bytes)
{
    char message[96];
    int n =
        snprintf(message, sizeof message, "edgefold: out of memory (%zu bytes asked for)\n", bytes);
    write_all(message, n > 0 ? (size_t)n : 0);
    cleanup_files();
    exit(STATUS_SYSTEM);
}
