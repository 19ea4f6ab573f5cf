/* Findings about graph breaks: what is said, how bad it is, and what to do. */
#include "answers_text.h"

#define OPS(n) "\"graph_op_count\": " #n

static void the_harm_of_a_break(void **state)
{
    static const struct {
        int compiles;
        const char *before, *after; /* metrics of the compile, and of the resume function */
        enum finding_severity severity;
    } cases[] = {
        {1, OPS(0), NULL, FINDING_LOW}, /* nothing but the break in the function */
        {1, OPS(1), NULL, FINDING_LOW},
        {1, OPS(0), OPS(3), FINDING_LOW}, /* all of the work comes after it */
        {1, OPS(1), OPS(3), FINDING_MEDIUM},
        {2, OPS(0), NULL, FINDING_LOW},
        {4, OPS(9), OPS(90), FINDING_MEDIUM},
        {1, OPS(10), OPS(10), FINDING_HIGH}, /* in the middle of a model */
        {1, OPS(20), NULL, FINDING_MEDIUM},
        {5, OPS(0), NULL, FINDING_MEDIUM},
        {5, OPS(1), NULL, FINDING_HIGH},
        {1, OPS(0) ", \"dynamo_compile_time_before_restart_us\": 3000000", NULL, FINDING_MEDIUM},
        {1, OPS(0) ", \"dynamo_time_before_restart_s\": 30.5", NULL, FINDING_HIGH},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct finding *x;

        trace_file(&t);
        for (int k = 0; k < cases[i].compiles; k++) {
            trace_break(&t, trace_ids(k, 0, 0), "what", "f", 7);
            trace_metrics(&t, trace_ids(k, 0, 1), cases[i].before);
        }
        if (cases[i].after) {
            trace_start(&t, IN(9, 0, 0), "torch_dynamo_resume_in_f_at_7", 5);
            trace_metrics(&t, IN(9, 0, 0), cases[i].after);
        }
        a = answers_of_trace(&t);
        x = answers_finding(a, "break-other");
        if (x->severity != cases[i].severity)
            fail_msg("case %zu is %s", i, finding_severity_name(x->severity));
        assert_int_equal(x->cost_breaks, cases[i].compiles);
        answers_free(a);
    }
}

static void what_is_said_of_a_break(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    const struct finding *x;

    (void)state;
    trace_break(&t, IN(0, 0, 0), "Call to `what`", "f", 7);
    trace_break(&t, IN(1, 0, 0), "Call to `what`", "f", 7);
    trace_metrics(&t, IN(0, 0, 0), OPS(3));
    a = answers_of_trace(&t);
    x = answers_finding(a, "break-other");
    assert_str(x->title, "Graph break: Call to `what`, in 2 compiles");
    assert_str(x->detail, "It is so. 3 operators before it, 0 operators after it.");
    assert_str(x->file, "/x.py");
    assert_int_equal(x->line, 7);
    assert_str(x->source, "source_7()");
    assert_str(x->fix, "Let it be."); /* PyTorch's own hint, where we know nothing better */
    assert_true(str_starts(x->doc, STR("https://")));
    assert_int_equal(x->compiles.n, 2);
    assert_int_equal(x->cost_us, -1);
    answers_free(a);
}

