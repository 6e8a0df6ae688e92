/* version.c: --version: the program's, its libraries', and the commit that was built. */
#include <jansson.h>
#include <string.h>
#include <utf8proc.h>

#include "cli.h"

/* The Makefile says it in a clone made by git; elsewhere `git archive` has put it here. */
#ifndef VERSION_COMMIT
#define VERSION_COMMIT "$Format:%H$"
#endif
#define SHOWN_OF_COMMIT 12
#define LENGTH_OF_COMMIT 40

/* A commit is followed by a "+" where the tree that was built was not quite its own. */
static void add_commit(struct buf *text, const char *commit)
{
    if (*commit == '\0' || *commit == '$') { /* as it stands above: nothing is known */
        return;
    }
    size_t length = strlen(commit);
    buf_add_format(text, ", commit %.*s%s", SHOWN_OF_COMMIT, commit,
                   length > LENGTH_OF_COMMIT ? commit + LENGTH_OF_COMMIT : "");
}

/* That of the library which is in use, where it says so. */
static const char *version_of_jansson(void)
{
#if JANSSON_VERSION_HEX >= 0x020d00
    return jansson_version_str();
#else
    return JANSSON_VERSION;
#endif
}

int options_write_version(void)
{
    struct buf text = {0};
    buf_add_format(&text, "edgefold %s (jansson %s, utf8proc %s", OUTPUT_VERSION,
                   version_of_jansson(), utf8proc_version());
    add_commit(&text, VERSION_COMMIT);
    buf_add_string(&text, ")\n");
    int status = out_write(&text);
    buf_free(&text);
    return status;
}
