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

static json_t *more(const struct view *v, uint64_t n)
{
    return n ? json_of_str(format_count(v->scratch, n)) : json_null();
}

static json_t *size_of(const struct view *v, int64_t bytes)
{
    return bytes < 0 ? json_null() : json_of_str(format_bytes(v->scratch, (uint64_t)bytes));
}

/* "rank 3" or "process 4711", if there are several. */
static json_t *whose(const struct view *v, const struct gpu_process *g)
{
    int rank = g->process ? g->process->rank : g->rank;

    if (v->answers->gpu.sums.n < 2)
        return json_null();
    if (rank != RANK_UNKNOWN)
        return json_of_str(arena_printf(v->scratch, "rank %d", rank));
    return g->pid ? json_of_str(arena_printf(v->scratch, "process %llu", (unsigned long long)g->pid)) : json_null();
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static void put_bandwidth(json_t *o, const struct view *v, const struct kernel *k, const struct gpu_stat *s)
{
    double bandwidth = gpu_bandwidth(k, s);
    const struct gpu_device *d = gpu_device_of(v->run, s->gpu);
    double most = d ? gpu_device_bandwidth(d) : 0;
    struct str text = {"", 0};

    if (bandwidth > 0)
        text = arena_printf(v->scratch, "%.0f GB/s", bandwidth / 1e9);
    json_put(o, "bandwidth", text.n ? json_of_str(text) : json_null());
    json_put_i64(o, "bandwidth_sort", bandwidth < 9e18 ? (int64_t)bandwidth : 0);
    json_put(o, "of_most", bandwidth > 0 && most > 0
                               ? json_of_str(arena_printf(v->scratch, "%.0f %%", bandwidth * 100 / most))
                               : json_null());
    json_put_bool(o, "slow", bandwidth > 0 && most > 0 && bandwidth * 100 < most * GPU_SLOW_PERCENT);
}

static json_t *kernel_row(const struct view *v, size_t at)
{
    const struct gpu_answers *g = &v->answers->gpu;
    const struct gpu_stat *s = &g->stats.v[at];
    const struct kernel *k = view_gpu_measured(v)->kernels[at];
    uint32_t sharing = view_gpu_measured(v)->sharing[at];
    json_t *o = json_new_object();

    json_put_str(o, "name", kernel_name_short(v->scratch, s->name->name));
    json_put_str(o, "whole", s->name->name);
    json_put_str(o, "kind", k ? STR("generated") : str_of(gpu_kind_name(s->name->kind)));
    json_put(o, "whose", whose(v, s->gpu));
    json_put(o, "link", k ? page_link(v, k->compile) : json_null());
    json_put(o, "sharing", more(v, sharing > 1 ? sharing - 1 : 0));
    json_put(o, "place", k && k->places.n ? page_place(v, k->places.v[0].file, k->places.v[0].line) : json_null());
    json_put_str(o, "calls", format_count(v->scratch, s->calls));
    json_put_bool(o, "in_graphs", s->in_graphs > 0);
    json_put_str(o, "total", format_duration_ns(v->scratch, s->total_ns));
    json_put_i64(o, "total_sort", s->total_ns);
    json_put_str(o, "share", share_of(v, s->total_ns, g->total_ns));
    json_put_str(o, "median", format_duration_ns(v->scratch, s->median_ns));
    json_put_i64(o, "median_sort", s->median_ns);
    json_put_str(o, "p99", format_duration_ns(v->scratch, s->p99_ns));
    json_put_i64(o, "p99_sort", s->p99_ns);
    put_bandwidth(o, v, k, s);
    return o;
}

/* The longest over all processes: each process's own are sorted by time, so only a few of each are looked at. */
static json_t *kernel_rows(const struct view *v, size_t *hidden)
{
    const struct gpu_answers *g = &v->answers->gpu;
    json_t *list = json_new_array();
    bool *shown = ARENA_ARRAY(v->scratch, bool, g->stats.n + 1);

    for (size_t n = 0; n < KERNEL_ROWS && n < g->stats.n; n++) {
        size_t best = g->stats.n;

        for (size_t i = 0; i < g->stats.n; i++)
            if (!shown[i] && (best == g->stats.n || g->stats.v[i].total_ns > g->stats.v[best].total_ns))
                best = i;
        shown[best] = true;
        json_push(list, kernel_row(v, best));
    }
    *hidden = g->stats.n > KERNEL_ROWS ? g->stats.n - KERNEL_ROWS : 0;
    return list;
}

/* --- times without work ------------------------------------------------------------------------------------------- */

static const char *const cause_words[GAP_CAUSES] = {"first compile", "recompile", "compile after a graph break",
                                                    "nothing was compiled"};

static json_t *gap_row(const struct view *v, const struct gpu_gap *gap)
{
    static const struct process nobody = {.zone_known = true};
    const struct process *p = gap->gpu->process ? gap->gpu->process : &nobody;
    const struct frame *f = gap->compile ? gap->compile->frame : NULL;
    json_t *o = json_new_object();

    json_put(o, "whose", whose(v, gap->gpu));
    json_put_str(o, "start", format_moment_plain(v->scratch, p, gap->start_ns / 1000));
    json_put_str(o, "time", format_duration_ns(v->scratch, gap->duration_ns));
    json_put_i64(o, "time_sort", gap->duration_ns);
    json_put_str(o, "compiling", gap->compiling_ns ? format_duration_ns(v->scratch, gap->compiling_ns) : STR("-"));
    json_put_str(o, "cause", str_of(cause_words[gap->cause]));
    json_put(o, "link", gap->compile ? page_link(v, gap->compile) : json_null());
    json_put(o, "frame", f ? json_of_str(format_frame(v->scratch, f)) : json_null());
    return o;
}

static json_t *gap_rows(const struct view *v)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < v->answers->gpu.gaps.n && i < GAP_ROWS; i++)
        json_push(list, gap_row(v, &v->answers->gpu.gaps.v[i]));
    return list;
}

