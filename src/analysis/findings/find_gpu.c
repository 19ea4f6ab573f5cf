/* Findings about what GPUs did, if activity was recorded along with the trace. */
#include "analysis/find/find.h"

#include "text/graphs/output_code.h"
#include "util/number.h"

/* --- waiting for recompiles --------------------------------------------------------------------------------------- */

static const int64_t long_wait_ns = 100 * 1000000ll;

/* The findings about recompiles have the place of each function; the evidence leads there. */
static void find_idle_recompiles(struct finder *f)
{
    const struct gpu_answers *g = &f->answers->gpu;
    const struct gpu_gap *longest = NULL;
    int64_t sum = 0;
    struct finding *x;

    vec_each(const struct gpu_sum, s, &g->sums) sum = add_bounded(sum, s->gap_ns[GAP_RECOMPILE]);
    if (sum < long_wait_ns)
        return;
    x = finding_add(f, "gpu-idle-recompiles", finding_severity_of_time(sum / 1000));
    x->title = arena_printf(f->arena, "The GPU was idle for %.1f s during recompiles", (double)sum / 1e9);
    x->fix = STR("Avoid these recompiles, as described in their own findings, or warm the model up with each of its "
                 "sizes.");
    x->cost_us = sum / 1000;
    vec_each(const struct gpu_gap, gap, &g->gaps)
    {
        if (gap->cause != GAP_RECOMPILE)
            continue;
        finding_evidence(f, x, gap->compile);
        longest = !longest || gap->compiling_ns > longest->compiling_ns ? gap : longest;
    }
    if (longest && longest->compile->frame) {
        x->file = longest->compile->frame->file;
        x->line = longest->compile->frame->line;
    }
}

/* --- a slow kernel ------------------------------------------------------------------------------------------------ */

enum { SHARE_PERCENT = 30 };

/*
 * A share of next to nothing is nothing to mend; and a kernel whose bytes take less than a microsecond at full
 * bandwidth waits for memory once and is over: how much it moves in that time says nothing.
 */
static const int64_t worth_total_ns = 20 * 1000000ll, worth_call_ns = 1000;

struct found_kernel {
    const struct compile *compile;
    int64_t bytes; /* -1 unknown */
};

static void look_in_code(struct finder *f, const struct compile *c, struct str name, struct found_kernel *out)
{
    for (size_t i = 0; i < c->artifacts.n && !out->compile; i++) {
        struct output_code code;

        if (!artifact_is(c->artifacts.v[i], ARTIFACT_INDUCTOR_OUTPUT_CODE))
            continue;
        output_code_parse(f->arena, finder_read(f, c->artifacts.v[i]), &code);
        vec_each(const struct code_kernel, k, &code.kernels) if (str_eq(k->name, name)) *out =
            (struct found_kernel){c, k->bytes};
    }
}

static void add_slow_kernel(struct finder *f, const struct gpu_stat *s, const struct found_kernel *k, double most)
{
    double bandwidth = (double)k->bytes * 1e9 / (double)s->median_ns;
    struct finding *x;

    if (bandwidth * 100 >= most * GPU_SLOW_PERCENT || (double)k->bytes * 1e9 / most < (double)worth_call_ns)
        return;
    x = finding_add(f, "gpu-slow-kernel", FINDING_MEDIUM);
    x->title = arena_printf(f->arena, "`%.*s` takes %.0f %% of the GPU's time and moves %.0f GB/s of %.0f",
                            STR_ARG(s->name->name), gpu_share(&f->answers->gpu, s) * 100, bandwidth / 1e9, most / 1e9);
    x->detail = STR("A kernel that only reads and writes tensors should come close to the memory bandwidth.");
    x->fix = STR("Let Inductor try more ways to run it; if that does not help, look at the strides of its tensors: "
                 "memory that is read across rows is read many times.");
    finding_paste(x, PASTE_PATTERN, STR("torch.compile(model, mode=\"max-autotune-no-cudagraphs\")"));
    finding_paste_at(x, NULL, STR("where the model is compiled"));
    finding_evidence(f, x, k->compile);
}

/* Matrix products and attention are bound by arithmetic: those are templates. */
static bool moves_memory(struct str name)
{
    return str_starts(name, STR("triton_poi_")) || str_starts(name, STR("triton_red_")) ||
           str_starts(name, STR("triton_per_"));
}

/* The slowest kernel of the first process that has one: all ranks do the same. */
static void find_slow_kernel(struct finder *f)
{
    const struct gpu_answers *g = &f->answers->gpu;

    for (size_t i = 0; i < g->stats.n; i++) {
        const struct gpu_stat *s = &g->stats.v[i];
        const struct gpu_device *d = gpu_device_of(f->run, s->gpu);
        struct found_kernel k = {.bytes = -1};

        if (gpu_share(g, s) * 100 < SHARE_PERCENT || !moves_memory(s->name->name) || !s->gpu->process ||
            s->median_ns <= 0 || s->total_ns < worth_total_ns || !d || gpu_device_bandwidth(d) <= 0)
            continue;
        for (size_t c = 0; c < s->gpu->process->compiles.n && !k.compile; c++)
            look_in_code(f, s->gpu->process->compiles.v[c], s->name->name, &k);
        if (k.compile && k.bytes > 0)
            add_slow_kernel(f, s, &k, gpu_device_bandwidth(d));
        return;
    }
}

/* --- waiting for the host ----------------------------------------------------------------------------------------- */

static const int64_t long_idle_ns = 500 * 1000000ll;
enum { MANY_KERNELS = 1000 };

static bool is_launched_by_graphs(const struct gpu_answers *g, const struct gpu_process *p)
{
    uint64_t calls = 0, in_graphs = 0;

    vec_each(const struct gpu_stat, s, &g->stats)
    {
        if (s->gpu != p || s->name->kind != GPU_KERNEL)
            continue;
        calls += s->calls;
        in_graphs += s->in_graphs;
    }
    return in_graphs > calls / 2;
}

/* More than half of the time without compiles is idle. The first process represents all. */
static void find_idle(struct finder *f)
{
    const struct gpu_answers *g = &f->answers->gpu;

    vec_each(const struct gpu_sum, s, &g->sums)
    {
        int64_t work = s->span_ns - s->gap_ns[GAP_COMPILE] - s->gap_ns[GAP_RECOMPILE] - s->gap_ns[GAP_GRAPH_BREAK];
        int64_t idle = work - s->busy_ns;
        struct finding *x;

        if (idle < long_idle_ns || idle < work / 2 || s->counts[GPU_KERNEL] < MANY_KERNELS ||
            is_launched_by_graphs(g, s->gpu))
            continue;
        x = finding_add(f, "gpu-idle", FINDING_INFO);
        x->title = arena_printf(f->arena, "The GPU was idle for %.0f %% of the time in which nothing was compiled",
                                (double)idle * 100 / (double)work);
        x->fix = STR("If it is not waiting for data, it waits for kernels to be launched: CUDA graphs launch all "
                     "kernels of a graph at once.");
        finding_paste(x, PASTE_PATTERN, STR("torch.compile(model, mode=\"reduce-overhead\")"));
        finding_paste_at(x, NULL, STR("where the model is compiled"));
        return;
    }
}

void find_gpu(struct finder *f)
{
    find_idle_recompiles(f);
    find_slow_kernel(f);
    find_idle(f);
}
