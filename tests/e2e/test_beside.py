#!/usr/bin/env python3
"""Files beside a trace that were made from it are not counted twice: what pt2trace, tlparse and tlhub write.

    test_beside.py PT2TRACE TESTDATA

Prints TAP.
"""

import gzip
import json
import pathlib
import re
import shutil
import sys
import tempfile

from program import Program
from tap import Tap

OURS = ("errors", "graph_breaks", "recompiles", "transformer", "dist2")


class Context:
    def __init__(self, tap, program, testdata):
        self.tap, self.program, self.testdata, self.temp = tap, program, testdata, program.temp

    def copy(self, workload):
        """A directory with the trace, unpacked, and nothing else."""
        place = self.temp / f"{workload}_{len(list(self.temp.iterdir()))}"
        place.mkdir()
        for path in sorted((self.testdata / workload / "trace").iterdir()):
            data = path.read_bytes()
            (place / path.name.removesuffix(".gz")).write_bytes(gzip.decompress(data) if path.suffix == ".gz" else data)
        return place

    def facts(self, *words):
        done = self.program.run("export", "--format", "json", *words)
        return json.loads(done.stdout) if done.stdout else None

    def totals(self, *words):
        return (self.facts(*words) or {}).get("totals")

    def formats(self):
        """The formats of export, as its help lists them."""
        text = self.program.run("export", "--help").stdout.decode()
        return re.findall(r"^  (\w+) +\w+", text.split("for:\n")[1].split("\n\n")[0], re.M)


def unused(facts):
    return {pathlib.Path(i["path"]).name: i["why_not"] for i in facts["inputs"] if not i["used"]}


WARNED = ("/srv/torch/_dynamo/variables/functions.py:2431: UserWarning: Dynamo does not know how to trace the builtin `{}.` This function is "
          "either a Python builtin (e.g. _warnings.warn) or a third-party C/C++ Python extension (perhaps created with pybind).\n"
          "If it is a Python builtin, please file an issue on GitHub so the PyTorch team can add support for it and see the next case for a workaround.\n"
          '  torch._dynamo.utils.warn_once(explanation + "\\n" + "\\n".join(hints))\n')


def test_warned(c):
    """What Python printed of a break that the trace has, without the place or the process."""
    for function, more in {"zlib.crc32": 0, "zlib.adler32": 1}.items():
        place = c.copy("break_causes")
        before = c.totals(place)
        (place / "console.err").write_text(WARNED.format(function))
        after = c.totals(place)
        c.tap.equal(f"a warning of {function}", (before["graph_breaks"] + more, before["processes"] + more), (after["graph_breaks"], after["processes"]))


def test_own_output(c):
    """Each report, export, digest and database, several times and in any combination."""
    formats = c.formats()
    c.tap.point("the formats of export are found in its help", len(formats) >= 7, formats)
    for workload in OURS:
        place = c.copy(workload)
        before = c.totals(place)
        for number, words in enumerate(([], ["--artifacts", "all"], ["--redact", "--artifacts", "all"], ["--title", "again"])):
            c.program.run("report", "-q", "--no-browser", "--overwrite", "-o", place / "pt2trace_out", *words, place)
            c.program.run("report", "-q", "--no-browser", "-o", place / f"out{number}", *words, place)
        for name in formats:
            c.program.run("export", "--format", name, "-o", place / f"x.{name}", place)
            c.program.run("export", "--format", name, "-o", place / f"redacted.{name}", "--redact", place)
        (place / "summary.txt").write_bytes(c.program.run("summary", place).stdout)
        (place / "findings.md").write_bytes(c.program.run("findings", "--markdown").stdout)
        c.program.run("digest", "-o", place / "all.digest", place)
        c.program.run("digest", "-o", place / "digest of digests", place / "all.digest")
        c.program.run("index", place / "runs.db", place)
        c.program.run("index", "--report", "-o", place / "trends", place / "runs.db")
        c.tap.equal(f"{workload}: the same with all that pt2trace wrote beside it", before, c.totals(place))
        c.tap.equal(f"{workload}: the same of the newest run", before, c.totals("--latest", place))
        reasons = unused(c.facts(place))
        wanted = [f"x.{name}" for name in formats if name != "collapsed"] + ["pt2trace_out", "out1", "trends", "runs.db", "summary.txt"]
        c.tap.empty(f"{workload}: and each is left out with the reason",
                    [f"{name}: {reasons.get(name)}" for name in wanted if "pt2trace wrote" not in (reasons.get(name) or "")])
        c.tap.equal(f"{workload}: one entry stands for the files of a report", [], [name for name in reasons if name in ("index.html", "report.json")])


def test_named(c):
    """Such a file is skipped even if it is named on the command line, renamed or copied elsewhere."""
    place = c.copy("errors")
    out = place / "out"
    c.program.run("report", "-q", "--no-browser", "--artifacts", "all", "-o", out, place)
    artifact = next(path for path in sorted(out.rglob("*.txt")))
    for name in (out, out / "index.html", out / "report.json", artifact, artifact.parent, out / ".pt2trace-report"):
        done = c.program.run("summary", name)
        c.tap.equal(f"{name.name}: exit status and reason", (4, True), (done.returncode, b"pt2trace wrote" in done.stderr))
    for name in ("index.html", "report.json"):
        shutil.copy(out / name, place / "elsewhere.log")
        done = c.program.run("summary", place / "elsewhere.log")
        c.tap.equal(f"a copy of {name}", (4, True), (done.returncode, b"pt2trace wrote" in done.stderr))
        (place / "elsewhere.log").unlink()
    trace = next(place.glob("dedicated*"))
    shutil.copy(trace, out / "mine.log")
    c.tap.equal("a trace that somebody put into a report is read", c.totals(trace)["records"], (c.totals(out) or {}).get("records"))


