#include "analysis/errors/error_part.h"

#include "analysis/errors/error_owner.h"
#include "model/code_file.h"
#include "text/messages/compiler_output.h"

#define REPORT_STACK "Try a newer PyTorch, then report it with the whole stack."

/*
 * A file shows which part fails, and that a setting which keeps the part out avoids the error. It does not show why the
 * part fails: causes are possibilities, and what only changes what the part gets is none of its own.
 */
static const struct error_part parts[] = {
    {.files = "torch/_inductor/cudagraph_trees.py\ntorch/_inductor/cudagraph_utils.py\ntorch/cuda/graphs.py",
     .words = "cudagraph pool\nCUDAGraphNode\nduring graph recording",
     .steps = {"What fails is the recording or replay of a CUDA graph, which `mode=\"reduce-overhead\"` and "
               "`\"max-autotune\"` switch on: it repeats the kernels of one call, with the memory of its tensors. "
               "Compile with `mode=\"max-autotune-no-cudagraphs\"`, or in the default mode; try a newer PyTorch, then "
               "report it.",
               "Whether the program is the reason, these two show. With CUDA graphs, tensors must be made and freed "
               "in each call as in the one that was recorded. Compute "
               "out of place what the compiled function assigns to `.data` or to a parameter (`w = self.weight * "
               "mask`), and free the graph of a backward in all steps or in none (`retain_graph`). If the program does "
               "neither, it may be a bug."},
     .whole = true,
     .alone = true},
    {.files = "torch/_functorch/vmap.py\ntorch/_functorch/pyfunctorch.py\ntorch/_functorch/eager_transforms.py\n"
              "torch/_functorch/apis.py\ntorch/_functorch/predispatch.py\ntorch/_functorch/autograd_function.py\n"
              "torch/_functorch/batch_norm_replacement.py",
     .words = "dynamicLayerStack\ndynamic_layer_stack\nATen/functorch/\nfuncorch layer\nfunctorch layer",
     .steps = {"What fails is a transform of functions (vmap, grad, jvp, ...) under the compiler, which enters and "
               "leaves its layers. Try a newer PyTorch. An unusual argument or an error within the transform may be "
               "behind it: pass vmap tensors alone, and let the function have numbers "
               "(`torch.vmap(lambda t: t * 5)(x)`).",
               "Until it is fixed, leave the transform out of the compiler: call it in a function with "
               "`@torch.compiler.disable`. Report it with the smallest program."},
     .whole = true},
    {.files = "torch/utils/_sympy/\ntorch/fx/experimental/symbolic_shapes.py\ntorch/fx/experimental/sym_node.py\n"
              "torch/fx/experimental/validator.py\ntorch/_inductor/sizevars.py\ntorch/_inductor/bounds.py",
     .words = "torch/utils/_sympy\nPythonMod(\nFloorDiv(\nModularIndexing(\nCleanDiv(",
     .steps = {"What fails is PyTorch's arithmetic of symbolic sizes, which it compiles with once a size is marked "
               "dynamic or has changed between calls. It is not the model: compile for fixed sizes, one compile for "
               "each (`torch.compile(..., dynamic=False)`), and pad to few of them; or keep a dimension that need not "
               "vary fixed: `torch._dynamo.mark_static(x, 1)`",
               "Try a newer PyTorch, then report it with the sizes of the calls and what `TORCH_LOGS=\"+dynamic\"` "
               "prints."},
     .whole = true,
     .alone = true},
    {.files = "torch/nn/attention/flex_attention.py\ntorch/_higher_order_ops/flex_attention.py\n"
              "torch/_inductor/kernel/flex",
     .words = "flex_attention_backward\nflex_decoding",
     .steps = {"What fails is flex_attention. Compare with the function uncompiled (`flex_attention` alone in eager "
               "mode, with small sizes), and with a `score_mod` and `mask_mod` that read no tensors but those that are "
               "made before: that shows whether these functions are the reason. " REPORT_STACK}},
    {.files = "torch/_inductor/kernel/\ntorch/_inductor/select_algorithm.py\ntorch/_inductor/autotune_process.py\n"
              "torch/_inductor/template_heuristics\ntorch/_inductor/codegen/cuda/\ntorch/_inductor/codegen/cutlass/",
     .words = "NoValidChoicesError\nErrorFromChoice",
     .steps = {"What fails is the choice of a kernel for a matrix product, a convolution or an attention, for which "
               "Inductor has templates. Let the library compute it: no mode \"max-autotune\", or "
               "`TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=ATEN` (of convolutions "
               "`TORCHINDUCTOR_MAX_AUTOTUNE_CONV_BACKENDS=ATEN`)."}},
    {.files = "torch/_inductor/codegen/wrapper.py\ntorch/_inductor/codegen/cpp_wrapper\n"
              "torch/_inductor/codegen/memory_planning.py\ntorch/_inductor/codegen/wrapper_fxir.py",
     .words = "CppWrapperCodegenError",
     .steps = {"What fails is the writing of the code that allocates memory and calls the kernels. If the text sets "
               "`cpp_wrapper` or `memory_planning`, do without: the plain code in Python may work."}},
    {.files = "torch/_inductor/cpu_vec_isa.py\ntorch/_inductor/cpp_builder.py",
     .steps = {"What fails is Inductor's search for a C++ compiler and its options, or the call of it. Check that the "
               "compiler works by itself (`CXX` names another one), and try a newer PyTorch."},
     .calls_compiler = true},
    {.files = "torch/_inductor/codegen/cpp",
     .steps = {"What fails is the writing of a C++ kernel for the CPU. Without vector instructions another kernel is "
               "written, which may work: `torch._inductor.config.cpp.simdlen = 1`"}},
    {.files = "torch/_inductor/codegen/triton\ntorch/_inductor/codegen/simd\ntorch/_inductor/tiling_utils.py",
     .steps = {"What fails is the writing of a Triton kernel for the operators that Inductor fused. "
               "`torch._inductor.config.max_fusion_size = 1` keeps each operator alone, which is slower: if it fails "
               "then, too, it shows which operator it is; if not, what is fused is the reason."}},
    {.files = "torch/_inductor/codegen/mps.py",
     .steps = {"What fails is the writing of a kernel for GPUs of Apple (the device `mps`), for which this version of "
               "Inductor lacks something: try a newer PyTorch. Until then leave this function uncompiled, or compile "
               "it for the CPU (`model.to(\"cpu\")`, and its inputs)."}},
    {.files = "torch/_inductor/codegen/halide.py\ntorch/_inductor/codegen/pallas.py",
     .steps = {"What fails is the writing of a kernel by one of Inductor's newer backends, which has less than the "
               "others: try a newer PyTorch, or leave this function uncompiled."}},
    {.files = "torch/_inductor/scheduler.py\ntorch/_inductor/dependencies.py\ntorch/_inductor/loop_body.py\n"
              "torch/_inductor/memory.py\ntorch/_inductor/comms.py\ntorch/_inductor/choices.py",
     .steps = {"What fails is Inductor's scheduler, which orders the operators, fuses them and has their kernels "
               "written. " REPORT_STACK}},
    {.files = "torch/_inductor/ir.py\ntorch/_inductor/lowering.py\ntorch/_inductor/mkldnn_\n"
              "torch/_inductor/quantized_lowerings.py\ntorch/_inductor/jagged_lowerings.py",
     .steps = {"What fails is the lowering of an operator: Inductor's own version of it may not take these "
               "arguments, sizes, strides or data types. The same call with others (`.contiguous()`, another data "
               "type) shows whether that is it; or leave that operator uncompiled."}},
    {.files = "torch/_inductor/constant_folding.py\ntorch/_inductor/freezing",
     .steps = {"What fails is the computing of constants when the graph is compiled. If the text sets "
               "`torch._inductor.config.freezing`, do without. " REPORT_STACK}},
    /* Of fx_passes those that move collectives or memory match no patterns. */
    {.files = "torch/_inductor/fx_passes/bucketing.py\ntorch/_inductor/fx_passes/overlap_\n"
              "torch/_inductor/fx_passes/ddp_fusion.py\ntorch/_inductor/fx_passes/fsdp.py\n"
              "torch/_inductor/fx_passes/node_runtime_estimation.py\ntorch/_inductor/fx_passes/memory_estimator.py\n"
              "torch/_inductor/fx_passes/reinplace.py",
     .steps = {"What fails is a pass of Inductor, which changes the graph before it is lowered. " REPORT_STACK}},
    /* These run whether patterns are replaced or not (post_grad.py, post_grad_passes). */
    {.files = "torch/_inductor/fx_passes/\ntorch/_inductor/pattern_matcher.py",
     .functions = "decompose_auto_functionalized\ndecompose_triton_kernel_wrapper_functional\n"
                  "decompose_scan_to_while_loop\ndecompose_map_to_while_loop\nmove_constructors_to_cuda\n"
                  "stable_topological_sort\nremove_profiler_ops\nreinplace_inplaceable_ops\nreorder_for_locality",
     .steps = {"What fails is a pass that Inductor runs in every compile: no option leaves it out. " REPORT_STACK}},
    {.files = "torch/_inductor/fx_passes/\ntorch/_inductor/pattern_matcher.py",
     .steps = {"What fails is a pass of Inductor. If it is one that replaces patterns of the graph, "
               "`torch._inductor.config.pattern_matcher = False` leaves it out, which may be slower."}},
    {.files = "torch/_inductor/codecache.py\ntorch/_inductor/async_compile.py\ntorch/_inductor/compile_worker/\n"
              "torch/_inductor/triton_bundler.py\ntorch/_inductor/remote_cache.py\ntorch/_inductor/compile_fx_ext.py\n"
              "torch/_inductor/compile_fx_subproc.py\ntorch/_functorch/_aot_autograd/autograd_cache.py",
     .steps = {"What fails is the cache of compiled code or a process that compiles for it, most likely not the "
               "graph. Try it without both: `TORCHINDUCTOR_FORCE_DISABLE_CACHES=1 TORCHINDUCTOR_COMPILE_THREADS=1`. "
               "If that works, "
               "remove the cache, and give each job its own (`TORCHINDUCTOR_CACHE_DIR`)."},
     .whole = true,
     .caches = true},
    {.files = "torch/_inductor/runtime/triton_\ntorch/_inductor/runtime/static_",
     .steps = {"What fails is Inductor's code around a kernel, which tunes and launches it. Check that Triton is the "
               "one of this PyTorch (`pip check`)."}},
    /* of every backend: Triton may have no part in it */
    {.files = "torch/_inductor/runtime/",
     .steps = {"What fails is Inductor's code around a kernel, which compiles, tunes and launches it. " REPORT_STACK}},
    {.files = "torch/_functorch/partitioners.py",
     .steps = {"What fails is the cut of the graph into forward and backward, with what the backward computes again. "
               "Where no backward is needed, call under `torch.no_grad()`, and the graph is not cut. Else leave out, "
               "one "
               "by one, what changes the cut, if the program has it: activation checkpointing, "
               "`torch._functorch.config.activation_memory_budget`, sizes that vary (`dynamic=False`)."}},
    {.files = "torch/_functorch/_aot_autograd/\ntorch/_functorch/aot_autograd.py",
     .steps = {"What fails is AOTAutograd, which makes a graph without in-place changes of the function, and its "
               "backward. Possible causes are an input or parameter that is changed in place, a result that is a view "
               "of an input, and a tensor subclass. If the function has one of them, return a copy (`.clone()`), or do "
               "that part outside of the compiled function."}},
    {.files = "torch/_dynamo/variables/higher_order_ops.py\ntorch/_higher_order_ops/",
     .steps = {"What fails is an operator that takes functions (`cond`, `while_loop`, `scan`, a checkpoint, an "
               "autograd.Function, a Triton kernel). Check that these functions use their arguments alone, change "
               "nothing outside, and return tensors of the same sizes and data types: what does not may be the "
               "reason."}},
    {.files = "torch/_dynamo/guards.py\ntorch/_guards.py",
     .steps = {"What fails is the making of guards, which check in each call what the function read: an object that "
               "it reads (a global, an attribute, an argument) may have a type or a comparison that Dynamo cannot "
               "check. `TORCH_LOGS=guards` shows the guards: the last one is of that object or near it. Pass what is "
               "needed of it as a tensor or a number."}},
    {.files = "torch/_dynamo/side_effects.py\ntorch/_dynamo/codegen.py",
     .steps = {"What fails is the code that Dynamo writes around a graph, which makes the results and repeats what the "
               "function changes outside of it. " REPORT_STACK}},
    {.files = "torch/_dynamo/variables/",
     .steps = {"What fails is Dynamo's model of a Python object, most likely in the line of the program that was "
               "traced last: write it in another way, or move it out of the compiled function."}},
    {.files = "torch/distributed/fsdp/\ntorch/distributed/_composable/",
     .steps = {"What fails is FSDP's code under the compiler. It stays out of the graphs if the blocks inside are "
               "compiled (`block.compile()`) before `fully_shard` wraps them, instead of the whole model."}},
    {.files = "torch/distributed/tensor/\ntorch/distributed/_tensor/",
     .steps = {"What fails is DTensor: an operator may get shards that it has no rule for, or a plain tensor beside "
               "one. Redistribute before the call (`Replicate()`), take the local part (`.to_local()`), or keep that "
               "line uncompiled."}},
    {.files = "torch/_subclasses/\ntorch/_meta_registrations.py\ntorch/_refs/\ntorch/_decomp/\ntorch/_prims",
     .steps = {"What fails is the computation of sizes, data types and devices without data (fake tensors). Run the "
               "same call in eager mode with the same shapes: if it fails there, too, the call is wrong. If it works "
               "there, the operator's rule is (try a newer PyTorch, then report it), or a custom operator lacks one "
               "(`torch.library.register_fake`)."}},
    {.files = "torch/_export/serde/\ntorch/export/pt2_archive/\ntorch/export/unflatten.py",
     .steps = {"What fails is torch.export's own code after the model was exported: it writes, reads or takes apart "
               "the "
               "exported program. Load it with the version of PyTorch that saved it. " REPORT_STACK},
     .whole = true,
     .exports = true},
    {.files = "torch/_export/\ntorch/export/",
     .steps = {"What fails is torch.export's own code, most likely not the model: " REPORT_STACK " The other way to "
               "trace may "
               "work: `torch.export.export(..., strict=False)`, or `strict=True`."},
     .whole = true,
     .exports = true},
};

