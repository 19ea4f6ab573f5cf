#include "input/discover.h"

#include <errno.h>
#include <fts.h>
#include <sys/stat.h>

struct identity {
    uint64_t device, inode;
};

static void add(struct found_files *out, const char *path, bool named, int error)
{
    vec_push(out->arena, &out->list, ((struct found_file){arena_str(out->arena, str_of(path)), named, error}));
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* A file that two names lead to is read once. */
static bool seen_before(struct found_files *out, const struct stat *st)
{
    struct identity id = {(uint64_t)st->st_dev, (uint64_t)st->st_ino};
    void **slot = map_at_copy(&out->seen, MAP_KEY(id));
    bool before = *slot != NULL;

    *slot = out;
    return before;
}

void found_files_init(struct found_files *f, struct arena *a)
{
    *f = (struct found_files){.arena = a};
    map_init(&f->seen, a);
}

static void visit(struct found_files *out, const FTSENT *e)
{
    switch (e->fts_info) {
    case FTS_F:
        if (!seen_before(out, e->fts_statp))
            add(out, e->fts_path, false, 0);
        break;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        add(out, e->fts_path, false, e->fts_errno);
        break;
    default: /* directories are walked; cycles, dead links and devices are no input */
        break;
    }
}

int discover(struct found_files *out, const char *path)
{
    char *roots[] = {(char *)path, NULL};
    struct stat st;
    FTS *walk;
    FTSENT *e;

    if (strcmp(path, "-") == 0) {
        add(out, path, true, 0);
        return 0;
    }
    if (stat(path, &st) != 0)
        return -errno;
    if (!S_ISDIR(st.st_mode)) {
        if (!S_ISREG(st.st_mode) || !seen_before(out, &st))
            add(out, path, true, 0);
        return 0;
    }
    walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    if (!walk)
        return -errno;
    while ((e = fts_read(walk)) != NULL)
        visit(out, e);
    fts_close(walk);
    return 0;
}
