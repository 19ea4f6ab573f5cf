"""A made-up process with a GPU: its trace, and its activity as each of the tools writes it."""

import json
import sqlite3

from writer import Writer

ID = {"frame_id": 0, "frame_compile_id": 0}
AGAIN = {"frame_id": 0, "frame_compile_id": 1}
RESUME = {"frame_id": 1, "frame_compile_id": 0}
ADD, SUM = "triton_poi_fused_add_0", "triton_red_fused_sum_1"
GEMM = "_ZN7cutlass7Kernel2I45cutlass_80_tensorop_s1688gemm_128x128_tn_alignEEvNT_6ParamsE"

CODE = f"""# AOT ID: ['0_inference']
{ADD} = async_compile.triton('{ADD}', '''
@triton_heuristics.pointwise(
    triton_meta={{'signature': {{'in_ptr0': '*fp32', 'out_ptr0': '*fp32', 'xnumel': 'i32'}}}},
)
''', device_str='cuda')
{SUM} = async_compile.triton('{SUM}', '''
@triton_heuristics.reduction(
    triton_meta={{'signature': {{'in_ptr0': '*fp32', 'out_ptr0': '*fp32', 'xnumel': 'i32'}}}},
)
''', device_str='cuda')
def call(args):
    assert_size_stride(arg0_1, (1000, 1000), (1000, 1))
    buf0 = empty_strided_cuda((1000, 1000), (1000, 1), torch.float32)
    {ADD}.run(arg0_1, buf0, 1000000, stream=stream0)
    buf1 = empty_strided_cuda((1, ), (1, ), torch.float32)
    {SUM}.run(buf0, buf1, 1000000, stream=stream0)
"""


class Job:
    """
    Seconds, from 0: compile [0/0] from 1 to 3, recompile [0/1] from 5 to 6, compile [1/0] of what follows a break from 8 to
    8.5. The GPU: 1000 kernels from 3 to 4, the gap of the recompile from 4.1 to 6.2, 500 kernels, the gap of the break from
    7.5 to 9, a copy, a gap that is nobody's until 10, a memset.
    """

    def __init__(self, pid=4711, rank=None, at=0, late=0, first=(), code=CODE):
        """`at` is when it begins, `late` how much later the GPU works than it does otherwise; seconds."""
        self.pid, self.rank, self.at = pid, rank, at
        self.trace = Writer(pid=pid, rank=rank)
        self.begin_ns = self.trace.now_us * 1000 + (at + late) * 10**9
        self.activities = []  # (kind, name, start s, ns, bytes, graph)
        for i in range(1000):
            self.kernel(ADD, 3 + i / 1000, 40000 if i < 980 else 400000)
        self.kernel(GEMM, 4.0, 100_000_000)
        for i in range(500):
            self.kernel(SUM, 6.2 + i / 1000, 20000, graph=9)
        self.kernel(GEMM, 6.7, 800_000_000)
        self.activities += [("copy", "HtoD", 9, 2_000_000, 1 << 20, 0), ("memset", "memset", 10, 1000, 64, 0)]
        self.write_trace(first, code)

    def kernel(self, name, start, ns, graph=0):
        self.activities.append(("kernel", name, start, ns, 0, graph))

    def compile(self, id, function, line, start, end, code=None):
        w = self.trace
        w.ms = int((self.at + start) * 1000)
        w.start(function, line, **id)
        if code:
            w.record("inductor_output_code", {"filename": "/tmp/x.py"}, code, **id)
        w.ms = int((self.at + end) * 1000)
        w.metrics(seconds=end - start, id=id, co_name=function, co_filename="/x/model.py", co_firstlineno=line)

    def write_trace(self, first, code):
        """`first` are compiles whose first record comes before all others, as if they waited for another thread."""
        for id in first:
            self.trace.event("dynamo", "B", **id)
        self.compile(ID, "step", 10, 1, 3, code)
        self.compile(AGAIN, "step", 10, 5, 6)
        self.compile(RESUME, "torch_dynamo_resume_in_step_at_12", 12, 8, 8.5)

    # --- files --------------------------------------------------------------------------------------------------------------

    def recorded(self, base=5_000_000_000):
        """As libpt2trace_gpu.so writes it; CUPTI's clock is another one."""
        names, lines = [], ["pt2trace-gpu-activity 1", "h host node7", f"h pid {self.pid}", "h program python", "h cupti 130001",
                            f"c {base} {self.begin_ns}"]
        if self.rank is not None:
            lines.append(f"h rank {self.rank}")
        for n, (kind, name, start, ns, size, graph) in enumerate(self.activities):
            start = round(start * 1e9)
            if kind == "kernel" and name not in names:
                lines.append(f"n {len(names)} {name}")
                names.append(name)
            lines.append(f"k {start} {ns} {names.index(name)} 0 7 {n} {graph} 4,1,1 128,1,1" if kind == "kernel" else
                         f"m {start} {ns} {name} 0 7 {n} {graph} {size}" if kind == "copy" else
                         f"s {start} {ns} 0 7 {n} {graph} {size}")
        return "\n".join([*lines, "e", ""])

    def kineto(self):
        """As torch.profiler exports it."""
        events = [{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": self.pid, "tid": 1, "ts": 1.5, "dur": 2.5, "args": {}}]
        names = {"copy": "Memcpy HtoD (Pinned -> Device)", "memset": "Memset (Device)"}
        for kind, name, start, ns, size, graph in self.activities:
            events.append({"ph": "X", "cat": {"kernel": "kernel", "copy": "gpu_memcpy", "memset": "gpu_memset"}[kind],
                           "name": names.get(kind, name), "pid": 0, "tid": 7, "ts": round(start * 1e9) / 1000, "dur": ns / 1000,
                           "args": {"device": 0, "stream": 7, "bytes": size, "graph id": graph}})
        head = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H200", "totalGlobalMem": 150109880320,
                                                          "computeMajor": 9, "computeMinor": 0, "numSms": 132}]}
        if self.rank is not None:
            head["distributedInfo"] = {"backend": "nccl", "rank": self.rank, "world_size": 2}
        return json.dumps({**head, "baseTimeNanoseconds": self.begin_ns, "traceEvents": events, "traceName": "x.json"})

    def nsys(self, path):
        """As `nsys export --type sqlite` writes it: the columns that are read, and some others."""
        ids = {name: i + 1 for i, name in enumerate(dict.fromkeys(a[1] for a in self.activities))}
        file = sqlite3.connect(path)
        file.executescript("""
            CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
            CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,
                globalPid INTEGER, demangledName INTEGER, shortName INTEGER, graphNodeId INTEGER);
            CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, bytes INTEGER,
                copyKind INTEGER, globalPid INTEGER);
            CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER, bytes INTEGER,
                globalPid INTEGER);
            CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);
            CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, totalMemory INTEGER);
            INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H200', 150109880320);""")
        file.execute("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (?)", [self.begin_ns])
        file.executemany("INSERT INTO StringIds VALUES (?, ?)", [(i, name) for name, i in ids.items()])
        process = 1 << 48 | self.pid << 24
        for kind, name, start, ns, size, graph in self.activities:
            start = round(start * 1e9)
            if kind == "kernel":
                file.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, 7, ?, ?, ?, ?)",
                             [start, start + ns, process, ids[name], ids[name], graph or None])
            elif kind == "copy":
                file.execute("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?, ?, 0, ?, 1, ?)", [start, start + ns, size, process])
            else:
                file.execute("INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (?, ?, 0, ?, ?)", [start, start + ns, size, process])
        file.commit()
        file.close()
