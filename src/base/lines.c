/* lines.c: see lines.h. */
#include "lines.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"
#include "fd.h"

#define BLOCK ((size_t)1 << 16)

int lines_open(struct lines *lines, const char *operand, struct progress *progress)
{
    struct stat file;
    bool standard = strcmp(operand, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(operand, O_RDONLY);
    if (fd < 0) {
        return diag_error(STATUS_SYSTEM, "%s: cannot open: %s", *operand != '\0' ? operand : "''",
                          strerror(errno));
    }
    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode)) {
        progress_expect(progress, (size_t)file.st_size);
    }
    struct buf bytes = lines->bytes;
    bytes.len = 0;
    *lines = (struct lines){
        .name = standard ? "<stdin>" : operand, .is_open = true, .fd = fd, .bytes = bytes};
    return STATUS_OK;
}

/* Takes what there is now, if only a byte. */
static int read_more(struct lines *lines, struct progress *progress)
{
    struct buf *bytes = &lines->bytes;
    if (lines->start > 0) {
        memmove(bytes->at, bytes->at + lines->start, bytes->len - lines->start);
        bytes->len -= lines->start;
        lines->searched -= lines->start;
        lines->start = 0;
    }
    for (;;) {
        char *block = buf_room(bytes, BLOCK + 1);
        progress_wait(progress, lines->fd);
        ssize_t n = read(lines->fd, block, BLOCK);
        if (n < 0 && fd_retry(lines->fd, POLLIN)) {
            continue;
        }
        if (n < 0) {
            return diag_error(STATUS_SYSTEM, "%s: cannot read: %s", lines->name, strerror(errno));
        }
        bytes->len += (size_t)n;
        bytes->at[bytes->len] = '\0';
        lines->at_end = n == 0;
        progress_note(progress, (struct slice){block, (size_t)n});
        return STATUS_OK;
    }
}

int lines_next(struct lines *lines, struct progress *progress, struct slice *line, bool *found)
{
    struct buf *bytes = &lines->bytes;
    const char *feed = NULL;
    for (;;) {
        size_t left = bytes->len - lines->searched;
        feed = left > 0 ? memchr(bytes->at + lines->searched, '\n', left) : NULL;
        if (feed != NULL || lines->at_end) {
            break;
        }
        lines->searched = bytes->len;
        int status = read_more(lines, progress);
        if (status != STATUS_OK) {
            return status;
        }
    }
    size_t end = feed != NULL ? (size_t)(feed - bytes->at) + 1 : bytes->len;
    *found = end > lines->start;
    *line = (struct slice){bytes->at + lines->start, end - lines->start};
    return STATUS_OK;
}

void lines_take(struct lines *lines, struct slice line)
{
    lines->start += line.len;
    lines->searched = lines->start;
    lines->any_taken = true;
    lines->number++;
}

void lines_close(struct lines *lines)
{
    if (lines->is_open && lines->fd != STDIN_FILENO) {
        close(lines->fd); /* nothing was written, so nothing can be lost here */
    }
    lines->is_open = false;
}

void lines_free(struct lines *lines)
{
    lines_close(lines);
    buf_free(&lines->bytes);
}