static bool is_within(const struct call *c, struct str functions)
{
    for (; c; c = c->parent) {
        struct str rest = functions, name;

        while (str_next_line(&rest, &name))
            if (str_eq(c->function, name) && code_file_has(c->file, STR("torch/")))
                return true;
    }
    return false;
}

static const struct error_part *part_of_call(const struct call *c)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct str rest = str_of(parts[i].files), name;

        while (str_next_line(&rest, &name))
            if (code_file_has(c->file, name) && (!parts[i].functions || is_within(c, str_of(parts[i].functions))))
                return &parts[i];
    }
    return NULL;
}

/* What only raises belongs to no part, and the call above it does; compiled code and a program end the search. */
static const struct error_part *part_of_stack(const struct call *innermost)
{
    for (const struct call *c = innermost; c; c = c->parent) {
        const struct error_part *found = part_of_call(c);

        if (code_file_calls_compiled(c->file, c->function))
            return NULL;
        if (found)
            return found;
        if (code_file_has(c->file, STR("sympy/"))) /* which PyTorch's arithmetic calls */
            continue;
        if (!is_framework_file(c->file) || code_file_is_inductors(c->file) ||
            str_starts(c->file, STR("<eval_with_key>")))
            return NULL;
    }
    return NULL;
}

static const struct error_part *part_of_words(struct str message)
{
    message = str_take(message, ERROR_SEARCHED);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].words && str_has_any_line(message, str_of(parts[i].words)))
            return &parts[i];
    return NULL;
}

