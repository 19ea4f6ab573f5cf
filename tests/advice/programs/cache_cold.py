# Nothing is in the caches, and compiling takes long: here a pass of Inductor sleeps.
# inductor
# long
# alone
# finding: cache-cold
# severity: info
# also: slow-phase
import os
import subprocess
import sys
import time

import torch
import torch._inductor.compile_fx as compile_fx
from result import result

SECONDS = 0 if len(sys.argv) > 1 else 31
if os.environ["TORCHINDUCTOR_CACHE_DIR"].endswith(".cache/torchinductor") and SECONDS:
    # The advice was followed: an earlier run has left its caches there.
    untraced = {name: value for name, value in os.environ.items() if name != "TORCH_TRACE"}
    subprocess.run([sys.executable, __file__, "fill"], env=untraced, check=True, stdout=subprocess.DEVNULL)
lower = compile_fx.GraphLowering.run


def slow_lower(*args):
    time.sleep(SECONDS)
    return lower(*args)


compile_fx.GraphLowering.run = slow_lower


@torch.compile
def f(x):
    return x.sin() * 2


result(f(torch.ones(64)))
