/* getopts.c: see getopts.h. */
#include "getopts.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "suggest.h"

/* getopt's value for the first row's long form: beyond any letter. */
#define VALUE_BASE 256

/* Numbers are size_t. */
#if SIZE_MAX > UINT32_MAX
#define FITTING " that fits 64 bits"
#else
#define FITTING " that fits 32 bits"
#endif

struct tables {
    struct option *longs;
    char *shorts;
};

/* In getopt's terms; only a long option's argument can be left out. */
static int takes(const struct option_row *row)
{
    if (row->argument == NULL) {
        return no_argument;
    }
    return row->argument[0] == '[' ? optional_argument : required_argument;
}

static struct tables make_tables(const struct option_row *rows, size_t count)
{
    struct tables tables = {
        .longs = mem_zeroed(count + 1, sizeof *tables.longs),
        .shorts = mem_zeroed(2 * count + 2, 1),
    };
    char *shorts = tables.shorts;
    *shorts++ = ':'; /* tell a missing argument from an unknown option */
    for (size_t i = 0; i < count; i++) {
        int takes_argument = takes(&rows[i]);
        tables.longs[i].name = rows[i].name;
        tables.longs[i].has_arg = takes_argument;
        tables.longs[i].val = VALUE_BASE + (int)i;
        if (rows[i].letter != 0) {
            *shorts++ = rows[i].letter;
            if (takes_argument == required_argument) {
                *shorts++ = ':';
            }
        }
    }
    return tables;
}

static const struct option_row *row_of(const struct option_row *rows, size_t count, int value)
{
    if (value >= VALUE_BASE) {
        return &rows[value - VALUE_BASE];
    }
    for (size_t i = 0; i < count; i++) {
        if (rows[i].letter != 0 && rows[i].letter == value) {
            return &rows[i];
        }
    }
    return NULL;
}

/*
 * The element of argv that getopt_long has just taken a long option from.  Of letters it
 * is another one where more of them follow; and where an argument lacks, optind may be
 * beyond the end.
 */
static const char *element_just_parsed(int argc, char **argv)
{
    const char *last = argv[(optind <= argc ? optind : argc) - 1];
    return optarg != NULL && optarg == last ? argv[optind - 2] : last;
}

/*
 * getopt_long takes --bud for --budget; a later --budget-x would break such scripts.
 * value is what it has for the option, by which long ones are told from letters.
 */
static bool is_abbreviated(const struct option_row *row, int value, const char *element)
{
    return value >= VALUE_BASE && strncmp(element, "--", 2) == 0 &&
           strcspn(element + 2, "=") != strlen(row->name);
}

static int report_abbreviated(const struct option_row *row, const char *element)
{
    return diag_usage("unknown option '%.*s' (write --%s in full)", (int)strcspn(element, "="),
                      element, row->name);
}

/* With the options that may have been meant. */
static int report_unknown(const struct option_row *rows, size_t count, const char *element)
{
    struct buf word = {0};
    struct buf meant = {0};
    buf_add(&word, element, strcspn(element, "="));
    buf_add_byte(&word, '\0');
    suggest_options(&meant, rows, count, word.at + 2);
    int status = meant.len > 0 ? diag_usage("unknown option '%s' (did you mean %.*s?)", word.at,
                                            (int)meant.len, meant.at)
                               : diag_usage("unknown option '%s'", word.at);
    buf_free(&word);
    buf_free(&meant);
    return status;
}

/* row is what getopt made of the element, or NULL; value is what it returned. */
static int report_bad_option(const struct option_row *rows, size_t count,
                             const struct option_row *row, int value, const char *element)
{
    if (row != NULL && is_abbreviated(row, optopt, element)) {
        return report_abbreviated(row, element);
    }
    if (row != NULL) {
        return diag_usage(value == ':' ? "option --%s needs an argument"
                                       : "option --%s takes no argument",
                          row->name);
    }
    if (optopt != 0) {
        return diag_usage("unknown option '-%c'", optopt);
    }
    return report_unknown(rows, count, element);
}

static const char *store_path(struct path *path, const char *argument)
{
    path_free(path);
    return path_parse(path, argument);
}

