/* suggest.c: see suggest.h. */
#include "suggest.h"

#include <stdbool.h>
#include <string.h>

/* More names than that are no suggestion, and of shorter words there are always more. */
enum { MOST_NAMES = 3, LEAST_START = 3 };

static bool starts(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static void add_name(struct buf *out, const char *name, size_t index, size_t count)
{
    buf_add_string(out, index == 0 ? "--" : index + 1 < count ? ", --" : " or --");
    buf_add_string(out, name);
}

/*
 * The options that begin with the word, an abbreviation that fits several: the shortest
 * alone where the others go on from it, as --question-file does from --question.
 */
static bool suggest_longer(struct buf *out, const struct option_row *rows, size_t count,
                           const char *word)
{
    const char *found[MOST_NAMES];
    const char *shortest = NULL;
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (!starts(rows[i].name, word)) {
            continue;
        }
        if (n < MOST_NAMES) {
            found[n] = rows[i].name;
        }
        n++;
        if (shortest == NULL || strlen(rows[i].name) < strlen(shortest)) {
            shortest = rows[i].name;
        }
    }
    size_t from_shortest = 0;
    for (size_t i = 0; i < count && shortest != NULL; i++) {
        from_shortest += starts(rows[i].name, shortest);
    }
    if (n == 0 || strlen(word) < LEAST_START || (n > MOST_NAMES && from_shortest < n)) {
        return false;
    }
    if (from_shortest == n) {
        found[0] = shortest;
        n = 1;
    }
    for (size_t i = 0; i < n; i++) {
        add_name(out, found[i], i, n);
    }
    return true;
}

/* The longest option that the word goes on from, as --top-k does from --top. */
static bool suggest_shorter(struct buf *out, const struct option_row *rows, size_t count,
                            const char *word)
{
    const char *found = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *name = rows[i].name;
        if (starts(word, name) && word[strlen(name)] == '-' &&
            (found == NULL || strlen(name) > strlen(found))) {
            found = name;
        }
    }
    if (found != NULL) {
        add_name(out, found, 0, 1);
    }
    return found != NULL;
}

static void suggest_nearest(struct buf *out, const struct option_row *rows, size_t count,
                            const char *word)
{
    const char *found = NULL;
    size_t best = choice_most_slips(word) + 1;
    for (size_t i = 0; i < count; i++) {
        size_t distance = choice_distance(word, rows[i].name);
        if (distance < best) {
            best = distance;
            found = rows[i].name;
        }
    }
    if (found != NULL) {
        add_name(out, found, 0, 1);
    }
}

void suggest_options(struct buf *out, const struct option_row *rows, size_t count, const char *word)
{
    if (!suggest_longer(out, rows, count, word) && !suggest_shorter(out, rows, count, word)) {
        suggest_nearest(out, rows, count, word);
    }
}
