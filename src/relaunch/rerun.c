#include "relaunch/rerun.h"

#include "digest/experiment_file.h"
#include "relaunch/gpu_activity.h"
#include "relaunch/gpu_facts.h"
#include "relaunch/hook.h"
#include "relaunch/shell.h"
#include "relaunch/what_if.h"
#include "relaunch/workload_write.h"
#include "util/file.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int failed(struct rerun *r, int rc, const char *what, struct str path)
{
    snprintf(r->failure, sizeof r->failure, "%.*s: %s: %s", STR_ARG(path), what, strerror(-rc));
    return rc;
}

static struct str worded(struct arena *a, const char *fmt, va_list ap)
{
    struct buf b = {0};
    struct str s;

    buf_vprintf(&b, fmt, ap);
    s = arena_str(a, buf_view(&b));
    buf_free(&b);
    return s;
}

void rerun_conclude(struct rerun *r, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vec_push(r->arena, &r->experiment->conclusions, worded(r->arena, fmt, ap));
    va_end(ap);
}

void rerun_note(struct rerun *r, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vec_push(r->arena, &r->experiment->notes, worded(r->arena, fmt, ap));
    va_end(ap);
}

/* --- directories -------------------------------------------------------------------------------------------------- */

/* Below the output directory. */
static const char *path_of(struct rerun *r, struct str trial, const char *name)
{
    return arena_printf(r->arena, "%.*s/%.*s/%s", STR_ARG(r->directory), STR_ARG(trial), name).p;
}

/* Nothing of an earlier run is ever overwritten. */
static int use_directory(struct rerun *r, const char *path)
{
    char *full;
    int rc = mkdir(path, 0777) == 0 ? 0 : -errno;

    if (rc == -EEXIST && directory_is_empty(path))
        rc = 0;
    if (rc == -ENOENT)
        rc = make_dirs(path);
    if (rc)
        return rc;
    full = realpath(path, NULL);
    if (!full)
        return -errno;
    r->directory = arena_str(r->arena, str_of(full));
    free(full);
    return 0;
}

enum { DIRECTORIES_MAX = 10000 };

static int choose_directory(struct rerun *r, const char *given)
{
    int rc = given ? use_directory(r, given) : use_directory(r, "pt2trace_run");

    for (int i = 2; !given && rc == -EEXIST && i < DIRECTORIES_MAX; i++)
        rc = use_directory(r, arena_printf(r->arena, "pt2trace_run.%d", i).p);
    if (rc == -EEXIST) {
        snprintf(r->failure, sizeof r->failure,
                 "%s is there and not empty; nothing in it is touched. -o DIR names another", given);
        return rc;
    }
    return rc ? failed(r, rc, "cannot be made", str_of(given ? given : "pt2trace_run")) : 0;
}

/* A directory of our own under $TMPDIR; empty with the error in *rc. */
static struct str private_directory(struct rerun *r, int *rc)
{
    struct str path = arena_printf(r->arena, "%s/pt2trace-XXXXXX", temp_file_dir());

    *rc = mkdtemp((char *)path.p) ? 0 : -errno;
    if (*rc)
        failed(r, *rc, "no temporary directory can be made there; TMPDIR=DIR names another", str_of(temp_file_dir()));
    return *rc ? (struct str){0} : path;
}

struct str rerun_private_directory(struct rerun *r, int *rc)
{
    struct str path = private_directory(r, rc);

    vec_push(r->arena, &r->privates, path);
    return path;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)at;
    return type == FTW_DP || type == FTW_DNR ? rmdir(path), 0 : unlink(path), 0;
}

