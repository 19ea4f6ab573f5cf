#!/usr/bin/env python3
"""The runner of tests/advice on reports that are made up: what it must find wrong, and what it must not. Writes TAP.

usage: test_judge.py
"""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))

import judge  # noqa: E402
import programs  # noqa: E402
from tap import Tap  # noqa: E402

TEXT = """# finding: recompile-size
# also: break-print
# not: tiny-graphs
# paste-before: # CALL
import torch
def f(x):  # HERE
    return x
for i in range(3):
    f(i)  # CALL
"""


def finding(id_, line=None, severity="medium", **more):
    return {"id": id_, "severity": severity, "title": "t", "detail": None, "fix": "f", "file": "/tmp/p.py" if line else None, "line": line, "follows_from": None,
            "spots": [], "paste": "a()\nb()", "paste_kind": "statement", "paste_at": {"file": "/tmp/p.py", "line": 9, "words": "w"}, **more}


def program(text=TEXT):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "p.py")
        path.write_text(text, encoding="utf-8")
        return programs.Program(path)


def raises(call, *words):
    try:
        call(*words)
    except programs.Wrong:
        return True
    return False


def reports(tap):
    size, other = finding("recompile-size", 6), finding("break-other", 7)

    def problems(*findings, of=TEXT):
        return judge.report_problems(program(of), {"findings": list(findings)})

    tap.empty("as the head says: nothing is wrong", problems(size, finding("break-print-2", 7), finding("resets", severity="info")))
    tap.point("nothing found", problems())
    tap.point("another one first", problems(other, size))
    def takes(seconds, found):
        return {**found, "cost": {"seconds": seconds}}

    beside = finding("break-print", 7)
    tap.empty("what is right beside it took longer", problems(takes(5.0, beside), takes(2.0, size)))
    tap.empty("and is medium for that", problems(takes(5.0, beside), takes(2.0, {**size, "severity": "low"})))
    tap.point("what is right beside it took much longer", problems(takes(7.0, beside), takes(2.0, size)))
    tap.point("and is critical", problems(takes(2.0, {**beside, "severity": "critical"}), takes(2.0, size)))
    tap.point("another one took as long", problems(takes(2.0, other), takes(2.0, size)))
    tap.point("of what is right beside it no time is known", problems(beside, takes(2.0, size)))
    tap.point("at another line", problems(finding("recompile-size", 7)))
    tap.point("in another file", problems(finding("recompile-size", 6, file="/tmp/linear.py")))
    tap.point("a consequence", problems(finding("recompile-size", 6, follows_from="break-print")))
    tap.point("pasted before another line", problems(finding("recompile-size", 6, paste_at={"file": "/tmp/p.py", "line": 6, "words": ""})))
    tap.point("no statement", problems(finding("recompile-size", 6, paste_kind="pattern")))
    tap.point("one that the head does not mention", problems(size, other))
    tap.empty("what follows from a finding", problems(size, finding("skipped-frame", 6, follows_from="recompile-size")))
    tap.point("what follows, and must not be there", problems(size, finding("tiny-graphs", follows_from="recompile-size")))
    tap.point("one that the head mentions once, twice", problems(size, finding("break-print", 7), finding("break-print-2", 8)))
    tap.point("one that must not be, though it is a fact", problems(size, finding("tiny-graphs", severity="info")))
    tap.point("not clean", problems(other, of="# clean\nimport torch\n"))
    tap.empty("clean", problems(finding("clean", severity="info"), of="# clean\nimport torch\n"))
    tap.empty("others do not matter where the head only has `not`", problems(other, of="# not: break-print\nimport torch\n"))
    tap.empty("says what it must", problems(size, of=TEXT.replace("not: tiny-graphs", "says: a\\(")))
    tap.point("does not", problems(size, of=TEXT.replace("not: tiny-graphs", "says: c\\(")))
    tap.point("says what none may", problems(size, finding("resets", severity="info", title="words"),
                                             of=TEXT.replace("not: tiny-graphs", "never-says: words")))
    two = TEXT.replace("return x", "return x  # HERE")
    tap.point("one of two places", problems(size, of=two))
    spots = [{"file": "/tmp/p.py", "line": 6}, {"file": "/tmp/p.py", "line": 7}]
    tap.empty("both", problems(finding("recompile-size", 6, spots=spots), of=two))


