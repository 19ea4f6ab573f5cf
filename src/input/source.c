#include "input/source.h"

#include "input/gunzip.h"
#include "input/limits.h"
#include "util/mem.h"
#include "util/system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HELD_MAX = 64, OTHERS_OPEN = 24 };
static atomic_uint held; /* the number of sources that stay open */

/*
 * Decided by content: traces get renamed, and logrotate packs them in place. The third byte is the compression method,
 * of which there is only one.
 */
static bool is_gzip(int fd)
{
    unsigned char magic[3];

    return read_at(fd, magic, sizeof magic, 0) == sizeof magic && magic[0] == 0x1f && magic[1] == 0x8b && magic[2] == 8;
}

static int open_streams(struct source *s, bool regular, bool keep)
{
    int rc;

    s->gzip = regular && is_gzip(s->fd);
    if (regular && !s->gzip)
        return 0;
    s->gunzip = gunzip_new(s->fd); /* a pipe may carry gzip, too */
    if (!keep)
        return 0;
    rc = spill_open(&s->spill);
    s->spill_failed = rc != 0;
    return rc;
}

/*
 * Reading a regular file never waits, except for some files below /proc, where O_NONBLOCK prevents it. On a pipe,
 * O_NONBLOCK would keep us from waiting for the writer.
 */
static int open_path(const char *path)
{
    struct stat st;
    bool regular = stat(path, &st) == 0 && S_ISREG(st.st_mode);

    return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (regular ? O_NONBLOCK : 0));
}

int source_open(struct source *s, const char *path, bool keep)
{
    bool standard_input = strcmp(path, "-") == 0;
    struct stat st;
    int rc = 0;

    *s = (struct source){0};
    /* A duplicate, so that closing the source leaves standard input open. */
    s->fd = standard_input ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open_path(path);
    if (s->fd < 0 || fstat(s->fd, &st) != 0)
        rc = -errno;
    else if (S_ISDIR(st.st_mode))
        rc = -EISDIR;
    else {
        /* standard input from a file may begin in the middle of it */
        bool regular = S_ISREG(st.st_mode) && !standard_input;

        s->bytes = regular ? (uint64_t)st.st_size : 0;
        s->mtime_s = regular ? st.st_mtim.tv_sec : 0;
        s->device = regular ? (uint64_t)st.st_dev : 0;
        s->inode = regular ? (uint64_t)st.st_ino : 0;
        rc = open_streams(s, regular, keep);
    }
    if (rc) {
        bool spill_failed = s->spill_failed;

        source_close(s);
        s->spill_failed = spill_failed;
        return rc;
    }
    s->path = xstrdup(path);
    return 0;
}

static size_t read_packed(struct source *s, void *p, size_t n)
{
    size_t k = gunzip_read(s->gunzip, p, n);
    struct gunzip_facts facts = gunzip_facts(s->gunzip);

    s->gzip |= facts.is_gzip;
    s->gzip_damaged = facts.damaged;
    s->error = facts.error;
    s->bomb = facts.is_gzip && s->read_bytes > LIMIT_UNPACKED && s->read_bytes / LIMIT_UNPACK_RATIO > facts.stored;
    return k;
}

static size_t read_plain(struct source *s, void *p, size_t n)
{
    ssize_t k;

    /* By offset, because the process may be a forked copy that shares the file position with its parent. */
    do
        k = pread(s->fd, p, n, (off_t)s->read_bytes);
    while (k < 0 && errno == EINTR);
    if (k < 0)
        s->error = -errno;
    return k < 0 ? 0 : (size_t)k;
}

/* How many stored bytes the last k bytes read correspond to. */
static uint64_t stored_bytes(struct source *s, size_t k)
{
    uint64_t before = s->stored_at;

    s->stored_at = s->gunzip ? gunzip_facts(s->gunzip).stored : before + k;
    return s->stored_at - before;
}

/* Returns 0 once all of it has been returned again. */
static size_t read_again(struct source *s, void *p, size_t n)
{
    uint64_t left = s->read_bytes - s->again_at;
    ssize_t k = source_read_at(s, p, left < n ? (size_t)left : n, s->again_at);

    if (k < 0)
        s->error = (int)k;
    s->again_at += k > 0 ? (uint64_t)k : 0;
    return k > 0 ? (size_t)k : 0;
}

void source_rewind(struct source *s)
{
    s->again = true;
    s->again_at = 0;
}

