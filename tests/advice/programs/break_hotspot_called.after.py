import os
import sys
import time

import torch
from result import result


def layer(x):
    return (x.sin() * 2).relu()


@torch.compiler.disable(recursive=False)
def report(x):
    x = layer(x)
    sys.stdout.write("1\n")
    x = layer(x)
    start = time.time()
    x = layer(x)
    os.getpid()
    x = layer(x)
    sys.stdout.write("2\n")
    x = layer(x)
    start = time.time() - start
    x = layer(x)
    os.getcwd()
    x = layer(x)
    sys.stdout.write("3\n")
    x = layer(x)
    os.cpu_count()
    sys.stdout.write("4\n")
    return layer(x)


@torch.compile(backend="eager")
def model(x):
    x = x.cos() + 1
    x = report(x)
    return x.exp()


result(model(torch.ones(3)))
