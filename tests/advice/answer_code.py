"""What the tables of answers give to paste: the code between backticks, and settings and variables that stand in a text."""

import pathlib
import re

# Where answers stand: the tables of topics and of errors, remedies of recompiles, and the sentences of findings and notes.
FOLDERS = ("torchlog", "analysis")
# PyTorch's own words in them, by which a text is recognized; nobody is given them.
MATCHED = ("break_kind_names.c", "break_kind_words.c", "callee.c")
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|^[ \t]*#[ \t]*(?:define|undef)[^\n]*?(?:\\\n[^\n]*?)*$|"(?P<text>(?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\''
                   r'|(?P<word>\w+)|.', re.S | re.M)
MACRO = re.compile(r"[ \t]*#[ \t]*define[ \t]+(\w+)(\(.*?\))?[ \t\\]*(.*)", re.S)
# How many arguments of a row say what it is for; the others are the answer.
KEYS = {"TOPIC": 3, "ANSWER": 1, "ANSWER_TO": 2, "ANSWER_WITHIN": 2, "ANSWER_TO_CODE": 2, "ANSWER_TO_WITHIN": 3}
ESCAPES = {"n": "\n", "t": "\t"}
# What a format leaves open is a name or a number of the program that is read.
FORMAT = re.compile(r"%(?:\.\*|[-\d.])*(?:l|ll|z)?[sduxg]")
SPAN = re.compile(r"`([^`\n]+)`")
SETTING = re.compile(r"\btorch(?:\.\w+)+ = (?:\"[^\"]*\"|'[^']*'|[-\w.]+\w|\{\})")
VARIABLE = re.compile(r"(?<![\w.$])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)=(\"[^\"]*\"|'[^']*'|[^\s`,;\"')]*)")


class Text:
    """An argument of an answer; `row` has all of them, as another one may say the version."""

    def __init__(self, place, words, row):
        self.place, self.words, self.row = place, words, row


def unescape(literal):
    return re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), literal, flags=re.S)


class Reader:
    """Reads the string literals of a source; neighbors are one, also with a macro of texts between them."""

    def __init__(self, path, source):
        self.path, self.macros, self.groups = path, {}, []
        self.open, self.row, self.keys, self.depth = None, [], 0, 0
        self.read(source, 1)
        self.close()

    def read(self, source, line):
        for m in TOKEN.finditer(source):
            if m["text"] is not None:
                self.literal(unescape(m["text"]), line)
            elif m["word"] in self.macros:
                self.read(self.macros[m["word"]], line)
            else:
                self.other(m, line)
            line += m[0].count("\n")

    def literal(self, words, line):
        if self.open is None:
            self.open = [line, ""]
        self.open[1] += words

    def other(self, m, line):
        macro = MACRO.match(m[0])
        if macro:
            body = macro[3].replace("\\\n", "\n")
            # Who uses a macro of a header, or one with arguments, is not looked for: its words are a text of their own.
            if macro[2] or self.path.suffix == ".h":
                self.read(body, line)
                self.close()
            elif '"' in body:
                self.macros[macro[1]] = body
        if macro or m[0].isspace() or m[0].startswith(("/*", "//")):
            return
        self.close()
        if m["word"] in KEYS:
            self.row, self.keys, self.depth = [], KEYS[m["word"]], 0
        elif m[0] in "{};":
            self.row = []
        self.depth += {"(": 1, ")": -1}.get(m[0], 0)
        if m[0] == "," and self.depth == 1:
            self.keys = max(0, self.keys - 1)

    def close(self):
        if self.open is not None and not self.keys:
            text = Text(f"{self.path}:{self.open[0]}", self.open[1], self.row)
            self.row.append(text.words)
            self.groups.append(text)
        self.open = None


def texts_of(path, source):
    return Reader(path, source).groups


def answer_texts(root):
    """All texts of the answers, in order."""
    for folder in FOLDERS:
        for file in sorted(pathlib.Path(root, "src", folder).rglob("*")):
            if file.suffix in (".c", ".h", ".def") and file.name not in MATCHED:
                yield from texts_of(file.relative_to(root), file.read_text(encoding="utf-8"))
