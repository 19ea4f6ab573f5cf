#!/usr/bin/env python3
"""libpt2trace_gpu.so in processes of all sorts, on a libcupti of our own (tests/gpu/fake_cupti.c). Writes TAP.

usage: test_gpu_inject.py [LIBPT2TRACE_GPU FAKE_CUPTI FAKE_CUDA]

The processes are this file again, with the name of a scenario. Without libraries everything is skipped: there were no
headers of CUPTI.
"""
import ctypes
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from tap import Tap

FLUSH_MS = 20


# --- scenarios: what a process does ---------------------------------------------------------------------------------------


class Gpu:
    def __init__(self):
        self.cuda = ctypes.CDLL(os.environ["FAKE_CUDA"])  # it is the driver that loads the library
        self.cupti = ctypes.CDLL(os.environ["FAKE_CUPTI"])
        self.cupti.fake_kernel.argtypes = [ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint32]
        self.cupti.fake_profiler_buffers.restype = ctypes.c_uint64
        for name in ("fake_copy", "fake_memset"):
            getattr(self.cupti, name).argtypes = [ctypes.c_uint64, ctypes.c_uint64]
        self.names = []

    def inject(self):
        """As the driver does while CUDA starts."""
        return ctypes.CDLL(os.environ["INJECTED"]).InitializeInjection()

    def kernel(self, name, ns=1000, graph=0):
        self.names.append(name.encode())  # CUPTI's own, as long as the process lives
        self.cupti.fake_kernel(self.names[-1], ns, graph)


def wait_for(text):
    """Until a file has it: the machine may be busy."""
    folder = pathlib.Path(os.environ["PT2TRACE_GPU_DIR"])
    end = time.monotonic() + 30
    while not any(text in path.read_text() for path in folder.iterdir()):
        assert time.monotonic() < end, f"no {text!r}"
        time.sleep(FLUSH_MS / 1000)


def whole_life():
    gpu = Gpu()
    assert gpu.inject() == 1 and gpu.inject() == 1
    assert not gpu.cupti.fake_is_subscribed(), "the subscription is kept"
    for i in range(5000):
        gpu.kernel(f"triton_poi_fused_{i % 3}", 1000 + i)
    gpu.kernel("odd\nname \\ with all", 7, graph=3)
    gpu.cupti.fake_copy(4096, 500)
    gpu.cupti.fake_memset(128, 20)
    gpu.cupti.fake_untimed_kernel(b"x")


def whole_graphs():
    gpu = Gpu()
    gpu.inject()
    gpu.cupti.fake_graph(ctypes.c_uint64(900), 4)


def killed():
    gpu = Gpu()
    gpu.inject()
    for i in range(100):
        gpu.kernel("before")
    wait_for("\nk ")
    os.kill(os.getpid(), signal.SIGKILL)


def forks():
    gpu = Gpu()
    gpu.inject()
    gpu.kernel("parent")
    child = os.fork()
    if child == 0:
        gpu.kernel("child")  # which must reach no file, and hang nowhere
        sys.exit(0)
    _, status = os.waitpid(child, 0)
    assert status == 0, status
    gpu.kernel("parent again")
    grandchild = subprocess.run([sys.executable, __file__, "again"], check=True)
    assert grandchild.returncode == 0


def again():
    gpu = Gpu()
    gpu.inject()
    gpu.kernel("other process")


def executes():
    """Another program with the same process id."""
    gpu = Gpu()
    gpu.inject()
    os.execv(sys.executable, [sys.executable, __file__, "again"])


def owned():
    gpu = Gpu()
    assert gpu.cupti.fake_profiler_begins()
    gpu.inject()
    gpu.kernel("the profiler's")
    gpu.cupti.cuptiActivityFlushAll(0)
    assert gpu.cupti.fake_profiler_buffers() == 1


def taken():
    gpu = Gpu()
    gpu.inject()
    for _ in range(50):
        gpu.kernel("before")
    wait_for("\nk ")
    assert gpu.cupti.fake_profiler_begins(), "a profiler that begins later has no GPU"
    gpu.kernel("the profiler's")
    wait_for("\nw ")
    gpu.kernel("the profiler's")
    gpu.cupti.cuptiActivityFlushAll(1)
    assert gpu.cupti.fake_profiler_buffers() > 0