/* --- processes and devices ---------------------------------------------------------------------------------------- */

static json_t *sum_row(const struct view *v, const struct gpu_sum *s)
{
    json_t *o = json_new_object();
    int64_t compiling = s->gap_ns[GAP_COMPILE] + s->gap_ns[GAP_RECOMPILE] + s->gap_ns[GAP_GRAPH_BREAK];

    json_put(o, "whose", whose(v, s->gpu));
    json_put_str(o, "tool", s->gpu->tool);
    json_put_str(o, "kernels", format_count(v->scratch, s->counts[GPU_KERNEL]));
    json_put_str(o, "copies", format_count(v->scratch, s->counts[GPU_COPY] + s->counts[GPU_MEMSET]));
    json_put(o, "graphs", more(v, s->counts[GPU_GRAPH]));
    json_put_str(o, "span", format_duration_ns(v->scratch, s->span_ns));
    json_put_str(o, "busy", share_of(v, s->busy_ns, s->span_ns));
    json_put_str(o, "compiling", compiling ? format_duration_ns(v->scratch, compiling) : STR("-"));
    json_put_str(o, "recompiling",
                 s->gap_ns[GAP_RECOMPILE] ? format_duration_ns(v->scratch, s->gap_ns[GAP_RECOMPILE]) : STR("-"));
    json_put(o, "lost", more(v, s->gpu->lost));
    json_put(o, "ended", page_text(v, s->gpu->ended));
    json_put_bool(o, "stranger", s->gpu->process == NULL);
    return o;
}

static json_t *sum_rows(const struct view *v)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < v->answers->gpu.sums.n && i < SUM_ROWS; i++)
        json_push(list, sum_row(v, &v->answers->gpu.sums.v[i]));
    return list;
}

static json_t *number_of(const struct view *v, int64_t n, const char *unit)
{
    return n < 0 ? json_null() : json_of_str(arena_printf(v->scratch, "%lld %s", (long long)n, unit));
}

static void put_item(json_t *list, struct str text, bool warn)
{
    json_t *o = json_new_object();

    if (text.n == 0) {
        json_decref(o);
        return;
    }
    json_put_str(o, "text", text);
    json_put_bool(o, "warn", warn);
    json_push(list, o);
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
        put_item(list, arena_printf(a, "%lld \xc2\xb0" "C", (long long)d->temperature_c), false);
    if (d->power_mw >= 0)
        put_item(list, arena_printf(a, "%lld W", (long long)d->power_mw / 1000), false);
    put_item(list, throttled_of(v, d), true);
    if (d->ecc_errors > 0)
        put_item(list, format_counted(a, (uint64_t)d->ecc_errors, "memory error", "memory errors"), true);
    if (d->users.n)
        put_item(list, format_counted(a, d->users.n, "other process on it", "other processes on it"), true);
    if (str_eq(d->mig, STR("enabled")))
        put_item(list, STR("MIG"), false);
    return list;
}

