#!/usr/bin/env python3
"""The hook that `pt2trace run` puts into Python programs does what its variables ask, and nothing else. Prints TAP.

usage: test_hook.py SOURCE [PYTHON...]

Each PYTHON has a PyTorch; without any, the one of tools/torch-python is used. What needs no PyTorch is tried on a stand-in for it.
"""

import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

from tap import Tap
from torch_python import torch_python

# A package that has what the hook touches of PyTorch, and prints what it is called with.
STAND_IN = {
    "torch/__init__.py": "__version__ = '2.13.0'\n"
                         "def compile(model=None, *, backend='inductor', **call):\n"
                         "    print('compile', backend, sorted(call.items()))\n"
                         "    return model\n",
    "torch/_dynamo/__init__.py": "from . import eval_frame\nfrom .eval_frame import optimize\n"
                                 "def disable(f):\n    print('disabled', f.__name__)\n    return f\n",
    "torch/_dynamo/eval_frame.py": "def optimize(backend='inductor', **call):\n"
                                   "    print('optimize', backend, sorted(call.items()))\n    return lambda f: f\n",
    "torch/_dynamo/config.py": "recompile_limit = 8\naccumulated_recompile_limit = 256\nverbose = False\n"
                               "class inner:\n    flag = 'a'\n",
    "torch/nn.py": "import torch\ndef own():\n    return torch.compile(None, backend='eager')\n",
}
BOTH = "import torch, torch._dynamo\ntorch.compile(print)\ntorch._dynamo.optimize('mine')(print)\n"


