"""User and framework stacks, tracebacks, graph-break messages and bytecode listings."""

import json

from . import words

# How a compile is reached from the user's call, and what Dynamo itself adds below. The files and
# functions are PyTorch's (tools fold them by name); line numbers and source text are invented.
ENTRY = (("_dynamo/eval_frame.py", 508, "__call__", "return super().__call__(*args, **kwargs)"),
         ("nn/modules/module.py", 1772, "_wrapped_call_impl", "return self._call_impl(*args)"),
         ("nn/modules/module.py", 1783, "_call_impl", "return forward_call(*args, **kwargs)"),
         ("_dynamo/eval_frame.py", 1160, "compile_wrapper", "result = fn(*args, **kwargs)"))
TRACING = (("_dynamo/convert_frame.py", 2620, "__call__", "result = self._backend_convert(frame)"),
           ("_dynamo/convert_frame.py", 2310, "__call__", "result = self._convert(frame, cache)"),
           ("_dynamo/convert_frame.py", 770, "__call__", "result = _compile(frame.f_code)"),
           ("_dynamo/convert_frame.py", 2095, "_compile", "code = compile_inner(code, hooks)"),
           ("_utils_internal.py", 92, "wrapper_function", "return function(*args, **kwargs)"),
           ("_dynamo/convert_frame.py", 1680, "compile_inner", "result = _compile_inner(code)"),
           ("_dynamo/convert_frame.py", 1740, "_compile_inner", "output = compile_frame(code)"),
           ("_dynamo/convert_frame.py", 1577, "compile_frame", "code = transform(code, options)"),
           ("_dynamo/bytecode_transformation.py", 1815, "transform_code_object",
            "tracer = transformations(instructions, options)"),
           ("_dynamo/convert_frame.py", 948, "trace_frame", "run_tracer()"),
           ("_dynamo/convert_frame.py", 929, "run_tracer", "tracer.run()"),
           ("_dynamo/symbolic_convert.py", 1944, "run", "while self.step():"),
           ("_dynamo/symbolic_convert.py", 1597, "step", "self.table[inst.opcode](self, inst)"),
           ("_dynamo/symbolic_convert.py", 1070, "wrapper", "return inner(self, inst)"),
           ("_dynamo/symbolic_convert.py", 4514, "CALL", "self._call(inst)"),
           ("_dynamo/symbolic_convert.py", 4505, "_call", "self.call_function(fn, args, kwargs)"),
           ("_dynamo/symbolic_convert.py", 1487, "call_function", "self.push(fn.call(self, args))"),
           ("_dynamo/variables/functions.py", 884, "call_function", "return super().call(tx)"),
           ("_dynamo/symbolic_convert.py", 1515, "inline_user_function_return",
            "return Inliner.inline_call(self, fn, args)"),
           ("_dynamo/symbolic_convert.py", 5715, "inline_call", "return tracer.inline_call_()"),
           ("_dynamo/symbolic_convert.py", 5959, "inline_call_", "self.run()"))
INLINING = TRACING[11:]         # what repeats for every call that is traced into
SHAPES = (("_dynamo/variables/builder.py", 3555, "wrap_fx_proxy", "return wrap_cls(proxy, tx)"),
          ("_dynamo/utils.py", 3943, "get_fake_value", "return _fake_value(node, tx)"),
          ("_subclasses/fake_tensor.py", 1600, "__torch_dispatch__", "return self.dispatch(func)"),
          ("_subclasses/fake_tensor.py", 2380, "dispatch", "return self._cached_dispatch(func)"),
          ("fx/experimental/symbolic_shapes.py", 8101, "evaluate_sym_node",
           "return self.evaluate_expr(node)"),
          ("fx/experimental/recording.py", 293, "wrapper", "return log(fn(*args, **kwargs))"),
          ("fx/experimental/symbolic_shapes.py", 8488, "_evaluate_expr",
           "self._log_guard('eval', guard)"))

# (type, explanation, hint, id in PyTorch's registry). The ids and types are those of the registry.
BREAKS = (
    ("Call to `torch._dynamo.graph_break()`", "The program asked for a break here.",
     "Take the call out once the reason for it is gone.", "gb0025"),
    ("Unsupported Tensor.backward() call", "A backward pass inside a compiled function.",
     "Call backward outside of the compiled region.", "gb0123"),
    ("Data-dependent branching", "Which branch runs depends on the values of a tensor.",
     "Express the choice with torch.where or torch.cond.", "gb0170"),
    ("Unsupported Tensor.item() call with capture_scalar_outputs=False",
     "The value of a tensor is needed as a Python number.",
     "Keep the value in a tensor, or capture scalar outputs.", "gb0124"),
    ("Attempted to call function marked as skipped", "The callee is on the list of skipped code.",
     "Move the call out of the compiled region.", "gb0007"),
)
GB_URL = "https://meta-pytorch.github.io/compile-graph-break-site/gb/%s.html"


