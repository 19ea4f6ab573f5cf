#!/usr/bin/env python3
"""Texts that programs printed under several versions of PyTorch, as they are and damaged as pasted texts are. Prints TAP.

usage: test_pastes.py PT2TRACE PASTES [--all]

PASTES/expected.json says what each text tells. tools/make-pastes made the texts; those of GPUs and systems that are not
at hand, and of tools (amd-fault, two-openmps, sharded, no-name, hung, native-assertion, cut-head) are written after what they print. Each must be read so, and again
after each of some of the damages (damages.py), which rotate so that every kind is done to many texts; with --all after
each.
"""

import collections
import concurrent.futures
import json
import pathlib
import re
import sys
import tempfile

from damages import DAMAGES
from program import Program
from tap import Tap

DAMAGES_OF_A_TEXT = 8
EXCEPTION = re.compile(r"^torch\.[\w.]*\bexc\.[A-Z]", re.M)
ANSWER_LINES = 10

# What is lost: words at which lines were wrapped stand in code, whose own blanks nobody knows any more; one line that was
# cut shows no width; and of texts of a few lines without a traceback little shows that they were damaged.
LOST = {
    "wrapped at 100": {"logged"},
    "wrapped at 132": {"full-print"},
    "words wrapped": {"breaks", "explain", "no-compiler", "no-triton", "recompiles", "suppressed", "user-error"},
    "all blanks no-break": {"amd-fault", "two-openmps"},
    "indented": {"no-name", "sharded"},
    "colours": {"no-name"},
    "numbered": {"no-name"},
}


def base(path):
    return re.split(r"[\\/]", path or "")[-1]


def verdict(report):
    """What must not change with damage: what failed, where, and what to do; breaks and recompiles with their reasons."""
    counted = {"guards": report["totals"]["guards"], "seconds": report["totals"]["compile_wall_s"]}
    return {
        **{name: number for name, number in counted.items() if number},
        "errors": sorted([x["category"], x["type"], base(x["file"]), x["line"]] for x in report["errors"]),
        "next": sorted(step for x in report["errors"] for step in x["next"]),
        "graph_breaks": sorted([x["type"] or "", base(x["own_file"]), x["own_line"]] for x in report["graph_breaks"]),
        "recompiles": sorted([(x["frame"] or {}).get("name") or "", [q["words"] for q in x["reasons"]]]
                             for x in report["recompiles"]),
    }


def read(program, text):
    """The report as JSON, or the exit status."""
    done = program.run("export", "--format", "json", "-", input=text if isinstance(text, bytes) else text.encode())
    return json.loads(done.stdout) if done.returncode == 0 else done.returncode


def read_verdict(program, text):
    report = read(program, text)
    return report if isinstance(report, int) else verdict(report)


def damages_of(number, every):
    names = list(DAMAGES)
    if every:
        return names
    return [names[(number * DAMAGES_OF_A_TEXT + i) % len(names)] for i in range(DAMAGES_OF_A_TEXT)]


def check_damages(tap, program, texts, expected, every):
    jobs = collections.defaultdict(dict)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for number, (name, text) in enumerate(sorted(texts.items())):
            for damage in damages_of(number, every):
                if any(expected[name].values()) and name.rsplit("-", 1)[0] not in LOST.get(damage, ()):
                    jobs[damage][name] = pool.submit(read_verdict, program, DAMAGES[damage](text))
        for damage, results in jobs.items():
            tap.empty(f"{damage}: the same is said of {len(results)} texts",
                      [f"{name}: {result.result()}" for name, result in results.items() if result.result() != expected[name]])


def check_answer(tap, program, name, text):
    """What is asked of a text with one error comes first, in few lines."""
    shown = program.run("summary", "-", input=text.encode()).stdout.decode()
    answer = shown.split("\n\n", 1)[0].splitlines()
    tap.point(f"{name}: the answer comes first", not shown.startswith("Read") and len(answer) <= ANSWER_LINES, shown)


def main(pt2trace, folder, *options):
    tap = Tap()
    folder = pathlib.Path(folder)
    expected = json.loads((folder / "expected.json").read_text())
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))}
    tap.equal("each text has a row, and each row a text", set(texts), set(expected))
    with tempfile.TemporaryDirectory() as temp:
        program = Program(pt2trace, temp)
        whole = {}
        for name, text in texts.items():
            whole[name] = read_verdict(program, text)
            found = whole[name] if isinstance(whole[name], int) else {**whole[name]}
            if not isinstance(found, int):
                found.pop("next")
            tap.equal(f"{name}: is read as it is", expected.get(name), found)
            if EXCEPTION.search(text):
                tap.point(f"{name}: an exception of the compiler is an error", not isinstance(found, int) and found["errors"])
            if not isinstance(found, int) and len(found["errors"]) == 1 and not found["recompiles"]:
                check_answer(tap, program, name, text)
        check_damages(tap, program, texts, whole, "--all" in options)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
