#include "relaunch/procedures/repro.h"

#include "load/load.h"
#include "model/read/artifact_text.h"
#include "relaunch/procedures/runnable.h"
#include "relaunch/trial/trial_run.h"
#include "relaunch/workload/shell.h"
#include "text/messages/rank_neutral.h"
#include "util/system/file.h"
#include "view/format.h"

#include <errno.h>
#include <stdio.h>

enum { GRAPHS_MAX = 1000, REPRO_SECONDS = 600 };

/* --- out of the trace --------------------------------------------------------------------------------------------- */

struct taking {
    struct arena *arena;
    struct compile_id id;
    const struct process *first; /* the first process that has any */
    const struct process *last;  /* the last process that was counted */
    struct repros *out;
    size_t compiles; /* compiles that were requested */
};

/* ".2", which follows a name that is already in use. */
static bool is_number(struct str s)
{
    uint64_t n;

    return str_consume(&s, STR(".")) && str_u64(s, &n);
}

/* ".rank3": the process, unless it is the first one. */
static struct str owner_of(struct taking *t, const struct process *p)
{
    if (p == t->first)
        return (struct str){"", 0};
    if (p->rank != RANK_UNKNOWN && !p->rank_is_shared)
        return arena_printf(t->arena, ".rank%d", p->rank);
    return arena_printf(t->arena, ".pid%llu", (unsigned long long)p->pid);
}

/* Only letters, digits and '_', whatever the id looks like. */
static struct str file_name(struct taking *t, const struct compile *c, const struct artifact *a)
{
    struct str name =
        arena_printf(t->arena, "%.*s%s", STR_ARG(compile_id_print(t->arena, c->id)), a->backward ? "_backward" : "");
    struct str owner = owner_of(t, c->process);
    char *safe = arena_copy(t->arena, name);
    size_t same = 1;

    for (size_t i = 0; i < name.n; i++)
        if (!memchr("0123456789_abcdefghijklmnopqrstuvwxyz", safe[i], 37))
            safe[i] = '_';
    name.p = safe;
    name = owner.n ? arena_printf(t->arena, "%.*s%.*s", STR_ARG(name), STR_ARG(owner)) : name;
    vec_each(const struct repro, x, &t->out->list) same +=
        str_starts(x->name, name) && (x->name.n == name.n || is_number(str_skip(x->name, name.n)));
    return same > 1 ? arena_printf(t->arena, "%.*s.%zu", STR_ARG(name), same) : name;
}

/* PyTorch lists unchanged settings in one process and not in the next, and in any order. */
static bool is_setting(struct str line)
{
    return str_starts(line, STR("torch.")) && str_find(line, STR(".config.")) > 0;
}

static struct digest digest_of_any_rank(struct taking *t, struct str text)
{
    struct rank_neutral neutral = {0};
    struct digest_state digest;
    struct buf line = {0};
    struct str raw;

    text = runnable_clean(t->arena, text);
    digest_begin(&digest);
    while (str_next_line(&text, &raw)) {
        if (is_setting(raw))
            continue;
        line.n = 0;
        rank_neutral_line(&neutral, raw, &line);
        buf_char(&line, '\n');
        digest_add(&digest, buf_view(&line));
    }
    buf_free(&line);
    return digest_end(&digest);
}

/* Ranks that do the same have the same graphs, so running one is enough. */
static bool is_repeated(struct taking *t, const struct compile *c, struct digest same)
{
    if (c->process == t->first)
        return false;
    vec_each(const struct repro, x, &t->out->list) if (digest_eq(&x->same, &same)) return true;
    return false;
}

