#include "output/files/staging.h"

#include "input/report_files.h"
#include "util/system/file.h"
#include "util/system/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Relative to the output directory, which contains the links. */
#define THROUGH_CURRENT REPORT_STAGE "/current/"

static const char *path_of(const struct staging *s, const char *part, struct str name)
{
    return arena_printf(s->arena, "%s/" REPORT_STAGE "/%s%s%.*s", s->dir, part, name.n ? "/" : "", STR_ARG(name)).p;
}

/* The place of an entry in the output directory. */
static const char *place_of(const struct staging *s, struct str entry)
{
    return arena_printf(s->arena, "%s/%.*s", s->dir, STR_ARG(entry)).p;
}

static const char *target_of(const struct staging *s, struct str entry)
{
    return arena_printf(s->arena, THROUGH_CURRENT "%.*s", STR_ARG(entry)).p;
}

static int status(int result)
{
    return result == 0 ? 0 : -errno;
}

/* --- what is there ------------------------------------------------------------------------------------------------ */

enum what { NOTHING, OUR_LINK, A_DIRECTORY, A_FILE };

static enum what look_at(const struct staging *s, struct str entry, const char *path)
{
    const char *target = target_of(s, entry);
    char there[512];
    struct stat st;
    ssize_t n;

    if (lstat(path, &st) != 0)
        return NOTHING;
    if (S_ISDIR(st.st_mode))
        return A_DIRECTORY;
    n = readlink(path, there, sizeof there);
    return n >= 0 && (size_t)n == strlen(target) && memcmp(there, target, (size_t)n) == 0 ? OUR_LINK : A_FILE;
}

/* "old" or "new", the target of the links; an interrupted run may not have made any. */
static const char *current(const struct staging *s)
{
    char there[4] = "";

    return readlink(path_of(s, "current", STR("")), there, 3) == 3 && memcmp(there, "new", 3) == 0 ? "new" : "old";
}

/* The top-level entries for a list of files, each once: "artifacts/0_0/a.py" is in "artifacts". */
static void add_entries(struct map *entries, const struct map *names)
{
    for (size_t i = 0; i < names->n; i++) {
        struct str rest = names->entries[i].key, entry = str_split(&rest, '/');

        *map_at(entries, entry) = entries;
    }
}

/* --- changing places ---------------------------------------------------------------------------------------------- */

static bool cannot_exchange(void)
{
    return errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
}

/*
 * Puts a link in the place of an entry, and the entry in `old`. If names cannot be exchanged (NFS), a file gets a
 * second name first; a directory cannot have one, so for a moment there is nothing in its place.
 */
static int link_in_place(struct staging *s, struct str entry, const char *place, const char *old)
{
    const char *target = target_of(s, entry), *link_name = path_of(s, "link", STR(""));

    if (look_at(s, entry, place) == NOTHING)
        return status(symlink(target, place));
    if (symlink(target, old) != 0)
        return -errno;
    if (renameat2(AT_FDCWD, old, AT_FDCWD, place, RENAME_EXCHANGE) == 0)
        return 0;
    if (!cannot_exchange() || unlink(old) != 0 || symlink(target, link_name) != 0)
        return -errno;
    if (link(place, old) != 0 && rename(place, old) != 0)
        return -errno;
    return status(rename(link_name, place));
}

/* Completes link_in_place: `from` contains the entry that belongs in the place. */
static int settle(struct staging *s, struct str entry, const char *from)
{
    const char *place = place_of(s, entry), *real = path_of(s, from, entry);
    enum what there = look_at(s, entry, place), what = look_at(s, entry, real);
    int rc;

    if (there != OUR_LINK && (there != NOTHING || what == NOTHING || what == OUR_LINK))
        return 0;
    if (what == NOTHING || what == OUR_LINK)
        return status(unlink(place));
    if (what == A_FILE || there == NOTHING)
        return status(rename(real, place));
    if (renameat2(AT_FDCWD, real, AT_FDCWD, place, RENAME_EXCHANGE) == 0)
        return 0;
    if (!cannot_exchange() || unlink(place) != 0)
        return -errno;
    if (rename(real, place) == 0)
        return 0;
    rc = -errno;
    return symlink(target_of(s, entry), place) == 0 ? rc : -errno;
}

