/* fd.c: see fd.h. */
#include "fd.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

bool fd_retry(int fd, short events)
{
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
        struct pollfd wait = {.fd = fd, .events = events};
        poll(&wait, 1, -1);
        return true;
    }
    return errno == EINTR;
}

bool fd_write(int fd, struct slice bytes)
{
    while (bytes.len > 0) {
        ssize_t written = write(fd, bytes.at, bytes.len);
        if (written < 0 && !fd_retry(fd, POLLOUT)) {
            return false;
        }
        bytes = written > 0 ? slice_from(bytes, (size_t)written) : bytes;
    }
    return true;
}

int fd_clear_of_streams(int fd)
{
    if (fd > STDERR_FILENO) {
        return fd;
    }
    int moved = fcntl(fd, F_DUPFD, STDERR_FILENO + 1);
    int first_errno = errno;
    close(fd);
    errno = first_errno;
    return moved;
}
