#!/usr/bin/env python3
"""Errors in reports on ranks and in exports that were found once, each with a trace of its own, and larger traces beside the repository.

usage: test_parity.py PT2TRACE SOURCE_ROOT SHARED

Prints TAP. The numbers are those of the inputs, counted by a second reader.
"""

import gzip
import json
import pathlib
import sys
import tempfile

from tap import Tap, report_of, trace_folders
from writer import Writer

ID = {"frame_id": 0, "frame_compile_id": 0, "attempt": 0}
CALL = "torch.ops._c10d_functional.all_reduce_.default"
WAIT = "torch.ops._c10d_functional.wait_tensor.default"


class Check:
    def __init__(self, tap, pt2trace, root, shared, temp):
        self.tap, self.pt2trace, self.root, self.shared, self.temp = tap, pt2trace, root, shared, temp

    def report(self, folder):
        return report_of(self.pt2trace, self.temp / "report", folder)

    def made(self, name, files):
        """The report of a directory with these files."""
        folder = self.temp / name
        folder.mkdir()
        for file, data in files.items():
            (folder / file).write_bytes(data)
        return self.report(folder)


def name_of(rank, suffix="log"):
    return f"dedicated_log_torch_trace_rank_{rank}_x.{suffix}"


def of_rank(rank, pid=0, functions="f"):
    writer = Writer(rank=rank, pid=pid or 100 + rank)
    for number, function in enumerate(functions):
        writer.compile(number, 0, function=function, line=10 * (number + 1), co_name=function, co_filename="/x/model.py")
    return writer.data


def with_code(writer, number, waits, calls=1, scheduled=1):
    """A compile that schedules a collective and its wait, or more of them; its code has so many."""
    id = {**ID, "frame_compile_id": number}
    writer.compile(0, number)
    writer.artifact("inductor_collective_schedule", json.dumps([CALL, WAIT] * scheduled), "json", **id)
    code = [f"# {number}", *(f"    {CALL}(buf{i}, 'sum', '0')" for i in range(calls)), *(f"    {WAIT}(buf{i})" for i in range(waits))]
    writer.record("inductor_output_code", {"filename": "/tmp/c.py"}, "\n".join(code), **id)


def mismatches(report):
    return [(m["id"], m["scheduled"], m["emitted"], m["scheduled_waits"], m["waits"]) for m in report["ranks"]["schedule_mismatches"]]


def test_waits_of_one_rank(check):
    """The code of a single rank is compared with its schedule."""
    writer = Writer(rank=0)
    for number, waits, calls in ((0, 1, 1), (1, 0, 1), (2, 1, 2)):
        with_code(writer, number, waits, calls)
    report = check.made("one rank", {name_of(0): writer.data})
    check.tap.equal("one rank: code without its wait, and with a call too many", [("0/1", 1, 1, 1, 0), ("0/2", 1, 2, 1, 1)], mismatches(report))
    titles = [f["title"] for f in report["findings"] if f["id"] == "collective-parity"]
    check.tap.point("one rank: it is a finding, which counts the others", len(titles) == 1 and "1 more compile" in titles[0], titles)


def test_waits_of_alike(check):
    """Code that ranks have in common is wrong on each of them."""
    files = {}
    for rank in (0, 1, 2):
        writer = Writer(rank=rank, pid=100 + rank)
        with_code(writer, 0, waits=rank == 2)
        files[name_of(rank)] = writer.data
    check.tap.equal("two of three ranks: both are named", [("[0/0] on ranks 0, 1", [0, 1])], parities(check.made("alike", files)))


def parities(report):
    return [(f["title"].removeprefix("The generated code of ").split(" lacks")[0].split(" calls")[0], f["ranks"])
            for f in report["findings"] if f["id"] == "collective-parity"]


