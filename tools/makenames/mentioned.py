"""Names of PyTorch that the program's own texts mention: what is in string literals of its C sources."""
import re

STRING = re.compile(r'/\*.*?\*/|//[^\n]*|\'(?:[^\'\\\n]|\\.)+\'|"((?:[^"\\\n]|\\.)*)"', re.S)
NAME = re.compile(r"\btorch(?:\.[A-Za-z_]\w*)+")
VARIABLE = re.compile(r"\b_?(?:PY)?(?:TORCH|TRITON)[A-Z]*(?:_[A-Z]+)+\b|\bTORCH[A-Z]+_[A-Z_]+\b")


def literals(text):
    """(line, text) of each string literal; neighbors are one."""
    for m in STRING.finditer(text):
        if m[1] is not None:
            yield text.count("\n", 0, m.start()) + 1, m[1]


def names_in(text, pattern):
    for line, literal in literals(text):
        for m in pattern.finditer(literal):
            yield line, m[0]


def torch_names(root):
    """All dotted names under torch, without those that are pages of its documentation."""
    found = set()
    for file in sorted(f for f in root.rglob("*") if f.suffix in (".c", ".h", ".def")):
        found |= {n for _, n in names_in(file.read_text(encoding="utf-8"), NAME) if not n.endswith(".html")}
    return sorted(found)
