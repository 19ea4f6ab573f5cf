"""What `pt2trace run` changes in a program that uses PyTorch, from outside: its directory is the first of PYTHONPATH.

Environment variables say what; none of them set: nothing happens. Python imports this file at start, in every child
process, too; it imports nothing but what is loaded already, and waits for the program to import `torch`. Python 3.8 and
later, PyTorch 2.3 and later.

PT2TRACE_BACKEND=eager
    the backend of torch.compile and torch._dynamo.optimize; mode and options belong to the backend that they were given
    for, and go with it
PT2TRACE_MODE=default
    the mode of torch.compile, where the backend is Inductor; it stands for the options, too
PT2TRACE_DYNAMIC=true
    dynamic= of both: none, true or false
PT2TRACE_FULLGRAPH=1
    fullgraph=True (nopython=True of torch._dynamo.optimize)
PT2TRACE_RECOMPILE_LIMIT=64
    torch._dynamo.config.recompile_limit (cache_size_limit in older versions), the accumulated limit if that is lower,
    and recompile_limit= of torch.compile where the program gives one
PT2TRACE_CONFIG='torch._inductor.config.fallback_random=True;torch._dynamo.config.verbose=True'
    settings of modules, set when the module is loaded, again at every torch.compile, and at the start of every compile
    that comes before a torch._dynamo.reset(), so that the program's own assignments lose; options= of torch.compile win
PT2TRACE_DISABLE=pkg.mod.f,pkg.mod.Class.method
    torch._dynamo.disable for these, when the module is loaded. The script's own functions are __main__.f, or NAME.f of
    NAME.py; they are replaced at the first torch.compile that comes behind their definition, at the latest when
    something is compiled. Not reached: functions in functions, what was bound elsewhere before that (a table of functions,
    functools.partial), and before 2.4 functions of PyTorch
PT2TRACE_DEADLINE=SECONDS
    (since 1970) shortly before it the stacks of all threads are written to standard error
PT2TRACE_PROFILE=DIR
    torch.profiler from `import torch` to the end, as DIR/kineto.PID.json; what runs is kept in memory until then.
    It ends early when the program starts a profiler of its own. Forked children are not profiled
PT2TRACE_BISECT_NAMES=FILE
    what the applications are of that Inductor's bisector looks at, which it keeps in memory alone before 2.13
PT2TRACE_HOOK_LOG=FILE
    what was done, for pt2trace itself: a line of JSON for each process that imported torch, and for each changed call

Calls of torch.compile that PyTorch itself makes (flex attention, control flow) stay as they are. What was asked and
cannot be done ends the program with status 97 and a line on standard error: it must not run as something else than it
seems to.
"""

import os
import sys

FAILED = 97
CALLS_LOGGED = 100
OF_CALLS = ("BACKEND", "MODE", "DYNAMIC", "FULLGRAPH", "RECOMPILE_LIMIT", "CONFIG", "DISABLE")
FORWARDERS = ("torch.nn.modules.module", "torch.compiler")  # Module.compile, torch.compiler.compile
HERE = os.path.dirname(os.path.abspath(__file__))


def asked(name):
    return os.environ.get("PT2TRACE_" + name, "")


def note(text):
    try:
        os.write(2, ("pt2trace: " + text + "\n").encode("utf-8", "replace"))
    except OSError:
        pass


def fail(name, text):
    """The program would not run as it was asked to: it ends here, whatever catches exceptions."""
    note("PT2TRACE_%s: %s" % (name, text))
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    os._exit(FAILED)


def log(**facts):
    path = asked("HOOK_LOG")
    if not path:
        return
    import json

    line = json.dumps(dict(pid=os.getpid(), **facts), default=str) + "\n"
    try:
        with open(path, "ab", buffering=0) as out:
            out.write(line.encode())
    except OSError as error:
        note("PT2TRACE_HOOK_LOG: %s" % error)


# --- when a module has been loaded ------------------------------------------------------------------------------------

waiting = {}  # module name -> functions that are called when it was loaded
executed = set()  # of these: Python calls them loaded a little later


def is_loaded(name):
    module = sys.modules.get(name)
    loading = getattr(getattr(module, "__spec__", None), "_initializing", False)
    return module is not None and (name in executed or not loading)


def guarded(function):
    """An error of ours is never one of the program's, and never passes unseen."""
    try:
        function()
    except Exception as error:
        version = getattr(sys.modules.get("torch"), "__version__", "not loaded")
        fail("HOOK", "%s: %s (PyTorch %s)" % (type(error).__name__, error, version))


