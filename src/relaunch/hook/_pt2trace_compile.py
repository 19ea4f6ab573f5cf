"""What is changed in the program's calls of torch.compile, in settings of PyTorch, and in what Dynamo looks at. Part of the
hook, whose head says what each variable asks; loaded with torch, or at start where functions are to be disabled.
"""

import os
import sys

from _pt2trace_hook import asked, fail, guarded, is_loaded, is_tool, log, note, part, spec_of, when_loaded

CALLS_LOGGED = 100
FORWARDERS = ("torch.nn.modules.module", "torch.compiler")  # Module.compile, torch.compiler.compile


def begin():
    torch = sys.modules["torch"]
    torch.compile = wrapped_compile(torch.compile)
    prepare_config()
    when_loaded("torch._dynamo", dynamo_loaded)


def dynamo_loaded():
    dynamo = sys.modules["torch._dynamo"]  # torch has no such attribute yet
    dynamo.optimize = dynamo.eval_frame.optimize = wrapped_optimize(dynamo.optimize)
    watch_compiles()


# --- what the program asks of torch.compile ---------------------------------------------------------------------------


def dynamic():
    value = {"none": None, "true": True, "false": False}
    if asked("DYNAMIC") not in value:
        fail("DYNAMIC", "%r is none of none, true, false" % asked("DYNAMIC"))
    return value[asked("DYNAMIC")]


def recompile_limit():
    if not asked("RECOMPILE_LIMIT").isdigit():
        fail("RECOMPILE_LIMIT", "%r is no number" % asked("RECOMPILE_LIMIT"))
    return int(asked("RECOMPILE_LIMIT"))


def other_backend():
    """What the backend is to be; `none` is done by TORCHDYNAMO_DISABLE."""
    return "" if asked("BACKEND") == "none" else asked("BACKEND")


def arguments():
    """The text is Python: literals by names."""
    import ast

    for line in filter(None, asked("ARGUMENTS").split(";")):
        name, _, value = line.partition("=")
        try:
            yield name, ast.literal_eval(value)
        except (SyntaxError, ValueError) as error:
            fail("ARGUMENTS", "%r is no NAME=LITERAL: %s" % (line, error))


def drop_options(call):
    """guard_filter_fn is the one option that is not the backend's."""
    kept = {k: v for k, v in (call.pop("options", None) or {}).items() if k == "guard_filter_fn"}
    call.pop("mode", None)
    if kept:
        call["options"] = kept


def change_mode(call):
    mode, backend = asked("MODE"), call.get("backend") or "inductor"
    if backend != "inductor":
        refuse("PT2TRACE_MODE: not for the backend %s of a torch.compile" % (backend,))
        return
    drop_options(call)
    if "options" in call:  # mode and options exclude each other
        import torch._inductor

        call["options"].update(torch._inductor.list_mode_options(mode, call.get("dynamic")))
    else:
        call["mode"] = mode


def change_compile(call):
    """`call`: the keyword arguments of a torch.compile, as they are to be."""
    before = call.get("backend") or "inductor"
    if other_backend():
        call["backend"] = other_backend()
        if call["backend"] != before:
            drop_options(call)
    if asked("DYNAMIC"):
        call["dynamic"] = dynamic()
    if asked("MODE"):
        change_mode(call)
    if asked("FULLGRAPH") == "1":
        call["fullgraph"] = True
    call.update(arguments())
    if asked("RECOMPILE_LIMIT") and call.get("recompile_limit") is not None:
        call["recompile_limit"] = recompile_limit()


def change_optimize(call):
    if other_backend():
        call["backend"] = other_backend()
    if asked("DYNAMIC"):
        call["dynamic"] = dynamic()
    if asked("FULLGRAPH") == "1":
        call["nopython"] = True
    if asked("MODE"):
        refuse("PT2TRACE_MODE: torch._dynamo.optimize has no mode")
    if asked("RECOMPILE_LIMIT") and call.get("recompile_limit") is not None:
        call["recompile_limit"] = recompile_limit()


refusals = set()


def refuse(text):
    """It was asked, and does not fit this call."""
    if text not in refusals:
        refusals.add(text)
        note(text)
        log(refused=text)


def is_users(frame):
    """Whether a call is the program's, not PyTorch's own."""
    name = frame.f_globals.get("__name__") or ""
    return name in FORWARDERS or not (name == "torch" or name.startswith("torch."))


calls = [0]


