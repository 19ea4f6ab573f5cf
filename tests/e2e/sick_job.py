#!/usr/bin/env python3
"""One rank of a job in which ONE rank does something else. The line to be named has the mark HERE.

usage: torchrun --nproc-per-node N sick_job.py NAME
"""

import datetime
import sys

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc

ONE = 1  # the rank that is different


def compiled(function):
    return torch.compile(function, backend="aot_eager")


def branch(rank):
    """Other computations, the same collectives: nobody waits, but results are wrong."""

    @compiled
    def step(x):
        if rank == ONE:
            x = x.sin()  # HERE branch
        else:
            x = x.cos()
        return fc.all_reduce(x, "sum", dist.group.WORLD)

    step(torch.ones(8))


def missing(rank):
    @compiled
    def step(x):
        x = x * 2
        if rank != ONE:
            x = fc.all_reduce(x, "sum", dist.group.WORLD)  # HERE missing
        return x + 1

    step(torch.ones(8))


def swapped(rank):
    @compiled
    def step(x):
        if rank == ONE:
            gathered = fc.all_gather_tensor(x, 0, dist.group.WORLD)  # HERE swapped
            reduced = fc.all_reduce(x, "sum", dist.group.WORLD)
        else:
            reduced = fc.all_reduce(x, "sum", dist.group.WORLD)
            gathered = fc.all_gather_tensor(x, 0, dist.group.WORLD)
        return reduced.sum() + gathered.sum()

    step(torch.ones(8))


def dtype(rank):
    @compiled
    def step(x):
        y = x.relu()
        return fc.all_reduce(y, "sum", dist.group.WORLD)  # HERE dtype

    step(torch.ones(8, dtype=torch.float64 if rank == ONE else torch.float32))


def reduction(rank):
    @compiled
    def step(x):
        op = "max" if rank == ONE else "sum"
        return fc.all_reduce(x, op, dist.group.WORLD)  # HERE reduction

    step(torch.ones(8))


def broken(rank):
    @compiled
    def step(x):
        x = x * 2
        if rank == ONE:
            print("here")  # HERE broken
        return fc.all_reduce(x, "sum", dist.group.WORLD)

    step(torch.ones(8))


def fails(rank):
    """The others wait, and fail later and louder."""

    @compiled
    def step(x, y):
        z = x @ y  # HERE fails
        return fc.all_reduce(z, "sum", dist.group.WORLD)

    step(torch.ones(8, 8), torch.ones(7 if rank == ONE else 8, 8))


def method(rank):
    """A method, whose frame is one of PyTorch's own in logs."""

    class Trainer:
        def step(self, x):
            if rank == ONE:
                x = x.sin()  # HERE method
            else:
                x = x.cos()
            return fc.all_reduce(x, "sum", dist.group.WORLD)

    compiled(Trainer().step)(torch.ones(8))


def main():
    dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=60))
    globals()[sys.argv[1]](dist.get_rank())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
