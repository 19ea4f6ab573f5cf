"""What `pt2trace run --fix` tries: statements that a report advises, put into the program while Python reads it. Part of the
hook. Files are never changed: a statement becomes a part of the syntax tree, with the number of the line it stands before, so
that all lines of the program keep their numbers.

PT2TRACE_PATCH names a file with a JSON list of {"id", "text", "file", "line"}. Without "file" the text is a setting: it is
executed before the first compiled call.
"""

import ast
import builtins
import json
import os
import sys

from _pt2trace_hook import asked, fail, guarded, log, when_loaded

FUTURES = 0  # what `from __future__` puts into the flags of a code object

settings = []  # those without a file
by_file = {}  # real path -> {line: [patches]}
names = set()  # the last parts of these paths: most files are not of interest
original_compile = builtins.compile


def begin():
    with open(asked("PATCH"), encoding="utf-8") as file:
        for patch in json.load(file):
            if patch.get("file"):
                path = os.path.realpath(patch["file"])
                by_file.setdefault(path, {}).setdefault(patch["line"], []).append(patch)
                names.add(os.path.basename(path))
            else:
                settings.append(patch)
    if by_file:
        read_sources()


def parse(text, path="<pt2trace>"):
    """As ast.parse does, which would come back to us."""
    return original_compile(text, path, "exec", ast.PyCF_ONLY_AST, True)


# --- settings ---------------------------------------------------------------------------------------------------------


begun = []  # something was compiled


def apply_settings(at_compile):
    """Called again until something is compiled: what the program itself sets before that does not win."""
    import torch

    if begun:
        return
    if at_compile:
        begun.append(True)
    for patch in settings:
        try:
            exec(original_compile(patch["text"], "<pt2trace>", "exec"), {"torch": torch})
        except Exception as error:
            fail("PATCH", "`%s`: %s: %s" % (patch["text"].splitlines()[0], type(error).__name__, error))
        applied(patch)


done = set()


def applied(patch):
    if patch["id"] not in done:
        done.add(patch["id"])
        log(patched=patch["id"])


# --- statements -------------------------------------------------------------------------------------------------------


def start_of(statement):
    """The line it begins on: the first decorator's, where there is one."""
    return min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", ()))])


def bodies(tree):
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield value


def statements_of(text, line):
    """Those of the text, as if they stood on this line."""
    found = parse(text).body
    for node in (node for statement in found for node in ast.walk(statement)):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = line
            node.col_offset = node.end_col_offset = 0
    return found


def insert(tree, line, text):
    """Whether a statement begins on this line: then the others stand before it."""
    for body in bodies(tree):
        for i, statement in enumerate(body):
            if start_of(statement) == line:
                body[i:i] = statements_of(text, line)
                return True
    return False


def as_typed(source, texts):
    """What a person makes of the file: the texts before their lines, indented like them."""
    lines = source.split("\n")
    for line in sorted(texts, reverse=True):
        old = lines[line - 1]
        indent = old[:len(old) - len(old.lstrip())]
        lines[line - 1:line - 1] = [indent + new if new else new for new in texts[line].split("\n")]
    return "\n".join(lines)


def decoded(source):
    from importlib import util

    return source if isinstance(source, str) else util.decode_source(bytes(source))


def patched_tree(source, path):
    """The same as the tree of what a person would make of the file; else the program ends."""
    patches, source = by_file[path], decoded(source).replace("\r\n", "\n")
    texts = {line: "\n".join(dict.fromkeys(patch["text"] for patch in there)) for line, there in patches.items()}
    tree = parse(source, path)
    try:
        for line, text in sorted(texts.items(), reverse=True):
            if not 0 < line <= source.count("\n") + 1 or not insert(tree, line, text):
                fail("PATCH", "%s:%d: no statement begins there" % (os.path.basename(path), line))
        typed = parse(as_typed(source, texts), path)
    except SyntaxError as error:
        fail("PATCH", "%s: with the lines put in it is no Python: %s" % (os.path.basename(path), error))
    if ast.dump(typed) != ast.dump(tree):
        fail("PATCH", "%s: the lines cannot be put in between" % os.path.basename(path))
    for there in patches.values():
        for patch in there:
            applied(patch)
    return tree


