"""TF32 is set in the new way, and the compiler asks for it in the old one."""
# fails: mix of the legacy and new APIs
# fix old: torch\.set_float32_matmul_precision\("high"\)
import torch
from variant import FIX, result

if FIX == "old":
    torch.set_float32_matmul_precision("high")
else:
    torch.backends.cuda.matmul.fp32_precision = "tf32"


@torch.compile
def product(x):
    return (x @ x).relu()


result(product(torch.ones(256, 256, device="cuda")).sum())
