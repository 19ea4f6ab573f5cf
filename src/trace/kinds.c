#include "trace/kinds.h"

/*
 * Every trace_structured call of PyTorch 2.3 to 2.13, by record key. Kinds that only have a payload need no function:
 * the catalog in model/artifact_info.c describes them.
 */
const struct kind kinds[] = {
    {"artifact", 0, apply_artifact, "{\"artifact\": {\"name\": \"x\", \"encoding\": \"string\"}}"},
    {"chromium_event", KIND_JSON | KIND_OUTLINE, apply_chromium_event, "{\"chromium_event\": {}}"},
    {"str", KIND_NO_COMPILE | KIND_OUTLINE, apply_str, "{\"str\": [\"/x.py\", 0]}"},
    {"dynamo_start", KIND_STARTS | KIND_OUTLINE, apply_dynamo_start,
     "{\"dynamo_start\": {\"stack\": [{\"line\": 1, \"name\": \"f\", \"filename\": 0}]}}"},
    {"dynamo_output_graph", 0, NULL, "{\"dynamo_output_graph\": {\"sizes\": {\"l_x_\": [2, 3]}}}"},
    {"dynamo_cpp_guards_str", 0, apply_guards, "{\"dynamo_cpp_guards_str\": {}}"},
    {"dynamo_guards", 0, apply_guards, "{\"dynamo_guards\": {}}"},
    {"compilation_metrics", KIND_OUTLINE, apply_metrics, "{\"compilation_metrics\": {\"compile_id\": \"0/0\"}}"},
    {"bwd_compilation_metrics", KIND_OUTLINE, apply_metrics, "{\"bwd_compilation_metrics\": {\"fail_type\": null}}"},
    {"compilation_metrics_runtime", KIND_OUTLINE, apply_metrics, "{\"compilation_metrics_runtime\": {}}"},
    {"bwd_compilation_metrics_runtime", KIND_OUTLINE, apply_metrics, "{\"bwd_compilation_metrics_runtime\": {}}"},
    {"aot_autograd_backward_compilation_metrics", KIND_OUTLINE, apply_metrics,
     "{\"aot_autograd_backward_compilation_metrics\": {\"fail_type\": null}}"},
    {"describe_tensor", KIND_OUTLINE, apply_describe_tensor,
     "{\"describe_tensor\": {\"id\": 0, \"ndim\": 1, \"dtype\": \"torch.float32\", \"device\": \"device(type='cpu')\", "
     "\"size\": [2], \"stride\": [1], \"storage\": 0, \"describer_id\": 0}}"},
    {"describe_storage", KIND_OUTLINE, apply_describe_storage,
     "{\"describe_storage\": {\"id\": 0, \"describer_id\": 0, \"size\": 8}}"},
    {"describe_source", KIND_OUTLINE, apply_describe_source,
     "{\"describe_source\": {\"describer_id\": 0, \"id\": 0, \"source\": \"L['x']\"}}"},
    {"create_symbol", KIND_OUTLINE, apply_create_symbol,
     "{\"create_symbol\": {\"symbol\": \"s0\", \"val\": \"4\", \"vr\": \"[2, int_oo]\", \"source\": "
     "\"L['x'].size()[0]\"}}"},
    {"create_unbacked_symbol", KIND_OUTLINE, apply_create_unbacked_symbol,
     "{\"create_unbacked_symbol\": {\"symbol\": \"u0\", \"node_id\": 1, \"vr\": \"[-int_oo, int_oo]\"}}"},
    {"symbolic_shape_specialization", KIND_OUTLINE, apply_specialization,
     "{\"symbolic_shape_specialization\": {\"symbol\": \"s0\", \"sources\": [\"L['x'].size()[0]\"], \"value\": "
     "\"4\"}}"},
    {"guard_added", KIND_OUTLINE, apply_guard_added,
     "{\"guard_added\": {\"expr\": \"Eq(s0, 4)\", \"prefix\": \"eval\"}}"},
    {"guard_added_fast", KIND_OUTLINE, apply_guard_added, "{\"guard_added_fast\": {\"expr\": \"Eq(s0, 4)\"}}"},
    {"expression_created", KIND_OUTLINE, apply_expression_created,
     "{\"expression_created\": {\"method\": \"eq\", \"result\": \"Eq(s0, 3)\"}}"},
    {"propagate_real_tensors", KIND_OUTLINE, apply_propagated,
     "{\"propagate_real_tensors\": {\"expr\": \"u0\", \"result\": \"5\"}}"},
    {"propagate_real_tensors_provenance", KIND_OUTLINE, apply_propagated,
     "{\"propagate_real_tensors_provenance\": {\"expr\": \"u0\", \"result\": \"5\"}}"},
    {"missing_fake_kernel", KIND_OUTLINE, apply_missing_fake_kernel,
     "{\"missing_fake_kernel\": {\"op\": \"my.op.default\"}}"},
    {"mismatched_fake_kernel", KIND_OUTLINE, apply_mismatched_fake_kernel,
     "{\"mismatched_fake_kernel\": {\"op\": \"my.op.default\", \"reason\": \"stride\"}}"},
    {"guard_on_data_dependent_error", KIND_OUTLINE, apply_data_dependent,
     "{\"guard_on_data_dependent_error\": {\"expr\": \"Eq(u0, 0)\"}}"},
    {"exported_program", 0, NULL, "{\"exported_program\": {}}"},
    {"export", 0, NULL, "{\"export\": {}}"},
    {"aot_joint_graph", 0, NULL, "{\"aot_joint_graph\": {}}"},
    {"aot_forward_graph", 0, NULL, "{\"aot_forward_graph\": {}}"},
    {"aot_backward_graph", 0, NULL, "{\"aot_backward_graph\": {}}"},
    {"aot_inference_graph", 0, NULL, "{\"aot_inference_graph\": {}}"},
    {"aot_forward_graph_pre_saved_tensors_hooks", 0, NULL, "{\"aot_forward_graph_pre_saved_tensors_hooks\": {}}"},
    {"aot_backward_graph_pre_saved_tensors_hooks", 0, NULL, "{\"aot_backward_graph_pre_saved_tensors_hooks\": {}}"},
    {"aot_saved_tensors_hooks_*", 0, NULL, "{\"aot_saved_tensors_hooks_pack\": {}}"},
    {"aot_forward_graph_pre_assert_saved_tensors_hooks", 0, NULL,
     "{\"aot_forward_graph_pre_assert_saved_tensors_hooks\": {}}"},
    {"aot_backward_graph_pre_assert_saved_tensors_hooks", 0, NULL,
     "{\"aot_backward_graph_pre_assert_saved_tensors_hooks\": {}}"},
    {"compiled_autograd_graph", 0, NULL, "{\"compiled_autograd_graph\": {}}"},
    {"inductor_pre_grad_graph", 0, NULL, "{\"inductor_pre_grad_graph\": {}}"},
    {"inductor_input_graph", 0, NULL, "{\"inductor_input_graph\": {}}"},
    {"inductor_post_grad_graph", 0, NULL, "{\"inductor_post_grad_graph\": {}}"},
    {"inductor_output_code", 0, apply_output_code, "{\"inductor_output_code\": {\"filename\": \"/tmp/x.py\"}}"},
    {"optimize_ddp_split_graph", 0, NULL, "{\"optimize_ddp_split_graph\": {}}"},
    {"optimize_ddp_split_child", 0, apply_named, "{\"optimize_ddp_split_child\": {\"name\": \"submod_0\"}}"},
    {"graph_dump", 0, apply_artifact, "{\"graph_dump\": {\"name\": \"inductor_aot_wrapper_code\"}}"},
    {"dump_file", 0, apply_named, "{\"dump_file\": {\"name\": \"<eval_with_key>.0\"}}"},
    {"link", 0, apply_link, "{\"link\": {\"name\": \"profile\", \"url\": \"https://example.org/\"}}"},
};
const size_t kind_count = sizeof kinds / sizeof *kinds;