/* One that private_directory made: whatever is in it was written for a trial of ours. */
static void remove_private(struct str path)
{
    if (path.n)
        nftw(path.p, remove_one, 32, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* --- the environment of a trial ----------------------------------------------------------------------------------- */

static int need_hook(struct rerun *r, struct environment *e)
{
    int rc = 0;

    if (r->hook.n == 0)
        r->hook = private_directory(r, &rc);
    if (rc == 0)
        rc = hook_write(r->hook.p);
    if (rc)
        return r->failure[0] ? rc : failed(r, rc, "cannot be written to", r->hook);
    environment_put_first(e, STR("PYTHONPATH"), r->hook);
    return 0;
}

/*
 * Inductor keeps Triton's cache, and the profile of PGO, in its own (torch/_inductor/runtime/cache_dir_utils.py,
 * torch/_dynamo/pgo.py), unless it is told otherwise. Caches on other machines are left out.
 */
static int use_caches(struct rerun *r, const struct trial_options *o, struct str *own, struct environment *e)
{
    struct str given = o->cache_dir, *dir = given.n ? &given : o->caches == CACHES_WARM ? &r->caches : own;
    int rc = 0;

    if (given.n == 0 && o->caches == CACHES_AS_IS)
        return 0;
    if (dir->n == 0)
        *dir = private_directory(r, &rc);
    if (rc)
        return rc;
    environment_set(e, STR("TORCHINDUCTOR_CACHE_DIR"), *dir);
    environment_unset(e, STR("TRITON_CACHE_DIR"));
    environment_set(e, STR("TORCHINDUCTOR_FX_GRAPH_REMOTE_CACHE"), STR("0"));
    environment_set(e, STR("TORCHINDUCTOR_AUTOGRAD_REMOTE_CACHE"), STR("0"));
    return 0;
}

/*
 * torchrun takes its options from variables, too (torch/distributed/argparse_util.py): each worker's output goes into
 * a file of its own, and to its own as before.
 */
static void part_ranks(struct rerun *r, struct str trial, struct environment *e)
{
    environment_default(e, STR("PET_LOG_DIR"), str_of(path_of(r, trial, "log/ranks")));
    environment_default(e, STR("PET_TEE"), STR("3"));
}

static int64_t limit_of(const struct rerun *r, const struct trial_options *o)
{
    return o->time_limit_s ? o->time_limit_s : r->workload->time_limit_s;
}

/* mpirun and srun put what all ranks write together: each is started through this program, which keeps it apart. */
static void wrap_ranks(struct rerun *r, struct str trial, struct command_line *line)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self);
    const struct str words[] = {arena_str(r->arena, (struct str){self, n > 0 ? (size_t)n : 0}), STR("run"),
                                STR("--rank-output"), str_of(path_of(r, trial, "log/ranks")), STR("--")};

    if (n > 0)
        command_line_insert(r->arena, line, line->rank_at, words, sizeof words / sizeof *words);
}

/* What shows what a program was at when its time was up, or when it crashed. */
static void set_for_endings(int64_t limit_s, struct environment *e, bool *hook)
{
    environment_default(e, STR("PYTHONUNBUFFERED"), STR("1"));
    environment_default(e, STR("PYTHONFAULTHANDLER"), STR("1"));
    if (limit_s == 0)
        return;
    environment_set(e, STR("PT2TRACE_DEADLINE"),
                    arena_printf(e->arena, "%lld", (long long)time(NULL) + (long long)limit_s));
    *hook = true;
}

/* Asks once. NULL with the error in *rc. */
static const struct target *target_of(struct rerun *r, struct str python, int *rc)
{
    struct environment e = {.arena = r->arena};
    struct target *t;
    struct str dir;

    if (python.n == 0 || str_eq(python, r->target.python))
        return &r->target;
    for (size_t i = 0; i < r->others.n; i++)
        if (str_eq(r->others.v[i]->python, python))
            return r->others.v[i];
    dir = private_directory(r, rc);
    if (*rc)
        return NULL;
    t = ARENA_NEW(r->arena, struct target);
    environment_add(&e, &r->workload->environment);
    *rc = target_ask(r->arena, python, &e, dir.p, t);
    remove_private(dir);
    if (*rc)
        return failed(r, *rc, "cannot be written to", dir), NULL;
    if (!t->answered)
        rerun_note(r, "`%.*s` could not be asked for its PyTorch: %.*s.", STR_ARG(python), STR_ARG(t->failure));
    vec_push(r->arena, &r->others, t);
    return t;
}

/* Everything but what is a matter of this machine and this moment alone: what is shown as having been set. */
static void choose_settings(struct rerun *r, const struct trial_options *o, const struct target *target,
                            struct environment *e, bool *hook)
{
    const struct workload *w = r->workload;
    const struct what_if what = what_if_join(&w->what_if, &o->what_if);

