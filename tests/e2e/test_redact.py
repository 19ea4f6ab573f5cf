#!/usr/bin/env python3
"""What --redact and --skeleton leave of a trace: nothing of the user's, and everything else.

    test_redact.py PT2TRACE SOURCE SHARED [ONLY]

ONLY is a part of the names of the traces to look at, for whoever works on it; "all" adds the traces of all versions of PyTorch.

Two ways of looking for what slipped through:

- Words of the programs that the traces were made with (by Python's ast), parts of their paths and their string constants must
  not come up in any output, except those that Python and PyTorch have, too, and those of our own page and sentences.
- To distinguish the latter from the user's, the same words are marked in the traces themselves, wherever they stand, also within longer
  ones; then no mark may be left in any output.

And the report must still be good for something: with the placeholders undone it is the report that nothing was replaced in.
Prints TAP.
"""

import ast
import base64
import gzip
import html
import json
import keyword
import pathlib
import re
import sys
import tempfile
import zlib

import secrets_in
from tap import Tap, run
from test_schema import everything

MARK = "zqx"
WORD = re.compile(r"[^\W\d]\w*")
PLACEHOLDER = re.compile(r"(/?)((?:name|dir|url|key|host)\d+)")
BLOCK = re.compile(r'(<script type="text/plain"[^>]*>|<[^>]*\bid="block-\d+"[^>]*>)([A-Za-z0-9+/=\s]*)(</)')
EXAMPLE = re.compile(r'<details class="example".*?</details>', re.S)
DEFAULT_PATH_WORDS = {"home", "user", "opt", "venv", "root"}


# --- words ------------------------------------------------------------------------------------------------------------


def listed(source, *names):
    words = set()
    for name in names:
        words.update((source / "src" / "redact" / "words" / f"{name}.txt").read_text().split())
    return words


def named(source):
    """The parts of the names of PyTorch's settings, functions and variables."""
    words = set()
    for table in sorted((source / "src" / "text" / "names").glob("by_*.txt")):
        for line in table.read_text(encoding="utf-8").splitlines()[1:]:
            words.update(line.split("\t")[1].split("."))
    return words


