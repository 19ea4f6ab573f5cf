#!/usr/bin/env python3
"""Digests: what is merged of them is what one call on the traces reports, however they are put together.

    test_digest.py PT2TRACE TESTDATA [CASES]

Reads real traces of TESTDATA and all inputs of CASES, where it is given. Prints TAP.
"""

import gzip
import json
import pathlib
import shutil
import sys
import tempfile

from program import Program, tree
from tap import Tap, trace_folders
from writer import Writer

DONE, USAGE, IO, NOTHING = 0, 2, 3, 4
MAGIC = b"pt2trace-digest "


class Context:
    def __init__(self, tap, program, testdata, cases):
        self.tap, self.program, self.testdata, self.cases = tap, program, testdata, cases
        self.temp = program.temp
        self.count = 0

    def new(self, suffix=""):
        self.count += 1
        return self.temp / f"{self.count}{suffix}"

    def call(self, *words, want=(DONE,), **options):
        done = self.program.run(*words, **options)
        if done.returncode not in want:
            raise RuntimeError(f"{words}: exit {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done

    def digest(self, *paths, **options):
        out = self.new(".digest")
        self.call("digest", "-q", "-o", out, *paths, want=(DONE, NOTHING), **options)
        return out

    def report(self, command, *paths, **options):
        """The files of a report without the one thing that differs: how it was called. None when there is no report."""
        out = self.new()
        done = self.call(command, "-q", "--no-browser", "-o", out, *paths, want=(DONE, IO, NOTHING), **options)
        files = tree(out) if out.exists() else None
        shutil.rmtree(out, ignore_errors=True)
        return done.returncode, files and {name: without_command(data) for name, data in files.items()
                                           if name in ("index.html", "report.json")}

    def merged(self, *digests, **options):
        return self.report("merge", *digests, **options)


def without_command(data):
    lines = data.split(b"\n")
    return b"\n".join(line for line in lines if b"--no-browser" not in line)


def messages_of(files, code):
    return [m for m in json.loads(files["report.json"])["messages"] if m["code"] == code]


def files_of(folder):
    return sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file())


# --- the same report ------------------------------------------------------------------------------------------------------------

def same_as_one_call(context, name, paths, each=True):
    parts = [context.digest(path) for path in paths] if each else [context.digest(*paths)]
    expected, found = context.report("report", *paths), context.merged(*parts)
    if expected[1] is None:
        return [] if found == expected else [f"{name}: exit {found[0]} instead of {expected[0]}"]
    return [f"{name}: {what} differs" for what in expected[1] if not found[1] or expected[1][what] != found[1][what]]


def reports(context):
    problems, count = [], 0
    for folder in trace_folders(context.testdata):
        count += 1
        problems += same_as_one_call(context, folder, files_of(folder))
    context.tap.empty(f"{count} real traces: the report of the digests equals the report of the traces, byte for byte", problems)
    if not context.cases:
        return
    problems, count = [], 0
    for folder in sorted(path for kind in ("trace", "log") for path in (context.cases / kind).iterdir() if path.is_dir()):
        paths = [path for path in files_of(folder) if path.name != "expected.json"]
        count += 1
        problems += same_as_one_call(context, folder, paths) if paths else []
    context.tap.empty(f"{count} cases, damaged ones and logs among them, too", problems)


def job(context, ranks=5):
    """Files of a small job whose ranks differ."""
    folder = context.new()
    folder.mkdir()
    for rank in range(ranks):
        w = Writer(pid=100 + rank, rank=rank)
        for number in range(1 + rank % 3):
            w.compile(0, number)
        (folder / f"dedicated_log_torch_trace_rank_{rank}_x.log").write_bytes(w.data)
    return files_of(folder)


def associative(context):
    files = job(context)
    a, b, c, d, e = [context.digest(path) for path in files]
    ab, abc, de = context.new(".digest"), context.new(".digest"), context.new(".digest")
    context.call("merge", "-q", "-o", ab, b, a)
    context.call("merge", "-q", "-o", abc, c, ab)
    context.call("merge", "-q", "-o", de, d, e)
    whole = context.digest(*files)
    again = context.new(".digest")
    context.call("merge", "-q", "-o", again, de, abc)
    expected = context.report("report", *files)[1]
    context.tap.equal("a digest of digests is the digest of all files", whole.read_bytes(), again.read_bytes())
    for name, parts in (("of merges", (abc, de)), ("of merges, the other way round", (de, abc)), ("of all at once", (e, d, c, b, a)),
                        ("of one for all", (whole,)), ("of parts that overlap", (abc, ab, a, de, e)),
                        ("of digests and files", (abc, files[3], files[4]))):
        found = context.merged(*parts)[1]
        context.tap.point(f"a merge {name} gives the same report", found == expected)
    found = context.merged(abc, de, *files)[1]
    context.tap.point("a file beside its digest counts once", found == expected)


