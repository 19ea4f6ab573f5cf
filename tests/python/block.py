"""Run by test_capture.py in a Python with PyTorch: uses pt2trace.capture, and prints what came of it as JSON."""

import asyncio
import json
import os
import pathlib
import sys
import threading

import torch

import pt2trace


@torch.compile(backend="eager")
def broken(x):
    y = x + 1
    torch._dynamo.graph_break()
    return y * 2


@torch.compile(backend="eager")
def sized(x):
    return x * 3


def of_thread_0(x):
    return x.sin()


def of_thread_1(x):
    return x.cos()


def of_thread_2(x):
    return x.tan()


OF_THREADS = [of_thread_0, of_thread_1, of_thread_2]


def ids(report):
    return [compile.id for compile in report.compiles]


def functions(capture):
    return sorted({compile.frame.name for compile in capture.compiles})


def handlers():
    from torch._logging._internal import trace_log

    return [type(handler).__name__ for handler in trace_log.handlers]


def alone(out):
    """What ran before and after the block is not in it; what runs in the inner block is in both."""
    broken(torch.ones(2))
    with pt2trace.capture() as outer:
        sized(torch.ones(3))
        out["while it runs"] = functions(outer)
        with pt2trace.capture() as inner:
            sized(torch.ones(4))
    sized(torch.ones(5, 5))
    out["outer"], out["inner"] = ids(outer), ids(inner)
    out["outer functions"], out["inner functions"] = functions(outer), functions(inner)
    out["recompiles"] = [recompile.compile for recompile in outer.recompiles]
    out["places"] = sorted({f"{compile.frame.file}:{compile.frame.line}" for compile in outer.compiles})
    out["summary"] = inner.summary()
    out["page"] = outer.report(pathlib.Path(sys.argv[1], "page")).read_text(encoding="utf-8")[:15]
    out["health"] = [message["code"] for message in outer.result["messages"] if message["severity"] != "info"]
    out["html"] = outer._repr_html_().count("<iframe sandbox=\"allow-scripts\" srcdoc=")


def empty(out):
    with pt2trace.capture() as nothing:
        torch.ones(2) + 1
    out["nothing"] = [nothing.findings, nothing.compiles, nothing.summary()]
    try:
        nothing.report(sys.argv[1] + "/none")
    except RuntimeError as error:
        out["no report"] = str(error)
    try:
        with nothing:
            pass
    except RuntimeError as error:
        out["twice"] = str(error)


def raising(out):
    torch._dynamo.reset()
    try:
        with pt2trace.capture() as failed:
            broken(torch.ones(2))
            raise KeyError("mine")
    except KeyError as error:
        out["raised"] = str(error)
    out["breaks"] = [[found.file, found.line, found.source] for found in failed.graph_breaks]


def decorated(out):
    @pt2trace.capture()
    def step(n):
        torch._dynamo.reset()
        return sized(torch.ones(n))

    @pt2trace.capture()
    async def later(n):
        torch._dynamo.reset()
        await asyncio.sleep(0)
        return sized(torch.ones(n))

    out["step"] = [step(2).numel(), functions(step.capture), step.__name__]
    first = step.capture
    step(3)
    out["each call"] = step.capture is not first
    out["later"] = [asyncio.run(later(2)).numel(), functions(later.capture)]


def threads(out):
    """A thread with a capture of its own writes into that alone."""
    torch._dynamo.reset()
    captures, barrier = {}, threading.Barrier(3)

    def work(i):
        with pt2trace.capture() as captures[i]:
            barrier.wait()
            torch.compile(OF_THREADS[i], backend="eager")(torch.ones(2))
            barrier.wait()

    workers = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    out["threads"] = [functions(captures[i]) for i in range(3)]

    with pt2trace.capture() as of_all:
        worker = threading.Thread(target=lambda: torch.compile(lambda x: x.cos(), backend="eager")(torch.ones(2)))
        worker.start()
        worker.join()
    out["other thread"] = len(of_all.compiles)


def forked(out):
    torch._dynamo.reset()
    with pt2trace.capture() as parent:
        child = os.fork()
        if child == 0:
            try:
                broken(torch.ones(2))
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        sized(torch.ones(2))
    out["parent"] = functions(parent)


def main():
    out = {"version": torch.__version__, "handlers before": handlers()}
    for part in (alone, empty, raising, decorated, threads, forked):
        part(out)
    out["handlers after"] = handlers()
    print(json.dumps(out))


main()
