"""A kernel that reads memory across rows."""
# activity
# finding: gpu-slow-kernel
# fix strides: strides of its tensors
# fix autotune: max-autotune-no-cudagraphs
import torch
from variant import FIX, result


@torch.compile(mode="max-autotune-no-cudagraphs" if FIX == "autotune" else "default", dynamic=False)
def add(x, y):
    return x + y * 2


torch.manual_seed(0)
x = torch.randn(8192, 8192, device="cuda")
y = torch.randn(8192, 8192, device="cuda").t()
if FIX == "strides":
    y = y.contiguous()
for _ in range(300):
    z = add(x, y)
torch.cuda.synchronize()
result(z.sum())
