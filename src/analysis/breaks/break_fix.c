#include "analysis/breaks/break_fix.h"

#include "analysis/breaks/break_paste.h"
#include "analysis/breaks/break_remedy.h"
#include "model/code_file.h"
#include "text/python/python_call.h"
#include "text/python/python_code.h"

#define GUARDED "if not torch.compiler.is_compiling():\n    ..."

/* Placeholder for the name of the function in a text. */
#define NAME "%"

#define OUTSIDE "Call it before the compiled function and pass the result in, or call it afterwards."
#define KEPT_OUT "The rest of the function is compiled in two parts, with a call in between."

static const struct row {
    const char *id;    /* the finding's id */
    const char *what;  /* see break_fix.h; "%" is the function that is called */
    const char *fix;   /* NULL: PyTorch's own hint */
    const char *paste; /* a pattern; NULL: none, or `make` */
    break_paste_fn *make;
    const char *where; /* in words, the place of the paste */
    enum break_weight weight;
    bool shows_source;
} rows[BREAK_KINDS] = {
    [BREAK_CALL] = {"break-c-function", NULL, "Dynamo has no model of this call. " OUTSIDE, .shows_source = true},
    [BREAK_BUILTIN] = {"break-builtin", NULL, "Dynamo cannot trace this builtin with these arguments. " OUTSIDE,
                       .shows_source = true},
    [BREAK_TENSOR_CLASS] = {"break-c-function", NULL, .make = break_paste_tensor_class, .shows_source = true},
    [BREAK_UNCALLED] = {"break-builtin", NULL, .make = break_paste_uncalled, .shows_source = true},
    [BREAK_SKIPPED] = {"break-c-function", "`" NAME "`", .make = break_paste_skipped},

    [BREAK_ASKED_FOR] = {"break-on-purpose", NULL, "The code requests this break. Remove the call if it is a leftover.",
                         .weight = BREAK_IS_LOW},
    [BREAK_DISABLED] = {"break-on-purpose", "`" NAME "` is disabled",
                        "This function is excluded from compilation on purpose, by a decorator. If it is yours and "
                        "that is no longer needed, remove the decorator. If it is a library's, leave it: what is "
                        "around it is compiled. Or call the function before or after the compiled code.",
                        .weight = BREAK_IS_LOW},

    [BREAK_OPTIMIZER_OFF] =
        {"break-on-purpose", "`" NAME "` runs in plain Python",
         "PyTorch keeps the step of this optimizer out of compiled code by design, and with it all that the step "
         "calls, its closure too. Compile the model that the closure calls, and call the step from plain Python.",
         "net = torch.compile(net)", .where = "where the model is created, instead of compiling the step",
         .weight = BREAK_IS_LOW},

    [BREAK_BUCKETS] = {"break-on-purpose", "DDP splits the graph at its buckets",
                       "It is intended: gradients of one bucket are sent while the next one is computed. Nothing has "
                       "to be done. `torch._dynamo.config.optimize_ddp = False` makes one graph, whose gradients are "
                       "only sent at its end.",
                       .weight = BREAK_IS_LOW},

    [BREAK_PRINT] = {"break-print", "`print(…)`", .make = break_paste_print},
    [BREAK_WARNING] = {"break-print", "`warnings.warn(…)`", .make = break_paste_warning},
    [BREAK_LOGGER] = {"break-print", "`Logger` calls", .make = break_paste_logger},
    [BREAK_OUTPUT_FUNCTION] = {"break-print", "`" NAME "(…)`", .make = break_paste_output},
    [BREAK_OUTPUT_OBJECT] = {"break-print", "`" NAME "`",
                             "Output stops the graph. Write it outside the compiled function, or only when nothing is "
                             "being compiled.",
                             GUARDED, .where = "around this line", .shows_source = true},
    [BREAK_PROGRESS] =
        {"break-print", "a progress bar (`" NAME "`)",
         .fix = "A progress bar cannot be traced. Put it around a loop that calls the compiled function, or use a "
                "plain loop inside it."},

    [BREAK_TIMER] =
        {"break-c-function", "`" NAME "`",
         .fix = "Clocks are not traced, and inside a graph they would not measure the lines between them. Take the "
                "time around the call of the compiled function, or use torch.profiler."},
    [BREAK_FILE] = {"break-builtin", "`" NAME "`",
                    "Files and the operating system are not traced. Read before and write after the compiled function.",
                    .shows_source = true},
    [BREAK_THREAD] = {"break-context-manager", "`" NAME "`",
                      "Locks, queues and threads are not traced. Use them around the call of the compiled function.",
                      .shows_source = true},
    [BREAK_EVENT_LOOP] =
        {"break-c-function", "`" NAME "`",
         "The event loop of asyncio is not traced. Compile the function that computes, and call it from "
         "the coroutine.",
         .shows_source = true},
    [BREAK_ONCE] =
        {"break-c-function", "`" NAME "`",
         .fix = "This is done once per program, not at every call. Do it before, and let the compiled function use "
                "the result."},
    [BREAK_HOST] = {"break-c-function", "`" NAME "`",
                    .fix = "This is Python without tensors, which is not traced. " OUTSIDE},
    [BREAK_WARNING_FILTER] =
        {"break-c-function", "`" NAME "`",
         .fix = "The filters of warnings are Python's, which are not traced. Filter around the call of the compiled "
                "function: take `with warnings.catch_warnings():` and what is set in it out of the compiled code."},
    [BREAK_CALLER] = {"break-c-function", "`" NAME "`",
                      .fix = "Compiled code has no frames of Python to look at. Pass what is looked up there, such as "
                             "the name of the caller, as an argument, or set it when the object is made."},
    [BREAK_AUDIT] = {"break-c-function", "`" NAME "`",
                     .fix = "Functions of Python's library call it that list directories, start processes or make "
                            "files (`os.walk`, `glob`, `pathlib`, `subprocess`, `tempfile`, `shutil`). Do that before "
                            "the compiled function. A function without tensors, such as the `__init__` of a dataset, "
                            "has nothing to compile: leave `torch.compile` out there."},
    [BREAK_ABSTRACT] =
        {"break-c-function", "`isinstance` with an abstract base class (`" NAME "`)",
         .fix = "The line that breaks asks whether an object is of a class of `abc` or `collections.abc`, by "
                "`isinstance` or `issubclass`; Python calls this function for it. PyTorch 2.5 and later trace that. "
                "Until then ask for a plain class, or ask before the compiled function and pass the answer in."},
    [BREAK_COPY] = {"break-builtin", "`" NAME "`",
                    "Copying objects is not traced. A tensor is copied by `clone()`; copy modules and other objects "
                    "before the compiled function.",
                    "y = x.clone()", .where = "instead of the copy"},
    [BREAK_CLASS_ATTRIBUTE] =
        {"break-builtin", "an attribute of a class is set",
         "This version does not trace the change of a class, and may do it less often than eager mode does: a count "
         "may be too low. Count outside of the compiled function; what is computed with belongs in a tensor of the "
         "module, which is changed in place.",
         .shows_source = true},
    [BREAK_RANDOM] = {"break-random", "`" NAME "`", .make = break_paste_random,
                      .where = "before the call of the compiled function"},
    [BREAK_SEED] =
        {"break-random", "`" NAME "`",
         .fix = "The state of a random generator belongs to the process, not to a graph. Set or read it before the "
                "compiled function."},
    [BREAK_GENERATOR_OBJECT] =
        {"break-random", "`torch.Generator`",
         .fix = "A `torch.Generator` cannot be in a graph. Draw with it before the call of the compiled function, and "
                "pass the numbers in: they stay the same. If it is one generator for the whole program, not one that "
                "each call brings, seeding with `torch.manual_seed` before the call and drawing without a generator "
                "works, too; under Inductor these are other numbers, unless "
                "`torch._inductor.config.fallback_random` is True."},

    [BREAK_NUMPY] = {"break-numpy", NULL,
                     .fix =
                         "NumPy code that Dynamo cannot turn into torch code. Use torch, or do it before the compiled "
                         "function."},
    [BREAK_NUMPY_OFF] = {"break-numpy", "NumPy, whose tracing is turned off",
                         .fix = "The program sets `torch._dynamo.config.trace_numpy = False`. Remove that line, or "
                                "use torch instead of NumPy."},
    [BREAK_LIBRARY] = {"break-library", "`" NAME "`", .make = break_paste_library},
    [BREAK_EXTENSION] = {"break-c-function", "`" NAME "`", .make = break_paste_custom_op, .where = "at module level"},
    [BREAK_TORCH] = {"break-c-function", "`" NAME "`",
                     .fix = "PyTorch excludes this function of its own from compilation. Call it outside the compiled "
                            "function."},
    [BREAK_TORCH_GENERATED] =
        {"break-c-function", "`" NAME "`",
         .fix = "Dynamo does not trace this function of PyTorch, and code that FX generated calls it "
                "(`<eval_with_key>`): no line of the program does. Try another version of PyTorch (a release instead "
                "of a nightly), then report it. Until then exclude the function that leads there: "
                "`@torch.compiler.disable`"},
    [BREAK_TORCH_PRIVATE] =
        {"break-c-function", "`" NAME "`",
         .fix = "Dynamo does not trace this private function of PyTorch's, which most likely PyTorch itself calls, and "
                "no line of the program. Try another version of PyTorch (a release instead of a nightly), then report "
                "it with a small program. Until then exclude the function of the program that leads there: "
                "`@torch.compiler.disable`"},
    [BREAK_TORCH_LACKING] = {"break-c-function", "`" NAME "`",
                             .fix = "This version of PyTorch cannot trace its own function here; newer ones trace "
                                    "more. Until then, call it outside the compiled function. Where a default "
                                    "device is set (`torch.set_default_device`, `with torch.device(...)`), compile "
                                    "without it."},
    [BREAK_TORCH_WRAPPED] = {"break-c-function", "`" NAME "`",
                             .fix = "A decorator of PyTorch's is around the function, such as `once_differentiable`, "
                                    "and this version does not trace it. Remove the decorator, or use a newer "
                                    "PyTorch."},
    [BREAK_TORCH_VALUE] = {"break-c-function", "`" NAME "`",
                           .fix =
                               "The function returns a Python value, which is not part of a graph. Call it before the "
                               "compiled function and pass the value in. Dynamo leaves the cache of `functools` out, "
                               "so a call before does not help by itself: keep the value in a variable of the module."},

    [BREAK_BRANCH] = {"break-branch", "a branch on a tensor's value", .make = break_paste_branch, .shows_source = true,
                      .where = "instead of the branch"},
    [BREAK_OBJECT_BRANCH] =
        {"break-branch", "a branch on an object whose truth value is computed",
         "The `__bool__` or `__len__` of this object does not return a constant. Compute the condition before the "
         "compiled function and pass it in as a bool.",
         .shows_source = true},
    [BREAK_ASSERT] = {"break-branch", "an assert on a tensor's value", .make = break_paste_assert,
                      .shows_source = true},
    [BREAK_NOT_FINITE] = {"break-branch", "a check for values that are not finite", .make = break_paste_not_finite,
                          .shows_source = true},
    [BREAK_DISTRIBUTION] =
        {"break-branch", "a distribution checks arguments and values",
         "The distribution checks its arguments, and the values that it is given, by branches on tensors. PyTorch "
         "turns these checks off while it compiles, unless `validate_args=True` asks for them, or the distribution "
         "was made before anything was compiled: leave `validate_args=True` out where the distribution is made, or "
         "pass `validate_args=False` there.",
         "Normal(mean, std, validate_args=False)", .where = "where the distribution is made"},
    [BREAK_ITEM] = {"break-item", "a tensor's value is read", .make = break_paste_item, .shows_source = true},
    [BREAK_ITEM_OPERATOR] = {"break-item", NULL, .make = break_paste_operator, .shows_source = true},
    [BREAK_LIST_OF_FLOATS] = {"break-item", "`tolist()` of floats",
                              "A list of floats is not traced. Index the tensor instead: `x[0]` is a tensor.",
                              .shows_source = true},
    [BREAK_INDEX] = {"break-item", "a tensor as an index", .make = break_paste_index, .shows_source = true,
                     .where = "instead of this line"},
    [BREAK_RANGE] =
        {"break-item", "a loop over a number from a tensor",
         "Only the tensor determines how often the loop runs. Pass the number in as a Python int, or loop a fixed "
         "number of times with a mask.",
         .shows_source = true},
    [BREAK_SIZE_BRANCH] =
        {"break-branch", "a branch on a size or number that depends on data",
         "The branch depends on the number of values, or on a number that was read from a tensor, which only the "
         "running graph knows. Write code that is right for any number, or decide before the compiled function and "
         "pass a bool in.",
         .shows_source = true},
    [BREAK_NUMBER] =
        {"break-item", "a number from a tensor must be known",
         "Python needs the number itself here, for a set, a dict, a loop or a constant, but only the running graph "
         "knows it. Pass the number in as a Python int, or compute with tensors.",
         .shows_source = true},
    [BREAK_MATH] =
        {"break-item", "a tensor's value in a function of `math`",
         "Functions of Python's `math` need the number. Functions of torch take the tensor, which then stays in the "
         "graph.",
         "y = torch.sqrt(x)   # instead of math.sqrt(x.item()); other functions likewise", .shows_source = true,
         .where = "instead of this line"},
    [BREAK_TEXT] =
        {"break-item", "text with a tensor's value",
         "The text of a tensor needs its value. Make the text outside the compiled function, or only when nothing is "
         "being compiled.",
         GUARDED, .shows_source = true, .where = "around this line"},
    [BREAK_SORT] = {"break-item", "`sorted` by values of tensors", "Sort the tensors' values with torch.",
                    "values, order = torch.sort(torch.stack(items))", .shows_source = true,
                    .where = "instead of this line"},
    [BREAK_SHAPE] = {"break-data-shape", NULL, .make = break_paste_shape},
    [BREAK_ONE_HOT] = {"break-data-shape", "`one_hot` without `num_classes`",
                       "The number of classes is read from the data. State it.",
                       "torch.nn.functional.one_hot(x, num_classes=...)", .where = "instead of this call"},
    [BREAK_NO_META] = {"break-data-shape", NULL, .make = break_paste_no_meta},

    [BREAK_RESIZE] = {"break-inplace", NULL,
                      "A tensor is resized, or its strides are changed, in place. Make a new tensor, or do it before "
                      "the compiled function.",
                      .shows_source = true},
    [BREAK_SHARE_MEMORY] = {"break-inplace", "`share_memory_()`",
                            .fix = "Memory is moved for other processes. Do it before the compiled function."},
    [BREAK_DATA] = {"break-inplace", "`.data` is replaced",
                    "Replacing `.data` of a tensor is not traced. Copy into the tensor.",
                    "with torch.no_grad():\n    x.copy_(y)", .shows_source = true, .where = "instead of this line"},
    [BREAK_TENSOR_ATTRIBUTE] = {"break-inplace", "an attribute of a tensor is set",
                                "Setting this attribute of a tensor is not traced. Store the value separately from "
                                "the tensor.",
                                .shows_source = true},
    [BREAK_OUT] = {"break-inplace", "`out=` of another size",
                   "The tensor given as `out=` would have to be resized. Leave `out=` out and use what the call "
                   "returns: the compiler plans the memory of the graph itself.",
                   .shows_source = true},
    [BREAK_ADDRESS] =
        {"break-other", "addresses are compared (`data_ptr()`)",
         "Dynamo traces a comparison of addresses only where it can prove that they are the same. If the line asks "
         "whether these are one tensor, compare the objects, which is traced. That does not see two views of the same "
         "memory: where these count, compare before the call of the compiled function and pass a bool in.",
         "a is b   # in place of a.data_ptr() == b.data_ptr()", .shows_source = true,
         .where = "instead of the comparison"},
    [BREAK_SPARSE] = {"break-tensor-kind", "a sparse tensor", .make = break_paste_sparse},
    [BREAK_NESTED] = {"break-tensor-kind", "a nested tensor with the strided layout",
                      "Only nested tensors with the jagged layout are compiled.",
                      "torch.nested.nested_tensor(tensors, layout=torch.jagged)", .where = "where the tensor is made"},
    [BREAK_SUBCLASS] = {"break-tensor-kind", NULL, .fix = NULL},
    [BREAK_OVERRIDE] =
        {"break-tensor-kind", "an operator on a tensor of a class with `__torch_function__`",
         "Dynamo cannot trace some of Python's operators on such tensors, for example `**` with a number. If the code "
         "runs without torch.compile, use other operators in the line.",
         "y = x * x   # in place of x ** 2", .shows_source = true, .where = "instead of this line"},
    [BREAK_OPAQUE] =
        {"break-tensor-kind", "a tensor of a class with `__torch_dispatch__` and without `__tensor_flatten__`",
         "Dynamo only traces such a class if it says which tensors are in it: give it `__tensor_flatten__`, which "
         "returns the names of the attributes with tensors and what else is needed, and `__tensor_unflatten__`, which "
         "creates it from them again. Without these, Python runs the operators on it, and `__torch_dispatch__` is "
         "compiled by itself.",
         "def __tensor_flatten__(self):\n"
         "    return [\"data\", \"scale\"], None\n"
         "@staticmethod\n"
         "def __tensor_unflatten__(inner, context, size, stride):\n"
         "    return Packed(inner[\"data\"], inner[\"scale\"])",
         .where = "in the class, with its own name and those of its attributes"},
    [BREAK_PARAMETER] = {"break-module", "a parameter or module is created",
                         "Parameters and modules are created once, not at every call. Create them earlier, in "
                         "`__init__` for example.",
                         .shows_source = true},

    [BREAK_REQUIRES_GRAD] = {"break-inplace", "`requires_grad` is changed",
                             "Gradient flags are changed inside the graph. Set `requires_grad` before the compiled "
                             "function, or use `detach()`.",
                             .shows_source = true},
    [BREAK_NEW_LEAF] = {"break-inplace", "a tensor is created with `requires_grad=True`",
                        "A new leaf cannot be created inside a graph. Create the tensor before the compiled function.",
                        .shows_source = true},
    [BREAK_RETAIN_GRAD] =
        {"break-backward", NULL,
         "Autograd's data of a tensor does not exist while the graph is traced. Look at it outside the compiled "
         "function.",
         .shows_source = true},
    [BREAK_BACKWARD] = {"break-backward", NULL, .make = break_paste_backward, .shows_source = true},
    [BREAK_AUTOGRAD] = {"break-backward", NULL, NULL, .shows_source = true},
    [BREAK_AUTOGRAD_FUNCTION] = {"break-autograd-function", NULL, .make = break_paste_autograd_function},
    [BREAK_MODULE_HOOK] =
        {"break-hook", "a backward hook of a module",
         .fix = "Backward hooks of modules are only traced with compiled autograd, that is with the backward call "
                "inside the compiled function. Otherwise remove the hook, or exclude the module from compilation."},
    [BREAK_TENSOR_HOOK] = {"break-hook", "a hook on a tensor's gradient",
                           .fix = "A hook on a tensor that is created inside the graph is compiled with it by newer "
                                  "versions (2.13), or under compiled autograd, if it only computes with the gradient "
                                  "and does not read its value, print or keep it. Else compile the code before the "
                                  "tensor and the code after it separately, and register the hook between the two."},
    [BREAK_HOOK_HANDLE] = {"break-hook", "a hook is registered or removed",
                           "Registering hooks is not traced. Do it once, before the compiled function.",
                           .shows_source = true},
    [BREAK_CAPTURING] = {"break-hook", "the hooks for hidden states and attentions, which transformers sets once",
                         "The first call of a model that returns hidden states or attentions sets hooks, which is not "
                         "traced. Make one such call before the model is compiled.",
                         "model(..., output_hidden_states=True)", .where = "before `torch.compile`"},

    [BREAK_SUPPRESS] =
        {"break-context-manager", "an exception is caught by `contextlib.suppress`",
         "This version of PyTorch does not trace it. Ask instead of catching: `if key in d:`, `d.get(key)`, `if "
         "hasattr(x, name):`. Or catch the exception around the call of the compiled function.",
         .shows_source = true},
    [BREAK_CONTEXTLIB] =
        {"break-context-manager", "a context manager made with `contextlib`",
         "This version of PyTorch does not trace a function with `@contextmanager`; 2.7 and later do. Until then, "
         "enter it around the call of the compiled function.",
         .shows_source = true},
    [BREAK_CONTEXT_DECORATOR] =
        {"break-context-manager", "a function with a decorator like `@torch.no_grad()`",
         "This version of PyTorch does not trace a function that `@torch.no_grad()`, `@torch.inference_mode()` or "
         "another context of PyTorch decorates; 2.5 and later do. Until then, take the decorator away and use the "
         "context in the function, as in `with torch.no_grad():`.",
         .shows_source = true},
    [BREAK_CONTEXT] = {"break-context-manager", "`with " NAME "`",
                       "Dynamo cannot enter this context manager. Enter it around the call of the compiled function.",
                       .shows_source = true},
    [BREAK_CONTEXT_SAVING] =
        {"break-context-manager", "`with " NAME "`",
         "Dynamo cannot enter this context manager. Enter it around the call of the compiled function: then it is for "
         "all that the call saves for backward, not for a part of it.",
         .shows_source = true},
    [BREAK_CONTEXT_CALL] = {"break-context-manager", "a context manager without a `with` statement",
                            "Calls of `__enter__` and `__exit__` are not traced. Use a `with` statement.",
                            .shows_source = true},
    [BREAK_CONTEXT_STACK] =
        {"break-context-manager", "a context that an `ExitStack` enters",
         "Dynamo traces many contexts in a `with` statement that it cannot trace where `enter_context` of a "
         "`contextlib.ExitStack` enters them, those of PyTorch among them. Write them as a `with` statement; what "
         "depends on a condition is `enabled=` of the context, or `contextlib.nullcontext()` instead of it.",
         "with torch.autocast(\"cpu\", enabled=self.amp), other if wanted else contextlib.nullcontext():\n    ...",
         .where = "instead of the `ExitStack`, with the contexts that it enters", .shows_source = true},
    [BREAK_CONTEXT_OFF] =
        {"break-context-manager", "a generator as a context manager, whose tracing is turned off",
         .fix = "The program sets `torch._dynamo.config.enable_trace_contextlib = False`. Remove that line."},
    [BREAK_CONTEXT_ESCAPES] =
        {"break-context-manager", NULL,
         .fix = "A context manager is still active where the graph ends. Use it within one function, and not across "
                "another graph break."},
    [BREAK_BLOCK] =
        {"break-context-manager", NULL,
         .fix = "The graph breaks in the middle of a loop or block that cannot be resumed, so the whole function runs "
                "eagerly. Remove the break inside it, or move the block's body into a separate function."},
    [BREAK_EXCEPTION] = {"break-exception", "an exception", .make = break_paste_exception, .shows_source = true},
    [BREAK_GENERATOR] = {"break-generator", NULL,
                         .fix = "A generator cannot be traced here. Collect its items in a list, and return the list."},
    [BREAK_GENERATOR_OF_TORCH] =
        {"break-generator", "a generator of PyTorch's own",
         .fix = "The generator belongs to PyTorch, which enters a context manager there; the program has none to "
                "change. The text is from a debugger: run the same without it first, as both watch the frames that "
                "Python runs. Otherwise try a newer PyTorch, or exclude the function that calls PyTorch there: "
                "`@torch.compiler.disable`"},
    [BREAK_GENERATOR_PASSED] =
        {"break-generator", "a generator that was created outside",
         "A generator that is passed to the compiled function is not traced. Pass a list of its items, `list(x)`: "
         "each length is one compile; or loop outside, and compile the work on one item.",
         .shows_source = true},
    [BREAK_CLASS] = {"break-other", "a class is defined",
                     .fix = "Classes are defined once, not at every call. Define it outside the compiled function."},
    [BREAK_ESCAPES] =
        {"break-output", NULL,
         .fix = "An object that the code creates is needed after the graph, and Dynamo does not know how to create it "
                "again. Return tensors, numbers, lists, tuples and dicts, and create the object outside."},
    [BREAK_INVALID] = {"break-invalid-code", NULL,
                       "Dynamo finds an error here. If the code also fails without torch.compile, fix it; if not, "
                       "rewrite the line.",
                       .make = break_paste_invalid, .shows_source = true},

    [BREAK_RNN] = {"break-unsupported-module", NULL, .make = break_paste_rnn},
    [BREAK_PACKED] =
        {"break-unsupported-module", "a layer of eager-mode quantization, whose weights are packed",
         .fix = "Layers that `quantize_dynamic` or `convert` of eager-mode quantization make keep their weights in an "
                "object that is no tensor, which Dynamo does not take. Quantize with `quantize_` of torchao, or with "
                "PT2E, whose weights are tensors, and compile the result; or leave the quantized model uncompiled."},
    [BREAK_QUANTIZED] =
        {"break-unsupported-module", "a tensor of eager-mode quantization",
         .fix = "Dynamo traces no tensor whose own type is quantized (`quantize_per_tensor`, the layers of "
                "`ao.nn.quantized`). Pass `x.dequantize()`, or quantize with `quantize_` of torchao, or with "
                "PT2E of a model that is exported, whose weights are plain tensors; or leave that model uncompiled."},
    [BREAK_MODULE] = {"break-module", NULL, .fix = NULL},
    [BREAK_SCRIPT] = {"break-module", "TorchScript",
                      .fix = "Code compiled by torch.jit is not traced. Compile the original module or function, "
                             "before `torch.jit.script`, `torch.jit.trace` or `torch.jit.freeze`."},
    [BREAK_HIGHER_ORDER] = {"break-other", NULL, .fix = NULL},
    [BREAK_SIDE_EFFECT] = {"break-other", NULL, .make = break_paste_side_effect, .where = "at the call"},
    [BREAK_FAKE_KERNEL] = {"missing-fake-kernel", NULL, .make = break_paste_fake_kernel,
                           .where = "after the definition of the operator"},
    [BREAK_FAKE_ERROR] = {"break-invalid-code", NULL,
                          "The call fails on tensors without data, which the compiler uses for tracing. If it runs "
                          "without torch.compile, move it out of the compiled function.",
                          .shows_source = true},
    [BREAK_NOT_COMPLIANT] =
        {"custom-op-not-compliant", NULL,
         "The operator does not follow the rules of PT2. Define it with torch.library.custom_op, and "
         "check it.",
         "torch.library.opcheck(op, (x,))", .where = "in a test of the operator"},
    [BREAK_BACKEND] = {"break-backend", NULL, .make = break_paste_backend},

    [BREAK_OPTIMIZER] =
        {"break-optimizer", "PyTorch's optimizer",
         "PyTorch breaks the graph in its own optimizers by design; the update is compiled. There is nothing to do.",
         .weight = BREAK_IS_KNOWN},
    [BREAK_TRAIN_STEP] =
        {"break-train-step", "`" NAME "`",
         "This belongs to the training loop, which is not meant to be compiled. Compile only the model, and call it "
         "from a training step in plain Python.",
         "model = torch.compile(model)", .where = "where the model is created, instead of compiling the step"},
    [BREAK_DDP] =
        {"break-wrapper", "the code of DistributedDataParallel around the model",
         "DistributedDataParallel does this in plain Python, by design; the model inside is compiled. PyTorch "
         "recommends wrapping first and compiling afterwards, as here. There is nothing to do.",
         .weight = BREAK_IS_KNOWN},
    [BREAK_DDP_EMPTY] =
        {"break-distributed", "the code of DistributedDataParallel around a model of which nothing is compiled",
         "The trace has no graph of the model inside. Most likely it is an object of a class of PyTorch, such as "
         "`nn.Sequential` or `nn.TransformerEncoder`: Dynamo does not compile the forward of such a class by itself, "
         "which is what remains after the break. Compile the model before it is wrapped, or wrap a class of your own "
         "whose forward calls it, and compile the wrapper as now: it is then compiled, and gradients are still sent "
         "while others are computed.",
         "model = DDP(torch.compile(net))", .where = "where the model is wrapped, instead of compiling the wrapper",
         .weight = BREAK_IS_HIGH},
    [BREAK_DATA_PARALLEL] =
        {"break-wrapper", "`nn.DataParallel`, whose copies of the model are not compiled",
         .fix = "DataParallel copies the model to each GPU in every call, and the copies run eagerly. Start one "
                "process for each GPU instead, with DistributedDataParallel: `torchrun --nproc-per-node=N` or "
                "`accelerate launch`. transformers' Trainer uses DataParallel where it is started with `python` and "
                "sees several GPUs."},
    [BREAK_FSDP] = {"break-wrapper", "the code of FullyShardedDataParallel around its modules",
                    "FSDP does this in plain Python, by design; the modules inside are compiled. PyTorch recommends "
                    "wrapping first and compiling afterwards, as here. There is nothing to do.",
                    .weight = BREAK_IS_KNOWN},
    [BREAK_FLAT_FSDP] = {"break-distributed", "FSDP with flat parameters", "FSDP with flat parameters is not compiled.",
                         "model = FullyShardedDataParallel(model, use_orig_params=True)",
                         .where = "where the model is wrapped"},
    [BREAK_FULLY_SHARD] =
        {"break-distributed", "the hooks of `fully_shard`",
         "The hooks of `fully_shard` gather and free parameters in plain Python, by design. Compile each block of the "
         "model separately, before it is sharded: the breaks are then between graphs.",
         "for block in model.blocks:\n    block.compile()\n    fully_shard(block)\nfully_shard(model)",
         .where = "where the model is sharded, instead of compiling all of it"},
    [BREAK_DTENSOR] =
        {"break-distributed", "`" NAME "`",
         .fix = "Placing tensors on a device mesh is not traced here. Distribute parameters and inputs before the "
                "compiled function."},
    [BREAK_DISTRIBUTED] =
        {"break-distributed", "`" NAME "`",
         .fix = "This call of torch.distributed is not traced. Call it outside of the compiled function, or "
                "use a collective of torch.distributed._functional_collectives."},
    [BREAK_ASYNC] =
        {"break-distributed", NULL,
         .fix = "A collective that runs in the background, or from one rank to another, is not traced. Call it "
                "without `async_op=True`: the compiler overlaps it automatically; or call it outside the compiled "
                "function."},

    [BREAK_LIMIT] = {"break-other", NULL, .fix = "The problem is the recompiles of this function: see their causes."},
    [BREAK_RESTARTS] = {"break-other", NULL,
                        .fix = "Dynamo gave up after a hundred restarts. Compile a smaller part of the program."},
    [BREAK_HINTED] = {"break-other", NULL, .fix = NULL},
    [BREAK_UNSUPPORTED] = {"break-other", NULL,
                           .fix = "Dynamo does not support this yet. Rewrite the line, or move it out of the compiled "
                                  "function."},
    [BREAK_BUG] = {"break-other", NULL,
                   .fix =
                       "This looks like a bug in Dynamo. Move the line out of the compiled function, and report it to "
                       "PyTorch."},
};

