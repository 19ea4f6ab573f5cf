#include "view/gpu.h"

#include "digest/device_json.h"
#include "text/graphs/kernel_name.h"

/* --- kernels of generated code ------------------------------------------------------------------------------------ */

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
        vec_each(const struct kernel, k, &view_kernels(v, c, a)->list) note_kernel(g, m, k);
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

/* What was recorded of a kernel of generated code; NULL when nothing was. */
static const struct gpu_stat *stat_of(const struct view *v, const struct kernel *k)
{
    return gpu_kernel(&v->answers->gpu, k->compile->process, k->name);
}

double gpu_bandwidth(const struct kernel *k, const struct gpu_stat *s)
{
    return k && k->bytes > 0 && s->median_ns > 0 ? (double)k->bytes * 1e9 / (double)s->median_ns : 0;
}

static void put_us(json_t *o, const char *key, int64_t ns)
{
    json_put(o, key, json_of_double((double)ns / 1e3));
}

static void put_times(json_t *o, const struct gpu_answers *g, const struct gpu_stat *s)
{
    json_put_i64(o, "calls", (int64_t)s->calls);
    put_us(o, "total_us", s->total_ns);
    put_us(o, "median_us", s->median_ns);
    put_us(o, "p99_us", s->p99_ns);
    json_put(o, "share", json_of_double(gpu_share(g, s)));
    json_put_i64(o, "in_cuda_graphs", (int64_t)s->in_graphs);
}

json_t *fact_kernel_gpu(const struct view *v, const struct kernel *k)
{
    const struct gpu_stat *s = stat_of(v, k);
    double bandwidth = s ? gpu_bandwidth(k, s) : 0;
    json_t *o;

    if (!s)
        return json_null();
    o = json_new_object();
    put_times(o, &v->answers->gpu, s);
    json_put(o, "bytes_per_call", k->bytes > 0 ? json_of_i64(k->bytes) : json_null());
    json_put(o, "bandwidth_gb_s", bandwidth > 0 ? json_of_double(bandwidth / 1e9) : json_null());
    json_put(o, "same_name",
             v->kernels ? json_of_i64(gpu_measured(v)->sharing[s - v->answers->gpu.stats.v]) : json_null());
    return o;
}

/* --- the section -------------------------------------------------------------------------------------------------- */

/* Of which process something is: the trace's process, or what the file says. */
static json_t *scope_of(const struct gpu_process *g)
{
    json_t *o = json_new_object();

    if (g->process) {
        view_put_process(o, g->process);
    } else {
        json_put(o, "rank", view_rank(g->rank));
        json_put(o, "pid", g->pid ? json_of_i64((int64_t)g->pid) : json_null());
        json_put(o, "process", json_null());
    }
    return o;
}

static json_t *kinds_of(const struct gpu_sum *s)
{
    json_t *list = json_new_array();

    for (int i = 0; i < GPU_KINDS; i++) {
        json_t *o = json_new_object();

        json_put_str(o, "kind", str_of(gpu_kind_name((enum gpu_kind)i)));
        json_put_i64(o, "count", (int64_t)s->counts[i]);
        put_us(o, "total_us", s->times_ns[i]);
        json_push(list, o);
    }
    return list;
}

static json_t *seconds_ns(int64_t ns)
{
    return json_of_double((double)ns / 1e9);
}

static json_t *process_fact(const struct gpu_sum *s)
{
    json_t *o = scope_of(s->gpu), *idle = json_new_object();

    json_put_str(o, "tool", s->gpu->tool);
    json_put(o, "host", view_text(s->gpu->host));
    json_put(o, "program", view_text(s->gpu->program));
    json_put_i64(o, "devices", (int64_t)s->devices);
    json_put(o, "span_s", seconds_ns(s->span_ns));
    json_put(o, "busy_s", seconds_ns(s->busy_ns));
    for (int i = 0; i < GAP_CAUSES; i++)
        json_put(idle, gpu_gap_cause_name((enum gpu_gap_cause)i), seconds_ns(s->gap_ns[i]));
    json_put(o, "idle_s", idle);
    json_put(o, "activities", kinds_of(s));
    json_put_i64(o, "lost", (int64_t)s->gpu->lost);
    json_put_i64(o, "other_events", (int64_t)s->gpu->skipped_events);
    json_put(o, "ended", view_text(s->gpu->ended));
    return o;
}

