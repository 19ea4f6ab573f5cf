#!/usr/bin/env python3
"""GPU activity in reports: three sorts of files with the same content, joined with the trace of their process. Prints TAP.

    test_gpu.py PT2TRACE SOURCE [FAKE_CUDA]
"""

import gzip
import json
import os
import pathlib
import resource
import shutil
import sys
import tempfile

from gpu_files import ADD, AGAIN, CODE, GEMM, RESUME, SUM, Job
from kept_calls import keep
from program import Program
from tap import Tap, report_of, run
from test_schema import Draft202012Validator, Schema

NEAR = 1e-6


class Bench:
    def __init__(self, tap, pt2trace, source, driver, temp):
        self.tap, self.pt2trace, self.temp = tap, pt2trace, pathlib.Path(temp)
        self.schema = Schema(pathlib.Path(source) / "schema" / "report.schema.json") if Draft202012Validator else None
        self.sqlite = b"no SQLite" not in run(pt2trace, "--version").stdout
        self.sanitized = b"__asan_init" in pathlib.Path(pt2trace).read_bytes()
        self.driver = driver and pathlib.Path(driver).resolve().parent
        self.count = 0

    def folder(self):
        self.count += 1
        folder = self.temp / str(self.count)
        folder.mkdir()
        return folder

    def report(self, folder, *options):
        report = report_of(self.pt2trace, self.temp / "out", folder, options=options)
        if self.schema:
            self.tap.empty("the report is as the schema says", [*self.schema.complaints(report), *self.schema.disorder(report)])
        return report


def write(folder, job, sort):
    """A folder with the trace and one file of activity."""
    (folder / f"dedicated_log_torch_trace_{job.pid}.log").write_bytes(job.trace.data)
    if sort == "cupti":
        (folder / f"{job.pid}.activity").write_text(job.recorded())
    elif sort == "kineto":
        (folder / f"{job.pid}.json").write_text(job.kineto())
    elif sort == "kineto.gz":
        (folder / f"{job.pid}.json.gz").write_bytes(gzip.compress(job.kineto().encode()))
    else:
        job.nsys(folder / f"{job.pid}.sqlite")
    return folder


def near(a, b):
    return abs(a - b) <= NEAR * max(abs(a), abs(b), 1)


def check_join(bench, sort):
    tap = bench.tap
    report = bench.report(write(bench.folder(), Job(), sort))
    gpus = {kernel["name"]: kernel["gpu"] for kernel in report["kernels"]}
    add, sum_ = gpus[ADD], gpus[SUM]
    tap.equal(f"{sort}: calls of the kernels of the code", [1000, 500], [add["calls"], sum_["calls"]])
    tap.point(f"{sort}: their times", near(add["total_us"], 980 * 40 + 20 * 400) and near(add["median_us"], 40) and
              near(add["p99_us"], 400) and near(sum_["total_us"], 10000), add, sum_)
    tap.equal(f"{sort}: how much a call moves", [8_000_000, 4_000_004], [add["bytes_per_call"], sum_["bytes_per_call"]])
    tap.point(f"{sort}: bandwidth by the median", near(add["bandwidth_gb_s"], 200), add)
    tap.equal(f"{sort}: launches by a CUDA graph", [0, 500], [add["in_cuda_graphs"], sum_["in_cuda_graphs"]])
    tap.equal(f"{sort}: nobody else has the name", [1, 1], [add["same_name"], sum_["same_name"]])
    check_section(tap, sort, report["gpu"])
    return report


