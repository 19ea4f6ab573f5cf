"""The GPU waits while new sizes are compiled."""
# activity
# finding: gpu-idle-recompiles
# fix dynamic: Avoid these recompiles
import torch
from variant import FIX, result


@torch.compile(dynamic=True if FIX == "dynamic" else False)
def scale(x):
    return (x.sin() * 2).sum()


total = 0.0
for n in (128, 256, 512, 1024):
    for _ in range(50):
        total += float(scale(torch.ones(n, device="cuda")))
result(torch.tensor(total))
