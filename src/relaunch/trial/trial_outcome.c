#include "relaunch/trial/trial_outcome.h"

#include "relaunch/launch/oom.h"
#include "relaunch/trial/trial_inputs.h"
#include "relaunch/workload/hook.h"
#include "relaunch/workload/what_if.h"

#include <sys/resource.h>

/* --- how it ended ------------------------------------------------------------------------------------------------- */

static void note_result(struct trial *t, const struct launch_result *result)
{
    t->end = str_of(launch_end_name(result->end));
    t->status = result->end == LAUNCH_EXITED ? result->status : -1;
    t->signal = result->signal ? result->signal : -1;
    t->start_us = result->start_us;
    t->wall_us = (int64_t)(result->wall_s * 1e6);
    t->pid = result->pid;
    t->peak_bytes = result->peak_kb > 0 ? result->peak_kb * 1024 : -1;
    t->oom_kills = (int64_t)result->oom_kills;
}

static void complain_of(struct rerun *r, const struct trial *t, const struct launch_result *result)
{
    if (result->out_error)
        rerun_note(r, "%.*s: not all of its output could be kept: %s.", STR_ARG(t->name), strerror(result->out_error));
    if (result->pass_error)
        rerun_note(r, "%.*s: its output could not be passed on (%s); %.*s/%.*s/log has it.", STR_ARG(t->name),
                   strerror(result->pass_error), STR_ARG(r->directory), STR_ARG(t->name));
    if (result->left_behind)
        rerun_note(r, "%.*s: a process that it started still runs.", STR_ARG(t->name));
    if (result->killed_rest)
        rerun_note(r,
                   "%.*s: processes that it had started and that were still running were ended, so the next trial "
                   "starts under the same conditions.",
                   STR_ARG(t->name));
    if (result->unkillable)
        rerun_note(r, "%.*s: a process could not be killed: it hangs in the kernel (a driver, a network file system).",
                   STR_ARG(t->name));
}

void trial_outcome_end(struct rerun *r, struct trial *t, const struct launch_result *result)
{
    if (result->end == LAUNCH_INTERRUPTED)
        r->interrupted = result->signal;
    r->unfinished_line |= result->unfinished;
    note_result(t, result);
    complain_of(r, t, result);
}