def copies(context):
    """A copy under another name counts once, whether it is a file or known by its digest."""
    folder = context.new()
    folder.mkdir()
    first, more = Writer(pid=7, rank=0), Writer(pid=7, rank=0)
    for number in range(3):
        first.compile(0, number)
        more.compile(0, number)
    more.compile(1, 0)
    paths = {name: folder / f"{name}.log" for name in ("one", "copy", "longer")}
    for name, path in paths.items():
        path.write_bytes((more if name == "longer" else first).data)
    digests = {name: context.digest(path) for name, path in paths.items()}
    for words, parts, used in (("two digests of the same bytes", (digests["one"], digests["copy"]), 1),
                               ("two files", (paths["one"], paths["copy"]), 1),
                               ("digests of files that only begin alike", (digests["one"], digests["longer"]), 2)):
        files = context.report("report", *parts)[1]
        report = json.loads(files["report.json"])
        context.tap.equal(f"copies: {words}", (used, 2 - used),
                          (sum(i["used"] for i in report["inputs"]), len(messages_of(files, "file-repeated"))))


def deterministic(context):
    files = job(context, 3)
    one, two, three = context.new(".digest"), context.new(".digest"), context.new(".digest")
    context.call("digest", "-q", "-j", 1, "-o", one, *files)
    context.call("digest", "-q", "-j", 8, "-o", two, *reversed(files))
    context.call("digest", "-q", "-o", three, *files)
    context.tap.equal("a digest depends on no thread and no order", one.read_bytes(), two.read_bytes())
    context.tap.equal("nor on the time", one.read_bytes(), three.read_bytes())
    largest = max((path for folder in trace_folders(context.testdata) for path in files_of(folder)), key=lambda p: p.stat().st_size)
    share = context.digest(largest).stat().st_size / largest.stat().st_size
    context.tap.point(f"a digest of {largest.stat().st_size} bytes takes less than 10 % of them", share < 0.1, f"{share:.1%}")


# --- payloads -------------------------------------------------------------------------------------------------------------------

def payloads(context):
    folder = context.new()
    folder.mkdir()
    path = folder / "dedicated_log_torch_trace_rank_0_x.log"
    w = Writer(rank=0)
    w.compile()
    w.artifact("inductor_output_code", "print('the text of a payload')", frame_id=0, frame_compile_id=0, attempt=0)
    path.write_bytes(w.data)
    digest = context.digest(path.name, cwd=folder)
    here = context.report("report", path.name, cwd=folder)[1]
    context.tap.equal("files are found from where the digest was made", here, context.merged(digest, cwd=folder)[1])
    away = context.merged(digest)[1]
    context.tap.equal("and from elsewhere", here, away)
    inline = [a["stored"] for c in json.loads(away["report.json"])["compiles"] for a in c["artifacts"]]
    context.tap.point("with their payloads", "inline" in inline, inline)
    packed = folder / "packed.log.gz"
    packed.write_bytes(gzip.compress(w.data))
    context.tap.equal("payloads of a packed file are read", context.report("report", packed), context.merged(context.digest(packed)))

    def left_out(what):
        status, found = context.merged(digest)
        notes = messages_of(found, "file-not-here")
        stored = {a["stored"] for c in json.loads(found["report.json"])["compiles"] for a in c["artifacts"]}
        context.tap.point(f"{what}: payloads are left out, and a message says so",
                          status == DONE and stored == {"dropped"} and len(notes) == 1 and str(path) in notes[0]["text"], status, stored, notes)
        context.tap.point(f"{what}: nothing counts as lost", not messages_of(found, "payload-lost"))

    data = path.read_bytes()
    path.write_bytes(data.replace(b"the text", b"another!"))
    left_out("a file with other bytes")
    path.write_bytes(data + b"x")
    left_out("a file that grew")
    path.unlink()
    left_out("no file")
    path.mkdir()
    left_out("a directory instead")


def divergences(report):
    """Without words and lines from a graph's text."""
    return [{key: d[key] for key in ("kind", "run", "compile", "groups", "also", "weak")} for d in report["ranks"]["divergences"] or ()]


