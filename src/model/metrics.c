#include "model/metrics.h"


#include <math.h>

#define F(key, group, unit, title) {#key, METRICS_##group, UNIT_##unit, title}

const struct metric_field metric_fields[] = {
    F(compile_id, IDENTITY, NONE, "compile id"),
    F(frame_key, IDENTITY, NONE, "number of the code object in this process"),
    F(co_name, IDENTITY, NONE, "function"),
    F(co_filename, IDENTITY, NONE, "file"),
    F(co_firstlineno, IDENTITY, NONE, "first line of the function"),
    F(is_forward, IDENTITY, NONE, "forward compile"),
    F(is_runtime, IDENTITY, NONE, "recorded at run time"),
    F(stack_trace, IDENTITY, NONE, "call stack of the compile"),
    F(recompile_user_contexts, IDENTITY, NONE, "user contexts of the recompile"),
    F(log_format_version, IDENTITY, NONE, "version of the log format"),
    F(pytorch_version, IDENTITY, NONE, "PyTorch version"),
    F(python_version, IDENTITY, NONE, "Python version"),
    F(triton_version, IDENTITY, NONE, "Triton version"),
    F(cuda_version, IDENTITY, NONE, "CUDA version"),

    F(start_time, TIME, EPOCH_S, "start"),
    F(start_time_us, TIME, EPOCH_US, "start"),
    F(end_time_us, TIME, EPOCH_US, "end"),
    F(duration_us, TIME, US, "whole compile"),
    F(entire_frame_compile_time_s, TIME, S, "whole compile"),
    F(dynamo_cumulative_compile_time_us, TIME, US, "Dynamo, with everything below it"),
    F(aot_autograd_cumulative_compile_time_us, TIME, US, "AOTAutograd, with everything below it"),
    F(backend_compile_time_s, TIME, S, "backend, with everything below it"),
    F(inductor_cumulative_compile_time_us, TIME, US, "Inductor, with everything below it"),
    F(inductor_compile_time_s, TIME, S, "Inductor, with everything below it"),
    F(inductor_code_gen_cumulative_compile_time_us, TIME, US, "Inductor code generation, with the compilers it runs"),
    F(code_gen_time_s, TIME, S, "Inductor code generation, with the compilers it runs"),
    F(triton_compile_time_us, TIME, US, "Triton and C++ compilers"),
    F(triton_kernel_compile_times_us, TIME, NONE, "compile time of each Triton kernel"),
    F(backward_cumulative_compile_time_us, TIME, US, "backward graph"),
    F(pre_grad_pass_time_us, TIME, US, "pre-grad passes"),
    F(joint_graph_pass_time_us, TIME, US, "joint graph passes"),
    F(post_grad_pass_time_us, TIME, US, "post-grad passes"),
    F(compile_time_autotune_time_us, TIME, US, "autotuning while compiling"),
    F(runtime_triton_autotune_time_us, TIME, US, "autotuning at run time"),
    F(runtime_cudagraphify_time_us, TIME, US, "recording CUDA graphs at run time"),
    F(dynamo_time_before_restart_s, TIME, S, "spent before analysis restarted"),
    F(dynamo_compile_time_before_restart_us, TIME, US, "spent before analysis restarted"),
    F(gc_time_us, TIME, US, "garbage collection"),
    F(cuda_synchronize_time_us, TIME, US, "waiting for the GPU"),
    F(distributed_ephemeral_timeout_us, TIME, US, "time-out extended for collectives"),
    F(structured_logging_overhead_s, TIME, S, "writing this trace"),
    F(structured_logging_overhead_us, TIME, US, "writing this trace"),

    F(graph_op_count, GRAPH, COUNT, "operators in the graph"),
    F(graph_node_count, GRAPH, COUNT, "nodes in the graph"),
    F(graph_input_count, GRAPH, COUNT, "graph inputs"),
    F(graph_node_shapes, GRAPH, NONE, "shapes of the graph's nodes"),
    F(ir_count, GRAPH, COUNT, "Inductor IR nodes"),
    F(param_numel, GRAPH, COUNT, "elements of parameters"),
    F(param_bytes, GRAPH, BYTES, "size of parameters"),
    F(param_count, GRAPH, COUNT, "parameters"),
    F(num_graph_breaks, GRAPH, COUNT, "graph breaks in the process so far"),
    F(non_compliant_ops, GRAPH, NONE, "operators that do not follow the PT2 rules"),
    F(compliant_custom_ops, GRAPH, NONE, "custom operators"),
    F(possibly_missed_reinplacing_opportunities, GRAPH, COUNT, "in-place reuse possibly missed"),
    F(num_triton_bundles, GRAPH, COUNT, "Triton bundles"),
    F(cudagraph_skip_reason, GRAPH, NONE, "why CUDA graphs were skipped"),
    F(inductor_provenance, GRAPH, NONE, "Inductor provenance"),

    F(guard_count, GUARDS, COUNT, "guards"),
    F(shape_env_guard_count, GUARDS, COUNT, "shape guards"),
    F(guard_latency_us, GUARDS, US, "time of one guard check"),
    F(cache_size, GUARDS, COUNT, "compiles of this code object before"),
    F(accumulated_cache_size, GUARDS, COUNT, "compiles of this code object before, of all its objects"),
    F(recompile_reason, GUARDS, NONE, "why it was compiled again"),
    F(has_guarded_code, GUARDS, NONE, "compiled code was installed"),

    F(fail_type, FAILURE, NONE, "exception"),
    F(fail_reason, FAILURE, NONE, "message"),
    F(fail_user_frame_filename, FAILURE, NONE, "file of the user's code"),
    F(fail_user_frame_lineno, FAILURE, NONE, "line of the user's code"),
    F(exception_stack_trace, FAILURE, NONE, "stack of the exception"),
    F(restart_reasons, FAILURE, NONE, "why analysis restarted"),

    F(inductor_fx_local_cache_hit_count, CACHE, COUNT, "FX graph cache, local: hits"),
    F(inductor_fx_local_cache_miss_count, CACHE, COUNT, "FX graph cache, local: misses"),
    F(inductor_fx_remote_cache_hit_count, CACHE, COUNT, "FX graph cache, remote: hits"),
    F(inductor_fx_remote_cache_miss_count, CACHE, COUNT, "FX graph cache, remote: misses"),
    F(inductor_fx_remote_cache_hit_keys, CACHE, NONE, "FX graph cache, remote: keys hit"),
    F(inductor_fx_remote_cache_miss_keys, CACHE, NONE, "FX graph cache, remote: keys missed"),
    F(inductor_fx_remote_cache_backend_type, CACHE, NONE, "FX graph cache, remote: backend"),
    F(remote_cache_version, CACHE, NONE, "version of the remote cache"),
    F(remote_cache_time_saved_s, CACHE, S, "saved by the remote cache"),
    F(remote_fx_graph_cache_get_time_us, CACHE, US, "reading the remote FX graph cache"),
    F(remote_fx_graph_cache_get_time_ms, CACHE, MS, "reading the remote FX graph cache"),
    F(remote_fx_graph_cache_put_time_us, CACHE, US, "writing the remote FX graph cache"),
    F(remote_fx_graph_cache_put_time_ms, CACHE, MS, "writing the remote FX graph cache"),
    F(aotautograd_local_cache_hit_count, CACHE, COUNT, "AOTAutograd cache, local: hits"),
    F(aotautograd_local_cache_miss_count, CACHE, COUNT, "AOTAutograd cache, local: misses"),
    F(aotautograd_remote_cache_hit_count, CACHE, COUNT, "AOTAutograd cache, remote: hits"),
    F(aotautograd_remote_cache_miss_count, CACHE, COUNT, "AOTAutograd cache, remote: misses"),
    F(pgo_get_remote_code_state_time_us, CACHE, US, "reading the profile (PGO)"),
    F(pgo_put_remote_code_state_time_us, CACHE, US, "writing the profile (PGO)"),

    F(config_suppress_errors, CONFIG, NONE, "errors fall back to eager"),
    F(config_inline_inbuilt_nn_modules, CONFIG, NONE, "built-in modules are inlined"),
    F(inline_inbuilt_nn_modules_candidate, CONFIG, NONE, "would inline built-in modules"),
    F(specialize_float, CONFIG, NONE, "floats are constants"),
    F(tensorify_float_attempt, CONFIG, NONE, "tried to make floats dynamic"),
    F(tensorify_float_success, CONFIG, NONE, "made floats dynamic"),
    F(tensorify_float_failure, CONFIG, NONE, "why a float could not be made dynamic"),
    F(feature_usage, CONFIG, NONE, "features in use"),
    F(dynamo_config, CONFIG, CONFIG, "torch._dynamo.config"),
    F(inductor_config, CONFIG, CONFIG, "torch._inductor.config"),
    F(functorch_config, CONFIG, CONFIG, "torch._functorch.config"),
    F(compiler_config, CONFIG, CONFIG, "torch.compiler.config"),
};

