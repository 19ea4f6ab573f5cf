#!/usr/bin/env python3
"""`pt2trace run` before a command changes nothing of it: its status, input, output, terminal and end. Writes TAP.

usage: test_run_launch.py PT2TRACE SOURCE_ROOT

Programs here need no PyTorch, or one of our own (test_run.py).
"""

import contextlib
import fcntl
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time

from tap import Tap
from test_run import Place

WIDTH = 97
GRACE_S = 2
MEMORY_LIMIT = 200_000_000
# A torch.compile that leaves a record of a compile, as PyTorch would, so that a run of it is one that compiled something.
COMPILES = """
import os, pathlib, re, sys
__version__ = "2.13.0+fake"
class version:
    cuda = hip = None
def compile(model=None, *, backend="inductor", **call):
    folder = os.environ.get("TORCH_TRACE")
    if folder and "TORCHDYNAMO_DISABLE" not in os.environ:
        os.makedirs(folder, exist_ok=True)
        text = re.sub(r"^(V[0-9]{4} [0-9:.]+ )[0-9]+ ", rf"\\g<1>{os.getpid()} ", TRACE, flags=re.M)
        pathlib.Path(folder, f"dedicated_log_torch_trace_{os.getpid()}.log").write_text(text)
    print("compile", sorted(call.items()))
    return model
"""


class Launches(Place):
    """Programs in a directory, launched with and without pt2trace."""

    def __init__(self, pt2trace, source):
        super().__init__(pt2trace, source)
        self.count = 0

    def fresh(self):
        self.count += 1
        return f"out{self.count}"

    def command(self, *words):
        """The command line, and where its output goes."""
        out = self.fresh()
        return [str(self.pt2trace), "run", "--no-browser", "--color", "never", "-o", out, *map(str, words)], self.folder / out

    def python(self, name, text):
        self.write(name, text)
        return ["--", "python3", name]

    def torch_that_compiles(self):
        import gzip
        trace = next((self.testdata / "hello").rglob("*.gz"))
        folder = self.folder / "compiles" / "torch"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").write_text(f"TRACE = {gzip.open(trace, 'rt').read()!r}\n" + COMPILES)
        return {"PYTHONPATH": str(self.folder / "compiles")}

    def terminal(self, words, steps, timeout=60, **environment):
        """
        Runs the words in a terminal; each of the steps is a text to wait for and what is then done: bytes are typed, a
        number is a new width, a function is called with the process id. Status, output, seconds.
        """
        begun = time.monotonic()
        pid, master = pty.fork()
        if pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.chdir(self.folder)
            os.execvpe(words[0], words, {**self.environment, "TERM": "xterm", **environment})
        resize(master, WIDTH)
        shown, seen, steps = b"", 0, list(steps)
        while time.monotonic() - begun < timeout:
            if steps and steps[0][0].encode() in shown[seen:]:
                text, action = steps.pop(0)
                seen = shown.index(text.encode(), seen) + len(text)
                act(master, pid, action)
            if select.select([master], [], [], 0.05)[0]:
                try:
                    piece = os.read(master, 1 << 16)
                except OSError:
                    break
                if not piece:
                    break
                shown += piece
        else:
            os.kill(pid, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.close(master)
        return status, shown.decode(errors="replace").replace("\r\n", "\n"), time.monotonic() - begun


def resize(master, width):
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))


def act(master, pid, action):
    if callable(action):
        action(pid)
    elif isinstance(action, int):
        resize(master, action)
    else:
        os.write(master, action)


def run_json(out):
    return json.loads((out / "run.json").read_text())


def trial(out, name="base"):
    return next(t for t in run_json(out)["trials"] if t["name"] == name)


# --- status, input, output -------------------------------------------------------------------------------------------


