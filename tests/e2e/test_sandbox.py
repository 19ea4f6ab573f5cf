#!/usr/bin/env python3
"""The process that reads a trace can do nothing else: what a fault in it could be used for is tried in every command.

    test_sandbox.py PT2TRACE TRIES TESTDATA

TRIES is the library of tries.c, which tries from within. And the sandbox is in no command's way: with it and without it
they print and write the same. Prints TAP.
"""

import ctypes
import gzip
import os
import pathlib
import re
import shutil
import sys
import tempfile

from program import Program, tree
from tap import Tap

LANDLOCK_CREATE_RULESET, ASK_FOR_VERSION, OLDEST = 444, 1, 2
ATTEMPTS = 25  # in tries.c
# What fails without Landlock, too.
BY_SECCOMP = ("socket", "start ", "signal", "trace a process", "ring", "namespace", "mode", "attribute")


def has_landlock():
    return ctypes.CDLL(None).syscall(LANDLOCK_CREATE_RULESET, None, 0, ASK_FOR_VERSION) >= OLDEST


class Place:
    """A directory with all that commands may be given; the current directory of each call."""

    def __init__(self, program, testdata):
        self.program = program
        self.root = program.temp / "place"
        self.root.mkdir()
        trace = next((testdata / "errors" / "trace").glob("*.log*"))
        text = gzip.decompress(trace.read_bytes()) if trace.suffix == ".gz" else trace.read_bytes()
        (self.root / "plain").mkdir()
        (self.root / "plain" / "trace.log").write_bytes(text)
        shutil.copytree(testdata / "odd_names" / "trace", self.root / "letters")  # not all of them are in ASCII
        (self.root / "packed.log.gz").write_bytes(gzip.compress(text))
        (self.root / "elsewhere").mkdir()
        (self.root / "elsewhere" / "linked.log").write_bytes(text)
        (self.root / "links").mkdir()
        (self.root / "links" / "link.log").symlink_to("../elsewhere/linked.log")
        (self.root / "sources").mkdir()
        (self.root / "names.yaml").write_text("artifacts: {}\n")
        (self.root / "there").mkdir()
        (self.root / "there" / "there").write_text("of somebody else")
        (self.root / "secret").write_text("secret")
        assert self.call("digest", "-q", "plain", "-o", "made.digest").returncode == 0
        assert self.call("report", "-q", "--no-browser", "plain", "-o", "base").returncode == 0

    def call(self, *words, **env):
        return self.program.run(*words, cwd=self.root, env={"LC_ALL": "C.UTF-8", **env})

    def outputs(self):
        return tree(self.root)

    def clean(self, before):
        for path in self.root.rglob("*"):
            if path.is_file() and str(path.relative_to(self.root)) not in before:
                path.unlink()
        for path in ("out", "deep"):
            shutil.rmtree(self.root / path, ignore_errors=True)


COMMANDS = [
    ("report", "--no-browser", "plain", "-o", "out"),
    ("report", "--no-browser", "plain", "-o", "deep/er/out", "--artifacts", "all"),
    ("report", "--no-browser", "packed.log.gz", "-o", "out", "--redact", "--redact-map", "map"),
    ("report", "--no-browser", "links", "-o", "out", "--labels", "names.yaml", "--source-root", "sources"),
    ("summary", "plain"),
    ("summary", "packed.log.gz", "links"),
    ("show", "plain", "0/0"),
    ("show", "packed.log.gz", "--grep", "def"),
    ("export", "--format", "json", "plain"),
    ("export", "--format", "raw", "packed.log.gz"),
    ("export", "--format", "perfetto", "plain", "-o", "file"),
    ("export", "--format", "csv", "plain", "-o", "out"),
    ("export", "--format", "tables", "plain", "-o", "out/"),
    ("export", "--format", "sqlite", "plain", "-o", "file"),
    ("export", "--format", "tlparse", "packed.log.gz", "-o", "out"),
    ("digest", "links", "-o", "new.digest"),
    ("merge", "--no-browser", "made.digest", "-o", "out"),
    ("merge", "made.digest", "-o", "new.digest"),
    ("report", "--no-browser", "made.digest", "-o", "out"),
    ("check", "--format", "json", "plain", "-o", "file", "--baseline", "base/report.json"),
    ("diff", "plain", "links"),
    ("diff", "base/report.json", "packed.log.gz"),
    ("diff", "plain", "letters"),
    ("index", "runs.db", "plain", "links"),
    ("index", "runs.db", "plain", "--report", "-o", "out"),
]


