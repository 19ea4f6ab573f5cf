"""The programs of tests/advice: what stands at their head, and their text with advice applied to it."""

import pathlib
import re
import tarfile

# What a line at the head may say. README.md says what each means.
KEYS = {"finding", "also", "not", "clean", "paste-before", "follow", "severity", "says", "never-says", "versions", "long", "tolerance", "output", "fails", "shows",
        "environment", "alone", "dtrace", "inductor", "known-failing", "limit"}
DIRECTIVE = re.compile(r"# ([a-z][a-z-]*)(?: \(([\d.+ -]+)\))?(?::\s*(.*))?$")
LIMIT_S = 240


class Wrong(Exception):
    """A program that says what the runner does not understand."""


def version_key(version):
    return [int(part) for part in version.split(".")[:2]]


def is_among(version, ranges):
    """Whether "2.6.0" is among "2.4-2.5 2.7+"; all are among nothing."""
    for words in ranges:
        first, _, last = words.rstrip("+").partition("-")
        end = version_key(last) if last else version_key("99.0") if words.endswith("+") else version_key(first)
        if version_key(first) <= version_key(version) <= end:
            return True
    return not ranges


class Program:
    """A program, as one version of PyTorch sees it; without one, what its head says of all of them."""

    def __init__(self, path, version=None):
        self.path = pathlib.Path(path)
        self.name = self.path.stem
        self.text = self.path.read_text(encoding="utf-8")
        self.said = dict(directives(self.path, self.text, version))
        self.here = marked(self.text, "HERE", version)
        self.before = marked(self.text, self.said.get("paste-before", "HERE").lstrip("# "), version)
        self.finding = self.said.get("finding")
        self.first = self.finding.split("|") if self.finding else []
        after = self.path.with_name(f"{self.name}.after.py")
        self.after = after if after.exists() else None
        if not {"finding", "not", "clean"} & set(self.said):
            raise Wrong(f"{self.path.name}: says neither finding, not nor clean")
        if "paste-before" in self.said and not self.before:
            raise Wrong(f"{self.path.name}: no line is marked {self.said['paste-before']}")

    def under(self, version):
        return Program(self.path, version)

    def words(self, key):
        return (self.said.get(key) or "").split()

    def runs_in(self, version):
        return is_among(version, self.words("versions"))

    @property
    def tolerance(self):
        return float(self.said.get("tolerance") or 0)

    @property
    def limit_s(self):
        return int(self.said.get("limit") or LIMIT_S)


def holds_in(version, ranges):
    """Whether what stands behind versions holds: without a version only what holds in all of them does."""
    return not ranges or (version is not None and is_among(version, ranges.split()))


def directives(path, text, version=None):
    """(key, value) of the comment lines before the first line of code. Lines that are no directives are for people."""
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        match = DIRECTIVE.fullmatch(line.strip())
        if match and (match[1] in KEYS or match[3] is not None):
            if match[1] not in KEYS:
                raise Wrong(f"{path.name}: `{match[1]}` is no directive")
            if holds_in(version, match[2]):
                yield match[1], (match[3] or "").strip()


def marked(text, word, version=None):
    """Numbers of the lines of code that end in a comment with that word."""
    mark = re.compile(rf"\S.*#\s*{word}\b(?: \(([\d.+ -]+)\))?")
    found = [(number, mark.search(line)) for number, line in enumerate(text.splitlines(), 1) if line[:1] != "#"]
    return [number for number, match in found if match and holds_in(version, match[1])]


def insert(text, line, paste):
    """The text with a paste before a line, indented like it."""
    lines = text.splitlines()
    indent = re.match(r"\s*", lines[line - 1])[0]
    return "\n".join([*lines[:line - 1], *(indent + new if new else new for new in paste.splitlines()), *lines[line - 1:]]) + "\n"


def start_of(text):
    """The line before which the settings of a program go: the one marked START, else the first behind the imports."""
    last, *_ = [line - 1 for line in marked(text, "START")] or [0]
    if last:
        return last + 1
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"(?:import|from)\s", line):
            last = number
        elif line.strip() and not line.startswith("#") and last:
            break
    return last + 1


class Inserted:
    """Where lines of a program come from once a text was put into it."""

    def __init__(self, line=0, count=0):
        self.line, self.count = line, count

    def before(self, line):
        """The line of the program as it was; 0 for one of those put in."""
        if not self.count or line is None or line < self.line:
            return line
        return line - self.count if line >= self.line + self.count else 0


def programs_in(root, *folders):
    """Those that have an `after` beside them are one program."""
    return [Program(path) for folder in folders for path in sorted(pathlib.Path(root, folder).glob("*.py"))
            if not path.name.endswith(".after.py")]


def all_programs(root):
    """Those that need PyTorch alone."""
    return programs_in(root, "programs", "real_programs")


def kept(root):
    """Names of the programs whose traces are kept: see test_kept.py."""
    with tarfile.open(pathlib.Path(root).parent / "cases" / "advice.tar.xz") as archive:
        return {pathlib.Path(name).stem for name in archive.getnames()}
