#include "relaunch/procedures/minify.h"

#include "relaunch/procedures/runnable.h"
#include "relaunch/trial/control.h"
#include "relaunch/trial/trial_run.h"
#include "util/system/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum { MINIFY_SECONDS = 1800, VERIFY_SECONDS = 600, REPRO_MAX = 1 << 24, PROGRAM_MAX = 1 << 18 };

/* TORCHDYNAMO_REPRO_LEVEL (torch/_dynamo/config.py): when a launcher script is written. */
enum level { ON_ERROR = 2, ALWAYS = 3, ON_WRONG_NUMBERS = 4 };

/* After AOTAutograd the graphs are smaller; errors in AOTAutograd itself can only be reproduced after Dynamo. */
struct minify_attempt {
    const char *after;
    enum level level;
};

static const struct minify_attempt for_errors[] = {
    {"aot", ON_ERROR}, {"dynamo", ON_ERROR}, {"aot", ON_WRONG_NUMBERS}, {"dynamo", ON_WRONG_NUMBERS}, {NULL, 0}};
static const struct minify_attempt for_crashes[] = {{"aot", ALWAYS}, {"dynamo", ALWAYS}, {NULL, 0}};
static const struct minify_attempt for_numbers[] = {{"aot", ON_WRONG_NUMBERS}, {"dynamo", ON_WRONG_NUMBERS}, {NULL, 0}};

struct minifier {
    struct rerun *r;
    const struct minify_attempt *attempt;
    struct str debug;    /* TORCH_COMPILE_DEBUG_DIR of all trials */
    struct str launcher; /* the directory of minifier_launcher.py */
    struct str program;  /* its text, cleaned */
    struct str repro;    /* minify/repro.py in the output directory */
    bool symbolic;       /* the graph is traced with symbolic sizes */
    bool timed_out;      /* the minifier ran out of time */
};

/* --- the workload leaves a launcher ------------------------------------------------------------------------------- */

/*
 * The directory of the first launcher, by name, below torch_compile_debug: if there are several ranks, one is enough.
 */
static struct str find_launcher(struct arena *a, struct str debug)
{
    struct str root = arena_printf(a, "%.*s/torch_compile_debug", STR_ARG(debug)), found = {"", 0};
    DIR *d = opendir(root.p);
    struct dirent *entry;

    if (!d)
        return found;
    while ((entry = readdir(d))) {
        struct str dir = arena_printf(a, "%.*s/%s/minifier", STR_ARG(root), entry->d_name);

        if (access(arena_printf(a, "%.*s/minifier_launcher.py", STR_ARG(dir)).p, R_OK) == 0 &&
            (found.n == 0 || str_cmp(dir, found) < 0))
            found = dir;
    }
    closedir(d);
    return found;
}

static setting_list settings_of(struct minifier *m, bool with_repro)
{
    struct arena *a = m->r->arena;
    setting_list list = {0};

    vec_push(a, &list, ((struct env_setting){.name = STR("TORCH_COMPILE_DEBUG_DIR"), .value = m->debug}));
    if (with_repro) {
        struct str level = arena_printf(a, "%d", (int)m->attempt->level);

        vec_push(a, &list,
                 ((struct env_setting){.name = STR("TORCHDYNAMO_REPRO_AFTER"), .value = str_of(m->attempt->after)}));
        vec_push(a, &list, ((struct env_setting){.name = STR("TORCHDYNAMO_REPRO_LEVEL"), .value = level}));
    }
    return list;
}