/* Handles all entries even if one fails; 0 or the last error. */
static int settle_all(struct staging *s, const struct map *entries, const char *from)
{
    int rc = 0;

    for (size_t i = 0; i < entries->n; i++) {
        int error = settle(s, entries->entries[i].key, from);

        rc = error ? error : rc;
    }
    return rc;
}

/* Switches all links in one step. */
static int switch_to_new(struct staging *s)
{
    const char *next = path_of(s, "next", STR(""));

    if (symlink("new", next) != 0)
        return -errno;
    return status(rename(next, path_of(s, "current", STR(""))));
}

static int publish_by_links(struct staging *s, const struct map *entries)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < entries->n; i++) {
        struct str entry = entries->entries[i].key;

        rc = link_in_place(s, entry, place_of(s, entry), path_of(s, "old", entry));
    }
    rc = rc ? rc : switch_to_new(s);
    settle_all(s, entries, rc ? "old" : "new");
    return rc;
}

/* --- without links ------------------------------------------------------------------------------------------------ */

/* Moves an entry if it exists. */
static int move(struct staging *s, struct str entry, const char *from, const char *to)
{
    return look_at(s, entry, from) == NOTHING ? 0 : status(rename(from, to));
}

static int publish_by_moves(struct staging *s, const struct map *entries)
{
    size_t done = 0;
    int rc = 0;

    for (; rc == 0 && done < entries->n; done++) {
        struct str entry = entries->entries[done].key;

        rc = move(s, entry, place_of(s, entry), path_of(s, "old", entry));
        rc = rc ? rc : move(s, entry, path_of(s, "new", entry), place_of(s, entry));
    }
    while (rc && done-- > 0) {
        struct str entry = entries->entries[done].key;

        if (look_at(s, entry, path_of(s, "new", entry)) == NOTHING)
            move(s, entry, place_of(s, entry), path_of(s, "new", entry));
        move(s, entry, path_of(s, "old", entry), place_of(s, entry));
    }
    return rc;
}

/* --- afterwards --------------------------------------------------------------------------------------------------- */

/* Removes a file in `old`, and directories that become empty. False if the file is still there. */
static bool remove_old(const struct staging *s, struct str name)
{
    if (unlink(path_of(s, "old", name)) != 0 && errno != ENOENT)
        return errno == EISDIR || errno == ENOTDIR; /* not ours */
    for (ptrdiff_t slash; (slash = str_rchr(name, '/')) > 0;) {
        name = str_take(name, (size_t)slash);
        if (rmdir(path_of(s, "old", name)) != 0)
            break;
    }
    return true;
}

