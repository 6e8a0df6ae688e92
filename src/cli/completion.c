/* completion.c: see completion.h. */
#include "completion.h"

#include <stdlib.h>
#include <string.h>

#include "completion_scripts.h"
#include "tokens/tokens.h"

static const struct {
    const char *name;
    const char *script; /* NULL: the words that the scripts ask for */
    const char *help;
} kinds[] = {
    {"bash", bash_script, "for bash-completion's folder, or to be sourced"},
    {"zsh", zsh_script, "as _edgefold for a folder of fpath, or to be sourced"},
    {"fish", fish_script, "for fish's folder of completions, or to be sourced"},
    {"words", NULL, NULL},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

/* What is at the cursor. */
struct position {
    bool after_dashes;               /* "--" stands before it */
    bool in_argument;                /* of an option, the row or an unknown one */
    const struct option_row *option; /* whose argument it is, or NULL */
    const char *value;               /* what there is of it */
    size_t before;                   /* bytes of its word that stand before it */
    const bool *given;               /* by their rows, the options before it */
};

enum looked_for { WORDS = 1, FILES = 2 };

bool completion_knows(const char *name)
{
    for (size_t i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool must_have_argument(const struct option_row *row)
{
    return row->argument != NULL && row->argument[0] != '[';
}

/* The row of a long option, the argument left out; its index, or count. */
static size_t find_long(const struct option_row *rows, size_t count, struct slice name)
{
    size_t i = 0;
    while (i < count && !slice_equal(slice_of(rows[i].name), name)) {
        i++;
    }
    return i;
}

static size_t find_letter(const struct option_row *rows, size_t count, char letter)
{
    size_t i = 0;
    while (i < count && (rows[i].letter == 0 || rows[i].letter != letter)) {
        i++;
    }
    return i;
}

/*
 * Goes through a word as getopt does.  Where an argument begins in it, position->value is
 * set; where the next word must be one, position->option alone.
 */
static void take_word(const struct option_row *rows, size_t count, const char *word, bool *given,
                      struct position *position)
{
    position->option = NULL;
    position->value = NULL;
    if (position->after_dashes || word[0] != '-' || word[1] == '\0') {
        return;
    }
    if (word[1] == '-') {
        const char *name = word + 2;
        size_t length = strcspn(name, "=");
        size_t i = find_long(rows, count, (struct slice){name, length});
        position->after_dashes = *name == '\0';
        position->value = name[length] == '=' ? name + length + 1 : NULL;
        if (i < count) {
            given[i] = true;
            bool takes = must_have_argument(&rows[i]) ||
                         (rows[i].argument != NULL && position->value != NULL);
            position->option = takes ? &rows[i] : NULL;
        }
        return;
    }
    for (const char *letter = word + 1; *letter != '\0'; letter++) {
        size_t i = find_letter(rows, count, *letter);
        if (i == count) {
            return;
        }
        given[i] = true;
        if (must_have_argument(&rows[i])) {
            position->option = &rows[i];
            position->value = letter[1] != '\0' ? letter + 1 : NULL;
            return;
        }
    }
}

/* given has a place for each row. */
static struct position find_position(const struct option_row *rows, size_t count,
                                     const char *const *words, size_t word_count, bool *given)
{
    struct position position = {.given = given};
    const char *last = word_count > 0 ? words[word_count - 1] : "";
    const struct option_row *awaits = NULL;
    for (size_t i = 0; i + 1 < word_count; i++) {
        if (awaits != NULL) {
            awaits = NULL;
            continue;
        }
        take_word(rows, count, words[i], given, &position);
        awaits = position.value == NULL ? position.option : NULL;
    }
    if (awaits != NULL) {
        position.option = awaits;
        position.in_argument = true;
        position.value = last;
        return position;
    }
    bool *unused = mem_zeroed(count, sizeof *unused); /* it is not given yet */
    bool ended = position.after_dashes;
    take_word(rows, count, last, unused, &position);
    free(unused);
    position.after_dashes = ended;
    position.in_argument = position.value != NULL;
    position.value = position.in_argument ? position.value : last;
    position.before = (size_t)(position.value - last);
    return position;
}

/* A word and what it is, where it can be shown in a line. */
static void add_word(struct buf *out, const char *word, const char *end, const char *help)
{
    if (word[0] != '\0' && strpbrk(word, "\t\n\r") == NULL) {
        buf_add_format(out, "%s%s\t%s\n", word, end, help);
    }
}

static void add_choices(struct buf *out, const struct choices *choices)
{
    for (size_t i = 0; i < choices->count; i++) {
        const struct choice *choice = choices->row(i);
        add_word(out, choice->name, choice->number != NULL ? ":" : "", choice->help);
    }
}

static void add_counter(void *out, const char *name, const char *help)
{
    add_word(out, name, "", help);
}

/* What an argument can be is told by what --help calls it. */
static int add_argument(struct buf *out, struct position *position)
{
    const char *argument = position->option->argument;
    if (position->option->choices != NULL) {
        add_choices(out, position->option->choices);
        return WORDS;
    }
    if (strcmp(argument, "FILE") == 0) {
        return FILES;
    }
    if (strcmp(argument, "METHOD") == 0) {
        counter_list(add_counter, out);
        return WORDS | FILES;
    }
    if (strcmp(argument, "VOCAB") == 0) {
        tokens_list_vocabularies(add_counter, out);
        return WORDS | FILES;
    }
    if (strcmp(argument, "TEXT|@FILE") == 0) {
        bool in_file = position->value[0] == '@';
        position->before += in_file;
        position->value += in_file;
        add_word(out, in_file ? "" : "@", "", "the text in a file");
        return in_file ? FILES : WORDS;
    }
    if (strcmp(argument, "SHELL") == 0) {
        for (size_t i = 0; i < KINDS && kinds[i].help != NULL; i++) {
            add_word(out, kinds[i].name, "", kinds[i].help);
        }
        return WORDS;
    }
    size_t literal = strcspn(argument, "[:=,");
    if (argument[0] >= 'a' && argument[0] <= 'z') { /* not a name, but what is written */
        buf_add_format(out, "%.*s\t%s\n", (int)literal, argument, position->option->help);
        return WORDS;
    }
    return 0;
}

/* One line, whatever --help makes of it. */
static void add_option(struct buf *out, const char *name, const char *end, const char *help)
{
    buf_add_format(out, "%s%s\t", name, end);
    for (const char *c = help; *c != '\0'; c++) {
        buf_add_byte(out, *c == '\n' ? ' ' : *c);
    }
    buf_add_byte(out, '\n');
}

/* The options that can still be given; with letters those too. */
static void add_options(struct buf *out, const struct option_row *rows, size_t count,
                        const struct position *position)
{
    bool letters = position->value[1] != '-';
    for (size_t i = 0; i < count; i++) {
        const struct option_row *row = &rows[i];
        if (position->given[i] && row->kind != OPTION_PATHS && !row->repeats) {
            continue;
        }
        if (letters && row->letter != 0) {
            const char letter[] = {'-', row->letter, '\0'};
            add_option(out, letter, "", row->help);
        }
        buf_add_string(out, "--");
        add_option(out, row->name, must_have_argument(row) ? "=" : "", row->help);
    }
}

/* Fills out with the words, and says what is looked for. */
static int add_words(struct buf *out, const struct option_row *rows, size_t count,
                     struct position *position)
{
    if (position->in_argument) {
        return position->option != NULL ? add_argument(out, position) : 0;
    }
    if (position->after_dashes || position->value[0] != '-') {
        return FILES;
    }
    add_options(out, rows, count, position);
    return WORDS;
}

void completion_add(struct buf *out, const char *name, const struct option_row *rows,
                    size_t row_count, const char *const *words, size_t word_count)
{
    static const char *const names[] = {"none", "words", "files", "both"};
    for (size_t i = 0; i < KINDS; i++) {
        if (kinds[i].script != NULL && strcmp(kinds[i].name, name) == 0) {
            buf_add_string(out, kinds[i].script);
            return;
        }
    }
    struct buf found = {0};
    bool *given = mem_zeroed(row_count, sizeof *given);
    struct position position = find_position(rows, row_count, words, word_count, given);
    int looked_for = add_words(&found, rows, row_count, &position);
    buf_add_format(out, "%s\t%.*s\n", names[looked_for], (int)position.before,
                   word_count > 0 ? words[word_count - 1] : "");
    buf_add_slice(out, buf_slice(&found));
    buf_free(&found);
    free(given);
}
