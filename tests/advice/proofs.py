"""
proven.tsv: with which versions of PyTorch the advice of a finding was run, by which program. absent.tsv: in which of them there is no
such finding, or no text for it, and what shows that. docs/findings.md is made from both.
"""

import pathlib
from collections import defaultdict

VERSIONS = ("2.5.1", "2.6.0", "2.13.0")  # that each finding with a text is proven in
HEAD = "finding\tprogram\tkind\tversions"
KINDS = {"statement": "statement", "setting": "setting", "environment": "environment", "command": "command", "pattern": "pattern, adapted",
         "words": "in words, followed"}


class Proofs:
    """Versions by (finding, program, kind of the text). The kind `words` means that there is no text to paste."""

    def __init__(self, path):
        self.path, self.rows = pathlib.Path(path), {}
        lines = self.path.read_text(encoding="utf-8").splitlines()[1:] if self.path.exists() else []
        for finding, program, kind, versions in (line.split("\t") for line in lines):
            self.rows.setdefault((finding, program, kind), set()).update(versions.split())

    def has(self, finding, program, kind, version):
        return version in self.rows.get((finding, program, kind), ())

    def set(self, finding, program, kind, version, proven):
        """What is known of one version now, instead of what was known before."""
        for key in [key for key in self.rows if key[:2] == (finding, program)]:
            self.rows[key] -= {version}
            if not self.rows[key]:
                del self.rows[key]
        if proven:
            self.rows.setdefault((finding, program, kind), set()).add(version)

    def text(self):
        lines = [f"{finding}\t{program}\t{kind}\t{' '.join(sorted(versions, key=in_order))}"
                 for (finding, program, kind), versions in sorted(self.rows.items())]
        return "\n".join([HEAD, *lines]) + "\n"

    def write(self):
        self.path.write_text(self.text(), encoding="utf-8")

    def column(self):
        """finding -> what docs/findings.md says of it."""
        kinds = defaultdict(set)
        for (finding, _, kind), versions in self.rows.items():
            kinds[finding, kind] |= versions
        cells = defaultdict(list)
        for (finding, kind), versions in sorted(kinds.items(), key=lambda item: list(KINDS).index(item[0][1])):
            short = ", ".join(version.removesuffix(".0") for version in sorted(versions, key=in_order))
            cells[finding].append(f"{KINDS[kind]}: {short}")
        return {finding: "; ".join(texts) for finding, texts in cells.items()}


def not_there(rows):
    """finding -> in which versions there is none, in words."""
    cells = {}
    for row in rows:
        short = ", ".join(version.removesuffix(".0") for version in sorted(row.versions, key=in_order))
        cells[row.finding] = "not run: it needs a GPU" if row.kind == "gpu" else f"{'none' if row.kind == 'program' else 'no text'} in {short}"
    return cells


class Absence:
    """
    A row of absent.tsv. `kind` says what shows it: a name that PyTorch lacks (api, setting, parameter), the run of a program that has
    no such finding (program) or one without a text (text), or that a GPU is needed.
    """

    def __init__(self, line):
        self.finding, versions, shown, self.why = line.split("\t")
        self.versions, (self.kind, *self.words) = set(versions.split()), shown.split()

    @property
    def program(self):
        return self.words[0] if self.kind in {"program", "text"} else None


def absences(folder):
    lines = pathlib.Path(folder, "absent.tsv").read_text(encoding="utf-8").splitlines()
    return [Absence(line) for line in lines[1:]]


def in_order(version):
    return [int(part) for part in version.split(".")]
