"""Watches PyTorch from inside the process and writes what it does, one JSON object per line.

Nothing here reads the trace. Every hook sits on a function that PyTorch calls on its way, and almost all are leaves (they
return before PyTorch goes on), so that no frame of ours shows in the stacks that PyTorch puts into the trace. An event is
written and flushed when it happens; a process that is killed leaves what it did until then.

fold.py turns the events into truth.json; the meaning of each fact is documented in testdata/README.md.
"""

import atexit
import json
import os
import sys


class Log:
    """The event file of this process. A forked child gets one of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.pid = None
        self.file = None
        self.last_id = None
        self.inherited = {"counters": {}, "phases": {}}  # what a forked child found in its memory
        os.register_at_fork(after_in_child=self.forked)

    def forked(self):
        self.inherited = {"counters": counters(), "phases": phases()}

    def write(self, event, **facts):
        if self.pid != os.getpid():
            self.pid = os.getpid()
            self.file = open(os.path.join(self.folder, f"{self.pid}.jsonl"), "w", encoding="utf-8")
            self.write("process", inherited=self.inherited, **about_process())
        self.file.write(json.dumps({"event": event, "rank": rank(), **facts}) + "\n")
        self.file.flush()


log = None
shape_envs = []  # those that got a symbol since the last compile ended


def about_process():
    import torch

    return {
        "pid": os.getpid(),
        "parent": os.getppid(),
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "python": sys.version.split()[0],
    }


def rank():
    dist = sys.modules.get("torch.distributed")
    if dist is None or not dist.is_available() or not dist.is_initialized():
        return None
    return dist.get_rank()


def counters():
    from torch._dynamo.utils import counters as dynamo_counters

    groups = ("aot_autograd", "compiled_autograd", "frames", "graph_break", "inductor", "stats", "unimplemented")
    return {group: dict(dynamo_counters[group]) for group in groups if dynamo_counters[group]}


def phases():
    """How often PyTorch timed each of its phases, and for how long."""
    from torch._dynamo.utils import compilation_time_metrics

    return {name: [len(times), sum(times)] for name, times in compilation_time_metrics.items() if times}


def current_compile():
    from torch._guards import CompileContext

    compile_id = CompileContext.current_compile_id()
    return None if compile_id is None else str(compile_id)


def exception(error):
    """Type and first line of an exception, and the types of what caused it."""
    causes = []
    inner = getattr(error, "inner_exception", None) or error.__cause__
    while inner is not None:
        causes.append(type(inner).__name__)
        inner = inner.__cause__
    return {"type": type(error).__name__, "message": first_line(error)[:200], "causes": causes}


# --- the hooks: each gets the arguments of the function it sits on ---------------------------------------------------------


def on_compile_id(result, *_args, **_kwargs):
    log.last_id = str(result)
    log.write("compile_id", id=log.last_id)


def on_signpost(category, name, facts):
    """Emitted for every compile as soon as it has its id, which the facts of 2.3 lack."""
    if name == "_convert_frame_assert._compile":
        log.write("frame", id=log.last_id, function=facts["co_name"], file=facts["co_filename"],
                  line=facts["co_firstlineno"])


def on_limit(result, *_args):
    exceeded, kind = result
    if exceeded:
        log.write("limit", id=current_compile(), kind=kind)


def on_recompile(result, *_args, skip_logging=False):
    if not skip_logging:
        log.write("recompile", id=current_compile(), reasons=list(result))


def on_attempt(_speculation_log):
    log.write("attempt", id=current_compile())


def on_graph_break(error, reason, file, line):
    log.write("graph_break", id=current_compile(), type=break_type(error, reason),
              first_type=first_line(getattr(error, "msg", None) or reason), file=file, line=line)


def on_log_graph_break(code_options, reason="", exc=None, exc_info=False, user_stack=None):
    """2.6 and later. The newest hand over the exception; before that it is the one in flight, and a jump has none."""
    if getattr(exc, "logged", False):
        return
    error = exc or (sys.exc_info()[1] if user_stack else None)
    on_graph_break(error, reason, *place(getattr(error, "real_stack", user_stack), code_options))


def place(stack, code_options):
    """Where PyTorch says the break is: the innermost user code, or the function as a whole where it knows of none."""
    from torch._guards import TracingContext

    if stack is None:
        stack = TracingContext.extract_stack()
    if not stack:
        return code_options["co_filename"], code_options["co_firstlineno"]
    return stack[-1].filename, stack[-1].lineno


def on_log_graph_break_of(_translator, *args, **kwargs):
    on_log_graph_break(*args, **kwargs)


def on_compile_reason(_result, reason):
    """2.5 and earlier log nothing; but they keep a reason for every graph that ends before its function does."""
    if reason.graph_break:
        on_graph_break(None, reason.reason, reason.user_stack[-1].filename, reason.user_stack[-1].lineno)


def break_type(error, reason):
    """The graph break's own name where PyTorch has one (2.8 and later), else the first line of the reason."""
    return getattr(error, "gb_type", None) or first_line(getattr(error, "msg", None) or reason)


def first_line(text):
    return str(text).strip().split("\n", 1)[0]


def on_compile_error(error, code, *_args, **_kwargs):
    log.write("compile_error", id=current_compile(), **exception(error))


