"""What `pt2trace run` changes in a program that uses PyTorch, and learns of it, from outside: its directory is the first
of PYTHONPATH.

Environment variables say what; none of them set: nothing happens. Python imports this file at start, in every child
process, too; it imports nothing but what is loaded already, and waits for the program to import `torch`. The files
beside it are loaded when they are needed. Python 3.8 and later, PyTorch 2.3 and later.

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
PT2TRACE_ARGUMENTS='dynamic=True;recompile_limit=16'
    arguments of torch.compile, in place of the program's
PT2TRACE_PATCH=FILE
    statements that a report advises, put into the program while Python reads it: see _pt2trace_patch.py
PT2TRACE_CALLS=1
    calls of torch.compile are reported, and not changed
PT2TRACE_LOGS='recompiles,guards PATH'
    what TORCH_LOGS would ask for goes to PATH.PID.log; standard error has what the program itself asks for, and no more
PT2TRACE_STACKS='SIGNAL DIR'
    on this signal the stacks of all threads are written to DIR/PID.txt
PT2TRACE_RANKS='DEV:INO DEV:INO SOCKET'
    where this process is a rank of a job, and its standard output and error are the two files: they become pipes (or
    terminals) of its own, whose other ends go through the socket to pt2trace
PT2TRACE_OPENS='SINCE UNTIL PATH'
    names of files that the process opens to read, and that were written between these two times (since 1970), go to PATH
PT2TRACE_PROFILE=DIR
    torch.profiler from `import torch` to the end, as DIR/kineto.PID.json; what runs is kept in memory until then.
    It ends early when the program starts a profiler of its own. Forked children are not profiled
PT2TRACE_BISECT_NAMES=FILE
    what the applications are of that Inductor's bisector looks at, which it keeps in memory alone before 2.13
PT2TRACE_HOOK_LOG='NAME,NAME FILE'
    what was done, for pt2trace itself: a line of JSON for each process that imported torch, with the values of these
    variables as it sees them, for each call of torch.compile, and for what was asked and did not fit

Calls of torch.compile that PyTorch itself makes (flex attention, control flow) stay as they are. What was asked and
cannot be done ends the program with status 97 and a line on standard error: it must not run as something else than it
seems to.
"""

import os
import sys

FAILED = 97
OF_CALLS = ("BACKEND", "MODE", "DYNAMIC", "FULLGRAPH", "ARGUMENTS", "RECOMPILE_LIMIT", "CONFIG", "DISABLE", "PATCH")
RANKS = ("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID")
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


def append(path, text):
    """In one piece, among those of other processes."""
    try:
        with open(path, "ab", buffering=0) as out:
            out.write(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        note("%s: %s" % (path, error))


def log(**facts):
    if asked("HOOK_LOG"):
        import json

        append(asked("HOOK_LOG").split(" ", 1)[1], json.dumps(dict(pid=os.getpid(), **facts), default=str) + "\n")


def part(name):
    """Another file of the hook, as a module."""
    full = "_pt2trace_" + name
    if full not in sys.modules:
        from importlib import util

        spec = util.spec_from_file_location(full, os.path.join(HERE, full + ".py"))
        sys.modules[full] = util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[full])
    return sys.modules[full]


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


# --- this process -----------------------------------------------------------------------------------------------------


def is_tool():
    """PyTorch's own processes: the launcher, Inductor's compile workers."""
    words = [word for word in getattr(sys, "orig_argv", sys.argv)[1:] if not word.startswith("-")]
    main = words[0] if words else ""
    return os.path.basename(main) == "torchrun" or "compile_worker" in main or main in (
        "torch.distributed.run", "torch.distributed.launch")


def rank():
    """Which rank of a job this process is, as its launcher says; None when it is none."""
    for name in RANKS:
        if os.environ.get(name, "").isdigit():
            return int(os.environ[name])
    return None


def attempt():
    """torchrun starts a job again that failed, if it is asked to."""
    return os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")


def report(**more):
    """That this process is here, and with which settings: pt2trace checks that they are what it asked for."""
    torch = sys.modules["torch"]
    names = [name for name in asked("HOOK_LOG").split(" ", 1)[0].split(",") if name]
    log(torch=torch.__version__, executable=sys.executable, rank=rank(), attempt=int(attempt()), tool=is_tool(),
        trace=os.environ.get("TORCH_TRACE"), settings={name: os.environ.get(name) for name in names}, **more)