#undef F

const size_t metric_field_count = sizeof metric_fields / sizeof *metric_fields;

const struct metric_field *metric_field_find(struct str key)
{
    for (size_t i = 0; i < metric_field_count; i++)
        if (str_eq(key, str_of(metric_fields[i].key)))
            return &metric_fields[i];
    return NULL;
}

const char *metric_group_title(enum metric_group g)
{
    static const char *const titles[METRICS_GROUPS] = {
        [METRICS_IDENTITY] = "Identity",   [METRICS_TIME] = "Time",    [METRICS_GRAPH] = "Graph",
        [METRICS_GUARDS] = "Guards",       [METRICS_FAILURE] = "Failures and restarts",
        [METRICS_CACHE] = "Caches",        [METRICS_CONFIG] = "Configuration",
        [METRICS_OTHER] = "Other",
    };

    return titles[g];
}

/* A record has about a hundred fields, and few are asked for, so a linear search is as good as a map. */
const struct metric *metrics_get(const struct metrics *m, const char *key)
{
    struct str k = str_of(key);

    if (m)
        vec_each(const struct metric, v, &m->values)
            if (str_eq(v->key, k))
                return v;
    return NULL;
}

bool metrics_i64(const struct metrics *m, const char *key, int64_t *out)
{
    const struct metric *v = metrics_get(m, key);

    if (v && v->type == METRIC_INT)
        *out = v->i;
    else if (v && v->type == METRIC_DOUBLE && fabs(v->d) < 9e18)
        *out = (int64_t)v->d;
    else
        return false;
    return true;
}

struct str metrics_str(const struct metrics *m, const char *key)
{
    const struct metric *v = metrics_get(m, key);

    return v && v->type == METRIC_STR ? v->s : (struct str){0};
}
