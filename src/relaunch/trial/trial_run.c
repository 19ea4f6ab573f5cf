#include "relaunch/trial/trial_run.h"

#include "relaunch/trial/private_dir.h"
#include "relaunch/trial/trial_outcome.h"

#include <stdio.h>

static int not_started(struct rerun *r, const struct launch *launch, const struct launch_result *result)
{
    r->not_found = r->experiment->trials.n == 1 && !result->directory_failed;
    snprintf(r->failure, sizeof r->failure, "%s: %s", result->directory_failed ? launch->directory : launch->argv[0],
             strerror(result->error));
    return -result->error;
}

static int make_places(struct rerun *r, const struct trial_options *o)
{
    static const char *const names[] = {"log", "stacks"};
    int rc = 0;

    for (int i = 0; i < 2 && rc == 0; i++)
        rc = make_dirs(trial_path(r, o->name, names[i]));
    return rc ? rerun_failed(r, rc, "cannot be made", str_of(trial_path(r, o->name, "log"))) : 0;
}

/*
 * Under a short path, because the names of sockets are limited. NULL if there is no place for it: the output of ranks
 * is then not separated.
 */
static const char *rank_socket(struct rerun *r)
{
    int rc = 0;

    if (r->sockets.n == 0)
        r->sockets = rerun_private_directory(r, &rc);
    return rc ? NULL : arena_printf(r->arena, "%.*s/ranks", STR_ARG(r->sockets)).p;
}

static int launch(struct rerun *r, const struct trial_options *o, struct trial_setup *s, struct trial *t)
{
    const struct launch launch = {.argv = command_line_argv(r->arena, &s->line),
                                  .environment = environment_make(&s->environment),
                                  .directory = o->work_dir.n ? o->work_dir.p : r->workload->directory.p,
                                  .out_path = trial_path(r, o->name, "log/console.out"),
                                  .err_path = trial_path(r, o->name, "log/console.err"),
                                  .time_limit_s = o->time_limit_s ? o->time_limit_s : r->workload->time_limit_s,
                                  .grace_ms = r->grace_ms,
                                  .silent = t != rerun_base(r),
                                  .plain = o->command != NULL,
                                  .last = !r->several,
                                  .input = r->several && !o->command ? &r->tape : NULL,
                                  .rank_socket = s->line.rank_at ? NULL : rank_socket(r),
                                  .rank_dir = trial_path(r, o->name, "log/ranks")};
    struct launch_result result;
    int rc = launch_run(&launch, &result);

    if (rc)
        return rerun_failed(r, rc, "cannot be written", str_of(launch.out_path));
    if (result.end == LAUNCH_NOT_STARTED)
        return not_started(r, &launch, &result);
    trial_outcome_end(r, t, &result);
    return 0;
}

/* --- what came of it ---------------------------------------------------------------------------------------------- */

/* The program that reads files of arrays is in its own directory, because Python also imports modules from there. */
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

static struct trial *add_trial(struct rerun *r, const struct trial_options *o)
{
    struct trial *t = vec_add(r->arena, &r->experiment->trials);

    *t = (struct trial){.name = o->name,
                        .how = o->how,
                        .python = o->python,
                        .compiles = -1,
                        .graph_breaks = -1,
                        .recompiles = -1,
                        .errors = -1,
                        .compile_us = -1,
                        .gpu_us = -1,
                        .calls_us = -1,
                        .status = -1,
                        .signal = -1,
                        .pid = -1,
                        .peak_bytes = -1,
                        .oom_kills = -1};
    return t;
}

/* If the base showed that the hook does not get in, changes that need the hook are not tried. */
static bool is_hopeless(struct rerun *r, const struct trial_setup *s, struct trial *t)
{
    if (!s->arrival.by_hook || r->kept_out.n == 0)
        return false;
    vec_push(r->arena, &r->checks.sides, (struct check_side){.name = t->name}); /* there is one for each trial */
    r->last_facts = (struct trial_facts){0};
    t->end = str_of(launch_end_name(LAUNCH_NOT_STARTED));
    t->not_applied = arena_printf(r->arena, "The program's Python does not load pt2trace's hook from PYTHONPATH. %.*s",
                                  STR_ARG(r->kept_out));
    return true;
}

/*
 * Programs may clear the directory in TMPDIR, including files of others. The next launch must find what the first one
 * found, and a report needs the directory, too.
 */
static void restore_temporaries(struct rerun *r)
{
    if (mkdir(temp_file_dir(), 0700) == 0 && !r->made_temp) {
        r->made_temp = true;
        rerun_note(r, "The program removes %s, where temporary files are (TMPDIR): it was created again.",
                   temp_file_dir());
    }
    vec_each(struct str, path, &r->privates) private_dir_restore(*path);
    private_dir_restore(r->caches);
}

static int run_it(struct rerun *r, const struct trial_options *o, struct trial_setup *s, struct trial *t)
{
    struct checked_files files;
    int rc;

    check_files_look(r->arena, r->workload, &files);
    rc = launch(r, o, s, t);
    if (rc)
        return rc;
    restore_temporaries(r);
    check_files_keep(r->arena, r->workload, trial_path(r, o->name, "files"), &files);
    trial_outcome_check(r, o, s, &files);
    trial_outcome_look(r, o, s, t);
    return 0;
}

static void announce(struct rerun *r, const struct trial_options *o)
{
    if (r->say)
        r->say(arena_printf(r->arena, "trial %zu, %.*s%s%.*s", r->experiment->trials.n, STR_ARG(o->name),
                            o->how.n ? ": " : "", STR_ARG(o->how)));
}

int trial_run(struct rerun *r, const struct trial_options *o, struct trial **out)
{
    struct trial *t = add_trial(r, o);
    struct trial_setup setup = {0};
    int rc;

    announce(r, o);
    rc = prepare_checks(r);
    if (rc == 0)
        rc = trial_setup_make(r, o, t, &setup);
    if (rc == 0 && !is_hopeless(r, &setup, t)) {
        rc = make_places(r, o);
        if (rc == 0)
            rc = run_it(r, o, &setup, t);
    }
    private_dir_remove(setup.own_caches);
    if (rc) {
        r->experiment->trials.n--;
        return rc;
    }
    if (t == rerun_base(r))
        rc = rerun_correct_python(r);
    *out = t;
    return rc ? rc : rerun_write(r);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