/* Rank 0 alone breaks the graph, below a line that asks for the rank: guards have that line. */
static void a_break_of_one_rank(void **state)
{
    static const struct {
        const char *guard;
        bool named;
    } cases[] = {
        {"if dist.get_rank() == 0:  # /x.py:5 in f", true}, {"if self.rank == 0:  # x.py:5 in f", true},
        {"if dist.get_rank() == 0:  # /x.py:9 in f", false}, {"if dist.get_rank() == 0:  # /x.py:5 in g", false},
        {"if x.rank_of() > 2:  # /x.py:5 in f", false},      {"y = dist.get_rank() == 0  # /x.py:5 in f", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct run *r = run_new();
        const struct answers *a;
        char tree[300];

        snprintf(tree, sizeof tree,
                 "TREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- GuardManager: source=G['dist'], accessed_by=D\n"
                 "| | +- ID_MATCH: ___check_obj_id(G['dist'], 1)  # %s\n",
                 cases[i].guard);
        for (unsigned rank = 0; rank < 2; rank++) {
            struct trace_text t = {.pid = 10 + rank, .ms = rank * 10};

            if (rank == 0)
                trace_break(&t, IN(0, 0, 0), "what", "f", 7);
            trace_artifact(&t, "dynamo_cpp_guards_str", IN(0, 0, 0), tree);
            trace_metrics(&t, IN(0, 0, 0), OPS(3));
            trace_add(r, rank ? "rank_1.log" : "rank_0.log", &t);
        }
        run_finish(r);
        a = answers_of(r);
        assert_int_equal(str_has(answers_finding(a, "rank-divergence")->fix, STR("Line 5, `if ")), cases[i].named);
        answers_free(a);
    }
}

/* A break on several ranks is one finding that lists the ranks. */
static void a_break_on_all_ranks(void **state)
{
    struct run *r = run_new();
    const struct answers *a;
    const struct finding *x;

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        static const char *const names[] = {"rank_3.log", "rank_0.log", "rank_1.log", "rank_2.log"};
        struct trace_text t = {.pid = 10 + i, .ms = i * 10};

        trace_break(&t, IN(0, 0, 0), i == 3 ? "input" : "what", "f", 7);
        trace_add(r, names[i], &t);
    }
    run_finish(r);
    a = answers_of(r);
    assert_str(answers_findings(a), "high rank-divergence, low break-other, low break-other-2");
    x = answers_finding(a, "break-other");
    assert_str(x->title, "Graph break: what"); /* in one compile of each */
    assert_int_equal(x->cost_breaks, 1);
    assert_int_equal(x->cost_ranks, 3);
    assert_int_equal(x->ranks.n, 3);
    assert_int_equal(x->ranks.v[0], 0);
    assert_int_equal(x->ranks.v[1], 1);
    assert_int_equal(x->ranks.v[2], 3);
    assert_int_equal(x->rank, RANK_UNKNOWN);
    assert_int_equal(answers_finding(a, "break-other-2")->rank, 2);
    answers_free(a);
}

