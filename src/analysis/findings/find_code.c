/*
 * Findings about what the graphs do at run time: inputs that are modified, operators outside of kernels, CUDA graphs.
 */
#include "analysis/answers/versions.h"
#include "analysis/find/find.h"

#include "text/graphs/fx_graph.h"
#include "text/graphs/graph_ops.h"
#include "text/python/python_code.h"
#include "util/map.h"

#define COPY "torch.ops.aten.copy_.default("

enum { GRAPHS_READ_MAX = 200, NAMES_MAX = 8 };

/*
 * The graph as Inductor gets it: after Inductor's own passes if the trace has that graph, else as AOTAutograd wrote
 * it.
 */
static const struct artifact *graph_of(const struct compile *c)
{
    static const enum artifact_id ids[] = {ARTIFACT_INDUCTOR_POST_GRAD_GRAPH, ARTIFACT_AOT_INFERENCE_GRAPH,
                                           ARTIFACT_AOT_FORWARD_GRAPH};
    const struct artifact *a = NULL;

    for (size_t i = 0; i < sizeof ids / sizeof *ids && !a; i++)
        a = compile_artifact(c, ids[i]);
    return a;
}

/* One property of the code, over all graphs. */
struct code_trait {
    struct finding *finding;
    struct map names;
    struct str list; /* "`a`, `b`" */
};

static void add_name(struct finder *f, struct code_trait *t, struct str name)
{
    void **slot = map_at(&t->names, arena_str(f->arena, name));

    if (!*slot && t->names.n <= NAMES_MAX)
        t->list = arena_printf(f->arena, "%.*s%s`%.*s`", STR_ARG(t->list), t->list.n ? ", " : "", STR_ARG(name));
    *slot = t;
}

static void add_trait(struct finder *f, struct code_trait *t, const char *id, enum finding_severity severity,
                      const struct compile *c)
{
    if (!t->finding)
        t->finding = finding_add(f, id, severity);
    finding_evidence(f, t->finding, c);
}

struct code {
    struct code_trait mutated, fallback, not_compliant;
};

/* --- inputs that are changed -------------------------------------------------------------------------------------- */

static void set_place(struct finder *f, struct finding *x, struct str comment)
{
    struct fx_place place;

    if (x->file.n || !fx_place_parse(comment, &place))
        return;
    x->file = arena_str(f->arena, place.file);
    x->line = place.line;
    if (place.code.n)
        x->source = arena_str(f->arena, place.code);
}

/* The parameters of "def forward(self, x: \"f32[4, 4]\", y: ...):". */
struct parameters {
    VEC(struct str) names;
    struct map places; /* name -> its index, from 1 (numbers) */
};

/* The names are copied: the text of a payload only lasts until the next one is read. */
static void read_parameters(struct finder *f, struct str graph, struct parameters *out)
{
    ptrdiff_t at = str_find(graph, STR("def forward(self, ")), end;
    struct str rest, one;

    *out = (struct parameters){0};
    map_init(&out->places, f->arena);
    if (at < 0)
        return;
    rest = str_skip(graph, (size_t)at + sizeof "def forward(self, " - 1);
    rest = str_split(&rest, '\n');
    end = python_find(rest, STR(")"), PYTHON_TOP_LEVEL);
    rest = end < 0 ? (struct str){0} : arena_str(f->arena, str_take(rest, (size_t)end));
    while (rest.n) {
        uint64_t *place;

        end = python_find(rest, STR(","), PYTHON_TOP_LEVEL);
        one = end < 0 ? rest : str_take(rest, (size_t)end);
        rest = end < 0 ? (struct str){0} : str_skip(rest, (size_t)end + 1);
        vec_push(f->arena, &out->names, str_trim(str_split(&one, ':')));
        place = map_number_at(&out->places, out->names.v[out->names.n - 1]);
        *place = *place ? *place : out->names.n;
    }
}

/*
 * The parameter of Dynamo's graph that corresponds to AOTAutograd's "primals_2" or "arg1_1". AOTAutograd keeps the
 * order; it puts the parameters and buffers first that Dynamo left in the module (until 2.4).
 */
