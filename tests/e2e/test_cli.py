#!/usr/bin/env python3
"""pt2trace as a user runs it: commands, options, exit statuses, complaints, and all the ways to name an input.

    test_cli.py PT2TRACE SOURCE SHARED

SOURCE is the top of the repository, SHARED a folder with more traces, which may be missing. What happens to the output
directory is in test_output.py. Prints TAP.
"""

import gzip
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

import reference
import hostile
from program import Program, columns
from tap import Tap, trace_folders
from writer import Writer

ESCAPE = re.compile(rb"\x1b\[[0-9;]*m")
COMMANDS = ("report", "summary", "show", "export", "findings", "digest", "merge", "index", "check", "diff", "mcp", "run", "follow")
DONE, DAMAGED, USAGE, IO, NOTHING = 0, 1, 2, 3, 4
IDS_SHOWN = 3  # compiles of each trace that are shown one by one


class Context:
    def __init__(self, tap, program, source, shared):
        self.tap, self.program, self.source = tap, program, source
        self.temp = program.temp
        self.testdata = source / "testdata"
        self.traces = trace_folders(self.testdata) + trace_folders(shared / "traces")
        self.hello = self.copy("hello")
        self.damaged = self.written("damaged.log", damaged())

    def copy(self, workload):
        """The trace file of a workload, where everybody may read it."""
        packed = next((self.testdata / workload / "trace").iterdir())
        return self.written(f"{workload}.log", gzip.decompress(packed.read_bytes()))

    def written(self, name, data):
        path = self.temp / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def run(self, *words, **options):
        return self.program.run(*words, **options)

    def report(self, *words, **options):
        """report.json of a call that must work, or None."""
        out = self.temp / "report-out"
        done = self.run("report", "-q", "--no-browser", "--overwrite", "-o", out, *words, **options)
        if done.returncode != DONE:
            self.tap.point(f"report {' '.join(map(str, words))}", False, done.returncode, done.stderr.decode(errors="replace"))
            return None
        return json.loads((out / "report.json").read_bytes())


def damaged():
    w = Writer()
    w.compile(0, 0)
    w.artifact("x", "what was written", frame_id=0, frame_compile_id=0)
    w.lines[-1] = b"\twhat is there now"
    return w.data


def of_rank(rank, ms=0, pid=0):
    w = Writer(pid=pid or 100 + rank, rank=rank, ms=ms)
    w.compile(0, 0)
    return w.data


# --- help and version -----------------------------------------------------------------------------------------------------


def test_help(c):
    wide, wrong = [], []
    for words in ([], *([name] for name in COMMANDS)):
        for option in ("--help", "-h"):
            done = c.run(*words, option)
            text = done.stdout.decode()
            wide += [line for line in text.splitlines() if columns(line) > 80 or line.endswith(" ")]
            if done.returncode != DONE or done.stderr or not text.startswith(f"Usage: pt2trace {' '.join(words) or '[COMMAND]'}"):
                wrong.append(f"{words} {option}: exit {done.returncode}, {text[:80]!r}, {done.stderr!r}")
        for option in ("--version", "-V"):
            done = c.run(*words, option)
            if (done.returncode != DONE or
                    not re.fullmatch(rb"pt2trace \d+\.\d+\.\d+\nwith .*\nfeatures: reports, run.*\nsandbox: .*\n", done.stdout) or
                    max(map(len, done.stdout.splitlines())) > 80):
                wrong.append(f"{words} {option}: exit {done.returncode}, {done.stdout!r}")
    c.tap.empty("help fits in 80 columns", wide)
    c.tap.empty("help and version of every command", wrong)
    text = c.run("--help").stdout.decode()
    c.tap.empty("help names every command", [name for name in COMMANDS if f"\n  {name} " not in text])
    done = c.run()
    c.tap.equal("no arguments: usage", (USAGE, b"Usage: pt2trace"), (done.returncode, done.stdout[:15]))


# Pages that name options of pt2trace, and no other program's.
OPTION_PAGES = ("commands", "guide/run", "guide/follow", "guide/logs", "guide/clusters", "guide/runs", "guide/ci",
                "guide/gpu", "guide/privacy", "guide/labels")


