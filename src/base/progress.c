/* progress.c: see progress.h. */
#include "progress.h"

#include <errno.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "cleanup.h"
#include "diag.h"
#include "mem.h"
#include "terminal.h"

#define FIRST_AFTER 1000 /* milliseconds */
#define THEN_EACH 100
#define STALLED_AFTER 2000 /* without a byte */
#define STALLED_EACH 1000

#define ERASE "\r\x1b[K"

static uint64_t now(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

void progress_open(struct progress *progress, bool wanted)
{
    *progress = (struct progress){.active = wanted && terminal_open().erases};
    progress->start = progress->active ? now() : 0;
}

void progress_expect(struct progress *progress, size_t bytes)
{
    progress->total += bytes;
}

static void add_size(struct buf *out, size_t bytes)
{
    if (bytes < 1000) {
        buf_add_format(out, "%zu bytes", bytes);
    } else if (bytes < 1000000) {
        buf_add_format(out, "%zu kB", bytes / 1000);
    } else {
        buf_add_format(out, "%zu.%zu MB", bytes / 1000000, bytes / 100000 % 10);
    }
}

static void add_read(struct buf *out, const struct progress *progress)
{
    add_size(out, progress->bytes);
    if (progress->total > 0) {
        buf_add_string(out, " of ");
        add_size(out, progress->total);
    }
    buf_add_format(out, " read, %zu lines, ", progress->lines);
    if (progress->queries > 0) {
        buf_add_format(out, "%zu queries done, ", progress->queries);
    }
}

static void draw(struct progress *progress, uint64_t elapsed)
{
    uint64_t silent = elapsed - progress->came;
    struct buf text = {0};
    buf_add_string(&text, "edgefold: ");
    if (progress->bytes > 0) {
        add_read(&text, progress);
    }
    if (progress->bytes == 0 || silent >= STALLED_AFTER) {
        buf_add_format(&text, "nothing has come for %zu s", (size_t)(silent / 1000));
    } else {
        add_size(&text, (size_t)((double)progress->bytes * 1000 / (double)elapsed));
        buf_add_string(&text, "/s");
    }
    struct slice line = buf_slice(&text);
    line.len = terminal_fit(line, terminal_open().width - 1);
    struct buf out = {0};
    buf_add_string(&out, ERASE);
    buf_add_slice(&out, line);
    diag_write(buf_slice(&out));
    cleanup_print(ERASE);
    buf_free(&text);
    buf_free(&out);
    progress->shown = true;
    progress->last = elapsed;
}

void progress_note(struct progress *progress, struct slice block)
{
    if (!progress->active || block.len == 0) {
        return;
    }
    progress->bytes += block.len;
    const char *end = block.at + block.len;
    for (const char *at = block.at; (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++) {
        progress->lines++;
    }
    uint64_t elapsed = now() - progress->start;
    progress->came = elapsed;
    if (elapsed >= FIRST_AFTER && elapsed - progress->last >= THEN_EACH) {
        draw(progress, elapsed);
    }
}

void progress_wait(struct progress *progress, int fd)
{
    progress->active = progress->active && isatty(fd) != 1;
    while (progress->active) {
        uint64_t elapsed = now() - progress->start;
        uint64_t silent = elapsed - progress->came;
        uint64_t due =
            elapsed < FIRST_AFTER ? FIRST_AFTER - elapsed : STALLED_EACH - silent % STALLED_EACH;
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        int ready = poll(&wait, 1, (int)due);
        if (ready == 0) {
            draw(progress, now() - progress->start);
        } else if (ready > 0 || errno != EINTR) {
            return;
        }
    }
}

void progress_note_query(struct progress *progress)
{
    progress->queries++;
}

void progress_erase(struct progress *progress)
{
    if (progress->shown) {
        diag_write(slice_of(ERASE));
        cleanup_print(NULL);
        progress->shown = false;
    }
}

void progress_close(struct progress *progress)
{
    if (progress->shown) {
        diag_write(slice_of(ERASE));
        cleanup_print(NULL);
    }
    *progress = (struct progress){0};
}
