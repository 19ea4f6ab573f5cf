"""What the backend writes in one compile: AOTAutograd and Inductor, with their caches."""

import json

from . import code, graph as fx, words
from .writer import NO_IDS, Ids

PRE_GRAD = ("group_batch_fusion_passes", "efficient_conv_bn_eval_pass",
            "apply_gumbel_max_trick_pass")
JOINT = ("remove_noop_ops", "constant_fold_uniform_value", "pass_pattern_0", "pass_pattern_1")
POST_GRAD = ("remove_profiler_ops", "post_grad_custom_pre_pass", "remove_noop_ops",
             "remove_assert_ops", "pass_pattern_0", "pass_pattern_1", "pass_pattern_2",
             "stable_sort", "move_constructors_to_cuda", "reinplace_inplaceable_ops",
             "fix_auto_functionalized_dtype_views",
             "decompose_triton_kernel_wrapper_functional", "decompose_auto_functionalized",
             "decompose_scan_to_while_loop", "decompose_map_to_while_loop")
COLLECTIVES = ("all_reduce_.default", "wait_tensor.default", "reduce_scatter_tensor.default",
               "all_gather_into_tensor.default")


def quoted(text):
    return '"%s"' % text


def one_line(fields):
    """A JSON object from keys and JSON texts."""
    return "{%s}" % ", ".join('"%s": %s' % item for item in fields.items())