class UserWords(ast.NodeVisitor):
    """What a program calls its own, and its strings."""

    def __init__(self):
        self.words, self.strings = set(), set()

    def generic_visit(self, node):
        for field in ("id", "attr", "name", "arg", "module", "asname"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                self.words.update(WORD.findall(value))
        self.words.update(getattr(node, "names", []) if isinstance(node, (ast.Global, ast.Nonlocal)) else [])
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.strings.add(node.value)
        super().generic_visit(node)


def user_words(*folders):
    """(identifiers and words of strings, strings) of all programs in some folders, docstrings left out of neither."""
    found = UserWords()
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*.py")):
            found.visit(ast.parse(path.read_text(encoding="utf-8")))
            found.words.update(WORD.findall(path.stem))
    for text in found.strings:
        found.words.update(WORD.findall(text))
    return found.words | DEFAULT_PATH_WORDS, found.strings


def is_of_prefix(word):
    """Single letters, also with a number behind them, name nothing."""
    return len(word.strip("_0123456789")) > 1


def is_allowed(word, allowed):
    """Python's and PyTorch's own, with a number behind it as graphs have it."""
    return word in allowed or re.sub(r"(_\d+)+$", "", word) in allowed or keyword.iskeyword(word)


def own_words(source):
    """Words of our templates, and of our sentences."""
    words = set()
    for path in [*(source / "templates").iterdir(), *(source / "src").rglob("*.[ch]"), *(source / "schema").iterdir()]:
        words.update(WORD.findall(path.read_text(encoding="utf-8")))
    return words


# --- outputs ----------------------------------------------------------------------------------------------------------


def page_text(page):
    """The page with its compressed blocks unpacked."""
    unpacked = []

    def unpack(match):
        if match[2].strip():
            unpacked.append(zlib.decompress(base64.b64decode(match[2]), -15).decode("utf-8", "replace"))
        return match[1] + match[3]

    # Examples are programs of ours, whatever the trace is.
    text = BLOCK.sub(unpack, EXAMPLE.sub("", page))
    return html.unescape(text) + "\n".join(unpacked), len(unpacked)


class Outputs:
    """Everything that pt2trace makes of some paths."""

    def __init__(self, pt2trace, folder, paths, options, everything):
        self.texts = {}
        command = [pt2trace, "report", "--no-browser", "--no-verify", "--overwrite", "-o", folder, "--artifacts", "all", *options]
        done = run(*command, *paths)
        self.ok = done.returncode == 0
        self.error = done.stderr.decode(errors="replace")
        if not self.ok:
            return
        # Where the report lies is shown to the sender alone.
        self.texts["summary"] = re.sub(r"\nReport .*", "", done.stdout.decode("utf-8", "replace"), flags=re.S)
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.is_file():
                text = path.read_bytes().decode("utf-8", "replace")
                self.texts[str(path.relative_to(folder))] = text
        self.texts["index.html"], self.blocks = page_text(self.texts["index.html"])
        self.report = json.loads(self.texts["report.json"])
        # Escapes of JSON are letters of no word.
        self.texts["report.json"] = json.dumps(self.report, ensure_ascii=False).replace("\\n", " ")
        self.texts["names of files"] = "\n".join(self.texts)
        if not everything:
            return
        for format in ("markdown", "tables", "perfetto", "collapsed", "sarif", "junit"):
            exported = run(pt2trace, "export", "--format", format, *options[:1], *paths)
            self.texts["export " + format] = exported.stdout.decode("utf-8", "replace").replace("\\n", " ").replace("\\_", "_")
        digest = pathlib.Path(f"{folder}.digest")
        run(pt2trace, "digest", "--no-verify", *options[:1], "-o", digest, *paths)
        self.texts["digest"] = gzip.decompress(digest.read_bytes()).decode("utf-8", "replace")
        for what in ([], ["0/0"]):
            shown = run(pt2trace, "show", *options[:1], paths[0], *what)
            self.texts["show " + " ".join(what)] = shown.stdout.decode("utf-8", "replace")


# --- what must not be there ------------------------------------------------------------------------------------------


def leaks(outputs, forbidden, strings):
    for name, text in outputs.texts.items():
        for word in sorted(set(WORD.findall(text)) & forbidden):
            at = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text).start()
            yield f"{name}: {word!r} in {text[max(0, at - 60):at + 60]!r}"
        for string in strings:
            # The first question alone takes a fiftieth of the time, and is mostly answered with no.
            if string in text and re.search(rf"(?<!\w){re.escape(string)}(?!\w)", text):
                yield f"{name}: the string {string!r}"


def torchs_functions(report):
    """Functions that lie in files of PyTorch and of Python: what they are called is not the user's."""
    text = json.dumps(report)
    return {name for file, name in re.findall(r'"file": "([^"]*)", "line": [^,]*, "function": "([^"]*)"', text)
            if OF_PYTHON.search(file)}


OF_PYTHON = re.compile(r"/site-packages/torch/|/lib/python3[.\d]*/(?!site-packages)")


