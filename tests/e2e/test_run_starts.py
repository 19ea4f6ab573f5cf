#!/usr/bin/env python3
"""`pt2trace run` before whatever starts Python: modules, pytest, notebooks, workers, launchers. Writes TAP.

usage: test_run_starts.py PT2TRACE SOURCE_ROOT

The same two compiles, with a graph break between them, in each process that compiles: the truth is in the programs. Beside the
PyTorch of the tests this uses the packages of tests/python/site (pytest, IPython, nbconvert, nbclient), and accelerate and deepspeed
of tools/libraries-python. What is not installed yet is installed first.
"""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile

from tap import Tap

MODEL = """
import torch
def f(x):
    print("in f")
    return x + 1
def work(*_):
    torch.compile(f, backend="eager")(torch.ones(3))
"""
CALLED = "from model import work\nwork()\n"
LOADED = """
import sys, torch, model
class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 4
    def __getitem__(self, i):
        model.work()
        return torch.ones(1)
if __name__ == "__main__":
    for batch in torch.utils.data.DataLoader(Data(), num_workers=2, multiprocessing_context=sys.argv[1]):
        pass
    print("loaded")
"""
SPAWNED = "import torch, model\nif __name__ == '__main__':\n    torch.multiprocessing.spawn(model.work, nprocs=2)\n"
# Rank 1 has another result with torch.compile, from its first stage on.
RANKS = """
import os, torch, torch.distributed as dist, model
dist.init_process_group("gloo")
rank = dist.get_rank()
model.work()
x = torch.ones(1)
dist.all_reduce(x)
loss = x.item() + (rank == 1 and "TORCHDYNAMO_DISABLE" not in os.environ)
os.write(1, f"rank {rank} loss {loss}\\n".encode())  # at once: another rank writes to the same pipe
dist.destroy_process_group()
"""
BOOK = {"cells": [{"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": [], "source": [CALLED]}],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}, "nbformat": 4, "nbformat_minor": 5}
FILES = {"model.py": MODEL, "package/__init__.py": "", "package/train.py": CALLED, "train.py": CALLED, "loader.py": LOADED,
         "test_model.py": "import model\ndef test_it():\n    model.work()\n", "spawned.py": SPAWNED, "ranks.py": RANKS,
         "book.ipynb": json.dumps(BOOK), "run.sh": "exec \"$1\" train.py\n"}
EXECUTE = "from nbclient.cli import main; main()"
# Without a GPU it starts the command that it is given.
ACCELERATE = ["-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes", "2", "--num_machines", "1", "--mixed_precision", "no",
              "--dynamo_backend", "no"]
# Its accelerator is asked for devices before it starts anything; without a GPU it needs the setting that the CPU is one.
DEEPSPEED = ["-m", "deepspeed.launcher.runner", "--num_gpus", "2"]
TORCHRUN = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
# What is started: the words behind Python, how many processes compile.
STARTS = [("python -m", ["-m", "package.train"], 1), ("pytest", ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_model.py"], 1),
          ("ipython", ["-m", "IPython", "train.py"], 1), ("a notebook", ["-c", EXECUTE, "book.ipynb"], 1),
          ("nbconvert", ["-m", "nbconvert", "--to", "notebook", "--execute", "--stdout", "--log-level", "ERROR", "book.ipynb"], 1),
          ("spawned children", ["spawned.py"], 2), ("workers of a DataLoader, forked", ["loader.py", "fork"], 2),
          ("workers of a DataLoader, spawned", ["loader.py", "spawn"], 2)]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return str(s.getsockname()[1])


def installed(source, tool):
    """The Python that the tool prints, after it has installed what is missing. Why it could not is on standard error."""
    return subprocess.run([pathlib.Path(source, "tools", tool)], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


class Place:
    def __init__(self, pt2trace, source, python):
        self.pt2trace, self.python = pathlib.Path(pt2trace).resolve(), python
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pt2trace-starts-"))
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("TORCH", "PT2TRACE"))}
        self.environment.update(PYTHONPATH=str(pathlib.Path(source, "tests/python/site").resolve()), OMP_NUM_THREADS="1",
                                IPYTHONDIR=str(self.folder / "ipython"), HF_HOME=str(self.folder / "hf"), DS_ACCELERATOR="cpu")
        self.runs = 0
        for name, text in FILES.items():
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_text(text)

    def run(self, *words):
        """The process that ended, run.json, report.json."""
        self.runs += 1
        out = self.folder / f"out{self.runs}"
        done = subprocess.run([self.pt2trace, "run", "-q", "--no-browser", "-o", out, *words], cwd=self.folder, env=self.environment,
                              capture_output=True, text=True, timeout=1200, check=False)
        return done, *(json.loads((out / name).read_text()) if (out / name).exists() else {} for name in ("run.json", "report/report.json"))