def check_section(tap, sort, gpu):
    (process,) = gpu["processes"]
    tap.equal(f"{sort}: it is the process of the trace", [4711, 0], [process["pid"], process["process"]])
    tap.point(f"{sort}: busy, and idle by what was compiled", near(process["span_s"], 7.000001) and
              near(process["busy_s"], 0.959201) and near(process["idle_s"]["recompile"], 1) and
              near(process["idle_s"]["graph_break"], 0.5) and near(process["idle_s"]["other"], 3.098), process)
    kinds = {kind["kind"]: kind["count"] for kind in process["activities"]}
    tap.equal(f"{sort}: activities by kind", {"kernel": 1502, "copy": 1, "memset": 1, "graph": 0}, kinds)
    first, *others = gpu["activities"]
    tap.equal(f"{sort}: the kernel of a library has a short name", [GEMM, "cutlass::Kernel2", None],
              [first["name"], first["short"], first["compile"]])
    tap.equal(f"{sort}: what others are, longest first", [(ADD, "0/0"), (SUM, "0/0"), ("HtoD", None), ("memset", None)],
              [(other["name"], other["compile"]) for other in others])
    tap.equal(f"{sort}: bytes that were copied", 1 << 20, others[2]["bytes"])
    tap.equal(f"{sort}: gaps and their compiles", [("recompile", "0/1"), ("graph_break", "1/0"), ("other", None)],
              [(gap["cause"], gap["compile"] and gap["compile"]["id"]) for gap in gpu["gaps"]])
    tap.point(f"{sort}: how long they are", all(near(gap["duration_s"], s) for gap, s in zip(gpu["gaps"], (2.1, 1.5, 0.998))),
              gpu["gaps"])


def check_sorts(bench):
    kinds = {"cupti": "gpu_activity", "kineto": "torch_profiler", "kineto.gz": "torch_profiler", "nsys": "nsys"}
    for sort, kind in kinds.items():
        if sort == "nsys" and not bench.sqlite:
            bench.tap.skip("nsys", "built without SQLite")
            continue
        report = check_join(bench, sort)
        input_ = next(input_ for input_ in report["inputs"] if input_["kind"] != "torch_trace")
        bench.tap.equal(f"{sort}: the input", [kind, 4711, 1504, True],
                        [input_["kind"], input_["pid"], input_["records"], input_["used"]])
        counts = {kind["name"].split(":")[1]: kind["count"] for kind in report["kinds"] if kind["input"] == report["inputs"].index(input_)}
        bench.tap.equal(f"{sort}: what its records are", {"kernel": 1502, "copy": 1, "memset": 1}, counts)
        bench.tap.equal(f"{sort}: no message", [], report["messages"])
        devices = [(device["name"], device["memory_total"]) for device in report["gpu"]["devices"]]
        bench.tap.equal(f"{sort}: devices", [] if sort == "cupti" else [("NVIDIA H200", 150109880320)], devices)


def check_devices(bench):
    """A machine has several GPUs, whether the process used them or not."""
    folder = write(bench.folder(), Job(), "kineto")
    trace = json.loads((folder / "4711.json").read_text())
    trace["deviceProperties"] += [{"id": 1, "name": "NVIDIA A100", "totalGlobalMem": 7}, {"id": 2, "name": "NVIDIA T4"}]
    (folder / "4711.json").write_text(json.dumps(trace))
    want = [(0, "NVIDIA H200", 150109880320), (1, "NVIDIA A100", 7), (2, "NVIDIA T4", None)]
    folders = {"kineto": folder}
    if bench.sqlite:
        import sqlite3
        folders["nsys"] = write(bench.folder(), Job(), "nsys")
        file = sqlite3.connect(folders["nsys"] / "4711.sqlite")
        file.execute("INSERT INTO TARGET_INFO_GPU VALUES (1, 'NVIDIA A100', 7), (2, 'NVIDIA T4', NULL)")
        file.commit()
        file.close()
    for sort, place in folders.items():
        devices = bench.report(place)["gpu"]["devices"]
        bench.tap.equal(f"{sort}: all GPUs of the machine", want, [(d["index"], d["name"], d["memory_total"]) for d in devices])


def check_ranks(bench):
    """Two ranks in one place, with the same process id, as in containers."""
    folder = bench.folder()
    for rank in (0, 1):
        (folder / f"rank{rank}").mkdir()
        write(folder / f"rank{rank}", Job(pid=1, rank=rank), "cupti" if rank else "kineto")
    report = bench.report(folder)
    owners = sorted((process["rank"], process["process"], process["tool"]) for process in report["gpu"]["processes"])
    bench.tap.equal("each rank's activity is joined with its own trace", [(0, 0, "torch.profiler"), (1, 1, "CUPTI")], owners)
    bench.tap.equal("kernels have their own rank's figures", [(0, 1000), (1, 1000)],
                    [(kernel["rank"], kernel["gpu"]["calls"]) for kernel in report["kernels"] if kernel["name"] == ADD])


