"""Generated code: Inductor's wrapper and kernels, runnable repros, AOTAutograd's own texts."""

from .graph import contiguous, join, numel, plain_body, returned, tuple_text
from . import words

IMPORTS = """from ctypes import c_void_p, c_long, c_int
import torch
import math
import os
import tempfile
from math import inf, nan
from torch._inductor.hooks import run_intermediate_hooks
from torch._inductor.utils import maybe_profile
from torch import device, empty_strided
from torch._inductor.async_compile import AsyncCompile
from torch._inductor.select_algorithm import extern_kernels"""
TRITON_IMPORTS = """
import triton
import triton.language as tl
from torch._inductor.runtime.triton_heuristics import start_graph, end_graph
from torch._C import _cuda_getCurrentRawStream as get_raw_stream"""
NAMES = """

aten = torch.ops.aten
inductor_ops = torch.ops.inductor
assert_size_stride = torch._C._dynamo.guards.assert_size_stride
assert_alignment = torch._C._dynamo.guards.assert_alignment
empty_strided_cpu = torch._C._dynamo.guards._empty_strided_cpu
empty_strided_cuda = torch._C._dynamo.guards._empty_strided_cuda
reinterpret_tensor = torch._C._dynamo.guards._reinterpret_tensor
alloc_from_pool = torch.ops.inductor._alloc_from_pool
async_compile = AsyncCompile()
"""
RUNNER = """

async_compile.wait(globals())
del async_compile

class Runner:
    def __init__(self, partitions):
        self.partitions = partitions

    def recursively_apply_fns(self, fns):
        self.partitions = [fn(part) for fn, part in zip(fns, self.partitions)]

    def call(self, args):"""
EXTERN = ("addmm.default", "mm.default", "attention")    # what Inductor leaves to libraries


def kernel_groups(graph):
    """Cuts a graph into fused kernels: the runs of nodes between library calls.

    Yields ("extern", [node]) and ("fused", nodes); views cost nothing and belong to no kernel."""
    run = []
    for node in graph.nodes:
        target = node.call.split("(", 1)[0]
        if target.startswith("torch.ops.") and any(mark in target for mark in EXTERN):
            if run:
                yield "fused", run
            yield "extern", [node]
            run = []
        elif node.shape is not None and not node.name.startswith(
                ("view", "permute", "getitem", "select")):
            run.append(node)
            if len(run) == 14:
                yield "fused", run
                run = []
    if run:
        yield "fused", run


def kernel_name(prefix, nodes, number):
    kinds = sorted({node.name.rstrip("0123456789").rstrip("_") for node in nodes})
    return "%s_fused_%s_%d" % (prefix, "_".join(kinds[:5]), number)


TRITON_BODY = {"add": "{a} + {b}", "sub": "{a} - {b}", "mul": "{a} * {b}", "div": "({a} / {b})",
               "rsqrt": "libdevice.rsqrt({a})", "sigmoid": "tl.sigmoid({a})",
               "pow": "{a} * {a}", "sqrt": "libdevice.sqrt({a})", "exp": "libdevice.exp({a})",
               "sin": "tl_math.sin({a})", "cos": "tl_math.cos({a})", "gt": "{a} > {b}"}
CPP_BODY = {"add": "{a} + {b}", "sub": "{a} - {b}", "mul": "{a} * {b}", "div": "{a} / {b}",
            "rsqrt": "{a}.rsqrt()", "sigmoid": "decltype({a})(1) / (decltype({a})(1) + {a}.neg().exp())",
            "pow": "{a} * {a}", "sqrt": "{a}.sqrt()", "exp": "{a}.exp()", "sin": "{a}.sin()",
            "cos": "{a}.cos()", "gt": "{a} > {b}"}


def _operations(nodes, table, first):
    """tmpN = ... for every node of a kernel, from the values that it has so far."""
    lines, last = [], first
    for i, node in enumerate(nodes):
        operation = table.get(node.name.rstrip("0123456789").rstrip("_"), "{a} + {b}")
        lines.append((last + 1, operation.format(a="tmp%d" % last,
                                                 b="tmp%d" % (i % first if first else 0))))
        last += 1
    return lines, last


