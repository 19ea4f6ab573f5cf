#include "output/files/manifest.h"

#include "input/report_files.h"
#include "util/mem.h"
#include "util/system/signals.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct str page = STR_INIT("index.html");

static char *join(const char *dir, struct str name)
{
    return xasprintf("%s/%.*s", dir, STR_ARG(name));
}

static bool has_file(const char *dir, struct str name)
{
    char *path = join(dir, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

enum directory_state directory_state(const char *dir, int *error)
{
    DIR *d = opendir(dir);
    enum directory_state state;

    if (!d) {
        *error = errno;
        return errno == ENOENT ? DIRECTORY_FREE : DIRECTORY_BAD;
    }
    if (has_file(dir, STR(REPORT_MARKER)))
        state = has_file(dir, page) ? DIRECTORY_OURS : DIRECTORY_FREE; /* from a run that was interrupted */
    else
        state = directory_is_empty(dir) ? DIRECTORY_FREE : DIRECTORY_FOREIGN;
    closedir(d);
    return state;
}

/* --- the marker --------------------------------------------------------------------------------------------------- */

/* If the file was replaced before it was locked, it is no longer the marker. */
static bool is_file(int fd, const char *path)
{
    struct stat a, b;

    return fstat(fd, &a) == 0 && lstat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Some file systems have no locks; there, two writers are not kept apart. */
static bool cannot_lock(void)
{
    return errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS;
}

/* Opens and locks the marker, and creates it if it does not exist. Returns the descriptor or -errno. */
static int open_marker(const char *path)
{
    for (;;) {
        int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666), rc;

        if (fd < 0)
            return -errno;
        rc = flock(fd, LOCK_EX | LOCK_NB) == 0 || cannot_lock() ? 0 : errno == EWOULDBLOCK ? -EBUSY : -errno;
        if (rc == 0 && is_file(fd, path))
            return fd;
        close(fd);
        if (rc)
            return rc;
    }
}

static bool holds_only(const char *dir, const char *name)
{
    DIR *d = opendir(dir);
    const struct dirent *e;
    bool only = d != NULL;

    while (d && only && (e = readdir(d)))
        only = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || strcmp(e->d_name, name) == 0;
    if (d)
        closedir(d);
    return only;
}

/* An empty marker is new: it was created here, or by a process that ended before it wrote a line. */
static int begin_marker(struct manifest *m, bool replace)
{
    struct stat st;

    if (fstat(m->marker, &st) != 0)
        return -errno;
    if (st.st_size)
        return !replace && has_file(m->dir, page) ? -ENOTEMPTY : 0;
    if (holds_only(m->dir, REPORT_MARKER))
        return write_all(m->marker, REPORT_MARKER_HEAD, sizeof REPORT_MARKER_HEAD - 1);
    unlink(arena_printf(m->arena, "%s/" REPORT_MARKER, m->dir).p);
    return -ENOTEMPTY;
}

static void close_marker(struct manifest *m)
{
    if (m->marker >= 0)
        close(m->marker);
    m->marker = -1;
}

static bool is_safe(char c)
{
    return str_is_word_char(c) || c == '.' || c == '-' || c == '+';
}

struct str manifest_safe_name(struct arena *a, struct str name)
{
    enum { NAME_BYTES_MAX = 80 };
    struct str out = str_take(name, NAME_BYTES_MAX);
    char *p = arena_copy(a, out);

    for (size_t i = 0; i < out.n; i++)
        if (!is_safe(p[i]) || (i == 0 && p[i] == '.'))
            p[i] = '_';
    return out.n ? (struct str){p, out.n} : STR("unnamed");
}

/* Only adds lines that the marker does not have: a daily export must not make it grow. */
static void add_new_names(const char *marker, struct str names, struct buf *out)
{
    struct arena *a = arena_new();
    struct map known;
    struct str name;

    map_init(&known, a);
    report_marker_read(marker, &known); /* a file that does not exist or is not a marker has no names */
    while (str_next_line(&names, &name))
        if (!map_get(&known, name))
            buf_printf(out, "%.*s\n", STR_ARG(name));
    arena_free(a);
}

int manifest_note(const char *dir, struct str names)
{
    char *path = join(dir, STR(REPORT_MARKER));
    struct buf added = {0};
    struct stat st;
    int fd, rc;

    add_new_names(path, names, &added);
    fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    rc = fd < 0 ? -errno : 0;
    if (rc == 0 && fstat(fd, &st) == 0 && st.st_size == 0)
        rc = write_all(fd, REPORT_MARKER_HEAD, sizeof REPORT_MARKER_HEAD - 1);
    if (rc == 0)
        rc = write_all(fd, added.p, added.n);
    if (fd >= 0 && close(fd) != 0 && rc == 0)
        rc = -errno;
    buf_free(&added);
    free(path);
    return rc;
}

int manifest_begin(struct manifest *m, const char *dir, bool replace, struct arena *a)
{
    char *path = join(dir, STR(REPORT_MARKER));
    int rc = make_dirs(dir);

    *m = (struct manifest){.dir = dir, .arena = a, .marker = -1};
    map_init(&m->names, a);
    map_init(&m->old_names, a);
    if (rc == 0)
        m->marker = rc = open_marker(path);
    if (rc >= 0)
        rc = report_marker_read(path, &m->old_names);
    if (rc == 0)
        rc = begin_marker(m, replace);
    if (rc == 0)
        rc = staging_begin(&m->stage, dir, &m->old_names, a);
    if (rc)
        close_marker(m);
    free(path);
    return rc;
}

static struct buf list_names(const struct manifest *m)
{
    struct buf list = {0};

    for (size_t i = 0; i < m->names.n; i++) {
        buf_str(&list, m->names.entries[i].key);
        buf_char(&list, '\n');
    }
    return list;
}

/* Until the previous report is gone, the marker lists the files of both reports, and its own temporary name. */
static int note_names(const struct manifest *m)
{
    struct buf list = list_names(m);
    char *temp = outfile_temp_name(REPORT_MARKER);
    int rc;

    buf_printf(&list, "%s\n", temp);
    rc = write_all(m->marker, list.p, list.n);
    buf_free(&list);
    free(temp);
    return rc;
}

/* If this fails, the old marker stays, which lists more files than there are. */
static void rewrite_marker(const struct manifest *m)
{
    struct buf list = list_names(m);
    char *path = join(m->dir, STR(REPORT_MARKER));
    struct outfile out;

    if (outfile_open(&out, path) == 0) {
        outfile_write(&out, STR(REPORT_MARKER_HEAD));
        outfile_write(&out, buf_view(&list));
        outfile_commit(&out);
    }
    free(path);
    buf_free(&list);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

/*
 * -errno if a directory in the path is not a directory, or is a symbolic link, which would lead out of the output
 * directory.
 */
static int look_at_parents(const char *dir, struct str name)
{
    char *path = join(dir, name);
    struct stat st;
    int rc = 0;

    for (char *p = path + strlen(dir) + 1; rc == 0 && (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        if (lstat(path, &st) != 0)
            rc = errno == ENOENT ? 1 : -errno; /* 1: nothing exists below */
        else if (!S_ISDIR(st.st_mode))
            rc = S_ISLNK(st.st_mode) ? -ELOOP : -ENOTDIR;
        *p = '/';
    }
    free(path);
    return rc < 0 ? rc : 0;
}

/* Whether a file exists that no report of pt2trace wrote. */
static bool is_foreign(const struct manifest *m, struct str name)
{
    char *path = join(m->dir, name);
    struct stat st;
    bool there = lstat(path, &st) == 0;

    free(path);
    return there && !map_get(&m->old_names, name);
}

int manifest_create(struct manifest *m, struct str name, struct outfile *out)
{
    const char *path;
    int rc = look_at_parents(m->dir, name);

    if (rc == 0 && is_foreign(m, name))
        rc = -EEXIST;
    if (rc)
        return rc;
    path = staging_file(&m->stage, name);
    return path ? outfile_create(out, path) : -errno;
}

int manifest_complete(struct manifest *m, struct str name, struct outfile *out)
{
    int rc = outfile_complete(out);

    if (rc == 0)
        *map_at_copy(&m->names, name) = m;
    return rc;
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

static void add_names(struct map *all, const struct map *names)
{
    for (size_t i = 0; i < names->n; i++)
        *map_at(all, names->entries[i].key) = all;
}

static int publish(struct manifest *m, const struct map *all)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < m->names.n; i++)
        if (is_foreign(m, m->names.entries[i].key))
            rc = -EEXIST;
    rc = rc ? rc : note_names(m);
    return rc ? rc : staging_publish(&m->stage, all);
}

int manifest_finish(struct manifest *m)
{
    struct map all;
    int rc;

    map_init(&all, m->arena);
    add_names(&all, &m->old_names);
    add_names(&all, &m->names);
    signals_block();
    rc = publish(m, &all);
    if (staging_end(&m->stage, &all) && rc == 0)
        rewrite_marker(m);
    close_marker(m);
    signals_unblock();
    return rc;
}

void manifest_abort(struct manifest *m)
{
    if (m->marker >= 0)
        staging_end(&m->stage, &m->old_names);
    close_marker(m);
}
