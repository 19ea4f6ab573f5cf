/* GPUs and their activity: kernels, idle times, devices. */
#include "view/page.h"
#include "view/page_objects.h"

#include "analysis/code/gpu_kernels.h"
#include "text/graphs/kernel_name.h"
#include "view/format.h"

enum {
    KERNEL_ROWS = 40,
    GAP_ROWS = 20,
    DEVICE_ROWS = 64,
    SUM_ROWS = 64,
    REGION_ROWS = 100,
    LISTED = 4
};

static struct str share_of(const struct view *v, int64_t part, int64_t whole)
{
    return whole > 0 ? format_share(v->scratch, part, whole) : STR("-");
}

/* Empty if it is unknown. */
static struct str size_of(const struct view *v, int64_t bytes)
{
    return bytes < 0 ? STR("") : format_bytes(v->scratch, (uint64_t)bytes);
}

/* "rank 3" or "process 4711", if there are several. */
static struct str whose(const struct view *v, const struct gpu_process *g)
{
    int rank = g->process ? g->process->rank : g->rank;

    if (v->answers->gpu.sums.n < 2)
        return STR("");
    if (rank != RANK_UNKNOWN)
        return arena_printf(v->scratch, "rank %d", rank);
    return g->pid ? arena_printf(v->scratch, "process %llu", (unsigned long long)g->pid) : STR("");
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

struct gpu_kernel {
    const struct gpu_stat *stat;
    const struct kernel *kernel; /* NULL if it was not generated */
    uint32_t sharing;            /* how many generated kernels have the name */
};

/* Per second, and as a share of what the memory of the GPU can move; 0 if unknown. */
struct bandwidth {
    double per_s, percent;
};

static struct bandwidth bandwidth_of(const struct view *v, const struct gpu_kernel *x)
{
    const struct gpu_device *d = gpu_device_of(v->run, x->stat->gpu);
    double most = d ? gpu_device_bandwidth(d) : 0;
    struct bandwidth out = {.per_s = gpu_bandwidth(x->kernel, x->stat)};

    if (out.per_s > 0 && most > 0)
        out.percent = out.per_s * 100 / most;
    return out;
}

/* The longest over all processes: each process's own are sorted by time, so only a few of each are looked at. */
static json_t *kernel_rows(const struct view *v)
{
    const struct gpu_answers *g = &v->answers->gpu;
    json_t *list = json_new_array();
    bool *shown = ARENA_ARRAY(v->scratch, bool, g->stats.n + 1);
    const struct gpu_measured *measured = view_gpu_measured(v);

    for (size_t n = 0; n < KERNEL_ROWS && n < g->stats.n; n++) {
        size_t best = g->stats.n;

        for (size_t i = 0; i < g->stats.n; i++)
            if (!shown[i] && (best == g->stats.n || g->stats.v[i].total_ns > g->stats.v[best].total_ns))
                best = i;
        shown[best] = true;
        json_push(list, page_gpu_kernel(v, &(struct gpu_kernel){&g->stats.v[best], measured->kernels[best],
                                                                measured->sharing[best]}));
    }
    return list;
}

/* --- times without work ------------------------------------------------------------------------------------------- */

static const char *const cause_words[GAP_CAUSES] = {"first compile", "recompile", "compile after a graph break",
                                                    "nothing was compiled"};

/* For activity without a trace. */
static const struct process nobody = {.zone_known = true};

/* --- devices ------------------------------------------------------------------------------------------------------ */

struct device_state {
    struct str text;
    bool warn;
};

static void put_state(json_t *list, struct str text, bool warn)
{
    if (text.n)
        json_push(list, page_device_state(NULL, &(struct device_state){text, warn}));
}

static struct str throttled_of(const struct view *v, const struct gpu_device *d)
{
    struct str out = {"", 0};

    for (size_t i = 0; i < d->throttled.n && i < LISTED; i++)
        out = arena_printf(v->scratch, "%.*s%s%.*s", STR_ARG(out), i ? ", " : "clocks held down: ",
                           STR_ARG(d->throttled.v[i]));
    return out;
}

static json_t *health_of(const struct view *v, const struct gpu_device *d)
{
    struct arena *a = v->scratch;
    json_t *list = json_new_array();

    if (d->temperature_c >= 0)
        put_state(list, arena_printf(a, "%lld \xc2\xb0" "C", (long long)d->temperature_c), false);
    if (d->power_mw >= 0)
        put_state(list, arena_printf(a, "%lld W", (long long)d->power_mw / 1000), false);
    put_state(list, throttled_of(v, d), true);
    if (d->ecc_errors > 0)
        put_state(list, format_counted(a, (uint64_t)d->ecc_errors, "memory error", "memory errors"), true);
    if (d->users.n)
        put_state(list, format_counted(a, d->users.n, "other process on it", "other processes on it"), true);
    if (str_eq(d->mig, STR("enabled")))
        put_state(list, STR("MIG"), false);
    return list;
}

static json_t *device_rows(const struct view *v)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < v->run->inputs.n; i++)
        vec_each(const struct gpu_device, d, &v->run->inputs.v[i]->devices) if (json_array_size(list) < DEVICE_ROWS)
            json_push(list, page_device(v, d));
    return list;
}

/* --- calls of compiled code --------------------------------------------------------------------------------------- */

struct called_region {
    const struct gpu_process *gpu;
    const struct gpu_region *region;
};

static size_t count_regions(const struct gpu_answers *g)
{
    size_t n = 0;

    vec_each(const struct gpu_sum, s, &g->sums) n += s->gpu->regions.n;
    return n;
}

static json_t *region_rows(const struct view *v)
{
    json_t *list = json_new_array();

    vec_each(const struct gpu_sum, s, &v->answers->gpu.sums)
        vec_each(const struct gpu_region, r, &s->gpu->regions) if (json_array_size(list) < REGION_ROWS)
            json_push(list, page_region(v, &(struct called_region){s->gpu, r}));
    return list;
}

#include "view/page_rows.h"

#include "view/sections/gpu.def"
