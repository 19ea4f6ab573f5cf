# The C++ compiler is slow, and PyTorch is set to run one at a time. Here it sleeps, and gives what an earlier run has compiled:
# so the time does not depend on what else the machine does.
# inductor
# long
# limit: 500
# alone
# environment: TORCHINDUCTOR_COMPILE_THREADS=1
# finding: slow-compilers
# severity: info
import os
import pathlib
import shutil
import subprocess
import sys

import torch
import torch._inductor.config as config
from result import result
from torch import nn

CACHE, KEPT, SLOW = pathlib.Path(os.environ["TORCHINDUCTOR_CACHE_DIR"]), pathlib.Path("kept").resolve(), pathlib.Path("slow-c++").resolve()
COMPILER = f"""#!/bin/sh
for word; do
    [ "$before" = -o ] && out=$word
    before=$word
done
kept={KEPT}/$(basename "$out")
[ -f "$kept" ] && sleep 8 && exec cp "$kept" "$out"
exec g++ "$@"
"""


def earlier_run(what):
    untraced = {name: value for name, value in os.environ.items() if name != "TORCH_TRACE"}
    subprocess.run([sys.executable, __file__, what], env={**untraced, "TORCHINDUCTOR_COMPILE_THREADS": "1"}, check=True)


if len(sys.argv) == 1:
    SLOW.write_text(COMPILER)
    SLOW.chmod(0o755)
    KEPT.mkdir()
    earlier_run("all")
    for path in [*CACHE.rglob("*.so"), *CACHE.rglob("*.o")]:
        shutil.copy(path, KEPT)
    shutil.rmtree(CACHE)
    earlier_run("first")  # so that the caches are not cold
config.cpp.cxx = (str(SLOW),)


@torch.compile
def seen_before(x):
    return x.sin() + 1


seen_before(torch.ones(8))
if sys.argv[1:] == ["first"]:
    sys.exit()
torch.manual_seed(0)
sizes = [8, 12, 16, 20, 24, 28, 32]
model = nn.Sequential(*[nn.Sequential(nn.Linear(a, b), nn.GELU(), nn.LayerNorm(b)) for a, b in zip(sizes, sizes[1:])]).eval()
with torch.no_grad():
    shape = torch.compile(model)(torch.ones(4, 8)).shape
if len(sys.argv) == 1:
    result(shape)
