#!/usr/bin/env python3
"""`pt2trace index`: a database of many runs, and the page of how they changed. Also the tables of `export`, as it shares them.

    test_index.py PT2TRACE TESTDATA [--some] [KILLS]

With --some, each fourth trace is compared with its report. KILLS is how often it is killed in the middle, 12 by default. Prints TAP.
"""

import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter

from program import Program
from tap import Tap, trace_folders
from writer import Writer

DONE, USAGE, IO = 0, 2, 3
KILLS = 12
HOSTILE = "<script>alert(1)</script>"
COUNTS = ("ranks", "processes", "frames", "compiles", "attempts", "graph_breaks", "recompiles", "recompile_limit_hits", "errors",
          "cache_hits", "cache_misses", "cache_bypasses", "records", "compile_wall_s")


class Context:
    def __init__(self, tap, program, testdata, kills):
        self.tap, self.program, self.testdata, self.kills = tap, program, testdata, kills
        self.temp = program.temp
        self.count = 0

    def new(self, suffix=""):
        self.count += 1
        return self.temp / f"{self.count}{suffix}"

    def index(self, db, *words, want=DONE):
        done = self.program.run("index", db, *words)
        if done.returncode != want:
            raise RuntimeError(f"{words}: exit {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode()

    def report(self, *paths):
        out = self.new()
        self.program.run("report", "-q", "--no-browser", "-o", out, *paths)
        return json.loads((out / "report.json").read_text())


def rows(db, sql, *values):
    with sqlite3.connect(db) as connection:
        return connection.execute(sql, values).fetchall()


def dump(db):
    """Everything in a database, in words."""
    with sqlite3.connect(db) as connection:
        return "\n".join(connection.iterdump())


def trace(folder, name="dedicated_log_torch_trace_rank_0_x.log", ms=0, recompiles=0, breaks=(), error=None, function="step", seconds=0.1,
          pid=100, slow="slow"):
    """A run of train.py."""
    folder.mkdir(parents=True, exist_ok=True)
    w = Writer(pid=pid, rank=0, ms=ms)
    for number in range(1 + recompiles):
        w.compile(0, number, function=function)
    for number, line in enumerate(breaks):
        id = {"frame_id": 1 + number, "frame_compile_id": 0, "attempt": 0}
        w.start(function, 3, **id)
        w.artifact("dynamo_graph_break_reason", f"Graph break in user code at /x/model.py:{line}\nGraph Break Reason: {HOSTILE} break\n"
                   f"  Explanation: no\nUser code traceback:\n  File \"/x/model.py\", line {line}, in g\n    x\n", **id)
        w.metrics(seconds=0.1, id=id, graph_op_count=0)
    if error:
        id = {"frame_id": 90, "frame_compile_id": 0, "attempt": 0}
        w.start(function, 3, **id)
        w.metrics(seconds=0.1, id=id, **{"fail_type": error, "fail_reason": "no", "fail_user_frame_filename": "/x/model.py"})
    id = {"frame_id": 95, "frame_compile_id": 0, "attempt": 0}
    w.ms += int(seconds * 1000)
    w.start(slow, 50, **id)
    w.record("dynamo_output_graph", {"sizes": {}}, "class GraphModule:\n    pass\n", **id)
    w.metrics(seconds=seconds, id=id, graph_op_count=2)
    (folder / name).write_bytes(w.data)
    return folder


# --- what is in it --------------------------------------------------------------------------------------------------------------

def contents(context, folders):
    problems, db = [], context.new(".db")
    for folder in folders:
        context.index(db, "-q", folder)
        report = context.report(folder)
        found = rows(db, "SELECT r.* FROM runs r JOIN sources s ON s.id = r.source WHERE s.path = ?", str(folder))
        names = [row[1] for row in rows(db, "PRAGMA table_info(runs)")]
        if report["totals"]["runs"] != len(found):
            problems.append(f"{folder}: {len(found)} runs, not {report['totals']['runs']}")
        elif len(found) == 1:
            run = dict(zip(names, found[0]))
            problems += [f"{folder}: {name} is {run[name]}, not {report['totals'][name]}" for name in COUNTS
                         if run[name] != report["totals"][name]]
            for table in ("compiles", "graph_breaks", "recompiles", "findings", "errors", "phases", "caches"):
                n = rows(db, f"SELECT count(*) FROM {table} WHERE in_run = ?", run["id"])[0][0]
                if n != len(report[table]):
                    problems.append(f"{folder}: {n} {table}, not {len(report[table])}")
            ranks = rows(db, "SELECT count(*), sum(compiles), sum(recompiles) FROM ranks WHERE run = ?", run["id"])[0]
            if ranks[0] != report["totals"]["processes"] or ranks[1] != report["totals"]["compiles"]:
                problems.append(f"{folder}: ranks {ranks}")
    context.tap.empty(f"{len(folders)} real traces: what a report counts", problems)


def several_runs(context):
    folder = context.new()
    trace(folder, "dedicated_log_torch_trace_rank_0_a.log", recompiles=2)
    trace(folder, "dedicated_log_torch_trace_rank_0_b.log", ms=7_200_000, pid=200)
    trace(folder / "inner", "dedicated_log_torch_trace_rank_0_c.log", ms=14_400_000, recompiles=1, pid=300)
    db = context.new(".db")
    context.index(db, folder)
    found = rows(db, "SELECT s.path, r.number, r.program, r.recompiles FROM runs r JOIN sources s ON s.id = r.source ORDER BY r.id")
    context.tap.equal("runs of one directory are kept apart, and its folders",
                      [(str(folder), 0, "model.py", 2), (str(folder), 1, "model.py", 0), (str(folder / "inner"), 0, "model.py", 1)], found)


# --- doing it again -------------------------------------------------------------------------------------------------------------

def incremental(context):
    folder, db = context.new(), context.new(".db")
    for number, name in enumerate("abc"):
        trace(folder / name, pid=100 + number)
    first = context.index(db, folder)
    before = dump(db)
    context.tap.point("all is read the first time", "3 runs from 3 places; 0 had not changed" in first, first)
    again = context.index(db, folder)
    context.tap.point("nothing the second time", "0 runs from 0 places; 3 had not changed" in again and dump(db) == before, again)
    path = next((folder / "b").iterdir())
    os.utime(path, (1, 1))
    touched = context.index(db, folder)
    context.tap.point("nor when only a time changed", "3 had not changed" in touched, touched)
    touched = rows(db, "SELECT mtime_ns FROM files WHERE path = ?", str(path))
    context.tap.equal("which is noted", [(10**9,)], touched)
    trace(folder / "b", recompiles=3, pid=101)
    changed = context.index(db, folder)
    context.tap.point("a changed file is read", "1 runs from 1 places; 2 had not changed" in changed, changed)
    context.tap.equal("and takes the place of what was there", [(0,), (0,), (3,)], rows(db, "SELECT recompiles FROM runs ORDER BY 1"))
    trace(folder / "b", "dedicated_log_torch_trace_rank_0_y.log", recompiles=1, pid=200)
    context.tap.point("so is one that is new in its folder", "1 places" in context.index(db, folder))
    fresh = context.new(".db")
    context.index(fresh, folder)
    counts = "SELECT s.path, r.compiles, r.recompiles, r.records FROM runs r JOIN sources s ON s.id = r.source ORDER BY 1"
    context.tap.equal("the runs are those of a new database", rows(fresh, counts), rows(db, counts))


def removed(context):
    """What is taken out leaves no row behind; what is not in it is said, and files stay."""
    folder, db = context.new(), context.new(".db")
    for number, name in enumerate(("a", "a/b", "ab")):
        trace(folder / name, recompiles=1, pid=100 + number)
    context.index(db, folder / "a", folder / "ab")
    gone = context.index(db, "--remove", f"{folder / 'a'}/")
    context.tap.point("a path is removed with what lies below it", "Removed   2 runs" in gone, gone)
    context.tap.equal("others stay", [(str(folder / "ab"),)], rows(db, "SELECT path FROM sources"))
    alone = context.new(".db")
    context.index(alone, folder / "ab")
    tables = [name for name, in rows(db, "SELECT name FROM sqlite_schema WHERE type = 'table'")]
    context.tap.equal("every table has as many rows as without those runs",
                      {name: rows(alone, f"SELECT count(*) FROM {name}") for name in tables},
                      {name: rows(db, f"SELECT count(*) FROM {name}") for name in tables})
    context.tap.point("files are left alone", (folder / "a" / "b").is_dir())
    before = dump(db)
    done = context.program.run("index", db, "--remove", folder / "a")
    context.tap.point("what is not in it is said", done.returncode == IO and b"no run from" in done.stderr and dump(db) == before, done.stderr)
    context.tap.equal("without a path it is a wrong use", USAGE, context.program.run("index", db, "--remove").returncode)
    shutil.rmtree(folder / "ab")
    context.index(db, "-q", "--remove", folder / "ab")
    context.tap.equal("a path whose files are gone can be removed", [], rows(db, "SELECT id FROM runs"))


def refused(context):
    """A statement fails in the middle: its reason is reported, and all is as before."""
    folder, db, full = context.new(), context.new(".db"), context.new(".db")
    trace(folder / "a", recompiles=1)
    trace(folder / "b", recompiles=2, breaks=[7], error="ValueError")
    context.index(db, folder / "a")
    context.index(full, folder / "b")
    tables = [name for name, in rows(full, "SELECT name FROM sqlite_schema WHERE type = 'table'") if rows(full, f"SELECT 1 FROM {name}")]
    added = [f"INSERT ON {name}" for name in tables]
    for event, words in (("DELETE ON sources", ("--remove", folder / "a")), *((event, (folder / "b",)) for event in ("UPDATE ON sources", *added))):
        with contextlib.closing(sqlite3.connect(db)) as file:
            file.execute(f"CREATE TRIGGER refused BEFORE {event} BEGIN SELECT RAISE(ABORT, 'the disk said no'); END")
        before = dump(db)
        done = context.program.run("index", db, *words)
        context.tap.point(f"{event} fails: the reason is reported", done.returncode == IO and f"{db}: the disk said no.".encode() in done.stderr, done)
        context.tap.equal(f"{event} fails: nothing is changed", before, dump(db))
        with contextlib.closing(sqlite3.connect(db)) as file:
            file.execute("DROP TRIGGER refused")


def copies(context):
    """The same files in another folder are the same run."""
    folder, db = context.new(), context.new(".db")
    trace(folder / "a", recompiles=1)
    context.index(db, folder)
    shutil.copytree(folder / "a", folder / "b")
    said = context.index(db, folder)
    context.tap.point("a copy is said to be one", "0 runs from 1 places; 1 had not changed; 1 is a copy of another" in said, said)
    context.tap.equal("and is no run", [(str(folder / "a"),)], rows(db, "SELECT s.path FROM runs r JOIN sources s ON s.id = r.source"))
    again = context.index(db, folder)
    context.tap.point("it is not read again", "2 had not changed" in again, again)
    context.index(db, "-q", "--remove", folder / "a")
    shutil.rmtree(folder / "a")
    context.index(db, "-q", folder)
    context.tap.equal("without the other it is the run", [(str(folder / "b"),)], rows(db, "SELECT s.path FROM runs r JOIN sources s ON s.id = r.source"))
    trace(folder / "c", recompiles=1)
    context.index(db, "-q", folder)
    gone = context.index(db, "--remove", folder / "c")
    context.tap.point("a copy can be removed", "Removed   0 runs" in gone, gone)


def described(context):
    """Commit, host and label; commands that `pt2trace run` noted."""
    folder, db, out = context.new(), context.new(".db"), context.new()
    hour = 3_600_000
    for number, command in enumerate(("python train.py --lr 1", "python3 /x/train.py --lr 2", "python train.py --model other")):
        trace(folder / str(number), ms=number * hour, pid=100 + number, recompiles=number)
        (folder / str(number) / "run.json").write_text(json.dumps(
            {"schema": "pt2trace-run", "version": 1, "command": command, "trials": []}))
        context.index(db, "-q", folder / str(number), "--commit", f"c{number}", "--host", "h1")
    found = rows(db, "SELECT commit_id, host, label FROM runs ORDER BY id")
    context.tap.equal("what was said of runs", [(f"c{n}", "h1", None) for n in range(3)], found)
    context.index(db, "-q", folder, "--label", "night")
    context.tap.equal("a label for runs that are known", [("c0", "night"), ("c1", "night"), ("c2", "night")],
                      rows(db, "SELECT commit_id, label FROM runs ORDER BY id"))
    trace(folder / "other", ms=9 * hour, pid=109, recompiles=9)
    context.index(db, "-q", folder / "other", "--label", "day")
    context.tap.equal("runs of another label are not compared", [(None,)], rows(db, "SELECT before FROM run_pairs ORDER BY run DESC LIMIT 1"))
    context.index(db, "--report", "-o", out)
    text = (out / "index.html").read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    context.tap.point("its policy refuses all but its own scripts", policy and "default-src" in policy[1] and "sha256-" in policy[1], policy and policy[1])
    context.tap.point("the page names the commit that changed it", "commit <code>c1</code>, night" in text and "<td>h1</td>" in text)
    commands = rows(db, "SELECT r.command, b.command FROM run_pairs JOIN runs r ON r.id = run LEFT JOIN runs b ON b.id = before ORDER BY run LIMIT 3")
    context.tap.equal("commands that differ in more than numbers and directories are other programs", [
        ("python train.py --lr 1", None), ("python3 /x/train.py --lr 2", "python train.py --lr 1"), ("python train.py --model other", None)], commands)


def killed(context):
    folder = context.new()
    sources = trace_folders(context.testdata)[:24]
    for number, source in enumerate(sources):
        shutil.copytree(source, folder / f"{number:02}")
    whole = context.new(".db")
    started = time.monotonic()
    context.index(whole, "-q", folder)
    seconds = time.monotonic() - started
    randomness, db, interrupted = random.Random(1), context.new(".db"), 0
    for _ in range(context.kills):
        child = subprocess.Popen(context.program.command("index", "-q", db, folder), env=context.program.env(), stderr=subprocess.DEVNULL)
        time.sleep(randomness.uniform(0, seconds / 3))
        child.send_signal(signal.SIGKILL)
        interrupted += child.wait() == -signal.SIGKILL
    partly = rows(db, "SELECT count(*) FROM runs")[0][0] if rows(db, "SELECT count(*) FROM sqlite_schema")[0][0] else 0
    context.index(db, "-q", folder)
    context.tap.point(f"killed {interrupted} times in the middle (then with {partly} runs), and run again: nothing is missing or twice",
                      interrupted > 0 and dump(db) == dump(whole))


# --- the page -------------------------------------------------------------------------------------------------------------------

def page(context):
    folder, db, out = context.new(), context.new(".db"), context.new()
    hour = 3_600_000
    trace(folder / "1", ms=0)
    trace(folder / "2", ms=hour)
    context.index(db, "-q", folder, "--report", "-o", out)
    text = (out / "index.html").read_text()
    context.tap.point("equal runs: nothing got worse", "2 runs, 0 regressions" in text)
    trace(folder / "3", ms=2 * hour, recompiles=2, breaks=(7, 9), error="ValueError", seconds=30)
    trace(folder / "4", ms=3 * hour, recompiles=2, breaks=(8, 9), error="ValueError", seconds=31)
    context.index(db, "-q", folder, "--report", "-o", out, "--overwrite", "--title", "Night & day")
    text = (out / "index.html").read_text()
    kinds = sorted(line.split('badge warning">')[1].split("<")[0] for line in text.splitlines() if "badge warning" in line)
    context.tap.equal("what got worse is shown once, and not again in the next run", ["compile time", "error", "graph break", "recompiles"], kinds)
    context.tap.point("with all runs and the title", "4 runs, 4 regressions" in text and "Night &amp; day" in text)
    context.tap.point("no text of a trace is markup", HOSTILE not in text and "&lt;script&gt;" in text)
    context.tap.point("it runs its filter alone, and fetches nothing", text.count("<script") == 1 and "http" not in text.split("<main>")[1])
    empty = context.new()
    context.index(context.new(".db"), "--report", "-o", empty)
    context.tap.point("a database without a run has a page", "0 runs" in (empty / "index.html").read_text())


def compared(context):
    """Only what has the same functions is compared; what may be why comes first; a gate for a CI."""
    folder, db, out = context.new(), context.new(".db"), context.new()
    hour = 3_600_000
    trace(folder / "1", ms=0)
    trace(folder / "2", ms=hour, function="other", slow="else", recompiles=4, breaks=(7,), error="ValueError", seconds=9)
    context.index(db, "-q", folder)
    context.tap.equal("programs of one name without a common function are not compared", [(None,), (None,)],
                      rows(db, "SELECT before FROM run_pairs"))
    done = context.program.run("index", db, "--gate", "--report", "-o", out)
    context.tap.point("a gate that passes", done.returncode == DONE and b"0 regressions in the newest runs" in done.stdout, done)
    context.tap.equal("two programs on the page", 2, (out / "index.html").read_text().count("<summary>1 run</summary>"))
    trace(folder / "3", ms=2 * hour, recompiles=3)
    done = context.program.run("index", db, folder, "--gate")
    context.tap.point("the previous run is one of the same program", rows(db, "SELECT before FROM run_pairs ORDER BY run") == [(None,), (None,), (1,)])
    said = " ".join(done.stdout.decode().split())
    context.tap.point("a gate that fails, and says how", done.returncode == 1 and "recompiles: step at model.py:3 (before 0, now 3)" in said
                      and "1 regression in the newest runs" in said, said)
    trace(folder / "4", ms=3 * hour, recompiles=3)
    done = context.program.run("index", db, folder, "--gate")
    context.tap.point("what an earlier run did is over", done.returncode == DONE, done)
    with sqlite3.connect(db) as connection:
        connection.execute("UPDATE runs SET pytorch = CASE id WHEN 3 THEN '2.14.0' ELSE '2.13.0' END, settings = 'a=1'")
    context.index(db, "--report", "-o", out)
    text = (out / "index.html").read_text()
    kinds = [part.split("<")[0] for part in text.split('<span class="badge ')[1:] for part in [part.split('">')[1]]]
    context.tap.equal("another PyTorch is said first, and is no regression", (["PyTorch", "PyTorch", "recompiles"], True),
                      (kinds, "4 runs, 1 regression<" in text))
    context.tap.point("the charts mark the run that changed it, and there is none of what is always 0", text.count('class="bar worse"') == 3 and "<td>recompiles</td>" in text,
                      text.count('class="bar worse"'))
    context.tap.point("a database without runs passes", context.program.run("index", context.new(".db"), "--gate").returncode == DONE)


# --- what is wrong --------------------------------------------------------------------------------------------------------------

def wrong(context):
    folder = trace(context.new())
    foreign = context.new(".db")
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE mine (x)")
    text = context.new(".db")
    text.write_text("mine\n" * 1000)
    for path, what in ((foreign, "a database of something else"), (text, "a file that is no database"), (folder, "a directory")):
        before = path.read_bytes() if path.is_file() else None
        done = context.program.run("index", path, folder)
        context.tap.point(f"{what} is refused by name and left alone", done.returncode == IO and str(path) in done.stderr.decode() and
                          (before is None or path.read_bytes() == before), done)
    db = context.new(".db")
    done = context.program.run("index", db, context.temp / "nothing", folder)
    context.tap.point("a path that is not there fails; the others are indexed",
                      done.returncode == IO and b"nothing" in done.stderr and rows(db, "SELECT count(*) FROM runs") == [(1,)], done)
    for words in ((), (db,), (db, "--bad")):
        context.tap.equal(f"usage: index with {len(words)} words", USAGE, context.program.run("index", *words).returncode)
    out = context.new()
    out.mkdir()
    (out / "mine").write_text("x")
    done = context.program.run("index", db, "--report", "-o", out)
    context.tap.point("a directory of somebody else's stays", done.returncode == IO and [p.name for p in out.iterdir()] == ["mine"], done)


# --- export ---------------------------------------------------------------------------------------------------------------------

def flat(value):
    """As it is in a database."""
    if isinstance(value, bool):
        return int(value)
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False) if isinstance(value, (dict, list)) else value


