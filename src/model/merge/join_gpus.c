#include "model/merge/join_gpus.h"

#include <stdlib.h>

/* --- order -------------------------------------------------------------------------------------------------------- */

static int by_start(const void *pa, const void *pb)
{
    const struct gpu_activity *a = pa, *b = pb;

    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    if (a->duration_ns != b->duration_ns)
        return a->duration_ns < b->duration_ns ? -1 : 1;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return (a->name > b->name) - (a->name < b->name);
}

static void sort_activities(struct gpu_process *g)
{
    for (size_t i = 1; i < g->activities.n; i++)
        if (by_start(&g->activities.v[i - 1], &g->activities.v[i]) > 0) {
            qsort(g->activities.v, g->activities.n, sizeof *g->activities.v, by_start);
            return;
        }
}

/* --- whose activities they are ------------------------------------------------------------------------------------ */

/* Two clocks may differ by this much. */
#define CLOCKS_APART_US (60 * 1000000ll)

static int64_t began_us(const struct process *p)
{
    return p->first_us - (p->zone_known ? p->zone_us : p->run->zone_us);
}

/* A trace begins before the work on the GPU ends. The trace may end hours earlier, when nothing more is compiled. */
static bool may_be(const struct process *p, const struct gpu_process *g)
{
    return g->activities.n == 0 || p->first_us == 0 ||
           g->activities.v[g->activities.n - 1].start_ns / 1000 + CLOCKS_APART_US >= began_us(p);
}

static bool began_before(const struct process *p, const struct gpu_process *g)
{
    return g->activities.n == 0 || began_us(p) <= g->activities.v[0].start_ns / 1000 + CLOCKS_APART_US;
}

/*
 * How likely p is the process: its id decides, then its rank if no other process has it. In containers few ids occur
 * (every main process may be 1), so a different rank means a different process.
 */
static int likeness(const struct process *p, const struct gpu_process *g)
{
    bool ranked = p->rank != RANK_UNKNOWN && g->rank != RANK_UNKNOWN, pid = g->pid && !p->pid_is_thread && p->pid;

    if ((ranked && p->rank != g->rank) || !may_be(p, g))
        return 0;
    if (pid && p->pid == g->pid)
        return ranked ? 4 : 3;
    return ranked && !pid ? 2 : 0;
}

/* If there are only one trace and one activity file, and neither names its process, they belong together. */
static bool is_only(const struct run *r, const struct process *p, const struct gpu_process *g)
{
    size_t files = 0;

    for (size_t i = 0; i < r->inputs.n; i++)
        files += r->inputs.v[i]->gpus.n;
    return r->processes.n == 1 && files == 1 && (!g->pid || p->pid_is_thread || !p->pid) && may_be(p, g);
}

/*
 * Of equally likely processes of several runs in one place, the newest one that began before the work did; none if
 * they are of one run. Processes are in the order of runs.
 */
static struct process *find_process(const struct run *r, const struct gpu_process *g)
{
    struct process *best = NULL;
    int most = 0;
    bool twice = false;

    for (size_t i = 0; i < r->processes.n; i++) {
        struct process *p = r->processes.v[i];
        int likely = likeness(p, g);
        bool newer = best && likely == most && p->group != best->group && began_before(p, g);

        twice |= best && likely == most && p->group == best->group;
        if (likely > most || newer) {
            most = likely;
            best = p;
            twice = false;
        }
    }
    if (!best && r->processes.n == 1 && is_only(r, r->processes.v[0], g))
        return r->processes.v[0];
    return twice ? NULL : best;
}

void gpu_join(struct run *r)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        for (size_t k = 0; k < r->inputs.v[i]->gpus.n; k++) {
            struct gpu_process *g = r->inputs.v[i]->gpus.v[k];

            sort_activities(g);
            g->process = find_process(r, g);
        }
}
