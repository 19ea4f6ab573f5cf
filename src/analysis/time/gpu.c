#include "analysis/time/gpu.h"

#include "util/mem.h"
#include "util/number.h"

#include <stdio.h>
#include <stdlib.h>

const char *gpu_gap_cause_name(enum gpu_gap_cause c)
{
    static const char *const names[GAP_CAUSES] = {"compile", "recompile", "graph_break", "other"};

    return names[c];
}

/* --- names -------------------------------------------------------------------------------------------------------- */

/* The k-th percentile of n sorted durations. */
static int64_t percentile(const int64_t *sorted, size_t n, unsigned k)
{
    return sorted[(n - 1) * k / 100];
}

/* The durations grouped by name; those of name i start at begin[i]. */
static int64_t *durations_by_name(const struct gpu_process *g, size_t *begin)
{
    int64_t *all = xcalloc(g->activities.n + 1, sizeof *all);
    size_t *next = xcalloc(g->names.n + 1, sizeof *next);

    vec_each(const struct gpu_activity, a, &g->activities) begin[a->name + 1]++;
    for (size_t i = 0; i < g->names.n; i++)
        begin[i + 1] += begin[i];
    memcpy(next, begin, (g->names.n + 1) * sizeof *next);
    vec_each(const struct gpu_activity, a, &g->activities) all[next[a->name]++] = a->duration_ns;
    free(next);
    return all;
}

static int by_total(const void *pa, const void *pb)
{
    const struct gpu_stat *a = pa, *b = pb;

    if (a->total_ns != b->total_ns)
        return a->total_ns < b->total_ns ? 1 : -1;
    return str_cmp(a->name->name, b->name->name);
}

/* "triton_poi_fused_add_0_0d1d2de" -> "triton_poi_fused_add_0" */
static struct str without_specialization(struct str name)
{
    ptrdiff_t at = str_rchr(name, '_');
    struct str end = str_skip(name, (size_t)(at + 1));
    bool letters = false;

    if (!str_starts(name, STR("triton_")) || at <= 0 || end.n == 0 || end.p[0] != '0')
        return name;
    for (size_t i = 0; i < end.n; i++) {
        bool digit = str_is_digit(end.p[i]);

        if (!digit && end.p[i] != 'd' && end.p[i] != 'e' && end.p[i] != 'c')
            return name;
        letters |= !digit;
    }
    return letters ? str_take(name, (size_t)at) : name;
}

static struct str kernel_key(struct arena *a, const struct process *p, struct str name)
{
    return arena_printf(a, "%u %.*s", p->index, STR_ARG(name));
}

static void note_kernel(struct arena *a, struct gpu_answers *out, size_t index)
{
    const struct gpu_stat *s = &out->stats.v[index];
    uint64_t *number;

    if (s->name->kind != GPU_KERNEL || !s->gpu->process)
        return;
    number = map_number_at_kept(&out->kernels, kernel_key(a, s->gpu->process, without_specialization(s->name->name)));
    if (*number == 0)
        *number = index + 1;
}

static void add_stats(struct arena *a, const struct gpu_process *g, struct gpu_answers *out)
{
    size_t first = out->stats.n, *begin = xcalloc(g->names.n + 2, sizeof *begin);
    int64_t *durations = durations_by_name(g, begin);

    for (size_t i = 0; i < g->names.n; i++) {
        size_t n = begin[i + 1] - begin[i];
        int64_t *sorted = durations + begin[i];
        struct gpu_stat s = {.gpu = g, .name = &g->names.v[i], .calls = n};

        if (n == 0)
            continue;
        qsort(sorted, n, sizeof *sorted, number_by_value);
        for (size_t k = 0; k < n; k++)
            s.total_ns = add_bounded(s.total_ns, sorted[k]);
        s.median_ns = percentile(sorted, n, 50);
        s.p99_ns = percentile(sorted, n, 99);
        vec_push(a, &out->stats, s);
        if (s.name->kind != GPU_GRAPH)
            out->total_ns = add_bounded(out->total_ns, s.total_ns);
    }
    free(durations);
    free(begin);
    if (out->stats.n > first)
        qsort(out->stats.v + first, out->stats.n - first, sizeof *out->stats.v, by_total);
}

/* For each name, counts the calls that CUDA graphs launched. */
static void count_graphs(const struct gpu_process *g, struct gpu_stat *stats, size_t n)
{
    uint64_t *counts = xcalloc(g->names.n + 1, sizeof *counts);

    vec_each(const struct gpu_activity, a, &g->activities) counts[a->name] += a->in_graph;
    for (size_t i = 0; i < n; i++)
        stats[i].in_graphs = counts[stats[i].name - g->names.v];
    free(counts);
}