def same(row, columns, found):
    """Whether every member of a row is in its column."""
    have = dict(zip(columns, found))
    for name, value in row.items():
        if name in have:
            known = have[name]
            same = json.loads(known) == value if isinstance(value, (dict, list)) and known is not None else known == flat(value)
            if not same:
                return f"{name}: {known!r}, not {value!r}"
        elif not (isinstance(value, dict) and any(column.startswith(name + "_") for column in columns)):
            return f"{name} has no column"
    return None


def tables(context):
    problems, names = [], set()
    for folder in trace_folders(context.testdata):
        out, db = context.new(), context.new(".db")
        context.program.run("export", "--format", "tables", "-o", f"{out}/", folder)
        context.program.run("export", "--format", "sqlite", "-o", db, folder)
        for path in sorted(out.glob("*.jsonl")):
            lines = [json.loads(line) for line in path.read_text().splitlines()]
            columns = [row[1] for row in rows(db, f"PRAGMA table_info({path.stem})")]
            found = rows(db, f"SELECT * FROM {path.stem}")
            names |= {path.stem} if lines else set()
            if len(found) != len(lines):
                problems.append(f"{path}: {len(found)} rows, not {len(lines)}")
            problems += filter(None, (same(*pair) for pair in zip(lines, [columns] * len(lines), found)))
    context.tap.empty("every member of every row is in a column of its table", sorted(set(problems)))
    context.tap.equal("real traces fill all tables", {"inputs", "findings", "graph_breaks", "recompiles", "errors", "phases", "compiles",
                                                      "configurations", "caches", "symbols", "kernels"}, names)
    db = context.new(".db")
    db.write_text("what was there")
    context.program.run("export", "--format", "sqlite", "-o", db, context.testdata / "hello/trace")
    context.tap.equal("a file that was there is replaced by a whole database", [("ok",)], rows(db, "PRAGMA integrity_check"))
    done = context.program.run("export", "--format", "sqlite", "-o", context.temp / "no" / "x.db", context.testdata / "hello/trace")
    context.tap.equal("a database that cannot be made", IO, done.returncode)
    done = context.program.run("export", "--format", "sqlite", context.testdata / "hello/trace")
    context.tap.equal("a database is no stream", USAGE, done.returncode)