/* --- which row ---------------------------------------------------------------------------------------------------- */

static bool is_torch(struct str module)
{
    return str_eq(module, STR("torch")) || str_starts(module, STR("torch."));
}

/* Code that FX generated calls it, and no line of the program leads there. */
static bool is_of_generated_code(const struct call *innermost)
{
    for (const struct call *c = innermost; c; c = c->parent)
        if (str_starts(c->file, STR("<eval_with_key>")))
            return !stack_own_call(innermost);
    return false;
}

/*
 * "_unflatten", "Till._ring", which the line of the program does not name: PyTorch calls it. A function within another
 * one ("<locals>") is what a decorator makes of a function that has another name there.
 */
static bool is_called_by_pytorch(struct str text, const struct break_site *site)
{
    struct str name = site->called.function;

    name = str_skip(name, (size_t)(str_rchr(name, '.') + 1));
    return str_starts(name, STR("_")) && !str_starts(name, STR("__")) && !str_has(text, STR("<locals>")) &&
           !(site->own && str_has(site->own->source, name));
}

/* For a function that is not traced and that no row of the table of names matches. */
static enum break_kind skipped_kind(const struct break_words *w, const struct break_site *site)
{
    struct str module = site->called.module, text = w->context.n ? w->context : w->type;
    bool builtin =
        str_has(text, STR("unsupported builtin")) || str_has(w->explanation, STR("how to trace the builtin"));

