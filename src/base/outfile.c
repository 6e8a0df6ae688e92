/* outfile.c: see outfile.h. */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
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

/* Whether an error says that there is no file of the name. */
static bool no_file(int error)
{
    return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG || error == ELOOP;
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

/* So many bytes are worth a write. */
#define ENOUGH ((size_t)1 << 16)

/* How the bytes get to where they are to be. */
enum way {
    UNDECIDED,
    BESIDE, /* into another file, which is then moved there */
    IN_PLACE
};

struct outfile {
    const char *name;
    enum way way;
    bool waits;  /* what could not be taken back is not written yet */
    int how;     /* IN_PLACE: the flag of open() that goes with what is there */
    int fd;      /* -1: none is open */
    int error;   /* the errno of what failed first, or 0 */
    char *place; /* BESIDE: the name, where links lead to */
    char *beside;
    struct buf pending;
};

struct outfile *outfile_open(const char *name, enum outfile_time time)
{
    struct outfile *file = mem_zeroed(1, sizeof *file);
    file->name = name;
    file->waits = time == OUTFILE_AT_END;
    file->fd = -1;
    return file;
}

/* Takes away what is written beside. */
static void remove_beside(struct outfile *file)
{
    if (file->beside != NULL) {
        unlink(file->beside);
        cleanup_keep(file->beside);
        free(file->beside);
        file->beside = NULL;
    }
}

/* Keeps errno, and leaves nothing open or behind. */
static void fail(struct outfile *file)
{
    file->error = errno;
    if (file->fd >= 0) {
        close(file->fd);
        file->fd = -1;
    }
    remove_beside(file);
    buf_free(&file->pending);
}

/* Whether it is the folder that does not allow what the file itself may. */
static bool is_folders(int error)
{
    return error == EACCES || error == EPERM || error == EROFS || error == EBUSY ||
           error == ENAMETOOLONG || error == EXDEV;
}

static void write_in_place(struct outfile *file, int how)
{
    file->way = IN_PLACE;
    file->how = how;
}

/* old: what is there now, or NULL; its owner and permissions are kept where that may be. */
static void write_beside(struct outfile *file, const struct stat *old)
{
    mode_t mode = old != NULL ? old->st_mode & 07777 : new_mode();
    struct buf beside = {0};
    buf_add_string(&beside, file->place);
    buf_add(&beside, ".XXXXXX", sizeof ".XXXXXX");
    int fd = cleanup_mkstemp(beside.at);
    if (fd < 0) {
        int first_errno = errno;
        buf_free(&beside);
        errno = first_errno;
        if (is_folders(errno)) {
            write_in_place(file, O_TRUNC);
        } else {
            fail(file);
        }
        return;
    }
    file->way = BESIDE;
    file->beside = beside.at;
    if (old != NULL && fchown(fd, old->st_uid, old->st_gid) != 0) {
        mode &= 0777; /* another's file: it becomes the runner's */
    }
    file->fd = fd_clear_of_streams(fd);
    if (file->fd < 0 || fchmod(file->fd, mode) != 0) {
        fail(file);
    }
}

static void choose_way(struct outfile *file)
{
    if (descriptor_of(file->name) >= 0) {
        write_in_place(file, 0);
        return;
    }
    struct stat old;
    bool exists = stat(file->name, &old) == 0;
    if (!exists && errno != ENOENT) {
        fail(file);
        return;
    }
    if (exists && !S_ISREG(old.st_mode)) {
        write_in_place(file, O_APPEND);
        return;
    }
    /* Through a link, it is the file that is replaced and not the link. */
    file->place = exists ? realpath(file->name, NULL) : end_of_links(file->name);
    if (file->place != NULL) {
        write_beside(file, exists ? &old : NULL);
    } else if (exists) {
        write_in_place(file, O_TRUNC); /* nor may its place be looked for */
    } else {
        fail(file);
    }
}

/* Through the descriptor itself where it is one, so that what others write there stays in order. */
static void open_in_place(struct outfile *file)
{
    int descriptor = descriptor_of(file->name);
    int fd = descriptor >= 0
                 ? dup(descriptor)
                 : open(file->name, O_WRONLY | O_CREAT | O_NOCTTY | file->how, new_mode());
    file->fd = fd >= 0 ? fd_clear_of_streams(fd) : fd;
    if (file->fd < 0) {
        fail(file);
    }
}

/* Writes what there is; or leaves it, where it is not to be seen yet. */
static void flush(struct outfile *file)
{
    if (file->error == 0 && file->way == UNDECIDED) {
        choose_way(file);
    }
    if (file->error == 0 && file->fd < 0 && !file->waits) {
        open_in_place(file);
    }
    if (file->error == 0 && file->fd >= 0) {
        if (!fd_write(file->fd, buf_slice(&file->pending))) {
            fail(file);
        }
        file->pending.len = 0;
    }
}

void outfile_add(struct outfile *file, struct slice bytes)
{
    if (file->pending.len + bytes.len >= ENOUGH) {
        flush(file);
    }
    if (file->error == 0 && file->fd >= 0 && bytes.len >= ENOUGH) {
        if (!fd_write(file->fd, bytes)) {
            fail(file);
        }
    } else if (file->error == 0) {
        buf_add_slice(&file->pending, bytes);
    }
}

void outfile_take(struct outfile *file, struct buf *bytes)
{
    outfile_add(file, buf_slice(bytes));
    bytes->len = 0;
}

static void close_checked(struct outfile *file)
{
    int fd = file->fd;
    file->fd = -1;
    if (close(fd) != 0) {
        fail(file);
    }
}

/* What is written beside and cannot be moved is copied. */
static void copy_in_place(struct outfile *file)
{
    int from = open(file->beside, O_RDONLY);
    if (from < 0) {
        fail(file);
        return;
    }
    write_in_place(file, O_TRUNC);
    open_in_place(file);
    for (bool more = true; more && file->error == 0;) {
        ssize_t length = read(from, buf_room(&file->pending, ENOUGH), ENOUGH);
        more = length != 0;
        if (length > 0) {
            file->pending.len = (size_t)length;
            flush(file);
        } else if (length < 0 && !fd_retry(from, POLLIN)) {
            fail(file);
        }
    }
    close(from);
    if (file->error == 0) {
        close_checked(file);
    }
}

static void move_to_place(struct outfile *file)
{
    if (rename(file->beside, file->place) == 0) {
        cleanup_keep(file->beside);
        free(file->beside);
        file->beside = NULL;
    } else if (is_folders(errno)) {
        copy_in_place(file);
    } else {
        fail(file);
    }
}

int outfile_commit(struct outfile *file)
{
    int status = STATUS_OK;
    file->waits = false;
    flush(file);
    if (file->error == 0) {
        close_checked(file);
    }
    if (file->error == 0 && file->way == BESIDE) {
        move_to_place(file);
    }
    if (file->error != 0) {
        errno = file->error;
        status = report_failure(file->name);
    }
    outfile_abandon(file);
    return status;
}

void outfile_abandon(struct outfile *file)
{
    if (file == NULL) {
        return;
    }
    if (file->fd >= 0) {
        close(file->fd);
    }
    remove_beside(file);
    buf_free(&file->pending);
    free(file->place);
    free(file);
}

int outfile_write(const char *name, struct slice bytes)
{
    struct outfile *file = outfile_open(name, OUTFILE_AT_ONCE);
    outfile_add(file, bytes);
    return outfile_commit(file);
}

/* What is written there later takes the place of what was written before. */
static bool keeps_bytes(mode_t mode)
{
    return S_ISREG(mode) || S_ISBLK(mode);
}

/* Which file a name stands for: the file, or the folder and the last part of the name. */
struct identity {
    int error; /* 0, or the errno for which that cannot be said */
    bool known;
    bool exists;
    mode_t mode;
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
        return (struct identity){0, true, true, file.st_mode, file.st_dev, file.st_ino, NULL};
    }
    char *path = no_file(errno) ? end_of_links(name) : NULL;
    if (path == NULL) {
        return unknown(descriptor_of(name) >= 0 ? ENOENT : errno);
    }
    const char *last;
    const char *folder = folder_of(path, &last);
    struct identity identity;
    if (stat(folder, &file) == 0) {
        identity = (struct identity){0, true, false, S_IFREG, file.st_dev, file.st_ino, NULL};
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

/* Two names of a pipe: who reads it sees its end when the first is closed. */
static bool is_pipe_twice(const struct identity *file, const char *name, const char *other)
{
    return S_ISFIFO(file->mode) && descriptor_of(name) < 0 && descriptor_of(other) < 0;
}

enum sameness outfile_is(const char *name, const char *other)
{
    struct identity a = identify(name);
    struct identity b = identify(other);
    bool same = a.known && b.known && a.exists == b.exists && a.dev == b.dev && a.ino == b.ino &&
                (a.exists || strcmp(a.last, b.last) == 0);
    same = same && (keeps_bytes(a.mode) || is_pipe_twice(&a, name, other));
    free(a.last);
    free(b.last);
    bool device = a.known && a.exists && S_ISCHR(a.mode); /* as /dev/null, where nothing stays */
    same |= !device && descriptor_of(name) < 0 && strcmp(name, other) == 0;
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
    if (seen && !keeps_bytes(open_file.st_mode)) {
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

enum sameness outfile_streams_overwrite(int fd, int other)
{
    struct stat file;
    struct stat others;
    if (fstat(fd, &file) != 0 || fstat(other, &others) != 0) {
        return sameness_of(false, errno == EBADF ? 0 : errno);
    }
    bool same =
        keeps_bytes(file.st_mode) && file.st_dev == others.st_dev && file.st_ino == others.st_ino;
    return unless_in_order(sameness_of(same, 0), fd, other);
}
