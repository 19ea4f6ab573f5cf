"""Matrix products of float32."""
# warns: TensorFloat32 tensor cores for float32
# fix high: torch\.set_float32_matmul_precision\("high"\)
import torch
from variant import FIX, result

if FIX == "high":
    torch.set_float32_matmul_precision("high")


@torch.compile
def product(x):
    return (x @ x).relu()


result(product(torch.ones(256, 256, device="cuda")).sum())