def test_waits_of_one_of_many(check):
    """The program is the same on all ranks, the code of one is not; or the code is, and what one scheduled is not."""
    files = {}
    for rank in (0, 1, 2):
        writer = Writer(rank=rank, pid=100 + rank)
        with_code(writer, 0, waits=rank != 2)
        files[name_of(rank)] = writer.data
    check.tap.equal("the last rank's code lacks a wait: it is named", [("[0/0] on rank 2", [2])], parities(check.made("last", files)))
    for rank in (0, 1, 2):
        writer = Writer(rank=rank, pid=100 + rank)
        with_code(writer, 0, waits=1, scheduled=1 + (rank == 0))
        files[name_of(rank)] = writer.data
    report = check.made("scheduled", files)
    check.tap.equal("another schedule on one rank: the others are not blamed", [("[0/0] on rank 0", [0])], parities(report))
    check.tap.equal("another schedule on one rank: its counts", [("0/0", 2, 1, 2, 1)], mismatches(report))


OWN = "# File: /x/torch/distributed/_functional_collectives.py:209 in all_reduce, code: tensor = torch.ops._c10d_functional.all_reduce("
REDUCE = "tensor: \"f32[8]\" = torch.ops._c10d_functional.all_reduce(%s, 'sum', '0')"


def step_of(rank, nodes, guards=()):
    """The trace of a rank that compiles f at line 5 of /x/model.py."""
    writer = Writer(rank=rank, pid=100 + rank)
    writer.start("f", 5, **ID)
    text = "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[8]\"):\n" + "".join(f"        {n}\n" for n in nodes)
    writer.record("dynamo_output_graph", {"sizes": {}}, text, **ID)
    tree = "TREE_GUARD_MANAGER:\n+- RootGuardManager\n" + "".join(f"| +- {guard}\n" for guard in guards)
    writer.artifact("dynamo_cpp_guards_str", tree, **ID)
    writer.metrics(seconds=0.1, id=ID, graph_op_count=1)
    return writer.data


def guard(line, code):
    return f"ID_MATCH: ___check_obj_id(G['fc'], 1{line})  # {code}  # /x/model.py:{line} in f"


def test_line_of_call(check):
    """Where a graph lacks the line of a collective, the guards of that line do; a rank that lacks the call is named."""
    above, below = ['# File: /x/model.py:6 in f, code: y = x * 2', "y = x * 2"], ['# File: /x/model.py:9 in f, code: return y + 1']
    calls = [*above, OWN, REDUCE % "y", *below, "add = tensor + 1", "return (add,)"]
    lacks = [*above, *below, "add = y + 1", "return (add,)"]
    reduce = guard(8, "y = fc.all_reduce(y, 'sum', group)")
    twice = [*calls[:4], OWN, REDUCE.replace("tensor:", "tensor_1:") % "tensor", *below, "add = tensor_1 + 1"]
    for name, nodes, guards, line in (
            ("one guard names it", calls, [guard(6, "y = x * 2"), reduce], 8),
            ("no guard names it", calls, [guard(6, "y = x * 2")], 9),
            ("the line that does is beyond what uses the result", calls, [guard(12, "z = fc.all_reduce(z)")], 9),
            ("two lines name it", calls, [reduce, guard(7, "fc.all_reduce(y)")], 9),
            ("it is called twice", twice, [reduce], 6)):
        files = {name_of(rank): step_of(rank, lacks if rank == 1 else nodes, guards) for rank in (0, 1, 2)}
        found = check.made(f"line {name}", files)["findings"]
        divergence = [(f["title"].split("graph: ")[1], f["line"]) for f in found if f["id"] == "rank-divergence"]
        check.tap.equal(f"{name}: the line", [line], [at for _, at in divergence])
        check.tap.point(f"{name}: the rank that lacks it", all("rank 1 got `add" in title and "without `all_reduce`" in title for title, _ in divergence),
                        divergence)
        check.tap.equal(f"{name}: the deadlock is on the same line", [line], [f["line"] for f in found if f["id"] == "rank-hang"])


