#include "unit.h"

#include "analysis/known_errors/error_answers.h"

/* A message of each kind, and a word of what is answered. */
static const struct {
    const char *type, *message, *answer;
} messages[] = {
    {"AttributeError", "module 'torch' has no attribute 'meta'", "2.6 and later take it"},
    {"RuntimeError", "torch has no module of `meta`, you should register a module", "2.6 and later take it"},
    {"AssertionError", "Guard failed: x.size()[0] // 5 != 1", "Pass a larger input"},
    {"AssertionError", "Guard failed: x.size()[0] == 8", "export again with this dimension dynamic"},
    {"RuntimeError", "CUDA error: named symbol not found", "built for newer GPUs alone"},
    {"RuntimeError", "Gloo connectFullMesh failed with [../third_party/gloo/pair.cc:144] no error", "GLOO_SOCKET"},
    {"Warning", "1Torch was not compiled with flash attention. (Triggered internally at sdp_utils.cpp:455.)",
     "Nothing failed"},
    {"TorchRuntimeError",
     "Failed running call_function <built-in method diff of type object at 0x1>(*(FakeTensor(..., size=(s0, 4)),)): "
     "Cannot call sizes() on tensor with symbolic sizes/strides",
     "dynamic=False"},
    {"Warning", "failed during evaluate_expr(zuf0, hint=None, size_oblivious=False", "which this text has not"},
    {"Note", "Recording cudagraph tree for symint key 13", "its own CUDA graph"},
    {"UnpicklingError", "Weights only load failed. This file can still be loaded, to do so you have two options",
     "add_safe_globals"},
    {"CheckpointError", "torch.utils.checkpoint: words of another version", "must do the same as the forward"},
    {"DataDependentOutputException", "aten._local_scalar_dense.default", "reads a number out of a tensor"},
    {"DistNetworkError", "The client socket has timed out after 60ms while trying to connect to (10.0.0.4, 37907).",
     "a firewall blocks the port"},
    {"DistNetworkError", "The server socket has failed to listen on any local network address. port: 80, code: -13",
     "the system refuses it the port"},
    {"ValueError", "Error initializing torch.distributed using env:// rendezvous: environment variable RANK expected",
     "torchrun --nproc-per-node=N"},
    {"Stuck watchdog", "a collective timed out on another rank", "the rank that the other one waits for"},
    {"RuntimeError", "required rank 4 tensor to use channels_last format", "`channels_last_3d`"},
    {"RuntimeError", "required rank 5 tensor to use channels_last_3d format", "take `channels_last` for"},
    {"Note", "the compiled function switches gradients off itself: with torch.no_grad():", "around the call"},
    {"Note", "graphs that break: 3 breaks, 4 graphs, by `.item()`", "torch.where"},
    {"Note", "graphs that break: 3 breaks, 4 graphs", "the most frequent reason first"},
    {"Note", "dynamic shapes are off, by a library's option: TillConfig(dynamic=False)", "`dynamic=None`"},
    {"AssertionError", "expected FunctionType found method <bound method Till.sell>", "it got a bound method"},
    {"TorchRuntimeError",
     "Unhandled FakeTensor Device Propagation for aten.add.Tensor, found two different devices cpu, meta",
     "it has a shape and no data"},
    {"TorchRuntimeError",
     "Unhandled FakeTensor Device Propagation for aten.add.Tensor, found two different devices cpu, cuda:0",
     "Put all tensors on the same device"},
    {"TorchRuntimeError",
     "call_function F.linear(*(FakeTensor(..., device='cuda:0', size=(4,)), Parameter(FakeTensor(..., size=(4,)))): "
     "Unhandled FakeTensor Device Propagation for aten.mv.default, found two different devices cuda:0, cpu",
     "Move the module to the device of its input"},
    {"TorchRuntimeError",
     "call_function F.linear(*(FakeTensor(..., size=(4,)), Parameter(FakeTensor(..., device='cuda:0', size=(4,)))): "
     "Unhandled FakeTensor Device Propagation for aten.mv.default, found two different devices cuda:0, cpu",
     "Put all tensors on the same device"},
    {"NotImplementedError", "TorchVariable() has no type", "leave the test out of the traced code"},
    {"", "compiled code of the cache cannot be loaded: FileNotFoundError: .71.140423.tmp",
     "leave the files as they are"},
    {"", "compiled code of the cache cannot be loaded: EOFError", "a new one"},
    {"Warning", "No CUDA runtime is found, using CUDA_HOME='/usr/local/cuda'", "PyTorch sees no GPU"},
    {"Note", "the flag `training` of a compiled module: till._orig_mod.training", "`model._orig_mod.training`"},
    {"Note", "a backward that a compiled `grad` or `vjp` does not use: class Till", "`.backward()`"},
    {"InvalidBackend", "Invalid backend: 'hpu_backend', see `list_backends()`", "import habana_frameworks.torch"},
    {"LoweringException",
     "AssertionError: Expect scale_a and scale_b to be either both scalars (including single-element tensors) or "
     "1-dimensional tensors with the same size. Got scale_a: 1 and scale_b: 4.",
     "newer versions of torchao"},
    {"BackendCompilerFailed",
     "backend='inductor' raised:\nAssertionError: Found an input to the backward that was mutated during the backward",
     "write to a copy"},
    {"AssertionError",
     "Encountered an unsupported object of type <class '__main__.Prices'> while writing the metadata for exported "
     "program",
     "register_dataclass"},
    {"ValueError", "Unsupported input type <class '__main__.Prices'>", "register_dataclass"},
    {"ValueError", "Unsupported input type <class 'transformers.cache_utils.DynamicCache'>. Export only", "use_cache"},
    {"RuntimeError", "<class '__main__.Till'> does not have a flatten_fn_spec associated with it. Please register",
     "with its fields in their order"},
    {"RuntimeError",
     "Error: accessing gradient tensor output of CUDAGraphs that has been overwritten by a subsequent run. Stack "
     "trace: x",
     "To accumulate gradients make"},
    {"RuntimeError",
     "shop::price: for argument 'x': the operator's schema shop::price(Tensor x) -> Tensor specified that the operator "
     "does not mutate the argument, but this seems to be empirically wrong.",
     "corrects the schema"},
    {"BackendCompilerFailed", "backend='inductor' raised:\nAssertionError: Device hpu not supported",
     "Import that package"},
    {"BackendCompilerFailed", "backend='inductor' raised:\nAssertionError: Device xla not supported",
     "Import that package"},
    {"AssertionError", "expected size 4==4, stride 1==2 at dim=0\nError in op: torch.ops.shop.price.default",
     "empty them after the change"},
    {"AssertionError", "Failed to produce a graph during tracing as no tensor operations were found", "strict=False"},
    {"Unsupported", "setattr(UserDefinedObjectVariable) <function Module.__setattr__ at 0x7c67c77f6f80>",
     "2.5 and later"},
    {"CppCompileError",
     "c.cpp:7:9: error: 'tmp3' was not declared in this scope\n    7 |  transpose_mxn<float>(tmp3);",
     "cpp.simdlen = 1"},
    {"CppCompileError", "c.cpp:7:9: error: 'ks3' was not declared in this scope\n    7 |  auto x = ks3;",
     "dynamic=False"},
    {"CppCompileError", "c.cpp:7:9: error: 'tmp3' was not declared in this scope\n    7 |  auto x = tmp3 + ks0;",
     "dynamic=False"},
    {"CppCompileError", "c.cpp:7:9: error: 's7' was not declared in this scope\n    7 |  auto x = 3L*s7;",
     "uses a size that varies"},
    {"CppCompileError", "c.cpp:7:9: error: use of undeclared identifier 'u3'", "uses a size that varies"},
    {"AssertionError", "Global state changed while dynamo tracing, please report a bug", "torch.set_num_threads"},
    {"AssertionError", "Global num_threads state changed while dynamo tracing, please report a bug",
     "names before \"state\""},
    {"TorchRuntimeError",
     "till::sell() Expected a value of type 'float' for argument 'price' but instead found type 'FakeTensor'.",
     "a number of Python"},
    {"InvalidBackend", "Invalid backend: 'tensorrt', see", "import torch_tensorrt"},
    {"CppCompileError", "c1.obj : error LNK2019: unresolved external symbol aoti_torch_check referenced in till",
     "assert_indirect_indexing = False"},
    {"CppCompileError", "c1.obj : error LNK2019: unresolved external symbol aoti_torch_check_quokka referenced",
     "compiles, but does not link"},
    {"CppCompileError", "/usr/bin/ld: c1.o: undefined reference to `aoti_torch_cpu_quokka'",
     "compiles, but does not link"},
    {"CppCompileError", "c1.cpp:7:9: error: use of undeclared identifier 'aoti_torch_get_quokka'",
     "of another version than the PyTorch"},
    {"CppCompileError", "c1.cpp:7:9: error: use of undeclared identifier 'aoti_torch_cpu_quokka'", "for the operator"},
    {"BackendCompilerFailed",
     "LoweringException: TypeError: 'NoneType' object is not callable\n  args[0]: Pointwise(\n 'mps',\n torch.float32",
     "PyTorch 2.8 or later"},
    {"BackendCompilerFailed",
     "LoweringException: TypeError: 'NoneType' object is not callable\n  args[0]: Pointwise(\n 'npu',\n torch.float32",
     "its maker's package registers"},
    {"DistBackendError",
     "the text has nothing of ranks 0, 1, which may not have called collective #12 (ALLREDUCE, 8 elements)",
     "look at what they do"},
    {"DistBackendError",
     "the text only has rank 1, which has called collective #12 (ALLREDUCE, 8 elements) and waits in it",
     "not the one that is missing"},
    {"DistBackendError",
     "ranks wait in different groups of processes: rank 1 in #9 of PG GUID 2, rank 3 in #4 of PG GUID 5",
     "in one order on every rank"},
    {"Collective timeout",
     "ranks wait at numbers whose groups of processes no record names: rank 0 at #9 to #12, rank 3 at #5",
     "these numbers do not show who is behind"},
    {"DistBackendError", "the text only has rank 1, which waits for the rank at the other end of #9 (RECV, 8 elements)",
     "between two ranks"},
    {"DistBackendError",
     "NCCL error in: a.cpp:3, system error\nLast error:\nConnect to 10.0.0.4<52822> failed : No route to host",
     "ip route get"},
    {"DistBackendError", "NCCL error in: a.cpp:3, invalid usage\nLast error:\nDuplicate GPU detected : rank 1",
     "LOCAL_RANK"},
    {"DistBackendError",
     "NCCL error in: a.cpp:3, unhandled system error\nLast error:\nError while creating shared memory segment "
     "/dev/shm/nccl-x (size 9637888)",
     "--shm-size"},
    {"DistBackendError", "NCCL error in: a.cpp:3, remote process exited\nncclRemoteError: A call failed possibly",
     "the rank that failed first"},
    {"RendezvousConnectionError", "The connection to the C10d store has failed. See inner exception for details.",
     "is_host=true"},
    {"DistBackendError", "NCCL error in: a.hpp:275, unhandled cuda error\nLast error:\nCuda failure 2 'out of memory'",
     "Leave some free"},
    {"DistBackendError", "NCCL error in: a.hpp:275, unhandled cuda error\nFailed to CUDA calloc async 4 bytes",
     "most often because the GPU has none left"},
    {"DistBackendError", "NCCL error in: a.hpp:275, unhandled cuda error\nLast error:\nCuda failure 'invalid argument'",
     "Let NCCL log what failed"},
    {"RuntimeError", "CUDA driver error: out of memory", "what the driver allocates"},
    {"RuntimeError", "HIP error: out of memory", "rocm-smi"},
    {"RuntimeError", "cuFFT error: CUFFT_ALLOC_FAILED", "could not allocate GPU memory"},
    {"InvalidBackend", "Invalid backend: 'ipex', see", "import intel_extension_for_pytorch"},
    {"InvalidBackend", "Invalid backend: 'openvino', see", "import openvino.torch"},
    {"InvalidBackend", "Invalid backend: 'openxla', see", "import torch_xla"},
    {"InvalidBackend", "Invalid backend: 'quokka', see", "the package that registers this backend"},
    {"NameError", "name '__compiled_fn_7' is not defined", "a name of its own"},
    {"InductorError", "Name=triton_red_fused_sum_3\nat 6:3:\nNameError('tmp19 is not defined')", "not in Triton, and"},
    {"CompilationError", "def triton_poi_fused_0(in_ptr0):\nNameError('tmp4 is not defined')", "not in Triton, and"},
    {"AssertionError", "Expected tensors only, but got: <class 'int'>", "TORCHINDUCTOR_FORCE_DISABLE_CACHES"},
    {"AttributeError", "torch._dynamo.config.quokka does not exist", "dir(torch._dynamo.config)"},
    {"RuntimeError", "Missing key(s) in state_dict: \"net._orig_mod.w\".", "Compile in place"},
    {"RuntimeError", "Expected to have finished reduction in the prior iteration", "find_unused_parameters"},
    {"RuntimeError",
     "Expected to have finished reduction in the prior iteration. x\nParameter indices which did not receive grad for "
     "rank 0: 3",
     "The parameters of these numbers"},
    {"RuntimeError", "Expected to mark a variable ready only once.", "static_graph"},
    {"RendezvousClosedError", "", "closed the rendezvous"},
    {"DistNetworkError", "The server socket has failed to listen on any local network address.", "uses the port"},
    {"RuntimeError",
     "DDP expects same model across all ranks, but Rank 0 has 9 params, while rank 1 has inconsistent 0 params.",
     "NCCL_P2P_DISABLE"},
    {"RuntimeError",
     "DDP expects same model across all ranks, but Rank 0 has 9 params, while rank 1 has inconsistent 8 params.",
     "the names and shapes"},
    {"RuntimeError",
     "[1]: params[0] in this process with sizes [4] appears not to match sizes of the same param in process 0.",
     "the names and shapes"},
    {"", "Memory access fault by GPU node-1 on address (nil).", "AMD_SERIALIZE_KERNEL"},
    {"", "HSA_STATUS_ERROR_OUT_OF_RESOURCES: no memory", "rocm-smi"},
    {"InductorError",
     "LoweringException: GuardOnDataDependentSymNode: Could not guard on data-dependent expression u5 < 0\n"
     "  target: aten.slice_scatter.default",
     "torch._check(k >= 0)"},
    {"RuntimeError", "Unsupported for now if query, key, value are the same buffer", "parts of one tensor"},
    {"AssertionError", "Cannot generate resume function for generator, coroutine, or async generator",
     "cannot be cut at a graph break"},
    {"AssertionError", "torch._C._is_key_in_tls(attr_name)", "belong to the Python thread"},
    {"KeyError", "'_orig_mod'", "compiled as a whole"},
    {"TypeError", "'OptimizedModule' object is not subscriptable", "Compile in place"},
    {"AttributeError", "'OptimizedModule' object has no attribute '_hook'", "Compile in place"},
    {"AssertionError", "a Till is wanted, not OptimizedModule", "Compile in place"},
    {"TorchRuntimeError", "InferenceMode::is_enabled() INTERNAL ASSERT FAILED: at::_fw_primal", "`jacrev`"},
    {"TorchRuntimeError", "Batching rule not implemented for aten::_make_dual; x", "torch.no_grad"},
    {"RuntimeError", "Nested forward mode AD is not supported at the moment", "first error"},
    {"TorchRuntimeError", "Caught RuntimeError in replica 1 on device 1.", "one process for each GPU"},
    {"BackendCompilerFailed", "backend='compile_fn' raised:\nAttributeError: 'int' object has no attribute 'meta'",
     "which is no tensor"},
    {"BackendCompilerFailed", "backend='compile_fn' raised:\nKeyError: tag_activation_checkpoint",
     "activation checkpointing is in one"},
    {"BackendCompilerFailed", "backend='compile_fn' raised:\nValueError: no quokka", "compiling one of the parts"},
    {"BackendCompilerFailed", "compile_fn raised ValueError: no quokka", "compiling one of the parts"},
    {"BackendCompilerFailed",
     "backend='compile_fn' raised:\nRuntimeError: Cannot call sizes() on tensor with symbolic sizes/strides",
     "drop_last=True"},
    {"RuntimeError", "Cannot call numel() on tensor with symbolic sizes/strides", "C++ or CUDA code is called"},
    {"RuntimeError",
     "Failed to run autotuning code block: CUDA error: device-side assert triggered\n"
     "Assertion `index out of bounds: 0 <= tmp3 < 81` failed.",
     "with inputs that it made up"},
    {"InductorError",
     "CppCompileError: C++ compile error\n\nOutput:\n/tmp/torchinductor_me/c1.cpp:7:9: error: "
     "\xe2\x80\x98tmp2\xe2\x80\x99 was not declared in this scope\n"
     "    7 |    TORCH_CHECK(tmp2 < ks1, \"index out of bounds: 0 <= tmp9 < ks1\");\n"
     "      |                ^~~~",
     "assert_indirect_indexing = False"},
    {"InductorError",
     "CppCompileError: C++ compile error\n\nOutput:\n/tmp/torchinductor_me/c1.cpp:7:9: error: use of undeclared "
     "identifier 'tmp2'\n    in(tmp2, \"index out of range\");\n       ^",
     "a variable that it does not define"},
    {"InductorError",
     "CppCompileError: C++ compile error\n\nOutput:\n/tmp/torchinductor_me/c1.cpp:7:9: error: no match for "
     "\xe2\x80\x98operator<\xe2\x80\x99\n    7 |    TORCH_CHECK(tmp2 < 9, \"index out of bounds: 0 <= tmp2 < 9\");\n",
     "cpp.simdlen"},
    {"ZeroDivisionError", "float division by zero: baseline_timing / best_timing,", "COORDINATE_DESCENT_TUNING=0"},
    {"", "the autotuner measured a time of zero or below: triton_mm_3 -0.1 ms", "is chance"},
    {"AssertionError", "Mixing fake modes NYI", "A tensor of one compile"},
    {"TypeError", "sell_fake() missing 1 required positional argument: 'till'", "same defaults"},
    {"InductorError", "AssertionError: 'XBLOCK' too large. Maximum: 2048. Actual: 4096.", "coordinate_descent_tuning"},
    {"LoweringException", "NoValidChoicesError: No choices to select, x\n  target: flex_attention", "smaller blocks"},
    {"LoweringException", "NoValidChoicesError: No choices to select, x\n  target: aten.mm", "Allow those of ATen"},
    {"AssertionError", "wrong number of dimensions3 for op: torch.ops.aten._flash_attention_forward.default",
     "returned another shape"},
    {"LoweringException",
     "NoValidChoicesError: No choices to select, x\n  target: flex_attention\n  layout=FixedLayout('cpu', torch",
     "The tensors are on the CPU"},
    {"LoweringException", "NoValidChoicesError: No choices to select, x\n  target: aten.mm\n  FixedLayout('cpu', torch",
     "those of ATen and C++"},
    {"CompilationError", "at 9:8:\ndef triton_(seed0):\n    xnumel = 4294967296\n    tmp2 = tl.rand(tmp0, tmp1)\n    ^",
     "make that tensor smaller"},
    {"BackendCompilerFailed",
     "debug_wrapper raised CompilationError: at 9:8:\ndef triton_(seed0):\n    xnumel = 4294967296\n  tl.rand(a)\n  ^",
     "make that tensor smaller"},
    {"RuntimeError",
     "we guessed its metadata\nexpected type: <class 'torch.Tensor'>\nruntime type: <class 'q.AsyncCollectiveTensor'>",
     "was compiled for a plain tensor"},
    {"NotImplementedError",
     "does not support running with fake tensors\n  unsupported operator: aten._use_cudnn_ctc_loss.Tensor",
     "PyTorch's own operator"},
    {"Unsupported",
     "Operator does not support running with fake tensors\nDeveloper debug context: unsupported operator: "
     "aten._transformer_encoder_layer_fwd.default",
     "set_fastpath_enabled(False)"},
    {"UnsupportedOperatorException", "aten._native_multi_head_attention.default", "set_fastpath_enabled(False)"},
    {"NotImplementedError", "Could not run 'aten::_transformer_encoder_layer_fwd' with arguments from the 'Meta'",
     "set_fastpath_enabled(False)"},
    {"Unsupported", "Operator does not support running with fake tensors", "this text does not name it"},
    {"Unsupported", "Operator does not support running with fake tensors\n  unsupported operator: shop.price.default",
     "The operator needs a fake kernel"},
    {"TorchRuntimeError",
     "Failed running call_function <built-in method exp_ of type object at 0x7f>(*(FakeTensor(...),), **{}):\n"
     "a leaf Variable that requires grad is being used in an in-place operation.",
     "Write it out of place"},
    {"TorchRuntimeError", "got TypeError(\"unsupported operand type(s) for -: 'FakeTensor' and 'FakeTensor'\")",
     "hide what PyTorch raised"},
    {"TorchRuntimeError", "got TypeError(\"'<' not supported between instances of 'FakeTensor' and 'FakeTensor'\")",
     "hide what PyTorch raised"},
    {"Note", "a dispatch mode keeps a function from being compiled: skipping `sell` (shop.py)",
     "ignore_compile_internals"},
    {"Note", "no hang, the workers were compiling: Worker_TP0 compiled till 9.00 s", "each minute"},
    {"Note", "CUDA graphs are recorded again and again: function 3 as graphs 8, 12, 16", "perf_hints"},
    {"AccuracyError", "Accuracy failed: uint8 tensor did not match", "tensor of booleans"},
    {"AccuracyError", "Accuracy failed: allclose not within tol=0.001", "no float64 reference"},
    {"SyntaxError", "failed to compile\nprogram_source:3:1: error: x", "Metal"},
    {"InductorError", "SyntaxError: failed to compile\n#include <c10/metal/utils.h>\n", "MPS, in Metal"},
    {"BackendCompilerFailed",
     "backend='inductor' raised:\nRuntimeError: element 1 of "
     " tensors does not require grad and does not have a grad_fn",
     "AOTAutograd takes an output"},
    {"InductorError", "AssertionError: <built-in function getitem> is not an OpOverload", "lists of complex tensors"},
    {"RuntimeError", "element 0 of tensors does not require grad and does not have a grad_fn",
     "The loss does not depend"},
    {"AssertionError",
     "torch.compile is currently being used with tensor subclass inputs:\n<class 'q'>. We are attempting to a compile "
     "a graph with two graph outputs\nthat alias one another",
     "Two tensors that the compiled function returns"},
    {"RuntimeError",
     "\nDuring the backward, we encountered a tensor subclass where we guessed its\nmetadata incorrectly.\n\n"
     "Expected metadata: None, expected type: <class 'q.AsyncCollectiveTensor'>",
     "`.wait()`"},
    {"RuntimeError", "\nwe guessed its\nmetadata incorrectly.\nExpected a DTensor tangent but got a plain Tensor.",
     "`.detach()`"},
    {"RuntimeError", "attempting to assign a gradient of size '[10]' to a tensor of size '[0]'",
     "compiled_autograd = False"},
    {"RuntimeError", "self.size(0) needs to be greater than 16, but got 1", "17 rows"},
    {"AssertionError", "daemonic processes are not allowed to have children", "compile_threads = 1"},
    {"RuntimeError", "Type 'Tuple[int, int]' cannot be traced. Only Tensors and (possibly nested) Lists, Dicts",
     "`torch.jit.trace`"},
    {"AttributeError", "'function' object has no attribute '__func__'. Did you mean: '__doc__'?",
     "the scheduler first"},
    {"AssertionError", "expected size 4==4, stride 1==2 at dim=0\nError in op: torch.ops.aten.sdp.default",
     "Most likely a bug in PyTorch"},
    {"AssertionError",
     "expected size 4==4, stride 1==2\nError in op: torch.ops.aten._scaled_dot_product_efficient_attention.default",
     "Most likely a bug in PyTorch"},
    {"AssertionError",
     "expected size 4==4, stride 1==2\nError in op: torch.ops.aten._scaled_dot_product_cudnn_attention.default",
     "`enable_cudnn_sdp(False)`"},
    {"RuntimeError", "One of the differentiated Tensors does not require grad", "`requires_grad_(True)`"},
    {"RuntimeError", "Failed to import /tmp/x.py\nSyntaxError: invalid syntax (x.py, line 3)", "remove the cache"},
    {"RuntimeError", "Failed to import /tmp/x.py\nIndentationError: expected an indented block", "no valid Python"},
    {"RuntimeError", "Failed to import C:\\x.py\nSyntaxError: invalid syntax (x.py, line 3)", "no valid Python"},
    {"ValueError", "Pointer argument (at 0) cannot be accessed from Triton (cpu tensor?)", ".to("},
    {"AssertionError", "Input shapes should have M >= 16", "BLOCK"},
    {"AssertionError", "isinstance(index, (int, torch.SymInt))", "shows no such index"},
    {"InductorError", "Triton's compiler: operand #0 does not dominate this use, x.py:3:4", "the file of the kernel"},
    {"RuntimeError", "Unhandled: found two different devices cuda:0, cpu", "same device"},
    {"NotImplementedError", "attempting to run unimplemented operator/function: aten.permute", "torchao"},
    {"RuntimeError", "aten.mm.default: got mixed torch.Tensor and DTensor", "distribute_tensor"},
    {"RuntimeError", "While executing unfold, a tensor being mutated that has internal overlap.", ".clone()"},
    {"RuntimeError", "\"addmm_impl_cpu_\" not implemented for 'Half'", "float32"},
    {"AssertionError", "Tensor-likes are not close!", "float64"},
    {"Warning", "collectives that nothing waited for, when the process ended: 3", "Run the same uncompiled"},
    {"Warning", "outputs from a previous step still require backward.", "around the call"},
    {"Warning", "an exception was ignored in `shutdown_compile_workers`: TimeoutExpired: x", "COMPILE_THREADS=8"},
    {"Warning", "an exception was ignored in `close_till`: ValueError: x", "Python could not raise"},
    {"InductorError", "AssertionError: type(self)=<class 'torch._inductor.scheduler.Scheduler'>", "combo_kernels"},
    {"Warning", "Triton compilation failed: triton_poi_0\nValueError('type till not supp", "The exception in this"},
    {"Warning", "Triton compilation failed: triton_poi_0\nmetadata: {}", "not in this text"},
    {"CompilationError", "def triton_poi_0(x):\nAssertionError(\"fp8e4nv data type is not supported on CUDA arch\")",
     "float8_e5m2"},
    {"AttributeError", "Can't pickle local object", "_orig_mod"},
    {"RuntimeError", "Error(s) in loading state_dict for M:", "_orig_mod"},
    {"RuntimeError", "Unexpected key(s) in state_dict: \"_orig_mod.fc.weight\"", "without the prefix"},
    {"RuntimeError", "Missing key(s) in state_dict: \"_orig_mod.fc.weight\"", "This module is compiled"},
    {"RuntimeError", "When Traceable FSDP2 is enabled, we should not be calling into `RegisterPostBackwardFunction`.",
     "compile the whole forward"},
    {"RuntimeError", "CUDAGraphs that has been overwritten by a subsequent run", "once a step"},
    {"Stuck watchdog", "ProcessGroupNCCL's watchdog got stuck for 480 seconds without making progress",
     "`TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC=1800`"},
    {"Stuck watchdog", "Heartbeat monitor timed out! Process will be terminated", "py-spy dump --native"},
    {"RuntimeError",
     "that has been overwritten by a subsequent run. Stack trace: File \"q.py\", line 1\n    self.t = till()",
     "Make it before the first compiled call"},
    {"RuntimeError", "that has been overwritten by a subsequent run. Stack trace: [Could not find stack trace]",
     "zero_grad(set_to_none=True)"},
    {"BackendCompilerFailed",
     "backend='inductor' raised:\nRuntimeError: Cannot copy between CPU and CUDA tensors during CUDA graph capture",
     "(warm up)"},
    {"RuntimeError", "Cannot copy between CPU and CUDA tensors during CUDA graph capture", "`.item()`"},
    {"RuntimeError", "CUDA error: operation not permitted on an event last recorded in a capturing stream",
     "in the same graph"},
    {"RuntimeError", "CUDA error: dependency created on uncaptured work in another stream", "before the capture"},
    {"RuntimeError", "CUDA error: capturing stream has unjoined work", "`wait_stream`"},
    {"RuntimeError", "Detected 2 tensor(s) in the cudagraph pool not tracked as outputs.", "out of place"},
    {"RuntimeError", "graph recording observed an input tensor deallocate during graph recording",
     "retain_graph"},
    {"", "PyTorch goes on: an exception in identify_mutated_tensors, assuming every input is mutated", "copies"},
    {"", "PyTorch goes on: Ignoring error in debug_str()", "may be slower"},
    {"", "PyTorch goes on: Failed to pickle cache key; TypeError: cannot pickle 'Till' object",
     "compiled again at each start"},
    {"AcceleratorError", "CUDA error: operation failed due to a previous error during capture", "an earlier error"},
    {"BackendCompilerFailed",
     "backend='inductor' raised:\nLoweringException: TypeError: cannot determine truth value of Relational",
     "dynamic=False"},
    {"BackendCompilerFailed",
     "LoweringException: AssertionError: convert FlexibleLayout to FixedLayout first\n  target: flex_attention",
     "one value for one pair"},
    {"Native assertion", "Assertion `isa<mlir::Till>(x)' failed", "no kernel ran"},
    {"RuntimeError",
     "Found a custom (non-ATen) operator whose output has alias annotations: shop::fill(Tensor(a0!) d) -> (). No",
     "The operator is right"},
    {"RuntimeError",
     "Found a custom (non-ATen) operator whose output has alias annotations: shop::fill(Tensor(a!) d) -> Tensor(a!).",
     "shares memory"},
    {"TorchRuntimeError",
     "Dynamo failed to run FX node with fake tensors: call_function <built-in function getitem>(*(x,)): got "
     "RuntimeError(\"vmap: It looks like you're calling .item() on a Tensor.\")",
     "i[None]"},
    {"TorchRuntimeError", "vmap: It looks like you're calling .item() on a Tensor.", "`torch.where`"},
    {"RuntimeError",
     "During the backward, we encountered a tensor subclass where we guessed its metadata incorrectly.\n"
     "Expected metadata: None, expected type: <class 'torch.Tensor'>\n"
     "Runtime metadata: None, runtime type: <class 'shop.Till'>",
     "__coerce_same_metadata_as_tangent__"},
    {"RuntimeError",
     "Expected metadata: None, expected type: <class 'torch.Tensor'>\n"
     "Runtime metadata: None, runtime type: <class 'torch.distributed.tensor.DTensor'>",
     ".to_local()"},
    {"CompilationError", "at 3:52:\nNameError(\"Cannot access global variable TILL from within @jit'ed function\")",
     "tl.constexpr(VALUE)"},
    {"NotImplementedError",
     "There was no rule registered for HigherOrderOperator till and mode <torch.utils.checkpoint._Mode object>",
     "without a policy"},
    {"AttributeError", "'FakeTensor' object has no attribute 'till'", "does not support torch.compile"},
    {"TorchRuntimeError",
     "call_function <built-in function mul>(*(FakeTensor(..., size=(3,)), <built-in method dim of FakeTensor object at "
     "0x7f>), **{}): got TypeError(\"unsupported operand type(s) for *: 'FakeTensor' and "
     "'builtin_function_or_method'\")",
     "which is not called"},
    {"LoweringException", "NoValidChoicesError: No choices to select, x\n  target: flex_attention_backward",
     "`BLOCK_SIZE` of `create_block_mask`"},
    {"AssertionError", "should have been handled in replace_random.py (aten.rand.default)", "fallback_random"},
    {"Note", "a second call that is slow, and later ones that are not: call 0: 9 s", "records the graph"},
    {"Note", "steps that are slow only at first: eager 9, then 9 it/s", "let it run longer"},
    {"Note", "compiling takes longest in inductor, where each step doubles it: x", "break the graph every"},
    {"Note", "compiling takes longest in aot_eager, where each step doubles it: x", "Break the graph every"},
    {"Note", "compiled code is slower, in the backward alone, in 2 of 2 pairs: x", "graph of the backward"},
    {"Note", "compiled code is slower, in one memory layout, in 1 of 2 pairs: x", "layout of the input decides"},
    {"Note", "one line becomes many operators, in the backward: till.py:3 becomes `cumprod` up to number 31: x",
     "cumsum"},
    {"Note", "one line becomes many operators, in the backward: till.py:3 becomes `cummax` up to number 31: x",
     "backward of its own"},
    {"Note", "one line becomes many operators: till.py:3 becomes `tanh` up to number 31: x",
     "loop of Python is unrolled"},
    {"Note", "compiled code does not see a change of a class: `Till.scale` is 5 when it is called again",
     "behind each change"},
    {"Warning", "warning: failed to autoquant Till for shape: x due to self.size(0) needs to be greater than 16",
     "no error"},
    {"RuntimeError", "Attempting to broadcast a dimension of length 0 at -1! Mismatching argument at index 1 had x",
     "argument is empty"},
    {"Note", "compiled code is slower, with inference_mode, in 1 of 2 pairs: x", "under one mode"},
    {"Note", "compiled code is slower, for single functions, in 1 of 2 pairs: x", "nothing to fuse"},
    {"Note", "compiled code is slower, in 1 of 2 pairs: x", "have in common"},
    {"Note", "one result is far off, only with CUDA graphs: x", "memory of its own"},
    {"Note", "one result is far off: x; right with `y`", "no rounding does that"},
    {"Note", "a compiler is at work: 3 processes of cc1plus", "one for each kernel or file"},
    {"Note", "a compiler is at work: ptxas, for 9:00, at one file", "needs more registers"},
    {"Note", "a compiler is at work: cc1plus, for 9:00, at one file", "more cores do not help"},
    {"Note", "the compiled result is wrong with inductor, and right with aot_eager: 7 where eager mode has 0",
     "bug of Inductor"},
    {"Note", "the compiled result is wrong with aot_eager already: 7 where eager mode has 0", "AOTAutograd is at"},
    {"Note", "the compiled result is wrong with eager already: 7 where eager mode has 0", "no guard watches"},
    {"Note", "the compiled result is wrong: 5 where eager mode has 4294967301: as if computed in 32 bits", "cut to 32"},
    {"Note", "the compiled result is wrong with inductor, and right with aot_eager: 8: as if not kept in 8 bits",
     "wraps"},
    {"Note", "the compiled result is wrong with aot_eager_decomp_partition, and right with aot_eager: 7 where x",
     "decompositions"},
    {"Note", "the compiled result is wrong: 8 where eager mode has 4: twice as much", "counted twice"},
    {"Note", "a backend fails with inductor, and not with aot_eager: `x` where", "what Inductor"},
    {"Note", "a backend fails with aot_eager already: `x` where eager mode has `ok`", "names the part at fault"},
    {"Note", "a check that compiled code does not make: `assert ok`, without effect", "outside of the compiled"},
    {"Note", "a value that is chosen once, while the function is compiled, of `random.random()`: 4 in each of 3",
     "no guard watches it"},
    {"Note", "a value that is chosen once, while the function is compiled: 4 in each of 3", "may be frozen"},
    {"Note", "one tensor is given twice to an autograd.Function, of `Till.apply(x, x)`: 1 where eager mode has 2",
     "distinct tensors"},
    {"Note", "a value that stays what it was when it was compiled: x", "pass it as an argument"},
    {"Note", "most likely nothing is compiled: DataParallel wraps the model, by a Trainer", "accelerate launch"},
    {"Note", "most likely nothing is compiled: DataParallel wraps the model", "DistributedDataParallel"},
    {"Note", "compiled code takes as long as eager mode, beside a dispatch mode: 9.8, and 9.8", "before the mode"},
    {"Note", "most likely nothing is compiled, after a dispatch mode: x", "before the mode"},
    {"Note", "compiled code takes as long as eager mode: 9.8, and 9.8", "whether anything is compiled"},
    {"Note", "graphs that differ only in a string: 'a' and 'b'", "constant of the graph"},
    {"Note", "a speed that falls and stays low, since an evaluation: it/s 9 to 9 in 3 lines", "no_grad"},
    {"Note", "a speed that falls and stays low: it/s 9 to 9 in 3 lines", "from one line on"},
    {"Note", "the time contains the compile: 10 calls", "before the clock starts"},
    {"Note", "only some settings are wrong: 0 in 2 of 6 rows", "the wrong rows share"},
    {"Note", "the compiler is named, in a text on memory: x", "_record_memory_history"},
    {"Note", "the compiler is named, in a text on the time of the first calls: x", "TORCH_TRACE=DIR"},
    {"Note", "the compiler is named, in a text on speed: x", "torch.profiler"},
    {"Note", "the compiler is named, in a text on results: x", "aot_eager"},
    {"Note", "the compiler is named, in a text on a crash: x", "py-spy"},
    {"Note", "a kernel that takes longer in one of two profiles: x", "tl.constexpr"},
    {"Note", "a kernel that has most of the time of a profile: x", "launching kernels is not"},
    {"Note", "a server's start, most of which is capturing CUDA graphs: x", "cudagraph_capture_sizes"},
    {"Note", "a server's start, most of which is loading compiled graphs: x", "local disk"},
    {"Note", "a server's start, most of which is the first run: x", "TRITON_CACHE_DIR"},
    {"Note", "a server's start, most of which is Dynamo: x", "traces the model again"},
    {"Note", "a server's start, most of which is compiling: x", "VLLM_CACHE_ROOT"},
    {"Note", "what Dynamo does before each call: x", "skip_guard_eval_unsafe"},
    {"Note", "create_block_mask takes longest: x", "from_kv_blocks"},
    {"Note", "memory with autocast and the compiler together: x", "Cast the weights once"},
    {"Note", "random numbers under one seed: x", "fallback_random"},
    {"Note", "half precision that overflows only uncompiled: x", "EMULATE_PRECISION_CASTS"},
    {"Note", "hooks that compiled code does not see, added after the first call: x", "skip_nnmodule_hook_guards"},
    {"Note", "hooks that compiled code does not see: x", "Most likely the hooks are added"},
    {"Note", "a write in place into a slice, most likely lost: `a[1:]`, into which `f` writes", "multiple of 16"},
    {"Note", "AUTOTUNE benchmarking takes 2 seconds for 3 choices: flex_attention(2x8)", "default configuration"},
    {"RuntimeError", "you are using FX to torch.jit.trace a dynamo-optimized function.", "torch.jit.trace"},
    {"TorchRuntimeError",
     "call_function <built-in method _till of type object at 0x7>(): got RuntimeError('it is likely that we are "
     "erroneously tracing into a custom kernel')",
     "PyTorch's own"},
    {"TorchRuntimeError", "call_function till(): we are erroneously tracing into a custom kernel", "custom operator"},
    {"", "LLVM ERROR: Failed to translate TritonGPU", "Triton"},
    {"UserWarning", "TensorFloat32 tensor cores for float32 matrix multiplication", "set_float32_matmul_precision"},
    {"TypeError", "compile() got an unexpected keyword argument 'x'", "version"},
    {"RuntimeError", "Unable to call ExportedProgram directly. You should use `exported_program.module()` instead.",
     ".module()"},
    {"AssertionError", "ScriptModules aren't supported in UnspecializedNNModuleVariable becuase their .forward",
     "original module"},
    {"ValueError", "Exporting a ScriptModule is not supported. Maybe try", "torch.jit.script"},
    {"RuntimeError", "Serialized version 5.1 does not match our current schema version 8.2", "another version"},
    {"UserWarning", "The tensor attribute x was assigned during export. Such attributes must be registered as buffers",
     "from the second call on"},
    {"ValueError", "The tensor attribute x was assigned during export. Such attributes must be registered as buffers",
     "register_buffer"},
    {"RuntimeError", "Constant x is mutated in the forward method. Pls register it as buffer", "register_buffer"},
    {"UserError",
     "Cannot export model which references tensors that are neither buffers/parameters/constants nor "
     "are direct inputs",
     "register_buffer"},
    {"RuntimeError", "Encountered autograd state manager op x trying to change global autograd state", "no_grad"},
    {"UserError", "It looks like one of the outputs with type `X` is not supported or pytree-flattenable.",
     "register_pytree_node"},
    {"RuntimeError", "Found a graph input that requires gradients, and received a mutation.", ".clone()"},
    {"RuntimeError", "Encountered aliased inputs that are mutated in the graph, but at least one", ".clone()"},
    {"RuntimeError",
     "During the backward, we encountered a tensor subclass where we guessed its metadata "
     "incorrectly.",
     "subclass"},
    {"ValueError", "Device mismatch between fake input and example input at position #0: cpu vs cuda:0.",
     "move_to_device_pass"},
    {"RuntimeError",
     "The tensor has a non-zero number of elements, but its data is not allocated yet.\nIf you're "
     "using torch.compile/export/fx, it is likely that we are erroneously tracing into a custom kernel.",
     "custom_op"},
    {"NotImplementedError", "Operator aten.as_strided.default does not have a sharding strategy registered.",
     "Return a copy"},
    {"RuntimeError", "as_strided not supported with DTensor", "Return a copy"},
    {"RuntimeError", "Cannot access data pointer of Tensor (e.g. FakeTensor, FunctionalTensor).", "custom_op"},
    {"RuntimeError", "Cannot call numel() on tensor with symbolic sizes/strides", "custom_op"},
    {"RuntimeError", "Trying to backward through x.y.default but no autograd formula was registered.",
     "register_autograd"},
    {"RuntimeError", "ScriptObject's f haven't registered a fake class.", "register_fake_class"},
    {"AttributeError", "'_OpNamespace' '_C' object has no attribute 'rms_norm'", "not registered"},
    {"RuntimeError", "operator torchvision::nms does not exist", "torchvision"},
    {"UnsupportedAliasMutationException", "One of torch.cond branch might be aliasing the input!", ".clone()"},
    {"RuntimeError", "Expected carried_inputs and body outputs return tensors with same metadata but found:", "agree"},
    {"RuntimeError", "Autograd not implemented for while_loop", "no backward"},
    {"AcceleratorError", "CUDA error: device-side assert triggered\nAssertion `t >= 0 && t < n_classes` failed.",
     "A label is out of range"},
    {"AcceleratorError",
     "CUDA error: device-side assert triggered\nAssertion `-sizes[i] <= index && index < sizes[i] && \"index out of "
     "bounds\"` failed.",
     "An index of a tensor"},
    {"AcceleratorError",
     "CUDA error: device-side assert triggered\nAssertion `idx_dim >= 0 && idx_dim < index_size && \"index out of "
     "bounds\"` failed.",
     "`gather` or `scatter`"},
    {"AcceleratorError", "CUDA error: device-side assert triggered\nAssertion `dstIndex < dstAddDimSize` failed.",
     "On the CPU"},
    {"AcceleratorError", "CUDA error: device-side assert triggered\nAssertion `srcIndex < srcSelectDimSize` failed.",
     "token id"},
    {"AcceleratorError", "Assertion `probability tensor contains either `inf`, `nan` or element < 0` failed", "NaN"},
    {"AssertionError", "Guard check failed immediately after evaluating the frame. Guard: 0/0: x", "outside of"},
    {"RuntimeError", "Input type (float) and bias type (c10::Half) should be the same", ".to("},
    {"Unsupported", "Calling torch.func.jvp(compiled_fn) function from eager mode is not supported.", "torch.compile"},
    {"RuntimeError", "The specified pointer resides on host memory and is not registered with any CUDA device.",
     "loader"},
    {"ConversionError", "Error when translating node %x : [num_users=1]", "custom_translation_table"},
    {"UncapturedHigherOrderOpError", "Cond doesn't work unless it is captured completely", "traced as a whole"},
    {"RuntimeError", "Expected pred to be bool or single-element tensor, but got x.", "tensors only"},
    {"NotImplementedError", "TorchDispatchMode not yet implemented for compiled autograd.",
     "compiled_autograd = False"},
    {"RuntimeError", "No available kernel. Aborting execution.", "SDPBackend.MATH"},
    {"NotImplementedError", "Calling eval() is not supported yet.", "keeps the mode"},
    {"NotImplementedError", "Calling train() is not supported yet.", "keeps the mode"},
    {"UserError",
     "When `dynamic_shapes` is specified as a dict, its top-level keys must be the arg names ['goods', 'mask'] of "
     "`inputs`, but here they are ['bread', 'mask'].",
     "below the key of that argument"},
    {"ValueError", "Expect query and key/value to have the same batch size, or non-none block_mask", "flex_attention"},
    {"AssertionError", "out variant should have at least one out arg", "DTensor"},
    {"AttributeError", "'NestedIntNode' object has no attribute 'expr'", "jagged"},
    {"NotImplementedError", "torch.compile on CPU only supports inference and `return_lse` is not supported yet.",
     "scaled_dot_product_attention"},
    {"AttributeError", "'complex' object has no attribute 'get_name'", "polar"},
    {"CheckpointError",
     "Recomputed values for the following tensors have different metadata than during the forward pass.\n"
     "tensor at position 7:\nsaved metadata: {'shape': torch.Size([96]), 'dtype': torch.float32}\n"
     "recomputed metadata: {'shape': torch.Size([0]), 'dtype': torch.float32}",
     "ZeRO-3"},
    {"CheckpointError",
     "Recomputed values for the following tensors have different metadata than during the forward pass.\n"
     "tensor at position 7:\nsaved metadata: {'shape': torch.Size([96]), 'dtype': torch.float32}\n"
     "recomputed metadata: {'shape': torch.Size([48]), 'dtype': torch.float32}",
     "must do the same as the forward"},
    {"CheckpointError",
     "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata "
     "than during the forward pass.",
     "checkpoint"},
    {"NotImplementedError", "Cannot copy out of meta tensor; no data!", "to_empty"},
    {"ValueError", "Default process group has not been initialized, please make sure to call init_process_group.",
     "init_process_group"},
    {"RuntimeError", "view size is not compatible with input tensor's size and stride", ".reshape("},
    {"NotImplementedError", "could not find kernel for aten.x.default at dispatch key DispatchKey.Meta",
     "fake tensors"},
    {"InductorError", "RuntimeError: Failed to run autotuning code block: x", "ahead of time"},
    {"InductorError", "RuntimeError: Failed to run autotuning code block: name 'f' is not defined", "nor imports"},
    {"CompilationError", "at 3:1:\ntmp2 = tmp0 + tmp1\nTypeError('unexpected type fp8e5 and fp8e5')", "bfloat16"},
    {"InductorError", "SubprocException: x\nNameError('till is not defined')", "copies such a kernel"},
    {"InductorError", "SubprocException: x\nNameError('rindex is not defined')", "Inductor wrote this kernel"},
    {"InductorError", "SubprocException: x\nNameError('tmp3 is not defined')", "Triton rejects a line"},
    {"InternalTorchDynamoError", "TypeError: cannot create weak reference to 'weakproxy' object",
     "Compile the network"},
    {"InternalTorchDynamoError",
     "TypeError: autocast.__init__() takes from 2 to 3 positional arguments but 5 were given", "another class"},
    {"TorchRuntimeError",
     "mul(*(FakeTensor(..., size=(1, s3)), Parameter(FakeTensor(..., size=(4,)))), **{}): got RuntimeError('The size "
     "of tensor a (s3) must match the size of tensor b (4) at non-singleton dimension 1)')",
     "A weight has another size"},
    {"RuntimeError", "torch.compile with fullgraph=True found no compiled frames.", "Nothing in this call was"},
    {"RuntimeError",
     "torch.compile with fullgraph=True found no compiled frames. Skipped frames:\n  - f: Dynamo tracing is disabled",
     "Dynamo is off"},
    {"RuntimeError",
     "torch.compile with fullgraph=True found no compiled frames. Skipped frames:\n  - f: non-infra torch dispatch "
     "mode present, this is not supported today in torch.compile",
     "under a dispatch mode"},
    {"InductorError", "CppCompileError: C++ compile error\nx.cpp: undefined reference to `f'", "linker"},
    {"RuntimeError", "Cannot re-initialize CUDA in forked subprocess.", "spawn"},
    {"ValueError", "`FlatParameter` requires uniform `requires_grad`", "use_orig_params=True"},
    {"ValueError", "Must flatten tensors with uniform `requires_grad` when `use_orig_params=False`", "fully_shard"},
    {"RuntimeError",
     "Tensors returned from custom ops (1) must not be inputs to the custom op and (2) may not alias any inputs",
     "mutates_args"},
    {"RuntimeError", "Expected input at *args[0].shape[0] to be equal to 4, but got 5", "dynamic_shapes"},
    {"ValueError", "Trying to flatten user inputs with exported input tree spec: x", "same arguments"},
    {"UserWarning", "CUDAGraph supports dynamic shapes by recording a new graph for each distinct input size.", "pad"},
    {"Warning", "q1 is not in var_ranges, defaulting to unknown range.", "nothing needs to be done"},
    {"Warning", "DeviceCopy in input program", "device=x.device"},
    {"Warning", "WARNING: destroy_process_group() was not called before program exit", "destroy_process_group"},
    {"UserWarning", "The CUDA Graph is empty. This usually means that", "on the CPU"},
    {"RuntimeError", "f() is not supported. Otherwise, please file an issue on GitHub.", "apply those"},
    {"RuntimeError", "Found a custom (non-ATen) operator whose output has alias annotations: x", ".clone()"},
    {"AssertionError", "Input addresses for cudagraphs are different during replay.", "--enforce-eager"},
    {"RuntimeError", "Triton Error [CUDA]: invalid device context", "set_device"},
    {"CompilationError", "Did you forget to add @triton.jit ?", "above it"},
    {"OverflowError", "Python int too large to convert to C long", "Triton"},
    {"RuntimeError", "vmap: called random operation while in randomness error mode.", "randomness"},
    {"TorchRuntimeError", "`variable` and `tensor` have incompatible tensor type.", "outside"},
    {"SerializeError", "Failed serializing node _set_grad_enabled in graph: x", "no_grad"},
    {"Unsupported", "Compilation of intermediate hooks requires compiled autograd", "outside"},
    {"UserWarning", "Failed to initialize NumPy: _ARRAY_API not found", "numpy<2"},
    {"", "the pod was OOMKilled", "host"},
    {"RuntimeError", "Cannot backprop, file a bug in PyTorch", "newer version"},
    {"RuntimeError", "q does not yet support r. If you need it, please file an issue", "do without it"},
    {"RuntimeError", "cudaMallocAsync does not yet support q. If you need it, please file an issue", "backend:native"},
    {"RuntimeError", "Missing key in checkpoint state_dict: fc.weight.", "_orig_mod"},
    {"AcceleratorError", "CUDA error: misaligned address", ".clone()"},
    {"RuntimeError", "you have used mix of the legacy and new APIs to set TF32", "set_float32_matmul_precision"},
    {"AssertionError", "torch.compile is currently being used with tensor subclass inputs: q", ".clone()"},
    {"BackendCompilerFailed", "backend='inductor' raised:\nNameError: name 's4' is not defined", "a size that varies"},
    {"NameError", "name 'ks0' is not defined", "a size that varies"},
};

