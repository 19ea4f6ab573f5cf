#!/usr/bin/env python3
"""Compares what pt2trace says of each trace in testdata with what PyTorch itself said while it wrote that trace.

    test_truth.py PT2TRACE TESTDATA [NAME...]

Runs `PT2TRACE TESTDATA/NAME/trace -o TMP --no-browser` for every NAME that has a truth.json and prints TAP, one line per
compared fact. A fact that truth.json holds as null was not measured and is not compared. testdata/README.md says what each
fact of truth.json means; the names on the side of the report are those of report.json.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
from collections import Counter

SUMS = {  # of truth.json -> of totals in report.json
    "frames": "frames",
    "restarts": "restarts",
    "graphs": "graphs",
    "recompile_limit_hits": "recompile_limit_hits",
}
RECORDED_SINCE = {  # the first PyTorch whose trace has a fact; what an older trace lacks is not compared
    "process id": (2, 5),
    "functions": (2, 5),
    "recompile reasons": (2, 5),
    "graph breaks": (2, 6),
    "symbols": (2, 6),
    "types of graph breaks": (2, 8),
    "Python version": (2, 8),
    "PyTorch version": (2, 10),
}
CACHE_LAYERS = ("aotautograd", "fx_graph")
MOST_SHOWN = 12


class Tap:
    """Prints one line per fact and counts."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def fact(self, name, expected, found):
        self.count += 1
        if expected == found:
            print(f"ok {self.count} - {name}")
            return
        self.failed += 1
        print(f"not ok {self.count} - {name}")
        for line in difference(expected, found):
            print(f"#   {line}")

    def broken(self, name, why):
        self.count += 1
        self.failed += 1
        print(f"not ok {self.count} - {name}")
        for line in why.strip().splitlines()[:MOST_SHOWN]:
            print(f"#   {line}")

    def end(self):
        print(f"1..{self.count}")
        print(f"# {self.count - self.failed} facts agree, {self.failed} do not")
        return 1 if self.failed else 0


def difference(expected, found):
    """The lines that explain a failure: only what differs, where both are of many parts."""
    if isinstance(expected, Counter) and isinstance(found, Counter):
        expected, found = dict(expected - found), dict(found - expected)
    elif isinstance(expected, dict) and isinstance(found, dict):
        names = sorted({*expected, *found}, key=str)
        lines = [f"{name}: PyTorch says {expected.get(name)!r}, the report {found.get(name)!r}"
                 for name in names if expected.get(name) != found.get(name)]
        return lines[:MOST_SHOWN] + ["…"] * (len(lines) > MOST_SHOWN)
    return [f"PyTorch says {expected!r}", f"the report   {found!r}"]


def records(truth, fact):
    return tuple(map(int, truth["torch"].split(".")[:2])) >= RECORDED_SINCE[fact]


# --- the two sides in one form --------------------------------------------------------------------------------------------


def numbered(compiles):
    """{(pid, id, n): compile}: n counts the epochs in which a process used that id, since epochs have no common number."""
    keyed, seen = {}, Counter()
    for pid, facts in compiles:
        number = seen[pid, facts["id"]]
        seen[pid, facts["id"]] += 1
        keyed[pid, facts["id"], number] = facts
    return keyed


def is_compile(id):
    """`!0` alone is the capture of a compiled autograd graph, not a compile."""
    return "/" in id


def expected_compiles(truth):
    known = records(truth, "process id")
    return numbered((process["pid"] if known else None, facts)
                    for process in truth["processes"] for facts in process["compile_list"])


def reported_compiles(report):
    return numbered((facts["pid"], facts) for facts in report["compiles"] if is_compile(facts["id"]))


def expected_status(facts):
    """None where the contract leaves the choice."""
    if facts["outcome"] == "unfinished":
        return "incomplete"
    if facts["outcome"] == "error" and not facts["backward"]:
        return "error"
    if facts["outcome"] == "skipped":
        return "empty"
    if facts["outcome"] == "ok" and facts["graphs"]:
        return "graph_break" if facts["graph_breaks"] else "ok"
    return None


def guard_text(reason):
    """`0/1: guard   # source` -> ("0/1", "guard")."""
    against, _, text = reason.partition(": ")
    return against, text.split("\n", 1)[0].split("  #", 1)[0].strip()


# --- the facts ------------------------------------------------------------------------------------------------------------


def check_form(tap, name, truth, report):
    tap.fact(f"{name}: schema", "pt2trace-report", report.get("schema"))
    tap.fact(f"{name}: major version of the report", "1", str(report.get("version")).split(".")[0])


def check_environment(tap, name, truth, report):
    """Only where the trace has them: the versions stand in the metrics that end a compile."""
    if all(facts["graph_ops"] is None for process in truth["processes"] for facts in process["compile_list"]):
        return
    found = report["environment"]
    if records(truth, "PyTorch version"):
        tap.fact(f"{name}: PyTorch version", truth["torch"], found["pytorch"])
    if records(truth, "Python version"):
        tap.fact(f"{name}: Python version", truth["python"], str(found["python"]).split(" ")[0])