def log_call(function, frame, before, after):
    """The call as the program wrote it, and what became of it."""
    changed = {k: after.get(k) for k in sorted({*before, *after}) if before.get(k) is not after.get(k)}
    while frame.f_globals.get("__name__") in FORWARDERS and frame.f_back:
        frame = frame.f_back
    calls[0] += 1
    if calls[0] <= CALLS_LOGGED:
        given = {k: before.get(k) for k in ("backend", "mode", "dynamic") if before.get(k) is not None}
        log(call=function, file=frame.f_code.co_filename, line=frame.f_lineno, given=given, changed=changed,
            options=bool(before.get("options")))


def wrapped_compile(original):
    import functools

    @functools.wraps(original)
    def compile(*args, **call):
        frame = sys._getframe(1)
        before_compile()
        if is_users(frame):
            before = dict(call)
            change_compile(call)
            log_call("torch.compile", frame, before, call)
        model = args[0] if args else call.get("model")
        if model is not None and is_disabled(model):
            return disabled(model)
        return original(*args, **call)

    return compile


def wrapped_optimize(original):
    import functools

    @functools.wraps(original)
    def optimize(*args, **call):
        frame = sys._getframe(1)
        if is_users(frame):
            before_compile()
            if args:
                call["backend"], args = args[0], args[1:]
            before = dict(call)
            change_optimize(call)
            log_call("torch._dynamo.optimize", frame, before, call)
        return original(*args, **call)

    return optimize


def before_compile(at_compile=False):
    """At every torch.compile, and when something begins to be compiled."""
    if asked("PATCH"):
        guarded(lambda: part("patch").apply_settings(at_compile))
    guarded(apply_config)
    guarded(disable_in_script)
    guarded(watch_compiles)


def compile_begins(*_):
    before_compile(at_compile=True)


def watch_compiles():
    """torch._dynamo.reset() forgets callbacks, so this is done again."""
    handler = getattr(sys.modules.get("torch._dynamo.callback"), "callback_handler", None)
    if handler is not None and compile_begins not in handler.start_callbacks:
        handler.register_start_callback(compile_begins)


# --- settings ---------------------------------------------------------------------------------------------------------

settings = []  # (where it was asked, module, names of attributes, value)


def read_config():
    """The text is Python: assignments of literals to dotted names."""
    import ast

    try:
        for node in ast.parse(asked("CONFIG")).body:
            target, = node.targets
            yield dotted(target), ast.literal_eval(node.value)
    except (SyntaxError, ValueError, AttributeError, TypeError) as error:
        fail("CONFIG", "%r is no list of NAME=LITERAL: %s" % (asked("CONFIG"), error))


def dotted(node):
    return node.id if hasattr(node, "id") else dotted(node.value) + "." + node.attr


def split_name(name):
    """The longest beginning of a dotted name that is a module, and the rest."""
    parts, path, n = name.split("."), None, 0
    while n < len(parts) - 1:
        spec = spec_of(".".join(parts[:n + 1]), path)
        if spec is None:
            break
        n += 1
        path = spec.submodule_search_locations
        if path is None:
            break
    return ".".join(parts[:n]), parts[n:]


def prepare_config():
    for name, value in read_config() if asked("CONFIG") else ():
        module, rest = split_name(name)
        if not module:
            fail("CONFIG", "%s: there is no module of this name" % name)
        settings.append((module, rest, value))
        when_loaded(module, apply_config)
    if asked("RECOMPILE_LIMIT"):
        recompile_limit()
        when_loaded("torch._dynamo.config", apply_config)


def set_one(module, names, value):
    holder = sys.modules[module]
    try:
        for name in names[:-1]:
            holder = getattr(holder, name)
        old = getattr(holder, names[-1])
        if type(old) is not type(value) or old != value:
            setattr(holder, names[-1], value)
    except Exception as error:
        version = getattr(sys.modules.get("torch.version"), "__version__", "of this installation")
        fail("CONFIG", "%s.%s=%r: %s (PyTorch %s)" % (module, ".".join(names), value, error, version))


def apply_config():
    for module, names, value in settings:
        if is_loaded(module):
            set_one(module, names, value)
    if asked("RECOMPILE_LIMIT") and is_loaded("torch._dynamo.config"):
        apply_recompile_limit(sys.modules["torch._dynamo.config"], recompile_limit())


def apply_recompile_limit(config, limit):
    name = "recompile_limit" if hasattr(config, "recompile_limit") else "cache_size_limit"
    set_one(config.__name__, [name], limit)
    if getattr(config, "accumulated_" + name) < limit:
        set_one(config.__name__, ["accumulated_" + name], limit)