def test_waits_that_fail(check):
    """A rank that fails by itself comes before those that waited for it; a log without times is of the same run."""
    wait = "RuntimeError: [/x/gloo/transport/tcp/pair.cc:553] Connection closed by peer [127.0.0.1]:1"
    lines = {0: wait, 1: "TypeError: f() takes 1 positional argument but 2 were given", 2: wait}
    files = {}
    for rank, error in lines.items():
        text = f'[rank{rank}]: Traceback (most recent call last):\n[rank{rank}]:   File "/x/model.py", line {3 + rank}, in f\n[rank{rank}]:     g(x)\n'
        timed = f"[rank{rank}]:V1122 22:14:0{rank}.000000 {500 + rank} torch/_dynamo/output_graph.py:1] [0/0] [__graph_code] TRACED GRAPH\n"
        files[f"rank{rank}.log"] = ((timed if rank else "") + text + f"[rank{rank}]: {error}\n").encode()
    report = check.made("waits", files)
    check.tap.equal("logs of a job of which one has no times: one run", 1, report["totals"]["runs"])
    cause = [f["id"] for f in report["findings"] if f["id"].startswith("error") and f["ranks"] == [1]]
    check.tap.equal("waits that fail follow from the rank that failed", [cause[0], cause[0]],
                    [f["follows_from"] for f in report["findings"] if f["id"].startswith("error") and f["ranks"] != [1]])


def test_false_digest(check):
    """Code under the digest of other code is not taken for that."""
    files = {}
    for rank in (0, 1):
        writer = Writer(rank=rank, pid=100 + rank)
        for number in range(3):
            with_code(writer, number, 1)
        lines = [at for at, line in enumerate(writer.lines) if b"inductor_output_code" in line]
        digest = json.loads(writer.lines[lines[0]].split(b"] ", 1)[1])["has_payload"]
        false = json.loads(writer.lines[lines[1]].split(b"] ", 1)[1])["has_payload"]
        if rank == 0:
            writer.lines[lines[1]] = writer.lines[lines[1]].replace(false.encode(), digest.encode())
            writer.lines[lines[1] + 1: lines[2]] = [line for line in writer.lines[lines[1] + 1: lines[2]] if WAIT.encode() + b"(" not in line]
        files[name_of(rank)] = writer.data
    check.tap.equal("a digest of other code: only the compile that was changed", ["0/1"], [m[0] for m in mismatches(check.made("digest", files))])


def test_files_twice(check):
    """The same bytes under two names, packed or not, are one rank's."""
    data = {rank: of_rank(rank, functions="fg") for rank in (0, 1)}
    plain = check.made("once", {name_of(rank): data[rank] for rank in data})
    twice = check.made("twice", {**{name_of(rank): data[rank] for rank in data}, name_of(1, "log.gz"): gzip.compress(data[1]),
                                 "dedicated_log_torch_trace_rank_7_x.log": data[0]})
    for key in ("processes", "ranks", "frames", "compiles"):
        check.tap.equal(f"files twice: {key} are counted once", plain["totals"][key], twice["totals"][key])
    check.tap.equal("files twice: each is named", 2, sum(message["count"] for message in twice["messages"] if message["code"] == "file-repeated"))


def test_rank_in_name(check):
    """Records say another rank than the name of the file: it is said, with what was done."""
    report = check.made("names", {name_of(0): of_rank(0), "dedicated_log_torch_trace_rank_3_x.log": of_rank(0, pid=444, functions="g")})
    found = [message for message in report["messages"] if message["code"] == "rank-conflict"]
    check.tap.equal("a rank in the name against one in the records: it is a message of that file", ["rank_3"],
                    [part for message in found for part in ("rank_0", "rank_3") if part in str(message["file"])])


