#include "analysis/find/advice_fit.h"

#include "analysis/find/shell_settings.h"
#include "analysis/held/advice_held.h"
#include "text/stated/prose.h"
#include "text/stated/settings.h"
#include "text/versions/names_in_text.h"

#define COMPARE_STAGES                                                                                                 \
    "Find the stage: compare outputs and gradients with eager mode, in float32 and in float64, with "                  \
    "`backend=\"aot_eager\"`, then with `\"inductor\"`."

#define FIND_STAGE                                                                                                     \
    "`backend=\"eager\"`, then `\"aot_eager\"`, then\n"                                                                \
    "`backend=\"eager\"`, `\"aot_eager\"` and `\"inductor\"`\n"                                                        \
    "`backend=\"eager\"` (Dynamo alone), then\n"                                                                       \
    "Find the stage that changes the numbers: `backend"

#define OLD_FOR_FLOAT8                                                                                                 \
    "Most likely the GPU is too old for this data type: the line converts float8_e4m3, for which Triton needs "        \
    "compute capability 8.9 (Ada, Hopper, RTX 40). Take float8_e5m2, bfloat16 or float16 (in ComfyUI the loader's "    \
    "`weight_dtype`), or leave this part uncompiled. The last line of the message, which the text lacks, would say so."

#define STRIDES_OF_DTENSOR                                                                                             \
    "The model computes with DTensors (tensor parallel): most likely one of their collectives or redistributions "     \
    "returned other strides than its fake kernel, for which Inductor compiled, and the input is not at fault. Try a "  \
    "newer PyTorch: up to 2.5 this is so for `shard_dim_alltoall`, which moves the sharding to another dimension. "    \
    "Until then leave the layouts of the parallel plan at their defaults, and redistribute outside of the compiled "   \
    "function. If it stays, report it."

#define OPTIONAL_IS_NONE                                                                                               \
    "Most likely a false alarm of PyTorch: in the schema the argument is a `Tensor?`, and the check, which runs each " \
    "operator with real tensors (`draft_export`, `fake_tensor_propagate_real_tensors`), raises this where None is "    \
    "passed, too, though nothing was changed. If the call passes None there, export without these (a plain "           \
    "`torch.export.export`), or pass a tensor that changes nothing (ones, for weights), and report it to PyTorch. If " \
    "it passes a tensor, the operator does other than its schema says, which is to be corrected."

#define RACE_FOR_CACHE                                                                                                 \
    "The file is a temporary one, which its writer had not yet renamed: most likely the nodes share this directory, "  \
    "and two processes wrote the same kernel at once (the name has the process's number, which two nodes may both "    \
    "use). Give each node, or each rank, a directory of its own on a local disk, set before Python starts: "           \
    "`TORCHINDUCTOR_CACHE_DIR=/tmp/inductor_$(hostname)`, and `TRITON_CACHE_DIR` likewise. The rank that reports it "  \
    "is only the first one."

#define STABLE_GRADIENTS                                                                                               \
    "It is raised in `backward()`, in a program that accumulates gradients: most likely `.grad` of an earlier micro "  \
    "batch is memory of the captured backward, which the next one reuses, so that a copy of an output or of the loss " \
    "does not help. Make `.grad` once, before the first step, and keep it: `p.grad = zeros_like(p)` for each "         \
    "parameter, then `opt.zero_grad(set_to_none=False)`. Or call `torch.compiler.cudagraph_mark_step_begin()` once "   \
    "for each step of the optimizer, before the loop over its micro batches, and not before each call of the model."

#define TRITON_OF_WINDOWS                                                                                              \
    "On Windows it is the triton-windows of this PyTorch: of PyTorch 2.5 `\"triton-windows<3.2\"`, of 2.6 "            \
    "`\"triton-windows<3.3\"`, of 2.7 `\"triton-windows<3.4\"`, of 2.8 `\"triton-windows<3.5\"`, of 2.9 "            \
    "`\"triton-windows<3.6\"`. Install it (`python -m pip install -U`) with the python.exe that runs the program. An " \
    "older PyTorch, such as one that imports `triton.common`, has to be upgraded first."

#define NO_GRADIENT                                                                                                    \
    "The loss does not depend on any trainable parameter\nRun the same step without `torch.compile`."

/*
 * A sentence with one of the words is left out if the text states `unless`, or states none of `needs`. Nothing is known
 * of what a trace or a large log states: then a sentence is only left out if it `asserts` a fact.
 */
enum { FACTS_OF_RULE = 3 };