def check_order(bench):
    """Threads may announce their compiles long before they begin: what counts is when each began."""
    report = bench.report(write(bench.folder(), Job(first=(RESUME, AGAIN)), "cupti"))
    bench.tap.equal("compiles are not in the order of their times", ["1/0", "0/1", "0/0"],
                    [compile["id"] for compile in report["compiles"] if compile["frame"]])
    check_section(bench.tap, "announced early", report["gpu"])


def check_times(bench):
    """A profile of the end of a long job, and two runs of it with one process id, as in containers."""
    report = bench.report(write(bench.folder(), Job(late=36000), "kineto"))
    bench.tap.equal("hours after the last compile it is the same process", 0, report["gpu"]["processes"][0]["process"])
    folder = bench.folder()
    for name, at in (("a", 0), ("b", 20000)):
        (folder / name).mkdir()
        write(folder / name, Job(pid=1, at=at), "cupti")
    report = bench.report(folder)
    bench.tap.equal("activity is of the run that it was in", [0, 1], [p["process"] for p in report["gpu"]["processes"]])
    report = bench.report(folder, "--latest")
    bench.tap.equal("--latest leaves the other out", [0], [p["process"] for p in report["gpu"]["processes"]])
    early = Job(pid=5, at=20000)
    early.begin_ns -= 20000 * 10**9
    report = bench.report(write(bench.folder(), early, "cupti"))
    bench.tap.equal("what was before the trace is of another process", None, report["gpu"]["processes"][0]["process"])


def check_strangers(bench):
    """Activity without a trace, and of a process that has no trace."""
    folder = bench.folder()
    (folder / "x.activity").write_text(Job().recorded())
    report = bench.report(folder)
    bench.tap.equal("activity alone is a report", [None, 1504], [report["gpu"]["processes"][0]["process"],
                                                                 report["inputs"][0]["records"]])
    folder = bench.folder()
    write(folder, Job(), "cupti")
    (folder / "other.activity").write_text(Job(pid=99).recorded())
    report = bench.report(folder)
    bench.tap.equal("activity of another process is not joined", [(99, None), (4711, 0)],
                    sorted((p["pid"], p["process"]) for p in report["gpu"]["processes"]))
    report = report_of(bench.pt2trace, bench.temp / "out", write(bench.folder(), Job(), "cupti") / "dedicated_log_torch_trace_4711.log")
    bench.tap.equal("a trace alone has no GPU", [None, [None, None]], [report["gpu"], [k["gpu"] for k in report["kernels"]]])


def check_damage(bench):
    """Cut off at any place, and full of anything."""
    tap, text = bench.tap, Job().recorded()
    for part in (0.2, 0.5, 0.9):
        folder = bench.folder()
        (folder / "x.activity").write_text(text[:int(len(text) * part)])
        report = bench.report(folder)
        records = report["inputs"][0]["records"]
        tap.point(f"{part:.0%} of a file is read to its end", abs(records - 1504 * part) < 30, records)
        tap.equal("and a message says that it ends there", {"file-truncated"}, {m["code"] for m in report["messages"]})
    folder = bench.folder()
    (folder / "x.json").write_text(Job().kineto()[:100000])
    report = bench.report(folder)
    tap.equal("so is a trace of torch.profiler", ["file-truncated"], [m["code"] for m in report["messages"]])
    tap.point("of which every whole event is read", 300 < report["inputs"][0]["records"] < 1504, report["inputs"])
    folder = bench.folder()
    head = "pt2trace-gpu-activity 1\nc 1000 1000\nn 0 <script>alert(1)</script>\n"
    bad = ["k", "k 1", "k x 1 0 0 7 1 0", "k 1 1 7 0 7 1 0", "k 1 -1 0 0 7 1 0", "n 5 skipped", "c 1", "m 1 1 HtoD 0 7", "d x",
           "m x 1 HtoD 0 7 1 0 8", "s 1 x 0 7 1 0 8", "g 1", "k 9223372036854775807 9223372036854775807 0 0 7 1 0", "h rank 99999999999", "\0\0", "\xff" * 50]
    (folder / "x.activity").write_bytes((head + "".join(line + "\n" for line in bad) + "k 5 5 0 0 7 1 0 1,1,1 1,1,1\n").encode())
    report = bench.report(folder)
    lines = [m["line"] for m in report["messages"] if m["code"] == "line-not-understood"]
    tap.equal("what is no line is reported, line by line", list(range(4, 4 + len(bad))), lines)
    tap.equal("and the others are read", 1, report["inputs"][0]["records"])
    page = (bench.temp / "out" / "index.html").read_text()
    tap.point("a name is no markup", "<script>alert(1)" not in page and "&lt;script&gt;alert(1)" in page)
    check_profiler_damage(bench)