static void take_one(struct taking *t, const struct compile *c, const struct artifact *a)
{
    struct buf text = {0};
    struct digest same;

    if (t->out->list.n >= GRAPHS_MAX || !payload_may_be_shown(&a->payload) || !artifact_read(a, READ_COMPLETE, &text)) {
        buf_free(&text);
        return;
    }
    same = digest_of_any_rank(t, buf_view(&text));
    if (is_repeated(t, c, same)) {
        t->out->repeated++;
    } else {
        struct repro x = {.name = file_name(t, c, a), .text = arena_str(t->arena, buf_view(&text)), .same = same};

        x.title =
            arena_printf(t->arena, "%.*s%s", STR_ARG(format_compile(t->arena, c)), a->backward ? " backward" : "");
        x.cuda = str_has(x.text, STR("type='cuda'")) || str_has(x.text, STR("device='cuda"));
        x.symbolic = str_has(x.text, STR("tracing_mode='symbolic'"));
        if (c->failures.n && !c->failures.v[0]->fallback)
            x.failure = arena_str(t->arena, c->failures.v[0]->type);
        vec_push(t->arena, &t->out->list, x);
    }
    buf_free(&text);
}

static bool is_hit(const struct compile *c)
{
    for (size_t i = 0; i < c->cache_events.n; i++)
        if (c->cache_events.v[i].outcome == CACHE_HIT)
            return true;
    return false;
}

static void take_compile(struct taking *t, const struct compile *c)
{
    size_t before = t->out->list.n;
    bool has_some = false;

    t->compiles++;
    for (size_t i = 0; i < c->artifacts.n; i++) {
        if (!artifact_is(c->artifacts.v[i], ARTIFACT_FX_GRAPH_RUNNABLE))
            continue;
        if (t->last != c->process)
            t->out->processes++;
        t->last = c->process;
        if (!t->first)
            t->first = c->process;
        take_one(t, c, c->artifacts.v[i]);
        has_some = true;
    }
    t->out->hits += !has_some && t->out->list.n == before && is_hit(c);
}

static struct str why_none(struct taking *t, const char *path, struct str id)
{
    if (t->compiles == 0)
        return arena_printf(t->arena, "%s: there is no compile %.*s; pt2trace show %s lists them", path, STR_ARG(id),
                            path);
    if (t->out->hits)
        return arena_printf(t->arena,
                            "%s: %.*s: the compiled code came from a cache, so the trace does not have the graph as a "
                            "program; trace it again with pt2trace run --cold",
                            path, STR_ARG(id));
    return arena_printf(t->arena,
                        "%s: %.*s: the trace does not have the graph as a program (fx_graph_runnable): only "
                        "Inductor writes it, and only with TORCH_TRACE or TORCH_COMPILE_DEBUG",
                        path, STR_ARG(id));
}

static bool take_from(struct taking *t, const struct run *run, const char *path, struct str id, struct str *error)
{
    const struct compile *c;

    for (struct compile_walk w = {.run = run}; (c = compile_next(&w));)
        if (t->out->all ? c->frame != NULL || c->artifacts.n : c->frame && compile_id_eq(c->id, t->id))
            take_compile(t, c);
    if (t->out->list.n == 0)
        *error = why_none(t, path, id);
    return t->out->list.n > 0;
}

bool repro_take(struct arena *a, const char *path, struct str id, unsigned threads, struct repros *out,
                struct str *error)
{
    const struct load_options options = {0};
    struct taking t = {.arena = a, .out = out};
    struct str rest = id;
    struct load_error failed;
    struct pool *pool;
    struct run *run;
    int attempt;
    bool ok;

    *out = (struct repros){.all = str_eq(id, STR("all"))};
    if (!out->all && !(compile_id_take(&rest, &t.id, &attempt) && rest.n == 0)) {
        *error = arena_printf(a, "--repro needs the id of a compile, such as 0/1, or all: %.*s", STR_ARG(id));
        return false;
    }
    pool = pool_new(threads);
    run = load_run(&path, 1, &options, pool, &failed);
    ok = run && take_from(&t, run, path, id, error);
    if (!run)
        *error = arena_printf(a, "%s: %s", path, strerror(failed.error));
    run_free(run);
    pool_free(pool);
    return ok;
}

/* --- as a workload ------------------------------------------------------------------------------------------------ */

