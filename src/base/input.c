/* input.c: see input.h. */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"
#include "fd.h"
#include "mem.h"
#include "utf8.h"

#define LEAST_ROOM ((size_t)1 << 16)

/* The size is only a hint: a pipe has none, and a file can grow while it is read. */
static size_t expected_size(int fd)
{
    struct stat status;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        return (size_t)status.st_size;
    }
    return 0;
}

/*
 * Not mmap: a file that is cut short while it is mapped kills the program, and
 * the lines are all looked at anyway.
 */
static int read_all(int fd, struct buf *buf, bool stop_at_nul, struct progress *progress)
{
    /* One byte for the closing NUL, one for the read that finds the end. */
    size_t expected = expected_size(fd);
    buf_room(buf, expected + 2);
    if (progress != NULL) {
        progress_expect(progress, expected);
    }
    for (;;) {
        if (buf->capacity - buf->len < 2) {
            buf_room(buf, buf->capacity > LEAST_ROOM ? buf->capacity / 2 : LEAST_ROOM);
        }
        char *block = buf->at + buf->len;
        if (progress != NULL) {
            progress_wait(progress, fd);
        }
        ssize_t n = read(fd, block, buf->capacity - buf->len - 1);
        if (n < 0 && fd_retry(fd, POLLIN)) {
            continue;
        }
        if (n < 0) {
            return -1;
        }
        buf->len += (size_t)n;
        if (progress != NULL) {
            progress_note(progress, (struct slice){block, (size_t)n});
        }
        if (n == 0 || (stop_at_nul && memchr(block, '\0', (size_t)n) != NULL)) {
            buf->at[buf->len] = '\0';
            return 0;
        }
    }
}

int input_load(struct input *input, const char *operand, bool stop_at_nul,
               struct progress *progress)
{
    bool standard = strcmp(operand, "-") == 0;
    input->name = standard ? "<stdin>" : operand;
    int fd = standard ? STDIN_FILENO : open(operand, O_RDONLY);
    if (fd < 0) {
        return diag_error(STATUS_SYSTEM, "%s: cannot open: %s", *operand != '\0' ? operand : "''",
                          strerror(errno));
    }
    struct buf buf = {0};
    int result = read_all(fd, &buf, stop_at_nul, progress);
    int read_errno = errno;
    if (!standard) {
        close(fd); /* nothing was written, so nothing can be lost here */
    }
    if (result < 0) {
        buf_free(&buf);
        return diag_error(STATUS_SYSTEM, "%s: cannot read: %s", input->name, strerror(read_errno));
    }
    input->bytes = buf.at;
    input->length = buf.len;
    return STATUS_OK;
}

bool input_next_line(struct line_reader *reader, struct slice *line)
{
    const struct input *input = reader->input;
    if (reader->offset == 0) {
        reader->offset = utf8_byte_order_mark((struct slice){input->bytes, input->length});
    }
    if (reader->offset == input->length) {
        return false;
    }
    const char *start = input->bytes + reader->offset;
    const char *feed = memchr(start, '\n', input->length - reader->offset);
    const char *end = feed != NULL ? feed : input->bytes + input->length;
    reader->offset = (size_t)(end - input->bytes) + (feed != NULL);
    reader->number++;
    line->at = start;
    line->len = (size_t)(end - start);
    if (feed != NULL && line->len > 0 && end[-1] == '\r') {
        line->len--;
    }
    return true;
}