static const char *store_choice(const struct option_row *row, struct options *options,
                                const char *argument, struct buf *wrong)
{
    size_t unused = 0;
    size_t *number = row->number_at > 0 ? (void *)((char *)options + row->number_at) : &unused;
    return choice_find(row->choices, argument, (void *)((char *)options + row->at), number, wrong);
}

/* Returns NULL, or what the argument should have been, which wrong may hold. */
static const char *store(const struct option_row *row, struct options *options,
                         const char *argument, struct buf *wrong)
{
    void *member = (char *)options + row->at;
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)member = true;
        return NULL;
    case OPTION_TIMES:
        ++*(size_t *)member;
        return NULL;
    case OPTION_COUNT:
        return number_positive(argument, member) ? NULL : "needs a whole number from 1 up" FITTING;
    case OPTION_NUMBER:
        return number_up_to(slice_of(argument), SIZE_MAX, member)
                   ? NULL
                   : "needs a whole number from 0 up" FITTING;
    case OPTION_STRING:
        *(const char **)member = argument;
        return NULL;
    case OPTION_FILE:
        *(const char **)member = argument;
        return argument[0] != '\0' ? NULL : "needs a file";
    case OPTION_ID:
        *(const char **)member = argument;
        return argument[0] != '\0' ? NULL : "needs an id";
    case OPTION_PATH:
        return store_path(member, argument);
    case OPTION_PATHS:
        return path_list_add(member, argument);
    case OPTION_CHOICE:
        return store_choice(row, options, argument, wrong);
    case OPTION_OTHER:
        break;
    }
    return row->set(options, argument);
}

static int take(const struct option_row *row, int value, struct options *options,
                const char *element)
{
    if (is_abbreviated(row, value, element)) {
        return report_abbreviated(row, element);
    }
    struct buf text = {0};
    const char *wrong = store(row, options, optarg, &text);
    int status = wrong == NULL ? STATUS_OK : diag_usage("--%s '%s' %s", row->name, optarg, wrong);
    buf_free(&text);
    return status;
}

int getopts_parse(const struct option_row *rows, size_t count, struct options *options, int argc,
                  char **argv, int *operands)
{
    struct tables tables = make_tables(rows, count);
    int status = STATUS_OK;
    int value;
    opterr = 0;
    while (status == STATUS_OK &&
           (value = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1) {
        const char *element = element_just_parsed(argc, argv);
        if (value == '?' || value == ':') {
            const struct option_row *row = row_of(rows, count, optopt);
            status = report_bad_option(rows, count, row, value, element);
        } else {
            status = take(row_of(rows, count, value), value, options, element);
        }
    }
    free(tables.longs);
    free(tables.shorts);
    *operands = optind;
    return status;
}

/* Where --help explains an option, and where a line of it ends. */
enum { HELP_COLUMN = 28, HELP_WIDTH = 80 };

/* Adds words from a column on, line by line; `column` is where the text so far ends. */
static void add_wrapped(struct buf *out, const char *text, size_t column, size_t indent)
{
    for (const char *word = text; *word != '\0';) {
        size_t length = strcspn(word, " ");
        if (column > indent && column + 1 + length > HELP_WIDTH) {
            buf_add_byte(out, '\n');
            column = 0;
        }
        size_t gap = column < indent ? indent - column : 1;
        for (size_t i = 0; i < gap; i++) {
            buf_add_byte(out, ' ');
        }
        buf_add(out, word, length);
        column += gap + length;
        word += length + (word[length] == ' ');
    }
    buf_add_byte(out, '\n');
}

/* Adds what the names of a choice stand for, each on its line. */
static void add_choices(struct buf *out, const struct choices *choices)
{
    enum { INDENT = 2, NAME_COLUMNS = 12 };
    struct buf line = {0};
    for (size_t i = 0; i < choices->count; i++) {
        const struct choice *choice = choices->row(i);
        bool has_number = choice->number != NULL;
        size_t start = out->len;
        buf_add_format(out, "%*s%s%s%s", HELP_COLUMN + INDENT, "", choice->name,
                       has_number ? ":" : "", has_number ? choice->number : "");
        size_t column = out->len - start;
        line.len = 0;
        bool says_default = strstr(choice->help, "default") != NULL;
        buf_add_format(&line, "%s%s", choice->help, i == 0 && !says_default ? " (default)" : "");
        buf_add_byte(&line, '\0');
        add_wrapped(out, line.at, column, HELP_COLUMN + INDENT + NAME_COLUMNS);
    }
    buf_free(&line);
}

static void add_row(struct buf *out, const struct option_row *row)
{
    size_t start = out->len;
    if (row->letter != 0) {
        buf_add_format(out, "  -%c, --%s", row->letter, row->name);
    } else {
        buf_add_format(out, "      --%s", row->name);
    }
    if (row->argument != NULL) {
        bool optional = takes(row) == optional_argument;
        buf_add_format(out, optional ? "[=%s" : "=%s", row->argument + optional);
    }
    size_t column = out->len - start;
    if (column > HELP_COLUMN - 2) {
        buf_add_byte(out, '\n');
        column = 0;
    }
    add_wrapped(out, row->help, column, HELP_COLUMN);
    if (row->choices != NULL) {
        add_choices(out, row->choices);
    }
}

void getopts_add_help(struct buf *out, const struct option_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].heading != NULL) {
            buf_add_format(out, "\n%s:\n", rows[i].heading);
        }
        add_row(out, &rows[i]);
    }
}

