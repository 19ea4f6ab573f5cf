#include "relaunch/launch/oom.h"

#include "util/arena.h"
#include "util/system/file.h"

enum { TEXT_MAX = 1 << 16 };

/* Version 1 uses the largest multiple of a page for "no limit". */
static const uint64_t NO_LIMIT = UINT64_C(1) << 60;

/* In a file with lines "NAME NUMBER". */
static bool find_number(const char *path, struct str name, uint64_t *out)
{
    struct buf text = {0};
    struct str rest, line;
    bool found = false;

    if (read_file(path, TEXT_MAX, &text) == 0)
        for (rest = buf_view(&text); !found && str_next_line(&rest, &line);)
            found = str_consume(&line, name) && str_take_u64(&line, out);
    buf_free(&text);
    return found;
}

/* --- the control group -------------------------------------------------------------------------------------------- */

struct memory_group {
    const char *mount; /* relative to root */
    struct str path;   /* "/user.slice/job", "" for the root group */
    const char *limit; /* the file with the limit */
};

/* A line of /proc/self/cgroup: "0::/job", or in version 1 "4:memory:/job". */
static bool take_group(struct str line, struct memory_group *g)
{
    uint64_t id;

    if (!str_take_u64(&line, &id))
        return false;
    if (str_consume(&line, STR("::")))
        *g = (struct memory_group){"/sys/fs/cgroup", line, "memory.max"};
    else if (str_consume(&line, STR(":memory:")))
        *g = (struct memory_group){"/sys/fs/cgroup/memory", line, "memory.limit_in_bytes"};
    else
        return false;
    return true;
}

static uint64_t limit_of(struct arena *a, const char *root, const struct memory_group *g)
{
    const char *path = arena_printf(a, "%s%s%.*s/%s", root, g->mount, STR_ARG(g->path), g->limit).p;
    uint64_t limit;

    return find_number(path, STR(""), &limit) && limit < NO_LIMIT ? limit : 0;
}

/* A group cannot have more than the groups around it. In a container, part of the path may be missing. */
static uint64_t least_limit(struct arena *a, const char *root, struct memory_group g)
{
    uint64_t least = 0;

    for (;;) {
        uint64_t limit = limit_of(a, root, &g);
        ptrdiff_t slash = str_rchr(g.path, '/');

        least = limit && (least == 0 || limit < least) ? limit : least;
        if (slash < 0)
            return least;
        g.path.n = (size_t)slash;
    }
}

uint64_t oom_limit(const char *root)
{
    struct arena *a = arena_new();
    struct buf text = {0};
    struct str rest, line;
    struct memory_group g;
    uint64_t limit = 0;

    if (read_file(arena_printf(a, "%s/proc/self/cgroup", root).p, TEXT_MAX, &text) == 0)
        for (rest = buf_view(&text); limit == 0 && str_next_line(&rest, &line);)
            if (take_group(line, &g))
                limit = least_limit(a, root, g);
    buf_free(&text);
    arena_free(a);
    return limit;
}

/* --- kills -------------------------------------------------------------------------------------------------------- */

static bool kills_of_group(struct arena *a, const char *root, uint64_t *n)
{
    struct buf text = {0};
    struct str rest, line;
    struct memory_group g;
    bool found = false;

    if (read_file(arena_printf(a, "%s/proc/self/cgroup", root).p, TEXT_MAX, &text) == 0)
        for (rest = buf_view(&text); !found && str_next_line(&rest, &line);)
            found = take_group(line, &g) &&
                    find_number(arena_printf(a, "%s%s%.*s/memory.events", root, g.mount, STR_ARG(g.path)).p,
                                STR("oom_kill "), n);
    buf_free(&text);
    return found;
}

uint64_t oom_kills(const char *root)
{
    struct arena *a = arena_new();
    uint64_t n = 0;

    if (!kills_of_group(a, root, &n))
        find_number(arena_printf(a, "%s/proc/vmstat", root).p, STR("oom_kill "), &n);
    arena_free(a);
    return n;
}