def statuses(tap, place):
    for text, status in (("", 0), ("import sys; sys.exit(5)", 5), ("import os; os.kill(os.getpid(), 9)", 137),
                         ("import os; os.kill(os.getpid(), 15)", 143), ("raise ValueError('x')", 1)):
        words, _ = place.command(*place.python("ends.py", text))
        done = subprocess.run(words, cwd=place.folder, env=place.environment, capture_output=True, check=False)
        tap.equal(f"status of {text or 'a program that does nothing'}", status, done.returncode)
    place.write("no-program", "text")
    (place.folder / "sub").mkdir(exist_ok=True)
    for command, status in (("there-is-none", 127), ("./there-is-none", 127), ("./no-program", 126), ("./sub", 126)):
        words, out = place.command("--", command)
        done = subprocess.run(words, cwd=place.folder, env=place.environment, capture_output=True, text=True, check=False)
        tap.equal(f"{command}: the status, and nothing is left behind", (status, False), (done.returncode, out.exists()))
        tap.point(f"{command}: it is named", command in done.stderr, done.stderr)


def output(tap, place):
    words, out = place.command(*place.python("mixed.py", "import sys\nsys.stdout.write('no end')\nsys.stderr.write('err\\n')\n"))
    done = subprocess.run(words, cwd=place.folder, env=place.environment, capture_output=True, text=True, check=False)
    tap.equal("standard output has nothing of ours", "no end", done.stdout)
    tap.point("standard error begins with the program's", done.stderr.startswith("err\nRead "), done.stderr)
    tap.point("and ends with the report's path", f"{out.name}/report/index.html" in done.stderr.rpartition("\nReport ")[2], done.stderr)
    lines = "I1122 07:21:44.123456 140735012345 train.py:12] step 1\nV1122 07:21:44.123456 17 my/torch/x.py:1] mine\n"
    words, _ = place.command("-q", *place.python("logs.py", f"import sys\nsys.stderr.write({lines!r})\n"))
    done = subprocess.run(words, cwd=place.folder, env=place.environment, capture_output=True, text=True, check=False)
    tap.equal("the program's own log lines are shown", lines, done.stderr)
    place.write("many.py", "import sys\nfor i in range(400000): print(i)\n")
    words, _ = place.command("-q", "--", "python3", "many.py")
    done = subprocess.run(f"{' '.join(words)} | head -2", shell=True, cwd=place.folder, env=place.environment, capture_output=True,
                          text=True, timeout=60, check=False)
    tap.equal("a reader that has enough ends the program as it would without us", ("0\n1\n", True),
              (done.stdout, "BrokenPipeError" in done.stderr))


def nowhere(tap, place):
    """Outputs that the caller closed, or that take nothing: as under strace and perf, the status is the program's."""
    program = place.python("ends5.py", "import sys\nprint('said')\nsys.exit(5)\n")
    for name, how in (("closed standard error", "2>&-"), ("closed standard output", ">&-"), ("both closed", ">&- 2>&-"),
                      ("all three closed", "<&- >&- 2>&-"), ("a full standard error", "2>/dev/full"),
                      ("a full standard output", ">/dev/full")):
        words, out = place.command(*program)
        done = subprocess.run(["sh", "-c", f'exec "$@" {how}', "sh", *words], cwd=place.folder, env=place.environment,
                              capture_output=True, text=True, check=False)
        tap.equal(f"{name}: the status is the program's, what it said is kept, there is a report", (5, "said\n", True),
                  (done.returncode, (out / "base/log/console.out").read_text(), (out / "report/index.html").is_file()))
        tap.equal(f"{name}: what could not be passed on is said where something wants it", how == ">/dev/full",
                  any("could not be passed on (No space left on device)" in note for note in run_json(out)["notes"]))