def when_loaded(name, function):
    if is_loaded(name):
        guarded(function)
    else:
        waiting.setdefault(name, []).append(function)


def spec_of(name, path):
    """What the import system finds, without importing anything."""
    for finder in sys.meta_path:
        find = getattr(finder, "find_spec", None)
        spec = find(name, path) if find and finder is not FINDER else None
        if spec is not None:
            return spec
    return None


class Loader:
    """The module's own loader; it is in the module's place again before the module's code runs."""

    def __init__(self, loader):
        self.own = loader

    def __getattr__(self, name):
        return getattr(self.own, name)

    def exec_module(self, module):
        module.__spec__.loader = self.own
        module.__loader__ = self.own
        self.own.exec_module(module)
        executed.add(module.__name__)
        for function in waiting.pop(module.__name__, ()):
            guarded(function)


class Finder:
    """First of sys.meta_path: it only looks on."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in waiting:
            return None
        spec = spec_of(name, path)
        if spec is not None and hasattr(spec.loader, "exec_module"):
            spec.loader = Loader(spec.loader)
        return spec


FINDER = Finder()


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


def drop_options(call):
    """guard_filter_fn is the one option that is not the backend's."""
    kept = {k: v for k, v in (call.pop("options", None) or {}).items() if k == "guard_filter_fn"}
    call.pop("mode", None)
    if kept:
        call["options"] = kept


def change_mode(call):
    mode, backend = asked("MODE"), call.get("backend") or "inductor"
    if backend != "inductor":
        once("PT2TRACE_MODE: not for the backend %s of a torch.compile" % (backend,))
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
        once("PT2TRACE_MODE: torch._dynamo.optimize has no mode")
    if asked("RECOMPILE_LIMIT") and call.get("recompile_limit") is not None:
        call["recompile_limit"] = recompile_limit()


noted = set()


def once(text):
    if text not in noted:
        noted.add(text)
        note(text)


def is_users(frame):
    """Whether a call is the program's, not PyTorch's own."""
    name = frame.f_globals.get("__name__") or ""
    return name in FORWARDERS or not (name == "torch" or name.startswith("torch."))


calls = [0]


def log_call(function, frame, before, after):
    changed = {k: after.get(k) for k in sorted({*before, *after}) if before.get(k) is not after.get(k)}
    while frame.f_globals.get("__name__") in FORWARDERS and frame.f_back:
        frame = frame.f_back
    calls[0] += 1
    if calls[0] <= CALLS_LOGGED:
        log(call=function, file=frame.f_code.co_filename, line=frame.f_lineno, changed=changed)


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


def before_compile(*_):
    """At every torch.compile, and when something begins to be compiled."""
    guarded(apply_config)
    guarded(disable_in_script)
    guarded(watch_compiles)


def watch_compiles():
    """torch._dynamo.reset() forgets callbacks, so this is done again."""
    handler = getattr(sys.modules.get("torch._dynamo.callback"), "callback_handler", None)
    if handler is not None and before_compile not in handler.start_callbacks:
        handler.register_start_callback(before_compile)


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

        atexit.register(tell_missing)


def watch_module(module, name, parts):
    def try_it():
        disable_in(module, name, parts)

    def now_or_with_torch():
        when_loaded("torch", try_it) if module != "torch" else try_it()

    if module != "__main__":
        when_loaded(module, now_or_with_torch)


def tell_missing():
    """Only where Dynamo was used: other processes of the program have nothing to leave alone."""
    if "torch._dynamo.convert_frame" in sys.modules and not is_tool():
        for name in to_disable:
            note("PT2TRACE_DISABLE: %s was not met" % name)


# --- stacks of a program that hangs -----------------------------------------------------------------------------------


def is_tool():
    """PyTorch's own processes: the launcher, Inductor's compile workers."""
    words = [word for word in getattr(sys, "orig_argv", sys.argv)[1:] if not word.startswith("-")]
    main = words[0] if words else ""
    return os.path.basename(main) == "torchrun" or "compile_worker" in main or main in (
        "torch.distributed.run", "torch.distributed.launch")


