"""SQL on a trace: by libpt2trace where it is installed, else by the program and Python's own SQLite."""

import ctypes
import ctypes.util
import json
import os
import pathlib
import sqlite3
import tempfile
import threading
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

from ._binary import Pt2traceError, binary, run
from ._version import __version__

Path = Union[str, "os.PathLike[str]"]
Row = Dict[str, Any]

_ROW = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_FUNCTIONS = {
    "pt2trace_version": (ctypes.c_char_p, []),
    "pt2trace_open": (ctypes.c_void_p, [ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t, ctypes.c_uint]),
    "pt2trace_close": (None, [ctypes.c_void_p]),
    "pt2trace_error": (ctypes.c_char_p, [ctypes.c_void_p]),
    "pt2trace_json": (ctypes.c_void_p, [ctypes.c_void_p]),
    "pt2trace_free": (None, [ctypes.c_void_p]),
    "pt2trace_query": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p, _ROW, ctypes.c_void_p]),
}
_one_at_a_time = threading.Lock()  # the library's own rule


def _places() -> Iterator[str]:
    """PT2TRACE_LIBRARY alone where it is set ("" is none), else what `meson install` put beside the program, else the system's."""
    if "PT2TRACE_LIBRARY" in os.environ:
        yield os.environ["PT2TRACE_LIBRARY"]
        return
    try:
        prefix = pathlib.Path(binary()).resolve().parent.parent
    except Pt2traceError:
        prefix = pathlib.Path("/nonexistent")
    for pattern in ("lib*/libpt2trace.so.0", "lib*/*/libpt2trace.so.0", "lib/libpt2trace.0.dylib"):
        yield from map(str, sorted(prefix.glob(pattern)))
    yield ctypes.util.find_library("pt2trace") or ""


def library() -> Optional[ctypes.CDLL]:
    """libpt2trace of the version of this module; None where there is none."""
    for place in _places():
        try:
            found = ctypes.CDLL(place) if place else None
        except OSError:
            found = None
        if found is None:
            continue
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(found, name)
            function.restype, function.argtypes = result, arguments
        if found.pt2trace_version().decode() == __version__:
            return found
    return None


def _by_library(lib: ctypes.CDLL, paths: List[bytes], sql: str) -> List[Row]:
    rows: List[Row] = []

    def keep(_: Any, value: Any) -> int:
        text = lib.pt2trace_json(value)
        rows.append(json.loads(ctypes.string_at(text).decode("utf-8")))
        lib.pt2trace_free(text)
        return 1  # go on

    with _one_at_a_time:
        trace = lib.pt2trace_open((ctypes.c_char_p * len(paths))(*paths), len(paths), 0)
        try:
            error = lib.pt2trace_error(trace)
            if not error and lib.pt2trace_query(trace, sql.encode("utf-8"), _ROW(keep), None):
                error = lib.pt2trace_error(trace)
            if error:
                raise Pt2traceError(error.decode("utf-8", "replace"))
        finally:
            lib.pt2trace_close(trace)
    return rows


def _by_program(paths: List[bytes], sql: str) -> List[Row]:
    with tempfile.TemporaryDirectory(prefix="pt2trace-") as folder:
        file = os.path.join(folder, "tables.db")
        run(["export", "--format", "sqlite", "-o", file, "--", *map(os.fsdecode, paths)])
        database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        try:
            cursor = database.execute(sql)
            names = [column[0] for column in cursor.description or ()]
            return [dict(zip(names, row)) for row in cursor]
        except sqlite3.Error as error:
            raise Pt2traceError(f"the query failed: {error}") from error
        finally:
            database.close()


def query(paths: Union[Path, Sequence[Path]], sql: str) -> List[Row]:
    """Runs one SELECT on the tables of `pt2trace export --format sqlite` (docs/tables.md), and returns its rows, each by the names of its columns.

    Raises Pt2traceError where nothing can be read, or the query is wrong.
    """
    one = isinstance(paths, (str, os.PathLike))
    names = [os.fsencode(path) for path in ([paths] if one else paths)]  # type: ignore[list-item, union-attr]
    lib = library()
    return _by_library(lib, names, sql) if lib else _by_program(names, sql)
