#!/usr/bin/env python3
"""`pt2trace check`: limits that hold and that do not, allowances, policies, baselines, and each format as its readers take it.

    test_check.py PT2TRACE TESTDATA SOURCE_ROOT

Prints TAP.
"""

import json
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree

import hostile
from kept_calls import keep
from tap import Tap, run

GITHUB = re.compile(r"::(error|warning) title=([^:,\n]*)(?:,file=([^:,\n]*),line=(\d+))?::(.*)")


class Context:
    def __init__(self, tap, pt2trace, testdata, temp):
        self.tap, self.pt2trace, self.testdata, self.temp = tap, pt2trace, testdata, pathlib.Path(temp)

    def check(self, trace, *options, env=None):
        path = trace if isinstance(trace, pathlib.Path) else self.testdata / trace / "trace"
        return run(self.pt2trace, "check", *options, path, **({"env": env} if env else {}))

    def found(self, trace, *options):
        """(exit status, {(rule, function or line)})"""
        done = self.check(trace, "--format", "json", *options)
        violations = json.loads(done.stdout)["violations"] if done.stdout else []
        return done.returncode, sorted({(v["rule"], v["function"] or v["line"]) for v in violations}, key=str)


# (name, trace, options, exit status, rules of the violations)
LIMITS = [
    ("without limits a run with breaks passes", "graph_breaks", (), 0, set()),
    ("without limits an error fails", "errors", (), 1, {"errors", "findings"}),
    ("without limits the recompile limit fails", "recompile_limit", (), 1, {"recompile-limit", "errors"}),
    ("no break is allowed", "graph_breaks", ("--max-graph-breaks", "0"), 1, {"graph-breaks"}),
    ("as many as there are", "graph_breaks", ("--max-graph-breaks", "100"), 0, set()),
    ("a run without breaks", "hello", ("--max-graph-breaks", "0", "--max-recompiles", "0", "--no-errors"), 0, set()),
    ("no recompile is allowed", "recompiles", ("--max-recompiles", "0"), 1, {"recompiles"}),
    ("so long is not allowed", "recompiles", ("--max-compile-time", "1ms"), 1, {"compile-time"}),
    ("so long is", "recompiles", ("--max-compile-time", "10min"), 0, set()),
    ("cold caches", "caches_cold", ("--require-cache-hits",), 1, {"cache-hits"}),
    ("a function that must be one graph", "graph_breaks", ("--fullgraph", "says_hello"), 1, {"fullgraph"}),
    ("in another file of that name", "graph_breaks", ("--fullgraph", "other.py:says_hello"), 1, {"fullgraph"}),
    ("one that is", "hello", ("--fullgraph", "wave"), 0, set()),
    ("one that was never compiled", "hello", ("--fullgraph", "forward"), 1, {"fullgraph"}),
    ("a finding as bad as that", "recompile_limit", ("--fail-on", "high"), 1, {"findings"}),
    ("none as bad as that", "hello", ("--fail-on", "high"), 0, set()),
    ("as many recompiles as there are", "recompiles", ("--max-recompiles", "100"), 0, set()),
    ("an error is named", "errors", ("--no-errors",), 1, {"errors"}),
    ("the recompile limit alone", "recompile_limit", ("--no-recompile-limit",), 1, {"recompile-limit"}),
    ("no function reaches it", "graph_breaks", ("--no-recompile-limit",), 0, set()),
    ("every lookup is a hit", "pgo_second", ("--require-cache-hits",), 0, set()),
]


def test_limits(context):
    for name, trace, options, status, rules in LIMITS:
        code, found = context.found(trace, *options)
        context.tap.equal(f"{name}: {trace} {' '.join(options)}", (status, rules), (code, {rule for rule, _ in found}))


def test_unknown(context):
    log = context.temp / "crash.txt"
    log.write_text("Traceback (most recent call last):\n  File \"/x/a.py\", line 3, in f\n    y = g(x)\n"
                   "torch._dynamo.exc.InternalTorchDynamoError: no\n")
    code, found = context.found(log, "--max-graph-breaks", "0")
    context.tap.equal("what a text cannot say is not taken for 0", (1, ["unknown"]), (code, [rule for rule, _ in found]))


def test_allowances(context):
    breaks = ("--max-graph-breaks", "0")
    _, all_ = context.found("graph_breaks", *breaks)
    report = json.loads(context.check("graph_breaks", "--format", "json", *breaks).stdout)
    first = report["violations"][0]
    place = f"{pathlib.Path(first['file']).name}:{first['line']}"
    _, rest = context.found("graph_breaks", *breaks, "--allow", place)
    context.tap.equal("a line that is allowed", len(report["violations"]) - 1,
                      len(json.loads(context.check("graph_breaks", "--format", "json", *breaks, "--allow", place).stdout)["violations"]))
    context.tap.equal("a file that is allowed", (0, []), context.found("graph_breaks", *breaks, "--allow", "graph_breaks.py"))
    context.tap.equal("a pattern that is allowed", (0, []), context.found("graph_breaks", *breaks, "--allow", "*breaks.py"))
    context.tap.equal("the end of another name is no file", (1, all_), context.found("graph_breaks", *breaks, "--allow", "breaks.py"))
    context.tap.point("a type that is allowed", len(context.found("graph_breaks", *breaks, "--allow", "GB0025")[1]) < len(all_))
    context.tap.point("what nothing needed is named", b"the allowance of GB9999" in
                      context.check("graph_breaks", *breaks, "--allow", "GB9999").stdout)
    context.tap.equal("other paths are not ours", (0, []), context.found("graph_breaks", *breaks, "--own-path", "src/other"))
    folder = str(pathlib.Path(first["file"]).parent).lstrip("/")
    context.tap.equal("our path", (1, all_), context.found("graph_breaks", *breaks, "--own-path", folder))
    context.tap.point("fewer are left", len(rest) <= len(all_))