def check_processes(tap, name, truth, report):
    totals = report["totals"]
    tap.fact(f"{name}: processes", len(truth["processes"]), totals["processes"])
    if truth["ranks"]:
        tap.fact(f"{name}: ranks", len(truth["ranks"]), totals["ranks"])
        tap.fact(f"{name}: ranks present", truth["ranks"], report["ranks"]["present"])
    if all(process["finished"] for process in truth["processes"]):
        tap.fact(f"{name}: payloads whose digest is wrong", 0, totals["bad_payloads"])


def check_divergence(tap, name, truth, report):
    """Ranks that compiled different ids have diverged."""
    if len(truth["ranks"]) < 2 or report["ranks"]["divergences"] is None:  # null: ranks were not compared
        return
    if len(truth["processes"]) > len(truth["ranks"]):  # several runs, and each is compared on its own
        return
    groups = {}
    for process in truth["processes"]:
        ids = tuple(facts["id"] for facts in process["compile_list"])
        groups.setdefault(ids, []).append(process["rank"])
    if len(groups) < 2:
        return
    first = report["ranks"]["first_divergence"]
    expected = sorted(groups.values(), key=lambda group: (-len(group), group))
    tap.fact(f"{name}: first divergence of ranks", expected, first and first["groups"])


def check_sums(tap, name, truth, report):
    for field, total in SUMS.items():
        if truth[field] is not None:
            tap.fact(f"{name}: {field}", truth[field], report["totals"][total])
    captures = truth["compiled_autograd_captures"] or 0  # each has an id, `!0`, and so is listed among the compiles
    tap.fact(f"{name}: compiles", truth["compiles"] + captures, report["totals"]["compiles"])


def check_graph_breaks(tap, name, truth, report):
    breaks = truth["graph_breaks"]
    if breaks is None or not records(truth, "graph breaks"):
        return
    tap.fact(f"{name}: graph breaks", breaks["total"], report["totals"]["graph_breaks"])
    if breaks["by_type"] is not None and records(truth, "types of graph breaks"):
        by_type = Counter()
        for found in report["graph_breaks"]:
            by_type[found["type"]] += found["count"]
        expected = Counter(breaks["by_type"])
        if by_type == Counter(breaks["by_first_type"]):
            expected = by_type  # a break that led to another may go by either name
        tap.fact(f"{name}: graph breaks by type", expected, by_type)
        if len(truth["ranks"]) < 2:  # the report counts a break once for each rank
            tap.fact(f"{name}: distinct graph breaks", breaks["distinct"], report["totals"]["distinct_graph_breaks"])
    if breaks["places"] is not None:
        expected, places = Counter(), Counter()
        for place in breaks["places"]:
            expected[place["file"], place["line"]] += place["count"]
        for found in report["graph_breaks"]:
            places[found["file"], found["line"]] += found["count"]
        tap.fact(f"{name}: places of graph breaks", expected, places)


def check_recompiles(tap, name, truth, report):
    tap.fact(f"{name}: recompiles", truth["recompiles"]["total"], report["totals"]["recompiles"])
    if not records(truth, "recompile reasons"):
        return
    expected, found, without_reason = Counter(), Counter(), set()
    for process in truth["processes"]:
        for recompile in process["recompiles"]["reasons"]:
            without_reason |= {(process["pid"], recompile["id"])} if recompile["reasons"] is None else set()
            for reason in recompile["reasons"] or []:
                expected[(recompile["id"], *guard_text(reason))] += 1
    for recompile in report["recompiles"]:
        for reason in recompile["reasons"] if (recompile["pid"], recompile["compile"]) not in without_reason else []:
            found[recompile["compile"], reason["against"], guard_text("x: " + reason["text"])[1]] += 1
    tap.fact(f"{name}: guards that failed", expected, found)


def check_errors(tap, name, truth, report):
    """Errors outside any compile leave no trace, so only those with an id count. Either name of the type will do."""
    expected = [error for error in truth["errors"] if error["id"] is not None]
    found = [error["type"] for error in report["errors"]]
    tap.fact(f"{name}: errors", len(expected), report["totals"]["errors"])
    left = Counter(found)
    missing = []
    for error in expected:
        known = next((type_ for type_ in (error["raised_as"], error["type"], *error["causes"]) if left[type_] > 0), None)
        if known is None:
            missing.append(error["raised_as"])
        else:
            left[known] -= 1
    tap.fact(f"{name}: types of errors", {"missing": [], "more": []}, {"missing": missing, "more": sorted(left.elements())})


