#include "relaunch/trial/rerun.h"

#include "digest/experiment_file.h"
#include "relaunch/gpu/gpu_facts.h"
#include "relaunch/launch/interrupts.h"
#include "relaunch/trial/private_dir.h"
#include "relaunch/workload/shell.h"
#include "relaunch/workload/workload_write.h"
#include "util/system/clock.h"
#include "util/system/file.h"
#include "view/format.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int rerun_failed(struct rerun *r, int rc, const char *what, struct str path)
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

struct trial *rerun_find(const struct rerun *r, struct str name)
{
    vec_each(struct trial, t, &r->experiment->trials) if (str_eq(t->name, name)) return t;
    return NULL;
}

struct trial *rerun_base(const struct rerun *r)
{
    return rerun_find(r, STR(TRIAL_BASE));
}

/* --- directories -------------------------------------------------------------------------------------------------- */

/* Nothing from an earlier run is ever overwritten. */
static int use_directory(struct rerun *r, const char *path)
{
    char *full;
    int rc = mkdir(path, 0777) == 0 ? 0 : -errno;

    r->made_directory = rc == 0;
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
                 "%s exists and is not empty; nothing in it is touched. -o DIR chooses another", given);
        return rc;
    }
    return rc ? rerun_failed(r, rc, "cannot be made", str_of(given ? given : "pt2trace_run")) : 0;
}

struct str rerun_private_directory(struct rerun *r, int *rc)
{
    struct str path = private_dir_make(r->arena, rc);

    if (*rc)
        rerun_failed(r, *rc, "no temporary directory can be created there; TMPDIR=DIR chooses another",
                     str_of(temp_file_dir()));
    vec_push(r->arena, &r->privates, path);
    return path;
}

/* --- interpreters ------------------------------------------------------------------------------------------------- */

static int ask(struct rerun *r, struct str python, struct target *t)
{
    struct environment e = {.arena = r->arena};
    int rc;
    struct str dir = private_dir_make(r->arena, &rc);

    if (rc)
        return rerun_failed(r, rc, "no temporary directory can be created there", str_of(temp_file_dir()));
    environment_add(&e, &r->workload->environment);
    rc = target_ask(r->arena, python, &e, dir.p, t);
    private_dir_remove(dir);
    if (rc)
        return rerun_failed(r, rc, "cannot be written to", dir);
    r->interrupted = t->interrupted ? t->interrupted : r->interrupted;
    if (!t->answered && !t->interrupted)
        rerun_note(r, "`%.*s` could not be queried for its PyTorch: %.*s.", STR_ARG(python), STR_ARG(t->failure));
    return 0;
}

const struct target *rerun_target_of(struct rerun *r, struct str python, int *rc)
{
    struct target *t;

    if (python.n == 0 || str_eq(python, r->target.python))
        return &r->target;
    for (size_t i = 0; i < r->others.n; i++)
        if (str_eq(r->others.v[i]->python, python))
            return r->others.v[i];
    t = ARENA_NEW(r->arena, struct target);
    *rc = ask(r, python, t);
    vec_push(r->arena, &r->others, t);
    return *rc ? NULL : t;
}

/* The interpreter that the command names, as far as that can be seen from outside. */
static int ask_python(struct rerun *r)
{
    struct str python = r->workload->python;
    const struct target *t;
    int rc = 0;

    if (python.n == 0)
        python = target_find_python(r->arena, r->workload, &r->environment);
    t = rerun_target_of(r, python.n ? python : STR("python3"), &rc);
    if (rc)
        return rc;
    r->target = *t;
    return 0;
}

static void describe_python(struct rerun *r)
{
    struct experiment *x = r->experiment;

    x->python = r->target.python;
    x->python_version = r->target.version;
    x->torch = r->target.torch;
    x->cuda = r->target.cuda;
}

