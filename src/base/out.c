/* out.c: see out.h. */
#include "out.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "fd.h"

static int report_failure(void)
{
    return diag_error(STATUS_SYSTEM, "cannot write to standard output: %s", strerror(errno));
}

/* Takes off the front of the slices what a writev has written. */
static void advance(struct iovec **slices, int *count, size_t written)
{
    while (*count > 0 && written >= (*slices)->iov_len) {
        written -= (*slices)->iov_len;
        ++*slices;
        --*count;
    }
    if (*count > 0) {
        (*slices)->iov_base = (char *)(*slices)->iov_base + written;
        (*slices)->iov_len -= written;
    }
}

int out_flush(struct out *out)
{
    struct iovec *slices = out->slices;
    int count = out->count;
    out->count = 0;
    while (count > 0) {
        ssize_t written = writev(STDOUT_FILENO, slices, count);
        if (written >= 0) {
            advance(&slices, &count, (size_t)written);
        } else if (!fd_retry(STDOUT_FILENO, POLLOUT)) {
            return report_failure();
        }
    }
    return STATUS_OK;
}

int out_add(struct out *out, struct slice slice)
{
    if (slice.len == 0) {
        return STATUS_OK;
    }
    /* writev takes what it is given to read only, but its type does not say so. */
    out->slices[out->count].iov_base = (void *)(size_t)slice.at;
    out->slices[out->count].iov_len = slice.len;
    out->count++;
    return out->count == OUT_SLICES ? out_flush(out) : STATUS_OK;
}

int out_write(struct buf *text)
{
    struct out out = {.count = 0};
    int status = out_add(&out, buf_slice(text));
    text->len = 0;
    return status == STATUS_OK ? out_flush(&out) : status;
}

int out_close(void)
{
    return close(STDOUT_FILENO) == 0 ? STATUS_OK : report_failure();
}