def on_fallback(error, code, *_args):
    """ConvertFrame.__call__ swallowed an exception: this frame runs eagerly from now on."""
    facts = {"function": code.co_name, "file": code.co_filename, "line": code.co_firstlineno}
    type_ = break_type(error, "") if type(error).__name__ == "Unsupported" else None
    log.write("fallback", id=getattr(error, "compile_id", None) and str(error.compile_id), break_type=type_,
              error=exception(error), **facts)


def on_graph(ops):
    log.write("graph", id=current_compile(), ops=ops)


def on_compiled_autograd(autograd_id):
    log.write("compiled_autograd", id=f"!{autograd_id}")


def on_symbol(shape_env, symbol, _type):
    if all(env is not shape_env for env in shape_envs):
        shape_envs.append(shape_env)
    log.write("symbol", id=current_compile(), symbol=str(symbol), env=id(shape_env))


def on_unbacked(shape_env, symbol, type_):
    if str(symbol).startswith(("u", "zuf")):
        on_symbol(shape_env, symbol, type_)


def on_reset():
    log.write("reset", phases=phases())


def on_reset_done(_result):
    log.write("reset_done", phases=phases())


def on_metrics(metrics):
    if getattr(metrics, "is_runtime", False):  # of a kernel that was tuned when it first ran, not of a compile
        return
    fields = ("is_forward", "fail_type", "graph_op_count", "guard_count")
    facts = {name: getattr(metrics, name, None) for name in fields}
    if type(metrics).__name__ == "BwdCompilationMetrics":  # 2.5 and earlier
        facts["is_forward"] = False
    compile_id = getattr(metrics, "compile_id", None) or current_compile()
    log.write("metrics", id=compile_id and str(compile_id), counters=counters(), specialized=specialized(), **facts)


def specialized():
    """{symbol: value} of the symbols that became numbers in the compile that ends now."""
    import sympy

    found = {str(symbol): int(value) for env in shape_envs for symbol, value in env.replacements.items()
             if isinstance(value, sympy.Integer)}
    shape_envs.clear()
    return found


def on_uncaught(kind, error, traceback):
    log.write("uncaught", **exception(error))
    sys.__excepthook__(kind, error, traceback)


def on_exit():
    """Only processes that used torch.compile have an event file; the others get none from here."""
    if log.pid == os.getpid():
        finish()


def finish():
    log.write("finish", counters=counters(), phases=phases())


# --- putting them in place ------------------------------------------------------------------------------------------------


def before(owner, name, hook):
    """Calls hook(*args) and then the function; does nothing where this PyTorch has no such function."""
    function = getattr(owner, name, None)
    if function is None:
        return

    def observed(*args, **kwargs):
        hook(*args, **kwargs)
        return function(*args, **kwargs)

    setattr(owner, name, observed)


def after(owner, name, hook):
    """Calls the function and then hook(result, *args)."""
    function = getattr(owner, name, None)
    if function is None:
        return

    def observed(*args, **kwargs):
        result = function(*args, **kwargs)
        hook(result, *args, **kwargs)
        return result

    setattr(owner, name, observed)


def watch_metrics(utils):
    """get_compilation_metrics() reads a deque that forgets; this one also reports each record that is put into it."""
    import collections

    class Metrics(collections.deque):
        def append(self, metrics):
            on_metrics(metrics)
            super().append(metrics)

    utils._compilation_metrics = Metrics(utils._compilation_metrics, utils._compilation_metrics.maxlen)


def watch_graph_breaks(symbolic_convert, output_graph):
    if hasattr(symbolic_convert.InstructionTranslatorBase, "log_graph_break"):
        before(symbolic_convert.InstructionTranslatorBase, "log_graph_break", on_log_graph_break_of)
    elif hasattr(symbolic_convert, "log_graph_break"):
        before(symbolic_convert, "log_graph_break", on_log_graph_break)
    else:
        after(output_graph.GraphCompileReason, "__post_init__", on_compile_reason)


def install(folder):
    global log
    log = Log(folder)

    import torch
    from torch._dynamo import compiled_autograd, convert_frame, output_graph, symbolic_convert, utils
    from torch.fx.experimental import symbolic_shapes

    after(convert_frame, "get_compile_id" if hasattr(convert_frame, "get_compile_id") else "CompileId", on_compile_id)
    before(convert_frame, "signpost_event", on_signpost)
    after(convert_frame, "exceeds_recompile_limit", on_limit)
    after(convert_frame, "exceeds_cache_size_limit", on_limit)  # its name until 2.6
    after(convert_frame, "get_and_maybe_log_recompilation_reasons", on_recompile)
    after(convert_frame, "get_and_maybe_log_recompilation_reason", on_recompile)  # until 2.6
    before(convert_frame, "exception_handler", on_compile_error)
    before(convert_frame, "format_error_msg", on_fallback)
    before(symbolic_convert.SpeculationLog, "restart", on_attempt)
    watch_graph_breaks(symbolic_convert, output_graph)
    before(output_graph, "increment_op_count", on_graph)
    before(compiled_autograd, "make_compile_context", on_compiled_autograd)
    before(symbolic_shapes.ShapeEnv, "_add_z3var", on_symbol)
    before(symbolic_shapes.ShapeEnv, "_create_fx_placeholder_and_z3var", on_unbacked)
    before(torch._dynamo, "reset", on_reset)
    after(torch._dynamo, "reset", on_reset_done)
    watch_metrics(utils)
    atexit.register(on_exit)
    sys.excepthook = on_uncaught
