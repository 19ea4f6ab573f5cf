/* The YAML files that a person writes, of any bytes: labels, policies, workloads. What is refused says why. */
#include "fuzz.h"

#include "gate/policy.h"
#include "model/merge/labels.h"
#include "relaunch/workload/workload.h"

static void read_labels(struct arena *a, struct str text)
{
    struct labels_error error = {0};
    struct labels labels = {0};

    if (!labels_parse(a, text, &labels, &error))
        fuzz_check(error.text.n, "labels that are refused say why");
}

static void read_policy(struct arena *a, struct str text)
{
    struct policy p = policy_empty();
    struct str why = {0};

    if (!policy_read(&p, a, text, &why))
        fuzz_check(why.n, "a policy that is refused says why");
}

static void read_workload(struct arena *a, struct str text)
{
    struct workload_error error = {0};
    struct workload w = workload_empty();

    if (workload_parse(a, text, STR("/base"), &w, &error))
        fuzz_check(w.command.n > 0, "a workload has a command");
    else
        fuzz_check(error.text.n, "a workload that is refused says why");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct arena *a = arena_new();

    read_labels(a, text);
    read_policy(a, text);
    read_workload(a, text);
    arena_free(a);
    return 0;
}

static const char *const samples[] = {
    "artifacts:\n  - name: my_*\n    title: Mine\n    group: a\n    language: python\nframes:\n  - function: f\n    "
    "label: F\n",
    "max_graph_breaks: 3\nmax_compile_time: 90s\nno_errors: true\nfail_on: high\nallow: [GB0025, \"train.py:31\"]\n"
    "fullgraph: [f]\nfunctions:\n  f: {max_graph_breaks: 0}\n",
    "command: [python, train.py]\ndirectory: .\nenvironment: {A: b}\ntime_limit: 90s\nchecks: [{regex: 'loss (.*)'}]\n"
    "launcher: torchrun\nranks: 2\nvariants: []\n",
    "a: &x [*x, *x]\n? {b: c}\n: !!binary AAAA\n---\n- |\n  text\n",
};

void fuzz_seed(const uint8_t *data, size_t size, void (*take)(struct str bytes))
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        for (size_t cut = 0; cut < 8; cut++)
            take(str_take(str_of(samples[i]), strlen(samples[i]) - (size + cut * 31) % strlen(samples[i])));
    take((struct str){(const char *)data, size < 4096 ? size : 4096});
}
