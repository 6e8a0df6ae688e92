/* outfile.c: see outfile.h. */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"
#include "mem.h"

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

static int write_to(const char *name, struct slice bytes)
{
    int fd = open(name, O_WRONLY | O_APPEND | O_NOCTTY);
    if (fd < 0) {
        return report_failure(name);
    }
    bool written = write_all(fd, bytes);
    bool closed = close(fd) == 0;
    return written && closed ? STATUS_OK : report_failure(name);
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

static int replace(const char *name, mode_t mode, struct slice bytes)
{
    struct buf beside = {0};
    buf_add_string(&beside, name);
    buf_add(&beside, ".XXXXXX", sizeof ".XXXXXX");
    int fd = mkstemp(beside.at);
    int status = STATUS_OK;
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
    struct stat file;
    bool exists = stat(name, &file) == 0;
    if (exists && !S_ISREG(file.st_mode)) {
        return write_to(name, bytes);
    }
    /* Through a link, it is the file that is replaced and not the link. */
    char *resolved = exists ? realpath(name, NULL) : NULL;
    int status = replace(resolved != NULL ? resolved : name,
                         exists ? file.st_mode & 07777 : new_mode(), bytes);
    free(resolved);
    return status;
}