static const struct error_answer *answer_to(const char *type, const char *message, enum error_category category)
{
    struct failure f = {.type = str_of(type), .message = str_of(message)};

    return error_answer_of(&(struct error){.failure = &f, .category = category});
}

static bool says(const struct error_answer *a, const char *words)
{
    for (size_t i = 0; i < ERROR_ANSWER_STEPS && a->steps[i]; i++)
        if (strstr(a->steps[i], words))
            return true;
    return false;
}

static void messages_have_their_answer(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        const struct error_answer *a = answer_to(messages[i].type, messages[i].message, ERROR_OTHER);

        assert_non_null(a);
        if (!says(a, messages[i].answer))
            fail_msg("%s: %s", messages[i].message, a->steps[0]);
    }
}

static void hints_of_breaks_are_no_bugs(void **state)
{
    static const char hint[] = "Some type\n  Hint: please file an issue on GitHub";

    (void)state;
    assert_null(answer_to("Unsupported", hint, ERROR_GRAPH_BREAK));
    assert_non_null(answer_to("RuntimeError", hint, ERROR_OTHER));
    assert_null(answer_to("ValueError", "3", ERROR_OTHER));
    assert_null(answer_to("NameError", "name 's4' is not defined", ERROR_USER));
    assert_null(answer_to("NameError", "name 'size' is not defined", ERROR_OTHER));
}