def recorded_functions(folder):
    """The same of all stacks that were recorded: a digest has them, also where no report shows them."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8", "replace")
        files = {number: file for file, number in re.findall(r'"str": \["([^"]*)", (\d+)\]', text)}
        yield from (name for name, number in re.findall(r'"name": "([^"]+)", "filename": (\d+)', text)
                    if OF_PYTHON.search(files.get(number, "")))
        yield from (name for file, name in re.findall(r'File "([^"]+)", line \d+, in (\w+)', text) if OF_PYTHON.search(file))


LONGEST = 5  # words, between underscores


def mark_word(word, words, kept):
    """A word with a mark if it is one of the words, or has any of them between its underscores."""
    if word in kept:
        return word
    if word in words:
        return MARK + word
    parts, at, out = word.split("_"), 0, []
    while at < len(parts):
        end = next((end for end in range(min(at + LONGEST, len(parts)), at, -1) if "_".join(parts[at:end]) in words), None)
        out.append((MARK if end else "") + "_".join(parts[at:end or at + 1]))
        at = end or at + 1
    return "_".join(out)


def marked(data, words, kept):
    """A trace in which the words have a mark, also within longer ones, except for keys of JSON and words that are kept."""
    text = data.decode("utf-8", "surrogateescape")
    known = {}

    def mark(match):
        if match[0] not in known:
            known[match[0]] = mark_word(match[0], words, kept)
        return known[match[0]]

    return re.sub(r'\w+(?!" ?:|\w)', mark, text).encode("utf-8", "surrogateescape")


def mark_folder(folder, copy, words, kept):
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "truth.json":
            data = path.read_bytes()
            data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
            target = copy / path.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.with_name(target.name.removesuffix(".gz")).write_bytes(marked(data, words, kept))


def marks_left(outputs):
    for name, text in outputs.texts.items():
        for match in re.finditer(MARK, text, re.I):
            yield f"{name}: {text[max(0, match.start() - 60):match.start() + 60]!r}"


# --- what must be there ----------------------------------------------------------------------------------------------


def undo(text, placeholders):
    """The text before; the placeholder of an absolute directory has a slash before it."""

    def original(match):
        known = placeholders.get(match[2], match[2])
        return known if match[2].startswith("dir") and known.startswith("/") else match[1] + known

    return PLACEHOLDER.sub(original, text)


def is_same_text(undone, plain):
    """Where a text was cut off depends on the length of what stands in it."""
    if "\u2026" in plain:
        undone, plain = undone[:80], plain[:80]
    return undone in (plain, plain.replace("//", "/"))


# Of these all commands are looked at, and twice. Of the others the report is: what is replaced is replaced in the model, before there is
# any output. Only the marks, which notice most, are looked for in all commands everywhere.
SAME = ("custom_artifacts", "dist2", "transformer", "logs/errors")
NOT_COMPARED = {"md5", "command", "redaction", "differing", "path", "file", "files", "paste", "next"}


def differences(plain, redacted, placeholders, where="report"):
    """`md5` is left out on purpose, commands that are shown name files by it, settings are in the order of their names."""
    if type(plain) is not type(redacted):
        yield f"{where}: {plain!r} became {redacted!r}"
    elif isinstance(plain, dict):
        if len(plain) != len(redacted):
            yield f"{where}: keys {sorted(set(plain) ^ set(redacted))}"
        # The code that shows whether a setting helps has lost its names: the setting is called a pattern then.
        unsure = {"paste_kind", "paste_at"} if (plain.get("paste_kind"), redacted.get("paste_kind")) == ("setting", "pattern") else ()
        for (key, value), (_, other) in zip(plain.items(), redacted.items()):
            if key not in NOT_COMPARED and key not in unsure:
                yield from differences(value, other, placeholders, f"{where}.{key}")
    elif isinstance(plain, list):
        if len(plain) != len(redacted):
            yield f"{where}: {len(plain)} became {len(redacted)}"
        for i, (value, other) in enumerate(zip(plain, redacted)):
            yield from differences(value, other, placeholders, f"{where}[{i}]")
    elif isinstance(plain, str) and placeholders is not None:
        if plain != redacted and not is_same_text(undo(redacted, placeholders), plain):
            yield f"{where}: {plain[:120]!r} became {undo(redacted, placeholders)[:120]!r}"
    elif not isinstance(plain, str) and plain != redacted:
        yield f"{where}: {plain!r} became {redacted!r}"


def counts(report):
    lists = {name: len(value) for name, value in report.items() if isinstance(value, list)}
    return {**lists, **report["totals"]}


# --- the test --------------------------------------------------------------------------------------------------------


class Context:
    def __init__(self, tap, pt2trace, source, shared, temp):
        self.tap, self.pt2trace, self.temp = tap, pt2trace, pathlib.Path(temp)
        self.api = listed(source, "api", "by_hand") | named(source)
        self.ours = own_words(source) | listed(source, "prose", "path")

    def forbidden(self, words):
        return {word for word in words if is_of_prefix(word) and not is_allowed(word, self.api)}

    def outputs(self, folder, *options, name="out", everything=False):
        """Of a report alone, or of all commands."""
        return Outputs(self.pt2trace, self.temp / name, [folder], options, everything)


def check_words(context, name, outputs, words, strings):
    """Words that our own sentences have, too, are left to check_marks."""
    strings = {text for text in strings if len(text) > 3 and context.forbidden(WORD.findall(text)) - context.ours}
    found = list(leaks(outputs, context.forbidden(words) - context.ours - torchs_functions(outputs.report), strings))
    context.tap.empty(f"{name}: no word or string of the programs", found)


def check_marks(context, name, folder, words, report):
    copy = context.temp / "marked" / name
    mark_folder(folder, copy, context.forbidden(words), torchs_functions(report) | set(recorded_functions(folder)))
    plain = context.outputs(copy, name="plain")
    context.tap.point(f"{name}: marks come up where nothing is replaced", plain.ok and any(marks_left(plain)), plain.error)
    for option in ("--redact", "--skeleton"):
        outputs = context.outputs(copy, option, everything=option == "--redact" or name in SAME)
        context.tap.point(f"{name}: a report with {option} is written", outputs.ok, outputs.error)
        context.tap.empty(f"{name}: no mark is left with {option}", list(marks_left(outputs)) if outputs.ok else [])


def check_report(context, name, folder, plain):
    mapping = context.temp / "map.json"
    outputs = context.outputs(folder, "--redact", "--redact-map", mapping, everything=name in SAME)
    placeholders = json.loads(mapping.read_text(encoding="utf-8"))
    context.tap.empty(f"{name}: undone, the report is what it was",
                      list(differences(plain.report, outputs.report, placeholders)))
    context.tap.point(f"{name}: payloads are in the page", outputs.blocks == plain.blocks, outputs.blocks, plain.blocks)
    context.tap.equal(f"{name}: the report says what was replaced",
                      [sum(key.startswith(prefix) for key in placeholders) for prefix in ("name", "dir", "url")],
                      [outputs.report["redaction"]["replaced"][sort] for sort in ("names", "directories", "urls")])
    skeleton = context.outputs(folder, "--skeleton")
    counted = counts(plain.report)
    unknown = {list: counted[list] for list in ("kernels", "findings", "configurations")}
    context.tap.equal(f"{name}: a skeleton counts the same, but for what needs code, settings and values",
                      counted, {**counts(skeleton.report), **unknown})
    return outputs


def check_same(context, name, folder, first):
    again = context.outputs(folder, "--redact", "--redact-map", context.temp / "map.json", "-j", "1", name="2", everything=True)
    texts = [{key: text for key, text in outputs.texts.items() if key not in ("index.html", "report.json")}
             for outputs in (first, again)]
    context.tap.equal(f"{name}: the same again", *texts)
    for outputs in (first, again):
        outputs.report["tool"]["command"] = []
    context.tap.point(f"{name}: the same report", first.report == again.report)


def test_folder(context, name, folder, words, strings):
    plain = context.outputs(folder, name="plain")
    outputs = check_report(context, name, folder, plain)
    check_words(context, name, outputs, words, strings)
    check_marks(context, name, folder, words, plain.report)
    if name in SAME:
        check_same(context, name, folder, outputs)


def test_ranks(context, folder):
    report = context.outputs(folder, "--redact").report
    frames = {}
    for compile in report["compiles"]:
        frames.setdefault(compile["rank"], set()).add((compile["frame"]["name"], compile["frame"]["file"]))
    context.tap.point("two ranks have the same placeholders", len(frames) > 1 and len({frozenset(f) for f in frames.values()}) == 1,
                      frames)


def test_usage(context, folder):
    done = run(context.pt2trace, "summary", "--redact-map", context.temp / "x.json", folder)
    context.tap.equal("a list of placeholders without placeholders is refused", 2, done.returncode)
    done = run(context.pt2trace, "summary", "--redact", "--redact-map", context.temp / "no" / "x.json", folder)
    context.tap.equal("a list that cannot be written is an error", 3, done.returncode)
    done = run(context.pt2trace, "summary", "--redact", "--redact-map", context.temp / "x.json", folder)
    context.tap.equal("the list is for its owner alone", [0, 0o600], [done.returncode, (context.temp / "x.json").stat().st_mode & 0o777])


def test_command(context, folder):
    note = "Words of Zqxpany"
    report = context.outputs(folder, "--redact", "--custom-header-html=<i>ok</i>", "--title", note).report
    context.tap.point("the command line is redacted", not any(str(word) in " ".join(report["tool"]["command"])
                                                             for word in (context.temp, note, folder)), report["tool"]["command"])
    context.tap.equal("but the sender's words are not", note, report["sender"]["title"])


def plant_secrets(context, source):
    """{name: folder} of traces and logs in which every string ends with a secret."""
    gzipped = {name: sorted((source / "testdata" / name / "trace").iterdir())[0] for name in ("errors", "recompiles", "provenance")}
    files = {name: secrets_in.plant(gzip.decompress(path.read_bytes())) for name, path in gzipped.items()}
    files["everything"] = secrets_in.plant(everything().data)
    for path in sorted((source / "tests" / "cases" / "log").glob("*/input*")):
        if path.is_file():
            files[f"log_{path.parent.name}"] = secrets_in.plant_lines(path.read_bytes())
    for name, data in files.items():
        folder = context.temp / "secrets" / name
        folder.mkdir(parents=True)
        start = "console_" if name.startswith("log_") else "dedicated_log_torch_trace_rank_0_"
        (folder / f"{start}ip-10-23-45-67.log").write_bytes(data)
    return {name: context.temp / "secrets" / name for name in files}


def test_secrets(context, source):
    plain, shown = {}, set()
    for name, folder in plant_secrets(context, source).items():
        plain[name] = context.outputs(folder, name="plain", everything=not name.startswith("log_"))
        if not plain[name].ok:
            continue
        for text in plain[name].texts.values():
            shown.update(secrets_in.left(text))
        for option in ("--redact", "--skeleton"):
            outputs = context.outputs(folder, option, everything=not name.startswith("log_"))
            context.tap.empty(f"secrets in {name}: none is left with {option}",
                              [f"{output}: {secret}" for output, text in outputs.texts.items() for secret in secrets_in.left(text)])
    context.tap.equal("each secret comes up where nothing is replaced", set(secrets_in.SECRETS), shown)
    context.tap.point("traces with secrets are read", all(plain[name].ok for name in ("errors", "everything", "recompiles")))


# Eleven versions wrote a trace of the same three programs. These differ most; `tools/test --long` looks at all.
VERSIONS = ("2.3.1", "2.6.0", "2.15.0")


def daily(folder):
    version = re.search(r"-(\d+\.\d+\.\d+)$", folder.name)
    return not version or version[1] in VERSIONS


SHARED = ("dynamic_shapes", "errors", "hello")  # the others take minutes: name one to look at it


def wanted(name, only):
    return only in name if only else name in SHARED


def main(pt2trace, source, shared, only=""):
    tap, source, shared = Tap(), pathlib.Path(source).resolve(), pathlib.Path(shared).resolve()
    with tempfile.TemporaryDirectory(prefix="pt2trace-redact-") as temp:
        context = Context(tap, pathlib.Path(pt2trace).resolve(), source, shared, temp)
        words, strings = user_words(source / "tools" / "workloads")
        everything, only = only == "all", only.removeprefix("all")
        for folder in sorted(path for path in (source / "testdata").iterdir() if (path / "trace").is_dir() and only in path.name):
            if everything or only or daily(folder):
                test_folder(context, folder.name, folder / "trace", words, strings)
        for folder in sorted(path for path in (source / "testdata" / "logs").iterdir() if path.is_dir() and only in path.name):
            test_folder(context, f"logs/{folder.name}", folder, words, strings)
        if (shared / "workloads").is_dir():
            words, strings = user_words(shared / "workloads")
            for folder in sorted(path for path in (shared / "traces").iterdir() if path.is_dir() and wanted(path.name, only)):
                check_words(context, f"shared {folder.name}", context.outputs(folder, "--redact"), words, strings)
        test_secrets(context, source)
        test_ranks(context, source / "testdata" / "dist2" / "trace")
        test_usage(context, source / "testdata" / "hello" / "trace")
        test_command(context, source / "testdata" / "hello" / "trace")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