def test_frames(check):
    """In every version a compile has the name and the place that its metrics say."""
    wrong, seen = [], 0
    for folder in trace_folders(check.root / "testdata"):
        if not folder.parent.name.startswith(("hello", "graph_breaks-", "recompiles-")):
            continue
        for compile_ in check.report(folder)["compiles"]:
            metrics, frame = compile_["metrics"] or {}, compile_["frame"]
            if metrics.get("co_name") and metrics.get("co_filename"):
                seen += 1
                found = (metrics["co_name"], metrics["co_filename"], metrics.get("co_firstlineno", frame["line"]))
                if found != (frame["name"], frame["file"], frame["line"]):
                    wrong.append(f"{folder.parent.name} [{compile_['id']}]: {found}, {frame}")
    check.tap.empty("frames have the names and places of their metrics", wrong)
    check.tap.point("frames: there are some of each version", seen > 100, seen)


def test_export_of_false(check):
    """A condition that was false for the example is pasted as it held."""
    writer = Writer()
    writer.file("/x/model.py")
    stack = [writer.frame(7, "forward", loc="if a == 0:")]
    writer.record("propagate_real_tensors_provenance", {"expr": "Eq(u0, 0)", "result": "False", "user_stack": stack, "stack": stack,
                  "symbol_to_sources": {}, "frame_locals": {"loc": "if a == 0:", "locals": {"a": ["u0"]}, "symbols": {}}})
    report = check.made("export", {"dedicated_log_torch_trace_x.log": writer.data})
    check.tap.equal("export: what was false is pasted as its opposite", ["torch._check(a != 0)"],
                    [f["paste"] for f in report["findings"] if f["id"] == "data-dependent"])


def texts(check, *lines):
    folder = check.temp / "texts"
    folder.mkdir(exist_ok=True)
    (folder / "log.txt").write_text("\n".join(lines) + "\n")
    return [f["id"] for f in check.report(folder / "log.txt")["findings"]]


def test_texts(check):
    """What a notebook prints of explain(), and single lines out of a log."""
    reason = ("GraphCompileReason(reason='generic_jump TensorVariable()', user_stack=[<FrameSummary file /x/model.py, line 11 in forward>], "
              "graph_break=True)")
    for text in (f"[{reason}]", f" - {reason}", f"Break reasons: [{reason}]"):
        check.tap.equal(f"explain, printed as {text[:16]!r}", ["break-branch"], texts(check, text))
    check.tap.point("a guard that failed, alone", "recompile-size" in texts(check, "tensor 'L['x']' size mismatch at index 0. expected 3, actual 4"))
    check.tap.equal("vLLM's console", ["printed-times"], texts(check, "INFO 11-20 10:00:01 [backends.py:160] Compiling a graph for general shape takes 9.16 s",
                                                         "INFO 11-20 10:00:05 [monitor.py:33] torch.compile takes 13.76 s in total"))


def start(clock, cache, dynamo, graph, pid=7, end=None):
    """The lines of one start of vLLM, whose graph is compiled at once; the total is printed at `end`."""
    lines = (f"[backends.py:9] Using cache directory: /srv/torch_compile_cache/{cache}/rank_0_0/backbone for vLLM's torch.compile",
             f"[backends.py:9] Dynamo bytecode transform time: {dynamo:.2f} s",
             f"[backends.py:9] Compiling a graph for shape 8 takes {graph:.2f} s",
             f"[monitor.py:9] torch.compile takes {dynamo + graph:.2f} s in total")
    return [f"(Engine pid={pid}) INFO 11-20 {end if end and 'total' in line else clock} {line}" for line in lines]


