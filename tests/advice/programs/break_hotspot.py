# Breaks of several kinds in a function that the program compiles: what it calls is compiled instead.
# finding: break-hotspot
# finding (2.4-2.5): break-builtin|break-c-function|break-hotspot
# follow: break-hotspot
# also: break-print break-c-function break-builtin break-branch tiny-graphs
# output: differs
import os
import sys
import time

import torch
from result import result


def layer(x):
    return (x.sin() * 2).relu()


def loop(x):  # HERE
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


result(torch.compile(loop, backend="eager")(torch.ones(3)))
