#include "input/spill.h"

#include "util/mem.h"
#include "util/system/file.h"
#include "util/system/room.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

enum { PIECE = 1 << 20 };

static struct {
    pthread_mutex_t lock;
    int fd;
    size_t users;
    uint64_t pieces;
    uint64_t pieces_max;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

int spill_open(struct spill *s)
{
    *s = (struct spill){0};
    pthread_mutex_lock(&shared.lock);
    if (shared.users == 0) {
        shared.fd = temp_file();
        shared.pieces = 0;
        shared.pieces_max = shared.fd < 0 ? 0 : room_of(shared.fd) / 10 * 9 / PIECE + 1;
    }
    s->open = shared.fd >= 0;
    shared.users += s->open;
    pthread_mutex_unlock(&shared.lock);
    return s->open ? 0 : shared.fd;
}

/* 0 or -EDQUOT. */
static int add_piece(struct spill *s)
{
    int rc = 0;

    s->pieces = xrealloc(s->pieces, (s->n + 1) * sizeof *s->pieces);
    pthread_mutex_lock(&shared.lock);
    if (shared.pieces < shared.pieces_max)
        s->pieces[s->n++] = shared.pieces++ * PIECE;
    else
        rc = -EDQUOT;
    pthread_mutex_unlock(&shared.lock);
    return rc;
}

/* How many of n bytes at an offset are in one piece. */
static size_t within_piece(uint64_t offset, size_t n)
{
    size_t left = PIECE - (size_t)(offset % PIECE);

    return n < left ? n : left;
}

int spill_write(struct spill *s, const void *p, size_t n)
{
    for (size_t done = 0, k; done < n; done += k, s->bytes += k) {
        int rc = 0;

        k = within_piece(s->bytes, n - done);
        if (s->bytes == (uint64_t)s->n * PIECE)
            rc = add_piece(s);
        if (rc == 0)
            rc = write_at(shared.fd, (const char *)p + done, k, s->pieces[s->n - 1] + s->bytes % PIECE);
        if (rc)
            return rc;
    }
    return 0;
}

ssize_t spill_read_at(const struct spill *s, void *p, size_t n, uint64_t offset)
{
    size_t done = 0;

    if (offset >= s->bytes)
        return 0;
    if (n > s->bytes - offset)
        n = (size_t)(s->bytes - offset);
    while (done < n) {
        uint64_t at = offset + done;
        uint64_t stored_at = s->pieces[at / PIECE] + at % PIECE;
        ssize_t k = read_at(shared.fd, (char *)p + done, within_piece(at, n - done), stored_at);

        if (k <= 0)
            return k;
        done += (size_t)k;
    }
    return (ssize_t)done;
}

void spill_close(struct spill *s)
{
    if (!s->open)
        return;
    pthread_mutex_lock(&shared.lock);
    if (--shared.users == 0)
        temp_file_close(shared.fd);
    pthread_mutex_unlock(&shared.lock);
    free(s->pieces);
    *s = (struct spill){0};
}
