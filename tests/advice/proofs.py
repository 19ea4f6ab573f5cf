"""proven.tsv: with which versions of PyTorch the advice of a finding was run, by which program. docs/findings.md is made from it."""

import pathlib
from collections import defaultdict

HEAD = "finding\tprogram\tkind\tversions"
KINDS = {"statement": "statement", "setting": "setting", "environment": "environment", "command": "command", "pattern": "pattern, adapted",
         "words": "in words, followed"}


class Proofs:
    """Rows by (finding, program): the kind of the text, and the versions. The kind `words` means that there is none to paste."""

    def __init__(self, path):
        self.path, self.rows = pathlib.Path(path), {}
        lines = self.path.read_text(encoding="utf-8").splitlines()[1:] if self.path.exists() else []
        for finding, program, kind, versions in (line.split("\t") for line in lines):
            self.rows[finding, program] = (kind, set(versions.split()))

    def has(self, finding, program, kind, version):
        return self.rows.get((finding, program), ("", ()))[0] == kind and version in self.rows[finding, program][1]

    def set(self, finding, program, kind, version, proven):
        """Adds or takes away one version."""
        was, versions = self.rows.get((finding, program), (kind, set()))
        versions = (versions if was == kind else set()) - {version} | ({version} if proven else set())
        self.rows.pop((finding, program), None)
        if versions:
            self.rows[finding, program] = (kind, versions)

    def write(self):
        lines = [f"{finding}\t{program}\t{kind}\t{' '.join(sorted(versions, key=in_order))}"
                 for (finding, program), (kind, versions) in sorted(self.rows.items())]
        self.path.write_text("\n".join([HEAD, *lines]) + "\n", encoding="utf-8")

    def column(self):
        """finding -> what docs/findings.md says of it."""
        kinds = defaultdict(set)
        for (finding, _), (kind, versions) in self.rows.items():
            kinds[finding, kind] |= versions
        cells = defaultdict(list)
        for (finding, kind), versions in sorted(kinds.items(), key=lambda item: list(KINDS).index(item[0][1])):
            short = ", ".join(version.removesuffix(".0") for version in sorted(versions, key=in_order))
            cells[finding].append(f"{KINDS[kind]}: {short}")
        return {finding: "; ".join(texts) for finding, texts in cells.items()}


def in_order(version):
    return [int(part) for part in version.split(".")]
