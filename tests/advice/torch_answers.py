"""
What answers give to paste, tried under the PyTorch of this Python. Standard input has JSON, [[KIND, TEXT], ...] with the kinds `code` and
`variable` (NAME=VALUE); standard output has a list of [what was checked, problems], one for each. What changes something runs in a fork;
--look-up runs no code at all.
"""

import ast
import builtins
import contextlib
import functools
import importlib
import importlib.util
import inspect
import json
import os
import pathlib
import re
import resource
import sys
import tempfile
import types
import typing
import warnings

import torch
import torch._dynamo
import torch._functorch.config
import torch._inductor.compile_fx
import torch._inductor.config
import torch._inductor.package
import torch._logging._internal
import torch.distributed._composable.fsdp
import torch.export
import torch.fx.experimental._config
import torch.nn.attention.flex_attention

CONFIGS = (torch._dynamo.config, torch._inductor.config, torch._functorch.config, torch.fx.experimental._config)
# Names that answers use without `torch.`.
NAMES = {
    "AdamW": "torch.optim.AdamW", "DDP": "torch.nn.parallel.DistributedDataParallel", "DataLoader": "torch.utils.data.DataLoader",
    "DataParallel": "torch.nn.DataParallel", "Dim": "torch.export.Dim", "FullyShardedDataParallel": "torch.distributed.fsdp.FullyShardedDataParallel",
    "MixedPrecision": "torch.distributed.fsdp.MixedPrecision", "SDPBackend": "torch.nn.attention.SDPBackend", "autograd": "torch.autograd",
    "comptime": "torch._dynamo.comptime.comptime", "complex": "torch.complex",
    "create_block_mask": "torch.nn.attention.flex_attention.create_block_mask", "cuda": "torch.cuda", "empty_like": "torch.empty_like",
    "flex_attention": "torch.nn.attention.flex_attention.flex_attention", "fully_shard": "torch.distributed._composable.fsdp.fully_shard",
    "full": "torch.full", "init_process_group": "torch.distributed.init_process_group", "make_fx": "torch.fx.experimental.proxy_tensor.make_fx",
    "move_to_device_pass": "torch.export.passes.move_to_device_pass", "mp": "torch.multiprocessing", "nn": "torch.nn",
    "parallelize_module": "torch.distributed.tensor.parallel.parallelize_module", "polar": "torch.polar",
    "sdpa_kernel": "torch.nn.attention.sdpa_kernel", "set_detect_anomaly": "torch.autograd.set_detect_anomaly",
    "set_logs": "torch._logging.set_logs", "vmap": "torch.vmap",
}
# What answers call things of a class.
CALLED = {
    torch.Tensor: "x y t p q a b i h w lr pos loss logits norm buffer cache counts index grad_output batch static_x static_y positions weight stride",
    torch.nn.Module: "model module net block layer m encoder head ema ref compiled backbone body transformer vae decoder",
    torch.optim.Optimizer: "optimizer opt",
    torch.export.ExportedProgram: "ep program",
}
CLASS_OF = {name: kind for kind, names in CALLED.items() for name in names.split()}
# Arguments that stand alone, as `mode="reduce-overhead"`, and the call that takes them.
ARGUMENTS = {
    "torch.compile": "backend dynamic fullgraph mode options",
    "torch.export.export": "strict dynamic_shapes",
    "torch.utils.checkpoint.checkpoint": "use_reentrant",
    "torch.nn.parallel.DistributedDataParallel": "bucket_cap_mb find_unused_parameters static_graph",
    "torch.distributed.fsdp.FullyShardedDataParallel": "use_orig_params",
    "torch.utils.data.DataLoader": "drop_last num_workers persistent_workers",
    "torch.optim.Adam": "foreach fused capturable",
    "torch.autograd.grad": "create_graph retain_graph grad_outputs",
    "torch.compiler.disable": "recursive",
    "torch._inductor.aoti_compile_and_package": "inductor_configs",
    "torch.nn.attention.flex_attention.flex_attention": "kernel_options enable_gqa",
    "torch.nn.functional.scaled_dot_product_attention": "is_causal",
    "torch.onnx.export": "dynamo optimize report",
    "torch.profiler.profile": "with_stack",
    "torch.nn.utils.clip_grad_norm_": "error_if_nonfinite",
    "torch.optim.lr_scheduler.OneCycleLR": "cycle_momentum",
    "torch.library.custom_op": "mutates_args",
    "torch.nn.TransformerEncoder": "enable_nested_tensor",
    "torch.distributions.Categorical": "validate_args",
    "torch.nn.Module.load_state_dict": "assign",
    "torch.optim.Optimizer.zero_grad": "set_to_none",
}
CALL_OF = {word: call for call, words in ARGUMENTS.items() for word in words.split()}
# An operator has no signature; its schemas lack what these mean for all of them.
OF_OPERATORS = {"dtype", "device", "requires_grad", "layout", "out", "memory_format", "generator", "pin_memory"}
# What is only looked up: it compiles C++ or waits, changes nothing but the program, or needs a device, a process group or a file.
NOT_RUN = re.compile(r"aoti?_(?:compile|load)|load_package|breakpoint|cuda|mps|xpu|DDP|fully_shard|process_group|parallelize|load_library|onnx|"
                     r"opcheck|torch\.jit|^@|assert|\.append|Distributed|\.so\b")