    if (str_has(text, STR("| wrapper ")) && str_has(text, STR("torch/autograd/function.py")))
        return BREAK_TORCH_WRAPPED;
    if (is_torch(module) && !builtin && is_of_generated_code(w->stack))
        return BREAK_TORCH_GENERATED;
    if (is_torch(module) && !builtin && is_called_by_pytorch(text, site))
        return BREAK_TORCH_PRIVATE;
    if (is_torch(module))
        return builtin ? BREAK_TORCH_LACKING : BREAK_TORCH;
    if (builtin || str_has(text, STR("C extension or builtin")))
        return BREAK_EXTENSION;
    return str_has(text, STR("-packages")) || str_has(w->explanation, STR("-packages")) ? BREAK_LIBRARY : BREAK_SKIPPED;
}

/* A builtin may have several problems: its arguments show which. */
static enum break_kind builtin_kind(const struct break_words *w, const struct break_site *site)
{
    struct str text = w->context.n ? w->context : w->type, name = site->called.function;
    bool tensor = str_has(text, STR("tensor.TensorVariable"));

    if (str_has(text, STR("UnspecializedPythonVariable")))
        return BREAK_RANDOM;
    if (break_uncalled_method(text).n)
        return BREAK_UNCALLED;
    if (tensor && str_eq(name, STR("range")))
        return BREAK_RANGE;
    if (tensor && str_eq(name, STR("bool")))
        return BREAK_ITEM;
    if (tensor && (str_eq(name, STR("str")) || str_eq(name, STR("repr")) || str_eq(name, STR("format"))))
        return BREAK_TEXT;
    return BREAK_BUILTIN;
}

