#include "model/artifact_info.h"

/*
 * The first matching row counts, so an exact name must come before a pattern that also matches it. The names are those
 * of the trace_structured calls of PyTorch 2.3 to 2.13, and of vLLM. After the title, a row says what the artifact is
 * used for.
 */
#define A(...) A_ROW(__VA_ARGS__, )
#define A_ROW(name_, stage_, language_, bulk_, alias_, title_, ...)                                                    \
    {                                                                                                                  \
        .name = name_, .title = title_, .alias = alias_, .stage = STAGE_##stage_, .language = LANG_##language_,        \
        .bulk = bulk_, __VA_ARGS__                                                                                     \
    }

static const struct artifact_info infos[] = {
    /* Dynamo */
    A("dynamo_output_graph", DYNAMO, FX, 1, "graph", "Graph captured by Dynamo", .facet = FACET_GRAPH, .calls = true,
      .part = PART_BEFORE, .kernels = KERNELS_BEFORE, .id = ARTIFACT_DYNAMO_OUTPUT_GRAPH),
    A("dynamo_graph_break_reason", DYNAMO, TEXT, 0, "breaks", "Graph break", .for_people = true,
      .id = ARTIFACT_DYNAMO_GRAPH_BREAK_REASON),
    A("dynamo_error", DYNAMO, TEXT, 0, "error", "Exception that ended the compile", .for_people = true,
      .id = ARTIFACT_DYNAMO_ERROR),
    A("recompile_reasons", DYNAMO, TEXT, 0, "recompiles", "Why it was compiled again",
      .id = ARTIFACT_RECOMPILE_REASONS),
    A("dynamo_explain", OTHER, TEXT, 1, "explain", "Output of torch._dynamo.explain()", .for_people = true),
    A("compile_times", OTHER, TEXT, 2, NULL, "Table of torch._dynamo.utils.compile_times()"),
    A("dynamo_side_effects", DYNAMO, TEXT, 3, NULL, "Side effects to replay", .id = ARTIFACT_DYNAMO_SIDE_EFFECTS),
    A("*_ORIGINAL_BYTECODE", DYNAMO, BYTECODE, 6, NULL, "Bytecode of the resume function, original",
      .id = ARTIFACT_ORIGINAL_BYTECODE),
    A("*_MODIFIED_BYTECODE", DYNAMO, BYTECODE, 6, NULL, "Bytecode of the resume function, as compiled"),
    A("compiled_autograd_graph_pre_reordering", DYNAMO, FX, 6, NULL, "Compiled autograd graph before reordering",
      .role = ROLE_BEGIN, .chain = "reordering of compiled autograd"),
    A("compiled_autograd_graph", DYNAMO, FX, 2, NULL, "Compiled autograd graph", .part = PART_BEFORE, .role = ROLE_END,
      .chain = "reordering of compiled autograd"),
    A("compiled_autograd_compile_reasons", DYNAMO, JSON, 1, NULL, "Why compiled autograd captured again"),
    A("optimize_ddp_split_graph", DYNAMO, FX, 4, NULL, "Graph split for DDP"),
    A("optimize_ddp_split_child", DYNAMO, FX, 5, NULL, "One bucket of the DDP split"),
    A("minifier_launcher", DYNAMO, PYTHON, 1, NULL, "Program that searches for the smallest failing graph"),
    A("minifier_repro", DYNAMO, PYTHON, 0, "repro", "Program that reproduces the failure"),
    A("minifier_checkpoint", DYNAMO, PYTHON, 7, NULL, "A smaller graph that still fails"),
    A("make_fx_fail_partial", DYNAMO, FX, 1, NULL, "Graph up to the point where make_fx failed"),
    A("fx_interpreter_error", DYNAMO, FX, 1, NULL, "FX node that failed, and its graph"),
    A("dump_file", DYNAMO, PYTHON, 7, NULL, "Source of a generated file", .id = ARTIFACT_DUMP_FILE),

    /* pre-grad passes */
    A("before_pre_grad_graph", PRE_GRAD, FX, 6, NULL, "Before the pre-grad passes", .part = PART_BEFORE,
      .kernels = KERNELS_BEFORE, .id = ARTIFACT_BEFORE_PRE_GRAD_GRAPH),
    A("after_pre_grad_graph", PRE_GRAD, FX, 5, "pre_grad", "After the pre-grad passes"),
    A("inductor_pre_grad_graph", PRE_GRAD, FX, 5, NULL, "Pre-grad graph", .part = PART_BEFORE,
      .kernels = KERNELS_BEFORE),
    A("inductor_input_graph", PRE_GRAD, FX, 5, NULL, "Graph entering Inductor"),
    A("*_pre_grad", PRE_GRAD, FX, 7, NULL, "After one pre-grad pass"),

    /* the joint graph and AOTAutograd */
    A("aot_joint_graph", JOINT, FX, 3, "joint", "Joint forward and backward graph", .facet = FACET_JOINT,
      .id = ARTIFACT_AOT_JOINT_GRAPH),
    A("aot_debug_log", AOT, TEXT, 7, NULL, "AOTAutograd's log"),
    A("before_joint_graph", JOINT, FX, 6, NULL, "Before the joint graph passes"),
    A("after_joint_graph", JOINT, FX, 6, NULL, "After the joint graph passes"),
    A("min_cut_information", JOINT, JSON, 7, NULL, "What the partitioner saves for backward"),
    A("min_cut_failed_fx_graph", JOINT, FX, 2, NULL, "Partitioner failed: graph"),
    A("min_cut_failed_edge_list", JOINT, TEXT, 4, NULL, "Partitioner failed: edges"),
    A("min_cut_failed_svg", JOINT, TEXT, 7, NULL, "Partitioner failed: picture (SVG text)"),
    A("aot_joint_graph_sync_decision_cross_ranks", JOINT, TEXT, 5, NULL, "Partitioner: decision across ranks"),
    A("aot_forward_graph", AOT, FX, 2, "forward", "Forward graph", .facet = FACET_PARTITION, .calls = true,
      .role = ROLE_END, .chain = "saved-tensor hooks, forward", .id = ARTIFACT_AOT_FORWARD_GRAPH),
    A("aot_backward_graph", AOT, FX, 2, "backward", "Backward graph", .facet = FACET_PARTITION, .calls = true,
      .role = ROLE_END, .chain = "saved-tensor hooks, backward", .id = ARTIFACT_AOT_BACKWARD_GRAPH),
    A("aot_inference_graph", AOT, FX, 2, "inference", "Inference graph", .facet = FACET_PARTITION, .calls = true,
      .role = ROLE_BEGIN, .chain = "passes for subgraphs", .id = ARTIFACT_AOT_INFERENCE_GRAPH),
    A("aot_inference_graph_after_hop_passes", AOT, FX, 6, NULL, "Inference graph after subgraph passes",
      .role = ROLE_END, .chain = "passes for subgraphs"),
    A("aot_forward_graph_fw_metadata", AOT, TEXT, 6, NULL, "AOTAutograd: views and mutations"),
    A("aot_forward_graph_fw_subclass_metadata", AOT, TEXT, 6, NULL, "AOTAutograd: tensor subclasses"),
    A("aot_forward_graph_pre_saved_tensors_hooks", AOT, FX, 6, NULL, "Forward graph before saved-tensor hooks",
      .role = ROLE_BEGIN, .chain = "saved-tensor hooks, forward"),
    A("aot_backward_graph_pre_saved_tensors_hooks", AOT, FX, 6, NULL, "Backward graph before saved-tensor hooks",
      .role = ROLE_BEGIN, .chain = "saved-tensor hooks, backward"),
    A("aot_saved_tensors_hooks_*", AOT, FX, 7, NULL, "Saved-tensor hooks"),
    A("aot_*_pre_assert_saved_tensors_hooks", AOT, FX, 7, NULL, "Graph before saved-tensor assertions"),
    A("before_activation_quantization_fwd_aten_pass", AOT, FX, 6, NULL, "Forward graph before activation quantization"),
    A("after_activation_quantization_fwd_aten_pass", AOT, FX, 6, NULL, "Forward graph after activation quantization"),
    A("before_activation_quantization_bwd_aten_pass", AOT, FX, 6, NULL,
      "Backward graph before activation quantization"),
    A("after_activation_quantization_bwd_aten_pass", AOT, FX, 6, NULL, "Backward graph after activation quantization"),
    A("eager_compile_backwards_failure", AOT, TEXT, 0, NULL, "Backward could not be compiled ahead of time; suppressed",
      .for_people = true, .id = ARTIFACT_EAGER_COMPILE_BACKWARDS_FAILURE),
    A("invoke_subgraph_backward_duplicate", AOT, JSON, 5, NULL, "Several backward variants of one subgraph"),

    /* post-grad passes */
    A("before_post_grad_graph", POST_GRAD, FX, 6, NULL, "Before the post-grad passes", .part = PART_OPENS,
      .id = ARTIFACT_BEFORE_POST_GRAD_GRAPH),
    A("inductor_post_grad_graph", POST_GRAD, FX, 2, "post_grad", "After the post-grad passes", .facet = FACET_POST_GRAD,
      .calls = true, .part = PART_AFTER, .kernels = KERNELS_AFTER, .role = ROLE_END, .chain = "post_grad",
      .id = ARTIFACT_INDUCTOR_POST_GRAD_GRAPH),
    A("after_post_grad_graph", POST_GRAD, FX, 3, NULL, "After the post-grad passes", .part = PART_AFTER,
      .kernels = KERNELS_AFTER),
    A("*_post_grad", POST_GRAD, FX, 7, NULL, "After one post-grad pass"),
    A("optimus_*", POST_GRAD, TEXT, 7, NULL, "Group-batch fusion result"),
    A("cff_*", POST_GRAD, TEXT, 7, NULL, "Group-batch fusion result"),
    A("vllm_post_grad.*", POST_GRAD, FX, 7, NULL, "vLLM: after one post-grad pass"),
    A("vllm_patterns.*", POST_GRAD, PYTHON, 7, NULL, "vLLM: pattern of a pass"),
    A("fx_graph_readable", POST_GRAD, FX, 6, "readable", "Graph entering Inductor", .id = ARTIFACT_FX_GRAPH_READABLE),
    A("fx_graph_transformed", POST_GRAD, FX, 5, "transformed", "Graph that Inductor lowers"),
    A("fx_graph_runnable", POST_GRAD, PYTHON, 4, "runnable", "Self-contained program that compiles this graph",
      .part = PART_OPENS, .id = ARTIFACT_FX_GRAPH_RUNNABLE),

    /* generated code */
    A("inductor_output_code", CODE, PYTHON, 1, "output_code", "Inductor output code", .facet = FACET_CODE,
      .calls = true, .part = PART_CODE, .kernels = KERNELS_CODE, .id = ARTIFACT_INDUCTOR_OUTPUT_CODE),
    A("inductor_debug_log", CODE, TEXT, 7, NULL, "Inductor's log of one graph"),
    A("inductor_info_log", CODE, TEXT, 7, NULL, "Inductor's log of one graph, without details"),
    A("autotuning_result_json_list", CODE, TEXT, 4, NULL, "Autotuning: what was measured"),
    A("compile_profile", CODE, TEXT, 6, NULL, "Where the Python code of the compile spent its time"),
    A("inductor_aot_wrapper_code", CODE, CPP, 2, NULL, "AOTInductor wrapper", .part = PART_CODE),
    A("inductor_aot_kernel_code", CODE, CPP, 3, NULL, "AOTInductor kernels", .kernels = KERNELS_AOT_CODE),
    A("inductor_aot_header_code", CODE, CPP, 5, NULL, "AOTInductor header"),
    A("inductor_autotune_at_compile_time_code", CODE, PYTHON, 6, NULL, "Autotuning block"),
    A("inductor_provenance_tracking_node_mappings", KERNELS, JSON, 3, "provenance", "Which node became which kernel",
      .part = PART_MAP, .kernels = KERNELS_MAP, .id = ARTIFACT_INDUCTOR_PROVENANCE_TRACKING_NODE_MAPPINGS),
    A("inductor_provenance_tracking_kernel_stack_traces", KERNELS, JSON, 3, "kernel_stacks",
      "Which lines of code became which kernel", .kernels = KERNELS_MAP,
      .id = ARTIFACT_INDUCTOR_PROVENANCE_TRACKING_KERNEL_STACK_TRACES),
    A("inductor_triton_kernel_to_post_grad_nodes", KERNELS, JSON, 3, NULL, "Which node became which kernel",
      .part = PART_MAP, .kernels = KERNELS_MAP),
    A("inductor_generated_kernel_to_post_grad_nodes", KERNELS, JSON, 3, NULL, "Which node became which kernel",
      .part = PART_MAP, .kernels = KERNELS_MAP),
    A("inductor_post_to_pre_grad_nodes", KERNELS, JSON, 4, NULL, "Post-grad nodes and their origins", .part = PART_MAP),
    A("triton_kernel_info", KERNELS, JSON, 2, NULL, "Triton kernels: compile times and autotuning",
      .kernels = KERNELS_MAP, .id = ARTIFACT_TRITON_KERNEL_INFO),
    A("inductor_runtime_and_tensor_meta", KERNELS, JSON, 3, NULL, "Estimated run times and outputs of kernels",
      .facet = FACET_TENSORS, .id = ARTIFACT_INDUCTOR_RUNTIME_AND_TENSOR_META),
    A("graph_execution", KERNELS, JSON, 2, NULL, "Order in which compiled graphs ran", .id = ARTIFACT_GRAPH_EXECUTION),

    /* runtime wrappers */
    A("runtime_wrapper_orchestration", RUNTIME, PYTHON, 8, NULL, "Runtime wrapper"),
    A("runtime_wrapper", RUNTIME, PYTHON, 8, NULL, "Runtime wrapper"),
    A("output_alias_wrapper", RUNTIME, PYTHON, 8, NULL, "Wrapper for aliased outputs"),
    A("mutation_epilogue", RUNTIME, PYTHON, 8, NULL, "Wrapper for mutated inputs"),
    A("effect_tokens_wrapper", RUNTIME, PYTHON, 8, NULL, "Wrapper for effect tokens"),
    A("dedup_wrapper", RUNTIME, PYTHON, 8, NULL, "Wrapper for duplicate inputs"),
    A("synthetic_base_wrapper", RUNTIME, PYTHON, 8, NULL, "Wrapper for overlapping inputs"),
    A("backward_prologue", RUNTIME, PYTHON, 8, NULL, "Before the backward graph"),
    A("backward_epilogue", RUNTIME, PYTHON, 8, NULL, "After the backward graph"),
    A("compiled_function_forward", RUNTIME, PYTHON, 8, NULL, "Autograd function, forward"),
    A("compiled_function_backward", RUNTIME, PYTHON, 8, NULL, "Autograd function, backward"),
    A("compiled_fn_wrapper", RUNTIME, PYTHON, 8, NULL, "Wrapper of the compiled function"),
    A("debug_assert_wrapper", RUNTIME, PYTHON, 8, NULL, "Wrapper with debug assertions"),
    A("functionalized_rng_runtime_wrapper", RUNTIME, PYTHON, 8, NULL, "Wrapper for random numbers"),
    A("*rng*wrapper", RUNTIME, PYTHON, 8, NULL, "Wrapper for random numbers"),
    A("subclass_wrapper", RUNTIME, PYTHON, 8, NULL, "Wrapper for tensor subclasses"),
    A("backward_subclass_*", RUNTIME, PYTHON, 8, NULL, "Wrapper for tensor subclasses, backward"),

    /* guards */
    A("dynamo_cpp_guards_str", GUARDS, TEXT, 4, "guards", "Guard tree", .facet = FACET_GUARDS, .guards = GUARDS_TEXT,
      .id = ARTIFACT_DYNAMO_CPP_GUARDS_STR),
    A("dynamo_guards", GUARDS, JSON, 4, "guards", "Guards", .guards = GUARDS_JSON),

    /* caches */
    A("aotautograd_cache_hit", CACHE, JSON, 9, NULL, "AOTAutograd cache hit"),
    A("aotautograd_cache_miss", CACHE, JSON, 9, NULL, "AOTAutograd cache miss"),
    A("aotautograd_cache_bypass", CACHE, JSON, 5, NULL, "AOTAutograd cache bypassed"),
    A("aotautograd_cache_hash", CACHE, JSON, 9, NULL, "AOTAutograd cache key"),
    A("aotautograd_cache_pickle_failure", CACHE, JSON, 3, NULL, "AOTAutograd cache entry could not be pickled"),
    A("fx_graph_cache_hit", CACHE, JSON, 9, NULL, "FX graph cache hit", .id = ARTIFACT_FX_GRAPH_CACHE_HIT),
    A("fx_graph_cache_miss", CACHE, JSON, 9, NULL, "FX graph cache miss"),
    A("fx_graph_cache_bypass", CACHE, JSON, 5, NULL, "FX graph cache bypassed"),
    A("fx_graph_cache_hash", CACHE, JSON, 9, NULL, "FX graph cache key"),
    A("fx_graph_bundled_cache_hit", CACHE, JSON, 9, NULL, "FX graph loaded with the AOTAutograd entry"),
    A("precompile_cache_bypass", CACHE, JSON, 3, NULL, "Precompile cache bypassed"),
    A("dynamo_cache_bypass", CACHE, JSON, 3, NULL, "Precompile entry skipped"),
    A("dynamo_cache_entries", CACHE, JSON, 7, NULL, "Precompile cache entries"),
    A("dynamo_cache_exception", CACHE, JSON, 2, NULL, "Precompile entry failed"),
    A("get_local_code_state", CACHE, TEXT, 5, NULL, "Profile (PGO) loaded, local"),
    A("get_remote_code_state", CACHE, TEXT, 5, NULL, "Profile (PGO) loaded, remote"),
    A("get_extra_remote_code_state", CACHE, TEXT, 5, NULL, "Profile (PGO) loaded, extra"),
    A("put_local_code_state", CACHE, TEXT, 5, NULL, "Profile (PGO) written, local"),
    A("put_remote_code_state", CACHE, TEXT, 5, NULL, "Profile (PGO) written, remote"),
    A("put_extra_remote_code_state", CACHE, TEXT, 5, NULL, "Profile (PGO) written, extra"),

    /* distributed */
    A("inductor_collective_schedule", DISTRIBUTED, JSON, 1, NULL, "Collectives in scheduled order",
      .id = ARTIFACT_INDUCTOR_COLLECTIVE_SCHEDULE),
    A("compiler_collective", DISTRIBUTED, TEXT, 3, NULL, "State exchanged by compiler collectives"),
    A("guard_collective", DISTRIBUTED, TEXT, 3, NULL, "Guard decision across ranks"),
    A("inductor_spmd_graph_mismatch", DISTRIBUTED, TEXT, 0, NULL, "Ranks have different graphs"),
    A("reorder_communication_preserving_peak_memory", DISTRIBUTED, TEXT, 6, NULL, "Reordering of communication"),
    A("sink_waits_iterative_info", DISTRIBUTED, TEXT, 6, NULL, "Sinking of waits"),
    A("*_ITERATIVE_RECOMPUTE_ERROR", DISTRIBUTED, TEXT, 4, NULL, "Memory bookkeeping of a communication pass"),
    A("fx_bucketing_passes_*", DISTRIBUTED, TEXT, 6, NULL, "Buckets of collectives"),
    A("inductor_fx_passes_overlap_bucketing", DISTRIBUTED, TEXT, 6, NULL, "Buckets chosen for overlap"),
    A("pre_bucketing_*", DISTRIBUTED, TEXT, 7, NULL, "Collectives before bucketing"),
    A("pre_decomp_comms", DISTRIBUTED, FX, 7, NULL, "Before collectives were decomposed", .role = ROLE_BEGIN,
      .chain = "decomposition of collectives"),
    A("post_decomp_comms", DISTRIBUTED, FX, 7, NULL, "After collectives were decomposed", .role = ROLE_END,
      .chain = "decomposition of collectives"),
    A("overlap_scheduling_graph_before", DISTRIBUTED, FX, 7, NULL, "Before overlap scheduling"),
    A("overlap_scheduling_graph_after", DISTRIBUTED, FX, 7, NULL, "After overlap scheduling"),
    A("scheduler_nodes_before_comm_overlap", DISTRIBUTED, TEXT, 7, NULL, "Scheduler nodes before overlap"),
    A("inductor_overlap_cyclic_extra_deps", DISTRIBUTED, TEXT, 2, NULL, "Overlap scheduling made a cycle"),
    A("fx_compute_nodes_runtime_estimation", DISTRIBUTED, TEXT, 7, NULL, "Run-time estimates of compute nodes"),
    A("fx_collectives_*_estimation", DISTRIBUTED, TEXT, 7, NULL, "Run-time estimates of collectives"),
    A("fusion_regions_before", DISTRIBUTED, FX, 7, NULL, "Before fusion regions (2.12)"),
    A("fusion_regions_after", DISTRIBUTED, FX, 7, NULL, "After fusion regions (2.12)"),
    A("pge_profile_vs_analytical", DISTRIBUTED, JSON, 7, NULL, "Profiled against analytical estimates"),

    /* export */
    A("exported_program", EXPORT, PYTHON, 1, NULL, "Exported program", .id = ARTIFACT_EXPORTED_PROGRAM),
    A("export", EXPORT, TEXT, 8, NULL, "Export began"),
    A("fx_net_acc_splitter_finder_events", EXPORT, JSON, 7, NULL, "Splitter decisions"),

    /* other programs, settings */
    A("exception", OTHER, TEXT, 0, NULL, "Exception of the program", .for_people = true),
    A("crash", OTHER, TEXT, 0, NULL, "Cause of the process's death", .for_people = true),
    A("torch_version", OTHER, JSON, 8, NULL, "PyTorch version"),
    A("torch._functorch.config", OTHER, JSON, 9, NULL, "Configuration of AOTAutograd"),
    A("vllm_compile_event", OTHER, JSON, 4, NULL, "vLLM: cache hit or fresh compile",
      .id = ARTIFACT_VLLM_COMPILE_EVENT),
    A("vllm_compilation_config", OTHER, JSON, 4, NULL, "vLLM: configuration of a compile call",
      .id = ARTIFACT_VLLM_COMPILATION_CONFIG),
    A("vllm_piecewise_split_graph", OTHER, FX, 4, NULL, "vLLM: graph split into pieces",
      .id = ARTIFACT_VLLM_PIECEWISE_SPLIT_GRAPH),
    A("vllm_piecewise_compile_start", OTHER, JSON, 4, NULL, "vLLM: compile of one piece begins",
      .id = ARTIFACT_VLLM_PIECEWISE_COMPILE_START),
    A("vllm_subgraph_*", OTHER, FX, 5, NULL, "vLLM: a piece"),
    A("vllm_submod_*", OTHER, FX, 5, NULL, "vLLM: a piece"),
    A("*_fused", OTHER, JSON, 8, NULL, "Graph for the memory simulator"),
    A("link", OTHER, TEXT, 0, NULL, "Link"),

    /* TORCH_LOGS: logging artifacts that a trace does not have */
    A("dynamo_graph_table", DYNAMO, TEXT, 3, NULL, "Graph captured by Dynamo, as a table"),
    A("dynamo_graph_sizes", DYNAMO, TEXT, 4, NULL, "Sizes in the graph captured by Dynamo"),
    A("graph_code_verbose", DYNAMO, FX, 6, NULL, "Graph between two passes of Dynamo"),
    A("bytecode", DYNAMO, BYTECODE, 6, NULL, "Bytecode, original and as compiled"),
    A("trace_source", DYNAMO, TEXT, 5, NULL, "Lines of code that Dynamo traced"),
    A("trace_call", DYNAMO, TEXT, 6, NULL, "Calls that Dynamo traced"),
    A("trace_bytecode", DYNAMO, TEXT, 8, NULL, "Instructions that Dynamo traced, and its stack"),
    A("compiled_autograd", DYNAMO, TEXT, 5, NULL, "Compiled autograd: what it did"),
    A("compiled_autograd_verbose", DYNAMO, TEXT, 6, NULL, "Compiled autograd: what it did, verbose"),
    A("ddp_graphs", DYNAMO, TEXT, 5, NULL, "Buckets of DDP"),
    A("hierarchical_compile", DYNAMO, TEXT, 5, NULL, "Subgraphs that are compiled once"),
    A("graph_region_expansion", DYNAMO, TEXT, 8, NULL, "Regions of the graph that are equal"),
    A("annotation", DYNAMO, TEXT, 8, NULL, "Annotations of nodes"),
    A("sym_node", DYNAMO, TEXT, 9, NULL, "Operations on symbolic sizes"),
    A("trace_shape_events", DYNAMO, TEXT, 9, NULL, "Events of the shape environment"),
    A("not_implemented", DYNAMO, TEXT, 4, NULL, "Operators that are not implemented for a mode or subclass"),
    A("verbose_guards", GUARDS, TEXT, 7, NULL, "Guards with the stacks that made them"),
    A("dynamo_shape_guards", GUARDS, PYTHON, 6, NULL, "Guard function for shapes"),
    A("aot_graphs", AOT, TEXT, 6, NULL, "AOTAutograd: what it decided"),
    A("aot_graphs_effects", AOT, TEXT, 6, NULL, "AOTAutograd: effect tokens"),
    A("partitioned_scatter", POST_GRAD, TEXT, 6, NULL, "Scatters that are split to avoid contention"),
    A("auto_chunker", POST_GRAD, TEXT, 6, NULL, "Automatic chunking"),
    A("ir_pre_fusion", CODE, TEXT, 6, NULL, "Inductor IR before fusion"),
    A("ir_post_fusion", CODE, TEXT, 5, NULL, "Inductor IR after fusion"),
    A("compute_dependencies", CODE, TEXT, 8, NULL, "Who uses which buffer"),
    A("schedule", CODE, TEXT, 7, NULL, "Schedule of a kernel"),
    A("fusion", CODE, TEXT, 7, NULL, "What was fused, and why not"),
    A("loop_ordering", CODE, TEXT, 7, NULL, "Order of loops"),
    A("loop_tiling", CODE, TEXT, 7, NULL, "Tiling of loops"),
    A("output_code_path", CODE, TEXT, 7, NULL, "Where generated code was written"),
    A("incremental", CODE, TEXT, 7, NULL, "Incremental compilation"),
    A("kernel_code", KERNELS, PYTHON, 4, NULL, "Code of one kernel"),
    A("kernel_code_cpp", KERNELS, CPP, 4, NULL, "Code of one C++ kernel"),
    A("perf_hints", KERNELS, TEXT, 2, NULL, "Performance hints", .for_people = true),
    A("autotuning", KERNELS, TEXT, 4, NULL, "Autotuning: choices and times", .id = ARTIFACT_AUTOTUNING),
    A("autotuning_inputs", KERNELS, TEXT, 6, NULL, "Autotuning: parameters of the tried kernels"),
    A("native_dsl_compile", KERNELS, TEXT, 6, NULL, "Kernels in other languages: compiles and cache hits"),
    A("benchmarking", KERNELS, TEXT, 6, NULL, "Benchmarks of kernels"),
    A("inductor_metrics", KERNELS, TEXT, 4, NULL, "Inductor's estimates: bytes and run times of nodes"),
    A("cudagraphs", RUNTIME, TEXT, 2, NULL, "CUDA graphs: what was captured, why not", .for_people = true),
    A("cudagraph_static_inputs", RUNTIME, TEXT, 6, NULL, "CUDA graphs: static inputs"),
    A("caching", CACHE, TEXT, 6, NULL, "Activity of the caches", .for_people = true),
    A("overlap", DISTRIBUTED, TEXT, 6, NULL, "Overlap of communication"),
    A("overlap_scheduling", DISTRIBUTED, TEXT, 6, NULL, "Overlap scheduling"),
    A("node_runtime_estimation", DISTRIBUTED, TEXT, 7, NULL, "Run-time estimates of nodes"),
    A("onnx_diagnostics", EXPORT, TEXT, 5, NULL, "ONNX export: diagnostics"),
    A("dynamo_log", OTHER, TEXT, 7, "log", "Log of Dynamo, AOTAutograd and Inductor", .for_people = true),
    A("program_output", OTHER, TEXT, 6, NULL, "Output of the program"),
};

