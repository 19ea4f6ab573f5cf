#include "analysis/errors/error_part.h"

#include "analysis/errors/error_owner.h"
#include "model/code_file.h"

#define REPORT_STACK "Try a newer PyTorch, then report it with the whole stack."

static const struct error_part parts[] = {
    {.files = "torch/_inductor/cudagraph_trees.py\ntorch/_inductor/cudagraph_utils.py\ntorch/cuda/graphs.py",
     .words = "cudagraph pool\nCUDAGraphNode\nduring graph recording",
     .steps = {"What fails is the recording or replay of a CUDA graph, which `mode=\"reduce-overhead\"` and "
               "`\"max-autotune\"` switch on: it repeats the kernels of one call, with the memory of its tensors. "
               "Compile with `mode=\"max-autotune-no-cudagraphs\"`, or in the default mode; try a newer PyTorch, then "
               "report it.",
               "With CUDA graphs, tensors must be made and freed in each call as in the one that was recorded. Compute "
               "out of place what the compiled function assigns to `.data` or to a parameter (`w = self.weight * "
               "mask`), and free the graph of a backward in all steps or in none (`retain_graph`). If the program does "
               "neither, it is most likely a bug."},
     .whole = true,
     .alone = true},
    {.files = "torch/_functorch/vmap.py\ntorch/_functorch/pyfunctorch.py\ntorch/_functorch/eager_transforms.py\n"
              "torch/_functorch/apis.py\ntorch/_functorch/predispatch.py\ntorch/_functorch/autograd_function.py\n"
              "torch/_functorch/batch_norm_replacement.py",
     .words = "dynamicLayerStack\ndynamic_layer_stack\nATen/functorch/\nfuncorch layer\nfunctorch layer",
     .steps = {"What fails is a transform of functions (vmap, grad, jvp, ...) under the compiler, which enters and "
               "leaves its layers: a bug in PyTorch, so try a newer one. Most likely an unusual argument or an error "
               "within the transform is behind it: pass vmap tensors alone, and let the function have numbers "
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
               "mode, with small sizes), and simplify `score_mod` and `mask_mod`: what they read must be tensors that "
               "are made before. Other blocks or another kernel may do: `kernel_options`. " REPORT_STACK}},
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
    {.files = "torch/_inductor/codegen/cpp\ntorch/_inductor/cpu_vec_isa.py\ntorch/_inductor/cpp_builder.py",
     .steps = {"What fails is the writing or building of a C++ kernel for the CPU. Without vector instructions another "
               "kernel is written, which may work: `torch._inductor.config.cpp.simdlen = 1`"}},
    {.files = "torch/_inductor/codegen/triton\ntorch/_inductor/codegen/simd\ntorch/_inductor/tiling_utils.py",
     .steps = {"What fails is the writing of a Triton kernel for the operators that Inductor fused. Fused in another "
               "way they may work: `torch._inductor.config.max_fusion_size = 1` keeps each alone, which is slower and "
               "shows which operator it is."}},
    {.files = "torch/_inductor/codegen/mps.py\ntorch/_inductor/codegen/halide.py\ntorch/_inductor/codegen/pallas.py",
     .steps = {"What fails is the writing of a kernel by one of Inductor's newer backends, which has less than the "
               "others: try a newer PyTorch, or leave this function uncompiled."}},
    {.files = "torch/_inductor/scheduler.py\ntorch/_inductor/dependencies.py\ntorch/_inductor/loop_body.py\n"
              "torch/_inductor/memory.py\ntorch/_inductor/comms.py\ntorch/_inductor/choices.py",
     .steps = {"What fails is Inductor's scheduler, which orders the operators and fuses them. Without fusing it may "
               "work: `torch._inductor.config.max_fusion_size = 1`. The lines of the program whose results are reused "
               "or changed in place are where to look first."}},
    {.files = "torch/_inductor/ir.py\ntorch/_inductor/lowering.py\ntorch/_inductor/mkldnn_\n"
              "torch/_inductor/quantized_lowerings.py\ntorch/_inductor/jagged_lowerings.py",
     .steps = {"What fails is the lowering of an operator: Inductor's own version of it does not take these "
               "arguments, sizes, strides or data types. Write the call in another way (`.contiguous()`, another data "
               "type or argument), or leave that operator uncompiled."}},
    {.files = "torch/_inductor/fx_passes/\ntorch/_inductor/pattern_matcher.py\ntorch/_inductor/constant_folding.py\n"
              "torch/_inductor/freezing",
     .steps = {"What fails is a pass of Inductor, which replaces patterns of the graph. Without the patterns it may "
               "work: `torch._inductor.config.pattern_matcher = False`, which may be slower."}},
    {.files = "torch/_inductor/codecache.py\ntorch/_inductor/async_compile.py\ntorch/_inductor/compile_worker/\n"
              "torch/_inductor/triton_bundler.py\ntorch/_inductor/remote_cache.py\ntorch/_inductor/compile_fx_ext.py\n"
              "torch/_inductor/compile_fx_subproc.py\ntorch/_functorch/_aot_autograd/autograd_cache.py",
     .steps = {"What fails is the cache of compiled code or a process that compiles for it, not the graph. Try it "
               "without both: `TORCHINDUCTOR_FORCE_DISABLE_CACHES=1 TORCHINDUCTOR_COMPILE_THREADS=1`. If that works, "
               "remove the cache, and give each job its own (`TORCHINDUCTOR_CACHE_DIR`)."},
     .whole = true,
     .caches = true},
    {.files = "torch/_inductor/runtime/",
     .steps = {"What fails is Inductor's code around a kernel, which tunes and launches it. Check that Triton is the "
               "one of this PyTorch (`pip check`)."}},
    {.files = "torch/_functorch/partitioners.py",
     .steps = {"What fails is the cut of the graph into forward and backward, with what the backward computes again. "
               "Where no backward is needed, call under `torch.no_grad()`; else look at activation checkpointing, at "
               "`torch._functorch.config.activation_memory_budget`, and at sizes that vary (`dynamic=False`)."}},
    {.files = "torch/_functorch/_aot_autograd/\ntorch/_functorch/aot_autograd.py",
     .steps = {"What fails is AOTAutograd, which makes a graph without in-place changes of the function, and its "
               "backward. Most likely it meets something unusual: an input or parameter that is changed in place, a "
               "result that is a view of an input, or a tensor subclass. Return a copy (`.clone()`), or do that part "
               "outside of the compiled function."}},
    {.files = "torch/_dynamo/variables/higher_order_ops.py\ntorch/_higher_order_ops/",
     .steps = {"What fails is an operator that takes functions (`cond`, `while_loop`, `scan`, a checkpoint, an "
               "autograd.Function, a Triton kernel). Let these functions use their arguments alone, change nothing "
               "outside, and return tensors of the same sizes and data types."}},
    {.files = "torch/_dynamo/guards.py\ntorch/_guards.py",
     .steps = {"What fails is the making of guards, which check in each call what the function read: an object that "
               "it reads (a global, an attribute, an argument) has a type or a comparison that Dynamo cannot check. "
               "Pass what is needed of it as a tensor or a number. `TORCH_LOGS=guards` shows the guards."}},
    {.files = "torch/_dynamo/variables/\ntorch/_dynamo/side_effects.py\ntorch/_dynamo/codegen.py",
     .steps = {"What fails is Dynamo's model of a Python object. The line of the program that was traced last uses it "
               "in an unusual way: write it plainly, or move it out of the compiled function."}},
    {.files = "torch/distributed/fsdp/\ntorch/distributed/_composable/",
     .steps = {"What fails is FSDP's code under the compiler. Compile the blocks inside (`block.compile()`) before "
               "`fully_shard` wraps them, instead of the whole model."}},
    {.files = "torch/distributed/tensor/\ntorch/distributed/_tensor/",
     .steps = {"What fails is DTensor: an operator gets shards that it has no rule for, or a plain tensor beside one. "
               "Redistribute before the call (`Replicate()`), take the local part (`.to_local()`), or keep that line "
               "uncompiled."}},
    {.files = "torch/_subclasses/\ntorch/_meta_registrations.py\ntorch/_refs/\ntorch/_decomp/\ntorch/_prims",
     .steps = {"What fails is the computation of sizes, data types and devices without data (fake tensors). Run the "
               "same call in eager mode with the same shapes: if it fails there, too, the call is wrong. If it works "
               "there, the operator's rule is (try a newer PyTorch, then report it), or a custom operator lacks one "
               "(`torch.library.register_fake`)."}},
    {.files = "torch/_export/\ntorch/export/",
     .steps = {"What fails is torch.export's own code, not the model: " REPORT_STACK " The other way to trace may "
               "work: `torch.export.export(..., strict=False)`, or `strict=True`."},
     .whole = true,
     .exports = true},
};

