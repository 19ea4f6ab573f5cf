#include "analysis/time/printed_times.h"

#include "analysis/time/starts.h"
#include "util/number.h"

/*
 * The names of one call in several versions. A table has one of them, and its times include the calls further down:
 * torch/_dynamo/convert_frame.py, output_graph.py, torch/_functorch/aot_autograd.py, torch/_inductor/compile_fx.py.
 */
enum printed_call {
    CALL_FRAME,
    CALL_BACKEND,
    CALL_AOT,
    CALL_INDUCTOR,
    CALL_LOAD,
    CALL_COMPILER,
    CALL_FORWARD,
    CALL_FORWARD_OLD,
    CALL_BACKWARD,
    CALL_LATER,
    CALL_LOWERING,
    CALL_MODULE,
    CALL_GUARDS,
    CALL_PASSES_JOINT,
    CALL_PASSES_POST,
    CALLS
};

enum { NAMES_MAX = 4, CALLS_COMPARED = 64 };

static const struct str names[CALLS][NAMES_MAX] = {
    [CALL_FRAME] = {STR_INIT("_compile.compile_inner"), STR_INIT("_compile.<locals>.compile_inner"),
                    STR_INIT("_compile"), STR_INIT("entire_frame_compile")},
    [CALL_BACKEND] = {STR_INIT("OutputGraph.call_user_compiler"), STR_INIT("backend_compile")},
    [CALL_AOT] = {STR_INIT("create_aot_dispatcher_function")},
    [CALL_INDUCTOR] = {STR_INIT("compile_fx_inner"), STR_INIT("inductor_compile"), STR_INIT("fx_codegen_and_compile")},
    [CALL_LOAD] = {STR_INIT("PyCodeCache.load_by_key_path"), STR_INIT("async_compile.wait")},
    [CALL_COMPILER] = {STR_INIT("compile_file")},
    [CALL_FORWARD] = {STR_INIT("compile_fx.<locals>.fw_compiler_base")},
    [CALL_FORWARD_OLD] = {STR_INIT("compile_fx.<locals>.fw_compiler")}, /* 2.0 */
    [CALL_BACKWARD] = {STR_INIT("compile_fx.<locals>.bw_compiler")},
    /* The backward graph, when it is compiled at the first call of backward(): since 2.6, runtime_wrappers.py */
    [CALL_LATER] = {STR_INIT("backward._backward_impl"), STR_INIT("entire_backward_compile")},
    [CALL_LOWERING] = {STR_INIT("GraphLowering.run")},
    [CALL_MODULE] = {STR_INIT("GraphLowering.compile_to_module"), STR_INIT("code_gen")},
    [CALL_GUARDS] = {STR_INIT("build_guards")},
    [CALL_PASSES_JOINT] = {STR_INIT("_recursive_joint_graph_passes")},
    [CALL_PASSES_POST] = {STR_INIT("_recursive_post_grad_passes")},
};

static int64_t sum_of(const struct call_times *row)
{
    int64_t sum = 0;

    vec_each(const int64_t, ns, &row->each_ns) sum = add_bounded(sum, *ns);
    return sum;
}

static const struct call_times *row_of(const struct process *p, enum printed_call call)
{
    for (size_t i = 0; i < NAMES_MAX && names[call][i].n; i++)
        vec_each(const struct call_times, row, &p->times) if (str_eq(row->name, names[call][i]) && row->each_ns.n)
            return row;
    return NULL;
}

/* Takes the longest backward graph that fits into what one call of AOTAutograd does beside the forward graph. */
static void take_inside(const struct call_times *backward, int64_t room, bool inside[CALLS_COMPARED])
{
    size_t best = CALLS_COMPARED;

    for (size_t i = 0; i < backward->each_ns.n; i++)
        if (!inside[i] && backward->each_ns.v[i] <= room &&
            (best == CALLS_COMPARED || backward->each_ns.v[i] > backward->each_ns.v[best]))
            best = i;
    if (best < CALLS_COMPARED)
        inside[best] = true;
}

