#include "cmd/commands/cmd.h"
#include "cmd/command.h"
#include "cmd/complain.h"
#include "cmd/options.h"
#include "relaunch/workload/pattern.h"

#include "analysis/answers/questions.h"
#include "relaunch/launch/interrupts.h"
#include "relaunch/launch/rank_output.h"
#include "relaunch/procedures/procedure.h"
#include "relaunch/procedures/repro.h"
#include "util/system/file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORKLOAD_MAX = 1 << 20 };

static int usage(const char *what, const char *value)
{
    complain("%s: %s; see pt2trace run --help", what, value);
    return EXIT_USAGE;
}

static struct str text(struct arena *a, const char *z)
{
    return arena_str(a, z ? str_of(z) : STR(""));
}

/* --- the workload ------------------------------------------------------------------------------------------------- */

static int read_workload(struct arena *a, const char *path, struct workload *w)
{
    struct workload_error error = {0};
    char *full = realpath(path, NULL);
    struct buf yaml = {0};
    int rc = full ? read_file(path, WORKLOAD_MAX, &yaml) : -errno;
    struct str base = full ? str_take(str_of(full), (size_t)str_rchr(str_of(full), '/')) : STR("");

    if (rc) {
        complain("%s: %s; -c needs a workload file, such as every run writes", path, strerror(-rc));
        rc = EXIT_IO;
    } else if (!workload_parse(a, buf_view(&yaml), base.n ? base : STR("/"), w, &error)) {
        complain("%s:%llu: %.*s", path, (unsigned long long)error.line, STR_ARG(error.text));
        rc = EXIT_USAGE;
    }
    free(full);
    buf_free(&yaml);
    return rc;
}

static bool take_number(const char *given, int64_t max, int64_t *out)
{
    return !given || (str_i64(str_of(given), out) && *out >= 1 && *out <= max);
}

static bool take_real(const char *given, double *out)
{
    char *end = NULL;

    *out = given ? strtod(given, &end) : CHECK_TOLERANCE_UNSET;
    return !given || (*given && !*end && *out >= 0);
}

static bool take_word(const char *given, int n, const char *(*name)(int), int *out)
{
    for (int i = 0; given && i < n; i++)
        if (strcmp(given, name(i)) == 0) {
            *out = i;
            return true;
        }
    return !given;
}

static const char *name_of_launcher(int i)
{
    return launcher_name((enum workload_launcher)i);
}

static const char *name_of_dynamic(int i)
{
    return dynamic_name((enum dynamic_shapes)i);
}

static int take_environment(struct arena *a, const struct option_list *given, struct workload *w)
{
    for (int i = 0; i < given->n; i++) {
        const char *equals = strchr(given->v[i], '=');
        struct str name = equals ? str_range(given->v[i], equals) : str_of(given->v[i]);

        if (name.n == 0)
            return usage("--env needs NAME=VALUE", given->v[i]);
        vec_push(a, &w->environment,
                 ((struct env_setting){arena_str(a, name), text(a, equals ? equals + 1 : NULL), equals == NULL}));
    }
    return 0;
}

static void add_checks(struct arena *a, const struct option_list *given, enum check_kind kind, double rtol, double atol,
                       struct workload *w)
{
    for (int i = 0; i < given->n; i++)
        vec_push(a, &w->checks,
                 ((struct check){.kind = kind, .text = text(a, given->v[i]), .rtol = rtol, .atol = atol}));
}

static int take_checks(struct arena *a, const struct run_options *o, struct workload *w)
{
    double rtol, atol;

    if (!take_real(o->rtol, &rtol))
        return usage("--rtol must be a number that is not negative", o->rtol);
    if (!take_real(o->atol, &atol))
        return usage("--atol must be a number that is not negative", o->atol);
    for (int i = 0; i < o->checks.n; i++) {
        struct str wrong = pattern_error(a, str_of(o->checks.v[i]));

        if (wrong.n)
            return usage("--check must be an extended regular expression", o->checks.v[i]);
    }
    add_checks(a, &o->checks, CHECK_OUTPUT, rtol, atol, w);
    add_checks(a, &o->check_files, CHECK_FILE, rtol, atol, w);
    return 0;
}

/* What-if options make one trial in addition to the base. */
static int take_what_if(struct arena *a, const struct run_options *o, struct workload *w)
{
    struct variant v = {.name = STR("what-if")};
    struct what_if *f = &v.what_if;
    int dynamic = DYNAMIC_AS_IS;

    if (!take_word(o->dynamic, DYNAMIC_FALSE + 1, name_of_dynamic, &dynamic))
        return usage("--dynamic must be true, false or none", o->dynamic);
    if (!take_number(o->recompile_limit, RECOMPILE_LIMIT_MAX, &f->recompile_limit))
        return usage("--recompile-limit must be a number from 1 to 1000000", o->recompile_limit);
    f->dynamic = (enum dynamic_shapes)dynamic;
    f->fullgraph = o->fullgraph;
    f->backend = text(a, o->backend);
    f->mode = text(a, o->mode);
    f->disable = text(a, o->disable);
    f->config = text(a, o->set);
    if (dynamic || f->recompile_limit || f->fullgraph || f->backend.n || f->mode.n || f->disable.n || f->config.n)
        vec_push(a, &w->variants, v);
    return 0;
}