def check(tap, name, found, processes):
    done, run, report = found
    totals = report.get("totals", {})
    tap.equal(f"{name}: it ends well, and each process that compiles is there", (0, 2 * processes, processes, 0),
              (done.returncode, totals.get("compiles"), totals.get("graph_breaks"), totals.get("errors")))
    tap.empty(f"{name}: nothing was missed", run.get("notes", ["there is no run.json"]))


def ranks(tap, place, name, *words):
    done, run, report = place.run("--", *words, "ranks.py")
    check(tap, name, (done, run, report), 2)
    tap.equal(f"{name}: two ranks", [0, 1], report["ranks"]["present"])
    tap.equal(f"{name}: what they print has no prefix", ["rank 0 loss 2.0", "rank 1 loss 3.0"],
              sorted(line for line in done.stdout.splitlines() if "loss" in line))


def bisection(tap, place):
    done, run, _ = place.run("--bisect", "--check", "loss ([0-9.]+)", "--", place.python, *TORCHRUN, "ranks.py")
    tap.point("torchrun, bisected: the stage from which one rank is wrong", any(
        "another result from backend `eager` on" in c for c in run.get("conclusions", [])), run.get("conclusions"), done.stderr)


LINE = b"step 1000 loss 0.12345 and so on and so forth 0123456789abcdefgh\n"
LINES, PIECES = 1000, 16500
MEMORY_KB = 100_000


def much_output(tap, place):
    """1 GB through a pipe: all of it, in memory that does not grow with it."""
    (place.folder / "much.py").write_text(f"import os\nfor _ in range({PIECES}): os.write(1, {LINE!r} * {LINES})\n")
    out = place.folder / "much"
    process = subprocess.Popen([place.pt2trace, "run", "-q", "--no-browser", "-o", out, "--", "python3", "much.py"], cwd=place.folder,
                               env=place.environment, stdout=subprocess.PIPE)
    got = 0
    while piece := process.stdout.read(1 << 20):
        got += len(piece)
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    wanted = len(LINE) * LINES * PIECES
    tap.equal("1 GB of output: passed on, and kept", (0, wanted, wanted), (status, got, (out / "base/log/console.out").stat().st_size))
    tap.point("1 GB of output: memory stays small", usage.ru_maxrss < MEMORY_KB, usage)


def main(pt2trace, source):
    tap = Tap()
    subprocess.run([pathlib.Path(source, "tools", "setup"), "--tests"], check=True, stdout=subprocess.DEVNULL)
    python, libraries = installed(source, "torch-python"), installed(source, "libraries-python")
    place = Place(pt2trace, source, python)
    try:
        check(tap, "a shell script", place.run("--", "sh", "run.sh", python), 1)
        for name, words, processes in STARTS:
            check(tap, name, place.run("--", python, *words), processes)
        ranks(tap, place, "torchrun", python, *TORCHRUN)
        ranks(tap, place, "accelerate", libraries, *ACCELERATE)
        ranks(tap, place, "deepspeed", libraries, *DEEPSPEED, "--master_port", free_port())
        bisection(tap, place)
        much_output(tap, place)
    finally:
        shutil.rmtree(place.folder, ignore_errors=True)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
