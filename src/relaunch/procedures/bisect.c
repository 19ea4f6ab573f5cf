#include "relaunch/procedures/bisect.h"

#include "relaunch/trial/control.h"
#include "relaunch/trial/trial_run.h"
#include "relaunch/workload/shell.h"
#include "util/system/file.h"

#include <pwd.h>
#include <stdio.h>
#include <unistd.h>

enum { STATE_MAX = 1 << 20, APPLICATIONS_MAX = 1 << 24 };

enum verdict { VERDICT_GOOD, VERDICT_BAD, VERDICT_NONE };

/* Each backend adds to the previous one; inductor is the complete compiler. */
static const struct {
    const char *name, *adds;
} backends[] = {
    {"eager", "Dynamo, which captures the graphs"},
    {"aot_eager", "AOTAutograd, which traces the backward graph and makes the graphs functional"},
    {"aot_eager_decomp_partition", "decompositions of operators, or partitioning into forward and backward"},
    {"inductor", "Inductor, which generates the kernels"},
};

enum { BACKENDS = sizeof backends / sizeof *backends };

struct bisector {
    struct rerun *r;
    struct str cache; /* the cache directory of all trials, so that kernels are compiled once */
    int64_t limit_s;
    int trials;
    int rc;     /* why there is no verdict */
    bool fails; /* the fault is a failure, not a different result */
    bool noted; /* it was noted that a trial fails in another way than the base */
};

/* --- one trial ---------------------------------------------------------------------------------------------------- */

static setting_list settings_of(struct bisector *b, struct str backend, const struct bisect_subsystem *s,
                                struct str max)
{
    setting_list list = {0};

    vec_push(b->r->arena, &list, ((struct env_setting){.name = STR("TORCH_BISECT_BACKEND"), .value = backend}));
    if (s)
        vec_push(b->r->arena, &list, ((struct env_setting){.name = STR("TORCH_BISECT_SUBSYSTEM"), .value = s->name}));
    if (max.n)
        vec_push(b->r->arena, &list, ((struct env_setting){.name = STR("TORCH_BISECT_MAX"), .value = max}));
    return list;
}

/* "no lowering today" in "InductorError: LoweringException: no lowering today": the text after the last class name. */
static struct str innermost_message(struct str error)
{
    ptrdiff_t at;

    while ((at = str_find(error, STR("Error: "))) >= 0 || (at = str_find(error, STR("Exception: "))) >= 0)
        error = str_skip(error, (size_t)at + (size_t)str_find(str_skip(error, (size_t)at), STR(": ")) + 2);
    return str_trim(error);
}

/* Stages wrap an exception in their own classes; the message inside stays the same. */
static bool fails_alike(struct arena *a, const struct trial *x, const struct trial *y)
{
    struct str then = innermost_message(x->error), now = innermost_message(y->error);

    if (str_eq(trial_failure(a, x), trial_failure(a, y)))
        return true;
    return then.n && now.n && (str_has(x->error, now) || str_has(y->error, then));
}

/* The search treats every failure as the one it is looking for. */
static void note_other_failure(struct bisector *b, const struct trial *t)
{
    const struct trial *base = rerun_base(b->r);

    if (b->noted || !base || !base->failed || !t->failed || fails_alike(b->r->arena, base, t))
        return;
    b->noted = true;
    rerun_note(b->r,
               "`%.*s` fails with %.*s, not with %.*s as the base does: the search counts it as bad, and may have "
               "followed another fault from there on.",
               STR_ARG(t->name), STR_ARG(trial_failure(b->r->arena, t)), STR_ARG(trial_failure(b->r->arena, base)));
}

static enum verdict launch(struct bisector *b, struct trial_options *o)
{
    struct trial *t = NULL;

    o->name = arena_printf(b->r->arena, "bisect-%d", ++b->trials);
    o->cache_dir = b->cache;
    o->time_limit_s = b->limit_s;
    b->rc = trial_run(b->r, o, &t);
    if (b->rc || b->r->interrupted)
        return VERDICT_NONE;
    if (!trial_is_bad(t))
        return VERDICT_GOOD;
    note_other_failure(b, t);
    return VERDICT_BAD;
}