/* Backward graphs were compiled within AOTAutograd's calls, or later, and up to 2.5 only the times show which. */
static int64_t backward_later(const struct call_times *aot, const struct call_times *forward,
                              const struct call_times *backward)
{
    bool inside[CALLS_COMPARED] = {false};
    int64_t sum = 0;

    if (!aot || !forward || aot->each_ns.n != forward->each_ns.n || backward->each_ns.n > CALLS_COMPARED)
        return aot && forward && sum_of(aot) - sum_of(forward) >= sum_of(backward) ? 0 : sum_of(backward);
    for (size_t i = 0; i < aot->each_ns.n; i++)
        take_inside(backward, aot->each_ns.v[i] - forward->each_ns.v[i], inside);
    for (size_t i = 0; i < backward->each_ns.n; i++)
        sum = inside[i] ? sum : add_bounded(sum, backward->each_ns.v[i]);
    return sum;
}

/* The time of backward graphs that were compiled when backward() was called. */
static int64_t later_of(const struct process *p)
{
    const struct call_times *later = row_of(p, CALL_LATER), *backward = row_of(p, CALL_BACKWARD);

    if (later)
        return sum_of(later);
    if (backward && row_of(p, CALL_FORWARD_OLD)) /* 2.0 compiles it when backward() is called */
        return sum_of(backward);
    return backward ? backward_later(row_of(p, CALL_AOT), row_of(p, CALL_FORWARD), backward) : 0;
}

/* The total of a benchmark counts if no call does. vLLM's total has all of it; of several starts the longest counts. */
static int64_t total_of(const struct process *p, int64_t frame, int64_t later)
{
    int64_t ns = frame >= 0 || later ? add_bounded(frame < 0 ? 0 : frame, later) : -1, start = starts_longest_ns(p);

    vec_each(const struct call_times, row, &p->times)
        if (ns < 0 && str_eq(row->name, STR("dynamo_timed")) && row->each_ns.n)
            ns = row->each_ns.v[0];
    return start > ns ? start : ns;
}

/*
 * The longest call of each phase, where no more is known. The calls of kernels, and what CUDA graphs record, belong to
 * the first run of the compiled code, which no total includes. vLLM names each size that it compiles a graph for.
 */
static void add_longest(const struct process *p, struct printed_times *out)
{
    int64_t graphs = 0;

    vec_each(const struct call_times, row, &p->times)
    {
        enum phase phase = phase_of_event(row->name);
        int64_t ns = sum_of(row);

        if (str_starts(row->name, STR("vLLM: graph for ")))
            ns = graphs = add_bounded(graphs, ns);
        if (ns > out->phase_ns[phase] && phase != PHASE_CUDA_GRAPHS && !str_starts(row->name, STR("CachingAutotuner.")))
            out->phase_ns[phase] = ns;
    }
}

/* What a call does beside those inside it: unknown where the table does not have both. */
static int64_t own_of(int64_t whole, int64_t inside)
{
    return whole < 0 || inside < 0 ? 0 : whole > inside ? whole - inside : 0;
}

/* Takes a phase that is inside another from it; its time is unknown if it is longer than what is left of that one. */
static void take_from(struct printed_times *out, enum phase outer, enum phase inner)
{
    if (out->phase_ns[inner] > out->phase_ns[outer])
        out->phase_ns[inner] = 0;
    out->phase_ns[outer] -= out->phase_ns[inner];
}

static int64_t at_least_0(int64_t ns)
{
    return ns < 0 ? 0 : ns;
}

/* A table whose rows do not fit into one another as PyTorch's calls do shows nothing of the phases. */
static void check_parts(struct printed_times *out)
{
    int64_t sum = 0;

    for (int i = 0; i < PHASE_COUNT; i++)
        sum = add_bounded(sum, i == PHASE_BACKEND || i == PHASE_OTHER ? 0 : out->phase_ns[i]);
    for (int i = 0; i < PHASE_COUNT && sum > out->total_ns; i++)
        out->phase_ns[i] = 0;
}