static int take_places(struct arena *a, const struct run_options *o, struct workload *w)
{
    const char *where = o->directory ? o->directory : w->directory.n ? NULL : ".";
    char *full = where ? realpath(where, NULL) : NULL;

    if (where && !full) {
        complain("%s: %s; -C needs the directory where the program runs", where, strerror(errno));
        return EXIT_IO;
    }
    if (full)
        w->directory = text(a, full);
    free(full);
    if (o->python)
        w->python = text(a, o->python);
    if (o->gpus)
        w->gpus = text(a, o->gpus);
    return 0;
}

static int take_question(struct arena *a, const struct run_options *o, struct workload *w)
{
    if (o->why)
        w->question = text(a, o->why);
    if (w->question.n == 0 || question_find(w->question))
        return 0;
    return usage("there is no such question", w->question.p);
}

/* Options override the file. */
static int take_options(struct arena *a, const struct run_options *o, struct workload *w)
{
    int launcher = (int)w->launcher, rc;
    enum gpu_recorder recorder;

    if (o->cold && o->warm)
        return usage("--cold and --warm exclude each other", "--warm");
    if (!take_number(o->ranks, RANKS_MAX, &w->ranks))
        return usage("--ranks must be a number from 1 to 100000", o->ranks);
    if (!take_number(o->repeats, REPEATS_MAX, &w->repeats))
        return usage("--repeats must be a number from 1 to 1000", o->repeats);
    if (!take_number(o->fix_limit, FIX_LIMIT_MAX, &w->fix_limit))
        return usage("--fix-limit must be a number from 1 to 1000", o->fix_limit);
    if (!take_word(o->launcher, LAUNCHERS, name_of_launcher, &launcher))
        return usage("--launcher must be torchrun, mpirun, srun or none", o->launcher);
    if (o->time_limit && !workload_time(str_of(o->time_limit), &w->time_limit_s))
        return usage("--time-limit must be a time such as 90s, 15min or 2h", o->time_limit);
    if (w->ranks && launcher == LAUNCHER_NONE)
        return usage("--ranks only works with --launcher, which starts them", o->ranks ? o->ranks : "ranks");
    if (o->gpu_activity && !gpu_recorder_of(str_of(o->gpu_activity), &recorder))
        return usage("--gpu-activity must be cupti, kineto or nsys", o->gpu_activity);
    w->launcher = (enum workload_launcher)launcher;
    w->caches = o->cold ? CACHES_COLD : o->warm ? CACHES_WARM : w->caches;
    if (o->torch_logs)
        w->torch_logs = text(a, o->torch_logs);
    w->ablate |= o->ablate;
    w->bisect |= o->bisect;
    w->minify |= o->minify;
    w->fix |= o->fix;
    w->needs_gpu |= o->gpu;
    if (o->gpu_activity)
        w->gpu_activity = text(a, o->gpu_activity);
    rc = take_question(a, o, w);
    if (rc == 0)
        rc = take_environment(a, &o->environment, w);
    if (rc == 0)
        rc = take_checks(a, o, w);
    if (rc == 0)
        rc = take_what_if(a, o, w);
    return rc ? rc : take_places(a, o, w);
}

static int make_workload(struct arena *a, const struct options *o, struct workload *w)
{
    int rc = 0;

    if (o->run.config)
        rc = read_workload(a, o->run.config, w);
    if (rc)
        return rc;
    if (o->args_n)
        w->command.n = 0;
    for (int i = 0; i < o->args_n; i++)
        vec_push(a, &w->command, text(a, o->args[i]));
    return take_options(a, &o->run, w);
}

/* The programs for --repro, and the workload that runs them. */
static int make_repros(struct arena *a, const struct options *o, struct repros *repros, struct workload *w)
{
    struct str error;
    int rc;

    if (o->args_n != 1 || o->run.config)
        return usage("--repro ID needs one PATH with a trace", o->run.repro);
    rc = take_options(a, &o->run, w);
    if (rc)
        return rc;
    if (!repro_take(a, o->args[0], str_of(o->run.repro), o->threads, repros, &error)) {
        complain("%.*s", STR_ARG(error));
        return EXIT_IO;
    }
    repro_workload(a, w);
    return 0;
}

/* --- the report --------------------------------------------------------------------------------------------------- */