/* GB0148's explanation says what the call does; 2.6 and earlier do not say that a class is an autograd.Function. */
static enum break_kind call_kind(const struct break_words *w, const struct break_site *site)
{
    struct str text = w->context.n ? w->context : w->message.n ? w->message : w->type;

    if (str_has(text, STR("AutogradFunctionVariable")) ||
        (str_has(text, STR("UserDefinedClassVariable")) && site->own && str_has(site->own->source, STR(".apply("))))
        return BREAK_AUTOGRAD_FUNCTION;
    if (str_has(w->explanation, STR("in-place")) || str_has(w->explanation, STR("inplace")))
        return BREAK_RESIZE;
    if (str_has(text, STR(" __enter__ ")) || str_has(text, STR(" __exit__ ")))
        return BREAK_CONTEXT_CALL;
    if (str_has(w->context, STR("share_memory_")))
        return BREAK_SHARE_MEMORY;
    return break_tensor_class(text).n ? BREAK_TENSOR_CLASS : BREAK_CALL;
}

static struct str source_of(const struct break_site *site)
{
    return site->own ? site->own->source : (struct str){0};
}

/* In 2.6, "builtin: eq [<class '...DataPtrVariable'>, ...". */
static bool compares_addresses(const struct break_words *w)
{
    struct str text = w->context.n ? w->context : w->type;

    if (str_starts(w->type, STR("Data pointer comparison")))
        return true;
    return str_has(text, STR("DataPtrVariable")) &&
           (str_has(text, STR("builtin: eq ")) || str_has(text, STR("builtin: ne ")));
}