static const struct fit_rule {
    const char *words;                                         /* alternatives, separated by '\n' */
    unsigned char unless[FACTS_OF_RULE], needs[FACTS_OF_RULE]; /* of enum stated_fact; 0: none */
    unsigned char among[FACTS_OF_RULE]; /* `needs` only counts if the text states one of these; 0: it always does */
    bool asserts;
    const char *instead;
} sentences[ADVICE_RULES] = {
    {"Compiled code rounds differently, because\nIt keeps intermediate values of half precision\n"
     "A relative difference is large where\nTo see which result is closer\nCompare in `eval()` mode, and with\n"
     "No rounding does that\nThe same numbers in another order most likely\nInductor draws random numbers in another\n"
     "If only the last differs\n" FIND_STAGE,
     .unless = {STATED_RANDOM_ORDER},
     .instead = "`fallback_random` is set, and the text agrees up to Inductor, or where nothing is drawn. So most "
                "likely Inductor runs the operators that draw in another order than eager mode: they draw from one "
                "generator, and each then gets other numbers. To compare, leave the order: "
                "`torch._inductor.config.reorder_for_peak_memory = False`. For training, such masks are as good; "
                "report it with this program."},
    {"Compare in `eval()` mode, and with the same random seed", .unless = {STATED_FALLBACK_RANDOM},
     .instead = "Compare in `eval()` mode, and set the seed again before each run."},
    {"`torch._inductor.config.fallback_random = True` draws those of", .unless = {STATED_FALLBACK_RANDOM}},
    {FIND_STAGE,
     .unless = {STATED_WRONG_IN_DYNAMO},
     .instead = "The text says that `\"eager\"` has the problem already, so it is most likely Dynamo's: a value "
                "that the code read in an earlier call and that no guard watches, or what runs in another order behind "
                "a graph break (`TORCH_LOGS=graph_breaks`). Try a newer PyTorch, then report it."},
    {FIND_STAGE,
     .unless = {STATED_WRONG_IN_AOT},
     .instead = "The text says that `\"aot_eager\"` has the problem already, so it is not Inductor's: most likely it "
                "comes from AOTAutograd, whose decompositions (of a batch norm, say) compute in another order; or from "
                "Dynamo, where `\"eager\"` has it, too. Compare one step, layer by layer, with eager mode in float64: "
                "what eager mode in float32 is as far from is rounding."},
    {FIND_STAGE,
     .unless = {STATED_SMALL_IN_INDUCTOR},
     .instead = "The text says that `\"aot_eager\"` does not have the problem, so it is most likely Inductor's: try a "
                "newer PyTorch, then report it with this program, which is small enough as it is. Until then compile "
                "this function with `backend=\"aot_eager\"`, keep it uncompiled (`torch.compiler.disable`), or do one "
                "of its operators outside of it: where that makes it right, their fusion is wrong."},
    {FIND_STAGE,
     .unless = {STATED_RIGHT_IN_AOT},
     .instead = "The text says that `\"aot_eager\"` does not have the problem, so it is most likely Inductor's: try a "
                "newer PyTorch. To find the operator, compile one block at a time (`block.compile()`); keep that block "
                "out (`torch.compiler.disable`), and report it."},
    {FIND_STAGE,
     .unless = {STATED_STAGE},
     .instead = "The text says that `\"eager\"` does not have the problem, so it comes from AOTAutograd or Inductor: "
                "`backend=\"aot_eager\"` shows which."},
    {"Find the rank that is missing, by", .unless = {STATED_DUMPED},
     .instead = "Each rank writes the last collectives that it called, as the text says (files such as "
                "`nccl_trace_rank_0`): collect these dumps of all ranks in a directory and read them, `pt2trace DIR`. "
                "Of the group that timed out, the rank whose last collective has a lower number is the one that is "
                "missing."},
    {"Find the rank that is missing, by", .unless = {STATED_COMPILE_WORKERS},
     .instead = "The text speaks of processes that compile: most likely one rank still compiles while another, which "
                "found its code in a cache, waits for it. Let every rank compile before the first collective (a "
                "forward and backward pass), with a longer timeout until then (`init_process_group(timeout=...)`), or "
                "give all ranks one filled cache (`TORCHINDUCTOR_CACHE_DIR`)."},
    {"A rank that compiles while the others wait", .unless = {STATED_COMPILE_WORKERS}},
    {"If the code also fails without torch.compile", .unless = {STATED_CACHED_METHOD},
     .instead = "Dynamo leaves the cache of `functools` out, and traces the method below it without its object: most "
                "likely that is the argument that is missing, and eager mode has no such error. Take the decorator off "
                "the method, or call it before the compiled code."},
    {"The value of a global variable is compiled in", .unless = {STATED_PYTHON_CACHE},
     .instead = "Dynamo leaves the cache of `functools` out: the function runs at each call, and what it changes "
                "changes each time. Call a cached function outside of compiled code. The value of a global variable is "
                "compiled in as a constant."},
    {"Find the first kernel that returns NaN\nIf eager mode has none\nIf only the last has them\nIf only the last "
     "differs\nIn half precision, fused\n" FIND_STAGE,
     .unless = {STATED_WRONG_IN_GRAPHS},
     .instead = "Only the modes that use CUDA graphs are wrong in this text, so most likely these are the cause, and "
                "no kernel or rounding: a recorded graph reads and writes fixed memory. Look for what else writes or "
                "keeps that memory: results kept from an earlier call (`.clone()` them, or "
                "`torch.compiler.cudagraph_mark_step_begin()` before each step), inputs that a loader fills on "
                "another stream (synchronize, or copy them), gradients or buffers that are replaced between calls. "
                "Compile only the model, not the whole step with the optimizer. Until then "
                "`mode=\"max-autotune-no-cudagraphs\"`, or the default mode; then try a newer PyTorch, and report it."},
    {"The policy of selective activation checkpointing is\nPut the checkpoint around",
     .needs = {STATED_CHECKPOINT_POLICY}, .asserts = true},
    {"A newer PyTorch may leave this code out of the graph", .unless = {STATED_FABRIC},
     .instead = "Lightning's Fabric compiles again around the FSDP that it adds: "
                "`fabric.setup(model, _reapply_compile=False)`."},
    {"Add up the losses and call `backward()` once", .unless = {STATED_TWO_BACKWARDS},
     .instead = "Where one compiled function trains two modules, both may be in that graph: compile the modules apart "
                "(`net = torch.compile(net)`), and not the function that trains them. `retain_graph=True` only helps "
                "if no step of an optimizer is between the two."},
    {"Where a step calls compiled code several times", .unless = {STATED_GRAPHS_OF_PARTS}},
    {"(and before `backward()`)", .unless = {STATED_GRAPHS_OF_PARTS},
     .instead = "Most likely several parts of the model are compiled one by one: say where a step begins, once before "
                "each call of the whole model, by `torch.compiler.cudagraph_mark_step_begin()`. Or copy what a part "
                "returns, in the code that calls the parts: `.clone()`."},
    {"(and before `backward()`)", .needs = {STATED_TRAINS},
     .instead = "Copy what is kept (an output, a state that is passed in again) where the compiled function is called, "
                "directly behind that call: `.clone()`."},
    {"(`torch._dynamo.config.compiled_autograd = False`)", .unless = {STATED_AUTOGRAD_AROUND},
     .instead = "The text turns compiled autograd on by a `with` (`compiled_autograd.enable`), which no setting turns "
                "off: call `backward()` without that `with`."},
    {"An input of the graph, which may be a parameter, has", .unless = {STATED_OTHER_WEIGHT},
     .instead = "The code was compiled for a parameter of one size, and met one of another: most likely the code of "
                "one module ran for another one, as PyTorch guards less of what FSDP manages (`skip_fsdp_guards`). "
                "Wrap whole layers with `fully_shard`, and not single parts of them as well (such as the matrices of "
                "LoRA)."},
    {"The model computes with DTensors: most likely AOTAutograd\nCompile what makes and what takes it as one region",
     .needs = {STATED_DTENSOR}, .asserts = true},
    {"If you wrote the backward, it may change in place what the forward saved\nOr a custom operator changes its "
     "arguments without\nIf it is neither, it is a bug of PyTorch: try",
     .needs = {STATED_CUSTOM_OPERATOR}, .among = {STATED_DTENSOR}},
    {"In a program without a backward or an operator of its own\nUntil then leave the module that fails uncompiled",
     .unless = {STATED_CUSTOM_OPERATOR, STATED_DTENSOR, STATED_CHECKPOINTED_RANDOM}},
    {"To find it, exclude such calls one by one", .needs = {STATED_CUSTOM_OPERATOR}, .among = {STATED_DTENSOR},
     .instead = "Try a newer PyTorch, then report it with the smallest program on two ranks."},
    {"flex_attention does not compile with jagged tensors\nPass it dense tensors: all sequences in one",
     .needs = {STATED_FLEX_ATTENTION}, .asserts = true},
    {"This checkpoint runs uncompiled, around compiled functions\n"
     "wrap the block, then `block.compile()` the wrapped one",
     .needs = {STATED_COMPILER}},
    {"Call it with each size before the first step", .needs = {STATED_SIZES_VARY, STATED_RECOMPILES}},
    {"With freezing (\nThe graph is frozen (", .needs = {STATED_FREEZING}, .asserts = true},
    {"Parameter freezing (", .unless = {STATED_FREEZING}},
    {"No compiled function is on the stack: it is not the compiler's", .unless = {STATED_EAGER_WORKS},
     .instead = "No compiled function is on the stack, but the text says that it works uncompiled: most likely "
                "the code meets what the compiler changed before, such as an object that `torch.compile` returned "
                "in the place of the module or function that it was given."},
    {"Run the same uncompiled: if that works,", .unless = {STATED_EAGER_WORKS},
     .instead = "It works uncompiled in this text, so most likely it is the compiled backward's."},
    {"`backend=\"aot_eager\"` shows whether Inductor has a part", .unless = {STATED_WRONG_IN_AOT},
     .instead = "`backend=\"aot_eager\"` fails in this text, too, so Inductor has no part in it."},
    {"`backend=\"aot_eager\"` shows whether Inductor has a part", .unless = {STATED_RIGHT_IN_AOT},
     .instead = "`backend=\"aot_eager\"` works in this text, so it is most likely Inductor's."},
    {"Run the same uncompiled, to see whose", .unless = {STATED_EAGER_WORKS},
     .instead = "They come with the compiler, which most likely lost the waits."},
    {"If it has none, the compiler lost them", .unless = {STATED_EAGER_WORKS},
     .instead = "Try a newer PyTorch, then report it with the code that `TORCH_LOGS=output_code` prints."},
    {"ithout `torch.compile`\nin eager mode\nIf eager mode\nwith eager against\nthe code is wrong\nCompare with the "
     "function uncompiled",
     .unless = {STATED_EAGER_WORKS},
     .instead = "It works without `torch.compile`, so a bug in the compiler is likely: try a newer PyTorch, then "
                "report it with the smallest program that shows it."},
    {"If only the compiled code fails", .unless = {STATED_EAGER_WORKS}},
    {"If the break is acceptable, compile without `fullgraph=True`", .unless = {STATED_PROJECT_COMPILES}},
    {"If the code also raises it without torch.compile", .unless = {STATED_EAGER_WORKS},
     .instead = "It works without torch.compile, so the line most likely raises only while Dynamo traces it."},
    {"vLLM loaded this code from its cache\nRemove it, so that it is compiled again", .unless = {STATED_FRESH_FAILS}},
    {"Dynamo leaves the cache of `functools` out, so a call before", .needs = {STATED_PYTHON_CACHE}, .asserts = true},
    {"Kernels of SageAttention are Triton's", .needs = {STATED_SAGE}, .asserts = true},
    {"Without torch.compile, bfloat16 is emulated", .needs = {STATED_COMPILER}},
    {"ithout `torch.compile`\nTORCHDYNAMO_\n`@torch.compiler.disable`\n`backend=\"", .needs = {STATED_DYNAMO},
     .among = {STATED_OTHER_ENTRY}},
    {"TORCHDYNAMO_REPRO_AFTER\ncompiler_bisector\n--bisect\n--minify\nit may be rounding\nCompare in float32\n"
     "Find the stage that causes it",
     .unless = {STATED_EAGER_DIFFERS},
     .instead = "Two runs in eager mode differ already (`eager_two_runs_differ`), so the compiler is not the cause: "
                "the model is not deterministic. Find out why first: dropout or random numbers without a seed, kernels "
                "that add in any order (`torch.use_deterministic_algorithms(True)` names them), another device."},
    {"TORCHDYNAMO_REPRO_AFTER", .unless = {STATED_MINIFIER_FAILED},
     .instead = "The minifier was run, and found no smaller graph that fails (`FAIL: Delta Debugging`): what fails may "
                "be the graph as a whole, as where rounding adds up over many operators. Compare the results of parts "
                "of the model, layer by layer, with eager mode (on the CPU in float64, where the device has none); "
                "`backend=\"aot_eager\"` shows whether it is Inductor. Report it with the `repro.py`."},
    {"TORCHDYNAMO_REPRO_LEVEL=4", .unless = {STATED_NOT_MINIFIED},
     .instead = "The minifier cannot repeat it: where a graph crashes in it (`Skipping this graph`), it counts that as "
                "no difference. " COMPARE_STAGES},
    {"TORCHDYNAMO_REPRO_AFTER", .unless = {STATED_MINIFIED},
     .instead = "The minifier was on: run the `minifier_launcher.py` that it wrote. The smallest program that fails is "
                "then in `repro.py`."},
    {"TORCHDYNAMO_REPRO_LEVEL=4", .unless = {STATED_MINIFYING}, .instead = COMPARE_STAGES},
    {"TORCHDYNAMO_REPRO_AFTER=", .unless = {STATED_MINIFYING},
     .instead = "The minifier is on: it writes `minifier_launcher.py` where it finds the error. Run that, and report "
                "the `repro.py` that it makes."},
    {"The program computes in float16", .needs = {STATED_FLOAT16}, .asserts = true},
    {"In bfloat16 ", .needs = {STATED_LOW_PRECISION}, .unless = {STATED_FLOAT16}},
    /* vLLM compiles with passes of its own, and nobody passes it a backend */
    {"TORCHDYNAMO_REPRO_AFTER=aot TORCH\n`backend=\"eager\"`, then\nexclude the function: `@torch.compiler.disable`\n"
     "compiles without Inductor\n` raised it: fix it there\nshows that the graph itself is fine\n"
     "`backend=\"eager\"` shows whether it is Dynamo",
     .unless = {STATED_VLLM},
     .instead = "vLLM compiles the model, with passes of its own: update vLLM, then report it there with the model's "
                "name and the options. Until then: `--enforce-eager`."},
    {"Dump again after a while\nDump each rank (\ndump each rank with", .unless = {STATED_ONE_PLACE},
     .instead = "The ranks of this text stand at one line: dump the others, too. `py-spy dump --native --pid PID` "
                "shows what is C++ below that line."},
    {"Where `torch.compile` stands before `deepspeed.initialize`", .needs = {STATED_COMPILED_FIRST}, .asserts = true},
    /* what was set, or cannot help */
    {"It is not the model: compile for fixed sizes", .unless = {STATED_STATIC_FAILS},
     .instead = "It is not the model. `dynamic=False` changes nothing in this text, so look for what makes a size a "
                "symbol all the same: a mark (`mark_dynamic`), or a number that is read from a tensor (`.item()`)."},
    {"Run without CUDA graphs (no mode \"reduce-overhead\")\nRun without CUDA graphs: no mode \"reduce-overhead\"",
     .unless = {STATED_TOGETHER},
     .instead = "Only autotuning and CUDA graphs together fail in this text: take one of the two, which both work in "
                "it, `mode=\"max-autotune-no-cudagraphs\"` or `mode=\"reduce-overhead\"`, and report it with that."},
    {"Run without CUDA graphs (no mode \"reduce-overhead\")\nRun without CUDA graphs: no mode \"reduce-overhead\"",
     .unless = {STATED_NO_GRAPHS_FAIL}},
    {"Run without CUDA graphs (no mode \"reduce-overhead\")\nRun without CUDA graphs: no mode \"reduce-overhead\"",
     .unless = {STATED_MODE_AUTOTUNE},
     .instead = "Without CUDA graphs, and still tuned: `mode=\"max-autotune-no-cudagraphs\"`."},
    {"What is captured waits for the GPU, or uses\nNewer versions of PyTorch capture more",
     .unless = {STATED_TOGETHER}},
    {"What is captured waits for the GPU, or uses", .unless = {STATED_MODE_RECORDS},
     .instead = "The mode records the compiled code, and something in it waits for the GPU, or uses another stream or "
                "an event, as `.item()`, `.cpu()` and some extensions do: keep that out of what is compiled "
                "(`@torch.compiler.disable`)."},
    {"Compile with `mode=\"max-autotune-no-cudagraphs\"`\nOr run without CUDA graphs: the default mode",
     .unless = {STATED_NO_GRAPHS_FAIL}},
    {"`TORCH_LOGS=recompiles` prints\n`TORCH_LOGS=recompiles` lists\nTORCH_LOGS=\"recompiles\"",
     .unless = {STATED_RECOMPILES}, .instead = "`TORCH_LOGS=recompiles` was set: the whole log has all reasons."},
    {"`mark_dynamic`\nmark_dynamic(\nhen one graph serves all sizes\ndynamic=True\nassume_static_by_default = False\n"
     "dynamic_sources\nThe setting below is for the whole program: it makes all sizes",
     .unless = {STATED_DYNAMIC_FAILS},
     .instead = "Dynamic shapes fail in this text, whose backward could not be compiled for them: compile for fixed "
                "sizes (`dynamic=False`), and pad to a few, or raise the limit."},
    {"New sizes: `torch._dynamo.mark_dynamic", .unless = {STATED_DYNAMIC}},
    {"New sizes: `torch._dynamo.mark_dynamic", .needs = {STATED_SIZES_VARY}, .asserts = true},
    {"Most likely Dynamo traces through a library's own checkpointing\nKeep that call out of the graph (a function\n"
     "Report it to the library", .needs = {STATED_OWN_CHECKPOINT}, .asserts = true},
    {"The text says that it works where blocks", .needs = {STATED_BLOCKS_WORK}, .asserts = true},
    {"The text is of ComfyUI", .needs = {STATED_COMFYUI}, .asserts = true},
    {"The kernels of SageAttention", .needs = {STATED_SAGE}, .asserts = true},
    {"Dynamic shapes are on, so the code", .needs = {STATED_DYNAMIC}, .asserts = true},
    {"For fixed sizes only: ", .unless = {STATED_SKIPS_DYNAMIC_GRAPHS},
     .instead = "`cudagraph_skip_dynamic_graphs` is set in this text, and each size is recorded all the same. Most "
                "likely the graph is partitioned, as it is by default from PyTorch 2.9 on: the setting then looks at "
                "each operator, and not at the graph's inputs. `TORCHINDUCTOR_GRAPH_PARTITION=0` beside it should "
                "leave CUDA graphs out for the whole graph. Report it."},
    {"Most likely it lost the symbol of a derived", .needs = {STATED_DERIVED_DIM}, .asserts = true},
    {"`mode=\"reduce-overhead\"` launches the kernels at once", .unless = {STATED_MODES_TRIED},
     .instead = "The modes with CUDA graphs still check the guards and copy the inputs."},
    {"A graph that breaks or is compiled again costs more", .unless = {STATED_NO_RECOMPILES}},
    {"`TORCH_LOGS=recompiles,graph_breaks` prints both\nthem compiles again for new inputs or breaks\n"
     "first calls may compile again\nNew sizes: `torch._dynamo.mark_dynamic",
     .unless = {STATED_NO_RECOMPILES}},
    {"The text does not show what goes wrong\n" FIND_STAGE,
     .unless = {STATED_FOLDED_NORM},
     .instead = "Most likely Inductor folded the batch norm into the convolution when it compiled for an evaluation "
                "without gradients, and keeps the weights of that time: training does not make it compile again. "
                "Evaluate with the module that was compiled, uncompiled, which has the same parameters; or call "
                "`torch._dynamo.reset()` before each evaluation; or evaluate with gradients. Then try a newer PyTorch: "
                "2.5 folds them only where freezing is set."},
    {"Where only the last digits of many elements differ", .unless = {STATED_FOLDED_NORM}},
    {"The text does not show what goes wrong", .unless = {STATED_SILENT},
     .instead = "In this text something goes wrong without an error. Find the stage, each in a new process: "
                "`backend=\"eager\"` (Dynamo alone), then `\"aot_eager\"`, then `\"inductor\"`. If the first is "
                "wrong, Dynamo most likely does not notice what changed after the first call: try "
                "`torch._dynamo.reset()` behind that change."},
    {"If it fails, paste the whole traceback, down to its last line; if it is slow", .unless = {STATED_SILENT}},
    {"and what `TORCH_LOGS=recompiles,graph_breaks` prints.", .unless = {STATED_NO_RECOMPILES},
     .instead = "If it fails, paste the whole traceback, down to its last line; if it is slow or the results differ, "
                "paste the numbers of eager and of compiled code."},
    {"it is slow or the results differ, paste the numbers", .unless = {STATED_NUMBERS},
     .instead = "If it fails, paste the whole traceback, down to its last line; if it is slow or the results differ, "
                "say which of the numbers are wrong, and paste what `TORCH_LOGS=recompiles,graph_breaks` prints."},
    {"Compiled, it does not store the whole", .unless = {STATED_COMPILED_MASK}},
    {"The compiler's cache makes later", .needs = {STATED_STARTS}},
    {"The first calls compile: leave\nThe compiler's cache makes later", .unless = {STATED_WARMED_UP}},
    {"On the CPU, eager mode calls a tuned", .needs = {STATED_NO_GPU}, .asserts = true},
    {"Gradients that several backwards add up\nOr add up clones", .needs = {STATED_TRAINS}, .asserts = true},
    {"With AOTInductor, the wrapper\ncompile_wrapper_with_O0\ncompile AOTInductor's wrapper",
     .needs = {STATED_OTHER_ENTRY}},
    {"See where it waits: `py-spy\nA stack that changes is slow\n`TORCH_LOGS=\"+dynamo,+inductor\"`: its last line",
     .unless = {STATED_ONE_THREAD_HELPS},
     .instead = "With one compile thread it ends, so most likely the program waits for Inductor's compile workers, "
                "which are processes of their own: keep `TORCHINDUCTOR_COMPILE_THREADS=1` (kernels are then compiled "
                "one after another), until a newer PyTorch or Python does without. If it comes back, `py-spy dump "
                "--native --pid PID` of the process that stays shows where it waits."},
    {"Run it, or free the outputs", .unless = {STATED_FUNC_GRAD},
     .instead = "Where gradients are computed inside the compiled function, parameters with `requires_grad` still make "
                "each call one whose backward is never run: detach them before the call, as in `{k: p.detach() for k, "
                "p in model.named_parameters()}`."},
    {"Where no backward follows: ", .unless = {STATED_NO_GRAD_FAILS},
     .instead = "That `no_grad` changes nothing may come from earlier calls in the same process, whose backward is "
                "still pending: try it in a new one."},
    {"If the first is wrong, Dynamo\nIf only the last ",
     .unless = {STATED_WRONG_IN_DYNAMO, STATED_WRONG_IN_AOT, STATED_RIGHT_IN_AOT}},
    {"waits for the rank, lock or process",
     .needs = {STATED_RANKS},
     .instead = "A stack that changes is slow (compiling, tuning); one that stays waits for a lock, or for another "
                "process."},
    {"its last line names the stage",
     .unless = {STATED_RIGHT_IN_AOT},
     .instead = "With `\"aot_eager\"` it does not hang, so most likely Inductor does: "
                "`TORCHINDUCTOR_COMPILE_THREADS=1` compiles without other processes."},
    {"Inductor (2.2 and later) can reuse more", .needs = {STATED_COMPILER}},
    {"Most likely the ranks log different values", .needs = {STATED_SYNCED_VALUES}, .asserts = true},
    {"With `torch.compile`, also for graphs that", .needs = {STATED_COMPILER}},
    {"Pools of CUDA graphs (mode", .needs = {STATED_COMPILER, STATED_CUDA_GRAPHS}},
    {"If a part of it is compiled and Distributed", .needs = {STATED_COMPILER}},
    {"Most likely this is PyTorch 2.0, which cannot trace under", .needs = {STATED_INFERENCE_OF_2_0}, .asserts = true},
    {"A package of AOTInductor must be", .needs = {STATED_AOT_PACKAGE}},
    /* vLLM begins its own workers, and keeps what it has compiled */
    {"Use `set_start_method(\"spawn\")` of its multiprocessing", .unless = {STATED_VLLM},
     .instead = "vLLM chooses how its workers begin: start with `VLLM_WORKER_MULTIPROC_METHOD=spawn`, make the engine "
                "below `if __name__ == \"__main__\":`, and let nothing use CUDA before it."},
    {"The graph was compiled for other sizes or strides than it received", .unless = {STATED_VLLM},
     .instead = "The graph was compiled for other sizes or strides than it received. vLLM keeps compiled code, which "
                "may be of another model, version or setting: start once with `VLLM_DISABLE_COMPILE_CACHE=1`. If it "
                "is the same without the cache, a fake kernel returns other strides than its operator."},
    /* systems */
    {"`pip check` names it, and\nWhere `pip list` shows several (triton\nOn Windows each version of PyTorch needs its\n"
     "Install the Triton that fits this PyTorch\nOn Windows it is called `triton-windows`",
     .unless = {STATED_WINDOWS}, .instead = TRITON_OF_WINDOWS},
    {"Install one, or name the one to use: `CC=gcc`", .unless = {STATED_WINDOWS},
     .instead = "On Windows: newer wheels of triton-windows bring a C compiler: update within "
                "those that belong to this PyTorch (of 2.6 `\"triton-windows<3.3\"`, of 2.7 `\"triton-windows<3.4\"`). "
                "Or install the Build Tools of Visual Studio with C++, and start the program from their \"x64 Native "
                "Tools Command Prompt\"."},
    {"Install a build with CUDA", .unless = {STATED_MACOS},
     .instead = "A Mac has no CUDA: this version's Inductor calls it for a device that it does not know. Newer ones "
                "(from about PyTorch 2.7 on) compile for the device `mps`; or use `backend=\"aot_eager\"`."},
    {"Install a build with CUDA", .unless = {STATED_AMD},
     .instead = "The GPU is one of AMD, for which PyTorch has builds with ROCm, where the device is called `cuda` too: "
                "install the one that pytorch.org names for this ROCm, or leave the tensors on the CPU."},
    {"Install a build with CUDA", .unless = {STATED_OTHER_ACCELERATOR},
     .instead = "The text computes on another device than one of CUDA, and some code asks for CUDA all the same: see "
                "which line does in the whole traceback (`.cuda()`, `\"cuda\"`, a default of a library), and give it "
                "that device. Where it is PyTorch's own, try a newer PyTorch."},
    {"For a Mac there is none with CUDA", .unless = {STATED_MACOS, STATED_LINUX, STATED_WINDOWS}},
    {"For a Mac there is none with CUDA", .unless = {STATED_AMD, STATED_OTHER_ACCELERATOR}},
    {"(on a Mac, or for an old GPU)", .unless = {STATED_WINDOWS, STATED_LINUX},
     .instead = "Or run this part without `torch.compile`."},
    {"Windows \nWindows.\nWindows,\nWindows:\nWindows;\nWindows)\nWindows'\nVisual Studio\nvcvars",
     .needs = {STATED_WINDOWS}, .among = {STATED_LINUX, STATED_MACOS, STATED_WINDOWS}},
    {"Install PyTorch and what else computes from one source", .unless = {STATED_OPENMP_OF_TORCH},
     .instead = "Nothing else brings one, so most likely both copies are in PyTorch's own package (on macOS "
                "`torch/.dylibs` and `torch/lib`), which is a fault of that version: install another one. Until then "
                "make one of the two a link to the other, and delete what Inductor built (its cache, "
                "`torchinductor_USER` in the directory of temporary files)."},
    {"Install it for the compiler.", .unless = {STATED_LIBOMP},
     .instead = "OpenMP is installed in this text, but the compiler does not look where it is."},
    {"On macOS: `brew install libomp`", .unless = {STATED_LIBOMP}},
    {"Homebrew on macOS puts it where clang", .unless = {STATED_OPENMP_OF_2_0}},
    {"PyTorch 2.0 does not read `OMP_PREFIX`", .unless = {STATED_OPENMP_LATER}},
    {"macOS\n`brew \n`xcode-select", .needs = {STATED_MACOS}, .among = {STATED_LINUX, STATED_MACOS, STATED_WINDOWS}},
    {"`apt install\nFedora\npython3-dev\non Linux\nldconfig\n`ulimit\n`dmesg`", .needs = {STATED_LINUX},
     .among = {STATED_LINUX, STATED_MACOS, STATED_WINDOWS}},
    {"`gdb -ex run\n`gdb python CORE`", .unless = {STATED_MACOS},
     .instead = "See whose native code it is: `lldb -o run -o bt -- python CMD`; report it with that stack."},
    {"`gdb -ex run\n`gdb python CORE`", .unless = {STATED_WINDOWS}},
    {"The text has the same command without compiling", .needs = {STATED_EAGER_COMMAND}, .asserts = true},
    {"`gdb -ex run", .unless = {STATED_PROCESSES}},
    {"`gdb python CORE`", .needs = {STATED_PROCESSES}, .asserts = true},
    {"Put the caches where code may be run: ", .unless = {STATED_CONTAINER},
     .instead = "Docker mounts what `--tmpfs` names with noexec, unless `exec` is among its options: "
                "`--tmpfs /tmp:exec,mode=1777`. Or put the caches on a volume that can be written and allows code to "
                "be run: `TORCHINDUCTOR_CACHE_DIR=/VOLUME/inductor TRITON_CACHE_DIR=/VOLUME/triton`."},
    {"Either `PATH` finds one that this user\nOr `PATH` has a directory that this user\nThis lists both, to be taken",
     .unless = {STATED_WSL},
     .instead = "Most likely `PATH` has directories of the host (`/mnt/c/...`) with one that WSL may not run: take "
                "them out (`appendWindowsPath=false` below `[interop]` in `/etc/wsl.conf`, then `wsl --shutdown` on "
                "the host), or put a directory with a working one first."},
    {"Look where the linker's cache has it: `ldconfig\nIf this lists only libcuda.so.1, put\n"
     "If it prints nothing, search everywhere: `find /\nAdd the directory that this prints to the cache\n"
     "If it is nowhere, the driver is not installed, or the container",
     .unless = {STATED_COLAB},
     .instead = "Colab has it in a directory that the linker's cache may lack: add that, `!ldconfig "
                "/usr/lib64-nvidia`, and see that `!ldconfig -p | grep libcuda` lists it now. If this prints nothing, "
                "the runtime has no GPU: choose one with a GPU. Then run the cell again; if it fails as before, "
                "restart the runtime after `ldconfig`."},
    {"If it prints nothing, search everywhere: `find / -name 'libcuda", .unless = {STATED_WSL},
     .instead = "If it prints nothing, add WSL's directory of the driver to the cache: `sudo ldconfig "
                "/usr/lib/wsl/lib`. If that directory lacks it, search everywhere: `find / -name 'libcuda.so*'`."},
    {"The mesh of a DTensor is such an object", .needs = {STATED_DTENSOR}, .asserts = true},
    {"If the program catches the exception, let it", .unless = {STATED_UNSLOTH_FILE},
     .instead = "The file in `unsloth_compiled_cache` is generated by Unsloth: change nothing in it, but update "
                "Unsloth."},
    {"the 32-bit compiler (", .needs = {STATED_CL_32_BIT}, .asserts = true},
    {"`CXX=g++`", .unless = {STATED_MACOS}},
    /* GPUs */
    {"nvidia-smi\nptxas\ncompute capability\nCUDA_LAUNCH_BLOCKING\ncompute-sanitizer\nCUDA toolkit",
     .unless = {STATED_AMD}},
    {"Triton cannot reach a tensor of this call: most likely", .unless = {STATED_SEVERAL_GPUS},
     .instead = "Triton cannot reach a tensor of this call, which is most likely on another GPU than the one that the "
                "process runs on (\"cpu tensor?\" is Triton's guess): each rank selects its own first "
                "(`set_device(local_rank)` for CUDA), and what is created gets that device. For flex_attention: "
                "`create_block_mask(..., device=x.device)`; without it the mask is made on the first GPU."},
    {"In a call of your own, move all of its arguments\nIn a kernel of Inductor's, the tensor was on\n`--gpu-only` or "
     "`--highvram`",
     .unless = {STATED_SEVERAL_GPUS}},
    {"so it is not the one that is missing, if one is", .unless = {STATED_RANKS_AGREE},
     .instead = "As the text says, the other ranks print the same numbers: each has called the collective, and none is "
                "missing."},
    {"Compare the same line of each: one whose\nshows what that one does instead; it may be compiling\n"
     "If the job has ranks of which this text has nothing",
     .unless = {STATED_RANKS_AGREE}},
    {"On a GPU, wait\nthe GPU's kernels\nlaunching kernels may\nreduce-overhead", .unless = {STATED_NO_GPU}},
    {"In channels_last, the backward", .needs = {STATED_CONVOLUTION}, .asserts = true},
    {"In channels_last, the backward", .needs = {STATED_NO_TF32}, .asserts = true},
    /* programs and modes */
    {"In vLLM\nvLLM's is", .needs = {STATED_VLLM}},
    {"In SGLang", .needs = {STATED_SGLANG}},
    {"export to ONNX", .needs = {STATED_ONNX}},
    {"Export without Dynamo", .unless = {STATED_ONNX},
     .instead = "Export without Dynamo: `dynamo=False`, or in 2.4 and earlier `export` of PyTorch's `onnx` instead of "
                "`dynamo_export`. Or try a newer PyTorch, whose exporter to ONNX uses Dynamo only if another "
                "way fails."},
    {"In ComfyUI\nOtherwise ComfyUI", .needs = {STATED_COMFYUI}},
    {"Choose PyTorch's: `PYTORCH_CUDA_ALLOC_CONF", .unless = {STATED_COMFYUI}},
    {"Use them in every step, or pass `find_unused_parameters=True` to",
     .unless = {STATED_LIGHTNING, STATED_ACCELERATE},
     .instead = "Use them in every step, or let DDP look for them, by the option of what makes it here."},
    {"In accelerate: ", .needs = {STATED_ACCELERATE}, .asserts = true},
    {"In Lightning: ", .needs = {STATED_LIGHTNING}, .asserts = true},
    {"ModernBERT of transformers compiles parts of itself", .needs = {STATED_MODERNBERT}, .asserts = true},
    {"In ChatTTS: ", .needs = {STATED_CHATTTS}, .asserts = true},
    {"In nnU-Net: ", .needs = {STATED_NNUNET}, .asserts = true},
    {"In moshi: ", .needs = {STATED_MOSHI}, .asserts = true},
    {"In torchao: ", .needs = {STATED_TORCHAO}, .asserts = true},
    {"Where conda installed PyTorch", .needs = {STATED_CONDA}},
    /* a variable of the environment comes too late in a notebook, whose process runs */
    {"TORCHINDUCTOR_COMPILE_THREADS=1", .unless = {STATED_NOTEBOOK},
     .instead = "In a cell, before the first compiled call: `import torch._inductor.config; "
                "torch._inductor.config.compile_threads = 1`"},
    {"Memory that grows from call to call\nIf another PyTorch does not grow", .needs = {STATED_MEMORY_GROWS},
     .asserts = true},
    {"In 2.5 and 2.6, a function", .unless = {STATED_DISABLE_PROVEN},
     .instead = "The text says that it does not grow without `disable`: in 2.5 and 2.6, a function that "
                "`torch.compiler.disable` excludes within compiled code keeps a tensor for each call. Use 2.7 or "
                "later, or leave `disable` out, or compile the parts around that function instead."},
    {"In 2.5 and 2.6, a function", .needs = {STATED_DISABLE_LEAKS}, .asserts = true},
    /* what else memory may come from, where it is known */
    {"Memory that grows with the steps often\nCompiled graphs and the pool of CUDA graphs stay\nWhat holds GPU memory\n"
     "eep no outputs that still have a graph\nMemory of the CPU that\nCUDA graphs are recorded for each size\n"
     "With CUDA graphs, pad to a few",
     .unless = {STATED_DISABLE_PROVEN}},
    {"eep no outputs that still have a graph", .unless = {STATED_NO_GRAD}},
    {"Let such graphs be compiled, before", .unless = {STATED_SCALARS}},
    {"Memory that grows with the steps often", .unless = {STATED_NO_RECOMPILES}},
    {"CUDA graphs are recorded for each size", .unless = {STATED_GRAPHS_OF_SIZES},
     .instead = "With CUDA graphs and dynamic shapes, one graph is recorded for each new size, which takes time and "
                "keeps memory: pad to a few sizes, or compile without the mode that records them "
                "(`mode=\"default\"`)."},
    {"CUDA graphs are recorded for each size", .needs = {STATED_CUDA_GRAPHS}},
    {"Most often the driver is older than the",
     .unless = {STATED_FRESH_WORKS},
     .instead = "The text says that it works with fresh code, so the kernel was of a cache that was made with "
                "another GPU or CUDA, or is damaged. If machines share a directory, give each kind of GPU its own: "
                "`TORCHINDUCTOR_CACHE_DIR`, `TRITON_CACHE_DIR`."},
    {"Update the driver, or name the ptxas of", .unless = {STATED_FRESH_WORKS}},
    {"If the driver is new enough, try empty caches", .unless = {STATED_FRESH_WORKS, STATED_FRESH_FAILS}},
    {"Most often the driver is older than the\nUpdate the driver, or name the ptxas of\n"
     "If the driver is new enough, try empty caches\nLook with `nvidia-smi`; in a container",
     .unless = {STATED_OLD_DRIVER},
     .instead = "The driver in this text is older than the CUDA of this PyTorch: update the driver, or install a "
                "PyTorch that was built for a CUDA that the driver knows (`nvidia-smi` shows the newest). Kernels of "
                "PyTorch itself may run all the same, as they are compiled for all drivers of one major version of "
                "CUDA; those that Triton's `ptxas` compiles may not, unless it is of a toolkit that the driver knows: "
                "`TRITON_PTXAS_PATH=/usr/local/cuda/bin/ptxas`."},
    {"The text changes a tensor in place", .needs = {STATED_IN_PLACE}, .asserts = true,
     .instead = "See that both start from the same inputs, weights and random numbers: `x.clone()` for each, where one "
                "of them changes its input in place."},
    {"Code that the compiler wrote uses a size that varies", .unless = {STATED_SYMBOL_CONSTANT},
     .instead = "A size that varies is among the constants of a Triton kernel of the program: it was passed as "
                "`tl.constexpr` (`x.numel()`, say), which must be a number. Pass it as an ordinary argument, which may "
                "vary, and keep `tl.constexpr` for block sizes. PyTorch 2.6 and later make such a size a number by "
                "themselves, and compile for each."},
    {"A kernel of the text takes a number as `tl.constexpr`\n"
     "If that fails, too, report it with the code that `TORCH_LOGS=output_code` prints",
     .unless = {STATED_SYMBOL_CONSTANT}},
    {"A kernel of the text takes a number as `tl.constexpr`", .needs = {STATED_CONSTEXPR}, .asserts = true},
    /* the start of processes */
    {"Put what the script does under `if __name__", .unless = {STATED_POOL_AT_IMPORT},
     .instead = "Inductor starts these processes, as soon as a line of the script imports it (`warm_pool`), and by "
                "`spawn` each of them runs that line again. Leave `torch._inductor.config.worker_start_method` at its "
                "default (in 2.5 and later `subprocess`, which does not fork a program that uses CUDA, either), or "
                "move the imports of Inductor under `if __name__ == \"__main__\":`."},
    {"Inductor's own workers run it again, too", .unless = {STATED_POOL_AT_IMPORT}},
    {"Put what the script does under `if __name__", .unless = {STATED_MAIN_GUARD},
     .instead = "The script has `if __name__ == \"__main__\":` already, so most likely a line above it, or a module "
                "that it imports there, starts the processes: move that under it, too."},
    {"Look with `nvidia-smi`; in a container", .unless = {STATED_GPU_SEEN},
     .instead = "`nvidia-smi` sees the GPU in this text, so the driver is there, and it is this process that does "
                "not: see `CUDA_VISIBLE_DEVICES`, whether PyTorch and Triton are builds for this GPU that fit together "
                "(`pip check`; no other Triton installed over PyTorch's), and whether a process was forked after CUDA "
                "was used."},
    {"The text names a CUDA toolkit that", .needs = {STATED_NEW_CUDA}, .asserts = true},
    {"Or name the ptxas of a CUDA toolkit", .unless = {STATED_NEW_CUDA}},
    {"See which line of the code fixes the size", .unless = {STATED_SPARSE},
     .instead = "Most likely no line of the code fixes the size, but the exporter, as the input is a sparse tensor: "
                "export with a dense one, or one program for each size."},
    {"Or leave `torch.compile` out", .unless = {STATED_NNUNET},
     .instead = "Or let nnU-Net run uncompiled: `nnUNet_compile=f`. The results are the same, it is only slower."},
    {"Or leave `torch.compile` out", .unless = {STATED_VLLM, STATED_SGLANG}, .needs = {STATED_DYNAMO}},
    {"`aot_eager` find errors\nMeasure with Inductor, which", .needs = {STATED_NOT_INDUCTOR, STATED_AOT_EAGER_SLOWEST},
     .asserts = true},
    {"The first calls compile: leave\nOn a GPU, wait for it\nWhat is slow after them\nlaunching kernels may\n"
     "reduce-overhead\nIn channels_last, the backward\nThe compiler's cache makes later\nIf neither happens, a profile",
     .unless = {STATED_AOT_EAGER_SLOWEST}},
    {"launching kernels may\nOn a GPU, wait for it", .unless = {STATED_MACOS}},
    {"On a Mac, Inductor compiles", .needs = {STATED_MACOS}, .asserts = true},
    {"a bug in Inductor, or versions of Triton\nTry a newer PyTorch with its Triton\n"
     "Until it is fixed, exclude the function",
     .unless = {STATED_TOO_OLD_FOR_FLOAT8}, .instead = OLD_FOR_FLOAT8},
    {"Memory of the CPU that", .needs = {STATED_HOST_MEMORY}, .asserts = true},
    {"What holds GPU memory", .unless = {STATED_HOST_MEMORY},
     .instead = "What holds the process's memory: `tracemalloc` counts Python's objects; what grows without them is "
                "memory of C++."},
    {"With PyTorch 2.0 it is most likely", .needs = {STATED_LAUNCHER_LEAKS}, .asserts = true},
    {"Fewer workers for loading data", .unless = {STATED_MEMORY_GROWS}},
    {"With CUDA graphs, pad to a few", .needs = {STATED_CUDA_GRAPHS}},
    {"The text sets `abi_compatible`", .needs = {STATED_ABI_COMPATIBLE}, .asserts = true},
    {"The text is of float8", .needs = {STATED_FLOAT8}, .asserts = true},
    {"It is the operator, not the model: run with real\nWho wrote it corrects the schema\n"
     "If it is a library's, take the version of the library that was built\n"
     "Until then leave the argument out, where the schema has",
     .unless = {STATED_OPTIONAL_ARGUMENT}, .instead = OPTIONAL_IS_NONE},
    {"A result of compiled code is read after a later run\nCopy what is kept (an output, a loss\n"
     "Where a step calls compiled code several times\nWith gradients that accumulate, a step begins\n"
     "What is kept for the next step needs the copy\n"
     "What the model itself keeps between calls\nIf it is raised within `backward()`: `.grad`\n"
     "Remove it in each step (`zero_grad(set_to_none=True)`)\nTo accumulate, try a `.grad` of its own\n"
     "It is raised within `backward()`, by a tensor\nNo copy of an output helps then\n"
     "Set it to None before each backward\nNo gradient was kept?\nThen copy what uncompiled code keeps for\n"
     "It is raised within `backward()`: if no output\nSet it to None before each one",
     .unless = {STATED_ACCUMULATES}, .instead = STABLE_GRADIENTS},
    {"Remove the cache, which the next run fills again", .unless = {STATED_RACES}, .instead = RACE_FOR_CACHE},
    {"A full disk or a killed run may have left it\nIf it comes again, look for a full disk", .unless = {STATED_RACES}},
    {"Compile for fixed sizes, which is one compile for each", .unless = {STATED_DATA_ASSERTED},
     .instead = "A check of sizes that depend on data (`u0` and the like) fails there, which fixed sizes of the inputs "
                "do not remove: try a newer PyTorch, or leave the line that makes such sizes uncompiled."},
    {"Compare with eager against float64: `TORCHDYNAMO_REPRO_AFTER", .unless = {STATED_NO_FLOAT64},
     .instead = "The benchmark could not run this model in float64, so it compares the directions of the two results "
                "(their cosine, at least 0.99). If the model runs in 16 bits, run it in float32: one that passes then "
                "only rounds. If it fails there, too, find the stage: `backend=\"aot_eager\"`, then `\"inductor\"`."},
    {"For changing sizes give a range, or", .unless = {STATED_NOT_DYNAMIC}},
    {"Slower than without it is no sign\nPad to a fixed length, and leave the first",
     .needs = {STATED_PADS_LONGEST}, .asserts = true},
    {"`with_stack=True` records", .needs = {STATED_WITH_STACK}, .asserts = true},
    {"An operator in the graph returned other strides\nOdd strides of an input may cause it",
     .unless = {STATED_DTENSOR}, .instead = STRIDES_OF_DTENSOR},
    {"Without max-autotune no rank", .needs = {STATED_AUTOTUNE}, .asserts = true},
    {"look at `dmesg`", .unless = {STATED_NOTEBOOK},
     .instead = "It crashed, or was killed: most often because the machine's memory was used up."},
    {"If only one of the two has `_orig_mod.`", .unless = {STATED_ORIG_MOD}},
    {"wraps the module, and the names", .needs = {STATED_ORIG_MOD}, .asserts = true},
    {"The text is from a debugger", .needs = {STATED_DEBUGGER}, .asserts = true},
    {"vLLM loaded this code", .needs = {STATED_LOADED}, .asserts = true},
    {"pytest-xdist", .needs = {STATED_XDIST}, .asserts = true},
    {"This is a bug in PyTorch 2.6, which leaves out", .needs = {STATED_SIZE_OF_FLEX_BUG}, .asserts = true},
    {"This is a bug in PyTorch 2.6, which leaves out", .needs = {STATED_NO_FLEX_KERNEL},
     .instead = "Most likely it is a bug in PyTorch 2.6, which leaves out the only kernel for a head dimension of 128 "
                "and 16 bits before it looks at any option: use 2.7 or later, or 2.5; or compile with "
                "`mode=\"max-autotune-no-cudagraphs\"`, which has more kernels to choose from."},
    {"Most likely no kernel's blocks divide\nIf it stays, try a newer PyTorch: the choices",
     .unless = {STATED_SIZE_OF_FLEX_BUG}},
    {"kernel_options\nflex_attention", .needs = {STATED_FLEX_ATTENTION, STATED_TEMPLATE_TOO_LARGE}},
    {"of max-autotune's (`triton_mm`", .needs = {STATED_TEMPLATE}, .among = {STATED_FUSED}},
    {"Without max-autotune\nithout `mode=\"max-autotune\"`\nWith max-autotune, take", .needs = {STATED_AUTOTUNE}},
    /* data types */
    {"is_bf16_supported", .needs = {STATED_ASKS_BFLOAT16}, .asserts = true},
    {"Where the function draws random numbers (a shuffle", .needs = {STATED_RANDOM, STATED_SHUFFLES}, .asserts = true},
    {"The minifier could not repeat it from the inputs", .needs = {STATED_NOT_MINIFIED}, .asserts = true},
    {"No rounding does that", .unless = {STATED_RANDOM},
     .instead = "Random numbers differ from eager mode's, also with the same seed: Inductor draws them in another way, "
                "by design. `torch._inductor.config.fallback_random = True` draws those of eager mode, more slowly. "
                "If the results still differ, a stage is at fault."},
    {"and with the same random seed", .needs = {STATED_RANDOM}},
    {"Convolutions of float32 are computed", .needs = {STATED_CONVOLUTION}, .asserts = true},
    {"Convolutions of float32 are computed", .unless = {STATED_NO_TF32}},
    {"fused kernels round\nEMULATE_PRECISION_CASTS\nemulate_precision_casts", .needs = {STATED_LOW_PRECISION}},
    {"Find out which of the two results is wrong", .unless = {STATED_TF32},
     .instead = "Here products of float32 may be computed in TF32, whose mantissa of 10 bits makes relative "
                "differences of about 1e-3: most likely that is the difference. Where these bits matter, set "
                "`torch.set_float32_matmul_precision(\"highest\")`; else compare both with float64, and allow a "
                "tolerance of TF32."},
    {"Find out which of the two results is wrong", .unless = {STATED_FLOAT32_WORKS},
     .instead = "In float32 the results agree, so this is most likely rounding: compare both with float32, and with a "
                "tolerance for the data type."},
    {"compare each with one computed in float64", .unless = {STATED_FLOAT64}},
    {"In the backward of an autograd.Function, the gradient", .unless = {STATED_UNANALYZED},
     .instead = "No line needs to write to it: the text says that PyTorch could not analyze a Triton kernel, and then "
                "takes all its arguments for written, also the gradient that the backward gets. Pass the kernel a "
                "copy: `grad_output.clone()`. Most likely the Triton and this PyTorch do not fit: install the one that "
                "belongs to it, or a newer PyTorch. Report it with the traceback below that warning."},
    {"Dynamo saw no operation on tensors in what is exported", .unless = {STATED_EXPORTS_TORCH},
     .instead = "Dynamo traced nothing: the module that is given is PyTorch's own (as `nn.GELU` is), and up to 2.4 "
                "Dynamo skips PyTorch's files. Wrap it: a module of your own whose `forward` calls it "
                "(`return self.loss(a, b)`). PyTorch 2.5 exports it as it is."},
    {"A tensor created under `torch.inference_mode()` is used outside", .unless = {STATED_CAPTURE_BEGIN},
     .instead = "The capture of a CUDA graph fails where it begins: most likely the tensors are the random "
                "generator's, which the first capture of the process made under `torch.inference_mode()`. Capture all "
                "graphs in one mode: `with torch.inference_mode(False), torch.no_grad():` around the capture. They "
                "live as long as a graph, so `torch._dynamo.reset()` between the two may do; or a newer PyTorch."},
    {"leave out `fullgraph=True`: the graph breaks at the assignment", .needs = {STATED_FULLGRAPH}, .asserts = true},
    {"The forward graph needs a value that only the backward", .unless = {STATED_CHECKPOINTED_RANDOM},
     .instead = "The text has activation checkpointing and random numbers (dropout): most likely the checkpointed "
                "part draws some, which must be the same when it is computed again, and the parting of the graph into "
                "forward and backward fails. It is PyTorch's, not the model's: set the dropout to 0 (with LoRA "
                "`lora_dropout=0`), or leave checkpointing out of what is compiled. Try a newer PyTorch, then report "
                "it."},
    {"If you wrote the backward, it may change in\nOr a custom operator changes its arguments\n"
     "To find it, exclude such calls one by one\nIf it is neither, it is a bug of PyTorch",
     .needs = {STATED_CUSTOM_OPERATOR}, .among = {STATED_CHECKPOINTED_RANDOM}},
    {"A compiled function within the checkpoint may have been compiled again\nThe recomputation must do the same as\n"
     "PyTorch's checkpoint finds fewer tensors\nOnly if no function was compiled again",
     .unless = {STATED_LIMIT_HIT},
     .instead =
         "The text says that a function reached the limit of recompiles: most likely it ran compiled in the forward "
         "and eagerly in the recomputation, which then saves other tensors. That is the cause, and this error only "
         "follows from it. Raise the limit before the first step (`torch._dynamo.config.recompile_limit = 64`), or see "
         "why it is compiled again (`TORCH_LOGS=recompiles`): pad the inputs to few sizes, or leave that function out "
         "(`@torch.compiler.disable`)."},
    {"Call the model with inputs as at export: sizes", .unless = {STATED_SIZES_DIFFER},
     .instead = "An operator in the compiled model got sizes that do not fit: most likely the model was called with "
                "other sizes than at export, which it does not check by itself (it may also return wrong numbers). "
                "Compare the sizes before the call."},
    {"The caches were hit, so\nCompile less (the block that the model repeats: `block.compile()`), call it once",
     .needs = {STATED_CACHES_HIT}, .asserts = true},
    {"The compiler's cache makes later starts faster", .unless = {STATED_CACHES_HIT}},
    /* of what is to be pasted */
    {"torch._dynamo.config.cache_size_limit = 16\ntorch._dynamo.config.recompile_limit = 16",
     .unless = {STATED_LIMIT_IN_VAIN}},
    {"Or, if the number of cases is small and known, raise the limit", .unless = {STATED_LIMIT_IN_VAIN},
     .instead = "A higher limit was tried in this text, and did not help."},
    {"In Ray: ", .needs = {STATED_RAY}, .asserts = true},
    {"For a container, mount", .needs = {STATED_CONTAINER}, .asserts = true},
    {"With tensor parallelism", .needs = {STATED_TENSOR_PARALLEL}, .asserts = true},
    {"launching kernels may cost most", .unless = {STATED_GRAPHS_SET},
     .instead = "A mode that records CUDA graphs is set already, so that launching kernels costs little."},
    {"On a GPU, wait", .unless = {STATED_CLOCK_WAITS}},
    {"Without `mode=\"max-autotune\"`, nothing is timed", .unless = {STATED_AUTOQUANT},
     .instead = "The text is of torchao's autoquant, which compiles and times each candidate itself, once for each "
                "shape: let it finish, or take one way of quantizing for all layers (`quantize_`)."},
    {"Under ZeRO-3 or FSDP such a tensor", .needs = {STATED_EMPTY_SHARDS}, .asserts = true},
    {"See which argument is empty\nIf eager mode takes the same call", .unless = {STATED_EMPTY_SHARDS}},
    {"Switch compiled autograd off", .unless = {STATED_NO_AUTOGRAD_HELPS},
     .instead = "Without compiled autograd it works in this text: leave it off "
                "(`torch._dynamo.config.compiled_autograd = False`), or take ZeRO-1 or ZeRO-2, which do not partition "
                "the parameters."},
    {"Switch compiled autograd off", .needs = {STATED_EMPTY_SHARDS}, .asserts = true},
    {"If fresh code fails, too, vLLM calls", .unless = {STATED_FRESH_WORKS}},
    {"Until then: `--enforce-eager`", .unless = {STATED_FRESH_WORKS}},
    {"In float64, ", .needs = {STATED_FLOAT64}, .unless = {STATED_LOW_PRECISION}, .asserts = true},
    /* compilers and kernels */
    {"report it with the smallest program; if there is none yet", .unless = {STATED_SMALL_PROGRAM},
     .instead = "Inductor failed, not the model: try a newer PyTorch, then report it with the program of this text, "
                "which is small enough."},
    {"Most likely it is the operator on lists of complex\nLoop over the tensors (`for x\nOf an optimizer: `foreach=",
     .needs = {STATED_COMPLEX_LISTS}, .asserts = true},
    {"The compiler behind Triton fails on this kernel: a bug, or", .unless = {STATED_BLOCK_POINTERS},
     .instead = "The compiler behind Triton fails on this kernel, and `use_block_ptr` is on, which changes how a "
                "kernel reads memory and is off by default: run first without it "
                "(`torch._inductor.config.triton.use_block_ptr = False`)."},
    {"report it to Triton with the kernel", .unless = {STATED_TRITON_OF_INTEL},
     .instead = "The Triton of the stack is Intel's: try matching newer versions of it and of PyTorch, then report it "
                "to that project (intel-xpu-backend-for-triton) with the kernel."},
    {"What it printed before the traceback", .unless = {STATED_LINES_OF_MLIR}},
    {"If Inductor generated the kernel, avoid it", .unless = {STATED_OWN_KERNEL}},
    {"Run without CUDA graphs: no mode \"reduce-overhead\" or", .unless = {STATED_GRAPHS_OFF_WORKS},
     .instead = "Until then leave CUDA graphs out, without which it works, as the text says."},
    {"One that is kept from call to call, such as a cache", .unless = {STATED_COMPILED_AUTOGRAD},
     .instead = "With compiled autograd it may be a gradient, to which the backward adds: one that is None at the "
                "start of a step (`optimizer.zero_grad(set_to_none=True)`) is a new tensor."},
    {"This one stayed a constant: the compiled code needs it as one", .unless = {STATED_STATIC_CALL},
     .instead = "`dynamic=False` in the program's call of `torch.compile` keeps each value a constant."},
    {"Remove packages that print when they are imported", .unless = {STATED_DEEPSPEED_PRINTS},
     .instead = "The text has a line that DeepSpeed prints when it is imported (`Setting ds_accelerator`): remove that "
                "package first, then others that print, one after the other."},
    /* gradients */
    {"Try a newer version, then report it\nTry a newer PyTorch, then report it\n"
     "Newer versions of PyTorch may hand the state",
     .unless = {STATED_NIGHTLY}, .instead = "Report it, if today's nightly fails, too."},
    {NO_GRADIENT, .unless = {STATED_LEAF_WITHIN},
     .instead = "Most likely it is the tensor that the compiled function makes itself with `requires_grad=True`: old "
                "versions drop that in compiled code. Make the tensor outside and pass it in, or make it a parameter "
                "of the module; or take a newer PyTorch: 2.5 and later keep it."},
    {NO_GRADIENT, .unless = {STATED_EAGER_WORKS},
     .instead = "The text says that the same works without the compiler, so the loss depends on something that "
                "requires a gradient: most likely compiled code loses that. See whether what the compiled function "
                "returns has `requires_grad`, with `backend=\"eager\"` and `\"aot_eager\"`. Set it on tensors that "
                "are passed in, outside of the function."},
};

