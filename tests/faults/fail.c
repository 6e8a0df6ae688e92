/*
 * fail.c: makes chosen calls of a program fail; a library to be preloaded.
 *
 *     FAIL=CALL:N:HOW[ CALL:N:HOW]... LD_PRELOAD=build/fail.so edgefold ...
 *
 * The N-th call of CALL fails with the error HOW (ENOMEM, EIO and so on), or is cut
 * short: read, write and writev then take less than they were given.  N+ is each call
 * from the N-th on.  A close of what is not only read is a call of close_written.  "CALL
 * N" is written to the descriptor FAIL_FD as the N-th call is made: whoever tries one N
 * after the other learns from it when there are no more.
 *
 * Seen are the calls of the program and its libraries.  The C library makes its own
 * without asking, but for those for memory.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Who is tried again for ever dies of SIGALRM after so many seconds. */
#define PATIENCE 20

#define SHORT (-1)

/* What is to become of one function's calls. */
struct plan {
    char call[16];
    char how[16];
    unsigned long at;
    unsigned long seen;
    bool onwards;
    int error; /* or SHORT */
};

static struct plan plans[4];
static size_t plan_count;

static int error_named(const char *name)
{
    static const struct {
        const char *name;
        int error;
    } errors[] = {
        {"EACCES", EACCES}, {"EAGAIN", EAGAIN}, {"EBADF", EBADF},   {"EBUSY", EBUSY},
        {"EINTR", EINTR},   {"EINVAL", EINVAL}, {"EIO", EIO},       {"EMFILE", EMFILE},
        {"ENOMEM", ENOMEM}, {"ENOSPC", ENOSPC}, {"ENOTTY", ENOTTY}, {"EPERM", EPERM},
        {"EROFS", EROFS},   {"EXDEV", EXDEV},   {"short", SHORT},
    };
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        if (strcmp(name, errors[i].name) == 0) {
            return errors[i].error;
        }
    }
    return 0;
}

/* A plan that is not understood would make every test succeed. */
static void refuse(const char *text)
{
    fprintf(stderr, "fail.so: FAIL='%s' is not understood\n", text);
    _exit(125);
}

/* Runs before the program and allocates nothing. */
__attribute__((constructor)) static void read_plans(void)
{
    const char *text = getenv("FAIL");
    const char *at = text != NULL ? text : "";
    while (*at != '\0') {
        struct plan plan = {.seen = 0};
        int length = 0;
        if (plan_count == sizeof plans / sizeof plans[0] ||
            sscanf(at, "%15[a-z0-9_]:%lu%n", plan.call, &plan.at, &length) != 2) {
            refuse(text);
        }
        at += length;
        plan.onwards = *at == '+';
        at += plan.onwards;
        length = 0;
        if (sscanf(at, ":%15[A-Za-z]%n", plan.how, &length) != 1) {
            refuse(text);
        }
        plan.error = error_named(plan.how);
        if (plan.error == 0) {
            refuse(text);
        }
        plans[plan_count++] = plan;
        at += length;
        at += strspn(at, " ");
    }
    alarm(PATIENCE);
}

/* Finds the function that a wrapper stands for; ISO C has no cast for it. */
static void find(void *next, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(next, &found, sizeof found);
}

static ssize_t plain_write(int fd, const void *bytes, size_t length)
{
    static ssize_t (*next)(int, const void *, size_t);
    if (next == NULL) {
        find(&next, "write");
    }
    return next(fd, bytes, length);
}

static void tell(const struct plan *plan)
{
    const char *fd = getenv("FAIL_FD");
    char line[48];
    int length = snprintf(line, sizeof line, "%s %lu\n", plan->call, plan->at);
    if (fd != NULL && plain_write(atoi(fd), line, (size_t)length) != length) {
        refuse("FAIL_FD");
    }
}

/* What is to become of this call: 0, SHORT, or an error that is in errno then, too. */
static int next_failure(const char *call)
{
    int kept = errno;
    int failure = 0;
    for (size_t i = 0; i < plan_count; i++) {
        struct plan *plan = &plans[i];
        if (strcmp(plan->call, call) != 0) {
            continue;
        }
        plan->seen++;
        if (plan->seen == plan->at) {
            tell(plan);
        }
        if (plan->seen == plan->at || (plan->onwards && plan->seen > plan->at)) {
            failure = plan->error;
        }
    }
    errno = failure > 0 ? failure : kept;
    return failure;
}

