"""What one wheel of PyTorch has, by kind: {kind: {name: what is known of it}}. See src/text/versions/names.h for the kinds."""
import ast
import re

from .evaluate import UNKNOWN, settings_of

# Modules whose public names are all taken: what is in __all__, and what is defined there without an underscore.
PUBLIC = ("torch.compiler", "torch._dynamo", "torch._dynamo.decorators", "torch.library", "torch.export", "torch.utils.checkpoint",
          "torch.distributed.fsdp", "torch._inductor", "torch.fx.experimental.symbolic_shapes", "torch.nn.attention.flex_attention",
          "torch.profiler")
# Names of other modules that advice may use; those that the program's own texts name are taken, too.
NAMED = ("torch.compile", "torch._check", "torch._check_is_size", "torch._check_value", "torch._check_index", "torch._check_type",
         "torch._check_not_implemented", "torch._check_tensor_all", "torch._check_with", "torch._assert_async", "torch.cond", "torch.where",
         "torch.while_loop", "torch.vmap", "torch.set_float32_matmul_precision", "torch.nn.Module.compile")
# Where `torch.where` and others that are written in C++ have their signatures.
STUBS = ("torch/_C/_VariableFunctions.pyi", "torch/_C/__init__.pyi")
# Headers in which environment variables stand that C++ reads; in others a name in quotes may be a macro.
VARIABLE_HEADERS = re.compile(r"torch/include/torch/csrc/distributed/c10d/.*\.hpp")
CALLED_HEADERS = re.compile(r"torch/include/.*\.h(?:pp)?")
VARIABLE = re.compile(r"_?(?:PY)?(?:TORCH|TRITON|NCCL|AOT|INDUCTOR)[A-Z0-9_]*")
LEFT_OUT = re.compile(r"torch/(?:testing|_vendor|utils/benchmark|test|include|share|bin|onnx/_internal/exporter/_torchlib)/")
HOPS_MAX = 12


def collect(wheel, mentioned):
    """`mentioned`: dotted names under torch that are wanted, too."""
    known = settings(wheel)
    return {"setting": known, "api": api(wheel, [n for n in mentioned if n not in known]), "variable": variables(wheel), "log": logs(wheel),
            "limit": limits(wheel), "mode": modes(wheel), "stance": stances(wheel)}


# --- settings -------------------------------------------------------------------------------------------------------------


def settings(wheel):
    """{name: (Python text of the default or None, the setting of which it is an alias or None, environment variables)}"""
    found = {}
    for name in wheel.names:
        if not name.endswith("config.py") or LEFT_OUT.match(name):
            continue
        text = wheel.text(name)
        if "install_config_module(" not in text:
            continue
        module = name[:-3].replace("/", ".")
        for key, s in settings_of(text).items():
            if key != "TYPE_CHECKING" and "\n" not in repr(s.default):
                found[f"{module}.{key}"] = (text_of(s.default), s.alias, tuple(s.variables))
    return found


def text_of(value):
    if value is UNKNOWN:
        return None
    if isinstance(value, (set, frozenset)) and value:
        return "{" + ", ".join(sorted(map(repr, value))) + "}"
    return repr(value)


# --- functions and other names --------------------------------------------------------------------------------------------


def api(wheel, mentioned):
    """{dotted name: parameters as they are written}; of what takes none, or cannot be known, an empty tuple."""
    found = {}
    for module in PUBLIC:
        file = wheel.module_file(module)
        for name in public_names(wheel, file) if file else ():
            take(wheel, f"{module}.{name}", found)
    for name in [*NAMED, *mentioned]:
        take(wheel, name, found)
    return found


def take(wheel, dotted, found):
    node = resolve(wheel, dotted)
    if node is not None:
        found[dotted] = parameters(node)


def public_names(wheel, file):
    """Also what a package takes from its own modules, whether or not it says so in __all__."""
    tree = wheel.tree(file)
    names = set(exported(tree) or ())
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom) and node.level and file.endswith("/__init__.py"):
            names |= {alias.asname or alias.name for alias in node.names}
    return sorted(n for n in names if not n.startswith("_") and n != "*")


def exported(tree):
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
            try:
                return ast.literal_eval(node.value)
            except ValueError:
                return None
    return None


def resolve(wheel, dotted, hops=0):
    """The node that defines it, or None."""
    if hops > HOPS_MAX:
        return None
    words = dotted.split(".")
    for cut in range(len(words) - 1, 0, -1):  # `from .cond import cond` in a package hides its module cond
        file = wheel.module_file(".".join(words[:cut]))
        found = member(wheel, file, ".".join(words[:cut]), words[cut:], hops) if file else None
        if found is not None:
            return found
    file = wheel.module_file(dotted)
    return wheel.tree(file) if file else None


def member(wheel, file, module, words, hops):
    found = in_body(wheel, file, module, wheel.tree(file).body, words[0], hops)
    if found is None and module == "torch":
        found = next((n for n in (stub(wheel, s, words[0]) for s in STUBS) if n is not None), None)
    for word in words[1:]:
        found = in_body(wheel, file, module, getattr(found, "body", ()), word, hops) if isinstance(found, (ast.ClassDef, ast.Module)) else None
    return found


def stub(wheel, file, name):
    return in_body(wheel, file, "torch._C", wheel.tree(file).body, name, HOPS_MAX) if file in wheel.there else None