OPTION = re.compile(r"(?:triton|cpp|cuda|aot_inductor|rocm)\.\w+")
GEMM_BACKENDS = {"ATEN", "TRITON", "CUTLASS", "CK", "CPP"}
UNKNOWN = object()
# Of a processor, for one piece of code.
LIMIT_S = 60


def dotted(node):
    """`a.b.c` of an expression, or an empty text."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def resolve(name):
    """The object of a dotted name, with the modules imported that it needs."""
    parts = name.split(".")
    found = importlib.import_module(parts[0])
    for at, part in enumerate(parts[1:], 2):
        if isinstance(found, types.ModuleType) and not hasattr(found, part):
            with contextlib.suppress(ImportError):
                importlib.import_module(".".join(parts[:at]))
        try:
            found = getattr(found, part)
        except AttributeError:
            raise LookupError(f"there is no {'.'.join(parts[:at])}") from None
    return found


def value_of(node):
    """The value of a literal, or UNKNOWN."""
    try:
        found = ast.literal_eval(node)
    except ValueError:
        return UNKNOWN
    return UNKNOWN if found is ... else found


def fits(value, hint):
    """Whether a value is of a type, as far as classes and unions of them say it."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint in (None, type(None)):
        return value is None
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, one) for one in arguments)
    if origin is typing.Literal:
        return value in arguments
    if isinstance(value, bool):
        return hint in (bool, (bool, str), typing.Any, object)
    hint = {float: (int, float)}.get(hint, origin or hint)
    return not isinstance(hint, (type, tuple)) or isinstance(value, hint)


def type_of_setting(name):
    """The type that a module of settings states for one of its own, or the type of its default."""
    for module in CONFIGS:
        at = name.removeprefix(module.__name__ + ".")
        if at != name and at in module._config:
            entry = module._config[at]
            stated = getattr(entry, "value_type", inspect.Parameter.empty)
            default = getattr(entry, "default", entry)
            if stated not in (None, inspect.Parameter.empty):
                return stated
            # A switch may take texts as well, which its default does not show.
            return typing.Any if default is None else (bool, str) if isinstance(default, bool) else type(default)
    return typing.Any


