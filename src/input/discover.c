#include "input/discover.h"

#include "input/report_files.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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

/*
 * A file that can be reached under two names is read once. Returns the file in the list, or NULL for a new one, which
 * must then be added next.
 */
static struct found_file *seen_before(struct found_files *out, const struct stat *st)
{
    struct identity id = {(uint64_t)st->st_dev, (uint64_t)st->st_ino};
    uint64_t *number = map_number_at(&out->seen, MAP_KEY(id));

    if (*number)
        return &out->list.v[*number - 1];
    *number = out->list.n + 1;
    return NULL;
}

void found_files_init(struct found_files *f, struct arena *a)
{
    *f = (struct found_files){.arena = a};
    map_init(&f->seen, a);
    map_init(&f->ours, a);
}

/* --- reports ------------------------------------------------------------------------------------------------------ */

static const struct str of_report = STR_INIT("a report that pt2trace wrote: pass the files that the report was made "
                                             "from");

/*
 * `dir` holds a marker. Of the names it lists, the walk below `walked` (another name of dir/inside) will meet those
 * below `inside`, or all of them if `inside` is empty.
 */
static void note_report(struct found_files *out, const char *dir, struct str inside, const char *walked)
{
    struct str marker = arena_printf(out->arena, "%s/" REPORT_MARKER, dir);
    struct map names;

    map_init(&names, out->arena);
    if (report_marker_read(marker.p, &names) != 0)
        return;
    vec_push(out->arena, &out->markers, marker);
    *map_at(&names, STR(REPORT_MARKER)) = &names;
    for (size_t i = 0; i < names.n; i++) {
        struct str rest = names.entries[i].key;

        if (inside.n == 0)
            *map_at(&out->ours, arena_printf(out->arena, "%s/%.*s", walked, STR_ARG(rest))) = out;
        else if (str_consume(&rest, inside) && (rest.n == 0 || rest.p[0] == '/'))
            *map_at(&out->ours, arena_printf(out->arena, "%s%.*s", walked, STR_ARG(rest))) = out;
    }
}

/* A path may lead into a report: a directory above it then has a marker that lists the files. */
static bool note_reports_above(struct found_files *out, const char *path)
{
    char *full = realpath(path, NULL);
    struct str above = full ? str_of(full) : STR("");
    size_t before = out->ours.n;
    ptrdiff_t slash;

    while (full && (slash = str_rchr(above, '/')) > 0) {
        const char *dir;

        above = str_take(above, (size_t)slash);
        dir = arena_str(out->arena, above).p;
        if (access(arena_printf(out->arena, "%s/" REPORT_MARKER, dir).p, F_OK) == 0)
            note_report(out, dir, str_skip(str_of(full), above.n + 1), path);
    }
    free(full);
    return out->ours.n > before;
}

static bool is_ours(const struct found_files *out, const char *path)
{
    return map_get(&out->ours, str_of(path)) != NULL;
}

static void add_regular(struct found_files *out, const char *path, const struct stat *st, bool linked)
{
    struct found_file *f;

    if (is_ours(out, path) || seen_before(out, st))
        return;
    f = add(out, path);
    f->bytes = (uint64_t)st->st_size;
    f->linked = linked;
}

/* Opening a pipe would wait for its writer, and devices have no end. */
static void add_special(struct found_files *out, const char *path)
{
    add(out, path)->why_not = STR("a pipe, socket or device: name it explicitly to read it");
}

static void add_link(struct found_files *out, const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0)
        add(out, path)->why_not = STR("a dangling link");
    else if (S_ISREG(st.st_mode))
        add_regular(out, path, &st, true);
    else if (S_ISDIR(st.st_mode))
        add(out, path)->why_not = STR("a link to a directory: name it explicitly to read it");
    else
        add_special(out, path);
}

/* A directory that cannot be read: the one given, or one below it. */
static void add_unreadable(struct found_files *out, const FTSENT *e)
{
    struct found_file *f = add(out, e->fts_path);

    f->error = e->fts_errno;
    f->named = e->fts_level == FTS_ROOTLEVEL;
}