def test_docs_name_every_option(c):
    """Of a command's help each long option stands in the guide, and the other way round."""
    offered = {option for name in COMMANDS
               for option in re.findall(r"^ .{5}(--[a-z-]+)", c.run(name, "--help").stdout.decode(), re.MULTILINE)}
    pages = [(c.source / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in OPTION_PAGES]
    output = set(re.findall(r"--[a-z][a-z-]+", "".join(pages)))
    c.tap.equal("options of the guide", sorted(offered - {"--verbose", "--plain-text", "--export", "--inductor-provenance"}),
                sorted(output))


def test_tlparse_options(c):
    """What people type who come from tlparse."""
    wrong = []
    for words in (["-v"], ["-p"], ["-e"], ["-i"], ["--verbose"], ["--plain-text"], ["--export"], ["--inductor-provenance"],
                  ["--all-ranks-html"], ["--latest"], ["--strict"], ["--strict-compile-id"], ["-vpei", "--all-ranks-html"],
                  ["--custom-header-html", "<b>x</b>"], ["--no-browser"], ["--overwrite"], ["--serve", "--port", "8000"]):
        done = c.run(*words, c.hello, "-o", c.temp / "tlparse-out", "--overwrite")
        if done.returncode != DONE or done.stderr:
            wrong.append(f"{words}: exit {done.returncode}, {done.stderr!r}")
    c.tap.empty("options of tlparse", wrong)


def test_misspelled(c):
    """A command that is misspelled is no path: the one that was meant is named."""
    for word, meant in (("sumary", "summary"), ("dif", "diff"), ("chekc", "check"), ("exprot", "export"), ("trace", None),
                        ("x/sumary", None), ("zzz", None)):
        done = c.run(word, c.hello)
        suggested = re.search(r"did you mean (\w+)\?", done.stderr.decode())
        c.tap.equal(f"{word}: which command was meant", (2 if meant else 3, meant), (done.returncode, suggested and suggested[1]))


# --- what is printed ------------------------------------------------------------------------------------------------------


def ids_of(listing):
    """The ids in the output of `show PATH`."""
    return re.findall(r"^\[(\S+?)\]", listing, re.MULTILINE)


def layouts(c, trace):
    """The calls whose output is laid out in columns."""
    listing = c.run("show", trace).stdout.decode()
    return [("summary", trace), ("show", trace), *(("show", trace, id) for id in ids_of(listing)[:IDS_SHOWN])]


def too_wide(line, width):
    """What is to be pasted is not wrapped: it stands far to the right."""
    return columns(line) > width and not line.startswith(" " * 13)


def test_layout(c):
    """On every trace: through a pipe, in 80 columns, without escape sequences; in ASCII where the locale knows no more."""
    wide, escapes, not_ascii, complaints = [], [], [], []
    for trace in c.traces:
        for words in layouts(c, trace):
            name = " ".join(map(str, words)).replace(str(c.testdata), "")
            for locale in ("C.UTF-8", "C"):
                done = c.run(*words, env={"LC_ALL": locale})
                lines = done.stdout.decode("utf-8", "strict").split("\n")
                wide += [f"{name}: {columns(line)}: {line}" for line in lines if too_wide(line, 80) or line.endswith(" ")]
                escapes += [name] * (b"\x1b" in done.stdout)
                not_ascii += [name] * (locale == "C" and not done.stdout.isascii())
                if done.returncode != DONE or done.stderr:
                    complaints.append(f"{name}: exit {done.returncode}, {done.stderr.decode(errors='replace')}")
    c.tap.empty("80 columns, no blanks at their end", wide)
    c.tap.empty("no escape sequences in a pipe", escapes)
    c.tap.empty("only ASCII where the locale is C", not_ascii)
    c.tap.empty("no complaints about good traces", complaints)


def test_narrow(c):
    wide, differs = [], []
    for workload in ("explain", "dist2", "odd_names", "transformer", "spawn"):
        trace = c.testdata / workload / "trace"
        for words in layouts(c, trace):
            for width in (40, 60, 100):
                plain = c.run(*words, env={"COLUMNS": width})
                color = c.run(*words, "--color", "always", env={"COLUMNS": width, "NO_COLOR": "1"})
                wide += [f"{words[0]} {workload}: {columns(line)} of {width}: {line}"
                         for line in plain.stdout.decode().split("\n") if too_wide(line, width)]
                if ESCAPE.sub(b"", color.stdout) != plain.stdout:
                    differs.append(f"{words}: {width} columns")
    c.tap.empty("COLUMNS is kept to", wide)
    c.tap.empty("--color always changes nothing but colors", differs)
    c.tap.point("--color always gives colors", bool(ESCAPE.search(c.run("summary", "--color", "always", c.hello).stdout)))
    widths = {max(columns(line) for line in c.run("summary", c.testdata / "errors" / "trace", env={"COLUMNS": width}).stdout.decode()
                  .split("\n")) for width in (60, 120)}
    c.tap.point("a wide terminal is used", len(widths) == 2, widths)


def test_links(c):
    """Hyperlinks, where the terminal says that it has them; what a path holds does not end the sequence."""
    out, wrong = c.temp / "odd \x1b]8;;x\x07 name", []
    place = urllib.parse.quote(str(out / "index.html"), safe="/._-").encode()
    for env, words, linked in (({"TERM_PROGRAM": "WezTerm"}, (), True), ({"VTE_VERSION": "7600"}, (), True), ({"VTE_VERSION": "4000"}, (), False),
                               ({}, (), False), ({"TERM_PROGRAM": "WezTerm", "NO_COLOR": "1"}, (), False),
                               ({"TERM_PROGRAM": "WezTerm"}, ("--color", "never"), False)):
        status, shown = c.program.run_in_terminal("report", "--no-browser", "-o", out, *words, c.hello, env=env)
        links = re.findall(rb"\x1b\]8;;([^\x1b\x07]+)\x1b\\", shown)
        if status != DONE or (b"file://" + place in links) != linked or shown.count(b"\x1b]8;") != 2 * len(links):
            wrong.append(f"{env} {words}: exit {status}, {links}")
    c.tap.empty("the report is a link where terminals have links", wrong)
    done = c.program.run("report", "--no-browser", "-o", out, "--color", "always", c.hello, env={"TERM_PROGRAM": "WezTerm"})
    c.tap.equal("and never in a pipe", 0, done.stdout.count(b"\x1b]8;"))


def test_terminal(c):
    wrong = []
    for env, colors in (({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)):
        status, shown = c.program.run_in_terminal("summary", c.testdata / "explain" / "trace", width=48, env=env)
        if status != DONE or bool(ESCAPE.search(shown)) != colors:
            wrong.append(f"{env}: exit {status}, {shown[:100]!r}")
        wrong += [f"{env}: {line}" for line in ESCAPE.sub(b"", shown).decode().split("\n") if too_wide(line, 48)]
    status, shown = c.program.run_in_terminal("summary", "--color=never", c.hello)
    wrong += ["--color=never"] * (b"\x1b" in shown or status != DONE)
    c.tap.empty("in a terminal: its width, colors, NO_COLOR, TERM", wrong)
    trace = Writer()
    trace.artifact("x\x1b[2J", "payload \x1b]0;title\x07 \x1b[31mred\n\ttab\rcr", frame_id=0, frame_compile_id=0)
    path = c.written("hostile.log", trace.data)
    digest = re.search(rb'has_payload": "(\w+)', trace.data)[1].decode()
    controls = {words: re.findall(rb"[\x00-\x08\x0b-\x1f\x7f]", c.program.run_in_terminal("show", path, *words, "--color=never")[1])
                for words in ((), ("0/0",), (digest,))}
    c.tap.equal("no control character of a trace reaches the terminal", {words: [] for words in controls}, controls)


# Controls but tab and line end, also those of C1; marks of direction; line ends of Unicode; invisible tags.
OBEYED = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f]")


def test_what_a_terminal_would_obey(c):
    """In a terminal nothing of a trace is more than a character, whatever the command; text for people is so everywhere."""
    folder = c.temp / "terminal"
    folder.mkdir()
    hostile.write(folder)
    in_terminal = [("export", "--format", name, folder) for name in ("json", "tables", "perfetto", "collapsed", "sarif", "markdown")]
    anywhere = [("summary", folder), ("show", folder), ("show", folder, "0/0"), ("show", folder, "0/0", "metrics"), ("show", folder, "0/0", "stack"),
                ("show", folder, "0/0", "inputs"), ("show", folder, "9/9"), ("export", "--format", "markdown", folder)]
    found = {}
    for words in in_terminal + anywhere:
        found[words[:3]] = OBEYED.findall(c.program.run_in_terminal(*words, *(("--color=never",) if words[0] != "export" else ()))[1].decode())
    for words in anywhere:
        done = c.run(*words)
        found[(*words[:3], "piped")] = OBEYED.findall((done.stdout + done.stderr).decode())
    c.tap.equal("nothing of a trace is obeyed by a terminal", {words: [] for words in found}, found)


def test_browser(c):
    """The report is opened for a person at a terminal with a desktop, and for nobody else."""
    opener = c.written("bin/xdg-open", b'''#!/bin/sh
session=$(cut -d" " -f6 /proc/$$/stat) out=$(readlink /proc/$$/fd/1) err=$(readlink /proc/$$/fd/2)
echo "$1" $((session == $$)) "$out" "$err" >"$HOME/opening" && mv "$HOME/opening" "$HOME/opened"
''')
    opener.chmod(0o755)
    desktop = {"DISPLAY": ":0", "PATH": f"{opener.parent}:{os.environ['PATH']}"}
    out, opened = c.temp / "browser-out", c.temp / "opened"

    def opens(seconds, *words, run=c.program.run_in_terminal, **env):
        """What is opened within that time: the program starts the browser and does not wait for it."""
        opened.unlink(missing_ok=True)
        run("report", "--overwrite", "-o", out, *words, c.hello, env={**desktop, **env})
        end = time.monotonic() + seconds
        while not opened.exists() and time.monotonic() < end:
            time.sleep(0.01)
        return opened.read_text().strip() if opened.exists() else None

    c.tap.equal("a browser is opened, in a session of its own, and prints nothing", f"{out / 'index.html'} 1 /dev/null /dev/null", opens(30))
    c.tap.equal("but not where it is not wanted", [None] * 6, [
        opens(0.2, "--no-browser"), opens(0.2, "-q"), opens(0.2, CI="1"), opens(0.2, SSH_CONNECTION="1"), opens(0.2, DISPLAY=None),
        opens(0.2, run=c.run)])


def test_quiet(c):
    for command in COMMANDS[:2]:
        done = c.run(command, "-q", *(["-o", c.temp / "quiet-out"] if command == "report" else []), c.hello)
        c.tap.equal(f"{command} -q prints nothing", (DONE, b"", b""), (done.returncode, done.stdout, done.stderr))
    done = c.run("summary", "-q", c.temp / "missing")
    c.tap.point("-q does not silence errors", done.returncode == IO and bool(done.stderr), done)
    status, shown = c.program.run_in_terminal("summary", "-q", c.hello)
    c.tap.equal("-q prints nothing in a terminal", (DONE, b""), (status, shown))


# --- exit statuses and complaints -----------------------------------------------------------------------------------------


def unreadable(c):
    path = c.written("unreadable.log", c.hello.read_bytes())
    path.chmod(0)
    return path


def test_findings(c):
    """The findings of a trace: those of its report, with their ids and places."""
    trace = c.testdata / "graph_breaks" / "trace"
    lines = c.run("findings", "--color", "never", trace, env={"COLUMNS": "200"}).stdout.decode().splitlines()
    found = json.loads(c.run("export", "--format", "json", trace).stdout)["findings"]
    heads = [line for line in lines if not line.startswith(" ")]
    c.tap.equal("findings PATH lists those of the report", [(f["severity"], f["id"]) for f in found], [tuple(h.split()[:2]) for h in heads])
    c.tap.equal("each with its line", [f["line"] for f in found if f["line"]], [int(m[1]) for h in heads if (m := re.search(r"\.py:(\d+)", h))])
    c.tap.point("and what it follows from", any("follows from" in h for h in heads), heads)


def locked(c):
    """A directory in which nobody may make anything."""
    path = c.temp / "locked"
    path.mkdir(exist_ok=True, mode=0o555)
    return path


def test_many_complaints(c):
    """Five files are named, the others are counted."""
    for count in (1, 5, 6, 8):
        for what, words in (("unused", "not used"), ("hidden", "cannot be read")):
            folder = c.temp / f"{count}-{what}"
            folder.mkdir()
            for number in range(count):
                path = folder / f"{number}.log"
                path.write_bytes(b"hello\n")
                path.chmod(0o644 if what == "unused" else 0)
            output = c.program.run_as_nobody("summary", folder, *([c.hello] if what == "hidden" else [])).stderr.decode()
            more = re.findall(rf"and (\d+) more file{'' if count == 6 else 's'} (?:{'was' if count == 6 else 'were'} not used|could not be read)", output)
            c.tap.equal(f"{count} files, {what}: those that are named, and the number of the others", (min(count, 5), [str(count - 5)] if count > 5 else []),
                        (sum(f": {words}: " in line for line in output.splitlines()), more))


def test_errors(c):
    """Every complaint: the status, and what it must say: to what it happened, what was wrong, and what to do."""
    nothing, empty = c.written("nothing.txt", b"hello\n"), c.temp / "empty"
    empty.mkdir()
    missing, closed, hidden = c.temp / "missing", locked(c), unreadable(c)
    program = c.written("train.py", b"import torch\n\ntry:\n    step()\nexcept RuntimeError:\n    print('CUDA error: torch failed')\n")
    cut = c.written("cut.gz", gzip.compress(c.hello.read_bytes())[:10])
    ranks = c.written("dedicated_log_torch_trace_rank_3_x.log", c.hello.read_bytes())
    cases = [
        (USAGE, ["chekc", c.hello], "no such command: chekc", "did you mean check?"),
        (USAGE, ["--overwite", c.hello], "unknown option: --overwite", "did you mean --overwrite?"),
        (USAGE, [c.hello, "--output"], "an argument is missing, or there is one too many: --output", "--help"),
        (USAGE, ["findings", "graph-braek"], "graph-braek: no finding has that id", "pt2trace findings lists them"),
        (USAGE, ["findings", "brake-print"], "brake-print: no finding has that id", "did you mean break-print?"),
        (IO, ["show", c.hello, "0/0", "outputcode"], "no outputcode", "did you mean output_code?"),
        (NOTHING, ["summary", program], f"{program}: this is a program, not a trace", f"pt2trace run python {program}"),
        (USAGE, ["report"], "no PATH given", "--help"),
        (USAGE, ["--nonsense", c.hello], "--nonsense", "--help"),
        (USAGE, ["summary", "-o", "x", c.hello], "-o", "summary --help"),
        (USAGE, ["-j", "0", c.hello], "-j must be a number from 1 to 256: 0", "--help"),
        (USAGE, ["--max-html-size", "big", c.hello], "--max-html-size must be a size such as 25M: big", "--help"),
        (USAGE, ["--color", "pink", c.hello], "--color must be auto, always or never: pink", "--help"),
        (USAGE, ["--artifacts", "some", c.hello], "--artifacts must be none, overflow or all: some", "--help"),
        (USAGE, ["show", c.hello, "x", "graph"], "ID must look like 0/1", "--help"),
        (USAGE, ["show", c.hello, "0/0", "graph", "more"], "too many arguments", "--help"),
        (USAGE, ["show", "--rank", "x", c.hello], "--rank must be a number", "--help"),
        (USAGE, ["run", "--gpu-activity", "kinto", "--", "true"], "--gpu-activity must be cupti, kineto or nsys: kinto", "--help"),
        *((IO, ["run", "--gpu-activity", recorder, "-C", missing, "--", "true"], f"{missing}: No such file or directory", "-C needs the directory")
          for recorder in ("cupti", "kineto", "nsys")),
        (IO, ["summary", missing], f"{missing}: No such file or directory", "TORCH_TRACE is created when"),
        (IO, ["summary", c.hello, missing], f"{missing}: No such file or directory", "TORCH_TRACE is created when"),
        (IO, ["show", missing], f"{missing}: No such file or directory", "TORCH_TRACE is created when"),
        (IO, ["summary", hidden], f"{hidden}: cannot be read: Permission denied", ""),
        (IO, ["show", hidden], f"{hidden}: cannot be read: Permission denied", ""),
        (IO, ["summary", "/proc/self/mem"], "/proc/self/mem: cannot be read: Input/output error", ""),
        (IO, ["-o", closed / "out", c.hello], f"{closed}/out: Permission denied", "-o OUTDIR"),
        (IO, ["-o", "/dev/null/out", c.hello], "/dev/null/out: Not a directory", "-o OUTDIR"),
        (IO, ["-o", c.hello, c.hello], f"{c.hello}: Not a directory", "-o OUTDIR"),
        (IO, ["-o", c.temp, c.hello], f"{c.temp} holds files that pt2trace did not write", "-o OUTDIR"),
        (IO, ["show", c.hello, "9/9"], f"{c.hello}: no compile 9/9; compiles in the trace: 0/0", f"show {c.hello}"),
        (IO, ["show", c.hello, "9/9", "guards"], f"{c.hello}: no compile 9/9; compiles in the trace: 0/0", f"show {c.hello}"),
        (IO, ["show", c.hello, "0/0", "nonsense"], f"{c.hello}: no nonsense; the compile has", "dynamo_output_graph"),
        (IO, ["show", c.hello, "nonsense"], f"{c.hello}: no nonsense; the compiles have", "dynamo_output_graph"),
        (IO, ["show", c.hello, "0123456789abcdef"], f"{c.hello}: no 0123456789abcdef", "dynamo_output_graph"),
        (IO, ["show", "--rank", "7", c.hello], f"{c.hello}: no rank 7; ranks in the trace: none", f"show {c.hello}"),
        (IO, ["show", "--rank", "7", ranks], f"{ranks}: no rank 7; ranks in the trace: 3", f"show {ranks}"),
        (NOTHING, ["summary", nothing], f"{nothing}: not used: it contains neither a TORCH_TRACE record nor a TORCH_LOGS message", "runs with TORCH_TRACE=DIR"),
        (NOTHING, ["show", nothing], f"{nothing}: not used: it contains neither a TORCH_TRACE record nor a TORCH_LOGS message", "runs with TORCH_TRACE=DIR"),
        (NOTHING, ["-o", c.temp / "nothing-out", nothing], f"{nothing}: not used", "runs with TORCH_TRACE=DIR"),
        (NOTHING, ["summary", empty], f"{empty}: no file is in it", "`nn.Sequential`, compiles neither"),
        (NOTHING, ["summary", "/dev/null"], "/dev/null: not used: it contains neither a TORCH_TRACE record nor", "runs with TORCH_TRACE=DIR"),
        (NOTHING, ["summary", cut], f"{cut}: not used: a damaged gzip file", "runs with TORCH_TRACE=DIR"),
        (NOTHING, ["summary", "-"], "-: not used: it contains neither a TORCH_TRACE record nor", "runs with TORCH_TRACE=DIR"),
    ]
    for status, words, what, then in cases:
        name = " ".join(map(str, words)).replace(str(c.temp) + "/", "")
        done = c.program.run_as_nobody(*words)
        output = done.stderr.decode()
        c.tap.point(f"complaint: {name}", done.returncode == status and what in output and then in output, f"exit {done.returncode}", output)
        prefixed = all(line.startswith("pt2trace: ") for line in output.splitlines())
        if not prefixed or not output.isprintable() and not output.replace("\n", "").isprintable():
            c.tap.point(f"complaint: {name}: lines begin with the program's name and hold nothing strange", False, output)
    c.tap.point("nothing was written where nothing was read", not (c.temp / "nothing-out").exists())


LABELS = b"""artifacts:
  - {name: dynamo_output_graph, title: What Dynamo saw, group: Of ours}
frames:
  - {function: "*", file: "*.py", label: the <wave>, group: Model}
"""


def test_source_root(c):
    """Lines that a trace of 2.5 lacks, from the workload that made it; none from a file that is another."""
    trace, line = c.source / "testdata" / "graph_breaks-2.5.1", b'> print("hello")'
    code = c.source / "tools" / "workloads"
    c.tap.point("a trace of 2.5 has no lines of code", line not in c.run("summary", trace).stdout)
    done = c.run("summary", "--source-root", code, trace)
    c.tap.point("--source-root finds them", line in done.stdout)
    c.tap.point("and says how many", b"lines taken from 1 file\n" in done.stderr, done.stderr)
    other = c.temp / "code"
    other.mkdir()
    (other / "graph_breaks.py").write_text("def other():\n    pass\n" * 50)
    done = c.run("summary", "--source-root", other, trace)
    c.tap.point("a file that is not what was traced is not used", line not in done.stdout and b"differs from the traced file" in done.stderr,
                done.stderr)
    done = c.run("summary", "--source-root", other / "graph_breaks.py", trace)
    c.tap.point("what is no directory is refused", done.returncode == IO and b"--source-root needs a directory" in done.stderr, done.stderr)


def test_labels(c):
    """Names of the user's own, and what a file of them is refused for."""
    if b"no libyaml" in c.run("--version").stdout:
        c.tap.skip("labels", "built without libyaml")
        return
    good = c.written("labels.yaml", LABELS)
    report = c.report("--labels", good, c.hello)
    c.tap.equal("frames have their label and group", [("the <wave>", "Model")],
                [(compile["frame"]["label"], compile["frame"]["group"]) for compile in report["compiles"]])
    page = (c.temp / "report-out" / "index.html").read_text(encoding="utf-8")
    c.tap.empty("the page shows them", [text for text in ("What Dynamo saw</button>", '<th scope="row">Of ours</th>',
                "the &lt;wave&gt; (wave)", '<span class="group">Model</span>') if text not in page])
    written = Writer()
    written.compile(0, 0)
    written.artifact("of_ours_secret", "x", frame_id=0, frame_compile_id=0)
    grouped = c.written("grouped.yaml", b"artifacts:\n  - {name: of_ours*, group: Kernels}\n")
    c.report("--labels", grouped, "--redact", c.written("secret.log", written.data))
    page = (c.temp / "report-out" / "index.html").read_text(encoding="utf-8")
    c.tap.point("a label without a title keeps no name from --redact", "of_ours" not in page and ">Kernels<" in page)
    c.tap.point("so does the summary", b"the <wave> (wave)" in c.run("summary", "--labels", good, c.hello).stdout)
    wrong = []
    for status, data, error in ((USAGE, b"artifacts:\n  - {title: x}\n", ":2: `name` is missing"),
                               (USAGE, b"frames:\n\n  - {functoin: x}\n", ":3: unknown key `functoin`; there are function, file"),
                               (USAGE, b"frames: [", ":2: not YAML"), (IO, None, ": No such file or directory; --labels needs a YAML file")):
        path = c.written("bad.yaml", data) if data else c.temp / "no.yaml"
        done = c.run("summary", "--labels", path, c.hello)
        if done.returncode != status or f"pt2trace: {path}{error}" not in done.stderr.decode() or done.stdout:
            wrong.append(f"{data}: exit {done.returncode}, {done.stderr}")
    c.tap.empty("errors in a file of labels are reported with their line", wrong)


def test_statuses(c):
    damage, fine = c.damaged, c.hello
    without_id = Writer()
    without_id.record("dynamo_output_graph", {}, "graph")
    without_id.compile(0, 0)
    no_id = c.written("no-id.log", without_id.data)
    out = ["-o", c.temp / "status-out", "--overwrite"]
    cases = {
        ("report", *out, "--strict", fine): DONE, ("report", *out, "--strict", damage): DAMAGED, ("report", *out, damage): DONE,
        ("report", *out, "--strict", "--no-verify", damage): DONE,
        ("summary", "--strict", "--verify", damage): DAMAGED, ("summary", "--strict", damage): DONE, ("summary", damage): DONE,
        ("report", *out, "--strict-compile-id", no_id): DAMAGED, ("report", *out, "--strict-compile-id", fine): DONE,
        ("summary", "--strict-compile-id", no_id): DAMAGED, ("summary", no_id): DONE,
        ("show", damage): DONE, ("show", "--verify", damage): DONE,
    }
    found = {words: c.run(*words).returncode for words in cases}
    c.tap.equal("--strict and --strict-compile-id", cases, found)
    c.tap.point("a damaged trace is reported on even so", (c.temp / "status-out" / "index.html").exists())


def limited(limit):
    def apply():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    return apply


def test_full_disk(c):
    for words in (["summary", c.hello], ["show", c.hello], ["show", c.hello, "0/0", "output_code"], ["--help"], ["--version"],
                  ["-o", c.temp / "full-out", "--overwrite", c.hello]):
        with open("/dev/full", "wb") as full:
            done = c.run(*words, stdout=full)
        c.tap.equal(f"standard output on a full disk: {' '.join(map(str, words[:1]))}",
                    (IO, b"pt2trace: standard output: No space left on device\n"), (done.returncode, done.stderr))
    out = c.temp / "small-out"
    done = c.run("-o", out, c.hello, preexec_fn=limited(100000))
    c.tap.point("no room for the report", done.returncode == IO and b"small-out/" in done.stderr and b"File too large" in done.stderr
                and b"-o OUTDIR" in done.stderr, f"exit {done.returncode}", done.stderr)
    c.tap.equal("and nothing looks like one", [".pt2trace-report"], sorted(path.name for path in out.iterdir()))
    done = c.run("-q", "-o", out, c.hello)
    c.tap.equal("with room it is written there", (DONE, True), (done.returncode, (out / "index.html").exists()))


def test_temporary_files(c):
    """A pipe is copied while it is read: there has to be a place for that."""
    data, missing = c.hello.read_bytes(), c.temp / "no-tmp"
    for words in (["summary", "-"], ["report", "-o", c.temp / "tmp-out", "-"], ["show", "-", "0/0"]):
        done = c.run(*words, input=data, env={"TMPDIR": missing})
        output = done.stderr.decode()
        c.tap.point(f"no TMPDIR: {words[0]}", done.returncode == IO and f"{missing} (TMPDIR): No such file or directory" in output, output)
    done = c.run("-o", c.temp / "tmp-out", c.hello, env={"TMPDIR": missing})
    c.tap.point("no TMPDIR: report on a file", done.returncode == IO
                and f"a temporary file in {missing}: No such file or directory" in done.stderr.decode(), done.stderr)
    done = c.run("summary", c.hello, env={"TMPDIR": missing})
    c.tap.equal("a summary of a file needs none", (DONE, b""), (done.returncode, done.stderr))
    done = c.run("summary", "-", input=data, preexec_fn=limited(100000))
    output = done.stdout.decode()
    c.tap.point("TMPDIR fills up: what was read is reported, and that it is incomplete", done.returncode == IO and "1 file not read to its end" in output
                and "damaged" not in output
                and f"{c.temp}/tmp (TMPDIR): File too large" in done.stderr.decode(), output, done.stderr)


def test_closed(c):
    """Descriptors that the caller closed, and readers that had enough."""
    wrong, out = [], c.temp / "closed-out"

    def close(*fds):
        return lambda: [os.close(fd) for fd in fds]

    for words, status in ((["summary", c.hello], IO), (["show", c.hello], IO), (["--help"], IO), (["-q", "-o", out, c.hello], DONE),
                          (["-o", out, c.hello], IO)):
        for fds in ((1,), (0, 1), (1, 2), (0, 1, 2)):
            shutil.rmtree(out, ignore_errors=True)
            done = c.run(*words, preexec_fn=close(*fds))
            if done.returncode != status or (2 not in fds and status and b"standard output: Bad file descriptor" not in done.stderr):
                wrong.append(f"{words} without {fds}: exit {done.returncode}, {done.stderr!r}")
            if out.exists():
                json.loads((out / "report.json").read_bytes())
                marker = (out / ".pt2trace-report").read_text().splitlines()[1:]
                wrong += [f"{words} without {fds}: {marker}"] * (sorted(marker) != ["index.html", "report.json"])
    c.tap.empty("closed descriptors", wrong)
    done = c.run("summary", "-", preexec_fn=close(0))
    c.tap.point("standard input closed", done.returncode == IO and b"Bad file descriptor" in done.stderr, done.returncode, done.stderr)
    done = c.run("summary", c.temp / "missing", preexec_fn=close(2))
    c.tap.equal("a complaint with nowhere to go", IO, done.returncode)
    wrong = []
    for words in (["summary", c.hello], ["show", c.hello, "0/0", "output_code"], ["--help"], ["-o", out, "--overwrite", c.hello]):
        reader, writer = os.pipe()
        os.close(reader)
        done = c.run(*words, stdout=writer)
        os.close(writer)
        wrong += [f"{words}: exit {done.returncode}, {done.stderr!r}"] * ((done.returncode, done.stderr) != (DONE, b""))
    c.tap.empty("a reader that went away is no error", wrong)
    c.tap.point("and the report was written", (out / "index.html").exists())
    done = subprocess.run(["sh", "-c", '"$0" summary "$1" | head -1', c.program.path, c.hello], capture_output=True,
                          env=c.program.env(), timeout=60)
    c.tap.equal("| head -1", (0, 1, b""), (done.returncode, done.stdout.count(b"\n"), done.stderr))


# --- inputs ---------------------------------------------------------------------------------------------------------------


def facts(report):
    """What of a report does not depend on how the input was named."""
    if report is None:
        return None
    left = {key: value for key, value in report.items() if key not in ("tool", "inputs", "messages", "ranks")}
    # What would be typed to show a payload names the input.
    return json.loads(re.sub(r'pt2trace show \S+', "", json.dumps(left)))


def test_standard_input(c):
    plain = c.hello.read_bytes()
    expected = facts(c.report(c.hello))
    for name, data in (("plain", plain), ("gzip", gzip.compress(plain)), ("several gzip members", gzip.compress(plain[:99999]) +
                                                                          gzip.compress(plain[99999:]))):
        c.tap.equal(f"standard input, {name}", expected, facts(c.report("-", input=data)))
    with open(c.hello, "rb") as file:
        c.tap.equal("standard input, a file", expected, facts(c.report("-", stdin=file)))
    done = c.run("show", "-", "0/0", "output_code", input=gzip.compress(plain))
    c.tap.equal("show of a payload from standard input", c.run("show", c.hello, "0/0", "output_code").stdout, done.stdout)
    report = c.report("-", c.damaged, input=plain)
    c.tap.equal("standard input beside a file", ["-", str(c.damaged)], [input_["path"] for input_ in report["inputs"]])
    fifo = c.temp / "fifo"
    os.mkfifo(fifo)
    child = subprocess.Popen(["sh", "-c", 'exec cat "$0" >"$1"', c.hello, fifo])
    c.tap.equal("a pipe with a name", expected, facts(c.report(fifo)))
    child.wait(60)


def test_several(c):
    one, two = c.report(c.hello), c.report(c.damaged)
    both = c.report(c.hello, c.damaged)
    c.tap.equal("two files: records", one["totals"]["records"] + two["totals"]["records"], both["totals"]["records"])
    c.tap.equal("two files: compiles", one["totals"]["compiles"] + two["totals"]["compiles"], both["totals"]["compiles"])
    again = c.report(c.hello, c.hello, c.temp / "." / "hello.log")
    c.tap.equal("a file that is named three times is read once", (1, one["totals"]), (len(again["inputs"]), again["totals"]))


def test_paths(c):
    folder = c.temp / "with space" / "größe \u2028"
    folder.mkdir(parents=True)
    shutil.copy(c.hello, folder / "a b.log")
    raw = os.fsencode(c.temp) + b"/\xff\xfe\x1b[31m\n.log"
    shutil.copy(c.hello, raw)
    expected = facts(c.report(c.hello))
    for name, path, cwd in (("relative", "a b.log", folder), ("absolute", folder / "a b.log", c.temp), ("a trailing slash", f"{folder}/", c.temp),
                            (".", ".", folder), ("..", "../größe \u2028", folder), ("not UTF-8, with an escape sequence", raw, c.temp)):
        c.tap.equal(f"path: {name}", expected, facts(c.report(path, cwd=cwd)))
    report = c.report(raw)
    c.tap.equal("a path that is not UTF-8 in report.json", [f"{c.temp}/\ufffd\ufffd\x1b[31m\n.log"], [i["path"] for i in report["inputs"]])
    done = c.run("show", raw, "9/9")
    c.tap.point("and in a complaint", done.returncode == IO and b"\x1b" not in done.stderr and done.stderr.count(b"\n") == 1, done.stderr)
    for name, path, cwd in (("relative", "out", folder), ("in directories that are not there", "a/b/c", folder), ("a trailing slash", f"{folder}/slash/", c.temp),
                            ("not UTF-8", os.fsencode(folder) + b"/\xff", c.temp), ("with spaces", "o u t", folder)):
        done = c.run("-o", path, c.hello, cwd=cwd)
        where = pathlib.Path(os.fsdecode(path) if isinstance(path, bytes) else path)
        there = (folder / where / "index.html").exists()
        output = done.stdout.decode("utf-8", "strict")
        c.tap.point(f"output directory: {name}", done.returncode == DONE and there and "index.html" in output and "//" not in output,
                    done.returncode, output[-200:], done.stderr)
    done = c.run("summary", "--", "-o", cwd=folder)
    c.tap.point("-- ends the options", done.returncode == IO and b"-o: No such file" in done.stderr, done.stderr)


def test_directory(c):
    """A tree with whatever lies around: each file is read, or listed with the reason."""
    tree = c.temp / "tree"
    (tree / "deep" / "er").mkdir(parents=True)
    (tree / "a.log").write_bytes(c.hello.read_bytes())
    (tree / "deep" / "any name").write_bytes(gzip.compress(of_rank(0)))
    (tree / "deep" / "er" / "cut.log.gz").write_bytes(gzip.compress(c.hello.read_bytes())[:20000])
    (tree / "notes.txt").write_bytes(b"hello\n")
    (tree / "empty").write_bytes(b"")
    (tree / "torch_logs.txt").write_bytes(b"V1121 08:00:00.000000 1 torch/x.py:1] [0/0] [__guards] GUARDS:\n")
    (tree / "packed.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    (tree / "unreadable").write_bytes(b"x")
    (tree / "unreadable").chmod(0)
    (tree / "dead").symlink_to("nowhere")
    os.mkfifo(tree / "pipe")
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(tree / "socket"))
    why = {"notes.txt": "it contains neither a TORCH_TRACE record nor a TORCH_LOGS message", "empty": "empty: the process wrote no record",
           "packed.zst": "compressed with zstd: decompress it first", "unreadable": "cannot be read: Permission denied",
           "dead": "a dangling link", "pipe": "a pipe, socket or device: name it explicitly to read it",
           "socket": "a pipe, socket or device: name it explicitly to read it"}
    used = {"a.log", "torch_logs.txt", "deep/any name", "deep/er/cut.log.gz"}
    out = c.temp / "tree-out"
    out.mkdir(mode=0o777)
    out.chmod(0o777)
    done = c.program.run_as_nobody("report", "-o", out, tree)
    c.tap.equal("a tree is read", DONE, done.returncode)
    report = json.loads((out / "report.json").read_bytes())
    inputs = {os.path.relpath(input_["path"], tree): input_ for input_ in report["inputs"]}
    c.tap.equal("files that were read", used, {name for name, input_ in inputs.items() if input_["used"]})
    c.tap.equal("and files that were not, with the reason", why, {name: i["why_not"] for name, i in inputs.items() if not i["used"]})
    c.tap.equal("in the order of their names", sorted(inputs, key=os.fsencode), list(inputs))
    c.tap.point("the summary says how many", b"3 trace files and 1 log" in done.stdout and b"skipped 7" in done.stdout, done.stdout[:200])
    page = (out / "index.html").read_text(encoding="utf-8")
    c.tap.empty("the page lists them with the reason", [f"{name}: {reason}" for name, reason in why.items() if name not in page or reason not in page])
    c.tap.equal("what failed is complained of", f"pt2trace: {tree}/unreadable: cannot be read: Permission denied\n", done.stderr.decode())
    (tree / "locked").mkdir(mode=0)
    done = c.program.run_as_nobody("summary", tree)
    c.tap.point("a directory that is closed", done.returncode == DONE and f"{tree}/locked: cannot be read: Permission denied"
                in done.stderr.decode(), done.stderr)
    server.close()


def test_ranks(c):
    """From the name or from the records, whichever says it."""
    folder = c.temp / "ranks"
    folder.mkdir()
    unnamed = re.sub(rb', "rank": \d+', b"", of_rank(2, pid=102))
    for name, data in (("dedicated_log_torch_trace_rank_0_abc.log", of_rank(0)), ("anything.txt", of_rank(1)),
                       ("dedicated_log_torch_trace_rank_2_x_y.log", unnamed), ("rank_11_.log.gz", gzip.compress(of_rank(11)))):
        (folder / name).write_bytes(data)
    report = c.report(folder)
    c.tap.equal("ranks", {"anything.txt": 1, "dedicated_log_torch_trace_rank_0_abc.log": 0,
                          "dedicated_log_torch_trace_rank_2_x_y.log": 2, "rank_11_.log.gz": 11},
                {pathlib.Path(input_["path"]).name: input_["rank"] for input_ in report["inputs"]})
    c.tap.equal("ranks of the run", [0, 1, 2, 11], report["ranks"]["present"])
    listing = c.run("show", "--rank", "1", folder).stdout.decode()
    c.tap.equal("show --rank", 1, len(ids_of(listing)))


def test_latest(c):
    folder = c.temp / "runs"
    folder.mkdir()
    for run, ms in (("old", 0), ("new", 10**7)):
        for rank in (0, 1):
            (folder / f"{run}_rank_{rank}.log").write_bytes(of_rank(rank, ms, pid=100 + rank + ms % 7))
    both, latest = c.report(folder), c.report("--latest", folder)
    c.tap.equal("runs and ranks", (2, 4), (both["totals"]["runs"], both["totals"]["compiles"]))
    c.tap.equal("--latest", (1, 2), (latest["totals"]["runs"], latest["totals"]["compiles"]))
    c.tap.equal("--latest says what it left out", {"old_rank_0.log", "old_rank_1.log"},
                {pathlib.Path(i["path"]).name for i in latest["inputs"] if i["why_not"] == "of an earlier run (--latest)"})
    text = c.run("summary", folder).stdout.decode()
    c.tap.point("the summary mentions --latest", "2 runs" in text and "--latest" in " ".join(text.split()), text[:400])
    c.tap.equal("show --latest", 2, len(ids_of(c.run("show", "--latest", folder).stdout.decode())))


def test_runs_of_one_console(c):
    """Nobody imports PyTorch within a second: a process that begins so soon after another one is of the same run."""
    for begins, runs in (("38.124", 1), ("44.124", 2)):
        console = c.temp / f"console-{runs}.log"
        console.write_text("".join(f"I0305 20:23:{moment}000 {pid} torch/_dynamo/convert_frame.py:53] [0/0] Step 1: torchdynamo start tracing "
                                   "sell /srv/shop.py:12\n" for moment, pid in (("38.100", 747), (begins, 755))))
        c.tap.equal(f"{runs} in the text of one console", runs, c.report(console)["totals"]["runs"])


# --- show -----------------------------------------------------------------------------------------------------------------


def test_show(c):
    """Every payload of some traces, byte for byte, by its digest and by its line."""
    wrong, shown = [], 0
    for workload in ("hello", "odd_names", "errors", "killed"):
        path = c.copy(workload)
        report = c.report(path)
        payloads = {record.number: record.payload for record in reference.read(path)[0]}
        for owner in report["compiles"] + report["unattributed"]:
            for artifact in owner["artifacts"]:
                if artifact["bytes"] is None:
                    continue
                payload = payloads[artifact["record_line"]]
                for what in [f":{artifact['record_line']}"] + [artifact["md5"]] * (artifact["md5"] == hashlib.md5(payload).hexdigest()):
                    done = c.run("show", path, what)
                    shown += 1
                    if done.returncode or done.stdout != payload or done.stderr:
                        wrong.append(f"{workload} {what}: exit {done.returncode}, {len(done.stdout)} of {len(payload)} bytes")
    c.tap.empty("show prints every payload as it is", wrong)
    c.tap.point("of which there are some", shown > 100, shown)


def test_show_facts(c):
    listing = c.run("show", c.hello).stdout.decode()
    c.tap.equal("show PATH lists the compiles", ["0/0"], ids_of(listing))
    metrics = json.loads(c.run("show", c.hello, "0/0", "metrics").stdout)
    c.tap.point("show metrics is JSON", metrics.get("compile_id") == "0/0" or "graph_op_count" in metrics, list(metrics)[:5])
    for what in ("stack", "inputs"):
        done = c.run("show", c.hello, "0/0", what)
        c.tap.point(f"show {what}", done.returncode == DONE and done.stdout.count(b"\n") > 0, done)
    same = {id: c.run("show", c.hello, id, "guards").stdout for id in ("0/0", "[0/0]")}
    c.tap.point("an id with and without its brackets", len(set(same.values())) == 1 and b"GUARD" in same["0/0"])
    several = c.run("show", c.testdata / "graph_breaks" / "trace", "guards").stdout
    headings = re.findall(rb"^# \[(\S+)\] dynamo_cpp_guards_str, \S+ line \d+$", several, re.MULTILINE)
    c.tap.point("several payloads each have a heading", len(headings) > 5 and len(set(headings)) == len(headings), headings)


def main(pt2trace, source, shared):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="pt2trace-cli-") as temp:
        context = Context(tap, Program(pt2trace, temp), pathlib.Path(source).resolve(), pathlib.Path(shared))
        for name, test in sorted(globals().items()):
            if name.startswith("test_"):
                test(context)
    return tap.end()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    sys.exit(main(*sys.argv[1:]))