/* A compiler shows the line that it rejects, in which the message of a check may stand: nothing ran. */
static void code_that_is_shown_says_nothing(void **state)
{
    static const char below[] = "CppCompileError: C++ compile error\nOutput:\n/tmp/c1.cpp:7:9: error: expected ';'\n"
                                "    7 |    check(tmp2, \"index out of bounds: 0 <= tmp2 < 9\")\n      |    ^";
    static const char bare[] = "CppCompileError: C++ compile error\nOutput:\n/tmp/c1.cpp:7:9: error: expected ';'\n"
                               "    check(tmp2, \"index out of bounds: 0 <= tmp2 < 9\")\n    ^";

    (void)state;
    assert_null(answer_to("InductorError", below, ERROR_BACKEND));
    assert_null(answer_to("InductorError", bare, ERROR_BACKEND));
    assert_non_null(answer_to("RuntimeError", "index out of bounds: 0 <= tmp2 < 9", ERROR_USER));
}

/* The line of compiled code names what has other strides: a result of the graph, or what it received. */
static void whose_strides(void **state)
{
    struct call check = {.function = STR("call"), .source = STR("assert_size_stride(buf7, (4, 2), (2, 1))")};
    struct failure f = {.type = STR("AssertionError"),
                        .message = STR("expected size 4==4, stride 1==2 at dim=0"),
                        .stack = &check};
    struct error e = {.failure = &f, .category = ERROR_BACKEND};

    (void)state;
    assert_true(says(error_answer_of(&e), "its fake kernel. Odd strides"));
    check.source = STR("assert_size_stride(primals_2, (4, 2), (2, 1))");
    assert_true(says(error_answer_of(&e), "An input of the graph"));
    check.source = STR("assert_size_stride(x_1, (4, 2), (2, 1), 'input')");
    assert_true(says(error_answer_of(&e), "An input of the graph"));
    f.message = STR("expected size 4==4, stride 9==2 at dim=0\nThis error most often comes from a incorrect fake (aka "
                    "meta) kernel for a custom op.");
    assert_true(says(error_answer_of(&e), "An input of the graph"));
    check.source = STR("assert_size_stride(buf7, (4, 2), (2, 1), 'torch.ops.shop.price.default')");
    assert_true(says(error_answer_of(&e), "register_fake"));
    f.message = STR("expected size 4==4, stride 1==2 at dim=0");
    check.source = (struct str){0};
    assert_true(says(error_answer_of(&e), "or a parameter was replaced after"));
}