static int launch_workload(struct minifier *m)
{
    setting_list settings;
    struct trial_options o = {.environment = &settings, .caches = CACHES_COLD};
    struct trial *t;
    int rc;

    o.name = arena_printf(m->r->arena, "minify-%s-%d", m->attempt->after, (int)m->attempt->level);
    o.how = arena_printf(m->r->arena, "keeps the failing graph, after %s",
                         str_eq(str_of(m->attempt->after), STR("aot")) ? "AOTAutograd" : "Dynamo");
    m->debug = arena_printf(m->r->arena, "%.*s/%.*s", STR_ARG(m->r->directory), STR_ARG(o.name));
    settings = settings_of(m, true);
    if (m->r->workload->time_limit_s == 0)
        o.time_limit_s = 60 + 10 * (rerun_base(m->r)->wall_us / 1000000);
    rc = trial_run(m->r, &o, &t);
    if (rc == 0 && !m->r->interrupted)
        m->launcher = find_launcher(m->r->arena, m->debug);
    return rc;
}

/*
 * PyTorch writes a repro.py in the program's working directory: it must not replace a file of the user's, and is
 * removed.
 */
static int make_launcher(struct minifier *m)
{
    struct str stray = arena_printf(m->r->arena, "%.*s/repro.py", STR_ARG(m->r->workload->directory));
    int rc;

    if (m->attempt->level == ON_WRONG_NUMBERS && access(stray.p, F_OK) == 0) {
        rerun_note(m->r,
                   "%.*s: PyTorch would overwrite it with another file while it looks for wrong numbers; move it to "
                   "minify those.",
                   STR_ARG(stray));
        return 0;
    }
    rc = launch_workload(m);
    if (m->attempt->level == ON_WRONG_NUMBERS)
        unlink(stray.p);
    return rc;
}

static const struct minify_attempt *attempts_for(const struct trial *base)
{
    if (base->signal > 0 && !str_eq(base->end, STR(TRIAL_TIMED_OUT)))
        return for_crashes;
    return base->failed && base->errors > 0 ? for_errors : for_numbers;
}

/* --- the launcher makes it smaller -------------------------------------------------------------------------------- */

static int launch_python(struct minifier *m, struct trial_options *o, struct str dir, const char *const *words)
{
    struct command_line line = {0};
    setting_list settings = settings_of(m, false);
    struct trial *t;
    int rc;

    vec_push(m->r->arena, &line.words, m->r->target.python);
    for (; *words; words++)
        vec_push(m->r->arena, &line.words, str_of(*words));
    o->command = &line;
    o->work_dir = dir;
    o->environment = &settings;
    o->caches = CACHES_COLD;
    rc = trial_run(m->r, o, &t);
    if (rc == 0)
        m->timed_out = str_eq(t->end, STR(TRIAL_TIMED_OUT));
    return rc;
}

static int read_launcher(struct minifier *m)
{
    const char *launcher = arena_printf(m->r->arena, "%.*s/minifier_launcher.py", STR_ARG(m->launcher)).p;
    struct buf text = {0};
    int rc = read_file(launcher, REPRO_MAX, &text);

    if (rc == 0) {
        m->program = runnable_clean(m->r->arena, buf_view(&text));
        rc = runnable_write(launcher, m->program);
    }
    buf_free(&text);
    if (rc)
        snprintf(m->r->failure, sizeof m->r->failure, "%s: %s", launcher, strerror(-rc));
    return rc;
}

/*
 * One process per query survives crashes, but takes seconds each. The launcher traces the graph with numeric sizes
 * even if they were symbolic, which the fault may need.
 */
static int launch_minifier(struct minifier *m, const char *name)
{
    const char *words[6] = {"minifier_launcher.py", "minify",
                            m->attempt->level == ALWAYS ? "--isolate" : "--no-isolate"};
    struct trial_options o = {.name = str_of(name),
                              .how = m->symbolic ? STR("makes the graph smaller, with symbols for sizes")
                                                 : STR("makes the graph smaller"),
                              .time_limit_s = MINIFY_SECONDS,
                              .untraced = true};

    if (m->symbolic) {
        words[3] = "--tracing-mode";
        words[4] = "symbolic";
    }
    return launch_python(m, &o, m->launcher, words);
}

/*
 * Makes a second name for each input that the program reads, next to it. False if one is missing or cannot have a
 * second name.
 */