/* A break in a library is reported at the user's line that called it; the title names the function there once. */
static void a_break_in_a_library(void **state)
{
    static const struct {
        const char *type, *context, *id, *title, *fix;
    } cases[] = {
        {"Call to `torch._dynamo.graph_break()`", "", "break-on-purpose",
         "Graph break: Call to `torch._dynamo.graph_break()` inside `torch.x.g` (x.py:9)",
         "The code requests this break"},
        {"'skip function h in file x'", "", "break-c-function", "Graph break: `h` inside `torch.x.g` (x.py:9)",
         "Dynamo does not trace"},
        {"Attempted to call function marked as skipped",
         "module: torch.x, qualname: g, skip reason: C extension or builtin", "break-c-function",
         "Graph break: `torch.x.g`", "excludes this function of its own"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct finding *x;
        char text[1000];

        snprintf(text, sizeof text,
                 "Graph break in user code at /venv/lib/python3.11/site-packages/torch/x.py:9\nGraph Break Reason: "
                 "%s\n\n  Developer debug context: %s\n\nUser code traceback:\n  File \"/x.py\", line 7, in f\n"
                 "    outer()\n  File \"/venv/lib/python3.11/site-packages/torch/x.py\", line 9, in g\n"
                 "    inner()\n",
                 cases[i].type, cases[i].context);
        trace_artifact(&t, "dynamo_graph_break_reason", IN(0, 0, 0), text);
        a = answers_of_trace(&t);
        x = answers_finding(a, cases[i].id);
        if (!x)
            fail_msg("%s: %.*s", cases[i].type, STR_ARG(answers_findings(a)));
        assert_str(x->title, cases[i].title);
        assert_str(x->file, "/x.py");
        assert_int_equal(x->line, 7);
        assert_str(x->source, "outer()");
        if (!str_has(x->fix, str_of(cases[i].fix)))
            fail_msg("%s: %.*s", cases[i].type, STR_ARG(x->fix));
        answers_free(a);
    }
}

/* The kind and the fix go by PyTorch's number, by the function that is called and by the line; types are of 2.3
 * to 2.13. */
static void kinds_of_breaks(void **state)
{
    static const struct {
        const char *type, *context, *source, *id, *title, *fix, *paste;
    } cases[] = {
        /* on purpose */
        {"Call to `torch._dynamo.graph_break()`", "", "", "break-on-purpose", "`torch._dynamo.graph_break()`",
         "requests this break", ""},
        {"'skip function graph_break in file x'", "", "", "break-on-purpose", "", "requests this break", ""},
        {"Skip calling `torch.compiler.disable()`d function", "", "", "break-on-purpose", "", "on purpose", ""},
        {"Call to `torch._dynamo.skip_frame()`", "", "", "break-on-purpose", "", "requests this break", ""},
        /* output */
        {"print", "", "", "break-print", "`print(…)`", "Printing stops", "reorderable_logging_functions.add(print)"},
        {"Failed to trace builtin operator", "builtin print [<class 'x.TensorVariable'>] False", "", "break-print",
         "`print(…)`", "Printing stops", "reorderable_logging_functions.add(print)"},
        {"Failed to trace builtin operator", "builtin print [<class 'x.UserDefinedObjectVariable'>] False", "",
         "break-print", "`print(…)`", "Printing stops", "ignore_logging_functions.add(print)"},
        {"builtin: print [<class 'x.TensorVariable'>] False", "", "", "break-print", "`print(…)`", "Printing stops",
         "add(print)"},
        {"call_function BuiltinVariable(print) [TensorVariable()] {}", "", "", "break-print", "`print(…)`",
         "Printing stops", "add(print)"},
        {"print", "", "", "break-print", "`print(…)`", "Printing stops", "add(print)"},
        {"logging.Logger method not supported for non-export cases", "method: <Logger shop (ERROR)>.warning, args: []",
         "", "break-print", "`Logger.warning(…)`", "Logging stops", "add(logging.Logger.warning)"},
        {"Logger not supported for non-export cases", "", "log.info(x)", "break-print", "`Logger.info(…)`",
         "Logging stops", "add(logging.Logger.info)"},
        {"Logger not supported for non-export cases", "", "say(x)", "break-print", "`Logger` calls", "Logging stops",
         "add(logging.Logger.info)"},
        {"Attempted to call function marked as skipped", "module: _warnings, qualname: warn, skip reason: x", "",
         "break-print", "`warnings.warn(…)`", "A warning stops", "add(warnings.warn)"},
        /* values of tensors */
        {"Data-dependent branching", "", "if x > 0:", "break-branch", "a branch on a tensor's value: `if x > 0`",
         "Compute both sides", "torch.where"},
        {"generic_jump TensorVariable()", "", "", "break-branch", "a branch", "Compute both sides", "torch.where"},
        {"Data-dependent jump", "", "", "break-branch", "a branch", "Compute both sides", "torch.where"},
        {"Dynamic control flow is not supported at the moment.", "", "", "break-branch", "a branch",
         "Compute both sides", "torch.where"},
        {"Unsupported: dynamic control flow: x", "", "", "break-branch", "a branch", "Compute both sides",
         "torch.where"},
        {"Data-dependent branching", "", "assert x > 0, y", "break-branch", "an assert", "constant message",
         "torch._assert_async"},
        {"Data-dependent branching", "", "if error_if_nonfinite and total.isinf():", "break-branch",
         "`error_if_nonfinite=True`", "Remove that argument", "norm = clip_grad_norm_(parameters, max_norm)"},
        {"Data-dependent assertion failed (cannot compile partial graph)", "", "", "break-branch", "an assert",
         "constant message", "torch._assert_async"},
        {"Unsupported Tensor.item() call with capture_scalar_outputs=False", "", "y = x.item()", "break-item",
         "a tensor's value is read: `y = x.item()`", "Reading a tensor's value", "capture_scalar_outputs"},
        {"Tensor.item", "", "y = x.item()", "break-item", "", "Reading a tensor's value", "capture_scalar_outputs"},
        {"Tensor.item", "", "if x.item() > 0:", "break-branch", "a branch", "Compute both sides", "torch.where"},
        {"Tensor.item", "", "y = xs[i]", "break-item", "a tensor as an index", "Make the list a tensor",
         "torch.stack(items).index_select(0, i.reshape(1)).squeeze(0)"},
        {"Tensor.item", "", "y = pad(xs[0], [n, 1])", "break-item", "", "Reading a tensor's value",
         "capture_scalar_outputs"},
        {"Tensor.item", "", "t = f'{x}'", "break-item", "text with a tensor's value", "Make the text", "is_compiling"},
        {"Tensor.tolist() with non-integer tensor", "", "", "break-item", "`tolist()` of floats", "Index the tensor",
         ""},
        {"Data dependent operator", "aten._local_scalar_dense.default", "y = x.item()", "break-item", "",
         "Reading a tensor's value", "capture_scalar_outputs"},
        {"Data dependent operator", "aten.equal.default", "", "break-item", "`torch.equal`", "result is a tensor",
         "(a == b).all()"},
        {"Dynamic shape operator", "aten.nonzero.default", "", "break-data-shape", "`nonzero`", "torch.nonzero_static",
         "capture_dynamic_output_shape_ops"},
        {"dynamic shape operator: aten.nonzero.default; to enable, set x", "", "", "break-data-shape", "`nonzero`",
         "depends on data", "capture_dynamic_output_shape_ops"},
        {"Dynamic shape operator", "aten._unique2.default", "for c in torch.unique(x):", "break-data-shape",
         "`unique2`", "Python itself uses it", ""},
        {"Dynamic shape operator", "aten.bincount.default", "n = x.bincount().numpy().cumsum(0)", "break-data-shape",
         "`bincount`", "with the setting 2.13 captures it", "capture_dynamic_output_shape_ops"},
        {"Dynamic shape operator (no meta kernel)", "aten.linalg_lstsq.default", "", "break-data-shape",
         "`linalg_lstsq`", "no setting changes that", ""},
        /* functions */
        {"Failed to trace builtin operator", "builtin open [] False", "", "break-builtin", "`open`", "Read before", ""},
        {"Attempted to call function marked as skipped",
         "module: zlib, qualname: crc32, skip reason: C extension or builtin", "", "break-c-function", "`zlib.crc32`",
         "Python without tensors", ""},
        {"Attempted to call function marked as skipped",
         "module: mine, qualname: crc, skip reason: C extension or builtin", "", "break-c-function", "`mine.crc`",
         "written in C cannot be traced", "@torch.library.custom_op(\"mylib::crc\""},
        {"Attempted to call function marked as skipped",
         "module: mine, qualname: a b, skip reason: C extension or builtin", "", "break-c-function", "", "written in C",
         ""},
        {"Attempted to call function marked as skipped",
         "module: time, qualname: perf_counter, skip reason: C extension or builtin", "", "break-c-function",
         "`time.perf_counter`", "Clocks are not traced", ""},
        {"'skip function f in file x'", "", "", "break-c-function", "`f`", "Dynamo does not trace", ""},
        {"'inline in skipfiles: density | density /v/site-packages/networkx/classes/function.py, skipped according x'",
         "", "", "break-library", "`networkx.classes.function.density`", "excludes this package", ""},
        {"Attempted to call function marked as skipped",
         "module: networkx, qualname: density, skip reason: file is under skip directory (/v/site-packages/networkx",
         "", "break-library", "`networkx.density`", "excludes this package", ""},
        {"Attempted to call function marked as skipped",
         "module: torch.random, qualname: manual_seed, skip reason: file matches (/v/site-packages/torch/random.py", "",
         "break-random", "`torch.random.manual_seed`", "belongs to the process", ""},
        {"Attempted to call function marked as skipped", "module: <unknown module>, qualname: Random.random, skip", "",
         "break-random", "`random.random`", "Draw them before", "torch.tensor"},
        {"attempted to trace numpy function unsupported by PyTorch", "", "", "break-numpy", "", "NumPy code", ""},
        {"copy.deepcopy UserDefinedObjectVariable(x)", "", "", "break-builtin", "", "Copying objects", "y = x.clone()"},
        {"Attempted to call function marked as skipped",
         "qualname: run, name: run, filename: `/usr/lib/python3.11/asyncio/runners.py`, skip reason: x",
         "z = asyncio.run(g(x))", "break-c-function", "`asyncio.run`", "event loop", ""},
        {"Attempted to call function marked as skipped",
         "qualname: wrapper, name: wrapper, filename: `/v/site-packages/torch/distributed/c10d_logger.py`, skip "
         "reason: x",
         "dist.barrier()", "break-distributed", "`dist.barrier`", "outside of the compiled function", ""},
        {"Unsupported method call", "call_method GradModeVariable() __enter__ [] {}", "mode.__enter__()",
         "break-context-manager", "without a `with` statement", "Use a `with` statement", ""},
        {"missing tp_iter", "tp_iter_impl not implemented for generator", "for x in stream:", "break-generator",
         "a generator that was created outside: `for x in stream`", "Pass a list", ""},
        {"missing tp_iter", "tp_iter_impl not implemented for Tree", "for x in stream:", "break-other",
         "iteration of an object that Dynamo has no model of: `for x in stream`", "Dynamo does not support this", ""},
        {"Missing tp_iternext", "next(generator)", "price = next(self.prices)", "break-other",
         "`next()` of an object that Dynamo has no model of: `price = next(self.prices)`", "has no model of this call",
         ""},
        {"unsupported __setitem__ (sq_ass_item)", "", "till[0] = price", "break-other",
         "`x[i] = v` of an object that Dynamo has no model of", "Dynamo does not support this", ""},
        {"call_method GetSetDescriptorVariable() get [ConstantVariable(str: 'price')] {}", "",
         "want = fn.__annotations__.get(name)", "break-c-function", "the method `get` of an object that Dynamo has no",
         "has no model of this call", ""},
        {"Data dependent operator", "aten._local_scalar_dense.default", "self.stock[till] = price", "break-item",
         "a tensor as an index: `self.stock[till] = price`", "methods that write by index",
         "x.index_copy_(0, i.reshape(1), v.unsqueeze(0))"},
        {"Data dependent operator", "aten._local_scalar_dense.default", "self.stock[till] += price", "break-item",
         "a tensor as an index", "methods that write by index", "x.index_add_(0"},
        /* what a value is read for */
        {"Tensor.item", "", "for i in range(int(n)):", "break-item", "a loop over a number from a tensor", "a mask",
         ""},
        {"Tensor.item", "", "seen = {x.item() for x in xs}", "break-item", "must be known", "Python int", ""},
        {"Tensor.item", "", "s = str(n.item())", "break-item", "text with a tensor's value", "Make the text",
         "is_compiling"},
        {"Tensor.item", "", "y = range(3), n.item()", "break-item", "a tensor's value is read", "Reading", "capture"},
        {"Data-dependent branching", "attempted to jump with SymNodeVariable()", "if y.shape[0] > 2:", "break-branch",
         "a branch on a size or number that depends on data", "right for any number", ""},
        {"Could not extract specialized integer from data-dependent expression u0", "", "", "break-item",
         "must be known", "Pass the number in", ""},
        /* tensors and autograd */
        {"Unsupported Tensor.requires_grad_() call", "", "", "break-inplace", "`requires_grad` is changed",
         "Gradient flags", ""},
        {"Unsupported Tensor.resize_() call", "", "", "break-inplace", "", "resized", ""},
        {"Unsupported Tensor.backward() call", "", "", "break-backward", "`backward()`", "The call of autograd",
         "trace_autograd_ops"},
        {"autograd.grad with external grad_fn", "", "", "break-backward", "autograd.grad", "Let it be.", ""},
        {"call_method UserDefinedClassVariable() apply [TensorVariable()] {}", "", "y = Mine.apply(x)",
         "break-autograd-function", "", "Let it be.", ""},
        /* of 2.6 and earlier */
        {"NYI - User defind jvp", "", "y = Double.apply(x)", "break-autograd-function", "", "Let it be.", ""},
        {"STORE_ATTR-caused graph break", "", "y.data = x", "break-inplace", "`.data` is replaced", "Copy into",
         "x.copy_(y)"},
        {"STORE_ATTR-caused graph break", "", "y.requires_grad = True", "break-inplace", "`requires_grad` is changed",
         "Gradient flags", ""},
        {"STORE_ATTR-caused graph break", "", "y.note = x", "break-other", "", "Let it be.", ""},
        {"STORE_ATTR-caused graph break", "", "Till.sold += 1", "break-builtin", "an attribute of a class is set",
         "a count may be too low", ""},
        {"builtin: setattr [<class 'torch._dynamo.variables.user_defined.UserDefinedClassVariable'>, <class "
         "'torch._dynamo.variables.constant.ConstantVariable'>] False",
         "", "type(self).sold = n", "break-builtin", "an attribute of a class is set", "a count may be too low", ""},
        {"builtin: setattr [<class 'torch._dynamo.variables.user_defined.UserDefinedObjectVariable'>, <class "
         "'torch._dynamo.variables.constant.ConstantVariable'>] False",
         "", "self.sold = n", "break-builtin", "setattr", "Call it before", ""},
        {"call_method OptimizerVariable(AdamW) step [] {}", "", "optimizer.step()", "break-optimizer",
         "PyTorch's optimizer", "by design", ""},
        {"'skip function grad in file /v/site-packages/torch/autograd/__init__.py'", "", "", "break-backward",
         "`backward()`", "The call of autograd", "trace_autograd_ops"},
        {"Reordering debugging function <built-in function print> with inputs [x] {} is not yet implemented", "",
         "print(x)", "break-print", "`print(…)`", "an f-string", "print(f"},
        /* control flow */
        {"Unsupported context manager", "", "", "break-context-manager", "", "Enter it around the call", ""},
        {"Graph break under GenericContextWrappingVariable", "", "", "break-context-manager", "", "cannot be resumed",
         ""},
        {"Observed exception", "raised exception ValueError('x')", "", "break-exception", "`ValueError`",
         "An exception leaves", ""},
        {"Observed exception", "raised exception ValueError([ConstantVariable(str: 'no such kind: c')])",
         "raise ValueError(f\"no such kind: {kind}\")", "break-exception", "`ValueError`: no such kind: c",
         "the program raises it itself", ""},
        {"Attempted to reconstruct generator", "", "", "break-other", "", "Let it be.", ""},
        /* modules, operators, backends */
        {"Attempted to wrap RNN, GRU, or LSTM", "GRU", "", "break-unsupported-module", "`GRU`", "Recurrent modules",
         "allow_rnn"},
        {"TypeError when making fake tensor call",
         "TypeError <built-in method sin>: sin() takes 1 positional argument but 3 were given", "",
         "break-invalid-code", "", "fails without torch.compile", ""},
        {"TypeError <built-in method sin of type object at 0x7f>: sin() takes 1 positional argument but 3 were given",
         "", "", "break-invalid-code", "", "fails without torch.compile", ""},
        {"TypeError when making fake tensor call", "TypeError shop.tax: _() got an unexpected keyword argument 'r'", "",
         "missing-fake-kernel", "the fake kernel of `shop::tax` fails", "Give it the operator's own parameters", ""},
        {"TypeError when making fake tensor call",
         "TypeError <built-in function attend>: attend(): argument 'is_causal' must be bool, not SymBool", "",
         "break-invalid-code", "`is_causal` is a comparison of sizes", "Decide with an `if`",
         "is_causal = True if a.shape[0] == b.shape[0] else False"},
        {"TypeError when making fake tensor call", "TypeError <f>: argument '9' must be bool, not SymBool", "",
         "break-invalid-code", "`flag` is a comparison of sizes", "Decide with an `if`", "flag = True if"},
        {"All __torch_function__ overrides returned NotImplemented due to TypeError from user code", "", "y = x ** 2",
         "break-tensor-kind", "`__torch_function__`: `y = x ** 2`", "use other operators in the line", "y = x * x"},
        {"Unsupported Tensor.item() call with capture_scalar_outputs=False", "",
         "x.register_hook(lambda grad: norms.append(grad.item()))", "break-hook", "a hook on a tensor's gradient",
         "not read its value", ""},
        {"RuntimeError when making fake tensor call", "", "", "break-invalid-code", "", "fails without torch.compile",
         ""},
        {"Operator does not support running with fake tensors", "unsupported operator: shop.price.default", "",
         "missing-fake-kernel", "`shop::price`", "Register a fake kernel", "register_fake(\"shop::price\")"},
        {"Encountered non-PT2-compliant op", "", "", "custom-op-not-compliant", "", "rules of PT2", "opcheck"},
        {"Backend compiler exception", "Backend: picky\nException:aten.sin.default", "", "break-backend", "",
         "The backend refuses", ""},
        {"Backend compiler exception", "Exception:aten._local_scalar_dense.default", "", "break-backend", "",
         "A tensor is used where a number", ""},
        {"Backend compiler exception", "Backend: picky\nException:aten._local_scalar_dense.default",
         "n = counts.tolist()", "break-backend", "the backend `picky` fails on `local_scalar_dense`",
         "capture_scalar_outputs = True", ""},
        {"Backend compiler exception", "Backend: picky\nException:aten._local_scalar_dense.default", "",
         "break-backend", "the backend `picky` fails on `local_scalar_dense`", "A tensor is used where a number", ""},
        {"Backend compiler exception", "Exception:shop.tax.default\nTraceback:", "", "missing-fake-kernel",
         "`shop::tax`", "Register a fake kernel", "register_fake(\"shop::tax\")"},
        {"Backend compiler exception", "Backend: picky\nException:no", "", "break-backend",
         "the backend `picky` fails", "The backend refuses", ""},
        {"Backend compiler failed with a fake tensor exception at x",
         "Backend: picky\nException:aten._local_scalar_dense.default", "y = f(x)", "break-backend", "",
         "A tensor is used where a number", ""},
        {"Backend compiler failed with a fake tensor exception at x", "", "y = torch.zeros(n.tolist())",
         "break-backend", "", "`tolist()`", ""},
        {"Backend compiler failed with a fake tensor exception at x", "", "y = f(x)", "break-backend", "",
         "`TORCH_LOGS=graph_breaks` prints it", ""},
        {"what nobody knows", "", "", "break-other", "what nobody knows", "Let it be.", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct finding *x;
        char text[1000];

        snprintf(
            text, sizeof text,
            "Graph break in user code at /x.py:7\nGraph Break Reason: %s\n  Explanation: It is so.\n  Hint: Let it "
            "be.\n\n  Developer debug context: %s\n\nUser code traceback:\n  File \"/x.py\", line 7, in f\n    "
            "%s\n",
            cases[i].type, cases[i].context, *cases[i].source ? cases[i].source : "source_7()");
        trace_artifact(&t, "dynamo_graph_break_reason", IN(0, 0, 0), text);
        a = answers_of_trace(&t);
        x = answers_finding(a, cases[i].id);
        if (!x)
            fail_msg("%s: %.*s", cases[i].type, STR_ARG(answers_findings(a)));
        if (!str_has(x->title, str_of(cases[i].title)) || !str_has(x->fix, str_of(cases[i].fix)) ||
            (*cases[i].paste ? !str_has(x->paste.text, str_of(cases[i].paste)) : x->paste.text.n > 0))
            fail_msg("%s: %.*s | %.*s | %.*s", cases[i].type, STR_ARG(x->title), STR_ARG(x->fix),
                     STR_ARG(x->paste.text));
        answers_free(a);
    }
}

/* Functions of `math` need the number, but some of them take a symbol, which a setting makes of the value. */
static void functions_of_math(void **state)
{
    static const char *const symbols[] = {"sqrt", "log2", "sin",  "cos",  "tan",  "sinh",  "cosh",
                                          "tanh", "asin", "acos", "atan", "ceil", "floor", "trunc"},
                             *const numbers[] = {"exp", "log", "pow", "erf", "gamma", "isnan"};
    static const struct {
        const char *source;
        bool number;
    } lines[] = {
        {"y = math.%s(n.item())", true},          {"y = math.%s((1) + n.item())", true},
        {"y = math.%s((1), (n.item()), 2)", true}, {"y = math.%s(1) * n.item()", false},
        {"y = n.item() * math.%s(1)", false},     {"y = x.math.%s(n.item())", false},
        {"y = math.%s * n.item()", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(symbols) + COUNT(numbers); i++) {
        bool is_symbol = i < COUNT(symbols);
        const char *name = is_symbol ? symbols[i] : numbers[i - COUNT(symbols)];

        for (size_t k = 0; k < COUNT(lines); k++) {
            char source[100], text[500];
            struct trace_text t = {0};
            const struct answers *a;

            snprintf(source, sizeof source, lines[k].source, name);
            snprintf(text, sizeof text,
                     "Graph break in user code at /x.py:7\nGraph Break Reason: Tensor.item\n\nUser code traceback:\n"
                     "  File \"/x.py\", line 7, in f\n    %s\n",
                     source);
            trace_artifact(&t, "dynamo_graph_break_reason", IN(0, 0, 0), text);
            a = answers_of_trace(&t);
            if (str_has(answers_finding(a, "break-item")->title, STR("in a function of `math`")) !=
                (lines[k].number && !is_symbol))
                fail_msg("%s: %.*s", source, STR_ARG(answers_finding(a, "break-item")->title));
            answers_free(a);
        }
    }
}

/* A value that the line of a break computes is no input: that it changes follows from the break. */
static void values_that_a_break_made(void **state)
{
    static const struct {
        const char *source, *guard;
        bool follows;
    } cases[] = {
        {"t0 = now()", "t0 == 1.5", true},      {"a, t0 = now()", "t0.x == 1.5", true},
        {"check(t0 == 1)", "t0 == 1.5", false}, {"t1 = now()", "t0 == 1.5", false},
        {"now()", "___stack0 == 1.5", true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        char text[500];

        snprintf(text, sizeof text,
                 "Graph break in user code at /x.py:7\nGraph Break Reason: what\n\nUser code traceback:\n"
                 "  File \"/x.py\", line 7, in f\n    %s\n",
                 cases[i].source);
        trace_file(&t);
        trace_start(&t, IN(0, 0, 0), "f", 5);
        trace_artifact(&t, "dynamo_graph_break_reason", IN(0, 0, 0), text);
        trace_metrics(&t, IN(0, 0, 1), OPS(2));
        trace_start(&t, IN(1, 0, 0), "torch_dynamo_resume_in_f_at_7", 7);
        trace_metrics(&t, IN(1, 0, 0), OPS(2));
        snprintf(text, sizeof text, "1/0: %s", cases[i].guard);
        trace_artifact(&t, "recompile_reasons", IN(1, 1, 0), text);
        trace_start(&t, IN(1, 1, 0), "torch_dynamo_resume_in_f_at_7", 7);
        trace_metrics(&t, IN(1, 1, 0), OPS(2));
        a = answers_of_trace(&t);
        for (size_t k = 0; k < a->findings->list.n; k++)
            if (strncmp(a->findings->list.v[k]->info->id, "recompile", 9) == 0 &&
                (a->findings->list.v[k]->follows_from != NULL) != cases[i].follows)
                fail_msg("%s, %s", cases[i].source, cases[i].guard);
        assert_int_equal(a->findings->list.n, 2);
        answers_free(a);
    }
}

/* What one habit does at many places is one finding, with the worst place first. */
static void many_places(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    const struct finding *x;

    (void)state;
    for (int k = 0; k < 40; k++)
        trace_break(&t, trace_ids(k, 0, 0), "builtin: print [] False", "f", 7 + k);
    trace_metrics(&t, IN(39, 0, 0), OPS(20));
    trace_break(&t, IN(100, 0, 0), "Data-dependent branching", "f", 7);
    a = answers_of_trace(&t);
    x = answers_finding(a, "break-print");
    assert_str(x->title, "Graph breaks: `print(…)` at 40 places");
    assert_int_equal(x->severity, FINDING_MEDIUM);
    assert_int_equal(x->line, 46);
    assert_int_equal(x->spots.n, 40);
    assert_int_equal(x->spots.v[0].line, 46);
    assert_int_equal(x->cost_breaks, 40);
    assert_int_equal(answers_finding(a, "break-branch")->cost_breaks, 1);
    answers_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_harm_of_a_break),      cmocka_unit_test(what_is_said_of_a_break),
        cmocka_unit_test(a_break_of_one_rank),
        cmocka_unit_test(a_break_on_all_ranks),     cmocka_unit_test(a_break_in_a_library),
        cmocka_unit_test(kinds_of_breaks),          cmocka_unit_test(functions_of_math),
        cmocka_unit_test(values_that_a_break_made), cmocka_unit_test(many_places),
    };

    return RUN(tests);
}