/* Where both systems are named, it is most often Linux within Windows. */
static bool states(const struct stated *to, enum stated_fact fact)
{
    return stated_has(to, fact) && !(fact == STATED_WINDOWS && stated_has(to, STATED_LINUX));
}

static bool states_any(const struct stated *to, const unsigned char facts[FACTS_OF_RULE])
{
    for (size_t i = 0; i < FACTS_OF_RULE && facts[i]; i++)
        if (states(to, facts[i]))
            return true;
    return false;
}

static bool breaks(const struct fit_rule *rule, const struct stated *to, struct str sentence)
{
    if (!str_has_any_line(sentence, str_of(rule->words)))
        return false;
    if (!stated_has(to, STATED_READ))
        return rule->asserts;
    if (states_any(to, rule->unless))
        return true;
    return rule->needs[0] && (!rule->among[0] || states_any(to, rule->among)) && !states_any(to, rule->needs);
}

/* PyTorch's version, or the newest that it can be. */
static struct str version_of(const struct advice_fit *f)
{
    return f->version.n ? f->version : f->to->newest;
}

/* The name that an older version has for the same. */
static const struct {
    struct str name, older;
} renamed[] = {
    {STR_INIT("torch.library.register_fake"), STR_INIT("torch.library.impl_abstract")},
    {STR_INIT("torch._dynamo.config.recompile_limit"), STR_INIT("torch._dynamo.config.cache_size_limit")},
    {STR_INIT("torch.compiler.disable"), STR_INIT("torch._dynamo.disable")},
    {STR_INIT("torch.compiler.reset"), STR_INIT("torch._dynamo.reset")},
    {STR_INIT("torch.compiler.allow_in_graph"), STR_INIT("torch._dynamo.allow_in_graph")},
    {STR_INIT("torch.compiler.is_compiling"), STR_INIT("torch._dynamo.is_compiling")},
    {STR_INIT("torch.compiler.cudagraph_mark_step_begin"), STR_INIT("torch._inductor.cudagraph_mark_step_begin")},
    /* Of two ways the one that the version has. */
    {STR_INIT("`mark_dynamic` where the function is called, for each of these inputs, or `torch.compile("),
     STR_INIT("`torch.compile(")},
    {STR_INIT("`mark_dynamic` where the function is called, or `torch.compile("), STR_INIT("`torch.compile(")},
    {STR_INIT("`mark_dynamic` for each of these inputs, or `torch.compile("), STR_INIT("`torch.compile(")},
    {STR_INIT("(`mark_dynamic`, or `dynamic=True`)"), STR_INIT("(`dynamic=True`)")},
};

