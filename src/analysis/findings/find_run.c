/*
 * How the program ended, as observed by `pt2trace run`: findings that a trace cannot have, because the process did not
 * end by itself.
 */
#include "analysis/find/find.h"

#include "model/code_file.h"
#include "text/python/traceback.h"
#include "torchlog/crash/crash_raiser.h"

#include <signal.h>

/* --- where it was ------------------------------------------------------------------------------------------------- */

struct differing_place {
    struct str file, function; /* of the user's innermost line; empty if there is none */
    int64_t line;
    struct str waits_in; /* the innermost function of all, if it is another one */
    bool compiling;
};

static struct differing_place place_of(struct arena *a, struct str text)
{
    struct text_stack stack = {0};
    struct differing_place p = {.file = {"", 0}, .function = {"", 0}, .waits_in = {"", 0}};

    text_fault_stack(a, text, FAULT_MAIN_THREAD, &stack);
    vec_each(const struct text_call, c, &stack.calls)
    {
        p.compiling |= crash_call_compiles(c);
        p.waits_in = c->function;
        if (is_framework_file(c->file))
            continue;
        p.file = c->file;
        p.function = c->function;
        p.line = c->line;
        p.waits_in = (struct str){"", 0};
    }
    return p;
}

static bool same_place(const struct differing_place *x, const struct differing_place *y)
{
    return x->line == y->line && str_eq(x->file, y->file) && str_eq(x->function, y->function);
}

/* A place, and the number of processes that were there. */
struct place_group {
    struct differing_place place;
    size_t processes;
};

typedef VEC(struct place_group) groups;

static void group_stacks(struct arena *a, const struct trial *t, groups *out)
{
    vec_each(const struct trial_stack, s, &t->stacks)
    {
        const struct differing_place p = place_of(a, s->text);
        bool found = false;

        vec_each(struct place_group, g, out) if (!found && same_place(&g->place, &p)) found = ++g->processes > 0;
        if (!found)
            vec_push(a, out, ((struct place_group){p, 1}));
    }
}

static struct str words_of(struct arena *a, const struct differing_place *p)
{
    struct str inside = p->waits_in.n ? arena_printf(a, ", in `%.*s`", STR_ARG(p->waits_in)) : (struct str){"", 0};

    if (p->file.n == 0)
        return p->waits_in.n ? arena_printf(a, "in `%.*s`", STR_ARG(p->waits_in)) : STR("where no Python code runs");
    return arena_printf(a, "in `%.*s` (%.*s:%lld)%.*s%s", STR_ARG(p->function), STR_ARG(str_file_name(p->file)),
                        (long long)p->line, STR_ARG(inside), p->compiling ? ", while it was compiling" : "");
}

/* --- time limit, Ctrl-C ------------------------------------------------------------------------------------------- */

static struct str what_ended(struct arena *a, const struct trial *t)
{
    if (str_eq(t->end, STR(TRIAL_TIMED_OUT)))
        return arena_printf(a, "It did not end within %.0f s", (double)t->wall_us / 1e6);
    return arena_printf(a, "It was ended by %s after %.0f s", t->signal == SIGINT ? "Ctrl-C" : "a signal to pt2trace",
                        (double)t->wall_us / 1e6);
}

static void add_hang(struct finder *f, const struct trial *t)
{
    bool timed_out = str_eq(t->end, STR(TRIAL_TIMED_OUT));
    struct finding *x = finding_add(f, "run-hang", timed_out ? FINDING_CRITICAL : FINDING_HIGH);
    groups all = {0};

    group_stacks(f->arena, t, &all);
    x->title = what_ended(f->arena, t);
    x->fix = STR("If it is only slow, give it more time (--time-limit). If it hangs, look at what it waits for there.");
    if (all.n == 0) {
        x->detail = STR("No process reported where it was: none is a Python process that pt2trace can reach, or none "
                        "could answer.");
        return;
    }
    x->title =
        arena_printf(f->arena, "%.*s: it was %.*s", STR_ARG(x->title), STR_ARG(words_of(f->arena, &all.v[0].place)));
    x->file = all.v[0].place.file;
    x->line = all.v[0].place.line;
    x->detail = STR("The section on the run has the stacks of all threads.");
    for (size_t i = 0; all.n > 1 && i < all.n; i++)
        x->detail =
            arena_printf(f->arena, "%.*s %zu process%s %.*s.", STR_ARG(x->detail), all.v[i].processes,
                         all.v[i].processes == 1 ? " was" : "es were", STR_ARG(words_of(f->arena, &all.v[i].place)));
}

