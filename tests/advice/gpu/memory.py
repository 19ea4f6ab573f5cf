"""More memory than the program may use."""
# fails: OutOfMemoryError
# fix batch: smaller batch
import torch
from variant import FIX, result

torch.cuda.set_per_process_memory_fraction(0.02)


@torch.compile
def outer(x):
    return (x[:, None] * x[None, :]).cumsum(0)


n = 64 if FIX == "batch" else 1 << 16
result(outer(torch.ones(n, device="cuda"))[0, 0])
