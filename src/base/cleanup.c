/* cleanup.c: see cleanup.h. */
#include "cleanup.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"

/* All that end a program by default, but for those that say that it is broken. */
static const int signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGPIPE, SIGXFSZ,   SIGXCPU, SIGQUIT,
                              SIGALRM, SIGUSR1, SIGUSR2, SIGPROF, SIGVTALRM, SIGSYS};
#define SIGNALS (sizeof signals / sizeof signals[0])

/* A handler can be told nothing, so it is told by these. */
static const char *volatile files_to_remove[CLEANUP_FILES];
static const char *volatile bytes_to_print;
static struct sigaction before[SIGNALS];
static volatile sig_atomic_t installed;

static const char *volatile mapped_at;
static volatile size_t mapped_length;
static const char *volatile mapped_message;

void cleanup_files(void)
{
    for (size_t i = 0; i < CLEANUP_FILES; i++) {
        const char *name = files_to_remove[i];
        if (name != NULL) {
            unlink(name);
        }
    }
}

static void clean(void)
{
    const char *bytes = bytes_to_print;
    cleanup_files();
    if (bytes != NULL) {
        ssize_t written = write(STDERR_FILENO, bytes, strlen(bytes));
        (void)written; /* it dies anyway */
    }
}

static void die_of(int signal)
{
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    sigaction(signal, &by_default, NULL);
    raise(signal);
}

static void clean_and_die(int signal)
{
    clean();
    die_of(signal);
}

/* What is mapped and no longer there is an error like any other; other faults are not. */
static void refuse(int signal, siginfo_t *fault, void *context)
{
    (void)context;
    const char *at = fault->si_addr;
    clean();
    if (mapped_at == NULL || at < mapped_at || (size_t)(at - mapped_at) >= mapped_length) {
        die_of(signal);
        return;
    }
    diag_end(mapped_message);
}

/* A signal that is ignored, or handled by who started the program, stays as it is. */
static void install(void)
{
    struct sigaction action = {.sa_handler = clean_and_die, .sa_flags = (int)SA_RESETHAND};
    for (size_t i = 0; i < SIGNALS && installed == 0; i++) {
        if (sigaction(signals[i], NULL, &before[i]) == 0 && before[i].sa_handler == SIG_DFL) {
            sigaction(signals[i], &action, NULL);
        }
    }
    installed = 1;
}

/* Where a name is kept, or where there is room for one (NULL); CLEANUP_FILES: nowhere. */
static size_t place_of(const char *name)
{
    size_t i = 0;
    while (i < CLEANUP_FILES && files_to_remove[i] != name) {
        i++;
    }
    return i;
}

static bool is_needed(void)
{
    for (size_t i = 0; i < CLEANUP_FILES; i++) {
        if (files_to_remove[i] != NULL) {
            return true;
        }
    }
    return bytes_to_print != NULL;
}

static void restore(void)
{
    if (installed == 0 || is_needed()) {
        return;
    }
    for (size_t i = 0; i < SIGNALS; i++) {
        if (before[i].sa_handler == SIG_DFL) {
            sigaction(signals[i], &before[i], NULL);
        }
    }
    installed = 0;
}

int cleanup_mkstemp(char *name)
{
    sigset_t held;
    sigset_t old;
    size_t place = place_of(NULL);
    if (place == CLEANUP_FILES) {
        errno = EMFILE;
        return -1;
    }
    sigemptyset(&held);
    for (size_t i = 0; i < SIGNALS; i++) {
        sigaddset(&held, signals[i]);
    }
    sigprocmask(SIG_BLOCK, &held, &old);
    int fd = mkstemp(name);
    int first_errno = errno;
    if (fd >= 0) {
        files_to_remove[place] = name;
        install();
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
    errno = first_errno;
    return fd;
}

void cleanup_keep(const char *name)
{
    size_t place = place_of(name);
    if (place < CLEANUP_FILES) {
        files_to_remove[place] = NULL;
    }
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

void cleanup_mapped(const void *from, size_t length, const char *message)
{
    struct sigaction action = {.sa_sigaction = refuse, .sa_flags = SA_SIGINFO};
    if (from == NULL) {
        action = (struct sigaction){.sa_handler = SIG_DFL};
    }
    mapped_at = from;
    mapped_length = length;
    mapped_message = message;
    sigaction(SIGBUS, &action, NULL);
}