/* --- signals ------------------------------------------------------------------------------------------------------ */

static struct str memory_words(struct arena *a, const struct trial *t)
{
    if (t->peak_bytes <= 0)
        return (struct str){"", 0};
    return arena_printf(a, " The peak memory of a single process was %.1f GB.", (double)t->peak_bytes / 1e9);
}

/* A shell that started it reports this in its own status. */
static bool is_killed(const struct trial *t)
{
    return (str_eq(t->end, STR(TRIAL_SIGNALED)) && t->signal == SIGKILL) || t->status == 128 + SIGKILL;
}

static void add_killed(struct finder *f, const struct trial *t)
{
    struct finding *x = finding_add(f, "run-killed", FINDING_CRITICAL);

    x->title = arena_printf(f->arena, "It was killed (SIGKILL) after %.0f s%s", (double)t->wall_us / 1e6,
                            t->oom_kills > 0 ? ", most likely out of memory" : "");
    if (t->oom_kills > 0)
        x->detail =
            arena_printf(f->arena,
                         "The kernel of this machine killed %lld process%s for lack of memory while it "
                         "ran.%.*s",
                         (long long)t->oom_kills, t->oom_kills == 1 ? "" : "es", STR_ARG(memory_words(f->arena, t)));
    else
        x->detail = arena_printf(f->arena,
                                 "pt2trace did not kill it: a memory limit of a container, a job scheduler, or a "
                                 "person did.%.*s",
                                 STR_ARG(memory_words(f->arena, t)));
    x->fix = STR("If it is memory: smaller batches or more memory. If it was killed while it compiled, "
                 "TORCHINDUCTOR_COMPILE_THREADS=1 keeps the compiler from starting workers that take a few hundred MB "
                 "each.");
}

static void add_lost_one(struct finder *f, const struct trial *t)
{
    struct finding *x = finding_add(f, "run-killed", FINDING_HIGH);

    x->title = arena_printf(f->arena, "The kernel killed %lld process%s for lack of memory while it ran",
                            (long long)t->oom_kills, t->oom_kills == 1 ? "" : "es");
    x->detail = arena_printf(f->arena, "The program failed; the killed process may be one of its workers.%.*s",
                             STR_ARG(memory_words(f->arena, t)));
    x->fix = STR("Smaller batches, fewer workers, or more memory.");
}

/* Crashes write their stacks themselves: they are reported as errors. */
static bool is_crash(int64_t signal)
{
    return signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
}

static bool any_error(const struct finder *f)
{
    vec_each(const struct error, e, &f->answers->errors.list) if (!e->silent) return true;
    return false;
}

static void add_signal(struct finder *f, const struct trial *t)
{
    struct finding *x = finding_add(f, "run-signal", FINDING_CRITICAL);

    x->title = arena_printf(f->arena, "It was ended by SIG%s after %.0f s", sigabbrev_np((int)t->signal),
                            (double)t->wall_us / 1e6);
    if (t->signal == SIGXCPU)
        x->detail = STR("It exceeded the CPU time limit (`ulimit -t`).");
    else if (t->signal == SIGXFSZ)
        x->detail = STR("It exceeded the file size limit (`ulimit -f`).");
    else if (!is_crash(t->signal))
        x->detail = STR("pt2trace did not end it: a job scheduler, the program itself, or a person did.");
    x->fix =
        is_crash(t->signal)
            ? STR("`pt2trace run --why crash` runs it again with settings that show where it crashes, and --ablate "
                  "finds the stage of the compiler.")
            : STR("Find out who sent it; this report has everything that was traced until then.");
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static const struct trial *base_of(const struct experiment *x)
{
    for (size_t i = 0; x && i < x->trials.n; i++)
        if (str_eq(x->trials.v[i].name, STR("base")))
            return &x->trials.v[i];
    return NULL;
}

void find_run(struct finder *f)
{
    const struct trial *t = base_of(f->run->experiment);

    if (!t)
        return;
    if (str_eq(t->end, STR(TRIAL_TIMED_OUT)) || (str_eq(t->end, STR(TRIAL_INTERRUPTED)) && t->stacks.n))
        add_hang(f, t);
    else if (is_killed(t))
        add_killed(f, t);
    else if (str_eq(t->end, STR(TRIAL_SIGNALED)) && !(is_crash(t->signal) && any_error(f)))
        add_signal(f, t);
    else if (t->failed && t->oom_kills > 0)
        add_lost_one(f, t);
}
