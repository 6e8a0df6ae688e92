/* hint.c: see hint.h. */
#include "hint.h"

#include <stddef.h>
#include <string.h>

#include "path.h"
#include "prefilter.h"
#include "repair.h"
#include "value.h"

static struct slice without_blanks(struct slice line)
{
    while (line.len > 0 && (line.at[0] == ' ' || line.at[0] == '\t')) {
        line.at++;
        line.len--;
    }
    return line;
}

static bool starts(struct slice line, const char *with)
{
    size_t length = strlen(with);
    return line.len >= length && memcmp(line.at, with, length) == 0;
}

/* Whether a JSON array begins the line, and not the tag of a log. */
static bool is_array(struct slice line)
{
    if (!starts(line, "[")) {
        return false;
    }
    line = without_blanks((struct slice){line.at + 1, line.len - 1});
    return line.len == 0 || strchr("{[\"]", line.at[0]) != NULL;
}

/* Whether a comma stands before a closing brace or bracket. */
static bool has_trailing_comma(struct slice line)
{
    bool comma = false;
    for (size_t i = 0; i < line.len; i++) {
        char c = line.at[i];
        if (comma && (c == '}' || c == ']')) {
            return true;
        }
        comma = c == ',' || (comma && (c == ' ' || c == '\t'));
    }
    return false;
}

/* Whether the line ends where a pretty-printed document breaks its lines. */
static bool breaks_off(struct slice line)
{
    while (line.len > 0 && strchr(" \t\r", line.at[line.len - 1]) != NULL) {
        line.len--;
    }
    return line.len > 0 && strchr("{[,", line.at[line.len - 1]) != NULL;
}

/* Whether the line is the first of a table of comma- or tab-separated values. */
static bool is_table_row(struct slice line)
{
    size_t i = 0;
    while (i < line.len &&
           ((line.at[i] >= '0' && line.at[i] <= '9') || line.at[i] == '_' || line.at[i] == '"' ||
            ((line.at[i] | 0x20) >= 'a' && (line.at[i] | 0x20) <= 'z'))) {
        i++;
    }
    return i > 0 && i + 1 < line.len &&
           (line.at[i] == ',' || line.at[i] == '\t' || line.at[i] == ';');
}

/* An array of rows without names, or of values, and not of objects. */
static const char *hint_for_array(struct slice line)
{
    line = without_blanks((struct slice){line.at + 1, line.len - 1});
    return starts(line, "[{")  ? "; lists in a list: edgefold-recipes(7) has jq's filters for them"
           : starts(line, "[") ? "; rows without names become NDJSON by: jq -c '.[] | {id: .[0], "
                                 "text: .[1]}'"
           : starts(line, "\"")
               ? "; a list of texts becomes NDJSON by: jq -c '.[] | {text: .}'"
               : "; --items=. takes it as it is, and jq -c '.[]' makes NDJSON of it";
}

/* What is no JSON at all, by what it begins with; NULL: it may be some. */
static const char *hint_for_other(struct slice text)
{
    static const struct {
        const char *start;
        const char *hint;
    } starts_with[] = {
        {"data:", "; server-sent events become NDJSON by: sed -n 's/^data: *//p'"},
        {"event:", "; server-sent events become NDJSON by: sed -n 's/^data: *//p'"},
        {"//", "; JSON has no comments"},
        {"#", "; JSON has no comments; of text, jq -Rc '{text: .}' makes a chunk a line"},
        {"/*", "; JSON has no comments"},
        {"{'", "; JSON needs double quotes, which Python's json.dumps writes"},
        {"<", "; this is HTML or XML, perhaps the page of an error"},
        {"id:", "; server-sent events become NDJSON by: sed -n 's/^data: *//p'"},
    };
    const char *binary = hint_for_binary(text);
    if (binary != NULL) {
        return binary;
    }
    for (size_t i = 0; i < sizeof starts_with / sizeof starts_with[0]; i++) {
        if (starts(text, starts_with[i].start)) {
            return starts_with[i].hint;
        }
    }
    return NULL;
}

/* By what the line begins with. */
static const char *hint_by_start(struct slice line, enum json_error_code code, struct slice token,
                                 bool first, bool skips)
{
    const char *other = hint_for_other(line);
    if (other != NULL) {
        return other;
    }
    if (is_array(line)) {
        return hint_for_array(line);
    }
    bool log_line = code == json_error_invalid_syntax && !starts(line, "{") &&
                    (!starts(line, "\"") || prefilter_accepts(token));
    if (log_line && starts(line, "\"")) {
        return "; jq makes a chunk of a bare text by {text: .}, and of each in a list by .[] | "
               "{text: .}";
    }
    if (log_line && is_table_row(line)) {
        return "; CSV becomes NDJSON by: mlr --icsv --ojsonl cat (TSV: --itsv)";
    }
    if ((log_line || starts(line, "[")) && skips) {
        return "";
    }
    if (log_line && first) {
        return "; a line must be an object such as {\"text\": \"...\", \"score\": 0.9}; of text, "
               "jq "
               "-Rc '{text: .}' makes one a line, and --skip-invalid passes over a log's";
    }
    if (log_line || starts(line, "[")) {
        return "; if it is a log line between the others, --skip-invalid passes over it";
    }
    return NULL;
}