/* Who calls decides: a kernel that the autotuner tries has no tensor of the program. */
static void calls_decide(void **state)
{
    struct call outer = {.function = STR("benchmark_gpu")}, inner = {.function = STR("synchronize"), .parent = &outer};
    struct failure f = {.type = STR("InductorError"),
                        .message = STR("AcceleratorError: CUDA error: misaligned address"),
                        .stack = &inner};
    struct error e = {.failure = &f, .category = ERROR_RUNTIME_CRASH};

    (void)state;
    assert_true(str_has(str_of(error_answer_of(&e)->steps[0]), STR("AUTOTUNE_IN_SUBPROC")));
    outer.function = STR("step");
    assert_true(str_has(str_of(error_answer_of(&e)->steps[0]), STR(".clone()")));
}

/* A message that is only a key, and the line that raised it. */
static void line_that_raised_decides(void **state)
{
    struct call raised = {.file = STR("/v/torch/_dynamo/variables/dicts.py"),
                          .source = STR("raise KeyError(arg.value)")};
    struct failure f = {.type = STR("InternalTorchDynamoError"), .message = STR("0"), .raised_in = &raised};
    struct error e = {.failure = &f, .category = ERROR_DYNAMO_BUG};

    (void)state;
    assert_true(str_has(str_of(error_answer_of(&e)->steps[0]), STR("`d.get(key)`")));
    raised.source = STR("raise TypeError(arg.value)");
    assert_null(error_answer_of(&e));
}