    environment_add(e, &w->environment);
    if (o->environment)
        environment_add(e, o->environment);
    if (w->gpus.n)
        environment_set(e, STR("CUDA_VISIBLE_DEVICES"), w->gpus);
    *hook = what_if_apply(&what, target, e);
    if (w->torch_logs.n)
        environment_set(e, STR("TORCH_LOGS"), w->torch_logs);
    preset_apply(r->preset, target, e);
}

/* Into a directory of its own, which is an input of the report. */
static int record_gpu(struct rerun *r, const struct trial_options *o, struct environment *e, struct command_line *line,
                      bool *hook)
{
    const char *dir = path_of(r, o->name, "gpu");
    int rc = r->recorder == GPU_NOT_RECORDED ? 0 : make_dirs(dir);

    if (rc)
        return failed(r, rc, "cannot be made", str_of(dir));
    *hook |= gpu_activity_apply(r->recorder, dir, e, line);
    return 0;
}

static int make_environment(struct rerun *r, const struct trial_options *o, struct command_line *line,
                            struct str *own_caches, struct trial *t, struct environment *e)
{
    int rc = 0;
    const struct target *target = target_of(r, o->python, &rc);
    bool hook = false;

    if (rc)
        return rc;
    if (target != &r->target)
        t->torch = target->torch;
    choose_settings(r, o, target, e, &hook);
    vec_each(const struct env_setting, s, &e->list)
        vec_push(r->arena, &t->environment, *s);
    t->command = shell_command(r->arena, &e->list, line->words.v, line->words.n);
    rc = record_gpu(r, o, e, line, &hook);
    set_for_endings(limit_of(r, o), e, &hook);
    if (rc == 0 && hook)
        rc = need_hook(r, e);
    if (rc == 0)
        rc = use_caches(r, o, own_caches, e);
    if (!o->untraced)
        environment_set(e, STR("TORCH_TRACE"), str_of(path_of(r, o->name, "trace")));
    else
        environment_unset(e, STR("TORCH_TRACE"));
    if (line->torchrun)
        part_ranks(r, o->name, e);
    if (line->rank_at)
        wrap_ranks(r, o->name, line);
    return rc;
}

struct trial *rerun_base(const struct rerun *r)
{
    vec_each(struct trial, t, &r->experiment->trials) if (str_eq(t->name, STR(TRIAL_BASE))) return t;
    return NULL;
}

/* --- one trial ---------------------------------------------------------------------------------------------------- */

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* What a trial left: its trace, and the text of its terminal. */
static void find_inputs(struct rerun *r, struct str trial, struct path_list *out)
{
    const char *ranks = path_of(r, trial, "log/ranks");
    static const char *const names[] = {"trace", "gpu"}, *const console[] = {"log/console.out", "log/console.err"};

    *out = (struct path_list){0};
    for (int i = 0; i < 2; i++)
        if (is_there(path_of(r, trial, names[i])))
            vec_push(r->arena, &out->list, path_of(r, trial, names[i]));
    /* What the workers wrote is on the console again, where torchrun put it together. */
    if (is_there(ranks)) {
        vec_push(r->arena, &out->list, ranks);
        return;
    }
    for (int i = 0; i < 2; i++) {
        struct stat st;

        if (stat(path_of(r, trial, console[i]), &st) == 0 && st.st_size)
            vec_push(r->arena, &out->list, path_of(r, trial, console[i]));
    }
}

static void note_result(struct trial *t, const struct launch_result *result)
{
    t->end = str_of(launch_end_name(result->end));
    t->status = result->end == LAUNCH_EXITED ? result->status : -1;
    t->signal = result->signal ? result->signal : -1;
    t->wall_us = (int64_t)(result->wall_s * 1e6);
}

static void complain_of(struct rerun *r, const struct trial *t, const struct launch_result *result)
{
    if (result->out_error)
        rerun_note(r, "%.*s: not all of its output could be kept: %s", STR_ARG(t->name), strerror(result->out_error));
    if (result->left_behind)
        rerun_note(r, "%.*s: a process that it started still runs", STR_ARG(t->name));
}

