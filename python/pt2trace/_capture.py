"""capture: traces a block of a program that is running, with the handler that PyTorch itself writes traces with.

PyTorch writes a trace wherever its logger `torch.__trace` has a handler (torch/_logging/_internal.py, trace_structured).
A capture adds one of its own for as long as its block runs. Handlers that are there, of TORCH_TRACE or of other
captures, stay, and get what they get without it.
"""

import functools
import inspect
import logging
import os
import pathlib
import shutil
import tempfile
import threading
import weakref
from types import TracebackType
from typing import Any, Callable, List, Optional, Type, TypeVar

from ._report import Compile, Error, Finding, GraphBreak, Path, Recompile, Report, load, report
from ._binary import run

F = TypeVar("F", bound=Callable[..., Any])

# What was traced ran here, so lines that the trace does not hold (PyTorch 2.5 and earlier) are in their files.
HERE = ("--source-root", os.sep)

_lock = threading.Lock()
_active: "List[Capture]" = []


def _torch_logging() -> Any:
    try:
        import torch._logging._internal as internal
    except ImportError as error:
        raise ImportError("pt2trace.capture() needs PyTorch in this Python; pt2trace.load() needs none") from error
    missing = [name for name in ("trace_log", "LazyTraceHandler", "TorchLogsFormatter") if not hasattr(internal, name)]
    if missing:
        raise ImportError("pt2trace.capture() needs PyTorch 2.3 or later: this one lacks " + ", ".join(missing))
    return internal


def _is_for(capture: "Capture", thread: Optional[int]) -> bool:
    """A thread with captures of its own writes into these; any other (autograd's, say) into all that are active."""
    return thread == capture._thread or all(other._thread != thread for other in list(_active))


def _handler_class(internal: Any) -> Any:
    from torch._logging import structured

    class Handler(internal.LazyTraceHandler):  # type: ignore[misc]
        def __init__(self, capture: "Capture", folder: str):
            super().__init__(folder)
            self._capture = weakref.ref(capture)
            self._owner = os.getpid()
            self._begun = False

        def _write_strings(self, record: logging.LogRecord) -> None:
            """Strings are written once per process and named by number later: those from before are repeated."""
            for text, number in list(getattr(structured, "INTERN_TABLE", {}).items()):
                super().emit(logging.makeLogRecord(
                    {**record.__dict__, "metadata": {"str": [text, number]}, "payload": None}))

        def emit(self, record: logging.LogRecord) -> None:
            capture = self._capture()
            # A forked child would write into the file of its parent.
            if capture is None or os.getpid() != self._owner:
                return
            said = getattr(record, "metadata", {}).get("str")
            if said is None and not _is_for(capture, record.thread):
                return
            if not self._begun and said is not None:
                return  # the table has it, when there is something to name it
            if not self._begun:
                self._begun = True
                self._write_strings(record)
            super().emit(record)

    return Handler


class Capture:
    """A context manager, and a decorator: see capture()."""

    def __init__(self, directory: Optional[Path] = None):
        self._given = directory
        self._handler: Any = None
        self._thread: Optional[int] = None
        self._report: Optional[Report] = None
        self._closed = False
        #: Where the trace is.
        self.directory: Optional[pathlib.Path] = None

    # --- the block ----------------------------------------------------------------------------------------------------

    def __enter__(self) -> "Capture":
        if self._handler is not None or self._closed:
            raise RuntimeError("a capture is of one block: make a new one with pt2trace.capture()")
        internal = _torch_logging()
        if self._given is None:
            folder = tempfile.mkdtemp(prefix="pt2trace-")
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        else:
            folder = os.fspath(self._given)
            os.makedirs(folder, exist_ok=True)
        self.directory = pathlib.Path(folder)
        self._thread = threading.get_ident()
        self._handler = _handler_class(internal)(self, folder)
        self._handler.setFormatter(internal.TorchLogsFormatter(trace=True))
        with _lock:
            _active.append(self)
        internal.trace_log.addHandler(self._handler)
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        internal = _torch_logging()
        internal.trace_log.removeHandler(self._handler)
        with _lock:
            _active.remove(self)
        self._handler.close()
        self._handler = None
        self._closed = True

    def __call__(self, function: F) -> F:
        """As a decorator: each call is a capture of its own, the last of them in `function.capture`."""
        given = self._given

        if inspect.iscoroutinefunction(function):
            @functools.wraps(function)
            async def wrapper(*args: Any, **names: Any) -> Any:
                with Capture(given) as wrapper.capture:  # type: ignore[attr-defined]
                    return await function(*args, **names)
        else:
            @functools.wraps(function)
            def wrapper(*args: Any, **names: Any) -> Any:
                with Capture(given) as wrapper.capture:  # type: ignore[attr-defined]
                    return function(*args, **names)

        wrapper.capture = None  # type: ignore[attr-defined]
        return wrapper  # type: ignore[return-value]

    # --- what it holds ------------------------------------------------------------------------------------------------

    def _has_records(self) -> bool:
        if self.directory is None:
            raise RuntimeError("the capture has not begun: use it as `with pt2trace.capture() as t:`")
        if self._handler is not None:
            self._handler.flush()
        return any(self.directory.iterdir())

    @property
    def result(self) -> Report:
        """The whole report: of the block, or, while it runs, of what it did so far."""
        if self._report is not None:
            return self._report
        found = load(self.directory, *HERE) if self._has_records() else Report({})  # type: ignore[arg-type]
        if self._closed:
            self._report = found
        return found

    @property
    def findings(self) -> List[Finding]:
        return self.result.findings

    @property
    def compiles(self) -> List[Compile]:
        return self.result.compiles

    @property
    def graph_breaks(self) -> List[GraphBreak]:
        return self.result.graph_breaks

    @property
    def recompiles(self) -> List[Recompile]:
        return self.result.recompiles

    @property
    def errors(self) -> List[Error]:
        return self.result.errors

    def summary(self) -> str:
        """What `pt2trace summary` prints."""
        if not self._has_records():
            return "Nothing was compiled in this block.\n"
        return run(["summary", "--color", "never", *HERE, "--", os.fspath(self.directory)])  # type: ignore[arg-type]

    def report(self, output: Path = "pt2trace_out", *options: str) -> pathlib.Path:
        """Writes the report into the folder `output`, over an earlier report of pt2trace; returns its index.html."""
        if not self._has_records():
            raise RuntimeError("nothing was compiled in this block, so there is nothing to report on")
        return report(self.directory, output, *HERE, *options)  # type: ignore[arg-type]

    def _repr_html_(self) -> str:
        from ._html import capture_html

        return capture_html(self)


def capture(directory: Optional[Path] = None) -> Capture:
    """Traces what torch.compile does in a block, or in each call of a function:

        with pt2trace.capture() as t:
            model(x)
        t.findings, t.graph_breaks, t.summary(), t.report("out")

        @pt2trace.capture()
        def step(): ...          # step.capture is the capture of the last call

    Nothing has to be set before the program starts. What was compiled before the block is not in it:
    torch._dynamo.reset() makes PyTorch compile again. The trace is in `directory`, where it stays, or in a temporary one,
    which goes away with the capture. Captures may be nested, may be in several threads at once (a thread with captures
    of its own writes into these alone), and go along with TORCH_TRACE. Other processes are not captured. An exception
    in the block passes through, and what was traced until then is there. Needs PyTorch 2.3 or later.
    """
    return Capture(directory)