def test_policy(context):
    policy = context.temp / "policy.yaml"
    policy.write_text("max_graph_breaks: 0\nno_errors: true\nallow: [graph_breaks.py]\nfunctions:\n  f:\n    max_recompiles: 0\n")
    context.tap.equal("a policy that passes", (0, []), context.found("graph_breaks", "--policy", policy))
    for text, limit, status, rules in (("wave: {fullgraph: true}", "hello", 0, []), ("says_hello: {fullgraph: true}", "graph_breaks", 1, ["fullgraph"]),
                                       ("sizes: {max_recompiles: 0}", "recompiles", 1, ["recompiles"]),
                                       ("sizes: {max_recompiles: 100}", "recompiles", 0, []),
                                       ("nobody: {max_recompiles: 0}", "recompiles", 0, []),
                                       # The time of all compiles of a function, on the rank that takes longest.
                                       ("sizes: {max_compile_time: 0.38s}", "recompiles", 1, ["compile-time"]),
                                       ("sizes: {max_compile_time: 0.39s}", "recompiles", 0, []),
                                       ("step: {max_compile_time: 0.68s}", "dist2", 1, ["compile-time"]),
                                       ("step: {max_compile_time: 0.69s}", "dist2", 0, []),
                                       ("same_everywhere: {max_compile_time: 0.32s}", "dist2", 1, ["compile-time"]),
                                       ("same_everywhere: {max_compile_time: 0.33s}", "dist2", 0, [])):
        policy.write_text(f"no_errors: false\nfunctions:\n  {text}\n")
        code, found = context.found(limit, "--policy", policy)
        context.tap.equal(f"a rule for one function: {text}", (status, rules), (code, sorted({rule for rule, _ in found})))
    for text, words in (("max_graph_breaks: -1\n", "line 1: expected a whole number"), ("no_errors: 3\n", "line 1: expected true or false"),
                        ("max_breaks: 1\n", "line 1: unknown key `max_breaks`; there are max_graph_breaks"),
                        ("functions:\n  f: {maximum: 1}\n", "line 2: unknown key `maximum`"), ("a: [1\n", "line ")):
        policy.write_text(text)
        done = context.check("hello", "--policy", policy)
        context.tap.point(f"a policy that is none: {text.strip()}", done.returncode == 2 and words in done.stderr.decode(), done.stderr.decode())


def test_baseline(context):
    def report(trace, name):
        out = context.temp / name
        run(context.pt2trace, "--no-browser", "-q", "-o", out, context.testdata / trace / "trace")
        return out / "report.json"
    breaks, hello = report("graph_breaks", "a"), report("hello", "b")
    context.tap.equal("nothing is new", (0, []), context.found("graph_breaks", "--baseline", breaks))
    context.tap.equal("a report.json is checked like its trace", context.found("graph_breaks", "--baseline", hello),
                      context.found(breaks, "--baseline", hello))
    code, found = context.found("graph_breaks", "--baseline", hello)
    context.tap.equal("all of it is new", (1, True), (code, {"graph-breaks"} <= {rule for rule, _ in found}))
    done = context.check("hello", "--baseline", context.temp / "nowhere.json")
    context.tap.equal("a baseline that is not there", 3, done.returncode)
    (context.temp / "other.json").write_text("{}")
    done = context.check("hello", "--baseline", context.temp / "other.json")
    context.tap.point("a baseline that is none", done.returncode == 3 and b"not a report.json of pt2trace" in done.stderr, done.stderr)


def test_usage(context):
    for options in (("--max-graph-breaks", "x"), ("--max-compile-time", "soon"), ("--fail-on", "bad"), ("--format", "html"), ("--allow", "")):
        done = context.check("hello", *options)
        context.tap.equal(f"usage: {' '.join(options)}", (2, True), (done.returncode, options[0].encode() in done.stderr))
    context.tap.equal("nothing to read", 4, context.check(pathlib.Path("/dev/null")).returncode)


