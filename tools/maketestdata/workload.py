"""Finds the workloads and runs one of them in a fresh process with fresh folders."""

import ast
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE.parent / "workloads"
TIMEOUT_S = 1200

# Nothing of the caller's environment reaches a workload but these.
KEPT = ("PATH", "LD_LIBRARY_PATH", "CC", "CXX")
FIXED = {
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
    "TORCHINDUCTOR_COMPILE_THREADS": "1",
    "TORCHINDUCTOR_FX_GRAPH_REMOTE_CACHE": "0",
    "TORCHINDUCTOR_AUTOGRAD_REMOTE_CACHE": "0",
    "TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO": "0",
}


class Workload:
    """A module in tools/workloads that has a literal `RUN = {...}`; its docstring's first line says what it is."""

    def __init__(self, path, run, about):
        self.path = path
        self.name = path.stem
        self.about = about
        self.runs = run.get("runs", [self.name])  # the same script, once per name, with one cache for all
        self.env = run.get("env", {})  # a value may name {trace}; None removes the variable
        self.ranks = run.get("ranks")  # started by torchrun
        self.restarts = run.get("restarts", 0)  # by torchrun, after a failure
        self.exit = run.get("exit", 0)


def find_all():
    return [found for found in map(read, sorted(FOLDER.glob("*.py"))) if found is not None]


def read(path):
    module = ast.parse(path.read_text(encoding="utf-8"))
    for node in module.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", None) == "RUN":
            return Workload(path, ast.literal_eval(node.value), ast.get_docstring(module).split("\n", 1)[0])
    return None


def beside_torch(path, environment):
    """How PyTorch prints some paths: without the part shared with its own and one character (torch/utils/_traceback.py)."""
    return path[len(os.path.commonpath([path, environment])) + 1:]


def with_short_forms(places, environment):
    """The places, and their short forms on this machine and on the generic one."""
    short = {beside_torch(path, environment): beside_torch(generic, places[environment]) for path, generic in places.items()}
    return places | {path: generic for path, generic in short.items() if "/" in path}


class Box:
    """The folders of one run, and what they are called in the committed trace."""

    def __init__(self, root, python, prefixes):
        self.root = pathlib.Path(root)
        self.python = python
        self.home = self.root / "home" / "user"
        self.work = self.home / "work"
        self.cache = self.root / "cache"
        self.places = with_short_forms({
            str(self.home): "/home/user",
            str(self.cache): "/tmp/cache",
            str(self.root / "tmp"): "/tmp",
            str(self.root / "trace"): "/tmp/trace",
            prefixes[0]: "/opt/venv",
            prefixes[1]: "/usr/local",
            str(HERE): "/opt/maketestdata",
            str(self.root): "/tmp/run",
        }, prefixes[0])
        shutil.copytree(FOLDER, self.work, ignore=shutil.ignore_patterns("__pycache__"))
        self.cache.mkdir()
        (self.root / "tmp").mkdir()

    def fresh(self, kind, name):
        folder = self.root / kind / name
        folder.mkdir(parents=True)
        return folder

    def run(self, workload, name, logs=None):
        """Runs it, with TORCH_LOGS set to `logs`; returns the folders of its trace and of its events, and what it printed.

        What torchrun writes for each rank is then in self.tree(name).
        """
        trace, events = self.fresh("trace", name), self.fresh("events", name)
        environment = self.environment(workload, trace, events) | ({"TORCH_LOGS": logs} if logs else {})
        done = subprocess.run(self.command(workload, self.tree(name) if logs else None), cwd=self.work, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT_S)
        if done.returncode != workload.exit:
            sys.stderr.buffer.write(done.stdout)
            raise SystemExit(f"{name}: exit code {done.returncode}, expected {workload.exit}")
        return trace, events, done.stdout

    def tree(self, name):
        return self.root / "torchrun" / name

    def command(self, workload, tree=None):
        script = workload.path.name
        if workload.ranks is None:
            return [self.python, script]
        files = ["--log-dir", str(tree), "--tee", "3"] if tree else []
        return [self.python, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={workload.ranks}",
                f"--max-restarts={workload.restarts}", *files, script]

    def environment(self, workload, trace, events):
        env = {name: os.environ[name] for name in KEPT if name in os.environ}
        env.update(FIXED)
        env.update({
            "HOME": str(self.home),
            "TMPDIR": str(self.root / "tmp"),
            "TORCHINDUCTOR_CACHE_DIR": str(self.cache),
            "TRITON_CACHE_DIR": str(self.cache / "triton"),
            "PYTHONPATH": str(HERE / "observer"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PT2TRACE_EVENTS": str(events),
            "TORCH_TRACE": str(trace),
        })
        for variable, value in workload.env.items():
            env[variable] = None if value is None else value.format(trace=trace)
        return {variable: value for variable, value in env.items() if value is not None}
