#include "util/file.h"

#include "util/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WRITE_BLOCK = 256 * 1024, OPEN_MAX_TEMPS = 8 };

ssize_t read_at(int fd, void *p, size_t n, uint64_t offset)
{
    size_t done = 0;

    while (done < n) {
        ssize_t k = pread(fd, (char *)p + done, n - done, (off_t)(offset + done));

        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return -errno;
        if (k == 0)
            break;
        done += (size_t)k;
    }
    return (ssize_t)done;
}

int write_all(int fd, const void *p, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t k = write(fd, (const char *)p + done, n - done);

        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return -errno;
        done += (size_t)k;
    }
    return 0;
}

const char *temp_file_dir(void)
{
    const char *dir = getenv("TMPDIR");

    return dir && *dir ? dir : "/tmp";
}

int temp_file(void)
{
    const char *dir = temp_file_dir();
    char *name;
    int fd;

    fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    /* Not every filesystem has O_TMPFILE. */
    name = xasprintf("%s/pt2trace-XXXXXX", dir);
    fd = mkostemp(name, O_CLOEXEC);
    if (fd < 0)
        fd = -errno;
    else
        unlink(name);
    free(name);
    return fd;
}

int read_file(const char *path, size_t max, struct buf *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;
    size_t before = out->n;

    if (fd < 0)
        return -errno;
    for (;;) {
        ssize_t k = read(fd, buf_room(out, 4096), 4096);

        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0) {
            rc = k < 0 ? -errno : 0;
            break;
        }
        buf_added(out, (size_t)k);
        if (out->n - before > max) {
            rc = -EFBIG;
            break;
        }
    }
    close(fd);
    return rc;
}

/* One directory, which may be there. */
static int make_dir(const char *path)
{
    struct stat st;

    if (mkdir(path, 0777) == 0)
        return 0;
    if (errno != EEXIST)
        return -errno;
    return stat(path, &st) != 0 ? -errno : S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;
}

int make_dirs(const char *path)
{
    char *copy = xstrdup(path);
    int rc = *path ? 0 : -ENOENT;

    for (char *p = copy; rc == 0 && *++p;) {
        if (*p != '/')
            continue;
        *p = '\0';
        rc = make_dir(copy);
        *p = '/';
    }
    if (rc == 0)
        rc = make_dir(copy);
    free(copy);
    return rc;
}

/* Names of temporary files for the signal handler; a slot is set after the name is complete. */
static char *volatile open_temps[OPEN_MAX_TEMPS];

static void remember_temp(char *name, bool add)
{
    for (int i = 0; i < OPEN_MAX_TEMPS; i++)
        if (open_temps[i] == (add ? NULL : name)) {
            open_temps[i] = add ? name : NULL;
            return;
        }
}

static void on_signal(int sig)
{
    for (int i = 0; i < OPEN_MAX_TEMPS; i++)
        if (open_temps[i])
            unlink(open_temps[i]);
    signal(sig, SIG_DFL);
    raise(sig);
}

void outfile_clean_on_signals(void)
{
    static const int sigs[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction sa = {.sa_handler = on_signal}, before;

    /* One that the parent had ignored (nohup, a job in the background) stays ignored. */
    for (size_t i = 0; i < sizeof sigs / sizeof *sigs; i++)
        if (sigaction(sigs[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(sigs[i], &sa, NULL);
}

int outfile_open(struct outfile *o, const char *path)
{
    mode_t mask = umask(0);

    umask(mask);
    *o = (struct outfile){.path = xstrdup(path), .temp = xasprintf("%s.tmp-XXXXXX", path)};
    o->fd = mkostemp(o->temp, O_CLOEXEC);
    if (o->fd < 0) {
        o->error = -errno;
        free(o->path);
        free(o->temp);
        return o->error;
    }
    remember_temp(o->temp, true);
    /* mkostemp makes private files; a report is an ordinary file. Where files have no modes it stays as it is. */
    fchmod(o->fd, 0666 & ~mask);
    return 0;
}

static void flush(struct outfile *o)
{
    if (o->error == 0)
        o->error = write_all(o->fd, o->buf.p, o->buf.n);
    o->buf.n = 0;
}

void outfile_write(struct outfile *o, struct str s)
{
    o->size += s.n;
    if (o->error)
        return;
    if (o->buf.n + s.n <= WRITE_BLOCK) {
        buf_str(&o->buf, s);
        return;
    }
    flush(o);
    if (s.n <= WRITE_BLOCK / 2)
        buf_str(&o->buf, s);
    else if (o->error == 0)
        o->error = write_all(o->fd, s.p, s.n);
}

static int finish(struct outfile *o, bool commit)
{
    int rc;

    if (commit)
        flush(o);
    if (close(o->fd) != 0 && o->error == 0)
        o->error = -errno;
    if (commit && o->error == 0 && rename(o->temp, o->path) != 0)
        o->error = -errno;
    if (!commit || o->error)
        unlink(o->temp);
    rc = o->error;
    remember_temp(o->temp, false);
    free(o->path);
    free(o->temp);
    buf_free(&o->buf);
    return rc;
}

int outfile_commit(struct outfile *o)
{
    return finish(o, true);
}

void outfile_abort(struct outfile *o)
{
    finish(o, false);
}

static void write_outfile(void *object, struct str s)
{
    outfile_write(object, s);
}

static void write_buf(void *object, struct str s)
{
    buf_str(object, s);
}

struct sink sink_to_outfile(struct outfile *o)
{
    return (struct sink){.write = write_outfile, .object = o};
}

struct sink sink_to_buf(struct buf *b)
{
    return (struct sink){.write = write_buf, .object = b};
}
