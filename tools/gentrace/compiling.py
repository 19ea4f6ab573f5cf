"""The records of one compile, in the order in which PyTorch 2.13 writes them."""

import json
from collections import namedtuple

from . import graph as fx, metrics, stacks, words
from .backend import Backend, quoted
from .guards import Addresses, guard_tree
from .writer import NO_IDS, Ids

# One compile to write. `earlier` are the variants that this frame was compiled for before, `breaks`
# the (kind, context) of graph breaks that restart the analysis, `fails` the one that ends it.
# `empty` says that nothing was left to compile after the breaks, `hit` that the caches had it,
# `resume` that the frame continues after a break; `users` is the user's stack above the frame.
Job = namedtuple("Job", "frame frame_id variant earlier breaks fails empty resume hit users",
                 defaults=((), (), None, False, False, False, ()))


class Process:
    """What the compiles of one traced process share."""

    def __init__(self, writer, program, distributed=False):
        self.writer = writer
        self.program = program      # randomness that all ranks share: what is compiled
        self.config = words.ProcessConfig(program)
        self.addresses = Addresses(writer.noise)
        self.distributed = distributed
        self.describers = 0
        self.aot_ids = 0
        self.frame_keys = 0
        self.started = False
        self.functorch_text = json.dumps(self.config.functorch_values, indent=0)

    @staticmethod
    def environment():
        """The variables that a repro script sets."""
        return (("TORCHINDUCTOR_CACHE_DIR", "/tmp/inductor_heron"),
                ("TORCH_TRACE", "/srv/runs/heron/trace"), ("OMP_NUM_THREADS", "16"))