/* Both places in which a distribution asks `self._validate_args` (torch/distributions/distribution.py). */
static bool is_of_distribution(const struct call *stack)
{
    static const struct str functions[] = {STR_INIT("__init__"), STR_INIT("_validate_sample")};

    return stack && code_file_has(stack->file, STR("torch/distributions/distribution.py")) &&
           STR_IS_ANY(stack->function, functions);
}

/* excluded_optimizer_classes of torch/_dynamo/eval_frame.py; newer versions give the reason. */
static bool is_step_of_pytorch(const struct break_words *w, const struct break_site *site)
{
    static const struct str steps[] = {STR_INIT("LBFGS.step"), STR_INIT("SparseAdam.step")};

    if (str_has(w->explanation, STR("(reason: ")))
        return str_has(w->explanation, STR("(reason: optimizer <class 'torch.optim."));
    return STR_IS_ANY(site->called.function, steps);
}

/* "assert …", or "if self.checks: assert …", where a variable turns the check on and the assert reads tensors. */
static bool is_assert(struct str line)
{
    ptrdiff_t at = python_find(line, STR(": assert "), PYTHON_TOP_LEVEL);

    if (str_starts(line, STR("assert")))
        return true;
    return str_consume(&line, STR("if ")) && at > 3 && python_is_place(str_trim(str_take(line, (size_t)at - 3)));
}

