#include "cmd/confine.h"

#include "cmd/command.h"
#include "digest/digest_file.h"
#include "input/discover.h"
#include "output/export/export.h"
#include "util/system/file.h"
#include "util/system/sandbox.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct allowed {
    struct arena *arena;
    VEC(struct sandbox_path) paths;
};

/* Directories created for the output, outermost first. */
static struct {
    struct arena *arena;
    VEC(const char *) list;
} made;

static void allow(struct allowed *x, const char *path, enum sandbox_access access)
{
    vec_push(x->arena, &x->paths, ((struct sandbox_path){path, access}));
}

/* --- what is read ------------------------------------------------------------------------------------------------- */

enum { HEAD = 64 };

/* Looks at the stored file: the first bytes of a digest are not compressed. */
static bool may_be_digest(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char head[HEAD];
    ssize_t n = fd < 0 ? -1 : read_at(fd, head, sizeof head, 0);

    if (fd >= 0)
        close(fd);
    return n > 0 && str_has((struct str){head, (size_t)n}, STR(DIGEST_MAGIC));
}

static void allow_input(struct allowed *x, const char *path)
{
    struct found_files found;
    bool digest = false;

    allow(x, path, SANDBOX_READ);
    found_files_init(&found, x->arena);
    if (discover(&found, path) != 0)
        return; /* reading it will give the error */
    vec_each(struct found_file, f, &found.list)
    {
        if (f->linked)
            allow(x, f->path.p, SANDBOX_READ);
        digest = digest || (f->bytes && may_be_digest(f->path.p));
    }
    vec_each(struct str, marker, &found.markers) allow(x, marker->p, SANDBOX_READ);
    if (digest)
        allow(x, "/", SANDBOX_READ);
}

static void allow_inputs(struct allowed *x, const struct options *o)
{
    const char *files[] = {o->labels, o->source_root, o->check.policy, o->check.baseline};
    int first = o->command->mask == CMD_INDEX ? 1 : 0, end = o->command->mask == CMD_SHOW ? 1 : o->args_n;

    for (int i = first; i < end; i++)
        if (strcmp(o->args[i], "-") != 0)
            allow_input(x, o->args[i]);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i])
            allow(x, files[i], SANDBOX_READ);
}

/* --- what is written ---------------------------------------------------------------------------------------------- */

static const char *parent_of(struct arena *a, const char *path)
{
    struct str s = str_of(path);
    ptrdiff_t slash;

    while (s.n > 1 && str_ends(s, STR("/")))
        s = str_drop(s, 1);
    slash = str_rchr(s, '/');
    return slash > 0 ? arena_str(a, str_take(s, (size_t)slash)).p : slash == 0 ? "/" : ".";
}

/* The longest part of a path that exists. */
static const char *existing(struct arena *a, const char *path, bool directory)
{
    struct stat st;

    if (directory && stat(path, &st) == 0)
        return path;
    do
        path = parent_of(a, path);
    while (stat(path, &st) != 0 && strcmp(path, "/") != 0 && strcmp(path, ".") != 0);
    return path;
}

/* False if something cannot be created; writing there will give the error. */
static bool make(const char *dir)
{
    struct stat st;

    if (stat(dir, &st) == 0)
        return true;
    if (strcmp(dir, "/") == 0 || strcmp(dir, ".") == 0 || !make(parent_of(made.arena, dir)) ||
        make_removable(dir, NULL) != 0)
        return false;
    vec_push(made.arena, &made.list, dir);
    return true;
}

/* The directory of a report. Other files in its parent directory are none of our business, so it is created now. */
static void allow_directory(struct allowed *x, const char *dir)
{
    const char *above = existing(x->arena, dir, true);

    made.arena = made.arena ? made.arena : arena_new();
    make(arena_str(made.arena, str_of(dir)).p);
    allow(x, dir, SANDBOX_WRITE);
    if (made.list.n)
        allow(x, above, SANDBOX_REMOVE_DIRS);
}

/* A file is first written under another name. */
static void allow_file(struct allowed *x, const char *path)
{
    if (path && strcmp(path, "-") != 0)
        allow(x, existing(x->arena, path, false), SANDBOX_WRITE);
}

/* Several formats create a directory with files. */
static void allow_export(struct allowed *x, const struct options *o)
{
    struct stat st;
    bool directory = stat(o->output, &st) == 0 && S_ISDIR(st.st_mode);

    if (directory)
        allow(x, o->output, SANDBOX_WRITE);
    else
        allow_file(x, o->output);
}

static void allow_outputs(struct allowed *x, const struct options *o)
{
    switch (o->command->mask) {
    case CMD_MERGE:
        if (str_ends(str_of(o->output), STR(".digest"))) {
            allow_file(x, o->output);
            break;
        }
        /* fall through */
    case CMD_REPORT:
        allow_directory(x, o->output);
        break;
    case CMD_FOLLOW:
        if (o->html)
            allow_directory(x, o->html);
        break;
    case CMD_INDEX:
        allow_file(x, o->args[0]);
        if (o->report)
            allow_directory(x, o->output);
        break;
    case CMD_EXPORT:
        allow_export(x, o);
        break;
    case CMD_CHECK:
        allow_file(x, o->output);
        allow_file(x, getenv("GITHUB_STEP_SUMMARY"));
        break;
    case CMD_DIGEST:
    case CMD_DIFF:
        allow_file(x, o->output);
        break;
    default:
        break;
    }
    allow_file(x, o->redact_map);
}

/* --- both --------------------------------------------------------------------------------------------------------- */

void confine(const struct options *o)
{
    struct allowed x = {0};
    static bool done;

    if (done || o->no_sandbox || o->command->mask == CMD_RUN)
        return;
    done = true;
    x.arena = arena_new();
    allow_inputs(&x, o);
    allow_outputs(&x, o);
    temp_files_open();
    sandbox_enter(x.paths.v, x.paths.n);
    arena_free(x.arena);
}

void confine_end(void)
{
    while (made.list.n)
        rmdir(made.list.v[--made.list.n]);
}
