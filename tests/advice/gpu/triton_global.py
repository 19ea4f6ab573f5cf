"""A Triton kernel that reads a global variable of Python."""
# fails: Cannot access global variable|global variable
# fix constexpr: tl\.constexpr
import torch
import triton
import triton.language as tl
from variant import FIX, result

FACTOR = tl.constexpr(3) if FIX == "constexpr" else 3


@triton.jit
def scale_kernel(a, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(a + at, tl.load(a + at, mask=at < n) * FACTOR, mask=at < n)


@torch.compile(fullgraph=True)
def scale(x):
    y = x.clone()
    scale_kernel[(1,)](y, 100, BLOCK=128)
    return y


result(scale(torch.ones(100, device="cuda")).sum())