static struct str parameter_in_dynamo(const struct parameters *aot, const struct parameters *dynamo, struct str wanted)
{
    size_t all = aot->names.n, own = dynamo->names.n, place = (size_t)map_number(&aot->places, wanted);

    return own > all || place <= all - own ? (struct str){0} : dynamo->names.v[place - 1 - (all - own)];
}

/* State of a module is meant to change: the statistics of a batch norm, a cache. */
static bool is_of_module(struct str parameter)
{
    return str_has(parameter, STR("_buffers_")) || str_has(parameter, STR("_parameters_"));
}

/* "total" for L_total_. */
static struct str plain_name(struct str parameter)
{
    if (str_consume(&parameter, STR("L_")) || str_consume(&parameter, STR("l_")))
        return str_ends(parameter, STR("_")) ? str_drop(parameter, 1) : parameter;
    return parameter;
}

/* copy_: "f32[4][1]cpu" = torch.ops.aten.copy_.default(arg0_1, add) */
static void read_graph(struct finder *f, struct code *code, const struct compile *c, struct str text)
{
    const struct artifact *graph = compile_dynamo_graph(c);
    struct parameters aot, dynamo;
    struct str place = {0};
    struct graph_op op;

    if (!graph || !str_has(text, STR(COPY)))
        return;
    text = arena_str(f->arena, text);
    read_parameters(f, text, &aot);
    read_parameters(f, finder_read(f, graph), &dynamo);
    while (graph_op_next(&text, &place, &op)) {
        struct str name;

        if (!str_consume(&op.call, STR(COPY)))
            continue;
        name = parameter_in_dynamo(&aot, &dynamo, str_split(&op.call, ','));
        if (name.n == 0 || is_of_module(name))
            continue;
        if (c->frame && code_file_has(c->frame->file, STR("torch/optim/"))) /* what an optimizer is for */
            continue;
        add_trait(f, &code->mutated, "mutated-inputs", FINDING_INFO, c);
        add_name(f, &code->mutated, plain_name(name));
        set_place(f, code->mutated.finding, op.place);
    }
}

static void find_mutated(struct finder *f, const struct code *code)
{
    const struct code_trait *t = &code->mutated;

    if (!t->finding)
        return;
    t->finding->title =
        arena_printf(f->arena, "%zu input%s changed in place: %.*s%s", t->names.n, t->names.n == 1 ? " is" : "s are",
                     STR_ARG(t->list), t->names.n > NAMES_MAX ? ", …" : "");
    t->finding->detail = STR("Each costs a copy at the end of the graph. CUDA graphs are not recorded if an input "
                             "other than a parameter or buffer is changed.");
    t->finding->fix = STR("If this matters, return a new tensor instead.");
}

/* --- operators outside of the generated kernels ------------------------------------------------------------------- */

/* Library kernels that are meant to be called directly, and operators that compute nothing. */
static bool is_expected(struct str op)
{
    static const char *const words[] = {
        "attention", "conv",       "c10d",      "inductor",  "rng_prims",      "mkldnn",
        "mkl",       "quantized",  "aten.copy", "aten.set_", "aten.resize_",   "aten.mm",
        "aten.bmm",  "aten.addmm", "profiler",  "symm_mem",  "aten._scaled_mm"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_has(op, str_of(words[i])))
            return true;
    return false;
}

/* buf3 = torch.ops.shop.price.default(arg0_1) */
static void read_output_code(struct finder *f, struct code *code, const struct compile *c, struct str text)
{
    struct str line;

    while (str_next_line(&text, &line)) {
        ptrdiff_t at = str_find(line, STR(" = torch.ops."));
        struct str op;

        if (at < 0 || !str_starts(str_trim(line), STR("buf")))
            continue;
        op = str_skip(line, (size_t)at + sizeof " = torch.ops." - 1);
        op = str_split(&op, '(');
        if (is_expected(op))
            continue;
        add_trait(f, &code->fallback, "fallback-kernel", FINDING_INFO, c);
        add_name(f, &code->fallback, op);
    }
}