def few_buffers():
    """More than its buffers hold, and nobody who takes them: an hour between flushes."""
    gpu = Gpu()
    gpu.inject()
    for i in range(20000):
        gpu.kernel("k")


def nothing():
    gpu = Gpu()
    gpu.inject()


def without_cupti():
    ctypes.CDLL(os.environ["FAKE_CUDA"])
    assert ctypes.CDLL(os.environ["INJECTED"]).InitializeInjection() == 1


def without_cuda():
    """Loaded into a program that has neither CUDA nor CUPTI."""
    assert ctypes.CDLL(os.environ["INJECTED"]).InitializeInjection() == 1


# --- what the files say ---------------------------------------------------------------------------------------------------


class File:
    def __init__(self, path):
        self.text = path.read_text()
        self.lines = self.text.splitlines()
        self.header = dict(line.split(" ", 2)[1:] for line in self.of("h"))
        self.names = [line.split(" ", 2)[2] for line in self.of("n")]

    def of(self, word):
        return [line for line in self.lines if line.startswith(word + " ") or line == word]

    def kernels(self):
        return [self.names[int(line.split(" ")[3])] for line in self.of("k")]

    def lost(self):
        return sum(int(line.split(" ")[1]) for line in self.of("d"))

    def reason(self):
        return self.of("w")[0].split(" ", 2)[2] if self.of("w") else None


class Runner:
    def __init__(self, injected, fake_cupti, fake_cuda):
        self.injected, self.fake, self.cuda = injected, fake_cupti, fake_cuda

    def __call__(self, scenario, status=0, **environment):
        """The files of one scenario, by what their process wrote."""
        with tempfile.TemporaryDirectory() as folder:
            where = pathlib.Path(folder, "made", "for", "it")
            changes = {"PT2TRACE_GPU_DIR": str(where), "PT2TRACE_GPU_FLUSH_MS": str(FLUSH_MS), "INJECTED": self.injected,
                       "FAKE_CUPTI": self.fake, "FAKE_CUDA": self.cuda, "PT2TRACE_CUPTI": self.fake, "RANK": "3", "LOCAL_RANK": "1", **environment}
            env = {name: value for name, value in {**os.environ, **changes}.items() if value is not None}
            done = subprocess.run([sys.executable, __file__, scenario], env=env, capture_output=True, timeout=60)
            self.trouble = [] if done.returncode == status and not done.stderr else [
                f"exit {done.returncode}", done.stderr.decode()]
            return [File(path) for path in sorted(where.glob("*"))] if where.exists() else []


def test_life(tap, run):
    (file,) = run("whole_life")
    tap.empty("a process that records ends as it would without", run.trouble)
    tap.equal("the first line names format and version", "pt2trace-gpu-activity 1", file.lines[0])
    tap.equal("rank and local rank", ["3", "1"], [file.header["rank"], file.header["local_rank"]])
    tap.point("host, process, program, version and path of CUPTI",
              all(file.header.get(key) for key in ("host", "pid", "program", "cupti", "library")), file.header)
    tap.equal("every kernel is there, with its name", 5001, len(file.kernels()))
    tap.equal("names once each, in one line", ["triton_poi_fused_0", "triton_poi_fused_1", "triton_poi_fused_2",
                                               "odd\\nname \\\\ with all"], file.names)
    tap.equal("duration, device, stream, graph, grid and block of a kernel",
              ["7", "3", "0", "7", "3", "4,2,1", "128,1,1"],
              [field for i, field in enumerate(file.of("k")[-1].split(" ")) if i in (2, 3, 4, 5, 7, 8, 9)])
    tap.equal("the copy", ["500", "HtoD", "4096"], [file.of("m")[0].split(" ")[i] for i in (2, 3, 8)])
    tap.equal("the memset", ["20", "128"], [file.of("s")[0].split(" ")[i] for i in (2, 7)])
    tap.equal("what has no times counts as lost", 1, file.lost())
    tap.equal("the end in order", "e", file.lines[-1])
    clock = file.of("c")[0].split(" ")
    tap.point("CUPTI's clock and the wall clock were read together", abs(int(clock[2]) / 1e9 - time.time()) < 120, clock)
    tap.point("starts are near the first clock", all(0 <= int(line.split(" ")[1]) < 60e9 for line in file.of("k")))