#define ARTIFACT(name) "{\"artifact\": {\"name\": \"" name "\", \"encoding\": \"json\"}}"

/* Artifacts whose payload is read into the model; all others are only kept. */
const struct kind artifact_kinds[] = {
    {"torch_version", KIND_JSON, apply_torch_version, ARTIFACT("torch_version")},
    {"fx_graph_runnable", KIND_TEXT, apply_runnable, ARTIFACT("fx_graph_runnable")},
    {"recompile_reasons", KIND_TEXT, apply_recompile_reasons, ARTIFACT("recompile_reasons")},
    {"dynamo_graph_break_reason", KIND_TEXT, apply_graph_break_reason, ARTIFACT("dynamo_graph_break_reason")},
    {"dynamo_error", KIND_TEXT, apply_dynamo_error, ARTIFACT("dynamo_error")},
    {"eager_compile_backwards_failure", KIND_TEXT, apply_suppressed_failure,
     ARTIFACT("eager_compile_backwards_failure")},
    {"aotautograd_cache_hash", KIND_JSON, apply_cache_hash, ARTIFACT("aotautograd_cache_hash")},
    {"aotautograd_cache_hit", KIND_JSON, apply_cache_event, ARTIFACT("aotautograd_cache_hit")},
    {"aotautograd_cache_miss", KIND_JSON, apply_cache_event, ARTIFACT("aotautograd_cache_miss")},
    {"aotautograd_cache_bypass", KIND_JSON, apply_cache_event, ARTIFACT("aotautograd_cache_bypass")},
    {"fx_graph_cache_hash", KIND_JSON, apply_cache_hash, ARTIFACT("fx_graph_cache_hash")},
    {"fx_graph_cache_hit", KIND_JSON, apply_cache_event, ARTIFACT("fx_graph_cache_hit")},
    {"fx_graph_cache_miss", KIND_JSON, apply_cache_event, ARTIFACT("fx_graph_cache_miss")},
    {"fx_graph_cache_bypass", KIND_JSON, apply_cache_event, ARTIFACT("fx_graph_cache_bypass")},
    {"fx_graph_bundled_cache_hit", KIND_JSON, apply_cache_event, ARTIFACT("fx_graph_bundled_cache_hit")},
    {"precompile_cache_bypass", KIND_JSON, apply_cache_event, ARTIFACT("precompile_cache_bypass")},
    {"dynamo_cache_bypass", KIND_JSON, apply_cache_event, ARTIFACT("dynamo_cache_bypass")},
    {"get_*", 0, apply_pgo_read, ARTIFACT("get_local_code_state")},
};
const size_t artifact_kind_count = sizeof artifact_kinds / sizeof *artifact_kinds;

#undef ARTIFACT

static const struct kind *find(const struct kind *table, size_t n, struct str name)
{
    for (size_t i = 0; i < n; i++) {
        struct str row = str_of(table[i].name);

        if (str_eq(row, name) || (str_ends(row, STR("*")) && str_starts(name, str_drop(row, 1))))
            return &table[i];
    }
    return NULL;
}

const struct kind *kind_find(struct str name)
{
    return find(kinds, kind_count, name);
}

const struct kind *artifact_kind_find(struct str name)
{
    return find(artifact_kinds, artifact_kind_count, name);
}