static enum verdict try_settings(struct bisector *b, struct str how, setting_list settings)
{
    struct trial_options o = {.how = how, .environment = &settings};

    return launch(b, &o);
}

/* Before 2.6 there is no bisector, so the hook sets the backend. */
static enum verdict try_backend(struct bisector *b, const char *name)
{
    struct str how = arena_printf(b->r->arena, "backend %s", name);
    struct trial_options o = {.how = how, .what_if = {.backend = str_of(name)}};

    if (!b->r->target.bisect_backend)
        return launch(b, &o);
    return try_settings(b, how, settings_of(b, str_of(name), NULL, STR("")));
}

/* --- state files, as the bisector reads and writes them ----------------------------------------------------------- */

static const char *state_path(struct bisector *b, const struct bisect_subsystem *s, const char *what)
{
    return arena_printf(b->r->arena, "%.*s/bisect/%.*s/%.*s_%s.txt", STR_ARG(b->cache), STR_ARG(s->backend),
                        STR_ARG(s->name), what)
        .p;
}

static bool write_state(struct bisector *b, const struct bisect_subsystem *s, const char *what, struct str text)
{
    const char *path = state_path(b, s, what);
    struct outfile out;
    int rc = make_dirs(arena_printf(b->r->arena, "%.*s/bisect/%.*s", STR_ARG(b->cache), STR_ARG(s->backend)).p);

    if (rc == 0)
        rc = outfile_open(&out, path);
    if (rc == 0) {
        outfile_write(&out, text);
        rc = outfile_commit(&out);
    }
    if (rc)
        snprintf(b->r->failure, sizeof b->r->failure, "%s: cannot be written: %s", path, strerror(-rc));
    b->rc = rc;
    return rc == 0;
}

/* The text after "KEY=" in the last line that has it; empty if none has. */
static struct str read_state(struct bisector *b, const struct bisect_subsystem *s, const char *what, struct str key)
{
    struct str found = {"", 0}, text, line;
    struct buf file = {0};

    if (read_file(state_path(b, s, what), STATE_MAX, &file) == 0)
        for (text = buf_view(&file); str_next_line(&text, &line);)
            if (str_consume(&line, key) && str_consume(&line, STR("=")))
                found = arena_str(b->r->arena, str_trim(line));
    buf_free(&file);
    return found;
}

/* --- what is found ------------------------------------------------------------------------------------------------ */

static struct str command_with(struct bisector *b, const setting_list *settings)
{
    struct command_line line = command_line_make(b->r->arena, b->r->workload, b->r->workload->python);

    return arena_printf(b->r->arena, "cd %.*s && %.*s", STR_ARG(shell_word(b->r->arena, b->r->workload->directory)),
                        STR_ARG(shell_command(b->r->arena, settings, line.words.v, line.words.n)));
}

static const char *badness(const struct bisector *b)
{
    return b->fails ? "fails" : "gives another result";
}

static void conclude_commands(struct bisector *b, const setting_list *good, const setting_list *bad)
{
    rerun_conclude(b->r, "The last that works:");
    rerun_conclude(b->r, EXPERIMENT_COMMAND "%.*s", STR_ARG(command_with(b, good)));
    rerun_conclude(b->r, "The first that %s:", badness(b));
    rerun_conclude(b->r, EXPERIMENT_COMMAND "%.*s", STR_ARG(command_with(b, bad)));
}

static struct str module_of(struct str backend)
{
    return str_eq(backend, STR("inductor")) ? STR("torch._inductor.config") : STR("torch._functorch.config");
}

static const char of_random[] = " Inductor draws different random numbers than eager mode, by design.";

static void conclude_config(struct bisector *b, const struct bisect_subsystem *s)
{
    struct str module = module_of(s->backend);

    rerun_conclude(b->r,
                   "The fault goes away with `%.*s.%.*s = %.*s`.%s pt2trace run --set %.*s.%.*s=%.*s runs it "
                   "that way.",
                   STR_ARG(module), STR_ARG(s->config), STR_ARG(s->value),
                   str_eq(s->config, STR("fallback_random")) ? of_random : "", STR_ARG(module), STR_ARG(s->config),
                   STR_ARG(s->value));
}

/* --- the search among the applications of a subsystem ------------------------------------------------------------- */