def _inputs(nodes):
    """Names that a kernel reads from outside."""
    made = {node.name for node in nodes}
    return list(dict.fromkeys(used for node in nodes for used in node.uses if used not in made))


def triton_kernel(rng, name, nodes, origin):
    reads = _inputs(nodes)[:6] or ["seed"]
    shape = nodes[-1].shape
    total = max(numel(shape), 1)
    reduced = any(node.name.startswith(("mean", "sum")) for node in nodes)
    pointers = ["in_ptr%d" % i for i in range(len(reads))] + ["out_ptr0"]
    signature = ", ".join("'%s': '*fp32'" % pointer for pointer in pointers)
    last_dim = shape[-1].factor if shape else 1
    lines = ["# kernel path: %s" % words.digest(name + origin)[:2] + "/%s.py" % words.digest(
        origin + name),
             "# Topologically Sorted Source Nodes: [%s], Original ATen: [%s]"
             % (", ".join(node.name for node in nodes[:6]),
                ", ".join("aten." + node.name.rstrip("0123456789").rstrip("_")
                          for node in nodes[:6])),
             "# Source node to ATen node mapping:"]
    lines += ["#   %s => %s" % (node.name, node.name) for node in nodes[:4]]
    lines.append("# Graph fragment:")
    lines += ["#   %%%s : Tensor \"%s\" = call_function[target=%s](args = (%s), kwargs = {})"
              % (node.name, node.type, node.call.split("(", 1)[0],
                 ", ".join("%" + used for used in node.uses)) for node in nodes]
    kind = "reduction" if reduced else "pointwise"
    lines += ["%s = async_compile.triton('%s', '''" % (name, name), "import triton",
              "import triton.language as tl", "",
              "from torch._inductor.runtime import triton_helpers, triton_heuristics",
              "from torch._inductor.runtime.triton_helpers import libdevice, math as tl_math",
              "from torch._inductor.runtime.hints import ReductionHint, DeviceProperties",
              "triton_helpers.set_driver_to_gpu()", "", "@triton_heuristics.%s(" % kind,
              "    size_hints={'x': %d%s}," % (1 << (total - 1).bit_length(),
                                              ", 'r0_': %d" % last_dim if reduced else ""),
              "    filename=__file__,",
              "    triton_meta={'signature': {%s, 'xnumel': 'i32'}, 'device': DeviceProperties("
              "type='cuda', index=0, multi_processor_count=132, cc=90, major=9, "
              "regs_per_multiprocessor=65536, warp_size=32), 'constants': {}, 'configs': "
              "[{%s}]}," % (signature, ", ".join("(%d,): [['tt.divisibility', 16]]" % i
                                                 for i in range(len(pointers)))),
              "    inductor_meta={'grid_type': 'Grid1D', 'kernel_name': '%s', "
              "'mutated_arg_names': [], 'num_load': %d, 'num_store': 1, 'num_reduction': %d, "
              "'backend_hash': '%s', 'tiling_scores': {'x': %d}},"
              % (name, len(reads), reduced, words.digest("backend").upper(),
                 rng.randrange(1 << 20)),
              ")", "@triton.jit",
              "def %s(%s, xnumel, XBLOCK : tl.constexpr):" % (name, ", ".join(pointers)),
              "    xnumel = %d" % total, "    xoffset = tl.program_id(0) * XBLOCK",
              "    xindex = xoffset + tl.arange(0, XBLOCK)[:]", "    xmask = xindex < xnumel",
              "    x0 = (xindex %% %d)" % last_dim, "    x1 = xindex // %d" % last_dim]
    lines += ["    tmp%d = tl.load(in_ptr%d + (%s), xmask%s)"
              % (i, i, "x0 + %d*x1" % last_dim if i % 2 == 0 else "x0",
                 "" if i % 2 == 0 else ", eviction_policy='evict_last'")
              for i in range(len(reads))]
    steps, last = _operations(nodes, TRITON_BODY, len(reads) - 1)
    lines += ["    tmp%d = %s" % step for step in steps]
    lines += ["    tl.store(out_ptr0 + (x0 + %d*x1), tmp%d, xmask)" % (last_dim, last),
              "''', device_str='cuda')", "", ""]
    return lines


