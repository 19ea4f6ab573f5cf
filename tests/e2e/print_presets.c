/*
 * Prints what `pt2trace run` asks of PyTorch, a line each: "variable\tNAME" and "log\tNAME" of every question, and the
 * variables that change the backend. tests/e2e/test_run_torch.py asks the installed PyTorch whether it knows them.
 */
#include "analysis/answers/questions.h"
#include "relaunch/workload/preset.h"
#include "relaunch/workload/what_if.h"

#include <stdio.h>

static void print_preset(const struct preset *p)
{
    struct str logs = str_of(p->logs), log;

    for (const char *const *s = p->settings; *s; s++) {
        struct str value = str_of(*s), name = str_split(&value, '=');

        printf("variable\t%.*s\n", STR_ARG(name));
    }
    while (logs.n) {
        log = str_split(&logs, ',');
        printf("log\t%.*s\n", STR_ARG(log));
    }
}

/* The variables for a backend, by what the target's PyTorch has. */
static void print_backend(struct arena *a, const char *backend, bool overrides, bool bisects)
{
    struct environment e = {.arena = a};
    const struct what_if w = {.backend = str_of(backend)};
    const struct target t = {.override_backends = overrides, .bisect_backend = bisects};

    what_if_apply(&w, &t, &e);
    for (size_t i = 0; i < e.list.n; i++)
        printf("variable\t%.*s\n", STR_ARG(e.list.v[i].name));
}

int main(void)
{
    struct arena *a = arena_new();
    const struct question *q;

    print_preset(preset_find(STR("")));
    for (size_t i = 0; (q = question_at(i)) != NULL; i++)
        print_preset(preset_find(str_of(q->name)));
    print_backend(a, "none", true, true);
    print_backend(a, "eager", true, true);
    print_backend(a, "eager", false, true);
    arena_free(a);
    return 0;
}
