#!/usr/bin/env python3
"""Work must grow with the input and not with its square, whatever the input is made of. Prints TAP.

usage: bench_complexity.py PT2TRACE SOURCE [SHAPE...]

Each shape of growing.py is made with n things and with 8 n: three doublings. The instructions of a report may grow by 8^1.1,
what an empty report takes not counted. Each list of the model has a shape that makes it long.
"""

import pathlib
import shutil
import sys
import tempfile

import growing
import instructions
from tap import Tap

N, DOUBLINGS, EXPONENT = 500, 3, 1.1
FACTOR = 2 ** (DOUBLINGS * EXPONENT)
SMALL = 3_000_000       # instructions: less than that is noise
GROWS = 1.5             # what is long takes more, or the shape does not make it long
HTML_MAX = 30_000_000
WITH_DAMAGE = (0, 3)


class Work:
    """One report: its instructions and sizes."""

    def __init__(self, program, given, out):
        command = [program, "report", "-q", "-j", "1", "--no-sandbox", "--no-browser", "-o", out, given]
        self.instructions = instructions.count(command, WITH_DAMAGE)
        self.html, self.json = (out.joinpath(name).stat().st_size for name in ("index.html", "report.json"))
        path = pathlib.Path(given)
        self.input = sum(file.stat().st_size for file in path.rglob("*")) if path.is_dir() else path.stat().st_size
        shutil.rmtree(out)


def measure(program, shape, n):
    with tempfile.TemporaryDirectory(prefix="pt2trace-grows-") as folder:
        return Work(program, shape(n).write(folder + "/x.log"), pathlib.Path(folder, "out"))


def check(tap, program, name, least):
    few, many = (measure(program, growing.SHAPES[name], n) for n in (N, N << DOUBLINGS))
    more, less = many.instructions - least, max(few.instructions - least, SMALL)
    why = (f"{N}: {few.instructions:,} instructions, {N << DOUBLINGS}: {many.instructions:,}: {more / less:.1f} times; {many.input:,} bytes in, "
           f"{many.html:,} of the page, {many.json:,} of report.json")
    tap.point(f"{name} take linear work", more <= FACTOR * less, why)
    tap.point(f"{name} make the input long", more >= GROWS * max(few.instructions - least, 1), why)
    tap.point(f"{name} do not blow up the page", many.html <= HTML_MAX, why)
    tap.point(f"{name} do not blow up report.json", many.json <= 20 * many.input + 1_000_000, why)


def main(program, _source, *names):
    tap = Tap()
    if instructions.missing():
        print(f"bench_complexity.py: NOTHING WAS MEASURED, {instructions.missing()}", file=sys.stderr)
        tap.skip("instructions", instructions.missing())
        return tap.end()
    least = measure(program, growing.SHAPES["links"], 1).instructions
    for name in names or growing.SHAPES:
        check(tap, program, name, least)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
