"""What real runs of programs that change no setting have in their traces, and the defaults do not have.

What a program of torch.compile has is PyTorch's wherever it is met. torch.export and AOTInductor set a dozen settings that
users set, too: these are PyTorch's only where most of them are met together, so that each such set has a number.
"""
import ast
import collections
import json
import os
import re

CONFIGS = {"dynamo_config": "torch._dynamo.config", "inductor_config": "torch._inductor.config",
           "functorch_config": "torch._functorch.config", "compiler_config": "torch.compiler.config"}
SETTING = re.compile(r"\t(torch\.[\w.]*config\.[\w.]+) = (.*)")
VARIABLE = re.compile(r"\tos\.environ\['(\w+)'\] = '(.*)'")
IDS = ("frame_id", "frame_compile_id", "compiled_autograd_id")
DISTINCT_MAX = 3  # more values of one name are no choice: they are different in each run
SAME_MIN = 4


class Defaults:
    """by_version.txt, for one version."""

    def __init__(self, table, version):
        self.version = number(version)
        self.rows, self.variables = {}, {}
        for line in table.splitlines():
            kind, _, rest = line.partition("\t")
            if kind == "setting":
                name, first, last, *words = rest.split("\t")
                if number(first) <= self.version and (not last or self.version <= number(last)):
                    self.rows[name] = [w for w in words if not w.startswith("$")]
                    self.variables[name] = [w[1:] for w in words if w.startswith("$")]

    def of(self, name):
        """"=8", "?", or None when there is no such setting."""
        found = None
        for word in self.rows.get(name, ()):
            version, mark, value = re.match(r"([\d.]+)([=@?])(.*)", word).groups()
            if number(version) <= self.version:
                found = mark + value
        return self.of(found[1:]) if found and found[0] == "@" else found

    def differs(self, name, value):
        """`value` is Python text."""
        default = self.of(name)
        if default is None or default == "?":
            return default == "?"
        try:
            return alike(ast.literal_eval(default[1:])) != alike(ast.literal_eval(value))
        except (SyntaxError, ValueError):
            return default[1:] != value

    def differs_from_json(self, name, value):
        """Of a whole configuration what the machine decides is left out."""
        default = self.of(name)
        if not default or default == "?" or value == "Value is not JSON serializable":
            return False
        try:
            wanted = alike(ast.literal_eval(default[1:]))
        except (SyntaxError, ValueError):
            wanted = [] if default == "=set()" else default[1:]
        return wanted != (sorted(map(repr, value)) if default.startswith("={") and isinstance(value, list) else value)


def number(version):
    return tuple(int(x) for x in version.split(".")[:2])


def alike(value):
    """JSON has no sets and no tuples."""
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, value))
    return list(value) if isinstance(value, tuple) else value


# --- what is in a trace ---------------------------------------------------------------------------------------------------


def found_in(trace, defaults):
    """A set of (kind, name, value) for each compile in a folder of traces."""
    compiles = collections.defaultdict(set)
    for path in sorted(trace.rglob("*.log")):
        read_file(path, defaults, compiles)
    return [frozenset(c) for c in compiles.values() if c]


def read_file(path, defaults, compiles):
    key, programs = None, set()
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if not line.startswith("\t"):
            record = json.loads(line[line.index("{"):]) if "{" in line else {}
            key = (path, *(record.get(i) for i in IDS))
            of_program = record.get("artifact", {}).get("name") == "fx_graph_runnable" and key not in programs
            programs |= {key} if of_program else set()
            compiles[key] |= of_metrics(record.get("compilation_metrics", {}), defaults)
        elif of_program:  # forward's: backward has the same ones of the user
            compiles[key] |= of_line(line, defaults)


def of_line(line, defaults):
    if m := SETTING.fullmatch(line):
        return {("setting", m[1], m[2])} if defaults.differs(m[1], m[2]) else set()
    m = VARIABLE.fullmatch(line)
    return {("variable", m[1], f"'{m[2]}'")} if m else set()


def of_metrics(metrics, defaults):
    found = set()
    for key, module in CONFIGS.items():
        try:
            config = json.loads(metrics.get(key) or "{}")
        except ValueError:
            continue
        found |= {("setting", f"{module}.{name}", repr(value)) for name, value in config.items()
                  if defaults.differs_from_json(f"{module}.{name}", value)}
    return found


# --- what all of them have ------------------------------------------------------------------------------------------------


def lines(runs):
    """Of the table. `runs`: (compiles of a run, whether its program exports, {text of this run alone: what stands for it})"""
    runs = [([{without(item, private) for item in c} for c in compiles], exports) for compiles, exports, private in runs]
    alone = collections.defaultdict(set)  # whatever else a compile has
    for compiles, exports in runs:
        for kind, name, value in set().union(*compiles):
            if kind == "variable" or not exports:
                alone[kind, name].add(value)
    made = {"\t".join((*key, value, "")) for key, values in alone.items() for value in generalized(key[0], key[1], values)}
    sets = {frozenset(in_a_set(item) for item in c if item[:2] not in alone) for compiles, exports in runs if exports for c in compiles}
    for at, one in enumerate(sorted((s for s in sets if len(s) > 1), key=sorted), 1):
        made |= {"\t".join((*item, str(at))) for item in one}
    return sorted(made, key=str.encode)


def without(item, private):
    kind, name, value = item
    for text in sorted(private, key=len, reverse=True):
        value = value.replace(text, private[text])
    return kind, name, value


def in_a_set(item):
    """What is no switch is a text about the program."""
    kind, name, value = item
    return kind, name, value if re.fullmatch(r"True|False|None|[\d.]+", value) else "*"


def generalized(kind, name, values):
    """What they share, with * for what differs."""
    if name.startswith("TORCHELASTIC_"):  # the launcher's own: nobody else sets them, whatever they are
        return ["*"]
    numbers = all(re.fullmatch(r"'\d+'", v) for v in values)
    if len(values) == 1 or (kind == "setting" and len(values) <= DISTINCT_MAX):
        return sorted(values)
    begin = os.path.commonprefix(sorted(values))
    end = os.path.commonprefix([v[::-1] for v in sorted(values)])[::-1]
    if numbers or len(begin) + len(end) < SAME_MIN:
        return ["*"]
    return [re.sub(r"\*+", "*", f"{begin}*{end}")]