def documented(context):
    """The queries of docs/tables.md give rows."""
    text = pathlib.Path(__file__).parents[2].joinpath("docs/tables.md").read_text()
    blocks = [block.split("```")[0] for block in text.split("```sql\n")[1:]]
    db, index = context.new(".db"), context.new(".db")
    context.program.run("export", "--format", "sqlite", "-o", db, *trace_folders(context.testdata))
    context.index(index, "-q", *trace_folders(context.testdata))
    problems = []
    for block in blocks:
        if "read_json" in block:
            continue
        try:
            if not rows(index if "in_run" in block or "run_pairs" in block else db, block):
                problems.append(f"no rows: {block}")
        except sqlite3.Error as error:
            problems.append(f"{error}: {block}")
    context.tap.point("docs/tables.md has queries", len(blocks) >= 4, blocks)
    context.tap.empty("each of them gives rows", problems)
    described = {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")}
    there = {row[0] for path in (db, index) for row in rows(path, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")}
    context.tap.equal("it describes all tables, and no other", there, described)


def report_of(context, *names):
    return json.loads(context.program.run("export", "--format", "json", *(context.testdata / name / "trace" for name in names)).stdout)


def database_of(context, *names):
    db = context.new(".db")
    context.program.run("export", "--format", "sqlite", "-o", db, *(context.testdata / name / "trace" for name in names))
    return db


def query(begins):
    """One of docs/tables.md, by the sentence before it."""
    text = pathlib.Path(__file__).parents[2].joinpath("docs/tables.md").read_text()
    return text.split(begins)[1].split("```sql\n")[1].split("```")[0]


def meaning(context):
    """The queries of docs/tables.md answer what stands above them; the answers are computed from report.json."""
    report, db = report_of(context, "ranks_cache"), database_of(context, "ranks_cache")
    asked = {}
    for cache in report["caches"]:
        if cache["rank"] is not None:
            asked.setdefault((cache["layer"], cache["compile"], cache["epoch"]), {}).setdefault(cache["outcome"], set()).add(str(cache["rank"]))
    expected = sorted((layer, compile_, sorted(who["miss"]), sorted(who["hit"])) for (layer, compile_, _), who in asked.items()
                      if "miss" in who and "hit" in who)
    found = sorted((layer, compile_, sorted(missed.split(",")), sorted(hit.split(",")))
                   for layer, compile_, missed, hit in rows(db, query("Ranks that missed a cache")))
    context.tap.point("there are ranks that missed what others hit", expected, expected)
    context.tap.equal("the query on caches names them", expected, found)
    context.tap.empty("in a program of one process there are none", rows(database_of(context, "caches_cold"), query("Ranks that missed a cache")))
    report, db = report_of(context, "recompiles"), database_of(context, "recompiles")
    slowest = sorted(report["compiles"], key=lambda compile_: -compile_["duration_s"])[:5]
    expected = [(compile_["id"], call["file"], call["line"]) for compile_ in slowest for call in compile_["stack"] if "/torch/" not in call["file"]]
    found = [(row[1], row[3], row[4]) for row in rows(db, query("The calls of your code"))]
    context.tap.equal("the query on stacks has the calls that led to slow compiles, outermost first", expected, found)
    context.tap.point("there are some", len(expected) >= 5, expected)
    why = Counter()
    for recompile in report["recompiles"]:
        why[recompile["frame"]["name"], (recompile["reasons"] or [{"class": None}])[0]["class"]] += 1
    context.tap.equal("the query on recompiles counts them by function and kind", dict(why),
                      {(name, kind): times for name, kind, times, _ in rows(db, query("Why frames were compiled again"))})
    report, db = report_of(context, "graph_breaks"), database_of(context, "graph_breaks")
    met = Counter()
    for graph_break in report["graph_breaks"]:
        met[graph_break["type"], graph_break["file"], graph_break["line"]] += graph_break["count"]
    found = [(kind, file, line, times) for kind, file, line, times in rows(db, query("The graph breaks that most compiles met"))]
    context.tap.equal("the query on graph breaks has the most frequent ones", sorted(met.values(), reverse=True)[:10], [row[3] for row in found])
    context.tap.empty("and counts each", [row for row in found if met[row[:3]] != row[3]])


def keys_join(context):
    """What has a compile has a row in `compiles`, found by the columns that docs/tables.md names."""
    for name in ("ranks_cache", "caches_cold", "resets", "fork", "graph_breaks-2.5.1", "compiled_autograd"):
        db = database_of(context, name)
        for table in ("caches", "kernels", "symbols", "errors"):
            lost = rows(db, f"SELECT x.compile FROM {table} x LEFT JOIN compiles c ON c.process = x.process AND c.epoch = x.epoch AND "
                            "c.id = x.compile WHERE x.compile IS NOT NULL AND x.compile NOT LIKE '!%' AND c.id IS NULL")
            context.tap.empty(f"{name}: rows of {table} find their compile", lost)
    found = rows(database_of(context, "aoti"), "SELECT count(*) FROM configurations")
    context.tap.equal("configurations are there where no compile has an id", [(len(report_of(context, "aoti")["configurations"]),)], found)


def main():
    some = "--some" in sys.argv
    pt2trace, testdata, *kills = (word for word in sys.argv[1:] if word != "--some")
    tap = Tap()
    with tempfile.TemporaryDirectory() as temp:
        program = Program(pt2trace, temp)
        if b"no SQLite" in program.run("--version").stdout:
            tap.skip("index", "built without SQLite")
            sys.exit(tap.end())
        context = Context(tap, program, pathlib.Path(testdata).resolve(), int(kills[0]) if kills else KILLS)
        contents(context, trace_folders(context.testdata)[:: 4 if some else 1])
        for test in (several_runs, incremental, removed, refused, copies, described, killed, page, compared, wrong, tables, documented, meaning, keys_join):
            test(context)
    sys.exit(tap.end())


if __name__ == "__main__":
    main()
