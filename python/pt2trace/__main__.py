"""python -m pt2trace train.py [ARGS...]    runs a program with tracing, and reports
python -m pt2trace -m MODULE [ARGS...]      the same for a module
python -m pt2trace ...                      anything else: the program pt2trace
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
from typing import List

from ._binary import Pt2traceError, become, binary


def is_program(words: List[str]) -> bool:
    return bool(words) and (words[0] in ("-m", "-c") or (words[0].endswith((".py", ".pyc")) and pathlib.Path(words[0]).is_file()))


def run_traced(words: List[str], folder: str) -> int:
    """Runs Python with these words, itself and its children traced. Ctrl-C is for the program; its end is ours."""
    program = subprocess.Popen([sys.executable, *words], env={**os.environ, "TORCH_TRACE": folder})
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return program.wait()
    finally:
        signal.signal(signal.SIGINT, before)


def main() -> int:
    words = sys.argv[1:]
    if not is_program(words):
        become(words)
    try:
        path = binary()
    except Pt2traceError as error:
        sys.exit(f"pt2trace: {error}")
    with tempfile.TemporaryDirectory(prefix="pt2trace-") as folder:
        status = run_traced(words, folder)
        sys.stdout.flush()
        if any(pathlib.Path(folder).iterdir()):
            subprocess.run([path, "report", "--overwrite", "--source-root", os.sep, folder], stdout=sys.stderr)
        else:
            print("pt2trace: the program compiled nothing", file=sys.stderr)
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