/* tlparse copies what it reads to raw.log. */
static void add_copy(struct found_files *out, const char *dir)
{
    struct str path = arena_printf(out->arena, "%s/raw.log", dir);
    struct found_file *f;
    struct stat st;

    if (stat(path.p, &st) != 0 || !S_ISREG(st.st_mode) || seen_before(out, &st))
        return;
    f = add(out, path.p);
    f->bytes = (uint64_t)st.st_size;
    f->why_not = STR("tlparse's copy of a trace: name it explicitly to read it");
    f->copy = f->linked = true; /* it may be a link, too */
}

static void enter(struct found_files *out, FTSENT *e)
{
    enum report_dir kind = report_dir_of(e->fts_path);

    e->fts_number = kind; /* read by is_in_report */
    if (kind == REPORT_DIR_PT2TRACE) {
        note_report(out, e->fts_path, STR(""), e->fts_path);
        add(out, e->fts_path)->why_not = of_report;
    } else if (kind == REPORT_DIR_TLPARSE || kind == REPORT_DIR_TLPARSE_ALL) {
        add(out, e->fts_path)->why_not = STR("a report that tlparse wrote");
    } else if (kind == REPORT_DIR_TLHUB) {
        add(out, e->fts_path)->why_not = STR("a run of tlhub: only its trace is read");
    }
    if (kind == REPORT_DIR_TLPARSE)
        add_copy(out, e->fts_path);
}

/* Decided by the directory that contains it. */
static bool is_in_report(const FTSENT *e)
{
    bool is_dir = e->fts_info == FTS_D || e->fts_info == FTS_DP;

    if (e->fts_level == FTS_ROOTLEVEL)
        return false;
    switch ((enum report_dir)e->fts_parent->fts_number) {
    case REPORT_DIR_PT2TRACE:
        return is_dir && strcmp(e->fts_name, REPORT_STAGE) == 0;
    case REPORT_DIR_TLPARSE:
        return true;
    case REPORT_DIR_TLPARSE_ALL:
        return !is_dir; /* the directories are those of the ranks */
    case REPORT_DIR_TLHUB:
        return !is_dir || strcmp(e->fts_name, "trace") != 0;
    case REPORT_DIR_NONE:
        break;
    }
    return false;
}

/* fts returns a directory twice, before and after its contents; neither is a file. */
static void visit(struct found_files *out, FTS *walk, FTSENT *e)
{
    if (is_in_report(e)) {
        if (e->fts_info == FTS_D)
            fts_set(walk, e, FTS_SKIP);
        return;
    }
    switch (e->fts_info) {
    case FTS_D:
        enter(out, e);
        break;
    case FTS_F:
        add_regular(out, e->fts_path, e->fts_statp, false);
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
    default: /* FTS_DP: the end of a directory */
        break;
    }
}

static void add_named(struct found_files *out, const char *path, const struct stat *st)
{
    struct found_file *f = S_ISREG(st->st_mode) ? seen_before(out, st) : NULL;

    if (f) {
        f->named = true; /* it was found earlier, in a directory that was given */
        return;
    }
    f = add(out, path);
    f->named = true;
    f->once = !S_ISREG(st->st_mode);
    if (is_ours(out, path))
        f->why_not = of_report;
    f->bytes = f->once ? 0 : (uint64_t)st->st_size;
}

int discover(struct found_files *out, const char *path)
{
    char *roots[] = {(char *)path, NULL};
    struct stat st;
    FTS *walk;
    FTSENT *e;
    bool in_report;
    int error;

    if (strcmp(path, "-") == 0) {
        add_named(out, path, &(struct stat){.st_mode = S_IFIFO});
        return 0;
    }
    if (stat(path, &st) != 0)
        return -errno;
    in_report = note_reports_above(out, path);
    if (!S_ISDIR(st.st_mode)) {
        add_named(out, path, &st);
        return 0;
    }
    if (in_report)
        add(out, path)->why_not = of_report;
    /* Links are not followed, except for the path that was given. Without chdir, which other threads would notice. */
    walk = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
    if (!walk)
        return -errno;
    while ((e = fts_read(walk)) != NULL)
        visit(out, walk, e);
    error = errno; /* 0 if the walk reached its end */
    fts_close(walk);
    return -error;
}