static json_t *show_paths(const struct path_list *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        json_array_append_new(array, tree_string(list->paths[i].written));
    }
    return array;
}

/* A new reference, or NULL for what is not shown. */
static json_t *show(const struct option_row *row, const struct options *options)
{
    const void *member = (const char *)options + row->at;
    if (row->show != NULL) {
        return row->show(options);
    }
    switch (row->kind) {
    case OPTION_FLAG:
        return json_boolean(*(const bool *)member);
    case OPTION_TIMES:
        return tree_number(*(const size_t *)member);
    case OPTION_COUNT:
        return tree_limit(*(const size_t *)member);
    case OPTION_NUMBER:
        return tree_number(*(const size_t *)member);
    case OPTION_STRING:
    case OPTION_FILE:
    case OPTION_ID:
        return tree_string(*(const char *const *)member);
    case OPTION_PATH:
        return tree_string(((const struct path *)member)->written);
    case OPTION_PATHS:
        return show_paths(member);
    case OPTION_CHOICE:
        return tree_string(choice_name(row->choices, *(const size_t *)member));
    case OPTION_OTHER:
        break;
    }
    return NULL;
}

/* The number of a choice that takes one, under the choice's name. */
static void show_number(json_t *object, const struct option_row *row, const struct options *options)
{
    size_t chosen = *(const size_t *)(const void *)((const char *)options + row->at);
    size_t number = *(const size_t *)(const void *)((const char *)options + row->number_at);
    for (size_t i = 0; i < row->choices->count; i++) {
        const struct choice *choice = row->choices->row(i);
        if (choice->number != NULL) {
            tree_set(object, choice->name, tree_limit(i == chosen ? number : 0));
        }
    }
}

json_t *getopts_show(const struct option_row *rows, size_t count, const struct options *options)
{
    json_t *object = json_object();
    struct buf key = {0};
    for (size_t i = 0; i < count; i++) {
        json_t *value = show(&rows[i], options);
        key.len = 0;
        buf_add(&key, rows[i].name, strlen(rows[i].name) + 1);
        for (char *c = key.at; (c = strchr(c, '-')) != NULL;) {
            *c = '_';
        }
        if (value != NULL) {
            tree_set(object, key.at, value);
        }
        if (rows[i].number_at > 0) {
            show_number(object, &rows[i], options);
        }
    }
    buf_free(&key);
    return object;
}

void getopts_free(const struct option_row *rows, size_t count, struct options *options)
{
    for (size_t i = 0; i < count; i++) {
        void *member = (char *)options + rows[i].at;
        if (rows[i].kind == OPTION_PATH) {
            path_free(member);
        } else if (rows[i].kind == OPTION_PATHS) {
            path_list_free(member);
        } else if (rows[i].free != NULL) {
            rows[i].free(options);
        }
    }
}