static void find_fallbacks(struct finder *f, const struct code *code)
{
    struct finding *x = code->fallback.finding;

    if (!x)
        return;
    x->title = arena_printf(f->arena, "%zu operator%s outside of the generated kernels: %.*s%s", code->fallback.names.n,
                            code->fallback.names.n == 1 ? " runs" : "s run", STR_ARG(code->fallback.list),
                            code->fallback.names.n > NAMES_MAX ? ", …" : "");
    x->detail =
        STR("Inductor has no lowering for them: each is a call as in eager mode, and nothing is fused into it.");
    x->fix = STR("If one of them matters, write it with operators that Inductor lowers, or as a Triton kernel.");
}

/* --- custom operators --------------------------------------------------------------------------------------------- */

static void note_not_compliant(struct finder *f, struct code *code, const struct compile *c)
{
    const struct metric *m = metrics_get(compile_metrics(c, METRICS_FORWARD), "non_compliant_ops");

    for (size_t i = 0; m && m->type == METRIC_LIST && i < m->list.n; i++) {
        if (str_starts(m->list.v[i], STR("prims::")) || str_starts(m->list.v[i], STR("aten::")))
            continue; /* not the user's */
        add_trait(f, &code->not_compliant, "custom-op-not-compliant", FINDING_LOW, c);
        add_name(f, &code->not_compliant, m->list.v[i]);
    }
}

static void find_not_compliant(struct finder *f, const struct code *code)
{
    const struct code_trait *t = &code->not_compliant;
    struct str op = t->names.n ? t->names.entries[0].key : (struct str){0}, space = op, name;
    ptrdiff_t colons = str_find(op, STR("::"));

    if (!t->finding)
        return;
    space = str_take(op, colons < 0 ? 0 : (size_t)colons);
    name = str_skip(op, space.n + 2);
    t->finding->title = arena_printf(f->arena, "%zu custom operator%s not follow the rules of PT2: %.*s", t->names.n,
                                     t->names.n == 1 ? " does" : "s do", STR_ARG(t->list));
    t->finding->detail = STR("The compiler's assumptions about them are not checked: wrong results are possible.");
    t->finding->fix =
        STR("Define them with torch.library.custom_op, or add the tag pt2_compliant_tag, and check them.");
    finding_paste(t->finding, PASTE_PATTERN,
                  arena_printf(f->arena, "torch.library.opcheck(torch.ops.%.*s.%.*s.default, (x,))", STR_ARG(space),
                               STR_ARG(name)));
}

void find_code(struct finder *f)
{
    struct code code = {0};
    const struct compile *c;
    size_t read = 0;

    map_init(&code.mutated.names, f->arena);
    map_init(&code.fallback.names, f->arena);
    map_init(&code.not_compliant.names, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));) {
        const struct artifact *graph = graph_of(c), *output = compile_artifact(c, ARTIFACT_INDUCTOR_OUTPUT_CODE);

        note_not_compliant(f, &code, c);
        if ((!graph && !output) || read++ >= GRAPHS_READ_MAX)
            continue;
        if (graph)
            read_graph(f, &code, c, finder_read(f, graph));
        if (output)
            read_output_code(f, &code, c, finder_read(f, output));
    }
    find_mutated(f, &code);
    find_fallbacks(f, &code);
    find_not_compliant(f, &code);
}

/* --- CUDA graphs -------------------------------------------------------------------------------------------------- */

/* How AOTAutograd names the inputs of its graphs (torch/_functorch/_aot_autograd/graph_capture_wrappers.py). */
static const struct str inputs_of_graphs[] = {STR_INIT("arg"), STR_INIT("primals_"), STR_INIT("tangents_")};

/* "cat_1" of "cpu device (cat_1)". */
static struct str node_of(struct str reason)
{
    struct str node = {0};

    str_between(reason, STR(" ("), STR(")"), &node);
    return node;
}

/* "layer.bias" of a line that reads one: how PyTorch's layers name their parameters. */
static struct str parameter_read(struct str source)
{
    static const struct str names[] = {STR_INIT(".weight"), STR_INIT(".bias")};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ptrdiff_t at = str_find(source, names[i]);
        size_t begin = at < 0 ? 0 : (size_t)at, end = begin + names[i].n;

