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

/* True when this is the first way that leads to the file or directory; *index is where it stands, or will stand. */
static bool first_seen(struct found_files *out, const struct stat *st, size_t *index)
{
    struct identity id = {(uint64_t)st->st_dev, (uint64_t)st->st_ino};
    void **slot = map_at_copy(&out->seen, MAP_KEY(id));
    bool first = *slot == NULL;

    if (first)
        *slot = (void *)(uintptr_t)(out->list.n + 1);
    *index = (size_t)(uintptr_t)*slot - 1;
    return first;
}

static void add_file(struct found_files *out, const char *path, const struct stat *st, bool named)
{
    size_t index;

    if (first_seen(out, st, &index))
        add(out, path);
    out->list.v[index].named |= named;
}

void found_files_init(struct found_files *f, struct arena *a)
{
    *f = (struct found_files){.arena = a};
    map_init(&f->seen, a);
}

static void visit(struct found_files *out, FTS *walk, FTSENT *e)
{
    size_t index;

    switch (e->fts_info) {
    case FTS_D:
        /* Links can lead to a directory in very many ways: it is walked once. */
        if (!first_seen(out, e->fts_statp, &index))
            fts_set(walk, e, FTS_SKIP);
        break;
    case FTS_F:
        add_file(out, e->fts_path, e->fts_statp, false);
        break;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        add(out, e->fts_path)->error = e->fts_errno;
        break;
    default: /* cycles, dead links and devices are no input */
        break;
    }
}

static int walk_directory(struct found_files *out, const char *path)
{
    char *roots[] = {(char *)path, NULL};
    FTS *walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    FTSENT *e;

    if (!walk)
        return -errno;
    while ((e = fts_read(walk)) != NULL)
        visit(out, walk, e);
    fts_close(walk);
    return 0;
}

static void add_stream(struct found_files *out, const char *path)
{
    struct found_file *f = add(out, path);

    f->named = f->once = true;
}

int discover(struct found_files *out, const char *path)
{
    struct stat st;

    if (strcmp(path, "-") == 0) {
        add_stream(out, path);
        return 0;
    }
    if (stat(path, &st) != 0)
        return -errno;
    if (S_ISDIR(st.st_mode))
        return walk_directory(out, path);
    if (S_ISREG(st.st_mode))
        add_file(out, path, &st, true);
    else
        add_stream(out, path);
    return 0;
}
