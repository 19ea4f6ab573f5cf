#!/usr/bin/env python3
"""What comes of every input in the repository, a digest for each section of its outputs. Prints TAP.

usage: test_sections.py PT2TRACE SOURCE [--write | --print] [NAME...]

test_outputs.py keeps a few outputs whole; this one notices that a section of any other has changed: of the page, of
report.json, of exports, of what `show` prints. tests/cases/sections/NAME has its length and digest. `--print NAME` prints
them whole: with the program before and after a change, `diff` shows what changed.
"""

import gzip
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

import specimens
import test_divergence
from kept_facts import of_page
from tap import Tap, difference
from test_outputs import Printer, make

# Made of a rank of testdata/ranks_same: what tools/make-ranks plants into one of three.
PLANTED = {**{kind: ["--plant", f"{kind}:2:{id}"] for kind, (id, *_) in test_divergence.PLANTED.items()},
           "two": ["--plant", "graph:2:0/0", "--plant", "break:1:1/0"],
           "alike": ["--plant", "guards:2:0/0", "--plant", "cache:1:1/0"],
           "calls": ["--plant", "collectives:2:0/0", "--plant", "missing:1:0/0"],
           "slow": ["--plant", "slow:2:1/0"],
           "late": ["--plant", "late:2:0/0"],
           "ran": ["--run", "0/0,1/0,2/0", "--ran", "2:0/0,2/0"],
           "estimates": ["--estimate", "0/0:1000.5", "--took", "2:9000.5", "--took", "1:900"]}
SECTIONS = pathlib.Path(__file__).resolve().parent.parent / "cases" / "sections"
EXPORTS = ["perfetto", "tables", "markdown"]


def unpack(source, folder):
    """The traces of the programs of tests/advice: their names"""
    with tarfile.open(source / "tests" / "cases" / "advice.tar.xz") as archive:
        archive.extractall(folder / "advice", filter="data")
        return archive.getnames()


def plant(source, out):
    """Three ranks, when they are asked for."""
    [rank] = (source / "testdata" / "ranks_same" / "trace").glob("*_rank_0_*")
    plain = out.with_suffix(".log")
    plain.write_bytes(gzip.decompress(rank.read_bytes()))
    subprocess.run([sys.executable, source / "tools" / "make-ranks", plain, "3", out, *PLANTED[out.name]], check=True)


def inputs(source, advised):
    """(name, path, whether it is a trace that is exported, too) of each."""
    for kind, pattern in {"log": "*/input.log", "trace": "*/input*", "paste": "*.txt"}.items():
        for path in sorted(pathlib.Path(source, "tests", "cases", kind).glob(pattern)):
            place = path.relative_to(source)
            yield f"{kind}-{place.parts[3].removesuffix('.txt')}", str(place), kind == "trace"
    for path in sorted(pathlib.Path(source, "testdata").glob("*/trace")):
        yield path.parent.name, str(path.relative_to(source)), True
    for path in sorted(pathlib.Path(source, "testdata", "logs").iterdir()):
        yield f"logs-{path.name}", str(path.relative_to(source)), False
    for name in specimens.inputs():
        yield f"made-{name}", f"made/{name}", True
    for name in advised:
        yield f"advice-{name.removesuffix('.log')}", f"advice/{name}", False
    for kind in PLANTED:
        yield f"planted-{kind}", f"planted/{kind}", True


class Sections:
    def __init__(self, printer):
        self.printer = printer

    def of_report(self, path):
        """(what it is, its text) of each section of the page, and of each member of report.json"""
        # A page is as long as the version and the names of folders make it.
        yield "report", re.sub(r"[\d.,]+ ([kM]?B)\b", r"N \1", self.printer.run(["report", path]))
        page, report = (self.printer.folder / "out" / name for name in ("index.html", "report.json"))
        if page.exists():
            for part in re.split(r'(?=<section id=")', of_page(page.read_text(encoding="utf-8"), None)):
                found = re.match(r'<section id="([\w-]+)"', part)
                yield f"page {found[1] if found else 'head'}", self.printer.plain(part)
        if report.exists():
            yield from self.of_json(report.read_text(encoding="utf-8"))

    def of_json(self, text):
        for key, value in json.loads(text).items():
            if value not in (None, [], {}):
                yield f"json {key}", self.printer.plain(json.dumps(value, ensure_ascii=False)) + "\n"

    def of_program(self, path):
        """Of the traces of programs, which are many, what is concluded alone."""
        yield "summary", self.printer.run(["summary", path])
        yield from self.of_json(self.printer.run(["export", "--format", "json", path]).rpartition("exit 0")[0])

    def of(self, path, is_trace):
        if path.startswith("advice/"):
            yield from self.of_program(path)
            return
        yield from self.of_report(path)
        for words in (["show", path], ["show", path, "99/9"], ["follow", "--once", "--json", path],
                      *(["export", "--format", name, path] for name in EXPORTS if is_trace)):
            text = self.printer.run(words)
            if words[0] == "follow":  # of what has not ended, how much time has passed, and whether a process has its number
                text = re.sub(r'"(seconds|gone)":[\w.]+', r'"\1":N', text)
            yield " ".join(word for word in words if word != path), text
        earlier = re.sub(r"-[\d.]+/", "/", path)
        if earlier != path and (self.printer.folder / earlier).exists():
            yield "diff", self.printer.run(["diff", "--format", "json", path, earlier])


def summed(sections):
    return "".join(f"{what} {len(text)} {hashlib.md5(text.encode()).hexdigest()[:12]}\n" for what, text in sections)


def main(pt2trace, source, *words):
    tap, names, known = Tap(), [word for word in words if not word.startswith("--")], set()
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(source).resolve()
        make(pathlib.Path(folder), source)
        sections = Sections(Printer(pathlib.Path(pt2trace).resolve(), pathlib.Path(folder)))
        for name, path, is_trace in inputs(source, unpack(source, pathlib.Path(folder))):
            known.add(name)
            if names and name not in names:
                continue
            if path.startswith("planted/"):
                (pathlib.Path(folder) / "planted").mkdir(exist_ok=True)
                plant(source, pathlib.Path(folder) / path)
            found, kept = sections.of(path, is_trace), SECTIONS / name
            if "--print" in words:
                for what, text in found:
                    print(f"---- {name}: {what}\n{text}")
                continue
            found = summed(found)
            if "--write" in words:
                SECTIONS.mkdir(exist_ok=True)
                kept.write_text(found, encoding="utf-8")
            before = kept.read_text(encoding="utf-8") if kept.exists() else ""
            lines = [dict(line.rsplit(" ", 2)[::2] for line in text.splitlines()) for text in (before, found)]
            tap.point(name, before == found, *difference(*lines))
    tap.empty("all are of an input", sorted({path.name for path in SECTIONS.iterdir()} - known))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