/* --- gaps --------------------------------------------------------------------------------------------------------- */

/* Shorter gaps are launch overhead. */
static const int64_t least_gap_ns = 1000000;

/* Times in which a process compiled: intervals in order, without overlap. */
struct stretch {
    int64_t start_ns, end_ns;
    size_t first, n; /* its compiles in `compiles` */
};

struct work {
    VEC(const struct compile *) compiles; /* compiles whose time is known, by start */
    VEC(struct stretch) stretches;
};

static bool interval_ns(const struct compile *c, int64_t *start, int64_t *end)
{
    int64_t start_us, duration_us;

    if (!compile_interval(c, &start_us, &duration_us) || start_us < 0 || start_us > GPU_LATEST_NS / 1000 ||
        duration_us > GPU_LATEST_NS / 1000)
        return false;
    *start = start_us * 1000;
    *end = *start + duration_us * 1000;
    return true;
}

static int by_start(const void *pa, const void *pb)
{
    const struct compile *a = *(const struct compile *const *)pa, *b = *(const struct compile *const *)pb;
    int64_t sa = 0, sb = 0, ignored;

    interval_ns(a, &sa, &ignored);
    interval_ns(b, &sb, &ignored);
    if (sa != sb)
        return sa < sb ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static void find_work(struct arena *a, const struct process *p, struct work *out)
{
    int64_t start, end;

    for (size_t i = 0; i < p->compiles.n; i++)
        if (interval_ns(p->compiles.v[i], &start, &end))
            vec_push(a, &out->compiles, p->compiles.v[i]);
    if (out->compiles.n)
        qsort(out->compiles.v, out->compiles.n, sizeof *out->compiles.v, by_start);
    for (size_t i = 0; i < out->compiles.n; i++) {
        struct stretch *last = out->stretches.n ? &out->stretches.v[out->stretches.n - 1] : NULL;

        interval_ns(out->compiles.v[i], &start, &end);
        if (!last || start > last->end_ns) {
            vec_push(a, &out->stretches, ((struct stretch){start, end, i, 1}));
        } else {
            last->end_ns = end > last->end_ns ? end : last->end_ns;
            last->n++;
        }
    }
}

static int64_t overlap_ns(int64_t start, int64_t end, int64_t other_start, int64_t other_end)
{
    int64_t from = start > other_start ? start : other_start, to = end < other_end ? end : other_end;

    return to > from ? to - from : 0;
}

/* At most this many compiles of one stretch are examined for a gap: more never overlap in a sane trace. */
enum { LOOKED_AT = 64 };

static void note_compile(struct gpu_gap *gap, const struct work *w, const struct stretch *s, int64_t *most)
{
    int64_t end = gap->start_ns + gap->duration_ns, c_start, c_end;

    for (size_t i = 0; i < s->n && i < LOOKED_AT; i++) {
        const struct compile *c = w->compiles.v[s->first + i];
        int64_t common;

        interval_ns(c, &c_start, &c_end);
        common = overlap_ns(gap->start_ns, end, c_start, c_end);
        if (common > *most) {
            *most = common;
            gap->compile = c;
        }
    }
}

static enum gpu_gap_cause cause_of(const struct compile *c)
{
    if (!c)
        return GAP_OTHER;
    if (compile_is_recompile(c))
        return GAP_RECOMPILE;
    return c->frame && c->frame->is_resume ? GAP_GRAPH_BREAK : GAP_COMPILE;
}

/* *at is the first stretch that may matter: the gaps arrive in order. */
static void explain_gap(struct gpu_gap *gap, const struct work *w, size_t *at)
{
    int64_t end = gap->start_ns + gap->duration_ns, most = 0;

    while (*at < w->stretches.n && w->stretches.v[*at].end_ns <= gap->start_ns)
        ++*at;
    for (size_t i = *at; i < w->stretches.n && w->stretches.v[i].start_ns < end; i++) {
        const struct stretch *s = &w->stretches.v[i];

        gap->compiling_ns += overlap_ns(gap->start_ns, end, s->start_ns, s->end_ns);
        note_compile(gap, w, s, &most);
    }
    gap->cause = cause_of(gap->compile);
}

static int by_length(const void *pa, const void *pb)
{
    const struct gpu_gap *a = pa, *b = pb;

    if (a->duration_ns != b->duration_ns)
        return a->duration_ns < b->duration_ns ? 1 : -1;
    return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

static void sort_gaps(struct gpu_answers *out, size_t first)
{
    if (out->gaps.n > first)
        qsort(out->gaps.v + first, out->gaps.n - first, sizeof *out->gaps.v, by_length);
    if (out->gaps.n > first + GPU_GAPS_MAX)
        out->gaps.n = first + GPU_GAPS_MAX;
}

/* Lets the list grow to twice its final size before it is cut. */
static void add_gap(struct arena *a, struct gpu_answers *out, size_t first, const struct gpu_gap *gap)
{
    vec_push(a, &out->gaps, *gap);
    if (out->gaps.n >= first + 2 * GPU_GAPS_MAX)
        sort_gaps(out, first);
}

static void add_busy(struct arena *a, const struct gpu_process *g, struct gpu_answers *out, struct gpu_sum *sum)
{
    struct work work = {0};
    size_t first = out->gaps.n, at = 0;
    int64_t end;

    if (g->activities.n == 0)
        return;
    if (g->process)
        find_work(a, g->process, &work);
    end = g->activities.v[0].start_ns;
    vec_each(const struct gpu_activity, x, &g->activities)
    {
        struct gpu_gap gap = {.gpu = g, .start_ns = end, .duration_ns = x->start_ns - end};
        int64_t last = x->start_ns + x->duration_ns, from = x->start_ns > end ? x->start_ns : end;

        if (gap.duration_ns >= least_gap_ns) {
            explain_gap(&gap, &work, &at);
            sum->gap_ns[gap.cause] += gap.compiling_ns;
            sum->gap_ns[GAP_OTHER] += gap.duration_ns - gap.compiling_ns;
            add_gap(a, out, first, &gap);
        }
        sum->busy_ns += last > from ? last - from : 0;
        end = last > end ? last : end;
    }
    sum->span_ns = end - g->activities.v[0].start_ns;
    sort_gaps(out, first);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static void add_counts(const struct gpu_process *g, struct gpu_sum *sum)
{
    uint64_t *seen = xcalloc((UINT16_MAX + 1) / 64, sizeof *seen);

    vec_each(const struct gpu_activity, a, &g->activities)
    {
        enum gpu_kind kind = g->names.v[a->name].kind;
        uint64_t bit = 1ull << (a->device % 64);

        sum->counts[kind]++;
        sum->times_ns[kind] = add_bounded(sum->times_ns[kind], a->duration_ns);
        sum->devices += !(seen[a->device / 64] & bit);
        seen[a->device / 64] |= bit;
    }
    free(seen);
}

static void add_process(struct arena *a, const struct gpu_process *g, struct gpu_answers *out)
{
    struct gpu_sum sum = {.gpu = g};
    size_t first = out->stats.n;

    add_counts(g, &sum);
    add_stats(a, g, out);
    if (out->stats.n > first)
        count_graphs(g, out->stats.v + first, out->stats.n - first);
    for (size_t i = first; i < out->stats.n; i++)
        note_kernel(a, out, i);
    add_busy(a, g, out, &sum);
    vec_push(a, &out->sums, sum);
}

void gpu_find(struct arena *a, const struct run *r, struct gpu_answers *out)
{
    *out = (struct gpu_answers){0};
    map_init(&out->kernels, a);
    for (size_t i = 0; i < r->inputs.n; i++)
        for (size_t k = 0; k < r->inputs.v[i]->gpus.n && r->inputs.v[i]->used; k++)
            add_process(a, r->inputs.v[i]->gpus.v[k], out);
    if (out->gaps.n)
        qsort(out->gaps.v, out->gaps.n, sizeof *out->gaps.v, by_length);
}

const struct gpu_stat *gpu_kernel(const struct gpu_answers *g, const struct process *p, struct str name)
{
    char key[600];
    int n = snprintf(key, sizeof key, "%u %.*s", p->index, STR_ARG(name));
    uint64_t at = n > 0 && (size_t)n < sizeof key ? map_number(&g->kernels, (struct str){key, (size_t)n}) : 0;

    return at ? &g->stats.v[at - 1] : NULL;
}

double gpu_share(const struct gpu_answers *g, const struct gpu_stat *s)
{
    return g->total_ns > 0 ? (double)s->total_ns / (double)g->total_ns : 0;
}

const struct gpu_device *gpu_device_of(const struct run *r, const struct gpu_process *g)
{
    const struct gpu_device *only = NULL;
    size_t n = 0;

    for (size_t i = 0; i < r->inputs.n; i++)
        vec_each(const struct gpu_device, d, &r->inputs.v[i]->devices)
        {
            if (g->activities.n && d->index == g->activities.v[0].device && gpu_device_bandwidth(d) > 0)
                return d;
            only = d;
            n++;
        }
    return n == 1 ? only : NULL;
}

/* --- calls of compiled code --------------------------------------------------------------------------------------- */

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

bool gpu_is_known(const struct run *r, const struct gpu_answers *g)
{
    return g->sums.n > 0 || has_devices(r);
}