static int launch(struct rerun *r, const struct trial_options *o, struct trial *t, struct str *own_caches)
{
    struct str python = o->python.n ? o->python : r->workload->python;
    struct command_line line = o->command ? *o->command : command_line_make(r->arena, r->workload, python);
    struct environment e = {.arena = r->arena};
    struct launch launch = {.directory = o->work_dir.n ? o->work_dir.p : r->workload->directory.p,
                            .out_path = path_of(r, o->name, "log/console.out"),
                            .err_path = path_of(r, o->name, "log/console.err"),
                            .time_limit_s = limit_of(r, o),
                            .silent = r->quiet || o->silent,
                            .last = true};
    struct launch_result result;
    int rc = make_dirs(path_of(r, o->name, "log"));

    if (rc)
        return failed(r, rc, "cannot be made", str_of(path_of(r, o->name, "log")));
    rc = make_environment(r, o, &line, own_caches, t, &e);
    if (rc)
        return rc;
    launch.argv = command_line_argv(r->arena, &line);
    launch.environment = environment_make(&e);
    rc = launch_run(&launch, &result);
    if (rc)
        return failed(r, rc, "cannot be written", str_of(launch.out_path));
    if (result.end == LAUNCH_NOT_STARTED) {
        snprintf(r->failure, sizeof r->failure, "%s: %s", result.directory_failed ? launch.directory : launch.argv[0],
                 strerror(result.error));
        return -result.error;
    }
    r->interrupted = result.end == LAUNCH_INTERRUPTED;
    note_result(t, &result);
    complain_of(r, t, &result);
    return 0;
}

/* What files of arrays are read with: in a directory of its own, because Python takes modules from there. */
static int prepare_checks(struct rerun *r)
{
    struct check_python *p = &r->checks.python;
    bool files = false;
    int rc = 0;

    vec_each(const struct check, c, &r->workload->checks) files |= c->kind == CHECK_FILE;
    if (!files || p->scratch)
        return 0;
    p->scratch = rerun_private_directory(r, &rc).p;
    p->python = r->target.python;
    p->environment = &r->environment;
    return rc;
}

/* The trial's own result against that of the trial that others are compared with. */
static void check(struct rerun *r, const struct trial_options *o, const struct checked_files *files)
{
    const struct what_if what = what_if_join(&r->workload->what_if, &o->what_if);
    const struct check_side side = {.name = o->name,
                                    .output = o->command ? NULL : path_of(r, o->name, "log/console.out"),
                                    .files = *files,
                                    .eager = str_eq(what.backend, STR("none"))};

    check_trial(r->arena, &r->checks, &side, r->experiment->trials.v);
}

static void compare(struct rerun *r, struct trial *t, const struct trial_facts *facts, const struct path_list *inputs)
{
    const struct trial *base = rerun_base(r);

    if (t == base) {
        r->base_facts = *facts;
        r->base_inputs = *inputs;
    } else if (base && base->traced && t->traced) {
        trial_facts_compare(r->arena, &r->base_facts, facts, t);
    }
}

