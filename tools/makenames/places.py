"""Where in its own sources a PyTorch logs: the lines that stand in the prefixes of traces and logs, which differ between versions."""
import ast

FILES = ("_dynamo/backends/distributed", "_dynamo/compiled_autograd", "_dynamo/convert_frame", "_dynamo/eval_frame", "_dynamo/guards",
         "_dynamo/output_graph", "_dynamo/pgo", "_dynamo/symbolic_convert", "_dynamo/utils",
         "_functorch/_aot_autograd/autograd_cache", "_functorch/_aot_autograd/dispatch_and_compile_graph",
         "_functorch/_aot_autograd/graph_compile", "_functorch/_aot_autograd/jit_compile_runtime_wrappers", "_inductor/codecache",
         "_inductor/compile_fx", "_inductor/debug", "_inductor/graph", "_logging/structured", "_subclasses/meta_utils",
         "fx/experimental/symbolic_shapes")
METHODS = {"debug", "info", "warning", "error", "exception", "critical", "log"}
HEADER = "# Lines of PyTorch's sources that log, by version: written by tools/make-names from the wheels of torch {}."


def is_logging(call):
    if isinstance(call.func, ast.Attribute):
        return call.func.attr.startswith("trace_structured") or call.func.attr in METHODS and "log" in ast.unparse(call.func.value).lower()
    return isinstance(call.func, ast.Name) and call.func.id.startswith("trace_structured")


def places(wheel):
    """A line for each file: its name, the version, and the numbers of its lines that log."""
    for name in FILES:
        file = f"torch/{name}.py"
        if file in wheel.there:
            found = sorted({n.lineno for n in ast.walk(wheel.tree(file)) if isinstance(n, ast.Call) and is_logging(n)})
            if found:
                yield "\t".join((file, wheel.version, " ".join(map(str, found))))
