# The C++ compiler is slow (here it sleeps), and PyTorch was told to run one at a time.
# inductor
# long
# limit: 500
# alone
# environment: TORCHINDUCTOR_COMPILE_THREADS=1
# finding: slow-compilers
# severity: info
import os
import pathlib
import subprocess
import sys

import torch
import torch._inductor.config as config
from result import result
from torch import nn

if len(sys.argv) == 1:
    untraced = {name: value for name, value in os.environ.items() if name != "TORCH_TRACE"}
    subprocess.run([sys.executable, __file__, "fill"], env=untraced, check=True)
slow = pathlib.Path("slow-c++").resolve()
slow.write_text('#!/bin/sh\ncase "$*" in *cpp_fused*|*" -c "*|*main.cpp*) sleep 6 ;; esac\nexec g++ "$@"\n')
slow.chmod(0o755)
config.cpp.cxx = (str(slow),)



@torch.compile
def seen_before(x):
    return x.sin() + 1


# An earlier run has left something in the caches, so that they are not cold.
seen_before(torch.ones(8))
if len(sys.argv) > 1:
    sys.exit()
torch.manual_seed(0)
sizes = [8, 12, 16, 20, 24, 28, 32]
model = nn.Sequential(*[nn.Sequential(nn.Linear(a, b), nn.GELU(), nn.LayerNorm(b)) for a, b in zip(sizes, sizes[1:])]).eval()
with torch.no_grad():
    result(torch.compile(model)(torch.ones(4, 8)).shape)
