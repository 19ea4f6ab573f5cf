"""Programs under one version of PyTorch: as forks of a process that has imported it, or as a command of its own."""

import concurrent.futures
import itertools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
START_S = 120
# Finds out what the C++ compiler can do, and precompiles headers: seconds of it, which are not what a program is about.
WARM_UP = "torch.compile(lambda x: x + 1)(torch.ones(3))"


class Run:
    """What came of a program: `folder` holds it, its trace and its output."""

    def __init__(self, folder, status):
        self.folder, self.status = pathlib.Path(folder), status

    def text(self, name):
        path = self.folder / name
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    @property
    def trace(self):
        return self.folder / "trace"

    def end(self):
        """The last lines that it wrote on standard error, for a person."""
        return self.text("stderr").splitlines()[-6:]


def environment(folder):
    """Nothing of PyTorch's that whoever runs the tests has set; one thread; nothing of it in another run's caches."""
    clean = {name: value for name, value in os.environ.items() if "TORCH" not in name and "PYTHON" not in name}
    return {**clean, "TORCH_TRACE": str(folder / "trace"), "TORCHINDUCTOR_CACHE_DIR": str(folder / "cache"), "OMP_NUM_THREADS": "1",
            "TORCHINDUCTOR_COMPILE_THREADS": "1", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "HF_HUB_OFFLINE": "1",
            "PYTHONPATH": os.pathsep.join(map(str, (HERE / "lib", HERE / "lib" / "site-packages")))}


def as_of_python(folder, name):
    """
    A copy of a file of ours, where Python would have it: frames of the server stand below those of each program, and pt2trace
    goes by the path when it leaves out what belongs to Python.
    """
    copy = folder / "lib" / "python3.11" / name
    copy.parent.mkdir(parents=True)
    shutil.copyfile(HERE / name, copy)
    return copy


class Server:
    """One process of torch_server.py; its methods may be called from any thread."""

    def __init__(self, python, kind, folder):
        folder.mkdir(parents=True)
        self.lock, self.numbers, self.answers = threading.Lock(), itertools.count(), {}
        self.process = subprocess.Popen(
            [python, as_of_python(folder, "torch_server.py"), kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=open(folder / "stderr", "wb"), env=environment(folder), cwd=folder)
        first = self.process.stdout.readline()
        if not first:
            raise RuntimeError(f"{python} cannot import torch: {(folder / 'stderr').read_text()[-2000:]}")
        self.version = json.loads(first)["torch"].split("+")[0]
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            answer = json.loads(line)
            self.answers.pop(answer["id"]).set_result(answer["status"])
        for waiting in list(self.answers.values()):
            waiting.set_result("the server ended")

    def ask(self, **job):
        future = concurrent.futures.Future()
        with self.lock:
            number = next(self.numbers)
            self.answers[number] = future
            self.process.stdin.write(json.dumps({"id": number, **job}).encode() + b"\n")
            self.process.stdin.flush()
        return future.result()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Torch:
    """A version of PyTorch. `python` is the path of a Python that has it."""

    def __init__(self, python, folder):
        self.python, self.folder = python, pathlib.Path(folder)
        self.warm = Server(python, "warm", self.folder / "warm")
        self.version, self.cold = self.warm.version, None
        self.lock, self.seeded = threading.Lock(), False

    def seed(self, folder):
        """Gives a program that uses Inductor a cache that has nothing of it, and all that any program needs."""
        seed = self.folder / "seed"
        with self.lock:
            if not self.seeded:
                seed.mkdir()
                self.warm.ask(code=WARM_UP, folder=str(seed), limit_s=START_S)
                self.seeded = True
        if (seed / "cache").exists():
            shutil.copytree(seed / "cache", folder / "cache")

    def run(self, program, folder, limit_s, **how):
        """A fork that runs a program, a file in `folder`; `how`: see torch_server.py."""
        return Run(folder, self.warm.ask(program=str(program), folder=str(folder), limit_s=limit_s, **how))

    def run_alone(self, program, folder, limit_s, before=""):
        """A process of its own; `before` stands before the command, as words of a shell: NAME=VALUE."""
        command = f'{before} exec "$PYTHON" "$PROGRAM"'
        return self.shell(command, folder, limit_s, PROGRAM=str(program))

    def shell(self, command, folder, limit_s, **variables):
        env = {**environment(folder), "PYTHON": self.python, "HOME": str(folder), **variables}
        env["PATH"] = f"{pathlib.Path(self.python).parent}:{env['PATH']}"
        with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
            process = subprocess.Popen(["/bin/sh", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       start_new_session=True)
            try:
                status = process.wait(limit_s)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                status = process.wait() and "time"
        return Run(folder, status)

    def works_at_start(self, code, folder):
        """Whether a text can stand behind `import torch` at the head of a program; the server for that starts when it is asked."""
        with self.lock:
            self.cold = self.cold or Server(self.python, "cold", self.folder / "cold")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return Run(folder, self.cold.ask(code=code, folder=str(folder), limit_s=START_S))

    def close(self):
        for server in filter(None, (self.warm, self.cold)):
            server.close()


def python_with(version, source, install=False):
    """The path of a Python with that version of PyTorch, None where there is none and none is to be installed."""
    sys.path.insert(0, str(pathlib.Path(source, "tools")))
    from maketestdata.venv import folder_of, python_with_torch  # pylint: disable=import-outside-toplevel,import-error

    return python_with_torch(version) if install or (folder_of(version) / "ready").exists() else None


def python_with_libraries(source):
    """The path of a Python with the libraries of `real`, None where they are not installed."""
    sys.path.insert(0, str(pathlib.Path(source, "tools")))
    from maketestdata.venv import libraries_folder  # pylint: disable=import-outside-toplevel,import-error

    return str(libraries_folder() / "bin" / "python") if (libraries_folder() / "ready").exists() else None
