#include "relaunch/workload/preset.h"

/*
 * Variables: torch/_dynamo/config.py, torch/_inductor/config.py, torch/fx/experimental/_config.py;
 * tests/e2e/test_run_torch.py checks that the installed PyTorch reads them. CUDA_LAUNCH_BLOCKING belongs to the CUDA
 * driver, PYTORCH_NO_CUDA_MEMORY_CACHING to c10/cuda/CUDACachingAllocator.cpp, PYTHONFAULTHANDLER to Python.
 */
static const char *const nothing[] = {NULL};
static const char *const errors[] = {"TORCHDYNAMO_VERBOSE=1", "TORCHINDUCTOR_COMPILE_THREADS=1", NULL};
static const char *const crash[] = {
    "CUDA_LAUNCH_BLOCKING=1",          "PYTORCH_NO_CUDA_MEMORY_CACHING=1",    "TORCHINDUCTOR_NAN_ASSERTS=1",
    "TORCHINDUCTOR_COMPILE_THREADS=1", "TORCHINDUCTOR_UNIQUE_KERNEL_NAMES=1", NULL};
/* No results of earlier runs, and none that depend on which thread finishes first. */
static const char *const accuracy[] = {"TORCHINDUCTOR_COMPILE_THREADS=1", "TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO=0",
                                       NULL};
static const char *const recompiles[] = {"TORCHDYNAMO_EXTENDED_ADVICE=1", NULL};
static const char *const kernels[] = {"INDUCTOR_PROVENANCE=1", "TORCHINDUCTOR_UNIQUE_KERNEL_NAMES=1", "LOG_TLPARSE=1",
                                      NULL};

/* The trace has graphs, guards, code and metrics; these logs add what it lacks, or has only in part. */
#define ALWAYS "graph_breaks,recompiles,perf_hints,cudagraphs"

static const struct preset presets[] = {
    {"", nothing, ALWAYS, CACHES_AS_IS},
    {"breaks", nothing, ALWAYS ",graph_code", CACHES_AS_IS},
    {"recompiles", recompiles, ALWAYS ",recompiles_verbose,dynamic,guards", CACHES_AS_IS},
    {"errors", errors, ALWAYS ",bytecode,dynamo", CACHES_COLD},
    {"slow-compile", nothing, ALWAYS ",dynamo", CACHES_COLD},
    {"accuracy", accuracy, ALWAYS ",aot_graphs,post_grad_graphs", CACHES_COLD},
    {"crash", crash, ALWAYS ",dynamo,output_code", CACHES_COLD},
    {"cache", nothing, ALWAYS ",caching,torch._functorch._aot_autograd.autograd_cache,torch._inductor.codecache",
     CACHES_WARM},
    {"kernels", kernels, ALWAYS ",fusion,schedule,autotuning,benchmarking,inductor_metrics,loop_ordering", CACHES_COLD},
};

enum { PRESETS = sizeof presets / sizeof *presets };

const struct preset *preset_find(struct str question)
{
    for (int i = 0; i < PRESETS; i++)
        if (str_eq(question, str_of(presets[i].question)))
            return &presets[i];
    return NULL;
}

/* A module's logger need not be registered: TORCH_LOGS accepts any module that can be imported. */
static bool may_log(const struct target *t, struct str name)
{
    return target_knows_log(t, name) || (t->torch.n && str_starts(name, STR("torch.")));
}

struct str preset_logs(struct arena *a, const struct preset *p, const struct target *t)
{
    struct str out = {"", 0}, wanted = str_of(p->logs);

    while (wanted.n) {
        struct str name = str_split(&wanted, ',');

        if (may_log(t, name))
            out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), out.n ? "," : "", STR_ARG(name));
    }
    return out;
}

void preset_apply(const struct preset *p, struct environment *e)
{
    for (const char *const *s = p->settings; *s; s++) {
        struct str value = str_of(*s), name = str_split(&value, '=');

        environment_default(e, name, value);
    }
}
