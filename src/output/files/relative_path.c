#include "output/files/relative_path.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

static bool is_file(const struct source_tree *t, struct str path)
{
    struct stat st;
    struct str whole = arena_printf(t->arena, "%s/%.*s", t->root, STR_ARG(path));

    return str_chr(path, '\0') < 0 && stat(whole.p, &st) == 0 && S_ISREG(st.st_mode);
}

/* A component ".." would lead out of the root. */
static bool stays_below(struct str path)
{
    while (path.n)
        if (str_eq(str_split(&path, '/'), STR("..")))
            return false;
    return true;
}

void source_tree_init(struct source_tree *t, struct arena *a, const char *root)
{
    char real[PATH_MAX];

    *t = (struct source_tree){.arena = a, .root = root};
    if (realpath(root, real))
        t->real = arena_str(a, str_of(real));
    map_init(&t->relative, a);
}

static struct str look_for(const struct source_tree *t, struct str file)
{
    struct str rest = file;

    if (t->real.n && str_consume(&rest, t->real) && str_consume(&rest, STR("/")) && stays_below(rest))
        return rest;
    for (rest = file; rest.n; str_split(&rest, '/'))
        if (*rest.p != '/' && stays_below(rest) && is_file(t, rest))
            return rest;
    return (struct str){0};
}

struct str relative_path(struct source_tree *t, struct str file)
{
    void **slot = map_at(&t->relative, file);
    struct str *path = *slot;

    if (!path) {
        *slot = path = ARENA_NEW(t->arena, struct str);
        *path = look_for(t, file);
    }
    return *path;
}
