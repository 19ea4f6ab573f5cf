#include "output/relative_path.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

static bool is_file(const struct source_tree *t, struct str path)
{
    struct stat st;
    struct str whole = arena_printf(t->arena, "%s/%.*s", t->root, STR_ARG(path));

    return str_chr(path, '\0') < 0 && stat(whole.p, &st) == 0 && S_ISREG(st.st_mode);
}

/* A part ".." would lead out of the root. */
static bool stays_below(struct str path)
{
    while (path.n)
        if (str_eq(str_split(&path, '/'), STR("..")))
            return false;
    return true;
}

struct str relative_path(const struct source_tree *t, struct str file)
{
    char root[PATH_MAX];
    struct str rest = file;

    if (realpath(t->root, root) && str_consume(&rest, str_of(root)) && str_consume(&rest, STR("/")) &&
        stays_below(rest))
        return rest;
    for (rest = file; rest.n; str_split(&rest, '/'))
        if (*rest.p != '/' && stays_below(rest) && is_file(t, rest))
            return rest;
    return (struct str){0};
}
