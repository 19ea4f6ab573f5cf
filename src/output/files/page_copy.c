#include "output/files/page_copy.h"

#include <errno.h>
#include <unistd.h>

enum { PIECE = 256 * 1024 };

void page_copy_begin(struct page_copy *k)
{
    *k = (struct page_copy){.fd = temp_file()};
    k->failed = k->fd < 0;
}

void page_copy_restart(struct page_copy *k)
{
    k->buf.n = 0;
    k->bytes = 0;
    k->failed = k->fd < 0 || ftruncate(k->fd, 0) != 0 || lseek(k->fd, 0, SEEK_SET) != 0;
}

static void flush(struct page_copy *k)
{
    if (!k->failed && k->buf.n)
        k->failed = write_all(k->fd, k->buf.p, k->buf.n) != 0;
    k->buf.n = 0;
}

static void keep(void *object, struct str s)
{
    struct page_copy *k = object;

    buf_str(&k->buf, s);
    k->bytes += s.n;
    if (k->buf.n >= PIECE)
        flush(k);
}

struct sink page_copy_sink(struct page_copy *k)
{
    return (struct sink){.write = keep, .object = k};
}

bool page_copy_is_whole(struct page_copy *k)
{
    flush(k);
    return !k->failed && k->bytes > 0;
}

int page_copy_write(struct page_copy *k, struct sink *out)
{
    for (uint64_t at = 0; at < k->bytes;) {
        ssize_t n;

        k->buf.n = 0;
        n = read_at(k->fd, buf_room(&k->buf, PIECE), PIECE, at);
        if (n <= 0)
            return n < 0 ? (int)n : -EIO;
        sink_str(out, (struct str){k->buf.p, (size_t)n});
        at += (uint64_t)n;
    }
    return 0;
}

void page_copy_end(struct page_copy *k)
{
    if (k->fd >= 0)
        temp_file_close(k->fd);
    buf_free(&k->buf);
    *k = (struct page_copy){.fd = -1};
}
