/* Findings about what failed. */
#include "analysis/find.h"

#include "util/map.h"
#include "util/utf8.h"

static enum finding_severity severity_of(const struct error *e)
{
    if (e->silent)
        return FINDING_MEDIUM;
    return e->category == ERROR_GRAPH_BREAK || e->category == ERROR_USER ? FINDING_HIGH : FINDING_CRITICAL;
}

static struct str first_line(struct str s)
{
    return str_trim(str_split(&s, '\n'));
}

/* What failed, in one line: a first line such as "backend='inductor' raised:" only introduces the second. */
static struct str headline(struct finder *f, struct str message)
{
    struct str rest = message, first = str_trim(str_split(&rest, '\n')), second = first_line(str_trim(rest));

    if (str_ends(first, STR(":")) && second.n)
        first = arena_printf(f->arena, "%.*s %.*s", STR_ARG(first), STR_ARG(second));
    return utf8_cut(first, 200);
}

static void join_steps(struct finder *f, struct finding *x, const struct error *e)
{
    const char *const *steps = error_next_steps(e->category);

    x->fix =
        steps[0] && steps[1] ? arena_printf(f->arena, "%s %s", steps[0], steps[1]) : str_of(steps[0] ? steps[0] : "");
}

static struct str detail_of(struct finder *f, const struct error *e)
{
    const struct failure *failure = e->failure;

    if (failure->where == FAILED_PROGRAM)
        return STR("The program ended with it.");
    if (!failure->compile->frame)
        return arena_printf(f->arena, "It failed in %s; nothing tells of which compile.", error_stage_title(e->stage));
    return arena_printf(f->arena, "%s %.*s failed in %s.",
                        failure->where == FAILED_BACKWARD ? "The backward graph of" : "Compile",
                        STR_ARG(finding_compile_name(f, failure->compile)), error_stage_title(e->stage));
}

/* One error that several compiles ran into. */
struct same_error {
    const struct error *first;
    VEC(const struct compile *) compiles;
};

static void add_error(struct finder *f, const struct same_error *same)
{
    const struct error *e = same->first;
    const struct failure *failure = e->failure;
    struct finding *x = finding_add(f, "error", severity_of(e));
    struct str what = headline(f, failure->message), times = {0};

    if (same->compiles.n > 1)
        times = arena_printf(f->arena, " (%zu times)", same->compiles.n);
    x->title = arena_printf(f->arena, "%s: `%.*s`%s%.*s%.*s", error_category_title(e->category), STR_ARG(failure->type),
                            what.n ? ": " : "", STR_ARG(what), STR_ARG(times));
    x->detail = detail_of(f, e);
    x->file = e->own_file;
    x->line = e->own_line;
    join_steps(f, x, e);
    for (size_t i = 0; i < same->compiles.n; i++)
        finding_evidence(f, x, same->compiles.v[i]);
}

void find_errors(struct finder *f)
{
    const struct errors *errors = &f->answers->errors;
    struct map seen;

    map_init(&seen, f->arena);
    for (size_t i = 0; i < errors->list.n; i++) {
        const struct error *e = &errors->list.v[i];
        const struct failure *x = e->failure;
        struct same_error *same;
        void **slot;

        if (x->compile->limit_hit && e->category == ERROR_RECOMPILATION)
            continue; /* told by find_recompile_limit */
        slot = map_at(&seen, arena_printf(f->arena, "%.*s %lld %.*s %.*s", STR_ARG(x->type), (long long)e->own_line,
                                          STR_ARG(e->own_file), STR_ARG(first_line(x->message))));
        if (!*slot)
            *slot = ARENA_NEW(f->arena, struct same_error);
        same = *slot;
        same->first = same->first ? same->first : e;
        vec_push(f->arena, &same->compiles, x->compile);
    }
    for (size_t i = 0; i < seen.n; i++) {
        const struct same_error *same = seen.entries[i].value;

        add_error(f, same);
    }
}