static bool keep_inputs(struct minifier *m, struct str text, struct str save_dir)
{
    struct str dir = arena_printf(m->r->arena, "%.*s/minify/storages", STR_ARG(m->r->directory)), name;

    while (runnable_next_input(&text, &name)) {
        const char *from = arena_printf(m->r->arena, "%.*s/storages/%.*s", STR_ARG(save_dir), STR_ARG(name)).p;
        const char *to = arena_printf(m->r->arena, "%.*s/%.*s", STR_ARG(dir), STR_ARG(name)).p;

        if (make_dirs(dir.p) || (link(from, to) && errno != EEXIST))
            return false;
    }
    return true;
}

/* The minifier's result with its inputs next to it, so that the directory can be sent to someone. */
static struct str moved(struct minifier *m, struct str text)
{
    struct str save_dir = runnable_save_dir(m->r->arena, text);

    if (m->symbolic)
        text = runnable_make_symbolic(m->r->arena, text);
    if (save_dir.n == 0)
        return text;
    if (keep_inputs(m, text, save_dir))
        return runnable_move(m->r->arena, text, save_dir);
    rerun_note(m->r, "The inputs of minify/repro.py remain in %.*s.", STR_ARG(save_dir));
    return text;
}

/* Copies the minifier's result; false if there is none. */
static bool keep_repro(struct minifier *m, int *rc)
{
    const char *from = arena_printf(m->r->arena, "%.*s/repro.py", STR_ARG(m->launcher)).p;
    struct buf text = {0};
    bool found = read_file(from, REPRO_MAX, &text) == 0;

    m->repro = arena_printf(m->r->arena, "%.*s/minify/repro.py", STR_ARG(m->r->directory));
    if (found) {
        *rc = runnable_write(m->repro.p, moved(m, runnable_clean(m->r->arena, buf_view(&text))));
        if (*rc)
            snprintf(m->r->failure, sizeof m->r->failure, "%.*s: cannot be written: %s", STR_ARG(m->repro),
                     strerror(-*rc));
    }
    buf_free(&text);
    return found && *rc == 0;
}

/* First with symbolic sizes, if the program had them; if they cannot be traced again, with numbers. */
static int make_smaller(struct minifier *m, bool *found)
{
    int rc = read_launcher(m);

    m->symbolic = runnable_is_symbolic(m->program) && str_eq(str_of(m->attempt->after), STR("aot"));
    if (rc == 0)
        rc = launch_minifier(m, "minify");
    *found = rc == 0 && !m->r->interrupted && keep_repro(m, &rc);
    if (rc || m->r->interrupted || *found || !m->symbolic)
        return rc;
    m->symbolic = false;
    rc = launch_minifier(m, "minify-numbers");
    *found = rc == 0 && !m->r->interrupted && keep_repro(m, &rc);
    return rc;
}

/* --- whether it fails in the same way ----------------------------------------------------------------------------- */

/* "InductorError" in "torch._inductor.exc.InductorError" */
static struct str last_name(struct str type)
{
    ptrdiff_t dot = str_rchr(type, '.');

    return dot < 0 ? type : str_skip(type, (size_t)dot + 1);
}

static bool fails_alike(struct minifier *m, const struct trial *t)
{
    const struct trial *base = rerun_base(m->r);
    struct str now = last_name(trial_failure(m->r->arena, t));

    if (!t->failed)
        return false;
    if (m->attempt->level == ON_WRONG_NUMBERS)
        return str_has(t->error, STR("AccuracyError"));
    /* If Dynamo called the backend, its own exception wraps the other one. */
    return str_eq(now, last_name(trial_failure(m->r->arena, base))) || (t->error.n && str_has(base->error, now));
}

/* Also in the report, so that whoever receives it has the program. */
static void show_repro(struct minifier *m)
{
    struct buf text = {0};

    if (read_file(m->repro.p, PROGRAM_MAX, &text) == 0)
        m->r->experiment->program = arena_str(m->r->arena, buf_view(&text));
    buf_free(&text);
}

