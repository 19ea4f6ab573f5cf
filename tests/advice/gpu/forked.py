"""A worker that was forked from a process that uses the GPU."""
# fails: Cannot re-initialize CUDA in forked subprocess
# fix spawn: spawn
import multiprocessing
import sys

import torch
from variant import FIX, result


@torch.compile
def scale(x):
    return x * 2 + 1


def work(queue):
    queue.put(float(scale(torch.ones(64, device="cuda")).sum()))


if __name__ == "__main__":
    torch.ones(1, device="cuda")
    context = multiprocessing.get_context("spawn" if FIX == "spawn" else "fork")
    queue = context.Queue()
    worker = context.Process(target=work, args=(queue,))
    worker.start()
    worker.join()
    if worker.exitcode:
        sys.exit(1)
    result(torch.tensor(queue.get()))
