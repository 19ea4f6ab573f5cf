#!/usr/bin/env python3
"""Every command, given what is no input and no place for output: an error that names the file, and nothing half-written.

    test_bad_input.py PT2TRACE TESTDATA

Prints TAP.
"""

import gzip
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

from tap import Tap
from writer import Writer

DONE, IO, NOTHING = 0, 3, 4

# {in} is the input that is bad, {good} one that is not, {out} where output goes.
READERS = ["summary {in}", "report -q --no-browser -o {out} {in}", "export --format json {in}", "export --format perfetto -o {out} {in}",
           "export --format sqlite -o {out} {in}", "export --format tables -o {out} {in}", "export --format tlparse -o {out} {in}",
           "digest -o {out} {in}", "check {in}", "diff {good} {in}", "diff {in} {good}", "diff --ranks 0,1 {in}",
           "follow --once {in}", "show {in}", "show {in} 0/0 guards --failed", "index {out} {in}"]

WRITERS = ["report -q --no-browser -o {out} {good}", "export --format json -o {out} {good}", "export --format sqlite -o {out} {good}",
           "export --format csv -o {out} {good}", "export --format tlparse -o {out} {good}", "digest -o {out} {good}",
           "check --format junit -o {out} {good}", "diff -o {out} {good} {good}", "follow --once --html {out} {good}", "index {out} {good}"]

PRINTERS = ["summary {good}", "export --format json {good}", "export --format perfetto {good}", "check {good}", "diff --format json {good} {good}",
            "show {good} 0/0 output_code", "findings", "follow --once --json {good}"]


class Context:
    def __init__(self, tap, pt2trace, testdata, temp):
        self.tap, self.pt2trace, self.temp = tap, pt2trace, temp
        self.good = testdata / "hello" / "trace"
        self.out = temp / "out"

    def run(self, command, out=None, **places):
        words = [word.format(good=self.good, out=out or self.out / "it", **places) for word in command.split()]
        return subprocess.run([self.pt2trace, *words], capture_output=True, stdin=subprocess.DEVNULL, timeout=120,
                              env={**os.environ, "NO_COLOR": "1"})

    def written(self):
        return sorted(str(p.relative_to(self.out)) for p in self.out.rglob("*"))


def inputs(context):
    """(name, path, exit status): what each command is given."""
    folder = context.temp / "in"
    (folder / "without").mkdir(parents=True)
    (folder / "without" / "notes.txt").write_text("mine\n")
    (folder / "empty").write_bytes(b"")
    (folder / "binary").write_bytes(bytes(range(256)) * 40)
    (folder / "cut.gz").write_bytes(gzip.compress(b"x" * 100000)[:20])
    return [("a path that is not there", folder / "nowhere", IO), ("a directory without traces", folder / "without", NOTHING),
            ("an empty file", folder / "empty", NOTHING), ("a binary file", folder / "binary", NOTHING),
            ("a gzip file that is cut off", folder / "cut.gz", NOTHING), ("a file that cannot be read", pathlib.Path("/proc/self/mem"), IO)]


def test_inputs(context):
    for name, path, status in inputs(context):
        wrong = []
        for command in READERS:
            done = context.run(command, **{"in": path})
            # A database may gain runs later, and a digest of a rank that wrote nothing says so.
            left = [] if command.startswith(("index", "digest")) and done.returncode == NOTHING else context.written()
            if done.returncode not in (status, NOTHING) or str(path) not in done.stderr.decode() or left or b"Traceback" in done.stderr:
                wrong.append(f"{command}: exit {done.returncode}, left {left}: {done.stderr.decode(errors='replace')[:200]}")
            for p in sorted(context.out.rglob("*"), reverse=True):
                p.rmdir() if p.is_dir() else p.unlink()
        context.tap.empty(f"{name}: {len(READERS)} commands name it, and write nothing", wrong)


