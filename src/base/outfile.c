/* outfile.c: see outfile.h. */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "diag.h"
#include "fd.h"
#include "mem.h"
#include "number.h"

static int report_failure(const char *name)
{
    return diag_error(STATUS_SYSTEM, "%s: cannot write: %s", name, strerror(errno));
}

static int write_to(const char *name, int fd, struct slice bytes)
{
    if (fd < 0) {
        return report_failure(name);
    }
    bool written = fd_write(fd, bytes);
    int write_errno = errno;
    bool closed = close(fd) == 0;
    errno = written ? errno : write_errno;
    return written && closed ? STATUS_OK : report_failure(name);
}

/* The descriptor that a name of the system's stands for, or -1. */
static int descriptor_of(const char *name)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    size_t fd;
    if (strcmp(name, "/dev/stdout") == 0) {
        return STDOUT_FILENO;
    }
    if (strcmp(name, "/dev/stderr") == 0) {
        return STDERR_FILENO;
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        size_t length = strlen(folders[i]);
        if (strncmp(name, folders[i], length) == 0 &&
            number_up_to(slice_of(name + length), INT_MAX, &fd)) {
            return (int)fd;
        }
    }
    return -1;
}

/* The permissions of a new file: what the mask leaves of reading and writing. */
static mode_t new_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Fills a file that is not yet the named one; false with errno set. */
static bool fill(int fd, mode_t mode, struct slice bytes)
{
    bool filled = fchmod(fd, mode) == 0 && fd_write(fd, bytes);
    int fill_errno = errno;
    bool closed = close(fd) == 0;
    errno = filled ? errno : fill_errno;
    return filled && closed;
}

enum outcome { REPLACED, FAILED, NOT_ALLOWED };

/* Whether it is the folder that does not allow what the file itself may. */
static enum outcome outcome_of(int error)
{
    bool folder = error == EACCES || error == EPERM || error == EROFS || error == EBUSY ||
                  error == ENAMETOOLONG || error == EXDEV;
    return folder ? NOT_ALLOWED : FAILED;
}

/* old: what is there now, or NULL; its owner and permissions are kept where that may be. */
static enum outcome replace(const char *name, const struct stat *old, struct slice bytes)
{
    mode_t mode = old != NULL ? old->st_mode & 07777 : new_mode();
    enum outcome outcome = REPLACED;
    struct buf beside = {0};
    buf_add_string(&beside, name);
    buf_add(&beside, ".XXXXXX", sizeof ".XXXXXX");
    int fd = cleanup_mkstemp(beside.at);
    if (fd >= 0 && old != NULL && fchown(fd, old->st_uid, old->st_gid) != 0) {
        mode &= 0777; /* another's file: it becomes the runner's */
    }
    if (fd < 0) {
        outcome = outcome_of(errno);
    } else if (!fill(fd, mode, bytes)) {
        outcome = FAILED;
    } else if (rename(beside.at, name) != 0) {
        outcome = outcome_of(errno);
    }
    int first_errno = errno;
    if (fd >= 0 && outcome != REPLACED) {
        unlink(beside.at);
    }
    cleanup_keep();
    buf_free(&beside);
    errno = first_errno;
    return outcome;
}

/* Whether an error says that there is no file of the name. */
static bool no_file(int error)
{
    return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG || error == ELOOP;
}

static int write_in_place(const char *name, int how, struct slice bytes)
{
    return write_to(name, open(name, O_WRONLY | O_CREAT | O_NOCTTY | how, new_mode()), bytes);
}

/* What a link says, as seen from where the link is; NULL when it is none, or unknown. */
static char *target_of(const char *path)
{
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0) {
        return NULL;
    }
    target[length] = '\0';
    const char *slash = strrchr(path, '/');
    struct buf whole = {0};
    if (target[0] != '/' && slash != NULL) {
        buf_add(&whole, path, (size_t)(slash + 1 - path));
    }
    buf_add(&whole, target, (size_t)length + 1);
    return whole.at;
}

/*
 * The name that links lead to, of a file that is not there; to be given to free().
 * NULL when that cannot be found out, with errno set.
 */
static char *end_of_links(const char *name)
{
    enum { MOST_LINKS = 40 };
    char *path = mem_alloc(strlen(name) + 1);
    memcpy(path, name, strlen(name) + 1);
    for (int i = 0; i < MOST_LINKS; i++) {
        char *target = target_of(path);
        if (target == NULL && (errno == EINVAL || no_file(errno))) {
            return path;
        }
        int first_errno = errno;
        free(path);
        errno = first_errno;
        if (target == NULL) {
            return NULL;
        }
        path = target;
    }
    free(path);
    errno = ELOOP;
    return NULL;
}

