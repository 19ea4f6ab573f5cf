"""What comes of each call of the program in a test, a row for each, which is kept in tests/cases/calls.

A test asks of its inputs what it is about; the rows notice whatever else changes. `KEEP=write meson test --suite kept` writes
them: judge a row that changes by making that call before and after.
"""

import difflib
import hashlib
import json
import os
import pathlib
import re
import sys
import tempfile

import tap
from kept_facts import of_page

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
CALLS = SOURCE / "tests" / "cases" / "calls"
OWN = re.compile(rf"{re.escape(tempfile.gettempdir())}/[\w-]+")


def parts(folder):
    """(name, text) of a page, and of each member of its report.json that says something."""
    page, report = folder / "index.html", folder / "report.json"
    if page.exists():
        yield "page", of_page(page.read_text(encoding="utf-8", errors="replace"), None)
    for key, value in json.loads(report.read_bytes()).items() if report.exists() else ():
        if value not in (None, [], {}):
            yield key, json.dumps(value)


class Calls:
    def __init__(self, pt2trace):
        self.pt2trace, self.rows = pathlib.Path(pt2trace).resolve(), []
        self.words = {str(self.pt2trace): "pt2trace", str(pt2trace): "pt2trace", f"{SOURCE}/": "", str(SOURCE): "."}
        self.version = tap.run(pt2trace, "--version").stdout.decode().split()[1]

    def plain(self, text):
        """Without what depends on the machine, the version and the length of paths, which is where lines are broken."""
        text = re.sub(r"\s+", "", text)
        for value, word in {**self.words, self.version: "VERSION"}.items():
            text = text.replace(value, word)
        text = re.sub(r"(?<=\.html|igest)\([\d.,]+[kM]?B", "", text)  # a file that names them
        return re.sub(r"====[0-9a-f]{16}", "====MARK", text)

    def digest(self, text):
        text = text.decode(errors="replace") if isinstance(text, bytes) else text
        return hashlib.md5(self.plain(text).encode()).hexdigest()[:6]

    def note(self, command, done):
        words = [os.fsdecode(word) for word in command]
        # How long a launch takes differs, and the libraries of a version are those of the machine.
        if pathlib.Path(words[0]).resolve() != self.pt2trace or words[1] in ("run", "--version"):
            return
        made_in = {path for word in words[1:] for path in OWN.findall(word) if not f"{SOURCE}/".startswith(f"{path}/")}
        self.words.update((path, "TEMP") for path in made_in)
        found = {name: text for name, text in (("out", done.stdout), ("err", done.stderr)) if text}
        if "report" in words and "-o" in words and done.returncode == 0:
            found.update(parts(pathlib.Path(words[words.index("-o") + 1])))
        said = " ".join(map(self.plain, words[1:]))
        self.rows.append("\t".join([said, f"exit {done.returncode}", *(f"{name} {self.digest(text)}" for name, text in found.items())]))


def keep(pt2trace):
    """From here on, what comes of each call is noted; at its end, the test compares that with tests/cases/calls/NAME.tsv."""
    calls, path = Calls(pt2trace), CALLS / f"{pathlib.Path(sys.argv[0]).stem.removeprefix('test_')}.tsv"

    def compare(points):
        if os.environ.get("KEEP") == "write":
            path.parent.mkdir(exist_ok=True)
            path.write_text("".join(f"{row}\n" for row in calls.rows), encoding="utf-8")
        before = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        differing = difflib.unified_diff(before, calls.rows, "before", "now", lineterm="", n=0)
        points.empty("what comes of each call is as it was", list(differing))

    os.environ.update(LC_ALL="C.UTF-8", TZ="UTC")
    tap.NOTES.append(calls.note)
    tap.LAST.append(compare)
