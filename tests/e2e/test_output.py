#!/usr/bin/env python3
"""The output directory: what is in it, when it is replaced, what is never touched, and what a killed run leaves behind.

    test_output.py PT2TRACE TESTDATA [KILLS]

KILLS is how often a run is killed in the middle, 24 by default. Prints TAP.
"""

import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from program import Program, tree, visible
from tap import Tap, trace_folders
from writer import Writer

DONE, IO = 0, 3
MARKER = ".pt2trace-report"
KILLS = 24


class Context:
    def __init__(self, tap, program, testdata, kills):
        self.tap, self.program, self.testdata, self.kills = tap, program, testdata, kills
        self.temp = program.temp
        self.workloads = trace_folders(testdata)

    def trace(self, workload):
        return self.testdata / workload / "trace"

    def new(self, name):
        path = self.temp / name
        shutil.rmtree(path, ignore_errors=True)
        return path

    def report(self, out, *words, **options):
        return self.program.run("report", "--no-browser", "-o", out, *words, **options)

    def written(self, out, *words):
        """The files of a report that must be written."""
        done = self.report(out, "--overwrite", *words)
        if done.returncode != DONE:
            raise RuntimeError(f"{words}: exit {done.returncode}: {done.stderr.decode(errors='replace')}")
        return tree(out)


def artifacts_of(report):
    return [artifact for owner in report["compiles"] + report["unattributed"] for artifact in owner["artifacts"]]


def facts_of(files):
    return json.loads(files["report.json"])


# --- the same bytes -------------------------------------------------------------------------------------------------------


def same_for_any_jobs(files, jobs):
    """The files without what they contain of the command line."""
    return {name: data.replace(b"-j%d" % jobs, b"-jN") for name, data in files.items()}


def test_same_bytes(c):
    """For any number of threads and each time: the page, report.json, and every payload."""
    different = []
    for name, paths in [("all together", c.workloads)] + [(path.parent.name, [path]) for path in c.workloads]:
        out = c.new("same")
        reports = [same_for_any_jobs(c.written(out, f"-j{jobs}", "--artifacts", "all", *paths), jobs) for jobs in (1, 2, 8)]
        differ = [file for file in sorted(set().union(*reports)) if len({report.get(file) for report in reports}) > 1]
        different += [f"{name}: {file}" for file in differ]
    c.tap.empty("the same bytes with 1, 2 and 8 threads", different)
    out = c.new("same")
    c.tap.point("the same bytes twice", c.written(out, *c.workloads) == c.written(out, *c.workloads))


# --- payloads -------------------------------------------------------------------------------------------------------------


def check_files(c, name, files, wanted):
    """Which artifacts have files, and that these hold what their digests say."""
    artifacts, wrong = artifacts_of(facts_of(files)), []
    for artifact in artifacts:
        has_file = artifact["path"] is not None
        if has_file != (artifact["bytes"] is not None and wanted(artifact)):
            wrong.append(f"{artifact['name']}: {artifact['stored']}, {artifact['path']}")
        elif has_file:
            data = files.get(artifact["path"], b"")
            if len(data) != artifact["bytes"] or hashlib.md5(data).hexdigest() != artifact["md5"]:
                wrong.append(f"{artifact['path']}: {len(data)} bytes")
    listed = {artifact["path"] for artifact in artifacts} | {"index.html", "report.json", MARKER}
    extra = [file for file in files if file not in listed and not re.fullmatch(r"artifacts/chromium_events(-p\d+)?\.json", file)]
    c.tap.empty(f"{name}: payloads as files", wrong + extra)
    c.tap.equal(f"{name}: the marker lists the files", sorted(set(files) - {MARKER}), sorted(files[MARKER].decode().splitlines()[1:]))
    return sum(artifact["path"] is not None for artifact in artifacts)


