#include "relaunch/trial/arrival.h"

#include "relaunch/workload/command_line.h"
#include "util/system/file.h"

enum { SCRIPT_MAX = 1 << 16 };

/* --- what keeps the hook out -------------------------------------------------------------------------------------- */

/* "-I", "-IB", "-E" or "-S" among the options of a Python. Empty if there is none. */
static struct str isolating_flag(const struct workload *w)
{
    for (size_t i = 0; i < w->command.n; i++) {
        if (!command_is_python(w->command.v[i]))
            continue;
        for (size_t k = i + 1; k < w->command.n && str_starts(w->command.v[k], STR("-")); k++) {
            struct str flags = str_skip(w->command.v[k], 1);

            for (size_t c = 0; c < flags.n && !str_starts(flags, STR("-")) && !memchr("mcWX", flags.p[c], 4); c++)
                if (memchr("IES", flags.p[c], 3))
                    return w->command.v[k];
        }
    }
    return (struct str){"", 0};
}

/* Programs that start others in a different environment. */
static struct str other_place(const struct workload *w)
{
    static const char *const names[] = {"docker",  "podman", "nerdctl", "apptainer", "singularity", "enroot",
                                        "kubectl", "ssh",    "sudo",    "su",        "env",         "nix-shell"};

    vec_each(const struct str, word,
             &w->command) for (size_t i = 0; i < sizeof names / sizeof *names;
                               i++) if (str_eq(str_file_name(*word), str_of(names[i]))) return *word;
    return (struct str){"", 0};
}

/* The line of a script that sets PYTHONPATH without keeping its old value; 0 if none does. */
static uint64_t line_that_sets(struct str text)
{
    struct str line;

    for (uint64_t number = 1; str_next_line(&text, &line); number++) {
        struct str rest = str_trim(line);

        if (str_consume(&rest, STR("export ")))
            rest = str_trim(rest);
        if (str_consume(&rest, STR("PYTHONPATH=")) && !str_has(rest, STR("$PYTHONPATH")) &&
            !str_has(rest, STR("${PYTHONPATH")))
            return number;
        if (str_starts(rest, STR("unset PYTHONPATH")))
            return number;
    }
    return 0;
}

/* "run.sh:3"; empty if no script of the command does so. */
static struct str script_that_sets(struct arena *a, const struct workload *w)
{
    struct str found = {"", 0};

    for (size_t i = 0; i < w->command.n && found.n == 0; i++) {
        struct str word = w->command.v[i];
        struct buf text = {0};
        const char *path = str_starts(word, STR("/"))
                               ? arena_str(a, word).p
                               : arena_printf(a, "%.*s/%.*s", STR_ARG(w->directory), STR_ARG(word)).p;

        if (read_file(path, SCRIPT_MAX, &text) == 0 && line_that_sets(buf_view(&text)))
            found = arena_printf(a, "%.*s:%llu", STR_ARG(word), (unsigned long long)line_that_sets(buf_view(&text)));
        buf_free(&text);
    }
    return found;
}

struct str arrival_way(struct arena *a, const struct workload *w)
{
    struct str flag = isolating_flag(w), script = script_that_sets(a, w), place = other_place(w);

    if (flag.n)
        return arena_printf(a, "`%.*s` makes Python ignore PYTHONPATH: remove it.", STR_ARG(flag));
    if (script.n)
        return arena_printf(a,
                            "%.*s sets PYTHONPATH and drops its previous value: append there, "
                            "`PYTHONPATH=\"DIR:$PYTHONPATH\"`.",
                            STR_ARG(script));
    if (place.n)
        return arena_printf(a,
                            "`%.*s` starts the program in another environment: run pt2trace inside that "
                            "environment.",
                            STR_ARG(place));
    return STR("Something between pt2trace and the program's Python drops PYTHONPATH: a script that sets it, `env -i`, "
               "sudo, a container, or `python -I`. Keep it, `PYTHONPATH=\"DIR:$PYTHONPATH\"`, or run pt2trace inside.");
}

/* --- what the program says of itself ------------------------------------------------------------------------------ */

static struct str shown(struct arena *a, const struct env_setting *s)
{
    return s->unset ? STR("not set") : arena_printf(a, "`%.*s`", STR_ARG(s->value));
}

static struct str setting_problem(struct arena *a, const struct env_setting *asked, const struct hook_process *p)
{
    vec_each(const struct env_setting, s, &p->settings)
    {
        if (!str_eq(s->name, asked->name) || (s->unset == asked->unset && str_eq(s->value, asked->value)))
            continue;
        return arena_printf(a,
                            "%.*s is %.*s in the program, but should be %.*s: the program, or a script that starts "
                            "it, sets it itself.",
                            STR_ARG(s->name), STR_ARG(shown(a, s)), STR_ARG(shown(a, asked)));
    }
    return (struct str){"", 0};
}

/* A process that compiles but did not report has not loaded the hook. */
static bool missed_one(const struct arrival *arrival, const struct hook_report *report)
{
    vec_each(const uint64_t, pid, &arrival->traced) if (!hook_report_find(report, (int64_t)*pid)) return true;
    return report->processes.n == 0;
}

static bool any_changed(const struct hook_report *report)
{
    vec_each(const struct hook_call, c, &report->calls) if (c->changed) return true;
    return false;
}

/* What did not apply to any call, and functions that were not found. "PT2TRACE_MODE: not for the backend eager ..." */
static struct str refusal(struct arena *a, const struct arrival *arrival, const struct hook_report *report)
{
    struct str words = {"", 0};
    bool changed = any_changed(report);

    if (arrival->of_calls && report->calls.n == 0 && arrival->traced.n)
        return STR("Something was compiled, but not by a call of torch.compile in the program's own code.");
    vec_each(const struct str, s, &report->refused)
    {
        struct str one = *s;

        if (changed && !str_starts(one, STR("PT2TRACE_DISABLE")))
            continue;
        if (str_consume(&one, STR("PT2TRACE_")))
            one = str_skip(one, (size_t)str_find(one, STR(": ")) + 2);
        words = arena_printf(a, "%.*s%s%.*s.", STR_ARG(words), words.n ? " " : "", STR_ARG(one));
    }
    return words;
}

static struct str missing_patch(struct arena *a, const struct arrival *arrival, const struct hook_report *report)
{
    vec_each(const struct arrival_patch, p, &arrival->patches)
    {
        bool there = false;

        vec_each(const struct str, name, &report->patched) there |= str_eq(*name, p->name);
        if (!there)
            return p->file.n ? arena_printf(a, "`%.*s` was not read as a file of Python source while the program ran.",
                                            STR_ARG(p->file))
                             : STR("Nothing was compiled, so the setting was not applied.");
    }
    return (struct str){"", 0};
}

struct str arrival_problem(struct arena *a, const struct workload *w, const struct arrival *arrival,
                           const struct hook_report *report)
{
    vec_each(const struct hook_process, p, &report->processes)
    {
        vec_each(const struct env_setting, s, &arrival->settings)
        {
            struct str problem = p->tool ? STR("") : setting_problem(a, s, p);

            if (problem.n)
                return problem;
        }
    }
    if (!arrival->by_hook)
        return (struct str){"", 0};
    if (missed_one(arrival, report))
        return arena_printf(a, "The program's Python did not load pt2trace's hook from PYTHONPATH. %.*s",
                            STR_ARG(arrival_way(a, w)));
    if (arrival->patches.n && missing_patch(a, arrival, report).n)
        return missing_patch(a, arrival, report);
    return refusal(a, arrival, report);
}
