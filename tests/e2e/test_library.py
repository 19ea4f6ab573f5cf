#!/usr/bin/env python3
"""libpt2trace: its example, linked both ways and built against what is installed; its functions, called from Python; what it
says of bad input.

    test_library.py PT2TRACE TESTDATA SOURCE BUILD EXAMPLE_SHARED EXAMPLE_STATIC LIBRARY

Prints TAP.
"""

import ctypes
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from tap import Tap, run

ROW = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


def declared(header):
    """Name -> (result, arguments), of all functions, from the header itself."""
    out = {}
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    for result, name, arguments in re.findall(r"^([\w ]+?[ *]+)(pt2trace_\w+)\(([^;]*)\);", text, re.M):
        out[name] = (result.strip(), arguments)
    return out


class Library:
    def __init__(self, path):
        self.dll = ctypes.CDLL(str(path))
        for name, result in {"open": ctypes.c_void_p, "error": ctypes.c_char_p, "get": ctypes.c_void_p, "json": ctypes.c_void_p,
                             "version": ctypes.c_char_p, "at": ctypes.c_void_p, "key": ctypes.c_char_p, "text": ctypes.c_char_p,
                             "size": ctypes.c_size_t, "integer": ctypes.c_int64, "real": ctypes.c_double}.items():
            getattr(self.dll, "pt2trace_" + name).restype = result
        self.dll.pt2trace_real.argtypes = [ctypes.c_void_p, ctypes.c_double]
        self.dll.pt2trace_integer.argtypes = [ctypes.c_void_p, ctypes.c_int64]

    def open(self, *paths, flags=0):
        names = (ctypes.c_char_p * len(paths))(*(os.fsencode(p) for p in paths))
        return ctypes.c_void_p(self.dll.pt2trace_open(names, ctypes.c_size_t(len(paths)), flags))

    def error(self, t):
        text = self.dll.pt2trace_error(t)
        return text.decode() if text else None

    def json(self, value):
        text = ctypes.c_void_p(self.dll.pt2trace_json(ctypes.c_void_p(value)))
        out = json.loads(ctypes.string_at(text)) if text else None
        self.dll.pt2trace_free(text)
        return out

    def get(self, t, path):
        return self.dll.pt2trace_get(t, path.encode())

    def query(self, t, sql, most=1 << 30):
        rows = []

        def take(_, row):
            rows.append(self.json(row))
            return len(rows) < most

        return self.dll.pt2trace_query(t, sql.encode(), ROW(take), None), rows


def expected_output(report):
    """What the example prints."""
    seconds = {}
    for c in report["compiles"]:
        seconds[c["frame"]["name"]] = seconds.get(c["frame"]["name"], 0) + (c["duration_s"] or 0)
    longest = sorted(seconds.items(), key=lambda p: (-p[1], p[0]))[:5]
    return "".join([f"{report['totals']['graph_breaks']} graph breaks\n",
                    *(f"{f['severity']}: {f['title']}\n" for f in report["findings"]),
                    *(f"{s:8.3f} s  {name}\n" for name, s in longest)])


def test_example(tap, pt2trace, traces, examples):
    report = json.loads(run(pt2trace, "export", "--format", "json", traces).stdout)
    for kind, example in examples:
        done = run(example, traces)
        tap.equal(f"the example, {kind}", (0, expected_output(report)), (done.returncode, done.stdout.decode()))
        done = run(example, "none")
        tap.equal(f"a path that is not there, {kind}", (1, b"none: No such file or directory\n", b""),
                  (done.returncode, done.stderr, done.stdout))


def test_installed(tap, source, build, traces, temp):
    """As another program's build sees it: pkg-config, the header, both libraries."""
    done = run("meson", "install", "-C", build, "--no-rebuild", "--destdir", temp)
    pc = next(temp.rglob("libpt2trace.pc"), None)
    if not tap.point("meson install installs it", done.returncode == 0 and pc, done.stdout.decode()[-500:], done.stderr.decode()):
        return
    folder = next(temp.rglob("libpt2trace.so.0")).parent
    env = {**os.environ, "PKG_CONFIG_PATH": str(pc.parent), "PKG_CONFIG_SYSROOT_DIR": str(temp), "LD_LIBRARY_PATH": str(folder)}
    flags = run("pkg-config", "--cflags", "--libs", "libpt2trace", env=env).stdout.decode()
    program = temp / "findings"
    options = json.loads(run("meson", "introspect", "--buildoptions", build).stdout)
    checks = next(o["value"] for o in options if o["name"] == "b_sanitize")
    sanitize = [f"-fsanitize={checks}"] if checks != "none" else []
    done = run("cc", *sanitize, "-Wall", "-Werror", source / "docs/examples/findings.c", "-o", program, *shlex.split(flags), env=env)
    tap.point("the example builds with what pkg-config says", done.returncode == 0, flags, done.stderr.decode())
    tap.point("and runs", run(program, traces, env=env).stdout.startswith(b"9 graph breaks\n"))
    text = (source / "docs/examples/findings.c").read_text()
    tap.point("it is of about 40 lines", len(text.splitlines()) <= 42, len(text.splitlines()))
    done = run("c++", "-x", "c++", "-fsyntax-only", "-Wall", "-Werror", "-", input=
               f'#include "{source}/src/lib/pt2trace.h"\nint main() {{ pt2trace_close(nullptr); }}\n'.encode())
    tap.point("C++ takes the header", done.returncode == 0, done.stderr.decode())