#undef A
#undef A_ROW

enum { INFO_COUNT = sizeof infos / sizeof *infos };

/* Matches a pattern with at most two '*', each of which stands for any text. */
static bool matches(const char *pattern, struct str name)
{
    struct str rest = str_of(pattern), part;
    bool anchored = true;

    while (rest.n) {
        ptrdiff_t star = str_chr(rest, '*'), at;

        part = star < 0 ? rest : str_take(rest, (size_t)star);
        if (star < 0 && !anchored)
            return str_ends(name, part);
        if (star < 0)
            return str_eq(name, part);
        at = anchored && part.n ? (str_starts(name, part) ? 0 : -1) : str_find(name, part);
        if (at < 0)
            return false;
        name = str_skip(name, (size_t)at + part.n);
        rest = str_skip(rest, part.n + 1);
        anchored = false;
    }
    return !anchored || name.n == 0;
}

const struct artifact_info *artifact_info_find(struct str name)
{
    for (size_t i = 0; i < INFO_COUNT; i++)
        if (matches(infos[i].name, name))
            return &infos[i];
    return NULL;
}

struct str artifact_name(enum artifact_id id)
{
    for (size_t i = 0; i < INFO_COUNT && id != ARTIFACT_OTHER; i++)
        if (infos[i].id == id)
            return str_of(infos[i].name);
    return STR("");
}

const struct artifact_info *artifact_info_at(size_t i)
{
    return i < INFO_COUNT ? &infos[i] : NULL;
}

const char *stage_title(enum stage s)
{
    static const char *const titles[STAGE_COUNT] = {
        [STAGE_DYNAMO] = "Dynamo",
        [STAGE_PRE_GRAD] = "Pre-grad passes",
        [STAGE_JOINT] = "Joint graph",
        [STAGE_AOT] = "AOTAutograd",
        [STAGE_POST_GRAD] = "Post-grad passes",
        [STAGE_CODE] = "Generated code",
        [STAGE_KERNELS] = "Kernels",
        [STAGE_RUNTIME] = "Runtime wrappers",
        [STAGE_GUARDS] = "Guards",
        [STAGE_CACHE] = "Caches",
        [STAGE_DISTRIBUTED] = "Distributed",
        [STAGE_EXPORT] = "Export",
        [STAGE_OTHER] = "Other",
    };

    return titles[s];
}

const char *language_name(enum language l)
{
    static const char *const names[] = {"text", "fx", "python", "cpp", "json", "bytecode"};

    return names[l];
}
