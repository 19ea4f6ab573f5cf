/* Functions for the objects of report.json about kernels of generated code and about GPUs. */
#include "view/facts/facts.h"

#include "text/graphs/kernel_name.h"

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static const struct kernel_place *first_place(const struct kernel *k)
{
    static const struct kernel_place nowhere;

    return k->places.n ? k->places.v : &nowhere;
}

/* NULL if it was not measured. */
static const struct kernel_times *times_of(const struct view *v, const struct kernel *k)
{
    const struct gpu_stat *s = gpu_kernel(&v->answers->gpu, k->compile->process, k->name);
    struct kernel_times *times;

    if (!s)
        return NULL;
    times = ARENA_NEW(v->scratch, struct kernel_times);
    *times = (struct kernel_times){k, s};
    return times;
}

/* -1 unknown. */
static double gigabytes_per_second(const struct kernel_times *t)
{
    double bandwidth = gpu_bandwidth(t->kernel, t->stat);

    return bandwidth > 0 ? bandwidth / 1e9 : -1;
}

/* The number of kernels with that name in the process; 0 if kernels are not kept. */
static uint32_t kernels_of_name(const struct view *v, const struct gpu_stat *s)
{
    return v->kernels ? view_gpu_measured(v)->sharing[s - v->answers->gpu.stats.v] : 0;
}

/* --- activity ----------------------------------------------------------------------------------------------------- */

/* -1 stays negative. */
static double seconds_ns(int64_t ns)
{
    return (double)ns / 1e9;
}

static json_t *kinds_of(const struct view *v, const struct gpu_sum *s)
{
    json_t *list = json_new_array();

    for (int i = 0; i < GPU_KINDS; i++)
        json_push(list, fact_gpu_kind_sum(v, &(struct kind_sum){s, (enum gpu_kind)i}));
    return list;
}

static const struct compile *compile_of_stat(const struct view *v, const struct gpu_stat *s)
{
    const struct kernel *k = view_gpu_measured(v)->kernels[s - v->answers->gpu.stats.v];

    return k ? k->compile : NULL;
}

/* How many names of one process report.json lists: those with the longest total time. */
enum { GPU_STATS_MAX = 500 };

static json_t *activities_of(const struct view *v, const struct gpu_answers *g)
{
    json_t *list = json_new_array();
    size_t n = 0;

    for (size_t i = 0; i < g->stats.n; i++) {
        n = i && g->stats.v[i].gpu == g->stats.v[i - 1].gpu ? n + 1 : 0;
        if (n < GPU_STATS_MAX)
            json_push(list, fact_gpu_activity(v, &g->stats.v[i]));
    }
    return list;
}

static json_t *devices_of(const struct view *v)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < v->run->inputs.n; i++)
        vec_each(const struct gpu_device, d, &v->run->inputs.v[i]->devices)
            json_push(list, fact_gpu_device(v, &(struct device_of_input){i, d}));
    return list;
}

static json_t *regions_of(const struct view *v, const struct gpu_answers *g)
{
    json_t *list = json_new_array();

    vec_each(const struct gpu_sum, s, &g->sums)
        vec_each(const struct gpu_region, r, &s->gpu->regions)
            json_push(list, fact_gpu_region(v, &(struct region_of_process){s->gpu, r}));
    return list;
}

#include "view/facts/fact_rows.h"

#include "view/facts/gpu.def"