        if (at <= 0 || (end < source.n && str_is_word_char(source.p[end])))
            continue;
        while (begin > 0 && (str_is_word_char(source.p[begin - 1]) || source.p[begin - 1] == '.'))
            begin--;
        if (begin < (size_t)at)
            return str_range(source.p + begin, source.p + end);
    }
    return (struct str){0};
}

/*
 * PyTorch names the first node of the graph that is on the CPU, and inputs come before all others
 * (torch/_inductor/cudagraph_utils.py, check_multiple_devices_or_any_cpu_nodes).
 */
static struct str cpu_fix(struct arena *a, struct str node, const struct call *at)
{
    struct str parameter = at ? parameter_read(at->source) : (struct str){0};

    if (node.n == 0)
        return STR("Keep CPU tensors out of the graph: move them to the GPU before the compiled function.");
    if (STR_STARTS_ANY(node, inputs_of_graphs) && !at)
        return STR("An input of the graph is on the CPU. The name is its place among the inputs of the compiled "
                   "graph: `TORCH_LOGS=aot_graphs` prints them with their devices, in newer versions. Often it is a "
                   "small tensor of numbers (an index, a length, a mask) that is made in each call: make it with "
                   "`device=`, or pass a number of Python.");
    if (STR_STARTS_ANY(node, inputs_of_graphs) && parameter.n)
        return arena_printf(a,
                            "An input of the graph is on the CPU, and this line reads `%.*s`: most likely a parameter "
                            "of a module that was not moved to the GPU, or that is offloaded to the CPU and copied in "
                            "each call. Move the whole model to the GPU before the first call, and turn its offloading "
                            "off. Nothing failed: without CUDA graphs it is only slower.",
                            STR_ARG(parameter));
    if (STR_STARTS_ANY(node, inputs_of_graphs))
        return STR("An input of the graph is on the CPU: move what this line reads to the GPU before the compiled "
                   "function.");
    if (at && str_has_any_line(at->source, STR(".cpu()\n.numpy()\n.tolist()\nto(\"cpu\"\nto('cpu'")))
        return STR("This line copies a tensor to the CPU inside the compiled function. Return the tensor of the GPU "
                   "and copy it after the call, or keep what follows on the GPU.");
    if (str_starts(node, STR("device_put")) || str_starts(node, STR("_to_copy")))
        return STR("A tensor is copied to the CPU inside the graph (`.cpu()`, `.to(\"cpu\")`), or made there and "
                   "moved: keep it on the GPU, and copy what is returned after the call.");
    if (at && str_has_any_line(at->source, STR("device=\"cpu\ndevice='cpu\ndevice(\"cpu\ndevice('cpu")))
        return STR("This line makes a tensor on the CPU inside the compiled function: make it on the GPU, or before "
                   "the compiled function.");
    if (at && str_has(at->source, STR("device=")))
        return STR("The line names a device already, so the tensor on the CPU is another one: one that the line reads "
                   "(an attribute of the module, a constant), or the one that PyTorch first makes of a list or of "
                   "sizes and then moves. Move what it reads to the GPU once, in `__init__` (`register_buffer`), and "
                   "make a tensor of numbers before the compiled function, or compute with the numbers.");
    return STR("A tensor that is made in the graph is on the CPU: make it on the GPU, with `device=`, or before the "
               "compiled function.");
}

/* torch/_inductor/utils.py, get_first_incompatible_cudagraph_node: refused only where algorithms are deterministic. */
#define WRITES_BY_INDEX                                                                                                \
    "This operator writes by an index (`x[index] = v`, or the backward of `x[index]`). A CUDA graph may not have it "  \
    "while `torch.use_deterministic_algorithms(True)` is on, which a trainer's option `deterministic` sets: without "  \
    "it, CUDA graphs are used. Nothing failed."