/* The time of Inductor with all that it calls; -1 unknown. */
static int64_t inductor_of(const int64_t ns[CALLS])
{
    int64_t forward = ns[CALL_FORWARD] >= 0 ? ns[CALL_FORWARD] : ns[CALL_FORWARD_OLD], inductor = -1, made = -1;

    if (ns[CALL_INDUCTOR] >= 0)
        return ns[CALL_INDUCTOR];
    if (forward >= 0)
        inductor = add_bounded(forward, at_least_0(ns[CALL_BACKWARD]));
    if (ns[CALL_LOWERING] >= 0 || ns[CALL_MODULE] >= 0) /* of backward graphs, too, whose own row may be missing */
        made = add_bounded(at_least_0(ns[CALL_LOWERING]), at_least_0(ns[CALL_MODULE]));
    if (inductor < 0 && made < 0)
        return ns[CALL_BACKWARD];
    return inductor > made ? inductor : made;
}

/* The calls that PyTorch's own tables have, of each what it does itself. */
static void find_parts(const int64_t ns[CALLS], int64_t later, struct printed_times *out)
{
    int64_t inductor = inductor_of(ns);
    int64_t compiler = ns[CALL_LOAD] > ns[CALL_COMPILER] ? ns[CALL_LOAD] : ns[CALL_COMPILER];
    int64_t at_once = inductor < 0 ? -1 : inductor > later ? inductor - later : 0;
    int64_t inside = ns[CALL_BACKEND] >= 0 ? ns[CALL_BACKEND] : ns[CALL_AOT] >= 0 ? ns[CALL_AOT] : at_once;

    out->phase_ns[PHASE_DYNAMO] = own_of(ns[CALL_FRAME], inside);
    out->phase_ns[PHASE_GUARDS] = at_least_0(ns[CALL_GUARDS]);
    take_from(out, PHASE_DYNAMO, PHASE_GUARDS);
    if (inductor >= 0)
        out->phase_ns[PHASE_INDUCTOR] = inductor;
    /* Where Inductor is missing, it may have taken most of the time, unless a cache had what it makes. */
    out->phase_ns[PHASE_AOT] = own_of(ns[CALL_AOT], at_once < 0 && out->phase_ns[PHASE_CACHE] > 0 ? 0 : at_once);
    out->phase_ns[PHASE_PASSES] = at_least_0(ns[CALL_PASSES_JOINT]);
    take_from(out, PHASE_AOT, PHASE_PASSES);
    if (compiler >= 0) /* files are compiled side by side, and their times are longer than the wait for them */
        out->phase_ns[PHASE_COMPILER] = compiler > inductor && inductor >= 0 ? inductor : compiler;
    if (inductor < 0) {
        if (out->phase_ns[PHASE_CACHE] > 0) /* what was loaded came from the cache */
            out->phase_ns[PHASE_COMPILER] = 0;
        if (ns[CALL_AOT] >= 0) {
            take_from(out, PHASE_AOT, PHASE_COMPILER);
            take_from(out, PHASE_AOT, PHASE_CACHE);
        }
        return;
    }
    take_from(out, PHASE_INDUCTOR, PHASE_COMPILER);
    if (at_least_0(ns[CALL_PASSES_POST]) <= out->phase_ns[PHASE_INDUCTOR]) {
        out->phase_ns[PHASE_PASSES] += at_least_0(ns[CALL_PASSES_POST]);
        out->phase_ns[PHASE_INDUCTOR] -= at_least_0(ns[CALL_PASSES_POST]);
    }
    take_from(out, PHASE_INDUCTOR, PHASE_AUTOTUNE);
    take_from(out, PHASE_INDUCTOR, PHASE_CACHE);
}

void printed_times_find(const struct process *p, struct printed_times *out)
{
    int64_t ns[CALLS], later = later_of(p);

    *out = (struct printed_times){.old = row_of(p, CALL_FORWARD_OLD)};
    for (int i = 0; i < CALLS; i++) {
        const struct call_times *row = row_of(p, (enum printed_call)i);

        ns[i] = row ? sum_of(row) : -1;
    }
    out->total_ns = total_of(p, ns[CALL_FRAME], later);
    out->is_sum = ns[CALL_FRAME] > 0 && later > 0 && out->total_ns == add_bounded(ns[CALL_FRAME], later);
    add_longest(p, out);
    if (ns[CALL_FRAME] >= 0 || ns[CALL_AOT] >= 0 || inductor_of(ns) >= 0)
        find_parts(ns, later, out);
    check_parts(out);
}