/* The program does not print a limit set by the shell; allocations of any size just fail. */
static void note_memory_limit(struct rerun *r, const struct trial *t)
{
    static const struct {
        int what;
        const char *words;
    } limits[] = {{RLIMIT_AS, "addresses (`ulimit -v`)"}, {RLIMIT_DATA, "data (`ulimit -d`)"}};
    struct rlimit limit;

    for (size_t i = 0; i < sizeof limits / sizeof *limits && t->failed; i++)
        if (getrlimit(limits[i].what, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
            rerun_note(r, "Each process may have %.1f GB of %s here; allocations beyond that fail.",
                       (double)limit.rlim_cur / 1e9, limits[i].words);
}

/* Every container has a limit; it is only mentioned if the kernel killed something. */
static void note_group_limit(struct rerun *r, const struct trial *t)
{
    uint64_t limit = t->oom_kills > 0 ? oom_limit("") : 0;

    if (limit)
        rerun_note(r,
                   "Its control group (a container, a job of a scheduler) is limited to %.1f GB of memory; beyond "
                   "that the kernel kills one of its processes.",
                   (double)limit / 1e9);
}

/* --- what it left ------------------------------------------------------------------------------------------------- */

/* The trial's own result, compared with the reference result. */
void trial_outcome_check(struct rerun *r, const struct trial_options *o, const struct trial_setup *s,
                         const struct checked_files *files)
{
    const struct what_if what = what_if_join(&r->workload->what_if, &o->what_if);
    const struct check_side side = {.name = o->name,
                                    .output = o->command ? NULL : trial_path(r, o->name, "log/console.out"),
                                    .ranks = trial_path(r, o->name, "log/ranks"),
                                    .ranks_only = s->line.rank_at != 0,
                                    .files = *files,
                                    .eager = str_eq(what.backend, STR("none"))};

    check_trial(r->arena, &r->checks, &side, r->experiment->trials.v);
}

static void compare(struct rerun *r, const struct trial_options *o, struct trial *t, const struct trial_facts *facts,
                    const struct path_list *inputs)
{
    const struct trial *base = rerun_base(r);

    if (t == base) {
        r->base_facts = *facts;
        r->base_inputs = *inputs;
    } else if (base && base->traced && t->traced && !o->command && t->not_applied.n == 0) {
        trial_facts_compare(r->arena, &r->base_facts, facts, t);
    }
}

/* The line with which the hook ended the program: "pt2trace: PT2TRACE_CONFIG: ...". */
static struct str hook_complaint(struct rerun *r, const struct trial *t)
{
    hook_lines lines;
    struct str found = {"", 0};

    if (t->status != HOOK_FAILED)
        return found;
    hook_lines_read(r->arena, trial_path(r, t->name, "log/console.err"), SIZE_MAX, &lines);
    vec_each(const struct str, s, &lines)
    {
        struct str line = *s;

        if (str_consume(&line, STR("pt2trace: PT2TRACE_")) && str_find(line, STR(": ")) > 0)
            found = arena_printf(r->arena, "%.*s.", STR_ARG(str_skip(line, (size_t)str_find(line, STR(": ")) + 2)));
    }
    return found;
}

/*
 * Console text without a process id comes from the process that imported PyTorch; if there are several, nobody knows.
 */
static int64_t owner_of_console(const struct hook_report *report, int64_t command)
{
    int64_t owner = 0;

    vec_each(const struct hook_process, p, &report->processes)
    {
        if (p->tool || p->forked)
            continue;
        if (owner)
            return 0;
        owner = p->pid;
    }
    return owner ? owner : command;
}

static void note_ranks(struct arena *a, const struct hook_report *report, struct trial *t)
{
    vec_each(const struct hook_process, p, &report->processes) if (p->rank >= 0 && !p->tool && !p->forked)
        vec_push(a, &t->ranks, ((struct trial_rank){p->rank, p->attempt, p->pid}));
}

/* The trace does not need the hook, but the rest of what a run may collect does. */
static void note_kept_out(struct rerun *r, const struct trial_facts *facts)
{
    if (facts->pids.n == 0 || r->base_report.processes.n || r->base_report.pythons)
        return;
    r->kept_out = arrival_way(r->arena, r->workload);
    rerun_note(
        r,
        "The program's Python does not load pt2trace's hook from PYTHONPATH: there are no logs, and no stacks if it "
        "hangs. %.*s",
        STR_ARG(r->kept_out));
}

void trial_outcome_look(struct rerun *r, const struct trial_options *o, struct trial_setup *s, struct trial *t)
{
    struct hook_report report;
    struct trial_facts facts;
    struct path_list paths;

    hook_report_read(r->arena, trial_path(r, o->name, "hook.jsonl"), &report);
    report.pythons = hook_stacks_read(r->arena, trial_path(r, o->name, "stacks"), t);
    t->pid = owner_of_console(&report, t->pid);
    note_ranks(r->arena, &report, t);
    trial_inputs_find(r, t, s->line.rank_at != 0, &report, &paths);
    trial_facts_read(r->arena, &paths, r->threads, t, &facts);
    vec_each(const uint64_t, pid, &facts.pids) vec_push(r->arena, &s->arrival.traced, *pid);
    t->not_applied = hook_complaint(r, t);
    if (t == rerun_base(r)) {
        r->base_report = report;
        note_kept_out(r, &facts);
        note_memory_limit(r, t);
        note_group_limit(r, t);
    }
    if (t->not_applied.n == 0 && !o->command && !r->interrupted)
        t->not_applied = arrival_problem(r->arena, r->workload, &s->arrival, &report);
    r->last_facts = facts;
    compare(r, o, t, &facts, &paths);
}

/* --- questions that are asked of it later ------------------------------------------------------------------------- */

void rerun_opens(struct rerun *r, struct str trial, hook_lines *out)
{
    enum { OPENS_MAX = 20 };

    hook_lines_read(r->arena, trial_path(r, trial, "opens.txt"), OPENS_MAX, out);
}

struct str rerun_why_nothing_compiled(struct rerun *r)
{
    const struct trial *base = rerun_base(r);
    const struct hook_process *main = hook_report_main(&r->base_report);

    if (base->compiles > 0)
        return (struct str){"", 0};
    if (r->base_report.inner.n)
        return arena_printf(r->arena,
                            "No compile was recorded here: it is a `pt2trace run` itself, which keeps the trace in "
                            "`%.*s`.",
                            STR_ARG(r->base_report.inner));
    if (main && main->trace.n && !str_has(main->trace, r->directory))
        return arena_printf(
            r->arena,
            "No compile was recorded: it sets TORCH_TRACE itself, to `%.*s`, and there is no trace of this run.",
            STR_ARG(main->trace));
    if (main)
        return arena_printf(r->arena,
                            "It imported PyTorch %.*s and compiled nothing: perhaps nothing calls the compiled "
                            "function, `torch.compiler.set_stance(\"force_eager\")` is set, TORCH_COMPILE_DISABLE or "
                            "TORCHDYNAMO_DISABLE is 1, or it is `Module.compile()` of an object of a class of PyTorch, "
                            "such as `nn.Sequential`, which compiles nothing.",
                            STR_ARG(main->torch));
    if (r->target.answered && r->target.torch.n == 0)
        return arena_printf(r->arena, "It compiled nothing: `%.*s` has no PyTorch (%.*s).", STR_ARG(r->target.python),
                            STR_ARG(r->target.torch_failure));
    if (r->base_report.pythons)
        return STR("It compiled nothing: it did not import PyTorch.");
    return arena_printf(r->arena, "No compile was recorded: it runs no Python, or pt2trace does not reach it. %.*s",
                        STR_ARG(arrival_way(r->arena, r->workload)));
}
