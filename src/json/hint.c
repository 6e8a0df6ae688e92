/* hint.c: see hint.h. */
#include "hint.h"

#include <stddef.h>
#include <string.h>

#include "prefilter.h"
#include "repair.h"

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

/* By what the line begins with. */
static const char *hint_by_start(struct slice line, enum json_error_code code, struct slice token)
{
    static const struct {
        const char *start;
        const char *hint;
    } starts_with[] = {
        {"data:", "; server-sent events become NDJSON by: sed -n 's/^data: *//p'"},
        {"event:", "; server-sent events become NDJSON by: sed -n 's/^data: *//p'"},
        {"//", "; JSON has no comments"},
        {"#", "; JSON has no comments"},
        {"/*", "; JSON has no comments"},
        {"{'", "; JSON needs double quotes, which Python's json.dumps writes"},
        {"\xff\xfe", "; the line is UTF-16, iconv converts it to UTF-8"},
        {"\xfe\xff", "; the line is UTF-16, iconv converts it to UTF-8"},
    };
    for (size_t i = 0; i < sizeof starts_with / sizeof starts_with[0]; i++) {
        if (starts(line, starts_with[i].start)) {
            return starts_with[i].hint;
        }
    }
    if (is_array(line)) {
        return "; a JSON array becomes NDJSON by: jq -c '.[]'";
    }
    bool log_line = code == json_error_invalid_syntax && !starts(line, "{") &&
                    (!starts(line, "\"") || prefilter_accepts(token));
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
               ? "; a pretty-printed document becomes NDJSON by: jq -c ."
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

const char *hint_for(struct slice line, enum json_error_code code, struct slice token,
                     bool cut_short)
{
    line = without_blanks(repair_object(line));
    const char *hint = hint_by_start(line, code, token);
    if (hint == NULL) {
        hint = hint_by_error(line, code, token, cut_short);
    }
    return hint != NULL ? hint : "";
}
