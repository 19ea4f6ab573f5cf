"""The program `pt2trace`, which the wheel carries, and calls of it."""

import os
import pathlib
import shutil
import subprocess
import sys
from typing import List, Optional, Sequence

# The first bytes of programs for Linux and macOS: a console script of this package is none.
MAGIC = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")


class Pt2traceError(RuntimeError):
    """The program failed. `status` is its exit status: 2 usage, 3 input or output, 4 nothing could be read."""

    def __init__(self, message: str, status: Optional[int] = None):
        super().__init__(message)
        self.status = status


def _is_program(path: pathlib.Path) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4) in MAGIC and os.access(path, os.X_OK)
    except OSError:
        return False


def binary() -> str:
    """Path of the program: PT2TRACE_BINARY, else the one in this package, else the one on the PATH."""
    if os.environ.get("PT2TRACE_BINARY"):
        return os.environ["PT2TRACE_BINARY"]
    places = [pathlib.Path(__file__).parent / "bin" / "pt2trace"]
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        found = shutil.which("pt2trace", path=folder) if folder else None
        places += [pathlib.Path(found)] if found else []
    for place in places:
        if _is_program(place):
            return str(place)
    raise Pt2traceError("the program pt2trace is neither in this package nor on the PATH; PT2TRACE_BINARY can name it")


def run(words: Sequence[str], accepted: Sequence[int] = (0,)) -> str:
    """Runs the program, and returns what it printed. Raises Pt2traceError with what it said on standard error."""
    command: List[str] = [binary(), *words]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in accepted:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise Pt2traceError(said or f"pt2trace ended with status {done.returncode}", done.returncode)
    return done.stdout.decode("utf-8", "replace")


def become(words: Sequence[str]) -> "None":
    """Replaces this process by the program."""
    try:
        path = binary()
    except Pt2traceError as error:
        sys.exit(f"pt2trace: {error}")
    sys.stdout.flush()
    os.execv(path, ["pt2trace", *words])


def main() -> None:
    """The console script."""
    become(sys.argv[1:])