/* Anything that stops the graph in a hook that a line of the compiled code registers: the hook is the problem. */
static bool is_in_hook(const struct call *stack)
{
    for (; stack; stack = stack->parent)
        if (str_has(stack->source, STR(".register_hook(")) && !is_framework_file(stack->file))
            return true;
    return false;
}

static enum break_kind branch_kind(const struct break_words *w, struct str line)
{
    static const struct str checks[] = {STR_INIT("isnan("), STR_INIT("isfinite("), STR_INIT("isinf(")};

    if (str_has(w->context, STR("SymNodeVariable")))
        return BREAK_SIZE_BRANCH;
    if (is_assert(line))
        return BREAK_ASSERT;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (str_starts(line, STR("if ")) && str_has(line, checks[i]))
            return BREAK_NOT_FINITE;
    return BREAK_BRANCH;
}

/* "with open(path)", "with torch.autograd.graph.saved_tensors_hooks(pack, unpack)" */
static enum break_kind context_kind(struct str line)
{
    if (str_starts(line, STR("with open(")))
        return BREAK_FILE;
    return str_has(line, STR("saved_tensors_hooks(")) || str_has(line, STR("save_on_cpu(")) ? BREAK_CONTEXT_SAVING
                                                                                             : BREAK_CONTEXT;
}

/*
 * "stack.enter_context(torch.no_grad())", where no row of the table of names knows what stops the graph below it; 2.6
 * and earlier do not take the stack itself: "with contextlib.ExitStack() as stack:".
 */
static bool is_entered_by_stack(const struct break_site *site, enum break_kind kind)
{
    static const struct str enters[] = {STR_INIT(".enter_context("), STR_INIT(".enter_async_context(")};

    struct str line = str_trim(source_of(site));

    if (!STR_HAS_ANY(line, enters) && !(str_starts(line, STR("with ")) && str_has(line, STR("ExitStack("))))
        return false;
    switch (kind) {
    case BREAK_CALL:
    case BREAK_SKIPPED:
    case BREAK_CONTEXTLIB:
    case BREAK_CONTEXT_DECORATOR:
    case BREAK_CONTEXT:
    case BREAK_CONTEXT_CALL:
    case BREAK_HINTED:
    case BREAK_UNNAMED:
    case BREAK_UNSUPPORTED:
        return true;
    default:
        return false;
    }
}

/* "UserDefinedObjectVariable(ScriptObject)" is an argument in a layer of torch.ao.nn.quantized and its neighbors. */
static bool takes_packed_weights(const struct break_words *w)
{
    const struct call *layer = w->stack;

    return layer && code_file_has(layer->file, STR("torch/ao/nn/")) && str_has(layer->file, STR("quantized")) &&
           (str_has(w->context, STR("(ScriptObject)")) || str_has(w->type, STR("(ScriptObject)")) ||
            str_has(w->message, STR("(ScriptObject)")));
}

/* A fake tensor has no such type (torch/_subclasses/meta_utils.py). */
static bool takes_quantized(const struct break_words *w)
{
    static const struct str words = STR_INIT("quantized nyi in meta tensors");

    return str_has(w->message, words) || str_has(w->context, words) || str_has(w->type, words);
}

static enum break_kind kind_of(const struct break_words *w, const struct break_site *site)
{
    enum break_kind kind = site->kind ? site->kind : break_kind_of_id(site->gb_id);

