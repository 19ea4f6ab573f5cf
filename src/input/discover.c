#include "input/discover.h"

#include <errno.h>
#include <fts.h>
#include <sys/stat.h>

struct identity {
    uint64_t device, inode;
};

static struct found_file *add(struct found_files *out, const char *path)
{
    struct found_file *f = vec_add(out->arena, &out->list);

    f->path = arena_str(out->arena, str_of(path));
    return f;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* A file that two names lead to is read once. The file in the list; NULL when it is new, and then to be added next. */
static struct found_file *seen_before(struct found_files *out, const struct stat *st)
{
    struct identity id = {(uint64_t)st->st_dev, (uint64_t)st->st_ino};
    void **slot = map_at_copy(&out->seen, MAP_KEY(id));

    if (*slot)
        return &out->list.v[(uintptr_t)*slot - 1];
    *slot = (void *)(uintptr_t)(out->list.n + 1);
    return NULL;
}

void found_files_init(struct found_files *f, struct arena *a)
{
    *f = (struct found_files){.arena = a};
    map_init(&f->seen, a);
}

static void add_regular(struct found_files *out, const char *path, const struct stat *st)
{
    if (!seen_before(out, st))
        add(out, path)->bytes = (uint64_t)st->st_size;
}

/* Who opens a pipe waits for its writer, and devices have no end. */
static void add_special(struct found_files *out, const char *path)
{
    add(out, path)->why_not = STR("a pipe, socket or device: name it to have it read");
}

static void add_link(struct found_files *out, const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0)
        add(out, path)->why_not = STR("a link that leads nowhere");
    else if (S_ISREG(st.st_mode))
        add_regular(out, path, &st);
    else if (S_ISDIR(st.st_mode))
        add(out, path)->why_not = STR("a link to a directory: name it to have it read");
    else
        add_special(out, path);
}

/* The directory that was given, or something below it. */
static void add_unreadable(struct found_files *out, const FTSENT *e)
{
    struct found_file *f = add(out, e->fts_path);

    f->error = e->fts_errno;
    f->named = e->fts_level == FTS_ROOTLEVEL;
}

/* A directory comes twice, before and after what is in it; neither is a file. */
static void visit(struct found_files *out, const FTSENT *e)
{
    switch (e->fts_info) {
    case FTS_F:
        add_regular(out, e->fts_path, e->fts_statp);
        break;
    case FTS_SL:
    case FTS_SLNONE:
        add_link(out, e->fts_path);
        break;
    case FTS_DEFAULT:
        add_special(out, e->fts_path);
        break;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        add_unreadable(out, e);
        break;
    default: /* directories are walked */
        break;
    }
}

static void add_named(struct found_files *out, const char *path, const struct stat *st)
{
    struct found_file *f = S_ISREG(st->st_mode) ? seen_before(out, st) : NULL;

    if (f) {
        f->named = true; /* it was found in a directory that was given before */
        return;
    }
    f = add(out, path);
    f->named = true;
    f->once = !S_ISREG(st->st_mode);
    f->bytes = f->once ? 0 : (uint64_t)st->st_size;
}

int discover(struct found_files *out, const char *path)
{
    char *roots[] = {(char *)path, NULL};
    struct stat st;
    FTS *walk;
    FTSENT *e;
    int error;

    if (strcmp(path, "-") == 0) {
        add_named(out, path, &(struct stat){.st_mode = S_IFIFO});
        return 0;
    }
    if (stat(path, &st) != 0)
        return -errno;
    if (!S_ISDIR(st.st_mode)) {
        add_named(out, path, &st);
        return 0;
    }
    /* Links as they are, but the one that was given; without chdir, which other threads would see. */
    walk = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
    if (!walk)
        return -errno;
    while ((e = fts_read(walk)) != NULL)
        visit(out, e);
    error = errno; /* 0 when the walk came to its end */
    fts_close(walk);
    return -error;
}