def check_profiler_damage(bench):
    events = ["7", "null", "[]", '{"cat": "kernel"}', '{"cat": "kernel", "ph": "X", "name": "a", "ts": 1e300, "dur": -1}',
              '{"cat": "kernel", "ph": "X", "name": "a", "ts": "x"}', '{"cat": "kernel", "ph": "X", nonsense}',
              '{"cat": "kernel", "ph": "X", "name": "good", "ts": 5, "dur": 5, "args": {"device": -4}}',
              '{"cat": "kernel", "name": "' + "x" * (2 << 20) + '"}']
    folder = bench.folder()
    (folder / "x.json").write_text('{"schemaVersion": 1, "traceEvents": [' + ", ".join(events) + '], "deviceProperties": {"a": "]}"}}')
    report = bench.report(folder)
    bench.tap.equal("events that are none are left out", ["good", "a"],
                    sorted((a["name"] for a in report["gpu"]["activities"]), reverse=True))
    codes = sorted({m["code"] for m in report["messages"]})
    bench.tap.equal("and reported", ["line-too-long", "record-not-json"], codes)
    folder = bench.folder()
    (folder / "x.json").write_text('{"schemaVersion": 1, "traceEvents": [}}}}')
    done = run(bench.pt2trace, "summary", folder)
    bench.tap.point("a list that does not end ends", done.returncode in (0, 4), done)
    if bench.sqlite:
        check_databases(bench)


def check_regions(bench):
    """A call of compiled code is a complete event; whatever else has its name is none."""
    def event(name="Torch-Compiled Region: 0/0", **members):
        return json.dumps({"ph": "X", "cat": "user_annotation", "name": name, "pid": 1, "tid": 1, "ts": 1000, "dur": 1000, **members})
    kernel = event("k", cat="kernel", args={"device": 0})
    rows = {
        "one call": ([event()], [("0/0", 1, 0.001, None)]),
        "the first one is the earliest": ([event(), event(ts=10, dur=5000), event(ts=4000, dur=3000)], [("0/0", 3, 0.005, 0.002)]),
        "of several compiles": ([event(), event("Torch-Compiled Region: 1/2")], [("0/0", 1, 0.001, None), ("1/2", 1, 0.001, None)]),
        "an instant": ([event(ph="i")], []),
        "a beginning": ([event(ph="B")], []),
        "no compile": ([event("Torch-Compiled Region: forward")], []),
        "a name that goes on": ([event("My Torch-Compiled Region: 0/0")], []),
        "a negative duration": ([event(dur=-1)], []),
        "too long a duration": ([event(dur=1e300)], []),
        "no JSON": ([event().replace('"tid"', "tid")], []),
    }
    for name, (events, expected) in rows.items():
        folder = bench.folder()
        (folder / "x.json").write_text('{"schemaVersion": 1, "traceEvents": [' + ", ".join([*events, kernel]) + "]}")
        found = bench.report(folder)["gpu"]["regions"]
        bench.tap.equal(f"calls of compiled code: {name}", expected, [(r["id"], r["calls"], r["first_s"], r["other_mean_s"]) for r in found])