    if (is_in_hook(w->stack))
        return BREAK_TENSOR_HOOK;
    if (takes_packed_weights(w))
        return BREAK_PACKED;
    if (takes_quantized(w))
        return BREAK_QUANTIZED;
    if (w->stack && str_has(w->stack->source, STR("if error_if_nonfinite")))
        return BREAK_NOT_FINITE;
    if (is_of_distribution(w->stack))
        return BREAK_DISTRIBUTION;
    if (compares_addresses(w))
        return BREAK_ADDRESS;
    if (kind == BREAK_DISABLED && is_step_of_pytorch(w, site))
        return BREAK_OPTIMIZER_OFF;
    if (is_entered_by_stack(site, kind))
        return BREAK_CONTEXT_STACK;
    if (kind == BREAK_SKIPPED && w->explanation.n == 0 && str_has(w->type, STR("contextlib.py"))) /* 2.6 and earlier */
        return str_has(w->type, STR("_contextlib.py"))             ? BREAK_CONTEXT_DECORATOR
               : str_has(source_of(site), STR("suppress(")) ? BREAK_SUPPRESS
                                                            : BREAK_CONTEXTLIB;
    if ((kind == BREAK_SKIPPED || kind == BREAK_CALL) && str_starts(str_trim(source_of(site)), STR("with ")))
        return context_kind(str_trim(source_of(site)));
    switch (kind) {
    case BREAK_SKIPPED:
        return skipped_kind(w, site);
    case BREAK_BUILTIN:
        return builtin_kind(w, site);
    case BREAK_UNSUPPORTED:
        return str_has(w->context, STR("tp_iter_impl not implemented for generator")) ? BREAK_GENERATOR_PASSED : kind;
    case BREAK_GENERATOR:
        return w->stack && code_file_has(w->stack->file, STR("torch/")) && is_framework_file(w->stack->file)
                   ? BREAK_GENERATOR_OF_TORCH
                   : kind;
    case BREAK_CALL:
        return call_kind(w, site);
    case BREAK_FILE: /* "TextIOWrapper.write" on the program's own files, or on its output */
        return str_has(source_of(site), STR("sys.std")) ? BREAK_OUTPUT_OBJECT : kind;
    case BREAK_TORCH_VALUE:
        return str_eq(site->called.function, STR("mod")) ? BREAK_TEXT : kind;
    case BREAK_SIDE_EFFECT: /* 2.6 and earlier begin all that concerns such operators in one way */
        if (str_has(w->type, STR("side effect")) || str_has(w->message, STR("Mutating a variable")))
            return kind;
        return BREAK_HIGHER_ORDER;
    case BREAK_BRANCH:
        return branch_kind(w, str_trim(source_of(site)));
    case BREAK_ITEM:
        return break_item_kind(w);
    case BREAK_NUMPY:
    case BREAK_ITEM_OPERATOR:
        if (str_has(source_of(site), STR("np.random.")) || str_has(source_of(site), STR("numpy.random.")))
            return BREAK_RANDOM;
        return kind == BREAK_ITEM_OPERATOR && break_item_kind(w) == BREAK_MATH ? BREAK_MATH : kind;
    case BREAK_UNNAMED:
        return str_has(w->message, STR("data-dependent expression")) ? BREAK_NUMBER : BREAK_HINTED;
    default:
        return kind;
    }
}

/* --- what is said ------------------------------------------------------------------------------------------------- */

/* The text with the name filled in; empty if it needs a name that is unknown. */
static struct str with_name(struct arena *a, const char *text, struct str name)
{
    struct str rest = str_of(text);
    ptrdiff_t at = str_find(rest, STR(NAME));

    if (at < 0)
        return rest;
    if (name.n == 0)
        return (struct str){0};
    return arena_printf(a, "%.*s%.*s%.*s", (int)at, rest.p, STR_ARG(name), STR_ARG(str_skip(rest, (size_t)at + 1)));
}

/* PyTorch ends many messages with the same few sentences, which say nothing about the particular break. */
static struct str own_hint(const struct break_words *w)
{
    static const struct str phrases[] = {
        STR_INIT("It may be possible to write Dynamo tracing rules"), STR_INIT("This is likely to be a Dynamo bug"),
        STR_INIT("Your code may result in an error when running in eager"), STR_INIT("This graph break is fundamental"),
        STR_INIT("This graph break may be difficult to debug")};

    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (str_starts(w->hint, phrases[i]))
            return (struct str){0};
    return w->hint;
}

static struct str general_fix(const struct break_words *w)
{
    struct str hint = own_hint(w);

    if (hint.n)
        return hint;
    return str_starts(w->hint, STR("This is likely to be a Dynamo bug")) ? str_of(rows[BREAK_BUG].fix)
                                                                         : str_of(rows[BREAK_UNSUPPORTED].fix);
}

static void set_row(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    const struct row *row = &rows[out->kind];
    struct str name = break_site_name(a, &out->site);

    out->id = row->id;
    out->weight = row->weight;
    out->shows_source = row->shows_source;
    if (out->kind == BREAK_CONTEXT || out->kind == BREAK_CONTEXT_SAVING)
        name = str_skip(name, (size_t)(str_rchr(name, '.') + 1));
    out->what = row->what ? with_name(a, row->what, name) : (struct str){0};
    out->fix = str_of(row->fix);
    out->paste = str_of(row->paste);
    out->where = str_of(row->where);
    out->is_setting = false;
    if (row->make)
        row->make(a, w, out);
}

/*
 * "Graph break: from user code at:" (2.2 and later), "Graph break: skip: from user code at:" (2.6): the reason, at the
 * end of the traceback below it, was cut off.
 */
static bool lacks_reason(const struct break_words *w)
{
    return w->cut_off || str_eq(str_trim(w->message), STR("skip:"));
}

/* A line of Python that asks whether a reduction of a tensor is true: "if x.any():", "ok = (x > 0).all() and y". */
static bool asks_tensor(struct str line)
{
    static const struct str reductions[] = {STR_INIT(".all()"), STR_INIT(".any()")};
    static const struct str asks[] = {STR_INIT(" and "), STR_INIT(" or "), STR_INIT("not ")};

    return STR_HAS_ANY(line, reductions) && (STR_HAS_ANY(line, asks) || python_asks(line));
}

/*
 * "optimizer.zero_grad()": Dynamo does not trace this method of an optimizer (checked: 2.5.1, 2.6, 2.13). It does trace
 * a module's.
 */
static bool resets_gradients(struct str callee)
{
    static const struct str method = STR_INIT(".zero_grad");

    return str_ends(callee, method) && str_has(str_drop(callee, method.n), STR("opt"));
}

/* "loss.backward": a longer path is a method of the program's own more often. */
static bool is_backward(struct str callee)
{
    return str_eq(str_skip(callee, str_word(callee).n), STR(".backward"));
}

/* "optimizer.zero_grad" of "optimizer.zero_grad()": all of the line is one call. */
static struct str only_call(struct str source)
{
    struct str callee = str_take(source, str_chr(source, '(') < 0 ? 0 : (size_t)str_chr(source, '('));

    return python_is_dotted(callee) && str_ends(source, STR(")")) ? callee : (struct str){0};
}