static struct str skip_fix(struct arena *a, struct str reason, const struct call *at)
{
    static const struct {
        struct str words, fix;
    } fixes[] = {
        {STR_INIT("mutated"),
         STR_INIT("Return a new tensor instead of changing the input, or make it a parameter or buffer. One that is "
                  "kept from call to call, such as a cache, can be marked once, when it is made: "
                  "`torch._dynamo.mark_static_address(cache)`.")},
        {STR_INIT("cpp wrapper"),
         STR_INIT("This version has no CUDA graphs with the C++ wrapper, which is on "
                  "(`torch._inductor.config.cpp_wrapper`, or AOTInductor): without it they are used. Nothing failed.")},
        {STR_INIT("dynamic shape ops"),
         STR_INIT("`cudagraph_skip_dynamic_graphs` is on, so operators of sizes that vary are no part of a CUDA graph. "
                  "Pad to a few sizes, or accept it.")},
        {STR_INIT("dynamic shape"),
         STR_INIT("A CUDA graph is recorded for each size. Pad to a few sizes, or accept it.")},
        {STR_INIT("index put with accumulate"),
         STR_INIT("Most often the backward of an index (`table[index]`). Triton adds no bfloat16, bool or int64 in "
                  "such a kernel, so PyTorch's own operator does, which a CUDA graph may not have: index a table of "
                  "float32, not with a mask of bool, or leave that line out of the compiled function.")},
        {STR_INIT("deterministic index put"),
         STR_INIT("`torch.use_deterministic_algorithms(True)` is on, for which an operator is used that a CUDA graph "
                  "may not have: without it, CUDA graphs are used.")},
        {STR_INIT("incompatible op aten.index_put"), STR_INIT(WRITES_BY_INDEX)},
        {STR_INIT("incompatible op aten._unsafe_index_put"), STR_INIT(WRITES_BY_INDEX)},
        {STR_INIT("incompatible op aten._unsafe_masked_index_put"), STR_INIT(WRITES_BY_INDEX)},
        {STR_INIT("incompatible op aten.scatter"), STR_INIT(WRITES_BY_INDEX)},
        {STR_INIT("incompatible op aten._local_scalar_dense"),
         STR_INIT("A number is read from a tensor (`.item()`), for which the CPU waits for the GPU: keep it a tensor, "
                  "or read it outside of the compiled function. Nothing failed.")},
        {STR_INIT("cpu ops"),
         STR_INIT("The graph is split at operators that run on the CPU: only the parts between them are CUDA graphs. "
                  "`AssertScalar` are checks of numbers that are read from tensors, such as sizes that depend on data. "
                  "Others compute with tensors of the CPU: make these on the GPU, or compute them before the compiled "
                  "function. An operator that costs little need not be mended.")},
        {STR_INIT(GRAPH_PARTS_LEFT_OUT),
         STR_INIT("The graph is split at operators that cannot be in a CUDA graph: only the parts between them are "
                  "CUDA graphs. The lines of this log with `reason=` name each of these operators.")},
        {STR_INIT("DeviceCopy ops"),
         STR_INIT("The graph is split where a tensor moves between the CPU and the GPU (`.cpu()`, `.cuda()`, `.to()`): "
                  "move it before the compiled function, or make it where it is used.")},
        {STR_INIT("unbacked binding ops"),
         STR_INIT("The graph is split where a size depends on values (`nonzero`, a mask as an index, `.item()`): use "
                  "a fixed size, or leave that line out of the compiled function.")},
        {STR_INIT("re-recording limit"),
         STR_INIT("A graph is recorded again for each other address of a parameter, buffer or marked input. Keep these "
                  "tensors and copy new values into them (`copy_`), or do not mark them with `mark_static_address`.")},
    };

    if (str_has(reason, STR("cpu device")) || str_has(reason, STR("non-cuda device")))
        return cpu_fix(a, node_of(reason), at);
    for (size_t i = 0; i < sizeof fixes / sizeof *fixes; i++)
        if (str_has(reason, fixes[i].words))
            return fixes[i].fix;
    return STR("Remove the cause that the reason names from the graph, or compile without CUDA graphs.");
}

/* A normalization of PyTorch's that changes its running values; the user's own line is further out. */
static bool is_of_norm(const struct call *innermost)
{
    static const struct str files[] = {STR_INIT("torch/nn/modules/batchnorm.py"),
                                       STR_INIT("torch/nn/modules/instancenorm.py")};

    for (const struct call *c = innermost; c && c != stack_own_call(innermost); c = c->parent)
        if (STR_HAS_ANY(c->file, files))
            return true;
    return false;
}