/* "run --accuracy": PyTorch compares the compiled graph with the same graph in eager mode. */
static struct command_line command_of(struct arena *a, const struct workload *w, struct str path)
{
    struct command_line line = {0};

    vec_push(a, &line.words, w->python.n ? w->python : STR("python3"));
    vec_push(a, &line.words, path);
    if (str_eq(w->question, STR("accuracy"))) {
        vec_push(a, &line.words, STR("run"));
        vec_push(a, &line.words, STR("--accuracy"));
    }
    return line;
}

static void set_command(struct arena *a, struct workload *w, struct str path)
{
    struct command_line line = command_of(a, w, path);

    w->command.n = 0;
    vec_each(const struct str, word, &line.words) vec_push(a, &w->command, *word);
}

void repro_workload(struct arena *a, struct workload *w)
{
    set_command(a, w, STR("repro.py"));
    w->caches = CACHES_COLD;
}

static struct str path_of(struct rerun *r, const struct repro *x)
{
    return arena_printf(r->arena, "%.*s/repro/%.*s.py", STR_ARG(r->directory), STR_ARG(x->name));
}

static int write_one(struct rerun *r, const struct repro *x)
{
    struct str path = path_of(r, x);
    int rc = runnable_write(path.p, runnable_clean(r->arena, x->text));

    if (rc)
        snprintf(r->failure, sizeof r->failure, "%.*s: cannot be written: %s", STR_ARG(path), strerror(-rc));
    return rc;
}

int repro_write(struct rerun *r, struct workload *w, const struct repros *repros)
{
    struct str dir = arena_printf(r->arena, "%.*s/repro", STR_ARG(r->directory));
    const setting_list none = {0};
    int rc;

    r->of_graphs = true;
    if (r->target.answered && r->target.torch.n == 0) {
        snprintf(r->failure, sizeof r->failure, "%.*s cannot import torch; --python PATH names a Python that can",
                 STR_ARG(r->target.python));
        return -ENOENT;
    }
    rc = make_dirs(dir.p);
    if (rc)
        snprintf(r->failure, sizeof r->failure, "%.*s: cannot be created: %s", STR_ARG(dir), strerror(-rc));
    for (size_t i = 0; i < repros->list.n && rc == 0; i++)
        rc = write_one(r, &repros->list.v[i]);
    set_command(r->arena, w, path_of(r, &repros->list.v[0]));
    r->experiment->command = shell_command(r->arena, &none, w->command.v, w->command.n);
    return rc;
}

/* --- the others --------------------------------------------------------------------------------------------------- */

static bool cannot_run(const struct rerun *r, const struct repro *x)
{
    return x->cuda && r->target.answered && (r->target.cuda.n == 0 || r->experiment->devices.n == 0);
}

static int run_one(struct rerun *r, const struct repro *x)
{
    struct command_line line = command_of(r->arena, r->workload, path_of(r, x));
    struct trial_options o = {.name = x->name,
                              .how = arena_printf(r->arena, "the graph of %.*s", STR_ARG(x->title)),
                              .command = &line,
                              .caches = CACHES_COLD,
                              .time_limit_s = r->workload->time_limit_s ? r->workload->time_limit_s : REPRO_SECONDS};
    struct trial *t;

    return trial_run(r, &o, &t);
}

/* NULL if it did not run to its end. */
static const struct trial *trial_of(const struct rerun *r, const struct repros *repros, size_t i)
{
    struct str name = i == 0 ? STR(TRIAL_BASE) : repros->list.v[i].name;

    vec_each(const struct trial, t, &r->experiment->trials)
    {
        if (str_eq(t->name, name))
            return str_eq(t->end, STR(TRIAL_INTERRUPTED)) ? NULL : t;
    }
    return NULL;
}

