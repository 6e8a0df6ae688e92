/* getopts.c: see getopts.h. */
#include "getopts.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "json/path.h"

/* getopt's value for the first row's long form: beyond any letter. */
#define VALUE_BASE 256

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

/* The element of argv that getopt_long has just taken an option from. */
static const char *element_just_parsed(char **argv)
{
    const char *last = argv[optind - 1];
    return optarg != NULL && optarg == last ? argv[optind - 2] : last;
}

/* getopt_long takes --bud for --budget; a later --budget-x would break such scripts. */
static bool is_abbreviated(const struct option_row *row, const char *element)
{
    if (strncmp(element, "--", 2) != 0) {
        return false;
    }
    return strcspn(element + 2, "=") != strlen(row->name);
}

/* row is what getopt made of the element, or NULL; value is what it returned. */
static int report_bad_option(const struct option_row *row, int value, const char *element)
{
    if (row != NULL && is_abbreviated(row, element)) {
        return diag_usage("unknown option '%.*s' (write --%s in full)", (int)strcspn(element, "="),
                          element, row->name);
    }
    if (row != NULL) {
        return diag_usage(value == ':' ? "option --%s needs an argument"
                                       : "option --%s takes no argument",
                          row->name);
    }
    if (optopt != 0) {
        return diag_usage("unknown option '-%c'", optopt);
    }
    return diag_usage("unknown option '%.*s'", (int)strcspn(element, "="), element);
}

static const char *store_path(struct path *path, const char *argument)
{
    path_free(path);
    return path_parse(path, argument);
}

/* Returns NULL, or what the argument should have been. */
static const char *store(const struct option_row *row, void *target, const char *argument)
{
    void *member = (char *)target + row->offset;
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)member = true;
        return NULL;
    case OPTION_COUNT:
        return number_positive(argument, member)
                   ? NULL
                   : "needs a whole number from 1 up that fits 64 bits";
    case OPTION_NUMBER:
        return number_up_to(slice_of(argument), SIZE_MAX, member)
                   ? NULL
                   : "needs a whole number from 0 up that fits 64 bits";
    case OPTION_STRING:
        *(const char **)member = argument;
        return NULL;
    case OPTION_PATH:
        return store_path(member, argument);
    case OPTION_OTHER:
        break;
    }
    return row->set(target, argument);
}

static int take(const struct option_row *row, void *target, char **argv)
{
    const char *element = element_just_parsed(argv);
    if (is_abbreviated(row, element)) {
        return report_bad_option(row, 0, element);
    }
    const char *wrong = store(row, target, optarg);
    return wrong == NULL ? STATUS_OK : diag_usage("--%s '%s' %s", row->name, optarg, wrong);
}

int getopts_parse(const struct option_row *rows, size_t count, void *target, int argc, char **argv,
                  int *operands)
{
    struct tables tables = make_tables(rows, count);
    int status = STATUS_OK;
    int value;
    opterr = 0;
    while (status == STATUS_OK &&
           (value = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1) {
        if (value == '?' || value == ':') {
            const struct option_row *row = row_of(rows, count, optopt);
            status = report_bad_option(row, value, argv[optind - 1]);
        } else {
            status = take(row_of(rows, count, value), target, argv);
        }
    }
    free(tables.longs);
    free(tables.shorts);
    *operands = optind;
    return status;
}

static void print_row(const struct option_row *row)
{
    enum { HELP_COLUMN = 28 };
    int width = row->letter != 0 ? printf("  -%c, --%s", row->letter, row->name)
                                 : printf("      --%s", row->name);
    if (row->argument != NULL) {
        bool optional = takes(row) == optional_argument;
        width += optional ? printf("[=%s", row->argument + 1) : printf("=%s", row->argument);
    }
    if (width >= HELP_COLUMN - 1) {
        putchar('\n');
        width = 0;
    }
    for (const char *line = row->help; line != NULL; width = 0) {
        size_t length = strcspn(line, "\n");
        printf("%*s%.*s\n", HELP_COLUMN - width, "", (int)length, line);
        line = line[length] != '\0' ? line + length + 1 : NULL;
    }
}

void getopts_print_help(const struct option_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].heading != NULL) {
            printf("\n%s:\n", rows[i].heading);
        }
        print_row(&rows[i]);
    }
}
