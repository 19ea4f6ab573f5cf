"""Two spawned processes that each compile the same function, beside a parent that compiles another."""

import multiprocessing

import torch

RUN = {}


@torch.compile(backend="eager")
def work(x):
    return x.sin() * x.shape[0]


@torch.compile(backend="eager")
def gather(xs):
    return sum(xs)


def child(number):
    for rows in range(1, number + 2):
        work(torch.ones(rows + 1))


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    for number in range(2):
        process = context.Process(target=child, args=(number,))
        process.start()
        process.join()
    gather([torch.ones(2), torch.ones(2)])