def check_databases(bench):
    import sqlite3
    folder = bench.folder()
    file = sqlite3.connect(folder / "x.sqlite")
    file.execute("CREATE TABLE notes (text TEXT)")
    file.commit()
    file.close()
    done = run(bench.pt2trace, "summary", folder / "x.sqlite")
    bench.tap.point("another database is reported", done.returncode == 4 and b"Nsight" in done.stderr, done.stderr)
    file = sqlite3.connect(folder / "y.sqlite")
    file.executescript("""CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n)
        SELECT i AS start, i AS end, 0 AS deviceId, 1 AS demangledName FROM n WHERE i > 1;""")
    file.close()
    done = run(bench.pt2trace, "summary", folder / "y.sqlite")
    bench.tap.equal("one without an end, too", 4, done.returncode)
    file = sqlite3.connect(folder / "z.sqlite")
    file.execute("CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT 1 AS start, 2 AS end, 0 AS deviceId, 1 AS demangledName")
    file.close()
    done = run(bench.pt2trace, "summary", folder / "z.sqlite")
    bench.tap.equal("a view is no table, however short", 4, done.returncode)
    text = (write(folder, Job(), "nsys") / "4711.sqlite").read_bytes()
    (folder / "4711.sqlite").write_bytes(text[:len(text) // 2])
    done = run(bench.pt2trace, "summary", folder / "4711.sqlite")
    bench.tap.point("half a database does no harm", done.returncode in (0, 4), done)
    check_generated_column(bench)
    check_tree_of_one_page(bench)
    check_nothing_is_written(bench)


KERNELS = "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, \"end\" INTEGER%s, deviceId INTEGER, demangledName INTEGER)"


def measured(bench, path, seconds=5, kilobytes=100000):
    """Exit status and errors of a summary that may take so much of the processor and of memory."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        if not bench.sanitized:
            resource.setrlimit(resource.RLIMIT_DATA, (kilobytes << 10, kilobytes << 10))
    done = run(bench.pt2trace, "summary", "-j1", path, preexec_fn=limit)
    return done.returncode, done.stderr.decode()


def check_generated_column(bench):
    """A value that is made when it is read: the file has kilobytes, and the value of each row as much as one likes."""
    import sqlite3
    folder = bench.folder()
    for number, expression in enumerate(("length(hex(zeroblob(300000000 + start)))", "hex(zeroblob(400000000))")):
        file = sqlite3.connect(folder / f"{number}.sqlite")
        file.execute(KERNELS % f" GENERATED ALWAYS AS ({expression}) VIRTUAL")
        file.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, deviceId, demangledName) VALUES (?, 0, 1)", [[1]])
        file.execute(f"CREATE TABLE StringIds (id INTEGER, value TEXT GENERATED ALWAYS AS ({expression.replace('start', 'id')}) VIRTUAL)")
        file.execute("INSERT INTO StringIds (id) VALUES (1)")
        file.commit()
        file.close()
        status, output = measured(bench, folder / f"{number}.sqlite")
        bench.tap.point(f"a generated column is no column: {expression}", status == 4 and "not an export of Nsight" in output, status, output)


def interior_page(number, size=4096):
    """A page of a table's tree (https://sqlite.org/fileformat.html) all of whose children are one page."""
    cell = number.to_bytes(4, "big") + b"\x01"
    count = (size - 12) // (len(cell) + 2)
    begin = size - count * len(cell)
    head = b"\x05\0\0" + count.to_bytes(2, "big") + begin.to_bytes(2, "big") + b"\0" + number.to_bytes(4, "big")
    offsets = b"".join((begin + i * len(cell)).to_bytes(2, "big") for i in range(count))
    return (head + offsets).ljust(begin, b"\0") + cell * count


def check_tree_of_one_page(bench):
    """Billions of rows in five pages: as many as a file of that size can hold are read, and a message says that there are more."""
    import sqlite3
    path = bench.folder() / "x.sqlite"
    file = sqlite3.connect(path)
    file.execute("PRAGMA page_size = 4096")
    file.execute(KERNELS % "")
    file.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, 1)", [(i, i + 1) for i in range(100)])
    file.commit()
    root = file.execute("SELECT rootpage FROM sqlite_schema").fetchone()[0]
    file.close()
    data = bytearray(path.read_bytes())
    pages = len(data) // 4096
    data += data[(root - 1) * 4096:root * 4096] + interior_page(pages + 1) + interior_page(pages + 2)
    data[(root - 1) * 4096:root * 4096] = interior_page(pages + 3)
    data[28:32] = (pages + 3).to_bytes(4, "big")
    path.write_bytes(data)
    status, output = measured(bench, path, 10, 400000)
    bench.tap.equal("a tree of one page", 0, status)
    texts = [m["text"] for m in bench.report(path.parent)["messages"]]
    bench.tap.point("ends where the file's size says", any("more than a file of this size can hold" in text for text in texts), texts)


def check_nothing_is_written(bench):
    """Not beside the file either, where SQLite would put a log and its index; and any name is a name."""
    import sqlite3
    folder = bench.folder()
    write(folder, Job(), "nsys")
    source = folder / "4711.sqlite"
    file = sqlite3.connect(source)
    file.execute("PRAGMA journal_mode = WAL")
    file.execute("INSERT INTO TARGET_INFO_GPU VALUES (1, 'another', 1)")
    file.commit()
    place = bench.folder()
    for name in ("a?mode=rw#%41.sqlite", "plain.sqlite"):
        shutil.copy(source, place / name)
        shutil.copy(f"{source}-wal", place / f"{name}-wal")
    file.close()
    before = sorted((path.name, path.read_bytes()) for path in place.iterdir())
    report = bench.report(place)
    bench.tap.equal("nothing is written beside a database", before, sorted((path.name, path.read_bytes()) for path in place.iterdir()))
    bench.tap.equal("whatever it is called it is read", [True, True], [i["used"] for i in report["inputs"] if i["path"].endswith(".sqlite")])
    bench.tap.equal("and a message says that its log is not", 2, sum("-wal holds changes that are not read" in m["text"] for m in report["messages"]))


def check_findings(bench):
    tap, job = bench.tap, Job()
    job.activities = [a for a in job.activities if a[1] != GEMM]
    for i in range(2000):
        job.kernel("at::native::other", 10 + i / 1000, 1000)
    report = bench.report(write(bench.folder(), job, "cupti"))
    found = {finding["id"]: finding for finding in report["findings"]}
    waits = found.get("gpu-idle-recompiles")
    tap.point("the GPU waits for recompiles", waits and near(waits["cost"]["seconds"], 1) and waits["compiles"] == ["0/1"], found)
    tap.point("and for the host", "gpu-idle" in found, list(found))
    tap.point("nobody knows its bandwidth", "gpu-slow-kernel" not in found, list(found))


def check_slow_kernel(bench):
    """The bandwidth of the GPU comes from run.json, where `pt2trace run` notes what NVML says."""
    tap, sizes = bench.tap, CODE.replace("(1000, 1000), (1000, 1)", "(s0, s1), (s1, 1)")
    small = CODE.replace("(1000, 1000), (1000, 1)", "(100, 100), (100, 1)")  # over before memory could be busy
    device = {"index": 0, "name": "NVIDIA H200", "memory_clock_most_mhz": 3201, "bus_bits": 6144, "throttled": ["power cap"],
              "users": [{"pid": 7, "memory": None, "name": "other"}], "clock_mhz": 345}
    for bus, slow, code, what in ((6144, True, CODE, "known"), (6144, False, sizes, "not known"), (600, False, CODE, "known"),
                                  (6144, False, small, "small")):
        folder, job = bench.folder(), Job(code=code)
        job.activities = [a for a in job.activities if a[1] != GEMM]
        (folder / "base").mkdir()
        write(folder / "base", job, "cupti")
        head = '{"schema": "pt2trace-run",\n'
        rest = json.dumps({"version": 1, "command": "x", "directory": "/x", "devices": [{**device, "bus_bits": bus}], "trials": []})
        (folder / "run.json").write_text(head + rest[1:])
        report = bench.report(folder)
        titles = [finding["title"] for finding in report["findings"] if finding["id"] == "gpu-slow-kernel"]
        expected = [f"`{ADD}` takes 80 % of the GPU's time and moves 200 GB/s of 4917"] if slow else []
        tap.equal(f"a bus of {bus} bits, sizes that are {what}: whether the kernel is slow", expected, titles)
        tap.equal("the device is in the report", [("NVIDIA H200", ["power cap"])],
                  [(device["name"], device["throttled"]) for device in report["gpu"]["devices"]])
    page = (bench.temp / "out" / "index.html").read_text()
    tap.point("and its health on the page", "clocks held down: power cap" in page and "1 other process on it" in page)


def check_refusal(bench):
    """A workload that needs a GPU, and a driver (tests/gpu) that has none."""
    if not bench.driver:
        return
    for how, said in (("fails", b"no CUDA-capable device is detected"), ("none", b"CUDA sees no GPU"), ("", b"")):
        env = {**os.environ, "LD_LIBRARY_PATH": str(bench.driver), "FAKE_CUDA": how}
        done = run(bench.pt2trace, "run", "--gpu", "-q", "-o", bench.temp / f"run-{how}", "--", "/bin/true", env=env)
        bench.tap.point(f"--gpu with a driver that {how or 'works'}", (done.returncode == 3 and said in done.stderr) if how else
                        done.returncode != 3, done)
    devices = json.loads((bench.temp / "run-" / "run.json").read_text())["devices"]
    bench.tap.equal("run.json has the devices", ["Fake H200", "Fake \ufffd T4"], [device["name"] for device in devices])


def check_digest(bench):
    folder = write(bench.folder(), Job(), "cupti")
    digest = bench.temp / "x.digest"
    done = run(bench.pt2trace, "digest", folder, "-o", digest)
    direct, again = (report_of(bench.pt2trace, bench.temp / "out", path) for path in (folder, digest))
    bench.tap.equal("a digest can be made", 0, done.returncode)
    bench.tap.equal("a digest holds all of it", direct["gpu"], again["gpu"])
    bench.tap.equal("kernels, too", direct["kernels"], again["kernels"])
    for path in folder.glob("*.activity"):
        path.unlink()
    again = report_of(bench.pt2trace, bench.temp / "out", digest)
    bench.tap.equal("without the file of the activity", (direct["gpu"], direct["messages"]), (again["gpu"], again["messages"]))


def check_outputs(bench):
    folder = write(bench.folder(), Job(), "cupti")
    text = run(bench.pt2trace, "summary", folder).stdout.decode()
    bench.tap.point("the summary has two lines", "GPU       busy 14 % of 7.00 s, idle during recompiles for 1.00 s" in text and
                    "1,502 kernels; 94 % of the time in cutlass::Kernel2" in text, text)
    report = report_of(bench.pt2trace, bench.temp / "out", folder, options=["--redact"])
    page = (bench.temp / "out" / "index.html").read_text()
    bench.tap.point("--redact takes host and program out", "node7" not in json.dumps(report["gpu"]) and "node7" not in page)
    bench.tap.equal("and kernels are joined all the same", [1000, 500],
                    [kernel["gpu"] and kernel["gpu"]["calls"] for kernel in report["kernels"]])
    report_of(bench.pt2trace, bench.temp / "out", folder)
    page = (bench.temp / "out" / "index.html").read_text()
    section = page[page.index('<section id="gpu">'):].split("</section>")[0]
    bench.tap.point("the page has the section", all(text in section for text in (ADD, "cutlass::Kernel2", "200 GB/s", "2.10 s",
                                                                                 "recompile", 'href="#c-0_1"')), section)
    bench.tap.point("a kernel whose name no other has is alone", " more</td>" not in section, section)
    bench.tap.point("and a link to it", '<a href="#gpu">' in page)


def main():
    keep(sys.argv[1])
    tap = Tap()
    with tempfile.TemporaryDirectory() as temp:
        bench = Bench(tap, sys.argv[1], sys.argv[2], (sys.argv + [None])[3], temp)
        for check in (check_sorts, check_ranks, check_order, check_times, check_strangers, check_damage, check_findings, check_slow_kernel, check_refusal,
                      check_digest, check_outputs, check_regions, check_devices):
            check(bench)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
