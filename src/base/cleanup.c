/* cleanup.c: see cleanup.h. */
#include "cleanup.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGXCPU, SIGQUIT};
#define SIGNALS (sizeof signals / sizeof signals[0])

/* A handler can be told nothing, so it is told by these. */
static const char *volatile file_to_remove;
static const char *volatile bytes_to_print;
static struct sigaction before[SIGNALS];
static volatile sig_atomic_t installed;

static void clean(int signal)
{
    const char *name = file_to_remove;
    const char *bytes = bytes_to_print;
    if (name != NULL) {
        unlink(name);
    }
    if (bytes != NULL) {
        ssize_t written = write(STDERR_FILENO, bytes, strlen(bytes));
        (void)written; /* it dies anyway */
    }
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    sigaction(signal, &by_default, NULL);
    raise(signal);
}

/* A signal that is ignored, or handled by who started the program, stays as it is. */
static void install(void)
{
    struct sigaction action = {.sa_handler = clean, .sa_flags = (int)SA_RESETHAND};
    for (size_t i = 0; i < SIGNALS && installed == 0; i++) {
        if (sigaction(signals[i], NULL, &before[i]) == 0 && before[i].sa_handler == SIG_DFL) {
            sigaction(signals[i], &action, NULL);
        }
    }
    installed = 1;
}

static void restore(void)
{
    if (installed == 0 || file_to_remove != NULL || bytes_to_print != NULL) {
        return;
    }
    for (size_t i = 0; i < SIGNALS; i++) {
        if (before[i].sa_handler == SIG_DFL) {
            sigaction(signals[i], &before[i], NULL);
        }
    }
    installed = 0;
}

void cleanup_remove(const char *name)
{
    file_to_remove = name;
    install();
}

void cleanup_keep(void)
{
    file_to_remove = NULL;
    restore();
}

void cleanup_print(const char *bytes)
{
    bytes_to_print = bytes;
    if (bytes != NULL) {
        install();
    } else {
        restore();
    }
}
