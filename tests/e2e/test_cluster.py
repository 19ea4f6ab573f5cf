#!/usr/bin/env python3
"""tools/slurm: digests made by a job array and by GNU parallel, and the report of them.

    test_cluster.py PT2TRACE SOURCE

Slurm: the cluster that sinfo finds; else, as root, one of this machine that is started here and stopped at the end. A job of
four ranks is launched on it with PyTorch, too. What is not installed (tools/setup --tests, tools/torch-python) is skipped.
Prints TAP.
"""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from tap import Tap, run
from torch_python import torch_python
from writer import Writer

RANKS = 7
SBIN = os.pathsep.join((os.environ["PATH"], "/usr/sbin", "/sbin"))
CONFIG = """ClusterName=test
SlurmctldHost={host}
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmUser=root
SlurmctldPort={port}
SlurmdPort={port2}
StateSaveLocation={temp}/state
SlurmdSpoolDir={temp}/spool
SlurmctldPidFile={temp}/slurmctld.pid
SlurmdPidFile={temp}/slurmd.pid
SlurmctldLogFile={temp}/slurmctld.log
SlurmdLogFile={temp}/slurmd.log
ReturnToService=2
MpiDefault=none
NodeName={host} CPUs={cpus} RealMemory=2000 State=UNKNOWN
PartitionName=test Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
"""


def wait_for(seconds, done):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if done():
            return True
        time.sleep(0.3)
    return False


def free_port():
    with socket.socket() as s:
        s.bind(("", 0))
        return s.getsockname()[1]


