# One function is compiled for six values of a setting that changes nothing: its graph is found in the cache of the same run.
# inductor
# finding: recompile-global-value
# not: cache-miss
import torch
from result import result

MODE = "a"


@torch.compile
def pay(x):
    if MODE != "z":
        return x.sin() + 1
    return x


for mode in "abcdef":
    MODE = mode
    result(pay(torch.ones(8)))