static void inference_tensors_that_are_traced(void **state)
{
    struct call traces = {.file = STR("/v/torch/_functorch/aot_autograd.py"), .function = STR("aot_wrapper_dedupe")};
    struct failure f = {.type = STR("RuntimeError"),
                        .message = STR("Inference tensors do not track version counter."),
                        .stack = &traces};
    struct error e = {.failure = &f, .category = ERROR_OTHER};

    (void)state;
    assert_true(str_has(str_of(error_answer_of(&e)->steps[0]), STR("traces the function")));
    traces.file = STR("/srv/shop.py");
    assert_true(str_has(str_of(error_answer_of(&e)->steps[0]), STR("is used outside of it")));
}

/* Where the engine of autograd reads it, a gradient is the likelier one; what is made for the loss is read before. */
static void overwritten_in_backward(void **state)
{
    static const struct str unknown = STR_INIT("Error: accessing tensor output of CUDAGraphs that has been overwritten "
                                               "by a subsequent run. Stack trace: [Could not find stack trace]. To"),
                            known = STR_INIT("Error: accessing tensor output of CUDAGraphs that has been overwritten "
                                             "by a subsequent run. Stack trace: File \"q.py\", line 1, in f. To");
    struct call outer = {.function = STR("backward"), .file = STR("/v/torch/autograd/__init__.py")},
                inner = {.function = STR("_engine_run_backward"), .parent = &outer};
    struct failure f = {.type = STR("RuntimeError"), .message = unknown, .stack = &inner};
    struct error e = {.failure = &f, .category = ERROR_CUDA_GRAPHS};

    (void)state;
    assert_true(str_has(str_of(error_answer_of(&e)->steps[0]), STR("most likely `.grad`")));
    f.message = known;
    assert_true(str_has(str_of(error_answer_of(&e)->steps[0]), STR("directly behind that call")));
    assert_true(str_has(str_of(error_answer_of(&e)->steps[1]), STR("within `backward()`: if no output")));
    inner.function = STR("_make_grads");
    assert_true(str_has(str_of(error_answer_of(&e)->steps[1]), STR("needs the loss itself")));
    f.stack = NULL;
    assert_false(says(error_answer_of(&e), "needs the loss itself"));
    assert_false(says(error_answer_of(&e), "`backward()`: if no output"));
}