def test_starts(check):
    """Times of vLLM's starts are never added up, nor to what a person says of them."""
    first, other, again = start("10:00:00", "ab12", 5, 30), start("10:10:00", "cd34", 6, 31), start("10:10:00", "ab12", 6, 31)
    cases = {
        "one, beside words of a person": (["It says torch.compile takes 35 s, but look:"] + first, "Compiling took 35.0 s; of that"),
        "two with two caches": (first + other, "Compiled in each of 2 starts (35.00 s, 37.00 s): the cache directory changed from `ab12` to `cd34`"),
        "two with one cache": (first + again, "The text has 2 starts, which compiled each for itself (35.00 s, 37.00 s)"),
        "two processes, one after the other": (first + start("10:10:00", "cd34", 6, 31, 8), "Compiled in each of 2 starts"),
        "two processes at once": (first + start("10:00:00", "cd34", 6, 31, 8), "Compiling took 37.0 s in the slowest process"),
        "a gap": (start("10:00:00", "ab12", 5, 30, end="10:05:00"),
                  "Compiling took 35.00 s (Dynamo 5.00 s, graphs 30.00 s) by vLLM's count, but 5 min 0 s more pass from 10:00:00 to 10:05:00"),
        "a short gap": (start("10:00:00", "ab12", 5, 30, end="10:00:50"), "Compiling took 35.0 s; of that"),
        "a gap shorter than the total": (start("10:00:00", "ab12", 5, 90, end="10:01:20"), "Compiling took 95.0 s; of that"),
    }
    for name, (lines, title) in cases.items():
        (check.temp / "starts.txt").write_text("\n".join(lines) + "\n")
        titles = [f["title"] for f in check.report(check.temp / "starts.txt")["findings"]]
        check.tap.point(f"vLLM's starts: {name}: {titles}", len(titles) == 1 and titles[0].startswith(title))
    for where, fix in (("/srv/", "`VLLM_*` variables"), ("/home/", "`VLLM_CACHE_ROOT`"), ("/other/", "`VLLM_CACHE_ROOT`")):
        later = other if where == "/srv/" else [line.replace("/srv/", where) for line in again]
        if where == "/other/":
            later = [line.replace("torch_compile_cache", "mine") for line in later]
        (check.temp / "starts.txt").write_text("\n".join(first + later) + "\n")
        fixes = [f["fix"] for f in check.report(check.temp / "starts.txt")["findings"]]
        check.tap.point(f"vLLM's starts: why the directory in {where} is another: {fixes}",
                        len(fixes) == 1 and fix in fixes[0] and ("hash" in fixes[0]) == (where != "/home/"))


def refused(limit, reason, name="recompile_limit", function="sell", number=None):
    """A log's message about the limit, which has only the last reason."""
    prefix = f"W1127 10:00:00.000000 77 torch/_dynamo/convert_frame.py:1680] [0/{number or limit}] "
    return [prefix + line for line in (f"torch._dynamo hit config.{name} ({limit})", f"   function: '{function}' (/srv/shop.py:7)",
                                       f"   last reason: 0/{(number or limit) - 1}: {reason}",
                                       'To log all recompilation reasons, use TORCH_LOGS="recompiles".')]


def again(number, reason):
    """The message about one recompile."""
    prefix = f"V1127 10:00:0{number % 10}.000000 77 torch/_dynamo/guards.py:4786] [0/{number}] [__recompiles] "
    return [prefix + line for line in ("Recompiling function sell in /srv/shop.py:7",
                                       "    triggered by the following guard failure(s):", f"    - 0/{number - 1}: {reason}")]


def old_again(value):
    return [f"[2023-04-13 21:42:0{value},179] torch._dynamo.convert_frame.__recompiles: [DEBUG] ('Recompiling function sell in "
            f"/srv/shop.py', \"triggered by the following guard failure: L['t'] == {value}\")"]


SIZE = "tensor 'key' size mismatch at index 1. expected 8, actual 32"
BLOCK = "self.key == 'blocks.6.attn.v.weight'"
INTS = [line for n in range(1, 5) for line in again(n, f"t == {n + 4}")]