static int report_on(struct rerun *r, const struct options *o)
{
    struct options report = *o;
    struct path_list paths = r->base_inputs;

    vec_push(r->arena, &paths.list, arena_printf(r->arena, "%.*s/run.json", STR_ARG(r->directory)).p);
    report.output = arena_printf(r->arena, "%.*s/report", STR_ARG(r->directory)).p;
    report.command = &commands[0];
    report.no_sandbox = true;       /* the program that ran could already do whatever a bug in the report can */
    report.text_fd = STDERR_FILENO; /* standard output belongs to the program */
    if (r->unfinished_line && !o->quiet)
        write_all(STDERR_FILENO, "\n", 1);
    interrupts_warn_first("pt2trace: writing the report; Ctrl-C again exits without it\n");
    return report_paths(&report, paths.list.v, paths.list.n);
}

/* The same values as in timeout(1) and shells. */
enum { STATUS_TIMED_OUT = 124, STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127, STATUS_SIGNAL = 128 };

/* The program's own status, so that putting pt2trace before a command changes nothing for its caller. */
static int status_of(const struct rerun *r, const struct options *o)
{
    const struct trial *base = rerun_base(r);

    if (r->interrupted)
        return STATUS_SIGNAL + r->interrupted;
    if (o->run.exit_zero)
        return EXIT_DONE;
    if (!base)
        return EXIT_IO;
    if (base->status >= 0)
        return (int)base->status;
    return str_eq(base->end, STR(TRIAL_TIMED_OUT)) ? STATUS_TIMED_OUT : STATUS_SIGNAL + (int)base->signal;
}

static int run_all(struct rerun *r, struct workload *w, const struct repros *repros)
{
    int rc = repros->list.n ? repro_write(r, w, repros) : 0;

    if (rc == 0)
        rc = procedure_run(r);
    if (rc == 0 && repros->list.n)
        rc = repro_run(r, repros);
    return rc;
}

/* Reports why the program was not started, or why we cannot continue. */
static int give_up(const struct rerun *r, int rc)
{
    if (r->interrupted)
        return STATUS_SIGNAL + r->interrupted;
    complain("%s", r->failure);
    if (!r->not_found)
        return EXIT_IO;
    return rc == -ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}

static int run_and_report(struct rerun *r, const struct options *o, struct workload *w, const struct repros *repros)
{
    const char *traces = arena_printf(r->arena, "%.*s/" TRIAL_BASE, STR_ARG(r->directory)).p;
    pid_t follower = o->run.follow ? follow_apart(o, traces) : 0;
    int rc = run_all(r, w, repros), failed;

    follow_apart_end(follower);
    failed = rc == 0 || r->experiment->trials.n ? rerun_write(r) : 0;
    if (rc || failed)
        return give_up(r, rc ? rc : failed);
    rc = rerun_base(r) ? report_on(r, o) : EXIT_DONE;
    return rc ? rc : status_of(r, o);
}

static void say(struct str text)
{
    complain("%.*s", STR_ARG(text));
}

static bool has_several_trials(const struct workload *w, const struct repros *repros)
{
    return w->ablate || w->bisect || w->minify || w->fix || w->variants.n || w->repeats > 1 ||
           w->caches == CACHES_WARM || preset_find(w->question)->caches == CACHES_WARM || repros->list.n > 1;
}

/* Ends with the rank's status, so that the launcher sees what it would see without us. */
static int run_rank(const struct options *o)
{
    int status = 0, rc = rank_output_run(o->run.rank_output, o->args, &status);

    if (rc)
        complain("%s: %s", o->run.rank_output, strerror(-rc));
    return rc ? EXIT_IO : status;
}

static int run_workload(const struct options *o)
{
    struct arena *a = arena_new();
    struct repros repros = {0};
    int64_t kill_after_s = 0;
    struct workload w = workload_empty();
    struct rerun r;
    int rc = o->run.repro ? make_repros(a, o, &repros, &w) : make_workload(a, o, &w);

    if (rc == 0 && o->run.kill_after && !workload_time(str_of(o->run.kill_after), &kill_after_s))
        rc = usage("--kill-after must be a time such as 10s or 5min", o->run.kill_after);
    if (rc == 0) {
        rc = rerun_begin(&r, a, &w, o->output);
        r.show_logs = o->run.show_logs;
        r.threads = o->threads;
        r.grace_ms = kill_after_s * 1000;
        r.several = has_several_trials(&w, &repros);
        r.say = r.several && !o->quiet ? say : NULL;
        rc = rc ? give_up(&r, rc) : run_and_report(&r, o, &w, &repros);
        rerun_end(&r);
    }
    arena_free(a);
    return rc;
}

const char run_feature[] = ", run";

int cmd_run(const struct options *o)
{
    if (o->run.rank_output)
        return run_rank(o);
    return run_workload(o);
}