def in_body(wheel, file, module, body, name, hops):
    """The last one counts: those before it are overloads. What is imported is followed to where it is defined."""
    found = None
    for node in statements(body):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            found = node
        elif isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            found = found or followed(wheel, file, module, node.value, hops) or node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            found = found or node
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    found = resolve(wheel, absolute(file, module, node, alias.name), hops + 1) or found or node
                elif alias.name == "*" and found is None and module != "torch":
                    found = resolve(wheel, absolute(file, module, node, name), hops + 1)
    return found


def followed(wheel, file, module, value, hops):
    """`nonstrict_trace = _dynamo_mod.nonstrict_trace` and `mark = other`"""
    if isinstance(value, ast.Name) and hops < HOPS_MAX:
        return in_body(wheel, file, module, wheel.tree(file).body, value.id, hops + 1)
    return None


def statements(body):
    """Those of `if` and `try` at the same level, too."""
    for node in body:
        if isinstance(node, ast.If):
            yield from statements([*node.body, *node.orelse])
        elif isinstance(node, ast.Try):
            yield from statements([*node.body, *node.orelse])
        else:
            yield node


def absolute(file, module, node, name):
    if not node.level:
        return f"{node.module}.{name}"
    package = module.split(".") if file.endswith(("__init__.py", "__init__.pyi")) else module.split(".")[:-1]
    package = package[:len(package) - node.level + 1]
    return ".".join([*package, *([node.module] if node.module else []), name])


def parameters(node):
    if isinstance(node, ast.ClassDef):
        made = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
        return parameters(made)[1:] if made else ()
    if not isinstance(node, ast.FunctionDef):
        return ()
    a = node.args
    names = [x.arg for x in (*a.posonlyargs, *a.args)]
    names += [f"*{a.vararg.arg}"] if a.vararg else []
    names += [x.arg for x in a.kwonlyargs]
    names += [f"**{a.kwarg.arg}"] if a.kwarg else []
    return tuple(names)


# --- environment variables ------------------------------------------------------------------------------------------------


def variables(wheel):
    found = set()
    for name in wheel.names:
        if name.endswith(".py") and not LEFT_OUT.match(name):
            text = wheel.text(name)
            if "env" in text:
                found |= variables_of(ast.parse(text))
        elif VARIABLE_HEADERS.fullmatch(name):
            found |= set(re.findall(r'"((?:TORCH|NCCL)_[A-Z0-9_]+)"', wheel.text(name)))
        elif CALLED_HEADERS.fullmatch(name):
            found |= set(re.findall(r'\b(?:getenv|get_env|check_env|has_env)\(\s*"([A-Z0-9_]+)"', wheel.text(name)))
    return {name: () for name in sorted(found) if VARIABLE.fullmatch(name)}


def variables_of(tree):
    constants = {t.id: n.value.value for n in ast.walk(tree) if isinstance(n, ast.Assign) and isinstance(n.value, ast.Constant)
                 for t in n.targets if isinstance(t, ast.Name) and isinstance(n.value.value, str)}

    def names(node):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return {node.value}
        if isinstance(node, ast.Name) and node.id in constants:
            return {constants[node.id]}
        return set().union(*map(names, node.elts)) if isinstance(node, (ast.List, ast.Tuple)) else set()

    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func).lower()
            if "env" in called:
                found |= set().union(*map(names, node.args)) if node.args else set()
            found |= set().union(*(names(k.value) for k in node.keywords if k.arg and k.arg.startswith("env_name")), set())
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("environ"):
            found |= names(node.slice)
        elif isinstance(node, ast.Compare) and any(ast.unparse(c).endswith("environ") for c in node.comparators):
            found |= names(node.left)
    return found


# --- names in TORCH_LOGS, modes, stances, limits --------------------------------------------------------------------------


def calls(wheel, file, *functions):
    for node in ast.walk(wheel.tree(file)) if file in wheel.there else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions and node.args:
            if isinstance(node.args[0], ast.Constant):
                yield node.args[0].value


def logs(wheel):
    return {name: () for name in calls(wheel, "torch/_logging/_registrations.py", "register_log", "register_artifact")}


def modes(wheel):
    """Of torch.compile(mode=...): what torch._inductor.list_mode_options knows; 2.0 compares with each of them."""
    for node in ast.walk(wheel.tree("torch/_inductor/__init__.py")):
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(target, ast.Name) and target.id == "mode_options" and isinstance(node.value, ast.Dict):
            return {k.value: () for k in node.value.keys}
    return {name: () for name in re.findall(r'\bmode == "([\w-]+)"', wheel.text("torch/__init__.py"))}


def stances(wheel):
    """Of torch.compiler.set_stance: those that eval_frame.py asks for."""
    found = {}
    for node in ast.walk(wheel.tree("torch/_dynamo/eval_frame.py")):
        if isinstance(node, ast.Compare) and re.search(r"\bstance$", ast.unparse(node.left)):
            found.update((c.value, ()) for c in node.comparators if isinstance(c, ast.Constant) and isinstance(c.value, str))
    return found


def limits(wheel):
    """The names that the warning "hit config.NAME" has for a limit: up to 2.2 the warning itself has the only one."""
    found = {}
    for node in ast.walk(wheel.tree("torch/_dynamo/cache_size.py")) if "torch/_dynamo/cache_size.py" in wheel.there else ():
        if isinstance(node, ast.FunctionDef) and node.name.startswith("exceeds_"):
            found.update((n.value, ()) for n in ast.walk(node) if isinstance(n, ast.Constant) and str(n.value).endswith("_limit"))
    return found or {name: () for name in re.findall(r"hit config\.(\w+)", wheel.text("torch/_dynamo/convert_frame.py"))}
