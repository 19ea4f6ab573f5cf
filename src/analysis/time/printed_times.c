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
    CALL_BACKWARD,
    CALL_LATER,
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
    [CALL_BACKWARD] = {STR_INIT("compile_fx.<locals>.bw_compiler")},
    /* The backward graph, when it is compiled at the first call of backward(): since 2.6, runtime_wrappers.py */
    [CALL_LATER] = {STR_INIT("backward._backward_impl"), STR_INIT("entire_backward_compile")},
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

/* The longest call of each phase, where no more is known. vLLM names each size that it compiles a graph for. */
static void add_longest(const struct process *p, struct printed_times *out)
{
    int64_t graphs = 0;

    vec_each(const struct call_times, row, &p->times)
    {
        enum phase phase = phase_of_event(row->name);
        int64_t ns = sum_of(row);

        if (str_starts(row->name, STR("vLLM: graph for ")))
            ns = graphs = add_bounded(graphs, ns);
        if (ns > out->phase_ns[phase])
            out->phase_ns[phase] = ns;
    }
}

/* What a call does beside those inside it, where the table has both. */
static void set_own(struct printed_times *out, enum phase phase, int64_t whole, int64_t inside)
{
    if (whole >= 0 && inside >= 0)
        out->phase_ns[phase] = whole > inside ? whole - inside : 0;
}

void printed_times_find(const struct process *p, struct printed_times *out)
{
    int64_t ns[CALLS], later = later_of(p), at_once, compiler;

    *out = (struct printed_times){0};
    for (int i = 0; i < CALLS; i++) {
        const struct call_times *row = row_of(p, (enum printed_call)i);

        ns[i] = row ? sum_of(row) : -1;
    }
    if (ns[CALL_INDUCTOR] < 0 && ns[CALL_FORWARD] >= 0)
        ns[CALL_INDUCTOR] = add_bounded(ns[CALL_FORWARD], ns[CALL_BACKWARD] < 0 ? 0 : ns[CALL_BACKWARD]);
    out->total_ns = total_of(p, ns[CALL_FRAME], later);
    add_longest(p, out);
    compiler = ns[CALL_LOAD] > ns[CALL_COMPILER] ? ns[CALL_LOAD] : ns[CALL_COMPILER];
    at_once = ns[CALL_INDUCTOR] > later ? ns[CALL_INDUCTOR] - later : ns[CALL_INDUCTOR] < 0 ? -1 : 0;
    set_own(out, PHASE_DYNAMO, ns[CALL_FRAME],
            ns[CALL_BACKEND] >= 0 ? ns[CALL_BACKEND] : ns[CALL_AOT] >= 0 ? ns[CALL_AOT] : at_once);
    set_own(out, PHASE_AOT, ns[CALL_AOT], at_once);
    set_own(out, PHASE_INDUCTOR, ns[CALL_INDUCTOR], compiler < 0 ? 0 : compiler);
    if (compiler >= 0)
        out->phase_ns[PHASE_COMPILER] = compiler;
    if (ns[CALL_INDUCTOR] < 0 && out->phase_ns[PHASE_CACHE] > 0) /* what was loaded came from the cache */
        out->phase_ns[PHASE_COMPILER] = 0;
}