static void conclude_one(struct rerun *r, const struct repro *x, const struct trial *t)
{
    struct str failure = trial_failure(r->arena, t);

    if (cannot_run(r, x))
        rerun_conclude(r,
                       "The graph of %.*s cannot run here: its inputs are on a CUDA device, and PyTorch sees none. Run "
                       "%.*s where there is one.",
                       STR_ARG(x->title), STR_ARG(path_of(r, x)));
    else if (t->failed)
        rerun_conclude(r, "The graph of %.*s fails alone, with %.*s%s%.*s: %.*s is sufficient to reproduce it.",
                       STR_ARG(x->title), STR_ARG(failure), x->failure.n ? "; in the trace with " : "",
                       STR_ARG(x->failure), STR_ARG(path_of(r, x)));
    else
        rerun_conclude(r, "The graph of %.*s works alone%s%.*s%s.", STR_ARG(x->title),
                       x->failure.n ? ", but failed in the trace with " : "", STR_ARG(x->failure),
                       x->failure.n ? ": the fault needs more than this graph, see the note on its limits" : "");
}

static void conclude_all(struct rerun *r, const struct repros *repros)
{
    size_t ran = 0, failed = 0, away = 0;

    for (size_t i = 0; i < repros->list.n; i++) {
        const struct trial *t = trial_of(r, repros, i);

        away += cannot_run(r, &repros->list.v[i]);
        if (!t || cannot_run(r, &repros->list.v[i]))
            continue;
        ran++;
        failed += t->failed;
        if (t->failed)
            conclude_one(r, &repros->list.v[i], t);
    }
    if (ran)
        rerun_conclude(r, "%zu of the %zu graphs that ran %s alone.", failed, ran, failed == 1 ? "fails" : "fail");
    if (away)
        rerun_conclude(
            r, "%zu of the %zu graphs cannot run here: their inputs are on a CUDA device, and PyTorch sees none.", away,
            repros->list.n);
}

/* Ctrl-C ended the current graph, so nothing is known about it and the remaining ones. */
static void note_rest(struct rerun *r, const struct repros *repros)
{
    size_t rest = 0;

    for (size_t i = 0; i < repros->list.n; i++)
        rest += !trial_of(r, repros, i) && !cannot_run(r, &repros->list.v[i]);
    if (rest)
        rerun_note(r, "%zu of the %zu graphs were not run to their end: it was interrupted.", rest, repros->list.n);
}

/* How such a program differs from the original. */
static void note_lacks(struct rerun *r, const struct repros *repros)
{
    bool symbolic = false;

    vec_each(const struct repro, x, &repros->list) symbolic |= x->symbolic;
    rerun_note(
        r,
        "A graph alone has random numbers for weights and inputs, with the shapes and types in the trace%s, and none "
        "of the passes, backends and operators that the program registered itself. Faults that depend on these do not "
        "show.",
        symbolic ? "; symbolic sizes have the values that were recorded first" : "");
    if (!str_eq(r->workload->question, STR("accuracy")))
        rerun_note(r, "Numbers are not compared: --why accuracy does, with the same graph in eager mode.");
    if (repros->repeated)
        rerun_note(r, "%zu processes have such graphs: a graph of several processes is run once.", repros->processes);
    if (repros->hits)
        rerun_note(r, "%zu %s from a cache, so that the trace does not have %s as a program; with --cold it would.",
                   repros->hits, repros->hits == 1 ? "compile came" : "compiles came",
                   repros->hits == 1 ? "it" : "them");
    if (repros->list.n == GRAPHS_MAX)
        rerun_note(r, "Only the first %d graphs are run.", GRAPHS_MAX);
}

int repro_run(struct rerun *r, const struct repros *repros)
{
    int rc = 0;

    r->experiment->procedure = STR("repro");
    for (size_t i = 1; i < repros->list.n && rc == 0 && !r->interrupted; i++)
        if (!cannot_run(r, &repros->list.v[i]))
            rc = run_one(r, &repros->list.v[i]);
    if (rc)
        return rc;
    if (repros->list.n > 2)
        conclude_all(r, repros);
    else
        for (size_t i = 0; i < repros->list.n; i++)
            if (trial_of(r, repros, i))
                conclude_one(r, &repros->list.v[i], trial_of(r, repros, i));
    note_lacks(r, repros);
    note_rest(r, repros);
    return 0;
}