/* A function that fails without having done anything. */
#define INTERPOSE(type, name, failed, parameters, arguments)                                       \
    type name parameters                                                                           \
    {                                                                                              \
        static type(*next) parameters;                                                             \
        if (next_failure(#name) != 0) {                                                            \
            return failed;                                                                         \
        }                                                                                          \
        if (next == NULL) {                                                                        \
            find(&next, #name);                                                                    \
        }                                                                                          \
        return next arguments;                                                                     \
    }

INTERPOSE(int, dup, -1, (int fd), (fd))
INTERPOSE(int, fchmod, -1, (int fd, mode_t mode), (fd, mode))
INTERPOSE(int, fchown, -1, (int fd, uid_t owner, gid_t group), (fd, owner, group))
INTERPOSE(int, fstat, -1, (int fd, struct stat *status), (fd, status))
INTERPOSE(int, lstat, -1, (const char *path, struct stat *status), (path, status))
INTERPOSE(int, mkstemp, -1, (char *name), (name))
INTERPOSE(void *, mmap, MAP_FAILED,
          (void *at, size_t length, int protection, int flags, int fd, off_t offset),
          (at, length, protection, flags, fd, offset))
INTERPOSE(int, munmap, -1, (void *at, size_t length), (at, length))
INTERPOSE(int, poll, -1, (struct pollfd * fds, nfds_t count, int timeout), (fds, count, timeout))
INTERPOSE(ssize_t, pread, -1, (int fd, void *bytes, size_t length, off_t offset),
          (fd, bytes, length, offset))
INTERPOSE(ssize_t, readlink, -1, (const char *path, char *target, size_t room),
          (path, target, room))
INTERPOSE(char *, realpath, NULL, (const char *path, char *resolved), (path, resolved))
INTERPOSE(int, rename, -1, (const char *from, const char *to), (from, to))
INTERPOSE(int, sigaction, -1,
          (int number, const struct sigaction *action, struct sigaction *before),
          (number, action, before))
INTERPOSE(int, stat, -1, (const char *path, struct stat *status), (path, status))
INTERPOSE(int, unlink, -1, (const char *path), (path))

/* Of what was written, the last may be lost with the close; of what was read, nothing. */
static const char *kind_of_close(int fd)
{
    static int (*next)(int, int, ...);
    if (next == NULL) {
        find(&next, "fcntl");
    }
    int kept = errno;
    int flags = next(fd, F_GETFL);
    errno = kept;
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY ? "close_written" : "close";
}

/* As on Linux, what fails to close is closed. */
int close(int fd)
{
    static int (*next)(int);
    if (next == NULL) {
        find(&next, "close");
    }
    int failure = next_failure(kind_of_close(fd));
    int closed = next(fd);
    errno = failure != 0 ? failure : errno;
    return failure != 0 ? -1 : closed;
}

/* Those with arguments that are not always there. */

int open(const char *path, int flags, ...)
{
    static int (*next)(const char *, int, ...);
    mode_t mode = 0;
    if ((flags & O_CREAT) != 0) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    if (next_failure("open") != 0) {
        return -1;
    }
    if (next == NULL) {
        find(&next, "open");
    }
    return next(path, flags, mode);
}

int fcntl(int fd, int command, ...)
{
    static int (*next)(int, int, ...);
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (next_failure("fcntl") != 0) {
        return -1;
    }
    if (next == NULL) {
        find(&next, "fcntl");
    }
    return next(fd, command, argument);
}

int ioctl(int fd, unsigned long request, ...)
{
    static int (*next)(int, unsigned long, ...);
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (next_failure("ioctl") != 0) {
        return -1;
    }
    if (next == NULL) {
        find(&next, "ioctl");
    }
    return next(fd, request, argument);
}

/* Those that can be cut short. */

ssize_t read(int fd, void *bytes, size_t length)
{
    static ssize_t (*next)(int, void *, size_t);
    int failure = next_failure("read");
    if (failure > 0) {
        return -1;
    }
    if (next == NULL) {
        find(&next, "read");
    }
    return next(fd, bytes, failure == SHORT && length > 0 ? 1 : length);
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    int failure = next_failure("write");
    if (failure > 0) {
        return -1;
    }
    return plain_write(fd, bytes, failure == SHORT && length > 0 ? 1 : length);
}

/* Half of the slices and one byte of the next: an end in the middle of one. */
static ssize_t write_half(ssize_t (*next)(int, const struct iovec *, int), int fd,
                          const struct iovec *slices, int count)
{
    int whole = count / 2;
    ssize_t before = whole > 0 ? next(fd, slices, whole) : 0;
    if (before < 0 || slices[whole].iov_len == 0) {
        return before;
    }
    return before + plain_write(fd, slices[whole].iov_base, 1);
}

ssize_t writev(int fd, const struct iovec *slices, int count)
{
    static ssize_t (*next)(int, const struct iovec *, int);
    int failure = next_failure("writev");
    if (failure > 0) {
        return -1;
    }
    if (next == NULL) {
        find(&next, "writev");
    }
    return failure == SHORT ? write_half(next, fd, slices, count) : next(fd, slices, count);
}

/* Those that are needed before a function can be looked up: glibc has other names for them. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
    return next_failure("malloc") != 0 ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return next_failure("calloc") != 0 ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return next_failure("realloc") != 0 ? NULL : __libc_realloc(old, size);
}

/* With offsets of 64 bits the same functions have other names, as glibc has it. */
#define ALSO64(name) __asm__(".globl " #name "64\n.set " #name "64, " #name)
ALSO64(fcntl);
ALSO64(fstat);
ALSO64(lstat);
ALSO64(mkstemp);
ALSO64(mmap);
ALSO64(open);
ALSO64(pread);
ALSO64(stat);
