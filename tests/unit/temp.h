/*
 * temp: a directory for the files of one test program. It is made on first use and removed, with all that is in it,
 * when the program that made it ends (not when a child that it forked does).
 */
#pragma once

#include "unit.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    char path[256];
    pid_t owner;
} temp;

static inline int temp_remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)ftw;
    return type == FTW_DP ? rmdir(path) : unlink(path);
}

static inline void temp_remove(void)
{
    if (temp.owner == getpid())
        nftw(temp.path, temp_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline const char *temp_dir(void)
{
    const char *parent = getenv("TMPDIR");

    if (!temp.owner) {
        snprintf(temp.path, sizeof temp.path, "%s/pt2trace-test-XXXXXX", parent && *parent ? parent : "/tmp");
        assert_non_null(mkdtemp(temp.path));
        temp.owner = getpid();
        atexit(temp_remove);
    }
    return temp.path;
}

/* The path of `name` in the directory; the last 32 of them stay valid. */
static inline const char *temp_path(const char *name)
{
    static char paths[32][512];
    static unsigned next;
    char *path = paths[next++ % 32];

    snprintf(path, sizeof paths[0], "%s/%s", temp_dir(), name);
    return path;
}

/* Makes (or replaces) a file and says where it is. */
static inline const char *temp_write(const char *name, struct str text)
{
    const char *path = temp_path(name);
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_int_equal(fwrite(text.p ? text.p : "", 1, text.n, f), text.n);
    assert_int_equal(fclose(f), 0);
    return path;
}

/* The text of a file, in the arena. Fails the test when there is none. */
static inline struct str temp_read(struct arena *a, const char *path)
{
    FILE *f = fopen(path, "r");
    struct stat st;
    struct str out;
    char *p;

    if (!f)
        fail_msg("%s cannot be opened", path);
    assert_int_equal(fstat(fileno(f), &st), 0);
    p = arena_alloc(a, (size_t)st.st_size + 1);
    out = (struct str){p, fread(p, 1, (size_t)st.st_size, f)};
    fclose(f);
    return out;
}

static inline bool temp_exists(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0;
}