/*
 * "/tmp/torchinductor_me/ab/cab.cpp:7:9: error: ...", and the same of MSVC: the compiler ran, and rejects what Inductor
 * wrote. The cache's file is on every such stack, because it starts the compiler.
 */
static bool is_rejected_by_compiler(struct str message)
{
    static const struct str files[] = {STR_INIT(".cpp:"), STR_INIT(".cpp("), STR_INIT(".cu:"), STR_INIT(".cu(")};
    static const struct str words[] = {STR_INIT(": error: "), STR_INIT(": error C")};
    struct str line;

    message = str_take(message, ERROR_SEARCHED);
    while (str_next_line(&message, &line))
        if (STR_HAS_ANY(line, files) && STR_HAS_ANY(line, words))
            return true;
    return false;
}

const struct error_part *error_part_of(const struct error *e)
{
    const struct error_part *found;
    struct compiler_output output;

    if (e->fault || error_owner_is_program(e) || error_owner_is_other(e))
        return NULL;
    found = part_of_stack(e->failure->stack);
    if (found && found->caches && is_rejected_by_compiler(e->failure->message))
        found = NULL;
    if (found && (found->caches || found->calls_compiler) && compiler_output_read(e->failure->message, &output))
        found = NULL; /* which was found, ran, and refused something */
    return found ? found : part_of_words(e->failure->message);
}

