"""Runs programs under PyTorch: imports it once, then forks for each program. It speaks lines of JSON.

usage: torch_server.py warm|cold      (torch_pool.py starts it)

On standard input come jobs, on standard output answers `{"id", "status"}`; the status is that of the process, or "time".
Two programs run at a time. A job with "program" runs that file in "folder", with a trace below "folder"/trace and its output in
"folder"/stdout and stderr; "eager" leaves all of it to Python, "dtrace" traces like TORCH_DTRACE. A job with "code" executes that text. A `warm` server has
imported the compiler; a `cold` one knows what a program knows after `import torch`.
"""

import importlib
import json
import logging
import os
import runpy
import select
import signal
import sys
import time
import traceback

AT_A_TIME = 2
COMPILER = ("torch._dynamo", "torch._dynamo.convert_frame", "torch._dynamo.backends.inductor", "torch._dynamo.repro.after_dynamo",
            "torch._export.passes.add_runtime_assertions_for_constraints_pass", "torch._export.db.logging",
            "torch._higher_order_ops", "torch._inductor.compile_fx", "torch._inductor.codecache", "torch._inductor.codegen.cpp",
            "torch._subclasses.schema_check_mode", "torch._logging._internal", "torch.export", "torch.export._trace",
            "torch.distributed.tensor.experimental._attention", "torch.fx.experimental.validator")


def load(kind):
    import torch

    for name in COMPILER if kind == "warm" else ():
        try:
            importlib.import_module(name)
        except ImportError:
            pass  # not every version has each
    torch.set_num_threads(1)


def redirect(folder):
    for fd, name in ((1, "stdout"), (2, "stderr")):
        to = os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(to, fd)
        os.close(to)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)


def run_program(job):
    import torch

    log = logging.getLogger("torch.__trace")
    trace = os.path.join(job["folder"], "trace")
    os.environ["TORCH_TRACE"] = trace
    for handler in log.handlers:
        handler.root_dir = trace
    if job.get("dtrace"):
        os.environ["TORCH_DTRACE"] = trace
        torch._logging._internal.GET_DTRACE_STRUCTURED = True
    if job.get("eager"):
        torch.compile = lambda function=None, **_: function or (lambda decorated: decorated)
    sys.argv = [job["program"]]
    try:
        runpy.run_path(job["program"], run_name="__main__")
    finally:
        for handler in log.handlers:
            handler.flush()


def run_code(job):
    import torch

    exec(job["code"], {"torch": torch})


def child(job):
    """Never returns."""
    status = 0
    try:
        os.setpgid(0, 0)
        os.chdir(job["folder"])
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.join(job["folder"], "cache")
        redirect(job["folder"])
        run_program(job) if "program" in job else run_code(job)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        status = 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


class Server:
    def __init__(self):
        self.waiting, self.running = [], {}
        self.wake, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def start(self):
        while self.waiting and len(self.running) < AT_A_TIME:
            job = self.waiting.pop(0)
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                child(job)
            self.running[pid] = (job, time.monotonic() + job["limit_s"])

    def answer(self, pid, status):
        job, _ = self.running.pop(pid)
        os.write(1, json.dumps({"id": job["id"], "status": status}).encode() + b"\n")

    def reap(self):
        for pid, (_, end) in list(self.running.items()):
            if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                self.answer(pid, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            elif time.monotonic() > end:
                os.killpg(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                self.answer(pid, "time")

    def serve(self):
        """Until standard input ends."""
        rest = b""
        while True:
            ready, _, _ = select.select([0, self.wake], [], [], 1 if self.running else None)
            if self.wake in ready:
                os.read(self.wake, 4096)
            if 0 in ready:
                data = os.read(0, 65536)
                if not data:
                    return
                *lines, rest = (rest + data).split(b"\n")
                self.waiting += map(json.loads, lines)
            self.reap()
            self.start()


load(sys.argv[1])
print(json.dumps({"id": None, "torch": sys.modules["torch"].__version__}), flush=True)
Server().serve()