def afterwards(tap):
    def problems(before, after, lines=programs.Inserted(9, 2), ids_alone=False):
        return list(judge.gone_problems(before[0], {"findings": before}, {"findings": after}, lines, ids_alone))

    size, below = finding("recompile-size", 6), finding("break-print", 9, "medium")
    tap.empty("gone", problems([size, below], [finding("break-print", 11)]))
    tap.point("still there", problems([size], [size]))
    tap.point("with another number", problems([size], [finding("recompile-size-2", 6)]))
    tap.point("moved, and less bad there", problems([finding("recompile-size", 6, "high")], [finding("recompile-size", 7)]))
    tap.empty("one that was there before is not the one", problems([size, finding("recompile-size-2", 7)], [finding("recompile-size", 7)]))
    spots = [{"file": "/tmp/p.py", "line": 6}, {"file": "/tmp/p.py", "line": 7}]
    tap.point("gone at one of its places", problems([finding("break-print", 6, spots=spots)], [finding("break-print", 7, "low", spots=spots[1:])]))
    tap.point("not gone without a place", problems([finding("cache-off")], [finding("cache-off")]))
    tap.point("a fact is still there", problems([finding("low-precision", severity="info")], [finding("low-precision", severity="info")]))
    tap.empty("what was a finding is a fact", problems([size], [finding("recompile-size", 6, "info")]))
    tap.empty("what goes by the load of the machine", problems([size], [finding("slow-phase", severity="info")]))
    tap.point("what only sounds like that", problems([finding("break-other", 3)], [finding("slow-guards", 6)]))
    tap.point("unless lines are not compared", problems([size], [finding("recompile-size", 70)], ids_alone=True))
    tap.point("one as bad has come", problems([size], [finding("break-other", 3)]))
    known = judge.gone_problems(size, {"findings": [size]}, {"findings": [finding("break-other", 3)]}, programs.Inserted(9, 2), False, ["break-other"])
    tap.empty("one that the head names, too, could not be seen before", list(known))
    tap.point("one as bad appears in inserted text", problems([size], [finding("break-other", 9)]))
    tap.empty("one that is less bad may come", problems([size], [finding("break-other", 3, "low")]))
    tap.point("twice what was there once", problems([size, below], [finding("break-print", 11), finding("break-print-2", 11)]))


def work(tap):
    def problems(id_, before, after, adapted=False):
        reports = [{"totals": {"graph_breaks": breaks, "recompiles": recompiles}, "compiles": [{"graph_ops": n} for n in graphs]}
                   for breaks, recompiles, graphs in (before, after)]
        return list(judge.work_problems(finding(id_), *reports, adapted))

    tap.empty("a break less", problems("break-item", (1, 0, (3, 4)), (0, 0, (8,))))
    tap.point("as many breaks", problems("break-item", (1, 0, (3, 4)), (1, 0, (3, 4))))
    tap.point("a break less, a recompile more", problems("break-item", (1, 0, (3, 4)), (0, 1, (8, 8))))
    tap.point("as many recompiles", problems("recompile-size", (0, 2, (3, 3)), (0, 2, (3, 3))))
    tap.empty("a limit that is raised", problems("recompile-limit", (0, 2, (3, 3)), (0, 9, (3, 3))))
    tap.empty("a call that gets a graph of its own", problems("missing-guard", (0, 0, (3,)), (0, 1, (3, 4))))
    tap.point("nothing is compiled any more", problems("recompile-limit", (0, 2, (3, 3)), (0, 0, ())))
    tap.point("nor by a person", problems("break-item", (1, 0, (3, 4)), (0, 0, (0,)), adapted=True))
    tap.point("less is compiled", problems("recompile-size", (0, 2, (3, 3)), (0, 0, (2,))))
    tap.empty("a person compiles a smaller part", problems("break-item", (1, 0, (3, 4)), (0, 0, (3, 3)), adapted=True))