static int verify(struct minifier *m)
{
    const char *const words[] = {m->repro.p, NULL};
    struct str dir = arena_printf(m->r->arena, "%.*s/minify", STR_ARG(m->r->directory));
    struct trial_options o = {
        .name = STR("minify-repro"), .how = STR("the smallest graph alone"), .time_limit_s = VERIFY_SECONDS};
    int rc = launch_python(m, &o, dir, words);
    const struct trial *t = &m->r->experiment->trials.v[m->r->experiment->trials.n - 1];
    struct str failure;

    if (rc || m->r->interrupted)
        return rc;
    failure = trial_failure(m->r->arena, t);
    if (fails_alike(m, t))
        rerun_conclude(m->r,
                       "%.*s is the smallest program that was found. On its own it fails in the same way, with %.*s.",
                       STR_ARG(m->repro), STR_ARG(failure));
    else if (t->failed)
        rerun_conclude(m->r, "%.*s is the minifier's result, but on its own it fails in another way, with %.*s.",
                       STR_ARG(m->repro), STR_ARG(failure));
    else
        rerun_conclude(m->r, "%.*s is the minifier's result, but on its own it does not fail.", STR_ARG(m->repro));
    return 0;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

#define INSTEAD                                                                                                        \
    "pt2trace run --repro all %.*s/base runs each graph alone; --bisect finds the pass or operator by running the "    \
    "program itself"

static int shrink(struct minifier *m)
{
    bool found;
    int rc = make_smaller(m, &found);

    if (rc || m->r->interrupted)
        return rc;
    if (!found) {
        rerun_conclude(m->r,
                       "The graph that failed in the program does not fail alone (%.*s/minify/log has the minifier's "
                       "output): a pass or a backend that the program registers is not part of it, and inputs may "
                       "matter. " INSTEAD ".",
                       STR_ARG(m->r->directory), STR_ARG(m->r->directory));
        return 0;
    }
    if (m->timed_out)
        rerun_note(m->r, "The time limit ended the minifier: its result may not be the smallest.");
    show_repro(m);
    return verify(m);
}

/* Whether the minifier can be of use. */
static bool is_minifiable(struct rerun *r)
{
    const struct trial *base = rerun_base(r);

    if (r->control.clean)
        rerun_conclude(r, "It does not fail: there is nothing to minify%s.",
                       r->workload->checks.n ? "" : ". Whether numbers are right is only known with --check");
    else if (str_eq(base->end, STR(TRIAL_TIMED_OUT)))
        rerun_conclude(r, "It did not end within the time limit: the minifier only handles graphs that end. --ablate "
                          "shows which stage hangs.");
    else if (base->failed && str_eq(base->stage, STR("dynamo")))
        rerun_conclude(r,
                       "It fails in Dynamo, before there is a graph that could be made smaller: %.*s. Make the Python "
                       "function smaller by hand; --disable FUNCTION runs parts of it eagerly.",
                       STR_ARG(base->error));
    else
        return r->control.fault;
    return false;
}

int minify_run(struct rerun *r)
{
    struct minifier m = {.r = r};
    int rc = control_run(r);

    r->experiment->procedure = STR("minify");
    if (rc || r->interrupted || !is_minifiable(r))
        return rc;
    for (m.attempt = attempts_for(rerun_base(r)); m.attempt->after; m.attempt++) {
        rc = make_launcher(&m);
        if (rc || r->interrupted)
            return rc;
        if (m.launcher.n)
            return shrink(&m);
    }
    rerun_conclude(
        r,
        "The program left no graph for the minifier, which saw none fail: the fault may be outside the graphs, or "
        "depend on properties that copies of inputs lose (strides, shared memory). " INSTEAD ".",
        STR_ARG(r->directory));
    return rc;
}