def normal(data):
    """Without the command line, which says that there was no sandbox; what is compressed has it somewhere."""
    return b"" if data.startswith(b"\x1f\x8b") else re.sub(rb',"--no-sandbox"| --no-sandbox', b"", data)


def tries(tap, place, library, words, landlock):
    env = {"LD_PRELOAD": library, "TRIES_SECRET": place.root / "secret", "TRIES_FOLDER": place.root / "there", "TRIES_PARENT": os.getppid()}
    done = place.call(*words, **env)
    said = [(what.decode(), how.decode()) for what, how in re.findall(rb"^try (.*): (.*)$", done.stderr, re.M)]
    # A digest names the files that it was made of: beside one all may be read.
    free = ("read ", "list ") if "made.digest" in words else ()
    allowed = [what for what, how in said if how not in ("Operation not permitted", "Permission denied") and not what.startswith(free)
               and (landlock or any(word in what for word in BY_SECCOMP))]
    tap.equal(f"{' '.join(words)}: all is tried, and nothing is possible", (ATTEMPTS, []), (len(said), allowed))


def same(tap, place, words):
    before = place.outputs()
    free, left_free = place.call(*words, "--no-sandbox"), place.outputs()
    place.clean(before)
    bound, left_bound = place.call(*words), place.outputs()
    place.clean(before)
    tap.equal(f"{' '.join(words)}: the same as without a sandbox",
              (free.returncode, normal(free.stdout), free.stderr, sorted(left_free)),
              (bound.returncode, normal(bound.stdout), bound.stderr, sorted(left_bound)))
    # Pages have times of the files, and the command line in compressed text.
    texts = [path for path in left_free if path.endswith((".csv", ".jsonl", ".txt", "map"))]
    tap.empty(f"{' '.join(words)}: texts are the same", [path for path in texts if left_free[path] != left_bound.get(path)])


def writes_a_file(words):
    """And not only into the directory of a report, or to standard output."""
    return words[0] == "index" or "--redact-map" in words or (words[0] not in ("report", "merge") and "-o" in words) or "new.digest" in words


def leaves_nothing(tap, place):
    """The directory of a report is made before anything is read."""
    for words in (("report", "--no-browser", "there", "-o", "deep/er/out"), ("report", "--no-browser", "missing", "-o", "out")):
        done = place.call(*words)
        tap.point(f"{' '.join(words)}: no directory is left where there is no report",
                  done.returncode in (3, 4) and not (place.root / "deep").exists() and not (place.root / "out").exists(), done.stderr)


def main(pt2trace, library, testdata):
    tap, landlock, library = Tap(), has_landlock(), pathlib.Path(library).resolve()
    with tempfile.TemporaryDirectory(prefix="pt2trace-sandbox-") as temp:
        place = Place(Program(pt2trace, temp), pathlib.Path(testdata).resolve())
        before = place.outputs()
        for words in COMMANDS:
            same(tap, place, words)
        for words in COMMANDS:
            if not writes_a_file(words):
                tries(tap, place, library, words, landlock)
                place.clean(before)
        # A file that is written has its directory; others are not touched.
        (place.root / "files").mkdir()
        for words in (("digest", "plain", "-o", "files/new.digest"), ("export", "--format", "json", "plain", "-o", "files/x"),
                      ("export", "--format", "sqlite", "plain", "-o", "files/x"), ("index", "files/runs.db", "plain"),
                      ("check", "--format", "json", "plain", "-o", "files/x")):
            tries(tap, place, library, words, landlock)
            shutil.rmtree(place.root / "files")
            (place.root / "files").mkdir()
        env = {"LD_PRELOAD": library}
        done = place.call("summary", "plain", "--no-sandbox", **env)
        tap.point("--no-sandbox: there is none", done.returncode == 0 and b"try " not in done.stderr, done.stderr)
        leaves_nothing(tap, place)
    return tap.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