/* Whatever is left in `old` belongs to someone else, who put it among our files: it is moved back. */
static void give_back(const struct staging *s, struct str name)
{
    const char *from = path_of(s, "old", name), *to = place_of(s, name);
    char *roots[] = {(char *)from, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    FTSENT *e;

    while (walk && (e = fts_read(walk)) != NULL) {
        const char *place = arena_printf(s->arena, "%s%s", to, e->fts_path + strlen(from)).p;
        struct stat st;

        if (e->fts_info == FTS_DP)
            rmdir(e->fts_path);
        else if (lstat(place, &st) != 0 && rename(e->fts_path, place) == 0)
            fts_set(walk, e, FTS_SKIP);
    }
    if (walk)
        fts_close(walk);
}

/* For a directory with only our own files. */
static void remove_tree(const char *path)
{
    char *roots[] = {(char *)path, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    FTSENT *e;

    while (walk && (e = fts_read(walk)) != NULL) {
        if (e->fts_info == FTS_DP)
            rmdir(e->fts_path);
        else if (e->fts_info != FTS_D)
            unlink(e->fts_path);
    }
    if (walk)
        fts_close(walk);
}

/* Whether a report is still seen through the links, because one of them could not be replaced. */
static bool is_in_use(const struct staging *s, const struct map *entries)
{
    for (size_t i = 0; i < entries->n; i++)
        if (look_at(s, entries->entries[i].key, place_of(s, entries->entries[i].key)) == OUR_LINK)
            return true;
    return false;
}

/* What cannot be done now stays in the stage, and is done when the next report is written. */
static bool clear(const struct staging *s, const struct map *entries, const struct map *names)
{
    bool done = !is_in_use(s, entries);

    for (size_t i = 0; done && i < names->n; i++)
        done = remove_old(s, names->entries[i].key);
    if (!done)
        return false;
    for (size_t i = 0; i < entries->n; i++) {
        struct str entry = entries->entries[i].key;
        const char *old = path_of(s, "old", entry);

        if (look_at(s, entry, old) == OUR_LINK)
            unlink(old);
        else
            give_back(s, entry);
    }
    remove_tree(path_of(s, "new", STR("")));
    unlink(path_of(s, "link", STR("")));
    unlink(path_of(s, "next", STR("")));
    unlink(path_of(s, "current", STR("")));
    rmdir(path_of(s, "old", STR("")));
    return rmdir(path_of(s, "", STR(""))) == 0 || errno == ENOENT;
}

/* --- from outside ------------------------------------------------------------------------------------------------- */

/* Makes a directory that is removed when a signal ends the program. */
static int make_dir(const char *path)
{
    return make_removable(path, NULL);
}

/* Whether the links lead to the old report or to the new one decides which of them is kept. */
static int recover(struct staging *s, const struct map *names)
{
    struct map entries;
    struct stat st;
    int rc;

    if (lstat(path_of(s, "", STR("")), &st) != 0)
        return errno == ENOENT ? 0 : -errno;
    if (!S_ISDIR(st.st_mode))
        return S_ISLNK(st.st_mode) ? -ELOOP : -ENOTDIR;
    map_init(&entries, s->arena);
    add_entries(&entries, names);
    rc = settle_all(s, &entries, current(s));
    if (rc == 0)
        clear(s, &entries, names);
    return rc;
}

static int make_current(struct staging *s)
{
    int rc = make_removable(path_of(s, "current", STR("")), "old");

    s->plain = rc == -EPERM || rc == -EOPNOTSUPP || rc == -ENOSYS;
    return s->plain ? 0 : rc;
}

int staging_begin(struct staging *s, const char *dir, const struct map *names, struct arena *a)
{
    int rc;

    *s = (struct staging){.dir = dir, .arena = a};
    rc = recover(s, names);
    rc = rc ? rc : make_dir(path_of(s, "", STR("")));
    rc = rc ? rc : make_dir(path_of(s, "old", STR("")));
    rc = rc ? rc : make_dir(path_of(s, "new", STR("")));
    return rc ? rc : make_current(s);
}

const char *staging_file(struct staging *s, struct str name)
{
    for (size_t at = 0; at < name.n; at++)
        if (name.p[at] == '/' && make_dir(path_of(s, "new", str_take(name, at))) != 0 && errno != EEXIST)
            return NULL;
    return path_of(s, "new", name);
}

int staging_publish(struct staging *s, const struct map *names)
{
    struct map entries;

    map_init(&entries, s->arena);
    add_entries(&entries, names);
    return s->plain ? publish_by_moves(s, &entries) : publish_by_links(s, &entries);
}

bool staging_end(struct staging *s, const struct map *names)
{
    struct map entries;
    bool done;

    map_init(&entries, s->arena);
    add_entries(&entries, names);
    done = clear(s, &entries, names);
    signals_forget_below(path_of(s, "", STR("")));
    return done;
}