def check_caches(tap, name, truth, report):
    """PyTorch counts every look into the FX graph cache but records only those after which it compiled well."""
    if truth["cache"] is None:
        return
    found = {layer: Counter(entry["outcome"] for entry in report["caches"] if entry["layer"] == layer)
             for layer in CACHE_LAYERS}
    failed = any(error["type"] == "InductorError" for error in truth["errors"])
    for layer in CACHE_LAYERS:
        if truth["cache"][layer] is not None and not (failed and layer == "fx_graph"):
            expected = {outcome: count for outcome, count in truth["cache"][layer].items() if count}
            tap.fact(f"{name}: cache {layer}", expected, dict(found[layer]))


def check_compiles(tap, name, truth, report):
    expected, found = expected_compiles(truth), reported_compiles(report)
    tap.fact(f"{name}: compile ids", sorted(expected), sorted(found))
    both = [(key, expected[key], found[key]) for key in sorted(expected) if key in found]
    strict = records(truth, "functions")
    compare(tap, f"{name}: functions", both, lambda facts: facts["function"], lambda facts: facts["frame"]["name"], strict)
    compare(tap, f"{name}: files", both, lambda facts: facts["file"], lambda facts: facts["frame"]["file"], strict)
    compare(tap, f"{name}: lines", both, lambda facts: facts["line"], lambda facts: facts["frame"]["line"], strict)
    compare(tap, f"{name}: attempts", both, lambda facts: facts["attempts"] or None, lambda facts: facts["attempts"])
    compare(tap, f"{name}: operations in graphs", both, lambda facts: facts["graph_ops"],
            lambda facts: facts["graph_ops"], strict)
    compare(tap, f"{name}: guards", both, lambda facts: facts["guards"], lambda facts: facts["guards"], strict)
    if records(truth, "graph breaks"):
        compare(tap, f"{name}: status", both, expected_status, lambda facts: facts["status"])
    compare(tap, f"{name}: is a recompile", both, lambda facts: not facts["id"].endswith("/0"),
            lambda facts: facts["recompile"])


def compare(tap, name, both, of_truth, of_report, strict=True):
    """
    One fact of every compile, in one line; compiles of which PyTorch did not report it are left out. A report on a trace that
    lacks the fact (not `strict`) may hold null, but nothing wrong.
    """
    facts = {key: (of_truth(expected), of_report(found)) for key, expected, found in both}
    facts = {key: (expected, found) for key, (expected, found) in facts.items()
            if expected is not None and (strict or found is not None)}
    if facts:
        sides = [{key: values[side] for key, values in facts.items()} for side in (0, 1)]
        tap.fact(name, *sides)


def check_symbols(tap, name, truth, report):
    """Names repeat in the attempts of a compile, so they are compared as sets."""
    if not records(truth, "symbols"):
        return
    expected, found = {}, {}
    for process in truth["processes"]:
        for symbol in process["symbols"]["list"]:
            if symbol["id"] is not None:
                expected.setdefault(symbol["id"], set()).add(symbol["symbol"])
    for symbol in report["symbols"]:
        if symbol["compile"] is not None:
            found.setdefault(symbol["compile"], set()).add(symbol["symbol"])
    tap.fact(f"{name}: symbols", expected, found)


def check_phases(tap, name, truth, report):
    """How often each phase ran, for the names that PyTorch's timers and the trace share."""
    found = {(phase["pid"], phase["name"]): phase["count"] for phase in report["phases"]}
    expected = {(process["pid"], phase): times["count"]
                for process in truth["processes"] for phase, times in (process["phases"] or {}).items()
                if (process["pid"], phase) in found}
    if expected:
        tap.fact(f"{name}: how often phases ran", expected, {key: found[key] for key in expected})


CHECKS = (check_form, check_environment, check_processes, check_divergence, check_sums, check_graph_breaks,
          check_recompiles, check_errors, check_caches, check_compiles, check_symbols, check_phases)


def check_workload(tap, binary, folder):
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="pt2trace-truth-") as out:
        command = [binary, str(folder / "trace"), "-o", out + "/report", "--no-browser"]
        done = subprocess.run(command, capture_output=True, text=True)
        path = pathlib.Path(out, "report", "report.json")
        if done.returncode != 0 or not path.exists():
            tap.broken(f"{folder.name}: a report is written", f"exit code {done.returncode}\n{done.stderr}")
            return
        report = json.loads(path.read_text(encoding="utf-8"))
    for check in CHECKS:
        try:
            check(tap, folder.name, truth, report)
        except (KeyError, TypeError, AttributeError) as error:
            tap.broken(f"{folder.name}: {check.__name__}", f"report.json has not the form of the contract: {error!r}")


def main(arguments):
    if len(arguments) < 2:
        raise SystemExit(__doc__)
    binary, testdata, names = arguments[0], pathlib.Path(arguments[1]).resolve(), arguments[2:]
    tap = Tap()
    for path in sorted(testdata.glob("*/truth.json")):
        if not names or path.parent.name in names:
            check_workload(tap, binary, path.parent)
    if tap.count == 0:
        tap.broken("testdata", f"no workload in {testdata}")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