/* From 2.13 on, DDP leaves the buffers what they are. */
static bool has_ddp_of_old(const struct process *p)
{
    static const struct str old[] = {STR_INIT("2.5."), STR_INIT("2.6."),  STR_INIT("2.7."),  STR_INIT("2.8."),
                                     STR_INIT("2.9."), STR_INIT("2.10."), STR_INIT("2.11."), STR_INIT("2.12.")};
    struct str version = process_pytorch(p);

    return p->input && stated_has(&p->input->stated, STATED_DDP) && (version.n == 0 || STR_STARTS_ANY(version, old));
}

/* What changes the input is not the user's, where it is a norm's buffer. */
static struct str norm_fix(const struct process *p)
{
    if (has_ddp_of_old(p))
        return STR("The tensors that change are buffers of PyTorch's own normalization: running mean and variance, and "
                   "the count of batches, three for each layer, which training updates. Most likely DDP is the reason: "
                   "its optimizer of graphs splits the graph at its buckets, and the parts no longer know them as "
                   "buffers (so in PyTorch 2.5 and 2.6, no longer in 2.13), also where the model is compiled before it "
                   "is wrapped.\n"
                   "Before the first compile, set `torch._dynamo.config.optimize_ddp = False`. Or set "
                   "`torch._dynamo.config.inline_inbuilt_nn_modules = False`. Or use a newer PyTorch, or a norm "
                   "without buffers (GroupNorm).");
    return STR("The tensors that change are buffers of PyTorch's own normalization: running mean and variance, and the "
               "count of batches, three for each layer, which training updates. Here they count as ordinary inputs.\n"
               "Try a newer PyTorch, or a norm without buffers (GroupNorm). To mark them once, before the first call, "
               "may help: `torch._dynamo.mark_static_address(buffer)`.");
}

enum { PLACES_MAX = 3 };

/* One cause, at all places. */
struct graph_skip {
    struct finding *finding;
    size_t places; /* that the detail names */
    size_t nodes;  /* that the title names beside the first */
    struct str parts; /* "2 of 4 parts of the graph without CUDA graphs"; empty if it is not known, or differs */
};

/* "loss.py:262"; of a stack without numbers, "loss.py in `forward`". */
static struct str place_words(struct arena *a, const struct call *at)
{
    struct str file = code_file_name(at->file);

    return at->line ? arena_printf(a, "%.*s:%lld", STR_ARG(file), (long long)at->line)
                    : arena_printf(a, "%.*s in `%.*s`", STR_ARG(file), STR_ARG(at->function));
}

/* What PyTorch says of operators at which it splits a graph (torch/_inductor/scheduler.py, should_partition). */
static bool is_of_part(struct str reason)
{
    return str_ends(reason, STR(" ops")) && !str_has(reason, STR("("));
}

/* "2 of 4 parts of the graph without CUDA graphs", which names no operator. */
static bool counts_parts(struct str reason)
{
    return str_ends(reason, STR(GRAPH_PARTS_LEFT_OUT));
}

/* How many parts of the compile's graph are left out of CUDA graphs; empty if it does not say. */
static struct str parts_of(const struct compile *c)
{
    vec_each(const struct cudagraph_skip, skip, &c->cudagraph_skips)
    {
        if (counts_parts(skip->reason))
            return skip->reason;
    }
    return (struct str){0};
}

static bool names_parts(const struct compile *c)
{
    vec_each(const struct cudagraph_skip, skip, &c->cudagraph_skips) if (is_of_part(skip->reason)) return true;
    return false;
}

/* A graph that is split has parts that are CUDA graphs, as a rule. */
static struct str skip_title(struct finder *f, struct str reason, struct str parts)
{
    if (counts_parts(reason))
        return arena_printf(f->arena, "%.*s: the reason is not in the text", STR_ARG(reason));
    if (is_of_part(reason))
        return arena_printf(f->arena, "%.*s: %.*s",
                            STR_ARG(parts.n ? parts : STR("Parts of the graph without CUDA graphs")), STR_ARG(reason));
    return arena_printf(f->arena, "CUDA graphs are skipped: %.*s", STR_ARG(reason.n ? reason : STR("no reason given")));
}