def standard_input(tap, place):
    text = "import sys\ndata = sys.stdin.read().split()\nimport torch\ntorch.compile(print)\nprint('sum', sum(map(int, data)))\n"
    fake = place.torch_that_compiles()
    place.write("numbers.txt", "0 1 2 3")

    def run(options, **how):
        words, out = place.command(*options, *place.python("adds.py", text))
        done = subprocess.run(words, cwd=place.folder, env={**place.environment, **fake}, capture_output=True, text=True, timeout=100,
                              check=False, **how)
        consoles = [(out / t["name"] / "log/console.out").read_text().split()[-1] for t in run_json(out)["trials"]]
        return done.stdout.split()[-1:], consoles

    tap.equal("a pipe is passed through", (["6"], ["6"]), run([], input="1 2 3"))
    tap.equal("every trial reads the same from a pipe", (["6"], ["6", "6", "6"]), run(["--repeats", "3"], input="1 2 3"))
    with open(place.folder / "numbers.txt", encoding="utf-8") as file:
        file.seek(1)
        os.lseek(file.fileno(), 1, os.SEEK_SET)
        tap.equal("and from a file, from where it stands", (["6"], ["6", "6"]), run(["--repeats", "2"], stdin=file))
    read, write = os.pipe()
    os.write(write, b"1\n2\n")
    first = "import sys, torch\ntorch.compile(print)\nprint('sum', sys.stdin.readline().strip() + sys.stdin.readline().strip())\n"
    words, out = place.command("--repeats", "2", *place.python("two.py", first))
    subprocess.run(words, cwd=place.folder, env={**place.environment, **fake}, stdin=read, capture_output=True, timeout=100, check=False)
    tap.equal("a pipe that nobody closes is not waited for", ["12", "12"],
              [(out / t["name"] / "log/console.out").read_text().split()[-1] for t in run_json(out)["trials"]])
    os.close(read)
    os.close(write)


# --- a terminal -------------------------------------------------------------------------------------------------------

TERMINAL = """
import os, signal, sys, time
print("tty", [os.isatty(fd) for fd in (0, 1, 2)], os.get_terminal_size().columns, os.get_terminal_size(2).columns)
print("controlling", open("/dev/tty").fileno() > 0)
sizes = []
signal.signal(signal.SIGWINCH, lambda *_: sizes.append(os.get_terminal_size().columns))
print("hello", input("name? "))
for _ in range(100):
    time.sleep(0.02)
    if 60 in sizes:
        break
print("now", 60 in sizes)
print("\\033[31mred\\033[0m, and no end", end="")
"""


def terminal(tap, place):
    words, _ = place.command(*place.python("terminal.py", TERMINAL))
    status, shown, _ = place.terminal(words, [("name? ", b"joe\n"), ("hello joe", 60)])
    tap.equal("a program in a terminal ends as ever", 0, status)
    for name, text in (("its three streams are terminals, of the right width", f"tty [True, True, True] {WIDTH} {WIDTH}"),
                       ("it has a controlling terminal", "controlling True"), ("it can ask", "hello joe"),
                       ("it learns of a new width", "now True"), ("its colors stay", "\x1b[31mred\x1b[0m, and no end\nRead ")):
        tap.point(name, text in shown, shown)
    words, _ = place.command("-q", *place.python("debugged.py", "x = 41\nbreakpoint()\nprint('x is', x)\n"))
    status, shown, _ = place.terminal(words, [("(Pdb)", b"x = 5\n"), ("(Pdb)", b"c\n")])
    tap.equal("a debugger can be talked to", (0, True), (status, "x is 5" in shown))
    place.write("where.py", "import os, sys\nprint([os.isatty(fd) for fd in (0, 1, 2)], file=sys.stderr)\nprint('data')\n")
    words, _ = place.command("-q", "--", "python3", "where.py")
    status, shown, _ = place.terminal(["sh", "-c", " ".join(words) + " | cat -n"], [])
    tap.equal("only what is a terminal is one", (0, True, True), (status, "[True, False, True]" in shown, "1\tdata" in shown))
    words, _ = place.command("-q", "--", "python3", "where.py")
    status, shown, _ = place.terminal(["sh", "-c", " ".join(words) + " < /dev/null 2> file; cat file"], [])
    tap.point("also with a file and nothing to read", "[False, True, False]" in shown, shown)


