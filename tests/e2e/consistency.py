"""What must hold inside any report.json, whatever the trace: numbers that stand twice agree, and whatever is referred to
is there."""

import re
from collections import Counter

SEVERITIES = ("critical", "high", "medium", "low", "info")
WORST = {"hit": 0, "miss": 1, "bypass": 2}
TINY = 1e-6


def key(item, id="compile"):
    """What names one compile in a report."""
    return item["process"], item["epoch"], item[id]


def contradictions(report):
    """Every complaint, as a line of text."""
    found = []
    for check in (inputs, lengths, identities, references, statuses, caches, totals, times, orders, kernels, artifacts):
        found += [f"{check.__name__}: {complaint}" for complaint in check(report)]
    return found


def unequal(**pairs):
    return [f"{name}: {one!r} and {other!r}" for name, (one, other) in pairs.items() if one != other]


# Null where all comes from texts, and there are none.
NOT_IN_A_LOG = ("graph_breaks", "distinct_graph_breaks", "recompiles", "recompile_limit_hits", "graphs")


def is_traced(report):
    return any(input_["used"] and input_["kind"] == "torch_trace" and input_["records"] for input_ in report["inputs"])


def inputs(report):
    """An input was used, or it says why not."""
    for input_ in report["inputs"]:
        if input_["used"] != (input_["why_not"] is None):
            yield f"{input_['path']}: used is {input_['used']}, and why_not {input_['why_not']!r}"
        if input_["used"] and (input_["kind"] == "other" or input_["records"] is None):
            yield f"{input_['path']}: used, of kind {input_['kind']} with {input_['records']} records"


def lengths(report):
    sums, breaks = report["totals"], report["graph_breaks"]
    sums = {**sums, **{key: 0 for key in NOT_IN_A_LOG if sums[key] is None and not is_traced(report)}}
    yield from unequal(
        compiles=(sums["compiles"], len(report["compiles"])),
        recompiles=(sums["recompiles"], len(report["recompiles"])),
        errors=(sums["errors"], len(report["errors"])),
        distinct_graph_breaks=(sums["distinct_graph_breaks"], len(breaks)),
        graph_breaks=(sums["graph_breaks"], sum(break_["count"] for break_ in breaks)),
        attempts=(sums["attempts"], sum(compile_["attempts"] for compile_ in report["compiles"])),
        restarts=(sums["restarts"], sum(compile_["attempts"] - 1 for compile_ in report["compiles"])),
        incomplete=(sums["incomplete"], sum(compile_["status"] == "incomplete" for compile_ in report["compiles"])),
        limit_hits=(sums["recompile_limit_hits"], sum(compile_["limit_hit"] for compile_ in report["compiles"])),
    )
    for break_ in breaks:
        yield from unequal(count=(break_["count"], len(break_["compiles"])))
    for item in breaks + report["findings"]:
        yield from unequal(refs=(item["compiles"], [ref["id"] for ref in item["compile_refs"]]))


def identities(report):
    keys = Counter(key(compile_, "id") for compile_ in report["compiles"])
    yield from (f"compile {name} stands there {count} times" for name, count in keys.items() if count > 1)
    frames = {(process, epoch, re.sub("/[0-9]+$", "", id)) for process, epoch, id in keys if "/" in id}
    yield from unequal(frames=(report["totals"]["frames"], len(frames)))
    for compile_ in report["compiles"]:
        number = re.search("/([0-9]+)$", compile_["id"])
        yield from unequal(**{f"recompile of {compile_['id']}": (compile_["recompile"], bool(number) and int(number[1]) > 0)})
    ids = Counter(finding["id"] for finding in report["findings"])
    yield from (f"finding {name} stands there {count} times" for name, count in ids.items() if count > 1)


def references(report):
    known = {key(compile_, "id") for compile_ in report["compiles"]}
    processes = {compile_["process"] for compile_ in report["compiles"]} | {other["process"] for other in report["unattributed"]}
    for section in ("recompiles", "errors", "caches", "symbols", "export_issues", "kernels"):
        for item in report[section]:
            if item["compile"] is not None and key(item) not in known:
                yield f"{section} refers to {key(item)}"
    for item in report["findings"] + report["graph_breaks"]:
        for ref in item["compile_refs"] + item.get("resumes", []):
            if key(ref, "id") not in known and not (ref["id"] is None and ref["process"] in processes):
                yield f"{item.get('title', item.get('type'))} refers to {ref}"
    recompiled = {key(compile_, "id") for compile_ in report["compiles"] if compile_["recompile"]}
    yield from unequal(recompiles=(recompiled, {key(item) for item in report["recompiles"]}))
    for item in report["kinds"]:
        if item["input"] >= len(report["inputs"]):
            yield f"kind {item['name']} of input {item['input']}"


def statuses(report):
    failed = {key(error) for error in report["errors"] if error["compile"] is not None}
    broken = {key(ref, "id") for break_ in report["graph_breaks"] for ref in break_["compile_refs"]}
    for compile_ in report["compiles"]:
        name = key(compile_, "id")
        yield from unequal(**{
            f"error of {name}": (compile_["status"] == "error", name in failed or compile_["limit_hit"]),
            f"graph break of {name}": (compile_["status"] == "graph_break", name in broken and name not in failed and not compile_["limit_hit"])})


def caches(report):
    asked, sums = {}, Counter(event["outcome"] for event in report["caches"])
    for event in report["caches"]:
        layers = asked.setdefault(key(event), {})
        layers[event["layer"]] = max(layers.get(event["layer"], "hit"), event["outcome"], key=WORST.get)
    for compile_ in report["compiles"]:
        yield from unequal(**{f"cache of {compile_['id']}": (compile_["cache"], asked.get(key(compile_, "id"), {}))})
    for outcome, total in (("hit", "cache_hits"), ("miss", "cache_misses"), ("bypass", "cache_bypasses")):
        if report["totals"][total] is not None or sums[outcome]:
            yield from unequal(**{total: (report["totals"][total], sums[outcome])})