# Of a log: the lines, severity, what the title and the fix have, what they must not have, what is pasted.
RECOMPILED = {
    "a size is only the last reason": (refused(8, SIZE), "critical", "runs eagerly; the last reason: dimension 1 of `key`", "sizes alone seldom",
                                       "raised already", "torch.compile(..., dynamic=True)"),
    "a flag is only the last reason": (refused(8, "flag == True"), "critical", "; the last reason: `flag`", "Only the last reason is known here",
                                       "raised already", "torch._dynamo.config.recompile_limit = 16"),
    "all reasons are known": ([line for n in (1, 2) for line in again(n, f"mode == 'm{n}'")] + refused(3, "mode == 'mx'"), "critical",
                              "runs eagerly: the string `mode`", "raise the limit", "last reason", "torch._dynamo.config.recompile_limit = 8"),
    "a raised limit": (refused(100, SIZE), "critical", "(100)", "The limit was raised already", "Then one graph",
                       "torch._dynamo.config.recompile_limit = 200"),
    "a default that was higher once": (refused(64, "flag == True", "cache_size_limit"), "critical", "(64)", "if the number of cases is small",
                                       "raised already", "torch._dynamo.config.cache_size_limit = 128"),
    "a key of each object": (refused(64, BLOCK), "medium", "; the last reason: the string `self.key`", "one compile for each object",
                             "the limit", None),
    "a numbered name": (refused(8, "layer_name == 'layer_12'"), "medium", "layer_12", "one compile for each object", "the limit", None),
    "a mode": (refused(8, "self.mode == 'layer_12'"), "critical", "layer_12", "Few values are fine", "each object",
               "torch._dynamo.config.recompile_limit = 16"),
    "an integer that stays constant": (INTS, "medium", "recompiled 4 times: the Python number `t`", "This one stayed a constant",
                                       "Let it be dynamic", "t = torch.tensor(t)"),
    "... although dynamic=True": (["I pass dynamic=True."] + INTS, "medium", "`t`", "specialize_int` is on", "dynamic=False", "t = torch.tensor(t)"),
    "... in an old version": ([line for n in range(5) for line in old_again(n)], "medium", "recompiled 5 times", "This version of PyTorch makes every",
                              "until it has changed once", "torch._dynamo.config.specialize_int = False"),
    "an integer that changed once": (again(1, "t == 5"), "low", "recompiled once: the Python number `t`", "until it has changed once", "stayed",
                                     "torch._dynamo.config.assume_static_by_default = False"),
    "dynamic=True is not advised to those who have it": (["I pass dynamic=True."] + again(1, "t == 5"), "low", "recompiled once", "constant",
                                                         "stayed", None),
    "... nor for sizes": (["I pass dynamic=True."] + refused(8, SIZE), "critical", "; the last reason", "`mark_dynamic` where the function is called.",
                          "torch.compile(", None),
    "lines that are missing": (again(2, "flag == True") + again(7, "flag == True"), "high",
                               "recompiled at least 7 times, of which 2 are known here: `flag`", "flag", "limit", None),
    "flex_attention": ([line.replace("/srv/shop.py", "/x/site-packages/torch/nn/attention/flex_attention.py")
                        for line in refused(8, SIZE, function="flex_attention")], "critical", "; the last reason", "runs unfused", "raised already",
                       "torch.compile(..., dynamic=True)"),
}


def test_recompile_lines(check):
    """The lines of a log about recompiles: what they prove, and what they do not."""
    for name, (lines, severity, title, fix, never, paste) in RECOMPILED.items():
        (check.temp / "again.txt").write_text("\n".join(lines) + "\n")
        found = check.report(check.temp / "again.txt")["findings"][0]
        said = (found["severity"], found["title"], found["fix"], found.get("paste"))
        check.tap.point(f"recompiles: {name}: {said}", said[0] == severity and title in said[1] and fix in said[2] and
                        never not in said[2] and said[3] == paste)