def in_fork(work):
    """What `work` returns, from a process of its own, or the exception as a text."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S))
        try:
            with open(os.devnull, "w") as nothing, contextlib.redirect_stdout(nothing), contextlib.redirect_stderr(nothing):
                answer = work()
        except BaseException as error:
            answer = f"{type(error).__name__}: {error}"
        with os.fdopen(write, "w") as pipe:
            json.dump(answer, pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else f"the process died, perhaps after {LIMIT_S} s"


class Check:
    """The checks of one piece of code that need no run."""

    def __init__(self, code, options, backends):
        self.code, self.options, self.backends = code, options, backends
        self.checked, self.problems = [], []

    def found(self, name):
        try:
            there = resolve(name)
        except (LookupError, ImportError) as error:
            self.problems.append(str(error))
            return None
        self.checked.append(name)
        return there

    def walk(self, tree):
        for node in tree.body:
            self.statement(node)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                self.call(node)
            elif isinstance(node, ast.Assign):
                self.assignment(dotted(node.targets[0]), node.value)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and dotted(node).startswith("torch."):
                self.found(dotted(node))
            elif isinstance(node, ast.Dict):
                keys = [key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
                self.known_options([key for key in keys if OPTION.fullmatch(key)])

    def statement(self, node):
        name = dotted(node.value.func) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else ""
        function = self.found(name) if name.startswith("torch.") else None
        inner = inspect.unwrap(function) if callable(function) else function
        if inner is not function and inspect.isgeneratorfunction(inner):  # of contextlib.contextmanager
            self.problems.append(f"{name} does nothing until `with` enters it")

    def assignment(self, name, value):
        if OPTION.fullmatch(name):
            name = "torch._inductor.config." + name
        if name.startswith("torch."):
            self.setting(name, value_of(value))
        elif name in CALL_OF:
            function = self.found(CALL_OF[name])
            if function is not None:
                self.arguments(CALL_OF[name], function, [], [ast.keyword(name, value)])
        else:
            for module in CONFIGS:
                if name in module._config:
                    self.setting(f"{module.__name__}.{name}", value_of(value))

    def setting(self, name, value):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a deprecated one is there
            if self.found(name) is None or value is UNKNOWN:
                return
        kind = type_of_setting(name)
        if not fits(value, kind):
            self.problems.append(f"{name} takes {kind}, and not {value!r}")
        if name.endswith("_gemm_backends") and not set(value.split(",")) <= GEMM_BACKENDS:
            self.problems.append(f"{name} does not know {value}")

    def call(self, node):
        name = dotted(node.func)
        first, _, rest = name.partition(".")
        if first in NAMES:
            name = ".".join([NAMES[first], rest]).rstrip(".")
        if name.startswith("torch."):
            function = self.found(name)
            if function is not None:
                self.arguments(name, function, node.args, node.keywords)
        elif rest and name.split(".")[-2] in CLASS_OF:
            self.method(CLASS_OF[name.split(".")[-2]], name.split(".")[-1], node)

    def method(self, kind, method, node):
        function = getattr(kind, method, None)
        if kind is torch.nn.Module and method == "compile":
            function = torch.compile
        if function is None:
            if kind is not torch.nn.Module:  # a model has methods of its own
                self.problems.append(f"{kind.__name__} has no {method}")
            return
        self.checked.append(f"{kind.__name__}.{method}")
        if node.args or node.keywords:
            self.arguments(f"torch.{kind.__name__}.{method}", function, [ast.Name("self"), *node.args], node.keywords)

    def arguments(self, name, function, given, words):
        if not given and not words:
            return  # `f()` speaks of the function
        self.checked.append(f"{name}({', '.join(word.arg or '**' for word in words)})")
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):
            self.of_operator(name, words)
            return
        closed = [one for one in given if not isinstance(one, ast.Starred) and value_of(one) is not UNKNOWN or not isinstance(one, (ast.Constant, ast.Starred))]
        try:
            (signature.bind if given and closed == given else signature.bind_partial)(*closed, **{word.arg: None for word in words if word.arg})
        except TypeError as error:
            self.problems.append(f"{name}: {error}")
        if name.endswith("set_stance") and given and isinstance(value_of(given[0]), str):
            # Wrong ones are refused only by the next compile.
            if f'"{value_of(given[0])}"' not in inspect.getsource(torch._dynamo.eval_frame):
                self.problems.append(f"there is no stance {value_of(given[0])}")
        backend = next((value_of(word.value) for word in words if word.arg == "backend"), "inductor")
        for word in words:
            if word.arg == "options" and backend != "inductor":
                continue  # of another package
            self.value(name.rpartition(".")[2], word.arg, value_of(word.value))

    def of_operator(self, name, words):
        schemas = torch._C._jit_get_schemas_for_operator("aten::" + name.rpartition(".")[2])
        known = {argument.name for schema in schemas for argument in schema.arguments} | OF_OPERATORS
        self.problems += [f"{name} has no argument {word.arg}" for word in words if schemas and word.arg not in known]

    def value(self, call, word, value):
        if value is UNKNOWN:
            return
        if (call, word) == ("compile", "mode") and value not in {"default", *torch._inductor.list_mode_options()}:
            self.problems.append(f"there is no mode {value}")
        elif (call, word) == ("compile", "backend") and value not in self.backends:
            self.problems.append(f"there is no backend {value}")
        elif call == "patch":
            self.known_options([word])
        elif word in ("options", "inductor_configs") and isinstance(value, dict):
            self.known_options(value)

    def known_options(self, names):
        for name in names:
            self.checked.append(f"option {name}")
            if name not in self.options:
                self.problems.append(f"Inductor has no option {name}")


class Model(torch.nn.Module):
    """Has what answers name of a model."""

    def __init__(self):
        super().__init__()
        self.encoder = self.backbone = self.body = torch.nn.Linear(8, 8)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(8, 8)])

    def forward(self, x):
        return self.layers[0](self.encoder(x))

    def encode(self, x):
        return self.encoder(x)

    METHOD = encode


class StandIns(dict):
    """What answers call `x`, `model` and so on."""

    def __init__(self):
        model, x = Model(), torch.randn(16, 8)
        super().__init__(torch=torch, os=os, sys=sys, model=model, net=model, module=model, m=model, block=model.encoder, x=x, y=x + 1, t=x + 2, b=x,
                         q=x, batch=x, args=(x,), f=lambda x: x * 2, step=lambda x: x + 1, mask=x > 0, cond=x > 0, index=torch.zeros(16, dtype=torch.long),
                         n=4, k=2, dim=0, value=1.5, epoch=3, condition=True, pred=torch.tensor(True), true_fn=lambda x: x + 1, false_fn=lambda x: x - 1,
                         cache=torch.zeros(4), buffer=torch.zeros(4), counts=torch.tensor([1, 2, 1]), cu_seqlens=torch.tensor([0, 2, 4]), limit=1.0,
                         path=tempfile.mkdtemp() + "/model.pt2", total=0, params=dict(model.named_parameters()))
        self["optimizer"] = self["opt"] = torch.optim.AdamW(model.parameters())
        self["loss"] = self["loss1"] = model(x).sum()
        self["loss2"] = model(x).sum()

    def has(self, name):
        return name in self or name in NAMES or hasattr(builtins, name)

    def __missing__(self, name):
        if name in NAMES:
            return resolve(NAMES[name])
        return getattr(builtins, name)


def parse(code):
    """The tree of a piece of code, which may be the head of a statement; None where it is none."""
    for form in (code, code.rstrip(":") + ": pass", code + "\ndef f(x): return x"):
        with contextlib.suppress(SyntaxError, ValueError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(form)
    return None


def can_run(code, tree, names):
    own = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    is_open = any(isinstance(node, ast.Constant) and node.value is ... for node in ast.walk(tree))
    return not is_open and not NOT_RUN.search(code) and all(names.has(name) for name in used - own)


def check_code(code, names, options, backends, may_run):
    tree = parse(code)
    if tree is None:
        return [], []
    check = Check(code, options, backends)
    check.walk(tree)
    if may_run and check.checked and not check.problems and can_run(code, tree, names):
        check.checked.append("run")
        problem = in_fork(lambda: exec(compile(tree, "<answer>", "exec"), names))
        check.problems += [problem] if problem else []
    return check.checked, check.problems


def read_variables(wanted):
    """Those of the variables that a source or a library of the installed package names."""
    root, there = pathlib.Path(torch.__file__).parent, set()
    for folder, suffix in ((root, "py"), (root.parent / "triton", "py"), (root / "lib", "so")):
        for file in folder.rglob("*." + suffix):
            left = wanted - there
            if not left:
                return there
            content = file.read_bytes()
            there |= {name for name in left if name.encode() in content and re.search(rb"\b" + name.encode() + rb"\b", content)}
    return there


@functools.cache
def configs_with(name):
    """The modules of settings that read a variable."""
    return [module for module in CONFIGS if name in pathlib.Path(module.__file__).read_text(encoding="utf-8")]


@functools.cache
def settings_under(name, value):
    """The texts of the settings of these modules, as they come out with the variable in the environment; None: without it."""
    def work():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
        found = {}
        for module in configs_with(name):
            spec = importlib.util.spec_from_file_location(module.__name__ + "_again", module.__file__)
            sys.modules[spec.name] = again = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(again)
            for setting, entry in again._config.items():
                values = [getattr(entry, part, entry) for part in ("env_value_force", "default", "env_value_default")]
                found[f"{module.__name__}.{setting}"] = re.sub(r"0x[0-9a-f]+", "", repr(values))
        return found
    return in_fork(work)


def parse_logs(value):
    torch._logging._internal._parse_log_settings(value)


def check_variable(name, value):
    if name == "TORCH_LOGS":
        problem = in_fork(lambda: parse_logs(value)) if value != "help" else None
        return [name, value], problem.strip().splitlines()[:1] if problem else []
    if not configs_with(name):
        return [name], []
    found, plain = settings_under(name, value), settings_under(name, None)
    if isinstance(found, str):
        return [name, value], [f"{name}={value}: {found}"]
    # A number may be the default; any other text that changes nothing is not understood, if numbers are.
    is_understood = found != plain or re.fullmatch(r"-?\d+", value) or all(settings_under(name, other) == plain for other in ("0", "1"))
    return [name, value], [] if is_understood else [f"{name}={value} changes no setting"]


def main():
    items, may_run = json.load(sys.stdin), "--look-up" not in sys.argv
    names, options = StandIns(), {*torch._inductor.list_options(), "guard_filter_fn"}
    backends = {*torch.compiler.list_backends(None)}
    read = read_variables({text.partition("=")[0] for kind, text in items if kind == "variable"})
    if may_run:  # what is imported late is imported once, and not in each fork
        names["ep"] = names["program"] = torch.export.export(names["model"], names["args"])
        torch.compile(names["f"], backend="eager")(names["x"])
        torch.compiler.reset()
    answers = []
    for kind, text in items:
        name, _, value = text.partition("=")
        if kind == "code":
            answers.append(check_code(text, names, options, backends, may_run))
        elif name in read:
            answers.append(check_variable(name, value.strip("\"'")))
        else:
            answers.append(([], [f"nothing reads {name}"]))
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
