"""What is right about a report, and about the run of a program after what the report advises was done."""

import json
import re
from collections import Counter

NUMBER = re.compile(r"-\d+$")
TIMED = ("cache-cold", "slow-phase", "slow-function", "slow-compilers", "slow-autotuning", "late-backward", "repeated-block")
SEVERITIES = ["critical", "high", "medium", "low", "info"]


def id_of(finding):
    return NUMBER.sub("", finding["id"])


def place_of(finding):
    """(file name, line) of a finding; None when it has no place."""
    return (finding["file"].rsplit("/", 1)[-1], finding["line"]) if finding["file"] else None


def described(finding):
    """One line for a person."""
    place = place_of(finding)
    return (f"{finding['severity']} {finding['id']}{f' {place[0]}:{place[1]}' if place else ''}: {finding['title']}"
            f"{' <- ' + finding['follows_from'] if finding['follows_from'] else ''}")


def wrong_place(program, finding):
    """The lines marked HERE are where the problem is; if there are several, each is reported."""
    if not program.here:
        return []
    name = program.path.name
    places = {place_of(place) for place in (finding, *finding["spots"])}
    wanted = {(name, line) for line in program.here}
    if place_of(finding) not in wanted or (len(wanted) > 1 and places != wanted):
        return [f"the place is {sorted(places, key=str)}, not {sorted(wanted)}"]
    return []


def wrong_paste_place(program, finding):
    at = finding["paste_at"]
    if finding["paste_kind"] != "statement":
        return [f"the text is a {finding['paste_kind']} and no statement"] if "paste-before" in program.said else []
    wanted = [(program.path.name, line) for line in program.before]
    place = ((at["file"] or "").rsplit("/", 1)[-1], at["line"])
    return [f"the text goes before {place}, not before {wanted}"] if place not in wanted else []


def costs_alike(a, b):
    """
    Whether measured time alone decides which of the two stands first: of equals the one that cost more does, and from 3 s on a recompile is
    medium. On a loaded machine one compile may well take three times as long as another of the same size.
    """
    times = [((x.get("cost") or {}).get("seconds") or 0) for x in (a, b)]
    near = a["severity"] == b["severity"] or {a["severity"], b["severity"]} == {"low", "medium"}
    return near and min(times) > 0 and max(times) <= 3 * min(times)


def decided_by_time(program, findings):
    """The cause that the program names, where only what is right beside it stands before it, by its measured time."""
    also = program.words("also")
    for i, finding in enumerate(findings):
        if id_of(finding) in program.first and not finding["follows_from"]:
            before = [f for f in findings[:i] if not f["follows_from"]]
            return finding if all(id_of(f) in also and costs_alike(f, finding) for f in before) else None
    return None


def first_of(program, findings):
    """
    The first finding; where a fact (info) is to be found, the first fact. Facts about time come and go with the load of the
    machine: they do not count here. Nor does an order that measured times alone decide.
    """
    facts = program.said.get("severity") == "info"
    lasting = [f for f in findings if (f["severity"] == "info" if facts else True) and
               (f["severity"] != "info" or id_of(f) in program.first or not id_of(f).startswith(TIMED))]
    return decided_by_time(program, lasting) or (lasting or findings)[0]


def followed(program, findings):
    """
    The finding whose text is followed: the one that the program names for it, else the first. Of several that may be first,
    measured time can decide which one is: then the one is followed that the program names first.
    """
    wanted = [program.said["follow"]] if "follow" in program.said else program.first if len(program.first) > 1 else []
    named = [f for wish in wanted for f in findings if id_of(f) == wish]
    return named[0] if named else first_of(program, findings)


def wrong_cause(program, findings):
    """What is wrong about the first finding."""
    if "clean" in program.said:
        return [f"not clean: {described(f)}" for f in findings if f["severity"] != "info"]
    if program.finding is None:
        return []
    if not findings:
        return [f"nothing was found, and {program.finding} is to be"]
    first = first_of(program, findings)
    problems = [] if id_of(first) in program.first else [f"first is {described(first)}"]
    if first["follows_from"]:
        problems.append(f"{first['id']} follows from {first['follows_from']}")
    if not problems:
        problems = wrong_place(program, followed(program, findings))
    if "severity" in program.said and first["severity"] != program.said["severity"]:
        problems.append(f"it is {first['severity']}, not {program.said['severity']}")
    return problems


def words_of(finding):
    return "\n".join(filter(None, (finding[key] for key in ("title", "detail", "fix", "paste"))))


def wrong_words(program, findings):
    """Words that the first finding must have, and that none may have."""
    says, never = program.said.get("says"), program.said.get("never-says")
    first = followed(program, findings)
    if says and not re.search(says, words_of(first)):
        yield f"does not say /{says}/: {words_of(first)}"
    yield from (f"says /{never}/: {words_of(finding)}" for finding in findings if never and re.search(never, words_of(finding)))


def wrong_beside(program, findings):
    """
    Findings that the head of the program does not mention. A fact (info) that nobody excluded may stand there, and what
    follows from a finding, as that is judged.
    """
    allowed = Counter([*program.first, *program.words("also")])
    excluded = set(program.words("not"))
    only_not = program.finding is None
    for finding in findings:
        id_ = id_of(finding)
        if id_ in excluded:
            yield f"must not be there: {described(finding)}"
        elif finding["severity"] != "info" and not only_not and not finding["follows_from"]:
            allowed[id_] -= 1
            if allowed[id_] < 0:
                yield f"false, or too often: {described(finding)}"


