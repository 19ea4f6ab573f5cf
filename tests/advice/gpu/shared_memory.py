"""A Triton kernel of the program with blocks that need too much shared memory."""
# fails: out of resource: shared memory
# fix small: blocks smaller, or fewer `num_stages`
import torch
import triton
import triton.language as tl
from variant import FIX, result


@triton.jit
def product_kernel(a, b, c, N: tl.constexpr, BLOCK: tl.constexpr):
    rows, columns = tl.arange(0, BLOCK), tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for k in range(0, N, BLOCK):
        x = tl.load(a + rows[:, None] * N + k + columns[None, :])
        y = tl.load(b + (k + rows[:, None]) * N + columns[None, :])
        total += tl.dot(x, y)
    tl.store(c + rows[:, None] * N + columns[None, :], total)


BLOCK = 64 if FIX == "small" else 256


@torch.compile(fullgraph=True)
def product(a, b):
    c = torch.zeros_like(a)
    product_kernel[(1,)](a, b, c, N=1024, BLOCK=BLOCK, num_stages=2 if FIX == "small" else 4, num_warps=8)
    return c


a = torch.eye(1024, device="cuda")
result((product(a, a)[:64, :64]).sum())