# --- stacks of a program that hangs -----------------------------------------------------------------------------------

stacks = {}  # the file, open as long as the signal may come


def watch_stacks():
    """Python's own writer needs no GIL: it works while a C function hangs."""
    import faulthandler

    signal, folder = asked("STACKS").split(" ", 1)
    path = os.path.join(folder, "%d.txt" % os.getpid())
    try:
        stacks["file"] = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        faulthandler.register(int(signal), file=stacks["file"], all_threads=True)
    except (OSError, ValueError, RuntimeError) as error:
        note("PT2TRACE_STACKS: %s" % error)


# --- what a rank writes -----------------------------------------------------------------------------------------------


def part_rank():
    """Files of a launcher's own, or another node's, are left as they are."""
    ours = asked("RANKS").split(" ", 2)
    for fd in (1, 2):
        try:
            there = os.fstat(fd)
        except OSError:
            continue
        name = "%d:%d" % (there.st_dev, there.st_ino)
        if name in ours[:2]:
            hand_over(fd, ours.index(name) + 1, ours[2])


def hand_over(fd, which, path):
    import array
    import socket

    read, write = os.openpty() if os.isatty(fd) else os.pipe()
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as to:
            to.connect(path)
            rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [read]))
            to.sendmsg([("%d %s %d" % (rank(), attempt(), which)).encode()], [rights])
        os.dup2(write, fd)
    except OSError as error:
        note("PT2TRACE_RANKS: %s" % error)
    os.close(read)
    os.close(write)


# --- files that it reads ----------------------------------------------------------------------------------------------


def watch_opens():
    """Files that an earlier launch wrote: what a program finds there makes two launches differ."""
    since, until, path = asked("OPENS").split(" ", 2)
    since, until, seen = float(since), float(until), set()

    def look(event, arguments):
        if event != "open" or not isinstance(arguments[0], str) or arguments[0] in seen:
            return
        name, mode, flags = arguments
        if isinstance(flags, int) and flags & os.O_ACCMODE == os.O_WRONLY:
            return
        seen.add(name)
        try:
            written = os.stat(name).st_mtime
        except (OSError, ValueError):
            return
        full = os.path.abspath(name)
        if since <= written <= until and not full.endswith(".pyc") and not full.startswith(HERE):
            append(path, full + "\n")

    sys.addaudithook(look)


# --- Inductor's bisector ----------------------------------------------------------------------------------------------


def write_names():
    names = getattr(sys.modules.get("torch._inductor.compiler_bisector"), "call_counter_debug_info", None) or {}
    append(asked("BISECT_NAMES"),
           "".join("%d=%s\n" % (number, " ".join(str(name).split())) for number, name in names.items()))


# --- beginning --------------------------------------------------------------------------------------------------------


def torch_loaded():
    report()
    if any(map(asked, OF_CALLS + ("CALLS",))):
        part("compile").begin()
    if asked("PROFILE") and not is_tool():
        part("profile").begin()


def in_child():
    """Forked: it has the parent's modules, and none of its threads."""
    if asked("STACKS") and stacks:
        os.close(stacks.pop("file"))
        watch_stacks()
    if "torch" in sys.modules:
        report(forked=True)


def load_shadowed():
    """The sitecustomize that would have been loaded, in our place; its errors are those of Python's start."""
    from importlib import machinery, util

    spec = machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        module = util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


def install():
    sys.modules["_pt2trace_hook"] = sys.modules["sitecustomize"]
    sys.meta_path.insert(0, FINDER)
    if asked("RANKS") and rank() is not None and not is_tool():
        part_rank()
    if asked("STACKS") and not is_tool():
        watch_stacks()
    if asked("OPENS"):
        watch_opens()
    if asked("LOGS") and not is_tool():
        when_loaded("torch._logging._internal", lambda: part("logs").begin())
    when_loaded("torch", torch_loaded)
    if asked("DISABLE"):
        part("compile").prepare_disable()
    if asked("PATCH"):
        part("patch").begin()
    if asked("BISECT_NAMES"):
        import atexit

        atexit.register(write_names)
    os.register_at_fork(after_in_child=lambda: guarded(in_child))


def begin():
    # Of a run in a run, the inner one's is first; the other's would look for modules through this one, and this through it.
    if "_pt2trace_hook" not in sys.modules and any(name.startswith("PT2TRACE_") for name in os.environ):
        guarded(install)
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != HERE]
    load_shadowed()


begin()