/* --- operators that Inductor cannot lower ------------------------------------------------------------------------- */

bool error_part_lowering_is_of_pytorch(struct str target)
{
    return str_starts(target, STR("aten.")) || str_starts(target, STR("prims.")) || str_chr(target, '.') < 0;
}

/* Arguments that are numbers in most programs, by their position in ATen's schema. */
static const struct {
    struct str target;
    int64_t position;
    const char *name;
} numbers[] = {{STR_INIT("aten.convolution.default"), 8, " (`groups` of the convolution)"}};

static bool is_size_symbol(struct str word)
{
    uint64_t number;

    return str_consume(&word, STR("s")) && str_u64(word, &number);
}

/* "s0 >= 1043", "Eq(s0, 3)": a condition on a dynamic size, which is neither a number nor a tensor. */
static bool is_size_condition(struct str value)
{
    static const struct str compares[] = {STR_INIT(" >= "), STR_INIT(" <= "), STR_INIT(" > "), STR_INIT(" < "),
                                          STR_INIT(" == "), STR_INIT(" != ")};
    bool compared = STR_HAS_ANY(value, compares) || str_starts(value, STR("Eq(")) || str_starts(value, STR("Ne("));

    for (size_t i = 0; compared && i + 1 < value.n; i++)
        if (value.p[i] == 's' && str_is_digit(value.p[i + 1]) && (i == 0 || !str_is_word_char(value.p[i - 1])))
            return str_chr(value, '[') < 0 && str_chr(value, '\'') < 0;
    return false;
}

