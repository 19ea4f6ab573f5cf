#include "model/conclude/conclude.h"

#include "model/conclude/callers.h"
#include "model/conclude/dedup_log.h"
#include "model/conclude/failures.h"
#include "model/conclude/infer_breaks.h"
#include "model/conclude/shapes.h"

#include <stdlib.h>

/* Dynamo analyzed the frame and left it as it was. */
static bool installed_nothing(const struct metrics *m)
{
    const struct metric *installed = metrics_get(m, "has_guarded_code");

    return installed && installed->type == METRIC_BOOL && !installed->b;
}

static bool has_error(const struct compile *c)
{
    for (size_t i = 0; i < c->failures.n; i++)
        if (!c->failures.v[i]->fallback)
            return true;
    return false;
}

/* What kinds of messages a text log has for any compile of a process: the user chooses what PyTorch logs. */
struct log_coverage {
    bool always; /* a trace, which has everything */
    bool guards, graphs;
};

static struct log_coverage log_coverage_of(const struct process *p)
{
    struct log_coverage t = {.always = p->input->kind != INPUT_TORCH_LOGS, .guards = p->guards_logged};

    for (size_t i = 0; i < p->compiles.n && !t.always && !t.graphs; i++)
        t.graphs = compile_artifact(p->compiles.v[i], ARTIFACT_DYNAMO_OUTPUT_GRAPH) != NULL;
    return t;
}

/*
 * torch.export traces a frame without dynamo_start, and writes its guards and metrics without a compile id
 * (torch/_dynamo/convert_frame.py, fullgraph_capture): only the graph shows that it finished.
 */
static bool is_exported(const struct compile *c)
{
    return c->start == START_ATTEMPT && !c->started && compile_artifact(c, ARTIFACT_DYNAMO_OUTPUT_GRAPH);
}

/*
 * Missing messages only count if the log has messages of that kind: a compile is incomplete if nothing that is logged
 * shows that it finished.
 */
static enum compile_status status_of(const struct compile *c, const struct log_coverage *logged)
{
    const struct metrics *m = compile_metrics(c, METRICS_FORWARD);
    bool captures = c->id.frame == ID_NONE;
    int64_t ops = -1;

    if (c->limit_hit || has_error(c))
        return STATUS_ERROR;
    if (c->breaks.n)
        return STATUS_GRAPH_BREAK;
    metrics_i64(m, "graph_op_count", &ops);
    if (m ? ops == 0 || (ops < 0 && !compile_artifact(c, ARTIFACT_DYNAMO_OUTPUT_GRAPH)) || installed_nothing(m)
          : c->guards_seen && !compile_artifact(c, ARTIFACT_DYNAMO_OUTPUT_GRAPH) && (logged->always || logged->graphs))
        return STATUS_EMPTY;
    if (m || c->guards_seen || captures || is_exported(c) || !(logged->always || logged->guards))
        return STATUS_OK;
    return STATUS_INCOMPLETE;
}

static void conclude_compile(struct compile *c, bool breaks_recorded, struct arena *scratch)
{
    failures_conclude(c);
    infer_breaks_of_compile(c, !breaks_recorded, scratch);
    failures_mark_fallbacks(c, infer_breaks_has_record(c));
    shapes_conclude(c, scratch);
    arena_reset(scratch);
    c->backward |= compile_artifact(c, ARTIFACT_AOT_BACKWARD_GRAPH) != NULL;
}

/*
 * Events with the same time and depth stay in the order of the file; qsort alone would leave their order to the C
 * library.
 */
static int by_start(const void *pa, const void *pb)
{
    const struct event *a = pa, *b = pb;
    uint64_t place_a = a->begin.length ? a->begin.offset : a->end.offset;
    uint64_t place_b = b->begin.length ? b->begin.offset : b->end.offset;

    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return (place_a > place_b) - (place_a < place_b);
}

void conclude_process(struct process *p)
{
    struct arena *scratch = arena_new();
    bool breaks_recorded = infer_breaks_needless(p);
    struct log_coverage what;

    if (callers_only(p))
        callers_use(p, scratch);
    for (size_t i = 0; i < p->compiles.n; i++)
        conclude_compile(p->compiles.v[i], breaks_recorded, scratch);
    conclude_compile(p->unattributed, breaks_recorded, scratch);
    arena_free(scratch);
    if (!breaks_recorded)
        infer_breaks_of_frames(p);
    dedup_log_drop(p);
    what = log_coverage_of(p);
    for (size_t i = 0; i < p->compiles.n; i++)
        p->compiles.v[i]->status = status_of(p->compiles.v[i], &what);
    if (p->events.n)
        qsort(p->events.v, p->events.n, sizeof *p->events.v, by_start);
}