static json_t *device_row(const struct view *v, const struct gpu_device *d)
{
    json_t *o = json_new_object();

    json_put(o, "index", d->index < 0 ? json_null() : json_of_i64(d->index));
    json_put(o, "name", page_text(v, d->name));
    json_put(o, "capability", page_text(v, d->capability));
    json_put(o, "driver", page_text(v, d->driver));
    json_put(o, "cuda", page_text(v, d->cuda));
    json_put(o, "memory", size_of(v, d->memory_total));
    json_put(o, "free", size_of(v, d->memory_free));
    json_put(o, "clock", number_of(v, d->clock_mhz, "MHz"));
    json_put(o, "clock_most", number_of(v, d->clock_most_mhz, "MHz"));
    json_put(o, "health", health_of(v, d));
    return o;
}

static json_t *device_rows(const struct view *v)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < v->run->inputs.n; i++)
        vec_each(const struct gpu_device, d, &v->run->inputs.v[i]->devices) if (json_array_size(list) < DEVICE_ROWS)
            json_push(list, device_row(v, d));
    return list;
}

/* --- the section -------------------------------------------------------------------------------------------------- */

/* --- calls of compiled code --------------------------------------------------------------------------------------- */

static json_t *region_row(const struct view *v, const struct gpu_process *g, const struct gpu_region *r)
{
    const struct compile *c = gpu_region_compile(g, r);
    json_t *o = json_new_object();

    json_put(o, "whose", whose(v, g));
    json_put_str(o, "id", compile_id_print(v->scratch, r->id));
    json_put(o, "link", c ? page_link(v, c) : json_null());
    json_put(o, "frame", c && c->frame ? json_of_str(format_frame(v->scratch, c->frame)) : json_null());
    json_put_str(o, "calls", format_count(v->scratch, r->calls));
    json_put_str(o, "first", format_duration_ns(v->scratch, r->first_ns));
    json_put_i64(o, "first_sort", r->first_ns);
    json_put_str(o, "rest", format_duration_ns(v->scratch, gpu_region_rest_ns(r)));
    json_put_i64(o, "rest_sort", gpu_region_rest_ns(r));
    return o;
}

static json_t *region_rows(const struct view *v, uint64_t *n)
{
    json_t *list = json_new_array();

    *n = 0;
    vec_each(const struct gpu_sum, s, &v->answers->gpu.sums)
    {
        vec_each(const struct gpu_region, r, &s->gpu->regions) if ((*n)++ < REGION_ROWS)
            json_push(list, region_row(v, s->gpu, r));
    }
    return list;
}

json_t *page_gpu(const struct view *v)
{
    const struct gpu_answers *g = &v->answers->gpu;
    json_t *o = json_new_object(), *devices = device_rows(v);
    size_t hidden;
    uint64_t regions;

    json_put(o, "regions", region_rows(v, &regions));
    json_put_bool(o, "any_regions", regions > 0);
    json_put(o, "more_regions", more(v, regions > REGION_ROWS ? regions - REGION_ROWS : 0));
    json_put_bool(o, "several", g->sums.n > 1);
    json_put(o, "total", g->total_ns ? json_of_str(format_duration_ns(v->scratch, g->total_ns)) : json_null());
    json_put_str(o, "generated", share_of(v, view_gpu_measured(v)->generated_ns, g->total_ns));
    json_put(o, "sums", sum_rows(v));
    json_put_bool(o, "any_sums", g->sums.n > 0);
    json_put(o, "kernels", kernel_rows(v, &hidden));
    json_put_bool(o, "any_kernels", g->stats.n > 0);
    json_put(o, "hidden", more(v, hidden));
    json_put(o, "gaps", gap_rows(v));
    json_put_bool(o, "any_gaps", g->gaps.n > 0);
    json_put(o, "more_gaps", more(v, g->gaps.n > GAP_ROWS ? g->gaps.n - GAP_ROWS : 0));
    json_put_bool(o, "any_devices", json_array_size(devices) > 0);
    json_put(o, "devices", devices);
    return o;
}