/* By the token that was not expected. */
static const char *hint_by_token(struct slice token)
{
    static const struct {
        const char *start;
        bool whole;
        const char *hint;
    } tokens[] = {
        {"'", false, "; JSON needs double quotes, which Python's json.dumps writes"},
        {"None", true, "; Python's None is null in JSON: json.dumps writes it so"},
        {"True", true, "; Python's True is true in JSON: json.dumps writes it so"},
        {"False", true, "; Python's False is false in JSON: json.dumps writes it so"},
        {"nan", true, "; a missing score is null in JSON"},
        {"/", false, "; JSON has no comments"},
        {"#", false, "; JSON has no comments"},
    };
    for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++) {
        bool whole = token.len == strlen(tokens[i].start);
        if (starts(token, tokens[i].start) && (whole || !tokens[i].whole)) {
            return tokens[i].hint;
        }
    }
    return NULL;
}

static const char *hint_for_early_end(struct slice line, bool cut_short)
{
    if (cut_short) {
        return "; the input ends in the middle of this line: it was cut off";
    }
    return breaks_off(line)
               ? "; a pretty-printed document becomes NDJSON by: jq -c .; --items=PATH takes an "
                 "array of chunks out of it as it is"
               : "; the line ends too early: it was cut off, or a string in it has a line feed";
}

/* By what follows the object on its line. */
static const char *hint_for_more(struct slice line, struct slice token)
{
    if (starts(token, "{")) {
        return memchr(line.at, '\r', line.len) != NULL
                   ? "; its lines end in CR alone, which becomes LF by: tr '\\r' '\\n'"
                   : "; one object a line: jq -c . splits them";
    }
    return starts(token, ",") ? "; one object a line, without commas between them" : NULL;
}

static const char *hint_by_error(struct slice line, enum json_error_code code, struct slice token,
                                 bool cut_short)
{
    const char *hint = NULL;
    if (code == json_error_premature_end_of_input) {
        return hint_for_early_end(line, cut_short);
    }
    if (code == json_error_invalid_utf8) {
        return "; the line is not UTF-8, iconv converts it";
    }
    if (code == json_error_end_of_input_expected) {
        hint = hint_for_more(line, token);
    }
    if ((starts(token, "}") || starts(token, "]")) && has_trailing_comma(line)) {
        return "; JSON has no comma before a closing brace or bracket";
    }
    if (prefilter_has_bad_escape(token)) {
        return "; a backslash is written twice in JSON";
    }
    return hint != NULL ? hint : hint_by_token(token);
}

const char *hint_for_binary(struct slice bytes)
{
    static const struct {
        const char *start;
        const char *hint;
    } kinds[] = {
        {"\x1f\x8b", "; this is gzip, which gzip -dc unpacks"},
        {"\x28\xb5\x2f\xfd", "; this is Zstandard, which zstd -dc unpacks"},
        {"PK\x03\x04", "; this is a zip archive"},
        {"BZh", "; this is bzip2, which bzip2 -dc unpacks"},
        {"\xfd"
         "7zXZ",
         "; this is xz, which xz -dc unpacks"},
        {"SQLite format 3", "; this is an SQLite database, whose rows sqlite3 -json writes"},
        {"%PDF-", "; this is a PDF, whose text pdftotext takes out"},
        {"PAR1", "; this is Parquet; DuckDB's COPY ... TO writes it as JSON"},
        {"\xff\xfe", "; the line is UTF-16, iconv converts it to UTF-8"},
        {"\xfe\xff", "; the line is UTF-16, iconv converts it to UTF-8"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (starts(bytes, kinds[i].start)) {
            return kinds[i].hint;
        }
    }
    return NULL;
}

const char *hint_for(struct slice line, enum json_error_code code, struct slice token, bool first,
                     bool cut_short, bool skips)
{
    line = without_blanks(repair_object(line));
    const char *hint = hint_by_start(line, code, token, first, skips);
    if (hint == NULL) {
        hint = hint_by_error(line, code, token, cut_short);
    }
    return hint != NULL ? hint : "";
}

/* Whether a comma stands before the last of it, which is a brace or a bracket. */
static bool closes_after_comma(struct slice before)
{
    before.len -= before.len > 0;
    before = slice_trim(before);
    return before.len > 0 && before.at[before.len - 1] == ',';
}

const char *hint_for_document(struct slice document, struct slice before, enum json_error_code code,
                              struct slice token)
{
    struct slice text = slice_trim(repair_object(document));
    const char *hint = hint_for_other(text);
    if (hint != NULL) {
        return hint;
    }
    if (code == json_error_premature_end_of_input) {
        return "; the document ends in the middle: it was cut off";
    }
    if (code == json_error_end_of_input_expected) {
        return starts(token, ",") ? "; with brackets around it, this is an array: sed '1s/^/[/; "
                                    "$s/$/]/'"
                                  : "";
    }
    if (!starts(text, "{") && !starts(text, "[")) {
        return "; a document is an object or an array, such as [{\"text\": \"...\", \"score\": "
               "0.9}]";
    }
    if (starts(token, "}") || starts(token, "]")) {
        return closes_after_comma(before) ? "; JSON has no comma before a closing brace or bracket"
                                          : "";
    }
    if (code == json_error_invalid_utf8) {
        return "; it is not UTF-8, iconv converts it";
    }
    hint = hint_by_error(text, code, token, false);
    return hint != NULL ? hint : "";
}

bool hint_add_api_error(struct buf *out, struct slice object)
{
    static const char *const paths[] = {"error.message", "error.reason",     "error.detail",
                                        "error",         "errors.0.message", "errors.0",
                                        "message",       "detail.0.msg",     "detail",
                                        "fault.message", "status.error",     "msg"};
    enum { MOST = 200 };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct slice value = value_find_written(object, paths[i]);
        if (value_kind_of(value) == VALUE_STRING && value.len > 2) {
            struct buf scratch = {0};
            struct slice says = value_decode(value_inside(value), &scratch);
            buf_add_slice(out, utf8_start(says, MOST));
            buf_free(&scratch);
            return true;
        }
    }
    return false;
}