def test_formats(context, folder, name, *options):
    """What the documentation of each reader asks for."""
    def text(format):
        done = context.check(folder, "--format", format, "--max-graph-breaks", "0", "--max-recompiles", "0", "--no-errors", *options)
        return done.stdout.decode()
    plain = json.loads(text("json"))
    context.tap.point(f"{name}: there is something to say", plain["violations"])
    lines = text("github").splitlines()
    context.tap.empty(f"{name}: github: a line is a command", [line for line in lines[:-1] if not GITHUB.fullmatch(line)])
    context.tap.point(f"{name}: github: no more than it shows", len([line for line in lines if line.startswith("::error")]) <= 10)
    issues = json.loads(text("gitlab"))
    context.tap.equal(f"{name}: gitlab: fields", [set()] * len(issues),
                      [{"description", "check_name", "fingerprint", "severity", "location"} - set(issue) for issue in issues])
    context.tap.empty(f"{name}: gitlab: severities and places", [issue for issue in issues if issue["severity"] not in
                      ("info", "minor", "major", "critical", "blocker") or issue["location"]["lines"]["begin"] < 1 or
                      issue["location"]["path"].startswith("/")])
    context.tap.equal(f"{name}: gitlab: each has its own fingerprint", len(issues), len({issue["fingerprint"] for issue in issues}))
    suite = xml.etree.ElementTree.fromstring(text("junit"))[0]
    failures = suite.findall("testcase/failure")
    context.tap.equal(f"{name}: junit: what failed", ({v["rule"] for v in plain["violations"]}, str(len(failures))),
                      ({f.get("type") for f in failures}, suite.get("failures")))
    log = json.loads(text("sarif"))["runs"][0]
    rules = [rule["id"] for rule in log["tool"]["driver"]["rules"]]
    wrong = [r for r in log["results"] if rules[r["ruleIndex"]] != r["ruleId"] or len(r["locations"]) != 1 or "://" in
             r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] or not r["partialFingerprints"]["pt2trace/v1"]]
    context.tap.empty(f"{name}: sarif: results as code scanning takes them", wrong)
    context.tap.equal(f"{name}: sarif: as many as there are", len(plain["violations"]), len(log["results"]))


def test_summary_of_step(context):
    summary = context.temp / "summary.md"
    env = {"PATH": "/usr/bin:/bin", "GITHUB_STEP_SUMMARY": str(summary)}
    context.check("graph_breaks", "--format", "github", "--max-graph-breaks", "0", env=env)
    context.check("graph_breaks", "--format", "github", "--max-graph-breaks", "0", env=env)
    context.tap.equal("the summary of a step is added to", 2, summary.read_text().count("### :x: pt2trace check failed"))


def test_places(context):
    sources = context.temp / "sources" / "work"
    sources.mkdir(parents=True)
    plain = json.loads(context.check("graph_breaks", "--format", "json", "--max-graph-breaks", "0").stdout)["violations"]
    name = pathlib.Path(plain[0]["file"]).name
    (sources / name).write_text("")
    found = json.loads(context.check("graph_breaks", "--format", "json", "--max-graph-breaks", "0", "--source-root",
                                     sources.parent).stdout)["violations"]
    context.tap.equal("places are relative to the sources", {f"work/{name}", name} & {v["file"] for v in found}, {v["file"] for v in found})


STEP = re.compile(r"^      run: (.*)$", re.M)


def test_ci_files(context, source):
    """The commands of the action and of the template, as a runner would give them to a shell."""
    path = context.testdata / "graph_breaks" / "trace"
    steps = STEP.findall((source / "tools" / "ci" / "action.yml").read_text())
    context.tap.equal("action: its steps", 3, len(steps))
    for limits, status in (("--max-graph-breaks 0", 1), ("--max-graph-breaks 100", 0)):
        env = {"PATH": f"{context.pt2trace.parent}:/usr/bin:/bin", "TRACE": str(path), "LIMITS": limits, "INSTALL": "", "REPORT": str(context.temp / "report")}
        codes = [run("bash", "-e", "-c", step, env=env).returncode for step in steps]
        context.tap.equal(f"action: {limits}", [0, 0, status], codes)
    context.tap.point("action: the report", (context.temp / "report" / "index.html").is_file())
    template = (source / "tools" / "ci" / "gitlab.yml").read_text()
    commands = re.findall(r"^    - (pt2trace .*)$", template, re.M)
    env = {"PATH": f"{context.pt2trace.parent}:/usr/bin:/bin", "PT2TRACE_PATH": str(path), "PT2TRACE_LIMITS": "--max-graph-breaks 0"}
    codes = [run("bash", "-e", "-c", command, env=env, cwd=context.temp).returncode for command in commands]
    context.tap.equal("template: its commands", [1, 0, 1, 1], codes)
    named = re.search(r"codequality: (\S+)\n      junit: (\S+)", template).groups()
    context.tap.empty("template: what it names is there", [name for name in named if not (context.temp / name).is_file()])


def main(pt2trace, testdata, source):
    keep(pt2trace)
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="pt2trace-check-") as temp:
        context = Context(tap, pathlib.Path(pt2trace).resolve(), pathlib.Path(testdata).resolve(), temp)
        for test in (test_limits, test_unknown, test_allowances, test_policy, test_baseline, test_usage, test_summary_of_step, test_places):
            test(context)
        test_formats(context, "graph_breaks", "a real trace")
        folder = context.temp / "hostile"
        folder.mkdir()
        hostile.write(folder)
        test_formats(context, folder, "a hostile trace")
        test_ci_files(context, pathlib.Path(source))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
