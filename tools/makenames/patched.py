"""What real runs of programs that change no setting have in their traces, and the defaults do not have."""
import ast
import json
import os
import re

CONFIGS = {"dynamo_config": "torch._dynamo.config", "inductor_config": "torch._inductor.config",
           "functorch_config": "torch._functorch.config", "compiler_config": "torch.compiler.config"}
SETTING = re.compile(r"\t(torch\.[\w.]*config\.[\w.]+) = (.*)")
VARIABLE = re.compile(r"\tos\.environ\['(\w+)'\] = '(.*)'")
DISTINCT_MAX = 3  # more values of one name are not a choice: they are different in each run
SAME_MIN = 4


class Defaults:
    """by_version.txt, for one version."""

    def __init__(self, table, version):
        self.version = number(version)
        self.rows = {}
        for line in table.splitlines():
            kind, _, rest = line.partition("\t")
            if kind == "setting":
                name, first, last, *words = rest.split("\t")
                if number(first) <= self.version and (not last or self.version <= number(last)):
                    self.rows[name] = [w for w in words if not w.startswith("$")]

    def of(self, name):
        """"=8", "?", or None when there is no such setting."""
        found = None
        for word in self.rows.get(name, ()):
            version, mark, value = re.match(r"([\d.]+)([=@?])(.*)", word).groups()
            if number(version) <= self.version:
                found = mark + value
        return self.of(found[1:]) if found and found[0] == "@" else found

    def differs(self, name, value):
        """`value` as Python prints it, or as it came out of JSON."""
        default = self.of(name)
        if default is None or default == "?":
            return default == "?" and isinstance(value, str)  # of a whole configuration the machine's own values are left out
        try:
            return alike(ast.literal_eval(default[1:])) != alike(ast.literal_eval(value))
        except (SyntaxError, ValueError):
            return default[1:] != value


def number(version):
    return tuple(int(x) for x in version.split(".")[:2])


def alike(value):
    """JSON has no sets and no tuples."""
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, value))
    return list(value) if isinstance(value, tuple) else value


def found_in(trace, defaults):
    """{(kind, name, value)} of the files in a trace folder."""
    found = set()
    for path in sorted(trace.rglob("*.log")):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            found |= of_line(line, defaults)
    return found


def of_line(line, defaults):
    if m := SETTING.fullmatch(line):
        return {("setting", m[1], m[2])} if defaults.differs(m[1], m[2]) else set()
    if m := VARIABLE.fullmatch(line):
        return {("variable", m[1], f"'{m[2]}'")}
    at = line.find('{"compilation_metrics"') if "compilation_metrics" in line else -1
    return of_metrics(json.loads(line[at:])["compilation_metrics"], defaults) if at >= 0 else set()


def of_metrics(metrics, defaults):
    found = set()
    for key, module in CONFIGS.items():
        try:
            config = json.loads(metrics.get(key) or "{}")
        except ValueError:
            continue
        for name, value in config.items():
            default = defaults.of(f"{module}.{name}")
            if default and default != "?" and value != "Value is not JSON serializable" and differs_from_json(default[1:], value):
                found.add(("setting", f"{module}.{name}", repr(value)))
    return found


def differs_from_json(default, value):
    try:
        wanted = alike(ast.literal_eval(default))
    except (SyntaxError, ValueError):
        wanted = [] if default == "set()" else default
    return wanted != (sorted(map(repr, value)) if default.startswith("{") and isinstance(value, list) else value)


def patterns(runs):
    """Lines of all runs: where a name has many values, what they share, with * for what differs.

    `runs`: (found, {text of this run alone: what stands for it}).
    """
    values = {}
    for found, private in runs:
        for kind, name, value in found:
            for text in sorted(private, key=len, reverse=True):
                value = value.replace(text, private[text])
            values.setdefault((kind, name), set()).add(value)
    return sorted("\t".join((*key, value)) for key, all_of_it in values.items() for value in generalised(key[0], all_of_it))


def generalised(kind, values):
    numbers = all(re.fullmatch(r"'\d+'", v) for v in values)
    if len(values) == 1 or (kind == "setting" and len(values) <= DISTINCT_MAX):
        return sorted(values)
    begin = os.path.commonprefix(sorted(values))
    end = os.path.commonprefix([v[::-1] for v in sorted(values)])[::-1]
    if numbers or len(begin) + len(end) < SAME_MIN:
        return ["*"]
    return [f"{begin}*{end}"]
