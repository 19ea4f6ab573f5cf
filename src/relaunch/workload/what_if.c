#include "relaunch/workload/what_if.h"

struct what_if what_if_join(const struct what_if *base, const struct what_if *over)
{
    struct what_if both = *base;

    if (over->backend.n)
        both.backend = over->backend;
    if (over->mode.n)
        both.mode = over->mode;
    if (over->dynamic)
        both.dynamic = over->dynamic;
    if (over->recompile_limit)
        both.recompile_limit = over->recompile_limit;
    if (over->disable.n)
        both.disable = over->disable;
    if (over->config.n)
        both.config = over->config;
    both.fullgraph |= over->fullgraph;
    return both;
}

/*
 * The variable of 2.12 affects every frame, the one of 2.6 every call of torch.compile. ">=0:inductor" would drop the
 * program's own mode and options (torch/_dynamo/output_graph.py), so it is not set for the default backend. Returns
 * whether the hook is needed.
 */
static bool set_backend(struct str backend, const struct target *t, struct environment *e)
{
    if (str_eq(backend, STR("none"))) {
        environment_set(e, STR("TORCHDYNAMO_DISABLE"), STR("1"));
    } else if (t->override_backends && !str_eq(backend, STR("inductor"))) {
        environment_set(e, STR("TORCH_COMPILE_OVERRIDE_BACKENDS"),
                        arena_printf(e->arena, ">=0:%.*s", STR_ARG(backend)));
    } else if (t->bisect_backend) {
        environment_set(e, STR("TORCH_BISECT_BACKEND"), backend);
    } else {
        environment_set(e, STR("PT2TRACE_BACKEND"), backend);
        return true;
    }
    return false;
}

bool what_if_apply(const struct what_if *w, const struct target *t, struct environment *e)
{
    bool hook = w->backend.n && set_backend(w->backend, t, e);

    if (w->mode.n)
        environment_set(e, STR("PT2TRACE_MODE"), w->mode);
    if (w->dynamic)
        environment_set(e, STR("PT2TRACE_DYNAMIC"), str_of(dynamic_name(w->dynamic)));
    if (w->fullgraph)
        environment_set(e, STR("PT2TRACE_FULLGRAPH"), STR("1"));
    if (w->recompile_limit)
        environment_set(e, STR("PT2TRACE_RECOMPILE_LIMIT"),
                        arena_printf(e->arena, "%lld", (long long)w->recompile_limit));
    if (w->disable.n)
        environment_set(e, STR("PT2TRACE_DISABLE"), w->disable);
    if (w->config.n)
        environment_set(e, STR("PT2TRACE_CONFIG"), w->config);
    return hook || w->mode.n || w->dynamic || w->fullgraph || w->recompile_limit || w->disable.n || w->config.n;
}

static struct str add(struct arena *a, struct str list, struct str what)
{
    return arena_printf(a, "%.*s%s%.*s", STR_ARG(list), list.n ? ", " : "", STR_ARG(what));
}

struct str what_if_words(struct arena *a, const struct what_if *w)
{
    struct str s = {"", 0};

    if (str_eq(w->backend, STR("none")))
        s = add(a, s, STR("without torch.compile"));
    else if (w->backend.n)
        s = add(a, s, arena_printf(a, "backend %.*s", STR_ARG(w->backend)));
    if (w->mode.n)
        s = add(a, s, arena_printf(a, "mode %.*s", STR_ARG(w->mode)));
    if (w->dynamic)
        s = add(a, s, arena_printf(a, "dynamic %s", dynamic_name(w->dynamic)));
    if (w->fullgraph)
        s = add(a, s, STR("fullgraph"));
    if (w->recompile_limit)
        s = add(a, s, arena_printf(a, "recompile limit %lld", (long long)w->recompile_limit));
    if (w->disable.n)
        s = add(a, s, arena_printf(a, "%.*s left to eager", STR_ARG(w->disable)));
    if (w->config.n)
        s = add(a, s, w->config);
    return s;
}