/* Behind a name that was replaced the text says once more what the older one is: for readers of unknown versions. */
static struct str behind_name(const struct advice_fit *f, struct str rest)
{
    static const struct str said[] = {STR_INIT("` (`cache_size_limit` up to 2.6)"),
                                      STR_INIT("`, `cache_size_limit` up to 2.6")};

    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        if (str_consume(&rest, said[i]))
            return arena_printf(f->arena, "`%.*s", STR_ARG(rest));
    }
    return rest;
}

struct str advice_fit_names(const struct advice_fit *f, struct str text)
{
    struct named_since missing;

    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
        ptrdiff_t at;

        while ((at = str_find(text, renamed[i].name)) >= 0 &&
               names_missing(renamed[i].name, version_of(f), &missing) &&
               !names_missing(renamed[i].older, version_of(f), &missing)) {
            struct str behind = behind_name(f, str_skip(text, (size_t)at + renamed[i].name.n));

            text = arena_printf(f->arena, "%.*s%.*s%.*s", (int)at, text.p, STR_ARG(renamed[i].older), STR_ARG(behind));
        }
    }
    return text;
}

/* Which versions of triton-windows a version of PyTorch takes: those below this one. */
static const struct {
    const char *pytorch, *below;
} tritons[] = {{"2.5.", "3.2"}, {"2.6.", "3.3"}, {"2.7.", "3.4"}, {"2.8.", "3.5"}, {"2.9.", "3.6"}};