static json_t *stat_fact(const struct view *v, size_t at)
{
    const struct gpu_stat *s = &v->answers->gpu.stats.v[at];
    const struct kernel *k = gpu_measured(v)->kernels[at];
    json_t *o = scope_of(s->gpu);

    json_put_str(o, "kind", str_of(gpu_kind_name(s->name->kind)));
    json_put_str(o, "name", s->name->name);
    json_put_str(o, "short", kernel_name_short(v->scratch, s->name->name));
    json_put(o, "compile", k ? view_id(v, k->compile) : json_null());
    put_times(o, &v->answers->gpu, s);
    json_put(o, "bytes", s->name->bytes ? json_of_i64((int64_t)s->name->bytes) : json_null());
    return o;
}

static json_t *stats_of(const struct view *v)
{
    const struct gpu_answers *g = &v->answers->gpu;
    json_t *list = json_new_array();
    size_t n = 0;

    for (size_t i = 0; i < g->stats.n; i++) {
        n = i && g->stats.v[i].gpu == g->stats.v[i - 1].gpu ? n + 1 : 0;
        if (n < GPU_STATS_MAX)
            json_push(list, stat_fact(v, i));
    }
    return list;
}

static json_t *gap_fact(const struct view *v, const struct gpu_gap *gap)
{
    json_t *o = scope_of(gap->gpu);

    json_put(o, "start_s", json_of_double((double)(gap->start_ns / 1000) / 1e6));
    json_put(o, "duration_s", seconds_ns(gap->duration_ns));
    json_put(o, "compiling_s", seconds_ns(gap->compiling_ns));
    json_put_str(o, "cause", str_of(gpu_gap_cause_name(gap->cause)));
    json_put(o, "compile", gap->compile ? view_compile_ref(v, gap->compile) : json_null());
    return o;
}

static json_t *devices_of(const struct view *v)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < v->run->inputs.n; i++)
        vec_each(const struct gpu_device, d, &v->run->inputs.v[i]->devices)
        {
            json_t *o = gpu_device_to_json(d);

            json_put_i64(o, "input", (int64_t)i);
            json_push(list, o);
        }
    return list;
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

static json_t *region_fact(const struct view *v, const struct gpu_process *g, const struct gpu_region *r)
{
    const struct compile *c = gpu_region_compile(g, r);
    json_t *o = scope_of(g);

    json_put_str(o, "id", compile_id_print(v->scratch, r->id));
    json_put(o, "compile", c ? view_compile_ref(v, c) : json_null());
    json_put_i64(o, "calls", (int64_t)r->calls);
    json_put(o, "first_s", seconds_ns(r->first_ns));
    json_put(o, "other_mean_s", r->calls > 1 ? seconds_ns(gpu_region_rest_ns(r)) : json_null());
    return o;
}

static json_t *regions_of(const struct view *v)
{
    json_t *list = json_new_array();

    vec_each(const struct gpu_sum, s, &v->answers->gpu.sums)
        vec_each(const struct gpu_region, r, &s->gpu->regions) json_push(list, region_fact(v, s->gpu, r));
    return list;
}

static bool has_devices(const struct run *r)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.v[i]->devices.n)
            return true;
    return false;
}

json_t *fact_gpu(const struct view *v)
{
    const struct gpu_answers *g = &v->answers->gpu;
    json_t *o, *processes, *gaps;

    if (g->sums.n == 0 && !has_devices(v->run))
        return json_null();
    o = json_new_object();
    processes = json_new_array();
    gaps = json_new_array();
    vec_each(const struct gpu_sum, s, &g->sums) json_push(processes, process_fact(s));
    vec_each(const struct gpu_gap, gap, &g->gaps) json_push(gaps, gap_fact(v, gap));
    json_put(o, "total_us", json_of_double((double)g->total_ns / 1e3));
    json_put(o, "generated_us", json_of_double((double)gpu_measured(v)->generated_ns / 1e3));
    json_put(o, "devices", devices_of(v));
    json_put(o, "processes", processes);
    json_put(o, "activities", stats_of(v));
    json_put(o, "gaps", gaps);
    json_put(o, "regions", regions_of(v));
    return o;
}