static bool say_size_condition(struct arena *a, struct str target, struct str message, struct error_steps *out)
{
    struct str rest = str_take(message, ERROR_SEARCHED), line;

    while (str_next_line(&rest, &line)) {
        struct str value = str_trim(line);

        if (!str_consume(&value, STR("args[")) || str_split(&value, ']').n == 0 || !str_consume(&value, STR(": ")) ||
            !is_size_condition(value))
            continue;
        error_step_say(a, out,
                       arena_printf(a,
                                    "An argument of `%.*s` is the condition `%.*s` on a dynamic size, which Inductor's "
                                    "code for it most likely does not take. Compile with fixed sizes "
                                    "(`torch.compile(dynamic=False)`), or compute the condition outside of the "
                                    "compiled function, and pass in what it decides.",
                                    STR_ARG(target), STR_ARG(value)));
        return true;
    }
    return false;
}

/* "  args[8]: s0": an argument that is a dynamic size where the lowering asserts that it has a number. */
static bool say_symbol(struct arena *a, struct str target, struct str message, struct error_steps *out)
{
    struct str rest = str_take(message, ERROR_SEARCHED), line;

    if (!str_has(rest, STR("AssertionError")) && !str_has(rest, STR("Cannot convert symbols to int")))
        return false;
    while (str_next_line(&rest, &line)) {
        struct str position, value = str_trim(line);
        const char *name = "";
        int64_t n;

        if (!str_consume(&value, STR("args[")))
            continue;
        position = str_split(&value, ']');
        if (!str_consume(&value, STR(": ")) || !is_size_symbol(value) || !str_i64(position, &n))
            continue;
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            if (str_eq(target, numbers[i].target) && n == numbers[i].position)
                name = numbers[i].name;
        error_step_say(a, out,
                       arena_printf(a,
                                    "Argument %lld of `%.*s`%s is the dynamic size `%.*s`, and Inductor most likely "
                                    "needs a number there. Keep this size static: compile without `dynamic=True`, or "
                                    "mark its dimension before the call (`torch._dynamo.mark_static(x, DIM)`).",
                                    (long long)n, STR_ARG(target), name, STR_ARG(value)));
        return true;
    }
    return false;
}

/* "View" of "AttributeError: 'View' object has no attribute 'layout'". */
static struct str view_that_fails(struct str message)
{
    struct str class = {0};

    return str_between(str_line_with(message, STR(" object has no attribute ")), STR("AttributeError: '"),
                       STR("' object"), &class) &&
                   str_ends(class, STR("View"))
               ? class
               : (struct str)
    {
        0
    };
}