# For each large trace beside the repository: verdict, mismatches, compiles that differ, estimates of rank 0 in nanoseconds.
BESIDE = {
    "exo": ("they differ", [], [], [13806086, 13859310]),
    "par2": ("all compiled the same program", [("0/0", 1, 1, 1, 0), ("0/1", 3, 3, 3, 0)], [], [13806086, 13859310, 13859310, 13859310]),
    "par3": ("all compiled the same program", [("0/0", 1, 1, 1, 0), ("0/1", 3, 3, 3, 0)], [], [13806086, 13859310, 13859310, 13859310]),
    "sc": ("all compiled the same program", [("0/1", 2, 3, 3, 3)], [], [13806086, 13859310]),
    "tm": ("they differ", [], [("tensors", "0/0")], [13806086, 13859310]),
}

# tlparse's own test inputs of several ranks: ranks of the first run; of compiles whose code does not do what was scheduled
# the rank, the offset and the waits that are missing; whether graphs ran in another order; estimates of the last rank.
PEERS = {
    "graph_exec_order_tests": ([0, 1], [(0, "0/1", 1, 0)], True, [13806086, 13859310]),
    "collectives_parity": ([], [(0, "0/0", 0, 1), (0, "0/1", 0, 3)], False, [13806086, 13859310, 13859310, 13859310]),
    "multi_rank_logs": ([0, 2], [], False, []),
    "multi_rank_messy_input": ([0, 1], [], False, []),
    "multi_rank_runtime": ([0, 1, 2, 3, 4], [], False, [16631174, 16631174, 16631174]),
    "multi_rank_schedule": ([], [(0, "0/0", 1, 0)], False, []),
}


def estimates_of(report, rank):
    return [graph["ns"] for compile_ in report["compiles"] if compile_["rank"] == rank for graph in compile_["estimates"]]


def test_beside(check):
    for name, (verdict, wrong, differ, estimates) in BESIDE.items():
        folder = check.shared / "repros" / "parity" / name
        if not folder.is_dir():
            continue
        report = check.report(folder)
        ranks = report["ranks"]
        check.tap.equal(f"{name}: the verdict", f"2 ranks: {verdict}", ranks["runs"][0]["verdict"].split(";")[0])
        check.tap.equal(f"{name}: code and schedule", wrong, mismatches(report))
        check.tap.equal(f"{name}: what differs", differ, [(d["kind"], d["compile"]) for d in ranks["divergences"] if d["kind"] != "execution"])
        check.tap.equal(f"{name}: another order of running", name == "exo", ranks["runs"][0]["execution"] is not None)
        check.tap.equal(f"{name}: estimates", estimates, estimates_of(report, 0))


def test_peers(check):
    for name, (compared, wrong, reordered, estimates) in PEERS.items():
        folder = check.shared / "peer-inputs" / name
        if not folder.is_dir():
            continue
        report = check.report(folder)
        ranks = report["ranks"]
        check.tap.equal(f"{name}: the ranks that are compared", compared,
                        sorted(rank for run in ranks["runs"][:1] for group in run["alike"] for rank in group))
        check.tap.equal(f"{name}: code and schedule", wrong, [(m["rank"], m["id"], m["offset"], max(0, m["scheduled_waits"] - m["waits"]))
                                                           for m in ranks["schedule_mismatches"]])
        check.tap.equal(f"{name}: another order of running", reordered, any(run["execution"] for run in ranks["runs"]))
        check.tap.equal(f"{name}: no rank is called absent that lies there", set(), set(ranks["absent"]) & set(ranks["present"]))
        check.tap.equal(f"{name}: estimates", estimates, estimates_of(report, max(ranks["present"])))


def main(pt2trace, source, shared):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="pt2trace-parity-") as temp:
        check = Check(tap, pt2trace, pathlib.Path(source), pathlib.Path(shared), pathlib.Path(temp))
        for name, test in sorted(globals().items()):
            if name.startswith("test_"):
                test(check)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