class _Compile(Backend):
    """Writes one compile: what Dynamo does with a frame, around the work of the backend."""

    # --- the frame ---

    def write(self):
        w, process = self.w, self.process
        w.durations.clear()
        w.begin("dynamo", self.ids)
        if not process.started:
            process.started = True
            w.torch_version()
        w.begin("entire_frame_compile", self.ids, fn_name=quoted("_compile.compile_inner"))
        started = w.now_us
        if self.job.earlier:
            w.artifact("recompile_reasons", "json", self.ids, self._recompile_reasons())
        w.record("dynamo_start", '{"stack": %s}'
                 % stacks.structured(w, self._callers(), self.frame), self.ids)
        if self.job.resume:
            self._bytecode("ORIGINAL", 30)
        for kind, context in self.job.breaks:
            self._broken_attempt(kind, context)
        before_restart = int(w.now_us - started) if self.job.breaks else 0
        if self.job.fails:
            self._failing_attempt(*self.job.fails)
        else:
            self._last_attempt()
        w.span("gc", self.ids, 900)
        w.end("entire_frame_compile", self.ids)
        values = self._frame_metrics(started, before_restart)
        w.record("compilation_metrics", metrics.as_json(values), self.ids)
        w.end("dynamo", self.ids, metrics.event_arguments(values))
        if self.graphs is not None and self.graphs.backward is not None and not self._dynamic():
            self._lazy_backward()
        if self.cuda and self.graphs is not None:
            self._runtime_metrics()

    def _callers(self):
        user = list(self.job.users)
        return user + stacks.framework_frames(stacks.ENTRY)

    def _recompile_reasons(self):
        """The first guard that failed in every cache entry, newest first."""
        name = "tokens" if self.frame.function == "forward" else self.frame.arguments[0]
        now, reasons = self.job.variant, []
        for i, old in reversed(list(enumerate(self.job.earlier))):
            where = 1 if old.batch == now.batch else 0
            expected = (old.sequence if where else old.batch, now.sequence if where else now.batch)
            reasons.append("%d/%d: tensor '%s' size mismatch at index %d. expected %d, actual %d"
                           % ((self.job.frame_id, i, name, where) + expected))
        if len(reasons) == 1:
            return reasons[0]       # PyTorch writes a bare string here
        return "[\n%s\n]" % ",\n".join(json.dumps(reason) for reason in reasons)

    def _bytecode(self, which, instructions):
        self.w.artifact("%s_%s_BYTECODE" % (self.frame.function, which), "string", self.ids,
                        stacks.bytecode(self.noise, self.frame.line, instructions))

    # --- attempts ---

    def _begin_attempt(self):
        self.w.begin("compile_attempt_%d" % self.ids.attempt, self.ids)
        self.w.begin("bytecode_tracing", self.ids)

    def _end_tracing(self, scale):
        seconds = {name: repr(round(self.noise.random() * scale * share, 9)) for name, share in (
            ("get_fake_value_time_s", 3e-4), ("create_proxy_time_s", 1e-4),
            ("wrap_to_fake_tensor_and_record_time_s", 2e-4),
            ("variable_builder_call_time_s", 4e-4))}
        self.w.end("bytecode_tracing", self.ids, seconds)

    def _broken_attempt(self, kind, context):
        """An attempt that meets a graph break; Dynamo then starts over with the next attempt."""
        self._begin_attempt()
        self.w.pass_time(3000 + self.noise.random() * 9000)
        self.w.artifact("dynamo_graph_break_reason", "string", self.ids,
                        stacks.graph_break(kind, context, self.frame.sources["loop"],
                                           list(self.job.users)))
        self.restarts.append(stacks.break_message(kind, context))
        self._end_tracing(3)
        self.w.end("compile_attempt_%d" % self.ids.attempt, self.ids)
        self.ids = Ids(self.ids.frame, self.ids.compile, self.ids.attempt + 1)

    def _failing_attempt(self, kind, context):
        self._begin_attempt()
        self.w.pass_time(5000)
        self._end_tracing(3)
        self.w.end("compile_attempt_%d" % self.ids.attempt, self.ids)
        self.w.artifact("dynamo_error", "string", self.ids,
                        stacks.dynamo_error(kind, context, self.frame.sources["loop"],
                                            list(self.job.users)))

    def _last_attempt(self):
        w = self.w
        self._begin_attempt()
        if not self.job.empty:
            self.tensors = self.frame.inputs(self.job.variant)
            self.graphs = self.frame.graphs(self.job.variant)
            if self._dynamic():
                self._symbols()
            for _ in range(2 if self.job.earlier else 1):
                self._describe()
        self._end_tracing(len(self.tensors) + 3)
        if self.graphs is not None:
            w.span("insert_deferred_runtime_asserts", self.ids, 1500)
            self._output_graph()
            self._backend()
        w.end("compile_attempt_%d" % self.ids.attempt, self.ids)
        if self.job.resume:
            self._bytecode("MODIFIED", 70)
        w.begin("build_guards", self.ids)
        self.latency = 40 + self.noise.random() * (30 + len(self.tensors))
        text, self.guards = guard_tree(self.frame, self.job.variant, self.process.addresses,
                                       self.latency, self.tensors)
        w.pass_time(300 * self.guards)
        w.record("dynamo_cpp_guards_str", "{}", self.ids, text)
        w.end("build_guards", self.ids)

    def _symbols(self):
        """Automatic dynamic shapes: a symbol for the sequence and the guards on it."""
        w, symbol, size = self.w, self.job.variant.symbol, self.job.variant.sequence
        old = self.job.earlier[-1].sequence if self.job.earlier else size
        w.event("automatic_dynamic", "i", self.ids,
                {"name": quoted("L['tokens']"), "dim_changed": "1",
                 "reason": quoted("size change"), "cached": quoted(old), "new": quoted(size)})
        at = self.frame.sources["loop"]
        user = stacks.structured(w, [at])
        frames = self._callers() + stacks.framework_frames(stacks.TRACING + stacks.INLINING)
        stack = stacks.structured(w, frames)
        w.record("create_symbol", '{"symbol": "%s", "val": "%d", "vr": "[2, int_oo]", "source": '
                 '"L[\'tokens\'].size()[1]", "user_stack": %s, "stack": %s}'
                 % (symbol, size, user, stack), self.ids)
        stack = stacks.structured(w, frames + stacks.framework_frames(stacks.SHAPES))
        for expression in ("%s <= 2048", "Ne(%s, 1)", "2 <= %s", "Ne(4*%s, 4)", "16*%s < 2147483648"):
            w.record("guard_added_fast", '{"expr": "%s", "user_stack": %s, "stack": %s}'
                     % (expression % symbol, user, stack), self.ids)

    def _describe(self):
        """Storage, tensor and source of every tensor that became fake."""
        w, describer = self.w, self.process.describers
        self.process.describers += 1
        device = fx.device_text(self.frame.device)
        for i, tensor in enumerate(self.tensors):
            kind = "Parameter" if tensor.parameter else "Tensor"
            w.record("describe_storage", '{"id": %d, "describer_id": %d, "size": %d}'
                     % (i, describer, fx.numel(tensor.shape) * 4), self.ids)
            grad = ', "requires_grad": true' if tensor.requires_grad else ""
            grad += ', "is_parameter": true' if tensor.parameter else ""
            w.record("describe_tensor", '{"id": %d, "ndim": %d, "dtype": "torch.%s", "device": '
                     '"%s", "size": [%s], "dynamo_hint_overrides": {}, "is_leaf": true%s, '
                     '"stride": [%s], "storage": %d, "view_func": "_CustomViewFunc(func=<built-in '
                     'method _view_func_unsafe of %s object at 0x%x>)", "describer_id": %d}'
                     % (i, len(tensor.shape), tensor.dtype, device, fx.join(tensor.shape), grad,
                        fx.join(fx.contiguous(tensor.shape)), i, kind,
                        self.process.addresses(tensor.source), describer), self.ids)
            w.record("describe_source", '{"describer_id": %d, "id": %d, "source": "%s"}'
                     % (describer, i, tensor.source), self.ids)

    def _output_graph(self):
        graph = self.graphs.dynamo
        sizes = {name: shape for name, _, _, shape in graph.inputs if shape is not None}
        sizes.update((node.name, node.shape) for node in graph.nodes if node.shape is not None)
        self.sizes = {name: [dim.factor if dim.symbol is None else str(dim) for dim in shape]
                      for name, shape in sizes.items()}
        self.dynamo_text = fx.print_dynamo(graph)
        self.w.record("dynamo_output_graph", '{"sizes": %s}' % json.dumps(self.sizes), self.ids,
                      self.dynamo_text)

    # --- after the frame ---

    def _lazy_backward(self):
        """With static shapes the backward is compiled when it first runs."""
        w, ids = self.w, self.ids
        w.pass_time(200_000)
        w.durations.clear()
        w.begin("entire_backward_compile", ids, fn_name=quoted("backward._backward_impl"))
        started = w.now_us
        self._backward_graph()
        w.end("entire_backward_compile", ids, {
            "is_forward": "false", "inductor_fx_local_cache_miss_count": "1",
            "num_graph_breaks": "0"})
        values = metrics.common(self.process.config, self.cuda)
        values.update(self._times(started))
        values.update({
            "compile_id": ids.name, "is_forward": False, "inductor_fx_local_cache_miss_count": 1,
            "feature_usage": {"fx_cache": True, "triton_bundling": True},
            "backward_cumulative_compile_time_us": values["duration_us"]})
        w.record("bwd_compilation_metrics", metrics.as_json(values), ids)

    def _runtime_metrics(self):
        """Autotuning when the kernels first run: outside of the compile, but with its id."""
        w, owner = self.w, self.ids
        started = w.now_us
        for name in self.kernels[:3]:
            arguments = {"kernel_name": quoted(name), "is_backward": "false"}
            w.begin("CachingAutotuner.benchmark_all_configs", NO_IDS, **arguments)
            for _ in range(2):
                w.span("TritonBenchmarker.benchmark_gpu", NO_IDS, 50_000)
            w.end("CachingAutotuner.benchmark_all_configs", NO_IDS)
        values = metrics.common(self.process.config, True)
        values.update({"compile_id": owner.name, "is_runtime": True, "is_forward": True,
                       "start_time_us": int(started), "end_time_us": int(w.now_us),
                       "runtime_triton_autotune_time_us": int(w.now_us - started)})
        late = Ids(owner.frame, owner.compile)
        late.text = ', "frame_id": %d, "frame_compile_id": %d' % (owner.frame, owner.compile)
        w.record("compilation_metrics_runtime", metrics.as_json(values), late)

    # --- metrics ---

    def _times(self, started):
        """Fields with times, from the events that were just written."""
        spent = self.w.durations

        def micros(name):
            return int(spent[name]) if name in spent else None

        return {
            "start_time_us": int(started), "end_time_us": int(self.w.now_us),
            "duration_us": int(self.w.now_us - started),
            "dynamo_cumulative_compile_time_us": micros("entire_frame_compile"),
            "aot_autograd_cumulative_compile_time_us": micros("backend_compile"),
            "inductor_cumulative_compile_time_us": micros("inductor_compile"),
            "inductor_code_gen_cumulative_compile_time_us": micros("code_gen"),
            "triton_compile_time_us": micros("async_compile.wait"),
            "pre_grad_pass_time_us": micros("_recursive_pre_grad_passes"),
            "joint_graph_pass_time_us": micros("_recursive_joint_graph_passes"),
            "post_grad_pass_time_us": micros("_recursive_post_grad_passes"),
            "gc_time_us": micros("gc"),
            "structured_logging_overhead_us": self.noise.randrange(2000, 400_000),
        }

    def _frame_metrics(self, started, before_restart):
        job, frame, process = self.job, self.frame, self.process
        process.frame_keys += 1
        values = metrics.common(process.config, self.cuda)
        values.update(self._times(started))
        count = len(job.earlier)
        values.update({
            "compile_id": self.ids.name, "frame_key": str(process.frame_keys),
            "co_name": frame.function, "co_filename": frame.file, "co_firstlineno": frame.line,
            "cache_size": count, "accumulated_cache_size": count, "non_compliant_ops": [],
            "compliant_custom_ops": [], "restart_reasons": self.restarts,
            "dynamo_time_before_restart_s": before_restart / 1e6,
            "dynamo_compile_time_before_restart_us": before_restart, "specialize_float": False,
            "is_forward": True, "has_guarded_code": job.fails is None,
            "stack_trace": stacks.metric_lines(self._callers(), frame), "graph_node_shapes": "{}"})
        if count:
            values["recompile_reason"] = self._recompile_reasons().strip("[]\n\"")
        if job.fails:
            at = frame.sources["loop"]
            values.update({
                "fail_type": "Unsupported", "fail_reason": stacks.break_message(*job.fails),
                "fail_user_frame_filename": at.file, "fail_user_frame_lineno": at.line,
                "exception_stack_trace": ["\n".join(stacks.failure(
                    stacks.break_message(*job.fails)))]})
            return values
        values.update({"guard_count": self.guards, "shape_env_guard_count": 0,
                       "guard_latency_us": int(self.latency), "graph_op_count": 0,
                       "graph_node_count": 0, "graph_input_count": 0})
        if self.graphs is not None:
            self._graph_metrics(values)
        return values

    def _graph_metrics(self, values):
        graph = self.graphs.dynamo
        hit = "hit" if self.job.hit else "miss"
        parameters = [item for item in self.tensors if item.parameter]
        elements = sum(fx.numel(item.shape) for item in parameters)
        values.update({
            "graph_op_count": len(graph.nodes), "graph_input_count": len(graph.inputs),
            "graph_node_count": len(graph.nodes) + len(graph.inputs) + 1,
            "graph_node_shapes": str(self.sizes), "ir_count": 2 * len(graph.nodes) + 9,
            "aotautograd_local_cache_%s_count" % hit: 1,
            "inductor_fx_local_cache_%s_count" % hit: 1,
            "shape_env_guard_count": 5 if self._dynamic() else 0,
            "feature_usage": {"aot_autograd_remote_cache": False, "fx_cache": True,
                              "triton_bundling": True},
            "param_numel": elements, "param_bytes": elements * 4,
            "param_count": len(parameters)})


def write_compile(process, job):
    """Writes all records of one compile."""
    _Compile(process, job).write()
