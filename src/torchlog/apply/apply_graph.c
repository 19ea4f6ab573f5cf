/* Graphs and generated code, which are kept as artifacts: under which name, and where PyTorch put them. */
#include "torchlog/apply/apply.h"

#include "trace/kinds.h"

/* What a graph's title says it is; titles are unique, and the longer of two that begin alike comes first. */
static const struct {
    struct str mark, name;
} titles[] = {
    {STR_INIT("aot_config id:"), STR_INIT("aot_forward_graph_fw_metadata")},
    {STR_INIT("Forward graph"), STR_INIT("aot_inference_graph")},
    {STR_INIT("Backward graph"), STR_INIT("aot_backward_graph")},
    {STR_INIT("Joint graph"), STR_INIT("aot_joint_graph")},
    {STR_INIT("BEFORE PRE GRAD"), STR_INIT("before_pre_grad_graph")},
    {STR_INIT("AFTER PRE GRAD"), STR_INIT("after_pre_grad_graph")},
    {STR_INIT("BEFORE POST GRAD"), STR_INIT("before_post_grad_graph")},
    {STR_INIT("AFTER POST GRAD"), STR_INIT("inductor_post_grad_graph")},
    {STR_INIT("Compiled autograd graph"), STR_INIT("compiled_autograd_graph")},
};

/* The graph that a compile runs forward is called the same with and without a backward graph, which follows. */
static void note_backward(struct record *rec)
{
    struct compile *c = rec->compile;

    c->backward = true;
    for (size_t i = c->artifacts.n; i-- > 0;) {
        struct artifact *a = c->artifacts.v[i];

        if (!artifact_is(a, ARTIFACT_AOT_INFERENCE_GRAPH))
            continue;
        a->name = record_intern(rec, artifact_name(ARTIFACT_AOT_FORWARD_GRAPH));
        a->info = artifact_info_find(a->name);
        return;
    }
}

/* " ===== Forward graph 0 =====" below "TRACED GRAPH", or "Forward graph (from cache)" as the first line. */
void apply_log_graph(struct record *rec)
{
    struct str text = rec->text, first = {0};

    str_next_line(&text, &first);
    if (str_starts(first, STR("TRACED GRAPH")))
        str_next_line(&text, &first);
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (str_has(str_take(first, 200), titles[i].mark)) {
            rec->name = record_intern(rec, titles[i].name);
            break;
        }
    if (str_eq(rec->name, artifact_name(ARTIFACT_AOT_BACKWARD_GRAPH)))
        note_backward(rec);
}

/* torch/_inductor/graph.py: "Output code written to: PATH" follows the code. */
void apply_log_code_path(struct record *rec)
{
    struct compile *c = rec->compile;
    struct str path = rec->text;

    if (!str_consume(&path, STR("Output code written to: ")))
        return;
    for (size_t i = c->artifacts.n; i-- > 0;)
        if (artifact_is(c->artifacts.v[i], ARTIFACT_INDUCTOR_OUTPUT_CODE)) {
            if (c->artifacts.v[i]->detail.n == 0)
                c->artifacts.v[i]->detail = record_intern(rec, str_trim(str_split(&path, '\n')));
            return;
        }
}

static void add_partition_reason(struct record *rec, struct str reason)
{
    static const struct str unwanted = STR_INIT("partition includes all ops when cudagraphs is disabled");
    bool known = str_eq(reason, unwanted);

    vec_each(const struct cudagraph_skip, skip, &rec->compile->cudagraph_skips) known |= str_eq(skip->reason, reason);
    if (!known)
        add_cudagraph_skip(rec, reason);
}

/*
 * "Created 4 graph partitions: 2 cudagraphable, 2 non-cudagraphable" (2.11, torch/_inductor/scheduler.py): without a
 * part that is one, CUDA graphs may be off.
 */
void apply_log_partitions(struct record *rec)
{
    struct str rest = rec->text;
    uint64_t parts, used, left;

    if (str_consume(&rest, STR("Created ")) && str_take_u64(&rest, &parts) &&
        str_consume(&rest, STR(" graph partitions: ")) && str_take_u64(&rest, &used) &&
        str_consume(&rest, STR(" cudagraphable, ")) && str_take_u64(&rest, &left) && used && left)
        add_partition_reason(rec, arena_printf(rec->reading->scratch, "%llu of %llu" GRAPH_PARTS_LEFT_OUT,
                                               (unsigned long long)left, (unsigned long long)parts));
}

/*
 * "op8: reason=cpu ops, ir=ComputedBuffer, fx=..." (2.11, torch/_inductor/scheduler.py, _log_non_cudagraphable_node):
 * an operator that stays out of the CUDA graphs of the parts around it. Each reason of a compile counts once.
 */
void apply_log_partition_op(struct record *rec)
{
    struct str rest = rec->text, line, reason;

    while (str_next_line(&rest, &line))
        if (str_between(line, STR("reason="), STR(", ir="), &reason))
            add_partition_reason(rec, reason);
}

/* torch/_inductor/cudagraph_utils.py, log_cudagraph_skip_and_bump_counter. */
void apply_log_cudagraph_skip(struct record *rec)
{
    add_cudagraph_skip(rec, rec->text);
}
