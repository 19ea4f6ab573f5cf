#include "relaunch/trial/trial_inputs.h"

#include "relaunch/trial/trial_setup.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool has_something(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && (S_ISDIR(st.st_mode) || st.st_size > 0);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Files in a directory whose names begin like this, in order; only those written at `since` (seconds) or later. */
static void add_files(struct rerun *r, const char *dir, struct str beginning, int64_t since, struct path_list *out)
{
    size_t first = out->list.n;
    DIR *d = opendir(dir);
    struct dirent *entry;

    while (d && (entry = readdir(d))) {
        const char *path = arena_printf(r->arena, "%s/%s", dir, entry->d_name).p;
        struct stat st;

        if (str_starts(str_of(entry->d_name), beginning) && stat(path, &st) == 0 && st.st_mtime >= since && st.st_size)
            vec_push(r->arena, &out->list, path);
    }
    if (d)
        closedir(d);
    if (out->list.n > first)
        qsort(out->list.v + first, out->list.n - first, sizeof *out->list.v, by_name);
}

/* A program may set TORCH_TRACE itself before it imports PyTorch. */
static void add_traces_elsewhere(struct rerun *r, const struct trial *t, const struct hook_report *report,
                                 struct path_list *out)
{
    struct str ours = str_of(trial_path(r, t->name, "trace")), last = ours;

    vec_each(const struct hook_process, p, &report->processes)
    {
        struct str dir = p->trace;

        if (dir.n == 0 || str_eq(dir, last))
            continue;
        last = dir;
        if (!str_starts(dir, STR("/")))
            dir = arena_printf(r->arena, "%.*s/%.*s", STR_ARG(r->workload->directory), STR_ARG(dir));
        add_files(r, dir.p, STR("dedicated_log_torch_trace_"), t->start_us / 1000000, out);
        rerun_note(r, "%.*s: the program sets TORCH_TRACE itself: its trace is in %.*s.", STR_ARG(t->name),
                   STR_ARG(dir));
    }
}

void trial_inputs_find(struct rerun *r, const struct trial *t, bool wrapped, const struct hook_report *report,
                       struct path_list *out)
{
    static const char *const names[] = {"trace", "gpu", "log/ranks", "log/console.out", "log/console.err"};
    enum { DIRECTORIES = 3, NAMES = sizeof names / sizeof *names };

    *out = (struct path_list){0};
    for (int i = 0; i < (wrapped ? DIRECTORIES : NAMES); i++)
        if (has_something(trial_path(r, t->name, names[i])))
            vec_push(r->arena, &out->list, trial_path(r, t->name, names[i]));
    add_files(r, trial_path(r, t->name, "log"), STR("torch."), 0, out);
    add_traces_elsewhere(r, t, report, out);
}