def interrupts(tap, place):
    """^C at a terminal, once and twice."""
    words, out = place.command(*place.python("polite.py", "import time\ntry:\n    print('up')\n    time.sleep(50)\nexcept KeyboardInterrupt:\n"
                                                          "    print('bye')\n"))
    status, shown, _ = place.terminal(words, [("up", b"\x03")])
    tap.equal("^C reaches the program, once, and the report follows", (130, 1, True),
              (status, shown.count("bye"), (out / "report/index.html").is_file()))
    stubborn = "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('up', flush=True)\nwhile True: time.sleep(1)\n"
    words, out = place.command("--kill-after", f"{GRACE_S}s", *place.python("stubborn.py", stubborn))
    status, shown, took = place.terminal(words, [("up", b"\x03")])
    tap.equal("^C ends what ignores it after a while", (130, True), (status, took < GRACE_S + 8))
    tap.point("with a finding that leads the report, and says where it was",
              "It was ended by Ctrl-C" in shown and "stubborn.py:4" in shown, shown)
    words, out = place.command("--kill-after", "50s", *place.python("stubborn.py", stubborn))
    status, shown, took = place.terminal(words, [("up", b"\x03"), ("^C", lambda _: time.sleep(1)), ("", b"\x03")])
    tap.equal("a second ^C ends it at once", (130, True, True), (status, took < 15, (out / "report/index.html").is_file()))
    hang = "print('up', flush=True)\nsum(range(10 ** 13))\n"
    words, out = place.command("--kill-after", f"{GRACE_S}s", *place.python("hang.py", hang))
    status, shown, _ = place.terminal(words, [("up", lambda _: time.sleep(1)), ("", b"\x03")])
    tap.equal("^C while a C function hangs", (130, "interrupted"), (status, trial(out)["end"]))
    tap.point("its line is known", "hang.py:2" in shown, shown)
    (place.folder / "slow").mkdir(exist_ok=True)
    place.write("slow/python3", "#!/bin/sh\nsleep 5\nexec python3 \"$@\"\n")
    (place.folder / "slow/python3").chmod(0o755)
    words, out = place.command("--", str(place.folder / "slow/python3"), "-c", "print('started')")
    words[0:0] = ["sh", "-c", "echo ready; exec \"$@\"", "sh"]
    status, shown, took = place.terminal(words, [("ready", lambda _: time.sleep(1)), ("", b"\x03")])
    tap.equal("^C while Python is asked what it is: nothing is started, nothing is left", (130, False, False),
              (status, "started" in shown, out.exists()))


# --- other ends -------------------------------------------------------------------------------------------------------


def wait_for(path, text, seconds=30):
    for _ in range(int(seconds * 20)):
        if path.is_file() and text in path.read_text():
            return True
        time.sleep(0.05)
    return False


def alive(mark):
    """Processes with the mark in their environment."""
    found = 0
    for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            found += mark.encode() in path.read_bytes()
        except OSError:
            pass
    return found


def gone(mark):
    for _ in range(100):
        if alive(mark) == 0:
            return True
        time.sleep(0.05)
    return False