def report_problems(program, report):
    """What is wrong about the report on a program as it is."""
    findings = report["findings"]
    problems = wrong_cause(program, findings)
    problems += wrong_beside(program, findings)
    problems += wrong_words(program, findings) if findings else []
    if not problems and program.finding:
        problems += wrong_paste_place(program, followed(program, findings))
    return problems


def absence_problems(finding, findings, text_alone):
    """What is wrong where a version is said to have no such finding, or none with a text."""
    found = [f for f in findings if id_of(f) == finding]
    if not findings:
        return ["the report has no findings at all"]
    if text_alone:
        return [f"has a text: {described(f)}" for f in found if f["paste"]] if found else [f"there is no {finding}"]
    return [f"there it is: {described(f)}" for f in found]


# --- before and after -------------------------------------------------------------------------------------------------


def keys_of(report, lines, ids_alone):
    """What identifies a finding, with the lines that the program had before anything was put into it."""
    for finding in report["findings"]:
        place = place_of(finding)
        yield finding, (id_of(finding),) if ids_alone or not place else (id_of(finding), place[0], lines.before(place[1]))


def spots_of(finding, lines):
    """All places of a finding, with the lines that the program had before."""
    places = {place_of(place) for place in (finding, *finding["spots"])}
    return {(name, lines.before(line)) for name, line in filter(None, places)}


def stays(first, finding, lines, ids_alone):
    """Whether `finding` is the finding `first`, or one of the same id at one of its places."""
    if id_of(finding) != id_of(first) or (finding["severity"] == "info" and first["severity"] != "info"):
        return False
    old, new = spots_of(first, type(lines)()), spots_of(finding, lines)
    return ids_alone or old == new or bool(old & new)


def gone_problems(first, before, after, lines, ids_alone, others=()):
    """
    Whether the finding `first` of `before` is gone in `after`, and nothing as bad has come; nor may it have moved, even if it is
    less bad there. `lines` is an Inserted. `others` are ids of other causes that the program has: one may be seen only now.
    """
    worst = max(SEVERITIES.index("low") if first["severity"] == "info" else SEVERITIES.index(first["severity"]), 0)
    were = Counter(key for _, key in keys_of(before, type(lines)(), ids_alone))
    for finding, key in keys_of(after, lines, ids_alone):
        were[key] -= 1
        if stays(first, finding, lines, ids_alone):
            yield f"still there: {described(finding)}"
        elif were[key] >= 0 or id_of(finding) in TIMED or finding["severity"] == "info":
            continue
        elif id_of(finding) == id_of(first):
            yield f"has moved: {described(finding)}"
        elif id_of(finding) not in others and SEVERITIES.index(finding["severity"]) <= worst:
            yield f"has come: {described(finding)}"


def largest_graph(report):
    return max((c["graph_ops"] or 0 for c in report["compiles"]), default=0)


# What is refused, left to Python or given the wrong graph before is compiled afterwards.
COMPILE_MORE = {"error", "missing-guard", "recompile-limit", "recompile-many-modules", "suppressed-errors"}


def work_problems(first, before, after, adapted):
    """
    A remedy must not be paid for with recompiles or breaks, nor with code that is no longer compiled; and one against them leaves
    fewer. `adapted`: a person has changed the program, who may have compiled smaller parts of it.
    """
    for what, family in (("graph_breaks", "break-"), ("recompiles", "recompile-")):
        old, new = before["totals"][what], after["totals"][what]
        if id_of(first) in COMPILE_MORE:
            continue
        if new > old:
            yield f"{what}: {old} before, {new} after"
        if id_of(first).startswith(family) and 0 < old <= new:
            yield f"{what}: {new}, as many as before"
    old, new = largest_graph(before), largest_graph(after)
    if old and (new == 0 or (new < old and not adapted)):
        yield f"the largest graph has {new} operators, and had {old}"


def results_of(output):
    return [json.loads(line[len("RESULT "):]) for line in output.splitlines() if line.startswith("RESULT ")]


def number(value):
    try:
        return None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return None


EXACT = {"shape", "dtype", "requires_grad"}  # of a tensor


def same(a, b, tolerance):
    """Numbers may differ by the tolerance, relative to 1 or to themselves, whichever is larger; what kind of value it is may not."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(a[key] == b[key] if key in EXACT else same(a[key], b[key], tolerance) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(same(x, y, tolerance) for x, y in zip(a, b))
    x, y = number(a), number(b)
    if a == b or x is None or y is None:
        return a == b
    return abs(x - y) <= tolerance * max(1, abs(x), abs(y)) or (x != x and y != y)


def other_lines(output):
    """What a program prints beside its results: advice does not change it; the order may differ."""
    return Counter(line for line in output.splitlines() if not line.startswith("RESULT "))


def result_problems(program, before, after):
    old, new = results_of(before), results_of(after)
    if same(old, new, program.tolerance):
        return []
    return ["other results:", *(f"  before {x}\n  after  {y}" for x, y in zip(old, new) if not same(x, y, program.tolerance)),
            f"  {len(old)} before, {len(new)} after"]


def output_problems(program, before, after):
    if not results_of(before):
        return ["the program prints no results"]
    problems = result_problems(program, before, after)
    if not problems and program.said.get("output") != "differs" and other_lines(before) != other_lines(after):
        missing, more = other_lines(before) - other_lines(after), other_lines(after) - other_lines(before)
        return ["other output:", *(f"  - {line}" for line in missing), *(f"  + {line}" for line in more)]
    return problems