static const struct error_part *part_of_file(struct str file)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct str rest = str_of(parts[i].files), name;

        while (str_next_line(&rest, &name))
            if (code_file_has(file, name))
                return &parts[i];
    }
    return NULL;
}

/* What only raises belongs to no part, and the call above it does; compiled code and a program end the search. */
static const struct error_part *part_of_stack(const struct call *innermost)
{
    for (const struct call *c = innermost; c; c = c->parent) {
        const struct error_part *found = part_of_file(c->file);

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

    if (e->fault || error_owner_is_program(e) || error_owner_is_other(e))
        return NULL;
    found = part_of_stack(e->failure->stack);
    if (found && found->caches && is_rejected_by_compiler(e->failure->message))
        found = NULL;
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

bool error_part_lowering_say(struct arena *a, struct str target, struct str message, struct error_steps *out)
{
    if (error_part_lowering_is_of_pytorch(target))
        return say_symbol(a, target, message, out);
    error_step_say(a, out,
                   arena_printf(a,
                                "Inductor fails at the operator `%.*s`. Define it with `torch.library.custom_op` and "
                                "register its fake kernel, fix its lowering if the program gives Inductor one, or "
                                "update the package that it comes from.",
                                STR_ARG(target)));
    return true;
}

struct str error_part_lowering_around(struct arena *a, struct str target)
{
    return arena_printf(a,
                        "Inductor cannot compile this call of `%.*s`. Until it is fixed, write it in another way, or "
                        "call it outside of the compiled function (`@torch.compiler.disable`).",
                        STR_ARG(target));
}