def user_frames(rng, frame, depth=3):
    """(file, line, function, code) from the program's start down to the compiled function."""
    main = words.PROJECT + "/run.py"
    result = [(main, 212, "<module>", "launch(parse_arguments())"),
              (main, 188, "launch", "job.fit(loader, steps=options.steps)")]
    for level in range(depth - 2):
        result.append(("%s/loop/phase_%d.py" % (words.PROJECT, level), rng.randrange(20, 300),
                       "run_phase", "outcome = self.next_phase(batch, state)"))
    result.append(("%s/loop/trainer.py" % words.PROJECT, rng.randrange(40, 400), "fit",
                   "value = compiled_%s(%s)" % (frame.function, ", ".join(frame.arguments))))
    return result


def framework_frames(table):
    return [("%s/%s" % (words.TORCH, file), line, function, code)
            for file, line, function, code in table]


def structured(writer, frames, last=None):
    """JSON of a `stack`: file names are interned, the compiled frame itself has no source text."""
    items = [{"line": line, "name": function, "filename": writer.intern(file), "loc": code}
             for file, line, function, code in frames]
    if last is not None:
        items.append({"line": last.line, "name": last.function,
                      "filename": writer.intern(last.file)})
    return json.dumps(items)


def metric_lines(frames, last):
    """The stack as compilation_metrics lists it."""
    lines = ["Line: %d, Name: %s, Filename: %s" % (line, function, file)
             for file, line, function, _ in frames]
    return lines + ["Line: %d, Name: %s, Filename: %s" % (last.line, last.function, last.file)]


def _traceback(frames):
    lines = []
    for file, line, function, code in frames:
        lines += ['  File "%s", line %d, in %s' % (file, line, function), "    " + code]
        if "(" in code:
            lines.append("    " + " " * code.index("(") + "^" * (len(code) - code.index("(")))
    return lines


def break_message(kind, context):
    """The message of one graph break: type, explanation, hint, context, address."""
    type_, explanation, hint, registry = kind
    return ("%s\n  Explanation: %s\n  Hint: %s\n\n  Developer debug context: %s\n\n"
            " For more details about this graph break, please visit: %s"
            % (type_, explanation, hint, context, GB_URL % registry))


def graph_break(kind, context, at, frames):
    """dynamo_graph_break_reason: the message, the user's stack, Dynamo's own traceback."""
    message = break_message(kind, context)
    user = frames + [(at.file, at.line, at.function, at.code)]
    lines = ["Graph break in user code at %s:%d" % (at.file, at.line),
             "Graph Break Reason: Encountered graph break when attempting to trace CALL: "
             "a function call, e.g. f(x, y):", "", message, "", "User code traceback:"]
    lines += _traceback(user)
    lines += [""] + failure(message)
    return "\n".join(lines) + "\n"


def failure(message):
    """Dynamo's traceback that ends in Unsupported."""
    return (["Traceback (most recent call last):"] + _traceback(framework_frames(INLINING * 2))
            + ["torch._dynamo.exc.Unsupported: " + message])


def dynamo_error(kind, context, at, frames):
    """dynamo_error: the whole traceback, then the user's stack."""
    lines = (["Traceback (most recent call last):"] + _traceback(framework_frames(TRACING))
             + ["torch._dynamo.exc.Unsupported: " + break_message(kind, context), "",
                "from user code:"])
    lines += [" " + line for line in _traceback(frames + [(at.file, at.line, at.function,
                                                           at.code)])]
    return "\n".join(lines) + "\n"


OPERATIONS = (("LOAD_FAST", 2), ("LOAD_GLOBAL", 12), ("LOAD_CONST", 2), ("LOAD_ATTR", 10),
              ("STORE_FAST", 2), ("BINARY_OP", 4), ("PRECALL", 4), ("CALL", 10), ("COPY", 2),
              ("POP_TOP", 2), ("SWAP", 2), ("BUILD_TUPLE", 2), ("LOAD_METHOD", 22))
LOCALS = ("___stack0", "x", "y", "value", "tmp_1", "tmp_2", "graph_out_0", "torch", "other")


def bytecode(rng, first_line, instructions):
    """A listing as `dis` prints it; what it computes means nothing."""
    lines, offset, line = [], 0, first_line
    for i in range(instructions):
        name, size = rng.choice(OPERATIONS)
        argument = rng.randrange(9)
        detail = "" if name in ("POP_TOP", "PRECALL", "CALL", "COPY", "SWAP", "BUILD_TUPLE") \
            else " (%s)" % LOCALS[argument]
        number = ""
        if i % 9 == 0:
            if i:
                lines.append("")
            number, line = str(line), line + 1
        lines.append("%3s %11d %-20s%5d%s" % (number, offset, name, argument, detail))
        offset += size
    return "\n".join(lines + [""])