def test_artifacts(c):
    for workload in ("hello", "transformer", "dist2", "odd_names"):
        path = c.trace(workload)
        check_files(c, f"{workload}, none", c.written(c.new("a"), "--artifacts", "none", path), lambda artifact: False)
        check_files(c, f"{workload}, overflow and nothing flows over", c.written(c.new("a"), "--artifacts", "overflow", path),
                    lambda artifact: False)
        files = c.written(c.new("a"), "--artifacts", "all", path)
        count = check_files(c, f"{workload}, all", files, lambda artifact: True)
        c.tap.point(f"{workload}, all: there are some", count > 5, count)
        for file in (file for file in files if "chromium_events" in file):
            events = json.loads(files[file])
            c.tap.point(f"{workload}: {file} is a timeline", isinstance(events, list) and all("ph" in event for event in events))


def unmentioned(files, text_of):
    """What is not in the page although it has no words for that: of an artifact, or of all of a compile."""
    report, page = facts_of(files), files["index.html"].decode()
    return [f"{owner.get('id')} {artifact['name']}" for owner in report["compiles"] + report["unattributed"]
            for artifact in owner["artifacts"] if artifact["stored"] in ("file", "dropped") and text_of(artifact) not in page
            and not re.search(rf"Left out of this page.*pt2trace show \S+ {owner.get('id') or '-'}</code> prints it", page)]