static enum verdict try_up_to(struct bisector *b, const struct bisect_subsystem *s, int64_t last, int64_t max)
{
    struct str number = arena_printf(b->r->arena, "%lld", (long long)last);
    struct str how = arena_printf(b->r->arena, "backend %.*s, %.*s up to application %lld of %lld", STR_ARG(s->backend),
                                  STR_ARG(s->name), (long long)last, (long long)max);

    return try_settings(b, how, settings_of(b, s->backend, s, number));
}

/* The number of the last application, which the program itself counts in a run with all of them; -1 if that fails. */
static int64_t count_applications(struct bisector *b, const struct bisect_subsystem *s)
{
    struct str how = arena_printf(b->r->arena, "backend %.*s, counting %.*s", STR_ARG(s->backend), STR_ARG(s->name));
    int64_t high = -1;
    enum verdict v;

    if (!write_state(b, s, "run_state", STR("find_max_bounds")))
        return -1;
    v = try_settings(b, how, settings_of(b, s->backend, s, STR("")));
    if (v == VERDICT_GOOD)
        rerun_conclude(b->r,
                       "It does not always fail: with all of subsystem `%.*s` it %s once and works once. --repeats "
                       "shows how often.",
                       STR_ARG(s->name), badness(b));
    if (v != VERDICT_BAD)
        return -1;
    if (!str_i64(read_state(b, s, "bisect_range", STR("high")), &high) || high < 0 || high > APPLICATIONS_MAX) {
        rerun_conclude(b->r, "The fault goes away without subsystem `%.*s`; how often that is applied is unknown.",
                       STR_ARG(s->name));
        return -1;
    }
    return high;
}

/*
 * When the search is down to two applications, the bisector names the operator or pass: since 2.13 in a file, before
 * that only in its own memory, where the hook reads it.
 */
static struct str describe_application(struct bisector *b, const struct bisect_subsystem *s, int64_t n)
{
    struct str range = arena_printf(b->r->arena, "low=%lld\nhigh=%lld\n", (long long)n - 1, (long long)n);
    struct str how = arena_printf(b->r->arena, "backend %.*s, naming application %lld of %.*s", STR_ARG(s->backend),
                                  (long long)n, STR_ARG(s->name));
    struct str key = arena_printf(b->r->arena, "%lld", (long long)n);
    struct str file = str_of(state_path(b, s, "call_counter_debug_info"));
    setting_list settings = settings_of(b, s->backend, s, STR(""));

    vec_push(b->r->arena, &settings, ((struct env_setting){.name = STR("PT2TRACE_BISECT_NAMES"), .value = file}));
    if (!write_state(b, s, "run_state", STR("bisect")) || !write_state(b, s, "bisect_range", range))
        return STR("");
    if (try_settings(b, how, settings) == VERDICT_NONE)
        return STR("");
    return read_state(b, s, "call_counter_debug_info", key);
}

/* What switching off an application proves, and what it does not. */
static const char of_lowering[] =
    " Without it the operator runs as in eager mode, without fusion: the fault is in its lowering, or in a fusion "
    "that includes it.",
                  of_last[] =
                      " It is the last application of all: only with it the whole graph is compiled that way, and any "
                      "later step may be at fault, too.";

static void conclude_application(struct bisector *b, const struct bisect_subsystem *s, int64_t n, int64_t max)
{
    setting_list good = settings_of(b, s->backend, s, arena_printf(b->r->arena, "%lld", (long long)n - 1));
    setting_list bad = settings_of(b, s->backend, s, arena_printf(b->r->arena, "%lld", (long long)n));
    struct str what = describe_application(b, s, n);

    if (b->rc || b->r->interrupted)
        return;
    rerun_conclude(b->r, "The fault goes away without application %lld of subsystem `%.*s` (of 0 to %lld)%s%.*s%s.%s%s",
                   (long long)n, STR_ARG(s->name), (long long)max, what.n ? ": `" : "", STR_ARG(what),
                   what.n ? "`" : "", str_eq(s->name, STR("lowerings")) ? of_lowering : "", n == max ? of_last : "");
    if (what.n == 0)
        rerun_note(b->r,
                   "PyTorch %.*s does not say which operator or pass application %lld is: the graphs and the "
                   "code of the two trials differ in it.",
                   STR_ARG(b->r->target.torch), (long long)n);
    conclude_commands(b, &good, &bad);
}

