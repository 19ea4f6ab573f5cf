#!/usr/bin/env python3
"""What the program does takes as many instructions as it did. Prints TAP.

usage: test_instructions.py PT2TRACE SOURCE [--write]

The inputs are made by tools/gen-trace and growing.py, which always make the same bytes. instructions.tsv has the numbers of the
compiler that is named at its head; --write makes it again, after a change that was meant. With that compiler they may grow by
2 %; with another one, whose code is another, by a third. Fewer are welcome: more than 2 % fewer are to be written down.
"""

import pathlib
import subprocess
import sys
import tempfile

import growing
import instructions
from tap import Tap

HERE = pathlib.Path(__file__).resolve().parent
NUMBERS = HERE / "instructions.tsv"
SAME, OTHER = 0.02, 0.33
ENDS = (0, 4)  # 4: nothing of PyTorch in it
REPORT = ["report", "-q", "-j", "1", "--no-sandbox", "--no-browser", "--overwrite", "-o"]
SUMMARY = ["summary", "-j", "1", "--no-sandbox"]


def generated(shape, size):
    return lambda temp, source: [subprocess.run([sys.executable, source / "tools" / "gen-trace", "--shape", shape, "--size", size, "-o",
                                                 temp / f"{shape}.log"], check=True) and temp / f"{shape}.log"]


def grown(name, n):
    return lambda temp, source: [growing.SHAPES[name](n).write(str(temp / f"{name}.log"))]


CASES = {
    "report, training job of 2 MB": (REPORT, generated("train", "2MB")),
    "summary, training job of 2 MB": (SUMMARY, generated("train", "2MB")),
    "summary, events of 2 MB": (SUMMARY, generated("events", "2MB")),
    "report, small graphs with breaks, 1 MB": (REPORT, generated("graphs-broken", "1MB")),
    "summary, log of 2 MB": (SUMMARY, generated("logs", "2MB")),
    "summary, text of others, 4 MB": (SUMMARY, generated("foreign", "4MB")),
    "summary, 3,000 GPU activities of a profiler": (SUMMARY, grown("activities_of_profiler", 3000)),
    "report, 500 calls of Flight Recorders": (REPORT, grown("flight_entries", 500)),
    "summary, nothing but the start": (SUMMARY, grown("links", 1)),
}


def compiler_of(pt2trace):
    """As the program itself has it."""
    done = subprocess.run(["readelf", "-p", ".comment", pt2trace], capture_output=True, text=True, check=False)
    found = [line.split("]", 1)[1].strip() for line in done.stdout.splitlines() if "]" in line]
    return found[-1] if found else "unknown"


def read_numbers():
    head, *lines = NUMBERS.read_text(encoding="utf-8").splitlines()
    return head.removeprefix("# "), {name: int(number) for name, number in (line.split("\t") for line in lines)}


def count(pt2trace, source, temp, case):
    command, make = CASES[case]
    out = [temp / "out"] if command is REPORT else []
    return instructions.count([pt2trace, *command, *out, *make(temp, source)], ENDS)


def compared(known, counted, allowed):
    """(case, whether it is as before, what to say)"""
    for case, n in counted.items():
        before = known.get(case, 0)
        yield (case, before * (1 - allowed) <= n <= before * (1 + allowed),
               f"{n:,} instructions, before {before:,}: {100 * n / (before or n) - 100:+.1f} %. If that is meant: test_instructions.py --write")


def main(pt2trace, source, *options):
    tap, pt2trace, source = Tap(), pathlib.Path(pt2trace).resolve(), pathlib.Path(source).resolve()
    if instructions.missing():
        print(f"test_instructions.py: NOTHING WAS TESTED, {instructions.missing()}", file=sys.stderr)
        tap.skip("instructions", instructions.missing())
        return tap.end()
    with tempfile.TemporaryDirectory(prefix="pt2trace-instructions-") as temp:
        counted = {case: count(pt2trace, source, pathlib.Path(temp), case) for case in CASES}
    if "--write" in options:
        NUMBERS.write_text("\n".join([f"# {compiler_of(pt2trace)}", *(f"{case}\t{n}" for case, n in counted.items()), ""]), encoding="utf-8")
    compiler, known = read_numbers()
    allowed = SAME if compiler == compiler_of(pt2trace) else OTHER
    for point in compared(known, counted, allowed):
        tap.point(*point)
    tap.equal("every number is of a case", sorted(CASES), sorted(known))
    more = {case: n * 1.05 for case, n in counted.items()}
    tap.empty("5 % are noticed", [case for case, same, _ in compared(counted, more, SAME) if same])
    lists = set(growing.lists_of_the_model(source))
    tap.empty("every list of the model has a shape that the benchmark grows", sorted(lists - {*growing.COVERS, *growing.BOUNDED}))
    tap.empty("nothing but lists of the model is given one", sorted({*growing.COVERS, *growing.BOUNDED} - lists))
    tap.empty("every shape that a list is given exists", sorted({*growing.COVERS.values()} - {*growing.SHAPES}))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