def ranks_without_traces(context):
    problems, count, found = [], 0, 0
    for folder in trace_folders(context.testdata):
        if len(files_of(folder)) < 2:
            continue
        copy = context.new()
        shutil.copytree(folder, copy)
        digests = [context.digest(path) for path in files_of(copy)]
        expected = json.loads(context.report("report", *files_of(copy))[1]["report.json"])
        shutil.rmtree(copy)
        merged = json.loads(context.merged(*digests)[1]["report.json"])
        count += 1
        found += len(divergences(expected))
        if divergences(merged) != divergences(expected):
            problems += [str(folder), f"{divergences(merged)}"[:300], f"{divergences(expected)}"[:300]]
    context.tap.empty(f"ranks differ in the same without the traces: {count} jobs, {found} divergences", problems)
    context.tap.point("of which some do", found > 0 and count > 1, found, count)


# --- what is wrong --------------------------------------------------------------------------------------------------------------

def refused(context, name, data, *words):
    path = context.new(".digest")
    path.write_bytes(data)
    done = context.program.run("merge", "-q", "--no-browser", "-o", context.new(), path)
    error = done.stderr.decode(errors="replace")
    return context.tap.point(f"{name} is refused by name, and what to do is said",
                             done.returncode == IO and all(word in error for word in (str(path), "create it again", *words)),
                             done.returncode, error)


def broken(context):
    good = context.digest(job(context, 1)[0]).read_bytes()
    plain = gzip.decompress(good)
    head, rest = plain.split(b"\n", 1)
    refused(context, "a digest that was cut off", good[:-20])
    refused(context, "a damaged one", good[:400] + bytes(byte ^ 0x55 for byte in good[400:420]) + good[420:])
    refused(context, "one with something behind it", gzip.compress(plain + b"x"))
    refused(context, "one of another version", gzip.compress(MAGIC + b"1 00000000 9.9\n" + rest), "9.9")
    refused(context, "one of another format", gzip.compress(MAGIC + b"77 " + head.split(b" ", 2)[2] + b"\n" + rest))
    refused(context, "one without an end of its first line", gzip.compress(MAGIC + b"1" * 10000))
    refused(context, "one that unpacks to a gigabyte", gzip.compress(head + b"\n" + b"\x01" + b"\xff\xff\xff\xff\x03" + bytes(1 << 29)))
    mixed = context.new(".digest")
    mixed.write_bytes(good[:-20])
    files = job(context, 2)
    done = context.program.run("merge", "-q", "--no-browser", "-o", context.new(), mixed, context.digest(*files))
    context.tap.point("the others are reported on all the same", done.returncode == IO and str(mixed) in done.stderr.decode())
    context.tap.point("an unpacked digest is one, too", context.merged(written(context, plain))[0] == DONE)


def written(context, data):
    path = context.new(".digest")
    path.write_bytes(data)
    return path


def output(context):
    trace = job(context, 1)[0]
    foreign = context.new(".digest")
    foreign.write_text("mine\n")
    done = context.program.run("digest", "-o", foreign, trace)
    context.tap.point("a file that is no digest is left alone", done.returncode == IO and foreign.read_text() == "mine\n", done.stderr)
    digest = context.digest(trace)
    before = digest.read_bytes()
    context.call("digest", "-q", "-o", digest, trace)
    context.tap.equal("a digest is replaced", before, digest.read_bytes())
    empty = context.temp / "dedicated_log_torch_trace_rank_7_x.log"
    empty.write_bytes(b"")
    out = context.new(".digest")
    done = context.program.run("digest", "-o", out, empty)
    status, found = context.merged(out, digest)
    listed = [i for i in json.loads(found["report.json"])["inputs"] if not i["used"]] if found else []
    context.tap.point("a rank that wrote nothing has a digest, and the report lists it",
                      done.returncode == NOTHING and status == DONE and [i["path"] for i in listed] == [str(empty)], done, listed)
    for words in (("digest",), ("merge",), ("digest", "-o", "", trace)):
        context.tap.equal(f"{' '.join(map(str, words[:1]))} without a name is a usage error", USAGE, context.program.run(*words).returncode)
    done = context.program.run("digest", context.temp / "nothing")
    context.tap.point("a path that is not there is an error", done.returncode == IO and b"nothing" in done.stderr, done)
    summary = context.program.run("summary", digest)
    context.tap.point("other commands take digests, too", summary.returncode == DONE and b"1 compile" in summary.stdout, summary)


def main():
    pt2trace, testdata, *cases = sys.argv[1:]
    tap = Tap()
    with tempfile.TemporaryDirectory() as temp:
        context = Context(tap, Program(pt2trace, temp), pathlib.Path(testdata).resolve(), cases and pathlib.Path(cases[0]).resolve())
        for test in (associative, deterministic, payloads, ranks_without_traces, broken, output, reports, copies):
            test(context)
    sys.exit(tap.end())


main()
