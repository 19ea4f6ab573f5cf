# One of four functions differs from the run before, which filled the caches: which part of its key differs is in the log.
# inductor
# long
# alone
# finding: cache-miss
# shows: \[[a-z0-9]+\] (?:gm|example_inputs|torch_version)
import os
import subprocess
import sys

import torch
from result import result

fills = len(sys.argv) > 1
if not fills:
    quiet = {name: value for name, value in os.environ.items() if name not in {"TORCH_TRACE", "TORCH_LOGS"}}
    subprocess.run([sys.executable, __file__, "fill"], env=quiet, check=True, stdout=subprocess.DEVNULL)


@torch.compile
def first(x):
    return x.sin() + 1


@torch.compile
def second(x):
    return x.cos() + 2


@torch.compile
def third(x):
    return x.exp() + 3


@torch.compile  # HERE
def changed(x):
    return x.tanh() * 3 if fills else x.tanh() * 2


for function in (first, second, third):
    result(function(torch.ones(8)))
result(changed(torch.ones(8)))
