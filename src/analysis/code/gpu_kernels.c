#include "analysis/code/gpu_kernels.h"

static void note_kernel(const struct gpu_answers *g, struct gpu_measured *m, const struct kernel *k)
{
    const struct gpu_stat *s = gpu_kernel(g, k->compile->process, k->name);
    size_t at = s ? (size_t)(s - g->stats.v) : 0;

    if (!s)
        return;
    m->sharing[at]++;
    if (m->kernels[at])
        return;
    m->kernels[at] = k;
    m->generated_ns += s->total_ns;
}

static struct gpu_measured *measure(const struct answers *answers, const struct kernel_store *kernels, struct arena *a)
{
    const struct gpu_answers *g = &answers->gpu;
    struct gpu_measured *m = ARENA_NEW(a, struct gpu_measured);
    const struct compile *c;

    m->kernels = ARENA_ARRAY(a, const struct kernel *, g->stats.n + 1);
    m->sharing = ARENA_ARRAY(a, uint32_t, g->stats.n + 1);
    for (struct compile_walk w = {.run = answers->run}; kernels && g->kernels.n && (c = compile_next(&w));)
        vec_each(const struct kernel, k, &kernels_of(kernels, c, a)->list) note_kernel(g, m, k);
    return m;
}

const struct gpu_measured *gpu_measured(const struct answers *answers, struct kernel_store *kernels, struct arena *a)
{
    if (!kernels)
        return measure(answers, NULL, a);
    if (!kernels->measured)
        kernels->measured = measure(answers, kernels, kernels->arena);
    return kernels->measured;
}

double gpu_bandwidth(const struct kernel *k, const struct gpu_stat *s)
{
    return k && k->bytes > 0 && s->median_ns > 0 ? (double)k->bytes * 1e9 / (double)s->median_ns : 0;
}