static void search_applications(struct bisector *b, const struct bisect_subsystem *s)
{
    int64_t max = count_applications(b, s), good = -1, bad = max;
    bool shown = false;

    while (bad >= 0 && bad - good > 1) {
        int64_t middle = good + (bad - good) / 2;
        enum verdict v = try_up_to(b, s, middle, max);

        if (v == VERDICT_NONE)
            return;
        *(v == VERDICT_BAD ? &bad : &good) = middle;
        shown |= v == VERDICT_BAD;
    }
    if (bad < 0)
        return;
    /* The first bad run is printed as a command, so it must have been run like that. */
    if (!shown && try_up_to(b, s, bad, max) != VERDICT_BAD) {
        if (b->rc == 0 && !b->r->interrupted)
            rerun_conclude(b->r, "It does not always fail: the same run of subsystem `%.*s` fails once and works once.",
                           STR_ARG(s->name));
        return;
    }
    conclude_application(b, s, bad, max);
}

/* --- backends and subsystems -------------------------------------------------------------------------------------- */

static enum verdict try_without(struct bisector *b, const struct bisect_subsystem *s)
{
    struct str how = arena_printf(b->r->arena, "backend %.*s without %.*s", STR_ARG(s->backend), STR_ARG(s->name));

    if (s->config.n == 0)
        return try_settings(b, how, settings_of(b, s->backend, s, STR("-1")));
    if (!write_state(b, s, "config", arena_printf(b->r->arena, "%.*s=%.*s\n", STR_ARG(s->config), STR_ARG(s->value))))
        return VERDICT_NONE;
    how = arena_printf(b->r->arena, "backend %.*s with %.*s = %.*s", STR_ARG(s->backend), STR_ARG(s->config),
                       STR_ARG(s->value));
    return try_settings(b, how, settings_of(b, s->backend, s, STR("")));
}

#define CROSSREF "aot_eager_decomp_partition_crossref"

static void conclude_no_subsystem(struct bisector *b, struct str backend, struct str tried)
{
    rerun_conclude(b->r,
                   "It %s without each of the subsystems of `%.*s`, too (%.*s), each alone: the fault is in something "
                   "that the bisector cannot turn off, or in two of them.",
                   badness(b), STR_ARG(backend), STR_ARG(tried));
    if (str_eq(backend, STR("inductor")) && try_backend(b, CROSSREF) == VERDICT_BAD)
        rerun_conclude(b->r,
                       "It fails with the backend " CROSSREF ", too, which compares the shapes and types that the "
                       "compiler computed with the real ones: the meta function of an operator may be wrong.");
}

static void search_subsystems(struct bisector *b, struct str backend)
{
    struct str tried = {"", 0};

    vec_each(const struct bisect_subsystem, s, &b->r->target.subsystems)
    {
        enum verdict v;

        if (!str_eq(s->backend, backend))
            continue;
        v = try_without(b, s);
        if (v == VERDICT_NONE)
            return;
        tried = arena_printf(b->r->arena, "%.*s%s%.*s", STR_ARG(tried), tried.n ? ", " : "", STR_ARG(s->name));
        if (v == VERDICT_BAD)
            continue;
        if (s->config.n)
            conclude_config(b, s);
        else
            search_applications(b, s);
        return;
    }
    if (tried.n)
        conclude_no_subsystem(b, backend, tried);
}

/* The first bad backend; BACKENDS if there is no verdict. The complete compiler is known to be bad. */
static int search_backends(struct bisector *b)
{
    for (int i = 0; i < BACKENDS - 1; i++) {
        enum verdict v = try_backend(b, backends[i].name);

        if (v == VERDICT_NONE)
            return BACKENDS;
        if (v == VERDICT_BAD)
            return i;
    }
    return BACKENDS - 1;
}

static void search(struct bisector *b)
{
    int i = search_backends(b);

    if (i == BACKENDS)
        return;
    rerun_conclude(b->r, "It %s from backend `%s` on: the fault is in %s.", badness(b), backends[i].name,
                   backends[i].adds);
    if (b->r->target.bisect_backend)
        search_subsystems(b, str_of(backends[i].name));
    else
        rerun_note(b->r,
                   "PyTorch %.*s has no bisector (2.6 and later have one): the search for the pass or operator at "
                   "fault is skipped.",
                   STR_ARG(b->r->target.torch));
}