int rerun_correct_python(struct rerun *r)
{
    const struct hook_process *main = hook_report_main(&r->base_report);
    const struct target *t;
    int rc = 0;

    if (!main || main->executable.n == 0 || str_eq(main->executable, r->target.executable))
        return 0;
    t = rerun_target_of(r, main->executable, &rc);
    if (rc)
        return rc;
    r->target = *t;
    describe_python(r);
    return 0;
}

/* --- one trial ---------------------------------------------------------------------------------------------------- */

void rerun_expect(struct rerun *r, size_t launches)
{
    const struct trial *base = rerun_base(r);

    if (r->say && launches > 1)
        r->say(arena_printf(r->arena, "up to %zu more launches, about %.*s if each takes as long as the first",
                            launches, STR_ARG(format_duration_us(r->arena, base->wall_us * (int64_t)launches))));
}

static void describe(struct rerun *r)
{
    struct experiment *x = r->experiment;
    const struct workload *w = r->workload;
    const setting_list none = {0};

    x->question = w->question;
    x->command = shell_command(r->arena, &none, w->command.v, w->command.n);
    x->directory = w->directory;
    describe_python(r);
}

static int choose_recorder(struct rerun *r)
{
    struct str missing;

    if (!gpu_recorder_of(r->workload->gpu_activity, &r->recorder)) {
        snprintf(r->failure, sizeof r->failure, "--gpu-activity must be cupti, kineto or nsys, not %.*s",
                 STR_ARG(r->workload->gpu_activity));
        return -EINVAL;
    }
    missing = gpu_recorder_missing(r->arena, r->recorder);
    if (missing.n == 0)
        return 0;
    snprintf(r->failure, sizeof r->failure, "%.*s", STR_ARG(missing));
    return -ENOENT;
}

/* Their state before anything runs on them. A workload that needs a GPU is not started without one. */
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

/* Checked before anything is created: a missing command leaves nothing behind. */
static int find_command(struct rerun *r)
{
    const struct workload *w = r->workload;
    struct command_line line = command_line_make(r->arena, w, w->python);
    const char *word = command_line_argv(r->arena, &line)[0];
    struct str path = str_of(word);

    if (str_chr(path, '/') >= 0)
        return 0; /* known only when it is launched */
    if (environment_find_program(&r->environment, path).n)
        return 0;
    r->not_found = true;
    return rerun_failed(r, -ENOENT, "the command cannot be started", path);
}

static int prepare(struct rerun *r, const char *directory)
{
    int rc = choose_recorder(r);

    if (rc == 0)
        rc = find_command(r);
    if (rc == 0)
        rc = ask_python(r);
    if (rc == 0 && r->interrupted)
        rc = -EINTR;
    if (rc == 0)
        rc = look_at_gpus(r);
    if (rc == 0)
        rc = choose_directory(r, directory);
    return rc;
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
                        .begun_us = clock_now_us(),
                        .experiment = ARENA_NEW(a, struct experiment)};
    interrupts_hold();
    tape_begin(&r->tape);
    environment_add(&r->environment, &w->environment);
    rc = prepare(r, directory);
    if (rc == 0)
        hook_report_ourselves(r->directory);
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
    return rc ? rerun_failed(r, rc, "cannot be written", path) : 0;
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

/* Nothing ran, so what was created for it is removed. */
static void remove_output(struct rerun *r)
{
    static const char *const names[] = {"base", "cold", "hook", "repro"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        private_dir_remove(arena_printf(r->arena, "%.*s/%s", STR_ARG(r->directory), names[i]));
    if (r->made_directory)
        rmdir(r->directory.p);
}

void rerun_end(struct rerun *r)
{
    if (r->not_found && r->directory.n && r->experiment->trials.n == 0)
        remove_output(r);
    private_dir_remove(r->caches);
    vec_each(struct str, path, &r->privates) private_dir_remove(*path);
    if (r->made_temp)
        rmdir(temp_file_dir());
    tape_end(&r->tape);
}