def test_interrupted(c):
    """What a killed run left is no trace: neither the files that its marker lists nor those that were not published."""
    place = c.copy("hello")
    before = c.totals(place)
    trace = next(place.glob("dedicated*"))
    out = place / "out"
    (out / ".pt2trace-stage" / "new").mkdir(parents=True)
    (out / ".pt2trace-report").write_text("pt2trace report: x\nindex.html\nhalf.log\n../trace.log\n")
    for name in ("half.log", ".pt2trace-stage/new/page.log"):
        shutil.copy(trace, out / name)
    c.tap.equal("files of an interrupted run", before, c.totals(place))


def test_digest_of_what_moved(c):
    place = c.copy("hello")
    before = c.totals(place)
    trace = next(place.glob("dedicated*"))
    c.program.run("digest", "-o", place / "a.digest", trace)
    c.program.run("digest", "-o", place / "b.digest", trace)
    moved = place / "elsewhere" / "another name.log"
    moved.parent.mkdir()
    trace.rename(moved)
    c.tap.equal("digests beside a trace that was renamed", before, c.totals(place))
    data = moved.read_bytes()
    lines = data.splitlines(keepends=True)
    moved.write_bytes(b"".join(lines[:len(lines) // 2]))
    c.program.run("digest", "-o", place / "half.digest", moved)
    (place / "a.digest").unlink()
    (place / "b.digest").unlink()
    moved.write_bytes(data)
    c.tap.equal("a digest of a trace that has grown since", before, c.totals(place))


def make_tlparse(trace, out, extra=()):
    """What tlparse 0.4.3 leaves, as far as it matters."""
    compile_folder = out / "-_0_0_0"
    compile_folder.mkdir(parents=True)
    (out / "payloads").mkdir()
    text = "Traceback (most recent call last):\n  File \"/a.py\", line 1, in f\ntorch._dynamo.exc.Unsupported: no\n"
    for name in ("index.html", "failures_and_restarts.html", *extra):
        (out / name).write_text(f"<html>\n<head></head><body><pre>\n{text}</pre></body></html>\n")
    (compile_folder / "dynamo_error_1.txt").write_text(text)
    (out / "payloads" / "0.txt").write_text(text)
    (out / "compile_directory.json").write_text("{}")
    (out / "raw.jsonl").write_text("{\"string_table\":[]}\n")
    shutil.copy(trace, out / "raw.log")


def test_tlparse(c):
    place = c.copy("errors")
    trace = next(place.glob("dedicated*"))
    before = c.totals(place)
    make_tlparse(trace, place / "tl_out")
    c.tap.equal("tlparse's output beside a trace", before, c.totals(place))
    reasons = unused(c.facts(place))
    c.tap.equal("and why it is not read", [True, True], ["tlparse" in reasons.get(name, "") for name in ("tl_out", "raw.log")])
    c.tap.equal("its copy of the trace, where it is all there is", before, c.totals(place / "tl_out"))
    c.tap.equal("or where it is named", before, c.totals(place / "tl_out" / "raw.log"))
    shutil.rmtree(place / "tl_out" / "-_0_0_0")
    for name in ("compile_directory.json", "raw.log", "raw.jsonl"):
        (place / "tl_out" / name).unlink()
    c.tap.equal("a report of tlparse --export", before, c.totals(place))


def test_tlparse_of_ranks(c):
    place = c.copy("dist2")
    before = c.totals(place)
    out = place / "tl_out"
    for rank, trace in enumerate(sorted(place.glob("dedicated*"))):
        make_tlparse(trace, out / f"rank_{rank}")
    (out / "index.html").write_text("<html></html>")
    (out / "collective_schedules.json").write_text("[]")
    c.tap.equal("tlparse's output of all ranks", before, c.totals(place))
    c.tap.equal("and its copies", before["records"], c.totals(out)["records"])


def test_tlhub(c):
    place = c.copy("errors")
    before = c.totals(place)
    home = c.temp / "tlhub"
    shutil.copytree(place, home / "runs" / "1" / "trace")
    (home / "runs" / "1" / "run_manifest.json").write_text("{}")
    (home / "runs" / "1" / "artifacts").mkdir()
    shutil.copy(next(place.glob("dedicated*")), home / "runs" / "1" / "artifacts" / "raw.log")
    c.tap.equal("a run of tlhub", before, c.totals(home))


def main(pt2trace, testdata):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="pt2trace_beside_") as temp:
        context = Context(tap, Program(pt2trace, temp), pathlib.Path(testdata).resolve())
        for name, test in sorted(globals().items()):
            if name.startswith("test_"):
                test(context)
    return tap.end()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    sys.exit(main(*sys.argv[1:]))
