#include <fts.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fts_walk {
    FTSENT top;  /* the parent of the roots */
    FTSENT *now; /* the last entry that fts_read returned */
    FTSENT *first;
    int options;
    int (*compare)(const FTSENT **, const FTSENT **);
};

/* Both "a/" and "a" with "b" give "a/b". */
static char *path_in(const FTSENT *dir, const char *name)
{
    size_t n = strlen(dir->fts_path);
    const char *slash = n > 0 && dir->fts_path[n - 1] != '/' ? "/" : "";
    size_t size = n + strlen(slash) + strlen(name) + 1;
    char *path = malloc(size);

    if (path)
        snprintf(path, size, "%s%s%s", dir->fts_path, slash, name);
    return path;
}

static int kind_of(const struct stat *st)
{
    if (S_ISDIR(st->st_mode))
        return FTS_D;
    if (S_ISLNK(st->st_mode))
        return FTS_SL;
    return S_ISREG(st->st_mode) ? FTS_F : FTS_DEFAULT;
}

static FTSENT *new_entry(FTSENT *parent, char *path, size_t name_at, int follow)
{
    FTSENT *e = path ? calloc(1, sizeof *e) : NULL;
    int rc;

    if (!e) {
        free(path);
        return NULL;
    }
    *e = (FTSENT){
        .fts_parent = parent, .fts_path = path, .fts_name = path + name_at, .fts_level = parent->fts_level + 1};
    e->fts_statp = &e->fts_stat;
    rc = follow ? stat(path, &e->fts_stat) : lstat(path, &e->fts_stat);
    e->fts_errno = rc ? errno : 0;
    e->fts_info = rc ? FTS_NS : kind_of(&e->fts_stat);
    return e;
}

static void free_entry(FTSENT *e)
{
    free(e->fts_path);
    free(e);
}

/* Frees an entry and those after it in its directory. */
static void free_list(FTSENT *e)
{
    while (e) {
        FTSENT *next = e->fts_link;

        free_entry(e);
        e = next;
    }
}

/* qsort has no argument for the comparison. */
static FTSENT *insert(FTS *w, FTSENT *list, FTSENT *e)
{
    FTSENT **at = &list;

    while (*at && (!w->compare || w->compare((const FTSENT **)at, (const FTSENT **)&e) <= 0))
        at = &(*at)->fts_link;
    e->fts_link = *at;
    *at = e;
    return list;
}

/* Merges two sorted lists. */
static FTSENT *merge(FTS *w, FTSENT *a, FTSENT *b)
{
    FTSENT *list = NULL, **end = &list;

    while (a && b) {
        FTSENT **from = w->compare && w->compare((const FTSENT **)&a, (const FTSENT **)&b) > 0 ? &b : &a;

        *end = *from;
        *from = (*from)->fts_link;
        end = &(*end)->fts_link;
    }
    *end = a ? a : b;
    return list;
}

static FTSENT *sorted(FTS *w, FTSENT *list)
{
    FTSENT *half = list, *rest;

    if (!list || !list->fts_link)
        return list;
    for (FTSENT *e = list->fts_link; e && e->fts_link; e = e->fts_link->fts_link)
        half = half->fts_link;
    rest = half->fts_link;
    half->fts_link = NULL;
    return merge(w, sorted(w, list), sorted(w, rest));
}

/* The entries of a directory; an entry that cannot be read makes the directory unreadable, as in glibc. */
static FTSENT *children(FTS *w, FTSENT *dir)
{
    DIR *d = opendir(dir->fts_path);
    FTSENT *list = NULL, *e;
    struct dirent *entry;

    if (!d) {
        dir->fts_errno = errno;
        dir->fts_info = FTS_DNR;
        return NULL;
    }
    while ((entry = readdir(d)) != NULL) {
        char *path;

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        path = path_in(dir, entry->d_name);
        e = new_entry(dir, path, path ? strlen(path) - strlen(entry->d_name) : 0, 0);
        if (e) {
            e->fts_link = list;
            list = e;
        }
    }
    closedir(d);
    return sorted(w, list);
}

static FTSENT *new_root(FTS *w, const char *path)
{
    const char *slash = strrchr(path, '/');
    FTSENT *e = new_entry(&w->top, strdup(path), slash && slash[1] ? (size_t)(slash + 1 - path) : 0,
                          w->options & FTS_COMFOLLOW);

    if (e && e->fts_info == FTS_NS && lstat(path, &e->fts_stat) == 0)
        e->fts_info = FTS_SLNONE;
    return e;
}

FTS *fts_open(char *const *roots, int options, int (*compare)(const FTSENT **, const FTSENT **))
{
    FTS *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    w->top.fts_level = -1;
    w->options = options;
    w->compare = compare;
    for (; *roots; roots++) {
        FTSENT *e = new_root(w, *roots);

        if (e)
            w->first = insert(w, w->first, e);
    }
    return w;
}

/* The entry after this one: the next one of its directory, or the directory again after its last entry. */
static FTSENT *next_of(FTS *w, FTSENT *e)
{
    FTSENT *next = e->fts_link, *parent = e->fts_parent;

    free_entry(e);
    if (next || parent == &w->top)
        return next;
    parent->fts_info = FTS_DP;
    return parent;
}

FTSENT *fts_read(FTS *w)
{
    FTSENT *e = w->now, *first;

    if (!e) {
        w->now = w->first;
        w->first = NULL;
    } else if (e->fts_info == FTS_D && e->fts_instr != FTS_SKIP) {
        first = children(w, e);
        if (!first && e->fts_info == FTS_D)
            e->fts_info = FTS_DP;
        w->now = first ? first : e;
    } else {
        w->now = next_of(w, e);
    }
    errno = 0;
    return w->now;
}

int fts_set(FTS *w, FTSENT *e, int instruction)
{
    (void)w;
    e->fts_instr = instruction;
    return 0;
}

int fts_close(FTS *w)
{
    FTSENT *e = w->now;

    while (e && e != &w->top) {
        FTSENT *parent = e->fts_parent;

        free_list(e);
        e = parent;
    }
    free_list(w->first);
    free(w);
    return 0;
}
