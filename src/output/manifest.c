#include "output/manifest.h"

#include "util/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_LINE "pt2trace report: files listed here are replaced by --overwrite, others are left alone\n"

enum { MARKER_MAX = 64 << 20 };

/* What a report is known by: without these in it a directory holds none. */
static const struct str faces[] = {STR_INIT("index.html"), STR_INIT("report.json")};

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
    if (has_file(dir, STR(MANIFEST_NAME)))
        state = has_file(dir, faces[0]) ? DIRECTORY_OURS : DIRECTORY_FREE; /* a run that was interrupted */
    else
        state = directory_is_empty(dir) ? DIRECTORY_FREE : DIRECTORY_FOREIGN;
    closedir(d);
    return state;
}

/* A marker that somebody tampered with must not lead out of the directory. */
static bool is_inside(struct str name)
{
    struct str rest = name;

    if (name.n == 0 || name.p[0] == '/' || str_chr(name, '\0') >= 0)
        return false;
    while (rest.n) {
        struct str part = str_split(&rest, '/');

        if (part.n == 0 || str_eq(part, STR(".")) || str_eq(part, STR("..")))
            return false;
    }
    return true;
}

static int read_old(struct manifest *m, const char *path)
{
    struct buf text = {0};
    struct str rest, line;
    int rc = read_file(path, MARKER_MAX, &text);

    rest = buf_view(&text);
    str_next_line(&rest, &line);
    while (str_next_line(&rest, &line))
        if (is_inside(line))
            *map_at_copy(&m->old_names, line) = m;
    buf_free(&text);
    return rc == -ENOENT ? 0 : rc;
}

int manifest_begin(struct manifest *m, const char *dir, struct arena *a)
{
    char *path = join(dir, STR(MANIFEST_NAME));
    int rc = make_dirs(dir);

    *m = (struct manifest){.dir = dir, .arena = a, .marker = -1};
    map_init(&m->names, a);
    map_init(&m->old_names, a);
    if (rc == 0)
        rc = read_old(m, path);
    if (rc == 0) {
        bool is_new = access(path, F_OK) != 0;

        m->marker = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
        rc = m->marker < 0 ? -errno : is_new ? write_all(m->marker, FIRST_LINE, sizeof FIRST_LINE - 1) : 0;
    }
    free(path);
    return rc;
}

/*
 * Makes the directories on the way from dir to the file, or with `make` unset only looks at them. 0, or -errno: a
 * symbolic link among them would lead out of the directory.
 */
static int walk_parents(const char *dir, struct str name, bool make)
{
    char *path = join(dir, name);
    struct stat st;
    int rc = 0;

    for (char *p = path + strlen(dir) + 1; rc == 0 && (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        if (make && mkdir(path, 0777) != 0 && errno != EEXIST)
            rc = -errno;
        else if (lstat(path, &st) != 0)
            rc = -errno;
        else if (!S_ISDIR(st.st_mode))
            rc = S_ISLNK(st.st_mode) ? -ELOOP : -ENOTDIR;
        *p = '/';
    }
    free(path);
    return rc;
}

/* A file that is there and that no report of ours put there is somebody's. */
static bool is_foreign(const struct manifest *m, struct str name, const char *path)
{
    struct stat st;

    return !map_get(&m->old_names, name) && lstat(path, &st) == 0;
}

/*
 * Opens DIR/name under its temporary name, which is noted first. One that is there and noted was left by a process that
 * was killed and had the same number.
 */
static int open_temp(struct manifest *m, const char *path, struct outfile *out)
{
    char *temp = outfile_temp_name(path);
    struct str name = str_skip(str_of(temp), strlen(m->dir) + 1);
    struct str line = arena_printf(m->arena, "%.*s\n", STR_ARG(name));
    int rc = write_all(m->marker, line.p, line.n);

    if (rc == 0 && map_get(&m->old_names, name))
        unlink(temp);
    if (rc == 0)
        rc = outfile_open(out, path);
    free(temp);
    return rc;
}

int manifest_create(struct manifest *m, struct str name, struct outfile *out)
{
    char *path = join(m->dir, name);
    int rc = walk_parents(m->dir, name, true);

    if (rc == 0 && is_foreign(m, name, path))
        rc = -EEXIST;
    if (rc == 0)
        rc = open_temp(m, path, out);
    free(path);
    return rc;
}

int manifest_complete(struct manifest *m, struct str name, struct outfile *out)
{
    int rc = outfile_complete(out);

    if (rc == 0)
        *map_at_copy(&m->names, name) = m;
    return rc;
}

/* Removes a file, and the directories that this leaves empty. */
static void remove_file(const struct manifest *m, struct str name)
{
    char *path = join(m->dir, name), *slash;

    if (walk_parents(m->dir, name, false) == 0 && (unlink(path) == 0 || errno == ENOENT))
        while ((slash = strrchr(path, '/')) != NULL && (size_t)(slash - path) > strlen(m->dir)) {
            *slash = '\0';
            if (rmdir(path) != 0)
                break;
        }
    free(path);
}

/* Whoever looks now finds no report, rather than parts of two. */
static void hide_old(const struct manifest *m)
{
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++)
        if (map_get(&m->old_names, faces[i]))
            remove_file(m, faces[i]);
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

/* Gives the complete files their names, which are noted first. */
static int publish(struct manifest *m)
{
    struct buf list = list_names(m);
    int rc = write_all(m->marker, list.p, list.n);

    buf_free(&list);
    if (rc == 0)
        hide_old(m);
    for (size_t i = 0; rc == 0 && i < m->names.n; i++) {
        char *path = join(m->dir, m->names.entries[i].key);

        rc = outfile_publish(path);
        free(path);
    }
    return rc;
}

static int write_marker(struct manifest *m)
{
    struct buf list = list_names(m);
    char *path = join(m->dir, STR(MANIFEST_NAME));
    struct outfile out;
    int rc = open_temp(m, path, &out);

    if (rc == 0) {
        outfile_write(&out, STR(FIRST_LINE));
        outfile_write(&out, buf_view(&list));
        rc = outfile_commit(&out);
    }
    free(path);
    buf_free(&list);
    return rc;
}

int manifest_finish(struct manifest *m)
{
    int rc = publish(m);

    if (rc) {
        manifest_abort(m);
        return rc;
    }
    for (size_t i = 0; i < m->old_names.n; i++)
        if (!map_get(&m->names, m->old_names.entries[i].key))
            remove_file(m, m->old_names.entries[i].key);
    rc = write_marker(m);
    close(m->marker);
    return rc;
}

void manifest_abort(struct manifest *m)
{
    for (size_t i = 0; i < m->names.n; i++) {
        char *path = join(m->dir, m->names.entries[i].key), *temp = outfile_temp_name(path);

        remove_file(m, str_skip(str_of(temp), strlen(m->dir) + 1));
        free(temp);
        free(path);
    }
    if (m->marker >= 0)
        close(m->marker);
}
