#include "util/system/file.h"

#include "util/mem.h"
#include "util/system/signals.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A command uses no more temporary files than this: a copy of unpacked input, and parts of the page. */
enum { WRITE_BLOCK = 256 * 1024, TEMP_FILES_MAX = 2 };

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

/* At the offset, or where the file is. */
static int write_to(int fd, const char *p, size_t n, const uint64_t *offset)
{
    for (size_t done = 0; done < n;) {
        ssize_t k = offset ? pwrite(fd, p + done, n - done, (off_t)(*offset + done)) : write(fd, p + done, n - done);

        if (k < 0 && errno != EINTR)
            return -errno;
        done += k > 0 ? (size_t)k : 0;
    }
    return 0;
}

int write_all(int fd, const void *p, size_t n)
{
    return write_to(fd, p, n, NULL);
}

int write_at(int fd, const void *p, size_t n, uint64_t offset)
{
    return write_to(fd, p, n, &offset);
}

const char *temp_file_dir(void)
{
    const char *dir = getenv("TMPDIR");

    return dir && *dir ? dir : "/tmp";
}

/* Opened in advance, because a sandbox allows no new files. */
static struct {
    pthread_mutex_t lock;
    int fds[TEMP_FILES_MAX];
    int n;
    bool wanted;
    int error; /* the error that ended the opening */
} in_advance = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int new_temp_file(void)
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

void temp_files_open(void)
{
    in_advance.wanted = true;
    for (; in_advance.n < TEMP_FILES_MAX && in_advance.error == 0; in_advance.n++) {
        in_advance.fds[in_advance.n] = new_temp_file();
        if (in_advance.fds[in_advance.n] < 0) {
            in_advance.error = in_advance.fds[in_advance.n];
            return;
        }
    }
}

int temp_file(void)
{
    int fd;

    pthread_mutex_lock(&in_advance.lock);
    fd = in_advance.n ? in_advance.fds[--in_advance.n] : in_advance.error ? in_advance.error : new_temp_file();
    pthread_mutex_unlock(&in_advance.lock);
    return fd;
}

void temp_file_close(int fd)
{
    bool kept;

    pthread_mutex_lock(&in_advance.lock);
    kept = in_advance.wanted && in_advance.n < TEMP_FILES_MAX && ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0;
    if (kept)
        in_advance.fds[in_advance.n++] = fd;
    pthread_mutex_unlock(&in_advance.lock);
    if (!kept)
        close(fd);
}

int read_file(const char *path, size_t max, struct buf *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;
    size_t before = out->n;
    struct stat st;

    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size > max)
        rc = -EFBIG;
    while (rc == 0) {
        ssize_t k = read(fd, buf_room(out, 4096), 4096);

        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0) {
            rc = k < 0 ? -errno : 0;
            break;
        }
        buf_added(out, (size_t)k);
        rc = out->n - before > max ? -EFBIG : 0;
    }
    close(fd);
    return rc;
}

/* Makes one directory; it may already exist. */
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

int make_removable(const char *path, const char *target)
{
    int rc;

    signals_block();
    rc = (target ? symlink(target, path) : mkdir(path, 0777)) == 0 ? 0 : -errno;
    if (rc == 0)
        signals_remove(path);
    signals_unblock();
    return rc;
}

char *outfile_temp_name(const char *path)
{
    return xasprintf("%s.tmp-%ld", path, (long)getpid());
}

/* Takes over `temp`. */
static int open_as(struct outfile *o, const char *path, char *temp)
{
    *o = (struct outfile){.path = xstrdup(path), .temp = temp};
    signals_remove(o->temp);
    o->fd = open(o->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (o->fd < 0) {
        o->error = -errno;
        free(o->path);
        free(o->temp);
        return o->error;
    }
    return 0;
}

/* Neither a file nor a directory, like /dev/null or a named pipe: renaming a file to it would replace it. */
static bool is_device(const char *path)
{
    struct stat st;

    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return true;
    return str_starts(str_of(path), STR("/dev/")) && lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

int outfile_open(struct outfile *o, const char *path)
{
    if (!is_device(path))
        return open_as(o, path, outfile_temp_name(path));
    *o = (struct outfile){.in_place = true, .fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)};
    if (o->fd < 0)
        return o->error = -errno;
    o->path = xstrdup(path);
    o->temp = xstrdup(path);
    return 0;
}

int outfile_create(struct outfile *o, const char *path)
{
    return open_as(o, path, xstrdup(path));
}

void outfile_make_private(struct outfile *o)
{
    if (!o->in_place)
        fchmod(o->fd, 0600);
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

void outfile_restart(struct outfile *o)
{
    o->buf.n = 0;
    o->size = 0;
    if (o->error == 0 && (ftruncate(o->fd, 0) != 0 || lseek(o->fd, 0, SEEK_SET) != 0))
        o->error = -errno;
}

/* Without fsync: if a crash of the machine loses the output, it can be made again from the trace. */
static int finish(struct outfile *o, bool keep)
{
    int rc;

    if (keep)
        flush(o);
    if (close(o->fd) != 0 && o->error == 0)
        o->error = -errno;
    if ((!keep || o->error) && !o->in_place)
        unlink(o->temp);
    rc = o->error;
    free(o->path);
    free(o->temp);
    buf_free(&o->buf);
    return rc;
}

int outfile_complete(struct outfile *o)
{
    return finish(o, true);
}

int outfile_publish(const char *path)
{
    char *temp = outfile_temp_name(path);
    int rc = is_device(path) ? -EEXIST : rename(temp, path) == 0 ? 0 : -errno;

    if (rc)
        unlink(temp);
    free(temp);
    return rc;
}

int outfile_commit(struct outfile *o)
{
    char *path = xstrdup(o->path);
    bool in_place = o->in_place;
    int rc = outfile_complete(o);

    if (rc == 0 && !in_place)
        rc = outfile_publish(path);
    free(path);
    return rc;
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

bool directory_is_empty(const char *path)
{
    DIR *d = opendir(path);
    const struct dirent *entry;
    bool empty = d != NULL;

    while (d && empty && (entry = readdir(d)))
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (d)
        closedir(d);
    return empty;
}
