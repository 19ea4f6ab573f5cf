# The same below the function that is compiled: it can be kept out.
# finding: break-hotspot
# finding (2.4-2.5): break-builtin|break-c-function|break-hotspot
# follow: break-hotspot
# also: break-print break-c-function break-builtin tiny-graphs break-on-purpose
# output: differs
import os
import sys
import time

import torch
from result import result


def layer(x):
    return (x.sin() * 2).relu()


def report(x):  # HERE
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