/* What is said for all versions of PyTorch, in the words for the one that is known. */
static struct str for_version(const struct advice_fit *f, struct str sentence)
{
    static const struct str any = STR_INIT("torch==VERSION");
    ptrdiff_t at = f->version.n ? str_find(sentence, any) : -1;

    if (at >= 0)
        return arena_printf(f->arena, "%.*storch==%.*s%.*s", (int)at, sentence.p, STR_ARG(f->version),
                            STR_ARG(str_skip(sentence, (size_t)at + any.n)));
    for (size_t i = 0; str_eq(sentence, STR(TRITON_OF_WINDOWS)) && i < sizeof tritons / sizeof *tritons; i++)
        if (str_starts(f->version, str_of(tritons[i].pytorch)))
            return arena_printf(f->arena,
                                "On Windows it is the triton-windows of this PyTorch, with the python.exe that runs "
                                "the program: `python -m pip install -U \"triton-windows<%s\"`.",
                                tritons[i].below);
    return sentence;
}

static const struct fit_rule *broken_by(const struct advice_fit *f, struct str sentence)
{
    for (size_t i = 0; i < ADVICE_RULES && sentences[i].words; i++)
        if (breaks(&sentences[i], f->to, sentence))
            return &sentences[i];
    return NULL;
}

/* A condition that the text has answered: the sentence says what follows. */
static const struct {
    enum stated_fact fact;
    struct str condition, then;
} answered[] = {
    {STATED_RANKS_AGREE, STR_INIT("If each has called it, no rank is missing: it is"), STR_INIT("It is")},
    {STATED_RANKS_AGREE, STR_INIT("If none is missing, it is"), STR_INIT("None is missing, as the text says: it is")},
    {STATED_FRESH_FAILS, STR_INIT("If fresh code fails, too, "), STR_INIT("Fresh code fails, too, as the text says: ")},
};