# --- functions that Dynamo leaves alone -------------------------------------------------------------------------------

to_disable = {}  # the names that were asked for and have not been found yet, as lists of parts


def names_to_disable():
    return [name.strip() for name in asked("DISABLE").split(",") if name.strip()]


def disabled(function):
    import importlib
    import inspect

    disable = importlib.import_module("torch._dynamo").disable
    says_why = "reason" in inspect.signature(disable).parameters
    return disable(function, **({"reason": "PT2TRACE_DISABLE"} if says_why else {}))


def script():
    return sys.modules.get("__mp_main__") or sys.modules.get("__main__")


def script_name():
    """What the script would be called if it were imported."""
    module = script()
    spec = getattr(module, "__spec__", None)
    path = getattr(module, "__file__", None) or ""
    return spec.name if spec is not None else os.path.splitext(os.path.basename(path))[0]


def is_scripts(parts):
    name = script_name()
    return parts[0] == "__main__" or ".".join(parts).startswith(name + ".") and name not in sys.modules


def in_script(parts):
    """The parts behind the script's name."""
    return parts[1:] if parts[0] == "__main__" else parts[script_name().count(".") + 1:]


def is_disabled(model):
    """Whether what is given to torch.compile is itself one of the functions."""
    module, name = getattr(model, "__module__", None), getattr(model, "__qualname__", None)
    if not asked("DISABLE") or not module or not name:
        return False
    names = [module + "." + name]
    if module in ("__main__", "__mp_main__"):
        names += ["__main__." + name, script_name() + "." + name]
    found = [n for n in names if n in names_to_disable()]
    for n in found:
        to_disable.pop(n, None)
    return bool(found)


def replace(holder, name):
    """Puts the disabled function where the function is; static and class methods stay what they are."""
    raw = vars(holder).get(name) if isinstance(holder, type) else None
    if isinstance(raw, (staticmethod, classmethod)):
        setattr(holder, name, type(raw)(disabled(raw.__func__)))
        return
    function = getattr(holder, name)
    if not callable(function):
        fail("DISABLE", "%s is no function" % name)
    if not getattr(function, "_torchdynamo_disable", False):
        setattr(holder, name, disabled(function))


def find_holder(holder, parts):
    """The object that has the last name, and None; or the object that should have one that is missing, and that name."""
    for name in parts:
        if not hasattr(holder, name):
            return holder, name
        last, holder = holder, getattr(holder, name)
    return last, None


def is_submodule(package, name):
    return hasattr(package, "__path__") and spec_of(package.__name__ + "." + name, package.__path__) is not None


def disable_in(module, name, parts):
    """`parts` is what of `name` comes behind the module's name."""
    if name not in to_disable or not is_loaded("torch"):
        return
    holder, missing = find_holder(sys.modules[module], parts)
    if missing is None:
        del to_disable[name]
        replace(holder, parts[-1])
    elif not is_submodule(holder, missing):
        fail("DISABLE", "%s: %s has no %s" % (name, getattr(holder, "__name__", holder), missing))


def disable_in_script():
    for name, parts in list(to_disable.items()):
        if is_scripts(parts):
            rest = in_script(parts)
            holder, missing = find_holder(script(), rest)
            if missing is None:
                del to_disable[name]
                replace(holder, rest[-1])


def prepare_disable():
    """The module may be any beginning of a name. What is loaded before torch waits for it."""
    for name in names_to_disable():
        parts = name.split(".")
        if len(parts) < 2 or not all(part.isidentifier() for part in parts):
            fail("DISABLE", "%r is no MODULE.FUNCTION" % name)
        to_disable[name] = parts
        for n in range(1, len(parts)):
            watch_module(".".join(parts[:n]), name, parts[n:])
    if to_disable:
        import atexit

        atexit.register(refuse_missing)


def watch_module(module, name, parts):
    def try_it():
        disable_in(module, name, parts)

    def now_or_with_torch():
        when_loaded("torch", try_it) if module != "torch" else try_it()

    if module != "__main__":
        when_loaded(module, now_or_with_torch)


def refuse_missing():
    """Only where Dynamo was used: other processes of the program have nothing to leave alone."""
    if "torch._dynamo.convert_frame" in sys.modules and not is_tool():
        for name in to_disable:
            refuse("PT2TRACE_DISABLE: %s was not met" % name)