/* "a_ptr" of "'a_ptr': TensorBox(\n    View(": the first argument of that class. */
static struct str argument_of_class(struct str message, struct str class)
{
    static const struct str opens = STR_INIT("': TensorBox(");
    struct str line;

    while (class.n && str_next_line(&message, &line)) {
        struct str inner = str_trim(str_first_line(message));

        line = str_trim(line);
        if (!str_ends(line, opens) || !str_consume(&inner, class) || !str_starts(inner, STR("(")))
            continue;
        line = str_drop(line, opens.n);
        return str_skip(line, (size_t)(str_rchr(line, '\'') + 1));
    }
    return (struct str){0};
}

/* Higher-order operators that only stand for a Triton kernel that the compiled code calls. */
static struct str around_own_kernel(struct arena *a, struct str message)
{
    struct str text = str_take(message, ERROR_SEARCHED), class = view_that_fails(text),
               name = argument_of_class(text, class), why = {0};

    if (class.n)
        why = arena_printf(a, ", and %s%.*s%s is a view: most likely a copy helps, `x.clone()`",
                           name.n ? "its argument `" : "an argument", STR_ARG(name), name.n ? "`" : "");
    return arena_printf(a,
                        "This is the call of a Triton kernel, of the program or a library%.*s. Or call it outside of "
                        "the compiled function (`@torch.compiler.disable`).",
                        STR_ARG(why));
}

bool error_part_lowering_say(struct arena *a, struct str target, struct str message, struct error_steps *out)
{
    if (error_part_lowering_is_of_pytorch(target))
        return say_symbol(a, target, message, out) || say_size_condition(a, target, message, out);
    error_step_say(a, out,
                   arena_printf(a,
                                "Inductor fails at the operator `%.*s`. Define it with `torch.library.custom_op` and "
                                "register its fake kernel, fix its lowering if the program gives Inductor one, or "
                                "update the package that it comes from.",
                                STR_ARG(target)));
    return true;
}

/* "tuned_addmm() takes 3 positional arguments but 4 were given": Python's words for a call of the lowering. */
static bool refuses_arguments(struct str message)
{
    static const struct str words[] = {STR_INIT(" positional argument"), STR_INIT(" unexpected keyword argument"),
                                       STR_INIT(" required keyword-only argument")};
    struct str line = str_first_line(message);

    return str_has(line, STR("LoweringException: TypeError: ")) && STR_HAS_ANY(line, words);
}

bool error_part_lowering_refused(struct arena *a, struct str target, struct str message, struct error_steps *out)
{
    static const struct str of_dtype[] = {STR_INIT("aten.mm.dtype"), STR_INIT("aten.bmm.dtype"),
                                          STR_INIT("aten.addmm.dtype"), STR_INIT("aten.baddbmm.dtype")};

    if (!error_part_lowering_is_of_pytorch(target) || !refuses_arguments(message))
        return false;
    error_step_say(a, out,
                   arena_printf(a,
                                "A bug in Inductor: its own function for `%.*s` does not take all arguments of this "
                                "call. Leave the newest out%s, or call it outside of the compiled function "
                                "(`@torch.compiler.disable`). A newer PyTorch may take it; else report the line.",
                                STR_ARG(target),
                                STR_IS_ANY(target, of_dtype) ? " (`out_dtype=`; `.float()` of the inputs keeps the "
                                                               "precision)"
                                                             : ""));
    return true;
}

/* How Inductor's functions name the arguments of an operator, in order. */
static const struct {
    struct str target;
    const char *names;
} parameters[] = {
    {STR_INIT("aten._scaled_mm."), "mat_a\nmat_b\nscale_a\nscale_b\nbias"},
    {STR_INIT("aten.mm."), "mat1\nmat2"},
    {STR_INIT("aten.bmm."), "mat1\nmat2"},
    {STR_INIT("aten.addmm."), "inp\nmat1\nmat2"},
    {STR_INIT("aten.baddbmm."), "inp\nmat1\nmat2"},
    {STR_INIT("aten.convolution."), "x\nweight\nbias"},
};