int outfile_write(const char *name, struct slice bytes)
{
    /* Through the descriptor itself, so that what others write there stays in order. */
    int descriptor = descriptor_of(name);
    if (descriptor >= 0) {
        return write_to(name, dup(descriptor), bytes);
    }
    struct stat file;
    bool exists = stat(name, &file) == 0;
    if (!exists && errno != ENOENT) {
        return report_failure(name);
    }
    if (exists && !S_ISREG(file.st_mode)) {
        return write_in_place(name, O_APPEND, bytes);
    }
    /* Through a link, it is the file that is replaced and not the link. */
    char *resolved = exists ? realpath(name, NULL) : end_of_links(name);
    enum outcome outcome = NOT_ALLOWED; /* nor to look for its place */
    if (resolved != NULL) {
        outcome = replace(resolved, exists ? &file : NULL, bytes);
    } else if (!exists) {
        outcome = FAILED;
    }
    free(resolved);
    if (outcome == NOT_ALLOWED) {
        return write_in_place(name, O_TRUNC, bytes);
    }
    return outcome == REPLACED ? STATUS_OK : report_failure(name);
}

/* Which file a name stands for: the file, or the folder and the last part of the name. */
struct identity {
    int error; /* 0, or the errno for which that cannot be said */
    bool known;
    bool exists;
    bool is_regular;
    dev_t dev;
    ino_t ino;
    char *last; /* where there is no file yet */
};

/* Splits off the last part of a path, in place. */
static const char *folder_of(char *path, const char **last)
{
    char *slash = strrchr(path, '/');
    if (slash == NULL) {
        *last = path;
        return ".";
    }
    *last = slash + 1;
    *slash = '\0';
    return slash == path ? "/" : path;
}

static struct identity unknown(int error)
{
    return (struct identity){.error = no_file(error) || error == EACCES ? 0 : error};
}

/* A descriptor's name stands for what is open there. */
static int stat_named(const char *name, struct stat *file)
{
    int descriptor = descriptor_of(name);
    return descriptor >= 0 ? fstat(descriptor, file) : stat(name, file);
}

static struct identity identify(const char *name)
{
    struct stat file;
    if (stat_named(name, &file) == 0) {
        return (struct identity){0,           true,        true, S_ISREG(file.st_mode),
                                 file.st_dev, file.st_ino, NULL};
    }
    char *path = no_file(errno) ? end_of_links(name) : NULL;
    if (path == NULL) {
        return unknown(descriptor_of(name) >= 0 ? ENOENT : errno);
    }
    const char *last;
    const char *folder = folder_of(path, &last);
    struct identity identity;
    if (stat(folder, &file) == 0) {
        identity = (struct identity){0, true, false, true, file.st_dev, file.st_ino, NULL};
        identity.last = mem_alloc(strlen(last) + 1);
        memcpy(identity.last, last, strlen(last) + 1);
    } else {
        identity = unknown(errno);
    }
    free(path);
    return identity;
}

static enum sameness sameness_of(bool same, int error)
{
    errno = error;
    return same ? SAME : error != 0 ? SAME_UNKNOWN : NOT_SAME;
}

enum sameness outfile_is(const char *name, const char *other)
{
    struct identity a = identify(name);
    struct identity b = identify(other);
    bool same = a.known && b.known && a.exists == b.exists && a.is_regular && b.is_regular &&
                a.dev == b.dev && a.ino == b.ino && (a.exists || strcmp(a.last, b.last) == 0);
    free(a.last);
    free(b.last);
    same |= descriptor_of(name) < 0 && strcmp(name, other) == 0;
    return sameness_of(same, a.error != 0 ? a.error : b.error);
}

enum sameness outfile_is_open(const char *name, int fd)
{
    struct stat open_file;
    struct stat file;
    if (fstat(fd, &open_file) != 0 && errno == EBADF) {
        return NOT_SAME;
    }
    bool seen = fstat(fd, &open_file) == 0;
    if (seen && !S_ISREG(open_file.st_mode)) {
        return NOT_SAME;
    }
    if (!seen || stat_named(name, &file) != 0) {
        return sameness_of(false, errno == EBADF ? 0 : unknown(errno).error);
    }
    return sameness_of(file.st_dev == open_file.st_dev && file.st_ino == open_file.st_ino, 0);
}

/*
 * Whether what is written to two descriptors of one regular file stays in order: they
 * share one offset, as after 3>&1, or both append.  The flags are shared with the
 * offset, and waiting is one that a regular file does without: so nobody sees it change.
 */
static bool in_order(int a, int b)
{
    int flags = fcntl(a, F_GETFL);
    int others = fcntl(b, F_GETFL);
    if (a == b || flags == -1 || others == -1 || (flags & others & O_APPEND) != 0) {
        return true;
    }
    if (fcntl(a, F_SETFL, flags ^ O_NONBLOCK) == -1) {
        return true;
    }
    bool shared = ((fcntl(b, F_GETFL) ^ others) & O_NONBLOCK) != 0;
    fcntl(a, F_SETFL, flags);
    return shared;
}

static enum sameness unless_in_order(enum sameness sameness, int a, int b)
{
    bool harmless = sameness == SAME && a >= 0 && b >= 0 && in_order(a, b);
    return harmless ? NOT_SAME : sameness;
}

enum sameness outfile_overwrites(const char *name, const char *other)
{
    return unless_in_order(outfile_is(name, other), descriptor_of(name), descriptor_of(other));
}

enum sameness outfile_overwrites_open(const char *name, int fd)
{
    return unless_in_order(outfile_is_open(name, fd), descriptor_of(name), fd);
}