static void set_up_of_triton(void **state)
{
    struct call outer = {.function = STR("_create_driver")}, inner = {.function = STR("join"), .parent = &outer};
    struct failure f = {.type = STR("TypeError"),
                        .message = STR("expected str, bytes or os.PathLike object, not NoneType"),
                        .stack = &inner};
    struct error e = {.failure = &f, .category = ERROR_BACKEND};

    (void)state;
    assert_true(says(error_answer_of(&e), "before any kernel"));
    inner.function = STR("libcuda_dirs");
    assert_true(says(error_answer_of(&e), "CUDA_PATH"));
    outer.function = inner.function = STR("till");
    assert_null(error_answer_of(&e));
    outer.file = STR("/v/site-packages/torch/utils/checkpoint.py");
    f.message = STR("Something went unexpectedly wrong in activation checkpoint. Please report this bug");
    assert_true(says(error_answer_of(&e), "fewer tensors in the recomputation"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_have_their_answer),
        cmocka_unit_test(hints_of_breaks_are_no_bugs),
        cmocka_unit_test(calls_decide),
        cmocka_unit_test(line_that_raised_decides),
        cmocka_unit_test(inference_tensors_that_are_traced),
        cmocka_unit_test(overwritten_in_backward),
        cmocka_unit_test(code_that_is_shown_says_nothing),
        cmocka_unit_test(whose_strides),
        cmocka_unit_test(set_up_of_triton),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
