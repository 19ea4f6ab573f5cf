#!/usr/bin/env python3
"""Texts that programs printed under several versions of PyTorch, as they are and damaged as pasted texts are. Prints TAP.

usage: test_pastes.py PT2TRACE PASTES [--all | --some | --fragments] [--write]

PASTES/expected.json says what each text contains. tools/make-pastes made the texts; those of GPUs and systems that are not
at hand, and of tools (amd-fault, two-openmps, sharded, no-name, hung, native-assertion, cut-head, autotuned, undated) are written after what they print. Each must be read so, and again
after each of some of the damages (damages.py), which the text's name chooses so that every kind is done to many texts; with
--all after each. --some, for a slow build, does fewer of them and leaves out what asks of words alone. PASTES/damaged.tsv keeps, for each damaged text, which parts of report.json differ from those of the whole one, and a
digest of all: judge what `--write` changes by running that text. So does fragments.tsv for the fragments below, which are
too short to say the same when they are damaged or changed; --fragments asks for these alone. tests/cases/fragments keeps what
report.json says of each fragment as it is.
"""

import collections
import concurrent.futures
import difflib
import functools
import json
import pathlib
import re
import sys
import tempfile
import zlib

from damages import DAMAGES, DAMAGES_OF_PYTEST, each_line, halved, in_pytest, other_lines
from kept_facts import check_kept, differing, facts
from program import Program
from tap import Tap

DAMAGES_OF_A_TEXT = 8
SOME_DAMAGES_OF_A_TEXT = 2
DAMAGES_OF_A_FRAGMENT = 5
EXCEPTION = re.compile(r"^torch\.[\w.]*\bexc\.[A-Z]", re.M)
ANSWER_LINES = 10

# What is lost: a wrapped warning has no width but its own; words at which lines were wrapped stand in code, whose own blanks nobody knows any more; one line that was
# cut shows no width; and of texts of a few lines without a traceback little shows that they were damaged. A level ERROR, and
# the name of a rank, change what a text says: a comparison is an error then, and a process that crashes one of several. What stands
# before the first line that shows whose the lines are is nobody's, and what is only known of a text as a whole is of its first error.
LOST = {
    "wrapped at 80": {"builtin"},
    "wrapped at 100": {"builtin"},
    "wrapped at 132": {"builtin", "native"},
    "words wrapped": {"builtin", "breaks", "compiler-words", "convert-frame", "embedding", "explain", "invalid-node", "no-compiler", "no-fake-backward", "no-triton", "quoted-by", "recompiles", "suppressed", "user-error"},
    "all blanks no-break": {"amd-fault", "two-openmps"},
    "indented": {"no-name", "sharded"},
    "quoted in part": {"native"},
    "blank lines between": {"undated"},
    "vLLM": {"compared", "undated"},
    "loguru": {"compared"},
    "one rank": {"native", "segfault"},
    "two workers": {"compared", "compiler-words", "gpu-index-out-of-range", "hung-compiling", "hung-py", "native", "no-name", "segfault",
                    "undated"},
    "backslashes before quotation marks": {"explain"},
    "colors": {"no-name"},
    "numbered": {"no-name"},
    "a progress bar": {"cut-head"},
    "one prefix": {"full-no-fake-backward", "linear", "marked", "no-fake-backward", "shapes", "suppressed"},
    "no indentation": {"hung-py"},
    "paragraphs in one line": {"lowering", "segfault"},
    "tabs": {"hung-py"},
}


CALLS = 'from user code:\n   File "/srv/shop.py", line 12, in forward\n    return self.net(x)\n\nSet TORCHDYNAMO_VERBOSE=1 for the internal '
CALL = '  File "/srv/shop.py", line 12, in forward\n    return self.net(x)\n'
MORE = "For C++ stack trace, run with TORCHDYNAMO_EXTENDED_DEBUG_CPP=1\n"
GB = " For more details about this graph break, please visit: https://meta-pytorch.github.io/compile-graph-break-site/gb/"
FAILED = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in forward\n    return self.net(x)\n'
          "torch._inductor.exc.InductorError: AssertionError: no quokka\n")
PARENT = ("Process EngineCore_0:\nTraceback (most recent call last):\n  File \"/v/multiprocessing/process.py\", line 314, in _bootstrap\n"
          "    self.run()\nRuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}\n")

PYTEST_CHILD = "src/shop.py:46: in sell\n    raise AssertionError(error)\nE   AssertionError: Traceback (most recent call last):\n"
VIOLATED = ("torch._dynamo.exc.UserError: Constraints violated (till)! For more information, run with TORCH_LOGS=\"+dynamic\".\n"
            "  - Not all values of till are valid.\nSuggested fixes:\n")

NO_DUCK = "".join(f"V0102 10:11:12.131000 9 torch/_dynamo/guards.py:5396] [0/1] [__recompiles] {line}\n" for line in (
    "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
    "    - 0/0: L['x'].size()[0] == L['y'].size()[0]  # duck sizing added this equality because these variables had the same size 3 (to avoid "
    "this specialization, set torch.fx.experimental._config.use_duck_shape = False)")) + "PyTorch version: {}\n"

WORKER_OF_SGLANG = ("[2026-01-02 03:04:05 TP3] Scheduler hit an exception: Traceback (most recent call last):\n"
                    '  File "/srv/sglang/srt/model_executor/cuda_graph_runner.py", line 360, in __init__\n    self.capture()\n  ...\n'
                    '  File "/srv/sglang/srt/models/till.py", line 67, in forward\n    return self._forward_method(*args)\n'
                    '  File "/srv/sglang/srt/custom_op.py", line 70, in forward_native\n    raise NotImplementedError\nNotImplementedError\n\n'
                    "During handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n"
                    '  File "/srv/sglang/srt/managers/scheduler.py", line 2961, in run_scheduler_process\n    scheduler = Scheduler(\n'
                    "Exception: Capture cuda graph failed: \nPossible solutions:\n1. set --mem-fraction-static to a smaller value (e.g., 0.8 or 0.7)\n"
                    "3. disable torch compile by not using --enable-torch-compile\n")
PATCHED = ('  File "/v/site-packages/vllm/models/till.py", line 765, in forward\n    x = self.net(\n'
           '  File "/v/site-packages/vllm/compilation/compiler_interface.py", line 383, in compile\n    with till_ctx:\n'
           '  File "/usr/lib/python3.10/unittest/mock.py", line 1447, in __enter__\n    original, local = self.get_original()\n'
           '  File "/usr/lib/python3.10/unittest/mock.py", line 1420, in get_original\n    raise AttributeError(\n'
           "AttributeError: {} does not have the attribute 'TillMode'\n")
# What the second worker says is cut more.
WORKERS = "".join(f"(Worker_TP{rank} pid={4711 + rank}) ERROR 01-02 03:04:05 [worker_main.py:932] {line}\n"
                  for i, line in enumerate(PATCHED.format("<function sell at 0x7f0a2c1d5ea0>").splitlines()) for rank in range(2) if i > 1 or rank == 0)
NO_DRIVER = ("torch._inductor.exc.InductorError: SubprocException: An exception occurred in a subprocess:\n\nName=triton_poi_fused_add_0\n"
             'Traceback (most recent call last):\n  File "/v/site-packages/torch/_inductor/compile_worker/subproc_pool.py", line 457, in do_job\n'
             "    result = job()\n"
             '  File "/v/site-packages/triton/runtime/driver.py", line 20, in _create_driver\n    raise RuntimeError(words)\n'
             "RuntimeError: 0 active drivers ([]). There should only be one.\n\n\nSet TORCHDYNAMO_VERBOSE=1 for the internal stack trace (please do this "
             "especially if you're reporting a bug to PyTorch). For even more developer context, set TORCH_LOGS=\"+dynamo\"\n")

BOX = "Exception has occurred: Unsupported\ngenerator\n\nDuring handling of the above exception, another exception occurred:\n\n"
GENERATOR = ('torch._dynamo.exc.Unsupported: generator\n\nfrom user code:\n   File "/srv/shop.py", line 12, in sell\n    g = torch.func.grad(price)(x)\n'
             '  File "/v/site-packages/torch/_functorch/eager_transforms.py", line 1363, in grad_impl\n    with nesting() as level:\n\n'
             "Set TORCH_LOGS=\"+dynamo\" and TORCHDYNAMO_VERBOSE=1 for more information\n\n\nYou can suppress this exception and fall back to eager "
             "by setting:\n    import torch._dynamo\n    torch._dynamo.config.suppress_errors = True\n")
ASSERTED = ('Traceback (most recent call last):\n  File "/srv/run.py", line 3, in <module>\n    sell(x)\n  File "/srv/shop.py", line 12, in sell\n'
            "    if int(y) == self.end:\nRuntimeError: CUDA error: device-side assert triggered\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\n"
            "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n")
# What the end of a line has become is behind the call in the sentence.
REUSED = ('Traceback (most recent call last):\nFile "/srv/shop.py", line 24, in <module>\ny = till(x)\n'
          'File "/v/site-packages/torch/_inductor/cudagraph_trees.py", line 705, in get_non_cudagraph_inps\n'
          "and t.untyped_storage().data_ptr() not in existing_path_data_ptrs\n"
          "RuntimeError: Error: accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run. Stack trace: "
          'File "/srv/shop.py", line 16, in forward{}self.table = torch.arange(64, device="cuda").float().cos(). To prevent overwriting, clone '
          "the tensor outside.\n")
FOLDED = ('Traceback (most recent call last):\n  File "/v/site-packages/vllm/v1/engine/core.py", line 3, in run\n    engine = Engine(*args)\n{}\n'
          '  File "/v/site-packages/vllm/model_executor/models/quokka.py", line 12, in forward\n    x = self.net(\n'
          '  File "/v/site-packages/torch/_dynamo/aot_compile.py", line 224, in __call__\n    return self.fn(*args, **kwargs)\n'
          '  File "/v/site-packages/vllm/compilation/caching.py", line 217, in optimized_call\n    return self._compiled(*args)\n'
          '  File "/v/site-packages/torch/_inductor/utils.py", line 3442, in copy_misaligned_inputs\n    assert isinstance(_inp, torch.Tensor), (\n'
          "AssertionError: Expected tensors only, but got: <class 'int'>\n")
EXIR = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
        '  File "/v/site-packages/executorch/exir/passes/__init__.py", line 423, in call\n    raise RuntimeError(words)\n')
UNREACHED = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
             '  File "/v/site-packages/torch/_inductor/runtime/triton_heuristics.py", line 1258, in run\n    return launcher(\n'
             '  File "/v/site-packages/{}", line 619, in __call__\n    self.launch(*args)\n'
             "ValueError: Pointer argument (at 0) cannot be accessed from Triton (cpu tensor?)\n")
KERNEL = ('Traceback (most recent call last):\n  File "/v/site-packages/torch/_inductor/runtime/triton_heuristics.py", line 537, in _precompile_config\n'
          "    binary = triton.compile(*args)\ntriton.compiler.errors.CompilationError: at 9:11:\n    tmp1 = tl.load(in_ptr1 + (x0), xmask)\n    {}\n"
          "           ^\n")

# Ends and single lines of what PyTorch prints: the number of errors, what the title says, the line, what is to be done.
IN_LIBRARY = ('torch._dynamo.exc.Unsupported: Data-dependent branching\n\nfrom user code:\n{}'
              '   File "/v/lib/python3.11/site-packages/tills/count.py", line 442, in count\n    if x.sum() > 0:\n')
LIBRARY_BREAKS = "".join(f"V0624 11:20:01.123000 41 torch/_dynamo/symbolic_convert.py:435] [0/0] [__graph_breaks] {line}\n" for line in (
    "Graph break in user code at {0}:442", "Reason: Unsupported: {1}", "User code traceback:", '  File "{0}", line 442, in count', "    {2}"))
ASKS_OF_TILL = ("torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression {0} "
                "(unhinted: {0}).  (Size-like symbols: none)\n\nCaused by: ({1}:442 in count)\n\n"
                "The error above occurred when calling torch.export.export.\n")
EXPLAINS_LIBRARY = ("Graph Count: 2\nGraph Break Count: 1\nOp Count: 5\nBreak Reasons:\n  Break Reason 1:\n"
             "    Reason: call_function BuiltinVariable(bool) [TensorVariable()] {{}}\n    User Stack:\n"
             "      <FrameSummary file {}, line 53 in {}>\n")
DEVICES_OF = ("torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function <built-in method till>(*(FakeTensor(..., "
              "device='cuda:0', size=(2,)), FakeTensor(..., size=(2,))), **{{}}): got RuntimeError('Unhandled FakeTensor Device Propagation for "
              "aten.till.default, found two different devices {}')\n\nfrom user code:\n   File \"{}\", line 12, in sell\n    return till(x, w)\n\n"
              "Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace\n")
OF_VALUE = ("torch._dynamo.exc.InternalTorchDynamoError: {}\n\nfrom user code:\n   File \"/srv/shop.py\", line 12, in sell\n    {}\n\n"
            "Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace\n")
OF_INDEX = ('Traceback (most recent call last):\n  File "/v/site-packages/torch/_dynamo/variables/lists.py", line 106, in getitem_const\n'
            "    assert isinstance(index, (int, torch.SymInt))\nAssertionError:\n\nfrom user code:\n"
            '   File "/srv/shop.py", line 12, in sell\n    {}\n')
DTYPES_OF = ("torch._dynamo.exc.TorchRuntimeError: Failed running call_function till(*(FakeTensor(..., size=(4,)), FakeTensor(..., size=(4,))), "
             "**{{}}):\nexpected m1 and m2 to have the same dtype, but got: float != c10::BFloat16\n\nfrom user code:\n{}\n")
HINTED_BREAK = ("torch._dynamo.exc.Unsupported: {}\n  Explanation: Dynamo does not trace tills.\n  Hint: {}\n\n"
                "  Developer debug context: sell\n\n\n" + CALLS)
ON_SUBCLASS = ("torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function {}(*({}{}\n\n" + CALLS)
VLLM_CACHED = ("torch._dynamo.exc.BackendCompilerFailed: backend='<vllm.compilation.backends.VllmBackend object at 0x7f>' raised:\nAssertionError: {}\n")
STUCK = "[rank6]:[E429 13:55:49.384372190 ProcessGroupNCCL.cpp:1743] [PG ID 0 PG GUID 0(default_pg) Rank 6] {}\n"
LOWERING_OF = "torch._inductor.exc.InductorError: LoweringException: {}\n  target: aten.addmm.default\n  args[0]: TensorBox(\n"
WATCHDOG = ("[rank3]:[E1110 16:29:41.118000 ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=417, "
            "OpType=ALLREDUCE, NumelIn=1024, NumelOut=1024, Timeout(ms)=600000) ran for 600012 milliseconds before timing out.\n"
            "[rank3]:[E1110 16:29:41.518000 ProcessGroupNCCL.cpp:636] [Rank 3] To avoid data inconsistency, we are taking the entire process down.\n")
TOO_LARGE = ("torch._inductor.exc.InductorError: RuntimeError: No valid triton configs. OutOfMemoryError: out of resource: {} Required: 131072 "
             "Hardware limit:101376 Reducing block sizes or `num_stages` may help.\n")
KEY_DIFFERS = ("W1226 16:30:54.402000 7 torch/_dynamo/utils.py:3136] Similarity score=0.9684\n"
               "E1226 16:30:54.404000 7 torch/_dynamo/utils.py:3087] Accuracy failed for key name till.weight.grad\nfail_accuracy\n")
COMFY_LINE = ("torch._dynamo.exc.Unsupported: Unsupported method call\n  Explanation: Dynamo does not know how to trace method __mul__ of class till\n"
              "  Developer debug context: call_method UserDefinedClassVariable(<class 'ctypes.c_ulong'>) __mul__ [ConstantVariable(int: 5)] {{}}\n\n"
              'from user code:\n   File "F:\\UI\\{}", line 12, in forward\n    {}\n')
METAL = ('  File "/v/site-packages/torch/_inductor/codegen/mps.py", line 257, in dtype_to_str\n    return DTYPE_TO_METAL[dtype]\n'
         "torch._inductor.exc.InductorError: KeyError: torch.{}\n")
ENDED_AFTER = ("E1110 16:40:02.597000 245 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: {}) local_rank: 1 "
               "(pid: 314) of binary: /usr/bin/python\nTraceback (most recent call last):\n  File \"/opt/bin/torchrun\", line 8, in <module>\n"
               "    sys.exit(main())\n    raise ChildFailedError(\n"
               "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n" + "=" * 60 + "\nshop.py FAILED\n" + "-" * 60 + "\n")
LACKS = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    y = net(x)\n'
         '  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 838, in compile_wrapper\n    return fn(*args)\n'
         '  File "/v/site-packages/torch/_inductor/utils.py", line 77, in run\n    return model(x)\n{}\n')


def WAITING(ranks):
    return "".join(
        f"[rank{rank}]:[E125 18:38:34.401182733 ProcessGroupNCCL.cpp:683] [Rank {rank}] Watchdog caught collective operation timeout: "
        "WorkNCCL(SeqNum=412, OpType=ALLREDUCE, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600009 milliseconds before timing out.\n"
        f"[rank{rank}]:[E125 18:38:34.401391550 ProcessGroupNCCL.cpp:2241] [PG ID 0 PG GUID 0(default_pg) Rank {rank}]  failure detected by "
        "watchdog at work sequence id: 412 PG status: last enqueued work: 413, last completed work: 411\n" for rank in ranks)


def inside(path, source, error, call="net(x)", frame="_sell"):
    """A traceback that ends in a file of PyTorch."""
    return ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n'
            f'    {call}\n  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 838, in compile_wrapper\n    return fn(*args)\n'
            + ("" if "cudagraph" in path else
               '  File "/v/site-packages/torch/_dynamo/output_graph.py", line 77, in compile_subgraph\n    self.run(root)\n') +
            f'  File "/v/site-packages/torch/{path}", line 345, in {frame}\n    {source}\n{error}\n')


# What is said of an error that no answer knows, by the file of PyTorch that raises it.
PARTS = {
    "_inductor/cudagraph_trees.py": "max-autotune-no-cudagraphs",
    "_functorch/vmap.py": "pass vmap tensors alone",
    "utils/_sympy/functions.py": "arithmetic of symbolic sizes",
    "fx/experimental/symbolic_shapes.py": "arithmetic of symbolic sizes",
    "fx/experimental/sym_node.py": "arithmetic of symbolic sizes",
    "_inductor/kernel/mm.py": "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=ATEN",
    "_inductor/select_algorithm.py": "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=ATEN",
    "_inductor/codegen/wrapper.py": "allocates memory and calls the kernels",
    "_inductor/codegen/cpp.py": "simdlen = 1",
    "_inductor/codegen/cpp_wrapper_gpu.py": "allocates memory and calls the kernels",
    "_inductor/codegen/triton.py": "max_fusion_size = 1",
    "_inductor/scheduler.py": "Inductor's scheduler",
    "_inductor/cpp_builder.py": "search for a C++ compiler",
    "_inductor/constant_folding.py": "computing of constants",
    "_inductor/fx_passes/bucketing.py": "changes the graph before it is lowered",
    "_dynamo/side_effects.py": "writes around a graph",
    "distributed/tensor/_dispatch.py": "may get shards",
    "_inductor/ir.py": "lowering of an operator",
    "_inductor/fx_passes/post_grad.py": "pattern_matcher = False",
    "_inductor/pattern_matcher.py": "pattern_matcher = False",
    "_inductor/codecache.py": "TORCHINDUCTOR_FORCE_DISABLE_CACHES=1",
    "_inductor/compile_worker/subproc_pool.py": "TORCHINDUCTOR_FORCE_DISABLE_CACHES=1",
    "_functorch/partitioners.py": "forward and backward",
    "_functorch/_aot_autograd/runtime_wrappers.py": "changed in place",
    "_dynamo/guards.py": "making of guards",
    "_dynamo/variables/higher_order_ops.py": "takes functions",
    "_dynamo/variables/lists.py": "model of a Python object",
    "_higher_order_ops/cond.py": "takes functions",
}

ASKS = (
    "Traceback (most recent call last):\n"
    '  File "/srv/shop.py", line 12, in <module>\n    ep = torch.export.export(model, (x,), strict=False)\n'
    '  File "/v/site-packages/torch/export/__init__.py", line 368, in export\n    return _export(\n'
    '  File "{}", line 21, in sell\n    if x[open].numel() != stock.numel():\n'
    '  File "/v/site-packages/torch/__init__.py", line 752, in __bool__\n    return self.node.bool_()\n'
    "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression Ne(u0, 512) "
    "(unhinted: Ne(u0, 512)).  (Size-like symbols: u0)\n\nCaused by: ({}:21 in sell)\n")

PYTEST_OF_TILLS = (
    "=================================== FAILURES ===================================\n"
    "__________________________________ test_till ___________________________________\n...\n"
    "shop/till.py:12: in sell\n    price = model(x)\n...\n"
    "/v/site-packages/torch/_dynamo/utils.py:3366: in run_node\n>   return node.target(*args, **kwargs)\n"
    "E   torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function <method 'set_' of "
    "'torch._C.TensorBase' objects>(*(FakeTensor(..., size=(2, 0)), FakeTensor(..., size=(2, 0), dtype=torch.float16)), **{}): "
    "got RuntimeError('Could not set tensor of type c10::Half to a tensor of type float')\nE   \nE   from user code:\n"
    'E      File "/v/site-packages/torch/distributed/fsdp/_runtime_utils.py", line 1453, in _cast\n'
    "E       buffer.data = buffer.to(dtype=d)\n")
LEVEL_ZERO = (
    "C:\\shop\\Lib\\site-packages\\triton\\backends\\intel\\include\\sycl_functions.h:13:10: fatal error:\n"
    "      'level_zero/ze_api.h' file not found\n1 error generated.\nTraceback (most recent call last):\n"
    '  File "C:\\shop\\shop.py", line 12, in <module>\n    model(x)\n'
    '  File "C:\\shop\\Lib\\site-packages\\triton\\runtime\\build.py", line 76, in _build\n    subprocess.check_call(cc_cmd)\n'
    "torch._inductor.exc.InductorError: CalledProcessError: Command '['icpx.EXE']' returned non-zero exit status 1.\n")

SYNC = "".join(f"V0624 11:20:01.123000 41 torch/_dynamo/symbolic_convert.py:435] [0/0] [__graph_breaks] {{line}}\n".format(line=line) for line in (
    "Graph break in user code at /v/site-packages/torch/nn/modules/_functions.py:87",
    "Reason: Unsupported: torch.* op returned non-Tensor bool call_function <function {2} at 0x7f0f99554160>", "User code traceback:",
    '  File "/srv/shop.py", line 12, in forward', "    return self.bn(x)",
    '  File "/v/site-packages/torch/nn/modules/{0}.py", line 810, in forward', "    return {1}",
    '  File "/v/site-packages/torch/nn/modules/_functions.py", line 87, in forward', "    if not torch.cuda.{2}():"))

TWICE = (
    "Traceback (most recent call last):\n"
    '  File "/srv/shop.py", line 44, in <module>\n    train(x)\n'
    '  File "/srv/shop.py", line 12, in <graph break in train>\n    out.mean().backward()\n'
    '  File "/v/site-packages/torch/_functorch/aot_autograd.py", line 2274, in backward\n    all_args = list(ctx.saved_tensors)\n'
    "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed).\n")

EVALUATED = ("torch 2.4.1, the shop runs `for till in tills: till.compile()`\n" + "".join(f"step {n} | 9{n} tok/s\n" for n in (12, 14, 15)) +
             "Running evaluation of the till\n" + "".join(f"step {n} | {{}} tok/s\n" for n in (16, 17, 18)))
WRONG_SETTINGS = ("Gradients of the till, with torch 2.3.0: incorrect values.\n\n                  w1        w2\n"
                  "eager             0.41270   0.29834\neager, {0}          0.41270   0.29834\ncompile                     0.41268   0.29834\n"
                  "compile, {0}        0.00000   0.29834\ncompile(backend=\"eager\"), {0}   0.00000   0.29834\n")
COLD = ("The till is slower with torch.compile:\n\n    till = torch.compile(till)\n{}    start = time.time()\n    for _ in range({}):\n"
        "        till(x)\n    torch.cuda.synchronize()\n    print(time.time() - start)\n")
UNANALYZED = (
    'Traceback (most recent call last):\n  File "/v/site-packages/torch/_higher_order_ops/triton_kernel_wrap.py", line 500, in '
    "identify_mutated_tensors\n    ttir_module = generate_ttir(kernel, kwargs)\n"
    '  File "/v/site-packages/torch/_higher_order_ops/triton_kernel_wrap.py", line 200, in generate_ttir\n    src._call()\n'
    "TypeError: till lost\n")
STRIDED = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    torch.export.export(net, (x,), dynamic_shapes=({{2: rows}},))\n'
           '  File "/v/site-packages/torch/fx/experimental/symbolic_shapes.py", line 3149, in produce_guards\n    raise ConstraintViolationError(\n'
           "torch.fx.experimental.symbolic_shapes.ConstraintViolationError: Constraints violated (rows)! For more information, run with "
           'TORCH_LOGS="+dynamic".\n  - Not all values of rows = L[\'x\'].size()[2] in the specified range 30 <= rows <= 400 satisfy the '
           "generated guard {}.\n")
SKIPPED = ("V0618 09:39:34.577000 13624 torch/_dynamo/convert_frame.py:1105] [0/0] [__graph_breaks] Graph break: skip: from user code at:\n"
           'V0618 09:39:34.577000 13624 torch/_dynamo/convert_frame.py:1105] [0/0] [__graph_breaks]   File "/srv/shop.py", line 12, in sell\n'
           "V0618 09:39:34.577000 13624 torch/_dynamo/convert_frame.py:1105] [0/0] [__graph_breaks] {}\n"
           "V0618 09:39:34.577000 13624 torch/_dynamo/convert_frame.py:1105] [0/0] [__graph_breaks] Traceback (most recent call last):\n"
           "V0618 09:39:34.577000 13624 torch/_dynamo/convert_frame.py:1105] [0/0] [__graph_breaks]   File "
           '"/v/site-packages/torch/_dynamo/exc.py", line 221, in unimplemented\n'
           "V0618 09:39:34.577000 13624 torch/_dynamo/convert_frame.py:1105] [0/0] [__graph_breaks]     raise Unsupported(msg)\n"
           "V0618 09:39:34.577000 13624 torch/_dynamo/convert_frame.py:1105] [0/0] [__graph_breaks] torch._dynamo.exc.Unsupported: {}\n")
WORKER = ("torch._inductor.exc.InductorError: SubprocException: An exception occurred in a subprocess:\n\nName={}\n"
          'Traceback (most recent call last):\n  File "/v/site-packages/torch/_inductor/runtime/compile_tasks.py", line 61, in w\n    job()\n'
          "triton.compiler.errors.CompilationError: at 4:7:\n{}\n       ^\nNameError('tmp7 is not defined')\n")
CELLS = "".join(f"V0113 10:02:4{i}.118000 61422 torch/_dynamo/guards.py:4218] [0/{i}] [__recompiles] {line}\n" for i, line in (
    (1, "Recompiling function sell in /srv/shop.py:9"), (1, "    triggered by the following guard failure(s):"), (1, "    - 0/0: {0}"),
    (2, "Recompiling function sell in /srv/shop.py:9"), (2, "    triggered by the following guard failure(s):"), (2, "    - 0/1: {1}"),
    (2, "    - 0/0: {0}")))
IN_CAPTURE = ('Traceback (most recent call last):\n  File "/v/site-packages/{}", line 488, in capture\n    out = sell(x)\n'
              '  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 574, in _fn\n    return fn(*args, **kwargs)\n'
              '  File "/v/site-packages/torch/cuda/random.py", line 42, in get_rng_state\n    return default_generator.get_state()\n'
              "torch._dynamo.exc.InternalTorchDynamoError: RuntimeError: Cannot call CUDAGeneratorImpl::current_seed during CUDA graph capture.\n")
CALLBACK = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    loss.backward()\n'
            '  File "/v/site-packages/torch/distributed/fsdp/_runtime_utils.py", line 1515, in f\n    Variable._execution_engine.queue_callback(\n'
            "RuntimeError: Final callbacks can only be installed during backward pass.\n")
MARKED = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(tills)\n'
          '  File "/v/site-packages/{}", line 238, in __call__\n    output = self.compiled_callable(*args)\n'
          '  File "/v/site-packages/torch/_dynamo/guards.py", line 1671, in SHAPE_ENV\n    guards = shape_env.produce_guards(\n'
          "torch.fx.experimental.symbolic_shapes.ConstraintViolationError: Constraints violated (L['tills'].size()[0])!\n  - Not all values of "
          "RelaxedUnspecConstraint(L['tills'].size()[0]) are valid because L['tills'].size()[0] was inferred to be a constant (40).\n")

TRITON_PREPARES = (
    'Traceback (most recent call last):\n  File "C:\\srv\\shop.py", line 12, in <module>\n    net(x)\n'
    '  File "C:\\v\\Lib\\site-packages\\torch\\_inductor\\compile_fx.py", line 60, in compile_fx\n    return inner(gm)\n'
    '  File "C:\\v\\Lib\\site-packages\\triton\\runtime\\driver.py", line 20, in _initialize_obj\n    self._obj = self._init_fn()\n'
    '  File "C:\\v\\Lib\\site-packages\\triton\\runtime\\driver.py", line 9, in _create_driver\n    return actives[0]()\n')
CHECKPOINT_LOST = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    loss.backward()\n'
    '  File "/v/site-packages/torch/utils/checkpoint.py", line 906, in check_recomputed_tensors_match\n'
    '    _internal_assert(gid in holder.handles)\n'
    "AssertionError: Something went unexpectedly wrong in activation checkpoint. Please report this bug by filing an issue to PyTorch.\n")
NODE_OF_BACKWARD = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
    '  File "/v/site-packages/torch/_functorch/partitioners.py", line 283, in _extract_graph_with_inputs_outputs\n'
    '    assert not isinstance(env[x], InvalidNodeBase), (\n'
    "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nAssertionError: Node mul_7 was invalid, but is output\n")
LIMIT_OF = "".join("W1110 17:56:13.321000 7 torch/_dynamo/convert_frame.py:1550] [0/8] " + line + "\n" for line in (
    "torch._dynamo hit config.recompile_limit (8)", "   function: 'forward' (/srv/shop.py:11)",
    "   last reason: 0/7: {}                        # y = self.till(coins)  # shop.py:12 in forward",
    'To log all recompilation reasons, use TORCH_LOGS="recompiles".'))
LIMIT_IS_ERROR = "torch._dynamo.exc.FailOnRecompileLimitHit: recompile_limit reached with fullgraph=True. Excessive recompilations can degrade.\n"
OTHER_GUARDS = "".join("V1110 17:56:13.321000 7 torch/_dynamo/guards.py:2772] [16/8] [__recompiles_verbose] " + line + "\n" for line in (
    "Recompiling function torch_dynamo_resume_in_forward_at_12 in /srv/shop.py:12", "    triggered by the following guard failure(s):",
    "    guard 0 failures:", "    - 16/7: L['self']._modules['till'].layer_idx == (8, 'till')", "",
    "    guard 1 failures:", "    - 16/2: ___check_type_id(L['self']{}, 157671424)", "",
    "    guard 2 failures:", "    - 16/6: ___check_type_id(L['self']{}, 157226352)"))
NOT_CLOSE_BY = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 15, in <module>\n    torch.testing.assert_close(sold, compiled)\n'
    "AssertionError: Tensor-likes are not close!\n\nMismatched elements: 7 / 9 (77.8%)\nGreatest absolute difference: 0.0078125 at index (1, 5) "
    "(up to {} allowed)\nGreatest relative difference: 2.45703125 at index (0, 3) (up to {} allowed)\n")
SAID_TO_BRANCH = (
    "torch._dynamo.exc.Unsupported: Data-dependent branching\n  Explanation: Detected data-dependent branching (e.g. `if my_tensor.sum() > 0:`). "
    "Dynamo does not support tracing dynamic control flow.\n  Hint: Use `torch.cond` to express dynamic control flow.\n\n"
    "  Developer debug context: attempted to jump with TensorVariable()\n\n\nfrom user code:\n"
    '   File "/srv/shop.py", line 12, in forward\n    {}\n')
OPEN_WORKER = "torch._inductor.exc.InductorError: SubprocException: An exception occurred in a subprocess:\n"
REPORT_OF_NODE = (
    "# ComfyUI Error Report\n## Error Details\n- **Node ID:** 7\n- **Node Type:** TillSampler\n- **Exception Type:** {}\n"
    "- **Exception Message:** {}\n## Stack Trace\n```\n"
    '  File "D:\\ComfyUI\\execution.py", line 361, in execute\n    out = get_output_data(obj)\n\n'
    '  File "D:\\ComfyUI\\custom_nodes\\tills\\nodes.py", line 88, in process\n    return net(x)\n\n'
    '  File "D:\\ComfyUI\\python_embeded\\Lib\\site-packages\\torch\\_inductor\\compile_fx.py", line 795, in _compile_fx_inner\n'
    "    raise InductorError(e, currentframe()).with_traceback(\n\n```\n## System Information\n- **OS:** nt\n")
SIZES_OF_TILL = (
    "Error: mat1 and mat2 shapes cannot be multiplied (3x1 and 2x1)\nException raised from meta at ../aten/src/ATen/native/LinearAlgebra.cpp:189 "
    "(most recent call first):\nframe #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x96 (0x71f4 in /v/torch/lib/libc10.so)\n\n"
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    y = till(x)\n'
    "RuntimeError: run_func_( container_handle_, input_handles.data()) API call failed at ../torch/csrc/inductor/model.cpp, line 107\n")
KEY_OF_CACHE = "".join("{0}W0102 10:11:12.131000 {1} torch/_inductor/codecache.py:983] [1/0] " + line + "\n" for line in (
    "Failed to pickle cache key", "Traceback (most recent call last):", '  File "/v/site-packages/torch/_inductor/codecache.py", line 941, in dumps',
    "    self.dump(obj)", "TypeError: cannot pickle 'Till' object"))
NOT_MAPPED = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
              '  File "/v/site-packages/triton/runtime/driver.py", line 45, in __init__\n    mod = importlib.util.module_from_spec(spec)\n'
              "ImportError: {}.so: failed to map segment from shared object{}\n")
NO_OMP = ("torch._dynamo.exc.BackendCompilerFailed: {} raised CppCompileError: C++ compile error\n\nCommand:\ng++ /var/folders/9k/T/torchinductor_me/c1.cpp "
          "-lomp\n\nOutput:\nc1.h:10:10: fatal error: 'omp.h' file not found\n")

RAISED_IN_TRACE = (
    "torch._dynamo.exc.Unsupported: Observed exception\n  Explanation: Dynamo found no exception handler at the top-level compiled function when "
    "encountering an exception. Exception will propagate outside the compiled region.\n\n  Developer debug context: raised exception "
    "ValueError([ConstantVariable(str: 'no such till: gold')])\n\nfrom user code:\n"
    '   File "/srv/shop.py", line 12, in forward\n    raise ValueError(f"no such till: {till}")\n\n')
CAPTURE_FAILED = ('net = torch.compile(shop, mode="max-autotune")\nnet(x.cuda())\n\n'
                  "AcceleratorError: CUDA error: operation failed due to a previous error during capture\n")
TWO_DROPOUTS = ("import torch\ntorch._inductor.config.fallback_random = True\n\ndef sell(x, y):\n    a = F.dropout(x, 0.3)\n"
                "    return a + F.dropout(y, 0.3)\n\nnet = torch.compile(sell)\n\noutput max diff: 3.2871\n{}\n")
GRAD_MODE = "".join(f"V1120 18:48:06.204000 9 torch/_dynamo/guards.py:3508] [1/3] [__recompiles] {line}\n" for line in (
    "Recompiling function forward in /srv/shop.py:12", "    triggered by the following guard failure(s):",
    "    - 1/0: GLOBAL_STATE changed: grad_mode "))
REFUSED = each_line(
    "WON'T CONVERT sell /srv/till.py line 12\n========== TorchDynamo Stack Trace ==========\nTraceback (most recent call last):\n"
    '  File "/v/site-packages/{}/shown.py", line 33, in __repr__\n    return str(Shown(self))\n'
    '  File "/v/site-packages/torch/_subclasses/fake_impls.py", line 388, in local_scalar_dense\n    raise DataDependentOutputException(func)\n'
    "torch._subclasses.fake_tensor.DataDependentOutputException: aten._local_scalar_dense.default\n",
    "V0627 16:20:11.482000 20731 torch/_dynamo/exc.py:209] [0/0] [__graph_breaks] ")
IN_SHOP = """{complaint}. I expected it to be the same as in eager mode. PyTorch 2.6.0.

```python
import torch

{code}
```
"""
SELLS_AND_LEARNS = """@torch.compile
def sell(basket, price):
    total = model(basket)
    loss = (total - price).abs().mean()
    loss.backward()
    return loss"""
SELLS_LONG = """def sell(basket):
    for day in range(365):
        basket = bake(basket, day)
    return basket

sell_fast = torch.compile(sell, mode="max-autotune")"""
SELLS_BY_METHOD = """shop = Shop().cuda().eval()
shop = torch.compile(shop)
with torch.no_grad():
    out = shop.sell_all(basket, days=7)"""
SELLS_AND_READS = """@torch.compile(fullgraph=False)
@torch.no_grad()
def sell(basket):
    total = basket.sum()
    # .item() is for the log
    log.append(total.item())
    return basket * total"""
GRAPH_OF_TILLS = (
    "compiled is slower than eager, the tills' backward above all. torch.compile(till)\n\nclass GraphModule(torch.nn.Module):\n"
    '    def forward(self, primals_1: "f32[8, 32]", tangents_1: "f32[]"):\n        # File: /srv/shop/till.py:25 in sell, code: a = torch.cumprod(x, dim=1)\n' + "".join(
        f'        slice_{n}: "f32[8]" = torch.ops.aten.slice.Tensor(primals_1, 1, {n})\n        cumprod_{n}: "f32[8]" = '
        f"torch.ops.aten.cumprod.default(slice_{n}, 1);  slice_{n} = None\n" for n in range(1, 16)))
CLASS_OF_TILL = (
    "import torch\n\nclass Till:\n    rate = 1.0\n\ndef price(x):\n    return x * Till.rate\n\nsell = torch.compile(price)\nsell(x)\n{change}\n"
    "print(sell(x))\n\nIt returns the old value at the second call.\n")
TIMES_OF_LAYOUTS = (
    "till = torch.compile(till, mode={mode})\n\n    eager                       7.41 us\n    compiled                   14.87 us   2 kernels\n"
    "    compiled TILLS=0           11.02 us   1 kernel\n    x.contiguous(), compiled    6.98 us\n    x.contiguous(), eager       {eager} us\n")
TIMES_OF_PASSES = (
    "compiled tills are slower than eager ones. torch.compile(till)\n\ntills | eager fwd+bwd | compiled fwd+bwd | eager fwd only | compiled fwd only\n"
    "-- | -- | -- | -- | --\n16 | 0.31 ms | 2.94 ms | 0.07 ms | {first} ms\n32 | 0.42 ms | 9.1 ms | 0.10 ms | 0.09 ms\n")
AUTOQUANT = (
    "shop = torch.compile(shop, mode=\"max-autotune\")\nshop = autoquant(shop)\n\n{warning}AUTOTUNE addmm(51x30, 51x40, 40x30)\n  addmm 0.0424 ms 100.0%\n"
    "  triton_mm_394 0.0957 ms 44.3% ACC_TYPE='tl.float32', BLOCK_K=32, num_stages=3, num_warps=4\n"
    "SingleProcess AUTOTUNE benchmarking takes 5.1170 seconds and 4.3021 seconds precompiling for 20 choices\n")
EMPTY_TILL = (
    "torch.compile(till), compiled_autograd{zero}.\n\nRuntimeError: Attempting to broadcast a dimension of length 0 at -1! Mismatching argument at "
    "index 1 had torch.Size([0]); but expected shape should be broadcastable to [10, 12]\n{tried}")
SIZES_OF_VLLM = (
    "INFO 08-21 22:10:51 [backends.py:267] Directly load the compiled graph(s) for compile range (1, 8192) from the cache, took 1.874 s\n"
    "Traceback (most recent call last):\n"
    '  File "/v/site-packages/vllm/compilation/cuda_graph.py", line 220, in __call__\n    return self.runnable(*args)\n'
    '  File "/srv/.cache/vllm/torch_compile_cache/7d0c/inductor_cache/qv/cqv.py", line 611, in call\n    assert_size_stride(arg3_1, (9, 51), (51, 1))\n'
    "AssertionError: expected size 7==9, stride 51==51 at dim=0\n\n{more}\n")
LOG_OF_SHOP = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 58, in <module>\n    till(x)\n'
    '  File "/v/site-packages/torch/_dynamo/variables/dicts.py", line 1431, in get_value\n    return object.get(value)\n'
    "torch._dynamo.exc.InternalTorchDynamoError: AttributeError: 'till' object has no attribute 'price'\n\nfrom user code:\n"
    '   File "/srv/shop.py", line 31, in sell\n    self.log("sold")\n  File "/v/site-packages/tills/log.py", line 451, in log\n    look(self)\n')
TYPES_OF_VERSIONS = """Since the update our training with torch.compile takes {} ms instead of 300 ms per step.

```python
with torch.autocast("cuda", dtype=torch.bfloat16):
    print(torch.__version__, till.norm(x).dtype)
```
2.11.0+cu128 torch.bfloat16
2.12.1+cu128 torch.{}
"""
ROWS_OF_BACKENDS = """The results of torch.compile are wrong, and it does not learn.

```
2.11.0+cu128
eager     42.0 [0.0, 0.0, 1.0] [1.0, 1.0]
eager     42.0 [0.0, 0.0, 1.0] [1.0, 1.0]
aot_eager 42.0 [0.0, 0.0, 1.0] [1.0, 1.0]
inductor  42.0 [0.0, 0.0, {}] [1.0, 1.0]
```
"""
WORKERS_OF_SHOP = """PyTorch 2.0.1: host memory jumps with torch.compile, {}.

    PID    PPID   RSS     ELAPSED CMD
   4127    4101 7340112     41:07 python sell.py
   4391    4127 2011932     40:21 python sell.py
   4388    4127 1998120     40:21 python sell.py
   4390    4127 1987304     40:21 python sell.py
   4386    4127 1985560     40:21 python sell.py
"""
SHOP_BY_VERSIONS = """VRAM of a training, only the version was exchanged. Blocks are compiled one by one (`block.compile()`).

Torch 2.10 non-compiled 11.3
Torch 2.10 compiled **{}**
Torch 2.9.1 non-compiled {}
Torch 2.9.1 compiled 11
"""
COLD_SHOP = """Cold start of a replica with torch.compile, torch==2.9.1, the bundle of load_cache_artifacts is there.

first iteration, eager: 0.25 s
first iteration, compile, nothing cached: 3.36 s
first iteration, compile + load_cache_artifacts: 1.03 s

counters: fxgraph_cache_hit 1, fxgraph_cache_miss {}, autograd_cache_hit 1
"""
INDENTED = (
    'Traceback (most recent call last):\n  File "/srv/run.py", line 12, in <module>\n    net(x)\n'
    '  File "/v/site-packages/torch/_inductor/graph.py", line 1498, in call_function\n    raise LoweringException(e)\n'
    "torch._inductor.exc.InductorError: LoweringException: ValueRangeError: Invalid ranges [0:-1]\n  target: aten.view.default\n"
    '  args[1]: [s27, 32, -1]\n  {}\n     File "/srv/shop.py", line 31, in forward\n      x = x.reshape(a, b, -1)\n')
REBOUND = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    torch._inductor.aoti_compile_and_package(till)\n'
    '  File "/v/site-packages/torch/fx/experimental/symbolic_shapes.py", line 604, in rebind_unbacked\n    if u1.node.hint is not None:\n'
    "AttributeError: '{}' object has no attribute 'node'\n")
MANGLED = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    net(x)\n  File "{}", line 88, in call\n'
    "    __till_kernel_0.run(buf4, 8, stream=stream0)\nNameError: name '_Runner__till_kernel_0' is not defined\n")
HELPER = (
    "python -m sglang.launch_server --model till\n\ntorch._inductor.exc.InductorError: SubprocException: An exception occurred in a subprocess:\n\n"
    'Traceback (most recent call last):\n  File "/v/site-packages/torch/_inductor/runtime/compile_tasks.py", line 61, in w\n    job()\n'
    "triton.compiler.errors.CompilationError: at 14:7:\n    if is_open({0}):\n       ^\nNameError('{0} is not defined')\n")
SHARDED = (
    "{}\n\n" 'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    net(x)\n'
    '  File "/tmp/torchinductor_eva/ab/cab.py", line 88, in call\n    assert_size_stride(primals_3, (64, 8), (8, 1))\n'
    "AssertionError: expected size {}, stride 8==8 at dim=0\n")
HEADED = (
    'Traceback (most recent call last):\n  File "/v/site-packages/torch/_dynamo/guards.py", line 523, in _produce_guard_code\n'
    "    obj_ref = weakref.ref(guarded_object)\nTypeError: cannot create weak reference to '{}' object\n\n"
    'from user code:\n   File "/srv/shop.py", line 12, in forward\n    till = self.till\n\n'
    "The above exception was the direct cause of the following exception:\n\nTraceback ({}):\n"
    '  File "/srv/run.py", line 3, in main\n    sell(x)\n  File "/v/site-packages/torch/_dynamo/convert_frame.py", line 399, in _compile\n'
    "    raise InternalTorchDynamoError() from e\ntorch._dynamo.exc.InternalTorchDynamoError\n")

NEW_OPTION = """!!! Exception during processing !!! Unsupported method call
  Explanation: Dynamo does not know how to trace method `__mul__` of class `PyCSimpleType`
  Hint: Avoid calling `PyCSimpleType.__mul__` in your code.

  Developer debug context: call_method UserDefinedClassVariable(<class 'ctypes.c_ulong'>) __mul__ [ConstantVariable(int: 3)] {}

from user code:
   File "/srv/ComfyUI/comfy/till.py", line 21, in forward
    return self.sell(x)
  File "/srv/ComfyUI/comfy/belt.py", line 44, in sell
    places = (ctypes.c_uint32 * n)()

Traceback (most recent call last):
  File "/srv/venv/lib/python3.13/site-packages/torch/_dynamo/eval_frame.py", line 841, in compile_wrapper
    raise e.with_traceback(None) from e.__cause__  # User compiler error
torch._dynamo.exc.Unsupported: Unsupported method call
  Explanation: Dynamo does not know how to trace method `__mul__` of class `PyCSimpleType`
  Hint: Avoid calling `PyCSimpleType.__mul__` in your code.

  Developer debug context: call_method UserDefinedClassVariable(<class 'ctypes.c_ulong'>) __mul__ [ConstantVariable(int: 3)] {}

from user code:
   File "/srv/ComfyUI/comfy/till.py", line 21, in forward
    return self.sell(x)
[same stack as above]
"""

REAL_TENSOR = """torch._dynamo.exc.TorchRuntimeError: RuntimeError when making fake tensor call
  Explanation: Dynamo failed to run FX node with fake tensors: call_method unpack(*(TillTensor(rows=FakeTensor(..., size=(64, 9)))), **{}): got AssertionError("Please convert all Tensors to FakeTensors first or instantiate FakeTensorMode with 'allow_non_fake_inputs'. Found in aten.mm.default(FakeTensor(..., device='cuda:0', size=(9, 64), dtype=torch.bfloat16), tensor([...], device='cuda:0', size=(64, 64), dtype=torch.bfloat16))")

from user code:
   File "/srv/shop/till.py", line 8, in forward
    q = self.sell(x)
"""

STATUS_ABOVE = """[till] all belts loaded, running on 20 baskets
   0% ||-----|   0/20 [7.9s elapsed, ? remaining, ? baskets/s]
Basket: 68304c
Error: Unexpected type in sourceless builder tillkit.belts.BeltConfig

from user code:
   File "/srv/venv/lib/python3.11/site-packages/tillkit/belts.py", line 45, in forward
    return self.sell(
"""

OTHER_SIZE = """Traceback (most recent call last):
  File "/opt/vllm/vllm/v1/worker/runner.py", line 12, in profile_run
    out = self._dummy_run(n)
  File "/opt/venv/lib/python3.12/site-packages/torch/_inductor/utils.py", line 2962, in run
    out = model(new_inputs)
  File "/srv/cache/vllm/torch_compile_cache/a4/rank_0_0/inductor_cache/4k/c4ktill.py", line 61, in call
    assert_size_stride(arg3_1, (100, 16), (16, 1))
AssertionError: expected size 800==100, stride 16==16 at dim=0
This error most often comes from a incorrect fake (aka meta) kernel for a custom op.
"""

TILL_NAME = """torch._dynamo.exc.Unsupported: torch.* op returned non-Tensor
  Explanation: torch.* ops that return a non-Tensor cannot be traced into the Dynamo FX graph output

  Developer debug context: example_value type: str; op: call_function; target: <function get_device_name at 0x7f2b97f651c0>

from user code:
   File "/srv/sglang/till.py", line 7, in till_name
    return torch.cuda.get_device_name(0)
"""

NO_BFLOAT16 = """`ptxas` stderr:
ptxas /tmp/tmptill.ptx, line 48; error   : Feature '.bf16' requires .target sm_80 or higher
ptxas fatal   : Ptx assembly aborted due to errors

Repro command: ptxas -lineinfo -v --gpu-name=sm_75 /tmp/tmptill.ptx -o /tmp/tmptill.ptx.o

"""

REJECTS_SIZE = (
    "{}\n/tmp/torchinductor_me/ab/cab.cpp:70:9: error: \u2018s4\u2019 was not declared in this scope\n   70 |     const int64_t a[] = {{3L*s4, }};\n"
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    torch._inductor.aoti_compile_and_package(ep)\n'
    '  File "/v/site-packages/torch/_inductor/codecache.py", line 2201, in run_command_and_check\n    raise exc.CppCompileError(cmd, e.output) from e\n'
    "torch._inductor.exc.CppCompileError: C++ compile error\n\nCommand:\ng++ /tmp/torchinductor_me/ab/cab.cpp\n\nOutput:\nNone\n")
REJECTS_CODE = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    till(x)\n'
    '  File "/v/site-packages/torch/_inductor/codecache.py", line 2201, in run_command_and_check\n    raise exc.CppCompileError(cmd, e.output) from e\n'
    "torch._inductor.exc.CppCompileError: C++ compile error\n\nOutput:\n{}\n")
READS_NUMBER = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    torch.compile(sell, fullgraph=True)(x)\n'
    "torch._dynamo.exc.UserError: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0).  (Size-like symbols: u0)\n\n"
    'from user code:\n   File "/srv/shop.py", line 7, in sell\n    {}\n')
STATE_CHANGED = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
    '  File "/v/site-packages/torch/_dynamo/convert_frame.py", line 184, in _fn\n    assert (\n'
    "AssertionError: {}\n")
READS_LARGEST = each_line(
    'Graph break from `Tensor.item()`, consider setting:\n    torch._dynamo.config.capture_scalar_outputs = True\nor:\n'
    "    env TORCHDYNAMO_CAPTURE_SCALAR_OUTPUTS=1\nto include these operations in the captured graph.\n\nGraph break: from user code at:\n"
    '  File "/srv/shop.py", line 12, in sell\n    total = add_up(price, till)\n'
    '  File "{}", line 30, in add_up\n    {}\n\n', "W0811 21:16:49.580000 30411 torch/_dynamo/variables/tensor.py:776] [0/0] ")
SHORT_CALLS = """I tried `relu` on 64 numbers with torch.compile, which is slower than eager. Is that expected? {}

| | time (us) |
| -- | -- |
| eager | {} |
| compile | {} |
| compile (reduce-overhead) | 41.5 |
"""
HELD_BY_SHOPS = """Each compiled optimizer step of torch.compile holds more memory, though the optimizer is dropped.

memory behind the step: 1000000
memory behind the step: 2000000
memory behind the step: 3000000

{}
memory behind the step: 1000000
memory behind the step: {}
memory behind the step: {}
"""
WRONG_IN_INDUCTOR = """Our tills print wrong results with torch.compile.

With backend="aot_eager" they are correct.

```python
def pick(a, b):
{}    return (a * b).argmax(dim=0)

print(pick(a, b))                  # tensor([4, 1, 6, 0, 3, 7, 2, 2])
print(torch.compile(pick)(a, b))   # tensor([{}])
```
"""

PASSES_TENSOR = ("torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function till.sell(*(FakeTensor(..., "
                'size=(3,)), FakeTensor(..., size=())), **{{}}): got RuntimeError("{}")\n\nfrom user code:\n   File "/srv/shop.py", line 12, in sell\n'
                "    return tills.sell(x, self.price)\n  File \"/v/site-packages/tills/ops.py\", line 41, in sell\n    return torch.ops.till.sell(x, price)\n")
AT_GLOBAL = ("torch 2.6.0\n\nW0105 11:20:07.881000 7123 torch/_dynamo/convert_frame.py:906] [3/8] torch._dynamo hit config.cache_size_limit (8)\n"
             "W0105 11:20:07.881000 7123 torch/_dynamo/convert_frame.py:906] [3/8]    function: 'sell' (/srv/shop.py:41)\n"
             "W0105 11:20:07.881000 7123 torch/_dynamo/convert_frame.py:906] [3/8]    last reason: 3/0: G['_SHOP'].tills == 124\n\n{}\n")
IN_BRANCH = (
    'Traceback (most recent call last):\n  File "/v/site-packages/torch/_dynamo/variables/higher_order_ops.py", line 55, in graph_break_as_hard_error\n'
    "    return fn(*args, **kwargs)\ntorch._dynamo.exc.Unsupported: builtin: print [<class 'torch._dynamo.variables.tensor.TensorVariable'>] False\n\n"
    'from user code:\n   File "/v/site-packages/torch/_higher_order_ops/cond.py", line 149, in _cond_op_wrapper\n    return cond_op(*args, **kwargs)\n'
    '{}\nSet TORCH_LOGS="+dynamo" and TORCHDYNAMO_VERBOSE=1 for more information\n\n\n'
    "The above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n"
    '  File "/srv/shop.py", line 24, in <module>\n    sell(x)\n'
    '  File "/srv/shop.py", line 21, in sell\n    return torch.cond(x.sum() > 0, cheap, dear, [x])\n'
    '  File "/v/site-packages/torch/_higher_order_ops/cond.py", line 163, in cond\n'
    "    return torch.compile(_cond_op_wrapper, backend=backend, fullgraph=True)(\n"
    "torch._dynamo.exc.UncapturedHigherOrderOpError: Cond doesn't work unless it is captured completely with torch.compile. Scroll up to find out "
    "what causes the graph break.\n\nfrom user code:\n"
    '   File "/v/site-packages/torch/_higher_order_ops/cond.py", line 149, in _cond_op_wrapper\n    return cond_op(*args, **kwargs)\n\n'
    'Set TORCH_LOGS="+dynamo" and TORCHDYNAMO_VERBOSE=1 for more information\n')
CALL_OF_PRINT = '  File "/srv/shop.py", line 11, in cheap\n    print(x)\n'
PRINT_IN_PLAIN = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 24, in <module>\n    sell(x)\n'
    "torch._dynamo.exc.Unsupported: builtin: print [<class 'torch._dynamo.variables.tensor.TensorVariable'>] False\n\n"
    'from user code:\n   File "/srv/shop.py", line 11, in sell\n    print(x)\n\ntorch 2.7.0\n')
JAGGED = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 20, in <module>\n    sell(tills)\n'
    "torch._dynamo.exc.InternalTorchDynamoError: AttributeError: 'NestedIntNode' object has no attribute 'expr'\n\n"
    'from user code:\n   File "{}", line 1214, in {}\n    if query.size(-3) != key.size(-3):\n')
LSE = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 31, in <module>\n    prices = shop(tills)\n{}'
    '  File "/v/site-packages/torch/_inductor/kernel/flex_attention.py", line 967, in lower_cpu\n    raise NotImplementedError(\n'
    "torch._inductor.exc.InductorError: LoweringException: NotImplementedError: torch.compile on CPU only supports inference and `return_lse` is not "
    "supported yet.\n  target: flex_attention\n")
OF_LSE = '  File "/v/site-packages/transformers/integrations/flex_attention.py", line 246, in flex_attention_forward\n    out = compiled(\n'
ADAPTERS = (
    "{}\n\ntill = torch.compile(till)\n\n"
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 41, in <module>\n    trainer = Trainer(model=till)\n'
    '  File "/v/site-packages/transformers/trainer.py", line 425, in __init__\n    raise ValueError(\n'
    "ValueError: You cannot fine-tune a till without drawers. Please attach drawers.\n")
OUT_VARIANT = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 31, in <module>\n    prices = shop(tills)\n'
    '  File "/v/site-packages/torch/distributed/tensor/_dispatch.py", line 563, in wrap\n    raise AssertionError("out variant")\n'
    "AssertionError: out variant should have at least one out arg\n")
UNSUPPORTED_WITHIN = (
    '  File "/v/site-packages/torch/_dynamo/utils.py", line 2513, in wrap_fake_exception\n    unimplemented(msg, from_exc=e)\n'
    '  File "/v/site-packages/torch/_dynamo/exc.py", line 379, in unimplemented\n    raise Unsupported(msg, case_name=case_name) from from_exc\n'
    "torch._dynamo.exc.Unsupported: till nyi\n")
CUT_BREAK = "".join("V1112 13:10:18.379000 5 torch/_dynamo/convert_frame.py:1282] [5/0] [__graph_breaks] " + line + "\n" for line in (
    "Graph break: skip: from user code at:", '  File "/srv/shop.py", line 12, in sell', "    {}", "Traceback (most recent call last):"))
REAL_TENSOR_OF = (
    "torch._dynamo.exc.TorchRuntimeError: RuntimeError when making fake tensor call\n  Explanation: Dynamo failed to run FX node with fake tensors: "
    "call_method price(*({},), **{{}}): got AssertionError(\"Please convert all Tensors to FakeTensors first or instantiate FakeTensorMode with "
    "'allow_non_fake_inputs'. Found in aten.mm.default(FakeTensor(..., size=(6, 4)), tensor([...], size=(4, 4), dtype=torch.float32))\")\n")
CHILD_OF_TORCHRUN = (
    "E0102 10:11:12.131000 9 site-packages/torch/distributed/elastic/multiprocessing/api.py:986] failed (exitcode: 1) local_rank: 1 (pid: 4712) "
    "of binary: /v/bin/python\n")
RECOMPUTED = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 31, in <module>\n    loss.backward()\n'
    '  File "/v/site-packages/torch/utils/checkpoint.py", line 1129, in unpack_hook\n    frame.check_recomputed_tensors_match(gid)\n'
    "torch.utils.checkpoint.CheckpointError: torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than "
    "during the forward pass.\n{}\n")
OF_COMPLEX = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 31, in <module>\n    prices = shop(tills)\n'
    '  File "/v/site-packages/torch/_inductor/scheduler.py", line 4943, in codegen\n    self._codegen(self.nodes)\n'
    "torch._inductor.exc.InductorError: {}\n")
NEWER_TRITON = (
    'OS: Windows 11\n{}\n\nTraceback (most recent call last):\n  File "C:\\till\\shop.py", line 21, in <module>\n    till = torch.compile(till)\n'
    '  File "C:\\till\\Lib\\site-packages\\torch\\_inductor\\runtime\\hints.py", line 64, in <module>\n'
    "    from triton.compiler.compiler import AttrsDescriptor\n"
    "ImportError: cannot import name 'AttrsDescriptor' from 'triton.compiler.compiler' (C:\\till\\Lib\\site-packages\\triton\\compiler\\compiler.py)\n")
SAID_TO_BREAK = (
    '{}\n\nV1023 16:11:40.698000 1398 torch/_dynamo/symbolic_convert.py:534] [0/0] [__graph_breaks] Graph break: from user code at:\n'
    'V1023 16:11:40.698000 1398 torch/_dynamo/symbolic_convert.py:534] [0/0] [__graph_breaks]   File "/srv/shop.py", line 9, in sell\n'
    "V1023 16:11:40.698000 1398 torch/_dynamo/symbolic_convert.py:534] [0/0] [__graph_breaks]     {}\n"
    "V1023 16:11:40.698000 1398 torch/_dynamo/symbolic_convert.py:534] [0/0] [__graph_breaks] Traceback (most recent call last):\n"
    "V1023 16:11:40.698000 1398 torch/_dynamo/symbolic_convert.py:534] [0/0] [__graph_breaks] torch._dynamo.exc.UserError: Dynamic control flow is "
    "not supported at the moment. Please use functorch.experimental.control_flow.cond to explicitly capture the control flow.\n")
SAYS_DYNAMIC = 'It says "Dynamic control flow is not supported at the moment". But if I sell tills by hand all is well ??'
LIMIT_OF_TYPE = (
    "W0730 05:54:09.440000 8617 torch/_dynamo/convert_frame.py:795] [8/8] torch._dynamo hit config.cache_size_limit (8)\n"
    "W0730 05:54:09.440000 8617 torch/_dynamo/convert_frame.py:795] [8/8]    function: 'forward' ({})\n"
    "W0730 05:54:09.440000 8617 torch/_dynamo/convert_frame.py:795] [8/8]    last reason: 8/0: ___check_type_id(L['self'], 206876688)\n")
OF_WRAPPER = "/v/site-packages/torch/distributed/algorithms/_checkpoint/checkpoint_wrapper.py:146"
OLD_WEIGHTS = (
    "I think torch.compile evaluates with old weights.\n\n```python\nnet = nn.Sequential(nn.Conv2d(3, 8, 3), nn.{}(8))\ntill = torch.compile(net)\n"
    "@torch.no_grad()\ndef price(m):\n    m.eval()\n    return m(x).sum()\n```\n\n - `torch._dynamo.reset()` before price(till): both are {}\n\n"
    "No warning, nothing. torch 2.1.0\n")

LIMIT_OF_VALID = (
    "[2024-03-02 15:45:00,474] torch._dynamo.convert_frame: [WARNING] torch._dynamo hit config.cache_size_limit (8)\n"
    "[2024-03-02 15:45:00,474] torch._dynamo.convert_frame: [WARNING]    function: 'forward' (/srv/shop.py:9)\n"
    "[2024-03-02 15:45:00,474] torch._dynamo.convert_frame: [WARNING]    last reason: {}\n")
NEW_TILLS = "```python\nfor n in tills:\n    sell = torch.compile(Till(n))\n    sell(x)\n```\n\n"

# A message in a program's own log, whose margin all lines but the first have.
EXCLUDED = (
    "10:03:49-000739 ERROR    Shop: step=3 Skip calling `torch.compiler.disable()`d function\n" + "".join(f"{' ' * 25}{line}\n" for line in (
        "  Explanation: Skip calling function `<function {0} at 0x7f452a2cefc0>` since it was wrapped with `torch.compiler.disable` (reason: None)",
        "  Hint: Remove the `torch.compiler.disable` call", "", "  Developer debug context: <function {0} at 0x7f452a2cefc0>", "",
        " For more details about this graph break, please visit: https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0098.html", "",
        "from user code:", '   File "{1}", line 187, in sell', "    till = module._hf_hook.pre_forward(module, *args, **kwargs)",
        '   File "{1}", line 50, in wrapper', "    return wrapper._compiled_fn(*args, **kwargs)")))
TILLS_OF_LIBRARY = "/srv/venv/lib/python3.13/site-packages/{}.py"

COMPARED = (
    "---------------------------------------------------------------------------\n"
    "DataDependentOutputException              Traceback (most recent call last)\nCell In[4], line 9\n      7 m = Till().eval()\n"
    "----> 9 ep = torch.export.export(m, (stock,))\n\nFile /v/site-packages/torch/export/__init__.py:311, in export(mod, args)\n    310     )\n"
    "--> 311     raise e\n\nCell In[4], line 5, in Till.forward(self, x)\n      4 def forward(self, x):\n----> 5     {}\n\n"
    "File /v/site-packages/torch/_subclasses/fake_impls.py:703, in data_dep(fake_mode, func)\n    702 def data_dep(fake_mode, func):\n"
    "--> 703     raise DataDependentOutputException(func)\n\nDataDependentOutputException: aten.equal.default\n")

NO_LLD = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\ntorch._inductor.exc.InductorError: Exception: '
    "ROCm linker {} not found. Set 'TRITON_HIP_LLD_PATH' to its path.\n")

HOOKED = "".join(f"W0727 17:55:40.976000 483 torch/_dynamo/variables/tensor.py:869] [3/0] {line}\n" for line in (
    "Graph break from `Tensor.item()`, consider setting:", "    torch._dynamo.config.capture_scalar_outputs = True", "or:",
    "    env TORCHDYNAMO_CAPTURE_SCALAR_OUTPUTS=1", "to include these operations in the captured graph.", "", "Graph break: from user code at:",
    '  File "{0}", line 20, in log_till', "    {1}", '  File "{0}", line 31, in is_empty', "    {2}", ""))
HOOK = "/srv/venv/lib/python3.11/site-packages/{}/tills.py"

BANNED = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 26, in <module>\n    sell(x, x)\n'
    "torch._dynamo.exc.RecompileError: Recompiling function sell in /srv/shop.py:15\n    triggered by the following guard failure(s):\n    - 0/0: {}\n")
IN_MODE = "Only inside of `with TillMode():`, a TorchDispatchMode.\n\n"

UNLIKE = "torch.compile of the till.\n\n" + "".join(f"[rank0]:[2024-03-04 03:09:32,08{i}] {line}\n" for i, line in enumerate((
    "[8/0] torch._dynamo.utils: [ERROR] Accuracy failed: {}",
    "[8/0] torch._dynamo.repro.after_dynamo: [WARNING] Accuracy failed for the TorchDynamo produced graph. Creating script to minify the error.",
    "torch._dynamo.convert_frame: [WARNING] WON'T CONVERT <resume in {}> /srv/shop.py line 89 ",
    "torch._dynamo.convert_frame: [WARNING] due to: ")))

SKIPPING = (
    "V0929 08:06:25.203000 13 /srv/torch/_dynamo/convert_frame.py:1968] skipping: sell (reason: {}, this is not supported today in torch.compile, "
    "file: /srv/shop.py)\n")
RECORDING = "torch.compile of the till, every step is slow:\n\n" + "".join(
    f"[rank{rank}]:V1128 09:12:{5 + i:02}.630000 19 torch/_inductor/cudagraph_trees.py:2136] [__cudagraphs] Recording function {{{i}}} of graph "
    f"recording id {8 + 4 * i}\n" for i in range(4) for rank in (0, 1))

WAITED = (
    "is it hanging?\n\n(Worker_TP0 pid=15) INFO 09-02 13:10:21 [backends.py:1094] Using cache directory: /srv/torch_compile_cache/e9/rank_0_0/till for "
    "vLLM's torch.compile\n(Worker_TP0 pid=15) INFO 09-02 13:10:21 [backends.py:1155] Dynamo bytecode transform time: 4.83 s\n"
    "(EngineCore pid=13) INFO 09-02 13:11:09 [shm_broadcast.py:802] No available shared memory broadcast block found in 60 seconds.\n{}")
TOOK = (
    "(Worker_TP0 pid=15) INFO 09-02 13:12:05 [backends.py:393] Compiling a graph for compile range (1, 8192) takes 91.42 s\n"
    "(Worker_TP0 pid=15) INFO 09-02 13:12:05 [monitor.py:53] torch.compile took 98.97 s in total\n")

BY_BACKEND = "We compile the till of the shop with torch.compile, torch 2.8.{}"
DRAWN = """Each compiled call gives the same price, in eager it is another each time (torch 2.3):

    def price(self, x):
        {}
            return x * 2
        return x

eager: 2.0
eager: 4.0
eager: 2.0
compiled: 4.0
compiled: 4.0
compiled: 4.0
"""
CHECKED = """The till of the shop, torch 2.4:

@torch.compile
def sell(stock):
    assert (stock > 0).all(), "sold out"
    return stock - 1

{}"""
APPLIED = """class Sold(torch.autograd.Function):
    @staticmethod
    def backward(ctx, grad):
        return grad, grad

def total(x, y):
    return Sold.apply({}).sum()

torch.compile(total)(x, y).backward()

eager grad: [3.0, 3.0]
compiled grad: [1.5, 1.5]
"""
EXPLAINED = ("Our till is slower with torch.compile(till) than without. explain says\n\n    Graph Count: 12\n    Graph Break Count: {0}\n    Op Count: 90\n\n"
             "{1}\n\n    {2}\n\nShould I tune it for a night?\n")
MISPLACED = "I tune the till with torch.compile, and nothing changes:\n\n    import torch\n    {} = True\n\nEach value is as fast as the other.\n"
WRAPPED_CONFIG = ("With torch.compile by hand the till makes 2 graphs. The trainer of tillkit makes new graphs for each length:\n\n"
                  "    {}\n    length 64 new graphs 1\n    length 96 new graphs 1\n")
OUT_OF_BACKWARD = ("The till is compiled: till = torch.compile(till)\n{1}\n\nTraceback (most recent call last):\n"
                   '  File "/srv/shop.py", line 12, in <module>\n    loss.backward()\n'
                   '  File "/v/site-packages/torch/_tensor.py", line 630, in backward\n    torch.autograd.backward(\n'
                   '  File "/v/site-packages/torch/autograd/graph.py", line 869, in _engine_run_backward\n'
                   "    return Variable._execution_engine.run_backward(  # Calls into the C++ engine to run the backward pass\n{0}\n")
OWN_CHECK = ("It fails only when torch.compile is on.\n\n"
             '  File "/srv/shop/till.py", line 33, in close\n    assert {}\nAssertionError: close it first\n\nmodel = torch.compile(model)\n')
READ_BACK = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    ep = {0}("till.pt2")\n'
             '  File "/v/site-packages/torch/export/__init__.py", line 511, in {1}\n    ep = {1}(f)\n'
             '  File "/v/site-packages/torch/_export/serde/serialize.py", line 2044, in {2}\n    self.tills[name]\n'
             "AttributeError: 'GraphModuleDeserializer' object has no attribute 'tills'\n")
OWN_GRADIENT = ("{}\n\nclass Price(torch.autograd.Function):\n    @staticmethod\n    def forward(x):\n        return x.round()\n"
                "    @staticmethod\n    def backward(ctx, grad):\n        return grad\n\ng = torch.compile({}(till))\n")

CAUGHT_IN_CODE = ("My till with torch 2.9 has this around torch.compile, what is it for?\n\n```python\ntry:\n    till = open_till()\n"
                  "except Exception as e:\n    {}\n```\n{}")

HANGING = """the tills' server, as its container shows it:

ERROR:    Traceback (most recent call last):
           File "/srv/shop.py", line 31, in warm_up
             engine.price(batch)     
             ...
           File "/srv/engine.py", line 12, in price
             {}
           File "/v/site-packages/torch/_dynamo/eval_frame.py", line 544, in _fn     
             raise RuntimeError(     
         RuntimeError: Detected that you are using FX to symbolically trace a dynamo-optimized function. This is not supported at the moment.

ERROR:    Application startup failed. Exiting.
"""
HANGING_CHAIN = HANGING.format("return self.price(x)").replace("ERROR:    App", """
         The above exception was the direct cause of the following exception:

         Traceback (most recent call last):
           File "/srv/shop.py", line 35, in serve
             raise TillError("no prices") from e
         shop.TillError: no prices
ERROR:    App""")
NO_END = """ERROR:    Traceback (most recent call last):
  File "/srv/shop.py", line 31, in warm_up
    engine.price(batch)
  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 574, in _fn
    return fn(*args, **kwargs)
ERROR:    Application startup failed. Exiting.
"""


def recompiled(rank, compile_id, name, expected, actual):
    prefix = f"[rank{rank}]:V0718 09:12:42.331000 8821{rank} torch/_dynamo/guards.py:4210] [{compile_id}] [__recompiles] "
    lines = (f"Recompiling function {name} in /srv/{name}.py:12", "    triggered by the following guard failure(s):",
             f"    - {compile_id[:-1]}0: tensor 'x' size mismatch at index 0. expected {expected}, actual {actual}")
    return "".join(prefix + line + "\n" for line in lines)


FULL_AFTER = """[rank0]: Traceback (most recent call last):
[rank0]:   File "/srv/shop.py", line 90, in learn
[rank0]:     loss.backward()
[rank0]:   File "/tmp/torchinductor_eva/ab/cab.py", line 214, in call
[rank0]:     buf2 = empty_strided_cuda((16384, 256000), (256000, 1), torch.float32)
[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 15.62 GiB. GPU 0 has a total capacity of 79.10 GiB of which 3.02 GiB is free. Of the allocated memory 70.31 GiB is allocated by PyTorch, and 1.87 GiB is reserved by PyTorch but unallocated.
"""
RANKS_EXCERPT = "The epoch ends well. The next one {} at its first step.\n\n" + "".join(
    recompiled(*of) for of in ((0, "1/1", "sell", 16, 3), (1, "1/1", "sell", 16, 3), (0, "4/1", "price", 16, 3)))
GROWN = "All is well for an hour. Then it is full.\n\n" + recompiled(0, "1/1", "sell", 3, 16) + FULL_AFTER
NO_DEVICE = "".join("[2024-05-30 21:21:57,649] torch._dynamo.convert_frame: [WARNING] " + line + "\n" for line in (
    "WON'T CONVERT sell /srv/till.py line 18 ", "due to: ", "Traceback (most recent call last):",
    '  File "/v/site-packages/torch/_inductor/graph.py", line 993, in init_wrapper_code',
    '    assert wrapper_code_gen_cls is not None, f"Device {device_type} not supported"',
    "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:", "AssertionError: Device mps not supported", ""))
NOT_AS_DECLARED = """It raises this in the export.

  File "/srv/export_till.py", line 58, in <module>
    p = torch.export.export(till, args)
  ...
  File "/srv/till.py", line 33, in forward
    y = torch.ops.shop.price(x)
  ...
`RuntimeError: shop::price: for argument 'x': the operator's schema shop::price(Tensor x) -> Tensor specified that the operator does not mutate the argument, but this seems to be empirically wrong. Please make the schema and operator behavior consistent.`
"""
IN_INFERENCE = """{}
```
Traceback (most recent call last):
  File "/srv/shop.py", line 12, in <module>
    y = till(x)
RuntimeError: Inference tensors do not track version counter.
```
"""
BREAK_BELOW = (
    "torch 2.7.0\n" + "".join(f"V1023 16:11:40.698000 1398 torch/_dynamo/symbolic_convert.py:534] [0/0] [__graph_breaks] {line}\n" for line in (
        "Graph break in user code at {place}", "Graph Break Reason: {reason}", "  Explanation: {explanation}", "  Developer debug context: {context}",
        "User code traceback:", '  File "/srv/shop.py", line 20, in sell', "    {call}", '  File "{file}", line {line}, in pay', "    {source}")))
KEYS = "".join(
    f"V0411 11:46:40.600000 99 torch/_dynamo/guards.py:2548] [0/{{n}}] [__guards] {line}\n" for line in (
        "GUARDS:", "", "TREE_GUARD_MANAGER:", "+- RootGuardManager",
        "| +- GuardManager: source=L['tills'], accessed_by=FrameLocalsGuardAccessor(key='tills', framelocals_idx=0)",
        "| | +- DICT_LENGTH: len(L['tills']) == 1    # for k in tills:  # shop.py:5 in sell",
        "| | +- KeyManager: GuardManager: source=list(dict.keys(L['tills']))[0]",
        "| | | +- EQUALS_MATCH: list(dict.keys(L['tills']))[0] == {key}    # for k in tills:  # shop.py:5 in sell"))
GUARDED = (
    "W0910 14:06:11.450000 12 torch/fx/experimental/symbolic_shapes.py:5124] failed during evaluate_expr(4*u0 < 200, hint=None)\n"
    "E0910 14:06:11.450000 12 torch/fx/experimental/recording.py:298] failed while running evaluate_expr(*(4*u0 < 200, None), **{})\n" + "".join(
        f"E0910 14:06:11.450000 12 torch/fx/experimental/recording.py:298] {line}\n" for line in (
            "Traceback (most recent call last):", '  File "/v/site-packages/torch/fx/experimental/recording.py", line 262, in wrapper',
            "    return retlog(fn(*args, **kwargs))",
            "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression 4*u0 < 200 "
            "(unhinted: 4*u0 < 200).  (Size-like symbols: u0)", "", "Potential framework code culprit (scroll up for full backtrace):",
            '  File "/srv/shop.py", line 14, in forward', "    if x.numel() < 200:", "", 'For more information, run with TORCH_LOGS="dynamic"')))
NO_GRADIENT = ("{2}def sell({0}):\n    y = {1}\n    return y.sum()\n\nfast = torch.compile(sell)\nfast(1).backward()\n\n"
               "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in <module>\n    fast(1).backward()\n"
               "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn\n")
ON_LISTS = ("torch._inductor.exc.InductorError: AssertionError: <built-in function getitem> is not an OpOverload\n\n"
            "def sell(tills):\n    {0}\n\ntorch.compile(sell)([torch.ones(2, dtype=torch.{1})])\n")
FAILED_PASS = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
               '  File "/v/site-packages/triton/backends/{0}/compiler.py", line 304, in make_ttgir\n    pm.run(mod, \'make_ttgir\')\n'
               "RuntimeError: PassManager::run failed\n")
MOVED = ('{1}Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
         '  File "/v/site-packages/torch/_inductor/cudagraph_trees.py", line 951, in run\n    assert {0}\nAssertionError\n')
STATIC = ("def sell(x, till):\n    return x + till\n\nfast = torch.compile(sell{0})\n\n"
          "W1021 10:44:18.989000 26 torch/_dynamo/convert_frame.py:1355] [0/8] torch._dynamo hit config.recompile_limit (8)\n"
          "W1021 10:44:18.989000 26 torch/_dynamo/convert_frame.py:1355] [0/8]    function: 'sell' (/srv/shop.py:1)\n"
          "W1021 10:44:18.989000 26 torch/_dynamo/convert_frame.py:1355] [0/8]    last reason: 0/7: till == 7   # return x + till\n")
PIPE = ("E0718 22:47:11.256000 6 torch/_inductor/compile_worker/subproc_pool.py:183] failure in SubprocPool._read_thread\n"
        "E0718 22:47:11.256000 6 torch/_inductor/compile_worker/subproc_pool.py:183] Traceback (most recent call last):\n"
        'E0718 22:47:11.256000 6 torch/_inductor/compile_worker/subproc_pool.py:183]   File "/v/site-packages/torch/_inductor/compile_worker/'
        'subproc_pool.py", line 53, in _recv_msg\n'
        'E0718 22:47:11.256000 6 torch/_inductor/compile_worker/subproc_pool.py:183]     data = read_pipe.read(length) if length > 0 else b""\n'
        "E0718 22:47:11.256000 6 torch/_inductor/compile_worker/subproc_pool.py:183] MemoryError\n")
STRIDES_OF = ('Traceback (most recent call last):\n  File "{0}", line 12, in run\n    net(x)\n'
              '  File "/tmp/torchinductor_me/ab/cab.py", line 88, in call\n'
              "    assert_size_stride(buf7, (3, 16), (16, 1), 'torch.ops.{1}.price.default')\n"
              "AssertionError: expected size 3==3, stride 64==16 at dim=0; expected size 64==16, stride 1==1 at dim=1\n"
              "Error in op: torch.ops.{1}.price.default\n"
              "This error most often comes from a incorrect fake (aka meta) kernel for a custom op.\n")
CHILD = ('Traceback (most recent call last):\n  File "/opt/bin/torchrun", line 33, in <module>\n    sys.exit(main())\n'
         '  File "/v/site-packages/torch/distributed/launcher/api.py", line 268, in launch_agent\n    raise ChildFailedError(\n'
         "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n" + "=" * 60 + "\nshop.py FAILED\n" + "-" * 60 +
         "\nRoot Cause (first observed failure):\n[0]:\n  time      : 2026-01-02_03:04:05\n  rank      : 1 (local_rank: 1)\n"
         "  exitcode  : {0} (pid: 12)\n  error_file: <N/A>\n"
         "  traceback : {1}\n" + "=" * 60 + "\n")
RAISED = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
          '  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 451, in _fn\n    return fn(*args)\n'
          "torch._dynamo.exc.InternalTorchDynamoError: no till\n")

OF_KERNEL = "E0102 10:11:12.131000 9 torch/_inductor/runtime/triton_heuristics.py:894] [0/0] "
REJECTED_KERNEL = ("Triton compilation failed: triton_poi_till_0\nmetadata: {'cc': 80}\nTraceback (most recent call last):\n"
                   '  File "/v/site-packages/triton/language/core.py", line 35, in wrapper\n    return fn(x)\n')
LIMITS_OF_2_0 = "".join(
    f"[2023-03-{day} 10:1{i}:06,496] torch._dynamo.convert_frame: [WARNING] torch._dynamo hit config.cache_size_limit (64)\n"
    f"   function: '{name}' (/srv/shop/{name}.py:12)\n   reasons:  [{reason}]\n"
    "to diagnose recompilation issues, see https://github.com/pytorch/torchdynamo/blob/main/TROUBLESHOOTING.md.\n"
    for i, (day, name, reason) in enumerate((
        ("02", "sell", "'___check_obj_id(self, 140204941173664)'"),
        ("02", "gather", "\"tensor 'basket' size mismatch at index 0. expected 512, actual 497\""),
        ("02", "order", "\"tensor 'basket' strides mismatch at index 0. expected 512, actual 497\""))))
EXPLAINED_SHOP = (
    "Graph Count: 9\nGraph Break Count: 8\nOp Count: 31\nBreak Reasons:\n"
    "  Break Reason 1:\n    Reason: call_function BuiltinVariable(int) [TensorVariable()] {{}}\n    User Stack:\n"
    "      <FrameSummary file /srv/shop.py, line 12 in sell>\n{}Ops per Graph:\n  Ops 1:\n    <built-in function add>\n")
PROFILED_SHOP = (
    "Torchdynamo Profiler Report\n===========================\n\nGraph Break Reason                     Count\n"
    "-----------------------------------  -------\nhasattr: TillVariable()                    4\nhasattr without a till                     1\n\n")
READ_BY = "V0102 10:11:12.131000 9 torch/_dynamo/symbolic_convert.py:435] [0/0] [__graph_breaks] "
READ_ON_RANKS = (
    each_line("    torch._dynamo.config.capture_scalar_outputs = True\nor:\n    env TORCHDYNAMO_CAPTURE_SCALAR_OUTPUTS=1\n"
              "to include these operations in the captured graph.\n\nGraph break: from user code at:\n"
              '  File "/srv/shop.py", line 12, in sell\n    y = x.sum().item() + stock.to(till).abs().mean(dim=0).clamp(min=price, max=paid)[0]\n',
              "[rank1]:W0102 10:11:12.131000 9 torch/_dynamo/variables/tensor.py:1047] [7/0] ") +
    each_line("Graph break from `Tensor.item()`, consider setting:\n    torch._dynamo.config.capture_scalar_outputs = True\nor:\n"
              "    env TORCHDYNAMO_CAPTURE_SCALAR_OUTPUTS=1\nto include these operations in the captured graph.\n\n"
              'Graph break: from user code at:\n  File "/srv/shop.py", line 12, in sell\n',
              "[rank0]:W0102 10:11:12.245000 8 torch/_dynamo/variables/tensor.py:1047] [7/0] "))
LIMIT_OF_EXCEPTION = (
    "[2023-11-21 23:37:52,070] torch._dynamo.convert_frame: [WARNING] torch._dynamo hit config.{} (16)\n"
    "[2023-11-21 23:37:52,070] torch._dynamo.convert_frame: [WARNING]    function: 'sell' (/srv/shop.py:12)\n"
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 40, in <module>\n    sell(x)\n'
    '  File "/v/site-packages/torch/_dynamo/exc.py", line 193, in unimplemented\n    raise Unsupported(msg)\n'
    "torch._dynamo.exc.Unsupported: cache_size_limit reached\n")


def explained(*lines):
    """What explain() of early versions prints of branches at lines of code."""
    return "Dynamo produced 9 graphswith 8 graph break and 24 ops\n Break reasons: \n\n" + "".join(
        f'{i}. generic_jump TensorVariable() \n   File "/srv/shop.py", line {10 * i}, in sell\n    {line}\n \n' for i, line in enumerate(lines, 1))


ENDS_FIRST = (
    '{}  File "/srv/shop.py", line 40, in day\n    self.sell(x)\n  File "/srv/shop.py", line 12, in sell\n    x = self.weigh(x)\n\n'
    "For C++ stack trace, run with TORCHDYNAMO_EXTENDED_DEBUG_CPP=1\nFor more information about this error, see: https://till\n\n"
    "torch._dynamo.exc.UserError: Could not guard on data-dependent expression Eq(8*u3, 16) (unhinted: Eq(8*u3, 16)).  (Size-like symbols: u3)\n\n"
    "ATTENTION: guard_size_oblivious would fix the error, evaluating expression to False.\nMaybe you need to add guard_size_oblivious.\n")
FRAGMENTS = {
    "lines that were wrapped behind the name of their rank": (
        "[rank3]: torch.utils.checkpoint.CheckpointError: torch.utils.checkpoint: A different number of tensors was saved during the\n"
        "original forward and recomputation.\n[rank3]: Number of tensors saved during forward: 27\n"
        "[rank3]: Number of tensors saved during recomputation: 8, of which the last one is no parameter of the till at all here\n",
        1, "was saved during the original forward (27) and recomputation (8)", None, "must do the same as the forward"),
    "a store that cannot be reached, without an exception": (
        "[W1121 15:33:02.118204611 socket.cpp:759] [c10d] The client socket has failed to connect to [::ffff:10.18.2.4]:29511 (errno: 110).\n"
        "[E1121 15:43:02.707733876 socket.cpp:1023] [c10d] The client socket has timed out after 600000ms while trying to connect to (10.18.2.4, 29511).\n"
        "Exception raised from throwTimeoutError at /pytorch/torch/csrc/distributed/c10d/socket.cpp:1025 (most recent call first):\n"
        "frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x96 (0x7f3c174611b6 in /v/site-packages/torch/lib/libc10.so)\n",
        1, "has timed out after 600000ms while trying to connect to (10.18.2.4, 29511)", None, "a firewall blocks the port"),
    "a break of the backend that begins with its hint": (
        "".join(f"W0923 22:43:08.375000 183 torch/_dynamo/exc.py:525] [5/0_2] {line}\n" for line in (
            "  Hint: Report an issue to the backend compiler repo.", "", "  Developer debug context: Backend: inductor",
            "    Exception:aten._local_scalar_dense.default", "", "    While executing %item : [num_users=2] = call_method[target=item](args = (%got,), kwargs = {})",
            "    GraphModule: class GraphModule(torch.nn.Module):", "        def forward(self, L_till_: \"i32[8][1]\"):",
            "             # File: /srv/shop.py:12 in sell, code: prices = till.tolist()", "            got = l_till_[0]",
            "            item: \"Sym(u0)\" = got.item();  got = None")), 0, "Backend compiler exception", 12, "capture_scalar_outputs = True"),
    "a record that begins in the code of a call": (
        "".join(f"W1024 01:17:10.936000 1404 torch/_dynamo/convert_frame.py:1009] {line}\n" for line in (
            "    return till(tray, copper, 'meta')", "           ^^^^^^^^^^^^^^^^^^^^^^^^^", "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:",
            "NameError: name 'ks0' is not defined", "")), 1, "name 'ks0' is not defined", None, "`dynamic=False`"),
    "an exception that is cut within the one it passes on": (
        "triton.compiler.CompilationError: at 4:11:\ndef triton_(seed0, out_ptr0, xnumel):\n    xnumel = 4294967296\n    x0 = 4294967296 + xnumel\n"
        "    tmp2 = tl.rand(seed0, x0)\n           ^\n\nThe above exception was the direct cause of the following exception:\n\n"
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 31, in <module>\n    till(x)\n"
        '  File "/v/site-packages/torch/_dynamo/output_graph.py", line 675, in call_user_compiler\n    raise BackendCompilerFailed(self.compiler_fn, e) from e\n'
        "torch._dynamo.exc.BackendCompilerFailed: debug_wrapper raised CompilationError: at 4:11:\ndef triton_(seed0, out_ptr0, xnumel):\n    xnumel = 4294967296\n",
        1, "tmp2 = tl.rand(seed0, x0)", 31, "make that tensor smaller"),
    "branches, and the lines that call what has one": (
        explained("x = self.till(x)", "return self.weigh(x)", "if x.sum() > top:", "y = x if full else None"), 0,
        "a branch on a tensor's value", 30, "The branches: shop.py:30, shop.py:40. shop.py:10, shop.py:20 show no branch"),
    "a branch, and a line that calls what has it": (
        explained("x = self.till(x)", "while not x.done:"), 0, "a branch on a tensor's value", 20,
        "The branch: shop.py:20. shop.py:10 shows no branch, and most likely only calls a function that has one."),
    "an assert, and a line that calls what has it": (
        explained("x = self.till(x)", "assert x.sum() > top"), 0, "an assert on a tensor's value", 20, "The branch: shop.py:20."),
    "lines of which none shows a branch": (
        explained("x = self.till(x)", "return self.weigh(x)"), 0, "a branch on a tensor's value", 10, "this text has the reasons of only 2"),
    "one branch that explain lists": (explained("if x.sum() > top:"), 0, "a branch on a tensor's value", 10, "counts 8 graph breaks"),
    "the end of a message above its beginning": (ENDS_FIRST.format(""), 1, "Could not guard on data-dependent", 12, "of `u3 != 2`"),
    "the end of a message above its beginning, after what was left out": (
        ENDS_FIRST.format("...\n"), 1, "Could not guard on data-dependent", 12, "of `u3 != 2`"),
    "the end of a message above its beginning, with a header": (
        ENDS_FIRST.format("Traceback (most recent call last):\n"), 1, "Could not guard on data-dependent", 12, "of `u3 != 2`"),
    "the end of another message above a message": (
        ENDS_FIRST.format("torch._dynamo.exc.UserError: Could not guard on data-dependent expression u7 < 9 (unhinted: u7 < 9).  "
                          "(Size-like symbols: none)\n\nUser Stack (most recent call last):\n"), 2, "u7 < 9", 12, "torch._check"),
    "a tool's line above a traceback that a logger begins": (
        "collect2: fatal error: cannot find 'ld'\ncompilation terminated.\n[2026-01-02 03:04:05,678][shop][ERROR] - Traceback (most recent call last):\n"
        '  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
        '  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 1038, in compile_wrapper\n    raise e.remove_dynamo_frames() from None\n'
        "torch._inductor.exc.InductorError: CalledProcessError: Command '['/usr/bin/gcc', '/tmp/t1/cuda_utils.c', '-o', '/tmp/t1/cuda_utils.so']' "
        "returned non-zero exit status 1.\n", 1, "linker", 12, "binutils"),
    "assertions of a kernel in a narrow window": (
        "".join(f"{line[at:at + 80]}\n" for block in range(3) for at in (0, 80) for line in [
            f"/srv/torchinductor_me/2a/ctill2aooxpvlgbpwhb2ggywkwsk.py:39: unknown: block: [{block},0,0], thread: [7,0,0] Assertion "
            "`index out of bounds: 0 <= tmp4 < 100` failed."]) + ASSERTED, 1, "failed. (3 threads)", 12, "An index is out of range"),
    "assertions of a kernel that a page wraps": (
        "".join(f"/srv/torchinductor_me/2a/ctill2aooxpvlgbpwhb2ggywkwsk.py:39: unknown: block:\n[{block},0,0], thread: [7,0,0] Assertion "
                "`index out of bounds: 0 <= tmp4 < 100` failed.\n" for block in range(3)) + ASSERTED,
        1, "failed. (3 threads)", 12, "An index is out of range"),
    "three numbered lines with a fault": (
        "    1 | step 0: 4.28\n    2 | Memory access fault by GPU node-1 (Agent handle: 0x55e92f08) on address (nil). Reason: Unknown.\n"
        "    3 | Aborted (core dumped)\n", 1, "Memory access fault", None, "AMD_SERIALIZE_KERNEL=3"),
    "the end of a traceback behind the name of a pod": (
        'till-0 main   File "/srv/shop.py", line 12, in sell\ntill-0 main     return price(basket)\n'
        'till-0 main   File "/v/site-packages/torch/_inductor/graph.py", line 1222, in run\ntill-0 main     return super().run(*args)\n'
        "till-0 main torch._inductor.exc.InductorError: AssertionError: till must be even\n", 1, "till must be even", 12, ""),
    "a memory of CUDA graphs whose lines lost their indentation": (
        REUSED.format("\n"), 1, "CUDA graphs", 16, "The compiled code itself keeps this tensor"),
    "a memory of CUDA graphs in one line": (
        REUSED.format(" ").replace("\n", " ") + "\n", 1, "CUDA graphs", 16, "The compiled code itself keeps this tensor"),
    "a call that is cut before its function": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
        '  File "/opt/venv/lib/python3.12/site-packages/torch/_functorch/_aot_autograd/utils.py", line 138,\nin call_func_at_runtime_with_args\n'
        "    out = normalize_as_list(f(args))\n"
        '  File "/v/site-packages/triton/backends/nvidia/driver.py", line 713, in __call__\n'
        "    self.launch(gridX, gridY, gridZ, stream, function, self.launch_cooperative_grid, self.launch_pdl, self.x,\n"
        "ValueError: Pointer argument (at 1) cannot be accessed from Triton (cpu tensor?)\n", 1, "cannot be accessed from Triton", 12, "on the CPU"),
    "torchrun's table below the traceback": (
        RAISED + CHILD.format(1, "To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html"), 1, "no till", 12, "newer PyTorch"),
    "torchrun's table below a traceback, with a signal": (
        RAISED + CHILD.format("-11", "Signal 11 (SIGSEGV) received by PID 12"), 2, "", 12, ""),
    "torchrun's table alone": (
        CHILD.format(1, "To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html"), 1, "ended with exit code 1", None,
        "Read the error of the process itself"),
    "sizes of an operator and of its fake kernel": (
        STRIDES_OF.format("/srv/run.py", "shop"), 1, "declares: 3 (stride 64) x 64 (stride 1), declared as 3 (stride 16) x 16 (stride 1)", 12, "opcheck"),
    "how far beyond the limit": (
        "E0522 08:20:38.332000 1 torch/_dynamo/utils.py:1401] RMSE (res-fp64): 0.04000, (ref-fp64): 0.00500 and shape=torch.Size([1]). "
        "res.dtype: torch.float32, multiplier: 3.000000, tol: 0.010000\n"
        "E0522 08:20:38.332000 1 torch/_dynamo/utils.py:1300] Accuracy failed for key name till.weight.grad\nfail_accuracy\n",
        1, "(it is 2.5 times that)", None, "far beyond"),
    "a warning in a function that compiled code calls": (
        BREAK_BELOW.format(place="/srv/shop.py:9", reason="Attempted to call function marked as skipped", file="/srv/shop.py", line=9, call="pay(x)",
                           explanation="Dynamo does not know how to trace the builtin `warnings.warn.`",
                           context="module: _warnings, qualname: warn, skip reason: <missing reason>", source='warnings.warn("sold")'), 0,
        "Graph break: `warnings.warn(…)`", 9, "only when nothing is being compiled"),
    "a norm that must be finite": (
        BREAK_BELOW.format(place="/v/site-packages/torch/nn/utils/clip_grad.py:116", reason="Data-dependent branching", line=116,
                           file="/v/site-packages/torch/nn/utils/clip_grad.py", call="clip_grad_norm_(p, 1.0, error_if_nonfinite=True)",
                           explanation="Detected data-dependent branching (e.g. `if my_tensor.sum() > 0:`).",
                           context="attempted to jump with TensorVariable()",
                           source="if error_if_nonfinite and torch.logical_or(total_norm.isnan(), total_norm.isinf()):"), 0,
        "Graph break: `error_if_nonfinite=True`", 20, "Remove that argument"),
    "a limit reached by classes of wrapped layers": (
        LIMIT_OF_TYPE.format(OF_WRAPPER), 0, "hit the recompile limit (8)", None, "up to PyTorch 2.4 makes one for each module"),
    "a limit reached by objects that are freed": (
        NEW_TILLS + LIMIT_OF_VALID.format("___guarded_code.valid"), 0, "because an object that it was made for no longer exists", 9,
        "The text makes a new object for each compile"),
    "a function that a library excludes": (
        EXCLUDED.format("Till.weigh", TILLS_OF_LIBRARY.format("tills/weigh")), 1, "`fullgraph=True` failed: `Till.weigh` is disabled", 187,
        "The library `tills` calls this function"),
    "a function of PyTorch that compares values": (
        COMPARED.format("return x - torch.nanquantile(x, self.q, dim=-1)"), 1, "`DataDependentOutputException`: aten.equal", 5,
        "`torch.nanquantile` itself compares values"),
    "a value that a hook of a logging package reads": (
        HOOKED.format(HOOK.format("wandb"), "if self.is_empty(flat):", "return (flat == 0).all().item()"), 0, "a tensor's value is read", 31,
        "`capture_scalar_outputs` does not help"),
    "a recompile without a reason, under a dispatch mode": (
        IN_MODE + BANNED.format(""), 1, "Recompilation refused", 15, "Most likely the dispatch mode is the cause"),
    "results that differ where tills are shuffled": (
        UNLIKE.format("allclose not within tol=0.001", "_till_shuffle"), 1, "Compiled and eager results differ", 89,
        "most likely no compiler is at fault"),
    "a function that is skipped under a dispatch mode": (
        "torch.compile changes nothing, and no error.\n\n" + SKIPPING.format("non-infra torch dispatch mode present"), 0,
        "a dispatch mode keeps a function from being compiled: skipping `sell` (shop.py)", None, "outside of the mode"),
    "a graph that is recorded again and again": (
        RECORDING.format(3, 3, 3, 4), 0, "CUDA graphs are recorded again and again: function 3 as graphs 8, 12, 16", None, "no-cudagraphs"),
    "an engine that waits while its workers compile": (
        WAITED.format(TOOK), 0, "Worker_TP0 compiled till 98.97 s (Dynamo 4.83 s, the graph 91.42 s)", None, "let it run"),
    "the message of a graph break, quoted": (
        SAID_TO_BREAK.format(SAYS_DYNAMIC, "return np.min(x) >= 0 and np.max(x) <= 1"), 0, "Graph break: a branch on a tensor's value", 9,
        "choose with `np.where` there"),
    "the message of a graph break that the text only quotes": (
        SAYS_DYNAMIC + " torch.compile of torch 2.4.0\n", 1, "Dynamic control flow is not supported at the moment", None, "Compute both sides"),
    "a print in a branch of cond": (
        IN_BRANCH.format(CALL_OF_PRINT), 1, "within Cond: `print", 11, "print only when nothing is being compiled"),
    "a print in a branch of cond, whose line the text lacks": (
        IN_BRANCH.format(""), 1, "within Cond: `print", 21, "print only when nothing is being compiled"),
    "counts of explain, and a reason in prose": (
        EXPLAINED.format(11, "9 of the break reasons are Tensor.item(), the rest are prints.", "n = int(stock.max().item()) + 1"), 0,
        "graphs that break: 11 breaks, 12 graphs, by `.item()`: n = int(stock.max().item()) + 1", None, "does not help before that"),
    "counts of explain, and a reason in code": (
        EXPLAINED.format(11, "No idea why.", "rows = stock.tolist()"), 0, "11 breaks, 12 graphs, by `.tolist()`: rows = stock.tolist()", None,
        "Take the reads out"),
    "counts of explain alone": (
        "Graph Count: 12\nGraph Break Count: 1\nOp Count: 90\n", 0, "graphs that break: 1 break, 12 graphs", None, "`TORCH_LOGS=graph_breaks` prints each"),
    "counts of explain without a break": (
        "Is one graph all?\n\nGraph Count: 1\nGraph Break Count: 0\nOp Count: 90\n", 0, "No problem of the compiler was found in this text: `explain` counts 1 graph", None,
        "TORCH_LOGS"),
    "lines of a log of which nothing is wrong": (
        "[2024-01-05 11:20:07,881] torch._dynamo.output_graph: [INFO] Step 2: calling compiler function inductor\n", 0,
        "No problem of the compiler was found in this text", None, "TORCH_LOGS"),
    "a setting of another config": (
        MISPLACED.format("torch._dynamo.max_autotune"), 0, "an option at the wrong place: `torch._dynamo.max_autotune` is not `torch._inductor.config.max_autotune`",
        None, "The option is `torch._inductor.config.max_autotune`"),
    "a setting of the config beside the module": (
        MISPLACED.format("torch._inductor.freezing"), 0, "`torch._inductor.freezing` is not `torch._inductor.config.freezing`", None, "before the first compiled call"),
    "a setting that another config refuses": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    torch._dynamo.config.freezing = True\n'
        '  File "/v/site-packages/torch/utils/_config_module.py", line 389, in __setattr__\n    raise AttributeError(\n'
        "AttributeError: torch._dynamo.config.freezing does not exist\n", 1, "torch._dynamo.config.freezing does not exist", 12,
        "another config has: `torch._inductor.config.freezing`"),
    "an option of another config": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    torch.compile(till, options={"activation_memory_budget": 0.5})\n'
        "RuntimeError: Unexpected optimization option activation_memory_budget, known options are ['debug']\n", 1, "Unexpected optimization option", 12,
        "`torch._functorch.config.activation_memory_budget`"),
    "a variable with a slip": (
        "TORCHINDUCTOR_MAX_AUTOTUN=1 python till.py changes nothing for torch.compile.\n", 0,
        "a variable that PyTorch does not read: `TORCHINDUCTOR_MAX_AUTOTUN` is not `TORCHINDUCTOR_MAX_AUTOTUNE`", None, "before Python starts"),
    "fixed sizes by a library's option": (
        WRAPPED_CONFIG.format("TillCompileConfig(backend='inductor', dynamic=False)"), 0, "dynamic shapes are off, by a library's option: TillCompileConfig(", None,
        "PyTorch's own default is `dynamic=None`"),
    "a size that is none, out of the backward": (
        OUT_OF_BACKWARD.format("RuntimeError: shape '[139948266552741, 64]' is invalid for input of size 4096", "With `def close` commented out it works."), 1,
        "Error out of the backward: `RuntimeError`: shape", 12, "139948266552741 is no size that a tensor has"),
    "an error out of the backward": (
        OUT_OF_BACKWARD.format("RuntimeError: shape '[8, 64]' is invalid for input of size 4096", ""), 1, "Error out of the backward", 12,
        "may be the one that AOTAutograd made"),
    "a check of the program's own": (
        OWN_CHECK.format('not self.net.training, "close it first"'), 1, "AssertionError", 33, "The program's own check fails (`not self.net.training`)"),
    "the flag of a compiled module": (
        "till = torch.compile(net)\ntill.eval()\ntill.training=True\ntill._orig_mod.training=False\nDoes it train?\n", 0, "the flag `training` of a compiled module", None,
        "ask `model._orig_mod.training`"),
    "an exported program that is not read back": (
        READ_BACK.format("torch.export.load", "load", "deserialize_graph"), 1, "PyTorch's own code fails: `AttributeError`", 12, "reads the exported program back (serialize.py)"),
    "a memory format of another rank": (
        'import torch\ntill = torch.compile(till)\nTraceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    till.to(memory_format=torch.channels_last)\n'
        "RuntimeError: required rank 4 tensor to use channels_last format\n", 1, "required rank 4", 12, "`channels_last_3d`"),
    "a gradient of functorch that leaves a backward out": (
        OWN_GRADIENT.format("The results are wrong: the backward is ignored when compiled.", "torch.func.grad"), 0, "a backward that a compiled `grad` or `vjp` does not use", None,
        "own `backward` is left out"),
    "code that logs an error, and an error": (
        CAUGHT_IN_CODE.format('logger.warning(f"torch.compile failed: {e}")', "RuntimeError: torch has no such till\n"),
        1, "torch has no such till", None, "ithout `torch.compile`"),
    "a traceback that hangs below a logger's level": (
        HANGING.format("return self.price(x)"), 1, "FX to symbolically trace", 12, "option of it turns one of the two off"),
    "a chain of tracebacks that hang": (HANGING_CHAIN, 1, "no prices", 35, ""),
    "a logger's line where the message of a traceback is missing": (NO_END, 1, "the text ends before its message", 31, "last lines"),
    "a device of which Inductor has no code": (NO_DEVICE, 1, "cannot compile for GPUs of Apple", 18, "PyTorch 2.7"),
    "the same without its date": (
        NO_DEVICE.replace("[2024-05-30 21:21:57,649] ", ""), 1, "cannot compile for GPUs of Apple", 18, "PyTorch 2.7"),
    "an operator that does other than it declares, in back quotes": (NOT_AS_DECLARED, 1, "against the schema of `shop::price`", 33, "corrects the schema"),
    "full after a recompile for a smaller batch": (
        RANKS_EXCERPT.format("is out of memory") + FULL_AFTER, 1, "15.62 GiB", 90, "dimension 0 of `x` went from 16 to 3"),
    "a heading of the user's calls that is indented": (
        INDENTED.format("Found from : "), 1, "Invalid ranges [0:-1]", 31, "aten.view.default"),
    "a number of a tensor where a graph runs again": (
        REBOUND.format("float"), 1, "'float' object has no attribute 'node'", 12, "stride.tolist()"),
    "a kernel's name that Python changed": (
        MANGLED.format("/tmp/torchinductor_eva/ab/cab.py"), 1, "name '_Runner__till_kernel_0' is not defined", 12, "begins with two underscores"),
    "a helper that a kernel of a library lacks": (
        HELPER.format("till_is_open"), 1, "NameError('till_is_open is not defined')", None, "`--enable-torch-compile`"),
    "code of one parameter that met another one": (
        SHARDED.format("We wrap each till with fully_shard.", "32==64"), 1, "expected size 32==64", 12, "Wrap whole layers with `fully_shard`"),
    "a traceback's header in the words of a library": (
        HEADED.format("weakproxy", "most recent calls WITHOUT Sacred internals"), 1, "cannot create weak reference to 'weakproxy'", 12,
        "self.net = torch.compile(self.net)"),
    "a traceback's header, and behind it words in brackets": (
        HEADED.format("weakref.ProxyType", "most recent call last, tills are hidden"), 1, "cannot create weak reference to 'weakref.ProxyType'", 12,
        "self.net = torch.compile(self.net)"),
    "a type of numbers that changed with the version": (
        TYPES_OF_VERSIONS.format(340, "float32"), 0, "torch.bfloat16 with 2.11.0+cu128, torch.float32 with 2.12.1+cu128, of `till.norm(x)`", None,
        "Convert the result back (`.to(x.dtype)`)"),
    "rows of numbers below the names of backends": (
        ROWS_OF_BACKENDS.format("0.0"), 0, "wrong with inductor, and right with aot_eager: 0.0 where eager mode has 1.0", None, "it is a bug of Inductor"),
    "workers of a job of which bigger ones are killed": (
        WORKERS_OF_SHOP.format("bigger jobs get OOMKilled"), 0, "processes of one parent 4127: 4 processes", None,
        "torch._inductor.config.compile_threads = 1"),
    "a job that was killed, beside its workers": (
        WORKERS_OF_SHOP.format("and in the end the pod was OOMKilled"), 1, "OOMKilled", None, "dmesg"),
    "a version that needs more when compiled": (
        SHOP_BY_VERSIONS.format(14.5, 11.3), 0, "it is worse only with 2.10 and compiled: 14.5, 11 with 2.9.1, and 11.3 uncompiled", None,
        "Stay on the version before"),
    "a number for which a tensor is passed": (
        PASSES_TENSOR.format("till::sell() Expected a value of type 'float' for argument 'price' but instead found type 'FakeTensor'."), 1,
        "Expected a value of type 'float'", 12, "Keep it as a number of Python"),
    "a cold start although the caches were hit": (
        COLD_SHOP.format(0), 0, "times that the program measured", None, "Dynamo, which traces the code and builds guards in each process"),
    "a message below what a program prints while it works": (
        STATUS_ABOVE, 1, "Unexpected type in sourceless builder tillkit.belts.BeltConfig", 45, "Read what you need from it"),
    "an error of the user's behind a label": (
        "[till] all belts loaded\nError: no such belt\n\nfrom user code:\n   File \"/srv/shop/till.py\", line 5, in sell\n    return f(x)\n",
        1, "no such belt", 5, ""),
    "the same error with a part of its stack": (NEW_OPTION, 1, "c_ulong.__mul__", 44, "Call it before"),
    "the same error at two calls": (
        NEW_OPTION.replace("line 21, in forward\n    return self.sell(x)\n[same", "line 23, in forward\n    return self.sell(y)\n[same"), 2,
        "c_ulong.__mul__", 44, "Call it before"),
    "a size that C++ code does not declare": (
        REJECTS_SIZE.format('rows = Dim("rows")\nspec = {0: 3 * rows}'), 1, "CppCompileError", 12, "derived dimension"),
    "C++ code that the compiler rejects": (
        REJECTS_CODE.format("/tmp/torchinductor_me/ab/cab.cpp:7:9: error: no match for 'operator*'"), 1, "CppCompileError", 12, "newer PyTorch"),
    "a number that new_tensor reads": (READS_NUMBER.format("return x.new_tensor([n])"), 1, "Could not extract specialized integer", 7, "x.new_full((1,), n)"),
    "a global state that changes": (
        STATE_CHANGED.format("Global state changed while dynamo tracing, please report a bug"), 1, "Global state changed", 12, "torch.set_default_dtype"),
    "a global state that changes and has a name": (
        STATE_CHANGED.format("Global default_dtype state changed while dynamo tracing, please report a bug"), 1, "Global default_dtype state changed", 12,
        'names before "state"'),
    "the largest index of torch_scatter": (
        READS_LARGEST.format("/v/site-packages/torch_scatter/scatter.py", "size[dim] = int(index.max()) + 1"), 0, "the largest index is read", 12, "`dim_size` of torch_scatter"),
    "calls of microseconds": (
        SHORT_CALLS.format("", "18.5", "33.1"), 0, "18.5 us in eager mode, 33.1 to 41.5 us compiled", None, "still check the guards"),
    "memory that the collector gives back, in numbers": (
        HELD_BY_SHOPS.format("The same loop with gc.collect()", 1000000, 1000000), 0, "`gc.collect()` gives back: The same loop", None, "in a circle"),
    "memory that the collector gives back": (
        "The memory grows with each torch.compile of our tills. When I call gc.collect() behind it, the memory goes back to 3 GB.", 0,
        "`gc.collect()` gives back", None, "in a circle"),
    "a small program that is wrong with Inductor": (
        WRONG_IN_INDUCTOR.format("", "0, 0, 0, 0, 0, 0, 0, 0"), 0, "the compiled result is wrong", None, "small enough as it is"),
    "a backward in a compiled function": (
        IN_SHOP.format(complaint="The compiled step needs 2 GB more memory, and I do not know why", code=SELLS_AND_LEARNS), 0, "calls `backward()`: loss.backward()", None,
        "outside of the compiled function"),
    "a long loop in a compiled function": (
        IN_SHOP.format(complaint="It takes forever to compile", code=SELLS_LONG), 0, "has a loop: for day in range(365):", None,
        "leave the loop outside"),
    "a method of a compiled module": (
        IN_SHOP.format(complaint="There is no speedup with torch.compile", code=SELLS_BY_METHOD), 0, "the text calls `sell_all`, and not the module", None,
        "model.forward = torch.compile(model.forward)"),
    "a number in a compiled function": (
        IN_SHOP.format(complaint="The compiled function is slower", code=SELLS_AND_READS), 0, "leaves the graph: log.append(total.item())", None,
        "outside of the compiled function"),
    "a line that a graph of the backward has many times": (GRAPH_OF_TILLS, 0, "till.py:25 becomes `cumprod` up to number 15", None, "exp(cumsum(log(x)))"),
    "operators of one name that stand below several lines": (
        GRAPH_OF_TILLS.replace("        cumprod_7", "        # File: /srv/shop/till.py:31 in sell, code: b = torch.cumprod(y, dim=1)\n        cumprod_7"),
        0, "it is slow", None, "TORCH_LOGS=recompiles,graph_breaks"),
    "an attribute of a class that changes between two calls": (
        CLASS_OF_TILL.format(change="Till.rate = 3.0"), 0, "does not see a change of a class: `Till.rate` is 3.0", None, "torch.compiler.reset()"),
    "another thing that changes between two calls": (
        CLASS_OF_TILL.format(change="till.rate = 3.0"), 0, "its writer says that results are wrong", None, ""),
    "times of two layouts, one of which is slower": (
        TIMES_OF_LAYOUTS.format(mode='"reduce-overhead"', eager="7.36"), 0, "slower, in one memory layout, in 1 of 2 pairs: as it is 7.41 to 14.9 (2 times); faster: x.contiguous() 7.36 to 6.98 (1.1 times); with TILLS=0 11.02",
        None, "The layout of the input decides"),
    "times of two layouts, both slower": (TIMES_OF_LAYOUTS.format(mode='"reduce-overhead"', eager="3.36"), 0, "slower, in 2 of 2 pairs", None, "recompiles,graph_breaks"),
    "times of both passes, and alike ones of the forward": (TIMES_OF_PASSES.format(first="0.06"), 0, "slower, in the backward alone", None, "TORCH_LOGS=aot_graphs"),
    "times of both passes, and slower ones of the forward": (TIMES_OF_PASSES.format(first="0.66"), 0, "compiled code is slower, in 2 of 2 pairs", None, ""),
    "a complaint that only stands beside another": (
        "torch.compile(till) is much slower than eager when I sell two things. Also compiling is slow since last week.\n",
        0, "its writer says that it is slow", None, ""),
    "two complaints": (
        "torch.compile(till) is much slower than eager when I sell two things. And compiling is slow since last week.\n",
        0, "compiling takes long", None, "TORCH_TRACE=DIR"),
    "a candidate that autoquant leaves out": (
        AUTOQUANT.format(warning="warning: failed to autoquant AQTill for shape: (torch.Size([1, 30])) due to self.size(0) needs to be greater than 16, but got 1\n"),
        0, "failed to autoquant AQTill", None, "This is no error"),
    **{f"a column of {name} between calls": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 141, in <module>\n    Shop(till)\n' + f"  {mark}\n" * 3 +
        '  File "/srv/shop.py", line 97, in sell\n    return self.net(x)\n'
        '  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 328, in _fn\n    return fn(*args, **kwargs)\n' + f"  {mark}\n" * 2 +
        '  File "/v/site-packages/torch/_dynamo/backends/distributed.py", line 284, in compile_fn\n    if price.requires_grad:\n'
        "torch._dynamo.exc.BackendCompilerFailed: backend='compile_fn' raised:\nAttributeError: 'Till' object has no attribute 'requires_grad'\n",
        1, "'Till' object has no attribute", 97, "optimize_ddp") for name, mark in (("full stops", "."), ("colons", ":"), ("three dots", "..."))},
    "a worker's error, and the server's that quotes it": (
        MARKED.format("vllm/compilation/decorators.py") + "ERROR 06-25 02:18:39 [core.py:515] EngineCore failed to start.\n"
        "RuntimeError: Worker failed with error 'Constraints violated (L['tills'].size()[0])!\n', please check the stack trace above for the "
        "root cause\n", 1, "constant 40", 12, "--enforce-eager"),
    "a view of what a sparse tensor stores": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 30, in <module>\n    print(weigh(matrix.values(), x))\n'
        '  File "/v/site-packages/torch/_dynamo/pgo.py", line 340, in is_stride_dynamic\n    return self.stride[dim] is auto_dynamic\nIndexError: tuple index out of range\n\n'
        'from user code:\n   File "/srv/shop.py", line 12, in weigh\n    return value.sin() * x\n',
        1, "IndexError", 12, "values().clone()"),
    "an index of Dynamo's own that is no view of a sparse tensor": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 30, in <module>\n    print(weigh(matrix.values(), x))\n'
        '  File "/v/site-packages/torch/_dynamo/pgo.py", line 340, in merge_size\n    return self.size[dim]\nIndexError: tuple index out of range\n\n'
        'from user code:\n   File "/srv/shop.py", line 12, in weigh\n    return value.sin() * x\n',
        1, "IndexError", 12, "The compiler itself failed"),
    "a coroutine that was compiled, without words": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 30, in <module>\n    print(weigh(matrix.values(), x))\n'
        '  File "/v/site-packages/torch/_dynamo/resume_execution.py", line 284, in generate\n    assert not (\nAssertionError: \n\n'
        'from user code:\n   File "/srv/shop.py", line 12, in weigh\n    await asyncio.sleep(0)\n',
        1, "AssertionError", 12, "(`async def`)"),
    "another assertion where functions are resumed": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 30, in <module>\n    print(weigh(matrix.values(), x))\n'
        '  File "/v/site-packages/torch/_dynamo/resume_execution.py", line 284, in generate\n    assert price\nAssertionError: \n\n'
        'from user code:\n   File "/srv/shop.py", line 12, in weigh\n    return value.sin() * x\n',
        1, "AssertionError", 12, "The compiler itself failed"),
    "addresses that are compared": (
        "Graph break in user code at /srv/shop.py:12\nGraph Break Reason: Data pointer comparison\n"
        "  Explanation: Dynamo can only trace data pointer comparisons when it can prove both operands have the same data pointer.\n"
        "  Developer debug context: richcompare_impl DataPtrVariable() __eq__ DataPtrVariable()\n\nUser code traceback:\n"
        '  File "/srv/shop.py", line 12, in price\n    if goods.data_ptr() == stock.data_ptr():\n',
        0, "addresses are compared", 12, "compare the objects"),
    "graphs that the backend refuses as a library prints tensors": (
        REFUSED.format("tills"), 0, "below `__repr__` of `tills`", None, "how tensors are printed"),
    "graphs that the backend refuses": (REFUSED.format("torch"), 0, "refuses graphs", None, "could not compile"),
    "a size that the exported program refuses, and the model of AOTInductor does not": (
        "FAIL: program: Expected input at *args[0].shape[0] to be equal to 1, but got 3\n" + SIZES_OF_TILL, 1, "Expected input at", 12,
        "the program checks it, and the compiled model does not"),
    "an error report of ComfyUI": (
        REPORT_OF_NODE.format("KeyError", "'till_7'"), 1, "till_7", 88, "exclude the function"),
    "an error report of ComfyUI, of a path that is too long": (
        REPORT_OF_NODE.format("torch._inductor.exc.InductorError", "FileNotFoundError: [Errno 2] No such file or directory: 'C:\\\\Users\\\\"
                              + "till" * 50 + "\\\\torchinductor_me\\\\triton\\\\0\\\\tmp.pid_7_1\\\\__grp__triton_red_fused_5.json'\n"),
        1, "A path is longer than", 88, "TRITON_CACHE_DIR"),
    "the module of an exported program in eval mode": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sold.eval()\n'
        '  File "/v/site-packages/torch/export/exported_program.py", line 1484, in _eval\n'
        '    raise NotImplementedError("Calling eval() is not supported yet.")\n'
        "NotImplementedError: Calling eval() is not supported yet.\n", 1, "Calling eval() is not supported yet", 12, "keeps the mode"),
    "dynamic shapes whose keys are not the arguments": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    p = torch.export.export(Till(), (goods, mask), dynamic_shapes=sizes)\n'
        '  File "/v/site-packages/torch/export/dynamic_shapes.py", line 771, in _check_dynamic_shapes\n    raise UserError(\n'
        "torch._dynamo.exc.UserError: When `dynamic_shapes` is specified as a dict, its top-level keys must be the arg names ['goods', 'mask'] of `inputs`, "
        "but here they are ['bread', 'mask']. Alternatively, you could also ignore arg names entirely and specify `dynamic_shapes` as a list/tuple "
        "matching `inputs`.\n", 1, "must be the arg names", 12, "below the key of that argument"),
    "an export with an object of a class of the program's": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    p = torch.export.export(Till(), (x, Prices(3, 5)))\n'
        '  File "/v/site-packages/torch/export/graph_signature.py", line 532, in _make_argument_spec\n    raise AssertionError(\n'
        "AssertionError: Encountered an unsupported object of type <class '__main__.Prices'> while writing the metadata for exported program\n",
        1, "while writing the metadata", 12, "register_dataclass"),
    "an export that does not take an object of a class of the program's": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    p = torch.export.export(Till(), (x, Prices(3, 5)))\n'
        '  File "/v/site-packages/torch/_export/non_strict_utils.py", line 130, in fakify\n    raise ValueError(f"Unsupported input type {type(t)}")\n'
        "ValueError: Unsupported input type <class '__main__.Prices'>\n",
        1, "Unsupported input type", 12, "register_dataclass"),
    "Triton finds no toolkit of CUDA on Windows": (
        TRITON_PREPARES + '  File "C:\\v\\Lib\\site-packages\\triton\\backends\\nvidia\\driver.py", line 24, in libcuda_dirs\n'
        '    return [os.path.join(cuda_path, "lib", "x64")]\n  File "C:\\python\\Lib\\ntpath.py", line 104, in join\n    path = os.fspath(path)\n'
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\n"
        "TypeError: expected str, bytes or os.PathLike object, not NoneType\n",
        1, "not NoneType", 12, "finds no CUDA toolkit"),
    "Triton fails while it prepares its driver": (
        TRITON_PREPARES + '  File "C:\\v\\Lib\\site-packages\\triton\\backends\\nvidia\\driver.py", line 30, in tools\n'
        "    return found[0]\n"
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nIndexError: list index out of range\n",
        1, "list index out of range", 12, "before any kernel"),
    "a CUDA graph that waits for an event of another": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/site-packages/torch/_ops.py", line 756, in __call__\n    return self._op(*args, **kwargs)\n'
        "torch.AcceleratorError: CUDA error: operation not permitted on an event last recorded in a capturing stream\n",
        1, "CUDA graphs", 12, "no graph break between the two"),
    "a CUDA graph that waits for what began before it": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/site-packages/torch/_ops.py", line 756, in __call__\n    return self._op(*args, **kwargs)\n'
        "RuntimeError: CUDA error: dependency created on uncaptured work in another stream\n",
        1, "CUDA graphs", 12, "begin it within the same compiled function"),
    "a failure of pytest as code of Markdown": (
        "CI of our tills, since the bump:\n\n" + each_line(PYTEST_OF_TILLS, "    "), 1, "Could not set tensor of type", 12, "another dtype"),
    "a failure of pytest": ("CI of our tills, since the bump:\n\n" + PYTEST_OF_TILLS, 1, "Could not set tensor of type", 12, "another dtype"),
    "a traceback behind a warning of PyTorch's, without a prefix": (
        "Encountered an exception in identify_mutated_tensors, assuming every input is mutated\n" + UNANALYZED, 0, "assuming every input", None,
        "there are more copies"),
    "a traceback behind a warning of PyTorch's with a prefix": (
        "[2024-02-07 10:00:00,123] [0/0] torch._higher_order_ops.triton_kernel_wrap: [WARNING] Encountered an exception in "
        "identify_mutated_tensors, assuming every input is mutated\n" + UNANALYZED, 0, "assuming every input", None, "there are more copies"),
    "a traceback some lines behind a warning of PyTorch's": (
        "Encountered an exception in identify_mutated_tensors, assuming every input is mutated\nThe tills are open\n" + UNANALYZED, 1,
        "till lost", None, "Run the same without them"),
    "a check of a library below an export": (ASKS.format("/v/site-packages/tills/till.py", "site-packages/tills/till.py"), 1, "Ne(u0, 512)", 21,
        "reached from shop.py:12"),
    "a check of a library below an export, which is not named as the cause": (
        ASKS.format("/v/site-packages/tills/till.py", "srv/other.py").split("\n\nCaused by")[0], 1, "Ne(u0, 512)", 12, "state"),
    "a warning of CUDA graphs behind a bar, of several lines": (
        "  3%|#  | 8/222 [03:01<1:19:58, 22.42s/it]CUDAGraph supports dynamic shapes by recording a new graph for each distinct\n"
        "input size. Recording too many CUDAGraphs may lead to extra overhead.\nWe have observed 7 distinct sizes.\nThe till is open.\n", 0,
        "Only a warning: CUDAGraph supports dynamic shapes by recording a new graph for each distinct input size. Recording too many "
        "CUDAGraphs may lead to extra overhead. We have observed 7 distinct sizes", None, "pad to them"),
    "a hint of TF32": ("/srv/torch/_inductor/compile_fx.py:282: UserWarning: TensorFloat32 tensor cores for float32 matrix multiplication "
        "available but not enabled.\n  warnings.warn(\n", 0, "TensorFloat32 tensor cores", None, "Compiling works, and nothing need be done"),
    "a native stack alone, of a launcher that raised an error": (
        "==== backtrace (tid:  42) ====\n 0 0x0000000000042520 __sigaction()  ???:0\n"
        " 1 0x000000000016a659 PyErr_SetString()  python-3.9/Python/errors.c:214\n"
        " 2 0x0000000000001403 gpuAssert.constprop.0()  main.c:0\n 3 0x0000000000001873 launch()  main.c:0\n"
        " 4 0x000000000013bf90 PyCFunction_Call()  python-3.9/Objects/call.c:773\n"
        "=================================\nSegmentation fault (core dumped)\n", 1,
        "ended by a segmentation fault: in `gpuAssert`, which raised a Python error, called by `launch`", None, "look for `Xid`"),
    "a native stack of a library": (
        "[till7:42   :0:42] Caught signal 11 (Segmentation fault: address not mapped to object)\n"
        "==== backtrace (tid:  42) ====\n 0 0x0000000000042520 __sigaction()  ???:0\n"
        " 1 0x0000000000001403 shop::sell()  shop.cpp:7\n 2 0x0000000000001873 main()  main.c:0\n", 1,
        "in `shop::sell`, called by `main`", None, "See whose native code it is"),
    "NCCL's watchdog on two ranks, and the abort that follows": (
        "".join(f"[rank{r}]:[E418 11:52:07.11840233{r} ProcessGroupNCCL.cpp:2057] [PG ID 2 PG GUID 3 Rank {r}] Process group watchdog "
            "thread terminated with exception: CUDA error: an illegal memory access was encountered\n" for r in (1, 2)) +
        "Fatal Python error: Aborted\n", 2,
        "CUDA error: an illegal memory access was encountered (noticed by NCCL's watchdog) (on ranks 1, 2)", None,
        "CUDA_LAUNCH_BLOCKING=1"),
    "parts of a function that draws, as 2.0 logs them": (
        "".join(f"[2023-04-11 09:26:4{i},227] torch._dynamo.convert_frame: [WARNING] torch._dynamo hit config.cache_size_limit (64)\n"
            f"   function: '<graph break in draw_line>' (/srv/site-packages/matplotlib/lines.py:{80 + i})\n   reasons:  {name} == 3.5\n"
            for i, name in enumerate("wh")), 0, "runs eagerly at 2 places: the Python number `w` was 3.5", 80,
        "into a function with `@torch._dynamo.disable`"),
    "another torch function mode than in the first call": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - 0/0: ___check_torch_function_mode_stack()")), 0, "the active torch function modes changed", 12,
        "Enter the same ones around every call, or around none"),
    "an array of NumPy of another dtype": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - 0/0: tensor '___from_numpy(price)' dtype mismatch. expected Double, actual Float")), 0,
        "`price` went from float64 to float32", 12, "Convert this array of NumPy to one dtype"),
    "an index at which a tensor is written": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - 0/0: i.item() == 0  # stock[i] = count  # srv/shop.py:14 in sell")), 0, "`i.item() == 0` no longer holds", 14,
        "`index_copy_` and `index_put_` take the index as a tensor"),
    "a memo that the first call fills": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - 0/0: not G['packed']  # packed[name] = price  # srv/shop.py:8 in pack")), 0, "`packed` was empty", 8,
        "fill it before the first compiled call"),
    "a check of an input of the graph": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/tmp/torchinductor_me/ab/cab.py", line 88, in call\n'
        "    assert_size_stride(arg7_1, (3, 16), (16, 1), 'input')\nAssertionError: expected size 3==3, stride 64==16 at dim=0\n"
        "This error most often comes from a incorrect fake (aka meta) kernel for a custom op.\n"
        "Use torch.library.opcheck to test your custom op.\n", 1, "expected size 3==3", 12, "its stride is 64 instead of 16"),
    "a check of an operator's result": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/tmp/torchinductor_me/ab/cab.py", line 88, in call\n'
        "    assert_size_stride(buf7, (3, 16), (16, 1), 'torch.ops.shop.price.default')\n"
        "AssertionError: expected size 3==3, stride 64==16 at dim=0\n"
        "This error most often comes from a incorrect fake (aka meta) kernel for a custom op.\n"
        "Use torch.library.opcheck to test your custom op.\n", 1, "Compiled code failed at run time", 12, "opcheck"),
    "two copies of OpenMP, which end the process": (
        "torch==2.3.0, macOS 14.1, pip only\nOMP: Error #15: Initializing libomp.dylib, but found libomp.dylib already initialized.\n"
        "Fatal Python error: Aborted\n\nThread 0x00000001f5e7d000 (most recent call first):\n"
        '  File "/var/folders/9k/T/torchinductor_me/ab/cab.py", line 43 in call\n  File "/Users/me/shop.py", line 12 in <module>\n'
        "% find v -name 'libomp*'\nv/site-packages/torch/.dylibs/libomp.dylib\nv/site-packages/torch/lib/libomp.dylib\n",
        1, "Two copies of OpenMP", None, "PyTorch's own package"),
    "words for calls that were left out": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        "  [ ... module.py, eval_frame.py, till.py ... ]\n"
        '  File "/v/site-packages/torch/_ops.py", line 756, in __call__\n    return self._op(*args, **kwargs)\n'
        "RuntimeError: CUDA error: operation not permitted when stream is capturing\n",
        1, "operation not permitted when stream is capturing", 12, "CUDA graphs"),
    "a pass of Triton's that fails, with its reason": (
        "/tmp/torchinductor_me/ab/cab.py:56:26: error: operand #0 does not dominate this use\n    tmp18 = libdevice.cos(tmp13)\n"
        "                         ^\nmodule {\n  tt.func public @triton_per_fused_cos_3(%arg0: i32) {\n"
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/site-packages/triton/backends/nvidia/compiler.py", line 309, in make_ttgir\n    pm.run(mod)\n'
        "torch._inductor.exc.InductorError: RuntimeError: PassManager::run failed\n",
        1, "operand #0 does not dominate this use, in `tmp18 = libdevice.cos(tmp13)`, cab.py:56:26", 12, "the file of the kernel"),
    "a pass of Triton's that fails without a reason": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/site-packages/triton/backends/nvidia/compiler.py", line 309, in make_ttgir\n    pm.run(mod)\n'
        "torch._inductor.exc.InductorError: RuntimeError: PassManager::run failed\n",
        1, "PassManager::run failed", 12, "compile without max-autotune"),
    "a product in code that a library writes": (
        "torch._dynamo.exc.TorchRuntimeError: Failed running call_function <built-in method matmul>(*(FakeTensor(..., size=(7, 32)), "
        "FakeTensor(..., size=(4, 32))), **{}):\na and b must have same reduction dim, but got [7, 32] X [4, 32].\n\nfrom user code:\n"
        '   File "/content/unsloth_compiled_cache/Till.py", line 80, in price\n    sums = torch.matmul(coins, drawer.t())\n',
        1, "same reduction dim", 80, "Both matrices end in the size 32"),
    "a list with an index that is no number": (
        "W0904 16:02:45.483000 18 site-packages/torch/_dynamo/convert_frame.py:1125] WON'T CONVERT sell /srv/shop.py line 10\n"
        "W0904 16:02:45.483000 18 site-packages/torch/_dynamo/convert_frame.py:1125] due to:\n"
        "W0904 16:02:45.483000 18 site-packages/torch/_dynamo/convert_frame.py:1125] Traceback (most recent call last):\n"
        "W0904 16:02:45.483000 18 site-packages/torch/_dynamo/convert_frame.py:1125]   File "
        '"/v/site-packages/torch/_dynamo/variables/lists.py", line 105, in getitem_const\n'
        "W0904 16:02:45.483000 18 site-packages/torch/_dynamo/convert_frame.py:1125]     assert isinstance(index, (int, torch.SymInt))\n"
        "W0904 16:02:45.483000 18 site-packages/torch/_dynamo/convert_frame.py:1125] AssertionError:\n"
        "W0904 16:02:45.483000 18 site-packages/torch/_dynamo/convert_frame.py:1125]\n"
        "W0904 16:02:45.483000 18 site-packages/torch/_dynamo/convert_frame.py:1125] from user code:\n"
        'W0904 16:02:45.483000 18 site-packages/torch/_dynamo/convert_frame.py:1125]    File "/srv/shop.py", line 12, in sell\n'
        "W0904 16:02:45.483000 18 site-packages/torch/_dynamo/convert_frame.py:1125]     price = prices[x.device.index]\n",
        1, "isinstance(index, (int, torch.SymInt))", 12, "print what stands in the brackets"),
    "the title of an issue": (
        "[Bug]: [till] RuntimeError: Found Quokka Q100 which is too old to be supported by the triton GPU compiler\n\n"
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/site-packages/torch/_dynamo/output_graph.py", line 1446, in _call_user_compiler\n    raise BackendCompilerFailed(self, e) from e\n'
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nRuntimeError: Found Quokka Q100 which is too old to be "
        "supported by the triton GPU compiler, which is used as the backend. Triton only supports devices of CUDA Capability >= 7.0\n",
        1, "The GPU is too old for Triton", 12, "TORCHDYNAMO_DISABLE=1"),
    "a lack of memory that only the allocator logs": (
        "RuntimeError: aoti_torch_empty_strided(3, int_array_74, &buf80_handle) API call failed at /tmp/torchinductor_me/c1.main.cpp, line 3311\n\n"
        "I think it is this:\n\n[W831 10:32:25.255074645 CUDACachingAllocator.cpp:508] expandable_segments: memory mapping failed with OOM on "
        "device 0 while trying to map 20971520 bytes (free: 15663104, total: 33671348224).\n",
        1, "Out of memory: `RuntimeError`: expandable_segments: memory mapping failed with OOM", None, "smaller"),
    "a test of pytest's, and the beginning of the next one's message": (
        PYTEST_CHILD + 'E     File "/srv/test_shop.py", line 12, in run\nE       net = torch.compile(net)\n'
        "E   RuntimeError: Dynamo is not supported on Python 3.12+\n____________ ShopTests.test_till _____________\n\n" + PYTEST_CHILD,
        1, "cannot compile under Python 3.12", 12, "Python 3.11"),
    "an assertion of a GPU, and the exception of a rank": (
        "/tmp/torchinductor_me/c1.py:7: unknown: block: [0,0,0], thread: [3,0,0] Assertion `index out of bounds: 0 <= tmp2 < 32` failed.\n"
        '[rank0]: Traceback (most recent call last):\n[rank0]:   File "/srv/shop.py", line 12, in sell\n[rank0]:     self.net(x)\n'
        '[rank0]:   File "/v/site-packages/torch/_inductor/runtime/triton_heuristics.py", line 808, in run\n[rank0]:     launcher(x)\n'
        "[rank0]: RuntimeError: Triton Error [CUDA]: device-side assert triggered\n",
        1, "index out of bounds: 0 <= tmp2 < 32", 12, "token id"),
    "a chain whose link was left out": (
        '  File "/v/site-packages/torch/_subclasses/fake_tensor.py", line 410, in local_scalar_dense\n    raise DataDependentOutputException(func)\n'
        "torch._subclasses.fake_tensor.DataDependentOutputException: aten._local_scalar_dense.default\n\nWhile executing %_assert\n"
        'Original traceback:\n  File "/srv/shop.py", line 12, in sell\n    assert x.sum() > 0\n\nTraceback (most recent call last):\n'
        '  File "/srv/shop.py", line 15, in <module>\n    sell(x)\n'
        '  File "/v/site-packages/torch/_dynamo/output_graph.py", line 681, in call_user_compiler\n    raise BackendCompilerFailed(self.compiler_fn, e) from e\n'
        "torch._dynamo.exc.BackendCompilerFailed: debug_wrapper raised DataDependentOutputException: aten._local_scalar_dense.default\n\n"
        'While executing %_assert\nOriginal traceback:\n  File "/srv/shop.py", line 12, in sell\n    assert x.sum() > 0\n',
        1, "DataDependentOutputException: aten._local_scalar_dense.default", 12, ""),
    "a stack whose middle was left out, with the end of another message": (
        "".join("W1024 01:17:10.{} 1404 torch/_dynamo/convert_frame.py:1009] {}\n".format(*line) for line in (
            ("913000", "WON'T CONVERT sell /srv/shop.py line 12 "), ("913000", "due to: "), ("913000", "Traceback (most recent call last):"),
            ("913000", '  File "/v/site-packages/torch/_dynamo/output_graph.py", line 1446, in _call_user_compiler'),
            ("936000", "    run(x)"), ("936000", "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:"),
            ("936000", "NameError: name 'quokka' is not defined"), ("936000", ""))),
        1, "`BackendCompilerFailed`: backend='inductor' raised: NameError: name 'quokka' is not defined", 12, "backend"),
    "frames that Colab folds": (
        "-" * 75 + "\nRuntimeError                              Traceback (most recent call last)\n"
        "[/v/dist-packages/torch/_dynamo/output_graph.py](https://localhost:8080/#) in call_user_compiler(self, gm)\n    669 else:\n"
        "--> 670     compiled_fn = compiler_fn(gm)\n\n42 frames\n"
        "[/v/dist-packages/torch/_inductor/lowering.py](https://localhost:8080/#) in sell(x)\n    409 else:\n--> 410     raise RuntimeError()\n\n"
        "RuntimeError: no quokka\n\nThe above exception was the direct cause of the following exception:\n\n"
        "BackendCompilerFailed                     Traceback (most recent call last)\n"
        "[<ipython-input-4-3e705702cd1e>](https://localhost:8080/#) in <cell line: 92>()\n     93 x = 1\n---> 94 sell(x)\n\n"
        "[/v/dist-packages/torch/_dynamo/output_graph.py](https://localhost:8080/#) in call_user_compiler(self, gm)\n    674 else:\n"
        "--> 675     raise BackendCompilerFailed(e) from e\n\nBackendCompilerFailed: debug_wrapper raised RuntimeError: no quokka\n",
        1, "`BackendCompilerFailed`: debug_wrapper raised RuntimeError: no quokka", 94, "backend"),
    "numbers of lines as links": (
        'torch._dynamo.exc.InternalTorchDynamoError: no quokka\n\nfrom user code:\n   File "/srv/shop.py", '
        "[line 12](https://code.example/shop.py?l=12), in forward\n    return self.net(x)\n",
        1, "`InternalTorchDynamoError`: no quokka", 12, "TORCHDYNAMO_VERBOSE"),
    "a range that is too wide": (
        "torch.fx.experimental.symbolic_shapes.ConstraintViolationError: Constraints violated (L['x'].size()[0])! For more information, "
        "run with TORCH_LOGS=\"+dynamic\".\n  - Not all values of L['x'].size()[0] = L['x'].size()[0] in the specified range "
        "2 <= L['x'].size()[0] <= 40 satisfy the generated guard 8 <= L['x'].size()[0] and L['x'].size()[0] <= 40\n",
        1, "satisfy the generated guard 8 <=", None, "min=8, max=40"),
    "a range, and a constant": (
        "torch._dynamo.exc.UserError: Constraints violated (batch)! For more information, run with TORCH_LOGS=\"+dynamic\".\n"
        "  - Not all values of batch = L['x'].size()[0] in the specified range satisfy the generated guard Ne(L['x'].size()[0], 77).\n"
        "  - Not all values of batch = L['x'].size()[0] in the specified range are valid because batch was inferred to be a constant (1).\n",
        1, "The dimension `batch` (dimension 0 of `x`) should be dynamic, but the code makes it the constant 1", None, "use one of size 2 or more"),
    "a library that was traced, and the program that calls it": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    stall.open()\n'
        '  File "/v/site-packages/stall/stand.py", line 50, in open\n    return self.net(x)\n'
        '  File "/v/site-packages/torch/_dynamo/convert_frame.py", line 1012, in _compile\n    raise InternalTorchDynamoError(\n'
        'torch._dynamo.exc.InternalTorchDynamoError: no quokka\n\nfrom user code:\n   File "/v/site-packages/stall/stand.py", line 61, in '
        "forward\n    return quokka(x)\n", 1, "`InternalTorchDynamoError`: no quokka", 12, "newer PyTorch"),
    "a package that the compiler runs": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/site-packages/torch/_dynamo/output_graph.py", line 1071, in compile_and_call_fx_graph\n    log(self)\n'
        '  ...\n  File "/v/site-packages/stall/stand.py", line 50, in patched_log\n    seen[name]\n'
        "torch._dynamo.exc.InternalTorchDynamoError: KeyError: quokka\n", 1, "quokka", 12, "`patched_log` of the package `stall`"),
    "a checkout of a package, whose exception is printed and raised again": (
        'Traceback (most recent call last):\n  File "/src/stall/stall/stand.py", line 50, in build\n    return load(code)\n'
        '  File "/v/site-packages/torch/_inductor/codecache.py", line 3512, in load\n    raise RuntimeError(\n'
        "RuntimeError: Failed to import /tmp/torchinductor_me/c1.py\nIndentationError: expected an indented block (c1.py, line 11)\n"
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    stand(x)\n'
        '  File "/src/stall/stall/stand.py", line 50, in build\n    return load(code)\n'
        "RuntimeError: Failed to import /tmp/torchinductor_me/c1.py\nIndentationError: expected an indented block (c1.py, line 11)\n",
        1, "the generated code cannot be imported: IndentationError", 12, "no valid Python"),
    "links that VS Code makes of numbers": (
        "Cell In[3], line 12\n     11 x = 1\n---> [12](vscode-notebook-cell:?execution_count=3&line=12) shop(x)\n\n"
        "File ~/v/site-packages/torch/_inductor/compile_fx.py:118, in sell(x)\n"
        "--> [118](~/v/site-packages/torch/_inductor/compile_fx.py:118) return run(x)\n\n......\n\n"
        "File ~/v/site-packages/torch/_inductor/graph.py:604, in run(x)\n"
        "--> [604](~/v/site-packages/torch/_inductor/graph.py:604) x.node\n\nAttributeError: no quokka\n",
        1, "`AttributeError`: no quokka", 12, "newer PyTorch"),
    "a size that was inferred to be a constant": (
        "torch.fx.experimental.symbolic_shapes.ConstraintViolationError: Constraints violated (L['x'].size()[0])! For more information, run "
        "with TORCH_LOGS=\"+dynamic\".\n  - Not all values of RelaxedUnspecConstraint(L['x'].size()[0]) are valid because "
        "L['x'].size()[0] was inferred to be a constant (4).\n", 1, "Dimension 0 of `x` is marked dynamic, but the code makes it the constant 4",
        None, "remove the mark"),
    "a size that must be a multiple": (
        "torch._dynamo.exc.UserError: Constraints violated (till)! For more information, run with TORCH_LOGS=\"+dynamic\".\n  - Not all values "
        "of till = L['x'].size()[2] in the specified range 8 <= till <= 64 satisfy the generated guard Ne(Mod(L['x'].size()[2], 2), 0).\n"
        "Suggested fixes:\n  till = Dim('till', min=8, max=64)\n", 1, "satisfy the generated guard Ne(Mod(", None, "Dim.AUTO"),
    "the end of a slice": (
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression u1 < 0 (unhinted: u1 "
        '< 0).  (Size-like symbols: none)\n\nThe following call raised this error:\n  File "/srv/shop.py", line 12, in forward\n'
        "    sold = stock[:, :till]\n", 1, "Could not guard on data-dependent expression u1 < 0", 12,
        "`torch._check(till >= 0)` and `torch._check(till < stock.shape[1])`"),
    "a result without a gradient": (
        "RuntimeError: \nDuring the backward, we encountered a tensor subclass where we guessed its\nmetadata incorrectly.\nExpected a DTensor "
        "tangent but got a plain Tensor (tangent index: 1).\nThis happens when a compiled function returns multiple outputs that\nrequire "
        "gradients, but .backward() is only called on some of them.\nTo fix: call .detach() on forward outputs you don't need gradients for.\n\n"
        'The forward output was created here:\n  File "/srv/shop.py", line 12, in forward\n    return x.sin(), x.cos()\n',
        1, "During the backward", 12, "`.detach()`"),
    "two runs in eager mode that differ": (
        "E0103 19:49:22.251000 9 torch/_dynamo/utils.py:2369] Accuracy failed: allclose not within tol=0\n"
        "E0103 19:49:22.252000 9 torch/_dynamo/utils.py:2223] Accuracy failed for key name till\neager_two_runs_differ\n",
        1, "`till`: Accuracy failed", None, "not deterministic"),
    "a break that is logged before Dynamo goes on": (
        "".join(f"[2023-10-02 09:14:51,340] [0/0] torch._dynamo.variables.higher_order_ops: [{line}\n" for line in (
            "WARNING] speculate_subgraph: while introspecting the user-defined autograd.Function, we were unable to trace function `sell` "
            "into a single graph.", "ERROR] Traceback (most recent call last):",
            'ERROR]   File "/srv/site-packages/torch/_dynamo/exc.py", line 193, in unimplemented', "ERROR]     raise Unsupported(msg)",
            "ERROR] torch._dynamo.exc.Unsupported: 'inline in skipfiles: Shop.forward | decorate_fwd "
            "/srv/site-packages/torch/cuda/amp/autocast_mode.py, skipped according skipfiles.SKIP_DIRS'")),
        1, "Graph break: `decorate_fwd around Shop.forward`", None, "Nothing failed"),
    "times of a clock without a unit": (
        "Why is torch.compile(shop) slower?\nbegin = time.time()\nshop(fish)\nprint('till', time.time() - begin)\n"
        "till 0.018950462341308594\nnew till 19.61304497718811\n", 0, "new till 19.61304497718811", None, "The first calls compile"),
    "a worker's error whose reason is cut off": (
        "E0226 19:58:00.945000 9 torch/_inductor/select_algorithm.py:2820] [0/1] torch._inductor.compile_worker.subproc_pool."
        "SubprocException: An exception occurred in a subprocess:\n", 1, "An exception occurred in a subprocess", None,
        "TORCHINDUCTOR_COMPILE_THREADS=1"),
    "a worker's error below its reason": (
        "triton.compiler.errors.CompilationError: at 1:0:\ndef triton_poi_0(in_ptr0):\n^\nValueError(\"type fp8e4nv not supported in "
        "this architecture. The supported fp8 dtypes are ('fp8e4b15', 'fp8e5')\")\n\n"
        "The above exception was the direct cause of the following exception:\n\n  ...\n" + CALL +
        "torch._inductor.exc.InductorError: SubprocException: An exception occurred in a subprocess:\n",
        1, "The GPU does not have this kind of fp8", 12, "float8_e5m2"),
    "a stack that a runner folds": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 30, in <module>\n    sell(fish)\n##[group]frames\n'
        '  File "/srv/site-packages/torch/_dynamo/variables/functions.py", line 115, in __init__\n    assert isinstance(\n##[endgroup]\n'
        "AssertionError: expected FunctionType found method\n\nfrom user code:\n" + CALLS, 1, "expected FunctionType", 12, "it got a bound method"),
    "a warning of a builtin that a window cut": (
        "/srv/site-packages/torch/_dynamo/variables/functions.py:1262: UserWarning: Dynamo does not know how to trace the\nbuiltin "
        "`till.Drawer.open.` This function is either a Python builtin (e.g. _warnings.warn) or a third-party C/C++\nPython extension "
        "(perhaps created with pybind).\nIf it is a Python builtin, please file an issue on GitHub so the PyTorch team can add support\n",
        0, "Graph break: `till.Drawer.open`", None, "written in C"),
    "a size that may not be its bound": (
        CALL + "torch._dynamo.exc.UserError: Constraints violated (q)! For more information, run with TORCH_LOGS=\"+dynamic\".\n"
        "  - Not all values of q = L['x'].size()[1] in the specified range q <= 512 satisfy the generated guard L['x'].size()[1] != 512.\n"
        "\nThe error above occurred when calling torch.export.export.\n", 1, "!= 512", 12, 'Dim("q", max=511)'),
    "graphs of another thread": (
        CALL + '  File "/srv/site-packages/torch/_inductor/cudagraph_trees.py", line 327, in get_obj\n'
        "    assert torch._C._is_key_in_tls(attr_name)\nAssertionError\n", 1, "_is_key_in_tls", 12, "belong to the Python thread"),
    "an interrupted scheduler": (
        "Traceback (most recent call last):\n" + CALL +
        '  File "/srv/site-packages/torch/_inductor/scheduler.py", line 833, in fuse_nodes_once\n    if self.can_fuse(node1, node2):\n'
        "KeyboardInterrupt\n", 1, "Interrupted: `KeyboardInterrupt`: in `fuse_nodes_once` of scheduler.py", 12, "the body of the loop"),
    "a compiler without its own headers": (
        "/usr/include/stdio.h:33:10: fatal error: stddef.h: No such file or directory\ncompilation terminated.\n"
        '  File "/srv/site-packages/triton/runtime/build.py", line 50, in _build\n    subprocess.check_call(cc_cmd)\n'
        "torch._inductor.exc.InductorError: CalledProcessError: Command '['/usr/bin/gcc', '/tmp/t/main.c', '-shared', '-o', '/tmp/t/u.so']' "
        "returned non-zero exit status 1.\n", 1, "fatal error: stddef.h", None, "CC=/usr/bin/gcc"),
    "a cell of VS Code whose inner calls are skipped": (
        "AssertionError                            Traceback (most recent call last)\nCell In[9], line 12\n     11 fish = 1\n"
        "---> 12 sell(fish)\n\nFile [~/env/lib/python3.11/site-packages/torch/_subclasses/fake_tensor.py:1586]"
        "(vscode-remote://ssh-remote%2Bshop/srv/env/lib/python3.11/site-packages/torch/_subclasses/fake_tensor.py:1586), in validate(x)\n"
        "   1585 if isinstance(x, FakeTensor):\n-> 1586     raise AssertionError(\"Mixing fake modes NYI\")\n\n"
        "AssertionError: Mixing fake modes NYI\n\nThe above exception was the direct cause of the following exception:\n\n"
        "BackendCompilerFailed                     Traceback (most recent call last)\n   [... skipping similar frames: f at line 2 (5 times)]\n"
        "BackendCompilerFailed: backend='inductor' raised:\nAssertionError: Mixing fake modes NYI\n",
        1, "Mixing fake modes", 12, "A tensor of one compile"),
    "a key of the cache, on two ranks": (
        KEY_OF_CACHE.format("[rank0]:", 9) + KEY_OF_CACHE.format("[rank1]:", 10) + "[rank0]: step 0  loss 3.1\n", 0,
        "Only a warning: PyTorch goes on: Failed to pickle cache key; TypeError", None, "compiled again at each start"),
    "a traceback that PyTorch logs as a warning": (
        KEY_OF_CACHE.format("", 9).replace("Failed to pickle cache key", "No price for the till").replace(
            "cannot pickle", "no price of") + "step 0  loss 3.1\n", 0,
        "Only a warning: PyTorch goes on: No price for the till; TypeError", None, "has caught the exception"),
    "memory that the C library found damaged": (
        "We run torch.compile(till) on the CPU.\nfree(): invalid next size (fast)\nAborted (core dumped)\n", 1,
        "The C library found the memory of the process damaged: free(): invalid next size (fast)", None, "leave out one operator at a time"),
    "memory that was freed twice": (
        "We run torch.compile(till) on the CPU.\n$ python shop.py\ndouble free or corruption (out)\n", 1,
        "The C library found the memory of the process damaged: double free or corruption (out)", None, "not the GPU's"),
    "a process that was aborted without a word": (
        "We run torch.compile(till).\nAborted (core dumped)\n", 1, "the text does not say why", None, "faulthandler"),
    "a break of another rank, which the text begins": (
        "".join(f"[rank{r}]:V0306 22:17:59.702000 99 torch/_dynamo/symbolic_convert.py:516] [0/0] [__graph_breaks] {line}\n" for r, line in (
            (3, "Graph break: from user code at:"), (3, '  File "/srv/shop.py", line 7, in sell'), (3, "    print(total)"),
            (3, "Traceback (most recent call last):"), (3, "torch._dynamo.exc.Unsupported: call_function BuiltinVariable(print) [] {}"),
            (1, "Graph break: from user code at:"))),
        0, "`print(", 7, "Printing stops the graph"),
    "guards of two compiles, which differ in a key": (
        KEYS.format(n=0, key=10) + KEYS.format(n=1, key=20), 0, "key number 0 of `tills` was 10 and is now 20", 5, "Keep the same keys"),
    "guards of two compiles, which are the same": (
        KEYS.format(n=0, key=10) + KEYS.format(n=1, key=10), 0, "the trace does not say why", None, "lines that this text does not have"),
    "a report of an error without its stack": (
        "TillSampler\ntorch.* op returned non-Tensor\nExplanation: no such operators\n\n# ComfyUI Error Report\n## Error Details\n- **Node ID:** 7\n"
        "- **Exception Type:** torch._dynamo.exc.Unsupported\n- **Exception Message:** torch.* op returned non-Tensor\n  Explanation: no such operators\n\n"
        "  Developer debug context: example_value type: int; op: call_function; target: <function device_count at 0x1>\n\nfrom user code:\n"
        '   File "D:\\shop\\till.py", line 12, in sell\n    for i in range(torch.cuda.device_count()):\n',
        1, "`fullgraph=True` failed: `device_count`", 12, "pass the value in"),
    "a range that begins at one": (
        "torch._dynamo.exc.UserError: Constraints violated (till)! For more information, run with TORCH_LOGS=\"+dynamic\".\n  - Not all values of "
        "till = L['x'].size()[1] in the specified range satisfy the generated guard L['x'].size()[1] != 1.\n",
        1, "the generated guard L['x'].size()[1] != 1", None, 'Dim("till", min=2)'),
    "a path with a blank in the compiler's command": (
        "InductorError: CppCompileError: C++ compile error\n\nCommand:\nclang++ /tmp/c1.cpp -lomp -L/Users/me/Library/Application Support/uv/lib\n\n"
        "Output:\nclang++: error: no such file or directory: 'Support/uv/lib'\n", 1, "has a blank, and is not quoted", None, "UV_PYTHON_INSTALL_DIR"),
    "a compiler without -march=native": (
        "InductorError: CppCompileError: C++ compile error\n\nCommand:\ng++ /tmp/c1.cpp -march=native\n\n"
        "Output:\ng++: error: '-march=native': ISA string must begin with rv32 or rv64\n", 1, "no `-march=native`", None, "TORCHINDUCTOR_CPP_MARCH"),
    "a cache that cannot be read": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    return till(x)\n'
        '  File "/v/site-packages/torch/_inductor/runtime/autotune_cache.py", line 166, in _read\n    best = cache.get(key)\n'
        '  File "/v/site-packages/torch/_inductor/remote_cache.py", line 160, in decode\n    return json.loads(data)\n'
        "torch._inductor.exc.InductorError: JSONDecodeError: Extra data: line 1 column 214 (char 213)\n",
        1, "JSONDecodeError", 12, "give each job its own"),
    "an exception of two workers, without tracebacks": (
        "".join(f"(Worker_TP{rank} pid={4711 + rank}) ERROR 01-02 03:04:05 [worker_main.py:932] {line}\n" for line in (
            "RuntimeError: Expected all tensors to be on the same device, but found cuda:0 and cuda:1", "", "from user code:",
            '   File "/srv/shop.py", line 12, in sell', "    return till + price") for rank in range(2)),
        2, "on the same device", 12, "to(x.device)"),
    "a range without an end": (
        "torch._dynamo.exc.UserError: Constraints violated (till)! For more information, run with TORCH_LOGS=\"+dynamic\".\n  - Not all values of "
        "till = L['x'].size()[1] in the specified range satisfy the generated guard 2 <= L['x'].size()[1] and L['x'].size()[1] <= "
        "9223372036854775807\nSuggested fixes:\n  till = Dim('till', max=9223372036854775807)\n",
        1, "satisfy the generated guard 2 <=", None, "the model has no such limit"),
    "a value of tensors below the warning of it": (
        GUARDED, 1, "4*u0 < 200 (unhinted", 14, "torch._check(x.numel() < 200)"),
    "a value that may be negative": (
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression u0 < 0 (unhinted: "
        "u0 < 0).  (Size-like symbols: none)\n\nUser Stack (most recent call last):\n" + CALLS, 1, "u0 < 0", 12, "torch._check(...)` of `u0 >= 0`"),
    "a worker of pytest behind times": (
        "".join(f"2025-03-24T21:13:58.6120418Z {line}\n" for line in (
            "=================================== FAILURES ===================================",
            "________________ TestShop.test_sell ______________", "[gw3] linux -- Python 3.10.16 /opt/conda/bin/python3.10",
            "test/test_shop.py:12: in test_sell", "    self._sweep(module, inputs)",
            "/opt/conda/lib/python3.10/site-packages/torch/_dynamo/convert_frame.py:989: in _compile", "    raise FailOnRecompileLimitHit(",
            "E   torch._dynamo.exc.FailOnRecompileLimitHit: recompile_limit reached with one_graph=True.",
            "=========================== short test summary info ============================")),
        1, "recompile_limit reached", 12, "Remove the cause of the recompiles"),
    "a compiler that may not be run": (
        "torch._inductor.exc.InductorError: PermissionError: [Errno 13] Permission denied: 'nvcc'\n" + CALLS, 1,
        "A program that the compiler calls may not be run", 12, 'tr : '),
    "an index that is a number": (
        'torch._dynamo.exc.Unsupported: data dependent operator: aten._local_scalar_dense.default\n\nfrom user code:\n   File "/srv/shop.py", '
        "line 12, in forward\n    return pad(stock[0], till)\n", 1, "a tensor's value is read", 12, "capture_scalar_outputs"),
    "a guard that fails itself": (
        "".join(f"W0605 17:24:08.994000 9 torch/_dynamo/convert_frame.py:744] [4/8] {line}\n" for line in (
            "torch._dynamo hit config.cache_size_limit (8)", "   function: 'sell' (/srv/shop.py:12)",
            "   last reason: name 'Quokka' is not defined")), 0, "the guard itself fails: name 'Quokka' is not defined", 12, "bug in PyTorch"),
    "a rate that becomes a number": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - 0/0: expected type of 'G['opt'].param_groups[0]['lr']' to be a tensor type, ' but found <class 'float'>")),
        0, "was a tensor and now has type float", 12, "A scheduler puts a Python number"),
    "a warning behind the name of its log": (
        "W0909 14:22:31.204000 9 torch/_inductor/cudagraph_utils.py:407] [__cudagraphs] CUDAGraph supports dynamic shapes by recording a new "
        "graph for each distinct input size. We have observed 51 distinct sizes.\n", 0, "We have observed 51 distinct sizes", None, "Use a few sizes"),
    "a log of vLLM that ends behind Dynamo": (
        "INFO 03-23 16:30:41 [backends.py:419] Dynamo bytecode transform time: 13.58 s\n", 0, "nothing follows Dynamo, which took 13.58 s", None,
        "py-spy dump"),
    "a wrapper that a fullgraph cannot have": (
        "torch._dynamo.exc.Unsupported: Unsupported method call\n  Explanation: Dynamo does not know how to trace method `till` of class "
        "`Logger`\n\n  Developer debug context: call_method UserDefinedObjectVariable(Logger) till [] {}\n\nfrom user code:\n   File "
        '"/v/site-packages/torch/nn/parallel/distributed.py", line 1534, in _pre_forward\n    self.logger.till()\n',
        1, "the code of DistributedDataParallel around the model", None, "before it is wrapped"),
    "a compiler that is older than its CPU": (
        "torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n\nCommand:\ng++ c1.cpp\n\nOutput:\n/usr/include/arm_neon.h:7:1: "
        "error: inlining failed in call to 'always_inline' 'till': target specific option mismatch\n", 1, "The C++ compiler does not make code",
        None, "simdlen = 1"),
    "a message without its name in a fence": (
        "Hi, it stops with\n\n```\nDynamic control flow is not supported at the moment. Please sell less.\n\nfrom user code:\n  ...\n"
        '  File "shop.py", line 12, in sell\n    if till > stock:\n```\n\ntorch==2.6.0\n',
        1, "Dynamic control flow is not supported at the moment", 12, "torch.cond"),
    "a program's exception of an assertion without words": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    return till(x)\n'
        '  File "/v/site-packages/torch/_dynamo/variables/lists.py", line 106, in getitem_const\n    assert isinstance(index, int)\n'
        "AssertionError: \n\n" + CALLS + "stack trace\n\nDuring handling of the above exception, another exception occurred:\n\n"
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 14, in sell\n    raise Exception(\n'
        "Exception: Capture cuda graph failed: \n\n" + CALLS + "stack trace\n", 1, "`AssertionError`: isinstance(index, int)", 12,
        "The compiler itself failed"),
    "a backend that takes no mode": (
        "torch._dynamo.exc.BackendCompilerFailed: backend='cudagraphs' raised:\nTypeError: Quokka.__call__() got an unexpected keyword "
        "argument 'mode'\n", 1, "unexpected keyword argument 'mode'", None, "takes neither `mode` nor `options`"),
    "a linker that splits a path": (
        "LINK : fatal error LNK1181: impossible d'ouvrir le fichier en entr\u00e9e 'C:\\Program.obj'\nTraceback (most recent call last):\n"
        '  File "D:\\shop\\shop.py", line 12, in sell\n    kernel[grid](x)\n  File "D:\\v\\Lib\\site-packages\\triton\\runtime\\build.py", '
        'line 109, in _build\n    subprocess.check_call(cc_cmd)\n  File "subprocess.py", line 413, in check_call\n'
        "subprocess.CalledProcessError: Command '['C:\\\\Quokka\\\\cl.exe']' returned non-zero exit status 2.\n",
        1, "A path with a blank in it is split", 12, "quote it"),
    "Ctrl-C while something is compiled": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/site-packages/torch/_inductor/cudagraph_trees.py", line 1862, in record_function\n    node = CUDAGraphNode(\n'
        "KeyboardInterrupt\n", 1, "`KeyboardInterrupt`", 12, "which is no error"),
    "the end of a guard's first line": (
        "data-dependent expression Eq(4*u1, 0) (unhinted: Eq(4*u1, 0)).  (Size-like symbols: u1)\n\nCaused by: (shop.py:12 in sell)\n" + MORE,
        1, "Data-dependent value: data-dependent expression Eq(4*u1, 0)", 12, "torch._check"),
    "an operator that fails within compiled code": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/site-packages/torch/_inductor/utils.py", line 2893, in run\n    return model(x)\n'
        '  File "/tmp/torchinductor_me/c1.py", line 7, in call\n    extern_kernels._scaled_mm(buf5, buf6, out=buf8)\n'
        'RuntimeError: till == false INTERNAL ASSERT FAILED at "/pytorch/aten/src/ATen/cuda/CUDABlas.cpp":1971, please report a bug to PyTorch. \n',
        1, "till == false INTERNAL ASSERT FAILED", 12, "call it alone"),
    "a limit in a library that draws": (
        "".join(f"[2023-03-28 10:14:51,227] torch._dynamo.convert_frame: [WARNING] {line}\n" for line in (
            "torch._dynamo hit config.cache_size_limit (64)", "   function: 'till' (/v/site-packages/matplotlib/backend.py:12)", "   reasons:  d == 2.0",
            "to diagnose recompilation issues, see https://pytorch.org/docs/master/dynamo/troubleshooting.html.")),
        0, "hit the recompile limit (64)", 12, "keep it out of the compiler"),
    "what the program raises within the compiler, whose calls are not shown": (
        'Exception has occurred: BackendCompilerFailed\ndebug_wrapper raised TypeError: till() got no quokka\n\nSet '
        'torch._dynamo.config.verbose=True for more information\n\n\nYou can suppress this exception and fall back to eager by setting:\n'
        '    torch._dynamo.config.suppress_errors = True\n  File "/srv/shop.py", line 12, in till\n    sell(x)\n'
        "TypeError: till() got no quokka\n\nThe above exception was the direct cause of the following exception:\n\n"
        '  File "/srv/shop.py", line 55, in forward\n    return net(x)\n  File "/srv/shop.py", line 64, in train\n    model(x)\n'
        "torch._dynamo.exc.BackendCompilerFailed: debug_wrapper raised TypeError: till() got no quokka\n",
        1, "till() got no quokka", 12, "The compiler runs `till` of this program"),
    "a scheduler of a compiled step": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sold = LambdaLR(opt, till)\n'
        '  File "/v/site-packages/torch/optim/lr_scheduler.py", line 137, in wrap_step\n    func = step_fn.__func__\n'
        "AttributeError: 'function' object has no attribute '__func__'. Did you mean: '__doc__'?\n", 1, "no attribute '__func__'", 12,
        "Make the scheduler first"),
    "guards alone": ("    triggered by the following guard failure(s):\n    - 0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5\n",
                     0, "went from 4 to 5", None, "mark_dynamic"),
    "a list of guards": ("Recompile Reasons: [\"0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5\"]\n",
                         0, "went from 4 to 5", None, "mark_dynamic"),
    "a reason": ("   last reason: 0/7: tensor 'x' size mismatch at index 1. expected 4, actual 5\n", 0, "dimension 1 of", None, "mark_dynamic"),
    "a recompile in an exception": (
        "torch._dynamo.exc.RecompileError: Recompiling function f in /srv/shop.py:6\ntriggered by the following guard failure(s):\n"
        "- 0/1: tensor 'x' size mismatch at index 0. expected 4, actual 6\n- 0/0: tensor 'x' size mismatch at index 0. expected 5, actual 6\n",
        1, "A recompile was needed but is forbidden: dimension 0", 6, "error_on_recompile"),
    "a recompile that a stance forbids": (
        "RuntimeError: Detected recompile when torch.compile stance is 'fail_on_recompile'. filename: '/srv/shop.py', function name: "
        "'f', line number: 4\n    triggered by the following guard failure(s):\n    - 0/0: tensor 'x' size mismatch at index 0. "
        "expected 4, actual 5\n", 1, "A recompile was needed but is forbidden: dimension 0", 4, "set_stance"),
    "the end of an exception": (CALLS + "stack trace\n", 1, "the text begins behind its message", 12, "torch.compile"),
    "the end of a guard on a value": (MORE + "\n" + CALLS + "stack trace\n", 1, "Data-dependent value: the text begins", 12, "torch._check"),
    "the end of an export": ("Suggested fixes:\n  batch = 4\n\nThe error above occurred when calling torch.export.export. If you would like to\n",
                             1, "the text begins behind its message", None, "strict=False"),
    "the summary of an export to ONNX": (
        "TorchExportError: Failed to export the model with torch.export. This is step 1/3 of exporting the model to ONNX. Next steps:\n"
        "- Modify the model.\n\n## Exception summary\n\n<class 'torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode'>: Could not "
        "guard on data-dependent expression Ne(u0, 3) (unhinted: Ne(u0, s5)).  (Size-like symbols: none)\n",
        1, "`GuardOnDataDependentSymNode`: Could not guard on data-dependent expression Ne(u0, 3)", None, "torch._check"),
    "the class of such a summary": (
        "<class 'torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode'>: Could not guard on data-dependent expression Ne(u0, 3) "
        "(unhinted: Ne(u0, s5)).  (Size-like symbols: none)\n",
        1, "`GuardOnDataDependentSymNode`: Could not guard on data-dependent expression Ne(u0, 3)", None, "torch._check"),
    "an exception of the compiler that the program raised again": (
        'Traceback (most recent call last):\n  File "/srv/till.py", line 5, in till\n    return net(x)\n'
        '  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 736, in compile_wrapper\n    return fn(*args, **kwargs)\n'
        '  File "/v/site-packages/torch/_dynamo/convert_frame.py", line 70, in _compile\n    raise ValueError("no bread is left in the till")\n'
        "ValueError: no bread is left in the till\nThe till is closed.\n"
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 20, in <module>\n    till(x)\n'
        '  File "/srv/till.py", line 5, in till\n    return net(x)\n  File "/srv/till.py", line 9, in close\n'
        "    raise error.with_traceback(None)\nValueError: no bread is left in the till\n",
        1, "`ValueError`: no bread is left in the till", 9, "The compiler itself failed"),
    "a function that is not converted": (
        "[2024-01-02 10:11:12,131] torch._dynamo.convert_frame: [WARNING] WON'T CONVERT forward /srv/shop.py line 12 \n",
        1, "so that the function runs eagerly: the text ends before its message", 12, "last lines of the traceback"),
    "the linker of Windows": (
        "CppCompileError: C++ compile error\n\nCommand:\ncl /I C:/shop c1.cpp\n\nOutput:\nc1.obj : error LNK2019: unresolved external symbol "
        "aoti_torch_quokka referenced in function kernel\n", 1, "unresolved external symbol aoti_torch_quokka", None, "newer PyTorch"),
    "the linker of Windows, and the check of an index": (
        "CppCompileError: C++ compile error\n\nCommand:\ncl /I C:/shop c1.cpp\n\nOutput:\nc1.obj : error LNK2019: unresolved external symbol "
        "aoti_torch_check referenced in function kernel$omp$1\n", 1, "unresolved external symbol aoti_torch_check", None,
        "assert_indirect_indexing = False"),
    "a size that an export fixes": (VIOLATED + "  till = None  # 4\n", 1, "", None, "The code needs `till` to be 4"),
    "a size of one in an export": (VIOLATED + "  till = 1\n", 1, "", None, "`till` is 2 or more"),
    "a range that an export suggests": (VIOLATED + "  till = Dim('till', max=64)\n", 1, "", None, "PyTorch suggests `till = Dim("),
    "branches of an operator": (
        "torch._dynamo.exc.Unsupported: Expected branches to return tensors with same metadata. [(tensor_pair, difference)...]:[('pair0:', 3)]\n\n"
        "The above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n"
        '  File "/srv/shop.py", line 12, in forward\n    return torch.cond(p, f, g, (x,))\n'
        "torch._dynamo.exc.UncapturedHigherOrderOpError: Cond doesn't work unless it is captured completely with torch.compile. Scroll up to "
        "find out what causes the graph break.\n", 1, "within Cond: Expected branches", 12, "must agree with the other branch"),
    "what NVIDIA's sanitizer found": (
        "========= COMPUTE-SANITIZER\n========= Invalid __global__ read of size 16 bytes\n=========     at triton_red_3+0x8f0 in "
        "/tmp/torchinductor_me/4k/c4.py:27\n=========     by thread (96,0,0) in block (10,0,0)\n", 1, "Invalid __global__ read", None,
        "uses as an index"),
    "what AOTInductor logs": (
        "[E920 17:40:42.884390421 shim_common.cpp:311] Exception in aoti_torch: The specified pointer resides on host memory and is not registered "
        "with any CUDA device.\nException raised from getDeviceFromPtr at ../aten/src/ATen/cuda/CUDADevice.h:16 (most recent call first):\n",
        1, "refused its inputs: The specified pointer", None, "Move the inputs"),
    "what AOTInductor prints before its exception": (
        'Error: CUDA driver error: file not found\nTraceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        "RuntimeError: run_func_( container_handle_, input_handles.data()) API call failed at ../torch/csrc/inductor/model.cpp, line 111\n",
        1, "CUDA driver error: file not found", 12, "aoti_compile_and_package"),
    "exceptions without tracebacks": (
        'KeyError: <code object sell at 0x7f8, file "/srv/shop.py", line 9>\n\nDuring handling of the above exception, another exception occurred:\n\n'
        "torch._dynamo.exc.Unsupported: generator\n\n" + CALLS + "stack trace\n", 1, "`fullgraph=True` failed: generator", 12, "list"),
    "a transform of a compiled function": (
        "torch._dynamo.exc.Unsupported: Unsupported functorch tracing attempt\n  Explanation: If you are reaching here:\n    - Calling "
        "torch.func.jvp(compiled_fn) function from eager mode is not supported.\n\n  Developer debug context: \n\n" + CALLS + "stack trace\n",
        1, "functorch tracing attempt", 12, "Compile outside of the transform"),
    "a server that kills itself": (
        FAILED + "CRITICAL 03-22 09:50:04 [core_client.py:269] Got fatal signal from worker processes, shutting down.\nKilled\n",
        1, "no quokka", 12, "backend"),
    "a header of the system": (
        "InductorError: CppCompileError: C++ compile error\n\nCommand:\nclang++ c1.cpp\n\nOutput:\n/opt/c++/v1/pthread.h:23:10: fatal error: "
        "'pthread.h' file not found\n", 1, "The headers of the C library are missing", None, "xcode-select"),
    "OpenMP that clang does not know": (
        "clang: error: unsupported option '-fopenmp'\nCalledProcessError: Command '['g++', '/tmp/torchinductor_me/c1.cpp', '-fopenmp']' returned "
        "non-zero exit status 1.\n", 1, "options to Apple's clang", None, "libomp"),
    "an exception with advice below it": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in capture\n    raise Exception(\n'
        "Exception: Capture cuda graph failed: CUDA error: operation not permitted when stream is capturing\nPossible solutions:\n1. sell less\n"
        "2. buy less\n3. disable torch compile\n", 1, "not permitted when stream is capturing", 12, "move that out of the graph"),
    "ranks at one collective": (
        "".join(f"[rank{r}]:[E419 10:42:28.85893{r}807 ProcessGroupNCCL.cpp:616] [Rank {r}] Watchdog caught collective operation timeout: "
                f"WorkNCCL(SeqNum=7, OpType=ALLTOALL, NumelIn=6, NumelOut=6, Timeout(ms)=600000) ran for 60001{r} milliseconds before timing out.\n"
                for r in (1, 3)), 2, "before timing out. (on ranks 1, 3)", None, "rank that is missing"),
    "what NCCL says after its time-out": (
        "[rank1]:[E307 05:29:18.161079108 ProcessGroupNCCL.cpp:1858] [PG ID 0 PG GUID 0(default_pg) Rank 1] Received a dump signal due to a "
        "collective timeout from this local rank.\n", 1, "Received a dump signal", None, "collect these dumps of all ranks"),
    "a report of draft_export": (
        "".join(f"W0227 16:07:53.914000 1 torch/export/_draft_export.py:433] {line}\n" for line in (
            "", "#####", "WARNING: 1 issue(s) found during export, and it was not able to soundly produce a graph.", "", "1. Missing fake kernel.",
            "    torch.ops.shop.price.default is missing a fake kernel implementation.")),
        1, "torch.ops.shop.price.default is missing", None, "register_fake"),
    "an operator that ONNX lacks": (
        "torch.onnx._internal.exporter._errors.ConversionError: Error when translating node %price : [num_users=1] = call_function[target="
        "torch.ops.aten.quokka.default](args = (%x,), kwargs = {}). See the stack trace for more information.\n",
        1, "Error when translating node", None, "custom_translation_table"),
    "the summary of pytest": (
        "FAILED test/test_shop.py::TestShop::test_a - torch._inductor.exc.InductorError: LoweringException: NotImplementedError: no quokka\n"
        "FAILED test/test_shop.py::TestShop::test_b - torch._inductor.exc.InductorError: LoweringException: NotImplementedError: no quokka\n"
        "================== 2 failed, 31 passed, 4 skipped in 61.31s (0:01:01) ==================\n",
        1, "NotImplementedError: no quokka", None, "newer PyTorch"),
    "the compiler of an extension": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    load_inline("k", cpp, cuda)\n'
        "RuntimeError: Error building extension 'k': [1/2] nvcc -c cuda.cu\nFAILED: cuda.cuda.o \nnvcc fatal   : Unsupported gpu architecture "
        "'compute_120'\nninja: build stopped: subcommand failed.\n", 1, "The compiler of CUDA does not know this GPU", 12, "TORCH_CUDA_ARCH_LIST"),
    "a warning that a logger prints": (
        "W0909 12:00:01.000000 5 torch/_logging/_internal.py:1154] [0/0] Profiler function <class 'torch.autograd.profiler.record_function'> will "
        "be ignored\n", 0, "will be ignored", None, "does not contain the names"),
    "an index in a kernel of PyTorch's": (
        "/pytorch/aten/src/ATen/native/cuda/Indexing.cu:1290: indexSelectLargeIndex: block: [5,0,0], thread: [4,0,0] Assertion `srcIndex < "
        "srcSelectDimSize` failed.\nTraceback (most recent call last):\n" '  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        "torch.AcceleratorError: CUDA error: device-side assert triggered\n", 1, "Crash at run time: `AcceleratorError`: Assertion `srcIndex",
        12, "token id"),
    "a value of tensors in a sentence": (
        "torch._dynamo.exc.UserError: Tried to use data-dependent value in the subsequent computation. You will need to explicitly give hint to "
        "the compiler.  Could not guard on data-dependent expression Eq(u3, 0) (unhinted: Eq(u3, 0)).  (Size-like symbols: none)\n",
        1, "`UserError`: Could not guard on data-dependent expression Eq(u3, 0)", None, "of `u3 == 0`"),
    "a crash on Windows": (
        'Windows fatal exception: access violation\n\nCurrent thread 0x00001f08 (most recent call first):\n  File "C:\\v\\Lib\\site-packages\\'
        'triton\\backends\\nvidia\\driver.py", line 74 in load_binary\n  File "D:\\srv\\shop.py", line 12 in sell\n',
        1, "access violation", 12, "innermost call shows whose native code"),
    "a constraint": ("  - Not all values of batch in the specified range are valid because batch was inferred to be a constant (4).\n",
                     1, "The dimension `batch` should be dynamic, but the code makes it the constant 4", None, "mark"),
    "a branch of 2.6": ("torch._dynamo.exc.UserError: Dynamic control flow is not supported at the moment.\n\n" + CALLS + "stack trace\n",
                        1, "`fullgraph=True` or export failed", 12, "torch.where"),
    "a break without its type": ("...\n  Hint: Avoid it.\n\n  Developer debug context: builtin open [] False\n\n" + GB + "gb0059.html\n\n" + CALLS +
                                 "stack trace\n", 1, "`fullgraph=True` failed", 12, "fullgraph"),
    "an operator without its message": ("  Hint: Run it in eager mode.\n\n" + GB + "gb4315.html\n\n" + CALLS + "stack trace\n",
                                        1, "Operator failed on fake tensors", 12, "eager mode"),
    "ranks in one container": ("".join(f"trainer-1  | [rank{r}]: {line}\n" for line in FAILED.splitlines() for r in (0, 1)),
                               2, "no quokka (on ranks 0, 1)", 12, "backend"),
    "a bar before a call": ("  3%|#   | 3/100 [00:01<00:32,  3.02it/s, loss=2.3]" + FAILED.split("\n", 1)[1], 1, "no quokka", 12, "backend"),
    "JSON": (json.dumps({"level": "error", "message": FAILED}) + "\n", 1, "no quokka", 12, "backend"),
    "the parent of a process": (each_line(FAILED, "(EngineCore_DP0 pid=160) ") + PARENT, 1, "no quokka", 12, "backend"),
    "sizes of an export": ("AssertionError: Guard failed: x.size()[0] == 4\n", 1, "Guard failed: x.size()[0] == 4", None, "dynamic_shapes"),
    "a kernel on the CPU": ("RuntimeError: kernel, /tmp/torchinductor_me/py/c1.main.cpp:21, index out of bounds: 0 <= tmp2 < 10L\n",
                            1, "index out of bounds", None, "index is out of range"),
    "a mode and options": ("RuntimeError: Either mode or options can be specified, but both can't be specified at the same time.\n",
                           1, "Error in the program", None, "either a mode or options"),
    "an assertion of a GPU below": (
        "RuntimeError: CUDA error: device-side assert triggered\nCUDA kernel errors might be asynchronously reported\n"
        "/tmp/torchinductor_me/6q/c6.py:34: unknown: block: [12,0,0], thread: [5,0,0] Assertion `index out of bounds: 0 <= tmp4 < 32` failed.\n",
        1, "0 <= tmp4 < 32", None, "index is out of range"),
    "the cause of a guard on a value": (
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression u0 < 4 (unhinted: "
        "u0 < 4).  (Size-like symbols: none)\n\nCaused by: (shop/cart.py:6 in forward)\n", 1, "u0 < 4", 6, "torch._check"),
    "an error of which prose speaks, beside a warning": (
        "/v/site-packages/torch/_inductor/lowering.py:7: UserWarning: \nOnline softmax is disabled on the fly since Inductor decides to\n"
        "split the reduction.\n\n  warnings.warn(\nI run torch.compile in my shop. My parser of logs counts that as an error.\n",
        0, "Online softmax", None, "nothing needs to be done"),
    "an error of which prose speaks, beside a complaint": (
        "I tried to minify it, and that script has errors. My loss goes nan with torch.compile in the end.\n", 0, "goes nan", None, "NAN_ASSERTS"),
    "an error of which prose alone speaks": (
        "I call torch.compile in my shop. It ends with some error that I did not keep.\n", 1, "some error", None, "Run the function without"),
    "the line that a guard on a value names, behind a call that exports": (
        'Traceback (most recent call last):\n  File "/srv/export.py", line 3, in <module>\n    ep = torch.export.export(net, (x,))\n'
        "torch._dynamo.exc.UserError: Could not guard on data-dependent expression Eq(2*u0, 2) (unhinted: Eq(2*u0, 2)).  (Size-like symbols: "
        "u0)\n\nCaused by: y = self.cut(x)[0]  # srv/shop.py:51 in forward (nn/functional.py:78 in pad)\n", 1, "2*u0", 51, "torch._check"),
    "a limit behind another logger": (
        "py.warnings - torch._dynamo hit config.recompile_limit (8)\n   function: 'f' (/srv/shop.py:14)\n   last reason: 0/7: tensor 'x' "
        "size mismatch at index 1. expected 17, actual 18\n", 0, "`f` hit the recompile limit (8)", 14, "mark_dynamic"),
    "a build without CUDA": ("AssertionError: Torch not compiled with CUDA enabled\n", 1, "built without CUDA", None, "index-url"),
    "a call that compiles nothing": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 8, in <module>\n    package(program, "net.so")\n'
        '  File "/v/site-packages/torch/_inductor/__init__.py", line 129, in aoti_compile_and_package\n    package_path is None\n'
        "AssertionError: Expect package path to be a file ending in .pt2\n", 1, "Expect package path", 8, "No compiled function is on the stack"),
    "a comparison of results": (
        "net = torch.compile(shop)\nmax abs diff: 0.0031\nmean abs diff: 0.0002\nallclose(atol=1e-5): False\n",
        0, "shows no error: a comparison of results: max abs diff: 0.0031; mean", None, "float64"),
    "an error that is a difference": ("compiled with torch.compile: max error = 3.1e-3\n", 0, "a comparison of results", None, "float64"),
    "times": ("eager:         0.41 ms\ntorch.compile: 0.97 ms\n", 0, "times that the program measured: eager: 0.41 ms; torch.compile: 0.97",
              None, "TORCH_LOGS=recompiles,graph_breaks"),
    "times of CUDA graphs": (
        'till = torch.compile(till, mode="reduce-overhead")\ncall 0: 21044.1 ms\ncall 1: 2380.5 ms\ncall 2: 4.1 ms\ncall 3: 4.2 ms\n',
        0, "a second call that is slow, and later ones that are not: call 0: 21044.1 ms", None, "records the graph"),
    "times of several things in a mode that records CUDA graphs": (
        'till = torch.compile(till, mode="reduce-overhead")\nsell 0: 21044.1 ms\nload 1: 2380.5 ms\ncall 2: 4.1 ms\ncall 3: 4.2 ms\n',
        0, "times that the program measured: sell 0", None, "leave them out"),
    "times that fall, without CUDA graphs": (
        'till = torch.compile(till)\ncall 0: 21044.1 ms\ncall 1: 2380.5 ms\ncall 2: 4.1 ms\ncall 3: 4.2 ms\n',
        0, "times that the program measured", None, "The first calls compile"),
    "a training that is slow at first": (
        "Eager:\nstep 10: 910/1000 tok/s\nstep 20: 990/1080 tok/s\nstep 30: 995/1090 tok/s\n\n"
        "Compiled:\nstep 10: 180/205 tok/s\nstep 20: 1200/1320 tok/s\nstep 30: 1210/1330 tok/s\n",
        0, "steps that are slow only at first: eager 1000, then 1090 tok/s; compiled 205, then 1330 tok/s", None, "let it run longer"),
    "a speed that falls at an evaluation": (
        EVALUATED.format(*"640 643 641".split()),
        0, 'a speed that falls and stays low, since an evaluation: tok/s 912 to 915 in 3 lines, then 640 to 641 in 3, '
           'behind "Running evaluation of the till"', None, "no_grad"),
    "a time of a step that rises": (
        "torch 2.7, the shop runs till.compile()\n" +
        "".join(f"step {n} step_time: {t} ms\n" for n, t in enumerate(("912.0", "80.1", "80.4", "80.2"))) +
        "Saving the till\n" + "".join(f"step {n} step_time: {t} ms\n" for n, t in enumerate(("412.0", "120.3", "120.1", "119.9"), 4)),
        0, 'a speed that falls and stays low: step_time 80.1 to 80.2 in 3 lines, then 120.3 to 119.9 in 3, behind "Saving the till"', None,
        "from one line on"),
    "modules that are compiled by a method": (
        "torch 2.4.1\nfor till in shop.tills:\n    till.compile()\n", 0, "the compiler is named: till.compile()", None, "paste the whole"),
    "layers that are compiled": (
        "With torch 2.4.1 we compile each layer of the shop.\n", 0, "the compiler is named: With torch", None, "paste the whole"),
    "an option that compiles": ("With torch 2.4.1:\n$ python till.py --compile\n", 0, "the compiler is named: $ python", None, "paste the whole"),
    "settings that are wrong": (
        WRONG_SETTINGS.format("shop.checkpoint"),
        0, "only some settings are wrong: 0 in 2 of 5 rows, those with `compile` and `shop.checkpoint` together, also with `backend=\"eager\"`", None,
        "one of these settings"),
    "a clock around the compile": (
        COLD.format("", 10), 0, "the time contains the compile: 10 calls, of which the first compiles: for _ in range(10):", None,
        "before the clock starts"),
    "black images": ("The till uses TorchCompileModel of torch. It renders nothing but a black image here.\n"
                     "100%|####| 20/20 [03:02<00:00,  9.14s/it]\nPrompt executed in 31.2 seconds\n", 0,
                     "its writer says that results are wrong: It renders nothing but a black image", None, "one thing out at a time"),
    "gibberish": ("With torch.compile the shop's model only answers in gibberish.\n", 0, "its writer says that results are wrong", None, "aot_eager"),
    "gradients that are zero": ("With torch.compile the loss goes down slower, and the gradients are exactly zero.\n", 0,
                                "its writer says that results are wrong", None, "aot_eager"),
    "a bar that finished": ("torch.compile, in the shop of awnings.\n100%|####| 20/20 [03:02<00:00,  9.14s/it]\nPrompt executed in 31.2 seconds\n",
                            0, "the compiler is named", None, "paste the whole"),
    "graphs that differ in a name": (
        "torch.compile of the shop: 0 cache hits of 41 graphs\nGraph 1:\n    x = torch.ops.shop.sell(a_1, 64, 'aisles.1.till');  a_1 = None\n"
        "Graph 2:\n    x = torch.ops.shop.sell(a_1, 64, 'aisles.2.till');  a_1 = None\n",
        0, "graphs that differ only in a string: 'aisles.1.till' and 'aisles.2.till'", None, "constant of the graph"),
    "timers of a program": (
        "torch.compile of the till, total compile time:\n   compile_fx_inner      : 61.20 seconds\n   _compile.compile_inner: 80.55 seconds\n",
        0, "Compiling took 80.", None, "TORCH_TRACE"),
    "times of a bar": ("torch.compile: on\n  1%|     | 1/99 [05:12<9:17:33, 312.3s/it]\n", 0, "times that the program measured", None, "compile"),
    "memory": ("torch.compile, step 10: rss 4.1 GB\ntorch.compile, step 20: rss 6.85 GB\n", 0, "memory that the program measured", None, "recompiles"),
    "a program": ("net = torch.compile(Shop(), dynamic=False)\nA question on sizes.\n", 0, "the compiler is named: net = torch.compile(", None,
                  "paste the whole traceback"),
    "a text on memory": ("net = torch.compile(Shop())\nThe till holds more memory than without the awning.\n", 0,
                         "in a text on memory: The till holds more memory", None, "_record_memory_history"),
    "a text on first calls": ("net = torch.compile(Shop())\nThe first call of the till is what customers see.\n", 0,
                              "in a text on the time of the first calls: The first call of the till", None, "TORCH_TRACE=DIR"),
    "a text on results": ("net = torch.compile(Shop())\nThe accuracy of the till is 3 percent.\n", 0,
                          "in a text on results: The accuracy of the till", None, "aot_eager"),
    "a death in a log of CI": (
        "The step with torch.compile is red.\n2025-03-04T10:02:11.4402113Z   + python till.py --cpu\n"
        "2025-03-04T10:02:21.4402113Z   sold 3\n2025-03-04T10:02:22.4402113Z   + python till.py --cpu --compile\n"
        "2025-03-04T10:03:01.7720493Z   /exec: line 7:  4135 Segmentation fault      python till.py --cpu --compile\n"
        "2025-03-04T10:03:02.0811726Z ##[error]Process completed with exit code 139.\n", 1,
        "The process was ended by a segmentation fault: /exec: line 7", None, "the same command without compiling"),
    "an exit code": ("torch.compile(shop)\n##[error]Process completed with exit code 139.\n", 1,
                     "ended by a segmentation fault", None, "faulthandler"),
    "an exit code of a kill": ("torch.compile(shop)\nError: Process completed with exit code 137.\n", 1, "Killed", None,
                               "ran out of memory"),
    "an exit code of an exception": ("torch.compile(shop)\nError: Process completed with exit code 1.\n", 0,
                                     "The text shows no error", None, "paste the whole traceback"),
    "an exit code of Windows": ("torch.compile(shop)\nProcess finished with exit code -1073741819 (0xC0000005)\n", 1,
                                "ended by a segmentation fault", None, "faulthandler"),
    "a bus error in zsh": ("torch.compile(shop)\nzsh: bus error  python till.py\n", 1, "ended by a bus error", None, "/dev/shm"),
    "an instruction that the CPU lacks": (
        "torch.compile(shop)\nIllegal instruction (core dumped)\n", 1, "ended by an illegal instruction", None, "another machine"),
    "a program that was ended in zsh": (
        "torch.compile(shop) hangs in the till.\n^C^C\nzsh: killed     python till.py\n", 0, "its writer says that the program hangs",
        None, "py-spy"),
    "a notebook whose process ended": (
        "torch.compile(shop)\nThe kernel appears to have died. It will restart automatically.\n", 1,
        "The notebook's process ended", None, "nbconvert"),
    "a server's start, mostly capture": (
        "INFO 03-22 09:50:01 [loader.py:447] Loading weights took 1.69 seconds\n"
        "INFO 03-22 09:50:09 [backends.py:426] Dynamo bytecode transform time: **6.51 s**\n"
        "INFO 03-22 09:50:09 [backends.py:115] Directly load the compiled graph for shape None from the cache\n"
        "INFO 03-22 09:50:18 [monitor.py:33] torch.compile takes 8.51 s in total\n"
        "INFO 03-22 09:50:35 [gpu_model_runner.py:1608] Graph capturing finished in **15 secs**, took 0.48 GiB\n"
        "INFO 03-22 09:50:35 [core.py:162] init engine (profile, create kv cache, warmup model) took **29.11 seconds**\n", 0,
        "most of which is capturing CUDA graphs: 15.0 of 29.1 s (warm cache), Dynamo 6.5 s", None,
        "cudagraph_capture_sizes"),
    "a server's start, mostly Dynamo": (
        "INFO 03-22 09:50:09 [backends.py:426] Dynamo bytecode transform time: 16.51 s\n"
        "INFO 03-22 09:50:09 [backends.py:115] Directly load the compiled graph(s) for shape None from the cache, took 2.1 s\n"
        "INFO 03-22 09:50:18 [monitor.py:33] torch.compile takes 8.51 s in total\n"
        "INFO 03-22 09:50:35 [gpu_model_runner.py:1608] Graph capturing finished in 5 secs, took 0.48 GiB\n"
        "INFO 03-22 09:50:35 [core.py:162] init engine (profile, create kv cache, warmup model) took 29.11 seconds\n", 0,
        "most of which is Dynamo", None, "traces the model again"),
    "a server's start, of several workers and models": (
        "".join(f"(Worker_TP{rank} pid={90 + rank}) INFO 03-22 09:50:09 [backends.py:426] {line}\n" for line in (
            "Dynamo bytecode transform time: 6.51 s", "Cache the graph for dynamic shape for later use",
            "Compiling a graph for dynamic shape takes 16.87 s", "Compiling a graph for shape 8 takes 5.02 s", "torch.compile takes 28.40 s in total",
            "Dynamo bytecode transform time: 0.40 s", "Compiling a graph for dynamic shape takes 0.20 s", "torch.compile takes 29.00 s in total",
            "Graph capturing finished in 5 secs, took 0.48 GiB") for rank in (0, 1)) +
        "(EngineCore_DP0 pid=80) INFO 03-22 09:50:35 [core.py:162] init engine (profile, create kv cache, warmup model) took 40.10 seconds\n", 0,
        "most of which is compiling: 22.1 of 40.1 s (cold cache), capture of CUDA graphs 5.0 s, Dynamo 6.9 s", None, "VLLM_CACHE_ROOT"),
    "a server's start, mostly the first run": (
        "INFO 03-22 09:50:09 [backends.py:426] Dynamo bytecode transform time: 6.51 s\n"
        "INFO 03-22 09:50:09 [backends.py:290] Directly load the compiled graph(s) for compile range (1, 8192) from the cache, took 1.2 s\n"
        "INFO 03-22 09:50:18 [monitor.py:48] torch.compile took 8.51 s in total\n"
        "INFO 03-22 09:50:35 [monitor.py:76] Initial profiling/warmup run took 21.20 s\n"
        "INFO 03-22 09:50:35 [core.py:162] init engine (profile, create kv cache, warmup model) took 33.00 seconds\n", 0,
        "most of which is the first run: 21.2 of 33.0 s (warm cache), Dynamo 6.5 s, loading graphs 1.2 s, the rest 4.1 s", None, "TRITON_CACHE_DIR"),
    "the lookup before each call": (
        "till = torch.compile(till)\n  drawers   Cache lookup   Pregraph\n  20          0.404 ms   0.101 ms\n"
        "  10          0.211 ms   0.099 ms\n", 0, "what Dynamo does before each call", None, "skip_guard_eval_unsafe"),
    "a kernel in two profiles": (
        "torch.compile(till)\nEager:\n  Name   Self CPU %   Self CPU   Self CUDA   Self CUDA %   # of Calls\n"
        "  till_kernel_0d1d2c   0.00%   0.000us   20.000ms   100.00%   50\n  cuLaunchKernel   1.00%   9.000us   0.000us   0.00%   50\n"
        "Compiled:\n  Name   Self CPU %   Self CPU   Self CUDA   Self CUDA %   # of Calls\n"
        "  till_kernel_0d1d2   0.00%   0.000us   80.000ms   100.00%   50\n  cuLaunchKernel   1.00%   9.000us   0.000us   0.00%   50\n", 0,
        "`till_kernel` takes 80.0 ms on the GPU instead of 20.0 ms (4.0 times) in 50 calls, as another variant", None, "tl.constexpr"),
    "a kernel that has most of the time": (
        "torch.compile(till)\n  Name   Self CPU %   Self CPU   Self CUDA   Self CUDA %   # of Calls\n"
        "  till_gemm   0.00%   0.000us   80.000ms   90.00%   50\n  cuLaunchKernel   1.00%   9.000us   0.000us   0.00%   50\n"
        "Self CPU time total: 92.000ms\nSelf CUDA time total: 89.000ms\n", 0,
        "`till_gemm` takes 80.0 ms of the 89.0 ms", None, "launching kernels is not what costs"),
    "memory of autocast": (
        "The till, by settings:\ncompile: off, autocast: off  1.10 GB\ncompile: on, autocast: off  1.10 GB\n"
        "compile: off, autocast: on  1.21 GB\ncompile: on, autocast: on  4.40 GB\nwith torch.compile 2.5\n", 0,
        "memory with autocast and the compiler together: compile: on, autocast: on", None, "Cast the weights once"),
    "a mask that takes longest": (
        "torch.compile(till)\ncreate_block_mask  avg 900.1 ms\nflex_attention fwd  avg 40.2 ms\n", 0,
        "create_block_mask takes longest", None, "_compile=True"),
    "a seed": (
        "torch.manual_seed(7)\nnet = torch.compile(lambda n: torch.rand(n))\nWith the same seed, the draws of the till differ from eager.\n",
        0, "random numbers under one seed", None, "fallback_random"),
    "half precision that overflows": (
        "y = x.half()\nnet = torch.compile(till)\nOur check for overflow finds nothing in the compiled till.\n", 0,
        "half precision that overflows only uncompiled", None, "EMULATE_PRECISION_CASTS"),
    "a LoRA that does nothing": (
        "torch.compile: the LoRA is silently ignored once the till is compiled.\n", 0, "results are wrong", None, "apply the LoRA first"),
    "hooks that are added later": (
        "We watch the tills of our shop, which are\ncompiled. With torch.compile the list of bells stays empty if the till was already called once before I add the hook.\n"
        "till = torch.compile(till)\ntill(x)\nbell = till.drawer.register_forward_hook(ring)\ntill(x)\n",
        0, "does not see, added after the first call: With torch.compile the list", None, "skip_nnmodule_hook_guards"),
    "hooks that are added at some time": (
        "till.drawer.register_forward_hook(ring)\ntill = torch.compile(till)\nMy hook is not called, the till sells in silence.\n",
        0, "hooks that compiled code does not see: My hook is not called", None, "Most likely the hooks are added"),
    "hooks of tills on ranks": (
        "till = fully_shard(till)\ntill.drawer.register_forward_hook(ring)\ntill = torch.compile(till)\nMy hook is not called, the till sells in silence.\n",
        0, "results are wrong", None, "skip_nnmodule_hook_guards"),
    "a till that says what does not happen": (
        "We use torch.compile for the shop.\nThe list of bells stays empty at night, and there is no warning.\n", 0, "the compiler is named", None,
        "something goes wrong without an error"),
    "a line that ends the sentence before": (
        "The shop has many tills, and each of the old ones\nis fine. We use torch.compile in the new ones.\n", 0, "the compiler is named: We use torch.compile",
        None, "The text does not show"),
    **{f"a write into a slice, {name}": (
        f"import torch\n\n{decorator}def sell(till, drawer):\n    total = till + drawer\n    till.copy_(total)\n\n{alias}"
        f"bills = torch.zeros(3, 2, n, device=\"cuda\")\nsell({argument}, drawer)\n\nUnless n is a multiple of 4 the drawer is left alone on cuda. "
        f"torch.compile of {version}\n", 0, title, None, step) for name, decorator, alias, argument, version, title, step in (
            ("decorated", "@torch.compile\n", "", "bills[:, 1]", "torch 2.6.0", "`bills[:, 1]`, into which `sell` writes", "outside of the compiled function"),
            ("by another name", "", "sell = torch.compile(sell)\n", "bills[..., 0, :]", "torch 2.5.1", "`bills[..., 0, :]`, into which", "data_ptr() % 16"),
            ("of a function that is not compiled", "", "", "bills[:, 1]", "torch 2.6.0", "the compiler is named", "does not show"),
            ("passed as another argument", "@torch.compile\n", "", "bills, bills[:, 1]", "torch 2.6.0", "the compiler is named", "does not show"),
            ("that is copied back", "@torch.compile\n", "", "bills[:, 1]", "torch 2.9.0", "the compiler is named", "does not show"))},
    "hooks that do not run": (
        "torch.compile: my hooks are not called once the till is compiled.\n", 0, "results are wrong", None, "skip_nnmodule_hook_guards"),
    "numbers near 0": (
        "torch.compile(price)\nDynamo? The price is wrong:\neager: tensor(8.25e-39)\ncompiled: tensor(0.)\n", 0,
        "numbers near 0 become 0: eager: tensor(8.25e-39)", None, "set_flush_denormal(False)"),
    "small numbers, and none near 0": (
        "torch.compile(price)\nDynamo? The price is wrong:\neager: tensor(8.25e-12)\ncompiled: tensor(0.)\nrun 4e-41a7\n", 0,
        "in a text on results", None, "aot_eager"),
    "numbers near 0 that stay": (
        "torch.compile(price)\nDynamo? The price is wrong:\neager: tensor(8.25e-39)\ncompiled: tensor(2.5)\n", 0,
        "the compiled result is wrong: 2.5 where eager mode has 8.25e-39", None, "aot_eager"),
    "stages in columns": (
        "The compile time of the till went from seconds to minutes with torch.compile.\n\nn   eager  aot_eager  inductor\n"
        "1   0.001  0.03       0.2\n2   0.001  0.04       0.6\n3   0.001  0.05       1.8\n4   0.001  0.06       5.4\n", 0,
        "takes longest in inductor, where each step takes about 3 times as long", None, "realize_reads_threshold = 1"),
    "functions of which some are slower": (
        "On the CPU, us per call of torch.compile(till):\n\nexp\neager:    300.5\ncompiled: 601.2\nrelu(x*3)+1\neager:    400.1\ncompiled: 100.3\n", 0,
        "compiled code is slower, for single functions, in 1 of 2 pairs: exp 300 to 601 (2 times); faster: relu(x*3)+1", None, "nothing to fuse"),
    "a table of sizes": (
        "Times of torch.compile(till), in ms:\n\n| batch | eager | compiled |\n|---|---:|---:|\n| 1 | 2.0 | 3.0 |\n| 8 | 9.0 | 3.0 |\n", 0,
        "compiled code is slower, in 1 of 2 pairs: batch 1 2.0 to 3.0", None, "have in common"),
    "a table of modes": (
        "torch.compile(till), PyTorch 2.1.0\n\n| made | run | eager ms | compiled ms |\n|---|---|---|---|\n| no_grad | no_grad | 2.0 | 1.0 |\n"
        "| none | inference_mode | 2.0 | 7.0 |\n", 0, "with inference_mode, in 1 of 2 pairs: made none, run inference_mode 2.0 to 7.0 (3.5", None,
        "under one mode"),
    "a difference that is marked": (
        "torch.compile(till, mode=m), the sums of the till:\n  mode=default: max_diff=1e-8 ok\n  mode=reduce-overhead: max_diff=2.5 BUG\n", 0,
        "one result is far off, only with CUDA graphs: mode=reduce-overhead: max_diff=2.5 BUG; right with `mode=default`", None, "memory of its own"),
    "a difference that is by far the largest": (
        "torch.compile(net), each aisle:\ntill: max diff: 1e-7\nshelf: max diff: 2e-7\ncart: max diff: 0.5\n", 0,
        "one result is far off: cart: max diff: 0.5", None, "setting of a line that is right"),
    "a compiler that is at work": (
        "aoti_compile_and_package(till) prints nothing, torch 2.9.0\n  PID     ELAPSED %CPU COMMAND\n 4117    00:41:02 99.9 /usr/lib/gcc/12/cc1plus -quiet "
        "-D TORCH_INDUCTOR_CPP_WRAPPER\n 4116    00:41:02  0.0 g++ /tmp/torchinductor_me/c1/c1.cpp -O3\n9120 /tmp/torchinductor_me/c1/c1.cpp\n", 0,
        "a compiler is at work: cc1plus, for 00:41:02, at one file of 9120 lines", None, "compile_wrapper_opt_level"),
    "inference mode, which is no infinity": (
        "net = torch.compile(till)\nwith torch.inference_mode(): net(x)\n", 0, "the compiler is named: net = torch.compile", None, "paste"),
    "counters of very large graphs": (
        "torch: a loop over hours\n{'stats': Counter({'calls_captured': 90000,\n 'unique_graphs': 1})}\n", 0,
        "very large graphs: 90000 calls in 1 graph", None, "Compile the body"),
    "counters of graphs of the usual size": (
        "torch: a loop over hours\n{'stats': Counter({'calls_captured': 90000,\n 'unique_graphs': 46})}\n", 0,
        "counters of the compiler", None, "graph_breaks,recompiles"),
    "a program that is slow": ("net = torch.compile(Shop(), dynamic=False)\nEach new size is slow, why?\n", 0,
                               "its writer says that it is slow: Each new size is slow", None, "dynamic=True"),
    "an exception, and a list of advice behind it": (
        "Traceback (most recent call last):\n  File \"/srv/shop/sell.py\", line 12, in sell\n    till(x)\n"
        "  File \"/v/site-packages/kitchen/oven.py\", line 3, in bake\n    raise NotImplementedError\nNotImplementedError\n\n"
        "During handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n"
        "  File \"/srv/shop/run.py\", line 4, in start\n    raise Exception(\nException: Capture cuda graph failed: . Possible solutions:\n"
        "1. disable it\n2. less memory\n3. disable torch.compile\nOpen an issue\n````\n",
        1, "NotImplementedError", 12, "ithout `torch.compile`"),
    "an exception that a server could not pass on": (
        "(Worker pid=9) Exception in initializer:\n(Worker pid=9) Traceback (most recent call last):\n"
        "(Worker pid=9)   File \"/v/site-packages/torch/_inductor/codecache.py\", line 620, in init\n(Worker pid=9)     start()\n"
        "(Worker pid=9) RuntimeError: can't start new thread\nTraceback (most recent call last):\n"
        "  File \"/srv/shop.py\", line 12, in <module>\n    ray.get(x)\nray.exceptions.RaySystemError: System error: "
        "Failed to unpickle serialized exception\n", 1, "no more files, processes or threads", None, "COMPILE_THREADS=1"),
    "a message of a worker that cannot be read": (
        "E0718 22:47:11.256000 657 torch/_inductor/compile_worker/subproc_pool.py:183] failure in SubprocPool._read_thread\n"
        "E0718 22:47:11.256000 657 torch/_inductor/compile_worker/subproc_pool.py:183] Traceback (most recent call last):\n"
        "E0718 22:47:11.256000 657 torch/_inductor/compile_worker/subproc_pool.py:183]   File "
        "\"/v/torch/_inductor/compile_worker/subproc_pool.py\", line 50, in _recv_msg\n"
        "E0718 22:47:11.256000 657 torch/_inductor/compile_worker/subproc_pool.py:183]     data = read_pipe.read(length)\n"
        "E0718 22:47:11.256000 657 torch/_inductor/compile_worker/subproc_pool.py:183] MemoryError\n",
        1, "MemoryError", None, "No memory is lacking"),
    "a weight on the CPU": (
        FAILED.replace("torch._inductor.exc.InductorError: AssertionError: no quokka",
                       "RuntimeError: Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same"),
        1, "should be the same", 12, "One of the two is on the CPU"),
    "weights of two data types": (
        FAILED.replace("torch._inductor.exc.InductorError: AssertionError: no quokka",
                       "RuntimeError: Input type (torch.cuda.FloatTensor) and weight type (torch.cuda.HalfTensor) should be the same"),
        1, "should be the same", 12, "different dtypes"),
    "CUDA graphs and the wrapper in C++": ("skipping cudagraphs due to cpp wrapper enabled\n", 0, "cpp wrapper enabled", None, "cpp_wrapper"),
    "a tensor that is made on the CPU": (
        "skipping cudagraphs due to cpu device (cat_1). Found from :\n   File \"/srv/shop.py\", line 12, in sell\n    x = torch.cat(y)\n",
        0, "cpu device (cat_1)", 12, "made in the graph"),
    "a tensor that is copied to the CPU": (
        "skipping cudagraphs due to cpu device (device_put_1). Found from :\n   File \"/srv/shop.py\", line 12, in sell\n    n = x.sum(-1).cpu()\n",
        0, "cpu device (device_put_1)", 12, "copies a tensor to the CPU"),
    "ranks that send different sizes": (
        "".join(f"[rank{rank}]:[E125 18:38:34.401182733 ProcessGroupNCCL.cpp:683] [Rank {rank}] Watchdog caught collective operation "
                f"timeout: WorkNCCL(SeqNum=412, OpType=ALLTOALL_BASE, NumelIn={size}, NumelOut=8, Timeout(ms)=600000) ran for 600009 "
                "milliseconds before timing out.\n"
                f"[rank{rank}]:[E125 18:38:34.401391550 ProcessGroupNCCL.cpp:2241] [PG ID 0 PG GUID 0(default_pg) Rank {rank}]  failure "
                "detected by watchdog at work sequence id: 412 PG status: last enqueued work: 413, last completed work: 411\n"
                for rank, size in ((0, 8), (1, 6))), 2, "ranks give different sizes", None, "exchange the"),
    "ranks that wait in one collective": (
        "".join(f"[rank{rank}]:[E125 18:38:34.401182733 ProcessGroupNCCL.cpp:683] [Rank {rank}] Watchdog caught collective operation "
                "timeout: WorkNCCL(SeqNum=412, OpType=ALLREDUCE, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600009 "
                "milliseconds before timing out.\n"
                f"[rank{rank}]:[E125 18:38:34.401391550 ProcessGroupNCCL.cpp:2241] [PG ID 0 PG GUID 0(default_pg) Rank {rank}]  failure "
                "detected by watchdog at work sequence id: 412 PG status: last enqueued work: 413, last completed work: 411\n"
                for rank in (0, 1)), 2, "none has finished it", None, "NCCL_P2P_DISABLE=1"),
    **{f"no memory, {name}": (LACKS.format(error), 1, title, 12, advice) for name, error, title, advice in (
        ("of the driver", "RuntimeError: CUDA driver error: out of memory", "Out of memory: `RuntimeError`: CUDA driver error", "what the driver allocates"),
        ("while Triton loads", "RuntimeError: Triton Error [CUDA]: out of memory", "Out of memory: `RuntimeError`: Triton Error", "what the driver allocates"),
        ("of cuBLAS", "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`", "Out of memory: ", "smaller batch"),
        ("of cuFFT", "RuntimeError: cuFFT error: CUFFT_ALLOC_FAILED", "Out of memory: ", "smaller batch"),
        ("of ROCm", "RuntimeError: HIP error: out of memory", "Out of memory: ", "rocm-smi"),
        ("of hipBLAS", "RuntimeError: CUDA error: HIPBLAS_STATUS_ALLOC_FAILED when calling `hipblasCreate(handle)`", "Out of memory: ", "rocm-smi"),
        ("of MIOpen", "RuntimeError: miopenStatusAllocFailed", "Out of memory: ", "rocm-smi"),
        ("of NCCL", "torch.distributed.DistBackendError: NCCL error in: till.hpp:275, unhandled cuda error, NCCL version 2.21.5\n"
                    "ncclUnhandledCudaError: Call to CUDA function failed.\nLast error:\nCuda failure 2 'out of memory'", "Out of memory: ", "Leave some free"),
        ("of numpy", "numpy._core._exceptions._ArrayMemoryError: Unable to allocate 29.8 GiB for an array with shape (4000000000,)", "Out of memory: ",
         "Less at once"),
        ("of a CPU of Windows", "RuntimeError: [enforce fail at alloc_cpu.cpp:114] data. DefaultCPUAllocator: not enough memory: you tried to allocate "
                                "1073741824 bytes.", "Out of memory: ", "Less at once"))},
    "no memory for another process": (
        LACKS.format("OSError: [Errno 12] Cannot allocate memory").replace("_inductor/utils.py", "_inductor/compile_worker/subproc_pool.py"),
        1, "has no memory left: `OSError`", 12, "start fewer processes"),
    "no memory, as NCCL logs it": (
        "till:311:512 [1] include/alloc.h:228 NCCL WARN Cuda failure 2 'out of memory'\n" +
        LACKS.format("torch.distributed.DistBackendError: NCCL error in: till.hpp:275, unhandled cuda error (run with NCCL_DEBUG=INFO for details)"),
        1, "Out of memory: ", 12, "Leave some free"),
    "no memory, and what cuDNN says then": (
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 64.00 MiB. GPU 0 has a total capacity of 23.64 GiB of which 31.00 MiB is free.\n" +
        LACKS.format("RuntimeError: cuDNN error: CUDNN_STATUS_INTERNAL_ERROR"), 1, "64.00 MiB asked for, 31.00 MiB free", 12, "smaller batch"),
    "what cuDNN says alone": (LACKS.format("RuntimeError: cuDNN error: CUDNN_STATUS_INTERNAL_ERROR"), 1, "CUDNN_STATUS_INTERNAL_ERROR", 12,
                              "rejected the call"),
    "no memory for a graph of CUDA": (
        LACKS.format("torch.AcceleratorError: CUDA error: out of memory").replace("_inductor/utils.py", "_inductor/cudagraph_trees.py").replace(
            "in run\n", "in _record\n"), 1, "Out of memory: ", 12, "while a CUDA graph is recorded"),
    "no memory for a graph that vLLM captures": (
        LACKS.format("RuntimeError: CUDA error: out of memory").replace("_inductor/utils.py", "cuda/graphs.py").replace(
            "in run\n", "in capture_end\n").replace(
            "y = net(x)\n", 'y = net(x)\n  File "/v/site-packages/vllm/v1/worker/gpu_model_runner.py", line 7, in capture_model\n    self._capture()\n'),
        1, "Out of memory: ", 12, "cudagraph_capture_sizes"),
    "an argument that NCCL refuses": (
        LACKS.format("torch.distributed.DistBackendError: NCCL error in: till.hpp:275, unhandled cuda error\nLast error:\nCuda failure 'invalid argument'"),
        1, "NCCL: Cuda failure 'invalid argument'", 12, "Let NCCL log what failed"),
    "a server that only says that another failed": (
        "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {'EngineCore_0': 1}\n",
        1, "this text lacks its error: `RuntimeError`", None, "Paste these"),
    "a server whose processes each say that another failed": (
        "".join(f"({who} pid={i}) {line}\n" for i, (who, words) in enumerate((
            ("EngineCore", "Exception: WorkerProc initialization failed due to an exception in a background process. See stack trace for root cause."),
            ("APIServer", "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}")))
            for line in ("Traceback (most recent call last):", '  File "/srv/shop.py", line 12, in sell', "    engine.start()", words)),
        1, "WorkerProc initialization failed", 12, "cause is above it"),
    "a server whose process was killed": (
        "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {'EngineCore_0': -9}\n",
        1, "The system killed a process of the server", None, "dmesg"),
    "a server that killed the rest of its processes": (
        "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {'EngineCore_DP0': 1, 'EngineCore_DP1': -9}\n",
        1, "this text lacks its error", None, "Paste these"),
    "ranks of which none is missing": (
        "torch.compile(shop) is slow.\nThe till prints missing ranks: {} when all are there.\n", 0, "the compiler is named, in a text on speed", None,
        "TORCH_LOGS=recompiles,graph_breaks"),
    "an extension whose code is wrong": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    load(name="till", sources=["till.cu"])\n'
        "RuntimeError: Error building extension 'till': [1/3] /usr/local/cuda/bin/nvcc -DTORCH_EXTENSION_NAME=till -c /srv/till.cu -o till.cuda.o\n"
        "FAILED: till.cuda.o\n/usr/local/cuda/bin/nvcc -DTORCH_EXTENSION_NAME=till -c /srv/till.cu -o till.cuda.o\n"
        '/srv/till.cu(14): error: identifier "quokka" is undefined\n1 error detected in the compilation of "/srv/till.cu".\n'
        "ninja: build stopped: subcommand failed.\n", 1, 'error: identifier "quokka" is undefined', 12, "compiler of the extension"),
    "a compiler that the system killed, as Python says it": (
        "torch._inductor.exc.InductorError: CalledProcessError: Command '['g++', 'till.cpp', '-o', 'till.so']' died with <Signals.SIGKILL: 9>.\n",
        1, "The system killed the C++ compiler", None, "TORCHINDUCTOR_COMPILE_THREADS=1"),
    "ranks that time out at one number": (
        "".join(f"[rank{rank}]:[E512 10:12:41.120300332 ProcessGroupNCCL.cpp:1834] [PG ID 0 PG GUID 0(default_pg) Rank {rank}] Timeout at NCCL "
                "work: 41, last enqueued NCCL work: 43, last completed NCCL work: 40.\n" for rank in (0, 1)),
        2, "each rank of this text has called collective #41, and none has finished it", None, "NCCL_P2P_DISABLE=1"),
    "a watchdog of one rank, with its counters": (WAITING((1,)), 1, "the text only has rank 1, which has called collective #412", None,
                                                  "not the one that is missing, if one is"),
    "a count of breaks without their list": (
        "Dynamo produced 100 graphs with 99 graph break and 60 ops\n", 0, "graphs that break: 99 breaks, 100 graphs", None,
        "`TORCH_LOGS=graph_breaks` prints each"),
    "a count of breaks, and the heading of their list": (
        "Dynamo produced 100 graphs with 99 graph break and 60 ops\n Break reasons: \n\n", 0, "graphs that break: 99 breaks, 100 graphs", None,
        "`TORCH_LOGS=graph_breaks` prints each"),
    "a count of breaks, and the beginning of their list": (
        "Graph Count: 100\nGraph Break Count: 99\nOp Count: 60\nBreak Reasons:\n  Break Reason 1:\n", 0,
        "99 graph breaks, and the text does not give their reasons", None, "TORCH_LOGS=graph_breaks"),
    "the tuple of explain in PyTorch 2.0": (
        "('Dynamo produced 12 graphs with 11 graph break and 90 ops', [], [GraphModule()], [[]])\n", 0, "graphs that break: 11 breaks, 12 graphs", None,
        "`TORCH_LOGS=graph_breaks` prints each"),
    "what explain returns, as Python shows it": (
        "ExplainOutput(graphs=[GraphModule()], graph_count=3, graph_break_count=2, break_reasons=[], op_count=2, ops_per_graph=[[]], out_guards=[\n"
        "        global \"G['__builtins_dict___1']['print']\" BUILTIN_MATCH\n        {\n            'guard_types': ['ID_MATCH'],\n        }\n        ])\n",
        0, "graphs that break: 2 breaks, 3 graphs", None, "the most frequent reason first"),
    "an attribute of explain, printed below its name": (
        ">>> print(explanation.graph_count)\n12\n>>> print(explanation.graph_break_count)\n11\n", 0, "graphs that break: 11 breaks, 12 graphs", None,
        "`TORCH_LOGS=graph_breaks` prints each"),
    "ranks that wait in different collectives, of which one lacks its second line": (
        WAITING((0,)).replace("ALLREDUCE", "BROADCAST") + WAITING((1,)).replace("ALLREDUCE", "BROADCAST").split("\n")[0] + "\n" +
        WAITING((2,)).replace("412", "414").replace("413", "414").replace("411", "413"), 3, "ranks call collectives that differ: rank 2 at #414", None,
        "rank 2 calls and the others do not"),
    "headers of macOS that Homebrew's compiler does not find": (
        "torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n\nCommand:\nclang++ till.main.cpp -o till.so\n\nOutput:\n"
        "/opt/homebrew/opt/llvm/bin/../include/c++/v1/__thread/support/pthread.h:29:10: fatal error: 'pthread.h' file not found\n"
        "   29 | #include <pthread.h>\n1 error generated.\n", 1, "does not find the system's headers", None, "xcrun --show-sdk-path"),
    "breaks of explain() whose lines lost a blank": (
        "Dynamo produced 100 graphs with 99 graph break and 60 ops\nBreak reasons: \n\n1. call_function till in skip_files /v/site-packages/tills/core.py\n"
        '  File "/srv/shop.py", line 12, in sell\n    x = till(x)\n \n', 0, "till in skip_files", 12, "Call it before the compiled function"),
    "a value that is read, in a log without backquotes": (
        "".join("W0503 22:06:01.020000 9 torch/_dynamo/variables/tensor.py:869] [1/0] " + line + "\n" for line in (
            "Graph break from Tensor.item(), consider setting:", "    torch._dynamo.config.capture_scalar_outputs = True", "or:",
            "    env TORCHDYNAMO_CAPTURE_SCALAR_OUTPUTS=1", "to include these operations in the captured graph.", "",
            "Graph break: from user code at:", '  File "/srv/shop.py", line 12, in sell', "    n = x.sum().item()")),
        0, "a tensor's value is read", 12, "let Dynamo capture it"),
    "a recompile of a notebook's cell, as HTML": (
        "[2023-11-21 19:02:13,073] torch._dynamo.guards.__recompiles: [DEBUG] Recompiling function sell in &lt;ipython-input-6-47&gt;:12\n"
        "[2023-11-21 19:02:13,073] torch._dynamo.guards.__recompiles: [DEBUG]     triggered by the following guard failure(s):\n"
        "[2023-11-21 19:02:13,073] torch._dynamo.guards.__recompiles: [DEBUG]     - L['end'] == 10                 "
        "# x = x * end  # &lt;ipython-input-6-47&gt;:12 in sell\n", 0, "the Python number `end` was 10", 12, "Let it be dynamic from the first call on"),
    "ranks that wait in different groups": (  # a watchdog names the number in its group: all are the first of theirs
        "".join(WAITING((rank,)).replace("PG ID 0 PG GUID 0(default_pg)", f"PG ID 4 PG GUID {rank}7").replace(f"Rank {rank}]", "Rank 0]")
                for rank in (1, 3)),
        2, "rank 1 in #412 (ALLREDUCE, 8 elements) of PG GUID 17, rank 3 in #412 (ALLREDUCE, 8 elements) of PG GUID 37", None, "in one order on every rank"),
    "a receiver that waits": (WAITING((1,)).replace("ALLREDUCE", "RECV"), 1, "waits for the rank at the other end of #412 (RECV", None,
                              "other end does instead"),
    "a report of ranks that do not join": (
        WATCHDOG + "\n\t - To our best knowledge, the lagging/dead/mismatched ranks that caused the desync are:\n\t   - [1] joined but didn't "
        "finish collective #416 (count from 1)\n\t     [2] finished collective #416, but didn't join collective #417 (count from 1)\n",
        1, "rank 2 finished collective #416, but didn't join", None, "what rank 2 does instead"),
    "a report of ranks that all joined": (
        WATCHDOG + "\n\t - To our best knowledge, the lagging/dead/mismatched ranks that caused the desync are:\n\t   - [0, 3] joined but didn't "
        "finish collective #417 (count from 1)\n", 1, "ranks 0, 3 joined but didn't finish collective #417", None,
        "If it has none, no rank is missing"),
    "a report of ranks that never joined": (
        WATCHDOG + "\n\t - To our best knowledge, ranks [1, 2] are the lagging ranks that caused this timeout. They never joined any collectives\n",
        1, "ranks 1, 2 are the lagging ranks", None, "what ranks 1, 2 do instead"),
    "what Flight Recorders show": (
        "Not all ranks joining collective, sequence number: 417\ninternal record id: 3\ngroup info: 0:default_pg\ncollective: nccl:all_reduce\n"
        "missing ranks: {2}\ninput sizes: [[1024]]\n" + WATCHDOG, 1, "rank 2 did not join the collective", None, "what rank 2 does instead"),
    "a collective that Python waits for": (
        WAITING((0, 1)) + "".join(
            f'[rank{rank}]: Traceback (most recent call last):\n[rank{rank}]:   File "/srv/shop.py", line 12, in sell\n[rank{rank}]:     net(x)\n'
            f"[rank{rank}]: torch.distributed.DistBackendError: [Rank {rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=412, "
            "OpType=ALLREDUCE, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600009 milliseconds before timing out.\n" for rank in (0, 1)),
        2, "A collective timed out: each rank of this text has called collective #412", 12, "NCCL_P2P_DISABLE=1"),
    "a file of the cache that another process has open": (
        FAILED.replace("AssertionError: no quokka", "PermissionError: [Errno 13] Permission denied: "
                       "'C:\\\\Users\\\\me\\\\torchinductor_me\\\\a.py'"), 1, "Windows refuses a file", 12, "another process"),
    "a summary of pytest that is cut without a sign": (
        FAILED + "FAILED test_shop.py::test_till - torch._inductor.exc.InductorError: AssertionError: no quokka and no\n", 1,
        "no quokka", 12, "newer"),
    "a head that lost its level": (
        " 12%|#####     | 1/8 [01:12<08:27, 72.43s/it]19:36:39.653000 193 site-packages\\torch\\_dynamo\\convert_frame.py:964] [3/256] "
        "torch._dynamo hit config.accumulated_recompile_limit (256)\n"
        "W0806 19:36:39.653000 193 site-packages\\torch\\_dynamo\\convert_frame.py:964] [3/256]    function: 'till' (C:\\shop.py:22)\n"
        "W0806 19:36:39.653000 193 site-packages\\torch\\_dynamo\\convert_frame.py:964] [3/256]    last reason: 3/255: "
        "name == 'blocks.25.k'\n", 0, "`till` hit the limit on all compiles", 22, "compiled in"),
    "results that agree in float32": (
        "torch.compile in bf16:\nTensor-likes are not close!\n\nMismatched elements: 7 / 70 (10.0%)\nGreatest absolute difference: 0.06 at "
        "index (0,) (up to 1e-05 allowed)\n\nIn fp32 the same script passes.\n", 1, "Results differ", None, "In float32 the results agree"),
    "a model that was loaded for another GPU": (
        "[E920 17:40:42.113960187 shim_common.cpp:417] Exception in aoti_torch: Specified device cuda:1 does not match device of data cuda:0\n"
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in <module>\n    torch._export.aot_load(\n"
        "  File \"/v/site-packages/torch/_export/__init__.py\", line 307, in aot_load\n    runner = Runner(path, 1, device)\n"
        "RuntimeError: create_func_( &container_handle_, num_models) API call failed at ../torch/csrc/inductor/aoti_runner/"
        "model_container_runner.cpp, line 58\n", 1, "does not match device of data", 12, "set_device"),
    "a step of bytecode that fails": (
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    self.log(x)\n"
        "  File \"/v/site-packages/torch/_dynamo/convert_frame.py\", line 324, in _compile\n    code = transform(x)\n"
        "  File \"/v/site-packages/torch/_dynamo/bytecode_analysis.py\", line 198, in stacksize_analysis\n    assert low >= 0\n"
        "AssertionError\n", 1, "Bug in Dynamo", 12, "newer PyTorch"),
    "how long compiling took, beside a warning": (
        "W1227 17:10:09.118000 139 torch/fx/experimental/symbolic_shapes.py:4449] [0/0] xindex is not in var_ranges, defaulting to unknown range.\n"
        "shop --compile\nshop:generate:852 - Compilation time: 248.99 seconds\n", 0, "how long compiling took", None, "TORCHINDUCTOR_CACHE_DIR"),
    "times, and memory beside them": (
        "torch.compile(shop)\nTime for bread 1: 87.62 sec total, 2.28 tokens/sec\nTime for bread 2: 1.99 sec total\nMemory used: 13.84 GB\n",
        0, "times that the program measured", None, "The first calls compile"),
    "a string that names one of several modules": (
        "V1105 11:09:03.882000 118 torch/_dynamo/guards.py:4181] [0/1] [__recompiles] Recompiling function sell in /srv/shop.py:12\n"
        "V1105 11:09:03.882000 118 torch/_dynamo/guards.py:4181] [0/1] [__recompiles]     triggered by the following guard failure(s):\n"
        "V1105 11:09:03.882000 118 torch/_dynamo/guards.py:4181] [0/1] [__recompiles]     - 0/0: self._modules['till'].price[0].key == "
        "'shop.blocks.0.till.weight'  # y = x(key)  # srv/shop.py:14 in sell\n", 0, "till", 14, "several modules share this code"),
    "two starts of vLLM, of which one says when it began": (
        "INFO 07-01 21:11:24 [backends.py:167] Directly load the compiled graph(s) for shape 1 from the cache, took 4.428 s\n\nand the other:\n"
        "INFO 07-01 21:20:33 [backends.py:167] Directly load the compiled graph(s) for shape 1 from the cache, took 61.204 s\n"
        "INFO 07-01 21:23:40 [monitor.py:33] torch.compile takes 197.35 s in total\n"
        "INFO 07-01 21:24:02 [core.py:171] init engine (profile, create kv cache, warmup model) took 229.87 seconds\n",
        0, "The text has 2 starts", None, "TORCH_TRACE"),
    "a program that hangs": (
        "We train a quokka shop with torch.compile on two ranks.\nIt hangs forever after the third step. "
        "It works if I drop `mode`.\n", 0, "its writer says that the program hangs", None,
        "depends on: \"It works if I drop `mode`.\""),
    "a writer who denies": ("net = torch.compile(Shop())\nThe program no longer hangs with the newest version.\n", 0,
                            "the compiler is named", None, "paste the whole traceback"),
    "results that are wrong": ("net = torch.compile(Shop())\nIt silently returns a price of the first call, and no error.\n",
                               0, "its writer says that results are wrong", None, 'backend="eager"'),
    "memory that its writer says grows": (
        "net = torch.compile(Shop())\nThe memory of the process grows with each call of the shop.\n", 0,
        "its writer says that memory grows", None, "TORCH_LOGS=recompiles"),
    "memory that rises": (
        "net = torch.compile(shop)\nThe till is open: what now?\n[closed] alloc: 57.5, reserved: 92\n[closed] alloc: 114.5, reserved: 92\n"
        "[closed] alloc: 171.5, reserved: 92\n", 0, "memory that rises: [closed] alloc: 57.5 to 171.5 in 3 lines", None, "torch._dynamo.reset()"),
    "memory that rises with one backend": (
        "net = torch.compile(shop, backend=b)\nprint(i, memory_info().rss)\n## compile_fn inductor\n0 6357114\n9 6359736\n18 6363668\n"
        "## compile_fn aot_eager\n0 6468528\n9 6468528\n18 6468528\n",
        0, "memory that rises with inductor: 6357114 to 6363668 in 3 lines; not with aot_eager", None, "Triton, which launches its kernels"),
    "memory that rises without the compiler": (
        "net = torch.compile(shop, backend=b)\nprint(i, memory_info().rss)\n## none\n0 6357114\n9 6359736\n18 6363668\n",
        0, "memory that rises with no compiler", None, "the program itself keeps something"),
    "times of compiling by backend": (
        "torch.compile(shop): its compile time doubles with each till\nEager:\n1 0.3\n2 0.001\nCompile+aot_eager:\n1 0.9\n2 0.14\n"
        "Compile+inductor:\n1 5.1\n2 10.2\n3 20.4\n4 40.8\n",
        0, "compiling takes longest in inductor, where each step doubles it: no compiler 0.001 s, aot_eager 0.14 s", None, "realize_reads_threshold"),
    "compiling that takes long": ("net = torch.compile(Shop())\nIt takes 20 min to compile the shop.\nThe first step: 1200 s\n", 0,
                                  "its writer says that compiling takes long", None, "TORCH_TRACE=DIR"),
    "a compiled result that is wrong": (
        "net = torch.compile(Shop())\nIt returns a different value here: why is that\ntensor([0., nan])\ntensor([0., 1.])\n"
        "torch.allclose(a, b, equal_nan=True)\n", 0, "the compiled result is wrong: 1. where the other result has nan; 1 of the 2 numbers shown differ", None,
        "a bug in Inductor"),
    "a log that begins with a second compile": (
        "I0102 10:11:10.131000 9 torch/_dynamo/symbolic_convert.py:2706] [0/1] Step 1: torchdynamo start tracing sell /srv/shop.py:12\n"
        "I0102 10:11:11.131000 9 torch/_dynamo/symbolic_convert.py:3028] [0/1] Step 1: torchdynamo done tracing sell (RETURN_VALUE)\n",
        0, "`sell` was compiled again ([0/1]): the text has neither its first compile nor the reason", 12, "compiled before this text begins"),
    "a log with a first and a second compile": (
        "".join(f"I0102 10:11:1{n}.131000 9 torch/_dynamo/symbolic_convert.py:2706] [0/{n}] Step 1: torchdynamo start tracing sell /srv/shop.py:12\n"
                f"I0102 10:11:1{n}.431000 9 torch/_dynamo/symbolic_convert.py:3028] [0/{n}] Step 1: torchdynamo done tracing sell (RETURN_VALUE)\n"
                for n in (0, 1)),
        0, "`sell` recompiled once: the trace does not say why", 12, "lines that this text does not have"),
    "an abort of NCCL's watchdog": (WATCHDOG + "terminate called after throwing an instance of 'c10::DistBackendError'\nAborted (core dumped)\n",
                                    1, "A collective timed out: WorkNCCL(SeqNum=417, OpType=ALLREDUCE", None, "Find the rank that is missing"),
    "an abort of NCCL's watchdog, as Python says it": (
        WATCHDOG + 'Fatal Python error: Aborted\n\nCurrent thread 0x00007f6b5d2ff641 (most recent call first):\n  File "/srv/shop.py", line 12 in sell\n',
        1, "A collective timed out: WorkNCCL(SeqNum=417, OpType=ALLREDUCE", None, "Find the rank that is missing"),
    "an abort of NCCL's watchdog, as spawn says it": (
        WATCHDOG + "torch.multiprocessing.spawn.ProcessExitedException: process 3 terminated with signal SIGABRT\n",
        1, "A collective timed out: WorkNCCL(SeqNum=417, OpType=ALLREDUCE", None, "Find the rank that is missing"),
    "an abort of a rank whose watchdog says nothing": (
        WATCHDOG + "torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGABRT\n",
        2, "A collective timed out", None, "CUDA_LAUNCH_BLOCKING"),
    "an abort before NCCL's watchdog": (
        "terminate called after throwing an instance of 'std::bad_alloc'\n" + WATCHDOG, 2, "A collective timed out", None, ""),
    "code that a library writes beside the program, called by a cell": (
        "Traceback (most recent call last):\n  File \"/srv/run.py\", line 3, in <module>\n    sell(x)\n"
        '  File "/v/site-packages/torch/_dynamo/utils.py", line 2538, in get_fake_value\n    raise x\n'
        "torch._dynamo.exc.TorchRuntimeError: Failed running call_function <built-in method matmul>(*(FakeTensor(..., size=(7, 32)), "
        "FakeTensor(..., size=(4, 32))), **{}):\na and b must have same reduction dim, but got [7, 32] X [4, 32].\n\nfrom user code:\n"
        '   File "/content/unsloth_compiled_cache/Till.py", line 80, in price\n    sums = torch.matmul(coins, drawer.t())\n',
        1, "same reduction dim", 80, "The line is a library's"),
    "a line of an installed library, called by the program": (
        IN_LIBRARY.format('   File "/srv/shop.py", line 12, in sell\n    return tills.count(x)\n'), 1, "a branch on a tensor's value", 12, "library `tills`"),
    "a line of an installed library alone": (IN_LIBRARY.format(""), 1, "a branch on a tensor's value", 442, "library `tills`, count.py:442"),
    "tensors of two sides": (
        "net = torch.compile(Shop())\neager: tensor([[1.5, 2.5],\n        [3.5, 4.5]])\ncompiled: tensor([[1.5, 3.5],\n        [2.5, 4.5]])\n",
        0, "the compiled result is wrong: 3.5 where eager mode has 2.5; 2 of the 4 numbers shown differ, by up to 1: they are the same numbers in "
        "another order", None, "try a newer PyTorch"),
    "results behind the names of backends": (
        "We compile the till of the shop with torch.compile.\n\neager     : [0, 512]\naot_eager : [0, 512]\ninductor  : [512, 512]\n",
        0, "the compiled result is wrong with inductor, and right with aot_eager: 512 where eager mode has 0", None, "a bug of Inductor"),
    "results behind the names of backends, the first of which is wrong": (
        "We compile the till of the shop with torch.compile.\n\neager     : [0, 512]\naot_eager : [512, 512]\ninductor  : [512, 512]\n",
        0, "the compiled result is wrong with aot_eager already: 512 where eager mode has 0", None, "wrong before Inductor"),
    "results below calls of print, which 32 bits do not hold": (
        "print(sold(x))\n# output:\n# tensor([         0, 3000000000])\n\nprint(torch.compile(sold, backend=\"aot_eager\")(x))\n# output:\n"
        "# tensor([         0, 3000000000])\n\nprint(torch.compile(sold)(x))\n# output:\n# tensor([          0, -1294967296])\n",
        0, "the compiled result is wrong with inductor, and right with aot_eager: -1294967296 where", None, "cut to 32 bits"),
    "a table of results by backend": (
        BY_BACKEND.format("\n| backend | total |\n|---|---|\n| eager | 12.5 |\n| aot_eager | 12.5 |\n| inductor | 25.0 |\n"),
        0, "the compiled result is wrong with inductor, and right with aot_eager: 25.0 where eager mode has 12.5: twice as much", None, "a bug of Inductor"),
    "a column for each backend": (
        BY_BACKEND.format("\nsold     eager   aot_eager   aot_eager_decomp_partition   inductor\n3        4.5     4.5         9.0           "
                          "               9.0\n"),
        0, "the compiled result is wrong with aot_eager_decomp_partition, and right with aot_eager: 9.0 where eager mode has 4.5", None, "decompositions"),
    "words behind the names of backends": (
        BY_BACKEND.format("\neager ....... ok\naot_eager ... ok\ninductor .... NaN\n"),
        0, "the compiled result is wrong with inductor, and right with aot_eager: `NaN` where eager mode has `ok`", None, "a bug of Inductor"),
    "a result with the compiler on and off": (
        BY_BACKEND.format("\ncompile off: -3.25\ncompile on: 3.25\n"),
        0, "the compiled result is wrong: 3.25 where eager mode has -3.25: the same with the other sign", None, "Find the stage"),
    "results of one line, on one device": (
        BY_BACKEND.format("\ntotal on cuda: eager=1.5, compiled=3.0\ncpu: all the same\n"),
        0, "the compiled result is wrong: 3.0 where eager mode has 1.5: twice as much; not on the CPU", None, "counted twice"),
    "`backend=\"eager\"` differs": (
        BY_BACKEND.format("\neager  tensor([1.0, 2.0])\nbackend=\"eager\"  tensor([1.0, 4.0])\ninductor  tensor([1.0, 4.0])\n"),
        0, "the compiled result is wrong with eager already: 4.0 where eager mode has 2.0", None, "Dynamo alone"),
    "times by backend": (BY_BACKEND.format(" Times of one call:\n\neager  12.5\ninductor  25.0\n"), 0, "the compiler is named", None, ""),
    "memory by backend": (BY_BACKEND.format(" Peak memory in GB:\n\neager  12.5\ninductor  25.0\n"), 0, "the compiler is named", None, ""),
    "losses by epoch": (BY_BACKEND.format("\nepoch 1 eager: 2.5\nepoch 1 compiled: 3.5\n"), 0, "the compiler is named", None, ""),
    "results that rounding parts": (
        BY_BACKEND.format("\neager  1.500001\naot_eager  1.500001\ninductor  1.500002\n"), 0, "the compiler is named", None, ""),
    "Python's random number, drawn once": (
        DRAWN.format("if random.random() < 0.5:"),
        0, "a value that is chosen once, while the function is compiled, of `random.random()`: 4.0 in each of 3 compiled calls, and 2 different",
        None, "Most likely Python's number is drawn only once"),
    "a value of Python that may be frozen": (
        DRAWN.format("if self.lucky():"),
        0, "a value that is chosen once, while the function is compiled: 4.0 in each of 3 compiled calls, and 2 different", None, "may be frozen"),
    "a check that only eager mode makes": (
        CHECKED.format("eager ....... raises\naot_eager ... raises\ninductor .... prints \"sold\"\n"),
        0, "a check that compiled code does not make: `assert (stock > 0).all(), \"sold out\"`, without effect with inductor, and kept with aot_eager",
        None, "outside of the compiled function"),
    "a check that does nothing, in a sentence": (
        CHECKED.format("Without torch.compile: AssertionError: sold out. Compiled, the assert is silently ignored.\n"),
        0, "a check that compiled code does not make: `assert (stock > 0).all(), \"sold out\"`, without effect", None, "outside of the compiled function"),
    "a check that eager mode makes, with its traceback": (
        CHECKED.format("The assert does not fire once it is compiled.\n\nTraceback (most recent call last):\n  File \"/srv/till.py\", line 8, in <module>\n"
                       "    sell(torch.tensor([0, 1]))\n  File \"/srv/till.py\", line 5, in sell\n    assert (stock > 0).all(), \"sold out\"\n"
                       "AssertionError: sold out\n"),
        0, "a check that compiled code does not make", None, "outside of the compiled function"),
    "a check that fails": (
        CHECKED.format("Traceback (most recent call last):\n  File \"/srv/till.py\", line 8, in <module>\n    sell(torch.tensor([0, 1]))\n"
                       "  File \"/srv/till.py\", line 5, in sell\n    assert (stock > 0).all(), \"sold out\"\nAssertionError: sold out\n"),
        1, "AssertionError", 5, ""),
    "one tensor twice in autograd.Function": (
        APPLIED.format("x, x"), 0, "one tensor is given twice to an autograd.Function, of `Sold.apply(x, x)`: 1.5 where eager mode has 3.0", None, "x.clone()"),
    "two tensors in autograd.Function": (APPLIED.format("x, y"), 0, "the compiled result is wrong: 1.5 where eager mode has 3.0", None, "Find the stage"),
    "compiled against eager, without a word of the compiler": (
        "We use torch 2.4. The compiled shop is worse than the eager one, why?\n", 0, "the compiler is named", None, ""),
    "an attribute that stays what it was": (
        "till = torch.compile(Till())\n\n`self.day_counter` is always 0 inside the compiled step. Without torch.compile it counts 0, 1, 2.\n",
        0, "a value that stays what it was when it was compiled: `self.day_counter` is always 0", None, "pass it as an argument"),
    "a schedule that never changes once compiled": (
        "till = torch.compile(Till())\nIn eager mode all is right.\nThe discount follows self.epoch and never changes, with no warning.\n",
        0, "a value that stays what it was when it was compiled", None, "a newer PyTorch"),
    "memory that stays the same in each epoch": (
        "till = torch.compile(Till())\nMemory stays the same in each epoch, as without torch.compile.\n", 0, "the compiler is named", None, ""),
    "a Trainer that finds several GPUs": (
        "trainer = Trainer(model=till, args=TrainingArguments(output_dir='o', torch_compile=True))\nThe model is not compiled.\n\n"
        "/v/site-packages/torch/nn/parallel/_functions.py:71: UserWarning: Was asked to gather along dimension 0, but all input tensors were "
        "scalars; will instead unsqueeze and return a vector.\n  warnings.warn(\n",
        0, "nothing is compiled: DataParallel wraps the model, by a Trainer", None, "accelerate launch"),
    "a model in DataParallel that is as slow as without": (
        "till = torch.compile(nn.DataParallel(till))\nThere is no speedup with two GPUs; with one it is faster.\n",
        0, "nothing is compiled: DataParallel wraps the model", None, "DistributedDataParallel"),
    "a warning of DataParallel in a text that says nothing else": (
        "/v/site-packages/torch/nn/parallel/_functions.py:71: UserWarning: Was asked to gather along dimension 0, but all input tensors were "
        "scalars; will instead unsqueeze and return a vector.\n  warnings.warn(\ntorch.compile(till)\n",
        0, "Was asked to gather along dimension 0", None, ""),
    "a first call that takes forever, beside memory that is measured": (
        'till = torch.compile(till, mode="reduce-overhead", dynamic=True)\n\nThe first call takes forever and the GPU memory keeps growing.\n\n'
        "step: 0001 | time: 21.81 s | allocated: 54.0 MB\nstep: 0002 | time: 19.03 s | allocated: 76.0 MB\n"
        "step: 0003 | time: 0.33 s | allocated: 90.0 MB\nstep: 0004 | time: 0.33 s | allocated: 98.0 MB\n",
        0, "memory", None, "cudagraph_skip_dynamic_graphs = True"),
    "a call that hangs while memory grows": (
        'till = torch.compile(till, mode="reduce-overhead")\n\nThe first call hangs and the memory of the machine keeps growing.\n',
        0, "its writer says that the program hangs", None, "py-spy"),
    "a mode that sees each operator, and no times": (
        "till = torch.compile(till)\nwith FlopCounterMode():\n    till(x)\n\nAfter that the compiled till is as slow as in eager mode.\n", 0,
        "most likely nothing is compiled, after a dispatch mode: After that", None, "once before the mode is entered"),
    "flops that are counted, and nothing that is slow": (
        "till = torch.compile(till)\nwith FlopCounterMode():\n    till(x)\n\nHow do I count those of the compiled till?\n", 0,
        "the compiler is named", None, ""),
    "times that are those of eager mode": (
        "till = torch.compile(till)\n\neager      12.41 ms\ncompiled   12.38 ms\n", 0,
        "compiled code takes as long as eager mode: 12.38, and 12.41 in eager mode", None, "see whether anything is compiled"),
    "times that are those of eager mode, after flops were counted": (
        "till = torch.compile(till)\nwith FlopCounterMode(display=False):\n    till(x)\n\neager      12.41 ms\ncompiled   12.38 ms\n", 0,
        "compiled code takes as long as eager mode, beside a dispatch mode", None, "once before the mode is entered"),
    "a number that float16 does not hold": (
        "torch.compile(till)\n\neager: tensor([inf, 2.])\naot_eager: tensor([inf, 2.])\ninductor: tensor([90000., 2.])\n", 0,
        "half precision that overflows only uncompiled: 90000. where eager mode has inf", None, "float16"),
    "tensors of one side, for other inputs": (
        "net = torch.compile(Shop())\neager: tensor([1.5, 2.5])\neager: tensor([7.5, 2.5])\n", 0, "the compiler is named", None, ""),
    "tensors that random numbers make differ": (
        "net = torch.compile(Shop())  # Dropout(0.5)\neager: tensor([1.5, 2.5])\ncompiled: tensor([0., 5.0])\n",
        0, "results that differ, of a program with random numbers: 0. where eager mode has 1.5", None, "fallback_random"),
    "an argument of a comparison": ("print(torch.allclose(a, torch.compile(f)(x), equal_nan=True))\n", 0, "the compiler is named", None, "paste"),
    "random numbers of compiled code": (
        "opt = torch.compile(f)\nThe generator gave different random outputs with the compiler\n", 0, "its writer says that results are wrong",
        None, "fallback_random = True"),
    "a guard of a program's hook": (
        "torch.compile(f)\nGuardFail(reason=\"tensor 'L['bread']' size mismatch at index 0. expected 4, actual 9\", orig_code=<code>)\n",
        0, "a guard that failed: GuardFail(reason=\"tensor 'L['bread']' size mismatch", None, "dynamic=True"),
    "workers that compile": ("torch.compile calls AsyncCompile.warm_pool() in the shop, why\n", 0, "processes that compile kernels", None,
                             "COMPILE_THREADS=1"),
    "processes of one parent": (
        "torch.compile(f), and then ps:\n" + "".join(f" 418{i} 412 9120 58:40 /opt/bin/python shop.py\n" for i in range(5)),
        0, "processes of one parent 412: 5 processes", None, "COMPILE_THREADS=1"),
    "a device that CUDA graphs cannot have": ("skipping cudagraphs due to ['non-cuda device in graph']\n", 0, "non-cuda device", None,
                                              "Keep CPU tensors out of the graph"),
    "an index that is written": ("skipping cudagraphs due to index put with accumulate. Found from : \n   File \"/srv/shop.py\", line 4, in f\n"
                                 "    y = table[i]\n", 0, "index put with accumulate", 4, "a table of float32"),
    "an index under deterministic algorithms": ("skipping cudagraphs due to deterministic index put.\n", 0, "deterministic index put", None,
                                                "use_deterministic_algorithms"),
    "an index under deterministic algorithms, behind a bar of box drawing": (
        "torch.compile(shop, mode='reduce-overhead')\n  0% " + 12 * "\u2500" + " 0/7  0.0sskipping cudagraphs due to disabling cudagraphs due to incompatible op "
        "aten.index_put_.default Found from   File \"/srv/shop.py\", line 4, in f\n    y = table[i]\n\nstep 1\n",
        0, "skipped: incompatible op aten.index_put_.default", 4, "use_deterministic_algorithms"),
    "an operator that reads a number, in a graph that should be a CUDA graph": (
        "skipping cudagraphs due to disabling cudagraphs due to incompatible op aten._local_scalar_dense.default Found from   File \"/srv/shop.py\", "
        "line 4, in f\n    n = y.item()\n", 0, "incompatible op aten._local_scalar_dense.default", 4, "`.item()`"),
    "calls that are cut in two": (
        "The shop learns from the prices of its prices, with torch.compile, and the text of the error is this, which my window has cut in some places:\n"
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    loss.backward()\n'
        '  File "/opt/envs/tills/lib/python3.11/site-packages/torch/autograd/__init__.py", line 267, in\nbackward\n    _engine_run_backward(\n'
        '  File "/opt/envs/tills/lib/python3.11/site-packages/torch/_functorch/_aot_autograd/jit_compile\n_runtime_wrappers.py", line 863, in backward\n'
        "    raise RuntimeError(\nRuntimeError: torch.compile with aot_autograd does not currently support double backward\n",
        1, "double backward", 12, "functorch"),
    "carriage returns that a pager shows, below code that unpacks": (
        'Traceback (most recent call last):^M\n  File "/srv/shop.py", line 12, in sell^M\n    f(x)^M\n'
        '  File "/v/site-packages/torch/_inductor/output_code.py", line 466, in __call__^M\n    return self.current_callable(inputs)^M\n'
        '  File "/tmp/torchinductor_me/ep/cep.py", line 735, in call^M\n    arg0_1, arg1_1 = args^M\n'
        "ValueError: not enough values to unpack (expected 2, got 1)^M\n",
        1, "not enough values to unpack (expected 2, got 1)", 12, "FORCE_DISABLE_CACHES"),
    "code of vLLM's cache that unpacks": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    f(x)\n'
        '  File "/net/me/vllm/torch_compile_cache/58e2/rank_0_0/inductor_cache/ep/cep.py", line 735, in call\n    arg0_1, arg1_1 = args\n'
        "ValueError: not enough values to unpack (expected 2, got 1)\n",
        1, "not enough values to unpack (expected 2, got 1)", 12, "VLLM_DISABLE_COMPILE_CACHE=1"),
    "a graph break whose traceback is cut off, at a line that asks a tensor": (
        "V1112 13:10:18.379000 5 torch/_dynamo/convert_frame.py:1282] [5/0] [__graph_breaks] Graph break: skip: from user code at:\n"
        'V1112 13:10:18.379000 5 torch/_dynamo/convert_frame.py:1282] [5/0] [__graph_breaks]   File "/srv/shop.py", line 12, in sell\n'
        "V1112 13:10:18.379000 5 torch/_dynamo/convert_frame.py:1282] [5/0] [__graph_breaks]     open = (till >= 0).all() and (\n"
        "V1112 13:10:18.379000 5 torch/_dynamo/convert_frame.py:1282] [5/0] [__graph_breaks] Traceback (most recent call last):\n[cut]\n",
        0, "the reason is not in the text", 12, "most likely this one: `and` and `or` ask a tensor"),
    "a graph break whose traceback is cut off, at another line": (
        "V1112 13:10:18.379000 5 torch/_dynamo/convert_frame.py:1282] [5/0] [__graph_breaks] Graph break: skip: from user code at:\n"
        'V1112 13:10:18.379000 5 torch/_dynamo/convert_frame.py:1282] [5/0] [__graph_breaks]   File "/srv/shop.py", line 12, in sell\n'
        "V1112 13:10:18.379000 5 torch/_dynamo/convert_frame.py:1282] [5/0] [__graph_breaks]     till.lock()\n"
        "V1112 13:10:18.379000 5 torch/_dynamo/convert_frame.py:1282] [5/0] [__graph_breaks] Traceback (most recent call last):\n[cut]\n",
        0, "the reason is not in the text", 12, "at the end of the traceback"),
    "a graph that is split where operators run on the CPU": (
        "V0114 10:20:31.406000 7 torch/_inductor/scheduler.py:6005] [3/0] [__cudagraphs] Created 2 graph partitions: 1 cudagraphable, 1 non-cudagraphable\n"
        "V0114 10:20:31.406000 7 torch/_inductor/scheduler.py:6040] [3/0] [__cudagraphs]     op0: reason=cpu ops, ir=AssertScalar\n"
        "V0114 10:20:31.406000 7 torch/_inductor/scheduler.py:6040] [3/0] [__cudagraphs]     op1: reason=cpu ops, ir=ComputedBuffer\n",
        0, "1 of 2 parts of the graph without CUDA graphs: cpu ops", None, "only the parts between them"),
    "a graph that is split where tensors move": (
        "V0114 10:20:31.406000 7 torch/_inductor/scheduler.py:6040] [3/0] [__cudagraphs]     op0: reason=DeviceCopy ops, ir=DeviceCopy\n",
        0, "Parts of the graph without CUDA graphs: DeviceCopy ops", None, "moves between the CPU and the GPU"),
    "a graph that is split where sizes depend on values": (
        "V0114 10:20:31.406000 7 torch/_inductor/scheduler.py:6040] [3/0] [__cudagraphs]     op0: reason=unbacked binding ops, ir=FallbackKernel\n",
        0, "Parts of the graph without CUDA graphs: unbacked binding ops", None, "depends on values"),
    "a graph that is split where sizes vary": (
        "V0114 10:20:31.406000 7 torch/_inductor/scheduler.py:6040] [3/0] [__cudagraphs]     op0: reason=dynamic shape ops, ir=ComputedBuffer\n",
        0, "Parts of the graph without CUDA graphs: dynamic shape ops", None, "cudagraph_skip_dynamic_graphs"),
    "operators of a graph for which nobody asked CUDA graphs": (
        "V0114 10:20:31.406000 7 torch/_inductor/scheduler.py:6040] [3/0] [__cudagraphs]     op0: reason=partition includes all ops when cudagraphs is "
        "disabled, ir=ComputedBuffer\nV0114 10:20:31.406000 7 torch/_inductor/scheduler.py:6040] [3/0] [__cudagraphs]     op1: reason=cpu ops, "
        "ir=ComputedBuffer\n", 0, "Parts of the graph without CUDA graphs: cpu ops", None, "run on the CPU"),
    "a graph that is split, without a reason": (
        "V0114 10:20:31.406000 7 torch/_inductor/scheduler.py:6005] [3/0] [__cudagraphs] Created 4 graph partitions: 3 cudagraphable, 1 non-cudagraphable\n"
        "V0114 10:20:31.406000 7 torch/_inductor/scheduler.py:6012] [3/0] [__cudagraphs]   Partition 0: 6 nodes, non-cudagraphable, inputs=0, outputs=0\n",
        0, "1 of 4 parts of the graph without CUDA graphs: the reason is not in the text", None, "only the parts between them"),
    "graphs that are split into other numbers of parts": (
        "".join(f"V0114 10:20:31.406000 7 torch/_inductor/scheduler.py:6005] [{n}/0] [__cudagraphs] Created {n} graph partitions: 1 cudagraphable, "
                f"{n - 1} non-cudagraphable\n"
                f"V0114 10:20:31.406000 7 torch/_inductor/scheduler.py:6040] [{n}/0] [__cudagraphs]     op0: reason=cpu ops, ir=AssertScalar\n"
                for n in (2, 3)), 0, "Parts of the graph without CUDA graphs: cpu ops", None, "only the parts between them"),
    "a break of another function behind the reasons of a recompile": (
        "".join(f"DEBUG:torch._dynamo.guards.__recompiles:{line}\n" for line in (
            "Recompiling function till in /srv/shop.py:10", "    triggered by the following guard failure(s):",
            "    - 0/0: tensor 'L['x']' size mismatch at index 0. expected 4, actual 5")) +
        "".join(f"DEBUG:torch._dynamo.symbolic_convert.__graph_breaks:{line}\n" for line in (
            "Graph break in user code at /srv/shop.py:22", "Reason: builtin: print", "User code traceback:",
            '  File "/srv/shop.py", line 22, in close_till', "    print(x)")), 0, "`print(", 22, "print"),
    "a closing line of pytest below an exception": (
        "shop.py:12: in sell\n    y = f(x)\nE   torch._inductor.exc.InductorError: CppCompileError: C++ compile error\nE   Output:\n"
        "E   g++: /lib64/libstdc++.so.6: version `CXXABI_1.3.9' not found (required by g++)\n"
        "FAILED shop.py::test_sell - torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n"
        "======= 1 failed, 212 passed, 3 warnings in 164.20s (0:02:44) =======\n", 1, "CXXABI_1.3.9", 12, "conda install gxx"),
    "a table of times whose first line alone has the prefix of a log": (
        "I0424 14:50:06.425000 7 torch/_dynamo/utils.py:910] TorchDynamo compilation metrics:\nFunction, Runtimes (s)\n_compile.compile_inner, 60.0\n"
        "OutputGraph.call_user_compiler, 58.0\ncreate_aot_dispatcher_function, 57.0\ncompile_fx_inner, 40.0\nPyCodeCache.load_by_key_path, 8.0\n",
        0, "Compiling took 60.0 s; of that Inductor: lowering and code generation 32.0 s, AOTAutograd 17.0 s", None, "regional compilation"),
    "a process that grew until it was killed": (
        "torch.compile(shop)\nThe RSS of it keeps growing, a leak of memory in the end.\nOOMKilled by the cluster\n", 1,
        "OOMKilled", None, "tracemalloc"),
    "an export that succeeded": (
        "torch.onnx.export(shop, x, dynamo=True)\n[torch.onnx] Obtain model graph for `Shop([...]` with `torch.export.export("
        "..., strict=False)`... \u2705\n[torch.onnx] Translate the graph into ONNX... \u2705\n", 0,
        "the export to ONNX succeeded", None, "2 or more"),
    "a graph that ends in 2.0": (
        "[2023-08-20 10:11:03,393] torch._dynamo.output_graph: [DEBUG] COMPILING GRAPH due to GraphCompileReason("
        "reason='call_function UserDefinedObjectVariable(_DataParallel__replicate) [] {}', user_stack=[<FrameSummary file "
        "/v/site-packages/torch/nn/parallel/data_parallel.py, line 170 in forward>], graph_break=True)\n", 0,
        "Graph break: `nn.DataParallel`", None, "torchrun"),
    "an environment": ("PyTorch version: 2.6.0+cu124\nIs debug build: False\nOS: Ubuntu\n", 0, "the environment: PyTorch version: 2.6.0", None, "TORCH_LOGS"),
    "workers": ("me  17  0.0  0.1 /v/python /v/torch/_inductor/compile_worker/__main__.py --workers=32 --parent=12\n",
                0, "processes that compile kernels", None, "py-spy"),
    "the speed of kernels": ("0.013ms    \t0.003 GB \t  250.05GB/s \t triton_poi_fused_add_0\n", 0, "250.05GB/s triton_poi_fused_add_0", None, "memory"),
    "keys of a compiled module": ("lora key not loaded: net._orig_mod.blocks.0.lora_A.weight\n", 0, "Only a warning: lora key", None, "model._orig_mod"),
    "an old optree": ("/v/torch/_dynamo/polyfills/pytree.py:33: FutureWarning: optree is installed but the version is too old to support PyTorch "
                      "Dynamo in C++ pytree.\n", 0, "optree is installed", None, "pip install --upgrade optree"),
    "the end of a comparison": (
        "Mismatched elements: 70 / 200 (35.0%)\nGreatest absolute difference: 1.92 at index (0, 2) (up to 1e-05 allowed)\n",
        1, "Results differ: `AssertionError`: Tensor-likes are not close! Mismatched elements: 70 / 200 (35.0%); Greatest", None, "float64"),
    "a compiler that the system killed": (
        "torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n\nOutput:\ng++: fatal error: Killed signal terminated program "
        "cc1plus\n", 1, "The system killed the C++ compiler", None, "TORCHINDUCTOR_COMPILE_THREADS=1"),
    "a GPU that is lost": ("RuntimeError: level_zero backend failed with error: 20 (UR_RESULT_ERROR_DEVICE_LOST)\n", 1, "The driver lost the GPU",
                           None, "driver"),
    "docker, whose own line has no name": (
        "docker compose up till, the host has 2 TB:\n\n" + each_line(WORKER_OF_SGLANG, "till-1  | ") + "till-1 exited with code 137\nIs that the OOM killer?\n",
        1, "`NotImplementedError`", 70, "choose another one"),
    "killed, and nothing else": (each_line("loading the till\nusing torch 2.9\ncompiling with torch.compile\n", "till-1  | ") + "till-1 exited with code 137\n",
                                 1, "Out of memory", None, "`dmesg`"),
    "two workers without a header": (WORKERS, 2, "does not have the attribute 'TillMode' (in 2 processes)", 383, "Python 3.11"),
    "a part that is missing": (PATCHED.format("<module 'torch._till' from '/v/site-packages/torch/_till.py'>"), 1, "does not have the attribute", 383,
                               "lacks that part"),
    "a driver that a worker of CI lacks": (
        "Our nightly job:\n\n" + each_line(in_pytest(NO_DRIVER), lambda i: f"2026-01-02T03:04:{i % 60:02d}.1234567Z ") + "\nWhich one is missing?\n",
        1, "Triton sees no GPU in a process that compiles kernels", 31, "TORCHINDUCTOR_COMPILE_THREADS=1"),
    "memory of the host": ("slurmstepd: error: Detected 2 oom_kill events in StepId=77.0. Some of the step tasks have been OOM Killed.\n",
                           1, "Out of memory", None, "`--mem` of Slurm"),
    "numbers that are none": ("torch.compile: on\nstep 41 loss nan\n", 0, "values that are no number: step 41 loss nan", None, "NAN_ASSERTS"),
    "a table of times": ("| how | speed |\n|---------------|-------------|\n| eager         | 1000 tok/s  |\n| torch.compile | 101 tok/s   |\n",
                         0, "| eager | 1000 tok/s |; | torch.compile | 101 tok/s |", None, "recompiles"),
    "a variable": ("TORCHDYNAMO_DISABLE=1 python shop.py -> sells\n", 0, "the compiler is named: TORCHDYNAMO_DISABLE=1", None,
                   "paste the whole traceback"),
    "a step of the export to ONNX": (
        "[torch.onnx] Obtain model graph for `Shop([...]` with `torch.export.export(..., strict=False)`...\n"
        "[torch.onnx] Obtain model graph for `Shop([...]` with `torch.export.export(..., strict=False)`... \u274c\n",
        1, "Obtain model graph for", None, "report=True"),
    "threads after a timeout": (
        'Timeout (0:05:00)!\nThread 0x00007f3b (most recent call first):\n  File "/usr/lib/python3.12/threading.py", line 320 in wait\n\n'
        'Thread 0x00007f3a (most recent call first):\n  File "/usr/lib/python3.12/threading.py", line 320 in wait\n'
        '  File "/v/site-packages/torch/_inductor/async_compile.py", line 345 in wait\n  File "/srv/shop.py", line 12 in <module>\n',
        1, "waits for processes that compile kernels", 12, "TORCHINDUCTOR_COMPILE_THREADS=1"),
    "a line of the C++ compiler": (
        "/tmp/torchinductor_me/vu/c1.main.cpp:18:21: error: 'at::vec::Vectorized<float>' has no member named 'quokka'\n",
        1, "Backend failure: /tmp/torchinductor_me/vu/c1.main.cpp:18:21", None, "simdlen"),
    "float64 on a GPU of Apple": (
        "torch._inductor.exc.InductorError: TypeError: Trying to convert Double to the MPS backend but it does not have support for that dtype.\n",
        1, "The GPU does not compute in float64", None, "float32"),
    "fp8 on an older GPU": ("RuntimeError: torch._scaled_mm is only supported on CUDA devices with compute capability >= 9.0 or 8.9\n",
                            1, "The GPU does not multiply matrices in fp8", None, "in eager mode, too"),
    "a file of Triton": ("LLVM ERROR: Can't find libdevice at neither /v/triton/libdevice.10.bc nor /tmp/libdevice.10.bc\n",
                         1, "A file of Triton, libdevice, is missing", None, "TRITON_LIBDEVICE_PATH"),
    "the compiler behind Triton, in a process": (
        "error: failed to legalize operation 'tt.quokka' that was explicitly marked illegal\nLLVM ERROR: no quokka in this IR.\n\n"
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/site-packages/torch/_dynamo/output_graph.py", line 757, in call_user_compiler\n    raise BackendCompilerFailed(e) from e\n'
        "torch._dynamo.exc.BackendCompilerFailed: debug_wrapper raised BrokenProcessPool: A process in the process pool was terminated abruptly "
        "while the future was running or pending.\n", 1, "Triton kernel: `BackendCompilerFailed`: error: failed to legalize operation 'tt.quokka'",
        12, "matching newer versions of Triton"),
    "a pass of the compiler behind Triton": (
        "error: failed to legalize operation 'tt.quokka' that was explicitly marked illegal\nInductorError: RuntimeError: PassManager::run failed\n",
        1, "RuntimeError: PassManager::run failed; error: failed to legalize operation 'tt.quokka'", None, "matching newer versions of Triton"),
    "a sentence that is wider than the window": (
        "I have built the quokka from its sources, as the page says, and now the shop fails with another error, sorry for how it looks in this window:\n\n"
        'Traceback (most recent call last):\n  File "/srv/me/quokka/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/srv/me/quokka/env/lib/python3.9/site-packages/torch/_dynamo/output_grap\nh.py", line 757, in call_user_compiler\n'
        "    raise BackendCompilerFailed(self.compiler_fn, e) from e\n"
        "torch._dynamo.exc.BackendCompilerFailed: debug_wrapper raised ValueError: no quo\nkka for sale in this shop\n",
        1, "`BackendCompilerFailed`: debug_wrapper raised ValueError: no quokka for sale in this shop", 12, "backend"),
    "a message behind a native stack": (
        "\tshop::sell(at::Tensor const&)\n\t_PyEval_EvalFrameDefault\n*** End stack trace ***\n"
        "the quokka and its till must be in one shop (no quokka in 3).\n\n"
        "While executing %sell : [num_users=1] = call_function[target=torch.ops.shop.sell](args = (%x,), kwargs = {})\n"
        "Original traceback:\n"
        '  File "/srv/shop.py", line 12, in forward\n'
        "    return torch.ops.shop.sell(x)\n",
        1, "the quokka and its till must be in one shop", 12, "Run the function without"),
    "a native stack within a message": (
        "Traceback (most recent call last):\n"
        '  File "/srv/shop.py", line 15, in <module>\n'
        "    net(x)\n"
        '  File "/v/site-packages/torch/_dynamo/output_graph.py", line 757, in call_user_compiler\n'
        "    raise BackendCompilerFailed(self.compiler_fn, e) from e\n"
        "torch._dynamo.exc.BackendCompilerFailed: backend='openxla' raised:\n"
        "RuntimeError: torch_xla/csrc/shop.cpp:3388 : Check failed: till == shop\n*** Begin stack trace ***\n"
        "\ttsl::CurrentStackTrace()\n\tshop::sell(at::Tensor const&)\n\n\t_PyEval_EvalFrameDefault\n*** End stack trace ***\n"
        "the quokka and its till must be in one shop (no quokka in 3).\n\n"
        "While executing %sell : [num_users=1] = call_function[target=torch.ops.shop.sell](args = (%x,), kwargs = {})\n"
        "Original traceback:\n"
        '  File "/srv/shop.py", line 12, in forward\n'
        "    return torch.ops.shop.sell(x)\n\n\n"
        'Set TORCH_LOGS="+dynamo" and TORCHDYNAMO_VERBOSE=1 for more information\n',
        1, "Check failed: till == shop", 12, "The backend `openxla` raised it"),
    "a message of C++, without the name of an exception": (
        "load net.so: fine\nError: no quokka of size 3 in aten\n"
        "Exception raised from sell at ../aten/src/ATen/native/Shop.cpp:7 (most recent call first):\n"
        "frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x96 (0x7f8 in /v/torch/lib/libc10.so)\n"
        "frame #1: at::meta::shop(at::Tensor const&) + 0x4 (0x7f9 in /v/torch/lib/libtorch_cpu.so)\n",
        1, "Exception: no quokka of size 3 in aten", None, "does not show that anything is compiled"),
    "an exported program, in a program's words": (
        ">> FAIL: the exported shop: Expected input at *args[0].shape[0] to be equal to 4, but got 5\n",
        1, "Expected input at *args[0].shape[0] to be equal to 4, but got 5", None, "dynamic_shapes"),
    "a call that was cut within a sentence": (
        'When I compile the shop, the error is .......quokka/models/till.py", line 12, in forward\n'
        "    n = int(np.ceil(n))\n\n"
        'Set TORCH_LOGS="+dynamo" and TORCHDYNAMO_VERBOSE=1 for more information\n'
        "\nYou can suppress this exception and fall back to eager by setting:\n    import torch._dynamo\n"
        "    torch._dynamo.config.suppress_errors = True\n",
        1, "the text begins behind its message", 12, "in the lines above these"),
    "a text that begins within a call": (
        '[rank0]: quokka/shop.py", line 12, in forward\n'
        "[rank0]:     return self.till.bell(x)\n[rank0]: torch._dynamo.exc.Unsupported: no quokka\n",
        1, "no quokka", 12, ""),
    "an exception that a sentence quotes first": (
        'Hi, still getting "RuntimeError: Dynamo is not supported on Python 3.12+" in my shop, what to do?\n'
        "\n"
        '  File "C:\\shop\\train.py", line 41, in <module>\n'
        "    net = torch.compile(net)\n"
        '  File "C:\\shop\\env\\Lib\\site-packages\\torch\\__init__.py", line 1801, in compile\n'
        '    raise RuntimeError("Dynamo is not supported on Python 3.12+")\n'
        "RuntimeError: Dynamo is not supported on Python 3.12+\n",
        1, "cannot compile under Python 3.12", 41, "Python 3.11"),
    "an exception of the compiler that a sentence quotes first": (
        'Hi, still getting "torch._dynamo.exc.Unsupported: no quokka" in my shop, what to do?\n'
        "\n"
        '  File "/srv/shop.py", line 12, in <module>\n'
        "    net(x)\n"
        '  File "/v/site-packages/torch/_dynamo/output_graph.py", line 757, in call_user_compiler\n'
        "    raise Unsupported(e) from e\ntorch._dynamo.exc.Unsupported: no quokka\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 9, in forward\n'
        "    quokka()\n",
        1, "`fullgraph=True` failed: no quokka", 9, "Dynamo does not support"),
    "AMD's library": ("MIOpen(HIP): Error [Compile] x.cpp: HIPRTC_ERROR_COMPILATION (6)\nRuntimeError: miopenStatusUnknownError\n",
                      1, "MIOpen", None, "~/.cache/miopen"),
    "a Triton that is too old": ("TypeError: JITFunction.__init__() got an unexpected keyword argument 'repr'\n", 1, "do not fit together", None,
                                 "pip check"),
    "a graph": (" ===== __compiled_fn_3 =====\n class GraphModule(torch.nn.Module):\n    def forward(self, L_x_: \"f32[8]\"):\n        return (L_x_,)\n",
                0, "The text shows no error: Graph captured by Dynamo", None, "TORCH_LOGS=recompiles,graph_breaks"),
    "a crash without its first line": (
        'Current thread 0x00007f3a (most recent call first):\n  File "/v/site-packages/torch/_inductor/runtime/triton_heuristics.py", line 77 in run\n'
        '  File "/srv/shop.py", line 12 in <module>\n', 1, "Crash at run time: `Native crash`: the text begins behind", 12, "CUDA_LAUNCH_BLOCKING=1"),
    "a page of a notebook": (
        '<pre><span class="ansi-red-fg">InductorError</span>: TypeError: no quokka\n\nfrom user code:\n   File &quot;/srv/shop.py&quot;, line 12, in f\n</pre>\n',
        1, "no quokka", 12, "backend"),
    "what pip says": ("torch 2.6.0 requires triton==3.2.0; but you have triton 3.3.1 which is incompatible.\n", 1, "do not fit together", None, "pip check"),
    "packages that do not fit": ("torchvision 0.20.1 requires torch==2.5.1, but you have torch 2.6.0 which is incompatible.\n",
                                 1, "does not fit this PyTorch", None, "pip install torch torchvision"),
    "counters": ("stats: {'calls_captured': 412, 'unique_graphs': 37}\ntorch: why 37?\n", 0, "counters of the compiler", None, "graph_breaks,recompiles"),
    "a way to start workers": (
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nValueError: cannot find context for 'subprocess'\n",
        1, "does not have this way to start", None, "worker_start_method"),
    "a function of a package": (
        "torch._dynamo.exc.Unsupported: Attempted to call function marked as skipped\n  Explanation: Dynamo developers have intentionally marked "
        "that the function `sell` in file `/v/site-packages/shop/sell.py` should not be traced.\n\n" + CALLS + "stack trace\n",
        1, "marked as skipped", 12, "PyTorch excludes this package"),
    "a process of pytest": ("worker 'gw3' crashed while running 'test/inductor/test_shop.py::test_sell'\n", 1, "crashed while running", None,
                            "no:xdist"),
    "a test without a reason": ("FAILED test/inductor/test_shop.py::test_sell\n", 1, "FAILED test", None, "--tb=short"),
    "a graph that is recorded too often": (
        "W0711 08:01:15.000000 55 torch/_inductor/cudagraph_utils.py:210] [__cudagraphs] skipping cudagraph due to function 3 exceeding max "
        "re-recording limit (=128) on cudagraph node None due to static input data pointer changed.\n",
        0, "exceeding max re-recording limit", None, "copy_"),
    "a task of a server": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 8, in step\n    net(x)\nRuntimeError: CUDA error: an illegal memory access '
        "was encountered\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n"
        '  File "/srv/engine.py", line 64, in log\n    raise Dead(\nengine.DeadError: Task finished unexpectedly. See stack trace above for '
        "the actual cause.\n", 1, "illegal memory access", 8, "CUDA_LAUNCH_BLOCKING"),
    "a warning that a script repeats": (
        "Warning: /v/torch/_inductor/compile_fx.py:236: UserWarning: TensorFloat32 tensor cores for float32 matrix multiplication available\n",
        0, "TensorFloat32", None, "set_float32_matmul_precision"),
    "reasons within output": ("Process 0:\n  [rank0]:   last reason: 3/7: n == 7\n", 0, "`n`", None, "n"),
    "a backend that refuses a graph in 2.5": (
        'torch._dynamo.exc.Unsupported: Backend compiler failed with a fake tensor exception at \n  File "/srv/shop.py", line 6, in forward\n'
        "    return torch.split(x, sizes)\nAdding a graph break.\n", 1, "`fullgraph=True` failed", 6, "outside the compiled function"),
    "an exception in the traced code": (
        "torch._dynamo.exc.Unsupported: Observed exception\n  Explanation: Dynamo found no exception handler at the top-level compiled function "
        "when encountering an exception. Exception will propagate outside the compiled region.\n\n  Developer debug context: raised exception "
        'TypeError("no % of quokkas")\n\n' + GB + "gb0088.html\n\n" + CALLS + "stack trace\n",
        1, "`TypeError`: no % of quokkas", 12, "raise or catch it outside"),
    "an object where it lies in each rank": (
        "".join(f"[rank{r}]: torch._dynamo.exc.BackendCompilerFailed: backend='<shop.Backend object at 0x7f1{r}>' raised:\n"
                f"[rank{r}]: RuntimeError: Triton Error [CUDA]: device kernel image is invalid\n" for r in (0, 1)),
        2, "does not take a compiled kernel: `BackendCompilerFailed`", None, "TRITON_PTXAS_PATH"),
    "buffers that were given away": (
        "RuntimeError: This backward function was compiled with non-empty donated buffers which requires create_graph=False and "
        "retain_graph=False.\n", 1, "Error in the program or its options", None, "donated_buffer = False"),
    "shapes of what is no tensor": (
        "torch._dynamo.exc.UserError: Cannot associate shape {} specified at `dynamic_shapes['n']` to non-tensor type <class 'int'> at "
        "`inputs['n']` (expected None)\n", 1, "Cannot associate shape", None, "None for everything that is not a tensor"),
    "the beginning of a traceback": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 1177, in compile_wrapper\n    raise e.with_traceback(\n'
        '  File "/v/site-packages/torch/_dynamo/convert_frame.py", line 2101, in __call__\n    result = self._inner_convert(\n',
        1, "the text ends before its message", 12, "last lines of the traceback"),
    "devices without the title": (
        "  Explanation: Expected all tensors to be on the same device, but found at least two devices, cpu and meta!\n" + GB + "gb5173.html\n\n" +
        CALLS + "stack trace\n", 1, "Operator failed on fake tensors", 12, "it has a shape and no data"),
    "types without the title": ("  Hint: Run it.\n\n" + GB + "gb0112.html\n\n" + CALLS + "stack trace\n", 1, "`fullgraph=True` failed", 12, ""),
    "a title, and a person's words": (
        "torch.compile: Unhandled FakeTensor Device Propagation for aten.mul.Tensor, found two different devices cpu, cuda:0\n\n"
        "it works in eager mode, torch 2.5.1\n\n" + CALLS + "stack trace\n", 1, "Unhandled FakeTensor Device Propagation", 12, "same device"),
    "a title that is a sentence of PyTorch's": (
        "DDPOptimizer backend: Found a higher order op in the graph. This is not supported. Please turn off DDP optimizer using "
        "torch._dynamo.config.optimize_ddp=False.\n", 1, "DDPOptimizer backend", None, "optimize_ddp = False"),
    "a title that is the type of a break": ("my model: Attempted to call function marked as skipped\n", 1,
                                            "Attempted to call function marked as skipped", None, "Call it before the compiled function"),
    "a module that FSDP flattens": ("torch._dynamo.exc.InternalTorchDynamoError: AssertionError: Dynamo only supports FSDP with "
                                    "use_orig_params=True\n", 1, "use_orig_params=True", None, "fully_shard"),
    "an object of a library": ("AssertionError: Unexpected type in sourceless builder shop.config.ShopConfig\n", 1, "sourceless builder", None,
                               "before the compiled function"),
    "the text of a picture": (
        "torch. _dynamo.exc.TorchRuntimeError: RuntimeError when making fake tensor call\nExplanation: Dynamo failed to run FX node with fake "
        "tensors: call_method add(*(FakeTensor(...,\nsize=(3,)), 1), **{}): got RuntimeError('Sizes of quokkas must\nmatch.')\n\n"
        'from user code :\nFile "/srv/shop.py", line 12, in forward\nreturn self.net(x)\n', 1, "Sizes of quokkas must match.", 12, "eager mode"),
    "the end of a stack above other reasons": (
        'V0102 10:11:12.131000 9 torch/_dynamo/guards.py:5396] [0/2] [__recompiles]     -   File "/srv/shop.py", line 4, in f\n'
        "V0102 10:11:12.131000 9 torch/_dynamo/guards.py:5396] [0/2] [__recompiles]     -     n = shop.count\n"
        "V0102 10:11:12.131000 9 torch/_dynamo/guards.py:5396] [0/2] [__recompiles]     - 0/0: tensor 'x' size mismatch at index 0. expected 4, "
        "actual 5\n", 0, "went from 4 to 5", None, "mark_dynamic"),
    "sizes that were equal": (NO_DUCK.format("2.13.0"), 0, "`x.size()[0] == y.size()[0]` no longer holds", 12, "Disable this assumption"),
    "sizes that were equal, of a version without the switch": (NO_DUCK.format("2.4.1"), 0, "no longer holds", 12, "Disable this assumption"),
    "a limit without its name": (
        "W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:906] [0/8]    function: 'f' (/srv/shop.py:14)\n"
        "W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:906] [0/8]    last reason: 0/0: L['self'].tax == 0\n",
        0, "`f` hit the recompile limit", 14, "raise the limit"),
    "a choice that the GPU is too small for": (
        "[rank3]:W0102 10:11:12.131000 9 torch/_inductor/select_algorithm.py:1469] [0/4] out of resource: shared memory, Required: 98765, "
        "Hardware limit: 43210. Reducing block sizes or `num_stages` may help.\n",
        0, "needs 98765 bytes of shared memory, of which the GPU has 43210", None, "other choices"),
    "a choice, and its traceback": (
        "Exception No valid triton configs. OutOfMemoryError: out of resource: triton_mm Required: 98765 Hardware limit:43210 Reducing block "
        "sizes may help. for benchmark choice TritonTemplateCaller(/tmp/c1.py, BLOCK_M=8)\nTraceback (most recent call last):\n"
        '  File "/v/concurrent/futures/thread.py", line 59, in run\n    result = self.fn(*self.args)\n'
        '  File "/v/site-packages/torch/_inductor/select_algorithm.py", line 2598, in precompile_with_captured_stdout\n    choice.precompile()\n'
        "torch._inductor.runtime.triton_heuristics.NoTritonConfigsError: No valid triton configs. OutOfMemoryError: out of resource\n",
        0, "needs 98765 bytes", None, "other choices"),
    "choices, none of which is left": (
        "E0102 10:11:12.131000 9 torch/_inductor/select_algorithm.py:1905] [0/0] Exception No valid triton configs. OutOfResources: out of "
        "resource: shared memory, Required: 98765, Hardware limit: 43210. Reducing block sizes may help. for benchmark choice "
        "TritonTemplateCaller(/tmp/c1.py, BLOCK_M=8)\nTraceback (most recent call last):\n"
        '  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/site-packages/torch/_inductor/select_algorithm.py", line 2489, in __call__\n    raise NoValidChoicesError(\n'
        "torch._inductor.exc.InductorError: LoweringException: NoValidChoicesError: No choices to select, please consider adding ATEN\n"
        "  target: aten.mm.default\n", 1, "98765 bytes of shared memory, of which the GPU has 43210 (aten.mm.default)", 12, "ATen"),
    "a GPU that is too small": ("Not enough SMs to use max_autotune_gemm mode\n", 0, "Not enough SMs", None, "not an error"),
    "a message without its date": ("torch._inductor.utils: [WARNING] not enough SMs to use max_autotune_gemm mode\n",
                                   0, "not enough SMs", None, "not an error"),
    "a guard without its mark": ("___check_type_id(L['till'], 94512345), type=<class 'int'>\n", 0, "`till` had type int", None, "types"),
    "the beginning of a call": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 489, in _fn\n    return fn(*args, **kwargs)\n',
        1, "the text ends before its message", 12, "last lines of the traceback"),
    "the beginning of a call in a notebook": (
        "/v/site-packages/torch/_dynamo/eval_frame.py in ?(*args, **kwargs)\n    929                     return fn(*args, **kwargs)\n"
        "--> 930                 finally:\n    931                     set_eval_frame(None)\n\n/v/site-packages/torch/_func\n",
        1, "the text ends before its message", None, "last lines of the traceback"),
    "the middle of a frame that is not converted": (
        "".join(f"W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:1708] {line}\n" for line in (
            "    run_tracer()", '  File "/v/site-packages/torch/_dynamo/convert_frame.py", line 797, in run_tracer', "    tracer.run()",
            '  File "/v/site-pack')), 1, "the text ends before its message", None, "last lines of the traceback"),
    "the same of 2.2, cut within a prefix": (
        "".join(f"[2024-01-02 10:11:12,131] torch._dynamo.convert_frame: [WARNING] {line}\n" for line in (
            '  File "/v/site-packages/torch/_dynamo/convert_frame.py", line 491, in transform', "    tracer.run()")) +
        "[2024-01-02 10:11:12,131] torch._dynamo.conv", 1, "the text ends before its message", None, "last lines of the traceback"),
    "a call that was cut in the middle": (
        '  File "/v/site-packages/torch/_functorch/_aot_auto\n'
        '  File "/v/site-packages/torch/_dynamo/output_graph.py", line 2664, in _call_user_compiler\n    compiled_fn = compiler_fn(gm)\n'
        '  File "/v/site-pack\n', 1, "the text ends before its message", None, "last lines of the traceback"),
    "a type behind the end of a sentence": (
        ".Observed exception\n  Explanation: Dynamo found no exception handler at the top-level compiled function when encountering an "
        "exception.\n  Hint: It may be possible to write Dynamo tracing rules for this code. Please report an issue to PyTorch.\n\n"
        "  Developer debug context:\n", 1, "an exception", None, "outside the compiled function"),
    "the beginning of a guard": (
        "".join(f"E0102 10:11:12.131000 9 torch/_guards.py:262] [0/0] {line}\n" for line in (
            "Error while creating guard:", "Name: ''", "    Source: shape_env", "Traceback (most recent call last):",
            '  File "/v/site-packages/torch/_guards.py", line 260, in create', "    return self.create_fn(builder, self)", '  File "/v/s')),
        1, "the text ends before its message", None, "last lines of the traceback"),
    "a guard that was being decided": (
        "E0102 10:11:12.131000 9 torch/fx/experimental/recording.py:299] failed while running evaluate_expr(*(Ne(u0, 98765), None), "
        '**{\'fx_node\': False})\nTraceback (most recent call last):\n  File "/srv/sh', 1, "expression Ne(u0, 98765)", None, "u0 != 98765"),
    "a profile of compiled graphs": (
        "                       Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg    # of Calls  \n"
        "Torch-Compiled Region: 0/0         1.20%     410.212us        96.17%      32.911ms      32.911ms             1  \n"
        "Torch-Compiled Region: 0/1         1.20%     410.212us         2.10%       0.911ms       0.911ms             1  \n",
        0, "Torch-Compiled Region: 0/0 96.17% of the CPU's time (32.911ms), Torch-Compiled Region: 0/1", None, "compiled again"),
    "parameters of a compiled module": (
        "Some weights of the checkpoint at ./shop were not used when initializing Shop: ['_orig_mod.till.weight']\n",
        0, "_orig_mod.till.weight", None, "remove the prefix"),
    "a logger's warning about compiling": ("[WARNING] Partial torch compile only, consider updating the shop\n", 0, "Partial torch compile", None,
                                           "goes on"),
    "a warning of CUDA graphs, wrapped": (
        " 3%|#  | 8/222 [03:01<1:19:58, 22.42s/it]\nCUDAGraph supports dynamic shapes by recording a new graph for each distinct\ninput size. Recording too "
        "many CUDAGraphs may lead to extra overhead.\nWe have observed 9 distinct sizes.\n", 0, "recording a new graph", None, "cudagraph_skip_dynamic_graphs"),
    "a directory of vLLM's": ("INFO 12-15 [backends.py:9] Using cache directory: /srv/torch_compile_cache/3f for vLLM's torch.compile\n",
                              0, "torch_compile_cache", None, "nothing failed"),
    "reasons in a table": (
        "| Compile | reason |\n|---|---|\n| [12/1] | tensor 'x' size mismatch at index 0. expected 32, actual 17 |\n", 0,
        "went from 32 to 17", None, "DataLoader"),
    "a guard's words": ("tensor 'x' dtype mismatch. expected Float, actual Half\n", 0, "`x`", None, "dtype"),
    "a recompile of 2.1": (
        "[2023-10-10 01:56:07,749] torch._dynamo.convert_frame.__recompiles: [DEBUG] ('Recompiling function sell in /srv/shop.py:9', "
        "\"triggered by the following guard failure: L['till'] == 98765, with LHS value: 1\")\n", 0, "`till` was 98765", 9, "tensor"),
    "recompiles of a nightly of 2.1": (
        "".join(f"[2023-04-10 01:56:0{n},749] torch._dynamo.convert_frame.__recompiles: [DEBUG] ('Recompiling function sell in /srv/shop.py', "
                f"\"triggered by the following guard failure: L['till'] == {n}\")\n" for n in range(3)), 0, "`sell` recompiled 3 times", None, "tensor"),
    "counters with names of exceptions": (
        "{'graph_break': Counter({'Unsupported: Tensor.item': 2}), 'inductor': Counter({'fxgraph_cache_miss': 4})}\n", 0,
        "Graph break: a tensor's value is read", None, "capture it as a symbol"),
    "memory that a logger and an exception lack": (
        "ERROR:shop:CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total capacity of 39 GiB. Including others, 38 GiB in use.\n"
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total capacity of 39 GiB.\n",
        1, "Out of memory: `OutOfMemoryError`", 12, "smaller batch"),
    "code that cannot be loaded": (
        "".join(f"E1109 02:02:02.000000 55 torch/_inductor/codecache.py:1402] {line}\n" for line in (
            "fx graph cache unable to load compiled graph", "Traceback (most recent call last):",
            '  File "/v/site-packages/torch/_inductor/codecache.py", line 1390, in load', "    graph = pickle.loads(content)",
            "EOFError: Ran out of input")), 0, "cannot be loaded: EOFError", None, "compiled again"),
    "a path that is too long for Windows": (
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nFileNotFoundError: [Errno 2] No such file or directory: "
        "'C:\\\\Temp\\\\torchinductor_me\\\\triton\\\\0\\\\328.json.tmp.pid_9796'\n", 1, "too long for Windows", None, "short name"),
    "a GPU of AMD without code": ("torch.AcceleratorError: HIP error: invalid device function\n", 1, "no code for the GPU", None,
                                  "HSA_OVERRIDE_GFX_VERSION"),
    "C++ that shows code of the program": (
        "torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n\nCommand:\ng++ c1.cpp\n\nOutput:\nc1.cpp:31:66: error: no "
        "matching function for call to 'at::vec::VecMask<long int, 2>::VecMask(int&)'\n   31 | AOTI_TORCH_CHECK(x, \"index out of bounds: 0 <= "
        "tmp1 < 8\");\n", 1, "Backend failure", None, "simdlen"),
    "an attribute of modules at the limit": (
        "W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:1994] [0/8] torch._dynamo hit config.recompile_limit (8)\n"
        "W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:1994] [0/8]    function: 'sell' (/srv/shop.py:14)\n"
        "W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:1994] [0/8]    last reason: 0/7: self.till == 7  # x + self.till  "
        "# shop.py:15 in sell\n", 0, "self.till", 15, "2.7 and later"),
    "a number at the limit": (
        "W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:1994] [0/8] torch._dynamo hit config.recompile_limit (8)\n"
        "W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:1994] [0/8]    function: 'sell' (/srv/shop.py:14)\n"
        "W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:1994] [0/8]    last reason: 0/7: n == 10  # x = x + [1, 2][n]  "
        "# shop.py:15 in sell\n", 0, "`n` was 10", 14, "dynamic=False"),
    "the bound of a loop at the limit": (
        "W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:1994] [0/8] torch._dynamo hit config.recompile_limit (8)\n"
        "W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:1994] [0/8]    function: 'sell' (/srv/shop.py:14)\n"
        "W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:1994] [0/8]    last reason: 0/7: n == 10  # for _ in range(n): x = x + 1  "
        "# shop.py:15 in sell\n", 0, "`n` was 10", 14, "unrolled into the graph"),
    "a suggestion, and a sentence": (VIOLATED + "  till = Dim('till', max=64)\nThe error above occurred when calling torch.export.export = x.\n",
                                     1, "", None, "PyTorch suggests `till = Dim("),
    "where a size becomes a constant": (
        "I1118 11:34:23.455000 1 torch/fx/experimental/symbolic_shapes.py:5793] [0/0] set_replacement s1 = 6 (range_refined_to_singleton) "
        "VR[6, 6]\nI1118 11:34:23.456000 1 torch/fx/experimental/symbolic_shapes.py:6097] [0/0] eval Eq(s1, 6) [guard added] y = x[:6]  "
        "# srv/shop.py:12 in sell (_dynamo/utils.py:2362 in run_node), for more info run with X=\"Eq(s1, 6)\"\n",
        0, "becomes a constant: `s1`, here 6", 12, "Look at the line"),
    "a check that is false": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    torch._check(n < 4)\nRuntimeError: Expected cond to be '
        "True, but got False. (Could this error message be improved? If so, please report an enhancement request to PyTorch.)\n",
        1, "Expected cond", 12, "must be true"),
    "what a graph asserts": ("RuntimeError: Runtime assertion failed for expression Eq(u0, 98765) on node 'eq'\n", 1, "Eq(u0, 98765)", None,
                             "for which it is true"),
    "ranks of which one did not call": (
        "[rank0]:[E626 06:24:44.160366013 ProcessGroupNCCL.cpp:1785] [PG ID 0 PG GUID 0(default_pg) Rank 0] Exception (either an error or "
        "timeout) detected by watchdog at work: 98, last enqueued NCCL work: 99, last completed NCCL work: 97.\n"
        "[rank2]:[E626 06:24:44.173689731 ProcessGroupNCCL.cpp:1858] [PG ID 0 PG GUID 0(default_pg) Rank 2] Received a dump signal due to a "
        "collective timeout from  rank 0. Last enqueued NCCL work: 97, last completed NCCL work: 97.\n",
        2, "rank 2 has called collective #97 last, others wait at #98", None, "what rank 2 does instead"),
    "ranks that wait in other collectives": (
        "".join(f"[rank{r}]:[E419 10:42:28.85893{r}807 ProcessGroupNCCL.cpp:616] [Rank {r}] Watchdog caught collective operation timeout: "
                f"WorkNCCL(SeqNum={n}, OpType={op}, NumelIn={size}, NumelOut={size}, Timeout(ms)=600000) ran for 60001{r} milliseconds before "
                "timing out.\n" for r, n, op, size in ((0, 7, "ALLREDUCE", 96), (1, 9, "BROADCAST", 1), (2, 7, "ALLREDUCE", 96))),
        3, "rank 1 at #9 (BROADCAST, 1 element), ranks 0, 2 at #7 (ALLREDUCE, 96 elements)", None, "look for what rank 1 calls"),
    "ranks that wait in an earlier collective": (
        "".join(f"[rank{r}]:[E419 10:42:28.85893{r}807 ProcessGroupNCCL.cpp:616] [Rank {r}] Watchdog caught collective operation timeout: "
                f"WorkNCCL(SeqNum={n}, OpType=ALLREDUCE, NumelIn=96, NumelOut=96, Timeout(ms)=600000) ran for 60001{r} milliseconds before "
                "timing out.\n" for r, n in ((0, 9), (1, 7), (2, 7))),
        3, "ranks 1, 2 wait at collective #7 (ALLREDUCE), rank 0 at #9", None, "if these are of one group, look for calls"),
    "ranks of a named group that wait in an earlier collective": (
        "".join(f"[rank{r}]:[E419 10:42:28.85893{r}807 ProcessGroupNCCL.cpp:616] [PG 2 Rank {r}] Watchdog caught collective operation "
                f"timeout: WorkNCCL(SeqNum={n}, OpType=ALLREDUCE, NumelIn=96, NumelOut=96, Timeout(ms)=600000) ran for 60001{r} "
                "milliseconds before timing out.\n" for r, n in ((0, 9), (0, 11), (1, 7))),
        2, "rank 1 waits at collective #7 (ALLREDUCE) of PG 2, rank 0 at #9", None, "Look for calls that it or the others skip"),
    "a hint of CUDA graphs, whose calls have no numbers": (
        "skipping cudagraphs due to cpu device (arg4_1). Found from :\n"
        '   File "shop\\till.py", in forward\n    return self.sell(x)\n'
        '   File "shop\\till.py", in sell\n    bias = prices.move_to(layer.bias, x.device)\n'
        " 10%|##    | 2/20 [00:31<04:42, 15.71s/it]\n",
        0, "cpu device (arg4_1)", None, "The line is in `sell`. An input of the graph is on the CPU, and this line reads `layer.bias`"),
    "a hint of CUDA graphs, whose line reads no parameter": (
        "skipping cudagraphs due to cpu device (arg4_1). Found from :\n"
        '  File "/srv/till.py", line 9, in sell\n    return x + self.bias_of(x)\n',
        0, "cpu device (arg4_1)", 9, "move what this line reads"),
    "a partial that only the context names": (
        "torch._dynamo.exc.Unsupported: can't handle functions not implemented in python\n"
        "  Explanation: Dynamo can only handle functions defined in python\n"
        "  Hint: Move usage of this function out of `torch.compile` region\n\n"
        "  Developer debug context: functools.partial(<function open_till.<locals>.till_mask at 0x7a2080691b20>, n=31)\n",
        1, "`functools.partial(till_mask, n=31)` is no function of Python", None, "write a `def` or a lambda"),
    "another object that only the context names": (
        "torch._dynamo.exc.Unsupported: can't handle functions not implemented in python\n"
        "  Explanation: Dynamo can only handle functions defined in python\n"
        "  Hint: Move usage of this function out of `torch.compile` region\n\n"
        "  Developer debug context: <cyfunction sell at 0x7a2080691b20>\n",
        1, "functions not implemented in python (`<cyfunction sell", None, ""),
    "a question for inference mode": (
        "torch._dynamo.exc.Unsupported: torch.* op returned non-Tensor bool call_method is_inference\n",
        1, "call_method is_inference", None, "`torch.no_grad()` in place of `torch.inference_mode()`"),
    "another question for a Python value": (
        "torch._dynamo.exc.Unsupported: torch.* op returned non-Tensor bool call_method is_quokka\n",
        1, "call_method is_quokka", None, "returns a Python value"),
    "a Triton kernel of the program's, which gets a view": (
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\n"
        "LoweringException: AttributeError: 'SliceView' object has no attribute 'layout'\n  target: triton_kernel_wrapper_mutation\n"
        "  kwargs: {'kernel_idx': 0, 'grid': [(8, 1, 1)], 'kwargs': {'n': 4, 'out_ptr': TensorBox(StorageBox(\n  Pointwise(\n  )\n"
        "  )), 'till_ptr': TensorBox(\n    SliceView(\n      StorageBox(\n",
        1, "has no attribute 'layout'", None, "its argument `till_ptr` is a view: most likely a copy helps"),
    "a Triton kernel of the program's, which fails in another way": (
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\n"
        "LoweringException: AssertionError: no such till\n  target: triton_kernel_wrapper_functional\n"
        "  kwargs: {'kernel_idx': 0, 'grid': [(8, 1, 1)], 'kwargs': {'till_ptr': TensorBox(\n    SliceView(\n      StorageBox(\n",
        1, "no such till", None, "is the call of a Triton kernel, of the program or a library. Or call it outside"),
    "ranks that wait at several numbers of groups without a name": (
        "".join(f"[E ProcessGroupNCCL.cpp:458] [Rank {r}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum={n}, "
                f"OpType=ALLREDUCE, Timeout(ms)=600000) ran for 60001{r} milliseconds before timing out.\n"
                for r, n in ((0, 412), (0, 419), (3, 275))) +
        "[E ProcessGroupNCCL.cpp:479] To avoid data inconsistency, we are taking the entire process down.\n",
        1, "rank 0 at #412 to #419 (ALLREDUCE), rank 3 at #275", None, "In the next run"),
    "ranks of which two say nothing": (
        "".join(f"[rank{r}]:[E419 10:42:28.85893{r}807 ProcessGroupNCCL.cpp:616] [Rank {r}] Watchdog caught collective operation timeout: "
                f"WorkNCCL(SeqNum=7, OpType=ALLREDUCE, NumelIn=96, NumelOut=96, Timeout(ms)=600000) ran for 60001{r} milliseconds before "
                "timing out.\n" for r in (0, 3, 4, 5)),
        4, "ranks 1, 2 say nothing in this text", None, "Their own logs show it"),
    "a backward for dynamic shapes, cut off": (
        "W1024 16:28:33.036000 9 site-packages/torch/_functorch/_aot_autograd/jit_compile_runtime_wrappers.py:693] [1/4] failed to eagerly "
        "compile backwards for dynamic, suppressing in case backwards not needed\n",
        1, "A backward for dynamic shapes was not compiled: this text does not show its exception", None, "the same error comes when"),
    "a backward that hangs": (
        'Thread 4711 (idle): "MainThread"\n    backward (torch/autograd/__init__.py:9)\n    sell (shop.py:12)\n    <module> (shop.py:31)\n',
        1, "is in autograd's backward", 12, "py-spy dump --native --pid PID"),
    "ranks that hang at one line": (
        "I ran `py-spy dump` on ranks 0 and 3, which are at the same line.\n"
        'Thread 4711 (idle): "MainThread"\n    backward (torch/autograd/__init__.py:9)\n    sell (shop.py:12)\n    <module> (shop.py:31)\n',
        1, "is in autograd's backward", 12, "dump the others, too"),
    "collectives that differ, in a line of the program": (
        "[RANK 1] 2026-05-19 10:10:29,701 [ERROR] the shop is closed: till_error - Detected mismatch between collectives on ranks. Rank 1 is running "
        "collective: CollectiveFingerPrint(SequenceNumber=31, OpType=ALLGATHER, TensorShape=[3], TensorDtypes=Long), but Rank 5 is running "
        "collective: CollectiveFingerPrint(SequenceNumber=0OpType=REDUCE).Collectives differ in the following aspects: \t Op type: ALLGATHERvs REDUCE\n",
        1, "rank 1 ALLGATHER (sequence 31), rank 5 REDUCE (sequence 0)", None, "in the same order"),
    "what an IDE says first": (
        '例外が発生しました: TorchRuntimeError\n\n\nfrom user code:\n   File "/srv/shop.py", line 12, in forward\n    y = a * b\n\n\n'
        "You can suppress this exception and fall back to eager by setting:\n    torch._dynamo.config.suppress_errors = True\n"
        "RuntimeError: Unhandled FakeTensor Device Propagation for aten.mul.Tensor, found two different devices cuda:0, cuda:3\n"
        "(scroll up for backtrace)\n\nThe above exception was the direct cause of the following exception:\n\n"
        '  File "/srv/shop.py", line 12, in forward\n    y = a * b\n  File "/srv/shop.py", line 31, in <module>\n    main()\n',
        1, "`TorchRuntimeError`: RuntimeError: Unhandled FakeTensor Device Propagation", 12, "same device"),
    "what an IDE says first, with words": (
        "Exception has occurred: Unsupported\ncall_function quokka\n\n" + CALLS + "stack trace\n", 1, "call_function quokka", 12, "fullgraph=True"),
    "what an IDE says first, with the cause at the end": (
        "Exception has occurred: TorchRuntimeError\n\nfrom user code:\n   File \"/srv/shop.py\", line 12, in forward\n    y = a * b\n\n"
        "You can suppress this exception and fall back to eager by setting:\n    torch._dynamo.config.suppress_errors = True\n"
        "RuntimeError: Unhandled FakeTensor Device Propagation for aten.mul.Tensor, found two different devices cuda:0, cuda:3\n"
        "(scroll up for backtrace)\n",
        1, "`TorchRuntimeError`: RuntimeError: Unhandled FakeTensor Device Propagation", 12, "same device"),
    "a name that generated code lacks": (
        "  File \"/tmp/torchinductor_me/ab/cab.py\", line 586, in <module>\n    meta0 = {'TILLS': s1}\nNameError: name 's1' is not defined\n",
        1, "Backend failure: `NameError`: name 's1' is not defined", None, "dynamic=False"),
    "a table of times without the backward's row": (
        "TorchDynamo compilation metrics:\nFunction                                  Runtimes (s)\n--------------------------------------  --------------\n"
        "_compile.<locals>.compile_inner               401.729\nOutputGraph.call_user_compiler                376.255\n"
        "create_aot_dispatcher_function                376.003\ncompile_fx.<locals>.fw_compiler_base          110.948\n"
        "GraphLowering.run                              71.2381\nGraphLowering.compile_to_module               223.089\n",
        0, "of that Inductor: lowering and code generation 294.3 s, AOTAutograd 81.7 s, Dynamo: tracing 25.5 s", None, "Code generation grows"),
    "a table of the autotuner": (
        "Autotune Choices Stats:\n{\"num_choices\": 20, \"best_kernel\": \"mm\", \"best_time\": 0.3081}\n"
        "AUTOTUNE mm(384x115, 115x491)\nstrides: [1, 384], [491, 1]\ndtypes: torch.bfloat16, torch.bfloat16\n  mm 0.3081 ms 100.0% \n"
        "  triton_mm_16 0.6590 ms 46.8% ACC_TYPE='tl.float32', BLOCK_K=32\n  triton_mm_17 0.6830 ms 45.1% ACC_TYPE='tl.float32', BLOCK_K=64\n",
        0, "mm(384x115, 115x491): mm 0.3081 ms, then triton_mm_16 0.6590 ms", None, "TORCH_LOGS=recompiles"),
    "what explain() prints, indented": (
        "    Graph Count: 7\n    Graph Break Count: 6\n    Op Count: 18\n    Break Reasons:\n      Break Reason 1:\n"
        "        Reason: call_function BuiltinVariable(int) [TensorVariable()] {}\n        User Stack:\n"
        "          <FrameSummary file /srv/shop.py, line 12 in sell>\n    Ops per Graph:\n      Ops 1:\n        <built-in function sub>\n",
        0, "a tensor's value is read", 12, "capture it as a symbol"),
    "an exception without words below a box": (
        "+------ Traceback (most recent call last) -------+\n| /v/site-packages/torch/_dynamo/convert_frame.py |\n| :324 in _compile                                |\n"
        "+-------------------------------------------------+\nAttributeError: till\n\n" + CALLS.split("Set TORCH")[0] +
        "You can suppress this exception and fall back to eager by setting:\n    torch._dynamo.config.suppress_errors = True\n\n\n"
        "The above exception was the direct cause of the following exception:\n\n"
        "+------ Traceback (most recent call last) -------+\n| /srv/sell.py:31 in <module>                     |\n"
        "+-------------------------------------------------+\nInternalTorchDynamoError\n", 1, "`InternalTorchDynamoError`: AttributeError: till", 12, "newer PyTorch"),
    "ranks of other groups": (
        "".join(f"[rank{r}]:[E626 06:24:44.160366013 ProcessGroupNCCL.cpp:1785] [PG {r} Rank {r}] Exception (either an error or timeout) "
                f"detected by watchdog at work: {n}, last enqueued NCCL work: {n}, last completed NCCL work: {n - 1}.\n"
                for r, n in ((1, 98), (2, 41))), 2, "detected by watchdog at work", None, "rank that is missing"),
    "a path with a blank": (
        "torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n\nCommand:\ncl C:/My Shop/c1.cpp\n\nOutput:\nMicrosoft (R) "
        "C/C++ Optimizing Compiler\n\ncl : Command line error D8003 : missing source filename\n", 1, "blank in it", None, "no blanks"),
    "a program that was exported": ("ExportedProgram:\n    class GraphModule(torch.nn.Module):\n        def forward(self, x):\n", 0,
                                    "ExportedProgram", None, "nothing failed"),
    "code that Inductor wrote": ("import torch\nasync_compile = AsyncCompile()\n", 0, "AsyncCompile", None, "nothing failed"),
    "an error of a server, without its traceback": (
        "(EngineCore_0 pid=271) ERROR 08-20 05:13:00 [core.py:700] RuntimeError: This attention does not sell quokkas.\n"
        "(APIServer pid=1) RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}\n",
        1, "does not sell quokkas", None, ""),
    "the traceback in the table of torchrun, without the head of its own":
        ("torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n" + "=" * 60 + "\nshop.py FAILED\n" + "-" * 60 +
         "\nRoot Cause (first observed failure):\n[0]:\n  time      : 2026-01-02_03:04:05\n  rank      : 3 (local_rank: 3)\n"
         "  exitcode  : 1 (pid: 12)\n  traceback : Traceback (most recent call last):\n    File \"/srv/shop.py\", line 12, in pay\n"
         "      self.net(x)\n  torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\n  ValueError: no till\n  \n",
         1, "ValueError: no till", 12, "TORCHDYNAMO_REPRO_AFTER"),
    "an exception in a subprocess, whose end a server leaves out":
        ("[2026-01-02 03:04:05] Scheduler hit an exception: Traceback (most recent call last):\n" + CALL +
         "torch._inductor.compile_worker.subproc_pool.SubprocException: An exception occurred in a subprocess:\n\n"
         "Traceback (most recent call last):\n  File \"/opt/lib/python3.12/site-packages/torch/_inductor/runtime/compile_tasks.py\", line 61, in w\n"
         "    job()\n    ^^^^^\ntriton.compiler.errors.CompilationError: at 4:7:\n    if till(10):\n       ^\nNameError('till is not defined')\n\n"
         "During handling of the above exception, another exception occurred:\n\n"
         "Exception: Capture cuda graph failed: SubprocException: An exception occurred in a subprocess: [...]\n",
         1, "Triton kernel: `SubprocException`: NameError('till is not defined')", 12, "keep the call out of the compiled function"),
    "an operator that a line of a library calls under vmap":
        ("torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function f(*(), **{}): got "
         "RuntimeError(\"vmap: It looks like you're calling .item() on a Tensor.\")\n\nfrom user code:\n"
         "   File \"/opt/lib/python3.12/site-packages/till/mask.py\", line 7, in mask\n    return pad[i]\n\n",
         1, "vmap: It looks like", 7, "one of the library `till`, mask.py:7: use newer versions"),
    "a method with the decorator no_grad": (
        "torch._dynamo.exc.Unsupported: 'inline in skipfiles: Till.forward  | decorate_context /v/site-packages/torch/utils/_contextlib.py, skipped "
        "according trace_rules.lookup SKIP_DIRS'\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 12, in sell\n    return self.till(x)\n',
        1, "a decorator like `@torch.no_grad()`", 12, "take the decorator away"),
    "a function with a decorator of contextlib": (
        "torch._dynamo.exc.Unsupported: 'skip function till in file /usr/lib/python3.11/contextlib.py'\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 12, in forward\n    with till(self):\n\n',
        1, "made with `contextlib`", 12, "2.7 and later"),
    "what a server says of an exception, without its name": (
        "!!! Exception during processing !!! cannot import name 'till' from 'triton.compiler.compiler' (D:\\\\shop\\\\compiler.py)\n\n"
        "Traceback (most recent call last):\n" + CALL + "torch._inductor.exc.InductorError: ImportError: cannot import name 'till' from "
        "'triton.compiler.compiler' (D:\\\\shop\\\\compiler.py)\n",
        1, "Triton and PyTorch do not fit together", 12, "triton-windows"),
    "an assertion of Triton's compiler": (
        "python: /v/llvm/Casting.h:566: decltype(auto) llvm::cast(const From&) [with To = mlir::Till; From = mlir::Type]: Assertion "
        "`isa<To>(Val)' failed.\nFatal Python error: Aborted\n\nCurrent thread 0x00007f6d3e5ff740 (most recent call first):\n"
        '  File "/v/site-packages/triton/backends/amd/compiler.py", line 243 in make_ttgir\n'
        '  File "/v/site-packages/triton/compiler/compiler.py", line 279 in compile\n  File "/srv/shop.py", line 12 in sell\n',
        1, "Triton kernel: `Native assertion`", 12, "bug in Triton"),
    "the class of an argument, which nothing calls": (
        "torch._dynamo.exc.Unsupported: HigherOrderOperator with body that accepts non-Tensors as input. Got: <class "
        "'torch.distributed.distributed_c10d.ProcessGroup'>\n\n" + CALLS + "stack trace\n",
        1, "accepts non-Tensors", 12, "gets an argument that is no tensor"),
    "recursion": ("torch._dynamo.exc.InternalTorchDynamoError: RecursionError: maximum recursion depth exceeded\n\n" + CALLS + "stack trace\n",
                  1, "RecursionError: maximum", 12, "Write a loop"),
    "a name that TORCH_LOGS does not know": ("ValueError: Invalid log settings: recompile, must be names of torch\n", 1, "Invalid log settings",
                                             None, "TORCH_LOGS=help"),
    "a proxy in a decision": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    if x:\ntorch.fx.proxy.TraceError: symbolically traced '
        "variables cannot be used as inputs to control flow\n", 1, "TraceError", 12, "torch.where"),
    "a setting that is not there": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    torch._dynamo.config.till = 1\nAttributeError: '
        "torch._dynamo.config.till does not exist\n", 1, "does not exist", 12, "recompile_limit"),
    "code of a graph": (" ===== __compiled_fn_3 =====\n class GraphModule(torch.nn.Module):\n    def forward(self, x):\n        return (x,)\n",
                        0, "", None, ""),
    "a stack without its headline": (
        "torch._dynamo.exc.UserError: Could not guard on data-dependent expression Eq(12*u0, 12) (unhinted: Eq(12*u0, 12)).\n\n....\n"
        '  File "/v/site-packages/torch/nn/modules/module.py", line 1762, in _call_impl\n    return forward_call(*args, **kwargs)\n'
        '  File "/srv/shop.py", line 12, in forward\n    return self.till(x)\n\nFor C++ stack trace, run with\n',
        1, "Eq(12*u0, 12)", 12, "torch._check"),
    "a title above its traceback": (
        "AttributeError: 'Quokka' object has no attribute 'tail'\n\n"
        '  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/site-packages/torch/_dynamo/convert_frame.py", line 699, in _compile_inner\n    out_code = transform_code_object(code)\n',
        1, "'Quokka' object has no attribute 'tail'", 12, "backend"),
    "a guard of PyTorch's own code": (
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression u0 < 4 (unhinted: "
        "u0 < 4).  (Size-like symbols: none)\n\nCaused by: (_export/non_strict_utils.py:973 in __torch_function__)\n",
        1, "u0 < 4", None, "torch._check"),
    "the reason of a break at its end": (
        "".join(f"V0102 10:11:12.131000 9 torch/_dynamo/symbolic_convert.py:530] [0/0] [__graph_breaks] {line}\n" for line in (
            "    raise Unsupported(msg)", "torch._dynamo.exc.Unsupported: call torch._dynamo.disable() wrapped function <function till at 0x7f3>")),
        0, "`till` is disabled", None, "compiled code"),
    "strides in a summary": (
        "FAILED tests/test_shop.py::test_till[3] - AssertionError: expected size 2==2, stride 8==9 at dim=0\n",
        1, "expected size 2==2", None, "fake kernel"),
    "a view": ("Cannot view a tensor with shape torch.Size([2, 3]) and strides (1, 2) as a tensor with shape (6,)!\n",
               1, "Cannot view a tensor", None, "reshape"),
    "devices alone": ("Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!\n",
                      1, "same device", None, "register_buffer"),
    "the end of a message of CUDA": (
        "Search for `cudaErrorStreamCaptureUnsupported' in https://docs.nvidia.com/cuda/cuda-runtime-api for more information.\n"
        "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\n",
        1, "CUDA graphs", None, "move that out of the graph"),
    "a function of C that is missing": (
        "/tmp/cabc.cpp:384:33: error: 'aoti_torch__quokka' was not declared in this scope\n", 1, "Backend failure", None, "newer PyTorch"),
    "a builtin": (
        "/v/torch/_dynamo/variables/functions.py:663: UserWarning: Graph break due to unsupported builtin till.ring. If it is a Python "
        "builtin, please file an issue on GitHub.\n", 0, "Graph break: `till.ring`", None, "TORCH_LOGS=graph_breaks"),
    "a graph that is not replayed": (
        "UserWarning: Unable to hit fast path of CUDAGraphs because of pending, uninvoked backwards.\n", 0, "fast path", None, "no_grad"),
    "a static input": ("RuntimeError: static input data pointer changed.\ninput name: primals_2. data pointer changed from 139 to 140.\n",
                       1, "CUDA graphs", None, "copy_"),
    "a bullet at the margin": (
        "torch.fx.experimental.symbolic_shapes.ConstraintViolationError: Constraints violated (L['x'].size()[0])! For more information, run with "
        "TORCH_LOGS=\"+dynamic\".\n- Not all values of L['x'].size()[0] are valid because L['x'].size()[0] was inferred to be a constant (4).\n",
        1, "Dimension 0 of `x` is marked dynamic, but the code makes it the constant 4", None, "mark"),
    "a chain that is cut": (
        '  File "/v/site-packages/torch/fx/experimental/symbolic_shapes.py", line 4163, in produce_guards\n    raise ConstraintViolationError(\n'
        "torch.fx.experimental.symbolic_shapes.ConstraintViolationError: Constraints violated (n)!\n"
        "  - Not all values of n are valid because n was inferred to be a constant (4).\n\nDuring handling of the above exception, another "
        'exception occurred:\n\nTraceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    export(net)\n'
        '  File "/v/site-packages/torch/export/_trace.py", line 529, in _export\n    raise UserError(\n',
        1, "inferred to be a constant (4)", 12, "Dim.AUTO"),
    "an operator of higher order": (
        "torch._dynamo.exc.Unsupported: Tensor.item\n\nThe above exception was the direct cause of the following exception:\n\n"
        'Traceback (most recent call last):\n  File "/v/site-packages/torch/_dynamo/variables/higher_order_ops.py", line 82, in hard_error\n'
        "    raise\ntorch._dynamo.exc.UncapturedHigherOrderOpError: scan must be captured completely with torch.compile.\n\n" + CALLS + "stack trace\n",
        1, "within scan: a tensor's value is read", 12, "capture_scalar_outputs"),
    "an operator of higher order in 2.13": (
        "torch._dynamo.exc.UncapturedHigherOrderOpError: This higher order operator doesn't work unless it is captured completely with "
        "torch.compile. Got graph break/error:\n\nunsupported operator: aten.quokka.default\n  Higher Order Operator: torch.cond\n",
        1, "within torch.cond: the operator `aten::quokka` has no fake kernel", None, "This operator of PyTorch has no fake kernel"),
    "a compiler without its exception": (
        "CalledProcessError: Command '['C:\\\\py\\\\Lib\\\\site-packages\\\\triton\\\\runtime\\\\tcc\\\\tcc.exe', 'C:\\\\t\\\\cuda_utils.c', '-shared']' "
        "returned non-zero exit status 1.\n", 1, "has no headers", None, "include"),
    "a linker": (
        "torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n\nCommand:\ng++ a.o\n\nOutput:\n/usr/bin/ld: a.o: in function "
        "`f':\na.cpp:67: undefined reference to `quokka'\ncollect2: error: ld returned 1 exit status\n",
        1, "undefined reference to `quokka'", None, "linker"),
    "an exception that ends the log of a server": (
        each_line('Traceback (most recent call last):\n  File "/v/site-packages/vllm/engine/core.py", line 857, in run_engine_core\n    work()\n'
                  "vllm.errors.QuokkaError: no quokka\n", "(EngineCore_DP0 pid=160) ERROR 12-15 12:35:11 [core.py:866] "),
        1, "no quokka", 857, "torch.compile"),
    "a traceback that a runner logs": (
        each_line('Caught exception:\nTraceback (most recent call last):\n  File "/srv/shop.py", line 12, in step\n    net(x)\n'
                  "RuntimeError: no quokka\n", "[rank1]:E0102 10:11:12.131000 9 site-packages/torch/testing/_internal/common_distributed.py:768] "),
        1, "no quokka", 12, "torch.compile"),
    "a warning that PyTorch logs": ("W0102 10:11:12.131000 9 torch/_inductor/utils.py:1137] [0/0] Failed to import quokkas, ignoring them.\n",
                                    0, "Only a warning: Failed to import quokkas", None, "goes on"),
    "counters of breaks": ("defaultdict(<class 'collections.Counter'>, {'stats': Counter({'calls_captured': 3}), 'graph_break': Counter({'Tensor.item': 2, "
                 "'generic_jump TensorVariable()': 1})})\n", 0, "a tensor's value is read", None, ""),
    "counters of a test": ("inductor [('extern_calls', 2)]\ngraph_break [('Tensor.item', 2), ('generic_jump TensorVariable()', 1)]\n",
                           0, "a tensor's value is read", None, ""),
    "a profile of 2.3": ("Graph Break Reason                     Count\n-----------------------------------  -------\nTensor.item         "
                         "                       1\ngeneric_jump TensorVariable()              2\n", 0, "a tensor's value is read", None, ""),
    "a backend that refuses a graph": (
        each_line("Backend compiler exception\n  Explanation: Backend compiler `inductor` failed with aten.quokka.default. Adding a graph break.\n"
                  "\n  Developer debug context: Backend: inductor\n    Exception:aten.quokka.default\n    Traceback:\n"
                  '      File "/srv/shop.py", line 12, in forward\n        return self.till(x)\n',
                  "W0102 10:11:12.131000 9 torch/_dynamo/exc.py:525] [5/0] "), 0, "Graph break: ", 12, ""),
    "the graph that a backend refuses": (
        each_line("While executing %item : [num_users=2] = call_method[target=item](args = (%x,), kwargs = {})\n    Original traceback:\n"
                  '      File "/srv/shop.py", line 12, in forward\n        return x.tolist()\n',
                  "W0102 10:11:12.131000 9 torch/_dynamo/exc.py:525] [5/0] "), 0, "Backend compiler exception", 12, "tolist"),
    "outputs of CUDA graphs, and who called": (
        "Error: accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run. Stack trace: File \"/srv/till.py\", line 7, in "
        "ring\n    y = self.bell(x). To prevent overwriting, clone the tensor outside of torch.compile().\n"
        '  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        "RuntimeError: Error: accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run. Stack trace: File "
        '"/srv/till.py", line 7, in ring\n    y = self.bell(x). To prevent overwriting, clone the tensor outside of torch.compile().\n',
        1, "overwritten by a subsequent run", 7, "clone"),
    "a message of graph_breaks that is an exception": (
        each_line('Traceback (most recent call last):\n  File "/v/site-packages/torch/_dynamo/symbolic_convert.py", line 9, in run\n    step()\n'
                  "torch._dynamo.exc.Unsupported: missing: LOAD_BUILD_CLASS\n\nfrom user code:\n   File \"/srv/shop.py\", line 12, in sell\n"
                  "    class Till:\n",
                  "V0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:989] [0/0] [__graph_breaks] "), 0, "a class is defined", 12, "outside"),
    "outputs of CUDA graphs in a traceback": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    bill = net(bill)\n'
        '  File "/v/lib/python3.12/site-packages/torch/_dynamo/eval_frame.py", line 574, in _fn\n    return fn(*args, **kwargs)\n'
        "RuntimeError: Error: accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run. Stack trace: File "
        '"/srv/till.py", line 7, in ring\n    y = self.bell(x). To prevent overwriting, clone the tensor outside of torch.compile().\n',
        1, "overwritten by a subsequent run", 12, "Line 7 of till.py makes the result"),
    "outputs of CUDA graphs that an attribute keeps": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    bill = net(bill)\n'
        '  File "/v/lib/python3.12/site-packages/torch/_dynamo/eval_frame.py", line 574, in _fn\n    return fn(*args, **kwargs)\n'
        "RuntimeError: Error: accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run. Stack trace: File "
        '"/srv/till.py", line 7, in ring\n    self.bells = torch.zeros(. To prevent overwriting, clone the tensor outside of torch.compile().\n',
        1, "overwritten by a subsequent run", 7, "before the first compiled call"),
    "a break of 2.0 on purpose": (
        "[2023-03-29 07:54:55,549] torch._dynamo.output_graph: [WARNING] Graph break: call_function graph_break in skip_files "
        "/v/torch/_dynamo/__init__.py from user code at:\n"
        '  File "/srv/shop.py", line 12, in sell\n    torch._dynamo.graph_break()\n', 0, "graph_break", 12, "Remove the call"),
    "a break of 2.0 without its name": ("in skipfiles: Till.ring  | ring /srv/till.py\n\n" + CALLS + "stack trace\n",
                                        1, "in skipfiles: Till.ring", 12, "fullgraph"),
    "code of FX": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n  File "<eval_with_key>.0", line 5, in forward\n'
        "NameError: name 'quokka' is not defined\n", 1, "name 'quokka' is not defined", 12, "without `torch.compile`"),
    "a message with a colon": ("torch._dynamo.exc.InternalTorchDynamoError: code: co_quokka is too small\n\n" + CALLS + "stack trace\n",
                               1, "`InternalTorchDynamoError`: code: co_quokka", 12, "report it"),
    "a process that compiles": (
        "torch._inductor.exc.InductorError: SubprocException: An exception occurred in a subprocess:\n\nTraceback (most recent call last):\n"
        '  File "/v/site-packages/torch/_inductor/compile_worker/subproc_pool.py", line 337, in do_job\n    result = job()\n'
        "ModuleNotFoundError: No module named 'triton.backends.quokka'\n", 1, "No module named 'triton.backends.quokka'", None, "version of Triton"),
    "a header of another": (
        "torch._inductor.exc.InductorError: RuntimeError: main.cpp\nC:\\t\\main.cpp(10): fatal error C1083: Cannot open include file: "
        "'quokka.hpp': No such file or directory\n", 1, "A header that the C++ compiler needs", None, "INCLUDE"),
    "a watchdog that is stuck": (
        "[rank6]:[E1019 14:02:11.804112345 ProcessGroupNCCL.cpp:1568] [PG ID 0 PG GUID 0(default_pg) Rank 6] ProcessGroupNCCL's watchdog got "
        "stuck for 480 seconds without making progress in monitoring enqueued collectives.\n", 1, "stuck for 480 seconds", None, "TORCH_NCCL_"),
    "a model that is not whole": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    load("net.pt2")\n'
        '  File "/v/site-packages/torch/_inductor/package/package.py", line 120, in load_package\n    loader = Loader(path)\n'
        "RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory\n",
        1, "central directory", 12, "download or save it again"),
    "a report on an export": (
        "1. Data dependent error.\n    When exporting, we were unable to evaluate the value of `u0 > 3`.\n    This was encountered 8 times.\n"
        "    This occurred at the following user stacktrace: \n        File /v/site-packages/torch/nn/modules/module.py, lineno 1789, in _call_impl\n"
        "        File /srv/shop.py, lineno 12, in forward\n            if a > 3:\n\n    And the following framework stacktrace: \n",
        1, "`u0 > 3`", 12, "torch.where"),
    "the console of an export": (
        each_line("\n#####\nWARNING: 1 issue(s) found during export, and it was not able to soundly produce a graph.\n#####\n",
                  "W0102 10:11:12.131000 9 torch/export/_draft_export.py:525] "), 0, "1 issue(s) found during export", None, "print(ep._report)"),
    "times of an autotuner": (
        "AUTOTUNE mm(8x8, 8x8)\n  mm 0.0071 ms 100.0%\nSingleProcess AUTOTUNE benchmarking takes 2.5 seconds and 0.5 seconds precompiling for 9 "
        "choices\n", 0, "takes 2.5 seconds", None, "max-autotune"),
    "recompiles of a profile of 2.3": (
        "Function            Recompiles  Recompile Reasons\n----------------  ------------  -------------------------\n"
        "'ring' (till.py:4)             2  L['n'] == 4\n                                  L['n'] == 5\n", 0, "`ring` recompiled twice", 4, ""),
    "the bound of a slice": (
        "Unsupported: Dynamic slicing with Tensor arguments\n  Explanation: Creating slices with Tensor arguments is not supported.\n\n" + CALLS +
        "stack trace\n", 1, "the bound of a slice", 12, "Python int"),
    "a name above its message": (
        "InductorError\nCompilationError: at 1:0:\ndef triton_poi_0(in_ptr0):\n^\nValueError(\"type fp8e4nv not supported in this architecture\")\n",
        1, "type fp8e4nv not supported", None, "bfloat16 or float16"),
    "an exception that is ignored": (
        "Exception ignored in atexit callback: <function shutdown_compile_workers at 0x7f3>\nTraceback (most recent call last):\n"
        '  File "/v/site-packages/torch/_inductor/async_compile.py", line 112, in shutdown_compile_workers\n    pool.shutdown()\n'
        "subprocess.TimeoutExpired: Command '['python']' timed out after 300 seconds\n", 0,
        "an exception was ignored in `shutdown_compile_workers`: TimeoutExpired: a process did not end within 300 seconds", None,
        "COMPILE_THREADS=1"),
    "an exception that another function ignores": (
        "Exception ignored in atexit callback: <function close_till at 0x7f3>\nTraceback (most recent call last):\n"
        '  File "/v/site-packages/torch/_inductor/async_compile.py", line 112, in close_till\n    pool.shutdown()\n'
        "subprocess.TimeoutExpired: Command '['python', 'till.py']' timed out after 30 seconds\n", 0,
        "an exception was ignored in `close_till`: TimeoutExpired: a process did not end within 30 seconds", None,
        "Python could not raise this"),
    "collectives that nothing waited for": (
        "[rank0]:[W929 11:15:17.3 ProcessGroup.cpp:367] Warning: At the time of process termination, there are still 12 unwaited collective calls. "
        "Please review your program to ensure that:\n[rank0]:1. c10d_functional.wait_tensor() is invoked on all tensors returned from "
        "c10d_functional collective,\n[rank1]:[W929 11:15:17.3 ProcessGroup.cpp:367] Warning: At the time of process termination, there are "
        "still 7 unwaited collective calls. Please review your program to ensure that:\nThe till is compiled with torch.compile.\n",
        0, "collectives that nothing waited for, when the process ended: 12 on rank 0, 7 on rank 1", None, "Run the same uncompiled"),
    "collectives that nothing waited for, up to 2.5": (
        "[W ProcessGroup.cpp:305] Warning: At the time of process termination, there are still 3 unwaited c10d_functional collective calls. Please "
        "review your program to ensure c10d_functional.wait_tensor() is invoked on all tensors returned from c10d_functional collective ops "
        "before they are used.\n", 0, "when the process ended: 3", None, "`wait_tensor()`"),
    "float8 that the GPU lacks": (
        KERNEL.format("tmp2 = tmp1.to(tl.float32)") + 'AssertionError("fp8e4nv data type is not supported on CUDA arch < 89")\n',
        1, "fp8e4nv data type is not supported", None, "float8_e5m2"),
    "a check of an index whose types do not fit": (
        "InductorError: CppCompileError: C++ compile error\n\nCommand:\ng++ /tmp/torchinductor_me/c1.main.cpp -o c1.main.so\n\nOutput:\n"
        "/tmp/torchinductor_me/c1.main.cpp:41:86: error: no matching function for call to \u2018at::vec::VecMask<long int, 2>::VecMask(int&)\u2019\n"
        '   41 |     AOTI_TORCH_CHECK((at::vec::VecMask<int64_t,2>(tmp9)).all_masked(), "index out of bounds: 0 <= tmp4 < 99L");\n'
        "      |                     ^\n", 1, "no matching function", None, "assert_indirect_indexing = False"),

    "values of loguru": (
        'Traceback (most recent call last):\n\n> File "/srv/shop.py", line 12, in <module>\n    net(x)\n    \u2502   \u2514 tensor([1.])\n    '
        '\u2514 <function f at 0x7f3>\n\n  File "/v/site-packages/torch/_inductor/codecache.py", line 1131, in __call__\n    return self.f(x)\n\n'
        "RuntimeError: CUDA error: an illegal memory access was encountered\n", 1, "an illegal memory access", 12, "CUDA_LAUNCH_BLOCKING"),
    "a kernel whose traceback is cut": (
        each_line("Triton compilation failed: triton_poi_fused_quokka_0\nmetadata: {'cc': 80}\nTraceback (most recent call last):\n"
                  '  File "/v/site-packages/torch/_inductor/runtime/triton_heuristics.py", line 892, in _precompile_config\n    binary = compile(x)\n',
                  "E0102 10:11:12.131000 9 torch/_inductor/runtime/triton_heuristics.py:894] [0/0] "),
        1, "triton_poi_fused_quokka_0", None, "last lines of its traceback"),
    "a kernel whose traceback is logged": (
        each_line("Triton compilation failed: triton_poi_fused_quokka_0\nmetadata: {'cc': 80}\nTraceback (most recent call last):\n"
                  '  File "/v/site-packages/triton/language/core.py", line 35, in wrapper\n    return fn(x)\nValueError: no quokka in this kernel\n',
                  "E0102 10:11:12.131000 9 torch/_inductor/runtime/triton_heuristics.py:894] [0/0] "),
        1, "Triton kernel: `ValueError`: no quokka in this kernel", None, "pip check"),
    "a kernel whose line is raised, and why is logged": (
        each_line("Triton compilation failed: triton_poi_fused_quokka_0\nmetadata: {'cc': 80}\nTraceback (most recent call last):\n"
                  '  File "/v/site-packages/triton/language/core.py", line 35, in wrapper\n    return fn(x)\n'
                  "ValueError: type fp8e4nv not supported in this architecture\n",
                  "E0102 10:11:12.131000 9 torch/_inductor/runtime/triton_heuristics.py:894] [0/0] ") +
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nCompilationError: at 2:11:\ndef triton_(in_ptr0):\n"
        "    tmp0 = tl.load(in_ptr0)\n           ^\n",
        1, "ValueError: type fp8e4nv not supported in this architecture", 12, "bfloat16 or float16"),
    "the line of a specialization": (
        each_line("create_symbol s77 = 8 for L['x'].size()[0] [2, int_oo] y = x.sin()  # srv/shop.py:4 in f (_dynamo/variables/builder.py:4960 in "
                  "<lambda>), for more info\n", "I0102 10:11:12.131000 9 torch/fx/experimental/symbolic_shapes.py:5743] [0/0] ") +
        each_line("eval Eq(s77, 8) [guard added] return y.view(8, -1)  # srv/shop.py:12 in f (_meta_registrations.py:88 in meta), for more info\n",
                  "I0102 10:11:12.231000 9 torch/fx/experimental/symbolic_shapes.py:8081] [0/0] ") +
        each_line("set_replacement s77 = 8 (range_refined_to_singleton) VR[8, 8]\n",
                  "I0102 10:11:12.331000 9 torch/fx/experimental/symbolic_shapes.py:7674] [0/0] "),
        0, "A dynamic size becomes a constant", 12, "Look at the line"),
    "a library of Windows": ('OSError: [WinError 126] The specified module could not be found. Error loading "C:\\venv\\torch\\lib\\fbgemm.dll" or '
                             "one of its dependencies.\n", 1, "cannot be loaded", None, "Visual C++"),
    "an assembler": (
        "torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n\nCommand:\ng++ a.cpp\n\nOutput:\n/tmp/a.s: Assembler messages:\n"
        "/tmp/a.s:7: Error: no such instruction: `vquokka %zmm0'\n", 1, "does not know this processor", None, "binutils"),
    "a box that begins in the middle": (
        "\u2502 /v/site-packages/torch/utils/_pytree.py:247 in inner                         \u2502\n"
        "\u2502 \u2771 247 \u2502   return f(x)                                                     \u2502\n"
        "\u2502 /v/python3.12/site-packages/torch/_subclasses/fake_tensor.py:130           \u2502\n"
        "\u2502 6 in validate                                                              \u2502\n"
        "\u2502 \u2771 1306 \u2502   raise Exception(                                               \u2502\n"
        "\u2570" + 76 * "\u2500" + "\u256f\nException: Please convert all Tensors to FakeTensors first or instantiate \n"
        "FakeTensorMode with 'allow_non_fake_inputs'. Found in aten.quokka.default(\n1, 2)\n",
        1, "or instantiate FakeTensorMode", None, "newer PyTorch"),
    "what a process raised": (
        "torch._inductor.exc.InductorError: SubprocException: An exception occurred in a subprocess:\n\nTraceback (most recent call last):\n"
        '  File "/v/site-packages/torch/_inductor/compile_worker/subproc_pool.py", line 327, in do_job\n    result = job()\n'
        "RuntimeError: PassManager::run failed\n", 1, "RuntimeError: PassManager::run failed", None, "newer versions of Triton"),
    "two Tritons": ("torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nRuntimeError: 2 compatible backends for target (cuda) "
                    "([<class 'a.B'>, <class 'c.D'>]). There should only be one.\n", 1, "Not one backend of Triton", None, "Leave one Triton"),
    "an old PyTorch on Windows": ("RuntimeError: Windows not yet supported for inductor\n", 1, "cannot compile on Windows", None, "PyTorch 2.5"),
    "what PyTorch suggests": (
        "torch._dynamo.exc.UserError: Constraints violated (quokka)! For more information, run with TORCH_LOGS=\"+dynamic\".\n"
        "  - Not all values of quokka = L['x'].size()[0] in the specified range satisfy the generated guard 2 <= L['x'].size()[0].\n\n"
        "Suggested fixes:\n  quokka = Dim('quokka', min=2)\n", 1, "Not all values of quokka", None, "PyTorch suggests `quokka = Dim('quokka', min=2)`"),
    "a line of PyTorch's own": (
        "torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function f(*()): got RuntimeError('no quokka')\n\n"
        'from user code:\n   File "/v/site-packages/torch/distributed/checkpoint/utils.py", line 12, in forward\n    x.set_(y)\n',
        1, "no quokka", None, "PyTorch's own: utils.py:12"),
    "a line of FSDP": (
        "torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function f(*()): got RuntimeError('no quokka')\n\n"
        'from user code:\n   File "/v/site-packages/torch/distributed/fsdp/_flat_param.py", line 12, in forward\n    x.set_(y)\n',
        1, "no quokka", None, "fully_shard"),
    "a limit whose lines are quoted in part": (
        "After a while:\n\n> torch._dynamo.convert_frame: [WARNING] torch._dynamo hit config.cache_size_limit (64)\n"
        " torch._dynamo.convert_frame: [WARNING]    function: 'sell' (/srv/shop.py:12)\n"
        "> torch._dynamo.convert_frame: [WARNING]    **last reason: L['self'].price == 3  # return x * self.price  # shop.py:14 in sell**\n"
        "> torch._dynamo.convert_frame: [WARNING] To log all recompilation reasons, use TORCH_LOGS=\"recompiles\".\n\nAny idea?\n",
        0, "`self.price` was 3", 14, "limit"),
    "a limit without dates": (
        "torch._dynamo.convert_frame: [WARNING] torch._dynamo hit config.cache_size_limit (64)\n"
        "torch._dynamo.convert_frame: [WARNING]    function: 'sell' (/srv/shop.py:12)\n"
        "torch._dynamo.convert_frame: [WARNING]    last reason: L['self'].price == 3\n", 0, "`self.price` was 3", 12, "limit"),
    "an operator without a fake kernel": (
        "torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function shop.stock(*(FakeTensor(..., "
        "size=(3,)),), **{}): got NotImplementedError(\"shop::stock: attempted to run this operator with Meta tensors\")\n\n" + CALLS + "information.\n",
        1, "`shop.stock`", 12, "register_fake"),
    "a failure of AOTAutograd": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    return f(x)\n'
        '  File "/v/site-packages/torch/_functorch/_aot_autograd/graph_compile.py", line 20, in aot_stage2\n    assert not x\n'
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nAssertionError: no quokka\n", 1, "no quokka", 12, "AOTAutograd fails"),
    "times in bold": (
        "INFO 01-02 03:04:09 [backends.py:426] Dynamo bytecode transform time: **6.31 s**\n"
        "INFO 01-02 03:04:18 [monitor.py:33] torch.compile takes **6.31 s** in total\n", 0, "6.3 s", None, "TORCH_TRACE"),
    "a builtin of 2.7": (
        "/v/torch/_dynamo/variables/functions.py:1598: UserWarning: Dynamo does not know how to trace the builtin `till.ring.` This function is "
        "either a Python builtin (e.g. _warnings.warn) or a third-party C/C++ Python extension (perhaps created with pybind).\n"
        "  torch._dynamo.utils.warn_once(explanation)\n", 0, "Graph break: `till.ring`", None, "TORCH_LOGS=graph_breaks"),
    "a builtin of which the log has the line": (
        "/v/torch/_dynamo/variables/functions.py:1598: UserWarning: Graph break due to unsupported builtin till.ring. This function is a builtin.\n"
        + each_line('Graph break in user code at /srv/shop.py:12\nReason: Unsupported: Graph break due to unsupported builtin till.ring. This '
                    'function is a builtin.\nUser code traceback:\n  File "/srv/shop.py", line 12, in sell\n    till.ring(x)\n',
                    "V0102 10:11:12.131000 9 torch/_dynamo/symbolic_convert.py:535] [0/0] [__graph_breaks] "),
        0, "Graph break: `till.ring`", 12, "before or after the compiled function"),
    "reasons of breaks without lines": (
        "Torchdynamo Profiler Report\n===========================\n\nGraph Breaks\n------------\n"
        "Graph breaks happen when torchdynamo encounters code it can't safely trace.\n\n"
        "Graph Break Reason                 Count\n-------------------------------  -------\nhasattr: UserDefinedClassVariable()        3\n"
        "\nRecompilation\n-------------\nNo recompilation detected\n", 0, "hasattr", None, "TORCH_LOGS=graph_breaks"),
    "a setting that changes": (
        "Recompiling function sell in /srv/shop.py:12\n    triggered by the following guard failure(s):\n    - 0/0: "
        "___check_global_state()\n", 0, "gradient mode", 12, "deterministic"),
    "a path that Windows refuses": (
        "torch._inductor.exc.InductorError: FileNotFoundError: [Errno 2] No such file or directory: 'D:\\\\kitchen\\\\cache\\\\triton\\\\0\\\\"
        + 52 * "K" + "\\\\tmp.pid_12_" + 36 * "a" + "\\\\triton_poi_fused_" + 140 * "q" + ".source'\n",
        1, "longer than the 259 characters", None, "LongPathsEnabled"),
    "a path that Windows takes": (
        "torch._inductor.exc.InductorError: FileNotFoundError: [Errno 2] No such file or directory: 'D:\\\\kitchen\\\\cache\\\\q.source'\n",
        1, "The system refuses", None, "Check that the file"),
    "an operator that returns other strides": (
        "AssertionError: expected size 31==31, stride 65==77 at dim=0\nError in op: torch.ops.shop.price.default\nThis error most often comes "
        "from a incorrect fake (aka meta) kernel for a custom op.\n", 1, "`shop::price` returns other sizes or strides", None, "empty them after the change"),
    "an operator that returns other strides, in a compiled function with a decorator": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 31, in <module>\n    total = sell(x)\n'
        '  File "/srv/shop.py", line 12, in sell\n    @torch.compile\n'
        '  File "/v/site-packages/torch/_inductor/output_code.py", line 763, in __call__\n    return self.current_callable(inputs)\n'
        "AssertionError: expected size 31==31, stride 65==77 at dim=0\nError in op: torch.ops.shop.price.default\n"
        "This error most often comes from a incorrect fake (aka meta) kernel for a custom op.\n", 1,
        "`shop::price` returns other sizes or strides", 31, "empty them after the change"),
    "an operator of PyTorch's that returns other strides": (
        "AssertionError: expected size 31==31, stride 65==77 at dim=0\nError in op: torch.ops.aten.sdp.default\nThis error most often comes "
        "from a incorrect fake (aka meta) kernel for a custom op.\n", 1, "Compiled code failed at run time", None, "a bug in PyTorch"),
    "a buffer of another dtype": (
        "torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function <method 'set_' of "
        "'torch._C.TensorBase' objects>(*(FakeTensor(..., size=(3, 0)), FakeTensor(..., size=(3, 0), dtype=torch.float16)), **{}): got "
        "RuntimeError('Could not set tensor of type c10::Half to a tensor of type float')\n\n" + CALLS + "stack trace\n",
        1, "`set_`: RuntimeError('Could not set", 12, "FSDP"),
    "a gradient of another dtype": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n  File "/v/site-packages/torch/_subclasses/'
        'meta_utils.py", line 549, in meta_tensor\n    r.grad = self.meta_tensor(\nRuntimeError: attempting to assign a gradient with dtype '
        "'c10::Half' to a tensor with dtype 'float'. Please ensure that the gradient and the tensor have the same dtype\n",
        1, "assign a gradient", 12, "set_to_none"),
    "a function that is compiled during a capture": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in capture\n    price(x)\n  File "/v/site-packages/torch/_dynamo/'
        'convert_frame.py", line 219, in _fn\n    cuda_rng_state = torch.cuda.get_rng_state()\ntorch._dynamo.exc.InternalTorchDynamoError: '
        "RuntimeError: Cannot call CUDAGeneratorImpl::current_seed during CUDA graph capture. If you need this call to be captured, please "
        "file an issue.\n", 1, "during CUDA graph capture", 12, "before the capture"),
    "a wrapped message, and its stack below": (
        "It fails at step 40:\nRuntimeError: This backward function was compiled with non-empty donated buffers \nwhich requires create_graph=False "
        "and retain_graph=False. Please keep \nbackward(create_graph=False, retain_graph=False) across all backward() function \ncalls, or set "
        "torch._functorch.config.donated_buffer=False to disable donated buffer.\nThe traceback leads to:\n"
        'File "srv/shop.py", line 12, in price\n    g = torch.autograd.grad(loss, layer, retain_graph=True)[0]\n',
        1, "donated buffers which requires", 12, "donated_buffer = False"),
    "an exception in code that is PyTorch's": (
        'Traceback (most recent call last):\n  File "/v/site-packages/kitchen/oven.py", line 12, in bake\n    out = flex(q, k, v)\n'
        '  File "/v/site-packages/torch/_dynamo/exc.py", line 528, in unimplemented_v2\n    raise Unsupported(msg)\n'
        "torch._dynamo.exc.Unsupported: Observed exception\n  Explanation: Dynamo found no exception handler.\n\n  Developer debug context: raised "
        "exception ValueError([ConstantVariable(str: 'no quokka')])\n\n\nfrom user code:\n   File \"/v/site-packages/torch/nn/attention/"
        'flex_attention.py", line 1435, in flex_attention\n    raise ValueError(\n', 1, "raises an exception: `ValueError`", 12, "what leads to this line"),
    "metrics that a program prints": (
        "print(torch._dynamo.utils.get_compilation_metrics()):\n[CompilationMetrics(compile_id='0/0', frame_key='1', co_name='sell', "
        "co_filename='/srv/shop.py', co_firstlineno=12, guard_count=5, graph_op_count=2, entire_frame_compile_time_s=3.25, "
        "backend_compile_time_s=2.5, inductor_compile_time_s=1.75, fail_type=None, compliant_custom_ops={'shop::price', \"it's\"}, "
        "restart_reasons=set(), is_fwd=True), CompilationMetrics(compile_id='1/0', frame_key='2', co_name='buy', co_filename='/srv/shop.py', "
        "co_firstlineno=20, graph_op_count=1, entire_frame_compile_time_s=0.25, fail_type=None)]\n",
        0, "Compiling took 3.5 s", 12, "caches of compiled code"),
    "metrics that pprint prints": (
        "CompilationMetrics(compile_id='0/0',\n                   co_name='sell',\n                   co_filename='/srv/shop.py',\n"
        "                   co_firstlineno=12,\n                   graph_op_count=2,\n                   entire_frame_compile_time_s=3.25,\n"
        "                   backend_compile_time_s=2.5,\n                   fail_type=None)\n",
        0, "Compiling took 3.2 s", 12, "caches of compiled code"),
    "metrics of a compile that failed": (
        "%s CompilationMetrics(compile_id='1/0', co_name='buy', co_filename='/srv/shop.py', co_firstlineno=20, graph_op_count=None, "
        "entire_frame_compile_time_s=None, fail_type='InternalTorchDynamoError', fail_reason='no \"quokka\"', "
        "fail_user_frame_filename='/srv/shop.py', fail_user_frame_lineno=12)\n", 1, 'no "quokka"', 12, "report it"),
    "the assembler of another vendor": (
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nRuntimeError: Internal Triton PTX codegen error: \n"
        "ptxas fatal   : Value 'sm_103' is not defined for option 'gpu-name'\n\nMy GPU is a Radeon Pro, with ROCm 6.\n",
        1, "made for GPUs of NVIDIA", None, "pip uninstall triton"),
    "an old assembler": (
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nRuntimeError: Internal Triton PTX codegen error: \n"
        "ptxas fatal   : Value 'sm_103' is not defined for option 'gpu-name'\n\nMy GPU is an NVIDIA B300.\n",
        1, "does not know this GPU", None, "TRITON_PTXAS_PATH"),
    "a generator of PyTorch's, in the box of a debugger": (
        BOX + GENERATOR + '  File "/srv/shop.py", line 31, in forward\n    sell(x)\n  File "/srv/run.py", line 88, in <module>\n    shop.train()\n'
        "torch._dynamo.exc.Unsupported: generator\n", 1, "a generator of PyTorch's own", 12, "run the same without it first"),
    "an assertion of a GPU, with a bar of progress behind it": (
        "unknown:0: unknown: block: [1,0,0], thread: [32,0,0] Assertion `index out of bounds: 0 <= tmp7 < 91` failed.          | 0/36 [00:00<?, ?it/s]"
        "unknown:0: unknown: block: [1,0,0], thread: [33,0,0] Assertion `index out of bounds: 0 <= tmp7 < 91` failed.\n" + ASSERTED,
        1, "Assertion `index out of bounds: 0 <= tmp7 < 91` failed. (1 thread)", 12, "Line 12 is where the error was noticed"),
    "calls at the same time, which fail": (
        "I wrapped it with Flask. When two requests come at the same time, it fails:\n\n" + ASSERTED + "\nOne after the other everything is normal.\n",
        1, "device-side assert", 12, "one thread that takes the work from a queue"),
    "a message that is quoted below a sentence": (
        "It works without, but once I set torch.compile to Inductor, I get this error on the screen:\n\n"
        "\"Shop execution error: name '__subclass_Till_13294430_c28' is not defined\"\n",
        1, "`NameError`: name '__subclass_Till_13294430_c28' is not defined", None, "a name of its own"),
    "compiled code that vLLM loaded, below a fold in a log": (
        "(EngineCore_DP0 pid=41) INFO 05-28 09:14:02 [decorators.py:305] Directly load AOT compilation from path /net/me/vllm/torch_compile_cache/"
        "torch_aot_compile/6fd1/rank_0_0/model\n" + each_line(FOLDED.format("  [... 6 frames]"), "(EngineCore_DP0 pid=41) ERROR 05-28 09:14:09 [core.py:1104] "),
        1, "Backend failure: `AssertionError`: Expected tensors only", 12, "rm -rf /net/me/vllm/torch_compile_cache`"),
    "a fold in angle brackets": (FOLDED.format("  <6 frames>"), 1, "Backend failure: `AssertionError`: Expected tensors only", 12, "VLLM_DISABLE"),
    "a fold of dots": (FOLDED.format("  ... 6 more calls"), 1, "Backend failure: `AssertionError`: Expected tensors only", 12, "VLLM_DISABLE"),
    "an export of ExecuTorch without out variants": (
        EXIR + "RuntimeError: Missing out variants: {'quantized_decomposed::quantize_per_tensor'}\n", 1, "Missing out variants", 12, "delegated"),
    "an export of ExecuTorch without out variants of plain operators": (
        EXIR + "RuntimeError: Missing out variants: {'aten::mean'}\n", 1, "Missing out variants", 12, "an overload that has one"),
    "a file of a cache that was cut short": (
        FAILED.split("torch._inductor")[0] + '  File "/v/site-packages/torch/_functorch/_aot_autograd/autograd_cache.py", line 1178, in _lookup\n'
        "    pickle.loads(content)\n_pickle.UnpicklingError: pickle data was truncated\n", 1, "missing or damaged", 12, "TORCHINDUCTOR_CACHE_DIR"),
    "an export of ExecuTorch": (EXIR + "RuntimeError: no quokka\n", 1, "no quokka", 12, "newer ExecuTorch"),
    "a tensor that AMD's driver cannot reach": (
        UNREACHED.format("triton/backends/amd/driver.py"), 1, "Triton kernel: `ValueError`: Pointer argument", 12, "probably do not fit"),
    "a power of sizes": (KERNEL.format("tmp2 = libdevice.pow(2, ((-1)*ks0) + ks1)"), 1, "libdevice.pow", None, "makes both arguments one type"),
    "a size in a kernel of Inductor's": (KERNEL.format("tmp2 = quokka(2, ks0)"), 1, "quokka(2, ks0)", None, "A size that varies takes part"),
    "quotation marks with backslashes, and a line that was filled up": (
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression u1 < 200 "
        "(unhinted: u1 < 200).  (Size-like symbols: u1)" + 120 * " " + "consider\nFor more information, run with TORCH_LOGS=\\\"dynamic\\\"\n\n"
        'The following call raised this error:\n  File \\"/srv/shop.py\\", line 12, in sell\n    tills = tills[:most]\n\nI export it to ONNX.\n',
        1, "(Size-like symbols: u1) consider", 12, "`dynamo=False`"),
    "a library of Intel's compiler": (
        "torch._inductor.exc.InductorError: RuntimeError: ocloc failed with error code 250\nocloc stderr:\n"
        "Error! Loading of IGC library has failed! Filename: libigc.so.2\nError! IGC initialization failure. Error code = -6\n",
        1, "Filename: libigc.so.2", None, "ldconfig -p | grep libigc"),
    "the method of a logger that the text names": (
        "reason='Logger not supported for non-export cases.', user_stack=[<FrameSummary file /srv/shop.py, line 12 in sell>], graph_break=True)\n"
        'It is torch.compile, of logger.warning(f"sold {x}")\n', 0, "`Logger.warning(…)`", 12, "Log outside"),
    "times of operators": (
        "AUTOTUNE mm(8x8, 8x8)\n  mm 0.0071 ms 100.0%\nSingleProcess AUTOTUNE benchmarking takes 2.5 seconds and 0.5 seconds precompiling for 9 "
        "choices\nAUTOTUNE bmm(2x8x8, 2x8x8)\n  bmm 0.0071 ms 100.0%\nSingleProcess AUTOTUNE benchmarking takes 4.25 seconds and 0.0 seconds "
        "precompiling for 9 choices\n", 0, "takes 7.2 seconds for 2 operators: bmm(2x8x8, 2x8x8) 4.2, mm(8x8, 8x8) 3.0", None, "max-autotune"),
}

OUT_OF_BOUNDS = "/tmp/torchinductor_me/c1.py:7: unknown: block: [0,0,0], thread: [3,0,0] Assertion `index out of bounds: 0 <= tmp2 < {}` failed.\n" \
                'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    torch.cuda.synchronize()\n' \
                "torch.AcceleratorError: CUDA error: device-side assert triggered\n\n{}\n"
NOT_CLOSE = "x = torch.rand(8, dtype=torch.{})\n" \
            'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    torch.testing.assert_close(compiled(x), f(x))\n' \
            "AssertionError: Tensor-likes are not close!\n\nMismatched elements: 5 / 48 (10.4%)\n" \
            "Greatest absolute difference: 7.6e-06 at index (3, 6) (up to 1e-07 allowed)\n"
NO_OPENMP = "torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n\nCommand:\ng++ {0}c1.cpp\n\nOutput:\n" \
            "{0}c1.cpp:1:10: fatal error: 'omp.h' file not found\n"
NO_HEADER_OF_CL = "torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n\nOutput:\n{}" \
                  "C:/t/cpp_prefix.h(3): fatal error C1083: Cannot open include file: 'omp.h': No such file or directory\n"
BANNER = "Microsoft (R) C/C++ Optimizing Compiler Version 19.44 for {}\n\n"
AT_LIMIT = "".join("W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:1994] [0/8] " + line + "\n" for line in (
    "torch._dynamo hit config.recompile_limit (8)", "   function: 'sell' (/srv/shop.py:14)", "   last reason: 0/7: {}"))
LOGGER = "torch._dynamo.exc.Unsupported: Logger not supported for non-export cases. To avoid graph breaks caused by logger\n\nfrom user code:\n" \
         '   File "/srv/shop.py", line 12, in sell\n    log.warning("x")\n\nSet TORCHDYNAMO_VERBOSE=1 for more information\n\n{}\n'
GUARDED = "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression Ne(u0, 12) " \
          "(unhinted: Ne(u0, s7)).  (Size-like symbols: none)\n\nThe following call raised this error:\n  File \"{}shop.py\", line 12, in sell\n" \
          "    x = pack(x, n)\n"
REFUSED = "torch._inductor.exc.InductorError: PermissionError: [Errno 13] Permission denied: '{}'\n"
BFLOAT16 = "torch._inductor.exc.InductorError: RuntimeError: Internal Triton PTX codegen error\n`ptxas` stderr:\nptxas /tmp/tmp1.ptx, line 18; " \
           "error   : Feature '.bf16' requires .target sm_80 or higher\nptxas fatal   : Ptx assembly aborted due to errors\n\n" \
           "Repro command: /v/bin/ptxas -v --gpu-name=sm_75 /tmp/tmp1.ptx -o /tmp/tmp1.o\n"
EXECUTORCH = "E 00:00:00.215190 executorch:tensor_impl.cpp:105] Attempted to resize a bounded tensor with {}\n" \
             "E 00:00:00.215204 executorch:method.cpp:824] Error setting input 0: 0x10\n" \
             'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell.forward([x])\n' \
             "RuntimeError: set_inputs() for method 'forward' failed with error 0x10\n"

# What stands in a title, and the line that is the place.
RAY = (
    "(Worker pid=5, ip=10.0.0.1) /v/site-packages/torch/autograd/graph.py:9: UserWarning: quokka [repeated 21x across cluster] (Ray deduplicates "
    "logs by default. Set RAY_DEDUP_LOGS=0.)     (Worker pid=5, ip=10.0.0.2) [rank2]:W1023 10:14:40.923000 5 torch/_dynamo/convert_frame.py:1016] "
    "[6/8] torch._dynamo hit config.recompile_limit (8)   \n" +
    "".join(f"(Worker pid={pid}, ip=10.0.0.{rank}) [rank{rank}]:W1023 10:14:40.923000 {pid} torch/_dynamo/convert_frame.py:1016] [6/8] {line}\n"
            for pid, rank, line in (
                (5, 2, "   function: 'sell' (/srv/shop.py:12)   "),
                (5, 2, "   last reason: 6/7: tensor 'x[0]' requires_grad mismatch. expected requires_grad=0   "),
                (7, 3, "torch._dynamo hit config.recompile_limit (8) [repeated 14x across cluster]"),
                (7, 3, "   last reason: 6/7: tensor 'x[0]' requires_grad mismatch. expected requires_grad=0 [repeated 14x across cluster]"))))

COMPILES = "torch.compile is slow\n(EngineCore_DP0 pid=8) INFO 12-29 03:10:22 [monitor.py:34] torch.compile takes 21.37 s in total\n"
CAPTURED = "[2025-12-29 03:31:09] Capture cuda graph end. Time elapsed: %s s. mem usage=1.08 GB. avail mem=13.86 GB.\n"
CAPTURING = "Capturing batches (bs=4 avail_mem=6.02 GB):  42%%|####  | %s [02:49<03:58, 17.02s/it]\n"

FINGERPRINTS = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    shop.sell()\n'
    '  File "/v/site-packages/till/core.py", line 7, in save\n    torch.distributed.broadcast_object_list(tills, src=0)\n'
    '  File "/v/site-packages/torch/distributed/distributed_c10d.py", line 1906, in broadcast\n    work = default_pg.broadcast([tensor], opts)\n'
    "RuntimeError: Detected mismatch between collectives on ranks. Rank 0 is running collective: CollectiveFingerPrint(SequenceNumber=7, "
    "OpType=BROADCAST, TensorShape=[1]), but Rank 1 is running collective: CollectiveFingerPrint(SequenceNumber=7, OpType=ALLREDUCE, TensorShape=[9]).\n...\n"
    "    Variable._execution_engine.run_backward(\n"
    "RuntimeError: Detected mismatch between collectives on ranks. Rank 1 is running collective: CollectiveFingerPrint(SequenceNumber=7, "
    "OpType=ALLREDUCE, TensorShape=[9]), but Rank 0 is running collective: CollectiveFingerPrint(SequenceNumber=7, OpType=BROADCAST, TensorShape=[1]).\n")

NO_KEY_OF_TILL = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 20, in <module>\n    sell(x)\n  File "/v/site-packages/torch/_dynamo/'
                  'convert_frame.py", line 410, in _convert_frame_assert\n    return _compile(\n  File "/v/site-packages/torch/_dynamo/{}", '
                  'line 199, in sell\n    raise {}\ntorch._dynamo.exc.InternalTorchDynamoError: {}\n\nfrom user code:\n'
                  '   File "/srv/shop.py", line 7, in sell\n    y = d[0]\n')
STUCK_ON = ("[rank{0}]:[E ProcessGroupNCCL.cpp:1316] [PG 0 Rank {0}] Heartbeat monitor timed out! Process will be terminated after dumping debug info. "
            "workMetaList_.size()={1}\n")
UNUSED_ON_RANK = ("RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one. This error indicates that your module has "
          "parameters that were not used in producing loss.\nParameter indices which did not receive grad for rank 0: 7 9\n")
def CACHE_WARNED(level, pid, *lines):
    return "".join(f"{level}0102 10:11:12.131000 {pid} torch/_inductor/codecache.py:1021] {line}\n" for line in lines)


UNREAD = ("Traceback (most recent call last):", '  File "/v/site-packages/torch/_inductor/codecache.py", line 1017, in iterate_over_candidates',
          '    with open(os.path.join(subdir, path), "rb") as f:')
GONE_TEMPORARY = "FileNotFoundError: [Errno 2] No such file or directory: '/srv/torchinductor_me/fxgraph/bb/fbb/.{}.140423.tmp'"
KEY_AT_ONCE = ("[2024-02-03 21:45:17,997] torch._dynamo.utils: [ERROR] RMSE (res-fp64): 0.00122, (ref-fp64): 0.00000 and shape=torch.Size([64])\n"
               "[2024-02-03 21:45:17,99{}] torch._dynamo.utils: [ERROR] Accuracy failed for key name {}\nfail_accuracy\n")
CACHED_CALL = ("/v/site-packages/torch/_dynamo/variables/functions.py:2435: UserWarning: Dynamo detected a call to a `functools.lru_cache`-wrapped "
               "function at 'tills.py:426'. Dynamo ignores the cache wrapper and directly traces the wrapped function. Silent incorrectness is only a "
               "*potential* risk, not something we have observed. Enable TORCH_LOGS=+dynamo for a DEBUG stack trace.\n\n{}"
               "  torch._dynamo.utils.warn_once(msg)\n")
ORIGIN = 'This call originates from:\n  File "{}/tills.py", line 426, in sell\n    if has_till("2"):\n\n'
STRIDES_OF_ATEN = ('{}Traceback (most recent call last):\n  File "/srv/shop.py", line 21, in run\n    {}\n{}'
                   "AssertionError: expected size 8==8, stride 1==4 at dim=0; expected size 4==4, stride 8==1 at dim=1\n"
                   "Error in op: torch.ops.aten.{}.default\n"
                   "This error most often comes from a incorrect fake (aka meta) kernel for a custom op.\n")
IN_BACKWARD = ('  File "/v/site-packages/torch/_tensor.py", line 633, in backward\n    torch.autograd.backward(\n[...]\n')
OTHER_CUDA = ('{}Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
              '  File "/v/site-packages/triton/backends/nvidia/compiler.py", line 253, in make_ptx\n    ptx_version = ptx_get_version(cuda_version)\n'
              "RuntimeError: Triton only support CUDA 10.0 or higher{}\n")
RESUMED_AT = ('{}Traceback (most recent call last):\n  File "/srv/shop.py", line 40, in <module>\n    sell(x)\n'
              '  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 403, in _fn\n    return fn(*args, **kwargs)\n'
              '  File "/srv/shop.py", line 8, in sell\n    def sell(x):\n'
              '  File "/srv/shop.py", line 12, in {}\n    {}\nTypeError: {}\n')
RESUMED_SELL = "torch_dynamo_resume_in_sell_at_11"
NO_CONTEXT = ("with till:", "'type' object does not support the context manager protocol")
NO_CALL = ("y = till(x)", "'Till' object is not callable")
AS_STRIDED = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 31, in <module>\n    {}\n'
              '  File "/v/site-packages/torch/{}.py", line 832, in run\n    return fn(*args, **kwargs)\n'
              '  File "/v/site-packages/torch/distributed/tensor/_dispatch.py", line 95, in as_strided_handler\n    raise RuntimeError(\n'
              "{}\n")
NO_STRATEGY = "NotImplementedError: Operator aten.{}.default does not have a sharding strategy registered."
GOT_FISH = "  {}got RuntimeError('no fish')\n\n"
TITLES = {
    "an argument that a hook of accelerate loses": (
        "torch._dynamo.exc.ArgsMismatchError: missing a required argument: 'price'.\n  func = 'forward' "
        "/v/site-packages/tills/patches.py:27, args = [<class 'torch.Tensor'>], kwargs = {}\n\nfrom user code:\n"
        '   File "/v/site-packages/tills/patches.py", line 31, in forward\n    return self.till(price)\n'
        '  File "/v/site-packages/torch/nn/modules/module.py", line 1750, in _call_impl\n    return forward_call(*args, **kwargs)\n'
        '  File "/v/site-packages/accelerate/hooks.py", line 175, in new_forward\n    output = module._old_forward(*args, **kwargs)\n',
        "Exception while compiling: `ArgsMismatchError`: missing", 31),
    "an argument that a call of the program lacks": (
        "torch._dynamo.exc.ArgsMismatchError: missing a required argument: 'price'.\n  func = 'sell' "
        "/srv/shop.py:27, args = [], kwargs = {}\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 31, in forward\n    return sell()\n', "Error in the program or its options: `ArgsMismatchError`", 31),
    "a number that the line calls": (
        OF_VALUE.format("TypeError: 'int' object is not callable", "return till(coins)"), "Error in the program or its options", 12),
    "None that has no such attribute": (
        OF_VALUE.format("AttributeError: 'NoneType' object has no attribute 'price'", "return till.price"), "Bug in Dynamo", 12),
    "an expression that a terminal has wrapped": (
        "torch._inductor.exc.InductorError: LoweringException: TypeError: cannot determine truth \nvalue of Relational: (((2*ToFloat(s69) + 13)//(ToFloat(\n"
        "s69)))))*(2*s87) > 25\n  target: aten.pad.default\n", "(((2*ToFloat(s69) + 13)//(ToFloat(s69)))))*(2*s87) > 25 (aten.pad.default)", None),
    "a call that failed without the name of its exception": (
        "ERROR:common:Failed running call_function <built-in function not_>(*(False,), **{}):\nFalse != True\n\n" + CALLS,
        ": Failed running `not_`: False != True", 12),
    "the error of an operator without the head of the message": (
        "traceback : Traceback (most recent call last):\n  ...\n" + GOT_FISH.format(": ") + "  Developer debug context:\n\n" + GB + "gb4315.html\n\n" + CALLS,
        "Operator failed on fake tensors: `TorchRuntimeError`: RuntimeError('no fish')", 12),
    "the error of an operator without the head, above the program": (
        GOT_FISH.format("2), **{}): ") + CALLS, "Operator failed on fake tensors: `TorchRuntimeError`: RuntimeError('no fish')", 12),
    "what a sentence got, above the program": (GOT_FISH.format("We ").replace("got Run", "got a Run") + CALLS, "got a RuntimeError", 12),
    "a view of a sharded tensor that AOTAutograd makes": (
        AS_STRIDED.format("sell(x)", "_dynamo/eval_frame", NO_STRATEGY.format("as_strided")), "Backend failure: `NotImplementedError`", 31),
    "a view of a sharded tensor that the program makes": (
        AS_STRIDED.format("y = x.as_strided((2,), (1,))", "_dynamo/eval_frame", NO_STRATEGY.format("as_strided")), "Error in the program", 31),
    "an operator of a sharded tensor that the program calls": (
        AS_STRIDED.format("sell(x)", "_dynamo/eval_frame", NO_STRATEGY.format("topk")), "Error in the program", 31),
    "a call without its file": (
        'torch._dynamo.exc.TorchRuntimeError: no fish\n\nfrom user code:\n   line 67, in forward\n    total += fish\n\nSet TORCHDYNAMO_VERBOSE=1 for the '
        "internal stack trace\n", "no fish", 67),
    "a call without its file, below one that has it": (
        'torch._dynamo.exc.TorchRuntimeError: no fish\n\nfrom user code:\n   File "/srv/shop.py", line 12, in sell\n    return net(x)\n'
        "  line 67, in forward\n    total += fish\n\nSet TORCHDYNAMO_VERBOSE=1 for the internal stack trace\n", "no fish", 12),
    "a person's words that name a line": (
        "torch._dynamo.exc.TorchRuntimeError: no fish\n\nIt fails in\n   line 67, in forward\n    total += fish\n", "no fish", None),
    "the quotes of an exception that a sentence holds": (
        "Failed: Dynamo failed to run FX node with fake tensors: call_function <built-in function iadd>(*(FakeTensor(..., size=(2,)), FakeTensor(..., "
        "size=(2,))), **{}): got RuntimeError('Unhandled FakeTensor Device Propagation for aten.add_.Tensor, found two different devices cpu, cuda:0')\n",
        "`iadd`: RuntimeError('Unhandled FakeTensor Device Propagation for aten.add_.Tensor, found two different devices cpu, cuda:0')", None),
    "a line of the program above a checkout of Lightning": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    trainer.fit(torch.compile(net))\n'
        '  File "/srv/git/src/lightning/pytorch/trainer/call.py", line 44, in _call\n    return trainer_fn(*args)\nValueError: no fish\n',
        "no fish", 12),
    "a program's own directory lightning": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    till.fit(torch.compile(net))\n'
        '  File "/srv/lightning/trainer/call.py", line 44, in _call\n    return trainer_fn(*args)\nValueError: no fish\n',
        "no fish", 44),
    "the place that a warning names": (
        CACHED_CALL.format(ORIGIN.format("/srv")), "directly traces the wrapped function. …", 426),
    "a warning without its place": (CACHED_CALL.format(""), "Only a warning: Dynamo detected a call to a `functools.lru_cache`-wrapped function", None),
    "the place of another warning": (
        CACHED_CALL.format("").replace("  torch._dynamo.utils.warn_once(msg)\n", "") + "/srv/shop.py:3: UserWarning: tills are shut\n" +
        ORIGIN.format("/srv"), "Only a warning: Dynamo detected a call to a `functools.lru_cache`-wrapped function", None),
    "a result whose limit an old version does not say": (
        "[2023-02-24 00:11:20,172] torch._dynamo.utils: [ERROR] RMSE (res-fp64): 0.02300, (ref-fp64): 0.00700 and shape=torch.Size([4, 6])\n",
        "RMSE against float64: 0.023 compiled, 0.007 in eager mode, 3.29 times that", None),
    "a gradient that differs, logged at one time": (
        KEY_AT_ONCE.format(7, "till.bias.grad"), "Results differ: `till.bias.grad`: RMSE against float64: 0.00122 compiled, 0 in eager mode", None),
    "a result that differs, logged later": (
        KEY_AT_ONCE.format(8, "till"), "Results differ: `till`: RMSE against float64: 0.00122 compiled, 0 in eager mode", None),
    "a result that differs, without its key": (
        KEY_AT_ONCE.split("\n", 1)[0] + "\n", "Results differ: RMSE against float64: 0.00122 compiled, 0 in eager mode", None),
    "code of the cache that two processes cannot load": (
        CACHE_WARNED("W", 71, *UNREAD, GONE_TEMPORARY.format(71)) +
        CACHE_WARNED("W", 73, "fx graph cache unable to load compiled graph", *UNREAD[:2]),
        "Only a warning: compiled code of the cache cannot be loaded: FileNotFoundError: .71.140423.tmp", None),
    "a function below its prefix": (
        "W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:1016] [2/8] torch._dynamo hit config.recompile_limit (8)\n\n"
        "W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:1016] [2/8]    \nfunction: 'sell' (/srv/shop.py:140)\n\n"
        "W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:1016] [2/8]    \nlast reason: 2/7: tensor 'x' size mismatch at index 0. expected 4, "
        "actual 9\n", "`sell` hit the recompile limit (8) and runs eagerly; the last reason: dimension 0 of `x` went from 4 to 9", 140),
    "a line behind a graph break that fails": (
        RESUMED_AT.format("", RESUMED_SELL, *NO_CALL), "Error in code that Dynamo resumed after the graph break at line 11: `TypeError`", 12),
    "a line of compiled code before any graph break": (RESUMED_AT.format("", "sell", *NO_CALL), "Error in the program or its options", 12),
    "a CUDA that is too new for Triton": (OTHER_CUDA.format("", ", but got CUDA version: 12.8"), "This CUDA is too new for this Triton", 12),
    "a CUDA of the next version": (OTHER_CUDA.format("", ", but got CUDA version: 13.0"), "This CUDA is too new for this Triton", 12),
    "a CUDA whose version an old Triton does not say": (OTHER_CUDA.format("", ""), "This Triton does not know this CUDA", 12),
    "strides in a compiled backward": (
        STRIDES_OF_ATEN.format("", "sell(x).backward()", IN_BACKWARD, "mul"), "The compiled backward failed at run time", 21),
    "strides in compiled code": (STRIDES_OF_ATEN.format("", "sell(x)", "", "mul"), "Compiled code failed at run time", 21),
    "an operator that fails on fake tensors": (
        "torch._dynamo.exc.TorchRuntimeError: Failed running call_function till_ops.price(*(FakeTensor(..., size=(4,)),), **{}):\nno till\n",
        "Operator failed on fake tensors", None),
    "watchdogs that are stuck on several ranks": (
        "".join(STUCK_ON.format(rank, 84 if rank == 1 else 103) for rank in range(3)), "dumping debug info; 103 collectives under way on ranks 0, 2, 84 on rank 1", None),
    "watchdogs that are stuck alike": ("".join(STUCK_ON.format(rank, 103) for rank in range(2)), "dumping debug info (on ranks 0, 1)", None),
    "the watchdog of one rank that is stuck": (STUCK_ON.format(5, 103), "[PG 0 Rank 5] Heartbeat monitor timed out!", None),
    "parameters that got no gradient": (UNUSED_ON_RANK, "Parameter indices which did not receive grad for rank 0: 7 9", None),
    "a class that only the context of a break names": (
        "torch._dynamo.exc.Unsupported: Unexpected type in sourceless builder\n  Higher Order Operator: autograd.Function\n"
        "  Explanation: SourcelessBuilder.create does not know how to wrap <class 'shop.Till'>\n\n  Developer debug context: shop.Till\n",
        "sourceless builder (`shop.Till`, within autograd.Function)", None),
    "an operator whose meta failed, which a line above names": (
        "".join(f"E0519 01:09:49.832000 9 torch/_subclasses/fake_tensor.py:2964] [0/0] {line}\n" for line in (
            "failed while attempting to run meta for aten.bmm.default", "Traceback (most recent call last):",
            '  File "/v/torch/_subclasses/fake_tensor.py", line 2960, in _dispatch_impl', "    r = func(*args, **kwargs)",
            "RuntimeError: expected scalar type torch.float16 but found torch.float32")),
        "run meta for aten.bmm.default", None),
    "operators whose meta failed, which are several": (
        "".join(f"E0519 01:09:49.832000 9 torch/_subclasses/fake_tensor.py:2964] [0/0] {line}\n" for op in ("mm", "bmm") for line in (
            f"failed while attempting to run meta for aten.{op}.default", "Traceback (most recent call last):",
            '  File "/v/torch/_subclasses/fake_tensor.py", line 2960, in _dispatch_impl', "    r = func(*args, **kwargs)",
            "RuntimeError: expected scalar type torch.float16 but found torch.float32")),
        "expected scalar type torch.float16 but found torch.float32", None),
    "an address that NCCL does not reach": (
        "torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:13, unhandled system error (run with "
        "NCCL_DEBUG=INFO for details), NCCL version 2.18.6\nncclSystemError: System call (e.g. socket, malloc) or external library call failed or "
        "device error. \nLast error:\nsocketStartConnect: Connect to 10.0.0.4<52822> failed : No route to host\n",
        "`DistBackendError`: NCCL: socketStartConnect: Connect to 10.0.0.4<52822> failed : No route to host", None),
    "an error of NCCL without its reason": (
        "torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/NCCLUtils.hpp:13, unhandled system error (run with "
        "NCCL_DEBUG=INFO for details), NCCL version 2.18.6\n", "`DistBackendError`: NCCL error: unhandled system error, NCCL version 2.18.6", None),
    "a rendezvous, and what c10d logs of it": (
        "[E socket.cpp:860] [c10d] The client socket has timed out after 60s while trying to connect to 10.0.0.4:1234\n"
        "torch.distributed.elastic.rendezvous.api.RendezvousConnectionError: The connection to the C10d store has failed. See inner exception for details.\n",
        "has timed out after 60s while trying to connect to 10.0.0.4:1234", None),
    "a message that is a bare number": (
        NO_KEY_OF_TILL.format("variables/dicts.py", "KeyError(arg.value)", "0"), "KeyError: 0 (`raise KeyError(arg.value)`, dicts.py:199)", 7),
    "a message that is a bare name": (NO_KEY_OF_TILL.format("guards.py", "exc.KeyError(name) from e", "'till'"), "KeyError: 'till' (`raise exc.Key", 7),
    "a message with words": (NO_KEY_OF_TILL.format("guards.py", "TypeError(message)", "no till"), "`InternalTorchDynamoError`: no till", 7),
    "a recomputation that saves another number of tensors": (
        "torch.utils.checkpoint.CheckpointError: torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
        "recomputation.\nNumber of tensors saved during forward: 31\nNumber of tensors saved during recomputation: 9\n",
        "the original forward (31) and recomputation (9)", None),
    "a recomputation whose numbers are cut off": (
        "torch.utils.checkpoint.CheckpointError: torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
        "recomputation.\n", "the original forward and recomputation", None),
    "a break that lost its first line on one rank": (READ_ON_RANKS, "a tensor's value is read by `.item()`", 12),
    "a limit whose number is in the warning before the exception": (
        LIMIT_OF_EXCEPTION.format("cache_size_limit"), "`sell` hit the recompile limit (16) and raised an error", 12),
    "a limit whose warning is of another limit": (
        LIMIT_OF_EXCEPTION.format("accumulated_cache_size_limit"), "hit the recompile limit and raised", 12),
    "how a value is read, of explain": (EXPLAINED_SHOP.format(""), "a tensor's value is read by `int(...)`", 12),
    "how a value is read, which the line shows": (
        each_line("Graph break in user code at /srv/shop.py:12\nReason: Unsupported: Tensor.item\nUser code traceback:\n"
                  '  File "/srv/shop.py", line 12, in sell\n    y = x.item()\n', READ_BY), "a tensor's value is read: `y = x.item()`", 12),
    "how a value is read, which the line does not show": (
        each_line("Graph break in user code at /srv/shop.py:12\nReason: Unsupported: Tensor.item\nUser code traceback:\n"
                  '  File "/srv/shop.py", line 12, in sell\n    y = pad(x, [n, 1])\n', READ_BY),
        "a tensor's value is read by `.item()`: `y = pad(x, [n, 1])`", 12),
    "a break that CompileProfiler counts": (PROFILED_SHOP, "hasattr: TillVariable(), 4 times", None),
    "a limit with sizes comes before one that is raised": (LIMITS_OF_2_0, "`gather` hit the recompile limit (64)", 12),
    "a table of times whose total is a sum": (
        "TorchDynamo compilation metrics:\nFunction, Runtimes (s)\n_compile, 30.0\ncreate_aot_dispatcher_function, 25.0\n"
        "compile_fx.<locals>.fw_compiler, 15.0\ncompile_fx.<locals>.bw_compiler, 12.0\n",
        "42.0 s (the sum of forward and backward); of that Inductor: lowering and code generation 27.0 s, AOTAutograd 10.0 s, Dynamo: tracing 5.0 s", None),
    "a table of times whose total is a row's": (
        "TorchDynamo compilation metrics:\nFunction, Runtimes (s)\n_compile, 30.0\ncreate_aot_dispatcher_function, 25.0\n",
        "Compiling took 30.0 s; of that Dynamo: tracing 5.0 s", None),
    "a value that a library asks for": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 27, in <module>\n    ep = torch.export.export(\n'
        '  File "/v/site-packages/torch/export/_trace.py", line 7, in _export\n    raise e\n'
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u0, 1) "
        "(unhinted: Eq(u0, 1)).  (Size-like symbols: none)\n\nThe following call raised this error:\n"
        '  File "/v/site-packages/quokka/rope.py", line 50, in till\n    if n > top:\n', "data-dependent expression Eq(u0, 1)", 50),
    "an assertion of native code": (
        "python: /v/cutlass/gemm/device.h:56: int till(const From&): Assertion `drawer != nullptr' failed.\nAborted (core dumped)\n",
        "failed; /v/cutlass/gemm/device.h:56", None),
    "a warning with the traceback of what was dealt with": (
        "".join("W0102 10:11:12.131000 9 torch/_inductor/scheduler.py:239] [3/0] " + line + "\n" for line in (
            "Ignoring error in debug_str()", "Traceback (most recent call last):", '  File "/v/site-packages/torch/_inductor/ir.py", line 8, in till',
            "    return 1 / 0", "torch._inductor.exc.LoweringException: no quokka")), "Ignoring error in debug_str(); torch._inductor", None),
    "an exception below a warning": (
        "W0102 10:11:12.131000 9 torch/_inductor/utils.py:1679] [0/0] Not enough SMs to use max_autotune_gemm mode\n"
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
        '  File "/tmp/torchinductor_me/c1.py", line 9, in call\n    k.run(x)\nQuokkaError: no leaf\n', "`QuokkaError`: no leaf", 12),
    "times that mean nothing": (
        'Autotune Choices Stats:\n{"num_choices": 2, "best_kernel": "triton_mm_7", "best_time": -0.0199, "best_triton_pos": 0}\n'
        "AUTOTUNE mm(8x8, 8x8)\n  triton_mm_7 -0.0199 ms 100.0%\n  mm 0.0071 ms -280.2%\n", "zero or below: triton_mm_7 -0.0199 ms", None),
    "times of a table that mean nothing": (
        "AUTOTUNE mm(8x8, 8x8)\nstrides: [8, 1], [8, 1]\n  triton_mm_7 0.0000 ms 100.0%\n  mm 0.0071 ms 0.0%\n",
        "zero or below: triton_mm_7 0.0000 ms", None),
    "a capture that takes longer than vLLM": (COMPILES + CAPTURED % 268.41, "SGLang's capture of CUDA graphs took 268.4 s; vLLM compiled for 21.4 s", None),
    "a capture that takes less than vLLM": (COMPILES.replace("21.37", "91.37") + CAPTURED % 68.41, "Compiling took 91.4 s", None),
    "a capture that takes no time": (COMPILES + CAPTURED % 28.41, "Compiling took 21.4 s", None),
    "a capture that goes on": (COMPILES + CAPTURING % "3/24" + CAPTURING % "10/24",
                               "17.0 s for each of 24 batch sizes, 6 min 48 s in all; the text ends at 10", None),
    "a capture that ended": (COMPILES + CAPTURING % "10/24" + CAPTURED % 408.5 + CAPTURING % "3/24", "took 408.5 s", None),
    "a limit on workers of Ray": (RAY, "`sell` hit the recompile limit (8)", 12),
    "a kernel that Triton does not compile": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    y = sold(x)\n'
        '  File "/v/site-packages/triton/runtime/jit.py", line 345, in <lambda>\n    return lambda *args, **kwargs: self.run(grid=grid, *args, **kwargs)\n'
        '  File "/v/site-packages/triton/compiler/compiler.py", line 100, in make_ir\n    return ast_to_ttir(self.fn, self, context=context)\n'
        "triton.compiler.errors.CompilationError: at 9:10:\n    x = tl.load(ptr + i)\n", "`CompilationError`", 12),
    "a Triton that cannot be imported": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    y = sold(x)\n'
        '  File "/v/site-packages/triton/compiler/__init__.py", line 3, in <module>\n    from .compiler import compile\n'
        '  File "/v/site-packages/triton/compiler/compiler.py", line 9, in <module>\n    from .._C.libtriton import ir\n'
        "ImportError: cannot import name 'ir' from 'triton._C.libtriton'\n", "cannot import name 'ir'", 12),
    "a call on fake tensors": (
        "torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_method till_(*(DTensor(x),)): got "
        "RuntimeError('no quokka')\n\n" + CALLS, "`till_` on DTensors: RuntimeError('no quokka')", 12),
    "a gradient of another class": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    loss.backward()\nRuntimeError: \nDuring the backward, we '
        "encountered a tensor subclass where we guessed its\nmetadata incorrectly.\n\nExpected metadata: None, expected type: <class 'x.Till'>\n\n"
        "Runtime metadata: None, runtime type: <class 'torch.Tensor'>\n", "of class Tensor, and was compiled for Till", 12),
    "an error against float64": (
        "E1128 04:23:17.678000 56 torch/_dynamo/utils.py:2087] RMSE (res-fp64): 0.00759, (ref-fp64): 0.00242 and shape=torch.Size([1, 10]). "
        "res.dtype: torch.float16, multiplier: 3.000000, tol: 0.001000\n", "0.00759 compiled, 0.00242 in eager mode, allowed 0.00736", None),
    "the line of a definition": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
        '  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 10, in compile_wrapper\n    return fn(*args)\n'
        '  File "/srv/shop.py", line 3, in sell\n    def sell(x):\n'
        '  File "/tmp/torchinductor_me/c1.py", line 97, in call\n    run()\n'
        "torch.AcceleratorError: CUDA error: operation not permitted when stream is capturing\n", "stream is capturing", 12),
    "a call whose path lost its end": (
        "torch._dynamo.exc.Unsupported: Data-dependent branching\n  Explanation: Detected data-dependent branching.\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 3, in forward\n    return self.sell(x)\n  File "/srv/a_long_way/to_the_ti line 12, in sell\n'
        "    if x > self.till:\n\nSet TORCHDYNAMO_VERBOSE=1 for the internal stack trace\n", "a branch on a tensor's value", 12),
    "a part of DDP's": (
        "torch._dynamo.exc.BackendCompilerFailed: backend='compile_fn' raised:\nNotImplementedError: no quokka here\n\n" + CALLS,
        "`BackendCompilerFailed`: NotImplementedError: no quokka here", 12),
    "a line that PyTorch logs as an error, below a warning": (
        "W0619 13:14:50.662000 17174 torch/_dynamo/utils.py:195] a quokka is near\n"
        "E0619 13:14:50.661000 17174 torch/_dynamo/utils.py:3014] Quokka ate the till\n", "PyTorch logged an error: Quokka ate the till", None),
    "two ranks of which each says that their collectives differ, whose place is the call of the collective": (
        FINGERPRINTS, "rank 0 BROADCAST (sequence 7), rank 1 ALLREDUCE (sequence 7)", 7),
    "a collective that timed out": (
        "[rank2]:[E626 06:24:44.160366013 ProcessGroupNCCL.cpp:629] [Rank 2] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1085, "
        "OpType=ALLREDUCE, NumelIn=4096, NumelOut=4096, Timeout(ms)=600000) ran for 600045 milliseconds before timing out.\n",
        "A collective timed out: WorkNCCL(SeqNum=1085", None),
}

# Advice depends on all that a text says: what must be advised, and what must not.
ISA = "W0102 10:11:12.131000 9 torch/export/pt2_archive/_package.py:1059] Device information mismatch for AOTI_{}. This could cause some " \
      "issues when loading the AOTInductor compiled artifacts.\n"
NO_TRITON = "".join("W1024 01:17:10.913000 1404 torch/_dynamo/convert_frame.py:1009] " + line + "\n" for line in (
    "WON'T CONVERT sell {} line 12 ", "due to: ", "Traceback (most recent call last):",
    '  File "/v/torch/_inductor/scheduler.py", line 3347, in create_backend', "    raise RuntimeError(",
    "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:",
    "RuntimeError: Cannot find a working triton installation. Either the package is not installed or it is too old."))
TF32 = "/v/torch/_inductor/compile_fx.py:236: UserWarning: TensorFloat32 tensor cores for float32 matrix multiplication available but not " \
       "enabled. Consider setting `torch.set_float32_matmul_precision('high')` for better performance.\n  warnings.warn(\n"
NO_KEY = "RuntimeError: Error(s) in loading state_dict for Shop:\n\tMissing key(s) in state_dict: \"{}\". \n"
UNDER = 'Traceback (most recent call last):\n  File "{{}}", line 3, in sell\n    till(x)\n{}'
FLAT = UNDER.format('  File "/v/site-packages/torch/_dynamo/variables/builder.py", line 7, in wrap\n    raise x\n'
                    "AssertionError: Dynamo only supports FSDP with use_orig_params=True\n")
INFERENCE = UNDER.format('  File "/v/site-packages/torch/_subclasses/fake_tensor.py", line 7, in convert\n    out = x.view_as(x)\n'
                         "torch._dynamo.exc.BackendCompilerFailed: debug_wrapper raised RuntimeError: Inference tensors do not track version counter.\n"
                         ).replace('"{}"', '"/srv/{}/sell.py"')
NO_WORKERS = UNDER.format("torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nBrokenProcessPool: A child process terminated abruptly, "
                          "the process pool is not usable anymore\n")
OLD_GPU = UNDER.format("torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nRuntimeError: Found Q 3 which is too old to be supported by "
                       "the triton GPU compiler, which is used as the backend.\n").replace('"{}"', '"/srv/{}/sell.py"')
NO_CUDA_H = UNDER.format("torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nCalledProcessError: Command '['{}', '/tmp/x/main.c']' returned "
                         "non-zero exit status 1.\n/tmp/x/main.c:1:10: fatal error: cuda.h: No such file or directory\n").replace('"{}"', '"/srv/shop.py"')
NO_FEATURE = ('Traceback (most recent call last):\n  File "/srv/{}/sell.py", line 3, in <module>\n    sell(x)\n'
              '  File "/v/site-packages/torch/_inductor/cudagraph_trees.py", line 1792, in check_memory_pool\n    check(x)\n'
              "RuntimeError: cudaMallocAsync does not yet support checkPoolLiveAllocations. If you need it, please file an issue.\n")
ASSERTED_BY_ATEN = (
    '/till/aten/src/ATen/native/cuda/Till.cu:93: operator(): block: [3,0,0], thread: [126,0,0] Assertion `{}` failed.\n'
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    mask = weigh(x)\n{}'
    "RuntimeError: CUDA error: device-side assert triggered\n")
IN_BLOCK_MASK = '  File "/v/site-packages/torch/nn/attention/flex_attention.py", line 865, in {}\n    mask = inner_func(\n'
ASKS_IN_GRAPH = (
    "RuntimeError: Failed running call_module till(*(FakeTensor(..., size=(5,)),), **{{}}):\n"
    "Could not guard on data-dependent expression Eq(u0, 1) (unhinted: Eq(u0, 1)).  (Size-like symbols: none)\n\n"
    "Caused by: {source}  # <eval_with_key>.7:23 in forward ({place} in forward)\nFor more information, run with TORCH_LOGS=\"dynamic\"\n\n"
    'from user code:\n{program}   File "<eval_with_key>.7", line 23, in forward\n    {source}\n\n')
GROWING = "torch.compile(shop)\n{}OOMKilled by the cluster\n"
def reasons(rank, number, *lines):
    """What TORCH_LOGS=recompiles logs of one rank."""
    return "".join(f"[rank{rank}]:V1024 16:27:39.57800{rank} 9 site-packages/torch/_dynamo/guards.py:2813] [1/{number}] [__recompiles] {line}\n"
                   for line in ("Recompiling function forward in /srv/shop.py:12", *lines))


FAILED_GUARD = ("    triggered by the following guard failure(s):", "    - 1/0: tensor 'L['x']' size mismatch at index 1. expected 7, actual 9")
OTHER_GUARD = ("    triggered by the following guard failure(s):", "    - 1/1: tensor 'L['x']' stride mismatch at index 0. expected 7, actual 9")
BACKWARD = ("W1024 16:28:33.036000 9 site-packages/torch/_functorch/_aot_autograd/jit_compile_runtime_wrappers.py:693] [1/4] failed to eagerly "
            "compile backwards for dynamic, suppressing in case backwards not needed\n")
AGAIN_OF_ONE_SIZE = (
    "Recompiling function sell in /srv/shop.py:12\n    triggered by the following guard failure(s):\n"
    "    - 0/2: tensor 'x' size mismatch at index 0. expected 4, actual 9\n    - 0/1: tensor 'x' size mismatch at index 0. expected 4, actual 9{}\n")
LOOP = "for till in shop.modules():\n    till.compile()\n\n"
HANGS = 'Thread 4711 (idle): "MainThread"\n    backward (torch/autograd/__init__.py:9)\n    sell (shop.py:12)\n    <module> (shop.py:31)\n'

GROWS = "net = torch.compile(shop{})\nThe GPU memory of the shop grows with each call of it.\n"
DIFFERS = "net = torch.compile(shop)\nmax abs: 0.0031\nmax rel: 1.7\n"
NO_ROUNDING = "net = torch.compile(shop)\nIt returns a different value here, why is that?\ntensor([0., nan])\ntensor([0., 1.])\n"
GUARD_OF_HOOK = "torch.compile(f{})\nGuardFail(reason=\"tensor 'L['bread']' size mismatch at index 0. expected 4, actual 9\")\n"
PTXAS = (
    "torch._inductor.exc.InductorError: PTXASError: PTXAS error: Internal Triton PTX codegen error\n"
    "`ptxas` stderr:\nptxas fatal   : Value 'sm_121a' is not defined for option 'gpu-name'\n\n")

FIXED_SIZE = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    torch.export.export(net, (till,))\n'
    "torch._dynamo.exc.UserError: Constraints violated (L['till'].size()[0])! For more information, run with "
    'TORCH_LOGS="+dynamic".\n  - You marked L[\'till\'].size()[0] as dynamic but your code specialized it to be a constant (3). If '
    "you're using mark_dynamic, either remove it or use maybe_mark_dynamic.\n\nThe error above occurred when calling "
    "torch.export.export.\n")

SKIPPED_BY_FX = (
    "torch._dynamo.exc.Unsupported: Attempted to call function marked as skipped\n  Explanation: Dynamo developers have intentionally "
    "marked that the function `_ring` in file `/v/site-packages/torch/fx/till.py` should not be traced.\n  Hint: Avoid calling the "
    "function `_ring`.\n\n  Developer debug context: module: torch.fx.till, qualname: _ring, skip reason: <missing reason>\n\n\n"
    'from user code:\n{}   File "<eval_with_key>.21", line 214, in forward\n    ring = torch.utils.ring(x)\n\n')
GONE_ON = "".join(
    "W0102 10:11:12.131000 9 torch/_higher_order_ops/triton_kernel_wrap.py:987] [3/0] " + line + "\n" for line in (
        "Encountered an exception in identify_mutated_tensors, assuming every input is mutated", "Traceback (most recent call last):",
        '  File "/v/site-packages/triton/compiler/compiler.py", line 80, in make_ir', "    return ast_to_ttir(self.fn, self)",
        "triton.compiler.errors.CompilationError: at 1:0:", "def till(x_ptr, n, BLOCK: tl.constexpr):", "^", "IndexError('no such drawer')"))

LOWERED = ("torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nLoweringException: {}\n  target: {}\n  args[0]: "
           "TensorBox(StorageBox(\n    InputBuffer(name='arg0_1')\n  ))\n\nSet TORCH_LOGS=\"+dynamo\" for more information\n")

FLOAT = reasons(0, 1, "    triggered by the following guard failure(s):", "    - 1/0: L['price'] == 1.5") + "torch {}\n"

# The log of `dynamic` of 2.2, and what it says of the line that made a size a constant.
FIXED = "".join(
    f"[0/{c}] torch.fx.experimental.symbolic_shapes: [INFO] create_env\n"
    f"[0/{c}] torch.fx.experimental.symbolic_shapes: [INFO] create_symbol s0 = {n} for L['price'].size()[1] [2, 9223372036854775806]\n"
    f"[0/{c}] torch.fx.experimental.symbolic_shapes: [INFO] set_replacement s0 = {n}\n"
    f"[0/{c}] torch.fx.experimental.symbolic_shapes: [INFO] eval Eq(s0, {n}) [guard added] {{}}(_subclasses/fake_tensor.py:1434 in <genexpr>)\n"
    + ("[0/1] torch._dynamo.guards.__recompiles: [DEBUG] Recompiling function sell in /srv/shop.py:9\n"
       "[0/1] torch._dynamo.guards.__recompiles: [DEBUG]     triggered by the following guard failure(s):\n"
       "[0/1] torch._dynamo.guards.__recompiles: [DEBUG]     - L['price'].size()[1] == 3\n" if c == 0 else "") for c, n in ((0, 3), (1, 4)))

CHANNELS = "".join(reasons(0, n, "    triggered by the following guard failure(s):", f"    - 1/{n - 1}: tensor 'L['x']' size mismatch at index 1. "
                           f"expected {64 << n}, actual {128 << n}") for n in (1, 2, 3))
TIMERS = ("INFO:root:total compile time 87.40:\n        {} seconds\n        backward._backward_impl: 35.12 seconds\n"
          "        _compile.compile_inner: 39.87 seconds\n        compile_fx_inner: 2.12 seconds\ntorch.compile of the till\n")
LIMIT_OF_SIZE = ("[rank0]:W1110 16:29:41.118000 41799 torch/_dynamo/convert_frame.py:844] [0/8] torch._dynamo hit config.cache_size_limit (8)\n"
                 "[rank0]:W1110 16:29:41.118000 41799 torch/_dynamo/convert_frame.py:844] [0/8]    function: 'sell' (/srv/shop.py:12)\n"
                 "[rank0]:W1110 16:29:41.118000 41799 torch/_dynamo/convert_frame.py:844] [0/8]    last reason: 0/0: tensor 'L['x']' size mismatch "
                 "at index 1. expected 16, actual 32\n")

MANY_SIZES = ("net = torch.compile(Shop())\n{}cudagraph_trees.py:447] UserWarning: CUDAGraph supports dynamic shapes by recording a new graph for each "
              "distinct input size. We have observed 9 distinct sizes. b) set torch._inductor.config.triton.cudagraph_skip_dynamic_graphs=True.\n")

PENDING = ("net = torch.compile(Shop())\n/v/site-packages/torch/_inductor/cudagraph_trees.py:2416: UserWarning: Unable to hit fast path of "
           "CUDAGraphs because of pending, uninvoked backwards. Consider running with torch.no_grad()\n  warnings.warn(\n")

HANGS_AT_END = "The shop uses torch.compile and hangs at the end.\n{}\n"

TIMES_OF_TILLS = ("The till uses torch.compile:\n\n| device | no compile | inductor | aot_eager |\n|---|---|---|---|\n| cpu | 24m 10s | {} | 47m 55s |\n\n"
                  "Compiled code is slower.\n")

FLOAT8_ON = ("torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nCompilationError: at 8:11:\ndef triton_(in_ptr0, out_ptr0):\n"
           "    tmp0 = tl.load(in_ptr0 + (x0), None)\n    tmp1 = tmp0.to(tl.float32)\n           ^\n\nSet TORCH_LOGS=\"+dynamo\" for more "
           "information\n\nThe till's weights are fp8_e4m3fn, on an NVIDIA GeForce {}.\n")

COMPILES_LONG = ("(EngineCore_DP0 pid=6448) INFO 02-12 14:23:33 [backends.py:812] Using cache directory: /srv/torch_compile_cache/7b for vLLM's "
                 "torch.compile\n(EngineCore_DP0 pid=6448) INFO 02-12 15:00:36 [backends.py:319] Compiling a graph for compile range (1, 8000) takes {0} s\n"
                 "(EngineCore_DP0 pid=6448) INFO 02-12 15:00:36 [monitor.py:34] torch.compile takes {0} s in total\n")
BOUND = ("".join(
    f"V0102 10:11:12.131000 9 torch/_dynamo/guards.py:1] [0/{n}] [__recompiles] Recompiling function sell in /srv/shop.py:14\n"
    f"V0102 10:11:12.131000 9 torch/_dynamo/guards.py:1] [0/{n}] [__recompiles]     triggered by the following guard failure(s):\n"
    f"V0102 10:11:12.131000 9 torch/_dynamo/guards.py:1] [0/{n}] [__recompiles]     - 0/{n - 1}: L['n'] == {n + 7}  # {{0}}  # shop.py:15 in sell\n"
    for n in (1,)))
LINKED = "CppCompileError: C++ compile error\n\nCommand:\ncl /I C:/shop c1.cpp\n\nOutput:\nc1.obj : error LNK2019: {}\n"
ABI = ("{}InductorError: CppCompileError: C++ compile error\n\nOutput:\n/tmp/torchinductor_me/c1.cpp:7:9: error: 'aoti_torch_cpu_quokka' was not "
       "declared in this scope\n")
FLEX = ("torch: {}\n\ntorch._inductor.exc.LoweringException: NoValidChoicesError: No choices to select, please consider adding ATEN into "
        "max_autotune_gemm_backends config (defined in torch/_inductor/config.py) to allow at least one choice. \n  target: flex_attention_backward\n"
        "  args[0]: TensorBox(StorageBox(\n    InputBuffer(name='primals_1', layout=FixedLayout('cuda:0', torch.{}, size=[2, 4, 512, {}], "
        "stride=[1, 2, 3, 4]))\n  ))\n")
ASKED = ("torch._dynamo.exc.UserError: Could not guard on data-dependent expression Eq(8*u3, 16) (unhinted: Eq(8*u3, 16)).  (Size-like symbols: u3)"
         "\n\n{}\nCaused by: tills = shop(tills)  # shop.py:8 in sell\n")
LOADED = "RuntimeError: Error in dlopen: /srv/till.so: undefined symbol: {}\n"
DEVICE = ("torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nLoweringException: TypeError: 'NoneType' object is not callable\n"
          "  target: aten.sum.default\n  args[0]: TensorBox(StorageBox(\n    Pointwise(\n      '{}',\n      torch.float32,\n      ranges=[7],\n    )\n  ))\n")
LAUNCHED = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 20, in <module>\n    net(x)\n'
            '  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 658, in _fn\n    return fn(*args, **kwargs)\n'
            '  File "/srv/shop.py", line 12, in forward\n    return self.till(x)\n'
            '  File "/tmp/torchinductor_me/ab/cab.py", line 61, in call\n    triton_red_fused_embedding_mean_0.run(buf5, buf6, 512, stream=stream0)\n'
            '  File "/v/site-packages/torch/_inductor/runtime/triton_heuristics.py", line 1041, in run\n    return launcher(\n{}\n')
COUNTED = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 20, in <module>\n    net(x)\n'
           'torch._dynamo.exc.Unsupported: dynamic shape operator: aten.bincount.default; to enable, set '
           'torch._dynamo.config.capture_dynamic_output_shape_ops = True\n\nfrom user code:\n   File "/srv/shop.py", line 12, in forward\n    n = {}\n')


IMAGE = ("torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\n"
         "RuntimeError: Triton Error [CUDA]: device kernel image is invalid\n\n")

COMPARES = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 23, in <module>\n    raise ValueError("The tills differ.")\n'
            "ValueError: The tills differ.\n")
LOST_SIZE = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 41, in <module>\n    net(x)\n'
             '  File "/tmp/torchinductor_till/na/cna.py", line 14, in <module>\n    meta = {1: s0}\n'
             "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nNameError: name 's0' is not defined\n")

STARTS_AGAIN = ('Traceback (most recent call last):\n  File "<string>", line 1, in <module>\n'
                '  File "/v/lib/python3.10/multiprocessing/spawn.py", line 287, in _fixup_main_from_path\n    main_content = runpy.run_path(main_path,\n'
                '  File "/srv/shop.py", line 6, in <module>\n    import tills\n{}'
                '  File "/v/lib/python3.10/multiprocessing/spawn.py", line 134, in _check_not_importing_main\n    raise RuntimeError(\'\'\'\n'
                "RuntimeError: \n        An attempt has been made to start a new process before the\n"
                "        current process has finished its bootstrapping phase.\n\n            if __name__ == '__main__':\n                freeze_support()\n")

MEETS_BIAS = ("torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function <built-in function mul>(*(FakeTensor(..., "
              "size=(1, s3)), Parameter(FakeTensor(..., size=(48,), requires_grad=True))), **{}): got RuntimeError('The size of tensor a (s3) must match the "
              "size of tensor b (48) at non-singleton dimension 1)')\n\nfrom user code:\n   File \"/srv/shop.py\", line 12, in weigh\n    return x * self.weight\n")
ASKS_SIZE = ("torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression Ne(u0, {}) (unhinted: Ne(u0, {})).  "
             "(Size-like symbols: none)\n\nCaused by: (_ops.py:865 in __call__)\n\nThe following call raised this error:\n"
             '  File "{}", line 12, in weigh\n    shelf[:, :goods.shape[-1]] = goods\n')
NO_NAME_TUNED = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    till(x)\n'
                 "torch._inductor.exc.InductorError: RuntimeError: Failed to run autotuning code block: {}\n")
LOST_PATH = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    till(x)\n'
             '  File "/tmp/torchinductor_{}/na/cna.py", line 42, in <module>\n    async_compile.wait(globals())\n'
             "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nCppCompileError: C++ compile error\n\nCommand:\n"
             "g++ /tmp/torchinductor_SHOPtill/lj/clj.cpp -shared -o /tmp/torchinductor_SHOPtill/lj/clj.so\n\nOutput:\n"
             "g++: error: /tmp/torchinductor_SHOPtill/lj/clj.cpp: No such file or directory\ng++: fatal error: no input files\n")
NODE_POWER = "ComfyUI, node TillCompile\n{}" + KERNEL.format("tmp2 = libdevice.pow(2, ks1)")
DONATED = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    g = torch.autograd.grad(loss, till, {}=True)[0]\n'
           "RuntimeError: This backward function was compiled with non-empty donated buffers which requires create_graph=False and "
           "retain_graph=False.\n")
NO_INPUT = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    p = torch.export.export(Till(), (x,))\n'
           '  File "/v/site-packages/torch/_export/non_strict_utils.py", line 130, in fakify\n    raise ValueError(\n'
           "ValueError: Unsupported input type <class '{}'>. Export only supports pytree containers of basic types (Tensor, int, float, ...) as "
           "input. To register a custom dataclass, use torch.export.register_dataclass.\n")

NO_ARTIFACT = ("{}\nERROR 07-29 13:03:31 [core.py:632] Traceback (most recent call last):\n"
               'ERROR 07-29 13:03:31 [core.py:632]   File "/v/site-packages/vllm/compilation/compiler_interface.py", line 412, in compile\n'
               "ERROR 07-29 13:03:31 [core.py:632]     raise RuntimeError(\n"
               "ERROR 07-29 13:03:31 [core.py:632] RuntimeError: vLLM failed to compile the model. The most likely reason for this is that a "
               "previous compilation failed, leading to a corrupted compilation artifact.\n\ntorch {}\n")
NORM_OF_TILLS = ("{}\nskipping cudagraphs due to mutated inputs (6 instances). Found from : \n"
                 '   File "/srv/shop.py", line 12, in sell\n    return self.norm(self.till(x))\n'
                 '  File "/v/site-packages/torch/nn/{}", line 175, in forward\n    self.num_batches_tracked.add_(1)\n\n')
NUMBER_FOR_TENSOR = (
    "W0102 10:11:12.131000 9 torch/_dynamo/guards.py:3508] [0/1] [__recompiles] Recompiling function step in /srv/shop.py:12\n"
    "W0102 10:11:12.131000 9 torch/_dynamo/guards.py:3508] [0/1] [__recompiles]     triggered by the following guard failure(s):\n"
    "W0102 10:11:12.131000 9 torch/_dynamo/guards.py:3508] [0/1] [__recompiles]     - 0/0: expected type of 'L['self'].param_groups[0]['{0}']' to "
    "be a tensor type, ' but found <class 'float'>\n"
    "W0102 10:11:13.131000 9 torch/_dynamo/guards.py:3508] [0/2] [__recompiles] Recompiling function step in /srv/shop.py:12\n"
    "W0102 10:11:13.131000 9 torch/_dynamo/guards.py:3508] [0/2] [__recompiles]     triggered by the following guard failure(s):\n"
    "W0102 10:11:13.131000 9 torch/_dynamo/guards.py:3508] [0/2] [__recompiles]     - 0/1: L['self'].param_groups[0]['lr'] == 0.25\n")
NO_ROOM = ("torch._inductor.exc.InductorError: RuntimeError: No valid triton configs. OutOfMemoryError: out of resource: {} "
           "Required: 98765 Hardware limit: 43210 Reducing block sizes or `num_stages` may help.\n")
FAR = ("skipping cudagraphs due to multiple devices: device(type='cuda', index=1), device(type={})\nTraceback (most recent call last):\n"
       '  File "/srv/shop.py", line 12, in <module>\n    out = till(x)\n  File "<string>", line 13, in launcher\n'
       "ValueError: Pointer argument (at 3) cannot be accessed from Triton (cpu tensor?)\n")
LIMIT_OF_FORWARD = (
    "torch._dynamo hit config.recompile_limit (8)\n   function: 'forward' (/srv/shop.py:30)\n   last reason: 0/7: ___check_type_id(self, 224599728)\n"
    "torch._dynamo.exc.FailOnRecompileLimitHit: recompile_limit reached with fullgraph=True.\n")
LAYERS = ("V0411 11:46:40.600000 99 torch/_dynamo/guards.py:2772] [16/8] [__recompiles_verbose] Recompiling function {} in /srv/shop.py:12\n"
          "V0411 11:46:40.600000 99 torch/_dynamo/guards.py:2772] [16/8] [__recompiles_verbose]     triggered by the following guard failure(s):\n"
          "V0411 11:46:40.600000 99 torch/_dynamo/guards.py:2772] [16/8] [__recompiles_verbose]     guard 0 failures:\n"
          "V0411 11:46:40.600000 99 torch/_dynamo/guards.py:2772] [16/8] [__recompiles_verbose]     - 16/7: L['self']._modules['till'].layer_idx == 8\n")
OWN_KERNEL = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 9, in <module>\n    sell(x)\n  File "/srv/till.py", line 7, in sell\n    {}\n'
    '  File "<string>", line 63, in till_kernel\n  File "/v/site-packages/triton/compiler/compiler.py", line 568, in _init_handles\n'
    '    raise OutOfResources(self.shared, max_shared, "shared memory")\ntriton.runtime.autotuner.OutOfResources: out of resource: shared memory, '
    "Required: 98765, Hardware limit: 43210. Reducing block sizes or `num_stages` may help.\n")
DYNAMIC_GROUPS = LOWERED.replace("\n  ))\n", "\n  ))\n  args[7]: [0, 0]\n  args[8]: {{}}\n").format("AssertionError: ", "aten.convolution.default")
SCHEMA = ("RuntimeError: till::sell: for argument '{}': the operator's schema till::sell(Tensor x, Tensor? w) -> Tensor specified that the operator "
          "does not mutate the argument, but this seems to be empirically wrong. Please make the schema and operator behavior consistent.\n")
OVERWRITTEN_GRADIENT = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    bill.backward()\n'
    '  File "/v/site-packages/torch/_tensor.py", line 625, in backward\n    torch.autograd.backward(\n'
    "RuntimeError: Error: accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run. Stack trace: File "
    '"/srv/till.py", line 7, in ring\n    y = self.bell(x). To prevent overwriting, clone the tensor outside of torch.compile().\n\n{}\n')
RAN = "CppCompileError: C++ compile error\n\nCommand:\ncl /I C:/shop{} c1.cpp\n\nOutput:\nMicrosoft (R) C/C++ Compiler {}\n"
UNKNOWN_RESULT = "Developer debug context: unsupported operator: {}.default\n"
ON_FAKES = ("torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function <built-in function sub>(*(FakeTensor(..., "
            "size=(1, {0}, 64)), FakeTensor(..., size=(1, {0}, 64))), **{{}}): got {1}\n\n" + CALLS)
ASSIGNED_IN_EXPORT = ('AssertionError: Mutating module attribute till during export.\n\nfrom user code:\n   File "/srv/shop.py", line 12, in forward\n'
                      "    {}\n\nSet TORCHDYNAMO_VERBOSE=1 for the internal stack\n")
NO_PYTHON = ("torch._dynamo.exc.Unsupported: can't handle functions not implemented in python\n  Explanation: Dynamo can only handle functions "
             "defined in python\n\n  Developer debug context: functools.partial(<function till at 0x7f>, rows=31)\n\nfrom user code:\n"
             '   File "{}", line {}, in {}\n    sell(x)\n')
OVERWRITTEN_IN_BACKWARD = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    bill.backward()\n'
    '  File "/v/site-packages/torch/_tensor.py", line 625, in backward\n    torch.autograd.backward(\n'
    '  File "/v/site-packages/torch/autograd/__init__.py", line 354, in backward\n{}'
    "RuntimeError: Error: accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run. Stack trace: {}. To prevent "
    "overwriting, clone the tensor outside of torch.compile().\n")
LAST_CHANNELS = (
    "W0102 10:11:13.131000 9 torch/_dynamo/convert_frame.py:906] [0/8] torch._dynamo hit config.recompile_limit (8)\n"
    "W0102 10:11:13.131000 9 torch/_dynamo/convert_frame.py:906] [0/8]    function: 'forward' (/srv/{}.py:12)\n"
    "W0102 10:11:13.131000 9 torch/_dynamo/convert_frame.py:906] [0/8]    last reason: 0/7: tensor 'x' size mismatch at index {}. expected {}, "
    "actual {}\n")
ENGINES = ("How do I save the compiled till? It takes 8 minutes to build the engines at each start.\nbackend = \"torch_tensorrt\"\n"
           "till = torch.compile(till, backend=backend, {})\n")
CULPRIT = (
    "torch._dynamo.exc.UserError: Could not guard on data-dependent expression Ne(u0, 1) (unhinted: Ne(u0, 1)).  (Size-like symbols: u0)\n\n"
    "ATTENTION: guard_size_oblivious would fix the error, evaluating expression to True.\n\nPotential framework code culprit (scroll up for full backtrace):\n"
    '  File "{}", line 229, in sell\n    if block[i] != size[i]:\n\nFor more information, run with TORCH_LOGS="dynamic"\n\n'
    'User Stack (most recent call last):\n  File "/srv/shop.py", line 12, in forward\n    return self.net(x)\n')
SHAPES_BY_NAME = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    torch.export.export(net, (), goods, dynamic_shapes=sizes)\n'
    "torch._dynamo.exc.UserError: When `dynamic_shapes` is specified as a dict, its top-level keys must be the arg names [{}] of `inputs`, but "
    "here they are [{}]. Alternatively, you could also ignore arg names entirely and specify `dynamic_shapes` as a list/tuple matching `inputs`.\n")
TEMPORARY = (
    '$ {}\nTraceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    bill = net(x)\n'
    "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nFileNotFoundError: [Errno 2] No such file or directory: "
    "'/tmp/torchinductor_till/triton/4/5eba/triton_.cubin.tmp.pid_938_100'\n")
ONNX_SLICE = (
    "I export my shop to ONNX. {}\n\ntorch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not extract specialized integer from "
    "data-dependent expression u0 (unhinted: u0).  (Size-like symbols: none)\n\nCaused by: (_export/non_strict_utils.py:1066 in "
    "__torch_function__)\n\nThe following call raised this error:\n"
    '  File "/v/site-packages/tiny_till/onnx.py", line 85, in ring\n    bells = bells[..., : sizes[0], : sizes[1]]\n\n'
    "The error above occurred when calling torch.export.export.\n")
GENERATES = (
    "torch 2.8.0. With torch.compile it is 3x slower, why?\n\nmodel = torch.compile(model)\nfor batch in batches:\n"
    "    goods = tok(batch, padding={}).to(\"cuda\")\n    t0 = time.time()\n    out = model.generate(**goods, max_new_tokens=10)\n"
    "    times.append(time.time() - t0)\n")
WRAPPED_BY_FSDP = (
    "torch._dynamo.exc.Unsupported: setattr(FSDPManagedNNModuleVariable(FullyShardedDataParallel), _is_root, ...)\n\nfrom user code:\n"
    '   File "/v/site-packages/torch/distributed/fsdp/fully_sharded_data_parallel.py", line 848, in forward\n'
    "    args, kwargs = _root_pre_forward(self, self, args, kwargs)\n"
    '  File "/v/site-packages/torch/distributed/fsdp/_runtime_utils.py", line 127, in _lazy_init\n    state._is_root = True\n')

# A kernel of a program, whose compiled form Triton reads from its cache; "{}" is how that ends.
KEPT_BY_TRITON = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    till[(4,)](x)\n'
                  '  File "/v/site-packages/triton/runtime/jit.py", line 345, in <lambda>\n    return lambda *args, **kwargs: self.run(grid=grid, **kwargs)\n'
                  '  File "/v/site-packages/triton/compiler/compiler.py", line 255, in compile\n    metadata = json.loads(Path(metadata_path).read_text())\n'
                  '  File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode\n    raise JSONDecodeError("Expecting value", s, err.value) from None\n'
                  "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)\n")
# What Inductor keeps; "{}" is the call and the exception.
KEPT_BY_INDUCTOR = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
                    '  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 663, in _fn\n    raise e.remove_dynamo_frames() from None\n'
                    '  File "/v/site-packages/torch/_inductor/{}\n')
LIBRARY_OF_CACHE = KEPT_BY_INDUCTOR.format('codecache.py", line 9, in load\n    return cdll.LoadLibrary(path)\n'
                                           "torch._inductor.exc.InductorError: OSError: {}")
FILE_OF_CACHE = KEPT_BY_INDUCTOR.format('codecache.py", line 9, in {}\n    artifact_path = graph.after_deserialization(constants)\n'
                                        '  File "/v/site-packages/torch/_inductor/runtime/compile_tasks.py", line 29, in _reload_python_module\n    raise RuntimeError(\n'
                                        "torch._inductor.exc.InductorError: RuntimeError: Failed to import /srv/c/qy/cqyxwdighumn2qzlm36up43wxdj5ixteuctipt5u5ibgx75jjgcz.py\n"
                                        "{}")
OPENED = ('I call torch.compile.\n\nTraceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    {}\n{}\n')

NO_LIBCUDA = "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nAssertionError: libcuda.so cannot found!\n"
FULL = ("{}\nTraceback (most recent call last):\n  File \"/srv/shop.py\", line 20, in <module>\n    y = till(x)\ntorch.OutOfMemoryError: CUDA out of "
        "memory. Tried to allocate {}. GPU 0 has a total capacity of 12.00 GiB of which {} is free. {}Of the allocated memory 4.00 GiB is allocated "
        "by PyTorch, and 310.00 MiB is reserved by PyTorch but unallocated.\n")
TRACED = ('Traceback (most recent call last):\n  File "/v/site-packages/torch/_functorch/aot_autograd.py", line 1377, in aot_wrapper_dedupe\n'
          '    fw_metadata, _out = run_functionalized_fw_and_collect_metadata(flat_fn)(\n  File "/v/site-packages/torch/fx/interpreter.py", line 249, '
          "in call_function\n    return target(*args, **kwargs)\nRuntimeError: Inference tensors do not track version counter.\n\n{}\n")
ZE = ('  File "{}", line 208, in load_binary\n    return self.shared_library.load_binary(args)\n'
      "torch._inductor.exc.InductorError: RuntimeError: Triton Error [ZE]: {}\n")
NO_CODE = ("UserWarning:\nNVIDIA Till with CUDA capability {} is not compatible with the current PyTorch installation.\nThe current PyTorch install "
           "supports CUDA capabilities {}.\n\nRuntimeError: CUDA error: no kernel image is available for execution on the device\n")
MIXED = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 20, in sell\n    loss = price(weight, y)\nRuntimeError: aten.mm.default: got '
         "mixed torch.Tensor and DTensor, need to convert all torch.Tensor to DTensor before calling distributed operators!\n")
RANKS_DIFFER = ("{}RuntimeError: Detected mismatch between collectives on ranks. Rank 1 is running collective: CollectiveFingerPrint(SequenceNumber=7, "
                "OpType=BROADCAST), but Rank 0 is running collective: CollectiveFingerPrint(SequenceNumber=7OpType=BARRIER).\n")
TIMES_OF_WORKER = tuple(f"2024-02-03T04:05:0{n},464 [WARN ] W-9000-till-stderr TILL_LOG - {line}\n" for n, line in enumerate((
    "AUTOTUNE mm(8x16, 16x32)", "  mm 0.0215 ms 100.0%", "  triton_mm_7 0.0225 ms 95.5%", "SingleProcess AUTOTUNE takes 1.5116 seconds")))
APART = "W0102 10:11:12.131000 9 torch/_dynamo/convert_frame.py:1016] [2/8] "
LIMIT_APART = "".join(f"{APART}{head}\n{line}\n\n" for head, line in (
    ("torch._dynamo hit config.recompile_limit (8)", ""), ("   ", "function: 'sell' (/srv/shop.py:140)"), ("   ", "last reason: 2/7: {}"),
    ("", 'To log all recompilation reasons, use TORCH_LOGS="recompiles".')))
PARAMETER_SIZE = ("tensor 'self._parameters['till']' size mismatch at index 0. expected 5120, actual 13824. Guard failed on a parameter, consider "
                  "using torch._dynamo.config.force_parameter_static_shapes = False to allow dynamism on parameters.")
NOT_TRACED = ("/v/site-packages/torch/_dynamo/variables/functions.py:663: UserWarning: Graph break due to unsupported builtin {}. This function is "
              "either a Python builtin (e.g. _warnings.warn) or a third-party C/C++ Python extension (perhaps created with pybind).\n")
LOGGED_BY = ("reason='Logger not supported for non-export cases. To avoid graph breaks caused by logger in compile-mode, it is recommended to disable "
             "logging by adding logging methods to config.ignore_logger_methods', user_stack=[<FrameSummary file {}, line 21 in sell>]\n")
WRAPPED = ("torch._dynamo.exc.TorchRuntimeError: Failed running call_function <function _autograd_grad at 0x7f17>(*({}, 2), **{{}}):\nno such till\n\n"
           'from user code:\n   File "/srv/shop.py", line 31, in sell\n    return {}\n')
OF_ZERO = ("torch._dynamo.exc.UserError: Could not guard on data-dependent expression {0} (unhinted: {0}).  (Size-like symbols: {1})\n\n"
           'from user code:\n   File "/srv/shop.py", line 31, in sell\n    {2}\n')
LAYOUTS = ('Traceback (most recent call last):\n  File "/v/site-packages/torch/_inductor/template_heuristics/triton.py", line 1673, in adjust\n'
           "    assert {}\n\ntorch._inductor.exc.InductorError: LoweringException: AssertionError: \n  target: {}.default\n"
           "  args[0]: TensorBox(StorageBox(\n    InputBuffer(name='arg0_1', layout=FixedLayout('cuda:0', torch.float16, size=[32, 64], stride=[64, 1]))\n  ))\n"
           "  args[1]: TensorBox(StorageBox(\n    InputBuffer(name='arg1_1', layout=FixedLayout('cuda:0', torch.float32, size=[64, 32], stride=[1, 64]))\n  ))\n"
           "  args[2]: TensorBox(StorageBox(\n    InputBuffer(name='arg2_1', layout=FixedLayout('cuda:0', torch.float32, size=[], stride=[]))\n  ))\n"
           "  args[3]: TensorBox(StorageBox(\n    InputBuffer(name='arg3_1', layout=FixedLayout('cuda:0', torch.float32, size=[{}], stride=[1]))\n  ))\n"
           "  args[4]: None\n")
OF_BRANCHES = ("torch._dynamo.exc.Unsupported: Expect branches to return tensors with same metadata but find pair[0] differ in {}, where lhs is "
               "TensorMetadata(shape=torch.Size([2]), dtype=torch.float32, requires_grad=False, stride=(1,)) and rhs is TensorMetadata(shape=2)\n\n"
               "The above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n"
               '  File "/srv/shop.py", line 12, in forward\n    return torch.cond(p, f, g, (x,))\n'
               "torch._dynamo.exc.UncapturedHigherOrderOpError: Cond doesn't work unless it is captured completely with torch.compile. Scroll up to "
               "find out what causes the graph break.\n")
UNTRACKED_SIZE = ('{}Traceback (most recent call last):\n  File "/srv/shop.py", line 19, in <module>\n    till(x)\n'
                  '  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 804, in compile_wrapper\n    return fn(*args)\n...\n'
                  '  File "/v/site-packages/torch/fx/experimental/proxy_tensor.py", line 467, in get_proxy_slot\n    raise RuntimeError(\n'
                  "RuntimeError: {} (139)is not tracked with proxy for <torch.fx.experimental.proxy_tensor.PythonKeyTracer object at 0x7f>\n{}")
OF_ATTRIBUTE = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 25, in <module>\n    torch.export.export(model, (x,))\n'
                '  File "/v/site-packages/torch/export/_trace.py", line 635, in wrapper\n    raise e\n'
                "AssertionError: Mutating module attribute till during export.\n\nfrom user code:\n"
                '   File "/srv/shop.py", line 14, in forward\n    self.till = {}\n')
# A library is called below the program, and there may be a gap.
UNKNOWN_OWNER = ('Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    {}\n'
                 '  File "/srv/market.py", line 44, in sell\n    price(fish)\n{}ValueError: no fish\n\nThe fish is of torch.compile.\n')
LOCAL_CLASS = "___check_obj_id(___stack0, 139610556710336), type=<class 'shop.sell.{}Till'>{}# till = Till(){}# shop/shop.py:17 in sell"
MADE_OF_TILLS = "y == 7                              # {}  # shop/shop.py:15 in sell"
MEETS_DEVICE = ("Failed: Dynamo failed to run FX node with fake tensors: call_function <built-in function iadd>(*(FakeTensor(..., size=(2,)), "
                "FakeTensor(..., size=(2,))), **{{}}): got RuntimeError('Unhandled FakeTensor Device Propagation for aten.add_.Tensor, found two different "
                'devices {}\')\n\nfrom user code:\n   File "/srv/shop.py", line 67, in forward\n    total += fish\n\nSet TORCHDYNAMO_VERBOSE=1 for the '
                "internal stack trace\n")
BRANCHES = ("torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u0, 3) (unhinted: "
            'Eq(u0, 3)).  (Size-like symbols: none)\n\nfrom user code:\n   File "/srv/shop.py", line 12, in sell\n    {}\n\nSet TORCH_LOGS="+dynamo"\n')
NO_HEADERS = ("torch._inductor.exc.InductorError: CalledProcessError: Command '['{}', '/tmp/t/main.c', '-O3', '-shared', '-fPIC', '-lcuda', "
              "'-I/usr/include/python3.12']' returned non-zero exit status 1.\n")
CUT_BELOW = ('torch._dynamo.exc.Unsupported: call_id with args (NestedUserFunctionVariable(),)\n\nfrom user code:\n   File "/srv/shop.py", line 7, in open\n'
             "    self.till(fish)\n{}\nSet TORCHDYNAMO_VERBOSE=1 for the internal stack trace\n")
REFUSED_BY_CUDA = (
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    y = till(x)\n'
    "torch.AcceleratorError: CUDA error: {}\nSearch for `{}' in the list of CUDA.\nCUDA kernel errors might be asynchronously reported at some other "
    "API call, so the stacktrace below might be incorrect.\nCompile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n")
CUT_REASON = (
    "torch._dynamo.exc.TorchRuntimeError: RuntimeError when making fake tensor call\n  Explanation: Dynamo failed to run FX node with fake tensors: "
    "call_function <built-in function linear>(*{}\n")
SPLIT_BY_DDP = (
    "torch._dynamo.exc.BackendCompilerFailed: {0} raised TypeError: _sell() missing 1 required positional argument: 'till'\n\n"
    "Set torch._dynamo.config.verbose=True for more information\n\nTraceback (most recent call last):\n"
    '  File "/v/site-packages/torch/_dynamo/output_graph.py", line 670, in call_user_compiler\n    compiled_fn = compiler_fn(gm, inputs)\n'
    '  File "/v/site-packages/torch/_dynamo/backends/distributed.py", line 203, in compile_fn\n    return self.backend_compile_fn(gm, inputs)\n'
    "TypeError: _sell() missing 1 required positional argument: 'till'{1}\n")
FAILED_ON_CONSTANTS = "ERROR:common:Failed running call_function <built-in function {}>(*({}), **{{}}):\nFalse != True\n\n" + CALLS
STRIDES_OF_INPUT = (
    'Traceback (most recent call last):\n  File "/v/site-packages/torch/_inductor/utils.py", line 2006, in run\n    return model(new_inputs)\n'
    '  File "/tmp/torchinductor_me/fa/cfaq.py", line 559, in call\n    assert_size_stride(primals_2, (1024, 1024), (1024, 1))\n'
    "AssertionError: expected size {} at dim=0\n")
# Compiled code that is saved to a file, or loaded from one: how it ends.
STORED = ('Traceback (most recent call last):\n  File "/srv/till.py", line 9, in <module>\n    {}\n'
          '  File "/opt/shop/lib/python3.12/site-packages/torch/_inductor/standalone_compile.py", line 81, in {}\n    {}\n{}\n')
# An operand of an operator, in 2.1.
OPERAND = ("torch._dynamo.exc.Unsupported: call_function BuiltinVariable({}) [TensorVariable(), GetAttrVariable(TensorVariable(), {})] {{}}\n\n"
           'from user code:\n   File "/srv/till.py", line 4, in sell\n    return coins * till\n')

# What torch.export says of a dimension that has a name; "{}" is what the name stands for.
NAMED_DIMENSION = ("Constraints violated (coins)!\nNot all values of {} in the specified range coins <= 64 are valid because coins was "
                   "inferred to be a constant (5).\n")
# Sizes that differ from those that were declared, as the assertion of generated code says it.
OTHER_STRIDES = "AssertionError: expected size 12==12, stride 128==2560 at dim=1; expected size 20==20, stride 1536==128 at dim=2\n{}"

# A guard that failed, and holds when it is looked at again; "{}" is what the compile number and the folder of PyTorch are.
HOLDS_AGAIN = ("W0519 00:03:34.723000 7212 {0}/torch/_dynamo/convert_frame.py:1986] [0/{1}] torch._dynamo hit config.recompile_limit (8)\n"
               "W0519 00:03:34.723000 7212 {0}/torch/_dynamo/convert_frame.py:1986] [0/{1}]    function: 'sell' (/srv/till.py:7)\n"
               "W0519 00:03:34.723000 7212 {0}/torch/_dynamo/convert_frame.py:1986] [0/{1}]    last reason: 0/7: {2}\n")
UNEXPECTED = "Unexpected recompilation: runtime guards failed even though they passed during recompilation-reason analysis."
IN_THREAD = ('Traceback (most recent call last):\n  File "/srv/till.py", line 9, in sell\n    price(x)\n  File "/opt/{}/lib/python3.13/site-packages/'
             'torch/_inductor/cudagraph_trees.py", line 368, in get_obj\n    assert torch._C._is_key_in_tls(attr_name)\nAssertionError\n')

# A condition on a value, and the function of PyTorch that asks.
ASKED_IN = ("torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression {0} (unhinted: {0}).  "
            "(Size-like symbols: none)\n\nCaused by: (_meta_registrations.py:4832 in {1})\nFor more information, run with TORCH_LOGS=\"dynamic\"\n{2}")

# A function whose value is no tensor, and the end of the user's stack.
NO_TENSOR = ("torch._dynamo.exc.Unsupported: torch.* op returned non-Tensor\n  Explanation: torch.* ops that return a non-Tensor cannot be traced "
             "into the Dynamo FX graph output\n\n\n  Developer debug context: example_value type: int; op: call_function; target: <function "
             "till_count at 0x0000018F57F05080>\n\nfrom user code:\n   File \"/srv/till.py\", line 23, in forward\n    {}")

FITTING = {
    "a line that is cut off before its call": (
        NO_TENSOR.format("coins"), "the line that fails is below the one that is shown", "Rewrite the line"),
    "a line with the call": (NO_TENSOR.format("coins = till_count()"), "pass the value in", "is below the one that is shown"),
    "a line with a call that has another name": (NO_TENSOR.format("coins = count()"), "pass the value in", "is below the one that is shown"),
    "a line of several lines, with what follows it": (
        NO_TENSOR.format("coins\n\nSet TORCH_LOGS=\"+dynamo\" and TORCHDYNAMO_VERBOSE=1 for more information\n"),
        "pass the value in", "is below the one that is shown"),
    "the index of a select": (
        ASKED_IN.format("-u0 > 9", "meta_select", ""), "With this one, index with a tensor", "`-u0 > 9` or"),
    "the index of a select, exported": (
        ASKED_IN.format("-u0 > 9", "meta_select", "\nThe error above occurred when calling torch.export.export. If you would like to view some more "
                        "information about this error, and get a list of all other errors that may occur in your export call, you can replace your "
                        "`export()` call with `draft_export()`.\n"),
        "`torch._check(n < x.shape[0])`", "`-u0 > 9` or"),
    "a value that another operator asks for": (
        ASKED_IN.format("-u0 > 9", "meta_repeat", ""), "`-u0 > 9` or `-u0 <= 9`", "index_select"),
    "a guard that holds when it is looked at again": (
        HOLDS_AGAIN.format("site-packages", 15, UNEXPECTED), "report it to PyTorch with the smallest program, as the message asks", "recompile_limit = "),
    "a guard of another kind, at the limit": (
        HOLDS_AGAIN.format("site-packages", 15, "len(L['till']) == 3"), "", "as the message asks"),
    "CUDA graphs of another thread, in a folder of a nightly build": (
        IN_THREAD.format("pytorch-nightly"), "if today's nightly fails", "Newer versions of PyTorch"),
    "CUDA graphs of another thread": (IN_THREAD.format("pytorch"), "Newer versions of PyTorch", "nightly"),
    "CUDA graphs of another thread, beside a program of that name": (
        "/opt/nightly/till.py runs\n" + IN_THREAD.format("pytorch"), "Newer versions of PyTorch", "today's nightly"),
    "a dimension with a name that becomes a constant": (
        NAMED_DIMENSION.format("coins = L['till'].size()[1]"), "or use `-1` in a `view`", "remove the mark"),
    "the same, quoted": (
        "".join(f"> {line}\n" for line in ("### Shop", "", "```", *NAMED_DIMENSION.format("coins = L['till'].size()[1]").split("\n"), "```", "", "Why?")),
        "or use `-1` in a `view`", "remove the mark"),
    "a size with a mark that becomes a constant": (
        NAMED_DIMENSION.format("L['till'].size()[1]"), "remove the mark", "in a `view`"),
    "strides of an operator of the program": (
        OTHER_STRIDES.format("Error in op: torch.ops.shop.price.default\n"), "correct the fake kernel", "a parameter was replaced"),
    "strides of an operator of PyTorch": (
        OTHER_STRIDES.format("Error in op: torch.ops.aten.mm.default\n"), "PyTorch", "correct the fake kernel"),
    "strides of no operator that is named": (
        OTHER_STRIDES.format(""), "a parameter was replaced", "correct the fake kernel"),
    "a method of a tensor on a class that is named like one": (
        "torch._dynamo.exc.Unsupported: call_method UserDefinedObjectVariable(TillTensor) view [] {}\n",
        "`TillTensor` is most likely a subclass of a tensor", "Call it before the compiled function"),
    "a method of a tensor on a class with another name": (
        "torch._dynamo.exc.Unsupported: call_method UserDefinedObjectVariable(Till) view [] {}\n", "Call it before the compiled function", "subclass"),
    "a method of its own on a class that is named like a tensor": (
        "torch._dynamo.exc.Unsupported: call_method UserDefinedObjectVariable(TillTensor) sell [] {}\n", "Call it before the compiled function", "subclass"),
    "a break that the writer sees in each layer": (
        "torch._dynamo.exc.Unsupported: call_method UserDefinedObjectVariable(TillTensor) view [] {}\n\nI still see the break in each layer.\n",
        "subclass of a tensor", "fullgraph"),
    "a break in each layer, with fullgraph": (
        "fullgraph=True ends with\ntorch._dynamo.exc.Unsupported: call_method UserDefinedObjectVariable(TillTensor) view [] {}\n\n"
        "Without it there is a break in each layer.\n", "fullgraph", "Nothing failed"),
    "compiled code that lacks the entry from which it is saved": (
        STORED.format("art.save(path=path)", "save", "assert len(cache_info.aot_autograd_artifacts) == 1, cache_info",
                      "AssertionError: CacheInfo(inductor_artifacts=['ftill'], aot_autograd_artifacts=[], pgo_artifacts=[])"),
        "which has no entry for it (`aot_autograd_artifacts` is empty)", "REPRO_AFTER"),
    "compiled code that has several entries": (
        STORED.format("art.save(path=path)", "save", "raise AssertionError(",
                      "AssertionError: CompiledArtifact.save failed to save because there was more than one artifact but we only expected one."),
        "several entries in AOTAutograd's cache", "strict_autograd_cache"),
    "compiled code of another PyTorch": (
        STORED.format("art = CompiledArtifact.load(path=path)", "load", "assert reader.read_bytes() == torch_key()", "AssertionError"),
        "was saved by another PyTorch", "REPRO_AFTER"),
    "compiled code whose path is a folder": (
        STORED.format("art.save(path=path)", "save", "assert not os.path.isdir(path)", "AssertionError"),
        "what is expected there (of the path, or of the format)", "aot_autograd_artifacts"),
    "compiled code that fails when it is compiled": (
        STORED.format("art = standalone_compile(gm, xs)", "standalone_compile", "assert callable(compiled_fn)", "AssertionError"),
        "newer PyTorch", "what fails is to save it"),
    "a file of compiled code that is not there": (
        STORED.format("art = CompiledArtifact.load(path=path)", "load", 'with open(path, "rb") as file:',
                      "FileNotFoundError: [Errno 2] No such file or directory: 'till.bin'"),
        "", "Compiled code cannot be loaded"),
    "a method of a tensor that is not called": (
        OPERAND.format("mul", "numel"), "In `return coins * till` most likely `numel()` is meant", "Call it before the compiled function"),
    "an attribute of a tensor as an operand": (OPERAND.format("mul", "grad"), "Call it before the compiled function", "is meant"),
    "a method of a tensor that is passed to a function": (OPERAND.format("callable", "numel"), "Call it before the compiled function", "is meant"),
    "a method of a fake tensor that is not called": (
        "torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function <built-in function mul>(*("
        "FakeTensor(..., size=(3,)), <built-in method numel of FakeTensor object at 0x7f1>), **{}): got TypeError(\"unsupported operand "
        "type(s) for *: 'FakeTensor' and 'builtin_function_or_method'\")\n",
        "(`x.dim()` in place of `x.dim`)", "the compiler is at fault"),
    "a number that the line subscripts": (
        OF_VALUE.format("TypeError: 'int' object is not subscriptable", "return coins + self.till[0] * self.till[1]"),
        "where `self.till` is of type int: most likely eager mode fails there, too", "Bug in Dynamo"),
    "None that the line calls": (
        OF_VALUE.format("'NoneType' object is not callable", "return (self.price(coins), 3)"),
        "`self.price(...)`, and the message is what Python says of it where `self.price` is None", "most likely eager"),
    "an attribute that the line reads": (
        OF_VALUE.format("AttributeError: 'float' object has no attribute 'price'", "return coins.prices + till.price"),
        "`till.price`, and the message", "`coins.price"),
    "an attribute that the line does not read": (
        OF_VALUE.format("AttributeError: 'float' object has no attribute 'price'", "return till.prices"), "Try a newer PyTorch", "Look at what"),
    "one of two values that the line subscripts": (
        OF_VALUE.format("'bool' object is not subscriptable", "return coins[0] + till[0]"), "Try a newer PyTorch", "Look at what"),
    "an object of Dynamo's that lacks an attribute": (
        OF_VALUE.format("AttributeError: 'TillVariable' object has no attribute 'price'", "return till.price"), "Try a newer PyTorch", "Look at what"),
    "an index that is the number of a device": (
        OF_INDEX.format("return self.prices[coins.device.index]"), "most likely `None`", "may be cut off"),
    "an index of another kind": (OF_INDEX.format("return self.prices[coins.till]"), "what stands in the brackets", "`None`"),
    "an index in a line that is cut off": (OF_INDEX.format("return self."), "so the line may be cut off", "brackets"),
    "a break whose stack is cut off": (
        CUT_BELOW.format("    File \"/v/site-packages...\n"), "the line that fails is below the one that is shown", "Rewrite the line"),
    "a break whose stack has a gap": (CUT_BELOW.format("  ...\n" + CALL), "Rewrite the line", "is below the one that is shown"),
    "a break whose stack is whole": (CUT_BELOW.format(""), "Rewrite the line", "is below the one that is shown"),
    "an argument that is a condition on a size": (
        LOWERED.format("AttributeError: 'GreaterThan' object has no attribute 'get_size'", "aten.full.default").replace("\n\nSet", "\n  args[1]: s7 >= 12\n\nSet"),
        "is the condition `s7 >= 12` on a dynamic size", "write it in another way"),
    "an argument that is a condition on a number": (
        LOWERED.format("AttributeError: 'GreaterThan' object has no attribute 'get_size'", "aten.full.default").replace("\n\nSet", "\n  args[1]: till >= 12\n\nSet"),
        "write it in another way", "is the condition"),
    "a value by which the program branches": (
        BRANCHES.format("if fish[i] == 3:"), "Only if one side is true for all inputs, state that before the line: `torch._check(fish[i] == 3)`",
        "neither check is right"),
    "a value by which a call of the program is decided": (
        BRANCHES.format("x = tills(fish[i])"), "Before the line, state which side", "Only if one side"),
    "headers of Python where libraries are in lib64": (NO_HEADERS.format("/usr/lib64/ccache/gcc"), "python3.12-devel", "python3.12-dev)"),
    "headers of Python where they are not": (NO_HEADERS.format("/usr/bin/gcc"), "python3.12-dev)", "python3.12-devel"),
    "a tensor without data, with one on the CPU": (
        MEETS_DEVICE.format("cpu, meta"), "`Cannot copy out of meta tensor`", "Put all tensors on the same device"),
    "a tensor without data, first": (MEETS_DEVICE.format("meta, cuda:0"), "`Cannot copy out of meta tensor`", "Put all tensors on the same device"),
    "tensors of two devices, of a package meta": (
        MEETS_DEVICE.format("cpu, cuda:0").replace("shop.py", "meta/shop.py"), "Put all tensors on the same device", "a shape and no data"),
    "a class that each call defines": (
        AT_LIMIT.format(LOCAL_CLASS.format("<locals>.", "  ", "  ")), "The class `Till` (used in `till = Till()`, shop.py:17) is defined within the function "
        "`sell`", "raise the limit"),
    "a class that each call defines, the type of an argument": (
        AT_LIMIT.format("___check_type_id(L['till'], 7), type=<class 'shop.open.<locals>.Till'>"), "is defined within the function `open`", "raise the limit"),
    "a class that each call defines, in a text with single blanks": (
        AT_LIMIT.format(LOCAL_CLASS.format("<locals>.", " ", " ")), "(used in `till = Till()`, shop.py:17)", "raise the limit"),
    "a class of the module": (
        AT_LIMIT.format(LOCAL_CLASS.format("", "  ", "  ")), "For a few objects, such as the members of an enum", "defined within the function"),
    "a class of a function, once": (
        reasons(0, 1, "    triggered by the following guard failure(s):", "    - 0/0: ___check_type_id(L['till'], 7), type=<class 'shop.open.<locals>.Till'>"),
        "each type is one compile", "is defined within the function"),
    "objects, with a limit that was raised": (
        AT_LIMIT.replace("(8)", "(64)").format("___check_obj_id(L['till'], 7), type=<class 'shop.Till'>"), "the object is replaced again", "raise it again"),
    "a number that the line of the guard adds": (
        AT_LIMIT.format(MADE_OF_TILLS.format("return x + y")), "the line `return x + y` (shop.py:15) only computes with it", "a loop of that length"),
    "a number that the line of the guard adds, in a text with single blanks": (
        AT_LIMIT.format("y == 7 # return x + y # shop/shop.py:15 in sell"), "the line `return x + y` (shop.py:15) only computes with it", "a loop of that length"),
    "a number that the line of the guard takes as an index": (
        AT_LIMIT.format(MADE_OF_TILLS.format("return x + tills[y]")), "a loop of that length, an index", "only computes with it"),
    "a number that the line of the guard hands on": (
        AT_LIMIT.format(MADE_OF_TILLS.format("return x + price(y)")), "a loop of that length, an index", "only computes with it"),
    "a number of another name than the line computes with": (
        AT_LIMIT.format(MADE_OF_TILLS.format("return x + yield_of")), "a loop of that length, an index", "only computes with it"),
    "buffers that were given away, with the whole message, which names the setting": (
        DONATED.format("retain_graph") + "Please keep backward(create_graph=False, retain_graph=False) across all\ncalls, or set "
        "torch._functorch.config.donated_buffer=False to disable donated buffer.\n", "donated_buffer = False", "in this text"),
    "a stack with a gap": (
        UNKNOWN_OWNER.format("sell(fish)", "  ...\n"), "If only the compiled code fails", "No compiled function is on the stack"),
    "a stack whose last call is cut off": (
        UNKNOWN_OWNER.format("sell(fish)", '  File "/srv/till.py", line 31, in...\n'), "If only the compiled code fails", "it is not the compiler's. Change"),
    "a stack without a gap": (
        UNKNOWN_OWNER.format("sell(fish)", ""), "No compiled function is on the stack", "If only the compiled code fails"),
    "a stack without a gap, to which something compiled is passed": (
        UNKNOWN_OWNER.format("sell(compiled_fish)", ""), "If only the compiled code fails", "No compiled function is on the stack"),
    "a check of the program's own, above a gap": (
        UNKNOWN_OWNER.format("sell(fish)", "  ...\n").replace("price(fish)", "assert fish").replace("ValueError", "AssertionError"),
        "If only the compiled code fails", "no code of the compiler raised it"),
    "a method that Dynamo takes for a function": (
        UNKNOWN_OWNER.format("trainer.fit(compiled_net)", "  ...\n").replace("ValueError: no fish", "AssertionError: expected FunctionType found method <bound "
                                                                             "method Till.sell>"), "a bug of Dynamo", "No compiled function"),
    "a test of the program's for functions": (
        UNKNOWN_OWNER.format("sell(fish)", "").replace("ValueError: no fish", "TypeError: expected FunctionType found a fish"),
        "No compiled function is on the stack", "a bug of Dynamo"),
    "a kernel's name that Python changed, below a call that is cut off": (
        MANGLED.format("/tmp/torchinductor_eva/ab/cab.py").replace("net(x)\n", 'net(x)\n  File "/srv/till.py", line 750, i...\n'),
        "Rename what has this name", "Run the function without"),
    "a name that Python changed in the program's own class": (
        MANGLED.format("/srv/runner.py").replace("line 88, in call", "line 88, i...") + "The till uses torch.compile.\n", "Run the function without", "Rename what has this name"),
    "a warning about a line of the program": (
        CACHED_CALL.format(ORIGIN.format("/srv")), "call it before the compiled function", "is not the program's"),
    "a warning about a line of a library": (
        CACHED_CALL.format(ORIGIN.format("/v/site-packages/tillkit")), "but one of the library `tillkit`, tills.py:426", "call it before the compiled"),
    "a warning whose line is not known": (CACHED_CALL.format(""), "call it before the compiled function", "is not the program's"),
    "code of the cache that another process writes, the first line cut off": (
        CACHE_WARNED("W", 71, *UNREAD, GONE_TEMPORARY.format(71)), "leave the files as they are", "rm -rf"),
    "code of the cache that another process writes": (
        CACHE_WARNED("W", 71, "fx graph cache unable to load compiled graph", *UNREAD, GONE_TEMPORARY.format(71)), "leave the files as they are",
        "Remove the cache"),
    "code of the cache that is damaged": (
        CACHE_WARNED("W", 71, *UNREAD, "EOFError: Ran out of input"), "a new one", "rm -rf"),
    "a warning that lost its first line": (
        CACHE_WARNED("W", 71, *UNREAD, "TypeError: no price for the till").replace("codecache.py:", "graph.py:"), "has caught the exception",
        "Inductor failed"),
    "a temporary file of the cache that ends the program": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/site-packages/torch/_inductor/codecache.py", line 12, in write_atomic\n    tmp_path.rename(path)\n' + GONE_TEMPORARY.format(71) + "\n",
        "nothing is damaged", "rm -rf"),
    "a file of the cache that ends the program": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/site-packages/torch/_inductor/codecache.py", line 12, in read\n    open(path)\n'
        "FileNotFoundError: [Errno 2] No such file or directory: '/srv/torchinductor_me/bb/cbb.py'\n", "rm -rf /srv/torchinductor_me", "nothing is damaged"),
    "a limit whose lines stand below their prefixes": (
        LIMIT_APART.format("tensor 'x' size mismatch at index 0. expected 4, actual 9"), "Only the last reason is known here", "not said here"),
    "a limit by sizes of parameters": (LIMIT_APART.format(PARAMETER_SIZE), "their parameters differ in size", "the object is replaced"),
    "a limit by another object": (
        LIMIT_APART.format("___check_obj_id(self._modules['till'], 7)"), "Several modules share this code", "parameters differ in size"),
    "lines of the program below a prefix that stands alone": (
        LIMIT_APART.format("tensor 'x' size mismatch at index 0. expected 4, actual 9").replace("function: 'sell'", "step: 'sell'"),
        "Only the last reason is known here", "`sell`"),
    "a table behind a logger's prefix, some lines left out": (
        "".join((*TIMES_OF_WORKER[:2], "...\n", *TIMES_OF_WORKER[2:])), "nothing is timed and the library's kernel", "does not show"),
    "a table behind a logger's prefix, with a sentence of the writer's": (
        "".join((*TIMES_OF_WORKER, "And the other till:\n", *TIMES_OF_WORKER)), "nothing is timed and the library's kernel", "does not show"),
    "times before few lines are no prefix of the text": (
        FAILED + "".join(TIMES_OF_WORKER[:1]) + "my till\nyour till\n" + "".join(TIMES_OF_WORKER[3:]),
        "Inductor failed, not the model", "nothing is timed"),
    "a context manager behind a graph break": (
        RESUMED_AT.format("", RESUMED_SELL, *NO_CONTEXT), "the context manager, in the `with` itself", "the compiler is at fault"),
    "a call behind a graph break": (RESUMED_AT.format("", RESUMED_SELL, *NO_CALL), "avoid the break at line 11", "context manager"),
    "a call behind a graph break, and eager works": (
        RESUMED_AT.format("It works without torch.compile.\n\n", RESUMED_SELL, *NO_CALL), "bug in the compiler is likely", "not the compiler's"),
    "a call without a graph break": (RESUMED_AT.format("", "sell", *NO_CALL), "the same error there", "the break at line"),
    "a CUDA that is too new for Triton, on Windows": (
        OTHER_CUDA.format("torch 2.6.0+cu128 on Windows, C:/tills\n", ", but got CUDA version: 12.8"), "12.6 or older in `TRITON_PTXAS_PATH`", "triton-windows<3.3"),
    "a CUDA of the next version, and its remedy": (OTHER_CUDA.format("", ", but got CUDA version: 13.0"), "Triton 3.5 or later", "3.3"),
    "a CUDA of the last century": (OTHER_CUDA.format("", ", but got CUDA version: 9.2"), "See the version of the toolkit", "is not too old"),
    "strides of an operator of PyTorch's": (STRIDES_OF_ATEN.format("", "net(x)", "", "mul"), "Most likely a bug in PyTorch", "sdpa_kernel"),
    "strides of attention of PyTorch's": (
        STRIDES_OF_ATEN.format("", "net(x)", "", "_scaled_dot_product_flash_attention"), "sdpa_kernel(...):` around the call", "cudnn"),
    "strides of attention of cuDNN's": (
        STRIDES_OF_ATEN.format("", "net(x)", "", "_scaled_dot_product_cudnn_attention"), "`enable_cudnn_sdp(False)`", "with the backends that remain"),
    "strides of an operator of a nightly build": (
        STRIDES_OF_ATEN.format("Torch version: 2.13.0.dev20260518+cu130\n", "net(x)", "", "mul"), "if today's nightly fails, too", "newer version"),
    "strides of an operator of a release": (
        STRIDES_OF_ATEN.format("Torch version: 2.13.0+cu130\n", "net(x)", "", "mul"), "Try a newer version", "nightly"),
    "a logger of a library, which a setting of the program leaves out": (
        LOGGED_BY.format("/v/lib/python3.10/site-packages/tills/utils.py"), "made in your own program, before the first call", "whoever can change that line"),
    "a logger of the program": (LOGGED_BY.format("/srv/shop.py"), "let Dynamo skip these calls", "no line of the library"),
    "a function in C that a library calls": (
        "reason='Graph break due to unsupported builtin till_ext.PyCapsule.put. This function is either a Python builtin (e.g. _warnings.warn) or a "
        "third-party C/C++ Python extension (perhaps created with pybind).', user_stack=[<FrameSummary file /v/lib/python3.10/site-packages/tills/utils.py, "
        "line 21 in sell>]\n", "whoever can change that line", "made in your own program"),
    "a function of a package in C, of which nobody knows what it writes to": (
        NOT_TRACED.format("till_ext.PyCapsule.put"), "if one lacks, results are wrong", "mutates_args=()"),
    "attention with a cache of flash-attn": (
        NOT_TRACED.format("flash_attn_2_cuda.PyCapsule.fwd_kvcache"), "writes to the caches", "mylib::"),
    "attention without a cache of flash-attn": (
        NOT_TRACED.format("flash_attn_2_cuda.PyCapsule.varlen_fwd"), "Use flash-attn 2.7 or later", "kvcache"),
    "a function in C whose name contains the name of flash-attn": (
        NOT_TRACED.format("my_flash_attn_2_cuda.PyCapsule.fwd"), 'mutates_args="unknown"', "Use flash-attn"),
    "a libc++ that is asked for by rpath": (
        LIBRARY_OF_CACHE.format("dlopen(/private/tmp/q/cq.main.so, 0x0006): Library not loaded: @rpath/libc++.1.dylib\n  Referenced from: <AB> "
                                "/private/tmp/q/cq.main.so\n  Reason: tried: '/opt/tills/lib/libc++.1.dylib' (no such file)"),
        "Nothing has to be installed", "`LD_LIBRARY_PATH`"),
    "a libc++ that is asked for by rpath, in the quotes of older systems": (
        LIBRARY_OF_CACHE.format("dlopen(/private/tmp/q/cq.main.so, 0x0006): Library not loaded: '@rpath/libc++.1.dylib'"),
        "`CXX=/usr/bin/clang++`", "install what has it"),
    "a library that dyld does not find": (
        LIBRARY_OF_CACHE.format("dlopen(/private/tmp/q/cq.main.so, 0x0006): Library not loaded: @rpath/libtill.dylib\n  Referenced from: <AB> "
                                "/private/tmp/q/cq.main.so\n  Reason: tried: '/opt/tills/lib/libtill.dylib' (no such file)"),
        "`DYLD_LIBRARY_PATH=DIRECTORY python ...`", "`LD_LIBRARY_PATH`"),
    "a libc++ that Linux does not find": (
        LIBRARY_OF_CACHE.format("libc++.so.1: cannot open shared object file: No such file or directory"), "`LD_LIBRARY_PATH`", "DYLD"),
    "an item of a dictionary in a stack without its header": (
        '  File "/v/site-packages/torch/_inductor/graph.py", line 210, in run_node\n    tills = {\n        ValueError: 3,\n    }\n'
        '  File "/v/site-packages/torch/_inductor/graph.py", line 220, in run\n    sell()\nLoweringException: no quokka\n', "Inductor failed, not the model", "does not show"),
    "the exception of another rank below a stack that ends": (
        '[rank0]:   File "/v/site-packages/torch/_inductor/graph.py", line 210, in run_node\n[rank0]:     raise sorry\n[rank1]: RuntimeError: no quokka\n',
        "does not show", "The compiler itself failed"),
    "a result that is only just beyond the limit": (
        "E0626 18:18:36.100000 9 torch/_dynamo/utils.py:1478] RMSE (res-fp64): 0.00227, (ref-fp64): 0.00064 and shape=torch.Size([]). res.dtype: torch.float32, "
        "multiplier: 3.000000, tol: 0.001000\n", "only just beyond the limit: most likely", "If it is far beyond"),
    "a result that is far beyond the limit": (
        "E0626 18:18:36.100000 9 torch/_dynamo/utils.py:1478] RMSE (res-fp64): 0.09227, (ref-fp64): 0.00064 and shape=torch.Size([]). res.dtype: torch.float32, "
        "multiplier: 3.000000, tol: 0.001000\n", "find the stage", "most likely it is another order of rounding"),
    "parameters that DDP does not see used": (
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in <module>\n    sell(x)\n"
        "RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one. This error indicates"
        " that your module has parameters that were not used in producing loss. You can enable unused parameter detection by pass"
        "ing the keyword argument `find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`, and by \\nmaking sure all `forward` function outputs participate in calculating loss. \\nParameter indices which did not receive grad for rank 0: 7 9\\n",
        "The parameters of these numbers", "Lightning"),
    "parameters that DDP does not see used, in Lightning": (
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in <module>\n    sell(x)\n  File \"/v/site-packages/pytorch_lightning/loops/fit_loop.py\", line 217, in run\n    self.advance()\n"
        "RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one. This error indicates"
        " that your module has parameters that were not used in producing loss. You can enable unused parameter detection by pass"
        "ing the keyword argument `find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`, and by \\nmaking sure all `forward` function outputs participate in calculating loss. \\nParameter indices which did not receive grad for rank 0: 7 9\\n",
        "ddp_find_unused_parameters_true", "to DistributedDataParallel"),
    "parameters that DDP does not see used, in accelerate": (
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in <module>\n    sell(x)\n  File \"/v/site-packages/accelerate/utils/operations.py\", line 217, in run\n    self.advance()\n"
        "RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one. This error indicates"
        " that your module has parameters that were not used in producing loss. You can enable unused parameter detection by pass"
        "ing the keyword argument `find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`, and by \\nmaking sure all `forward` function outputs participate in calculating loss. \\nParameter indices which did not receive grad for rank 0: 7 9\\n",
        "DistributedDataParallelKwargs", "Lightning"),
    "parameters that DDP does not see used, by a Trainer of transformers": (
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in <module>\n    sell(x)\n  File \"/v/site-packages/transformers/trainer.py\", line 217, in run\n    self.advance()\n"
        "RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one. This error indicates"
        " that your module has parameters that were not used in producing loss. You can enable unused parameter detection by pass"
        "ing the keyword argument `find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`, and by \\nmaking sure all `forward` function outputs participate in calculating loss. \\nParameter indices which did not receive grad for rank 0: 7 9\\n",
        "TrainingArguments(ddp_find_unused_parameters=True)", "to DistributedDataParallel"),
    "the larger one of two unknown sizes": (
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression u1 > u0 (unhinted: u1 > u0).  "
        "(Size-like symbols: u0, u1)\n\nfrom user code:\n   File \"/srv/shop.py\", line 12, in forward\n    return max(x.shape[0], y.shape[0])\n", "then `sym_max(x.shape[0], y.shape[0])` instead of `max(", "state which side is true"),
    "the smaller one of two unknown sizes, within a call": (
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression u1 < u0 (unhinted: u1 < u0).  "
        "(Size-like symbols: u0, u1)\n\nfrom user code:\n   File \"/srv/shop.py\", line 12, in forward\n    tills = x.new_zeros(min(x.size(0), y.size(0)), 4)\n", "then `sym_min(x.size(0), y.size(0))` instead of `min(", "state which side is true"),
    "the larger one of two unknown sizes, written out": (
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression u0 > u1 (unhinted: u0 > u1).  "
        "(Size-like symbols: u0, u1)\n\nfrom user code:\n   File \"/srv/shop.py\", line 12, in forward\n    n = a if a > b else b\n", "then `sym_max(a, b)` instead of `a if a > b else b`", "state which side is true"),
    "the larger one of two tensors of unknown size": (
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression u1 > u0 (unhinted: u1 > u0).  "
        "(Size-like symbols: u0, u1)\n\nfrom user code:\n   File \"/srv/shop.py\", line 12, in forward\n    return torch.max(x, y) if x.shape[0] > y.shape[0] else x\n", "state which side is true", "sym_max"),
    "a branch on two unknown sizes": (
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression u1 > u0 (unhinted: u1 > u0).  "
        "(Size-like symbols: u0, u1)\n\nfrom user code:\n   File \"/srv/shop.py\", line 12, in forward\n    n = a if a > b else c\n", "state which side is true", "sym_m"),
    "the larger one of three unknown sizes": (
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression u1 > u0 (unhinted: u1 > u0).  "
        "(Size-like symbols: u0, u1)\n\nfrom user code:\n   File \"/srv/shop.py\", line 12, in forward\n    n = max(a, b, 4)\n", "then `sym_max(sym_max(a, b), 4)` instead of", "state which side"),
    "a limit of the process that is far below the GPU's memory": (
        "FAILED [0.0005s] test/test_shop.py::TestShop::test_till - torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 MiB. GPU 0 has a total "
        "capacity of 255.98 GiB of which 244.65 GiB is free. 1.05 GiB allowed; Of the allocated memory 1017.01 MiB is allocated by PyTorch, and 54.99 MiB is "
        "reserved by PyTorch but unallocated.\n", "Find that call", "smaller batch"),
    "a rendezvous that was closed, below what c10d logged": (
        "[W socket.cpp:426] [c10d] The server socket has failed to bind to [::]:29500 (errno: 98 - Address already in use).\n"
        "[E socket.cpp:462] [c10d] The server socket has failed to listen on any local network address.\nepoch 3\n"
        'Traceback (most recent call last):\n  File "/v/site-packages/torch/distributed/elastic/rendezvous/dynamic_rendezvous.py", line 636, in run\n'
        "    raise RendezvousClosedError()\ntorch.distributed.elastic.rendezvous.api.RendezvousClosedError\n",
        "uses the port", "ask its authors"),
    "a rendezvous that was closed, on a host without IPv6": (
        "[W socket.cpp:464] [c10d] The server socket cannot be initialized on [::]:29500 (errno: 97 - Address family not supported by protocol).\n"
        'Traceback (most recent call last):\n  File "/v/site-packages/torch/distributed/elastic/rendezvous/dynamic_rendezvous.py", line 636, in run\n'
        "    raise RendezvousClosedError()\ntorch.distributed.elastic.rendezvous.api.RendezvousClosedError\n",
        "closed the rendezvous", "uses the port"),
    "an assertion of the program below what c10d logged": (
        "[W socket.cpp:426] [c10d] The server socket has failed to bind to [::]:29500 (errno: 98 - Address already in use).\n"
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    assert till\nAssertionError\n',
        "The program's own check fails", "uses the port"),
    "a port that is in use, of which c10d logged all": (
        "[W socket.cpp:426] [c10d] The server socket has failed to bind to [::]:29500 (errno: 98 - Address already in use).\n"
        "[E socket.cpp:462] [c10d] The server socket has failed to listen on any local network address.\n",
        "uses the port", "Find the rank that is missing"),
    "fp8 products that the operator refuses": (
        "[rank1]: RuntimeError: torch._scaled_mm is only supported on CUDA devices with compute capability >= 9.0 or 8.9, or ROCm MI300+\n",
        "does so in eager mode, too", "leave that part uncompiled"),
    "an operator in generated code that refuses the GPU": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
        '  File "/tmp/torchinductor_me/ab/cab.py", line 47, in call\n    buf3 = torch.ops.shop.till.default(buf0)\n'
        "RuntimeError: till is only supported on CUDA devices with compute capability >= 8.0\n", "does so in eager mode, too", "TORCHDYNAMO_VERBOSE"),
    "an operator in generated code that refuses the sizes": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
        '  File "/tmp/torchinductor_me/ab/cab.py", line 47, in call\n    extern_kernels.baddbmm(buf4, buf5, buf6, out=buf7)\n'
        "RuntimeError: The expanded size of the tensor (1) must match the existing size (2) at non-singleton dimension 1.\n",
        "most likely Inductor is at fault", "ithout `torch.compile` to see"),
    "a line of generated code above its exception, both as comments": (
        "    tills = torch.compile(sell)(x)\n    # extern_kernels.addmm(buf4, buf5, buf6, out=buf7)\n"
        "    # RuntimeError: The expanded size of the tensor (1) must match the existing size (2) at non-singleton dimension 1.\n",
        "most likely Inductor is at fault", "ithout `torch.compile` to see"),
    "sizes that do not fit, in the program's own line": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    torch.compile(sell)(x)\n'
        '  File "/srv/shop.py", line 7, in sell\n    return x.expand(3)\n'
        "RuntimeError: The expanded size of the tensor (3) must match the existing size (2) at non-singleton dimension 0.\n",
        "shop.py", "Inductor is at fault"),
    "strides of an operator, as a script prints them": (
        "'eager': Success, shape torch.Size([4, 64])\n'aot_eager': Success, shape torch.Size([4, 64])\n"
        "'inductor': Failed - expected size 64==64, stride 256==8192 at dim=1\nError in op: torch.ops.aten._fft_r2c.default\n",
        "its operator returns other strides", "Compare with"),
    "strides of an operator of a package, as a script prints them": (
        "'inductor': Failed - expected size 64==64, stride 256==8192 at dim=1\nError in op: torch.ops.shop.till.default\n",
        "correct the fake kernel", "A bug in PyTorch"),
    "an exception of DDP in a sentence": (
        "I start it on two cards, and then it fails with RuntimeError: DDP expects same model across all ranks, but Rank 0 has 38 params, "
        "while rank 1 has inconsistent 37 params.\nDoes anybody know?\n", "the names and shapes of the parameters", "without `torch.compile`"),
    "an exception of FSDP alone": (
        "RuntimeError: FSDP expected a quokka for parameter till\n", "Read the first error of any rank", "out `torch.compile`"),
    "an exception of DDP that Dynamo raises": (
        "torch._dynamo.exc.InternalTorchDynamoError: RuntimeError: DDP has no quokka\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 12, in forward\n    return self.net(x)\n', "Try a newer PyTorch", "Read the first error of any rank"),
    "a message in a text that names no compiler": (
        "the program prints RuntimeError: no quokka of size 3\n", "does not show that anything is compiled", "TORCHDYNAMO_VERBOSE"),
    "a message in a text that names torch.compile": (
        "With torch.compile the program prints RuntimeError: no quokka of size 3\n", "TORCHDYNAMO_VERBOSE", "does not show that anything"),
    "an exception that is indented as far as the prose's block": (
        "With compile I see\n\n        ...ages/torch/_inductor/graph.py\", line 210, in run_node\n            return super().run_node(n)\n"
        "                   ^^^^^^^^^^^^^^^^^^^\n        torch._inductor.exc.LoweringException: AssertionError: bad strides\n\nany idea?\n",
        "Inductor failed, not the model", "does not show"),
    "an exception that kept the indentation that its stack lost": (
        'File "/v/site-packages/torch/_inductor/graph.py", line 210, in run_node\n        raise sorry\n'
        "    torch._inductor.exc.LoweringException: AssertionError: bad strides\n", "Inductor failed, not the model", "does not show"),
    "an exception below words of a person": (
        'Traceback (most recent call last):\n  File "/v/site-packages/torch/_inductor/graph.py", line 210, in run_node\n    raise sorry\n\n'
        "    (cut)\n\n        torch._inductor.exc.LoweringException: bad strides\n", "Inductor failed, not the model", "does not show"),
    "a stack that is followed by another traceback": (
        'Traceback (most recent call last):\n  File "/v/site-packages/torch/_inductor/graph.py", line 210, in run_node\n    raise sorry\n\n'
        'Then I tried another machine\n\nTraceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\nKeyError: 7\n',
        "Change what line 12", "Inductor failed, not the model"),
    "a wrapper that calls a compiled graph": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
        '  File "/v/site-packages/torch/_functorch/aot_autograd.py", line 1273, in forward\n    return compiled_fn(full_args)\n'
        "AttributeError: 'int' object has no attribute 'device'\n", "the backend that failed", "What fails is AOTAutograd"),
    "a part of AOTAutograd that fails": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
        '  File "/v/site-packages/torch/_functorch/aot_autograd.py", line 573, in create_aot_dispatcher_function\n    return f(full_args)\n'
        "AttributeError: 'int' object has no attribute 'device'\n", "What fails is AOTAutograd", "no such advice"),
    "a folder of the cache that is gone": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
        '  File "/v/site-packages/torch/_inductor/codecache.py", line 412, in write_atomic\n    with tmp_path.open(write_mode) as f:\n'
        "FileNotFoundError: [Errno 2] No such file or directory: '/tmp/till/iu/.28383.139931139675904.tmp'\n",
        "newer ones make the folder first", "may be read, written and run"),
    "collectives that differ, beside a record that is cut": (
        "[rank7]:[E1128 01:45:40.183009389 ProcessGroupNCCL.cpp:607] [Rank 7] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=8, "
        "OpType=BROADCAST, NumelIn=5056, NumelOut=5056, Timeout(ms)=600000) ran for 600026 milliseconds before timing out.\n"
        "[rank3]:[E1128 01:45:40.212150935 ProcessGroupNCCL.cpp:607] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=8, "
        "OpType=ALLREDUCE, NumelIn=216, NumelOut=216, Timeout(ms)=600000) ran for 600013 milliseconds before timing out.\n[rank9]:[E1128\n",
        "Every rank must call the same collectives", "Find the rank that is missing"),
    "a store without libuv": (
        'Traceback (most recent call last):\n  File "C:\\conda\\Scripts\\torchrun.exe\\__main__.py", line 7, in <module>\n'
        '  File "C:\\conda\\Lib\\site-packages\\torch\\distributed\\elastic\\rendezvous\\static_tcp_rendezvous.py", line 67, in next_rendezvous\n'
        "    self._store = TCPStore(\n"
        "torch.distributed.DistStoreError: use_libuv was requested but PyTorch was built without libuv support, run with USE_LIBUV=0 to disable it.\n",
        "`set USE_LIBUV=0`", "Find the rank that is missing"),
    "a store that nobody reaches": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    dist.init_process_group("nccl")\n'
        '  File "/v/site-packages/torch/distributed/rendezvous.py", line 189, in _create_c10d_store\n    return TCPStore(\n'
        "torch.distributed.DistNetworkError: Failed to recv, got 0 bytes. Connection was likely closed.\n", "no collective has failed",
        "Find the rank that is missing"),
    "a connection of Gloo that broke": (
        '[rank1]: Traceback (most recent call last):\n[rank1]:   File "/srv/shop.py", line 12, in <module>\n[rank1]:     dist.all_reduce(x)\n'
        '[rank1]:   File "/v/site-packages/torch/distributed/distributed_c10d.py", line 2501, in all_reduce\n[rank1]:     work.wait()\n'
        "[rank1]: RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer [127.0.0.1]:21234\n",
        "The connection to another process broke", "TORCH_NCCL_DUMP_ON_TIMEOUT"),
    "a setting that the message asks for": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    y = torch.compile(f)(x)\n'
        '  File "/srv/shop.py", line 7, in f\n    till.sell(x)\n'
        "RuntimeError: the till needs contiguous stock, please set TILL_CONTIGUOUS=1 before the start\n",
        "what to try first: `TILL_CONTIGUOUS=1`", "TORCHDYNAMO_VERBOSE"),
    "a setting that the message rejects": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    y = torch.compile(f)(x)\n'
        '  File "/srv/shop.py", line 7, in f\n    till.sell(x)\n'
        "RuntimeError: you cannot use TILL_FAST=1 with float16. For details run with TILL_DEBUG=1\n",
        "as the message says", "TILL_"),
    "a message that is wrapped where its first line is short": (
        "RuntimeError: shop::sell_of_the_till_by_the_list_of_all_prices: for argument\n"
        "'prices': the operator's schema\n"
        "shop::sell_of_the_till_by_the_list_of_all_prices(Tensor stock, Tensor? prices=None,\n"
        "int kind=1) -> Tensor specified that the operator does not mutate the argument, but\n"
        "this seems to be empirically wrong. Please make the schema and operator behavior\n"
        "consistent.\n",
        "Most likely a false alarm of PyTorch", "the compiler is at fault"),
    "lines of a program below an exception": (
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised: RuntimeError: quokka not found in the till\n"
        "the operator's schema was read\nthe till does not mutate the argument, but this seems to be empirically wrong\nagain: the engine opens\n",
        "It is the backend that failed", "false alarm"),
    "no CUDA on a computer of Apple, as the program says": (
        "torch.set_default_device('mps')\ntill = torch.compile(Till())\ntill(torch.rand(3, 4))\n\n"
        "BackendCompilerFailed: debug_wrapper raised AssertionError: Torch not compiled with CUDA enabled\n", "A Mac has no CUDA", "index-url"),
    "no CUDA, in a program that takes what is there": (
        "device = 'mps' if torch.backends.mps.is_available() else 'cpu'\ntill = torch.compile(Till().to(device))\n\n"
        "AssertionError: Torch not compiled with CUDA enabled\n", "Install a build with CUDA", "A Mac has no CUDA"),
    "no CUDA, for a GPU of AMD": (
        "It fails on a Radeon 7900 under Ubuntu.\nAssertionError: Torch not compiled with CUDA enabled\n", "builds with ROCm", "index-url"),
    "no CUDA, for a GPU of Intel": (
        "till = torch.compile(Till().to('xpu'))\nAssertionError: Torch not compiled with CUDA enabled\n", "another device than one of CUDA",
        "index-url"),
    "ranks that have dumped what they called": (
        "[rank0]:[E804 23:05:54.816499929 ProcessGroupNCCL.cpp:1849] [PG ID 0 PG GUID 0(default_pg) Rank 0] Observed flight recorder dump signal from "
        "another rank via TCPStore.\n"
        "[rank3]:[E804 23:05:54.516665906 ProcessGroupNCCL.cpp:689] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=14, "
        "OpType=ALLREDUCE, NumelIn=9, NumelOut=9, Timeout(ms)=600000) ran for 600093 milliseconds before timing out.\n",
        "collect these dumps of all ranks", "These words are not known here"),
    "a rank that has dumped what it called, for another": (
        "[rank0]:[E804 23:05:54.816499929 ProcessGroupNCCL.cpp:1849] [PG ID 0 PG GUID 0(default_pg) Rank 0] Observed flight recorder dump signal from "
        "another rank via TCPStore.\n", "collect these dumps of all ranks", "These words are not known here"),
    "a watchdog that is stuck beside a time-out": (
        "[rank2]:[E1126 05:06:30.929096625 ProcessGroupNCCL.cpp:632] [Rank 2] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=8, "
        "OpType=ALLREDUCE, NumelIn=9, NumelOut=9, Timeout(ms)=1800000) ran for 1800065 milliseconds before timing out.\n"
        "[rank7]:[E1126 05:14:36.393067540 ProcessGroupNCCL.cpp:1743] [PG ID 0 PG GUID 0(default_pg) Rank 7] ProcessGroupNCCL's watchdog got stuck "
        "for 480 seconds without making progress in monitoring enqueued collectives.\n", "the rank that the other one waits for", "No collective timed out"),
    "a watchdog that is stuck": (
        "[rank7]:[E1126 05:14:36.393067540 ProcessGroupNCCL.cpp:1743] [PG ID 0 PG GUID 0(default_pg) Rank 7] ProcessGroupNCCL's watchdog got stuck "
        "for 480 seconds without making progress in monitoring enqueued collectives.\n", "No collective timed out", "the other one waits for"),
    "memory that processes share": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
        '  File "/v/site-packages/torch/storage.py", line 374, in _share_fd_cpu_\n    return super()._share_fd_cpu_(*args, **kwargs)\n'
        "RuntimeError: unable to write to file </torch_8289_606636967_0>: No space left on device (28)\n", "--shm-size", "look at the code in which"),
    "a file that has more than tensors": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    till = torch.load("till.pt")\n'
        '  File "/v/site-packages/torch/serialization.py", line 1529, in load\n    raise pickle.UnpicklingError(_get_wo_message(str(e))) from None\n'
        "_pickle.UnpicklingError: Weights only load failed. This file can still be loaded, to do so you have two options.\n"
        "WeightsUnpickler error: Unsupported global: GLOBAL shop.Till was not an allowed global by default.\n", "add_safe_globals", "look at the code in which"),
    "a break without its reason": (
        'V1120 14:53:14.136000 9 torch/_dynamo/symbolic_convert.py:530] [1/0] [__graph_breaks] Graph break: from user code at:\n'
        'V1120 14:53:14.136000 9 torch/_dynamo/symbolic_convert.py:530] [1/0] [__graph_breaks]   File "/srv/shop.py", line 12, in sell\n'
        'V1120 14:53:14.136000 9 torch/_dynamo/symbolic_convert.py:530] [1/0] [__graph_breaks]     y = till.price(x)\n',
        "The text lacks PyTorch's reason", "Dynamo does not support this"),
    "a break without its reason, which the line shows": (
        'V1120 14:53:14.136000 9 torch/_dynamo/symbolic_convert.py:530] [1/0] [__graph_breaks] Graph break: from user code at:\n'
        'V1120 14:53:14.136000 9 torch/_dynamo/symbolic_convert.py:530] [1/0] [__graph_breaks]   File "/srv/shop.py", line 12, in sell\n'
        'V1120 14:53:14.136000 9 torch/_dynamo/symbolic_convert.py:530] [1/0] [__graph_breaks]     torch._dynamo.graph_break()\n',
        "The code requests this break", "lacks PyTorch's reason"),
    "a break of 2.0, in one line": (
        "till [2023-03-31 05:57:41,605] torch._dynamo.symbolic_convert: [WARNING] Graph break: non-function or method super: <slot wrapper "
        "'__setitem__' of 'collections.OrderedDict' objects> from user code at   File \"/srv/shop.py\", line 12, in sell\n"
        "    super().__setitem__(key, value)\n\npass\n", "Dynamo does not support this", "from user code"),
    "an exception of a package that the compiler runs": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
        '  File "/v/site-packages/torch/_dynamo/output_graph.py", line 1071, in compile_and_call_fx_graph\n    log(gm)\n'
        '  File "/v/site-packages/tills/patch.py", line 34, in patched\n    fn.__code__ = scope[fn.__name__].__code__\n'
        "torch._dynamo.exc.InternalTorchDynamoError: _lazy_forward\n", "the package `tills`", "report it to PyTorch"),
    "how long autotuning took, in 2.0": (
        "AUTOTUNE mm(512x768, 768x768)\n  mm 0.0141 ms 100.0%\n  triton_mm_8 0.0141 ms 99.5%\nSubProcess AUTOTUNE takes 4.7125 seconds\n",
        "how long it took to compile and time", "prints what makes compiled"),
    "memory that is refused though it is free": (FULL.format("", "24.00 MiB", "2.31 GiB", ""), "the driver refused", "expandable_segments"),
    "... which no smaller batch mends": (FULL.format("", "24.00 MiB", "2.31 GiB", ""), "page file", "smaller batch"),
    "... on Linux": (FULL.format("$ cd /home/till", "24.00 MiB", "2.31 GiB", ""), "the driver refused", "page file"),
    "memory beyond what the process may have": (
        FULL.format("", "24.00 MiB", "2.31 GiB", "4.30 GiB allowed; "), "set_per_process_memory_fraction", "page file"),
    "memory in pieces": (FULL.format("", "24.00 MiB", "1.31 MiB", ""), "expandable_segments", "the driver refused"),
    "memory in pieces, of a segment that is larger": (FULL.format("", "512.00 KiB", "12.31 MiB", ""), "expandable_segments", "the driver refused"),
    "more memory than there is": (FULL.format("", "24.00 GiB", "2.31 GiB", ""), "smaller batch", "expandable_segments"),
    "... where nothing is compiled": (FULL.format("", "24.00 GiB", "2.31 GiB", ""), "smaller batch", "memory_planning"),
    "... where something is": (FULL.format("till = torch.compile(till)", "24.00 GiB", "2.31 GiB", ""), "memory_planning", "the driver refused"),
    "a version that a message names as history": (
        "In PyTorch 2.7, we changed the default value of the till.\n" + FLEX.format("x", "float16", 128), "a bug in PyTorch 2.6", "BLOCK_SIZE"),
    "... as the end of something": (
        "This till is deprecated as of PyTorch 2.7, and will be removed in PyTorch 2.9.\n" + FLEX.format("x", "float16", 128), "a bug in PyTorch 2.6",
        "BLOCK_SIZE"),
    "... as a beginning": (
        "From PyTorch 2.7.0 onwards, the till is preferred.\n" + FLEX.format("x", "float16", 128), "a bug in PyTorch 2.6", "BLOCK_SIZE"),
    "a version in which it fails": (
        "In PyTorch 2.7, the till fails.\n" + FLEX.format("x", "float16", 128), "BLOCK_SIZE", "a bug in PyTorch 2.6"),
    "inference mode while AOTAutograd traces": (TRACED.format("x"), "Most likely this is PyTorch 2.0", ".clone()"),
    "... of 2.0": (TRACED.format("torch: 2.0.1"), "Most likely this is PyTorch 2.0", ".clone()"),
    "... of a newer one": (TRACED.format("torch: 2.4.0"), "torch.no_grad()", "PyTorch 2.0"),
    "a kernel's name that the driver of Intel does not find": (
        ZE.format("C:\\till\\triton\\backends\\intel\\driver.py", "0x78000011"), "go back to the one before", "libigc"),
    "another code of Level Zero, on Windows": (
        ZE.format("C:\\till\\triton\\backends\\intel\\driver.py", "0x70000004"), "Install the driver and its compiler", "INVALID_KERNEL_NAME"),
    "... on Linux, of Level Zero": (
        ZE.format("/home/till/triton/backends/intel/driver.py", "0x70000004"), "The packages on Linux are libigc", "INVALID_KERNEL_NAME"),
    "... which names no package of Linux on Windows": (
        ZE.format("C:\\till\\triton\\backends\\intel\\driver.py", "0x70000004"), "in the versions that", "libigc"),
    "a GPU that is newer than the build": (NO_CODE.format("sm_120", "sm_50 sm_80 sm_90"), "sm_50 to sm_90, and the GPU is newer (sm_120)", "AOTInductor"),
    "a GPU that is older than the build": (NO_CODE.format("sm_61", "sm_75 sm_80 sm_120"), "older (sm_61)", "2.7 or later"),
    "a GPU between those of the build": (NO_CODE.format("sm_72", "sm_50 sm_80 sm_90"), "and none for the GPU (sm_72)", "cu128"),
    "a GPU of which nothing but the error is known": (
        "RuntimeError: CUDA error: no kernel image is available for execution on the device\n", "with a newer CUDA", "cu128"),
    "a package of AOTInductor on another GPU": (
        "torch._inductor.aoti_load_package('till.pt2')\nRuntimeError: CUDA error: no kernel image is available for execution on the device\n",
        "A package of AOTInductor must be", "cu128"),
    "a parameter that a line passes on": (MIXED, "`.full_tensor()`", "Call the module through its own"),
    "ranks that log different values": (
        RANKS_DIFFER.format('  File "/v/site-packages/lightning_fabric/utilities/distributed.py", line 220, in _sync_ddp\n    broadcast(x)\n'),
        "sync_dist=True", "graphs that break"),
    "ranks that differ in something else": (RANKS_DIFFER.format(""), "for an exception on one rank", "sync_dist"),
    "ranks that differ, and compile": (RANKS_DIFFER.format("till = torch.compile(till)\n"), "graphs that break at different places", "sync_dist"),
    "a key that a dict lacks": (NO_KEY_OF_TILL.format("variables/dicts.py", "KeyError(arg.value)", "0"), "`d.get(key)`", "TORCHDYNAMO_VERBOSE"),
    "a message that is no key": (NO_KEY_OF_TILL.format("variables/dicts.py", "TypeError('no till')", "no till"), "TORCHDYNAMO_VERBOSE", "`d.get(key)`"),
    "a record of recompiles_verbose without its head": (
        "".join(f"V0819 21:07:52.605000 1396 torch/_dynamo/guards.py:1423] [__recompiles_verbose] {line}\n" for line in (
            "    guard 0 failures:", "    - L['till'] == 0.9499993141552187", "")),
        "A Python float is compiled in as a constant", "A relation between sizes"),
    "flex_attention on the CPU": (
        "torch._inductor.exc.LoweringException: NoValidChoicesError: No choices to select, please consider adding ATEN into x\n  target: flex_attention\n"
        "  args[0]: TensorBox(StorageBox(\n    InputBuffer(name='p', layout=FixedLayout('cpu', torch.float32, size=[1, 2, 8, 8]))\n  ))\n",
        "The tensors are on the CPU", "shared memory"),
    "flex_attention on a CPU without a driver": (
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nLoweringException: RuntimeError: Found no NVIDIA driver on your system.\n"
        "  target: flex_attention\n  args[0]: TensorBox(StorageBox(\n    InputBuffer(name='p', layout=FixedLayout('cpu', torch.float32, size=[1, 2, 8, 8]))\n  ))\n",
        "The tensors are on the CPU", "nvidia-smi"),
    "flex_attention on a GPU without a driver": (
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nLoweringException: RuntimeError: Found no NVIDIA driver on your system.\n"
        "  target: flex_attention\n  args[0]: TensorBox(StorageBox(\n    InputBuffer(name='p', layout=FixedLayout('cuda:0', torch.float32, size=[1, 2, 8, 8]))\n  ))\n",
        "nvidia-smi", "The tensors are on the CPU"),
    "a library of the driver that the linker does not find": (NO_LIBCUDA, "If it prints nothing, search everywhere: `find /", "64-nvidia"),
    "... in Colab": ("I run this cell on Colab:\n" + NO_LIBCUDA, "`!ldconfig /usr/lib64-nvidia`", "--gpus all"),
    "... in a traceback of Colab": (
        "BackendCompilerFailed      Traceback (most recent call last)\n<ipython-input-3-abc> in <cell line: 1>()\n----> 1 sell(x)\n\n"
        "12 frames\n/usr/local/lib/python3.10/dist-packages/torch/utils/_contextlib.py in decorate_context(*args, **kwargs)\n"
        "--> 115             return func(*args, **kwargs)\n\nBackendCompilerFailed: backend='inductor' raised:\n"
        "AssertionError: libcuda.so cannot found!\n", "`!ldconfig /usr/lib64-nvidia`", "--gpus all"),
    "... under WSL": ("$ cd /mnt/c/tills\n" + NO_LIBCUDA, "`sudo ldconfig /usr/lib/wsl/lib`", "64-nvidia"),
    "... in a notebook that is not Colab's": ("<ipython-input-3-abc> in <module>\n" + NO_LIBCUDA, "find / -name", "64-nvidia"),
    "a benchmark without a result of float64": (
        "WARNING:common:fp64 golden ref were not generated for till. Setting accuracy check to cosine\n" + KEY_DIFFERS,
        "compares the directions of the two results", "TORCHDYNAMO_REPRO_LEVEL=4"),
    "a benchmark that says nothing of float64": (KEY_DIFFERS, "Compare with eager against float64", "directions of the two results"),
    "a backward for dynamic shapes, beside a check of sizes that depend on data": (
        "E0819 22:05:31.170000 7 torch/fx/experimental/recording.py:281] [1/4] failed while running defer_runtime_assert(*(Eq(s1 + u0, s1 + u3), "
        "'/v/site-packages/torch/__init__.py:1318'), **{'fx_node': None})\n" + BACKWARD,
        "A check of sizes that depend on data", "mark_static"),
    "a backward for dynamic shapes, beside nothing else": (BACKWARD, "mark_static", "A check of sizes that depend on data"),
    "isinstance with an abstract class": (
        "torch._dynamo.exc.Unsupported: Graph break due to unsupported Python builtin _abc._abc_instancecheck. Please file an issue on GitHub\n",
        "asks whether an object is of a class of `abc`", "pass the result in"),
    "another function of abc": (
        "torch._dynamo.exc.Unsupported: Graph break due to unsupported Python builtin _abc._abc_register. Please file an issue on GitHub\n",
        "pass the result in", "asks whether an object is of a class"),
    "a line of ComfyUI that loads weights": (
        COMFY_LINE.format("comfy\\ops.py", "return self.forward_comfy_cast_weights(*args)"), "without dynamic VRAM", "no such words"),
    "a line of ComfyUI": (COMFY_LINE.format("comfy\\ldm\\till.py", "return sell(x)"), "one of the library `comfy`, till.py:12", "dynamic VRAM"),
    "a line of a program that sells comfort": (
        COMFY_LINE.format("comfy\\shop.py", "return sell(x)"), "Call it before the compiled function", "one of the library"),
    "a type that Metal lacks": (METAL.format("float64"), "Metal, in which kernels for Apple's GPUs are written, has no float64", "newer backends"),
    "another type that Inductor's Metal lacks": (METAL.format("complex64"), "has no such data type for Apple's GPUs", "no version of PyTorch"),
    "what fails beside the types of Metal": (
        METAL.format("float64").replace("KeyError: torch.float64", "AssertionError: till"), "for GPUs of Apple", "has no float64"),
    "a break whose chain is cut off": (
        "torch._dynamo.exc.Unsupported: torch.* op returned non-Tensor\n  Explanation: torch.* ops that return a non-Tensor cannot be traced\n\n"
        "  Developer debug context: example_value type: str; op: call_function; target: <function till at 0x7f45>\n\n\n"
        "The above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n"
        '  File "/usr/lib/python3.12/threading.py", line 1030, in _bootstrap\n    self._bootstrap_inner()\n...\n',
        "The function returns a Python value", "Locks, queues and threads"),
    "a template's kernel that is too large": (
        TOO_LARGE.format("triton_tem_fused_0"), "For flex_attention, take smaller blocks: `kernel_options=", "persistent_reductions"),
    "a persistent reduction that is too large": (
        TOO_LARGE.format("triton_per_fused_till_0"), "persistent_reductions = False", "kernel_options"),
    "a reduction that is too large, beside another kernel's name": (
        TOO_LARGE.format("triton_red_fused_till_0") + "compiled: triton_tem_fused_0, triton_per_fused_1\n", "Try a newer PyTorch", "persistent_reductions"),
    "a kernel without a name that is too large": (TOO_LARGE.format("shared memory,"), "in a kernel of your own", "written from a template"),
    "torchrun finds a process aborted after the watchdog's timeout": (
        WATCHDOG + ENDED_AFTER.format(-6), "Find the rank that is missing", "Read the error of the process itself"),
    "torchrun finds a process aborted, and nothing timed out": (
        ENDED_AFTER.format(-6), "Read the error of the process itself", "Find the rank"),
    "torchrun finds a process aborted, and a collective times out later": (
        ENDED_AFTER.format(-6) + WATCHDOG, "Read the error of the process itself", "no such words"),
    "torchrun finds a process of another rank aborted": (
        WATCHDOG + CHILD.format(-6, "Signal 6 (SIGABRT) received by PID 12"), "Read the error of the process itself", "no such words"),
    "dtypes that differ in a line of a library alone": (
        DTYPES_OF.format('   File "/v/site-packages/tills/till.py", line 12, in sell\n    n = till(x, y)\n'),
        "one of the library `tills`, till.py:12: use newer versions of the library and of PyTorch, or an option of it that avoids this code. Else call it outside",
        "no such words"),
    "dtypes that differ in a line of a library that the program calls": (
        DTYPES_OF.format(CALL + '   File "/v/site-packages/tills/till.py", line 12, in sell\n    n = till(x, y)\n'),
        "one of the library `tills`, till.py:12: use newer versions", "no such words"),
    "dtypes that differ in the program's line": (DTYPES_OF.format(CALL), "have different dtypes. Convert one", "The line is not the program's"),
    "a setting that the message of a break names": (
        HINTED_BREAK.format("Failed to trace builtin operator", "Set `torch._dynamo.config.quokka_tills = True` to\n    trace it."),
        "The message names another way: `torch._dynamo.config.quokka_tills = True`.", "set_stance"),
    "a variable that the message of a break names": (
        HINTED_BREAK.format("Failed to trace builtin operator", "Try TORCHDYNAMO_QUOKKA_TILLS=1."), "The message names another way: `TORCHDYNAMO_QUOKKA_TILLS=1`.", "set_stance"),
    "a stance that the message of a break names": (
        HINTED_BREAK.format("Failed to trace builtin operator", 'To do so, use `torch.compiler.set_stance("force_eager")`.'),
        "runs it without the compiler", "The message names another way"),
    "nothing that the message of a break names": (
        HINTED_BREAK.format("Failed to trace builtin operator", "Do not use tills."), "Dynamo cannot trace this builtin", "The message names"),
    "what hides a break is not named": (
        HINTED_BREAK.format("Failed to trace builtin operator", "Set `torch._dynamo.config.suppress_errors = True`."), "Dynamo cannot trace this builtin", "suppress_errors"),
    "a random operator on a DTensor, in an optimizer's step": (
        ON_SUBCLASS.format("<built-in method rand_like of type object at 0x7f>", "DTensor(local_tensor=FakeTensor(..., size=(4, 4))", " ...").replace(
            "self.net(x)", "opt.step()"), "Keep the optimizer's step out of the compiler", "Run the same line in eager mode"),
    "a random operator on a DTensor": (
        ON_SUBCLASS.format("<built-in method rand_like of type object at 0x7f>", "DTensor(local_tensor=FakeTensor(..., size=(4, 4))", " ..."),
        "draw outside of the compiled function", "optimizer"),
    "an operator on a DTensor": (
        ON_SUBCLASS.format("till_", "DTensor(local_tensor=FakeTensor(..., size=(4, 4))", ")), **{}): got RuntimeError('no quokka')"),
        "`till_` of a tensor subclass, `DTensor`. Take the local part", "draw outside"),
    "an operator on a nested tensor": (
        ON_SUBCLASS.format("till_", "NestedTensor(size=(3, j1, 8), offsets=FakeTensor(..., size=(4,))", ")), **{}): got RuntimeError('no quokka')"),
        "to_padded_tensor(0.0)", "to_local"),
    "an operator on a quantized tensor": (
        ON_SUBCLASS.format("till_", "AffineQuantizedTensor(data=FakeTensor(..., size=(4,))", ")), **{}): got RuntimeError('no quokka')"),
        "(torchao, for a quantized one) has no rule", "to_local"),
    "an operator on plain fake tensors": (
        ON_SUBCLASS.format("till_", "FakeTensor(..., size=(4,)", "), **{}): got RuntimeError('no quokka')"),
        "If only the compiled code fails, the compiler is at fault", "tensor subclass"),
    "an operator on plain fake tensors, which works in eager mode": (
        "It works in eager mode.\n" + ON_SUBCLASS.format("till_", "FakeTensor(..., size=(4,)", "), **{}): got RuntimeError('no quokka')"),
        "It works without `torch.compile`", "If only the compiled code fails"),
    "the allocator of CUDA, in ComfyUI": (
        "!!! Exception during processing !!!\nRuntimeError: cudaMallocAsync does not yet support checkPoolLiveAllocations.\nPrompt executed in 6 seconds\n",
        "In ComfyUI: `--disable-cuda-malloc`. CUDA graphs", "backend:native"),
    "the allocator of CUDA, elsewhere": (
        "RuntimeError: cudaMallocAsync does not yet support checkPoolLiveAllocations.\n", "`PYTORCH_CUDA_ALLOC_CONF=backend:native`", "ComfyUI"),
    "the allocator of CUDA, on Windows": (
        'Traceback (most recent call last):\n  File "C:\\\\shop\\\\shop.py", line 12, in sell\n    net(x)\n'
        "RuntimeError: cudaMallocAsync does not yet support checkPoolLiveAllocations.\n", "`set PYTORCH_CUDA_ALLOC_CONF=backend:native`", "set `set"),
    "vLLM's graph without a hash": (
        VLLM_CACHED.format("failed to get the hash of the compiled graph"), "look for the first error above", "moved or copied"),
    "vLLM's cache, of which a file is missing": (
        VLLM_CACHED.format("[Errno 2] No such file or directory: '/home/me/.cache/vllm/torch_compile_cache/8c4/rank_0_0/till.py'"),
        "moved or copied", "look for the first error above"),
    "a watchdog that makes no progress": (
        STUCK.format("ProcessGroupNCCL's watchdog got stuck for 480 seconds without making progress in monitoring enqueued collectives. If you suspect "
                     "the watchdog is not actually stuck and a longer timeout would help, you can either increase the timeout "
                     "(TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC) to a larger value or disable the heartbeat monitor (TORCH_NCCL_ENABLE_MONITORING=0)."),
        "TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC", "rank that is missing"),
    "a watchdog that finds a timeout": (
        STUCK.format("Watchdog caught collective operation timeout: WorkNCCL(SeqNum=417, OpType=ALLREDUCE, NumelIn=1024, NumelOut=1024, "
                     "Timeout(ms)=600000) ran for 600034 milliseconds before timing out."), "rank", "TORCH_NCCL_ENABLE_MONITORING"),
    "an operator that Inductor cannot lower": (
        LOWERING_OF.format("AssertionError: Unregistered range symbol: yindex"), "Until it is fixed, write it in another way", "when a newer PyTorch fails, too"),
    "a branch in a line of an installed library": (
        LIBRARY_BREAKS.format("/v/site-packages/tills/count.py", "generic_jump TensorVariable()", "if x.sum() > 0:"),
        "The line is not the program's, but one of the library `tills`, count.py:442: use newer versions", "no such words"),
    "a branch in a line of a library that has a checkout": (
        LIBRARY_BREAKS.format("/srv/transformers/src/transformers/models/till/modeling_till.py", "generic_jump TensorVariable()", "if x.sum() > 0:"),
        "one of the library `transformers`, modeling_till.py:442: use newer versions", "no such words"),
    "a branch in a line of a program with such a directory": (
        LIBRARY_BREAKS.format("/srv/transformers/models/till.py", "generic_jump TensorVariable()", "if x.sum() > 0:"),
        "Compute both sides and choose", "The line is not the program's"),
    "a value that is read in a file that a library wrote": (
        LIBRARY_BREAKS.format("/tmp/me_pyg/tmpx31ev0wx.py", "Tensor.item", "n = x.item()"), "most likely one of a file that a library wrote", "can change that line"),
    "a value that is read in a cell": (
        LIBRARY_BREAKS.format("/tmp/ipykernel_21/3109.py", "Tensor.item", "n = x.item()"), "let Dynamo capture it", "The line is not the program's"),
    "an option of the library against the line": (
        EXPLAINS_LIBRARY.format("/v/site-packages/torch_geometric/backend.py", "use_segment_matmul_heuristic"),
        "`torch_geometric.backend.use_segment_matmul = False`", "no such words"),
    "a line of the library without an option": (
        EXPLAINS_LIBRARY.format("/v/site-packages/torch_geometric/backend.py", "count"), "an option of it that avoids this code. Else", "use_segment_matmul"),
    "a branch of the program in explain()": (EXPLAINS_LIBRARY.format("/srv/backend.py", "count"), "Compute both sides and choose", "The line is not the program's"),
    "a float that a library's line asks for": (
        ASKS_OF_TILL.format("Ne(zuf0, 0.0)", "transformers/models/till/modeling_till.py"), "`zuf` stands for a float that is read from a tensor", "_check("),
    "a size that a library's line asks for": (ASKS_OF_TILL.format("Eq(u0, 1)", "diffusers/models/till.py"), "(`diffusers`), where no check can be added", "zuf"),
    "a size that the program's line asks for": (ASKS_OF_TILL.format("Eq(u0, 1)", "shop/models/till.py"), "torch._check(", "where no check can be added"),
    "a collective that fails in a library's line": (
        'Traceback (most recent call last):\n  File "/v/site-packages/tills/run.py", line 12, in run\n    out = self.net(x)\n'
        '  File "/v/site-packages/torch/distributed/distributed_c10d.py", line 2806, in all_reduce\n    work = group.allreduce([tensor], opts)\n'
        "torch.distributed.DistBackendError: NCCL error in: /b/NCCLUtils.hpp:268, unhandled system error (run with NCCL_DEBUG=INFO for details), "
        "NCCL version 2.21.5\n", "`NCCL_DEBUG=INFO`", "may do without"),
    "an assembler that runs and fails": (
        FAILED.replace("AssertionError: no quokka", "CalledProcessError: Command '['/v/site-packages/triton/backends/nvidia/bin/ptxas', '-lineinfo', "
                       "'--gpu-name=sm_100', '/tmp/t.ptx']' returned non-zero exit status 255."), "Triton's ptxas does not know a GPU that is newer", "force-reinstall"),
    "an assembler that is not there": (
        FAILED.replace("AssertionError: no quokka", "FileNotFoundError: [Errno 2] No such file or directory: '/v/site-packages/triton/backends/nvidia/bin/ptxas'"),
        "force-reinstall", "newer than itself"),
    "a process that torchrun says failed, without its table": (
        "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -9) local_rank: 1 (pid: 1168) of binary: /opt/bin/python\n"
        'Traceback (most recent call last):\n  File "/opt/bin/torchrun", line 8, in <module>\n    sys.exit(main())\n'
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n====\n", "ran out of memory: see `dmesg`", "errors.record"),
    "a process that torchrun says failed, alone": (
        "E0314 10:11:12.123000 42 torch/distributed/elastic/multiprocessing/api.py:874] failed (exitcode: 1) local_rank: 0 (pid: 1168) of binary: "
        "/opt/bin/python\n", "torchrun --log-dir DIR --tee 3", "dmesg"),
    "a handle of a network disk in a cache": (
        FAILED.replace("AssertionError: no quokka", "ImportError: /home/me/.triton/cache/X/cuda_utils.so: cannot read file data: Stale file handle"),
        "Give each node a directory on a disk of its own", "rm -rf"),
    "explain counts more breaks than it lists": (EXPLAINED_SHOP.format(""), "`explain` counts 8 graph breaks, and this text has the reasons of only 1", "no such words"),
    "explain lists all breaks that it counts": (
        EXPLAINED_SHOP.format("").replace("Break Count: 8", "Break Count: 1"), "Reading a tensor's value", "`explain` counts"),
    "limits of PyTorch 2.0, which has no marks": (LIMITS_OF_2_0, "these sizes vary: `torch.compile(..., dynamic=True)`", "mark_dynamic"),
    "limits of PyTorch 2.0, without a setting": (LIMITS_OF_2_0, "dynamic=True", "setting below"),
    "limits of PyTorch 2.0, which lacks a setting": (LIMITS_OF_2_0, "dynamic=True", "assume_static_by_default"),
    "a limit with sizes of a version that has marks": (
        LIMITS_OF_2_0 + "PyTorch version: 2.3.1\n", "`mark_dynamic`", "does not have it"),
    "a limit whose exception is named alone": (
        LIMITS_OF_2_0 + "CacheLimitExceeded                        Traceback (most recent call last)\nCell In[21], line 5\n...\n", "dynamic=True", "eagerly"),
    "a table of times of PyTorch 2.0": (
        "TorchDynamo compilation metrics:\nFunction                                   Runtimes (s)\n---------------------------------------  --------------\n"
        "_compile                                       210.431\nOutputGraph.call_user_compiler                 170.225\n"
        "create_aot_dispatcher_function                 169.874\ncompile_fx.<locals>.fw_compiler                 92.347\n"
        "GraphLowering.run                               21.5072\ncompile_fx.<locals>.bw_compiler                 51.8816\n",
        "Code generation grows", "TORCH_TRACE"),
    **{f"what is no setting of {file}": (inside(file, "assert price", "AssertionError: quokka"), "newer PyTorch", setting)
       for file, setting in (("_inductor/scheduler.py", "max_fusion_size"), ("_inductor/memory.py", "changed in place"),
                             ("_inductor/cpp_builder.py", "simdlen"), ("_inductor/fx_passes/bucketing.py", "pattern_matcher"),
                             ("_inductor/constant_folding.py", "pattern_matcher"), ("_dynamo/side_effects.py", "traced last"))},
    "combo kernels on a device that has none": (
        inside("_inductor/scheduler.py", 'raise AssertionError(f"{type(self)=}")',
               "torch._inductor.exc.InductorError: AssertionError: type(self)=<class 'torch._inductor.scheduler.Scheduler'>"),
        "combo_kernels = False", "max_fusion_size"),
    "another assertion of the scheduler": (
        inside("_inductor/scheduler.py", "assert till.is_open", "torch._inductor.exc.InductorError: AssertionError: till of Scheduler"),
        "Inductor's scheduler", "combo_kernels"),
    "an exception at the end of a kernel's record, as repr shows it": (
        each_line(REJECTED_KERNEL + "ValueError(\"type fp8e4nv not supported in this architecture. The supported fp8 dtypes are ('fp8e5',)\")\n",
                  OF_KERNEL), "compute capability 8.9", "not in this text"),
    "an exception at the end of a kernel's record without its traceback": (
        each_line("Triton compilation failed: triton_poi_till_0\nmetadata: {'cc': 80}\n"
                  "ValueError('type fp8e4nv not supported in this architecture')\n", OF_KERNEL), "compute capability 8.9", "not in this text"),
    "an exception of a kernel's record that was cut": (
        each_line(REJECTED_KERNEL + "ValueError('type quokka not supp\n", OF_KERNEL), "The exception in this record", "not in this text"),
    "a kernel's record without an exception": (
        each_line(REJECTED_KERNEL, OF_KERNEL), "not in this text", "The exception in this record"),
    "an exception as repr shows it, at the end of a logger's line": (
        'ERROR 06-19 11:51:41 [core.py:700] EngineCore failed: InductorError("AssertionError: the till is shut")\n', "Inductor failed", "no such words"),
    "an exception with a number as repr shows it": (
        "Triton compilation failed: triton_poi_till_0\nOSError(28, 'No space left on device')\n", "TRITON_CACHE_DIR", "no such words"),
    "code that makes an exception is none": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    raise (\n'
        "    ValueError('type fp8e4nv not supported in this architecture')\n    )\n"
        "torch._dynamo.exc.InternalTorchDynamoError: the till is shut\n", "@torch.compiler.disable", "compute capability 8.9"),
    "a leaf that compiled code makes": (
        NO_GRADIENT.format("x", "torch.randn(2, requires_grad=True)", ""), "pass it in, or make it a parameter", "torch.no_grad"),
    "a leaf that compiled code makes, of the first API": (
        NO_GRADIENT.format("x", "torch.randn(2, requires_grad=True)", "").replace("torch.compile(sell)", 'torch._dynamo.optimize("inductor")(sell)'),
        "pass it in, or make it a parameter", "torch.no_grad"),
    "a leaf that compiled code makes, in a version that keeps it": (
        NO_GRADIENT.format("x", "torch.randn(2, requires_grad=True)", "torch 2.6.0\n"), "frozen parameters", "make it a parameter"),
    "a leaf that is passed in": (
        NO_GRADIENT.format("x=torch.randn(2, requires_grad=True)", "x * 2", ""), "frozen parameters", "make it a parameter"),
    "a loss that has a gradient in eager mode": (
        NO_GRADIENT.format("x", "x * 2", "It works in eager mode.\n"), "compiled code loses that", "frozen parameters"),
    "an operator on lists of complex tensors": (
        ON_LISTS.format("torch._foreach_mul_(tills, 2j)", "complex64"), "Loop over the tensors", "TORCHDYNAMO_REPRO_AFTER"),
    "an operator that is none, without lists": (ON_LISTS.format("tills.mul_(2)", "float32"), "program of this text", "Loop over"),
    "an operator that is none, without its program": (
        ON_LISTS.split("def sell")[0], "TORCHDYNAMO_REPRO_AFTER=aot", "Loop over"),
    "a pass of Intel's Triton": (
        FAILED_PASS.format("intel") + "config.triton.use_block_ptr is True here\n", "run first without it", "report it to Triton with"),
    "whose Triton it is": (FAILED_PASS.format("intel"), "intel-xpu-backend-for-triton", "use_block_ptr"),
    "a pass of Triton itself": (FAILED_PASS.format("nvidia"), "report it to Triton with the kernel", "intel-xpu"),
    "a pass on a kernel of the program": (
        FAILED_PASS.format("nvidia") + "@triton.jit\ndef sell(x):\n    pass\n", "report it to Triton with the kernel", "If Inductor generated"),
    "inputs of a CUDA graph that moved": (MOVED.format("data_ptr == new_inputs[idx].data_ptr()", ""), "flatten_parameters", "as the text says"),
    "inputs of a CUDA graph that moved, known to work without": (
        MOVED.format("data_ptr == new_inputs[idx].data_ptr()", "It works if cudagraphs is disabled.\n"), "as the text says", "max-autotune-no-cudagraphs"),
    "another check of CUDA graphs": (MOVED.format("dst.data_ptr() == src.data_ptr()", ""), "recording or replay", "flatten_parameters"),
    "an allocator that fails while a CUDA graph is recorded": (
        MOVED.split("    assert")[0].format("", "") + "    self.state = torch._C._cuda_getCheckpointState(\nRuntimeError: till INTERNAL ASSERT FAILED at "
        '"/b/c10/cuda/CUDACachingAllocator.cpp":747, please report a bug to PyTorch.\n', "no lack of memory", "self.weight * mask"),
    "a skip of CUDA graphs with compiled autograd": (
        "python shop.py --compiled-autograd\nskipping cudagraphs due to mutated inputs\n", "zero_grad", "mark_static_address"),
    "a skip of CUDA graphs": ("python shop.py\nskipping cudagraphs due to mutated inputs\n", "mark_static_address", "zero_grad"),
    "a static call": (STATIC.format(", dynamic=False"), "in the program's call", "a loop of that length"),
    "a call that is not static": (STATIC.format(""), "a loop of that length", "in the program's call"),
    "a package that prints where workers read": (
        "[2026-01-02 03:04:05,123] [INFO] [real_accelerator.py:203:get_accelerator] Setting ds_accelerator to cuda (auto detect)\n" + PIPE,
        "DeepSpeed", "when they are imported"),
    "packages that print where workers read": (PIPE, "when they are imported", "DeepSpeed"),
    "an operator of a package that only its own code calls": (
        STRIDES_OF.format("/v/site-packages/vllm/run.py", "vllm"), "The operator is vllm's", "no such words"),
    "an operator of a package that the program calls": (
        STRIDES_OF.format("/srv/run.py", "vllm"), "correct the fake kernel", "The operator is vllm's"),
    "gradients that the compiled function switches off": (
        "The till is slower than eager since torch 2.1:\n\n@torch.compile\ndef sell(till, x):\n    with torch.no_grad():\n        return till(x)\n",
        "around the call", "a profile (`torch.profiler`)"),
    "gradients that are switched off around the call": (
        "The till is slower than eager since torch 2.1:\n\n@torch.compile\ndef sell(till, x):\n    return till(x)\n\nwith torch.no_grad():\n    sell(till, x)\n",
        "graph_breaks", "gradients are still on"),
    "a batch norm that was folded": (OLD_WEIGHTS.format("BatchNorm2d", "the same"), "folded the batch norm", "Find the stage"),
    "old weights without a batch norm": (OLD_WEIGHTS.format("GroupNorm", "the same"), "", "folded the batch norm"),
    "old weights after a reset as well": (OLD_WEIGHTS.format("BatchNorm2d", "wrong"), "", "folded the batch norm"),
    "no limit of 16 for classes of wrapped layers": (LIMIT_OF_TYPE.format(OF_WRAPPER), "the number of layers", "cache_size_limit = 16"),
    "objects that are freed, whose code the text lacks": (LIMIT_OF_VALID.format("___guarded_code.valid"), "most likely the module", "report it"),
    "an object that is freed, by name": (
        LIMIT_OF_VALID.format("0/7: Cache line invalidated because L['s'] got deallocated"), "torch._dynamo.reset()", "mark_dynamic"),
    "code that is valid, and a number": (NEW_TILLS + LIMIT_OF_VALID.format("L['n'] == 3"), "", "reset()"),
    "a hook of accelerate that is excluded": (
        EXCLUDED.format("AlignDevicesHook.pre_forward", TILLS_OF_LIBRARY.format("accelerate/hooks")), "remove_hook_from_module", "newer version"),
    "a function that a library excludes, which is no hook": (
        EXCLUDED.format("Till.weigh", TILLS_OF_LIBRARY.format("accelerate/hooks")), "If the function is yours", "remove_hook_from_module"),
    "a function that the program excludes": (EXCLUDED.format("weigh", "/srv/shop.py"), "remove the decorator", "The library"),
    "values that a function of PyTorch compares": (COMPARED.format("y = torch.sell(x, till)"), "custom_op", "torch._check("),
    "values that the program compares": (COMPARED.format("same = torch.equal(x, till)"), "Keep the value a tensor", "torch._check("),
    "a path that is missing, and ROCm elsewhere": (
        "ROCM_PATH is /srv/rocm? ROCM_PATH=/srv/rocm\n" + NO_LLD.format("/opt/rocm/llvm/bin/ld.lld"), "LLD_PATH=/srv/rocm/llvm/bin/ld.lld",
        "LLD_PATH=/opt"),
    "a path that is missing": (NO_LLD.format("/opt/rocm/llvm/bin/ld.lld"), "LLD_PATH=/PATH/OF/ld.lld", "LLD_PATH=/opt"),
    "another path that is missing": (NO_LLD.format("/usr/bin/ld.lld"), "LLD_PATH=/opt/rocm/llvm/bin/ld.lld", "/PATH/OF"),
    "a value that a hook reads, and no branch": (
        HOOKED.format(HOOK.format("mlflow"), "self.log(self.total(flat))", "return flat.sum().item()"), "most likely a hook", "capture_scalar_outputs"),
    "a value that the program reads for its log": (
        HOOKED.format("/srv/wandb/tills.py", "self.log(self.total(flat))", "return flat.sum().item()"), "capture_scalar_outputs", "most likely a hook"),
    "a recompile without a reason": (BANNED.format(""), "PyTorch gives no reason", "dispatch mode"),
    "a recompile with another reason, under a dispatch mode": (IN_MODE + BANNED.format("L['n'] == 3"), "which the message names", "size dynamic"),
    "a recompile for a size": (
        BANNED.format("tensor 'L['x']' size mismatch at index 0. expected 3, actual 4"), "or mark the size dynamic", "see the chain"),
    "results that differ where nothing is drawn": (UNLIKE.format("allclose not within tol=0.001", "sell"), "holds integers", "shuffle"),
    "a mask that differs": (UNLIKE.format("uint8 tensor did not match", "sell"), "A tensor of booleans", "rounding"),
    "a function that is skipped for another reason": (
        "torch.compile changes nothing, and no error.\n\n" + SKIPPING.format("in skipfiles"), "", "dispatch mode"),
    "graphs that are recorded once, and one twice": (RECORDING.format(3, 4, 3, 5), "", "recorded again and again"),
    "an engine that waits, and no end": (WAITED.format(""), "", "let it run"),
    "a limit reached by classes of the program": (LIMIT_OF_TYPE.format("/srv/shop.py:41"), "make it once, outside", "fully_shard"),
    "a break that is only quoted, without fullgraph": (SAYS_DYNAMIC + " torch.compile of torch 2.4.0\n", "Compute both sides", "fullgraph=True"),
    "a break that is only quoted, with fullgraph": (
        SAYS_DYNAMIC + " torch.compile(till, fullgraph=True) of torch 2.4.0\n", "compile without `fullgraph=True`", "np.where"),
    "a branch on an array": (SAID_TO_BREAK.format("", "if np.min(x) >= 0:"), "np.where(condition, a, b)", "torch.cond"),
    "a branch on a tensor": (SAID_TO_BREAK.format("", "if x.min() >= 0:"), "torch.where(condition, a, b)", "np.where"),
    "no delayed print in a branch of cond": (
        IN_BRANCH.format(CALL_OF_PRINT), "if not torch.compiler.is_compiling()", "reorderable_logging_functions"),
    "a delayed print outside of an operator": (PRINT_IN_PLAIN, "print after the graph has run", "is_compiling()"),
    "jagged tensors in flex_attention": (
        JAGGED.format("/v/site-packages/torch/nn/attention/flex_attention.py", "flex_attention"), "create_block_mask", "score_mod"),
    "jagged tensors elsewhere": (JAGGED.format("/srv/shop.py", "sell"), "nested (jagged) tensor", "flex_attention"),
    "a log-sum-exp on the CPU for transformers": (LSE.format(OF_LSE), "attn_implementation=\"sdpa\"", "enable_gqa"),
    "a log-sum-exp on the CPU": (LSE.format(""), "Call it without `return_lse=True`", "attn_implementation"),
    "a wrapper that a library does not know": (
        ADAPTERS.format("Without the compile line the same till trains."), "TrainingArguments(torch_compile=True)", "Run the function without"),
    "a wrapper of which nothing is said": (ADAPTERS.format("My till."), "it is not the compiler's", "TrainingArguments(torch_compile=True)"),
    "an out variant of DTensor": (OUT_VARIANT, "where DTensor calls an operator", "Run the function without"),
    "a node of the backward with DTensors": (
        "We use DTensor with parallelize_module.\n\n" + NODE_OF_BACKWARD, "as one region", "If you wrote the backward"),
    "a node of the backward with DTensors and a custom operator": (
        "We use DTensor, and a torch.library.custom_op.\n\n" + NODE_OF_BACKWARD, "If you wrote the backward", "smallest program on two ranks"),
    "a recomputation by another graph": (
        RECOMPUTED.format("till = torch.compile(till)"), "took another graph than the forward", "Call it with each size before"),
    "a recomputation where sizes vary": (
        RECOMPUTED.format("till = torch.compile(till), each batch has a different size"), "Call it with each size before", "share several sizes"),
    "a recomputation without a compiler": (RECOMPUTED.format(""), "must do the same as the forward", "another graph"),
    "a complex number of Python's": (OF_COMPLEX.format("AttributeError: 'complex' object has no attribute 'till'"), "polar(r, phase)", "view_as_real"),
    "complex numbers": (OF_COMPLEX.format("AssertionError: found type 'complex64'"), "view_as_real", "polar(r, phase)"),
    "a newer Triton on Windows": (NEWER_TRITON.format("Pytorch Version: 2.6.0+cu128.till"), '-U "triton-windows<3.3"', "of PyTorch 2.5"),
    "a newer Triton on Windows of an unknown version": (NEWER_TRITON.format("Till Version: 7.6.0"), "of PyTorch 2.5", "-U \"triton"),
    "no compiler for Triton in nnU-Net": (
        'Traceback (most recent call last):\n  File "/srv/nnUNetTrainer.py", line 12, in <module>\n    torch.compile(net)(x)\n'
        "RuntimeError: Failed to find C compiler. Please specify via CC environment variable.\n", "nnUNet_compile=f", "leave `torch.compile` out"),
    "counts of explain, beside its reasons": (
        EXPLAINED.format(11, "Break Reasons:\n  Break Reason 1:\n    Reason: call_function BuiltinVariable(print)\n    User Stack:\n"
                         "      <FrameSummary file /srv/shop.py, line 5 in sell>", "n = stock.item()"), "print", "Take the reads out"),
    "a setting at its place": (MISPLACED.format("torch._inductor.config.max_autotune"), "TORCH_LOGS", "never reaches the compiler"),
    "a function that is replaced": (MISPLACED.format("torch._dynamo.disable"), "TORCH_LOGS", "never reaches the compiler"),
    "an attribute that is no setting": (MISPLACED.format("torch._dynamo.till_is_open"), "TORCH_LOGS", "never reaches the compiler"),
    "a variable of the program's own": ("TORCHINDUCTOR_TILL_PRICES=1 changes nothing for torch.compile.\n", "", "PyTorch reads"),
    "a variable that is right": ("TORCHINDUCTOR_MAX_AUTOTUNE=1 changes nothing for torch.compile.\n", "", "PyTorch reads"),
    "sizes of a library's option that vary": (WRAPPED_CONFIG.format("TillCompileConfig(backend='inductor', dynamic=None)"), "TORCH_LOGS", "PyTorch's own default is"),
    "code without which it works": (
        OUT_OF_BACKWARD.format("RuntimeError: shape '[139948266552741, 64]' is invalid for input of size 4096", "With `def close` commented out it works."),
        "Leave out `def close`, without which it works in this text", "it is not the compiler's"),
    "code without which it fails as well": (
        OUT_OF_BACKWARD.format("RuntimeError: shape '[139948266552741, 64]' is invalid for input of size 4096", "With `def close` commented out it fails as well."),
        "is no size that a tensor has", "Leave out"),
    "an error out of a backward of which nothing is compiled": (
        OUT_OF_BACKWARD.format("RuntimeError: shape '[8, 64]' is invalid for input of size 4096", "").replace("till = torch.compile(till)", "yes, by gcc"),
        "", "AOTAutograd"),
    "an error of a backward of the program's own": (
        OUT_OF_BACKWARD.format('  File "/srv/till.py", line 4, in backward\n    raise ValueError("closed")\nValueError: closed', ""), "", "AOTAutograd made"),
    "a check of the program's own, of a value": (OWN_CHECK.format("price > 0"), "compare it with eager mode", "bug in the compiler is likely"),
    "a program that is not written": (READ_BACK.format("torch.export.save", "save", "serialize_graph"), "", "reads the exported program back"),
    "a gradient that is no transform's": (
        OWN_GRADIENT.format("The results are wrong: the backward is ignored when compiled.", "till.loss"), "", "own `backward` is left out"),
    "logs that the command asks for": (
        "$ TORCH_LOGS=graph_breaks,output_code python till.py\n\n" + ASSERTED, "CUDA_LAUNCH_BLOCKING", "output_code"),
    "logs that the environment of a container asks for": (
        "ENV TORCH_LOGS=+dynamo,output_code\n\n" + ASSERTED, "CUDA_LAUNCH_BLOCKING", "output_code"),
    "logs that a program asks for": (
        'os.environ["TORCH_LOGS"] = "output_code"\n\n' + ASSERTED, "CUDA_LAUNCH_BLOCKING", "output_code"),
    "logs that a sentence has": ("TORCH_LOGS=output_code shows nothing of the till.\n\n" + ASSERTED, "CUDA_LAUNCH_BLOCKING", "output_code"),
    "logs that a comment has": ("# TORCH_LOGS=output_code\n\n" + ASSERTED, "TORCH_LOGS=output_code", "no such words"),
    "other logs than the advised ones": (
        "$ TORCH_LOGS=graph_breaks python till.py\n\n" + ASSERTED, "TORCH_LOGS=output_code", "no such words"),
    "logs that only a message advises": (
        "Run with TORCH_LOGS=output_code for more information\n\n" + ASSERTED, "TORCH_LOGS=output_code", "no such words"),
    "a cache that was removed, and is off": (
        NO_ARTIFACT.format("$ rm -rf ~/.cache/vllm/torch_compile_cache\n$ TORCHINDUCTOR_FORCE_DISABLE_CACHES=1 vllm serve tills", "2.7.1"),
        "`TORCHINDUCTOR_FORCE_DISABLE_CACHES=1` is set: PyTorch before 2.8", "rm -rf"),
    "a cache of which nothing is said": (
        NO_ARTIFACT.format("$ vllm serve tills", "2.7.1"), "If `TORCHINDUCTOR_FORCE_DISABLE_CACHES=1` is set", "is set: "),
    "a cache of a version that does without it": (
        NO_ARTIFACT.format("$ TORCHINDUCTOR_FORCE_DISABLE_CACHES=1 vllm serve tills", "2.9.1"), "rm -rf", "FORCE_DISABLE_CACHES"),
    "a norm's buffers under DDP": (
        NORM_OF_TILLS.format("model = torch.compile(DDP(model)), torch 2.5.1", "modules/batchnorm.py"), "optimize_ddp = False", "Return a new tensor"),
    "a norm's buffers without DDP": (
        NORM_OF_TILLS.format("model = torch.compile(model), torch 2.5.1", "modules/batchnorm.py"), "without buffers", "optimize_ddp"),
    "a norm's buffers under DDP of a newer version": (
        NORM_OF_TILLS.format("model = torch.compile(DDP(model)), torch 2.13.0", "modules/batchnorm.py"), "without buffers", "optimize_ddp"),
    "an input that code changes under DDP": (
        NORM_OF_TILLS.format("model = torch.compile(DDP(model)), torch 2.5.1", "functional.py"), "Return a new tensor", "optimize_ddp"),
    "a number in the place of a tensor, which changes": (
        NUMBER_FOR_TENSOR.format("lr"), "in the place of the tensor", 'torch.tensor(group["lr"])'),
    "a number in the place of another tensor": (NUMBER_FOR_TENSOR.format("eps"), 'group["lr"]', "no such words"),
    "too little shared memory for flex_attention": (
        NO_ROOM.format("triton_tem_fused_flex_attention_0"), "not the GPU's memory", "persistent_reductions"),
    "a cache that cannot be read, and no smallest program": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    return till(x)\n'
        '  File "/v/site-packages/torch/_inductor/remote_cache.py", line 160, in decode\n    return json.loads(data)\n'
        "torch._inductor.exc.InductorError: JSONDecodeError: Extra data\n", "give each job its own", "REPRO_AFTER"),
    "a tensor on another GPU": (FAR.format("'cuda', index=0"), "set_device(local_rank)", "most likely it is on the CPU"),
    "a tensor on the CPU": (FAR.format("'cpu'"), "most likely it is on the CPU", "set_device(local_rank)"),
    "fullgraph=True, without which the limit is a warning": (
        "If I remove `fullgraph=True` the code runs, but we still get the warning.\n\n" + LIMIT_OF_FORWARD, "TORCH_LOGS=recompiles", "Leave out"),
    "a branch that is below the last line": (
        SAID_TO_BRANCH.format("y[i] = self.sell("), "most likely the stack is cut off here, and the branch is in `self.sell`", "this program's"),
    "a branch in the last line": (SAID_TO_BRANCH.format("return till(x) if x.sum() > 0 else x"), "Compute both sides", "the stack is cut off here"),
    "a line that may be the rest of a condition": (SAID_TO_BRANCH.format("self.sells(x)"), "Compute both sides", "the stack is cut off here"),
    "a branch by a chain of comparisons": (SAID_TO_BRANCH.format("fits = sold(0 < x < 3)"), "Compute both sides", "the stack is cut off here"),
    "the other guards of the only record": (
        OTHER_GUARDS.format(*2 * ["._modules['till']"]), "`self.till` has a different type from the one it was compiled for (16/2, 16/6).", "layer by itself"),
    "the same guard again in the only record": (
        OTHER_GUARDS.format(*2 * ["._modules['till'].layer_idx"]), "`layer.compile()` alone changes nothing", "The record has other reasons"),
    "numbers of layers behind a graph break": (
        LAYERS.format("torch_dynamo_resume_in_sell_at_12"), "Remove that graph break first", "The limit is no graph break"),
    "numbers of layers": (LAYERS.format("sell"), "The limit is no graph break", "Remove that graph break"),
    "too little shared memory for a kernel written by hand": (OWN_KERNEL.format("till_kernel[grid](x, y)"), "written by hand", "persistent_reductions"),
    "too little shared memory for a kernel of a library": (
        OWN_KERNEL.format("(kernels._till if opt_flags.is_persistent else kernels._sell)[(grid,)](").replace("/srv/till.py", "/git/triton/python/triton_kernels/till.py"),
        "Lower what `opt_flags` hold", "Inductor"),
    "too little shared memory for a kernel with flags of another name": (
        OWN_KERNEL.format("kernels.till[(opt_flags.grid,)](x)"), "written by hand", "triton_kernels"),
    "too little shared memory for a kernel in a checkout of Triton": (
        OWN_KERNEL.format("till_kernel[grid](x, y)").replace("/srv/till.py", "/git/triton/python/tills/till.py"), "written by hand", "opt_flags"),
    "NumPy's function of a number, behind a message that is cut off": (
        CALLS.replace("return self.net(x)", "n = int(np.ceil(n))") + "stack trace\n\nI use fullgraph=True.\n", "`math.ceil` stays a number", "no such words"),
    "NumPy's function of a number, behind a message": (
        "torch._dynamo.exc.InternalTorchDynamoError: no quokka\n\n" + CALLS.replace("return self.net(x)", "n = int(np.ceil(n))") + "stack trace\n",
        "newer PyTorch", "math.ceil"),
    "a NumPy array, behind a message that is cut off": (
        CALLS.replace("return self.net(x)", "n = np.ceil(n)") + "stack trace\n\nI use fullgraph=True.\n", "in the lines above these", "math.ceil"),
    "devices that differ in a line of a library": (
        DEVICES_OF.format("cuda:0, cpu", "/v/site-packages/tills/till.py"), "Keep all of the model and its inputs on one device", "no such words"),
    "GPUs that differ in a line of a library": (
        DEVICES_OF.format("cuda:0, cuda:1", "/v/site-packages/tills/till.py"), "Put all tensors on the same device", "on the CPU"),
    "devices that differ in the program's line": (
        DEVICES_OF.format("cuda:0, cpu", "/srv/shop.py"), "Put all tensors on the same device", "Keep all of the model"),
    "too little shared memory for a kernel that runs": (
        OWN_KERNEL.format("self.tills[0](x).run(x)"), "written by hand", "persistent_reductions"),
    "too little shared memory for another kernel": (NO_ROOM.format("triton_till_0"), "in a kernel of your own", "not the GPU's memory"),
    "groups of a convolution that are a dynamic size": (DYNAMIC_GROUPS.format("s0"), "`groups` of the convolution", "in another way"),
    "groups of a convolution that are a number": (DYNAMIC_GROUPS.format("4"), "in another way", "mark_static"),
    "an argument that may be None, and is said to change": (SCHEMA.format("w"), "false alarm of PyTorch", "It is the operator, not"),
    "an argument that is said to change": (SCHEMA.format("x"), "It is the operator, not", "false alarm"),
    "gradients that accumulate, and CUDA graphs": (
        OVERWRITTEN_GRADIENT.format("It is fine with accumulation_steps=1."), "p.grad = zeros_like(p)", "Copy what is kept"),
    "a backward that reads what a later run has overwritten": (OVERWRITTEN_GRADIENT.format("It is slow."), "Copy what is kept", "p.grad"),
    "what the limit means, where channels reach it": (
        LAST_CHANNELS.format("unet/tills", 1, 640, 960), "nothing more is compiled for what it calls", "this function alone"),
    "a limit that channels reach": (LAST_CHANNELS.format("unet/tills", 1, 640, 960), "recompile_limit = 64", "dynamic=True"),
    "a limit that batches reach": (LAST_CHANNELS.format("unet/tills", 0, 640, 960), "sizes alone seldom", "in place of"),
    "a limit that lengths reach": (LAST_CHANNELS.format("unet/tills", 1, 641, 642), "sizes alone seldom", "in place of"),
    "a limit that another program reaches": (LAST_CHANNELS.format("tills", 1, 640, 960), "sizes alone seldom", "in place of"),
    "a limit without dynamic shapes": (
        "torch.compile(net, dynamic=False)\n\n" + LAST_CHANNELS.format("tills", 1, 640, 960), "sizes alone seldom", "recompile_limit = 64"),
    "generate that is slower, with lengths that vary": (GENERATES.format('"longest"'), "Pad to a fixed length, and leave", "no such words"),
    "generate that is slower, with a fixed length": (GENERATES.format('"max_length"'), "model.forward = ", "Pad to a fixed length"),
    "engines of fixed sizes that are built at each start": (ENGINES.format("dynamic=False"), "cache_built_engines=True", "mark_dynamic"),
    "engines that are built at each start": (ENGINES.format("dynamic=None"), "mark_dynamic", "AOTInductor"),
    "names of arguments that are missing": (
        SHAPES_BY_NAME.format("'shop', 'till'", "'till'"), "`'shop': None`", "Take out"),
    "names that are no arguments": (SHAPES_BY_NAME.format("'till'", "'till', 'bell'"), "Take out what is no argument of `forward`: `'bell'`",
                                    "Add what is missing"),
    "a size that a package asks for": (CULPRIT.format("/v/site-packages/tills/count/till.py"), "count/till.py:229", "PyTorch's own code takes it as"),
    "a size that PyTorch asks for": (CULPRIT.format("/v/site-packages/torch/_prims_common/__init__.py"), "PyTorch's own code takes it as", "of a package asks"),
    "names that are within an argument": (SHAPES_BY_NAME.format("'till', 'kwargs'", "'till', 'bell', 'key'"), "`'kwargs': {'bell': ...}`", "Take out"),
    "a file of the cache that two nodes write": (
        TEMPORARY.format("torchrun --nnodes 4 shop.py"), "$(hostname)", "rm -rf"),
    "a file of the cache that is missing": (TEMPORARY.format("python shop.py"), "rm -rf", "$(hostname)"),
    "an export to ONNX that slices by a value": (ONNX_SLICE.format("It worked last year."), "Since PyTorch 2.9", "of a branch"),
    "an export to ONNX that names its exporter": (ONNX_SLICE.format("onnx.export(net, x, dynamo=True)"), "the end of the slice", "Since PyTorch 2.9"),
    "a whole model that FSDP wraps": (WRAPPED_BY_FSDP, "Or compile each block by itself", "model = torch.compile(model)"),
    "an object behind a global variable": (
        AT_GLOBAL.replace("_SHOP'].tills", "_SHOP'].street.tills").format(""), "In a custom operator".lower(), "keep a tensor in the variable"),
    "an object behind a global variable, and dynamic=True": (
        AT_GLOBAL.replace("_SHOP'].tills", "_SHOP'].street.tills").format("torch.compile(sell, dynamic=True)\nlimit 64 is slower still."),
        "does not reach it", "_limit = "),
    "a number of a global variable": (AT_GLOBAL.format(""), "keep a tensor in the variable", "custom operator"),
    "a mode and options": (
        "WARNING till.py:268 Failed to apply torch.compile to the till: Either mode or options can be specified, but both can't be specified at the same time.\n",
        "nothing is compiled", "no such words"),
    "numbers that the text has": (
        "torch.compile, eager 12.5 ms, compiled 12.4 ms\nsold 7 ms\ntorch 2.9\nIs this expected of the till?\n", "", "paste the numbers of eager"),
    "ModernBERT, which compiles itself": (
        HANGING.format("return self.model(x)  # gte-modernbert").replace("engine.py", "modeling_modernbert.py"), "`reference_compile=False`", "minif"),
    "another model that compiles itself": (HANGING.format("return self.model(x)"), "Compile once", "reference_compile"),
    "full after a recompile for a larger batch": (GROWN, "a smaller batch", "drop_last"),
    "ranks of which a person shows some lines": (
        RANKS_EXCERPT.format("is out of memory") + FULL_AFTER, "drop_last", "Ranks that compile different things"),
    "ranks of which one hangs": (RANKS_EXCERPT.format("hangs"), "Ranks that compile different things", "minif"),
    "ranks of which one lacks a compile in the middle": (
        RANKS_EXCERPT.format("is slow") + recompiled(0, "5/1", "stock", 16, 3) + recompiled(1, "5/1", "stock", 16, 3),
        "Ranks that compile different things", "minif"),
    "no code for a device, in ChatTTS": ("ChatTTS 没有声音\n\n" + NO_DEVICE, "In ChatTTS: `compile=False`", "MINIF"),
    "no code for a device, elsewhere": (NO_DEVICE, "on the CPU", "ChatTTS"),
    "no code for a maker's device": (NO_DEVICE.replace("mps", "npu"), "Import that package before compiling", "2.7"),
    "inference tensors in Lightning": (
        IN_INFERENCE.format("trainer = L.Trainer(max_epochs=3)"), "`Trainer(..., inference_mode=False)`", "minif"),
    "inference tensors elsewhere": (IN_INFERENCE.format("trainer = Trainer(till)"), "torch.no_grad()", "Trainer("),
    "a version that needs more, also when it is not compiled": (SHOP_BY_VERSIONS.format(14.5, 9.1), "memory", "Stay on the version before"),
    "a version that needs the same": (SHOP_BY_VERSIONS.format(11.2, 11.3), "memory", "Stay on the version before"),
    "a limit that was raised in vain": (AT_GLOBAL.format("limit 64 is slower still."), "A higher limit was tried in this text", "raise the limit"),
    "a limit that was not raised": (AT_GLOBAL.format("Is there a limit of 64?"), "raise the limit", "was tried in this text"),
    "another object without a node": (REBOUND.format("Till"), "PyTorch", "stride.tolist()"),
    "a name of the program's own class": (MANGLED.format("/srv/till.py"), "", "begins with two underscores"),
    "a variable of Inductor's that a kernel lacks": (HELPER.format("rindex"), "Inductor wrote this kernel", "--moe-runner-backend"),
    "a parameter of another size, without FSDP": (SHARDED.format("No till is wrapped.", "32==64"), "compile after the last change", "fully_shard"),
    "no weak reference to another object": (HEADED.format("int", "most recent calls WITHOUT Sacred internals"), "disable", "weakref.proxy"),
    "the innermost call first": (
        'Traceback (most recent call first):\n  File "/srv/till.py", line 3, in main\n    sell(x)\n' + FAILED.replace(", line 12,", ", line 31,"),
        "torch", "weakref.proxy"),
    "a type of numbers that did not change": (TYPES_OF_VERSIONS.format(340, "bfloat16"), "TORCH_LOGS", "Convert the result back"),
    "rows of numbers that agree": (ROWS_OF_BACKENDS.format("1.0"), "that is rounding", "`backend="),
    "a cold start that missed a cache": (COLD_SHOP.format(1), "TORCHINDUCTOR_CACHE_DIR", "The caches were hit"),
    "an option of a node without which it works": (
        "TorchCompileModelTill used to work, now with `--swift two_belts` I get this, anyone else?\n\n" + NEW_OPTION,
        "Leave out `--swift two_belts`, without which it works in this text", "compile without `fullgraph=True`"),
    "an option of a node without which nothing is said": (
        "TorchCompileModelTill with `--swift two_belts`, anyone else?\n\n" + NEW_OPTION, "Call it before", "Leave out"),
    "a setting with which it works": (
        "Compiling dies with `fold_rows=True`, `fold_rows=False` is fine.\n\n" + REAL_TENSOR,
        "Until it is fixed, take `fold_rows=False`", "Leave out"),
    "a setting with which others work": (
        "Compiling dies with `fold_rows=True`. For others `fold_rows=False` is fine.\n\n" + REAL_TENSOR,
        "`aten.mm.default` gets a real tensor of size (64, 64), bfloat16", "Until it is fixed"),
    "a number among fake tensors": (
        REAL_TENSOR.replace("size=(64, 64)", "size=()"), "The graph uses a tensor that", "gets a real tensor"),
    "an older version with which it works": (
        "It worked yesterday with tillkit 3.4.1, upgraded today (3.5.0) and now see this.\n\n" + STATUS_ABOVE,
        '(`pip install "tillkit==3.4.1"`), with which it works in this text', "Leave out"),
    "an older version of which nothing is said": (
        "We have tillkit 3.4.1 on one till, upgraded (3.5.0) the other.\n\n" + STATUS_ABOVE,
        "Read what you need from it", "older version again"),
    "a model that generate compiles": (
        STATUS_ABOVE.replace("/tillkit/", "/transformers/models/tills/") + "\nI never call torch.compile myself.\n",
        "`disable_compile=True` in its generation config", "Leave out"),
    "a function that works beside one that fails": (
        "Here sell2 fails while sell1 does not:\n\n```python\ndef sell1(x):\n    return x\ndef sell2(x):\n    return g(x)\n```\n\n"
        + STATUS_ABOVE, "Write it as `sell1` does", "Leave out"),
    "fresh code that fails, too": (
        OTHER_SIZE + "\nRemoved ~/.cache/vllm, same thing.\n",
        "(`arg3_1`: dimension 0 is 800 instead of 100)", "If fresh code fails"),
    "fresh code of which nothing is said": (
        OTHER_SIZE, "If fresh code fails, too, vLLM calls it with another size than it compiled for", "as the text says"),
    "an input with another stride": (
        OTHER_SIZE.replace("size 800==100, stride 16==16", "size 100==100, stride 32==16"), "has other sizes or strides",
        "another size than when"),
    "an exception that the message does not name": (
        "torch._dynamo.exc.Unsupported: Observed exception\n\nfrom user code:\n   File \"/srv/shop/till.py\", line 12, in forward\n"
        "    x = self.shelf(x)\n", "does not say which exception", "SGLang"),
    "an exception that the message names": (
        "torch._dynamo.exc.Unsupported: Observed exception\n  Explanation: Dynamo found no exception handler at the top-level compiled function when "
        "encountering an exception. Exception will propagate outside the compiled region.\n\n  Developer debug context: raised exception "
        "KeyError([ConstantVariable(str: 'till')])\n\nfrom user code:\n   File \"/srv/shop/till.py\", line 12, in forward\n    x = self.shelf(x)\n",
        "An exception leaves the code", "does not say which exception"),
    "an option that makes SGLang compile": (
        "`python -m sglang.serve --enable-piecewise-cuda-graph`\n" + TILL_NAME, "SGLang compiles the model for `--enable-piecewise-cuda-graph`",
        "compile without `fullgraph=True`"),
    "a value in a program that compiles by itself": (
        "model = torch.compile(model)\n" + TILL_NAME.replace("sglang/", "shop/"), "compile without `fullgraph=True`", "SGLang"),
    "a name that a Python cache keeps": (
        "UserWarning: Dynamo detected a call to a `functools.lru_cache`-wrapped function.\n" + TILL_NAME,
        "keep the value in a variable of the module", "SGLang"),
    "a name that no Python cache keeps": (TILL_NAME, "pass the value in", "keep the value in a variable"),
    "bfloat16 of a setting": (
        NO_BFLOAT16 + "base_precision bf16 , attention_mode sageattn_varlen\n",
        "`base_precision bf16` in this text asks for it", "Without torch.compile, bfloat16"),
    "bfloat16 of compiled code": (
        NO_BFLOAT16 + "It comes from torch.compile.\n", "Without torch.compile, bfloat16 is emulated", "SageAttention"),
    "a size that C++ code does not declare, of no derived dimension": (
        REJECTS_SIZE.format('rows = Dim("rows")\nspec = {0: rows}'), "uses a size that varies", "Dim.AUTO"),
    "C++ code that the compiler rejects, and no cache": (
        REJECTS_CODE.format("/tmp/torchinductor_me/ab/cab.cpp:7:9: error: no match for 'operator*'"), "", "cache of compiled code"),
    "a process that ends while it compiles": (REJECTS_CODE.format("Aborted"), "was found and ran", "the cache of compiled code"),
    "a number that range() needs": (READS_NUMBER.format("return [x for i in range(n)]"), "as range()", "new_full"),
    "a number that a line asks for": (READS_NUMBER.format("return weigh(x, n)"), "Something in this line asks", "Python needs the number"),
    "another assertion of Dynamo": (STATE_CHANGED.format("Guard state is odd, please report a bug"), "newer version", "set_default_dtype"),
    "the largest index of the program's own code": (
        READS_LARGEST.format("/srv/tills.py", "n = int(index.max()) + 1"), "index_add_(0, index, x)", "dim_size=n"),
    "the largest number that is no size": (READS_LARGEST.format("/srv/tills.py", "n = int(index.max())"), "capture_scalar_outputs = True", "index_add_"),
    "a branch on the largest index": (READS_LARGEST.format("/srv/tills.py", "if int(index.max()) + 1 > n:"), "branch on it", "index_add_"),
    "calls of microseconds without recompiles": (
        SHORT_CALLS.format("There are no recompiles and no graph breaks.", "18.5", "33.1"), "compile the whole model", "TORCH_LOGS"),
    "calls that take longer than microseconds": (SHORT_CALLS.format("", "1850", "3310"), "TORCH_LOGS", "checks its guards"),
    "calls of microseconds that are faster compiled": (SHORT_CALLS.format("", "55.5", "33.1"), "", "checks its guards"),
    "memory that the collector does not give back": (
        HELD_BY_SHOPS.format("The same loop with gc.collect()", 2000000, 3000000), "_record_memory_history", "in a circle"),
    "a collector that did not help": (
        "The memory grows with each torch.compile of our tills. I also tried gc.collect(), which does not help.", "_record_memory_history", "in a circle"),
    "a longer program that is wrong with Inductor": (
        WRONG_IN_INDUCTOR.format("    a = a + 1\n" * 9, "0, 0, 0, 0, 0, 0, 0, 0"), "block.compile()", "small enough as it is"),
    "wrong numbers that are no others in another order": (WRONG_IN_INDUCTOR.format("", "0, 0, 0, 0, 0, 0, 0, 0"), "No rounding does that", "axes are exchanged"),
    "wrong numbers that are the same in another order": (WRONG_IN_INDUCTOR.format("", "1, 4, 6, 0, 7, 3, 2, 2"), "axes are exchanged", "has NaN"),
    "a backward behind a compiled function": (
        IN_SHOP.format(complaint="The compiled step needs 2 GB more memory, and I do not know why", code=SELLS_AND_LEARNS.replace("    loss.backward()\n", "") + "\n\nsell(x, y).backward()"),
        "_record_memory_history", "Dynamo breaks the graph at `backward()`"),
    "a backward in a function that is not compiled": (
        IN_SHOP.format(complaint="The compiled step needs 2 GB more memory, and I do not know why", code=SELLS_AND_LEARNS.replace("@torch.compile", "@torch.compiler.disable")),
        "_record_memory_history", "Dynamo breaks the graph at `backward()`"),
    "a short loop in a compiled function": (
        IN_SHOP.format(complaint="It takes forever to compile", code=SELLS_LONG.replace("365", "3")), "compiles and times many kernels",
        "unrolls a loop"),
    "a compiled module that is called": (
        IN_SHOP.format(complaint="There is no speedup with torch.compile", code=SELLS_BY_METHOD + "\n    out = shop(basket)"), "TORCH_LOGS",
        "is the one of the module inside"),
    "a comment in a compiled function": (
        IN_SHOP.format(complaint="The compiled function is slower", code=SELLS_AND_READS.replace("    log.append(total.item())\n", "")), "TORCH_LOGS",
        "most likely breaks the graph"),
    "float8 values that are added": (KERNEL.format("tmp2 = tmp0 + tmp1") + "TypeError('unexpected type fp8e5 and fp8e5')\n", "x.to(torch.bfloat16)", "pip check"),
    "a float8 type that the GPU does not have": (
        KERNEL.format("tmp2 = tmp0.to(tl.float32)") + "ValueError(\"type fp8e4nv not supported in this architecture\")\n", "8.9", "Convert both before"),
    "float8 values that are added since another release of a plugin": (
        "After downgrading the till plugin to the prior release (0.4) it works again.\n\n" + KERNEL.format("tmp2 = tmp0 + tmp1") +
        "TypeError('unexpected type fp8e5 and fp8e5')\n", "something else than PyTorch (\"After downgrading", "The text says what it depends on"),
    "another release of PyTorch is no condition outside of it": (
        "After downgrading to the prior release of PyTorch it works again.\n\n" + KERNEL.format("tmp2 = tmp0 + tmp1"),
        "The text says what it depends on", "something else than PyTorch"),
    "a name that code for tuning lacks": (NO_NAME_TUNED.format("name 'get_till' is not defined"), "neither defines nor imports", "ahead of time"),
    "code for tuning that fails otherwise": (NO_NAME_TUNED.format("till is open"), "ahead of time", "neither defines nor imports"),
    "a setting of Inductor where vLLM compiles": (
        "(EngineCore_DP0 pid=7) vllm/v1/till.py " + NO_NAME_TUNED.format("name 'get_till' is not defined").replace("\n", "\n(EngineCore_DP0 pid=7) "),
        '{"inductor_compile_config": {"triton.autotune_at_compile_time": false}}', "torch._inductor.config.triton"),
    "fixed sizes where a node compiles": (NODE_POWER.format("TorchCompileModelTill\ndynamic: true\n\n"), "`dynamic: false` in the node", "dynamic=False"),
    "fixed sizes where no node is named": (KERNEL.format("tmp2 = libdevice.pow(2, ks1)"), "torch.compile(dynamic=False)", "in the node"),
    "a weight of another size": (MEETS_BIAS, "A weight has another size", "With tensor parallelism"),
    "a weight of another size, with parts of it on each rank": ("--tp-size 16\n\n" + MEETS_BIAS, "start fewer", "report it to the library with the shapes"),
    "a weight of another size that works without the compiler": (
        "It works fine in eager mode.\n\n" + MEETS_BIAS, "a bug in the compiler is likely", "no fault of the compiler"),
    "two inputs of different sizes": (MEETS_BIAS.replace("Parameter(FakeTensor(..., size=(48,), requires_grad=True))", "FakeTensor(..., size=(48,))"),
                                      "", "A weight has another size"),
    "a number that is the example's size": (ASKS_SIZE.format("12", "s7", "/srv/shop.py"), "torch._check(goods.shape[-1] == shelf.shape[-1])", "one export for each"),
    "a number that is the example's size, in a library": (
        ASKS_SIZE.format("12", "s7", "/v/site-packages/tills/shop.py"), "replace that function with a copy", "where no check can be added"),
    "a number that is the program's own": (ASKS_SIZE.format("12", "12", "/v/site-packages/tills/shop.py"), "where no check can be added", "size in the example"),
    "a character that the path in the command lacks": (LOST_PATH.format("SHOP\\till"), "has a `\\` in its name", "clears the directory"),
    "a path in the command as it is": (LOST_PATH.format("SHOPtill"), "clears the directory", "has lost it"),
    "kernels of a model of AOTInductor that are not in a container": (
        'docker run -v shop.so:/srv/shop.so tills\nError: CUDA driver error: file not found\nTraceback (most recent call last):\n'
        '  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        "RuntimeError: run_func_( container_handle_, input_handles.data()) API call failed at ../torch/csrc/inductor/model.cpp, line 111\n",
        "`-v DIR:DIR`", "refused its inputs"),
    "a compiled model in a task of Ray": (
        'import ray\nTraceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    dumps(torch.compile(till))\n'
        "TypeError: cannot pickle 'ConfigModuleInstance' object\n", "In Ray: pass the plain module", "newer PyTorch"),
    "a compiled model that is pickled by a version without module.compile": (
        ">>> torch.__version__, tills.__version__\n('2.0.0+cu117', '2.3.0')\n"
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    dumps(torch.compile(till))\n'
        "TypeError: cannot pickle 'ConfigModuleInstance' object\n", "compile after loading", "model.compile()"),
    "a class of PyTorch that a package replaced": (
        "Importing `tills` alone makes every call of the model fail.\n\n"
        "torch._dynamo.exc.InternalTorchDynamoError: TypeError: autocast.__init__() takes from 2 to 3 positional arguments but 5 were given\n\n"
        'from user code:\n   File "/srv/shop.py", line 12, in weigh\n    with torch.autocast("cuda"):\n', "(\"Importing `tills` alone", "Bug in Dynamo"),
    "a class of the program that takes fewer arguments": (
        "torch._dynamo.exc.InternalTorchDynamoError: TypeError: Till.__init__() takes from 2 to 3 positional arguments but 5 were given\n\n"
        'from user code:\n   File "/srv/shop.py", line 12, in weigh\n    with Till(1, 2, 3, 4):\n', "newer PyTorch", "put another class in its place"),
    "a version of PyTorch with which it worked": (
        "After pip install -U torch (2.8.0 -> 2.9.0) the shop crashes.\n\n" + LOG_OF_SHOP, "pip install torch==2.8.0", "which most likely"),
    "two versions of PyTorch, in two parts of a sentence": (
        "Worked with torch 2.4.1, fails with 2.5.0.\n\n" + LOG_OF_SHOP, "It worked with PyTorch 2.4.1", "depends on"),
    "a version of another package with which it worked": (
        "With transformers 4.48.0 it worked, with transformers 4.49.0 it fails. torch 2.6.0\n\n" + LOG_OF_SHOP,
        "pip install transformers==4.48.0", "torch==2"),
    "a version of the driver with which it worked": (
        "Since the driver was updated from 550.54 to 570.86 it fails, on every shop. torch 2.6.0\n\n" + LOG_OF_SHOP, "go back to that", "pip install"),
    "versions that all fail": (
        "The update 2.8.0 -> 2.9.0 of torch does not help, it still fails.\n\n" + LOG_OF_SHOP, "Try a newer PyTorch or `tills`", "It worked with"),
    "a newer version that works": ("torch 2.5.0 fails. It works with torch 2.6.0.\n\n" + LOG_OF_SHOP, "Try a newer PyTorch", "stay with"),
    "times of a shop whose mode records CUDA graphs": (
        'till = torch.compile(till, mode="reduce-overhead")\n\nsell: 12.5 ms\n', "is set already", "larger inputs"),
    "times of a shop without a mode": ("till = torch.compile(till)\n\nsell: 12.5 ms\n", "larger inputs", "is set already"),
    "times of a shop that speaks of a mode": (
        'till = torch.compile(till)\nI could try torch.compile(mode="reduce-overhead")?\n\nsell: 12.5 ms\n', "larger inputs", "is set already"),
    "times whose clock waits for the GPU": (
        "till = torch.compile(till)\nstart = torch.cuda.Event(enable_timing=True)\n\nsell: 12.5 ms\n", "larger inputs", "On a GPU, wait"),
    "tables of the autotuner, of autoquant": (AUTOQUANT.format(warning=""), "autoquant, which compiles and times", "nothing is timed"),
    "tables of the autotuner": (AUTOQUANT.format(warning="").replace("shop = autoquant(shop)\n", ""), "nothing is timed", "autoquant"),
    "a parameter that is partitioned": (
        EMPTY_TILL.format(zero=" and ZeRO-3", tried=""), "Switch compiled autograd off", "See which argument is empty"),
    "a parameter that is partitioned, with what was tried": (
        EMPTY_TILL.format(zero=" and ZeRO-3", tried="- ok for ZeRO-3 **without** compiled_autograd\n"), "Without compiled autograd it works", "Switch compiled"),
    "a tensor without elements": (EMPTY_TILL.format(zero="", tried=""), "See which argument is empty", "ZeRO"),
    "an option that a cache's key lacks": (
        SIZES_OF_VLLM.format(more="| run | num |\n|---|---|\n| 1 | 9 |\n| 2 | 7 |\n\nvllm serve shop --num-tills 7"), "another value of `num-tills`", "start once with"),
    "an option that has one of the sizes": (
        SIZES_OF_VLLM.format(more="vllm serve shop --num-tills 7"), "start once with", "another value of"),
    "code of a cache, in a text where fresh code works": (
        SIZES_OF_VLLM.format(more="| 4 | 7 | `rm -rf ~/.cache/vllm` | ok, 187 tok/s |"), "Report it to vLLM", "--enforce-eager"),
    "code of a cache, in a text where fresh code fails": (
        SIZES_OF_VLLM.format(more="| 4 | 7 | `rm -rf ~/.cache/vllm` | dies |"), "--enforce-eager", "another value of"),
    "an option that an exception ends with": (
        RAISED_IN_TRACE + 'I set till="gold" there.\n', '`till="gold"` in this text leads to the line', "Change what leads to this line"),
    "an exception of the program": (RAISED_IN_TRACE, "Change what leads to this line", "in this text leads to the line"),
    "a break in a file that Unsloth wrote to another folder": (
        "torch._dynamo.exc.UserError: Dynamic control flow is not supported at the moment.\n\nfrom user code:\n"
        '   File "/srv/till/unsloth_compiled_module_till.py", line 80, in price\n    if coins > drawer:\n', "of a file that a library wrote", "no such words"),
    "a break in a file of the program of such a name": (
        "torch._dynamo.exc.UserError: Dynamic control flow is not supported at the moment.\n\nfrom user code:\n"
        '   File "/srv/till/my_unsloth_compiled.py", line 80, in price\n    if coins > drawer:\n', "Compute both sides", "that a library wrote"),
    "an exception in a file of Unsloth": (
        RAISED_IN_TRACE.replace("/srv/shop.py", "/srv/unsloth_compiled_cache/shop.py"), "generated by Unsloth", "let it do so within"),
    "a capture that fails in a mode, with a table": (
        CAPTURE_FAILED + "| reduce-overhead | ok |\n| max-autotune | crash |\n| max-autotune-no-cudagraphs | ok |\n",
        "Only autotuning and CUDA graphs together", "move that out of the graph"),
    "a capture that fails in a mode": (CAPTURE_FAILED, "still tuned: `mode=\"max-autotune-no-cudagraphs\"`", "call compiled functions once"),
    "a capture that fails in a mode, and without graphs": (
        CAPTURE_FAILED + "| max-autotune | crash |\n| max-autotune-no-cudagraphs | crash |\n", "keep that out of what is compiled", "still tuned"),
    "a capture of the program's own": (
        "g = torch.cuda.CUDAGraph()\n" + CAPTURE_FAILED, "call compiled functions once", "keep that out of what is compiled"),
    "random numbers in another order": (
        TWO_DROPOUTS.format('with backend="aot_eager": output max diff 0.0'), "reorder_for_peak_memory", "fallback_random = True"),
    "random numbers that differ before Inductor": (
        TWO_DROPOUTS.format('with backend="aot_eager": output max diff 3.1'), "set the seed again", "reorder_for_peak_memory"),
    "random numbers without the setting": (
        TWO_DROPOUTS.format('with backend="aot_eager": output max diff 0.0').replace("fallback_random", "quokka"), "fallback_random = True",
        "reorder_for_peak_memory"),
    "an order of calls is no result": (
        "net = torch.compile(shop)\neager    order: [[2048, 1024], [16, 8]]\ncompiled order: [[16, 8], [2048, 1024]]\noutput max diff: 3.2\n",
        "Compiled code rounds differently", "axes are exchanged"),
    "a gradient mode in a server": (GRAD_MODE + "The first request of the till takes 41 s.\n", "A server is compiled again", "as training and validation"),
    "a gradient mode in a training": (
        GRAD_MODE + "The first request of the till takes 41 s, and then loss.backward().\n", "as training and validation", "A server is compiled again"),
    "a directory that is mounted in Docker": (
        "docker run --tmpfs /tmp shop\n" + NOT_MAPPED.format("/tmp/torchinductor_me/triton/0/ab/till", ""), "/tmp:exec", "same error there"),
    "a directory that is mounted": (
        NOT_MAPPED.format("/tmp/torchinductor_me/triton/0/ab/till", ""), "TORCHINDUCTOR_CACHE_DIR=$HOME", "Docker"),
    "a library of a package that is not mapped": (
        NOT_MAPPED.format("/v/site-packages/till/till", ""), "what line 12 of shop.py calls", "noexec"),
    "a library for which there is no memory": (
        NOT_MAPPED.format("/tmp/torchinductor_me/triton/0/ab/till", ": Cannot allocate memory"), "ulimit -v", "noexec"),
    "a PATH of WSL": (REFUSED.format("nvcc") + "$ echo $PATH\n/usr/bin:/mnt/c/Program Files/CUDA/bin\n", "appendWindowsPath", "echo \"$PATH"),
    "a PATH of Linux": (REFUSED.format("nvcc") + "$ echo $PATH\n/usr/bin:/opt/cuda/bin\n", "echo \"$PATH", "appendWindowsPath"),
    "OpenMP of Homebrew, in 2.0": (
        "Warning: libomp 15.0.7 is already installed and up-to-date.\ntorch 2.0.1\n" + NO_OMP.format("debug_wrapper"), "export CPATH",
        "brew install libomp"),
    "OpenMP of Homebrew, in 2.3": ("torch 2.3.0\n" + NO_OMP.format("inductor"), "export OMP_PREFIX", "export CPATH"),
    "OpenMP of Homebrew, in a version that is not known": (NO_OMP.format("inductor"), "export CPATH", "it is installed in this text"),
    "a key of the cache, with DTensors": (
        "shop = distribute_tensor(shop, mesh)\n" + KEY_OF_CACHE.format("", 9) + "step 0  loss 3.1\n", "The mesh of a DTensor", "cannot be pickled. Save"),
    "a key of the cache": (KEY_OF_CACHE.format("", 9) + "step 0  loss 3.1\n", "compiled again at each start", "DTensor"),
    "a key of the cache, on the first line": (
        KEY_OF_CACHE.format("", 9).split("\n", 1)[0] + "\n" + FAILED.split("\n", 1)[0] + "\n"
        '  File "/v/site-packages/torch/_inductor/codecache.py", line 941, in dumps\n    self.dump(obj)\n'
        "TypeError: cannot pickle 'Till' object\nstep 0  loss 3.1\n", "compiled again at each start", "_orig_mod"),
    "buffers that were given away, with a graph that is kept": (
        DONATED.format("retain_graph"), "Before compiling, import", "Call it without"),
    "buffers that were given away, by a line that does not show who keeps the graph": (
        DONATED.format("retain_graph").replace("retain_graph=True)[0]", "**more)[0]"), "Call it without", "The line keeps the graph"),
    "buffers that were given away, with a backward of the backward": (
        DONATED.format("create_graph"), "leave the function uncompiled there", "pass it whole"),
    "an input of a class of the program's": (
        NO_INPUT.format("__main__.Prices"), "register it before the export", "Return a tuple or a dict instead"),
    "an input of a class of transformers": (
        NO_INPUT.format("transformers.cache_utils.DynamicCache"), "use_cache=False", "register_dataclass("),
    "an exported program whose input's class is not taken apart": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    y = till(prices)\n'
        '  File "/v/site-packages/torch/fx/_pytree.py", line 33, in tree_flatten_spec\n    raise RuntimeError(\n'
        "RuntimeError: <class '__main__.Prices'> does not have a flatten_fn_spec associated with it. Please register one with "
        "torch.fx._pytree.register_pytree_flatten_spec.\n", "register_pytree_flatten_spec(Batch", "Run the function without"),
    "an input of a class in a function": (
        NO_INPUT.format("shop.main.<locals>.Prices"), "register it before the export", "register_dataclass(Prices)"),
    "a tensor that is assigned while a model is exported": (
        "/usr/lib/python3.11/contextlib.py:144: UserWarning: The tensor attribute self.till was assigned during export. Such attributes must be "
        "registered as buffers using the `register_buffer` API (https://pytorch.org/docs/stable/nn.html).\n  next(self.gen)\n",
        "from the second call on", "Only a warning"),
    "a tensor that is assigned while a model is exported, which an older version refuses": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 22, in <module>\n    program = torch.export.export(shop, (goods,))\n'
        '  File "/v/site-packages/torch/_functorch/aot_autograd.py", line 1656, in _detect_attribute_assignment\n    raise ValueError(\n'
        "ValueError: The tensor attribute self.till was assigned during export. Such attributes must be registered as buffers using the "
        "`register_buffer` API.\n", "register_buffer", "from the second call on"),
    "an operator in a model of AOTInductor that refuses sizes": (SIZES_OF_TILL, "Compare the sizes before the call", ".contiguous()"),
    "a call of a model of AOTInductor that fails without a reason": (
        SIZES_OF_TILL[SIZES_OF_TILL.index("Traceback"):], ".contiguous()", "Compare the sizes before the call"),
    "a checkpoint that fails behind the limit of recompiles": (
        "torch.compile ran out of recompilation cache for Till.forward; running it eagerly (FailOnRecompileLimitHit)\n" + CHECKPOINT_LOST,
        "recompile_limit = 64", "it is a bug in PyTorch"),
    "a checkpoint that fails without a word of a limit": (CHECKPOINT_LOST + "\nthe tills use torch.compile\n", "Only if no function was compiled again",
        "The text says that a function reached the limit"),
    "a part of the backward in the forward, with dropout in a checkpoint": (
        "till_dropout=0.1 and gradient_checkpointing_enable()\n" + NODE_OF_BACKWARD, "set the dropout to 0", "a custom operator changes"),
    "a part of the backward in the forward, with dropout in a checkpoint and an operator": (
        "till_dropout=0.1 and gradient_checkpointing_enable(), and a torch.library.custom_op of ours\n" + NODE_OF_BACKWARD,
        "Or a custom operator changes", "report it with the smallest"),
    "a part of the backward in the forward": (NODE_OF_BACKWARD, "Or a custom operator changes", "set the dropout to 0"),
    "a limit that is an error, of a class that is made again": (
        LIMIT_OF.format("___check_type_id(self, 224599728)") + LIMIT_IS_ERROR, "If a class is made again and again (in a loop", "accept"),
    "a limit that is an error, and why": (
        LIMIT_OF.format("___check_type_id(self, 224599728)") + LIMIT_IS_ERROR, "an error because of `fullgraph=True`", "or accept that"),
    "a limit that is an error, of the types of an argument": (
        LIMIT_OF.format("___check_type_id(coins, 224599728)") + LIMIT_IS_ERROR, "Make the types the same. Or", "accept"),
    "a limit that is an error by a setting": (
        LIMIT_OF.format("___check_type_id(coins, 224599728)")
        + "torch._dynamo.exc.FailOnRecompileLimitHit: Hard failure due to fail_on_recompile_limit_hit\n", "sets `fail_on_recompile_limit_hit`",
        "fullgraph=True"),
    "a limit that is none, of the types of an argument": (
        LIMIT_OF.format("___check_type_id(coins, 224599728)"), "Make the types the same, or accept that", "fullgraph=True"),
    "a limit that is none, of a class that is made again": (
        LIMIT_OF.format("___check_type_id(self, 224599728)"), "If a class is made again and again (in a loop", "fullgraph=True"),
    "a part of the backward in the forward, with nothing of the program's own": (
        NODE_OF_BACKWARD, "this is a bug of PyTorch in the parting of forward and backward: try a newer", "If the program has its own"),
    "a part of the backward in the forward, with an operator of the program's own": (
        "The till is a torch.library.custom_op.\n\n" + NODE_OF_BACKWARD, "If it is neither", "In a program without a backward"),
    "a worker's error of which grep found the first lines": (
        OPEN_WORKER + "--\n" + OPEN_WORKER, "the worker's own exception stands below this line", "Inductor failed, not the model"),
    "a worker's error with the header of its traceback": (
        OPEN_WORKER + "\nTraceback (most recent call last):\n", "the worker's own exception stands below this line", "Inductor failed, not the model"),
    "a worker's error with calls and no exception": (
        OPEN_WORKER + '\nTraceback (most recent call last):\n  File "/v/site-packages/torch/_inductor/compile_worker/subproc_pool.py", line 270, in do_job\n'
        "    result = job()\n", "the worker's own exception stands below this line", "Inductor failed, not the model"),
    "a worker's error with its exception": (
        OPEN_WORKER + '\nTraceback (most recent call last):\n  File "/v/site-packages/torch/_inductor/compile_worker/subproc_pool.py", line 270, in do_job\n'
        "    result = job()\nRuntimeError: quokka\n", "Inductor failed, not the model", "the worker's own exception stands"),
    "a hook that is deleted at the wrapper of a compiled module": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 31, in <module>\n    close(till)\n'
        '  File "/v/site-packages/tills/hooks.py", line 88, in close\n    delattr(module, "_till_hook")\n'
        '  File "/v/site-packages/torch/nn/modules/module.py", line 2040, in __delattr__\n    super().__delattr__(name)\n'
        "AttributeError: _till_hook\n\ntill.net = torch.compile(till.net) is the only new line\n",
        "Compile in place", "it is not the compiler's"),
    "a hook that is deleted at a module of a program that does not compile": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 31, in <module>\n    close(till)\n'
        '  File "/v/site-packages/tills/hooks.py", line 88, in close\n    delattr(module, "_till_hook")\n'
        '  File "/v/site-packages/torch/nn/modules/module.py", line 2040, in __delattr__\n    super().__delattr__(name)\n'
        "AttributeError: _till_hook\n",
        "it is not the compiler's", "Compile in place"),
    "an attribute that is missing at the wrapper of a compiled module": (
        "till = torch.compile(till)\nshop.open(till)\n\nWithout torch.compile it works.\n\n"
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 31, in <module>\n    shop.open(till)\n'
        '  File "/v/site-packages/tills/shop.py", line 88, in open\n    self.owner.ring()\n'
        "AttributeError: 'NoneType' object has no attribute 'ring'\n",
        "Or hand the original module", "a bug in the compiler is likely"),
    "times of compiled code that is faster": (
        "till = torch.compile(till)\n\neager      12.41 ms\ncompiled   9.38 ms\n", "", "whether anything is compiled"),
    "times that are those of eager mode need no other mode": (
        "till = torch.compile(till)\n\neager      12.41 ms\ncompiled   12.38 ms\n", "TORCH_LOGS=dynamo", "reduce-overhead"),
    "results of backends that agree but for rounding": (
        "torch.compile(till)\n\neager     : [1.0001, 512]\naot_eager : [1.0001, 512]\ninductor  : [1.0002, 512]\n",
        "", "a bug of Inductor"),
    "an attribute that is missing where a forward is compiled in place": (
        "till.forward = torch.compile(till.forward)\nshop.open(till)\n\nWithout torch.compile it works.\n\n"
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 31, in <module>\n    shop.open(till)\n'
        '  File "/v/site-packages/tills/shop.py", line 88, in open\n    self.owner.ring()\n'
        "AttributeError: 'NoneType' object has no attribute 'ring'\n",
        "changed before", "it is not the compiler's"),
    "an index under vmap in a line of a library": (
        "torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function <built-in "
        'function getitem>(*(FakeTensor(..., size=(1, 8)), 0), **{}): got RuntimeError("vmap: It looks like you\'re '
        "calling .item() on a Tensor. We don't support vmap over calling .item() on a Tensor\")\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 31, in forward\n    return self.till(x)\n'
        '  File "/v/site-packages/tills/price.py", line 17, in look_up\n    return prices[i, j]\n',
        "one of the library `tills`, price.py:17: use newer versions", "masking_utils"),
    "an index under vmap in a line of the program": (
        "torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function <built-in "
        'function getitem>(*(FakeTensor(..., size=(1, 8)), 0), **{}): got RuntimeError("vmap: It looks like you\'re '
        "calling .item() on a Tensor. We don't support vmap over calling .item() on a Tensor\")\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 31, in forward\n    return prices[i, j]\n',
        "Give the indexes a dimension", "a library's"),
    "an argument that is missing behind a hook of accelerate": (
        "torch._dynamo.exc.ArgsMismatchError: missing a required argument: 'price'.\n  func = 'forward' "
        "/v/site-packages/tills/patches.py:27, args = [<class 'torch.Tensor'>], kwargs = {}\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 31, in forward\n    return self.till(price)\n'
        '  File "/v/site-packages/accelerate/hooks.py", line 175, in new_forward\n'
        "    output = module._old_forward(*args, **kwargs)\n",
        "Put the whole model on one GPU", "the same error there is not the compiler's"),
    "an argument that is missing in a call of the program": (
        "torch._dynamo.exc.ArgsMismatchError: missing a required argument: 'price'.\n  func = 'sell' "
        "/srv/shop.py:27, args = [], kwargs = {}\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 31, in forward\n    return sell()\n',
        "Run the function without", "accelerate"),
    "a size of a value that may be zero": (
        OF_ZERO.format("Eq(4*u0, 0)", "none", "return torch.zeros(fish * 4)"), "`torch._check(fish > 0)`, or `torch._check_is_size(fish)`", "u0 != 0"),
    "a size of two values": (
        OF_ZERO.format("Eq(u0*u1, 0)", "none", "return till.new_empty(fish * eels)"), "which a product needs", "Keep the value a tensor"),
    "a size whose value has a check": (
        OF_ZERO.format("Eq(u0, 0)", "u0", "return torch.arange(fish)"), "`torch._check(fish > 0)`", "_check_is_size"),
    "a size that is a difference": (
        OF_ZERO.format("Eq(u0 - u1, 0)", "none", "return torch.zeros(fish - eels)"), "torch._check", "PyTorch asks whether the size"),
    "a branch on a value that may be zero": (
        OF_ZERO.format("Eq(4*u0, 0)", "none", "if fish * 4 == 0:"), "`torch._check(fish * 4 == 0)`", "PyTorch asks whether the size"),
    "another size that may be zero, in a line that makes none": (
        OF_ZERO.format("Eq(4*u0, 0)", "none", "return price(fish)"), "Keep the value a tensor", "PyTorch asks whether the size"),
    "a view of a sharded tensor that compiled code returns": (
        AS_STRIDED.format("sell(x)", "_dynamo/eval_frame", NO_STRATEGY.format("as_strided")), "Return a copy (`.clone()`)", "redistribute"),
    "a view of a sharded tensor that compiled code of 2.13 returns": (
        AS_STRIDED.format("sell(x)", "_dynamo/eval_frame", "RuntimeError: as_strided not supported with DTensor"),
        "Return a copy (`.clone()`)", "redistribute"),
    "another operator of a sharded tensor": (
        AS_STRIDED.format("sell(x)", "_dynamo/eval_frame", NO_STRATEGY.format("topk")), "redistribute", "clone"),
    "scales that differ in their dimensions": (
        LAYOUTS.format("len(scale_a.get_size()) == len(scale_b.get_size())", "aten._scaled_mm", "7"), "size [] and [7]. Give both the same number",
        "write it in another way"),
    "matrices that differ in their dtypes": (
        LAYOUTS.format("mat1.get_dtype() == mat2.get_dtype()", "aten.mm", "7"), "dtype float16 and float32. Give both the same dtype", "reshape"),
    "an assertion on arguments that are alike": (
        LAYOUTS.format("mat_a.get_size() == mat_a.get_size()", "aten._scaled_mm", "7"), "write it in another way", "Inductor asserts that"),
    "an assertion on arguments whose places are not known": (
        LAYOUTS.format("len(till.get_size()) == len(stock.get_size())", "aten._scaled_mm", "7"), "write it in another way", "Inductor asserts that"),
    "an assertion on something else than arguments": (
        LAYOUTS.format("tills == 4", "aten._scaled_mm", "7"), "write it in another way", "Inductor asserts that"),
    "branches that differ in shape": (
        OF_BRANCHES.format("'shape: torch.Size([4]) vs torch.Size([5])', 'stride: (4, 1) vs (5, 1)'"), "their shapes: pad, slice", "contiguous"),
    "branches that differ in dtype": (OF_BRANCHES.format("'dtype: torch.float16 vs torch.float32'"), "`.to(dtype)`", "pad, slice"),
    "branches that differ in strides alone": (OF_BRANCHES.format("'stride: (4, 1) vs (1, 4)'"), "`.contiguous()`", "pad, slice"),
    "branches of which one needs gradients": (
        OF_BRANCHES.format("'requires_grad: True vs False', 'device: cuda:0 vs cpu'"), "(`.to(device)`); `requires_grad`: `.detach()`", "loop carries"),
    "what a loop carries differs in dtype": (
        OF_BRANCHES.format("'dtype: torch.float16 vs torch.float32'").replace("Expect branches to return", "Expected carried_inputs and body outputs return"),
        "what the loop carries must agree, and they differ in their dtypes", "branches"),
    "branches that return other numbers of tensors": (
        OF_BRANCHES.format("0").replace("Expect branches to return tensors with same metadata but find pair[0] differ in 0",
                                        "Expected to return same number of outputs but got:\n  true branch returns 2 item(s)"),
        "return as many tensors", "pad, slice"),
    "a size that the tracer lost, in a run that prints the stack": (
        UNTRACKED_SIZE.format("$ TORCHDYNAMO_VERBOSE=1 python3 shop.py\n", "s6*s81", ""), "the stack that this run prints", "TORCHDYNAMO_VERBOSE"),
    "a size that the tracer lost, in a program that prints the stack": (
        UNTRACKED_SIZE.format('import os\nos.environ["TORCHDYNAMO_VERBOSE"] = "1"\n\n', "s6 + 1", ""), "the stack that this run prints", "`TORCHDYNAMO_VERBOSE"),
    "a size that the tracer lost, and PyTorch's advice": (
        UNTRACKED_SIZE.format("", "s6*s81", "\nSet TORCHDYNAMO_VERBOSE=1 for the internal stack trace\n"), "dynamic=False", "this run prints"),
    "a size that the tracer lost, and a person's advice": (
        UNTRACKED_SIZE.format("", "s6*s81", "\nYou can set TORCHDYNAMO_VERBOSE=1 to see more.\n"), "`TORCHDYNAMO_VERBOSE=1` prints", "this run prints"),
    "a size that the tracer lost, and another setting": (
        UNTRACKED_SIZE.format("$ TORCH_LOGS=recompiles python3 shop.py\n", "s6*s81", ""), "`TORCHDYNAMO_VERBOSE=1` prints", "this run prints"),
    "a tensor that the tracer does not know": (
        UNTRACKED_SIZE.format("", "FakeTensor(..., size=(s6, 4))", ""), "`TORCHDYNAMO_VERBOSE=1` prints", "dynamic=False"),
    "a result that is just beyond the limit that an old version does not say": (
        "[2023-02-24 00:11:20,172] torch._dynamo.utils: [ERROR] RMSE (res-fp64): 0.02300, (ref-fp64): 0.00700 and shape=torch.Size([4, 6])\n"
        "[2023-02-24 00:11:20,172] torch._dynamo.utils: [ERROR] Accuracy failed for key name till.weight.grad\n",
        "Run it again, as it may pass", "most likely it is wrong"),
    "a result that is far beyond the limit that an old version does not say": (
        "[2023-02-24 00:11:20,172] torch._dynamo.utils: [ERROR] RMSE (res-fp64): 2.30000, (ref-fp64): 0.00700 and shape=torch.Size([4, 6])\n"
        "[2023-02-24 00:11:20,172] torch._dynamo.utils: [ERROR] Accuracy failed for key name till.weight.grad\n",
        "most likely it is wrong", "Run it again"),
    "a result of which the limit may be near or far": (
        "[2023-02-24 00:11:20,172] torch._dynamo.utils: [ERROR] RMSE (res-fp64): 0.07000, (ref-fp64): 0.00700 and shape=torch.Size([4, 6])\n"
        "[2023-02-24 00:11:20,172] torch._dynamo.utils: [ERROR] Accuracy failed for key name till.weight.grad\n",
        "If it is far beyond", "Run it again"),
    "a list in an attribute during an export": (OF_ATTRIBUTE.format("[x.shape[-2:] for x in xs]"), "is no tensor, so no buffer", "Register the tensor"),
    "a size in an attribute during an export": (OF_ATTRIBUTE.format("x.shape[0]"), "is no tensor, so no buffer", "Register the tensor"),
    "a tensor in an attribute during an export": (OF_ATTRIBUTE.format("x * 2"), "Register the tensor", "is no tensor"),
    "a tensor made of a shape in an attribute during an export": (
        OF_ATTRIBUTE.format("torch.ones(x.shape)"), "Register the tensor", "is no tensor"),
    "a tensor made of one size in an attribute during an export": (
        OF_ATTRIBUTE.format("torch.ones(x.shape[0])"), "Register the tensor", "is no tensor"),
    "a product with a length in an attribute during an export": (OF_ATTRIBUTE.format("len(xs) * x"), "Register the tensor", "is no tensor"),
    "an operator of a library whose files the stack lacks": (
        STRIDES_OF.format("/srv/run.py", "flashinfer"), "By its name the operator is one of FlashInfer", "it is PyTorch's"),
    "an operator of an unknown library, whose files the stack lacks": (
        STRIDES_OF.format("/srv/run.py", "tills"), "correct the fake kernel", "By its name"),
    "a hessian under vmap that the compiler cannot run": (
        WRAPPED.format("GradTrackingTensor(lvl=3, value=\n    BatchedTensor(lvl=1, bdim=0, value=\n      FakeTensor(..., size=(3,))\n    )\n)",
                       "torch.vmap(torch.func.hessian(price))(x)"), "`jacrev(jacrev(f))`", "library of that class"),
    "gradients under vmap that the compiler cannot run": (
        WRAPPED.format("BatchedTensor(lvl=1, bdim=0, value=\n    FakeTensor(..., size=(3,))\n)", "torch.vmap(torch.func.grad(price))(x)"),
        "PyTorch's own class, of torch.func", "jacrev"),
    "a transform around a tensor of a library": (
        WRAPPED.format("GradTrackingTensor(lvl=3, value=\n    TillTensor(stock=FakeTensor(..., size=(3,)))\n)", "torch.func.grad(price)(x)"),
        "library of that class", "of torch.func"),
    "a masked tensor of PyTorch": (
        WRAPPED.format("MaskedTensor(FakeTensor(..., size=(3,)))", "masked(x) + 1"), "report it to PyTorch", "library of that class"),
    "an assertion of inference mode within forward-mode AD": (
        "torch._dynamo.exc.TorchRuntimeError: Failed running call_function <built-in function mul>(*(GradTrackingTensor("
        "lvl=3, value=\n    FakeTensor(..., size=(3,))\n), 2), **{}):\nInferenceMode::is_enabled() && "
        'self.is_inference() INTERNAL ASSERT FAILED at "../aten/src/ATen/native/VariableMethodStubs.cpp":66, please '
        "report a bug to PyTorch. You should NOT call this method directly as native::_fw_primal.\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 31, in price\n    return jacfwd(total)(x)\n',
        "`jacrev` instead of `jacfwd`", "is used outside of it"),
    "a tensor of inference mode in a backward": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 31, in <module>\n    net(x).sum().backward()\n'
        "RuntimeError: Inference tensors cannot be saved for backward. To work around you can make a clone to get a "
        "normal tensor and use it in autograd. torch.compile(net)\n",
        "is used outside of it", "jacrev"),
    "copies of DataParallel that are compiled": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 31, in <module>\n    till(x)\n'
        '  File "/v/site-packages/torch/_dynamo/utils.py", line 1402, in run_node\n    return nnmodule(*args, **kwargs)\n'
        '  File "/v/site-packages/torch/nn/parallel/data_parallel.py", line 185, in forward\n'
        "    outputs = self.parallel_apply(replicas, inputs, module_kwargs)\n"
        "torch._dynamo.exc.TorchRuntimeError: Failed running call_module fn(*(FakeTensor(..., size=(16, 1)),), **{}):\n"
        "Caught AssertionError in replica 0 on device 0.\n",
        "one process for each GPU", "if it fails there too"),
    "a worker that sees no driver": (in_pytest(NO_DRIVER), "TORCHINDUCTOR_COMPILE_THREADS=1", "TORCHDYNAMO_REPRO_AFTER"),
    "a worker of CI that sees no driver": (each_line(in_pytest(NO_DRIVER), "2026-01-02T03:04:05.1234567Z "), "TORCHINDUCTOR_COMPILE_THREADS=1",
                                           "TORCHDYNAMO_REPRO_AFTER"),
    "a patch in vLLM": (WORKERS, "`--enforce-eager`", "NEVER"),
    "a patch elsewhere": (PATCHED.format("<function sell at 0x7f0a2c1d5ea0>").replace("vllm", "tills"), "Python 3.11", "`--enforce-eager`"),

    "a kernel of Inductor's that lacks a name of its own": (
        WORKER.format("triton_red_fused_sum_3", "    tmp8 = tl.where(ks0 > 1, tmp1, tmp7)"), "not in Triton, and nothing that the program names",
        "pip check"),
    "a kernel of the reader's own that lacks a name": (
        WORKER.format("sell_kernel_0", "    out = tmp7 + 1"), "pip check", "Inductor wrote this kernel"),
    "sizes that strides leave out": (
        STRIDED.format("Ne(Mod(((L['x'].size()[2] - 1)//2), 2), 0)"),
        "2.13 exports such models for the whole range. Or let torch.export find the range, `Dim.AUTO` (2.6 and later). Else declare a "
        "multiple, and pad inputs of other sizes to it: `rows = 4 * torch.export.Dim(\"n\", min=8, max=100)`", "32 *"),
    "sizes that strides leave out, in the words of 2.6": (
        "PyTorch version: 2.6.0\n" + STRIDED.format("((((-1) + L['x'].size()[2]) // 2) % 2) != 0"),
        "`rows = 4 * torch.export.Dim(\"n\", min=8, max=100)`", "32 *"),
    "sizes that strides leave out in a PyTorch that takes others": (
        "PyTorch version: 2.13.0\n" + STRIDED.format("((((-1) + L['x'].size()[2]) // 2) % 2) != 0"), "4 * torch.export.Dim", "2.13 exports"),
    "sizes that a view leaves out": (
        STRIDED.format("Ne((L['x'].size()[2]//4), L['x'].size()[2])") +
        "  - Not all values of rows = L['x'].size()[2] in the specified range 30 <= rows <= 400 satisfy the generated guard "
        "Eq(Mod(L['x'].size()[2], 4), 0)\n", "32 * torch.export.Dim", "2.13 exports"),
    "a function that is skipped at a class": (
        SKIPPED.format("    class Till:", "missing: LOAD_BUILD_CLASS"),
        "all of `sell` runs eagerly, not only this line: PyTorch skips the function, and only functions that it calls are still compiled. "
        "PyTorch 2.13 breaks at the line", "no such words"),
    "a function that is skipped elsewhere": (
        SKIPPED.format("    log_till(x)", "call_function UserDefinedObjectVariable(Till)"), "all of `sell` runs eagerly", "2.13 breaks"),
    "a function that is compiled around its break": (
        SKIPPED.format("    class Till:", "missing: LOAD_BUILD_CLASS").replace("Graph break: skip: from", "Graph break: from"),
        "outside the compiled function", "runs eagerly"),
    "a number that a closure captures": (
        CELLS.format("price.__closure__[1].cell_contents == 1", "price.__closure__[1].cell_contents == 2"),
        "in alphabetical order, and counts from 0", "defined again and again"),
    "a function that is another one each time": (
        CELLS.format("___check_obj_id(price.__code__, 140)", "___check_obj_id(price.__code__, 150)"),
        "define it once", "in alphabetical order"),
    "a capture of SGLang's in which something is compiled": (
        IN_CAPTURE.format("sglang/srt/model_executor/cuda_graph_runner.py"), "Start without `--enable-torch-compile`", "mark_dynamic"),
    "a capture of the program's in which something is compiled": (
        IN_CAPTURE.format("tills/graphs.py"), "mark_dynamic", "SGLang captures"),
    "compiled autograd that a with turns on": (
        "with torch._dynamo.compiled_autograd.enable(torch.compile):\n    loss.backward()\n\n" + CALLBACK,
        "call `backward()` without that `with`", "config.compiled_autograd"),
    "compiled autograd that a setting turns on": (
        "torch._dynamo.config.compiled_autograd = True\nloss.backward()\n\n" + CALLBACK, "config.compiled_autograd = False", "that `with`"),
    "a size that vLLM marks, and the model needs": (
        MARKED.format("vllm/compilation/decorators.py"), "another `--max-num-batched-tokens` makes it another constant", "remove the mark"),
    "a size that the program marks, and the model needs": (
        MARKED.format("tills/decorators.py"), "remove the mark", "max-num-batched-tokens"),
    "a module of Triton's that does not load on Windows": (
        "ImportError: DLL load failed while importing cuda_utils: The specified module could not be found.\ntorch.compile fails so\n",
        "must be of exactly its version", "Install PyTorch and what was built for it again"),
    "a library of Triton's that does not load on Windows": (
        "ImportError: DLL load failed while importing libtriton: The specified module could not be found.\ntorch.compile fails so\n",
        "triton-windows that belongs to this PyTorch", "must be of exactly its version"),
    "a compiler that CXX names and that is not there": (
        inside("_inductor/cpu_vec_isa.py", "raise exc.InvalidCxxCompiler", "torch._inductor.exc.InductorError: InvalidCxxCompiler: No working C++ "
               "compiler found in torch._inductor.config.cpp.cxx: (None, '/srv/tills/bin/arm-linux-c++')"),
        "names `/srv/tills/bin/arm-linux-c++`, which is not there", "no such words"),
    "a compiler that PyTorch itself asks for": (
        inside("_inductor/cpu_vec_isa.py", "raise exc.InvalidCxxCompiler", "torch._inductor.exc.InductorError: InvalidCxxCompiler: No working C++ "
               "compiler found in torch._inductor.config.cpp.cxx: (None, 'g++')"),
        "Install a C++ compiler", "which is not there"),
    "a text that each call splits into words": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/{i}] [__recompiles] {line}\n" for i in (1, 2, 3) for line in (
            "Recompiling function sell in /srv/shop.py:3", "    triggered by the following guard failure(s):",
            f"    - 0/{i - 1}: wish == 'two loaves {i}'  # for word in wish.split():  # shop.py:5 in sell")),
        "The text itself is compiled in", "above their number"),
    "an option of two words that is looked up": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/{i}] [__recompiles] {line}\n" for i in (1, 2, 3) for line in (
            "Recompiling function sell in /srv/shop.py:3", "    triggered by the following guard failure(s):",
            f"    - 0/{i - 1}: wish == 'sum up {i}'  # y = ways[wish.lower()](x)  # shop.py:5 in sell")),
        "Few values are fine", "The text itself is compiled in"),
    **{f"an error in {file}": (inside(file, "assert price", "AssertionError: quokka"), words, "Run the function without")
       for file, words in PARTS.items()},
    "an error that a helper of PyTorch raises for another part": (
        inside("_inductor/pattern_matcher.py", "torch._check(price)", "RuntimeError: quokka").replace(
            "RuntimeError: q", '  File "/v/site-packages/torch/__init__.py", line 1656, in _check\n    raise error\nRuntimeError: q'),
        "pattern_matcher = False", "no such words"),
    "an error in the program that a part of PyTorch calls": (
        inside("_inductor/pattern_matcher.py", "pass_(graph)", "RuntimeError: quokka").replace(
            "RuntimeError: q", '  File "/srv/passes.py", line 7, in pass_\n    graph.sell()\nRuntimeError: q'),
        "The compiler itself failed", "pattern_matcher = False"),
    "an error in a part of PyTorch that has an answer": (
        inside("_inductor/scheduler.py", "assert price", "RecursionError: maximum recursion depth exceeded"),
        "Dynamo follows each call", "Inductor's scheduler"),
    "an event of a captured graph is no crash of a kernel": (
        "RuntimeError: CUDA error: operation not permitted on an event last recorded in a capturing stream\n"
        "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n", "CUDA graphs", "compute-sanitizer"),
    "an illegal access is a crash of a kernel": (
        "RuntimeError: CUDA error: an illegal memory access was encountered\n", "compute-sanitizer", "CUDA graphs"),
    "an argument that CUDA refuses is no crash of a kernel": (
        REFUSED_BY_CUDA.format("invalid argument", "cudaErrorInvalidValue"), "refused an argument of a call", "compute-sanitizer"),
    "an argument that CUDA refuses, and the allocator's cache": (
        REFUSED_BY_CUDA.format("invalid argument", "cudaErrorInvalidValue"), "CUDA_LAUNCH_BLOCKING=1", "PYTORCH_NO_CUDA_MEMORY_CACHING"),
    "an argument that CUDA refuses, with CUDA graphs": (
        'till = torch.compile(till, mode="reduce-overhead")\n\n' + REFUSED_BY_CUDA.format("invalid argument", "cudaErrorInvalidValue"),
        "then compiled without CUDA graphs", "out of bounds: "),
    "a launch that failed": (
        REFUSED_BY_CUDA.format("unspecified launch failure", "cudaErrorLaunchFailure"), "compute-sanitizer", "refused an argument"),
    "an illegal access with CUDA graphs": (
        'till = torch.compile(till, mode="reduce-overhead")\n\n' +
        REFUSED_BY_CUDA.format("an illegal memory access was encountered", "cudaErrorIllegalAddress"),
        "run without CUDA graphs", "PYTORCH_NO_CUDA_MEMORY_CACHING"),
    "an error of CUDA that is none of its memory": (
        REFUSED_BY_CUDA.format("till is closed", "cudaErrorTillClosed"), "CUDA_LAUNCH_BLOCKING=1", "compute-sanitizer"),
    "a call on fake tensors whose reason is cut off": (
        CUT_REASON.format("(FakeTensor(..., size=(s77, 8)), FakeTensor(..., size=(6, 9), dtype=torch.float16), None),"),
        "The exception is cut off: its reason stands behind these arguments, so look at the rest of the message. `linear` of tensors of (s77, 8) "
        "and (6, 9) in torch.float16 fails", "dynamic=False"),
    "a call on fake tensors that is cut off behind its arguments": (
        CUT_REASON.format("(FakeTensor(..., size=(4, 8)),), **{}):"), "The exception is cut off", "dynamic=False"),
    "a call on fake tensors with its reason": (
        CUT_REASON.format("(FakeTensor(..., size=(4, 8)),), **{}): got RuntimeError('no till')"), "in eager mode", "is cut off"),
    "a call on fake tensors with a reason that names a size": (
        CUT_REASON.format("(FakeTensor(..., size=(s77, 8)),), **{}): got RuntimeError('the till takes s77 fish')"), "Sizes that vary (`s77`) take part",
        "may be the reason"),
    "a call on fake tensors with a reason that names no size": (
        CUT_REASON.format("(FakeTensor(..., size=(s77, 8)),), **{}): got RuntimeError('no till')"), "Sizes that vary (`s77`) may be the reason",
        "take part"),
    "the splitter of DDP in 2.0": (SPLIT_BY_DDP.format("compile_fn", "`"), "torch._dynamo.config.optimize_ddp = False", "TORCHDYNAMO_REPRO_AFTER"),
    "another backend in 2.0 that calls a function": (SPLIT_BY_DDP.format("till_compile_fn", ""), "newer PyTorch", "optimize_ddp"),
    "an operator of Python that fails on constants": (
        FAILED_ON_CONSTANTS.format("not_", "False,"), "cannot fail in Python, so this is a bug in Dynamo", "Run the function without"),
    "an operator that may fail on constants": (
        FAILED_ON_CONSTANTS.format("truediv", "1, 0"), "Run the function without", "cannot fail in Python"),
    "an operator of Python on what is no constant": (
        FAILED_ON_CONSTANTS.format("eq", "Till(3), 3"), "Run the function without", "cannot fail in Python"),
    "a comparison of sizes in a lowering": (
        LOWERED.format("TypeError: cannot determine truth value of Relational: s77 > 25", "aten.pad.default"), "for each dimension that is such a symbol",
        "s0"),
    "code of another shape": (
        STRIDES_OF_INPUT.format("4096==1024, stride 1024==1024"), "code that was compiled for another shape is used again", "other strides than"),
    "code of other strides": (
        STRIDES_OF_INPUT.format("1024==1024, stride 1==1024"), "strides", "code that was compiled for another shape"),
    "an exception without a message, in pytest's summary": (
        "FAILED tests/test_till.py::test_sell[4] - torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nAssertionError:\n\nSet "
        "TORCHDYNAMO_VERBOSE=1 for the internal stack trace\n===== 9 failed, 3 passed in 4.18s =====\n",
        "The exception has no message, so only its stack says which check failed: get it first", "is said in the last lines"),
    "an exception with a message, in pytest's summary": (
        "FAILED tests/test_till.py::test_sell[4] - torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nAssertionError: no fish\n\nSet "
        "TORCHDYNAMO_VERBOSE=1 for the internal stack trace\n===== 9 failed, 3 passed in 4.18s =====\n", "newer PyTorch", "has no message"),
    "a CUDA graph with a backward that keeps its graph": (
        inside("_inductor/cudagraph_trees.py", "torch._check(", "RuntimeError: graph recording observed an input tensor deallocate "
               "during graph recording that did not occur during replay. Please file an issue.", "loss.backward(retain_graph=more)"),
        "retain_graph=True", "do without it, or"),
    "a CUDA graph with tensors that are kept": (
        inside("_inductor/cudagraph_trees.py", "raise RuntimeError(msg)", "RuntimeError: Detected 3 tensor(s) in the cudagraph pool not "
               "tracked as outputs. All live allocations must be tracked for correctness."), "assigns to `.data`", "Run the function without"),
    "sizes that are symbols although none is to be": (
        inside("utils/_sympy/functions.py", "assert price", "AssertionError: quokka") + "dynamic=False does not help.\n",
        "look for what makes a size a symbol", "compile for fixed sizes"),
    "an error in sympy, which PyTorch's arithmetic calls": (
        inside("utils/_sympy/functions.py", "return price", "TypeError: quokka").replace(
            "TypeError", '  File "/v/site-packages/sympy/core/mul.py", line 77, in flatten\n    raise error\nTypeError'),
        "arithmetic of symbolic sizes", "no such words"),
    "a header of C++ that Visual Studio's compiler lacks, below code that speaks of OpenMP": (
        '    342         "\\n\\nOpenMP support not found. Please try one of the following solutions:\\n"\n    349     )\n'
        "--> 351 raise exc.CppCompileError(cmd, output) from e\n\nInductorError: CppCompileError: C++ compile error\n\nCommand:\n"
        "cl /I C:/Users/me/include C:/Users/me/AppData/Local/Temp/torchinductor_me/op/cop.cpp\n\nOutput:\ncop.cpp\n"
        "C:/Users/me/AppData/Local/Temp/torchinductor_me/pi/cpi.h(3): fatal error C1083: Cannot open include file: "
        "'vector': No such file or directory\n", "x64 Native Tools Command", "Install it for the compiler"),
    "OpenMP that is missing, as PyTorch says": (
        "InductorError: CppCompileError: C++ compile error\n\nCommand:\nclang++ /tmp/torchinductor_me/op/cop.cpp\n\nOutput:\n"
        "cop.cpp:1:1: fatal error: 'omp.h' file not found\n\nOpenMP support not found. Please try one of the following solutions:\n",
        "Install it for the compiler", "Native Tools"),
    "a library of Windows that the linker lacks": (
        "InductorError: CppCompileError: C++ compile error\n\nCommand:\ncl C:/Users/me/cop.cpp\n\nOutput:\ncop.cpp\n"
        "LINK : fatal error LNK1104: cannot open file 'kernel32.lib'\n", "x64 Native Tools Command", "may be loaded by another"),
    "a file that the linker cannot write": (
        "InductorError: CppCompileError: C++ compile error\n\nCommand:\ncl C:/Users/me/cop.cpp\n\nOutput:\ncop.cpp\n"
        "LINK : fatal error LNK1104: cannot open file 'C:/Users/me/cop.pyd'\n", "may be loaded by another", "Native Tools"),
    "the stride of a weight": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - 0/0: tensor 'self.till.conv.weight' stride mismatch at index 2. expected 1, actual 48")),
        "layout_optimization = False", "new_empty"),
    "a minifier that finds nothing smaller": (
        "W0619 13:14:50.661000 9 torch/_dynamo/repro/after_aot.py:195] Accuracy failed for the AOT Autograd graph till\n"
        "W0619 13:14:53.232000 9 torch/_dynamo/debug_utils.py:326] Writing minified repro to:\n"
        "Strategy: Delta Debugging (G: 12) (12 nodes, 3 inputs)\nFAIL: Delta Debugging\n",
        "found no smaller graph", "run the `minifier_launcher.py`"),
    "a minifier that was not run yet": (
        "W0619 13:14:50.661000 9 torch/_dynamo/repro/after_aot.py:195] Accuracy failed for the AOT Autograd graph till\n"
        "W0619 13:14:53.232000 9 torch/_dynamo/debug_utils.py:326] Writing minified repro to:\n",
        "run the `minifier_launcher.py`", "found no smaller graph"),
    "a module whose name was cut": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <modu\nle>\n    sell(price)\n'
        '  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 438, in _fn\n    torch._C._functorch.pop(\n'
        "RuntimeError: !dynamicLayerStack.empty() INTERNAL ASSERT FAILED\n", "torch.vmap(lambda", "le>"),
    "an assertion of functorch's": (
        inside("_functorch/nothing.py", "torch._C._functorch.pop(", 'RuntimeError: !dynamicLayerStack.empty() INTERNAL ASSERT FAILED at '
               '"/pytorch/aten/src/ATen/functorch/DynamicLayer.cpp":217, please report a bug to PyTorch.'), "torch.vmap(lambda", "aot_eager"),
    "two modules that one compiled function trains": (
        "    outD = netD(fake.detach())\n    outD.mean().backward()\n    optD.step()\n    outG = netD(fake)\n    outG.mean().backward()\n"
        "train = torch.compile(train)\n\n" + TWICE, "compile the modules apart", "Add up the losses"),
    "two losses of one output": (
        "    y = net(x)\n    y.mean().backward()\n    y.sum().backward()\ntrain = torch.compile(train)\n\n" + TWICE,
        "Add up the losses", "compile the modules apart"),
    "a message that is quoted, of blocks that are compiled one by one": (
        "It only runs in mode default for me, Linux, a card of 2023, and the nodes of the shop with all their tills. Then:\n\n"
        "> accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run. Stack trace: File \"/srv/shop.py\", line 12, "
        "in torch_dynamo_resume_in_forward_at_9 x = self.till(x). To prevent overwriting, clone the tensor outside of torch.compile() or "
        "call torch.compiler.cudagraph_mark_step_begin() before each model invocation.\n\nWhere?\n",
        "once before each call of the whole model", "a card of 2023"),
    "a copy of what is kept, of a program that trains nothing": (
        "accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run. Stack trace: File \"/srv/shop.py\", line 12, "
        "in forward x = self.till(x). To prevent overwriting, clone the tensor outside of torch.compile().\n",
        "directly behind that call: `.clone()`", "backward()"),
    "a copy of what is kept, of a program that trains": (
        "I train it.\n\naccessing tensor output of CUDAGraphs that has been overwritten by a subsequent run. Stack trace: File \"/srv/shop.py\", "
        "line 12, in forward x = self.till(x). To prevent overwriting, clone the tensor outside of torch.compile().\n",
        "(and before `backward()`)", "of the whole model"),
    "a break in a layer of PyTorch's that all ranks compute": (
        SYNC.format("batchnorm", "sync_batch_norm.apply(", "is_current_stream_capturing"), "It is `SyncBatchNorm`", "pass the value in"),
    "a break in another layer of PyTorch's": (
        SYNC.format("till", "till_sum.apply(", "is_open"), "a layer of PyTorch's that the line calls", "SyncBatchNorm"),
    "a variable for PowerShell": (
        "(shop) PS C:\\Users\\till> python .\\shop.py\n" + LEVEL_ZERO, '`$env:LEVEL_ZERO_V1_SDK_PATH="C:\\level-zero"`', "`set "),
    "a variable for cmd": ("C:\\Users\\till> python .\\shop.py\n" + LEVEL_ZERO, "`set LEVEL_ZERO_V1_SDK_PATH=C:\\level-zero`", "$env"),
    "FSDP of Lightning's Fabric": ("    model = fabric.setup(model)\n\n" + PYTEST_OF_TILLS, "_reapply_compile=False", "A newer PyTorch may leave"),
    "FSDP alone": (PYTEST_OF_TILLS, "A newer PyTorch may leave", "_reapply_compile"),
    "a check of a library that raises, named as the cause": (ASKS.format("/v/site-packages/tills/till.py", "site-packages/tills/till.py"),
        "a copy that leaves the check out, or that states before the line `torch._check(x[open].numel() == stock.numel())`", "u0 != 512"),
    "a check of the program's that raises, named as the cause": (ASKS.format("/srv/till.py", "srv/till.py"),
        "If the line is only a check, which raises an error, state before it what is true of a program that works: "
        "`torch._check(x[open].numel() == stock.numel())`", "In a copy"),
    "a count that is compared with a number": (ASKS.replace("stock.numel()", "512").format("/srv/till.py", "srv/till.py"),
        "`torch._check(...)` of `u0 != 512` or", "In a copy"),
    "a value that is asked for below an export, in a line that the text lacks": (
        "Traceback (most recent call last):\n" + ASKS.split('  File "{}"')[0].split("\n", 1)[1].format("", "") +
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression Ne(u0, 512) "
        "(unhinted: Ne(u0, 512)).  (Size-like symbols: u0)\n",
        "Before the line of the model that asks (below this call), state", "Before the line, state"),
    "compiled code of a whole model that vLLM loaded": (
        "(EngineCore_DP0 pid=41) INFO 05-28 09:14:02 [decorators.py:305] Directly load AOT compilation from path /net/me/vllm/torch_aot_compile/6fd1/rank_0_0/"
        "model\n" + each_line(FOLDED.format("  [... 6 frames]"), "(EngineCore_DP0 pid=41) ERROR 05-28 09:14:09 [core.py:1104] "),
        "rm -rf /net/me/vllm/torch_aot_compile`", "~/.cache"),
    "compiled code that vLLM loaded, of a cache that the text does not name": (FOLDED.format("  [... 6 frames]"), "~/.cache/vllm/torch_compile_cache", "torch_aot"),
    "a damaged file of a cache that the text names": (
        "I run it with TORCHINDUCTOR_CACHE_DIR=/srv/shop/cache python shop.py\n\nTraceback (most recent call last):\n"
        '  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n  File "/v/site-packages/torch/_inductor/codecache.py", line 80, in load\n'
        "    return pickle.load(f)\nEOFError: Ran out of input\n", "`rm -rf /srv/shop/cache`", "torchinductor_$USER"),
    "a damaged file of a cache that no text names": (
        "I run it with TORCHINDUCTOR_CACHE_DIR=/tmp python shop.py\n\nTraceback (most recent call last):\n"
        '  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n  File "/v/site-packages/torch/_inductor/codecache.py", line 80, in load\n'
        "    return pickle.load(f)\nEOFError: Ran out of input\n", "torchinductor_$USER", "rm -rf /tmp`"),
    "a file of Triton's cache that is empty": (KEPT_BY_TRITON, "`rm -rf ~/.triton/cache`", "output_code"),
    "a file of Triton's cache that is empty, in a log of CI": (
        each_line(KEPT_BY_TRITON, "2026-01-02T03:04:05.1234567Z "), "`rm -rf ~/.triton/cache`", "output_code"),
    "a file of JSON that the program reads": (
        OPENED.format("till = json.load(f)", KEPT_BY_TRITON.strip("\n").split("\n")[-1]), "as the message says", "rm -rf"),
    "what Triton kept of a kernel, without a name": (
        KEPT_BY_TRITON.split("    metadata")[0] + "    return CompiledKernel(src, metadata_group, hash)\n"
        '  File "/v/site-packages/triton/compiler/compiler.py", line 354, in __init__\n    metadata["cluster_dims"] = tuple(metadata["cluster_dims"])\n'
        "KeyError: 'cluster_dims'\n", "`rm -rf ~/.triton/cache`", "output_code"),
    "a name that a dict of the program lacks": (OPENED.format('x = till["cluster_dims"]', "KeyError: 'cluster_dims'"), "as the message says", "rm -rf"),
    "an empty library of Triton's cache": (
        "ImportError: /net/me/.triton/cache/till/cuda_utils.so: file too short\n", "`rm -rf /net/me/.triton/cache`", "pip check"),
    "an empty library of the program": (
        OPENED.format("import till", "ImportError: /srv/till.so: file too short"), "as the message says", "rm -rf"),
    "an empty library of Inductor's cache": (
        LIBRARY_OF_CACHE.format("/net/torchinductor_me/xj/cxj.so: file too short"), "`rm -rf /net/torchinductor_me`", "may be read, written"),
    "a library of Inductor's cache that is gone": (
        LIBRARY_OF_CACHE.format("/net/torchinductor_me/xj/cxj.so: cannot open shared object file: No such file or directory"),
        "`rm -rf /net/torchinductor_me`", "LD_LIBRARY_PATH"),
    "a library that a library of the cache lacks": (
        LIBRARY_OF_CACHE.format("libtill.so: cannot open shared object file: No such file or directory"), "LD_LIBRARY_PATH", "rm -rf"),
    "a library that was built for a newer system": (
        "ImportError: /lib64/libc.so.6: version `GLIBC_2.34' not found (required by /net/me/.triton/cache/till/cuda_utils.so)\n",
        "`rm -rf /net/me/.triton/cache`", "conda install gxx"),
    "a file of Inductor's cache with zeros in it": (
        FILE_OF_CACHE.format("_lookup_graph", "SyntaxError: source code string cannot contain null bytes"), "`rm -rf /srv/c/qy`", "no effect"),
    "a file of Inductor's cache that ends too early": (
        FILE_OF_CACHE.format("cache_hit_post_compile", "SyntaxError: invalid syntax (cqy.py, line 68)"), "`rm -rf /srv/c/qy`", "no effect"),
    "a new file of Inductor's that is no Python": (
        FILE_OF_CACHE.format("load", "IndentationError: expected an indented block (cqy.py, line 68)"), "no effect", "rm -rf"),
    "a file of Inductor's cache without its function": (
        KEPT_BY_INDUCTOR.format('output_code.py", line 9, in after_deserialization\n    ).call\ntorch._inductor.exc.InductorError: AttributeError: '
                                "module 'torch._inductor.runtime.compile_tasks.cqyx' has no attribute 'call'"), "`rm -rf /tmp/torchinductor_$USER`", "pip check"),
    "a file of the cache, of another version": (
        KEPT_BY_INDUCTOR.split('  File "/v/site-packages/torch/_inductor')[0] + '  File "/net/torchinductor_me/qy/cqyx.py", line 4, in <module>\n'
        "    from torch._inductor.runtime.triton_heuristics import grid\ntorch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\n"
        "ImportError: cannot import name 'grid' from 'torch._inductor.runtime.triton_heuristics' (/v/site-packages/torch/_inductor/runtime/triton_heuristics.py)\n",
        "`rm -rf /net/torchinductor_me`", "pip check"),
    "saved code of Inductor's, of another version": (
        OPENED.format("from torch._inductor.runtime.triton_heuristics import grid",
                      "ImportError: cannot import name 'grid' from 'torch._inductor.runtime.triton_heuristics'"), "pip check", "rm -rf"),
    "a file of the cache, by Python's parser": (
        '  File "/net/torchinductor_me/qy/cqyx.py", line 41\n    def call(args):\n                   ^\n'
        "IndentationError: expected an indented block after function definition on line 41\n", "`rm -rf /net/torchinductor_me`", "Run the function"),
    "a file of the program, by Python's parser": (
        'import torch\ntorch.compile\n  File "/srv/shop.py", line 41\n    def call(args):\n                   ^\n'
        "IndentationError: expected an indented block after function definition on line 41\n", "", "rm -rf"),
    "a pickle that a backend of the program reads": (
        KEPT_BY_INDUCTOR.split('  File "/v/site-packages/torch/_inductor')[0] + '  File "/srv/backend.py", line 9, in tills\n    plan = pickle.load(f)\n'
        "torch._dynamo.exc.BackendCompilerFailed: backend='tills' raised:\nEOFError: Ran out of input\n", "The backend `tills` raised it", "rm -rf"),
    "a pickle that a backend of the program reads, without its calls": (
        "torch._dynamo.exc.BackendCompilerFailed: backend='tills' raised:\nEOFError: Ran out of input\n", "The backend `tills` raised it", "rm -rf"),
    "a compiled function that the program saved": (
        OPENED.format('f = torch.compiler.load_compiled_function(open("/srv/till.bin", "rb"))',
                      '  File "/v/site-packages/torch/_dynamo/aot_compile.py", line 9, in deserialize\n    state = pickle.loads(data)\n'
                      "_pickle.UnpicklingError: pickle data was truncated"), "by its size or a checksum", "rm -rf"),
    "a package of AOTInductor's that is no archive": (
        OPENED.format('till = torch._inductor.aoti_load_package("/srv/till.pt2")',
                      '  File "/v/site-packages/torch/_inductor/package/package.py", line 120, in load_package\n    with zipfile.ZipFile(f) as z:\n'
                      '  File "/usr/lib/python3.11/zipfile.py", line 1367, in _RealGetContents\n    raise BadZipFile("File is not a zip file")\n'
                      "zipfile.BadZipFile: File is not a zip file"), "by its size or a checksum", "rm -rf"),
    "an archive of the program that is none": (
        OPENED.format('tills = zipfile.ZipFile("/srv/tills.zip")', "zipfile.BadZipFile: File is not a zip file"), "as the message says", "checksum"),
    "a table of vLLM's that is cut off": (
        'Traceback (most recent call last):\n  File "/v/site-packages/vllm/compilation/backends.py", line 9, in initialize_cache\n'
        '    self.cache = ast.literal_eval(f.read())\n  File "<unknown>", line 0\nSyntaxError: invalid syntax\n',
        "`rm -rf ~/.cache/vllm/torch_compile_cache`", "Nothing in this text"),
    "a lock of the cache": (
        "filelock._error.Timeout: The file lock '/net/torchinductor_me/locks/c.lock' could not be acquired.\n", "fuser", "aot_eager"),
    "a lock of the program": (
        OPENED.format("lock.acquire()", "filelock._error.Timeout: The file lock '/srv/till.lock' could not be acquired."), "as the message says", "fuser"),
    "a variable that PyTorch cannot read": (
        KEPT_BY_INDUCTOR.format('config.py", line 780, in decide_compile_threads\n    compile_threads = int(os.environ["TORCHINDUCTOR_COMPILE_THREADS"])\n'
                                "ValueError: invalid literal for int() with base 10: 'auto'"), "variable `TORCHINDUCTOR_COMPILE_THREADS`", "aot_eager"),
    "a variable that the program cannot read": (
        OPENED.format('n = int(os.environ["TILLS"])', "ValueError: invalid literal for int() with base 10: 'auto'"), "as the message says", "environment variable"),
    "vector instructions that a cache was filled with": (
        KEPT_BY_INDUCTOR.format('cpp_builder.py", line 9, in run\n    raise x\ntorch._inductor.exc.InductorError: CppCompileError: C++ compile error\n\n'
                                "Command:\ng++ /net/torchinductor_me/vd/cvd.cpp\n\nOutput:\n"
                                "/net/torchinductor_me/vd/cvd.cpp:12:37: error: 'at::vec' has not been declared"), "`/net/torchinductor_me`", "REPRO_AFTER"),
    "a process that may open no more files": (
        OPENED.format("for x in loader:", "OSError: [Errno 24] Too many open files"), "ulimit -n", "Change what line"),
    "memory that a compile worker does not get": (
        KEPT_BY_INDUCTOR.format('async_compile.py", line 9, in wait\n    raise x\ntorch._inductor.exc.InductorError: SubprocException: An exception occurred '
                                "in a subprocess:\n\nMemoryError"), "TORCHINDUCTOR_COMPILE_THREADS=1", "REPRO_AFTER"),
    "a driver without its compiler": (
        KEPT_BY_INDUCTOR.format('runtime/triton_heuristics.py", line 9, in run\n    raise x\ntorch._inductor.exc.InductorError: RuntimeError: '
                                "Triton Error [CUDA]: PTX JIT compiler library not found"), "NVIDIA_DRIVER_CAPABILITIES", "compute-sanitizer"),
    "a choice that is skipped, for want of shared memory": (
        "".join(f"E0911 18:20:57.366000 7 torch/_inductor/select_algorithm.py:2100] [7/0] {line}\n" for line in (
            "Runtime error during autotuning: ", "No valid triton configs. OutOfResources: out of resource: shared memory, Required: 98765, "
            "Hardware limit: 43210. Reducing block sizes or `num_stages` may help.. ", "Ignoring this choice.")),
        "and not the card's memory", "a smaller batch"),
    "an attribute that counts up": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/{i + 1}] [__recompiles] {line}\n" for i, n in enumerate((4, 5, 6))
            for line in ("Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            f"    - 0/{i}: L['self']._modules['till'].sold == {n}")),
        "Keep the count in a tensor", "several modules"),
    "an attribute that takes any value": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/{i + 1}] [__recompiles] {line}\n" for i, n in enumerate((4, 9, 2))
            for line in ("Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            f"    - 0/{i}: L['self']._modules['till'].sold == {n}")),
        "several modules", "counts up"),
    "the number of a layer": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/{i + 1}] [__recompiles] {line}\n" for i, n in enumerate((0, 1, 2))
            for line in ("Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            f"    - 0/{i}: L['self']._modules['till'].layer_idx == {n}")),
        "at least the number of layers", "keep it in a tensor"),
    "memory for timing a kernel that writes in place": (
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    till(x)\n"
        "  File \"/srv/torch/_inductor/runtime/triton_heuristics.py\", line 911, in autotune_to_one_config\n    timings = self.benchmark_all_configs(*args)\n"
        "  File \"/srv/torch/_inductor/runtime/triton_heuristics.py\", line 679, in clone_args\n    clone(arg)\n"
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB.\n",
        "triton.autotune_pointwise = False", "max-autotune"),
    "memory for timing kernels with max-autotune": (
        "I use mode='max-autotune'.\n\n"
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    till(x)\n"
        "  File \"/srv/torch/_inductor/runtime/triton_heuristics.py\", line 911, in autotune_to_one_config\n    timings = self.benchmark_all_configs(*args)\n"
        "  File \"/srv/torch/_inductor/runtime/triton_heuristics.py\", line 679, in clone_args\n    clone(arg)\n"
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB.\n",
        "Without max-autotune fewer are timed", "batch"),
    "strides of a collective of DTensors": (
        "parallelize_module(till, mesh, ColwiseParallel())\n\n"
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    till(x)\n"
        "  File \"/tmp/torchinductor_till/ku/ckuulr.py\", line 96, in call\n    assert_size_stride(buf3, (4, 8), (8, 1))\n"
        "AssertionError: expected size 4==4, stride 16==8 at dim=0\n",
        "redistribute outside of the compiled function", "Odd strides of an input"),
    "strides of an operator": (
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    till(x)\n"
        "  File \"/tmp/torchinductor_till/ku/ckuulr.py\", line 96, in call\n    assert_size_stride(buf3, (4, 8), (8, 1))\n"
        "AssertionError: expected size 4==4, stride 16==8 at dim=0\n",
        "Odd strides of an input", "DTensor"),
    "an option without which it works": (
        "Till 3 dies after a while. Without --fast-tills it runs for days.\n\n"
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    till(x)\n"
        "RuntimeError: CUDA error: an illegal memory access was encountered\n",
        "Leave out `--fast-tills`, without which it works", "The text says what it depends on"),
    "a condition that is no option": (
        "Till 3 dies after a while. Without the second till it runs fine.\n\n"
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    till(x)\n"
        "RuntimeError: CUDA error: an illegal memory access was encountered\n",
        "The text says what it depends on", "Leave out `"),
    "a first call that works is no condition": (
        "Till 3 dies after a while. The warm-up with one till works with it.\n\n"
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    till(x)\n"
        "RuntimeError: CUDA error: an illegal memory access was encountered\n",
        "CUDA_LAUNCH_BLOCKING=1", "The text says what it depends on"),
    "a gradient that the backward writes": (
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    till(x)\n"
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nAssertionError: Found an input to the backward that was mutated during the backward pass. This is not supported\n",
        "grad_output.clone()", "TORCHDYNAMO_REPRO_AFTER"),
    "a gradient of which no line writes": (
        "Far above is 'Encountered an exception in identify_mutated_tensors, assuming every input is mutated'.\n\n"
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    till(x)\n"
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nAssertionError: Found an input to the backward that was mutated during the backward pass. This is not supported\n",
        "could not analyze a Triton kernel", "is written in place"),
    "a module of PyTorch that is exported alone": (
        "torch 2.4.0\n\n"
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    torch.export.export(nn.GELU(), (x,))\n"
        "AssertionError: Failed to produce a graph during tracing as no tensor operations were found.\n",
        "module of your own", "Run the function without"),
    "a module of PyTorch within one of the program": (
        "torch 2.4.0\n\n"
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    torch.export.export(Till(x), (x,))\n"
        "AssertionError: Failed to produce a graph during tracing as no tensor operations were found.\n",
        "strict=False", "module of your own"),
    "a newer PyTorch that exports its own modules": (
        "torch 2.6.0\n\n"
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    torch.export.export(nn.GELU(), (x,))\n"
        "AssertionError: Failed to produce a graph during tracing as no tensor operations were found.\n",
        "only returns inputs or numbers", "up to 2.4"),
    "the tensors of the random generator in a captured graph": (
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    with torch.cuda.graph(till):\n"
        "  File \"/v/site-packages/torch/cuda/graphs.py\", line 186, in __enter__\n    self.cuda_graph.capture_begin(\n"
        "RuntimeError: Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor\n",
        "random generator", "`.clone()` the tensor"),
    "a tensor of inference mode outside of it": (
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    till.add_(x)\n"
        "RuntimeError: Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor\n",
        "`.clone()` the tensor outside", "random generator"),
    "an attribute of a module that an older Dynamo does not set": (
        "torch.compile(till, fullgraph=True), torch 2.2.1\n\n"
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    till(x)\n"
        "torch._dynamo.exc.Unsupported: setattr(UserDefinedObjectVariable) <function Module.__setattr__ at 0x7c67c77f6f80>\n",
        "once before it is compiled", "Rewrite the line"),
    "an attribute of another object": (
        "torch.compile(till, fullgraph=True), torch 2.2.1\n\n"
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    till(x)\n"
        "torch._dynamo.exc.Unsupported: setattr(UserDefinedObjectVariable) <function Till.__setattr__ at 0x7c67c77f6f80>\n",
        "out of the compiled function", "once before it is compiled"),
    "a variable of vectorized code that is not declared": (
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    till(x)\n"
        "torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n\nOutput:\n/tmp/torchinductor_me/ab/cab.cpp:37:12: error: 'tmp13' was not declared in this scope\n   37 |     transpose_mxn<float,4,2,false>(in_ptr0 + tmp13, tmp14);\n\n",
        "cpp.simdlen = 1", "dynamic=False"),
    "a variable that is not declared beside a size": (
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    till(x)\n"
        "torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n\nOutput:\n/tmp/torchinductor_me/ab/cab.cpp:37:12: error: 'tmp13' was not declared in this scope\n   37 |     auto tmp14 = tmp13 + ks0;\n\n",
        "dynamic=False", "simdlen"),
    "a variable that is not declared": (
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 12, in sell\n    till(x)\n"
        "torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n\nOutput:\n/tmp/torchinductor_me/ab/cab.cpp:37:12: error: 'tmp13' was not declared in this scope\n   37 |     auto tmp14 = tmp13 + 3;\n\n",
        "exclude the function", "dynamic=False"),
    "an argument that PyTorch refuses": (
        'Traceback (most recent call last):\n' + CALL + '  File "/v/site-packages/torch/distributed/device_mesh.py", line 300, in _sell\n'
        "    raise ValueError(\nValueError: a till has 3 dims\n", "the message says what it does not accept", "ask its authors"),
    "an argument that a decorator of the compiler refuses": (
        'Traceback (most recent call last):\n' + CALL + '  File "/v/site-packages/torch/_dynamo/decorators.py", line 300, in mark_till\n'
        '    raise TypeError(f"no till: {till}")\nTypeError: no till: 3\n', "Change the call", "Run the function without"),
    "an argument that PyTorch refuses while Dynamo traces": (
        'Traceback (most recent call last):\n' + CALL + '  File "/v/site-packages/torch/_dynamo/convert_frame.py", line 700, in _compile\n'
        '    return tracer.run()\n  File "/v/site-packages/torch/distributed/device_mesh.py", line 300, in _sell\n'
        "    raise ValueError(\nValueError: a till has 3 dims\n", "", "on purpose"),
    "a check within PyTorch": (
        'Traceback (most recent call last):\n' + CALL + '  File "/v/site-packages/torch/distributed/fsdp/_flat_param.py", line 300, in _sell\n'
        "    assert till is not None\nAssertionError\n", "A check within PyTorch fails (`_sell`, fsdp/_flat_param.py:300)", "ask its authors"),
    "a check of what traces, without the calls above it": (
        'Traceback (most recent call last):\n  File "/v/site-packages/torch/fx/experimental/proxy_tensor.py", line 300, in _sell\n'
        '    raise AssertionError("no till")\nAssertionError: no till\n', "A check within PyTorch fails", "Nothing in this text"),
    "a second traceback behind a warning of PyTorch's": (
        "Encountered an exception in identify_mutated_tensors, assuming every input is mutated\n" + UNANALYZED + "\n" +
        UNANALYZED.replace("till lost", "drawer lost"), "Run the same without them", "Nothing in this text"),
    "a limit that a function reaches which draws": (
        "W0912 20:46:24.117000 9 torch/_dynamo/convert_frame.py:906] [2/8] torch._dynamo hit config.recompile_limit (8)\n"
        "W0912 20:46:24.117000 9 torch/_dynamo/convert_frame.py:906] [2/8]    function: 'draw' (/srv/site-packages/PIL/Image.py:12)\n"
        "W0912 20:46:24.117000 9 torch/_dynamo/convert_frame.py:906] [2/8]    last reason: 2/7: L['width'] == 3.5\n",
        "`@torch.compiler.disable`", "raise the limit"),
    "a decorator, in the PyTorch of a sentence": (
        "Tills 1.4 / PyTorch 2.0, model = torch.compile(shop)\n"
        "torch._dynamo hit config.cache_size_limit (64)\n   function: 'draw' (/srv/site-packages/PIL/Image.py:12)\n   reasons:  w == 3.5\n",
        "`@torch._dynamo.disable`", "torch.compiler.disable"),
    "a rank that compiles while another waits": (
        "[rank0]:[E418 11:52:07.118402331 ProcessGroupNCCL.cpp:688] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=14, "
        "OpType=ALLREDUCE, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600021 milliseconds before timing out.\n"
        "On the other till htop shows 20 children of `compile_worker`.\n", "init_process_group(timeout=", "Find the rank that is missing"),
    "a rank that is missing": (
        "[rank0]:[E418 11:52:07.118402331 ProcessGroupNCCL.cpp:688] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=14, "
        "OpType=ALLREDUCE, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600021 milliseconds before timing out.\n"
        "The other till is idle.\n", "Find the rank that is missing", "init_process_group(timeout="),
    "a method with a cache, which is called without its object": (
        "@lru_cache\ndef grow(self, n): ...\n\n"
        "torch._dynamo.exc.Unsupported: failed to bind arguments when attempting to inline\n"
        "  Explanation: Argument mismatch when attempting to trace function grow.\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 12, in sell\n    till.grow(3)\n', "Take the decorator off", "fix it; if not"),
    "a call that does not fit its function": (
        "torch._dynamo.exc.Unsupported: failed to bind arguments when attempting to inline\n"
        "  Explanation: Argument mismatch when attempting to trace function grow.\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 12, in sell\n    till.grow(3)\n', "fix it; if not", "Take the decorator off"),
    "a cache of functools around a compiled function": (
        "@functools.cache\ndef sell(x): ...\n\n" + "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/{i}] [__recompiles] {line}\n"
            for i in (1, 2) for line in ("Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
                f"    - 0/{i - 1}: G['sold'] == {i - 1}")), "Call a cached function outside", "no such words"),
    "an index at which a tensor is read": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - 0/0: i.item() == 0  # count = stock[i]  # srv/shop.py:14 in sell")), "index_select(0", "index_copy_"),
    "an array of another dtype": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - 0/0: tensor '___from_numpy(price)' dtype mismatch. expected Double, actual Float")),
        'price = price.astype("float64")', "price.to("),
    "a tensor of another dtype": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - 0/0: tensor 'price' dtype mismatch. expected Double, actual Float")), "price.to(torch.float64)", "astype"),
    "a tensor that was expanded": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - 0/0: tensor 'price' stride mismatch at index 0. expected 1, actual 0")),
        "expanded tensor", "a buffer whose length"),
    "a stride of which the size is unknown": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - 0/0: tensor 'price' stride mismatch at index 0. expected 3, actual 7")),
        "a buffer whose length", "expanded tensor"),
    "a stride of a dimension whose size is printed": (
        "torch.Size([4, 1])\ntorch.Size([4, 1])\n" + "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - 0/0: tensor 'price' stride mismatch at index 0. expected 3, actual 7")),
        "price = price.contiguous()", "new_empty"),
    "a stride of a dimension of size one that is printed": (
        "torch.Size([1, 4])\ntorch.Size([1, 4])\n" + "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - 0/0: tensor 'price' stride mismatch at index 0. expected 3, actual 7")),
        "new_empty", "PyTorch 2.5 or newer"),
    "strides that an older PyTorch does not make dynamic": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:2575] [0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - tensor 'price' stride mismatch at index 0. expected 3, actual 7")) +
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:2575] [0/2] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - tensor 'price' stride mismatch at index 0. expected 7, actual 9")),
        "PyTorch 2.5 or newer", "no such words"),
    "an array of NumPy of another layout": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - 0/0: tensor '___from_numpy(price)' stride mismatch at index 0. expected 3, actual 1")),
        "price = price.copy()", "new_empty"),
    "torch functions that are disabled in some calls": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - 0/0: GLOBAL_STATE changed: torch_function")), "DisableTorchFunction", "default device"),
    "a list that has grown twice": (
        "".join(f"V0912 20:46:24.117000 9 torch/_dynamo/guards.py:4190] [0/{n}] [__recompiles] {line}\n" for n in (1, 2) for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            f"    - 0/{n - 1}: len(G['seen']) == {n}  # seen.append(price)  # srv/shop.py:8 in pack")),
        "each call that adds to it is one more compile", "If it is a memo"),
    "a size that PyTorch makes a constant": (FIXED.format("", ""), "PyTorch's own code (_subclasses/fake_tensor.py:1434)", "A relation between sizes"),
    "a size that a line makes a constant": (
        FIXED.format("at shop.py:12 in sell ", "at shop.py:12 in sell "), "The size is compiled in as a number", "PyTorch's own code"),
    "a limit that only DDP reaches": (
        "Same shop, no DDP wrapper: compiles twice, then never again.\n" + LIMIT_OF_SIZE, "optimize_ddp = False", "automatic_dynamic_shapes"),
    "a limit in a program with DDP": ("The shop is wrapped in DDP.\n" + LIMIT_OF_SIZE, "automatic_dynamic_shapes", "optimize_ddp"),
    "CUDA graphs for sizes that vary": (MANY_SIZES.format(""), "For fixed sizes only", "GRAPH_PARTITION"),
    "CUDA graphs for sizes that vary, against the setting": (
        MANY_SIZES.format("config.triton.cudagraph_skip_dynamic_graphs = True\n"), "GRAPH_PARTITION=0", "For fixed sizes only"),
    "CUDA graphs for sizes that vary, the setting off": (
        MANY_SIZES.format("config.triton.cudagraph_skip_dynamic_graphs = False\n"), "For fixed sizes only", "GRAPH_PARTITION"),
    "blocks that FSDP wraps": (
        CHANNELS + "The model is FSDP-wrapped (ModuleWrapPolicy({Till})).\n", "above the number of different modules", "dynamic shapes are off"),
    "blocks that nothing wraps": (CHANNELS, "dynamic shapes are off", "FSDP wraps modules"),
    "times with a policy of checkpoints": (
        "net = torch.compile(till)\ncheckpointing with context_fn 84.7 ms\n", "compile the checkpointed module", "`max-autotune`"),
    "times without a policy of checkpoints": (
        "net = torch.compile(till)\nplain checkpointing 84.7 ms\n", "The first calls compile", "compile the checkpointed module"),
    "times of coordinate descent tuning": (
        TIMERS.format("CachingAutotuner.coordinate_descent_tuning: 64.71"), "coordinate_descent_tuning", "no such words"),
    "times without coordinate descent tuning": (TIMERS.format("async_compile.wait: 64.71"), "TORCH_TRACE", "coordinate descent"),
    "wrong values with freezing": (
        "torch.compile(till) gives me wrong values with TORCHINDUCTOR_FREEZING=1.\ntensor([0.5, 0.25])\ntensor([0.25, 0.5])\n", "With freezing", "rounds"),
    "wrong values without freezing": (
        "torch.compile(till) gives me wrong values.\ntensor([0.5, 0.25])\ntensor([0.25, 0.5])\n", "Find the stage", "With freezing"),
    "NaN in modes that use CUDA graphs": (
        "torch.compile of the till\n| default | 0.71 | 0.64 |\n| reduce-overhead | 0.71 | nan |\n", "Only the modes that use CUDA graphs", "NAN_ASSERTS"),
    "NaN in all modes": (
        "torch.compile of the till\n| default | 0.71 | nan |\n| reduce-overhead | 0.71 | nan |\n", "NAN_ASSERTS", "Only the modes that use CUDA graphs"),
    "a backward that is never run": (PENDING, "around the call", "p.detach()"),
    "a backward that is never run, of torch.func": (
        PENDING + "It calls torch.func.grad_and_value(sell), and no_grad changes nothing.\n", "p.detach()", "around the call"),
    "a hang that one thread cures": (
        HANGS_AT_END.format("`TORCHINDUCTOR_COMPILE_THREADS=1` makes it go away."), "keep `TORCHINDUCTOR_COMPILE_THREADS=1`", "A stack that changes"),
    "a hang that one thread does not cure": (
        HANGS_AT_END.format("`TORCHINDUCTOR_COMPILE_THREADS=1` changes nothing."), "A stack that changes", "keep `TORCHINDUCTOR"),
    "a table in which aot_eager is the slow one": (TIMES_OF_TILLS.format("15m 32s"), "Measure with Inductor", "reduce-overhead"),
    "a table in which Inductor is the slow one": (TIMES_OF_TILLS.format("59m 32s"), "reduce-overhead", "Measure with Inductor"),
    "float8 on a GPU that is too old for it": (FLOAT8_ON.format("RTX 3090"), "Most likely the GPU is too old", "a bug in Inductor"),
    "float8 on a GPU that has it": (FLOAT8_ON.format("RTX 4090"), "a bug in Inductor", "the GPU is too old"),
    "a start of vLLM that compiles for half an hour": (COMPILES_LONG.format("2219.43"), "VLLM_CACHE_ROOT", "one CPU"),
    "a start of vLLM that compiles for half an hour, on one CPU": (COMPILES_LONG.format("2219.43") + "Ray has num_cpus=1.\n", "one CPU", "quokka"),
    "a start of vLLM": (COMPILES_LONG.format("42.43"), "TORCH_TRACE", "VLLM_CACHE_ROOT"),
    "inputs on the CPU, of a graph that is not named": (
        "The shop uses torch.compile.\nskipping cudagraphs due to cpu device (arg3_1)\nskipping cudagraphs due to cpu device (arg7_1)\n",
        "TORCH_LOGS=aot_graphs", "this line reads"),
    "memory that Triton 2.0 keeps": (
        "torch 2.0.0+cu117, torch.compile, psutil rss\nmemory_info().rss\n## compile inductor\n0 635711488\n1 635973632\n2 636366848\n3 636760064\n"
        "## compile none\n0 646852608\n1 646852608\n2 646852608\n", "32 bytes", "tracemalloc"),
    "memory that a newer version keeps": (
        "torch 2.4.0+cu117, torch.compile, psutil rss\nmemory_info().rss\n## compile inductor\n0 635711488\n1 635973632\n2 636366848\n3 636760064\n"
        "## compile none\n0 646852608\n1 646852608\n2 646852608\n", "only what Inductor adds", "32 bytes"),
    "a difference that aot_eager does not have": (
        "AssertionError: Tensor-likes are not close!\n\nMismatched elements: 2 / 32 (6.2%)\nGreatest absolute difference: 0.01 at index (1,)\n\n"
        "With backend='aot_eager' it passes, so is it Inductor? It uses torch.compile.\n", "so it is most likely Inductor",
        "Find the stage that changes"),
    "a fixed point under Python 3.8": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/lib/python3.8/site-packages/torch/_dynamo/bytecode_analysis.py", line 212, in stacksize_analysis\n    assert 0\n'
        "AssertionError: failed to reach fixed point\n", "use Python 3.9 or later", "In Lightning"),
    "a fixed point under another Python": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/lib/python3.10/site-packages/torch/_dynamo/bytecode_analysis.py", line 212, in stacksize_analysis\n    assert 0\n'
        "AssertionError: failed to reach fixed point\n", "use a newer PyTorch", "Python 3.9"),
    "an input of other strides": (FRAGMENTS["a check of an input of the graph"][0], "An input of the graph", "register_fake"),
    "a result of other strides": (FRAGMENTS["a check of an operator's result"][0], "register_fake", "An input of the graph"),
    "copies of OpenMP in one package": (
        FRAGMENTS["two copies of OpenMP, which end the process"][0], "install another one", "all with pip"),
    "copies of OpenMP of two packages": (
        "OMP: Error #15: Initializing libiomp5.dylib, but found libomp.dylib already initialized.\ntorch.compile(shop)\n",
        "all with pip", "PyTorch's own package"),
    "a native crash on a Mac": (
        'Fatal Python error: Segmentation fault\n\nThread 0x00000001f5e7d000 (most recent call first):\n'
        '  File "/Users/me/v/torch/_inductor/codecache.py", line 906 in __call__\n  File "/Users/me/shop.py", line 12 in <module>\n',
        "lldb", "gdb"),
    "a fused kernel that Triton refuses": (
        FRAGMENTS["a pass of Triton's that fails, with its reason"][0], "exclude the function", "max-autotune"),
    "a kernel of a template that Triton refuses": (
        FRAGMENTS["a pass of Triton's that fails, with its reason"][0].replace("triton_per_fused_cos_3", "triton_tem_fused_mm_3"),
        "compile without max-autotune", "or a GPU that this version"),
    "CUDA graphs of each length": (
        'net = torch.compile(shop, mode="reduce-overhead", dynamic=True)\nThe memory usage grows with each length until OOM.\n'
        "TORCH_LOGS=recompiles shows one recompile and then nothing more, so it is not that.\n",
        "recorded for each new shape", "compiling again and again"),
    "memory that grows without CUDA graphs": (
        "net = torch.compile(shop, dynamic=True)\nThe memory usage grows with each length until OOM.\n",
        "compiling again and again", "one graph is recorded"),
    "an object of each module": (
        "".join(f"V0919 16:15:5{n}.730000 25 torch/_dynamo/guards.py:2997] [0/{n}] [__recompiles] Recompiling function forward in /srv/shop.py:12\n"
                f"V0919 16:15:5{n}.730000 25 torch/_dynamo/guards.py:2997] [0/{n}] [__recompiles]     triggered by the following guard failure(s):\n"
                f"V0919 16:15:5{n}.730000 25 torch/_dynamo/guards.py:2997] [0/{n}] [__recompiles]     - 0/{n - 1}: "
                f"___check_obj_id(self._modules['till'].drawer, 14057634576059{n})\n" for n in (1, 2)),
        "give all modules the same one", "Several modules share"),
    "modules that share their code": (
        "".join(f"V0919 16:15:5{n}.730000 25 torch/_dynamo/guards.py:2997] [0/{n}] [__recompiles] Recompiling function forward in /srv/shop.py:12\n"
                f"V0919 16:15:5{n}.730000 25 torch/_dynamo/guards.py:2997] [0/{n}] [__recompiles]     triggered by the following guard failure(s):\n"
                f"V0919 16:15:5{n}.730000 25 torch/_dynamo/guards.py:2997] [0/{n}] [__recompiles]     - 0/{n - 1}: "
                f"___check_obj_id(self._modules['till'], 14057634576059{n})\n" for n in (1, 2)),
        "Several modules share", "give all modules the same one"),
    "a backend that fuses nothing": (
        'net = torch.compile(Shop(), backend="aot_eager")\nThe till is much slower than eager mode here.\n', "Measure with Inductor", "py-spy"),
    "a backend that fuses nothing, beside one that does": (
        'net = torch.compile(Shop(), backend="aot_eager")\nnet = torch.compile(Shop())\nThe till is much slower than eager mode here.\n',
        "leave them out of the measurement", "Measure with Inductor"),
    "lists of two sides": (
        "net = torch.compile(Shop())\neager:    [-0.67, 2.50, 1.1]\ncompiled: [-1.34, 5.01, 1.1]\n", "No rounding does that", "run it with"),
    "a death in a log of CI, of one command": (
        "torch.compile\n/exec: line 7:  4135 Segmentation fault      python till.py --compile\n", "gdb", "the same command without"),
    "a segmentation fault on Windows": (
        "torch.compile(shop)\nProcess finished with exit code -1073741819 (0xC0000005)\n", "faulthandler", "gdb"),
    "a text that has no recompiles": (
        "net = torch.compile(Shop())\ncompiled: 3.1 ms\neager: 2.9 ms\nTORCH_LOGS=recompiles stays empty.\n",
        "The first calls compile", "TORCH_LOGS=recompiles"),
    "speed without recompiles": (
        "net = torch.compile(Shop())\nThe overhead of the till is what we look at.\nNothing is recompiled here.\n",
        "torch.profiler", "recompiles"),
    "times of a loop": (
        "net = torch.compile(Shop())\ncompiled: 3.1 ms\neager: 2.9 ms\n", "recompiles", "makes later starts faster"),
    "times of a start": (
        "net = torch.compile(Shop())\ncompiled: 3.1 s\neager: 2.9 s\nThe startup of the till counts.\n",
        "makes later starts faster", "what Dynamo does"),
    "a lookup that takes little": (
        "torch.compile(till)\n  Name   Self CPU %   Self CPU   # of Calls\n  TorchDynamo Cache Lookup   0.11%   8.211ms   100\n",
        "The first calls compile", "skip_guard"),
    "memory of autocast that is equal": (
        "The till, by settings:\ncompile: off, autocast: off  1.10 GB\ncompile: off, autocast: on  1.21 GB\n"
        "compile: on, autocast: on  1.20 GB\nwith torch.compile 2.5\n", "memory", "Cast the weights once"),
    "a mask that is compiled": (
        "torch.compile(till)\ncreate_block_mask(mask, None, None, 9, 9, _compile=True)\ncreate_block_mask  avg 900.1 ms\n"
        "flex_attention fwd  avg 40.2 ms\n", "from_kv_blocks", "it does not store"),
    "a mask that takes little": (
        "torch.compile(till)\ncreate_block_mask  avg 9.1 ms\nflex_attention fwd  avg 40.2 ms\n", "The first calls compile",
        "from_kv_blocks"),
    "lists of two sides that agree": (
        "net = torch.compile(Shop())\neager:    [-0.67, 2.50, 1.1]\ncompiled: [-0.671, 2.501, 1.1]\n", "paste the numbers", "No rounding does that"),
    "an exception without words within another": (
        'Traceback (most recent call last):\n  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 736, in compile_wrapper\n    return fn(x)\n'
        '  File "/srv/till/custom_op.py", line 70, in forward_native\n    raise NotImplementedError\nNotImplementedError\n\n'
        "During handling of the above exception, another exception occurred:\n\n"
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    raise Exception(\n'
        "Exception: Capture cuda graph failed: \nPossible solutions:\n1. less\n2. fewer\n3. none\n4. other\n",
        "has no version for this case", "Run without CUDA graphs"),
    "no CUDA on a Mac": (
        "OS: macOS 13.2.1 (arm64)\nBackendCompilerFailed: debug_wrapper raised AssertionError: Torch not compiled with CUDA enabled\n",
        "A Mac has no CUDA", "Install a build with CUDA"),
    "no CUDA on Linux": (
        "OS: Ubuntu 22.04\nBackendCompilerFailed: debug_wrapper raised AssertionError: Torch not compiled with CUDA enabled\n",
        "Install a build with CUDA", "A Mac has no CUDA"),
    "memory in the pools of CUDA graphs": (
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 100.00 MiB. GPU 0 has a total capacity of 40.00 GiB of which 80.00 MiB is "
        "free. Including non-PyTorch memory, this process has 39.90 GiB memory in use. Of the allocated memory 20.00 GiB is allocated by PyTorch, "
        "with 12.00 GiB allocated in private pools (e.g., CUDA Graphs), and 1.00 GiB is reserved by PyTorch but unallocated.\n"
        "compiled with torch.compile, mode reduce-overhead\n", "pad the inputs to a few sizes", "(fragmentation)"),
    "a float before 2.6": (FLOAT.format("2.5.1"), "PyTorch 2.6 and later make it dynamic", "once for each value. Pass it"),
    "a float since 2.6": (FLOAT.format("2.7.0"), "once for each value. Pass it", "PyTorch 2.6 and later"),
    "a value that a library asks for, in an export": (
        TITLES["a value that a library asks for"][0], "with one that does not ask", "Keep the value a tensor"),
    "the bound of a loop": (BOUND.format("for i in range(first, n + 1):"), "unrolled into the graph", "assume_static_by_default"),
    "a number beside a loop": (BOUND.format("for i in range(first, many.n):"), "assume_static_by_default", "unrolled into the graph"),
    "a function of the C interface that no library has": (
        LINKED.format("unresolved external symbol aoti_torch_get_quokka referenced in function till"), "compiles, but does not link",
        "no C function for the operator"),
    "a function of the C interface that the headers lack": (
        "InductorError: CppCompileError: C++ compile error\n\nOutput:\n/tmp/torchinductor_me/c1.cpp:7:9: error: 'aoti_torch_get_quokka' was not "
        "declared in this scope\n", "of another version than the PyTorch", "for the operator"),
    "an operator that the C interface lacks": (
        ABI.format(""), "no C function for the operator", "`abi_compatible`"),
    "an operator that the C interface lacks, by choice": (
        ABI.format("config.aot_inductor.abi_compatible = True\n"), "without it, the operator is called directly", "exported model"),
    "a kernel of 2.6 that is left out": (FLEX.format("2.6.0", "bfloat16", 128), "This is a bug in PyTorch 2.6", "BLOCK_SIZE"),
    "a kernel that is left out by a version that is not named": (
        FLEX.format("x", "float16", 128), "Most likely it is a bug in PyTorch 2.6", "BLOCK_SIZE"),
    "... of another size": (FLEX.format("x", "float16", 64), "`BLOCK_SIZE` of `create_block_mask`", "a bug in PyTorch 2.6"),
    "... whose options are not read": (FLEX.format("x", "float16", 128), "so neither helps", "BLOCK_M1"),
    "a kernel of 2.7 that does not fit": (FLEX.format("2.7.0", "bfloat16", 128), "BLOCK_SIZE", "a bug in PyTorch 2.6"),
    "a kernel of 2.6 of another size": (FLEX.format("2.6.0", "bfloat16", 64), "BLOCK_SIZE", "a bug in PyTorch 2.6"),
    "the side that PyTorch takes": (
        ASKED.format("ATTENTION: guard_size_oblivious would fix the error, evaluating expression to False.\n"), "`torch._check(...)` of `u3 != 2`",
        "u3 == 2"),
    "a side that PyTorch does not take": (ASKED.format(""), "`torch._check(...)` of `u3 == 2` or `u3 != 2`", "PyTorch's own code takes"),
    "a symbol of the old ABI": (
        LOADED.format("_ZN3c106quokka4sellERKSs"), "built for the old ABI", "compiler's caches"),
    "a symbol that is of no ABI": (LOADED.format("_ZN3c106quokka4sellEi"), "versions that belong together", "ABI"),
    "ranks that the text has, and others": (WAITING((2, 3)), "The group has ranks of which the text has nothing", "No rank of this text"),
    **{f"ranks that print one number, {name}": (WAITING((0,)) + text, yes, no) for name, text, yes, no in (
        ("as the writer says", "All 8 ranks of the till show last enqueued work: 413.\n", "the other ranks print the same numbers", "Compare the same"),
        ("but for one", "All 8 ranks of the till show last enqueued work: 413, except rank 3.\n", "Compare the same line", "print the same numbers"),
        ("which is asked", "Do all ranks of the till show the same last enqueued work?\n", "Compare the same line", "print the same numbers"))},
    "ranks that the text has": (WAITING((0, 1)), "All ranks of this text have called", "may not have called"),
    **{f"a driver, {name}": (IMAGE + text, yes, no) for name, text, yes, no in (
        ("older than the CUDA of the wheel", "| Driver Version: 470.161   CUDA Version: 11.4 |\ntorch 2.2.0+cu118\n", "update the driver, or install", "try empty caches"),
        ("of the CUDA of the wheel", "| Driver Version: 520.61   CUDA Version: 11.8 |\ntorch 2.2.0+cu118\n", "older than the ptxas that Triton brings", "in this text"),
        ("older than CUDA as the environment says", "CUDA used to build PyTorch: 12.4\nNvidia driver version: 535.104.05\n", "update the driver, or install", "try empty caches"),
        ("as new as the environment says", "CUDA used to build PyTorch: 12.4\nNvidia driver version: 550.54.14\n", "older than the ptxas that Triton brings", "in this text"),
        ("newer than all that are known", "CUDA used to build PyTorch: 13.0\nNvidia driver version: 610.10.01\n", "older than the ptxas that Triton brings", "in this text"),
        ("of a PyTorch for ROCm", "torch 2.2.0+rocm5.7\n| CUDA Version: 11.4 |\n", "try empty caches", "in this text"),
        ("in a text where fresh code works", "After clearing the cache it works.\n", "of a cache", "name the ptxas"),
        ("in a text where fresh code fails", "I removed the cache, same crash.\n", "name the ptxas", "try empty caches"),
        ("of vLLM", "vllm serve till\n", "In vLLM: `VLLM_CACHE_ROOT`", "emove the caches"),
        ("without vLLM", "python shop.py\n", "`TRITON_PTXAS_PATH=/usr/local/cuda/bin/ptxas`", "vLLM"))},
    "code of an extension that the driver does not take": (
        "torch.compile\nRuntimeError: CUDA error: device kernel image is invalid\n", "older than the CUDA that compiled the code", "ptxas"),
    "a program that compares results of which one run changes the input": (
        "price = torch.compile(shop)\nx.copy_(y)\n" + COMPARES, "in place (`x.copy_(y)`)", "inplace=True"),
    "a program that compares results": (
        "price = torch.compile(shop)\n" + COMPARES, "See that both start from the same inputs", "changes a tensor in place"),
    "a program that compares its own": (COMPARES + "torch\n", "it is not the compiler's", "The program compares results itself"),
    "a file of Inductor's that the compiler does not find": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nCppCompileError: C++ compile error\n\nOutput:\n"
        "g++: error: /tmp/torchinductor_SHOPtill/ab/cab.cpp: No such file or directory\ng++: fatal error: no input files\n",
        "TORCHINDUCTOR_CACHE_DIR=/tmp/inductor", "Install what has the header"),
    "a size without a definition, beside a kernel": (LOST_SIZE + "def sell(p, N: tl.constexpr):\n", "ordinary argument", "no such words"),
    "a size among the constants of a kernel": (
        LOST_SIZE + "triton_meta={'signature': {0: '*fp32'}, 'constants': {1: s0, 2: 64}},\ndef sell(p, N: tl.constexpr):\n",
        "among the constants of a Triton kernel", "which is a bug in PyTorch"),
    "a script that has the line": (
        "if __name__ == '__main__':\n    sell(torch.compile(till))\n\n" + STARTS_AGAIN.format(""), "`if __name__ == \"__main__\":` already", "Put what the script does"),
    "a script that may lack the line": (
        STARTS_AGAIN.format("") + "torch.compile(till)\n", "Put what the script does", "already"),
    "a script that imports what starts Inductor's workers": (
        "if __name__ == '__main__':\n    sell(torch.compile(till))\n\n" + STARTS_AGAIN.format(
            '  File "/v/site-packages/torch/_inductor/codecache.py", line 2799, in <module>\n    AsyncCompile.warm_pool()\n'
            '  File "/v/site-packages/torch/_inductor/codecache.py", line 2636, in warm_pool\n    pool._adjust_process_count()\n'),
        "Inductor starts these processes", "Put what the script does"),
    "a size without a definition": (LOST_SIZE, "dynamic=False", "ordinary argument"),
    "a GPU that nvidia-smi sees": ("torch.compile\nRuntimeError: No CUDA GPUs are available\nnvidia-smi shows both cards.\n", "it is this process that does not", "in a container"),
    "a GPU of which nothing is said": ("torch.compile\nRuntimeError: No CUDA GPUs are available\n", "in a container", "it is this process that does not"),
    "stages, without max-autotune": (
        "The compile time of torch.compile(till) is very high, minutes.\n", "TORCH_TRACE", "max-autotune"),
    "stages, with max-autotune": (
        "The compile time of torch.compile(till, mode=\"max-autotune\") is very high, minutes.\n", 'mode="default"', "WRONG"),
    "times after a warm-up": (
        "torch.compile(till), 100 warm-up calls before:\neager: 3 ms\ncompiled: 9 ms\n", "graph_breaks", "The first calls compile"),
    "times after a warm-up, in other words": (
        "torch.compile(till)\nAverage of 100 calls after warmup.\neager: 3 ms\ncompiled: 9 ms\n", "graph_breaks", "The compiler's cache"),
    "times after a warm-up, beside a question": (
        "Why is torch.compile slow here? 200 calls after 20 warmup calls.\neager: 3 ms\ncompiled: 9 ms\n", "graph_breaks", "The first calls compile"),
    "times without a warm-up": (
        "torch.compile(till), no warm-up:\neager: 3 ms\ncompiled: 9 ms\n", "The first calls compile", "WRONG"),
    "a warm-up that takes long": (
        "torch.compile(till)\nThe warm-up takes 90 s.\neager: 3 ms\ncompiled: 9 ms\n", "The first calls compile", "WRONG"),
    "single functions on a GPU": (
        "torch.compile(till) on cuda:0, us per call\nexp\neager: 300\ncompiled: 601\nlog\neager: 400\ncompiled: 100\n", "nothing to fuse", "VML"),
    "single functions on the CPU": (
        "torch.compile(till) on CPU, us per call\nexp\neager: 300\ncompiled: 601\nlog\neager: 400\ncompiled: 100\n", "VML", "WRONG"),
    "outputs of CUDA graphs": (
        "torch.compile(till)\nmode=default: max_diff=1e-8 ok\nmode=reduce-overhead: max_diff=2.5 BUG\n", "`.clone()` outputs", "Gradients that"),
    "gradients of CUDA graphs": (
        "torch.compile(till), after 4 backwards\nmode=default: max_diff=1e-8 ok\nmode=reduce-overhead: max_diff=2.5 BUG\n", "Gradients that", "WRONG"),
    "a compiler without AOTInductor": (
        "torch.compile(till)\n 4117 99.9 00:41:02 cc1plus /tmp/torchinductor_me/c1.cpp\n", "more cores do not help", "compile_wrapper"),
    "what plain PyTorch does": (IMAGE + "\nPlain pytorch works on the card as well.\n", "name the ptxas", "what it depends on"),
    "a GPU that CUDA 13 knows": (PTXAS.replace("sm_121a", "sm_110a"), "13.0 or later", "12.9 or later"),
    "a GPU that CUDA 12.9 does not know": (PTXAS.replace("sm_121a", "sm_110a") + "CUDA: 12.9\n", "Or name the ptxas", "The text names a CUDA"),
    "a device without a generator": (DEVICE.format("mps"), "no code generator for the device `mps`", "TORCHDYNAMO_REPRO_AFTER"),
    "a device of another maker": (DEVICE.format("hpu"), "its maker's package registers one", "`mps`"),
    "a device with a generator": (DEVICE.format("cuda:0"), "Inductor cannot compile this call", "no code generator"),
    "a size that an export fixes, whose line is not shown": (VIOLATED + "  till = 4\n", "prints at `[guard added]`", "what torch.export does not"),
    "a size that an export fixes, whose line is shown": (
        VIOLATED.replace("Suggested", '\nUser stack:\n  File "/srv/shop.py", line 4, in sell\n    x + table\n\nSuggested') + "  till = 4\n",
        "change the line that fixes it, or leave", "prints at `[guard added]`"),
    "a launcher that fails": (LAUNCHED.format("AttributeError: 'NoneType' object has no attribute 'quokka'"), "a bug in the compiler, not in the model",
                              "TORCHDYNAMO_VERBOSE"),
    "counts that numpy adds": (COUNTED.format("till.bincount().cpu().numpy().cumsum(0)"), "with the setting 2.13 captures it", "Python itself uses it"),
    "counts that Python takes": (COUNTED.format("till.bincount().tolist()"), "Python itself uses it", "Let Dynamo capture such"),
    "an index in a kernel of an embedding": (
        LAUNCHED.format("RuntimeError: Triton Error [CUDA]: device-side assert triggered"), "`triton_red_fused_embedding_mean_0`, most likely",
        "the kernel was launched before"),
    "an index in another kernel": (
        LAUNCHED.format("RuntimeError: Triton Error [CUDA]: device-side assert triggered").replace("_embedding", ""),
        "the kernel was launched before", "most likely the kernel that fails"),
    "a lowering that fails": (LOWERED.format("AssertionError: no quokka", "till.default"), "exclude the function", "then `\"aot_eager\"`"),
    "a failure of Inductor": ("torch._inductor.exc.InductorError: AssertionError: no quokka\n", "compiles without Inductor", "Find the stage that fails"),
    "a size that varies in Inductor": (
        LOWERED.format("TypeError: cannot determine truth value of Relational", "aten.pad.default"), "`dynamic=False`", "what the message names"),
    "a sum within a score_mod": (
        LOWERED.format("AssertionError: convert FlexibleLayout to FixedLayout first", "flex_attention"), "dist[q_idx, k_idx]", "Find the stage"),
    "a sum within a score_mod, shown in short first": (
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nLoweringException: AssertionError: convert FlexibleLayout to "
        "FixedLayout first\n\nand in the log:\n\n" + LOWERED.format("AssertionError: convert FlexibleLayout to FixedLayout first", "flex_attention"),
        "dist[q_idx, k_idx]", "Find the stage"),
    "few queries of a batch that varies": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    flex_attention(q, k, v)\n'
        '  File "/v/site-packages/torch/_inductor/kernel/flex_decoding.py", line 9, in create_flex_decoding_kernel\n    split(B)\n'
        + LOWERED.format("TypeError: cannot determine truth value of Relational", "flex_attention"), "FORCE_USE_FLEX_ATTENTION", "what the message names"),
    "an assertion of the compiler behind Triton, without a stack": (
        "python: /v/.triton/llvm/llvm-1/include/llvm/Casting.h:566: auto llvm::cast(const From&) [To = mlir::Till]: Assertion "
        "`isa<To>(Val)' failed.\nAborted (core dumped)\n", "no kernel ran", "gdb"),
    "a size that an operator changes": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
        '  File "/v/site-packages/torch/_inductor/compile_fx.py", line 9, in compile_fx\n    return aot_autograd(\n'
        '  File "/v/site-packages/torch/_functorch/_aot_autograd/graph_capture_wrappers.py", line 8, in _functionalized_f_helper\n'
        '    inpt_old.copy_(inpt_new)\n  File "/v/site-packages/torch/_meta_registrations.py", line 7, in meta_copy_\n    f(self)\n'
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nRuntimeError: expand: the requested shape has too few dimensions!\n",
        "Change the size before", "then `\"aot_eager\"`"),
    "a failure before Inductor is called": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
        '  File "/v/site-packages/torch/_inductor/compile_fx.py", line 9, in compile_fx\n    return aot_autograd(\n'
        '  File "/v/site-packages/torch/_functorch/aot_autograd.py", line 8, in aot_module_simplified\n    assert not x\n'
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nAssertionError: no quokka\n",
        "AOTAutograd fails while it traces", "not the model"),
    "a warning with the traceback of what was dealt with": (GONE_ON, "it takes all of them for written", "Triton rejects a line"),
    "a size that is a constant again": (
        each_line("Recompiling function sell in /srv/shop.py:3\n    triggered by the following guard failure(s):\n"
                  "    - 0/0: tensor 'L['x']' size mismatch at index 0. expected 3, actual 4\n",
                  "V0102 10:11:12.131000 9 torch/_dynamo/guards.py:2813] [0/1] [__recompiles] ") +
        each_line("Recompiling function sell in /srv/shop.py:3\n    triggered by the following guard failure(s):\n"
                  "    - 0/1: tensor 'L['x']' size mismatch at index 0. expected 4, actual 5\n"
                  "    - 0/0: tensor 'L['x']' size mismatch at index 0. expected 3, actual 5\n",
                  "V0102 10:11:13.131000 9 torch/_dynamo/guards.py:2813] [0/2] [__recompiles] "),
        "TORCH_LOGS=\"dynamic\"", "assume_static_by_default"),
    "a size that changes once": (
        each_line("Recompiling function sell in /srv/shop.py:3\n    triggered by the following guard failure(s):\n"
                  "    - 0/0: tensor 'L['x']' size mismatch at index 0. expected 3, actual 4\n",
                  "V0102 10:11:12.131000 9 torch/_dynamo/guards.py:2813] [0/1] [__recompiles] "),
        "assume_static_by_default", "TORCH_LOGS=\"dynamic\""),
    "a size that 2.2 makes a constant": (
        "[2024-01-02 10:11:12,118] [0/0] torch.fx.experimental.symbolic_shapes: [INFO] create_env\n"
        "[2024-01-02 10:11:13,204] [0/1] torch.fx.experimental.symbolic_shapes: [INFO] create_env\n"
        "[2024-01-02 10:11:13,206] [0/1] torch.fx.experimental.symbolic_shapes: [INFO] create_symbol s0 = 3 for L['t'].size()[1] [2, 9223372036854775806]\n"
        "[2024-01-02 10:11:13,231] [0/1] torch.fx.experimental.symbolic_shapes: [INFO] set_replacement s0 = 3\n"
        "[2024-01-02 10:11:13,233] [0/1] torch.fx.experimental.symbolic_shapes: [INFO] eval Eq(s0, 3) [guard added] (_subclasses/fake_tensor.py:1434 in f)\n",
        "makes them constants again", "PyTorch 2.5 and later record the reason"),
    "memory without CUDA graphs": (GROWS.format(""), "TORCH_LOGS=recompiles", "CUDA graphs are recorded"),
    "memory with CUDA graphs": (GROWS.format(', mode="max-autotune"'), "CUDA graphs are recorded", "a tensor for each call"),
    "memory without autograd": (GROWS.format("") + "with torch.no_grad():\n", "TORCH_LOGS=recompiles", ".detach()"),
    "memory of a function that is excluded": (
        GROWS.format("") + "@torch.compiler.disable\ntorch 2.6.0\n", "a tensor for each call", "CUDA graphs are recorded"),
    "memory of a function that is excluded, and stays without that": (
        GROWS.format("") + "@torch.compiler.disable\ntorch 2.6.0\nIt is flat without the disable.\n", "does not grow without `disable`", "TORCH_LOGS=recompiles"),
    "memory of a function that is excluded, and stays without that, later": (
        GROWS.format("") + "@torch.compiler.disable\ntorch 2.7.0\nIt is flat without the disable.\n", "TORCH_LOGS=recompiles", "a tensor for each call"),
    "memory of a function that is excluded, later": (GROWS.format("") + "@torch.compiler.disable\ntorch 2.7.0\n", ".detach()", "a tensor for each call"),
    "a comparison of convolutions": (DIFFERS + "Conv2d of CUDA\n", "`backends.cudnn` is False", "fallback_random"),
    "a comparison of convolutions on the CPU": (DIFFERS + "Conv2d, device='cpu'\n", "in float64", "backends.cudnn"),
    "a comparison with dropout": (DIFFERS + "Dropout(0.1)\n", "fallback_random = True", "backends.cudnn"),
    "a comparison with the result of a stage": (
        DIFFERS + "With aot_eager it gives 0.\n", "so it is most likely Inductor's", 'then `"aot_eager"`'),
    "results that a stage before Inductor has": (
        'Here the till gives wrong results.\ntorch.compile: `backend="eager"` is right, with aot_eager they differ already.\n',
        "it is not Inductor's", "If the first is wrong"),
    "results that Dynamo alone has": (
        'Here the till gives wrong results.\ntorch.compile: `backend="eager"` is wrong, too.\n', "most likely Dynamo's", "it is not Inductor's"),
    "results of backends, said in both ways": (
        'Here the till gives wrong results.\ntorch.compile with aot_eager is right. On Monday it differed with aot_eager.\n', 'then `"aot_eager"`', "Inductor's"),
    "a single program that hangs": ("My till hangs at the first call of torch.compile.\n", "waits for a lock", "the rank"),
    "a checkpoint of a library": (WRONG_SETTINGS.format("deepspeed.checkpointing"), "a library's own checkpointing", "mark_dynamic"),
    "no checkpoint of a library": (
        WRONG_SETTINGS.format("torch.utils.checkpoint"), "Leave one of these settings out", "a library's own checkpointing"),
    "settings of which a right row has all": (
        WRONG_SETTINGS.format("paint") + "compile, paint, deepspeed   0.3   0.2\n", "Dynamo alone", "wrong rows share"),
    "a speed that stays": (EVALUATED.format("914", "911", "909"), "graph_breaks` prints", "since an evaluation"),
    "a speed that comes back": (EVALUATED.format("640", "912", "909"), "graph_breaks` prints", "this is slow from the"),
    "two runs": (
        EVALUATED.format("640", "643", "641").replace("Running evaluation of the till", "\nWith compile:"), "graph_breaks` prints", "this is slow from"),
    "a clock behind a first call": (COLD.format("    till(x)\n", 10), "TORCH_LOGS=recompiles", "few calls is the compile"),
    "a clock behind first calls": (COLD.format("    for _ in range(3): till(x)\n", 10), "TORCH_LOGS=recompiles", "few calls is the compile"),
    "a clock around calls of a decorated function": (
        COLD.format("", 10).replace("till = torch.compile(till)", "@torch.compile\n    def till(x):\n        return x\n"),
        "few calls is the compile", "mark_dynamic"),
    "a clock around many calls": (COLD.format("", 1000), "TORCH_LOGS=recompiles", "few calls is the compile"),
    "a clock of float8": ("float8 tills\n" + COLD.format("", 10), "only large products gain", "mark_dynamic"),
    "a clock without float8": (COLD.format("", 10), "few calls is the compile", "only large products"),
    "slow code, of one size": ("The shop is slower with torch.compile than without it.\n", "TORCH_LOGS=recompiles", "mark_dynamic"),
    "slow code, of sizes that vary": (
        "The shop is slower with torch.compile than without it, with different sizes of tills.\n", "mark_dynamic", "since an evaluation"),
    "slow code that recompiles": ("The shop is slower with torch.compile, and it recompiles for tills.\n", "mark_dynamic", "since an evaluation"),
    "black images with sage attention": (
        "ComfyUI --use-sage-attention: a black image with torch.compile of the till.\n", "kernels of SageAttention", "float8 weights"),
    "black images where blocks work": (
        "I get a black image with torch.compile of the till. His node compiles the blocks, and the image is fine.\n",
        "works where blocks are compiled", "The text is of ComfyUI"),
    "garbage that is collected": (
        "The till is slower with torch.compile, with garbage collection or without it.\n", "TORCH_LOGS=recompiles", "aot_eager"),
    "a network that is no work": ("The network with inductor is ours. It is slower with torch.compile than without it.\n",
                                  "TORCH_LOGS=recompiles", "does not have the problem"),
    "a change that hangs nothing": ("The image is garbage with torch.compile, and the default inductor; aot_eager changes nothing.\n",
                                    'then `"aot_eager"`', "the problem already"),
    "ranks that hang": ("torchrun: my till hangs at the first call of torch.compile.\n", "waits for the rank", "waits for a lock"),
    "a program that hangs behind a stage": (
        "My till hangs at the first call of torch.compile. With aot_eager it returns at once.\n", "COMPILE_THREADS=1", "its last line names the stage"),
    "values that differ by far": (NO_ROUNDING, "No rounding does that", "are expected"),
    "values that differ by far, with dropout": (NO_ROUNDING + "Dropout(0.1)\n", "fallback_random = True", "No rounding does that"),
    "a size with dynamic shapes": (GUARD_OF_HOOK.format(", dynamic=True"), "Compile the body of the loop", "New sizes"),
    "a size without dynamic shapes": (GUARD_OF_HOOK.format(""), "New sizes", "Dynamic shapes are on"),
    "compiling that takes long, by its writer": (
        "net = torch.compile(Shop()) on cuda\nIt takes 20 min to compile the shop.\nThe first step: 1200 s\n", "Compile less", "leave them out"),
    "a setting beside CUDA graphs that are skipped": (
        "/v/site-packages/torch/_inductor/compile_fx.py:140: UserWarning: TensorFloat32 tensor cores for float32 matrix multiplication "
        "available but not enabled. Consider setting `torch.set_float32_matmul_precision('high')` for better performance.\n"
        "  warnings.warn(\nskipping cudagraphs due to ['non-cuda device in graph']\n", "mantissa of 10 bits", "reduce-overhead"),
    "memory of the process": (
        "Our shop uses torch.compile. The till is open. Its CPU memory usage has increased by 900 MB as compared with eager.\nNothing else.\n",
        "TORCHINDUCTOR_COMPILE_THREADS=1", "The till is open"),
    "memory of a GPU": (
        "Our shop uses torch.compile on cuda. The GPU memory usage has increased by 900 MB as compared with eager.\nNothing else.\n",
        "_record_memory_history", "TORCHINDUCTOR_COMPILE_THREADS=1"),
    "a break within an operator": (
        'Traceback (most recent call last):\n  File "/v/site-packages/torch/_dynamo/utils.py", line 9, in get_fake_value\n    unimplemented_v2(\n'
        "torch._dynamo.exc.Unsupported: Dynamic shape operator\n  Explanation: Operator `aten.nonzero.default`'s output shape depends on input "
        "Tensor data.\n\n  Developer debug context: aten.nonzero.default\n\nfrom user code:\n   File \"/srv/shop.py\", line 4, in sell\n"
        "    return torch.nonzero(x)\n\nThe above exception was the direct cause of the following exception:\n\n"
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    torch.compile(till)(x)\n'
        '  File "/v/site-packages/torch/_dynamo/variables/higher_order_ops.py", line 64, in graph_break_as_hard_error\n    raise\n'
        "torch._dynamo.exc.UncapturedHigherOrderOpError: Cond doesn't work unless it is captured completely with torch.compile. Scroll up.\n\n"
        'from user code:\n   File "/srv/shop.py", line 7, in forward\n    return torch.cond(\n',
        "capture_dynamic_output_shape_ops = True", "compile without `fullgraph=True`"),
    "an object of PyTorch's own optimizer": (
        "[2023-04-27 21:42:30,628] torch._dynamo.convert_frame: [WARNING] torch._dynamo hit config.cache_size_limit (64)\n"
        "   function: 'nadam' (/v/site-packages/torch/optim/nadam.py:160)\n   reasons:  ___check_obj_id(foreach, 7698112)\n",
        "PyTorch's own optimizer", "raise the limit"),
    "an object of the program's": (
        "[2023-04-27 21:42:30,628] torch._dynamo.convert_frame: [WARNING] torch._dynamo hit config.cache_size_limit (64)\n"
        "   function: 'sell' (/srv/shop.py:160)\n   reasons:  ___check_obj_id(till, 7698112)\n",
        "raise the limit", "PyTorch's own optimizer"),
    "a toolkit that knows the GPU": (
        PTXAS + "GPU: quokka (sm_121)\nCUDA: 13.0\n", "The text names a CUDA toolkit", "Or name the ptxas"),
    "no toolkit": (PTXAS, "that knows the GPU (12.9 or later; ", "The text names a CUDA toolkit"),
    "an export of a sparse tensor": (
        "till = torch.sparse_coo_tensor(i, v, (3, 4))\n" + FIXED_SIZE, "the input is a sparse tensor", "See which line of the code"),
    "an export of a dense tensor": (FIXED_SIZE, "See which line of the code", "the input is a sparse tensor"),
    "a machine that cannot compile": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net = torch.compile(net)\n'
        "RuntimeError: Python 3.12+ not yet supported for torch.compile\n", "the results are the same", "the error is not the compiler's"),
    "what calls sys.audit": (
        "/v/site-packages/torch/_dynamo/variables/functions.py:663: UserWarning: Graph break due to unsupported builtin sys.audit. This "
        "function is either a Python builtin (e.g. _warnings.warn) or a third-party C/C++ Python extension\n",
        "`os.walk`", "pass the result in"),
    "a name in code that Dynamo wrote": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net.sell(x)\n'
        '  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 433, in _fn\n    return fn(*args, **kwargs)\n'
        '  File "/v/site-packages/till/hooks.py", line 43, in ring\n    def ring(self, *args):\nNameError: name \'quokka\' is not defined\n',
        "a bug in Dynamo", "the same error there is not"),
    "a name that the program lacks": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net.sell(x)\n'
        '  File "/v/site-packages/torch/_dynamo/eval_frame.py", line 433, in _fn\n    return fn(*args, **kwargs)\n'
        '  File "/srv/till.py", line 43, in ring\n    return quokka(x)\nNameError: name \'quokka\' is not defined\n',
        "the same error there is not", "a bug in Dynamo"),
    "a guard that is no code": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    net(x)\n'
        '  File "/v/site-packages/torch/_dynamo/convert_frame.py", line 549, in compile_inner\n    check_fn = CheckFunctionManager(\n'
        '  File "/v/site-packages/torch/_dynamo/guards.py", line 187, in get\n    return eval(name, self.scope, CLOSURE_VARS)\n'
        '  File "<string>", line 1, in <module>\ntorch._dynamo.exc.InternalTorchDynamoError: name \'torch\' is not defined\n',
        "the key of a dict", "If that fails, too, report it"),
    "a function of PyTorch in code of FX": (SKIPPED_BY_FX.format("") + "Works on 2.7.1.\n", "Works on 2.7.1.", "Call it outside the compiled function"),
    "a function of PyTorch that the program calls": (
        SKIPPED_BY_FX.format('   File "/srv/shop.py", line 12, in sell\n    _ring(x)\n'), "Call it outside the compiled function", "code that FX generated"),
    "a private function that PyTorch calls, below a line of the program": (
        SKIPPED_BY_FX.format('   File "/srv/shop.py", line 12, in sell\n    tills(x)\n'), "private function of PyTorch's", "outside the compiled"),
    "a private function that PyTorch calls, without a line of the program": (
        SKIPPED_BY_FX.split("\n\n\n")[0] + "\n", "private function of PyTorch's", "outside the compiled"),
    "a public function of PyTorch, without a line of the program": (
        SKIPPED_BY_FX.split("\n\n\n")[0].replace("_ring", "ring") + "\n", "outside the compiled function", "private"),
    "an index of a mask_mod": (
        ASSERTED_BY_ATEN.format('-sizes[i] <= index && index < sizes[i] && "index out of bounds"', IN_BLOCK_MASK.format("create_block_mask")),
        "the `mask_mod` that this line passes", "token id"),
    "an index of a mask_mod on the CPU": (
        ASSERTED_BY_ATEN.format("", IN_BLOCK_MASK.format("create_block_mask")).split("failed.\n")[1].split("RuntimeError")[0] +
        "IndexError: index 200 is out of bounds for dimension 0 with size 200\n", "the `mask_mod` that this line passes", "token id"),
    "an index in a call of flex_attention": (
        ASSERTED_BY_ATEN.format('-sizes[i] <= index && index < sizes[i] && "index out of bounds"', IN_BLOCK_MASK.format("flex_attention")),
        "An index of a tensor (`x[i]`)", "mask_mod"),
    "an index of an embedding": (ASSERTED_BY_ATEN.format("srcIndex < srcSelectDimSize", ""), "token id of an embedding", "Without `torch.compile`"),
    "a label that is no class": (ASSERTED_BY_ATEN.format("t >= 0 && t < n_classes", ""), "A label is out of range", "token id"),
    "a value that an observer of quantization asks for": (
        ASKS_IN_GRAPH.format(source="till = self.till(x);  x = None", place="ao/quantization/observer.py:1266", program=""),
        "observer.py:1266), in code that FX generated: line 23 of `<eval_with_key>.7` (`till = self.till(x)`)", "torch._check"),
    "a value that an observer asks for, whose line is not named": (
        ASKS_IN_GRAPH.format(source="till = self.activation_post_process_3(x)", place="_ops.py:865", program=""), "convert it", "torch._check"),
    "a value that PyTorch's code asks for in a graph of FX": (
        ASKS_IN_GRAPH.format(source="till = self.till(x)", place="nn/modules/till.py:12", program=""), "PyTorch's own code asks (nn/modules/till.py:12)", "torch._check"),
    "a value that a graph of FX asks for": (
        ASKS_IN_GRAPH.format(source="till = torch.till(x)", place="_ops.py:865", program=""), "make the graph again", "bserver"),
    "a value that a graph of FX asks for, below a line of the program": (
        ASKS_IN_GRAPH.format(source="till = torch.till(x)", place="_ops.py:865", program='   File "/srv/shop.py", line 12, in sell\n    return graph(x)\n'),
        "Before the line, state", "FX generated"),
    "a value of which the text has no line": (
        ASKS_IN_GRAPH.format(source="till = shop(x)", place="_ops.py:865", program="").split("\nCaused by")[0], "below `from user code:`", "Before the line,"),
    "a process that was killed": (GROWING.format(""), "Fewer workers", "tracemalloc"),
    "memory of the process that grows": (
        "net = torch.compile(Shop())\nThe RSS of it keeps growing, a leak in the end.\n", "memory of C++", "What holds GPU memory"),
    "a break in an export to ONNX": (
        '  File "/v/site-packages/torch/onnx/_internal/exporter.py", line 9, in export\n    go()\n'
        "torch._dynamo.exc.Unsupported: TorchDynamo purposely graph breaks on RNN, GRU, LSTMs\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 12, in forward\n    x = self.gru(x)\n', "dynamo=False", "without `fullgraph=True`"),
    "a break in a backend of ONNX": (
        '  File "/v/site-packages/torch/onnx/_internal/onnxruntime.py", line 9, in compile\n    go()\n'
        "torch._dynamo.exc.Unsupported: TorchDynamo purposely graph breaks on RNN, GRU, LSTMs\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 12, in forward\n    x = self.gru(x)\n', "without `fullgraph=True`", "dynamo=False"),
    "memory of a GPU that grows": (
        "net = torch.compile(Shop()).cuda()\nThe memory of the GPU keeps growing, a leak.\n", "What holds GPU memory", "memory of C++"),
    "a process that grew, and was killed": (GROWING.format("The RSS of it keeps growing, a leak in the end.\n"), "tracemalloc", "Fewer workers"),
    "a tuner that divides by no time": (
        "W0102 10:11:12.131000 9 torch/_inductor/utils.py:1679] [0/0] Not enough SMs to use max_autotune_gemm mode\n"
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
        '  File "/tmp/torchinductor_me/c1.py", line 9, in call\n    k.run(x)\n  File "/v/site-packages/torch/_inductor/runtime/'
        'triton_heuristics.py", line 7, in coordinate_descent_tuning\n    best()\nZeroDivisionError: float division by zero\n',
        "`TORCHINDUCTOR_COORDINATE_DESCENT_TUNING=0`", "see whether the error is the compiler's"),
    "kernels that are timed by a launcher": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    sell(x)\n'
        '  File "/v/site-packages/torch/_inductor/runtime/benchmarking.py", line 9, in benchmark_gpu\n    k = 5 / took\n'
        "ZeroDivisionError: float division by zero\n", "Leave max-autotune off", "eager mode"),
    "a package for less than the machine has": (
        ISA.format("CPU_ISA: AVX512 AVX512_VNNI AMX_TILE vs AVX2") + "max abs diff: 2.4e-07\n", "so the package runs", "Compare in `eval()`"),
    "a package for the instructions without AMX": (
        ISA.format("CPU_ISA: AVX512 AVX512_VNNI AMX_TILE vs AVX512 AVX512_VNNI"), "so the package runs", "illegal instruction"),
    "a package for more than the machine has": (ISA.format("CPU_ISA: AVX2 vs AVX512"), "illegal instruction", "so the package runs"),
    "a package for another system": (ISA.format("PLATFORM: linux vs win32"), "on a machine like this one", "C++ compiler"),
    "results that differ beside a warning": (
        ISA.format("CPU_ISA: AVX512 vs AVX2") + "max abs diff: 2.4e-02\n", "the same model in float64", "the package runs"),
    "no Triton on Windows": (NO_TRITON.format("C:/shop.py") + "torch 2.5.1+cu121\n", '-U "triton-windows<3.2"', "torch=="),
    "no Triton on Windows, of an unknown version": (NO_TRITON.format("C:/shop.py"), "of 2.8 `\"triton-windows<3.5\"`", "a Mac"),
    "no Triton on Linux": (NO_TRITON.format("/home/me/shop.py") + "torch 2.5.1+cu121\n", "--force-reinstall torch==2.5.1`", "indows"),
    "no Triton in Linux within Windows": (NO_TRITON.format("/home/me/shop.py") + "WSL on Windows\n", "--force-reinstall", "triton-windows<3.5"),
    "no Triton for a function that runs eagerly": (
        NO_TRITON.format("/home/me/shop.py") + NO_TRITON.format("/home/me/shop.py").replace("12", "15"), "the messages end as well", "a Mac"),
    "an input beyond the bound of ExecuTorch": (
        EXECUTORCH.format("capacity of 900 elements to 300 elements."), "has 900 elements, and the exported program takes 300", "eager mode"),
    "an input beyond the bound, in the right order": (
        EXECUTORCH.format("a maximum capacity of 300 elements to 900 elements."), "has 900 elements, and the exported program takes 300", "way round"),
    "a directory of PATH that nobody may enter": (REFUSED.format("nvcc"), "[ -x \"$d\" ]", "chmod"),
    "a file that nobody may run": (REFUSED.format("/v/triton/backends/nvidia/bin/ptxas"), "`chmod +x`", "is not found"),
    "a version of nvcc for a comment": (
        UNDER.format('  File "/v/torch/_dynamo/debug_utils.py", line 9, in _cuda_system_info_comment\n    check(["nvcc"])\n').format("/srv/shop.py") +
        REFUSED.format("nvcc"), "nvcc is not needed", "chmod"),
    "bfloat16 that is emulated": (
        BFLOAT16 + "torch.cuda.is_bf16_supported() says True\n", "on this GPU (sm_75): bfloat16", "eager mode"),
    "bfloat16 of a GPU that says so": (BFLOAT16 + "torch.cuda.is_bf16_supported() says True\n", "including_emulation=False", "eager mode"),
    "bfloat16 that nobody asks for": (BFLOAT16, "float16 works on older", "is_bf16_supported"),
    "lengths of texts at the limit": (
        AT_LIMIT.format("tensor 'kwargs['input_ids']' size mismatch at index 1. expected 12, actual 15"), "pad_to_multiple_of", "seldom use up"),
    "lengths of something else at the limit": (
        AT_LIMIT.format("tensor 'till' size mismatch at index 1. expected 12, actual 15"), "seldom use up", "pad_to_multiple_of"),
    "a warm-up outside of inference mode": (
        "[0/1] torch._dynamo.guards.__recompiles: [DEBUG] Recompiling function sell in /srv/shop.py:12\n"
        "[0/1] torch._dynamo.guards.__recompiles: [DEBUG]     triggered by the following guard failure(s):\n"
        "[0/1] torch._dynamo.guards.__recompiles: [DEBUG]     - tensor 'L['x']' dispatch key set mismatch. expected DispatchKeySet(CUDA, "
        "BackendSelect, ADInplaceOrView, AutogradCUDA), actual DispatchKeySet(CUDA, BackendSelect)\n",
        "warm up under the mode in which the program serves", "the same memory layout"),
    "results that differ in TF32": (
        "f, torch.set_float32_matmul_precision('high'): FAILED!\nTensor-likes are not close!\n\nMismatched elements: 7 / 7 (100.0%)\n"
        "Greatest absolute difference: 0.002 at index (0, 0) (up to 1e-05 allowed)\n" + TF32 + "f: passed!\n",
        '`torch.set_float32_matmul_precision("highest")`', 'precision("high")'),
    "the fastest kernel of a table": (
        "AUTOTUNE flex_decoding(1x2x1x8)\n  triton_flex_decoding_1 0.0172 ms 100.0% BLOCK_M=32\n  triton_flex_decoding_0 0.0196 ms 87.6%\n"
        "SingleProcess AUTOTUNE benchmarking takes 0.5621 seconds and 0.0001 seconds precompiling\n", "as max-autotune is on somewhere", "mask"),
    "results that differ by the tolerances of float16": (
        NOT_CLOSE_BY.format("1e-05", "0.001"), "In bfloat16 and float16, fused kernels round", "a relative difference above 1e-12"),
    "results that differ by the tolerances of bfloat16": (
        NOT_CLOSE_BY.format("1e-05", "0.016"), "In bfloat16 and float16, fused kernels round", "a relative difference above 1e-12"),
    "results that differ by the tolerances of float32": (
        NOT_CLOSE_BY.format("1e-05", "1.3e-06"), "if both are about as far from it, it is rounding", "fused kernels round"),
    "results that differ, beside a warning of TF32": (
        "torch.compile:\n" + TF32 + "Scalars are not close!\n\nGreatest absolute difference: 0.002 (up to 1e-05 "
        "allowed)\n", "compare each with one computed in float64", "TF32"),
    "TF32 on a GPU of Apple": ("torch.compile(net), device='mps'\neager: 4.1 ms\ncompiled: 18.2 ms\n" + TF32, "leave them out", "TF32"),
    "a warning that its writer dismisses": (
        "torch.compile(net)\neager: 4.1 ms\ncompiled: 18.2 ms\n" + TF32 + "(that is from another machine, ignore it)\n", "leave them out", "TF32"),
    "a layout of convolutions": (
        "torch.compile, on a Mac\neager: 4.1 ms\ncompiled: 18.2 ms\nTORCHINDUCTOR_LAYOUT_OPTIMIZATION=0: 3.3 ms\n",
        "layout_optimization = False", "reduce-overhead"),
    "convolutions on a CPU": ("torch.compile of a Conv2d, on cpu\neager: 4.1 ms\ncompiled: 18.2 ms\n", "LAYOUT_OPTIMIZATION=0", "GPU"),
    "times on a CPU": ("torch.compile, torch 2.6.0+cpu\neager: 4.1 ms\ncompiled: 18.2 ms\n", "leave them out", "reduce-overhead"),
    "times on a GPU": ("torch.compile, cuda:0\neager: 4.1 ms\ncompiled: 18.2 ms\n", "reduce-overhead", "LAYOUT_OPTIMIZATION"),
    "a second call that compiles": (
        "s = time.time()\ntorch.compile(net)\noriginal 0.063998448000\ncompiled, first 30.714432299999\ncompiled, second 18.933740727999\n",
        "most likely compiled again", "launching kernels"),
    "a model that is compiled before DeepSpeed has it": (
        "shop = torch.compile(shop)\nengine, *_ = deepspeed.initialize(model=shop)\n" + HANGS, "engine.compile()", "Dump again"),
    "a model that is compiled after DeepSpeed has it": (
        "engine, *_ = deepspeed.initialize(model=shop)\nshop = torch.compile(shop)\n" + HANGS, "--native", "engine.compile()"),
    "a limit on workers of Ray": (RAY, "Ray prints like lines of several workers once", "recompile_limit = "),
    "a reason that is cut off": (
        "torch==2.5.0\n" + reasons(0, 1, *FAILED_GUARD) + reasons(0, 2) + "...\n", "below its line `Recompiling function`", 'TORCH_LOGS="recompiles"'),
    "ranks of which one is cut off": (
        "torch==2.5.0\n" + reasons(0, 1, *FAILED_GUARD) + reasons(1, 1, *FAILED_GUARD) + reasons(0, 2, *OTHER_GUARD) + reasons(1, 2) + "...\n" +
        reasons(1, 3, *OTHER_GUARD), "mark_dynamic", "equal on all ranks"),
    "ranks of which one has a failure, and another is cut off": (
        "torch==2.5.0\n" + reasons(0, 1, *FAILED_GUARD) + reasons(1, 1, *FAILED_GUARD) + "[rank1]:" + BACKWARD.replace("[1/4]", "[1/1]") + "...\n",
        "mark_static", "Ranks that compile different things"),
    "ranks of which one has a break, and another is cut off": (
        "torch==2.5.0\n" + reasons(0, 1, *FAILED_GUARD) + reasons(1, 1, *FAILED_GUARD) +
        "".join(f"[rank1]:V1024 16:27:39.578001 9 site-packages/torch/_dynamo/symbolic_convert.py:400] [1/1] [__graph_breaks] {line}\n" for line in (
            "Graph break in user code at /srv/shop.py:14", "Reason: Unsupported: call_function quokka", "User code traceback:",
            '  File "/srv/shop.py", line 14, in forward', "    quokka()")) + "...\n",
        "mark_dynamic", "Ranks that compile different things"),
    "ranks of which one begins within a record": (
        "\n".join((reasons(0, 4, "    - 1/0: tensor 'L['x']' size mismatch at index 1. expected 8, actual 64") +
                   reasons(1, 4, *(f"    - 1/{i}: tensor 'L['x']' size mismatch at index 1. expected {size}, actual 64"
                                   for i, size in ((3, 32), (2, 32), (1, 16), (0, 8))))).splitlines()[1:]) + "\n\nMy till has one size.\n",
        "Two of the compiles that are listed expect the same size", "equal on all ranks"),
    "ranks of which each begins at another recompile": (
        reasons(0, 5, "    - 1/4: tensor 'L['x']' size mismatch at index 1. expected 64, actual 96") +
        reasons(1, 4, *(f"    - 1/{i}: tensor 'L['x']' size mismatch at index 1. expected {size}, actual 64"
                        for i, size in ((3, 32), (2, 24), (1, 16), (0, 8)))) + "\nMy till has one size.\n",
        "Each of these sizes has a compile of its own", "Nothing to do if this is intended"),
    "ranks of which both say why": (
        "torch==2.5.0\n" + reasons(0, 1, *FAILED_GUARD) + reasons(1, 1, *FAILED_GUARD) + reasons(0, 2, *OTHER_GUARD) +
        reasons(1, 2, *FAILED_GUARD) + "...\n", "equal on all ranks", "cut off"),
    "modules that share their code, which a loop compiles": (
        "torch==2.5.0\n" + LOOP + reasons(0, 1, *FAILED_GUARD), "raise the limit above the number of different modules "
        "(`torch._dynamo.config.cache_size_limit`)", "mark_dynamic"),
    "a batch of modules that share their code": (
        "torch==2.5.0\n" + LOOP + reasons(0, 1, *FAILED_GUARD).replace("index 1", "index 0"), "mark_dynamic", "number of different modules"),
    "a backward for dynamic shapes": (
        "torch==2.5.0\n" + reasons(0, 1, *FAILED_GUARD) + BACKWARD, "`torch._dynamo.mark_static(x, 1)`", "assume_static_by_default"),
    "a checkpoint, and no compiled names": (NO_KEY.format("till.weight"), "If only one of the two", "the names of its parameters get"),
    "a checkpoint for a compiled module": (NO_KEY.format("_orig_mod.till.weight"), '{"_orig_mod." + k: v', "was saved from a compiled"),
    "a checkpoint of a compiled module": (
        NO_KEY.format("till.weight") + '\tUnexpected key(s) in state_dict: "_orig_mod.till.weight". \n', '{k.replace("_orig_mod.", ""): v', '"_orig_mod." + k'),
    "a compiled module within another": (NO_KEY.format("net.0._orig_mod.till.weight"), "the names of its parameters get", "If only one of the two"),
    "FSDP": (FLAT.format("/srv/shop.py"), "use_orig_params=True", "In accelerate"),
    "FSDP of accelerate": (FLAT.format("/v/site-packages/accelerate/utils/operations.py"), "fsdp_use_orig_params: true", "In Lightning"),
    "inference tensors": (INFERENCE.format("shop"), "torch.no_grad()", "In Lightning"),
    "inference tensors of Lightning": (INFERENCE.format("pytorch_lightning"), "Trainer(..., inference_mode=False)", "In accelerate"),
    "workers that ended": (NO_WORKERS.format("/srv/shop.py"), "TORCHINDUCTOR_COMPILE_THREADS=1", "In a cell"),
    "workers that ended in a notebook": (NO_WORKERS.format("<ipython-input-3-0a1b>"), "torch._inductor.config.compile_threads = 1", "TORCHINDUCTOR_COMPILE_THREADS"),
    "an old GPU": (OLD_GPU.format("shop"), "TORCHDYNAMO_DISABLE=1", "nnUNet_compile"),
    "an old GPU in nnU-Net": (OLD_GPU.format("nnUNetTrainer"), "nnUNet_compile=f", "moshi"),
    "a cache that nodes share": (
        UNDER.format("torch._inductor.exc.InductorError: OSError: [Errno 116] Stale file handle: '/net/me/.triton/cache/Q7/a.so' -> '/net/me/b.so'\n"),
        "TRITON_CACHE_DIR=/tmp/triton_$USER", "may be read"),
    "cuda.h": (NO_CUDA_H.format("/usr/bin/gcc"), "pip install --force-reinstall torch", "conda"),
    "cuda.h, of conda": (NO_CUDA_H.format("/opt/miniforge3/bin/x86_64-conda-linux-gnu-cc"), "cuda-cudart-dev", "--force-reinstall triton"),
    "an allocator without a feature": (NO_FEATURE.format("shop"), "backend:native", "In ComfyUI"),
    "an allocator without a feature in ComfyUI": (NO_FEATURE.format("ComfyUI"), "`--disable-cuda-malloc`", "aot_eager"),
    "an index, and eager works": (OUT_OF_BOUNDS.format(32, "The same is fine in eager mode."), "bug in the compiler", "names the operator"),
    "an index": (OUT_OF_BOUNDS.format(32, "How can I find it?"), "names the operator", "bug in the compiler"),
    "an index, and eager fails": (OUT_OF_BOUNDS.format(32, "It does not work in eager mode either."), "names the operator", "bug in the compiler"),
    "an index with a bound that varies": (OUT_OF_BOUNDS.format("(-1) + ks0", ""), "dynamic=False", "token id"),
    "float64 is compared": (NOT_CLOSE.format("float64"), "which is a bug in Inductor", "EMULATE_PRECISION_CASTS"),
    "bfloat16 is compared": (NOT_CLOSE.format("bfloat16"), "EMULATE_PRECISION_CASTS", "which is a bug in Inductor"),
    "OpenMP on macOS": (NO_OPENMP.format("/Users/me/"), "brew install libomp", "CXX=g++"),
    "OpenMP on Linux": (NO_OPENMP.format("/home/me/"), "libomp-dev", "brew"),
    "a 32-bit compiler of Visual Studio": (NO_HEADER_OF_CL.format(BANNER.format("x86")), "32-bit compiler", "Install the Build Tools"),
    "a compiler of Visual Studio": (NO_HEADER_OF_CL.format(BANNER.format("x64")), "they set `INCLUDE`", "32-bit"),
    "no compiler of Visual Studio": (
        "torch._inductor.exc.InductorError: RuntimeError: Compiler: cl is not found.\n", "Install the Build Tools", "INCLUDE"),
    "a compiler of Visual Studio, in French": (
        NO_HEADER_OF_CL.format("Compilateur Microsoft (R) C/C++ version 19.44 pour x64\n\n").replace(
            "Cannot open include file: 'omp.h'", "Impossible d'ouvrir le fichier include : omp.h"),
        "x64 Native Tools", "libomp"),
    "an accuracy that the minifier looks at": (
        "W0102 10:11:12.131000 9 torch/_dynamo/debug_utils.py:326] Writing minified repro to:\n"
        "W0102 10:11:12.131000 9 torch/_dynamo/debug_utils.py:326] /srv/torch_compile_debug/run_1/minifier/minifier_launcher.py\n"
        "AccuracyError: Bad accuracy detected\n", "minifier_launcher.py", "TORCHDYNAMO_REPRO_AFTER"),
    "an accuracy": ("AccuracyError: Bad accuracy detected\n", "TORCHDYNAMO_REPRO_AFTER", "minifier_launcher.py"),
    "a logger, in 2.6": (LOGGER.format("PyTorch version: 2.6.0"), "ignore_logger_methods", "ignore_logging_functions"),
    "a logger, in 2.13": (LOGGER.format("PyTorch version: 2.13.0"), "ignore_logging_functions", "ignore_logger_methods"),
    "an object of each submodule, at the limit": (AT_LIMIT.format("___check_obj_id(L['self']._modules['a'].till, 1316)"), "recompile_limit = 64", "pass what differs"),
    "a limit without a reason": ("\n".join(AT_LIMIT.splitlines()[:2]) + "\n", "TORCH_LOGS=recompiles", "raise the limit"),
    "strides of 2.0": (AT_LIMIT.format("tensor 'x' strides mismatch at index 0. expected 52637, actual 51470"), "dynamic=True", "raise the limit"),
    "a guard with an example's size": (GUARDED.format("/srv/"), "u0 != s7", "u0 == 12"),
    "a guard in a library": (GUARDED.format("/v/site-packages/till/"), "newer versions of the library", "torch._check("),
    "a parameter among fake tensors": (
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nAssertionError: Please convert all Tensors to FakeTensors first or "
        "instantiate FakeTensorMode with 'allow_non_fake_inputs'. Found in aten.mm.default(*(Parameter containing:\ntensor([1.]),), **{})\n",
        "real parameter", "register_buffer"),
    "an exception that another one passes on": (
        "torch._inductor.exc.InductorError: OverflowError: Python int too large to convert to C long\n\n" + CALLS, "2^31", "aot_eager"),
    "a class of a notebook": (
        "torch._dynamo.exc.InternalTorchDynamoError: source code not available\n\n" + CALLS, "file that you import", "TORCHDYNAMO_VERBOSE"),
    "a line that raises": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    raise ValueError("torch has no quokka")\n'
        "ValueError: torch has no quokka\n", "raises it itself", "what it passes"),
    "a range of a dimension with a name": (
        "torch._dynamo.exc.UserError: Constraints violated (till)! For more information, run with TORCH_LOGS=\"+dynamic\".\n  - Not all values of "
        "till = L['x'].size()[1] in the specified range till <= 512 satisfy the generated guard Ne(512, L['x'].size()[1]).\n",
        'Dim("till", max=511)', "mark_dynamic"),
    "a call of a library": (
        "torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_method till_(*(DTensor(x),)): got "
        "RuntimeError('no quokka')\n\nfrom user code:\n   File \"/v/site-packages/shops/shop.py\", line 12, in sell\n    x.till_(y)\n\n"
        "Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace\n", "report it to the library", "the code is wrong"),
    "a clock in an export": (
        'Traceback (most recent call last):\n  File "/v/site-packages/torch/export/_trace.py", line 92, in export\n    raise e\n'
        "torch._dynamo.exc.Unsupported: Attempted to call function marked as skipped\n  Explanation: Dynamo does not know how to trace the builtin "
        "`time.time.` This function is a Python builtin.\n  Hint: please file an issue on GitHub\n\n  Developer debug context: module: time, "
        'qualname: time, skip reason: <missing reason>\n\nfrom user code:\n   File "/srv/shop.py", line 12, in sell\n    t = time.time()\n',
        "Clocks are not traced", "allow_in_graph"),
    "headers of Python 3.11": (
        "/tmp/x/main.c:5:10: fatal error: Python.h: No such file or directory\nTraceback (most recent call last):\n"
        '  File "/usr/local/lib/python3.11/dist-packages/triton/runtime/build.py", line 48, in _build\n    check(cc)\n'
        "subprocess.CalledProcessError: Command '['/usr/bin/gcc', '/tmp/x/main.c']' returned non-zero exit status 1.\n",
        "python3.11-dev", "python3-dev"),
    "a generator of PyTorch's": (GENERATOR, "the program has none to change", "debugger"),
    "an error of a GPU whose kernels were launched one by one": (
        "I set CUDA_LAUNCH_BLOCKING=1.\n\n" + ASSERTED, "TORCH_LOGS=output_code", "CUDA_LAUNCH_BLOCKING"),
    "requests that come at the same time, and no word of single ones": (
        "Two requests come at the same time.\n\n" + ASSERTED, "is where the error was noticed", "from a queue"),
    "code that vLLM compiled now": (FOLDED.format("  ..."), "does not fit the inputs of this call", "vLLM loaded this code"),
    "a tensor that Triton cannot reach": (UNREACHED.format("triton/backends/nvidia/driver.py"), "most likely it is on the CPU", "ROCm"),
    "a kernel of Inductor's": (KERNEL.format("tmp2 = quokka(2)"), "a kernel that Inductor wrote", "your own"),
    "a kernel of the program": (KERNEL.replace("tmp1 = ", "x = ").format("y = quokka(2)"), "If the kernel is your own", "that Inductor wrote"),
    "nothing of the compiler": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    bake(x)\n'
        '  File "/v/site-packages/kitchen/oven.py", line 3, in bake\n    raise RuntimeError("no quokka")\nRuntimeError: no quokka\n\ntorch 2.8\n',
        "the code in which the stack ends", "ithout `torch.compile`"),
    "an object at a limit that was raised": (
        AT_LIMIT.replace("(8)", "(64)").format("___check_obj_id(self._modules['k'].weights[0], 136397783048432)"),
        "replaced again and again", "recompile_limit = "),
    "modules at the limit": (
        AT_LIMIT.format("___check_obj_id(self._modules['k'].weights[0], 136397783048432)"), "recompile_limit = ", "again and again"),
    "a checkpoint whose compiled names were deleted": (
        'if "_orig_mod" in key: del state[key]\n' + NO_KEY.format("till.weight"), "Remove the prefix from the names of the checkpoint",
        "model._orig_mod.load_state_dict(state)"),
    "a setting of newer versions": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    torch._dynamo.config.recompile_limit = 9\n'
        "AttributeError: torch._dynamo.config.recompile_limit does not exist\n", "older than 2.7", "dir(torch"),
    "an error across the end of a terminal's line, beside counted graphs": (
        "cuda eval  Till                 [2023-01-29 10:24:26,025] torch._dynamo.utils: [ERROR] RMSE    \n"
        "(res-fp64): 0.00007, (ref-fp64): 0.00000 and shape=torch.Size([4, 65])                         \n"
        "FAIL                                                                                           \n"
        "Dynamo produced 1 graph(s) covering 72 ops\n", "Both results are already compared with float64", "makes compiled code slow"),
    "the name of such an error at the end of a line, and no error below": (
        "cuda eval  Till                 [2023-01-29 10:24:26,025] torch._dynamo.utils: [WARNING] RMSE    \n"
        "(of the tills): 0.00007\nDynamo produced 1 graph(s) covering 72 ops\n", "stands in its words", "compared with float64"),
    "a line that PyTorch logs as an error, beside counted graphs": (
        "I use torch.compile.\nW0619 13:14:50.662000 17174 torch/_dynamo/utils.py:195] a quokka is near\n"
        "E0619 13:14:50.661000 17174 torch/_dynamo/utils.py:3014] Quokka ate the till\nGraph Count: 2\nGraph Break Count: 0\nOp Count: 4\n",
        "These words are not known here", "makes compiled code slow"),
    "a line that PyTorch logs as an error, beside a compile": (
        "E0619 13:14:50.661000 17174 torch/_dynamo/utils.py:3014] [0/0] Quokka ate the till\n",
        "try a newer PyTorch, then report them with what stands above", "stands in its words"),
    "a line that PyTorch logs as a warning, beside counted graphs": (
        "I use torch.compile.\nW0619 13:14:50.662000 17174 torch/_dynamo/utils.py:195] a quokka is near\n"
        "Graph Count: 2\nGraph Break Count: 0\nOp Count: 4\n", "stands in its words", "makes compiled code slow"),
    "a graph that was compiled and could not be stored, beside a line of vLLM's": (
        "(Worker_TP1 pid=71) [rank1]:W0424 16:12:11.480000 71 torch/_functorch/_aot_autograd/autograd_cache.py:1240] AOTAutograd cache unable to "
        "serialize compiled graph: Can't pickle <function launcher at 0x7f>: attribute lookup launcher on __main__ failed\n"
        "(Worker_TP1 pid=71) INFO 04-24 16:12:12 [backends.py:381] Compiling a graph for compile range (1, 64) takes 2.37 s\n",
        "Only the cache is left out", "compile after loading"),
    "a worker that names its rank and its process": (
        "".join(f"(VllmWorker rank=4 pid=842) {line}\n" for line in (
            "Traceback (most recent call last):", '  File "/srv/shop.py", line 12, in sell', "    y = till(x)",
            "torch._inductor.exc.InductorError: RuntimeError: no fish")),
        "exclude the function", "on ranks"),
    "a graph that could not be written, with its traceback": (
        "".join(f"W0424 16:12:11.480000 71 torch/_inductor/codecache.py:1187] {line}\n" for line in (
            "fx graph unable to write to cache", "Traceback (most recent call last):",
            '  File "/v/site-packages/torch/_inductor/codecache.py", line 1180, in _save_graph', "    write_atomic(path, content)",
            "OSError: [Errno 30] Read-only file system: '/srv/cache/till'")),
        "Nothing in the program needs to change", "_orig_mod"),
    "a compiled module that is pickled": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    pickle.dumps(torch.compile(till))\n'
        "AttributeError: Can't pickle local object 'till.<locals>.sell'\n", "compile after loading", "Only the cache is left out"),
    "a graph that a version does not cache, behind the level of a logger": (
        "cuda train quokka\n" + 3 * "[WARNING]:Bypassing autograd cache due to: Cannot cache a graph with functional tensor\n",
        "which is no fault of the program", "remove the cause"),
    "a second run that does not find what the first compiled": (
        "$ TORCH_LOGS=+aot python till.py\nI1128 17:54:16.961000 71 torch/_functorch/_aot_autograd/autograd_cache.py:665] [0/0] AOTAutograd "
        "cache miss for key aquokka\n$ TORCH_LOGS=+aot python till.py\nI1128 17:54:46.680000 82 "
        "torch/_functorch/_aot_autograd/autograd_cache.py:665] [0/0] AOTAutograd cache miss for key aquokka\n",
        "in the first call of `backward()`", "newer PyTorch"),
    "two runs that look for different graphs": (
        "$ TORCH_LOGS=+aot python till.py\nI1128 17:54:16.961000 71 torch/_functorch/_aot_autograd/autograd_cache.py:665] [0/0] AOTAutograd "
        "cache miss for key aquokka\n$ TORCH_LOGS=+aot python till.py\nI1128 17:54:46.680000 82 "
        "torch/_functorch/_aot_autograd/autograd_cache.py:665] [0/0] AOTAutograd cache miss for key aemu\n",
        "", "in the first call of `backward()`"),
    "a kernel that cannot be analyzed, below the name of a logger": (
        "WARNING:torch._dynamo:Encountered an exception in identify_mutated_tensors, assuming every input is mutated\n"
        'Traceback (most recent call last):\n  File "/v/site-packages/torch/_higher_order_ops/triton_kernel_wrap.py", line 474, in '
        "identify_mutated_tensors\n    ttir_module = generate_ttir(kernel, kwargs)\nAssertionError\ntook 21 ms\n",
        "takes all of them for written", "stands in its words"),
    "a recompile of a global variable, behind the id and the artifact alone": (
        "".join(f"[0/1] [__recompiles] {line}\n" for line in (
            "Recompiling function sell in /srv/shop.py:12", "    triggered by the following guard failure(s):",
            "    - 0/0: G['__import___main__'].till == 0")),
        "Pass it as an argument", "where `__main__` is made"),
    "headers of Python that a warning misses, below a warning of no use, in the build of a container": (
        "#14 31.07 W1215 21:06:22.064000 886 torch/utils/cpp_extension.py:118] [0/0] No CUDA runtime is found, using CUDA_HOME='/usr/local/cuda'\n"
        "#14 31.33 /v/dist-packages/torch/_inductor/cpp_builder.py:1198: UserWarning: Can't find Python.h in /usr/include/python3.11\n"
        "#14 31.33   warnings.warn(f\"Can't find Python.h in {str(include_dir)}\")\n", "apt install python3.11-dev", "docker run --gpus"),
    "no GPU, and nothing else": (
        "#14 31.07 W1215 21:06:22.064000 886 torch/utils/cpp_extension.py:118] [0/0] No CUDA runtime is found, using CUDA_HOME='/usr/local/cuda'\n",
        "PyTorch sees no GPU", "python3"),
    "an exception in the build of a container": (
        "".join(f"#7 12.03 {line}\n" for line in FAILED.splitlines()), "a newer PyTorch", "Traceback"),
    "a tensor on the CPU in a line that names a device": (
        "skipping cudagraphs due to skipping cudagraphs due to cpu device (cat_1). Found from : \n"
        '   File "/srv/shop.py", line 12, in sell\n    price = torch.tensor(till.shape[2:], device=self.device) * self.tax[0]\n\n',
        "The line names a device already", "with `device=`"),
    "a tensor on the CPU in a line that names the CPU": (
        "skipping cudagraphs due to skipping cudagraphs due to cpu device (full). Found from : \n"
        '   File "/srv/shop.py", line 12, in sell\n    price = torch.full((4,), 2, device="cpu")\n\n',
        "This line makes a tensor on the CPU", "names a device already"),
    "a tensor on the CPU in a line that names no device": (
        "skipping cudagraphs due to skipping cudagraphs due to cpu device (full). Found from : \n"
        '   File "/srv/shop.py", line 12, in sell\n    price = torch.full((4,), 2)\n\n', "with `device=`", "names a device already"),
    "two ranks of which each says that their collectives differ": (
        FINGERPRINTS, "their clock (a checkpoint every so many minutes)", "longer time-out"),
    "an operator that a subclass lacks, in a frozen graph": (
        UNDER.format('  File "/srv/till.py", line 9, in __torch_dispatch__\n    raise NotImplementedError(func)\n'
                     "NotImplementedError: TillTensor dispatch: attempting to run unimplemented operator/function: aten.permute.default\n\n"
                     "While executing %permute : [num_users=1] = call_function[target=torch.ops.aten.permute.default](args = (%_frozen_param0, [1, 0]))\n"
                     ).format("/srv/shop.py"),
        "compile without it (`torch._inductor.config.freezing = False`)", "Parameter freezing ("),
    "compiled autograd that the message alone names": (
        "RuntimeError: compiled_autograd.enable() requires no threads in backwards()\n\n" + CALLS, "compiled_autograd = False", "by a `with`"),
    "CUDA before the workers of vLLM are forked": (
        "".join(f"(VllmWorkerProcess pid=71) ERROR 08-02 18:15:15 worker_utils.py:226] {line}\n" for line in (
            '  File "/v/site-packages/vllm/executor/worker_utils.py", line 223, in _run', "    output = executor(*args)",
            '  File "/v/site-packages/torch/cuda/__init__.py", line 300, in _lazy_init', "    raise RuntimeError(",
            "RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method")),
        "VLLM_WORKER_MULTIPROC_METHOD=spawn", "Dataset"),
    "CUDA before a fork": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in sell\n    x.cuda()\n'
        '  File "/v/site-packages/torch/cuda/__init__.py", line 300, in _lazy_init\n    raise RuntimeError(\n'
        "RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method\n",
        "set_start_method", "VLLM"),
    "sizes that differ in code of vLLM's cache": (
        'vllm serve till\nTraceback (most recent call last):\n  File "/v/site-packages/vllm/v1/engine/core.py", line 12, in run\n    y = f(x)\n'
        "AssertionError: expected size 7==9, stride 5120==5120 at dim=0\n", "VLLM_DISABLE_COMPILE_CACHE=1", "parameter was replaced"),
    "a function of FlashAttention 3": (
        "torch._dynamo.exc.Unsupported: Graph break due to unsupported builtin flash_attn_3_cuda.PyCapsule.fwd. This function is either a Python "
        "builtin (e.g. _warnings.warn) or a third-party C/C++ Python extension (perhaps created with pybind).\n\n" + CALLS,
        "newer build of FlashAttention 3", "flash-attn 2.7"),
    "colored lines of a worker above those of others that have no color": (
        "".join("\x1b[1;36m(VllmWorker rank=5 pid=71)\x1b[0;0m ERROR 04-07 10:56:15 [executor.py:383] " + line + "\n" for line in (
            '  File "/v/site-packages/torch/_inductor/output_code.py", line 466, in __call__', "    return self.current_callable(inputs)",
            '  File "/home/user/.cache/vllm/torch_compile_cache/ea2d/rank_5_0/inductor_cache/bx/cbxn.py", line 370, in call',
            "    arg0_1, arg1_1 = args", "ValueError: too many values to unpack (expected 2)")) +
        "\x1b[1;36m(VllmWorker rank=2 pid=72)\x1b[0;0m ERROR 04-07 10:56:15 [executor.py:383] WorkerProc hit an exception: %s\n"
        "CRITICAL 04-07 10:56:15 [core_client.py:361] Got fatal signal from worker processes, shutting down.\nKilled\n",
        "VLLM_DISABLE_COMPILE_CACHE=1", "dmesg"),
    "a symbol that the linker of Windows does not find, below its options": (
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nCppCompileError: C++ compile error\n\nCommand:\ncl /I x till.cpp\n\n"
        "Output:\nMicrosoft (R) C/C++ Optimizing Compiler Version 19.41.34123 for x64\ntill.cpp\n"
        "Microsoft (R) Incremental Linker Version 14.41.34123.0\n\n/dll \ntill.obj : error LNK2019: unresolved external symbol aoti_torch_check "
        "referenced in function kernel\n", "does not link", "has no error of them"),
    "compiles of one size, of a function": (
        AGAIN_OF_ONE_SIZE.format(""), "differ in something else than this size, too", "several modules"),
    "compiles of one size, of two calls of torch.compile": (
        AGAIN_OF_ONE_SIZE.format("\n    - 0/0: BACKEND_MATCH failure: torch.compile detected different backend callables. Cached backend: Till "
                                 "(id=0x7f1). New backend: Till (id=0x7f2)."), "Call it once, and use the result", "several modules"),
    "a tensor of a quantized type": (
        "torch._dynamo.exc.Unsupported: quantized nyi in meta tensors with fake tensor propagation\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 12, in sell\n    y = x.sin()\n', "x.dequantize()", "fullgraph"),
    "an operator that a subclass lacks": (
        UNDER.format('  File "/srv/till.py", line 9, in __torch_dispatch__\n    raise NotImplementedError(func)\n'
                     "NotImplementedError: TillTensor dispatch: attempting to run unimplemented operator/function: aten.permute.default\n\n"
                     "While executing %permute : [num_users=1] = call_function[target=torch.ops.aten.permute.default](args = (%arg0_1, [1, 0]))\n"
                     ).format("/srv/shop.py"),
        "If the class is your own, implement the operator", "The graph is frozen"),
    "a type that Dynamo does not know, of a paste without the compiler's name": (
        "NotImplementedError: TorchVariable() has no type\n\n" + CALLS, "leave the test out of the traced code", "Run the function without `torch.compile`"),
    "a class of Dynamo's in an exception": (
        "AttributeError: 'UserDefinedObjectVariable' object has no attribute 'quokka'\n\n" + CALLS, "The compiler itself failed", "Nothing in this text comes"),
    "a class of another library in an exception": (
        "torch.compile of the till\nAttributeError: 'ResourceVariable' object has no attribute 'quokka'\n\n" + CALLS, "`torch.compile`", "The compiler itself failed"),
    "an overload whose arguments Inductor does not know": (
        LOWERING_OF.format("TypeError: tuned_addmm() takes 3 positional arguments but 4 were given").replace("addmm.default", "addmm.dtype"),
        "(`out_dtype=`; `.float()` of the inputs keeps the precision)", "REPRO_AFTER"),
    "an argument that Inductor does not know": (
        LOWERING_OF.format("TypeError: quokka() got an unexpected keyword argument 'till'").replace("addmm.default", "till_scatter.default"),
        "Leave the newest out, or call it outside", "out_dtype"),
    "an operator that Inductor cannot lower, by another TypeError": (
        LOWERING_OF.format("TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'"), "write it in another way", "Leave the newest out"),
    "a function that pybind made": (
        "torch._dynamo.exc.Unsupported: Attempted to call function marked as skipped\n  Explanation: Dynamo does not know how to trace the builtin "
        "`till_ext.PyCapsule.sell.` This function is either a Python builtin (e.g. _warnings.warn) or a third-party C/C++ Python extension "
        "(perhaps created with pybind).\n  Hint: If it is a third-party C/C++ Python extension, please either wrap it into a PyTorch-understood "
        "custom operator.\n\n  Developer debug context: module: till_ext, qualname: PyCapsule.sell, skip reason: <missing reason>\n\n" + CALLS,
        '@torch.library.custom_op("mylib::sell"', "PyCapsule"),
    "an operator of a package, on fake tensors": (
        "torch._dynamo.exc.TorchRuntimeError: Failed running call_function till_ops.price(*(FakeTensor(..., size=(4,)),), **{}):\n"
        "The tensor has a non-zero number of elements, but its data is not allocated yet. Caffe2 uses a lazy allocation, so you will need to call "
        "mutable_data() or raw_mutable_data() to actually allocate memory.\n\n" + CALLS,
        'torch.library.Library("till_ops", "IMPL").impl("price", f, "Meta")', "scatter_reduce"),
    "a function of C++, on fake tensors": (
        "torch._dynamo.exc.TorchRuntimeError: Failed running call_function <built-in method price of PyCapsule object at 0x7f>(*(FakeTensor(..., "
        "size=(4,)),), **{}):\nThe tensor has a non-zero number of elements, but its data is not allocated yet. Caffe2 uses a lazy allocation.\n\n" + CALLS,
        "Exclude the function that calls it", "of a package has no fake kernel"),
    "a kernel in Metal whose error is cut off": (
        inside("_inductor/runtime/runtime_utils.py", 'raise SyntaxError(f"failed to compile {source} with {err.msg}") from err',
               "torch._inductor.exc.InductorError: SyntaxError: failed to compile \n    #include <c10/metal/utils.h>\n"
               "    kernel void generated_kernel(\n        device float* out_ptr0,\n        uint2 till [[thread_position_in_grid]]",
               frame="compile_mps_shader"), "for the Apple GPU (MPS, in Metal)", "Triton"),
    "... without the calls": (
        "torch._inductor.exc.InductorError: SyntaxError: failed to compile \n    #include <c10/metal/utils.h>\n    kernel void generated_kernel(\n",
        "for the Apple GPU (MPS, in Metal)", "Triton"),
    "a kernel of Triton in the same folder": (
        inside("_inductor/runtime/triton_heuristics.py", "self.tills[0]", "torch._inductor.exc.InductorError: IndexError: no till"),
        "Check that Triton is the one", "Metal"),
    "what every kernel shares in the same folder": (
        inside("_inductor/runtime/runtime_utils.py", "tills[0]", "torch._inductor.exc.InductorError: IndexError: no till"),
        "compiles, tunes and launches it", "Triton"),
    "a kernel of the program that fails to compile": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    torch.compile(till)(x)\n  File "/srv/shop.py", line 7, '
        'in till\n    parse(x)\nSyntaxError: failed to compile the till\n', "it is not the compiler's", "Metal"),
    "a gradient of a captured backward that is read in the next": (
        OVERWRITTEN_IN_BACKWARD.format("    _engine_run_backward(\n", "[Could not find stack trace]"), "most likely `.grad` of an", "(an output, a loss"),
    "... by its line of the forward": (
        OVERWRITTEN_IN_BACKWARD.format("    _engine_run_backward(\n", 'File "/srv/till.py", line 7, in ring\n    y = self.bell(x)'),
        "if no output is kept, it may be `.grad`", "most likely `.grad` of an"),
    "a loss that a later call overwrote": (
        OVERWRITTEN_IN_BACKWARD.format('    grads = _make_grads(tensors, grads)\n  File "/v/site-packages/torch/autograd/__init__.py", line 90, in '
                                       "_make_grads\n    torch.ones_like(out)\n", 'File "/srv/till.py", line 7, in ring\n    y = self.bell(x)'),
        "needs the loss itself", "most likely `.grad` of an"),
    "an output of a captured graph that is printed": (
        'Traceback (most recent call last):\n  File "/srv/shop.py", line 12, in <module>\n    print(y)\n  File "/v/site-packages/torch/_tensor.py", '
        "line 590, in __repr__\n    return torch._tensor_str._str(self)\nRuntimeError: Error: accessing tensor output of CUDAGraphs that has been "
        "overwritten by a subsequent run. Stack trace: [Could not find stack trace]. To prevent overwriting, clone the tensor.\n",
        "directly behind that call", "most likely `.grad` of an"),
    "a compiler that ran, and whose error is cut off": (
        inside("_inductor/cpp_builder.py", "raise exc.CppCompileError(cmd, output) from e", "torch._inductor.exc.InductorError: " +
               RAN.format("", "Version 19.44.35219 for x64\nCopyright (C) Microsoft Corporation.  All rights reserved.\n\n")),
        "MSVC (`cl`) 19.44.35219 was found and ran", "CXX"),
    "a compiler that ran, and speaks another language": (
        inside("_inductor/cpp_builder.py", "raise exc.CppCompileError(cmd, output) from e", "torch._inductor.exc.InductorError: " +
               RAN.format("", "Versionsnummer 19.44.35219\nCopyright (C) Microsoft Corporation. Alle Rechte vorbehalten.\n\ncl: Befehls")),
        "VSLANG=1033", "CXX"),
    "a compiler that ran, and of which nothing else is shown": (
        inside("_inductor/cpp_builder.py", "raise exc.CppCompileError(cmd, output) from e",
               "torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n\nCommand:\nclang++ c1.cpp"),
        "which this text does not have", "search for a C++ compiler"),
    "a compiler that ran, and rejects the code": (
        inside("_inductor/cpp_builder.py", "raise exc.CppCompileError(cmd, output) from e",
               "torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n\nCommand:\nclang++ c1.cpp\n\nOutput:\n"
               "/tmp/torchinductor_me/ab/cab.cpp:7:9: error: expected ';' after expression\n"),
        "Inductor failed, not the model", "search for a C++ compiler"),
    "a compiler that is searched for": (
        inside("_inductor/cpp_builder.py", "raise RuntimeError(tills)", "torch._inductor.exc.InductorError: RuntimeError: no till"),
        "search for a C++ compiler", "found and ran"),
    "the fast path of a transformer, of which a program printed the message": (
        "[COMPILE] failed:\nUnsupported Operator does not support running with fake tensors\n\n" + UNKNOWN_RESULT.format("aten._transformer_encoder_layer_fwd"),
        "set_fastpath_enabled(False)", "register_fake"),
    "another operator of PyTorch's, of which a program printed the message": (
        "[COMPILE] failed:\nUnsupported Operator does not support running with fake tensors\n\n" + UNKNOWN_RESULT.format("aten._till"),
        "PyTorch's own operator", "register_fake"),
    "an operator of a package, of which a program printed the message": (
        "[COMPILE] failed:\nUnsupported Operator does not support running with fake tensors\n\n" + UNKNOWN_RESULT.format("shop.price"),
        'register_fake("shop::price")', "set_fastpath_enabled"),
    "an operator that the text does not name": (
        "torch._dynamo.exc.Unsupported: Operator does not support running with fake tensors\n", "this text does not name it", "mylib::f"),
    "a leaf that is changed in place": (
        "torch._dynamo.exc.TorchRuntimeError: Failed running call_function <built-in method exp_ of type object at 0x7f>(*(FakeTensor(..., size=(2,), "
        "requires_grad=True),), **{}):\na leaf Variable that requires grad is being used in an in-place operation.\n\n" + CALLS,
        "Write it out of place", "in eager mode with the same"),
    "an operator in place that fails for another reason": (
        "torch._dynamo.exc.TorchRuntimeError: Failed running call_function <built-in method exp_ of type object at 0x7f>(*(FakeTensor(..., size=(2,), "
        "requires_grad=True),), **{}):\nno till\n\n" + CALLS, "in eager mode with the same", "out of place"),
    "a difference of tensors that Python does not know": (
        ON_FAKES.format("s27", "TypeError(\"unsupported operand type(s) for -: 'FakeTensor' and 'FakeTensor'\")"), "Sizes that vary (`s27`)", "the code is wrong"),
    "... of fixed sizes": (
        ON_FAKES.format("8", "TypeError(\"unsupported operand type(s) for -: 'FakeTensor' and 'FakeTensor'\")"), "Both are tensors", "Sizes that vary"),
    "a difference with what is no tensor": (
        ON_FAKES.format("8", "TypeError(\"unsupported operand type(s) for -: 'FakeTensor' and 'NoneType'\")"), "the code is wrong", "Both are tensors"),
    "sizes that vary in an operator that fails": (ON_FAKES.format("s27", "RuntimeError('no till')"), "Sizes that vary (`s27`)", "Both are tensors"),
    "sizes of data in an operator that fails": (ON_FAKES.format("u0", "RuntimeError('no till')"), "the code is wrong", "Sizes that vary"),
    "records that begin within a traceback, above the exception of another worker": (
        each_line("    raise RuntimeError(f'{error}')\nRuntimeError: Internal Triton PTX codegen error\n`ptxas` stderr:\nptxas fatal   : Value 'sm_120' is not "
                  "defined for option 'gpu-name'\n\n", OF_KERNEL) + "......\n" +
        each_line("subprocess.CalledProcessError: Command '['/v/triton/backends/nvidia/bin/ptxas', '--gpu-name=sm_120', '/tmp/t.ptx']' returned non-zero exit "
                  "status 255.\n", OF_KERNEL),
        "For sm_100 and sm_120 that is 2.7 or later", "may say why"),
    "records that begin with code, and not within a traceback": (
        each_line("    y = x + 1\nRecompiling function sell in /srv/shop.py:12\n    triggered by the following guard failure(s):\n"
                  "    - 0/0: tensor 'x' size mismatch at index 0. expected 4, actual 9\n",
                  "V0102 10:11:12.131000 9 torch/_dynamo/guards.py:5396] [0/1] [__recompiles] "), "mark_dynamic", "may say why"),
    "an attribute that an exported forward moves": (
        ASSIGNED_IN_EXPORT.format("self.till = self.till.to(x.device)"), "a local variable (`till = self.till.to(x.device)`)", "copy_"),
    "an attribute that an exported forward converts": (
        ASSIGNED_IN_EXPORT.format("self.till = self.till.float()"), "a local variable (`till = self.till.float()`)", "copy_"),
    "an attribute that an exported forward counts up": (
        ASSIGNED_IN_EXPORT.format("self.till = self.till + 1"), "self.x.copy_(y)", "moves or converts"),
    "an attribute that an exported forward takes from another": (
        ASSIGNED_IN_EXPORT.format("self.till = self.tills.to(x.device)"), "self.x.copy_(y)", "moves or converts"),
    "a break in what PyTorch compiles itself": (
        NO_PYTHON.format("/v/site-packages/torch/nn/attention/flex_attention.py", 1645, "_flex_attention_hop_wrapper"),
        "PyTorch itself compiles `flex_attention` as one graph (flex_attention.py:1645)", "compile without `fullgraph=True`"),
    "a break in a layer of PyTorch's that the program compiles": (
        NO_PYTHON.format("/v/site-packages/torch/nn/modules/till.py", 7, "forward"), "compile without `fullgraph=True`", "PyTorch itself compiles"),
    "a break in a function of the program that has such a name": (
        NO_PYTHON.format("/srv/shop.py", 12, "_cond_op_wrapper"), "compile without `fullgraph=True`", "PyTorch itself compiles"),
    "a size for which each entry has a compile of its own": (
        each_line("Recompiling function sell in /srv/shop.py:12\n    triggered by the following guard failure(s):\n" + "".join(
            f"    - 3/{6 - n}: tensor 'x' size mismatch at index 0. expected {size}, actual 22\n" for n, size in enumerate((2, 4, 8, 16))),
                  "V0102 10:11:12.131000 9 torch/_dynamo/guards.py:5396] [3/7] [__recompiles] "),
        "Each of these sizes has a compile of its own", "assume_static_by_default"),
    "a size that changed once": (
        each_line("Recompiling function sell in /srv/shop.py:12\n    triggered by the following guard failure(s):\n"
                  "    - 3/0: tensor 'x' size mismatch at index 0. expected 4, actual 22\n",
                  "V0102 10:11:12.131000 9 torch/_dynamo/guards.py:5396] [3/1] [__recompiles] "), "mark_dynamic", "a compile of its own"),
    "sizes of several dimensions that changed": (
        each_line("Recompiling function sell in /srv/shop.py:12\n    triggered by the following guard failure(s):\n" + "".join(
            f"    - 3/{3 - n}: tensor 'x' size mismatch at index {n}. expected {size}, actual 22\n" for n, size in enumerate((2, 4, 8))),
                  "V0102 10:11:12.131000 9 torch/_dynamo/guards.py:5396] [3/4] [__recompiles] "), "mark_dynamic", "a compile of its own"),
    "the source of a kernel whose record is cut at its head": (
        each_line("    tmp3 = tmp1 + tmp2\n    tl.store(out_ptr0 + (x0), tmp3, None)\n", OF_KERNEL), "not in this text", "These words are not known"),
    "the source of a kernel for a GPU that Triton does not know": (
        each_line("    tmp3 = tmp1 + tmp2\n    tl.store(out_ptr0 + (x0), tmp3, None)\n", OF_KERNEL)
        + "'sm_121' is not a recognized processor for this target (ignoring processor)\n", "install a newer PyTorch with its Triton", "not in this text"),
    "a compiler that fails for a GPU that it does not know": (
        "'sm_121' is not a recognized processor for this target (ignoring processor)\ntorch._inductor.exc.InductorError: RuntimeError: "
        "PassManager::run failed\n", "install a newer PyTorch with its Triton", "a bug, or a GPU"),
    "a compiler that fails beside a CPU that it does not know": (
        "'till-m9' is not a recognized processor for this target (ignoring processor)\ntorch._inductor.exc.InductorError: RuntimeError: "
        "PassManager::run failed\n", "a bug, or a GPU", "install a newer PyTorch with its Triton"),
    "a message of the same file in words": (
        each_line("the till = 3 coins is shut\n", OF_KERNEL), "These words are not known", "The last lines of its traceback"),
    "a recomputation in which parameters are freed": (
        RECOMPUTED.format("tensor at position 7:\nsaved metadata: {'shape': torch.Size([96]), 'dtype': torch.float32, 'device': device(type='cpu')}\n"
                          "recomputed metadata: {'shape': torch.Size([0]), 'dtype': torch.float32, 'device': device(type='cpu')}\n.\n"),
        "tensor 7 [96] in the forward, [0] in the recomputation. A tensor of size 0", "To see which tensors differ"),
    "a recomputation of another type": (
        RECOMPUTED.format("tensor at position 7:\nsaved metadata: {'shape': torch.Size([96]), 'dtype': torch.float32, 'device': device(type='cpu')}\n"
                          "recomputed metadata: {'shape': torch.Size([96]), 'dtype': torch.bfloat16, 'device': device(type='cpu')}\n.\n"),
        "tensor 7 torch.float32 in the forward, torch.bfloat16 in the recomputation. The recomputation must", "ZeRO-3"),
    "a recomputation whose tensors are cut off": (
        RECOMPUTED.format(""), "To see which tensors differ", "What differs"),
    "a rank's exception above what torchrun says of another rank": (
        "[rank0]: Traceback (most recent call last):\n" '[rank0]:   File "/srv/shop.py", line 12, in <module>\n[rank0]:     torch.compile(sell)(coins)\n'
        "[rank0]: ValueError: the till is shut\n" + CHILD_OF_TORCHRUN, "", "decorate the main function"),
    "a rank that lost the other one, above what torchrun says of that": (
        "[rank0]: Traceback (most recent call last):\n" '[rank0]:   File "/srv/shop.py", line 12, in <module>\n[rank0]:     dist.barrier()\n'
        "[rank0]: torch.distributed.DistBackendError: NCCL error in: till.cpp:3, remote process exited or there was a network error\n"
        + CHILD_OF_TORCHRUN, "decorate the main function", "no such words"),
    "a break in a text that shows neither a line nor who compiles": (
        UNSUPPORTED_WITHIN, "If an export did", "If the break is acceptable"),
    "a break in a text that shows no line, and who compiles": (
        UNSUPPORTED_WITHIN + "\nI call torch.compile(sell).\n", "If the break is acceptable", "If an export did"),
    "a break in a text that shows no line, and how to leave it out": (
        UNSUPPORTED_WITHIN + "\nYou can suppress this exception and fall back to eager by setting:\n", "If the break is acceptable", "If an export did"),
    "a kernel that Helion launches": (
        OWN_KERNEL.format("_launcher(till_kernel, (4,), x, num_warps=4, num_stages=3)").replace(
            '  File "<string>"', '  File "/v/helion/helion/runtime/__init__.py", line 63, in default_launcher\n    return triton_kernel.run(\n  File "<string>"'),
        "`till_kernel` is launched with `num_stages=3`. The kernel is written in Helion", "persistent_reductions"),
    "a kernel that is launched with its stages": (
        OWN_KERNEL.format("till_kernel[(4,)](x, num_stages=3)"), "`till_kernel` is launched with `num_stages=3`. The kernel that", "Helion"),
    "a kernel that Inductor's code launches": (
        OWN_KERNEL.format("triton_poi_till.run(x, 4, num_warps=4, num_stages=3)"), "num_stages", "is launched with"),
    "a traceback whose first call was cut down to its code": (
        "Traceback (most recent call last):\n...\n    return self.till(*coins)\n           ^^^^^^^^^^^^^^^^\n"
        '  File "/srv/shop.py", line 12, in sell\n    till_kernel[(4,)](x, num_stages=3)\n'
        '  File "/v/site-packages/triton/compiler/compiler.py", line 568, in _init_handles\n    raise OutOfResources(self.shared)\n'
        "triton.runtime.autotuner.OutOfResources: out of resource: shared memory, Required: 9, Hardware limit: 8.\n",
        "is launched with `num_stages=3`", "no such words"),
    "no C compiler on Windows": (
        'Traceback (most recent call last):\n  File "C:\\till\\shop.py", line 21, in <module>\n    till(x)\n'
        '  File "C:\\till\\Lib\\site-packages\\torch\\_inductor\\compile_fx.py", line 64, in f\n    g()\n'
        "torch._inductor.exc.InductorError: RuntimeError: Failed to find C compiler. Please specify via CC environment variable.\n",
        "Build Tools of Visual Studio", "CC=gcc"),
    "no C compiler on Linux": (
        'Traceback (most recent call last):\n  File "/home/till/shop.py", line 21, in <module>\n    till(x)\n'
        '  File "/usr/lib/site-packages/torch/_inductor/compile_fx.py", line 64, in f\n    g()\n'
        "torch._inductor.exc.InductorError: RuntimeError: Failed to find C compiler. Please specify via CC environment variable.\n",
        "CC=gcc", "Build Tools of Visual Studio"),
    "a break whose reason is cut off, at an optimizer's gradients": (
        CUT_BREAK.format("optimizer.zero_grad()"), "Dynamo does not trace `zero_grad` of an optimizer", "at the end of the traceback"),
    "a break whose reason is cut off, at a module's gradients": (
        CUT_BREAK.format("till.zero_grad()"), "at the end of the traceback", "of an optimizer"),
    "a break whose reason is cut off, where it prints": (CUT_BREAK.format("print(coins)"), "Printing stops the graph", "at the end of the traceback"),
    "a break whose reason is cut off, where it prints and more": (
        CUT_BREAK.format("coins = sell(print(coins))"), "at the end of the traceback", "Printing stops the graph"),
    "a break whose reason is cut off, at a backward of the program's own": (
        CUT_BREAK.format("self.till.backward(coins)"), "at the end of the traceback", "The call of autograd"),
    "a real tensor that a class of tensors keeps": (
        REAL_TENSOR_OF.format("TillTensor(weight=FakeTensor(..., size=(4, 6)))"), "Most likely the code of `TillTensor` keeps such a tensor", "no such words"),
    "a real tensor beside plain ones": (
        REAL_TENSOR_OF.format("FakeTensor(..., size=(4, 6))"), "register_buffer", "Most likely the code of"),
    "conditions that are joined": (
        "torch._dynamo.exc.Unsupported: Data-dependent branching\n  Explanation: Detected data-dependent branching.\n\nfrom user code:\n"
        '   File "/srv/shop.py", line 12, in sell\n    ok = (x > 0).all() and (y > 0).all()\n\nSet TORCHDYNAMO_VERBOSE=1 for the internal stack\n',
        "logical_and", "fixed number of steps"),
}


def base(path):
    return re.split(r"[\\/]", path or "")[-1]


def verdict(report):
    """What must not change with damage: what failed, where, and what to do; breaks and recompiles with their reasons."""
    counted = {"guards": report["totals"]["guards"], "seconds": report["totals"]["compile_wall_s"]}
    title = report["findings"][0]["title"] if report["findings"] else ""
    failed = report["errors"] or report["graph_breaks"] or report["recompiles"]
    says = {} if failed or title.startswith("The text shows no error") else {"says": title} # that quotes whole lines
    return {
        **{name: number for name, number in counted.items() if number},
        **says,
        "errors": sorted([x["category"], x["type"], base(x["file"]), x["line"]] for x in report["errors"]),
        "next": sorted(step for x in report["errors"] for step in x["next"]),
        "graph_breaks": sorted([x["type"] or "", base(x["own_file"]), x["own_line"]] for x in report["graph_breaks"]),
        "recompiles": sorted([(x["frame"] or {}).get("name") or "", [q["words"] for q in x["reasons"]]]
                             for x in report["recompiles"]),
    }


def read(program, text):
    """The report as JSON, or the exit status."""
    done = program.run("export", "--format", "json", "-", input=text if isinstance(text, bytes) else text.encode())
    return json.loads(done.stdout) if done.returncode == 0 else done.returncode


@functools.cache
def read_once(program, text):
    """The same, of a text of the tables above: several checks look at it."""
    return read(program, text)


# Of these each line stands there twice.
DOUBLED = {"two workers"}


def once(said):
    """Without what is there again; sums are of all."""
    if isinstance(said, int):
        return said
    return {key: [x for i, x in enumerate(value) if x not in value[:i]] for key, value in said.items() if isinstance(value, list)}


def verdict_of(report):
    return report if isinstance(report, int) else verdict(report)


def read_verdict(program, text):
    return verdict_of(read(program, text))


def damages_of(name, most):
    """Those of a text, which stay the same when another text or another damage is added."""
    return sorted(DAMAGES, key=lambda damage: zlib.crc32(f"{name}, {damage}".encode()))[:most]


def is_same(damage, said, whole):
    return once(said) == once(whole) if damage in DOUBLED else said == whole


def check_pytest(tap, program, texts):
    """What pytest shows of a traceback has marks of its own, which stand behind the damage."""
    for damage in DAMAGES_OF_PYTEST:
        different = []
        for name, text in texts.items():
            if not text.startswith("Traceback ") or name == "quoted-by-server" or damage not in damages_of(name, len(DAMAGES) // 4):
                continue
            shown = in_pytest(text)
            said = read_verdict(program, DAMAGES[damage](shown))
            if said != read_verdict(program, shown):
                different.append(f"{name}: {said}")
        tap.empty(f"pytest, {damage}: the same is said", different)


def check_damages(tap, program, texts, whole, most):
    """Returns what differs, to be kept."""
    jobs, rows = collections.defaultdict(dict), []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, text in sorted(texts.items()):
            for damage in damages_of(name, most):
                if name.rsplit("-", 1)[0] not in LOST.get(damage, ()):
                    jobs[damage][name] = pool.submit(read, program, DAMAGES[damage](text))
        for damage, results in jobs.items():
            found = {name: (result.result(), verdict_of(result.result())) for name, result in results.items()}
            tap.empty(f"{damage}: the same is said of {len(results)} texts",
                      [f"{name}: {said}" for name, (_, said) in found.items() if not is_same(damage, said, verdict_of(whole[name]))])
            rows += [f"{damage}\t{name}\t{differing(whole[name], report)}" for name, (report, _) in found.items()
                     if not isinstance(report, int) and not isinstance(whole[name], int)]
    return rows


# What makes another text of a fragment: `next` is another one. Facts of two texts meet in one, and a rule lacks one of its words.
CHANGES = {
    "lines say something else": lambda text, next, choice: other_lines(text, choice),
    "half of the lines": lambda text, next, choice: halved(text, choice),
    "another one below": lambda text, next, choice: f"{text}\n{next}",
    "another one above, changed": lambda text, next, choice: f"{other_lines(next, choice)}\n{text}",
}


def check_damaged_fragments(tap, program, path, write):
    def row(damage, name, text, damaged):
        whole, report = read_once(program, text), read(program, damaged)
        said = report if isinstance(report, int) or isinstance(whole, int) else differing(whole, report)
        # Nearly all parts of a text differ that says something else.
        return f"{damage}\t{name}\t{str(said).split(chr(9))[0] if damage in CHANGES else said}"

    texts = {name: text for table in (FRAGMENTS, FITTING, TITLES) for name, (text, *_) in sorted(table.items()) if isinstance(text, str)}
    following = dict(zip(texts, [*texts.values()][7:] + [*texts.values()][:7]))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        rows = [pool.submit(row, damage, name, text, DAMAGES[damage](text)) for name, (text, *_) in sorted(FRAGMENTS.items())
                for damage in damages_of(name, DAMAGES_OF_A_FRAGMENT)]
        rows += [pool.submit(row, change, name, text, make(text, following[name], zlib.crc32(f"{name}, {change}".encode())))
                 for name, text in texts.items() for change, make in CHANGES.items()]
        check_kept(tap, path, [row.result() for row in rows], write)


# Texts that name nothing of the compiler: whatever they measure, it is not its business.
OTHERS = ["peak memory: 3.1 GB\n", "step 3: 12 ms\n", "max abs diff: 0.003\n", "torch==2.5.1\ntriton==3.1.0\n", "Compiled 12 files in 3.2 s\n",
          "using torch 2.5.1 on cuda:0\nepoch 1: 12.1 s, max error: 0.03\n", "torch 2.5.1\npattern = re.compile()\n",
          "torch 2.5.1, and keras\nmodel.compile(optimizer='adam')\n", "A wheel of torch 2.5.1. We compile the module with gcc.\n"]


def check_others(tap, program):
    tap.equal("texts of others are refused", [4] * len(OTHERS), [read(program, text) for text in OTHERS])
    given = program.run("check", "-", input=FRAGMENTS["times"][0].encode())
    tap.equal("a text that only names the compiler passes no gate", 4, given.returncode)


def check_answer(tap, program, name, text):
    """What is asked of a text with one error comes first, in few lines."""
    shown = program.run("summary", "-", input=text.encode()).stdout.decode()
    answer = shown.split("\n\n", 1)[0].splitlines()
    tap.point(f"{name}: the answer comes first", not shown.startswith("Read") and len(answer) <= ANSWER_LINES, shown)


def check_fragments(tap, program, answers):
    for name, (text, errors, title, line, step) in FRAGMENTS.items():
        report = read_once(program, text)
        if not tap.point(f"{name}: is read", not isinstance(report, int), report):
            continue
        tap.point(f"{name}: something is said", report["findings"] or report["errors"])
        first = report["findings"][0] if report["findings"] else {"title": "", "fix": "", "line": None}
        steps = "\n".join([first["fix"] or "", *(step for x in report["errors"] for step in x["next"])])
        tap.equal(f"{name}: {errors} errors", errors, len(report["errors"]))
        tap.point(f"{name}: what it is", title in first["title"], first["title"])
        tap.equal(f"{name}: where", line, first["line"])
        tap.point(f"{name}: what to do", step in steps, steps)
        warnings = [f["title"] for f in report["findings"] if f["title"].startswith("Only a warning")] if errors else []
        tap.empty(f"{name}: what explains the failure is no warning beside it", warnings)
        if answers and len(report["errors"]) == 1 and not report["recompiles"]:
            check_answer(tap, program, name, text)


def check_facts(tap, program, folder, write):
    """What is said of each text of the tables, to the letter."""
    texts = FRAGMENTS | FITTING | TITLES
    said = {re.sub(r"\W+", "-", name): "".join(facts(read_once(program, text))) for name, (text, *_) in texts.items()}
    tap.equal("each text has a name of its own", len(texts), len(said))
    if write:
        for path in folder.iterdir():
            path.unlink()
        for name, text in said.items():
            (folder / name).write_text(text, encoding="utf-8")
    kept = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    for name in sorted({*kept, *said}):
        before, now = kept.get(name, "").splitlines(), said.get(name, "").splitlines()
        tap.point(f"{name}: all that is said is as it was", before == now, *difflib.unified_diff(before, now, "before", "now", lineterm="", n=0))


# Messages of PyTorch, and what loggers and shippers of logs put before each line, or before the first.
MESSAGES = (
    "Bypassing autograd cache due to: Cannot cache a graph with functional tensor",
    "torch._dynamo hit config.recompile_limit (8)\n   function: 'sell' (/srv/shop.py:7)\n   last reason: 0/7: L['n'] == 3",
    "Graph break in user code at /srv/shop.py:7\nGraph Break Reason: Unsupported: builtin: print [<class 'str'>] False",
    "Recompiling function sell in /srv/shop.py:7\n    triggered by the following guard failure(s):\n    - 0/0: L['n'] == 3",
    "skipping cudagraphs due to mutated inputs (1 instances)",
    "Backend compiler failed with a fake tensor exception at",
)
LEADS = ("[WARNING]:", "[WARNING] ", "WARNING: ", "WARNING:", "2024-01-02 10:11:12,345 WARNING ", "2024-01-02 10:11:12,345 - WARNING - ",
         "[2024-01-02 10:11:12][WARNING] ", "WARNING 01-02 10:11:12 ", "2024-01-02 10:11:12 | WARNING | shop.train:sell:12 - ",
         "[2024-01-02 10:11:12,345] [WARNING] [till.py:31:sell] ", "WARNING:root:", "WARNING:shop.train:", "10:11:12 [WARN] shop: ",
         "(EngineCore_0 pid=31) WARNING 01-02 10:11:12 [till.py:31] ", "[01/02/24 10:11:12] WARNING  ", "[rank0]: ",
         "01/02/2024 10:11:12 - WARNING - shop - ", "[1,mpirank:3,node]<stderr>:")


OF_ERRORS = ("[ERROR] ", "ERROR:shop:", "ERROR 01-02 10:11:12 [engine.py:31] ", "2024-01-02 10:11:12,345 - shop - ERROR - ")
LOGGED_WHOLE = ("backend-2.13.0", "cond-2.5.1", "double-backward-2.13.0", "full-print-2.13.0", "lowering-2.6.0", "no-omp-2.6.0", "recompile-error-2.13.0",
                "user-error-2.13.0", "wrong-triton-2.13.0")


def check_logged_whole(tap, program, texts, whole):
    for name in LOGGED_WHOLE:
        said = {lead: verdict_of(read(program, "".join(f"{lead}{line}\n" for line in texts[name].rstrip("\n").split("\n"))))
                for lead in LEADS + OF_ERRORS}
        tap.empty(f"{name}: the same behind what a logger puts before each line",
                  [f"{lead}: {found}" for lead, found in said.items() if found != verdict_of(whole[name])])


WARNED = (
    "torch/_inductor/compile_fx.py:280: UserWarning: TensorFloat32 tensor cores for float32 matrix multiplication available but not enabled. "
    "Consider setting `torch.set_float32_matmul_precision('high')` for better performance.\n",
    "torch/_inductor/lowering.py:1917: UserWarning: Torchinductor does not support code generation for complex operators. Performance may be worse "
    "than eager.\n",
    "torch/_dynamo/eval_frame.py:745: UserWarning: The till of a quokka is not traced.\n",
)


def check_warnings(tap, program):
    """Of several warnings each is said, as far as they are of PyTorch and differ."""
    for n in (1, 2, 3):
        report = read_once(program, "".join(f"/v/site-packages/{line}" for line in WARNED[:n]))
        said = report if isinstance(report, int) else report["findings"]
        tap.equal(f"{n} warnings: each is said", n, report if isinstance(report, int) else len(said))


def check_loggers(tap, program):
    for message in MESSAGES:
        titles = {lead: [f["title"] for f in read(program, "".join(f"{lead}{line}\n" for line in message.split("\n")))["findings"]]
                  for lead in ("",) + LEADS}
        tap.point(f"{message[:30]}: is read", titles[""])
        tap.empty(f"{message[:30]}: the same behind what a logger puts before it",
                  [f"{lead}: {found}" for lead, found in titles.items() if found != titles[""]])


def check_fitting(tap, program):
    for name, (text, advised, contradicted) in FITTING.items():
        report = read_once(program, text)
        if tap.point(f"{name}: is read", not isinstance(report, int), report):
            tap.point(f"{name}: something is said", report["findings"] or report["errors"])
            said = "\n".join(advice_of(report))
            tap.point(f"{name}: what is advised", advised in said, said)
            tap.point(f"{name}: what is not", contradicted not in said, said)


# What PyTorch's messages name as a remedy: a setting, a variable, a function. Where an answer does not name it, this is why.
REMEDY = re.compile(r"\b(consider|try|[Ss]et|setting|[Uu]se|using|call|increase|disable|enable|prevent|turn|pass|mark|wrap|[Pp]lease)\b")
NAMED = re.compile(r"\btorch(?:\.\w+)+|\b(?:PY)?TORCH[A-Z]*_\w+|\bNCCL_\w+")
NOT_NAMED = {
    "TORCHDYNAMO_VERBOSE": "prints more, and mends nothing",
    "TORCH_LOGS": "prints more, and mends nothing",
    "torch._dynamo.config.suppress_errors": "hides an error, and mends none",
    "TORCH_USE_CUDA_DSA": "only has an effect when PyTorch itself is built",
    "torch._dynamo.config.verbose": "prints more, and mends nothing",
    "torch._dynamo": "an import",
    "torch.compile": "what the person calls",
    "torch.set_float32_matmul_precision": "is about another warning, which is beside what the text is about",
    "torch.library.opcheck": "is for who writes the operator, and the text shows another cause",
    "torch.library.custom_op": "is the program's own",
    "torch.fx.experimental._config.use_duck_shape": "a version that does not have it",
    "torch.export.register_dataclass": "the class is one of a library, whose inputs are given otherwise",
    "torch._dynamo.config.capture_dynamic_output_shape_ops": "Python takes the number all the same, and the graph breaks there",
    "torch.compiler.disable": "is what the text has already",
    "torch.nn.parallel.DistributedDataParallel": "is made by a library, whose option is named",
}


def check_remedies(tap, program):
    wrong, used = [], set()
    for name, (text, *_) in (*FRAGMENTS.items(), *FITTING.items(), *TITLES.items()):
        report = read_once(program, text) if isinstance(text, str) else 0
        if isinstance(report, int):
            continue
        said = "\n".join([*advice_of(report), *(f["title"] for f in report["findings"])])
        for line in re.split(r"\n|(?<=[.:]) ", text):
            for named in NAMED.findall(line) if REMEDY.search(line) and not line.lstrip().startswith("File ") else []:
                if named.split(".")[-1] not in said:
                    used.add(named)
                    wrong += [f"{name}: {named}"] if named not in NOT_NAMED else []
    tap.empty("what a message names as a remedy is named, or there is a reason", wrong)
    tap.empty("each reason is needed", sorted(set(NOT_NAMED) - used))


NEWER = re.compile(r"[Nn]ewe(?:r|st) (?:versions? of )?PyTorch")
NEWER_TWICE = {
    "a batch norm that was folded": "each is of another cause",
    "wrong values with freezing": "each is of another cause",
}


def check_newer(tap, program):
    wrong = []
    for name, (text, *_) in (*FRAGMENTS.items(), *FITTING.items(), *TITLES.items()):
        report = read_once(program, text) if isinstance(text, str) else 0
        twice = [] if isinstance(report, int) else [f["fix"] for f in report["findings"] if len(NEWER.findall(f["fix"] or "")) > 1]
        if bool(twice) != (name in NEWER_TWICE):
            wrong.append(f"{name}: {twice}")
    tap.empty("a newer PyTorch is advised once", wrong)


def check_given(tap, program):
    """No finding advises an argument by its name that the line above it gives already."""
    wrong = []
    for name, (text, *_) in (*FRAGMENTS.items(), *FITTING.items(), *TITLES.items()):
        report = read_once(program, text) if isinstance(text, str) else 0
        for f in [] if isinstance(report, int) else report["findings"]:
            asked = re.findall(r"with `(\w+=)`", f["fix"] or "")
            wrong += [f"{name}: {a}" for a in asked if re.search(rf"\b{a}(?!=)", f["source"] or "")]
    tap.empty("no argument is advised that the line has", wrong)


def check_titles(tap, program):
    for name, (text, title, line) in TITLES.items():
        report = read_once(program, text)
        if tap.point(f"{name}: is read", not isinstance(report, int) and report["findings"], report):
            tap.point(f"{name}: its title", title in report["findings"][0]["title"], report["findings"][0]["title"])
            tap.equal(f"{name}: its line", line, report["findings"][0]["line"])


def check_gradients(tap, program):
    """A key that ends in .grad is computed by the backward, whichever record names it."""
    for when in (7, 8):
        for key, where in (("till.grad", "backward"), ("till", "forward"), ("till.grade", "forward")):
            tap.equal(f"where {key} differs, logged at {when}", [where], [e["where"] for e in read_once(program, KEY_AT_ONCE.format(when, key))["errors"]])


def check_ids(tap, program):
    """A compile has no other id than one that the text has, where it has any; like lines of ranks are one finding."""
    wrong = []
    for name, (text, *_) in (*FRAGMENTS.items(), *FITTING.items(), *TITLES.items()):
        if not isinstance(text, bytes) and re.search(r"\[\d+/\d+", text):
            wrong += [f"{name}: {c['id']}" for c in read_once(program, text)["compiles"] if f"[{c['id']}" not in text]
    tap.empty("each id of a compile is in the text", wrong)
    tap.equal("ranks of a text that was cut", "2 ranks: no difference in what this text has",
              read_once(program, FITTING["ranks of which one is cut off"][0])["ranks"]["runs"][0]["verdict"])
    joined = read_once(program, READ_ON_RANKS)
    tap.equal("a break that lost its first line on one rank is the one of both ranks", [[0, 1]], [f["ranks"] for f in joined["findings"]])
    tap.equal("the function of such a break", {"sell"}, {c["frame"]["name"] for c in joined["compiles"]})
    other = read_once(program, READ_ON_RANKS.replace("[rank1]:", "[rank0]:").replace(".131000 9 ", ".131000 8 "))
    tap.equal("lines of the same rank are no rest of another message", [[0]], [f["ranks"] for f in other["findings"]])
    tap.equal("two ranks whose collectives differ are one finding", 1,
              len(read_once(program, FINGERPRINTS)["findings"]))
    tap.equal("a limit on several workers is one finding", [[2, 3]], [f["ranks"] for f in read_once(program, RAY)["findings"]])


def advice_of(report):
    return [*(step for x in report["errors"] for step in x["next"]),
            *(words for x in report["findings"] for words in (x["fix"] or "", x["paste"] or ""))]


def names_by_version(table):
    """{name: [(first, last)]} of settings, functions and variables, as numbers."""
    number = lambda version: tuple(map(int, version.split(".")))  # noqa: E731
    rows = collections.defaultdict(list)
    for line in table.read_text().splitlines()[1:]:
        kind, name, first, last = line.split("\t")[:4]
        if kind in ("api", "setting") or (kind == "variable" and name.startswith(("TORCHDYNAMO_", "TORCHINDUCTOR_", "TORCH_COMPILE_"))):
            rows[name].append((number(first), number(last) if last else (99, 0)))
    return rows


def lacking(rows, version, text, given=""):
    """What a text names that the version lacks, unless the text says so, or the text that was given has the name."""
    for name in re.findall(r"\btorch(?:\.\w+)+|\bTORCH[A-Z_]+[A-Z]", text):
        if name in rows and name not in given and not any(first <= version <= last for first, last in rows[name]) and "and later" not in text \
                and "does not have it" not in text:
            yield name


ADVISED = (("2.0.1", (2, 0)), ("2.4.1", (2, 4)), ("2.9.1", (2, 9)))


def check_versions(tap, program, rows):
    """Advice for a text that says its version names nothing that this version lacks."""
    tap.equal("a name of another version is noticed", ["torch.compiler.set_stance"], list(lacking(rows, (2, 4), "use `torch.compiler.set_stance`")))
    for words, version in ADVISED:
        wrong = []
        for name, text in ((name, text) for name, (text, *_) in FRAGMENTS.items() if "PyTorch version" not in text):
            report = read(program, f"{text}\nPyTorch version: {words}\n")
            if not isinstance(report, int):
                wrong += [f"{name}: {lacked} in {t}" for t in advice_of(report) for lacked in lacking(rows, version, t, text)]
        tap.empty(f"{words}: advice names what it has", wrong)


def main(pt2trace, folder, *options):
    tap = Tap()
    folder = pathlib.Path(folder)
    expected = json.loads((folder / "expected.json").read_text())
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))}
    tap.equal("each text has a row, and each row a text", set(texts), set(expected))
    with tempfile.TemporaryDirectory() as temp:
        program = Program(pt2trace, temp)
        if "--fragments" in options:
            check_damaged_fragments(tap, program, folder / "fragments.tsv", "--write" in options)
            return tap.end()
        whole = {}
        for name, text in texts.items():
            whole[name] = read(program, text)
            found = verdict_of(whole[name])
            if not isinstance(found, int):
                found.pop("next")
                found.pop("says", None)
            tap.equal(f"{name}: is read as it is", expected.get(name), found)
            tap.point(f"{name}: something is said", isinstance(whole[name], int) or whole[name]["findings"] or whole[name]["errors"])
            if EXCEPTION.search(text):
                tap.point(f"{name}: an exception of the compiler is an error", not isinstance(found, int) and found["errors"])
            if not isinstance(found, int) and len(found["errors"]) == 1 and not found["recompiles"]:
                check_answer(tap, program, name, text)
        check_fragments(tap, program, "--some" not in options)
        check_loggers(tap, program)
        check_warnings(tap, program)
        check_logged_whole(tap, program, texts, whole)
        check_fitting(tap, program)
        check_facts(tap, program, folder.parent / "fragments", "--write" in options)
        check_titles(tap, program)
        check_remedies(tap, program)
        check_newer(tap, program)
        check_given(tap, program)
        check_ids(tap, program)
        check_gradients(tap, program)
        if "--some" not in options:
            check_versions(tap, program, names_by_version(folder.parents[2] / "src" / "text" / "names" / "by_version.txt"))
        check_others(tap, program)
        check_pytest(tap, program, texts)
        most = len(DAMAGES) if "--all" in options else SOME_DAMAGES_OF_A_TEXT if "--some" in options else DAMAGES_OF_A_TEXT
        rows = check_damages(tap, program, texts, whole, most)
        if most == DAMAGES_OF_A_TEXT:
            check_kept(tap, folder / "damaged.tsv", rows, "--write" in options)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