/* --- whether there is anything to find ---------------------------------------------------------------------------- */

static void conclude_own(struct bisector *b)
{
    rerun_conclude(
        b->r, "The program as it is %s; with backend `inductor` it works: the fault is in the program's own backend.",
        rerun_base(b->r)->failed ? "fails" : "gives another result");
}

/* Whether the complete compiler, whose parts are to be switched off, has the fault. */
static bool has_fault(struct bisector *b)
{
    const struct trial *base = rerun_base(b->r);
    enum verdict v = VERDICT_BAD;

    b->fails = base->failed;
    if (control_base_is_inductor(b->r))
        return true;
    v = try_backend(b, backends[BACKENDS - 1].name);
    if (v == VERDICT_BAD)
        b->fails = b->r->experiment->trials.v[b->r->experiment->trials.n - 1].failed;
    if (v == VERDICT_GOOD)
        conclude_own(b);
    return v == VERDICT_BAD;
}

static size_t count_launches(const struct bisector *b)
{
    enum { HALVINGS = 6 };

    return BACKENDS + b->r->target.subsystems.n + HALVINGS;
}

int bisect_run(struct rerun *r)
{
    struct bisector b = {.r = r};

    r->experiment->procedure = STR("bisect");
    b.rc = control_run(r);
    if (b.rc || r->interrupted)
        return b.rc;
    if (r->control.clean)
        rerun_conclude(r, "It does not fail: there is nothing to bisect%s.",
                       r->workload->checks.n ? "" : ". Whether numbers are right is only known with --check");
    if (!r->control.fault)
        return 0;
    b.cache = rerun_private_directory(r, &b.rc);
    if (b.rc)
        return b.rc;
    b.limit_s = control_limit_s(r);
    rerun_expect(r, count_launches(&b));
    if (has_fault(&b))
        search(&b);
    return b.rc;
}

/* --- what an earlier bisection left ------------------------------------------------------------------------------- */

static struct str first_of(const struct environment *e, const char *const *names)
{
    struct str value = {"", 0};

    for (; *names; names++)
        if (environment_get(e, str_of(*names), &value) && value.n)
            return value;
    return (struct str){"", 0};
}

/* The same rules as in torch/_inductor/runtime/cache_dir_utils.py. */
static struct str cache_dir_of(struct arena *a, const struct environment *e)
{
    static const char *const own[] = {"TORCHINDUCTOR_CACHE_DIR", NULL};
    static const char *const temp[] = {"TMPDIR", "TEMP", "TMP", NULL};
    static const char *const users[] = {"LOGNAME", "USER", "LNAME", "USERNAME", NULL};
    struct str dir = first_of(e, own), user = first_of(e, users), name;
    const struct passwd *entry = user.n ? NULL : getpwuid(getuid());
    char *safe;

    if (dir.n)
        return dir;
    dir = first_of(e, temp);
    name = user.n ? user : str_of(entry ? entry->pw_name : "unknown");
    safe = arena_copy(a, name);
    for (size_t i = 0; i < name.n; i++)
        if (strchr("\\/:*?\"<>|", safe[i]))
            safe[i] = '_';
    return arena_printf(a, "%.*s/torchinductor_%.*s", STR_ARG(dir.n ? dir : STR("/tmp")), (int)name.n, safe);
}

void bisect_note_stale(struct rerun *r)
{
    struct environment e = {.arena = r->arena};
    struct str path;

    environment_add(&e, &r->workload->environment);
    path = arena_printf(r->arena, "%.*s/bisect/bisect_status.txt", STR_ARG(cache_dir_of(r->arena, &e)));
    if (r->target.bisect_backend && access(path.p, F_OK) == 0)
        rerun_note(r,
                   "%.*s is left over from an unfinished bisection. PyTorch reads it in every run with this cache "
                   "directory, and turns off what it names; `%.*s -m torch._inductor.compiler_bisector end` removes "
                   "it.",
                   STR_ARG(path), STR_ARG(r->target.python));
}