static struct str with_answer(const struct advice_fit *f, struct str sentence)
{
    for (size_t i = 0; i < sizeof answered / sizeof *answered; i++)
        if (states(f->to, answered[i].fact) && str_consume(&sentence, answered[i].condition))
            return arena_printf(f->arena, "%.*s%.*s", STR_ARG(answered[i].then), STR_ARG(sentence));
    return sentence;
}

/* What stands for a sentence that breaks a rule; once for each rule. */
static struct str instead_of(struct advice_fit *f, const struct fit_rule *rule)
{
    bool said = f->instead_said[rule - sentences];

    f->instead_said[rule - sentences] = true;
    return rule->instead && !said ? str_of(rule->instead) : (struct str){0};
}

/* Advice that needs a newer version, with that version. */
static struct str newer_only(const struct advice_fit *f, struct str words)
{
    struct named_since missing;

    if (!names_missing(words, version_of(f), &missing) || missing.since.n == 0 || broken_by(f, words))
        return (struct str){0};
    return arena_printf(f->arena, "%.*s%s `%.*s` is in PyTorch %.*s and later.", STR_ARG(words),
                        str_ends(words, STR(".")) ? "" : ".", STR_ARG(missing.name), STR_ARG(missing.since));
}

/*
 * "In ComfyUI: `--till`." behind other sentences, in a text of that program: its own switch is what its user has, and
 * it may override what is general. In the arena, or the words.
 */
