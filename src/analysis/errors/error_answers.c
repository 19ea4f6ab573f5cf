#include "analysis/errors/error_answers.h"

enum { SEARCHED = 4096 };

#define COMPLEX                                                                                                        \
    {                                                                                                                  \
        "Inductor writes no code for complex numbers: compute with `view_as_real`, or leave this part out: "           \
        "`@torch.compiler.disable`",                                                                                   \
            "`backend=\"aot_eager\"` compiles the rest without Inductor."                                              \
    }

#define NAMES_OF_COMPILED                                                                                              \
    {                                                                                                                  \
        "The names in the file differ from those of the module. Those that begin with `_orig_mod.` were saved from a " \
        "compiled module: load into `model._orig_mod`, or take the beginning off; save "                               \
        "`model._orig_mod.state_dict()`."                                                                              \
    }

/*
 * Maintainers' answers to specific messages, which come before the answers for a whole category. The first matching
 * row counts.
 */
static const struct error_answer answers[] = {
    {NULL,
     "ndarray",
     {"A NumPy function or array is where Dynamo has a tensor. Use torch in its place (`torch.pi`, `torch.sqrt`), or "
      "convert before the compiled function.",
      "Run the same line in eager mode: if it fails there too, the code is wrong."}},
    {NULL,
     "that has been overwritten by a subsequent run",
     {"Copy the output before the function runs again: `.clone()`.",
      "Or say where a step begins, before each call of the model: `torch.compiler.cudagraph_mark_step_begin()`."}},
    {NULL,
     "when stream is capturing\nprevious error during capture\ncudaErrorStreamCapture",
     {"Something in the captured function waits for the GPU or uses another stream, as `.item()`, `.cpu()` and some "
      "extensions do: keep it out of the graph.",
      "Run without CUDA graphs: no mode \"reduce-overhead\", `--enforce-eager` of vLLM, `--disable-cuda-graph` of "
      "SGLang."}},
    {NULL,
     "outside graph capture\nduring CUDA graph capture",
     {"Random numbers of a generator that the CUDA graph does not know: another part of the program uses it while the "
      "graph is recorded. Compile that part too, or run without CUDA graphs (no mode \"reduce-overhead\")."}},
    {NULL, "complex64", COMPLEX},
    {NULL, "complex128", COMPLEX},
    {NULL, "'complex' object", COMPLEX},
    {NULL, "found type 'complex'", COMPLEX},
    {NULL,
     "NoValidChoicesError",
     {"No kernel of the autotuner fits: no GPU that Triton knows, a head or a dtype that is too large for its shared "
      "memory. Let ATen be among the choices, or give smaller blocks (`kernel_options` of flex_attention).",
      "Try a newer PyTorch: which choices there are differs by version."}},
    {NULL,
     "Pending unbacked symbols",
     {"A value that is read from a tensor (`.item()`, a size, a tensor as a number) is used by no result: keep it a "
      "tensor, or pass it as a number of Python (`float(x)`) that is computed outside of the compiled function.",
      "In a fake kernel of your own: each size that it makes must be one of its result. Of PyTorch's own operators, "
      "try "
      "a newer version, then report it."}},
    {NULL,
     " was invalid, but is output",
     {"The graph of the forward needs what only the backward computes. A backward of your own may change in place what "
      "the forward saved or returned: `.clone()` it there.",
      "Or an operator of your own changes its arguments and does not say so: `mutates_args`, `(a!)` in its schema. "
      "Find it by leaving such calls out: `@torch.compiler.disable`"}},
    {NULL,
     "Final callbacks can only be installed during backward pass",
     {"Compiled autograd runs the backward, where the hooks of FSDP cannot install theirs: leave it out "
      "(`torch._dynamo.config.compiled_autograd = False`), or use `fully_shard` of a newer PyTorch."}},
    {"NotSupportedError",
     NULL,
     {"torch.jit.script takes no function that is compiled: script the module as it was before (`model._orig_mod`), or "
      "use `torch.export` in its place."}},
    {NULL,
     "code generation for complex operators",
     {"Inductor leaves operators on complex numbers to eager mode. Compute with `view_as_real` where it counts."}},
    {NULL,
     "non-empty donated buffers",
     {"The backward gave its buffers away, and is called with `retain_graph` or `create_graph`: "
      "`torch._functorch.config.donated_buffer = False`, or call it without them."}},
    {NULL,
     "requires no threads in backwards",
     {"Compiled autograd is on while a backward runs in other threads (several devices): leave it out "
      "(`torch._dynamo.config.compiled_autograd = False`)."}},
    {NULL,
     "provide a tree_name\nspecified at `dynamic_shapes\n`dynamic_shapes` is specified\nmismatch between `inputs` and "
     "`dynamic_shapes`\nmismatch between the structure of `inputs`\nmismatch in "
     "the number of `dynamic_shapes`",
     {"`dynamic_shapes` must have the structure of the inputs: the name of each argument of `forward`, keyword "
      "arguments "
      "nested as it takes them (`{\"kwargs\": {...}}`), None for what is no tensor."}},
    {NULL,
     "failed to reach fixed point",
     {"A bug of early versions of Dynamo with code that handles exceptions: use a newer PyTorch.",
      "Until then leave the function out that was traced last: `@torch.compiler.disable`"}},
    {NULL,
     "block_mask was created for",
     {"Make a new block mask for these lengths (`create_block_mask`) before the call, or one for the greatest length "
      "and cut it."}},
    {NULL,
     "Guard failed: \nExpected input at \nUnexpected number of dimensions in input at \n"
     "Unexpected number of inputs (expected\n"
     "Trying to flatten user inputs with exported input tree spec\nkwarg key mismatch: \nkwarg keyword mismatch: ",
     {"An exported program takes what it was exported for: give the same arguments, of that size and dtype, or export "
      "again with this dimension dynamic (`dynamic_shapes={\"x\": {0: Dim.AUTO}}`)."}},
    {NULL,
     "to 'at::vec:\nto \xe2\x80\x98" "at::vec:\nmatch for 'operator\nmatch for \xe2\x80\x98operator",
     {"The C++ code that Inductor wrote does not compile: a bug of its own, in most cases with the vector "
      "instructions of the CPU. Try a newer PyTorch, then report it with the smallest program.",
      "Until it is mended, compile without vector instructions: `torch._inductor.config.cpp.simdlen = 1`"}},
    {NULL,
     "index out of bounds: 0 <= tmp\nsrcIndex < srcSelectDimSize\ndstIndex < dstAddDimSize\nindex < sizes[i]\n"
     "idx_dim < index_size\n< n_classes` failed",
     {"An index is larger than what it indexes, most often a token id of an embedding or a label: compare the largest "
      "value with the size. Without `torch.compile` the same call names the operator.",
      "On a GPU the place is exact with `CUDA_LAUNCH_BLOCKING=1`"}},
    {NULL,
     "probability tensor contains either",
     {"Probabilities that are sampled from are not finite or negative: look for NaN or inf in the logits before, most "
      "often of float16. Without `torch.compile` the same there is the model's; else compare with "
      "`backend=\"aot_eager\"`."}},
    {NULL,
     "Guard check failed immediately after evaluating",
     {"While it runs the function changes what it is compiled for, which the guard names: change it outside of the "
      "compiled function.",
      "When nothing of the program changes it, report it to PyTorch with the stack that `TORCHDYNAMO_VERBOSE=1` "
      "prints."}},
    {NULL,
     "waits for processes that compile kernels",
     {"Compile in the program itself: `TORCHINDUCTOR_COMPILE_THREADS=1`. If it goes on then, the processes were "
      "killed, "
      "or forked while threads held locks: look at them (`ps`, `dmesg`)."}},
    {NULL,
     "is in a collective",
     {"Another rank did not come to this collective: dump each rank (`py-spy dump --pid PID`) and look for the one "
      "that "
      "is elsewhere, in another branch or still compiling.",
      "`TORCH_NCCL_DUMP_ON_TIMEOUT=1 TORCH_NCCL_TRACE_BUFFER_SIZE=2000` leaves the last collectives of each."}},
    {"Native assertion",
     NULL,
     {"A check in native code failed; the file in the message shows which library it belongs to. Use versions of that "
      "library, of the driver and of PyTorch that belong together, or a newer one."}},
    {NULL,
     "expected size ",
     {"The graph was compiled for other sizes or strides than it got: a fake kernel that returns other strides than "
      "the operator returns, or a parameter that was replaced after compiling. Compare with `backend=\"aot_eager\"`.",
      "When all operators are PyTorch's own, report it, or try a newer PyTorch."}},
    {NULL,
     "could be from [",
     {"PyTorch lost track of a size: a bug of its own. Report it, or try a newer PyTorch.",
      "Meanwhile pass the tensor of that size as a copy (`.clone()`) rather than a view, or compile with "
      "`dynamic=False`."}},
    {NULL,
     "A different number of tensors was saved\nhave different metadata than during the forward pass\n"
     "trying to save more tensors during recomputation\nrecomputation than during the original forward",
     {"What is recomputed must be the same as in the forward. Put the checkpoint inside of the compiled function, or "
      "compile inside of what is checkpointed, not across it; `use_reentrant=False`, `preserve_rng_state=True`.",
      "See which tensors differ: `torch.utils.checkpoint.set_checkpoint_debug_enabled(True)`"}},
    {NULL,
     "cannot mutate tensors with frozen storage",
     {"Do not change the tensor in place there: `.clone()` first, or `nn.ReLU(inplace=False)`. Newer versions of "
      "PyTorch export it."}},
    {NULL,
     "Mutating module attribute",
     {"torch.export takes no assignments to attributes: register the tensor as a buffer and change it in place "
      "(`self.x.add_(y)`, `self.x.copy_(y)`).",
      "What is no tensor (a size, a list) stays a local variable, or is returned."}},
    {NULL,
     "does not currently support double backward",
     {"Take the gradient inside of the compiled function with functorch (`grad`, `hessian`), or leave the function "
      "whose gradient is differentiated out of the compiler: `@torch.compiler.disable`"}},
    {NULL,
     "convert all Tensors to FakeTensors first",
     {"A tensor reaches the graph that is neither an input nor a parameter nor a buffer: keep it with "
      "`register_buffer`, pass it as an argument, or make it inside of the compiled function.",
      "Where the message shows FakeTensors only, one is of another trace, as a checkpoint or a nested compile leaves "
      "it: try a newer PyTorch."}},
    {"InvalidBackend",
     NULL,
     {"Import the package that registers the backend before (`import torch_tensorrt`); "
      "`torch.compiler.list_backends()` lists them."}},
    {"OnnxExporterError",
     NULL,
     {"Use `onnx.export(..., dynamo=True)`, which has replaced `dynamo_export`, with a newer PyTorch. The cause is in "
      "the traceback above this message."}},
    {"DistBackendError",
     "'out of memory'",
     {"NCCL found no memory on a GPU: leave it some, with a smaller batch, or look for another process there "
      "(`nvidia-smi`).",
      "`NCCL_DEBUG=INFO` shows which call failed."}},
    {"DistBackendError",
     "NCCL error in",
     {"Let NCCL log what failed: `NCCL_DEBUG=INFO`. All ranks must use GPUs of their own, and reach each other "
      "(`NCCL_SOCKET_IFNAME`)."}},
    {NULL,
     "but there was no fake impl or Meta kernel registered",
     {"This operator has no fake kernel, so that it cannot be in a graph: call it outside of the compiled function "
      "(`@torch.compiler.disable`), or write the line in another way.",
      "Of an operator of your own: `torch.library.register_fake`; of PyTorch or another library, try a newer one."}},
    {NULL,
     "no fake impl registered for\nis missing a fake kernel implementation",
     {"The compiler does not know what this operator returns. Register a fake kernel "
      "(`torch.library.register_fake`, 2.4 and later), which makes an empty tensor of the result's shape, strides and "
      "dtype."}},
    {NULL,
     "NYI: aten.",
     {"The compiler does not support this operator yet: call it outside of the compiled function "
      "(`@torch.compiler.disable`), or write the line in another way. A newer PyTorch may have it."}},
    {NULL,
     "does not support running with fake tensors",
     {"The operator needs a fake kernel, which says the shape and dtype of its result: `torch.library.register_fake`"}},
    {NULL,
     "FSDP with use_orig_params=",
     {"Dynamo needs the parameters that the module had before: `FullyShardedDataParallel(..., use_orig_params=True)`, "
      "or "
      "`fully_shard` in its place."}},
    {NULL,
     "Unexpected type in sourceless builder",
     {"The function gets an object of a class that Dynamo does not know, as a value that a library's code makes: read "
      "what is needed from it before the compiled function, or leave that call out, `@torch.compiler.disable`.",
      "Newer versions of PyTorch know more classes."}},
    {NULL,
     "turn off DDP optimizer",
     {"Compile without the splitting at DDP's buckets: `torch._dynamo.config.optimize_ddp = False`. Communication then "
      "overlaps less with the backward."}},
    {NULL,
     "Attempt to trace forbidden callable",
     {"This function of PyTorch is for code that is not compiled. Call it in the caller, before the compiled function, "
      "on what is passed to that."}},
    {NULL,
     "Signal 9 (SIGKILL)",
     {"The system killed the process, most often for the memory of the host: look at `dmesg`. Fewer workers that load "
      "data, or that compile (`TORCHINDUCTOR_COMPILE_THREADS=1`), need less."}},
    {"ChildFailedError",
     NULL,
     {"Read the process's own message: it is above this table, or in the log of its rank (`torchrun --log-dir DIR "
      "--tee 3`).",
      "Let the table show the traceback: `@torch.distributed.elastic.multiprocessing.errors.record` before the main "
      "function."}},
    {NULL,
     "ended with exit code",
     {"Read the process's own message: it is above this table, or in the log of its rank (`torchrun --log-dir DIR "
      "--tee 3`).",
      "Let the table show the traceback: `@torch.distributed.elastic.multiprocessing.errors.record` before the main "
      "function."}},

    /* torch.export */
    {NULL,
     "When exporting, we were unable to evaluate",
     {"Keep the value a tensor: `torch.where`, `torch.cond`, masks."}},
    {NULL,
     "Unable to call ExportedProgram directly",
     {"An exported program is called through its module: `program.module()(*args)`."}},
    {NULL,
     "No ONNX function found for\nError when translating node %",
     {"The exporter to ONNX has no translation of this operator: try newer versions of PyTorch and onnxscript, give it "
      "one (its argument `custom_translation_table`, 2.6 and later), or write the line with other operators."}},
    {NULL,
     "Exporting a ScriptModule is not supported",
     {"torch.export takes the module as it was before `torch.jit.script` or `torch.jit.trace`: build the "
      "eager model and export that."}},
    {NULL,
     "does not match our current schema version\ndoes not match our current archive version\n"
     "ran into an error when deserializing",
     {"The file was saved by another version of PyTorch: load it with that version, or export again with "
      "this one."}},
    {NULL,
     "Such attributes must be registered as buffers\n"
     "is mutated in the forward method. Pls register it as buffer",
     {"What `forward` keeps between calls must be a buffer: `self.register_buffer(\"x\", tensor)`, and change "
      "it in place (`self.x.copy_(y)`)."}},
    {NULL,
     "neither buffers/parameters/constants nor are direct inputs",
     {"The message names tensors that the module uses and does not own: keep them with `register_buffer`, or "
      "pass them as arguments of `forward`."}},
    {"TraceError",
     "symbolically traced variables",
     {"Symbolic tracing of torch.fx records what is done with proxies, which have no values: keep the decision out "
      "of what is traced (`torch.where`), or use what takes real code: `torch.export`, for quantization with the "
      "flow that is named after it (PT2E)."}},
    {"RecursionError",
     NULL,
     {"Dynamo follows each call into the function and needs several calls of its own for one, so that deep recursion "
      "reaches Python's limit sooner: write it as a loop, or leave the function out: `@torch.compiler.disable`",
      "See whether it ends without `torch.compile`; `sys.setrecursionlimit(10000)` at the start allows more."}},
    {NULL,
     "Invalid log settings: ",
     {"The names in TORCH_LOGS are modules and artifacts of PyTorch: `TORCH_LOGS=help` lists them (`recompiles`, "
      "`graph_breaks`, `+dynamo`, ...)."}},
    {NULL,
     "No valid execution plans built\ncudnn_frontend",
     {"cuDNN has no attention for these sizes, strides or dtype: choose another implementation, with "
      "`sdpa_kernel(SDPBackend.FLASH_ATTENTION)` around the call, or use a newer PyTorch."}},
    {"AttributeError",
     " does not exist",
     {"This version of PyTorch has no setting of that name: look at its `config.py`, or print "
      "`dir(torch._dynamo.config)`. `cache_size_limit` became `recompile_limit` in 2.7."}},
    {NULL,
     "Runtime assertion failed for expression",
     {"The graph was made for values for which this expression is true: `u0` is a number that is read from a tensor "
      "or a size that depends on values, and a `torch._check` or an operator needs it so. Give inputs for which it is "
      "true, or export again without what needs it.",
      "`TORCH_LOGS=\"+dynamic\"` shows, while it is exported or compiled, which line of the model adds it."}},
    {NULL,
     "Expected cond to be True, but got False",
     {"A `torch._check` of the program is false for these inputs: what it states must be true for all of them. "
      "Correct the inputs or the statement; `torch._check(condition, lambda: f\"{n=}\")` says the values."}},
    {NULL,
     "Encountered autograd state manager op",
     {"`forward` turns gradients on or off (`torch.no_grad`, `enable_grad`) in a way that export does "
      "not take: export under `torch.no_grad()` as a whole, and leave it out of `forward`."}},
    {NULL,
     "Export only supports pytree containers\nnot supported or pytree-flattenable\n"
     "is not a known type. If this type holds tensors, you need to register a pytree",
     {"Arguments and results are tensors, numbers, strings, and tuples, lists and dicts of them. Return a "
      "tuple or a dict in place of your own class, or say how it is taken apart: "
      "`register_dataclass` of pytree, `register_pytree_node`.",
      "A model of transformers: `return_dict=False`, or `use_cache=False` where the cache is what is refused."}},
    {NULL,
     "cannot be marked as dynamic\nUnable to specify input integers as dynamic through named Dims",
     {"What the message lists differs between the examples and is no dimension of a tensor: fix it, or give "
      "`Dim.AUTO` for numbers; mark dimensions of tensors only."}},
    {NULL,
     "Found a graph input that requires gradients, and received a mutation\n"
     "Found an input that received a metadata mutation",
     {"Export and joint graphs take no changes in place of what they are given: `.clone()` the input before, "
      "or `.detach()` what needs no gradient, and return the result."}},
    {NULL,
     "inputs that are mutated in the graph",
     {"Two arguments are the same tensor, or views of one, and the function changes one in place. Pass a "
      "copy (`.clone()`), or write it without the change in place."}},
    {NULL,
     "where we guessed its metadata incorrectly\ncurrently not allowed on tensor subclasses\n"
     "storage resizing is not supported on tensor subclass",
     {"A tensor subclass (DTensor, NestedTensor, a quantized weight) behaves in a way that AOTAutograd does "
      "not expect: try newer versions of PyTorch and of the subclass's library, then report it.",
      "Until then leave that part out: `@torch.compiler.disable`, or make it contiguous and out of place "
      "before."}},
    {NULL,
     "Device mismatch between fake input and example input",
     {"The model was exported on one device and compiled for another: export it there, or move the program "
      "before: `move_to_device_pass(program, \"cuda\")`."}},

    {"SpecViolationError",
     "is not Aten Canonical\nis not an allowed operator type\nis not in Core ATen",
     {"The exporter does not take this operator: export the model after `model.eval()`, decompose it before "
      "(`program.run_decompositions()`), or allow it (ExecuTorch: `EdgeCompileConfig(_check_ir_validity=False)`, "
      "`_core_aten_ops_exception_list`)."}},
    {"SpecViolationError",
     "mismatched dtypes",
     {"The tensors of this operator have different dtypes, which the exporter does not convert: cast them "
      "(`.to(dtype)`) in the line that the message shows."}},
    {"SpecViolationError",
     NULL,
     {"The graph breaks a rule of the exporter, which the message names: change what the model does there, or use "
      "versions of PyTorch and the exporter (ExecuTorch, CoreML) that belong together."}},

    /* custom operators and extensions */
    {NULL,
     "erroneously tracing into a custom kernel\nCannot access data pointer of Tensor\n"
     "access data pointer of Tensor that doesn't have storage\nCannot access storage of\n"
     "on tensor with symbolic sizes/strides",
     {"Code in C++ or CUDA is called while the graph is traced, with tensors that have no data. Make it an "
      "operator that the compiler knows (`torch.library.custom_op`, with `torch.library.register_fake`), or "
      "leave the call out: `@torch.compiler.disable`",
      "Where it is a library's, update the library."}},
    {NULL,
     "but no autograd formula was registered",
     {"The operator has no backward: register one, `torch.library.register_autograd`, or call it under "
      "`torch.no_grad()`."}},
    {NULL,
     "Cannot register autograd formula for non-functional operator",
     {"An operator that changes its arguments, or returns views of them, cannot have a backward. Write it so "
      "that it returns a new tensor, and wrap that."}},
    {NULL,
     "haven't registered a fake class\nPlease use register_fake_class to register it first",
     {"Objects of TorchScript need a stand-in in Python: `register_fake_class`."}},
    {NULL,
     "'_OpNamespace' '\nCouldn't load custom C++ ops\nCould not find schema for\n"
     "operator torchvision::nms does not exist",
     {"The operator is not registered: the package that has it is not imported, its compiled part failed to "
      "load, or it was built for another PyTorch. Import it before; install the version that belongs to this "
      "PyTorch (torchvision and torchaudio have a version for each)."}},
    {NULL,
     "Incorrect number of arguments passed to kernel\nttir analysis hit an op\nCan't capture the TTIR",
     {"A Triton kernel of yours is called in a way that the compiler does not follow: pass all arguments as "
      "the kernel names them, the grid as numbers, or make the call an operator: `torch.library.triton_op`.",
      "Until it works leave the call out: `@torch.compiler.disable`"}},

    /* higher-order operators */
    {NULL,
     "might be modifying the input\nmight be aliasing the input\nis mutating the input!\n"
     "is aliasing the input!\ninputs are mutated or the outputs are aliases of the inputs\n"
     "inputs to function body cannot alias outputs\nMutations detected in score_mod",
     {"The functions that a higher-order operator is given change nothing in place and return no input nor a "
      "view of one: `.clone()` what is returned, `x + y` in place of `x.add_(y)`."}},
    {NULL,
     "to have same metadata but\nreturn tensors with same metadata\n"
     "Unmatched number of outputs from cond\nExpected to return same number of outputs\n"
     "doesn't match that of the init\nto be the same as the metadata of init\n"
     "needs to match the meta data of the xs\nshould return the same number of elements as carried_inputs",
     {"What the function returns must agree with the other branch, or with what is carried on: the same "
      "number of tensors, and of each the same shape, strides, dtype, device and `requires_grad`. The "
      "message shows both: cast or expand one (`.to(dtype)`, `.expand`, `.contiguous()`, `.detach()`)."}},
    {NULL,
     "Autograd not implemented for",
     {"This higher-order operator has no backward in this version: call it under `torch.no_grad()`, use a "
      "newer PyTorch, or write it as a loop."}},
    {NULL,
     "cond_fn must return a boolean\nExpected pred to be bool\nExpect operands to be a tuple\n"
     "Expect carried_inputs to be a tuple\ncarried_inputs must be a tuple\n"
     "All init leaves must be a Tensor\nAll xs leaves must be a Tensor\ncombine_fn to return",
     {"The operator takes tensors only, in tuples, lists and dicts, and a condition that is one bool or a "
      "tensor with one element: make numbers tensors (`torch.tensor(n)`), the condition `(x > 0).all()`."}},
    {"UncapturedHigherOrderOpError",
     NULL,
     {"The functions that a higher-order operator (cond, while_loop, scan) is given are traced as a whole: they break "
      "no graph, change nothing outside, and return new tensors of the same shapes, dtypes and devices. What breaks it "
      "is said by the exception above in the traceback."}},
    {NULL,
     "requires dynamo support\nis not implemented for eager",
     {"This operator works only when it is compiled: call it inside of a function with `torch.compile`."}},

    /* compiled autograd */
    {NULL,
     "compiled autograd\nCompiled Autograd\napply_with_saved not implemented",
     {"Compiled autograd does not take this: leave the backward to eager mode "
      "(`torch._dynamo.config.compiled_autograd = False`), or "
      "move this call of the backward out of where it is on.",
      "Newer versions of PyTorch take more."}},

    /* GPUs of other vendors: what helps on NVIDIA's has no effect there */
    {NULL,
     "HSA_STATUS_ERROR_OUT_OF_RESOURCES",
     {"The GPU has no memory or other resources left: a smaller batch, or another process there (`rocm-smi`)."}},
    {NULL,
     "Memory access fault by GPU\nHSA_STATUS_ERROR\nHIP error\nTriton Error [HIP]\nHW Exception by GPU",
     {"A kernel on the AMD GPU failed. Make the place exact: `AMD_SERIALIZE_KERNEL=3`, and compare with a run without "
      "`torch.compile`.",
      "A GPU that ROCm does not list as supported runs code of another only with `HSA_OVERRIDE_GFX_VERSION`, which may "
      "crash it. Try the PyTorch that was built for this ROCm, or a newer one."}},
    {NULL,
     "program_source:",
     {"Inductor wrote a Metal kernel that is not valid: torch.compile for GPUs of Apple (MPS) is young. Try a newer "
      "PyTorch, then report it with the kernel.",
      "Until it is mended, leave the function out: `@torch.compiler.disable`, or run it on the CPU."}},

    /* Triton */
    {NULL,
     "cpu tensor?",
     {"A Triton kernel got a tensor that is on the CPU: move all its arguments to the GPU (`.to(\"cuda\")`), buffers "
      "and index tensors too."}},
    {NULL,
     "Input shapes should have M >=\nInput shapes should have\nshape must be >= 16",
     {"`tl.dot` needs blocks of a least size, most often 16 in each dimension: give larger BLOCK sizes, or pad. Which "
      "size, the message says.",
      "Where the kernel is a library's, update the library, or Triton."}},
    {NULL,
     "range must be a power of 2\nmust be a power of two\nShape element",
     {"Sizes of blocks in Triton are powers of two: round the size up (`triton.next_power_of_2`) and mask what is too "
      "much."}},
    {NULL,
     "LLVM ERROR: \nfailed to legalize operation\nPassManager::run failed\nhsaco",
     {"The compiler behind Triton fails at this kernel: a bug, or a GPU that this version does not know. Try newer "
      "versions of Triton and PyTorch that belong together, then report it to Triton with the kernel.",
      "One of Inductor's kernels is avoided by other choices: without max-autotune, or `@torch.compiler.disable` for "
      "the "
      "function."}},
    {NULL,
     "aoti_torch_",
     {"The C++ code that Inductor wrote does not compile: this version has no C function for the operator whose name "
      "stands in the error. Try a newer PyTorch, then report it.",
      "Until it is mended, leave the operator out of the model that is exported, or write it with others."}},
    {"CompilationError",
     NULL,
     {"Triton refuses a line of the kernel; the message shows it. In a kernel of your own change that line; one of "
      "Inductor's is printed by `TORCH_LOGS=output_code`.",
      "Check that Triton and PyTorch fit together (`pip check`), or try newer versions of both."}},

    /* tensors that do not fit */
    {NULL,
     "found two different devices\nExpected all tensors to be on the same device\nfound at least two devices",
     {"Put all tensors on the same device: `.to(x.device)` for what the function makes or keeps, `register_buffer` for "
      "what a module keeps. It fails in eager mode, too."}},
    {NULL,
     "Cannot view a tensor with shape ",
     {"The strides of the tensor do not allow this view: `.reshape(...)` in place of `.view(...)`, or `.contiguous()` "
      "before it.",
      "Only compiled: an operator of your own returns other strides than its fake kernel says."}},
    {NULL,
     "to have the same dtype\nmust have the same dtype\nexpected scalar type\nshould have the same dtype\nshould be "
     "the same, got\nand weight type\nand bias type\nto have the same data type",
     {"The tensors of this operator differ: convert one (`.to(y.dtype)`), or let `torch.autocast` cover the whole "
      "model. Run the same line in eager mode, without `torch.compile`: if it fails there too, the code is wrong.",
      "Only compiled: look at casts that autocast or a quantized weight adds, and report it."}},
    {NULL,
     "attempting to run unimplemented operator",
     {"A tensor subclass (a quantized weight, say) has no implementation of the operator that the message names. Use a "
      "version of its library (torchao) that was made for this PyTorch, or another kind of quantization for this "
      "layer.",
      "Parameter freezing (`torch._inductor.config.freezing`) calls operators that the model itself does not."}},

    /* backward */
    {NULL,
     "Expected to have finished reduction in the prior iteration",
     {"Parameters took no part in the loss: find them with `TORCH_DISTRIBUTED_DEBUG=DETAIL`, and either use them, or "
      "pass `find_unused_parameters=True` to DistributedDataParallel. It is not the compiler's."}},
    {NULL,
     "Expected to mark a variable ready only once\nmarked as ready twice",
     {"A parameter is used twice in a backward pass, as with checkpointing: `use_reentrant=False` for it, or "
      "`static_graph=True` of DistributedDataParallel; no `find_unused_parameters`. It is not the compiler's."}},
    {NULL,
     "Trying to backward through the graph a second time",
     {"A tensor of an earlier step is still part of the graph: `.detach()` what is kept between steps, or, where two "
      "losses share a forward, `retain_graph=True`."}},
    {NULL,
     "has been modified by an inplace operation",
     {"Do not change in place what the backward needs: `x = x + y`, or `.clone()` before. Anomaly detection of "
      "autograd (`set_detect_anomaly(True)`) names the line of the forward, without torch.compile."}},
    {NULL,
     "does not require grad and does not have a grad_fn",
     {"The loss does not depend on any parameter that is trained: look for `torch.no_grad`, `.detach()`, and frozen "
      "parameters. Run the same step without `torch.compile`."}},

    /* libraries of CUDA */
    {NULL,
     "CUBLAS_STATUS_ALLOC_FAILED\nCUBLAS_STATUS_NOT_INITIALIZED\nCUDNN_STATUS_NOT_INITIALIZED\nCUDNN_STATUS_ALLOC_"
     "FAILED",
     {"The library found no memory on the GPU: a smaller batch, or another process there (`nvidia-smi`).",
      "With memory free, two versions of the library are loaded: unset `LD_LIBRARY_PATH`, and reinstall PyTorch."}},
    {NULL,
     "CUBLAS_STATUS_\nCUDNN_STATUS_\nCUSOLVER_STATUS_\nGET was unable to find an engine\nunable to find an engine",
     {"The library of CUDA refused the call: unset `LD_LIBRARY_PATH`, so that PyTorch's own version of it is loaded, "
      "and run the same call in eager mode with these sizes and dtypes.",
      "An error of an earlier kernel shows here, too: `CUDA_LAUNCH_BLOCKING=1`"}},

    {NULL,
     "invalid configuration argument",
     {"A kernel is launched with a grid or a block that the GPU does not take: an empty tensor, or one that is too "
      "large. Compare the sizes with those of a call that works.",
      "Make the place exact: `CUDA_LAUNCH_BLOCKING=1`"}},
    {NULL,
     "too many resources requested for launch",
     {"A kernel needs more registers than the GPU has for so many threads: fewer of them (`num_warps`), smaller "
      "blocks, no max-autotune, or a newer PyTorch."}},
    {NULL,
     "the launch timed out and was terminated",
     {"A GPU that has a display ends kernels that run for seconds: use another GPU, give it less at once, or set the "
      "limit higher (on Windows `TdrDelay`)."}},
    {NULL,
     "CUDA error: operation not supported",
     {"The GPU, its driver or a virtual machine does not have what is asked for: look at MIG, vGPU and WSL, and update "
      "the driver. `PYTORCH_CUDA_ALLOC_CONF=expandable_segments:False` asks for less."}},
    {NULL,
     "CUDA error: initialization error\ndriver shutting down",
     {"CUDA is used in a process that was forked after it began, or while the program ends: `spawn` in place of "
      "`fork`, and no tensors of the GPU in destructors."}},

    /* processes */
    {NULL,
     "DataLoader worker",
     {"A process that loads data ended: with `num_workers=0` the program itself shows why. A bus error in a container "
      "is `/dev/shm` that is too small: `--shm-size=8g`."}},
    {NULL,
     "Address already in use\nEADDRINUSE",
     {"Another job, or what is left of one, has the port: end it, or take another port (`--master-port`, "
      "`--rdzv-endpoint=localhost:0`)."}},
    {NULL,
     "Socket Timeout\nclient socket has timed out\nTimed out after\nstore->get\nWait timeout",
     {"A rank waited for another one that did not come: look for the first rank that failed, and at `MASTER_ADDR` and "
      "`MASTER_PORT`. Ranks that compile for long need a longer timeout of `init_process_group`."}},
    {NULL,
     "Detected mismatch between collectives",
     {"The ranks call different collectives, or with other sizes: a branch that only some take, or graphs that break "
      "in other places. The message names both: compare them."}},

    {NULL,
     "got mixed torch.Tensor and DTensor",
     {"A parameter that is sharded (a DTensor) meets a plain tensor. Call the module through its own `forward`, so "
      "that "
      "the hooks of `fully_shard` gather its parameters, and shard the module that has the parameter too; else make "
      "the other one a DTensor (`distribute_tensor`, `DTensor.from_local`)."}},
    {NULL,
     "does not have a sharding strategy",
     {"This operator is not there for sharded tensors: compute it on the local part (`.to_local()`, `local_map`) or on "
      "the whole (`redistribute` to `Replicate()`), or register a strategy for it. Newer versions have more of them."}},
    {NULL,
     "not implemented for 'Half'\nnot implemented for 'BFloat16'\nnot implemented for 'Float8\nnot implemented for "
     "'ComplexHalf'",
     {"This operator is not there for this dtype on this device: compute it in float32 (`.float()`), or on the GPU. It "
      "fails in eager mode, too."}},
    {NULL,
     "are not close!",
     {"Find out which of the two is wrong: compute both in float64 and compare. In bfloat16 and float16 fused kernels "
      "round less often than eager mode does; `TORCHINDUCTOR_EMULATE_PRECISION_CASTS=1` rounds as eager mode.",
      "Find the stage that changes the numbers: `backend=\"aot_eager\"`, then Inductor's bisector: `python -m "
      "torch._inductor.compiler_bisector run CMD`"}},
    {NULL,
     "does not have a deterministic implementation",
     {"Determinism is asked for, and this operator has no such kernel: `torch.use_deterministic_algorithms(True, "
      "warn_only=True)`, or write the line with another operator. It is not the compiler's."}},

    /* attention */
    {NULL,
     "Using multiple indexing operations on the same tensor",
     {"`score_mod` reads a tensor that is trained with more than one index: read it once and use the value, or "
      "`.detach()` it. The message lists the indices."}},
    {NULL,
     "No available kernel. Aborting execution\nNo viable backend for scaled_dot_product_attention",
     {"None of the kernels that `sdpa_kernel` allows takes these inputs; the warnings above say why each "
      "does not. Allow more of them (`SDPBackend.MATH` takes everything), or change dtype, mask or head size."}},
    {NULL,
     "block_mask size in the Q dimension\nblock_mask size in the KV dimension",
     {"The block mask is for shorter lengths than the inputs have: `create_block_mask` with `Q_LEN` and "
      "`KV_LEN` that are at least as long; if the lengths vary, create a new one for each."}},
    {NULL,
     "Expect query and key/value to have\nBq and Bkv must broadcast\nNumber of shared query heads\n"
     "NYI: Currently non power of 2 embedding\nNYI: query, key, and value must be\n"
     "Q and KV block size must be divisible\nembedding dimension of the query, key, and value must be\n"
     "Captured buffers\nreturn_lse\nUnsupported for now if query, key, value are the same buffer\n"
     "in a score_mod function",
     {"flex_attention has limits by version, one of which the message names: pad head sizes to a power of "
      "two of at least 16, expand batch and heads to what fits (`enable_gqa=True` for fewer heads of keys), "
      "set `kernel_options`, or try a newer PyTorch."}},
    {NULL,
     "FlexAttention",
     {"flex_attention has limits by version: head sizes that are powers of two, lengths that are multiples of the "
      "blocks, one dtype and device. Pad to what the message asks for, set `kernel_options`, or try a newer PyTorch."}},

    {NULL,
     "Unpack is being triggered for a tensor that was already unpacked once",
     {"A checkpointed part is run backward twice, or its saved tensors are read twice: "
      "`torch.utils.checkpoint.set_checkpoint_early_stop(False)`, or `use_reentrant=False` with one backward."}},
    {NULL,
     "incompatible with .grad() or passing an `inputs` parameter",
     {"Checkpoints with `use_reentrant=True` only work with a plain `backward()`: `use_reentrant=False`."}},
    {NULL,
     "Cannot copy out of meta tensor",
     {"The module is on the meta device and has no values yet: load its weights first (`load_state_dict(..., "
      "assign=True)`), or make room with `to_empty(device=...)` and fill it, before it is moved or called.",
      "Models of transformers and accelerate: leave out `device_map`, or do not call `.to()` on a model that "
      "is offloaded."}},
    {NULL,
     "Default process group has not been initialized\n"
     "Could not resolve the process group registered under the name",
     {"The process group is not there: `init_process_group()` before the model is built "
      "and compiled, and the same groups made on each rank.",
      "A graph that was compiled or cached with other groups must be compiled again."}},
    {NULL,
     "view size is not compatible with input tensor",
     {"The strides of the tensor do not allow this view: `.reshape(...)` in place of `.view(...)`, or "
      "`.contiguous()` before it."}},
    {NULL,
     "could not find kernel for\nCould not run '",
     {"The operator that the message names is not there for this device or for fake tensors: use another "
      "one, move the tensors to a device that has it, or call it outside of the compiled function "
      "(`@torch.compiler.disable`).",
      "Of a package (torchvision, xformers, an extension of your own): install the build for this device and "
      "PyTorch."}},
    {NULL,
     "Failed to run autotuning code block",
     {"The code that Inductor runs to choose configurations ahead of time (AOTInductor, or with a C++ "
      "wrapper) failed; the words behind it say where. Try a newer PyTorch, then report it.",
      "Leave that run out: `torch._inductor.config.triton.autotune_at_compile_time = False`"}},
    {NULL,
     "no compiled frames",
     {"Nothing in this call could be compiled: the function is disabled, belongs to a module that Dynamo "
      "skips, or has no code of Python. The message lists the reasons; compile the function that does the "
      "work."}},
    {NULL,
     "attempted to set_stance in a torch.compile region",
     {"`torch.compiler.set_stance` belongs outside of compiled functions: call it in the caller."}},
    {NULL,
     "undefined reference to",
     {"The linker does not find what the message names: a library that is not linked, or is of another "
      "version than the headers (another libtorch, another compiler's runtime in `LIBRARY_PATH` or "
      "`LD_LIBRARY_PATH`).",
      "In a model of AOTInductor, operators of your own are no part of libtorch: they must have a C "
      "interface that is linked or loaded."}},
    {NULL,
     "Cannot re-initialize CUDA in forked subprocess",
     {"CUDA is used before a process is forked: `set_start_method(\"spawn\")` of its multiprocessing, or make "
      "tensors on the GPU only in the main process (no `.cuda()` in a Dataset)."}},

    {NULL,
     "out of bounds for storage of size 0",
     {"A parameter of FSDP is used while it is not gathered: wrap with `use_orig_params=True` before compiling, "
      "compile each wrapped block by itself, and call the modules through their `forward`; or use `fully_shard`."}},
    {NULL,
     "PytorchStreamReader failed\nfailed finding central directory",
     {"The file is no such model, or is not whole: look at its size, copy or download it again, or save it again. "
      "Files of Git LFS may be pointers."}},
    {"_LinAlgError",
     NULL,
     {"The numbers of this matrix are what fails: look for NaN, Inf and rows that are alike, compute in float64, or "
      "add a little to the diagonal. Where eager mode succeeds, compare what goes in: "
      "`TORCHINDUCTOR_NAN_ASSERTS=1`"}},
    {NULL,
     "an exception was ignored",
     {"Python could not raise it, as the program was ending or an object was freed: nothing else failed. When ending "
      "takes long, compile in the program itself: `TORCHINDUCTOR_COMPILE_THREADS=1`"}},
    {NULL,
     "Triton compilation failed: ",
     {"Why is said in the last lines of its traceback, which the text does not show. The types in `metadata` help: fp8 "
      "and bfloat16 need newer GPUs."}},
    {NULL,
     "backend='compile_fn' raised",
     {"DDP's buckets split the graph, and one of the parts fails: compile without the splitting, "
      "`torch._dynamo.config.optimize_ddp = False`, or use a newer PyTorch."}},

    /* what a tool of NVIDIA found, and a model of AOTInductor */
    {NULL,
     "========= Invalid __",
     {"A kernel reads or writes outside of its tensors; below its name stands the file that Inductor wrote, whose "
      "comments name the lines of the program. Look at what the kernel takes for an index.",
      "When the indices are right, it is Inductor that is wrong: try a newer PyTorch, then report it with that file."}},
    {NULL,
     "driver error: file not found",
     {"The compiled kernels (.cubin) do not lie where the library looks for them, as it was copied to another "
      "directory or machine: `torch._inductor.aoti_compile_and_package` puts all into one file. Before 2.6 copy its "
      "whole directory to the same path."}},
    {NULL,
     "resides on host memory and is not registered",
     {"Inputs, or the device of the loader, are others than at export: move the inputs to the GPU, and load for the "
      "GPU that the model was compiled for."}},

    /* usage errors */
    {NULL,
     "Can't pickle\ncannot pickle\ncan't pickle",
     {"What is compiled cannot be pickled. Save and send the module itself: `model._orig_mod`, or its `state_dict()`, "
      "and compile where it is loaded; `model.compile()` leaves the module what it was."}},
    {NULL,
     "in loading state_dict",
     NAMES_OF_COMPILED},
    {"Warning", "_orig_mod.", NAMES_OF_COMPILED},
    {NULL,
     "Wrong cache artifact version\nload_cache_artifacts",
     {"The bundle of compiled code was made by another version of PyTorch: make it again with this one "
      "(`torch.compiler.save_cache_artifacts()` after a warm-up), and keep one for each version. The program works "
      "without it, as it compiles then."}},
    {NULL,
     "output of this custom operator",
     {"A custom operator must not return one of its inputs, nor a view of it: return a copy (`.clone()`), or let the "
      "operator change the input in place (`mutates_args`) and return nothing."}},
    {NULL,
     "(compiled_fn) function from eager mode is not supported\ncompiled backward function within vmap/grad",
     {"Compile outside of the transform, not inside of it: `torch.compile(torch.vmap(f))` in place of "
      "`torch.vmap(torch.compile(f))`, the same for grad, vjp and jvp. Or leave this function uncompiled."}},
    {NULL,
     "vmap: It looks like you're calling .item()\nBatching rule not implemented",
     {"Under vmap a tensor stands for many values, so that `.item()`, branches and some operators have no meaning: "
      "write it with `torch.where` and operators on whole tensors, or loop."}},
    {NULL,
     "are not allocated in pool",
     {"A tensor that CUDA graphs keep was given other memory (`.data = `, `resize_`, `set_`) or is kept elsewhere: "
      "copy "
      "into it instead, and `.clone()` outputs that are kept.",
      "Run without CUDA graphs: no mode \"reduce-overhead\" or \"max-autotune\" (there is "
      "\"max-autotune-no-cudagraphs\")."}},
    {NULL,
     "flatten tensors with uniform dtype",
     {"FSDP wraps parameters of different dtypes together: convert the model to one dtype before "
      "(`.to(torch.bfloat16)`), "
      "or wrap modules of other dtypes by themselves; `fully_shard` allows them to differ."}},
    {NULL,
     "C10d store has failed\nRendezvousConnectionError\nRendezvousTimeoutError",
     {"The processes do not reach the one that keeps the store: the same `--rdzv-endpoint` (or `MASTER_ADDR` and "
      "`MASTER_PORT`) on all machines, a name and a port that the network lets through, and started at the same "
      "time."}},
    {NULL,
     "Unrecognized mode=\nUnexpected optimization option",
     {"The message lists the modes and options that this version has: take one of them."}},
    {NULL,
     "Either mode or options can be specified",
     {"A mode is a set of options: give one of the two. `torch._inductor.list_mode_options()` shows the options of "
      "each mode, to be given beside your own."}},
    {NULL,
     "static input data pointer changed",
     {"A CUDA graph reads its parameters, buffers and marked inputs where they were when it was recorded, and one of "
      "them is another tensor now (`.data = `, `load_state_dict(assign=True)`, a new cache). Copy into the old one "
      "(`copy_`), or compile again after the change: `torch.compiler.reset()`",
      "Run without CUDA graphs: no mode \"reduce-overhead\" or \"max-autotune\" (there is "
      "\"max-autotune-no-cudagraphs\")."}},
    {NULL,
     "symbolically trace a dynamo-optimized function",
     {"A function that is compiled already is traced again: compile once, at the outermost call, and pass the "
      "function as it was before (`model._orig_mod`) to exporters, quantizers and other tracers.",
      "Or let Dynamo leave the inner one as it is: `torch._dynamo.config.error_on_nested_fx_trace = False`"}},
    {"TypeError",
     "got an unexpected keyword argument",
     {"The function of this version does not have that argument: the caller was written for another version. Install "
      "versions that belong together (`pip check`), a newer PyTorch among them, or leave the argument out."}},
    {NULL,
     "Inference tensors\ninference tensor",
     {"A tensor that was made under `torch.inference_mode()` is used outside of it: `torch.no_grad()` in its place, or "
      "`.clone()` the tensor outside."}},
    {NULL,
     "Error building extension",
     {"The compiler of the extension failed: its own words are below the command, in the first line with `error`. The "
      "usual causes are a CUDA toolkit of another version than PyTorch was built with, and a compiler that is too "
      "new or too old for it."}},

    /* notes */
    {"Warning",
     "a profile of torch.profiler",
     {"The table shows where calls take their time, not why something is compiled. A region N/M is one compiled "
      "graph: several M of one N were compiled again for other inputs, several N are functions of their own, or the "
      "parts around a graph break. `TORCH_LOGS=recompiles,graph_breaks` says why.",
      "Where the CPU's time is far above that of the kernels, launching them is what costs: larger inputs, or "
      "`mode=\"reduce-overhead\"`. A first call that is in the profile compiles: leave it out (`schedule(wait, "
      "warmup)`)."}},
    {"Warning",
     "ExportedProgram:",
     {"A program that torch.export made, printed: nothing failed. `Range constraints` shows the sizes that it "
      "takes; a dimension that is a number in the types was fixed by the example or by the code."}},
    {"Warning",
     "async_compile = AsyncCompile()",
     {"Code that Inductor wrote (`TORCH_LOGS=output_code`): nothing failed. Comments `# Topologically Sorted Source "
      "Nodes` and `File:` name the lines of the program that a kernel computes."}},
    {"Warning",
     "sing cache directory",
     {"vLLM keeps compiled code there, so that the next start is faster: nothing failed. When it does not load any "
      "more, remove that directory, or leave the cache out: `VLLM_DISABLE_COMPILE_CACHE=1`"}},

    /* warnings */
    {NULL,
     "issue(s) found during export",
     {"The program that was exported is not sound. Its report lists each issue with its line and what to add: "
      "`print(ep._report)`"}},
    {NULL,
     "AUTOTUNE benchmarking takes ",
     {"So long it took to compile and to time the kernels for one operator; the result is kept in Inductor's cache. "
      "Without `mode=\"max-autotune\"` nothing is timed, and the library's kernel is taken."}},
    {NULL,
     "recording a new graph for each distinct input size",
     {"Each input size gets a CUDA graph of its own, which costs time and memory: pad to a few sizes, "
      "compile without CUDA graphs (no mode \"reduce-overhead\"), or keep them for fixed sizes only: "
      "`torch._inductor.config.triton.cudagraph_skip_dynamic_graphs = True`."}},
    {NULL,
     "is not in var_ranges, defaulting to unknown range\n_maybe_guard_rel() was called on non-relation",
     {"A note of PyTorch on its own work with sizes that vary: results are right, nothing needs to be done. "
      "It is gone in newer versions."}},
    {NULL,
     "DeviceCopy in input program",
     {"The graph copies tensors between devices, which keeps CUDA graphs out and costs time: make the tensor "
      "on the GPU (`device=x.device`), or keep it with `register_buffer`."}},
    {NULL,
     "this could result in accuracy problems",
     {"A check on sizes was dropped: with other sizes than at export the result may be wrong. Compare with "
      "eager mode for such a size; give the size a range (`Dim(\"n\", min=..., max=...)`)."}},
    {NULL,
     "process group has NOT been destroyed\ndestroy_process_group() was not called",
     {"The program ended without `destroy_process_group()`: call it at the end. Where the "
      "program failed, its own error is above."}},
    {NULL,
     "Setting OMP_NUM_THREADS environment variable",
     {"torchrun gives each process one thread: nothing failed. Set `OMP_NUM_THREADS` to the cores for each "
      "process where data loading or the CPU is slow."}},
    {NULL,
     "Some buckets were extended beyond their requested parameter capacities",
     {"DDP's buckets grew so that no graph is cut within a module: fewer of them overlap with the backward. "
      "Nothing needs to be done, or raise `bucket_cap_mb`."}},
    {NULL,
     "find_unused_parameters=True was specified",
     {"No parameter was unused: `find_unused_parameters=False` saves a pass over the graph in each step."}},
    {NULL,
     "Profiler function ",
     {"Names of `record_function` are left out of compiled code; its results are the same. To see them in a profile, "
      "put them around the call of the compiled function."}},
    {NULL,
     "Online softmax is disabled on the fly",
     {"Inductor computes this softmax in two passes, as the reduction is split: results are right. Nothing "
      "needs to be done."}},
    {NULL,
     "doesn't take boxed arguments",
     {"Of an own backend for AOTAutograd: wrap the compiled function with "
      "`functorch.compile.make_boxed_func`, so that its inputs are freed early."}},
    {NULL,
     "CUDA Graph is empty",
     {"Nothing ran on the GPU while the graph was captured: the model or its inputs are on the CPU or on "
      "another GPU, or the work is on another stream."}},
    {NULL,
     "TensorFloat32 tensor cores for float32",
     {"float32 matrix products are faster with TF32, at 10 bits of mantissa: "
      "`torch.set_float32_matmul_precision(\"high\")`"}},
    {NULL,
     "new API settings to control TF32",
     {"Use either the old settings or the new ones, not both: `fp32_precision = \"tf32\"` of the backend in place of "
      "`allow_tf32` (2.9 and later). Results stay as they are."}},
    {NULL,
     "the autotuner left out a choice",
     {"It goes on with the other choices: nothing needs to be done. Without max-autotune there are fewer of them; "
      "blocks of flex_attention that fit are given by its `kernel_options`."}},
    {NULL,
     "compiled code of the cache cannot be loaded",
     {"It is compiled again, and nothing failed. When it comes again and again, files of the cache are damaged or "
      "of another version: remove it (`rm -rf /tmp/torchinductor_$USER`), and give jobs that run at the same time a "
      "`TORCHINDUCTOR_CACHE_DIR` of their own."}},
    {NULL,
     "ot enough SMs to use max_autotune_gemm",
     {"The GPU is too small for the templates of max-autotune: its matrix products stay with the library, which is no "
      "error. Without `mode=\"max-autotune\"` compiling is faster."}},
    {NULL,
     "Graph break due to unsupported builtin\nDynamo does not know how to trace the builtin",
     {"The graph breaks at this call, whose code is C or C++. Move it out of the compiled function, or make it a "
      "custom "
      "operator (`torch.library.custom_op`). Where all that it does is operators of PyTorch: "
      "`torch.compiler.allow_in_graph`.",
      "`TORCH_LOGS=graph_breaks` shows the lines that call it."}},
    {NULL,
     "Unable to hit fast path of CUDAGraphs",
     {"The backward of an earlier call has not run yet, so that no CUDA graph is replayed. Without training, call it "
      "under `torch.no_grad()`; else run the backward, or let go of the outputs of the earlier call, before the next "
      "one."}},
    {NULL,
     "flex_attention called without torch.compile",
     {"Without the compiler it computes the whole matrix of scores: `flex_attention = "
      "torch.compile(flex_attention)`."}},
    {NULL,
     "`functools.lru_cache`-wrapped function",
     {"Dynamo traces the function itself, without its cache: results are the same as long as it depends on nothing "
      "but its arguments. To keep the cache, and to be rid of the warning, call it before the compiled function and "
      "pass the result in."}},
    {NULL,
     "the use_reentrant parameter should be passed",
     {"Say which: `torch.utils.checkpoint.checkpoint(..., use_reentrant=False)`, which works with torch.compile."}},

    /* PyTorch's own words; last, because they also appear below more specific messages */
    {NULL,
     "INTERNAL ASSERT FAILED\nfile a bug in PyTorch\nPlease report a bug\nplease report a bug\nThis is a bug\nthis is "
     "a bug\nplease file a bug\nPlease file an issue\nplease file an issue",
     {"PyTorch itself says that it is a bug of its own: try a newer version, then report it with the smallest program "
      "that shows it.",
      "See whether it is the compiler's: run the same without `torch.compile`, then with `backend=\"eager\"` and "
      "`\"aot_eager\"`."}},
};

static bool has_any(struct str text, struct str alternatives)
{
    struct str words;

    while (str_next_line(&alternatives, &words))
        if (str_has_words(text, words))
            return true;
    return false;
}

static bool fits(const struct error_answer *x, const struct failure *f)
{
    struct str source = f->stack ? f->stack->source : (struct str){0};

    if (x->type && !str_eq(f->type, str_of(x->type)))
        return false;
    return !x->message || has_any(str_take(f->message, SEARCHED), str_of(x->message)) ||
           has_any(str_take(f->beside, SEARCHED), str_of(x->message)) || has_any(source, str_of(x->message));
}

/*
 * The hints of a graph break suggest filing an issue in many cases that are not bugs: neither they nor the last row
 * are answers.
 */
const struct error_answer *error_answer_of(const struct error *e)
{
    size_t n = sizeof answers / sizeof *answers - (e->category == ERROR_GRAPH_BREAK);

    for (size_t i = 0; i < n && !e->fault; i++)
        if (fits(&answers[i], e->failure))
            return &answers[i];
    return NULL;
}
