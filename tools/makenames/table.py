"""The table of names by version: what src/text/versions/names.h reads."""

import sys

HEADER = "# Names of PyTorch by version, written by tools/make-names from the wheels of {}."


def lines(facts):
    """`facts`: {minor version: {kind: {name: what}}}, oldest version first. A line for each stretch of versions."""
    versions = list(facts)
    made = []
    for kind in dict.fromkeys(k for f in facts.values() for k in f):
        for name in sorted({n for f in facts.values() for n in f.get(kind, ())}):
            for stretch in stretches([name in facts[v].get(kind, ()) for v in versions]):
                had = versions[stretch[0]:stretch[1]]
                last = "" if stretch[1] == len(versions) else had[-1]
                made.append("\t".join([kind, name, had[0], last, *details(kind, name, {v: facts[v][kind][name] for v in had})]))
    return sorted(set(made) - set(outlived(made)), key=str.encode)


def outlived(made):
    """Lines of modules that go before a name in them does: an import in one version shows the module as a name."""
    ends = {}
    for line in made:
        _, name, _, last, *_ = line.split("\t")
        parts = name.split(".")
        for n in range(1, len(parts)):
            ends.setdefault(".".join(parts[:n]), []).append(number(last))
    for line in made:
        kind, name, _, last, *_ = line.split("\t")
        if kind == "api" and last and any(end > number(last) for end in ends.get(name, ())):
            yield line


def number(version):
    """(2, 3) of 2.3; of none, which is still there, more than any."""
    return tuple(map(int, version.split("."))) if version else (sys.maxsize,)


def stretches(present):
    """[False, True, True, False] is [(1, 3)]."""
    made, start = [], None
    for at, there in enumerate([*present, False]):
        if there and start is None:
            start = at
        elif not there and start is not None:
            made.append((start, at))
            start = None
    return made


def details(kind, name, by_version):
    if kind == "setting":
        return [*defaults(by_version), *variables(by_version)]
    return parameters(by_version) if kind == "api" else []


def defaults(by_version):
    """2.3=8, 2.6@torch._dynamo.config.recompile_limit, 2.7? : from that version on a value, an alias, not known"""
    before = None
    for version, (default, alias, _) in by_version.items():
        word = f"@{alias}" if alias else "?" if default is None else f"={default}"
        if word != before:
            yield version + word
        before = word


def variables(by_version):
    """$TORCHDYNAMO_X: an environment variable that sets it, in any of the versions"""
    names = dict.fromkeys(v for _, _, variables in by_version.values() for v in variables)
    return [f"${name}" for name in names if isinstance(name, str)]


def parameters(by_version):
    """mode, or mode@2.4 or mode@2.4-2.6 where it came later than the function or went before it"""
    versions = list(by_version)
    names = list(dict.fromkeys(p for v in reversed(versions) for p in by_version[v]))
    made = []
    for name in names:
        had = [v for v in versions if name in by_version[v]]
        gone = had[-1] != versions[-1]
        made.append(name if had[0] == versions[0] and not gone else f"{name}@{had[0]}{'-' + had[-1] if gone else ''}")
    return made