class Runs:
    """Runs programs with one Python, under the hook."""

    def __init__(self, source, temp, python, stand_in=False):
        self.hook = pathlib.Path(source, "src", "relaunch", "hook").resolve()
        self.temp, self.python, self.stand_in, self.environment = temp, python, stand_in, {}

    def run(self, program, folder=None, arguments=(), files=None, before="", **asked):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.temp)) if folder is None else folder
        for name, text in {**(files or {}), "program.py": program}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("PT2TRACE_", "TORCH", "PYTHON"))}
        path = [before, os.environ.get("PYTHONPATH", ""), str(self.temp / "stand_in") if self.stand_in else ""]
        environment["PYTHONPATH"] = os.pathsep.join([str(self.hook), *filter(None, path)])
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        environment["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
        environment.update(self.environment)
        environment.update({"PT2TRACE_" + name: str(value) for name, value in asked.items()})
        return subprocess.run([self.python, *(arguments or ["program.py"])], cwd=folder, env=environment, capture_output=True,
                              text=True, timeout=100, check=False)

    def lines(self, *arguments, **asked):
        """Standard output, when the program ended well and said nothing else."""
        done = self.run(*arguments, **asked)
        errors = [line for line in done.stderr.splitlines() if "riton not found" not in line and "Warning" not in line]
        return done.stdout.splitlines() if done.returncode == 0 else [f"exit {done.returncode}", *errors[-6:]]


def test_plain_python(tap, runs):
    """Programs that have nothing to do with PyTorch."""
    program = "import sys\nprint([p for p in sys.path if p.endswith('hook')], 'ast' in sys.modules, 'torch' in sys.modules)\n"
    asked = {"BACKEND": "eager", "CONFIG": "torch._dynamo.config.verbose=True", "DISABLE": "torch.f", "PROFILE": "."}
    tap.equal("a program without PyTorch imports nothing more, and finds no new directory in sys.path",
              ["[] False False"], runs.lines(program, **asked))
    tap.equal("nothing asked: nothing installed", ["0"],
              runs.lines("import sys\nprint(sum('pt2trace' in n for n in sys.modules) + sum(f.__class__.__name__ == 'Finder' for f in sys.meta_path))"))
    other = {"other/sitecustomize.py": "import sys\nsys.was_here = 'yes'\n"}
    folder = pathlib.Path(tempfile.mkdtemp(dir=runs.temp))
    tap.equal("a sitecustomize that stands behind ours is loaded, under its name", ["yes True"],
              runs.lines("import sys, sitecustomize\nprint(sys.was_here, 'other' in sitecustomize.__file__)", folder, files=other,
                         before=str(folder / "other"), BACKEND="eager"))
    broken = {"other/sitecustomize.py": "raise ValueError('theirs')\n"}
    folder = pathlib.Path(tempfile.mkdtemp(dir=runs.temp))
    done = runs.run("import torch\ntorch.compile(print)", folder, files=broken, before=str(folder / "other"), BACKEND="eager")
    tap.point("its errors are shown as Python shows them, and ours is in place",
              "ValueError: theirs" in done.stderr and "compile eager" in done.stdout, done.stdout, done.stderr)


def test_stand_in(tap, runs):
    """What is passed on to torch.compile."""
    tap.equal("as it is", ["compile inductor []", "optimize mine []"], runs.lines(BOTH, HOOK_LOG=" log"))
    tap.equal("all that can be said of a call",
              ["compile eager [('dynamic', True), ('fullgraph', True)]", "optimize eager [('dynamic', True), ('nopython', True)]"],
              runs.lines(BOTH, BACKEND="eager", DYNAMIC="true", FULLGRAPH="1"))
    tap.equal("mode and options belong to the backend they were given for", ["compile eager []", "compile inductor [('options', {'x': 1})]"],
              runs.lines("import torch\ntorch.compile(print, options={'x': 1}, backend='b')\n", BACKEND="eager")
              + runs.lines("import torch\ntorch.compile(print, options={'x': 1})\n", BACKEND="inductor"))
    tap.equal("a mode stands for options", ["compile inductor [('mode', 'default')]"],
              runs.lines("import torch\ntorch.compile(print, options={'x': 1})\n", MODE="default"))
    tap.equal("what PyTorch itself compiles stays", ["compile eager []"],
              runs.lines("import torch.nn\ntorch.nn.own()\n", BACKEND="inductor", DYNAMIC="false"))
    tap.equal("backend none is no matter of the hook", ["compile inductor []", "optimize mine []"], runs.lines(BOTH, BACKEND="none"))
    program = "import torch, inspect\nprint(type(torch.__spec__.loader).__name__, type(torch.__loader__).__name__, torch.compile.__name__, 'model' in inspect.signature(torch.compile).parameters)\n"
    tap.equal("the module looks as ever", ["SourceFileLoader SourceFileLoader compile True"], runs.lines(program, BACKEND="eager"))
    for how in ("fork", "spawn"):
        program = ("import multiprocessing as m\ndef f():\n    import torch\n    torch.compile(print)\n"
                   f"if __name__ == '__main__':\n    p = m.get_context('{how}').Process(target=f)\n    p.start()\n    p.join()\n")
        tap.equal(f"children by {how}", ["compile eager []"], runs.lines(program, BACKEND="eager"))


def test_settings(tap, runs):
    show = "import torch._dynamo.config as c\nprint(c.recompile_limit, c.accumulated_recompile_limit, c.verbose, c.inner.flag)\n"
    tap.equal("limits", ["500 500 False a", "4 256 False a"], runs.lines(show, RECOMPILE_LIMIT=500) + runs.lines(show, RECOMPILE_LIMIT=4))
    tap.equal("settings, also in classes, also with a semicolon", ["8 256 True b;c=d"],
              runs.lines("import torch\n" + show, CONFIG="torch._dynamo.config.verbose=True; torch._dynamo.config.inner.flag='b;c=d'"))
    tap.equal("the program's own assignment loses", ["9 256 False a"],
              runs.lines("import torch\nimport torch._dynamo.config as c\nc.recompile_limit = 2\ntorch.compile(print)\n" + show,
                         RECOMPILE_LIMIT=9)[-1:])
    for name, value, words in (("CONFIG", "torch._dynamo.config.no_such=1", "no_such"), ("CONFIG", "torch._dynamo.confik.x=1", "confik"),
                               ("CONFIG", "torch.x=open('f')", "NAME=LITERAL"), ("CONFIG", "x", "NAME=LITERAL"), ("DYNAMIC", "maybe", "maybe"),
                               ("CONFIG", "torch._dynamo.config.verbose=", "NAME=LITERAL"), ("RECOMPILE_LIMIT", "many", "many"),
                               ("DISABLE", "torch.compyle", "compyle"), ("DISABLE", "f", "MODULE.FUNCTION")):
        program = "try:\n    import torch, torch._dynamo.config\n    torch.compile(print)\nexcept BaseException:\n    print('went on')\nprint('went on')\n"
        done = runs.run(program, **{name: value})
        tap.point(f"{name}={value}: status 97 and a line that says why",
                  done.returncode == 97 and not done.stdout and f"pt2trace: PT2TRACE_{name}: " in done.stderr and words in done.stderr,
                  done.returncode, done.stdout, done.stderr)


MODULES = {"pkg/__init__.py": "def top(): pass\n",
           "pkg/mod.py": "import torch\ndef f(): pass\nclass C:\n    def m(self): pass\n    @staticmethod\n    def s(): pass\n",
           "early.py": "def g(): pass\n"}


def test_disabling(tap, runs):
    asked = "pkg.mod.f,pkg.mod.C.m,pkg.mod.C.s,pkg.top,early.g"
    tap.equal("functions, methods, static methods, what is loaded before torch", ["disabled " + n for n in ("top", "g", "f", "m", "s")],
              runs.lines("import pkg\nimport early\nimport pkg.mod\npkg.mod.C.s()\n", files=MODULES, DISABLE=asked))
    program = "import torch\ndef one(): pass\n@torch.compile\ndef two(): one()\nclass K:\n    def m(self): pass\ntorch.compile(K())\n"
    expected = ["disabled one", "compile inductor []", "disabled m", "compile inductor []"]
    tap.equal("the script's own", expected, runs.lines(program, DISABLE="__main__.one,__main__.K.m"))
    tap.equal("the script's own, by its name", expected, runs.lines(program, DISABLE="program.one,program.K.m"))
    tap.equal("what is compiled itself", ["disabled two"], runs.lines(program, DISABLE="__main__.two")[:1])
    tap.equal("what is not there ends the program", ["exit 97", "pt2trace: PT2TRACE_DISABLE: pkg.mod.C.x: C has no x"],
              runs.lines("import pkg.mod\n", files=MODULES, DISABLE="pkg.mod.C.x"))


def test_stacks(tap, runs):
    """A signal makes every process write where it is, whatever it does."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=runs.temp))
    program = """import os, signal, sys, time
def hangs():
    sum(range(10 ** 12))
if os.fork() == 0:
    time.sleep(2)
    os._exit(0)
if os.fork() == 0:
    time.sleep(1)
    for name in os.listdir("."):
        if name.endswith(".txt"):
            os.kill(int(name[:-4]), 62)
    time.sleep(0.5)
    os.kill(os.getppid(), 9)
    os._exit(0)
hangs()
"""
    runs.run(program, folder, STACKS="62 .")
    texts = [path.read_text() for path in sorted(folder.glob("*.txt"))]
    tap.equal("three processes, three files", 3, len(texts))
    tap.point("a hang in C shows where it is", any("in hangs" in text for text in texts), texts)
    tap.equal("and each writes its own", [1, 1, 1], [text.count("Current thread") for text in texts])


def test_opens(tap, runs):
    folder = pathlib.Path(tempfile.mkdtemp(dir=runs.temp))
    (folder / "old").write_text("1")
    (folder / "state").write_text("2")
    os.utime(folder / "old", (1000, 1000))
    begun = time.time()
    program = "open('old').read()\nopen('state').read()\nopen('state').read()\nopen('new', 'w').write('3')\nopen('new').read()\n"
    runs.run(program, folder, OPENS=f"{begun - 100} {begun} {folder / 'read files'}")
    tap.equal("files that an earlier run wrote and this one reads", [str(folder / "state")], (folder / "read files").read_text().split())


def received(socket_):
    """The note and the descriptor of one message."""
    message, rights, _, _ = socket_.recvmsg(100, 100)
    return message.decode(), int.from_bytes(rights[0][2][:4], "little")


def test_ranks(tap, runs):
    """A rank's output goes where pt2trace reads it, if it was to go to what pt2trace reads."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=runs.temp))
    server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    server.bind(str(folder / "a socket"))
    server.listen()
    (folder / "program.py").write_text("import sys\nprint('out')\nprint('err', file=sys.stderr)\n")
    for name, environment, ours, expected in (
            ("of a rank", {"RANK": "3", "TORCHELASTIC_RESTART_COUNT": "1"}, True, (["3 1 1", "3 1 2"], b"", b"")),
            ("of a program that is none", {}, True, ([], b"out\n", b"err\n")),
            ("that goes elsewhere", {"RANK": "3"}, False, ([], b"out\n", b"err\n"))):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as other:
            ids = [os.fstat(file.fileno()) for file in ((out, err) if ours else (other, other))]
            asked = " ".join(f"{s.st_dev}:{s.st_ino}" for s in ids) + f" {folder / 'a socket'}"
            process = subprocess.Popen([runs.python, "program.py"], cwd=folder, stdout=out, stderr=err,
                                       env={**os.environ, "PYTHONPATH": str(runs.hook), "PT2TRACE_RANKS": asked, **environment})
            notes, texts = [], []
            for _ in expected[0]:
                connection, _ = server.accept()
                note, fd = received(connection)
                connection.close()
                notes.append(note)
                texts.append(fd)
            process.wait(60)
            kept = [os.read(fd, 100) for fd in texts]
            for fd in texts:
                os.close(fd)
            out.seek(0), err.seek(0)
            tap.equal(f"the output {name}", expected, (notes, out.read(), err.read()))
            if notes:
                tap.equal("is what comes out of the descriptors", [b"out\n", b"err\n"], kept)
    server.close()


PATCHED = """'''What it is.'''
from __future__ import annotations
import multiprocessing, os, sys
import helper


def f(x):
    y = x + 1
    return y


if __name__ == "__main__":
    print(f(1), helper.g(2), os.path.basename(sys.path[0]), os.path.basename(__file__), __spec__, __doc__, sys.argv[1:])
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(f, [3]), sys._getframe().f_lineno)
"""
HELPER = """def same(f):
    return f


@same
def g(y):
    if y > 5:
        pass
    elif y > 1:
        return (y +
                y)
"""


def patched(runs, patches, arguments, check=True):
    """Output of the program with these statements, as (file, line, text), and the names of those that are in it."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=runs.temp))
    listed = [{"id": str(i), "file": str(folder / file), "line": line, "text": text} for i, (file, line, text) in enumerate(patches, 1)]
    done = runs.run(PATCHED, folder, arguments, files={"helper.py": HELPER, "patch.json": json.dumps(listed)},
                    PATCH=folder / "patch.json", HOOK_LOG=f" {folder}/log.jsonl")
    log = (folder / "log.jsonl").read_text() if (folder / "log.jsonl").exists() else ""
    return done, sorted({json.loads(line)["patched"] for line in log.splitlines() if "patched" in line})


def test_patches(tap, runs):
    """Statements that are put into files while Python reads them."""
    patches = [("program.py", 9, "y *= 100"), ("helper.py", 5, "same = lambda f: (lambda y: 'seen')")]
    for arguments in (["program.py", "a"], ["-m", "program", "a"]):
        done, applied = patched(runs, patches, arguments)
        spec = "None" if arguments[0] != "-m" else "ModuleSpec"
        words = done.stdout.split("\n")
        tap.point(f"{arguments}: script and module", words[0].startswith("200 seen") and spec in words[0], done.stdout, done.stderr[-1500:])
        tap.point(f"{arguments}: the program does not see it", "program.py" in words[0] and words[0].endswith("What it is. ['a']"), words)
        tap.equal(f"{arguments}: lines keep their numbers, and children have it, too", "[400] 15", words[1] if len(words) > 1 else done.stderr)
        tap.equal(f"{arguments}: all is reported", ["1", "2"], applied)
    done, applied = patched(runs, patches, ["-c", "import runpy; runpy.run_path('program.py', run_name='__main__')"])
    tap.point("run by another program", done.stdout.startswith("200 seen"), done.stdout, done.stderr[-1500:])
    for line, text, reason in ((9, "pass", "it is no Python"), (11, "y = 1", "no statement begins there"),
                             (99, "y = 1", "no statement begins there"), (10, "y = (", "it is no Python")):
        done, applied = patched(runs, [("helper.py", line, text)], ["program.py"])
        tap.equal(f"what cannot stand before line {line} is refused", (97, True, []), (done.returncode, reason in done.stderr, applied))
    done, applied = patched(runs, [("helper.py", 8, "raise KeyError")], ["program.py"])
    tap.point("an error of the statement is the program's", done.returncode == 0 and applied == ["1"], done.stderr[-500:])


def test_report(tap, runs):
    """Every process that imports torch says so, with the settings that it has."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=runs.temp))
    program = "import os\nos.environ['MINE'] = 'changed'\nimport torch\nif os.fork() == 0:\n    os._exit(0)\nos.wait()\n"
    runs.run(program, folder, HOOK_LOG="MINE,PT2TRACE_DYNAMIC,NONE a log", DYNAMIC="true")
    lines = [json.loads(line) for line in (folder / "a log").read_text().splitlines()]
    tap.equal("the process and its child", [None, True], [line.get("forked") for line in lines])
    tap.equal("with their settings", [{"MINE": "changed", "PT2TRACE_DYNAMIC": "true", "NONE": None}] * 2,
              [line["settings"] for line in lines])
    tap.equal("under their numbers", 2, len({line["pid"] for line in lines}))


# --- with PyTorch -----------------------------------------------------------------------------------------------------

FORMS = """
import torch
from torch._dynamo import register_backend
@register_backend
def probe(graph, inputs):
    print("probe", flush=True)
    return graph.forward
@torch.compile
def a(x): return x + 1
@torch.compile(mode="reduce-overhead")
def b(x): return x * 2
class Other(torch.nn.Module):
    def forward(self, x): return x * 4
module = Other()
module.compile()
class Module(torch.nn.Module):
    def forward(self, x): return x * 3
c = torch.compile(Module(), options={"max_autotune": False}, backend="inductor")
d = torch._dynamo.optimize("inductor")(lambda x: x - 1)
def e_(x): return x / 2
e = torch.compiler.compile(e_)
for f in (a, b, module, c, d, e):
    f(torch.ones(2))
"""
BREAKS = "import torch\n@torch.compile(backend='eager')\ndef f(x):\n    x = x + 1\n    print('broke')\n    return x * 2\nf(torch.ones(2))\n"
MANY = """
import torch
config = torch._dynamo.config
config.cache_size_limit = 3
@torch.compile(backend="eager", dynamic=False)
def f(x): return x + 1
for n in range(2, 14):
    f(torch.ones(n))
print(torch._dynamo.utils.counters["stats"]["unique_graphs"], config.cache_size_limit)
"""
CALLS = """
import torch
def names(graph, inputs):
    print(*(str(n.target).split(".")[-1] if n.op == "call_method" else n.target.__name__
            for n in graph.graph.nodes if n.op.startswith("call_")))
    return graph.forward
def late(x): return x.cos()
@torch.compile(backend=names)
def f(x): return late(x.sin()) * 2
f(torch.ones(2))
f(torch.ones(2))
"""
INDUCTOR = """
import torch
init = torch._TorchCompileInductorWrapper.__init__
def spy(self, *args, **kwargs):
    init(self, *args, **kwargs)
    print(args[:3])
torch._TorchCompileInductorWrapper.__init__ = spy
torch.compile(lambda x: x, mode="max-autotune")
torch.compile(lambda x: x, options={"max_autotune": True})
"""
PROFILED = """
import threading, torch
def work():
    for _ in range(3):
        torch.mm(torch.ones(4, 4), torch.ones(4, 4))
work()
"""


def test_pytorch(tap, runs):
    tap.equal("every form of torch.compile gets the backend", ["probe"] * 6, runs.lines(FORMS, BACKEND="probe"))
    tap.equal("dynamic and mode reach Inductor", ["('default', None, True)"] * 2, runs.lines(INDUCTOR, MODE="default", DYNAMIC="true"))
    tap.equal("a graph break without fullgraph", ["broke"], runs.lines(BREAKS, DYNAMIC="none"))
    done = runs.run(BREAKS, FULLGRAPH="1")
    tap.point("and with it", done.returncode == 1 and "Unsupported" in done.stderr, done.returncode, done.stderr)
    tap.equal("the recompile limit of the program", ["3 3"], runs.lines(MANY))
    tap.equal("and ours, which wins", ["12 64"], runs.lines(MANY, RECOMPILE_LIMIT=64))
    test_calls(tap, runs)
    test_real_settings(tap, runs)
    test_logs(tap, runs)
    test_profile(tap, runs)


def test_calls(tap, runs):
    tap.equal("a function that Dynamo inlines", ["sin cos mul"], runs.lines(CALLS))
    tap.equal("and that it leaves alone", ["sin", "mul"], runs.lines(CALLS, DISABLE="__main__.late"))
    tap.equal("the compiled function itself", [], runs.lines(CALLS, DISABLE="program.f"))
    program = CALLS.replace("def late(x): return x.cos()", "from library import late")
    tap.equal("a function of another module", ["sin", "mul"],
              runs.lines(program, files={"library.py": "def late(x): return x.cos()\n"}, DISABLE="library.late"))


def test_real_settings(tap, runs):
    program = ("import torch\nimport torch._inductor.config as i\ni.fallback_random = False\n"
               "torch.compile(print)\nprint(i.fallback_random, i.triton.cudagraphs)\n")
    tap.equal("settings of Inductor", ["True True"],
              runs.lines(program, CONFIG="torch._inductor.config.fallback_random=True;torch._inductor.config.triton.cudagraphs=True"))
    done = runs.run(program, CONFIG="torch._inductor.config.no_such=True")
    tap.point("one that this version does not have", done.returncode == 97 and "no_such" in done.stderr, done.stderr)


LOGS = """
import logging, torch
MORE
@torch.compile(backend="eager", dynamic=False)
def f(x):
    print("broke")
    return x + 1
for n in range(2, 4):
    f(torch.ones(n))
logging.getLogger("torch._dynamo.eval_frame").warning("a warning")
"""


def test_logs(tap, runs):
    """Logs that pt2trace asks for are in a file; on standard error is what the program and the environment ask for."""
    def kinds(text):
        return sorted({kind for kind in ("graph_breaks", "recompiles") if "[__" + kind in text} | ({"warning"} if "a warning" in text else set()))

    more = {"": "", "set_logs": "torch._logging.set_logs(recompiles=True)", "level": "logging.getLogger('torch._dynamo').setLevel(logging.ERROR)"}
    for name, environment, program, shown, kept in (
            ("of nobody else", {}, "", ["warning"], ["graph_breaks", "recompiles"]),
            ("that the environment asks for, too", {"TORCH_LOGS": "graph_breaks"}, "", ["graph_breaks", "warning"], ["recompiles"]),
            ("that the program asks for, too", {}, "set_logs", ["recompiles", "warning"], ["graph_breaks"]),
            ("of a program that wants fewer", {}, "level", [], ["graph_breaks", "recompiles"])):
        folder = pathlib.Path(tempfile.mkdtemp(dir=runs.temp))
        runs.environment = environment
        done = runs.run(LOGS.replace("MORE", more[program]), folder, LOGS="graph_breaks,recompiles the log")
        runs.environment = {}
        files = list(folder.glob("the log.*.log"))
        tap.equal(f"logs {name}: on standard error, and in the file", (shown, kept),
                  (kinds(done.stderr), kinds(files[0].read_text()) if files else done.stderr))


def test_profile(tap, runs):
    folder = pathlib.Path(tempfile.mkdtemp(dir=runs.temp))
    runs.lines(PROFILED, folder, PROFILE=".")
    names = events_of(folder)
    tap.point("the profile has the operators", names.count("aten::mm") == 3, names)
    folder = pathlib.Path(tempfile.mkdtemp(dir=runs.temp))
    done = runs.run(PROFILED + "with torch.profiler.profile() as p:\n    work()\nprint(sum(e.name == 'aten::mm' for e in p.events()))\n",
                    folder, PROFILE=".")
    tap.point("a profiler of the program gets its own", done.stdout.split() == ["3"] and "of its own" in done.stderr and
              events_of(folder).count("aten::mm") == 3, done.stdout, done.stderr)


def events_of(folder):
    files = list(folder.glob("kineto.*.json"))
    return [e.get("name") for e in json.loads(files[0].read_text())["traceEvents"]] if len(files) == 1 else [str(files)]


def main(source, *pythons):
    tap = Tap()
    with tempfile.TemporaryDirectory() as name:
        temp = pathlib.Path(name)
        for file, text in STAND_IN.items():
            (temp / "stand_in" / file).parent.mkdir(parents=True, exist_ok=True)
            (temp / "stand_in" / file).write_text(text, encoding="utf-8")
        for test in (test_plain_python, test_stand_in, test_settings, test_disabling, test_stacks, test_opens, test_ranks, test_patches,
                     test_report):
            test(tap, Runs(source, temp, sys.executable, stand_in=True))
        python, why_not = torch_python(source) if not pythons else (None, None)
        for python in pythons or filter(None, [python]):
            test_pytorch(tap, Runs(source, temp, python))
    if why_not:
        tap.skip("the hook in a real PyTorch", why_not)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