def totals(report):
    sums, used = report["totals"], [input_ for input_ in report["inputs"] if input_["used"]]
    yield from unequal(records=(sums["records"], sum(input_["records"] for input_ in used)))
    counted = Counter()
    for kind in report["kinds"]:
        counted[kind["input"]] += kind["count"]
    for at, input_ in enumerate(report["inputs"]):
        if counted[at] > (input_["records"] or 0):
            yield f"{input_['path']}: {counted[at]} records by kind, {input_['records']} in all"
    kinds = Counter()
    for kind in report["kinds"]:
        if report["inputs"][kind["input"]]["used"]:
            kinds[kind["name"]] += kind["count"]
    yield from unequal(
        strings=(sums["strings"], kinds["str"]), chromium_events=(sums["chromium_events"], kinds["chromium_event"]),
        unknown=(sums["unknown_records"], sum(kind["count"] for kind in report["kinds"] if not kind["known"])))
    for compile_ in report["compiles"]:
        count = (compile_["metrics"] or {}).get("guard_count")
        if count is not None and count > 0:
            yield from unequal(guards_of_compile=(compile_["guards"], count))
    guards = sum(compile_["guards"] or 0 for compile_ in report["compiles"])
    if sums["guards"] is not None and not (any(used_["kind"] != "torch_trace" for used_ in used) and guards < sums["guards"]):
        # A log may have trees of guards without saying whose they are.
        yield from unequal(guards=(sums["guards"], guards))


def times(report):
    wall = report["totals"]["compile_wall_s"]
    known = [compile_ for compile_ in report["compiles"] if compile_["duration_s"] is not None]
    if wall is None and 2 * len(known) > len(report["compiles"]):
        yield f"{len(known)} of {len(report['compiles'])} durations are known, and their sum is not"
    for compile_ in known:
        if compile_["duration_s"] == 0:
            yield f"{compile_['id']} took no time"
        if wall is not None and compile_["duration_s"] > wall + TINY:
            yield f"{compile_['id']} took {compile_['duration_s']} s of {wall} s"
    for phase in report["phases"]:
        if phase["self_s"] is not None and phase["self_s"] > phase["wall_s"] + TINY:
            yield f"{phase['name']}: {phase['self_s']} s itself, {phase['wall_s']} s in all"


def is_sorted(list_, by):
    values = [by(item) for item in list_]
    return values == sorted(values)


def stand_behind_their_cause(findings):
    """A consequence comes after its cause and before the next finding that is nobody's consequence."""
    above = set()
    for item in findings:
        if not item["follows_from"]:
            above = set()
        elif item["follows_from"] not in above:
            return False
        above.add(item["id"])
    return True


def orders(report):
    ordered = {
        "inputs": is_sorted(report["inputs"], lambda item: item["path"].encode()),
        "findings": is_sorted([item for item in report["findings"] if not item["follows_from"]], lambda item: SEVERITIES.index(item["severity"])),
        "consequences": stand_behind_their_cause(report["findings"]),
        "compiles": is_sorted(report["compiles"], lambda item: item["process"]),
        "graph_breaks": is_sorted(report["graph_breaks"], lambda item: -item["count"]),
        "recompiles": is_sorted(report["recompiles"], lambda item: item["process"]),
        "errors": is_sorted(report["errors"], lambda item: item["process"]),
        "caches": is_sorted(report["caches"], lambda item: item["process"]),
        "symbols": is_sorted(report["symbols"], lambda item: item["process"]),
        "phases": is_sorted(report["phases"], lambda item: (item["process"], -item["wall_s"])),
        "kernels": is_sorted(report["kernels"], lambda item: item["process"]),
        "kinds": is_sorted(report["kinds"], lambda item: item["input"]),
        "ranks": is_sorted(report["ranks"]["present"], int) and is_sorted(report["ranks"]["absent"] or [], int),
        "processes": is_sorted(report["compiles"], lambda item: (item["run"], -1 if item["rank"] is None else item["rank"])),
    }
    yield from (f"{name} are out of order" for name, fine in ordered.items() if not fine)
    paths = [input_["path"] for input_ in report["inputs"]]
    if not is_sorted(report["messages"], lambda item: paths.index(item["file"])):
        yield "messages are out of order"
    ranks = {item["rank"] for item in report["compiles"] + report["inputs"]} - {None}
    if not ranks <= set(report["ranks"]["present"]):
        yield f"ranks {sorted(ranks)} and present {report['ranks']['present']}"


def kernels(report):
    names = Counter((key(kernel), kernel["name"]) for kernel in report["kernels"])
    yield from (f"kernel {name} stands there {count} times" for name, count in names.items() if count > 1)
    for kernel in report["kernels"]:
        if len(set(kernel["nodes"])) < len(kernel["nodes"]):
            yield f"nodes of {kernel['name']} stand there several times"


def artifacts(report):
    for owner in report["compiles"] + report["unattributed"]:
        for artifact in owner["artifacts"]:
            present = [artifact[name] is not None for name in ("bytes", "lines", "stored")]
            if len(set(present)) > 1 or (artifact["md5"] and not present[0]):
                yield f"{artifact['name']} at line {artifact['record_line']} is half there"
            if (artifact["stored"] == "file") and not artifact["path"]:
                yield f"{artifact['name']} at line {artifact['record_line']} is in a file without a name"
