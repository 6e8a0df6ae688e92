/* hint.c: see hint.h. */
#include "hint.h"

#include <stddef.h>
#include <string.h>

#include "path.h"
#include "repair.h"
#include "value.h"

static bool mentions(const char *error, const char *what)
{
    return strstr(error, what) != NULL;
}

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
static const char *hint_by_start(struct slice line, const char *error)
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
    if (mentions(error, "'[' or '{' expected") || starts(line, "[")) {
        return "; if it is a log line between the others, --skip-invalid passes over it";
    }
    return NULL;
}

/* By what jansson stumbled over. */
static const char *hint_by_error(struct slice line, const char *error, bool cut_short)
{
    static const struct {
        const char *near;
        const char *hint;
    } tokens[] = {
        {"near '''", "; JSON needs double quotes, which Python's json.dumps writes"},
        {"near 'None'", "; Python's None is null in JSON: json.dumps writes it so"},
        {"near 'True'", "; Python's True is true in JSON: json.dumps writes it so"},
        {"near 'False'", "; Python's False is false in JSON: json.dumps writes it so"},
        {"near 'nan'", "; a missing score is null in JSON"},
        {"near '/'", "; JSON has no comments"},
        {"near '#'", "; JSON has no comments"},
        {"invalid escape", "; a backslash is written twice in JSON"},
        {"unable to decode", "; the line is not UTF-8, iconv converts it"},
    };
    bool ended_early = mentions(error, "premature end of input") ||
                       (mentions(error, "end of file") && !mentions(error, "end of file expected"));
    if (ended_early && cut_short) {
        return "; the input ends in the middle of this line: it was cut off";
    }
    if (ended_early && breaks_off(line)) {
        return "; a pretty-printed document becomes NDJSON by: jq -c .";
    }
    if (ended_early) {
        return "; the line ends too early: it was cut off, or a string in it has a line feed";
    }
    if (mentions(error, "end of file expected near '{'") &&
        memchr(line.at, '\r', line.len) != NULL) {
        return "; its lines end in CR alone, which becomes LF by: tr '\\r' '\\n'";
    }
    if (mentions(error, "end of file expected near '{'")) {
        return "; one object a line: jq -c . splits them";
    }
    if (mentions(error, "end of file expected near ','")) {
        return "; one object a line, without commas between them";
    }
    if ((mentions(error, "near '}'") || mentions(error, "near ']'")) && has_trailing_comma(line)) {
        return "; JSON has no comma before a closing brace or bracket";
    }
    for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++) {
        if (mentions(error, tokens[i].near)) {
            return tokens[i].hint;
        }
    }
    return NULL;
}

const char *hint_for(struct slice line, const char *error, bool cut_short)
{
    line = without_blanks(repair_object(line));
    const char *hint = hint_by_start(line, error);
    if (hint == NULL) {
        hint = hint_by_error(line, error, cut_short);
    }
    return hint != NULL ? hint : "";
}

const char *hint_for_object(struct slice object)
{
    static const struct {
        const char *path;
        const char *hint;
    } lists[] = {
        {"hits.hits", "; this is a whole response: jq -c '.hits.hits[]' takes the chunks out"},
        {"hits", "; this is a whole response: jq -c '.hits[]' takes the chunks out"},
        {"result.points", "; this is a whole response: jq -c '.result.points[]' takes them out"},
        {"result", "; this is a whole response: jq -c '.result[]' takes the chunks out"},
        {"results", "; this is a whole response: jq -c '.results[]' takes the chunks out; a "
                    "reranker's goes to --rescore"},
        {"matches", "; this is a whole response: jq -c '.matches[]' takes the chunks out"},
        {"data", "; this is a whole response: jq -c '.data[]' takes the chunks out; a reranker's "
                 "goes to --rescore"},
        {"documents", "; this is a whole response, see edgefold-recipes(7)"},
        {"ctxs", "; this is a question with its chunks: jq -c '.ctxs[]' takes them out"},
        {"value", "; this is a whole response: jq -c '.value[]' takes the chunks out"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        struct path path;
        path_parse(&path, lists[i].path);
        bool found = value_kind_of(value_find(object, &path)) == VALUE_ARRAY;
        path_free(&path);
        if (found) {
            return lists[i].hint;
        }
    }
    return "; --text=PATH names it";
}