/* The same cause at another place: "Also at loss.py:262 (arg2_1)." */
static void add_place(struct finder *f, struct graph_skip *s, const struct call *at, struct str node)
{
    struct finding *x = s->finding;
    struct str place;

    if (!at || (at->line == x->line && str_eq(at->file, x->file) && str_eq(at->source, x->source)))
        return;
    place = place_words(f->arena, at);
    if (s->places == PLACES_MAX || str_has(x->detail, place))
        return;
    x->detail = arena_printf(f->arena, "%.*s Also at %.*s%s%.*s%s.", STR_ARG(x->detail), STR_ARG(place),
                             node.n ? " (" : "", STR_ARG(node), node.n ? ")" : "");
    s->places++;
}

/* "cpu device" of "cpu device (arg0_1)": the same cause for any node, but an input is mended in another way. */
static struct str cause_of(struct finder *f, struct str reason)
{
    ptrdiff_t detail = str_find(reason, STR(" ("));
    bool input = STR_STARTS_ANY(node_of(reason), inputs_of_graphs);

    return arena_printf(f->arena, "%.*s%s", STR_ARG(detail > 0 ? str_take(reason, (size_t)detail) : reason),
                        input ? " (" : "");
}

static struct graph_skip *new_skip(struct finder *f, struct str reason, const struct call *at, struct str fix,
                                   struct str parts)
{
    bool split = is_of_part(reason) || counts_parts(reason);
    struct graph_skip *s = ARENA_NEW(f->arena, struct graph_skip);
    struct finding *x = finding_add(f, "cudagraphs-skipped", FINDING_MEDIUM);

    x->title = skip_title(f, reason, parts);
    x->detail = split ? STR("The kernels of these parts are launched one by one at every call.")
                      : STR("The kernels of the graph are launched one by one at every call.");
    x->fix = fix.n ? fix : skip_fix(f->arena, reason, at);
    finding_place(x, at);
    if (at && at->line == 0)
        x->fix = arena_printf(f->arena, "The line is in `%.*s`. %.*s", STR_ARG(at->function), STR_ARG(x->fix));
    *s = (struct graph_skip){.finding = x, .parts = parts};
    return s;
}

/* Another input, where the text does not say of which graph: "cpu device (arg3_1), (arg7_1)". */
static void add_node(struct finder *f, struct graph_skip *s, struct str node)
{
    struct finding *x = s->finding;
    struct str words = arena_printf(f->arena, "(%.*s)", STR_ARG(node));

    if (node.n == 0 || s->nodes == PLACES_MAX || str_has(x->title, words))
        return;
    x->title = arena_printf(f->arena, "%.*s, %.*s", STR_ARG(x->title), STR_ARG(words));
    s->nodes++;
}

static void add_skip(struct finder *f, struct map *seen, const struct compile *c, const struct cudagraph_skip *skip,
                     struct str parts)
{
    struct str rest = skip->reason, reason = str_trim(str_split(&rest, '\n'));
    const struct call *stack = skip->stack ? skip->stack : c->stack, *at = stack_user_call(stack);
    bool norm = str_has(reason, STR("mutated")) && is_of_norm(stack);
    void **slot = map_at(seen, cause_of(f, reason));
    struct graph_skip *s = *slot;

    if (!s) {
        *slot = s = new_skip(f, reason, at, norm ? norm_fix(c->process) : (struct str){0}, parts);
    } else {
        add_place(f, s, at, node_of(reason));
        if (is_of_part(reason) && !str_eq(s->parts, parts))
            s->finding->title = skip_title(f, reason, s->parts = (struct str){0});
    }
    if (!c->frame && !at)
        add_node(f, s, node_of(reason));
    /* a message that names no compile is not one */
    finding_cost_compiles(f, s->finding, c->process, c->frame || !compile_id_is_none(c->id));
    finding_evidence(f, s->finding, c);
}

void find_cudagraph_skips(struct finder *f)
{
    struct map seen;
    const struct compile *c;

    map_init(&seen, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
    {
        struct str parts = parts_of(c);
        bool named = parts.n && names_parts(c);

        vec_each(const struct cudagraph_skip, skip, &c->cudagraph_skips)
        {
            if (!named || !counts_parts(skip->reason))
                add_skip(f, &seen, c, skip, parts);
        }
    }
}