def is_patched(path):
    if not isinstance(path, (str, bytes, os.PathLike)):
        return None
    path = os.fsdecode(path)
    if os.path.basename(path) not in names:
        return None
    path = os.path.realpath(path)
    return path if path in by_file else None


def compile(source, filename, mode, flags=0, dont_inherit=False, optimize=-1, **more):
    """In place of the function that all of Python's own readers of sources call, but for the one of the script."""
    path = is_patched(filename) if mode == "exec" and isinstance(source, (str, bytes, bytearray, memoryview)) else None
    if not dont_inherit:
        flags |= sys._getframe(1).f_code.co_flags & FUTURES
    if path is None:
        return original_compile(source, filename, mode, flags, True, optimize, **more)
    tree = patched_tree(source, path)
    return tree if flags & ast.PyCF_ONLY_AST else original_compile(tree, filename, mode, flags, True, optimize, **more)


def read_sources():
    import __future__
    from importlib import machinery

    global FUTURES
    for name in __future__.all_feature_names:
        FUTURES |= getattr(__future__, name).compiler_flag
    builtins.compile = compile
    loader = machinery.SourceFileLoader
    original = loader.get_code

    def get_code(self, fullname):
        """Without Python's cache of compiled files, which has the program as it is."""
        path = is_patched(self.get_filename(fullname))
        if path is None:
            return original(self, fullname)
        return self.source_to_code(self.get_data(path), self.get_filename(fullname))

    loader.get_code = get_code
    sys.path_hooks.insert(0, Script)
    when_loaded("_pytest.assertion.rewrite", without_cache_of_tests)


def without_cache_of_tests():
    """pytest has a cache of its own. It must neither be read nor get what is only tried here."""
    rewrite = sys.modules["_pytest.assertion.rewrite"]
    read, write = rewrite._read_pyc, rewrite._write_pyc
    rewrite._read_pyc = lambda source, *rest, **more: None if is_patched(source) else read(source, *rest, **more)
    rewrite._write_pyc = lambda state, code, stat, pyc: bool(is_patched(code.co_filename)) or write(state, code, stat, pyc)


class Script:
    """
    Python asks whether the script is a directory or an archive with a __main__ in it. For a script that is to be patched the
    answer is yes: then it is read like a module, and not by a function of C.
    """

    def __init__(self, path):
        script = os.path.realpath(sys.argv[0]) if sys.argv else ""
        if not isinstance(path, str) or is_patched(path) != script or not script:
            raise ImportError
        self.path = path

    def find_spec(self, name, target=None):
        from importlib import machinery, util

        if name != "__main__":
            return None
        guarded(self.leave_path)
        return util.spec_from_loader(name, MainLoader.over(machinery.SourceFileLoader)(name, self.path), origin=self.path)

    def leave_path(self):
        """The first place where modules are looked for is the script's directory."""
        sys.path_hooks.remove(Script)
        sys.path_importer_cache.pop(self.path, None)
        if sys.path and sys.path[0] == self.path:
            sys.path[:1] = [] if getattr(sys.flags, "safe_path", False) else [os.path.dirname(os.path.realpath(self.path))]


class MainLoader:
    @staticmethod
    def over(base):
        class Loader(base):
            def get_code(self, fullname):
                tree = patched_tree(self.get_data(self.path), os.path.realpath(self.path))
                as_script(tree)
                return original_compile(tree, self.path, "exec", dont_inherit=True)

        return Loader


def as_script(tree):
    """A script has no __spec__: children of multiprocessing look at it to know what to load."""
    at = 1 if ast.get_docstring(tree, clean=False) is not None else 0
    while at < len(tree.body) and isinstance(tree.body[at], ast.ImportFrom) and tree.body[at].module == "__future__":
        at += 1
    tree.body[at:at] = statements_of("__spec__ = __package__ = __cached__ = None", 1)
