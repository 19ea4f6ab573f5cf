"""pt2trace: what torch.compile did, why, and what to do now.

    report = pt2trace.load("/tmp/trace")        # what the program `pt2trace` finds in a trace or a log
    for finding in report.findings:
        print(finding.severity, finding.title, finding.file, finding.line)

    with pt2trace.capture() as t:               # in a program that uses PyTorch: this block alone
        model(x)
    print(t.summary())

In notebooks: `%load_ext pt2trace`, then `%%pt2trace` as the first line of a cell. With pytest: the marker, fixture and
option `pt2trace`. From a shell: `python -m pt2trace train.py`. Nothing of this imports torch before a capture begins.
"""

from ._binary import Pt2traceError, binary
from ._capture import Capture, capture
from ._library import query
from ._report import Compile, Error, Finding, Frame, GraphBreak, Recompile, Report, load, report
from ._version import __version__

__all__ = [
    "Capture", "Compile", "Error", "Finding", "Frame", "GraphBreak", "Pt2traceError", "Recompile", "Report",
    "__version__", "binary", "capture", "load", "load_ipython_extension", "query",
    "report",
]


def load_ipython_extension(shell: object) -> None:
    """What `%load_ext pt2trace` calls."""
    from ._notebook import register

    register(shell)