static struct str with_switch_first(struct arena *a, struct str words)
{
    static const struct str programs[] = {STR_INIT("In ComfyUI: `"), STR_INIT("In vLLM: `"), STR_INIT("In SGLang: `"),
                                          STR_INIT("In Lightning: `"), STR_INIT("In accelerate: `")};
    struct str rest = words;

    while (rest.n) {
        struct str before = str_range(words.p, rest.p), sentence = held_next_sentence(&rest);

        if (before.n && STR_STARTS_ANY(sentence, programs) && str_ends(str_trim(sentence), STR("`.")))
            return arena_printf(a, "%.*s %.*s%s%.*s", STR_ARG(str_trim(sentence)), STR_ARG(str_trim(before)),
                                rest.n ? " " : "", STR_ARG(str_trim(rest)));
    }
    return words;
}

static bool is_on_windows(const struct stated *to)
{
    return stated_has(to, STATED_WINDOWS) && !stated_has(to, STATED_LINUX) && !stated_has(to, STATED_MACOS);
}

enum { SAID_MIN = 40 };

struct str advice_fit_words(struct advice_fit *f, struct str words)
{
    struct str out = {0};
    struct named_since missing;
    bool left_out = false;

    if (f->newer.n == 0)
        f->newer = newer_only(f, words);
    words = held_conditions(f->arena, f->to, version_of(f), words);
    while (words.n) {
        struct str sentence = advice_fit_names(f, held_next_sentence(&words)), held = {0};
        const struct fit_rule *rule = broken_by(f, sentence);

        /* what is said of a sentence that is left out has no meaning without it */
        left_out = !rule && ((left_out && held_is_about_last(sentence)) || held_by(f->arena, f->to, sentence, &held));
        f->held = f->held.n ? f->held : held;
        if (rule)
            sentence = instead_of(f, rule);
        else if (left_out)
            sentence = held.n ? held_reason(f->arena, sentence) : held;
        else if (names_missing(sentence, version_of(f), &missing) ||
                 (sentence.n >= SAID_MIN && str_has(out, sentence))) /* what stands for another ended with it */
            sentence = (struct str){0};
        sentence = held_printed(f->arena, f->to, sentence);
        out = held_joined(f->arena, out, for_version(f, with_answer(f, sentence)));
    }
    if (stated_has(f->to, STATED_READ))
        out = with_switch_first(f->arena, out);
    if (stated_has(f->to, STATED_VLLM_RUNS))
        out = shell_settings_of_vllm(f->arena, out);
    if (stated_has(f->to, STATED_NODE_COMPILES))
        out = shell_settings_of_node(f->arena, out);
    if (stated_has(f->to, STATED_NOTEBOOK))
        return shell_settings_of_notebook(f->arena, out);
    if (!is_on_windows(f->to))
        return out;
    return stated_has(f->to, STATED_POWERSHELL) ? shell_settings_of_powershell(f->arena, out)
                                                : shell_settings_of_windows(f->arena, out);
}