class Backend:
    """State of one compile, and the part of its records that comes from the backend."""

    def __init__(self, process, job):
        self.process, self.job = process, job
        self.w = process.writer
        self.noise = process.writer.noise
        self.frame = job.frame
        self.ids = Ids(job.frame_id, len(job.earlier))
        self.cuda = job.frame.device != "cpu"
        self.graphs = None          # of the last attempt, if there was anything to compile
        self.tensors = []           # its inputs
        self.sizes = {}             # its node shapes, as Dynamo prints them
        self.dynamo_text = ""
        self.guards, self.latency = 0, 0.0
        self.restarts = []          # messages of the breaks that led to new attempts
        self.kernels = []           # of the graph that Inductor compiled last

    def _dynamic(self):
        return self.job.variant.symbol is not None

    def _key(self, layer):
        """A cache key: new for every graph, equal on all ranks."""
        self.process.aot_ids += layer == "a"
        return layer + words.digest("%s %s %s" % (self.ids.name, layer,
                                                  self.process.program.random()))

    # --- AOTAutograd ---

    def _backend(self):
        """The whole backend: from Dynamo's graph to the compiled function."""
        w, ids = self.w, self.ids
        w.begin("backend_compile", ids, fn_name=quoted("OutputGraph.call_user_compiler"))
        since = int(w.now_us * 1000)
        aot_key = self._key("a")
        if self.job.hit:
            self._aot_hit(aot_key)
        else:
            self._aot_miss(aot_key)
        w.end("backend_compile", ids, {
            "cache_state": quoted("hit" if self.job.hit else "miss"),
            "cache_event_time": str(since), "key": quoted(aot_key), "components": "[]",
            "cache_bypass_reason": "null", "remote_cache_enabled": "false",
            "local_cache_enabled": "true", "requires_subclass_dispatch": "false",
            "dispatch_mode": quoted("autograd" if self.graphs.joint else "inference")})

    def _aot_cache_event(self, state, key, more=None):
        """The instant event and the artifact that report a lookup in AOTAutograd's cache."""
        fields = {"cache_status_detailed": quoted("full_miss" if state == "miss" else state),
                  **(more or {}), "key": quoted(key), "cache_state": quoted(state),
                  "components": "[]"}
        self.w.event("autograd_cache_" + state, "i", self.ids, fields)
        self.w.artifact("aotautograd_cache_" + state, "json", self.ids,
                        one_line({**fields, "compile_id": quoted(self.ids.name)}))

    def _aot_miss(self, key):
        w, ids, graphs = self.w, self.ids, self.graphs
        self._aot_cache_event("miss", key)
        text = self.dynamo_text + "\n # graph id: %d" % self.process.aot_ids
        w.artifact("before_pre_grad_graph", "string", ids, text)
        self._passes("_recursive_pre_grad_passes", "pre_grad_passes", PRE_GRAD, 200)
        w.artifact("after_pre_grad_graph", "string", ids, text)
        w.begin("create_aot_dispatcher_function", ids)
        w.span("aot_collect_metadata", ids, 400 * len(self.tensors) + 1500)
        if graphs.joint:
            self._aot_training()
        else:
            self._aot_inference()
        w.artifact("runtime_wrapper_orchestration", "string", ids,
                   code.orchestration(graphs.joint is not None))
        w.end("create_aot_dispatcher_function", ids)

    def _metadata(self):
        self.w.artifact("aot_forward_graph_fw_metadata", "string", self.ids,
                        code.forward_metadata(self.tensors, self.graphs.joint))

    def _aot_training(self):
        w, ids, graphs = self.w, self.ids, self.graphs
        w.span("aot_trace_joint_graph", ids, 2000 * len(graphs.joint.nodes))
        w.record("aot_joint_graph", "{}", ids, fx.print_joint(graphs.joint))
        self._passes("_recursive_joint_graph_passes", "joint_graph_passes", JOINT, 4000)
        w.span("min_cut_rematerialization_partition", ids, 900 * len(graphs.joint.nodes))
        w.artifact("torch._functorch.config", "string", ids, self.process.functorch_text)
        self._metadata()
        w.record("aot_forward_graph", "{}", ids, fx.print_aot(graphs.forward))
        w.record("aot_backward_graph", "{}", ids, fx.print_aot(graphs.backward))
        w.begin("compile_fx.<locals>.fw_compiler_base", ids)
        self._inductor(graphs.forward, "forward")
        w.end("compile_fx.<locals>.fw_compiler_base", ids)
        if self._dynamic():
            self._backward_graph()
        for name, text in code.RUNTIME_TEXTS.items():
            w.artifact(name, "string", ids, text)

    def _aot_inference(self):
        w, ids, graph = self.w, self.ids, self.graphs.inference
        self._metadata()
        w.record("aot_inference_graph", "{}", ids, fx.print_aot(graph, "<lambda>"))
        w.artifact("torch._functorch.config", "string", ids, self.process.functorch_text)
        w.begin("compile_fx.<locals>.fw_compiler_base", ids)
        text = fx.print_post_grad(graph, "<lambda>")
        w.artifact("before_joint_graph", "string", ids, text)
        self._passes("_recursive_joint_graph_passes", "joint_graph_passes", JOINT, 900)
        w.artifact("after_joint_graph", "string", ids, text)
        self._inductor(graph, "inference")
        w.end("compile_fx.<locals>.fw_compiler_base", ids)

    def _aot_hit(self, key):
        """AOTAutograd's cache had everything: graphs are logged again, nothing is compiled."""
        w, ids, graph = self.w, self.ids, self.graphs.inference
        self._metadata()
        w.record("aot_inference_graph", "{}", ids, fx.print_aot(graph, "<lambda>"))
        w.begin("AOTAutogradCache.inductor_load", ids)
        w.span("TritonBundler.read_and_emit", ids, 200)
        w.begin("PyCodeCache.load_by_key_path", ids)
        w.span("async_compile.wait", ids, 300)
        w.end("PyCodeCache.load_by_key_path", ids)
        w.artifact("fx_graph_runnable", "string", ids,
                   code.runnable(graph, self.process.environment()))
        w.record("inductor_post_grad_graph", "{}", ids, fx.print_post_grad(graph, "<lambda>"))
        self._output_code(graph, "inference")
        w.record("artifact", '{"name": "inductor_provenance_tracking_node_mappings", '
                 '"encoding": "json"}', ids)
        since = int(w.now_us * 1000) - 7_000_000
        self._fx_cache_artifact("hit", self._fx_cache_fields("hit", self._components(graph), since))
        w.end("AOTAutogradCache.inductor_load", ids, {"cached_kernel_names": "[]"})
        w.artifact("runtime_wrapper_orchestration", "string", ids, code.orchestration(False))
        saved = repr(round(300 + self.noise.random() * 2000, 1))
        self._aot_cache_event("hit", key, {"forward_time_saved_ms": saved,
                                           "backward_time_saved_ms": "0.0", "time_saved_ms": saved})

    def _passes(self, outer, group, names, microseconds):
        self.w.begin(outer, self.ids)
        for name in names:
            self.w.span("pass.%s.%s" % (group, name), self.ids, microseconds)
        self.w.end(outer, self.ids)

    # --- Inductor ---

    def _components(self, graph):
        """The components of an FX graph's cache key, each as JSON text."""
        result = ["gm: GraphModule()\n\n\n\n" + fx.print_cache_key(graph)]
        for i, (_, _, _, shape) in enumerate(graph.inputs):
            if shape is None:
                result.append("example_inputs[%d]: %s" % (i, self.job.variant.symbol))
                continue
            result.append(
                "example_inputs[%d]: TensorMetadata(dtype=torch.float32, shape=torch.Size([%s]), "
                "stride=%s, device=%s, layout=torch.strided, "
                "memory_format=torch.contiguous_format, storage_offset=0, storage_bytes=None, "
                "requires_grad=False, is_quantized=False, is_conj=False, is_neg=False, "
                "is_inference=False, is_sparse=False, is_coalesced=None, dense_dim=None, "
                "sparse_dim=None)" % (i, fx.join(shape), fx.tuple_text(fx.contiguous(shape))
                                      if shape else "()", fx.device_text(graph.device)))
        static = [i for i, item in enumerate(self.tensors) if item.parameter]
        result += ["fx_kwargs[cpp_wrapper]: False", "fx_kwargs[is_inference]: False",
                   "fx_kwargs[static_input_idxs]: %s" % static,
                   "deterministic_algorithms_settings: (False, False, True)",
                   "torch_version: " + words.digest(words.PYTORCH_COMMIT),
                   "system_info[hash]: " + words.digest(graph.device)]
        return ([json.dumps("[%s] %s" % (words.digest(text), text)) for text in result]
                + self.process.config.cache_components)

    def _fx_cache_fields(self, state, components, since):
        """What the FX graph cache says of a lookup, as keys and JSON texts."""
        spent = "time_saved_ns" if state == "hit" else "time_taken_ns"
        return {"cache_status_detailed": quoted("hit" if state == "hit" else "full_miss"),
                "key": quoted(self._key("f")), "components": "[%s]" % ", ".join(components),
                "cache_event_time": str(since), "cache_state": quoted(state),
                "triton_bundler_meta": quoted("TritonBundlerMetadata(cached_kernel_names=[], "
                                              "statically_launched_kernel_names=[])"),
                spent: str(int(self.w.now_us * 1000) - since)}

    def _fx_cache_artifact(self, state, fields):
        self.w.artifact("fx_graph_cache_" + state, "json", self.ids, one_line(fields))

    def _output_code(self, graph, part):
        # Inductor prints equal kernels once; how many differ grows slower than the model.
        distinct = 6 + len(graph.inputs) // 12
        text, kernels = code.output_code(self.process.program, graph,
                                         "%d_%s" % (self.process.aot_ids, part), distinct)
        name = words.digest(text)
        path = "/tmp/inductor_heron/%s/c%s.py" % (name[1:3], name)
        self.w.record("inductor_output_code", '{"filename": "%s", "file_path": "%s"}'
                      % (path, path), self.ids, text)
        self.kernels = kernels

    def _inductor(self, graph, part):
        """One graph through Inductor; `part` is forward, backward or inference."""
        w, ids, size = self.w, self.ids, len(graph.nodes)
        w.begin("inductor_compile", ids, fn_name=quoted("compile_fx_inner"))
        w.begin("fx_codegen_and_compile", ids)
        since, stamp = int(w.now_us * 1000), w.now_us
        w.artifact("fx_graph_runnable", "string", ids,
                   code.runnable(graph, self.process.environment()))
        w.span("additional_fake_tensor_prop", ids, 300 * size)
        text = fx.print_post_grad(graph, "<lambda>" if part == "inference" else "GraphModule")
        w.artifact("before_post_grad_graph", "string", ids, text)
        self._passes("_recursive_post_grad_passes", "post_grad_passes", POST_GRAD, 300 + 4 * size)
        w.artifact("inductor_post_grad_graph", "string", ids, text)
        w.span("GraphLowering.run", ids, 900 * size)
        w.begin("GraphLowering.compile_to_fn", ids)
        w.begin("code_gen", ids, fn_name=quoted("GraphLowering.compile_to_module"))
        self._codegen(graph, part, size)
        self._load_code()
        w.end("code_gen", ids)
        w.end("GraphLowering.compile_to_fn", ids)
        w.span("TritonBundler.collect", ids, 150)
        components = self._components(graph)
        fields = self._fx_cache_fields("miss", components, since)
        in_lines = "[\n%s\n]" % ",\n".join(components)
        w.event("fx_graph_cache_miss", "i", ids, {**fields, "components": in_lines}, stamp=stamp)
        self._fx_cache_artifact("miss", fields)
        w.end("fx_codegen_and_compile", ids)
        w.end("inductor_compile", ids, {
            "is_backward": "true" if part == "backward" else "false",
            "cache_state": quoted("miss"), "cache_event_time": str(since),
            "key": fields["key"], "components": in_lines,
            "cache_bypass_reason": "null", "remote_cache_enabled": "false",
            "local_cache_enabled": "true"})

    def _codegen(self, graph, part, size):
        w, ids = self.w, self.ids
        w.begin("GraphLowering.codegen", ids)
        w.begin("Scheduler.__init__", ids)
        w.span("Scheduler.fused_nodes", ids, 350 * size)
        w.end("Scheduler.__init__", ids)
        w.span("Scheduler.codegen", ids, 700 * size)
        w.span("PythonWrapperCodegen.generate", ids, 90 * size)
        w.end("GraphLowering.codegen", ids)
        self._output_code(graph, part)
        if self.process.distributed and part == "backward":
            calls = ["torch.ops._c10d_functional." + COLLECTIVES[i % 4]
                     for i in range(2 + len(graph.inputs) // 8)]
            w.artifact("inductor_collective_schedule", "json", ids, json.dumps(calls, indent=0))

    def _load_code(self):
        """Kernels are compiled by other threads, outside of any compile id."""
        w, ids = self.w, self.ids
        w.begin("PyCodeCache.load_by_key_path", ids)
        if self.cuda:
            for _ in self.kernels:
                w.span("async_compile.precompile", ids, 250_000)
        w.begin("async_compile.wait", ids)
        if not self.cuda:
            for _ in self.kernels:
                w.span("compile_file", NO_IDS, 900_000)
        w.end("async_compile.wait", ids)
        if self.cuda:
            info = {name: {"autotune_cache_state": "miss", "num_configs": 2,
                           "compile_time_us": self.noise.randrange(90_000, 900_000)}
                    for name in self.kernels}
            w.artifact("triton_kernel_info", "json", ids, json.dumps(info))
        w.end("PyCodeCache.load_by_key_path", ids)

    def _backward_graph(self):
        self.w.begin("compile_fx.<locals>.bw_compiler", self.ids)
        self._inductor(self.graphs.backward, "backward")
        self.w.end("compile_fx.<locals>.bw_compiler", self.ids)