/* What an assertion asks of two arguments, where the layout of each has it, and what makes them agree. */
static const struct {
    struct str open, close;
    const char *what, *begin, *end, *remedy;
} compared[] = {
    {STR_INIT("len("), STR_INIT(".get_size())"), "size", "size=[", "]", "the same number of dimensions (`reshape`)"},
    {STR_INIT(""), STR_INIT(".get_size()"), "size", "size=[", "]", "the same size"},
    {STR_INIT(""), STR_INIT(".get_dtype()"), "dtype", "torch.", ",", "the same dtype (`.to`)"},
};

/* "[1]" of the lines below "args[2]: TensorBox(", in "layout=FixedLayout('cuda:0', torch.float32, size=[1], ...". */
static bool property_of(struct arena *a, struct str message, size_t number, size_t kind, struct str *out)
{
    struct str lead = arena_printf(a, "args[%zu]: ", number), rest;
    ptrdiff_t at = str_find(message, lead), next;

    if (at < 0)
        return false;
    rest = str_skip(message, (size_t)at + lead.n);
    next = str_find(rest, STR("args["));
    rest = str_take(rest, next < 0 ? rest.n : (size_t)next);
    at = str_find(rest, STR("layout="));
    return at >= 0 &&
           str_between(str_skip(rest, (size_t)at), str_of(compared[kind].begin), str_of(compared[kind].end), out);
}

static bool number_of(struct str target, struct str name, size_t *number)
{
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        struct str names = str_of(parameters[i].names), line;

        if (!str_starts(target, parameters[i].target))
            continue;
        for (*number = 0; str_next_line(&names, &line); ++*number)
            if (str_eq(line, name))
                return true;
    }
    return false;
}

/* "scale_a" of "len(scale_a.get_size())". */
static bool take_side(struct str side, size_t kind, struct str *name)
{
    *name = side = str_trim(side);
    if (!str_consume(name, compared[kind].open) || !str_ends(*name, compared[kind].close))
        return false;
    *name = str_drop(*name, compared[kind].close.n);
    return name->n > 0;
}

/*
 * "assert len(scale_a.get_size()) == len(scale_b.get_size())" compares two arguments that the message prints: what they
 * are, and that they should be alike. Empty for any other assertion.
 */
static struct str arguments_that_differ(struct arena *a, struct str target, struct str source, struct str message)
{
    struct str text = str_take(message, ERROR_SEARCHED), left, right, names[2], values[2];
    ptrdiff_t equal;
    size_t places[2];

    source = str_trim(source);
    if (!str_consume(&source, STR("assert ")) || (equal = str_find(source, STR(" == "))) < 0)
        return (struct str){0};
    left = str_take(source, (size_t)equal);
    right = str_skip(source, (size_t)equal + 4);
    right = str_take(right, (size_t)(str_find(right, STR(", ")) < 0 ? (ptrdiff_t)right.n : str_find(right, STR(", "))));
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++) {
        const char *open = *compared[i].begin == 's' ? "[" : "", *close = *open ? "]" : "";

        if (!take_side(left, i, &names[0]) || !take_side(right, i, &names[1]))
            continue;
        if (!number_of(target, names[0], &places[0]) || !number_of(target, names[1], &places[1]) ||
            !property_of(a, text, places[0], i, &values[0]) || !property_of(a, text, places[1], i, &values[1]) ||
            str_eq(values[0], values[1]))
            return (struct str){0};
        return arena_printf(a,
                            "Inductor asserts that `%.*s` and `%.*s` agree, and they do not: %s %s%.*s%s and %s%.*s%s. "
                            "Give both %s before the call.",
                            STR_ARG(names[0]), STR_ARG(names[1]), compared[i].what, open, STR_ARG(values[0]), close,
                            open, STR_ARG(values[1]), close, compared[i].remedy);
    }
    return (struct str){0};
}

bool error_part_lowering_differs(struct arena *a, struct str target, const struct failure *f, struct error_steps *out)
{
    struct str words = f->stack ? arguments_that_differ(a, target, f->stack->source, f->message) : (struct str){0};

    if (words.n)
        error_step_say(a, out, words);
    return words.n > 0;
}

struct str error_part_lowering_around(struct arena *a, struct str target, struct str message)
{
    if (str_starts(target, STR("triton_kernel_wrapper_")))
        return around_own_kernel(a, message);
    return arena_printf(a,
                        "Inductor cannot compile this call of `%.*s`. Until it is fixed, write it in another way, or "
                        "call it outside of the compiled function (`@torch.compiler.disable`).",
                        STR_ARG(target));
}
