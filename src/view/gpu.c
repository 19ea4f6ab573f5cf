#include "view/gpu.h"

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

static struct gpu_measured *measure(const struct view *v, struct arena *a)
{
    const struct gpu_answers *g = &v->answers->gpu;
    struct gpu_measured *m = ARENA_NEW(a, struct gpu_measured);
    const struct compile *c;

    m->kernels = ARENA_ARRAY(a, const struct kernel *, g->stats.n + 1);
    m->sharing = ARENA_ARRAY(a, uint32_t, g->stats.n + 1);
    for (struct compile_walk w = {.run = v->run}; v->kernels && g->kernels.n && (c = compile_next(&w));)
        vec_each(const struct kernel, k, &kernels_of(v->kernels, c, a)->list) note_kernel(g, m, k);
    return m;
}

const struct gpu_measured *gpu_measured(const struct view *v)
{
    if (!v->kernels)
        return measure(v, v->scratch);
    if (!v->kernels->measured)
        v->kernels->measured = measure(v, v->kernels->arena);
    return v->kernels->measured;
}

double gpu_bandwidth(const struct kernel *k, const struct gpu_stat *s)
{
    return k && k->bytes > 0 && s->median_ns > 0 ? (double)k->bytes * 1e9 / (double)s->median_ns : 0;
}

const struct compile *gpu_region_compile(const struct gpu_process *g, const struct gpu_region *r)
{
    for (size_t i = 0; g->process && i < g->process->compiles.n; i++)
        if (compile_id_eq(g->process->compiles.v[i]->id, r->id))
            return g->process->compiles.v[i];
    return NULL;
}

int64_t gpu_region_rest_ns(const struct gpu_region *r)
{
    return r->calls > 1 ? (r->all_ns - r->first_ns) / (int64_t)(r->calls - 1) : -1;
}

static bool has_devices(const struct run *r)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.v[i]->devices.n)
            return true;
    return false;
}

bool gpu_is_known(const struct view *v)
{
    return v->answers->gpu.sums.n > 0 || has_devices(v->run);
}
