#include "relaunch/trial/trial_setup.h"

#include "relaunch/launch/launch.h"
#include "relaunch/trial/patch.h"
#include "relaunch/trial/private_dir.h"
#include "relaunch/workload/hook.h"
#include "relaunch/workload/shell.h"
#include "relaunch/workload/what_if.h"
#include "util/system/clock.h"
#include "util/system/file.h"

#include <unistd.h>

const char *trial_path(struct rerun *r, struct str trial, const char *name)
{
    return arena_printf(r->arena, "%.*s/%.*s/%s", STR_ARG(r->directory), STR_ARG(trial), name).p;
}

/* --- what is shown as having been set ----------------------------------------------------------------------------- */

static void note_asked(struct arena *a, const struct environment *e, size_t from, struct arrival *arrival)
{
    for (size_t i = from; i < e->list.n; i++)
        vec_push(a, &arrival->settings, e->list.v[i]);
}

/* Everything except what only depends on this machine at this moment. */
static void choose_settings(struct rerun *r, const struct trial_options *o, const struct target *target,
                            struct trial_setup *s)
{
    const struct workload *w = r->workload;
    const struct what_if what = what_if_join(&w->what_if, &o->what_if);
    struct environment *e = &s->environment;
    size_t given;

    environment_add(e, &w->environment);
    if (w->gpus.n)
        environment_set(e, STR("CUDA_VISIBLE_DEVICES"), w->gpus);
    given = e->list.n;
    if (o->environment)
        environment_add(e, o->environment);
    s->arrival.by_hook = what_if_apply(&what, target, e);
    s->arrival.of_calls = what.mode.n || what.dynamic || what.fullgraph;
    if (o->fixes_n)
        s->arrival.by_hook |= patch_apply(r->arena, o->fixes, o->fixes_n, trial_path(r, o->name, PATCH_FILE),
                                            &s->environment, &s->arrival);
    note_asked(r->arena, e, given, &s->arrival);
    preset_apply(r->preset, e);
}

/* Logs that the user did not ask for, in the form of TORCH_LOGS. */
static struct str wanted_logs(struct rerun *r, const struct target *target)
{
    return r->workload->torch_logs.n ? r->workload->torch_logs : preset_logs(r->arena, r->preset, target);
}

/* New empty caches each time; for use in a shell, because the trial's own directory will be gone. */
#define NEW_CACHES "TORCHINDUCTOR_CACHE_DIR=\"$(mktemp -d)\" "

/* A command that does the same without pt2trace, in any shell on this machine. */
static struct str command_of(struct rerun *r, const struct trial_options *o, const struct trial_setup *s,
                             struct str logs)
{
    struct environment e = {.arena = r->arena};
    struct str dir = o->work_dir.n ? o->work_dir : r->workload->directory;

    environment_add(&e, &s->environment.list);
    if (s->arrival.by_hook)
        environment_put_first(&e, STR("PYTHONPATH"), r->hook);
    if (logs.n)
        environment_default(&e, STR("TORCH_LOGS"), logs);
    return arena_printf(r->arena, "cd %.*s && %s%.*s", STR_ARG(shell_word(r->arena, dir)),
                        o->caches == CACHES_COLD ? NEW_CACHES : "",
                        STR_ARG(shell_command(r->arena, &e.list, s->line.words.v, s->line.words.n)));
}

static void show(struct rerun *r, const struct trial_options *o, const struct trial_setup *s, struct str logs,
                 struct trial *t)
{
    struct environment e = {.arena = r->arena};

    environment_add(&e, &s->environment.list);
    if (logs.n)
        environment_default(&e, STR("TORCH_LOGS"), logs);
    vec_each(const struct env_setting, setting, &e.list) vec_push(r->arena, &t->environment, *setting);
    t->command = command_of(r, o, s, logs);
}

/* --- what is only for this launch --------------------------------------------------------------------------------- */

/*
 * Inductor's cache directory contains Triton's cache and the PGO profile (torch/_inductor/runtime/cache_dir_utils.py,
 * torch/_dynamo/pgo.py), unless variables say otherwise. Caches on other machines are not handled.
 */
static int use_caches(struct rerun *r, const struct trial_options *o, struct trial_setup *s)
{
    struct str given = o->cache_dir;
    struct str *dir = given.n ? &given : o->caches == CACHES_WARM ? &r->caches : &s->own_caches;
    struct environment *e = &s->environment;
    int rc = 0;

    if (given.n == 0 && o->caches == CACHES_AS_IS)
        return 0;
    if (dir->n == 0)
        *dir = private_dir_make(r->arena, &rc);
    if (rc)
        return rerun_failed(r, rc, "no temporary directory can be created there; TMPDIR=DIR chooses another",
                            str_of(temp_file_dir()));
    environment_set(e, STR("TORCHINDUCTOR_CACHE_DIR"), *dir);
    environment_unset(e, STR("TRITON_CACHE_DIR"));
    environment_set(e, STR("TORCHINDUCTOR_FX_GRAPH_REMOTE_CACHE"), STR("0"));
    environment_set(e, STR("TORCHINDUCTOR_AUTOGRAD_REMOTE_CACHE"), STR("0"));
    return 0;
}