/* What a line most likely breaks at: it asks a tensor, or is a call that no version traces. */
static enum break_kind kind_of_line(struct str source, struct str callee)
{
    return asks_tensor(source)            ? BREAK_BRANCH
           : str_eq(callee, STR("print")) ? BREAK_PRINT
           : is_backward(callee)          ? BREAK_BACKWARD
                                          : BREAK_UNSUPPORTED;
}

static void guess_reason(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str source = str_trim(source_of(&out->site)), callee = only_call(source);

    if (str_has(source, STR("_dynamo.graph_break()"))) {
        out->kind = BREAK_ASKED_FOR;
        set_row(a, w, out);
        out->what = STR("Call to `torch._dynamo.graph_break()`");
        return;
    }
    out->kind = kind_of_line(source, callee);
    set_row(a, w, out);
    if (resets_gradients(callee))
        out->fix = STR("The text lacks PyTorch's reason. By the line, most likely this one: Dynamo does not trace "
                       "`zero_grad` of an optimizer, by design. Call it outside of the compiled function: nothing in "
                       "it gets faster.");
    else if (out->kind == BREAK_UNSUPPORTED)
        out->fix = STR("The text lacks PyTorch's reason: it stands at the end of the traceback that "
                       "`TORCH_LOGS=graph_breaks` prints.");
    else
        out->fix = arena_printf(a, "The text lacks PyTorch's reason. By the line, most likely this one: %.*s",
                                STR_ARG(out->fix));
    out->what = STR("the reason is not in the text");
    out->shows_source = false;
}

/* CPython's slots, by which Dynamo names operations that it has no code for, in Python's words. */
static const struct {
    const char *slot, *words;
} slots[] = {
    {"tp_iternext", "`next()`"},
    {"tp_iteritem", "iteration"},
    {"tp_iter", "iteration"},
    {"sq_contains", "`in`"},
    {"mp_subscript", "`x[i]`"},
    {"sq_item", "`x[i]`"},
    {"mp_ass_subscript", "`x[i] = v`"},
    {"sq_ass_item", "`x[i] = v`"},
    {"sq_concat", "`+` of sequences"},
    {"sq_inplace_concat", "`+=` of sequences"},
    {"sq_repeat", "`*` of a sequence"},
    {"sq_inplace_repeat", "`*=` of a sequence"},
    {"nb_int", "`int()`"},
    {"nb_float", "`float()`"},
    {"nb_bool", "`bool()`"},
    {"nb_absolute", "`abs()`"},
    {"nb_negative", "the sign `-`"},
    {"nb_positive", "the sign `+`"},
    {"nb_invert", "`~`"},
    {"tp_as_number", "arithmetic"},
    {"tp_richcompare", "a comparison"},
    {"tp_hash", "`hash()`"},
    {"tp_init", "`__init__`"},
    {"tp_repr", "`repr()`"},
    {"tp_str", "`str()`"},
    {"tp_descr_get", "reading an attribute"},
    {"tp_descr_set", "setting an attribute"},
};

/* "sq_item" in "unsupported __getitem__ (sq_item)", not in "sq_items"; the rest of a name may be "_impl". */
static bool names_slot(struct str type, struct str slot)
{
    for (ptrdiff_t at; (at = str_find(type, slot)) >= 0; type = str_skip(type, (size_t)at + slot.n)) {
        struct str rest = str_skip(type, (size_t)at + slot.n);

        if (rest.n == 0 || !str_is_name_char(rest.p[0]) || str_starts(rest, STR("_impl")))
            return true;
    }
    return false;
}

/* Without them the title would be PyTorch's: "Missing tp_iternext". */
static void say_slot(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        if (!names_slot(w->type, str_of(slots[i].slot)))
            continue;
        out->what = arena_printf(a, "%s of an object that Dynamo has no model of", slots[i].words);
        if (i == 0) /* a call */
            out->fix = str_of(rows[BREAK_CALL].fix);
        out->shows_source = true;
        return;
    }
}

/* Hooks that accelerate puts around modules, to move their weights to the device for each call. */
static bool is_hook_of_accelerate(struct str function)
{
    static const struct str hooks[] = {STR_INIT("OffloadHook."), STR_INIT("CpuOffload."),
                                       STR_INIT("AlignDevicesHook.")};

    return STR_HAS_ANY(function, hooks);
}

/* Whose code calls the function that is excluded can change neither the decorator nor, most often, the call. */
static void say_excluded(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    char buffer[CODE_MODULE_MAX];
    struct str module = w->stack ? code_file_module(w->stack->file, buffer) : (struct str){0}, package;

    if (!w->stack || !is_library_file(w->stack->file) || module.n == 0)
        return;
    package = str_split(&module, '.');
    out->excluded = true;
    out->fix = is_hook_of_accelerate(out->site.called.function)
                   ? STR("A hook of accelerate, which excludes it from compilation on purpose: the graph breaks there, "
                         "and what is around it is compiled. That is only an error with `fullgraph=True`: leave that "
                         "out. Or do without the hook, which offloading and a `device_map` put around a module: "
                         "`accelerate.hooks.remove_hook_from_module(module, recurse=True)`.")
                   : arena_printf(a,
                                  "The library `%.*s` calls this function, and most likely excludes it from "
                                  "compilation on purpose, by a decorator: the graph breaks there, and what is around "
                                  "it is compiled. That is only an error with `fullgraph=True`: leave that out, or the "
                                  "option of the library that makes it call the function. If the function is yours, "
                                  "and that is no longer needed, remove the decorator.",
                                  STR_ARG(package));
}

/* What the message names is said, too, where there is nothing to paste: hints are of many breaks, texts of this one. */
static void add_remedy(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str said = arena_printf(a, "%.*s %.*s", STR_ARG(out->fix), STR_ARG(out->paste)), more = {0};

    if (!out->is_setting && !out->excluded && out->paste.n == 0)
        more = break_remedy(a, w->message, said);
    if (more.n)
        out->fix = arena_printf(a, "%.*s%s%.*s", STR_ARG(out->fix), str_ends(out->fix, STR(".")) ? "" : ".",
                                STR_ARG(more));
}

void break_fix_find(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    *out = (struct break_fix){0};
    break_site_find(a, w, &out->site);
    if (lacks_reason(w)) {
        guess_reason(a, w, out);
        return;
    }
    out->kind = kind_of(w, &out->site);
    set_row(a, w, out);
    if (out->what.n == 0)
        say_slot(a, w, out);
    if (out->kind == BREAK_DISABLED)
        say_excluded(a, w, out);
    break_say_partial(a, w, out);
    break_say_inference(w, out);
    if (out->fix.n == 0)
        out->fix = general_fix(w);
    add_remedy(a, w, out);
}

void break_fix_as(struct arena *a, enum break_kind kind, struct break_fix *out)
{
    struct str what = out->what;

    out->kind = kind;
    set_row(a, &(struct break_words){0}, out);
    out->what = out->what.n ? out->what : what;
}