def test_outputs(context):
    """Places where nothing can be written, or where something of others is."""
    (context.temp / "file").write_text("mine\n")
    full, foreign = context.temp / "full", context.temp / "foreign"
    full.symlink_to("/dev/full")
    foreign.mkdir()
    (foreign / "index.html").write_text("mine\n")
    for name, place in (("below a file", context.temp / "file" / "x"), ("below what is no directory", pathlib.Path("/proc/nowhere/x")),
                        ("a full device", full)):
        wrong = []
        for command in WRITERS:
            done = context.run(command, out=place)
            if done.returncode != IO or str(place) not in done.stderr.decode():
                wrong.append(f"{command}: exit {done.returncode}: {done.stderr.decode(errors='replace')[:200]}")
        context.tap.empty(f"output {name}: {len(WRITERS)} commands name it", wrong)
    context.tap.point("a device is never replaced by a file", full.is_symlink() and full.is_char_device())
    context.tap.equal("nor is a file", "mine\n", (context.temp / "file").read_text())
    wrong = [command for command in WRITERS if "csv" not in command and "tlparse" not in command and context.run(command, out=foreign).returncode != IO]
    context.tap.empty("a directory of others is left alone", wrong + [p.name for p in foreign.iterdir() if p.name != "index.html"])
    context.tap.equal("with its page", "mine\n", (foreign / "index.html").read_text())
    pipe = context.temp / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    done = context.run("export --format json -o {out} {good}", out=pipe)
    context.tap.point("a named pipe is written to", done.returncode == DONE and reader.communicate(timeout=60)[0].startswith(b"{") and pipe.is_fifo())


def too_large():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))


def test_no_space(context):
    """No file may become larger than 2 KiB, as on a disk that is full."""
    wrong = []
    for command in WRITERS[:4] + WRITERS[5:6] + WRITERS[8:]:
        words = [word.format(good=context.good, out=context.out / "it") for word in command.split()]
        done = subprocess.run([context.pt2trace, *words], capture_output=True, stdin=subprocess.DEVNULL, timeout=120, preexec_fn=too_large)
        left = [name for name in context.written() if ".tmp-" in name or name.endswith(("index.html", "report.json"))]
        if done.returncode != IO or str(context.out) not in done.stderr.decode() or left:
            wrong.append(f"{command}: exit {done.returncode}, left {left}: {done.stderr.decode(errors='replace')[:200]}")
        for p in sorted(context.out.rglob("*"), reverse=True):
            p.rmdir() if p.is_dir() else p.unlink()
    context.tap.empty("no space: it is said where, and no part of a file is left", wrong)


def test_closed(context):
    """Whoever read the output went away: no complaint, no signal that a shell reports."""
    wrong = []
    for command in PRINTERS:
        words = [word.format(good=context.good) for word in command.split()]
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([context.pt2trace, *words], stdout=write, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=120)
        os.close(write)
        if done.returncode < 0 or done.stderr:
            wrong.append(f"{command}: exit {done.returncode}: {done.stderr.decode(errors='replace')[:200]}")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([context.pt2trace, *words], stdout=full, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=120)
        if done.returncode != IO or b"standard output" not in done.stderr:
            wrong.append(f"{command} > /dev/full: exit {done.returncode}: {done.stderr.decode(errors='replace')[:200]}")
    context.tap.empty("standard output that is closed, or full", wrong)


def test_barren(context):
    """Reading stops after 128 MiB without a record, wherever they are; a payload is part of its record."""
    path, mega = context.temp / "barren.log", 1 << 20
    records = []
    for number in range(3):
        writer = Writer()
        writer.record("dynamo_start", {"stack": []}, frame_id=number, frame_compile_id=0, attempt=0)
        records.append(writer.data)
    payload = records[0].replace(b"}\n", b', "has_payload": "0"}\n')
    lines = [b"x" * (mega - 1) + b"\n"]
    rows = {
        "one line": ([records[0], 130 * mega, records[1]], 1),
        "many lines": ([records[0], *lines * 130, records[1]], 1),
        "two lines": ([records[0], 100 * mega, records[1], 100 * mega, records[2]], 3),
        "many lines, twice": ([records[0], *lines * 100, records[1], *lines * 100, records[2]], 3),
        "a payload": ([payload, *[b"\t" + lines[0]] * 130, records[1]], 2),
        "a payload with a launcher's prefix": ([b"[rank0]: " + payload, *[b"[rank0]: \t" + lines[0]] * 130, b"[rank0]: " + records[1]], 2),
    }
    for name, (parts, compiles) in rows.items():
        with path.open("wb") as file:
            for part in parts:
                if isinstance(part, int):  # a hole: zeros that need no space
                    file.seek(part, os.SEEK_CUR)
                file.write(b"\n" if isinstance(part, int) else part)
        report = json.loads(context.run("export --format json {in}", **{"in": path}).stdout)
        context.tap.equal(f"without a record, {name}: what is read", (compiles, compiles == 1),
                          (len(report["compiles"]), any(m["code"] == "reading-stopped" for m in report["messages"])))


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="pt2trace-bad-") as temp:
        context = Context(tap, pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(temp))
        context.out.mkdir()
        for test in (test_inputs, test_outputs, test_no_space, test_closed, test_barren):
            test(context)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
