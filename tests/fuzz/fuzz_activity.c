/* Files of GPU activity on any bytes: libpt2trace_gpu.so's, torch.profiler's and Nsight's, and what comes of them. */
#include "fuzz.h"

static void check_gpu(const struct gpu_process *g)
{
    for (size_t i = 0; i < g->activities.n; i++) {
        const struct gpu_activity *a = &g->activities.v[i];

        fuzz_check(a->name < g->names.n, "every activity has a name");
        fuzz_check(a->start_ns >= 0 && a->duration_ns >= 0 && a->start_ns <= GPU_LATEST_NS &&
                       a->duration_ns <= GPU_LATEST_NS, "times are in range");
        fuzz_check(i == 0 || g->activities.v[i - 1].start_ns <= a->start_ns, "activities are in order");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run *r = fuzz_read_activity(data, size);

    if (!r)
        return 0;
    for (size_t i = 0; i < r->inputs.v[0]->gpus.n; i++)
        check_gpu(r->inputs.v[0]->gpus.v[i]);
    fuzz_check_outputs(r);
    run_free(r);
    return 0;
}