/* The user's own TORCH_LOGS stays on the terminal; ours is stored separately, unless it should be shown. */
static void use_logs(struct rerun *r, const struct trial_options *o, struct str logs, struct environment *e)
{
    struct str own;

    if (logs.n == 0)
        return;
    if (r->show_logs)
        environment_set(e, STR("TORCH_LOGS"),
                        environment_get(e, STR("TORCH_LOGS"), &own) && own.n
                            ? arena_printf(r->arena, "%.*s,%.*s", STR_ARG(own), STR_ARG(logs))
                            : logs);
    else
        environment_set(e, STR("PT2TRACE_LOGS"),
                        arena_printf(r->arena, "%.*s %s", STR_ARG(logs), trial_path(r, o->name, "log/torch")));
}

static struct str names_of(struct arena *a, const setting_list *settings)
{
    struct str names = {"", 0};

    vec_each(const struct env_setting, s, settings) names =
        arena_printf(a, "%.*s%s%.*s", STR_ARG(names), names.n ? "," : "", STR_ARG(s->name));
    return names;
}

static const char *const opens_name = "opens.txt";

/* What the hook reports about the program: its stacks when it must end, its settings, and the files it read. */
static void use_hook(struct rerun *r, const struct trial_options *o, struct trial_setup *s)
{
    struct environment *e = &s->environment;

    environment_put_first(e, STR("PYTHONPATH"), r->hook);
    environment_set(e, STR("PT2TRACE_HOOK_LOG"),
                    arena_printf(r->arena, "%.*s %s", STR_ARG(names_of(r->arena, &s->arrival.settings)),
                                 trial_path(r, o->name, "hook.jsonl")));
    environment_set(e, STR("PT2TRACE_STACKS"),
                    arena_printf(r->arena, "%d %s", LAUNCH_STACKS_SIGNAL, trial_path(r, o->name, "stacks")));
    environment_default(e, STR("PYTHONFAULTHANDLER"), STR("1"));
    if (r->several)
        environment_set(e, STR("PT2TRACE_CALLS"), STR("1"));
    if (o->watch_opens)
        environment_set(e, STR("PT2TRACE_OPENS"),
                        arena_printf(r->arena, "%.6f %.6f %s", (double)r->begun_us / 1e6, (double)clock_now_us() / 1e6,
                                     trial_path(r, o->name, opens_name)));
}

/* mpirun and srun mix the output of all ranks, so each rank is started through this program, which separates it. */
static void wrap_ranks(struct rerun *r, const struct trial_options *o, struct command_line *line)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self);

    if (n > 0) {
        const struct str words[] = {arena_str(r->arena, (struct str){self, (size_t)n}), STR("run"),
                                    STR("--rank-output"), str_of(trial_path(r, o->name, "log/ranks")), STR("--")};

        command_line_insert(r->arena, line, line->rank_at, words, sizeof words / sizeof *words);
    }
}

/* Into its own directory, which is an input of the report. */
static int record_gpu(struct rerun *r, const struct trial_options *o, struct trial_setup *s)
{
    const char *dir = trial_path(r, o->name, "gpu");
    int rc = r->recorder == GPU_NOT_RECORDED ? 0 : make_dirs(dir);

    if (rc)
        return rerun_failed(r, rc, "cannot be made", str_of(dir));
    gpu_activity_apply(r->recorder, dir, &s->environment, &s->line);
    return 0;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static int need_hook(struct rerun *r)
{
    int rc;

    if (r->hook.n)
        return 0;
    r->hook = arena_printf(r->arena, "%.*s/hook", STR_ARG(r->directory));
    rc = hook_write(r->hook.p);
    return rc ? rerun_failed(r, rc, "cannot be written to", r->hook) : 0;
}

int trial_setup_make(struct rerun *r, const struct trial_options *o, struct trial *t, struct trial_setup *s)
{
    struct str python = o->python.n ? o->python : r->workload->python, logs;
    const struct target *target;
    int rc = need_hook(r);

    *s = (struct trial_setup){.environment = {.arena = r->arena}};
    s->line = o->command ? *o->command : command_line_make(r->arena, r->workload, python);
    if (rc == 0 && o->fixes_n)
        rc = patch_write(o->fixes, o->fixes_n, trial_path(r, o->name, ""), PATCH_FILE);
    target = rc ? NULL : rerun_target_of(r, o->python, &rc);
    if (rc)
        return rc;
    if (target != &r->target)
        t->torch = target->torch;
    choose_settings(r, o, target, s);
    logs = wanted_logs(r, target);
    show(r, o, s, logs, t);
    use_logs(r, o, logs, &s->environment);
    use_hook(r, o, s);
    if (o->untraced)
        environment_unset(&s->environment, STR("TORCH_TRACE"));
    else
        environment_set(&s->environment, STR("TORCH_TRACE"), str_of(trial_path(r, o->name, "trace")));
    t->fresh_caches = o->caches == CACHES_COLD && o->cache_dir.n == 0;
    rc = record_gpu(r, o, s);
    if (rc == 0)
        rc = use_caches(r, o, s);
    if (s->line.rank_at)
        wrap_ranks(r, o, &s->line);
    return rc;
}