def cpp_kernel(_rng, name, nodes, _origin):
    reads = _inputs(nodes)[:6] or ["seed"]
    shape = nodes[-1].shape
    total, last_dim = max(numel(shape), 1), shape[-1].factor if shape else 1
    outer = max(total // max(last_dim, 1), 1)
    parameters = (["const float* in_ptr%d" % i for i in range(len(reads))] + ["float* out_ptr0"])
    vector = "at::vec::Vectorized<float>"
    lines = ["%s = async_compile.cpp_pybinding([%s, 'float*'], r'''"
             % (name, ", ".join(["'const float*'"] * len(reads))),
             "#include <torch/csrc/inductor/cpp_prefix.h>",
             'extern "C"  void  kernel(' + (",\n" + " " * 23).join(parameters) + ")", "{",
             "    #pragma omp parallel", "    {", "        #pragma omp for",
             "        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(%dL); "
             "x0+=static_cast<int64_t>(1L))" % outer, "        {",
             "            for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(%dL); "
             "x1+=static_cast<int64_t>(16L))" % last_dim, "            {"]
    pad = " " * 16
    lines += ["%sauto tmp%d = %s::loadu(in_ptr%d + static_cast<int64_t>(x1 + %dL*x0), "
              "static_cast<int64_t>(16));" % (pad, i, vector, i, last_dim)
              for i in range(len(reads))]
    steps, last = _operations(nodes, CPP_BODY, len(reads) - 1)
    lines += ["%sauto tmp%d = %s;" % (pad, number, value) for number, value in steps]
    lines += ["%stmp%d.store(out_ptr0 + static_cast<int64_t>(x1 + %dL*x0), "
              "static_cast<int64_t>(16));" % (pad, last, last_dim),
              "            }", "        }", "    }", "}", "''')", "", ""]
    return lines


def _strides(shape):
    return tuple_text(contiguous(shape)) if shape else "()"


def _sizes(shape):
    return tuple_text(shape) if shape else "()"


def output_code(rng, graph, aot_id, distinct_kernels):
    """(text, names of kernels): Inductor's wrapper. Like Inductor, it reuses equal kernels, so
    only `distinct_kernels` of them are printed however deep the model is."""
    cuda = graph.device != "cpu"
    make, prefix = (triton_kernel, "triton_poi") if cuda else (cpp_kernel, "cpp")
    short = "cuda" if cuda else "cpu"
    lines = ["# AOT ID: ['%s']" % aot_id, IMPORTS + (TRITON_IMPORTS if cuda else "") + NAMES, ""]
    body, kernels = [], []
    for number, (kind, nodes) in enumerate(kernel_groups(graph)):
        buffer, shape = "buf%d" % number, nodes[-1].shape
        if kind == "extern":
            node = nodes[0]
            body += ["# Topologically Sorted Source Nodes: [%s], Original ATen: [aten.%s]"
                     % (node.name, node.name.rstrip("0123456789").rstrip("_"))]
            if shape is None:
                body += ["%s = %s" % (buffer, node.call), "%s_0 = %s[0]" % (buffer, buffer),
                         "del %s" % buffer]
                continue
            body += ["%s = empty_strided_%s(%s, %s, torch.float32)"
                     % (buffer, short, _sizes(shape), _strides(shape)),
                     "extern_kernels.%s(%s, out=%s)"
                     % (node.name.rstrip("0123456789").rstrip("_"),
                        ", ".join("reinterpret_tensor(%s, %s, %s, 0)"
                                  % (used, _sizes(shape), _strides(shape)) for used in node.uses),
                        buffer)]
        else:
            if len(kernels) < distinct_kernels:
                name = kernel_name(prefix, nodes, len(kernels))
                kernels.append(name)
                lines += make(rng, name, nodes, aot_id)
            else:
                name = kernels[number % len(kernels)]
            reads = _inputs(nodes)[:6]
            body += ["%s = empty_strided_%s(%s, %s, torch.float32)"
                     % (buffer, short, _sizes(shape), _strides(shape)),
                     "%s%s(%s, %s%s)" % (name, ".run" if cuda else "", ", ".join(reads), buffer,
                                         ", %d, stream=stream0" % numel(shape) if cuda else "")]
        body += ["del %s" % used for used in nodes[0].uses[:1]]
    names = [name for name, _, _, _ in graph.inputs]
    lines += [RUNNER.strip("\n"), "        %s, = args" % ", ".join(names), "        args.clear()"]
    lines += ["        assert_size_stride(%s, %s, %s, 'input')"
              % (name, _sizes(shape), _strides(shape))
              for name, _, _, shape in graph.inputs if shape is not None]
    if cuda:
        lines += ["        with torch.cuda._DeviceGuard(0):", "            stream0 = "
                  "get_raw_stream(0)"]
    lines += [("            " if cuda else "        ") + line for line in body]
    lines += ["        return " + returned(graph), "",
              "runner = Runner(partitions=[])", "call = runner.call", "", "", "def get_args():",
              "    from torch._dynamo.testing import rand_strided"]
    lines += ["    %s = rand_strided(%s, %s, device='%s', dtype=torch.float32)"
              % (name, _sizes(shape), _strides(shape), graph.device)
              for name, _, _, shape in graph.inputs if shape is not None]
    lines += ["    return [%s]" % ", ".join(names), "", "", 'if __name__ == "__main__":',
              "    from torch._inductor.wrapper_benchmark import compiled_module_main",
              "    compiled_module_main('None', lambda times, repeat: call(get_args()))", ""]
    return "\n".join(lines), kernels


def runnable(graph, environment):
    """fx_graph_runnable: the repro script, with the graph as plain code."""
    cuda = graph.device != "cpu"
    lines = ["", "import os"]
    lines += ["os.environ['%s'] = '%s'" % item for item in environment]
    lines += ["", "import torch", "from torch import tensor, device", "import torch.fx as fx",
              "from torch._dynamo.testing import rand_strided", "from math import inf",
              "import torch._inductor.inductor_prims", "", "import torch._dynamo.config",
              "import torch._inductor.config", "import torch._functorch.config", "",
              "torch._functorch.config.functionalize_rng_ops = False",
              "torch._functorch.config.unlift_effect_tokens = True", "",
              "isolate_fails_code_str = None", "",
              "# torch version: " + words.PYTORCH_VERSION,
              "# torch git version: " + words.PYTORCH_COMMIT, "",
              "torch._higher_order_ops.triton_kernel_wrap.kernel_side_table.reset_table()", "",
              "from torch.nn import *", "class Repro(torch.nn.Module):",
              "    def __init__(self) -> None:", "        super().__init__()", "",
              "    def forward(self, %s):" % ", ".join(name for name, _, _, _ in graph.inputs)]
    lines += plain_body(graph.statements, "        ")
    lines += ["        return " + returned(graph), "",
              "def load_args(reader):"]
    number = 0
    for name, _, _, shape in graph.inputs:
        if shape is None:
            lines.append("    reader.symint(%d)  # %s" % (number + 2, name))
            continue
        lines += ["    buf%d = reader.storage(None, %d%s)"
                  % (number, numel(shape) * 4, ", device=device(type='cuda', index=0)"
                     if cuda else ""),
                  "    reader.tensor(buf%d, (%s,), is_leaf=True)  # %s"
                  % (number, join(shape), name)]
        number += 1
    lines += ["load_args._version = 0", "mod = Repro()", "if __name__ == '__main__':",
              "    from torch._dynamo.repro.after_aot import run_repro",
              "    with torch.no_grad():",
              "        run_repro(mod, load_args, accuracy=False, command='run')"]
    return "\n".join(lines) + "\n"


ALIAS_FIELDS = ("mutates_data={m}", "mutates_metadata=False",
                "mutations_hidden_from_autograd=True",
                "mutations_under_no_grad_or_inference_mode=False",
                "mutation_inductor_storage_resize=False", "mutates_storage_metadata=False",
                "requires_grad={g}", "keep_input_mutations=True")


def forward_metadata(inputs, joint):
    """aot_forward_graph_fw_metadata: a dataclass printed field by field, very repetitive.

    `joint` is the joint graph, or None for inference."""
    training = joint is not None
    tangent = "FakeTensor(..., size=(%s))" % join(joint.inputs[-1][3]) if training else ""
    joint = ",\n" + " " * 46
    alias = {grad: "InputAliasInfo(is_leaf=True" + joint + joint.join(ALIAS_FIELDS).format(
        m=False, g=grad) + ")" for grad in (True, False)}
    plain = "PlainTensorMeta(unwrapped_idx=%d,\n" + " " * 54 + "memory_format=None)"
    field = ",\n" + " " * 20
    several = ",\n" + " " * 38
    output = ("OutputAliasInfo(output_type=<OutputType.non_alias: 1>,\n" + " " * 48
              + "raw_type=<class 'torch._subclasses.functional_tensor.FunctionalTensor'>,\n"
              + " " * 48 + "base_idx=None,\n" + " " * 48 + "dynamic_dims=set(),\n" + " " * 48
              + "requires_grad=%s)" % training)
    fields = ["input_info=[" + (",\n" + " " * 31).join(alias[i.requires_grad] for i in inputs) + "]",
              "output_info=[" + output + "]",
              "num_intermediate_bases=0", "keep_input_mutations=True",
              "traced_tangents=[%s]" % tangent,
              "subclass_inp_meta=[" + several.join(plain % i for i in range(len(inputs))) + "]",
              "subclass_fw_graph_out_meta=[" + plain % 0 + "]",
              "num_symints_saved_for_bw=%s" % (0 if training else None),
              "deterministic=False",
              "static_input_indices=[%s]" % ", ".join(
                  str(i) for i, item in enumerate(inputs) if item.parameter),
              "tokens={}", "num_backward_tokens=0", "graphsafe_rng_state_index=None"]
    return "ViewAndMutationMeta(" + field.join(fields) + ")"


# Python that AOTAutograd generates to run a compiled function. In a real trace as well, these are
# the same text compile after compile.
RUNTIME_TEXTS = {
    "backward_prologue": """def _backward_prologue(saved_tensors, symints, opaque_objects, flat_args):
    _state = torch._C._functorch.peek_interpreter_stack()
    torch._check(_state is None, lambda: "a compiled backward ran inside of a functional transform")
    _deterministic = torch.are_deterministic_algorithms_enabled()
    torch._check(not _deterministic, lambda: "deterministic mode changed since the forward ran")
    if len(flat_args) != 1:
        raise AssertionError(f"expected 1 grad_outs, got {len(flat_args)}")
    _grads = [flat_args[0]]
    flat_args.clear()
    all_args = [*symints, *saved_tensors, *opaque_objects, *_grads]
    _first = len(symints) + len(saved_tensors) + len(opaque_objects)
    for j in range(1):
        all_args[_first + j] = _process_tangent_(all_args[_first + j], _tangent_metas_[j], j)[0]
    return all_args
""",
    "backward_epilogue": "def _backward_epilogue(out):\n    return tuple(out)\n",
    "compiled_function_forward": """def _compiled_forward(ctx, args, _save_, _finalize_, _fw_):
    outs = list(_fw_(list(args)))
    _save_(ctx, outs)
    return _finalize_(ctx, outs)
""",
    "compiled_function_backward": """def _compiled_backward(_args_, _ctx_, _prologue_, _impl_, _epilogue_):
    if len(_args_) != 1 or not isinstance(_args_[0], list):
        raise AssertionError("grads come as one list, so that each can be freed on its own")
    all_args = _prologue_(_ctx_.saved_tensors, _ctx_.symints, _ctx_.opaque_objects, _args_[0])
    def run():
        return _epilogue_(_impl_(_ctx_, all_args))
    if torch.is_grad_enabled():
        return _double_(_ctx_, run, all_args)
    return run()
""",
    "compiled_fn_wrapper": "def _transform_raw_returns(raw):\n    return []\n",
}


def orchestration(training):
    """runtime_wrapper_orchestration, which differs between training and inference."""
    lines = ["def _runtime_wrapper(_compiled_fn_, _first_ctx_, _on_before_call_, args):",
             "    with _first_ctx_():"]
    if training:
        lines += ["        with torch.enable_grad():", "            _on_before_call_()",
                  "            outs = list(_compiled_fn_(list(args)))"]
    else:
        lines += ["        with torch.no_grad():", "            _on_before_call_()",
                  "            outs = list(_compiled_fn_(args))"]
    return "\n".join(lines + ["    del args", "    if len(outs) != 1:",
                              '        raise AssertionError(f"expected 1 outputs, got {len(outs)}")',
                              "    return outs", ""])