int source_replace(struct source *s, struct str text)
{
    struct spill mended;
    int rc = spill_open(&mended);

    if (rc == 0)
        rc = spill_write(&mended, text.p, text.n);
    if (rc) {
        spill_close(&mended);
        return rc;
    }
    spill_close(&s->spill);
    s->spill = mended;
    s->read_bytes = text.n;
    s->replaced = true;
    source_rewind(s);
    return 0;
}

size_t source_read(struct source *s, void *p, size_t n)
{
    size_t k;

    if (s->again && (k = read_again(s, p, n)) > 0)
        return k;
    s->again = false;
    if (s->error || s->bomb || s->replaced)
        return 0;
    k = s->gunzip ? read_packed(s, p, n) : read_plain(s, p, n);
    if (k && s->spill.open) {
        int rc = spill_write(&s->spill, p, k);

        if (rc) {
            s->error = rc;
            s->spill_failed = true;
        }
    }
    s->read_bytes += k;
    if (s->progress)
        __atomic_fetch_add(s->progress, stored_bytes(s, k), __ATOMIC_RELAXED);
    return k;
}

/* The number of files a process may have open, minus those needed for files being read and for output. */
static unsigned held_max(void)
{
    long most = sysconf(_SC_OPEN_MAX);
    long left = most < 0 ? HELD_MAX : (most - OTHERS_OPEN) / 2; /* -1: there is no limit, or it is unknown */

    return left < 0 ? 0 : left < HELD_MAX ? (unsigned)left : HELD_MAX;
}

/* Whether one more file may stay open. */
static bool hold(void)
{
    if (atomic_fetch_add(&held, 1) < held_max())
        return true;
    atomic_fetch_sub(&held, 1);
    return false;
}

void source_end_reading(struct source *s)
{
    gunzip_free(s->gunzip);
    s->gunzip = NULL;
    if (s->bytes == 0) /* the size of a pipe is unknown before */
        s->bytes = s->read_bytes;
    if (!s->spill.open && s->mtime_s)
        s->held = hold();
    if (s->held || s->fd < 0)
        return;
    close(s->fd);
    s->fd = -1;
}

ssize_t source_read_at(const struct source *s, void *p, size_t n, uint64_t offset)
{
    int fd = s->fd;
    ssize_t k;

    if (s->spill.open)
        return spill_read_at(&s->spill, p, n, offset);
    if (fd < 0 && !s->path)
        return -ENOENT; /* never opened: from a digest whose file is not here */
    if (fd < 0 && (fd = open_path(s->path)) < 0)
        return -errno;
    k = read_at(fd, p, n, offset);
    if (fd != s->fd)
        close(fd);
    return k;
}

bool source_changed(const struct source *s)
{
    struct stat st;

    if (s->mtime_s == 0 || (s->fd >= 0 ? fstat(s->fd, &st) : stat(s->path, &st)) != 0)
        return false;
    return (uint64_t)st.st_size != s->bytes || st.st_mtim.tv_sec != s->mtime_s;
}

void source_pause(struct source *s)
{
    uint64_t from = s->read_bytes > sizeof s->tail ? s->read_bytes - sizeof s->tail : 0;
    ssize_t k = s->fd < 0 ? -1 : read_at(s->fd, s->tail, (size_t)(s->read_bytes - from), from);

    s->tail_n = k > 0 ? (unsigned)k : 0;
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}

/* Whether the last bytes read are still where they were. */
static bool has_tail(const struct source *s)
{
    char now[sizeof s->tail];
    size_t n = s->tail_n;

    return read_at(s->fd, now, n, s->read_bytes - n) == (ssize_t)n && memcmp(now, s->tail, n) == 0;
}

bool source_resume(struct source *s)
{
    struct stat st;
    bool same;

    s->fd = open_path(s->path);
    if (s->fd < 0)
        return false;
    same = fstat(s->fd, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_dev == s->device &&
           (uint64_t)st.st_ino == s->inode && (uint64_t)st.st_size >= s->read_bytes && has_tail(s);
    if (same) {
        s->bytes = (uint64_t)st.st_size;
        s->mtime_s = st.st_mtim.tv_sec;
    } else {
        close(s->fd);
        s->fd = -1;
    }
    return same;
}

void source_close(struct source *s)
{
    gunzip_free(s->gunzip);
    if (s->fd >= 0)
        close(s->fd);
    if (s->held)
        atomic_fetch_sub(&held, 1);
    spill_close(&s->spill);
    free(s->path);
    *s = (struct source){.fd = -1};
}