def absent(tap):
    found = [finding("break-print", 6), finding("clean", severity="info")]
    tap.empty("absent", judge.absence_problems("break-item", found, False))
    tap.point("present", judge.absence_problems("break-print", found, False))
    tap.point("no report", judge.absence_problems("break-item", [], False))
    tap.point("with a text", judge.absence_problems("break-print", found, True))
    tap.empty("without one", judge.absence_problems("break-print", [finding("break-print", 6, paste=None)], True))
    tap.point("without a finding that has none", judge.absence_problems("break-item", found, True))


def outputs(tap):
    plain = program("# clean\nimport torch\n")

    def problems(before, after, of=plain):
        return judge.output_problems(of, before, after)

    tap.point("no results", problems("a\n", "a\n"))
    tap.empty("the same, in another order", problems('a\nb\nRESULT [1, "nan"]\n', 'b\nRESULT [1, "nan"]\na\n'))
    tap.point("other results", problems('RESULT [{"values": ["1.0"]}]\n', 'RESULT [{"values": ["1.001"]}]\n'))
    tap.point("a result less", problems("RESULT [1]\nRESULT [1]\n", "RESULT [1]\n"))
    near = program("# clean\n# tolerance: 0.01\nimport torch\n")
    tap.empty("nearly the same", problems('RESULT [{"values": ["1.0"]}]\n', 'RESULT [{"values": ["1.001"]}]\n', near))
    tap.point("another shape within the tolerance", problems('RESULT [{"shape": [1000]}]\n', 'RESULT [{"shape": [1001]}]\n', near))
    tap.point("a flag is no number", problems("RESULT [1]\n", "RESULT [true]\n"))
    tap.point("a text is no number", problems("RESULT [1]\n", 'RESULT ["1.0"]\n'))
    tap.point("no gradient any more", problems('RESULT [{"requires_grad": true}]\n', 'RESULT [{"requires_grad": false}]\n'))
    tap.point("a result more", problems("RESULT [1]\n", "RESULT [1]\nRESULT [1]\n"))
    tap.point("other keys", problems('RESULT [{"a": 1}]\n', 'RESULT [{"b": 1}]\n'))
    tap.point("not a number is no number", problems("RESULT [1.0]\n", 'RESULT ["nan"]\n', near))
    tap.point("a line less", problems("a\nRESULT [1]\n", "RESULT [1]\n"))
    tap.empty("which the program says", problems("a\nRESULT [1]\n", "RESULT [1]\n", program("# clean\n# output: differs\nx\n")))


def texts(tap):
    tap.equal("put in with the indent of the line", "if x:\n    a()\n    b()\n    c()\n", programs.insert("if x:\n    c()\n", 2, "a()\nb()"))
    tap.equal("lines come from where they were", [8, 0, 0, 9], [programs.Inserted(9, 2).before(n) for n in (8, 9, 10, 11)])
    tap.equal("settings go behind the imports", 5, programs.start_of("# c\nimport torch\n\nfrom a import b\nx = 1\nimport y\n"))
    tap.equal("or where START is", 3, programs.start_of("import torch\nx = 1\ny = 2  # START\n"))
    heads = TEXT.replace("# not: tiny-graphs", "# finding (2.4-2.6): break-other").replace("f(i)  # CALL", "f(i)  # CALL  # HERE (2.6)")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "p.py")
        path.write_text(heads, encoding="utf-8")
        said = [(p.finding, p.here) for p in (programs.Program(path, version) for version in (None, "2.5.1", "2.6.0", "2.13.0"))]
    tap.equal("what a head says may go by version", [("recompile-size", [6]), ("break-other", [6]), ("break-other", [6, 9]), ("recompile-size", [6])], said)
    tap.equal("versions", [True, True, False, True, False, True], [
        programs.is_among("2.6.0", words.split()) for words in ("", "2.6+", "2.7+", "2.4-2.6", "2.4-2.5", "2.4 2.6")])
    tap.point("a directive that is none", raises(program, "# finding: a\n# alos: b\nx\n"))
    tap.point("a program about nothing", raises(program, "# words\nimport torch\n"))
    tap.point("a mark that is not there", raises(program, "# finding: a\n# paste-before: # CALL\nx\n"))


def main():
    tap = Tap()
    for part in (reports, afterwards, work, absent, outputs, texts):
        part(tap)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