class Slurm:
    """A cluster of one node, or the one that is there."""

    def __init__(self, temp):
        self.temp, self.daemons, self.environment = temp, [], {}

    def begin(self):
        """Why there is none, or None."""
        if not shutil.which("sbatch"):
            return "Slurm is not installed (slurm-wlm)"
        if run("sinfo", "-h").returncode == 0:
            return None
        controller, node = (shutil.which(name, path=SBIN) for name in ("slurmctld", "slurmd"))
        if not controller or not node or os.geteuid() != 0:
            return "there is no cluster, and only root can start one"
        return self.start(controller, node)

    def start(self, controller, node):
        for name in ("state", "spool"):
            (self.temp / name).mkdir()
        config = self.temp / "slurm.conf"
        host = socket.gethostname().split(".")[0]
        config.write_text(CONFIG.format(host=host, temp=self.temp, port=free_port(), port2=free_port(), cpus=os.cpu_count()))
        (self.temp / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        self.environment = {"SLURM_CONF": str(config)}
        log = open(self.temp / "daemons.log", "w")
        environment = {**os.environ, **self.environment}
        for command in ([controller, "-D", "-i"], [node, "-D", "-N", host]):
            self.daemons.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log))
        up = wait_for(30, lambda: re.search(r"\b(idle|mix)", run("sinfo", "-h", env=environment).stdout.decode()))
        return None if up else f"a cluster of one node did not come up: {(self.temp / 'slurmd.log').read_text()[-500:]}"

    def end(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            daemon.wait()


def job(folder):
    folder.mkdir()
    for rank in range(RANKS):
        w = Writer(pid=100 + rank, rank=rank)
        w.compile(0, 0)
        (folder / f"dedicated_log_torch_trace_rank_{rank}_x y'.log").write_bytes(w.data if rank != 3 else b"")
    return folder


def facts(folder):
    """index.html without how it was called."""
    lines = (folder / "index.html").read_bytes().split(b"\n")
    return [line for line in lines if b"--no-browser" not in line]


class Context:
    def __init__(self, tap, pt2trace, source, temp):
        self.tap, self.pt2trace, self.source, self.temp = tap, pt2trace, source, temp
        self.tools = source / "tools/slurm"
        self.trace = job(temp / "trace")
        expected = temp / "expected"
        run(pt2trace, "report", "-q", "--no-browser", "-o", expected, *sorted(self.trace.iterdir()))
        self.expected = facts(expected)
        self.environment = {**os.environ, "PT2TRACE": str(pt2trace)}

    def check(self, how, out):
        report = out / "report"
        self.tap.point(f"{how}: {RANKS} digests", len(list((out / "digests").iterdir())) == RANKS)
        self.tap.point(f"{how}: the report is the same as from one call", (report / "index.html").exists() and facts(report) == self.expected,
                       (out / "merge.log").read_text() if (out / "merge.log").exists() else "")


def parallel(context):
    if not shutil.which("parallel"):
        context.tap.skip("GNU parallel", "it is not installed")
        return
    out = context.temp / "parallel"
    for _ in range(2):
        done = run(context.tools / "report-parallel", context.trace, out, "-j2", env=context.environment)
        context.tap.point("parallel: done", done.returncode == 0, done.stdout, done.stderr)
    context.check("parallel", out)
    unreadable(context)


def unreadable(context):
    """A rank that cannot be read: the others are reported on."""
    broken = context.temp / "broken"
    shutil.copytree(context.trace, broken)
    path = sorted(broken.iterdir())[2]
    path.write_bytes(b"pt2trace-digest 99\n")
    out = context.temp / "out of broken"
    done = run(context.tools / "report-parallel", broken, out, env=context.environment)
    context.tap.point("parallel: what cannot be read is named, the others are reported on",
                      done.returncode == 3 and path.name in done.stderr.decode() and (out / "report/index.html").exists(), done)
    done = run(context.tools / "report-parallel", context.temp / "expected" / "none", context.temp / "none", env=context.environment)
    context.tap.point("parallel: a directory that is not there", done.returncode != 0, done)


PROGRAM = """
import os
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc

os.environ.update(RANK=os.environ["SLURM_PROCID"], WORLD_SIZE=os.environ["SLURM_NTASKS"])
dist.init_process_group("gloo")


@torch.compile(backend="aot_eager")
def step(x):
    return fc.all_reduce(x * 2, "sum", dist.group.WORLD).relu()


step(torch.ones(4))
dist.barrier()
dist.destroy_process_group()
"""


def srun(context, environment):
    """A real job of four ranks, launched by srun under `pt2trace run`; then a digest of each rank, and the report of them."""
    python, why_not = torch_python(context.source)
    if why_not:
        context.tap.skip("srun of four ranks", why_not)
        return
    program, out = context.temp / "job.py", context.temp / "launched"
    program.write_text(PROGRAM)
    environment = {**environment, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()), "OMP_NUM_THREADS": "1",
                   "GLOO_SOCKET_IFNAME": "lo"}
    done = run(context.pt2trace, "run", "-q", "--no-browser", "-o", out, "--", "srun", "--overcommit", "-n", "4", python, program,
               env=environment)
    if not context.tap.point("srun: the job ends well", done.returncode == 0, done.stdout[-2000:], done.stderr[-2000:]):
        return
    digests = context.temp / "of ranks"
    digests.mkdir()
    traces = sorted((out / "base").rglob("dedicated_log_torch_trace_rank_*"))
    for rank, path in enumerate(traces):
        run(context.pt2trace, "digest", "-q", "-o", digests / f"{rank}.digest", path)
    context.tap.equal("srun: each rank has a trace and a digest", (4, 4), (len(traces), len(list(digests.iterdir()))))
    merged = context.temp / "merged"
    run(context.pt2trace, "merge", "-q", "--no-browser", "-o", merged, *digests.iterdir())
    facts = json.loads((merged / "report.json").read_text())["ranks"]
    context.tap.equal("srun: what the digests say of the ranks", ([0, 1, 2, 3], [], "4 ranks: all compiled the same program"),
                      (facts["present"], facts["absent"], facts["runs"][0]["verdict"]))


def slurm(context):
    cluster = Slurm(context.temp)
    try:
        why_not = cluster.begin()
        if why_not:
            context.tap.skip("Slurm", why_not)
            return
        environment = {**context.environment, **cluster.environment}
        out = context.temp / "slurm"
        done = run(context.tools / "report", context.trace, out, env={**environment, "TASKS": "3"})
        number = done.stdout.decode().strip()
        context.tap.point("slurm: submitted", done.returncode == 0 and number.isdigit(), done)
        queue = lambda: run("squeue", "-h", "-j", number, "-t", "all", "-o", "%T", env=environment).stdout.decode().strip()
        context.tap.point("slurm: the merge waits, and ends", wait_for(120, lambda: queue() in ("COMPLETED", "FAILED", "")) and queue() != "FAILED",
                          queue(), run("squeue", env=environment).stdout.decode())
        context.check("slurm", out)
        srun(context, environment)
    finally:
        cluster.end()


def main():
    pt2trace, source = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    tap = Tap()
    with tempfile.TemporaryDirectory() as temp:
        context = Context(tap, pt2trace, source, pathlib.Path(temp))
        parallel(context)
        slurm(context)
    sys.exit(tap.end())


main()