def test_names(tap, source, library, build):
    """What the header declares is what the libraries have, and nothing else."""
    names = set(declared((source / "src/lib/pt2trace.h").read_text()))
    table = run("nm", "-D", "--defined-only", library).stdout.decode().split("\n")
    found = {line.split()[-1] for line in table if " T " in line}
    tap.equal("the shared library: versioned functions of the header", {f"{n}@@PT2TRACE_1" for n in names}, found)
    table = run("nm", "--defined-only", "--extern-only", build / "libpt2trace.a").stdout.decode().split("\n")
    found = {line.split()[-1] for line in table if re.search(r" [TDBRC] ", line) and "asan" not in line}
    tap.equal("the static library: no other names", names, found)


def test_functions(tap, pt2trace, library, testdata, temp):
    lib = Library(library)
    traces = testdata / "graph_breaks" / "trace"
    report = json.loads(run(pt2trace, "export", "--format", "json", "--no-verify", traces).stdout)
    t = lib.open(traces)
    tap.equal("no error", None, lib.error(t))
    tap.equal("all of report.json but how it was made", {**report, "tool": 0}, {**lib.json(lib.get(t, "")), "tool": 0})
    tap.equal("by path", [report["totals"]["graph_breaks"], report["findings"][2]["title"], None],
              [lib.json(lib.get(t, p)) for p in ("totals.graph_breaks", "findings.2.title", "findings.99.title")])
    totals = ctypes.c_void_p(lib.get(t, "totals"))
    tap.equal("keys and values", report["totals"], {lib.dll.pt2trace_key(totals, ctypes.c_size_t(i)).decode():
              lib.json(lib.dll.pt2trace_at(totals, ctypes.c_size_t(i))) for i in range(lib.dll.pt2trace_size(totals))})
    breaks = ctypes.c_void_p(lib.get(t, "totals.graph_breaks"))
    tap.equal("values of another type are the one given", [9, 9.0, b"", 7, 0, 5],
              [lib.dll.pt2trace_integer(breaks, 0), lib.dll.pt2trace_real(breaks, 0.0), lib.dll.pt2trace_text(breaks),
               lib.dll.pt2trace_bool(breaks, 7), lib.dll.pt2trace_size(None), lib.dll.pt2trace_integer(None, 5)])
    tap.equal("types", [6, 3, 7, 1, 0, 5], [lib.dll.pt2trace_type(ctypes.c_void_p(lib.get(t, p))) for p in
              ("findings", "totals.compiles", "totals", "findings.0.rank", "none", "findings.0.title")])
    database = temp / "tables.sqlite"
    run(pt2trace, "export", "--format", "sqlite", "-o", database, traces)
    import sqlite3
    sql = "SELECT id, frame_name, duration_s FROM compiles ORDER BY id"
    connection = sqlite3.connect(database)
    connection.row_factory = sqlite3.Row
    tap.equal("rows of the tables that are exported", (0, [dict(r) for r in connection.execute(sql)]), lib.query(t, sql))
    tap.equal("no more rows than are wanted", 3, len(lib.query(t, sql, most=3)[1]))
    status, _ = lib.query(t, "SELECT none FROM compiles")
    tap.point("a query that is wrong", status == -1 and "no such column: none" in lib.error(t), lib.error(t))
    tap.equal("the next one that is right", (0, None), (lib.query(t, "SELECT 1 AS one")[0], lib.error(t)))
    lib.dll.pt2trace_close(t)
    hidden = lib.open(traces, flags=4)
    tap.point("redacted", b"says_hello" not in json.dumps(lib.json(lib.get(hidden, ""))).encode())
    lib.dll.pt2trace_close(hidden)
    kept = temp / "report.json"
    kept.write_text(json.dumps(report))
    again = lib.open(kept)
    tap.equal("a report.json", (None, report["totals"]), (lib.error(again), lib.json(lib.get(again, "totals"))))
    tap.point("it has no tables", lib.query(again, "SELECT 1")[0] == -1 and "report.json" in lib.error(again))
    lib.dll.pt2trace_close(again)


def test_bad(tap, library, temp):
    lib = Library(library)
    broken, notes = temp / "broken.json", temp / "notes"
    notes.write_text("nothing of PyTorch\n")
    broken.write_text('{"schema": "pt2trace-report", ')
    huge = temp / "huge.json"
    with huge.open("wb") as file:
        file.write(b'{"schema": "pt2trace-report", ')
        file.truncate((4 << 30) + 1)  # which takes no room
    for name, paths, words in (("no path", (), "no path was given"), ("a path that is not there", (temp / "none",), "No such file"),
                               ("no trace", (notes,), "neither a TORCH_TRACE record nor"),
                               ("an empty directory", (temp,), "neither a trace nor a log"), ("half a report.json", (broken,), f"{broken}: line 1"),
                               ("a report.json of more than 4 GB", (huge,), f"{huge}: File too large")):
        if name == "an empty directory":
            (temp / "empty").mkdir()
            paths = (temp / "empty",)
        t = lib.open(*paths)
        tap.point(f"{name}: an error, and nothing to look at", words in (lib.error(t) or "") and not lib.get(t, ""), lib.error(t))
        tap.point(f"{name}: and no rows", lib.query(t, "SELECT 1") == (-1, []))
        lib.dll.pt2trace_close(t)


def main():
    pt2trace, testdata, source, build, shared, static, library = map(pathlib.Path, sys.argv[1:])
    tap = Tap()
    traces = testdata / "graph_breaks" / "trace"
    with tempfile.TemporaryDirectory() as temp:
        temp = pathlib.Path(temp)
        test_example(tap, pt2trace, traces, [("shared", shared), ("static", static)])
        test_names(tap, source, library, build)
        test_installed(tap, source, build, traces, temp / "installed")
        if b"libasan" not in run("ldd", library).stdout:  # which has to be in the program from its start
            test_functions(tap, pt2trace, library, testdata, temp)
            test_bad(tap, library, temp)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