def watch_deadline():
    """Python's own timer needs no GIL, and there is one: a program that sets it has it for itself."""
    import faulthandler
    import time

    try:
        deadline = float(asked("DEADLINE"))
    except ValueError:
        fail("DEADLINE", "%r is no time" % asked("DEADLINE"))
    start, stop, state = faulthandler.dump_traceback_later, faulthandler.cancel_dump_traceback_later, {"ours": True}

    def arm():
        left = deadline - time.time()
        if state["ours"] and left > 0:
            start(max(left - 3, left / 2), file=2)

    def disarm():
        if state["ours"]:
            stop()

    def hand_over(function):
        def of_program(*args, **kwargs):
            state["ours"] = False
            return function(*args, **kwargs)

        return of_program

    arm()
    faulthandler.dump_traceback_later, faulthandler.cancel_dump_traceback_later = hand_over(start), hand_over(stop)
    # A child has no watching thread; Python would wait for it at the child's end.
    os.register_at_fork(before=disarm, after_in_parent=arm, after_in_child=arm)


# --- torch.profiler ---------------------------------------------------------------------------------------------------

profile = {"running": None, "pid": 0}


def start_profile():
    try:
        import torch.profiler

        activities = [torch.profiler.ProfilerActivity.CPU]
        if torch.cuda.is_available():
            activities.append(torch.profiler.ProfilerActivity.CUDA)
        own = torch.profiler.profile(activities=activities, experimental_config=all_threads())
        own.start()
    except Exception as error:
        note("PT2TRACE_PROFILE: torch.profiler does not start: %s" % error)
        return
    profile.update(running=own, pid=os.getpid())
    give_way()
    import atexit

    atexit.register(end_profile)


def all_threads():
    """Only newer versions can."""
    from torch._C._profiler import _ExperimentalConfig

    try:
        return _ExperimentalConfig(profile_all_threads=True)
    except TypeError:
        return None


def give_way():
    """Only one profiler can run: the program's own comes first."""
    from torch.autograd import profiler

    prepare = profiler.profile._prepare_trace

    def _prepare_trace(self, *args, **kwargs):
        if profile["running"] is not None and profile["pid"] == os.getpid():
            note("PT2TRACE_PROFILE: ends here, because the program starts a profiler of its own")
            end_profile()
        return prepare(self, *args, **kwargs)

    profiler.profile._prepare_trace = _prepare_trace


def end_profile():
    own, profile["running"] = profile["running"], None
    if own is None or profile["pid"] != os.getpid():
        return
    name = "kineto.%d.json" % os.getpid()
    part = os.path.join(asked("PROFILE"), "." + name)
    try:
        own.stop()
        own.export_chrome_trace(part)
        os.replace(part, os.path.join(asked("PROFILE"), name))
    except Exception as error:
        note("PT2TRACE_PROFILE: %s" % error)


# --- Inductor's bisector -----------------------------------------------------------------------------------


def write_names():
    names = getattr(sys.modules.get("torch._inductor.compiler_bisector"), "call_counter_debug_info", None) or {}
    try:
        with open(asked("BISECT_NAMES"), "a") as out:
            out.writelines("%d=%s\n" % (number, " ".join(str(name).split())) for number, name in names.items())
    except OSError as error:
        note("PT2TRACE_BISECT_NAMES: %s" % error)


# --- beginning --------------------------------------------------------------------------------------------------------


def torch_loaded():
    torch = sys.modules["torch"]
    log(torch=torch.__version__)
    if any(map(asked, OF_CALLS)):
        torch.compile = wrapped_compile(torch.compile)
        prepare_config()
        when_loaded("torch._dynamo", dynamo_loaded)
    if asked("PROFILE") and not is_tool():
        start_profile()


def dynamo_loaded():
    dynamo = sys.modules["torch._dynamo"]  # torch has no such attribute yet
    dynamo.optimize = dynamo.eval_frame.optimize = wrapped_optimize(dynamo.optimize)
    watch_compiles()


def load_shadowed():
    """The sitecustomize that would have been loaded, in our place; its errors are those of Python's start."""
    from importlib import machinery, util

    spec = machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        module = util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


def begin():
    if any(name.startswith("PT2TRACE_") for name in os.environ):
        sys.modules["_pt2trace_hook"] = sys.modules["sitecustomize"]
        sys.meta_path.insert(0, FINDER)
        when_loaded("torch", torch_loaded)
        prepare_disable()
        if asked("BISECT_NAMES"):
            import atexit

            atexit.register(write_names)
        if asked("DEADLINE") and not is_tool():
            watch_deadline()
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != HERE]
    load_shadowed()


begin()
