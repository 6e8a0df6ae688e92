/* outfile.c: see outfile.h. */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"
#include "mem.h"
#include "number.h"

static int report_failure(const char *name)
{
    return diag_error(STATUS_SYSTEM, "%s: cannot write: %s", name, strerror(errno));
}

static bool write_all(int fd, struct slice bytes)
{
    while (bytes.len > 0) {
        ssize_t written = write(fd, bytes.at, bytes.len);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        if (written > 0) {
            bytes.at += written;
            bytes.len -= (size_t)written;
        }
    }
    return true;
}

static int write_to(const char *name, int fd, struct slice bytes)
{
    if (fd < 0) {
        return report_failure(name);
    }
    bool written = write_all(fd, bytes);
    bool closed = close(fd) == 0;
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
    bool filled = fchmod(fd, mode) == 0 && write_all(fd, bytes);
    int fill_errno = errno;
    bool closed = close(fd) == 0;
    errno = filled ? errno : fill_errno;
    return filled && closed;
}

/* old: what is there now, or NULL; its owner and permissions are kept where that may be. */
static int replace(const char *name, const struct stat *old, struct slice bytes)
{
    mode_t mode = old != NULL ? old->st_mode & 07777 : new_mode();
    struct buf beside = {0};
    buf_add_string(&beside, name);
    buf_add(&beside, ".XXXXXX", sizeof ".XXXXXX");
    int fd = mkstemp(beside.at);
    int status = STATUS_OK;
    if (fd >= 0 && old != NULL && fchown(fd, old->st_uid, old->st_gid) != 0) {
        mode &= 0777; /* another's file: it becomes the runner's */
    }
    if (fd < 0) {
        status = report_failure(name);
    } else if (!fill(fd, mode, bytes) || rename(beside.at, name) != 0) {
        status = report_failure(name);
        unlink(beside.at);
    }
    buf_free(&beside);
    return status;
}

int outfile_write(const char *name, struct slice bytes)
{
    /* Through the descriptor itself, so that what others write there stays in order. */
    int descriptor = descriptor_of(name);
    if (descriptor >= 0) {
        return write_to(name, dup(descriptor), bytes);
    }
    struct stat file;
    struct stat link;
    bool exists = stat(name, &file) == 0;
    bool is_link = lstat(name, &link) == 0 && S_ISLNK(link.st_mode);
    if (exists ? !S_ISREG(file.st_mode) : is_link) {
        return write_to(name, open(name, O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY, new_mode()),
                        bytes);
    }
    /* Through a link, it is the file that is replaced and not the link. */
    char *resolved = exists ? realpath(name, NULL) : NULL;
    int status = replace(resolved != NULL ? resolved : name, exists ? &file : NULL, bytes);
    free(resolved);
    return status;
}

bool outfile_is(const char *name, const char *other)
{
    struct stat a;
    struct stat b;
    if (strcmp(name, other) == 0) {
        return descriptor_of(name) < 0;
    }
    return stat(name, &a) == 0 && stat(other, &b) == 0 && S_ISREG(a.st_mode) &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