int rerun_trial(struct rerun *r, const struct trial_options *o, struct trial **out)
{
    struct trial *t = vec_add(r->arena, &r->experiment->trials);
    struct str own_caches = {0};
    struct checked_files files;
    struct trial_facts facts;
    struct path_list paths;
    int rc;

    *t = (struct trial){.name = o->name,
                        .how = o->how,
                        .python = o->python,
                        .compiles = -1,
                        .graph_breaks = -1,
                        .recompiles = -1,
                        .errors = -1,
                        .compile_us = -1,
                        .gpu_us = -1,
                        .status = -1,
                        .signal = -1};
    if (r->announce)
        r->announce(o);
    check_files_look(r->arena, r->workload, &files);
    rc = prepare_checks(r);
    if (rc == 0)
        rc = launch(r, o, t, &own_caches);
    remove_private(own_caches);
    if (rc) {
        r->experiment->trials.n--;
        return rc;
    }
    check_files_keep(r->arena, r->workload, path_of(r, o->name, "files"), &files);
    check(r, o, &files);
    find_inputs(r, o->name, &paths);
    trial_facts_read(r->arena, &paths, r->threads, t, &facts);
    compare(r, t, &facts, &paths);
    *out = t;
    return 0;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* Where the Python cannot be asked, what it has is unknown: the workload is run all the same, without TORCH_LOGS. */
static int ask_python(struct rerun *r)
{
    struct str python = r->workload->python;
    const struct target *t;
    int rc = 0;

    if (python.n == 0)
        python = target_find_python(r->arena, r->workload, &r->environment);
    t = target_of(r, python.n ? python : STR("python3"), &rc);
    if (rc)
        return rc;
    r->target = *t;
    if (t->answered && t->torch.n == 0)
        rerun_note(r, "`%.*s` cannot import torch: %.*s.", STR_ARG(t->python), STR_ARG(t->torch_failure));
    return 0;
}

static void describe(struct rerun *r)
{
    struct experiment *x = r->experiment;
    const struct workload *w = r->workload;
    const setting_list none = {0};

    x->question = w->question;
    x->command = shell_command(r->arena, &none, w->command.v, w->command.n);
    x->directory = w->directory;
    x->python = r->target.python;
    x->python_version = r->target.version;
    x->torch = r->target.torch;
    x->cuda = r->target.cuda;
}

static int choose_recorder(struct rerun *r)
{
    struct str missing;

    if (!gpu_recorder_of(r->workload->gpu_activity, &r->recorder)) {
        snprintf(r->failure, sizeof r->failure, "--gpu-activity wants cupti, kineto or nsys, not %.*s",
                 STR_ARG(r->workload->gpu_activity));
        return -EINVAL;
    }
    missing = gpu_recorder_missing(r->arena, r->recorder);
    if (missing.n == 0)
        return 0;
    snprintf(r->failure, sizeof r->failure, "%.*s", STR_ARG(missing));
    return -ENOENT;
}

/* As they are before anything runs on them. A workload that needs one is not started without. */
static int look_at_gpus(struct rerun *r)
{
    struct gpu_facts facts;

    gpu_facts_find(r->arena, &facts);
    vec_each(struct gpu_device, d, &facts.devices)
    {
        d->runtime = r->target.cuda;
        vec_push(r->arena, &r->experiment->devices, *d);
    }
    if (!r->workload->needs_gpu || facts.why_none.n == 0)
        return 0;
    snprintf(r->failure, sizeof r->failure, "the workload needs a GPU (--gpu): %.*s", STR_ARG(facts.why_none));
    return -ENODEV;
}

int rerun_begin(struct rerun *r, struct arena *a, const struct workload *w, const char *directory)
{
    int rc;

    *r = (struct rerun){.arena = a,
                        .workload = w,
                        .preset = preset_find(w->question),
                        .environment = {.arena = a},
                        .checks = {.workload = w},
                        .threads = 1,
                        .experiment = ARENA_NEW(a, struct experiment)};
    environment_add(&r->environment, &w->environment);
    rc = choose_recorder(r);
    if (rc == 0)
        rc = ask_python(r);
    if (rc == 0)
        rc = look_at_gpus(r);
    if (rc == 0)
        rc = choose_directory(r, directory);
    describe(r);
    return rc;
}

static int write_text(struct rerun *r, const char *name, struct buf *text)
{
    struct str path = arena_printf(r->arena, "%.*s/%s", STR_ARG(r->directory), name);
    struct outfile out;
    int rc = outfile_open(&out, path.p);

    if (rc == 0) {
        outfile_write(&out, buf_view(text));
        rc = outfile_commit(&out);
    }
    buf_free(text);
    return rc ? failed(r, rc, "cannot be written", path) : 0;
}

int rerun_write(struct rerun *r)
{
    struct experiment *x = r->experiment;
    struct buf text = {0};
    int rc;

    workload_write(r->workload, &text);
    x->workload = arena_str(r->arena, buf_view(&text));
    x->workload_file = arena_printf(r->arena, "%.*s/workload.yaml", STR_ARG(r->directory));
    rc = write_text(r, "workload.yaml", &text);
    if (rc == 0) {
        text = (struct buf){0};
        experiment_write(x, &text);
        rc = write_text(r, "run.json", &text);
    }
    return rc;
}

void rerun_end(struct rerun *r)
{
    remove_private(r->hook);
    remove_private(r->caches);
    vec_each(struct str, path, &r->privates) remove_private(*path);
}