def test_ends(tap, run):
    (file,) = run("killed", status=-signal.SIGKILL)
    tap.equal("a killed process keeps what was flushed", ["before"] * 100, file.kernels())
    tap.point("and its file ends with a whole line, without the end", file.text.endswith("\n") and not file.of("e"))
    files = run("forks")
    tap.empty("fork and subprocess: no process fails", run.trouble)
    tap.equal("a forked child writes nothing, another process has a file of its own",
              [["other process"], ["parent", "parent again"]], sorted(file.kernels() for file in files))
    tap.equal("each file ends in order once", [1, 1], [len(file.of("e")) for file in files])
    files = run("executes")
    tap.equal("exec keeps the process id: there are two files", [[], ["other process"]], sorted(f.kernels() for f in files))


def test_others(tap, run):
    (file,) = run("owned")
    tap.empty("a profiler that has CUPTI keeps it", run.trouble)
    tap.equal("nothing is recorded, and the file says why", ([], "another profiler of the process uses CUPTI"),
              (file.kernels(), file.reason()))
    (file,) = run("taken")
    tap.empty("a profiler that begins later gets CUPTI", run.trouble)
    tap.equal("recording ends there, and the file says so", (["before"] * 50, "another profiler of the process uses CUPTI"),
              (file.kernels(), file.reason()))
    tap.point("before the process ended", file.lines.index(file.of("w")[0]) == len(file.lines) - 2 and
              int(file.of("w")[0].split(" ")[1]) < time.time_ns())
    (file,) = run("nothing", FAKE_CUPTI_FAILS="1")
    tap.equal("CUPTI fails: the file says how", "CUPTI cannot be used: CUPTI_ERROR_NOT_INITIALIZED", file.reason())
    (file,) = run("nothing", FAKE_CUPTI_VERSION="12")
    tap.point("CUPTI is too old: the file says so", "older" in (file.reason() or ""), file.text)


def test_limits(tap, run):
    (file,) = run("few_buffers", PT2TRACE_GPU_FLUSH_MS="3600000", PT2TRACE_GPU_BUFFERS="2")
    tap.equal("whatever is not recorded is counted", 20000, len(file.kernels()) + file.lost())
    (file,) = run("whole_life", PT2TRACE_GPU_MAX_BYTES="20000")
    tap.point("a file has a limit", 20000 <= len(file.text) < 22000, len(file.text))
    tap.equal("behind it activities are counted", 5004, len(file.kernels()) + file.lost())
    (file,) = run("whole_graphs", PT2TRACE_GPU_GRAPHS="whole")
    tap.equal("graphs as a whole, when asked for", ["900", "4"], [file.of("g")[0].split(" ")[i] for i in (2, 6)])
    (file,) = run("whole_graphs")
    tap.equal("else not", [], file.of("g"))


def test_without(tap, run):
    (file,) = run("without_cuda", PT2TRACE_CUPTI=None)
    tap.empty("without CUDA a program goes on as before", run.trouble)
    tap.point("and the file says what is missing", "libcuda.so.1" in (file.reason() or ""), file.text)
    (file,) = run("without_cupti", PT2TRACE_CUPTI="/nonexistent/libcupti.so")
    tap.empty("without CUPTI, too", run.trouble)
    tap.point("and the file says that it is missing", "libcupti was not found" in (file.reason() or ""), file.text)
    tap.equal("no directory: no file", [], run("without_cuda", PT2TRACE_GPU_DIR=None))
    tap.empty("and no trouble", run.trouble)
    run("whole_life", PT2TRACE_GPU_DIR="/proc/nowhere")
    tap.empty("a directory that cannot be made is no trouble", run.trouble)


def main():
    tap = Tap()
    if len(sys.argv) < 4:
        tap.skip("libpt2trace_gpu.so", "built without the headers of CUPTI")
        return tap.end()
    run = Runner(*sys.argv[1:4])
    for test in (test_life, test_ends, test_others, test_limits, test_without):
        test(tap, run)
    return tap.end()


SCENARIOS = (whole_life, whole_graphs, killed, forks, again, executes, owned, taken, few_buffers, nothing, without_cupti,
             without_cuda)
if __name__ == "__main__":
    scenario = {function.__name__: function for function in SCENARIOS}.get(sys.argv[1] if len(sys.argv) == 2 else "")
    sys.exit(scenario() if scenario else main())