bool advice_fit_leaves_out(const struct advice_fit *f, struct str text)
{
    return broken_by(f, text) != NULL || settings_has(f->to->settings, settings_asked(f->arena, text));
}

struct str advice_fit_nothing(const struct advice_fit *f)
{
    if (f->newer.n == 0 && f->held.n)
        return arena_printf(f->arena,
                            "The text has `%.*s` already: try a newer PyTorch, then report it with the smallest "
                            "program that shows it.",
                            STR_ARG(f->held));
    return f->newer.n ? f->newer : STR("Try a newer PyTorch, then report it with the smallest program that shows it.");
}

/* "--till" of "Without --till it works": an option of a command, which can be left out. */
static struct str option_without(struct str trial)
{
    static const struct str word = STR_INIT("ithout ");
    ptrdiff_t at = str_find(trial, word);
    struct str option = str_skip(trial, at < 0 ? trial.n : (size_t)at + word.n);
    size_t n = 2;

    str_consume(&option, STR("`"));
    if (!str_starts(option, STR("--")))
        return (struct str){0};
    while (n < option.n && (str_is_word_char(option.p[n]) || option.p[n] == '-'))
        n++;
    return n > 2 ? str_take(option, n) : (struct str){0};
}

/* What pip does not install is named in other words: "Python", "CUDA", "the driver". */
static bool is_package(struct str name)
{
    return name.n && name.p[0] >= 'a' && name.p[0] <= 'z' && str_chr(name, ' ') < 0;
}

struct str advice_with_worked(struct arena *a, const struct stated *to, struct str words)
{
    struct str of = to->worked_of, was = to->worked;
    const char *blank = words.n ? " " : "";
    struct str other;

    if (was.n == 0 || str_has(words, was))
        return words;
    if (str_eq(of, STR("torch")))
        return arena_printf(a,
                            "It worked with PyTorch %.*s: stay with that for now (`pip install torch==%.*s`).%s%.*s",
                            STR_ARG(was), STR_ARG(was), blank, STR_ARG(words));
    /* less certain than what an answer knows of the message, which therefore comes first */
    other = is_package(of) ? arena_printf(a,
                                          "It worked with %.*s %.*s, so most likely that is what changed, and not "
                                          "PyTorch: `pip install %.*s==%.*s` goes back to it.",
                                          STR_ARG(of), STR_ARG(was), STR_ARG(of), STR_ARG(was))
                           : arena_printf(a, "It worked with %.*s %.*s: go back to that for now.", STR_ARG(of),
                                          STR_ARG(was));
    return arena_printf(a, "%.*s%s%.*s", STR_ARG(words), blank, STR_ARG(other));
}

static const struct str of_trial = STR_INIT("The text says what it depends on: ");

/* What stands before and behind the name of a variant that works, and its quote. */
static const struct {
    const char *lead, *name, *behind;
} variants[] = {
    [VARIANT_WITH] = {"Until it is fixed, take `", "", "`, with which it works in this text"},
    [VARIANT_WITHOUT] = {"Leave out `", "", "`, without which it works in this text"},
    [VARIANT_VERSION] = {"Until it is fixed, take the older version again (`pip install \"", "==",
                         "\"`), with which it works in this text"},
    [VARIANT_CUT] = {"Leave out `", "", "`, without which it works in this text"},
    [VARIANT_CODE] = {"Write it as `", "", "` does, which works in this text"},
};

/* Options of torch.compile itself. */
static const struct str of_compile[] = {STR_INIT("fullgraph="), STR_INIT("dynamic="), STR_INIT("mode="),
                                        STR_INIT("backend="), STR_INIT("options=")};

/* What the writer found to work comes before what nobody has tried. */
static struct str say_variant(struct arena *a, const struct stated *to)
{
    enum variant_kind kind = to->variant;
    struct str said;

    if (kind == VARIANT_CODE && to->variant_of.n == 0)
        return arena_printf(a, "Write it as the text does where it works: \"%.*s\"", STR_ARG(to->variant_said));
    said = arena_printf(a, "%s%.*s%s%.*s%s (\"%.*s\")", variants[kind].lead, STR_ARG(to->variant_package),
                        variants[kind].name, STR_ARG(to->variant_of), variants[kind].behind,
                        STR_ARG(to->variant_said));
    if (kind == VARIANT_VERSION)
        return arena_printf(a, "%.*s, or a release after %.*s, and report it to that project.", STR_ARG(said),
                            STR_ARG(to->variant_newer));
    if (kind == VARIANT_WITHOUT)
        return arena_printf(a, "%.*s, and report it with that%s.", STR_ARG(said),
                            STR_STARTS_ANY(to->variant_of, of_compile) ? "" : " to the project whose option it is");
    return arena_printf(a, "%.*s.", STR_ARG(said));
}

struct str advice_with_trial(struct arena *a, const struct stated *to, struct str words)
{
    struct str trial = to->trial, option = option_without(trial);

    /* without it, what fails is no error any more, and runs eagerly: nothing works then that did not before */
    if (to->variant == VARIANT_WITHOUT && str_starts(to->variant_of, of_compile[0]))
        return words;
    if (to->variant && !str_has(words, to->variant_said)) {
        struct str said = say_variant(a, to);

        return arena_printf(a, "%.*s%s%.*s", STR_ARG(said), words.n ? " " : "", STR_ARG(words));
    }
    if (to->variant || trial.n == 0 || str_has(words, trial) || (to->worked.n && str_has(trial, to->worked)))
        return words;
    if (option.n)
        return arena_printf(a,
                            "Leave out `%.*s`, without which it works in this text (\"%.*s\"), and report it with that "
                            "to the project whose option it is.%s%.*s",
                            STR_ARG(option), STR_ARG(trial), words.n ? " " : "", STR_ARG(words));
    return arena_printf(a, "%.*s%s%.*s\"%.*s\"", STR_ARG(words), words.n ? "\n" : "", STR_ARG(of_trial),
                        STR_ARG(trial));
}

bool advice_trial_is_outside(struct str trial)
{
    static const char outside[] = "mporting \nimport of \nthe import\nrelease\ndowngrad\nDowngrad\nbacklevel\n"
                                  "older version\nprevious version\nprior version\nninstall\nplugin\nextension\n"
                                  "custom node";
    static const char own[] = "torch 2\ntorch==\ntorch._\norch 1.\nyTorch\npytorch\nriton\ndynamic\nbackend\n"
                              "fullgraph\nnductor\nynamo\ncudagraph\nCUDA\nnightly\nto 2.\nto torch";

    return str_has_any_line(trial, str_of(outside)) && !str_has_any_line(trial, str_of(own)) &&
           !prose_has_word(trial, STR("mode\ncache\ndriver"));
}

struct str advice_take_trial(struct str *fix)
{
    ptrdiff_t end = str_rchr(*fix, '\n');
    struct str last = str_skip(*fix, (size_t)(end + 1));

    if (!str_starts(last, of_trial))
        return (struct str){0};
    *fix = str_take(*fix, end < 0 ? 0 : (size_t)end);
    return last;
}