def test_size(c):
    """The page keeps to its size; what is not in it is mentioned there, and can be had as files."""
    path = c.trace("transformer")
    whole = len(c.written(c.new("s"), path)["index.html"])
    least = len(c.written(c.new("s"), "--max-html-size", "1", path)["index.html"])  # scripts, findings and tables
    small = least + (whole - least) // 4
    for size in (whole - 1, (whole + least) // 2, small):
        out = c.new("s")
        done = c.report(out, "--max-html-size", size, "--artifacts", "overflow", path)
        files = tree(out)
        page = files["index.html"]
        c.tap.point(f"{size} of {whole} bytes: the page is smaller than that", done.returncode == DONE and len(page) <= size, len(page))
        left = check_files(c, f"{size} bytes", files, lambda artifact: artifact["stored"] != "inline")
        c.tap.point(f"{size} bytes: something was left out", left > 0 and f"{left} payload" in " ".join(done.stdout.decode().split()),
                    left, done.stdout[-300:])
        c.tap.empty(f"{size} bytes: what is left out is linked", unmentioned(files, lambda artifact: f'href="{artifact["path"]}"'))
    for size in (whole - 1, small):
        files = c.written(c.new("s"), "--max-html-size", size, path)
        c.tap.point(f"{size} bytes, no files: the page is smaller than that", len(files["index.html"]) <= size)
        c.tap.empty("and says where everything is", unmentioned(files, lambda artifact: f"line {artifact['record_line']}, MD5 {artifact['md5']}"))
    for size in ("0", "1"):
        done = c.report(c.new("s"), "--max-html-size", size, path)
        output = " ".join(done.stdout.decode().split())
        c.tap.point(f"--max-html-size {size}: no payload, and it says that it is larger",
                    done.returncode == DONE and "larger than --max-html-size" in output and b'id="block-' not in tree(c.temp / "s")["index.html"], output[-200:])


def test_custom_header(c):
    html = '<div id="mine">&amp; <script>x = "</div>"</script> größe</div>'
    page = c.written(c.new("h"), "--custom-header-html", html, c.trace("hello"))["index.html"].decode()
    c.tap.point("the header is on top as it is", html in page and page.index(html) < page.index('id="findings"'))
    c.tap.point("and nothing without it", 'id="mine"' not in c.written(c.new("h"), c.trace("hello"))["index.html"].decode())


def test_few_descriptors(c):
    """As many files as there are, by as few open ones as a process may have."""
    place = c.new("many")
    place.mkdir()
    for rank in range(101):
        w = Writer(rank=rank)
        w.artifact("artifact", f"of {rank}\n", **w.compile(rank, 0))
        (place / f"rank_{rank}.log").write_bytes(w.data)
    written = {}
    for most in (1024, 64, 32):
        done = c.report(c.new("d"), "-q", "-j2", "--artifacts", "all", place,
                        preexec_fn=lambda most=most: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
        written[most] = (done.returncode, done.stderr)
    c.tap.equal("101 files with 64 and with 32 descriptors", {most: (DONE, b"") for most in written}, written)


# --- what is replaced, and what is not ------------------------------------------------------------------------------------


def test_foreign_directory(c):
    """Nothing in it changes, whatever is asked for."""
    out = c.new("foreign")
    (out / "sub").mkdir(parents=True)
    for name in ("index.html", "report.json", "sub/file", ".hidden"):
        (out / name).write_text(name)
    before, wrong = tree(out), []
    for words in ([], ["--overwrite"], ["--overwrite", "--artifacts", "all"]):
        done = c.report(out, *words, c.trace("hello"))
        if done.returncode != IO or str(out) not in done.stderr.decode() or tree(out) != before:
            wrong.append(f"{words}: exit {done.returncode}, {done.stderr!r}")
    c.tap.empty("a directory of somebody else is left alone", wrong)
    out = c.new("only-hidden")
    out.mkdir()
    (out / ".git").mkdir()
    c.tap.equal("also one that looks empty", IO, c.report(out, "--overwrite", c.trace("hello")).returncode)


def test_our_directory(c):
    out = c.new("ours")
    c.written(out, c.trace("hello"))
    first = c.written(out, "--artifacts", "all", c.trace("transformer"))
    (out / "mine.txt").write_text("mine")
    done = c.report(out, c.trace("hello"))
    c.tap.point("a report of ours is replaced without being asked", done.returncode == DONE and (out / "mine.txt").exists()
                and not (out / "artifacts").exists() and tree(out).get("index.html") != first["index.html"], done.stderr)
    (out / "mine.txt").unlink()
    first = c.written(out, "--artifacts", "all", c.trace("transformer"))
    (out / "artifacts" / "0_0" / "notes.txt").write_text("mine")
    (out / "notes.txt").write_text("mine")
    (out / "empty").mkdir()
    (out / "link").symlink_to("notes.txt")
    second = c.written(out, c.trace("hello"))
    c.tap.equal("with it, what is ours goes and what is not stays",
                {"artifacts/0_0/notes.txt", "notes.txt", "link", "index.html", "report.json", MARKER}, set(second))
    c.tap.point("and holds what it held", second["notes.txt"] == second["artifacts/0_0/notes.txt"] == b"mine" and (out / "empty").is_dir())
    third = c.written(out, "--artifacts", "all", c.trace("transformer"))
    c.tap.equal("and back again", set(first) | {"artifacts/0_0/notes.txt", "notes.txt", "link"}, set(third))


def test_file_in_the_way(c):
    """A file of somebody else where one of ours would go: the old report stays as it was."""
    out = c.new("way")
    before = c.written(out, c.trace("hello"))
    names = sorted(name for name in c.written(c.new("names"), "--artifacts", "all", c.trace("hello")) if "/" in name)
    (out / names[-1]).parent.mkdir(parents=True)
    (out / names[-1]).write_text("mine")
    before[names[-1]] = b"mine"
    done = c.report(out, "--overwrite", "--artifacts", "all", c.trace("hello"))
    after = tree(out)
    c.tap.equal("a file in the way: its name is shown", (IO, True), (done.returncode, f"{out}/{names[-1]}: a file that pt2trace did not write"
                                                                    in done.stderr.decode()))
    c.tap.equal("and nothing else changed", {name: data for name, data in before.items() if name != MARKER},
                {name: data for name, data in after.items() if name != MARKER})
    os.unlink(out / names[-1])
    c.tap.equal("once it is gone the report is written", set(names) | {"index.html", "report.json", MARKER},
                set(c.written(out, "--artifacts", "all", c.trace("hello"))))


def test_links(c):
    """A link in our directory leads nowhere out of it; a directory that is one is followed, as it was named."""
    out, elsewhere = c.new("linked"), c.new("elsewhere")
    c.written(out, c.trace("hello"))
    elsewhere.mkdir()
    (out / "artifacts").symlink_to(elsewhere)
    done = c.report(out, "--overwrite", "--artifacts", "all", c.trace("hello"))
    c.tap.equal("a link inside is not written through", (IO, [], True),
                (done.returncode, os.listdir(elsewhere), b"a symbolic link is in the way" in done.stderr))
    (c.temp / "named").symlink_to(elsewhere)
    done = c.report(c.temp / "named", c.trace("hello"))
    c.tap.equal("a link that is named is", (DONE, True), (done.returncode, (elsewhere / "index.html").exists()))


def test_permissions(c):
    out = c.new("modes")
    done = subprocess.run(["sh", "-c", 'umask 027; exec "$0" report -q -o "$1" --artifacts all "$2"', c.program.path, out, c.trace("hello")],
                          env=c.program.env(), capture_output=True, timeout=60)
    modes = {oct(path.stat().st_mode & 0o777) for path in out.rglob("*") if path.is_file()}
    c.tap.equal("files have the modes that the umask gives", (DONE, {"0o640"}), (done.returncode, modes))


# --- killed in the middle -------------------------------------------------------------------------------------------------


def many_artifacts(seed, compiles=60):
    """A trace whose report takes a while to write: many payloads, all of another text."""
    w, numbers = Writer(), random.Random(seed)
    for frame in range(compiles):
        id = w.compile(frame, 0, function=f"f{seed}")
        for number in range(8):
            w.artifact(f"artifact_{number}", "".join(f"{numbers.random()}\n" for _ in range(400)), **id)
    return w.data


def state_of(out, reports):
    """Which of the reports is in a directory, whole and alone; None when it is none of them."""
    seen = visible(out)
    return next((name for name, report in reports.items() if seen == report), None)


def kill_after(c, command, seconds, sig):
    child = subprocess.Popen(c.program.command(*command), env=c.program.env(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    child.send_signal(sig)
    return child.wait(60)


def two_reports(c, out, *words):
    """{"old": files, "new": files} as readers see them, and the two traces. The old one is there afterwards."""
    paths, reports = {}, {}
    for name, seed in (("new", 2), ("old", 1)):
        paths[name] = c.temp / f"{name}.log"
        paths[name].write_bytes(many_artifacts(seed))
        c.new(out.name)
        c.written(out, *words, paths[name])
        reports[name] = visible(out)
    return paths, reports


def test_killed(c):
    """The old report or the new one, whenever the run ends; and then the next one succeeds."""
    out, words = c.temp / "killed", ("-q", "-j2", "--artifacts", "all")
    paths, reports = two_reports(c, out, *words)
    command = ("report", "--no-browser", "-o", out, "--overwrite", *words)  # as written() has it: the report shows it
    began = time.monotonic()
    c.program.run(*command, paths["old"])
    duration = time.monotonic() - began
    numbers, wrong, states = random.Random(3), [], set()
    for number in range(c.kills):
        sig = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)[number % 3]
        # The files are written in the second half.
        seconds = numbers.uniform(0.3, 1.1) * duration
        before = {path.name for path in out.iterdir()}  # SIGKILL leaves what the next run removes, if it comes so far
        status = kill_after(c, (*command, paths["new"]), seconds, sig)
        state = state_of(out, reports)
        states.add(state)
        if state is None or status not in (0, -sig):
            wrong.append(f"{sig.name} after {seconds:.3f} s: exit {status}, state {state}")
        left = [path.name for path in out.iterdir() if path.name.startswith(".") and path.name not in before | {MARKER}]
        if left and sig != signal.SIGKILL:
            wrong.append(f"{sig.name} after {seconds:.3f} s: {left[:3]} is left behind")
        done = c.program.run(*command, paths["old"])
        if done.returncode != DONE or state_of(out, reports) != "old":
            wrong.append(f"{sig.name} after {seconds:.3f} s: the next report: exit {done.returncode}, {done.stderr!r}")
            break
    c.tap.empty("a run that is killed", wrong)


def main(pt2trace, testdata, kills):
    tap = Tap()
    # In memory, as thousands of files are written and removed.
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="pt2trace_output_", dir=place) as temp:
        context = Context(tap, Program(pt2trace, temp), pathlib.Path(testdata).resolve(), kills)
        for name, test in sorted(globals().items()):
            if name.startswith("test_"):
                test(context)
    return tap.end()


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    sys.exit(main(*sys.argv[1:3], int(sys.argv[3]) if len(sys.argv) == 4 else KILLS))