def signals(tap, place):
    """SIGTERM and SIGHUP to pt2trace itself, and SIGKILL. Under nohup SIGHUP would be ignored, by what is started here as well."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    text = "import subprocess, time\nsubprocess.Popen(['setsid', 'sleep', '60'])\nprint('up', flush=True)\ntime.sleep(60)\n"
    for number, status in ((signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -9)):
        mark = f"PT2TRACE_TEST_LAUNCH={os.getpid()}-{int(number)}"
        words, out = place.command("--env", mark, "--kill-after", f"{GRACE_S}s", *place.python("family.py", text))
        process = subprocess.Popen(words, cwd=place.folder, env=place.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(out / "base/log/console.out", "up")
        process.send_signal(number)
        tap.equal(f"{number.name} to pt2trace: its status", status, process.wait(60))
        tap.point(f"{number.name}: nothing that it started outlives it", gone(mark))
        if number != signal.SIGKILL:
            tap.equal(f"{number.name}: there is a report", True, (out / "report/index.html").is_file())


def children(pid, name):
    """The processes of that name that a process started."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            number, rest = path.read_text().split(" (", 1)
            if rest.startswith(f"{name}) ") and rest.rpartition(")")[2].split()[1] == str(pid):
                found.append(int(number))
    return found


def both_are_killed(tap, place):
    """The process that watches the program is killed while pt2trace can do nothing: the program ends with it."""
    mark = f"PT2TRACE_TEST_LAUNCH={os.getpid()}-both"
    words, out = place.command("--env", mark, *place.python("alone.py", "import time\nprint('up', flush=True)\ntime.sleep(60)\n"))
    process = subprocess.Popen(words, cwd=place.folder, env=place.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(out / "base/log/console.out", "up")
    guards = children(process.pid, "pt2trace-guard")
    tap.equal("one process watches the program", 1, len(guards))
    process.send_signal(signal.SIGSTOP)
    for guard in guards:
        os.kill(guard, signal.SIGKILL)
    tap.point("SIGKILL to it, while pt2trace is stopped: the program ends as well", gone(mark))
    process.kill()
    process.wait(60)


STUBBORN = {
    "ignores signals": "import signal, time\nfor s in (2, 15, 1): signal.signal(s, signal.SIG_IGN)\nwhile True: time.sleep(1)\n",
    "has a handler for SIGTERM that is never called, as it hangs in C":
        "import signal\nsignal.signal(15, lambda *_: print('checkpoint'))\nsum(range(10 ** 13))\n",
    "is stopped": "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n",
    "left a daemon that ignores signals": "import os, signal, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork():\n        os._exit(0)\n"
                                          "    signal.signal(15, signal.SIG_IGN)\n    while True: time.sleep(1)\ntime.sleep(60)\n",
    "writes without end": "import signal\nsignal.signal(15, signal.SIG_IGN)\nwhile True: print('much' * 100)\n",
}


def time_limits(tap, place):
    """Each at once: they take their time."""
    running = []
    for number, (name, text) in enumerate(STUBBORN.items()):
        mark = f"PT2TRACE_TEST_LAUNCH={os.getpid()}-stubborn-{number}"
        words, out = place.command("--env", mark, "--time-limit", "2s", "--kill-after", f"{GRACE_S}s",
                                   *place.python(f"stubborn{number}.py", text))
        running.append((name, mark, out, time.monotonic(), subprocess.Popen(
            words, cwd=place.folder, env=place.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)))
    for name, mark, out, begun, process in running:
        _, said = process.communicate(timeout=60)
        tap.equal(f"a program that {name}: 124, with run.json and a report in time", (124, "timed-out", True, True), (
            process.returncode, trial(out)["end"], (out / "report/index.html").is_file(), time.monotonic() - begun < 2 + GRACE_S + 5 + 8))
        tap.point(f"... and nothing of it is left", gone(mark))
        tap.point("... which leads the report", "It did not end within" in said.split("Findings")[1][:200], said)


def killed(tap, place):
    words, out = place.command(*place.python("killed.py", "import os, torch\ntorch.compile(print)\nos.kill(os.getpid(), 9)\n"))
    done = subprocess.run(words, cwd=place.folder, env={**place.environment, **place.torch_that_compiles()}, capture_output=True, text=True,
                          check=False)
    tap.point("a program that is killed: that leads the report", "It was killed (SIGKILL)" in done.stderr.split("Findings")[1][:200], done.stderr)
    report = json.loads((out / "report/report.json").read_text())
    tap.equal("as its first finding", "run-killed", report["findings"][0]["id"])
    words, out = place.command(*place.python("nothing.py", "print(1)\n"))
    done = subprocess.run(words, cwd=place.folder, env=place.environment, capture_output=True, text=True, check=False)
    tap.point("a run without a trace is not called sound", "there is no trace" in done.stderr and "sound" not in done.stderr, done.stderr)
    tap.point("and it says that nothing was compiled", "did not import PyTorch" in " ".join(done.stderr.split()), done.stderr)


def memory(tap, place):
    """A limit of the shell, which ends nothing: an allocation fails. Then the kernel's kill, or what run.json has of one."""
    words, _ = place.command(*place.python("takes.py", "held = bytearray(10 ** 13)\n"))
    done = subprocess.run(["sh", "-c", 'ulimit -v 3000000; exec "$@"', "sh", *words], cwd=place.folder, env=place.environment,
                          capture_output=True, text=True, check=False)
    said = " ".join(done.stderr.split())
    tap.equal("ulimit -v: status", 1, done.returncode)
    tap.point("ulimit -v: what failed is memory, and whose limit that is", "Out of memory: `MemoryError`" in said and
              "Each process may have 3.1 GB of addresses (`ulimit -v`) here" in said and "torch.compile" not in said, done.stderr)
    with control_group(MEMORY_LIMIT) as join:
        (kernel_kills if join else kernel_kill_noted)(tap, place, join)


def may_write(path, text):
    try:
        with open(path, "r+", encoding="ascii") as file:
            file.write(text)
        return True
    except OSError:
        return False


@contextlib.contextmanager
def control_group(limit):
    """A shell's words that join a group of so many bytes; None where we may not make one (who is not root)."""
    for mount, file in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
        group = pathlib.Path(mount, f"pt2trace-test-{os.getpid()}")
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            if may_write(group / file, str(limit)):
                yield f"echo $$ > {group}/cgroup.procs"
                return
        finally:
            group.rmdir()
    yield None


def kernel_kills(tap, place, join):
    """The program itself, and one of its children."""
    grows = "held = []\nwhile True: held.append(bytearray(b'x' * (8 << 20)))\n"
    place.write("grows.py", grows)
    child = "import subprocess, sys\nsys.exit(subprocess.run([sys.executable, 'grows.py']).returncode != 0)\n"
    for name, text, status, begins in (("the program", grows, 137, "It was killed (SIGKILL) after"),
                                       ("a child of it", child, 1, "The kernel killed 1 process for lack of memory")):
        words, out = place.command(*place.python("parent.py", text))
        done = subprocess.run(["sh", "-c", join + ' && exec "$@"', "sh", *words], cwd=place.folder, env=place.environment,
                              capture_output=True, text=True, check=False)
        report = json.loads((out / "report/report.json").read_text())
        title = report["findings"][0]["title"] if report["findings"] else ""
        tap.equal(f"the kernel kills {name} for lack of memory: status, and what leads the report", (status, "run-killed", True), (
            done.returncode, report["findings"] and report["findings"][0]["id"], title.startswith(begins)))
        tap.point(f"{name} killed: the limit is named", any("is limited to 0.2 GB of memory" in note for note in run_json(out)["notes"]),
                  run_json(out)["notes"])
    tap.point("a kill by the kernel is called likely, not certain", status == 1 and "may be one of its workers" in report["findings"][0]["detail"],
              report["findings"])


def kernel_kill_noted(tap, place, _):
    words, out = place.command(*place.python("killed.py", "import os\nos.kill(os.getpid(), 9)\n"))
    subprocess.run(words, cwd=place.folder, env=place.environment, capture_output=True, check=False)
    run = run_json(out)
    run["trials"][0]["oom_kills"] = 1
    (out / "run.json").write_text(json.dumps(run))
    done = subprocess.run([str(place.pt2trace), "summary", str(out / "base"), str(out / "run.json")], capture_output=True, text=True, check=False)
    tap.point("SIGKILL while the kernel killed for lack of memory", "most likely out of memory" in " ".join(done.stdout.split()), done)


ODD = {
    "bytes that are no text": ("sys.stdout.buffer.write(bytes(range(256)) * 300)", 0),
    "one line of 20 MB": ("sys.stdout.write('x' * 20_000_000)", 0),
    "a standard output that it closes": ("print('first', flush=True); os.close(1); os._exit(5)", 5),
    "os._exit": ("sys.stdout.write('lost'); os._exit(9)", 9),
    "an exit status out of atexit": ("import atexit; atexit.register(lambda: os._exit(7)); sys.exit(3)", 7),
    "another program in its place": ("os.execvp('sh', ['sh', '-c', 'echo other; exit 4'])", 4),
    "a directory that is gone": ("import tempfile; d = tempfile.mkdtemp(); os.chdir(d); os.rmdir(d); print('nowhere')", 0),
    "no directory for temporary files": ("import shutil; shutil.rmtree(os.environ['TMPDIR']); print('cleared')", 0),
    "a shell's pipeline": ("os.execvp('sh', ['sh', '-c', 'yes | head -3; exit 6'])", 6),
}


def odd_programs(tap, place):
    """The same bytes and the same status as without us, and a report."""
    temporary = place.folder / "temporary"
    for name, (text, status) in ODD.items():
        place.write("odd.py", f"import os, sys\n{text}\n")
        found = []
        words, out = place.command("-q", "--", "python3", "odd.py")
        for command in (["python3", "odd.py"], words):
            temporary.mkdir(exist_ok=True)
            done = subprocess.run(command, cwd=place.folder, env={**place.environment, "TMPDIR": str(temporary)}, capture_output=True, check=False)
            found.append((done.returncode, done.stdout))
        tap.point(f"{name}: the same as without pt2trace", found[0] == found[1] and found[1][0] == status, [f[:2] for f in found], done.stderr)
        tap.equal(f"{name}: with a report", True, (out / "report/index.html").is_file())
        tap.equal(f"{name}: the directory for temporary files is what the program left of it", "rmtree" not in text, temporary.exists())
    place.write("odd.py", "import os, shutil\nprint(os.path.isdir(os.environ['TORCHINDUCTOR_CACHE_DIR']))\nshutil.rmtree(os.environ['TMPDIR'])\n")
    words, out = place.command("-q", "--warm", "--", "python3", "odd.py")
    temporary.mkdir(exist_ok=True)
    done = subprocess.run(words, cwd=place.folder, env={**place.environment, "TMPDIR": str(temporary)}, capture_output=True, text=True, check=False)
    logs = [(out / trial["name"] / "log" / "console.out") for trial in run_json(out)["trials"]]
    tap.equal("a program that removes its caches: the next launch has a directory for them", (0, ["True\n"] * len(logs)),
              (done.returncode, [log.read_text() for log in logs if log.is_file()]))
    tap.point("... it was launched again", len(logs) > 1, logs)
    inner, fake = place.folder / "inner", {**place.environment, **place.torch_that_compiles()}
    place.write("calls.py", CALLS)
    words, out = place.command("--", str(place.pt2trace), "run", "-q", "--no-browser", "-o", str(inner), "--", "python3", "calls.py")
    done = subprocess.run(words, cwd=place.folder, env=fake, capture_output=True, text=True, check=False)
    tap.equal("a run in a run: the inner one has the trace", (0, 1, None), (done.returncode, trial(inner)["compiles"], trial(out)["compiles"]))
    tap.point("... and the outer one says where", "a `pt2trace run` itself" in " ".join(done.stderr.split()) and str(inner) in done.stderr, done.stderr)


# --- what was asked, and what may be concluded ------------------------------------------------------------------------

CALLS = "import sys, torch\ntorch.compile(print)\nprint('loss', 1)\n"


def arrivals(tap, place):
    fake = {**place.environment, **place.torch_that_compiles()}
    place.write("calls.py", CALLS)
    place.write("run.sh", f"# as users write it\nexport PYTHONPATH='{place.folder / 'compiles'}'\npython3 calls.py\n")
    place.write("isolated.py", f"import sys\nsys.path.append({str(place.folder / 'compiles')!r})\n" + CALLS)
    for name, command, way in (("a script that sets PYTHONPATH", ["bash", "run.sh"], "run.sh:2 sets PYTHONPATH"),
                               ("python -I", ["python3", "-I", "isolated.py"], "`-I` makes Python ignore PYTHONPATH")):
        words, out = place.command("--fullgraph", "--", *command)
        done = subprocess.run(words, cwd=place.folder, env=fake, capture_output=True, text=True, check=False)
        said = " ".join(done.stderr.split())
        tap.point(f"{name}: what did not arrive is said, with the way round", f"Not tried: fullgraph. The program's Python does not load" in said
                  and way in said and "nothing changes" not in said, done.stderr)
        tap.point(f"{name}: and is in run.json", way in (trial(out, "what-if")["not_applied"] or ""), run_json(out))
    words, out = place.command("--set", "torch.no_such.thing=1", *place.python("calls.py", CALLS))
    done = subprocess.run(words, cwd=place.folder, env=fake, capture_output=True, text=True, check=False)
    tap.point("a setting that is not there is an error of the trial", "no attribute 'no_such'" in done.stderr.split("Verdict")[1], done.stderr)
    program = "import os\nos.environ['TORCHDYNAMO_DISABLE'] = ''\n" + CALLS
    words, out = place.command("--backend", "none", *place.python("own.py", program))
    subprocess.run(words, cwd=place.folder, env=fake, capture_output=True, text=True, check=False)
    tap.point("a program that sets the variable itself is distinguished from one that took it",
              "sets it itself" in (trial(out, "what-if")["not_applied"] or ""), run_json(out)["trials"][1])
    program = "import os\nos.environ['TORCH_TRACE'] = 'mine'\n" + CALLS
    words, out = place.command("-q", *place.python("elsewhere.py", program))
    subprocess.run(words, cwd=place.folder, env=fake, capture_output=True, text=True, check=False)
    mine = (place.folder / "mine").resolve()
    tap.equal("a trace in a directory of the program's own is found", (1, [f"base: the program sets TORCH_TRACE itself: its trace is in {mine}."]),
              (trial(out)["compiles"], [note for note in run_json(out)["notes"] if "TORCH_TRACE" in note]))
    words, out = place.command("--fullgraph", *place.python("calls.py", CALLS))
    subprocess.run(words, cwd=place.folder, env=fake, capture_output=True, text=True, check=False)
    what_if = trial(out, "what-if")
    tap.equal("what arrived is not complained of", None, what_if["not_applied"])
    clean = {name: fake[name] for name in ("PATH", "PYTHONPATH")}
    pasted = subprocess.run(["sh", "-c", what_if["command"]], cwd="/", env=clean, capture_output=True, text=True, check=False)
    tap.point("its command does the same in a fresh shell, without pt2trace", "compile [('fullgraph', True)]" in pasted.stdout, pasted)


RANDOM = "import random, torch\ntorch.compile(print)\nprint('loss', random.random())\n"
RESUMES = ("import os, torch\ntorch.compile(print)\nn = int(open('state').read()) if os.path.exists('state') else 0\n"
           "open('state', 'w').write(str(n + 1))\nprint('loss', 10 / (n + 1))\n")
WRONG = "import os, torch\ntorch.compile(print)\nprint('loss', 1 if 'TORCHDYNAMO_DISABLE' in os.environ else 2)\n"


def verdicts(tap, place):
    fake = {**place.environment, **place.torch_that_compiles()}
    for name, text, wanted, launches in (
            ("random numbers", RANDOM, "It is not deterministic: two runs without torch.compile differ", 3),
            ("a program that goes on from its own checkpoint", RESUMES, "reads a file that an earlier run wrote (`state`)", 3),
            ("a program that compiles nothing", "print('loss', 1)\n", "did not import PyTorch. The compiler is not at fault", 1),
            ("a program that fails without the compiler", "import torch\ntorch.compile(print)\n1 / 0\n",
             "It fails without torch.compile, too", 3),
            ("a result that is always right", "import torch\ntorch.compile(print)\nprint('loss', 1)\n", "nothing to bisect", 2),
            ("a result that is always wrong", WRONG, "It gives another result from backend `eager` on", 5)):
        for path in place.folder.glob("state"):
            path.unlink()
        words, out = place.command("-q", "--bisect", "--check", "loss ([0-9.e-]+)", *place.python("judged.py", text))
        subprocess.run(words, cwd=place.folder, env=fake, capture_output=True, text=True, check=False)
        run = run_json(out)
        tap.point(f"{name}: the verdict", any(wanted in c for c in run["conclusions"]), run["conclusions"])
        tap.equal(f"{name}: launches", launches, len(run["trials"]))
        accused = any("the fault is in" in c for c in run["conclusions"])
        tap.equal(f"{name}: a stage is accused", text == WRONG, accused)
    words, out = place.command("-q", "--repeats", "3", "--check", "loss ([0-9.e-]+)", *place.python("judged.py", RANDOM))
    subprocess.run(words, cwd=place.folder, env=fake, capture_output=True, text=True, check=False)
    tap.point("--repeats says that results differ", any("The results differ from run to run: 2 of them" in c
                                                        for c in run_json(out)["conclusions"]), run_json(out)["conclusions"])


PARTS = (statuses, output, nowhere, standard_input, terminal, interrupts, signals, both_are_killed, time_limits, killed, memory, odd_programs,
         arrivals, verdicts)


def main(pt2trace, source):
    tap, place = Tap(), Launches(pt2trace, source)
    try:
        for part in PARTS:
            part(tap, place)
    finally:
        shutil.rmtree(place.folder, ignore_errors=True)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
